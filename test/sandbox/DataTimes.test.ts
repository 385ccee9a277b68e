/** Blocks and balances of the past by the data API, over real nodes whose clock the test moves. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sandbox from "../../src/sandbox/Sandbox.js"
import { requireBinary } from "../nodes/process.js"
import { fromCall, makeClient } from "./client.js"
import { fetchJson } from "./serve.js"
import { alice, bob, callContract, deployFungible, deployMultitoken, rpcAt, send } from "./tokens.js"

const available = requireBinary("anvil", "the past by the data API") !== undefined

const chain = "ethereum-mainnet"
const holder = `0x${"d".repeat(40)}`
const ONE = "0xde0b6b3a7640000"
const DAY = 86_400

describe.runIf(available)("the past of an EVM network", () => {
  it.scopedLive("has the blocks of its times, and the balances that there were then", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ networks: [{ network: chain, nodes: 1, archive: 0 }] })
      const rpc = rpcAt(sandbox.network(chain).urls[0] ?? "")
      const { blockchains, wallet } = (yield* makeClient(sandbox, chain)).data
      const timeOf = (block: number) =>
        Effect.map(rpc("eth_getBlockByNumber", [`0x${block.toString(16)}`, false]), (said) => ({
          seconds: Number(Object(said).timestamp),
          hash: String(Object(said).hash)
        }))

      const first = yield* send(rpc, { to: holder, value: ONE })
      const token = yield* deployFungible(rpc, { decimals: 6, supply: 10n ** 12n })
      yield* callContract(rpc, token.contract, "transfer", [holder, 1_500_000n])
      yield* rpc("evm_increaseTime", [DAY])
      const second = yield* send(rpc, { to: holder, value: ONE })
      yield* callContract(rpc, token.contract, "transfer", [holder, 1n])
      const [before, genesis, after] = yield* Effect.all([
        timeOf(first.block),
        timeOf(0),
        timeOf(second.block)
      ])

      for (const [timestamp, block, at] of [
        [before.seconds, first.block + 2, undefined],
        [after.seconds, second.block, after],
        [(after.seconds - 1) * 1_000, first.block + 2, undefined],
        [after.seconds * 1_000, second.block, after]
      ] as const) {
        const found = yield* fromCall(() => blockchains.getBlockAtTime({ chain, timestamp }))
        // blocks of one second have one time: the newest of them counts
        expect([timestamp, Number(found.blockNumber) <= block]).toEqual([timestamp, true])
        if (at !== undefined)
          expect(found).toMatchObject({ chain, hash: expect.any(String), blockTimestamp: at.seconds * 1_000 })
        expect(Number(found.blockTimestamp)).toBeLessThanOrEqual(
          timestamp < 1e11 ? timestamp * 1_000 : timestamp
        )
      }
      const early = yield* Effect.promise(() =>
        blockchains.getBlockAtTime({ chain, timestamp: genesis.seconds - 1 })
      )
      expect(early.status === "ERROR" && early.error.cause).toMatchObject({
        _tag: "GatewayError",
        status: 404
      })

      const noon = after.seconds - DAY / 2
      const at = (timestamp: number, tokenAddress?: string) =>
        fromCall(() =>
          wallet.getBalanceAt({
            chain,
            timestamp,
            addresses: [holder, bob],
            ...(tokenAddress === undefined ? {} : { tokenAddress })
          })
        )
      expect(yield* at(noon)).toEqual([
        { timestamp: noon, balance: "1", address: holder },
        { timestamp: noon, balance: "10000", address: bob }
      ])
      const now = (after.seconds + 60) * 1_000
      expect((yield* at(now)).map(({ balance }) => balance)).toEqual(["2", "10000"])
      expect((yield* at(noon, token.contract)).map(({ balance }) => balance)).toEqual(["1.5", "0"])
      expect((yield* at(now, token.contract)).map(({ balance }) => balance)).toEqual(["1.500001", "0"])
      // before the token, and before the chain
      expect((yield* at(genesis.seconds, token.contract)).map(({ balance }) => balance)).toEqual(["0", "0"])
      expect((yield* at(genesis.seconds - 1)).map(({ balance }) => balance)).toEqual(["0", "0"])

      const { contract } = yield* deployMultitoken(rpc, "")
      const route = `${sandbox.baseUrl}/v4/data/wallet/balance/time?chain=${chain}&addresses=${holder}`
      for (const [path, status, part] of [
        [`${route}&timestamp=yesterday`, 400, "timestamp must be a time"],
        [`${route}&timestamp=1&tokenAddress=${contract}`, 400, "multitokens"],
        [`${route}&timestamp=1&tokenAddress=${alice}`, 404, "is not a token"],
        [`${route.replace(holder, "me")}&timestamp=1`, 400, "addresses must be an address"],
        [`${route.replace(chain, "solana-mainnet")}&timestamp=1`, 400, "chain must be one of bitcoin-mainnet"]
      ] as const) {
        const refused = yield* fetchJson(path)
        expect([path, refused.status, JSON.stringify(refused.body)]).toEqual([
          path,
          status,
          expect.stringContaining(part)
        ])
      }
    })
  )
})

describe("the past of Bitcoin", () => {
  it.scopedLive("has what was unspent then", () =>
    Effect.gen(function* () {
      const network = "bitcoin-mainnet"
      const sandbox = yield* Sandbox.make({ networks: [{ network }], blockTime: 100_000 })
      const { fund, height, mine, urls } = sandbox.network(network)
      const rpc = rpcAt(urls[0] ?? "")
      const { blockchains, wallet } = (yield* makeClient(sandbox, network)).data
      // nobody has paid to it before
      const payee = "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"
      const start = yield* height
      yield* fund(payee, "1.5")
      yield* mine(1)
      yield* fund(payee, "2")
      yield* mine(1)
      const timeOf = (block: number) =>
        Effect.map(
          Effect.flatMap(rpc("getblockhash", [block]), (hash) => rpc("getblock", [hash])),
          (said) => Number(Object(said).time)
        )
      const [first, second] = yield* Effect.all([timeOf(start + 1), timeOf(start + 2)])
      const found = yield* fromCall(() =>
        blockchains.getBlockAtTime({ chain: network, timestamp: second * 1_000 })
      )
      expect(found).toMatchObject({ chain: network, blockNumber: start + 2, blockTimestamp: second * 1_000 })
      const at = (timestamp: number) =>
        Effect.map(
          fromCall(() => wallet.getBalanceAt({ chain: network, timestamp, addresses: payee })),
          ([row]) => row
        )
      expect(yield* at(second)).toEqual({ timestamp: second, balance: "3.5", address: payee })
      // blocks of one second have one time
      expect((yield* at(first))?.balance).toBe(first === second ? "3.5" : "1.5")
      expect((yield* at(first - 1))?.balance).toBe("0")
    })
  )
})
