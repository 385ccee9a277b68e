/**
 * Builds the entries for Effect 4, and runs tests on it. A source imports `effect/*`, which is one of these:
 *
 * - a module of `src/effect4`, if the sources need what Effect 4 has under another name or with another meaning,
 * - else the module of that name of Effect 4.
 *
 * `@effect/platform/*` is Effect 4's `effect/http/*` in the same way. A source `name.ts` may have a twin `name.effect4.ts`, which stands
 * for it. The devDependency `effect4` is Effect 4 under another name; what is published says `effect`.
 */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
  .split(sep)
  .join("/")
const adapters = `${root}src/effect4/`

/** Where a module of Effect 3 is on Effect 4: the file that adapts it, or the path in Effect 4's package. */
export const placeOf = (id) => {
  const [, platform, name] = /^(?:effect|(@effect\/platform))\/([\w/]+)$/.exec(id) ?? []
  if (name === undefined) return undefined
  const file = `${adapters}${platform === undefined ? "" : "platform/"}${name}.ts`
  return existsSync(file) ? { file } : { path: `${platform === undefined ? "" : "http/"}${name}` }
}

/** The twin of a source, if it has one. */
export const twinOf = (file) => {
  const twin = file.replace(/\.js$/, ".ts").replace(/\.tsx?$/, ".effect4$&")
  return existsSync(twin) ? twin : undefined
}

/** The twin that a file's import means, if there is one. */
const twinIn = (importer, id) => twinOf(resolve(dirname(importer), id).split(sep).join("/"))

const isSource = (importer) =>
  /^(src|react)\//.test(relative(root, importer).split(sep).join("/")) && !importer.includes("/sandbox/")

/** The plugin for bundlers like Rollup: `toModule` makes an import of a module of Effect 4. */
export const rollup = (toModule, isAnswered = isSource) => ({
  name: "effect4",
  enforce: "pre",
  isAnswered,
  resolveId(id, importer = "") {
    const from = importer.split(sep).join("/")
    if (!isAnswered(from)) return undefined
    if (id.startsWith(".")) return twinIn(from, id)
    const own = from.startsWith(adapters) ? /^effect4\/(.+)$/.exec(id)?.[1] : undefined
    if (own !== undefined) return toModule(own)
    const place = placeOf(id)
    return place && (place.file ?? toModule(place.path))
  }
})

/** A module of Effect 4 for a published file. */
export const published = (path) => ({ id: `effect/${path}`, external: true })

/** A module of Effect 4 for a test. */
const installed = (path) => join(root, "node_modules/effect4/dist", `${path}.js`)

/** The plugin for esbuild, with Effect 4 as it is installed. */
export const plugin = {
  name: "effect4",
  setup(esbuild) {
    const { resolveId } = rollup(installed)
    esbuild.onResolve({ filter: /^(\.|@?effect)/ }, ({ importer, path }) => {
      const found = resolveId(path, importer)
      return found && { path: found, sideEffects: false }
    })
  }
}

const tests = `${root}test/`

/** Data types of Effect 3 that know no runtime. */
const DATA = ["effect/FastCheck", "effect/Types"]

/** The module for a test's import of effect: one of `test/effect4`, which has what only tests use, or the source's. */
const forTests = (id) => {
  const name = /^(?:@?effect|@effect\/platform(?:-node)?)\/(\w+)$/.exec(id)?.[1]
  if (name === undefined || DATA.includes(id)) return undefined
  const file = `${tests}effect4/${name}.ts`
  return existsSync(file) ? file : undefined
}

/** Tests' programs that run effects of the sandbox, which has no build for Effect 4. */
const ON_EFFECT_3 = /\/hostile\/recorded\.ts$/

/** Programs of tests whose `right` is the right answer, and no Either's. */
const NO_EITHER = /\/hostile\/(?:exchanges|process|server)\.ts$/

const results = { Left: "Failure", Right: "Success", left: "failure", right: "success" }

/** The end of the braces that begin there. */
const closing = (code, from) => {
  let depth = 0
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === "{") depth += 1
    if (code[at] === "}") depth -= 1
    if (depth === 0) return at + 1
  }
  return code.length
}

/** A cause has a list of reasons. */
const toReasons = (code) => {
  const [found] = code.match(/\bcause: \{\s*error: (?=\{)/) ?? []
  if (found === undefined) return code
  const start = code.indexOf(found)
  const from = start + found.length
  const end = closing(code, from)
  return `${code.slice(0, start)}cause: { reasons: [{ error: ${code.slice(from, end)} }]${toReasons(code.slice(end))}`
}

/** Tests say what an Either and a cause hold by the names of Effect 3. */
const toEffect4 = (code) =>
  toReasons(code)
    .replace(/\{ (left|right) \}/g, (_, name) => `{ ${results[name]}: ${name} }`)
    .replace(
      /"(Left|Right)"|(?<!\bEither|\.)\.(left|right)\b|(?<=[{,;]\s*)(left|right)(?=:)/g,
      (_, tag, member, name) =>
        tag !== undefined
          ? JSON.stringify(results[tag])
          : `${member === undefined ? "" : "."}${results[member ?? name]}`
    )

/**
 * The plugin for vitest. With `isWhole`, the tests' own imports of effect are Effect 4's too. Without it, tests use the Promise surface,
 * and Effect 3 for themselves.
 */
export const vite = (isWhole, toModule = installed) => {
  const sources = rollup(toModule)
  const own = rollup(
    toModule,
    (from) => from.startsWith(tests) && !from.startsWith(`${tests}effect4/`) && !ON_EFFECT_3.test(from)
  )
  return {
    ...sources,
    // what vitest keeps of files that plugins have changed goes by the plugins' names
    name: isWhole ? "effect4, with its tests" : "effect4",
    resolveId(id, importer = "") {
      const from = importer.split(sep).join("/")
      if (id.startsWith(".")) return twinIn(from, id)
      if (isWhole && own.isAnswered(from))
        return DATA.includes(id) ? undefined : (forTests(id) ?? own.resolveId(id, importer))
      return sources.resolveId(id, importer)
    },
    transform: (code, id) =>
      isWhole && own.isAnswered(id) && !NO_EITHER.test(id) ? toEffect4(code) : undefined
  }
}

/** The plugin for tests of the hooks, which get the twins of sources, and the hooks' module over Effect 4 for rx. */
export const viteHooks = () => {
  // nothing in them is an Either, and `left` is a side of the page
  const { enforce, resolveId } = vite(true)
  return {
    name: "effect4, with its hooks",
    enforce,
    resolveId: (id, importer = "") =>
      /^@effect-rx\/rx-react/.test(id) ? `${root}react/reactivity.effect4.ts` : resolveId(id, importer)
  }
}

/** The plugin for programs of the tests, which esbuild bundles without their packages. */
export const runner = {
  name: "effect4",
  setup(esbuild) {
    const { resolveId, transform } = vite(true, (path) => ({ path: `effect4/${path}`, external: true }))
    esbuild.onResolve({ filter: /^(\.|@?effect)/ }, ({ importer, path }) => {
      const found = resolveId(path, importer)
      return typeof found === "string" ? { path: found } : found
    })
    esbuild.onLoad({ filter: /\/test\/.*\.ts$/ }, ({ path }) => ({
      contents: transform(readFileSync(path, "utf8"), path) ?? readFileSync(path, "utf8"),
      loader: "ts"
    }))
  }
}
