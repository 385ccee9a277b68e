/** The data API's routes about chains as such, over real nodes: what they tell is what the nodes tell. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sandbox from "../../src/sandbox/Sandbox.js"
import { requireBinary } from "../nodes/process.js"
import { fromCall, makeClient } from "./client.js"
import { fetchJson } from "./serve.js"
import { alice, bob, deployFungible, rpcAt, send } from "./tokens.js"

const available = requireBinary("anvil", "chains by the data API") !== undefined

const chain = "ethereum-mainnet"
const holder = `0x${"d".repeat(40)}`

describe.runIf(available)("chains by the data API", () => {
  it.scopedLive(
    "have the balances, heights and counts of their nodes, and rates of the table of prices",
    () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox.make({ networks: [{ network: chain, nodes: 1, archive: 0 }] })
        const rpc = rpcAt(sandbox.network(chain).urls[0] ?? "")
        yield* send(rpc, { to: holder, value: "0xde0b6b3a7640001" })
        const { blockchains, rates } = (yield* makeClient(sandbox, chain)).data
        expect(yield* fromCall(() => blockchains.getBalance({ chain, address: holder }))).toEqual({
          balance: "1.000000000000000001"
        })
        const many = Array.from({ length: 40 }, (_, i) => `0x${String(i).padStart(40, "0")}`)
        const balances = yield* fromCall(() =>
          blockchains.getBalanceBatch({ chain: "ethereum", addresses: [...many, holder] })
        )
        expect(balances.map(({ address }) => address)).toEqual([...many, holder])
        expect(balances.at(-1)?.balance).toBe("1.000000000000000001")
        expect(yield* fromCall(() => blockchains.getCurrentBlock({ chain }))).toEqual({ blockNumber: 1 })
        const first = yield* fromCall(() => blockchains.getBlock({ chain, blockNumber: 1 }))
        expect(first).toMatchObject({
          number: 1,
          gasUsed: 21_000,
          difficulty: "0",
          transactions: [{ to: holder }]
        })
        const hash = first.hash ?? ""
        expect(yield* fromCall(() => blockchains.getBlockByHash({ chain, hash }))).toEqual(first)
        const none = yield* Effect.promise(() => blockchains.getBlock({ chain, blockNumber: 99 }))
        expect(none.status === "ERROR" && none.error.cause).toMatchObject({
          _tag: "GatewayError",
          status: 404
        })
        const counts = yield* Effect.forEach([alice, bob, holder], (address) =>
          fromCall(() => blockchains.getTransactionCount({ chain, address }))
        )
        expect(counts.reduce((all, { count }) => all + count, 0)).toBe(1)
        const rate = yield* fromCall(() => rates.getBySymbol({ symbol: "BTC", basePair: "USD" }))
        expect(rate).toMatchObject({ id: "BTC", basePair: "USD", source: "effect-chains sandbox" })
        expect(Number(rate.value)).toBeGreaterThan(50_000)
        const batch = yield* fromCall(() =>
          rates.getBySymbolBatch([
            { symbol: "USDC", basePair: "USD" },
            { symbol: "BTC", basePair: "BTC", batchId: "same" }
          ])
        )
        expect(batch.map(({ batchId, value }) => [batchId, Number(value).toFixed(1)])).toEqual([
          ["USDC/USD", "1.0"],
          ["same", "1.0"]
        ])
        const gas = { chain, from: alice, to: holder, amount: "0.5" }
        expect(yield* fromCall(() => blockchains.estimateGas(gas))).toMatchObject({
          gasLimit: "21000",
          gasPrice: expect.stringMatching(/^\d+$/)
        })
        const token = yield* deployFungible(rpc, { decimals: 6, supply: 10n ** 12n })
        const moving = { ...gas, amount: "1.5", contractAddress: token.contract }
        const { gasLimit } = yield* fromCall(() => blockchains.estimateGas(moving))
        expect(Number(gasLimit)).toBeGreaterThan(21_000)
        const wrongs = [
          { ...moving, amount: "2000000" },
          { ...moving, amount: "0.0000001" },
          { ...moving, contractAddress: holder },
          { ...gas, amount: "much" }
        ]
        for (const wrong of wrongs) {
          const estimate = yield* Effect.promise(() => blockchains.estimateGas(wrong))
          expect([wrong, estimate.status === "ERROR" && estimate.error.cause]).toMatchObject([
            wrong,
            { _tag: "GatewayError", status: 400 }
          ])
        }
        for (const [path, part] of [
          ["balance?chain=kadena-mainnet&address=k:1", "chain must be one of"],
          ["balance/batch?chain=kadena-mainnet&addresses=k:1", "chain must be one of"],
          ["block/current?chain=kadena-mainnet", "chain must be one of"],
          ["block?chain=kadena-mainnet&blockNumber=1", "chain must be one of"],
          ["transaction/count?chain=bitcoin-mainnet&address=1", "chain must be one of"]
        ] as const) {
          const { body, status } = yield* fetchJson(`${sandbox.baseUrl}/v4/data/blockchains/${path}`)
          expect([path, status, JSON.stringify(body)]).toEqual([path, 400, expect.stringContaining(part)])
        }
        const refused = yield* Effect.promise(() => blockchains.getBalance({ chain, address: "alice" }))
        expect(refused.status === "ERROR" && refused.error.cause).toMatchObject({
          _tag: "GatewayError",
          status: 400
        })
      })
  )
})
