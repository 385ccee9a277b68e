/** The entries of the package on a version of Effect, with their sources. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const root = dirname(import.meta.dirname)

interface Target {
  readonly default: string
  readonly node?: string
}
export const { exports }: { readonly exports: Readonly<Record<string, Target>> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8")
)
/** Those that are for Effect 4. */
export const ofEffect4 = Object.keys(exports).filter((entry) => /^\.\/effect4(\/|$)/.test(entry))

/** The sources of an entry, which the package has built from them one by one. */
export const sourcesOf = ({ default: built }: Target): ReadonlyArray<string> => {
  const stem = join(root, built.replace("./dist/effect4/", "").replace("./dist/", "").replace(/\.js$/, ""))
  if (!stem.includes("*")) return [".ts", ".tsx"].map((end) => `${stem}${end}`).filter(existsSync)
  return readdirSync(dirname(stem), { withFileTypes: true }).flatMap((file) =>
    file.isFile() ? [join(dirname(stem), file.name)] : []
  )
}

/** Those on the lean runtime need no Effect. */
export const guarded = Object.entries(exports).filter(
  ([entry, target]) => entry !== "./package.json" && !target.default.startsWith("./dist/lean/")
)
