/** The results of hooks are the same from render to render as long as nothing has changed; every exported hook has a row. */
import { readFileSync } from "node:fs"
import { act, cleanup, render, waitFor } from "@testing-library/react"
import { type ReactNode, StrictMode, Suspense, useEffect, useReducer } from "react"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as contracts from "../../react/contracts.js"
import * as data from "../../react/data.js"
import * as entry from "../../react/index.js"
import * as reads from "../../react/reads.js"
import * as signers from "../../react/signers.js"
import { advanceTime, installVirtualTime } from "./clock.js"
import { startServer, type TestServer } from "./testServer.js"

const ETHEREUM = "ethereum-mainnet"
const ADDRESS = `0x${"a1".repeat(20)}`
const HASH = `0x${"b2".repeat(32)}`
const options = { network: ETHEREUM } as const

installVirtualTime()

let chain: TestServer

beforeEach(async () => {
  chain = await startServer()
  for (const [name, result] of Object.entries({
    eth_getBalance: "0x10",
    eth_blockNumber: "0x10",
    eth_getTransactionReceipt: { transactionHash: HASH, blockHash: HASH, blockNumber: "0x10", status: "0x1" },
    eth_getBlockByNumber: { hash: HASH, number: "0x10" },
    "GET /v4/data/wallet/portfolio": { result: [] },
    "GET /v4/data/transaction/history": { result: [] },
    "GET /v4/subscription": [],
    "GET /v4/blockchain/fee/ETH": {
      fast: 3e9,
      medium: 2e9,
      slow: 1e9,
      baseFee: 1e9,
      time: "2026-01-01T00:00:00.000Z",
      block: 1
    },
    "GET /v4/rate/ETH": { _id: "ETH", basePair: "EUR", value: "2000", timestamp: 1, source: "x" }
  })) {
    chain.rules.set(name, () => ({ result }))
  }
})

afterEach(async () => {
  cleanup()
  await chain.close()
  expect(chain.unexpected).toEqual([])
})

const rate = { currency: "ETH", basePair: "EUR" } as const
const coins = { address: ADDRESS, tokenTypes: ["native"] } as const
/** A selection that makes something new of every answer, as inline ones do. */
const select = (answer: unknown) => ({ answer })

/** Every hook, called with arguments and options that are new in every render. */
const hooks: Readonly<Record<string, () => unknown>> = {
  useRead: () => entry.useRead("rpc.getBalance", [ADDRESS], { ...options, select }),
  useSuspenseRead: () => entry.useSuspenseRead("rpc.getBalance", [ADDRESS], { ...options, select }),
  useRpc: () => entry.useRpc("getBalance", [ADDRESS], { ...options, select }),
  useSuspenseRpc: () => entry.useSuspenseRpc("getBalance", [ADDRESS], { ...options, select }),
  useBalance: () => entry.useBalance({ ...coins }, { ...options, select }),
  useSuspenseBalance: () => entry.useSuspenseBalance({ ...coins }, { ...options, select }),
  useTokenBalances: () => entry.useTokenBalances({ address: ADDRESS }, { ...options, select }),
  useSuspenseTokenBalances: () =>
    entry.useSuspenseTokenBalances({ address: ADDRESS }, { ...options, select }),
  useFee: () => entry.useFee({ ...options, select }),
  useSuspenseFee: () => entry.useSuspenseFee({ ...options, select }),
  useRate: () => entry.useRate({ ...rate }, { ...options, select }),
  useSuspenseRate: () => entry.useSuspenseRate({ ...rate }, { ...options, select }),
  useTransactions: () => entry.useTransactions({ address: ADDRESS }, { ...options, select }),
  useSuspenseTransactions: () => entry.useSuspenseTransactions({ address: ADDRESS }, { ...options, select }),
  useBlockNumber: () => entry.useBlockNumber({ ...options, select }),
  useSuspenseBlockNumber: () => entry.useSuspenseBlockNumber({ ...options, select }),
  useInvalidate: () => entry.useInvalidate({ ...options }),
  usePrefetch: () => entry.usePrefetch({ ...options }),
  useSetData: () => entry.useSetData({ ...options }),
  useSdk: () => entry.useSdk({ ...options }),
  useSuspenseSdk: () => entry.useSuspenseSdk({ ...options }),
  useRun: () => entry.useRun({ ...options }),
  useWrite: () => entry.useWrite("rpc.sendRawTransaction", { ...options }),
  useSendTransaction: () => entry.useSendTransaction({ ...options }),
  useConnect: () => entry.useConnect({ ...options }),
  useDisconnect: () => entry.useDisconnect({ ...options }),
  useWallet: () => entry.useWallet({ ...options, select }),
  useSuspenseWallet: () => entry.useSuspenseWallet({ ...options, select }),
  useAccount: () => entry.useAccount({ ...options }),
  useConnectors: () => entry.useConnectors({ ...options }),
  useSuspenseAccount: () => entry.useSuspenseAccount({ ...options }),
  useSuspenseConnectors: () => entry.useSuspenseConnectors({ ...options }),
  useSwitchChain: () => entry.useSwitchChain({ ...options }),
  useWaitForTransaction: () => entry.useWaitForTransaction(HASH, { ...options, confirmations: 1 }),
  useSuspenseWaitForTransaction: () => entry.useSuspenseWaitForTransaction(HASH, { ...options }),
  useWatch: () => entry.useWatch("rpc.subscribe.newHeads", [], () => {}, { ...options, enabled: false }),
  useWatchBlocks: () => entry.useWatchBlocks(() => {}, { ...options, enabled: false }),
  useWatchLogs: () => entry.useWatchLogs({ address: ADDRESS }, () => {}, { ...options, enabled: false }),
  useSubscriptions: () => entry.useSubscriptions({ ...options, select }),
  useSuspenseSubscriptions: () => entry.useSuspenseSubscriptions({ ...options, select }),
  useNodePool: () => entry.useNodePool({ ...options, select }),
  useSuspenseNodePool: () => entry.useSuspenseNodePool({ ...options, select })
}

/** Every function in what a hook returns, by its path. */
const functionsOf = (value: unknown, before = ""): ReadonlyArray<readonly [string, unknown]> =>
  typeof value === "function"
    ? [[before, value]]
    : typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
      ? // what is told only to those who look has a getter
        Object.entries(Object.getOwnPropertyDescriptors(value)).flatMap(([name, { value: member }]) =>
          functionsOf(member, `${before}.${name}`)
        )
      : []

interface Rendered {
  readonly seen: Array<unknown>
  again: () => void
}

const Hook = ({ into, useHook }: { readonly into: Rendered; readonly useHook: () => unknown }): ReactNode => {
  const [, again] = useReducer((count: number) => count + 1, 0)
  const returned = useHook()
  useEffect(() => {
    into.again = again
    into.seen.push(returned)
  })
  return null
}

/** What a hook returned, render by render, and how to render again. */
const renderHookOf = (useHook: () => unknown) => {
  const into: Rendered = { seen: [], again: () => {} }
  render(
    <StrictMode>
      <entry.SdkProvider config={{ ...chain.config(ETHEREUM), apiKey: "key" }}>
        <Suspense>
          <Hook into={into} useHook={useHook} />
        </Suspense>
      </entry.SdkProvider>
    </StrictMode>
  )
  return { seen: into.seen, again: () => act(() => into.again()) }
}

const isReady = (value: unknown): boolean =>
  value !== undefined && !["loading"].includes(String(Reflect.get(Object(value), "status")))

describe("what hooks return", () => {
  it("is looked at for every hook there is", () => {
    const all = Object.keys(entry).filter((name) => /^use[A-Z]/.test(name))
    expect(Object.keys(hooks).sort()).toEqual(all.sort())
  })

  it("has a row on the page of all hooks, with its twin for Suspense if it has one", () => {
    const names = Object.keys({ ...entry, ...contracts, ...data, ...reads, ...signers }).filter((name) =>
      /^use[A-Z]/.test(name)
    )
    const expected = names
      .filter((name) => !name.startsWith("useSuspense"))
      .map((name) => [name, names.find((twin) => twin === name.replace("use", "useSuspense")) ?? "–"])
    const documented = Array.from(
      readFileSync("docs/react/hooks.md", "utf8").matchAll(/^\| `(use\w+)` .*\| (?:`(\w+)`|–) +\|$/gm),
      ([, name = "", twin = "–"]) => [name, twin]
    )
    expect(documented.toSorted()).toEqual(expected.toSorted())
    expect(names.filter((name) => name.startsWith("useSuspense"))).toHaveLength(
      documented.filter(([, twin]) => twin !== "–").length
    )
  })

  it.each(Object.keys(hooks))("%s is the same as long as nothing changes", async (name) => {
    const { again, seen } = renderHookOf(hooks[name] ?? (() => {}))
    await waitFor(() => expect(isReady(seen.at(-1))).toBe(true))
    // whatever is under way arrives
    await advanceTime(700)
    const before = seen.at(-1)
    const count = seen.length
    again()
    again()
    expect(seen.length).toBeGreaterThan(count + 1)
    const after = seen.at(-1)
    expect(functionsOf(after).map(([path]) => path)).toEqual(functionsOf(before).map(([path]) => path))
    for (const [i, [path, value]] of functionsOf(after).entries()) {
      expect([path, value === functionsOf(before)[i]?.[1]]).toEqual([path, true])
    }
    expect(after === before).toBe(true)
  })

  it("has functions that stay the same when something changes", async () => {
    const { seen } = renderHookOf(() => entry.useRpc("getBalance", [ADDRESS], { ...options }))
    await waitFor(() => expect(isReady(seen.at(-1))).toBe(true))
    const [first] = seen
    expect(isReady(first)).toBe(false)
    expect(functionsOf(seen.at(-1))).toEqual(functionsOf(first))
    expect(functionsOf(first).map(([path]) => path)).toEqual([".refresh"])
    for (const [i, [, value]] of functionsOf(first).entries()) {
      expect(value === functionsOf(seen.at(-1))[i]?.[1]).toBe(true)
    }
  })
})
