// @runtime both
/** Contracts of Tron on the Promise surface, over a node on loopback that answers what a test gives. Bytes are compared with tronweb's. */
// @covers contracts on libraries: tron
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import fc from "fast-check"
import { utils } from "tronweb"
import {
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  parseAbi,
  toFunctionSignature
} from "viem"
import { afterEach, describe, expect, it } from "vitest"
import { contract, multicall } from "../../src/contracts.js"
import { signer } from "../../src/entries/signers/Tron.js"
import { init } from "../../src/entries/Tron.js"
import { init as initWhole } from "../../src/promise.js"
import { runs } from "../properties.js"

const key = "9f".repeat(32)
const account = String(utils.address.fromPrivateKey(key))
const address = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
const other = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
const nobody = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"
const hexOf = (base58: string): string => utils.address.toHex(base58)
const evmOf = (base58: string): `0x${string}` => `0x${hexOf(base58).slice(2)}`
const word = (hex: string): string => hex.padStart(64, "0")

const abi = parseAbi([
  "error TooMuch(address who, (uint256 asked, address[] by) what)",
  "struct Leg { address to; uint256 value; }",
  "function balanceOf(address owner) view returns (uint256)",
  "function owners() view returns (address[] all, (address to, uint256 value) first, bytes20 raw)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function buy() payable",
  "function place(Leg[] legs, address[2] pair, string note, bytes32 id, bool isOpen, address by) payable",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Moved(address by, string indexed what)"
])

type Body = Readonly<Record<string, unknown>>
type Routes = Readonly<Record<string, (body: Body) => unknown>>

const blockID = `0000000003a1b2c3${"d4e5f60718293a4b".repeat(3)}`
const now = 1_700_000_000_000

/** What any write needs of a chain. */
const chain: Routes = {
  "/wallet/getchainparameters": () => ({
    chainParameter: [
      { key: "getTransactionFee", value: 1_000 },
      { key: "getEnergyFee", value: 100 },
      { key: "getMemoFee", value: 1_000_000 }
    ]
  }),
  "/wallet/getaccountresource": () => ({ freeNetLimit: 600 }),
  "/wallet/getaccount": () => ({ address: account, balance: 1_000_000_000_000 }),
  "/wallet/getnowblock": () => ({
    blockID,
    block_header: {
      raw_data: { number: 60_928_707, timestamp: now, txTrieRoot: "", witness_address: "", parentHash: "" }
    }
  }),
  "/wallet/broadcasthex": () => ({ result: true, txid: "ab" })
}

const servers: Array<Server> = []
const unexpected: Array<string> = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
  expect(unexpected.splice(0)).toEqual([])
})

const known: Routes = { eth_blockNumber: () => "0x3a1b2c3", eth_chainId: () => "0x2b6653dc" }

/** A client of a node that has these routes. Whatever else it is asked fails the test. */
const nodeOf = async (routes: Routes) => {
  const asked: Array<readonly [string, Body]> = []
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join("")
    const given: unknown = text === "" ? {} : JSON.parse(text)
    const answer = (body: Body): unknown => {
      const path =
        request.url === "/" || request.url === "/jsonrpc" ? String(body.method) : String(request.url)
      asked.push([path, body])
      const route = routes[path] ?? known[path]
      if (route === undefined) {
        unexpected.push(`${path} ${text}`)
        response.statusCode = 500
        return {}
      }
      return path.startsWith("eth_") ? { jsonrpc: "2.0", id: body.id, result: route(body) } : route(body)
    }
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify(Array.isArray(given) ? given.map(answer) : answer(Object(given))))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jsonrpc`
  const config = {
    quiet: true,
    retryCount: 0,
    rpc: { nodes: [{ url }], oneTimeLoadBalancing: true }
  } as const
  const client = await init({ ...config, network: "tron-mainnet" })
  const of = (path: string): ReadonlyArray<Body> => asked.flatMap(([at, body]) => (at === path ? [body] : []))
  return { client, config, of, asked }
}

const TRIGGER = "/wallet/triggerconstantcontract"
const answering = (hex: string, more: Routes = {}) =>
  nodeOf({
    ...chain,
    [TRIGGER]: () => ({ result: { result: true }, energy_used: 30_000, constant_result: [hex] }),
    ...more
  })

/** A node's refusal, which says why in words and in the contract's own bytes. */
const reverting = (data: string) =>
  nodeOf({
    [TRIGGER]: () => ({
      result: { result: true, message: Buffer.from("REVERT opcode executed").toString("hex") },
      energy_used: 500,
      constant_result: [data],
      transaction: { ret: [{ ret: "FAILED" }], txID: "", raw_data: { contract: [] }, raw_data_hex: "" }
    })
  })

const signing = async (client: Parameters<typeof signer>[0]) => {
  const made = await signer(client, { privateKey: key })
  if (made.status === "ERROR") throw made.error.cause
  return made.data
}

const errorOf = async (
  call: PromiseLike<{ readonly status: string; readonly error?: unknown }> | undefined
): Promise<unknown> => {
  const result = await call
  if (result?.status !== "ERROR") throw new Error("no error")
  return Reflect.get(Object(result.error), "cause")
}

const itemOf = (name: string) => {
  const item = abi.find((each) => each.type === "function" && each.name === name)
  if (item?.type !== "function") throw new Error(`no function ${name}`)
  return item
}

/** What tronweb makes of a call as JSON. */
const byTronweb = (data: string, value: bigint, feeLimit: bigint, memo?: string): string => {
  const json = {
    visible: false,
    raw_data: {
      contract: [
        {
          type: "TriggerSmartContract",
          parameter: {
            type_url: "type.googleapis.com/protocol.TriggerSmartContract",
            value: {
              owner_address: hexOf(account),
              contract_address: hexOf(address),
              data,
              ...(value === 0n ? {} : { call_value: Number(value) })
            }
          }
        }
      ],
      ref_block_bytes: blockID.slice(12, 16),
      ref_block_hash: blockID.slice(16, 32),
      expiration: now + 60_000,
      timestamp: now,
      fee_limit: Number(feeLimit),
      ...(memo === undefined ? {} : { data: Buffer.from(memo).toString("hex") })
    }
  }
  return utils.transaction.txPbToRawDataHex(utils.transaction.txJsonToPb(json as never)).toLowerCase()
}

/** The selector of a function by tronweb's hash. */
const selectorOf = (signature: string): string =>
  utils.ethersUtils.keccak256(Buffer.from(signature)).replace(/^0x/, "").slice(0, 8)

const base58 = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => utils.address.fromHex(`41${Buffer.from(bytes).toString("hex")}`))
const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

describe("reads of a contract of Tron", () => {
  it("take base58 and hexadecimal addresses, and give base58", async () => {
    const { client, of } = await answering(word("ff"))
    const token = contract(client, { address, abi })
    for (const owner of [other, hexOf(other)])
      expect(await token.read.balanceOf(owner)).toMatchObject({ status: "SUCCESS", data: 255n })
    await contract(client, { address: hexOf(address), abi }).read.balanceOf(other, { from: hexOf(other) })
    const asked = {
      contract_address: address,
      function_selector: "balanceOf(address)",
      parameter: word(hexOf(other).slice(2)),
      visible: true
    }
    expect(of(TRIGGER)).toEqual([
      { ...asked, owner_address: nobody },
      { ...asked, owner_address: nobody },
      { ...asked, owner_address: other }
    ])
  })

  it("give what tronweb gives", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(base58, { maxLength: 3 }), base58, uint, async (all, to, value) => {
        const raw = evmOf(to)
        const item = itemOf("owners")
        const hex = utils.abi
          .encodeParamsV2ByABI(
            { ...item, inputs: item.outputs } as never,
            structuredClone([all, [to, value], raw])
          )
          .replace(/^0x/, "")
        const { client } = await answering(hex)
        const got = await contract(client, { address, abi }).read.owners()
        expect(got.data).toEqual([all, { to, value }, raw])
        const theirs = utils.abi.decodeParamsV2ByABI(item as never, `0x${hex}`) as unknown as Body
        expect(JSON.stringify(theirs.all ?? Reflect.get(theirs, "0"))).toBe(JSON.stringify(all.map(hexOf)))
      }),
      { numRuns: 15 }
    )
  })

  it("say in the words of the ABI what the contract refuses", async () => {
    const args = [evmOf(other), { asked: 7n, by: [evmOf(account)] }] as const
    const data = encodeErrorResult({ abi, errorName: "TooMuch", args })
    const { client } = await reverting(data.slice(2))
    expect(await errorOf(contract(client, { address, abi }).read.balanceOf(other))).toMatchObject({
      _tag: "ContractReverted",
      address,
      functionName: "balanceOf",
      errorName: "TooMuch",
      args: [other, { asked: 7n, by: [account] }],
      reason: `TooMuch(${other}, {asked: 7, by: [${account}]})`,
      data
    })
    const silent = await reverting("")
    expect(
      await errorOf(contract(silent.client, { address, abi }).simulate.transfer(other, 1n))
    ).toMatchObject({
      _tag: "ContractReverted",
      reason: "REVERT opcode executed"
    })
  })

  it("are an error where there is no contract", async () => {
    const message = Buffer.from("Contract validate error : Smart contract is not exist.").toString("hex")
    const { client } = await nodeOf({
      [TRIGGER]: () => ({ result: { code: "CONTRACT_VALIDATE_ERROR", message } })
    })
    expect(await errorOf(contract(client, { address, abi }).read.balanceOf(other))).toMatchObject({
      _tag: "InvalidArgument",
      reason: `there is no contract at ${address}`
    })
  })

  it("are refused before a node is asked where an address is none of Tron", async () => {
    const { asked, client } = await nodeOf({})
    const typo = other.replace("N", "M")
    for (const wrong of [typo, evmOf(other), "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "41", ""]) {
      const refused = { _tag: "InvalidAddress", address: wrong, network: "tron-mainnet" }
      expect(await errorOf(contract(client, { address, abi }).read.balanceOf(wrong))).toMatchObject(refused)
      expect(await errorOf(contract(client, { address: wrong, abi }).read.balanceOf(other))).toMatchObject(
        refused
      )
      expect(
        await errorOf(
          contract(client, { address, abi }).simulate.place(
            [{ to: wrong, value: 1n }],
            [other, other],
            "",
            "0x",
            true,
            other
          )
        )
      ).toMatchObject(refused)
    }
    expect(asked.filter(([path]) => path === TRIGGER)).toEqual([])
  })
})

describe("writes to a contract of Tron", () => {
  it("are the bytes that tronweb makes of them, whatever they are", async () => {
    const { client, of } = await answering("")
    const legs = fc.array(fc.record({ to: base58, value: uint }), { maxLength: 3 })
    const note = fc.string({ maxLength: 40, unit: "grapheme" })
    const id = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes): `0x${string}` => `0x${Buffer.from(bytes).toString("hex")}`)
    const value = fc.bigInt({ min: 0n, max: 10n ** 9n })
    const memo = fc.option(fc.string({ minLength: 1, maxLength: 40 }), { nil: undefined })
    const item = itemOf("place")
    const writer = await signing(client)
    const { write } = contract(client, { address, abi, signer: writer })
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(legs, fc.tuple(base58, base58), note, id, fc.boolean(), base58),
        value,
        memo,
        async (args, value, memo) => {
          const sent = await write.place(...args, { value, ...(memo === undefined ? {} : { memo }) })
          if (sent.status === "ERROR") throw sent.error.cause
          const [legs, ...others] = args
          const plain = [legs.map(({ to, value }) => [to, value]), ...others]
          const parameter = utils.abi
            .encodeParamsV2ByABI(item as never, structuredClone(plain))
            .replace(/^0x/, "")
          const selector = toFunctionSignature(item)
          const trial = {
            owner_address: account,
            contract_address: address,
            function_selector: selector,
            parameter,
            visible: true,
            ...(value === 0n ? {} : { call_value: Number(value) })
          }
          // of the contract, and of the signer
          expect(of(TRIGGER).slice(-2)).toEqual([trial, trial])
          const raw = byTronweb(`${selectorOf(selector)}${parameter}`, value, 3_600_000n, memo)
          const whole = String(of("/wallet/broadcasthex").at(-1)?.transaction)
          expect(whole).toContain(raw)
          expect(utils.address.fromHex(utils.crypto.ecRecover(sent.data.hash, whole.slice(-130)))).toBe(
            account
          )
          const { prepared } = sent.data
          expect(prepared).toMatchObject({
            to: address,
            amount: value,
            transaction: { feeLimit: 3_600_000n }
          })
          // the bytes of the transaction are at most what the preview had in its fee
          expect(prepared.fee).toBeGreaterThanOrEqual(3_600_000n + (memo === undefined ? 0n : 1_000_000n))
        }
      ),
      { numRuns: runs(25) }
    )
  })

  it("cost at most what the preview says", async () => {
    const { client } = await answering(word("1"))
    const writer = await signing(client)
    const prepared = await writer.prepareTransaction({
      to: address,
      functionSelector: "buy()",
      value: "2.5"
    })
    expect(prepared.data).toMatchObject({
      from: account,
      to: address,
      amount: 2_500_000n,
      // 30,000 energy at 100 sun and a fifth more; bandwidth is free
      fee: 3_600_000n,
      outgoing: [{ asset: "TRX", amount: "6.1" }],
      transaction: { amount: 2_500_000n, data: selectorOf("buy()"), feeLimit: 3_600_000n }
    })
    const { estimateEnergy, write } = contract(client, { address, abi, signer: writer })
    expect((await estimateEnergy.buy({ value: 1n })).data).toEqual({ energy: 30_000n, fee: 3_000_000n })
    expect(await errorOf(write.buy({ value: 1n, maxFee: "3.5" }))).toMatchObject({ _tag: "FeeOverCap" })
    // there is no private node: it would be public
    expect(await errorOf(write.buy({ value: 1n, private: true } as never))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringMatching(/^private: .*EVM chains/)
    })
    expect(await errorOf(write.buy({ value: 1_000_000_000_000n }))).toMatchObject({
      _tag: "InsufficientFunds",
      needed: "1000003.6"
    })
  })

  it("are not signed where the contract refuses them, or there is nobody to sign", async () => {
    const { asked, client } = await reverting("")
    const writer = await signing(client)
    const { write } = contract(client, { address, abi, signer: writer })
    expect(await errorOf(write.transfer(other, 1n))).toMatchObject({ _tag: "ContractReverted" })
    const call = { to: address, functionSelector: "buy()" }
    const shasta = { ...writer, network: "tron-testnet" } as const
    const unowned = Reflect.get(contract(client, { address, abi }).write, "buy") as () => Promise<never>
    expect(await errorOf(unowned())).toMatchObject({ reason: expect.stringContaining("{ signer }") })
    expect(
      await errorOf(contract(client, { address, abi, signer: shasta }).write.transfer(other, 1n))
    ).toMatchObject({ reason: expect.stringContaining("tron-testnet") })
    const wrong: ReadonlyArray<readonly [object, object]> = [
      [{ functionSelector: "buy" }, { _tag: "InvalidArgument" }],
      [{ functionSelector: undefined }, { _tag: "InvalidArgument" }],
      [{ parameter: "0x12" }, { _tag: "InvalidArgument" }],
      [{ parameter: "123" }, { _tag: "InvalidArgument" }],
      [{ value: -1n }, { _tag: "InvalidAmount" }],
      [{ value: "0.1234567" }, { _tag: "InvalidAmount" }],
      [{ to: evmOf(address) }, { _tag: "InvalidAddress" }]
    ]
    for (const [given, error] of wrong)
      expect(await errorOf(writer.sendTransaction({ ...call, ...given }))).toMatchObject(error)
    expect(asked.every(([path]) => path === TRIGGER || path.startsWith("eth_"))).toBe(true)
  })

  it("say so where they were mined and failed", async () => {
    const { client } = await answering(word("1"), {
      "/wallet/gettransactioninfobyid": () => ({
        blockNumber: 60_928_700,
        result: "FAILED",
        resMessage: Buffer.from("REVERT").toString("hex")
      })
    })
    const { write } = contract(client, { address, abi, signer: await signing(client) })
    expect(await errorOf(write.transfer(other, 1n, { confirmations: 1 }))).toMatchObject({
      _tag: "ContractReverted",
      address,
      functionName: "transfer",
      reason: expect.stringMatching(/^the transaction [0-9a-f]{64} was mined and failed: REVERT$/)
    })
  })
})

describe("many reads of contracts of Tron", () => {
  const MULTICALL3 = "TEazPvZwDjDtFeJupyo7QunvnrnUjPH8ED"
  const aggregate = parseAbi([
    "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[] returnData)"
  ])
  const refusal = encodeErrorResult({
    abi,
    errorName: "TooMuch",
    args: [evmOf(other), { asked: 7n, by: [] }]
  })

  it("are one call of Multicall3, each with an outcome of its own", async () => {
    const answer = encodeFunctionResult({
      abi: aggregate,
      result: [
        { success: true, returnData: `0x${word("2a")}` },
        { success: false, returnData: refusal }
      ]
    })
    const { client, of } = await answering(answer.slice(2))
    const { calls } = contract(client, { address, abi })
    const read = await multicall(client, [
      calls.balanceOf(other),
      calls.balanceOf(account),
      calls.balanceOf("T")
    ])
    expect(read.data).toMatchObject([
      { status: "SUCCESS", data: 42n },
      { status: "ERROR", error: { cause: { _tag: "ContractReverted", errorName: "TooMuch" } } },
      { status: "ERROR", error: { cause: { _tag: "InvalidAddress", address: "T" } } }
    ])
    const [asked, ...rest] = of(TRIGGER)
    expect(rest).toEqual([])
    expect(asked).toMatchObject({
      contract_address: MULTICALL3,
      function_selector: "aggregate3((address,bool,bytes)[])"
    })
    const target = evmOf(address)
    const balanceOf = (owner: string) =>
      ({ target, allowFailure: true, callData: `0x70a08231${word(evmOf(owner).slice(2))}` }) as const
    const data = encodeFunctionData({ abi: aggregate, args: [[balanceOf(other), balanceOf(account)]] })
    expect(asked?.parameter).toBe(data.slice(10))
  })

  it("are calls of their own where a network does not have it", async () => {
    const message = Buffer.from("Contract validate error : Smart contract is not exist.").toString("hex")
    const routes: Routes = {
      eth_chainId: () => "0x94a9059e",
      [TRIGGER]: ({ contract_address }) =>
        contract_address === MULTICALL3
          ? { result: { code: "CONTRACT_VALIDATE_ERROR", message } }
          : { result: { result: true }, energy_used: 1, constant_result: [word("7")] }
    }
    const main = await nodeOf({ ...routes, ...{ eth_chainId: () => "0x2b6653dc" } })
    const test = await nodeOf(routes)
    const shasta = await init({ ...test.config, network: "tron-testnet" })
    for (const [client, { of }] of [
      [main.client, main],
      [shasta, test]
    ] as const) {
      const { calls } = contract(client, { address, abi })
      const read = await multicall(client, [calls.balanceOf(other), calls.balanceOf(account)])
      expect(read.data).toMatchObject([{ data: 7n }, { data: 7n }])
      const targets = of(TRIGGER).map(({ contract_address }) => contract_address)
      expect(targets).toEqual([...(client === main.client ? [MULTICALL3] : []), address, address])
    }
  })
})

describe("events of a contract of Tron", () => {
  const topics = encodeEventTopics({
    abi,
    eventName: "Transfer",
    args: { from: evmOf(account), to: evmOf(other) }
  })
  const log = {
    address: evmOf(address),
    topics,
    data: `0x${word("2a")}`,
    blockNumber: "0x1",
    blockHash: "0x2",
    transactionHash: "0x3",
    transactionIndex: "0x0",
    logIndex: "0x0",
    removed: false
  }

  it("come as they happen, by asking the nodes over HTTP", async () => {
    let height = 100
    const { config, of } = await answering("", {
      eth_blockNumber: () => `0x${(height++).toString(16)}`,
      eth_getLogs: ({ params }) => {
        const [{ fromBlock, toBlock }] = params as readonly [{ fromBlock: string; toBlock: string }]
        return [120, 121]
          .filter((block) => block >= Number(fromBlock) && block <= Number(toBlock))
          .map((block) => ({
            ...log,
            blockNumber: `0x${block.toString(16)}`,
            blockHash: `0x${word(block.toString(16))}`
          }))
      }
    })
    const sdk = await initWhole({ ...config, network: "tron-mainnet" })
    const { events } = contract(sdk, { address, abi })
    const modes: Array<string> = []
    const heights: Array<string | null> = []
    const stream = events.Transfer.stream(
      { args: { to: other } },
      { polling: 10, onMode: (mode) => void modes.push(mode) }
    )
    for await (const event of stream) {
      if (event.status === "ERROR") throw event.error.cause
      expect(event.data).toMatchObject({ address, args: { from: account, to: other, value: 42n } })
      if (heights.push(event.data.blockNumber) === 2) break
    }
    expect(heights).toEqual(["0x78", "0x79"])
    expect(modes).toEqual(["polling"])
    expect(of("eth_getLogs")[0]).toMatchObject({
      params: [{ address: evmOf(address), topics: [topics[0], null, `0x${word(hexOf(other).slice(2))}`] }]
    })
    for await (const refused of events.Transfer.stream({}, { polling: false })) {
      expect(refused).toMatchObject({
        status: "ERROR",
        error: {
          cause: {
            _tag: "InvalidArgument",
            reason: expect.stringContaining("no sockets")
          }
        }
      })
    }
    await sdk.destroy()
  })

  it("are listed by their arguments, with addresses as base58", async () => {
    const { client, of } = await answering("", { eth_getLogs: () => [log] })
    const { events } = contract(client, { address, abi })
    const listed = await events.Transfer.list({ args: { to: [other, hexOf(account)] }, fromBlock: 7 })
    expect(listed.data).toEqual([
      { ...log, address, name: "Transfer", args: { from: account, to: other, value: 42n } }
    ])
    const [selector] = topics
    expect(of("eth_getLogs")).toMatchObject([
      {
        params: [
          {
            address: evmOf(address),
            fromBlock: "0x7",
            topics: [selector, null, [evmOf(other), evmOf(account)].map((hex) => `0x${word(hex.slice(2))}`)]
          }
        ]
      }
    ])
    expect(await errorOf(events.Transfer.list({ args: { to: evmOf(other) } }))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining("EVM chain")
    })
  })
})
