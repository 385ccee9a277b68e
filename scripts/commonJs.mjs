/**
 * Writes the CommonJS side of a package: for each entry of `exports`, the code for `require`, and declarations that a
 * CommonJS file of TypeScript may import.
 *
 * Node can require the ES modules, but tools with a CommonJS loader of their own cannot. Jest's `require` supports none
 * before Node 24.9. tsx converts required modules to CommonJS, but not their later imports. The other packages are
 * CommonJS there too, so that there is one copy of Effect.
 *
 * `node commonJs.mjs` in the folder of a built package writes `dist/cjs`. `scripts/entries.mjs` writes the manifest's
 * part.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * Entries that stay ES modules: the one that starts programs needs the path of its own file (`import.meta`), which CommonJS does not have,
 * and Effect 4 has no CommonJS.
 */
const isModuleOnly = (entry) => entry === "./sandbox" || /^\.\/effect4(\/|$)/.test(entry)

/** The conditions of bundlers and of Metro. Their `require` reads the ES modules, so that their output has one copy. */
const READS_MODULES = ["module", "react-native"]

const toSlashes = (path) => path.split(sep).join("/")

/** An entry's path below `dist/cjs`. */
const placeOf = (entry) => (entry === "." ? "index" : entry.slice("./".length))

/** The `exports` of a manifest with their CommonJS side, from the `types` and the `default` of each entry. */
export const withRequire = (exports) =>
  Object.fromEntries(
    Object.entries(exports).map(([entry, target]) => {
      if (typeof target === "string") return [entry, target]
      const { types, default: module } = target
      const own = `./dist/cjs/${placeOf(entry)}`
      const required = isModuleOnly(entry)
        ? { types: `${own}.d.cts`, default: module }
        : {
            types: `${own}.d.cts`,
            ...Object.fromEntries(READS_MODULES.map((condition) => [condition, module])),
            default: `${own}.cjs`
          }
      return [entry, { require: required, types, default: module }]
    })
  )

/** The types for `moduleResolution: node10`, which does not read `exports`. */
export const typesVersions = (exports) => ({
  "*": Object.fromEntries(
    Object.entries(exports).flatMap(([entry, { types }]) =>
      types === undefined || entry === "." ? [] : [[entry.slice("./".length), [types]]]
    )
  )
})

/** Every entry of a built package with its files. Patterns are expanded to the existing files. */
const entriesIn = (home, exports) =>
  Object.entries(exports).flatMap(([entry, target]) => {
    if (typeof target === "string") return []
    const [before, after] = target.types.split("*")
    const names =
      after === undefined
        ? [""]
        : readdirSync(join(home, before))
            .filter((file) => file.endsWith(after))
            .map((file) => file.slice(0, -after.length))
    return names.map((name) => ({
      place: placeOf(entry).replace("*", name),
      types: target.types.replace("*", name),
      module: target.default.replace("*", name),
      hasCode: !isModuleOnly(entry)
    }))
  })

/**
 * Declarations that re-export the ES module's, so that both sides have the same types. A compiler that does not know
 * that Node can require ES modules would refuse the line (TS1479).
 */
const writeTypes = (home, entries) => {
  for (const { place, types } of entries) {
    const file = join(home, "dist/cjs", `${place}.d.cts`)
    const target = toSlashes(relative(dirname(file), join(home, types))).replace(/\.d\.ts$/, ".js")
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `// @ts-ignore Node requires ES modules\nexport * from "${target}"\n`)
  }
}

/** Whether a dependency has ES modules only. Then it is bundled, since CommonJS cannot require it. */
const isModuleAlone = (home, name) => {
  const manifest = join(home, "node_modules", name, "package.json")
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).type === "module"
}

const writeCode = async (home, entries, dependencies) => {
  const inside = Object.keys(dependencies).filter((name) => isModuleAlone(home, name))
  const { rolldown } = await import("rolldown")
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map(({ module, place }) => [place, join(home, module)])),
    external: (id) => /^[^./]/.test(id) && !inside.some((name) => id === name || id.startsWith(`${name}/`)),
    platform: "neutral",
    treeshake: { moduleSideEffects: false },
    tsconfig: false,
    onLog: (level, log) => {
      // "use client" is for React's servers, which read the ES modules
      if (level === "warn" && log.code !== "MODULE_LEVEL_DIRECTIVE") throw new Error(log.message)
    }
  })
  await bundle.write({
    dir: join(home, "dist/cjs"),
    format: "cjs",
    dynamicImportInCjs: false,
    comments: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "parts/[name].cjs"
  })
}

/** Writes the CommonJS side of the built package in a folder. */
export const writeInto = async (home) => {
  const { dependencies = {}, exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"))
  rmSync(join(home, "dist/cjs"), { recursive: true, force: true })
  const entries = entriesIn(home, exports)
  writeTypes(home, entries)
  await writeCode(
    home,
    entries.filter(({ hasCode }) => hasCode),
    dependencies
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeInto(process.cwd())
