/** What is held of reads, steered by hand, under StrictMode, against a real server. */
import { act, cleanup, renderHook, waitFor } from "@testing-library/react"
import * as Layer from "effect/Layer"
import { type ReactNode, StrictMode } from "react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  initialValue,
  SdkProvider,
  useInvalidate,
  usePrefetch,
  useRate,
  useRpc,
  useRun,
  useSetData,
  useTransactions,
  useWrite
} from "../../react/index.js"
import { Http, makeFetch } from "../../src/http/Http.js"
import { advanceTime, installVirtualTime } from "./clock.js"
import { deferReply, startServer, type TestServer } from "./testServer.js"

const ETHEREUM = "ethereum-mainnet"
const ADDRESS = `0x${"a1".repeat(20)}`
const OTHER = `0x${"b2".repeat(20)}`
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
    <SdkProvider config={chain.config(ETHEREUM)}>{children}</SdkProvider>
  </StrictMode>
)

const setBalance = (result: string) => chain.rules.set("eth_getBalance", () => ({ result }))

/** The balances that components read, and the hooks that steer them. */
const useAll = ({ addresses }: { readonly addresses: ReadonlyArray<string> }) => {
  const [first, second] = addresses
  return {
    first: useRpc("getBalance", [first ?? ""], { ...options, enabled: first !== undefined }),
    second: useRpc("getBalance", [second ?? ""], { ...options, enabled: second !== undefined }),
    invalidate: useInvalidate(options),
    prefetch: usePrefetch(options),
    setData: useSetData(options)
  }
}

const show = (...addresses: ReadonlyArray<string>) => {
  const { result, rerender } = renderHook(useAll, { wrapper, initialProps: { addresses } })
  return { result, show: (...next: ReadonlyArray<string>) => rerender({ addresses: next }) }
}

const countRequests = (): number => chain.count("eth_getBalance")

describe("what is out of date", () => {
  it("is asked for again: of a method, with its arguments, or as a predicate says", async () => {
    setBalance("0x1")
    const { result } = show(ADDRESS, OTHER)
    await waitFor(() => expect(result.current.second.data).toBe(1n))
    expect(countRequests()).toBe(2)
    setBalance("0x2")
    await act(() => result.current.invalidate("rpc.getBalance"))
    expect([result.current.first.data, result.current.second.data]).toEqual([2n, 2n])
    setBalance("0x3")
    await act(() => result.current.invalidate("rpc.getBalance", [OTHER]))
    expect([result.current.first.data, result.current.second.data]).toEqual([2n, 3n])
    setBalance("0x4")
    await act(() =>
      result.current.invalidate(({ args, path }) => path.startsWith("rpc.") && args[0] === ADDRESS)
    )
    expect([result.current.first.data, result.current.second.data]).toEqual([4n, 3n])
    await act(() => result.current.invalidate("rpc.chainId"))
    expect(countRequests()).toBe(6)
  })

  it("is asked for by the next component, where none looks at it, however fresh it is", async () => {
    setBalance("0x1")
    const { result, show: again } = show(ADDRESS)
    await waitFor(() => expect(result.current.first.data).toBe(1n))
    again()
    await advanceTime(50)
    await act(() => result.current.invalidate("rpc.getBalance"))
    expect(countRequests()).toBe(1)
    setBalance("0x2")
    again(ADDRESS)
    await waitFor(() => expect(result.current.first.data).toBe(2n))
    expect(countRequests()).toBe(2)
  })

  it("can be a list, which begins anew", async () => {
    chain.rules.set("GET /v4/data/transaction/history", () => ({ result: { result: [] } }))
    const { result } = renderHook(
      () => ({
        list: useTransactions({ address: ADDRESS }, options),
        invalidate: useInvalidate(options)
      }),
      { wrapper }
    )
    await waitFor(() => expect(result.current.list.status).toBe("success"))
    await act(() => result.current.invalidate(({ path }) => path === "address.streamTransactions"))
    expect(chain.count("GET /v4/data/transaction/history")).toBe(2)
  })
})

describe("what is not meant", () => {
  const SEPOLIA = "ethereum-sepolia"

  it("stays: another network, and a list that has loaded its pages", async () => {
    setBalance("0x1")
    chain.rules.set("GET /v4/data/transaction/history", () => ({ result: { result: [] } }))
    const { result } = renderHook(
      () => ({
        here: useRpc("getBalance", [ADDRESS], { ...options, staleTime: 0 }),
        there: useRpc("getBalance", [ADDRESS], { network: SEPOLIA, staleTime: 0 }),
        list: useTransactions({ address: ADDRESS }, { ...options, staleTime: 0 }),
        invalidate: useInvalidate(options)
      }),
      {
        wrapper: ({ children }) => {
          const { rpc, ...config } = chain.config(ETHEREUM)
          const networks = { [SEPOLIA]: { rpc: { ...rpc, nodes: [{ url: `${chain.url}/sepolia` }] } } }
          return <SdkProvider config={{ ...config, rpc: { ...rpc }, networks }}>{children}</SdkProvider>
        }
      }
    )
    await waitFor(() => expect(result.current.there.data).toBe(1n))
    await waitFor(() => expect(result.current.list.status).toBe("success"))
    await waitFor(() => expect(result.current.here.data).toBe(1n))
    await advanceTime(50)
    setBalance("0x2")
    const pages = chain.count("GET /v4/data/transaction/history")
    await act(() => result.current.invalidate("rpc.getBalance"))
    expect([result.current.here.data, result.current.there.data]).toEqual([2n, 1n])
    act(() => void window.dispatchEvent(new Event("online")))
    await waitFor(() => expect(result.current.there.data).toBe(2n))
    expect(chain.count("GET /v4/data/transaction/history")).toBe(pages)
  })

  it("stays where a provider has what the chain says repeated: a rate", async () => {
    setBalance("0x1")
    const rate = { _id: "ETH", basePair: "EUR", value: "2000", timestamp: 1, source: "x" }
    chain.rules.set("GET /v4/rate/ETH", () => ({ result: rate }))
    const { result } = renderHook(
      () => ({
        balance: useRpc("getBalance", [ADDRESS], options).data,
        rate: useRate({ currency: "ETH", basePair: "EUR" }, options).data
      }),
      {
        wrapper: ({ children }) => (
          <SdkProvider config={chain.config(ETHEREUM)} defaults={{ refresh: 20 }}>
            {children}
          </SdkProvider>
        )
      }
    )
    await waitFor(() => expect(result.current.rate?.value).toBe("2000"))
    await expect.poll(countRequests).toBeGreaterThan(3)
    expect(chain.count("GET /v4/rate/ETH")).toBe(1)
  })
})

describe("what will be looked at", () => {
  it("is held as long as its asker wishes", async () => {
    setBalance("0x1")
    const { result, show: again } = show()
    await act(() => result.current.prefetch("rpc.getBalance", [ADDRESS], { gcTime: 50 }))
    await act(() => result.current.prefetch("rpc.getBalance", [OTHER]))
    expect(countRequests()).toBe(2)
    await advanceTime(500)
    setBalance("0x2")
    again(ADDRESS, OTHER)
    expect([result.current.first.data, result.current.second.data]).toEqual([undefined, 1n])
    await waitFor(() => expect(result.current.first.data).toBe(2n))
  })

  it("is asked for before a component does, once, and not again while it is fresh", async () => {
    setBalance("0x1")
    const { result, show: again } = show()
    await act(() => result.current.prefetch("rpc.getBalance", [ADDRESS]))
    await act(() => result.current.prefetch("rpc.getBalance", [ADDRESS]))
    expect(countRequests()).toBe(1)
    again(ADDRESS)
    expect(result.current.first).toMatchObject({ status: "success", data: 1n })
    await advanceTime(50)
    expect(countRequests()).toBe(1)
    setBalance("0x2")
    await act(() => result.current.prefetch("rpc.getBalance", [ADDRESS], { staleTime: 0 }))
    expect(result.current.first.data).toBe(2n)
    chain.rules.set("eth_getBalance", () => ({ error: { code: -32_000, message: "no state" } }))
    // it never rejects
    await act(() => result.current.prefetch("rpc.getBalance", [OTHER]))
  })
})

describe("an answer that is said", () => {
  it("is shown at once, follows from the last one, and is taken back", async () => {
    setBalance("0x10")
    const { result } = show(ADDRESS)
    await waitFor(() => expect(result.current.first.data).toBe(16n))
    let undo = () => {}
    act(() => {
      undo = result.current.setData("rpc.getBalance", [ADDRESS], (wei = 0n) => wei - 6n)
    })
    expect(result.current.first).toMatchObject({ status: "success", data: 10n, isRefreshing: false })
    act(() => undo())
    expect(result.current.first.data).toBe(16n)
    act(() => void result.current.setData("rpc.getBalance", [ADDRESS], () => undefined))
    expect(result.current.first.data).toBe(16n)
    expect(countRequests()).toBe(1)
  })

  it("is shown at once, and those that follow it closely are shown together", async () => {
    setBalance("0x1")
    const { result } = show(ADDRESS, OTHER)
    await waitFor(() => expect(result.current.second.data).toBe(1n))
    await advanceTime(50)
    const shown = () => [result.current.first.data, result.current.second.data]
    const say = (address: string, wei: bigint): void =>
      act(() => void result.current.setData("rpc.getBalance", [address], wei))
    say(ADDRESS, 2n)
    say(OTHER, 2n)
    expect(shown()).toEqual([2n, 2n])
    await Promise.resolve()
    say(ADDRESS, 3n)
    await Promise.resolve()
    say(OTHER, 3n)
    expect(shown()).toEqual([2n, 2n])
    await waitFor(() => expect(shown()).not.toEqual([2n, 2n]))
    expect(shown()).toEqual([3n, 3n])
    await advanceTime(50)
    say(ADDRESS, 4n)
    expect(shown()).toEqual([4n, 3n])
  })

  it("is shown while timers stand still, and after", async () => {
    setBalance("0x1")
    const { result } = show(ADDRESS)
    await waitFor(() => expect(result.current.first.data).toBe(1n))
    await advanceTime(50)
    const say = async (wei: bigint): Promise<void> => {
      await act(async () => void result.current.setData("rpc.getBalance", [ADDRESS], wei))
      await act(() => new Promise<void>((resolve) => setImmediate(resolve)))
      expect(result.current.first.data).toBe(wei)
    }
    vi.useFakeTimers({ toFake: ["setTimeout"] })
    await say(2n)
    await say(3n)
    vi.useRealTimers()
    await say(4n)
    await say(5n)
  })

  it("is not overwritten by what was under way before it", async () => {
    const held = deferReply()
    setBalance("0x10")
    const { result } = show(ADDRESS)
    await waitFor(() => expect(result.current.first.data).toBe(16n))
    chain.rules.set("eth_getBalance", held.reply)
    act(() => void result.current.first.refresh())
    await expect.poll(countRequests).toBe(2)
    act(() => void result.current.setData("rpc.getBalance", [ADDRESS], 5n))
    held.answer("0x10")
    await advanceTime(100)
    expect(result.current.first.data).toBe(5n)
  })

  it("is there for components that come, of a read that nobody has asked for", async () => {
    const { result, show: again } = show()
    let undo = () => {}
    act(() => {
      undo = result.current.setData("rpc.getBalance", [ADDRESS], 7n)
    })
    again(ADDRESS)
    expect(result.current.first).toMatchObject({ status: "success", data: 7n })
    await advanceTime(50)
    expect(countRequests()).toBe(0)
    // there is no answer before it: the chain has to say
    setBalance("0x8")
    act(() => undo())
    await waitFor(() => expect(result.current.first.data).toBe(8n))
  })

  it("that somebody has said more about is asked for when it is taken back", async () => {
    setBalance("0x10")
    const { result } = show(ADDRESS)
    await waitFor(() => expect(result.current.first.data).toBe(16n))
    let undo = () => {}
    act(() => {
      undo = result.current.setData("rpc.getBalance", [ADDRESS], 1n)
    })
    act(() => void result.current.setData("rpc.getBalance", [ADDRESS], 2n))
    setBalance("0x11")
    act(() => undo())
    await waitFor(() => expect(result.current.first.data).toBe(17n))
  })
})

/** A page that shows what it will have before it is sent. */
const useSending = () => {
  const setData = useSetData(options)
  return {
    wei: useRpc("getBalance", [ADDRESS], options).data,
    send: useWrite("rpc.sendRawTransaction", {
      ...options,
      onMutate: () => setData("rpc.getBalance", [ADDRESS], (wei = 0n) => wei - 6n),
      invalidates: ["rpc.getBalance"]
    })
  }
}

describe("a write", () => {
  it("shows what it will have changed, and has that asked for afterwards", async () => {
    const held = deferReply()
    setBalance("0x10")
    chain.rules.set("eth_sendRawTransaction", held.reply)
    const { result } = renderHook(useSending, { wrapper })
    await waitFor(() => expect(result.current.wei).toBe(16n))
    let sent: Promise<unknown> = Promise.resolve()
    act(() => {
      sent = result.current.send.run("0x01")
    })
    expect(result.current.wei).toBe(10n)
    await expect.poll(() => chain.count("eth_sendRawTransaction")).toBe(1)
    expect(countRequests()).toBe(1)
    setBalance("0x9")
    held.answer("0xaa")
    expect(await act(() => sent)).toMatchObject({ status: "SUCCESS" })
    await waitFor(() => expect(result.current.wei).toBe(9n))
    expect(countRequests()).toBe(2)
  })

  it("that is done leaves it as it was shown", async () => {
    setBalance("0x10")
    chain.rules.set("eth_sendRawTransaction", () => ({ result: "0xaa" }))
    const { result } = renderHook(
      () => {
        const setData = useSetData(options)
        const onMutate = () => setData("rpc.getBalance", [ADDRESS], (wei = 0n) => wei - 6n)
        return {
          wei: useRpc("getBalance", [ADDRESS], options).data,
          send: useWrite("rpc.sendRawTransaction", { ...options, onMutate })
        }
      },
      { wrapper }
    )
    await waitFor(() => expect(result.current.wei).toBe(16n))
    expect(await act(() => result.current.send.run("0x01"))).toMatchObject({ status: "SUCCESS" })
    await advanceTime(50)
    expect(result.current.wei).toBe(10n)
  })

  it("that fails takes it back at once", async () => {
    const held = deferReply()
    setBalance("0x10")
    chain.rules.set("eth_sendRawTransaction", () => ({ error: { code: -32_000, message: "nonce too low" } }))
    const { result } = renderHook(useSending, { wrapper })
    await waitFor(() => expect(result.current.wei).toBe(16n))
    chain.rules.set("eth_getBalance", held.reply)
    let sent: Promise<unknown> = Promise.resolve()
    act(() => {
      sent = result.current.send.run("0x01")
    })
    expect(result.current.wei).toBe(10n)
    await act(() => sent)
    expect(result.current.wei).toBe(16n)
    await expect.poll(countRequests).toBe(2)
    held.answer("0x11")
    await waitFor(() => expect(result.current.wei).toBe(17n))
  })
})

describe("a provider that is rendered anew", () => {
  it("sends by another layer from then on, and its extensions stay those of the configuration", async () => {
    const sent: Array<string> = []
    const layerOf = (name: string) =>
      Layer.sync(Http, () =>
        makeFetch((...request) => {
          sent.push(name)
          return fetch(...request)
        })
      )
    const [one, other] = [layerOf("one"), layerOf("other")]
    const counter = { name: "counter", init: () => 7 }
    const config = { ...chain.config(ETHEREUM), configureExtensions: [counter] }
    let layer = one
    setBalance("0x1")
    const { rerender, result } = renderHook(
      () => ({ wei: useRpc("getBalance", [ADDRESS], options).data, run: useRun(options) }),
      {
        wrapper: ({ children }) => (
          <SdkProvider config={{ ...config }} layer={layer}>
            {children}
          </SdkProvider>
        )
      }
    )
    await waitFor(() => expect(result.current.wei).toBe(1n))
    expect(sent).toEqual(["one"])
    const handle = await act(() => result.current.run((sdk) => sdk.extension(counter)))
    expect(handle).toMatchObject({ status: "SUCCESS", data: 7 })
    layer = other
    setBalance("0x2")
    rerender()
    await waitFor(() => expect(result.current.wei).toBe(2n))
    expect(sent).toEqual(["one", "other"])
  })
})

describe("an answer that came with the page", () => {
  it("is held as others are", async () => {
    const values = [initialValue(ETHEREUM, "rpc.getBalance", [ADDRESS], 32n)]
    const { result, rerender } = renderHook(useAll, {
      wrapper: ({ children }) => (
        <SdkProvider config={chain.config(ETHEREUM)} initialValues={values}>
          {children}
        </SdkProvider>
      ),
      initialProps: { addresses: [ADDRESS] }
    })
    expect(result.current.first.data).toBe(32n)
    rerender({ addresses: [OTHER] })
    setBalance("0x10")
    await advanceTime(1_200)
    rerender({ addresses: [ADDRESS] })
    expect(result.current.first).toMatchObject({ status: "success", data: 32n })
    await waitFor(() => expect(result.current.first.data).toBe(16n))
  })
})
