/**
 * Policies of signers: what an account may pay, to whom, when, and what a person has to confirm. A signer consults its policy before a
 * key, a device or a wallet is asked. What a rule does not allow fails with `PolicyDenied`, which names the rule.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import {
  listOf,
  type OptionCheck,
  oneOf,
  shape,
  shapeWithRequired,
  wholeNumber
} from "../config/optionChecks.js"
import { networkIdOf } from "../data/definedNetworks.js"
import type { OnThisEffect } from "../data/effectVersion.js"
import { leftOf } from "../data/eitherValues.js"
import { loadOnce } from "../data/loadOnce.js"
import type { AnyNetwork, NetworkRow } from "../data/Network.js"
import {
  type InvalidAmount,
  InvalidArgument,
  kindOf,
  type LoadError,
  PolicyDenied,
  reasonOf
} from "../data/SdkError.js"
import { selectorOf } from "../data/selector.js"
import * as Units from "../data/Units.js"
import { isRecord } from "../data/untrusted.js"
import type * as Addresses from "./addresses.js"
import type { ContractCall, Policy, PolicyRequest, Prepared } from "./Signer.js"
import { findNetworkRow, toSmallestUnit } from "./signerChecks.js"

export type { ContractCall, Policy, PolicyRequest, WithPolicy } from "./Signer.js"

/**
 * An amount of an asset of a network: its coin, or a `token` (contract, mint or asset). A decimal string is in whole coins or tokens, a
 * bigint in the smallest unit. A decimal string of a token needs its `decimals`, since a node could name others.
 *
 * @since 0.1.0
 * @category models
 */
export interface AssetAmount {
  readonly network: AnyNetwork
  readonly token?: string
  readonly decimals?: number
  readonly amount: string | bigint
}

/**
 * A limit of an asset: for each payment, or, with `per`, for all payments in the latest span of that length. Coins that are paid count
 * with the highest fee, and fees of tokens count as coins. An asset without a limit is not paid.
 *
 * @since 0.1.0
 * @category models
 */
export interface SpendingLimit extends AssetAmount {
  readonly per?: Duration.DurationInput
}

/**
 * A contract that may be called, with all its methods, or those in `methods`: their signatures (`"approve(address,uint256)"`), or their
 * first four bytes as hexadecimal with 0x. On Solana it is a program, and methods are the first one to eight bytes of its instructions: a
 * transaction is signed if each program that it calls is allowed.
 *
 * @since 0.1.0
 * @category models
 */
export interface AllowedContract {
  readonly network: AnyNetwork
  readonly address: string
  readonly methods?: ReadonlyArray<string>
}

/**
 * Hours of the day (`"08:00"` to `"17:30"`, or over midnight) in which something is signed, on these `days` (default: all), in a time zone
 * of the IANA (default: `"UTC"`).
 *
 * @since 0.1.0
 * @category models
 */
export interface SigningHours {
  readonly from: string
  readonly to: string
  readonly days?: ReadonlyArray<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">
  readonly timeZone?: string
}

/**
 * What is signed only if `ask` says yes: payments of at least an amount in `from`, and all else that has no amount (calls of contracts,
 * messages). Without `from` that is everything. What `ask` throws is no.
 *
 * @since 0.1.0
 * @category models
 */
export interface Confirmation {
  readonly from?: ReadonlyArray<AssetAmount>
  readonly ask: (request: PolicyRequest) => boolean | Promise<boolean>
}

/**
 * The rules of a policy. A rule that is absent does not restrict payments. Calls of contracts, and signatures without a preview, are refused
 * unless `contracts` and `signing` allow them, since nobody can tell what they give away.
 *
 * - `limits`: the most of each asset. Other assets are not paid.
 * - `recipients`: who may be paid, by network, in any spelling of an address. Nobody is paid on a network that is not there, but for the account
 *   itself, which a cancellation pays.
 * - `contracts`: what may be called. Transfers of tokens by `sendToken` are payments, and no calls.
 * - `signing`: what may be signed without a preview.
 * - `hours`: when.
 * - `confirmation`: what somebody has to confirm.
 *
 * @since 0.1.0
 * @category models
 */
export interface PolicyRules {
  readonly limits?: ReadonlyArray<SpendingLimit>
  readonly recipients?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly contracts?: ReadonlyArray<AllowedContract>
  readonly signing?: ReadonlyArray<"transactions" | "messages" | "typedData">
  readonly hours?: SigningHours
  readonly confirmation?: Confirmation
}

/**
 * A part of a payment that counts against a limit: `amount` is added under `key`, if all that was added there in the latest `windowMs`
 * milliseconds stays within `most`. Amounts are in the smallest unit.
 *
 * @since 0.1.0
 * @category models
 */
export interface SpendingClaim {
  readonly key: string
  readonly amount: bigint
  readonly most: bigint
  readonly windowMs: number
}

/**
 * What became of claims. If one is `exceeded`, none was added, and `spent` is what its key has. `release` takes back what was added, for a
 * payment that was not made.
 *
 * @since 0.1.0
 * @category models
 */
export interface SpendingReservation {
  readonly exceeded?: SpendingClaim & { readonly spent: bigint }
  readonly release: Effect.Effect<void>
}

/**
 * Where spent amounts are counted: by default in the memory of this process, from zero with each start. `reserve` adds all claims or none,
 * at once for all who share the store. If it fails, nothing is paid.
 *
 * @since 0.1.0
 * @category models
 */
export interface SpendingStore {
  readonly reserve: (claims: ReadonlyArray<SpendingClaim>) => Effect.Effect<SpendingReservation, Error>
}

/**
 * The options of a policy: where it counts.
 *
 * @since 0.1.0
 * @category models
 */
export interface PolicyOptions {
  readonly store?: SpendingStore
}

/** An amount whose unit is known. */
interface ReadAmount {
  readonly network: string
  readonly token: string | undefined
  readonly units: bigint
  readonly decimals: number
  readonly symbol: string
}

interface ReadLimit extends ReadAmount {
  readonly windowMs: number | undefined
}

interface ReadRules {
  readonly isSame: ReturnType<typeof isSameOn>
  readonly recipients: PolicyRules["recipients"]
  readonly signing: PolicyRules["signing"]
  readonly hours: (SigningHours & { readonly format: Intl.DateTimeFormat }) | undefined
  readonly limits: ReadonlyArray<ReadLimit> | undefined
  readonly contracts: ReadonlyArray<
    AllowedContract & { readonly selectors: ReadonlyArray<string> | undefined }
  >
  readonly confirmation:
    | (Pick<Confirmation, "ask"> & { readonly from: ReadonlyArray<ReadAmount> | undefined })
    | undefined
}

/**
 * The errors of making a policy: its rules cannot be used.
 *
 * @since 0.1.0
 * @category errors
 */
export type PolicyError = InvalidArgument | InvalidAmount | LoadError

const CALL = "policy"

/** Milliseconds since 1970: a store that other processes share has no other clock. */
const timeOfDay: Effect.Effect<number> = /*#__PURE__*/ Effect.map(Effect.clock, (clock) =>
  clock.unsafeCurrentTimeMillis()
)

const refuseRules = (reason: string): Effect.Effect<never, InvalidArgument> =>
  Effect.fail(new InvalidArgument({ call: CALL, reason }))

/** The spellings of addresses, which are those of all families. */
type Spellings = Pick<typeof Addresses, "spellAddress">

const spellings: Effect.Effect<Spellings, LoadError> = /*#__PURE__*/ loadOnce(
  () => import("./addresses.js"),
  Effect.succeed
)

const HEX_ADDRESS = /^0x[0-9a-f]+$/i

/** Whether two texts are one address or token of a network, in whatever spelling. Not every token is an address. */
const isSameOn =
  ({ spellAddress }: Spellings) =>
  (network: string, one: string, other: string): boolean => {
    if (one === other || (HEX_ADDRESS.test(one) && one.toLowerCase() === other.toLowerCase())) return true
    const spelled = spellAddress(one, network)
    return spelled !== undefined && spelled === spellAddress(other, network)
  }

const rowOf = (network: string): Effect.Effect<NetworkRow, InvalidArgument | LoadError> =>
  Effect.flatMap(findNetworkRow(network), (row) =>
    row === undefined ? refuseRules(`${network} is no network of this package`) : Effect.succeed(row)
  )

const readAmount = (given: AssetAmount): Effect.Effect<ReadAmount, PolicyError> =>
  Effect.gen(function* () {
    const { amount, decimals, token } = given
    const network = networkIdOf(given.network)
    const row = yield* rowOf(network)
    if (token === undefined) {
      const units = yield* toSmallestUnit(amount, row.decimals, row.symbol)
      return { network, token, units, decimals: row.decimals, symbol: row.symbol }
    }
    if (typeof amount === "string" && !(Number.isInteger(decimals) && Number(decimals) >= 0))
      return yield* refuseRules(
        `the amount ${amount} of the token ${token} needs its decimals, or is a bigint in the smallest unit`
      )
    const units = yield* toSmallestUnit(amount, decimals ?? 0, token)
    return { network, token, units, decimals: decimals ?? 0, symbol: `of ${token}` }
  })

const readWindow = (
  per: Duration.DurationInput | undefined
): Effect.Effect<number | undefined, InvalidArgument> => {
  if (per === undefined) return Effect.succeed(undefined)
  return Effect.flatMap(
    Effect.try({ try: () => Duration.toMillis(per), catch: () => undefined }).pipe(
      Effect.orElseSucceed(() => Number.NaN)
    ),
    (windowMs) =>
      Number.isFinite(windowMs) && windowMs > 0
        ? Effect.succeed(windowMs)
        : refuseRules(`per is a duration such as "1 day": ${String(per)}`)
  )
}

/** The first bytes of a method's call: four, and on Solana, where programs choose how many they have, one to eight. */
const readSelector = (method: string, isSolana: boolean): string | undefined => {
  if ((isSolana ? /^0x([0-9a-f]{2}){1,8}$/i : /^0x[0-9a-f]{8}$/i).test(method)) return method.toLowerCase()
  return !isSolana && /^\w+\([\w,()[\]]*\)$/.test(method) ? `0x${selectorOf(method)}` : undefined
}

/** An address that no preview ever has would be a rule that nobody means. */
const checkAddress = (
  { spellAddress }: Spellings,
  rule: string,
  network: string,
  address: string
): Effect.Effect<void, InvalidArgument> =>
  spellAddress(address, network) === undefined
    ? refuseRules(`${rule} has ${address}, which is no address of ${network}`)
    : Effect.void

const readContract = (
  given: AllowedContract
): Effect.Effect<ReadRules["contracts"][number], InvalidArgument | LoadError> =>
  Effect.gen(function* () {
    const { address, methods, network } = given
    yield* rowOf(networkIdOf(network))
    yield* checkAddress(yield* spellings, "contracts", networkIdOf(network), address)
    if (methods === undefined) return { ...given, selectors: undefined }
    const { family } = yield* rowOf(networkIdOf(network))
    const isSolana = family === "solana"
    const selectors: Array<string> = []
    for (const method of methods) {
      const selector = readSelector(method, isSolana)
      if (selector === undefined)
        return yield* refuseRules(
          `${method} is no method: it is ${isSolana ? "0x and the first 1 to 8 bytes of an instruction" : 'such as "approve(address,uint256)", or 0x and 8 digits'}`
        )
      selectors.push(selector)
    }
    return { ...given, selectors }
  })

const KINDS = { transaction: "transactions", message: "messages", typedData: "typedData" } as const

const DAYS: ReadonlyArray<string> = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

const HOUR = /^([01]\d|2[0-3]):[0-5]\d$/

const readHours = (hours: SigningHours): Effect.Effect<NonNullable<ReadRules["hours"]>, InvalidArgument> => {
  const { from, timeZone = "UTC", to } = hours
  if (!(HOUR.test(from) && HOUR.test(to)))
    return refuseRules(`hours are such as "08:00" to "17:30": ${from} to ${to}`)
  return Effect.try({
    try: () => ({
      ...hours,
      format: new Intl.DateTimeFormat("en-GB", {
        timeZone,
        weekday: "short",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23"
      })
    }),
    catch: (error) => new InvalidArgument({ call: CALL, reason: reasonOf(error) })
  })
}

const anything: OptionCheck = () => undefined

const text: OptionCheck = (value) =>
  typeof value === "string" ? undefined : `must be text, not ${kindOf(value)}`

const network: OptionCheck = (value) =>
  typeof value === "string" || isRecord(value) ? undefined : `must be a network, not ${kindOf(value)}`

const amountFields = [
  { network, amount: anything },
  { token: text, decimals: wholeNumber }
] as const

/** Mistyped fields are refused: they would be rules that do not hold. */
const checkRules = /*#__PURE__*/ shape({
  limits: /*#__PURE__*/ listOf(
    /*#__PURE__*/ shapeWithRequired(amountFields[0], { ...amountFields[1], per: anything })
  ),
  recipients: (value, path) =>
    isRecord(value)
      ? listOf(listOf(text))(Object.values(value), path)
      : `must be addresses by network, not ${kindOf(value)}`,
  contracts: /*#__PURE__*/ listOf(
    /*#__PURE__*/ shapeWithRequired({ network, address: text }, { methods: listOf(text) })
  ),
  signing: /*#__PURE__*/ listOf(oneOf(...Object.values(KINDS))),
  hours: /*#__PURE__*/ shapeWithRequired(
    { from: text, to: text },
    { days: listOf(oneOf(...DAYS)), timeZone: text }
  ),
  confirmation: /*#__PURE__*/ shapeWithRequired(
    {
      ask: (value) => (typeof value === "function" ? undefined : `must be a function, not ${kindOf(value)}`)
    },
    { from: listOf(shapeWithRequired(...amountFields)) }
  )
})

const readRules = (rules: PolicyRules): Effect.Effect<ReadRules, PolicyError> =>
  Effect.gen(function* () {
    const [issue] = checkRules(rules, "")
    if (issue !== undefined)
      return yield* refuseRules(`${issue.path === "" ? "rules" : issue.path} ${issue.message}`)
    const { confirmation, contracts = [], hours, limits, recipients, signing } = rules
    const known = yield* spellings
    for (const [network, addresses] of Object.entries(recipients ?? {})) {
      yield* rowOf(network)
      for (const address of addresses) yield* checkAddress(known, "recipients", network, address)
    }
    return {
      isSame: isSameOn(known),
      recipients,
      signing,
      hours: hours === undefined ? undefined : yield* readHours(hours),
      limits:
        limits === undefined
          ? undefined
          : yield* Effect.forEach(limits, (limit) =>
              Effect.flatMap(readAmount(limit), (read) =>
                Effect.map(readWindow(limit.per), (windowMs) => ({ ...read, windowMs }))
              )
            ),
      contracts: yield* Effect.forEach(contracts, readContract),
      confirmation:
        confirmation === undefined
          ? undefined
          : {
              ask: confirmation.ask,
              from:
                confirmation.from === undefined
                  ? undefined
                  : yield* Effect.forEach(confirmation.from, readAmount)
            }
    }
  })

/** The largest of what a preview says of an amount: none of it can make a payment look smaller than it is. */
const largest = (amounts: ReadonlyArray<bigint | undefined>): bigint =>
  amounts.reduce<bigint>((most, each) => (each !== undefined && each > most ? each : most), 0n)

/** Whether a token, or the coin, is that of an amount of its network. */
const isAssetOf = (
  { isSame }: Pick<ReadRules, "isSame">,
  { network, token }: Pick<ReadAmount, "network" | "token">,
  other: string | undefined
): boolean => (token === undefined || other === undefined ? token === other : isSame(network, token, other))

/** The most that a payment takes of an asset of its network. */
const spentOf = (
  rules: Pick<ReadRules, "isSame">,
  { amount, fee, from, outgoing, to, token }: Prepared<unknown>,
  asset: Pick<ReadAmount, "network" | "token" | "decimals">
): bigint => {
  const isAsset = (other: string | undefined): boolean => isAssetOf(rules, asset, other)
  const listed = outgoing
    .filter((each) => isAsset(each.token))
    .map((each) => each.units ?? Option.getOrUndefined(Units.parse(each.amount, asset.decimals)))
  // what the account pays itself stays: a cancellation on Bitcoin pays everything back
  const paid = isAsset(token) && !rules.isSame(asset.network, from, to) ? amount : 0n
  return largest([asset.token === undefined ? paid + fee : paid, ...listed])
}

const show = ({ decimals, symbol }: ReadAmount, units: bigint): string =>
  `${Units.format(units, decimals)} ${symbol}`

/** The rule that refuses a request, and what it allows. */
type Refusal = Pick<PolicyDenied, "rule" | "reason">

const refuse = (rule: string, reason: string): Refusal => ({ rule, reason })

const findSigningRefusal = ({ signing = [] }: ReadRules, kind: keyof typeof KINDS): Refusal | undefined =>
  signing.includes(KINDS[kind])
    ? undefined
    : refuse(
        "signing",
        `nothing without a preview is signed, unless signing has ${JSON.stringify(KINDS[kind])}`
      )

const minutesOf = (hour: string): number => Number(hour.slice(0, 2)) * 60 + Number(hour.slice(3))

/** Hours over midnight belong to the day on which they begin. */
const findHoursRefusal = ({ hours }: ReadRules, now: number): Refusal | undefined => {
  if (hours === undefined) return undefined
  const { days = DAYS, format, from, timeZone = "UTC", to } = hours
  const parts = format.formatToParts(now)
  const part = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((each) => each.type === type)?.value ?? ""
  const minute = minutesOf(`${part("hour")}:${part("minute")}`)
  const today = DAYS.indexOf(part("weekday").toLowerCase())
  const [begin, end] = [minutesOf(from), minutesOf(to)]
  const isAfterMidnight = end <= begin && minute < end
  const day = DAYS[(today + (isAfterMidnight ? 6 : 0)) % 7]
  const isOpen = end > begin ? minute >= begin && minute < end : minute >= begin || minute < end
  return isOpen && days.some((each) => each === day)
    ? undefined
    : refuse("hours", `it signs from ${from} to ${to} (${timeZone}) on ${days.join(", ")}`)
}

const findRecipientRefusal = (
  { isSame, recipients }: ReadRules,
  { from, network, to }: Prepared<unknown>
): Refusal | undefined => {
  // a cancellation pays nothing to the account itself
  if (recipients === undefined || isSame(network, from, to)) return undefined
  const known = Object.hasOwn(recipients, network) ? (recipients[network] ?? []) : []
  return known.some((each) => isSame(network, each, to))
    ? undefined
    : refuse("recipient", `${to} is none of the ${known.length} recipients on ${network}`)
}

const findContractRefusal = (
  { contracts, isSame }: ReadRules,
  network: string,
  { contract, method }: ContractCall
): Refusal | undefined => {
  const allowed =
    contract !== undefined &&
    contracts.some(
      ({ address, network: on, selectors }) =>
        networkIdOf(on) === network &&
        isSame(network, address, contract) &&
        (selectors?.some((selector) => method.startsWith(selector)) ?? true)
    )
  return allowed
    ? undefined
    : refuse("contract", `${method} of ${contract ?? "a new contract"} is none of the calls in contracts`)
}

/** What refuses a payment, apart from its amounts. */
const findPaymentRefusal = (
  rules: ReadRules,
  {
    call,
    calls = call === undefined ? [] : [call],
    network,
    prepared
  }: Extract<PolicyRequest, { readonly kind: "payment" }>
): Refusal | undefined =>
  calls.length === 0
    ? findRecipientRefusal(rules, prepared)
    : calls.map((each) => findContractRefusal(rules, network, each)).find((each) => each !== undefined)

/** A claim, with the limit that it comes of. */
interface LimitedClaim extends SpendingClaim {
  readonly limit: ReadLimit
}

/** Of limits that count the same, the lowest is the one that holds: an amount is added once. */
const addClaim = (claims: Map<string, LimitedClaim>, claim: LimitedClaim): void => {
  const before = claims.get(claim.key)
  if (before === undefined || claim.most < before.most) claims.set(claim.key, claim)
}

/** The parts of a payment that its limits count, or the limit that refuses it alone. */
const readClaims = (
  rules: Pick<ReadRules, "isSame">,
  limits: ReadonlyArray<ReadLimit>,
  prepared: Prepared<unknown>
): Refusal | ReadonlyArray<LimitedClaim> => {
  const { network, outgoing, token } = prepared
  const claims = new Map<string, LimitedClaim>()
  // the coin pays the fee, and a call may take other tokens
  for (const asset of new Set([undefined, token, ...outgoing.map((each) => each.token)])) {
    const own = limits.filter((limit) => limit.network === network && isAssetOf(rules, limit, asset))
    if (own.length === 0)
      return refuse(
        "limit",
        `${asset === undefined ? `the coin of ${network}` : asset} has no limit, so that none of it is paid`
      )
    for (const limit of own) {
      const amount = spentOf(rules, prepared, limit)
      if (amount > limit.units)
        return refuse(
          "limit",
          `it takes up to ${show(limit, amount)}, and at most ${show(limit, limit.units)} are allowed`
        )
      if (limit.windowMs !== undefined)
        addClaim(claims, {
          key: `${network} ${limit.token ?? "coin"} ${limit.windowMs}`,
          amount,
          most: limit.units,
          windowMs: limit.windowMs,
          limit
        })
    }
  }
  return [...claims.values()]
}

const isRefusal = (found: Refusal | ReadonlyArray<LimitedClaim>): found is Refusal => "rule" in found

const NOTHING: SpendingReservation = { release: Effect.void }

/** Adds a payment to its limits. */
const reserve = (
  rules: ReadRules,
  store: SpendingStore,
  prepared: Prepared<unknown>
): Effect.Effect<SpendingReservation, Refusal> => {
  const { limits } = rules
  if (limits === undefined) return Effect.succeed(NOTHING)
  const claims = readClaims(rules, limits, prepared)
  if (isRefusal(claims)) return Effect.fail(claims)
  if (claims.length === 0) return Effect.succeed(NOTHING)
  return Effect.flatMap(
    Effect.mapError(store.reserve(claims.map(({ limit: _, ...claim }) => claim)), (error) =>
      refuse("limit", `what was spent is not known: ${reasonOf(error)}`)
    ),
    (made) => {
      const { exceeded } = made
      if (exceeded === undefined) return Effect.succeed(made)
      const limit = claims.find(({ key }) => key === exceeded.key)?.limit
      const shown = (units: bigint): string => (limit === undefined ? `${units}` : show(limit, units))
      return Effect.fail(
        refuse(
          "limit",
          `it takes up to ${shown(exceeded.amount)}, and of ${shown(exceeded.most)} in ${exceeded.windowMs / 1_000} seconds ${shown(exceeded.spent)} are spent`
        )
      )
    }
  )
}

/** Whether somebody has to confirm a request. */
const isAsked = (
  rules: Pick<ReadRules, "isSame">,
  { from }: { readonly from: ReadonlyArray<ReadAmount> | undefined },
  request: PolicyRequest
): boolean => {
  if (from === undefined || request.kind !== "payment" || request.call !== undefined) return true
  const { prepared } = request
  return from.some(
    (amount) => amount.network === prepared.network && spentOf(rules, prepared, amount) >= amount.units
  )
}

const confirm = (rules: ReadRules, request: PolicyRequest): Effect.Effect<void, Refusal> => {
  const { confirmation } = rules
  return confirmation === undefined || !isAsked(rules, confirmation, request)
    ? Effect.void
    : Effect.flatMap(
        Effect.tryPromise({
          try: async () => confirmation.ask(request),
          catch: (error) => refuse("confirmation", `it could not be confirmed: ${reasonOf(error)}`)
        }),
        (isConfirmed) =>
          isConfirmed === true ? Effect.void : Effect.fail(refuse("confirmation", "it was not confirmed"))
      )
}

/** The errors after which a payment may have been made, or its fee is spent. */
const SPENDING = [
  "BroadcastUnclear",
  "WalletUnclear",
  "TransactionFailed",
  "TransactionNotConfirmed",
  "TransactionReplaced"
]

/** Whether a signature may have been used: an interrupted signer may have signed. */
const mayBePaid = (exit: Exit.Exit<unknown, unknown>): boolean => {
  if (Exit.isSuccess(exit)) return true
  const error = Cause.failureOrCause(exit.cause)
  if (Either.isRight(error)) return true
  const failure: unknown = leftOf(error)
  return isRecord(failure) && SPENDING.some((tag) => tag === failure._tag)
}

/** What refuses a request at once. */
const findRefusal = (rules: ReadRules, request: PolicyRequest, now: number): Refusal | undefined =>
  findHoursRefusal(rules, now) ??
  (request.kind === "payment" ? findPaymentRefusal(rules, request) : findSigningRefusal(rules, request.kind))

/**
 * Counts spent amounts in the memory of this process.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeMemoryStore = (): SpendingStore => {
  const spent = new Map<string, ReadonlyArray<{ readonly at: number; readonly amount: bigint }>>()
  return {
    reserve: (claims) =>
      Effect.map(timeOfDay, (at) => {
        const sums = claims.map((claim) => {
          const recent = (spent.get(claim.key) ?? []).filter((each) => each.at > at - claim.windowMs)
          spent.set(claim.key, recent)
          return { claim, spent: recent.reduce((sum, { amount }) => sum + amount, 0n) }
        })
        const exceeded = sums.find(({ claim, spent: before }) => before + claim.amount > claim.most)
        if (exceeded !== undefined)
          return { ...NOTHING, exceeded: { ...exceeded.claim, spent: exceeded.spent } }
        const added = claims.map(({ amount, key }) => ({ key, entry: { at, amount } }))
        for (const { entry, key } of added) spent.set(key, [...(spent.get(key) ?? []), entry])
        return {
          release: Effect.sync(() => {
            for (const { entry, key } of added)
              spent.set(
                key,
                (spent.get(key) ?? []).filter((each) => each !== entry)
              )
          })
        }
      })
  }
}

/**
 * Makes a policy. Give it to signers as `policy`, beside what they are made from; all signers with one policy share its limits.
 *
 * ```ts
 * const policy = yield* make({
 *   limits: [
 *     { network: "ethereum-mainnet", amount: "0.5" },
 *     { network: "ethereum-mainnet", amount: "2", per: "1 day" }
 *   ],
 *   recipients: { "ethereum-mainnet": ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"] }
 * })
 * ```
 *
 * A payment counts when it is signed, and no more if it was not sent. A replacement counts as a payment of its own.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  rules: OnThisEffect<PolicyRules>,
  options: PolicyOptions = {}
): Effect.Effect<Policy, PolicyError> =>
  Effect.map(readRules(rules), (read): Policy => {
    const { store = makeMemoryStore() } = options
    return {
      authorize: (request, signing) => {
        const denied = ({ reason, rule }: Refusal): PolicyDenied =>
          new PolicyDenied({ network: request.network, address: request.address, rule, reason })
        let isSigning = false
        const confirmed = Effect.mapError(confirm(read, request), denied)
        const begun = Effect.suspend(() => {
          isSigning = true
          return signing
        })
        return Effect.acquireUseRelease(
          Effect.flatMap(timeOfDay, (now) => {
            const refusal = findRefusal(read, request, now)
            if (refusal !== undefined) return Effect.fail(denied(refusal))
            return request.kind === "payment"
              ? Effect.mapError(reserve(read, store, request.prepared), denied)
              : Effect.succeed(NOTHING)
          }),
          () => Effect.zipRight(confirmed, begun),
          ({ release }, exit) => (isSigning && mayBePaid(exit) ? Effect.void : release)
        )
      }
    }
  })
