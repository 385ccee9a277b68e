/**
 * Writes the files that are derived from tables; they are files so that bundlers leave out the parts that an application does
 * not import.
 *
 * `src/entries`: an entry of `effect-chains/chains/*` for each module of families, from the registry. Such an entry has all
 * exports of its module, and the makers of its families' clients, with nothing of other chains in the bundle.
 *
 * `src/data/networks.ts`: the networks as constants, from the table of networks.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = `${root}src/entries`
const registry = readFileSync(`${root}src/chains/registry.ts`, "utf8")

const line = /^ {2}"?([\w-]+)"?: from\(\(\) => import\("\.\/(\w+)\.js"\), "(\w+)"\)/gm

/** The families of every module: their ids, and their names there. */
const modules = new Map()
const lines = [...registry.matchAll(line)]
for (const [, id, name, family] of lines) {
  modules.set(name, [...(modules.get(name) ?? []), { id, family }])
}
// a family without an entry would not be missed before an application imports it
const loads = registry.match(/: from\(/g)?.length
if (lines.length !== loads) {
  throw new Error(
    `src/chains/registry.ts loads ${loads} families, of which ${lines.length} are lines that can be read`
  )
}

const made = (name, families) => {
  const ids = families.map(({ id }) => JSON.stringify(id)).join(" | ")
  const record = families.map(({ family, id }) => `${JSON.stringify(id)}: ${family}`).join(", ")
  const names = [...new Set(families.map(({ family }) => family))].sort().join(", ")
  return `import { ${names} } from "../chains/${name}.js"
import { type MakeRpc, makeWith } from "../client/make.js"
import type { NetworkOf } from "../chains/registry.js"
import { type InitRpc, initWith } from "../client/init.js"

export * from "../chains/${name}.js"

/** Makes the client of networks of this family on the Promise surface. Any other network is refused. */
export const init: InitRpc<NetworkOf<${ids}>> = /*#__PURE__*/ initWith({ ${record} })

/** Makes the client of networks of this family on the Effect surface. Any other network is refused. */
export const make: MakeRpc<NetworkOf<${ids}>> = /*#__PURE__*/ makeWith({ ${record} })
`
}

const row = /^ {2}"([^"]+)": \{ (family: .*) \},? \/\/ ([A-Z][A-Z0-9_]*)(?:: (.+))?$/gm

/** The lines of the table of networks: id, columns, name of the constant, and the details of the network. */
const table = readFileSync(`${root}src/data/Network.ts`, "utf8")
const rows = [...table.matchAll(row)].map(([, id, columns, name, note]) => ({ id, columns, name, note }))
const ids = [...table.matchAll(/^ {2}"([^"]+)": \{ family:/gm)].map(([, id]) => id)
const nameless = ids.filter((id) => rows.every((each) => each.id !== id))
if (nameless.length > 0) {
  throw new Error(
    `src/data/Network.ts: ${nameless.join(", ")} has no name of a constant at the end of its line (// NAME)`
  )
}

const constant = ({ columns, id, name, note }) => {
  const column = (pattern) => pattern.exec(columns)?.[1]
  const chainId = column(/\bchainId: (\d+)/)
  const what = [column(/\bsymbol: "([^"]+)"/), ...(chainId === undefined ? [] : [`chain id ${chainId}`])]
  const tags = [
    "@since 0.1.0",
    `@category ${isTestnet({ columns }) ? "testnets" : "mainnets"}`,
    ...(/\bstatus: "sunset"(,|$)/.test(columns) ? ["@deprecated Shut down."] : [])
  ]
  const words = [`\`${id}\`: ${what.join(", ")}.`, ...(note === undefined ? [] : [note]), ...tags]
  return `/** ${words.join(" ")} */\nexport const ${name} = "${id}" satisfies Network\n`
}

const isTestnet = ({ columns }) => columns.includes("testnet: true")
const constants = `/**
 * The networks and the enumerations as constants, each of them left out of a bundle that does not name it.
 *
 * \`\`\`ts
 * import * as Network from "effect-chains/networks"
 *
 * const network = Network.ETHEREUM
 * \`\`\`
 *
 * @since 0.1.0
 */
import type { Network } from "./Network.js"

export * from "./enumerations.js"

${[...rows.filter((each) => !isTestnet(each)), ...rows.filter(isTestnet)].map(constant).join("")}`

// a file that is right stays as it is: watchers of the sources see no change
const write = (file, text) => {
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text)
}
mkdirSync(folder, { recursive: true })
for (const file of readdirSync(folder)) {
  if (!modules.has(file.replace(/\.ts$/, ""))) rmSync(`${folder}/${file}`)
}
for (const [name, families] of modules) write(`${folder}/${name}.ts`, made(name, families))
write(`${root}src/data/networks.ts`, constants)
