/**
 * Candles and changes of the table of prices. Prices are straight lines (of their logarithm) from minute to minute, so that the
 * extremes of a candle are among its minutes: a longer candle has those of all shorter ones in it.
 *
 * @since 0.1.0
 */
import type { Candle, Interval } from "../../api/Market.js"
import { noise, pricesOf, written } from "../Rate.js"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * The lengths of intervals in milliseconds, a month as thirty days.
 *
 * @since 0.1.0
 * @category constants
 */
export const lengths: Readonly<Record<Interval, number>> = {
  "1m": MINUTE,
  "5m": 5 * MINUTE,
  "15m": 15 * MINUTE,
  "30m": 30 * MINUTE,
  "45m": 45 * MINUTE,
  "1h": HOUR,
  "2h": 2 * HOUR,
  "4h": 4 * HOUR,
  "1d": DAY,
  "1w": 7 * DAY,
  "1M": 30 * DAY
}

/** 1970 began on a Thursday, and weeks begin on Mondays. */
const MONDAY = 4 * DAY

/**
 * The beginning of the interval that a time is in: months are those of the calendar, all in UTC.
 *
 * @since 0.1.0
 * @category getters
 */
export const startOf = (interval: Interval, time: number): number => {
  if (interval === "1M") {
    const date = new Date(time)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  }
  const length = lengths[interval]
  const offset = interval === "1w" ? MONDAY : 0
  return Math.floor((time - offset) / length) * length + offset
}

/** The beginning of the interval behind that of a time. */
const endOf = (interval: Interval, time: number): number => {
  const date = new Date(time)
  return interval === "1M"
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
    : startOf(interval, time) + lengths[interval]
}

/** US dollars that change hands in a minute, on average. */
const TRADED = 250_000

/** US dollars that change hands in each minute of an hour. */
const tradedIn = (symbol: string, hour: number, seed: string): number =>
  TRADED * (1 + 0.9 * noise(`${seed}/${symbol.toUpperCase()}/volume/${hour}`))

/**
 * The candle that a time is in, as far as it has come at `now`. Undefined for currencies without a price.
 *
 * @since 0.1.0
 * @category getters
 */
export const candleOf = (
  symbol: string,
  interval: Interval,
  time: number,
  { now, seed }: { readonly now: number; readonly seed: string }
): typeof Candle.Type | undefined => {
  const from = startOf(interval, time)
  const to = Math.min(endOf(interval, time), now)
  const worthAt = pricesOf(symbol, seed)
  if (worthAt === undefined) return undefined
  const open = worthAt(from)
  let high = open
  let low = open
  let volume = 0
  let hour = Number.NaN
  let traded = 0
  for (let minute = from; minute < to; minute += MINUTE) {
    const worth = worthAt(minute)
    high = Math.max(high, worth)
    low = Math.min(low, worth)
    if (Math.floor(minute / HOUR) !== hour) {
      hour = Math.floor(minute / HOUR)
      traded = tradedIn(symbol, hour, seed)
    }
    // of a minute that is not over yet, a part
    volume += (traded / worth) * Math.min(1, (to - minute) / MINUTE)
  }
  const close = worthAt(to)
  return {
    timestamp: from,
    open: written(open),
    high: written(Math.max(high, close)),
    low: written(Math.min(low, close)),
    close: written(close),
    volume: volume === 0 ? "0" : written(volume)
  }
}

/** Minutes that one answer may look at, those of a year: so many take about a second. */
const MOST_MINUTES = 530_000

/**
 * The most candles of an interval that one answer has.
 *
 * @since 0.1.0
 * @category getters
 */
export const mostOf = (interval: Interval): number => Math.floor(MOST_MINUTES / (lengths[interval] / MINUTE))

/**
 * The last candles of a currency, the oldest first. Undefined for currencies without a price.
 *
 * @since 0.1.0
 * @category getters
 */
export const lastCandles = (
  symbol: string,
  interval: Interval,
  count: number,
  at: { readonly now: number; readonly seed: string }
): ReadonlyArray<typeof Candle.Type> | undefined => {
  const candles: Array<typeof Candle.Type> = []
  for (let time = at.now; candles.length < count; time = startOf(interval, time) - 1) {
    const candle = candleOf(symbol, interval, time, at)
    if (candle === undefined) return undefined
    candles.push(candle)
  }
  return candles.reverse()
}
