/** The values of EVM chains in viem, and answers by the arguments of the call and by the network: without a cast. */
import { useQuery } from "@tanstack/react-query"
import * as Effect from "effect/Effect"
import { createPublicClient, decodeEventLog, http, parseAbi } from "viem"
import { describe, expectTypeOf, it } from "vitest"
import { useRpc, useSuspenseRpc } from "../../react/hooks.js"
import { rpcQueryOptions } from "../../react/query.js"
import type { Reactive } from "../../react/Reactive.js"
import * as Sdk from "../../src/client/Sdk.js"
import type { Result as Outcome } from "../../src/data/CallResult.js"
import type { networks, RollupStacks } from "../../src/data/Network.js"
import type { BlockNotReached, RpcCallError } from "../../src/data/SdkError.js"
import type * as Evm from "../../src/entries/Evm.js"
import type * as Klaytn from "../../src/entries/Klaytn.js"
import type * as ZkSync from "../../src/entries/ZkSync.js"
import type { PromiseSdk } from "../../src/promise.js"

declare const promise: PromiseSdk<"ethereum-mainnet">
declare const effects: Sdk.Sdk<"ethereum-mainnet">
declare const flag: boolean
declare const text: string
declare const options: Evm.TraceOptions

const viem = createPublicClient({ transport: http() })
const abi = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"])

type Hashes = ReadonlyArray<Evm.Hex>
type Whole = ReadonlyArray<Evm.Transaction>

/** Hooks and queries: nothing calls them. */
const useAll = (): void => {
  const whole = useRpc("getBlockByNumber", [1, true], { network: "ethereum-mainnet" })
  const usual = useRpc("getBlockByHash", ["0x1"], { network: "polygon-mainnet" })
  const hashes = useSuspenseRpc("getBlockByNumber", [1, false], { network: "ethereum-mainnet" })
  const count = useRpc("getBlockByNumber", [1, true], {
    network: "ethereum-mainnet",
    select: (block) => block?.transactions.map(({ gas }) => gas)
  })
  const balance = useRpc("getBalance", ["0x1"], { network: "ethereum-mainnet" })
  expectTypeOf<NonNullable<typeof whole.data>["transactions"]>().toEqualTypeOf<Whole>()
  expectTypeOf<NonNullable<typeof usual.data>["transactions"]>().toEqualTypeOf<Hashes>()
  expectTypeOf<NonNullable<typeof hashes.data>["transactions"]>().toEqualTypeOf<Hashes>()
  expectTypeOf(count.data).toEqualTypeOf<Array<Evm.Hex> | undefined>()
  expectTypeOf(balance.data).toEqualTypeOf<bigint | undefined>()
  const query = useQuery(rpcQueryOptions(promise, "getBlockByNumber", [1, false]))
  expectTypeOf<NonNullable<typeof query.data>["transactions"]>().toEqualTypeOf<Hashes>()
  const number = useQuery(rpcQueryOptions(promise, "blockNumber"))
  expectTypeOf(number.data).toEqualTypeOf<bigint | undefined>()
}
void useAll

describe("the values of EVM chains", () => {
  it("go into viem", () => {
    const program = Effect.gen(function* () {
      const block = yield* effects.rpc.getBlockByHash("0x1", true)
      if (block === null) return
      void viem.getBlock({ blockHash: block.hash })
      const [transaction] = block.transactions
      if (transaction === undefined) return
      void viem.getTransaction({ hash: transaction.hash })
      void viem.getBalance({ address: transaction.from })
      void viem.call({ to: transaction.to, data: transaction.input })
      const [log] = yield* effects.rpc.getLogs({ address: transaction.from })
      if (log !== undefined) {
        expectTypeOf(decodeEventLog({ abi, ...log }).eventName).toEqualTypeOf<"Transfer">()
        void viem.getStorageAt({ address: log.address, slot: log.topics[0] ?? "0x0" })
      }
      const receipt = yield* effects.rpc.waitForTransaction(transaction.hash)
      void viem.getTransactionReceipt({ hash: receipt.transactionHash })
      const hash = yield* effects.rpc.sendRawTransaction("0x")
      void viem.waitForTransactionReceipt({ hash })
    })
    expectTypeOf(program).toExtend<Effect.Effect<void, unknown>>()
    expectTypeOf<Evm.Hex>().toEqualTypeOf<`0x${string}`>()
  })

  it("come out of plain texts", () => {
    const { rpc } = effects
    void rpc.getBalance(text)
    void rpc.getLogs({ address: [text], topics: [text, null, [text]], fromBlock: text, blockHash: text })
    void rpc.call({ to: text, data: text, value: 1n, accessList: [{ address: text, storageKeys: [text] }] })
    void rpc.getProof(text, [text], { blockHash: text })
    void rpc.getStorageValues({ [text]: [text] })
    void rpc.waitForTransaction(text)
    void rpc.subscribe.logs({ address: text, topics: [text] })
    void rpc.sendUserOperation(
      {
        sender: text,
        nonce: 1n,
        callData: text,
        signature: text,
        callGasLimit: 1,
        verificationGasLimit: 1,
        preVerificationGas: 1
      },
      text
    )
  })

  it("are the same in subscriptions", () => {
    type Item<F> = F extends (...args: never) => AsyncIterable<Outcome<infer A, infer _E>> ? A : never
    type Subscribe = (typeof promise)["rpc"]["subscribe"]
    expectTypeOf<Item<Subscribe["newPendingTransactions"]>>().toEqualTypeOf<Evm.Hex>()
    expectTypeOf<Item<Subscribe["newHeads"]>["hash"]>().toEqualTypeOf<Evm.Hex>()
    expectTypeOf<Item<Subscribe["logs"]>["topics"][0]>().toEqualTypeOf<Evm.Hex | undefined>()
  })
})

/** The transactions of a block in a result. */
type In<R> =
  Extract<Awaited<R>, { readonly status: "SUCCESS" }> extends { readonly data: infer A }
    ? NonNullable<A> extends { readonly transactions: infer T }
      ? T
      : never
    : never
type InEffect<R> =
  R extends Effect.Effect<infer A, infer _E>
    ? NonNullable<A> extends { readonly transactions: infer T }
      ? T
      : never
    : never

describe("a flag for whole transactions", () => {
  it("decides on the Effect surface", () => {
    const byHash = () => effects.rpc.getBlockByHash("0x1")
    const whole = () => effects.rpc.getBlockByHash("0x1", true)
    const either = () => effects.rpc.getBlockByHash("0x1", flag)
    expectTypeOf<InEffect<ReturnType<typeof byHash>>>().toEqualTypeOf<Hashes>()
    expectTypeOf<InEffect<ReturnType<typeof whole>>>().toEqualTypeOf<Whole>()
    expectTypeOf<InEffect<ReturnType<typeof either>>>().toEqualTypeOf<Hashes | Whole>()
    const byNumber = () => effects.rpc.getBlockByNumber(1)
    const hashes = () => effects.rpc.getBlockByNumber(1, false)
    // by number, the whole ones are what comes if nothing is said
    expectTypeOf<InEffect<ReturnType<typeof byNumber>>>().toEqualTypeOf<Whole>()
    expectTypeOf<InEffect<ReturnType<typeof hashes>>>().toEqualTypeOf<Hashes>()
    expectTypeOf(effects.rpc.getBlockByHash).parameter(1).toEqualTypeOf<boolean | undefined>()
    // @ts-expect-error a flag is no text
    void effects.rpc.getBlockByHash("0x1", "true")
    // @ts-expect-error the hash is missing
    void effects.rpc.getBlockByHash()
  })

  it("decides on the Promise surface", () => {
    const byHash = () => promise.rpc.getBlockByHash("0x1", false)
    const whole = () => promise.rpc.getBlockByHash("0x1", true)
    const byNumber = () => promise.rpc.getBlockByNumber("latest", flag)
    expectTypeOf<In<ReturnType<typeof byHash>>>().toEqualTypeOf<Hashes>()
    expectTypeOf<In<ReturnType<typeof whole>>>().toEqualTypeOf<Whole>()
    expectTypeOf<In<ReturnType<typeof byNumber>>>().toEqualTypeOf<Hashes | Whole>()
  })

  it("decides beside more errors", () => {
    const of = (sdk: PromiseSdk<"bsc-mainnet", BlockNotReached>) => sdk.rpc.getBlockByHash("0x1", true)
    expectTypeOf<In<ReturnType<typeof of>>>().toEqualTypeOf<Whole>()
    const steady = (sdk: Sdk.Sdk<"bsc-mainnet", BlockNotReached>) => sdk.rpc.getBlockByHash("0x1", true)
    expectTypeOf<Effect.Effect.Error<ReturnType<typeof steady>>>().toEqualTypeOf<
      RpcCallError | BlockNotReached
    >()
  })

  it("decides in Rx, in hooks and in queries", () => {
    const rx = (surface: Reactive<"ethereum-mainnet">) => surface.rpc.getBlockByHash("0x1", true)
    type Of<R> = R extends { readonly read: (...args: never) => infer S } ? S : never
    type Values<S> = S extends { readonly _tag: "Success"; readonly value: infer A } ? A : never
    expectTypeOf<NonNullable<Values<Of<ReturnType<typeof rx>>>>["transactions"]>().toEqualTypeOf<Whole>()
  })

  it("asks nothing of doubles", () => {
    class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}
    void Sdk.layerTest(Eth, { rpc: { getBlockByHash: () => Effect.succeed(null) } })
  })
})

describe("a tracer", () => {
  it("decides about its result", () => {
    type Traced<F extends (...args: never) => unknown> = Effect.Effect.Success<
      Extract<ReturnType<F>, Effect.Effect<unknown, RpcCallError>>
    >
    const { rpc } = effects
    const opcodes = () => rpc.debugTraceTransaction("0x1")
    const opcodesToo = () => rpc.debugTraceTransaction("0x1", { enableMemory: true })
    const calls = () => rpc.debugTraceTransaction("0x1", { tracer: "callTracer" })
    const before = () => rpc.debugTraceCall({}, "latest", { tracer: "prestateTracer" })
    const diff = () =>
      rpc.debugTraceCall({}, 1, { tracer: "prestateTracer", tracerConfig: { diffMode: true } })
    const own = () => rpc.debugTraceTransaction("0x1", { tracer: "{ result() {} }" })
    const any = () => rpc.debugTraceTransaction("0x1", options)
    const block = () => rpc.debugTraceBlockByNumber(1, { tracer: "4byteTracer" })
    expectTypeOf<Traced<typeof opcodes>>().toEqualTypeOf<Evm.OpcodeTrace>()
    expectTypeOf<Traced<typeof opcodesToo>>().toEqualTypeOf<Evm.OpcodeTrace>()
    expectTypeOf<Traced<typeof calls>>().toEqualTypeOf<Evm.CallFrame>()
    expectTypeOf<Traced<typeof before>>().toEqualTypeOf<Evm.Prestate>()
    expectTypeOf<Traced<typeof diff>>().toEqualTypeOf<Evm.PrestateDiff>()
    expectTypeOf<Traced<typeof own>>().toEqualTypeOf<unknown>()
    expectTypeOf<Traced<typeof any>>().toEqualTypeOf<unknown>()
    expectTypeOf<Traced<typeof block>>().toEqualTypeOf<
      ReadonlyArray<Evm.TracedTransaction<Evm.TracerResults["4byteTracer"]>>
    >()
    // @ts-expect-error no such option
    void rpc.debugTraceTransaction("0x1", { tracers: "callTracer" })
  })

  it("of a simulation is told by its flag", () => {
    const simulated = () => promise.rpc.simulate({ blockStateCalls: [{ calls: [{ value: 1n }] }] })
    const whole = () => promise.rpc.simulate({ blockStateCalls: [], returnFullTransactions: true })
    type Blocks<R> =
      Extract<Awaited<R>, { readonly status: "SUCCESS" }> extends {
        readonly data: ReadonlyArray<infer B>
      }
        ? B
        : never
    expectTypeOf<Blocks<ReturnType<typeof simulated>>["transactions"]>().toEqualTypeOf<Hashes>()
    expectTypeOf<Blocks<ReturnType<typeof whole>>["transactions"]>().toEqualTypeOf<Whole>()
    expectTypeOf<Blocks<ReturnType<typeof whole>>["calls"][number]>().toEqualTypeOf<Evm.SimulatedCall>()
  })
})

describe("a rollup", () => {
  type Received<N extends Parameters<typeof Sdk.supports>[0] & keyof Rpcs> = Rpcs[N]
  type ReceiptOf<R> = R extends { readonly getTransactionReceipt: (...args: never) => infer S }
    ? S extends Effect.Effect<infer A, infer _E>
      ? NonNullable<A>
      : never
    : never
  interface Rpcs {
    readonly "optimism-mainnet": Sdk.RpcOf<"optimism-mainnet">
    readonly "base-sepolia": Sdk.RpcOf<"base-sepolia">
    readonly "arbitrum-one-mainnet": Sdk.RpcOf<"arbitrum-one-mainnet">
    readonly "zksync-mainnet": Sdk.RpcOf<"zksync-mainnet">
    readonly "ethereum-mainnet": Sdk.RpcOf<"ethereum-mainnet">
    readonly "polygon-mainnet": Sdk.RpcOf<"polygon-mainnet">
  }

  it("is every network of a currency whose chain is one", () => {
    type Table = typeof networks
    type Currency =
      | "CELO"
      | "ETH_ARB"
      | "ETH_BASE"
      | "ETH_LISK"
      | "ETH_OP"
      | "ETH_ROBINHOOD"
      | "ETH_UNI"
      | "PLUME"
    type Known = { [N in keyof Table]: Table[N]["currency"] extends Currency ? N : never }[keyof Table]
    expectTypeOf<keyof RollupStacks>().toEqualTypeOf<Known>()
  })

  it("has receipts of its own", () => {
    expectTypeOf<ReceiptOf<Received<"optimism-mainnet">>>().toEqualTypeOf<Evm.OpReceipt>()
    expectTypeOf<ReceiptOf<Received<"base-sepolia">>["l1Fee"]>().toEqualTypeOf<Evm.Hex | undefined>()
    expectTypeOf<ReceiptOf<Received<"arbitrum-one-mainnet">>["gasUsedForL1"]>().toEqualTypeOf<Evm.Hex>()
    expectTypeOf<ReceiptOf<Received<"zksync-mainnet">>>().toEqualTypeOf<ZkSync.Receipt>()
    expectTypeOf<ReceiptOf<Received<"ethereum-mainnet">>>().toEqualTypeOf<Evm.Receipt>()
    expectTypeOf<ReceiptOf<Received<"polygon-mainnet">>>().not.toHaveProperty("l1Fee")
    expectTypeOf<ReceiptOf<Received<"ethereum-mainnet">>>().not.toHaveProperty("gasUsedForL1")
  })

  it("has blocks, transactions and logs of its own, on every surface", () => {
    const program = (arb: Sdk.Sdk<"arbitrum-one-mainnet">, zk: Sdk.Sdk<"zksync-mainnet">) =>
      Effect.gen(function* () {
        const block = yield* arb.rpc.getBlockByHash("0x1", true)
        expectTypeOf(block?.sendRoot).toEqualTypeOf<Evm.Hex | undefined>()
        expectTypeOf(block?.transactions[0]?.ticketId).toEqualTypeOf<Evm.Hex | undefined>()
        const batched = yield* zk.rpc.getBlockByNumber(1, false)
        expectTypeOf(batched?.l1BatchNumber).toEqualTypeOf<Evm.Hex | null | undefined>()
        expectTypeOf(batched?.transactions).toEqualTypeOf<Hashes | undefined>()
        const [log] = yield* zk.rpc.getLogs({})
        expectTypeOf(log?.transactionLogIndex).toEqualTypeOf<Evm.Hex | null | undefined>()
        const receipt = yield* arb.rpc.waitForTransaction("0x1")
        expectTypeOf(receipt.l1BlockNumber).toEqualTypeOf<Evm.Hex>()
      })
    void program
    const fee = (sdk: PromiseSdk<"base-mainnet">) => sdk.rpc.getTransactionReceipt("0x1")
    type Fee = Extract<Awaited<ReturnType<typeof fee>>, { readonly status: "SUCCESS" }>["data"]
    expectTypeOf<Fee>().toEqualTypeOf<Evm.OpReceipt | null>()
    const alone = (sdk: Awaited<ReturnType<typeof make>>) => sdk.rpc.getTransactionReceipt("0x1")
    const make = () => (undefined as never as typeof Evm.init)({ network: "unichain-mainnet" })
    type Own = Extract<Awaited<ReturnType<typeof alone>>, { readonly status: "SUCCESS" }>["data"]
    expectTypeOf<Own>().toEqualTypeOf<Evm.OpReceipt | null>()
  })

  it("sends as its family does", () => {
    type Repeats = Sdk.RpcOf<"optimism-mainnet">["sendRawTransactionSync"]["repeat"]
    expectTypeOf<Repeats>().toEqualTypeOf<"broadcast">()
  })
})

describe("Klaytn", () => {
  it("has other receipts and transactions by its own names", () => {
    const own = (sdk: Sdk.Sdk<"klaytn-mainnet">) => sdk.rpc.getTransactionReceipt("0x1", true)
    const usual = (sdk: Sdk.Sdk<"klaytn-mainnet">) => sdk.rpc.getTransactionReceipt("0x1")
    expectTypeOf<Effect.Effect.Success<ReturnType<typeof own>>>().toEqualTypeOf<Klaytn.Receipt | null>()
    expectTypeOf<Effect.Effect.Success<ReturnType<typeof usual>>>().toEqualTypeOf<Evm.Receipt | null>()
  })
})
