// @runtime both
/** Contracts of Promise clients, over a client of which each test gives the calls that it expects. Encoding is compared with viem's. */
import fc from "fast-check"
import {
  type Abi,
  type AbiEvent,
  type AbiFunction,
  type AbiParameter,
  concatHex,
  decodeEventLog,
  decodeFunctionData,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  parseAbi,
  toFunctionSelector
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { describe, expect, it } from "vitest"
import type { TransactionRequest } from "../../src/chains/Evm.js"
import {
  contract,
  multicall,
  resolveName,
  type SkippedLog,
  verifyMessage,
  verifyTypedData
} from "../../src/contracts.js"
import { failure, type Result, success } from "../../src/data/CallResult.js"
import type { Network } from "../../src/data/Network.js"
import { InvalidArgument, NodeError, RpcError } from "../../src/data/SdkError.js"
import { runs } from "../properties.js"

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const other = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"

type Client = Parameters<typeof verifyMessage>[0]
type Calls = Client["rpc"]

const unexpected = (name: string) => (): never => {
  throw new Error(`unexpected: ${name}`)
}

/** A client with the calls that a test gives; any other one throws. */
const clientOf = (given: Partial<Calls>, network: Network = "ethereum-mainnet"): Client => ({
  network,
  rpc: {
    call: unexpected("call"),
    estimateGas: unexpected("estimateGas"),
    getCode: unexpected("getCode"),
    getLogs: unexpected("getLogs"),
    getTransactionReceipt: unexpected("getTransactionReceipt"),
    ...given
  }
})

/** A client whose contract answers every call with these bytes, and what it was asked. */
const answering = (answer: Hex) => {
  const asked: Array<TransactionRequest> = []
  const client = clientOf({
    call: async (request) => {
      asked.push(request)
      return success(answer)
    },
    getCode: async () => success("0x00")
  })
  return { asked, client }
}

const refusing = (code: number, rpcMessage: string, data?: unknown): Client =>
  clientOf({
    call: async () =>
      failure(
        new RpcError({
          method: "eth_call",
          code,
          rpcMessage,
          url: "https://node.example",
          ...(data === undefined ? {} : { data })
        })
      )
  })

const errorOf = async (
  call: PromiseLike<{ readonly status: string; readonly error?: unknown }> | undefined
): Promise<unknown> => {
  const result = await call
  if (result?.status !== "ERROR") throw new Error("no error")
  return Reflect.get(Object(result.error), "cause")
}

const token = parseAbi([
  "error TooMuch(address who, (uint256 asked, uint8 kind) what)",
  "function balanceOf(address owner) view returns (uint256)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function poke()",
  "event Transfer(address indexed from, address indexed to, uint256 value)"
])

/** Types, and values of them. */
const leaf = fc.oneof(
  fc.constantFrom(8, 24, 48, 56, 128, 256).map((bits) => ({ type: `uint${bits}` })),
  fc.constantFrom(8, 48, 64, 256).map((bits) => ({ type: `int${bits}` })),
  fc.constantFrom(1, 4, 20, 32).map((size) => ({ type: `bytes${size}` })),
  fc.constantFrom("address", "bool", "bytes", "string").map((type) => ({ type }))
)
const named = (type: fc.Arbitrary<AbiParameter>): fc.Arbitrary<ReadonlyArray<AbiParameter>> =>
  fc
    .tuple(fc.array(type, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([all, isNamed]) => all.map((each, i) => ({ ...each, name: isNamed ? `p${i}` : "" })))
const { type } = fc.letrec<{ type: AbiParameter }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    named(tie("type")).map((components) => ({ type: "tuple", components })),
    fc
      .tuple(tie("type"), fc.constantFrom("[]", "[2]"))
      .map(([item, list]) => ({ ...item, type: `${item.type}${list}` }))
  )
}))

const bytes = (least: number, most = least): fc.Arbitrary<Hex> =>
  fc
    .uint8Array({ minLength: least, maxLength: most })
    .map((data): Hex => `0x${Buffer.from(data).toString("hex")}`)

const valueOf = (parameter: AbiParameter): fc.Arbitrary<unknown> => {
  const [, item = "", length = ""] = /^(.*)\[(\d*)\]$/.exec(parameter.type) ?? []
  if (item !== "") {
    const count = length === "" ? { maxLength: 3 } : { minLength: Number(length), maxLength: Number(length) }
    return fc.array(valueOf({ ...parameter, type: item } as AbiParameter), count)
  }
  if ("components" in parameter) {
    const values = parameter.components.map(valueOf)
    return parameter.components.some(({ name }) => !name)
      ? fc.tuple(...values)
      : fc.record(
          Object.fromEntries(parameter.components.map(({ name }, i) => [name, values[i] ?? fc.nat()]))
        )
  }
  const [, kind = "", size = ""] = /^([a-z]+)(\d*)$/.exec(parameter.type) ?? []
  if (kind === "uint" || kind === "int") {
    const bits = Number(size)
    const [min, max] =
      kind === "uint"
        ? [0n, 2n ** BigInt(bits) - 1n]
        : [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
    return fc.bigInt({ min, max }).map((value) => (bits <= 48 ? Number(value) : value))
  }
  if (kind === "bytes") return size === "" ? bytes(0, 70) : bytes(Number(size))
  if (kind === "address") return bytes(20)
  return kind === "bool" ? fc.boolean() : fc.fullUnicodeString()
}

const listed = fc
  .array(type, { maxLength: 4 })
  .chain((all) => fc.tuple(fc.constant(all), fc.tuple(...all.map(valueOf))))

describe("the bytes of calls", () => {
  it("are those of viem, and so are the answers", async () => {
    await fc.assert(
      fc.asyncProperty(listed, listed, async ([inputs, args], [outputs, answers]) => {
        const item: AbiFunction = { type: "function", name: "f", stateMutability: "view", inputs, outputs }
        const abi: Abi = [item]
        const result = outputs.length === 1 ? answers[0] : answers
        const encoded = encodeFunctionResult({ abi, functionName: "f", result })
        const { asked, client } = answering(encoded)
        const got = await contract(client, { address, abi }).read.f?.(...args)
        expect(asked).toEqual([{ to: address, data: encodeFunctionData({ abi, functionName: "f", args }) }])
        const expected =
          outputs.length === 0 ? undefined : decodeFunctionResult({ abi, functionName: "f", data: encoded })
        expect(got).toMatchObject({ status: "SUCCESS" })
        expect(got?.data).toEqual(expected)
      }),
      { numRuns: runs(300) }
    )
  })

  it("go by signatures where several share a name, as selectors do", () => {
    fc.assert(
      fc.property(fc.array(type, { minLength: 1, maxLength: 3 }), (inputs) => {
        const one: AbiFunction = { type: "function", name: "f", stateMutability: "view", inputs, outputs: [] }
        const abi = [one, { ...one, inputs: [...inputs, { type: "bool" }] }]
        const { client } = answering("0x")
        const names = Object.keys(contract(client, { address, abi }).read)
        expect(names.map((name) => toFunctionSelector(`function ${name}`))).toEqual(
          abi.map((item) => toFunctionSelector(item))
        )
      })
    )
  })
})

describe("events", () => {
  const inputsOf = fc
    .tuple(fc.array(fc.tuple(type, fc.boolean()), { maxLength: 5 }), fc.boolean())
    .map(([all, isNamed]) => {
      let left = 3
      return all.map(([each, wanted], i) => {
        const indexed = wanted && left-- > 0
        return { ...each, indexed, name: isNamed ? `p${i}` : "" }
      })
    })
  const isHashed = ({ type: name }: AbiParameter) => /^(string|bytes|tuple.*|.*\])$/.test(name)

  it("are asked for and decoded as viem does", async () => {
    await fc.assert(
      fc.asyncProperty(
        inputsOf.chain((inputs) => fc.tuple(fc.constant(inputs), fc.tuple(...inputs.map(valueOf)))),
        async ([inputs, values]) => {
          const event: AbiEvent = { type: "event", name: "E", inputs }
          const isNamed = inputs.every(({ name }) => name !== "")
          const entries = inputs.map(({ name }, i): readonly [string, unknown] => [
            name || String(i),
            values[i]
          ])
          const wanted = Object.fromEntries(
            entries.filter((_, i) => inputs[i]?.indexed === true && !isHashed(inputs[i] ?? { type: "" }))
          )
          const indexed = inputs.flatMap((input, i) =>
            input.indexed ? [isHashed(input) ? null : values[i]] : []
          )
          const topics = encodeEventTopics({
            abi: [event],
            eventName: "E",
            args: (isNamed ? wanted : indexed) as never
          })
          const mined = topics.map((topic) => topic ?? (`0x${"ab".repeat(32)}` as const))
          const missing = inputs.filter(({ indexed: is }) => is).length + 1 - mined.length
          const all = [...mined, ...Array.from({ length: missing }, () => `0x${"cd".repeat(32)}` as const)]
          const data = encodeAbiParameters(
            inputs.filter(({ indexed: is }) => !is),
            values.filter((_, i) => inputs[i]?.indexed === false)
          )
          const asked: Array<unknown> = []
          const log = {
            address,
            topics: all as [Hex, ...Array<Hex>],
            data,
            blockNumber: "0x1",
            blockHash: "0x2",
            transactionHash: "0x3",
            transactionIndex: "0x0",
            logIndex: "0x0",
            removed: false
          } as const
          const client = clientOf({
            getLogs: async (filter) => {
              asked.push(filter)
              return success([log])
            }
          })
          const got = await contract(client, { address, abi: [event] as Abi }).events.E?.list({
            args: wanted
          })
          const trimmed = topics.slice(0, topics.findLastIndex((topic) => topic !== null) + 1)
          expect(asked).toEqual([{ address, topics: trimmed, fromBlock: "earliest" }])
          const expected = decodeEventLog({ abi: [event], topics: log.topics, data })
          expect(got?.data).toEqual([{ ...log, name: "E", args: expected.args ?? (isNamed ? {} : []) }])
        }
      ),
      { numRuns: runs(200) }
    )
  })

  it("refuse filters that the chain cannot look for, and leave out logs that the ABI does not describe", async () => {
    const client = clientOf({
      getLogs: async () =>
        success([
          {
            address,
            topics: [encodeEventTopics({ abi: token, eventName: "Transfer" })[0] ?? "0x"],
            data: "0x",
            blockNumber: null,
            blockHash: null,
            transactionHash: null,
            transactionIndex: null,
            logIndex: null,
            removed: false
          }
        ])
    })
    const { events } = contract(client, { address, abi: token })
    expect(await events.Transfer.list()).toMatchObject({ status: "SUCCESS", data: [] })
    const untyped = contract(client, { address, abi: token as Abi }).events
    expect(await errorOf(untyped.Transfer?.list({ args: { value: 1n } }))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining("no indexed argument value")
    })
    const stream = Reflect.get(events.Transfer, "stream") as () => AsyncIterable<unknown>
    for await (const item of stream())
      expect(item).toMatchObject({ status: "ERROR", error: { cause: { _tag: "InvalidArgument" } } })
  })
})

describe("logs of one signature", () => {
  const erc20 = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"])
  const erc721 = parseAbi([
    "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)"
  ])
  const signature = encodeEventTopics({ abi: erc20, eventName: "Transfer" })[0]
  const padded = (hex: string): Hex => `0x${hex.replace("0x", "").toLowerCase().padStart(64, "0")}`
  const place = {
    address,
    blockNumber: "0x1",
    blockHash: "0x2",
    transactionHash: "0x3",
    transactionIndex: "0x0",
    logIndex: "0x0",
    removed: false
  } as const
  const value = encodeAbiParameters([{ type: "uint256" }], [5n])
  const ofErc20 = { ...place, topics: [signature, padded(address), padded(other)], data: value }
  const ofErc721 = {
    ...place,
    topics: [signature, padded(address), padded(other), padded("0x7")],
    data: "0x"
  }
  const bare = { ...place, topics: [signature], data: `0x${"00".repeat(31)}` }
  const longer = { ...ofErc20, data: `${value}00` }
  const logs = [ofErc20, ofErc721, bare, longer, ofErc20] as const
  // topics are a tuple for the compiler
  const client = clientOf({ getLogs: async () => success(logs as never) })

  it("have the contract's address with the checksum of EIP-55, as their arguments", async () => {
    const lower = { ...ofErc20, address: address.toLowerCase() }
    const nodes = clientOf({ getLogs: async () => success([lower] as never) })
    const { events } = contract(nodes, { address: address.toLowerCase(), abi: erc20 })
    const found = await events.Transfer.list({ args: { from: lower.address as Hex } })
    expect(found.data).toMatchObject([{ address, args: { from: address, to: other } }])
  })

  it("are left out and counted where they do not fit, and given undecoded where that is wanted", async () => {
    const { events } = contract(client, { address, abi: erc20 })
    const skipped: Array<unknown> = []
    const found = await events.Transfer.list({}, { onSkip: ({ count, log }) => skipped.push([count, log]) })
    expect(found.data?.map(({ args }) => args.value)).toEqual([5n, 5n])
    expect(skipped).toEqual([
      [1, ofErc721],
      [2, bare],
      [3, longer]
    ])
    const all = await events.Transfer.list({ strict: false })
    expect(all.data?.map(({ args }) => args?.value)).toEqual([5n, undefined, undefined, undefined, 5n])
    const onSkip = () => {
      throw new Error("the caller's own")
    }
    const thrown = await events.Transfer.list({}, { onSkip })
    expect(thrown.data).toHaveLength(2)
  })

  const streaming = (given: ReadonlyArray<unknown>) => ({
    network: client.network,
    rpc: {
      ...client.rpc,
      subscribe: {
        logs: async function* () {
          // topics are a tuple for the compiler
          for (const log of given) yield success(log as never)
        }
      }
    }
  })

  it("are left out of streams and counted, and given undecoded where that is wanted, as in lists", async () => {
    const { events } = contract(streaming(logs), { address, abi: erc20 })
    const skipped: Array<unknown> = []
    const onSkip = ({ count, log, reason }: SkippedLog) => skipped.push([count, log, reason])
    const valuesOf = async (
      stream: AsyncIterable<Result<{ readonly args?: { readonly value: bigint } | undefined }, Error>>
    ) => {
      const values: Array<bigint | undefined> = []
      for await (const event of stream) {
        if (event.status === "ERROR") throw event.error
        values.push(event.data.args?.value)
      }
      return values
    }
    expect(await valuesOf(events.Transfer.stream({}, { onSkip }))).toEqual([5n, 5n])
    const told = skipped.splice(0)
    expect(told.map((each) => (each as Array<unknown>).slice(0, 2))).toEqual([
      [1, ofErc721],
      [2, bare],
      [3, longer]
    ])
    // the very same words and counts as those of a list, each time from the start
    await events.Transfer.list({}, { onSkip })
    expect(skipped.splice(0)).toEqual(told)
    expect(await valuesOf(events.Transfer.stream({ strict: true }, { onSkip }))).toEqual([5n, 5n])
    expect(skipped.splice(0)).toEqual(told)
    const all = await valuesOf(events.Transfer.stream({ strict: false }, { onSkip }))
    expect(all).toEqual([5n, undefined, undefined, undefined, 5n])
    expect(skipped).toEqual([])
  })

  it("are decoded by the form that fits where an ABI has several", async () => {
    const abi = [...erc20, ...erc721] as const
    const { events } = contract(client, { address, abi })
    const found = await events["Transfer(address,address,uint256)"].list({ args: { from: address } })
    expect(found.data?.map(({ args }) => args)).toEqual([
      { from: address, to: other, value: 5n },
      { from: address, to: other, tokenId: 7n },
      { from: address, to: other, value: 5n }
    ])
  })

  it("whatever they are, end no list and no stream", async () => {
    const anything = fc.record({
      topics: fc.array(fc.oneof(fc.constant(signature), bytes(32)), { maxLength: 4 }),
      data: bytes(0, 100)
    })
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { maxLength: 5 }), async (given) => {
        const mixed = [ofErc20, ...given.map((each) => ({ ...place, ...each })), ofErc20]
        const odd = clientOf({ getLogs: async () => success(mixed as never) })
        let count = 0
        const list = contract(odd, { address, abi: erc20 }).events.Transfer.list
        const found = await list({}, { onSkip: () => count++ })
        expect(found.data?.length).toBe(mixed.length - count)
        const { stream } = contract(streaming(mixed), { address, abi: erc20 }).events.Transfer
        const streamed: Array<unknown> = []
        for await (const event of stream({ strict: false })) streamed.push(event.data?.args)
        expect(streamed).toHaveLength(mixed.length)
        expect(streamed.filter((args) => args !== undefined)).toEqual(found.data?.map(({ args }) => args))
      })
    )
  })
})

describe("bytes among arguments", () => {
  const abi = parseAbi([
    "function f(bytes data, (bytes4 kind, bytes[] parts)[] amount) view returns (bool)",
    "event Noted(bytes4 indexed kind, bytes indexed what)"
  ])
  const read = (data: unknown, kind: unknown, part: unknown) =>
    Reflect.apply(contract(answering(padTrue).client, { address, abi }).read.f, undefined, [
      data,
      [
        { kind: "0x12345678", parts: [] },
        { kind, parts: ["0x", part] }
      ]
    ]) as ReturnType<Calls["call"]>
  const padTrue = encodeAbiParameters([{ type: "bool" }], [true])

  it.each(["0x12345", "1234", "0xzz", "", "0X12", 12, null, {}])(
    "are refused with their place: %s",
    async (bad) => {
      for (const [call, place] of [
        [read(bad, "0x12345678", "0x"), "args[0]"],
        [read("0x", bad, "0x"), "args[1][1].kind"],
        [read("0x", "0x12345678", bad), "args[1][1].parts[1]"]
      ] as const)
        expect(await errorOf(call)).toMatchObject({
          _tag: "InvalidArgument",
          reason: expect.stringContaining(`${place} must be `)
        })
      const { events } = contract(clientOf({}), { address, abi: abi as Abi })
      expect(await errorOf(events.Noted?.list({ args: { kind: [bad] } }))).toMatchObject({
        reason: expect.stringContaining("args.kind[0] must be 4 bytes")
      })
      if (bad !== null)
        expect(await errorOf(events.Noted?.list({ args: { what: bad } }))).toMatchObject({
          reason: expect.stringContaining("args.what must be bytes")
        })
    }
  )

  it("have the length of their type, or are a Uint8Array", async () => {
    expect(await errorOf(read("0x", "0x1234567890", "0x"))).toMatchObject({ _tag: "InvalidArgument" })
    expect(await errorOf(read("0x", new Uint8Array(3), "0x"))).toMatchObject({ _tag: "InvalidArgument" })
    const asked: Array<unknown> = []
    const client = clientOf({
      call: async ({ data }) => {
        asked.push(data)
        return success(padTrue)
      }
    })
    const { read: of } = contract(client, { address, abi: abi as Abi })
    await of.f?.("0xAB", [{ kind: "0x12345678", parts: ["0x0102"] }])
    await of.f?.(Uint8Array.of(0xab), [
      { kind: Uint8Array.of(0x12, 0x34, 0x56, 0x78), parts: [Uint8Array.of(1, 2)] }
    ])
    expect(String(asked[0]).toLowerCase()).toBe(asked[1])
  })

  it("of typed data are refused with their place, too", async () => {
    const typedData = (data: unknown) => ({
      types: {
        Mail: [{ name: "parts", type: "Part[]" }],
        Part: [
          { name: "data", type: "bytes" },
          { name: "id", type: "bytes32" }
        ]
      },
      primaryType: "Mail",
      message: { parts: [{ data, id: `0x${"00".repeat(32)}` }] }
    })
    const verify = (data: unknown) =>
      verifyTypedData(answering("0x").client, { address, typedData: typedData(data), signature: "0x01" })
    for (const bad of ["0x1", "12", "0xzz"])
      expect(await errorOf(verify(bad))).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringContaining("message.parts[0].data must be bytes")
      })
    expect(await verify(Uint8Array.of(1))).toMatchObject({ data: false })
  })
})

describe("names that JavaScript knows", () => {
  const names = ["then", "constructor", "__proto__", "toString", "hasOwnProperty"] as const
  const abi: Abi = names.flatMap((name) => [
    { type: "function", name, stateMutability: "view", inputs: [], outputs: [{ type: "uint256", name: "" }] },
    { type: "event", name, inputs: [{ name, type: "uint256", indexed: true }] }
  ])

  it("are members like any other, and no await waits for one", async () => {
    const { client } = answering(encodeAbiParameters([{ type: "uint256" }], [7n]))
    const made = contract(client, { address, abi })
    for (const group of [made.read, made.events, made.write, made.simulate, made.calls])
      expect(await group).toBe(group)
    for (const name of names) {
      const member = made.read[name === "then" ? "then()" : name]
      expect(await member?.(), name).toMatchObject({ status: "SUCCESS", data: 7n })
    }
    expect(Reflect.get(made.read, "then")).toBeUndefined()
    expect(Object.keys(made.events)).toContain("then(uint256)")
    expect(
      await errorOf(Reflect.get(made.events, "constructor").list({ args: { constructor: "x" } }))
    ).toMatchObject({
      _tag: "InvalidArgument"
    })
  })
})

describe("what a contract refuses", () => {
  const data = encodeErrorResult({
    abi: token,
    errorName: "TooMuch",
    args: [other, { asked: 2n ** 255n, kind: 1 }]
  })
  const expected = {
    _tag: "ContractReverted",
    address,
    functionName: "balanceOf",
    errorName: "TooMuch",
    args: [other, { asked: 2n ** 255n, kind: 1 }],
    data
  }

  it.each([
    ["as its data", 3, "custom error", data],
    ["in an object", -32000, "VM Exception: revert", { data }],
    ["in words", -32015, "VM execution error.", `Reverted ${data}`],
    ["without 0x", -32015, "VM execution error.", data.slice(2)],
    [
      "without 0x, after the word",
      -32015,
      "VM execution error.",
      `revert ${data}`.replace("revert ", "Reverted ")
    ],
    [
      "as ganache does",
      -32000,
      "VM Exception while processing transaction",
      { hash: `0x${"12".repeat(32)}`, result: data }
    ],
    [
      "as older ganache does",
      -32000,
      "VM Exception",
      { [`0x${"12".repeat(32)}`]: { error: "revert", return: data }, stack: "at …", name: "RuntimeError" }
    ],
    [
      "as a wallet wraps it",
      -32603,
      "Internal JSON-RPC error.",
      { code: 3, message: "execution reverted", data }
    ],
    [
      "as MetaMask wraps it",
      -32603,
      "Internal JSON-RPC error.",
      { originalError: { code: 3, message: "execution reverted: no", data } }
    ],
    ["twice wrapped", -32603, "no", { error: { data: { originalError: { data } } } }]
  ])("is found where a node puts it: %s", async (_, code, message, said) => {
    const { read } = contract(refusing(code, message, said), { address, abi: token })
    expect(await errorOf(read.balanceOf(other))).toMatchObject(expected)
  })

  it("is told in the node's words where there are no bytes, or unknown ones", async () => {
    const read = async (said?: unknown) =>
      errorOf(
        contract(refusing(3, "execution reverted: no", said), { address, abi: token }).read.balanceOf(other)
      )
    expect(await read()).toMatchObject({ _tag: "ContractReverted", reason: "execution reverted: no" })
    expect(await read("0x12345678")).toMatchObject({ reason: "execution reverted: no", data: "0x12345678" })
    // it begins like an error of the ABI, and is cut off
    expect(await read(data.slice(0, 100))).toMatchObject({ reason: "execution reverted: no" })
  })

  it("is a refusal by its word alone, in the words of the error inside", async () => {
    const read = (code: number, message: string, said?: unknown) =>
      errorOf(contract(refusing(code, message, said), { address, abi: token }).read.balanceOf(other))
    expect(await read(-32015, "VM execution error.", "revert")).toMatchObject({ _tag: "ContractReverted" })
    expect(
      await read(-32603, "Internal JSON-RPC error.", { originalError: { message: "execution reverted: no" } })
    ).toMatchObject({ _tag: "ContractReverted", reason: "execution reverted: no" })
    for (const said of [undefined, "0x", {}, { hash: `0x${"12".repeat(32)}` }, { message: "busy" }, 7])
      expect(await read(-32000, "busy", said)).toMatchObject({ _tag: "RpcError" })
  })

  it("is not what a node refuses", async () => {
    const { read } = contract(refusing(-32000, "out of gas"), { address, abi: token })
    expect(await errorOf(read.balanceOf(other))).toMatchObject({ _tag: "RpcError" })
  })
})

describe("bad input", () => {
  const nothing = clientOf({})

  it("is refused before a node is asked", async () => {
    const untyped = contract(nothing, { address, abi: token as Abi }).read
    for (const args of [[], [1n], [other, other], [other, {}, {}]]) {
      const error = await errorOf(untyped.balanceOf?.(...args))
      expect(error, JSON.stringify(args.map(String))).toMatchObject({
        _tag: "InvalidArgument",
        call: "balanceOf"
      })
    }
    const listed = parseAbi(["function f((address[] who, uint8 kind)[] what) view returns (bool)"])
    const typo = "0x70997970c51812dc3A010C7d01b50e0d17dc79C8"
    const { calls, read } = contract(nothing, { address, abi: listed })
    const what = [{ who: [other, typo], kind: 1 }] as const
    for (const refused of [await errorOf(untyped.balanceOf?.("0x12")), await errorOf(read.f(what))])
      expect(refused).toMatchObject({ _tag: "InvalidAddress" })
    expect(await multicall(nothing, [calls.f(what)])).toMatchObject({
      data: [{ status: "ERROR", error: { cause: { _tag: "InvalidAddress", address: typo } } }]
    })
    const mistyped = contract(nothing, { address: "0x70997970c51812dc3A010C7d01b50e0d17dc79C8", abi: token })
    expect(await errorOf(mistyped.read.balanceOf(other))).toMatchObject({ _tag: "InvalidAddress" })
    const elsewhere = contract(clientOf({}, "tron-mainnet"), { address, abi: token })
    expect(await errorOf(elsewhere.read.balanceOf(other))).toMatchObject({ _tag: "InvalidArgument" })
    const names = clientOf({}, "polygon-mainnet")
    expect(await errorOf(resolveName(names, "a.eth"))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining("ENS is on ethereum-mainnet")
    })
  })

  it("is thrown where a program has no ABI", () => {
    const abi: ReadonlyArray<unknown> = ["function f()"]
    expect(() => contract(nothing, { address, abi })).toThrow(InvalidArgument)
  })

  it("is a write without a signer, or with one of another network", async () => {
    const write = Reflect.get(
      contract(nothing, { address, abi: token }).write,
      "poke"
    ) as () => Promise<never>
    expect(await errorOf(write())).toMatchObject({ reason: expect.stringContaining("{ signer }") })
    const signer = {
      address: other,
      network: "polygon-mainnet",
      sendTransaction: unexpected("sendTransaction")
    } as const
    const owned = contract(nothing, { address, abi: token, signer })
    expect(await errorOf(owned.write.poke())).toMatchObject({
      reason: expect.stringContaining("polygon-mainnet")
    })
  })
})

describe("a write", () => {
  it("is not handed to the signer if the contract refuses it", async () => {
    const signer = {
      address: other,
      network: "ethereum-mainnet",
      sendTransaction: unexpected("sendTransaction")
    } as const
    const asked: Array<TransactionRequest> = []
    const client = clientOf({
      call: async (request) => {
        asked.push(request)
        return refusing(3, "execution reverted: no").rpc.call(request)
      }
    })
    const { write } = contract(client, { address, abi: token, signer })
    expect(await errorOf(write.transfer(address, 1n))).toMatchObject({
      _tag: "ContractReverted",
      functionName: "transfer",
      reason: "execution reverted: no"
    })
    expect(asked).toMatchObject([{ from: other, to: address }])
  })
})

describe("what is empty", () => {
  it("is told, and nothing is sent to an address without code", async () => {
    const client = clientOf({ call: async () => success("0x"), getCode: async () => success("0x") })
    const signer = {
      address: other,
      network: "ethereum-mainnet",
      sendTransaction: unexpected("sendTransaction")
    } as const
    const { read, write } = contract(client, { address, abi: token, signer })
    for (const error of [await errorOf(read.balanceOf(other)), await errorOf(write.poke())])
      expect(error).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringContaining("there is no contract")
      })
  })
})

describe("several reads", () => {
  it("cost each other nothing, in one call for 500", async () => {
    const lots: Array<number> = []
    const aggregate = parseAbi([
      "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])"
    ])
    let alone = 0
    const client = clientOf({
      call: async ({ data, to }) => {
        if (to === address) {
          alone++
          return refusing(3, "execution reverted").rpc.call({})
        }
        const { args } = decodeFunctionData({ abi: aggregate, data: data as Hex })
        lots.push(args[0].length)
        const result = args[0].map(({ callData }) => {
          const [owner] = decodeFunctionData({ abi: token, data: callData }).args as readonly [Hex]
          const n = BigInt(owner)
          return n === 7n
            ? { success: false, returnData: "0x" as const }
            : { success: true, returnData: encodeAbiParameters([{ type: "uint256" }], [n]) }
        })
        return success(encodeFunctionResult({ abi: aggregate, functionName: "aggregate3", result }))
      }
    })
    const { calls } = contract(client, { address, abi: token })
    const owners = Array.from({ length: 1_003 }, (_, i): Hex => `0x${i.toString(16).padStart(40, "0")}`)
    const asked = owners.map((owner, i) => calls.balanceOf(i === 9 ? "0x9" : owner))
    const answers = await multicall(client, asked)
    if (answers.status === "ERROR") throw answers.error.cause
    // and the one that failed without a word by itself
    expect(lots).toEqual([500, 500, 2])
    expect(alone).toBe(1)
    const wrong = answers.data.flatMap((each, i) =>
      each.status === "ERROR" ? [[i, each.error.cause._tag]] : []
    )
    expect(wrong).toEqual([
      [7, "ContractReverted"],
      [9, "InvalidAddress"]
    ])
    expect(answers.data.every((each, i) => each.status === "ERROR" || each.data === BigInt(i))).toBe(true)
  })

  const aggregator = parseAbi([
    "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])"
  ])

  /** A node of this much gas: each call uses one, a burner all that there is, as the aggregator passes it on. */
  const metered = (gas: number, burners: ReadonlySet<bigint>, failure: () => ReturnType<Calls["call"]>) => {
    const asked: Array<number> = []
    const numberOf = (data: Hex) =>
      BigInt((decodeFunctionData({ abi: token, data }).args as readonly [Hex])[0])
    const word = (n: bigint) => encodeAbiParameters([{ type: "uint256" }], [n])
    const client = clientOf({
      call: async ({ data, to }) => {
        if (to === address) {
          asked.push(1)
          const n = numberOf(data as Hex)
          return burners.has(n) ? refusing(-32000, "out of gas").rpc.call({}) : success(word(n))
        }
        const { args } = decodeFunctionData({ abi: aggregator, data: data as Hex })
        asked.push(args[0].length)
        if (args[0].length > gas) return failure()
        let left = true
        const result = args[0].map(({ callData }) => {
          const n = numberOf(callData)
          left &&= !burners.has(n)
          return { success: left, returnData: left ? word(n) : ("0x" as const) }
        })
        return success(encodeFunctionResult({ abi: aggregator, functionName: "aggregate3", result }))
      }
    })
    return { asked, client }
  }
  const owner = (n: number): Hex => `0x${n.toString(16).padStart(40, "0")}`

  it.each([
    ["Geth's words", () => refusing(-32000, "out of gas").rpc.call({})],
    ["Nethermind's", () => refusing(-32015, "VM execution error.", "OutOfGas").rpc.call({})],
    ["a timeout", () => refusing(-32000, "execution aborted (timeout = 5s)").rpc.call({})],
    ["words that nobody knows", () => refusing(-32603, "whatever").rpc.call({})],
    ["a revert of the aggregator", () => refusing(3, "execution reverted").rpc.call({})],
    [
      "an answer that is too large",
      async () => failure(new NodeError({ kind: "too-large", call: "eth_call", url: "", reason: "413" }))
    ]
  ] as const)("are asked for in halves where a node refuses so many: %s", async (_, fails) => {
    const { asked, client } = metered(50, new Set(), fails)
    const { calls } = contract(client, { address, abi: token })
    const answers = await multicall(
      client,
      Array.from({ length: 120 }, (_, i) => calls.balanceOf(owner(i)))
    )
    if (answers.status === "ERROR") throw answers.error.cause
    expect(answers.data.map((each) => each.data)).toEqual(Array.from({ length: 120 }, (_, i) => BigInt(i)))
    expect(asked).toEqual([120, 60, 30, 30, 60, 30, 30])
  })

  it("cost the others nothing where one takes all gas", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        fc.uniqueArray(fc.nat({ max: 59 }), { maxLength: 3 }),
        fc.integer({ min: 1, max: 70 }),
        async (count, gas, burning, batchSize) => {
          const burners = new Set(burning.map(BigInt))
          const { asked, client } = metered(gas, burners, () => refusing(-32000, "out of gas").rpc.call({}))
          const { calls } = contract(client, { address, abi: token })
          const answers = await multicall(
            client,
            Array.from({ length: count }, (_, i) => calls.balanceOf(owner(i))),
            { batchSize }
          )
          if (answers.status === "ERROR") throw answers.error.cause
          for (const [i, each] of answers.data.entries())
            if (burners.has(BigInt(i)))
              expect(each).toMatchObject({ status: "ERROR", error: { cause: { _tag: "RpcError" } } })
            else expect(each).toMatchObject({ status: "SUCCESS", data: BigInt(i) })
          expect(Math.max(...asked)).toBeLessThanOrEqual(batchSize)
        }
      ),
      { numRuns: runs(60) }
    )
  })

  it("are given up where a node answers none of them", async () => {
    const { asked, client } = metered(0, new Set(), () => refusing(-32000, "no").rpc.call({}))
    const nothing = {
      ...client,
      rpc: {
        ...client.rpc,
        call: async (request: TransactionRequest<string>) => {
          await client.rpc.call(request)
          return refusing(-32000, "no").rpc.call({})
        }
      }
    }
    const { calls } = contract(nothing, { address, abi: token })
    const answers = await multicall(
      nothing,
      Array.from({ length: 400 }, (_, i) => calls.balanceOf(owner(i)))
    )
    if (answers.status === "ERROR") throw answers.error.cause
    expect(answers.data.every((each) => each.status === "ERROR")).toBe(true)
    expect(asked.length).toBeLessThan(40)
    for (const batchSize of [0, -1, 1.5, Number.NaN])
      expect(await errorOf(multicall(nothing, [], { batchSize }))).toMatchObject({ _tag: "InvalidArgument" })
  })

  it("are none for none", async () => {
    expect(await multicall(clientOf({}), [])).toMatchObject({ status: "SUCCESS", data: [] })
  })
})

describe("signatures", () => {
  const account = privateKeyToAccount(`0x${"11".repeat(32)}`)

  it("of keys are verified without a node, and others by their contracts", async () => {
    const signature = await account.signMessage({ message: "hello" })
    const verify = (client: Client, given: { readonly address: string; readonly signature: string }) =>
      verifyMessage(client, { message: "hello", ...given })
    expect(await verify(clientOf({}), { address: account.address, signature })).toMatchObject({ data: true })
    const bytesOf = new TextEncoder().encode("hello")
    const inBytes = { address: account.address, message: bytesOf, signature }
    expect(await verifyMessage(clientOf({}), inBytes)).toMatchObject({ data: true })
    for (const bad of ["", "0x", "hello", "0x1"])
      expect(await verify(clientOf({}), { address, signature: bad })).toMatchObject({ data: false })
    const word = (text: string): Hex => `0x${text.padEnd(64, "0")}`
    for (const [answer, expected] of [
      [word("1626ba7e"), true],
      [word("1626ba7e01"), false],
      ["0x1626ba7e", false],
      [word("ffffffff"), false],
      ["0x", false]
    ] as const)
      expect(await verify(answering(answer).client, { address, signature })).toMatchObject({ data: expected })
    expect(await verify(refusing(3, "execution reverted"), { address, signature })).toMatchObject({
      data: false
    })
    expect(await errorOf(verify(refusing(-32000, "out of gas"), { address, signature }))).toMatchObject({
      _tag: "RpcError"
    })
    const wrapped = concatHex([signature, `0x${"6492".repeat(16)}`])
    for (const [answer, expected] of [
      ["0x01", true],
      ["0x00", false],
      ["0x", false],
      [word("1626ba7e"), false]
    ] as const) {
      const { asked, client } = answering(answer)
      expect(await verify(client, { address, signature: wrapped })).toMatchObject({ data: expected })
      expect(asked[0]).not.toHaveProperty("to")
    }
  })

  it("of typed data that is none are an error", async () => {
    const typedData = { types: { A: [{ name: "x", type: "uint8" }] }, primaryType: "A", message: { x: 300 } }
    const error = await errorOf(verifyTypedData(clientOf({}), { address, typedData, signature: "0x01" }))
    expect(error).toMatchObject({ _tag: "InvalidArgument", call: "verifyTypedData" })
  })
})
