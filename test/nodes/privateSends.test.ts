/** Private transactions of EVM chains: on anvil behind a server that notes what it is handed, and beside a builder's node that shows nobody what it has. */
// @covers private on anvil: evm
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { createTestClient, http, keccak256, parseTransaction, publicActions } from "viem"
import { mainnet } from "viem/chains"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type EvmSigner, signer } from "../../src/entries/signers/Evm.js"
import { init, type PromiseSdk, type Result } from "../../src/promise.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { nodeLimits } from "../nodeLimits.js"
import { refusal, take } from "../results.js"
import { requireBinary } from "./process.js"
import { type ProxyAnswer, startProxy } from "./rpcProxy.js"

const anvil = requireBinary("anvil", "private transactions on anvil")

const mnemonic = "test test test test test test test test test test test junk"
const receiver = "0x000000000000000000000000000000000000bEEF"

/** A builder's node: it keeps transactions until they are built into a block, and knows the chain by the node that it stands before. */
const makeBuilder = () => {
  const kept = new Map<string, string>()
  const state = { isSilent: false, isLost: false, isRefusing: false, received: 0 }
  const show = (hash: string): object | null => {
    const raw = kept.get(hash)
    if (raw === undefined || state.isSilent) return null
    const { chainId, gas, maxFeePerGas, maxPriorityFeePerGas, nonce, r, s, to, value, yParity } =
      parseTransaction(raw as `0x02${string}`)
    const quantity = (given: bigint | number | undefined) => `0x${(given ?? 0).toString(16)}`
    return {
      hash,
      type: "0x2",
      blockHash: null,
      blockNumber: null,
      chainId: quantity(chainId),
      from: "0x0000000000000000000000000000000000000000",
      gas: quantity(gas),
      maxFeePerGas: quantity(maxFeePerGas),
      maxPriorityFeePerGas: quantity(maxPriorityFeePerGas),
      nonce: quantity(nonce),
      to,
      value: quantity(value),
      input: "0x",
      accessList: [],
      r,
      s,
      v: quantity(yParity),
      yParity: quantity(yParity)
    }
  }
  const answer: ProxyAnswer = (method, [first]) => {
    if (method === "eth_getTransactionByHash") return { result: show(String(first)) }
    if (method !== "eth_sendRawTransaction") return undefined
    state.received += 1
    const hash = keccak256(first as `0x${string}`)
    if (state.isRefusing && kept.has(hash)) return { error: { code: -32_000, message: "already known" } }
    kept.set(hash, String(first))
    return state.isLost ? "drop" : { result: hash }
  }
  return { answer, kept, state }
}

describe.runIf(anvil !== undefined)("private transactions on anvil", () => {
  const scope = Effect.runSync(Scope.make())
  /** What the node in public was asked. */
  const asked: Array<string> = []
  const builder = makeBuilder()
  let sdk: PromiseSdk<"ethereum-mainnet">
  let privateClient: PromiseSdk<"ethereum-mainnet">
  let target = ""
  const chain = () =>
    createTestClient({ mode: "anvil", chain: mainnet, transport: http(target), cacheTime: 0 }).extend(
      publicActions
    )
  const made = async (index: number): Promise<EvmSigner> =>
    take(await signer(sdk, { mnemonic, index, privateClient }))
  /** Builds a block of what the builder has, besides what waits in public. */
  const build = async () => {
    for (const raw of builder.kept.values())
      await chain().sendRawTransaction({ serializedTransaction: raw as `0x${string}` })
    builder.kept.clear()
    await chain().mine({ blocks: 1 })
  }
  const rawOf = (hash: string): string => {
    const raw = builder.kept.get(hash)
    if (raw === undefined) throw new Error(`the builder does not have ${hash}`)
    return raw
  }
  const isPublic = (raw: string): boolean => asked.some((body) => body.includes(raw.slice(2)))

  beforeAll(async () => {
    target = (
      await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1, accounts: 10, noMining: true }), scope))
    ).url
    const open = await startProxy(target, scope, (method, params) => {
      asked.push(`${method} ${JSON.stringify(params)}`)
      return undefined
    })
    const hidden = await startProxy(target, scope, builder.answer)
    const own = { network: "ethereum-mainnet", quiet: true, ...nodeLimits } as const
    sdk = await init({ ...own, rpc: { nodes: [{ url: open }] } })
    privateClient = await init({ ...own, rpc: { nodes: [{ url: hidden }] } })
  })
  afterEach(() => {
    builder.state.isSilent = false
    builder.state.isLost = false
    builder.state.isRefusing = false
    builder.kept.clear()
  })
  afterAll(async () => {
    await sdk.destroy()
    await privateClient.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it.each([
    ["shows what it has", false],
    ["shows nothing, and refuses what it has", true]
  ])(
    "go to the private node alone, where it %s, and later payments land behind them",
    async (_, isSilent) => {
      builder.state.isSilent = isSilent
      builder.state.isRefusing = isSilent
      const account = await made(isSilent ? 1 : 0)
      const prepared = take(await account.prepare({ to: receiver, amount: 7n, private: true }))
      expect(prepared.warnings).toContainEqual(expect.stringContaining("Only the private node gets it."))
      // the preview is plain data, and says so wherever it goes
      expect(prepared.transaction).toMatchObject({ private: true })
      const sent = take(await account.submit(prepared))
      const raw = rawOf(sent.hash)
      const next = take(await account.send({ to: receiver, amount: 8n }))
      expect([sent, next].map(({ prepared: { transaction } }) => transaction.nonce)).toEqual([0, 1])
      expect(isPublic(raw)).toBe(false)
      await chain().mine({ blocks: 1 })
      expect(await chain().getTransactionCount({ address: account.address })).toBe(0)
      await build()
      for (const { hash } of [sent, next])
        expect(await chain().getTransactionReceipt({ hash: hash as `0x${string}` })).toMatchObject({
          status: "success"
        })
      expect(isPublic(raw)).toBe(false)
    }
  )

  it("are the same bytes for the private node alone where its answer was lost", async () => {
    builder.state.isLost = true
    builder.state.isSilent = true
    const account = await made(2)
    const error = await refusal(account.send({ to: receiver, amount: 7n, private: true }))
    expect(error).toMatchObject({ _tag: "BroadcastUnclear" })
    const { hash, raw } = error as { readonly hash: string; readonly raw: string }
    expect(rawOf(hash)).toBe(raw)
    builder.state.isLost = false
    const before = builder.state.received
    expect(take(await account.submit(error as never)).hash).toBe(hash)
    expect(builder.state.received).toBe(before + 1)
    expect([...builder.kept.keys()]).toEqual([hash])
    expect(isPublic(raw)).toBe(false)
  })

  it("are replaced in private, by another process too, and cancelled in public", async () => {
    const account = await made(3)
    const { hash } = take(await account.send({ to: receiver, amount: 7n, private: true }))
    const faster = take(await account.speedUp(hash))
    const other = await made(3)
    const fastest = take(await other.prepareSpeedUp(faster.hash))
    expect(fastest.transaction).toMatchObject({ private: true, value: 7n, nonce: 0 })
    const sent = take(await other.submit(fastest))
    const all = [hash, faster.hash, sent.hash].map(rawOf)
    expect(new Set(all).size).toBe(3)
    expect(all.some(isPublic)).toBe(false)
    const cancelled = take(await other.cancel(sent.hash))
    expect(builder.kept.has(cancelled.hash)).toBe(false)
    await chain().mine({ blocks: 1 })
    const receipt = await chain().getTransactionReceipt({ hash: cancelled.hash as `0x${string}` })
    expect(receipt).toMatchObject({ status: "success", to: account.address.toLowerCase() })
    expect(all.some(isPublic)).toBe(false)
  })

  it("are sent in public after all where somebody asks for that", async () => {
    const account = await made(4)
    const { hash } = take(await account.send({ to: receiver, amount: 7n, private: true }))
    const faster = take(await account.speedUp(hash, { private: false }))
    expect(builder.kept.has(faster.hash)).toBe(false)
    await chain().mine({ blocks: 1 })
    expect(await chain().getTransactionReceipt({ hash: faster.hash as `0x${string}` })).toMatchObject({
      status: "success"
    })
  })

  it("are refused, and sent nowhere, by a signer without a private node", async () => {
    const account = take(await signer(sdk, { mnemonic, index: 5 }))
    const before = asked.length
    const calls: ReadonlyArray<Promise<Result<unknown, Error>>> = [
      account.send({ to: receiver, amount: 7n, private: true }),
      account.prepareTransaction({ to: receiver, value: 7n, private: true }),
      account.speedUp(`0x${"1".repeat(64)}`, { private: true }),
      // what callers without types may give
      account.send({ to: receiver, amount: 7n, private: "yes" as never })
    ]
    for (const call of calls)
      expect(await refusal(call)).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringContaining("private")
      })
    expect(asked.slice(before).filter((body) => body.includes("eth_sendRawTransaction"))).toEqual([])
    // a preview that was made by another process
    const able = await made(5)
    const prepared = take(await able.prepare({ to: receiver, amount: 7n, private: true }))
    expect(await refusal(account.submit(prepared))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining("privateClient")
    })
    expect(builder.kept.size).toBe(0)
  })

  it("take a client of the signer's own network", async () => {
    const polygon = { ...privateClient, network: "polygon-mainnet" }
    expect(await refusal(signer(sdk, { mnemonic, privateClient: polygon }))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining("polygon-mainnet")
    })
  })
})
