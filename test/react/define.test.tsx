/** Hooks on networks of the application's own, against a real server. */
import { cleanup, render, screen } from "@testing-library/react"
import { Component, type ReactNode, StrictMode } from "react"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { initialValue, SdkProvider, useBlockNumber, useRpc } from "../../react/index.js"
import { defineNetwork, type NetworkDefinition } from "../../src/define.js"
import { startServer, type TestServer } from "./testServer.js"

const currency = { symbol: "TST", decimals: 18 } as const
const own = defineNetwork({ id: "hooks-own", family: "evm", chainId: 990_301, currency })
const address = `0x${"a1".repeat(20)}`

let chain: TestServer
let other: TestServer
beforeEach(async () => {
  chain = await startServer()
  other = await startServer()
})
afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  await chain.close()
  await other.close()
  expect([...chain.unexpected, ...other.unexpected]).toEqual([])
})

class Boundary extends Component<{ readonly children: ReactNode }, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {}
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override render() {
    const { error } = this.state
    return error === undefined ? this.props.children : <p>{String(Reflect.get(Object(error), "message"))}</p>
  }
}

const Balance = ({ network }: { readonly network: NetworkDefinition<string, "evm", number, undefined> }) => {
  const { data, error } = useRpc("getBalance", [address], { network })
  return <p>{`balance ${data} ${error?._tag}`}</p>
}

const Height = () => {
  const { data } = useBlockNumber()
  return <p>{`height ${data}`}</p>
}

it("read the provider's own definition, and others by the nodes of their definitions", async () => {
  chain.rules.set("eth_blockNumber", () => ({ result: "0x7" }))
  other.rules.set("eth_blockNumber", () => ({ result: "0x9" }))
  other.rules.set("eth_getBalance", () => ({ result: "0x10" }))
  const second = defineNetwork({
    id: "hooks-second",
    family: "evm",
    chainId: 990_302,
    currency,
    nodes: [{ url: `${other.url}/node` }]
  })
  render(
    <StrictMode>
      <SdkProvider config={chain.config(own)}>
        <Height />
        <Balance network={second} />
      </SdkProvider>
    </StrictMode>
  )
  await screen.findByText("height 7")
  await screen.findByText("balance 16 undefined")
  expect(chain.count("eth_getBalance")).toBe(0)
})

it("show the initial value of a definition without a request", async () => {
  render(
    <SdkProvider
      config={chain.config(own)}
      initialValues={[initialValue(own, "rpc.getBalance", [address], 32n)]}
    >
      <Balance network={own} />
    </SdkProvider>
  )
  await screen.findByText("balance 32 undefined")
  expect(chain.count("eth_getBalance")).toBe(0)
})

it("refuse another definition of an id", async () => {
  chain.rules.set("eth_blockNumber", () => ({ result: "0x7" }))
  vi.spyOn(console, "error").mockImplementation(() => {})
  const changed = defineNetwork({
    id: "hooks-own",
    family: "evm",
    chainId: 990_301,
    currency: { symbol: "NEW", decimals: 18 }
  })
  render(
    <SdkProvider config={chain.config(own)}>
      <Height />
      <Boundary>
        <Balance network={changed} />
      </Boundary>
    </SdkProvider>
  )
  await screen.findByText("height 7")
  await screen.findByText(/another definition of hooks-own/)
})
