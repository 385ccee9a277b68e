/** Contracts, signatures and names on anvil: on the Promise surface, and on that of Effect where it differs. */
// @covers contracts on anvil: evm
import { once } from "node:events"
import { createServer } from "node:http"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { concatHex, encodeAbiParameters, encodeFunctionData, keccak256, namehash, parseAbi } from "viem"
import { privateKeyToAccount, sign } from "viem/accounts"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import * as Sdk from "../../src/client/Sdk.js"
import * as OnEffect from "../../src/contracts/index.js"
import {
  contract,
  lookupAddress,
  multicall,
  resolveName,
  verifyMessage,
  verifyTypedData
} from "../../src/contracts.js"
import { signer as signerOf } from "../../src/entries/signers/Evm.js"
import { layerFetch } from "../../src/http/Http.js"
import { init, type PromiseSdk, type Result } from "../../src/promise.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { compiled } from "../contracts/compiled.mjs"
import { nodeLimits } from "../nodeLimits.js"
import { take } from "../results.js"

const found = await Effect.runPromise(Effect.either(Anvil.binary))
const present = found._tag === "Right"
if (!present) {
  if (process.env.CI === "true") throw found.left
  console.log("left out: contracts on real nodes (no anvil binary)")
}

/** The first account of anvil's mnemonic, which is public. */
const privateKey = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
const account = privateKeyToAccount(privateKey)
const receiver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const nowhere = "0x000000000000000000000000000000000000dEaD"
const MULTICALL = "0xcA11bde05977b3631167028862bE2a173976CA11"
const REGISTRY = "0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e"

const abi = parseAbi([
  "error TooMuch(address who, uint256 asked, uint256 held)",
  "event Moved(address indexed from, address indexed to, uint256 value, string note)",
  "event Noted(string indexed note, uint8 kind)",
  "struct Leg { address to; uint64 share; }",
  "function balanceOf(address owner) view returns (uint256)",
  "function isOpen() view returns (bool)",
  "function deposit() payable",
  "function pair() view returns (uint256 one, string two)",
  "function echo(Leg[] legs) pure returns (Leg[])",
  "function get(uint8 x) pure returns (uint256)",
  "function get(address a, uint8 x) pure returns (address, uint8)",
  "function move(address to, uint256 value, string note) returns (bool)",
  "function refuse(uint8 kind) view",
  "function close()"
])
const factoryAbi = parseAbi([
  "function addressOf(address owner) view returns (address)",
  "function make(address owner) returns (address)"
])
const namesAbi = parseAbi([
  "function set(bytes32 node, address addr, string name)",
  "function point(bytes32 node, address to)"
])

const refusal = (result: Result<unknown, unknown>): unknown => {
  if (result.status === "ERROR") return result.error.cause
  throw new Error(`no error: ${String(result.data)}`)
}

const typedData = {
  domain: { name: "App", chainId: 1 },
  types: { Login: [{ name: "who", type: "address" }] },
  primaryType: "Login",
  message: { who: account.address }
} as const

describe.runIf(present)("contracts on anvil", () => {
  const scope = Effect.runSync(Scope.make())
  let sdk: PromiseSdk<"ethereum-mainnet">
  let url = ""
  let address = ""
  let code: Awaited<ReturnType<typeof compiled>>

  const raw = (method: string, ...params: ReadonlyArray<unknown>) =>
    sdk.rpc.rawRpcCall({ method, params }).then(take)

  const makeSigner = async () => take(await signerOf(sdk, { privateKey }))
  const vault = async () => contract(sdk, { address, abi, signer: await makeSigner() })

  const codeOf = (name: string) => code[name] ?? { code: "0x", deployed: "0x" }

  const deploy = async (name: string, args = "") => {
    const signer = await makeSigner()
    const { hash } = take(
      await signer.sendTransaction({ data: `${codeOf(name).code}${args}`, confirmations: 1 })
    )
    const receipt = take(await sdk.rpc.getTransactionReceipt(hash))
    return receipt?.contractAddress ?? "0x"
  }

  beforeAll(async () => {
    code = await compiled()
    const anvil = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1 }), scope))
    url = anvil.url
    sdk = await init({ network: "ethereum-mainnet", rpc: { nodes: [{ url }] }, quiet: true, ...nodeLimits })
    address = await deploy("Vault")
  })
  afterAll(async () => {
    await sdk.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("reads: one value, several, structs, overloads, and the past", async () => {
    const { read, write } = await vault()
    const before = take(await sdk.rpc.blockNumber())
    take(await write.deposit({ value: 1_000n, confirmations: 1 }))
    expect(take(await read.balanceOf(account.address))).toBe(1_000n)
    expect(take(await read.balanceOf(account.address, { block: before }))).toBe(0n)
    expect(take(await read.pair())).toEqual([1_000n, "Añejo ☕"])
    const legs = [
      { to: receiver, share: 1n },
      { to: account.address, share: 2n ** 64n - 1n }
    ] as const
    expect(take(await read.echo(legs))).toEqual(legs)
    expect(take(await read["get(uint8)"](3))).toBe(3n)
    expect(take(await read["get(address,uint8)"](receiver, 4))).toEqual([receiver, 4])
  })

  it("tries, estimates, writes, and lists what has happened", async () => {
    const { estimateGas, events, read, simulate, write } = await vault()
    take(await write.deposit({ value: 100n, confirmations: 1 }))
    expect(take(await simulate.move(receiver, 5n, "a"))).toBe(true)
    expect(take(await read.balanceOf(receiver))).toBe(0n)
    expect(take(await estimateGas.move(receiver, 5n, "a"))).toBeGreaterThan(21_000n)
    const { hash } = take(await write.move(receiver, 5n, "first ☕", { confirmations: 1 }))
    take(await write.move(nowhere, 6n, "second", { confirmations: 1 }))
    expect(take(await read.balanceOf(receiver))).toBe(5n)
    const all = take(await events.Moved.list())
    expect(all.map(({ args, name }) => [name, args])).toEqual([
      ["Moved", { from: account.address, to: receiver, value: 5n, note: "first ☕" }],
      ["Moved", { from: account.address, to: nowhere, value: 6n, note: "second" }]
    ])
    expect(all[0]).toMatchObject({ transactionHash: hash, removed: false })
    const valuesTo = async (to: ReadonlyArray<`0x${string}`> | `0x${string}` | null) =>
      take(await events.Moved.list({ args: { to } })).map(({ args }) => args.value)
    expect(await valuesTo(nowhere)).toEqual([6n])
    expect(await valuesTo([nowhere, receiver])).toEqual([5n, 6n])
    expect(await valuesTo(null)).toEqual([5n, 6n])
    expect(await valuesTo(address as `0x${string}`)).toEqual([])
    const noted = take(await events.Noted.list({ args: { note: "second" }, fromBlock: 0, toBlock: "latest" }))
    expect(noted.map(({ args }) => args.kind)).toEqual([7])
    expect(noted[0]?.args.note).toMatch(/^0x[0-9a-f]{64}$/)
    const { blockHash } = noted[0] ?? {}
    expect(take(await events.Noted.list({ blockHash: blockHash ?? "" }))).toEqual(noted)
  })

  it("tells what contracts refuse: their own errors, those of the compiler, and none", async () => {
    const { estimateGas, read, simulate, write } = await vault()
    const held = take(await read.balanceOf(receiver))
    const count = take(await sdk.rpc.getTransactionCount(account.address))
    for (const refused of [
      await simulate.move(nowhere, 1_000_000n, "", { from: receiver }),
      await estimateGas.move(nowhere, 1_000_000n, "", { from: receiver })
    ])
      expect(refusal(refused)).toMatchObject({
        _tag: "ContractReverted",
        address,
        functionName: "move",
        errorName: "TooMuch",
        args: [receiver, 1_000_000n, BigInt(held)],
        reason: `TooMuch(${receiver}, 1000000, ${held})`
      })
    expect(refusal(await write.move(nowhere, 10n ** 18n, ""))).toMatchObject({ errorName: "TooMuch" })
    expect(refusal(await read.refuse(0))).toMatchObject({
      errorName: "Error",
      args: ["it is open"],
      reason: "it is open"
    })
    expect(refusal(await read.refuse(1))).toMatchObject({
      errorName: "Panic",
      args: [1n],
      reason: "an assertion does not hold"
    })
    const bare = refusal(await read.refuse(2))
    expect(bare).toMatchObject({ _tag: "ContractReverted", data: "0x" })
    expect(bare).not.toHaveProperty("errorName")
    // nothing was sent
    expect(take(await sdk.rpc.getTransactionCount(account.address))).toBe(count)
    expect(take(await read.refuse(3))).toBeUndefined()
  })

  it("leaves what is no refusal to the signer, which says it in numbers", async () => {
    const { write } = await vault()
    expect(refusal(await write.deposit({ value: 10n ** 30n }))).toMatchObject({
      _tag: "InsufficientFunds",
      asset: "ETH"
    })
  })

  it("tells a write that was mined and failed", async () => {
    const own = await deploy("Vault")
    const { write } = contract(sdk, { address: own, abi, signer: await makeSigner() })
    await raw("evm_setAutomine", false)
    const closing = write.close({ confirmations: 1 })
    const pending = async () => take(await sdk.rpc.getBlockByNumber("pending"))?.transactions.length
    await expect.poll(pending).toBe(1)
    // its second slot is isOpen
    await raw("anvil_setStorageAt", own, "0x1", `0x${"0".repeat(64)}`)
    await raw("evm_setAutomine", true)
    await raw("evm_mine")
    expect(refusal(await closing)).toMatchObject({
      _tag: "ContractReverted",
      functionName: "close",
      reason: expect.stringContaining("was mined and failed")
    })
  })

  it("tells an address without a contract", async () => {
    const token = contract(sdk, { address: nowhere, abi, signer: await makeSigner() })
    const reason = expect.stringMatching(/there is no contract/)
    expect(refusal(await token.read.balanceOf(receiver))).toMatchObject({ _tag: "InvalidArgument", reason })
    expect(refusal(await token.write.close())).toMatchObject({ _tag: "InvalidArgument", reason })
  })

  it("reads many at once, with and without the contract for that", async () => {
    const { calls } = await vault()
    const asked = [
      calls.balanceOf(receiver),
      calls.refuse(0),
      calls.pair(),
      contract(sdk, { address: nowhere, abi }).calls.isOpen()
    ] as const
    const ask = async () => {
      const [balance, refused, pair, missing] = take(await multicall(sdk, asked))
      return {
        balance: take(balance),
        refused: refusal(refused),
        pair: take(pair)[1],
        missing: refusal(missing)
      }
    }
    const separate = await ask()
    expect(separate).toMatchObject({
      balance: 5n,
      refused: { _tag: "ContractReverted", reason: expect.any(String) },
      pair: "Añejo ☕",
      missing: { _tag: "InvalidArgument" }
    })
    await raw("anvil_setCode", MULTICALL, codeOf("Multicall").deployed)
    expect(await ask()).toEqual(separate)
    const many = take(
      await multicall(
        sdk,
        Array.from({ length: 1_201 }, (_, i) => calls["get(uint8)"](i % 256))
      )
    )
    expect(many.map(take)).toEqual(Array.from({ length: 1_201 }, (_, i) => BigInt(i % 256)))
  })

  /** Writes events until a stream has one of them: from then on it misses none. */
  const untilStreamed = async (note: string, seen: ReadonlyArray<unknown>) => {
    const { write } = await vault()
    await vi.waitFor(
      async () => {
        take(await write.move(receiver, 9n, note, { confirmations: 1 }))
        expect(seen.length).toBeGreaterThan(0)
      },
      { timeout: 120_000, interval: 20 }
    )
  }

  it("streams events, decoded", async () => {
    const { events, write } = await vault()
    const seen: Array<bigint> = []
    const reading = (async () => {
      for await (const event of events.Moved.stream({ args: { to: receiver } })) {
        seen.push(take(event).args.value)
        if (seen.at(-1) === 3n) return
      }
    })()
    await untilStreamed("", seen)
    for (const [to, value] of [
      [receiver, 1n],
      [nowhere, 2n],
      [receiver, 3n]
    ] as const)
      take(await write.move(to, value, "", { confirmations: 1 }))
    await reading
    expect(seen.filter((value) => value !== 9n)).toEqual([1n, 3n])
    expect(seen[0]).toBe(9n)
  })

  it("does the same on the Effect surface", async () => {
    const program = Effect.gen(function* () {
      const client = yield* Sdk.makeHttp({
        network: "ethereum-mainnet",
        rpc: { nodes: [{ url }] },
        quiet: true
      })
      const { calls, events, read, simulate } = OnEffect.contract(client, { address, abi })
      const [balance, refused] = yield* OnEffect.multicall(client, [
        calls.balanceOf(receiver),
        calls.refuse(0)
      ])
      const moving = simulate.move(nowhere, 10n ** 18n, "", { from: receiver })
      const same = Either.getOrThrow(balance) === (yield* read.balanceOf(receiver))
      const notes: Array<string> = []
      const streaming = yield* events.Moved.stream().pipe(
        Stream.map(({ args }) => notes.push(args.note)),
        Stream.takeUntil(() => notes.at(-1) === "stream"),
        Stream.runDrain,
        Effect.fork
      )
      yield* Effect.promise(() => untilStreamed("probe", notes))
      const { write } = yield* Effect.promise(vault)
      yield* Effect.promise(() => write.move(receiver, 4n, "stream", { confirmations: 1 }))
      yield* streaming
      return {
        same,
        refused: Either.isLeft(refused),
        tag: (yield* Effect.flip(moving))._tag,
        notes: notes.filter((note) => note !== "probe")
      }
    })
    expect(await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(layerFetch)))).toEqual({
      same: true,
      refused: true,
      tag: "ContractReverted",
      notes: ["stream"]
    })
  })

  it("verifies signatures of keys, contracts, and contracts to be", async () => {
    const factory = await deploy("Factory")
    const owner = account.address
    const { read, write } = contract(sdk, { address: factory, abi: factoryAbi, signer: await makeSigner() })
    const wallet = take(await read.addressOf(owner))
    const signature = await account.signMessage({ message: "hello" })
    const typed = await account.signTypedData(typedData)
    const outcomes = async (who: string, one: string, two: string) => [
      take(await verifyMessage(sdk, { address: who, message: "hello", signature: one })),
      take(await verifyMessage(sdk, { address: who, message: "Hello", signature: one })),
      take(await verifyTypedData(sdk, { address: who, typedData, signature: two })),
      take(await verifyTypedData(sdk, { address: who, typedData, signature: one }))
    ]
    const right = [true, false, true, false]
    expect(await outcomes(owner, signature, typed)).toEqual(right)
    expect(await outcomes(receiver, signature, typed)).toEqual([false, false, false, false])
    const wrapped = (inner: `0x${string}`) =>
      concatHex([
        encodeAbiParameters(
          [{ type: "address" }, { type: "bytes" }, { type: "bytes" }],
          [
            factory as `0x${string}`,
            encodeFunctionData({ abi: factoryAbi, functionName: "make", args: [owner] }),
            inner
          ]
        ),
        `0x${"6492".repeat(16)}`
      ])
    // before it is deployed, and after that
    expect(await outcomes(wallet, wrapped(signature), wrapped(typed))).toEqual(right)
    expect(await outcomes(wallet, signature, typed)).toEqual([false, false, false, false])
    take(await write.make(owner, { confirmations: 1 }))
    expect(await outcomes(wallet, signature, typed)).toEqual(right)
    expect(await outcomes(wallet, wrapped(signature), wrapped(typed))).toEqual(right)
    expect(await outcomes(wallet, "0x1234", "0x")).toEqual([false, false, false, false])
    const echo = await deploy("Echo")
    expect(await outcomes(echo, signature, typed)).toEqual([false, false, false, false])
  })

  it("resolves names, and looks for that of an address", async () => {
    await raw("anvil_setCode", REGISTRY, codeOf("Names").deployed)
    const names = contract(sdk, { address: REGISTRY, abi: namesAbi, signer: await makeSigner() })
    const set = async (name: string, of: `0x${string}`, chosen: string) =>
      take(await names.write.set(namehash(name), of, chosen, { confirmations: 1 }))
    await set("alice.eth", receiver, "")
    expect(take(await resolveName(sdk, "Alice.eth"))).toBe(receiver)
    expect(take(await resolveName(sdk, "bob.eth"))).toBeNull()
    expect(refusal(await resolveName(sdk, "a..b"))).toMatchObject({ _tag: "InvalidArgument" })
    expect(take(await lookupAddress(sdk, receiver))).toBeNull()
    const reverse = `${receiver.slice(2).toLowerCase()}.addr.reverse`
    for (const [chosen, expected] of [
      ["alice.eth", "alice.eth"],
      // it stands for someone else, or is written in a way that hides what it is
      ["bob.eth", null],
      ["Alice.eth", null]
    ] as const) {
      await set(reverse, nowhere, chosen)
      expect(take(await lookupAddress(sdk, receiver))).toBe(expected)
    }
  })

  it("finds names below a resolver that refers to a gateway, if the resolver believes what that says", async () => {
    await raw("anvil_setCode", REGISTRY, codeOf("Names").deployed)
    let says: "the truth" | "lies" | "nothing" | "no name" = "the truth"
    const gateway = createServer(async (request, response) => {
      if (says === "nothing") return
      if (says === "no name") return void response.writeHead(404).end("{}")
      let body = ""
      for await (const chunk of request) body += chunk
      const question: `0x${string}` = JSON.parse(body).data
      const answer = encodeAbiParameters([{ type: "address" }], [receiver])
      const told = encodeAbiParameters(
        [{ type: "bytes32" }, { type: "bytes" }],
        [keccak256(question), answer]
      )
      const { r, s, v = 27n } = await sign({ hash: keccak256(told), privateKey })
      const claimed = says === "lies" ? answer.replace(/c8$/, "c9") : answer
      const data = encodeAbiParameters(
        [{ type: "bytes" }, { type: "uint8" }, { type: "bytes32" }, { type: "bytes32" }],
        [claimed as `0x${string}`, Number(v), r, s]
      )
      response.end(JSON.stringify({ data }))
    })
    await new Promise<void>((done) => gateway.listen(0, "127.0.0.1", done))
    try {
      const address = gateway.address()
      const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}/ask/{sender}`
      const args = encodeAbiParameters([{ type: "address" }, { type: "string[]" }], [account.address, [url]])
      const resolver = await deploy("Offchain", args.slice(2))
      const names = contract(sdk, { address: REGISTRY, abi: namesAbi, signer: await makeSigner() })
      take(await names.write.point(namehash("off.eth"), resolver as `0x${string}`, { confirmations: 1 }))
      const local = { ccipRead: "localhost" } as const
      expect(take(await resolveName(sdk, "Alice.off.eth", local))).toBe(receiver)
      expect(take(await resolveName(sdk, "alice.off.eth", { ccipRead: false }))).toBeNull()
      expect(refusal(await resolveName(sdk, "alice.off.eth"))).toMatchObject({ _tag: "GatewayError" })
      says = "lies"
      expect(refusal(await resolveName(sdk, "alice.off.eth", local))).toMatchObject({
        _tag: "ContractReverted",
        reason: "a wrong signature"
      })
      says = "no name"
      expect(refusal(await resolveName(sdk, "alice.off.eth", local))).toMatchObject({
        _tag: "GatewayError",
        status: 404
      })
      says = "nothing"
      const unanswered = once(gateway, "request")
      // the gateway's ten seconds are the only time of this call that runs on the false clock: the node answers at once
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
      const resolving = resolveName(sdk, "alice.off.eth", local)
      await unanswered
      await vi.advanceTimersByTimeAsync(9_999)
      expect(await Promise.race([resolving, "waiting"])).toBe("waiting")
      // and one to read what has come meanwhile
      await vi.advanceTimersByTimeAsync(2)
      expect(refusal(await resolving)).toMatchObject({ _tag: "GatewayError", kind: "timeout" })
    } finally {
      vi.useRealTimers()
      gateway.closeAllConnections()
      gateway.close()
    }
  })
})
