import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Config from "../../src/config/Config.js"
import { makeHeaders, makeKeyHeader } from "../../src/config/headers.js"
import {
  gatewayNodeUrl,
  isProviderUrl,
  resolve,
  resolveNode,
  usesNodeLists
} from "../../src/config/resolveConfig.js"
import type { InvalidConfig } from "../../src/data/SdkError.js"
import { runs } from "../properties.js"

const network = "ethereum-mainnet"

/** Resolves configurations that are wrong on purpose: values that JavaScript may pass. */
const resolveAny = (config: unknown) => resolve(config as Config.SdkConfig)

const issuesOf = (config: unknown): Effect.Effect<ReadonlyArray<string>> =>
  Effect.orDie(
    Effect.map(Effect.flip(resolveAny(config)), (error) => {
      expect(error._tag).toBe("InvalidConfig")
      // the tag was just seen
      return (error as InvalidConfig).issues.map(({ message, path }) => `${path} ${message}`)
    })
  )

describe("the defaults", () => {
  it.effect("are those of the specification and of the decisions", () =>
    Effect.gen(function* () {
      const resolved = yield* resolve({ network })
      expect(resolved).toEqual({
        network,
        info: resolved.info,
        apiKey: { V3: undefined, V4: undefined },
        version: "V4",
        retryCount: 1,
        retryDelay: 1_000,
        timeout: 30_000,
        attemptTimeout: 10_000,
        maxResponseBytes: 67_108_864,
        nodes: undefined,
        oneTimeLoadBalancing: false,
        allowedBlocksBehind: 10,
        evictNodesOnFailure: false,
        statusCheckInterval: 60_000,
        archive: "prefer",
        baseUrl: "https://api.tatum.io",
        nodeListUrl: "https://rpc.tatum.io",
        domain: "tatum.io",
        isMoved: false,
        dataApi: "auto",
        sendSdkHeaders: false,
        verifyChain: true,
        selection: "fastest",
        hedge: { maxExtraLoad: 0.08, delay: undefined },
        retryBudget: { ratio: 0.2, burst: 200 },
        coalesce: false,
        batch: undefined,
        consistency: "eventual",
        subscriptions: {},
        logger: undefined,
        quiet: false,
        verbose: false,
        extensions: [],
        walletProviders: []
      })
      expect(resolved.info).toMatchObject({ symbol: "ETH", chainId: 1 })
    })
  )

  it.effect("stand for options that are undefined, and zero for itself", () =>
    Effect.gen(function* () {
      const nothing: object = {
        network,
        retryCount: undefined,
        rpc: undefined,
        apiKey: undefined,
        logger: undefined
      }
      expect(yield* resolveAny(nothing)).toEqual(yield* resolve({ network }))
      const inside: object = { network, rpc: { allowedBlocksBehind: undefined, archive: undefined } }
      expect(yield* resolveAny(inside)).toEqual(yield* resolve({ network }))
      const zero = yield* resolve({
        network,
        retryCount: 0,
        retryDelay: 0,
        rpc: { allowedBlocksBehind: 0 }
      })
      expect(zero).toMatchObject({ retryCount: 0, retryDelay: 0, allowedBlocksBehind: 0 })
    })
  )

  it.effect("evict failed nodes when there are several of the user's own under periodic checks", () =>
    Effect.gen(function* () {
      const nodes = [{ url: "https://one.example" }, { url: "https://two.example" }]
      const evicts = (rpc: Config.SdkConfig["rpc"] & object) =>
        Effect.map(resolve({ network, rpc }), (config) => config.evictNodesOnFailure)
      expect(yield* evicts({ nodes })).toBe(true)
      expect(yield* evicts({ nodes, evictNodesOnFailure: false })).toBe(false)
      expect(yield* evicts({ nodes, oneTimeLoadBalancing: true })).toBe(false)
      expect(yield* evicts({ nodes: nodes.slice(0, 1) })).toBe(false)
      expect(yield* evicts({ evictNodesOnFailure: true })).toBe(true)
    })
  )

  it.effect("give way to everything that is set", () =>
    Effect.gen(function* () {
      const logger = console
      const extension = { name: "one" }
      const wallet = { name: "two" }
      const resolved = yield* resolve({
        network: "polygon-mainnet",
        version: "V3",
        retryCount: 3,
        retryDelay: 1.5,
        timeout: 5,
        attemptTimeout: 4,
        maxResponseBytes: 9,
        rpc: {
          oneTimeLoadBalancing: true,
          allowedBlocksBehind: 2,
          evictNodesOnFailure: true,
          statusCheckInterval: Number.POSITIVE_INFINITY
        },
        provider: {
          baseUrl: "https://gw.example/",
          nodeListUrl: "https://lists.example/",
          domain: "Example"
        },
        dataApi: "v4",
        sendSdkHeaders: true,
        verifyChain: false,
        selection: "fastest",
        hedge: false,
        retryBudget: false,
        coalesce: false,
        batch: false,
        logger,
        quiet: true,
        verbose: true,
        configureExtensions: [extension],
        configureWalletProviders: [wallet]
      })
      expect(resolved).toMatchObject({
        network: "polygon-mainnet",
        version: "V3",
        retryCount: 3,
        retryDelay: 1.5,
        timeout: 5,
        attemptTimeout: 4,
        maxResponseBytes: 9,
        oneTimeLoadBalancing: true,
        allowedBlocksBehind: 2,
        evictNodesOnFailure: true,
        statusCheckInterval: Number.POSITIVE_INFINITY,
        archive: "prefer",
        baseUrl: "https://gw.example",
        nodeListUrl: "https://lists.example",
        domain: "example",
        dataApi: "v4",
        sendSdkHeaders: true,
        verifyChain: false,
        quiet: true,
        verbose: true
      })
      expect(resolved.logger).toBe(logger)
      expect(resolved.extensions).toEqual([extension, wallet])
      expect(resolved.walletProviders).toEqual([wallet])
    })
  )

  it.effect("of timers: a pause longer than a timer counts is as long as it counts, not none", () =>
    Effect.gen(function* () {
      const resolved = yield* resolve({ network, rpc: { statusCheckInterval: 1e12 } })
      expect(resolved.statusCheckInterval).toBe(2 ** 31 - 1)
    })
  )
})

describe("what is wrong", () => {
  const url = "https://node.example"
  const wrong: ReadonlyArray<readonly [config: object, issue: string]> = [
    [{ apiKey: 5 }, "apiKey must be a string or a Redacted string"],
    [{ apiKey: { v3: 5 } }, "apiKey.v3 must be a string or a Redacted string"],
    [{ apiKey: { v5: "x" } }, "apiKey.v5 is not an option; there are v3, v4"],
    [{ apiKey: "two words" }, "apiKey must be visible ASCII"],
    [{ apiKey: "line\n" }, "apiKey must be visible ASCII"],
    [{ apiKey: { v4: Redacted.make("schlüssel") } }, "apiKey.v4 must be visible ASCII"],
    [{ version: "v4" }, 'version must be "V3" or "V4", not a string'],
    [{ retryCount: -1 }, "retryCount must be a whole number from 0, not number -1"],
    [{ retryCount: 1.5 }, "retryCount must be a whole number from 0"],
    [{ retryCount: "1" }, "retryCount must be a whole number from 0, not a string"],
    [{ retryCount: null }, "retryCount must be a whole number from 0, not null"],
    [{ retryCount: 1n }, "retryCount must be a whole number from 0, not bigint 1"],
    [{ retryDelay: -1 }, "retryDelay must be a number of milliseconds"],
    [{ retryDelay: Number.NaN }, "retryDelay must be a number of milliseconds from 0, not number NaN"],
    [{ retryDelay: Number.POSITIVE_INFINITY }, "retryDelay must be a number of milliseconds"],
    [{ timeout: 0 }, "timeout must be a number above 0, not number 0"],
    [{ timeout: Number.NaN }, "timeout must be a number above 0"],
    [{ attemptTimeout: "5s" }, "attemptTimeout must be a number above 0, not a string"],
    [{ maxResponseBytes: -1 }, "maxResponseBytes must be a number above 0"],
    [{ rpc: [] }, "rpc must be an object, not a list"],
    [{ rpc: "https://node.example" }, "rpc must be an object, not a string"],
    [
      { rpc: { node: [] } },
      "rpc.node is not an option; did you mean nodes? There are nodes, oneTimeLoadBalancing"
    ],
    [{ rpc: { archive: "never" } }, 'rpc.archive must be "prefer" or "strict", not a string'],
    [{ rpc: { nodes: {} } }, "rpc.nodes must be a list, not an object"],
    [
      { rpc: { nodes: [url] } },
      'rpc.nodes[0] must be { url: "https://node.example", type: "normal" }, not a string'
    ],
    [
      { rpc: { nodes: [undefined] } },
      'rpc.nodes[0] must be { url: "https://node.example", type: "normal" }, not undefined'
    ],
    [{ rpc: { nodes: [{}] } }, "rpc.nodes[0].url is missing"],
    [{ rpc: { nodes: [{ url }, { url: "node.example" }] } }, "rpc.nodes[1].url must be an absolute url"],
    [{ rpc: { nodes: [{ url: "" }] } }, "rpc.nodes[0].url must be an absolute url"],
    [{ rpc: { nodes: [{ url: "wss://node.example" }] } }, "rpc.nodes[0].url must be an http or https url"],
    [{ rpc: { nodes: [{ url: "file:///etc/passwd" }] } }, "rpc.nodes[0].url must be an http or https url"],
    [{ rpc: { nodes: [{ url: 5 }] } }, "rpc.nodes[0].url must be a url, not number 5"],
    [{ rpc: { nodes: [{ url, wsUrl: url }] } }, "rpc.nodes[0].wsUrl must be a ws or wss url"],
    [{ rpc: { nodes: [{ url, type: 2 }] } }, 'rpc.nodes[0].type must be "normal" or "archive" or 0 or 1'],
    [{ rpc: { nodes: [{ url, weight: 0 }] } }, "rpc.nodes[0].weight must be a number above 0"],
    [
      { rpc: { nodes: [{ url, headers: [] }] } },
      "rpc.nodes[0].headers must be an object of strings, not a list"
    ],
    [{ rpc: { nodes: [{ url, headers: { a: 1 } }] } }, "rpc.nodes[0].headers must be an object of strings"],
    [
      { rpc: { nodes: [{ url, headers: { "a b": "1" } }] } },
      "rpc.nodes[0].headers must have only names and values"
    ],
    [
      { rpc: { nodes: [{ url, headers: { a: "1\n2" } }] } },
      "rpc.nodes[0].headers must have only names and values"
    ],
    [
      { rpc: { nodes: [{ url, sendApiKey: 1 }] } },
      "rpc.nodes[0].sendApiKey must be true or false, not number 1"
    ],
    [{ rpc: { nodes: [{ url, sendKey: true }] } }, "rpc.nodes[0].sendKey is not an option"],
    [{ rpc: { oneTimeLoadBalancing: "yes" } }, "rpc.oneTimeLoadBalancing must be true or false"],
    [{ rpc: { allowedBlocksBehind: -1 } }, "rpc.allowedBlocksBehind must be a whole number"],
    [{ rpc: { evictNodesOnFailure: 0 } }, "rpc.evictNodesOnFailure must be true or false"],
    [{ rpc: { statusCheckInterval: 0 } }, "rpc.statusCheckInterval must be a number above 0"],
    [{ provider: 5 }, 'provider must be "sandbox", a url or { baseUrl, nodeListUrl, domain }, not number 5'],
    [{ provider: { baseUrl: "gw.example" } }, "provider.baseUrl must be an absolute url"],
    [
      { provider: { baseUrl: "https://u:p@gw.example" } },
      "provider.baseUrl must have no query, fragment or user info"
    ],
    [{ provider: { baseUrl: "https://gw.example/?k=1" } }, "provider.baseUrl must have no query"],
    [
      { provider: { baseUrl: "https://x.example", nodeListUrl: "ftp://x.example" } },
      "provider.nodeListUrl must be an http or https url"
    ],
    [
      { provider: { baseUrl: "https://x.example", domain: "https://x.example" } },
      "provider.domain must be a host name"
    ],
    [{ provider: { baseUrl: "https://x.example", domain: "" } }, "provider.domain must be a host name"],
    [
      { provider: { domain: "x.example" } },
      'provider.baseUrl is missing: give "sandbox", a url or { baseUrl, nodeListUrl, domain }'
    ],
    [{ provider: "sandbx" }, 'provider is not "sandbox", and must be an absolute url'],
    [{ provider: "https://x.example/?k=1" }, 'provider is not "sandbox", and must have no query'],
    [{ dataApi: "v2" }, 'dataApi must be "auto" or "v4" or "legacy"'],
    [{ sendSdkHeaders: "no" }, "sendSdkHeaders must be true or false"],
    [{ verifyChain: 1 }, "verifyChain must be true or false"],
    [{ selection: "random" }, 'selection must be "fastest" or "p2c"'],
    [{ selection: { node: "nowhere" } }, "selection.node must be an absolute url"],
    [{ selection: {} }, 'selection must be "fastest" or "p2c"'],
    [{ hedge: "yes" }, "hedge must be true, false or an object with maxExtraLoad, delay"],
    [{ hedge: { maxExtraLoad: 2 } }, "hedge.maxExtraLoad must be a number from 0 to 1"],
    [{ retryBudget: { burst: -1 } }, "retryBudget.burst must be a whole number from 0"],
    [{ coalesce: "reads" }, "coalesce must be true or false, not a string"],
    [{ batch: 100 }, "batch must be true, false or an object with size, bytes, window, not number 100"],
    [{ batch: { size: 0 } }, "batch.size must be a whole number from 1, not number 0"],
    [{ batch: { bytes: 1.5 } }, "batch.bytes must be a whole number from 1, not number 1.5"],
    [{ batch: { window: -1 } }, "batch.window must be a number of milliseconds from 0, not number -1"],
    [{ batch: { wait: 1 } }, "batch.wait is not an option; there are size, bytes, window"],
    [{ logger: {} }, "logger must have the functions trace, debug, info, warn, error"],
    [{ logger: { ...console, warn: undefined } }, "logger must have the functions warn"],
    [{ logger: null }, "logger must have the functions"],
    [{ quiet: "true" }, "quiet must be true or false, not a string"],
    [{ verbose: 1 }, "verbose must be true or false"],
    [{ configureExtensions: {} }, "configureExtensions must be a list"],
    [{ configureExtensions: [null] }, "configureExtensions[0] must be an object, not null"],
    [{ configureExtensions: [class Old {}] }, "configureExtensions[0] must be an object, not a function"],
    [{ configureExtensions: [{}] }, "configureExtensions[0].name must be a name"],
    [{ configureExtensions: [{ name: "" }] }, "configureExtensions[0].name must be a name"],
    [
      { configureExtensions: [{ name: "a", supportedNetworks: ["moon"] }] },
      "configureExtensions[0].supportedNetworks"
    ],
    [{ configureExtensions: [{ name: "a", init: 5 }] }, "configureExtensions[0].init must be a function"],
    [
      { configureWalletProviders: [{ name: "a", provider: {} }] },
      "configureWalletProviders[0].provider must be an EIP-1193 provider"
    ],
    [
      { configureWalletProviders: [{ name: "a", destroy: 5 }] },
      "configureWalletProviders[0].destroy must be a function"
    ],
    [
      { apikey: "x" },
      "apikey is not an option; did you mean apiKey? There are network, apiKey, version, retryCount"
    ],
    [{ toString: 5 }, "toString is not an option"],
    [{ network: true }, "network must be the id of a network, not boolean true"],
    [{ network: null }, "network must be the id of a network, not null"],
    [{ network: undefined }, "network is missing"]
  ]

  it.effect.each(wrong)("is named with its field (%#)", ([config, issue]) =>
    Effect.gen(function* () {
      const issues = yield* issuesOf({ network, ...config })
      expect(issues).toHaveLength(1)
      expect(issues[0]?.startsWith(issue) ? issue : issues[0]).toBe(issue)
    })
  )

  it.effect("is named all at once", () =>
    Effect.gen(function* () {
      const issues = yield* issuesOf({
        timeout: -1,
        retrycount: 1,
        rpc: { nodes: [{ url: "x" }, { url: 1, type: "old" }] },
        provider: { baseUrl: 1 }
      })
      expect(issues.map((issue) => issue.split(" ")[0])).toEqual([
        "network",
        "timeout",
        "retrycount",
        "rpc.nodes[0].url",
        "rpc.nodes[1].url",
        "rpc.nodes[1].type",
        "provider.baseUrl"
      ])
    })
  )

  it.effect.each([null, undefined, 5, "ethereum-mainnet", [], () => 1])(
    "may be the whole configuration (%#)",
    (config) =>
      Effect.gen(function* () {
        expect((yield* issuesOf(config))[0]).toBe("config must be an object")
      })
  )

  it.effect("never repeats text that may be a key in the wrong place", () =>
    Effect.gen(function* () {
      const key = "t-0123456789abcdef-SECRET"
      const config = {
        network,
        version: key,
        retryCount: key,
        verbose: key,
        rpc: {
          nodes: [
            { url: `node.example/v3/${key}` },
            { url: `wss://x.example/${key}` },
            { url: "https://x.example", sendApiKey: key }
          ],
          statusCheckInterval: key
        },
        provider: { baseUrl: `https://x.example?key=${key}`, domain: `/${key}` },
        apiKey: { v3: `${key}\n` }
      }
      const error = yield* Effect.flip(resolveAny(config))
      for (const text of [
        error.message,
        String(error),
        inspect(error, { depth: 9 }),
        JSON.stringify(error)
      ]) {
        expect(text).not.toContain("SECRET")
      }
      expect(yield* issuesOf(config)).toHaveLength(10)
    })
  )

  it.prop(
    "is told, never thrown, whatever the configuration is",
    { config: FastCheck.anything(), extra: FastCheck.anything() },
    ({ config, extra }) => {
      for (const input of [
        config,
        { network, ...Object(config) },
        { network, rpc: config, provider: extra }
      ]) {
        const outcome = Effect.runSync(Effect.either(resolveAny(input)))
        if (outcome._tag === "Left")
          expect(["InvalidConfig", "UnsupportedNetwork"]).toContain(outcome.left._tag)
      }
    },
    { fastCheck: { numRuns: runs(300) } }
  )

  it.effect.each<readonly [id: string, suggestion: string | undefined]>([
    ["etherum-mainnet", "ethereum-mainnet"],
    ["ethereum", "ethereum-mainnet"],
    ["Polygon_Mainnet", "polygon-mainnet"],
    ["bitcoin-mainet", "bitcoin-mainnet"],
    ["moon", undefined],
    ["", undefined],
    ["toString", undefined],
    ["x".repeat(100_000), undefined]
  ])("may be the network's id: the nearest one is suggested (%#)", ([id, suggestion]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(resolveAny({ network: id }))
      // what is no name at all is not repeated in full
      const network = expect.stringMatching(
        id.length > 100 ? /^x{4000,8192}… \(9\d{4} characters more\)$/ : /./
      )
      expect(error).toMatchObject({ _tag: "UnsupportedNetwork", network: id.length < 100 ? id : network })
      expect(Reflect.get(error, "suggestion")).toBe(suggestion)
    })
  )
})

describe("a node of the user's own", () => {
  it.effect.each([
    ["https://node.example", "https://node.example"],
    ["https://node.example/", "https://node.example"],
    ["https://node.example///", "https://node.example"],
    ["https://node.example/v3/KEY/", "https://node.example/v3/KEY"],
    ["https://node.example/v3/KEY", "https://node.example/v3/KEY"],
    ["  https://node.example/ ", "https://node.example"],
    ["http://127.0.0.1:8545/", "http://127.0.0.1:8545"],
    ["http://[::1]:8545", "http://[::1]:8545"],
    ["https://node.example/?key=a", "https://node.example/?key=a"]
  ])("has its url without trailing slashes: %j", ([url, expected]) =>
    Effect.gen(function* () {
      const { nodes } = yield* resolve({ network, rpc: { nodes: [{ url: url ?? "" }] } })
      expect(nodes).toEqual([{ url: expected, type: "NORMAL", headers: {}, sendApiKey: false }])
    })
  )

  it.effect("is normal unless it says archive, by word or number", () =>
    Effect.gen(function* () {
      const url = "https://node.example"
      const types = [undefined, "normal", 0, "archive", 1] as const
      const entries = types.map((type) => ({ url, ...(type === undefined ? {} : { type }) }))
      const { nodes } = yield* resolve({ network, rpc: { nodes: entries } })
      expect(nodes?.map((node) => node.type)).toEqual(["NORMAL", "NORMAL", "NORMAL", "ARCHIVE", "ARCHIVE"])
    })
  )

  /** What a server reads from a Basic header (RFC 7617, UTF-8). */
  const read = (header: string | undefined): string =>
    Buffer.from(String(header).replace(/^Basic /, ""), "base64").toString("utf8")

  it.effect.each([
    ["https://user:pass@node.example/", "https://node.example", "user:pass"],
    ["https://user@node.example/rpc/", "https://node.example/rpc", "user:"],
    ["https://:pass@node.example", "https://node.example", ":pass"],
    ["https://us%40er:p%3Ass%2F@node.example", "https://node.example", "us@er:p:ss/"],
    ["https://jürgen:pässwörd€😀@node.example", "https://node.example", "jürgen:pässwörd€😀"],
    ["https://j%C3%BCrgen:x@node.example", "https://node.example", "jürgen:x"],
    ["https://100%:50%zz@node.example", "https://node.example", "100%:50%zz"],
    ["http://user:pass@127.0.0.1:8332/wallet/a", "http://127.0.0.1:8332/wallet/a", "user:pass"]
  ])("has the user info of %j in a header, and no longer in its url", ([url, expected, userInfo]) =>
    Effect.gen(function* () {
      const { nodes } = yield* resolve({ network, rpc: { nodes: [{ url: url ?? "" }] } })
      expect(nodes?.[0]?.url).toBe(expected)
      expect(nodes?.[0]?.headers.authorization).toMatch(/^Basic [A-Za-z0-9+/]+=*$/)
      expect(read(nodes?.[0]?.headers.authorization)).toBe(userInfo)
    })
  )

  it.prop(
    "keeps any user and password that a url can hold",
    { user: FastCheck.fullUnicodeString({ minLength: 1 }), password: FastCheck.fullUnicodeString() },
    ({ password, user }) => {
      const url = `https://${encodeURIComponent(user)}:${encodeURIComponent(password)}@node.example`
      const node = resolveNode({ url })
      expect(read(node.headers.authorization)).toBe(`${user}:${password}`)
      expect(node.url).toBe("https://node.example")
    }
  )

  it.effect("has headers of its own, whose names become lower case and win over user info", () =>
    Effect.gen(function* () {
      const { nodes } = yield* resolve({
        network,
        rpc: {
          nodes: [
            {
              url: "https://user:pass@node.example",
              headers: { Authorization: "Bearer x", "X-Custom": "1", "Content-Type": "application/json" },
              sendApiKey: true
            }
          ]
        }
      })
      expect(nodes?.[0]).toEqual({
        url: "https://node.example",
        type: "NORMAL",
        headers: { authorization: "Bearer x", "x-custom": "1", "content-type": "application/json" },
        sendApiKey: true
      })
    })
  )
})

describe("keys", () => {
  const keysOf = (apiKey: Config.ApiKey | undefined) =>
    Effect.map(resolve({ network, ...(apiKey === undefined ? {} : { apiKey }) }), ({ apiKey: { V3, V4 } }) =>
      [V3, V4].map((key) => (key === undefined ? undefined : Redacted.value(key)))
    )

  it.effect("are one for both versions, one for each, or one that serves the other too", () =>
    Effect.gen(function* () {
      expect(yield* keysOf("k")).toEqual(["k", "k"])
      expect(yield* keysOf(Redacted.make("k"))).toEqual(["k", "k"])
      expect(yield* keysOf({ v3: "three", v4: Redacted.make("four") })).toEqual(["three", "four"])
      expect(yield* keysOf({ v3: "three" })).toEqual(["three", "three"])
      expect(yield* keysOf({ v4: "four" })).toEqual(["four", "four"])
      expect(yield* keysOf({ v3: "", v4: "four" })).toEqual(["four", "four"])
      for (const none of [undefined, "", {}, { v3: "" }])
        expect(yield* keysOf(none)).toEqual([undefined, undefined])
    })
  )

  const placeholders = [
    "your key",
    "your-key",
    "YOUR_API_KEY",
    "yourApiKey",
    "<your Tatum API key>",
    "<key>",
    "{{key}}",
    "{KEY}",
    "[token]",
    "t-…",
    "t-...",
    "api-key",
    "MY_API_KEY",
    "xxx",
    "xxxxxxxx-xxxx-xxxx",
    "****"
  ]

  it.effect.each(placeholders)("are no placeholders such as %j, which are told as such", (text) =>
    Effect.gen(function* () {
      for (const apiKey of [text, Redacted.make(text), { v4: text }]) {
        const [issue, ...others] = yield* issuesOf({ network, apiKey })
        expect(others).toEqual([])
        expect(issue).toMatch(
          /^apiKey(\.v4)? is a placeholder: get a key at https:\S+, or leave it out: the sandbox and many networks need none$/
        )
      }
    })
  )

  const letters = FastCheck.constantFrom(..."0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
  const digits = FastCheck.constantFrom(..."0123456789abcdef")
  const text = (of: FastCheck.Arbitrary<string>, length: number) =>
    FastCheck.string({ unit: of, minLength: length, maxLength: length })

  it.prop(
    "of any provider's form are taken: hexadecimal with dashes, Base64, tokens",
    {
      key: FastCheck.oneof(
        FastCheck.uuid(),
        FastCheck.tuple(text(digits, 24), text(digits, 24)).map(([a, b]) => `t-${a}-${b}`),
        text(letters, 32),
        FastCheck.tuple(text(letters, 8), text(letters, 20)).map(([a, b]) => `${a}_${b}==`)
      )
    },
    ({ key }) => {
      FastCheck.pre(new Set(key).size > 3 && !/key/i.test(key))
      expect(Effect.runSync(keysOf(key))).toEqual([key, key])
    }
  )

  it.effect("are never printed, nor is what a node's url holds described", () =>
    Effect.gen(function* () {
      const resolved = yield* resolve({
        network,
        apiKey: { v3: "SECRET-3", v4: "SECRET-4" },
        rpc: { nodes: [{ url: "https://node.example/SECRET-5" }] }
      })
      const { nodes: _, ...rest } = resolved
      for (const text of [
        inspect(rest, { depth: 9, showHidden: true }),
        JSON.stringify(rest),
        String(rest.apiKey.V3)
      ]) {
        expect(text).not.toContain("SECRET")
      }
      expect(Config.describe(resolved)).toBe("ethereum-mainnet over https://node.example/…")
      expect(makeKeyHeader(resolved)).toEqual({ "x-api-key": "SECRET-4" })
      expect(makeKeyHeader(resolved, "V3")).toEqual({ "x-api-key": "SECRET-3" })
    })
  )

  it.effect("stand in the url of the gateway's nodes, as the provider wants it", () =>
    Effect.gen(function* () {
      const withKey = yield* resolve({ network, apiKey: { v3: "KEY", v4: "OTHER" } })
      expect(gatewayNodeUrl(withKey)).toBe("https://api.tatum.io/v3/blockchain/node/ethereum-mainnet/KEY")
      const without = yield* resolve({ network })
      expect(gatewayNodeUrl(without)).toBe("https://api.tatum.io/v3/blockchain/node/ethereum-mainnet")
    })
  )

  it.effect(
    "and the SDK's headers go to the provider, to nodes that ask for the key, and to nobody else",
    () =>
      Effect.gen(function* () {
        const config = yield* resolve({ network, apiKey: "KEY", verbose: true })
        const own = makeHeaders(config, "https://api.tatum.io/v4/x", { body: false })
        expect(own).toMatchObject({
          "content-type": "application/json",
          "x-api-key": "KEY",
          "x-ttm-sdk-product": "JS",
          "x-ttm-sdk-debug": "true"
        })
        expect(Object.keys(own)).toHaveLength(5)
        expect(makeHeaders(config, "https://eviltatum.io", { body: true })).toEqual({
          "content-type": "application/json"
        })
        expect(makeHeaders(config, "https://node.example", { body: false })).toEqual({})
        expect(makeHeaders(config, "https://node.example", { body: false, sendApiKey: true })).toEqual({
          "x-api-key": "KEY"
        })
        const everywhere = yield* resolve({ network, apiKey: "KEY", sendSdkHeaders: true })
        const sent = makeHeaders(everywhere, "https://node.example", { body: false })
        expect(sent).not.toHaveProperty("x-api-key")
        expect(Object.keys(sent)).toHaveLength(4)
      })
  )
})

describe("the provider's own urls", () => {
  const provider = { domain: "tatum.io", baseUrl: "https://api.tatum.io" }

  it.each([
    "https://tatum.io",
    "https://api.tatum.io/v4/data/balances?chain=x",
    "https://rpc.tatum.io/ethereum-mainnet/list.json",
    "https://a.b.c.tatum.io",
    "https://API.Tatum.IO",
    "HTTPS://API.TATUM.IO/",
    "https://api.tatum.io:443/",
    "https://api.tatum.io:8443/",
    "https://api.tatum.io/@evil.example",
    "https://api.tatum.io?@evil.example",
    "https://api.tatum.io\\path"
  ])("are on its domain, over https: %s", (url) => expect(isProviderUrl(provider, url)).toBe(true))

  it.each([
    "https://eviltatum.io",
    "https://evil-tatum.io",
    "https://tatum.io.evil.example",
    "https://api.tatum.io.evil.example/tatum.io",
    "https://tatum.iox",
    "https://tatum.i",
    "https://xtatum.io/api.tatum.io",
    "https://evil.example/tatum.io",
    "https://evil.example?host=api.tatum.io",
    "https://evil.example#api.tatum.io",
    "https://evil.example/.tatum.io",
    "https://api.tatum.io@evil.example",
    "https://api.tatum.io:443@evil.example",
    "https://tatum.io%2f@evil.example",
    "https://user:pass@api.tatum.io",
    "https://user@api.tatum.io",
    "https://evil.example\\@api.tatum.io",
    "https://evil.example\\.tatum.io",
    "https://evil.example\u2215.tatum.io.evil.example",
    "https://tatum.io.",
    "https://api.tatum.io.",
    "https://api.tatum.io..",
    "https://api.tatum。io.evil.example",
    "https://tаtum.io",
    "https://api.tаtum.io",
    "https://tatum\u200b.io.example",
    "https://xn--ttum-63d.io",
    "https://ta.tum.io",
    "https://tatumio",
    "https://tatum-io",
    "https://io",
    "http://tatum.io",
    "http://api.tatum.io",
    "http://api.tatum.io:443",
    "ws://api.tatum.io",
    "wss://api.tatum.io",
    "ftp://api.tatum.io",
    "file://api.tatum.io/x",
    "javascript://api.tatum.io/%0aalert(1)",
    "data:text/html,https://api.tatum.io",
    "blob:https://api.tatum.io/1",
    "//api.tatum.io",
    "api.tatum.io",
    "https:",
    "https://",
    "",
    " ",
    "https://[::ffff:tatum.io]",
    "https://127.0.0.1/.tatum.io",
    "https://api.tatum.io:99999"
  ])("are not: %s", (url) => expect(isProviderUrl(provider, url)).toBe(false))

  it.prop(
    "are never on a host that merely looks like it",
    {
      prefix: FastCheck.stringMatching(/^[a-z0-9-]{1,10}$/),
      suffix: FastCheck.stringMatching(/^[a-z0-9-]{1,10}$/)
    },
    ({ prefix, suffix }) => {
      for (const host of [
        `${prefix}tatum.io`,
        `tatum.io${suffix}`,
        `tatum.io.${suffix}`,
        `tatum.${prefix}.io`,
        `x.${prefix}tatum.io`
      ]) {
        expect(isProviderUrl(provider, `https://${host}/x`)).toBe(false)
      }
    },
    { fastCheck: { numRuns: runs(300) } }
  )

  it.effect(
    "of a provider of one's own are on the host of its base url, and plain http is for that host alone",
    () =>
      Effect.gen(function* () {
        const sandbox = yield* resolve({ network, provider: { baseUrl: "http://127.0.0.1:4000" } })
        expect(sandbox.domain).toBe("127.0.0.1")
        expect(isProviderUrl(sandbox, "http://127.0.0.1:4000/v4/x")).toBe(true)
        expect(isProviderUrl(sandbox, "http://127.0.0.1:5000/node")).toBe(true)
        expect(isProviderUrl(sandbox, "http://127.0.0.2:4000")).toBe(false)
        expect(isProviderUrl(sandbox, "https://api.tatum.io")).toBe(false)
        const mixed = yield* resolve({
          network,
          provider: { baseUrl: "http://gw.lan:1", domain: "lan" }
        })
        expect(isProviderUrl(mixed, "http://gw.lan:2")).toBe(true)
        expect(isProviderUrl(mixed, "http://other.lan")).toBe(false)
        expect(isProviderUrl(mixed, "https://other.lan")).toBe(true)
      })
  )
})

const within =
  (variables: Readonly<Record<string, string>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withConfigProvider(effect, ConfigProvider.fromMap(new Map(Object.entries(variables))))

const layered = (config: Config.SdkConfig, variables: Readonly<Record<string, string>>) =>
  Effect.scoped(
    Effect.map(within(variables)(Layer.build(Config.layer(config))), (context) =>
      Context.get(context, Config.Config)
    )
  )

describe("the environment", () => {
  it.effect("sets nothing where it says nothing", () =>
    Effect.gen(function* () {
      expect(yield* within({})(Config.fromEnvironment())).toEqual({})
    })
  )

  it.effect("takes a variable that is set to nothing for one that is not set", () =>
    Effect.gen(function* () {
      const variables = { TATUM_RETRY_COUNT: "", TATUM_TIMEOUT: "", TATUM_QUIET: "", TATUM_API_KEY: "KEY" }
      const { apiKey: _, ...rest } = yield* within(variables)(Config.fromEnvironment())
      expect(rest).toEqual({})
    })
  )

  it.effect("sets the options that it names", () =>
    Effect.gen(function* () {
      const options = yield* within({
        TATUM_API_KEY: "SECRET",
        TATUM_VERSION: "V3",
        TATUM_RETRY_COUNT: "0",
        TATUM_RETRY_DELAY: "1.5",
        TATUM_TIMEOUT: "5000",
        TATUM_ATTEMPT_TIMEOUT: "400",
        TATUM_QUIET: "true",
        TATUM_VERBOSE: "false",
        TATUM_NODES: "https://one.example, https://two.example/"
      })(Config.fromEnvironment())
      const { apiKey, ...rest } = options
      expect(rest).toEqual({
        version: "V3",
        retryCount: 0,
        retryDelay: 1.5,
        timeout: 5_000,
        attemptTimeout: 400,
        quiet: true,
        verbose: false,
        rpc: { nodes: [{ url: "https://one.example" }, { url: "https://two.example/" }] }
      })
      expect(Redacted.isRedacted(apiKey) && Redacted.value(apiKey)).toBe("SECRET")
      for (const text of [inspect(options, { depth: 9 }), JSON.stringify(options)])
        expect(text).not.toContain("SECRET")
      expect(yield* resolve({ network, ...options })).toMatchObject({ retryCount: 0, version: "V3" })
    })
  )

  it.effect("has a key per version, and the common one for the other", () =>
    Effect.gen(function* () {
      const keys = (variables: Readonly<Record<string, string>>) =>
        Effect.gen(function* () {
          const options = yield* within(variables)(Config.fromEnvironment())
          const { apiKey } = yield* resolve({ network, ...options })
          return [apiKey.V3, apiKey.V4].map((key) => key && Redacted.value(key))
        })
      expect(yield* keys({ TATUM_API_KEY_V3: "3", TATUM_API_KEY_V4: "4" })).toEqual(["3", "4"])
      expect(yield* keys({ TATUM_API_KEY_V3: "3", TATUM_API_KEY: "k" })).toEqual(["3", "k"])
      expect(yield* keys({ TATUM_API_KEY_V4: "4" })).toEqual(["4", "4"])
    })
  )

  it.effect.each([
    { TATUM_RETRY_COUNT: "many" },
    { TATUM_VERSION: "V5" },
    { TATUM_QUIET: "perhaps" },
    { TATUM_TIMEOUT: "soon" }
  ])("that cannot be read fails with the variable's name: %j", (variables) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(within(variables)(Config.fromEnvironment()))
      const [name = ""] = Object.keys(variables)
      // by its name alone: a path of it twice is that of no variable
      expect(String(error).split(name)).toHaveLength(2)
    })
  )

  it.effect(
    "puts TATUM_URL in place of the base url and its version, unless the configuration has a base url",
    () =>
      Effect.gen(function* () {
        const moved = yield* layered({ network }, { TATUM_URL: "https://override.example/v9/" })
        // node lists, gateway nodes and calls of a given version stay where they are
        expect(moved).toMatchObject({
          baseUrlOverride: "https://override.example/v9",
          baseUrl: "https://api.tatum.io"
        })
        expect(gatewayNodeUrl(moved)).toContain("https://api.tatum.io/v3/")
        const own = { network, provider: { baseUrl: "https://own.example/v3" } } as const
        expect(yield* layered(own, { TATUM_URL: "https://api-eu.tatum.io" })).toMatchObject({
          baseUrl: "https://own.example",
          baseUrlOverride: undefined,
          domain: "own.example"
        })
        for (const variables of [{}, { TATUM_URL: "" }]) {
          expect(yield* layered({ network }, variables)).toMatchObject({
            baseUrl: "https://api.tatum.io",
            baseUrlOverride: undefined
          })
        }
      })
  )

  it.effect("that moves the base url elsewhere takes the key along to that origin, and to no other", () =>
    Effect.gen(function* () {
      const config = yield* layered({ network, apiKey: "KEY" }, { TATUM_URL: "http://127.0.0.1:4000/v4" })
      const key = (url: string) => makeHeaders(config, url, { body: false })["x-api-key"]
      expect(key("http://127.0.0.1:4000/v4/data/balances")).toBe("KEY")
      expect(key("http://127.0.0.1:8545")).toBeUndefined()
      expect(key("https://rpc.tatum.io/x/list.json")).toBe("KEY")
      expect(key("http://rpc.tatum.io/x/list.json")).toBeUndefined()
    })
  )

  it.effect("with a TATUM_URL that is no url names the variable", () =>
    Effect.gen(function* () {
      for (const url of ["api.tatum.io", "ftp://x.example", "https://u:p@x.example"]) {
        const error = yield* Effect.flip(layered({ network }, { TATUM_URL: url }))
        expect(error).toMatchObject({ _tag: "InvalidConfig", issues: [{ path: "TATUM_URL" }] })
      }
    })
  )
})

describe("the provider", () => {
  const sandbox = {
    baseUrl: "http://127.0.0.1:4100",
    nodeListUrl: "http://127.0.0.1:4100",
    domain: "127.0.0.1"
  }
  const publicOne = {
    baseUrl: "https://api.tatum.io",
    nodeListUrl: "https://rpc.tatum.io",
    domain: "tatum.io"
  }

  it.effect("is the sandbox, a url with everything, or parts of one provider", () =>
    Effect.gen(function* () {
      expect(yield* resolve({ network })).toMatchObject(publicOne)
      expect(yield* resolve({ network, provider: "sandbox" })).toMatchObject(sandbox)
      expect(yield* resolve({ network, provider: "https://gw.example/v4/" })).toMatchObject({
        baseUrl: "https://gw.example",
        nodeListUrl: "https://gw.example",
        domain: "gw.example"
      })
      // lists of nodes are never those of another provider, which would get calls and key
      expect(yield* resolve({ network, provider: { baseUrl: "https://gw.example" } })).toMatchObject({
        nodeListUrl: "https://gw.example",
        domain: "gw.example"
      })
    })
  )

  it.effect.each([
    [{ nodeListUrl: "https://lists.example" }, "provider.baseUrl"],
    [{ domain: "gw.example" }, "provider.baseUrl"],
    [{}, "provider.baseUrl"],
    ["sand box", "provider"],
    ["tatum", "provider"],
    [7, "provider"]
  ] as const)("%j is refused with the place of its mistake", ([provider, path]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(resolve({ network, provider: provider as never }))
      expect(error).toMatchObject({ _tag: "InvalidConfig", issues: [{ path }] })
    })
  )

  const host = FastCheck.constantFrom("one.example", "two.example", "api.one.example", "127.0.0.1")
  const origin = FastCheck.tuple(
    FastCheck.constantFrom("https", "http"),
    host,
    FastCheck.constantFrom("", ":8080")
  ).map(([scheme, name, port]) => `${scheme}://${name}${port}`)
  const subset = FastCheck.record(
    { baseUrl: origin, nodeListUrl: origin, domain: host },
    { requiredKeys: [] }
  )

  it.prop(
    "has no url of another provider, whichever of its parts are given, or is refused",
    { given: subset, isVariable: FastCheck.boolean() },
    ({ given, isVariable }) => {
      const made = Effect.runSync(
        Effect.either(
          isVariable && given.baseUrl !== undefined
            ? resolve({ network }, { EFFECT_CHAINS_PROVIDER: given.baseUrl })
            : resolve({ network, provider: given as NonNullable<Config.SdkConfig["provider"]> })
        )
      )
      if (made._tag === "Left") {
        expect(given.baseUrl).toBeUndefined()
        expect(made.left).toMatchObject({ issues: [{ path: "provider.baseUrl" }] })
        return
      }
      const { baseUrl, domain, nodeListUrl } = made.right
      const parts = isVariable ? { baseUrl: given.baseUrl } : given
      expect({ baseUrl, nodeListUrl, domain }).toEqual({
        nodeListUrl: given.baseUrl,
        domain: new URL(given.baseUrl ?? "").hostname,
        ...parts
      })
      expect(`${baseUrl} ${nodeListUrl} ${domain} ${gatewayNodeUrl(made.right)}`).not.toContain("tatum")
      for (const url of ["https://api.tatum.io/v4/x", "https://rpc.tatum.io/x"])
        expect(isProviderUrl(made.right, url)).toBe(false)
    }
  )

  it.effect("is that of EFFECT_CHAINS_PROVIDER, unless the configuration names one", () =>
    Effect.gen(function* () {
      const variables = { EFFECT_CHAINS_PROVIDER: "sandbox", TATUM_URL: "https://other.example/v4" }
      expect(yield* layered({ network }, variables)).toMatchObject({
        ...sandbox,
        baseUrlOverride: undefined,
        isMoved: true
      })
      expect(yield* layered({ network }, { EFFECT_CHAINS_PROVIDER: "http://127.0.0.1:9/" })).toMatchObject({
        baseUrl: "http://127.0.0.1:9",
        nodeListUrl: "http://127.0.0.1:9"
      })
      expect(yield* layered({ network, provider: "https://gw.example" }, variables)).toMatchObject({
        baseUrl: "https://gw.example",
        isMoved: false
      })
      expect(yield* layered({ network }, { EFFECT_CHAINS_PROVIDER: "" })).toMatchObject(publicOne)
      const error = yield* Effect.flip(layered({ network }, { EFFECT_CHAINS_PROVIDER: "sandbx" }))
      expect(error).toMatchObject({ _tag: "InvalidConfig", issues: [{ path: "EFFECT_CHAINS_PROVIDER" }] })
    })
  )

  it.effect("needs no nodes of one's own where the public one has none", () =>
    Effect.gen(function* () {
      expect(
        yield* layered({ network: "xlayer-mainnet" }, { EFFECT_CHAINS_PROVIDER: "sandbox" })
      ).toMatchObject(sandbox)
    })
  )
})

describe("node lists", () => {
  it.effect("are asked for load-balanced networks without nodes of the user's own", () =>
    Effect.gen(function* () {
      const uses = (config: Config.SdkConfig) => Effect.map(resolve(config), usesNodeLists)
      expect(yield* uses({ network })).toBe(true)
      expect(yield* uses({ network, rpc: { nodes: [{ url: "https://x.example" }] } })).toBe(false)
      expect(yield* uses({ network, rpc: { nodes: [] } })).toBe(false)
      expect(yield* uses({ network: "near-mainnet" })).toBe(false)
    })
  )
})
