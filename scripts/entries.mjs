/**
 * Writes `src/entries`: an entry of `effect-chains/chains/*` for each module of families, from the registry. Such an entry
 * has all that its module has, and what makes clients of its families, with nothing of other chains in the bundle.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = `${root}src/entries`
const registry = readFileSync(`${root}src/client/registry.ts`, "utf8")

const line = /^ {2}"?([\w-]+)"?: from\(\(\) => import\("\.\.\/chains\/(\w+)\.js"\), "(\w+)"\)/gm

/** The families of every module: their ids, and their names there. */
const modules = new Map()
const lines = [...registry.matchAll(line)]
for (const [, id, name, family] of lines) {
  modules.set(name, [...(modules.get(name) ?? []), { id, family }])
}
// a family without an entry would not be missed before somebody imports it
const loads = registry.match(/import\("\.\.\/chains\//g)?.length
if (lines.length !== loads) {
  throw new Error(
    `src/client/registry.ts loads ${loads} families, of which ${lines.length} are lines that can be read`
  )
}

const made = (name, families) => {
  const ids = families.map(({ id }) => JSON.stringify(id)).join(" | ")
  const record = families.map(({ family, id }) => `${JSON.stringify(id)}: ${family}`).join(", ")
  const names = [...new Set(families.map(({ family }) => family))].sort().join(", ")
  return `import { ${names} } from "../chains/${name}.js"
import { type MakeRpc, makeWith } from "../client/make.js"
import type { NetworkOf } from "../client/registry.js"
import { type InitRpc, initWith } from "../client/init.js"

export * from "../chains/${name}.js"

/** Makes the client of networks of this family on the Promise surface. Any other network is refused. */
export const init: InitRpc<NetworkOf<${ids}>> = /*#__PURE__*/ initWith({ ${record} })

/** Makes the client of networks of this family on the Effect surface. Any other network is refused. */
export const make: MakeRpc<NetworkOf<${ids}>> = /*#__PURE__*/ makeWith({ ${record} })
`
}

// what is right stays as it is: whoever watches the sources sees no change
mkdirSync(folder, { recursive: true })
for (const file of readdirSync(folder)) {
  if (!modules.has(file.replace(/\.ts$/, ""))) rmSync(`${folder}/${file}`)
}
for (const [name, families] of modules) {
  const file = `${folder}/${name}.ts`
  const text = made(name, families)
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text)
}
