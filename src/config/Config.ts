/**
 * The configuration of a client as a service, with its layers.
 *
 * @since 0.1.0
 */

import * as EffectConfig from "effect/Config"
import { InvalidData } from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AnyNetwork } from "../data/Network.js"
import { displayUrl, type InvalidConfig, type UnsupportedNetwork } from "../data/SdkError.js"
import type { Consistency, ResolvedConfig, SdkConfig } from "./ConfigTypes.js"
import { toMilliseconds } from "./durations.js"
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

const optionalVariable = <A>(config: EffectConfig.Config<A>): EffectConfig.Config<A | undefined> =>
  EffectConfig.map(EffectConfig.option(config), Option.getOrUndefined)

/** An empty variable counts as unset: `Number("")` would be 0. */
const parseVariable = <A>(
  name: string,
  what: string,
  parse: (text: string) => A | undefined
): EffectConfig.Config<A> =>
  EffectConfig.mapOrFail(EffectConfig.nonEmptyString(name), (text) => {
    const value = parse(text.trim())
    return value === undefined ? Either.left(InvalidData([], `must be ${what}`)) : Either.right(value)
  })

const numberVariable = (name: string): EffectConfig.Config<number> =>
  parseVariable(name, "a number", (text) =>
    text === "" || Number.isNaN(Number(text)) ? undefined : Number(text)
  )

const booleanVariable = (name: string): EffectConfig.Config<boolean> =>
  parseVariable(name, "true or false", (text) =>
    /^(true|yes|on|1)$/i.test(text) ? true : /^(false|no|off|0)$/i.test(text) ? false : undefined
  )

/**
 * The options that can come from the environment (or any other `ConfigProvider`): `TATUM_API_KEY`, `TATUM_API_KEY_V3`,
 * `TATUM_API_KEY_V4`, `TATUM_VERSION`, `TATUM_RETRY_COUNT`, `TATUM_RETRY_DELAY`, `TATUM_TIMEOUT`,
 * `TATUM_ATTEMPT_TIMEOUT`, `TATUM_QUIET`, `TATUM_VERBOSE` and `TATUM_NODES` (urls, comma separated), or those of another prefix.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromEnvironment = (
  prefix = "TATUM"
): EffectConfig.Config<Partial<Omit<SdkConfig, "network" | "consistency">>> =>
  EffectConfig.map(
    EffectConfig.all({
      key: optionalVariable(EffectConfig.redacted(`${prefix}_API_KEY`)),
      v3: optionalVariable(EffectConfig.redacted(`${prefix}_API_KEY_V3`)),
      v4: optionalVariable(EffectConfig.redacted(`${prefix}_API_KEY_V4`)),
      version: optionalVariable(EffectConfig.literal("V3", "V4")(`${prefix}_VERSION`)),
      retryCount: optionalVariable(numberVariable(`${prefix}_RETRY_COUNT`)),
      retryDelay: optionalVariable(numberVariable(`${prefix}_RETRY_DELAY`)),
      timeout: optionalVariable(numberVariable(`${prefix}_TIMEOUT`)),
      attemptTimeout: optionalVariable(numberVariable(`${prefix}_ATTEMPT_TIMEOUT`)),
      quiet: optionalVariable(booleanVariable(`${prefix}_QUIET`)),
      verbose: optionalVariable(booleanVariable(`${prefix}_VERBOSE`)),
      nodes: optionalVariable(EffectConfig.array(EffectConfig.nonEmptyString(), `${prefix}_NODES`))
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

/**
 * Describes a configuration without its secrets.
 *
 * @since 0.1.0
 * @category conversions
 */
export const describe = (config: ResolvedConfig): string =>
  `${config.network} over ${config.nodes?.map((entry) => displayUrl(entry.url)).join(", ") ?? displayUrl(config.baseUrl)}`
