/** Hot reload in the way of Vite: React Fast Refresh puts new versions of components into a running page. */
import { cleanup, render, screen } from "@testing-library/react"
import { type ComponentType, StrictMode, useState } from "react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { SdkProvider, useBlockNumber, useRpc } from "../../react/index.js"
import { advanceIdleTime, advanceTime, installVirtualTime } from "./clock.js"
import { loadFastRefresh } from "./fastRefresh.js"
import { countHttp, startServer, type TestServer } from "./testServer.js"

const refresh = await loadFastRefresh()

const ETHEREUM = "ethereum-mainnet"
const ADDRESS = `0x${"a1".repeat(20)}`

installVirtualTime()

let chain: TestServer

beforeEach(async () => {
  chain = await startServer()
  chain.rules.set("eth_getBalance", () => ({ result: "0x10" }))
  chain.rules.set("eth_blockNumber", () => ({ result: "0x1" }))
})

afterEach(async () => {
  cleanup()
  await chain.close()
  expect(chain.unexpected).toEqual([])
})

/** A version of a module with one component, as its hooks are (`hooks`): the state stays while they stay the same. */
const version = (file: string, hooks: string, Component: ComponentType): object => {
  refresh.createSignatureFunctionForTransform()(Component, hooks)
  refresh.register(Component, `${file} Component`)
  const exports = { Component }
  refresh.registerExportsForReactRefresh(file, exports)
  return exports
}

const replace = async (file: string, before: object, after: object): Promise<void> => {
  expect(refresh.validateRefreshBoundaryAndEnqueueUpdate(file, before, after)).toBeUndefined()
  await advanceTime(100)
}

const useTexts = (): string => {
  const { data } = useRpc("getBalance", [ADDRESS], { network: ETHEREUM, refresh: 10_000 })
  return `${data} at ${useBlockNumber({ network: ETHEREUM }).data}`
}

const Shown = () => <p>{useTexts()}</p>

const Old = () => {
  const [state] = useState(() => Math.random())
  return (
    <>
      <p>{`old ${useTexts()}`}</p>
      <i data-testid="state">{state}</i>
    </>
  )
}

const New = () => {
  const [state] = useState(() => Math.random())
  return (
    <>
      <p>{`new ${useTexts()}`}</p>
      <i data-testid="state">{state}</i>
    </>
  )
}

describe("hot reload", () => {
  it("of a component that reads keeps its answers, its state and the clients", async () => {
    const { counts, layer } = countHttp()
    const before = version("balance", "texts", Old)
    render(
      <StrictMode>
        <SdkProvider config={chain.config(ETHEREUM)} layer={layer}>
          <Old />
        </SdkProvider>
      </StrictMode>
    )
    await screen.findByText("old 16 at 1")
    const { textContent } = screen.getByTestId("state")
    await replace("balance", before, version("balance", "texts", New))
    expect(screen.getByText("new 16 at 1")).toBeDefined()
    expect(screen.getByTestId("state").textContent).toBe(textContent)
    expect(chain.count("eth_getBalance")).toBe(1)
    expect(counts).toEqual({ made: 1, ended: 0 })
  })

  it("of what has the provider keeps its clients, or replaces them where the page starts anew", async () => {
    const { counts, layer } = countHttp()
    const page = (title: string): ComponentType =>
      Object.defineProperty(
        () => (
          <StrictMode>
            <SdkProvider config={chain.config(ETHEREUM)} layer={layer}>
              <h1>{title}</h1>
              <Shown />
            </SdkProvider>
          </StrictMode>
        ),
        "name",
        { value: "Page" }
      )
    const One = page("one")
    const first = version("page", "none", One)
    const idle = vi.getTimerCount()
    const { unmount } = render(<One />)
    await screen.findByText("16 at 1")
    const second = version("page", "none", page("two"))
    await replace("page", first, second)
    expect(screen.getByText("two")).toBeDefined()
    expect(screen.getByText("16 at 1")).toBeDefined()
    expect(counts).toEqual({ made: 1, ended: 0 })
    expect(chain.count("eth_getBalance")).toBe(1)
    // other hooks: React throws the state away, and the provider with it
    for (let i = 0; i < 5; i++) {
      await replace("page", second, version("page", `other ${i}`, page(`page ${i}`)))
      await screen.findByText(`page ${i}`)
    }
    await screen.findByText("16 at 1")
    await advanceTime(5_000)
    expect(counts.made - counts.ended).toBe(1)
    expect(counts.made).toBeGreaterThan(1)
    unmount()
    await advanceTime(5_000)
    expect(counts.made - counts.ended).toBe(0)
    await advanceIdleTime(600_000)
    expect(vi.getTimerCount()).toBeLessThanOrEqual(idle)
  })
})
