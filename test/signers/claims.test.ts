/** What tokens and memos say of themselves: decimals, symbols, and ids by which receivers tell payments apart. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { privateKeyToAddress } from "viem/accounts"
import * as evmAddress from "../../src/data/evmAddress.js"
import { info, isNetwork } from "../../src/data/Network.js"
import { isRecord } from "../../src/data/untrusted.js"
import { signer } from "../../src/entries/signers/Evm.js"
import { init } from "../../src/promise.js"
import { knownTokens } from "../../src/signers/knownTokens.js"
import { findRoutingId, parseMemo, warnOfTextAroundId, warnOfTextId } from "../../src/signers/memos.js"
import {
  parseDecimals,
  readFactsWithDecimals,
  readTokenFacts,
  type TokenQuery
} from "../../src/signers/tokens.js"

const row = { id: "ethereum-mainnet", ...info("ethereum-mainnet") } as TokenQuery["row"]
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

const asked = (decimals: unknown, symbol: unknown, given?: number, address = token): TokenQuery => ({
  row,
  token: address,
  asset: `eip155:1/erc20:${address}`,
  decimals: given,
  fromChain: { decimals: Effect.succeed(decimals), symbol: Effect.succeed(symbol) }
})

describe("decimals", () => {
  it("are a whole number from 0 to 255, and nothing else is 0", () => {
    for (const none of [
      undefined,
      null,
      "",
      " ",
      "0x",
      "0x6",
      "6.0",
      "-1",
      256,
      256n,
      -1,
      0.5,
      Number.NaN,
      [],
      {},
      true
    ])
      expect(parseDecimals(none)).toBeUndefined()
    fc.assert(
      fc.property(fc.nat(255), (decimals) => {
        for (const told of [decimals, BigInt(decimals), String(decimals)])
          expect(parseDecimals(told)).toBe(decimals)
      })
    )
    fc.assert(
      fc.property(fc.anything(), (told) => {
        const found = parseDecimals(told)
        if (found !== undefined) expect(String(BigInt(told as bigint))).toBe(String(found))
      })
    )
  })

  it.effect("of a token that tells none are an error, which its caller can mend", () =>
    Effect.gen(function* () {
      for (const none of [undefined, null, "", 256])
        expect(yield* Effect.flip(readFactsWithDecimals(asked(none, "GOLD")))).toMatchObject({
          _tag: "InvalidArgument",
          reason: expect.stringContaining("tells no decimals")
        })
      expect(yield* readFactsWithDecimals(asked(undefined, "GOLD", 6))).toMatchObject({ decimals: 6 })
      // the caller is believed before the token
      expect(yield* readFactsWithDecimals(asked(8n, "GOLD", 6))).toMatchObject({ decimals: 6 })
      for (const wrong of [-1, 256, 0.5, "6"])
        expect(yield* Effect.flip(readFactsWithDecimals(asked(6n, "GOLD", wrong as number)))).toMatchObject({
          _tag: "InvalidArgument"
        })
    })
  )

  it.effect("of known tokens are data: no node is asked, and no caller changes them", () =>
    Effect.gen(function* () {
      const usdc = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
      const silent: TokenQuery = {
        ...asked(0, "", undefined, usdc),
        fromChain: { decimals: Effect.die("asked"), symbol: Effect.die("asked") }
      }
      expect(yield* readFactsWithDecimals(silent)).toMatchObject({
        decimals: 6,
        symbol: "USDC",
        name: "USDC",
        warnings: []
      })
      expect(yield* readFactsWithDecimals({ ...silent, decimals: 6 })).toMatchObject({ decimals: 6 })
      expect(yield* Effect.flip(readFactsWithDecimals({ ...silent, decimals: 8 }))).toMatchObject({
        reason: `USDC (${usdc}) has 6 decimals, and not 8`
      })
    })
  )

  it("are known by addresses of their networks", () => {
    for (const [network, tokens] of Object.entries(knownTokens)) {
      expect(isNetwork(network), network).toBe(true)
      const isEvm = isNetwork(network) && info(network).family.startsWith("evm")
      for (const [address, [symbol, decimals]] of Object.entries(tokens)) {
        expect(parseDecimals(decimals)).toBe(decimals)
        expect(symbol).toMatch(/^[A-Z]{2,6}$/)
        if (!isEvm) continue
        expect(evmAddress.addressProblem(address), address).toBeUndefined()
        expect(address).toBe(address.toLowerCase())
      }
    }
  })
})

describe("symbols", () => {
  it.effect("are plain letters, digits and .$-+, or the address stands alone", () =>
    Effect.gen(function* () {
      for (const symbol of ["GOLD", "USDC.e", "stETH", "$MYRO", "A+", "a-b", "12345678901"])
        expect(yield* readTokenFacts(asked(6n, symbol))).toMatchObject({
          symbol,
          name: `eip155:1/erc20:${token}`
        })
      for (const symbol of [
        undefined,
        null,
        7,
        "",
        " ETH",
        "ETH ",
        "ＥＴＨ",
        "ЕТН",
        "<b>ETH</b>",
        "0 USDC (you pay nothing)",
        "123456789012",
        "E\u200bTH",
        "\u202eHTE"
      ])
        expect(yield* readTokenFacts(asked(6n, symbol))).toStrictEqual({
          asset: `eip155:1/erc20:${token}`,
          name: `eip155:1/erc20:${token}`,
          decimals: 6,
          warnings: []
        })
    })
  )

  it.effect("of the coin or of a known token are a warning at another address", () =>
    Effect.gen(function* () {
      for (const symbol of ["ETH", "eth", "$ETH", "USDC", "usdc", "U-S-D-C", "USDT."])
        expect((yield* readTokenFacts(asked(6n, symbol))).warnings).toEqual([
          expect.stringContaining(`The token calls itself ${symbol}`)
        ])
      expect((yield* readTokenFacts(asked(6n, "USDC.e"))).warnings).toEqual([])
    })
  )

  it("that pass are never taken for the coin's line, whatever a token says", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "grapheme", maxLength: 14 }), fc.anything()), (symbol) => {
        const facts = Effect.runSync(Effect.either(readTokenFacts(asked(6n, symbol))))
        if (Either.isLeft(facts)) throw facts.left
        const { asset, symbol: shown, warnings } = facts.right
        expect(asset).toContain(token)
        if (shown === undefined) return
        expect(shown).toMatch(/^[\x21-\x7e]{1,11}$/)
        if (shown.replace(/[^A-Za-z0-9]/g, "").toUpperCase() === "ETH") expect(warnings).toHaveLength(1)
      })
    )
  })
})

describe("memos", () => {
  it.effect("say what they are, of the kinds that the chain has", () =>
    Effect.gen(function* () {
      expect(yield* parseMemo(undefined, ["id", "text"])).toBeUndefined()
      expect(yield* parseMemo("007", ["id", "text"])).toEqual({ kind: undefined, text: "007" })
      expect(yield* parseMemo({ id: 7n }, ["id", "text"])).toEqual({ kind: "id", text: "7" })
      expect(yield* parseMemo({ id: "7" }, ["id", "text"])).toEqual({ kind: "id", text: "7" })
      expect(yield* parseMemo({ text: "007" }, ["id", "text"])).toEqual({ kind: "text", text: "007" })
      for (const wrong of [
        7,
        null,
        {},
        [],
        { id: 7 },
        { text: 7n },
        { id: "7", text: "7" },
        { hash: "00" },
        { id: "007" },
        { id: "tag:7" },
        { id: "" },
        { note: "7" }
      ])
        expect(yield* Effect.flip(parseMemo(wrong as never, ["id", "text"]))).toMatchObject({
          _tag: "InvalidArgument"
        })
    })
  )

  it("that look like an id are told from those that are about something", () => {
    for (const [text, id] of [
      ["12345", "12345"],
      [" 12345 ", "12345"],
      ["007", "007"],
      ["tag:12345", "12345"],
      ["Tag: 12345", "12345"],
      ["memo 12345", "12345"],
      ["#7", "7"],
      ["１２３", "123"],
      ["99999999999999999999999", "99999999999999999999999"]
    ] as const)
      expect(findRoutingId(text), text).toBe(id)
    for (const text of ["thanks", "for 3 coffees", "2 of 3", "0x12", "1.5", "", "a".repeat(400)])
      expect(findRoutingId(text), text).toBeUndefined()
  })

  it("are a warning where an id is sent as text, unless somebody said that it is text", () => {
    expect(warnOfTextId({ kind: undefined, text: "007" }, "a tag")).toHaveLength(1)
    expect(warnOfTextId({ kind: "text", text: "007" }, "a tag")).toEqual([])
    expect(warnOfTextId({ kind: undefined, text: "thanks" }, "a tag")).toEqual([])
    expect(warnOfTextAroundId({ kind: undefined, text: "12345" })).toEqual([])
    expect(warnOfTextAroundId({ kind: undefined, text: " 12345" })).toHaveLength(1)
    expect(warnOfTextAroundId({ kind: "text", text: " 12345" })).toEqual([])
    expect(warnOfTextAroundId(undefined)).toEqual([])
  })
})

const key = `0x${"9f".repeat(32)}` as const
const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`

/** An EVM node over HTTP, and what it says in place of an honest one. */
const nodeOf = async (lies: Readonly<Record<string, unknown>>) => {
  const gwei = "0x3b9aca00"
  const answers: Readonly<Record<string, unknown>> = {
    eth_chainId: "0x1",
    eth_blockNumber: "0x10",
    eth_syncing: false,
    net_version: "1",
    eth_getBalance: word(10n ** 19n).replace(/^0x0+/, "0x"),
    eth_getBlockByNumber: {
      number: "0x10",
      hash: `0x${"1".repeat(64)}`,
      baseFeePerGas: gwei,
      transactions: []
    },
    eth_feeHistory: {
      oldestBlock: "0xf",
      baseFeePerGas: [gwei, gwei],
      gasUsedRatio: [0.5],
      reward: [[gwei]]
    },
    eth_maxPriorityFeePerGas: gwei,
    eth_gasPrice: "0x77359400",
    eth_estimateGas: "0xfde8",
    eth_getCode: "0x",
    eth_getTransactionCount: "0x7",
    decimals: word(6n),
    balance: word(10n ** 12n),
    transfer: word(1n),
    ...lies
  }
  const say = (request: unknown): unknown => {
    if (!isRecord(request)) throw new Error("it is no request")
    const { id, method, params } = request
    const [call] = Array.isArray(params) ? params : []
    const data = isRecord(call) ? String(call.data) : ""
    const name =
      method === "eth_call"
        ? data.startsWith("0x313ce567")
          ? "decimals"
          : data.startsWith("0x70a08231")
            ? "balance"
            : data.startsWith("0xa9059cbb")
              ? "transfer"
              : "symbol"
        : String(method)
    return Object.hasOwn(answers, name)
      ? { jsonrpc: "2.0", id, result: answers[name] }
      : { jsonrpc: "2.0", id, error: { code: 3, message: `execution reverted: ${name}` } }
  }
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += String(chunk)
    })
    request.on("end", () => {
      const asked: unknown = JSON.parse(body)
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify(Array.isArray(asked) ? asked.map(say) : say(asked)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections())
  }
}

/** What comes of a payment of 25 tokens that nobody knows, over these nodes. */
const pay = async (nodes: ReadonlyArray<Readonly<Record<string, unknown>>>) => {
  const servers = await Promise.all(nodes.map(nodeOf))
  const sdk = await init({
    network: "ethereum-mainnet",
    rpc: { nodes: servers.map(({ url }) => ({ url })) }
  })
  const made = await signer(sdk, { privateKey: key })
  if (made.status === "ERROR") throw made.error.cause
  expect(made.data.address).toBe(privateKeyToAddress(key))
  const result = await made.data.prepare({
    token: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    amount: "25"
  })
  await sdk.destroy()
  await Promise.all(servers.map(({ close }) => close()))
  return result
}

describe("a node that tells a nonce above all that can be", () => {
  it("is a node that has failed, as with other numbers", async () => {
    for (const nonce of ["0x20000000000000", "0xffffffffffffffff", "0xzz"])
      expect(await pay([{ eth_getTransactionCount: nonce }])).toMatchObject({
        error: { cause: { _tag: "NodeError", kind: "malformed", call: "eth_getTransactionCount" } }
      })
  })
})

describe("one node of several that lies before a payment", () => {
  it("changes no amount: two agree on the decimals of a token that nobody knows", async () => {
    const lie = { decimals: word(8n) }
    for (const nodes of [
      [lie, {}],
      [{}, lie]
    ])
      expect(await pay(nodes)).toMatchObject({ status: "ERROR", error: { cause: { _tag: "NoQuorum" } } })
    // where there are three, the others outvote it
    for (const nodes of [
      [lie, {}, {}],
      [{}, lie, {}],
      [{}, {}, lie]
    ])
      expect(await pay(nodes)).toMatchObject({
        status: "SUCCESS",
        data: { amount: 25_000_000n, outgoing: [{ units: 25_000_000n, decimals: 6 }, { asset: "ETH" }] }
      })
    expect(await pay([{}])).toMatchObject({ status: "SUCCESS" })
  })

  it("raises no cap: two agree on what recent blocks have paid", async () => {
    const dear = "0x5af3107a4000"
    const lie = {
      eth_getBlockByNumber: {
        number: "0x10",
        hash: `0x${"1".repeat(64)}`,
        baseFeePerGas: dear,
        transactions: []
      },
      eth_feeHistory: {
        oldestBlock: "0xf",
        baseFeePerGas: [dear, dear],
        gasUsedRatio: [0.5],
        reward: [[dear]]
      },
      eth_maxPriorityFeePerGas: dear,
      eth_gasPrice: dear
    }
    for (const nodes of [[lie], [lie, {}], [{}, lie], [lie, {}, {}]]) {
      const result = await pay(nodes)
      if (result.status === "SUCCESS") expect(result.data.fee).toBeLessThanOrEqual(78_000n * 50n * 10n ** 9n)
      else
        expect(result.error.cause).toMatchObject({ _tag: expect.stringMatching(/^(NoQuorum|FeeOverCap)$/) })
    }
    expect(await pay([lie])).toMatchObject({ error: { cause: { _tag: "FeeOverCap" } } })
  })
})
