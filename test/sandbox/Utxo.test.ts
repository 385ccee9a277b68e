import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServer from "@effect/platform/HttpServer"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import type { Network } from "../../src/data/Network.js"
import * as Units from "../../src/data/Units.js"
import { init } from "../../src/promise.js"
import * as FeeApi from "../../src/sandbox/api/Fee.js"
import * as HistoryApi from "../../src/sandbox/api/History.js"
import type { Handler } from "../../src/sandbox/Handler.js"
import * as Indexer from "../../src/sandbox/Indexer.js"
import { makeReader, type Rpc, readPending } from "../../src/sandbox/indexer/Utxo.js"
import { forwardRequest, jsonResponse, listen, parseBody } from "../../src/sandbox/Loopback.js"
import { Nodes, type NodesService } from "../../src/sandbox/Nodes.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import type { Account } from "../../src/sandbox/nodes/keys.js"
import * as runtimes from "../../src/sandbox/nodes/runtimes.js"
import { make as makeChain, type UtxoNode } from "../../src/sandbox/nodes/Utxo.js"
import { findNetwork } from "../../src/sandbox/provider/Data.js"
import * as Fee from "../../src/sandbox/provider/Fee.js"
import * as History from "../../src/sandbox/provider/History.js"
import { SandboxError } from "../../src/sandbox/SandboxError.js"
import * as Store from "../../src/sandbox/Store.js"
import { netChangeOf } from "../../src/services/internal/utxoHistory.js"
import { nodeLimits } from "../nodeLimits.js"
import { requireBinary } from "../nodes/process.js"
import { take } from "../results.js"

const chainError = (message: string): SandboxError => new SandboxError({ reason: "chain", message })

/** Calls a node by its handler. */
const rpcOf =
  (handler: Handler): Rpc =>
  (method, params) =>
    Effect.flatMap(
      handler({
        method: "POST",
        path: "/",
        headers: { "content-type": "application/json" },
        body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))
      }),
      (answer) => {
        const said = answer === "drop" ? undefined : parseBody(answer.body)
        if (typeof said !== "object" || said === null) return chainError(`${method}: no answer`)
        if ("error" in said && said.error !== null && said.error !== undefined)
          return chainError(`${method}: ${JSON.stringify(said.error)}`)
        return Effect.succeed("result" in said ? said.result : undefined)
      }
    )

const Total = Schema.Struct({ count: Schema.Number })

/** What of the provider these tests are about, over the nodes of some networks. */
const provider = (networks: Partial<Record<Network, { readonly rpc: Rpc; readonly indexed: boolean }>>) =>
  Effect.gen(function* () {
    const store = yield* Store.make()
    const indexer = yield* Indexer.make.pipe(Effect.provideService(Store.Store, store))
    const fresh = new Map<string, Effect.Effect<void, SandboxError>>()
    for (const [network, row] of Object.entries(networks))
      if (row.indexed) fresh.set(network, yield* indexer.follow(network, makeReader(network, row.rpc)))
    const nodes: NodesService = {
      kindOf: () => "utxo",
      rpc: (network, method, params) =>
        networks[network]?.rpc(method, params) ?? Effect.die(new Error(`${network} was asked for ${method}`)),
      indexNewBlocks: (network) => fresh.get(network) ?? Effect.die(new Error(`${network} was to be fresh`))
    }
    const services = Context.make(Store.Store, store).pipe(Context.add(Nodes, nodes))
    const { dispose, handler } = HttpApiBuilder.toWebHandler(
      Layer.mergeAll(
        HttpApiBuilder.api(HttpApi.make("provider").add(HistoryApi.group).add(FeeApi.group)).pipe(
          Layer.provide([History.layer, Fee.layer])
        ),
        HttpServer.layerContext
      ).pipe(Layer.provide(Layer.succeedContext(services)))
    )
    yield* Effect.addFinalizer(() => Effect.promise(dispose))
    const port = yield* listen(({ body, headers, method, path }) => {
      const url = new URL(path, "http://127.0.0.1")
      if (url.pathname === "/v4/data/utxos") {
        const network = url.searchParams.get("chain") ?? ""
        return (fresh.get(network) ?? Effect.void).pipe(
          Effect.zipRight(
            store.transact((open) =>
              jsonResponse(
                History.findUtxos(
                  open,
                  network,
                  url.searchParams.get("address") ?? "",
                  Number(url.searchParams.get("totalValue"))
                )
              )
            )
          ),
          Effect.orDie
        )
      }
      if (url.pathname === "/v4/data/blockchains/transaction/history/utxos") {
        const network = findNetwork(url.searchParams.get("chain") ?? "") ?? "bitcoin-mainnet"
        const address = url.searchParams.get("address") ?? ""
        const txType = url.searchParams.get("txType")
        return History.readHistory(
          nodes,
          store.transact,
          { network, address },
          {
            pageSize: Number.MAX_SAFE_INTEGER,
            offset: 0,
            ...(txType === "incoming" || txType === "outgoing" ? { txType } : {})
          }
        ).pipe(Effect.map(jsonResponse), Effect.orDie)
      }
      return Effect.promise(async () => {
        const response = await handler(
          new Request(new URL(path.replace(/^\/v[34]/, ""), "http://127.0.0.1"), {
            method,
            headers: { accept: headers.accept ?? "*/*" },
            ...(body.length > 0 ? { body: new Uint8Array(body) } : {})
          })
        )
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: Buffer.from(await response.arrayBuffer())
        }
      })
    })
    return { store, fresh, url: `http://127.0.0.1:${port}` }
  })

type Provider = Effect.Effect.Success<ReturnType<typeof provider>>

const sdkOf = <N extends Network>(
  network: N,
  { url }: Provider,
  node: string,
  dataApi: "v4" | "legacy" = "v4"
) =>
  init({
    network,
    dataApi,
    rpc: { nodes: [{ url: node }] },
    provider: { baseUrl: url, nodeListUrl: url },
    quiet: true,
    ...nodeLimits
  })

const Signed = Schema.Struct({ hex: Schema.String, complete: Schema.Boolean })
const Block = Schema.Struct({ tx: Schema.Array(Schema.String) })
const Decoded = Schema.Struct({
  vsize: Schema.optional(Schema.Number),
  size: Schema.Number,
  vout: Schema.Array(
    Schema.Struct({ value: Schema.Number, scriptPubKey: Schema.Struct({ hex: Schema.String }) })
  )
})

interface Spend {
  readonly from: Account
  readonly hash: string
  readonly index: number
  /** In whole coins, by address; whatever the input has more is the fee. */
  readonly outputs: Readonly<Record<string, number>>
}

/** What only the node's own JSON-RPC can do. */
const toolOf = (node: UtxoNode, signer: "signrawtransaction" | "signrawtransactionwithkey") => {
  const rpc = rpcOf(node.handler)
  const run = <A, I>(schema: Schema.Schema<A, I>, method: string, ...params: ReadonlyArray<unknown>) =>
    Effect.runPromise(Effect.flatMap(rpc(method, params), Schema.decodeUnknown(schema)))
  const transaction = (hash: string) => run(Decoded, "getrawtransaction", hash, true)
  const accepted = async (hash: string): Promise<boolean> => {
    for (let tries = 0; tries < 12_000; tries++) {
      const pool = await run(Schema.Array(Schema.String), "getrawmempool")
      if (pool.includes(hash)) return true
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    return false
  }
  return {
    run,
    transaction,
    hashAt: (height: number) => run(Schema.String, "getblockhash", height),
    /** The coinbase of a block. */
    coinbase: async (height: number): Promise<string> => {
      const block = await run(Block, "getblock", await run(Schema.String, "getblockhash", height))
      return block.tx[0] ?? ""
    },
    /** Signs and sends; yields the hash. bcoin now and then dislikes its own signature: a satoshi less has another one. */
    spend: async ({ from, hash, index, outputs }: Spend): Promise<string> => {
      const previous = (await transaction(hash)).vout[index]
      if (previous === undefined) throw new Error(`${hash} has no output ${index}`)
      for (const less of [0, 1, 2, 3]) {
        const [first = "", ...others] = Object.keys(outputs).toReversed()
        const amounts: Record<string, number> = { [first]: (outputs[first] ?? 0) - less / 1e8 }
        for (const address of others) amounts[address] = outputs[address] ?? 0
        amounts[first] = Number(amounts[first]?.toFixed(8))
        const unsigned = await run(
          Schema.String,
          "createrawtransaction",
          [{ txid: hash, vout: index }],
          amounts
        )
        const coins = [
          { txid: hash, vout: index, scriptPubKey: previous.scriptPubKey.hex, amount: previous.value }
        ]
        const { hex } = await run(
          Signed,
          signer,
          unsigned,
          ...(signer === "signrawtransaction" ? [coins, [from.privateKey]] : [[from.privateKey], coins])
        )
        const sent = await run(Schema.String, "sendrawtransaction", hex)
        if (await accepted(sent)) return sent
      }
      throw new Error("the node took none of four transactions")
    }
  }
}

const open = async <A>(scope: Scope.CloseableScope, effect: Effect.Effect<A, SandboxError, Scope.Scope>) =>
  Effect.runPromise(Scope.extend(effect, scope))

/** Blocks come when a test wants them. */
const blockTime = 100_000

/** The differences between programs: the name of their signing, and whether what was in a block that is given up waits again. */
const dialects = {
  litecoind: { signer: "signrawtransactionwithkey", returns: true },
  bcoin: { signer: "signrawtransaction", returns: false },
  bcash: { signer: "signrawtransaction", returns: false }
} as const

/** Each network on every program that can run it, through the same functions. */
const families = (
  [
    { network: "bitcoin-testnet", route: "bitcoin", currency: "BTC" },
    { network: "litecoin-testnet", route: "litecoin", currency: "LTC" },
    { network: "doge-testnet", route: "dogecoin", currency: "DOGE" }
  ] as const
).flatMap((of) => runtimes.utxoPrograms(of.network).map((name) => ({ ...of, name, ...dialects[name] })))

it("has Bitcoin, Litecoin and Dogecoin on the programs that can run them", () => {
  expect(families.map(({ name, network }) => `${network} on ${name}`)).toEqual([
    "bitcoin-testnet on bcoin",
    "litecoin-testnet on litecoind",
    "litecoin-testnet on bcoin",
    "doge-testnet on bcoin"
  ])
})

for (const { currency, name, network, returns, route, signer } of families) {
  const available = requireBinary(name, `${network} in the sandbox`) !== undefined
  describe.runIf(available)(`${network} on ${name}`, () => {
    const scope = Effect.runSync(Scope.make())
    let node: UtxoNode
    let tool: ReturnType<typeof toolOf>
    let served: Provider
    let sdk: Awaited<ReturnType<typeof sdkOf<typeof network>>>
    let legacy: typeof sdk
    let accounts: ReadonlyArray<string>
    const account = (i: number): Account => node.accounts[i] ?? { address: "", privateKey: "" }

    const mine = (blocks: number) => Effect.runPromise(node.mine(blocks))
    /** The same in both generations of the data API. */
    const history = async (address: string, query: object = {}) => {
      const asked = { address, ...query }
      const today = await sdk.address.getTransactions(asked)
      expect(await legacy.address.getTransactions(asked)).toEqual(today)
      return take(today)
    }
    const balance = async (address: string) =>
      take(await sdk.address.getBalance({ address })).map((each) => each.balance)
    const utxos = async (address: string, totalValue = 1_000_000): Promise<ReadonlyArray<History.Utxo>> => {
      const query = new URLSearchParams({ chain: network, address, totalValue: String(totalValue) })
      return (await fetch(`${served.url}/v4/data/utxos?${query}`)).json()
    }
    const raw = async (path: string) => {
      const response = await fetch(`${served.url}/v3/${path}`)
      return { status: response.status, body: await response.json() }
    }
    const rows = <A, I>(
      schema: Schema.Schema<A, I>,
      sql: string,
      ...values: ReadonlyArray<Store.ColumnValue>
    ) => Effect.runPromise(served.store.transact((transaction) => transaction.all(schema, sql, ...values)))

    beforeAll(async () => {
      node = await open(scope, runtimes.startUtxo(name, { blockTime }))
      tool = toolOf(node, signer)
      accounts = node.accounts.map(({ address }) => address)
      served = await open(scope, provider({ [network]: { rpc: rpcOf(node.handler), indexed: true } }))
      const port = await open(scope, listen(node.handler))
      sdk = await sdkOf(network, served, `http://127.0.0.1:${port}`)
      legacy = await sdkOf(network, served, `http://127.0.0.1:${port}`, "legacy")
    })
    afterAll(async () => {
      await sdk?.destroy()
      await legacy?.destroy()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    })

    it("has newly minted coins, and none of the first block", async () => {
      const [owner = ""] = accounts
      expect(await history(owner)).toEqual([
        {
          chain: network,
          blockNumber: 1,
          timestamp: expect.any(Number),
          transactionType: "incoming",
          hash: await tool.coinbase(1),
          address: owner,
          amount: "50"
        }
      ])
      expect(await balance(owner)).toEqual(["50"])
      const height = await Effect.runPromise(node.height)
      const [blocks] = await rows(Total, "SELECT COUNT(*) AS count FROM blocks")
      expect(blocks).toEqual({ count: height + 1 })
      expect(await rows(Total, "SELECT COUNT(*) AS count FROM transactions WHERE block = 0")).toEqual([
        { count: 0 }
      ])
      expect(await rows(Total, "SELECT COUNT(*) AS count FROM outputs WHERE block = 0")).toEqual([
        { count: 0 }
      ])
      const { body } = await raw(`${route}/transaction/address/${owner}?pageSize=1&type=testnet`)
      expect(body).toMatchObject([
        { inputs: [{ prevout: { hash: "00".repeat(32), index: 0xffffffff } }], blockNumber: 1 }
      ])
      expect(body[0].inputs[0]).not.toHaveProperty("coin")
    })

    it("costs what nodes pass on, as long as nobody paid anything", async () => {
      const height = await Effect.runPromise(node.height)
      expect(take(await sdk.fee.getCurrentFee())).toEqual({
        chain: network,
        slow: "1",
        medium: "1",
        fast: "1",
        lastRecalculated: expect.stringMatching(/^\d{4}-.*Z$/),
        basedOnBlockNumber: height
      })
    })

    it("has payments at once and in blocks, with change and fees", async () => {
      const [payer = "", payee = ""] = accounts
      const coinbase = await tool.coinbase(1)
      const hash = await tool.spend({
        from: account(0),
        hash: coinbase,
        index: 0,
        outputs: { [payee]: 12.34567891, [payer]: 37.654 }
      })
      const { size, vout, vsize = size } = await tool.transaction(hash)
      const change = vout.find(({ value }) => value > 30)?.value ?? 0
      const spent = (50 - change).toFixed(8).replace(/0+$/, "")

      const [waiting] = await history(payer)
      expect(waiting).toMatchObject({ transactionType: "outgoing", hash, amount: spent })
      expect(waiting).not.toHaveProperty("blockNumber")
      expect((await history(payer)).map((row) => row.hash)).toEqual([hash, coinbase])
      expect(await history(payer, { pageSize: 1, page: 1 })).toMatchObject([{ hash: coinbase }])
      expect(await history(payer, { transactionDirection: "incoming" })).toMatchObject([{ hash: coinbase }])
      expect(await history(payer, { fromBlock: 1 })).toMatchObject([{ hash: coinbase }])
      // what is in no block has spent nothing yet
      expect(await balance(payer)).toEqual(["50"])

      await mine(1)
      const height = await Effect.runPromise(node.height)
      expect(await history(payer)).toMatchObject([
        { hash, blockNumber: height, transactionType: "outgoing", amount: spent },
        { hash: coinbase, transactionType: "incoming", amount: "50" }
      ])
      expect(await history(payer, { transactionDirection: "outgoing" })).toMatchObject([{ hash }])
      expect(await history(payer, { fromBlock: 2 })).toMatchObject([{ hash }])
      expect(await history(payer, { toBlock: height - 1 })).toMatchObject([{ hash: coinbase }])
      expect(await history(payer, { pageSize: 1, page: 1 })).toMatchObject([{ hash: coinbase }])
      expect(await history(payer, { pageSize: 1, page: 2 })).toEqual([])
      expect(await history(payee)).toMatchObject([
        { hash, blockNumber: height, transactionType: "incoming", amount: "12.34567891" },
        { transactionType: "incoming", amount: "50" }
      ])
      expect(await balance(payer)).toEqual([String(change)])
      expect(await balance(payee)).toEqual(["62.34567891"])
      expect(await utxos(payer)).toEqual([
        {
          chain: network,
          address: payer,
          txHash: hash,
          index: vout.findIndex(({ value }) => value === change),
          value: change
        }
      ])
      expect(await utxos(payee)).toHaveLength(2)
      expect(await utxos(payee, 50)).toMatchObject([{ value: 50 }])
      expect(await utxos(payee, 51)).toHaveLength(2)

      const fee = Math.round((50 - vout.reduce((sum, { value }) => sum + value, 0)) * 1e8)
      const { body } = await raw(`${route}/transaction/address/${payee}?pageSize=50&type=testnet`)
      expect(body[0]).toMatchObject({
        hash,
        fee: route === "bitcoin" ? fee : Units.format(BigInt(fee), 8),
        inputs: [
          {
            prevout: { hash: coinbase, index: 0 },
            coin: { address: payer, value: route === "bitcoin" ? 5_000_000_000 : "50" }
          }
        ]
      })
      expect(
        await rows(
          Schema.Struct({
            sender: Schema.NullOr(Schema.String),
            receiver: Schema.NullOr(Schema.String),
            amount: Schema.String
          }),
          "SELECT sender, receiver, amount FROM movements WHERE hash = ? ORDER BY amount",
          hash
        )
      ).toEqual(
        expect.arrayContaining([
          { sender: payer, receiver: null, amount: String(Math.round((50 - change) * 1e8)) },
          { sender: null, receiver: payee, amount: "1234567891" }
        ])
      )
      const rate = Math.ceil((fee * 1_000) / vsize) / 1_000
      const { fast, medium, slow } = take(await sdk.fee.getCurrentFee())
      expect([slow, medium, fast]).toEqual([String(rate), String(rate), String(rate)])
    })

    it("takes back what a lost branch had, and has what took its place", async () => {
      const [, , payer = "", payee = "", other = ""] = accounts
      const coinbase = await tool.coinbase(3)
      const hash = await tool.spend({
        from: account(2),
        hash: coinbase,
        index: 0,
        outputs: { [payee]: 49.99 }
      })
      await mine(1)
      const height = await Effect.runPromise(node.height)
      expect(await history(payer)).toMatchObject([{ hash, blockNumber: height }, { hash: coinbase }])
      expect(await utxos(payer)).toEqual([])
      const outputs = "SELECT COUNT(*) AS count FROM outputs WHERE hash = ? OR spender = ?"
      expect(await rows(Total, outputs, hash, hash)).toEqual([{ count: 2 }])
      const coinOfBranch = await tool.coinbase(height)

      await tool.run(Schema.Null, "invalidateblock", await tool.hashAt(height))
      expect(await utxos(payer)).toMatchObject([{ txHash: coinbase, index: 0, value: 50 }])
      expect(await rows(Total, outputs, hash, hash)).toEqual([{ count: 0 }])
      for (const table of ["movements", "transactions", "outputs"])
        expect(
          await rows(Total, `SELECT COUNT(*) AS count FROM ${table} WHERE hash IN (?, ?)`, hash, coinOfBranch)
        ).toEqual([{ count: 0 }])
      expect(await balance(payee)).toEqual(["50"])

      // another branch, and a longer one
      await tool.run(Schema.Array(Schema.String), "generatetoaddress", 2, other)
      const [latest] = await history(other)
      expect(latest).toMatchObject({ blockNumber: height + 1, transactionType: "incoming" })
      const rest = await history(payer)
      if (returns) {
        expect(rest).toMatchObject([{ hash, blockNumber: height }, { hash: coinbase }])
        expect(await utxos(payer)).toEqual([])
        expect(await balance(payee)).toEqual(["99.99"])
      } else {
        expect(rest).toMatchObject([{ hash: coinbase }])
        expect(await utxos(payer)).toMatchObject([{ txHash: coinbase }])
        expect(await balance(payee)).toEqual(["50"])
      }
      const [blocks] = await rows(Total, "SELECT COUNT(*) AS count FROM blocks")
      expect(blocks).toEqual({ count: height + 2 })
    })

    it("refuses what makes no sense", async () => {
      const [owner = ""] = accounts
      for (const query of [
        "",
        "pageSize=51",
        "pageSize=0",
        "pageSize=1.5",
        "pageSize=1&txType=sideways",
        "pageSize=1&offset=-1"
      ])
        expect(await raw(`${route}/transaction/address/${owner}?type=testnet&${query}`), query).toMatchObject(
          {
            status: 400
          }
        )
      expect(await raw(`${route}/transaction/address/nobody?type=testnet&pageSize=50`)).toEqual({
        status: 200,
        body: []
      })
      expect(await raw("blockchain/fee/DOGECOIN")).toEqual({
        status: 400,
        body: {
          statusCode: 400,
          errorCode: "validation.failed",
          message: expect.any(String),
          data: ["currency must be one of BTC, DOGE, ETH, LTC"]
        }
      })
    })

    it("says so when the node does not answer", async () => {
      await Effect.runPromise(node.stop)
      for (const path of [
        `${route}/transaction/address/${accounts[0]}?pageSize=1&type=testnet`,
        `blockchain/fee/${currency}?type=testnet`
      ])
        expect(await raw(path), path).toMatchObject({
          status: 503,
          body: { errorCode: "node.unavailable", statusCode: 503 }
        })
    })
  })
}

describe.runIf(requireBinary("bcash", "Bitcoin Cash in the sandbox") !== undefined)(
  "bch-testnet on bcash",
  () => {
    const network = "bch-testnet"
    const scope = Effect.runSync(Scope.make())
    let node: UtxoNode
    let served: Provider

    beforeAll(async () => {
      node = await open(scope, runtimes.startUtxo("bcash", { blockTime }))
      served = await open(scope, provider({ [network]: { rpc: rpcOf(node.handler), indexed: true } }))
    })
    afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

    it("has its addresses as the node writes them, and what was paid to them", async () => {
      const address = node.accounts[0]?.address ?? ""
      expect(address).toMatch(/^bchreg:/)
      const hash = await Effect.runPromise(node.fund(address, "1.5"))
      const [waiting] = await Effect.runPromise(readPending(rpcOf(node.handler)))
      expect(waiting).toMatchObject({ hash, fee: expect.any(Number), outputs: [{}, {}] })
      expect(waiting).not.toHaveProperty("blockNumber")
      await Effect.runPromise(node.mine(1))
      await Effect.runPromise(served.fresh.get(network) ?? Effect.dieMessage("not indexed"))
      const height = await Effect.runPromise(node.height)
      const { rows, unspent } = await Effect.runPromise(
        served.store.transact((transaction) => ({
          rows: History.findHistory(transaction, { network, address }, { pageSize: 50, offset: 0 }, []),
          unspent: History.findUtxos(transaction, network, address)
        }))
      )
      expect(rows).toMatchObject([
        { ...waiting, time: expect.any(Number), blockNumber: height },
        { blockNumber: 1 }
      ])
      expect(unspent.map(({ value }) => value)).toEqual([50, 1.5])
      // what one transaction changes comes to nothing but its fee
      const nets = await Effect.runPromise(
        served.store.transact((transaction) =>
          transaction.all(
            Schema.Struct({ net: Schema.Number }),
            `SELECT SUM(CASE WHEN sender IS NULL THEN 1 ELSE -1 END * CAST(amount AS INTEGER)) AS net
           FROM movements WHERE hash = ?`,
            hash
          )
        )
      )
      expect(nets).toEqual([{ net: -(waiting?.fee ?? 0) }])
    })
  }
)

describe.each(["bcoin", "bcash"] as const)("the miner of %s", (program) => {
  it.runIf(requireBinary(program, `payments of the miner of ${program}`) !== undefined)(
    "pays with its other coins while no block has the payments of before, or while blocks are made",
    () =>
      Effect.gen(function* () {
        const node = yield* runtimes.startUtxo(program, { blockTime })
        const addresses = node.accounts.slice(1, 4).map(({ address }) => address)
        // more than a half of what a block pays its miner
        const waiting = yield* Effect.forEach(addresses, (address) => node.fund(address, "30"))
        const mined = yield* Effect.raceFirst(
          Effect.forEach(addresses, (address) => node.fund(address, "30")),
          Effect.forever(node.mine(1))
        )
        yield* node.mine(1)
        const rpc = rpcOf(node.handler)
        for (const id of [...waiting, ...mined])
          expect(yield* rpc("getrawtransaction", [id, true])).toMatchObject({
            confirmations: expect.any(Number)
          })
        expect(new Set([...waiting, ...mined]).size).toBe(6)
      }).pipe(Effect.scoped, Effect.runPromise)
  )
})

describe.runIf(requireBinary("anvil", "fees of Ethereum") !== undefined)("fees of Ethereum on anvil", () => {
  const scope = Effect.runSync(Scope.make())
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  it("are what blocks were paid, on the base fee of the next one", async () => {
    const node = await open(scope, Anvil.start({ chainId: 11_155_111 }))
    const rpc = rpcOf((received) =>
      forwardRequest(node.url, received, { timeout: 5_000, reuse: false }).pipe(Effect.orDie)
    )
    const ask = <A, I>(schema: Schema.Schema<A, I>, method: string, ...params: ReadonlyArray<unknown>) =>
      Effect.runPromise(Effect.flatMap(rpc(method, params), Schema.decodeUnknown(schema)))
    const served = await open(scope, provider({ "ethereum-sepolia": { rpc, indexed: false } }))
    const sdk = await sdkOf("ethereum-sepolia", served, node.url)
    const next = async () => {
      const { baseFeePerGas } = await ask(
        Schema.Struct({ baseFeePerGas: Schema.Array(Schema.String) }),
        "eth_feeHistory",
        "0x1",
        "latest",
        []
      )
      return BigInt(baseFeePerGas.at(-1) ?? "")
    }
    const usual = BigInt(await ask(Schema.String, "eth_maxPriorityFeePerGas"))
    const gwei = (wei: bigint) => Units.format(wei, 9)
    expect(take(await sdk.fee.getCurrentFee())).toEqual({
      chain: "ethereum-sepolia",
      gasPrice: {
        slow: gwei((await next()) + usual),
        medium: gwei((await next()) + usual),
        fast: gwei((await next()) + usual),
        baseFee: gwei(await next()),
        unit: "Gwei"
      },
      lastRecalculated: expect.stringMatching(/Z$/),
      basedOnBlockNumber: 0
    })
    const [from = "", to] = await ask(Schema.Array(Schema.String), "eth_accounts")
    for (const tip of [3_000_000_000n, 7_000_000_000n, 5_000_000_000n, 9_000_000_000n, 4_000_000_000n]) {
      const maxPriorityFeePerGas = `0x${tip.toString(16)}`
      await ask(Schema.String, "eth_sendTransaction", {
        from,
        to,
        value: "0x1",
        maxPriorityFeePerGas,
        maxFeePerGas: `0x${(100n * 10n ** 9n).toString(16)}`
      })
    }
    await rpc("evm_mine", []).pipe(Effect.runPromise)
    const paid = gwei((await next()) + 5_000_000_000n)
    expect(take(await sdk.fee.getCurrentFee())).toMatchObject({
      gasPrice: { slow: paid, medium: paid, fast: paid, baseFee: gwei(await next()) },
      basedOnBlockNumber: 6
    })
    await sdk.destroy()
  })
})

describe("fees that a node estimates", () => {
  for (const [name, estimate] of [
    ["Bitcoin Core", (coins: number, blocks: number) => ({ feerate: coins, blocks })],
    ["bcoin", (coins: number, blocks: number) => ({ fee: coins, blocks })]
  ] as const)
    it(`are taken as they are, in the form of ${name}`, async () => {
      const scope = Effect.runSync(Scope.make())
      const rates = new Map([
        [2, 0.00123456],
        [6, 0.0000525],
        [12, 0.00000999]
      ])
      const rpc: Rpc = (method, [blocks]) => {
        if (method === "getblockcount") return Effect.succeed(7)
        if (method === "getnetworkinfo") return Effect.succeed({ relayfee: 0.00001 })
        const rate = method === "estimatesmartfee" ? rates.get(Number(blocks)) : undefined
        return rate === undefined
          ? Effect.die(new Error(`${method} ${String(blocks)} was not expected`))
          : Effect.succeed(estimate(rate, Number(blocks)))
      }
      const served = await open(scope, provider({ "doge-mainnet": { rpc, indexed: false } }))
      const sdk = await sdkOf("doge-mainnet", served, "http://127.0.0.1:9")
      expect(take(await sdk.fee.getCurrentFee())).toMatchObject({
        // none is less than what nodes pass on
        slow: "1",
        medium: "5.25",
        fast: "123.456",
        basedOnBlockNumber: 7
      })
      await sdk.destroy()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    })
})

/** A payment of a model: parts of what `from` has, in thousandths, and what goes to whoever finds the block. */
interface Payment {
  readonly from: number
  readonly to: ReadonlyArray<number>
  readonly part: number
  readonly fee: number
}

interface Step {
  readonly miner: number
  readonly payments: ReadonlyArray<Payment>
  /** Blocks that are given up before. */
  readonly back: number
}

interface ModelOutput {
  readonly address: string | undefined
  readonly value: number
}

interface ModelTransaction {
  readonly txid: string
  readonly vin: ReadonlyArray<{ readonly txid?: string; readonly vout?: number; readonly coinbase?: string }>
  readonly outputs: ReadonlyArray<ModelOutput>
}

interface ModelBlock {
  readonly hash: string
  readonly transactions: ReadonlyArray<ModelTransaction>
  /** What everybody has after it: a ledger of sums, which knows nothing of outputs. */
  readonly ledger: ReadonlyMap<string, number>
  readonly coins: ReadonlyMap<string, ModelOutput & { readonly txid: string; readonly vout: number }>
}

const SUBSIDY = 5_000_000_000
const people = ["mAnn", "mBob", "mCid", "mDee"]

/** A node that is a list of blocks. */
class Model {
  blocks: Array<ModelBlock> = []
  readonly known = new Map<string, ModelTransaction>()
  private count = 0

  constructor(readonly dialect: "core" | "bcoin") {
    this.add({ miner: 0, payments: [], back: 0 })
  }

  add({ back, miner, payments }: Step): void {
    const kept = Math.max(1, this.blocks.length - back)
    if (this.blocks.length > 0) this.blocks = this.blocks.slice(0, kept)
    const tip = this.blocks.at(-1)
    // nobody can spend the coins of the first block: it leaves the ledger empty
    const isFirst = tip === undefined
    const ledger = new Map(tip?.ledger ?? people.map((name) => [name, 0] as const))
    const coins = new Map(tip?.coins ?? [])
    const id = () => (++this.count).toString(16).padStart(64, "0")
    const change = (name: string, amount: number) => ledger.set(name, (ledger.get(name) ?? 0) + amount)
    const create = ({ outputs, txid }: ModelTransaction) => {
      for (const [vout, output] of outputs.entries()) coins.set(`${txid}:${vout}`, { ...output, txid, vout })
    }

    let fees = 0
    const paid: Array<ModelTransaction> = []
    for (const { fee, from, part, to } of payments) {
      const payer = people[from] ?? ""
      const amount = Math.floor(((ledger.get(payer) ?? 0) * part) / 1_000)
      if (amount <= fee * to.length) continue
      const vin: Array<{ txid: string; vout: number }> = []
      let sum = 0
      for (const [key, { address, txid, value, vout }] of coins) {
        if (sum >= amount) break
        if (address !== payer || value === 0) continue
        vin.push({ txid, vout })
        coins.delete(key)
        sum += value
      }
      const each = Math.floor((amount - fee) / to.length)
      const outputs: Array<ModelOutput> = to.map((name) => ({ address: people[name], value: each }))
      const left = sum - each * to.length - fee
      outputs.push({ address: undefined, value: 0 })
      if (left > 0) outputs.push({ address: payer, value: left })
      change(payer, -each * to.length - fee)
      for (const name of to) change(people[name] ?? "", each)
      fees += fee
      const transaction = { txid: id(), vin, outputs }
      create(transaction)
      paid.push(transaction)
    }
    const coinbase = {
      txid: id(),
      vin: [{ coinbase: "00" }],
      outputs: [{ address: people[miner], value: SUBSIDY + fees }]
    }
    if (!isFirst) {
      create(coinbase)
      change(people[miner] ?? "", SUBSIDY + fees)
      this.known.set(coinbase.txid, coinbase)
    }
    for (const transaction of paid) this.known.set(transaction.txid, transaction)
    this.blocks.push({ hash: id(), transactions: [coinbase, ...paid], ledger, coins })
  }

  private written({ outputs, txid, vin }: ModelTransaction) {
    return {
      txid,
      size: 200,
      ...(this.dialect === "core" ? { vsize: 150 } : {}),
      vin,
      vout: outputs.map(({ address, value }, n) => ({
        n,
        value: value / 1e8,
        scriptPubKey: { type: "any", ...(address === undefined ? {} : { addresses: [address] }) }
      }))
    }
  }

  readonly rpc: Rpc = (method, params) =>
    Effect.suspend((): Effect.Effect<unknown, SandboxError> => {
      const [first, ...rest] = params
      const tip = this.blocks.length - 1
      switch (method) {
        case "getblockchaininfo":
          return Effect.succeed({ blocks: tip, bestblockhash: this.blocks[tip]?.hash })
        case "getblockhash": {
          const hash = this.blocks[Number(first)]?.hash
          return hash === undefined ? chainError("Block height out of range") : Effect.succeed(hash)
        }
        case "getblock": {
          if (JSON.stringify(rest) !== (this.dialect === "core" ? "[2]" : "[true,true]"))
            return chainError("JSON value is not of the expected type")
          const height = this.blocks.findIndex(({ hash }) => hash === first)
          const block = this.blocks[height]
          if (block === undefined) return chainError("Block not found")
          return Effect.succeed({
            hash: block.hash,
            height,
            time: 1_700_000_000 + height,
            previousblockhash: this.blocks[height - 1]?.hash ?? null,
            tx: block.transactions.map((transaction) => this.written(transaction))
          })
        }
        case "getrawtransaction": {
          const found = this.known.get(String(first))
          return found === undefined || rest[0] !== true
            ? chainError("No such mempool or blockchain transaction")
            : Effect.succeed(this.written(found))
        }
        case "getrawmempool":
          // every transaction of the model is in a block
          return Effect.succeed({})
        default:
          return Effect.die(new Error(`${method} was not expected`))
      }
    })
}

const person = FastCheck.nat({ max: people.length - 1 })
const steps = FastCheck.array(
  FastCheck.record<Step>({
    miner: person,
    payments: FastCheck.array(
      FastCheck.record<Payment>({
        from: person,
        to: FastCheck.array(person, { minLength: 1, maxLength: 3 }),
        part: FastCheck.integer({ min: 1, max: 1_000 }),
        // who pays himself and nobody else has what he had
        fee: FastCheck.oneof(FastCheck.constant(0), FastCheck.nat({ max: 50_000 }))
      }),
      { maxLength: 5 }
    ),
    back: FastCheck.oneof({ weight: 4, arbitrary: FastCheck.constant(0) }, FastCheck.nat({ max: 4 }))
  }),
  { minLength: 1, maxLength: 20 }
)

describe("the store", () => {
  it("agrees with a ledger of sums, whatever is paid and given up", async () => {
    const network = "bitcoin-testnet"
    let paid = 0
    let givenUp = 0
    await FastCheck.assert(
      FastCheck.asyncProperty(
        steps,
        FastCheck.constantFrom("core" as const, "bcoin" as const),
        (all, dialect) =>
          Effect.gen(function* () {
            const model = new Model(dialect)
            const store = yield* Store.make()
            const indexer = yield* Indexer.make.pipe(Effect.provideService(Store.Store, store))
            const fresh = yield* indexer.follow(network, makeReader(network, model.rpc))
            for (const step of all) {
              model.add(step)
              givenUp += Math.min(step.back, 1)
              yield* fresh
              const tip = model.blocks.at(-1)
              if (tip === undefined) throw new Error("a chain without blocks")
              paid += tip.transactions.length - 1
              yield* store.transact((transaction) => {
                for (const name of people) {
                  const unspent = History.findUtxos(transaction, network, name)
                  const sum = unspent.reduce((all, { value }) => all + Math.round(value * 1e8), 0)
                  expect(sum).toBe(tip.ledger.get(name))
                  // the same sum from every net in a history, and from every movement
                  const rows = transaction.all(
                    Schema.Struct({ kept: Schema.Number }),
                    `SELECT TOTAL(CASE WHEN receiver = ?1 THEN 1 ELSE -1 END * CAST(amount AS INTEGER)) AS kept
                   FROM movements WHERE receiver = ?1 OR sender = ?1`,
                    name
                  )
                  expect(rows).toEqual([{ kept: sum }])
                  const touched = model.blocks
                    .slice(1)
                    .toReversed()
                    .flatMap(({ transactions }) => transactions.toReversed())
                    .filter(({ outputs, vin }) =>
                      [
                        ...outputs,
                        ...vin.map(({ txid = "", vout = 0 }) => model.known.get(txid)?.outputs[vout])
                      ].some((output) => output?.address === name)
                    )
                  const query = { pageSize: 1_000, offset: 0 }
                  const history = History.findHistory(transaction, { network, address: name }, query, [])
                  expect(history.map(({ hash }) => hash)).toEqual(touched.map(({ txid }) => txid))
                  // and the direction is the one that the SDK reads from a transaction
                  for (const txType of ["incoming", "outgoing"] as const)
                    expect(
                      History.findHistory(transaction, { network, address: name }, { ...query, txType }, [])
                    ).toEqual(history.filter((row) => netChangeOf(row, name).transactionType === txType))
                  const page = History.findHistory(
                    transaction,
                    { network, address: name },
                    { pageSize: 2, offset: 3 },
                    []
                  )
                  expect(page).toEqual(history.slice(3, 5))
                }
              })
            }
          }).pipe(Effect.scoped, Effect.runPromise)
      ),
      { numRuns: 40 }
    )
    expect(paid).toBeGreaterThan(0)
    expect(givenUp).toBeGreaterThan(0)
  })
})

describe("the blocks of a chain", () => {
  const Call = Schema.Struct({ method: Schema.String, params: Schema.Array(Schema.Unknown) })
  const scope = Effect.runSync(Scope.make())
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  /** A chain of a node whose blocks have all of its pool but "stuck". `onCall` runs before each call. */
  const startModel = async (onCall: (method: string) => void) => {
    const pool: Array<string> = []
    const blocks: Array<ReadonlyArray<string>> = [[]]
    const results: Record<string, (...params: ReadonlyArray<unknown>) => unknown> = {
      getblockcount: () => blocks.length - 1,
      getblockhash: (height) => `hash ${height}`,
      getbestblockhash: () => `hash ${blocks.length - 1}`,
      getblock: (hash) => `bytes of ${hash}`,
      getrawmempool: () => pool,
      generatetoaddress: (count) => {
        for (let left = Number(count); left > 0; left--) {
          blocks.push(pool.filter((id) => id !== "stuck"))
          pool.splice(0, pool.length, ...pool.filter((id) => id === "stuck"))
        }
        return []
      }
    }
    const port = await open(
      scope,
      listen(({ body }) =>
        Effect.gen(function* () {
          const { method, params } = yield* Effect.orDie(Schema.decodeUnknown(Call)(parseBody(body)))
          onCall(method)
          const answer = results[method] ?? (() => assert.fail(`${method} was not expected`))
          return jsonResponse({ result: answer(...params), error: null, id: 1 })
        })
      )
    )
    const url = `http://127.0.0.1:${port}`
    const unexpected = Effect.die(new Error("was not expected"))
    const process = {
      url,
      pid: Effect.succeed(1),
      state: Effect.succeed("running" as const),
      start: unexpected,
      stop: Effect.void,
      freeze: unexpected,
      resume: unexpected
    }
    const node = {
      name: "model",
      process,
      url: () => url,
      accounts: [],
      miner: { address: "miner", privateKey: "" },
      prepare: Effect.void,
      pay: () => unexpected
    }
    await open(scope, makeChain([node]))
    return { blocks, pool }
  }

  for (const method of ["generatetoaddress", "getblockcount", "getblockhash", "getblock", "getrawmempool"])
    it(`have a transaction that arrives before ${method}, while the block of another is made`, async () => {
      const mined = Effect.runSync(Deferred.make<void>())
      let isMining = false
      let isLate = false
      let onCall = (_method: string): void => {}
      const { blocks, pool } = await startModel((called) => onCall(called))
      onCall = (called) => {
        isMining ||= called === "generatetoaddress" && pool.includes("first")
        if (isMining && !isLate && called === method) {
          isLate = true
          pool.push("late")
        }
        if (blocks.flat().includes("late")) Deferred.unsafeDone(mined, Effect.void)
      }
      pool.push("first")
      await Effect.runPromise(Deferred.await(mined))
      expect(blocks.flat()).toEqual(["first", "late"])
    })

  it("are not made again for a transaction that they leave out", async () => {
    const seen = Effect.runSync(Queue.unbounded<void>())
    let onCall = (_method: string): void => {}
    const { blocks, pool } = await startModel((called) => onCall(called))
    const height = blocks.length
    onCall = (called) => {
      if (called === "getrawmempool") Queue.unsafeOffer(seen, undefined)
    }
    pool.push("stuck")
    // two looks at the pool make the block, and further ones none
    await Effect.runPromise(Queue.takeN(seen, 5))
    expect(blocks).toHaveLength(height + 1)
    pool.push("next")
    await Effect.runPromise(Effect.zipRight(Queue.takeAll(seen), Queue.takeN(seen, 5)))
    expect(blocks).toHaveLength(height + 2)
    expect(blocks.at(-1)).toEqual(["next"])
  })
})

describe("the pool of a node", () => {
  const hashes = ["a", "b", "c"]
  const some = FastCheck.subarray(hashes)

  it("tells of each stay of a transaction once, as soon as it can be read", async () => {
    let failures = 0
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.array(FastCheck.record({ pool: some, unreadable: some }), { minLength: 1, maxLength: 12 }),
        (states) =>
          Effect.gen(function* () {
            let now = states[0]
            const rpc: Rpc = (method, [hash]) => {
              if (method === "getrawmempool")
                return Effect.succeed(Object.fromEntries(now?.pool.map((each) => [each, { time: 1 }]) ?? []))
              if (method !== "getrawtransaction") return Effect.die(new Error(`${method} was not expected`))
              if (now?.unreadable.includes(String(hash)) === true) {
                failures++
                return chainError("No such mempool transaction")
              }
              const vout = [{ n: 0, value: 1, scriptPubKey: { address: `of ${hash}` } }]
              return Effect.succeed({ txid: hash, size: 200, vin: [{ coinbase: "00" }], vout })
            }
            const { pending } = makeReader("bitcoin-mainnet", rpc)
            const reported: Array<ReadonlyArray<string>> = []
            if (pending === undefined) throw new Error("Bitcoin has a pool")
            for (now of states) reported.push((yield* pending).map(({ hash }) => hash))
            for (const each of hashes) {
              const expected: Array<number> = []
              let isReported = false
              for (const [i, { pool, unreadable }] of states.entries()) {
                const comes: boolean = pool.includes(each) && !isReported && !unreadable.includes(each)
                if (comes) expected.push(i)
                isReported = pool.includes(each) && (isReported || comes)
              }
              const times = reported.flatMap((list, i) => (list.includes(each) ? [i] : []))
              expect(times).toEqual(expected)
            }
          }).pipe(Effect.runPromise)
      )
    )
    expect(failures).toBeGreaterThan(0)
  })

  it("is read on Bitcoin alone, where subscribers hear of it", () => {
    const silent: Rpc = (method) => Effect.die(new Error(`${method} was not expected`))
    const networks = [
      "bitcoin-mainnet",
      "bitcoin-testnet",
      "litecoin-mainnet",
      "doge-mainnet",
      "bitcoin-cash-mainnet"
    ]
    expect(networks.filter((network) => makeReader(network, silent).pending !== undefined)).toEqual([
      "bitcoin-mainnet",
      "bitcoin-testnet"
    ])
  })
})
