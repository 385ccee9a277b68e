/** What a payment on the XRP Ledger needs of its servers: accounts, trust lines, reserves, fees, and what became of a payment. */
import * as Effect from "effect/Effect"
import { confirmed } from "../../chains/internal/Confirmation.js"
import { isRecord } from "../../data/untrusted.js"
import { TransactionDropped, TransactionFailed } from "../../data/SdkError.js"
import type { Shown } from "../broadcast.js"
import { agreed, largerOf, malformed, wholeIn, wholeOf } from "../evidence.js"
import { type ReadError, refused, type SubmitError } from "../Signer.js"
import type { Complete } from "./ripple.js"
import type { XrpCalls } from "./Types.js"
import { type Token, unitsOf } from "./tokens.js"

/** The open ledger has payments that no validated one has yet. */
const OPEN = { ledgerIndex: "current" }

/** Flags of accounts. */
export const flags = {
  requireTag: 0x0002_0000,
  requireAuth: 0x0004_0000,
  disallowXrp: 0x0008_0000,
  disableMaster: 0x0010_0000,
  globalFreeze: 0x0040_0000,
  depositAuth: 0x0100_0000
}

/** An account, in drops. */
export interface Root {
  readonly balance: bigint
  readonly owned: bigint
  readonly sequence: number
  /** What leaves an account for a billion of its tokens that arrive. */
  readonly rate: number
  readonly regularKey: string | undefined
  readonly has: (flag: number) => boolean
}

/** Servers say that there is no such thing by a word, which their message starts with. */
const unless = <A, E extends ReadError>(
  found: Effect.Effect<A, E>,
  word: RegExp
): Effect.Effect<A | undefined, E> =>
  Effect.catchIf(
    found,
    (error) => error._tag === "RpcError" && word.test(error.message),
    () => Effect.succeed(undefined)
  )

/** A rate of which nothing stays with the issuer; with twice as much, half of it does, and the ledger lets no issuer keep more. */
const WHOLE = 1_000_000_000

const isNumber = (value: unknown, below: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < below

/** An account; undefined where there is none. */
export const rootOf = (rpc: XrpCalls, address: string): Effect.Effect<Root | undefined, ReadError> =>
  unless(
    Effect.flatMap(rpc.accountInfo(address, OPEN), ({ account_data }): Effect.Effect<Root, ReadError> => {
      const { Balance, Flags, OwnerCount, RegularKey, Sequence, TransferRate } = account_data
      const rate = TransferRate || WHOLE
      const [balance, owned] = [wholeIn(Balance), wholeIn(OwnerCount)]
      return balance === undefined || owned === undefined || !isNumber(Sequence, 2 ** 32)
        ? Effect.fail(malformed("account_info", `${address} has numbers that are none`))
        : rate < WHOLE || rate > 2 * WHOLE
          ? Effect.fail(
              malformed("account_info", `a TransferRate is from ${WHOLE} to ${2 * WHOLE}, not ${rate}`)
            )
          : Effect.succeed({
              balance,
              owned,
              sequence: Sequence,
              rate,
              regularKey: RegularKey,
              has: (flag: number) => (Flags & flag) !== 0
            })
    }),
    /^actNotFound\b/
  )

/** A trust line as its holder sees it. The rest is what the issuer has set, and whether one of both has closed it, or the holder. */
export interface Line {
  readonly balance: bigint
  readonly limit: bigint
  readonly isFrozen: boolean
  readonly isClosed: boolean
  readonly isRefused: boolean
  readonly isAuthorized: boolean
  readonly isNoRipple: boolean
}

/** Flags of trust lines, of which the account with the lower number has the former. */
const lineFlags = {
  auth: [0x0004_0000, 0x0008_0000],
  noRipple: [0x0010_0000, 0x0020_0000],
  freeze: [0x0040_0000, 0x0080_0000],
  deepFreeze: [0x0200_0000, 0x0400_0000]
} as const

const member = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)

/** The trust line of a holder; undefined where there is none. */
export const lineOf = (
  rpc: XrpCalls,
  holder: string,
  { currency, issuer }: Token
): Effect.Effect<Line | undefined, ReadError> =>
  unless(
    Effect.map(
      rpc.ledgerEntry({ rippleState: { accounts: [holder, issuer], currency }, ...OPEN }),
      ({ node: { Balance, Flags = 0, HighLimit, LowLimit } = {} }) => {
        const isLow = member(LowLimit, "issuer") === holder
        const balance = unitsOf(member(Balance, "value"))
        const has = (flag: number) => (Flags & flag) !== 0
        const [issuers, holders] = isLow ? ([1, 0] as const) : ([0, 1] as const)
        return {
          balance: isLow ? balance : -balance,
          limit: unitsOf(member(isLow ? LowLimit : HighLimit, "value")),
          isFrozen: has(lineFlags.freeze[issuers]),
          isClosed: lineFlags.deepFreeze.some(has),
          isRefused: has(lineFlags.freeze[holders]),
          isAuthorized: has(lineFlags.auth[issuers]),
          isNoRipple: has(lineFlags.noRipple[issuers])
        }
      }
    ),
    /^entryNotFound\b/
  )

/** The newest validated ledger, and what accounts keep in drops: all of them, and for each thing that they own. */
export interface Ledger {
  readonly seq: number
  readonly base: bigint
  readonly each: bigint
}

/** Ledgers that two honest servers may be apart. */
const CLOSE = 100

/** A payment is over some ledgers after the newest one, so two servers are at about the same one, where there are two. */
export const ledgerOf = (rpc: XrpCalls): Effect.Effect<Ledger, ReadError> =>
  Effect.flatMap(
    agreed(
      rpc.serverState(),
      (one, other) =>
        Math.abs(Number(one.state.validated_ledger?.seq) - Number(other.state.validated_ledger?.seq)) <= CLOSE
    ),
    ({ state: { validated_ledger } }): Effect.Effect<Ledger, ReadError> => {
      if (validated_ledger === undefined)
        return Effect.fail(refused("server_state", "the server has no validated ledger yet"))
      const { reserve_base, reserve_inc, seq } = validated_ledger
      const [base, each] = [wholeIn(reserve_base), wholeIn(reserve_inc)]
      return base === undefined || each === undefined || !isNumber(seq, 2 ** 32 - CLOSE)
        ? Effect.fail(malformed("server_state", "its validated ledger has numbers that are none"))
        : Effect.succeed({ seq, base, each })
    }
  )

/** What a payment costs to get into the open ledger, in drops. */
export const feeOf = (rpc: XrpCalls): Effect.Effect<bigint, ReadError> =>
  Effect.flatMap(rpc.fee(), ({ drops: { base_fee, open_ledger_fee } }) =>
    Effect.map(
      Effect.all([wholeOf("fee", "base_fee", base_fee), wholeOf("fee", "open_ledger_fee", open_ledger_fee)]),
      ([base, open]) => largerOf(base, open)
    )
  )

const found = (rpc: XrpCalls, hash: string) => unless(rpc.tx(hash), /^(txnNotFound|transactionNotFound)\b/)

/**
 * Fails where a payment can get into no ledger any more: one answer says that its last ledger is validated, and that its number was
 * still free in it or after it.
 */
const stillOpen = (
  rpc: XrpCalls,
  hash: string,
  { from, lastLedger, sequence }: Complete
): Effect.Effect<undefined, ReadError | TransactionDropped> =>
  Effect.flatMap(rpc.accountInfo(from, { ledgerIndex: "validated" }), ({ account_data, ledger_index = 0 }) =>
    ledger_index >= lastLedger && account_data.Sequence <= sequence
      ? Effect.fail(
          new TransactionDropped({
            hash,
            reason: `it could be in ledgers up to ${lastLedger}, and is in none`
          })
        )
      : Effect.succeed(undefined)
  )

/** The newest transactions of an account that are looked through for one with a number. */
const NEWEST = 50

/** The hash of the transaction that a validated ledger has with a number of an account. */
const validatedWith = (
  rpc: XrpCalls,
  address: string,
  sequence: number
): Effect.Effect<string | undefined, ReadError> =>
  Effect.map(rpc.accountTx(address, { limit: NEWEST }), ({ transactions }) => {
    for (const { hash, tx, tx_json, validated } of transactions) {
      const fields = tx ?? tx_json
      if (validated === true && fields?.Account === address && fields.Sequence === sequence)
        return hash ?? fields.hash
    }
    return undefined
  })

/** What a server shows of a payment: it has it, in a ledger or on the way there, or has another one with its number. */
export const shownOf = (
  rpc: XrpCalls,
  hash: string,
  transaction: Complete
): Effect.Effect<Shown, ReadError | TransactionDropped> =>
  Effect.gen(function* () {
    if ((yield* found(rpc, hash)) !== undefined) return "known"
    yield* stillOpen(rpc, hash, transaction)
    const there = yield* validatedWith(rpc, transaction.from, transaction.sequence)
    return there === undefined ? "absent" : there === hash ? "known" : "replaced"
  })

/** A validated ledger is final. Further confirmations are ledgers on top of it. */
const look = (rpc: XrpCalls, hash: string, transaction: Complete) =>
  Effect.flatMap(found(rpc, hash), (there) => {
    const { ledger_index, meta, validated } = there ?? {}
    return validated === true && ledger_index !== undefined && typeof meta === "object"
      ? Effect.map(ledgerOf(rpc), ({ seq }) => ({
          transaction: meta.TransactionResult,
          confirmations: Math.max(1, seq - ledger_index + 1)
        }))
      : stillOpen(rpc, hash, transaction)
  })

/** Milliseconds: a ledger takes four seconds, and a payment may be in the twentieth. */
const LEDGER = 4_000

/** Waits until a payment is so deep in the ledger; one that failed there is a failure. */
export const landed = (
  rpc: XrpCalls,
  hash: string,
  transaction: Complete,
  confirmations: number
): Effect.Effect<void, SubmitError> =>
  Effect.flatMap(
    confirmed(
      hash,
      { confirmations, pollingInterval: LEDGER / 2, timeout: (30 + 2 * confirmations) * LEDGER },
      look(rpc, hash, transaction)
    ),
    (result) =>
      result === "tesSUCCESS" ? Effect.void : Effect.fail(new TransactionFailed({ hash, reason: result }))
  )
