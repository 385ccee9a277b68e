/** `effect-chains/query` with a real QueryClient, and clients whose requests go to a real server on loopback. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import {
  dehydrate,
  hashKey,
  hydrate,
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useSuspenseQuery
} from "@tanstack/react-query"
import { act, cleanup, render, renderHook, waitFor } from "@testing-library/react"
import { type ReactNode, StrictMode, Suspense } from "react"
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest"
import {
  balanceQueryOptions,
  blockNumberQueryOptions,
  type CallPath,
  clientKey,
  dataInfiniteQueryOptions,
  dataQueryOptions,
  feeQueryOptions,
  itemsOf,
  nameClient,
  type ReadPath,
  rateQueryOptions,
  readQueryOptions,
  resultMutationOptions,
  resultQueryOptions,
  rpcQueryOptions,
  subscriptionsQueryOptions,
  templatesQueryOptions,
  tokenBalancesQueryOptions,
  transactionsInfiniteQueryOptions,
  transactionsOf,
  type WritePath,
  writeMutationOptions
} from "../../react/query.js"
import type { BlockResult } from "../../src/chains/Evm.js"
import { type ContractError, contract } from "../../src/contracts.js"
import { failure, success } from "../../src/data/CallResult.js"
import type { Network } from "../../src/data/Network.js"
import { type Aborted, InvalidArgument, type RpcCallError, type Unexpected } from "../../src/data/SdkError.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import type {
  AddressBalance,
  AddressTransaction,
  BalanceError,
  TransactionPage
} from "../../src/services/Address.js"
import type { DataError, ExchangeRate, RankedToken } from "../../src/services/DataApi.js"
import type { FeeRate, GasFee } from "../../src/services/Fee.js"
import type { FungibleBalance } from "../../src/services/Token.js"
import { advanceTime, installVirtualTime } from "./clock.js"

type Failures<E> = E | Aborted | Unexpected

interface ReceivedRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
  readonly closed: () => boolean
}

/** What a request is answered with: the body of a 200, a status with a body, or nothing for as long as it is open. */
type Reply = { readonly status?: number; readonly body: unknown } | "silence"

const address = `0x${"a1".repeat(20)}`

let server: Server
let origin = ""
let asked: Array<ReceivedRequest> = []
let answer: (one: ReceivedRequest) => Reply

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** A JSON-RPC answer to what is asked. */
const rpc = (one: ReceivedRequest, result: unknown): Reply => ({
  body: { jsonrpc: "2.0", id: field(one.body, "id"), result }
})

const serve = (request: IncomingMessage, response: ServerResponse): void => {
  let text = ""
  let closed = false
  response.on("close", () => {
    closed = !response.writableFinished
  })
  request.on("data", (chunk) => {
    text += chunk
  })
  request.on("end", () => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1")
    const one: ReceivedRequest = {
      path: pathname,
      query: searchParams,
      body: text === "" ? undefined : JSON.parse(text),
      closed: () => closed
    }
    asked.push(one)
    const said = answer(one)
    if (said === "silence") return
    response
      .writeHead(said.status ?? 200, { "content-type": "application/json" })
      .end(JSON.stringify(said.body))
  })
}

installVirtualTime()

const open: Array<AsyncDisposable> = []
let cache: QueryClient

beforeEach(async () => {
  asked = []
  answer = ({ body, path }) => {
    throw new Error(`unexpected: ${path} ${JSON.stringify(body)}`)
  }
  server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const at = server.address()
  if (at === null || typeof at === "string") throw new Error("the server has no port")
  origin = `http://127.0.0.1:${at.port}`
  cache = new QueryClient()
})

afterEach(async () => {
  cleanup()
  cache.clear()
  await Promise.all(open.splice(0).map((sdk) => sdk[Symbol.asyncDispose]()))
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const start = async <const N extends Network>(
  network: N,
  more: { readonly retryCount?: number; readonly apiKey?: string } = {}
): Promise<PromiseSdk<N>> => {
  const sdk = await init({
    network,
    quiet: true,
    verifyChain: false,
    retryCount: 0,
    retryDelay: 1,
    provider: { baseUrl: origin },
    rpc: { nodes: [{ url: `${origin}/node` }], statusCheckInterval: Number.POSITIVE_INFINITY },
    ...more
  })
  open.push(sdk)
  return sdk
}

const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <StrictMode>
    <QueryClientProvider client={cache}>{children}</QueryClientProvider>
  </StrictMode>
)

const Height = ({ sdk }: { readonly sdk: PromiseSdk<"ethereum-mainnet"> }) => (
  <p>{String(useSuspenseQuery(blockNumberQueryOptions(sdk)).data)}</p>
)

/** A row of the provider's list of transactions. */
const transfer = (number: number) => ({
  chain: "ethereum-mainnet",
  hash: `0x${number.toString(16).padStart(64, "0")}`,
  address,
  blockNumber: 1000 - number,
  transactionIndex: 0,
  transactionType: "native",
  transactionSubtype: "incoming",
  amount: "1",
  timestamp: 1_700_000_000_000 + number
})

const transfers = Array.from({ length: 23 }, (_, i) => transfer(i))

describe("keys", () => {
  it("are those of JSON, by value, and begin with the client", async () => {
    const sdk = await start("ethereum-mainnet")
    const { client } = clientKey(sdk)
    const key = (block: bigint | number | string) =>
      rpcQueryOptions(sdk, "getBlockByNumber", [block]).queryKey
    expect(key(1n)).toEqual([
      "effect-chains",
      { network: "ethereum-mainnet", client },
      "rpc.getBlockByNumber",
      [{ $bigint: "1" }]
    ])
    expect(hashKey(key(10n ** 30n))).toBe(hashKey(key(10n ** 30n)))
    expect(new Set([key(1n), key(1), key("1")].map(hashKey)).size).toBe(3)
    // nested, and arguments that are left out
    const call = (value: bigint) => hashKey(rpcQueryOptions(sdk, "call", [{ to: address, value }]).queryKey)
    expect(call(1n)).toBe(call(1n))
    expect(call(1n)).not.toBe(call(2n))
    expect(
      hashKey(Reflect.apply(rpcQueryOptions, undefined, [sdk, "getBalance", [address, undefined]]).queryKey)
    ).toBe(hashKey(readQueryOptions(sdk, "rpc.getBalance", [address]).queryKey))
  })

  it("are equal for all spellings of an EVM address", async () => {
    const sdk = await start("ethereum-mainnet")
    const spelled = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e"
    const key = (address: string) =>
      hashKey(readQueryOptions(sdk, "address.getBalance", [{ address }]).queryKey)
    expect(key(spelled.toLowerCase())).toBe(key(spelled))
    expect(key(`${spelled}0`.toLowerCase())).not.toBe(key(`${spelled}0`))
  })

  it("keep what has no value of its own apart", async () => {
    const sdk = await start("ethereum-mainnet")
    const raw = (params: ReadonlyArray<unknown>) =>
      hashKey(rpcQueryOptions(sdk, "rawRpcCall", [{ method: "x", params }]).queryKey)
    const one = new Map([[1, 2]])
    expect(raw([one])).toBe(raw([one]))
    expect(raw([one])).not.toBe(raw([new Map([[1, 2]])]))
    expect(raw([new Uint8Array([1, 2])])).toBe(raw([new Uint8Array([1, 2])]))
    expect(raw([new Uint8Array([1, 2])])).not.toBe(raw([new Uint8Array([1, 3])]))
    expect(raw([Number.NaN])).not.toBe(raw([null]))
    expect(raw([new Date(5)])).not.toBe(raw([new Date(6)]))
  })

  it("of two clients of a network are not the same, unless they have been given one name", async () => {
    const [one, two] = [
      await start("ethereum-mainnet", { apiKey: "one" }),
      await start("ethereum-mainnet", { apiKey: "two" })
    ]
    const hash = (sdk: PromiseSdk<"ethereum-mainnet">) =>
      hashKey(balanceQueryOptions(sdk, { address }).queryKey)
    expect(hash(one)).not.toBe(hash(two))
    expect(hash(one.with({ timeout: 5 }))).toBe(hash(one))
    nameClient(two, "main")
    expect(clientKey(two.with({ timeout: 5 }))).toEqual({ network: "ethereum-mainnet", client: "main" })
    expect(hash(nameClient(one, "main"))).toBe(hash(two))
  })

  it("of another instance of the module are the same ones", async () => {
    const sdk = await start("ethereum-mainnet")
    const { client } = clientKey(sdk)
    const path = "../../react/query.js?other"
    const other: typeof import("../../react/query.js") = await import(path)
    expect(other.clientKey).not.toBe(clientKey)
    expect(other.clientKey(sdk).client).toBe(client)
    expect(other.clientKey(await start("ethereum-mainnet")).client).toBe(Number(client) + 1)
  })

  it("match filters by network, by client and by method", async () => {
    const [one, two] = [await start("ethereum-mainnet"), await start("ethereum-mainnet")]
    answer = (each) => rpc(each, "0x1")
    await cache.fetchQuery(blockNumberQueryOptions(one))
    await cache.fetchQuery(rpcQueryOptions(one, "gasPrice"))
    await cache.fetchQuery(rpcQueryOptions(two, "gasPrice"))
    const matching = (...queryKey: ReadonlyArray<unknown>) =>
      cache.getQueryCache().findAll({ queryKey }).length
    expect(matching("effect-chains")).toBe(3)
    expect(matching("effect-chains", { network: "ethereum-mainnet" })).toBe(3)
    expect(matching("effect-chains", { network: "ethereum-sepolia" })).toBe(0)
    expect(matching("effect-chains", clientKey(one))).toBe(2)
    expect(matching("effect-chains", clientKey(one), "rpc.gasPrice")).toBe(1)
  })
})

describe("reads", () => {
  it("share one request, and data is typed by the call", async () => {
    const sdk = await start("ethereum-mainnet")
    answer = (one) => rpc(one, "0xde0b6b3a7640000")
    const options = () => rpcQueryOptions(sdk, "getBalance", [address])
    const { result } = renderHook(
      () => [useQuery(options()), useQuery({ ...options(), select: (wei) => wei / 10n ** 18n })] as const,
      { wrapper }
    )
    await waitFor(() => expect(result.current[0].status).toBe("success"))
    const [whole, selected] = result.current
    expect(whole.data).toBe(10n ** 18n)
    expect(selected.data).toBe(1n)
    expect(asked).toHaveLength(1)
    expectTypeOf(whole.data).toEqualTypeOf<bigint | undefined>()
    expectTypeOf(selected.data).toEqualTypeOf<bigint | undefined>()
    expectTypeOf(whole.error).toEqualTypeOf<Failures<RpcCallError> | null>()
    expect(cache.getQueryData(options().queryKey)).toBe(10n ** 18n)
  })

  it("by their names", async () => {
    const eth = await start("ethereum-mainnet")
    const rows = [{ address, balance: "5", tokenAddress: address, type: "fungible" }]
    answer = (one) => {
      if (one.path === "/node") {
        return rpc(one, field(one.body, "method") === "eth_blockNumber" ? "0x10" : "0xde0b6b3a7640000")
      }
      if (one.path.startsWith("/v4/data/wallet/portfolio") || one.path.startsWith("/v4/data/balances")) {
        return { body: { result: rows } }
      }
      if (one.path.startsWith("/v4/data/tokens")) return { body: { symbol: "T", decimals: 18 } }
      if (one.path === "/v4/blockchain/fee/ETH") {
        return {
          body: {
            slow: "1000000000",
            medium: "2000000000",
            fast: "3000000000",
            baseFee: "1",
            time: "t",
            block: "7"
          }
        }
      }
      if (one.path === "/v4/rate/BTC") {
        return {
          body: { id: "BTC", value: "3", basePair: one.query.get("basePair"), timestamp: 1, source: "s" }
        }
      }
      if (one.path === "/v4/subscription") return { body: [] }
      if (one.path === "/v4/subscription/template")
        return { body: [{ id: one.query.get("offset"), format: "string", message: "{{value}}" }] }
      throw new Error(`unexpected: ${one.path}`)
    }
    const coins = await cache.fetchQuery(balanceQueryOptions(eth, { address, tokenTypes: ["native"] }))
    expect(coins).toMatchObject([{ address, asset: "ETH", balance: "1" }])
    expect(await cache.fetchQuery(tokenBalancesQueryOptions(eth, { address }))).toMatchObject([
      { balance: "5" }
    ])
    expect((await cache.fetchQuery(feeQueryOptions(eth))).gasPrice.slow).toBe("1")
    expect(await cache.fetchQuery(rateQueryOptions(eth, { currency: "BTC", basePair: "EUR" }))).toMatchObject(
      {
        value: "3",
        basePair: "EUR"
      }
    )
    expect(await cache.fetchQuery(subscriptionsQueryOptions(eth))).toEqual([])
    const [template] = await cache.fetchQuery(templatesQueryOptions(eth, { offset: 2 }))
    expect(template).toEqual({ id: "2", format: "string", message: "{{value}}" })
    expect(await cache.fetchQuery(blockNumberQueryOptions(eth))).toBe(16n)
  })

  it("have the height of any chain", async () => {
    const btc = await start("bitcoin-mainnet")
    answer = (one) => rpc(one, 800_000)
    expect(await cache.fetchQuery(blockNumberQueryOptions(btc))).toBe(800_000n)
    const sol = await start("solana-mainnet")
    // the slot, as in the hooks: slots without a block make it the higher one
    answer = (one) => rpc(one, field(one.body, "method") === "getSlot" ? 330_000_000 : 300_000_000)
    expect(await cache.fetchQuery(blockNumberQueryOptions(sol))).toBe(330_000_000n)
    const other = await start("tezos-mainnet")
    answer = () => ({ status: 503, body: {} })
    await expect(cache.fetchQuery(blockNumberQueryOptions(other))).rejects.toMatchObject({
      _tag: "NoActiveNode"
    })
  })

  it("that answer nothing have the data null", async () => {
    const sdk = await start("ethereum-mainnet")
    answer = (one) => rpc(one, null)
    expect(
      await cache.fetchQuery(rpcQueryOptions(sdk, "getTransactionByHash", [`0x${"11".repeat(32)}`]))
    ).toBeNull()
  })

  it("work with suspense", async () => {
    const sdk = await start("ethereum-mainnet")
    answer = (one) => rpc(one, "0x2a")
    const { findByText } = render(
      <Suspense fallback="wait">
        <Height sdk={sdk} />
      </Suspense>,
      { wrapper }
    )
    await findByText("42")
    expect(asked).toHaveLength(1)
  })

  it("travel from a server to a page", async () => {
    const sdk = await start("ethereum-mainnet")
    answer = () => ({ body: { id: "BTC", value: "3", basePair: "EUR", timestamp: 1, source: "s" } })
    const options = rateQueryOptions(sdk, { currency: "BTC", basePair: "EUR" })
    await cache.fetchQuery(options)
    const page = new QueryClient()
    hydrate(page, JSON.parse(JSON.stringify(dehydrate(cache))))
    expect(page.getQueryData(options.queryKey)?.value).toBe("3")
    page.clear()
  })
})

describe("failures", () => {
  it("are the tagged errors of the calls, which the client alone has repeated", async () => {
    const sdk = await start("ethereum-mainnet", { retryCount: 2 })
    answer = () => ({ status: 503, body: {} })
    const { result } = renderHook(() => useQuery(rpcQueryOptions(sdk, "gasPrice")), { wrapper })
    await waitFor(() => expect(result.current.status).toBe("error"))
    const { error, failureCount } = result.current
    expectTypeOf(error).toEqualTypeOf<Failures<RpcCallError> | null>()
    expect(error).toMatchObject({ _tag: "NodeError", kind: "status" })
    expect(error).toBeInstanceOf(Error)
    expect(failureCount).toBe(1)
    expect(asked).toHaveLength(3)
    await advanceTime(1_200)
    expect(asked).toHaveLength(3)
  })

  it("are asked for again when the user says so", async () => {
    const sdk = await start("ethereum-mainnet")
    answer = (one) => ({
      body: { jsonrpc: "2.0", id: field(one.body, "id"), error: { code: -32_000, message: "no" } }
    })
    const { result } = renderHook(
      () => {
        const { data, error, refetch } = useQuery(rpcQueryOptions(sdk, "gasPrice"))
        return { data, error, refetch }
      },
      { wrapper }
    )
    await waitFor(() => expect(result.current.error?._tag).toBe("RpcError"))
    answer = (one) => rpc(one, "0x5")
    await act(() => result.current.refetch())
    await waitFor(() => expect(result.current.data).toBe(5n))
    expect(result.current.error).toBeNull()
  })

  it("of arguments are told without a request", async () => {
    const sdk = await start("ethereum-mainnet")
    await expect(cache.fetchQuery(balanceQueryOptions(sdk, { address: "0x1" }))).rejects.toMatchObject({
      _tag: "InvalidArgument"
    })
    expect(asked).toEqual([])
  })

  it("refuse what is no read", async () => {
    const sdk = await start("ethereum-mainnet")
    // what is called from JavaScript, or with a path from elsewhere
    const untyped = (path: string) => Reflect.apply(readQueryOptions, undefined, [sdk, path, []])
    for (const path of [
      "wallet.transferNative",
      "rpc.sendRawTransaction",
      "nodes",
      "rpc",
      "no.such",
      "rpc.constructor"
    ]) {
      await expect(cache.fetchQuery(untyped(path)), path).rejects.toMatchObject({ _tag: "InvalidArgument" })
    }
    expect(asked).toEqual([])
  })
})

describe("the signal", () => {
  it("closes the request when the last one who watches goes", async () => {
    const sdk = await start("ethereum-mainnet")
    answer = () => "silence"
    const options = rpcQueryOptions(sdk, "gasPrice")
    const watch = () => renderHook(() => useQuery(options), { wrapper })
    const [first, second] = [watch(), watch()]
    await waitFor(() => expect(asked).toHaveLength(1))
    first.unmount()
    await advanceTime(50)
    expect(asked[0]?.closed()).toBe(false)
    second.unmount()
    await waitFor(() => expect(asked[0]?.closed()).toBe(true))
    // and nobody is told of an error
    expect(cache.getQueryState(options.queryKey)).toMatchObject({ status: "pending", fetchStatus: "idle" })
    answer = (one) => rpc(one, "0x7")
    const again = watch()
    await waitFor(() => expect(again.result.current.data).toBe(7n))
  })

  it("closes the request of a service, and of the height of a chain without a call for it", async () => {
    const eth = await start("ethereum-mainnet")
    const sol = await start("solana-mainnet")
    answer = () => "silence"
    const both = renderHook(
      () => [useQuery(feeQueryOptions(eth)), useQuery(blockNumberQueryOptions(sol))] as const,
      { wrapper }
    )
    await waitFor(() => expect(asked.length).toBeGreaterThanOrEqual(2))
    both.unmount()
    await waitFor(() => expect(asked.map((one) => one.closed())).not.toContain(false))
  })
})

describe("pages", () => {
  /** A provider whose offset counts pages, or items. */
  const paged = (unit: "pages" | "items", size: number) => (one: ReceivedRequest) => {
    const offset = Number(one.query.get("offset")) * (unit === "pages" ? size : 1)
    return { body: { result: transfers.slice(offset, offset + size), prevPage: "", nextPage: "" } }
  }

  for (const unit of ["pages", "items"] as const) {
    it(`go on to the end where the provider counts ${unit}`, async () => {
      const sdk = await start("ethereum-mainnet")
      answer = paged(unit, 5)
      const options = transactionsInfiniteQueryOptions(sdk, { address, pageSize: 5 })
      const { result } = renderHook(() => useInfiniteQuery({ ...options, select: transactionsOf }), {
        wrapper
      })
      await waitFor(() => expect(result.current.data).toHaveLength(5))
      while (result.current.hasNextPage) {
        await act(() => result.current.fetchNextPage())
        if (asked.length > 12) throw new Error("it does not end")
      }
      await waitFor(() => expect(result.current.data).toHaveLength(23))
      expect(result.current.data?.map(({ hash }) => hash)).toEqual(transfers.map(({ hash }) => hash))
      expect(asked.length).toBe(unit === "pages" ? 5 : 6)
      expectTypeOf(result.current.data).toEqualTypeOf<ReadonlyArray<AddressTransaction> | undefined>()
    })
  }

  it("end at an empty page, and at one that repeats itself", async () => {
    const sdk = await start("ethereum-mainnet")
    const pages = async (more: ReadonlyArray<unknown>) => {
      cache.clear()
      answer = (one) => ({
        body: { result: (one.query.get("offset") ?? "0") === "0" ? transfers.slice(0, 5) : more }
      })
      const options = transactionsInfiniteQueryOptions(sdk, { address, pageSize: 5 })
      return (await cache.fetchInfiniteQuery({ ...options, pages: 9 })).pages.length
    }
    expect(await pages([])).toBe(2)
    expect(await pages(transfers.slice(0, 5))).toBe(2)
  })

  it("follow cursors on Tezos", async () => {
    const sdk = await start("tezos-mainnet")
    const holder = "tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb"
    const size = 10
    answer = (one) => {
      const at = Number(one.query.get("cursor") ?? 0)
      const next = at + size < transfers.length ? String(at + size) : ""
      return { body: { result: transfers.slice(at, at + size), prevPage: "", nextPage: next } }
    }
    const options = transactionsInfiniteQueryOptions(sdk, { address: holder })
    const data = await cache.fetchInfiniteQuery({ ...options, pages: 9 })
    expect(data.pages.map(({ result }) => result.length)).toEqual([10, 10, 3])
    expect(data.pageParams).toEqual([0, "10", "20"])
    expect(transactionsOf(data)).toHaveLength(23)
    expectTypeOf(data.pages).toEqualTypeOf<Array<TransactionPage>>()
  })

  it("of the data API are read by their names, each once, and go on to the end", async () => {
    const sdk = await start("ethereum-mainnet")
    const tokens = Array.from({ length: 23 }, (_, rank) => ({ rank, symbol: `T${rank}` }))
    for (const unit of [5, 1]) {
      cache.clear()
      asked = []
      answer = (one) => {
        const offset = Number(one.query.get("offset") ?? 0) * unit
        return { body: { data: tokens.slice(offset, offset + Number(one.query.get("pageSize"))) } }
      }
      const options = dataInfiniteQueryOptions(sdk, "tokens.getTrending", {
        chain: "ethereum-mainnet",
        pageSize: 5
      })
      const found = await cache.fetchInfiniteQuery({ ...options, pages: 9 })
      expect(itemsOf(found)).toEqual(tokens)
      expect(found.pageParams).toEqual(unit === 5 ? [0, 1, 2, 3, 4] : [0, 1, 6, 11, 16, 21])
      expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(["/v4/data/tokens/trending"]))
      expectTypeOf(itemsOf(found)).toEqualTypeOf<ReadonlyArray<RankedToken>>()
      expectTypeOf(found.pageParams).toEqualTypeOf<Array<number>>()
    }
  })

  it("of the data API have 50 items where the query does not say how many", async () => {
    const sdk = await start("ethereum-mainnet")
    answer = () => ({ body: [] })
    await cache.fetchInfiniteQuery(
      dataInfiniteQueryOptions(sdk, "nfts.getBalances", { chain: "ethereum-mainnet", address })
    )
    expect(asked.map(({ query }) => query.get("pageSize"))).toEqual(["50"])
  })

  it("and a single page of the same call are not the same data", async () => {
    const sdk = await start("ethereum-mainnet")
    answer = paged("pages", 5)
    const query = { address, pageSize: 5 }
    await cache.fetchInfiniteQuery(transactionsInfiniteQueryOptions(sdk, query))
    const one = await cache.fetchQuery(readQueryOptions(sdk, "address.getTransactions", [query]))
    expect(one).toHaveLength(5)
    expect(asked).toHaveLength(2)
  })
})

describe("writes", () => {
  it("are sent once, with their arguments, and throw what they fail with", async () => {
    const sdk = await start("ethereum-mainnet", { retryCount: 3 })
    answer = (one) => rpc(one, "0xhash")
    const { result } = renderHook(() => useMutation(writeMutationOptions(sdk, "rpc.sendRawTransaction")), {
      wrapper
    })
    expect(asked).toEqual([])
    await act(async () => {
      expect(await result.current.mutateAsync(["0x01"])).toBe("0xhash")
    })
    expect(asked.map(({ body }) => field(body, "params"))).toEqual([["0x01"]])
    expectTypeOf(result.current.mutateAsync).parameter(0).toEqualTypeOf<[signed: string | Uint8Array]>()
    expectTypeOf(result.current.error).toEqualTypeOf<Failures<RpcCallError> | null>()
    answer = (one) => ({
      body: { jsonrpc: "2.0", id: field(one.body, "id"), error: { code: -32_003, message: "no" } }
    })
    await act(async () => {
      await expect(result.current.mutateAsync(["0x02"])).rejects.toMatchObject({
        _tag: "RpcError",
        code: -32_003
      })
    })
    expect(asked).toHaveLength(2)
  })

  it("fail where there is no connection, and are not sent later", async () => {
    const { onlineManager } = await import("@tanstack/react-query")
    const sdk = await start("ethereum-mainnet")
    answer = () => ({ status: 503, body: {} })
    onlineManager.setOnline(false)
    try {
      const { result } = renderHook(
        () => useMutation(writeMutationOptions(sdk, "notification.unsubscribe")),
        {
          wrapper
        }
      )
      act(() => result.current.mutate(["id"]))
      await waitFor(() => expect(result.current.status).toBe("error"))
      expect(result.current.isPaused).toBe(false)
    } finally {
      onlineManager.setOnline(true)
    }
    await advanceTime(50)
    expect(asked).toHaveLength(1)
  })
})

describe("what gives a result", () => {
  const abi = [
    {
      type: "function",
      name: "balanceOf",
      stateMutability: "view",
      inputs: [{ name: "owner", type: "address" }],
      outputs: [{ name: "", type: "uint256" }]
    }
  ] as const
  const owner = `0x${"a1".repeat(20)}` as const
  const token = `0x${"c3".repeat(20)}` as const

  it("is a query, such as the read of a contract: typed, with its own key, until nobody looks at it", async () => {
    let isSilent = false
    answer = (one) => (isSilent ? "silence" : rpc(one, `0x${"2a".padStart(64, "0")}`))
    const sdk = await start("ethereum-mainnet")
    const options = (owner: `0x${string}`) =>
      resultQueryOptions(sdk, "balanceOf", [token, owner], (client) =>
        contract(client, { address: token, abi }).read.balanceOf(owner)
      )
    expect(options(owner).queryKey).toEqual(["effect-chains", clientKey(sdk), "balanceOf", [token, owner]])
    const { result } = renderHook(() => useQuery(options(owner)), { wrapper })
    await waitFor(() => expect(result.current.data).toBe(42n))
    expectTypeOf(result.current.data).toEqualTypeOf<bigint | undefined>()
    expectTypeOf<NonNullable<typeof result.current.error>>().toEqualTypeOf<Failures<ContractError>>()
    expect(asked).toHaveLength(1)
    isSilent = true
    const other = renderHook(() => useQuery(options(token)), { wrapper })
    await waitFor(() => expect(asked).toHaveLength(2))
    other.unmount()
    await waitFor(() => expect(asked[1]?.closed()).toBe(true))
  })

  it("throws the tagged error of its result", async () => {
    const sdk = await start("ethereum-mainnet")
    const options = resultQueryOptions(sdk, "balanceOf", ["0x12"], (client) =>
      contract(client, { address: token, abi }).read.balanceOf("0x12")
    )
    const { result } = renderHook(() => useQuery(options), { wrapper })
    await waitFor(() => expect(result.current.error?._tag).toBe("InvalidAddress"))
  })

  it("is a mutation, such as a payment: sent once, with its arguments", async () => {
    const sdk = await start("ethereum-mainnet")
    const paid: Array<unknown> = []
    const send = async (payment: { readonly to: string; readonly amount: bigint }) => {
      paid.push(payment)
      return payment.amount > 9n
        ? failure(new InvalidArgument({ call: "send", reason: "too much" }))
        : success({ hash: "0x1" })
    }
    const { result } = renderHook(() => useMutation(resultMutationOptions(sdk, "send", send)), { wrapper })
    await act(() => result.current.mutateAsync([{ to: address, amount: 7n }]))
    await waitFor(() => expect(result.current.data).toEqual({ hash: "0x1" }))
    expectTypeOf(result.current.variables).toEqualTypeOf<Parameters<typeof send> | undefined>()
    await act(async () => result.current.mutate([{ to: address, amount: 10n }]))
    await waitFor(() => expect(result.current.error?._tag).toBe("InvalidArgument"))
    expect(paid).toEqual([
      { to: address, amount: 7n },
      { to: address, amount: 10n }
    ])
  })
})

describe("types", () => {
  it("follow the network", () => {
    const check = (
      eth: PromiseSdk<"ethereum-mainnet">,
      btc: PromiseSdk<"bitcoin-mainnet">,
      sol: PromiseSdk<"solana-mainnet">
    ) => {
      expectTypeOf(useQuery(balanceQueryOptions(eth, { address })).data).toEqualTypeOf<
        ReadonlyArray<AddressBalance> | undefined
      >()
      expectTypeOf(useQuery(balanceQueryOptions(eth, { address })).error).toEqualTypeOf<Failures<
        BalanceError<"ethereum-mainnet">
      > | null>()
      expectTypeOf(useSuspenseQuery(feeQueryOptions(eth)).data).toEqualTypeOf<GasFee<"ethereum-mainnet">>()
      expectTypeOf(useSuspenseQuery(feeQueryOptions(btc)).data).toEqualTypeOf<FeeRate<"bitcoin-mainnet">>()
      expectTypeOf(useSuspenseQuery(tokenBalancesQueryOptions(eth, { address })).data).toEqualTypeOf<
        ReadonlyArray<FungibleBalance>
      >()
      expectTypeOf(useSuspenseQuery(blockNumberQueryOptions(sol)).data).toEqualTypeOf<bigint>()
      expectTypeOf(useSuspenseQuery(rpcQueryOptions(btc, "getBlockCount")).data).toEqualTypeOf<number>()
      expectTypeOf(
        useSuspenseQuery(rpcQueryOptions(eth, "getBlockByNumber", [1n])).data
      ).toEqualTypeOf<BlockResult<true> | null>()
      expectTypeOf(cache.getQueryData(blockNumberQueryOptions(eth).queryKey)).toEqualTypeOf<
        bigint | undefined
      >()
      expectTypeOf(
        useQuery({ ...balanceQueryOptions(eth, { address }), select: (rows) => rows.length }).data
      ).toEqualTypeOf<number | undefined>()
      expectTypeOf<"beacon.v1.getGenesis">().toExtend<CallPath<(typeof eth)["rpc"]>>()
      const rate = useQuery(dataQueryOptions(eth, "rates.getBySymbol", [{ symbol: "ETH" }]))
      expectTypeOf(rate.data).toEqualTypeOf<ExchangeRate | undefined>()
      expectTypeOf(rate.error).toEqualTypeOf<Failures<DataError> | null>()
      // @ts-expect-error a parameter is missing
      void dataQueryOptions(eth, "rates.getBySymbol", [{}])
      // @ts-expect-error a write is no query
      void dataQueryOptions(eth, "createFungibleToken", [{}])
      // @ts-expect-error it has no pages
      void dataInfiniteQueryOptions(eth, "rates.getBySymbol", { symbol: "ETH" })
      // @ts-expect-error pages begin at the first
      void dataInfiniteQueryOptions(eth, "tokens.getNewest", { chain: "base-mainnet", offset: 1 })
      // @ts-expect-error no fees of Solana
      void feeQueryOptions(sol)
      // @ts-expect-error no tokens of Bitcoin
      void tokenBalancesQueryOptions(btc, { address })
      // @ts-expect-error a typing error in the name
      void rpcQueryOptions(eth, "getBalanse", [address])
      // @ts-expect-error an argument is missing
      void rpcQueryOptions(eth, "getBalance")
      // @ts-expect-error an argument of another type
      void rpcQueryOptions(eth, "getBalance", [5])
      // @ts-expect-error a write is no query
      void readQueryOptions(eth, "wallet.transferNative", ["", ""])
      // @ts-expect-error a broadcast is no query
      void rpcQueryOptions(eth, "sendRawTransaction", ["0x"])
      // @ts-expect-error a read is no mutation
      void writeMutationOptions(eth, "rpc.getBalance")
      expectTypeOf<"rpc.rawRpcCall">().toExtend<ReadPath<typeof eth> & WritePath<typeof eth>>()
      // @ts-expect-error a subscription is no query
      void readQueryOptions(eth, "rpc.subscribe.newHeads", [])
      // @ts-expect-error pages begin at the first
      void transactionsInfiniteQueryOptions(eth, { address, page: 1 })
    }
    void check
  })
})
