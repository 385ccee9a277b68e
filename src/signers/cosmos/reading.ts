/** What a payment on Cosmos needs of its nodes: the account, the newest block, the price of gas, and the units of coins. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { InvalidArgument } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import * as caps from "../caps.js"
import { minOf, withAgreement } from "../evidence.js"
import { invalidArgument, type ReadError } from "../Signer.js"
import { parseDecimals } from "../tokens.js"
import type { Chain } from "./networks.js"
import type { CosmosCalls } from "./Types.js"

/** Whether nodes say that there is no such thing. The gateway before them says `Not Found` of a route that it lacks. */
const isNotFound = (error: ReadError): boolean =>
  error._tag === "RequestRejected" &&
  error.message !== "Not Found" &&
  (error.status === 404 || /\bnot found\b/.test(error.message))

/** An answer, or nothing where nodes say that there is no such thing. */
export const undefinedIfMissing = <A>(
  answer: Effect.Effect<A, ReadError>
): Effect.Effect<A | undefined, ReadError> =>
  Effect.catchIf(answer, isNotFound, () => Effect.succeed(undefined))

/** A whole number of an answer. */
const requireWholeText = (text: unknown, what: string): Effect.Effect<bigint, InvalidArgument> =>
  typeof text === "string" && /^\d{1,40}$/.test(text)
    ? Effect.succeed(BigInt(text))
    : Effect.fail(new InvalidArgument({ call: what, reason: "the node tells no whole number" }))

/** Blocks that two honest nodes may be apart. */
const MAX_HEIGHT_DIFFERENCE = 100

/**
 * The height of the newest block of this chain, and of no other one. A payment is over some blocks after it, so two nodes are at about
 * the same one, where there are two.
 */
export const readHeight = (rpc: CosmosCalls, { chainId }: Chain): Effect.Effect<bigint, ReadError> =>
  Effect.flatMap(
    withAgreement(
      rpc.getLatestBlock(),
      (one, other) =>
        Math.abs(Number(one.block.header.height) - Number(other.block.header.height)) <= MAX_HEIGHT_DIFFERENCE
    ),
    ({ block: { header } }) =>
      header.chain_id === chainId
        ? requireWholeText(header.height, "getLatestBlock")
        : Effect.fail(
            invalidArgument("getLatestBlock", `the node is one of ${header.chain_id}, and not of ${chainId}`)
          )
  )

/** The numbers of an account that signatures name. */
export interface AccountNumbers {
  readonly accountNumber: bigint
  readonly sequence: bigint
}

/** The kinds of accounts that keys have. Those of vesting have their base within. */
const BASE_ACCOUNT = "/cosmos.auth.v1beta1.BaseAccount"
const MODULE_ACCOUNT = "/cosmos.auth.v1beta1.ModuleAccount"

/** The numbers of an account; undefined where the chain has none at the address. */
export const readAccountNumbers = (
  rpc: CosmosCalls,
  address: string
): Effect.Effect<AccountNumbers | undefined, ReadError> =>
  Effect.gen(function* () {
    const answer = yield* undefinedIfMissing(rpc.getAccountDetails({ address }))
    if (answer === undefined) return undefined
    const { account } = answer
    const base = account["@type"] === BASE_ACCOUNT ? account : account.base_vesting_account?.base_account
    if (base === undefined)
      return yield* invalidArgument(
        "getAccountDetails",
        `${address} is of a kind that keys do not sign for: ${account["@type"]}`
      )
    const [accountNumber, sequence] = yield* Effect.all([
      requireWholeText(base.account_number, "getAccountDetails"),
      requireWholeText(base.sequence, "getAccountDetails")
    ])
    return { accountNumber, sequence }
  })

/** What a receiver is, where a person should know it. */
export const findWarnings = (rpc: CosmosCalls, to: string): Effect.Effect<ReadonlyArray<string>, ReadError> =>
  Effect.map(undefinedIfMissing(rpc.getAccountDetails({ address: to })), (answer) =>
    answer === undefined
      ? ["The receiver has no account yet: this payment makes it."]
      : answer.account["@type"] === MODULE_ACCOUNT
        ? ["The receiver is an account of the chain itself, which may not give back what it is sent."]
        : []
  )

/** What an account can spend of a coin: what is locked is not in it. */
export const readSpendable = (
  rpc: CosmosCalls,
  address: string,
  denom: string
): Effect.Effect<bigint, ReadError> =>
  Effect.flatMap(rpc.getSpendableBalanceByDenom({ address, denom }), ({ balance }) =>
    balance === null ? Effect.succeed(0n) : requireWholeText(balance.amount, "getSpendableBalanceByDenom")
  )

/** Prices of gas have 18 digits after the point. */
const PRICE_DECIMALS = 18
const parsePrice = (text: string): bigint => Option.getOrElse(Units.parse(text, PRICE_DECIMALS), () => 0n)

/** The least price of gas in a coin that a node takes: it has a list of them, such as `0.005uatom,0.1ibc/…`. */
const findMinGasPrice = (config: string, denom: string): bigint =>
  config
    .split(",")
    .map((text) => text.trim())
    .map((text) => [text, /^[\d.]*/.exec(text)?.[0] ?? ""] as const)
    .reduce((least, [text, price]) => (text.slice(price.length) === denom ? parsePrice(price) : least), 0n)

/** What so much gas costs, and what it may cost without a cap of the caller. */
interface FeeFunctions {
  readonly fee: bigint
  readonly most: bigint
}

/** The fee of so much gas: at the price of the market, where there is one, which may rise by a quarter; or the recommended one. */
export const readFeeFunctions = (rpc: CosmosCalls, { denom, gasPrice }: Chain) =>
  Effect.map(
    Effect.all([rpc.getNodeConfig(), Effect.orElseSucceed(rpc.getGasPrice({ denom }), () => undefined)], {
      concurrency: "unbounded"
    }),
    ([config, market]) => {
      const asked = market === undefined ? parsePrice(gasPrice) : (parsePrice(market.price.amount) * 5n) / 4n
      const least = findMinGasPrice(config.minimum_gas_price, denom)
      const price = asked > least ? asked : least
      const unit = 10n ** BigInt(PRICE_DECIMALS)
      const costs = (gas: bigint, price: bigint): bigint => (gas * price + unit - 1n) / unit
      const mostPrice = parsePrice(gasPrice) * caps.cosmos.factor
      return (gas: bigint): FeeFunctions => ({
        fee: costs(gas, price),
        most: costs(minOf(gas, caps.cosmos.gas), minOf(price, mostPrice))
      })
    }
  )

/** What the chain says of a coin that is not its own: its name, and its decimals where it knows them. */
export interface DenomMetadata {
  readonly symbol?: string
  readonly decimals?: number
}

type Metadata = Effect.Effect.Success<ReturnType<CosmosCalls["getDenomMetadata"]>>["metadata"]

/** The decimals of a coin's usual unit: 0 where nobody has told them, or where it has none but the smallest. */
const displayDecimalsOf = ({ denom_units, display }: Metadata): number =>
  parseDecimals(denom_units.find((unit) => unit.denom === display)?.exponent) ?? 0

/** A coin by what the chain says of it. Of those from other chains it says no decimals: their only unit is the smallest one. */
export const readDenomMetadata = (
  rpc: CosmosCalls,
  denom: string
): Effect.Effect<DenomMetadata, ReadError> => {
  const told = withAgreement(
    rpc.getDenomMetadata({ denom }),
    (one, other) => displayDecimalsOf(one.metadata) === displayDecimalsOf(other.metadata)
  )
  return Effect.map(undefinedIfMissing(told), (answer) => {
    if (answer === undefined || answer.metadata.base !== denom) return {}
    const { symbol } = answer.metadata
    const decimals = displayDecimalsOf(answer.metadata)
    return {
      ...(symbol === undefined ? {} : { symbol }),
      ...(decimals > 0 ? { decimals } : {})
    }
  })
}

/** The hash of the transaction that a block has with a sequence of an account, by the event that the chain makes of it. */
export const findHashBySequence = (
  rpc: CosmosCalls,
  address: string,
  sequence: bigint
): Effect.Effect<string | undefined, ReadError> => {
  const event = `tx.acc_seq='${address}/${sequence}'`
  // since 0.50 nodes take `query`, and before only `events`
  return Effect.map(
    rpc.getTxsByEvent({ query: event, events: [event], limit: 1 }),
    ({ tx_responses }) => tx_responses?.[0]?.txhash
  )
}

/** The sequence that a node expects of the account, in its words about one that is another. */
export const findExpectedSequence = ({ message }: ReadError): bigint | undefined => {
  const expected = /sequence mismatch, expected (\d{1,19}), got/.exec(message)?.[1]
  return expected === undefined ? undefined : BigInt(expected)
}
