/** What a payment on an EVM chain needs of its nodes: tokens, fees, and whether they have taken a transaction. */
import * as Effect from "effect/Effect"
import type { Hex } from "../../chains/evm/Types.js"
import { textOf } from "../../data/abiText.js"
import { isRecord } from "../../data/foreign.js"
import type { NetworkRow, RollupStacks } from "../../data/Network.js"
import type { SigningFailed } from "../../data/SdkError.js"
import { assetOf, type PrepareError, type ReadError, refused, type Signed } from "../Signer.js"
import type { Chain } from "./Nonces.js"
import type { EvmCalls, EvmClient, EvmTransaction } from "./Types.js"

/** Blocks of which nodes without an archive keep the state. */
const KEPT = 128

/** Milliseconds until nodes show a transaction that waits for a block at another one. */
const WITHIN = 3_000

/** Whether a transaction of a block is one of an account, with a nonce: its hash. */
const hashIf = (transaction: unknown, address: Hex, nonce: number): string | undefined =>
  isRecord(transaction) &&
  typeof transaction.hash === "string" &&
  String(transaction.from).toLowerCase() === address.toLowerCase() &&
  Number(transaction.nonce) === nonce
    ? transaction.hash
    : undefined

/** The hash of the transaction that a block has with a nonce of an account; undefined where a node cannot show it. */
const minedWith = (
  rpc: EvmCalls,
  address: Hex,
  nonce: number
): Effect.Effect<string | undefined, ReadError> =>
  Effect.gen(function* () {
    const head = Number((yield* rpc.getBlockByNumber("latest"))?.number)
    const isUsedAt = (block: number) =>
      Effect.map(rpc.getTransactionCount(address, hexOf(block)), (count) => Number(count) > nonce)
    let [low, high] = [Math.max(0, head - KEPT), head]
    if (!(yield* isUsedAt(high)) || (yield* isUsedAt(low))) return undefined
    while (low + 1 < high) {
      const middle = Math.floor((low + high) / 2)
      if (yield* isUsedAt(middle)) high = middle
      else low = middle
    }
    const transactions = (yield* rpc.getBlockByNumber(hexOf(high), true))?.transactions ?? []
    return transactions.map((each) => hashIf(each, address, nonce)).find((hash) => hash !== undefined)
  })

const hexOf = (block: number): Hex => `0x${block.toString(16)}`

export const chainOf = (
  { nodes, rpc }: Pick<EvmClient, "nodes" | "rpc">,
  address: Hex,
  sign: (transaction: EvmTransaction) => Effect.Effect<Signed, SigningFailed>
): Chain<EvmTransaction> => ({
  address,
  count: Effect.suspend(() => Effect.map(rpc.getTransactionCount(address, "pending"), Number)),
  sign: (transaction, nonce) => sign({ ...transaction, nonce }),
  handing: (nonce) => ({
    nodes,
    within: WITHIN,
    broadcast: ({ raw }) => rpc.sendRawTransaction(raw),
    look: (hash) =>
      Effect.flatMap(rpc.getTransactionByHash(hash), (found) =>
        found !== null
          ? Effect.succeed("known" as const)
          : Effect.map(minedWith(rpc, address, nonce), (mined) =>
              mined === undefined ? "absent" : mined === hash ? "known" : "replaced"
            )
      )
  })
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
