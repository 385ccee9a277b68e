/**
 * Candles and changes from the price table. Prices are linear (in their logarithm) from minute to minute, so the
 * extremes of a candle are at its minutes, and a longer candle includes those of all shorter ones.
 *
 * @since 0.1.0
 */
import type { Candle, Interval } from "../../api/Market.js"
import { findPrices, formatPrice, noiseOf } from "../Rate.js"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * The lengths of intervals in milliseconds. A month counts as thirty days.
 *
 * @since 0.1.0
 * @category constants
 */
export const intervalMs: Readonly<Record<Interval, number>> = {
  "1m": MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "30m": 30 * MINUTE_MS,
  "45m": 45 * MINUTE_MS,
  "1h": HOUR_MS,
  "2h": 2 * HOUR_MS,
  "4h": 4 * HOUR_MS,
  "1d": DAY_MS,
  "1w": 7 * DAY_MS,
  "1M": 30 * DAY_MS
}

/** 1970 began on a Thursday, and weeks begin on Mondays. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/**
 * The start of the interval that contains a time. Months are calendar months, all in UTC.
 *
 * @since 0.1.0
 * @category getters
 */
export const startOfInterval = (interval: Interval, time: number): number => {
  if (interval === "1M") {
    const date = new Date(time)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  }
  const length = intervalMs[interval]
  const offset = interval === "1w" ? FIRST_MONDAY_MS : 0
  return Math.floor((time - offset) / length) * length + offset
}

const endOfInterval = (interval: Interval, time: number): number => {
  const date = new Date(time)
  return interval === "1M"
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
    : startOfInterval(interval, time) + intervalMs[interval]
}

/** The average trading volume per minute in US dollars. */
const USD_PER_MINUTE = 250_000

const volumePerMinute = (symbol: string, hour: number, seed: string): number =>
  USD_PER_MINUTE * (1 + 0.9 * noiseOf(`${seed}/${symbol.toUpperCase()}/volume/${hour}`))

/**
 * The candle that contains a time, up to `now`. Undefined for currencies without a price.
 *
 * @since 0.1.0
 * @category getters
 */
export const makeCandle = (
  symbol: string,
  interval: Interval,
  time: number,
  { now, seed }: { readonly now: number; readonly seed: string }
): typeof Candle.Type | undefined => {
  const from = startOfInterval(interval, time)
  const to = Math.min(endOfInterval(interval, time), now)
  const worthAt = findPrices(symbol, seed)
  if (worthAt === undefined) return undefined
  const open = worthAt(from)
  let high = open
  let low = open
  let volume = 0
  let hour = Number.NaN
  let traded = 0
  for (let minute = from; minute < to; minute += MINUTE_MS) {
    const worth = worthAt(minute)
    high = Math.max(high, worth)
    low = Math.min(low, worth)
    if (Math.floor(minute / HOUR_MS) !== hour) {
      hour = Math.floor(minute / HOUR_MS)
      traded = volumePerMinute(symbol, hour, seed)
    }
    // the current minute counts in part
    volume += (traded / worth) * Math.min(1, (to - minute) / MINUTE_MS)
  }
  const close = worthAt(to)
  return {
    timestamp: from,
    open: formatPrice(open),
    high: formatPrice(Math.max(high, close)),
    low: formatPrice(Math.min(low, close)),
    close: formatPrice(close),
    volume: volume === 0 ? "0" : formatPrice(volume)
  }
}

/** The limit of minutes in one answer: those of a year, which take about a second. */
const MAX_MINUTES = 530_000

/**
 * The limit of candles of an interval in one answer.
 *
 * @since 0.1.0
 * @category getters
 */
export const maxCandles = (interval: Interval): number =>
  Math.floor(MAX_MINUTES / (intervalMs[interval] / MINUTE_MS))

/**
 * The last candles of a currency, oldest first. Undefined for currencies without a price.
 *
 * @since 0.1.0
 * @category getters
 */
export const makeLastCandles = (
  symbol: string,
  interval: Interval,
  count: number,
  at: { readonly now: number; readonly seed: string }
): ReadonlyArray<typeof Candle.Type> | undefined => {
  const candles: Array<typeof Candle.Type> = []
  for (let time = at.now; candles.length < count; time = startOfInterval(interval, time) - 1) {
    const candle = makeCandle(symbol, interval, time, at)
    if (candle === undefined) return undefined
    candles.push(candle)
  }
  return candles.reverse()
}
