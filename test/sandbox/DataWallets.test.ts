/** What the data API tells of addresses beside their balances: tokens of collections, rewards of mining, and reputations. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Sandbox from "../../src/sandbox/Sandbox.js"
import * as Schemas from "../../src/services/Schemas.js"
import { requireBinary } from "../nodes/process.js"
import { fromCall, makeClient } from "./client.js"
import { fetchJson } from "./serve.js"
import {
  bob,
  callContract,
  carol,
  deployCollection,
  deployFungible,
  deployMultitoken,
  rpcAt
} from "./tokens.js"

const available = requireBinary("anvil", "wallets by the data API") !== undefined

const chain = "ethereum-mainnet"

describe.runIf(available)("wallets on EVM networks", () => {
  it.scopedLive("have their tokens by collection, and reputations by the seed", () =>
    Effect.gen(function* () {
      const networks = [{ network: chain, nodes: 1, archive: 0 }]
      const sandbox = yield* Sandbox.make({ networks, seed: "one" })
      const rpc = rpcAt(sandbox.network(chain).urls[0] ?? "")
      const sdk = yield* makeClient(sandbox, chain)
      const { multitokens, nfts, wallet } = sdk.data
      const { ipfsHash } = yield* fromCall(() =>
        sdk.ipfs.uploadFile({ file: JSON.stringify({ name: "Ape" }) })
      )
      const url = `ipfs://${ipfsHash}`

      const apes = yield* deployCollection(rpc)
      for (const id of [7n, 9n]) yield* callContract(rpc, apes.contract, "mintWithTokenURI", [bob, id, url])
      const cats = yield* deployCollection(rpc)
      yield* callContract(rpc, cats.contract, "mintWithTokenURI", [bob, 1n, url])
      const items = yield* deployMultitoken(rpc, "")
      yield* callContract(rpc, items.contract, "mintBatch", [bob, [3n, 4n], [10n, 20n], "0x"])
      const coins = yield* deployFungible(rpc, { decimals: 6, supply: 10n ** 12n })
      yield* callContract(rpc, coins.contract, "transfer", [bob, 1n])

      const held = yield* fromCall(() => nfts.getBalances({ chain, address: bob }))
      expect(Schema.decodeUnknownSync(Schema.Array(Schemas.NftHolding))(held)).toEqual(held)
      const document = (tokenId: string) => ({ tokenId, url, metadata: { name: "Ape" } })
      expect(held).toEqual([
        { contractAddress: apes.contract, balances: ["7", "9"], metadata: [document("7"), document("9")] },
        { contractAddress: cats.contract, balances: ["1"], metadata: [document("1")] }
      ])
      expect(
        yield* fromCall(() => nfts.getBalances({ chain, address: bob, pageSize: 1, offset: 1 }))
      ).toEqual([held[1]])
      expect(yield* fromCall(() => nfts.getBalances({ chain, address: carol }))).toEqual([])
      yield* callContract(rpc, apes.contract, "transferFrom", [bob, carol, 7n], { from: bob })
      expect((yield* fromCall(() => nfts.getBalances({ chain, address: bob })))[0]?.balances).toEqual(["9"])

      const several = yield* fromCall(() => multitokens.getBalances({ chain, address: bob }))
      expect(Schema.decodeUnknownSync(Schema.Array(Schemas.MultitokenHolding))(several)).toEqual(several)
      expect(several).toMatchObject([
        {
          contractAddress: items.contract,
          balances: [
            { tokenId: "3", amount: "10" },
            { tokenId: "4", amount: "20" }
          ]
        }
      ])

      const known = yield* fromCall(() => wallet.getReputation({ chain, address: bob }))
      expect(Schema.decodeUnknownSync(Schemas.WalletReputation)(known)).toEqual(known)
      expect(known.address).toBe(bob)
      expect(Number.isInteger(known.reputation) && known.reputation >= 0 && known.reputation <= 100).toBe(
        true
      )
      const portfolio = yield* fromCall(() => wallet.getReputationPortfolio({ chain, address: bob }))
      expect(portfolio).toMatchObject({ address: bob, reputation: known.reputation })
      const tokens = [apes, cats, items, coins].map(({ contract }) => contract)
      expect(
        Object(portfolio).tokens.map(({ tokenAddress }: { readonly tokenAddress: string }) => tokenAddress)
      ).toEqual(tokens)
      expect(
        yield* fromCall(() => wallet.getReputationTokens({ chain, address: bob, tokenAddresses: tokens }))
      ).toEqual({
        address: bob,
        tokens: Object(portfolio).tokens
      })

      // the same for the same seed alone
      const reputations = (seed: string) =>
        Effect.flatMap(Sandbox.make({ networks: [], seed }), ({ baseUrl }) =>
          Effect.forEach([bob, carol, ...tokens], (address) =>
            Effect.map(
              fetchJson(`${baseUrl}/v4/data/wallet/reputation?chain=${chain}&address=${address}`),
              ({ body }) => body
            )
          )
        )
      const [one, again, two] = yield* Effect.all([
        reputations("one"),
        reputations("one"),
        reputations("two")
      ])
      expect(one[0]).toEqual(known)
      expect(again).toEqual(one)
      expect(two).not.toEqual(one)

      for (const [path, part] of [
        [
          `wallet/reputation?chain=polygon-mainnet&address=${bob}`,
          "chain must be one of ethereum-mainnet, base-mainnet"
        ],
        [
          `wallet/reputation/tokens?chain=${chain}&address=${bob}&tokenAddresses=x`,
          "tokenAddresses must be an address"
        ],
        [`nft/balances?chain=${chain}&address=bob`, "address must be an address"],
        [
          `nft/balances?chain=${chain}&address=${bob}&pageSize=51`,
          "pageSize must be a whole number from 1 to 50"
        ],
        [`multitoken/balances?chain=solana-mainnet&address=${bob}`, "chain must be one of"]
      ] as const) {
        const { body, status } = yield* fetchJson(`${sandbox.baseUrl}/v4/data/${path}`)
        expect([path, status, JSON.stringify(body)]).toEqual([path, 400, expect.stringContaining(part)])
      }
    })
  )
})

describe("miners", () => {
  it.scopedLive("have the rewards of their blocks", () =>
    Effect.gen(function* () {
      const network = "bitcoin-mainnet"
      const sandbox = yield* Sandbox.make({ networks: [{ network }], blockTime: 100_000 })
      const { height, mine } = sandbox.network(network)
      const { blockchains, mining } = (yield* makeClient(sandbox, network)).data
      yield* mine(3)
      const top = yield* height
      const newestBlock = yield* fromCall(() => blockchains.getBlock({ chain: network, blockNumber: top }))
      const address = String(Object(newestBlock.txs?.[0]).outputs[0].address)
      const rewards = yield* fromCall(() => mining.getRewards({ chain: network, address, pageSize: 3 }))
      expect(Schema.decodeUnknownSync(Schema.Array(Schemas.MiningReward))(rewards)).toEqual(rewards)
      expect(rewards.map(({ blockNumber }) => blockNumber)).toEqual([top, top - 1, top - 2])
      expect(rewards[0]).toMatchObject({
        index: 0,
        address,
        chain: network,
        txHash: expect.stringMatching(/^[0-9a-f]{64}$/)
      })
      const next = yield* fromCall(() =>
        mining.getRewards({ chain: network, address, pageSize: 3, offset: 1 })
      )
      expect(next[0]?.blockNumber).toBe(top - 3)
      const before = yield* fromCall(() => mining.getTotalRewards({ chain: network, address }))
      yield* mine(1)
      const after = yield* fromCall(() => mining.getTotalRewards({ chain: network, address }))
      const [newest] = yield* fromCall(() => mining.getRewards({ chain: network, address, pageSize: 1 }))
      expect(Number(after.value) - Number(before.value)).toBeCloseTo(Number(newest?.value), 8)
      expect(yield* fromCall(() => mining.getRewards({ chain: network, address, to: 1_000 }))).toEqual([])
      // nobody mines for it
      const other = "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"
      expect(yield* fromCall(() => mining.getTotalRewards({ chain: network, address: other }))).toEqual({
        value: "0",
        address: other,
        chain: network
      })
      // raw, a value is a number and its digits
      const route = `${sandbox.baseUrl}/v4/data/mining/rewards?chain=${network}&address=${address}&pageSize=1`
      const { body } = yield* fetchJson(route)
      expect(body).toMatchObject([{ value: Number(newest?.value), valueAsString: newest?.value }])
    })
  )
})
