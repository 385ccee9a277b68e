/**
 * Builds the published files of the Promise surface: the sources on the lean runtime, and their declarations without a
 * name of effect.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { lackingIn, rollup, THROWS, VIRTUAL } from "./lean.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))

/** The entries of a folder of sources, by their paths in the package. */
const entriesIn = (folder, to) =>
  readdirSync(`${root}${folder}`)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length))
    .map((name) => ({ source: `${folder}/${name}`, to: `${to}/${name}` }))

/** The path of a module in the package: as in `src`, with the replacements for effect next to the lean runtime. */
const placeOf = (id) => {
  const name = VIRTUAL.exec(id)?.[1]
  if (name !== undefined) return `lean/effect/${name}`
  return relative(`${root}src`, id)
    .replace(/\.tsx?$/, "")
    .replace(/^\.\.\//, "")
}

/**
 * Removes imports without names, which would keep an order of side effects. There are none, and bundlers warn of such
 * imports.
 */
const withoutBare = {
  name: "bare",
  renderChunk: (code) => ({ code: code.replace(/^import "[^"]+";$/gm, ""), map: null })
}

const { dependencies, peerDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))

/** The packages that stay imports: all that an application may have, except effect, which the lean runtime replaces. */
const others = Object.keys({ ...dependencies, ...peerDependencies })
  .filter((name) => !/^@?effect(\/|$)/.test(name))
  .map((name) => new RegExp(`^${name}(/|$)`))

/**
 * Writes entries by their paths in the package, with the parts of effect that they need. Other packages stay imports.
 */
const write = async (outdir, entries, plugins, output) => {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map(({ source, to }) => [to, `${root}${source}.ts`])),
    plugins: [rollup(THROWS), withoutBare, ...plugins],
    external: others,
    platform: "neutral",
    preserveEntrySignatures: "allow-extension",
    resolve: { extensionAlias: { ".js": [".ts", ".tsx", ".js"] } },
    treeshake: { moduleSideEffects: false },
    // inlines constants of other modules, which bundlers do not do for packages
    optimization: { inlineConst: { mode: "all", pass: 3 } },
    // Constructors set their fields, so declaring them first would only add bytes. A tsconfig.json would override these
    // options.
    tsconfig: false,
    transform: {
      assumptions: { setPublicClassFields: true },
      typescript: { removeClassFieldsWithoutInitializer: true }
    },
    // a name that is neither available nor marked would be undefined, which is as bad
    onLog: (level, log) => {
      if (level === "warn") throw new Error(log.message)
    }
  })
  const written = await bundle.write({
    ...output,
    dir: outdir,
    format: "esm",
    // what an application's minifier may miss, while the code stays readable
    minify: {
      compress: { target: "es2022", joinVars: false, sequences: false },
      mangle: false,
      codegen: false
    },
    sourcemap: true,
    // the package contains the sources
    sourcemapExcludeSources: true
  })
  const lacking = new Set(written.output.flatMap(({ code = "" }) => lackingIn(code)))
  if (lacking.size > 0) throw new Error([...lacking].join("\n"))
}

/** A separate file that the manifest names, so that React Native can do without it. */
const APART = { source: "src/http/undici", to: "parts/http/undici" }

/** Writes one file per source. An application's bundler removes unused files and merges the rest. */
const writeSources = (outdir, entries) => {
  const targets = new Map(entries.map(({ source, to }) => [`${root}${source}.ts`, to]))
  return write(outdir, entries, [], {
    preserveModules: true,
    entryFileNames: ({ facadeModuleId }) =>
      `${targets.get(facadeModuleId) ?? `sources/${placeOf(facadeModuleId)}`}.js`
  })
}

/**
 * Writes few files: the part that any client needs, the part that it loads later, and each family. Bundlers put what
 * several chunks share into chunks of their own, and with many small ones every page pays for the names between them.
 */
const writeParts = (outdir, entry) => {
  const graph = new Map()
  const closure = (id, found = new Set()) => {
    if (found.has(id)) return found
    found.add(id)
    for (const imported of graph.get(id) ?? []) closure(imported, found)
    return found
  }
  const groups = new Map()
  const reading = {
    name: "reading",
    buildEnd() {
      for (const id of this.getModuleIds()) graph.set(id, this.getModuleInfo(id)?.importedIds)
      const client = closure(`${root}${entry.source}.ts`)
      // the entry exports the public part; other parts import the rest from the client's chunk
      client.delete(`${root}${entry.source}.ts`)
      // only services need the whole table
      client.delete(`${root}src/data/Network.ts`)
      // shared by nearly all families
      for (const name of ["faults", "Confirmation"]) client.add(`${root}src/chains/internal/${name}.ts`)
      groups.set("client", client)
      const later = closure(`${root}src/client/lazyServices.ts`)
      later.delete(`${root}${APART.source}.ts`)
      groups.set("later", later)
    }
  }
  return write(outdir, [entry, APART], [reading], {
    chunkFileNames: ({ facadeModuleId, name }) =>
      `parts/${facadeModuleId ? placeOf(facadeModuleId) : name}.js`,
    minifyInternalExports: false,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: ["client", "later"].map((name, i) => ({
        name,
        test: (id) => groups.get(name)?.has(id) === true,
        priority: 2 - i
      }))
    }
  })
}

/** Replaces the specifiers of a declaration with `to`. */
const replaceSpecifiers = (text, to) =>
  text.replace(/((?:\bfrom|\bimport\()\s*)"([^"]+)"/g, (_, before, id) => `${before}"${to(id)}"`)

const isEffect = (id) => /^@?effect\//.test(id)

/** The names that a declaration uses of effect: imported ones, members of namespaces, and `import("effect/…").Name`. */
const effectNamesIn = (text) => {
  const names = new Set()
  for (const [, list, id] of text.matchAll(/(?:import|export)(?: type)? \{([^}]*)\} from "([^"]+)"/g))
    if (isEffect(id))
      for (const name of list.split(","))
        names.add(
          name
            .replace(/^\s*(?:type )?/, "")
            .split(" as ")[0]
            .trim()
        )
  for (const [, space, id] of text.matchAll(/import(?: type)? \* as (\w+) from "([^"]+)"/g))
    if (isEffect(id))
      for (const [, name] of text.matchAll(new RegExp(`(?<![\\w.])${space}\\.(\\w+)`, "g"))) names.add(name)
  for (const [, id, name] of text.matchAll(/import\("([^"]+)"\)\.(\w+)/g)) if (isEffect(id)) names.add(name)
  names.delete("")
  return names
}

/**
 * Copies declarations and all that they import to another folder. `src/lean/effect.d.ts` replaces effect in them. Throws if a declaration
 * uses a name that it does not have, which only a project without effect would notice.
 */
export const copyTypes = (from, to, entries) => {
  const kinds = readFileSync(`${root}src/lean/effect.d.ts`, "utf8")
  const hasKind = (name) => new RegExp(`^export .*\\b${name}\\b`, "m").test(kinds)
  const missing = []
  const copied = new Set()
  const copy = (file) => {
    if (copied.has(file)) return
    copied.add(file)
    const target = join(to, relative(from, file))
    const own = relative(dirname(target), join(to, "effect.js")).split(sep).join("/")
    const declared = readFileSync(file, "utf8")
    // examples in docs are no declarations
    const code = declared.replace(/\/\*\*[\s\S]*?\*\//g, "")
    for (const name of effectNamesIn(code))
      if (!hasKind(name)) missing.push(`${name} (${relative(from, file)})`)
    const text = replaceSpecifiers(declared, (id) => {
      if (id.startsWith(".")) copy(resolve(dirname(file), id.replace(/\.js$/, ".d.ts")))
      return isEffect(id) ? (own.startsWith(".") ? own : `./${own}`) : id
    })
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
    const map = JSON.parse(readFileSync(`${file}.map`, "utf8"))
    const sources = map.sources.map((source) =>
      relative(dirname(target), resolve(dirname(file), source))
        .split(sep)
        .join("/")
    )
    writeFileSync(`${target}.map`, JSON.stringify({ ...map, sources }))
  }
  for (const entry of entries) copy(join(from, `${entry}.d.ts`))
  if (missing.length > 0)
    throw new Error(`src/lean/effect.d.ts lacks what declarations name: ${missing.join(", ")}`)
  cpSync(`${root}src/lean/effect.d.ts`, join(to, "effect.d.ts"))
}

/** Builds the entries of the Promise surface. */
export const buildInto = async (outdir) => {
  rmSync(outdir, { recursive: true, force: true })
  const separate = [
    { source: "react/query", to: "query" },
    { source: "src/accounts/awsKms", to: "accounts/aws-kms" },
    { source: "src/accounts/azureKeyVault", to: "accounts/azure-key-vault" },
    { source: "src/accounts/googleKms", to: "accounts/google-kms" },
    { source: "src/accounts/ledger", to: "accounts/ledger" },
    { source: "src/accounts/remote", to: "accounts/remote" },
    { source: "src/accounts/server", to: "accounts/server" },
    { source: "src/address", to: "address" },
    { source: "src/cache", to: "cache" },
    { source: "src/caip", to: "caip" },
    { source: "src/contracts", to: "contracts" },
    { source: "src/define", to: "networks/define" },
    { source: "src/health", to: "health" },
    { source: "src/identify", to: "identify" },
    { source: "src/quota", to: "quota" },
    { source: "src/permit", to: "signers/permit" },
    { source: "src/staking", to: "signers/staking" },
    { source: "src/policy", to: "signers/policy" },
    { source: "src/proposal", to: "signers/proposal" },
    { source: "src/simulate", to: "signers/simulate" },
    { source: "src/sweep", to: "signers/sweep" },
    { source: "src/units", to: "units" },
    { source: "src/webhook", to: "webhook" },
    ...entriesIn("src/entries", "chains"),
    ...entriesIn("src/pick", "pick"),
    ...entriesIn("src/entries/signers", "signers")
  ]
  await writeSources(outdir, separate)
  const whole = { source: "src/promise", to: "promise" }
  await writeParts(outdir, whole)
  return [...separate, whole]
}

const main = async () => {
  const entries = await buildInto(`${root}dist/lean`)
  copyTypes(
    `${root}dist`,
    `${root}dist/lean/types`,
    entries.map(({ source }) => source)
  )
  // The entries on effect have published declarations only, which the Effect surface's declarations need.
  for (const { source } of entries) {
    for (const end of ["js", "js.map"]) rmSync(`${root}dist/${source}.${end}`, { force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
