import { createHmac } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Redacted from "effect/Redacted"
import { NotificationType } from "../../src/data/networks.js"
import * as Webhook from "../../src/services/Webhook.js"
import { decode, template, verify } from "../../src/webhook.js"
import { runs } from "../properties.js"

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
      { numRuns: runs(50) }
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

  it.effect("has EVM addresses with the checksum of EIP-55, and all else as it is", () =>
    Effect.gen(function* () {
      const lower = "0x742d35cc6634c0532925a3b844bc454e4438f44e"
      const address = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e"
      const hash = `0x${"ab".repeat(32)}`
      const movement = {
        subscriptionType: "INCOMING_FUNGIBLE_TX",
        chain: "ethereum-mainnet",
        amount: "1",
        txId: hash,
        // it would be an address, but the field is none
        tokenId: lower
      }
      const parties = { address: lower, counterAddress: lower, contractAddress: lower, asset: lower }
      expect(yield* Webhook.decode({ ...movement, ...parties })).toEqual({
        ...movement,
        address,
        counterAddress: address,
        contractAddress: address,
        asset: address,
        format: "movement"
      })
      expect(yield* Webhook.decode({ ...payload, asset: "ETH", counterAddress: null })).toMatchObject({
        address: payload.address,
        asset: "ETH",
        counterAddress: null
      })

      const enriched = { kind: "transfer", txId: hash, subscriptionType: "ADDRESS_EVENT", value: "1" }
      const sides = { from: lower, to: lower, contractAddress: lower }
      const read = { from: address, to: address, contractAddress: address }
      for (const raw of [{}, { rawData: [{ address: lower }] }])
        expect(yield* Webhook.decode({ data: { ...enriched, ...sides, ...raw } })).toMatchObject({
          ...enriched,
          ...read,
          ...raw
        })

      const event = { txId: hash, logIndex: 1, topic_1: `0x${"0".repeat(24)}${lower.slice(2)}` }
      const head = { subscriptionType: "CONTRACT_ADDRESS_LOG_EVENT", blockNumber: 1 }
      for (const given of [
        { ...head, events: [{ ...event, address: lower }] },
        { ...head, ...event, contractAddress: lower }
      ])
        expect(yield* Webhook.decode(given)).toMatchObject({ events: [{ ...event, address }] })

      const own = template({ format: "json", keys: { payer: "from", id: "tokenId" } })
      expect(yield* Webhook.decode({ payer: lower, id: lower }, own)).toEqual({
        format: "json",
        values: { payer: address, id: lower }
      })
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

  it.effect("of the enriched template with raw data has them, and is told apart", () =>
    Effect.gen(function* () {
      const data = {
        kind: "transfer",
        blockHash: "0xb1",
        blockNumber: 18_500_000,
        blockTimestamp: 1_699_123_456,
        txId: "0xab",
        currency: "ETH",
        txTimestamp: 1_699_123_456,
        from: "0x1",
        to: "0x2",
        value: "1000000000000000000",
        contractAddress: "0xc",
        tokenId: "12345",
        logIndex: 2,
        additionalData: { gasUsed: "21000", gasPrice: "20000000000" },
        tokenMetadata: {
          type: "nft",
          decimals: 0,
          symbol: "NFT",
          name: "My NFT",
          uri: "https://a.example/1"
        },
        subscriptionId: "64f1a2",
        subscriptionType: "ADDRESS_EVENT"
      }
      expect(yield* Webhook.decode({ data })).toEqual({ ...data, format: "enriched" })
      const rawData = [{ address: "0xc", topics: ["0xdd"], data: "0x" }]
      expect(yield* Webhook.decode({ data: { ...data, rawData } })).toEqual({
        ...data,
        rawData,
        format: "enriched_with_raw_data"
      })
      const error = yield* Effect.flip(
        Webhook.decode({ data: { ...data, tokenMetadata: { ...data.tokenMetadata, decimals: "18" } } })
      )
      expect(error.message).toContain("tokenMetadata.decimals: must be a number")
    })
  )

  it.effect("of one log of a contract is a list of one, under data or flat, with a kind or without", () =>
    Effect.gen(function* () {
      const log = {
        txId: "0x7d",
        contractAddress: "0xc",
        blockNumber: 5,
        topic_0: "0x4e",
        topic_1: null,
        topic_2: null,
        topic_3: null,
        logIndex: 1,
        data: "0x64",
        subscriptionId: "s1",
        subscriptionType: "CONTRACT_ADDRESS_LOG_EVENT"
      }
      for (const body of [log, { data: log }, { ...log, kind: "log" }])
        expect(yield* Webhook.decode(body)).toMatchObject({
          format: "events",
          blockNumber: 5,
          subscriptionId: "s1",
          events: [
            { txId: "0x7d", address: "0xc", topic_0: "0x4e", topic_1: null, logIndex: 1, data: "0x64" }
          ]
        })
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

  const paid = template({
    format: "json",
    keys: {
      payer: "from",
      amount: "value",
      coin: "tokenMetadata.symbol",
      block: "blockNumber",
      of: "subscriptionType"
    }
  })
  const values = { payer: "0x1", amount: "5", coin: null, block: 7, of: "INCOMING_NATIVE_TX" }

  it.effect("with a template of the receiver's own has its names, with or without a frame", () =>
    Effect.gen(function* () {
      for (const content of [values, { ...values, more: 1 }, JSON.stringify(values)])
        for (const given of typeof content === "string"
          ? [content, `{"data":${content}}`]
          : [content, { data: content }])
          expect(yield* Webhook.decode(given, paid)).toEqual({ format: "json", values })
      // what an event lacks may be left out
      expect(yield* Webhook.decode({ amount: "5" }, paid)).toEqual({
        format: "json",
        values: { amount: "5" }
      })
      const nested = template({ format: "json", keys: { data: "tokenMetadata" } })
      const tokenMetadata = { type: "native", decimals: 18 }
      const expected = { format: "json", values: { data: tokenMetadata } }
      expect(yield* Webhook.decode({ data: tokenMetadata }, nested)).toEqual(expected)
      expect(yield* Webhook.decode({ data: { data: tokenMetadata } }, nested)).toEqual(expected)
    })
  )

  it.effect("with a template that is a text is that text", () =>
    Effect.gen(function* () {
      const sentence = template({ format: "string", message: "{{from}} sent {{value}}" })
      for (const given of [
        "0x1 sent 5",
        '"0x1 sent 5"',
        { data: "0x1 sent 5", location: "…" },
        '{"data":"0x1 sent 5"}'
      ])
        expect(yield* Webhook.decode(given, sentence)).toEqual({ format: "string", message: "0x1 sent 5" })
      expect(yield* Webhook.decode(new TextEncoder().encode("5"), sentence)).toEqual({
        format: "string",
        message: "5"
      })
      expect(yield* Effect.flip(Webhook.decode({ data: 5 }, sentence))).toMatchObject({ kind: "malformed" })
      expect(decode("0x1 sent 5", sentence)).toMatchObject({
        status: "SUCCESS",
        data: { message: "0x1 sent 5" }
      })
    })
  )

  it.effect("has to be of the template that is named", () =>
    Effect.gen(function* () {
      const enriched = { data: { kind: "transfer", txId: "0xab", subscriptionType: "ADDRESS_EVENT" } }
      const log = { subscriptionType: "CONTRACT_ADDRESS_LOG_EVENT", blockNumber: 1, txId: "0x1", logIndex: 0 }
      expect((yield* Webhook.decode(payload, "legacy")).format).toBe("movement")
      expect((yield* Webhook.decode(enriched, "enriched")).format).toBe("enriched")
      expect((yield* Webhook.decode(log, "enriched")).format).toBe("events")
      expect((yield* Webhook.decode(payload, "64c1e5f0a1b2c3d4e5f60718")).format).toBe("movement")
      for (const [body, id] of [
        [payload, "enriched"],
        [enriched, "legacy"],
        [enriched, "enriched_with_raw_data"]
      ] as const)
        expect(yield* Effect.flip(Webhook.decode(body, id))).toMatchObject({
          _tag: "GatewayError",
          kind: "malformed",
          messages: [expect.stringContaining(`has not the template ${id}`)]
        })
    })
  )

  it.effect("that has nothing of its template, or something else, is a failure with the place", () =>
    Effect.gen(function* () {
      const failed = (body: unknown) =>
        Effect.map(Effect.flip(Webhook.decode(body, paid)), ({ message }) => message)
      expect(yield* failed({ sender: "0x1", data: "0x" })).toContain(
        "none of the template's names: payer, amount, coin, block, of"
      )
      expect(yield* failed({ ...values, block: "7" })).toContain("block: must be a number, not a string")
      expect(yield* failed({ ...values, payer: 1 })).toContain("payer: must be text or null, not number 1")
      expect(yield* failed({ ...values, of: "NEW" })).toContain("of: must be")
      expect(yield* failed("{")).toContain("not valid JSON")
      for (const nothing of [null, [], 5, "[]"]) yield* failed(nothing)
    })
  )

  it.effect("is read by no template that makes no sense", () =>
    Effect.gen(function* () {
      for (const [given, words] of [
        [{ format: "json", keys: { a: "val" } }, 'keys.a: "val" is no property'],
        [{ format: "json" }, "has keys"],
        [{ format: "string", message: "{{x}}" }, 'message: "x" is no property'],
        [0, "must be an object"],
        [null, "must be an object"]
      ] as const) {
        const error = yield* Effect.flip(Webhook.decode(payload, anything(given)))
        expect(error._tag).toBe("InvalidArgument")
        expect(error.message).toContain("Webhook.decode: ")
        expect(error.message).toContain(words)
        expect(decode(payload, anything(given))).toMatchObject({ status: "ERROR" })
      }
    })
  )

  const maybe = <A>(arbitrary: FastCheck.Arbitrary<A>) => FastCheck.option(arbitrary, { nil: null })
  const text = FastCheck.string({ unit: "grapheme" })
  const count = FastCheck.nat()
  const json = FastCheck.jsonValue({ noUnicodeString: false })
  const types = FastCheck.constantFrom(...Object.values(NotificationType))
  const head = { subscriptionId: maybe(text) }
  const optional = { requiredKeys: [] }
  const token = FastCheck.record(
    { type: maybe(text), decimals: maybe(count), symbol: maybe(text), name: maybe(text), uri: maybe(text) },
    optional
  )
  const enrichedFields = {
    subscriptionType: types.filter((type) => type !== "CONTRACT_ADDRESS_LOG_EVENT"),
    kind: text,
    txId: text,
    ...head,
    blockNumber: maybe(count),
    blockHash: maybe(text),
    blockTimestamp: maybe(count),
    txTimestamp: maybe(count),
    from: maybe(text),
    to: maybe(text),
    value: maybe(text),
    currency: maybe(text),
    contractAddress: maybe(text),
    tokenId: maybe(text),
    logIndex: maybe(count),
    tokenMetadata: maybe(token),
    additionalData: maybe(FastCheck.dictionary(text, json))
  }
  const requiredOfEnriched = { requiredKeys: ["subscriptionType", "kind", "txId"] } as const
  const log = FastCheck.record(
    {
      txId: text,
      logIndex: count,
      address: maybe(text),
      timestamp: maybe(count),
      topic_0: maybe(text),
      topic_1: maybe(text),
      topic_2: maybe(text),
      topic_3: maybe(text),
      data: maybe(text)
    },
    { requiredKeys: ["txId", "logIndex"] }
  )
  const amount = FastCheck.tuple(FastCheck.bigInt(), FastCheck.option(FastCheck.nat())).map(
    ([whole, rest]) => (rest === null ? String(whole) : `${whole}.${rest}`)
  )
  const payloads: { readonly [F in Webhook.Payload["format"]]: FastCheck.Arbitrary<object> } = {
    movement: FastCheck.record(
      {
        format: FastCheck.constant("movement"),
        subscriptionType: types.filter((type) => type !== "CONTRACT_ADDRESS_LOG_EVENT"),
        chain: text,
        address: text,
        amount,
        txId: text,
        ...head,
        asset: maybe(text),
        currency: maybe(text),
        counterAddress: maybe(text),
        blockNumber: maybe(count),
        type: maybe(text),
        tokenId: maybe(text),
        contractAddress: maybe(text),
        metadataURI: maybe(text),
        mempool: maybe(FastCheck.boolean())
      },
      { requiredKeys: ["format", "subscriptionType", "chain", "address", "amount", "txId"] }
    ),
    events: FastCheck.record(
      {
        format: FastCheck.constant("events"),
        subscriptionType: FastCheck.constant("CONTRACT_ADDRESS_LOG_EVENT"),
        chain: maybe(text),
        blockNumber: count,
        ...head,
        events: FastCheck.array(log, { minLength: 1, maxLength: 4 })
      },
      { requiredKeys: ["format", "subscriptionType", "blockNumber", "events"] }
    ),
    enriched: FastCheck.record(
      { format: FastCheck.constant("enriched"), ...enrichedFields },
      { requiredKeys: ["format", ...requiredOfEnriched.requiredKeys] }
    ),
    enriched_with_raw_data: FastCheck.record(
      { format: FastCheck.constant("enriched_with_raw_data"), ...enrichedFields, rawData: json },
      { requiredKeys: ["format", "rawData", ...requiredOfEnriched.requiredKeys] }
    )
  }

  it.each(Object.entries(payloads))("of the kind %s is decoded to what was encoded", (_, arbitrary) => {
    FastCheck.assert(
      FastCheck.property(arbitrary, (made) => {
        // JSON has no -0, and no difference between what is undefined and what is not there
        const plain: unknown = JSON.parse(JSON.stringify(made))
        expect(decode(Webhook.encode(anything(made)))).toEqual({ status: "SUCCESS", data: plain })
      })
    )
  })

  it("of any template is decoded by it to what was encoded", () => {
    const property: FastCheck.Arbitrary<readonly [Webhook.TemplateProperty, FastCheck.Arbitrary<unknown>]> =
      FastCheck.constantFrom(
        ["from", text] as const,
        ["value", FastCheck.bigInt().map(String)] as const,
        ["blockNumber", count] as const,
        ["tokenMetadata", token] as const,
        ["tokenMetadata.decimals", count] as const,
        ["additionalData", FastCheck.dictionary(text, json)] as const,
        ["subscriptionType", types] as const
      )
    const names = text.filter((name) => name !== "__proto__")
    const rendered = FastCheck.dictionary(names, property, {
      minKeys: 1,
      maxKeys: 6,
      noNullPrototype: true
    }).chain((shown) =>
      FastCheck.record({
        keys: FastCheck.constant(
          Object.fromEntries(Object.entries(shown).map(([name, [of]]) => [name, of] as const))
        ),
        values: FastCheck.record(
          Object.fromEntries(Object.entries(shown).map(([name, [, of]]) => [name, maybe(of)] as const))
        )
      })
    )
    FastCheck.assert(
      FastCheck.property(rendered, ({ keys, values: shown }) => {
        const plain: unknown = JSON.parse(JSON.stringify(shown))
        const made = Webhook.encode({ format: "json", values: anything(shown) })
        expect(decode(made, { format: "json", keys })).toEqual({
          status: "SUCCESS",
          data: { format: "json", values: plain }
        })
      })
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "binary" }), (message) => {
        const made = Webhook.encode({ format: "string", message })
        expect(decode(made, { format: "string", message: "{{value}}" })).toEqual({
          status: "SUCCESS",
          data: { format: "string", message }
        })
      })
    )
  })

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
