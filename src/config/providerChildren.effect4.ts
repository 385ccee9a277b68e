/** The names that a provider of configuration has below a path, on Effect 4: those of the node at the path. */
import type * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"

const childrenOf = (node: ConfigProvider.Node | undefined): ReadonlyArray<string> => {
  if (node?._tag === "Record") return [...node.keys]
  return node?._tag === "Array" ? Array.from({ length: node.length }, (_, at) => `[${at}]`) : []
}

/** A provider has the places of a list as numbers. */
const toPart = (name: string): string | number => {
  const [, at] = /^\[(\d+)\]$/.exec(name) ?? []
  return at === undefined ? name : Number(at)
}

/** The names below a path. Those of a list are `[0]`, `[1]` and so on. */
export const listChildren = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>> =>
  provider.load(path.map(toPart)).pipe(
    Effect.orElseSucceed(() => undefined),
    Effect.map(childrenOf)
  )
