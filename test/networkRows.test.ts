/** The rows of the site's table of networks: they are those of the SDK's own table. */
import { describe, expect, it } from "vitest"
import { findRows } from "../docs/.vitepress/networks/model.js"
import { rows } from "../docs/.vitepress/networks/rows.js"
import { info, isNetwork, networks } from "../src/data/Network.js"

const idsOf = (query: string): ReadonlyArray<string> => findRows(rows, query).map(({ id }) => id)
const rowOf = (id: string) => rows.find((row) => row.id === id)

describe("the table of networks", () => {
  it("has every network, with its chain and its coin", () => {
    expect(rows.map(({ id }) => id)).toEqual(Object.keys(networks).sort())
    for (const { chainId, currency, family, id } of rows) {
      if (!isNetwork(id)) throw new Error(`${id} is not in the table`)
      const known = info(id)
      expect([id, family, chainId, currency]).toEqual([id, known.family, known.chainId, known.symbol])
    }
  })

  it("names services that not every network has, explorers, and test networks that live", () => {
    expect(rowOf("ethereum-mainnet")).toMatchObject({
      services: ["address", "contract", "fee", "nft", "notification", "token", "wallet"],
      isTestnet: false,
      testnets: ["ethereum-sepolia", "ethereum-hoodi"],
      explorer: "https://etherscan.io",
      marks: []
    })
    expect(rowOf("solana-devnet")).toMatchObject({
      isTestnet: true,
      testnets: [],
      explorer: "https://explorer.solana.com/?cluster=devnet"
    })
    // its coin has a price, though the provider counts it among the test networks
    expect(rowOf("flare-songbird")).toMatchObject({ isTestnet: false, testnets: ["flare-coston"] })
    expect(rowOf("moonbeam-mainnet")?.marks).toEqual(["your own nodes"])
    expect(rowOf("ethereum-holesky")?.marks).toEqual(["shut down"])
  })

  it("is searched by ids, chain ids, coins, names of the field and what it shows: each word narrows it", () => {
    expect(idsOf("matic testnet")).toEqual(["polygon-amoy"])
    expect(idsOf("  Polygon   MAINNET ")).toEqual(["polygon-mainnet"])
    expect(idsOf("11155111")).toEqual(["ethereum-sepolia"])
    expect(idsOf("shasta")).toEqual(["tron-testnet"])
    expect(idsOf("aptos your own nodes")).toHaveLength(3)
    expect(idsOf("bitcoin evm")).toEqual([])
    expect(findRows(rows, "")).toBe(rows)
  })
})
