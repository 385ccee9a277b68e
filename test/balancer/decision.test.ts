/** The decision of the balancer without a node: the table of outcomes row by row, and what is read out of a refusal. */
import * as Clock from "effect/Clock"
import { describe, expect, it } from "vitest"
import {
  type AttemptFailure,
  actionFor,
  classify,
  cooldownOf,
  decide,
  makeNodeError,
  normalizeError,
  type Situation,
  type TransportOutcome,
  table,
  toCallError
} from "../../src/balancer/Outcome.js"
import type { Repeat } from "../../src/data/Endpoint.js"
import { type AttemptOutcome, NodeError, RequestRejected, RpcError } from "../../src/data/SdkError.js"
import type { Rejection } from "../../src/wire/Transport.js"

const url = "https://node.example/key"
const nodeError = (kind: NodeError["kind"], status?: number) =>
  new NodeError({ kind, call: "c", url, reason: "r", ...(status === undefined ? {} : { status }) })
const rpcError = (code: number, rpcMessage: string) => new RpcError({ method: "m", code, rpcMessage, url })
const requestRejected = (status: number) =>
  new RequestRejected({ call: "c", status, messages: ["m"], body: "", url })

describe("the table of outcomes", () => {
  it("is this one: the action for a call of each kind, with other nodes and pinned to one, and for the node", () => {
    const kinds: ReadonlyArray<Repeat> = ["read", "broadcast", "write"]
    const rows = Object.entries(table).map(([outcome, { node }]) =>
      // the keys of the table are its outcomes, which Object.entries forgets
      [
        outcome.padEnd(11),
        ...kinds.map((kind) => actionFor(outcome as AttemptOutcome, kind, false).padEnd(7)),
        "|",
        ...kinds.map((kind) => actionFor(outcome as AttemptOutcome, kind, true).padEnd(7)),
        "|",
        node
      ].join(" ")
    )
    expect(rows).toEqual([
      //           read    broad   write   | pinned: r, b, w        | node
      "caller      fail    fail    fail    | fail    fail    fail    | healthy",
      "elsewhere   next    next    next    | fail    fail    fail    | healthy",
      "unclear     confirm confirm fail    | fail    fail    fail    | probe",
      "declined    next    next    fail    | fail    fail    fail    | probe",
      "busy        next    next    next    | next    next    next    | coolDown",
      "notProtocol next    next    next    | fail    fail    fail    | probe",
      "unreached   next    next    next    | fail    fail    fail    | evict",
      "down        retry   retry   fail    | retry   retry   fail    | evict",
      "noAnswer    next    next    fail    | fail    fail    fail    | evict",
      "behind      wait    fail    fail    | wait    fail    fail    | ignore"
    ])
  })

  it("is all that a call decides by, with where it stands", () => {
    const plain: Situation = {
      repeat: "read",
      isPinned: false,
      isConfirmed: false,
      canRetry: false,
      hasCooldown: false,
      isOutOfTime: false
    }
    const situations: ReadonlyArray<Situation> = [false, true].flatMap((isPinned) => [
      { ...plain, isPinned },
      { ...plain, isPinned, isConfirmed: true },
      { ...plain, isPinned, canRetry: true },
      { ...plain, isPinned, hasCooldown: true },
      { ...plain, isPinned, isOutOfTime: true }
    ])
    const rows = (repeat: Repeat): ReadonlyArray<string> =>
      Object.keys(table).map((outcome) =>
        [
          outcome.padEnd(11),
          // the keys of the table are its outcomes, which Object.keys forgets
          ...situations.map((each) => decide(outcome as AttemptOutcome, { ...each, repeat }).padEnd(7))
        ]
          .join(" ")
          .trim()
      )
    expect(rows("read")).toEqual([
      //           others are left:                       | it is pinned:
      //           -       agreed  stay    pause   late    -       agreed  stay    pause   late
      "caller      fail    fail    fail    fail    fail    fail    fail    fail    fail    fail",
      "elsewhere   next    next    next    next    next    fail    fail    fail    fail    fail",
      "unclear     next    fail    next    next    next    fail    fail    fail    fail    fail",
      "declined    next    next    next    next    next    fail    fail    fail    fail    fail",
      "busy        next    next    next    next    timeout next    next    next    next    timeout",
      "notProtocol next    next    next    next    next    fail    fail    fail    fail    fail",
      "unreached   next    next    next    next    timeout fail    fail    fail    fail    timeout",
      "down        next    next    retry   next    timeout fail    fail    retry   next    timeout",
      "noAnswer    next    next    next    next    timeout fail    fail    fail    fail    timeout",
      "behind      wait    wait    wait    wait    wait    wait    wait    wait    wait    wait"
    ])
    // a broadcast may be repeated, and does not wait for a block; a write is sent again only where it cannot have had its effect
    const changed = (repeat: Repeat) => rows(repeat).filter((row, i) => row !== rows("read")[i])
    expect(changed("broadcast")).toEqual([
      "behind      fail    fail    fail    fail    fail    fail    fail    fail    fail    fail"
    ])
    expect(changed("write")).toEqual([
      "unclear     fail    fail    fail    fail    fail    fail    fail    fail    fail    fail",
      "declined    fail    fail    fail    fail    fail    fail    fail    fail    fail    fail",
      "down        fail    fail    fail    fail    fail    fail    fail    fail    fail    timeout",
      "noAnswer    fail    fail    fail    fail    fail    fail    fail    fail    fail    timeout",
      "behind      fail    fail    fail    fail    fail    fail    fail    fail    fail    fail"
    ])
  })

  it("takes a node away for nothing that a node can say by the protocol", () => {
    const evicts = Object.entries(table).flatMap(([outcome, { node }]) => (node === "evict" ? [outcome] : []))
    // a refusal of these is one of a `NodeError`, by its type
    expect(evicts).toEqual(["unreached", "down", "noAnswer"] satisfies ReadonlyArray<TransportOutcome>)
  })

  const refusals: ReadonlyArray<readonly [AttemptOutcome, AttemptFailure]> = [
    ["caller", { fault: "caller", error: rpcError(3, "execution reverted") }],
    ["elsewhere", { fault: "elsewhere", error: rpcError(-32000, "missing trie node") }],
    ["unclear", { fault: "unclear", error: rpcError(-32603, "Internal error") }],
    ["unclear", { fault: "unclear", error: requestRejected(400) }],
    ["notProtocol", { fault: "unclear", error: nodeError("status", 404) }],
    ["unreached", { fault: "node", error: nodeError("connect") }],
    ["unreached", { fault: "node", error: nodeError("timeout"), unsent: true }],
    ["unreached", { fault: "node", error: nodeError("redirect", 307) }],
    ["declined", { fault: "declined", error: rpcError(-32000, "the vault is busy, try again") }],
    ["declined", { fault: "declined", error: rpcError(-32603, "request timed out") }],
    ["declined", { fault: "declined", error: nodeError("status", 500) }],
    ["busy", { fault: "limited", error: nodeError("status", 429) }],
    ["busy", { fault: "limited", error: nodeError("status", 408) }],
    ["busy", { fault: "limited", error: rpcError(-32005, "limit exceeded") }],
    ["busy", { fault: "limited", error: nodeError("status", 429), unsent: true }],
    ["down", { fault: "node", error: nodeError("status", 500) }],
    ["down", { fault: "node", error: nodeError("status", 503) }],
    ["noAnswer", { fault: "node", error: nodeError("status", 403) }],
    ["noAnswer", { fault: "node", error: nodeError("status") }],
    ["noAnswer", { fault: "node", error: nodeError("malformed", 502) }],
    ["noAnswer", { fault: "node", error: nodeError("network") }],
    ["noAnswer", { fault: "node", error: nodeError("timeout") }],
    ["noAnswer", { fault: "node", error: nodeError("malformed", 200) }],
    ["noAnswer", { fault: "node", error: nodeError("too-large") }],
    ["behind", { fault: "behind", error: nodeError("behind") }]
  ]
  it.each(refusals)("has the row %s for its refusals", (outcome, refusal) => {
    expect(classify(refusal)).toBe(outcome)
  })
})

describe("the meaning of an error", () => {
  it("is equal where nodes say the same of other numbers, addresses and hashes", () => {
    expect(normalizeError(rpcError(-32050, "cannot do 11 for 0xaB11"))).toBe(
      normalizeError(rpcError(-32050, "cannot do 2 for 0xc0fFee"))
    )
  })

  it.each([
    ["code", rpcError(-32051, "cannot do 1")],
    ["words", rpcError(-32050, "could not do 1")],
    ["numbers at all", rpcError(-32050, "cannot do ")],
    ["digits, of what is no number in hexadecimal", rpcError(-32050, "cannot do 1ab")],
    ["class", new RequestRejected({ call: "c", status: 400, messages: ["cannot do 1"], body: "", url })]
  ])("is another one where nodes differ in the %s", (_, error) => {
    expect(normalizeError(error)).not.toBe(normalizeError(rpcError(-32050, "cannot do 1")))
  })
})

describe("the failure of a node", () => {
  it("names what was asked, where, and why", () => {
    const failure = makeNodeError("behind", "eth_call", { url }, "it is at block 4")
    expect(failure).toMatchObject({ _tag: "NodeError", kind: "behind", call: "eth_call" })
    expect(String(failure)).toContain("eth_call failed: it is at block 4")
    expect(String(failure)).toContain("https://node.example")
  })
})

describe("the pause of a node that has had enough", () => {
  const now = Date.parse("Wed, 21 Oct 2015 07:28:00 GMT")
  const clock: Clock.Clock = { ...Clock.make(), unsafeCurrentTimeMillis: () => now }
  const asked = (fault: Rejection["fault"], after?: string): number | undefined =>
    cooldownOf({ header: (name) => (name === "retry-after" ? after : undefined) }, { fault }, clock)

  it.each([
    ["2", 2_000],
    ["0", 0],
    ["1.5", 1_500],
    ["-3", 0],
    ["Wed, 21 Oct 2015 07:28:07 GMT", 7_000],
    ["Wed, 21 Oct 2015 07:27:00 GMT", 0]
  ])("is as long as it says: %s", (after, ms) => {
    expect([asked("node", after), asked("limited", after)]).toEqual([ms, ms])
  })

  it.each([undefined, "", "soon", "Infinity"])(
    "is a second where it says that it has had enough, and not until when: %s",
    (after) => {
      expect([asked("limited", after), asked("node", after)]).toEqual([1_000, undefined])
    }
  )

  it("is none of an answer that speaks of the request", () => {
    for (const fault of ["caller", "elsewhere", "unclear", "declined"] as const)
      expect(asked(fault, "2")).toBeUndefined()
  })
})

describe("the failure of a chain check", () => {
  it("is told to the call that has waited for it: as its own failure, with what was asked", () => {
    const error = new NodeError({
      kind: "timeout",
      call: "eth_chainId",
      url: "https://a.example",
      reason: "no answer within 5 s",
      retryAfter: 7
    })
    const told = toCallError(error, "getBalance")
    expect(told).toBeInstanceOf(NodeError)
    expect(told).toMatchObject({
      kind: "timeout",
      call: "getBalance",
      url: "https://a.example",
      reason: "chain check: no answer within 5 s",
      retryAfter: 7
    })
    expect(error.call).toBe("eth_chainId")
  })
})
