/**
 * Rules for faults as JSON. This file needs nothing of Node, so that pages can write and read rules.
 *
 * @since 0.1.0
 */
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Millis = Schema.Number.pipe(
  Schema.between(0, 3_600_000, { message: () => "milliseconds from 0 to 3600000 (an hour) are expected" })
)
const Positive = Schema.Number.pipe(
  Schema.between(1, 3_600_000, { message: () => "milliseconds from 1 to 3600000 (an hour) are expected" })
)
const Whole = Schema.Number.pipe(
  Schema.filter((n) => (Number.isSafeInteger(n) && n >= 0) || "a whole number from 0 is expected")
)
const Blocks = Schema.Number.pipe(
  Schema.filter((n) => (Number.isSafeInteger(n) && n >= 1) || "a whole number of blocks from 1 is expected")
)
const Status = Schema.Number.pipe(
  Schema.filter(
    (n) => (Number.isInteger(n) && n >= 200 && n <= 599) || "an HTTP status from 200 to 599 is expected"
  )
)
/** Codes that an endpoint may send (RFC 6455, 7.4). */
const CloseCode = Schema.Number.pipe(
  Schema.filter(
    (n) =>
      (Number.isInteger(n) &&
        ((n >= 1000 && n <= 1014 && ![1004, 1005, 1006].includes(n)) || (n >= 3000 && n <= 4999))) ||
      "a code to close a WebSocket with is expected: 1000 to 1003, 1007 to 1014 or 3000 to 4999"
  )
)
const RetryAfter = Schema.Union(
  Schema.Number.pipe(Schema.nonNegative(), Schema.finite()),
  Schema.NonEmptyString
).annotations({
  description: "Seconds, or the text of the Retry-After header as it is to be sent"
})
const Pattern = Schema.String.pipe(
  Schema.filter((text) => /^\S{1,200}$/.test(text) || "a name of 1 to 200 characters, * for any, is expected")
)

/**
 * A fault. Times are in milliseconds, `retryAfter` in seconds (or the header's text).
 *
 * - `slow`: the real answer, after `ms` and up to `jitter` more.
 * - `freeze`: the connection is accepted and never answered. `reset`: the connection is reset.
 * - `stall`: half of the real body, then nothing. `slowBody`: the real body byte by byte, spread over `ms`.
 * - `garbage`: a body that is not JSON. `html`: an error page with status 200. `truncate`: the first part of the real
 *   body (`keep`, 0 to 1, half by default) with a matching length.
 * - `status`: that HTTP status with `body` (JSON, or text as it is), by default an error in the provider's format.
 * - `rateLimit`: 429 beyond `requests` in each window of `perMs`, which begins with its first request. Retry-After is
 *   by default the rest of the window.
 * - `corrupt`: the real JSON with `changes` (1) random changes in the result: a `digit` changed, a field dropped
 *   (`drop`), or a value of another `type`. `how` picks one of these, by default the seed does. Errors do not change.
 * - `wrongId`: the answer of a JSON-RPC call has another id. `error`: a JSON-RPC error with the call's own id.
 * - `wrongChain`: the node serves another chain (`chainId`, EVM only).
 * - `stale`: the node is `blocks` behind. `lying`: it reports a height that much above the real one.
 *
 * WebSockets have faults too. The request that opens one can be refused (`slow`, `freeze`, `reset`, `garbage`, `html`,
 * `status`, `rateLimit`). Calls in it have the faults of all calls, and a status becomes a JSON-RPC error.
 * Notifications come late (`slow`), not at all (`freeze`), with the connection cut (`reset`), damaged (`stall`,
 * `slowBody`, `garbage`, `truncate`, `corrupt`), or from other blocks than the real ones (`stale`, `lying`). Two kinds
 * of faults are for WebSockets alone:
 *
 * - `close`: the connection ends after that many `messages` of the node or `ms`, or else at once, with a close frame of
 *   that `code` or without one. `silence`: from then on it stays open and nothing comes, pongs included.
 * - `duplicate`: a notification comes twice. `reorder`: it comes after the next one, or after a second without one.
 *
 * @since 0.1.0
 * @category schemas
 */
export const FaultKind = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("slow"), ms: Millis, jitter: optional(Millis) }),
  Schema.Struct({ kind: Schema.Literal("freeze") }),
  Schema.Struct({ kind: Schema.Literal("reset") }),
  Schema.Struct({ kind: Schema.Literal("stall") }),
  Schema.Struct({ kind: Schema.Literal("slowBody"), ms: Positive }),
  Schema.Struct({ kind: Schema.Literal("garbage") }),
  Schema.Struct({ kind: Schema.Literal("html") }),
  Schema.Struct({
    kind: Schema.Literal("status"),
    status: Status,
    body: optional(Schema.Unknown),
    retryAfter: optional(RetryAfter)
  }),
  Schema.Struct({
    kind: Schema.Literal("rateLimit"),
    requests: Whole,
    perMs: Positive,
    retryAfter: optional(RetryAfter)
  }),
  Schema.Struct({
    kind: Schema.Literal("corrupt"),
    how: optional(Schema.Literal("digit", "drop", "type")),
    changes: optional(
      Schema.Number.pipe(
        Schema.filter((n) => (Number.isInteger(n) && n >= 1 && n <= 100) || "1 to 100 changes are expected")
      )
    )
  }),
  Schema.Struct({
    kind: Schema.Literal("truncate"),
    keep: optional(
      Schema.Number.pipe(Schema.between(0, 1, { message: () => "a share from 0 to 1 is expected" }))
    )
  }),
  Schema.Struct({ kind: Schema.Literal("wrongId") }),
  Schema.Struct({
    kind: Schema.Literal("wrongChain"),
    chainId: optional(
      Schema.Number.pipe(
        Schema.filter(
          (n) => (Number.isSafeInteger(n) && n >= 1) || "a chain id, a whole number from 1, is expected"
        )
      )
    )
  }),
  Schema.Struct({ kind: Schema.Literal("stale"), blocks: Blocks }),
  Schema.Struct({ kind: Schema.Literal("lying"), blocks: Blocks }),
  Schema.Struct({
    kind: Schema.Literal("error"),
    code: Schema.Number.pipe(
      Schema.filter((n) => Number.isSafeInteger(n) || "a JSON-RPC code, a whole number, is expected")
    ),
    message: Schema.String,
    data: optional(Schema.Unknown)
  }),
  Schema.Struct({
    kind: Schema.Literal("close"),
    messages: optional(Whole),
    ms: optional(Millis),
    code: optional(CloseCode)
  }),
  Schema.Struct({ kind: Schema.Literal("silence"), messages: optional(Whole), ms: optional(Millis) }),
  Schema.Struct({ kind: Schema.Literal("duplicate") }),
  Schema.Struct({ kind: Schema.Literal("reorder") })
).annotations({ identifier: "FaultKind" })

/**
 * A fault; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type FaultKind = typeof FaultKind.Type

/**
 * The target of a rule: the requests that match every given field, or all requests if none is given. In names `*`
 * stands for any characters, including a slash. `node` is `normal-1` or, with its network, `ethereum-mainnet/normal-1`.
 * `route` is a path without its query. `method` is a JSON-RPC call's, also in a batch, or a notification's
 * (`eth_subscription`). `verb` is the HTTP method. A rule with a method does not change a batch's other calls, as far
 * as the fault allows it. `socket` restricts a rule to WebSockets (true) or to everything else (false). In a WebSocket,
 * the opening request has the verb GET, and each message POST.
 *
 * @since 0.1.0
 * @category schemas
 */
export const FaultTarget = Schema.Struct({
  network: optional(Pattern),
  node: optional(Pattern),
  route: optional(
    Schema.String.pipe(
      Schema.filter(
        (text) =>
          /^[/*]\S{0,199}$/.test(text) || "a path that begins with / or *, * for any characters, is expected"
      )
    )
  ),
  method: optional(Pattern),
  verb: optional(Schema.Literal("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD")),
  socket: optional(Schema.Boolean)
}).annotations({ identifier: "FaultTarget" })

/**
 * The target of a rule; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type FaultTarget = typeof FaultTarget.Type

const Id = Schema.String.pipe(
  Schema.filter(
    (text) =>
      /^[\w.:-]{1,64}$/.test(text) || "an id of 1 to 64 letters, digits, dots, colons or dashes is expected"
  )
)
const Seed = Schema.Number.pipe(
  Schema.filter((n) => Number.isSafeInteger(n) || "a seed, a whole number, is expected")
)

const conditionFields = {
  fault: FaultKind,
  probability: optional(
    Schema.Number.pipe(Schema.between(0, 1, { message: () => "a probability from 0 to 1 is expected" }))
  ),
  times: optional(
    Schema.Number.pipe(
      Schema.filter((n) => (Number.isSafeInteger(n) && n >= 1) || "a whole number from 1 is expected")
    )
  ),
  after: optional(Whole),
  duration: optional(Positive)
}

/**
 * A rule to add. The first `after` requests that match `target` (default: all requests) pass. Each further one gets
 * `fault` with `probability` (default: 1), at most `times` times (default: no limit), until `duration` milliseconds
 * have passed since the rule was added (default: no end). `seed` makes the choices repeatable: by default it is the
 * number of the rule, 1 for the first of a sandbox. A rule without an `id` gets one.
 *
 * @since 0.1.0
 * @category schemas
 */
export const FaultInput = Schema.Struct({
  id: optional(Id),
  target: optional(FaultTarget),
  seed: optional(Seed),
  ...conditionFields
}).annotations({ identifier: "FaultInput", parseOptions: { onExcessProperty: "error", errors: "all" } })

/**
 * A rule to add; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type FaultInput = typeof FaultInput.Type

/**
 * A rule in force, with its id, target and seed.
 *
 * @since 0.1.0
 * @category schemas
 */
export const FaultRule = Schema.Struct({
  id: Id,
  target: FaultTarget,
  seed: Seed,
  ...conditionFields
}).annotations({ identifier: "FaultRule" })

/**
 * A rule in force; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type FaultRule = typeof FaultRule.Type

/**
 * A rule with its counters: `seen` requests matched its target, and `hits` of them got the fault. It is `active`,
 * `spent` after its `times`, or `over` after its `duration`. `addedAt` is in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category schemas
 */
export const FaultState = Schema.Struct({
  rule: FaultRule,
  state: Schema.Literal("active", "spent", "over"),
  seen: Schema.Number,
  hits: Schema.Number,
  addedAt: Schema.Number
}).annotations({ identifier: "FaultState" })

/**
 * A rule with its counters; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type FaultState = typeof FaultState.Type

/**
 * A completed request. `at` is in milliseconds since 1970, `ms` is the duration in milliseconds. `where` is the node or
 * the part of the provider, `verb` the HTTP method, and `methods` are the methods of its JSON-RPC calls (ten at most).
 * The outcome is `answered` (with `status`), `reset`, `stalled` in the body, or `abandoned` when the client
 * disconnected or the server ended first. `socket` marks requests that open WebSockets, and messages in them. `faults`
 * are the ids of the rules that applied.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SeenRequest = Schema.Struct({
  id: Schema.Number,
  at: Schema.Number,
  where: Schema.String,
  network: optional(Schema.String),
  node: optional(Schema.String),
  verb: Schema.String,
  path: Schema.String,
  methods: Schema.Array(Schema.String),
  socket: optional(Schema.Boolean),
  outcome: Schema.Literal("answered", "reset", "stalled", "abandoned"),
  status: optional(Schema.Number),
  ms: Schema.Number,
  faults: Schema.Array(Schema.String)
}).annotations({ identifier: "Seen" })

/**
 * A completed request; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type SeenRequest = typeof SeenRequest.Type

/**
 * A rule that is invalid or could never apply. `message` says why.
 *
 * @since 0.1.0
 * @category errors
 */
export class FaultRefused extends Schema.TaggedError<FaultRefused>("effect-chains/sandbox/FaultRefused")(
  "FaultRefused",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 400 })
) {}
