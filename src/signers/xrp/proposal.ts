/** Proposals of accounts of the XRP Ledger with a signer list: members, previews, and the payment with their signatures. */
import * as Effect from "effect/Effect"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import { isRecord } from "../../data/untrusted.js"
import * as caps from "../caps.js"
import { makeMalformedError, withAgreement } from "../evidence.js"
import type {
  AccountFacts,
  ExecutableProposal,
  PayloadCodec,
  ProposalError,
  ProposalFamily,
  ProposalMember,
  ProposalRequest
} from "../proposalFamily.js"
import type { Prepared, ReadError, SendError, SendOptions, Sent } from "../Signer.js"
import { sendSigned } from "../sequencedOperations.js"
import { invalidArgument, trySigning } from "../signerChecks.js"
import { makeBroadcaster } from "./broadcaster.js"
import { prepare, prepareWithNote, type SignerContext } from "./payments.js"
import { readFee, readLatestLedger, waitForConfirmations } from "./reading.js"
import type { CompleteTransaction } from "./ripple.js"
import type { XrpCalls, XrpClient } from "./Types.js"

type AccountInfo = Effect.Effect.Success<ReturnType<XrpCalls["accountInfo"]>>

/**
 * The calls that proposals of the XRP Ledger need. Every client of it has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface XrpProposalCalls extends XrpCalls {
  readonly accountInfo: (
    account: string,
    options?: { readonly ledgerIndex?: string; readonly signerLists?: boolean }
  ) => Effect.Effect<
    AccountInfo & {
      readonly account_data: { readonly signer_lists?: ReadonlyArray<object> }
      readonly signer_lists?: ReadonlyArray<object>
    },
    ReadError
  >
}

/**
 * A client of the XRP Ledger, as far as proposals use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface XrpProposalClient extends Omit<XrpClient, "rpc"> {
  readonly rpc: XrpProposalCalls
}

/** Seconds until a proposal expires, if its maker says nothing, and about as many that a ledger takes. */
const VALID_SECONDS = 7 * 24 * 60 * 60
const LEDGER_SECONDS = 4

/** An account with its members in the newest validated ledger. */
interface SharedAccount {
  readonly sequence: number
  readonly members: ReadonlyArray<ProposalMember>
  readonly threshold: number
}

const parseMember = (value: unknown): ProposalMember | undefined => {
  const entry = isRecord(value) && isRecord(value.SignerEntry) ? value.SignerEntry : {}
  const { Account: address, SignerWeight: weight } = entry
  return typeof address === "string" && typeof weight === "number" && Number.isSafeInteger(weight)
    ? { address, weight }
    : undefined
}

/** The signer list of an account, as text that is the same for the same one. */
const showLists = ({ account_data, signer_lists = account_data.signer_lists }: SharedInfo): string =>
  JSON.stringify(signer_lists)

type SharedInfo = Effect.Effect.Success<ReturnType<XrpProposalCalls["accountInfo"]>>

const readShared = (
  { rpc }: XrpProposalClient,
  account: string
): Effect.Effect<SharedAccount, ProposalError> =>
  Effect.flatMap(
    withAgreement(
      rpc.accountInfo(account, { ledgerIndex: "validated", signerLists: true }),
      (one, other) => showLists(one) === showLists(other)
    ),
    ({
      account_data,
      signer_lists = account_data.signer_lists
    }): Effect.Effect<SharedAccount, ProposalError> => {
      const list: unknown = signer_lists?.[0]
      if (!isRecord(list))
        return Effect.fail(invalidArgument("propose", `from: ${account} has no signer list`))
      const entries: ReadonlyArray<unknown> = Array.isArray(list.SignerEntries) ? list.SignerEntries : []
      const members = entries.flatMap((entry) => parseMember(entry) ?? [])
      const { SignerQuorum: threshold } = list
      return members.length === entries.length && Number.isSafeInteger(threshold) && Number(threshold) > 0
        ? Effect.succeed({
            sequence: account_data.Sequence,
            members,
            threshold: Number(threshold)
          })
        : Effect.fail(makeMalformedError("account_info", `the signer list of ${account} is none`))
    }
  )

const contextOf = (
  { network, nodes, rpc }: XrpProposalClient,
  row: NetworkRow,
  address: string,
  fee: bigint
): SignerContext => ({ network, nodes, rpc, row, address, key: undefined, fee })

/** The highest fee: each signature costs as much as a payment. */
const feeCapOf = (members: ReadonlyArray<ProposalMember>): bigint => caps.xrp.fee * BigInt(members.length + 1)

const draft = (client: XrpProposalClient, row: NetworkRow, request: ProposalRequest) =>
  Effect.gen(function* () {
    const { amount, decimals, from, memo, nonce, to, token, until } = request
    if (nonce !== undefined)
      return yield* invalidArgument("propose", "nonce is for Safe accounts: the ledger numbers its payments")
    const { members, sequence } = yield* readShared(client, from)
    const fee = (yield* readFee(client.rpc)) * BigInt(members.length + 1)
    const { seq } = yield* readLatestLedger(client.rpc)
    const now = yield* Effect.map(Effect.clock, (clock) => clock.unsafeCurrentTimeMillis())
    const seconds = until === undefined ? VALID_SECONDS : (until.getTime() - now) / 1_000
    if (!(seconds > 0)) return yield* invalidArgument("propose", "until must be a Date in the future")
    const { transaction } = yield* prepare(contextOf(client, row, from, fee), {
      to,
      amount,
      ...(token === undefined ? {} : { token }),
      ...(decimals === undefined ? {} : { decimals }),
      ...(memo === undefined ? {} : { memo }),
      maxFee: feeCapOf(members)
    })
    const lastLedger = seq + Math.ceil(seconds / LEDGER_SECONDS)
    return { transaction: { ...transaction, sequence, lastLedger }, since: seq }
  })

const loadRipple = /*#__PURE__*/ loadPeer(
  "ripple-keypairs ripple-binary-codec @noble/curves",
  () => import("./ripple.js")
)

const networkIdOf = ({ xrp }: NetworkRow): number => xrp?.networkId ?? 0

const loadCodec = (row: NetworkRow): Effect.Effect<PayloadCodec<CompleteTransaction>, ProposalError> =>
  Effect.map(loadRipple, (ripple): PayloadCodec<CompleteTransaction> => {
    const networkId = networkIdOf(row)
    const encode = (transaction: CompleteTransaction): string => ripple.encodePayload(transaction, networkId)
    return {
      encode,
      decode: (payload) => ripple.decodePayload(payload, networkId),
      hash: (transaction) => ripple.hashPayload(encode(transaction)),
      readTerms: ({ amount, fee, from, lastLedger, memo, tag, to, token }) => ({
        from,
        to,
        amount,
        fee,
        ...(token === undefined ? {} : { token }),
        ...(memo === undefined ? {} : { memo }),
        ...(tag === undefined ? {} : { tag }),
        expires: String(lastLedger)
      }),
      verify: (transaction, { publicKey, ...rest }) => {
        if (publicKey === undefined) throw new Error("it has no publicKey")
        return ripple.isMemberSignature(transaction, networkId, { ...rest, publicKey })
      }
    }
  })

/** The newest transactions of an account that are looked through for one with a number. */
const RECENT_LIMIT = 50

/** What has used the number of a payment: the payment itself, or another one. */
const findUse = (
  { rpc }: XrpProposalClient,
  row: NetworkRow,
  transaction: CompleteTransaction
): Effect.Effect<AccountFacts["progress"], ProposalError> =>
  Effect.gen(function* () {
    const ripple = yield* loadRipple
    const payload = ripple.encodePayload(transaction, networkIdOf(row))
    const { transactions } = yield* rpc.accountTx(transaction.from, { limit: RECENT_LIMIT })
    for (const { hash, tx, tx_json, ...rest } of transactions) {
      const fields: unknown = tx ?? tx_json
      if (!isRecord(fields) || fields.Account !== transaction.from) continue
      if (fields.Sequence !== transaction.sequence || rest.validated !== true) continue
      const found = hash ?? String(fields.hash)
      // newer servers call the amount DeliverMax
      const isOwn = ripple.payloadOf({ ...fields, Amount: fields.Amount ?? fields.DeliverMax }) === payload
      const meta: unknown = Reflect.get(rest, "meta")
      const result = isRecord(meta) ? meta.TransactionResult : undefined
      if (!isOwn)
        return { status: "void", reason: `the ledger has another transaction with its number, ${found}` }
      return result === "tesSUCCESS"
        ? { status: "executed", hash: found }
        : { status: "void", reason: `the ledger has refused it as ${found}: ${String(result)}` }
    }
    return {
      status: "void",
      reason: `its number, ${transaction.sequence}, is used, and the newest ${RECENT_LIMIT} transactions do not show by what`
    }
  })

const readAccount = (
  client: XrpProposalClient,
  row: NetworkRow,
  transaction: CompleteTransaction
): Effect.Effect<AccountFacts, ProposalError> =>
  Effect.gen(function* () {
    const { lastLedger, sequence } = transaction
    const shared = yield* readShared(client, transaction.from)
    const { members, threshold } = shared
    const { seq } = yield* readLatestLedger(client.rpc)
    const progress: AccountFacts["progress"] =
      shared.sequence > sequence
        ? yield* findUse(client, row, transaction)
        : seq >= lastLedger
          ? { status: "void", reason: `ledgers up to ${lastLedger} could have it, and ${seq} is the newest` }
          : shared.sequence < sequence
            ? {
                status: "queued",
                reason: `it has the number ${sequence}, and the account's next one is ${shared.sequence}`
              }
            : undefined
    return { members, threshold, approvals: [], ...(progress === undefined ? {} : { progress }) }
  })

const preview = (
  client: XrpProposalClient,
  row: NetworkRow,
  transaction: CompleteTransaction,
  { members }: AccountFacts
): Effect.Effect<Prepared<CompleteTransaction>, ProposalError> => {
  const { amount, fee, from, memo, tag, to, token } = transaction
  const note = { ...(tag === undefined ? {} : { tag }), ...(memo === undefined ? {} : { memo }) }
  return Effect.map(
    prepareWithNote(
      contextOf(client, row, from, fee),
      { to, amount, ...(token === undefined ? {} : { token }), maxFee: feeCapOf(members) },
      { note, to }
    ),
    (prepared) => ({ ...prepared, transaction })
  )
}

const execute = (
  { nodes, rpc }: XrpProposalClient,
  row: NetworkRow,
  { approvals, prepared }: ExecutableProposal<CompleteTransaction>,
  options: SendOptions
): Effect.Effect<Sent<unknown>, ProposalError | SendError> =>
  Effect.flatMap(loadRipple, (ripple) => {
    const signatures = approvals.flatMap(({ signature }) =>
      signature?.publicKey === undefined ? [] : [{ ...signature, publicKey: signature.publicKey }]
    )
    return sendSigned(
      prepared,
      trySigning(async () => ripple.joinSignatures(prepared.transaction, networkIdOf(row), signatures)),
      {
        makeBroadcaster: (transaction) => makeBroadcaster({ nodes, rpc }, transaction),
        waitForConfirmations: (hash, transaction, depth) =>
          waitForConfirmations(rpc, hash, transaction, depth)
      },
      options
    )
  })

/** Proposals of the XRP Ledger. */
export const family: ProposalFamily<XrpProposalClient, CompleteTransaction, never> = {
  loadCodec,
  draft,
  readAccount,
  preview,
  execute
}
