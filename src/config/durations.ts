/**
 * Durations of the Effect surface: its options take any `DurationInput`, and the SDK reads milliseconds.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { AnyNetwork } from "../data/Network.js"
import { isRecord } from "../data/untrusted.js"
import type { CallOptionsShape, QuorumOptions } from "../wire/Transport.js"
import type { Consistency, SdkConfig } from "./ConfigTypes.js"

interface DurationOptions {
  readonly [name: string]: true | DurationOptions
}

/** The options that are durations, by their path. */
const durationOptions: DurationOptions = {
  retryDelay: true,
  timeout: true,
  attemptTimeout: true,
  rpc: { statusCheckInterval: true },
  hedge: { delay: true },
  batch: { window: true },
  subscriptions: { idle: true, timeout: true }
}

/** Converts the durations in a value to milliseconds. */
const convertDurations = (value: unknown, of: true | DurationOptions | undefined): unknown => {
  if (of === true) {
    const duration = Duration.decodeUnknown(value)
    return typeof value === "number" || Option.isNone(duration) ? value : Duration.toMillis(duration.value)
  }
  return of === undefined || !isRecord(value)
    ? value
    : Object.fromEntries(
        Object.entries(value).map(([name, field]) => [name, convertDurations(field, of[name])])
      )
}

/**
 * Converts the durations in options of a client or a call to milliseconds. A value that is no duration stays as it
 * is, for the option's check to report.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toMilliseconds: {
  <Config extends SdkConfig<AnyNetwork, Consistency, Duration.DurationInput>>(
    config: Config
  ): Config & SdkConfig<AnyNetwork, Consistency>
  (options: CallOptionsShape<QuorumOptions, bigint | number, Duration.DurationInput>): CallOptionsShape
  // durations become numbers, and nothing else changes
} = (options: object): never => convertDurations(options, durationOptions) as never
