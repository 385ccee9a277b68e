/** Tokens of TON (jettons, TEP-74), as their contracts describe them. */
import * as Effect from "effect/Effect"
import type { InvalidArgument } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { withAgreement } from "../evidence.js"
import type { ReadError } from "../Signer.js"
import { invalidArgument } from "../signerChecks.js"
import type { SignerContext } from "./reading.js"

/** A token. Its decimals are not always in the chain. */
export interface Jetton {
  readonly symbol: string | undefined
  readonly decimals: number | undefined
  /** The contract that has the tokens of an owner, there or not. */
  readonly walletOf: (owner: string) => Effect.Effect<string, ReadError>
  /** Whether tokens may have been given to an owner that are not in the chain before they are claimed with a proof (TEP-177). */
  readonly isUnclaimed: (wallet: string, isThere: boolean) => Effect.Effect<boolean, ReadError>
}

/** What a wallet of tokens has. Addresses are raw. */
export interface Holding {
  readonly balance: bigint
  readonly owner: string
  readonly master: string
}

type Stack = ReadonlyArray<readonly [type: string, value: unknown]>

type GetMethodAnswer = Effect.Effect.Success<ReturnType<SignerContext["rpc"]["runGetMethod"]>>

/** The result of a get-method; undefined if the contract does not have it, or does not exist. */
const stackOf = ({ result }: GetMethodAnswer): Stack =>
  result.exit_code === 0 || result.exit_code === 1 ? result.stack : []

/** The same from a node. */
const readStack = ({ rpc }: SignerContext, address: string, method: string, stack: Stack = []) =>
  Effect.map(rpc.runGetMethod({ address, method, stack }), stackOf)

/** Reads the details of a token. Two nodes have to agree on its decimals, if there are two. */
const readJettonData = (account: SignerContext, master: string) =>
  Effect.map(
    withAgreement(
      account.rpc.runGetMethod({ address: master, method: "get_jetton_data", stack: [] }),
      (one, other) => hasSameDecimals(account, stackOf(one), stackOf(other))
    ),
    stackOf
  )

/** Whether two nodes report the same decimals. */
const hasSameDecimals = ({ cells }: SignerContext, one: Stack, other: Stack): boolean => {
  const decimalsIn = (data: Stack) => tryRead(() => cells.parseJettonContent(cellAt(data, 3)))?.decimals
  return decimalsIn(one) === decimalsIn(other)
}

const valueAt = (stack: Stack, at: number): unknown => stack[at]?.[1]

/** Reads a cell of a stack (base64). Throws if the item is none. */
const cellAt = (stack: Stack, at: number): string => {
  const value = valueAt(stack, at)
  return String(isRecord(value) && value.bytes)
}

const numberAt = (stack: Stack, at: number): bigint => BigInt(String(valueAt(stack, at)))

/** Reads an answer that may come from any contract; undefined if it cannot be read. */
const tryRead = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Reads an answer of the token's contract. Fails if it cannot be read. */
const requireReadable = <A>(token: string, read: () => A): Effect.Effect<A, InvalidArgument> => {
  const found = tryRead(read)
  return found === undefined
    ? Effect.fail(
        invalidArgument("prepare", `${token} is no token (jetton): its contract does not answer as one`)
      )
    : Effect.succeed(found)
}

/** Reads the number of a get-method without arguments; undefined if the contract does not have it. */
const readNumber = (account: SignerContext, address: string, method: string) =>
  Effect.map(readStack(account, address, method), (stack) => tryRead(() => numberAt(stack, 0)))

/** The token of a master contract. */
export const readJetton = (
  account: SignerContext,
  master: string,
  token: string
): Effect.Effect<Jetton, ReadError> =>
  Effect.gen(function* () {
    const { cells } = account
    const data = yield* readJettonData(account, master)
    const { decimals, isMintless, symbol } = yield* requireReadable(token, () =>
      cells.parseJettonContent(cellAt(data, 3))
    )
    return {
      symbol,
      decimals,
      walletOf: (owner) =>
        Effect.flatMap(
          readStack(account, master, "get_wallet_address", [["tvm.Slice", cells.encodeAddressSlice(owner)]]),
          (stack) => requireReadable(token, () => cells.decodeAddress(cellAt(stack, 0)))
        ),
      isUnclaimed: (wallet, isThere) => {
        if (isThere) return Effect.map(readNumber(account, wallet, "is_claimed"), (claimed) => claimed === 0n)
        return isMintless
          ? Effect.succeed(true)
          : Effect.map(
              readNumber(account, master, "get_mintless_airdrop_hashmap_root"),
              (root = 0n) => root !== 0n
            )
      }
    }
  })

/** Reads a jetton wallet; undefined if the address has none. */
export const readHolding = (
  account: SignerContext,
  wallet: string
): Effect.Effect<Holding | undefined, ReadError> =>
  Effect.map(readStack(account, wallet, "get_wallet_data"), (stack) =>
    // another contract may have a method of that name
    tryRead(() => ({
      balance: numberAt(stack, 0),
      owner: account.cells.decodeAddress(cellAt(stack, 1)),
      master: account.cells.decodeAddress(cellAt(stack, 2))
    }))
  )
