/**
 * The configuration of a client as a service, with its layers.
 *
 * @since 0.1.0
 */

import * as EffectConfig from "effect/Config"
import { InvalidData } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AnyNetwork } from "../data/Network.js"
import { displayUrl, type InvalidConfig, type UnsupportedNetwork } from "../data/SdkError.js"
import type { Consistency, ResolvedConfig, SdkConfig } from "./ConfigTypes.js"
import { toMilliseconds } from "./durations.js"
import { optionalVariable, variableNames } from "./environmentVariables.js"
import { omitUndefined, resolve, resolveWithEnvironment } from "./resolveConfig.js"

export type * from "./ConfigTypes.js"

/**
 * The configuration of the current client.
 *
 * @since 0.1.0
 * @category services
 */
export class Config extends /*#__PURE__*/ Context.Tag("effect-chains/services/Config")<
  Config,
  ResolvedConfig
>() {}

/**
 * The layer of a configuration object.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  config: SdkConfig<AnyNetwork, Consistency, Duration.DurationInput>
): Layer.Layer<Config, InvalidConfig | UnsupportedNetwork> =>
  Layer.effect(
    Config,
    Effect.suspend(() => resolveWithEnvironment(toMilliseconds(config), resolve))
  )

/** An empty variable counts as unset: `Number("")` would be 0. */
const parseVariable =
  <A>(what: string, parse: (text: string) => A | undefined) =>
  (name: string): EffectConfig.Config<A> =>
    EffectConfig.mapOrFail(EffectConfig.nonEmptyString(name), (text) => {
      const value = parse(text.trim())
      return value === undefined ? Either.left(InvalidData([], `must be ${what}`)) : Either.right(value)
    })

const parseNumber = (text: string): number | undefined =>
  text === "" || Number.isNaN(Number(text)) ? undefined : Number(text)

const numberVariable = /*#__PURE__*/ parseVariable("a number", parseNumber)

const durationVariable = /*#__PURE__*/ parseVariable(
  'a duration, such as "5 seconds", or a number of milliseconds',
  (text) =>
    parseNumber(text) ??
    Option.getOrUndefined(Option.map(Duration.decodeUnknown(text), (duration) => Duration.toMillis(duration)))
)

const booleanVariable = /*#__PURE__*/ parseVariable("true or false", (text) =>
  /^(true|yes|on|1)$/i.test(text) ? true : /^(false|no|off|0)$/i.test(text) ? false : undefined
)

/**
 * The options that can come from the environment, or any other `ConfigProvider`: `TATUM_API_KEY`, `TATUM_API_KEY_V3`,
 * `TATUM_API_KEY_V4`, `TATUM_VERSION`, `TATUM_RETRY_COUNT`, `TATUM_RETRY_DELAY`, `TATUM_TIMEOUT`,
 * `TATUM_ATTEMPT_TIMEOUT`, `TATUM_QUIET`, `TATUM_VERBOSE` and `TATUM_NODES` (urls, comma separated), or those of another
 * prefix. Times are durations (`5 seconds`) or milliseconds. A provider may nest the names under the prefix, and may have
 * them in camel case there: `{ "TATUM": { "apiKey": … } }`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromEnvironment = (
  prefix = "TATUM"
): EffectConfig.Config<Partial<Omit<SdkConfig, "network" | "consistency">>> => {
  const variable = <A>(option: keyof typeof variableNames, read: (name: string) => EffectConfig.Config<A>) =>
    optionalVariable(prefix, variableNames[option], read)
  return EffectConfig.map(
    EffectConfig.all({
      key: variable("key", (name) => EffectConfig.redacted(name)),
      v3: variable("v3", (name) => EffectConfig.redacted(name)),
      v4: variable("v4", (name) => EffectConfig.redacted(name)),
      version: variable("version", EffectConfig.literal("V3", "V4")),
      retryCount: variable("retryCount", numberVariable),
      retryDelay: variable("retryDelay", durationVariable),
      timeout: variable("timeout", durationVariable),
      attemptTimeout: variable("attemptTimeout", durationVariable),
      quiet: variable("quiet", booleanVariable),
      verbose: variable("verbose", booleanVariable),
      nodes: variable("nodes", (name) => EffectConfig.array(EffectConfig.nonEmptyString(), name))
    }),
    ({ key, v3, v4, nodes, ...rest }) => ({
      ...omitUndefined(rest),
      ...(v3 !== undefined || v4 !== undefined
        ? { apiKey: omitUndefined({ v3: v3 ?? key, v4: v4 ?? key }) }
        : key === undefined
          ? {}
          : { apiKey: key }),
      ...(nodes === undefined ? {} : { rpc: { nodes: nodes.map((url) => ({ url })) } })
    })
  )
}

/**
 * Describes a configuration without its secrets.
 *
 * @since 0.1.0
 * @category conversions
 */
export const describe = (config: ResolvedConfig): string =>
  `${config.network} over ${config.nodes?.map((entry) => displayUrl(entry.url)).join(", ") ?? displayUrl(config.baseUrl)}`
