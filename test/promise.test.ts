// @runtime both
import { afterEach, describe, expect, it, vi } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import type { Network } from "../src/data/Network.js"
import { init as initAlone } from "../src/entries/Ethereum.js"
import {
  type Extension,
  type ExtensionContext,
  type InitConfig,
  init,
  type PromiseSdk,
  type Result
} from "../src/promise.js"
import { runs } from "./properties.js"

const node = "http://127.0.0.1:1"

type Fetch = typeof globalThis.fetch

interface Recorded {
  readonly url: string
  readonly method: string | undefined
  readonly body: unknown
  readonly signal: AbortSignal | null | undefined
}

/** A fetch that leads nowhere: it records its requests and gives the answer of the test. */
const fake = (answer: (asked: Recorded) => unknown) => {
  const asked: Array<Recorded> = []
  const fetch: Fetch = async (input, options = {}) => {
    const { body, method, signal } = options
    const one = {
      url: String(input),
      method,
      signal,
      body: typeof body === "string" ? JSON.parse(body) : body
    }
    asked.push(one)
    const said = await answer(one)
    return said instanceof Response ? said : new Response(JSON.stringify(said), { status: 200 })
  }
  return { asked, fetch }
}

/** The JSON-RPC answer to a request: a result under its id. */
const result = (value: unknown) => (asked: Recorded) => ({
  jsonrpc: "2.0",
  id: Reflect.get(Object(asked.body), "id"),
  result: value
})

/** Waits for the signal, as fetch does when nobody answers. */
const silence = ({ signal }: Recorded): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))

const open: Array<AsyncDisposable> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((sdk) => sdk[Symbol.asyncDispose]()))
})

const start = async <N extends Network>(
  network: N,
  fetch: Fetch,
  more: Partial<InitConfig<N, "eventual">> = {}
): Promise<PromiseSdk<N>> => {
  const sdk = await init({
    network,
    fetch,
    quiet: true,
    verifyChain: false,
    retryCount: 0,
    rpc: { nodes: [{ url: node }], statusCheckInterval: Number.POSITIVE_INFINITY },
    ...more
  })
  open.push(sdk)
  return sdk
}

const isCall = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

/** All calls of a client, nested ones too, by their path. */
const callsOf = (
  client: object,
  path = ""
): ReadonlyArray<readonly [string, (...args: ReadonlyArray<unknown>) => unknown]> =>
  Object.entries(client).flatMap(([name, member]) =>
    // made of several calls, or no call at all
    /^(waitForTransaction|eip1193|viemTransport|ethersProvider|web3Provider|kitTransport|subscribe)$/.test(
      name
    )
      ? []
      : isCall(member)
        ? [[`${path}${name}`, member] as const]
        : typeof member === "object" && member !== null
          ? callsOf(member, `${path}${name}.`)
          : []
  )

describe("a call", () => {
  it("resolves to its data", async () => {
    const { asked, fetch } = fake(result("0x10"))
    const sdk = await start("ethereum-mainnet", fetch)
    expect(await sdk.rpc.getBalance("0x1")).toEqual({ status: "SUCCESS", data: 16n })
    expect(asked).toMatchObject([{ url: node, method: "POST", body: { method: "eth_getBalance" } }])
    expect(sdk.network).toBe("ethereum-mainnet")
  })

  it("resolves to the error that the node sent", async () => {
    const { fetch } = fake(({ body }) => ({
      id: Reflect.get(Object(body), "id"),
      error: { code: -32602, message: "bad address" }
    }))
    const sdk = await start("ethereum-mainnet", fetch)
    expect(await sdk.rpc.getBalance("0x1")).toMatchObject({
      status: "ERROR",
      data: null,
      error: { message: ["bad address"], code: "-32602", cause: { _tag: "RpcError" } }
    })
  })

  it("of the beacon chain resolves, too", async () => {
    const { asked, fetch } = fake(() => ({ data: { genesis_time: "1606824023" } }))
    const sdk = await start("ethereum-mainnet", fetch)
    const [name, call] = callsOf(sdk.rpc).find(([path]) => /beacon\..*getGenesis$/.test(path)) ?? []
    expect(name).toContain("beacon.")
    expect(await call?.()).toMatchObject({ status: "SUCCESS" })
    expect(asked[0]).toMatchObject({ method: "GET", url: `${node}/eth/v1/beacon/genesis` })
  })

  it("resolves to an error when fetch throws, rejects with anything, or gives no response", async () => {
    const broken: ReadonlyArray<() => unknown> = [
      () => {
        throw Object.create(null)
      },
      () => {
        throw new Error("at once")
      },
      () => Promise.reject(undefined),
      () => Promise.reject("text"),
      () => Promise.reject(new Error(`cannot reach ${node}`)),
      () => undefined,
      () => ({}),
      () => 5
    ]
    for (const answer of broken) {
      // wrong on purpose: what a user's fetch may do
      const sdk = await start("ethereum-mainnet", answer as unknown as Fetch)
      expect(await sdk.rpc.blockNumber()).toMatchObject({
        status: "ERROR",
        data: null,
        error: { cause: { _tag: "NodeError" } }
      })
    }
  })

  it.each([
    "ethereum-mainnet",
    "klaytn-mainnet",
    "zksync-mainnet",
    "tron-mainnet",
    "solana-mainnet",
    "bitcoin-mainnet"
  ] as const)(
    "never rejects and never throws, whatever its arguments and the node's answer: %s",
    async (network) => {
      let answer: (asked: Recorded) => unknown = result(null)
      const { fetch } = fake((asked) => answer(asked))
      const sdk = await start(network, fetch, { timeout: 500, retryDelay: 0 })
      const calls = callsOf(sdk.rpc)
      expect(calls.length).toBeGreaterThan(2)
      const garbage = FastCheck.oneof(
        FastCheck.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withNullPrototype: true,
          withObjectString: true,
          withSparseArray: true,
          withTypedArray: true,
          maxDepth: 2
        }),
        FastCheck.constantFrom<unknown>(
          Symbol("s"),
          () => 1,
          Number.NaN,
          -1n,
          "\ud800",
          "..",
          new Proxy(
            {},
            {
              get() {
                throw new Error("a proxy")
              }
            }
          ),
          Object.assign(Object.create(null), { toString: 1 })
        )
      )
      const answers = FastCheck.oneof(
        FastCheck.jsonValue().map((value) => result(value)),
        FastCheck.jsonValue().map((value) => () => value),
        FastCheck.constantFrom<(asked: Recorded) => unknown>(
          () => new Response("<html>", { status: 200 }),
          () => new Response("", { status: 401 }),
          () => new Response('{"message":"x"}', { status: 500 }),
          () => Promise.reject(new TypeError("fetch failed"))
        )
      )
      await FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.nat(calls.length - 1),
          FastCheck.array(garbage, { maxLength: 5 }),
          answers,
          async (i, args, next) => {
            answer = next
            const [name, call] = calls[i] ?? ["", () => undefined]
            let outcome: unknown
            try {
              outcome = await call(...args)
            } catch (error) {
              throw new Error(`${name} rejects or throws`, { cause: error })
            }
            const { data, error, status } = outcome as Result<unknown, Error>
            if (status === "SUCCESS") {
              expect(error).toBeUndefined()
              return
            }
            expect([name, status, data]).toEqual([name, "ERROR", null])
            expect(error?.message.length).toBeGreaterThan(0)
            for (const line of error?.message ?? []) expect(typeof line).toBe("string")
          }
        ),
        { numRuns: runs(400) }
      )
    }
  )
})

describe("init", () => {
  it.each<readonly [what: string, config: object | null | undefined | string, tag: string]>([
    ["nothing", undefined, "InvalidConfig"],
    ["null", null, "InvalidConfig"],
    ["text", "ethereum-mainnet", "InvalidConfig"],
    ["an empty object", {}, "InvalidConfig"],
    ["an unknown network", { network: "etherum-mainnet" }, "UnsupportedNetwork"],
    ["an unknown option", { network: "ethereum-mainnet", apikey: "x" }, "InvalidConfig"],
    ["a fetch that is none", { network: "ethereum-mainnet", fetch: "node-fetch" }, "InvalidConfig"],
    ["a bad url", { network: "ethereum-mainnet", rpc: { nodes: [{ url: "x" }] } }, "InvalidConfig"],
    [
      "a refused extension",
      {
        network: "ethereum-mainnet",
        rpc: { nodes: [{ url: node }] },
        configureExtensions: [{ name: "x", supportedNetworks: ["bsc-mainnet"] }]
      },
      "ExtensionNotSupported"
    ]
  ])("rejects with the tagged error on %s", async (_, config, tag) => {
    // wrong on purpose: what JavaScript may pass
    const refused = init(config as unknown as InitConfig)
    await expect(refused).rejects.toMatchObject({ _tag: tag })
    await expect(refused).rejects.toBeInstanceOf(Error)
  })

  it("does not reject for nodes that cannot be reached; calls say so", async () => {
    const { asked, fetch } = fake(() => Promise.reject(new Error("unreachable")))
    const sdk = await init({ network: "ethereum-mainnet", fetch, quiet: true, retryCount: 0 })
    open.push(sdk)
    expect(await sdk.rpc.blockNumber()).toMatchObject({
      status: "ERROR",
      error: { cause: { _tag: "NoActiveNode" } }
    })
    expect(asked[0]?.url).toBe("https://rpc.tatum.io/ethereum-mainnet/list.json")
  })

  it("of nodes that cannot be reached is followed by calls that name each with its cause", async () => {
    const sdk = await start("ethereum-mainnet", fake(() => Promise.reject(new Error("gone"))).fetch, {
      retryCount: 0,
      rpc: { nodes: [{ url: `${node}/first/0123456789abcdef` }, { url: `${node}/second/0123456789abcdef` }] }
    })
    await sdk.checkNodes()
    await sdk.rpc.blockNumber()
    const { error } = await sdk.rpc.blockNumber()
    const cause = error?.cause
    if (cause?._tag !== "NoActiveNode") return expect.unreachable(cause?._tag)
    const each = { url: `${node}/…`, kind: "network", reason: expect.stringMatching(/gone/) }
    expect(cause.nodes).toEqual([each, each])
    expect(JSON.parse(JSON.stringify(cause)).nodes).toEqual(cause.nodes)
    expect(String(cause)).toContain("gone (network)")
    expect(String(cause)).not.toContain("0123456789abcdef")
  })

  it("says nothing of checks that its end has cut short", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {})
    const { asked, fetch } = fake((request) =>
      request.url.endsWith("/slow") && Reflect.get(Object(request.body), "method") === "eth_chainId"
        ? silence(request)
        : result("0x1")(request)
    )
    const sdk = await start("ethereum-mainnet", fetch, {
      apiKey: "key",
      quiet: false,
      verifyChain: true,
      rpc: { nodes: [{ url: node }, { url: `${node}/slow` }] }
    })
    expect((await sdk.rpc.blockNumber()).status).toBe("SUCCESS")
    expect(asked.filter(({ url }) => url.endsWith("/slow")).length).toBeGreaterThan(0)
    await sdk.destroy()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(error.mock.calls).toEqual([])
    error.mockRestore()
  })

  it("writes its lines to the console of the moment", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {})
    const { fetch } = fake(result("0x1"))
    await start("ethereum-holesky", fetch, { quiet: false })
    expect(warn.mock.calls.map(([line]) => line)).toEqual([expect.stringContaining("has been shut down")])
    warn.mockRestore()
  })
})

describe("with(signal)", () => {
  it("aborts a call under way, and its request", async () => {
    const { asked, fetch } = fake(silence)
    const sdk = await start("ethereum-mainnet", fetch)
    const controller = new AbortController()
    const call = sdk.with({ signal: controller.signal }).rpc.blockNumber()
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    const reason = new Error("the user left")
    controller.abort(reason)
    const { error } = await call
    expect(error).toMatchObject({ message: ["the user left"], cause: { _tag: "Aborted" } })
    expect(error?.cause).toHaveProperty("reason", reason)
    expect(asked[0]?.signal?.aborted).toBe(true)
  })

  it("that is aborted already sends nothing", async () => {
    const { asked, fetch } = fake(result("0x1"))
    const sdk = await start("ethereum-mainnet", fetch)
    for (const signal of [AbortSignal.abort("reason"), AbortSignal.abort()]) {
      expect(await sdk.with({ signal }).rpc.blockNumber()).toMatchObject({
        error: { cause: { _tag: "Aborted" } }
      })
    }
    expect(asked).toEqual([])
  })

  it("leaves other calls of the client alone, and calls that have ended", async () => {
    const { fetch } = fake(result("0x1"))
    const sdk = await start("ethereum-mainnet", fetch)
    const controller = new AbortController()
    const removed = vi.spyOn(controller.signal, "removeEventListener")
    const bound = sdk.with({ signal: controller.signal })
    expect(await bound.rpc.blockNumber()).toMatchObject({ data: 1n })
    expect(removed).toHaveBeenCalledTimes(1)
    controller.abort()
    expect(await sdk.rpc.blockNumber()).toMatchObject({ data: 1n })
    expect(await bound.rpc.blockNumber()).toMatchObject({ status: "ERROR" })
  })

  it("that is no signal is told in the result, and null is none", async () => {
    const { asked, fetch } = fake(result("0x1"))
    const sdk = await start("ethereum-mainnet", fetch)
    for (const wrong of [{}, 5, "now", true]) {
      // wrong on purpose: what JavaScript may pass
      const signal = wrong as unknown as AbortSignal
      expect(await sdk.with({ signal }).rpc.blockNumber()).toMatchObject({
        error: {
          message: [expect.stringMatching(/^with: signal must be an AbortSignal, not /)],
          cause: { _tag: "InvalidArgument" }
        }
      })
    }
    expect(asked).toEqual([])
    // null, which is no AbortSignal either, is how fetch writes "none"
    const none = null as unknown as AbortSignal
    expect(await sdk.with({ signal: none }).rpc.blockNumber()).toMatchObject({ data: 1n })
  })

  /** A signal that counts its listeners, all of them and at most. */
  const counting = () => {
    const controller = new AbortController()
    const { signal } = controller
    const seen = { now: 0, most: 0 }
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      seen.now++
      seen.most = Math.max(seen.most, seen.now)
      addEventListener.apply(signal, args)
    }
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      seen.now--
      removeEventListener.apply(signal, args)
    }
    return { controller, seen, signal }
  }

  it.each([
    ["calls", (sdk: PromiseSdk<"solana-mainnet">, signal: AbortSignal) => sdk.with({ signal }).rpc.getSlot()],
    [
      "requests of kit",
      (sdk: PromiseSdk<"solana-mainnet">, signal: AbortSignal) =>
        sdk.rpc.kitTransport()({ payload: { jsonrpc: "2.0", id: 1, method: "getSlot" }, signal })
    ]
  ] as const)("has one listener for all %s on it, and none when they have ended", async (_, call) => {
    const warnings: Array<string> = []
    const warned = ({ name }: Error): void => void warnings.push(name)
    process.on("warning", warned)
    const { seen, signal } = counting()
    const { fetch } = fake(result(7))
    const sdk = await start("solana-mainnet", fetch)
    await Promise.all(Array.from({ length: 1_000 }, () => call(sdk, signal)))
    expect(seen).toEqual({ now: 0, most: 1 })
    for (let i = 0; i < 1_000; i++) await call(sdk, signal)
    expect(seen).toEqual({ now: 0, most: 1 })
    await new Promise((resolve) => setImmediate(resolve))
    process.off("warning", warned)
    expect(warnings).toEqual([])
  })

  it("aborts all calls on it, and no others", async () => {
    const { controller, seen, signal } = counting()
    const { fetch } = fake(silence)
    const sdk = await start("ethereum-mainnet", fetch)
    const calls = Array.from({ length: 20 }, () => sdk.with({ signal }).rpc.blockNumber())
    const other = sdk.with({ signal: counting().signal, timeout: 300 }).rpc.blockNumber()
    await vi.waitFor(() => expect(seen.most).toBe(1))
    controller.abort("enough")
    for (const call of await Promise.all(calls)) {
      expect(call).toMatchObject({ error: { cause: { _tag: "Aborted", reason: "enough" } } })
    }
    expect((await other).error?.cause._tag).toMatch(/^(CallTimeout|NodeError)$/)
  })

  it("stays when further options are added", async () => {
    const { fetch } = fake(silence)
    const sdk = await start("ethereum-mainnet", fetch)
    const more = sdk.with({ signal: AbortSignal.abort() }).with({ timeout: 5_000 })
    expect(await more.rpc.blockNumber()).toMatchObject({ error: { cause: { _tag: "Aborted" } } })
  })
})

describe("with(timeout)", () => {
  it("limits the calls of that client, not those of the one that it was made of", async () => {
    const { asked, fetch } = fake(silence)
    const sdk = await start("ethereum-mainnet", fetch, { timeout: 400 })
    const short = await sdk.with({ timeout: 40 }).rpc.blockNumber()
    expect(short.error?.message.join()).toMatch(/\b40 ms/)
    expect(short.error?.cause).toMatchObject({ _tag: expect.stringMatching(/^(CallTimeout|NodeError)$/) })
    expect(asked[0]?.signal?.aborted).toBe(true)
    const start2 = performance.now()
    await sdk.rpc.blockNumber()
    expect(performance.now() - start2).toBeGreaterThan(300)
  })

  it("pins a node with node, and says so when it is not there", async () => {
    const { asked, fetch } = fake(result("0x1"))
    const rpc = {
      nodes: [{ url: `${node}/a` }, { url: `${node}/b` }],
      statusCheckInterval: Number.POSITIVE_INFINITY
    }
    const sdk = await start("ethereum-mainnet", fetch, { rpc })
    for (const path of ["/b", "/a", "/b/"]) await sdk.with({ node: `${node}${path}` }).rpc.blockNumber()
    expect(asked.map(({ url }) => url)).toEqual([`${node}/b`, `${node}/a`, `${node}/b`])
    expect(await sdk.with({ node: "http://127.0.0.1:2" }).rpc.blockNumber()).toMatchObject({
      error: { cause: { _tag: "NoActiveNode" } }
    })
  })

  it("is checked like the options of init: the call tells what is wrong, and what fits", async () => {
    const { asked, fetch } = fake(result("0x1"))
    const sdk = await start("ethereum-mainnet", fetch)
    const all = "There are timeout, attemptTimeout, node, coalesce, batch, quorum, minBlock, archive, signal"
    const quorum =
      "quorum must be { nodes, agree }: whole numbers from 1, of which agree is not the larger one"
    const block = "minBlock must be the number of a block, a whole number from 0, not"
    const rows: ReadonlyArray<readonly [unknown, string]> = [
      [undefined, "options must be an object, not undefined"],
      [null, "options must be an object, not null"],
      [5, "options must be an object, not number 5"],
      ["timeout", "options must be an object, not a string"],
      [[], "options must be an object, not a list"],
      [{ timeOut: 5 }, `timeOut is not an option; did you mean timeout? ${all}`],
      [{ attempttimeout: 5 }, `attempttimeout is not an option; did you mean attemptTimeout? ${all}`],
      [{ retries: 5 }, `retries is not an option; t${all.slice(1)}`],
      [{ toString: 5 }, `toString is not an option; t${all.slice(1)}`],
      [{ timeout: Number.NaN }, "timeout must be a number above 0, not number NaN"],
      [{ timeout: -1 }, "timeout must be a number above 0, not number -1"],
      [{ timeout: 0 }, "timeout must be a number above 0, not number 0"],
      [{ timeout: "x" }, "timeout must be a number above 0, not a string"],
      [{ timeout: 1n }, "timeout must be a number above 0, not bigint 1"],
      [{ timeout: null }, "timeout must be a number above 0, not null"],
      [{ attemptTimeout: 1n }, "attemptTimeout must be a number above 0, not bigint 1"],
      [{ node: 5.5 }, "node must be a url, not number 5.5"],
      [{ node: {} }, "node must be a url, not an object"],
      [{ node: "KEY" }, 'node must be an absolute url such as "https://node.example"'],
      [{ node: "ws://x" }, "node must be an http or https url"],
      [{ coalesce: 1 }, "coalesce must be true or false, not number 1"],
      [{ batch: 5 }, "batch must be true, false or an object with size, bytes, window, not number 5"],
      [{ batch: { size: 0 } }, "batch.size must be a whole number from 1, not number 0"],
      [
        { batch: { sise: 5 } },
        "batch.sise is not an option; did you mean size? There are size, bytes, window"
      ],
      [{ quorum: null }, quorum],
      [{ quorum: 2 }, quorum],
      [{ quorum: { nodes: 2 } }, quorum],
      [{ quorum: { nodes: 2, agree: 3 } }, quorum],
      [{ quorum: { nodes: 2, agree: 2, of: 3 } }, quorum],
      [{ minBlock: -1 }, `${block} number -1`],
      [{ minBlock: 1.5 }, `${block} number 1.5`],
      [{ minBlock: "0x1" }, `${block} a string`],
      [{ minBlock: -1n }, `${block} bigint -1`],
      [
        { timeOut: 5, node: 5.5 },
        `timeOut is not an option; did you mean timeout? ${all}; node must be a url, not number 5.5`
      ]
    ]
    for (const [options, reason] of rows) {
      // wrong on purpose: what JavaScript may pass
      const garbage = options as unknown as Parameters<typeof sdk.with>[0]
      const careless = sdk.with(garbage)
      const wrong = {
        status: "ERROR",
        error: { message: [`with: ${reason}`], cause: { _tag: "InvalidArgument", call: "with", reason } }
      }
      expect(await careless.rpc.blockNumber()).toMatchObject(wrong)
      // what is wrong stays wrong, and is wrong for services and streams, too
      expect(await careless.with({ timeout: 5_000 }).rates.getCurrentRate("BTC", "EUR")).toMatchObject(wrong)
      for await (const head of careless.rpc.subscribe.newHeads()) expect(head).toMatchObject(wrong)
    }
    expect(asked).toEqual([])
    // what is not there is no option
    const none = { timeout: undefined } as unknown as Parameters<typeof sdk.with>[0]
    expect(await sdk.with(none).rpc.blockNumber()).toMatchObject({ data: 1n })
  })
})

describe("destroy", () => {
  it("ends calls under way with a result, and their requests", async () => {
    const { asked, fetch } = fake(silence)
    const sdk = await start("ethereum-mainnet", fetch)
    const calls = [
      sdk.rpc.blockNumber(),
      sdk.with({ timeout: 9_000 }).rpc.chainId(),
      sdk.rpc.rawRpcCall({ method: "m" })
    ]
    await vi.waitFor(() => expect(asked).toHaveLength(3))
    await sdk.destroy()
    for (const result of await Promise.all(calls)) {
      expect(result).toMatchObject({
        status: "ERROR",
        error: { message: ["The client has been destroyed"], cause: { _tag: "Aborted" } }
      })
    }
    expect(asked.every(({ signal }) => signal?.aborted)).toBe(true)
  })

  // services are not on the lean runtime yet
  it.skipIf(process.env.EFFECT_CHAINS_RUNTIME === "lean")(
    "has the same services under other options: what they have learnt is not asked for again",
    async () => {
      const usdt = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
      const { asked, fetch } = fake(({ body, url }) =>
        url.includes("/tron/account/")
          ? { balance: 1, trc20: [{ [usdt]: "900000" }] }
          : Reflect.get(Object(body), "function_selector") === "decimals()"
            ? { constant_result: ["6".padStart(64, "0")] }
            : { constant_result: ["4".padStart(64, "0")] }
      )
      const sdk = await start("tron-mainnet", fetch)
      const query = { address: "TQuDQGdYmzuicmjkWrdpFWXKxpb9P17777" }
      const first = await sdk.address.getBalance(query)
      expect(first.status).toBe("SUCCESS")
      const questions = asked.length
      expect((await sdk.with({ timeout: 5_000 }).address.getBalance(query)).data).toEqual(first.data)
      // the account, and not the contract
      expect(asked.slice(questions).map(({ method }) => method)).toEqual(["GET"])
    }
  )

  it("tells what happens to the nodes until the listener is taken back", async () => {
    const { fetch } = fake(result("0x1"))
    const sdk = await start("ethereum-mainnet", fetch)
    const told: Array<string> = []
    const stop = sdk.listen((event) => void told.push(event._tag))
    await sdk.rpc.blockNumber()
    expect(told).toEqual(["Attempted", "Answered"])
    stop()
    await sdk.rpc.blockNumber()
    expect(told).toHaveLength(2)
    await sdk.destroy()
  })

  it("is final: later calls resolve to an error, and nothing is sent", async () => {
    const { asked, fetch } = fake(result("0x1"))
    const sdk = await start("ethereum-mainnet", fetch)
    await sdk.destroy()
    expect(await sdk.rpc.blockNumber()).toMatchObject({
      status: "ERROR",
      error: { cause: { _tag: "Aborted" } }
    })
    expect(await sdk.with({ timeout: 5 }).rpc.blockNumber()).toMatchObject({ status: "ERROR" })
    await sdk.checkNodes()
    expect(sdk.nodes()).toHaveLength(1)
    expect(asked).toEqual([])
  })

  it("may be called twice, at once or later, and ends extensions once", async () => {
    const events: Array<string> = []
    const { fetch } = fake(result("0x1"))
    const sdk = await start("ethereum-mainnet", fetch, {
      configureExtensions: [
        { name: "x", init: () => void events.push("init"), destroy: () => void events.push("destroy") }
      ]
    })
    await Promise.all([sdk.destroy(), sdk.destroy()])
    await sdk.destroy()
    await sdk[Symbol.asyncDispose]()
    expect(events).toEqual(["init", "destroy"])
  })

  it("is what the end of an await using block does", async () => {
    const events: Array<string> = []
    const { fetch } = fake(result("0x1"))
    const sdk = await start("ethereum-mainnet", fetch, {
      configureExtensions: [{ name: "x", destroy: () => void events.push("destroy") }]
    })
    await sdk[Symbol.asyncDispose]()
    expect(events).toEqual(["destroy"])
    expect(await sdk.rpc.blockNumber()).toMatchObject({ status: "ERROR" })
  })

  it("resolves although an extension fails to end", async () => {
    const { fetch } = fake(result("0x1"))
    const sdk = await start("ethereum-mainnet", fetch, {
      configureExtensions: [{ name: "x", destroy: () => Promise.reject(new Error("busy")) }]
    })
    await expect(sdk.destroy()).resolves.toBeUndefined()
  })

  it("ends a check of nodes under way", async () => {
    const { asked, fetch } = fake(silence)
    const rpc = {
      nodes: [{ url: `${node}/a` }, { url: `${node}/b` }],
      statusCheckInterval: Number.POSITIVE_INFINITY
    }
    const sdk = await start("ethereum-mainnet", fetch, { rpc })
    const check = sdk.checkNodes()
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    await sdk.destroy()
    await check
    expect(asked.every(({ signal }) => signal?.aborted)).toBe(true)
  })
})

describe("several clients", () => {
  it("of two networks live side by side, and one ends without the other", async () => {
    const eth = fake(result("0x1"))
    const bsc = fake(result("0x38"))
    const one = await start("ethereum-mainnet", eth.fetch)
    const two = await start("bsc-mainnet", bsc.fetch)
    const both = await Promise.all([one.rpc.chainId(), two.rpc.chainId()])
    expect(both.map(({ data }) => data)).toEqual([1n, 56n])
    await one.destroy()
    expect((await one.rpc.chainId()).status).toBe("ERROR")
    expect((await two.rpc.chainId()).data).toBe(56n)
    expect([eth.asked.length, bsc.asked.length]).toEqual([1, 2])
  })

  it("of one network share nothing either", async () => {
    const a = fake(result("0x1"))
    const b = fake(() => new Response("", { status: 503 }))
    const one = await start("ethereum-mainnet", a.fetch)
    const two = await start("ethereum-mainnet", b.fetch)
    expect((await two.rpc.chainId()).status).toBe("ERROR")
    expect((await one.rpc.chainId()).data).toBe(1n)
    expect(one.nodes()).toMatchObject([{ url: node, active: true, failed: false, type: "NORMAL" }])
  })
})

describe("defects", () => {
  it("become Unexpected, with what was thrown", async () => {
    const { fetch } = fake(() => new Response("", { status: 500 }))
    const sdk = await start("ethereum-mainnet", fetch)
    const hostile = {
      get method(): string {
        throw new RangeError("a hostile getter")
      }
    }
    expect(await sdk.rpc.rawRpcCall(hostile)).toMatchObject({
      status: "ERROR",
      error: { message: ["a hostile getter"], cause: { _tag: "Unexpected", defect: expect.any(RangeError) } }
    })
  })
})

describe("nodes", () => {
  it("are shown as they are known, without what is secret in their urls", async () => {
    const { asked, fetch } = fake(result("0x20"))
    const rpc = {
      nodes: [{ url: `${node}/KEY-1` }, { url: `${node}/KEY-2`, type: "archive" as const }],
      statusCheckInterval: Number.POSITIVE_INFINITY
    }
    const sdk = await start("ethereum-mainnet", fetch, { rpc })
    await sdk.checkNodes()
    expect(asked).toHaveLength(2)
    expect(sdk.nodes()).toMatchObject([
      { url: `${node}/…`, type: "NORMAL", lastBlock: 32, failed: false },
      { url: `${node}/…`, type: "ARCHIVE", lastBlock: 32, failed: false }
    ])
    expect(JSON.stringify(sdk.nodes())).not.toContain("KEY")
  })
})

describe("an extension", () => {
  it("is given the client, and gives a handle", async () => {
    const { asked, fetch } = fake((one) =>
      one.url.includes("127.0.0.1") ? result("0x10")(one) : { rate: "7", url: one.url }
    )
    const counter = {
      name: "counter",
      init: async ({ config, gateway, logger, network, rpc }: ExtensionContext<"ethereum-mainnet">) => {
        logger.warn("it starts")
        const height = await rpc.blockNumber()
        const rate = await gateway.request({ method: "GET", path: "tatum/rate/ETH" })
        return { height, rate, network, base: config.baseUrl, again: () => rpc.blockNumber() }
      }
    } satisfies Extension<ExtensionContext<"ethereum-mainnet">>
    const lines: Array<string> = []
    const keep = (line: string): void => void lines.push(line)
    const logger = { trace: keep, debug: keep, info: keep, warn: keep, error: keep }
    const sdk = await start("ethereum-mainnet", fetch, {
      configureExtensions: [counter],
      apiKey: "t-secret",
      quiet: false,
      logger
    })
    const { data } = await sdk.extension(counter)
    expect(data).toMatchObject({
      height: { status: "SUCCESS", data: 16n },
      rate: { status: "SUCCESS", data: { rate: "7" } },
      network: "ethereum-mainnet",
      base: "https://api.tatum.io"
    })
    expect(asked.some(({ url }) => url.endsWith("/tatum/rate/ETH"))).toBe(true)
    expect(lines).toContainEqual(expect.stringContaining("it starts"))
    await sdk.destroy()
    expect(await data?.again()).toMatchObject({ status: "ERROR", error: { cause: { _tag: "Aborted" } } })
  })

  it("that has not started has no handle, and its reason is told", async () => {
    const { fetch } = fake(result("0x10"))
    const broken = { name: "broken", init: (): number => Math.max(...fail()) }
    const fail = (): ReadonlyArray<number> => {
      throw new Error("no disk")
    }
    const sdk = await start("ethereum-mainnet", fetch, { configureExtensions: [broken] })
    expect(await sdk.extension(broken)).toMatchObject({
      status: "ERROR",
      error: { cause: { _tag: "ExtensionFailed", extension: "broken", reason: "no disk" } }
    })
    expect(await sdk.extension({ name: "other" })).toMatchObject({
      error: {
        cause: {
          _tag: "ExtensionFailed",
          extension: "other",
          reason: "the configuration has no such extension"
        }
      }
    })
    const none = await start("ethereum-mainnet", fetch)
    expect(await none.extension(broken)).toMatchObject({
      error: { cause: { _tag: "ExtensionFailed", reason: "the configuration has no such extension" } }
    })
    expect(await sdk.rpc.blockNumber()).toMatchObject({ data: 16n })
  })

  it("is none of a client of nodes alone, which says so", async () => {
    const { fetch } = fake(result("0x10"))
    // wrong on purpose: what JavaScript may pass
    const config = { network: "ethereum-mainnet", fetch, configureExtensions: [{ name: "x" }] } as const
    await expect(initAlone(config)).rejects.toMatchObject({
      _tag: "InvalidConfig",
      message: expect.stringContaining("configureExtensions")
    })
  })
})
