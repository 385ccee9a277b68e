/** What a payment on an EVM chain needs of its nodes: tokens, fees, and whether they have taken a transaction. */
import * as Effect from "effect/Effect"
import type { Hex } from "../../chains/evm/Types.js"
import { textOf } from "../../data/abiText.js"
import type { NetworkRow, RollupStacks } from "../../data/Network.js"
import type { SigningFailed } from "../../data/SdkError.js"
import { isLost } from "../broadcast.js"
import { assetOf, type PrepareError, type ReadError, refused, type Signed } from "../Signer.js"
import type { Chain } from "./Nonces.js"
import type { EvmCalls, EvmTransaction } from "./Types.js"

/** What nodes say of a transaction that they have, and of a nonce that another one has. */
const isThere =
  /already known|known transaction|already imported|already exists|already in (the )?(mem)?pool/i
const isTaken =
  /nonce[ _]?(is )?too[ _]?low|old[ _]?nonce|nonce[a-z ]{0,24}(already|used|lower)|replacement|could not replace|invalid nonce|incorrect nonce/i

export const chainOf = (
  rpc: EvmCalls,
  address: Hex,
  sign: (transaction: EvmTransaction) => Effect.Effect<Signed, SigningFailed>
): Chain<EvmTransaction> => ({
  address,
  count: Effect.suspend(() => Effect.map(rpc.getTransactionCount(address, "pending"), Number)),
  isKnown: (hash) => Effect.map(rpc.getTransactionByHash(hash), (found) => found !== null),
  sign: (transaction, nonce) => sign({ ...transaction, nonce }),
  broadcast: ({ raw }) =>
    rpc.sendRawTransaction(raw).pipe(
      Effect.as("taken" as const),
      Effect.catchIf(
        (error) =>
          error._tag === "RpcError" &&
          (isThere.test(error.message) || (isTaken.test(error.message) && !isLost(error))),
        (error) => Effect.succeed(isThere.test(error.message) ? ("taken" as const) : ("replaced" as const))
      )
    )
})

/** Words of a contract's interface: `decimals()`, `symbol()`, `balanceOf(address)`, `transfer(address,uint256)`. */
const DECIMALS = "0x313ce567"
const SYMBOL = "0x95d89b41"
export const BALANCE_OF = "0x70a08231"
export const TRANSFER = "0xa9059cbb"

export const word = (value: string | bigint): string =>
  (typeof value === "bigint" ? value.toString(16) : value.replace(/^0x/, "").toLowerCase()).padStart(64, "0")

export interface Token {
  readonly token: Hex
  readonly asset: string
  readonly decimals: number
}

export const tokenOf = (rpc: EvmCalls, token: string): Effect.Effect<Token, PrepareError> =>
  Effect.gen(function* () {
    const read = (data: string) => rpc.call({ to: token, data })
    const [places, symbol] = yield* Effect.all(
      [
        read(DECIMALS),
        Effect.orElseSucceed(
          Effect.map(read(SYMBOL), (hex) => textOf(hex.slice(2))),
          () => undefined
        )
      ],
      { concurrency: "unbounded" }
    )
    const decimals = Number(places)
    if (!Number.isSafeInteger(decimals) || decimals > 255)
      return yield* refused("prepare", `${token} is no token: it tells no decimals`)
    return { token: token as Hex, asset: assetOf(symbol, token), decimals }
  })

export type Fees = Pick<EvmTransaction, "gasPrice" | "maxFeePerGas" | "maxPriorityFeePerGas">

/** The price of gas: of chains with a base fee, room for it to double. */
export const feesOf = (rpc: EvmCalls): Effect.Effect<Fees, ReadError> =>
  Effect.flatMap(rpc.getBlockByNumber("latest"), (block): Effect.Effect<Fees, ReadError> => {
    const base = block?.baseFeePerGas
    if (base === undefined) return Effect.map(rpc.gasPrice(), (gasPrice) => ({ gasPrice }))
    return Effect.map(
      Effect.catchAll(rpc.maxPriorityFeePerGas(), () =>
        Effect.map(rpc.gasPrice(), (price) => (price > BigInt(base) ? price - BigInt(base) : 0n))
      ),
      (maxPriorityFeePerGas) => ({
        maxPriorityFeePerGas,
        maxFeePerGas: 2n * BigInt(base) + maxPriorityFeePerGas
      })
    )
  })

export const priceOf = ({ gasPrice, maxFeePerGas }: Fees): bigint => gasPrice ?? maxFeePerGas ?? 0n

type Op = { [N in keyof RollupStacks]: RollupStacks[N] extends "op" ? N : never }[keyof RollupStacks]

/** The rollups whose transactions also pay for their data on the chain below. */
const opStack: Readonly<Record<Op, true>> = {
  "base-mainnet": true,
  "celo-mainnet": true,
  "optimism-mainnet": true,
  "unichain-mainnet": true,
  "lisk-mainnet": true,
  "base-sepolia": true,
  "celo-testnet": true,
  "optimism-testnet": true,
  "unichain-sepolia": true,
  "lisk-sepolia": true
}

/** The contract of rollups of the OP stack that knows what their data costs on the chain below. */
const GAS_ORACLE = "0x420000000000000000000000000000000000000F"

/** `getL1FeeUpperBound(uint256)`: the fee for so many bytes, signed. It moves with the chain below: half as much again is kept free. */
export const belowFee = (rpc: EvmCalls, { id }: NetworkRow, data: string | undefined) =>
  Object.hasOwn(opStack, id)
    ? Effect.map(
        rpc.call({
          to: GAS_ORACLE,
          data: `0xf1c7a58b${word(BigInt(Math.ceil((data?.length ?? 2) / 2) + 160))}`
        }),
        (fee) => (BigInt(fee) * 3n) / 2n
      )
    : Effect.succeed(0n)
