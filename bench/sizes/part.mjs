/**
 * `npm run bench -- sizes`: what a page with one call ships, of the files that are published. `test/bundle.test.ts` holds this SDK to
 * its limits.
 */
import { existsSync } from "node:fs"
import { round } from "../stats.mjs"
import { table } from "../table.mjs"
import { folder } from "../tatum.mjs"
import { bundle, loaded, sizeOf, viteBundle } from "./bundle.mjs"

const promise = (from) => `
  import { init } from "${from}"
  const sdk = await init({ network: "ethereum-mainnet" })
  console.log(await sdk.rpc.getBalance("0x0"))`

const picked = `
  import { ETHEREUM } from "./dist/src/data/rows.js"
  import { createClient, getBalance } from "./dist/lean/pick/evm.js"
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
  ["effect-chains/chains/Ethereum", promise("./dist/lean/chains/Ethereum.js")],
  ["effect-chains/evm, one endpoint", picked],
  [
    "effect-chains/promise",
    promise("./dist/lean/promise.js"),
    {
      splitting: true,
      entries: ["app.ts", ...["chains", "data/rows"].map((part) => `dist/lean/parts/${part}/Ethereum.js`)]
    }
  ],
  ["@tatumio/tatum", tatum, { alias: { "@tatumio/tatum": folder } }],
  ["viem, public client", viem("createPublicClient")],
  ["viem, client and one action", viem("createClient")],
  ["ethers", ethers],
  ["@solana/kit", kit]
]

/** Limits are those of the unit test: nothing here is a target. */
export const measures = () => ({})

export const run = async ({ quick, say }) => {
  const rows = []
  for (const [name, code, { splitting = false, entries, alias } = {}] of apps) {
    if (alias !== undefined && !existsSync(folder)) continue
    try {
      const outputs = await bundle(code, { splitting, alias })
      const of = (made) => (entries === undefined ? made : loaded(made, ...entries))
      const needed = of(outputs)
      const byVite =
        quick || alias !== undefined ? undefined : sizeOf(of(await viteBundle(code, { splitting })))
      rows.push({
        name,
        minified: round(needed.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000),
        gzip: round(sizeOf(needed) / 1_000),
        ...(byVite === undefined ? {} : { vite: round(byVite / 1_000) })
      })
    } catch (error) {
      say(`left out: ${name}: ${String(error?.message ?? error).split("\n")[0]}`)
    }
  }
  return {
    result: { rows },
    tables: [
      table(
        "Bundles of a page with one call, by esbuild and by Vite",
        ["", "minified kB", "gzip kB", "by Vite"],
        rows.map((row) => [row.name, row.minified, row.gzip, row.vite ?? "–"])
      )
    ]
  }
}
