// @vitest-environment jsdom
/** The hooks of a dapp on anvil, under StrictMode: contracts, the wallet of the page, signers, transactions and events. */
import { act, cleanup, configure, renderHook, waitFor } from "@testing-library/react"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { createElement, type ReactNode, StrictMode, Suspense } from "react"
import { hashTypedData, parseAbi, recoverAddress, recoverMessageAddress } from "viem"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { WebSocket } from "ws"
import {
  useEnsAddress,
  useEnsName,
  useReadContract,
  useReadContracts,
  useSimulateContract,
  useSuspenseReadContract,
  useSuspenseWatchContractEvent,
  useWatchContractEvent,
  useWriteContract
} from "../../react/contracts.js"
import {
  type ProviderConfig,
  SdkProvider,
  useAccount,
  useConnect,
  useConnectors,
  useSwitchChain,
  useWaitForTransaction,
  useWatch,
  useWatchBlocks,
  useWatchLogs
} from "../../react/index.js"
import { useSuspenseWatch, useSuspenseWatchBlocks, useSuspenseWatchLogs } from "../../react/reads.js"
import { useSend, useSigner, useSignMessage, useSignTypedData } from "../../react/signers.js"
import { contract } from "../../src/contracts.js"
import { signer as signerOf } from "../../src/entries/signers/Evm.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import * as Evm from "../../src/signers/Evm.js"
import { compiled } from "../contracts/compiled.mjs"
import { take } from "../results.js"

const found = await Effect.runPromise(Effect.either(Anvil.binary))
const present = found._tag === "Right"
if (!present) {
  if (process.env.CI === "true") throw found.left
  console.log("left out: hooks of a dapp on real nodes (no anvil binary)")
}

configure({ asyncUtilTimeout: 10_000 })

/** The first account of anvil's mnemonic, which is public. */
const words = "test test test test test test test test test test test junk"
const owner = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const receiver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const abi = parseAbi([
  "event Moved(address indexed from, address indexed to, uint256 value, string note)",
  "function balanceOf(address owner) view returns (uint256)",
  "function isOpen() view returns (bool)",
  "function pair() view returns (uint256 one, string two)",
  "function deposit() payable",
  "function move(address to, uint256 value, string note) returns (bool)"
])

describe.runIf(present)("hooks of a dapp on anvil", () => {
  const scope = Effect.runSync(Scope.make())
  let sdk: PromiseSdk<"ethereum-mainnet">
  let url = ""
  let address = ""
  let config: ProviderConfig<"ethereum-mainnet">
  /** Writes an event of one unit, in a block of its own, from an account that no test is about. */
  let probe = async (): Promise<void> => {}
  const probes = new Set<string>()

  /** Probes until what is watched is heard: it begins with the first answer of a node, and misses nothing from then on. */
  const untilHeard = (isHeard: () => boolean) =>
    waitFor(
      async () => {
        await probe()
        expect(isHeard()).toBe(true)
      },
      { timeout: 120_000 }
    )

  const raw = (method: string, params: unknown): Promise<unknown> =>
    sdk.rpc.rawRpcCall({ method, params: params as ReadonlyArray<unknown> }).then(take)

  /** What a wallet on the page would do: anvil has the keys. */
  const wallet = {
    request: ({ method, params = [] }: { readonly method: string; readonly params?: unknown }) =>
      method === "eth_requestAccounts" || method === "eth_accounts"
        ? Promise.resolve([owner])
        : method === "wallet_switchEthereumChain"
          ? Promise.resolve(null)
          : raw(method, params),
    on: () => {},
    removeListener: () => {}
  }

  beforeAll(async () => {
    const anvil = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1 }), scope))
    url = anvil.url
    // the sockets of Node and of jsdom take each other's events for foreign ones
    const settings = {
      network: "ethereum-mainnet",
      rpc: { nodes: [{ url }] },
      quiet: true,
      subscriptions: { webSocket: (address: string) => new WebSocket(address) }
    } as const
    config = settings
    sdk = await init(settings)
    const account = take(await signerOf(sdk, { mnemonic: words }))
    const { Vault } = await compiled()
    const { hash } = take(await account.sendTransaction({ data: Vault?.code ?? "0x", confirmations: 1 }))
    address = take(await sdk.rpc.getTransactionReceipt(hash))?.contractAddress ?? ""
    const prober = take(await signerOf(sdk, { mnemonic: words, index: 2 }))
    const { write } = contract(sdk, { address, abi, signer: prober })
    take(await write.deposit({ value: 1_000n, confirmations: 1 }))
    probe = async () => {
      const sent = take(await write.move(receiver, 1n, "probe", { confirmations: 1 }))
      probes.add(sent.hash)
    }
    Reflect.set(window, "ethereum", wallet)
  })
  afterEach(() => {
    cleanup()
    localStorage.clear()
  })
  afterAll(async () => {
    Reflect.deleteProperty(window, "ethereum")
    await sdk.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const wrapper = ({ children }: { readonly children: ReactNode }) =>
    createElement(
      StrictMode,
      undefined,
      createElement(SdkProvider, { config }, createElement(Suspense, { fallback: null }, children))
    )

  const shown = <A>(hook: () => A) => renderHook(hook, { wrapper }).result

  it("read contracts, one function or several, and say what a function that is none is", async () => {
    const call = { address, abi } as const
    const one = shown(() => useReadContract({ ...call, functionName: "pair" }))
    await waitFor(() => expect(one.current.status).toBe("success"))
    expect(one.current.data).toEqual([expect.any(BigInt), expect.any(String)])
    const several = shown(() =>
      useReadContracts([
        { ...call, functionName: "isOpen" },
        { ...call, functionName: "balanceOf", args: [owner] },
        { address: receiver, abi, functionName: "isOpen" },
        { ...call, functionName: "nothing" as "isOpen" }
      ])
    )
    await waitFor(() => expect(several.current.status).toBe("success"))
    expect(several.current.data).toMatchObject([
      { status: "SUCCESS", data: true },
      { status: "SUCCESS", data: 0n },
      { status: "ERROR" },
      {
        status: "ERROR",
        error: { cause: { _tag: "InvalidArgument", reason: expect.stringContaining("nothing") } }
      }
    ])
    const none = shown(() => useReadContract({ ...call, functionName: "nothing" as "isOpen" }))
    await waitFor(() => expect(none.current.error).toMatchObject({ _tag: "InvalidArgument" }))
    const waits = shown(() => useSuspenseReadContract({ ...call, functionName: "balanceOf", args: [owner] }))
    await waitFor(() => expect(waits.current?.data).toBe(0n))
  })

  it("write by the wallet of the page, wait for it, and hear of its events once", async () => {
    const call = { address, abi } as const
    const moved: Array<unknown> = []
    const heads: Array<unknown> = []
    const logs: Array<string | null> = []
    const watch = shown(() => ({
      events: useWatchContractEvent({ ...call, eventName: "Moved", args: { to: receiver } }, ({ args }) => {
        moved.push(args.value)
      }),
      blocks: useWatchBlocks(({ number }) => heads.push(number)),
      logs: useWatchLogs({ address }, ({ transactionHash }) => logs.push(transactionHash)),
      none: useWatch("rpc.subscribe.newHeads", [], () => expect.unreachable(), {
        enabled: false,
        network: "ethereum-mainnet"
      })
    }))
    expect(watch.current.none.status).toBe("idle")
    await untilHeard(() => [moved, heads, logs].every(({ length }) => length > 0))
    const write = shown(() => useWriteContract())
    await act(async () => {
      take(
        await write.current.run({
          ...call,
          functionName: "deposit",
          args: [{ value: 1_000n, confirmations: 1 }]
        })
      )
    })
    const trial = shown(() =>
      useSimulateContract({ ...call, functionName: "move", args: [receiver, 40n, "rent", { from: owner }] })
    )
    await waitFor(() => expect(trial.current.data).toBe(true))
    let hash = ""
    await act(async () => {
      hash = take(
        await write.current.run({ ...call, functionName: "move", args: [receiver, 40n, "rent"] })
      ).hash
    })
    expect(write.current).toMatchObject({ status: "success", data: { hash } })
    const wait = shown(() => useWaitForTransaction(hash, { confirmations: 1 }))
    await waitFor(() => expect(wait.current.data).toMatchObject({ transactionHash: hash }))
    // whatever the node has told twice is heard before what comes after it
    const before = [moved, heads, logs].map(({ length }) => length)
    await waitFor(() => expect(moved).toContain(40n))
    await untilHeard(() => [moved, heads, logs].every(({ length }, i) => length > (before[i] ?? 0) + 2))
    expect(moved.filter((value) => value !== 1n)).toEqual([40n])
    expect(heads.length).toBeGreaterThanOrEqual(2)
    expect(new Set(heads).size).toBe(heads.length)
    expect(logs.filter((hash) => hash !== null && !probes.has(hash))).toEqual([hash, hash])
    const refused = await write.current.run({
      ...call,
      functionName: "move",
      args: [receiver, 4_000n, "more"]
    })
    expect(refused).toMatchObject({ status: "ERROR", error: { cause: { _tag: "ContractReverted" } } })
  })

  it("have the error of a transaction that failed in its block, or its receipt where that is allowed", async () => {
    const [from] = take(await sdk.rpc.rawRpcCall<ReadonlyArray<string>>({ method: "eth_accounts" }))
    // a function that the contract has not; with its gas given, nobody tries it before it is sent
    const call = { from, to: address, data: "0xdeadbeef", gas: "0x186a0" }
    const hash = take(await sdk.rpc.rawRpcCall<string>({ method: "eth_sendTransaction", params: [call] }))
    const wait = shown(() => useWaitForTransaction(hash))
    await waitFor(() =>
      expect(wait.current.error).toMatchObject({
        _tag: "TransactionFailed",
        hash,
        receipt: { transactionHash: hash, status: "0x0" }
      })
    )
    expect(wait.current.data).toBeUndefined()
    const allowed = shown(() => useWaitForTransaction(hash, { allowFailure: true }))
    await waitFor(() => expect(allowed.current.data).toMatchObject({ transactionHash: hash, status: "0x0" }))
  })

  it("wait for the first of what is watched, and have the latest from then on", async () => {
    const call = { address, abi } as const
    const blocks = shown(() => useSuspenseWatchBlocks({ select: ({ number }) => BigInt(number) }))
    const events = shown(() =>
      useSuspenseWatchContractEvent(
        { ...call, eventName: "Moved", args: { to: receiver } },
        { select: ({ args }) => args.value }
      )
    )
    const logs = shown(() => useSuspenseWatchLogs({ address }, { network: "ethereum-mainnet" }))
    const any = shown(() => useSuspenseWatch("rpc.subscribe.newHeads", [], { network: "ethereum-mainnet" }))
    expect([blocks, events, logs, any].map(({ current }) => current)).toEqual([null, null, null, null])
    await untilHeard(() => [blocks, events, logs, any].every(({ current }) => current !== null))
    const write = shown(() => useWriteContract())
    for (const value of [20n, 21n]) {
      await act(async () => {
        take(
          await write.current.run({
            ...call,
            functionName: "move",
            args: [receiver, value, "rent", { confirmations: 1 }]
          })
        )
      })
      await waitFor(() => expect(events.current?.data).toBe(value))
      await waitFor(() => expect(logs.current?.data.address).toBe(address.toLowerCase()))
      await waitFor(async () => expect(blocks.current?.data).toBe(take(await sdk.rpc.blockNumber())))
      await waitFor(() => expect(BigInt(any.current.data.number)).toBe(blocks.current.data))
    }
  })

  it("sign by the wallet of the page, which they tell of", async () => {
    const page = shown(() => ({
      account: useAccount(),
      connect: useConnect(),
      connectors: useConnectors(),
      message: useSignMessage(),
      switching: useSwitchChain(),
      typed: useSignTypedData()
    }))
    await act(async () => {
      expect(take(await page.current.connect.run())).toBe(owner)
    })
    await waitFor(() =>
      expect(page.current.account.data).toMatchObject({ address: owner, chainId: 1n, isConnected: true })
    )
    expect(page.current.connectors.data).toEqual([])
    await act(async () => {
      const signature = take(await page.current.message.run("I own this address."))
      expect(
        await recoverMessageAddress({ message: "I own this address.", signature: signature as "0x" })
      ).toBe(owner)
      expect(take(await page.current.switching.run("ethereum-mainnet"))).toBeUndefined()
    })
  })

  it("make one signer for the components that have the same account, and pay with it", async () => {
    const secret = () => ({ mnemonic: Redacted.make(words), index: 0 })
    const both = shown(() => ({
      one: useSigner(Evm.make, secret()),
      other: useSigner(Evm.make, secret()),
      second: useSigner(Evm.make, { ...secret(), index: 1 }),
      none: useSigner(Evm.make, undefined)
    }))
    await waitFor(() => {
      const { one, other, second } = both.current
      const addresses = [one, other, second].map(({ data }) => data?.address)
      expect(addresses).toEqual([owner, owner, receiver])
    })
    const { none, one, other } = both.current
    expect(one.data).toBe(other.data)
    expect(none.status).toBe("idle")
    const pays = shown(() => useSend(both.current.one.data))
    const before = take(await sdk.rpc.getBalance(receiver))
    await act(async () => {
      take(await pays.current.run({ to: receiver, amount: "1.5", confirmations: 1 }))
    })
    expect(take(await sdk.rpc.getBalance(receiver)) - before).toBe(1_500_000_000_000_000_000n)
    const waiting = shown(() => useSend(both.current.none.data))
    await act(async () => {
      expect(await waiting.current.run({ to: receiver, amount: "1" })).toMatchObject({
        error: { cause: { _tag: "InvalidArgument" } }
      })
    })
    const typedData = {
      domain: { name: "App", chainId: 1 },
      types: { Login: [{ name: "who", type: "address" }] },
      primaryType: "Login",
      message: { who: owner }
    } as const
    const signs = shown(() => useSignTypedData({ signer: both.current.one.data }))
    await act(async () => {
      const signature = take(await signs.current.run(typedData))
      expect(await recoverAddress({ hash: hashTypedData(typedData), signature: signature as "0x" })).toBe(
        owner
      )
    })
  })

  it("look up names, and are idle without one", async () => {
    const names = shown(() => ({ address: useEnsAddress("nobody.eth"), name: useEnsName(undefined) }))
    expect(names.current.name.status).toBe("idle")
    // this chain has no registry
    await waitFor(() => expect(names.current.address.status).not.toBe("loading"))
    expect(names.current.address.data ?? null).toBeNull()
  })
})
