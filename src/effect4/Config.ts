import * as Configs from "effect4/Config"
import * as Effect from "effect4/Effect"
import * as Result from "effect4/Result"
import * as Schema from "effect4/Schema"
import * as Issue from "effect4/SchemaIssue"

export * from "effect4/Config"
export { Redacted as redacted, String as string } from "effect4/Config"

export type Config<A> = Configs.Config<A>

/** The types of a configuration stand beside it. */
export declare namespace Config {
  type Success<A> = Configs.Success<A>
  type Wrap<A> = Configs.Wrap<A>
}

/** The names of variables, which errors of their conversion must have. */
const names = new WeakMap<object, string>()

export const nonEmptyString = (name?: string): Config<string> => {
  const config = Configs.NonEmptyString(name)
  if (name !== undefined) names.set(config, name)
  return config
}

/** The literals come first, and the name then. */
export const literal =
  <const L extends ReadonlyArray<string>>(...literals: L) =>
  (name: string): Config<L[number]> =>
    Configs.Literals(literals, name)

/** A list is read by the schema of its items: here they are texts that are not empty. */
export const array = (_: Config<string>, name: string): Config<ReadonlyArray<string>> =>
  Configs.Array(Schema.NonEmptyString, name)

const within = (name: string | undefined, error: Configs.ConfigError): Configs.ConfigError =>
  name === undefined || error.cause._tag !== "SchemaError"
    ? error
    : new Configs.ConfigError(new Schema.SchemaError(new Issue.Pointer([name], error.cause.issue)))

/** A conversion is an effect, and its error has the name of the variable. */
export const mapOrFail = <A, B>(
  self: Config<A>,
  f: (value: A) => Result.Result<B, Configs.ConfigError>
): Config<B> =>
  Configs.mapEffect(self, (value) =>
    Effect.fromResult(Result.mapError(f(value), (error) => within(names.get(self), error)))
  )
