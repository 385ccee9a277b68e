/** The cache of reads as people steer it, under StrictMode and concurrent rendering, against a real server. */
import { RegistryContext } from "@effect-rx/rx-react"
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react"
import {
  type ContextType,
  type ReactNode,
  StrictMode,
  Suspense,
  startTransition,
  useContext,
  useEffect,
  useState
} from "react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  dehydrate,
  type Invalidate,
  type ProviderConfig,
  type ReadOptions,
  SdkProvider,
  type SdkProviderProps,
  useBlockNumber,
  useInvalidate,
  useNodePool,
  useRpc,
  useSuspenseRpc,
  useTransactions
} from "../../react/index.js"
import { advanceTime, installVirtualTime } from "./clock.js"
import { countHttp, deferReply, startServer, type TestServer } from "./testServer.js"

const ETHEREUM = "ethereum-mainnet"
const ADDRESS = `0x${"a1".repeat(20)}`
const OTHER = `0x${"b2".repeat(20)}`

const ROW = {
  chain: ETHEREUM,
  hash: "0x5",
  address: ADDRESS,
  blockNumber: 5,
  timestamp: 5,
  transactionType: "native",
  transactionSubtype: "incoming",
  amount: "1"
}

installVirtualTime()

let chain: TestServer

beforeEach(async () => {
  chain = await startServer()
})

afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  await chain.close()
  expect(chain.unexpected).toEqual([])
})

const App = ({ children, ...props }: Partial<SdkProviderProps> & { readonly children?: ReactNode }) => (
  <StrictMode>
    <SdkProvider config={chain.config(ETHEREUM)} {...props}>
      {children}
    </SdkProvider>
  </StrictMode>
)

type Options<B = bigint> = Omit<ReadOptions<typeof ETHEREUM, bigint, B>, "network">

const Balance = ({ address = ADDRESS, ...options }: { readonly address?: string } & Options) => {
  const { data, error, isPlaceholderData, status } = useRpc("getBalance", [address], {
    network: ETHEREUM,
    ...options
  })
  return <p>{`${status} ${data} ${isPlaceholderData} ${error?._tag}`}</p>
}

const Hashes = ({ address }: { readonly address: string }) => {
  const { data, hasMore, isPlaceholderData } = useTransactions(
    { address },
    { network: ETHEREUM, placeholderData: "previous", select: (all) => all.map(({ hash }) => hash) }
  )
  return <p>{`${data} ${hasMore} ${isPlaceholderData}`}</p>
}

type ListOptions = Pick<Options, "gcTime" | "refresh" | "staleTime">

/** Pages of two items each, with a button that loads the next one. */
const List = (options: ListOptions) => {
  const { data, error, hasMore, loadMore } = useTransactions(
    { address: ADDRESS, pageSize: 2 },
    { network: ETHEREUM, ...options }
  )
  return (
    <button type="button" onClick={loadMore}>
      {`${data?.map(({ hash }) => hash).join()} ${hasMore} ${error?._tag}`}
    </button>
  )
}

const Show = ({ useText }: { readonly useText: () => string }) => <p>{useText()}</p>

const balance = (result: string) => chain.rules.set("eth_getBalance", () => ({ result }))

/** Addresses have balances of their own, and the answers for the other one wait for the test. */
const balances = () => {
  const held = deferReply()
  chain.rules.set("eth_getBalance", (params) =>
    Array.isArray(params) && params[0] === ADDRESS ? { result: "0x1" } : held.reply()
  )
  return held
}

describe("an answer", () => {
  it("is there for a component that comes back later, and is asked for again as it is stale", async () => {
    const held = deferReply()
    balance("0x10")
    const { rerender } = render(
      <App>
        <Balance />
      </App>
    )
    await screen.findByText("success 16 false undefined")
    rerender(<App />)
    await advanceTime(1_200)
    chain.rules.set("eth_getBalance", held.reply)
    rerender(
      <App>
        <Balance />
      </App>
    )
    expect(screen.getByText("success 16 false undefined")).toBeDefined()
    await expect.poll(() => chain.count("eth_getBalance")).toBe(2)
    held.answer("0x11")
    await screen.findByText("success 17 false undefined")
    expect(chain.count("eth_getBalance")).toBe(2)
  })

  it("is not asked for again while it is fresh, as the component or the provider says", async () => {
    balance("0x10")
    const page = (isShown: boolean, options: Options, defaults = {}) => (
      <App defaults={defaults}>{isShown && <Balance {...options} />}</App>
    )
    const { rerender } = render(page(true, { staleTime: "1 minute" }))
    await screen.findByText("success 16 false undefined")
    rerender(page(false, {}))
    await advanceTime(1_200)
    rerender(page(true, { staleTime: "1 minute" }))
    await advanceTime(100)
    expect(chain.count("eth_getBalance")).toBe(1)
    rerender(page(false, {}))
    rerender(page(true, {}, { staleTime: Number.POSITIVE_INFINITY }))
    await advanceTime(100)
    expect(chain.count("eth_getBalance")).toBe(1)
    rerender(page(false, {}))
    // the hook has the last word
    rerender(page(true, { staleTime: 0 }, { staleTime: Number.POSITIVE_INFINITY }))
    await expect.poll(() => chain.count("eth_getBalance")).toBe(2)
  })

  it("is held as long as the longest of the components wishes, and no longer", async () => {
    balance("0x10")
    const page = (...times: ReadonlyArray<number>) => (
      <App>
        {times.map((gcTime) => (
          <Balance key={gcTime} gcTime={gcTime} />
        ))}
      </App>
    )
    const { rerender } = render(page(0, 900))
    await expect.poll(() => screen.queryAllByText("success 16 false undefined").length).toBe(2)
    rerender(page())
    await advanceTime(500)
    rerender(page(0))
    expect(screen.getByText("success 16 false undefined")).toBeDefined()
    rerender(page())
    await advanceTime(1_800)
    rerender(page(0))
    expect(screen.getByText("loading undefined false undefined")).toBeDefined()
    await screen.findByText("success 16 false undefined")
  })

  it("that is still under way is given up soon after its last component", async () => {
    const held = deferReply()
    chain.rules.set("eth_getBalance", held.reply)
    const page = (isShown: boolean) => <App>{isShown && <Balance />}</App>
    const { rerender } = render(page(true))
    await expect.poll(() => chain.count("eth_getBalance")).toBe(1)
    rerender(page(false))
    await advanceTime(1_200)
    held.answer("0x10")
    await advanceTime(50)
    balance("0x11")
    rerender(page(true))
    expect(screen.getByText("loading undefined false undefined")).toBeDefined()
    await screen.findByText("success 17 false undefined")
  })

  it("ends with its provider, however long it was to be held", async () => {
    balance("0x10")
    const { counts, layer } = countHttp()
    const page = (
      <App layer={layer}>
        <Balance gcTime={Number.POSITIVE_INFINITY} />
      </App>
    )
    const { unmount } = render(page)
    await screen.findByText("success 16 false undefined")
    unmount()
    await advanceTime(3_000)
    expect(counts).toEqual({ made: 1, ended: 1 })
    render(page)
    expect(screen.getByText("loading undefined false undefined")).toBeDefined()
    await screen.findByText("success 16 false undefined")
  })

  it("that has failed is asked for again by the next component", async () => {
    chain.rules.set("eth_getBalance", () => ({ error: { code: -32_000, message: "no state" } }))
    const page = (isShown: boolean) => (
      <App>{isShown && <Balance staleTime={Number.POSITIVE_INFINITY} />}</App>
    )
    const { rerender } = render(page(true))
    await screen.findByText("error undefined false RpcError")
    rerender(page(false))
    balance("0x10")
    rerender(page(true))
    await screen.findByText("success 16 false undefined")
  })

  it("of a list and of the height is there for a component that comes back, too", async () => {
    chain.rules.set("eth_blockNumber", () => ({ result: "0x1" }))
    chain.rules.set("GET /v4/data/transaction/history", () => ({
      result: { result: [ROW] }
    }))
    const page = (isShown: boolean) => (
      <App>
        {isShown && (
          <>
            <Show useText={() => `height ${useBlockNumber({ network: ETHEREUM }).data}`} />
            <Show
              useText={() =>
                `list ${useTransactions({ address: ADDRESS }, { network: ETHEREUM }).data?.[0]?.hash}`
              }
            />
          </>
        )}
      </App>
    )
    const { rerender } = render(page(true))
    await screen.findByText("height 1")
    await screen.findByText("list 0x5")
    rerender(page(false))
    await advanceTime(1_200)
    rerender(page(true))
    expect(screen.getByText("height 1")).toBeDefined()
    expect(screen.getByText("list 0x5")).toBeDefined()
    await expect.poll(() => chain.count("eth_blockNumber")).toBe(2)
    await expect.poll(() => chain.count("GET /v4/data/transaction/history")).toBe(2)
  })
})

describe("a list that a component mounts again", () => {
  const pageOf = (offset: number) => [
    { ...ROW, hash: `0x${offset}a` },
    { ...ROW, hash: `0x${offset}b` }
  ]

  const mountTwice = (options: ListOptions = {}) => {
    const page = (isShown: boolean) => <App>{isShown && <List {...options} />}</App>
    const { rerender } = render(page(true))
    return async (between: () => void = () => {}) => {
      rerender(page(false))
      await advanceTime(1_200)
      between()
      rerender(page(true))
      await advanceTime(100)
    }
  }

  const countRequests = () => chain.count("GET /v4/data/transaction/history")

  it("keeps its pages once it has several, also after its end and after a failure", async () => {
    const offsetOf = (query: unknown): number => Number(Reflect.get(Object(query), "offset") ?? 0)
    chain.rules.set("GET /v4/data/transaction/history", (query) =>
      offsetOf(query) > 1
        ? { status: 400, body: { message: "no" } }
        : { result: { result: pageOf(offsetOf(query)) } }
    )
    const mountAgain = mountTwice()
    fireEvent.click(await screen.findByText("0x0a,0x0b true undefined"))
    await screen.findByText("0x0a,0x0b,0x1a,0x1b true undefined")
    expect(countRequests()).toBe(2)
    await mountAgain()
    await screen.findByText("0x0a,0x0b,0x1a,0x1b true undefined")
    expect(countRequests()).toBe(2)
    fireEvent.click(screen.getByText("0x0a,0x0b,0x1a,0x1b true undefined"))
    await screen.findByText("0x0a,0x0b,0x1a,0x1b true GatewayError")
    await mountAgain()
    await screen.findByText("0x0a,0x0b,0x1a,0x1b true GatewayError")
    expect(countRequests()).toBe(3)
  })

  it("is refetched after `staleTime` while it has one page, or none", async () => {
    chain.rules.set("GET /v4/data/transaction/history", () => ({ result: { result: [] } }))
    const mountAgain = mountTwice({ staleTime: "2 seconds" })
    await screen.findByText("false undefined")
    expect(countRequests()).toBe(1)
    await mountAgain()
    expect(countRequests()).toBe(1)
    await mountAgain(() =>
      chain.rules.set("GET /v4/data/transaction/history", () => ({ result: { result: pageOf(0) } }))
    )
    await screen.findByText("0x0a,0x0b true undefined")
    expect(countRequests()).toBe(2)
    await mountAgain()
    await mountAgain()
    expect(countRequests()).toBe(3)
  })

  it("keeps its pages where reads are repeated", async () => {
    chain.rules.set("GET /v4/data/transaction/history", (query) => ({
      result: { result: pageOf(Number(Reflect.get(Object(query), "offset") ?? 0)) }
    }))
    render(
      <App>
        <List refresh={300} />
      </App>
    )
    fireEvent.click(await screen.findByText("0x0a,0x0b true undefined"))
    await screen.findByText("0x0a,0x0b,0x1a,0x1b true undefined")
    await advanceTime(1_000)
    expect(screen.getByText("0x0a,0x0b,0x1a,0x1b true undefined")).toBeDefined()
  })

  it("is no answer any more once it is collected: its next request ends with its component", async () => {
    chain.rules.set("GET /v4/data/transaction/history", () => ({ result: { result: pageOf(0) } }))
    const page = (isShown: boolean) => <App>{isShown && <List gcTime="2 seconds" />}</App>
    const { rerender } = render(page(true))
    await screen.findByText("0x0a,0x0b true undefined")
    rerender(page(false))
    await advanceTime(3_000)
    chain.rules.set("GET /v4/data/transaction/history", deferReply().reply)
    rerender(page(true))
    await expect.poll(countRequests).toBe(2)
    rerender(page(false))
    await advanceTime(1_000)
    expect(chain.countAborted()).toBe(1)
  })

  it("is refetched at once after a failure without a page", async () => {
    chain.rules.set("GET /v4/data/transaction/history", () => ({ status: 400, body: { message: "no" } }))
    const mountAgain = mountTwice({ staleTime: "1 hour" })
    await screen.findByText("undefined false GatewayError")
    await mountAgain(() =>
      chain.rules.set("GET /v4/data/transaction/history", () => ({ result: { result: pageOf(0) } }))
    )
    await screen.findByText("0x0a,0x0b true undefined")
    expect(countRequests()).toBe(2)
  })
})

describe("until there is an answer to other arguments", () => {
  const follow = (options: Options) => {
    const page = (address: string) => (
      <App>
        <Balance address={address} {...options} />
      </App>
    )
    const { rerender } = render(page(ADDRESS))
    return (address: string) => rerender(page(address))
  }

  it("the previous one is shown where that is wanted, and each of them is marked", async () => {
    const held = balances()
    const show = follow({ placeholderData: "previous" })
    expect(screen.getByText("loading undefined false undefined")).toBeDefined()
    await screen.findByText("success 1 false undefined")
    show(OTHER)
    expect(screen.getByText("success 1 true undefined")).toBeDefined()
    await expect.poll(() => chain.count("eth_getBalance")).toBe(2)
    // another change: the last answer that there was is still that of the first
    show(`0x${"c3".repeat(20)}`)
    expect(screen.getByText("success 1 true undefined")).toBeDefined()
    show(OTHER)
    held.answer("0x2")
    await screen.findByText("success 2 false undefined")
    show(ADDRESS)
    expect(screen.getByText("success 1 false undefined")).toBeDefined()
  })

  it("a value is shown, or what a function makes of the previous one", async () => {
    balances()
    follow({ placeholderData: 7n })
    expect(screen.getByText("success 7 true undefined")).toBeDefined()
    cleanup()
    const show = follow({ placeholderData: (before) => before && before + 41n })
    expect(screen.getByText("loading undefined false undefined")).toBeDefined()
    await screen.findByText("success 1 false undefined")
    show(OTHER)
    expect(screen.getByText("success 42 true undefined")).toBeDefined()
  })

  it("nothing is shown without it, and an error is one", async () => {
    chain.rules.set("eth_getBalance", (params) =>
      Array.isArray(params) && params[0] === ADDRESS
        ? { result: "0x1" }
        : { error: { code: -32_000, message: "no state" } }
    )
    const show = follow({})
    await screen.findByText("success 1 false undefined")
    show(OTHER)
    expect(screen.getByText("loading undefined false undefined")).toBeDefined()
    cleanup()
    const other = follow({ placeholderData: "previous" })
    await screen.findByText("success 1 false undefined")
    other(OTHER)
    await screen.findByText("error undefined false RpcError")
  })

  it("what stands for it is selected from, and lists have it as well", async () => {
    const held = deferReply()
    chain.rules.set("GET /v4/data/transaction/history", (query) =>
      Reflect.get(Object(query), "addresses") === ADDRESS ? { result: { result: [ROW] } } : held.reply()
    )
    const page = (address: string) => (
      <App>
        <Hashes address={address} />
      </App>
    )
    const { rerender } = render(page(ADDRESS))
    await screen.findByText("0x5 false false")
    rerender(page(OTHER))
    await screen.findByText("0x5 false true")
    await expect.poll(() => chain.count("GET /v4/data/transaction/history")).toBe(2)
    held.answer({ result: [] })
    await screen.findByText("false false")
  })
})

const show = (state: DocumentVisibilityState): void => {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state)
  act(() => {
    document.dispatchEvent(new Event("visibilitychange"))
  })
}

describe("what is stale is asked for again", () => {
  it("when the page comes into view, or the network is back; not where that is unwanted", async () => {
    balance("0x10")
    const page = (options: Options) => (
      <App defaults={{ staleTime: 50 }}>
        <Balance {...options} />
        <Balance {...options} />
      </App>
    )
    const { rerender } = render(page({}))
    await expect.poll(() => screen.queryAllByText("success 16 false undefined").length).toBe(2)
    await advanceTime(100)
    show("hidden")
    await advanceTime(50)
    expect(chain.count("eth_getBalance")).toBe(1)
    show("visible")
    await expect.poll(() => chain.count("eth_getBalance")).toBe(2)
    await advanceTime(100)
    window.dispatchEvent(new Event("online"))
    await expect.poll(() => chain.count("eth_getBalance")).toBe(3)
    await advanceTime(100)
    rerender(page({ refetchOnFocus: false, refetchOnReconnect: false }))
    show("hidden")
    show("visible")
    window.dispatchEvent(new Event("online"))
    await advanceTime(100)
    expect(chain.count("eth_getBalance")).toBe(3)
    rerender(page({ staleTime: "1 minute" }))
    show("hidden")
    show("visible")
    await advanceTime(100)
    expect(chain.count("eth_getBalance")).toBe(3)
  })
})

const RefreshableBalance = ({
  onRefresh
}: {
  readonly onRefresh: (refresh: () => Promise<unknown>) => void
}) => {
  const { data, refresh, status } = useRpc("getBalance", [ADDRESS], { network: ETHEREUM })
  useEffect(() => onRefresh(refresh), [onRefresh, refresh])
  return <p>{`${status} ${data}`}</p>
}

/** Makes its configuration anew in every render. */
const Careless = ({
  called,
  onRefresh
}: {
  readonly called: Array<number>
  readonly onRefresh: (refresh: () => Promise<unknown>) => void
}) => {
  const [turn, next] = useState(0)
  const config: ProviderConfig = {
    ...chain.config(ETHEREUM),
    fetch: (input, init) => {
      called.push(turn)
      return fetch(input, init)
    }
  }
  return (
    <>
      <SdkProvider config={config}>
        <RefreshableBalance onRefresh={onRefresh} />
      </SdkProvider>
      <button type="button" onClick={() => next(turn + 1)}>
        {`turn ${turn}`}
      </button>
    </>
  )
}

describe("a provider whose parent renders", () => {
  it("keeps its clients with an inline fetch and a fresh config, calls the last fetch, and says so once", async () => {
    const warnings = vi.spyOn(console, "warn").mockImplementation(() => {})
    balance("0x10")
    const called: Array<number> = []
    let refresh: () => Promise<unknown> = async () => {}
    const onRefresh = (again: () => Promise<unknown>): void => {
      refresh = again
    }
    render(
      <StrictMode>
        <Careless called={called} onRefresh={onRefresh} />
      </StrictMode>
    )
    await screen.findByText("success 16")
    const seen = new Set<string | null>()
    for (let turn = 0; turn < 3; turn++) {
      fireEvent.click(screen.getByText(`turn ${turn}`))
      seen.add(document.querySelector("p")?.textContent ?? null)
      await advanceTime(20)
    }
    expect([...seen]).toEqual(["success 16"])
    expect(chain.count("eth_getBalance")).toBe(1)
    expect(called).toEqual([0])
    await act(() => refresh())
    expect(called).toEqual([0, 3])
    expect(warnings.mock.calls.filter(([text]) => String(text).includes("SdkProvider"))).toHaveLength(1)
  })

  it("has other clients where a function is another one by name, or anything else differs", async () => {
    balance("0x10")
    const { counts, layer } = countHttp()
    const one = {
      webSocket: () => {
        throw new Error("one")
      }
    }
    const page = (subscriptions: object) => (
      <App config={{ ...chain.config(ETHEREUM), subscriptions }} layer={layer}>
        <Balance />
      </App>
    )
    const { rerender } = render(page(one))
    await screen.findByText("success 16 false undefined")
    rerender(page({ ...one }))
    await advanceTime(100)
    expect(counts.made).toBe(1)
    rerender(
      page({
        webSocket: function another() {
          throw new Error("another")
        }
      })
    )
    await expect.poll(() => counts.made).toBe(2)
  })
})

/** Never settles: a render that waits for it is not shown. */
const never = new Promise<never>(() => {})

type Turn = "old" | "new"

/** A page with two turns; that of the other one never comes to be shown. */
const Turning = ({
  children,
  onTurn
}: {
  readonly children: (turn: Turn) => ReactNode
  readonly onTurn: (turn: (next: Turn) => void) => void
}) => {
  const [turn, set] = useState<Turn>("old")
  useEffect(() => onTurn(set), [onTurn])
  return <Suspense fallback={<p>waiting</p>}>{children(turn)}</Suspense>
}

const Given = ({
  onRefresh,
  turn
}: {
  readonly turn: Turn
  readonly onRefresh: (refresh: () => Promise<unknown>) => void
}) => {
  const reading = useRpc("getBalance", [ADDRESS], {
    network: ETHEREUM,
    enabled: turn === "old",
    select: (wei) => `${wei} wei`
  })
  useEffect(() => onRefresh(reading.refresh), [onRefresh, reading.refresh])
  if (turn === "new") throw never
  return <p>{`${reading.status} ${reading.data}`}</p>
}

const Selected = ({
  turn,
  onRefresh
}: {
  readonly turn: Turn
  readonly onRefresh: (refresh: () => Promise<unknown>) => void
}) => {
  const { data, refresh } = useRpc("getBalance", [ADDRESS], {
    network: ETHEREUM,
    select: (wei) => `${turn} ${wei}`
  })
  useEffect(() => onRefresh(refresh), [onRefresh, refresh])
  if (turn === "new") throw never
  return <p>{`${data}`}</p>
}

const Nodes = ({ turn }: { readonly turn: Turn }) => {
  const { data, nodes } = useNodePool({
    network: ETHEREUM,
    select: (pool) => `${turn} ${pool.nodes.length}`
  })
  if (turn === "new") throw never
  return <p>{`${data} ${nodes.length}`}</p>
}

describe("a render that React gives up", () => {
  /** Shows a page, and gives up the render of its other turn. */
  const abandon = async (text: string, page: (turn: Turn) => ReactNode): Promise<void> => {
    let set: (turn: Turn) => void = () => {}
    const onTurn = (turn: (next: Turn) => void): void => {
      set = turn
    }
    render(
      <App>
        <Turning onTurn={onTurn}>{page}</Turning>
      </App>
    )
    await screen.findByText(text)
    await act(async () => startTransition(() => set("new")))
    expect(screen.getByText(text)).toBeDefined()
  }

  it("leaves nothing behind: the options and the selection are those of what is shown", async () => {
    balances()
    let refresh: () => Promise<unknown> = async () => {}
    const onRefresh = (again: () => Promise<unknown>): void => {
      refresh = again
    }
    await abandon("success 1 wei", (turn) => <Given turn={turn} onRefresh={onRefresh} />)
    balance("0x5")
    expect(await act(() => refresh())).toMatchObject({ data: "5 wei" })
    expect(screen.getByText("success 5 wei")).toBeDefined()
    cleanup()
    await abandon("old 5", (turn) => <Selected turn={turn} onRefresh={onRefresh} />)
    balance("0x6")
    expect(await act(() => refresh())).toMatchObject({ data: "old 6" })
    expect(screen.getByText("old 6")).toBeDefined()
  })

  it("leaves the state beside a reading as it is", async () => {
    balance("0x10")
    await abandon("old 1 1", (turn) => <Nodes turn={turn} />)
  })
})

describe("a Suspense twin", () => {
  it("that meets an old failure of another component asks anew", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {})
    chain.rules.set("eth_getBalance", () => ({ error: { code: -32_000, message: "no state" } }))
    const page = (isWaiting: boolean) => (
      <App>
        {isWaiting ? (
          <Suspense fallback={<p>waiting</p>}>
            <Show useText={() => `${useSuspenseRpc("getBalance", [ADDRESS], { network: ETHEREUM }).data}`} />
          </Suspense>
        ) : (
          <Balance />
        )}
      </App>
    )
    const { rerender } = render(page(false))
    await screen.findByText("error undefined false RpcError")
    balance("0x10")
    rerender(page(true))
    await screen.findByText("16")
  })
})

let registry: ContextType<typeof RegistryContext> | undefined
let invalidate: Invalidate<typeof ETHEREUM> | undefined
const useAll = (): string => {
  registry = useContext(RegistryContext)
  invalidate = useInvalidate({ network: ETHEREUM })
  return ""
}

it("is not asked for by a look at all that is held", async () => {
  chain.rules.set("eth_getBalance", () => ({ result: "0x5" }))
  const { rerender } = render(
    <App>
      <Show useText={useAll} />
      <Balance />
    </App>
  )
  await screen.findByText(/^success 5/)
  const held = (): ReadonlyArray<string> => (registry ? dehydrate(registry) : []).map(({ key }) => key)
  expect(held()).toEqual([expect.stringContaining("rpc.getBalance")])
  rerender(
    <App>
      <Show useText={useAll} />
    </App>
  )
  await act(async () => invalidate?.("rpc.getBalance"))
  const before = chain.count("eth_getBalance")
  expect(held()).toEqual([])
  await advanceTime(200)
  expect(chain.count("eth_getBalance")).toBe(before)
  // and it is when a component comes
  rerender(
    <App>
      <Show useText={useAll} />
      <Balance />
    </App>
  )
  await vi.waitFor(() => expect(chain.count("eth_getBalance")).toBe(before + 1))
  await vi.waitFor(() => expect(held()).toHaveLength(1))
})

it("is one entry for all spellings of an EVM address", async () => {
  const spellings = [
    "0x742d35cc6634c0532925a3b844bc454e4438f44e",
    "0x742d35Cc6634C0532925a3b844Bc454e4438f44e",
    "0x742D35CC6634C0532925A3B844BC454E4438F44E"
  ]
  balance("0x5")
  render(
    <App>
      <Show useText={useAll} />
      {spellings.map((address) => (
        <Balance key={address} address={address} />
      ))}
    </App>
  )
  await vi.waitFor(() => expect(screen.getAllByText(/^success 5/)).toHaveLength(3))
  expect(chain.count("eth_getBalance")).toBe(1)
  // and any spelling finds the entry
  balance("0x6")
  for (const [i, address] of spellings.entries()) {
    await act(async () => invalidate?.("rpc.getBalance", [address]))
    expect(chain.count("eth_getBalance")).toBe(2 + i)
  }
  await vi.waitFor(() => expect(screen.getAllByText(/^success 6/)).toHaveLength(3))
})
