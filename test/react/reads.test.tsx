/** Many reads in one component, under StrictMode, against a real server. */
import { act, cleanup, render, renderHook, screen, waitFor } from "@testing-library/react"
import { Component, type ReactNode, StrictMode, Suspense } from "react"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { SdkProvider, useInvalidate, useRpc } from "../../react/index.js"
import { type ReadCall, read, useReads, useSuspenseReads } from "../../react/reads.js"
import { advanceTime, installVirtualTime } from "./clock.js"
import { deferReply, startServer, type TestServer } from "./testServer.js"

const ETHEREUM = "ethereum-mainnet"
const options = { network: ETHEREUM } as const
const address = (i: number): string => `0x${i.toString(16).padStart(40, "0")}`
const ONE = address(1)
const TWO = address(2)
const THREE = address(3)

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

/** Each account has as many wei as its number, and so many more. */
const balances = (more = 0n) =>
  chain.rules.set("eth_getBalance", (params) => {
    const [of] = params as readonly [string]
    return { result: `0x${(BigInt(of) + more).toString(16)}` }
  })
const countRequests = (): number => chain.count("eth_getBalance")

const balanceOf = (of: string) => read("rpc.getBalance", [of], options)

const show = (...addresses: ReadonlyArray<string>) => {
  let renders = 0
  const use = (list: ReadonlyArray<string>) => {
    renders++
    return { readings: useReads(list.map(balanceOf)), invalidate: useInvalidate(options) }
  }
  const { rerender, result } = renderHook(use, { wrapper, initialProps: addresses })
  return {
    result,
    data: () => result.current.readings.map(({ data }) => data),
    show: (...next: ReadonlyArray<string>) => rerender(next),
    renders: () => renders
  }
}

describe("a list of reads", () => {
  it("may change its length, and asks for what is new in it alone", async () => {
    balances()
    const { data, show: change } = show(ONE, TWO)
    expect(data()).toEqual([undefined, undefined])
    await waitFor(() => expect(data()).toEqual([1n, 2n]))
    expect(countRequests()).toBe(2)
    change(ONE, THREE, TWO)
    expect(data()).toEqual([1n, undefined, 2n])
    await waitFor(() => expect(data()).toEqual([1n, 3n, 2n]))
    change(TWO)
    expect(data()).toEqual([2n])
    change()
    expect(data()).toEqual([])
    change(THREE, THREE)
    expect(data()).toEqual([3n, 3n])
    expect(countRequests()).toBe(3)
  })

  it("is the same one as long as nothing changes, as are its readings", async () => {
    balances()
    const { data, renders, result, show: again } = show(ONE, TWO)
    await waitFor(() => expect(data()).toEqual([1n, 2n]))
    const { readings } = result.current
    const before = renders()
    again(ONE, TWO)
    expect(result.current.readings).toBe(readings)
    await act(() => result.current.invalidate("rpc.getBalance"))
    // the answers are the same ones
    expect(countRequests()).toBe(4)
    expect(result.current.readings).toBe(readings)
    balances(10n)
    await act(() => result.current.invalidate("rpc.getBalance", [TWO]))
    expect(data()).toEqual([1n, 12n])
    expect(result.current.readings[0]).toBe(readings[0])
    // StrictMode renders twice: once for the new list, and once for the new answer
    expect(renders() - before).toBe(4)
  })

  it("shares its answers with other hooks, and refreshes one by itself", async () => {
    balances()
    const use = () => ({ one: useRpc("getBalance", [ONE], options), all: useReads([balanceOf(ONE)]) })
    const { result } = renderHook(use, { wrapper })
    await waitFor(() => expect(result.current.all[0].data).toBe(1n))
    expect([result.current.one.data, countRequests()]).toEqual([1n, 1])
    balances(1n)
    await act(() => result.current.all[0].refresh())
    expect([result.current.one.data, result.current.all[0].data, countRequests()]).toEqual([2n, 2n, 2])
  })

  it("has options for each: of the same read, too", async () => {
    balances()
    const use = (isWanted: boolean) =>
      useReads([
        read("rpc.getBalance", [ONE], { ...options, select: (wei) => `${wei} wei` }),
        read("rpc.getBalance", [ONE], { ...options, select: (wei) => ({ wei }) }),
        read("rpc.getBalance", [TWO], { ...options, enabled: isWanted }),
        read("rpc.getBalance", [THREE], { ...options, placeholderData: 7n })
      ])
    const { rerender, result } = renderHook(use, { wrapper, initialProps: false })
    expect(result.current[3]).toMatchObject({ status: "success", data: 7n, isPlaceholderData: true })
    await waitFor(() => expect(result.current[3].data).toBe(3n))
    expect(result.current.map(({ data }) => data)).toEqual(["1 wei", { wei: 1n }, undefined, 3n])
    expect([result.current[2].status, countRequests()]).toEqual(["idle", 2])
    // two of the same read do not take each other's selections for their own
    const settled = result.current
    rerender(false)
    expect(result.current.map((reading, i) => reading === settled[i])).toEqual([true, true, true, true])
    rerender(true)
    await waitFor(() => expect(result.current[2].data).toBe(2n))
    rerender(false)
    expect(result.current[2].data).toBe(2n)
  })

  it("is repeated as each of it wishes, until the component is gone", async () => {
    balances()
    const use = () => useReads([read("rpc.getBalance", [ONE], { ...options, refresh: 50 }), balanceOf(TWO)])
    const { result, unmount } = renderHook(use, { wrapper })
    await waitFor(() => expect(result.current[1].data).toBe(2n))
    balances(1n)
    await waitFor(() => expect(result.current[0].data).toBe(2n))
    expect(result.current[1].data).toBe(2n)
    unmount()
    const before = countRequests()
    await advanceTime(200)
    expect(countRequests()).toBeLessThanOrEqual(before + 1)
  })

  it("has an error for each that has failed", async () => {
    chain.rules.set("eth_getBalance", (params) =>
      (params as readonly [string])[0] === ONE
        ? { error: { code: -32_000, message: "no such state" } }
        : { result: "0x2" }
    )
    const { data, result } = show(ONE, TWO)
    await waitFor(() => expect(data()).toEqual([undefined, 2n]))
    await waitFor(() =>
      expect(result.current.readings[0]).toMatchObject({ status: "error", error: { _tag: "RpcError" } })
    )
  })
})

class Boundary extends Component<{ readonly children: ReactNode }> {
  override state = { message: "" }
  static getDerivedStateFromError = (error: unknown) => ({ message: String(error) })
  override render() {
    return this.state.message === "" ? this.props.children : <i>{this.state.message}</i>
  }
}

const Balances = ({ calls }: { readonly calls: ReadonlyArray<ReadCall<bigint, unknown>> }) => (
  <b>{useSuspenseReads(calls).map(({ data }) => `${data} `)}</b>
)

const page = (...addresses: ReadonlyArray<string>) => (
  <Boundary>
    <Suspense fallback="waiting">
      <Balances calls={addresses.map(balanceOf)} />
    </Suspense>
  </Boundary>
)

describe("a list that a component waits for", () => {
  it("is asked for at once", async () => {
    const { answer, reply } = deferReply()
    chain.rules.set("eth_getBalance", reply)
    const { container, rerender } = render(page(ONE, TWO), { wrapper })
    await waitFor(() => expect(countRequests()).toBe(2))
    expect(container.textContent).toBe("waiting")
    await act(async () => answer("0x1"))
    expect(container.textContent).toBe("waiting")
    await act(async () => answer("0x2"))
    await waitFor(() => expect(container.textContent).toBe("1 2 "))
    rerender(page(TWO))
    expect(container.textContent).toBe("2 ")
    balances()
    rerender(page(TWO, THREE))
    await waitFor(() => expect(container.textContent).toBe("2 3 "))
    expect(countRequests()).toBe(3)
  })

  it("throws the error of one that has no answer", async () => {
    const silenced = console.error
    console.error = () => {}
    chain.rules.set("eth_getBalance", () => ({ error: { code: -32_000, message: "no such state" } }))
    render(page(ONE, TWO), { wrapper })
    expect((await screen.findByText(/no such state/)).tagName).toBe("I")
    console.error = silenced
  })
})
