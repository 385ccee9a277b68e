/** `npm run bench -- sizes`: what a page with one call ships. `test/bundle.test.ts` holds this SDK to its limits. */
import { existsSync } from "node:fs"
import { round } from "../stats.mjs"
import { table } from "../table.mjs"
import { folder } from "../tatum.mjs"
import { bundle, loaded, sizeOf } from "./bundle.mjs"

const promise = (from) => `
  import { init } from "${from}"
  const sdk = await init({ network: "ethereum-mainnet" })
  console.log(await sdk.rpc.getBalance("0x0"))`

const picked = `
  import { ETHEREUM } from "./src/data/rows.ts"
  import { createClient, getBalance } from "./src/pick/evm.ts"
  const client = await createClient({ network: ETHEREUM, endpoints: { getBalance } })
  console.log(await client.rpc.getBalance("0x0"))`

const viem = (client) => `
  import { ${client}, fallback, http } from "viem"
  import { mainnet } from "viem/chains"
  import { getBalance } from "viem/actions"
  const client = ${client}({ chain: mainnet, transport: fallback([http("a"), http("b")]) })
  getBalance(client, { address: "0x0" }).then(console.log)`

const ethers = `
  import { FallbackProvider, JsonRpcProvider } from "ethers"
  new FallbackProvider([new JsonRpcProvider("a")], 1).getBalance("0x0").then(console.log)`

const kit = `
  import { createSolanaRpc } from "@solana/kit"
  createSolanaRpc("a").getBalance("0").send().then(console.log)`

const tatum = `
  import { Network, TatumSDK } from "@tatumio/tatum"
  TatumSDK.init({ network: Network.ETHEREUM }).then((sdk) => sdk.rpc.getBalance("0x0")).then(console.log)`

const apps = [
  ["effect-chains/chains/Ethereum", promise("./src/entries/Ethereum.ts"), { lean: true }],
  ["effect-chains/evm, one endpoint", picked, { lean: true }],
  [
    "effect-chains/promise",
    promise("./src/promise.ts"),
    { lean: true, splitting: true, entries: ["app.ts", "src/chains/Ethereum.ts"] }
  ],
  ["@tatumio/tatum", tatum, { alias: { "@tatumio/tatum": folder } }],
  ["viem, public client", viem("createPublicClient")],
  ["viem, client and one action", viem("createClient")],
  ["ethers", ethers],
  ["@solana/kit", kit]
]

/** Limits are those of the unit test: nothing here is a target. */
export const measures = () => ({})

export const run = async ({ say }) => {
  const rows = []
  for (const [name, code, { splitting = false, entries, alias, lean = false } = {}] of apps) {
    if (alias !== undefined && !existsSync(folder)) continue
    try {
      const outputs = await bundle(code, { splitting, alias, lean })
      const needed = entries === undefined ? outputs : loaded(outputs, ...entries)
      rows.push({
        name,
        minified: round(needed.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000),
        gzip: round(sizeOf(needed) / 1_000)
      })
    } catch (error) {
      say(`left out: ${name}: ${String(error?.message ?? error).split("\n")[0]}`)
    }
  }
  return {
    result: { rows },
    tables: [
      table(
        "Bundles of a page with one call, by esbuild",
        ["", "minified kB", "gzip kB"],
        rows.map((row) => [row.name, row.minified, row.gzip])
      )
    ]
  }
}
