/** What hooks of contracts and signers keep, and what they ask for again; what they do on a chain is tested on one (`test/nodes/dapp`). */
import { RegistryContext } from "@effect-rx/rx-react"
import { act, cleanup, renderHook, waitFor } from "@testing-library/react"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Component, type ReactNode, StrictMode, useContext } from "react"
import { encodeAbiParameters, type Hex } from "viem"
import { afterEach, beforeEach, expect, it } from "vitest"
import { useReadContract, useWatchContractEvent } from "../../react/contracts.js"
import { dehydrate, SdkProvider, type SdkProviderProps, useInvalidate } from "../../react/index.js"
import { useSigner, useSuspenseSigner } from "../../react/signers.js"
import { SigningFailed } from "../../src/data/SdkError.js"
import { advanceTime, installVirtualTime } from "./clock.js"
import { startServer, type TestServer } from "./testServer.js"

const network = "ethereum-mainnet"
const address = `0x${"a1".repeat(20)}`

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

const within = (props: Partial<SdkProviderProps> = {}) => ({
  wrapper: ({ children }: { readonly children: ReactNode }) => (
    <StrictMode>
      <SdkProvider config={chain.config(network)} {...props}>
        {children}
      </SdkProvider>
    </StrictMode>
  )
})

/** Keeps what the components below it throw. */
class Boundary extends Component<{ readonly children: ReactNode; readonly caught: Array<unknown> }> {
  override state = { isBroken: false }
  static getDerivedStateFromError = () => ({ isBroken: true })
  override componentDidCatch(error: unknown) {
    this.props.caught.push(error)
  }
  override render() {
    return this.state.isBroken ? null : this.props.children
  }
}

const waitForAnswer = (type: string) =>
  [
    { type: "function", name: "value", stateMutability: "view", inputs: [], outputs: [{ name: "", type }] }
  ] as const

/** Says this word to every call. */
const setCallResult = (word: Hex) => chain.rules.set("eth_call", () => ({ result: word }))
const one = encodeAbiParameters([{ type: "uint256" }], [1n])

it("tells functions of one name apart by what they are", async () => {
  setCallResult(one)
  const { result } = renderHook(
    () => ({
      number: useReadContract({ address, abi: waitForAnswer("uint256"), functionName: "value" }, { network })
        .data,
      flag: useReadContract({ address, abi: waitForAnswer("bool"), functionName: "value" }, { network }).data
    }),
    within()
  )
  await waitFor(() => expect(result.current).toEqual({ number: 1n, flag: true }))
  expect(chain.count("eth_call")).toBe(2)
})

it("shares the answer between spellings of an address, and not with a mistyped one", async () => {
  setCallResult(one)
  const abi = waitForAnswer("uint256")
  const spelled = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e"
  const read = (contract: string) =>
    useReadContract({ address: contract, abi, functionName: "value" }, { network })
  const { result } = renderHook(
    () => ({
      // it comes first, and its failure is its own
      mistyped: read(spelled.replace("Cc", "cC")),
      lower: read(spelled.toLowerCase()),
      spelled: read(spelled)
    }),
    within()
  )
  await waitFor(() => {
    expect(result.current.mistyped.error).toMatchObject({ _tag: "InvalidAddress" })
    expect([result.current.lower.data, result.current.spelled.data]).toEqual([1n, 1n])
  })
  expect(chain.count("eth_call")).toBe(1)
})

it("watches the event that the ABI of the last render has", async () => {
  // the heads that are followed without a socket
  chain.rules.set("eth_blockNumber", () => ({ result: "0x1" }))
  chain.rules.set("eth_getBlockByNumber", () => ({ result: null }))
  const config = {
    ...chain.config(network),
    subscriptions: {
      webSocket: () => {
        throw new Error("there are no sockets here")
      }
    }
  }
  const moved = [{ type: "event", name: "Moved", inputs: [] }] as const
  const { rerender, result } = renderHook(
    ({ abi }: { readonly abi: ReadonlyArray<unknown> }) =>
      useWatchContractEvent({ address, abi, eventName: "Moved" }, () => {}, { network }),
    { ...within({ config }), initialProps: { abi: waitForAnswer("uint256") as ReadonlyArray<unknown> } }
  )
  await waitFor(() => expect(result.current.error?._tag).toBe("InvalidArgument"))
  rerender({ abi: moved })
  await advanceTime(100)
  expect(result.current).toEqual({ status: "watching", error: undefined })
})

it("asks contracts again as the provider says of what the chain knows", async () => {
  setCallResult(one)
  const abi = waitForAnswer("uint256")
  const { result } = renderHook(
    () => useReadContract({ address, abi, functionName: "value" }, { network }),
    within({ defaults: { refresh: 50 } })
  )
  await waitFor(() => expect(result.current.data).toBe(1n))
  setCallResult(encodeAbiParameters([{ type: "uint256" }], [2n]))
  await waitFor(() => expect(result.current.data).toBe(2n))
})

it("keeps a signer, whoever says that all is out of date, and gives it to no other page", async () => {
  let made = 0
  const make = (_: object, { words }: { readonly words: Redacted.Redacted }) =>
    Effect.sync(() => ({ address, number: ++made, count: Redacted.value(words).length }))
  const makeOther = (_: object, __: { readonly words: Redacted.Redacted }) =>
    Effect.succeed({ kind: "other" })
  const words = (text: string) => ({ words: Redacted.make(text) })
  const { rerender, result } = renderHook(
    ({ isShown }: { readonly isShown: boolean }) => ({
      one: useSigner(make, isShown ? words("one") : undefined, { network }),
      same: useSigner(make, isShown ? words("one") : undefined, { network }),
      other: useSigner(make, words("another"), { network }),
      // another kind of signer that is made from the same
      kind: useSigner(makeOther, words("one"), { network }),
      invalidate: useInvalidate({ network }),
      registry: useContext(RegistryContext)
    }),
    { ...within(), initialProps: { isShown: true } }
  )
  await waitFor(() => expect(result.current.one.data?.count).toBe(3))
  await waitFor(() => expect(result.current.other.data?.count).toBe(7))
  const { data } = result.current.one
  expect(result.current.same.data).toBe(data)
  await waitFor(() => expect(result.current.kind.data).toEqual({ kind: "other" }))
  expect(made).toBe(2)
  await act(() => result.current.invalidate(() => true))
  act(() => window.dispatchEvent(new Event("online")))
  rerender({ isShown: false })
  expect(result.current.one.status).toBe("idle")
  await advanceTime(1_500)
  rerender({ isShown: true })
  await waitFor(() => expect(result.current.one.data).toBe(data))
  expect(made).toBe(2)
  expect(JSON.stringify(dehydrate(result.current.registry))).not.toContain(address)
})

it("tries again to make a signer that could not be made, for a component that comes", async () => {
  let isUp = false
  const make = () =>
    Effect.suspend(() =>
      isUp ? Effect.succeed({ address }) : Effect.fail(new SigningFailed({ reason: "the device is away" }))
    )
  const { rerender, result } = renderHook(
    ({ isShown }: { readonly isShown: boolean }) =>
      useSigner(make, isShown ? "device" : undefined, { network }),
    { ...within(), initialProps: { isShown: true } }
  )
  await waitFor(() => expect(result.current.error?.message).toContain("the device is away"))
  isUp = true
  rerender({ isShown: false })
  rerender({ isShown: true })
  await waitFor(() => expect(result.current.data).toEqual({ address }))
})

it("waits for a signer in the Suspense twin, which shares it, and throws when there is none", async () => {
  let made = 0
  const make = (_: object, from: string) =>
    from === "away"
      ? Effect.fail(new SigningFailed({ reason: "the device is away" }))
      : Effect.delay(
          Effect.sync(() => ({ address, number: ++made })),
          20
        )
  const shown: Array<unknown> = []
  const { result } = renderHook(() => {
    const { data } = useSuspenseSigner(make, "device", { network })
    shown.push(data)
    return { data, same: useSigner(make, "device", { network }).data }
  }, within())
  expect(result.current).toBeNull()
  await waitFor(() => expect(result.current.data).toEqual({ address, number: 1 }))
  expect(result.current.same).toBe(result.current.data)
  expect(shown).not.toContain(undefined)
  const caught: Array<unknown> = []
  const { wrapper: Within } = within()
  renderHook(() => useSuspenseSigner(make, "away", { network }), {
    wrapper: ({ children }: { readonly children: ReactNode }) => (
      <Within>
        <Boundary caught={caught}>{children}</Boundary>
      </Within>
    ),
    onCaughtError: () => {}
  })
  await waitFor(() => expect(caught.at(-1)).toMatchObject({ _tag: "SigningFailed" }))
})
