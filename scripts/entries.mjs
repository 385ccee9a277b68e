/**
 * Writes `src/entries`: an entry of `effect-chains/chains/*` for each module of families, from the registry. Such an entry
 * has all that its module has, and what makes clients of its families, with nothing of other chains in the bundle.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = `${root}src/entries`
const registry = readFileSync(`${root}src/client/registry.ts`, "utf8")

const line = /^ {2}"?([\w-]+)"?: from\(\(\) => import\("\.\.\/chains\/(\w+)\.js"\), "(\w+)"\)/gm

/** The families of every module: their ids, and their names there. */
const modules = new Map()
for (const [, id, name, family] of registry.matchAll(line)) {
  modules.set(name, [...(modules.get(name) ?? []), { id, family }])
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

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [name, families] of modules) writeFileSync(`${folder}/${name}.ts`, made(name, families))
