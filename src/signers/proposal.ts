/**
 * Proposals, on the Effect surface: `effect-chains/effect/signers/proposal`. A proposal is a payment of an account that several members sign
 * for (a multisig), with their signatures: JSON that travels from one to the next. Its members are those of the account itself: the owners
 * of a Safe, the signer list of an account of the XRP Ledger, the signers of one of Stellar, the keys of a permission of one of Tron, the
 * keys that make an address of Algorand or Cosmos, the keys of a descriptor of Bitcoin.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { ids } from "../data/ids.js"
import { loadOnce } from "../data/loadOnce.js"
import type { FamilyId, NetworkRow } from "../data/Network.js"
import {
  type InvalidArgument,
  type LoadError,
  NotSupportedForNetwork,
  type PolicyDenied,
  reasonOf,
  SigningFailed
} from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { AlgorandClient, AlgorandSigner } from "./algorand/Types.js"
import type { BitcoinProposalClient } from "./bitcoin/proposal.js"
import type { HdSigner } from "./bitcoin/Types.js"
import type { CosmosClient, CosmosSigner } from "./cosmos/Types.js"
import type { SafeClient, SafeExecutor } from "./evm/proposal.js"
import type { EvmSigner } from "./evm/Types.js"
import type {
  AccountFacts,
  Approval,
  PayloadCodec,
  Proposal,
  ProposalError,
  ProposalFamily,
  ProposalInspection,
  ProposalMember,
  ProposalOutgoing,
  ProposalPreview,
  ProposalRequest,
  ProposalSignature
} from "./proposalFamily.js"
import type { Cosigner, Outgoing, Prepared, SendError, SendOptions, Sent } from "./Signer.js"
import { waitProblem } from "./SignerDefinition.js"
import { catchMalformedAnswer, findNetworkRow, invalidArgument } from "./signerChecks.js"
import type { StellarClient, StellarSigner } from "./stellar/Types.js"
import type { TronProposalClient } from "./tron/proposal.js"
import type { TronSigner } from "./tron/Types.js"
import type { XrpProposalClient } from "./xrp/proposal.js"
import type { XrpSigner } from "./xrp/Types.js"

export type { BitcoinProposalCalls, BitcoinProposalClient } from "./bitcoin/proposal.js"
export type { SafeCalls, SafeClient, SafeExecutor } from "./evm/proposal.js"
export type {
  Proposal,
  ProposalError,
  ProposalInspection,
  ProposalMember,
  ProposalOutgoing,
  ProposalPreview,
  ProposalRequest,
  ProposalSignature,
  ProposalStatus
} from "./proposalFamily.js"
export type { TronProposalCalls, TronProposalClient } from "./tron/proposal.js"
export type { XrpProposalCalls, XrpProposalClient } from "./xrp/proposal.js"

/**
 * The clients of networks that have proposals.
 *
 * @since 0.1.0
 * @category models
 */
export type ProposalClient =
  | AlgorandClient
  | BitcoinProposalClient
  | CosmosClient
  | SafeClient
  | StellarClient
  | TronProposalClient
  | XrpProposalClient

/**
 * The part of a member's signer that approving needs.
 *
 * @since 0.1.0
 * @category models
 */
export type ProposalSigner =
  | Pick<AlgorandSigner, "network" | "address" | "cosign">
  | Pick<CosmosSigner, "network" | "address" | "cosign" | "publicKey">
  | Pick<EvmSigner, "network" | "address" | "cosign">
  | Pick<HdSigner, "network" | "address" | "cosign" | "extendedKey">
  | Pick<StellarSigner, "network" | "address" | "cosign">
  | Pick<TronSigner, "network" | "address" | "cosign">
  | Pick<XrpSigner, "network" | "address" | "cosign">

/**
 * How a proposal is executed. `signer` sends the payment of a Safe, and pays the network's fee for it; it need not be an owner. Other chains
 * need none: the account pays the fee itself. `confirmations` is how long to wait, as with any payment.
 *
 * @since 0.1.0
 * @category models
 */
export interface ExecuteOptions<Executor = SafeExecutor> extends SendOptions {
  readonly signer?: Executor
}

/**
 * The errors of approving a proposal: those of reading it, and those of signing.
 *
 * @since 0.1.0
 * @category errors
 */
export type ApproveError = ProposalError | SigningFailed | PolicyDenied

/**
 * The errors of executing a proposal: those of reading it, and those of sending.
 *
 * @since 0.1.0
 * @category errors
 */
export type ExecuteError = ProposalError | SendError

/** A family of any transactions: the network of a client says which ones it has. */
type AnyFamily = ProposalFamily<ProposalClient, object, unknown>

/** The part of a family, in a chunk of its own. */
const loadFamily = <Client, Tx, Executor>(
  load: () => Promise<{ readonly family: ProposalFamily<Client, Tx, Executor> }>
): Effect.Effect<AnyFamily, LoadError> =>
  // the family of a network says which calls its client has, and what its payloads are
  loadOnce(load, ({ family }) => Effect.succeed(family as unknown as AnyFamily))

const algorand = /*#__PURE__*/ loadFamily(() => import("./algorand/proposal.js"))
const bitcoin = /*#__PURE__*/ loadFamily(() => import("./bitcoin/proposal.js"))
const cosmos = /*#__PURE__*/ loadFamily(() => import("./cosmos/proposal.js"))
const evm = /*#__PURE__*/ loadFamily(() => import("./evm/proposal.js"))
const stellar = /*#__PURE__*/ loadFamily(() => import("./stellar/proposal.js"))
const tron = /*#__PURE__*/ loadFamily(() => import("./tron/proposal.js"))
const xrp = /*#__PURE__*/ loadFamily(() => import("./xrp/proposal.js"))

/** The families that have proposals. */
const families: Readonly<Partial<Record<FamilyId, Effect.Effect<AnyFamily, LoadError>>>> = {
  "algorand-algod": algorand,
  cosmos,
  evm,
  "evm-beacon": evm,
  "evm-native": evm,
  zksync: evm,
  stellar,
  tron,
  utxo: bitcoin,
  "utxo-estimatefee": bitcoin,
  xrp
}

/** The networks of these families, for whoever asks for another one. */
const listNetworks = (): ReadonlyArray<string> =>
  Object.entries(ids).flatMap(([family, names]) => (Object.hasOwn(families, family) ? names.split(" ") : []))

const findFamily = (
  network: string
): Effect.Effect<{ readonly family: AnyFamily; readonly row: NetworkRow }, ProposalError> =>
  Effect.gen(function* () {
    const row = yield* findNetworkRow(network)
    const load = row === undefined ? undefined : families[row.family]
    return row === undefined || load === undefined
      ? yield* new NotSupportedForNetwork({ network, feature: "proposals", networks: listNetworks() })
      : { row, family: yield* load }
  })

const isText = (value: unknown): value is string => typeof value === "string"
const isTextOrAbsent = (value: unknown): boolean => value === undefined || isText(value)
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

const isMember = (value: unknown): boolean =>
  isRecord(value) && isText(value.address) && isCount(value.weight)

const isSignature = (value: unknown): boolean =>
  isRecord(value) && isText(value.member) && isText(value.signature) && isTextOrAbsent(value.publicKey)

const isPreview = (value: unknown): boolean =>
  isRecord(value) &&
  [value.to, value.amount, value.fee].every(isText) &&
  [value.token, value.memo].every(isTextOrAbsent) &&
  (value.tag === undefined || isCount(value.tag)) &&
  Array.isArray(value.outgoing) &&
  value.outgoing.every(isRecord) &&
  Array.isArray(value.warnings) &&
  value.warnings.every(isText)

/** The fields of a proposal, and what each has to be. */
const fields: Readonly<Record<keyof Proposal, readonly [is: (value: unknown) => boolean, words: string]>> = {
  version: [(value) => value === 1, "1, the version that this package reads"],
  network: [isText, "the id of a network"],
  account: [isText, "an address"],
  id: [isText, "a hash as text"],
  payload: [isText, "what is signed, as text"],
  preview: [isPreview, "{ to, amount, fee, outgoing, warnings }, whose amounts are text"],
  members: [(value) => Array.isArray(value) && value.every(isMember), "a list of { address, weight }"],
  threshold: [isCount, "a whole number"],
  signatures: [
    (value) => Array.isArray(value) && value.every(isSignature),
    "a list of { member, signature }"
  ],
  since: [isCount, "the number of a block or ledger"],
  expires: [isTextOrAbsent, "a time as text"]
}

/** What is wrong with the form of a proposal; undefined if nothing is. */
const formProblem = (proposal: unknown): string | undefined => {
  if (!isRecord(proposal)) return "a proposal is what propose has made, as JSON.parse reads it"
  const wrong = Object.entries(fields).find(([name, [is]]) => !is(proposal[name]))
  if (wrong !== undefined) return `${wrong[0]}: it must be ${wrong[1][1]}`
  const extra = Object.keys(proposal).find((name) => !Object.hasOwn(fields, name))
  return extra === undefined ? undefined : `${extra}: a proposal has no such field`
}

/** A proposal whose payload is read, and nothing of it compared with a chain yet. */
interface OpenProposal {
  readonly family: AnyFamily
  readonly row: NetworkRow
  readonly codec: PayloadCodec<object>
  readonly transaction: object
  readonly signatures: ReadonlyArray<ProposalSignature>
}

/** Runs a function of a codec, which throws what is wrong with its input. */
const tryField = <A>(call: string, field: string, read: () => A): Effect.Effect<A, InvalidArgument> =>
  Effect.try({ try: read, catch: (error) => invalidArgument(call, `${field}: ${reasonOf(error)}`) })

const show = (value: unknown): string => JSON.stringify(value) ?? "nothing"

/** The first field of a preview that is not what the payload says. */
const findDifference = (
  shown: Readonly<Record<string, unknown>>,
  signed: Readonly<Record<string, unknown>>
): string | undefined => {
  const name = Object.keys(signed).find((each) => show(shown[each]) !== show(signed[each]))
  return name === undefined
    ? undefined
    : `${name}: the proposal shows ${show(shown[name])}, and what is signed has ${show(signed[name])}`
}

/** The signatures of a proposal, each member's once. */
const checkSignatures = (
  call: string,
  codec: PayloadCodec<object>,
  transaction: object,
  { account, members, signatures }: Proposal
): Effect.Effect<ReadonlyArray<ProposalSignature>, InvalidArgument> =>
  Effect.gen(function* () {
    const byMember = new Map<string, ProposalSignature>()
    for (const [i, signature] of signatures.entries()) {
      const field = `signatures[${i}]`
      const { member } = signature
      if (!members.some(({ address }) => address === member))
        return yield* invalidArgument(call, `${field}: ${member} is no member of ${account}`)
      const isValid = yield* tryField(call, field, () => codec.verify(transaction, signature))
      if (!isValid) return yield* invalidArgument(call, `${field}: it is not the signature of ${member}`)
      if (!byMember.has(member)) byMember.set(member, signature)
    }
    return [...byMember.values()]
  })

/** Reads the payload of a proposal, and compares what it shows and who has signed with that. */
const openProposal = (
  call: string,
  proposal: Proposal,
  network: string
): Effect.Effect<OpenProposal, ProposalError> =>
  Effect.gen(function* () {
    const problem = formProblem(proposal)
    if (problem !== undefined) return yield* invalidArgument(call, problem)
    if (proposal.network !== network)
      return yield* invalidArgument(
        call,
        `network: the proposal is for ${proposal.network}, and the client is one of ${network}`
      )
    const { family, row } = yield* findFamily(network)
    const codec = yield* family.loadCodec(row)
    const transaction = yield* tryField(call, "payload", () =>
      codec.decode(proposal.payload, proposal.account)
    )
    const terms = yield* tryField(call, "payload", () => codec.readTerms(transaction))
    const difference =
      findDifference(
        { ...proposal },
        { account: terms.from, id: codec.hash(transaction), expires: terms.expires }
      ) ??
      findDifference(
        { ...proposal.preview },
        {
          to: terms.to,
          token: terms.token,
          amount: String(terms.amount),
          ...(terms.fee === undefined ? {} : { fee: String(terms.fee) }),
          memo: terms.memo,
          tag: terms.tag
        }
      )
    if (difference !== undefined) return yield* invalidArgument(call, difference)
    const signatures = yield* checkSignatures(call, codec, transaction, proposal)
    return { family, row, codec, transaction, signatures }
  })

const toJsonOutgoing = ({ units, ...rest }: Outgoing): ProposalOutgoing => ({
  ...rest,
  ...(units === undefined ? {} : { units: String(units) })
})

/** The members as text that is the same in any order. */
const sortMembers = (members: ReadonlyArray<ProposalMember>): string =>
  members
    .map(({ address, weight }) => `${address} (${weight})`)
    .sort()
    .join(", ")

/** What has changed of the account since a proposal, or what the proposal says wrongly of it; undefined if nothing. */
const findAccountChange = ({ members, threshold }: Proposal, facts: AccountFacts): string | undefined => {
  if (threshold !== facts.threshold)
    return `threshold: the proposal says ${threshold}, and the account takes ${facts.threshold}: propose the payment again`
  return sortMembers(members) === sortMembers(facts.members)
    ? undefined
    : `members: the proposal says ${sortMembers(members)}, and the account has ${sortMembers(facts.members)}: propose the payment again`
}

/** A proposal beside its chain. */
interface StudiedProposal extends OpenProposal {
  readonly facts: AccountFacts
  readonly inspection: ProposalInspection
  /** Absent if it cannot be executed any more. */
  readonly prepared?: Prepared<object>
}

const studyProposal = (
  call: string,
  client: ProposalClient,
  proposal: Proposal
): Effect.Effect<StudiedProposal, ProposalError> =>
  catchMalformedAnswer(
    Effect.gen(function* () {
      if (!isRecord(client) || !isRecord(client.rpc))
        return yield* invalidArgument(call, "its first argument is the client of a network")
      const opened = yield* openProposal(call, proposal, client.network)
      const { family, row, signatures, transaction } = opened
      const facts = yield* family.readAccount(client, row, transaction, proposal)
      const change = findAccountChange(proposal, facts)
      const progress =
        facts.progress?.status !== "executed" && change !== undefined
          ? ({ status: "void", reason: change } as const)
          : facts.progress
      const approvals = facts.members
        .map(({ address }) => address)
        .filter(
          (address) =>
            facts.approvals.includes(address) || signatures.some(({ member }) => member === address)
        )
      const weightOf = (address: string): number =>
        facts.members.find((each) => each.address === address)?.weight ?? 0
      const weight = approvals.reduce((sum, address) => sum + weightOf(address), 0)
      const { threshold } = facts
      const isOpen = progress === undefined || progress.status === "queued"
      const prepared = isOpen ? yield* family.preview(client, row, transaction, facts) : undefined
      const difference =
        prepared === undefined
          ? undefined
          : findDifference(
              { ...proposal.preview },
              {
                outgoing: prepared.outgoing.map(toJsonOutgoing),
                ...(opened.codec.readTerms(transaction).fee === undefined
                  ? { fee: String(prepared.fee) }
                  : {})
              }
            )
      if (difference !== undefined) return yield* invalidArgument(call, difference)
      const inspection: ProposalInspection = {
        proposal: { ...proposal, signatures },
        ...(progress ?? { status: weight >= threshold ? "ready" : "pending" }),
        approvals,
        missing: facts.members.map(({ address }) => address).filter((each) => !approvals.includes(each)),
        weight,
        threshold,
        warnings: prepared?.warnings ?? []
      }
      return { ...opened, facts, inspection, ...(prepared === undefined ? {} : { prepared }) }
    }),
    call
  )

/** As many approvals as the threshold takes, the heaviest first. */
const chooseApprovals = ({ facts, inspection, signatures }: StudiedProposal): ReadonlyArray<Approval> => {
  let weight = 0
  return facts.members
    .filter(({ address }) => inspection.approvals.includes(address))
    .sort((one, other) => other.weight - one.weight)
    .flatMap(({ address: member, weight: own }) => {
      if (weight >= facts.threshold) return []
      weight += own
      const signature = signatures.find((each) => each.member === member)
      return [{ member, ...(signature === undefined ? {} : { signature }) }]
    })
}

/** Why a proposal cannot go on; undefined if it can. */
const findEnd = ({ hash, reason, status }: ProposalInspection): string | undefined => {
  if (status === "executed") return `it was executed already, by the transaction ${hash}`
  return status === "void" ? `it can no longer be executed: ${reason}` : undefined
}

/** What is wrong with the form of a request; undefined if nothing is. What it pays is checked as any payment is. */
const requestProblem = (request: unknown): string | undefined => {
  if (!isRecord(request) || !isText(request.from)) return "it takes { from, to, amount }"
  const { members, permission, threshold, until } = request
  if (permission !== undefined && !isCount(permission)) return "permission must be a whole number"
  if (until !== undefined && !(until instanceof Date && Number.isFinite(until.getTime())))
    return "until must be a Date"
  if (members !== undefined && !(Array.isArray(members) && members.every(isText)))
    return "members must be a list of addresses"
  return threshold === undefined || isCount(threshold) ? undefined : "threshold must be a whole number"
}

const findFamilyOfRequest = (client: ProposalClient, request: ProposalRequest) => {
  if (!isRecord(client) || !isRecord(client.rpc))
    return Effect.fail(invalidArgument("propose", "its first argument is the client of a network"))
  const problem = requestProblem(request)
  return problem === undefined ? findFamily(client.network) : Effect.fail(invalidArgument("propose", problem))
}

/**
 * Proposes a payment of an account that has several members: a value to sign, which nobody has signed yet. Members and threshold are those of
 * the chain. The payment is tried there, as that of a single signer is. Fails with `NotSupportedForNetwork` on networks of families that
 * have no proposals here.
 *
 * @since 0.1.0
 * @category operations
 */
export const propose = (
  client: ProposalClient,
  request: ProposalRequest
): Effect.Effect<Proposal, ProposalError> =>
  catchMalformedAnswer(
    Effect.gen(function* () {
      const { family, row } = yield* findFamilyOfRequest(client, request)
      const { members: given, threshold: least } = request
      const isGiven = given !== undefined || least !== undefined
      if (family.takesMembers !== "at first" && isGiven !== (family.takesMembers === true))
        return yield* invalidArgument(
          "propose",
          family.takesMembers === true
            ? "members and threshold are missing: the chain keeps nothing but their hash, which is the address"
            : "members and threshold are those of the chain: leave them out"
        )
      if (request.permission !== undefined && family.takesPermission !== true)
        return yield* invalidArgument("propose", "permission is for accounts of Tron: leave it out")
      const codec = yield* family.loadCodec(row)
      const { since, transaction } = yield* family.draft(client, row, request)
      const id = codec.hash(transaction)
      const facts = yield* family.readAccount(client, row, transaction, {
        id,
        since,
        members: (given ?? []).map((address) => ({ address, weight: 1 })),
        threshold: least ?? 0
      })
      const { members, threshold } = facts
      const prepared = yield* family.preview(client, row, transaction, facts)
      const { expires, from, memo, tag, token, ...terms } = codec.readTerms(transaction)
      const preview: ProposalPreview = {
        to: terms.to,
        ...(token === undefined ? {} : { token }),
        amount: String(terms.amount),
        fee: String(terms.fee ?? prepared.fee),
        ...(memo === undefined ? {} : { memo }),
        ...(tag === undefined ? {} : { tag }),
        outgoing: prepared.outgoing.map(toJsonOutgoing),
        warnings: prepared.warnings
      }
      return {
        version: 1,
        network: client.network,
        account: from,
        id,
        payload: codec.encode(transaction),
        preview,
        members,
        threshold,
        signatures: [],
        since,
        ...(expires === undefined ? {} : { expires })
      }
    }),
    "propose"
  )

/**
 * Says what is true of a proposal now: who has approved it, who is missing, and whether it can be executed. Reads what is signed again and
 * compares the preview with it, verifies each signature, and reads members, threshold and number from the chain. Fails with
 * `InvalidArgument`, which names the field, if the proposal shows one thing and would sign another, or has a signature of nobody.
 *
 * @since 0.1.0
 * @category operations
 */
export const inspect = (
  client: ProposalClient,
  proposal: Proposal
): Effect.Effect<ProposalInspection, ProposalError> =>
  Effect.map(studyProposal("inspect", client, proposal), ({ inspection }) => inspection)

/**
 * Signs a proposal as one of its members, after inspecting it, and yields it with one more signature. The policy of the signer is asked first,
 * with the payment and its preview. A member that has approved already signs nothing again. Fails with `InvalidArgument` for a signer that
 * is no member, and for a proposal that can no longer be executed.
 *
 * @since 0.1.0
 * @category operations
 */
export const approve = (
  client: ProposalClient,
  signer: ProposalSigner,
  proposal: Proposal
): Effect.Effect<Proposal, ApproveError> =>
  Effect.gen(function* () {
    const { codec, family, inspection, prepared, transaction } = yield* studyProposal(
      "approve",
      client,
      proposal
    )
    const end = findEnd(inspection)
    // what has not ended has a preview
    if (end !== undefined || prepared === undefined)
      return yield* invalidArgument("approve", end ?? "it can no longer be executed")
    if (typeof signer?.cosign !== "function")
      return yield* invalidArgument("approve", `it takes a signer of ${proposal.network} that can cosign`)
    const { address, network } = signer
    const member = family.memberOf?.(signer) ?? address
    const { approvals, missing, proposal: checked } = inspection
    if (network !== proposal.network || ![...approvals, ...missing].includes(member))
      return yield* invalidArgument(
        "approve",
        `${member} on ${network} is no member of ${proposal.account} on ${proposal.network}`
      )
    if (approvals.includes(member)) return checked
    // the client and the signer are of one network, and so of one family
    const { cosign } = signer as unknown as Cosigner<object>
    const signature = { member, ...(yield* cosign(prepared)) }
    const isValid = yield* Effect.mapError(
      tryField("approve", "signature", () => codec.verify(transaction, signature)),
      ({ reason }) => new SigningFailed({ reason })
    )
    return isValid
      ? { ...checked, signatures: [...checked.signatures, signature] }
      : yield* new SigningFailed({ reason: `the signature is not that of ${member}` })
  })

/**
 * Joins the signatures of two copies of a proposal. Each is verified. Needs no node. Fails with `InvalidArgument`, which names the field, if
 * they are different proposals.
 *
 * @since 0.1.0
 * @category operations
 */
export const merge = (one: Proposal, other: Proposal): Effect.Effect<Proposal, ProposalError> =>
  Effect.gen(function* () {
    const { signatures } = yield* openProposal("merge", one, one?.network)
    const { signatures: others } = yield* openProposal("merge", other, other?.network)
    const name = Object.keys(fields).find(
      (each) =>
        each !== "signatures" && show(one[each as keyof Proposal]) !== show(other[each as keyof Proposal])
    )
    if (name !== undefined)
      return yield* invalidArgument("merge", `${name}: they are two proposals, which differ in it`)
    const isNew = ({ member }: ProposalSignature) => signatures.every((each) => each.member !== member)
    return { ...one, signatures: [...signatures, ...others.filter(isNew)] }
  })

/**
 * Executes a proposal, after inspecting it: sends the payment once its signatures reach the threshold. Fails with `InvalidArgument`, which
 * says why, while members are missing, while it is queued, and after it was executed.
 *
 * @since 0.1.0
 * @category operations
 */
export const execute = (
  client: ProposalClient,
  proposal: Proposal,
  options: ExecuteOptions = {}
): Effect.Effect<Sent<unknown>, ExecuteError> =>
  Effect.gen(function* () {
    const problem = waitProblem(options)
    if (problem !== undefined) return yield* invalidArgument("execute", problem)
    const studied = yield* studyProposal("execute", client, proposal)
    const { family, inspection, prepared, row } = studied
    const { missing, reason = "", status, threshold, weight } = inspection
    if (status !== "ready" || prepared === undefined)
      return yield* invalidArgument(
        "execute",
        findEnd(inspection) ??
          (status === "queued"
            ? reason
            : `its approvals weigh ${weight} of ${threshold}: it waits for ${missing.join(", ")}`)
      )
    return yield* family.execute(
      client,
      row,
      { proposal, prepared, approvals: chooseApprovals(studied) },
      options
    )
  })
