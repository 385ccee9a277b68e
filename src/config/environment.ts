/** The environment of a client on the Effect surface: its options, its base url, and what is wrong with them. */
import * as EffectConfig from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { findNearest } from "../data/nearest.js"
import { InvalidConfig } from "../data/SdkError.js"
import { fromEnvironment } from "./Config.js"
import { optionalVariable, toCamelCase, variableNames } from "./environmentVariables.js"
import { listChildren } from "./providerChildren.js"
import { BASE_URL_VARIABLE } from "./resolveConfig.js"

type Path = ReadonlyArray<string>

/** The names that a client reads, without their prefix, and as they are in camel case. */
const names: ReadonlyArray<string> = [...Object.values(variableNames), "URL"]
const readNames: ReadonlySet<string> = new Set([...names, ...names.map(toCamelCase)])

/** The deepest value that is looked for: that of an option in an object in a list. */
const MAX_DEPTH = 4

type Enumerate = (path: Path) => Effect.Effect<ReadonlyArray<string>>

/** The paths of all values below a path, relative to it. */
const listPaths = (enumerate: Enumerate, path: Path, depth = MAX_DEPTH): Effect.Effect<ReadonlyArray<Path>> =>
  Effect.flatMap(enumerate(path), (children) =>
    Effect.map(
      Effect.forEach(depth === 0 ? [] : children, (name) =>
        Effect.map(listPaths(enumerate, [...path, name], depth - 1), (below) =>
          below.length === 0 ? [[name]] : below.map((rest) => [name, ...rest])
        )
      ),
      (all) => all.flat()
    )
  )

const isIndex = (part: string): boolean => /^\[\d+\]$/.test(part)

/** A value with the prefix of a client. */
interface PrefixedValue {
  readonly path: Path
  /** Its name without the prefix. */
  readonly name: string
  /** It belongs to an object in a list. */
  readonly isInList: boolean
}

const toPrefixedValue = (prefix: Path, path: Path): PrefixedValue => {
  const index = path.findIndex(isIndex)
  const isInList = index >= 0 && index < path.length - 1
  return {
    path: [...prefix, ...path],
    name: path.slice(0, index < 0 ? path.length : index).join("_"),
    isInList
  }
}

/** All values with a prefix. Providers have it as the start of a name, as a name, or split at its underscores. */
const listPrefixed = (enumerate: Enumerate, prefix: string): Effect.Effect<ReadonlyArray<PrefixedValue>> => {
  const start = `${prefix}_`
  const split = prefix.split("_")
  const named = Effect.map(enumerate([]), (all) =>
    all.flatMap((name) =>
      name.startsWith(start) ? [{ path: [name], name: name.slice(start.length), isInList: false }] : []
    )
  )
  const nested = Effect.forEach(split.length > 1 ? [[prefix], split] : [[prefix]], (root) =>
    Effect.map(listPaths(enumerate, root), (paths) => paths.map((path) => toPrefixedValue(root, path)))
  )
  return Effect.zipWith(named, nested, (one, other) => [...one, ...other.flat()])
}

/** `apiKey` and `api-key` as `API_KEY`. */
const toConstantCase = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/-/g, "_")
    .toUpperCase()

/** Says what a value that is not read is probably meant for, if its name is near that of an option. */
const describeMistake = ({ isInList, name }: PrefixedValue): string | undefined => {
  const constant = toConstantCase(name)
  const meant = names.find((each) => each === constant) ?? findNearest(constant, names)
  if (meant === undefined) return undefined
  return isInList
    ? `is not read: ${meant} is a list of texts. Give nodes with other options in the code`
    : `is not read; did you mean ${meant}?`
}

/**
 * Finds the values with a prefix that no option reads. Fails for those whose name is nearly that of an option: without
 * the option, the client would silently have its default.
 */
const findUnread = (prefix: string): Effect.Effect<ReadonlyArray<string>, ConfigError.ConfigError> =>
  Effect.configProviderWith((provider) =>
    Effect.flatMap(
      listPrefixed((path) => listChildren(provider, path), prefix),
      (values) => {
        const unread = values.filter(({ isInList, name }) => isInList || !readNames.has(name))
        const [first, ...others] = unread.flatMap((value) => {
          const mistake = describeMistake(value)
          return mistake === undefined ? [] : [ConfigError.InvalidData([...value.path], mistake)]
        })
        return first === undefined
          ? Effect.succeed(unread.map(({ path }) => path.join("_")))
          : Effect.fail(others.reduce(ConfigError.And, first))
      }
    )
  )

/** The client's options from the environment. */
export interface ClientEnvironment {
  readonly options: EffectConfig.Config.Success<ReturnType<typeof fromEnvironment>>
  /** Names with the client's prefix that it does not read. */
  readonly unread: ReadonlyArray<string>
  /** The provider of the client's base url, which has the client's prefix. */
  readonly provider: ConfigProvider.ConfigProvider
  /** Names the variables in the issues of an invalid configuration. `own` are the options of the code. */
  readonly renameIssues: (error: InvalidConfig, own: object) => InvalidConfig
}

/** Reads the options with a prefix from the environment. */
export const readEnvironment = (prefix: string): Effect.Effect<ClientEnvironment, ConfigError.ConfigError> =>
  Effect.gen(function* () {
    const unread = yield* findUnread(prefix)
    const options = yield* fromEnvironment(prefix)
    const url = yield* optionalVariable(prefix, "URL", EffectConfig.string)
    const nameOf = (path: string, own: object): string | undefined => {
      if (path === BASE_URL_VARIABLE) return `${prefix}_URL`
      const [option = ""] = path.split(/[.[]/)
      if (option in own || !(option in options)) return undefined
      if (option === "rpc") return path.replace("rpc.nodes", `${prefix}_NODES`).replace(/\.url$/, "")
      const name = Object.entries(variableNames).find(([each]) => each === option)?.[1]
      return name && `${prefix}_${name}`
    }
    return {
      options,
      unread,
      // empty is unset, and hides the variable without this prefix
      provider: yield* Effect.configProviderWith((provider) =>
        Effect.succeed(
          ConfigProvider.orElse(
            ConfigProvider.fromMap(new Map([[BASE_URL_VARIABLE, url ?? ""]])),
            () => provider
          )
        )
      ),
      renameIssues: ({ issues }, own) =>
        new InvalidConfig({
          issues: issues.map((issue) => ({ ...issue, path: nameOf(issue.path, own) ?? issue.path }))
        })
    }
  })
