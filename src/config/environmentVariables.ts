/** The names of options in the environment. */
import * as EffectConfig from "effect/Config"
import * as Option from "effect/Option"

/** The options that can come from the environment, by the rest of their variable's name. Some are a part of an option. */
export const variableNames = {
  key: "API_KEY",
  v3: "API_KEY_V3",
  v4: "API_KEY_V4",
  version: "VERSION",
  retryCount: "RETRY_COUNT",
  retryDelay: "RETRY_DELAY",
  timeout: "TIMEOUT",
  attemptTimeout: "ATTEMPT_TIMEOUT",
  quiet: "QUIET",
  verbose: "VERBOSE",
  nodes: "NODES"
} as const

/** `API_KEY` as `apiKey`. */
export const toCamelCase = (name: string): string =>
  name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/**
 * Reads a variable as one name (`ETH_API_KEY`), or nested under the prefix (`ETH`, `API_KEY`), as a provider of JSON has
 * it: there also as `apiKey`. Errors name it as it is written.
 */
export const optionalVariable = <A>(
  prefix: string,
  name: string,
  read: (name: string) => EffectConfig.Config<A>
): EffectConfig.Config<A | undefined> => {
  const option = (config: EffectConfig.Config<A>) => EffectConfig.option(config)
  const nested = (own: string) => option(EffectConfig.nested(read(own), prefix))
  return EffectConfig.map(
    EffectConfig.all([option(read(`${prefix}_${name}`)), nested(name), nested(toCamelCase(name))]),
    (found) => Option.getOrUndefined(Option.firstSomeOf(found))
  )
}
