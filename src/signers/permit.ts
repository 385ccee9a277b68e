/**
 * Permits on EVM chains, on the Effect surface: `effect-chains/effect/signers/permit`. A permit is a signature that lets somebody take tokens of
 * an account, or that pays them, without a transaction of the account. Three standards: ERC-2612, Permit2 and ERC-3009.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Hex } from "../chains/evm/Types.js"
import { textOf } from "../data/abiText.js"
import type { OnThisEffect } from "../data/effectVersion.js"
import { addressProblem } from "../data/evmAddress.js"
import { bytesToHex, hexToBytes } from "../data/hex.js"
import { keccak256 } from "../data/keccak.js"
import { evmFamilies, type NetworkRow } from "../data/Network.js"
import { InvalidAmount, type PolicyDenied, SigningFailed } from "../data/SdkError.js"
import * as Units from "../data/Units.js"
import { isRecord } from "../data/untrusted.js"
import { withAgreement } from "./evidence.js"
import { encodeWord, parseWord, readToken, type TokenWithDecimals } from "./evm/reading.js"
import type { EvmCalls, EvmClient, EvmSigner, TypedDataDefinition } from "./evm/Types.js"
import type { Outgoing, PrepareError, ReadError } from "./Signer.js"
import {
  catchMalformedAnswer,
  checkAddress,
  invalidArgument,
  loadNetworkRow,
  toSmallestUnit
} from "./signerChecks.js"
import { toOutgoing } from "./tokens.js"

/**
 * The standard of a permit. `ERC-2612`: the token itself takes it (`permit`), and `spender` may take the amount from then on. `Permit2`: the
 * contract of Uniswap takes it, for any token that the account has approved to that contract once. `ERC-3009`: the token pays `spender` the
 * amount, once (`transferWithAuthorization`).
 *
 * @since 0.1.0
 * @category models
 */
export type PermitStandard = "ERC-2612" | "Permit2" | "ERC-3009"

/**
 * What a permit is to say. `amount` is a decimal string in whole tokens or a bigint in the smallest unit, `until` the last second at which it
 * can be used: a date, or Unix seconds. The default `standard` is ERC-2612. `domain` is for tokens that do not tell the name or the version of
 * their EIP-712 domain; it is compared with the hash that the token tells.
 *
 * @since 0.1.0
 * @category models
 */
export interface PermitRequest {
  readonly standard?: PermitStandard
  readonly owner: string
  readonly token: string
  readonly spender: string
  readonly amount: string | bigint
  readonly decimals?: number
  readonly until: Date | number | bigint
  readonly domain?: PermitDomain
}

/**
 * The name and the version of an EIP-712 domain.
 *
 * @since 0.1.0
 * @category models
 */
export interface PermitDomain {
  readonly name: string
  readonly version?: string
}

/**
 * The preview of a permit: exactly this is signed ({@link typedDataOf}). `amount` is in the smallest unit, `until` in Unix seconds. `outgoing`
 * lists what leaves the account when it is used: the payment of ERC-3009, and nothing before somebody takes it with the others. `warnings`
 * say what is given away, and until when.
 *
 * @since 0.1.0
 * @category models
 */
export interface PreparedPermit {
  readonly network: string
  readonly chainId: number
  readonly standard: PermitStandard
  readonly owner: string
  readonly spender: string
  readonly token: string
  readonly amount: bigint
  readonly nonce: bigint
  readonly until: bigint
  readonly domain: PermitDomain
  readonly outgoing: ReadonlyArray<Outgoing>
  readonly warnings: ReadonlyArray<string>
}

/**
 * A permit that is signed. `call` is the transaction that uses it, which anybody may send and pay for.
 *
 * @since 0.1.0
 * @category models
 */
export interface SignedPermit {
  readonly permit: PreparedPermit
  readonly signature: Hex
  readonly call: { readonly to: Hex; readonly data: Hex }
}

/**
 * The part of a signer that permits need.
 *
 * @since 0.1.0
 * @category models
 */
export interface PermitSigner extends Pick<EvmSigner, "address" | "network" | "signTypedData"> {}

/**
 * The errors of signing a permit. `SigningFailed` is also that of one that its contract does not take.
 *
 * @since 0.1.0
 * @category errors
 */
export type SignPermitError = PrepareError | SigningFailed | PolicyDenied

/** Where Permit2 is: chains of zkSync compute addresses in another way. */
const permit2Of = ({ family }: NetworkRow): Hex =>
  family === "zksync"
    ? "0x0000000000225e31D15943971F47aD3022F714Fa"
    : "0x000000000022D473030F116dDEE9F6B43aC78BA3"

/** Function selectors of tokens and of Permit2. */
const NAME = "0x06fdde03"
const VERSION = "0x54fd4d50"
const DOMAIN_SEPARATOR = "0x3644e515"
const PERMIT_TYPEHASH = "0x30adf81f"
const NONCES = "0x7ecebe00"
const AUTHORIZATION_STATE = "0xe94a0102"
const ALLOWANCE = "0xdd62ed3e"
const PERMIT2_ALLOWANCE = "0x927da105"
const PERMIT = "0xd505accf"
const PERMIT2_PERMIT = "0x2b67b570"
const TRANSFER_WITH_AUTHORIZATION = "0xe3ee160e"

/** The most that each standard can say, from which on it is an unlimited amount in effect. */
const mostOf = { "ERC-2612": 2n ** 256n - 1n, Permit2: 2n ** 160n - 1n, "ERC-3009": 2n ** 256n - 1n } as const

const CALL = "preparePermit"

const hashText = (text: string): string => bytesToHex(keccak256(new TextEncoder().encode(text)))

/** The types of each standard, as EIP-712 encodes them. */
const types = {
  "ERC-2612": {
    Permit: [
      { name: "owner", type: "address" },
      { name: "spender", type: "address" },
      { name: "value", type: "uint256" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" }
    ]
  },
  Permit2: {
    PermitSingle: [
      { name: "details", type: "PermitDetails" },
      { name: "spender", type: "address" },
      { name: "sigDeadline", type: "uint256" }
    ],
    PermitDetails: [
      { name: "token", type: "address" },
      { name: "amount", type: "uint160" },
      { name: "expiration", type: "uint48" },
      { name: "nonce", type: "uint48" }
    ]
  },
  "ERC-3009": {
    TransferWithAuthorization: [
      { name: "from", type: "address" },
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
      { name: "validAfter", type: "uint256" },
      { name: "validBefore", type: "uint256" },
      { name: "nonce", type: "bytes32" }
    ]
  }
} as const satisfies Record<PermitStandard, TypedDataDefinition["types"]>

const primaryTypes = {
  "ERC-2612": "Permit",
  Permit2: "PermitSingle",
  "ERC-3009": "TransferWithAuthorization"
} as const satisfies Record<PermitStandard, string>

/** The message of a permit. Of ERC-3009, `validBefore` is the first second at which it is over. */
const messageOf = ({
  amount,
  nonce,
  owner,
  spender,
  standard,
  token,
  until
}: PreparedPermit): TypedDataDefinition["message"] => {
  if (standard === "ERC-2612") return { owner, spender, value: amount, nonce, deadline: until }
  if (standard === "Permit2")
    return { details: { token, amount, expiration: until, nonce }, spender, sigDeadline: until }
  const bytes: Hex = `0x${encodeWord(nonce)}`
  return { from: owner, to: spender, value: amount, validAfter: 0n, validBefore: until + 1n, nonce: bytes }
}

/** The lowest number that does not fit the nonce of each standard. */
const nonceLimitOf = { "ERC-2612": 2n ** 256n, Permit2: 2n ** 48n, "ERC-3009": 2n ** 256n } as const

const isDomain = (value: unknown): value is PermitDomain =>
  isRecord(value) &&
  typeof value.name === "string" &&
  (value.version === undefined || typeof value.version === "string")

const DOMAIN_EXPECTED = "domain must be { name, version }, as text"

/** Why a permit of a standard cannot be signed; undefined if it can. */
const findPermitProblem = (
  { chainId, id }: NetworkRow,
  { standard, ...permit }: PreparedPermit
): string | undefined => {
  if (permit.chainId !== chainId) return `chainId must be ${chainId}, that of ${id}`
  for (const name of ["owner", "spender", "token"] as const) {
    const problem = findAddressProblem(permit[name], chainId)
    if (problem !== undefined) return `${name} ${problem}`
  }
  const limits = { amount: mostOf[standard] + 1n, nonce: nonceLimitOf[standard], until: YEAR_10000 }
  for (const name of ["amount", "nonce", "until"] as const) {
    const value: unknown = permit[name]
    if (typeof value !== "bigint" || value < 0n || value >= limits[name])
      return `${name} must be a bigint from 0 to ${limits[name] - 1n}`
  }
  return isDomain(permit.domain) ? undefined : DOMAIN_EXPECTED
}

const findAddressProblem = (value: unknown, chainId: number | undefined): string | undefined =>
  typeof value === "string" ? addressProblem(value, chainId) : "must be text"

const isStandard = (value: unknown): value is PermitStandard =>
  typeof value === "string" && Object.hasOwn(mostOf, value)

const STANDARD_EXPECTED = `standard must be ${Object.keys(mostOf).join(", ")}`

/** Checks a permit that a caller gives, which need not be one that `preparePermit` has made. Yields the row of its network. */
const checkPermit = (call: string, permit: PreparedPermit): Effect.Effect<NetworkRow, PrepareError> => {
  const refuse = (reason: string) => Effect.fail(invalidArgument(call, reason))
  if (!isRecord(permit)) return refuse("it takes what preparePermit has made")
  const { network, standard } = permit
  if (typeof network !== "string") return refuse("network must be text")
  if (!isStandard(standard)) return refuse(STANDARD_EXPECTED)
  return Effect.flatMap(loadNetworkRow(network, evmFamilies), (row) => {
    const problem = findPermitProblem(row, permit)
    return problem === undefined ? Effect.succeed(row) : refuse(problem)
  })
}

/** The contract that takes a permit. */
const contractOf = (row: NetworkRow, { standard, token }: Pick<PreparedPermit, "standard" | "token">): Hex =>
  standard === "Permit2" ? permit2Of(row) : (token as Hex)

/** The fields of a domain: some have no version. */
const domainFields = ({
  version
}: PermitDomain): ReadonlyArray<{ readonly name: string; readonly type: string }> => [
  { name: "name", type: "string" },
  ...(version === undefined ? [] : [{ name: "version", type: "string" }]),
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" }
]

const buildTypedData = (row: NetworkRow, permit: PreparedPermit): TypedDataDefinition => ({
  domain: { ...permit.domain, chainId: permit.chainId, verifyingContract: contractOf(row, permit) },
  // wallets of pages ask for the type of the domain
  types: { EIP712Domain: domainFields(permit.domain), ...types[permit.standard] },
  primaryType: primaryTypes[permit.standard],
  message: messageOf(permit)
})

/**
 * The typed data (EIP-712) of a permit, for whoever signs elsewhere. Fails with `InvalidArgument` for a network of another family, and for what is
 * none of the permits that `preparePermit` makes.
 *
 * @since 0.1.0
 * @category conversions
 */
export const typedDataOf = (
  permit: OnThisEffect<PreparedPermit>
): Effect.Effect<TypedDataDefinition, PrepareError> =>
  Effect.map(checkPermit("typedDataOf", permit), (row) => buildTypedData(row, permit))

/** The hash of a domain on a chain, of a contract. */
const hashDomain = (domain: PermitDomain, chainId: number, contract: string): string => {
  const { name, version } = domain
  const fields = domainFields(domain).map((field) => `${field.type} ${field.name}`)
  const words = [
    hashText(`EIP712Domain(${fields.join(",")})`),
    hashText(name),
    ...(version === undefined ? [] : [hashText(version)]),
    encodeWord(BigInt(chainId)),
    encodeWord(contract)
  ]
  return `0x${bytesToHex(keccak256(hexToBytes(words.join(""))))}`
}

/** What a contract answers to a function without arguments, or to these; undefined if it has no such function. */
const makeAsk =
  (rpc: EvmCalls, to: string) =>
  (selector: string, ...words: ReadonlyArray<string>): Effect.Effect<Hex | undefined, ReadError> =>
    withAgreement(
      rpc.call({ to, data: `${selector as Hex}${words.map(encodeWord).join("")}` }),
      (one, other) => one === other
    ).pipe(
      Effect.map((answer) => (answer === "0x" ? undefined : answer)),
      Effect.catchTag("RpcError", () => Effect.succeed(undefined))
    )

const readText = (answer: Hex | undefined): string | undefined =>
  answer === undefined ? undefined : textOf(answer.slice(2))

/** Finds the domain of a token: the caller's, or by the token's name, whose hash is the one that the token tells. */
const findDomain = (
  ask: ReturnType<typeof makeAsk>,
  chainId: number,
  { domain, token }: PermitRequest
): Effect.Effect<PermitDomain, PrepareError> =>
  Effect.gen(function* () {
    const [told, name, version] = yield* Effect.all([ask(DOMAIN_SEPARATOR), ask(NAME), ask(VERSION)], {
      concurrency: "unbounded"
    })
    if (told === undefined)
      return yield* invalidArgument(CALL, `${token} takes no permits: it has no DOMAIN_SEPARATOR`)
    const named = readText(name) ?? ""
    const versions = new Set([readText(version), "1", "2"])
    const candidates: ReadonlyArray<PermitDomain> =
      domain === undefined
        ? [
            ...[...versions].flatMap((each) => (each === undefined ? [] : [{ name: named, version: each }])),
            { name: named }
          ]
        : [domain]
    const found = candidates.find((each) => hashDomain(each, chainId, token) === told)
    return found === undefined
      ? yield* invalidArgument(
          CALL,
          `the domain of ${token} is another one than ${candidates.map((each) => JSON.stringify(each)).join(" or ")}: pass its domain { name, version }`
        )
      : found
  })

/** The hash of the type of ERC-2612: some older tokens have a `permit` with other arguments. */
const PERMIT_TYPE = "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"

/** What a contract tells of the next permit of an account. */
interface PermitFacts {
  readonly domain: PermitDomain
  readonly nonce: bigint
  readonly warnings: ReadonlyArray<string>
}

const readErc2612 = (
  rpc: EvmCalls,
  chainId: number,
  request: PermitRequest
): Effect.Effect<PermitFacts, PrepareError> =>
  Effect.gen(function* () {
    const { owner, token } = request
    const ask = makeAsk(rpc, token)
    const [domain, count, type] = yield* Effect.all(
      [findDomain(ask, chainId, request), ask(NONCES, owner), ask(PERMIT_TYPEHASH)],
      { concurrency: "unbounded" }
    )
    const nonce = parseWord(count)
    if (nonce === undefined || (type !== undefined && type !== `0x${hashText(PERMIT_TYPE)}`))
      return yield* invalidArgument(CALL, `the permits of ${token} are not those of ERC-2612`)
    return { domain, nonce, warnings: [] }
  })

const readErc3009 = (
  rpc: EvmCalls,
  chainId: number,
  request: PermitRequest
): Effect.Effect<PermitFacts, PrepareError> =>
  Effect.gen(function* () {
    const { owner, token } = request
    const ask = makeAsk(rpc, token)
    // any that was not used; contracts that count upwards in the last 64 bits begin with none
    const random = crypto.getRandomValues(new Uint8Array(24))
    const nonce = random.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n) << 64n
    const [domain, state] = yield* Effect.all(
      [findDomain(ask, chainId, request), ask(AUTHORIZATION_STATE, owner, `0x${encodeWord(nonce)}`)],
      { concurrency: "unbounded" }
    )
    if (parseWord(state) !== 0n)
      return yield* invalidArgument(CALL, `${token} has no transferWithAuthorization (ERC-3009)`)
    return { domain, nonce, warnings: [] }
  })

const readPermit2 = (
  rpc: EvmCalls,
  contract: Hex,
  { owner, spender, token }: PermitRequest,
  amount: bigint
): Effect.Effect<PermitFacts, PrepareError> =>
  Effect.gen(function* () {
    const [state, approved] = yield* Effect.all(
      [
        makeAsk(rpc, contract)(PERMIT2_ALLOWANCE, owner, token, spender),
        makeAsk(rpc, token)(ALLOWANCE, owner, contract)
      ],
      { concurrency: "unbounded" }
    )
    // three words: an amount, when it ends, and the nonce
    const nonce = state?.length === 2 + 3 * 64 ? parseWord(`0x${state.slice(-64)}`) : undefined
    if (nonce === undefined)
      return yield* invalidArgument(CALL, `Permit2 is not at ${contract} on this network`)
    return {
      domain: { name: "Permit2" },
      nonce,
      warnings:
        (parseWord(approved) ?? 0n) < amount
          ? [
              `The account has not approved so much to Permit2 (${contract}): nothing can be taken before it does.`
            ]
          : []
    }
  })

/** The last second of a permit. A number of milliseconds would be thousands of years. */
const toSeconds = (until: unknown): bigint | undefined => {
  if (until instanceof Date)
    return Number.isNaN(until.getTime()) ? undefined : BigInt(Math.floor(until.getTime() / 1_000))
  if (typeof until === "bigint") return until
  return typeof until === "number" && Number.isSafeInteger(until) ? BigInt(until) : undefined
}

/** The first second of the year 10000, which fits the 48 bits of Permit2. Dates in milliseconds are above it. */
const YEAR_10000 = 253_402_300_800n

const checkUntil = (until: unknown): Effect.Effect<bigint, PrepareError> =>
  Effect.flatMap(Effect.clock, (clock) => {
    const seconds = toSeconds(until)
    if (seconds === undefined || seconds >= YEAR_10000)
      return Effect.fail(invalidArgument(CALL, "until must be a Date, or Unix seconds before the year 10000"))
    return seconds * 1_000n > BigInt(Math.floor(clock.unsafeCurrentTimeMillis()))
      ? Effect.succeed(seconds)
      : Effect.fail(invalidArgument(CALL, "until is over: nobody could use it"))
  })

/** What a permit gives away, in a sentence. */
const describe = (
  { amount, spender, standard, until }: Pick<PreparedPermit, "amount" | "spender" | "standard" | "until">,
  { decimals, name }: TokenWithDecimals
): string => {
  const end = new Date(Number(until) * 1_000).toISOString()
  const units = `${Units.format(amount, decimals)} ${name}`
  if (standard === "ERC-3009") return `Whoever has it can pay ${spender} ${units}, once, until ${end}.`
  const what = amount >= mostOf[standard] / 2n ? `any amount of ${name}` : `up to ${units}`
  return `It lets ${spender} take ${what} until ${end}, without a transaction of the account.`
}

const checkRequest = (
  { network }: EvmClient,
  row: NetworkRow,
  request: PermitRequest
): Effect.Effect<PermitStandard, PrepareError> => {
  if (!isRecord(request))
    return Effect.fail(invalidArgument(CALL, "it takes { owner, token, spender, amount, until }"))
  const { domain, owner, spender, standard = "ERC-2612", token } = request
  if (domain !== undefined && !isDomain(domain)) return Effect.fail(invalidArgument(CALL, DOMAIN_EXPECTED))
  const check = (address: string) => checkAddress(network, address, findAddressProblem(address, row.chainId))
  return isStandard(standard)
    ? Effect.as(Effect.forEach([owner, spender, token], check), standard)
    : Effect.fail(invalidArgument(CALL, STANDARD_EXPECTED))
}

/**
 * The preview of a permit. Nothing is signed. The domain of a token is compared with the hash that the token tells, so that no permit is signed
 * that nobody can use. Fails with `InvalidArgument` for a token without the standard, and for an `until` that is over.
 *
 * @since 0.1.0
 * @category operations
 */
export const preparePermit = (
  client: EvmClient,
  request: OnThisEffect<PermitRequest>
): Effect.Effect<PreparedPermit, PrepareError> =>
  Effect.gen(function* () {
    const { network, rpc } = client
    const row = yield* loadNetworkRow(network, evmFamilies)
    const { chainId } = row
    if (chainId === undefined)
      return yield* invalidArgument(CALL, `${network} has no chain id, without which nothing can be signed`)
    const standard = yield* checkRequest(client, row, request)
    const until = yield* checkUntil(request.until)
    const { owner, spender, token } = request
    const known = yield* readToken(rpc, row, token, request.decimals)
    const amount = yield* toSmallestUnit(request.amount, known.decimals, known.name)
    if (amount > mostOf[standard])
      return yield* new InvalidAmount({
        amount: String(request.amount),
        reason: `is more than ${standard} can say`
      })
    const { domain, nonce, warnings } = yield* standard === "Permit2"
      ? readPermit2(rpc, permit2Of(row), request, amount)
      : standard === "ERC-3009"
        ? readErc3009(rpc, chainId, request)
        : readErc2612(rpc, chainId, request)
    const terms = { standard, owner, spender, token, amount, until }
    return {
      network,
      chainId,
      ...terms,
      nonce,
      domain,
      outgoing: standard === "ERC-3009" ? [toOutgoing(token, amount, known)] : [],
      warnings: [describe(terms, known), ...warnings, ...known.warnings]
    }
  }).pipe(catchMalformedAnswer)

/** The function that uses a permit, and its arguments. */
const listArguments = (
  { amount, nonce, owner, spender, standard, token, until }: PreparedPermit,
  { r, s, v }: SignatureParts
): readonly [selector: Hex, words: ReadonlyArray<string | bigint>] => {
  if (standard === "ERC-2612") return [PERMIT, [owner, spender, amount, until, v, r, s]]
  if (standard === "ERC-3009")
    return [TRANSFER_WITH_AUTHORIZATION, [owner, spender, amount, 0n, until + 1n, nonce, v, r, s]]
  // the signature is bytes behind eight words: its length, and 65 bytes, the last of which begins a word
  const bytes = [256n, 65n, r, s, v << 248n]
  return [PERMIT2_PERMIT, [owner, token, amount, until, nonce, spender, until, ...bytes]]
}

/** A signature as contracts take it: `v` is 27 or 28, and wallets may write 0 or 1. */
interface SignatureParts {
  readonly r: string
  readonly s: string
  readonly v: bigint
}

const splitSignature = (signature: Hex): SignatureParts => {
  const v = BigInt(`0x${signature.slice(130)}`)
  return { r: signature.slice(2, 66), s: signature.slice(66, 130), v: v < 27n ? v + 27n : v }
}

/** The call of a contract that uses a signed permit. */
const encodeCall = (row: NetworkRow, permit: PreparedPermit, signature: Hex): SignedPermit["call"] => {
  const [selector, words] = listArguments(permit, splitSignature(signature))
  return { to: contractOf(row, permit), data: `${selector}${words.map(encodeWord).join("")}` }
}

/** Why a permit is not signed by an account; undefined if it is. */
const findMismatch = (
  { network }: EvmClient,
  signer: PermitSigner,
  permit: PreparedPermit
): string | undefined =>
  permit.owner.toLowerCase() === signer.address.toLowerCase() &&
  permit.network === signer.network &&
  permit.network === network
    ? undefined
    : `it was prepared for ${permit.owner} on ${permit.network}, and this signer is ${signer.address} on ${signer.network}`

const SIGNATURE = /^0x[0-9a-f]{130}$/i

/**
 * Signs a permit, and has a node try the call that uses it: one that its contract does not take is `SigningFailed`, and is not handed out.
 * A policy that does not name typed data refuses it (`PolicyDenied`).
 *
 * @since 0.1.0
 * @category operations
 */
export const signPermit = (
  client: EvmClient,
  signer: PermitSigner,
  permit: OnThisEffect<PreparedPermit>
): Effect.Effect<SignedPermit, SignPermitError> =>
  Effect.gen(function* () {
    const row = yield* checkPermit("signPermit", permit)
    const problem = findMismatch(client, signer, permit)
    if (problem !== undefined) return yield* invalidArgument("signPermit", problem)
    const signature = yield* signer.signTypedData(buildTypedData(row, permit))
    if (!SIGNATURE.test(signature))
      return yield* new SigningFailed({ reason: "a permit takes a signature of 65 bytes" })
    const call = encodeCall(row, permit, signature)
    yield* Effect.catchTag(client.rpc.call(call), "RpcError", ({ rpcMessage }) =>
      Effect.fail(new SigningFailed({ reason: `${call.to} does not take the permit: ${rpcMessage}` }))
    )
    return { permit, signature, call }
  })
