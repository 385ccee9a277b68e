/** How bytes are handed to the nodes of a client, and what is concluded of their answers: whom it asks, how often, and for how long. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import {
  type AttemptRecord,
  NoActiveNode,
  NodeError,
  RpcError,
  TransactionDropped,
  withAttempts
} from "../../src/data/SdkError.js"
import {
  type Broadcaster,
  broadcastTransaction,
  isKnownToNodes,
  lookUpOnAllNodes,
  type TransactionStatus
} from "../../src/signers/broadcast.js"
import type { ReadError } from "../../src/signers/Signer.js"
import { CallOptions, type CallOptionsShape } from "../../src/wire/Transport.js"

const url = "http://node.example"
const signed = { hash: "0xaa", raw: "0xbb" }
const attempted = (outcome: AttemptRecord["outcome"]): AttemptRecord => ({ node: url, ms: 1, outcome })
const refused = (...outcomes: ReadonlyArray<AttemptRecord["outcome"]>): RpcError =>
  withAttempts(
    new RpcError({ method: "send", code: -32_000, rpcMessage: "no", url }),
    outcomes.map(attempted)
  )
const failed = (...outcomes: ReadonlyArray<AttemptRecord["outcome"]>): NodeError =>
  withAttempts(
    new NodeError({ kind: "network", call: "send", url, reason: "socket hang up" }),
    outcomes.map(attempted)
  )
const dropped = new TransactionDropped({ hash: signed.hash, reason: "too old" })

type Answer = TransactionStatus | ReadError | TransactionDropped

interface Asked {
  readonly what: "send" | "look"
  readonly options: CallOptionsShape
  /** Milliseconds since the first question. */
  readonly at: number
}

/** A client that notes what it is asked, with nodes that have failed or not. Each answers what its place says, or what the client does. */
const clientOf = ({
  look = () => "absent",
  nodes,
  send = () => refused()
}: {
  readonly nodes?: ReadonlyArray<boolean>
  readonly send?: (node: number | undefined, time: number) => ReadError | "accepted"
  readonly look?: (node: number | undefined, time: number) => Answer
}) => {
  const asked: Array<Asked> = []
  let begun: number | undefined
  const noted = (what: Asked["what"]) =>
    Effect.gen(function* () {
      const options = yield* CallOptions
      const now = yield* TestClock.currentTimeMillis
      begun ??= now
      asked.push({ what, options, at: now - begun })
      const { node } = options
      return {
        node: typeof node === "number" ? node : undefined,
        time: asked.filter((each) => each.what === what && each.options.node === node).length
      }
    })
  const handing: Broadcaster = {
    broadcast: () =>
      Effect.flatMap(noted("send"), ({ node, time }) => {
        const answer = send(node, time)
        return answer === "accepted" ? Effect.void : Effect.fail(answer)
      }),
    lookUp: () =>
      Effect.flatMap(noted("look"), ({ node, time }) => {
        const answer = look(node, time)
        return typeof answer === "string" ? Effect.succeed(answer) : Effect.fail(answer)
      }),
    propagationMs: 750,
    nodes: nodes === undefined ? undefined : () => nodes.map((each) => ({ failed: !each }))
  }
  const placesOf = (what: Asked["what"], at: number) =>
    asked.filter((each) => each.what === what && each.at === at).map(({ options }) => options.node)
  const times = (what: Asked["what"]) => [
    ...new Set(asked.filter((each) => each.what === what).map(({ at }) => at))
  ]
  return { asked, handing, placesOf, times }
}

/** The end, once all of its time has passed. */
const ended = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(Effect.either(effect))
    yield* TestClock.adjust("1 minute")
    const either = yield* Fiber.join(fiber)
    return either._tag === "Right" ? either.right : either.left
  })

describe("bytes that are handed over", () => {
  it.effect(
    "go to a node of the pool's choice, and then to each that is well; all are looked at, alone",
    () =>
      Effect.gen(function* () {
        const { asked, handing, placesOf, times } = clientOf({ nodes: [true, false, true] })
        expect(yield* ended(broadcastTransaction(handing, signed))).toMatchObject({ _tag: "RpcError" })
        expect(times("send")).toEqual([0, 250, 750])
        expect(times("look")).toEqual([0, 250, 750])
        expect(placesOf("send", 0)).toEqual([undefined])
        expect(placesOf("send", 250)).toEqual([0, 2])
        for (const at of [0, 250, 750]) expect(placesOf("look", at)).toEqual([0, 1, 2])
        const alone = asked.filter(({ options }) => options.node !== undefined)
        expect(alone.every(({ options }) => options.timeout === 5_000)).toBe(true)
      })
  )

  it.effect("have the time of their caller where that is shorter", () =>
    Effect.gen(function* () {
      const { asked, handing } = clientOf({ nodes: [true, true] })
      yield* ended(
        Effect.provideService(broadcastTransaction(handing, signed), CallOptions, {
          timeout: 300,
          quorum: { nodes: 2, agree: 2 }
        })
      )
      const alone = asked.filter(({ options }) => options.node !== undefined)
      expect(alone.length).toBeGreaterThan(0)
      expect(alone.every(({ options }) => options.timeout === 300 && options.quorum === undefined)).toBe(true)
    })
  )

  it.effect("are looked for at all nodes at once", () =>
    Effect.gen(function* () {
      const { handing } = clientOf({ nodes: [true, true, true] })
      const all = yield* Deferred.make<void>()
      let looking = 0
      const lookUp = () =>
        Effect.suspend(() =>
          ++looking < 3
            ? Effect.as(Deferred.await(all), "absent" as const)
            : Effect.as(Deferred.succeed(all, undefined), "known" as const)
        )
      expect(yield* ended(broadcastTransaction({ ...handing, lookUp }, signed))).toBe("accepted")
    })
  )

  for (const [of, nodes, options] of [
    ["one node", [true], {}],
    ["nodes that all have failed, to send to", [false, false], {}],
    ["nobody knows how many nodes", undefined, {}],
    ["nodes of which the caller has chosen one", [true, true], { node: url }]
  ] as const)
    it.effect(`ask the client as a whole, of ${of}`, () =>
      Effect.gen(function* () {
        const { asked, handing } = clientOf(nodes === undefined ? {} : { nodes })
        yield* ended(Effect.provideService(broadcastTransaction(handing, signed), CallOptions, options))
        const sent = asked.filter(({ what }) => what === "send")
        expect(sent.map(({ options }) => options)).toEqual([options, options, options])
      })
    )

  it.effect("take the nodes of a pool that is an effect", () =>
    Effect.gen(function* () {
      const { handing, placesOf } = clientOf({})
      const snapshot = Effect.succeed([{ failed: false }, { failed: false }])
      yield* ended(broadcastTransaction({ ...handing, nodes: { snapshot } }, signed))
      expect(placesOf("look", 0)).toEqual([0, 1])
    })
  )

  it.effect("are refused soon where a refusal has its time, and are sent on where an answer is lost", () =>
    Effect.gen(function* () {
      const soon = clientOf({})
      expect(
        yield* ended(broadcastTransaction({ ...soon.handing, propagationMs: 250, resendMs: 1_000 }, signed))
      ).toBeInstanceOf(RpcError)
      expect(soon.times("send")).toEqual([0, 250])
      const lost = clientOf({ send: () => failed("noAnswer") })
      const end = yield* ended(
        broadcastTransaction({ ...lost.handing, propagationMs: 250, resendMs: 1_000 }, signed)
      )
      expect(end).toMatchObject({
        _tag: "BroadcastUnclear",
        reason: "send failed: socket hang up",
        ...signed
      })
      expect(lost.times("send")).toEqual([0, 250, 750, 1_750])
      const open = clientOf({})
      expect(
        yield* ended(
          broadcastTransaction({ ...open.handing, propagationMs: 250, resendMs: 1_000 }, signed, true)
        )
      ).toMatchObject({
        _tag: "BroadcastUnclear"
      })
      expect(open.times("send")).toEqual([0, 250, 750, 1_750])
    })
  )

  it.effect("have pauses that double to two seconds", () =>
    Effect.gen(function* () {
      const { handing, times } = clientOf({})
      yield* ended(broadcastTransaction({ ...handing, propagationMs: 6_000 }, signed))
      expect(times("send")).toEqual([0, 250, 750, 1_750, 3_750, 5_750, 7_750])
    })
  )

  it.effect("have not left where nobody was reached: the error is the end, and nobody is looked at", () =>
    Effect.gen(function* () {
      const unreached = clientOf({ send: () => failed("unreached", "unreached") })
      expect(yield* ended(broadcastTransaction(unreached.handing, signed))).toBeInstanceOf(NodeError)
      expect(unreached.times("send")).toEqual([0, 250, 750])
      expect(unreached.times("look")).toEqual([])
      const error = new NoActiveNode({
        network: "ethereum-mainnet",
        type: "NORMAL",
        manual: false,
        reason: "none"
      })
      const none = clientOf({ send: () => error })
      expect(yield* ended(broadcastTransaction(none.handing, signed))).toBe(error)
      expect(none.times("send")).toEqual([0])
    })
  )

  for (const [why, error] of [
    ["one attempt of several may have left", failed("unreached", "noAnswer")],
    ["the pool has only words for a failure", failed()],
    ["one that got them broke off before another one refused", refused("noAnswer", "unclear")],
    ["one that got them was down before another one refused", refused("down", "unclear")]
  ] as const)
    it.effect(`may have been taken where ${why}`, () =>
      Effect.gen(function* () {
        const { handing } = clientOf({ send: () => error })
        expect(yield* ended(broadcastTransaction(handing, signed))).toMatchObject({
          _tag: "BroadcastUnclear"
        })
      })
    )

  it.effect("are refused where each that got them has refused", () =>
    Effect.gen(function* () {
      const { handing } = clientOf({ send: () => refused("unreached", "unclear") })
      expect(yield* ended(broadcastTransaction(handing, signed))).toBeInstanceOf(RpcError)
    })
  )

  it.effect(
    "may have been taken where a node that was well does not tell in the end, and one that had failed need not",
    () =>
      Effect.gen(function* () {
        const silent = (node: number | undefined): Answer => (node === 1 ? failed("noAnswer") : "absent")
        const well = clientOf({ nodes: [true, true], look: silent })
        expect(yield* ended(broadcastTransaction(well.handing, signed))).toMatchObject({
          _tag: "BroadcastUnclear"
        })
        const out = clientOf({ nodes: [true, false], look: silent })
        expect(yield* ended(broadcastTransaction(out.handing, signed))).toBeInstanceOf(RpcError)
        // an answer in the end is enough
        const late = clientOf({
          nodes: [true, true],
          look: (node, time) => (node === 1 && time < 3 ? failed("noAnswer") : "absent")
        })
        expect(yield* ended(broadcastTransaction(late.handing, signed))).toBeInstanceOf(RpcError)
      })
  )
})

describe("what nodes show together", () => {
  const shownBy = (...answers: ReadonlyArray<Answer>) => {
    const { handing } = clientOf({
      nodes: answers.map(() => true),
      look: (node = 0) => answers[node] ?? "absent"
    })
    return ended(lookUpOnAllNodes(handing, signed.hash))
  }
  for (const [answers, together] of [
    [["known"], "known"],
    [["absent", "absent", "known"], "known"],
    [[failed("noAnswer"), "known", "replaced"], "known"],
    [["replaced"], "replaced"],
    [["replaced", "absent"], "absent"],
    [["replaced", "absent", "replaced"], "replaced"],
    [["replaced", failed("noAnswer")], "absent"],
    [[failed("noAnswer"), failed("noAnswer")], "unknown"],
    [["absent", failed("noAnswer")], "absent"],
    [[dropped], dropped],
    [[dropped, "absent"], "absent"],
    [[dropped, failed("noAnswer")], "absent"],
    [["absent", dropped, dropped], dropped]
  ] as const satisfies ReadonlyArray<
    readonly [ReadonlyArray<Answer>, TransactionStatus | "unknown" | TransactionDropped]
  >)
    it.effect(
      `${answers.map((each) => (typeof each === "string" ? each : each._tag)).join(", ")} is ${typeof together === "string" ? together : together._tag}`,
      () => Effect.map(shownBy(...answers), (shown) => expect(shown).toBe(together))
    )

  it.effect("is the end of what is handed over: taken, replaced, or over", () =>
    Effect.gen(function* () {
      for (const [look, end] of [
        ["known", "accepted"],
        ["replaced", "replaced"],
        [dropped, dropped]
      ] as const) {
        const { handing, times } = clientOf({ nodes: [true, true], look: () => look })
        expect(yield* ended(broadcastTransaction(handing, signed))).toBe(end)
        expect(times("send")).toEqual([0])
      }
    })
  )

  it.effect("says whether a node has it, and no where it is over", () =>
    Effect.gen(function* () {
      for (const [look, is] of [
        ["known", true],
        ["absent", false],
        [dropped, false],
        [failed("noAnswer"), false]
      ] as const)
        expect(
          yield* ended(isKnownToNodes(clientOf({ nodes: [true], look: () => look }).handing, signed.hash))
        ).toBe(is)
    })
  )
})
