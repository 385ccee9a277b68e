/** Transactions by the data API over real nodes: by their hash, with the calls inside them, in the pool, and as outputs. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Result } from "../../src/promise.js"
import * as runtimes from "../../src/sandbox/nodes/runtimes.js"
import { findUtxos } from "../../src/sandbox/provider/History.js"
import * as Sandbox from "../../src/sandbox/Sandbox.js"
import * as Store from "../../src/sandbox/Store.js"
import * as Schemas from "../../src/services/Schemas.js"
import { requireBinary } from "../nodes/process.js"
import { fromCall, makeClient } from "./client.js"
import { fetchJson } from "./serve.js"
import {
  alice,
  bob,
  callContract,
  deployForwarder,
  deployFungible,
  deployReverting,
  rpcAt,
  send
} from "./tokens.js"

const available = requireBinary("anvil", "transactions by the data API") !== undefined

/** The failure of a call. */
const failed = <A, E>(call: () => Promise<Result<A, E>>) =>
  Effect.map(Effect.promise(call), (result) => (result.status === "ERROR" ? result.error.cause : result.data))

const chain = "ethereum-mainnet"
const holder = `0x${"d".repeat(40)}`
const nowhere = `0x${"9".repeat(64)}`
const ONE = "0xde0b6b3a7640000"

describe.runIf(available)("transactions of EVM networks", () => {
  it.scopedLive("are found by their hash, with their outcome, or while they wait for a block", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ networks: [{ network: chain, nodes: 1, archive: 0 }] })
      const rpc = rpcAt(sandbox.network(chain).urls[0] ?? "")
      const { blockchains } = (yield* makeClient(sandbox, chain)).data
      const of1 = (hash: string) => fromCall(() => blockchains.getTransaction({ chain, hash }))

      const paid = yield* send(rpc, { to: holder, value: ONE })
      const payment = yield* of1(paid.hash)
      expect(Schema.decodeUnknownSync(Schemas.ChainTransaction)(payment)).toEqual(payment)
      expect(payment).toMatchObject({
        hash: paid.hash,
        blockNumber: paid.block,
        from: alice,
        to: holder,
        value: "1000000000000000000",
        gasUsed: 21_000,
        transactionIndex: 0,
        status: true,
        contractAddress: null,
        fee: String(paid.fee),
        logs: []
      })
      expect(BigInt(payment.effectiveGasPrice ?? 0) * 21_000n).toBe(paid.fee)

      const token = yield* deployFungible(rpc, { decimals: 6, supply: 10n ** 12n })
      const deployed = yield* of1(token.hash)
      expect([deployed.to, deployed.contractAddress]).toEqual([null, token.contract])
      const moved = yield* callContract(rpc, token.contract, "transfer", [holder, 5n])
      expect((yield* of1(moved.hash)).logs).toMatchObject([
        {
          address: token.contract,
          blockNumber: moved.block,
          transactionHash: moved.hash,
          logIndex: 0,
          removed: false
        }
      ])

      const refused = yield* callContract(rpc, token.contract, "transfer", [holder, 10n ** 13n], {
        gas: "0x186a0"
      })
      expect(yield* of1(refused.hash)).toMatchObject({ status: false, logs: [] })

      yield* rpc("evm_setAutomine", [false])
      const waiting = String(yield* rpc("eth_sendTransaction", [{ from: bob, to: holder, value: "0x1" }]))
      const pending = yield* of1(waiting)
      expect(pending).toMatchObject({ hash: waiting, from: bob, blockNumber: null, fee: null })
      expect(pending).not.toHaveProperty("status")
      expect(yield* fromCall(() => blockchains.getInternalTransactions({ chain, hash: waiting }))).toEqual([])

      expect(yield* failed(() => blockchains.getTransaction({ chain, hash: nowhere }))).toMatchObject({
        status: 404
      })
      expect(yield* failed(() => blockchains.getTransaction({ chain, hash: "0x12" }))).toMatchObject({
        status: 400
      })
    })
  )

  it.scopedLive("tell the calls inside them, and which of those were undone", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ networks: [{ network: chain, nodes: 1, archive: 0 }] })
      const rpc = rpcAt(sandbox.network(chain).urls[0] ?? "")
      const { blockchains } = (yield* makeClient(sandbox, chain)).data
      const inside = (hash: string) => fromCall(() => blockchains.getInternalTransactions({ chain, hash }))

      const last = yield* deployForwarder(rpc, holder)
      const first = yield* deployForwarder(rpc, last.contract)
      const passed = yield* send(rpc, { to: first.contract, value: ONE, gas: "0x186a0" })
      const calls = yield* inside(passed.hash)
      expect(Schema.decodeUnknownSync(Schema.Array(Schemas.InternalTransaction))(calls)).toEqual(calls)
      const block = Object(yield* rpc("eth_getBlockByNumber", [`0x${passed.block.toString(16)}`, false]))
      const common = {
        blockNumber: String(passed.block),
        timeStamp: String(Number(block.timestamp)),
        hash: passed.hash,
        value: "1000000000000000000",
        contractAddress: "",
        input: "0x",
        type: "call",
        isError: "0",
        errCode: ""
      }
      expect(calls).toMatchObject([
        { ...common, from: first.contract, to: last.contract, traceId: "0" },
        { ...common, from: last.contract, to: holder, traceId: "0_0" }
      ])
      expect(Number(calls[0]?.gas)).toBeGreaterThan(Number(calls[0]?.gasUsed))

      const undoing = yield* deployReverting(rpc, holder)
      const undone = yield* send(rpc, { to: undoing.contract, value: ONE, gas: "0x186a0" })
      expect(yield* inside(undone.hash)).toMatchObject([
        { from: undoing.contract, to: holder, isError: "1", errCode: expect.stringMatching(/revert/i) }
      ])

      // a plain payment is no call inside of one
      expect(yield* inside((yield* send(rpc, { to: holder, value: ONE })).hash)).toEqual([])
      expect(
        yield* failed(() => blockchains.getInternalTransactions({ chain, hash: nowhere }))
      ).toMatchObject({
        status: 404
      })

      // raw: chains that a route does not serve are refused, with those that it does
      const route = `${sandbox.baseUrl}/v4/data/blockchains`
      for (const [path, part] of [
        [
          `transaction/internal?chain=bitcoin-mainnet&hash=${nowhere}`,
          "chain must be one of ethereum-mainnet"
        ],
        [`mempool?chain=${chain}`, "chain must be one of bitcoin-mainnet"],
        [`transaction?chain=nope&hash=${nowhere}`, "chain must be one of"],
        [`transaction?chain=tron-mainnet&hash=${nowhere}`, "tron-mainnet"],
        ["transaction/internal?chain=ethereum-mainnet&hash=12", "hash must be 0x and 64 hexadecimal digits"]
      ] as const) {
        const { body, status } = yield* fetchJson(`${route}/${path}`)
        expect([path, status, JSON.stringify(body)]).toEqual([path, 400, expect.stringContaining(part)])
      }
    })
  )
})

const utxoNetworks = ["bitcoin-mainnet", "litecoin-mainnet", "doge-mainnet", "bitcoin-cash-mainnet"] as const
const isTemporary = utxoNetworks.every((network) => runtimes.runtimeOf(network).runs === "utxo")
if (!isTemporary && process.env.CI !== "true")
  console.log("left out: transactions of Bitcoin's kind (no node)")

describe.runIf(isTemporary || process.env.CI === "true")("transactions of Bitcoin's kind", () => {
  it.scopedLive("are in the pool, then in a block; their outputs stay when they are spent", () =>
    Effect.gen(function* () {
      // blocks come when the test wants them
      const sandbox = yield* Sandbox.make({
        networks: utxoNetworks.map((network) => ({ network })),
        blockTime: 100_000
      })
      const { blockchains } = (yield* makeClient(sandbox, "bitcoin-mainnet")).data
      for (const network of utxoNetworks) {
        const { accounts, fund, height, mine } = sandbox.network(network)
        const [, payee, other] = accounts
        if (payee === undefined || other === undefined) throw new Error(`${network} has no accounts`)
        expect(yield* fromCall(() => blockchains.getMempool({ chain: network }))).toEqual([])
        const hash = yield* fund(payee.address, "2.5")
        expect(yield* fromCall(() => blockchains.getMempool({ chain: network }))).toEqual([hash])
        const waiting = yield* fromCall(() => blockchains.getTransaction({ chain: network, hash }))
        expect(waiting).toMatchObject({ hash, version: expect.any(Number), locktime: expect.any(Number) })
        for (const field of ["blockNumber", "block", "index"]) expect(waiting).not.toHaveProperty(field)
        yield* mine(1)
        const top = yield* height
        expect(yield* fromCall(() => blockchains.getMempool({ chain: network }))).toEqual([])

        const mined = yield* fromCall(() => blockchains.getTransaction({ chain: network, hash }))
        expect(Schema.decodeUnknownSync(Schemas.ChainTransaction)(mined)).toEqual(mined)
        expect(mined).toMatchObject({
          hash,
          blockNumber: top,
          index: 1,
          block: expect.stringMatching(/^[0-9a-f]{64}$/)
        })
        const { fee, inputs = [], outputs = [] } = mined
        const total = (values: ReadonlyArray<number | undefined>) =>
          values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
        expect(Number(fee)).toBeGreaterThan(0)
        expect(total(inputs.map(({ coin }) => coin?.value)) - total(outputs.map(({ value }) => value))).toBe(
          fee
        )
        const index = outputs.findIndex(({ value }) => value === 250_000_000)
        expect(outputs[index]).toMatchObject({
          address: expect.any(String),
          script: expect.stringMatching(/^[0-9a-f]+$/)
        })
        const spent = inputs[0]?.prevout
        expect(inputs[0]).toMatchObject({
          script: expect.any(String),
          coin: { coinbase: true, address: inputs[0]?.address }
        })

        // the payment's own output, and the one that it spent
        expect(yield* fromCall(() => blockchains.getUtxo({ chain: network, hash, index }))).toEqual({
          hash,
          index,
          version: mined.version,
          height: top,
          value: 250_000_000,
          script: outputs[index]?.script,
          address: outputs[index]?.address,
          coinbase: false
        })
        expect(
          yield* fromCall(() =>
            blockchains.getUtxo({ chain: network, hash: spent?.hash ?? "", index: spent?.index ?? 9 })
          )
        ).toMatchObject({ ...spent, ...inputs[0]?.coin })
        expect(yield* failed(() => blockchains.getUtxo({ chain: network, hash, index: 99 }))).toMatchObject({
          status: 404
        })
        expect(
          yield* failed(() => blockchains.getTransaction({ chain: network, hash: "9".repeat(64) }))
        ).toMatchObject({ status: 404 })

        const block = yield* fromCall(() => blockchains.getBlock({ chain: network, blockNumber: top }))
        expect(Schema.decodeUnknownSync(Schemas.ChainBlock)(block)).toEqual(block)
        expect(block).toMatchObject({
          hash: mined.block,
          height: top,
          time: mined.time,
          nTx: 2,
          bits: 0x207fffff,
          nonce: expect.any(Number),
          txs: [{ index: 0 }, mined]
        })
        const byHash = (id: string) =>
          fromCall(() => blockchains.getBlockByHash({ chain: network, hash: id }))
        expect(yield* byHash(block.hash ?? "")).toEqual(block)
        expect((yield* byHash(block.prevBlock ?? "")).height).toBe(top - 1)
        expect(
          yield* failed(() => blockchains.getBlock({ chain: network, blockNumber: top + 1 }))
        ).toMatchObject({ status: 404 })
        if (network === "bitcoin-cash-mainnet") continue

        // a second payment, to another address
        const more = yield* fund(other.address, "1.5")
        yield* mine(1)
        const chain = network
        const addresses = [payee.address, other.address]
        const both = yield* fromCall(() =>
          blockchains.getUtxoHistoryBatch({ chain, addresses: [...addresses, payee.address] })
        )
        expect(both.map((row) => row.hash).filter((each) => [hash, more].includes(each ?? ""))).toEqual([
          more,
          hash
        ])
        expect(new Set(both.map((row) => row.hash)).size).toBe(both.length)
        expect(
          yield* fromCall(() => blockchains.getUtxoHistoryBatch({ chain, addresses, txType: "outgoing" }))
        ).toEqual([])
        const paid = yield* fromCall(() =>
          blockchains.getUtxosBatch({ chain, addresses, totalValue: 1_000_000 })
        )
        expect(paid).toEqual(
          expect.arrayContaining([
            { chain, address: expect.any(String), txHash: hash, index, value: "2.5" },
            expect.objectContaining({ txHash: more, value: "1.5" })
          ])
        )
        // enough is enough, over all addresses
        const [first] = paid
        expect(
          yield* fromCall(() =>
            blockchains.getUtxosBatch({ chain, addresses, totalValue: Number(first?.value) })
          )
        ).toEqual([first])
      }
    })
  )

  it.scopedLive("give no more outputs than an amount takes, whatever numbers make of it", () =>
    Effect.gen(function* () {
      const { transact } = yield* Store.make()
      // 0.07 times 10^8 is 7000000.000000001
      const amounts = [7_000_000, 1]
      const found = yield* transact((open) => {
        amounts.forEach((amount, i) => {
          open.run(
            "INSERT INTO outputs (network, hash, position, address, amount, block) VALUES (?, ?, ?, ?, ?, ?)",
            "bitcoin-mainnet",
            "h",
            i,
            "a",
            String(amount),
            1
          )
        })
        return [0.07, 0.07000001, 1e-9].map((total) => findUtxos(open, "bitcoin-mainnet", "a", total).length)
      })
      expect(found).toEqual([1, 2, 1])
    })
  )
})
