/** What a payment on Cosmos needs of its nodes: the account, the newest block, the price of gas, and the units of coins. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { InvalidArgument } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import * as caps from "../caps.js"
import { minOf, withAgreement } from "../evidence.js"
import type { ReadError } from "../Signer.js"
import { invalidArgument } from "../signerChecks.js"
import { parseDecimals } from "../tokens.js"
import type { Chain } from "./networks.js"
import type { CosmosCalls } from "./Types.js"

/** Whether nodes answer that there is no such thing. The provider's gateway says `Not Found` for routes that it lacks. */
const isNotFound = (error: ReadError): boolean =>
  error._tag === "RequestRejected" &&
  error.message !== "Not Found" &&
  (error.status === 404 || /\bnot found\b/.test(error.message))

/** Reads an answer; undefined if nodes answer that there is no such thing. */
export const undefinedIfMissing = <A>(
  answer: Effect.Effect<A, ReadError>
): Effect.Effect<A | undefined, ReadError> =>
  Effect.catchIf(answer, isNotFound, () => Effect.succeed(undefined))

/** A whole number of an answer. */
const requireWholeText = (text: unknown, what: string): Effect.Effect<bigint, InvalidArgument> =>
  typeof text === "string" && /^\d{1,40}$/.test(text)
    ? Effect.succeed(BigInt(text))
    : Effect.fail(new InvalidArgument({ call: what, reason: "the node tells no whole number" }))

/** How many blocks two honest nodes may differ. */
const MAX_HEIGHT_DIFFERENCE = 100

/**
 * Reads the height of the newest block, and checks the chain. Payments expire some blocks after it, so two nodes have to be at about the
 * same height if there are two.
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

/** The types of accounts with keys. Vesting accounts contain their base account. */
const BASE_ACCOUNT = "/cosmos.auth.v1beta1.BaseAccount"
const MODULE_ACCOUNT = "/cosmos.auth.v1beta1.ModuleAccount"

type Account = Effect.Effect.Success<ReturnType<CosmosCalls["getAccountDetails"]>>["account"]

/** Reads what an account with keys has on the chain; undefined if the chain has no account at the address. */
export const readBaseAccount = (
  rpc: Pick<CosmosCalls, "getAccountDetails">,
  address: string
): Effect.Effect<Pick<Account, "account_number" | "pub_key" | "sequence"> | undefined, ReadError> =>
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
    return base
  })

/** Reads the number and sequence of an account; undefined if the chain has no account at the address. */
export const readAccountNumbers = (
  rpc: Pick<CosmosCalls, "getAccountDetails">,
  address: string
): Effect.Effect<AccountNumbers | undefined, ReadError> =>
  Effect.gen(function* () {
    const base = yield* readBaseAccount(rpc, address)
    if (base === undefined) return undefined
    const [accountNumber, sequence] = yield* Effect.all([
      requireWholeText(base.account_number, "getAccountDetails"),
      requireWholeText(base.sequence, "getAccountDetails")
    ])
    return { accountNumber, sequence }
  })

/** Warns about a receiver that is a module or does not exist. */
export const findWarnings = (rpc: CosmosCalls, to: string): Effect.Effect<ReadonlyArray<string>, ReadError> =>
  Effect.map(undefinedIfMissing(rpc.getAccountDetails({ address: to })), (answer) =>
    answer === undefined
      ? ["The receiver has no account yet: this payment makes it."]
      : answer.account["@type"] === MODULE_ACCOUNT
        ? ["The receiver is an account of the chain itself, which may not give back what it is sent."]
        : []
  )

/** Reads what an account can spend of a coin, without locked amounts. */
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

/** Reads a node's least gas price in a coin from its list, such as `0.005uatom,0.1ibc/…`. */
const findMinGasPrice = (config: string, denom: string): bigint =>
  config
    .split(",")
    .map((text) => text.trim())
    .map((text) => [text, /^[\d.]*/.exec(text)?.[0] ?? ""] as const)
    .reduce((least, [text, price]) => (text.slice(price.length) === denom ? parsePrice(price) : least), 0n)

/** The fee for an amount of gas, and the highest plausible one. */
interface FeeFunctions {
  readonly fee: bigint
  readonly most: bigint
}

/** What an amount of gas costs, rounded up. */
const costOf = (gas: bigint, price: bigint): bigint => {
  const unit = 10n ** BigInt(PRICE_DECIMALS)
  return (gas * price + unit - 1n) / unit
}

const highestPriceOf = ({ gasPrice }: Pick<Chain, "gasPrice">): bigint =>
  parsePrice(gasPrice) * caps.cosmos.factor

/** The highest plausible fee for an amount of gas, at any price of now. */
export const feeCapOf = (gas: bigint, chain: Chain): bigint =>
  costOf(minOf(gas, caps.cosmos.gas), highestPriceOf(chain))

/** Reads the fee for an amount of gas: at the market's price, which may rise by a quarter, or at the recommended price. */
export const readFeeFunctions = (rpc: CosmosCalls, { denom, gasPrice }: Chain) =>
  Effect.map(
    Effect.all([rpc.getNodeConfig(), Effect.orElseSucceed(rpc.getGasPrice({ denom }), () => undefined)], {
      concurrency: "unbounded"
    }),
    ([config, market]) => {
      const wantedPrice =
        market === undefined ? parsePrice(gasPrice) : (parsePrice(market.price.amount) * 5n) / 4n
      const least = findMinGasPrice(config.minimum_gas_price, denom)
      const price = wantedPrice > least ? wantedPrice : least
      const mostPrice = highestPriceOf({ gasPrice })
      return (gas: bigint): FeeFunctions => ({
        fee: costOf(gas, price),
        most: costOf(minOf(gas, caps.cosmos.gas), minOf(price, mostPrice))
      })
    }
  )

/** What the chain knows of a coin that is not its own: its name, and maybe its decimals. */
export interface DenomMetadata {
  readonly symbol?: string
  readonly decimals?: number
}

type Metadata = Effect.Effect.Success<ReturnType<CosmosCalls["getDenomMetadata"]>>["metadata"]

/** The decimals of a coin's display unit; 0 if nobody has set them, or the coin has only its smallest unit. */
const displayDecimalsOf = ({ denom_units, display }: Metadata): number =>
  parseDecimals(denom_units.find((unit) => unit.denom === display)?.exponent) ?? 0

/** Reads a coin from the chain's metadata. Coins from other chains have no decimals there: their only unit is the smallest one. */
export const readDenomMetadata = (
  rpc: CosmosCalls,
  denom: string
): Effect.Effect<DenomMetadata, ReadError> => {
  const response = withAgreement(
    rpc.getDenomMetadata({ denom }),
    (one, other) => displayDecimalsOf(one.metadata) === displayDecimalsOf(other.metadata)
  )
  return Effect.map(undefinedIfMissing(response), (answer) => {
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

/** Reads the expected sequence from a node's error about a wrong one. */
export const findExpectedSequence = ({ message }: ReadError): bigint | undefined => {
  const expected = /sequence mismatch, expected (\d{1,19}), got/.exec(message)?.[1]
  return expected === undefined ? undefined : BigInt(expected)
}
