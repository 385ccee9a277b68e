/**
 * Writes the modules that Node loads for entries of one major version of Effect. Under the other one, Effect lacks modules that the entry
 * imports, and Node would tell of a file in Effect that does not exist. These tell which entry to import. Bundlers read the entries
 * themselves (condition `module`), so that they leave out what a program does not use.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

/** The entries, and what a program under the other version is told. */
const GUARDED = {
  ".": {
    module: "index",
    message:
      'effect-chains needs effect@3 and @effect/platform. With Effect 4, import "effect-chains/effect4".'
  },
  "./effect4": {
    module: "effect4",
    message: 'effect-chains/effect4 needs effect@4.1 or later. With Effect 3, import "effect-chains".'
  }
}

/** The `exports` of the package with the conditions of these entries. */
export const withGuards = (exports) =>
  Object.fromEntries(
    Object.entries(exports).map(([entry, target]) => {
      const guard = GUARDED[entry]
      if (guard === undefined) return [entry, target]
      const { require, types, default: module } = target
      const node = `./dist/node/${guard.module}.js`
      return [entry, { module, require, types, node, default: module }]
    })
  )

export const guardOf = (message, target, names) => `const explain = (cause) => {
  if (!/^ERR_(MODULE_NOT_FOUND|PACKAGE_PATH_NOT_EXPORTED)$/.test(cause?.code) || !/effect/.test(cause.message)) throw cause
  throw new Error(${JSON.stringify(message)}, { cause })
}
export const { ${names.join(", ")} } = await import("${target}").catch(explain)
`

/** The CommonJS entry of Effect 3 loads what Effect 4 lacks first. */
const guardCommonJs = (file, message) => {
  const text = readFileSync(file, "utf8")
  const guard = `try {
  require("effect/Either")
  require("@effect/platform/HttpClient")
} catch (cause) {
  throw new Error(${JSON.stringify(message)}, { cause })
}
`
  if (!text.startsWith(guard)) writeFileSync(file, guard + text)
}

const main = () => {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))
  for (const [entry, { message }] of Object.entries(GUARDED)) {
    const { default: module, node } = exports[entry]
    const code = readFileSync(`${root}${module}`, "utf8")
    const names = [...code.matchAll(/^export \* as (\w+) from/gm)].map(([, name]) => name)
    const target = relative(dirname(node), module).split(sep).join("/")
    mkdirSync(dirname(`${root}${node}`), { recursive: true })
    writeFileSync(`${root}${node}`, guardOf(message, target, names))
  }
  guardCommonJs(`${root}dist/cjs/index.cjs`, GUARDED["."].message)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
