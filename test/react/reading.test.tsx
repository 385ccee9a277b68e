/** Hooks that read, under StrictMode, against a real server. */
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react"
import * as Schedule from "effect/Schedule"
import { Component, type ReactNode, StrictMode, Suspense, useState } from "react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  type ProviderConfig,
  type Reading,
  type ReadOptions,
  SdkProvider,
  useBalance,
  useBlockNumber,
  useFee,
  useNodePool,
  useRate,
  useRead,
  useRpc,
  useSuspenseRpc,
  useTokenBalances,
  useTransactions
} from "../../react/index.js"
import { later, type World, world } from "./world.js"

const ETHEREUM = "ethereum-mainnet"
const TEZOS = "tezos-mainnet"
const SOLANA = "solana-mainnet"
const BITCOIN = "bitcoin-mainnet"
const ADDRESS = `0x${"a1".repeat(20)}`
const OTHER = `0x${"b2".repeat(20)}`

let chain: World

beforeEach(async () => {
  chain = await world()
})

afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  await chain.close()
  expect(chain.unexpected).toEqual([])
})

const App = ({
  children,
  config = chain.config(ETHEREUM)
}: {
  readonly children: ReactNode
  readonly config?: ProviderConfig
}) => (
  <StrictMode>
    <SdkProvider config={config}>{children}</SdkProvider>
  </StrictMode>
)

const pause = (milliseconds: number): Promise<void> =>
  act(() => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)))

/** How a reading looks on the page. */
const said = ({ data, error, status }: Reading<unknown, { readonly _tag: string }>): string =>
  `${status} ${typeof data === "object" ? JSON.stringify(data) : data} ${error?._tag}`

type BalanceOptions<B = bigint> = ReadOptions<typeof ETHEREUM, bigint, B>

const Balance = ({ address = ADDRESS, ...options }: { readonly address?: string } & BalanceOptions) => {
  const reading = useRpc("getBalance", [address], { network: ETHEREUM, ...options })
  return (
    <p>
      {said(reading)}
      <button type="button" onClick={reading.refresh}>
        refresh
      </button>
    </p>
  )
}

/** What a hook says. */
const Show = ({ useText }: { readonly useText: () => string }) => <p>{useText()}</p>

const Toggled = () => {
  const [enabled, enable] = useState(false)
  return (
    <>
      <Balance enabled={enabled} />
      <button type="button" onClick={() => enable(!enabled)}>
        toggle
      </button>
    </>
  )
}

/** Shows a balance until there is one, and nothing of it then. */
const Guarded = () => {
  const { data } = useRpc("getBalance", [ADDRESS], { network: ETHEREUM })
  return data === undefined ? <Balance /> : <p>alone</p>
}

const Waiting = () => {
  const { data, isRefreshing, refresh } = useSuspenseRpc("getBalance", [ADDRESS], { network: ETHEREUM })
  const wei: bigint = data
  return <button type="button" onClick={refresh}>{`${wei} ${isRefreshing}`}</button>
}

const List = () => {
  const { data, hasMore, isLoadingMore, loadMore, refresh, status, error } = useTransactions(
    { address: ADDRESS, pageSize: 2 },
    { network: ETHEREUM }
  )
  return (
    <>
      <p>{`${status} ${data?.map(({ hash }) => hash).join()} ${hasMore} ${isLoadingMore} ${error?._tag}`}</p>
      <button type="button" onClick={loadMore}>
        more
      </button>
      <button type="button" onClick={refresh}>
        again
      </button>
    </>
  )
}

const balance = (result: string) => chain.rules.set("eth_getBalance", () => ({ result }))

const show = (state: DocumentVisibilityState): void => {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state)
  act(() => {
    document.dispatchEvent(new Event("visibilitychange"))
  })
}

describe("a read", () => {
  it("loads, and has the answer", async () => {
    balance("0x10")
    render(
      <App>
        <Balance />
      </App>
    )
    expect(screen.getByText("loading undefined undefined")).toBeDefined()
    expect(await screen.findByText("success 16 undefined")).toBeDefined()
    expect(chain.count("eth_getBalance")).toBe(1)
  })

  it("has the typed error, and the last good answer beside it", async () => {
    chain.rules.set("eth_getBalance", () => ({ error: { code: -32_000, message: "no state" } }))
    render(
      <App>
        <Balance />
      </App>
    )
    await screen.findByText("error undefined RpcError")
    balance("0x10")
    fireEvent.click(screen.getByText("refresh"))
    await screen.findByText("success 16 undefined")
    chain.rules.set("eth_getBalance", () => ({ error: { code: -32_000, message: "no state" } }))
    fireEvent.click(screen.getByText("refresh"))
    await screen.findByText("error 16 RpcError")
  })

  it("shows the old answer while it is refreshed, and tells whoever looks", async () => {
    balance("0x10")
    const seen: Array<string> = []
    let refresh = () => {}
    render(
      <App>
        <Show
          useText={() => {
            const reading = useRpc("getBalance", [ADDRESS], { network: ETHEREUM })
            refresh = reading.refresh
            const text = `${reading.status} ${reading.data} ${reading.isRefreshing}`
            if (seen.at(-1) !== text) seen.push(text)
            return text
          }}
        />
      </App>
    )
    await screen.findByText("success 16 false")
    balance("0x11")
    act(() => refresh())
    await screen.findByText("success 17 false")
    expect(seen).toEqual([
      "loading undefined false",
      "success 16 false",
      "success 16 true",
      "success 17 false"
    ])
  })

  it("renders nothing again for an answer that is equal to the last one", async () => {
    chain.rules.set("eth_getBlockByNumber", () => ({
      result: { number: "0x1", transactions: [{ hash: "0x2" }] }
    }))
    const seen: Array<unknown> = []
    let refresh = () => {}
    render(
      <App>
        <Show
          useText={() => {
            const reading = useRpc("getBlockByNumber", [1], { network: ETHEREUM })
            seen.push(reading.data)
            refresh = reading.refresh
            return reading.status
          }}
        />
      </App>
    )
    await screen.findByText("success")
    const count = seen.length
    act(refresh)
    await expect.poll(() => chain.count("eth_getBlockByNumber")).toBe(2)
    await pause(50)
    expect(seen.length).toBe(count)
  })

  it("is asked for once by many components", async () => {
    balance("0x10")
    render(
      <App>
        {Array.from({ length: 20 }, (_, i) => `pair ${i}`).map((pair) => (
          <div key={pair}>
            <Balance />
            <Balance address={OTHER} />
          </div>
        ))}
      </App>
    )
    await expect.poll(() => screen.queryAllByText("success 16 undefined").length).toBe(40)
    expect(chain.count("eth_getBalance")).toBe(2)
  })

  it("is idle until it is enabled", async () => {
    balance("0x10")
    render(
      <App>
        <Toggled />
      </App>
    )
    await pause(50)
    expect(screen.getByText("idle undefined undefined")).toBeDefined()
    expect(chain.asked).toEqual([])
    fireEvent.click(screen.getByText("toggle"))
    await screen.findByText("success 16 undefined")
    fireEvent.click(screen.getByText("toggle"))
    await screen.findByText("idle undefined undefined")
    expect(chain.count("eth_getBalance")).toBe(1)
  })

  it("follows its arguments", async () => {
    chain.rules.set("eth_getBalance", (params) => ({
      result: Array.isArray(params) && params[0] === ADDRESS ? "0x1" : "0x2"
    }))
    const { rerender } = render(
      <App>
        <Balance />
      </App>
    )
    await screen.findByText("success 1 undefined")
    rerender(
      <App>
        <Balance address={OTHER} />
      </App>
    )
    await screen.findByText("success 2 undefined")
  })

  it("has what is selected, by an inline function too, and renders for nothing else", async () => {
    balance("0x10")
    let count = 0
    let refresh = () => {}
    render(
      <App>
        <Show
          useText={() => {
            const reading = useRpc("getBalance", [ADDRESS], {
              network: ETHEREUM,
              select: (wei) => ({ rich: wei > 10n, tags: ["a"] })
            })
            refresh = reading.refresh
            count++
            return JSON.stringify(reading.data)
          }}
        />
      </App>
    )
    await screen.findByText('{"rich":true,"tags":["a"]}')
    balance("0x1")
    act(() => refresh())
    await screen.findByText('{"rich":false,"tags":["a"]}')
    // quirk Q14: an inline selection makes no new Rx in every render
    expect(count).toBeLessThan(14)
  })

  it("of a method that would write is refused, and sends nothing", async () => {
    render(
      <App>
        <Show
          useText={() =>
            said(useRead("rpc.sendRawTransaction" as "rpc.getBalance", ["0x1"], { network: ETHEREUM }))
          }
        />
      </App>
    )
    await screen.findByText("error undefined InvalidArgument")
    expect(chain.asked).toEqual([])
  })

  it("of a component that unmounts another one while it hears of an answer reaches all others (Q1)", async () => {
    balance("0x10")
    render(
      <App>
        <Guarded />
        <Balance />
        <Guarded />
        <Balance />
        <Balance />
      </App>
    )
    await expect.poll(() => screen.queryAllByText("alone").length).toBe(2)
    expect(screen.queryAllByText("success 16 undefined").length).toBe(3)
  })
})

describe("a refresh", () => {
  it("by a duration goes on while somebody looks, and no longer", async () => {
    balance("0x10")
    const { unmount } = render(
      <App>
        <Balance refresh={60} />
        <Balance refresh={60} />
      </App>
    )
    await expect.poll(() => chain.count("eth_getBalance")).toBeGreaterThan(3)
    unmount()
    await pause(30)
    const count = chain.count("eth_getBalance")
    await pause(300)
    expect(chain.count("eth_getBalance")).toBe(count)
  })

  it("by a schedule ends with it", async () => {
    balance("0x10")
    const thrice = Schedule.addDelay(Schedule.recurs(3), () => 40)
    render(
      <App>
        <Balance refresh={thrice} />
      </App>
    )
    await expect.poll(() => chain.count("eth_getBalance")).toBe(4)
    await pause(200)
    expect(chain.count("eth_getBalance")).toBe(4)
  })

  it("leaves slow answers the time they need", async () => {
    const held = later()
    chain.rules.set("eth_getBalance", held.said)
    render(
      <App>
        <Balance refresh={20} />
      </App>
    )
    await expect.poll(() => chain.count("eth_getBalance")).toBe(1)
    await pause(200)
    expect(chain.count("eth_getBalance")).toBe(1)
    expect(chain.left()).toBe(0)
    held.answer("0x10")
    await screen.findByText("success 16 undefined")
  })

  it("waits while the page is hidden, and comes at once when it is shown", async () => {
    balance("0x10")
    render(
      <App>
        <Balance refresh={50} />
      </App>
    )
    await expect.poll(() => chain.count("eth_getBalance")).toBeGreaterThan(2)
    show("hidden")
    await pause(80)
    const count = chain.count("eth_getBalance")
    await pause(300)
    expect(chain.count("eth_getBalance")).toBe(count)
    show("visible")
    await expect.poll(() => chain.count("eth_getBalance"), { timeout: 45, interval: 5 }).toBe(count + 1)
  })

  it("goes on while the page is hidden where that is wanted", async () => {
    balance("0x10")
    show("hidden")
    render(
      <App>
        <Balance refresh={50} keepHidden />
      </App>
    )
    await expect.poll(() => chain.count("eth_getBalance")).toBeGreaterThan(2)
  })
})

class Boundary extends Component<{ readonly children: ReactNode }, { readonly error?: unknown }> {
  override readonly state: { readonly error?: unknown } = {}
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override render() {
    const { error } = this.state
    return error === undefined ? (
      this.props.children
    ) : (
      <button type="button" onClick={() => this.setState({ error: undefined })}>
        {String(Reflect.get(Object(error), "_tag"))}
      </button>
    )
  }
}

describe("a Suspense twin", () => {
  it("waits for the first answer, and for no other", async () => {
    balance("0x10")
    render(
      <App>
        <Suspense fallback={<p>waiting</p>}>
          <Waiting />
          <Waiting />
        </Suspense>
      </App>
    )
    expect(screen.getByText("waiting")).toBeDefined()
    await expect.poll(() => screen.queryAllByText("16 false").length).toBe(2)
    balance("0x11")
    const [button] = screen.getAllByText("16 false")
    if (button !== undefined) fireEvent.click(button)
    expect(screen.queryByText("waiting")).toBeNull()
    await expect.poll(() => screen.queryAllByText("17 false").length).toBe(2)
    expect(chain.count("eth_getBalance")).toBe(2)
  })

  it("finds its answer where the whole provider was suspended", async () => {
    balance("0x10")
    render(
      <StrictMode>
        <Suspense fallback={<p>waiting</p>}>
          <SdkProvider config={chain.config(ETHEREUM)}>
            <Waiting />
          </SdkProvider>
        </Suspense>
      </StrictMode>
    )
    expect(screen.getByText("waiting")).toBeDefined()
    await screen.findByText("16 false")
    expect(chain.count("eth_getBalance")).toBe(1)
  })

  it("hands the error to the boundary, and asks again later", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {})
    chain.rules.set("eth_getBalance", () => ({ error: { code: -32_000, message: "no state" } }))
    render(
      <App>
        <Boundary>
          <Suspense fallback={<p>waiting</p>}>
            <Waiting />
          </Suspense>
        </Boundary>
      </App>
    )
    const button = await screen.findByText("RpcError")
    balance("0x10")
    await pause(1_000)
    fireEvent.click(button)
    await screen.findByText("16 false")
  })
})

describe("the named hooks", () => {
  it("ask for what their name says, with the network's types", async () => {
    chain.rules.set("eth_getBalance", () => ({ result: "0x14d1120d7b160000" }))
    chain.rules.set("GET /v4/data/balances", () => ({
      result: {
        result: [
          {
            chain: ETHEREUM,
            address: ADDRESS,
            type: "fungible",
            tokenAddress: OTHER,
            balance: "7",
            decimals: 18
          }
        ]
      }
    }))
    chain.rules.set("GET /v4/blockchain/fee/ETH", () => ({
      result: { fast: 3e9, medium: 2e9, slow: 1e9, baseFee: 1e9, time: "2026-01-01T00:00:00.000Z", block: 1 }
    }))
    chain.rules.set("GET /v4/rate/ETH", () => ({
      result: { _id: "ETH", basePair: "EUR", value: "2000", timestamp: 1, source: "x" }
    }))
    render(
      <App>
        <Show
          useText={() => {
            const { data, error } = useBalance(
              { address: ADDRESS, tokenTypes: ["native"] },
              { network: ETHEREUM }
            )
            return `balance ${data?.[0]?.balance} ${error?.message}`
          }}
        />
        <Show
          useText={() => {
            const { data, error } = useTokenBalances({ address: ADDRESS }, { network: ETHEREUM })
            return `tokens ${data?.[0]?.balance} ${error?.message}`
          }}
        />
        <Show
          useText={() => {
            const { data, error } = useFee({ network: ETHEREUM })
            return `fee ${data?.gasPrice.fast} ${error?.message}`
          }}
        />
        <Show
          useText={() => {
            const { data, error } = useRate({ currency: "ETH", basePair: "EUR" }, { network: ETHEREUM })
            return `rate ${data?.value} ${error?.message}`
          }}
        />
      </App>
    )
    await screen.findByText("balance 1.5 undefined")
    await screen.findByText("tokens 7 undefined")
    await screen.findByText("fee 3 undefined")
    await screen.findByText("rate 2000 undefined")
    expect(chain.asked.find(({ name }) => name === "GET /v4/rate/ETH")?.params).toEqual({ basePair: "EUR" })
  })
})

const row = (n: number): object => ({
  chain: ETHEREUM,
  hash: `0x${n}`,
  address: ADDRESS,
  blockNumber: n,
  timestamp: n,
  transactionType: "native",
  transactionSubtype: "incoming",
  amount: "1"
})

describe("a list by pages", () => {
  it("has all items so far, and goes on when it is told to", async () => {
    const held = later()
    chain.rules.set("GET /v4/data/transactions", (query) => {
      const page = Number(Reflect.get(Object(query), "offset") ?? 0)
      return page === 0 ? { result: { result: [row(1), row(2)] } } : held.said()
    })
    render(
      <App>
        <List />
      </App>
    )
    await screen.findByText("success 0x1,0x2 true false undefined")
    fireEvent.click(screen.getByText("more"))
    await screen.findByText("success 0x1,0x2 true true undefined")
    held.answer({ result: [row(3)] })
    await screen.findByText(/success 0x1,0x2,0x3 (true|false) false undefined/)
    fireEvent.click(screen.getByText("more"))
    await screen.findByText("success 0x1,0x2,0x3 false false undefined")
    expect(chain.count("GET /v4/data/transactions")).toBe(2)
    fireEvent.click(screen.getByText("again"))
    await screen.findByText("success 0x1,0x2 true false undefined")
  })

  it("without items is an empty one", async () => {
    chain.rules.set("GET /v4/data/transactions", () => ({ result: { result: [] } }))
    render(
      <App>
        <List />
      </App>
    )
    await screen.findByText("success false false undefined")
  })
})

describe("the height of the chain", () => {
  it("is that of the endpoint which has it", async () => {
    chain.rules.set("eth_blockNumber", () => ({ result: "0x10" }))
    render(
      <App>
        <Show useText={() => said(useBlockNumber({ network: ETHEREUM }))} />
      </App>
    )
    await screen.findByText("success 16 undefined")
  })

  it("is the slot on Solana", async () => {
    chain.rules.set("getSlot", () => ({ result: 77 }))
    render(
      <App config={chain.config(SOLANA)}>
        <Show useText={() => said(useBlockNumber({ network: SOLANA }))} />
      </App>
    )
    await screen.findByText("success 77 undefined")
  })

  it("is that of the highest node where no endpoint has it, and an error where no node has one", async () => {
    chain.rules.set("GET /node/chains/main/blocks/head/header", () => ({ result: { level: 99 } }))
    render(
      <App config={chain.config(TEZOS)}>
        <Show useText={() => said(useBlockNumber({ network: TEZOS }))} />
      </App>
    )
    await screen.findByText("success 99 undefined")
    cleanup()
    chain.rules.set("GET /node/chains/main/blocks/head/header", () => ({ status: 500, body: {} }))
    render(
      <App config={chain.config(TEZOS)}>
        <Show useText={() => said(useBlockNumber({ network: TEZOS }))} />
      </App>
    )
    await screen.findByText("error undefined NoActiveNode")
  })

  it("is watched by asking where no node tells of it", async () => {
    chain.rules.set("getblockcount", () => ({ result: 800_000 }))
    render(
      <App config={chain.config(BITCOIN)}>
        <Show useText={() => said(useBlockNumber({ network: BITCOIN, watch: true }))} />
      </App>
    )
    await screen.findByText("success 800000 undefined")
  })
})

describe("the pool of nodes", () => {
  it("is shown as it is, with what happens", async () => {
    balance("0x10")
    render(
      <App>
        <Show
          useText={() => {
            const { events, nodes } = useNodePool({ network: ETHEREUM })
            return `${nodes.length} ${nodes[0]?.active} ${events.map(({ _tag }) => _tag).join()}`
          }}
        />
        <Balance />
      </App>
    )
    await screen.findByText("1 true Picked,Answered")
  })
})
