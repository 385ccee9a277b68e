/**
 * Faults on request: rules with a fault, a target, a frequency and a duration, and the engine that applies them to the
 * requests of every node and route. The same seed and the same sequence of requests give the same faults.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ParseResult from "effect/ParseResult"
import * as PubSub from "effect/PubSub"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Network from "../data/Network.js"
import {
  FaultInput,
  type FaultKind,
  FaultRefused,
  type FaultRule,
  type FaultState,
  type FaultTarget,
  type SeenRequest
} from "./api/FaultRule.js"
import {
  type CallEdit,
  changeBody,
  editCalls,
  isJsonObject,
  isRpcCall,
  type JsonObject,
  parseLossless,
  type RpcCall
} from "./faults/CallEdits.js"
import { corrupt } from "./faults/Corruption.js"
import { type AskNode, type Dialect, findDialect, hasChainId } from "./faults/Dialect.js"
import { makeRandom, type Random, randomBelow } from "./faults/Random.js"
import * as Pushes from "./faults/SocketFaults.js"
import type { Handler, HandlerRequest, HandlerResponse, SocketHandler } from "./Handler.js"
import { jsonResponse, parseBody, withRealClock } from "./Loopback.js"

export {
  FaultInput,
  FaultKind,
  FaultRefused,
  FaultRule,
  FaultState,
  FaultTarget,
  SeenRequest
} from "./api/FaultRule.js"

/**
 * Where a request comes in. At a node's proxy it has the network and the node (`ethereum-mainnet/normal-1`), at a route
 * of the provider the network, if the route has one. `label` is for people.
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultPlace {
  readonly network?: string
  readonly node?: string
  readonly label: string
}

/**
 * The faults of a sandbox, and the record of its requests.
 *
 * `add` refuses invalid rules. `remove` yields whether the rule existed. `clear` removes the rules whose target has all
 * values of the filter (in the same spelling), or all rules without a filter, and yields their number. `list` has the
 * rules in the order in which they apply, including ended ones. Above 1,000 rules the oldest ended ones are removed.
 *
 * `wrapHandler` applies the rules before a handler. Outside of nodes, paths under `/sandbox` have no faults, so that a
 * rule can always be removed. `requests` yields the latest requests, at most 1,000 (100 by default), oldest first.
 * `events` streams the requests from now on, after the given number of earlier ones (none by default). It drops the
 * oldest for a subscriber who is 1,000 behind.
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultsService {
  readonly add: (rule: FaultInput) => Effect.Effect<FaultRule, FaultRefused>
  readonly remove: (id: string) => Effect.Effect<boolean>
  readonly clear: (filter?: FaultTarget) => Effect.Effect<number>
  readonly list: Effect.Effect<ReadonlyArray<FaultState>>
  readonly wrapHandler: (where: FaultPlace, handler: Handler) => Handler
  readonly requests: (last?: number) => Effect.Effect<ReadonlyArray<SeenRequest>>
  readonly events: (last?: number) => Stream.Stream<SeenRequest>
}

/**
 * The faults of a sandbox as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class Faults extends Context.Tag("effect-chains/sandbox/Faults")<Faults, FaultsService>() {}

/** The limit of rules, of recorded requests, and of requests that a subscriber may be behind. */
const MAX_KEPT = 1_000

const decode = Schema.decodeUnknown(FaultInput)

/**
 * Decodes a rule from unknown input, such as a file. Fails with every invalid field, including unknown ones.
 *
 * @since 0.1.0
 * @category constructors
 */
export const decodeRule = (input: unknown): Effect.Effect<FaultInput, FaultRefused> =>
  Effect.mapError(
    decode(input),
    (error) =>
      new FaultRefused({
        message: `Invalid fault rule: ${ParseResult.ArrayFormatter.formatErrorSync(error)
          .map(({ message, path }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
          .join("; ")}`
      })
  )

/**
 * Makes a matcher of a pattern, in which `*` stands for any characters. Each part matches at its first occurrence, so a
 * text is read once.
 *
 * @since 0.1.0
 * @category predicates
 */
export const makeMatcher = (pattern: string): ((text: string) => boolean) => {
  const [first = "", ...rest] = pattern.split(/\*+/)
  const last = rest.pop()
  if (last === undefined) return (text) => text === first
  return (text) => {
    let from = first.length
    const end = text.length - last.length
    if (!text.startsWith(first) || !text.endsWith(last)) return false
    for (const part of rest) {
      const at = text.indexOf(part, from)
      if (at === -1) return false
      from = at + part.length
    }
    return from <= end
  }
}

type FaultOfKind<K extends FaultKind["kind"]> = FaultKind & { readonly kind: K }

type RpcFault = FaultOfKind<"wrongId" | "wrongChain" | "stale" | "lying" | "error">

/** Faults of JSON-RPC, which do not apply to other requests. */
const isRpcFault = (fault: FaultKind): fault is RpcFault =>
  ["wrongId", "wrongChain", "stale", "lying", "error"].includes(fault.kind)

const needsDialect = ({ kind }: FaultKind): boolean =>
  kind === "wrongChain" || kind === "stale" || kind === "lying"

/**
 * The kind of request: HTTP, the request that opens a WebSocket, a message or a notification in it, or the connection
 * as a whole.
 */
type RequestWay = "http" | "opening" | "message" | "notification" | "connection"

/** The faults that apply to some kinds only. All others apply to requests that have an answer. */
const faultsByWay: ReadonlyArray<{
  readonly way: RequestWay
  readonly kinds: ReadonlyArray<FaultKind["kind"]>
}> = [
  { way: "opening", kinds: ["slow", "freeze", "reset", "garbage", "html", "status", "rateLimit"] },
  {
    way: "notification",
    kinds: ["slow", "freeze", "reset", "stall", "slowBody", "garbage", "truncate", "corrupt"]
  },
  { way: "notification", kinds: ["stale", "lying", "duplicate", "reorder"] },
  { way: "connection", kinds: ["close", "silence"] }
]

const isConnectionFault = (fault: FaultKind): fault is FaultOfKind<"close" | "silence"> =>
  fault.kind === "close" || fault.kind === "silence"

const isSocketFault = (
  fault: FaultKind
): fault is FaultOfKind<"close" | "silence" | "duplicate" | "reorder"> =>
  isConnectionFault(fault) || fault.kind === "duplicate" || fault.kind === "reorder"

const appliesTo = (fault: FaultKind, way: RequestWay): boolean =>
  faultsByWay.some((line) => line.way === way && line.kinds.includes(fault.kind)) ||
  ((way === "http" || way === "message") && !isSocketFault(fault))

/** The contradiction between the fields of a rule, each of which is valid; undefined if there is none. */
const findContradiction = ({ fault, target = {} }: FaultInput): string | undefined => {
  const { method, network, route, socket, verb } = target
  if (isSocketFault(fault) && socket === false)
    return `"${fault.kind}" is a fault of WebSockets: leave "socket" out`
  if (isConnectionFault(fault) && (method !== undefined || verb !== undefined))
    return `"${fault.kind}" is for a WebSocket as a whole: leave "method" and "verb" out`
  if (isRpcFault(fault) || method !== undefined) {
    const what = isRpcFault(fault) ? `"${fault.kind}" is a fault of JSON-RPC` : "a method is one of JSON-RPC"
    if (verb !== undefined && verb !== "POST") return `${what}, which is never sent with ${verb}`
    if (route !== undefined && !route.includes("/blockchain/node/")) {
      const fits = makeMatcher(route)
      const paths = ["/", "/v3/blockchain/node/x", "/v4/blockchain/node/x", "/blockchain/node/x"]
      if (!paths.some(fits))
        return `${what}, and "${route}" is no route to a node: use /v3/blockchain/node/* or leave it out`
    }
  }
  if (!needsDialect(fault) || network === undefined) return undefined
  const fits = makeMatcher(network)
  const known = Object.keys(Network.networks).filter(fits)
  if (known.length > 0 && known.every((id) => findDialect(id) === undefined))
    return `"${fault.kind}" is not supported on ${known.join(", ")}: only EVM, Bitcoin-style and Solana networks have it`
  if (
    fault.kind === "wrongChain" &&
    fault.chainId !== undefined &&
    known.length > 0 &&
    !known.some(hasChainId)
  )
    return `${known.join(", ")} has no chain id to choose: leave "chainId" out`
  return undefined
}

interface RequestFacts {
  readonly paths: ReadonlyArray<string>
  readonly verb: string
  readonly calls: ReadonlyArray<RpcCall>
  readonly way: RequestWay
}

const wayOf = ({ method, socket }: HandlerRequest): RequestWay =>
  socket !== true ? "http" : method === "GET" ? "opening" : "message"

const readFacts = (received: HandlerRequest, way = wayOf(received)): RequestFacts => {
  const { body, method, path: target } = received
  const [path = "/"] = target.split("?", 1)
  // An upload has many megabytes. Only a body that may be JSON-RPC is parsed.
  const content = /^\s*[[{]/.test(body.toString("latin1", 0, 100)) ? parseBody(body) : undefined
  return {
    // A rule may omit the version of a provider's route.
    paths: [path, path.replace(/^\/v[34](?=\/)/, "")],
    verb: method,
    way,
    calls: (Array.isArray(content) ? content : [content]).filter(isRpcCall)
  }
}

interface RuleEntry {
  readonly rule: FaultRule
  readonly matchesRequest: (where: FaultPlace, request: RequestFacts) => boolean
  readonly matchesCall: (call: RpcCall) => boolean
  readonly addedAt: number
  readonly endsAtMs: number
  seen: number
  hits: number
  window: { readonly end: number; count: number } | undefined
}

const makeEntry = (rule: FaultRule): RuleEntry => {
  const { duration, fault, target } = rule
  const any = (): boolean => true
  const network = target.network === undefined ? any : makeMatcher(target.network)
  const node = target.node === undefined ? any : makeMatcher(target.node)
  const route = target.route === undefined ? any : makeMatcher(target.route)
  const method = target.method === undefined ? any : makeMatcher(target.method)
  const matchesCall = (call: RpcCall): boolean => method(call.method)
  const isForCalls = target.method !== undefined || isRpcFault(fault)
  return {
    rule,
    matchesCall,
    matchesRequest: (where, request) =>
      (target.network === undefined || (where.network !== undefined && network(where.network))) &&
      (target.node === undefined ||
        (where.node !== undefined && (node(where.node) || node(where.node.replace(/^.*\//, ""))))) &&
      (target.verb === undefined || target.verb === request.verb) &&
      (target.socket === undefined || target.socket === (request.way !== "http")) &&
      appliesTo(fault, request.way) &&
      request.paths.some(route) &&
      (!isForCalls || request.calls.some(matchesCall)) &&
      (!needsDialect(fault) || (where.network !== undefined && findDialect(where.network) !== undefined)),
    addedAt: Date.now(),
    endsAtMs: duration === undefined ? Number.POSITIVE_INFINITY : performance.now() + duration,
    seen: 0,
    hits: 0,
    window: undefined
  }
}

const stateOf = ({ endsAtMs, hits, rule }: RuleEntry): FaultState["state"] =>
  performance.now() >= endsAtMs ? "over" : rule.times !== undefined && hits >= rule.times ? "spent" : "active"

/** A rule's match; `wait` is the rest of its window in milliseconds. */
interface RuleHit {
  readonly entry: RuleEntry
  readonly nextRandom: Random
  readonly waitMs: number
}

/**
 * Whether the fault applies to a matching request. All randomness depends on the seed and the request's position alone.
 */
const recordMatch = (entry: RuleEntry): RuleHit | undefined => {
  const { after = 0, fault, probability = 1, seed } = entry.rule
  const place = entry.seen++
  if (place < after) return undefined
  const nextRandom = makeRandom(seed, place)
  if (nextRandom() >= probability) return undefined
  let waitMs = 0
  if (fault.kind === "rateLimit") {
    const now = performance.now()
    if (entry.window === undefined || now >= entry.window.end)
      entry.window = { end: now + fault.perMs, count: 0 }
    entry.window.count++
    if (entry.window.count <= fault.requests) return undefined
    waitMs = entry.window.end - now
  }
  entry.hits++
  return { entry, nextRandom, waitMs }
}

/** Faults that answer without the node. The rules after them do not apply. */
const answersItself = ({ kind }: FaultKind): boolean =>
  kind === "freeze" ||
  kind === "reset" ||
  kind === "garbage" ||
  kind === "html" ||
  kind === "status" ||
  kind === "rateLimit"

const makeTextResponse = (body: string, type: string, status = 200): HandlerResponse => ({
  status,
  headers: { "content-type": type, "access-control-allow-origin": "*" },
  body: Buffer.from(body)
})

const withRetryAfter = (answer: HandlerResponse, retryAfter: number | string | undefined): HandlerResponse =>
  retryAfter === undefined
    ? answer
    : {
        ...answer,
        headers: {
          ...answer.headers,
          "retry-after": String(retryAfter),
          // browsers show a page of another origin only the headers that are named here
          "access-control-expose-headers": "retry-after"
        }
      }

const makeStatusResponse = (fault: FaultKind & { readonly kind: "status" }): HandlerResponse => {
  const { body, retryAfter, status } = fault
  const message = `A fault rule of the sandbox answers with status ${status}`
  const answer =
    body === undefined
      ? jsonResponse({ statusCode: status, errorCode: "sandbox.fault", message }, status)
      : typeof body === "string"
        ? makeTextResponse(body, "text/plain", status)
        : jsonResponse(body, status)
  // HTTP allows no body with these
  const isBare = status === 204 || status === 304
  return withRetryAfter(isBare ? { ...answer, body: Buffer.alloc(0) } : answer, retryAfter)
}

/** 429 in the node's format at a node, in the provider's format elsewhere. */
const makeRateLimitResponse = (
  request: unknown,
  wait: number,
  retryAfter: number | string | undefined
): HandlerResponse => {
  const message = "Too many requests: a fault rule of the sandbox limits the rate"
  const error = { code: -32_005, message }
  const body = isRpcCall(request)
    ? { jsonrpc: "2.0", id: request.id ?? null, error }
    : Array.isArray(request) && request.some(isRpcCall)
      ? { jsonrpc: "2.0", id: null, error }
      : { statusCode: 429, errorCode: "too.many.requests", message }
  return withRetryAfter(jsonResponse(body, 429), retryAfter ?? Math.max(1, Math.ceil(wait / 1_000)))
}

const changeId = (next: Random, id: unknown): unknown => {
  const offset = 1 + randomBelow(next, 1_000)
  return typeof id === "string" ? `${id}-${offset}` : typeof id === "number" ? id + offset : offset
}

/** Makes calls at the real node, with the headers of the original request. */
const makeAsk =
  (received: HandlerRequest, handler: Handler): AskNode =>
  (method, params) =>
    Effect.map(
      editCalls(
        {
          ...received,
          body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: "sandbox", method, params }))
        },
        handler,
        () => ({})
      ),
      (answer) => {
        const body = answer === "drop" ? undefined : parseLossless(answer.body)
        return isJsonObject(body) ? body.result : undefined
      }
    )

const withDialect = (where: FaultPlace, go: (dialect: Dialect) => Handler, next: Handler): Handler => {
  const dialect = where.network === undefined ? undefined : findDialect(where.network)
  return dialect === undefined ? next : go(dialect)
}

type CallFilter = <A>(edit: (call: RpcCall) => A | undefined) => (call: RpcCall) => A | undefined

/** Applies edits to the calls that a rule names. All other calls stay as they are. */
const forCallsOf =
  ({ matchesCall }: RuleEntry): CallFilter =>
  (edit) =>
  (call) =>
    matchesCall(call) ? edit(call) : undefined

/** Applies a fault of JSON-RPC to a handler. `real` is the handler without faults. */
const withRpcFault = (
  fault: RpcFault,
  { entry, nextRandom }: RuleHit,
  where: FaultPlace,
  { next, real }: { readonly next: Handler; readonly real: Handler }
): Handler => {
  const forMatchingCalls = forCallsOf(entry)
  const edited =
    (edit: (call: RpcCall) => CallEdit | undefined): Handler =>
    (received) =>
      editCalls(received, next, forMatchingCalls(edit))
  switch (fault.kind) {
    case "wrongId":
      return edited(() => ({
        after: (answer) => ({ ...answer, id: changeId(nextRandom, toPlainId(answer.id)) })
      }))
    case "error": {
      const { kind: _, ...error } = fault
      return edited(() => ({ answer: { error } }))
    }
    case "wrongChain":
      return withDialect(where, (dialect) => edited(dialect.makeWrongChainEdits(fault.chainId)), next)
    case "lying":
      return withDialect(where, (dialect) => edited(dialect.makeLyingEdits(fault.blocks)), next)
    case "stale":
      return withDialect(
        where,
        (dialect) => (received) =>
          Effect.flatMap(dialect.makeStaleEdits(fault.blocks, makeAsk(received, real)), (edit) =>
            edited(edit)(received)
          ),
        next
      )
  }
}

/** Corrupts a handler's answers: the results of JSON-RPC calls, or the body of any other successful answer. */
const withCorruption = (
  { changes = 1, how }: FaultOfKind<"corrupt">,
  { entry, nextRandom }: RuleHit,
  next: Handler
): Handler => {
  const corruptValue = (value: unknown): unknown => corrupt(nextRandom, value, changes, how)
  const edit = forCallsOf(entry)(() => ({
    after: (answer: JsonObject): JsonObject =>
      "result" in answer ? { ...answer, result: corruptValue(answer.result) } : answer
  }))
  return (received) =>
    readFacts(received).calls.length > 0
      ? editCalls(received, next, edit)
      : changeBody(received, next, (body, { status }) => (status >= 400 ? body : corruptValue(body)))
}

/** Applies a fault to a handler. `real` is the handler without faults. */
const withFault = (hit: RuleHit, where: FaultPlace, next: Handler, real: Handler): Handler => {
  const { entry, nextRandom, waitMs } = hit
  const { fault } = entry.rule
  if (isSocketFault(fault)) return next
  if (isRpcFault(fault)) return withRpcFault(fault, hit, where, { next, real })
  const changeResponse =
    (change: (answer: HandlerResponse) => HandlerResponse): Handler =>
    (received) =>
      Effect.map(next(received), (answer) => (answer === "drop" ? answer : change(answer)))

  switch (fault.kind) {
    case "slow": {
      const ms = fault.ms + nextRandom() * (fault.jitter ?? 0)
      return (received) => Effect.zipRight(withRealClock(Effect.sleep(ms)), next(received))
    }
    case "freeze":
      return () => Effect.never
    case "reset":
      return () => Effect.succeed("drop")
    case "stall":
      return changeResponse((answer) => ({ ...answer, isStalled: true }))
    case "slowBody":
      return changeResponse((answer) => ({ ...answer, dripMs: fault.ms }))
    case "garbage":
      return () =>
        Effect.succeed(makeTextResponse('{"jsonrpc":"2.0","id":1,"resu\u0000\u0007', "application/json"))
    case "html":
      return () =>
        Effect.succeed(makeTextResponse("<html><body><h1>502 Bad Gateway</h1></body></html>", "text/html"))
    case "truncate":
      return changeResponse((answer) => ({
        ...answer,
        body: answer.body.subarray(0, Math.floor(answer.body.length * (fault.keep ?? 0.5)))
      }))
    case "status":
      return () => Effect.succeed(makeStatusResponse(fault))
    case "rateLimit":
      return (received) =>
        Effect.sync(() => makeRateLimitResponse(parseBody(received.body), waitMs, fault.retryAfter))
    case "corrupt":
      return withCorruption(fault, hit, next)
  }
}

/** Ids from `parseLossless` keep their digits; small ones become plain numbers again. */
const toPlainId = (id: unknown): unknown => {
  const number = typeof id === "string" ? Number.NaN : Number(String(id))
  return Number.isSafeInteger(number) ? number : id
}

const isAdmin = (where: FaultPlace, path: string): boolean =>
  where.node === undefined && /^\/sandbox(\/|\?|$)/.test(path)

const TARGET_FIELDS = ["network", "node", "route", "method", "verb", "socket"] as const

interface FaultsState {
  readonly events: PubSub.PubSub<SeenRequest>
  entries: ReadonlyArray<RuleEntry>
  /** The open WebSockets, which check each new rule. */
  readonly socketListeners: Set<() => void>
  /** The latest requests. It may have more of them than the record keeps. */
  latest: Array<SeenRequest>
  /** The number of rules that were added, and of requests that were served. */
  ruleCount: number
  requestCount: number
}

const addRule = (state: FaultsState, input: FaultInput): Effect.Effect<FaultRule, FaultRefused> =>
  Effect.flatMap(decodeRule(input), (rule) => {
    const refuse = (message: string) => new FaultRefused({ message })
    const why = findContradiction(rule)
    if (why !== undefined) return refuse(`Invalid fault rule: ${why}`)
    const number = state.ruleCount + 1
    const id = rule.id ?? `fault-${number}`
    if (state.entries.some((entry) => entry.rule.id === id))
      return refuse(`There is a rule "${id}" already: remove it first, or give this one another id`)
    if (state.entries.length >= MAX_KEPT) {
      const ended = state.entries.find((entry) => stateOf(entry) !== "active")
      if (ended === undefined) return refuse(`There are ${MAX_KEPT} rules already: remove some first`)
      state.entries = state.entries.filter((entry) => entry !== ended)
    }
    state.ruleCount = number
    const complete: FaultRule = { ...rule, id, target: rule.target ?? {}, seed: rule.seed ?? number }
    state.entries = [...state.entries, makeEntry(complete)]
    for (const look of state.socketListeners) look()
    return Effect.succeed(complete)
  })

const findHits = (
  { entries }: FaultsState,
  where: FaultPlace,
  facts: RequestFacts
): ReadonlyArray<RuleHit> => {
  const hits: Array<RuleHit> = []
  for (const entry of entries) {
    if (stateOf(entry) !== "active" || !entry.matchesRequest(where, facts)) continue
    const hit = recordMatch(entry)
    if (hit === undefined) continue
    hits.push(hit)
    if (answersItself(entry.rule.fault)) break
  }
  return hits
}

const readLatest = ({ latest }: FaultsState, last: number): ReadonlyArray<SeenRequest> =>
  last >= 1 ? latest.slice(-Math.min(MAX_KEPT, Math.floor(last))) : []

const recordRequest = (state: FaultsState, seen: SeenRequest): Effect.Effect<void> =>
  Effect.suspend(() => {
    // Shortening once per 1,000 requests is cheaper than a copy for each.
    if (state.latest.length >= 2 * MAX_KEPT) state.latest = state.latest.slice(-MAX_KEPT)
    state.latest.push(seen)
    return PubSub.publish(state.events, seen)
  })

/** Applies the rules to a WebSocket: to its messages, its notifications and the connection itself. */
const wrapSocket = (
  state: FaultsState,
  where: FaultPlace,
  upgrade: HandlerRequest,
  socket: SocketHandler
): SocketHandler => {
  const met = new Set<RuleEntry>()
  const rules: Pushes.SocketRules = {
    findNotificationFaults: (message) =>
      findHits(state, where, readFacts(message, "notification")).map(({ entry, nextRandom }) => ({
        fault: entry.rule.fault,
        next: nextRandom
      })),
    findConnectionFaults: () =>
      state.entries.flatMap((entry) => {
        const { fault } = entry.rule
        if (!isConnectionFault(fault) || met.has(entry) || stateOf(entry) !== "active") return []
        if (!entry.matchesRequest(where, readFacts(upgrade, "connection"))) return []
        met.add(entry)
        const holds = (): boolean => state.entries.includes(entry) && performance.now() < entry.endsAtMs
        return recordMatch(entry) === undefined ? [] : [{ fault, holds }]
      }),
    onAdd: (look) => {
      state.socketListeners.add(look)
      return () => state.socketListeners.delete(look)
    }
  }
  return Pushes.withSocketFaults(rules, upgrade, (line) =>
    Effect.map(socket(line), (handler) => wrapHandler(state, where, handler))
  )
}

const wrapHandler =
  (state: FaultsState, where: FaultPlace, handler: Handler): Handler =>
  (received) =>
    Effect.suspend(() => {
      if (isAdmin(where, received.path)) return handler(received)
      const at = Date.now()
      const started = performance.now()
      const id = ++state.requestCount
      const facts = readFacts(received)
      const hits = findHits(state, where, facts)
      const answer = hits.reduceRight<Handler>((next, hit) => withFault(hit, where, next, handler), handler)
      return answer(received).pipe(
        Effect.map((said) =>
          said === "drop" || said.socket === undefined
            ? said
            : { ...said, socket: wrapSocket(state, where, received, said.socket) }
        ),
        Effect.onExit((exit) =>
          recordRequest(state, {
            id,
            at,
            where: where.label,
            ...(where.network === undefined ? {} : { network: where.network }),
            ...(where.node === undefined ? {} : { node: where.node }),
            verb: received.method,
            path: received.path,
            methods: facts.calls.slice(0, 10).map(({ method }) => method),
            ...(received.socket === true ? { socket: true } : {}),
            ...classifyExit(exit),
            ms: Math.round((performance.now() - started) * 10) / 10,
            faults: hits.map(({ entry }) => entry.rule.id)
          })
        )
      )
    })

/** The requests from now on, after the `last` earlier ones. */
const streamEvents = (state: FaultsState, last: number): Stream.Stream<SeenRequest> =>
  Stream.unwrapScoped(
    Effect.map(PubSub.subscribe(state.events), (queue) => {
      // The subscription starts before the record is read, so that no request is missed. One that comes twice is
      // recognized by its id.
      const past = readLatest(state, last)
      const known = new Set(past.map(({ id }) => id))
      return Stream.concat(
        Stream.fromIterable(past),
        Stream.filter(Stream.fromQueue(queue), ({ id }) => !known.has(id))
      )
    })
  )

/**
 * Makes an engine without rules.
 *
 * Rules apply in the order in which they were added, the first outermost: a rule that slows down before one that
 * refuses makes a slow refusal. A fault that answers by itself (`freeze`, `reset`, `garbage`, `html`, `status`,
 * `rateLimit`) ends the chain, and the rules after it do not count the request. The rules that a request meets are
 * decided when it arrives.
 *
 * `stale`, `lying` and `wrongChain` rewrite JSON-RPC of EVM nodes (all block parameters, blocks, receipts and logs), of
 * Bitcoin-style nodes (`getblockcount`, `getbestblockhash`, `getblockhash`, `getblockchaininfo`, `getblock`,
 * `getblockheader`; not wallets and the mempool) and of Solana (`getSlot`, `getBlockHeight`, `getEpochInfo` and
 * `context.slot`: heights only, and `getGenesisHash`). For other chains `add` refuses them. The node runs a call even
 * if a fault replaces the answer; only `error` keeps calls from the node.
 *
 * In a WebSocket, each notification counts as a request for the rules that apply to notifications. For `close` and
 * `silence`, the connection counts as one when it opens and when such a rule is added. The record has no notifications.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<FaultsService> = Effect.gen(function* () {
  const events = yield* PubSub.sliding<SeenRequest>(MAX_KEPT)
  const state: FaultsState = {
    events,
    entries: [],
    socketListeners: new Set(),
    latest: [],
    ruleCount: 0,
    requestCount: 0
  }
  return {
    add: (input) => addRule(state, input),
    remove: (id) =>
      Effect.sync(() => {
        const before = state.entries.length
        state.entries = state.entries.filter(({ rule }) => rule.id !== id)
        return state.entries.length < before
      }),
    clear: (filter = {}) =>
      Effect.sync(() => {
        const before = state.entries.length
        state.entries = state.entries.filter(({ rule }) =>
          TARGET_FIELDS.some((name) => filter[name] !== undefined && filter[name] !== rule.target[name])
        )
        return before - state.entries.length
      }),
    list: Effect.sync(() =>
      state.entries.map((entry) => ({
        rule: entry.rule,
        state: stateOf(entry),
        seen: entry.seen,
        hits: entry.hits,
        addedAt: entry.addedAt
      }))
    ),
    wrapHandler: (where, handler) => wrapHandler(state, where, handler),
    requests: (last = 100) => Effect.sync(() => readLatest(state, last)),
    events: (last = 0) => streamEvents(state, last)
  } satisfies FaultsService
})

const classifyExit = (exit: Exit.Exit<HandlerResponse | "drop">): Pick<SeenRequest, "outcome" | "status"> => {
  if (Exit.isFailure(exit)) return { outcome: "abandoned" }
  const { value } = exit
  if (value === "drop") return { outcome: "reset" }
  return { outcome: value.isStalled === true ? "stalled" : "answered", status: value.status }
}

/**
 * The faults of a sandbox as a layer; see `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Faults> = Layer.effect(Faults, make)
