/** The sources of the packages' entries: paths from the root of the repository, where all programs here run. */
import { existsSync, readdirSync, readFileSync } from "node:fs"

/** The sources of a package's entries, from the declarations in its manifest. */
const findSources = (
  manifest: string,
  folder: string
): ReadonlyArray<readonly [entry: string, path: string]> => {
  const { exports, name }: { name: string; exports: Record<string, { readonly types?: string }> } =
    JSON.parse(readFileSync(manifest, "utf8"))
  return Object.entries(exports).flatMap(([entry, { types }]) => {
    // entries for Effect 4 are made of the same sources, in Effect 4's names
    if (types === undefined || /^\.\/effect4(\/|$)/.test(entry)) return []
    const path = types.replace(/^\.\/dist\/(?:lean\/types\/)?/, folder).replace(/\.d\.ts$/, ".ts")
    const isPattern = path.includes("*")
    return [[`${name}${entry.slice(1)}`, isPattern || existsSync(path) ? path : `${path}x`] as const]
  })
}

/** The entries by their names in the manifests: `effect-chains/chains/*` is a pattern. */
export const sources: Readonly<Record<string, string>> = Object.fromEntries([
  ...findSources("package.json", "./"),
  ...findSources("packages/fleet/package.json", "./packages/fleet/src/")
])

/** The files of a pattern, with the text in place of its star. */
const expandPattern = (pattern: string): ReadonlyArray<readonly [name: string, file: string]> => {
  const [folder = "", ending = ""] = pattern.split("*")
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => [file.slice(0, -ending.length), `${folder}${file}`])
}

/** The entries, with one for each file of a pattern. */
export const entries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(sources).flatMap(([entry, path]) =>
    path.includes("*")
      ? expandPattern(path).map(([name, file]) => [entry.replace("*", name), file] as const)
      : [[entry, path] as const]
  )
)
