/** What a payment on the XRP Ledger needs of its servers: accounts, trust lines, reserves, fees, and what became of a payment. */
import * as Effect from "effect/Effect"
import { makeOutcomeCheck, pollUntilConfirmed } from "../../chains/internal/Confirmation.js"
import { TransactionDropped } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import type { TransactionStatus } from "../broadcast.js"
import { makeMalformedError, maxOf, parseWhole, requireWhole, withAgreement } from "../evidence.js"
import type { ReadError, SubmitError } from "../Signer.js"
import { invalidArgument } from "../signerChecks.js"
import type { CompleteTransaction } from "./ripple.js"
import type { XrpCalls } from "./Types.js"
import { parseUnits, type Token } from "./tokens.js"

/** The open ledger has payments that no validated one has yet. */
const OPEN_LEDGER = { ledgerIndex: "current" }

/** Flags of accounts. */
export const accountFlags = {
  requireTag: 0x0002_0000,
  requireAuth: 0x0004_0000,
  disallowXrp: 0x0008_0000,
  disableMaster: 0x0010_0000,
  globalFreeze: 0x0040_0000,
  depositAuth: 0x0100_0000
}

/** An account, in drops. */
export interface AccountRoot {
  readonly balance: bigint
  readonly owned: bigint
  readonly sequence: number
  /** What leaves an account for a billion of its tokens that arrive. */
  readonly rate: number
  readonly regularKey: string | undefined
  readonly has: (flag: number) => boolean
}

/** Servers say that there is no such thing by a word, which their message starts with. */
export const undefinedIfMissing = <A, E extends ReadError>(
  found: Effect.Effect<A, E>,
  word: RegExp
): Effect.Effect<A | undefined, E> =>
  Effect.catchIf(
    found,
    (error) => error._tag === "RpcError" && word.test(error.message),
    () => Effect.succeed(undefined)
  )

/** The word for an account that a ledger does not have. */
export const NO_ACCOUNT = /^actNotFound\b/

/** The word for an entry that a ledger does not have. */
const NO_ENTRY = /^entryNotFound\b/

/** A rate of which nothing stays with the issuer; with twice as much, half of it does, and the ledger lets no issuer keep more. */
const NO_TRANSFER_FEE = 1_000_000_000

const isNumberBelow = (value: unknown, below: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < below

/** An account; undefined where there is none. */
export const readAccountRoot = (
  rpc: XrpCalls,
  address: string
): Effect.Effect<AccountRoot | undefined, ReadError> =>
  undefinedIfMissing(
    Effect.flatMap(
      rpc.accountInfo(address, OPEN_LEDGER),
      ({ account_data }): Effect.Effect<AccountRoot, ReadError> => {
        const { Balance, Flags, OwnerCount, RegularKey, Sequence, TransferRate } = account_data
        const rate = TransferRate || NO_TRANSFER_FEE
        const [balance, owned] = [parseWhole(Balance), parseWhole(OwnerCount)]
        return balance === undefined || owned === undefined || !isNumberBelow(Sequence, 2 ** 32)
          ? Effect.fail(makeMalformedError("account_info", `${address} has numbers that are none`))
          : rate < NO_TRANSFER_FEE || rate > 2 * NO_TRANSFER_FEE
            ? Effect.fail(
                makeMalformedError(
                  "account_info",
                  `a TransferRate is from ${NO_TRANSFER_FEE} to ${2 * NO_TRANSFER_FEE}, not ${rate}`
                )
              )
            : Effect.succeed({
                balance,
                owned,
                sequence: Sequence,
                rate,
                regularKey: RegularKey,
                has: (flag: number) => (Flags & flag) !== 0
              })
      }
    ),
    NO_ACCOUNT
  )

/** A trust line as its holder sees it. The rest is what the issuer has set, and whether one of both has closed it, or the holder. */
export interface TrustLine {
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

const memberOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)

/** The trust line of a holder; undefined where there is none. */
export const readTrustLine = (
  rpc: XrpCalls,
  holder: string,
  { currency, issuer }: Token
): Effect.Effect<TrustLine | undefined, ReadError> =>
  undefinedIfMissing(
    Effect.map(
      rpc.ledgerEntry({ rippleState: { accounts: [holder, issuer], currency }, ...OPEN_LEDGER }),
      ({ node: { Balance, Flags = 0, HighLimit, LowLimit } = {} }) => {
        const isLow = memberOf(LowLimit, "issuer") === holder
        const balance = parseUnits(memberOf(Balance, "value"))
        const has = (flag: number) => (Flags & flag) !== 0
        const [issuers, holders] = isLow ? ([1, 0] as const) : ([0, 1] as const)
        return {
          balance: isLow ? balance : -balance,
          limit: parseUnits(memberOf(isLow ? LowLimit : HighLimit, "value")),
          isFrozen: has(lineFlags.freeze[issuers]),
          isClosed: lineFlags.deepFreeze.some(has),
          isRefused: has(lineFlags.freeze[holders]),
          isAuthorized: has(lineFlags.auth[issuers]),
          isNoRipple: has(lineFlags.noRipple[issuers])
        }
      }
    ),
    NO_ENTRY
  )

/** The newest validated ledger, and what accounts keep in drops: all of them, and for each thing that they own. */
export interface LatestLedger {
  readonly seq: number
  readonly base: bigint
  readonly each: bigint
}

/** Ledgers that two honest servers may be apart. */
const MAX_LEDGER_DIFFERENCE = 100

/** A payment is over some ledgers after the newest one, so two servers are at about the same one, where there are two. */
export const readLatestLedger = (rpc: XrpCalls): Effect.Effect<LatestLedger, ReadError> =>
  Effect.flatMap(
    withAgreement(
      rpc.serverState(),
      (one, other) =>
        Math.abs(Number(one.state.validated_ledger?.seq) - Number(other.state.validated_ledger?.seq)) <=
        MAX_LEDGER_DIFFERENCE
    ),
    ({ state: { validated_ledger } }): Effect.Effect<LatestLedger, ReadError> => {
      if (validated_ledger === undefined)
        return Effect.fail(invalidArgument("server_state", "the server has no validated ledger yet"))
      const { reserve_base, reserve_inc, seq } = validated_ledger
      const [base, each] = [parseWhole(reserve_base), parseWhole(reserve_inc)]
      return base === undefined || each === undefined || !isNumberBelow(seq, 2 ** 32 - MAX_LEDGER_DIFFERENCE)
        ? Effect.fail(makeMalformedError("server_state", "its validated ledger has numbers that are none"))
        : Effect.succeed({ seq, base, each })
    }
  )

/** What a payment costs to get into the open ledger, in drops. */
export const readFee = (rpc: XrpCalls): Effect.Effect<bigint, ReadError> =>
  Effect.flatMap(rpc.fee(), ({ drops: { base_fee, open_ledger_fee } }) =>
    Effect.map(
      Effect.all([
        requireWhole("fee", "base_fee", base_fee),
        requireWhole("fee", "open_ledger_fee", open_ledger_fee)
      ]),
      ([base, open]) => maxOf(base, open)
    )
  )

type TransactionAnswer = Effect.Effect.Success<ReturnType<XrpCalls["tx"]>>

const findTransaction = (rpc: XrpCalls, hash: string) =>
  undefinedIfMissing(rpc.tx(hash), /^(txnNotFound|transactionNotFound)\b/)

const isTicketOf = (
  {
    Account,
    TicketSequence
  }: NonNullable<Effect.Effect.Success<ReturnType<XrpCalls["ledgerEntry"]>>["node"]>,
  address: string,
  ticket: number
): boolean => Account === address && TicketSequence === ticket

/** The ledger in which an account has a ticket that no transaction has used; undefined if it has not. */
export const readTicketLedger = (
  rpc: XrpCalls,
  account: string,
  ticket: number,
  ledgerIndex: "current" | "validated"
): Effect.Effect<number | undefined, ReadError> =>
  Effect.map(
    undefinedIfMissing(rpc.ledgerEntry({ ticket: { account, ticketSeq: ticket }, ledgerIndex }), NO_ENTRY),
    (found) =>
      found?.node !== undefined && isTicketOf(found.node, account, ticket)
        ? (found.ledger_index ?? 0)
        : undefined
  )

/** The validated ledger in which the number of a payment is free, so that neither it nor an earlier one has the payment. */
const readLedgerWithoutPayment = (
  rpc: XrpCalls,
  { from, sequence, ticket }: CompleteTransaction
): Effect.Effect<number, ReadError> => {
  /** A sequence that the account has not reached is free, and a ticket with such a number is not made yet. */
  const readLedgerBelow = (number: number) =>
    Effect.map(rpc.accountInfo(from, { ledgerIndex: "validated" }), ({ account_data, ledger_index = 0 }) =>
      account_data.Sequence <= number ? ledger_index : 0
    )
  return ticket === undefined
    ? readLedgerBelow(sequence)
    : Effect.flatMap(readTicketLedger(rpc, from, ticket, "validated"), (ledger) =>
        ledger === undefined ? readLedgerBelow(ticket) : Effect.succeed(ledger)
      )
}

/**
 * Fails where a payment can get into no ledger any more: one answer says that its last ledger is validated, and that its number was
 * still free in it or after it.
 */
const checkExpiry = (
  rpc: XrpCalls,
  hash: string,
  transaction: CompleteTransaction
): Effect.Effect<undefined, ReadError | TransactionDropped> =>
  Effect.flatMap(readLedgerWithoutPayment(rpc, transaction), (ledger) =>
    ledger >= transaction.lastLedger
      ? Effect.fail(
          new TransactionDropped({
            hash,
            reason: `it could be in ledgers up to ${transaction.lastLedger}, and is in none`
          })
        )
      : Effect.succeed(undefined)
  )

/** The newest transactions of an account that are looked through for one with a number. */
const RECENT_LIMIT = 50

/** The hash of the transaction that a validated ledger has with the number of a payment: its sequence, or its ticket. */
const findHashByNumber = (
  rpc: XrpCalls,
  { from, sequence, ticket }: CompleteTransaction
): Effect.Effect<string | undefined, ReadError> =>
  Effect.map(rpc.accountTx(from, { limit: RECENT_LIMIT }), ({ transactions }) => {
    for (const { hash, tx, tx_json, validated } of transactions) {
      const fields = tx ?? tx_json
      if (validated !== true || fields?.Account !== from) continue
      if (fields.Sequence === sequence && fields.TicketSequence === ticket) return hash ?? fields.hash
    }
    return undefined
  })

/** What a server shows of a payment: it has it, in a ledger or on the way there, or has another one with its number. */
export const lookUpTransaction = (
  rpc: XrpCalls,
  hash: string,
  transaction: CompleteTransaction
): Effect.Effect<TransactionStatus, ReadError | TransactionDropped> =>
  Effect.gen(function* () {
    if ((yield* findTransaction(rpc, hash)) !== undefined) return "known"
    yield* checkExpiry(rpc, hash, transaction)
    const there = yield* findHashByNumber(rpc, transaction)
    return there === undefined ? "absent" : there === hash ? "known" : "replaced"
  })

/** A validated ledger is final. Further confirmations are ledgers on top of it. */
const checkConfirmation = (rpc: XrpCalls, hash: string, transaction: CompleteTransaction) =>
  Effect.flatMap(findTransaction(rpc, hash), (there) => {
    const { ledger_index, meta, validated } = there ?? {}
    return there !== undefined && validated === true && ledger_index !== undefined && typeof meta === "object"
      ? Effect.map(readLatestLedger(rpc), ({ seq }) => ({
          transaction: there,
          confirmations: Math.max(1, seq - ledger_index + 1)
        }))
      : checkExpiry(rpc, hash, transaction)
  })

/** Ledgers have transactions that only took their fee: the results that begin with `tec`. */
const checkOutcome = makeOutcomeCheck<TransactionAnswer>(({ meta }) =>
  typeof meta === "object" && meta.TransactionResult !== "tesSUCCESS"
    ? { reason: meta.TransactionResult }
    : undefined
)

/** Milliseconds: a ledger takes four seconds, and a payment may be in the twentieth. */
const LEDGER_MS = 4_000

/** Waits until a payment is so deep in the ledger; one that failed there is a failure. */
export const waitForConfirmations = (
  rpc: XrpCalls,
  hash: string,
  transaction: CompleteTransaction,
  confirmations: number
): Effect.Effect<unknown, SubmitError> =>
  pollUntilConfirmed(
    hash,
    { confirmations, pollingInterval: LEDGER_MS / 2, timeout: (30 + 2 * confirmations) * LEDGER_MS },
    checkConfirmation(rpc, hash, transaction),
    checkOutcome
  )
