import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { afterEach, describe, expect, it } from "vitest"
import { BASE, BITCOIN, BITCOIN_CASH, DOGECOIN, ETHEREUM, POLYGON_AMOY, SOLANA } from "../src/data/rows.js"
import * as Ethereum from "../src/entries/Ethereum.js"
import { layerFetch } from "../src/http/Http.js"
import * as Bitcoin from "../src/pick/bitcoin.js"
import * as BitcoinOnEffect from "../src/pick/effect/bitcoin.js"
import * as OnEffect from "../src/pick/effect/evm.js"
import * as SolanaOnEffect from "../src/pick/effect/solana.js"
import {
  batch,
  blockNumber,
  coalesce,
  createClient,
  eip1193,
  getBalance,
  ProviderRpcError,
  quorum,
  rawRpcCall,
  waitForTransaction
} from "../src/pick/evm.js"
import * as Solana from "../src/pick/solana.js"

interface Request {
  readonly id: number
  readonly method: string
}

const servers: Array<Server> = []

const hash = `0x${"ab".repeat(32)}`

const results: Readonly<Record<string, unknown>> = {
  eth_chainId: "0x1",
  eth_blockNumber: "0x10",
  eth_getBalance: "0x2a",
  eth_getTransactionReceipt: { blockNumber: "0x10", blockHash: hash },
  eth_getBlockByNumber: { hash },
  getblockcount: 16,
  estimatefee: 0.00001,
  getrawtransaction: { hex: "00", confirmations: 3 },
  getBlockHeight: 16,
  getBalance: { context: { slot: 20 }, value: 42 },
  getSignatureStatuses: {
    context: { slot: 20 },
    value: [
      {
        slot: 19,
        confirmations: null,
        err: { InstructionError: [0, { Custom: 1 }] },
        confirmationStatus: "finalized"
      }
    ]
  }
}

/** A node on loopback that answers every method of `results`, and the bodies that it was sent. */
const startNode = async () => {
  const bodies: Array<Request | ReadonlyArray<Request>> = []
  const answer = ({ id, method }: Request) =>
    method in results
      ? { jsonrpc: "2.0", id, result: results[method] }
      : { jsonrpc: "2.0", id, error: { code: -32601, message: "unknown" } }
  const server = createServer((request, response) => {
    let text = ""
    request.on("data", (chunk) => {
      text += String(chunk)
    })
    request.on("end", () => {
      const body: Request | ReadonlyArray<Request> = JSON.parse(text)
      bodies.push(body)
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify("id" in body ? answer(body) : body.map(answer)))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, bodies }
}

/** A url at which nobody listens (any more). */
const deadUrl = async (): Promise<string> => {
  const { url } = await startNode()
  const server = servers.pop()
  await new Promise((resolve) => server?.close(resolve))
  return url
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const address = "0x0000000000000000000000000000000000000000"

/** What a call answers, whatever it can fail with. */
type Answer = Promise<{ readonly data?: unknown }>

/** Reads of one tick are in one list, and a quorum is asked for. */
const sharesAndAgrees = async (
  client: {
    readonly rpc: { readonly getBalance: (of: string) => Answer; readonly blockNumber: () => Answer }
    readonly with: (options: { readonly quorum: { readonly nodes: number; readonly agree: number } }) => {
      readonly rpc: { readonly getBalance: (of: string) => Answer }
    }
  },
  { bodies }: Awaited<ReturnType<typeof startNode>>
): Promise<void> => {
  bodies.length = 0
  const [one, two] = await Promise.all([client.rpc.getBalance(address), client.rpc.blockNumber()])
  expect([one.data, two.data]).toEqual([42n, 16n])
  expect(bodies.map((body) => ("id" in body ? 1 : body.length))).toContain(2)
  const agreed = await client.with({ quorum: { nodes: 1, agree: 1 } }).rpc.getBalance(address)
  expect(agreed.data).toBe(42n)
}

const refusalOf = async (made: Promise<unknown>): Promise<string> =>
  made.then(
    () => "none",
    (error: unknown) => String(error)
  )

describe("a client of picked endpoints", () => {
  it("has the methods that were picked, and goes on at another node when one is dead", async () => {
    const node = await startNode()
    const nodes = [{ url: await deadUrl() }, { url: node.url }]
    await using client = await createClient({
      network: ETHEREUM,
      endpoints: { getBalance, blockNumber },
      rpc: { nodes, oneTimeLoadBalancing: true },
      quiet: true
    })
    expect(client.network).toBe("ethereum-mainnet")
    expect(Object.keys(client.rpc)).toEqual(["getBalance", "blockNumber"])
    const first = client.with({ node: nodes[0]?.url ?? "" })
    expect((await first.rpc.getBalance(address)).status).toBe("ERROR")
    expect((await client.rpc.getBalance(address)).data).toBe(42n)
    await client.checkNodes()
    expect(client.nodes().map(({ failed }) => failed)).toEqual([true, false])
    expect((await client.rpc.blockNumber()).data).toBe(16n)
  })

  it("is the same on the Effect surface", async () => {
    const node = await startNode()
    const nodes = [{ url: await deadUrl() }, { url: node.url }]
    const program = Effect.gen(function* () {
      const client = yield* OnEffect.createClient({
        network: ETHEREUM,
        endpoints: { getBalance: OnEffect.getBalance },
        rpc: { nodes },
        timeout: "5 seconds",
        quiet: true
      })
      expect(Object.keys(client.rpc)).toEqual(["getBalance"])
      return yield* client.rpc.getBalance(address)
    })
    expect(await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(layerFetch)))).toBe(42n)
    const refused = OnEffect.createClient({ network: SOLANA as never, endpoints: {} })
    expect(
      String(await Effect.runPromise(refused.pipe(Effect.flip, Effect.scoped, Effect.provide(layerFetch))))
    ).toMatch(/network is of the family solana, not of evm or /)
  })

  it("refuses what it is not made for, and says why", async () => {
    const endpoints = { getBalance }
    for (const row of ["ethereum-mainnet", { id: "ethereum-mainnet" }, { family: "evm" }, null])
      expect(await refusalOf(createClient({ network: row as never, endpoints }))).toMatch(
        /network must be a row of effect-chains\/chains, such as ETHEREUM/
      )
    expect(await refusalOf(createClient({ network: SOLANA as never, endpoints }))).toMatch(
      /network is of the family solana, not of evm or evm-beacon/
    )
    const options: object = { network: ETHEREUM, endpoints, batch: true }
    expect(await refusalOf(createClient(options as Parameters<typeof createClient>[0]))).toMatch(
      /batch is not an option/
    )
    expect(await refusalOf(createClient({ network: ETHEREUM, endpoints, timeout: -1 }))).toMatch(
      /timeout must be a number above 0/
    )
    expect(
      await refusalOf(createClient({ network: ETHEREUM, endpoints, rpc: { nodes: [{ url: "node" }] } }))
    ).toMatch(/rpc\.nodes\[0\]\.url must be an absolute url/)
    expect(await refusalOf(createClient({ network: ETHEREUM, endpoints: undefined as never }))).toMatch(
      /endpoints must be an object of endpoints/
    )
    const picks: object = { getBalance: "eth_getBalance" }
    expect(
      await refusalOf(createClient({ network: ETHEREUM, endpoints: picks as typeof endpoints }))
    ).toMatch(/endpoints\.getBalance must be an endpoint/)
  })

  it("has the layers that it is given, and says of others that they are not there", async () => {
    const node = await startNode()
    const config = {
      network: ETHEREUM,
      endpoints: { getBalance, blockNumber },
      rpc: { nodes: [{ url: node.url }], oneTimeLoadBalancing: true },
      quiet: true
    }
    await using layered = await createClient({ ...config, layers: { batch, coalesce, quorum }, batch: true })
    await sharesAndAgrees(layered, node)

    await using bare = await createClient(config)
    const options: object = { quorum: { nodes: 1, agree: 1 } }
    const refused = await bare.with(options).rpc.getBalance(address)
    expect(String(refused.error?.cause)).toMatch(
      /quorum is not among the layers that this client was made with/
    )
  })

  it("is told what is wrong with its layers", async () => {
    const refused = async (layers: object) =>
      refusalOf(createClient({ network: ETHEREUM, endpoints: { getBalance }, layers, quiet: true }))
    expect(await refused({ batch: true })).toMatch(
      /layers\.batch must be what its module exports, not boolean true/
    )
    expect(await refused({ batches: batch })).toMatch(
      /layers\.batches is not an option; did you mean batch\?/
    )
    expect(await refused([batch])).toMatch(/layers must be an object/)
  })

  it("has of a whole family no layer that it is not given, either", async () => {
    const node = await startNode()
    const config = {
      network: "ethereum-mainnet",
      rpc: { nodes: [{ url: node.url }], oneTimeLoadBalancing: true },
      quiet: true
    } as const
    await using layered = await Ethereum.init({ ...config, layers: { batch, quorum }, batch: true })
    await sharesAndAgrees(layered, node)
    const options: object = { coalesce: true }
    expect(String((await layered.with(options).rpc.blockNumber()).error?.cause)).toMatch(
      /coalesce is not among the layers that this client was made with/
    )
    const wrong: object = { batch: true }
    await expect(Ethereum.init({ ...config, ...wrong })).rejects.toThrow(/batch is not an option/)
    await expect(Ethereum.init({ ...config, layers: wrong })).rejects.toThrow(
      /layers\.batch must be what its module exports/
    )
  })

  it("has confirmations, raw calls and EIP-1193 as picks", async () => {
    const node = await startNode()
    await using client = await createClient({
      network: ETHEREUM,
      endpoints: { waitForTransaction, rawRpcCall },
      rpc: { nodes: [{ url: node.url }], oneTimeLoadBalancing: true },
      quiet: true
    })
    const receipt = await client.rpc.waitForTransaction(hash, { timeout: 2_000, pollingInterval: 10 })
    expect(receipt.data?.blockHash).toBe(hash)
    const raw = await client.rpc.rawRpcCall({ method: "eth_getBalance", params: [address, "latest"] })
    expect(raw.data).toBe("0x2a")
    const provider = eip1193(client.rpc)
    expect(await provider.request({ method: "eth_blockNumber" })).toBe("0x10")
    await expect(provider.request({ method: "eth_nothing" })).rejects.toBeInstanceOf(ProviderRpcError)
  })

  it("takes rows of all families of EVM chains", async () => {
    const fetch: typeof globalThis.fetch = async (_, request) => {
      const { id, method }: Request = JSON.parse(String(request?.body))
      return Response.json({ jsonrpc: "2.0", id, result: results[method] })
    }
    for (const network of [BASE, POLYGON_AMOY]) {
      await using client = await createClient({
        network,
        endpoints: { getBalance },
        rpc: { nodes: [{ url: "http://127.0.0.1:1" }] },
        verifyChain: false,
        fetch,
        quiet: true
      })
      expect((await client.rpc.getBalance(address)).data).toBe(42n)
    }
  })

  it("ends with its calls", async () => {
    const node = await startNode()
    const client = await createClient({
      network: ETHEREUM,
      endpoints: { getBalance },
      rpc: { nodes: [{ url: node.url }] },
      quiet: true
    })
    await client.destroy()
    expect((await client.rpc.getBalance(address)).status).toBe("ERROR")
    const closed = OnEffect.createClient({ network: ETHEREUM, endpoints: {}, quiet: true })
    expect(
      Exit.isSuccess(await Effect.runPromiseExit(closed.pipe(Effect.scoped, Effect.provide(layerFetch))))
    ).toBe(true)
  })

  it("is one of Solana", async () => {
    const node = await startNode()
    const nodes = [{ url: await deadUrl() }, { url: node.url }]
    const { createClient, getBalance, rawRpcCall, waitForTransaction } = Solana
    await using client = await createClient({
      network: SOLANA,
      endpoints: { getBalance, rawRpcCall, waitForTransaction },
      rpc: { nodes, oneTimeLoadBalancing: true },
      layers: { batch },
      batch: true,
      quiet: true
    })
    const system = "1".repeat(32)
    node.bodies.length = 0
    const [one, two] = await Promise.all([client.rpc.getBalance(system), client.rpc.getBalance(`${system}1`)])
    expect([one.data?.value, two.data?.context.slot]).toEqual([42n, 20n])
    expect(node.bodies.map((body) => ("id" in body ? 1 : body.length))).toContain(2)
    const status = await client.rpc.waitForTransaction("1".repeat(64), {
      allowFailure: true,
      timeout: 2_000,
      pollingInterval: 10
    })
    // its dialect is the family's: slots are bigints, and small numbers are numbers
    expect(status.data).toMatchObject({ slot: 19n, err: { InstructionError: [0, { Custom: 1 }] } })
    expect((await client.rpc.rawRpcCall({ method: "getBlockHeight" })).data).toBe(16n)

    const program = Effect.gen(function* () {
      const { createClient, getBalance } = SolanaOnEffect
      const onEffect = yield* createClient({
        network: SOLANA,
        endpoints: { getBalance },
        rpc: { nodes },
        quiet: true
      })
      return yield* onEffect.rpc.getBalance(system)
    })
    const answer = await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(layerFetch)))
    expect(answer.value).toBe(42n)
    expect(await refusalOf(createClient({ network: ETHEREUM as never, endpoints: { getBalance } }))).toMatch(
      /network is of the family evm-beacon, not of solana/
    )
  })

  it("is one of Bitcoin and its kin, but not of Dogecoin", async () => {
    const node = await startNode()
    const nodes = [{ url: await deadUrl() }, { url: node.url }]
    const { createClient, estimateFee, getBlockCount, getRawTransaction, rawRpcCall, waitForTransaction } =
      Bitcoin
    await using client = await createClient({
      network: BITCOIN,
      endpoints: { getBlockCount, getRawTransaction, rawRpcCall, waitForTransaction },
      rpc: { nodes, oneTimeLoadBalancing: true },
      layers: { batch },
      batch: true,
      quiet: true
    })
    node.bodies.length = 0
    const txid = "ab".repeat(32)
    const [one, two] = await Promise.all([
      client.rpc.getBlockCount(),
      client.rpc.getRawTransaction(txid, true)
    ])
    expect([one.data, two.data]).toEqual([16, results.getrawtransaction])
    expect(node.bodies.map((body) => ("id" in body ? 1 : body.length))).toContain(2)
    const found = await client.rpc.waitForTransaction(txid, {
      confirmations: 3,
      timeout: 2_000,
      pollingInterval: 10
    })
    expect(found.data).toMatchObject({ confirmations: 3 })
    expect((await client.rpc.rawRpcCall({ method: "estimatefee" })).data).toBe(0.00001)

    // a raw call of a method of Bitcoin Cash is known to read: it is sent again where its answer was lost
    let lost = 0
    const fetch: typeof globalThis.fetch = async (_, request) => {
      const { id, method }: Request = JSON.parse(String(request?.body))
      if (method === "estimatefee" && lost++ === 0) return new Response("Bad gateway", { status: 502 })
      return Response.json({ jsonrpc: "2.0", id, result: results[method] })
    }
    await using forgetful = await createClient({
      network: BITCOIN_CASH,
      endpoints: { rawRpcCall },
      rpc: { nodes: [{ url: "http://127.0.0.1:1" }, { url: "http://127.0.0.1:2" }] },
      fetch,
      quiet: true
    })
    expect((await forgetful.rpc.rawRpcCall({ method: "estimatefee" })).data).toBe(0.00001)
    expect(lost).toBe(2)

    await using cash = await createClient({
      network: BITCOIN_CASH,
      endpoints: { estimateFee },
      rpc: { nodes },
      quiet: true
    })
    expect((await cash.rpc.estimateFee()).data).toBe(0.00001)

    const program = Effect.gen(function* () {
      const { createClient, getBlockCount } = BitcoinOnEffect
      const onEffect = yield* createClient({
        network: BITCOIN,
        endpoints: { getBlockCount },
        rpc: { nodes },
        quiet: true
      })
      return yield* onEffect.rpc.getBlockCount()
    })
    expect(await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(layerFetch)))).toBe(16)
    expect(
      await refusalOf(createClient({ network: DOGECOIN as never, endpoints: { getBlockCount } }))
    ).toMatch(/network is of the family doge, not of utxo or utxo-estimatefee/)
  })
})
