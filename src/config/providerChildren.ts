/** The names that a provider of configuration has below a path. The two versions of Effect keep them in different places. */
import type * as ConfigProvider from "effect/ConfigProvider"
import type * as PathPatch from "effect/ConfigProviderPathPatch"
import * as Effect from "effect/Effect"
import * as HashSet from "effect/HashSet"

type Path = ReadonlyArray<string>

/** Where a provider looks for a path. Effect keeps that in the provider, and applies it to values only. */
const applyPatch = (patch: PathPatch.PathPatch, path: Path): Path => {
  switch (patch._tag) {
    case "Empty":
      return path
    case "AndThen":
      return applyPatch(patch.second, applyPatch(patch.first, path))
    case "MapName":
      return path.map(patch.f)
    case "Nested":
      return [patch.name, ...path]
    case "Unnested":
      return path[0] === patch.name ? path.slice(1) : path
  }
}

/** The names below a path. Those of a list are `[0]`, `[1]` and so on. */
export const listChildren = (
  { flattened }: ConfigProvider.ConfigProvider,
  path: Path
): Effect.Effect<ReadonlyArray<string>> =>
  flattened.enumerateChildren(applyPatch(flattened.patch, path)).pipe(
    Effect.orElseSucceed(() => HashSet.empty<string>()),
    Effect.map(HashSet.toValues)
  )
