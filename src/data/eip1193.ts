/** What wallets answer (EIP-1193): their failures, and what became of a transaction that one was asked to send. */
import * as Effect from "effect/Effect"
import { reasonOf, WalletUnclear } from "./SdkError.js"
import { readMember } from "./untrusted.js"

/** A wallet, as far as it is asked. */
interface RequestableWallet {
  readonly request: (call: { method: string; params?: ReadonlyArray<unknown> }) => Promise<unknown>
}

/** The failure of a wallet, in its own words. */
export interface WalletFailure {
  readonly method: string
  readonly code: number | undefined
  readonly detail: string
}

/** The code of a refusal by the wallet's user: the only one that proves that nothing was sent. */
export const USER_REJECTED_CODE = 4001

/** The longest sentence of a wallet: a longer one is a dump. */
const MAX_DETAIL_LENGTH = 2_000

const codeOf = (value: unknown): number | undefined => {
  const code = readMember(value, "code")
  const number = typeof code === "string" && code.trim() !== "" ? Number(code) : code
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined
}

/** Some wallets wrap the reason into an internal error, whose code says nothing. */
const toWalletFailure = (thrown: unknown, method: string): WalletFailure => {
  const own = codeOf(thrown)
  const inner = codeOf(readMember(readMember(thrown, "data"), "originalError"))
  const message = readMember(thrown, "message")
  const reason = reasonOf(thrown)
  const detail =
    thrown instanceof Error
      ? reason === message
        ? `${thrown.name}: ${reason}`
        : reason
      : typeof message === "string"
        ? `Error: ${message}`
        : reason
  return {
    method,
    code: own === USER_REJECTED_CODE ? own : (inner ?? own),
    detail: detail.slice(0, MAX_DETAIL_LENGTH)
  }
}

/** Asks a wallet. It waits for its user as long as that takes. */
export const requestWallet = (
  wallet: RequestableWallet,
  method: string,
  params?: ReadonlyArray<unknown>
): Effect.Effect<unknown, WalletFailure> =>
  Effect.tryPromise({
    try: async () => wallet.request(params === undefined ? { method } : { method, params }),
    catch: (thrown) => toWalletFailure(thrown, method)
  })

/** A transaction as a wallet is given it: quantities are hexadecimal with 0x. */
export interface WalletRequest {
  readonly from: string
  readonly to?: string
  readonly value?: string
  readonly nonce?: string
  readonly [field: string]: string | undefined
}

/** The error of a transaction that a wallet was asked to send. Without a nonce of its own, it has the `next` one or a later one. */
export const makeWalletUnclear = (
  { from, nonce, to, value = "0x0" }: WalletRequest,
  { code, detail }: Pick<WalletFailure, "code" | "detail">,
  next?: number
): WalletUnclear => {
  const known = nonce === undefined ? next : Number(nonce)
  return new WalletUnclear({
    from,
    ...(to === undefined ? {} : { to }),
    value: String(BigInt(value)),
    ...(known === undefined ? {} : { nonce: known }),
    ...(code === undefined ? {} : { code }),
    reason: detail
  })
}

/**
 * Has a wallet sign a transaction and send it: its hash. Whatever the wallet fails with, it may have failed after that, and its codes and
 * words may be those of a node behind it. Nothing was sent where its user has refused, and nowhere else.
 */
export const sendWithWallet = <E>(
  wallet: RequestableWallet,
  request: WalletRequest,
  {
    denied: toDenial,
    next: nextNonce
  }: { readonly denied: (said: WalletFailure) => E; readonly next?: number }
): Effect.Effect<string, E | WalletUnclear> =>
  requestWallet(wallet, "eth_sendTransaction", [request]).pipe(
    Effect.mapError((said) =>
      said.code === USER_REJECTED_CODE ? toDenial(said) : makeWalletUnclear(request, said, nextNonce)
    ),
    Effect.flatMap((hash) =>
      typeof hash === "string" && /^0x[0-9a-f]{64}$/i.test(hash)
        ? Effect.succeed(hash)
        : Effect.fail(
            makeWalletUnclear(request, { code: undefined, detail: "its answer is no hash" }, nextNonce)
          )
    )
  )
