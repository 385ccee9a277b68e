// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { checksumAddress } from "../../src/data/evmAddress.js"
import * as Network from "../../src/data/Network.js"
import { init } from "../../src/promise.js"
import { networkOfChain, providerChainOf } from "../../src/services/internal/networks.js"
import { streamByOffset } from "../../src/services/internal/offsets.js"
import * as Notification from "../../src/services/Notification.js"
import { makeScripted, parseBody } from "./scripted.js"

const { make } = Notification
const url = "https://hook.example/incoming"
const address = "0x53e8577c4347c365e4e0da5b57a589cb6f2ab849"
const contract = "0x211500d1960bdb7ba3390347ffd8ad486b897a18"
const topic = `0x${"ab".repeat(32)}`

/** A value that JavaScript may pass. */
const anything = (value: unknown) => value as never

const subscription = (id: number | string, chain = "ETH", attr: object = { address }) => ({
  id: `s${id}`,
  type: "ADDRESS_EVENT",
  attr: { chain, url, ...attr }
})

const webhook = (id: number) => ({
  id: `w${id}`,
  subscriptionId: "s",
  type: "PAID_FEE",
  url,
  data: {},
  failed: false
})

describe("subscribing", () => {
  it.effect("sends the chain's code once, and yields what was asked for with its id", () =>
    Effect.gen(function* () {
      const { lines, sent, service } = yield* makeScripted(make, [
        { json: { id: "a" } },
        { json: { id: "b" } },
        { json: { id: "c" } }
      ])
      expect(yield* service.subscribe.incomingNftTx({ address, url })).toEqual({
        id: "a",
        chain: "ETH",
        address,
        url
      })
      expect(
        yield* service.subscribe.contractAddressLogEvent({ contractAddress: contract, event: topic, url })
      ).toEqual({ id: "b", chain: "ETH", contractAddress: contract, event: topic, url })
      expect(yield* service.subscribe.failedTxsPerBlock({ url })).toEqual({ id: "c", chain: "ETH", url })
      expect(lines()).toEqual(Array.from({ length: 3 }, () => "POST /v4/subscription"))
      expect(parseBody(sent[0])).toEqual({ type: "INCOMING_NFT_TX", attr: { chain: "ETH", address, url } })
    })
  )

  it.effect("and listing find an EVM address in any spelling", () =>
    Effect.gen(function* () {
      const spelled = checksumAddress(address)
      const { lines, sent, service } = yield* makeScripted(make, [
        { json: { id: "a" } },
        { json: { id: "b" } },
        { json: [] },
        { json: { count: 2 } }
      ])
      expect(yield* service.subscribe.addressEvent({ address: spelled, url })).toMatchObject({
        address: spelled
      })
      expect(
        yield* service.subscribe.contractAddressLogEvent({
          contractAddress: checksumAddress(contract),
          event: topic,
          url
        })
      ).toMatchObject({ contractAddress: checksumAddress(contract) })
      yield* service.getAll({ address: spelled })
      yield* service.count({ address: spelled })
      expect(parseBody(sent[0])).toMatchObject({ attr: { address } })
      expect(parseBody(sent[1])).toMatchObject({ attr: { contractAddress: contract } })
      expect(lines().slice(2)).toEqual([
        `GET /v4/subscription?pageSize=10&address=${address}`,
        `GET /v4/subscription/count?pageSize=10&address=${address}`
      ])
    })
  )

  it.effect("names a testnet that the code does not stand for, whatever the type", () =>
    Effect.gen(function* () {
      const json = { id: "a" }
      const { lines, service } = yield* makeScripted(make, [{ json }, { json }, { json }], {
        network: "ethereum-hoodi"
      })
      yield* service.subscribe.addressEvent({ address, url })
      yield* service.subscribe.contractAddressLogEvent({ contractAddress: contract, event: topic, url })
      yield* service.subscribe.failedTxsPerBlock({ url })
      expect(lines()).toEqual(
        Array.from({ length: 3 }, () => "POST /v4/subscription?testnetType=ethereum-hoodi")
      )
    })
  )

  it.effect("fails on networks without a code, and sends nothing", () =>
    Effect.gen(function* () {
      for (const network of ["near-mainnet", "avax-p-mainnet", "unichain-sepolia"] as const) {
        const { sent, service } = yield* makeScripted(make, [], { network })
        const error = yield* Effect.flip(service.subscribe.addressEvent({ address, url }))
        expect([error._tag, error.message]).toEqual([
          "NotSupportedForNetwork",
          `Network ${network} is not supported.`
        ])
        expect(sent).toEqual([])
      }
    })
  )

  it.effect("is not repeated after a server error, which could make a second one", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(make, [{ status: 500, text: "busy" }])
      const error = yield* Effect.flip(service.subscribe.addressEvent({ address, url }))
      expect(error).toMatchObject({ _tag: "GatewayError", status: 500 })
      expect(sent.length).toBe(1)
    })
  )

  it.effect("refuses what cannot be right, and sends nothing", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(make, [])
      const { subscribe } = service
      const messageOf = (call: Effect.Effect<unknown, Notification.SubscribeError>) =>
        Effect.map(Effect.flip(call), (error) => {
          expect(error._tag).toBe("InvalidArgument")
          return error.message
        })
      const wrongUrl = "url: must be an http or https url of at most 500 characters"
      for (const given of [
        "",
        "hook.example",
        "ftp://hook.example",
        `https://h/${"x".repeat(500)}`,
        5,
        undefined
      ])
        expect(yield* messageOf(subscribe.addressEvent({ address, url: anything(given) }))).toMatch(
          /url: (must be|is missing|Expected)/
        )
      expect(yield* messageOf(subscribe.addressEvent({ address, url: "x" }))).toBe(
        `notification.subscribe.addressEvent: ${wrongUrl}`
      )
      for (const given of ["", " ", "a b", "x".repeat(129), 5, null])
        expect(yield* messageOf(subscribe.paidFee({ address: anything(given), url }))).toContain("address: ")
      const checksum = "0xa0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
      for (const given of ["0x1", address.slice(2), checksum])
        expect(
          yield* messageOf(subscribe.contractAddressLogEvent({ contractAddress: given, event: topic, url }))
        ).toContain("contractAddress: ")
      for (const given of ["", "Transfer", "0xddf2"])
        expect(
          yield* messageOf(
            subscribe.contractAddressLogEvent({ contractAddress: contract, event: given, url })
          )
        ).toContain("event: must be the first topic")
      yield* messageOf(subscribe.failedTxsPerBlock(anything(undefined)))
      expect(sent).toEqual([])
    })
  )

  it.effect("takes names of events where events have names", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(make, [{ json: { id: "a" } }], {
        network: "tezos-mainnet"
      })
      yield* service.subscribe.contractAddressLogEvent({ contractAddress: "KT1abc", event: "transfer", url })
      expect(parseBody(sent[0])).toMatchObject({ attr: { chain: "TEZOS", event: "transfer" } })
    })
  )

  it.effect("fails with the field that an answer lacks", () =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(make, [{ json: {} }])
      const error = yield* Effect.flip(service.subscribe.addressEvent({ address, url }))
      expect(error).toMatchObject({ _tag: "GatewayError", kind: "malformed" })
      expect(error.message).toContain("id: is missing")
    })
  )
})

describe("the options of a subscription", () => {
  const answers = (count: number) => Array.from({ length: count }, () => ({ json: { id: "a" } }))

  it.effect("stand beside its target, and conditions within; their values are text", () =>
    Effect.gen(function* () {
      const { lines, sent, service } = yield* makeScripted(make, answers(4))
      const created = yield* service.subscribe.incomingFungibleTx({
        address,
        url,
        conditions: [
          { field: "value", operator: ">=", value: 10n ** 18n },
          { field: "tokenId", operator: "!=", value: "7" },
          { field: "contractAddress", operator: "==", value: contract },
          { field: "tokenMetadata.type", operator: "==", value: "fungible" },
          { field: "tokenMetadata.symbol", operator: "!=", value: "USDT" }
        ],
        finality: "final",
        templateId: "enriched_with_raw_data"
      })
      expect(created).toEqual({ id: "a", chain: "ETH", address, url })
      expect(parseBody(sent[0])).toEqual({
        type: "INCOMING_FUNGIBLE_TX",
        attr: {
          chain: "ETH",
          address,
          url,
          conditions: [
            { field: "value", operator: ">=", value: "1000000000000000000" },
            { field: "tokenId", operator: "!=", value: "7" },
            { field: "contractAddress", operator: "==", value: contract },
            { field: "tokenMetadata.type", operator: "==", value: "fungible" },
            { field: "tokenMetadata.symbol", operator: "!=", value: "USDT" }
          ]
        },
        finality: "final",
        templateId: "enriched_with_raw_data"
      })
      yield* service.subscribe.contractAddressLogEvent({
        contractAddress: contract,
        event: topic,
        url,
        templateId: "64c1e5f0a1b2c3d4e5f60718"
      })
      expect(parseBody(sent[1])).toEqual({
        type: "CONTRACT_ADDRESS_LOG_EVENT",
        attr: { chain: "ETH", contractAddress: contract, event: topic, url },
        templateId: "64c1e5f0a1b2c3d4e5f60718"
      })
      yield* service.subscribe.failedTxsPerBlock({ url, finality: "confirmed" })
      expect(parseBody(sent[2])).toEqual({
        type: "FAILED_TXS_PER_BLOCK",
        attr: { chain: "ETH", url },
        finality: "confirmed"
      })
      // nothing of them is sent unless it is asked for
      yield* service.subscribe.addressEvent({ address, url, conditions: [] })
      expect(parseBody(sent[3])).toEqual({ type: "ADDRESS_EVENT", attr: { chain: "ETH", address, url } })
      expect(new Set(lines())).toEqual(new Set(["POST /v4/subscription"]))
    })
  )

  it.effect("are of version 4, whatever version a client has", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(make, [...answers(2), ...answers(1), {}, {}], {
        version: "V3"
      })
      yield* service.subscribe.paidFee({ address, url })
      yield* service.subscribe.paidFee({ address, url, finality: "final" })
      yield* service.templates.create({ format: "string", message: "{{value}}" })
      yield* service.update("s1", { paused: true })
      yield* service.updateNetwork({ finality: "final" })
      expect(lines()).toEqual([
        "POST /v3/subscription",
        "POST /v4/subscription",
        "POST /v4/subscription/template",
        "PUT /v4/subscription/s1",
        "PUT /v4/subscription/batch?chain=ethereum-mainnet&finality=final"
      ])
    })
  )

  it.effect("are refused where they make no sense, with their place", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(make, [])
      const messageOf = (options: object) =>
        Effect.map(
          Effect.flip(service.subscribe.incomingNativeTx({ address, url, ...options })),
          ({ message }) => message
        )
      const condition = (field: string, operator: string, value: unknown) => ({
        conditions: [
          { field: "value", operator: ">", value: "0" },
          { field, operator, value }
        ]
      })
      for (const [options, words] of [
        [condition("from", ">", contract), "conditions.1: from is compared by == or != alone"],
        [condition("value", "=", "1"), 'conditions.1.operator: must be "==" or "!=" or ">"'],
        [condition("amount", "==", "1"), 'conditions.1.field: must be "value" or'],
        [condition("value", "==", 1), "conditions.1.value: must be text or a bigint, not number 1"],
        [condition("value", "==", "1.5"), "conditions.1: value is compared with a whole number"],
        [condition("value", "==", -1n), "conditions.1: value is compared with a whole number"],
        [condition("tokenId", "==", "0x1"), "conditions.1: tokenId is compared with a whole number"],
        [condition("to", "==", "0x1"), "conditions.1: to must be"],
        [
          condition("tokenMetadata.type", "==", "coin"),
          "conditions.1: tokenMetadata.type is one of native, fungible"
        ],
        [
          condition("tokenMetadata.symbol", "==", ""),
          "conditions.1: tokenMetadata.symbol is compared with text"
        ],
        [{ conditions: {} }, "conditions: must be a list"],
        [{ finality: "safe" }, 'finality: must be "confirmed" or "final"'],
        [{ templateId: "a/b" }, "templateId: must be a template of the provider"],
        [{ templateId: "" }, "templateId: must be a template of the provider"]
      ] as const)
        expect(yield* messageOf(options)).toContain(`notification.subscribe.incomingNativeTx: ${words}`)
      expect(sent).toEqual([])
    })
  )

  it.effect("are those of the network", () =>
    Effect.gen(function* () {
      const bitcoin = yield* makeScripted(make, answers(1), { network: "bitcoin-mainnet" })
      yield* bitcoin.service.subscribe.addressEvent({
        address: "bc1q",
        url,
        mempool: true,
        conditions: [{ field: "from", operator: "!=", value: "1A1zP1" }]
      })
      expect(parseBody(bitcoin.sent[0])).toEqual({
        type: "ADDRESS_EVENT",
        attr: {
          chain: "BTC",
          address: "bc1q",
          url,
          conditions: [{ field: "from", operator: "!=", value: "1A1zP1" }]
        },
        mempool: true
      })
      const tron = yield* makeScripted(make, answers(1), { network: "tron-mainnet" })
      yield* tron.service.subscribe.addressEvent({
        address: "TJG7",
        url,
        finality: "final",
        templateId: "legacy"
      })
      expect(parseBody(tron.sent[0])).toMatchObject({ finality: "final", templateId: "legacy" })

      const alone = "the provider has it on"
      for (const [network, options, words] of [
        ["bitcoin-mainnet", { finality: "final" }, `finality: ${alone} EVM chains and Tron alone`],
        ["solana-mainnet", { templateId: "enriched" }, `templateId: ${alone} EVM chains and Tron alone`],
        ["ethereum-mainnet", { mempool: true }, `mempool: ${alone} Bitcoin alone`],
        ["litecoin-mainnet", { mempool: false }, `mempool: ${alone} Bitcoin alone`]
      ] as const) {
        const { sent, service } = yield* makeScripted(make, [], { network })
        const error = yield* Effect.flip(service.subscribe.addressEvent({ address, url, ...options }))
        expect(error.message).toBe(`notification.subscribe.addressEvent: ${words}`)
        expect(sent).toEqual([])
      }
    })
  )
})

describe("changing subscriptions", () => {
  it.effect("sends what is to change", () =>
    Effect.gen(function* () {
      const { lines, sent, service } = yield* makeScripted(make, [{ status: 204 }, {}, {}])
      expect(
        yield* service.update("64c1e5f0a1b2c3d4e5f60718", {
          url,
          paused: false,
          conditions: [{ field: "value", operator: "<", value: 5n }],
          finality: "confirmed",
          templateId: "enriched"
        })
      ).toBeUndefined()
      yield* service.update("s", { conditions: [] })
      yield* service.update("s", { paused: true })
      expect(lines()).toEqual([
        "PUT /v4/subscription/64c1e5f0a1b2c3d4e5f60718",
        "PUT /v4/subscription/s",
        "PUT /v4/subscription/s"
      ])
      expect(sent.map(parseBody)).toEqual([
        {
          url,
          paused: false,
          conditions: [{ field: "value", operator: "<", value: "5" }],
          finality: "confirmed",
          templateId: "enriched"
        },
        { conditions: [] },
        { paused: true }
      ])
    })
  )

  it.effect("of a network names it as the provider does", () =>
    Effect.gen(function* () {
      for (const [network, chain] of [
        ["ethereum-mainnet", "ethereum-mainnet"],
        ["ethereum-sepolia", "ethereum-sepolia"],
        ["arbitrum-one-mainnet", "arb-one-mainnet"],
        ["klaytn-mainnet", "klaytn-cypress"]
      ] as const) {
        const { lines, sent, service } = yield* makeScripted(make, [{}], { network })
        yield* service.updateNetwork({ url, finality: "final" })
        expect(lines()).toEqual([`PUT /v4/subscription/batch?chain=${chain}&url=${url}&finality=final`])
        expect(parseBody(sent[0])).toBeUndefined()
      }
      const litecoin = yield* makeScripted(make, [{}], { network: "litecoin-mainnet" })
      yield* litecoin.service.updateNetwork({ url })
      expect(litecoin.lines()).toEqual([`PUT /v4/subscription/batch?chain=litecoin-core-mainnet&url=${url}`])
    })
  )

  it("names every network by an id that is read as this network", () => {
    for (const network of Object.keys(Network.networks).filter(Network.isNetwork))
      expect(networkOfChain(providerChainOf(network))).toBe(network)
  })

  it.effect("is refused where nothing changes, or to nothing that makes sense", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(make, [])
      const messageOf = (call: Effect.Effect<unknown, Notification.NotificationError>) =>
        Effect.map(Effect.flip(call), ({ _tag, message }) => {
          expect(_tag).toBe("InvalidArgument")
          return message
        })
      expect(yield* messageOf(service.update("s", {}))).toBe(
        "notification.update: there is nothing to change"
      )
      expect(yield* messageOf(service.update("s", anything({ url: undefined })))).toContain(
        "nothing to change"
      )
      expect(yield* messageOf(service.updateNetwork({}))).toBe(
        "notification.updateNetwork: there is nothing to change"
      )
      expect(yield* messageOf(service.updateNetwork(anything({ templateId: "legacy" })))).toContain(
        "nothing to change"
      )
      expect(yield* messageOf(service.update("s", { url: "x" }))).toContain(
        "url: must be an http or https url"
      )
      expect(yield* messageOf(service.update("s", anything({ paused: "yes" })))).toContain(
        "paused: must be true or"
      )
      expect(yield* messageOf(service.update("s", { mempool: true }))).toContain("mempool: ")
      for (const id of ["", "..", "a/b", "template/t", undefined])
        yield* messageOf(service.update(anything(id), { paused: true }))
      expect(sent).toEqual([])
    })
  )

  it.effect("is not repeated after a server error", () =>
    Effect.gen(function* () {
      const failed = { status: 500, text: "busy" }
      const { sent, service } = yield* makeScripted(make, [failed, failed, failed, failed])
      yield* Effect.flip(service.update("s", { paused: true }))
      yield* Effect.flip(service.updateNetwork({ finality: "final" }))
      yield* Effect.flip(service.templates.create({ format: "string", message: "{{txId}}" }))
      yield* Effect.flip(service.templates.setDefault("legacy"))
      expect(sent.length).toBe(4)
    })
  )
})

describe("counts", () => {
  it.effect("are numbers, under either name of the provider's references", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(make, [
        { json: { count: 25 } },
        { json: { total: 3 } },
        { json: { count: 0 } },
        { json: { count: 1 } },
        { json: {} }
      ])
      expect(yield* service.count()).toBe(25)
      expect(yield* service.count({ address })).toBe(3)
      expect(yield* service.countExecutedWebhooks()).toBe(0)
      expect(yield* service.countExecutedWebhooks({ filterFailed: false })).toBe(1)
      expect(yield* Effect.flip(service.count())).toMatchObject({ _tag: "GatewayError", kind: "malformed" })
      expect(lines()).toEqual([
        "GET /v4/subscription/count?pageSize=10",
        `GET /v4/subscription/count?pageSize=10&address=${address}`,
        "GET /v4/subscription/webhook/count?pageSize=10",
        "GET /v4/subscription/webhook/count?pageSize=10&failed=false",
        "GET /v4/subscription/count?pageSize=10"
      ])
      for (const query of [{ address: "" }, 5])
        expect((yield* Effect.flip(service.count(anything(query))))._tag).toBe("InvalidArgument")
    })
  )
})

describe("templates", () => {
  const json = { format: "json", keys: { sender: "from", token: "tokenMetadata.symbol" } } as const
  const text = { format: "string", message: "{{from}} sent {{ value }} to {{to}}" } as const

  it.effect("are created, listed, changed and deleted", () =>
    Effect.gen(function* () {
      const { lines, sent, service } = yield* makeScripted(make, [
        { json: { id: "t1" } },
        { json: { id: "t2" } },
        {
          json: [
            { id: "t1", ...json },
            { id: "t2", ...text }
          ]
        },
        { status: 204 },
        { status: 204 }
      ])
      expect(yield* service.templates.create(json)).toEqual({ id: "t1", ...json })
      expect(yield* service.templates.create(text)).toEqual({ id: "t2", ...text })
      expect(yield* service.templates.getAll({ pageSize: 2, offset: 1 })).toEqual([
        { id: "t1", ...json },
        { id: "t2", ...text }
      ])
      expect(yield* service.templates.update("t1", text)).toBeUndefined()
      expect(yield* service.templates.delete("t2")).toBeUndefined()
      expect(lines()).toEqual([
        "POST /v4/subscription/template",
        "POST /v4/subscription/template",
        "GET /v4/subscription/template?pageSize=2&offset=1",
        "PUT /v4/subscription/template/t1",
        "DELETE /v4/subscription/template/t2"
      ])
      expect(sent.map(parseBody)).toEqual([json, text, undefined, text, undefined])
    })
  )

  it.effect("are streamed page by page", () =>
    Effect.gen(function* () {
      const page = (...ids: ReadonlyArray<string>) => ({ json: ids.map((id) => ({ id, ...text })) })
      const { lines, service } = yield* makeScripted(make, [page("a", "b"), page("c")])
      const all = yield* Stream.runCollect(service.templates.streamAll({ pageSize: 2 }))
      expect([...all].map(({ id }) => id)).toEqual(["a", "b", "c"])
      expect(lines()).toEqual([
        "GET /v4/subscription/template?pageSize=2",
        "GET /v4/subscription/template?pageSize=2&offset=1"
      ])
    })
  )

  it.effect("have one that is the default", () =>
    Effect.gen(function* () {
      const { lines, sent, service } = yield* makeScripted(make, [
        { json: { templateId: "enriched" } },
        {},
        { json: {} }
      ])
      expect(yield* service.templates.getDefault()).toBe("enriched")
      expect(yield* service.templates.setDefault("t1")).toBeUndefined()
      expect((yield* Effect.flip(service.templates.getDefault())).message).toContain("templateId: is missing")
      expect(lines()).toEqual([
        "GET /v4/subscription/template/default",
        "PUT /v4/subscription/template/default",
        "GET /v4/subscription/template/default"
      ])
      expect(parseBody(sent[1])).toEqual({ templateId: "t1" })
    })
  )

  it.effect("that make no sense are refused, with their place", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(make, [])
      const { templates } = service
      const messageOf = (template: unknown) =>
        Effect.map(Effect.flip(templates.create(anything(template))), ({ _tag, message }) => {
          expect(_tag).toBe("InvalidArgument")
          return message
        })
      for (const [template, words] of [
        [
          { format: "json", keys: { a: "valu" } },
          'keys.a: "valu" is no property of an event: did you mean value?'
        ],
        [{ format: "json", keys: { a: "value", b: 5 } }, "keys.b: must be text, not number 5"],
        [{ format: "json", keys: {} }, "keys: must have a name at least"],
        [{ format: "json" }, "a template with the format json has keys"],
        [{ format: "json", message: "{{value}}" }, "a template with the format json has keys"],
        [{ format: "string", message: "" }, "message: must be text that is not empty"],
        [
          { format: "string", message: "{{value}} of {{token}}" },
          'message: "token" is no property of an event'
        ],
        [{ format: "string" }, "a template with the format string has a message"],
        [{ format: "xml", message: "x" }, 'format: must be "json" or "string"'],
        [undefined, "must be"]
      ] as const)
        expect(yield* messageOf(template)).toContain(`notification.templates.create: ${words}`)
      for (const id of ["", "..", "a/b", undefined, 5]) {
        yield* Effect.flip(templates.update(anything(id), text))
        yield* Effect.flip(templates.delete(anything(id)))
        yield* Effect.flip(templates.setDefault(anything(id)))
      }
      yield* Effect.flip(templates.getAll({ pageSize: 0 }))
      expect(sent).toEqual([])
    })
  )
})

describe("the list of subscriptions", () => {
  it.effect("has their networks, by code, id or another name", () =>
    Effect.gen(function* () {
      const chains = ["ETH", "TEZOS", "MOCA", "ethereum-sepolia", "litecoin-core-mainnet", "MON"]
      const { lines, service } = yield* makeScripted(make, [
        { json: chains.map((chain, i) => subscription(i, chain)) }
      ])
      const all = yield* service.getAll({ pageSize: 50, offset: 2, address })
      expect(all.map(({ network }) => network)).toEqual([
        "ethereum-mainnet",
        "tezos-mainnet",
        "mocachain-devnet",
        "ethereum-sepolia",
        "litecoin-mainnet",
        "monad-testnet"
      ])
      expect(all[0]).toEqual({ id: "s0", network: "ethereum-mainnet", url, type: "ADDRESS_EVENT", address })
      expect(lines()).toEqual([`GET /v4/subscription?pageSize=50&offset=2&address=${address}`])
    })
  )

  it.effect("has their conditions, those of a later time too, and remarks", () =>
    Effect.gen(function* () {
      const conditions = [
        { field: "value", operator: ">=", value: "5" },
        { field: "gasUsed", operator: "in", value: "1..2" }
      ]
      const [first, second] = [subscription(1, "ETH", { address, conditions }), subscription(2)]
      const { service } = yield* makeScripted(make, [
        {
          json: [
            { ...first, note: "moves in May" },
            { ...second, attr: { ...second.attr, conditions: null }, note: "" }
          ]
        }
      ])
      const [one, two] = yield* service.getAll()
      expect(one).toMatchObject({ id: "s1", conditions, note: "moves in May" })
      expect(two).not.toHaveProperty("conditions")
      expect(two).not.toHaveProperty("note")
    })
  )

  it.effect("reads a code for the testnet it stands for on a testnet's client", () =>
    Effect.gen(function* () {
      const json = ["ETH", "BTC", "FLR", "MON"].map((chain) => subscription(chain, chain))
      const { service } = yield* makeScripted(make, [{ json }], { network: "polygon-amoy" })
      const all = yield* service.getAll()
      expect(all.map(({ network }) => network)).toEqual([
        "ethereum-sepolia",
        "bitcoin-testnet",
        "flare-coston",
        "monad-testnet"
      ])
    })
  )

  it("reads the code of every network as one of its kind that has the same code", () => {
    const coded = Object.keys(Network.networks).filter(Network.isNetwork).filter(Network.hasNotifications)
    expect(coded.length).toBeGreaterThan(40)
    for (const network of coded) {
      const { notification = "" } = Network.info(network)
      const read = networkOfChain(notification, Network.isTestnet(network))
      expect(read).toBeDefined()
      if (read === undefined) continue
      expect(Network.info(read).notification).toBe(notification)
      expect(Network.isTestnet(read)).toBe(Network.isTestnet(network))
      expect(networkOfChain(network)).toBe(network)
    }
  })

  it.effect("keeps an unknown chain beside the known ones, with the reason, and warns", () =>
    Effect.gen(function* () {
      const { logged, service } = yield* makeScripted(make, [
        { json: [subscription(1), subscription(2, "NEW"), subscription(3)] }
      ])
      const [one, two, three] = yield* service.getAll()
      expect([one?.network, three?.network]).toEqual(["ethereum-mainnet", "ethereum-mainnet"])
      expect(one).not.toHaveProperty("problem")
      expect(two).toMatchObject({ id: "s2", network: undefined, address, url })
      expect(two?.problem?.message).toBe("Chain NEW is not supported.")
      expect(logged).toEqual([expect.stringContaining("s2: Chain NEW is not supported.")])
    })
  )

  it.effect("that is none is a malformed answer with the path of the field", () =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(make, [
        { json: [subscription(1), { id: "s2", type: "X", attr: { url } }] },
        { json: { no: "list" } }
      ])
      const error = yield* Effect.flip(service.getAll())
      expect(error).toMatchObject({ _tag: "GatewayError", kind: "malformed" })
      expect(error.message).toContain("1.attr.chain: is missing")
      expect((yield* Effect.flip(service.getAll())).message).toContain("must be a list, not an object")
    })
  )

  it.effect("is asked for by whole numbers alone", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(make, [])
      for (const query of [
        { pageSize: 0 },
        { pageSize: -1 },
        { pageSize: 1.5 },
        { offset: -1 },
        { address: "" },
        { pageSize: "10" },
        5
      ])
        expect((yield* Effect.flip(service.getAll(anything(query))))._tag).toBe("InvalidArgument")
      for (const query of [{ pageSize: 0 }, { direction: "up" }, { filterFailed: "yes" }])
        expect((yield* Effect.flip(service.getAllExecutedWebhooks(anything(query))))._tag).toBe(
          "InvalidArgument"
        )
      expect(sent).toEqual([])
    })
  )
})

describe("the list of calls", () => {
  it.effect("tells failed ones, others, or all", () =>
    Effect.gen(function* () {
      const answers = Array.from({ length: 3 }, () => ({ json: [webhook(1)] }))
      const { lines, service } = yield* makeScripted(make, answers)
      expect(yield* service.getAllExecutedWebhooks()).toEqual([webhook(1)])
      yield* service.getAllExecutedWebhooks({ filterFailed: false })
      yield* service.getAllExecutedWebhooks({ filterFailed: true, direction: "desc", offset: 3, pageSize: 5 })
      expect(lines()).toEqual([
        "GET /v4/subscription/webhook?pageSize=10",
        "GET /v4/subscription/webhook?pageSize=10&failed=false",
        "GET /v4/subscription/webhook?pageSize=5&offset=3&direction=desc&failed=true"
      ])
    })
  )
})

describe("unsubscribing and signing", () => {
  it.effect("goes to the subscription, and to the key's secret", () =>
    Effect.gen(function* () {
      const { lines, sent, service } = yield* makeScripted(make, [{}, {}, {}, {}])
      expect(yield* service.unsubscribe("64c1e5f0a1b2c3d4e5f60718")).toBeUndefined()
      yield* service.enableHmac("secret")
      yield* service.enableHmac(Redacted.make("other"))
      yield* service.disableHmac()
      expect(lines()).toEqual([
        "DELETE /v4/subscription/64c1e5f0a1b2c3d4e5f60718",
        "PUT /v4/subscription",
        "PUT /v4/subscription",
        "DELETE /v4/subscription"
      ])
      expect(sent.map(parseBody)).toEqual([
        undefined,
        { hmacSecret: "secret" },
        { hmacSecret: "other" },
        undefined
      ])
    })
  )

  it.effect("never takes an id for no id, which would switch signing off", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(make, [])
      for (const id of ["", ".", "..", "a/b", "?", "#", " ", "%2e", undefined, 5])
        expect((yield* Effect.flip(service.unsubscribe(anything(id))))._tag).toBe("InvalidArgument")
      for (const secret of ["", "x".repeat(101), 5, undefined, Redacted.make("")]) {
        const error = yield* Effect.flip(service.enableHmac(anything(secret)))
        expect(error.message).toBe("notification.enableHmac: the secret must be text of 1 to 100 characters")
      }
      expect(sent).toEqual([])
    })
  )
})

describe("streams", () => {
  const page = (from: number, to: number) => ({
    json: Array.from({ length: to - from }, (_, i) => subscription(from + i))
  })
  const ids = (items: Iterable<{ readonly id: string }>) => [...items].map(({ id }) => id)

  it.effect("fetch pages only as they are consumed", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(make, [page(0, 2), page(2, 4)])
      const three = yield* Stream.runCollect(service.streamAll({ pageSize: 2, limit: 3 }))
      expect(ids(three)).toEqual(["s0", "s1", "s2"])
      expect(sent.length).toBe(2)
      const one = yield* makeScripted(make, [page(0, 2)])
      yield* Stream.runDrain(Stream.take(one.service.streamAll({ pageSize: 2 }), 1))
      expect(one.sent.length).toBe(1)
      const idle = yield* makeScripted(make, [])
      idle.service.streamAll()
      expect(idle.sent).toEqual([])
    })
  )

  it.effect("go on by pages where the second page begins with something new", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(make, [page(0, 2), page(2, 4), page(4, 5)])
      expect(ids(yield* Stream.runCollect(service.streamAll({ pageSize: 2 })))).toEqual([
        "s0",
        "s1",
        "s2",
        "s3",
        "s4"
      ])
      expect(lines()).toEqual([
        "GET /v4/subscription?pageSize=2",
        "GET /v4/subscription?pageSize=2&offset=1",
        "GET /v4/subscription?pageSize=2&offset=2"
      ])
    })
  )

  it.effect("go on by items where the second page begins with the second item", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(make, [page(0, 3), page(1, 4), page(4, 5)])
      expect(ids(yield* Stream.runCollect(service.streamAll({ pageSize: 3 })))).toEqual([
        "s0",
        "s1",
        "s2",
        "s3",
        "s4"
      ])
      expect(lines().at(-1)).toBe("GET /v4/subscription?pageSize=3&offset=4")
    })
  )

  it.effect("end where the provider gives the same page for ever", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(make, [page(0, 2), page(0, 2)])
      expect(ids(yield* Stream.runCollect(service.streamAll({ pageSize: 2 })))).toEqual(["s0", "s1"])
      expect(sent.length).toBe(2)
    })
  )

  it.effect("of calls keep their filters, and fail where a page fails", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(make, [
        { json: [webhook(1)] },
        { status: 400, json: { message: "no" } }
      ])
      const options = { direction: "asc", filterFailed: false, pageSize: 1 } as const
      const seen: Array<string> = []
      const error = yield* service.streamAllExecutedWebhooks(options).pipe(
        Stream.runForEach(({ id }) => Effect.sync(() => seen.push(id))),
        Effect.flip
      )
      expect(error).toMatchObject({ _tag: "GatewayError", messages: ["no"] })
      expect(seen).toEqual(["w1"])
      expect(lines()).toEqual([
        "GET /v4/subscription/webhook?pageSize=1&direction=asc&failed=false",
        "GET /v4/subscription/webhook?pageSize=1&offset=1&direction=asc&failed=false"
      ])
    })
  )

  it.effect("refuse options that cannot be right", () =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(make, [])
      for (const options of [
        { pageSize: 0 },
        { pageSize: 51 },
        { limit: 0 },
        { limit: 1.5 },
        { address: "" }
      ]) {
        const error = yield* Effect.flip(Stream.runDrain(service.streamAll(anything(options))))
        expect(error._tag).toBe("InvalidArgument")
      }
    })
  )

  it("have every item once, in order, whichever way the offset counts", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.integer({ min: 0, max: 60 }),
        FastCheck.integer({ min: 1, max: 12 }),
        FastCheck.boolean(),
        async (count, pageSize, byItems) => {
          const all = Array.from({ length: count }, (_, i) => ({ id: String(i) }))
          let requests = 0
          const stream = streamByOffset({
            pageSize,
            id: (item: { readonly id: string }) => item.id,
            fetch: (offset) => {
              requests++
              const from = byItems ? offset : offset * pageSize
              return Effect.succeed(all.slice(from, from + pageSize))
            }
          })
          const items = Chunk.toReadonlyArray(await Effect.runPromise(Stream.runCollect(stream)))
          expect(items).toEqual(all)
          expect(requests).toBeLessThanOrEqual(Math.floor(count / pageSize) + 2)
        }
      )
    )
  })

  it("are async iterables of results on the Promise surface", async () => {
    const asked: Array<string> = []
    const sdk = await init({
      network: "ethereum-mainnet",
      apiKey: "KEY",
      quiet: true,
      rpc: { nodes: [{ url: "https://node.example" }] },
      fetch: async (input) => {
        asked.push(String(input))
        return new Response(JSON.stringify(asked.length === 1 ? page(0, 2).json : page(2, 3).json))
      }
    })
    const seen: Array<unknown> = []
    for await (const item of sdk.notification.streamAll({ pageSize: 2 }))
      seen.push(item.status === "SUCCESS" ? item.data.id : item.error)
    expect(seen).toEqual(["s0", "s1", "s2"])
    expect(asked.length).toBe(2)
    await sdk.destroy()
  })
})
