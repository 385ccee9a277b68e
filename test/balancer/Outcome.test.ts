// @runtime both
/** The rows of the table of outcomes on the balancer. The table itself is read in `decision.test.ts`. */
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import {
  A,
  B,
  type Behaviour,
  C,
  checkedConfig,
  delayAnswer,
  errorAnswer,
  failureAnswer,
  isProbe,
  makeNode,
  makeWorld,
  type NodeAnswer,
  type NodeRequest,
  resultAnswer,
  runEither,
  runLeft,
  runRight,
  settle,
  staticConfig,
  textAnswer,
  unreachableNode
} from "./world.js"

const gasPrice = (answer: (ask: NodeRequest) => NodeAnswer): Behaviour =>
  makeNode((ask) => (ask.method === "eth_gasPrice" ? answer(ask) : undefined))

describe("an answer that nobody can tell the meaning of", () => {
  it.scoped("goes on until two nodes on different hosts have said the same, and harms nobody", () =>
    Effect.gen(function* () {
      const odd = (digits: string) =>
        gasPrice((ask) => errorAnswer(ask, -32050, `cannot do ${digits} for 0xab${digits}`))
      const w = yield* makeWorld({
        config: staticConfig(A, B, C),
        nodes: { [A]: odd("11"), [B]: odd("2"), [C]: odd("333") }
      })
      const why = yield* runLeft(w.rpc.gasPrice())
      expect(why).toMatchObject({ _tag: "RpcError", code: -32050 })
      expect(why.attempts).toMatchObject([
        { node: A, outcome: "unclear" },
        { node: B, outcome: "unclear" }
      ])
      expect(w.hosts()).toEqual([A, B])
      yield* settle
      expect(yield* w.failed).toEqual([])
    })
  )

  it.scoped("is not agreed upon by two urls of one host", () =>
    Effect.gen(function* () {
      const odd = gasPrice((ask) => errorAnswer(ask, -32050, "cannot"))
      const urls = [`${A}/1`, `${A}/2`, `${B}/1`]
      const w = yield* makeWorld({
        config: staticConfig(...urls),
        nodes: { [`${A}/1`]: odd, [`${A}/2`]: odd, [`${B}/1`]: odd }
      })
      yield* runLeft(w.rpc.gasPrice())
      expect(w.hosts()).toEqual(urls)
    })
  )

  it.scoped("of a node whose probe fails too takes it out", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: staticConfig(A, B),
        nodes: {
          [A]: makeNode((ask) =>
            isProbe(ask)
              ? failureAnswer("network")
              : ask.method === "eth_gasPrice"
                ? errorAnswer(ask, -32603, "oh")
                : undefined
          ),
          [B]: makeNode()
        }
      })
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      yield* settle
      expect(yield* w.failed).toEqual([A])
    })
  )

  it.scoped(
    "of a node that is well otherwise takes it out when another has answered the same three times",
    () =>
      Effect.gen(function* () {
        const w = yield* makeWorld({
          config: { ...staticConfig(A, B), selection: "round-robin" },
          nodes: { [A]: gasPrice((ask) => errorAnswer(ask, -32603, "oh")), [B]: makeNode() }
        })
        for (let i = 0; i < 8; i++) expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
        expect(yield* w.failed).toEqual([A])
        expect(w.hosts().filter((host) => host === A)).toHaveLength(3)
        expect(w.probes()).toHaveLength(1)
      })
  )

  it.scoped("of a node that cannot be probed takes it out when another has answered the same call", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A, B), verifyChain: false },
        family: {},
        nodes: { [A]: gasPrice(() => textAnswer("gone", 404)), [B]: makeNode() }
      })
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      expect(yield* w.failed).toEqual([A])
    })
  )

  it.scoped("ends a write at once: nobody sends it again to hear the same", () =>
    Effect.gen(function* () {
      const odd = makeNode((ask) =>
        ask.method === "eth_sendTransaction" ? errorAnswer(ask, -32050, "cannot") : undefined
      )
      const w = yield* makeWorld({ config: staticConfig(A, B), nodes: { [A]: odd, [B]: odd } })
      const sent = w.raw.rawRpcCall({ method: "eth_sendTransaction", params: [] })
      expect(yield* runLeft(sent)).toMatchObject({ _tag: "RpcError", code: -32050 })
      expect(w.hosts()).toEqual([A])
    })
  )
})

describe("a node that says in words that it is not up to a call", () => {
  const busy = (ask: NodeRequest): NodeAnswer => errorAnswer(ask, -32000, "the vault is busy, try again")

  it.scoped("is probed at once, and out if that fails; another one answers the call", () =>
    Effect.gen(function* () {
      for (const isWell of [true, false]) {
        const w = yield* makeWorld({
          config: staticConfig(A, B),
          nodes: {
            [A]: makeNode((ask) =>
              isProbe(ask) && !isWell
                ? failureAnswer("network")
                : ask.method === "eth_gasPrice"
                  ? busy(ask)
                  : undefined
            ),
            [B]: makeNode()
          }
        })
        expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
        yield* settle
        expect(new Set(w.probes().map(({ url }) => url))).toEqual(new Set([A]))
        expect(yield* w.failed).toEqual(isWell ? [] : [A])
      }
    })
  )

  it.scoped("has perhaps done a write all the same: it is sent to no other one", () =>
    Effect.gen(function* () {
      const sick = makeNode((ask) => (ask.method === "eth_sendTransaction" ? busy(ask) : undefined))
      const w = yield* makeWorld({ config: staticConfig(A, B), nodes: { [A]: sick, [B]: sick } })
      const sent = w.raw.rawRpcCall({ method: "eth_sendTransaction", params: [] })
      const why = yield* runLeft(sent)
      expect(why).toMatchObject({ _tag: "RpcError", code: -32000 })
      expect(why.attempts).toMatchObject([{ node: A, outcome: "declined" }])
      expect(w.hosts()).toEqual([A])
    })
  )

  it.scoped("is told to the caller as it is where all of them say so", () =>
    Effect.gen(function* () {
      const sick = gasPrice(busy)
      const w = yield* makeWorld({
        config: staticConfig(A, B, C),
        nodes: { [A]: sick, [B]: sick, [C]: sick }
      })
      expect(yield* runLeft(w.rpc.gasPrice())).toMatchObject({
        _tag: "RpcError",
        rpcMessage: "the vault is busy, try again"
      })
      expect(w.hosts()).toEqual([A, B, C])
      yield* settle
      expect(yield* w.failed).toEqual([])
    })
  )
})

describe("all nodes behind one host", () => {
  it.scoped(
    "answer 429 and then 404: calls end typed and soon, and go on as soon as the nodes are well",
    () =>
      Effect.gen(function* () {
        let status = 200
        const sick = makeNode(() => (status === 200 ? undefined : textAnswer("no", status)))
        const urls = ["1", "2", "3", "4"].map((path) => `${A}/${path}`)
        const w = yield* makeWorld({
          config: checkedConfig(...urls),
          nodes: Object.fromEntries(urls.map((each) => [each, sick]))
        })
        yield* settle
        yield* runRight(w.rpc.gasPrice())
        for (const next of [429, 404]) {
          status = next
          for (let i = 0; i < 30; i++) {
            const why = yield* runLeft(w.rpc.gasPrice())
            expect(["NodeError", "NoActiveNode"]).toContain(why._tag)
            yield* TestClock.adjust(100)
          }
        }
        const why = yield* runLeft(w.rpc.gasPrice())
        if (why._tag === "NoActiveNode") expect(why.retryAfter).toBeLessThanOrEqual(30_000)
        status = 200
        yield* TestClock.adjust(1_000)
        expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      })
  )
})

describe("a pool of which all nodes have failed", () => {
  it.scoped("is asked before the next call is sent, which so never is the probe", () =>
    Effect.gen(function* () {
      let isDown = true
      const sick = makeNode(() => (isDown ? failureAnswer("connect") : undefined))
      const w = yield* makeWorld({ config: checkedConfig(A, B), nodes: { [A]: sick, [B]: sick } })
      yield* settle
      yield* runLeft(w.rpc.gasPrice())
      yield* TestClock.adjust(90_000)
      isDown = false
      const before = w.calls().length
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      expect(w.calls()).toHaveLength(before + 1)
    })
  )

  it.scoped("goes on with the node that is back, whichever would have had its turn", () =>
    Effect.gen(function* () {
      for (const back of [A, B]) {
        let isOver = false
        const sick = (url: string) =>
          makeNode(() => (isOver && url === back ? undefined : failureAnswer("connect")))
        // without a chain check before it, a call that went to the other one would be seen there
        const config = { ...checkedConfig(A, B), verifyChain: false }
        const w = yield* makeWorld({ config, nodes: { [A]: sick(A), [B]: sick(B) } })
        yield* settle
        yield* runLeft(w.rpc.gasPrice())
        yield* TestClock.adjust(90_000)
        isOver = true
        const before = w.calls().length
        expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
        expect(w.hosts().slice(before)).toEqual([back])
      }
    })
  )

  it.scoped("tells when it is worth asking again", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: staticConfig(A, B),
        nodes: { [A]: unreachableNode, [B]: unreachableNode }
      })
      yield* runLeft(w.rpc.gasPrice())
      yield* runLeft(w.rpc.gasPrice())
      const why = yield* runLeft(w.rpc.gasPrice())
      expect(why).toMatchObject({ _tag: "NoActiveNode" })
      expect(why._tag === "NoActiveNode" ? why.retryAfter : 0).toBeGreaterThan(0)
      expect(String(why)).toMatch(/Ask again in \d+ ms/)
    })
  )
})

describe("nodes that nobody probes", () => {
  it.scoped("come back by copies of reads beside the calls, none of which fails", () =>
    Effect.gen(function* () {
      let isDown = true
      const w = yield* makeWorld({
        config: { ...staticConfig(A, B), verifyChain: false },
        nodes: { [A]: makeNode(() => (isDown ? failureAnswer("connect") : undefined)), [B]: makeNode() }
      })
      for (let i = 0; i < 40; i++) {
        if (i === 20) isDown = false
        expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
        yield* TestClock.adjust(500)
        // the call that finds it dead, and a copy after 1, 2 and 4 s
        if (i === 19) expect(w.hosts().filter((host) => host === A)).toHaveLength(4)
      }
      expect(yield* w.failed).toEqual([])
    })
  )
})

const archive = (...types: ReadonlyArray<0 | 1>) => ({
  rpc: {
    nodes: types.map((type, i) => ({ url: [A, B, C][i] ?? "", type })),
    statusCheckInterval: Number.POSITIVE_INFINITY
  }
})

describe("no type of node is an island", () => {
  it.scoped("calls for the archive go to normal nodes while it is down, and none fails", () =>
    Effect.gen(function* () {
      const v = yield* makeWorld({
        config: { rpc: { nodes: [{ url: A, type: 1 }, { url: B }] } },
        nodes: { [A]: unreachableNode, [B]: makeNode() }
      })
      for (let i = 0; i < 40; i++) {
        expect(yield* runRight(v.rpc.getCode("0x1"))).toBe("0x2a")
        expect(yield* runRight(v.rpc.getBalance("0x1", "pending"))).toBe(42n)
        yield* TestClock.adjust(500)
      }
      expect(v.calls().filter(({ url: at }) => at === A).length).toBeLessThanOrEqual(1)
    })
  )

  it.scoped("the same where nobody probes: trials are copies", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ config: archive(1, 0), nodes: { [A]: unreachableNode, [B]: makeNode() } })
      for (let i = 0; i < 40; i++) {
        expect(yield* runRight(w.rpc.getCode("0x1"))).toBe("0x2a")
        yield* TestClock.adjust(500)
      }
    })
  )

  it.scoped("a refusal of normal nodes alone is no answer to a call for the archive", () =>
    Effect.gen(function* () {
      const pruned = makeNode((ask) =>
        ask.method === "eth_getCode" ? errorAnswer(ask, -32000, "missing trie node abc") : undefined
      )
      const w = yield* makeWorld({ config: archive(1, 0), nodes: { [A]: unreachableNode, [B]: pruned } })
      expect(yield* runLeft(w.rpc.getCode("0x1"))).toMatchObject({
        _tag: "NoActiveNode",
        type: "ARCHIVE",
        last: { _tag: "RpcError", rpcMessage: "missing trie node abc" }
      })
    })
  )

  it.scoped("and why the archive is out is not what others have been out for", () =>
    Effect.gen(function* () {
      let isDown = true
      const pruned = makeNode((ask) =>
        ask.method === "eth_getCode"
          ? errorAnswer(ask, -32000, "missing trie node abc")
          : isDown && ask.method === "eth_gasPrice"
            ? failureAnswer("connect")
            : undefined
      )
      const w = yield* makeWorld({ config: archive(0, 1), nodes: { [A]: pruned, [B]: unreachableNode } })
      yield* runEither(w.rpc.gasPrice())
      expect(yield* w.failed).toContain(A)
      isDown = false
      yield* TestClock.adjust(2_000)
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      const why = yield* runLeft(w.rpc.getCode("0x1"))
      expect(why).toMatchObject({ _tag: "NoActiveNode", type: "ARCHIVE" })
      const { nodes = [], reason } = why._tag === "NoActiveNode" ? why : { reason: "" }
      expect(reason).toMatch(/^1 of 2 nodes have failed/)
      expect(nodes).toEqual([{ url: B, kind: "connect", reason: expect.stringMatching(/^chain check: /) }])
    })
  )

  it.scoped("a refusal of the archive itself is told as it is", () =>
    Effect.gen(function* () {
      const pruned = makeNode((ask) =>
        ask.method === "eth_getCode" ? errorAnswer(ask, -32000, "missing trie node abc") : undefined
      )
      const w = yield* makeWorld({ config: archive(1, 0), nodes: { [A]: pruned, [B]: pruned } })
      expect(yield* runLeft(w.rpc.getCode("0x1"))).toMatchObject({ _tag: "RpcError", code: -32000 })
      expect(w.hosts()).toEqual([A, B])
    })
  )

  const getBlock = (found: unknown, holds: boolean) =>
    makeNode((ask) => {
      if (ask.method === "eth_getBlockReceipts" || ask.method === "eth_getLogs")
        return resultAnswer(ask, found)
      return ask.method === "eth_getBlockByNumber"
        ? resultAnswer(ask, holds ? { number: "0x5" } : null)
        : undefined
    })

  it.scoped(
    "nothing for a past block is believed of a normal node that holds that block, and of no other",
    () =>
      Effect.gen(function* () {
        for (const nothing of [null, []]) {
          const range = { fromBlock: 5, toBlock: 6 }
          const w = yield* makeWorld({
            config: archive(1, 0),
            nodes: { [A]: unreachableNode, [B]: getBlock(nothing, true) }
          })
          expect(yield* runRight(w.rpc.getLogs(range))).toEqual([])
          expect(yield* runRight(w.rpc.getLogs(range))).toEqual([])
          // it has shown that once, and need not again
          expect(w.calls().filter(({ method }) => method === "eth_getBlockByNumber")).toHaveLength(1)
          const v = yield* makeWorld({
            config: archive(1, 0),
            nodes: { [A]: unreachableNode, [B]: getBlock(nothing, false) }
          })
          const told: Array<string> = []
          v.pool.listen(({ _tag }) => told.push(_tag))
          expect(yield* runLeft(v.rpc.getLogs(range))).toMatchObject({
            _tag: "StateUnavailable",
            block: "5",
            url: B
          })
          // what is not believed is no answer to those who watch either
          expect(told).not.toContain("Answered")
          expect(yield* v.failed).toEqual([A])
        }
      })
  )

  it.scoped("nothing is what an archive node says it is, and nobody is asked anything else", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: archive(1, 0),
        nodes: { [A]: getBlock([], false), [B]: unreachableNode }
      })
      expect(yield* runRight(w.rpc.getLogs({ fromBlock: 5, toBlock: 6 }))).toEqual([])
      expect(w.calls()).toHaveLength(1)
    })
  )

  it.scoped("with archive: strict a call goes to no other type, by configuration or by option", () =>
    Effect.gen(function* () {
      const nodes = { [A]: unreachableNode, [B]: makeNode() }
      const { rpc } = archive(1, 0)
      const w = yield* makeWorld({
        config: { rpc: { ...rpc, archive: "strict" }, verifyChain: false },
        nodes
      })
      expect(yield* runLeft(w.rpc.getCode("0x1"))).toMatchObject({ _tag: "NodeError", url: A })
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      expect(w.hosts()).toEqual([A, B])
    })
  )
})

describe("time", () => {
  it.scoped("that jumps ends no call: deadlines are on a clock that does not", () =>
    Effect.gen(function* () {
      let offset = 0
      const clock = yield* Clock.clockWith(Effect.succeed)
      const jumping: Clock.Clock = {
        ...clock,
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis() + offset,
        unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
        sleep: (duration) => clock.sleep(duration),
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + offset),
        currentTimeNanos: clock.currentTimeNanos
      }
      for (const jump of [3_600_000, -3_600_000]) {
        offset = 0
        const w = yield* makeWorld({
          config: staticConfig(A, B),
          nodes: {
            [A]: gasPrice((ask) => {
              offset = jump
              return errorAnswer(ask, -32005, "limit exceeded")
            }),
            [B]: makeNode()
          }
        }).pipe(Effect.withClock(jumping))
        expect(yield* runRight(Effect.withClock(w.rpc.gasPrice(), jumping))).toBe(42n)
      }
    })
  )
})

describe("many calls at once", () => {
  const many = 300

  it.scoped("in a storm of 429 are multiplied by no more than the budget of retries", () =>
    Effect.gen(function* () {
      const storm = gasPrice(() => delayAnswer(textAnswer("slow down", 429), 20))
      const w = yield* makeWorld({ config: staticConfig(A, B), nodes: { [A]: storm, [B]: storm } })
      const calls = Effect.forEach(Array.from({ length: many }), () => Effect.exit(w.rpc.gasPrice()), {
        concurrency: "unbounded",
        discard: true
      })
      yield* runEither(calls)
      expect(w.hosts().length).toBeLessThanOrEqual(many + 200 + 10 + many * 0.08)
    })
  )

  it.scoped("at a node that dies are all answered by another one", () =>
    Effect.gen(function* () {
      const dying = gasPrice(() => ({ failure: "network", after: 20 }))
      const well = gasPrice((ask) => delayAnswer(resultAnswer(ask, "0x2a"), 20))
      const w = yield* makeWorld({ config: staticConfig(A, B), nodes: { [A]: dying, [B]: well } })
      const calls = Effect.forEach(Array.from({ length: many }), () => w.rpc.gasPrice(), {
        concurrency: "unbounded"
      })
      expect(new Set(yield* runRight(calls))).toEqual(new Set([42n]))
    })
  )
})
