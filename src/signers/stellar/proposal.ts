/** Proposals of accounts of Stellar with several signers: members, previews, and the payment with their signatures. */
import * as Effect from "effect/Effect"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import { withAgreement } from "../evidence.js"
import type {
  AccountFacts,
  ExecutableProposal,
  PayloadCodec,
  Proposal,
  ProposalError,
  ProposalFamily,
  ProposalRequest
} from "../proposalFamily.js"
import type { Prepared, SendError, SendOptions, Sent } from "../Signer.js"
import { sendSigned } from "../sequencedOperations.js"
import { invalidArgument, trySigning } from "../signerChecks.js"
import { splitMemo } from "./assets.js"
import type { CompleteTransaction } from "./base.js"
import { makeBroadcaster } from "./broadcaster.js"
import { passphraseOf } from "./networks.js"
import { prepare, type SignerContext } from "./payments.js"
import { findTransaction, readLatestLedger, thresholdOf, waitForConfirmations } from "./reading.js"
import type { StellarClient } from "./Types.js"

/** Seconds until a proposal expires, if its maker says nothing. */
const VALID_SECONDS = 7 * 24 * 60 * 60

const requirePassphrase = (row: NetworkRow): Effect.Effect<string, ProposalError> => {
  const passphrase = passphraseOf(row)
  return passphrase === undefined
    ? Effect.fail(
        invalidArgument("propose", `${row.id} has no passphrase, without which nothing can be signed`)
      )
    : Effect.succeed(passphrase)
}

const loadBase = /*#__PURE__*/ loadPeer("@stellar/stellar-base @noble/curves", () => import("./base.js"))

const readShared = ({ rpc }: StellarClient, accountId: string) =>
  withAgreement(
    rpc.getAccount({ accountId }),
    (one, other) =>
      JSON.stringify([one.signers, one.thresholds]) === JSON.stringify([other.signers, other.thresholds])
  )

const draft = (client: StellarClient, row: NetworkRow, request: ProposalRequest) =>
  Effect.gen(function* () {
    const { decimals, from, memo, nonce, token, until, ...payment } = request
    if (nonce !== undefined)
      return yield* invalidArgument("propose", "nonce is for Safe accounts: the ledger numbers its payments")
    const { sequence } = yield* readShared(client, from)
    const { sequence: since, time } = yield* readLatestLedger(client.rpc)
    const expires = until === undefined ? time + VALID_SECONDS : Math.floor(until.getTime() / 1_000)
    if (!(expires > time)) return yield* invalidArgument("propose", "until must be a Date in the future")
    const { transaction } = yield* prepare(contextOf(client, row, from), {
      to: payment.to,
      amount: payment.amount,
      ...(token === undefined ? {} : { token }),
      ...(decimals === undefined ? {} : { decimals }),
      ...(memo === undefined ? {} : { memo })
    })
    return { transaction: { ...transaction, sequence: BigInt(sequence) + 1n, expires }, since }
  })

const contextOf = (
  { network, nodes, rpc }: StellarClient,
  row: NetworkRow,
  address: string
): SignerContext => ({ network, nodes, rpc, row, address, hasCosigners: true })

const loadCodec = (row: NetworkRow): Effect.Effect<PayloadCodec<CompleteTransaction>, ProposalError> =>
  Effect.map(
    Effect.all([loadBase, requirePassphrase(row)]),
    ([base, passphrase]): PayloadCodec<CompleteTransaction> => ({
      encode: (transaction) => base.encodePayload(transaction, passphrase),
      decode: (payload) => base.decodePayload(payload, passphrase),
      hash: (transaction) => base.hashPayload(transaction, passphrase),
      readTerms: ({ amount, expires, fee, from, memo, to, token }) => ({
        from,
        to,
        amount,
        fee,
        ...(token === undefined ? {} : { token }),
        ...(memo === undefined ? {} : { memo: splitMemo(memo).join(": ") }),
        expires: new Date(expires * 1_000).toISOString()
      }),
      verify: (transaction, { member, signature }) =>
        base.isSignerSignature(transaction, passphrase, member, signature)
    })
  )

/** What a payment came to whose number is used. Its hash is that of what is signed, whoever has signed. */
const findUse = (
  { rpc }: StellarClient,
  { sequence }: CompleteTransaction,
  id: string
): Effect.Effect<AccountFacts["progress"], ProposalError> =>
  Effect.map(findTransaction(rpc, id), (there) =>
    there === undefined
      ? { status: "void", reason: `another transaction has its number, ${sequence}` }
      : there.successful
        ? { status: "executed", hash: id }
        : { status: "void", reason: `the ledger has refused it, with the result ${there.result_xdr}` }
  )

const readAccount = (
  client: StellarClient,
  _row: NetworkRow,
  transaction: CompleteTransaction,
  { id }: Pick<Proposal, "id">
): Effect.Effect<AccountFacts, ProposalError> =>
  Effect.gen(function* () {
    const { expires, from, sequence } = transaction
    const account = yield* readShared(client, from)
    const next = BigInt(account.sequence) + 1n
    const { time } = yield* readLatestLedger(client.rpc)
    const progress: AccountFacts["progress"] =
      next > sequence
        ? yield* findUse(client, transaction, id)
        : time > expires
          ? {
              status: "void",
              reason: `ledgers could have it until ${new Date(expires * 1_000).toISOString()}`
            }
          : next < sequence
            ? {
                status: "queued",
                reason: `it has the number ${sequence}, and the account's next one is ${next}`
              }
            : undefined
    return {
      // others than keys are hashes of a secret or of a transaction, which nobody signs with
      members: account.signers
        .filter(({ key, weight }) => key.startsWith("G") && weight > 0)
        .map(({ key: address, weight }) => ({ address, weight })),
      threshold: thresholdOf(account),
      approvals: [],
      ...(progress === undefined ? {} : { progress })
    }
  })

const preview = (
  client: StellarClient,
  row: NetworkRow,
  transaction: CompleteTransaction
): Effect.Effect<Prepared<CompleteTransaction>, ProposalError> =>
  Effect.gen(function* () {
    const { amount, creates, fee, from, memo, to, token } = transaction
    const prepared = yield* prepare(
      { ...contextOf(client, row, from), fee },
      {
        to,
        amount,
        ...(token === undefined ? {} : { token }),
        ...(memo === undefined ? {} : { memo })
      }
    )
    return prepared.transaction.creates === creates
      ? { ...prepared, transaction }
      : yield* invalidArgument(
          "inspect",
          creates === true
            ? "payload: it makes the account of the receiver, which has one by now: propose it again"
            : "payload: the receiver has no account any more: propose it again"
        )
  })

const execute = (
  { nodes, rpc }: StellarClient,
  row: NetworkRow,
  { approvals, prepared }: ExecutableProposal<CompleteTransaction>,
  options: SendOptions
): Effect.Effect<Sent<unknown>, ProposalError | SendError> =>
  Effect.flatMap(Effect.all([loadBase, requirePassphrase(row)]), ([base, passphrase]) =>
    sendSigned(
      prepared,
      trySigning(async () =>
        base.joinSignatures(
          prepared.transaction,
          passphrase,
          approvals.flatMap(({ signature }) => signature ?? [])
        )
      ),
      {
        makeBroadcaster: (transaction) => makeBroadcaster({ nodes, rpc }, transaction),
        waitForConfirmations: (hash, transaction, depth) =>
          waitForConfirmations(rpc, hash, transaction, depth)
      },
      options
    )
  )

/** Proposals of Stellar. */
export const family: ProposalFamily<StellarClient, CompleteTransaction, never> = {
  loadCodec,
  draft,
  readAccount,
  preview,
  execute
}
