/**
 * Exchange rates of the sandbox. Prices of a table vary over time, and are the same for all callers at the same time.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Hash from "effect/Hash"
import type * as Layer from "effect/Layer"
import { withoutTail } from "../../data/tail.js"
import { group } from "../api/Rate.js"
import { makeInvalid } from "../api/Refusal.js"

/** Other codes of coins: the provider's codes of ledgers and native coins, old and wrapped names. */
// biome-ignore format: by coin
const ALIASES: Readonly<Record<string, string>> = {
  BSC: "BNB", CASPER: "CSPR", CHILIZ: "CHZ", EON: "ZEN", FLARE: "FLR", FTM: "S", HAQQ: "ISLM", KADENA: "KDA", KLAY: "KAIA",
  MATIC: "POL", RBTC: "BTC", RSK: "BTC", SONIC: "S", TEZOS: "XTZ", TRON: "TRX", WBTC: "BTC", XOS: "ROSE", ZCASH: "ZEC",
  ZKS: "ZK", AURA: "ETH", AURORA: "ETH", BASE: "ETH", ETH_ARB: "ETH", ETH_BASE: "ETH", ETH_LISK: "ETH", ETH_OP: "ETH",
  ETH_ABSTRACT: "ETH", ETH_ROBINHOOD: "ETH", ETH_UNI: "ETH", OPT: "ETH", WETH: "ETH"
}

/** Approximate prices in US dollars of January 2025. Coins that had none have a guess. */
// biome-ignore format: by kind
const COIN_PRICES: Readonly<Record<string, number>> = {
  BTC: 97_000, BCH: 440, LTC: 105, DOGE: 0.34, ZEC: 55, ZEN: 26, ETH: 3_350, ADA: 0.95, ALGO: 0.35, APT: 9.2, HBAR: 0.3, ARB: 0.75, ATOM: 6.5,
  AVAX: 37, BERA: 6, BNB: 700, CELO: 0.65, CHZ: 0.085, CRO: 0.145, CSPR: 0.015, DOT: 6.8, EGLD: 33, EOS: 0.8, ETC: 26.5,
  FLOW: 0.72, FLR: 0.026, GLMR: 0.25, GNO: 265, HYPE: 21, IOTA: 0.29, ISLM: 0.03, KAIA: 0.21, KCS: 10.7, KDA: 0.85, LISK: 0.85, LSK: 0.85,
  MOCA: 0.2, MON: 1, MOVR: 12, NEAR: 5.1, OKB: 49, ONE: 0.021, PALM: 0.01, PLUME: 0.1, POL: 0.46, RON: 1.95, ROSE: 0.08, S: 0.7, SGB: 0.008, SOL: 190, SUI: 4.3,
  TON: 5.3, TRX: 0.245, VET: 0.045, XDC: 0.08, XLM: 0.4, XPL: 1, XRP: 2.4, XTZ: 1.3, ZIL: 0.022, ZK: 0.19,
  AAVE: 300, LINK: 20, MKR: 1_450, OP: 1.8, PEPE: 0.000018, SHIB: 0.000021, UNI: 13.5
}

/** Prices of currencies that vary little. */
// biome-ignore format: by kind
const STEADY_PRICES: Readonly<Record<string, number>> = {
  AED: 0.2723, ARS: 0.00097, AUD: 0.622, BGN: 0.53, BRL: 0.164, CAD: 0.694, CHF: 1.1, CLP: 0.00099, CNY: 0.137,
  COP: 0.00023, CZK: 0.0413, DKK: 0.139, EUR: 1.035, GBP: 1.245, HKD: 0.1286, HUF: 0.00252, IDR: 0.0000617, ILS: 0.274,
  INR: 0.01165, ISK: 0.00715, JPY: 0.00635, KRW: 0.000685, MXN: 0.0487, MYR: 0.2225, NGN: 0.00065, NOK: 0.0882,
  NZD: 0.5615, PHP: 0.0171, PKR: 0.00359, PLN: 0.2425, RUB: 0.0096, SAR: 0.2664, SEK: 0.0901,
  SGD: 0.733, THB: 0.0289, TRY: 0.0283, TWD: 0.0304, UAH: 0.0237, VND: 0.0000394, ZAR: 0.0533,
  BUSD: 1, DAI: 1, EURC: 1.035, TUSD: 1, USDC: 1, USDT: 1, XDAI: 1
}

/**
 * The variation of prices. Each wave has a share of the price as its amplitude, and a new random value every `period`.
 */
const waves = [
  { period: 60_000, coin: 0.001, steady: 0.00005 },
  { period: 3_600_000, coin: 0.008, steady: 0.0003 },
  { period: 86_400_000, coin: 0.03, steady: 0.001 },
  { period: 30 * 86_400_000, coin: 0.12, steady: 0.004 }
] as const

/**
 * A number between -1 and 1 that depends on the text alone.
 *
 * @since 0.1.0
 * @category getters
 */
export const noiseOf = (text: string): number => {
  let mixed = Hash.string(text)
  // without this step, similar texts would have similar hashes
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x7fffffff - 1
}

/** The variation of a price over time. It caches the last step of each wave, since subsequent calls often share it. */
const makeMovement = (seed: string, code: string, kind: "coin" | "steady"): ((time: number) => number) => {
  const steps = waves.map(({ period, ...amplitude }) => {
    const valueOf = (step: number): number => noiseOf(`${seed}/${code}/${period}/${step}`)
    return { period, amplitude: amplitude[kind], valueOf, at: Number.NaN, from: 0, to: 0 }
  })
  return (time) => {
    let share = 0
    for (const step of steps) {
      const at = Math.floor(time / step.period)
      if (at !== step.at) {
        step.from = at === step.at + 1 ? step.to : step.valueOf(at)
        step.to = step.valueOf(at + 1)
        step.at = at
      }
      const way = time / step.period - at
      share += step.amplitude * (step.from * (1 - way) + step.to * way)
    }
    return Math.exp(share)
  }
}

/**
 * The prices of a currency in US dollars by time (milliseconds since 1970); see {@link findPrice}.
 *
 * @since 0.1.0
 * @category getters
 */
export const findPrices = (currency: string, seed = ""): ((time: number) => number) | undefined => {
  const upper = currency.toUpperCase()
  const code = Object.hasOwn(ALIASES, upper) ? (ALIASES[upper] ?? upper) : upper
  if (code === "USD") return () => 1
  const kind = Object.hasOwn(COIN_PRICES, code)
    ? "coin"
    : Object.hasOwn(STEADY_PRICES, code)
      ? "steady"
      : undefined
  if (kind === undefined) return undefined
  const worth = (kind === "coin" ? COIN_PRICES : STEADY_PRICES)[code] ?? 0
  const move = makeMovement(seed, code, kind)
  return (time) => worth * move(time)
}

/**
 * The price of a currency in US dollars at a time (milliseconds since 1970): the table's price, with a variation of at
 * most 18 %, or 0.6 % for currencies that vary little. Undefined for currencies that are not in the table. The same
 * seed gives the same prices.
 *
 * @since 0.1.0
 * @category getters
 */
export const findPrice = (currency: string, time: number, seed = ""): number | undefined =>
  findPrices(currency, seed)?.(time)

/**
 * A number above zero as text: ten significant digits, without an exponent.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatPrice = (value: number): string => {
  const digits = Math.min(100, Math.max(0, 9 - Math.floor(Math.log10(value))))
  const text = value.toFixed(digits)
  return digits === 0 ? text : withoutTail(withoutTail(text, "0"), ".")
}

interface RateQuery {
  readonly currency: string
  readonly basePair: string
}

/** A rate, or the reason why there is none. */
export const readRate = ({ basePair, currency }: RateQuery, time: number, seed: string, at: string) => {
  const [worth, base] = [currency, basePair].map((code) => findPrice(code, time, seed))
  return worth === undefined || base === undefined
    ? Either.left(
        [...(worth === undefined ? ["currency"] : []), ...(base === undefined ? ["basePair"] : [])].map(
          (name) => `${at}${name} must be the code of a currency that the sandbox has a price of`
        )
      )
    : Either.right({
        _id: currency,
        value: formatPrice(worth / base),
        basePair,
        timestamp: time,
        source: "effect-chains sandbox"
      })
}

/** Fails with a line per invalid field. */
export const failInvalidFields = (data: ReadonlyArray<string>) =>
  Effect.fail(makeInvalid("validation.failed", "Request validation failed.", data))

const api = HttpApi.make("provider").add(group)

/**
 * The rates at the current time. The same `seed` gives the same rates at the same time. Currencies that are not in the
 * table are refused (400). One of them refuses a whole batch.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (seed = ""): Layer.Layer<HttpApiGroup.ApiGroup<"provider", "rate">> =>
  HttpApiBuilder.group(api, "rate", (handlers) =>
    handlers
      .handle("rate", ({ path, urlParams }) =>
        Effect.flatMap(Clock.currentTimeMillis, (time) =>
          Either.match(readRate({ ...path, ...urlParams }, time, seed, ""), {
            onLeft: failInvalidFields,
            onRight: Effect.succeed
          })
        )
      )
      .handle("rates", ({ payload }) =>
        Effect.flatMap(Clock.currentTimeMillis, (time) => {
          const rates = payload.map((item, i) =>
            Either.map(readRate(item, time, seed, `${i}.`), (found) => ({
              ...found,
              batchId: item.batchId ?? `${item.currency}/${item.basePair}`
            }))
          )
          const wrong = rates.flatMap((found) => (Either.isLeft(found) ? found.left : []))
          return wrong.length > 0
            ? failInvalidFields(wrong)
            : Effect.succeed(rates.flatMap((found) => (Either.isRight(found) ? [found.right] : [])))
        })
      )
  )
