/**
 * The contract between an account over HTTP and its server, version 1: what stands in the bodies of both. Numbers of any size are decimal
 * strings, bytes are hexadecimal with 0x.
 */
import { bytesToHex, hexToBytes } from "../data/hex.js"
import { isRecord } from "../data/untrusted.js"
import type {
  ContractCall,
  Outgoing,
  PolicyRequest,
  Prepared,
  Resources,
  ResourceUse,
  SigningRequest,
  Staking
} from "../signers/Signer.js"

/** The paths of an account. */
export const accountPath = (id: string): string => `/v1/accounts/${encodeURIComponent(id)}`
export const signPath = (id: string): string => `${accountPath(id)}/sign`

/**
 * Why a server does not sign: the code of its answer, which is JSON as `{ "error": { "code", "message" } }`.
 *
 * @since 0.1.0
 * @category models
 */
export type RefusalCode =
  | "unauthorized"
  | "not-found"
  | "method-not-allowed"
  | "invalid-request"
  | "too-large"
  | "refused"
  | "failed"

const toHex = (bytes: Uint8Array): string => `0x${bytesToHex(bytes)}`

/** Bytes of hexadecimal digits with 0x; undefined if the value is something else. */
export const bytesFromHex = (value: unknown): Uint8Array | undefined =>
  typeof value === "string" && /^0x(?:[0-9a-f]{2})*$/i.test(value) ? hexToBytes(value.slice(2)) : undefined

const stringify = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === "bigint" ? String(each) : each instanceof Uint8Array ? toHex(each) : each
  )

/** The body of a request to sign. */
export const encodeRequest = ({ bytes, ...request }: SigningRequest): string => {
  const { address, kind, network, preimage } = request
  const head = { payload: toHex(bytes), preimage, kind, network, address }
  switch (request.kind) {
    case "payment": {
      const { call, calls, prepared } = request
      return stringify({ ...head, preview: prepared, call, calls })
    }
    case "transaction":
      return stringify({ ...head, transaction: request.transaction })
    case "typedData":
      return stringify({ ...head, data: request.data })
    case "message":
      return stringify({
        ...head,
        ...(typeof request.message === "string"
          ? { message: request.message }
          : { messageBytes: request.message })
      })
  }
}

const isText = (value: unknown): value is string => typeof value === "string"

const isWhole = (value: unknown): value is string => isText(value) && /^\d{1,100}$/.test(value)

/** A part of a preview that may be missing. */
const optional = <K extends string, A>(name: K, value: A | undefined): { readonly [N in K]?: A } =>
  // the compiler reads a computed name as any text
  (value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: A }

const textOf = (value: unknown): string | undefined => (isText(value) ? value : undefined)

const wholeOf = (value: unknown): bigint | undefined => (isWhole(value) ? BigInt(value) : undefined)

const parseOutgoing = (value: unknown): Outgoing | undefined =>
  isRecord(value) && isText(value.asset) && isText(value.amount)
    ? {
        asset: value.asset,
        amount: value.amount,
        ...optional("token", textOf(value.token)),
        ...optional("symbol", textOf(value.symbol)),
        ...optional("units", wholeOf(value.units)),
        ...optional("decimals", typeof value.decimals === "number" ? value.decimals : undefined)
      }
    : undefined

/** The actions of staking, all of them by the compiler's word. */
const stakingActions: Readonly<Record<Staking["action"], true>> = {
  delegate: true,
  undelegate: true,
  redelegate: true,
  claim: true,
  stake: true,
  unstake: true,
  finalize_unstake: true,
  cancel_unstake: true,
  delegate_resource: true,
  undelegate_resource: true,
  go_online: true,
  go_offline: true
}

const isAction = (value: unknown): value is Staking["action"] =>
  isText(value) && Object.hasOwn(stakingActions, value)

const isResource = (value: unknown): value is NonNullable<Staking["resource"]> =>
  value === "BANDWIDTH" || value === "ENERGY"

const parseStaking = (value: unknown): Staking | undefined =>
  isRecord(value) && isAction(value.action) && isWhole(value.amount)
    ? {
        action: value.action,
        amount: BigInt(value.amount),
        ...optional("from", textOf(value.from)),
        ...optional("resource", isResource(value.resource) ? value.resource : undefined),
        ...optional("stakeAccount", textOf(value.stakeAccount))
      }
    : undefined

const parseUse = (value: unknown): ResourceUse | undefined => {
  if (!isRecord(value)) return undefined
  const { burnt, cost, delegated, free, needed, staked } = value
  return isWhole(needed) && isWhole(staked) && isWhole(delegated) && isWhole(burnt) && isWhole(cost)
    ? {
        needed: BigInt(needed),
        staked: BigInt(staked),
        delegated: BigInt(delegated),
        ...optional("free", wholeOf(free)),
        burnt: BigInt(burnt),
        cost: BigInt(cost)
      }
    : undefined
}

const parseResources = (value: unknown): Resources | undefined => {
  if (!isRecord(value)) return undefined
  const bandwidth = parseUse(value.bandwidth)
  return bandwidth === undefined ? undefined : { bandwidth, ...optional("energy", parseUse(value.energy)) }
}

/** A preview from JSON. Its transaction stays as JSON has it. */
const parsePreview = (value: unknown): Prepared<unknown> | undefined => {
  if (!isRecord(value)) return undefined
  const { amount, expectedBlocks, fee, from, network, to, transaction } = value
  const listed: ReadonlyArray<unknown> = Array.isArray(value.outgoing) ? value.outgoing : []
  const outgoing = listed.flatMap((each) => parseOutgoing(each) ?? [])
  const warnings: ReadonlyArray<unknown> = Array.isArray(value.warnings) ? value.warnings : []
  const staking = parseStaking(value.staking)
  return isText(network) &&
    isText(from) &&
    isText(to) &&
    isWhole(amount) &&
    isWhole(fee) &&
    outgoing.length === listed.length &&
    (staking !== undefined || value.staking === undefined) &&
    warnings.every(isText)
    ? {
        network,
        from,
        to,
        ...optional("token", textOf(value.token)),
        amount: BigInt(amount),
        fee: BigInt(fee),
        ...optional("change", wholeOf(value.change)),
        ...optional("staking", staking),
        ...optional("resources", parseResources(value.resources)),
        ...optional("expectedBlocks", typeof expectedBlocks === "number" ? expectedBlocks : undefined),
        outgoing,
        warnings,
        transaction
      }
    : undefined
}

type PaymentRequest = Extract<PolicyRequest, { readonly kind: "payment" }>

const parseCall = (value: unknown): ContractCall | undefined =>
  isRecord(value) && isText(value.method)
    ? { contract: textOf(value.contract), method: value.method }
    : undefined

/** What a transaction calls, as far as its signer says it. Undefined if one of the calls has another form: it could be the one that matters. */
const parseCalls = ({
  call,
  calls
}: Readonly<Record<string, unknown>>): Pick<PaymentRequest, "call" | "calls"> | undefined => {
  if (calls === undefined) return optional("call", parseCall(call))
  const listed: ReadonlyArray<unknown> = Array.isArray(calls) ? calls : [undefined]
  const parsed = listed.flatMap((each) => parseCall(each) ?? [])
  return parsed.length === listed.length ? { ...optional("call", parseCall(call)), calls: parsed } : undefined
}

/** What a request is about. Undefined if its body has another form. */
const parseSubject = (body: Readonly<Record<string, unknown>>) => {
  const { data, kind, message, messageBytes, preview, transaction } = body
  switch (kind) {
    case "payment": {
      const prepared = parsePreview(preview)
      const called = parseCalls(body)
      return prepared === undefined || called === undefined ? undefined : { kind, prepared, ...called }
    }
    case "transaction":
      return isRecord(transaction) ? { kind, transaction } : undefined
    case "typedData":
      return isRecord(data) ? { kind, data } : undefined
    case "message": {
      const given = isText(message) ? message : bytesFromHex(messageBytes)
      return given === undefined ? undefined : { kind, message: given }
    }
    default:
      return undefined
  }
}

/** Reads the body of a request to sign. Undefined if it has another form. */
export const parseRequest = (body: unknown): SigningRequest | undefined => {
  if (!isRecord(body)) return undefined
  const { address, network, payload } = body
  const bytes = bytesFromHex(payload)
  const preimage = bytesFromHex(body.preimage)
  const subject = parseSubject(body)
  return bytes !== undefined &&
    bytes.length > 0 &&
    isText(network) &&
    isText(address) &&
    (preimage !== undefined || body.preimage === undefined) &&
    subject !== undefined
    ? { network, address, bytes, ...(preimage === undefined ? {} : { preimage }), ...subject }
    : undefined
}

/** The body of an answer with a signature. */
export const encodeSignature = (signature: Uint8Array): string => stringify({ signature: toHex(signature) })
