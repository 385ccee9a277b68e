/** Hooks that write, under StrictMode, against a real server. */
import { act, cleanup, renderHook, waitFor } from "@testing-library/react"
import * as Effect from "effect/Effect"
import { type ReactNode, StrictMode } from "react"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  SdkProvider,
  useConnect,
  useDisconnect,
  useRun,
  useSendTransaction,
  useSubscriptions,
  useSuspenseSubscriptions,
  useWallet,
  useWrite
} from "../../react/index.js"
import { advanceTime, installVirtualTime } from "./clock.js"
import { deferReply, startServer, type TestServer } from "./testServer.js"

const ETHEREUM = "ethereum-mainnet"
const HASH = `0x${"cc".repeat(32)}`
const ADDRESS = `0x${"a1".repeat(20)}`

installVirtualTime()

let chain: TestServer

beforeEach(async () => {
  chain = await startServer()
})

afterEach(async () => {
  cleanup()
  localStorage.clear()
  await chain.close()
  expect(chain.unexpected).toEqual([])
})

const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <StrictMode>
    <SdkProvider config={{ ...chain.config(ETHEREUM), apiKey: "key" }}>{children}</SdkProvider>
  </StrictMode>
)

describe("a write", () => {
  it("is sent once per call, and every call has its own answer (Q2)", async () => {
    const held = deferReply()
    chain.rules.set("eth_sendRawTransaction", held.reply)
    const { result } = renderHook(() => useWrite("rpc.sendRawTransaction", { network: ETHEREUM }), {
      wrapper
    })
    await advanceTime(50)
    expect(chain.requests).toEqual([])
    expect(result.current.status).toBe("idle")
    const outcomes: Array<Promise<unknown>> = []
    const run = (signed: string): void => act(() => void outcomes.push(result.current.run(signed)))
    run("0x01")
    await expect.poll(() => chain.count("eth_sendRawTransaction")).toBe(1)
    run("0x02")
    await expect.poll(() => chain.count("eth_sendRawTransaction")).toBe(2)
    expect(result.current.status).toBe("loading")
    held.answer("0xaa")
    expect(await act(() => outcomes[0])).toEqual({ status: "SUCCESS", data: "0xaa" })
    expect(result.current.status).toBe("loading")
    held.answer("0xbb")
    expect(await act(() => outcomes[1])).toEqual({ status: "SUCCESS", data: "0xbb" })
    await waitFor(() => expect(result.current).toMatchObject({ status: "success", data: "0xbb" }))
    expect(chain.requests.map(({ params }) => params)).toEqual([["0x01"], ["0x02"]])
    act(() => result.current.reset())
    expect(result.current).toMatchObject({ status: "idle", data: undefined })
  })

  it("has its typed error, and never rejects", async () => {
    chain.rules.set("eth_sendRawTransaction", () => ({ error: { code: -32_000, message: "nonce too low" } }))
    const { result } = renderHook(() => useWrite("rpc.sendRawTransaction", { network: ETHEREUM }), {
      wrapper
    })
    const outcome = await act(() => result.current.run("0x01"))
    expect(outcome).toMatchObject({ status: "ERROR", error: { cause: { _tag: "RpcError", code: -32_000 } } })
    expect(result.current).toMatchObject({ status: "error", error: { _tag: "RpcError" } })
  })

  it("goes on when the component and its provider are gone", async () => {
    const held = deferReply()
    chain.rules.set("eth_sendRawTransaction", held.reply)
    const { result, unmount } = renderHook(() => useWrite("rpc.sendRawTransaction", { network: ETHEREUM }), {
      wrapper
    })
    const outcomes: Array<Promise<unknown>> = []
    act(() => void outcomes.push(result.current.run("0x01")))
    await expect.poll(() => chain.count("eth_sendRawTransaction")).toBe(1)
    unmount()
    await advanceTime(1_200)
    held.answer("0xaa")
    expect(await outcomes[0]).toEqual({ status: "SUCCESS", data: "0xaa" })
    expect(chain.countAborted()).toBe(0)
  })

  it("of a method that reads is refused", async () => {
    const { result } = renderHook(
      () => useWrite("rpc.getBalance" as "rpc.sendRawTransaction", { network: ETHEREUM }),
      { wrapper }
    )
    expect(await act(() => result.current.run("0x01"))).toMatchObject({
      error: { cause: { _tag: "InvalidArgument" } }
    })
    expect(chain.requests).toEqual([])
  })
})

describe("an effect of one's own", () => {
  it("runs with the client, and resolves to its outcome", async () => {
    chain.rules.set("eth_chainId", () => ({ result: "0x1" }))
    const { result } = renderHook(() => useRun({ network: ETHEREUM }), { wrapper })
    expect(await act(() => result.current((sdk) => sdk.rpc.chainId()))).toMatchObject({ data: 1n })
    expect(await act(() => result.current(Effect.succeed(5)))).toEqual({ status: "SUCCESS", data: 5 })
    expect(await act(() => result.current(() => Effect.fail(new Error("no"))))).toMatchObject({
      status: "ERROR",
      error: { message: ["no"] }
    })
  })
})

describe("subscriptions of the key", () => {
  it("are listed, and asked for again after one was made or deleted", async () => {
    const all = [
      { id: "s1", type: "FAILED_TXS_PER_BLOCK", attr: { chain: ETHEREUM, url: "https://a.example" } }
    ]
    chain.rules.set("GET /v4/subscription", () => ({ result: all }))
    chain.rules.set("DELETE /v4/subscription/s1", () => {
      all.length = 0
      return { result: {} }
    })
    const { result } = renderHook(() => useSubscriptions({ network: ETHEREUM }), { wrapper })
    await waitFor(() => expect(result.current.status).toBe("success"))
    expect(result.current.data).toMatchObject([{ id: "s1" }])
    expect(Object.keys(result.current.subscribe)).toContain("addressEvent")
    expect(await act(() => result.current.unsubscribe("s1"))).toMatchObject({ status: "SUCCESS" })
    await waitFor(() => expect(result.current.data).toEqual([]))
    expect(chain.count("GET /v4/subscription")).toBe(2)
  })

  it("are asked for again after one was changed, or all of a network", async () => {
    const attr = { chain: ETHEREUM, url: "https://a.example" }
    chain.rules.set("GET /v4/subscription", () => ({
      result: [{ id: "s1", type: "FAILED_TXS_PER_BLOCK", attr: { ...attr } }]
    }))
    chain.rules.set("PUT /v4/subscription/s1", () => {
      attr.url = "https://b.example"
      return { result: {} }
    })
    chain.rules.set("PUT /v4/subscription/batch", () => {
      attr.url = "https://c.example"
      return { result: {} }
    })
    const { result } = renderHook(() => useSubscriptions({ network: ETHEREUM }), { wrapper })
    await waitFor(() => expect(result.current.data).toMatchObject([{ url: "https://a.example" }]))
    await act(() => result.current.update("s1", { url: "https://b.example" }))
    await waitFor(() => expect(result.current.data).toMatchObject([{ url: "https://b.example" }]))
    await act(() => result.current.updateNetwork({ url: "https://c.example" }))
    await waitFor(() => expect(result.current.data).toMatchObject([{ url: "https://c.example" }]))
    expect(chain.count("GET /v4/subscription")).toBe(3)
  })

  it("are selected from, and waited for", async () => {
    const all = [
      { id: "s1", type: "FAILED_TXS_PER_BLOCK", attr: { chain: ETHEREUM, url: "https://a.example" } }
    ]
    chain.rules.set("GET /v4/subscription", () => ({ result: all }))
    const { result } = renderHook(
      () => useSubscriptions({ network: ETHEREUM, select: (each) => each.length }),
      { wrapper }
    )
    expect(result.current.status).toBe("loading")
    await waitFor(() => expect(result.current.data).toBe(1))
    const twin = renderHook(() => useSuspenseSubscriptions({ network: ETHEREUM }), { wrapper })
    await waitFor(() => expect(twin.result.current?.data).toMatchObject([{ id: "s1" }]))
    expect(Object.keys(twin.result.current.subscribe)).toContain("addressEvent")
  })
})

/** A wallet as browsers have them (EIP-1193), with one account that the user lets the page see. */
class Wallet {
  readonly asked: Array<string> = []
  private readonly listeners = new Map<string, Set<(value: unknown) => void>>()
  private isSilent = false
  constructor(
    private connected = false,
    private readonly account = ADDRESS
  ) {}
  readonly request = async ({ method }: { readonly method: string }): Promise<unknown> => {
    this.asked.push(method)
    if (this.isSilent) throw new Error("no")
    if (method === "eth_accounts") return this.connected ? [this.account] : []
    if (method === "eth_requestAccounts") {
      this.connected = true
      return [this.account]
    }
    if (method === "eth_chainId") return "0x1"
    if (method === "eth_sendTransaction") return HASH
    throw new Error(`unexpected: ${method}`)
  }
  /** It answers nothing any more. */
  refuse(): void {
    this.isSilent = true
  }
  readonly on = (name: string, listener: (value: unknown) => void): void => {
    this.listeners.set(name, (this.listeners.get(name) ?? new Set()).add(listener))
  }
  readonly removeListener = (name: string, listener: (value: unknown) => void): void => {
    this.listeners.get(name)?.delete(listener)
  }
  readonly emit = (name: string, value: unknown): void => {
    for (const listener of this.listeners.get(name) ?? []) listener(value)
  }
  readonly count = (): number => [...this.listeners.values()].reduce((sum, { size }) => sum + size, 0)
}

describe("the wallet of the page", () => {
  it("is loading until its accounts are known, and no error where there is none", async () => {
    const seen: Array<string> = []
    const { result } = renderHook(
      () => {
        const { error, isConnected, status, wallets } = useWallet({ network: ETHEREUM })
        const text = `${status} ${wallets.length} ${isConnected} ${error?._tag}`
        if (seen.at(-1) !== text) seen.push(text)
        return useWallet({ network: ETHEREUM, enabled: false }).status
      },
      { wrapper }
    )
    await waitFor(() => expect(seen).toEqual(["loading 0 false undefined", "success 0 false undefined"]))
    expect(result.current).toBe("idle")
  })

  it("that fails says how, and is there all the same", async () => {
    const wallet = {
      request: async ({ method }: { readonly method: string }) => {
        if (method === "eth_accounts") return "none of your business"
        return "0x1"
      }
    }
    const failing = ({ children }: { readonly children: ReactNode }) => (
      <SdkProvider config={chain.config(ETHEREUM)}>{children}</SdkProvider>
    )
    const { result } = renderHook(
      () => ({
        wallet: useWallet({ network: ETHEREUM, select: ({ chainId }) => chainId }),
        use: useWrite("wallet.use", { network: ETHEREUM })
      }),
      { wrapper: failing }
    )
    expect(await act(() => result.current.use.run(wallet))).toMatchObject({ status: "SUCCESS" })
    await waitFor(() =>
      expect(result.current.wallet).toMatchObject({ status: "error", error: { _tag: "WalletError" } })
    )
    await waitFor(() => expect(result.current.wallet).toMatchObject({ data: 1n, accounts: [], chainId: 1n }))
  })

  it("is found, connected when the user says so, followed, and sends", async () => {
    const wallet = new Wallet()
    const announce = (): void => {
      window.dispatchEvent(
        new CustomEvent("eip6963:announceProvider", {
          detail: {
            provider: wallet,
            info: { uuid: "u-1", name: "One", icon: "data:,", rdns: "example.one" }
          }
        })
      )
    }
    window.addEventListener("eip6963:requestProvider", announce)
    try {
      const { result, unmount } = renderHook(
        () => ({
          wallet: useWallet({ network: ETHEREUM }),
          connect: useConnect({ network: ETHEREUM }),
          send: useSendTransaction({ network: ETHEREUM })
        }),
        { wrapper }
      )
      await waitFor(() => expect(result.current.wallet.wallets.map(({ name }) => name)).toEqual(["One"]))
      await waitFor(() => expect(result.current.wallet.chainId).toBe(1n))
      expect(result.current.wallet).toMatchObject({ account: undefined, accounts: [], isConnected: false })
      expect(wallet.asked).not.toContain("eth_requestAccounts")
      expect(await act(() => result.current.connect.run("example.one"))).toMatchObject({ data: ADDRESS })
      await waitFor(() =>
        expect(result.current.wallet).toMatchObject({ account: ADDRESS, isConnected: true })
      )
      await expect.poll(() => wallet.count()).toBeGreaterThan(0)
      expect(await act(() => result.current.send.run({ to: ADDRESS, value: 1n }))).toEqual({
        status: "SUCCESS",
        data: HASH
      })
      await act(async () => wallet.emit("chainChanged", "0x5"))
      await waitFor(() => expect(result.current.wallet.chainId).toBe(5n))
      await act(async () => wallet.emit("accountsChanged", []))
      await waitFor(() => expect(result.current.wallet.isConnected).toBe(false))
      unmount()
      await advanceTime(3_000)
      expect(wallet.count()).toBe(0)
    } finally {
      window.removeEventListener("eip6963:requestProvider", announce)
    }
  })

  describe("that the user chose", () => {
    const OTHER = `0x${"b2".repeat(20)}`
    let ends: Array<() => void> = []

    afterEach(() => {
      for (const end of ends) end()
      ends = []
    })

    const announce = (wallet: Wallet, rdns: string): void => {
      const detail = {
        provider: wallet,
        info: { uuid: crypto.randomUUID(), name: rdns, icon: "data:,", rdns }
      }
      const say = (): void => {
        window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }))
      }
      window.addEventListener("eip6963:requestProvider", say)
      ends.push(() => window.removeEventListener("eip6963:requestProvider", say))
      say()
    }

    /** The page anew, with wallets that its user has let it see before: in this order, each with an account of its own. */
    const load = (names: ReadonlyArray<"one" | "two">) => {
      cleanup()
      for (const end of ends) end()
      ends = []
      const wallets = { one: new Wallet(true), two: new Wallet(true, OTHER) }
      for (const name of names) announce(wallets[name], `example.${name}`)
      const seen: Array<string> = []
      const { result } = renderHook(
        () => {
          const wallet = useWallet({ network: ETHEREUM })
          const text = `${wallet.status} ${wallet.wallets.length} ${wallet.account} ${wallet.error?._tag}`
          if (seen.at(-1) !== text) seen.push(text)
          return {
            wallet,
            connect: useConnect({ network: ETHEREUM }),
            disconnect: useDisconnect({ network: ETHEREUM }),
            run: useRun({ network: ETHEREUM }),
            send: useSendTransaction({ network: ETHEREUM })
          }
        },
        { wrapper }
      )
      const transaction = { to: ADDRESS, value: 1n }
      return { ...wallets, result, seen, send: () => act(() => result.current.send.run(transaction)) }
    }

    it("is there again after a reload, and it is the one that sends", async () => {
      const first = load(["one", "two"])
      await waitFor(() => expect(first.result.current.wallet).toMatchObject({ status: "success" }))
      // nobody has said which one it is to be
      expect(first.result.current.wallet).toMatchObject({ account: undefined, isConnected: false })
      expect(first.result.current.wallet.wallets).toHaveLength(2)
      const unsure = { error: { cause: { _tag: "WalletNotChosen" } } }
      expect(await act(() => first.result.current.connect.run())).toMatchObject(unsure)
      expect(await first.send()).toMatchObject(unsure)
      expect([...first.one.asked, ...first.two.asked]).toEqual([])
      expect(await act(() => first.result.current.connect.run("example.two"))).toMatchObject({ data: OTHER })
      await waitFor(() => expect(first.result.current.wallet.account).toBe(OTHER))
      const { one, result, seen, send, two } = load(["one", "two"])
      await waitFor(() => expect(result.current.wallet).toMatchObject({ account: OTHER, isConnected: true }))
      expect(seen.join()).not.toContain(ADDRESS)
      expect(await send()).toEqual({ status: "SUCCESS", data: HASH })
      expect(one.asked).toEqual([])
      expect(two.asked).toContain("eth_sendTransaction")
    })

    it("is waited for where it is not there, then not found, and followed as soon as it comes", async () => {
      const before = load(["one", "two"])
      expect(await act(() => before.result.current.connect.run("example.two"))).toMatchObject({ data: OTHER })
      const { one, result, seen, send, two } = load(["one"])
      await waitFor(() => expect(result.current.wallet.error?._tag).toBe("WalletNotFound"))
      expect(result.current.wallet).toMatchObject({ status: "error", account: undefined, isConnected: false })
      expect(result.current.wallet.wallets.map(({ rdns }) => rdns)).toEqual(["example.one"])
      expect(seen).toEqual(["loading 0 undefined undefined", "error 1 undefined WalletNotFound"])
      expect(await send()).toMatchObject({
        error: { cause: { _tag: "WalletNotFound", wallet: "example.two" } }
      })
      expect(one.asked).toEqual([])
      act(() => announce(two, "example.two"))
      await waitFor(() => expect(result.current.wallet).toMatchObject({ account: OTHER, error: undefined }))
      await expect.poll(() => two.count()).toBeGreaterThan(0)
      await act(async () => two.emit("accountsChanged", []))
      await waitFor(() => expect(result.current.wallet.isConnected).toBe(false))
      expect(one.asked).toEqual([])
    })

    it("is the one that is shown, however it was chosen", async () => {
      const { result, one, two } = load(["one", "two"])
      await act(() => result.current.connect.run("example.one"))
      await waitFor(() => expect(result.current.wallet.account).toBe(ADDRESS))
      await expect.poll(() => one.count()).toBeGreaterThan(0)
      await act(async () => one.emit("accountsChanged", [ADDRESS]))
      await act(() => result.current.run((sdk) => sdk.wallet.use("example.two")))
      await waitFor(() => expect(result.current.wallet.account).toBe(OTHER))
      await expect.poll(() => one.count()).toBe(0)
      two.refuse()
      await act(() => result.current.run((sdk) => sdk.wallet.use("example.one")))
      await waitFor(() => expect(result.current.wallet.account).toBe(ADDRESS))
      // of one that says nothing, nothing is shown
      await act(() => result.current.run((sdk) => sdk.wallet.use("example.two")))
      await waitFor(() => expect(result.current.wallet.error?._tag).toBe("WalletError"))
      expect(result.current.wallet).toMatchObject({ account: undefined, isConnected: false })
    })

    it("is forgotten when the user disconnects", async () => {
      const { result, two } = load(["two"])
      await waitFor(() => expect(result.current.wallet.account).toBe(OTHER))
      await expect.poll(() => two.count()).toBeGreaterThan(0)
      await act(async () => two.emit("accountsChanged", [OTHER]))
      expect(await act(() => result.current.disconnect.run())).toMatchObject({ status: "SUCCESS" })
      await waitFor(() =>
        expect(result.current.wallet).toMatchObject({
          status: "success",
          account: undefined,
          isConnected: false
        })
      )
      await act(async () => two.emit("accountsChanged", [OTHER]))
      expect(result.current.wallet.isConnected).toBe(false)
      const next = load(["two"])
      await waitFor(() => expect(next.result.current.wallet.status).toBe("success"))
      expect(next.result.current.wallet.account).toBe(undefined)
      expect(await act(() => next.result.current.connect.run())).toMatchObject({ data: OTHER })
      await waitFor(() => expect(next.result.current.wallet.account).toBe(OTHER))
    })
  })
})
