/** The panel that lists what is held, beside components that read, against a real server. */
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react"
import axe from "axe-core"
import { StrictMode } from "react"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { Devtools } from "../../react/devtools.js"
import { SdkProvider, useInvalidate, useRpc, useTransactions } from "../../react/index.js"
import { advanceTime, installVirtualTime } from "./clock.js"
import { deferReply, startServer, type TestServer } from "./testServer.js"

const ETHEREUM = "ethereum-mainnet"
const ONE = "0x0000000000000000000000000000000000000001"
const TWO = "0x0000000000000000000000000000000000000002"

installVirtualTime()

let chain: TestServer
beforeEach(async () => {
  chain = await startServer()
  chain.rules.set("eth_getBalance", () => ({ result: "0x10" }))
})
afterEach(async () => {
  cleanup()
  await chain.close()
  expect(chain.unexpected).toEqual([])
})

const countRequests = (): number => chain.count("eth_getBalance")

const Balance = ({ of }: { readonly of: string }) => (
  <i>{String(useRpc("getBalance", [of], { network: ETHEREUM }).data)}</i>
)

const ROW = {
  chain: ETHEREUM,
  hash: "0x5",
  address: ONE,
  blockNumber: 5,
  timestamp: 5,
  transactionType: "native",
  transactionSubtype: "incoming",
  amount: "1"
}

const List = () => <i>{useTransactions({ address: ONE }, { network: ETHEREUM }).data?.length} transactions</i>

let invalidate: () => Promise<void>
const Invalidating = () => {
  const some = useInvalidate({ network: ETHEREUM })
  invalidate = () => some(() => true)
  return null
}

const Page = ({
  addresses,
  isOpen = true
}: {
  readonly addresses: ReadonlyArray<string>
  readonly isOpen?: boolean
}) => (
  <StrictMode>
    <SdkProvider config={chain.config(ETHEREUM)}>
      {addresses.map((of, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two of them read the same
        <Balance key={i} of={of} />
      ))}
      <Invalidating />
      <Devtools initialIsOpen={isOpen} />
    </SdkProvider>
  </StrictMode>
)

/** The rows of the panel, each as its cells. */
const rows = (): ReadonlyArray<ReadonlyArray<string>> =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole("cell")
        .map((cell) => cell.textContent ?? "")
    )

const nameOf = (address: string): string => `rpc.getBalance("${address}")`

describe("the panel of what is held", () => {
  it("is a button until it is opened, and asks for nothing", async () => {
    render(<Page addresses={[ONE]} isOpen={false} />)
    await screen.findByText("16")
    expect(screen.queryByRole("table")).toBeNull()
    const before = chain.requests.length
    fireEvent.click(screen.getByRole("button", { name: "Reads", expanded: false }))
    await screen.findByText(nameOf(ONE))
    await advanceTime(1_200)
    expect(chain.requests.length).toBe(before)
    fireEvent.click(screen.getByRole("button", { name: "Close reads", expanded: true }))
    expect(screen.queryByRole("table")).toBeNull()
  })

  it("lists each read with its network, state, age and components", async () => {
    const slow = deferReply()
    chain.rules.set("eth_getBalance", (params) =>
      (params as readonly [string])[0] === TWO ? slow.reply() : { result: "0x10" }
    )
    render(<Page addresses={[ONE, ONE, TWO]} />)
    await waitFor(() =>
      expect(rows()).toEqual([
        [nameOf(ONE), ETHEREUM, "success", "0 s", "2", "Again"],
        [nameOf(TWO), ETHEREUM, "loading", "–", "1", "Again"]
      ])
    )
    await waitFor(() => expect(rows()[0]?.[3]).toBe("1 s"))
    slow.answer("0x20")
    await waitFor(() => expect(rows()[1]?.slice(2, 4)).toEqual(["success", "0 s"]))
  })

  it("keeps the last state of a read that no component looks at, and does not ask for it", async () => {
    const { rerender } = render(<Page addresses={[ONE, TWO]} />)
    await waitFor(() => expect(rows().map((row) => row[2])).toEqual(["success", "success"]))
    rerender(<Page addresses={[TWO]} />)
    await waitFor(() =>
      expect(rows()[0]).toEqual([nameOf(ONE), ETHEREUM, "success, held", expect.anything(), "0", "Again"])
    )
    const before = countRequests()
    await act(() => invalidate())
    // that of the component alone
    await waitFor(() => expect(countRequests()).toBe(before + 1))
    await advanceTime(1_200)
    expect(countRequests()).toBe(before + 1)
  })

  const showList = async (items: ReadonlyArray<object>): Promise<void> => {
    chain.rules.set("GET /v4/data/transaction/history", () => ({ result: { result: items } }))
    render(
      <SdkProvider config={chain.config(ETHEREUM)}>
        <List />
        <Devtools initialIsOpen={true} position="bottom-left" />
      </SdkProvider>
    )
    await screen.findByText(`${items.length} transactions`)
    await waitFor(() => expect(rows().map((row) => row[2])).toEqual(["success"]))
  }

  it("lists a list by pages once, with the pages that it has", async () => {
    await showList([ROW])
    expect(rows()[0]?.[0]).toMatch(/^address\.streamTransactions\(/)
    fireEvent.click(screen.getByRole("button", { name: /^address\.streamTransactions/ }))
    expect(screen.getByText(/"hash": "0x5"/)).toBeDefined()
  })

  it("does not take a list without items for an error", async () => {
    await showList([])
    fireEvent.click(screen.getByRole("button", { name: /^address\.streamTransactions/ }))
    expect(screen.getByText("The list is empty.")).toBeDefined()
  })

  it("stands in the corner that it is given", async () => {
    await showList([])
    const corner = (): CSSStyleDeclaration | undefined =>
      screen.getByRole("region", { name: "Reads" }).parentElement?.style
    expect(corner()?.left).toBe("8px")
    expect(corner()?.right).toBe("")
  })

  it("shows answers and errors, asks again, and filters", async () => {
    render(<Page addresses={[ONE, TWO]} />)
    fireEvent.click(await screen.findByRole("button", { name: nameOf(ONE) }))
    await screen.findByText("16n")
    chain.rules.set("eth_getBalance", () => ({ error: { code: -32000, message: "out of order" } }))
    const [again] = screen.getAllByRole("button", { name: "Ask again: rpc.getBalance" })
    if (again === undefined) throw new Error("there is a button")
    fireEvent.click(again)
    await waitFor(() => expect(rows()[0]?.[2]).toBe("error"))
    // the last good answer beside it
    expect(screen.getByText(/out of order[\s\S]*16n/)).toBeDefined()
    fireEvent.change(screen.getByRole("textbox", { name: "Filter" }), { target: { value: TWO.slice(-6) } })
    expect(rows().map(([name]) => name)).toEqual([nameOf(TWO)])
    fireEvent.change(screen.getByRole("textbox", { name: "Filter" }), { target: { value: "nothing" } })
    expect(screen.getByText("No reads")).toBeDefined()
  })

  it("has no violation of axe", async () => {
    const { container } = render(<Page addresses={[ONE]} />)
    fireEvent.click(await screen.findByRole("button", { name: nameOf(ONE) }))
    // colours are not computed here
    const { violations } = await axe.run(container, { rules: { "color-contrast": { enabled: false } } })
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)).toEqual([])
  })
})
