/** WalletConnect: its own EIP-1193 provider as the wallet of the page, whose other side is a phone. */
import { act, cleanup, renderHook, waitFor } from "@testing-library/react"
import type { ReactNode } from "react"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { SdkProvider, useConnect, useDisconnect, useSendTransaction, useWallet } from "../../react/index.js"
import { advanceTime, installVirtualTime } from "./clock.js"
import { startServer, type TestServer } from "./testServer.js"
import { EthereumProvider } from "./walletconnect.js"

const ETHEREUM = "ethereum-mainnet"
const ONE = `0x${"a1".repeat(20)}`
const TWO = `0x${"b2".repeat(20)}`

installVirtualTime()

let chain: TestServer
beforeAll(async () => {
  chain = await startServer()
})
afterAll(() => chain.close())
afterEach(() => {
  cleanup()
  localStorage.clear()
  EthereumProvider.forget()
})

const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <SdkProvider config={chain.config(ETHEREUM)}>{children}</SdkProvider>
)

const page = () =>
  renderHook(
    () => ({
      account: useWallet({ network: ETHEREUM }),
      connect: useConnect({ network: ETHEREUM }),
      disconnect: useDisconnect({ network: ETHEREUM }),
      send: useSendTransaction({ network: ETHEREUM })
    }),
    { wrapper }
  )

const make = () => EthereumProvider.init({ projectId: "p", optionalChains: [1], showQrModal: false })

/** A page whose user has scanned the code. */
const pairWallet = async () => {
  const provider = await make()
  const uris: Array<unknown> = []
  provider.on("display_uri", (uri) => uris.push(uri))
  const { result, unmount } = page()
  const enabled = provider.enable()
  expect(uris).toEqual([expect.stringMatching(/^wc:[0-9a-f]+@2/)])
  provider.approve([ONE])
  expect(await enabled).toEqual([ONE])
  expect(await act(() => result.current.connect.run(provider))).toMatchObject({ data: ONE })
  await waitFor(() => expect(result.current.account).toMatchObject({ account: ONE, isConnected: true }))
  return { provider, result, unmount }
}

describe("WalletConnect's provider", () => {
  it("is connected like any other, sends, and tells of another account and another chain", async () => {
    const { provider, result, unmount } = await pairWallet()
    expect(result.current.account.chainId).toBe(1n)
    expect(await act(() => result.current.send.run({ to: TWO, value: 1n }))).toMatchObject({
      status: "SUCCESS"
    })
    expect(provider.asked).toEqual([JSON.stringify([{ to: TWO, value: "0x1", from: ONE }])])
    await act(async () => provider.changeAccounts([TWO]))
    await waitFor(() => expect(result.current.account.account).toBe(TWO))
    await act(async () => provider.changeChain(137))
    await waitFor(() => expect(result.current.account.chainId).toBe(137n))
    unmount()
    // that of the test stays
    await advanceTime(3_000)
    expect(provider.listenerCount()).toBe(1)
  })

  it("is no account any more when the phone has ended the session", async () => {
    const { provider, result } = await pairWallet()
    await act(async () => provider.endSession())
    await waitFor(() =>
      expect(result.current.account).toMatchObject({ account: undefined, accounts: [], isConnected: false })
    )
    expect(result.current.account.status).toBe("success")
  })

  it("keeps its account where only the relay is out of reach", async () => {
    const { provider, result } = await pairWallet()
    await act(async () => provider.loseRelay())
    await advanceTime(100)
    expect(result.current.account).toMatchObject({ account: ONE, isConnected: true })
  })

  it("has its session in the next visit, without a question", async () => {
    const { unmount } = await pairWallet()
    unmount()
    const provider = await make()
    expect(provider.session).toBeDefined()
    const { result } = page()
    expect(await act(() => result.current.connect.run(provider))).toMatchObject({ data: ONE })
    await waitFor(() => expect(result.current.account.account).toBe(ONE))
    await act(() => result.current.disconnect.run())
    await waitFor(() => expect(result.current.account.isConnected).toBe(false))
  })

  it("that the user refuses connects nothing", async () => {
    const provider = await make()
    const { result } = page()
    const enabled = provider.enable()
    provider.rejectPairing()
    await expect(enabled).rejects.toMatchObject({ code: 5000 })
    await waitFor(() => expect(result.current.account.status).toBe("success"))
    expect(result.current.account.isConnected).toBe(false)
  })
})
