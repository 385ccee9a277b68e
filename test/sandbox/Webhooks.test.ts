import { createHmac } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as AbiConstructor from "ox/AbiConstructor"
import * as Config from "../../src/config/Config.js"
import * as Logger from "../../src/config/Logger.js"
import * as Network from "../../src/data/Network.js"
import { NotificationType } from "../../src/data/networks.js"
import { layerFetch } from "../../src/http/Http.js"
import { Access } from "../../src/sandbox/Access.js"
import { group } from "../../src/sandbox/api/Subscription.js"
import * as Templates from "../../src/sandbox/api/Template.js"
import { Fungible } from "../../src/sandbox/contracts/artefacts.js"
import type { HandlerRequest, HandlerResponse } from "../../src/sandbox/Handler.js"
import * as Indexer from "../../src/sandbox/Indexer.js"
import { makeReader } from "../../src/sandbox/indexer/Evm.js"
import type { Rpc } from "../../src/sandbox/indexer/Utxo.js"
import { callJsonRpc, jsonResponse, listen } from "../../src/sandbox/Loopback.js"
import { Nodes } from "../../src/sandbox/Nodes.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { toNodeAddress } from "../../src/sandbox/nodes/addresses.js"
import * as Subscription from "../../src/sandbox/provider/Subscription.js"
import * as Template from "../../src/sandbox/provider/Template.js"
import { SandboxError } from "../../src/sandbox/SandboxError.js"
import * as Store from "../../src/sandbox/Store.js"
import * as Webhooks from "../../src/sandbox/Webhooks.js"
import * as Gateway from "../../src/services/Gateway.js"
import * as Notification from "../../src/services/Notification.js"
import * as Webhook from "../../src/services/Webhook.js"
import { serve } from "./serve.js"

const alice = `0x${"a1".repeat(20)}`
const bob = `0x${"b0".repeat(20)}`
const carol = `0x${"ca".repeat(20)}`
const token = `0x${"70".repeat(20)}`
const topic = `0x${"dd".repeat(32)}`
const other = `0x${"ee".repeat(32)}`
const hash = (n: number): string => `0x${n.toString(16).padStart(64, "0")}`

const native = (sender: string, receiver: string, amount: bigint, n = 1): Indexer.Movement => ({
  kind: "native",
  hash: hash(n),
  transactionIndex: 0,
  sender,
  receiver,
  amount
})

const WHOLE = 10n ** 18n

/** An address of Bitcoin. */
const legacyAddress = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"

type Content = Partial<Pick<Indexer.ReadBlock, "movements" | "events" | "write">>

/** A chain in memory, in place of nodes: `replace` is a reorganisation that takes the place of the last blocks. */
const chainOf = () => {
  let fork = 0
  const blocks: Array<Indexer.ReadBlock> = []
  const add = (content: Content): void => {
    const block = blocks.length
    blocks.push({
      block,
      hash: `h${fork}-${block}`,
      parent: blocks.at(-1)?.hash ?? "",
      time: 1_700_000_000_000 + block * 1_000,
      hashes: [],
      movements: [],
      events: [],
      ...content
    })
  }
  add({})
  const reader: Indexer.BlockReader = {
    readHead: Effect.suspend(() => {
      const last = blocks.at(-1)
      return last === undefined ? Effect.die("no blocks") : Effect.succeed(last)
    }),
    readBlock: (height) =>
      Effect.suspend(() => {
        const found = blocks[height]
        return found === undefined
          ? new SandboxError({ reason: "chain", message: `no block ${height}` })
          : Effect.succeed(found)
      })
  }
  return {
    reader,
    height: () => blocks.length - 1,
    add,
    replace: (last: number, ...contents: ReadonlyArray<Content>): void => {
      fork++
      blocks.splice(blocks.length - last, last)
      for (const content of contents) add(content)
    }
  }
}

const quick = Schedule.intersect(Schedule.exponential("40 millis"), Schedule.recurs(5))

interface Options extends Webhooks.WebhooksOptions {
  /** The template of the keys of the tests of calls, which are about the calls and not what is in them. */
  readonly template?: "enriched"
  readonly file?: string
  readonly started?: ReadonlyArray<Network.Network>
  readonly reader?: Indexer.BlockReader
  readonly readers?: Partial<Record<Network.Network, Indexer.BlockReader>>
}

/** The provider's subscriptions over a store, with real indexers that follow chains in memory. */
const world = ({ file, reader: followed, readers = {}, started = [], template, ...options }: Options = {}) =>
  Effect.gen(function* () {
    const chain = chainOf()
    const scope = yield* Effect.scope
    const context = yield* Layer.build(
      Webhooks.layer({ retries: quick, hosts: ["hook.example"], ...options }).pipe(
        Layer.provideMerge(Indexer.layer),
        Layer.provideMerge(Store.layer(file))
      )
    )
    const follows = new Map<string, Effect.Effect<void, SandboxError>>()
    const nodes = Layer.succeed(Nodes, {
      kindOf: (network) => (Network.isEvm(network) ? "evm" : "recorded"),
      rpc: (_, method) => Effect.die(new Error(`nobody asked for ${method}`)),
      indexNewBlocks: (network) =>
        Effect.gen(function* () {
          const known = follows.get(network)
          if (known !== undefined) return yield* known
          const { follow } = yield* Indexer.Indexer
          // every network but the first is one without blocks
          const read =
            network === "ethereum-mainnet"
              ? (followed ?? chain.reader)
              : (readers[network] ?? chainOf().reader)
          const fresh = yield* Scope.extend(follow(network, read), scope)
          follows.set(network, fresh)
          return yield* fresh
        }).pipe(Effect.provide(context))
    })
    const url = yield* serve(
      HttpApiBuilder.api(HttpApi.make("provider").add(group).add(Templates.group)).pipe(
        Layer.provide([Subscription.layer, Template.layer]),
        Layer.provide(nodes),
        Layer.provide(Layer.succeed(Subscription.IsNetworkStarted, (network) => started.includes(network))),
        Layer.provide(Layer.succeedContext(context))
      )
    )
    const sdk = (apiKey: string, network: Network.Network = "ethereum-mainnet") =>
      Effect.tap(Notification.make, ({ templates }) =>
        template === undefined ? templates.setDefault("legacy") : Effect.void
      ).pipe(
        Effect.provide(
          Gateway.layer.pipe(
            Layer.provideMerge(Layer.mergeAll(Logger.layer, layerFetch)),
            Layer.provideMerge(
              Config.layer({ network, apiKey, provider: { baseUrl: url, nodeListUrl: url }, quiet: true })
            )
          )
        )
      )
    return { ...chain, url, sdk, store: Store.Store.pipe(Effect.provide(context)) }
  })

interface Got extends HandlerRequest {
  readonly at: number
}

/** Somebody who is called: `answer` may depend on how many calls there were before. */
const receiver = (
  answer: (before: number) => Effect.Effect<HandlerResponse | "drop"> = () => Effect.succeed(jsonResponse({}))
) =>
  Effect.gen(function* () {
    const got: Array<Got> = []
    const port = yield* listen((received) => {
      got.push({ ...received, at: Date.now() })
      return answer(got.length - 1)
    })
    return { got, url: `http://127.0.0.1:${port}/hook?of=mine` }
  })

/** Waits until something is so, half a minute at most. */
const until = (what: string, isSo: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (isSo() ? Effect.void : Effect.fail(what))).pipe(
    Effect.retry(Schedule.intersect(Schedule.spaced("20 millis"), Schedule.recurs(1_500))),
    Effect.orDieWith((never) => new Error(`never: ${never}`))
  )

type Service = Effect.Effect.Success<typeof Notification.make>
type Records = Effect.Effect.Success<ReturnType<Service["getAllExecutedWebhooks"]>>

/** The record of calls, once it is so: a call is recorded when its answer is there. After half a minute it is whatever it is. */
const recorded = (
  service: Service,
  isSo: (records: Records) => boolean,
  ...options: Parameters<Service["getAllExecutedWebhooks"]>
) =>
  Effect.repeat(Effect.delay(service.getAllExecutedWebhooks(...options), "20 millis"), {
    until: isSo,
    times: 1_500
  })

/**
 * The content of a call with addresses in small letters, as the chain's rows of these tests have them. Its checksums are what
 * `test/webhook.test.ts` is about.
 */
const inSmallLetters = <A>(payload: A): A =>
  JSON.parse(
    JSON.stringify(payload).replace(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g, (text) => text.toLowerCase())
  )

const decoded = (got: ReadonlyArray<HandlerRequest>) =>
  Effect.forEach(got, ({ body }) =>
    Effect.orDie(Effect.map(Webhook.decode(new Uint8Array(body)), inSmallLetters))
  )

const ask = (url: string, method: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, {
      method,
      headers: { "content-type": "application/json", ...headers },
      signal: AbortSignal.timeout(300_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    const read: unknown = text === "" ? undefined : JSON.parse(text)
    return { status: response.status, body: read }
  })

const movement = (
  kind: Indexer.Movement["kind"],
  fields: Partial<Indexer.Movement> = {}
): Indexer.Movement => ({
  ...native(alice, bob, 5n * 10n ** 17n),
  kind,
  ...fields
})

const block = (content: Content, network = "ethereum-mainnet"): Indexer.IndexedBlock => ({
  network,
  block: 7,
  hash: "h",
  parent: "g",
  time: 1_700_000_000_999,
  hashes: [],
  movements: [],
  events: [],
  ...content
})

const details = (asked: string): Webhooks.TokenDetails =>
  asked === token ? { decimals: 6, symbol: "USD", name: "Dollars" } : { decimals: 0 }

const subscribedTo = (
  type: NotificationType,
  address: string,
  more: Partial<Webhooks.SubscribedFields> = {}
): Webhooks.SubscribedFields => ({
  id: "s",
  type,
  address: Webhooks.normalizeAddress(address),
  contract: null,
  event: null,
  template: "legacy",
  ...more
})

const decodeBodies = (
  type: NotificationType,
  address: string,
  indexed: Indexer.IndexedBlock,
  more: Partial<Webhooks.SubscribedFields> = {}
) =>
  Effect.forEach(Webhooks.makeBodies(indexed, subscribedTo(type, address, more), details), (body) =>
    Effect.map(Webhook.decode(body), inSmallLetters)
  )

describe("what a block says to a subscription", () => {
  const everything = block({
    movements: [
      { ...movement("fee", { amount: 21_000n * 10n ** 9n }), receiver: undefined },
      movement("native"),
      movement("native", { amount: 0n, hash: hash(2) }),
      movement("internal", { amount: WHOLE }),
      movement("fungible", { token, amount: 1_500_000n }),
      movement("nft", { token, tokenId: "42", amount: 1n }),
      movement("multitoken", { token, tokenId: "43", amount: 12n }),
      movement("failed", { hash: hash(3) })
    ]
  })

  it.effect("is what its type is about, on its side", () =>
    Effect.gen(function* () {
      const { CONTRACT_ADDRESS_LOG_EVENT: _, FAILED_TXS_PER_BLOCK: __, ...types } = NotificationType
      const seen: Record<string, ReadonlyArray<string>> = {}
      for (const [type, address] of Object.values(types).flatMap((each) => [
        [each, alice] as const,
        [each, bob] as const,
        [each, carol] as const
      ])) {
        const payloads = yield* decodeBodies(type, address, everything)
        for (const payload of payloads)
          expect(payload).toMatchObject({ format: "movement", address, blockNumber: 7 })
        const kinds = payloads.map((each) => (each.format === "movement" ? String(each.type) : each.format))
        const who = address === alice ? "alice" : address === bob ? "bob" : "carol"
        if (kinds.length > 0) seen[`${type} ${who}`] = kinds
      }
      const moved = ["native", "internal", "token", "erc721", "erc1155"]
      expect(seen).toEqual({
        "ADDRESS_EVENT alice": ["fee", ...moved, "failed"],
        "ADDRESS_EVENT bob": moved,
        "INCOMING_NATIVE_TX bob": ["native"],
        "OUTGOING_NATIVE_TX alice": ["native"],
        "OUTGOING_FAILED_TX alice": ["failed"],
        "PAID_FEE alice": ["fee"],
        "INCOMING_INTERNAL_TX bob": ["internal"],
        "OUTGOING_INTERNAL_TX alice": ["internal"],
        "INCOMING_FUNGIBLE_TX bob": ["token"],
        "OUTGOING_FUNGIBLE_TX alice": ["token"],
        "INCOMING_NFT_TX bob": ["erc721"],
        "OUTGOING_NFT_TX alice": ["erc721"],
        "INCOMING_MULTITOKEN_TX bob": ["erc1155"],
        "OUTGOING_MULTITOKEN_TX alice": ["erc1155"]
      })
    })
  )

  it.effect("has amounts in whole coins and tokens, negative where they leave an address", () =>
    Effect.gen(function* () {
      const amounts = (type: NotificationType, address: string) =>
        Effect.map(decodeBodies(type, address, everything), (payloads) =>
          payloads.map((each) => (each.format === "movement" ? each.amount : ""))
        )
      expect(yield* amounts("ADDRESS_EVENT", alice)).toEqual([
        "-0.000021",
        "-0.5",
        "-1",
        "-1.5",
        "-1",
        "-12",
        "0.5"
      ])
      expect(yield* amounts("ADDRESS_EVENT", bob)).toEqual(["0.5", "1", "1.5", "1", "12"])
      expect(yield* amounts("PAID_FEE", alice)).toEqual(["0.000021"])
      expect(yield* amounts("OUTGOING_FUNGIBLE_TX", alice)).toEqual(["1.5"])
      const tiny = block({ movements: [native(alice, bob, 1n), native(alice, bob, 2n ** 200n)] })
      expect(yield* decodeBodies("INCOMING_NATIVE_TX", bob, tiny)).toMatchObject([
        { amount: "0.000000000000000001" },
        { amount: "1606938044258990275541962092341162602522202.993782792835301376" }
      ])
      const bitcoin = block(
        { movements: [{ ...native("x", "bcrt1q", 150_000_000n), sender: undefined }] },
        "bitcoin-mainnet"
      )
      expect(yield* decodeBodies("INCOMING_NATIVE_TX", "bcrt1q", bitcoin)).toEqual([
        {
          format: "movement",
          subscriptionType: "INCOMING_NATIVE_TX",
          chain: "bitcoin-mainnet",
          address: "bcrt1q",
          amount: "1.5",
          asset: "BTC",
          blockNumber: 7,
          txId: hash(1),
          type: "native"
        }
      ])
    })
  )

  it.effect("names the coin or the token, and the other side", () =>
    Effect.gen(function* () {
      expect(
        yield* decodeBodies("INCOMING_NFT_TX", bob.toUpperCase().replace("0X", "0x"), everything)
      ).toEqual([
        {
          format: "movement",
          subscriptionType: "INCOMING_NFT_TX",
          chain: "ethereum-mainnet",
          address: bob,
          counterAddress: alice,
          amount: "1",
          asset: token,
          contractAddress: token,
          tokenId: "42",
          blockNumber: 7,
          txId: hash(1),
          type: "erc721"
        }
      ])
      const [sent] = yield* decodeBodies("OUTGOING_NATIVE_TX", alice, everything)
      expect(sent).toMatchObject({ address: alice, counterAddress: bob, asset: "ETH" })
      const minted = block({ movements: [{ ...movement("fungible", { token }), sender: undefined }] })
      expect(yield* decodeBodies("INCOMING_FUNGIBLE_TX", bob, minted)).not.toMatchObject([
        { counterAddress: expect.anything() }
      ])
      const self = block({ movements: [native(alice, alice, WHOLE)] })
      expect(yield* decodeBodies("ADDRESS_EVENT", alice, self)).toMatchObject([
        { amount: "-1" },
        { amount: "1" }
      ])
    })
  )

  it.effect("is every failed transaction of it for those who ask for them", () =>
    Effect.gen(function* () {
      const failures = yield* Effect.forEach(
        Webhooks.makeBodies(
          block({
            movements: [movement("failed"), native(alice, bob, 1n), movement("failed", { sender: carol })]
          }),
          { ...subscribedTo("FAILED_TXS_PER_BLOCK", ""), address: null },
          details
        ),
        (body) => Effect.map(Webhook.decode(body), inSmallLetters)
      )
      expect(failures).toMatchObject([
        { subscriptionType: "FAILED_TXS_PER_BLOCK", address: alice, type: "failed" },
        { subscriptionType: "FAILED_TXS_PER_BLOCK", address: carol, type: "failed" }
      ])
    })
  )

  it.effect("is one list of a contract's events", () =>
    Effect.gen(function* () {
      const log = (
        logIndex: number,
        address: string,
        topics: ReadonlyArray<string>
      ): Indexer.ContractEvent => ({
        hash: hash(logIndex),
        transactionIndex: 0,
        logIndex,
        address,
        topics,
        data: "0x01"
      })
      const logged = block({
        events: [
          log(0, token, [topic]),
          log(1, token, [other]),
          log(2, carol, [topic]),
          log(3, token, []),
          log(4, token, [topic.toUpperCase().replace("0X", "0x"), other])
        ]
      })
      const subscribed = {
        id: "s",
        type: "CONTRACT_ADDRESS_LOG_EVENT",
        address: null,
        contract: token,
        event: topic,
        template: "legacy"
      } as const
      const [body, ...more] = Webhooks.makeBodies(logged, subscribed, details)
      expect(more).toEqual([])
      expect(yield* Effect.map(Webhook.decode(body), inSmallLetters)).toMatchObject({
        format: "events",
        chain: "ethereum-mainnet",
        blockNumber: 7,
        events: [
          {
            txId: hash(0),
            logIndex: 0,
            address: token,
            timestamp: 1_700_000_000,
            topic_0: topic,
            topic_1: null
          },
          { txId: hash(4), logIndex: 4, topic_1: other, data: "0x01" }
        ]
      })
      expect(Webhooks.makeBodies(block({}), subscribed, details)).toEqual([])
    })
  )
})

describe("the content of calls", () => {
  const time = 1_700_000_000
  const moved = block({
    movements: [
      movement("native"),
      movement("fungible", { token, amount: 1_500_000n, hash: hash(2) }),
      movement("multitoken", { token, tokenId: "43", amount: 12n, hash: hash(3) })
    ],
    events: [
      {
        hash: hash(2),
        transactionIndex: 0,
        logIndex: 4,
        address: token,
        topics: [topic, other],
        data: "0x16"
      }
    ]
  })
  const native = {
    kind: "transfer",
    blockHash: "h",
    blockNumber: 7,
    blockTimestamp: time,
    txId: hash(1),
    txTimestamp: time,
    currency: "ETH",
    from: alice,
    to: bob,
    value: "500000000000000000",
    tokenMetadata: { type: "native", decimals: 18, symbol: "ETH", name: "ETH" },
    subscriptionId: "s",
    subscriptionType: "ADDRESS_EVENT"
  }

  it.effect("is that of the provider's templates", () =>
    Effect.gen(function* () {
      const enriched = yield* decodeBodies("ADDRESS_EVENT", bob, moved, { template: "enriched" })
      const dollars = {
        ...native,
        txId: hash(2),
        value: "1500000",
        contractAddress: token,
        tokenMetadata: { type: "fungible", decimals: 6, symbol: "USD", name: "Dollars" }
      }
      const format = "enriched"
      expect(enriched).toEqual([
        { ...native, format },
        { ...dollars, format },
        {
          ...dollars,
          format,
          txId: hash(3),
          value: "12",
          tokenId: "43",
          tokenMetadata: { type: "multitoken", decimals: 0, symbol: "USD", name: "Dollars" }
        }
      ])
      const raw = yield* decodeBodies("INCOMING_FUNGIBLE_TX", bob, moved, {
        template: "enriched_with_raw_data"
      })
      expect(raw).toEqual([
        {
          ...dollars,
          format: "enriched_with_raw_data",
          subscriptionType: "INCOMING_FUNGIBLE_TX",
          rawData: { logs: [{ address: token, topics: [topic, other], data: "0x16", logIndex: 4 }] }
        }
      ])
      // amounts are never negative in the smallest unit, whichever way they go
      expect(yield* decodeBodies("ADDRESS_EVENT", alice, moved, { template: "enriched" })).toMatchObject([
        { from: alice, value: "500000000000000000" },
        {},
        {}
      ])
    })
  )

  it.effect("of a contract's events is one call for each, and a list under legacy", () =>
    Effect.gen(function* () {
      const log = (logIndex: number): Indexer.ContractEvent => ({
        hash: hash(logIndex),
        transactionIndex: 0,
        logIndex,
        address: token,
        topics: [topic],
        data: "0x01"
      })
      const logged = block({ events: [log(0), log(1)] })
      const contract = { address: null, contract: token, event: topic }
      const one = (logIndex: number) => ({
        format: "events",
        blockNumber: 7,
        subscriptionId: "s",
        events: [
          { txId: hash(logIndex), logIndex, address: token, topic_0: topic, topic_1: null, data: "0x01" }
        ]
      })
      for (const template of ["enriched", "enriched_with_raw_data"] as const)
        expect(
          yield* decodeBodies("CONTRACT_ADDRESS_LOG_EVENT", "", logged, { ...contract, template })
        ).toMatchObject([one(0), one(1)])
      const listed = yield* decodeBodies("CONTRACT_ADDRESS_LOG_EVENT", "", logged, {
        ...contract,
        template: "legacy"
      })
      expect(listed).toMatchObject([{ format: "events", events: [{ logIndex: 0 }, { logIndex: 1 }] }])
      const index = Webhook.template({
        format: "json",
        keys: { at: "logIndex", topic: "topic_0", from: "from" }
      })
      const bodies = Webhooks.makeBodies(
        logged,
        subscribedTo("CONTRACT_ADDRESS_LOG_EVENT", "", { ...contract, template: index }),
        details
      )
      const values = yield* Effect.forEach(bodies, (body) =>
        Effect.map(Webhook.decode(body, index), inSmallLetters)
      )
      expect(values).toEqual([0, 1].map((at) => ({ format: "json", values: { at, topic, from: null } })))
    })
  )

  it.effect("is that of a template of the key's own", () =>
    Effect.gen(function* () {
      const json = Webhook.template({
        format: "json",
        keys: {
          paid: "value",
          coins: "amount",
          token: "tokenMetadata.symbol",
          details: "tokenMetadata",
          nft: "tokenId",
          how: "type",
          other: "counterAddress",
          block: "blockNumber"
        }
      })
      const [first] = Webhooks.makeBodies(
        moved,
        subscribedTo("ADDRESS_EVENT", bob, { template: json }),
        details
      )
      expect(yield* Effect.map(Webhook.decode(first, json), inSmallLetters)).toEqual({
        format: "json",
        values: {
          paid: "500000000000000000",
          coins: "0.5",
          token: "ETH",
          details: native.tokenMetadata,
          nft: null,
          how: "native",
          other: alice,
          block: 7
        }
      })
      const text = Webhook.template({
        format: "string",
        message:
          '{{from}} sent {{ value }} {{tokenMetadata.symbol}}{{tokenId}} "to" {{to}}: {{tokenMetadata}}'
      })
      const [second] = Webhooks.makeBodies(
        moved,
        subscribedTo("INCOMING_NATIVE_TX", bob, { template: text }),
        details
      )
      expect(yield* Effect.map(Webhook.decode(second, text), inSmallLetters)).toEqual({
        format: "string",
        message: `${alice} sent 500000000000000000 ETH "to" ${bob}: ${JSON.stringify(native.tokenMetadata)}`
      })
    })
  )

  it.effect("is there for events that meet all conditions", () =>
    Effect.gen(function* () {
      const ids = (conditions: Webhooks.SubscribedFields["conditions"]) =>
        Effect.map(
          decodeBodies("ADDRESS_EVENT", bob, moved, { template: "enriched", conditions: conditions ?? [] }),
          (all) => all.map((each) => (each.format === "enriched" ? each.txId : each.format))
        )
      expect(yield* ids([{ field: "value", operator: ">=", value: "1500000" }])).toEqual([hash(1), hash(2)])
      expect(yield* ids([{ field: "tokenMetadata.type", operator: "!=", value: "native" }])).toEqual([
        hash(2),
        hash(3)
      ])
      expect(
        yield* ids([
          { field: "contractAddress", operator: "==", value: token.toUpperCase().replace("0X", "0x") },
          { field: "tokenId", operator: "==", value: "43" }
        ])
      ).toEqual([hash(3)])
      expect(yield* ids([{ field: "from", operator: "==", value: carol }])).toEqual([])
      expect(yield* ids([{ field: "tokenMetadata.symbol", operator: "==", value: "USD" }])).toHaveLength(2)
    })
  )
})

describe("the provider's rule for retries", () => {
  it.effect("waits for 15 seconds, and 2.7925 times as long each time", () =>
    Effect.gen(function* () {
      const pauses = (plan: Webhooks.Plan) =>
        Effect.map(
          Schedule.run(Schedule.delays(Webhooks.retrySchedule(plan)), 0, Array.from({ length: 20 })),
          // the last one ends the schedule
          (all) => [...all].slice(0, -1).map((pause) => Math.round(Duration.toMillis(pause)))
        )
      const expected = Array.from({ length: 10 }, (_, n) => Math.round(15_000 * 2.7925 ** n))
      expect(yield* pauses("free")).toEqual(expected.slice(0, 3))
      expect(yield* pauses("paid")).toEqual(expected)
    })
  )
})

describe("a subscription", () => {
  it.scopedLive("is told of what happens from then on, until it is deleted", () =>
    Effect.gen(function* () {
      const { add, sdk } = yield* world()
      const { got, url } = yield* receiver()
      const service = yield* sdk("KEY")
      // neither indexed by now nor by anybody's turn: whoever subscribes has the network read first
      add({ movements: [native(alice, bob, 3n * WHOLE, 1)] })
      const { id } = yield* service.subscribe.incomingNativeTx({ address: bob, url })
      expect(id).toMatch(/^[0-9a-f]{24}$/)
      const began = Date.now()
      add({ movements: [native(alice, carol, WHOLE, 2), native(alice, bob, 2n * WHOLE, 3)] })
      yield* until("a call", () => got.length > 0)
      expect(got).toHaveLength(1)
      expect(got[0]).toMatchObject({
        method: "POST",
        path: "/hook?of=mine",
        headers: { "content-type": "application/json" }
      })
      expect(got[0]?.headers[Webhook.signatureHeader]).toBeUndefined()
      const [payload] = yield* decoded(got)
      expect(payload).toEqual({
        format: "movement",
        subscriptionType: "INCOMING_NATIVE_TX",
        chain: "ethereum-mainnet",
        address: bob,
        counterAddress: alice,
        amount: "2",
        asset: "ETH",
        blockNumber: 2,
        txId: hash(3),
        type: "native"
      })
      expect(yield* service.getAll()).toEqual([
        { id, network: "ethereum-mainnet", url, type: "INCOMING_NATIVE_TX", address: bob }
      ])
      const [record, ...more] = yield* recorded(service, ({ length }) => length > 0)
      expect(more).toEqual([])
      expect(record).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        subscriptionId: id,
        type: "INCOMING_NATIVE_TX",
        url,
        retryCount: 0,
        failed: false,
        response: { code: 200, data: "{}", networkError: false }
      })
      expect(yield* Effect.map(Webhook.decode(record?.data), inSmallLetters)).toEqual(payload)
      expect(record?.timestamp).toBeGreaterThanOrEqual(began)
      expect(record?.timestamp).toBeLessThanOrEqual(Date.now())

      yield* service.unsubscribe(id)
      expect(yield* service.getAll()).toEqual([])
      add({ movements: [native(alice, bob, WHOLE, 4)] })
      // another one that is told of the same block shows that it was looked at
      const { id: second } = yield* service.subscribe.outgoingNativeTx({ address: alice, url })
      add({ movements: [native(alice, bob, WHOLE, 5)] })
      yield* until("the call of the second one", () => got.length > 1)
      // when a block behind them has been told, a call of the first one would have been made, too
      add({ movements: [native(alice, bob, WHOLE, 6)] })
      const made = yield* recorded(service, ({ length }) => length > 2, { direction: "desc" })
      expect(made.map(({ subscriptionId }) => subscriptionId)).toEqual([second, second, id])
      expect(yield* decoded(got)).toMatchObject([3, 5, 6].map((n) => ({ txId: hash(n) })))
    })
  )

  it.scopedLive("is signed while its key has a secret", () =>
    Effect.gen(function* () {
      const { add, sdk } = yield* world()
      const { got, url } = yield* receiver()
      const service = yield* sdk("KEY")
      yield* service.subscribe.addressEvent({ address: bob, url })
      const secret = "ключ-c354b83b"
      for (const [n, change] of [
        [1, service.enableHmac("first")],
        [2, service.enableHmac(secret)],
        [3, service.disableHmac()]
      ] as const) {
        yield* change
        add({ movements: [native(alice, bob, WHOLE, n)] })
        yield* until(`call ${n}`, () => got.length === n)
      }
      const verified = yield* Effect.forEach(got, ({ body, headers }) =>
        Effect.forEach(["first", secret], (each) =>
          Webhook.verify({
            body: new Uint8Array(body),
            signature: String(headers["x-payload-hash"]),
            secret: each
          })
        )
      )
      expect(verified).toEqual([
        [true, false],
        [false, true],
        [false, false]
      ])
      expect(got[1]?.headers["x-payload-hash"]).toBe(
        createHmac("sha512", secret)
          .update(got[1]?.body ?? "")
          .digest("base64")
      )
      expect(got[2]?.headers["x-payload-hash"]).toBeUndefined()
    })
  )

  it.scopedLive("belongs to its key, also without one", () =>
    Effect.gen(function* () {
      const { add, sdk, url: base } = yield* world()
      const { got, url } = yield* receiver()
      const [first, second] = [yield* sdk("A"), yield* sdk("B")]
      const { id } = yield* first.subscribe.addressEvent({ address: bob, url })
      yield* first.enableHmac("secret of A")
      const { id: another } = yield* second.subscribe.addressEvent({ address: bob, url })
      const anonymous = yield* ask(`${base}/v4/subscription`, "POST", {
        type: "ADDRESS_EVENT",
        attr: { chain: "ethereum-mainnet", address: bob, url }
      })
      expect(anonymous.status).toBe(200)

      expect((yield* first.getAll()).map((each) => each.id)).toEqual([id])
      expect((yield* second.getAll()).map((each) => each.id)).toEqual([another])
      expect(yield* ask(`${base}/v4/subscription`, "GET")).toMatchObject({
        body: [{ type: "ADDRESS_EVENT", attr: { chain: "ethereum-mainnet", address: bob, url } }]
      })
      expect(yield* ask(`${base}/v4/subscription/count`, "GET", undefined, { "x-api-key": "A" })).toEqual({
        status: 200,
        body: { count: 1 }
      })
      const refused = yield* Effect.flip(second.unsubscribe(id))
      expect(refused).toMatchObject({ _tag: "GatewayError", status: 404, code: "subscription.not.exists" })

      add({ movements: [native(alice, bob, WHOLE)] })
      yield* until("a call for each", () => got.length === 3)
      expect(got.filter(({ headers }) => headers["x-payload-hash"] !== undefined)).toHaveLength(1)
      expect(yield* recorded(first, ({ length }) => length > 0)).toHaveLength(1)
      const count = yield* Effect.repeat(ask(`${base}/v4/subscription/webhook/count`, "GET"), {
        until: ({ body }) => Object(body).count > 0
      })
      expect(count).toMatchObject({ body: { count: 1 } })
      yield* first.unsubscribe(id)
      expect(yield* first.getAll()).toEqual([])
      expect(yield* second.getAll()).toHaveLength(1)
    })
  )

  it.scopedLive("to the same is refused with the id of the first", () =>
    Effect.gen(function* () {
      const { sdk } = yield* world()
      const service = yield* sdk("KEY")
      const url = "https://hook.example/1"
      const mixed = `0x${"B0".repeat(20)}`
      const { id } = yield* service.subscribe.addressEvent({ address: bob, url })
      const error = yield* Effect.flip(service.subscribe.addressEvent({ address: mixed, url }))
      expect(error).toMatchObject({
        _tag: "GatewayError",
        status: 403,
        code: "subscription.exists.on.address-and-currency"
      })
      expect(error.message).toContain(`already exists (${id})`)
      // another url is another subscription, until it has the same url
      const second = yield* service.subscribe.addressEvent({ address: mixed, url: "https://hook.example/2" })
      const same = yield* Effect.flip(service.update(second.id, { url }))
      expect(same).toMatchObject({ status: 403, code: "subscription.exists.on.address-and-currency" })
      const both = yield* Effect.flip(service.updateNetwork({ url: "https://hook.example/3" }))
      expect(both).toMatchObject({ status: 403 })
      expect((yield* service.getAll()).map((each) => each.url)).toEqual([url, "https://hook.example/2"])
      yield* service.unsubscribe(second.id)
      yield* service.subscribe.paidFee({ address: bob, url })
      yield* service.subscribe.failedTxsPerBlock({ url })
      expect((yield* Effect.flip(service.subscribe.failedTxsPerBlock({ url })))._tag).toBe("GatewayError")
      const contract = { contractAddress: token, url }
      yield* service.subscribe.contractAddressLogEvent({ ...contract, event: topic })
      yield* service.subscribe.contractAddressLogEvent({ ...contract, event: other })
      yield* Effect.flip(service.subscribe.contractAddressLogEvent({ ...contract, event: other }))

      expect((yield* service.getAll({ pageSize: 2, offset: 1 })).map(({ type }) => type)).toEqual([
        "PAID_FEE",
        "FAILED_TXS_PER_BLOCK"
      ])
      expect(yield* service.getAll({ address: mixed })).toHaveLength(2)
      expect(yield* service.getAll({ address: token })).toMatchObject([
        { contractAddress: token, event: topic },
        { contractAddress: token, event: other }
      ])
    })
  )

  it.scopedLive("that makes no sense is refused, with a line for each thing that is wrong", () =>
    Effect.gen(function* () {
      const { url: base } = yield* world()
      const good = {
        type: "ADDRESS_EVENT",
        attr: { chain: "ETH", address: bob, url: "https://hook.example/1" }
      }
      const attr = (fields: object) => ({ ...good, attr: { ...good.attr, ...fields } })
      const lines: ReadonlyArray<readonly [body: object, ...parts: ReadonlyArray<string>]> = [
        [{ ...good, type: "constructor" }, "type must be one of ADDRESS_EVENT"],
        [attr({ chain: "NOPE" }), "attr.chain"],
        [attr({ chain: "near-mainnet" }), "attr.chain"],
        [attr({ address: "0x12" }), "attr.address must be an address"],
        [attr({ address: undefined }), "attr.address must be set"],
        [attr({ chain: "BTC" }), "attr.address must be an address of bitcoin-mainnet"],
        [attr({ url: "ftp://hook.example" }), "attr.url"],
        [attr({ url: `https://hook.example/${"x".repeat(500)}` }), "attr.url"],
        [
          { type: "CONTRACT_ADDRESS_LOG_EVENT", attr: { chain: "NO", url: "x" } },
          "attr.url",
          "attr.chain",
          "attr.contractAddress must be set"
        ],
        [
          { ...attr({ contractAddress: token, event: "0x1" }), type: "CONTRACT_ADDRESS_LOG_EVENT" },
          "attr.event"
        ]
      ]
      for (const [body, ...parts] of lines) {
        const refused = yield* ask(`${base}/v4/subscription`, "POST", body)
        expect([body, refused]).toMatchObject([
          body,
          {
            status: 400,
            body: {
              statusCode: 400,
              errorCode: "validation.failed",
              data: parts.map((part) => expect.stringContaining(part))
            }
          }
        ])
      }
      for (const asked of ["testnetType=polygon-amoy", "testnetType=nope"])
        expect(yield* ask(`${base}/v4/subscription?${asked}`, "POST", good)).toMatchObject({
          status: 400,
          body: { data: [expect.stringContaining("testnetType must be a network of ETH")] }
        })
      for (const path of [
        "?pageSize=51",
        "?pageSize=0",
        "?offset=-1",
        "/webhook?direction=up",
        "/webhook?failed=1"
      ])
        expect([path, (yield* ask(`${base}/v4/subscription${path}`, "GET")).status]).toEqual([path, 400])
      for (const hmacSecret of ["", "x".repeat(101), 5, undefined])
        expect((yield* ask(`${base}/v4/subscription`, "PUT", { hmacSecret })).status).toBe(400)
      expect(yield* ask(`${base}/v4/subscription/${"0".repeat(24)}`, "DELETE")).toMatchObject({
        status: 404,
        body: { statusCode: 404, errorCode: "subscription.not.exists" }
      })
      expect(yield* ask(`${base}/v4/subscription/count`, "GET")).toMatchObject({ body: { count: 0 } })
    })
  )

  it.scopedLive("is to the network that is named, in one way or another", () =>
    Effect.gen(function* () {
      const { sdk, url: base } = yield* world({ started: ["polygon-amoy"] })
      const url = "https://hook.example/1"
      const subscribe = (query: string, chain: string, address: string) =>
        Effect.map(
          ask(`${base}/v4/subscription${query}`, "POST", { type: "PAID_FEE", attr: { chain, address, url } }),
          ({ status }) => expect([query, chain, status]).toEqual([query, chain, 200])
        )
      yield* subscribe("", "ETH", bob)
      yield* subscribe("?type=testnet", "ETH", bob)
      yield* subscribe("?testnetType=ethereum-hoodi&type=mainnet", "ETH", bob)
      yield* subscribe("?type=mainnet", "MATIC", bob)
      yield* subscribe("", "MATIC", bob)
      yield* subscribe("", "litecoin-core-testnet", "tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0")
      yield* subscribe("", "SOL", "So11111111111111111111111111111111111111112")
      yield* subscribe("", "BCH", "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a")
      const Chains = Schema.Array(Schema.Struct({ attr: Schema.Struct({ chain: Schema.String }) }))
      const { body } = yield* ask(`${base}/v4/subscription`, "GET")
      expect(Schema.decodeUnknownSync(Chains)(body).map(({ attr }) => attr.chain)).toEqual([
        "ETH",
        "ethereum-sepolia",
        "ethereum-hoodi",
        "MATIC",
        "polygon-amoy",
        "litecoin-testnet",
        "SOL",
        "BCH"
      ])
      const hoodi = yield* sdk("KEY", "ethereum-hoodi")
      yield* hoodi.subscribe.addressEvent({ address: bob, url })
      expect(yield* hoodi.getAll()).toMatchObject([{ network: "ethereum-hoodi" }])
    })
  )

  it.scopedLive("is told again of a block that takes the place of another", () =>
    Effect.gen(function* () {
      const { add, replace, sdk } = yield* world()
      const { got, url } = yield* receiver()
      const service = yield* sdk("KEY")
      yield* service.subscribe.incomingNativeTx({ address: bob, url })
      add({ movements: [native(alice, bob, WHOLE, 1)] })
      yield* until("the first call", () => got.length === 1)
      replace(1, { movements: [native(alice, bob, WHOLE, 1)] }, { movements: [native(alice, bob, WHOLE, 2)] })
      yield* until("the calls of the new blocks", () => got.length === 3)
      expect(yield* decoded(got)).toMatchObject([
        { blockNumber: 1, txId: hash(1) },
        { blockNumber: 1, txId: hash(1) },
        { blockNumber: 2, txId: hash(2) }
      ])
    })
  )
})

describe("the options of a subscription", () => {
  it.scopedLive("decide what is told, and can be changed", () =>
    Effect.gen(function* () {
      const { add, sdk } = yield* world({ template: "enriched" })
      const { got, url } = yield* receiver()
      const service = yield* sdk("KEY")
      const conditions = [{ field: "value", operator: ">=", value: 2n * WHOLE }] as const
      const { id } = yield* service.subscribe.incomingNativeTx({ address: bob, url, conditions })
      expect(yield* service.getAll()).toEqual([
        {
          id,
          network: "ethereum-mainnet",
          url,
          type: "INCOMING_NATIVE_TX",
          address: bob,
          conditions: [{ field: "value", operator: ">=", value: "2000000000000000000" }]
        }
      ])
      add({ movements: [native(alice, bob, WHOLE, 1), native(alice, bob, 2n * WHOLE, 2)] })
      yield* until("the call that meets them", () => got.length === 1)
      expect(yield* decoded(got)).toMatchObject([
        { format: "enriched", txId: hash(2), value: "2000000000000000000", subscriptionId: id }
      ])

      yield* service.update(id, { conditions: [], templateId: "enriched_with_raw_data" })
      add({ movements: [native(alice, bob, 1n, 3)] })
      yield* until("a call without conditions", () => got.length === 2)
      yield* service.update(id, { templateId: "legacy" })
      add({ movements: [native(alice, bob, WHOLE, 4)] })
      yield* until("a legacy call", () => got.length === 3)
      expect(yield* decoded(got.slice(1))).toMatchObject([
        { format: "enriched_with_raw_data", value: "1", rawData: { logs: [] } },
        { format: "movement", amount: "1", chain: "ethereum-mainnet" }
      ])

      yield* service.update(id, { paused: true })
      add({ movements: [native(alice, bob, WHOLE, 5)] })
      // whoever subscribes has all blocks looked at before
      yield* service.subscribe.failedTxsPerBlock({ url })
      const other = yield* receiver()
      yield* service.update(id, { paused: false, url: other.url })
      add({ movements: [native(alice, bob, WHOLE, 6)] })
      yield* until("a call to the new url", () => other.got.length === 1)
      expect(yield* decoded(other.got)).toMatchObject([{ txId: hash(6) }])
      expect(got).toHaveLength(3)
      expect(yield* service.count()).toBe(2)
      expect(yield* service.count({ address: bob })).toBe(1)
      yield* recorded(service, ({ length }) => length === 4)
      expect(yield* service.countExecutedWebhooks()).toBe(4)
      expect(yield* service.countExecutedWebhooks({ filterFailed: true })).toBe(0)
    })
  )

  it.scopedLive("of a network are changed together, and those of other networks and keys are not", () =>
    Effect.gen(function* () {
      const { sdk } = yield* world()
      const [mine, yours] = [yield* sdk("A"), yield* sdk("B")]
      const hoodi = yield* sdk("A", "ethereum-hoodi")
      const url = "https://hook.example/1"
      for (const service of [mine, yours, hoodi]) {
        yield* service.subscribe.addressEvent({ address: bob, url })
        yield* service.subscribe.paidFee({ address: bob, url })
      }
      yield* mine.updateNetwork({ url: "https://hook.example/2", finality: "final" })
      yield* hoodi.updateNetwork({ url: "https://hook.example/3" })
      const urls = (service: Service) => Effect.map(service.getAll(), (all) => all.map((each) => each.url))
      const of = (n: number) => [`https://hook.example/${n}`, `https://hook.example/${n}`]
      // the list has all networks of the key
      expect(yield* urls(mine)).toEqual([...of(2), ...of(3)])
      expect(yield* urls(yours)).toEqual(of(1))
    })
  )

  it.scopedLive("include templates of one's own, and a default one", () =>
    Effect.gen(function* () {
      const { add, sdk } = yield* world({ template: "enriched" })
      const { got, url } = yield* receiver()
      const service = yield* sdk("KEY")
      expect(yield* service.templates.getDefault()).toBe("enriched")
      const paid = Webhook.template({ format: "json", keys: { paid: "value" } })
      const { id } = yield* service.templates.create(paid)
      yield* service.templates.setDefault(id)
      expect(yield* service.templates.getDefault()).toBe(id)
      const sentence = Webhook.template({ format: "string", message: "{{value}} to {{to}}" })
      const named = yield* service.templates.create(sentence)
      expect(yield* service.templates.getAll()).toEqual([
        { id, ...paid },
        { id: named.id, ...sentence }
      ])
      yield* service.subscribe.incomingNativeTx({ address: bob, url })
      yield* service.subscribe.outgoingNativeTx({ address: alice, url, templateId: named.id })
      let n = 0
      const bodies = Effect.suspend(() => {
        n++
        add({ movements: [native(alice, bob, WHOLE, n)] })
        return until("two calls", () => got.length === 2 * n)
      }).pipe(Effect.map(() => got.slice(-2).map(({ body }) => new Uint8Array(body))))

      const [first, second] = yield* bodies
      expect(yield* Effect.map(Webhook.decode(first, paid), inSmallLetters)).toEqual({
        format: "json",
        values: { paid: String(WHOLE) }
      })
      expect(yield* Effect.map(Webhook.decode(second, sentence), inSmallLetters)).toEqual({
        format: "string",
        message: `${WHOLE} to ${bob}`
      })
      const from = Webhook.template({ format: "json", keys: { payer: "from" } })
      yield* service.templates.update(named.id, from)
      const [, changed] = yield* bodies
      expect(yield* Effect.map(Webhook.decode(changed, from), inSmallLetters)).toEqual({
        format: "json",
        values: { payer: alice }
      })
      // its subscriptions have the default one
      yield* service.templates.delete(named.id)
      const [, deleted] = yield* bodies
      expect(yield* Effect.map(Webhook.decode(deleted, paid), inSmallLetters)).toEqual({
        format: "json",
        values: { paid: String(WHOLE) }
      })
      // and the default is the provider's again
      yield* service.templates.delete(id)
      expect(yield* service.templates.getDefault()).toBe("enriched")
      const last = yield* Effect.forEach(yield* bodies, (body) =>
        Effect.map(Webhook.decode(body), inSmallLetters)
      )
      expect(last.map(({ format }) => format)).toEqual(["enriched", "enriched"])
      expect(yield* service.templates.getAll()).toEqual([])
    })
  )

  it.scopedLive("that make no sense are refused, and templates of other keys are none", () =>
    Effect.gen(function* () {
      const { sdk, url: base } = yield* world()
      const [mine, yours] = [yield* sdk("A"), yield* sdk("B")]
      const { id } = yield* yours.templates.create({ format: "json", keys: { paid: "value" } })
      const url = "https://hook.example/1"
      const good = { type: "ADDRESS_EVENT", attr: { chain: "ETH", address: bob, url } }
      const post = (body: object) => ask(`${base}/v4/subscription`, "POST", body, { "x-api-key": "A" })
      const condition = (field: string, operator: string, value: unknown) => ({
        ...good,
        attr: { ...good.attr, conditions: [{ field, operator, value }] }
      })
      for (const [body, part] of [
        [{ ...good, templateId: id }, "templateId must be enriched"],
        [{ ...good, templateId: "nope" }, "templateId must be enriched"],
        [{ ...good, mempool: true }, "mempool is for ADDRESS_EVENT on Bitcoin alone"],
        [
          { type: "INCOMING_NATIVE_TX", attr: { chain: "BTC", address: legacyAddress, url }, mempool: true },
          "mempool is for ADDRESS_EVENT on Bitcoin alone"
        ],
        [{ ...good, finality: "safe" }, "finality"],
        [condition("amount", "==", "1"), "field must be one of value"],
        [condition("value", "=", "1"), "operator must be one of"],
        [condition("value", "==", 1), "value must be text"],
        [
          {
            type: "ADDRESS_EVENT",
            attr: { chain: "SOL", address: "So11111111111111111111111111111111111111112", url },
            finality: "final",
            templateId: "legacy"
          },
          "finality is for EVM chains and Tron alone"
        ]
      ] as const) {
        const refused = yield* post(body)
        expect([body, refused.status, JSON.stringify(refused.body)]).toEqual([
          body,
          400,
          expect.stringContaining(part)
        ])
      }
      for (const call of [
        mine.templates.update(id, { format: "string", message: "{{value}}" }),
        mine.templates.delete(id),
        mine.templates.setDefault(id),
        mine.update("0".repeat(24), { paused: true })
      ])
        expect(yield* Effect.flip(call)).toMatchObject({ _tag: "GatewayError", status: 404 })
      const { id: subscription } = yield* mine.subscribe.addressEvent({ address: bob, url })
      expect(yield* Effect.flip(mine.update(subscription, { templateId: id }))).toMatchObject({ status: 400 })
      expect(yield* Effect.flip(mine.update(subscription, { url: "https://other.example" }))).toMatchObject({
        status: 400
      })
      expect(yield* Effect.flip(yours.update(subscription, { paused: true }))).toMatchObject({ status: 404 })
      const key = { "x-api-key": "A" }
      for (const query of ["chain=nope", "chain=solana-mainnet&finality=final", "url=https://hook.example"])
        expect([
          query,
          (yield* ask(`${base}/v4/subscription/batch?${query}`, "PUT", undefined, key)).status
        ]).toEqual([query, 400])
    })
  )

  it.scopedLive("hold what is to be final until enough blocks are on top, and drop what was replaced", () =>
    Effect.gen(function* () {
      const { add, replace, sdk } = yield* world({ confirmations: 2 })
      const [soon, late] = [yield* receiver(), yield* receiver()]
      const service = yield* sdk("KEY")
      yield* service.subscribe.incomingNativeTx({ address: bob, url: soon.url })
      const { id } = yield* service.subscribe.incomingNativeTx({
        address: bob,
        url: late.url,
        finality: "final"
      })
      const pay = (n: number) => ({ movements: [native(alice, bob, WHOLE, n)] })
      add(pay(1))
      add(pay(2))
      yield* until("both at once", () => soon.got.length === 2)
      // block 2 is replaced, and what it had is in no block any more
      replace(1, pay(3), pay(4))
      yield* until("the replaced and the new ones", () => soon.got.length === 4)
      yield* until("the first one, which is final", () => late.got.length === 1)
      add(pay(5))
      yield* until("the third one", () => late.got.length === 2)
      yield* until("the last one at once", () => soon.got.length === 5)
      expect(yield* decoded(late.got)).toMatchObject([
        { txId: hash(1), blockNumber: 1 },
        { txId: hash(3), blockNumber: 2 }
      ])
      expect(yield* decoded(soon.got)).toMatchObject([1, 2, 3, 4, 5].map((n) => ({ txId: hash(n) })))

      // those that wait go to the url of the moment, and end with their subscription
      const moved = yield* receiver()
      yield* service.update(id, { url: moved.url })
      add(pay(6))
      yield* until("the fourth one", () => moved.got.length === 1)
      yield* service.unsubscribe(id)
      add({})
      add({})
      yield* until("the sixth one at once", () => soon.got.length === 6)
      yield* service.subscribe.failedTxsPerBlock({ url: soon.url })
      expect(yield* decoded(moved.got)).toMatchObject([{ txId: hash(4) }])
      expect(late.got).toHaveLength(2)
    })
  )

  it.scopedLive(
    "tell of what waits for a block on Bitcoin, where that is wanted, and of the block after it",
    () =>
      Effect.gen(function* () {
        const chain = chainOf()
        let come: ReadonlyArray<Indexer.Movement> = []
        const reader: Indexer.BlockReader = {
          ...chain.reader,
          pending: Effect.sync(() => {
            const now = come
            come = []
            return now
          })
        }
        const { sdk } = yield* world({ readers: { "bitcoin-mainnet": reader } })
        const [blocks, both] = [yield* receiver(), yield* receiver()]
        const service = yield* sdk("KEY", "bitcoin-mainnet")
        const address = legacyAddress
        const paid: Indexer.Movement = {
          kind: "native",
          hash: hash(1),
          transactionIndex: 1,
          sender: undefined,
          // in the node's own spelling
          receiver: toNodeAddress("bitcoin-mainnet", address),
          amount: 150_000_000n
        }
        // what came before the subscription is not told
        come = [{ ...paid, hash: hash(9) }]
        yield* service.subscribe.addressEvent({ address, url: blocks.url })
        const { id } = yield* service.subscribe.addressEvent({ address, url: both.url, mempool: true })
        come = [paid, { ...paid, receiver: "1BoatSLRHtKNngkdXEeobR76b53LETtpyT" }]
        yield* until("the transaction that waits", () => both.got.length === 1)
        chain.add({ movements: [paid] })
        yield* until("its block, to both", () => both.got.length === 2 && blocks.got.length === 1)
        const common = { format: "movement", address, amount: "1.5", txId: hash(1), type: "native" }
        const [waiting, mined] = yield* decoded(both.got)
        expect(waiting).toMatchObject({ ...common, mempool: true, subscriptionType: "ADDRESS_EVENT" })
        expect(waiting).not.toHaveProperty("blockNumber")
        expect(mined).toMatchObject({ ...common, blockNumber: 1 })
        expect(mined).not.toHaveProperty("mempool")

        // switched off and on again, and paused
        yield* service.update(id, { mempool: false })
        come = [{ ...paid, hash: hash(2) }]
        chain.add({ movements: [{ ...paid, hash: hash(2) }] })
        yield* until("the second block alone", () => both.got.length === 3 && blocks.got.length === 2)
        yield* service.update(id, { mempool: true })
        come = [{ ...paid, hash: hash(3) }]
        yield* until("the third one while it waits", () => both.got.length === 4)
        expect(yield* decoded(both.got.slice(2))).toMatchObject([
          { txId: hash(2), blockNumber: 2 },
          { txId: hash(3), mempool: true }
        ])
      })
  )

  it.scopedLive("hold what is to be final over the end of the sandbox, too", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "webhooks-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
      const file = join(folder, "sandbox.sqlite")
      const { got, url } = yield* receiver()
      const chain = chainOf()
      yield* Effect.gen(function* () {
        const { sdk } = yield* world({ file, confirmations: 1, reader: chain.reader })
        const service = yield* sdk("KEY")
        yield* service.subscribe.incomingNativeTx({ address: bob, url, finality: "final" })
        chain.add({ movements: [native(alice, bob, WHOLE, 1)] })
        yield* service.subscribe.failedTxsPerBlock({ url })
      }).pipe(Effect.scoped)
      expect(got).toEqual([])
      const { sdk } = yield* world({ file, confirmations: 1, reader: chain.reader })
      const service = yield* sdk("KEY")
      yield* service.subscribe.paidFee({ address: carol, url })
      chain.add({})
      yield* until("the call", () => got.length === 1)
      expect(yield* decoded(got)).toMatchObject([{ txId: hash(1) }])
    })
  )
})

describe("calls that fail", () => {
  it.scopedLive("are made again, in the order of blocks, and every try is recorded", () =>
    Effect.gen(function* () {
      const { add, sdk } = yield* world({
        retries: Schedule.intersect(Schedule.exponential("300 millis"), Schedule.recurs(5))
      })
      const looked = yield* Deferred.make<void>()
      const failing = yield* receiver((before) =>
        Effect.as(
          // the second try is answered when somebody has looked at the record of the first
          before === 0 ? Effect.void : Deferred.await(looked),
          before < 2 ? jsonResponse({ why: "x".repeat(3_000) }, 500) : jsonResponse("thanks", 202)
        )
      )
      const healthy = yield* receiver()
      const service = yield* sdk("KEY")
      yield* service.subscribe.incomingNativeTx({ address: bob, url: failing.url })
      yield* service.subscribe.outgoingNativeTx({ address: alice, url: healthy.url })
      add({ movements: [native(alice, bob, WHOLE, 1)] })
      add({ movements: [native(alice, bob, WHOLE, 2)] })
      yield* until("the first try", () => failing.got.length === 1 && healthy.got.length === 2)
      const [during, ...waiting] = yield* recorded(service, ({ length }) => length > 0, {
        filterFailed: true
      })
      expect(waiting).toEqual([])
      expect(during).toMatchObject({
        failed: true,
        retryCount: 0,
        response: { code: 500, networkError: false }
      })
      expect(during?.response?.data).toHaveLength(1_000)
      expect((during?.nextTime ?? 0) - (during?.timestamp ?? 0)).toBeGreaterThanOrEqual(300)
      yield* Deferred.succeed(looked, undefined)

      yield* until("all of them", () => failing.got.length === 4)
      expect(yield* decoded(failing.got)).toMatchObject([1, 1, 1, 2].map((n) => ({ txId: hash(n) })))
      const pause = (i: number) => (failing.got[i + 1]?.at ?? 0) - (failing.got[i]?.at ?? 0)
      expect(pause(0)).toBeGreaterThanOrEqual(280)
      expect(pause(1)).toBeGreaterThanOrEqual(580)
      const all = yield* recorded(
        service,
        (records) => records.length === 4 && records.every(({ failed }) => !failed)
      )
      const records = all.filter(({ url }) => url === failing.url)
      expect(records).toMatchObject([
        { failed: false, retryCount: 2, response: { code: 202, data: '"thanks"' } },
        { failed: false, retryCount: 0 }
      ])
      expect(records[0]?.nextTime).toBeUndefined()
      expect(yield* service.getAllExecutedWebhooks({ filterFailed: true })).toEqual([])
      expect(yield* service.getAllExecutedWebhooks({ filterFailed: false, pageSize: 3 })).toHaveLength(3)
    })
  )

  it.scopedLive("for ever are given up; nobody there, and nobody who answers, are network errors", () =>
    Effect.gen(function* () {
      const retries = Schedule.intersect(Schedule.exponential("20 millis"), Schedule.recurs(2))
      // who answers has time for that
      const [brief, patient] = [yield* world({ retries, timeout: "150 millis" }), yield* world({ retries })]
      const gone = yield* Effect.scoped(receiver())
      const slow = yield* receiver(() => Effect.never)
      const rude = yield* receiver(() => Effect.succeed("drop"))
      const stalled = yield* receiver(() =>
        Effect.succeed({ ...jsonResponse("half of it"), isStalled: true })
      )
      const elsewhere = yield* receiver(() =>
        Effect.succeed({ ...jsonResponse({}, 302), headers: { location: "http://127.0.0.1:1/" } })
      )
      const [hurried, service] = [yield* brief.sdk("KEY"), yield* patient.sdk("KEY")]
      yield* service.subscribe.incomingNativeTx({ address: bob, url: gone.url })
      yield* hurried.subscribe.outgoingNativeTx({ address: alice, url: slow.url })
      yield* service.subscribe.addressEvent({ address: bob, url: rude.url })
      yield* hurried.subscribe.addressEvent({ address: alice, url: stalled.url })
      yield* service.subscribe.addressEvent({ address: carol, url: elsewhere.url })
      for (const { add } of [brief, patient])
        add({
          movements: [
            native(alice, bob, WHOLE),
            native(carol, bob, 0n, 2),
            { ...movement("fee", { sender: carol }), receiver: undefined }
          ]
        })
      yield* until("three tries of each", () =>
        [slow, rude, stalled, elsewhere].every(({ got }) => got.length === 3)
      )
      const isOver = (count: number) => (records: Records) =>
        records.length === count && records.every(({ nextTime }) => nextTime === undefined)
      const records = [...(yield* recorded(hurried, isOver(2))), ...(yield* recorded(service, isOver(3)))]
      const of = (url: string) => records.filter((each) => each.url === url)
      for (const { url } of [gone, slow, rude, stalled])
        expect(of(url)).toMatchObject([{ failed: true, retryCount: 2, response: { networkError: true } }])
      expect(of(gone.url)[0]?.response?.data).toContain("ECONNREFUSED")
      expect(of(slow.url)[0]?.response?.data).toBe("no answer within 150 ms")
      expect(of(elsewhere.url)).toMatchObject([
        { failed: true, retryCount: 2, response: { code: 302, networkError: false } }
      ])
      for (const record of records) expect(record.nextTime).toBeUndefined()
    })
  )

  it.scopedLive("end with their subscription", () =>
    Effect.gen(function* () {
      const { add, sdk } = yield* world()
      const ended = yield* receiver(() => Effect.succeed(jsonResponse({}, 500)))
      const kept = yield* receiver(() => Effect.succeed(jsonResponse({}, 500)))
      const service = yield* sdk("KEY")
      const { id } = yield* service.subscribe.incomingNativeTx({ address: bob, url: ended.url })
      yield* service.subscribe.outgoingNativeTx({ address: alice, url: kept.url })
      add({ movements: [native(alice, bob, WHOLE)] })
      yield* until("a try", () => ended.got.length > 0)
      yield* recorded(service, (records) => records.some(({ subscriptionId }) => subscriptionId === id))
      yield* service.unsubscribe(id)
      const tries = ended.got.length
      // one that goes on as long as it is failing: by its last try the other one would have made its own
      yield* until("all tries of the other one", () => kept.got.length === 6)
      // one try may have been under way
      expect(ended.got.length).toBeLessThanOrEqual(tries + 1)
      expect(
        (yield* service.getAllExecutedWebhooks()).filter(({ subscriptionId }) => subscriptionId === id)
      ).toMatchObject([{ failed: true, response: { code: 500 } }])
    })
  )

  it.scopedLive("hold up no more than a thousand others: the oldest are reported as failed", () =>
    Effect.gen(function* () {
      const { add, sdk } = yield* world()
      const { got, url } = yield* receiver(() => Effect.never)
      const service = yield* sdk("KEY")
      yield* service.subscribe.incomingNativeTx({ address: bob, url })
      add({ movements: Array.from({ length: 1_003 }, (_, i) => native(alice, bob, WHOLE, i + 1)) })
      yield* until("the first call", () => got.length === 1)
      const failed = yield* recorded(service, ({ length }) => length > 1, { filterFailed: true })
      // the first one is under way
      expect(failed).toMatchObject([
        { data: { txId: hash(2) }, response: { networkError: false, data: expect.stringContaining("1000") } },
        { data: { txId: hash(3) } }
      ])
    })
  )

  it.scopedLive("and all others leave nothing behind, but what is still to be told waits in the file", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "webhooks-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
      const file = join(folder, "sandbox.sqlite")
      let open = 0
      const { got, url } = yield* receiver((before) =>
        before === 0
          ? Effect.ensuring(
              Effect.zipRight(
                Effect.sync(() => open++),
                Effect.never
              ),
              Effect.sync(() => open--)
            )
          : Effect.succeed(jsonResponse({}))
      )
      const scope = yield* Scope.make()
      yield* Effect.gen(function* () {
        const { add, sdk } = yield* world({ file })
        const service = yield* sdk("KEY")
        yield* service.subscribe.incomingNativeTx({ address: bob, url })
        add({ movements: [native(alice, bob, WHOLE, 1)] })
        add({ movements: [native(alice, bob, WHOLE, 2)] })
        yield* until("a call under way", () => open === 1)
      }).pipe(Scope.extend(scope))
      yield* Scope.close(scope, Exit.void)
      yield* until("the end of the call", () => open === 0)
      expect(got).toHaveLength(1)

      const { sdk } = yield* world({ file })
      yield* until("the calls that were left", () => got.length === 3)
      expect(yield* decoded(got)).toMatchObject([1, 1, 2].map((n) => ({ txId: hash(n) })))
      const service = yield* sdk("KEY")
      const records = yield* recorded(
        service,
        (all) => all.length === 2 && all.every(({ failed }) => !failed)
      )
      expect(records).toMatchObject([{ failed: false }, { failed: false }])
    })
  )

  it.scopedLive("are not made to a host that an earlier run was allowed to call", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "webhooks-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
      const file = join(folder, "sandbox.sqlite")
      const { got, url } = yield* Effect.provideService(
        receiver(() => Effect.never),
        Access,
        () => undefined
      )
      // no name of this machine, although it leads here
      const elsewhere = url.replace("127.0.0.1", "0.0.0.0")
      yield* Effect.gen(function* () {
        const { add, sdk } = yield* world({ file, hosts: ["0.0.0.0"] })
        const service = yield* sdk("KEY")
        yield* service.subscribe.incomingNativeTx({ address: bob, url: elsewhere })
        add({ movements: [native(alice, bob, WHOLE, 1)] })
        yield* until("a call", () => got.length === 1)
      }).pipe(Effect.scoped)

      const { sdk } = yield* world({ file })
      const service = yield* sdk("KEY")
      expect(yield* recorded(service, ({ length }) => length > 0)).toMatchObject([
        { failed: true, response: { data: "Webhooks go to this machine only." } }
      ])
      expect(got).toHaveLength(1)
    })
  )
})

const Receipt = Schema.Struct({ contractAddress: Schema.NullOr(Schema.String) })

const Address = Schema.TemplateLiteral("0x", Schema.String)

const Result = Schema.Struct({ result: Schema.Unknown })

const rpcAt =
  (url: string): Rpc =>
  (method, params) =>
    Effect.flatMap(callJsonRpc(url, { method, params }), (answer) =>
      Effect.mapBoth(Schema.decodeUnknown(Result)(answer), {
        onFailure: () => new SandboxError({ reason: "chain", message: JSON.stringify(answer) }),
        onSuccess: ({ result }) => result
      })
    )

describe("a real chain", () => {
  it.scopedLive("is told of", () =>
    Effect.gen(function* () {
      const { url: node } = yield* Anvil.start({ chainId: 1 })
      const nodeRpc = rpcAt(node)
      const rpc = <A, I>(schema: Schema.Schema<A, I>, method: string, ...params: ReadonlyArray<unknown>) =>
        Effect.flatMap(nodeRpc(method, params), Schema.decodeUnknown(schema))
      const { sdk } = yield* world({ reader: makeReader(nodeRpc) })
      const { got, url } = yield* receiver()
      const service = yield* sdk("KEY")
      const [from = ""] = yield* rpc(Schema.Array(Schema.String), "eth_accounts")
      const send = (fields: object) =>
        rpc(Schema.String, "eth_sendTransaction", { from, gas: "0x400000", ...fields })
      const receiptOf = (id: string) =>
        rpc(Schema.NullOr(Receipt), "eth_getTransactionReceipt", id).pipe(
          Effect.flatMap(Effect.fromNullable),
          // anvil answers before its block is there
          Effect.retry(Schedule.intersect(Schedule.spaced("20 millis"), Schedule.recurs(100)))
        )
      const deployed = (init: string) =>
        Effect.map(
          Effect.flatMap(send({ data: init }), receiptOf),
          ({ contractAddress }) => contractAddress ?? ""
        )
      // one contract that emits an event at every call, one that refuses every call, and a token with six decimals
      const emitter = yield* deployed(`0x6027600c60003960276000f37f${topic.slice(2)}60006000a100`)
      const refuser = yield* deployed("0x6005600c60003960056000f360006000fd")
      const owner = Schema.decodeUnknownSync(Address)(from)
      const dollars = yield* deployed(
        AbiConstructor.encode(AbiConstructor.fromAbi(Fungible.abi), {
          bytecode: Fungible.bytecode,
          args: ["Dollars", "USD", 6, 10n ** 12n, owner, owner, owner, owner, 0n]
        })
      )

      yield* service.enableHmac("secret")
      yield* service.subscribe.incomingNativeTx({ address: bob, url })
      yield* service.subscribe.incomingFungibleTx({ address: bob, url })
      yield* service.subscribe.paidFee({ address: from, url })
      yield* service.subscribe.failedTxsPerBlock({ url })
      yield* service.subscribe.contractAddressLogEvent({ contractAddress: emitter, event: topic, url })

      const transfer = `0xa9059cbb${bob.slice(2).padStart(64, "0")}${(2_500_000).toString(16).padStart(64, "0")}`
      const calls = [
        { fields: { to: bob, value: `0x${(WHOLE / 4n).toString(16)}` }, expected: 2 },
        { fields: { to: refuser }, expected: 4 },
        { fields: { to: emitter }, expected: 6 },
        { fields: { to: dollars, data: transfer }, expected: 8 }
      ]
      const ids: Array<string> = []
      for (const { expected, fields } of calls) {
        ids.push(yield* send(fields))
        yield* until(`${expected} calls`, () => got.length === expected)
      }
      for (const { body, headers } of got)
        expect(
          yield* Webhook.verify({
            body: body.toString("utf8"),
            signature: String(headers["x-payload-hash"]),
            secret: "secret"
          })
        ).toBe(true)
      const payloads = yield* decoded(got)
      const [paid, refused, emitted, transferred] = ids
      expect(payloads).toMatchObject([
        {
          subscriptionType: "INCOMING_NATIVE_TX",
          address: bob,
          amount: "0.25",
          counterAddress: from,
          txId: paid
        },
        { subscriptionType: "PAID_FEE", address: from, txId: paid, type: "fee" },
        { subscriptionType: "PAID_FEE", txId: refused },
        {
          subscriptionType: "FAILED_TXS_PER_BLOCK",
          address: from,
          counterAddress: refuser,
          txId: refused
        },
        { subscriptionType: "PAID_FEE", txId: emitted },
        {
          format: "events",
          subscriptionType: "CONTRACT_ADDRESS_LOG_EVENT",
          events: [{ txId: emitted, address: emitter, topic_0: topic, data: "0x" }]
        },
        {
          subscriptionType: "INCOMING_FUNGIBLE_TX",
          address: bob,
          amount: "2.5",
          asset: dollars,
          txId: transferred
        },
        { subscriptionType: "PAID_FEE", txId: transferred }
      ])
    })
  )

  it.scopedLive("is told of by templates, on conditions, and when it is final", () =>
    Effect.gen(function* () {
      const { url: node } = yield* Anvil.start({ chainId: 1 })
      const nodeRpc = rpcAt(node)
      const { sdk } = yield* world({ reader: makeReader(nodeRpc), template: "enriched", confirmations: 3 })
      const [all, large, final] = [yield* receiver(), yield* receiver(), yield* receiver()]
      const service = yield* sdk("KEY")
      const [from = ""] = yield* Effect.flatMap(
        nodeRpc("eth_accounts", []),
        Schema.decodeUnknown(Schema.Array(Schema.String))
      )
      const paid = Webhook.template({
        format: "json",
        keys: { tx: "txId", wei: "value", block: "blockNumber" }
      })
      const { id } = yield* service.templates.create(paid)
      yield* service.subscribe.incomingNativeTx({ address: bob, url: all.url })
      yield* service.subscribe.incomingNativeTx({
        address: bob,
        url: large.url,
        templateId: id,
        conditions: [
          { field: "value", operator: ">", value: WHOLE },
          { field: "from", operator: "==", value: from }
        ]
      })
      yield* service.subscribe.incomingNativeTx({ address: bob, url: final.url, finality: "final" })
      const pay = (value: bigint) =>
        Effect.flatMap(
          nodeRpc("eth_sendTransaction", [{ from, to: bob, value: `0x${value.toString(16)}` }]),
          Schema.decodeUnknown(Schema.String)
        )
      const first = yield* pay(WHOLE)
      const second = yield* pay(WHOLE + 1n)
      yield* until("both payments", () => all.got.length === 2)
      yield* until("the larger one", () => large.got.length === 1)
      expect(yield* decoded(all.got)).toMatchObject(
        [first, second].map((txId) => ({
          format: "enriched",
          kind: "transfer",
          txId,
          from,
          to: bob,
          currency: "ETH"
        }))
      )
      const [body] = large.got
      expect(
        yield* Effect.map(Webhook.decode(new Uint8Array(body?.body ?? []), paid), inSmallLetters)
      ).toEqual({
        format: "json",
        values: { tx: second, wei: String(WHOLE + 1n), block: 2 }
      })
      expect(final.got).toEqual([])
      yield* nodeRpc("anvil_mine", ["0x2"])
      yield* until("the first payment, which is final", () => final.got.length === 1)
      yield* nodeRpc("anvil_mine", ["0x1"])
      yield* until("the second payment, which is final", () => final.got.length === 2)
      expect(yield* decoded(final.got)).toMatchObject([{ txId: first }, { txId: second }])
    })
  )
})
