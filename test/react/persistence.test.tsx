/** Answers that outlive the page, under StrictMode, against a real server. */
import { KeyValueStore, layerStorage, makeStringOnly } from "@effect/platform/KeyValueStore"
import { act, cleanup, render, waitFor } from "@testing-library/react"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type ReactNode, StrictMode } from "react"
import { renderToString } from "react-dom/server"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  type Invalidate,
  SdkProvider,
  useInvalidate,
  useRpc,
  useWallet,
  useWrite
} from "../../react/index.js"
import { PersistProvider, type PersistProviderProps } from "../../react/persistence.js"
import type { BrowserWallet } from "../../src/services/WalletProvider.js"
import { advanceTime, installVirtualTime } from "./clock.js"
import { deferReply, startServer, type TestServer } from "./testServer.js"

const ETHEREUM = "ethereum-mainnet"
const ADDRESS = `0x${"a1".repeat(20)}`
const OTHER = `0x${"b2".repeat(20)}`
const options = { network: ETHEREUM } as const
const local = layerStorage(() => localStorage)

installVirtualTime()

let chain: TestServer
beforeEach(async () => {
  localStorage.clear()
  chain = await startServer()
})
afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  await chain.close()
  expect(chain.unexpected).toEqual([])
})

const countRequests = (): number => chain.count("eth_getBalance")
const setBalance = (result: string) => chain.rules.set("eth_getBalance", () => ({ result }))
const Balance = ({ address = ADDRESS, staleTime = 60_000 }) => {
  const { data, status } = useRpc("getBalance", [address], { ...options, staleTime })
  return <b>{`${status} ${data} `}</b>
}

/** No plain data: such arguments are the same where they are the same object. */
const request: { readonly to: string } = Object.create(null, { to: { value: ADDRESS, enumerable: true } })
Object.setPrototypeOf(request, { kind: "a request" })

const Called = () => <i>{useRpc("call", [request], options).data}</i>

const Account = ({ wallet }: { readonly wallet: BrowserWallet }) => {
  const { account } = useWallet(options)
  const { run } = useWrite("wallet.use", options)
  return (
    <button type="button" onClick={() => void run(wallet)}>
      {account ?? "none"}
    </button>
  )
}

let invalidate: Invalidate<typeof ETHEREUM> | undefined
const Balances = ({ addresses }: { readonly addresses: ReadonlyArray<string> }) => {
  invalidate = useInvalidate(options)
  return addresses.map((address) => <Balance key={address} address={address} />)
}

/** A visit of the page, with another provider each time. */
const visit = (
  children: ReactNode = <Balance />,
  { apiKey, ...props }: Partial<PersistProviderProps> & { readonly apiKey?: string } = {}
) =>
  render(
    <StrictMode>
      <SdkProvider config={{ ...chain.config(ETHEREUM), ...(apiKey === undefined ? {} : { apiKey }) }}>
        <PersistProvider store={local} {...props}>
          {children}
        </PersistProvider>
      </SdkProvider>
    </StrictMode>
  )

/** A first visit that has seen an answer. */
const visitOnce = async (wei = "0x7", props: Parameters<typeof visit>[1] = {}): Promise<void> => {
  setBalance(wei)
  const { container, unmount } = visit(undefined, props)
  await waitFor(() => expect(container.textContent).toBe(`success ${BigInt(wei)} `))
  unmount()
  await advanceTime(20)
}

describe("an answer that is kept", () => {
  it("is there at once in the next visit, and is not asked for as long as it is fresh", async () => {
    await visitOnce()
    expect(countRequests()).toBe(1)
    const { container } = visit()
    expect(container.textContent).toBe("success 7 ")
    await advanceTime(50)
    expect(countRequests()).toBe(1)
  })

  it("is shown, and asked for again where it is stale", async () => {
    await visitOnce()
    await advanceTime(30)
    const { answer, reply } = deferReply()
    chain.rules.set("eth_getBalance", reply)
    const { container } = visit(<Balance staleTime={10} />)
    expect(container.textContent).toBe("success 7 ")
    await waitFor(() => expect(countRequests()).toBe(2))
    await act(async () => answer("0x8"))
    await waitFor(() => expect(container.textContent).toBe("success 8 "))
  })

  it("stays for later visits, whoever looks at it in between", async () => {
    await visitOnce()
    setBalance("0x9")
    const between = visit(<Balance address={OTHER} />)
    await waitFor(() => expect(between.container.textContent).toBe("success 9 "))
    between.unmount()
    await advanceTime(20)
    const { container } = visit([<Balance key="1" />, <Balance key="2" address={OTHER} />])
    expect(container.textContent).toBe("success 7 success 9 ")
    expect(countRequests()).toBe(2)
  })

  it("is kept while the page is there, too", async () => {
    setBalance("0x7")
    visit()
    await waitFor(() => expect(localStorage.getItem("effect-chains")).toContain("rpc.getBalance"))
  })

  it("may be one of a store that takes its time: something else is shown until then", async () => {
    const all = new Map<string, string>()
    const slow = <A,>(value: () => A) => Effect.delay(Effect.sync(value), 50)
    const store = Layer.succeed(
      KeyValueStore,
      makeStringOnly({
        get: (key) => slow(() => Option.fromNullable(all.get(key))),
        set: (key, value) => slow(() => void all.set(key, value)),
        remove: (key) => slow(() => void all.delete(key)),
        clear: slow(() => all.clear()),
        size: slow(() => all.size)
      })
    )
    await visitOnce("0x7", { store })
    await advanceTime(150)
    const { container } = visit(undefined, { store, fallback: "restoring" })
    expect(container.textContent).toBe("restoring")
    await waitFor(() => expect(container.textContent).toBe("success 7 "))
    expect(countRequests()).toBe(1)
  })
})

describe("what is not kept", () => {
  it("is an answer of another version, one that is too old, or one that is not wanted", async () => {
    for (const props of [{ version: "2" }, { maxAge: 0 }, { name: "somebody else" }]) {
      localStorage.clear()
      await visitOnce()
      setBalance("0x8")
      await advanceTime(5)
      const { container, unmount } = visit(undefined, props)
      expect(container.textContent).toBe("loading undefined ")
      await waitFor(() => expect(container.textContent).toBe("success 8 "))
      unmount()
    }
    localStorage.clear()
    await visitOnce("0x7", { shouldPersist: ({ args }) => args[0] !== ADDRESS })
    expect(localStorage.getItem("effect-chains") ?? "").not.toContain("rpc.getBalance")
  })

  it("is the wallet of the page, which is asked anew", async () => {
    setBalance("0x7")
    const wallet = {
      request: async ({ method }: { readonly method: string }) =>
        method === "eth_chainId" ? "0x1" : [ADDRESS],
      on: () => {},
      removeListener: () => {}
    }
    const { container, getByRole, unmount } = visit([
      <Account key="1" wallet={wallet} />,
      <Balance key="2" />
    ])
    await act(async () => getByRole("button").click())
    await waitFor(() => expect(container.textContent).toBe(`${ADDRESS}success 7 `))
    unmount()
    await advanceTime(20)
    const text = localStorage.getItem("effect-chains") ?? ""
    expect(text).toContain("rpc.getBalance")
    expect(text).not.toContain("wallet.")
  })

  it("is a read whose arguments are compared by identity, which is another one in the next visit", async () => {
    setBalance("0x7")
    chain.rules.set("eth_call", () => ({ result: "0x2a" }))
    const { container, unmount } = visit([<Called key="1" />, <Balance key="2" />])
    await waitFor(() => expect(container.textContent).toBe("0x2asuccess 7 "))
    unmount()
    await advanceTime(20)
    const text = localStorage.getItem("effect-chains") ?? ""
    expect(text).toContain("rpc.getBalance")
    expect(text).not.toContain("rpc.call")
  })

  it("is an answer that is out of date, which the look at all that is held does not ask for", async () => {
    const page = (addresses: ReadonlyArray<string>) => (
      <SdkProvider config={chain.config(ETHEREUM)}>
        <PersistProvider store={local}>
          <Balances addresses={addresses} />
        </PersistProvider>
      </SdkProvider>
    )
    setBalance("0x7")
    const { container, rerender, unmount } = render(page([ADDRESS, OTHER]))
    await waitFor(() => expect(container.textContent).toBe("success 7 success 7 "))
    rerender(page([OTHER]))
    await act(async () => invalidate?.("rpc.getBalance", [ADDRESS]))
    expect(countRequests()).toBe(2)
    unmount()
    await advanceTime(200)
    const text = localStorage.getItem("effect-chains") ?? ""
    expect(text).toContain(OTHER)
    expect(text).not.toContain(ADDRESS)
    expect(countRequests()).toBe(2)
  })

  it("is a key", async () => {
    const apiKey = "a-key-that-is-nobodys-business"
    await visitOnce("0x7", { apiKey })
    const text = localStorage.getItem("effect-chains") ?? ""
    expect(text).toContain("rpc.getBalance")
    expect(text).not.toContain(apiKey)
  })

  it("is what a store does not take or give: that is told, and nothing else happens", async () => {
    const lines: Array<string> = []
    vi.spyOn(console, "log").mockImplementation((...line) => void lines.push(line.join(" ")))
    for (const text of ["no JSON", "{}", '{"version":"1","values":[{"key":7}]}']) {
      lines.length = 0
      localStorage.setItem("effect-chains", text)
      await visitOnce()
      expect(lines.join()).toContain("nothing is restored")
    }
    lines.length = 0
    localStorage.clear()
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError")
    })
    await visitOnce()
    expect(lines.join()).toContain("nothing is kept")
  })
})

it("shows its fallback on a server", () => {
  const html = renderToString(
    <SdkProvider config={chain.config(ETHEREUM)}>
      <PersistProvider store={local} fallback={<i>soon</i>}>
        <Balance />
      </PersistProvider>
    </SdkProvider>
  )
  expect(html).toBe("<i>soon</i>")
})
