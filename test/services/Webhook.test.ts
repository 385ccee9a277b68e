import { createHmac } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Redacted from "effect/Redacted"
import { NotificationType } from "../../src/data/networks.js"
import * as Webhook from "../../src/services/Webhook.js"
import { decode, verify } from "../../src/webhook.js"

/** The example of the provider's documentation ("Authenticating Notification Webhooks"), whose secret is public. */
const secret = "c354b83b-d31b-4dda-9bab-d6a67715a1ed"
const signature = "WdhYQft+qP8LpYAdeOMncUzIZ7DSUWX9JVSjeGH3F4mCreUxtIpTl2VYigm+qUvkfSQ0lWmTrzADm4mGxSVcxA=="
const payload = {
  address: "TJG7iciLGjsib9qhe6U6F7M2vxYJuDjWNM",
  amount: "20",
  counterAddress: "TVf3RVEtzKtMfqQaCAWs9d4HKbC4bZGaWP",
  asset: "TRON",
  blockNumber: 44_087_791,
  txId: "93442189d7bccbe009f8ab594831ff9d7d258cab712d74a404cd3dccdc4c6d69",
  type: "native",
  tokenId: null,
  chain: "tron-testnet",
  subscriptionType: "ADDRESS_EVENT"
}
const body = JSON.stringify(payload)

const sign = (text: string, key: string): string => createHmac("sha512", key).update(text).digest("base64")

/** What JavaScript may pass. */
const anything = (value: unknown) => value as never

describe("the signature of a webhook", () => {
  it.effect("is the one of the provider's own example", () =>
    Effect.gen(function* () {
      const bytes = new TextEncoder().encode(body)
      for (const given of [body, bytes, payload])
        expect(yield* Webhook.verify({ body: given, signature, secret })).toBe(true)
      expect(
        yield* Webhook.verify({ body, signature: ` ${signature}\n`, secret: Redacted.make(secret) })
      ).toBe(true)
    })
  )

  it.effect("is missed in what is not signed, signed otherwise, or changed", () =>
    Effect.gen(function* () {
      const hex = createHmac("sha512", secret).update(body).digest("hex")
      const sha256 = createHmac("sha256", secret).update(body).digest("base64")
      const other = `${signature.slice(0, 10)}A${signature.slice(11)}`
      const signatures = [
        undefined,
        null,
        "",
        "x",
        hex,
        sha256,
        other,
        signature.slice(0, -2),
        `${signature}A`
      ]
      for (const given of signatures)
        expect(yield* Webhook.verify({ body, signature: given, secret })).toBe(false)
      expect(yield* Webhook.verify({ body: `${body} `, signature, secret })).toBe(false)
      expect(yield* Webhook.verify({ body: { ...payload, amount: "21" }, signature, secret })).toBe(false)
      expect(yield* Webhook.verify({ body, signature, secret: `${secret}x` })).toBe(false)
    })
  )

  it.effect("is not checked without a secret, nor of what is no body, and the secret is not told", () =>
    Effect.gen(function* () {
      for (const given of ["", Redacted.make(""), undefined, 5]) {
        const error = yield* Effect.flip(Webhook.verify({ body, signature, secret: anything(given) }))
        expect(error._tag).toBe("InvalidArgument")
      }
      const cyclic: { self?: unknown } = {}
      cyclic.self = cyclic
      // what the receiver itself has done wrong: somebody who sends a call cannot make it so
      const unread = [cyclic, Promise.resolve(body), new Response(body), new Blob([body]), () => body]
      for (const given of unread) {
        const error = yield* Effect.flip(Webhook.verify({ body: given, signature, secret }))
        expect(error.message).toContain("the body must be")
      }
      const error = yield* Effect.flip(Webhook.verify({ body: cyclic, signature, secret }))
      expect(JSON.stringify(error)).not.toContain(secret)
    })
  )

  it("agrees with Node's own HMAC on any text and any secret, and on nothing else", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.string({ unit: "binary" }),
        FastCheck.string({ minLength: 1 }),
        FastCheck.string({ minLength: 1 }),
        async (text, key, wrong) => {
          const call = { body: text, signature: sign(text, key), secret: key }
          expect(await verify(call)).toBe(true)
          // HMAC pads short keys with zero bytes, so that keys which differ in those alone are one key
          const same = key.replace(/\0+$/, "") === wrong.replace(/\0+$/, "")
          expect(await verify({ ...call, secret: wrong })).toBe(same)
        }
      ),
      { numRuns: 50 }
    )
    await expect(verify({ body, signature, secret: "" })).rejects.toMatchObject({
      _tag: "InvalidArgument"
    })
  })
})

describe("a webhook's body", () => {
  it.effect("is read from text, bytes and what was parsed", () =>
    Effect.gen(function* () {
      for (const given of [body, new TextEncoder().encode(body), payload])
        expect(yield* Webhook.decode(given)).toEqual({ ...payload, format: "movement" })
      expect(decode(body)).toMatchObject({ status: "SUCCESS", data: { amount: "20" } })
    })
  )

  it.effect("is a movement for all types but the events of contracts", () =>
    Effect.gen(function* () {
      const { CONTRACT_ADDRESS_LOG_EVENT: _, ...others } = NotificationType
      expect(Object.keys(others).length).toBe(14)
      for (const subscriptionType of Object.values(others)) {
        const read = yield* Webhook.decode({ ...payload, subscriptionType })
        expect(read).toMatchObject({ format: "movement", subscriptionType })
      }
      // the form of the documentation's pages on single types
      const fee = {
        currency: "ETH",
        chain: "ethereum-mainnet",
        amount: "0.000031500000168",
        address: "0x1",
        blockNumber: 1,
        txId: "0x2",
        mempool: false,
        subscriptionType: "PAID_FEE"
      }
      expect(yield* Webhook.decode(fee)).toEqual({ ...fee, format: "movement" })
    })
  )

  it.effect("has the events of contracts in a list, also where there is one", () =>
    Effect.gen(function* () {
      const event = { txId: "0x7d", logIndex: 1, topic_0: "0x4e", topic_1: null, data: "0x64" }
      const head = { subscriptionType: "CONTRACT_ADDRESS_LOG_EVENT", blockNumber: 110_827_114 }
      const listed = {
        ...head,
        chain: "ethereum-mainnet",
        events: [{ ...event, address: "0x7D", timestamp: 1_620_914_417 }]
      }
      expect(yield* Webhook.decode(listed)).toEqual({ ...listed, format: "events" })
      const single = yield* Webhook.decode({ ...head, ...event, contractAddress: "0x7D" })
      expect(single).toMatchObject({ ...head, format: "events", events: [{ ...event, address: "0x7D" }] })
    })
  )

  it.effect("of the enriched template is what stands under data", () =>
    Effect.gen(function* () {
      const data = {
        kind: "transfer",
        txId: "0xab",
        blockNumber: 5,
        from: "0x1",
        to: "0x2",
        value: "1000",
        subscriptionType: "ADDRESS_EVENT"
      }
      const read = yield* Webhook.decode({ data, location: "…" })
      expect(read).toEqual({ ...data, format: "enriched" })
    })
  )

  it.effect("that the documentation does not promise is a typed failure with the names of the fields", () =>
    Effect.gen(function* () {
      const messageOf = (given: unknown) =>
        Effect.map(Effect.flip(Webhook.decode(given)), (error) => {
          expect(error).toMatchObject({ _tag: "GatewayError", kind: "malformed", call: "Webhook.decode" })
          return error.message
        })
      expect(yield* messageOf("{")).toBe("The webhook is not valid JSON.")
      expect(yield* messageOf(new Uint8Array([0xff]))).toBe("The webhook is not valid JSON.")
      expect(yield* messageOf({ ...payload, subscriptionType: "SOMETHING_NEW" })).toContain(
        "subscriptionType"
      )
      expect(yield* messageOf({ ...payload, amount: 20 })).toContain("amount")
      expect(yield* messageOf({ ...payload, amount: "2e1" })).toContain("amount: must be a decimal string")
      expect(yield* messageOf({ ...payload, txId: undefined })).toContain("txId")
      expect(
        yield* messageOf({ subscriptionType: "CONTRACT_ADDRESS_LOG_EVENT", blockNumber: 1, events: [] })
      ).toContain("events")
      for (const nothing of [null, undefined, [], 5, "null", "[]", '"text"']) yield* messageOf(nothing)
      expect(decode("{")).toMatchObject({ status: "ERROR", data: null })
    })
  )

  it("never makes the decoder throw", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.anything(), (given) => {
        expect(["SUCCESS", "ERROR"]).toContain(decode(given).status)
      })
    )
  })
})

describe("the chain of a webhook", () => {
  it("is a network's id, another name of one, or a code; what is unknown is told", () => {
    const networks = [
      "tron-testnet",
      "litecoin-core-testnet",
      "klaytn-cypress",
      "ETH",
      "TEZOS",
      "MON",
      "FLR"
    ].map((chain) => Either.getOrThrow(Webhook.networkOf(chain)))
    expect(networks).toEqual([
      "tron-testnet",
      "litecoin-testnet",
      "klaytn-mainnet",
      "ethereum-mainnet",
      "tezos-mainnet",
      "monad-testnet",
      "flare-mainnet"
    ])
    for (const chain of ["NOPE", "", "constructor", "__proto__"]) {
      const unknown = Either.getOrThrow(Either.flip(Webhook.networkOf(chain)))
      expect(unknown.message).toBe(`Chain ${chain} is not supported.`)
    }
  })
})
