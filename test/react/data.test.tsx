/** Hooks of the data API and of templates, under StrictMode, against a real server. */
import { act, cleanup, render, renderHook, screen, waitFor } from "@testing-library/react"
import { type ReactNode, StrictMode, Suspense } from "react"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as data from "../../react/data.js"
import { SdkProvider, useRead } from "../../react/index.js"
import { endpoints } from "../../src/services/internal/dataEndpoints.js"
import { catalogue } from "../../src/services/Services.js"
import { installVirtualTime } from "./clock.js"
import { startServer, type TestServer } from "./testServer.js"

const ETHEREUM = "ethereum-mainnet"
const ADDRESS = `0x${"a1".repeat(20)}`
const options = { network: ETHEREUM } as const

installVirtualTime()

let chain: TestServer

beforeEach(async () => {
  chain = await startServer()
})

afterEach(async () => {
  cleanup()
  await chain.close()
  expect(chain.unexpected).toEqual([])
})

const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <StrictMode>
    <SdkProvider config={{ ...chain.config(ETHEREUM), apiKey: "key" }}>
      <Suspense fallback={<i>waiting</i>}>{children}</Suspense>
    </SdkProvider>
  </StrictMode>
)

const chainOnly = { chain: ETHEREUM } as const
const at = { ...chainOnly, address: ADDRESS } as const

/** Each hook with a name: how it is called, and what the provider is asked for. */
const named = {
  BalanceAt: [
    () => data.useBalanceAt({ ...chainOnly, addresses: [ADDRESS], timestamp: 7 }, options),
    () => data.useSuspenseBalanceAt({ ...chainOnly, addresses: [ADDRESS], timestamp: 7 }, options),
    "GET /v4/data/wallet/balance/time",
    { chain: ETHEREUM, addresses: ADDRESS, timestamp: "7" }
  ],
  NftBalances: [
    () => data.useNftBalances(at, options),
    () => data.useSuspenseNftBalances(at, options),
    "GET /v4/data/nft/balances",
    { ...at, pageSize: "50" }
  ],
  MultitokenBalances: [
    () => data.useMultitokenBalances(at, options),
    () => data.useSuspenseMultitokenBalances(at, options),
    "GET /v4/data/multitoken/balances",
    { ...at, pageSize: "50" }
  ],
  GasEstimate: [
    () => data.useGasEstimate({ ...chainOnly, from: ADDRESS, to: ADDRESS, amount: "1" }, options),
    () => data.useSuspenseGasEstimate({ ...chainOnly, from: ADDRESS, to: ADDRESS, amount: "1" }, options),
    "POST /v4/blockchainOperations/gas",
    { chain: "ETH", from: ADDRESS, to: ADDRESS, amount: "1" }
  ],
  ResolvedName: [
    () => data.useResolvedName({ ...chainOnly, name: "vitalik.eth" }, options),
    () => data.useSuspenseResolvedName({ ...chainOnly, name: "vitalik.eth" }, options),
    "GET /v4/data/ns/name",
    { ...chainOnly, name: "vitalik.eth" }
  ],
  TokenRate: [
    () => data.useTokenRate({ ...chainOnly, contractAddress: ADDRESS }, options),
    () => data.useSuspenseTokenRate({ ...chainOnly, contractAddress: ADDRESS }, options),
    "GET /v4/data/rate/contract",
    { ...chainOnly, contractAddress: ADDRESS }
  ],
  RateHistory: [
    () => data.useRateHistory({ symbol: "ETH", from: 1, to: 2 }, options),
    () => data.useSuspenseRateHistory({ symbol: "ETH", from: 1, to: 2 }, options),
    "GET /v4/data/rate/history",
    { symbol: "ETH", from: "1", to: "2" }
  ],
  PriceChange: [
    () => data.usePriceChange({ symbol: "ETH", interval: "1d" }, options),
    () => data.useSuspensePriceChange({ symbol: "ETH", interval: "1d" }, options),
    "GET /v4/data/rate/price-change",
    { symbol: "ETH", interval: "1d" }
  ],
  Candles: [
    () => data.useCandles({ symbol: "ETH", numberOfCandles: 3 }, options),
    () => data.useSuspenseCandles({ symbol: "ETH", numberOfCandles: 3 }, options),
    "GET /v4/data/rate/symbol/OHLCV/batch",
    { symbol: "ETH", numberOfCandles: "3" }
  ],
  StakedAssets: [
    () => data.useStakedAssets(at, options),
    () => data.useSuspenseStakedAssets(at, options),
    "GET /v4/data/staking/native/current-assets",
    at
  ],
  LiquidStakingAssets: [
    () => data.useLiquidStakingAssets(at, options),
    () => data.useSuspenseLiquidStakingAssets(at, options),
    "GET /v4/data/staking/liquid/current-assets",
    at
  ],
  MiningRewards: [
    () => data.useMiningRewards({ chain: "bitcoin-mainnet", address: "1A" }, options),
    () => data.useSuspenseMiningRewards({ chain: "bitcoin-mainnet", address: "1A" }, options),
    "GET /v4/data/mining/rewards",
    { chain: "bitcoin-mainnet", address: "1A", pageSize: "50" }
  ],
  NewestTokens: [
    () => data.useNewestTokens(chainOnly, options),
    () => data.useSuspenseNewestTokens(chainOnly, options),
    "GET /v4/data/tokens/newest",
    { ...chainOnly, pageSize: "50" }
  ],
  PopularTokens: [
    () => data.usePopularTokens(chainOnly, options),
    () => data.useSuspensePopularTokens(chainOnly, options),
    "GET /v4/data/tokens/popular",
    { ...chainOnly, pageSize: "50" }
  ],
  TrendingTokens: [
    () => data.useTrendingTokens(chainOnly, options),
    () => data.useSuspenseTrendingTokens(chainOnly, options),
    "GET /v4/data/tokens/trending",
    { ...chainOnly, pageSize: "50" }
  ],
  Reputation: [
    () => data.useReputation(at, options),
    () => data.useSuspenseReputation(at, options),
    "GET /v4/data/wallet/reputation",
    at
  ]
} as const

/** The routes that answer with one row. The others have lists. */
const single: ReadonlyArray<string> = ["GasEstimate", "TokenRate", "PriceChange", "Reputation"]

describe("hooks of the data API with names", () => {
  it("are all looked at", () => {
    const known = Object.keys(named).flatMap((name) => [`use${name}`, `useSuspense${name}`])
    const others = ["Data", "DataPages", "Templates"].flatMap((name) => [`use${name}`, `useSuspense${name}`])
    expect(Object.keys(data).sort()).toEqual([...known, ...others].sort())
  })

  it.each(Object.entries(named))("use%s and its twin share the answer of one request", async (name, row) => {
    const [useHook, useTwin, route, asked] = row
    const result = { symbol: "X", note: name }
    chain.rules.set(route, () => ({ result: single.includes(name) ? result : [result] }))
    const both = renderHook(() => [useHook(), useTwin()] as const, { wrapper })
    await waitFor(() => expect(both.result.current?.[0].status).toBe("success"))
    const [one, twin] = both.result.current
    expect(one.data).toEqual(single.includes(name) ? result : [result])
    expect(twin.data).toBe(one.data)
    expect(chain.requests.map((each) => [each.name, each.params])).toEqual([[route, asked]])
  })
})

const Height = () => {
  const { data: height } = data.useSuspenseData("blockchains.getCurrentBlock", [chainOnly], options)
  return <b>{JSON.stringify(height)}</b>
}

describe("any read of the data API", () => {
  it("is read by its name in sdk.data, and shares its answer with hooks of the whole path", async () => {
    chain.rules.set("GET /v4/data/rate/symbol", (params) => ({
      result: { symbol: Reflect.get(Object(params), "symbol"), value: "2000" }
    }))
    const { result } = renderHook(
      () =>
        [
          data.useData("rates.getBySymbol", [{ symbol: "ETH" }], {
            ...options,
            select: ({ value }) => Number(value)
          }),
          useRead("data.rates.getBySymbol", [{ symbol: "ETH" }], options)
        ] as const,
      { wrapper }
    )
    await waitFor(() => expect(result.current?.[0].data).toBe(2000))
    expect(result.current[1].data).toEqual({ symbol: "ETH", value: "2000" })
    expect(chain.requests).toHaveLength(1)
  })

  it("says which networks its route serves, before anything is sent", async () => {
    const { result } = renderHook(
      () => data.useData("names.resolve", [{ chain: "stellar-mainnet", name: "a" }], options),
      { wrapper }
    )
    await waitFor(() => expect(result.current?.status).toBe("error"))
    expect(result.current.error).toMatchObject({
      _tag: "NotSupportedForNetwork",
      networks: expect.arrayContaining(["ethereum-mainnet", "base-mainnet"])
    })
    expect(chain.requests).toEqual([])
  })

  it("has a kind in the catalogue, which is what hooks go by", () => {
    const paths = (table: object, before: string): ReadonlyArray<string> =>
      Object.entries(table).flatMap(
        ([name, value]): ReadonlyArray<string> =>
          typeof value === "string" || typeof Reflect.get(value, "form") === "string"
            ? [`${before}${name}`]
            : paths(value, `${before}${name}.`)
      )
    const groups = Object.fromEntries(
      Object.entries(catalogue.data).filter(([, value]) => typeof value === "object")
    )
    expect(paths(groups, "").toSorted()).toEqual(paths(endpoints, "").toSorted())
  })

  it("is waited for in its Suspense twin", async () => {
    chain.rules.set("GET /v4/data/blockchains/block/current", () => ({ result: { blockNumber: 7 } }))
    render(<Height />, { wrapper })
    expect(screen.getByText("waiting")).toBeDefined()
    await waitFor(() => expect(screen.getByText('{"blockNumber":7}')).toBeDefined())
  })
})

describe("a list of the data API", () => {
  const row = (rank: number) => ({ rank, symbol: `T${rank}` })

  it("comes page by page", async () => {
    chain.rules.set("GET /v4/data/tokens/trending", (params) => {
      const offset = Number(Reflect.get(Object(params), "offset") ?? 0)
      return { result: [row(2 * offset), row(2 * offset + 1)].slice(0, offset === 1 ? 1 : 2) }
    })
    const { result } = renderHook(
      () => data.useDataPages("tokens.streamTrending", [{ ...chainOnly, pageSize: 2 }], options),
      { wrapper }
    )
    await waitFor(() => expect(result.current?.data).toEqual([row(0), row(1)]))
    expect(result.current.hasMore).toBe(true)
    act(() => result.current.loadMore())
    await waitFor(() => expect(result.current.data).toEqual([row(0), row(1), row(2)]))
    expect(result.current.hasMore).toBe(false)
    expect(chain.requests).toHaveLength(2)
  })

  it("without an item is no error", async () => {
    chain.rules.set("GET /v4/data/tokens/newest", () => ({ result: [] }))
    const { result } = renderHook(() => data.useSuspenseNewestTokens(chainOnly, options), { wrapper })
    await waitFor(() => expect(result.current).toMatchObject({ status: "success", data: [], hasMore: false }))
  })
})

describe("templates of the key", () => {
  interface Stored {
    readonly id: string
    readonly format: string
    readonly message?: string
  }
  const ROUTE = "/v4/subscription/template"
  let all: Array<Stored>
  let standard: string

  beforeEach(() => {
    all = [{ id: "t1", format: "string", message: "{{value}}" }]
    standard = "enriched"
    chain.rules.set(`GET ${ROUTE}`, () => ({ result: [...all] }))
    chain.rules.set(`GET ${ROUTE}/default`, () => ({ result: { templateId: standard } }))
    chain.rules.set(`POST ${ROUTE}`, (body) => {
      all.push({ id: "t2", format: "string", message: String(Reflect.get(Object(body), "message")) })
      return { result: { id: "t2" } }
    })
    chain.rules.set(`PUT ${ROUTE}/t1`, (body) => {
      all[0] = { id: "t1", format: "string", message: String(Reflect.get(Object(body), "message")) }
      return { result: {} }
    })
    chain.rules.set(`DELETE ${ROUTE}/t1`, () => {
      all.shift()
      standard = "enriched"
      return { result: {} }
    })
    chain.rules.set(`PUT ${ROUTE}/default`, (body) => {
      standard = String(Reflect.get(Object(body), "templateId"))
      return { result: {} }
    })
  })

  const show = () =>
    renderHook(
      () =>
        [
          data.useTemplates(options),
          useRead("notification.templates.getDefault", [], options),
          useRead("notification.getAll", [], options)
        ] as const,
      { wrapper }
    )

  it("are listed, and asked for again after one was made, changed, deleted, or made the default", async () => {
    chain.rules.set("GET /v4/subscription", () => ({ result: [] }))
    const { result } = show()
    const list = () => result.current[0]
    const ids = () => list().data?.map(({ id }) => id)
    await waitFor(() => expect(result.current?.map(({ status }) => status)).toEqual(Array(3).fill("success")))
    expect(list().data).toEqual(all)
    expect(list().hasMore).toBe(false)
    const made = await act(() => list().create({ format: "string", message: "{{txId}}" }))
    expect(made).toMatchObject({ status: "SUCCESS", data: { id: "t2" } })
    await waitFor(() => expect(ids()).toEqual(["t1", "t2"]))
    await act(() => list().update("t1", { format: "string", message: "{{address}}" }))
    await waitFor(() => expect(list().data?.[0]).toMatchObject({ message: "{{address}}" }))
    await act(() => list().setDefault("t1"))
    await waitFor(() => expect(result.current[1].data).toBe("t1"))
    expect(await act(() => list().delete("t1"))).toMatchObject({ status: "SUCCESS" })
    await waitFor(() => expect(ids()).toEqual(["t2"]))
    await waitFor(() => expect(result.current[1].data).toBe("enriched"))
    expect(chain.count(`GET ${ROUTE}`)).toBe(5)
    // what has nothing to do with templates is as it was
    expect(chain.count("GET /v4/subscription")).toBe(1)
  })

  it("have the error of a write that failed, and are asked for again all the same", async () => {
    chain.rules.set("GET /v4/subscription", () => ({ result: [] }))
    chain.rules.set(`DELETE ${ROUTE}/t1`, () => ({ status: 403, body: { message: "no" } }))
    const { result } = show()
    await waitFor(() => expect(result.current?.[0].status).toBe("success"))
    const refused = await act(() => result.current[0].delete("t1"))
    expect(refused).toMatchObject({ status: "ERROR", error: { cause: { _tag: "GatewayError" } } })
    await waitFor(() => expect(chain.count(`GET ${ROUTE}`)).toBe(2))
    expect(result.current[0].data).toEqual(all)
  })

  it("are selected from, and waited for", async () => {
    const { result } = renderHook(
      () => data.useTemplates({ ...options, select: (each) => each.map(({ id }) => id) }),
      { wrapper }
    )
    await waitFor(() => expect(result.current?.data).toEqual(["t1"]))
    const twin = renderHook(() => data.useSuspenseTemplates(options), { wrapper })
    await waitFor(() => expect(twin.result.current?.data).toEqual(all))
    const { create, setDefault, update } = twin.result.current
    expect([create, setDefault, update].map((each) => typeof each)).toEqual(Array(3).fill("function"))
    twin.rerender()
    expect(twin.result.current.create).toBe(create)
  })
})
