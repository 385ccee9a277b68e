// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { explorers } from "../../src/data/explorers.js"
import * as Network from "../../src/data/Network.js"
import * as Explorer from "../../src/services/Explorer.js"
import { makeScripted } from "./scripted.js"

const of = (network: Network.Network) =>
  Effect.map(makeScripted(Explorer.make, [], { network }), ({ service }) => service)

const pages: ReadonlyArray<
  readonly [Network.Network, keyof Explorer.ExplorerService, string | bigint | number, string]
> = [
  ["ethereum-mainnet", "tx", "0xab", "https://etherscan.io/tx/0xab"],
  ["ethereum-mainnet", "block", 17_000_000n, "https://etherscan.io/block/17000000"],
  ["ethereum-mainnet", "token", "0xcd", "https://etherscan.io/token/0xcd"],
  ["kaia-mainnet", "address", "0xab", "https://kaiascan.io/address/0xab"],
  ["bitcoin-mainnet-electrs", "tx", "ab", "https://mempool.space/tx/ab"],
  ["bitcoin-testnet4", "block", 5, "https://mempool.space/testnet4/block/5"],
  [
    "bitcoin-cash-mainnet",
    "address",
    "bitcoincash:qpm2",
    "https://blockchair.com/bitcoin-cash/address/bitcoincash:qpm2"
  ],
  ["solana-devnet", "tx", "5h6x", "https://explorer.solana.com/tx/5h6x?cluster=devnet"],
  ["tron-mainnet", "token", "TR7N", "https://tronscan.org/#/token20/TR7N"],
  ["stellar-testnet", "token", "USDC-GABC", "https://stellar.expert/explorer/testnet/asset/USDC-GABC"],
  ["tezos-mainnet", "tx", "opAb", "https://tzkt.io/opAb"],
  ["ripple-mainnet", "block", "90000000", "https://livenet.xrpl.org/ledgers/90000000"]
]

describe("links to an explorer", () => {
  it.effect.each(pages)("%s: %s %s", ([network, page, value, url]) =>
    Effect.gen(function* () {
      const explorer = yield* of(network)
      const link = page === "block" ? explorer.block(value) : explorer[page](String(value))
      expect(yield* link).toBe(url)
    })
  )

  it.effect("of networks without one, and of pages that it lacks, are not supported", () =>
    Effect.gen(function* () {
      for (const [network, page] of [
        ["monad-testnet", "tx"],
        ["bch-testnet", "address"],
        ["bitcoin-mainnet", "token"],
        ["ton-mainnet", "block"]
      ] as const) {
        const explorer = yield* of(network)
        expect(yield* Effect.flip(explorer[page]("ab"))).toMatchObject({
          _tag: "NotSupportedForNetwork",
          network
        })
      }
    })
  )

  it.effect("of what is no word are refused, and nothing leads to another page of the site", () =>
    Effect.gen(function* () {
      const explorer = yield* of("ethereum-mainnet")
      for (const text of ["", " ", "a b", "../x", "a/b", "?q=1", "#x", "..", ".", "a".repeat(201), "\u0000"])
        expect(yield* Effect.flip(explorer.tx(text))).toMatchObject({
          _tag: "InvalidArgument",
          call: "explorer.tx"
        })
      // a number is no hash
      for (const value of [1, null, undefined, {}])
        expect((yield* Effect.flip(explorer.tx(value as unknown as string)))._tag).toBe("InvalidArgument")
      for (const value of [1.5, Number.NaN, -1, -1n])
        expect((yield* Effect.flip(explorer.block(value)))._tag).toBe("InvalidArgument")
    })
  )

  it("of any text stand on the site", async () => {
    const sites = Object.entries(explorers).map(([network, site]) => ({
      network,
      origin: new URL(typeof site === "string" ? site : site.url).origin
    }))
    for (const { network, origin } of sites) {
      if (!Network.isNetwork(network)) throw new Error(network)
      const explorer = await Effect.runPromise(of(network))
      await FastCheck.assert(
        FastCheck.asyncProperty(FastCheck.string({ unit: "grapheme" }), async (text) => {
          const link = await Effect.runPromise(Effect.either(explorer.address(text)))
          if (link._tag === "Right") expect(new URL(link.right).origin).toBe(origin)
        }),
        { numRuns: 20 }
      )
    }
  })

  it("of networks that are one chain are the same", () => {
    const table: Readonly<Record<string, unknown>> = explorers
    for (const [one, other] of [
      ["algorand-mainnet-indexer", "algorand-mainnet-algod"],
      ["bitcoin-mainnet-electrs", "bitcoin-mainnet"],
      ["bch-mainnet-rostrum", "bitcoin-cash-mainnet"],
      ["klaytn-mainnet", "kaia-mainnet"],
      ["klaytn-baobab", "kaia-kairos"]
    ] as const)
      expect(table[one]).toBe(table[other])
  })
})
