/** Hooks over clients that the application makes, under StrictMode, against a real server. */
import { cleanup, render, renderHook, screen, waitFor } from "@testing-library/react"
import { type ReactNode, StrictMode } from "react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  ClientProvider,
  type HookClient,
  initialValue,
  useBalance,
  useBlockNumber,
  useNodePool,
  useRpc
} from "../../react/clients.js"
import { BASE, ETHEREUM } from "../../src/data/rows.js"
import { createClient, getBalance } from "../../src/pick/effect/evm.js"
import { startServer, type TestServer } from "./testServer.js"

const network = "ethereum-mainnet"
const address = `0x${"a1".repeat(20)}`

let chain: TestServer
let base: TestServer

beforeEach(async () => {
  chain = await startServer()
  base = await startServer()
  for (const { rules } of [chain, base]) rules.set("eth_blockNumber", () => ({ result: "0x7" }))
  chain.rules.set("eth_getBalance", () => ({ result: "0x10" }))
  base.rules.set("eth_getBalance", () => ({ result: "0x20" }))
})
afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  await chain.close()
  await base.close()
  expect([...chain.unexpected, ...base.unexpected]).toEqual([])
})

const clientOf = (server: TestServer, row: typeof ETHEREUM | typeof BASE): HookClient =>
  createClient({
    network: row,
    endpoints: { getBalance },
    quiet: true,
    verifyChain: false,
    retryCount: 0,
    rpc: { nodes: [{ url: `${server.url}/node` }], statusCheckInterval: Number.POSITIVE_INFINITY }
  })

const wrap =
  (clients: Readonly<Record<"ethereum-mainnet" | "base-mainnet", HookClient>>) =>
  ({ children }: { readonly children: ReactNode }) => (
    <StrictMode>
      <ClientProvider network={network} clients={clients}>
        {children}
      </ClientProvider>
    </StrictMode>
  )

const bothClients = () => ({
  "ethereum-mainnet": clientOf(chain, ETHEREUM),
  "base-mainnet": clientOf(base, BASE)
})

const Balance = ({ of = network }: { readonly of?: "ethereum-mainnet" | "base-mainnet" }) => {
  const { data, error } = useRpc("getBalance", [address], { network: of })
  return <p>{`${of} ${data} ${error?._tag}`}</p>
}

const useNodes = () => ({ pool: useNodePool({ network }), height: useBlockNumber({ network }).data })

const useRefused = () => [
  useRpc("getCode", [address], { network }).error,
  useBalance({ address }, { network }).error,
  useRpc("getBalance", [address], { network: "polygon-mainnet" }).error
]

describe("hooks over clients of picked calls", () => {
  it("read from the client of each network, once for all components", async () => {
    render(
      <>
        <Balance />
        <Balance />
        <Balance of="base-mainnet" />
      </>,
      { wrapper: wrap(bothClients()) }
    )
    await screen.findByText("base-mainnet 32 undefined")
    await waitFor(() => expect(screen.getAllByText("ethereum-mainnet 16 undefined")).toHaveLength(2))
    expect(chain.count("eth_getBalance")).toBe(1)
  })

  it("know the nodes, and the height by a check of them", async () => {
    const { result } = renderHook(useNodes, { wrapper: wrap(bothClients()) })
    await waitFor(() => expect(result.current.height).toBe(7n))
    expect(result.current.pool.nodes.map(({ url }) => url)).toEqual([`${chain.url}/…`])
  })

  it("fail with a call that was not picked, a service, and a network without a client", async () => {
    const { result } = renderHook(useRefused, { wrapper: wrap(bothClients()) })
    await waitFor(() => expect(result.current).not.toContain(undefined))
    expect(result.current.map((error) => error?._tag)).toEqual([
      "InvalidArgument",
      "InvalidArgument",
      "InvalidConfig"
    ])
    expect(result.current[2]?.message).toContain("it has ethereum-mainnet, base-mainnet")
  })

  it("show the answer of a server without a request", async () => {
    render(
      <ClientProvider
        network={network}
        clients={{ [network]: clientOf(chain, ETHEREUM) }}
        initialValues={[initialValue(network, "rpc.getBalance", [address], 48n)]}
      >
        <Balance />
      </ClientProvider>
    )
    await screen.findByText("ethereum-mainnet 48 undefined")
    expect(chain.count("eth_getBalance")).toBe(0)
  })

  it("keep the clients of another object with the same effects, and say that others make new ones", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {})
    const show = (clients: Readonly<Record<typeof network, HookClient>>) => (
      <ClientProvider network={network} clients={clients}>
        <Balance />
      </ClientProvider>
    )
    const client = clientOf(chain, ETHEREUM)
    const { rerender } = render(show({ [network]: client }))
    await screen.findByText("ethereum-mainnet 16 undefined")
    rerender(show({ [network]: client }))
    expect(warn).not.toHaveBeenCalled()
    rerender(show({ [network]: clientOf(base, ETHEREUM) }))
    await screen.findByText("ethereum-mainnet 32 undefined")
    expect(chain.count("eth_getBalance")).toBe(1)
    expect(warn.mock.calls.flat().join()).toContain("another object in `clients`")
  })
})
