// Writes the table of chain families and what their signers can do into `docs/signers/capabilities.md`, from what the tests cover:
// `node scripts/capabilities.mjs`. A test says so in a line of its own, with the node or the library that it is tried against:
// `// @covers simulation on anvil: evm`.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = new URL("../", import.meta.url)

/** The families, in the order of the columns. */
const families = {
  evm: "EVM",
  bitcoin: "Bitcoin's kind",
  solana: "Solana",
  tron: "Tron",
  ton: "TON",
  xrp: "XRP Ledger",
  stellar: "Stellar",
  cosmos: "Cosmos",
  algorand: "Algorand",
  tezos: "Tezos"
}

/** What signers can do, in the order of the rows, with the page about it. */
const capabilities = {
  payments: "[payments](../signers.md)",
  tokens: "[payments in tokens](tokens.md)",
  messages: "[messages](../signers.md#the-calls)",
  policies: "[policies](policy.md)",
  hd: "[accounts with many addresses](hd.md)",
  accounts: "[keys in a KMS or on a server](kms.md)",
  ledger: "[keys on a Ledger](ledger.md)",
  simulation: "[simulation](simulate.md)",
  replacement: "[speeding up and cancelling](nonces.md)",
  private: "[private transactions](private.md)",
  blobs: "[blobs](evm.md#blobs)",
  permits: "[permits](permits.md)",
  contracts: "[contracts and programs](../contracts.md)",
  proposals: "[several signatures](proposals.md)",
  psbt: "[partially signed transactions](psbt.md)",
  staking: "[staking](staking.md)",
  fees: "[fees that others pay](fees.md#fees-that-another-account-pays)",
  grants: "[payments for another account](cosmos.md#pay-for-another-account)",
  tickets: "[tickets](xrp.md#pay-from-tickets)",
  sweeps: "[sweeps of token addresses](sweep.md)",
  orders: "[orders that survive restarts](../fleet.md)"
}

const folders = ["test/accounts/", "test/nodes/", "test/signers/", "test/contracts/", "packages/fleet/test/"]

/** What a test covers, by its lines. Unknown words are an error. */
const readCovers = (text, name) =>
  [...text.matchAll(/^\/\/ @covers (.*)$/gm)].flatMap(([line, rest]) => {
    const [, capability, proof, list] = /^(\w+) on ([\w ,.&'-]+): ([\w, ]+)$/.exec(rest) ?? []
    if (!Object.hasOwn(capabilities, capability ?? ""))
      throw new Error(`${name}: what does it cover? ${line}`)
    return list.split(", ").map((family) => {
      if (!Object.hasOwn(families, family)) throw new Error(`${name}: ${family} is no family`)
      return { capability, family, proof }
    })
  })

const tests = folders.flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => folder + name)
)

/** The table in Markdown, as `npx biome format` leaves it. */
const makeTable = () => {
  const covered = tests.flatMap((name) => readCovers(readFileSync(new URL(name, root), "utf8"), name))
  const cell = (capability, family) => {
    const proofs = covered.filter((each) => each.capability === capability && each.family === family)
    return [...new Set(proofs.map(({ proof }) => proof))].sort().join(", ") || "–"
  }
  const rows = [
    ["", ...Object.values(families)],
    ...Object.entries(capabilities).map(([capability, title]) => [
      title,
      ...Object.keys(families).map((family) => cell(capability, family))
    ])
  ]
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)))
  const toLine = (row) => `| ${row.map((text, column) => text.padEnd(widths[column])).join(" | ")} |`
  const [head, ...body] = rows.map(toLine)
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...body].join("\n")
}

const marks = /(<!-- capabilities -->\n\n)[\s\S]*?(\n\n<!-- \/capabilities -->)/
const pageAt = new URL("docs/signers/capabilities.md", root)

/** The page with the table of now. */
export const makePage = () => readFileSync(pageAt, "utf8").replace(marks, `$1${makeTable()}$2`)

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(pageAt, makePage())
