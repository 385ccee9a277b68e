/**
 * Writes the modules that Node loads for entries of one major version of Effect. Under the other one, Effect lacks modules that the entry
 * imports, and Node would tell of a file in Effect that does not exist. These tell which entry to import. Bundlers read the entries
 * themselves (condition `module`), so that they leave out what a program does not use.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

const isOfEffect3 = (entry) => entry === "." || /^\.\/(?:effect|react|sandbox)(?:\/|$)/.test(entry)
const isOfEffect4 = (entry) => /^\.\/effect4(?:\/|$)/.test(entry)

/** An entry as programs import it. */
const importOf = (entry) => `effect-chains${entry.slice(1)}`

/** The same entry for the other version, if there is one. What is a module of the whole package there has the whole as its twin. */
const twinOf = (entry, exports) => {
  if (isOfEffect4(entry)) {
    const part = entry.slice("./effect4".length)
    return [`.${part}`, `./effect${part}`].find((each) => isOfEffect3(each) && each in exports) ?? "."
  }
  return [`./effect4${entry.slice(1)}`, entry.replace("./effect/", "./effect4/")].find(
    (each) => isOfEffect4(each) && each in exports
  )
}

/** The packages of Effect that the entry for Effect 3 needs. */
const needsOf = (entry) =>
  /^\.\/effect\//.test(entry)
    ? "effect@3"
    : `effect@3${entry.startsWith("./react") ? ", @effect/platform and @effect-rx/rx-react" : " and @effect/platform"}`

/** What a program under the other version is told of an entry; undefined if the entry runs on both, or without Effect. */
export const messageOf = (entry, exports) => {
  if (!isOfEffect3(entry) && !isOfEffect4(entry)) return undefined
  const twin = twinOf(entry, exports)
  return isOfEffect4(entry)
    ? `${importOf(entry)} needs effect@4.1 or later. With Effect 3, import "${importOf(twin)}".`
    : `${importOf(entry)} needs ${needsOf(entry)}. ${
        twin === undefined ? "It is not there for Effect 4." : `With Effect 4, import "${importOf(twin)}".`
      }`
}

/** The module of an entry for Node. */
const nodeOf = (entry) => `./dist/node/${entry === "." ? "index" : entry.slice("./".length)}.js`

/** The `exports` of the package with the conditions of these entries. */
export const withGuards = (exports) =>
  Object.fromEntries(
    Object.entries(exports).map(([entry, target]) => {
      if (messageOf(entry, exports) === undefined) return [entry, target]
      const { require, types, default: module } = target
      return [entry, { module, require, types, node: nodeOf(entry), default: module }]
    })
  )

/** The module of Effect that the other version does not have, by which an entry knows its own. */
const markerOf = (entry) => (isOfEffect4(entry) ? "effect/Result" : "effect/Either")

export const guardOf = (
  message,
  marker,
  target,
  names,
  directive = ""
) => `${directive}const explain = (cause) => {
  const isMissing = /^ERR_(MODULE_NOT_FOUND|PACKAGE_PATH_NOT_EXPORTED)$/.test(cause?.code)
  const [what] = isMissing ? cause.message.split(" imported from ") : []
  if (!/(?:node_modules[\\\\/]|')@?effect(?:-rx)?[\\\\/']/.test(what)) throw cause
  throw Object.assign(new Error(${JSON.stringify(message)}, { cause }), { code: cause.code })
}
export const { ${names.join(", ")} } = await import("${marker}").then(() => import("${target}")).catch(explain)
`

/** The CommonJS entries of Effect 3 load what Effect 4 lacks first. */
const guardCommonJs = (file, message) => {
  const text = readFileSync(file, "utf8")
  const guard = `try {
  require("effect/Either")
} catch (cause) {
  throw new Error(${JSON.stringify(message)}, { cause })
}
`
  if (!text.startsWith(guard)) writeFileSync(file, guard + text)
}

/** The guarded entries with their files. Those of a pattern are one each. */
const listGuarded = (exports) =>
  Object.entries(exports).flatMap(([entry, { default: module, node }]) => {
    const message = messageOf(entry, exports)
    if (message === undefined) return []
    const [before, after] = module.split("*")
    const names =
      after === undefined
        ? [""]
        : readdirSync(`${root}${before}`)
            .filter((file) => file.endsWith(after))
            .map((file) => file.slice(0, -after.length))
    return names.map((name) => ({
      marker: markerOf(entry),
      message: message.replaceAll("*", name),
      module: module.replace("*", name),
      node: node.replace("*", name)
    }))
  })

/** The names that modules export, by their files. */
const listExports = async (files) => {
  const { rolldown } = await import("rolldown")
  const bundle = await rolldown({
    input: files.map((file) => `${root}${file}`),
    external: /^[^./]/,
    platform: "neutral",
    treeshake: false,
    tsconfig: false,
    onLog: () => {}
  })
  const { output } = await bundle.generate({ format: "esm" })
  return new Map(
    output.flatMap(({ exports, facadeModuleId, isEntry }) =>
      isEntry ? [[`./${relative(root, facadeModuleId).split(sep).join("/")}`, exports]] : []
    )
  )
}

const main = async () => {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))
  const guarded = listGuarded(exports)
  const names = await listExports(guarded.map(({ module }) => module))
  for (const { marker, message, module, node } of guarded) {
    const target = relative(dirname(node), module).split(sep).join("/")
    const [directive = ""] = /^"use client";?\n/.exec(readFileSync(`${root}${module}`, "utf8")) ?? []
    mkdirSync(dirname(`${root}${node}`), { recursive: true })
    writeFileSync(`${root}${node}`, guardOf(message, marker, target, names.get(module) ?? [], directive))
    const commonJs = `${root}${node.replace("./dist/node/", "dist/cjs/").replace(/\.js$/, ".cjs")}`
    if (existsSync(commonJs)) guardCommonJs(commonJs, message)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
