/** Proposals of accounts of Tron whose permission has several keys: members, previews, and the payment with their signatures. */
import * as Effect from "effect/Effect"
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import { isRecord } from "../../data/untrusted.js"
import { broadcastTransaction } from "../broadcast.js"
import { makeMalformedError, parseWhole, withAgreement } from "../evidence.js"
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
import type { Prepared, ReadError, SendError, SendOptions, Sent } from "../Signer.js"
import { checkAddress, invalidArgument } from "../signerChecks.js"
import { addressProblem, toBase58Address } from "./address.js"
import {
  CLOCK_MARGIN_MS,
  findFailure,
  makeBroadcaster,
  readNewestBlock,
  waitForConfirmations
} from "./broadcaster.js"
import { type CompleteTransaction, decodePayload, encodePayload } from "./payload.js"
import { prepare, type SignerContext } from "./payments.js"
import { computeId, contractTypeOf, encodeSharedData, encodeSigned } from "./protobuf.js"
import type { Sharing } from "./resources.js"
import type { TronCalls, TronClient } from "./Types.js"

type Answer<Name extends "getAccount" | "getNowBlock"> = Effect.Effect.Success<ReturnType<TronCalls[Name]>>

/**
 * The calls that proposals of Tron need. Every client of it has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronProposalCalls extends TronCalls {
  readonly getAccount: (
    address: string,
    options?: { readonly visible?: boolean }
  ) => Effect.Effect<
    Answer<"getAccount"> & {
      readonly owner_permission?: object
      readonly active_permission?: ReadonlyArray<object>
    },
    ReadError
  >
  readonly getBlockByNum: (num: number) => Effect.Effect<Answer<"getNowBlock">, ReadError>
}

/**
 * A client of Tron, as far as proposals use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronProposalClient extends Omit<TronClient, "rpc"> {
  readonly rpc: TronProposalCalls
}

/** The chain takes nothing that expires later than a day after its newest block. A minute less is for nodes that are behind. */
const MAX_VALID_MS = 24n * 60n * 60n * 1_000n
const DEFAULT_VALID_MS = MAX_VALID_MS - 60_000n

/** Blocks until one is not replaced any more: 19 of 27 producers have built on it. */
const SOLID_DEPTH = 20

/** Who signs for an account by one of its permissions. */
interface Permission {
  readonly id: number
  readonly members: ReadonlyArray<ProposalMember>
  readonly threshold: number
  /** A bit for each type of contract, as hexadecimal; absent for the owner, who may all. */
  readonly operations?: string
}

const parseMember = (value: unknown): ProposalMember | undefined => {
  const { address, weight } = isRecord(value) ? value : {}
  const whole = Number(parseWhole(weight))
  return typeof address === "string" && addressProblem(address) === undefined && Number.isSafeInteger(whole)
    ? { address: toBase58Address(address), weight: whole }
    : undefined
}

const parsePermission = (value: unknown): Permission | undefined => {
  if (!isRecord(value) || !Array.isArray(value.keys)) return undefined
  const members = value.keys.flatMap((key) => parseMember(key) ?? [])
  const [id, threshold] = [Number(parseWhole(value.id ?? 0)), Number(parseWhole(value.threshold))]
  const { operations } = value
  return members.length === value.keys.length &&
    Number.isSafeInteger(id) &&
    threshold > 0 &&
    Number.isSafeInteger(threshold)
    ? { id, members, threshold, ...(typeof operations === "string" ? { operations } : {}) }
    : undefined
}

/** Whether a permission may have transactions with a contract of a type. */
const allows = ({ id, operations }: Permission, type: number): boolean => {
  if (id === 0) return true
  const byte = Number.parseInt(operations?.slice(2 * (type >> 3), 2 * (type >> 3) + 2) ?? "", 16)
  return ((byte >> (type & 7)) & 1) === 1
}

const showPermissions = ({ active_permission, owner_permission }: PermissionsAnswer): string =>
  JSON.stringify([owner_permission, active_permission], (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value
  )

type PermissionsAnswer = Effect.Effect.Success<ReturnType<TronProposalCalls["getAccount"]>>

/** The permissions of an account, on which two nodes agree where there are two. One that never had any has its own key. */
const readPermissions = (
  { rpc }: TronProposalClient,
  account: string
): Effect.Effect<ReadonlyArray<Permission>, ProposalError> =>
  Effect.flatMap(
    withAgreement(
      rpc.getAccount(account, { visible: true }),
      (one, other) => showPermissions(one) === showPermissions(other)
    ),
    ({
      active_permission = [],
      address,
      owner_permission
    }): Effect.Effect<ReadonlyArray<Permission>, ProposalError> => {
      if (address === undefined)
        return Effect.fail(invalidArgument("propose", `from: ${account} has no account yet`))
      const given = owner_permission ?? { keys: [{ address: account, weight: 1 }], threshold: 1 }
      const permissions = [given, ...active_permission].map(parsePermission)
      const valid = permissions.flatMap((each) => each ?? [])
      return valid.length === permissions.length
        ? Effect.succeed(valid)
        : Effect.fail(makeMalformedError("getAccount", `a permission of ${account} is none`))
    }
  )

/** The permission of a request, or the first active one that may do it; without that the owner's. */
const choosePermission = (
  permissions: ReadonlyArray<Permission>,
  type: number,
  { from, permission: wanted }: ProposalRequest
): Effect.Effect<Permission, ProposalError> => {
  const found =
    wanted === undefined
      ? (permissions.find((each) => each.id > 0 && allows(each, type)) ??
        permissions.find(({ id }) => id === 0))
      : permissions.find(({ id }) => id === wanted)
  if (found !== undefined && allows(found, type)) return Effect.succeed(found)
  return Effect.fail(
    invalidArgument(
      "propose",
      found === undefined
        ? `permission: ${from} has the permissions ${permissions.map(({ id }) => id).join(", ")}`
        : `permission: the permission ${wanted} of ${from} may not make this payment, whose contract is of the type ${type}`
    )
  )
}

const contextOf = (
  { network, nodes, rpc }: TronProposalClient,
  row: NetworkRow,
  address: string,
  sharing: Sharing
): SignerContext => ({ network, nodes, rpc, row, address, sharing })

/** The newest block, and the reference of one that stays. */
const readBlocks = ({ rpc }: TronProposalClient) =>
  Effect.gen(function* () {
    const { height, time } = yield* readNewestBlock(rpc)
    const since = Number(height)
    const { blockID } = yield* withAgreement(
      rpc.getBlockByNum(Math.max(since - SOLID_DEPTH, 0)),
      (one, other) => one.blockID === other.blockID
    )
    return /^[0-9a-f]{64}$/.test(blockID)
      ? { since, time, block: blockID.slice(12, 32) }
      : yield* makeMalformedError("getBlockByNum", "the id of a block is none")
  })

/** When a payment expires: as late as the chain takes it, or as the request says. */
const chooseExpiration = (time: bigint, until: Date | undefined): Effect.Effect<bigint, ProposalError> => {
  if (until === undefined) return Effect.succeed(time + DEFAULT_VALID_MS)
  const wanted = BigInt(until.getTime())
  return wanted > time && wanted <= time + MAX_VALID_MS
    ? Effect.succeed(wanted)
    : Effect.fail(
        invalidArgument(
          "propose",
          "until must be a Date within 24 hours: the chain takes no payment that expires later"
        )
      )
}

const draft = (client: TronProposalClient, row: NetworkRow, request: ProposalRequest) =>
  Effect.gen(function* () {
    const { amount, decimals, memo, nonce, to, token, until } = request
    if (nonce !== undefined)
      return yield* invalidArgument("propose", "nonce is for Safe accounts: the chain numbers no payments")
    const from = yield* Effect.map(
      checkAddress(client.network, request.from, addressProblem(request.from)),
      toBase58Address
    )
    const permission = yield* Effect.flatMap(readPermissions(client, from), (permissions) =>
      choosePermission(permissions, contractTypeOf(request), request)
    )
    const { block, since, time } = yield* readBlocks(client)
    const expiration = yield* chooseExpiration(time, until)
    const { transaction } = yield* prepare(
      contextOf(client, row, from, { permission: permission.id, members: permission.members.length }),
      {
        to,
        amount,
        ...(token === undefined ? {} : { token }),
        ...(decimals === undefined ? {} : { decimals }),
        ...(memo === undefined ? {} : { memo })
      }
    )
    const now = yield* Effect.map(Effect.clock, (clock) => clock.unsafeCurrentTimeMillis())
    // the chain does not read it: it tells equal payments apart
    const shared = { permission: permission.id, block, timestamp: BigInt(Math.floor(now)) }
    return { transaction: { ...transaction, expiration, shared }, since }
  })

const loadCurve = /*#__PURE__*/ loadPeer("@noble/curves", () => import("./curve.js"))

const hashOf = (transaction: CompleteTransaction): Uint8Array => computeId(encodeSharedData(transaction))

/** The parity of a signature: as java-tron writes it, or as it is. */
const parityOf = (last: number): number => (last >= 27 ? last - 27 : last)

const loadCodec = (_row: NetworkRow): Effect.Effect<PayloadCodec<CompleteTransaction>, ProposalError> =>
  Effect.map(
    loadCurve,
    (curve): PayloadCodec<CompleteTransaction> => ({
      encode: encodePayload,
      decode: decodePayload,
      hash: (transaction) => bytesToHex(hashOf(transaction)),
      // what the chain takes for it is not signed, but for the limit of a call
      readTerms: ({ amount, expiration, from, memo, to, token }) => ({
        from,
        to,
        amount,
        ...(token === undefined ? {} : { token }),
        ...(memo === undefined ? {} : { memo }),
        expires: new Date(Number(expiration)).toISOString()
      }),
      verify: (transaction, { member, signature }) => {
        if (!/^[0-9a-f]{130}$/.test(signature))
          throw new Error("it must be 65 bytes as hexadecimal digits in lower case")
        const bytes = hexToBytes(signature)
        return curve.recoverAddress(hashOf(transaction), bytes, parityOf(bytes[64] ?? 0)) === member
      }
    })
  )

/** How far a payment is: in a block, refused there, or too late for one. */
const readProgress = (
  { rpc }: TronProposalClient,
  { expiration }: CompleteTransaction,
  id: string
): Effect.Effect<AccountFacts["progress"], ProposalError> =>
  Effect.gen(function* () {
    // the time is read first: what is missing after it expired stays missing
    const { time } = yield* readNewestBlock(rpc)
    const info = yield* rpc.getTransactionInfoById(id)
    if (info.blockNumber !== undefined) {
      const failure = findFailure(info)
      return failure === undefined
        ? { status: "executed", hash: id }
        : { status: "void", reason: `the chain has refused it: ${failure.reason}` }
    }
    return time > expiration + CLOCK_MARGIN_MS
      ? { status: "void", reason: `blocks could have it until ${new Date(Number(expiration)).toISOString()}` }
      : undefined
  })

const readAccount = (
  client: TronProposalClient,
  _row: NetworkRow,
  transaction: CompleteTransaction,
  { id }: Pick<Proposal, "id">
): Effect.Effect<AccountFacts, ProposalError> =>
  Effect.gen(function* () {
    const { from, shared } = transaction
    const permissions = yield* readPermissions(client, from)
    const permission = permissions.find((each) => each.id === shared.permission)
    const isAllowed = permission !== undefined && allows(permission, contractTypeOf(transaction))
    const progress =
      (yield* readProgress(client, transaction, id)) ??
      (isAllowed
        ? undefined
        : ({
            status: "void",
            reason: `the permission ${shared.permission} of ${from} may not make this payment any more`
          } as const))
    return {
      members: permission?.members ?? [],
      threshold: permission?.threshold ?? 0,
      approvals: [],
      ...(progress === undefined ? {} : { progress })
    }
  })

const preview = (
  client: TronProposalClient,
  row: NetworkRow,
  transaction: CompleteTransaction,
  { members }: AccountFacts
): Effect.Effect<Prepared<CompleteTransaction>, ProposalError> => {
  const { amount, feeLimit = 0n, from, memo, shared, to, token } = transaction
  const sharing = { permission: shared.permission, members: members.length, feeLimit }
  return Effect.map(
    prepare(contextOf(client, row, from, sharing), {
      to,
      amount,
      ...(token === undefined ? {} : { token }),
      ...(memo === undefined ? {} : { memo: { text: memo } })
    }),
    ({ resources: _, ...prepared }) => ({ ...prepared, transaction })
  )
}

const execute = (
  { nodes, rpc }: TronProposalClient,
  _row: NetworkRow,
  { approvals, prepared, proposal }: ExecutableProposal<CompleteTransaction>,
  { confirmations }: SendOptions
): Effect.Effect<Sent<unknown>, ProposalError | SendError> =>
  Effect.gen(function* () {
    const { transaction } = prepared
    const signatures = approvals.flatMap(({ signature }) => signature ?? [])
    const raw = encodeSigned(
      encodeSharedData(transaction),
      signatures.map(({ signature }) => hexToBytes(signature))
    )
    const hash = proposal.id
    yield* broadcastTransaction(makeBroadcaster({ nodes, rpc }, transaction), { raw, hash })
    if (confirmations !== undefined) yield* waitForConfirmations(rpc, hash, confirmations)
    return { hash, prepared }
  })

/** Proposals of Tron. */
export const family: ProposalFamily<TronProposalClient, CompleteTransaction, never> = {
  takesPermission: true,
  loadCodec,
  draft,
  readAccount,
  preview,
  execute
}
