/** Payments of Cosmos with the coins or the fees of another account, and what allows them. Loaded with the first of them. */
import * as Effect from "effect/Effect"
import { InsufficientFunds, type InvalidAddress } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import { minOf, requireWhole } from "../evidence.js"
import type { Payment, Prepared, PrepareError, ReadError } from "../Signer.js"
import { checkAddress, checkBalance, checkFeeCap, invalidArgument, isSweep } from "../signerChecks.js"
import { addressProblem } from "./address.js"
import { encodeGranted } from "./grantMessages.js"
import { describeGrant } from "./grantTexts.js"
import { prepare, readPaidAsset, type SignerContext, simulateGas } from "./payments.js"
import {
  readAccountNumbers,
  readFeeFunctions,
  readHeight,
  readSpendable,
  undefinedIfMissing
} from "./reading.js"
import type { CosmosGrant, CosmosGrantedPayment, CosmosGrantRequest, CosmosTransaction } from "./Types.js"

const PAYMENT = "/cosmos.bank.v1beta1.MsgSend"
const EXECUTION = "/cosmos.authz.v1beta1.MsgExec"

const refuse = (call: string, reason: string) => Effect.fail(invalidArgument(call, reason))

const nowSeconds = /*#__PURE__*/ Effect.map(Effect.clock, (clock) => clock.unsafeCurrentTimeMillis() / 1_000)

/** An address of the network, in small letters. */
const checkParty = ({ network }: SignerContext, address: string): Effect.Effect<string, InvalidAddress> =>
  Effect.map(checkAddress(network, address, addressProblem(address, network)), (valid) => valid.toLowerCase())

/** What a grant leaves of a coin: no limit if undefined. */
type Limit = bigint | undefined

/** The amount of a coin in a list of a grant, where an empty list is no limit. Lists that are none are malformed. */
const limitIn = (coins: unknown, denom: string, call: string): Effect.Effect<Limit, ReadError> => {
  if (coins === undefined || coins === null) return Effect.succeed(undefined)
  if (!Array.isArray(coins)) return requireWhole(call, "the limit", coins)
  const found: unknown = coins.find((coin) => isRecord(coin) && coin.denom === denom)
  if (found === undefined) return Effect.succeed(coins.length === 0 ? undefined : 0n)
  return requireWhole(call, "the limit", isRecord(found) ? found.amount : undefined)
}

const leastOf = (one: Limit, other: Limit): Limit =>
  one === undefined ? other : other === undefined ? one : minOf(one, other)

/** Whether a time of a grant is over; one without a time never is. */
const isOver = (time: unknown, now: number): boolean =>
  typeof time === "string" && !(Date.parse(time) / 1_000 > now)

const toRecord = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})

/** What an allowance leaves for the fee of a transaction of a type. */
const readAllowanceLimit = (
  allowance: Readonly<Record<string, unknown>>,
  { denom, now, type }: { readonly denom: string; readonly now: number; readonly type: string }
): Effect.Effect<Limit, PrepareError> =>
  Effect.gen(function* () {
    const call = "getAllowance"
    switch (allowance["@type"]) {
      case "/cosmos.feegrant.v1beta1.AllowedMsgAllowance": {
        const allowed = allowance.allowed_messages
        return Array.isArray(allowed) && allowed.includes(type)
          ? yield* readAllowanceLimit(toRecord(allowance.allowance), { denom, now, type })
          : yield* refuse("prepareGranted", `feeGranter: its allowance is not for ${type}`)
      }
      case "/cosmos.feegrant.v1beta1.BasicAllowance":
        return isOver(allowance.expiration, now)
          ? yield* refuse(
              "prepareGranted",
              `feeGranter: its allowance was over at ${String(allowance.expiration)}`
            )
          : yield* limitIn(allowance.spend_limit, denom, call)
      case "/cosmos.feegrant.v1beta1.PeriodicAllowance": {
        const basic = { ...toRecord(allowance.basic), "@type": "/cosmos.feegrant.v1beta1.BasicAllowance" }
        const whole = yield* readAllowanceLimit(basic, { denom, now, type })
        const isNew = isOver(allowance.period_reset, now)
        // a list without the coin allows none of it here
        const coins = isNew ? allowance.period_spend_limit : allowance.period_can_spend
        const period = (yield* limitIn(coins, denom, call)) ?? 0n
        return leastOf(whole, period)
      }
      default:
        return yield* refuse(
          "prepareGranted",
          `feeGranter: its allowance is of a kind that is not known here: ${String(allowance["@type"])}`
        )
    }
  })

/** What an account may spend of another's coins on the fee of a transaction. */
const readFeeLimit = (
  { address, chain, rpc }: SignerContext,
  granter: string,
  type: string,
  now: number
): Effect.Effect<Limit, PrepareError> =>
  Effect.gen(function* () {
    const answer = yield* undefinedIfMissing(rpc.getAllowance({ granter, grantee: address }))
    if (answer === undefined)
      return yield* refuse("prepareGranted", `feeGranter: ${granter} has granted ${address} no fees`)
    return yield* readAllowanceLimit(toRecord(answer.allowance.allowance), { denom: chain.denom, now, type })
  })

/** What an account may pay of another's coins to a receiver. */
const readPaymentLimit = (
  { address, rpc }: SignerContext,
  granter: string,
  { denom, now, to }: { readonly denom: string; readonly now: number; readonly to: string }
): Effect.Effect<Limit, PrepareError> =>
  Effect.gen(function* () {
    const call = "prepareGranted"
    const answer = yield* undefinedIfMissing(
      rpc.getGrants({ granter, grantee: address, msg_type_url: PAYMENT })
    )
    const [grant] = answer?.grants ?? []
    if (grant === undefined)
      return yield* refuse(call, `onBehalfOf: ${granter} has granted ${address} no payments`)
    if (isOver(grant.expiration, now))
      return yield* refuse(call, `onBehalfOf: its grant was over at ${grant.expiration}`)
    const { allow_list: allowed, msg, spend_limit, "@type": type } = grant.authorization
    if (type === "/cosmos.authz.v1beta1.GenericAuthorization" && msg === PAYMENT) return undefined
    if (type !== "/cosmos.bank.v1beta1.SendAuthorization")
      return yield* refuse(call, `onBehalfOf: its grant is of a kind that is not known here: ${type}`)
    if (Array.isArray(allowed) && allowed.length > 0 && !allowed.includes(to))
      return yield* refuse(call, `onBehalfOf: its grant is not for payments to ${to}`)
    return (yield* limitIn(spend_limit, denom, "getGrants")) ?? 0n
  })

/** Refuses more than a grant leaves. */
const checkLimit = (
  limit: Limit,
  needed: bigint,
  {
    asset,
    decimals,
    granter
  }: { readonly asset: string; readonly decimals: number; readonly granter: string }
): Effect.Effect<void, InsufficientFunds> =>
  limit === undefined || needed <= limit
    ? Effect.void
    : Effect.fail(
        new InsufficientFunds({
          address: granter,
          asset: `${asset} (granted)`,
          needed: Units.format(needed, decimals),
          available: Units.format(limit, decimals)
        })
      )

/** The other accounts of a payment, and what their grants leave. */
interface ReadGrants {
  readonly payer: string | undefined
  readonly fees: Limit
  readonly owner: string | undefined
  readonly coins: Limit
}

const readGrants = (
  context: SignerContext,
  { feeGranter, onBehalfOf, to: given, token }: CosmosGrantedPayment
): Effect.Effect<ReadGrants, PrepareError> =>
  Effect.gen(function* () {
    const { address, chain, rpc } = context
    const payer = feeGranter === undefined ? undefined : yield* checkParty(context, feeGranter)
    const owner = onBehalfOf === undefined ? undefined : yield* checkParty(context, onBehalfOf)
    if (payer === address || owner === address)
      return yield* refuse("prepareGranted", "feeGranter and onBehalfOf are other accounts than the signer's")
    const to = yield* checkParty(context, given)
    const now = yield* nowSeconds
    yield* readHeight(rpc, chain)
    const type = owner === undefined ? PAYMENT : EXECUTION
    const none = Effect.succeed(undefined)
    const [fees, coins] = yield* Effect.all(
      [
        payer === undefined ? none : readFeeLimit(context, payer, type, now),
        owner === undefined
          ? none
          : readPaymentLimit(context, owner, { denom: token ?? chain.denom, now, to })
      ],
      { concurrency: "unbounded" }
    )
    return { payer, fees, owner, coins }
  })

/** The preview of a payment with the coins, or the fee, of another account. */
export const prepareGranted = (
  context: SignerContext,
  request: CosmosGrantedPayment
): Effect.Effect<Prepared<CosmosTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { row } = context
    if (!isRecord(request) || (request.feeGranter === undefined && request.onBehalfOf === undefined))
      return yield* refuse(
        "prepareGranted",
        "a payment is { to, amount, feeGranter, onBehalfOf }, of which one is needed"
      )
    const { feeGranter: _, onBehalfOf: __, ...payment } = request
    const { coins, fees, owner, payer } = yield* readGrants(context, request)
    const prepared = yield* prepare(context, payment, {
      ...(payer === undefined ? {} : { feeGranter: payer }),
      ...(owner === undefined ? {} : { onBehalfOf: owner, encode: encodeGranted })
    })
    const { amount, fee, outgoing } = prepared
    const { token } = payment
    const decimals = outgoing[0]?.decimals ?? (token === undefined ? row.decimals : 0)
    if (owner !== undefined)
      yield* checkLimit(coins, amount, { asset: token ?? row.symbol, decimals, granter: owner })
    if (payer !== undefined)
      yield* checkLimit(fees, fee, { asset: row.symbol, decimals: row.decimals, granter: payer })
    return {
      ...prepared,
      warnings: [
        ...(owner === undefined
          ? []
          : [`The coins are those of ${owner}, which has granted this account such payments.`]),
        ...(payer === undefined ? [] : [`${payer} pays the fee, by an allowance of this account.`]),
        ...prepared.warnings
      ]
    }
  })

/** Whether an account has granted another one something. */
const isGranted = (
  { address: granter, rpc }: SignerContext,
  kind: CosmosGrantRequest["kind"],
  grantee: string
) =>
  kind === "fees"
    ? Effect.map(undefinedIfMissing(rpc.getAllowance({ granter, grantee })), (found) => found !== undefined)
    : Effect.map(
        undefinedIfMissing(rpc.getGrants({ granter, grantee, msg_type_url: PAYMENT })),
        (found) => (found?.grants ?? []).length > 0
      )

/** The end of a grant, in seconds since 1970. */
const readEnd = (expires: unknown, now: number) => {
  if (expires === undefined) return Effect.succeed(undefined)
  const seconds = expires instanceof Date ? Math.floor(expires.getTime() / 1_000) : Number.NaN
  return seconds > now
    ? Effect.succeed(seconds)
    : refuse("prepareGrant", "expires must be a Date in the future")
}

const takes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "grant fees": ["spendLimit", "expires"],
  "grant payments": ["spendLimit", "expires", "token", "decimals", "recipients"],
  "revoke fees": [],
  "revoke payments": []
}

/** What is wrong with the form of a request; undefined if nothing is. */
const requestProblem = (request: CosmosGrantRequest): string | undefined => {
  if (!isRecord(request)) return "it takes { action, kind, grantee, spendLimit }"
  const { action, kind } = request
  const taken = takes[`${String(action)} ${String(kind)}`]
  if (taken === undefined) return "action must be grant or revoke, and kind fees or payments"
  const names = ["spendLimit", "expires", "token", "decimals", "recipients"] as const
  const extra = names.find((name) => request[name] !== undefined && !taken.includes(name))
  if (extra !== undefined) return `${action} of ${kind} takes no ${extra}`
  if (request.recipients !== undefined && !Array.isArray(request.recipients))
    return "recipients must be a list of addresses"
  if (action === "grant" && request.spendLimit === undefined)
    return "a grant needs spendLimit: without one it would be for all that the account has"
  return request.spendLimit !== undefined && isSweep(request.spendLimit)
    ? "spendLimit must be an amount"
    : undefined
}

/** Who gets a grant, until when and for whom, and whether there is one already. */
const checkGrant = (context: SignerContext, request: CosmosGrantRequest) =>
  Effect.gen(function* () {
    const call = "prepareGrant"
    const problem = requestProblem(request)
    if (problem !== undefined) return yield* refuse(call, problem)
    const { address, chain, rpc } = context
    const { action, kind } = request
    const to = yield* checkParty(context, request.grantee)
    if (to === address) return yield* refuse(call, "grantee: it is the account itself")
    const recipients =
      request.recipients === undefined
        ? undefined
        : yield* Effect.forEach(request.recipients, (each) => checkParty(context, each))
    if (recipients?.length === 0)
      return yield* refuse(call, "recipients: without any, the grant would be for all")
    const expires = yield* readEnd(request.expires, yield* nowSeconds)
    yield* readHeight(rpc, chain)
    const isThere = yield* isGranted(context, kind, to)
    if (action === "revoke" && !isThere)
      return yield* refuse(call, `grantee: ${to} has no such grant of ${address}`)
    if (action === "grant" && kind === "fees" && isThere)
      return yield* refuse(call, `grantee: ${to} has an allowance already, which has to be revoked before`)
    const grant: CosmosGrant = {
      ...{ action, kind },
      ...(expires === undefined ? {} : { expires }),
      ...(recipients === undefined ? {} : { recipients })
    }
    return { to, grant, isReplaced: action === "grant" && isThere }
  })

/** The preview of what lets another account pay with coins of this one, or takes that back. */
export const prepareGrant = (
  context: SignerContext,
  request: CosmosGrantRequest
): Effect.Effect<Prepared<CosmosTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, chain, network, row } = context
    const { grant, isReplaced, to } = yield* checkGrant(context, request)
    const { decimals, maxFee, spendLimit = 1n, token } = request
    const { amount, denom, facts } = yield* readPaidAsset(context, {
      to,
      amount: spendLimit,
      ...(token === undefined ? {} : { token }),
      ...(decimals === undefined ? {} : { decimals })
    })
    const limit = grant.action === "revoke" ? 0n : amount
    const transaction = yield* addFee(context, { from: address, to, denom, amount: limit, grant }, maxFee)
    const { fee } = transaction
    return {
      network,
      from: address,
      to,
      ...(denom === chain.denom ? {} : { token: denom }),
      amount: limit,
      fee,
      outgoing: [{ asset: row.symbol, amount: Units.format(fee, row.decimals) }],
      warnings: [
        describeGrant(transaction, context),
        ...(isReplaced ? ["It takes the place of the grant that is there."] : []),
        ...facts.warnings
      ],
      transaction
    }
  })

const addFee = (
  context: SignerContext,
  plan: Omit<CosmosTransaction, "fee" | "gas">,
  maxFee: Payment["maxFee"]
) =>
  Effect.gen(function* () {
    const { address, chain, row, rpc } = context
    const own = { address, asset: row.symbol, decimals: row.decimals }
    const [numbers, price, coins] = yield* Effect.all(
      [
        readAccountNumbers(rpc, address),
        readFeeFunctions(rpc, chain),
        readSpendable(rpc, address, chain.denom)
      ],
      { concurrency: "unbounded" }
    )
    yield* checkBalance(1n, numbers === undefined ? 0n : coins, own)
    const gas = yield* simulateGas(
      context,
      encodeGranted({ ...plan, fee: 0n, gas: 0n }),
      {},
      numbers ?? { accountNumber: 0n, sequence: 0n }
    )
    const { fee, most } = price(gas)
    yield* checkFeeCap(fee, maxFee, own, most)
    yield* checkBalance(fee, coins, own)
    return { ...plan, fee, gas }
  })
