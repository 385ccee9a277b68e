/** What signers of EVM chains make of what their nodes say: words about transactions, the price of gas, tokens, and the next nonce. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { type Network, networks } from "../../src/data/Network.js"
import { CallTimeout, NodeError, RpcError, withAttempts } from "../../src/data/SdkError.js"
import type { Taken } from "../../src/signers/broadcast.js"
import { type Chain, make } from "../../src/signers/evm/Nonces.js"
import { belowFee, chainOf, feesOf, priceOf, tokenOf, word } from "../../src/signers/evm/reading.js"
import type { EvmCalls } from "../../src/signers/evm/Types.js"
import type { ReadError } from "../../src/signers/Signer.js"

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

describe("what nodes say of a transaction that they are handed", () => {
  const handed = (error: ReadError) =>
    Effect.either(
      chainOf(calls({ sendRawTransaction: () => Effect.fail(error) }), "0x1", () =>
        Effect.die("signs")
      ).broadcast({
        hash: "0x2",
        raw: "0x3"
      })
    )

  it.effect.each([
    "already known",
    "known transaction: 2",
    "Transaction with hash 2 already imported",
    "transaction already exists",
    "already in mempool",
    "already in the mempool",
    "already in pool",
    "tx already in the pool"
  ])("means that it is there: %s", (message) =>
    Effect.gen(function* () {
      expect(yield* handed(says(message))).toMatchObject({ _tag: "Right", right: "taken" })
      // whoever had it before
      const again = withAttempts(says(message), [{ node: url, ms: 1, outcome: "lost" }])
      expect(yield* handed(again)).toMatchObject({ right: "taken" })
    })
  )

  it.effect.each([
    "nonce too low: next nonce 5, tx nonce 4",
    "nonce is too low",
    "NonceTooLow",
    "nonce_too_low",
    "OldNonce",
    "old nonce",
    "old_nonce",
    "the nonce has already been used",
    "nonce used",
    "nonce is lower than that of the account",
    "replacement transaction underpriced",
    "could not replace existing tx",
    "Invalid nonce; got 4, expected 5",
    "incorrect nonce"
  ])("means that another one is in its place: %s", (message) =>
    Effect.gen(function* () {
      expect(yield* handed(says(message))).toMatchObject({ _tag: "Right", right: "replaced" })
      // it may be this very one, which a node got whose answer was lost
      const unsure = withAttempts(says(message), [{ node: url, ms: 1, outcome: "lost" }])
      expect(yield* handed(unsure)).toMatchObject({ _tag: "Left", left: { _tag: "RpcError" } })
    })
  )

  it.effect("is an error otherwise, and so is what no node has said", () =>
    Effect.gen(function* () {
      for (const message of [
        "insufficient funds",
        "nonce too high",
        "unknown",
        "nonce 7 of 0xabc is used up"
      ])
        expect(yield* handed(says(message))).toMatchObject({ _tag: "Left", left: { rpcMessage: message } })
      const reason = "already known, nonce too low"
      expect(yield* handed(new NodeError({ kind: "network", call: "send", url, reason }))).toMatchObject({
        _tag: "Left",
        left: { _tag: "NodeError" }
      })
    })
  )

  it.effect("is asked anew each time, with what waits for a block", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const signed: Array<unknown> = []
      const chain = chainOf(
        calls({
          getTransactionCount: (...given) => Effect.succeed(BigInt(asked.push(given))),
          getTransactionByHash: (hash) => Effect.succeed(hash === "0x2" ? {} : null)
        }),
        "0x1",
        (transaction) => {
          signed.push(transaction)
          return Effect.succeed({ hash: "0x2", raw: "0x3" })
        }
      )
      expect(chain.address).toBe("0x1")
      expect([yield* chain.count, yield* chain.count]).toEqual([1, 2])
      expect(asked).toEqual([
        ["0x1", "pending"],
        ["0x1", "pending"]
      ])
      expect([yield* chain.isKnown("0x2"), yield* chain.isKnown("0x4")]).toEqual([true, false])
      yield* chain.sign({ chainId: 1, value: 5n, gas: 6n }, 7)
      expect(signed).toEqual([{ chainId: 1, value: 5n, gas: 6n, nonce: 7 }])
    })
  )
})

describe("the price of gas", () => {
  const base = (baseFeePerGas: `0x${string}`) => () => Effect.succeed({ baseFeePerGas })

  it.effect("has room for the base fee to double", () =>
    Effect.gen(function* () {
      const fees = yield* feesOf(
        calls({ getBlockByNumber: base("0xa"), maxPriorityFeePerGas: () => Effect.succeed(3n) })
      )
      expect(fees).toStrictEqual({ maxPriorityFeePerGas: 3n, maxFeePerGas: 23n })
      expect(priceOf(fees)).toBe(23n)
    })
  )

  it.effect("is one on chains without a base fee, and where nobody has the block", () =>
    Effect.gen(function* () {
      for (const block of [{}, null]) {
        const asked: Array<unknown> = []
        const fees = yield* feesOf(
          calls({
            getBlockByNumber: (which) => Effect.succeed(asked.push(which) > 0 ? block : block),
            gasPrice: () => Effect.succeed(7n)
          })
        )
        expect(asked).toEqual(["latest"])
        expect(fees).toStrictEqual({ gasPrice: 7n })
        expect(priceOf(fees)).toBe(7n)
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
          yield* feesOf(
            calls({
              getBlockByNumber: base("0xa"),
              maxPriorityFeePerGas: () => Effect.fail(says("the method does not exist")),
              gasPrice: () => Effect.succeed(price)
            })
          )
        ).toEqual({ maxPriorityFeePerGas: tip, maxFeePerGas: 20n + tip })
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
        expect(yield* belowFee(rpc, rowOf("base-mainnet"), data)).toMatchObject({ fee: 151n })
      expect(asked).toEqual(
        [161n, 161n, 162n, 256n].map((bytes) => ({
          to: "0x420000000000000000000000000000000000000F",
          data: `0xf1c7a58b${bytes.toString(16).padStart(64, "0")}`
        }))
      )
      expect(yield* belowFee(calls({}), rowOf("ethereum-mainnet"), "0x01")).toEqual({ fee: 0n, most: 0n })
    })
  )
})

describe("tokens", () => {
  const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
  const id = `eip155:1/erc20:${token}`
  const text = `0x${word(32n)}${word(4n)}${Buffer.from("GOLD").toString("hex").padEnd(64, "0")}` as const
  const read = (
    decimals: `0x${string}`,
    symbol: Effect.Effect<`0x${string}`, ReadError> = Effect.succeed(text)
  ) =>
    tokenOf(
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
  /** What comes of it in a second: both questions are asked at once. */
  const within = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(effect)
      yield* TestClock.adjust(1_000)
      return fiber.unsafePoll()
    })

  it.effect("have decimals, and the symbol that they claim beside their id", () =>
    Effect.gen(function* () {
      expect(yield* within(read(`0x${word(6n)}`))).toMatchObject({
        value: { token, asset: id, name: id, symbol: "GOLD", decimals: 6 }
      })
      expect(yield* within(read(`0x${word(255n)}`))).toMatchObject({ value: { decimals: 255 } })
      expect(yield* within(read(`0x${word(0n)}`, Effect.fail(says("reverted"))))).toMatchObject({
        value: { asset: id, decimals: 0 }
      })
      for (const none of ["0x", null, "0xzz", `0x${"ff".repeat(64)}`])
        expect(yield* within(read(`0x${word(6n)}`, Effect.succeed(none as "0x")))).toMatchObject({
          value: { asset: id, warnings: [] }
        })
    })
  )

  it.effect("are none where they tell no decimals, or such as no amount has", () =>
    Effect.gen(function* () {
      for (const decimals of ["0x", "", null, "0x6", `0x${word(256n)}`, `0x${word(2n ** 60n)}`])
        expect(yield* within(Effect.flip(read(decimals as "0x")))).toMatchObject({
          value: { message: expect.stringContaining(`${token.toLowerCase()} tells no decimals`) }
        })
    })
  )

  it("are called with words of 32 bytes", () => {
    expect(word(255n)).toBe("ff".padStart(64, "0"))
    expect(word("0xABCD")).toBe("abcd".padStart(64, "0"))
    expect(word("AB0xCD")).toBe("ab0xcd".padStart(64, "0"))
  })
})

describe("the next nonce", () => {
  /** A chain whose nodes answer as they are told: the hash of a transaction is its nonce and its name. */
  const made = (changes: Partial<Chain<string>>) => {
    const handed: Array<string> = []
    const nonces = make<string>({
      address: "0x1",
      count: Effect.succeed(5),
      isKnown: () => Effect.succeed(true),
      sign: (name, nonce) => Effect.succeed({ raw: `raw ${nonce} ${name}`, hash: `${nonce} ${name}` }),
      ...changes,
      broadcast: (signed) => {
        handed.push(signed.raw)
        return changes.broadcast?.(signed) ?? Effect.succeed("taken")
      }
    })
    return { handed, nonces }
  }

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
      const { handed, nonces } = made({ count: Effect.sync(() => count) })
      yield* nonces.send("a")
      count = 9
      yield* nonces.send("b")
      expect(handed).toEqual(["raw 5 a", "raw 9 b"])
    })
  )

  it.effect("is looked for four times where others take it, and always a higher one", () =>
    Effect.gen(function* () {
      const { handed, nonces } = made({ broadcast: () => Effect.succeed("replaced") })
      expect(yield* Effect.flip(nonces.send("a"))).toMatchObject({ _tag: "NonceTaken", address: "0x1" })
      expect(handed).toEqual(["raw 5 a", "raw 6 a", "raw 7 a", "raw 8 a"])
      // the chain's is higher still
      let count = 5
      let left = 2
      const other = made({
        count: Effect.sync(() => count),
        broadcast: (): Effect.Effect<Taken> => {
          count = 20
          return Effect.succeed(left-- > 0 ? "replaced" : "taken")
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
      const { handed, nonces } = made({ isKnown: (hash) => Effect.succeed(!gone.has(hash)) })
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
          isKnown: () => Effect.sync(() => !isLost),
          broadcast: () => Effect.sync(() => (isTaken ? "replaced" : "taken"))
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
        isKnown: (hash) => Effect.succeed(!isOver || hash !== "6 b"),
        broadcast: ({ hash }) =>
          isOver && hash === "6 b" ? Effect.fail(says("underpriced")) : Effect.succeed("taken")
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
        isKnown: () => (isAway ? Effect.fail(lost) : Effect.succeed(true)),
        broadcast: ({ raw }) =>
          isAway && raw === "raw 5 a"
            ? Effect.fail(new CallTimeout({ call: "send", timeout: 1 }))
            : Effect.succeed("taken")
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
      let taken: Taken = "taken"
      const late = made({ broadcast: () => Effect.succeed(taken) })
      const mined = yield* late.nonces.send("a")
      taken = "replaced"
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
      const { nonces } = made({ count: Effect.sync(() => count++) })
      for (let i = 0; i < 1_024; i++) yield* nonces.send("a")
      expect(nonces.find("0 a")).toBeDefined()
      yield* nonces.send("a")
      expect(nonces.find("0 a")).toBeUndefined()
      expect(nonces.find("1 a")).toBeDefined()
      expect(nonces.find("1024 a")).toBeDefined()
    })
  )
})
