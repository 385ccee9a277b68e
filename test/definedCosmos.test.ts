/**
 * A chain of Cosmos by its entry in the chain registry. No node of the Cosmos SDK can be had from npm or Debian, so none runs here:
 * its place is taken by a server that has the routes of Juno's own OpenAPI description and takes described requests alone. It reads
 * signed transactions byte by byte, by a reader of its own.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CosmosAssetList, type CosmosRegistryChain, fromCosmosRegistry } from "../src/define.js"
import { signer } from "../src/entries/signers/Cosmos.js"
import { init } from "../src/promise.js"
import { decodeWords, wordsToBytes } from "../src/signers/bech32.js"
import { encodeBech32 } from "../src/signers/cosmos/address.js"
import { take } from "./results.js"
import { Hub } from "./signers/hub.js"
import { describe as open } from "./specs/descriptions.js"
import { type DescribedServer, start } from "./specs/server.js"

const mnemonic = `${"abandon ".repeat(11)}about`
const receiver = encodeBech32("juno", new Uint8Array(20).fill(7))

/** What the registry has of the chain, in so far as the builder reads it. */
const chainAt = (url: string): CosmosRegistryChain => ({
  chain_name: "juno",
  pretty_name: "Juno",
  network_type: "mainnet",
  chain_id: "juno-1",
  bech32_prefix: "juno",
  fees: { fee_tokens: [{ denom: "ujuno", fixed_min_gas_price: 0.075, average_gas_price: 0.1 }] },
  staking: { staking_tokens: [{ denom: "ujuno" }] },
  apis: { rest: [{ address: url }] }
})

const assets: CosmosAssetList = {
  assets: [
    {
      base: "ujuno",
      display: "juno",
      symbol: "JUNO",
      name: "Juno",
      denom_units: [
        { denom: "ujuno", exponent: 0 },
        { denom: "juno", exponent: 6 }
      ]
    }
  ]
}

describe("a chain of the Cosmos registry", () => {
  const accounts: Hub["accounts"] = { [receiver]: { coins: {} } }
  const hub = new Hub(accounts)
  let server: DescribedServer
  beforeAll(async () => {
    hub.chainId = "juno-1"
    hub.config = "0.075ujuno"
    server = await start(open("cosmos"), (path, body) =>
      path === "/cosmos/base/tendermint/v1beta1/node_info"
        ? { status: 200, json: { default_node_info: { network: hub.chainId, version: "0.37.4" } } }
        : hub.answer(path, body)
    )
  })
  afterAll(() => server.close())

  it("has calls, accounts of its prefix, and payments in its own coin, by the routes of its description", async () => {
    const network = fromCosmosRegistry(chainAt(server.url), assets, { id: "juno-described" })
    const sdk = await init({ network, quiet: true })
    try {
      expect(take(await sdk.rpc.getNodeInfo()).default_node_info?.network).toBe("juno-1")
      const probe = take(await signer(sdk, { mnemonic }))
      expect(probe.address).toMatch(/^juno1/)
      // the key's account is the same on every chain of Cosmos, under its own prefix
      const bytes = Uint8Array.from(
        wordsToBytes(
          (decodeWords(probe.address.slice(probe.address.lastIndexOf("1") + 1)) ?? []).slice(0, -6)
        ) ?? []
      )
      expect(encodeBech32("cosmos", bytes)).toBe("cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4")
      accounts[probe.address] = { sequence: 0n, coins: { ujuno: 10_000_000n } }
      const prepared = take(await probe.prepare({ to: receiver, amount: "1.5" }))
      // 140,000 gas at the price that the registry recommends
      expect(prepared.amount).toBe(1_500_000n)
      expect(prepared.outgoing[0]).toMatchObject({ asset: "JUNO", amount: "1.514" })
      const { hash } = take(await probe.submit(prepared))
      expect(hub.pool.has(hash)).toBe(true)
      hub.mine()
      expect(take(await sdk.rpc.getTxByHash(hash)).tx_response.txhash).toBe(hash)
    } finally {
      await sdk.destroy()
    }
    expect(server.problems).toEqual([])
    expect(server.asked).toContain("POST /cosmos/tx/v1beta1/txs")
  })

  it("is refused where the server is of another chain, and nothing is signed for it", async () => {
    const network = fromCosmosRegistry({ ...chainAt(server.url), chain_id: "uni-6" }, assets, {
      id: "juno-other"
    })
    const before = hub.pool.size
    const sdk = await init({ network, quiet: true, retryCount: 0 })
    try {
      const answer = await sdk.rpc.getNodeInfo()
      expect(answer).toMatchObject({ status: "ERROR", error: { cause: { kind: "wrong-chain" } } })
      const account = take(await signer(sdk, { mnemonic }))
      const paid = await account.send({ to: receiver, amount: 1n })
      expect(JSON.stringify(paid)).toContain("the node serves the chain juno-1, and not uni-6")
      expect(hub.pool.size).toBe(before)
    } finally {
      await sdk.destroy()
    }
  })
})
