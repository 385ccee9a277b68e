/**
 * Faults on request: rules with a fault, a place, a frequency and a duration, and the engine that applies them
 * to the requests of every front and route. The same seed and the same sequence of requests give the same faults.
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
  type Seen
} from "./api/FaultRule.js"
import { corrupt } from "./faults/Corruption.js"
import { type Ask, type Dialect, dialectOf, hasChainId } from "./faults/Dialect.js"
import { changed, edited, isCall, isJson, type Json, type RpcCall, read } from "./faults/Exchange.js"
import * as Pushes from "./faults/Pushes.js"
import { below, type Random, random } from "./faults/Random.js"
import { json, parse, realTime } from "./Loopback.js"
import type { Answer, Handler, Received, Socket } from "./Message.js"

export {
  FaultInput,
  FaultKind,
  FaultRefused,
  FaultRule,
  FaultState,
  FaultTarget,
  Seen
} from "./api/FaultRule.js"

/**
 * The place at which requests come in: a front names its network and node (`ethereum-mainnet/normal-1`), a route of the
 * provider the network, if it has one. `label` is for people.
 *
 * @since 0.1.0
 * @category models
 */
export interface Where {
  readonly network?: string
  readonly node?: string
  readonly label: string
}

/**
 * The faults of a sandbox, and the record of its requests.
 *
 * `add` refuses rules that make no sense. `remove` yields whether there was such a rule; `clear` removes the rules whose
 * target names all that the filter names (in the same words), all rules without one, and yields how many those were.
 * `list` has the rules in the order in which they apply, ended ones included; of more than 1,000 rules the oldest that
 * have ended go. `around` puts the rules before a handler; paths under `/sandbox` are left alone outside of nodes, so that
 * the way back is never cut off. `requests` yields the last ones that were seen, 1,000 at most (100 by default), oldest
 * first; `events` has those to come, after so many of the last ones (none by default), and drops the oldest for a
 * subscriber who is 1,000 behind.
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultsService {
  readonly add: (rule: FaultInput) => Effect.Effect<FaultRule, FaultRefused>
  readonly remove: (id: string) => Effect.Effect<boolean>
  readonly clear: (filter?: FaultTarget) => Effect.Effect<number>
  readonly list: Effect.Effect<ReadonlyArray<FaultState>>
  readonly around: (where: Where, handler: Handler) => Handler
  readonly requests: (last?: number) => Effect.Effect<ReadonlyArray<Seen>>
  readonly events: (last?: number) => Stream.Stream<Seen>
}

/**
 * The faults of a sandbox as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class Faults extends Context.Tag("effect-chains/sandbox/Faults")<Faults, FaultsService>() {}

/** Rules, requests in the ring, and requests that a subscriber may be behind. */
const LIMIT = 1_000

const decode = Schema.decodeUnknown(FaultInput)

/**
 * A rule from something unknown, for example the text of a file. Fails with every place that is wrong, also with fields
 * that no rule has.
 *
 * @since 0.1.0
 * @category constructors
 */
export const decodeRule = (input: unknown): Effect.Effect<FaultInput, FaultRefused> =>
  Effect.mapError(
    decode(input),
    (error) =>
      new FaultRefused({
        message: `No rule for faults: ${ParseResult.ArrayFormatter.formatErrorSync(error)
          .map(({ message, path }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
          .join("; ")}`
      })
  )

/**
 * Whether a text fits a pattern, in which `*` stands for any characters. Each part is taken where it first occurs, so a text is
 * read once.
 *
 * @since 0.1.0
 * @category predicates
 */
export const matcher = (pattern: string): ((text: string) => boolean) => {
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

/** Faults of JSON-RPC, which mean nothing to other requests. */
const isRpcFault = ({ kind }: FaultKind): boolean =>
  kind === "wrongId" || kind === "wrongChain" || kind === "stale" || kind === "lying" || kind === "error"

const needsDialect = ({ kind }: FaultKind): boolean =>
  kind === "wrongChain" || kind === "stale" || kind === "lying"

/** The ways of a request: HTTP, one that opens a WebSocket, a message in one, a notification in one, and one as a whole. */
type Way = "http" | "opening" | "message" | "notification" | "connection"

/** The faults that some ways have; all others are for what has an answer. */
const ways: ReadonlyArray<{ readonly way: Way; readonly kinds: ReadonlyArray<FaultKind["kind"]> }> = [
  { way: "opening", kinds: ["slow", "freeze", "reset", "garbage", "html", "status", "rateLimit"] },
  {
    way: "notification",
    kinds: ["slow", "freeze", "reset", "stall", "slowBody", "garbage", "truncate", "corrupt"]
  },
  { way: "notification", kinds: ["stale", "lying", "duplicate", "reorder"] },
  { way: "connection", kinds: ["close", "silence"] }
]

type Kind<K extends FaultKind["kind"]> = FaultKind & { readonly kind: K }

const isConnectionFault = (fault: FaultKind): fault is Kind<"close" | "silence"> =>
  fault.kind === "close" || fault.kind === "silence"

const isSocketFault = (fault: FaultKind): fault is Kind<"close" | "silence" | "duplicate" | "reorder"> =>
  isConnectionFault(fault) || fault.kind === "duplicate" || fault.kind === "reorder"

const goes = (fault: FaultKind, way: Way): boolean =>
  ways.some((line) => line.way === way && line.kinds.includes(fault.kind)) ||
  ((way === "http" || way === "message") && !isSocketFault(fault))

/** The problem of a rule that makes no sense although every field does by itself; undefined if there is none. */
const nonsense = ({ fault, target = {} }: FaultInput): string | undefined => {
  const { method, network, route, socket, verb } = target
  if (isSocketFault(fault) && socket === false)
    return `"${fault.kind}" is a fault of WebSockets: leave "socket" out`
  if (isConnectionFault(fault) && (method !== undefined || verb !== undefined))
    return `"${fault.kind}" is for a WebSocket as a whole: leave "method" and "verb" out`
  if (isRpcFault(fault) || method !== undefined) {
    const what = isRpcFault(fault) ? `"${fault.kind}" is a fault of JSON-RPC` : "a method is one of JSON-RPC"
    if (verb !== undefined && verb !== "POST") return `${what}, which is never sent with ${verb}`
    if (route !== undefined && !route.includes("/blockchain/node/")) {
      const fits = matcher(route)
      const paths = ["/", "/v3/blockchain/node/x", "/v4/blockchain/node/x", "/blockchain/node/x"]
      if (!paths.some(fits))
        return `${what}, and "${route}" is no route to a node: use /v3/blockchain/node/* or leave it out`
    }
  }
  if (!needsDialect(fault) || network === undefined) return undefined
  const fits = matcher(network)
  const known = Object.keys(Network.networks).filter(fits)
  if (known.length > 0 && known.every((id) => dialectOf(id) === undefined))
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

/** The parts of a request that rules compare. */
interface Question {
  readonly paths: ReadonlyArray<string>
  readonly verb: string
  readonly calls: ReadonlyArray<RpcCall>
  readonly way: Way
}

const wayOf = ({ method, socket }: Received): Way =>
  socket !== true ? "http" : method === "GET" ? "opening" : "message"

const question = (received: Received, way = wayOf(received)): Question => {
  const { body, method, path: target } = received
  const [path = "/"] = target.split("?", 1)
  // Only what may be JSON-RPC is read: an upload is many megabytes of something else.
  const content = /^\s*[[{]/.test(body.toString("latin1", 0, 100)) ? parse(body) : undefined
  return {
    // A route of the provider may be named without its version.
    paths: [path, path.replace(/^\/v[34](?=\/)/, "")],
    verb: method,
    way,
    calls: (Array.isArray(content) ? content : [content]).filter(isCall)
  }
}

/** A rule with its counters. */
interface Entry {
  readonly rule: FaultRule
  readonly fits: (where: Where, asked: Question) => boolean
  readonly picks: (call: RpcCall) => boolean
  readonly addedAt: number
  readonly end: number
  seen: number
  hits: number
  window: { readonly end: number; count: number } | undefined
}

const entryOf = (rule: FaultRule): Entry => {
  const { duration, fault, target } = rule
  const any = (): boolean => true
  const network = target.network === undefined ? any : matcher(target.network)
  const node = target.node === undefined ? any : matcher(target.node)
  const route = target.route === undefined ? any : matcher(target.route)
  const method = target.method === undefined ? any : matcher(target.method)
  const picks = (call: RpcCall): boolean => method(call.method)
  const isForCalls = target.method !== undefined || isRpcFault(fault)
  return {
    rule,
    picks,
    fits: (where, asked) =>
      (target.network === undefined || (where.network !== undefined && network(where.network))) &&
      (target.node === undefined ||
        (where.node !== undefined && (node(where.node) || node(where.node.replace(/^.*\//, ""))))) &&
      (target.verb === undefined || target.verb === asked.verb) &&
      (target.socket === undefined || target.socket === (asked.way !== "http")) &&
      goes(fault, asked.way) &&
      asked.paths.some(route) &&
      (!isForCalls || asked.calls.some(picks)) &&
      (!needsDialect(fault) || (where.network !== undefined && dialectOf(where.network) !== undefined)),
    addedAt: Date.now(),
    end: duration === undefined ? Number.POSITIVE_INFINITY : performance.now() + duration,
    seen: 0,
    hits: 0,
    window: undefined
  }
}

const stateOf = ({ end, hits, rule }: Entry): FaultState["state"] =>
  performance.now() >= end ? "over" : rule.times !== undefined && hits >= rule.times ? "spent" : "active"

/** A request that met a rule; `wait` is the rest of the rule's window in milliseconds. */
interface Hit {
  readonly entry: Entry
  readonly next: Random
  readonly wait: number
}

/** Whether a request that fits meets the fault. Everything random depends on the seed and the request's place alone. */
const meets = (entry: Entry): Hit | undefined => {
  const { after = 0, fault, probability = 1, seed } = entry.rule
  const place = entry.seen++
  if (place < after) return undefined
  const next = random(seed, place)
  if (next() >= probability) return undefined
  let wait = 0
  if (fault.kind === "rateLimit") {
    const now = performance.now()
    if (entry.window === undefined || now >= entry.window.end)
      entry.window = { end: now + fault.perMs, count: 0 }
    entry.window.count++
    if (entry.window.count <= fault.requests) return undefined
    wait = entry.window.end - now
  }
  entry.hits++
  return { entry, next, wait }
}

/** Faults that answer without asking the node: the rules behind them do not apply. */
const isFinal = ({ kind }: FaultKind): boolean =>
  kind === "freeze" ||
  kind === "reset" ||
  kind === "garbage" ||
  kind === "html" ||
  kind === "status" ||
  kind === "rateLimit"

const text = (body: string, type: string, status = 200): Answer => ({
  status,
  headers: { "content-type": type, "access-control-allow-origin": "*" },
  body: Buffer.from(body)
})

const withRetryAfter = (answer: Answer, retryAfter: number | string | undefined): Answer =>
  retryAfter === undefined
    ? answer
    : {
        ...answer,
        headers: {
          ...answer.headers,
          "retry-after": String(retryAfter),
          // Pages see the header of another origin only where it is named.
          "access-control-expose-headers": "retry-after"
        }
      }

const statusAnswer = (fault: FaultKind & { readonly kind: "status" }): Answer => {
  const { body, retryAfter, status } = fault
  const message = `The sandbox answers with status ${status}, as a rule says`
  const answer =
    body === undefined
      ? json({ statusCode: status, errorCode: "sandbox.fault", message }, status)
      : typeof body === "string"
        ? text(body, "text/plain", status)
        : json(body, status)
  // HTTP has no body with these
  const isBare = status === 204 || status === 304
  return withRetryAfter(isBare ? { ...answer, body: Buffer.alloc(0) } : answer, retryAfter)
}

/** 429 in the words of a node where a node was asked, in those of the provider elsewhere. */
const limited = (asked: unknown, wait: number, retryAfter: number | string | undefined): Answer => {
  const message = "Too many requests: the sandbox limits the rate here, as a rule says"
  const error = { code: -32_005, message }
  const body = isCall(asked)
    ? { jsonrpc: "2.0", id: asked.id ?? null, error }
    : Array.isArray(asked) && asked.some(isCall)
      ? { jsonrpc: "2.0", id: null, error }
      : { statusCode: 429, errorCode: "too.many.requests", message }
  return withRetryAfter(json(body, 429), retryAfter ?? Math.max(1, Math.ceil(wait / 1_000)))
}

const wrongId = (next: Random, id: unknown): unknown => {
  const offset = 1 + below(next, 1_000)
  return typeof id === "string" ? `${id}-${offset}` : typeof id === "number" ? id + offset : offset
}

/** Calls for the real node, with the headers of the request that they are made for. */
const askOf =
  (received: Received, handler: Handler): Ask =>
  (method, params) =>
    Effect.map(
      edited(
        {
          ...received,
          body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: "sandbox", method, params }))
        },
        handler,
        () => ({})
      ),
      (answer) => {
        const body = answer === "drop" ? undefined : read(answer.body)
        return isJson(body) ? body.result : undefined
      }
    )

const dialected = (where: Where, go: (dialect: Dialect) => Handler, next: Handler): Handler => {
  const dialect = where.network === undefined ? undefined : dialectOf(where.network)
  return dialect === undefined ? next : go(dialect)
}

/** The handler with a fault before it. `real` is the handler past all faults. */
const faulty = ({ entry, next: chance, wait }: Hit, where: Where, next: Handler, real: Handler): Handler => {
  const { fault } = entry.rule
  if (isSocketFault(fault)) return next
  const picked =
    <A>(edit: (call: RpcCall) => A | undefined) =>
    (call: RpcCall): A | undefined =>
      entry.picks(call) ? edit(call) : undefined
  const answered =
    (change: (answer: Answer) => Answer): Handler =>
    (received) =>
      Effect.map(next(received), (answer) => (answer === "drop" ? answer : change(answer)))

  switch (fault.kind) {
    case "slow": {
      const ms = fault.ms + chance() * (fault.jitter ?? 0)
      return (received) => Effect.zipRight(realTime(Effect.sleep(ms)), next(received))
    }
    case "freeze":
      return () => Effect.never
    case "reset":
      return () => Effect.succeed("drop")
    case "stall":
      return answered((answer) => ({ ...answer, stalled: true }))
    case "slowBody":
      return answered((answer) => ({ ...answer, drip: fault.ms }))
    case "garbage":
      return () => Effect.succeed(text('{"jsonrpc":"2.0","id":1,"resu\u0000\u0007', "application/json"))
    case "html":
      return () => Effect.succeed(text("<html><body><h1>502 Bad Gateway</h1></body></html>", "text/html"))
    case "truncate":
      return answered((answer) => ({
        ...answer,
        body: answer.body.subarray(0, Math.floor(answer.body.length * (fault.keep ?? 0.5)))
      }))
    case "status":
      return () => Effect.succeed(statusAnswer(fault))
    case "rateLimit":
      return (received) => Effect.sync(() => limited(parse(received.body), wait, fault.retryAfter))
    case "corrupt": {
      const wrong = (value: unknown): unknown => corrupt(chance, value, fault.changes ?? 1, fault.how)
      const edit = picked(() => ({
        after: (answer: Json): Json =>
          "result" in answer ? { ...answer, result: wrong(answer.result) } : answer
      }))
      return (received) =>
        question(received).calls.length > 0
          ? edited(received, next, edit)
          : changed(received, next, (body, { status }) => (status >= 400 ? body : wrong(body)))
    }
    case "wrongId":
      return (received) =>
        edited(
          received,
          next,
          picked(() => ({ after: (answer) => ({ ...answer, id: wrongId(chance, plainId(answer.id)) }) }))
        )
    case "error": {
      const { kind: _, ...error } = fault
      return (received) =>
        edited(
          received,
          next,
          picked(() => ({ answer: { error } }))
        )
    }
    case "wrongChain":
      return dialected(
        where,
        (dialect) => (received) => edited(received, next, picked(dialect.disguised(fault.chainId))),
        next
      )
    case "lying":
      return dialected(
        where,
        (dialect) => (received) => edited(received, next, picked(dialect.raised(fault.blocks))),
        next
      )
    case "stale":
      return dialected(
        where,
        (dialect) => (received) =>
          Effect.flatMap(dialect.held(fault.blocks, askOf(received, real)), (edit) =>
            edited(received, next, picked(edit))
          ),
        next
      )
  }
}

/** Ids from `read` keep their digits; small ones are plain numbers again. */
const plainId = (id: unknown): unknown => {
  const number = typeof id === "string" ? Number.NaN : Number(String(id))
  return Number.isSafeInteger(number) ? number : id
}

const isAdmin = (where: Where, path: string): boolean =>
  where.node === undefined && /^\/sandbox(\/|\?|$)/.test(path)

const names = ["network", "node", "route", "method", "verb", "socket"] as const

/** Rules with their counters. */
interface State {
  readonly events: PubSub.PubSub<Seen>
  entries: ReadonlyArray<Entry>
  /** The open WebSockets, which look at each new rule. */
  readonly sockets: Set<() => void>
  /** The latest requests, and more of them. */
  ring: Array<Seen>
  /** The number of rules that were added, and of requests that were served. */
  added: number
  served: number
}

const add = (state: State, input: FaultInput): Effect.Effect<FaultRule, FaultRefused> =>
  Effect.flatMap(decodeRule(input), (rule) => {
    const refuse = (message: string) => new FaultRefused({ message })
    const why = nonsense(rule)
    if (why !== undefined) return refuse(`No rule for faults: ${why}`)
    const number = state.added + 1
    const id = rule.id ?? `fault-${number}`
    if (state.entries.some((entry) => entry.rule.id === id))
      return refuse(`There is a rule "${id}" already: remove it first, or give this one another id`)
    if (state.entries.length >= LIMIT) {
      const ended = state.entries.find((entry) => stateOf(entry) !== "active")
      if (ended === undefined) return refuse(`There are ${LIMIT} rules already: remove some first`)
      state.entries = state.entries.filter((entry) => entry !== ended)
    }
    state.added = number
    const complete: FaultRule = { ...rule, id, target: rule.target ?? {}, seed: rule.seed ?? number }
    state.entries = [...state.entries, entryOf(complete)]
    for (const look of state.sockets) look()
    return Effect.succeed(complete)
  })

const hitsOf = ({ entries }: State, where: Where, asked: Question): ReadonlyArray<Hit> => {
  const hits: Array<Hit> = []
  for (const entry of entries) {
    if (stateOf(entry) !== "active" || !entry.fits(where, asked)) continue
    const hit = meets(entry)
    if (hit === undefined) continue
    hits.push(hit)
    if (isFinal(entry.rule.fault)) break
  }
  return hits
}

const recent = ({ ring }: State, last: number): ReadonlyArray<Seen> =>
  last >= 1 ? ring.slice(-Math.min(LIMIT, Math.floor(last))) : []

const record = (state: State, seen: Seen): Effect.Effect<void> =>
  Effect.suspend(() => {
    // Shortened in one go, now and then: a copy for every request would cost more than the request.
    if (state.ring.length >= 2 * LIMIT) state.ring = state.ring.slice(-LIMIT)
    state.ring.push(seen)
    return PubSub.publish(state.events, seen)
  })

/** A WebSocket with the rules that its messages meet, its notifications, and it itself. */
const socketOf = (state: State, where: Where, upgrade: Received, socket: Socket): Socket => {
  const met = new Set<Entry>()
  const rules: Pushes.Rules = {
    pushed: (message) =>
      hitsOf(state, where, question(message, "notification")).map(({ entry, next }) => ({
        fault: entry.rule.fault,
        next
      })),
    opened: () =>
      state.entries.flatMap((entry) => {
        const { fault } = entry.rule
        if (!isConnectionFault(fault) || met.has(entry) || stateOf(entry) !== "active") return []
        if (!entry.fits(where, question(upgrade, "connection"))) return []
        met.add(entry)
        const holds = (): boolean => state.entries.includes(entry) && performance.now() < entry.end
        return meets(entry) === undefined ? [] : [{ fault, holds }]
      }),
    onAdd: (look) => {
      state.sockets.add(look)
      return () => state.sockets.delete(look)
    }
  }
  return Pushes.faulty(rules, upgrade, (line) =>
    Effect.map(socket(line), (handler) => around(state, where, handler))
  )
}

/** A handler with the rules that its requests meet before it. */
const around =
  (state: State, where: Where, handler: Handler): Handler =>
  (received) =>
    Effect.suspend(() => {
      if (isAdmin(where, received.path)) return handler(received)
      const at = Date.now()
      const started = performance.now()
      const id = ++state.served
      const asked = question(received)
      const hits = hitsOf(state, where, asked)
      const answer = hits.reduceRight<Handler>((next, hit) => faulty(hit, where, next, handler), handler)
      return answer(received).pipe(
        Effect.map((said) =>
          said === "drop" || said.socket === undefined
            ? said
            : { ...said, socket: socketOf(state, where, received, said.socket) }
        ),
        Effect.onExit((exit) =>
          record(state, {
            id,
            at,
            where: where.label,
            ...(where.network === undefined ? {} : { network: where.network }),
            ...(where.node === undefined ? {} : { node: where.node }),
            verb: received.method,
            path: received.path,
            methods: asked.calls.slice(0, 10).map(({ method }) => method),
            ...(received.socket === true ? { socket: true } : {}),
            ...outcomeOf(exit),
            ms: Math.round((performance.now() - started) * 10) / 10,
            faults: hits.map(({ entry }) => entry.rule.id)
          })
        )
      )
    })

/** The requests from now on, and before them the `last` ones. */
const eventsOf = (state: State, last: number): Stream.Stream<Seen> =>
  Stream.unwrapScoped(
    Effect.map(PubSub.subscribe(state.events), (queue) => {
      // Subscribed before looking back: no request is missed in between, and one that comes twice is known by its id.
      const past = recent(state, last)
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
 * Rules apply in the order in which they were added: the first is outermost, so that one that slows down before one that
 * refuses makes a slow refusal. A fault that answers by itself (`freeze`, `reset`, `garbage`, `html`, `status`, `rateLimit`)
 * ends the chain, and rules behind it do not count the request. Which rules a request meets is settled when it arrives.
 *
 * `stale`, `lying` and `wrongChain` rewrite JSON-RPC of EVM (all block parameters, blocks, receipts and logs), of
 * Bitcoin-style nodes (`getblockcount`, `getbestblockhash`, `getblockhash`, `getblockchaininfo`, `getblock`,
 * `getblockheader`; wallets and the mempool stay) and of Solana (`getSlot`, `getBlockHeight`, `getEpochInfo` and
 * `context.slot`: heights only, and `getGenesisHash`). Elsewhere `add` refuses them. A call whose answer is spoilt has run at
 * the node: only `error` keeps calls from it. In a WebSocket, each notification is a request of its own to the rules that it can
 * meet, and so is the socket to `close` and `silence`, when it is opened or when the rule is added; the record has no
 * notifications.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<FaultsService> = Effect.gen(function* () {
  const events = yield* PubSub.sliding<Seen>(LIMIT)
  const state: State = { events, entries: [], sockets: new Set(), ring: [], added: 0, served: 0 }
  return {
    add: (input) => add(state, input),
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
          names.some((name) => filter[name] !== undefined && filter[name] !== rule.target[name])
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
    around: (where, handler) => around(state, where, handler),
    requests: (last = 100) => Effect.sync(() => recent(state, last)),
    events: (last = 0) => eventsOf(state, last)
  } satisfies FaultsService
})

const outcomeOf = (exit: Exit.Exit<Answer | "drop">): Pick<Seen, "outcome" | "status"> => {
  if (Exit.isFailure(exit)) return { outcome: "abandoned" }
  const { value } = exit
  if (value === "drop") return { outcome: "reset" }
  return { outcome: value.stalled === true ? "stalled" : "answered", status: value.status }
}

/**
 * The faults of a sandbox as a layer; see `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Faults> = Layer.effect(Faults, make)
