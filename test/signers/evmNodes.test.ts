/** What signers of EVM chains make of what their nodes say: words about transactions, the price of gas, tokens, and the next nonce. */
import { beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { type Network, networks } from "../../src/data/Network.js"
import { CallTimeout, NodeError, RpcError } from "../../src/data/SdkError.js"
import type { Broadcaster } from "../../src/signers/broadcast.js"
import { make, type NonceSource } from "../../src/signers/evm/Nonces.js"
import {
  encodeWord,
  makeNonceSource,
  priceOf,
  readDataFee,
  readFeeHistory,
  readFees,
  readToken
} from "../../src/signers/evm/reading.js"
import type { EvmCalls } from "../../src/signers/evm/Types.js"
import type { ReadError, Speed } from "../../src/signers/Signer.js"

const url = "http://node.example"
const says = (rpcMessage: string) => new RpcError({ method: "send", code: -32_000, rpcMessage, url })
const lost = new NodeError({ kind: "network", call: "send", url, reason: "socket hang up" })

/** Calls of which a test gives those that it expects. */
const calls = (given: Partial<EvmCalls>): EvmCalls =>
  new Proxy(given, {
    get: (all, name) =>
      Reflect.get(all, name) ??
      (() => {
        throw new Error(`${String(name)} is called, and the test gives no such call`)
      })
    // what is missing dies by its name
  }) as EvmCalls

const rowOf = (id: Network) => ({ id, ...networks[id] })

describe("what nodes show of a transaction that they were handed", () => {
  const me = "0x00000000000000000000000000000000000000AA"
  /** A node at block 200, in which the account's transaction with the nonce 4 is in block `at`, if it is anywhere. */
  const shown = (at: number | undefined, hash: string, changes: Partial<EvmCalls> = {}) =>
    makeNonceSource(
      {
        nodes: undefined,
        rpc: calls({
          getTransactionByHash: () => Effect.succeed(null),
          getTransactionCount: (_, block) =>
            Effect.succeed(at !== undefined && Number(block) >= at ? 5n : 4n),
          getBlockByNumber: (block, includeTransactions) =>
            Effect.succeed(
              block === "latest"
                ? { number: "0xc8" }
                : {
                    number: "0x0",
                    transactions:
                      includeTransactions === true && Number(block) === at
                        ? [
                            { hash: "0xother", from: "0xbb", nonce: "0x4" },
                            { hash: "0xearlier", from: me.toLowerCase(), nonce: "0x3" },
                            { hash, from: me.toLowerCase(), nonce: "0x4" }
                          ]
                        : []
                  }
            ),
          ...changes
        })
      },
      me,
      () => Effect.die("signs")
    )
      .makeBroadcaster({ chainId: 1, value: 0n, gas: 21_000n }, 4)
      .lookUp("0x2")

  it.effect("is that they know it, waiting or in a block", () =>
    Effect.gen(function* () {
      expect(yield* shown(undefined, "", { getTransactionByHash: () => Effect.succeed({}) })).toBe("known")
      // where it got into a block between two questions
      expect(yield* shown(150, "0x2")).toBe("known")
    })
  )

  it.effect("is that a block has another one with its nonce, wherever the node has its state still", () =>
    Effect.gen(function* () {
      for (const at of [73, 74, 100, 136, 199, 200]) expect(yield* shown(at, "0x3")).toBe("replaced")
    })
  )

  it.effect("is nothing where its nonce is free, or was taken longer ago than nodes can show", () =>
    Effect.gen(function* () {
      for (const at of [undefined, 72, 5]) expect(yield* shown(at, "0x3")).toBe("absent")
      // the count alone is the word of a node, which it does not prove
      expect(
        yield* shown(150, "0x3", {
          getBlockByNumber: (block) => Effect.succeed(block === "latest" ? { number: "0xc8" } : null)
        })
      ).toBe("absent")
    })
  )

  it.effect("is unknown where they cannot be asked", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(shown(150, "0x3", { getTransactionByHash: () => Effect.fail(lost) }))).toBe(
        lost
      )
    })
  )

  it.effect("is asked anew each time, with what waits for a block", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const signed: Array<unknown> = []
      const chain = makeNonceSource(
        {
          nodes: undefined,
          rpc: calls({ getTransactionCount: (...given) => Effect.succeed(BigInt(asked.push(given))) })
        },
        "0x1",
        (transaction) => {
          signed.push(transaction)
          return Effect.succeed({ hash: "0x2", raw: "0x3" })
        }
      )
      expect(chain.address).toBe("0x1")
      expect([yield* chain.readCount, yield* chain.readCount]).toEqual([1, 2])
      expect(asked).toEqual([
        ["0x1", "pending"],
        ["0x1", "pending"]
      ])
      yield* chain.sign({ chainId: 1, value: 5n, gas: 6n }, 7)
      expect(signed).toEqual([{ chainId: 1, value: 5n, gas: 6n, nonce: 7 }])
    })
  )
})

describe("the price of gas", () => {
  const base = (baseFeePerGas: `0x${string}`) => () => Effect.succeed({ baseFeePerGas })

  it.effect("has room for the base fee to double", () =>
    Effect.gen(function* () {
      const fees = yield* readFees(
        calls({ getBlockByNumber: base("0xa"), maxPriorityFeePerGas: () => Effect.succeed(3n) })
      )
      expect(fees).toStrictEqual({ fees: { maxPriorityFeePerGas: 3n, maxFeePerGas: 23n }, warnings: [] })
      expect(priceOf(fees.fees)).toBe(23n)
    })
  )

  /** The fees at a speed, of blocks whose payments paid so much at the percentiles that are asked for, and what was asked. */
  const atSpeed = (speed: Speed, reward: unknown) => {
    const asked: Array<unknown> = []
    const rpc = calls({
      getBlockByNumber: base("0xa"),
      maxPriorityFeePerGas: () => Effect.succeed(3n),
      feeHistory: (...args) => {
        asked.push(args)
        return reward instanceof CallTimeout ? Effect.fail(reward) : Effect.succeed({ reward })
      }
    })
    // a cap of the caller leaves nothing but the speed to ask for
    return Effect.map(readFees(rpc, speed, readFeeHistory(rpc, speed, true)), (fees) => ({ ...fees, asked }))
  }

  it.effect("is at a speed what others have paid, with the blocks that it is expected to take", () =>
    Effect.gen(function* () {
      const blocks = [
        ["0x2", "0x5"],
        ["0x6", "0x9"],
        ["0x1", "0x7"],
        ["0x8", "0x8"],
        ["0x0", "0x0"]
      ]
      // the median of 5, 7, 8 and 9 is 8, which was enough for all of them
      expect(yield* atSpeed("fast", blocks)).toStrictEqual({
        fees: { maxPriorityFeePerGas: 8n, maxFeePerGas: 28n },
        expectedBlocks: 1,
        warnings: [],
        asked: [[20, "latest", [10, 90]]]
      })
      const slow = yield* atSpeed(
        { percentile: 5 },
        blocks.map(([low, high]) => [low, high])
      )
      expect(slow.asked).toEqual([[20, "latest", [5, 10]]])
      // the median of 1, 2, 6 and 8 is 6: of five blocks, two had no place for that
      expect(slow).toMatchObject({ fees: { maxPriorityFeePerGas: 6n }, expectedBlocks: 5 / 2 })
      const tenth = yield* atSpeed(
        { percentile: 10 },
        blocks.map(([low]) => [low])
      )
      expect(tenth.asked).toEqual([[20, "latest", [10]]])
      expect(tenth).toMatchObject({ fees: { maxPriorityFeePerGas: 6n }, expectedBlocks: 5 / 4 })
    })
  )

  it.effect("is what the node suggests where nobody has paid, or nodes keep no history", () =>
    Effect.gen(function* () {
      const fees = { maxPriorityFeePerGas: 3n, maxFeePerGas: 23n }
      for (const reward of [
        undefined,
        null,
        [],
        "0x1",
        [["0x"]],
        [[null, 7]],
        new CallTimeout({ call: "x", timeout: 1 })
      ])
        expect(yield* atSpeed("normal", reward)).toMatchObject({ fees, warnings: [] })
      const empty = yield* atSpeed("normal", [["0x0", "0x0"]])
      expect(empty).toMatchObject({ fees, expectedBlocks: 1 })
      // what the node suggests was never enough
      const dear = yield* atSpeed("normal", [["0x4", "0x0"]])
      expect(dear).toMatchObject({ fees, warnings: [expect.stringContaining("may wait long")] })
      expect(dear).not.toHaveProperty("expectedBlocks")
    })
  )

  it.effect("is one on chains without a base fee, and where nobody has the block", () =>
    Effect.gen(function* () {
      for (const block of [{}, null]) {
        const asked: Array<unknown> = []
        const fees = yield* readFees(
          calls({
            getBlockByNumber: (which) => Effect.succeed(asked.push(which) > 0 ? block : block),
            gasPrice: () => Effect.succeed(7n)
          })
        )
        expect(asked).toEqual(["latest"])
        expect(fees).toStrictEqual({ fees: { gasPrice: 7n }, warnings: [] })
        expect(priceOf(fees.fees)).toBe(7n)
      }
      expect(priceOf({ gasPrice: 0n, maxFeePerGas: 5n })).toBe(0n)
      expect(priceOf({})).toBe(0n)
    })
  )

  it.effect("has as tip what the usual price has above the base fee, where nodes know no tip", () =>
    Effect.gen(function* () {
      for (const [price, tip] of [
        [15n, 5n],
        [11n, 1n],
        [10n, 0n],
        [7n, 0n]
      ] as const)
        expect(
          yield* readFees(
            calls({
              getBlockByNumber: base("0xa"),
              maxPriorityFeePerGas: () => Effect.fail(says("the method does not exist")),
              gasPrice: () => Effect.succeed(price)
            })
          )
        ).toEqual({ fees: { maxPriorityFeePerGas: tip, maxFeePerGas: 20n + tip }, warnings: [] })
    })
  )

  it.effect("has on rollups what the chain below takes for the bytes, and half as much again", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const rpc = calls({
        call: (call) => {
          asked.push(call)
          return Effect.succeed("0x65")
        }
      })
      for (const data of [undefined, "0x", "0x01", `0x${"00".repeat(95)}`])
        expect(yield* readDataFee(rpc, rowOf("base-mainnet"), data)).toMatchObject({ fee: 151n })
      expect(asked).toEqual(
        [161n, 161n, 162n, 256n].map((bytes) => ({
          to: "0x420000000000000000000000000000000000000F",
          data: `0xf1c7a58b${bytes.toString(16).padStart(64, "0")}`
        }))
      )
      expect(yield* readDataFee(calls({}), rowOf("ethereum-mainnet"), "0x01")).toEqual({ fee: 0n, most: 0n })
    })
  )
})

describe("tokens", () => {
  const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
  const id = `eip155:1/erc20:${token}`
  const text =
    `0x${encodeWord(32n)}${encodeWord(4n)}${Buffer.from("GOLD").toString("hex").padEnd(64, "0")}` as const
  const read = (
    decimals: `0x${string}`,
    symbol: Effect.Effect<`0x${string}`, ReadError> = Effect.succeed(text)
  ) =>
    readToken(
      calls({
        call: ({ data, to }) =>
          Effect.delay(
            to !== token
              ? Effect.die("another contract is called")
              : data === "0x313ce567"
                ? Effect.succeed(decimals)
                : data === "0x95d89b41"
                  ? symbol
                  : Effect.die("another function is called"),
            1_000
          )
      }),
      rowOf("ethereum-mainnet"),
      token
    )
  // the table of known tokens is loaded when it is first needed, and no virtual clock waits for that
  beforeAll(() => import("../../src/signers/knownTokens.js"))

  /** What comes of it in a second: both questions are asked at once. */
  const within = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(effect)
      yield* TestClock.adjust(1_000)
      return fiber.unsafePoll()
    })

  it.effect("have decimals, and the symbol that they claim beside their id", () =>
    Effect.gen(function* () {
      expect(yield* within(read(`0x${encodeWord(6n)}`))).toMatchObject({
        value: { token, asset: id, name: id, symbol: "GOLD", decimals: 6 }
      })
      expect(yield* within(read(`0x${encodeWord(255n)}`))).toMatchObject({ value: { decimals: 255 } })
      expect(yield* within(read(`0x${encodeWord(0n)}`, Effect.fail(says("reverted"))))).toMatchObject({
        value: { asset: id, decimals: 0 }
      })
      for (const none of ["0x", null, "0xzz", `0x${"ff".repeat(64)}`])
        expect(yield* within(read(`0x${encodeWord(6n)}`, Effect.succeed(none as "0x")))).toMatchObject({
          value: { asset: id, warnings: [] }
        })
    })
  )

  it.effect("are none where they tell no decimals, or such as no amount has", () =>
    Effect.gen(function* () {
      for (const decimals of ["0x", "", null, "0x6", `0x${encodeWord(256n)}`, `0x${encodeWord(2n ** 60n)}`])
        expect(yield* within(Effect.flip(read(decimals as "0x")))).toMatchObject({
          value: { message: expect.stringContaining(`${token.toLowerCase()} tells no decimals`) }
        })
    })
  )

  it("are called with words of 32 bytes", () => {
    expect(encodeWord(255n)).toBe("ff".padStart(64, "0"))
    expect(encodeWord("0xABCD")).toBe("abcd".padStart(64, "0"))
    expect(encodeWord("AB0xCD")).toBe("ab0xcd".padStart(64, "0"))
  })
})

describe("the next nonce", () => {
  /** A chain whose nodes answer and show what they are told: the hash of a transaction is its nonce and its name. */
  const made = ({
    broadcast = () => Effect.succeed("accepted"),
    readCount = Effect.succeed(5),
    lookUp = () => Effect.succeed("known")
  }: Partial<Pick<NonceSource<string>, "readCount"> & Pick<Broadcaster, "broadcast" | "lookUp">>) => {
    const handed: Array<string> = []
    const nonces = make<string>({
      address: "0x1",
      readCount,
      sign: (name, nonce) => Effect.succeed({ raw: `raw ${nonce} ${name}`, hash: `${nonce} ${name}` }),
      makeBroadcaster: () => ({
        nodes: undefined,
        propagationMs: 0,
        lookUp,
        broadcast: (signed) => {
          handed.push(signed.raw)
          return broadcast(signed)
        }
      })
    })
    return { handed, nonces }
  }
  const refused = says("nonce too low")

  it.effect("is that of the chain, and then one after another", () =>
    Effect.gen(function* () {
      const { handed, nonces } = made({})
      const out = yield* nonces.send("a")
      expect(out).toEqual({ raw: "raw 5 a", hash: "5 a", transaction: "a", nonce: 5 })
      yield* Effect.all([nonces.send("b"), nonces.send("c")], { concurrency: "unbounded" })
      expect(handed).toEqual(["raw 5 a", "raw 6 b", "raw 7 c"])
      expect(nonces.find("5 a")).toEqual(out)
      expect(nonces.find("6 a")).toBeUndefined()
    })
  )

  it.effect("is the chain's where others have gone further", () =>
    Effect.gen(function* () {
      let count = 5
      const { handed, nonces } = made({ readCount: Effect.sync(() => count) })
      yield* nonces.send("a")
      count = 9
      yield* nonces.send("b")
      expect(handed).toEqual(["raw 5 a", "raw 9 b"])
    })
  )

  it.effect("is looked for four times where others take it, and always a higher one", () =>
    Effect.gen(function* () {
      const replaced: Pick<Broadcaster, "broadcast" | "lookUp"> = {
        broadcast: () => Effect.fail(refused),
        lookUp: () => Effect.succeed("replaced")
      }
      const { handed, nonces } = made(replaced)
      expect(yield* Effect.flip(nonces.send("a"))).toMatchObject({ _tag: "NonceTaken", address: "0x1" })
      expect(handed).toEqual(["raw 5 a", "raw 6 a", "raw 7 a", "raw 8 a"])
      // the chain's is higher still
      let count = 5
      let left = 2
      const other = made({
        readCount: Effect.sync(() => count),
        lookUp: () => Effect.succeed("replaced"),
        broadcast: () => {
          count = 20
          return left-- > 0 ? Effect.fail(refused) : Effect.succeed("accepted")
        }
      })
      expect((yield* other.nonces.send("a")).nonce).toBe(21)
      expect(other.handed).toEqual(["raw 5 a", "raw 20 a", "raw 21 a"])
      // the chain misses one below: nothing behind it would get into a block
      expect((yield* other.nonces.send("b")).nonce).toBe(20)
    })
  )

  it.effect("is behind what nodes have lost, which they get again as the same bytes", () =>
    Effect.gen(function* () {
      const gone = new Set(["6 b"])
      const { handed, nonces } = made({
        lookUp: (hash) => Effect.succeed(gone.has(hash) ? "absent" : "known")
      })
      for (const name of ["a", "b", "c"]) yield* nonces.send(name)
      expect(handed).toEqual(["raw 5 a", "raw 6 b", "raw 6 b", "raw 7 c"])
    })
  )

  it.effect(
    "is not that of a payment which nodes have lost, though others took all that were tried since",
    () =>
      Effect.gen(function* () {
        let isTaken = false
        let isLost = false
        const { handed, nonces } = made({
          lookUp: () => Effect.sync(() => (isTaken ? "replaced" : isLost ? "absent" : "known")),
          broadcast: () => (isTaken ? Effect.fail(refused) : Effect.succeed("accepted"))
        })
        yield* nonces.send("a")
        isTaken = true
        expect(yield* Effect.flip(nonces.send("b"))).toMatchObject({ _tag: "NonceTaken" })
        isTaken = false
        isLost = true
        expect((yield* nonces.send("c")).nonce).toBe(6)
        expect(handed.slice(-2)).toEqual(["raw 5 a", "raw 6 c"])
      })
  )

  it.effect("is that of a transaction which nodes will not have again", () =>
    Effect.gen(function* () {
      let isOver = false
      const chain = made({
        lookUp: (hash) => Effect.succeed(!isOver || hash !== "6 b" ? "known" : "absent"),
        broadcast: ({ hash }) =>
          isOver && hash === "6 b" ? Effect.fail(says("underpriced")) : Effect.succeed("accepted")
      })
      for (const name of ["a", "b", "c"]) yield* chain.nonces.send(name)
      isOver = true
      expect((yield* chain.nonces.send("d")).nonce).toBe(6)
    })
  )

  it.effect("is behind one of which nobody can tell", () =>
    Effect.gen(function* () {
      let isAway = false
      const chain = made({
        lookUp: () => (isAway ? Effect.fail(lost) : Effect.succeed("known")),
        broadcast: ({ raw }) =>
          isAway && raw === "raw 5 a"
            ? Effect.fail(new CallTimeout({ call: "send", timeout: 1 }))
            : Effect.succeed("accepted")
      })
      yield* chain.nonces.send("a")
      isAway = true
      const fiber = yield* Effect.fork(chain.nonces.send("b"))
      yield* TestClock.adjust("1 minute")
      expect(fiber.unsafePoll()).toMatchObject({ value: { nonce: 6 } })
    })
  )

  it.effect("is again that of a transaction which is replaced", () =>
    Effect.gen(function* () {
      const { handed, nonces } = made({})
      const out = yield* nonces.send("a")
      yield* nonces.send("b")
      expect((yield* nonces.replace(out, "faster")).nonce).toBe(5)
      expect(handed.at(-1)).toBe("raw 5 faster")
      expect(nonces.replacedBy("5 a")).toBe("5 faster")
      expect(nonces.replacedBy("6 b")).toBeUndefined()
      expect(nonces.find("5 a")).toBeUndefined()
      expect(nonces.find("5 faster")).toBeDefined()
      let isMined = false
      const late = made({
        lookUp: () => Effect.succeed("replaced"),
        broadcast: () => (isMined ? Effect.fail(refused) : Effect.succeed("accepted"))
      })
      const mined = yield* late.nonces.send("a")
      isMined = true
      expect(yield* Effect.flip(late.nonces.replace(mined, "faster"))).toMatchObject({
        _tag: "NonceTaken",
        address: "0x1",
        nonce: 5
      })
      expect(late.nonces.replacedBy("5 a")).toBeUndefined()
      expect(late.nonces.find("5 a")).toEqual(mined)
    })
  )

  it.effect("remembers the last 1,024 transactions", () =>
    Effect.gen(function* () {
      let count = 0
      const { nonces } = made({ readCount: Effect.sync(() => count++) })
      for (let i = 0; i < 1_024; i++) yield* nonces.send("a")
      expect(nonces.find("0 a")).toBeDefined()
      yield* nonces.send("a")
      expect(nonces.find("0 a")).toBeUndefined()
      expect(nonces.find("1 a")).toBeDefined()
      expect(nonces.find("1024 a")).toBeDefined()
    })
  )
})
