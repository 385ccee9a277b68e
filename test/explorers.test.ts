/** The explorers of EVM chains beside those that viem has. */
import * as chains from "viem/chains"
import { expect, it } from "vitest"
import { explorers } from "../src/data/explorers.js"
import * as Network from "../src/data/Network.js"

const sitesOf = (chainId: number): ReadonlyArray<string> =>
  Object.values(chains).flatMap((chain) =>
    chain.id === chainId && "blockExplorers" in chain
      ? Object.values(chain.blockExplorers ?? {}).map(({ url }) => url.replace(/\/$/, ""))
      : []
  )

const ofChainIds = Object.entries(explorers).flatMap(([network, site]) => {
  const { chainId = undefined } = Network.isNetwork(network) ? Network.info(network) : {}
  return chainId === undefined
    ? []
    : [{ network, chainId, url: typeof site === "string" ? site : site.url.replace(/\/$/, "") }]
})

it.each(ofChainIds)("$network is on the site that viem names", ({ chainId, url }) => {
  expect(sitesOf(chainId)).toContain(url)
})

it("has more than a few of them", () => {
  expect(ofChainIds.length).toBeGreaterThan(40)
})
