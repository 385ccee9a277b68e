// @runtime both
import { createHmac } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as entry from "../src/webhook.js"
import { decode, networkOf, verify } from "../src/webhook.js"
import { type Receiver, startReceiver } from "./receiver.js"

const secret = "a secret"
const payload = {
  address: "TJG7iciLGjsib9qhe6U6F7M2vxYJuDjWNM",
  amount: "20",
  asset: "TRON",
  blockNumber: 44_087_791,
  txId: "93442189d7bccbe009f8ab594831ff9d7d258cab712d74a404cd3dccdc4c6d69",
  chain: "tron-testnet",
  subscriptionType: "ADDRESS_EVENT"
}
const text = JSON.stringify(payload)
const sign = (body: string | Uint8Array, key = secret): string =>
  createHmac("sha512", key).update(body).digest("base64")

/** A value that JavaScript may pass. */
const anything = (value: unknown) => value as never

/** Brackets within brackets, 40 kB of them. */
const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`

describe("the entry point for webhooks", () => {
  it("has promises and results, and no Effects", () => {
    expect(Object.keys(entry).sort()).toEqual([
      "decode",
      "encode",
      "isFailure",
      "isSuccess",
      "networkOf",
      "signatureHeader",
      "template",
      "verify"
    ])
    expect(verify({ body: text, signature: "", secret })).toBeInstanceOf(Promise)
    expect(networkOf("tron-testnet")).toMatchObject({ status: "SUCCESS", data: "tron-testnet" })
    expect(networkOf("moon")).toMatchObject({ status: "ERROR" })
  })

  it("resolves to false for a forgery, in the form in which everybody writes it", async () => {
    const accepted: Array<string> = []
    for (const signature of [
      sign(text, "other"),
      sign(`${text} `),
      "",
      null,
      undefined,
      ["a"],
      anything({})
    ]) {
      if (await verify({ body: text, signature, secret })) accepted.push(String(signature))
    }
    expect(accepted).toEqual([])
    expect(await verify({ body: text, signature: sign(text), secret })).toBe(true)
  })

  it("takes a body in whatever holds it", async () => {
    const bytes = new TextEncoder().encode(`${text} `)
    const shared = new SharedArrayBuffer(bytes.length)
    new Uint8Array(shared).set(bytes)
    const padded = new Uint8Array([9, 9, 9, 9, ...bytes, 9, 9, 9, 9])
    const even = new TextEncoder().encode(`${text}${" ".repeat(8 - (text.length % 8))}`)
    const copy = even.slice().buffer
    const bodies: ReadonlyArray<readonly [entry.SignedCall["body"], Uint8Array]> = [
      [`${text} `, bytes],
      [bytes, bytes],
      [Buffer.from(bytes), bytes],
      [bytes.slice().buffer, bytes],
      [shared, bytes],
      [new DataView(bytes.slice().buffer), bytes],
      [new DataView(padded.buffer, 4, bytes.length), bytes],
      [padded.subarray(4, 4 + bytes.length), bytes],
      [new Uint8ClampedArray(bytes), bytes],
      [new Uint16Array(copy), even],
      [new Float64Array(copy), even],
      [new BigInt64Array(copy), even]
    ]
    for (const [body, signed] of bodies) {
      expect(await verify({ body, signature: sign(signed), secret })).toBe(true)
      expect(await verify({ body, signature: sign(signed, "other"), secret })).toBe(false)
      expect(decode(body)).toMatchObject({ status: "SUCCESS", data: { txId: payload.txId } })
    }
    expect(await verify({ body: payload, signature: sign(text), secret })).toBe(true)
  })

  it("does not reject whatever a stranger sends", async () => {
    const bodies = [undefined, null, "", deep, JSON.parse(deep), 5, true, [], {}, new Uint8Array([0xff])]
    for (const body of bodies) {
      expect(await verify({ body: anything(body), signature: sign("x"), secret })).toBe(false)
      expect(decode(body)).toMatchObject({ status: "ERROR", error: { cause: { _tag: "GatewayError" } } })
    }
    await expect(verify({ body: text, signature: sign(text, ""), secret: "" })).rejects.toMatchObject({
      message: "Webhook.verify: the secret must be text, and not empty"
    })
  })

  it("never throws on what it decodes, however deep or large, and says what is wrong in few words", () => {
    const within = (inner: unknown) => ({ ...payload, amount: inner, txId: inner, extra: inner })
    const bodies = [
      deep,
      JSON.parse(deep),
      within(JSON.parse(deep)),
      { data: within(JSON.parse(deep)) },
      JSON.stringify(within("x".repeat(10_000_000))),
      "[".repeat(40_000),
      `"${"x".repeat(40_000_000)}"`,
      new Uint8Array(20_000_000),
      { ...payload, subscriptionType: "CONTRACT_ADDRESS_LOG_EVENT", events: Array(100_000).fill({}) },
      { ...payload, subscriptionType: "x".repeat(1_000_000) },
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("no")
          }
        }
      )
    ]
    for (const body of bodies) {
      const told = decode(body)
      expect(told.status).toBe("ERROR")
      expect(JSON.stringify(told.error?.message).length).toBeLessThan(2_000)
    }
  })
})

describe("the server of docs/webhooks.md", () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver(secret)
  })
  afterAll(() => receiver.end())

  // the default content on Tron
  const content = entry.encode({
    format: "enriched",
    kind: "transfer",
    txId: payload.txId,
    value: "20000000",
    tokenMetadata: { type: "native", decimals: 6, symbol: "TRX", name: "Tron" },
    subscriptionType: "ADDRESS_EVENT"
  })

  const post = async (body: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(receiver.url, { method: "POST", body, headers })).status

  it("takes what is signed and refuses what is forged, and goes on", async () => {
    const signature = sign(content)
    expect(await post(content, { "x-payload-hash": signature })).toBe(200)
    const forged: ReadonlyArray<readonly [string, Record<string, string>]> = [
      [content, {}],
      [content, { "x-payload-hash": "" }],
      [content, { "x-payload-hash": sign(content, "guess") }],
      [content, { "x-payload-hash": sign(content, "") }],
      [content, { "x-payload-hash": createHmac("sha512", secret).update(content).digest("hex") }],
      [content.replace('"20000000"', '"21000000"'), { "x-payload-hash": signature }],
      [`${content}\n`, { "x-payload-hash": signature }],
      ["", { "x-payload-hash": signature }],
      [deep, { "x-payload-hash": signature }]
    ]
    for (const [body, headers] of forged) expect(await post(body, headers)).toBe(401)
    // signed, and nonsense
    expect(await post(deep, { "x-payload-hash": sign(deep) })).toBe(200)
    // gone before it has said all
    const controller = new AbortController()
    const stream = new ReadableStream({
      start: (sent) => {
        sent.enqueue(new TextEncoder().encode("{"))
        setTimeout(() => controller.abort(), 50)
      }
    })
    // Node wants to be told that it need not wait for the whole body, which the DOM's types do not know
    const init: RequestInit & { readonly duplex: "half" } = {
      method: "POST",
      body: stream,
      duplex: "half",
      signal: controller.signal
    }
    await expect(fetch(receiver.url, init)).rejects.toThrow()
    expect(await post(content, { "x-payload-hash": signature })).toBe(200)
    expect(receiver.code()).toBe(null)
    // it answers first, and then does its work
    await expect
      .poll(() => receiver.lines)
      .toEqual([`${payload.txId} 20000000 TRX`, `${payload.txId} 20000000 TRX`])
  })
})
