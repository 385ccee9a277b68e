// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { encodeAbiParameters, type Hex, keccak256, stringToHex } from "viem"
import * as Evm from "../../src/chains/Evm.js"
import * as Klaytn from "../../src/chains/Klaytn.js"
import { specOf } from "../../src/data/Endpoint.js"
import { make } from "../../src/transport/Client.js"
import type { Call, CallError, TransportService } from "../../src/wire/Transport.js"
import { runs } from "../properties.js"

const address = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
const hash = `0x${"ab".repeat(32)}`
const routing = { archive: true, batchArchive: true }

/** A node that gives one result to all calls, and keeps the calls. */
const node = (result: unknown = null) => {
  const calls: Array<Call<unknown>> = []
  const faults: Array<string> = []
  const transport: TransportService = {
    send: (call) =>
      Effect.suspend(() => {
        calls.push(call)
        const { id } = JSON.parse(String(call.body))
        const text = JSON.stringify({ jsonrpc: "2.0", id, result })
        return Either.match(call.decode({ status: 200, text, url: "https://node.example" }), {
          onLeft: ({ error, fault }): Effect.Effect<never, CallError> => {
            faults.push(fault)
            return Effect.fail(error)
          },
          onRight: (value) => Effect.succeed(value)
        })
      }),
    nodeUrl: () => Effect.die("no test asks for a url")
  }
  const sent = () => calls.map((call) => JSON.parse(String(call.body)))
  return {
    calls,
    faults,
    evm: make(Evm.endpoints, transport, routing),
    klaytn: make(Klaytn.endpoints, transport, routing),
    params: () => sent().map((body) => body.params),
    methods: () => sent().map((body) => body.method)
  }
}

describe("a block as an argument", () => {
  const cases: ReadonlyArray<readonly [block: Evm.Block | undefined, wire: unknown]> = [
    ["latest", "latest"],
    ["pending", "pending"],
    ["earliest", "earliest"],
    ["safe", "safe"],
    ["finalized", "finalized"],
    [undefined, "latest"],
    [0, "0x0"],
    [-0, "0x0"],
    [18_000_000, "0x112a880"],
    [2 ** 53 - 1, "0x1fffffffffffff"],
    [0n, "0x0"],
    [2n ** 64n, "0x10000000000000000"],
    ["0x112a880", "0x112a880"],
    ["0xAbC", "0xAbC"],
    ["18000000", "0x112a880"],
    ["0", "0x0"],
    [hash, hash],
    [
      { blockHash: hash, requireCanonical: true },
      { blockHash: hash, requireCanonical: true }
    ]
  ]
  it.effect.each(cases)("is written as nodes take it (%#)", ([block, wire]) =>
    Effect.gen(function* () {
      const { evm, params } = node("0x1")
      yield* evm.getBalance(address, block as Evm.OptionalBlock)
      yield* evm.getStorageAt(address, 1, block as Evm.OptionalBlock)
      expect(params()).toEqual([
        [address, wire],
        [address, "0x1", wire]
      ])
    })
  )

  it.effect("is the same for every method that takes one", () =>
    Effect.gen(function* () {
      const { evm, params } = node("0x1")
      yield* Effect.ignore(evm.getTransactionCount(address, 255n))
      yield* Effect.ignore(evm.getCode(address, 255n))
      yield* Effect.ignore(evm.call({ to: address }, 255n))
      yield* Effect.ignore(evm.estimateGas({ to: address }, 255n))
      yield* Effect.ignore(evm.createAccessList({ to: address }, 255n))
      yield* Effect.ignore(evm.getProof(address, ["0x0"], 255n))
      yield* Effect.ignore(evm.simulate({ blockStateCalls: [] }, 255n))
      yield* Effect.ignore(evm.getBlockByNumber(255, true))
      yield* Effect.ignore(evm.getBlockReceipts(255))
      yield* Effect.ignore(evm.getBlockTransactionCountByNumber(255))
      yield* Effect.ignore(evm.getTransactionByBlockNumberAndIndex(255, 7))
      yield* Effect.ignore(evm.getUncleByBlockNumberAndIndex(255, 7n))
      yield* Effect.ignore(evm.getUncleCountByBlockNumber(255))
      yield* Effect.ignore(evm.feeHistory(4, 255, [25]))
      yield* Effect.ignore(evm.debugTraceBlockByNumber(255))
      yield* Effect.ignore(evm.debugTraceCall({ to: address }, 255))
      yield* Effect.ignore(evm.traceBlock(255))
      yield* Effect.ignore(evm.traceCall({ to: address }, ["trace"], 255n))
      yield* Effect.ignore(evm.traceCallMany([{ to: address }], [["trace"]], 255n))
      yield* Effect.ignore(evm.traceReplayBlockTransactions(255, ["trace"]))
      for (const list of params()) expect(JSON.stringify(list)).toContain('"0xff"')
    })
  )

  // wrong on purpose: what JavaScript may pass
  const wrong: ReadonlyArray<unknown> = [
    -1,
    -1n,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    "newest",
    "",
    "-1",
    "1.5",
    "0x",
    "0xzz",
    "1e3",
    true,
    () => 1,
    Symbol("x")
  ]
  it.effect.each(wrong)("that is none is refused before anything is sent (%#)", (value) =>
    Effect.gen(function* () {
      const { calls, evm } = node("0x1")
      const error = yield* Effect.flip(evm.getBalance(address, value as Evm.OptionalBlock))
      expect(error).toMatchObject({ _tag: "InvalidArgument", call: "eth_getBalance" })
      expect(error.message).toContain("the block must be a whole number from 0 or a 0x string, not ")
      expect(calls).toEqual([])
    })
  )
})

describe("quantities", () => {
  it.effect("of filters and of ranges are written as nodes take them", () =>
    Effect.gen(function* () {
      const { evm, params } = node([])
      yield* Effect.ignore(evm.getLogs({ fromBlock: 1, toBlock: 2n, address, topics: [null, [hash]] }))
      yield* Effect.ignore(evm.getLogs({ blockHash: hash }))
      yield* Effect.ignore(evm.getLogs({ fromBlock: "earliest", toBlock: "latest" }))
      yield* Effect.ignore(evm.traceFilter({ fromBlock: "255", count: 5 }))
      yield* Effect.ignore(evm.feeHistory("4", "latest"))
      expect(params()).toEqual([
        [{ fromBlock: "0x1", toBlock: "0x2", address, topics: [null, [hash]] }],
        [{ blockHash: hash }],
        [{ fromBlock: "earliest", toBlock: "latest" }],
        [{ fromBlock: "0xff", count: 5 }],
        ["0x4", "latest", []]
      ])
    })
  )

  it.effect(
    "of transactions are hexadecimal, be they bigint or number; text and the rest stay as they are",
    () =>
      Effect.gen(function* () {
        const { evm, params } = node("0x1")
        const request = {
          from: address,
          to: address,
          value: 10n ** 18n,
          gas: 21_000,
          gasPrice: 0n,
          nonce: 0,
          type: "0x2",
          chainId: 1n,
          maxFeePerGas: "0x10",
          data: "0x1234",
          accessList: [{ address, storageKeys: [hash] }]
        }
        const wire = {
          ...request,
          value: "0xde0b6b3a7640000",
          gas: "0x5208",
          gasPrice: "0x0",
          nonce: "0x0",
          chainId: "0x1"
        }
        yield* Effect.ignore(evm.call(request))
        yield* Effect.ignore(evm.estimateGas(request))
        yield* Effect.ignore(evm.createAccessList(request))
        yield* Effect.ignore(evm.debugTraceCall(request, "latest"))
        yield* Effect.ignore(evm.traceCall(request, ["trace"]))
        yield* Effect.ignore(evm.traceCallMany([request], [["trace"]]))
        expect(params()).toEqual([
          [wire, "latest"],
          [wire],
          [wire, "latest"],
          [wire, "latest"],
          [wire, ["trace"], "latest"],
          [[[wire, ["trace"]]], "latest"]
        ])
        expect(request.gas).toBe(21_000)
      })
  )

  it.effect.each([-1n, -1, 1.5, Number.NaN, 2 ** 60])(
    "of transactions that are none are refused: %s",
    (value) =>
      Effect.gen(function* () {
        const { calls, evm } = node("0x1")
        const error = yield* Effect.flip(evm.call({ to: address, value }))
        expect(error).toMatchObject({ _tag: "InvalidArgument" })
        expect(error.message).toContain("the value must be a whole number from 0")
        expect(calls).toEqual([])
      })
  )

  it.prop(
    "come back as the bigint that they are",
    { value: FastCheck.bigInt({ min: 0n, max: 2n ** 256n - 1n }) },
    ({ value }) =>
      Effect.gen(function* () {
        const { evm, klaytn } = node(`0x${value.toString(16)}`)
        const calls = [
          evm.blockNumber(),
          evm.chainId(),
          evm.gasPrice(),
          evm.maxPriorityFeePerGas(),
          evm.blobBaseFee(),
          evm.getBalance(address),
          // no account has more than the numbers that are exact
          ...(value < 2n ** 53n ? [evm.getTransactionCount(address)] : []),
          evm.estimateGas({}),
          evm.netPeerCount(),
          klaytn.getBalance(address, "latest", true)
        ]
        for (const call of calls) expect(yield* call).toBe(value)
      }).pipe(Effect.runSync)
  )

  it.effect.each([null, "0x", "", "12", 5, "0xzz", {}, [], true, "0x1 "])(
    "that are none are the node's fault: %j",
    (result) =>
      Effect.gen(function* () {
        const { evm, faults } = node(result)
        expect(yield* Effect.flip(evm.blockNumber())).toMatchObject({ _tag: "NodeError", kind: "malformed" })
        expect(faults).toEqual(["node"])
      })
  )
})

describe("calls of tokens", () => {
  const name = (reply: unknown) => {
    const { evm, faults } = node(reply)
    return Effect.map(Effect.either(evm.getTokenName(address)), (outcome) => ({ outcome, faults }))
  }
  const encoded = (text: string): Hex => encodeAbiParameters([{ type: "string" }], [text])

  it.effect("take the transaction of a node, which has no receiver where it makes a contract", () =>
    Effect.gen(function* () {
      const { evm, params } = node("0x")
      const transaction = { from: address, to: null, value: "0x0", input: "0x60" } as const
      yield* evm.call(transaction, "0x10")
      expect(params()).toEqual([[transaction, "0x10"]])
    })
  )

  it.effect("are eth_call with the selector of the function", () =>
    Effect.gen(function* () {
      const { evm, methods, params } = node(encoded("x"))
      yield* evm.getTokenName(address)
      yield* evm.getTokenSymbol(address)
      const numbers = node(`0x${"0".repeat(63)}6`)
      expect(yield* numbers.evm.getTokenDecimals(address)).toBe(6n)
      expect(yield* numbers.evm.getTokenTotalSupply(address)).toBe(6n)
      expect(yield* numbers.evm.getTokenCap(address)).toBe(6n)
      expect(yield* numbers.evm.supportsInterfaceERC1155(address)).toBe(false)
      expect(methods()).toEqual(["eth_call", "eth_call"])
      expect(
        [...params(), ...numbers.params()].map(([call, block]) => [call.to, call.data.slice(0, 10), block])
      ).toEqual(
        ["0x06fdde03", "0x95d89b41", "0x313ce567", "0x18160ddd", "0x355274ea", "0x01ffc9a7"].map(
          (selector) => [address, selector, "latest"]
        )
      )
      expect(numbers.params()[3][0].data).toBe(`0x01ffc9a7d9b67a26${"0".repeat(56)}`)
    })
  )

  it.prop(
    "give any text back as the contract holds it",
    { text: FastCheck.fullUnicodeString({ maxLength: 100 }) },
    ({ text }) =>
      Effect.gen(function* () {
        expect((yield* name(encoded(text))).outcome).toEqual(Either.right(text))
      }).pipe(Effect.runSync),
    { fastCheck: { numRuns: runs(500) } }
  )

  it.effect.each(["", "Tether USD", "₮ether 🪙", "\ufeffmarked", "a\0b", "x".repeat(1_000)])(
    "give %j",
    (text) =>
      Effect.gen(function* () {
        expect((yield* name(encoded(text))).outcome).toEqual(Either.right(text))
      })
  )

  it.effect.each(["MKR", "Maker", "SAI", "", "0", "p0", "é€", "exactly thirty-two bytes of text"])(
    "give the text %j of the first tokens, which is 32 bytes",
    (text) =>
      Effect.gen(function* () {
        const reply = text === "" ? `0x${"0".repeat(64)}` : stringToHex(text, { size: 32 })
        expect((yield* name(reply)).outcome).toEqual(Either.right(text))
      })
  )

  const word = (value: bigint): string => value.toString(16).padStart(64, "0")
  it.effect.each([
    ["that is longer than the answer", `0x${word(32n)}${word(33n)}${"61".repeat(32)}`],
    ["of a length beyond all memory", `0x${word(32n)}${"f".repeat(64)}${"61".repeat(32)}`],
    ["behind the end of the answer", `0x${word(4_096n)}${word(1n)}${"61".repeat(32)}`],
    ["at a place beyond all memory", `0x${"f".repeat(64)}${word(1n)}${"61".repeat(32)}`],
    ["whose length is cut", `0x${word(32n)}61`],
    ["that is a single byte", "0x61"],
    ["that is no contract's", "0x"]
  ])("with a text %s are refused, and blame no node", ([, reply]) =>
    Effect.gen(function* () {
      const { faults, outcome } = yield* name(reply)
      expect(Either.isLeft(outcome) && outcome.left).toMatchObject({
        _tag: "InvalidArgument",
        call: "eth_call"
      })
      expect(faults).toEqual(["caller"])
    })
  )

  it.effect.each([null, 5, "text", "0xzz", {}])(
    "with an answer that is no bytes are the node's fault: %j",
    (reply) =>
      Effect.gen(function* () {
        const { faults, outcome } = yield* name(reply)
        expect(Either.isLeft(outcome) && outcome.left).toMatchObject({ _tag: "NodeError", kind: "malformed" })
        expect(faults).toEqual(["node"])
      })
  )

  it.prop(
    "end in a text or a typed error, whatever the contract answers",
    {
      bytes: FastCheck.uint8Array({ maxLength: 200 }),
      offset: FastCheck.nat(200),
      length: FastCheck.nat(200)
    },
    ({ bytes, length, offset }) =>
      Effect.gen(function* () {
        const digits = Buffer.from(bytes).toString("hex")
        for (const reply of [`0x${digits}`, `0x${word(BigInt(offset))}${word(BigInt(length))}${digits}`]) {
          const { outcome } = yield* name(reply)
          if (Either.isRight(outcome)) expect(typeof outcome.right).toBe("string")
          else expect(outcome.left._tag).toBe("InvalidArgument")
        }
      }).pipe(Effect.runSync),
    { fastCheck: { numRuns: runs(300) } }
  )

  it.effect(
    "whether a contract is a multitoken is true for 1 alone, and false where there is no answer",
    () =>
      Effect.gen(function* () {
        const supports = (reply: string) => node(reply).evm.supportsInterfaceERC1155(address)
        expect(yield* supports(`0x${word(1n)}`)).toBe(true)
        expect(yield* supports(`0x${word(0n)}`)).toBe(false)
        expect(yield* supports(`0x${word(2n)}`)).toBe(false)
        expect(yield* supports("0x")).toBe(false)
      })
  )
})

describe("archive nodes", () => {
  it.each<readonly [method: string, params: unknown, archive: boolean]>([
    ["eth_getCode", [address, "latest"], true],
    ["eth_call", [{}, "latest"], true],
    ["eth_call", undefined, true],
    ["debug_traceTransaction", [hash], true],
    ["debug_anything_new", [], true],
    ["trace_block", ["latest"], true],
    ["eth_getBalance", [address], false],
    ["eth_getBalance", [address, "latest"], false],
    ["eth_getBalance", [address, null], false],
    ["eth_getBalance", [address, ""], false],
    ["eth_getBalance", [address, "pending"], true],
    ["eth_getBalance", [address, "earliest"], true],
    ["eth_getBalance", [address, "finalized"], true],
    ["eth_getBalance", [address, "0x1"], true],
    ["eth_getBalance", [address, 0], true],
    ["eth_getBalance", [address, { blockHash: hash }], true],
    ["klay_getBalance", [address, "0x1"], true],
    ["eth_getStorageAt", [address, "0x0", "latest"], false],
    ["eth_getStorageAt", [address, "0x0", "0x1"], true],
    ["eth_getBlockByNumber", ["latest", false], false],
    ["eth_getBlockByNumber", ["0x1", false], true],
    ["eth_getBlockByNumber", { block: "0x1" }, false],
    ["eth_getLogs", [{ fromBlock: "latest", toBlock: "latest" }], false],
    ["eth_getLogs", [{ address }], false],
    ["eth_getLogs", [{ fromBlock: "0x1" }], true],
    ["eth_getLogs", [{ fromBlock: "latest", toBlock: "0x1" }], true],
    ["eth_getLogs", [{ fromBlock: "earliest" }], true],
    ["eth_getLogs", [null], false],
    ["eth_getLogs", [], false],
    ["eth_getLogs", undefined, false],
    ["eth_getTransactionCount", [address, "0x1"], false],
    ["eth_blockNumber", [], false],
    ["eth_getBlockByHash", [hash], false],
    ["eth_getTransactionReceipt", [hash], false],
    ["eth_sendRawTransaction", ["0x"], false],
    ["web3_clientVersion", [], false],
    ["net_version", null, false],
    ["", [], false],
    ["call", [], false],
    ["getBlockByNumber", ["0x1"], false],
    ["debugtrace_call", ["0x1"], true]
  ])("%s %j: %s", (method, params, archive) => expect(Evm.needsArchive(method, params)).toBe(archive))

  it.effect("are asked by the endpoints as the rule says, by what is on the wire", () =>
    Effect.gen(function* () {
      const { calls, evm } = node("0x1")
      yield* Effect.ignore(evm.getBalance(address))
      yield* Effect.ignore(evm.getBalance(address, 5n))
      yield* Effect.ignore(evm.getBlockByNumber("latest"))
      yield* Effect.ignore(evm.getBlockByNumber(5n))
      yield* Effect.ignore(evm.getCode(address))
      yield* Effect.ignore(evm.call({ to: address }))
      yield* Effect.ignore(evm.getLogs({ fromBlock: 1 }))
      yield* Effect.ignore(evm.blockNumber())
      expect(calls.map((call) => call.archive)).toEqual([false, true, false, true, true, true, true, false])
    })
  )
})

describe("a broadcast", () => {
  const spec = specOf(Evm.endpoints.sendRawTransaction)
  const accepted = spec?.kind === "rpc" ? spec.accepted : undefined

  it.each([
    "already known",
    "AlreadyKnown",
    "ALREADY_EXISTS: already known",
    "Known transaction",
    "known transaction: 0xabc",
    "known transaction. transaction with hash 0x1 is already in the system",
    "Transaction with the same hash was already imported.",
    "existing tx with same hash",
    "tx already in mempool"
  ])("that is answered with %j has been delivered", (message) =>
    expect(accepted?.known.test(message)).toBe(true)
  )

  it.each([
    "unknown transaction type",
    "rlp: unknown transaction",
    "nonce too low",
    "replacement transaction underpriced",
    "account already has code",
    "insufficient funds",
    ""
  ])("that is answered with %j has not", (message) => expect(accepted?.known.test(message)).toBe(false))

  it("that has been delivered gives the hash of the transaction", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.uint8Array({ minLength: 1, maxLength: 400 }), async (bytes) => {
        const signed = `0x${Buffer.from(bytes).toString("hex")}` as const
        expect(await accepted?.result([signed], "already known")).toBe(keccak256(signed))
        expect(await accepted?.result([signed.toUpperCase().replace("0X", "0x")], "already known")).toBe(
          keccak256(signed)
        )
      })
    )
  })

  it.effect("is marked as one, has its hash at hand, and yields the node's", () =>
    Effect.gen(function* () {
      const { calls, evm, klaytn, methods } = node(hash)
      expect(yield* evm.sendRawTransaction("0x1234")).toBe(hash)
      yield* klaytn.sendRawTransaction("0x1234", true)
      expect(calls.map((call) => call.repeat)).toEqual(["broadcast", "broadcast"])
      expect(methods()).toEqual(["eth_sendRawTransaction", "klay_sendRawTransaction"])
      for (const call of calls) {
        expect(yield* Effect.promise(async () => call.accepted?.result("already known"))).toBe(
          keccak256("0x1234")
        )
      }
    })
  )

  it("is every endpoint that is no read", () => {
    const others = Object.entries(Evm.endpoints).filter(([, endpoint]) => specOf(endpoint)?.repeat !== "read")
    expect(others.map(([name]) => name)).toEqual([
      "sendRawTransaction",
      "sendRawTransactionSync",
      "sendUserOperation"
    ])
  })
})

describe("Klaytn", () => {
  it.effect("has its own names by the last argument of every call that has both, which is not sent", () =>
    Effect.gen(function* () {
      const { klaytn, methods, params } = node("0x1")
      const both = (native?: boolean) =>
        Effect.forEach(
          [
            klaytn.blockNumber(native),
            klaytn.chainId(native),
            klaytn.gasPrice(native),
            klaytn.maxPriorityFeePerGas(native),
            klaytn.getBalance(address, 5n, native),
            klaytn.getTransactionCount(address, 5n, native),
            klaytn.getCode(address, 5n, native),
            klaytn.getStorageAt(address, 1, 5n, native),
            klaytn.estimateGas({ value: 1n }, native),
            klaytn.getBlockByHash(hash, true, native),
            klaytn.getBlockByNumber(5, true, native),
            klaytn.getBlockReceipts(5, native),
            klaytn.getBlockTransactionCountByHash(hash, native),
            klaytn.getBlockTransactionCountByNumber(5, native),
            klaytn.getTransactionByHash(hash, native),
            klaytn.getTransactionByBlockHashAndIndex(hash, 1, native),
            klaytn.getTransactionByBlockNumberAndIndex(5, 1, native),
            klaytn.getTransactionReceipt(hash, native),
            klaytn.getLogs({ fromBlock: 5 }, native),
            klaytn.sendRawTransaction("0x12", native)
          ],
          (call: Effect.Effect<unknown, unknown>) => Effect.ignore(call)
        )
      const { length } = yield* both()
      yield* both(false)
      yield* both(true)
      const names = methods()
      expect(names.slice(0, length).every((name) => name.startsWith("eth_"))).toBe(true)
      expect(names.slice(length, 2 * length)).toEqual(names.slice(0, length))
      expect(names.slice(2 * length)).toEqual(
        names.slice(0, length).map((name) => name.replace("eth_", "klay_"))
      )
      const wires = params()
      expect(wires.slice(length, 2 * length)).toEqual(wires.slice(0, length))
      expect(wires.slice(2 * length)).toEqual(wires.slice(0, length))
      expect(wires[8]).toEqual([{ value: "0x1" }])
      expect(wires[10]).toEqual(["0x5", true])
    })
  )

  it.effect("sends no argument that was left out before the last one", () =>
    Effect.gen(function* () {
      const { klaytn, params } = node("0x1")
      yield* Effect.ignore(klaytn.getBalance(address, undefined, true))
      yield* Effect.ignore(klaytn.getBlockByNumber("latest", undefined, true))
      expect(params()).toEqual([
        [address, "latest"],
        ["latest", true]
      ])
    })
  )
})
