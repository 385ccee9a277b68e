// @runtime both
import { expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { describe } from "vitest"
import { ClientFamily } from "../../src/balancer/Family.js"
import * as NodePool from "../../src/balancer/NodePool.js"
import * as Config from "../../src/config/Config.js"
import * as Logger from "../../src/config/Logger.js"
import { get } from "../../src/data/Endpoint.js"
import { Http } from "../../src/http/Http.js"
import { make as makeClient } from "../../src/transport/Client.js"

import {
  A,
  ARCHIVE_LIST,
  B,
  type Behaviour,
  C,
  checkedConfig,
  delayAnswer,
  errorAnswer,
  failureAnswer,
  isCheck,
  isProbe,
  LIST,
  makeNode,
  makeWorld,
  type NodeAnswer,
  type NodeRequest,
  resultAnswer,
  runEither,
  runLeft,
  runRight,
  runTimed,
  runWithin,
  settle,
  slowNode,
  staticConfig,
  textAnswer,
  unreachableNode,
  type World,
  withCallOptions
} from "./world.js"

describe("nodes of the user's own", () => {
  it.scoped("are used as they are configured, without a list, a check of hosts or a slash at the end", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: staticConfig("http://127.0.0.1:8545///"),
        nodes: { "http://127.0.0.1:8545": makeNode() }
      })
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      expect(w.hosts()).toEqual(["http://127.0.0.1:8545"])
      expect(yield* w.pool.snapshot).toEqual([
        {
          url: "http://127.0.0.1:8545",
          type: "NORMAL",
          active: true,
          failed: false,
          lastBlock: 0,
          lastResponseTime: 0
        }
      ])
    })
  )

  it.scoped("are asked nothing before the first call", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ config: staticConfig(A, B), nodes: {} })
      yield* TestClock.adjust("10 minutes")
      expect(w.sent).toEqual([])
    })
  )

  it.scoped("are each in the pool once, and probed once a round", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: staticConfig(A, B, C),
        nodes: { [A]: makeNode(), [B]: makeNode(), [C]: makeNode() }
      })
      yield* w.pool.check
      expect(yield* w.pool.snapshot).toHaveLength(3)
      expect(
        w
          .probes()
          .map(({ url }) => url)
          .toSorted()
      ).toEqual([A, B, C])
    })
  )

  it.scoped(
    "get user info as a header, headers of their own, and the key only where the entry asks for it",
    () =>
      Effect.gen(function* () {
        const w = yield* makeWorld({
          config: {
            apiKey: "KEY",
            rpc: {
              nodes: [
                { url: "https://us%40er:p%C3%A4ss@a.example/path/" },
                { url: B, headers: { "x-own": "1" } },
                { url: C, sendApiKey: true }
              ]
            }
          },
          nodes: {
            [A]: unreachableNode,
            [B]: makeNode((ask) => (isCheck(ask) ? undefined : failureAnswer("connect"))),
            [C]: makeNode()
          }
        })
        yield* runRight(w.rpc.gasPrice())
        const headers = (url: string) =>
          w.sent.filter((ask) => ask.url === url).map((ask) => ask.request.headers)
        const own = { "content-type": "application/json" }
        const basic = `Basic ${Buffer.from("us@er:p\u00e4ss", "utf8").toString("base64")}`
        expect(headers("https://a.example/path").length).toBeGreaterThan(0)
        for (const each of headers("https://a.example/path"))
          expect(each).toEqual({ ...own, authorization: basic })
        expect(headers(B).length).toBeGreaterThan(1)
        for (const each of headers(B)) expect(each).toEqual({ ...own, "x-own": "1" })
        expect(headers(C).length).toBeGreaterThan(0)
        for (const each of headers(C)) expect(each).toEqual({ ...own, "x-api-key": "KEY" })
        expect(w.sent.map(({ url }) => url).filter((url) => url.includes("@"))).toEqual([])
      })
  )

  it.scoped("may be none at all: that is said at the start, and by every call", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ config: staticConfig(), nodes: {} })
      const why = yield* runLeft(w.rpc.gasPrice())
      expect(why._tag).toBe("NoActiveNode")
      expect(why.message).toBe("No active NORMAL node found.")
      expect(why.details).toContain("Why: No RPC URLs provided: rpc.nodes is empty")
      expect(w.logs).toContain("error: No RPC URLs provided")
      expect(w.sent).toEqual([])
    })
  )
})

describe("nodes of which none takes a call", () => {
  const keyed = "https://keyed.example/v3/0123456789abcdef0123456789abcdef"
  const [D, E, F] = ["https://d.example", "https://e.example", "https://f.example"] as const

  it.scoped("are named with the last cause of each, without the secrets of their urls", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: staticConfig(keyed, B, C, D, E, F),
        nodes: {
          [keyed]: unreachableNode,
          [B]: makeNode((ask) => (isCheck(ask) ? resultAnswer(ask, "0x5") : undefined)),
          [C]: () => textAnswer("no", 503),
          [D]: () => failureAnswer("timeout"),
          [E]: makeNode((ask) => (isProbe(ask) ? resultAnswer(ask, null) : undefined)),
          [F]: () => ({ status: 429, text: "slow down", headers: { "retry-after": "30" } })
        }
      })
      yield* w.pool.check
      // the first call is the trial of a failed node
      yield* runLeft(w.rpc.gasPrice())
      const why = yield* runLeft(w.rpc.gasPrice().pipe(withCallOptions({ timeout: 20 })))
      if (why._tag !== "NoActiveNode") return expect.unreachable(why._tag)
      expect(why.nodes?.map(({ kind, url }) => [url, kind])).toEqual([
        ["https://keyed.example/…", "connect"],
        [B, "wrong-chain"],
        [C, "status"],
        [D, "timeout"],
        [E, "malformed"],
        [F, "limited"]
      ])
      expect(why.nodes?.map(({ reason }) => reason)).toEqual([
        "chain check: it is a failure: connect",
        "the node serves the chain 5, and not 1",
        "HTTP 503",
        "it is a failure: timeout",
        "the node does not tell its height",
        "the node has asked for a pause"
      ])
      expect(why.message).toBe(
        [
          "No active NORMAL node found.",
          "https://keyed.example/…: chain check: it is a failure: connect (connect);",
          `${B}: the node serves the chain 5, and not 1 (wrong-chain);`,
          `${C}: HTTP 503 (status);`,
          `${D}: it is a failure: timeout (timeout);`,
          "and 2 more in `nodes`"
        ].join(" ")
      )
      expect(JSON.stringify(why) + String(why)).not.toContain("0123456789abcdef")
    })
  )
})

describe("the provider's node lists", () => {
  const lists = (normal: Behaviour, archive: Behaviour): World["nodes"] => ({
    [LIST]: normal,
    [ARCHIVE_LIST]: archive
  })
  const list =
    (...urls: ReadonlyArray<string>) =>
    (): NodeAnswer =>
      textAnswer(urls.map((url) => ({ url, type: 0 })))
  const archives =
    (...urls: ReadonlyArray<string>) =>
    (): NodeAnswer =>
      textAnswer(urls.map((url) => ({ url, type: 1 })))
  const one = "https://one.rpc.tatum.io"
  const two = "https://two.rpc.tatum.io"

  it.scoped("give normal and archive nodes, which get the key", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { apiKey: "KEY" },
        nodes: { ...lists(list(`${one}/`), archives(two)), [one]: makeNode(), [two]: makeNode() }
      })
      expect(yield* w.pool.snapshot).toMatchObject([
        { url: one, type: "NORMAL", active: true },
        { url: two, type: "ARCHIVE", active: true }
      ])
      yield* runRight(w.rpc.gasPrice())
      yield* runRight(w.rpc.getCode("0x1"))
      expect(w.hosts()).toEqual([one, two])
      for (const ask of w.sent.filter(({ url }) => url === one || url === two)) {
        expect(ask.request.headers["x-api-key"]).toBe("KEY")
      }
      for (const ask of w.sent.filter(({ url }) => url.endsWith("list.json")))
        expect(ask.request.headers).toEqual({})
    })
  )

  it.scoped(
    "name no strangers: look-alikes, other schemes, user info and what is no url are skipped and logged",
    () =>
      Effect.gen(function* () {
        const w = yield* makeWorld({
          nodes: lists(
            list(
              one,
              "https://eviltatum.io",
              "https://rpc.eviltatum.io:8080/steal",
              "https://tatum.io.evil.example",
              "http://plain.rpc.tatum.io",
              "https://user:pass@rpc.tatum.io",
              "https://evil.example/?tatum.io",
              "https://evil.example#.tatum.io",
              "not a url",
              "",
              "//rpc.tatum.io",
              "ftp://rpc.tatum.io",
              "https://tatum.io@evil.example",
              "https://tatum.io"
            ),
            list()
          )
        })
        expect((yield* w.pool.snapshot).map(({ url }) => url)).toEqual([one, "https://tatum.io"])
        expect(w.logs.filter((line) => line.startsWith("warn:"))).toHaveLength(11)
        expect(w.logs).toContain("warn: Skipping 2 more entries of the node list.")
        expect(w.logs).toContain("warn: Failed to parse URL not a url.")
        expect(w.logs).toContain("warn: Skipping URL https://eviltatum.io as it does not belong to tatum.io.")
        expect(w.logs.join()).not.toContain("pass")
      })
  )

  it.scoped("may have entries of any shape: those that are no nodes are skipped", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        nodes: lists(
          () =>
            textAnswer([
              null,
              5,
              "https://x.tatum.io",
              [],
              {},
              { url: 5 },
              { url: one, type: "normal" },
              { url: one, type: 2 },
              { url: two }
            ]),
          archives()
        )
      })
      expect(yield* w.pool.snapshot).toMatchObject([{ url: two, type: "NORMAL" }])
      expect(w.logs.filter((line) => line.includes("that is not { url, type }"))).toHaveLength(8)
    })
  )

  it.scoped("count a node once, however often it is listed", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ nodes: lists(list(one, `${one}/`, one), archives(one)) })
      expect(yield* w.pool.snapshot).toMatchObject([
        { url: one, type: "NORMAL" },
        { url: one, type: "ARCHIVE" }
      ])
    })
  )

  const broken: ReadonlyArray<readonly [string, Behaviour, RegExp | undefined]> = [
    [
      "cannot be reached",
      () => failureAnswer("connect"),
      /^error: Failed to initialize RPC module\. Error: it is a failure: connect$/
    ],
    ["never answers", () => "hang", /Error: no answer within 5000 ms$/],
    ["answers 500", () => textAnswer("oops", 500), /Error: HTTP 500 from https:\/\/rpc\.tatum\.io/],
    ["redirects", () => failureAnswer("redirect"), /Error: it is a failure: redirect$/],
    ["is no JSON", () => textAnswer("<html>"), /Failed to initialize RPC module\. Error: .*JSON/],
    ["is no list", () => textAnswer({ nodes: [] }), /Error: the node list is not a list$/],
    ["is not there", () => textAnswer("not found", 404), undefined],
    ["is empty", () => textAnswer([]), undefined]
  ]

  for (const [how, behaviour, log] of broken) {
    it.scoped(`cost only themselves when one ${how}`, () =>
      Effect.gen(function* () {
        const building = yield* Effect.forkScoped(
          makeWorld({ nodes: { ...lists(list(one), behaviour), [one]: makeNode() } })
        )
        yield* TestClock.adjust("10 seconds")
        const w = yield* Fiber.join(building)
        expect((yield* w.pool.snapshot).map(({ url }) => url)).toEqual([one])
        const errors = w.logs.filter((line) => line.startsWith("error:"))
        if (log === undefined) expect(errors).toEqual([])
        else expect(errors).toEqual([expect.stringMatching(log)])
        yield* runRight(w.rpc.getCode("0x1"))
        expect(w.hosts()).toEqual([one])
      })
    )

    it.scoped(`let calls fail that say why when both are such that one ${how}`, () =>
      Effect.gen(function* () {
        const building = yield* Effect.forkScoped(makeWorld({ nodes: lists(behaviour, behaviour) }))
        yield* TestClock.adjust("10 seconds")
        const w = yield* Fiber.join(building)
        const why = yield* runLeft(w.rpc.getCode("0x1"))
        expect(why.message).toBe("No active ARCHIVE node found.")
        expect(why.details).toContain("Why: the provider's node lists gave no usable node")
      })
    )
  }

  it.scoped("are asked for twice, 5 s each, and at the same time", () =>
    Effect.gen(function* () {
      const building = yield* Effect.forkScoped(
        makeWorld({
          nodes: lists(
            ({ n }) => (n === 0 ? "hang" : list(one)()),
            ({ n }) => (n === 0 ? "hang" : archives(two)())
          )
        })
      )
      yield* TestClock.adjust(4_999)
      expect(building.unsafePoll()).toBeNull()
      yield* TestClock.adjust(1)
      const w = yield* Fiber.join(building)
      expect((yield* w.pool.snapshot).map(({ url }) => url)).toEqual([one, two])
      expect(w.sent.map(({ at, n }) => [at, n])).toEqual([
        [0, 0],
        [0, 0],
        [5_000, 1],
        [5_000, 1]
      ])
    })
  )

  for (const oneTimeLoadBalancing of [false, true]) {
    it.scoped(
      `are asked for again after they failed (checks ${oneTimeLoadBalancing ? "once" : "periodically"})`,
      () =>
        Effect.gen(function* () {
          let up = false
          const w = yield* makeWorld({
            config: { rpc: { oneTimeLoadBalancing } },
            nodes: {
              ...lists(
                () => (up ? list(one)() : textAnswer("", 503)),
                () => textAnswer([])
              ),
              [one]: makeNode()
            }
          })
          expect((yield* runLeft(w.rpc.gasPrice()))._tag).toBe("NoActiveNode")
          up = true
          yield* TestClock.adjust("60 seconds")
          expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
        })
    )
  }

  it.scoped("may have 10,000 entries, of which 100 are taken", () =>
    Effect.gen(function* () {
      const urls = Array.from({ length: 10_000 }, (_, i) => `https://node-${i}.rpc.tatum.io`)
      const w = yield* makeWorld({
        nodes: { ...lists(list(...urls), archives(...urls)), ...{ [urls[0] ?? ""]: makeNode() } }
      })
      expect(yield* w.pool.snapshot).toHaveLength(200)
    })
  )

  it.scoped("are probed like nodes of one's own when they have more than one node", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        nodes: {
          ...lists(list(one, two), archives()),
          [one]: makeNode(undefined, { height: 5 }),
          [two]: makeNode(undefined, { height: 50 })
        }
      })
      yield* runRight(w.rpc.gasPrice())
      yield* settle
      expect(yield* w.active).toEqual([two])
      expect(yield* runRight(w.transport.nodeUrl(false))).toBe(two)
      for (let i = 0; i < 3; i++) {
        yield* runRight(w.rpc.gasPrice())
        yield* TestClock.adjust("60 seconds")
      }
      expect(w.probes().length).toBeGreaterThan(4)
      expect(w.sent.filter(({ url }) => url === LIST)).toHaveLength(1)
    })
  )
})

describe("the first active node", () => {
  it.scoped("is a random one of its type: all of them get their turn", () =>
    Effect.gen(function* () {
      const counts = new Map<string, number>()
      for (let seed = 0; seed < 60; seed++) {
        const config = staticConfig(A, B, C)
        const layer = NodePool.layer.pipe(
          Layer.provide(Layer.succeed(ClientFamily, {})),
          Layer.provide(Layer.succeed(Http, { send: () => Effect.dieMessage("nothing is sent") })),
          Layer.provide(
            Layer.provideMerge(
              Logger.layer,
              Config.layer({ ...config, network: "ethereum-mainnet", quiet: true })
            )
          )
        )
        const make = Effect.flatMap(NodePool.NodePool, ({ snapshot }) => snapshot).pipe(Effect.provide(layer))
        const nodes = yield* make.pipe(Effect.withRandom(Random.make(seed)))
        const again = yield* make.pipe(Effect.withRandom(Random.make(seed)))
        expect(again).toEqual(nodes)
        const [active] = nodes.filter((each) => each.active)
        counts.set(active?.url ?? "none", (counts.get(active?.url ?? "none") ?? 0) + 1)
      }
      expect([...counts.keys()].toSorted()).toEqual([A, B, C])
      for (const count of counts.values()) expect(count).toBeGreaterThan(8)
    })
  )
})

describe("checks of the nodes", () => {
  it.scoped(
    "happen at the first call and every 60 s while calls come, and choose the node in step that is fastest",
    () =>
      Effect.gen(function* () {
        const w = yield* makeWorld({
          config: checkedConfig(A, B, C),
          nodes: {
            [A]: makeNode((ask) => (isProbe(ask) ? delayAnswer(resultAnswer(ask, "0x64"), 300) : undefined)),
            [B]: makeNode((ask) => (isProbe(ask) ? delayAnswer(resultAnswer(ask, "0x63"), 100) : undefined)),
            [C]: makeNode((ask) => (isProbe(ask) ? delayAnswer(resultAnswer(ask, "0x1"), 10) : undefined))
          }
        })
        yield* runRight(w.rpc.gasPrice())
        yield* TestClock.adjust(1_000)
        expect(yield* w.active).toEqual([B])
        expect(yield* w.pool.snapshot).toMatchObject([
          { lastBlock: 100, lastResponseTime: 300 },
          { lastBlock: 99, lastResponseTime: 100 },
          { lastBlock: 1, lastResponseTime: 10 }
        ])
        for (let i = 0; i < 3; i++) {
          yield* runRight(w.rpc.gasPrice())
          yield* TestClock.adjust("60 seconds")
        }
        const times = w
          .probes()
          .filter(({ url }) => url === A)
          .map(({ at }) => at)
        expect(times).toHaveLength(4)
        times.forEach((at, i) => {
          if (i > 0) expect(at - (times[i - 1] ?? 0)).toBeGreaterThanOrEqual(60_000)
          if (i > 0) expect(at - (times[i - 1] ?? 0)).toBeLessThan(61_000)
        })
      })
  )

  it.scoped("stop after two rounds without calls, and begin again at once with the next call", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ config: checkedConfig(A, B), nodes: { [A]: makeNode(), [B]: makeNode() } })
      yield* runRight(w.rpc.gasPrice())
      yield* TestClock.adjust("30 minutes")
      const asleep = w.probes().length
      expect(asleep).toBe(4)
      yield* TestClock.adjust("30 minutes")
      expect(w.probes()).toHaveLength(asleep)
      yield* runRight(w.rpc.gasPrice())
      yield* settle
      expect(w.probes()).toHaveLength(asleep + 2)
      yield* TestClock.adjust("60 seconds")
      expect(w.probes()).toHaveLength(asleep + 4)
      yield* TestClock.adjust("30 minutes")
      expect(w.probes()).toHaveLength(asleep + 4)
    })
  )

  it.scoped("happen exactly once when that is configured", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { rpc: { nodes: [{ url: A }, { url: B }], oneTimeLoadBalancing: true } },
        nodes: { [A]: makeNode(), [B]: makeNode(undefined, { height: 500 }) }
      })
      yield* settle
      expect(w.probes()).toHaveLength(2)
      expect(yield* w.active).toEqual([B])
      for (let i = 0; i < 5; i++) {
        yield* runRight(w.rpc.gasPrice())
        yield* TestClock.adjust("2 minutes")
      }
      expect(w.probes()).toHaveLength(2)
    })
  )

  it.scoped("do not happen for a single node, nor when the interval is Infinity", () =>
    Effect.gen(function* () {
      const single = yield* makeWorld({ config: checkedConfig(A), nodes: { [A]: makeNode() } })
      const never = yield* makeWorld({
        config: { rpc: { nodes: [{ url: A }, { url: B }], statusCheckInterval: Number.POSITIVE_INFINITY } },
        nodes: { [A]: makeNode(), [B]: makeNode() }
      })
      for (const w of [single, never]) {
        yield* runRight(w.rpc.gasPrice())
        yield* TestClock.adjust("10 minutes")
        expect(w.probes()).toEqual([])
      }
    })
  )

  it.scoped("take 2 attempts of 5 s, ask all nodes at once, and never overlap", () =>
    Effect.gen(function* () {
      let now = 0
      let most = 0
      const hung: Behaviour = makeNode((ask) => {
        if (!isProbe(ask)) return undefined
        now++
        most = Math.max(most, now)
        return "hang"
      })
      const w = yield* makeWorld({
        config: { rpc: { nodes: [{ url: A }, { url: B }, { url: C }], statusCheckInterval: 2_000 } },
        nodes: { [A]: hung, [B]: hung, [C]: makeNode() }
      })
      yield* runRight(w.rpc.gasPrice())
      yield* settle
      expect(w.probes().map(({ url, at }) => [url, at])).toEqual([
        [A, 0],
        [B, 0],
        [C, 0]
      ])
      for (let i = 0; i < 30; i++) {
        yield* Effect.ignore(w.rpc.gasPrice())
        yield* TestClock.adjust(1_000)
      }
      // probes of failed nodes between the rounds have less time
      const times = w
        .probes()
        .filter(({ request, url }) => url === A && request.timeout === 5_000)
        .map(({ at }) => at)
      // two attempts, then the pause, then the next round
      expect(times.slice(0, 5)).toEqual([0, 5_000, 12_000, 17_000, 24_000])
      expect(yield* w.failed).toEqual([A, B])
    })
  )

  it.scoped("take a second attempt for success, and time that one", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: checkedConfig(A, B),
        nodes: {
          [A]: makeNode((ask) =>
            isProbe(ask) ? (ask.n === 0 ? "hang" : delayAnswer(resultAnswer(ask, "0x64"), 70)) : undefined
          ),
          [B]: makeNode()
        }
      })
      yield* runRight(w.pool.check)
      expect((yield* w.pool.snapshot)[0]).toMatchObject({
        failed: false,
        lastBlock: 100,
        lastResponseTime: 70
      })
    })
  )

  const bad: ReadonlyArray<readonly [string, (ask: NodeRequest) => NodeAnswer]> = [
    ["500", (ask) => textAnswer({ jsonrpc: "2.0", id: ask.id, result: "0x64" }, 500)],
    ["an error", (ask) => errorAnswer(ask, -32000, "not now")],
    ["null", (ask) => resultAnswer(ask, null)],
    ["no height", (ask) => resultAnswer(ask, "soon")],
    ["HTML", () => textAnswer("<html>")],
    ["nothing", () => textAnswer("")],
    ["a closed door", () => failureAnswer("connect")]
  ]
  for (const [what, answer] of bad) {
    it.scoped(`take a node out that answers a probe with ${what}, and back when it is well`, () =>
      Effect.gen(function* () {
        let ill = true
        const w = yield* makeWorld({
          config: checkedConfig(A, B),
          nodes: {
            [A]: makeNode((ask) => (isProbe(ask) && ill ? answer(ask) : undefined)),
            [B]: makeNode(undefined, { height: 90 })
          }
        })
        yield* runRight(w.rpc.gasPrice())
        yield* settle
        expect([yield* w.failed, yield* w.active]).toEqual([[A], [B]])
        ill = false
        yield* TestClock.adjust("60 seconds")
        expect(yield* w.failed).toEqual([])
      })
    )
  }

  it.scoped("say when no node is well, and calls then say that nodes must be set", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: checkedConfig(A, B),
        nodes: { [A]: unreachableNode, [B]: unreachableNode }
      })
      yield* runRight(w.pool.check)
      expect(w.logs).toContain("error: No active node found, please set node urls manually.")
      // the nodes are asked once more, one call is let through, and the next is held back
      expect((yield* runLeft(w.rpc.gasPrice()))._tag).toBe("NodeError")
      const why = yield* runLeft(w.rpc.getCode("0x1"))
      expect(why.message).toBe(
        `No active ARCHIVE node found, fallback failed, please set node urls manually. ${A}: it is a failure: connect (connect); ${B}: it is a failure: connect (connect)`
      )
      expect(why.details.join()).toContain("all 2 nodes have failed")
    })
  )

  it.scoped("are not needed to say that calls have failed everywhere: then there is no hint", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { rpc: { nodes: [{ url: A }, { url: B }], statusCheckInterval: Number.POSITIVE_INFINITY } },
        nodes: { [A]: unreachableNode, [B]: unreachableNode }
      })
      expect((yield* runLeft(w.rpc.gasPrice()))._tag).toBe("NodeError")
      expect((yield* runLeft(w.rpc.gasPrice()))._tag).toBe("NodeError")
      expect((yield* runLeft(w.rpc.gasPrice())).message).toBe(
        `No active NORMAL node found. ${A}: chain check: it is a failure: connect (connect); ${B}: chain check: it is a failure: connect (connect)`
      )
    })
  )

  it.scoped("at the user's wish happen at once, and change nothing of the schedule", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: checkedConfig(A, B),
        nodes: { [A]: makeNode(), [B]: makeNode(undefined, { height: 400 }) }
      })
      yield* runRight(w.pool.check)
      expect(yield* w.active).toEqual([B])
      expect(w.probes()).toHaveLength(2)
      yield* TestClock.adjust("10 minutes")
      expect(w.probes()).toHaveLength(2)
    })
  )

  it.scoped("need no probe where there is none", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: checkedConfig(A, B),
        nodes: { [A]: makeNode(), [B]: makeNode() },
        family: {}
      })
      yield* runRight(w.raw.rawRpcCall({ method: "eth_gasPrice" }))
      yield* runRight(w.pool.check)
      yield* TestClock.adjust("10 minutes")
      expect(w.sent.map(({ method }) => method)).toEqual(["eth_gasPrice"])
    })
  )

  it.scoped("end with the scope, together with what is under way", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const w = yield* Scope.extend(
        makeWorld({
          config: checkedConfig(A, B),
          nodes: { [A]: makeNode((ask) => (isProbe(ask) ? "hang" : undefined)), [B]: makeNode() }
        }),
        scope
      )
      yield* runRight(w.rpc.gasPrice())
      yield* settle
      expect(w.open()).toBe(1)
      yield* Scope.close(scope, Exit.void)
      expect(w.open()).toBe(0)
      const before = w.sent.length
      yield* TestClock.adjust("10 minutes")
      expect(w.sent).toHaveLength(before)
    })
  )
})

describe("a call that fails", () => {
  it.scoped("on a dead node is made on the next, and only the dead one is marked", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: staticConfig(A, B, C),
        nodes: { [A]: unreachableNode, [B]: makeNode(), [C]: makeNode() }
      })
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      expect(yield* w.failed).toEqual([A])
      expect(w.hosts()).toEqual([A, B])
    })
  )

  it.scoped("among 100 in flight, when 1 of 3 nodes dies: all succeed, and only that node is marked", () =>
    Effect.gen(function* () {
      let alive = true
      const w = yield* makeWorld({
        config: {
          rpc: { nodes: [{ url: A }, { url: B }, { url: C }], statusCheckInterval: Number.POSITIVE_INFINITY }
        },
        nodes: {
          [A]: makeNode((ask) =>
            isCheck(ask)
              ? undefined
              : alive
                ? delayAnswer(resultAnswer(ask, "0x1"), 5)
                : delayAnswer(failureAnswer("network"), 50)
          ),
          [B]: makeNode((ask) => (isCheck(ask) ? undefined : delayAnswer(resultAnswer(ask, "0x2a"), 20))),
          [C]: makeNode((ask) => (isCheck(ask) ? undefined : delayAnswer(resultAnswer(ask, "0x2a"), 20)))
        }
      })
      yield* runRight(w.rpc.gasPrice())
      alive = false
      const all = yield* runRight(
        Effect.all(
          Array.from({ length: 100 }, () => w.rpc.gasPrice()),
          { concurrency: "unbounded" }
        )
      )
      expect(new Set(all)).toEqual(new Set([42n]))
      expect(yield* w.failed).toEqual([A])
      expect(w.hosts().filter((url) => url === A)).toHaveLength(101)
      expect(w.hosts()).toHaveLength(201)
    })
  )

  const foreign = [304, 307, 400, 401, 402, 403, 404, 405, 410, 413, 422, 451]

  for (const status of foreign) {
    it.scoped(
      `by HTTP ${status} and a page of HTML is made on the next node; the probe finds the node well`,
      () =>
        Effect.gen(function* () {
          const page = "<!doctype html><html><head><title>Gone</title></head></html>"
          const w = yield* makeWorld({
            config: staticConfig(A, B),
            nodes: {
              [A]: makeNode((ask) => (ask.method === "eth_gasPrice" ? textAnswer(page, status) : undefined)),
              [B]: makeNode()
            }
          })
          expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
          expect(w.hosts()).toEqual([A, B])
          yield* settle
          expect(w.probes().map(({ url }) => url)).toEqual([A])
          expect(yield* w.failed).toEqual([])
        })
    )

    it.scoped(`by HTTP ${status} from then on: the node is left as soon as its probe has said the same`, () =>
      Effect.gen(function* () {
        let isGone = false
        const w = yield* makeWorld({
          config: staticConfig(A, B),
          nodes: { [A]: makeNode(() => (isGone ? textAnswer("gone", status) : undefined)), [B]: makeNode() }
        })
        yield* runRight(w.rpc.gasPrice())
        isGone = true
        for (let i = 0; i < 20; i++) expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
        expect(w.hosts().filter((host) => host === A)).toHaveLength(2)
        expect(yield* w.failed).toEqual([A])
      })
    )
  }

  it.scoped(
    "by HTTP 404 at all nodes fails with what the last one said, and not as if the request were wrong",
    () =>
      Effect.gen(function* () {
        const w = yield* makeWorld({
          config: staticConfig(A, B),
          nodes: { [A]: () => textAnswer("gone", 404), [B]: () => textAnswer("gone", 404) }
        })
        const why = yield* runLeft(w.rpc.gasPrice())
        expect(why).toMatchObject({ _tag: "NodeError", kind: "status", status: 404, url: B })
        expect(why.attempts).toMatchObject([
          { node: A, outcome: "unreached" },
          { node: B, outcome: "unreached" }
        ])
      })
  )

  it.scoped("for the node's fault (408, 429, 5xx) is made on the next node", () =>
    Effect.gen(function* () {
      for (const status of [408, 429, 503]) {
        const w = yield* makeWorld({
          config: { ...staticConfig(A, B), retryCount: 0 },
          nodes: {
            [A]: makeNode((ask) => (ask.method === "eth_gasPrice" ? textAnswer("no", status) : undefined)),
            [B]: makeNode()
          }
        })
        expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
        expect(w.hosts()).toEqual([A, B])
        expect(yield* w.failed).toEqual([A])
      }
    })
  )

  it.scoped("because its parameters cannot be written sends nothing, and marks no node", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ config: staticConfig(A, B), nodes: {} })
      const circular: Array<unknown> = []
      circular.push(circular)
      const why = yield* runLeft(w.raw.rawRpcCall({ method: "eth_call", params: circular }))
      expect(why._tag).toBe("InvalidArgument")
      expect(w.sent).toEqual([])
      expect(yield* w.failed).toEqual([])
    })
  )

  const classes: ReadonlyArray<
    readonly [string, number, string, number, ReadonlyArray<string>, ReadonlyArray<string>]
  > = [
    ["its parameters are wrong", -32602, "invalid params", 200, [A], []],
    ["it reverts", 3, "execution reverted: rate limit", 200, [A], []],
    ["it reverts, with HTTP 500", 3, "execution reverted", 500, [A], []],
    ["one node has pruned the state", -32000, "missing trie node abc", 200, [A, B], []],
    ["one node has no such method", -32601, "the method does not exist", 200, [A, B], []],
    ["one node is at its limit", -32005, "limit exceeded", 200, [A, B], [A]],
    ["one node is at its limit, with HTTP 429", -32000, "slow down", 429, [A, B], [A]]
  ]
  for (const [why, code, message, status, hosts, marked] of classes) {
    it.scoped(`because ${why} goes to ${hosts.length} node(s) and marks ${marked.length}`, () =>
      Effect.gen(function* () {
        const w = yield* makeWorld({
          config: staticConfig(A, B),
          nodes: {
            [A]: makeNode((ask) =>
              ask.method === "eth_gasPrice" ? errorAnswer(ask, code, message, status) : undefined
            ),
            [B]: makeNode()
          }
        })
        const outcome = yield* runEither(w.rpc.gasPrice())
        expect(w.hosts()).toEqual(hosts)
        expect(yield* w.failed).toEqual(marked)
        if (hosts.length === 2) expect(outcome).toEqual(Either.right(42n))
        else expect(outcome).toMatchObject({ _tag: "Left", left: { _tag: "RpcError", code, message } })
      })
    )
  }

  it.scoped("because no node knows fails with what the last one said, and marks none", () =>
    Effect.gen(function* () {
      const pruned = makeNode((ask) =>
        ask.method === "eth_gasPrice" ? errorAnswer(ask, -32000, `header not found at ${ask.url}`) : undefined
      )
      const w = yield* makeWorld({ config: staticConfig(A, B), nodes: { [A]: pruned, [B]: pruned } })
      expect((yield* runLeft(w.rpc.gasPrice())).message).toBe(`header not found at ${B}`)
      expect(yield* w.failed).toEqual([])
      expect(w.logs.filter((line) => line.startsWith("error:"))).toEqual([])
    })
  )

  for (const evictNodesOnFailure of [true, false]) {
    it.scoped(
      `on all nodes ${evictNodesOnFailure ? "is logged, and they stay out" : "puts them all back at once"}`,
      () =>
        Effect.gen(function* () {
          const w = yield* makeWorld({
            config: {
              rpc: {
                nodes: [{ url: A }, { url: B }],
                evictNodesOnFailure,
                statusCheckInterval: Number.POSITIVE_INFINITY
              }
            },
            nodes: { [A]: unreachableNode, [B]: unreachableNode }
          })
          expect(yield* runLeft(w.rpc.gasPrice())).toMatchObject({ _tag: "NodeError", kind: "connect" })
          expect(yield* w.failed).toEqual(evictNodesOnFailure ? [A, B] : [])
          expect(
            w.logs.filter((line) =>
              line.startsWith("error: Looks like your request is malformed or all RPC nodes are down.")
            )
          ).toHaveLength(evictNodesOnFailure ? 1 : 0)
        })
    )
  }

  it.scoped(
    "on all evicted nodes is tried once per back-off, on another node each time, until one is back",
    () =>
      Effect.gen(function* () {
        let up = false
        const w = yield* makeWorld({
          config: { rpc: { nodes: [{ url: A }, { url: B }], statusCheckInterval: Number.POSITIVE_INFINITY } },
          nodes: { [A]: unreachableNode, [B]: makeNode(() => (up ? undefined : failureAnswer("connect"))) }
        })
        yield* runLeft(w.rpc.gasPrice())
        up = true
        const outcomes: Array<string> = []
        for (let i = 0; i < 6; i++) {
          const outcome = yield* runEither(w.rpc.gasPrice())
          outcomes.push(Either.isRight(outcome) ? "ok" : outcome.left._tag)
          yield* TestClock.adjust(2_000)
        }
        expect(outcomes).toContain("ok")
        expect(outcomes.slice(outcomes.indexOf("ok")).every((tag) => tag === "ok")).toBe(true)
        expect(yield* w.failed).toEqual([A])
      })
  )

  it.scoped("for the caller's fault in a trial shows that the node is alive, and brings it back", () =>
    Effect.gen(function* () {
      let up = false
      const w = yield* makeWorld({
        config: { rpc: { nodes: [{ url: A }], evictNodesOnFailure: true } },
        nodes: {
          [A]: makeNode((ask) =>
            !up
              ? failureAnswer("connect")
              : ask.method === "eth_gasPrice"
                ? errorAnswer(ask, -32602, "bad")
                : undefined
          )
        }
      })
      yield* runLeft(w.rpc.gasPrice())
      up = true
      expect((yield* runLeft(w.rpc.gasPrice()))._tag).toBe("RpcError")
      expect(yield* w.failed).toEqual([])
      expect((yield* runLeft(w.rpc.gasPrice()))._tag).toBe("RpcError")
    })
  )
})

describe("answers of 500 to 599 that are no answers of the protocol", () => {
  const sick = (times: number): Behaviour =>
    makeNode((ask) =>
      ask.method === "eth_gasPrice" && ask.n < times
        ? textAnswer("<html><title>Bad gateway</title></html>", 502)
        : undefined
    )

  it.scoped(
    "are asked for again of the same node, retryCount times, retryDelay apart, then of the next",
    () =>
      Effect.gen(function* () {
        const w = yield* makeWorld({
          config: { ...staticConfig(A, B), retryCount: 2, retryDelay: 700, hedge: false },
          nodes: { [A]: sick(9), [B]: makeNode() }
        })
        yield* runRight(w.rpc.gasPrice())
        const calls = w.calls().map(({ url, at }) => [url, at])
        expect(calls).toHaveLength(4)
        expect(calls.slice(0, 3)).toEqual([
          [A, 0],
          [A, 700],
          [A, 1_400]
        ])
        expect(calls[3]).toEqual([B, 1_400])
        // a second attempt has as much time as the first
        expect(w.calls().map(({ request }) => request.timeout)).toEqual([10_000, 10_000, 10_000, 10_000])
        expect(yield* w.failed).toEqual([A])
      })
  )

  it.scoped("mark no node that does better the next time", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ config: staticConfig(A, B), nodes: { [A]: sick(1), [B]: makeNode() } })
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      expect(w.hosts()).toEqual([A, A])
      expect(yield* w.failed).toEqual([])
    })
  )

  it.scoped("are not asked for again when retryCount is 0", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ config: { ...staticConfig(A), retryCount: 0 }, nodes: { [A]: sick(9) } })
      expect(yield* runLeft(w.rpc.gasPrice())).toMatchObject({
        kind: "status",
        status: 502,
        message: expect.stringMatching(/^eth_gasPrice failed: HTTP 502.*: Bad gateway$/)
      })
      expect(w.hosts()).toEqual([A])
    })
  )

  it.scoped("are not waited for beyond the deadline of the call", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A, B), retryDelay: 5_000, timeout: 1_000 },
        nodes: { [A]: sick(9), [B]: makeNode() }
      })
      const { exit, took } = yield* runTimed(w.rpc.gasPrice())
      expect(took).toBeLessThanOrEqual(1_000)
      // there is no time to ask A again, but there is for B
      expect(exit).toEqual(Exit.succeed(42n))
    })
  )
})

describe("deadlines", () => {
  const hung: Behaviour = makeNode((ask) => (ask.method === "eth_gasPrice" ? "hang" : undefined))
  const quiet = { statusCheckInterval: Number.POSITIVE_INFINITY }

  it.scoped("a node that hangs is left after attemptTimeout for the next one", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { rpc: { ...quiet, ...staticConfig(A, B).rpc }, hedge: false },
        nodes: { [A]: hung, [B]: makeNode() }
      })
      yield* runRight(w.rpc.gasPrice())
      expect(w.calls().map(({ url, at }) => [url, at])).toEqual([
        [A, 0],
        [B, 10_000]
      ])
      expect(yield* w.failed).toEqual([A])
    })
  )

  it.scoped("a call that may take long is waited for, unless the caller has no patience", () =>
    Effect.gen(function* () {
      const slow = makeNode((ask) =>
        ask.method.startsWith("GET") ? delayAnswer(textAnswer({}), 40_000) : undefined
      )
      const w = yield* makeWorld({
        network: "algorand-mainnet-algod",
        config: { rpc: { ...quiet, ...staticConfig(A).rpc } },
        nodes: { [A]: slow },
        family: {}
      })
      const { wait } = makeClient({ wait: get("/wait").minTimeout(75_000) }, w.transport, {
        archive: false,
        batchArchive: false
      })
      expect(yield* runRight(wait())).toEqual({})
      const impatient = yield* runLeft(wait().pipe(withCallOptions({ timeout: 2_000 })))
      expect(impatient._tag).toBe("CallTimeout")
    })
  )

  it.scoped(
    "a call that hangs everywhere ends with CallTimeout, at its deadline, and says what came last",
    () =>
      Effect.gen(function* () {
        const w = yield* makeWorld({
          config: { rpc: { ...quiet, ...staticConfig(A, B, C).rpc }, timeout: 25_000, hedge: false },
          nodes: { [A]: hung, [B]: hung, [C]: hung }
        })
        const { exit, took } = yield* runTimed(w.rpc.gasPrice())
        expect(took).toBe(25_000)
        expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({
          _tag: "CallTimeout",
          message: "eth_gasPrice took longer than 25000 ms",
          last: expect.stringContaining("no answer within 5000 ms")
        })
        expect(w.calls().map(({ at, request }) => [at, request.timeout])).toEqual([
          [0, 10_000],
          [10_000, 10_000],
          [20_000, 5_000]
        ])
      })
  )

  it.scoped("a node that was given only the rest of a call's time is not marked for it", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { rpc: { ...quiet, ...staticConfig(A, B).rpc }, timeout: 10_500, hedge: false },
        nodes: {
          [A]: hung,
          [B]: makeNode((ask) =>
            ask.method === "eth_gasPrice" ? delayAnswer(resultAnswer(ask, "0x1"), 800) : undefined
          )
        }
      })
      expect((yield* runLeft(w.rpc.gasPrice()))._tag).toBe("CallTimeout")
      expect(yield* w.failed).toEqual([A])
    })
  )

  it.scoped("a timer that fires a moment early does not start an attempt that cannot end", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { rpc: { ...quiet, ...staticConfig(A, B).rpc }, timeout: 1_000 },
        nodes: {
          [A]: makeNode((ask) =>
            ask.method === "eth_gasPrice" ? { failure: "timeout", after: 999 } : undefined
          ),
          [B]: hung
        }
      })
      expect((yield* runLeft(w.rpc.gasPrice()))._tag).toBe("CallTimeout")
      expect(w.hosts()).toEqual([A])
      expect(yield* w.failed).toEqual([A])
    })
  )

  it.scoped("options of a call override the configuration", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { rpc: { ...quiet, ...staticConfig(A, B).rpc } },
        nodes: { [A]: hung, [B]: hung }
      })
      const { exit, took } = yield* runTimed(
        w.rpc.gasPrice().pipe(withCallOptions({ timeout: 1_500, attemptTimeout: 1_000 }))
      )
      expect(took).toBe(1_500)
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({
        _tag: "CallTimeout",
        timeout: 1_500
      })
      expect(w.calls().map(({ request }) => request.timeout)).toEqual([1_000, 500])
    })
  )

  it.scoped("a read beside a chain check that fails ends with it", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A, B), hedge: false },
        nodes: {
          [A]: (ask) => (isCheck(ask) ? failureAnswer("network") : "hang"),
          [B]: makeNode((ask) => (isCheck(ask) ? undefined : delayAnswer(resultAnswer(ask, "0x2a"), 3_000)))
        }
      })
      const calling = yield* Effect.fork(w.rpc.gasPrice())
      yield* TestClock.adjust(1_000)
      // nothing is open but the request to the next node
      expect(w.open()).toBe(1)
      yield* TestClock.adjust(20_000)
      expect(yield* Fiber.join(calling)).toBe(42n)
    })
  )

  it.scoped("a chain check that hangs is within the deadline", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { rpc: { ...quiet, ...staticConfig(A, B).rpc } },
        nodes: {
          [A]: makeNode((ask) => (isCheck(ask) ? "hang" : undefined)),
          [B]: makeNode((ask) => (isCheck(ask) ? "hang" : undefined))
        }
      })
      const { exit, took } = yield* runTimed(w.rpc.gasPrice().pipe(withCallOptions({ timeout: 1_000 })))
      expect(took).toBe(1_000)
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({ _tag: "CallTimeout" })
    })
  )

  it.scoped("a chain check that hangs leaves the rest of the call's time to the next node", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { rpc: { ...quiet, ...staticConfig(A, B).rpc }, timeout: 8_000, hedge: false },
        nodes: { [A]: makeNode((ask) => (isCheck(ask) ? "hang" : undefined)), [B]: makeNode() }
      })
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      expect(w.calls().map(({ url, at }) => [url, at])).toEqual([
        [A, 0],
        [B, 5_000]
      ])
      expect(yield* w.failed).toEqual([A])
    })
  )

  it.scoped("what a chain check took is taken from the time of a call that is no read", () =>
    Effect.gen(function* () {
      const method = "eth_sendTransaction"
      const w = yield* makeWorld({
        config: { rpc: { ...quiet, ...staticConfig(A).rpc } },
        nodes: {
          [A]: makeNode((ask) =>
            isCheck(ask)
              ? delayAnswer(resultAnswer(ask, "0x1"), 800)
              : ask.method === method
                ? "hang"
                : undefined
          )
        }
      })
      const { took } = yield* runTimed(
        w.raw.rawRpcCall({ method, params: [] }).pipe(withCallOptions({ timeout: 1_000 }))
      )
      expect(took).toBe(1_000)
      expect(w.calls().map(({ request }) => request.timeout)).toEqual([200])
    })
  )
})

describe("calls with an effect", () => {
  const transfer = { method: "eth_sendTransaction", params: [{ to: "0x1" }] }
  const ambiguous: ReadonlyArray<readonly [string, Behaviour]> = [
    ["a broken connection", () => failureAnswer("network")],
    ["no answer in time", () => "hang"],
    ["HTTP 500", () => textAnswer("oops", 500)],
    ["HTML", () => textAnswer("<html>")],
    ["the answer to another request", () => textAnswer({ jsonrpc: "2.0", id: "x", result: "0x1" })],
    ["more than the limit", () => failureAnswer("too-large")]
  ]
  for (const [what, behaviour] of ambiguous) {
    it.scoped(`are not sent again after ${what}`, () =>
      Effect.gen(function* () {
        const w = yield* makeWorld({
          config: staticConfig(A, B),
          nodes: {
            [A]: makeNode((ask) => (ask.method === transfer.method ? behaviour(ask) : undefined)),
            [B]: makeNode()
          }
        })
        expect((yield* runLeft(w.raw.rawRpcCall(transfer)))._tag).toBe("NodeError")
        expect(w.hosts()).toEqual([A])
        expect(yield* w.failed).toEqual([A])
      })
    )
  }

  const unsent: ReadonlyArray<readonly [string, Behaviour, ReadonlyArray<string>]> = [
    [
      "the connection was refused",
      (ask) => (ask.method === transfer.method ? failureAnswer("connect") : undefined),
      [A, B]
    ],
    [
      "it was redirected",
      (ask) => (ask.method === transfer.method ? failureAnswer("redirect") : undefined),
      [A, B]
    ],
    [
      "the node was too busy",
      (ask) => (ask.method === transfer.method ? textAnswer("slow down", 429) : undefined),
      [A, B]
    ],
    [
      "the node could not be asked for its chain",
      (ask) => (isCheck(ask) ? failureAnswer("network") : undefined),
      [B]
    ],
    ["the node did not say its chain in time", (ask) => (isCheck(ask) ? "hang" : undefined), [B]],
    ["the node serves another chain", (ask) => (isCheck(ask) ? resultAnswer(ask, "0x539") : undefined), [B]]
  ]
  for (const [why, behaviour, hosts] of unsent) {
    it.scoped(`are sent to the next node when ${why}: they have had no effect`, () =>
      Effect.gen(function* () {
        const w = yield* makeWorld({
          config: staticConfig(A, B),
          nodes: { [A]: makeNode(behaviour), [B]: makeNode() }
        })
        expect(yield* runRight(w.raw.rawRpcCall(transfer))).toBe("0x2a")
        expect(w.hosts()).toEqual(hosts)
      })
    )
  }

  for (const [what, behaviour] of ambiguous) {
    it.scoped(`that are signed are sent again after ${what}, and "already known" is then their success`, () =>
      Effect.gen(function* () {
        const w = yield* makeWorld({
          config: { ...staticConfig(A, B), retryCount: 0 },
          nodes: {
            [A]: makeNode((ask) => (ask.method === "eth_sendRawTransaction" ? behaviour(ask) : undefined)),
            [B]: makeNode((ask) =>
              ask.method === "eth_sendRawTransaction" ? errorAnswer(ask, -32000, "already known") : undefined
            )
          }
        })
        // Keccak-256 of the byte 0x00
        const hash = "0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a"
        const fiber = yield* Effect.fork(w.rpc.sendRawTransaction("0x00"))
        yield* TestClock.adjust(10_000)
        // the digest is made by a promise
        expect(yield* Fiber.join(fiber)).toBe(hash)
        expect(w.hosts()).toEqual([A, B])
      })
    )
  }

  it.scoped('that are "already known" at their first attempt are not ours', () =>
    Effect.gen(function* () {
      const known = makeNode((ask) =>
        ask.method === "eth_sendRawTransaction" ? errorAnswer(ask, -32000, "already known") : undefined
      )
      const w = yield* makeWorld({ config: staticConfig(A, B), nodes: { [A]: known, [B]: known } })
      expect(yield* runLeft(w.rpc.sendRawTransaction("0x00"))).toMatchObject({
        _tag: "RpcError",
        message: "already known"
      })
      expect(w.hosts()).toEqual([A])
    })
  )

  for (const [why, special] of [
    ["was refused", (ask: NodeRequest) => (isCheck(ask) ? undefined : failureAnswer("connect"))],
    ["ended at the chain check", (ask: NodeRequest) => (isCheck(ask) ? failureAnswer("network") : undefined)]
  ] as const) {
    it.scoped(
      `that are "already known" after an attempt that ${why} are not ours either: nothing had been sent`,
      () =>
        Effect.gen(function* () {
          const w = yield* makeWorld({
            config: staticConfig(A, B),
            nodes: {
              [A]: makeNode(special),
              [B]: makeNode((ask) =>
                ask.method === "eth_sendRawTransaction"
                  ? errorAnswer(ask, -32000, "already known")
                  : undefined
              )
            }
          })
          expect(yield* runLeft(w.rpc.sendRawTransaction("0x00"))).toMatchObject({
            _tag: "RpcError",
            message: "already known"
          })
        })
    )
  }
})

describe("archive calls", () => {
  const mixed = (...types: ReadonlyArray<"normal" | "archive">) => ({
    rpc: {
      nodes: [A, B, C]
        .slice(0, types.length)
        .map((url, i) => ({ url, type: types[i] ?? ("normal" as const) }))
    }
  })

  it.scoped("go to archive nodes, others to normal ones", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: mixed("normal", "archive"),
        nodes: { [A]: makeNode(), [B]: makeNode() }
      })
      yield* runRight(w.rpc.gasPrice())
      yield* runRight(w.rpc.getCode("0x1"))
      yield* runRight(w.rpc.getBalance("0x1"))
      yield* runRight(w.rpc.getBalance("0x1", 5n))
      yield* runRight(w.rpc.getBalance("0x1", "pending"))
      expect(w.hosts()).toEqual([A, B, A, B, B])
      expect([
        yield* runRight(w.transport.nodeUrl(false)),
        yield* runRight(w.transport.nodeUrl(true))
      ]).toEqual([A, B])
    })
  )

  it.scoped("go to normal nodes where there are no others, and normal calls to archive nodes", () =>
    Effect.gen(function* () {
      const normal = yield* makeWorld({ config: mixed("normal"), nodes: { [A]: makeNode() } })
      yield* runRight(normal.rpc.getCode("0x1"))
      expect(normal.hosts()).toEqual([A])
      const archive = yield* makeWorld({ config: mixed("archive"), nodes: { [A]: makeNode() } })
      yield* runRight(archive.rpc.gasPrice())
      expect(archive.hosts()).toEqual([A])
    })
  )

  it.scoped("are made on normal nodes while all archive nodes are out", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: mixed("normal", "archive", "normal"),
        nodes: { [A]: makeNode(), [B]: unreachableNode, [C]: makeNode() }
      })
      yield* runRight(w.pool.check)
      // the first is a trial of the archive node
      yield* runEither(w.rpc.getCode("0x1"))
      yield* runRight(w.rpc.getCode("0x1"))
      expect([A, C]).toContain(w.hosts().at(-1))
      expect(yield* w.failed).toEqual([B])
    })
  )
})

describe("a pinned node", () => {
  it.scoped("gets the call, whichever is active, and no other one does when it fails", () =>
    Effect.gen(function* () {
      let up = true
      const w = yield* makeWorld({
        config: staticConfig(A, B),
        nodes: { [A]: makeNode(), [B]: makeNode(() => (up ? undefined : failureAnswer("network"))) }
      })
      yield* runRight(w.rpc.gasPrice().pipe(withCallOptions({ node: `${B}/` })))
      expect(w.hosts()).toEqual([B])
      up = false
      expect(yield* runLeft(w.rpc.gasPrice().pipe(withCallOptions({ node: B })))).toMatchObject({
        _tag: "NodeError",
        kind: "network"
      })
      expect(w.hosts()).toEqual([B, B])
    })
  )

  it.scoped("that is not in the pool is refused, and gets nothing", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ config: staticConfig(A), nodes: {} })
      const why = yield* runLeft(
        w.rpc.gasPrice().pipe(withCallOptions({ node: "https://evil.example/SECRET" }))
      )
      expect(why._tag).toBe("NoActiveNode")
      expect(why.details.join()).toContain("the pinned node https://evil.example/\u2026 is not in the pool")
      expect(w.sent).toEqual([])
    })
  )
})

describe("the chain of a node", () => {
  it.scoped("is asked for before anything but a read is sent, and not again", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ config: staticConfig(A), nodes: { [A]: slowNode(100) } })
      const write = w.raw.rawRpcCall({ method: "eth_unknown" })
      yield* runWithin(200, write)
      yield* runWithin(100, w.rpc.gasPrice())
      expect(w.sent.map(({ method }) => method)).toEqual(["eth_chainId", "eth_unknown", "eth_gasPrice"])
    })
  )

  it.scoped("is asked for beside the first read, which waits for it, and not again", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: staticConfig(A),
        nodes: {
          [A]: makeNode((ask) => (isCheck(ask) ? delayAnswer(resultAnswer(ask, "0x1"), 100) : undefined))
        }
      })
      expect(yield* runWithin(100, w.rpc.gasPrice())).toEqual(Exit.succeed(42n))
      yield* runRight(w.rpc.gasPrice())
      expect(w.sent.map(({ at, method }) => [method, at])).toEqual([
        ["eth_gasPrice", 0],
        ["eth_chainId", 0],
        ["eth_gasPrice", 100]
      ])
    })
  )

  it.scoped("is not asked for where that is switched off", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A), verifyChain: false },
        nodes: { [A]: makeNode(undefined, { chain: "0x539" }) }
      })
      yield* runRight(w.rpc.gasPrice())
      expect(w.sent.map(({ method }) => method)).toEqual(["eth_gasPrice"])
    })
  )

  it.scoped("is asked for once by 50 calls at the same time", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: staticConfig(A),
        nodes: {
          [A]: makeNode((ask) => (isCheck(ask) ? delayAnswer(resultAnswer(ask, "0x1"), 100) : undefined))
        }
      })
      yield* runRight(
        Effect.all(
          Array.from({ length: 50 }, () => w.rpc.gasPrice()),
          { concurrency: "unbounded" }
        )
      )
      expect(w.checks()).toHaveLength(1)
      expect(w.calls()).toHaveLength(50)
    })
  )

  it.scoped("is asked for although the call that began to ask gives up", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: staticConfig(A),
        nodes: {
          [A]: makeNode((ask) => (isCheck(ask) ? delayAnswer(resultAnswer(ask, "0x1"), 100) : undefined))
        }
      })
      const one = yield* Effect.fork(w.rpc.gasPrice())
      const two = yield* Effect.fork(w.rpc.gasPrice())
      yield* TestClock.adjust(50)
      yield* Fiber.interrupt(one)
      yield* TestClock.adjust(50)
      expect(yield* Fiber.join(two)).toBe(42n)
      expect([w.checks().length, w.calls().length]).toEqual([1, 2])
    })
  )

  it.scoped("if it is another one, none of its answers is used, and it never comes back by a check", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: checkedConfig(A, B),
        nodes: {
          [A]: makeNode((ask) => (ask.method === "eth_gasPrice" ? resultAnswer(ask, "0xbad") : undefined), {
            chain: "0x539",
            height: 9_000
          }),
          [B]: makeNode()
        }
      })
      for (let i = 0; i < 4; i++) {
        expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
        yield* TestClock.adjust("60 seconds")
        expect(yield* w.failed).toEqual([A])
      }
      // the first read was beside its check, and there was no other one
      expect(w.hosts()).toEqual([A, B, B, B, B])
    })
  )

  it.scoped("if it is another one everywhere, the call says so", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: staticConfig(A),
        nodes: { [A]: makeNode(undefined, { chain: "0x539" }) }
      })
      expect(yield* runLeft(w.rpc.gasPrice())).toMatchObject({
        _tag: "NodeError",
        kind: "wrong-chain",
        message: expect.stringContaining("the node serves the chain 1337, and not 1")
      })
      expect(yield* runLeft(w.raw.rawRpcCall({ method: "eth_unknown" }))).toMatchObject({
        kind: "wrong-chain"
      })
      expect(w.calls().map(({ method }) => method)).toEqual(["eth_gasPrice"])
    })
  )

  for (const [how, behaviour] of [
    ["refuses", () => failureAnswer("connect")],
    ["answers 503 to", () => textAnswer("", 503)],
    ["never answers", () => "hang"]
  ] as ReadonlyArray<readonly [string, Behaviour]>) {
    it.scoped(`when the node ${how} the question, the next node is taken`, () =>
      Effect.gen(function* () {
        const w = yield* makeWorld({
          config: staticConfig(A, B),
          nodes: {
            [A]: makeNode((ask) =>
              isCheck(ask)
                ? behaviour(ask)
                : ask.method === "eth_gasPrice"
                  ? resultAnswer(ask, "0xbad")
                  : undefined
            ),
            [B]: makeNode()
          }
        })
        expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
        expect(w.hosts()).toEqual([A, B])
      })
    )
  }

  it.scoped("is not held against a node that does not say", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: staticConfig(A),
        nodes: {
          [A]: makeNode((ask) => (isCheck(ask) ? errorAnswer(ask, -32601, "no such method") : undefined))
        }
      })
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
    })
  )

  for (const how of ["call", "probe"]) {
    it.scoped(`is asked for again after a ${how} failed: another node may stand behind the url now`, () =>
      Effect.gen(function* () {
        let state: "well" | "down" | "moved" = "well"
        const w = yield* makeWorld({
          config: staticConfig(A, B),
          nodes: {
            [A]: makeNode((ask) => {
              if (state === "moved") return resultAnswer(ask, isCheck(ask) ? "0x539" : "0xbad")
              if (state === "well") return undefined
              return how === "probe" && !isProbe(ask) ? undefined : failureAnswer("network")
            }),
            [B]: makeNode()
          }
        })
        yield* runRight(w.rpc.gasPrice())
        state = "down"
        if (how === "call") yield* runRight(w.rpc.gasPrice())
        else yield* runRight(w.pool.check)
        expect(yield* w.failed).toEqual([A])
        state = "moved"
        yield* runRight(w.pool.check)
        expect(yield* w.failed).toEqual([A])
        expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      })
    )
  }
})

describe("the provider's gateway", () => {
  const url = "https://api.tatum.io/v3/blockchain/node/gno-mainnet/KEY"
  const gnosis = makeNode(undefined, { chain: "0x64" })

  it.scoped("serves networks without node lists, with the key in the url", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        network: "gno-mainnet",
        config: { apiKey: { v3: "KEY", v4: "OTHER" } },
        nodes: { [url]: gnosis }
      })
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      expect(w.hosts()).toEqual([url])
      expect((yield* w.pool.snapshot)[0]?.url).toBe("https://api.tatum.io/\u2026")
      yield* TestClock.adjust("10 minutes")
      expect(w.probes()).toEqual([])
    })
  )

  it.scoped("shows the key in no error", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        network: "gno-mainnet",
        config: { apiKey: "KEY", verbose: true, retryCount: 0 },
        nodes: { [url]: () => textAnswer("", 500) }
      })
      const why = yield* runLeft(w.rpc.gasPrice())
      expect(`${why}${why.message}${why.details.join()}${w.logs.join()}`).not.toContain("KEY")
    })
  )

  it.scoped("and what a node repeats of the headers that it was sent are in no error", () =>
    Effect.gen(function* () {
      const echo: Behaviour = (ask) =>
        textAnswer(
          ask.method === "eth_gasPrice"
            ? {
                jsonrpc: "2.0",
                id: ask.id,
                error: { code: 3, message: "no", data: [ask.request.headers, atob("dXNlcjpwYSRzd29yZA==")] }
              }
            : `<h1>${JSON.stringify(ask.request.headers)} ${atob("dXNlcjpwYSRzd29yZA==")}</h1>`,
          ask.method === "eth_gasPrice" ? 200 : 403
        )
      const w = yield* makeWorld({
        config: {
          apiKey: "the-api-key",
          retryCount: 0,
          verifyChain: false,
          verbose: true,
          rpc: {
            nodes: [
              {
                url: "https://user:pa$sword@a.example",
                headers: { "x-token": "t0ken-of-mine" },
                sendApiKey: true
              }
            ]
          }
        },
        nodes: { [A]: echo }
      })
      for (const call of [w.rpc.gasPrice(), w.rpc.chainId()]) {
        const why = yield* runLeft(call)
        const told = `${why} ${why.message} ${JSON.stringify(why)} ${w.logs.join()}`
        expect(told).toMatch(/no|403/)
        for (const secret of ["the-api-key", "dXNlcjpwYSRzd29yZA", "pa$sword", "t0ken-of-mine"])
          expect(told).not.toContain(secret)
      }
    })
  )

  it.scoped("is not asked where the user has nodes of their own", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        network: "gno-mainnet",
        config: { apiKey: "KEY", ...staticConfig(A) },
        nodes: { [A]: gnosis }
      })
      yield* runRight(w.rpc.gasPrice())
      expect(w.hosts()).toEqual([A])
      expect(JSON.stringify(w.sent.map(({ request }) => request))).not.toContain("KEY")
    })
  )
})

describe("log lines", () => {
  const broken = {
    [A]: makeNode((ask) => (isProbe(ask) || isCheck(ask) ? undefined : failureAnswer("network"))),
    [B]: makeNode()
  }

  it.scoped("are none while all is well, and one per switch when verbose", () =>
    Effect.gen(function* () {
      const calm = yield* makeWorld({ config: checkedConfig(A, B), nodes: broken })
      yield* runRight(calm.rpc.gasPrice())
      yield* settle
      expect(calm.logs).toEqual([])
      const verbose = yield* makeWorld({ config: { ...checkedConfig(A, B), verbose: true }, nodes: broken })
      yield* runRight(verbose.rpc.gasPrice())
      yield* settle
      expect(verbose.logs).toContain(
        "debug: Switching to another server, marking https://a.example as unstable."
      )
      expect(
        verbose.logs.filter((line) => line.startsWith("debug: Checked 2 nodes:")).length
      ).toBeGreaterThan(0)
    })
  )

  it.scoped("are none at all when quiet", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...checkedConfig(A, B), verbose: true, quiet: true },
        nodes: { [A]: unreachableNode, [B]: unreachableNode }
      })
      yield* runLeft(w.rpc.gasPrice())
      yield* runRight(w.pool.check)
      expect(w.logs).toEqual([])
    })
  )
})
