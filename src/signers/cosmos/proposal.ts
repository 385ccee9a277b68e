/** Proposals of accounts of Cosmos with several keys, which make the address: previews, and the payment with their signatures. */
import * as Effect from "effect/Effect"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import { isRecord } from "../../data/untrusted.js"
import type {
  AccountFacts,
  ExecutableProposal,
  PayloadCodec,
  Proposal,
  ProposalError,
  ProposalFamily,
  ProposalMember,
  ProposalRequest
} from "../proposalFamily.js"
import type { Payment, Prepared, SendError, SendOptions, Sent } from "../Signer.js"
import { sendSigned } from "../sequencedOperations.js"
import { checkBytes, invalidArgument, trySigning } from "../signerChecks.js"
import { findFailure, HEIGHT_MARGIN, makeBroadcaster, waitForConfirmations } from "./broadcaster.js"
import type { Multisig } from "./multisig.js"
import { type Chain, chainOf } from "./networks.js"
import { prepare, type SignerContext } from "./payments.js"
import type { CompleteTransaction } from "./protobuf.js"
import {
  feeCapOf,
  findHashBySequence,
  readAccountNumbers,
  readBaseAccount,
  readHeight,
  undefinedIfMissing
} from "./reading.js"
import type { CosmosClient, CosmosTransaction } from "./Types.js"

/** Seconds until a proposal expires, if its maker says nothing, and about as many that a block takes. */
const VALID_SECONDS = 7 * 24 * 60 * 60
const BLOCK_SECONDS = 6

const loadMultisig = /*#__PURE__*/ loadPeer("cosmjs-types @noble/curves", () =>
  Promise.all([import("./multisig.js"), import("./protobuf.js")]).then(([multisig, protobuf]) => ({
    multisig,
    protobuf
  }))
)

const requireChain = ({ id }: NetworkRow): Effect.Effect<Chain, ProposalError> => {
  const chain = chainOf(id)
  return chain === undefined
    ? Effect.fail(invalidArgument("propose", `${id} has no chain id that is known here`))
    : Effect.succeed(chain)
}

/** The keys of an account, in their order: those given, or else those that the chain shows. The address proves them. */
const readMultisig = (
  { rpc }: CosmosClient,
  row: NetworkRow,
  from: string,
  { members, threshold }: Pick<Proposal, "members" | "threshold">
): Effect.Effect<Multisig, ProposalError> =>
  Effect.gen(function* () {
    const chain = yield* requireChain(row)
    const { multisig } = yield* loadMultisig
    const isGiven = members.length > 0 || threshold > 0
    const shown = isGiven ? undefined : (yield* readBaseAccount(rpc, from))?.pub_key
    const keys = isGiven
      ? { keys: members.map(({ address }) => address), threshold }
      : yield* checkBytes("propose", () => multisig.readShownKeys(shown))
    return keys === undefined
      ? yield* invalidArgument(
          "propose",
          `members and threshold are missing: the chain shows those of ${from} after its first payment`
        )
      : yield* checkBytes("propose", () => multisig.orderKeys(from, keys, chain))
  })

const toMembers = ({ keys }: Multisig): ReadonlyArray<ProposalMember> =>
  keys.map((address) => ({ address, weight: 1 }))

/** Trials of an account with several keys are as if the first of them had signed. */
const readContext = (
  { network, nodes, rpc }: CosmosClient,
  row: NetworkRow,
  address: string,
  keys: Multisig
): Effect.Effect<SignerContext, ProposalError> =>
  Effect.map(
    Effect.all([requireChain(row), loadMultisig]),
    ([chain, { multisig, protobuf }]): SignerContext => ({
      ...{ network, nodes, rpc, row, chain, protobuf, address },
      publicKey: new Uint8Array(),
      encodeTrial: (message, trial) => multisig.encodeTrial(message, trial, keys, chain)
    })
  )

const toPayment = ({
  amount,
  decimals,
  memo,
  to,
  token
}: Pick<ProposalRequest, "amount" | "decimals" | "memo" | "to" | "token">): Payment => ({
  ...{ to, amount },
  ...(token === undefined ? {} : { token }),
  ...(decimals === undefined ? {} : { decimals }),
  ...(memo === undefined ? {} : { memo })
})

const draft = (client: CosmosClient, row: NetworkRow, request: ProposalRequest) =>
  Effect.gen(function* () {
    const { from: given, members = [], nonce, threshold = 0, until } = request
    if (nonce !== undefined)
      return yield* invalidArgument("propose", "nonce is for Safe accounts: the chain numbers its payments")
    const from = given.toLowerCase()
    const asked = { members: members.map((address) => ({ address, weight: 1 })), threshold }
    const keys = yield* readMultisig(client, row, from, asked)
    const context = yield* readContext(client, row, from, keys)
    const { chain, rpc } = context
    const height = yield* readHeight(rpc, chain)
    const now = yield* Effect.map(Effect.clock, (clock) => clock.unsafeCurrentTimeMillis())
    const seconds = until === undefined ? VALID_SECONDS : (until.getTime() - now) / 1_000
    if (!(seconds > 0)) return yield* invalidArgument("propose", "until must be a Date in the future")
    const { transaction } = yield* prepare(context, toPayment(request))
    const numbers = yield* readAccountNumbers(rpc, from)
    if (numbers === undefined)
      return yield* invalidArgument("propose", `from: the chain has no account ${from} yet`)
    const timeoutHeight = height + BigInt(Math.ceil(seconds / BLOCK_SECONDS))
    const whole = { ...transaction, ...numbers, timeoutHeight }
    const { multisig } = yield* loadMultisig
    yield* checkBytes("propose", () => multisig.encodeDocument(whole, chain))
    return { transaction: whole, since: Number(height) }
  })

const tokenOf = ({ denom }: CosmosTransaction, chain: Chain) =>
  denom === chain.denom ? {} : { token: denom }

const loadCodec = (row: NetworkRow): Effect.Effect<PayloadCodec<CompleteTransaction>, ProposalError> =>
  Effect.map(
    Effect.all([requireChain(row), loadMultisig]),
    ([chain, { multisig }]): PayloadCodec<CompleteTransaction> => ({
      encode: (transaction) => multisig.encodeDocument(transaction, chain),
      decode: (payload) => multisig.decodeDocument(payload, chain),
      hash: (transaction) => multisig.idOf(transaction, chain),
      readTerms: (transaction) => {
        const { amount, fee, from, memo, timeoutHeight, to } = transaction
        return {
          ...{ from, to, amount, fee, ...tokenOf(transaction, chain) },
          ...(memo === undefined ? {} : { memo }),
          expires: String(timeoutHeight)
        }
      },
      verify: (transaction, signature) => multisig.isMemberSignature(transaction, chain, signature)
    })
  )

/** What has used the sequence of a payment: the payment itself, with any signatures, or another one. */
const findUse = (
  { rpc }: CosmosClient,
  chain: Chain,
  transaction: CompleteTransaction
): Effect.Effect<AccountFacts["progress"], ProposalError> =>
  Effect.gen(function* () {
    const { from, sequence } = transaction
    const { multisig } = yield* loadMultisig
    const hash = yield* findHashBySequence(rpc, from, sequence)
    const found = hash === undefined ? undefined : yield* undefinedIfMissing(rpc.getTxByHash(hash))
    if (hash === undefined || found === undefined)
      return {
        status: "void",
        reason: `its sequence, ${sequence}, is used, and nodes do not show by what`
      }
    if (!multisig.isPayment(found.tx, transaction, chain))
      return {
        status: "void",
        reason: `the chain has another transaction with its sequence, ${hash}`
      }
    const failure = findFailure(found.tx_response)
    return failure === undefined
      ? { status: "executed", hash }
      : { status: "void", reason: `it has failed in its block as ${hash}: ${failure}` }
  })

/** What is in the way of a payment whose sequence is not used. */
const findObstacle = (
  { accountNumber, sequence, timeoutHeight }: CompleteTransaction,
  now: { readonly accountNumber: bigint; readonly sequence: bigint; readonly height: bigint }
): AccountFacts["progress"] => {
  const blocks = `blocks up to ${timeoutHeight} could have it, and ${now.height} is the newest`
  if (accountNumber !== now.accountNumber)
    return {
      status: "void",
      reason: `it is signed for the account ${accountNumber}, and this is ${now.accountNumber}`
    }
  if (now.height > timeoutHeight + HEIGHT_MARGIN) return { status: "void", reason: blocks }
  // another node may have a block with it yet
  if (now.height >= timeoutHeight) return { status: "queued", reason: `${blocks}: it is void in a minute` }
  return now.sequence < sequence
    ? {
        status: "queued",
        reason: `it has the sequence ${sequence}, and the account's next one is ${now.sequence}`
      }
    : undefined
}

const readAccount = (
  client: CosmosClient,
  row: NetworkRow,
  transaction: CompleteTransaction,
  proposal: Pick<Proposal, "members" | "threshold">
): Effect.Effect<AccountFacts, ProposalError> =>
  Effect.gen(function* () {
    const { from, sequence } = transaction
    const chain = yield* requireChain(row)
    const keys = yield* readMultisig(client, row, from, proposal)
    // before the account, so that what is not there after the last height stays away
    const height = yield* readHeight(client.rpc, chain)
    const numbers = yield* readAccountNumbers(client.rpc, from)
    if (numbers === undefined)
      return yield* invalidArgument("propose", `account: the chain has no account ${from}`)
    const progress =
      numbers.sequence > sequence
        ? yield* findUse(client, chain, transaction)
        : findObstacle(transaction, { ...numbers, height })
    return {
      members: toMembers(keys),
      threshold: keys.threshold,
      approvals: [],
      ...(progress === undefined ? {} : { progress })
    }
  })

const preview = (
  client: CosmosClient,
  row: NetworkRow,
  transaction: CompleteTransaction,
  { members, threshold }: AccountFacts
): Effect.Effect<Prepared<CompleteTransaction>, ProposalError> =>
  Effect.gen(function* () {
    const { amount, fee, from, gas, memo, to } = transaction
    const context = yield* readContext(client, row, from, toMultisig({ members, threshold }))
    const { chain } = context
    const payment = toPayment({
      ...{ to, amount, ...tokenOf(transaction, chain) },
      ...(memo === undefined ? {} : { memo })
    })
    const prepared = yield* prepare(
      { ...context, signed: { fee, gas } },
      { ...payment, maxFee: feeCapOf(gas, chain) }
    )
    return { ...prepared, transaction }
  })

const toMultisig = ({ members, threshold }: Pick<AccountFacts, "members" | "threshold">): Multisig => ({
  keys: members.map(({ address }) => address),
  threshold
})

const execute = (
  client: CosmosClient,
  row: NetworkRow,
  { approvals, prepared, proposal }: ExecutableProposal<CompleteTransaction>,
  options: SendOptions
): Effect.Effect<Sent<unknown>, ProposalError | SendError> =>
  Effect.gen(function* () {
    const { from } = prepared.transaction
    const keys = yield* readMultisig(client, row, from, proposal)
    const context = yield* readContext(client, row, from, keys)
    const { multisig } = yield* loadMultisig
    const signatures = approvals.flatMap(({ signature }) => signature ?? [])
    return yield* sendSigned(
      prepared,
      trySigning(async () => multisig.joinSignatures(prepared.transaction, context.chain, keys, signatures)),
      {
        makeBroadcaster: (transaction) => ({
          ...makeBroadcaster(context, transaction),
          confirmAccepted: () => Effect.void
        }),
        waitForConfirmations: (hash, transaction, depth) =>
          waitForConfirmations(context, hash, transaction, depth)
      },
      options
    )
  })

const memberOf = (signer: unknown): string | undefined =>
  isRecord(signer) && typeof signer.publicKey === "string" ? signer.publicKey : undefined

/** Proposals of Cosmos. Members are public keys. */
export const family: ProposalFamily<CosmosClient, CompleteTransaction, never> = {
  takesMembers: "at first",
  memberOf,
  loadCodec,
  draft,
  readAccount,
  preview,
  execute
}
