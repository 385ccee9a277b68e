/** Proposals of accounts of Algorand with several members, who make the address: previews, and the payment with their signatures. */
import * as Effect from "effect/Effect"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import { broadcastTransaction } from "../broadcast.js"
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
import { checkBytes, invalidArgument, trySigning } from "../signerChecks.js"
import { addressProblem } from "./address.js"
import { makeBroadcaster, waitForConfirmations } from "./broadcaster.js"
import { type Genesis, genesisOf } from "./networks.js"
import { prepare, readParams, readValidity, type SignerContext, undefinedIfMissing } from "./payments.js"
import type { DatedTransaction, Multisig } from "./sdk.js"
import type { AlgorandClient } from "./Types.js"

/** The most rounds in which a transaction can be, and the seconds that each takes about. */
const MAX_ROUNDS = 1_000n
const ROUND_SECONDS = 2.8

const loadSdk = /*#__PURE__*/ loadPeer("algosdk @noble/curves", () => import("./sdk.js"))

const requireGenesis = ({ id }: NetworkRow): Effect.Effect<Genesis, ProposalError> => {
  const genesis = genesisOf(id)
  return genesis === undefined
    ? Effect.fail(invalidArgument("propose", `the first state of ${id} is not known here`))
    : Effect.succeed(genesis)
}

const readContext = (
  { network, nodes, rpc }: AlgorandClient,
  row: NetworkRow,
  address: string
): Effect.Effect<SignerContext, ProposalError> =>
  Effect.map(Effect.all([loadSdk, requireGenesis(row)]), ([sdk, genesis]) => ({
    ...{ network, nodes, rpc, row, sdk, genesis, address }
  }))

const toMultisig = ({ members, threshold }: Pick<Proposal, "members" | "threshold">): Multisig => ({
  addrs: members.map(({ address }) => address),
  threshold
})

/** Refuses members who do not make the address of an account. */
const checkMembers = (from: string, multisig: Multisig): Effect.Effect<void, ProposalError> =>
  Effect.flatMap(loadSdk, ({ multisigAddressOf }) => {
    const { addrs, threshold } = multisig
    const problem = addrs.map(addressProblem).find((each) => each !== undefined)
    if (problem !== undefined || new Set(addrs).size < addrs.length)
      return Effect.fail(
        invalidArgument(
          "propose",
          `members: each must be another address of Algorand${problem === undefined ? "" : `, and one ${problem}`}`
        )
      )
    return Effect.flatMap(
      checkBytes("propose", () => multisigAddressOf(multisig)),
      (address) =>
        address === from
          ? Effect.void
          : Effect.fail(
              invalidArgument(
                "propose",
                `members: ${threshold} of these ${addrs.length} in their order make the address ${address}, and not ${from}`
              )
            )
    )
  })

/** The rounds from the newest on in which a payment can be. */
const countRounds = (until: Date | undefined, now: number): Effect.Effect<bigint, ProposalError> => {
  if (until === undefined) return Effect.succeed(MAX_ROUNDS)
  const rounds = Math.ceil((until.getTime() - now) / 1_000 / ROUND_SECONDS)
  return rounds > 0 && rounds <= Number(MAX_ROUNDS)
    ? Effect.succeed(BigInt(rounds))
    : Effect.fail(
        invalidArgument(
          "propose",
          `until must be a Date in the future, and at most ${MAX_ROUNDS} rounds of ${ROUND_SECONDS} seconds from now`
        )
      )
}

const draft = (client: AlgorandClient, row: NetworkRow, request: ProposalRequest) =>
  Effect.gen(function* () {
    const { amount, decimals, from, members = [], memo, nonce, threshold = 0, to, token, until } = request
    if (nonce !== undefined)
      return yield* invalidArgument("propose", "nonce is for Safe accounts: the chain has no numbers")
    const multisig = { addrs: [...members], threshold }
    yield* checkMembers(from, multisig)
    const context = yield* readContext(client, row, from)
    const now = yield* Effect.map(Effect.clock, (clock) => clock.unsafeCurrentTimeMillis())
    const rounds = yield* countRounds(until, now)
    const signatureBytes = context.sdk.multisigBytesOf(multisig)
    const { transaction } = yield* prepare(
      { ...context, signatureBytes },
      {
        to,
        amount,
        ...(token === undefined ? {} : { token }),
        ...(decimals === undefined ? {} : { decimals }),
        ...(memo === undefined ? {} : { memo })
      }
    )
    const validity = yield* readValidity(context)
    const { firstValid } = validity
    return {
      transaction: { ...transaction, ...validity, lastValid: firstValid + rounds },
      since: Number(firstValid)
    }
  })

const loadCodec = (row: NetworkRow): Effect.Effect<PayloadCodec<DatedTransaction>, ProposalError> =>
  Effect.map(
    Effect.all([loadSdk, requireGenesis(row)]),
    ([sdk, genesis]): PayloadCodec<DatedTransaction> => ({
      encode: (transaction) => sdk.encodePayload(transaction, genesis),
      decode: (payload) => sdk.decodePayload(payload, genesis),
      hash: (transaction) => sdk.idOf(transaction, genesis),
      readTerms: ({ amount, fee, from, lastValid, memo, to, token }) => ({
        from,
        to,
        amount,
        fee,
        ...(token === undefined ? {} : { token }),
        ...(memo === undefined ? {} : { memo }),
        expires: String(lastValid)
      }),
      verify: (transaction, { member, signature }) =>
        sdk.isMemberSignature(transaction, genesis, member, signature)
    })
  )

const readAccount = (
  client: AlgorandClient,
  row: NetworkRow,
  { from, lastValid }: DatedTransaction,
  proposal: Pick<Proposal, "id" | "members" | "threshold">
): Effect.Effect<AccountFacts, ProposalError> =>
  Effect.gen(function* () {
    const { id, members, threshold } = proposal
    yield* checkMembers(from, toMultisig(proposal))
    const { lastRound } = yield* readParams(yield* readContext(client, row, from))
    // it is shown for as many rounds as it could be in one
    const there = yield* undefinedIfMissing(client.rpc.getPendingTransaction({ txid: id }))
    const progress: AccountFacts["progress"] =
      (there?.["confirmed-round"] ?? 0n) > 0n
        ? { status: "executed", hash: id }
        : lastRound >= lastValid
          ? {
              status: "void",
              reason: `rounds up to ${lastValid} could have it, ${lastRound} is the newest, and nodes, which forget theirs after ${MAX_ROUNDS} more, do not show it`
            }
          : undefined
    return {
      members: members.map(({ address }) => ({ address, weight: 1 })),
      threshold,
      approvals: [],
      ...(progress === undefined ? {} : { progress })
    }
  })

const preview = (
  client: AlgorandClient,
  row: NetworkRow,
  transaction: DatedTransaction
): Effect.Effect<Prepared<DatedTransaction>, ProposalError> =>
  Effect.flatMap(readContext(client, row, transaction.from), (context) => {
    const { amount, fee, memo, to, token } = transaction
    return Effect.map(
      prepare(
        { ...context, fee },
        {
          to,
          amount,
          ...(token === undefined ? {} : { token }),
          ...(memo === undefined ? {} : { memo })
        }
      ),
      (prepared) => ({ ...prepared, transaction })
    )
  })

const execute = (
  client: AlgorandClient,
  row: NetworkRow,
  { approvals, prepared, proposal }: ExecutableProposal<DatedTransaction>,
  { confirmations }: SendOptions
): Effect.Effect<Sent<unknown>, ProposalError | SendError> =>
  Effect.gen(function* () {
    const { transaction } = prepared
    const { genesis, sdk } = yield* readContext(client, row, transaction.from)
    const signatures = approvals.flatMap(({ signature }) => signature ?? [])
    const signed = yield* trySigning(async () =>
      sdk.joinSignatures(transaction, genesis, toMultisig(proposal), signatures)
    )
    const { hash } = signed
    const { nodes, rpc } = client
    yield* broadcastTransaction(makeBroadcaster({ nodes, rpc }, transaction), signed)
    if (confirmations !== undefined) yield* waitForConfirmations(rpc, hash, transaction, confirmations)
    return { hash, prepared }
  })

/** Proposals of Algorand. */
export const family: ProposalFamily<AlgorandClient, DatedTransaction, never> = {
  takesMembers: true,
  loadCodec,
  draft,
  readAccount,
  preview,
  execute
}
