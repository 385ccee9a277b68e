/**
 * Answers that can never change are kept: a layer between clients and the transport that sends, in the place of that which shares
 * equal reads in flight (and over it). What a family's answers belong to, and how its nodes say what is final, are its `Facts`.
 *
 * These always hold: what is kept for good belongs to a block that the answering node had called final before it was asked, or to a
 * block by its hash that is an ancestor of such a one; that node has told the genesis block of this chain, by which answers are named;
 * nothing is kept of nodes that are not in the pool, of writes, errors, null or empty lists; every caller has a value of its own; a store
 * that fails, or is slow, costs its answers and nothing else.
 *
 * @since 0.1.0
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { Sharing } from "../config/Config.js"
import { keccak256 } from "../data/keccak.js"
import { monotonic } from "../http/service.js"
import { nextId, ownRead, readReply } from "../wire/jsonRpc.js"
import { resultIn } from "../wire/splitList.js"
import {
  type Call,
  type CallError,
  CallOptions,
  type CallOptionsShape,
  type OptionedTransport,
  type Reply,
  type TransportService
} from "../wire/Transport.js"
import { inFlight } from "./Coalesce.js"

/**
 * How long an answer holds: `always`; while its block is the chain's, which is named by its number (`at`), by its hash (`of`), or by the
 * answer itself (`told`); or `for` some milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export type Fact =
  | { readonly _tag: "always" | "told" }
  | { readonly _tag: "at"; readonly block: number }
  | { readonly _tag: "of"; readonly hash: string }
  | { readonly _tag: "for"; readonly ms: number }

/**
 * A question of the cache's own to a node. `read` makes the answer of the result; what it throws, or undefined, is none.
 *
 * @since 0.1.0
 * @category models
 */
export interface Question<out A> {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
  readonly read: (result: unknown) => A | undefined
}

/**
 * A block as answers name it.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlockName {
  readonly number: number
  readonly hash: string
}

/**
 * What a family's answers belong to, and how its nodes are asked what is final: `final` are questions for the height of the highest
 * final block, of which the first that has an answer counts.
 *
 * @since 0.1.0
 * @category models
 */
export interface Facts {
  readonly factOf: (method: string, params: ReadonlyArray<unknown>) => Fact | undefined
  readonly genesis: Question<string>
  readonly final: ReadonlyArray<Question<number>>
  readonly numberOf: (hash: string) => Question<number>
  readonly hashAt: (block: number) => Question<string>
  /** The block that a result belongs to, if it says so. */
  readonly blockOf: (result: unknown) => BlockName | undefined
}

/**
 * A place that outlives the process: texts by names of at most 300 characters. `get` and `set` of the package idb-keyval are one. `lock`, where it is there, lets one
 * process ask for a name at a time: it resolves to what ends the lock, or to undefined while another process has it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Store {
  readonly get: (name: string) => PromiseLike<unknown>
  readonly set: (name: string, value: string) => PromiseLike<unknown>
  readonly lock?: (name: string) => PromiseLike<(() => PromiseLike<unknown>) | undefined>
}

/**
 * What a cache has done: reads that were answered from memory, from the store and by nodes, and what is in memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface CacheStats {
  readonly hits: number
  readonly stored: number
  readonly misses: number
  readonly entries: number
  readonly bytes: number
}

/** The version of what is in stores. */
export const VERSION = 1

/** The pause between two questions to a node for what is final, in milliseconds. */
const PACE = 2_000

/** A store is waited for so long, in milliseconds. */
const PATIENCE = 500

/** Whoever does not get the lock looks again after so many milliseconds, and so often. */
const LOOK = { pause: 25, times: 40 }

/** Most hashes of final blocks that are remembered. */
const MOST_HASHES = 10_000

/** An answer in memory. */
interface Kept {
  readonly raw: string
  readonly until: number
  readonly bytes: number
}

/** Answers within a limit of bytes, of which those go first that nobody has asked for the longest time. */
export class Memory {
  private readonly kept = new Map<string, Kept>()
  private bytes = 0
  hits = 0
  stored = 0
  misses = 0

  constructor(private readonly limit: number) {}

  get(name: string, now: number): string | undefined {
    const found = this.kept.get(name)
    if (found === undefined) return undefined
    this.drop(name, found)
    if (found.until <= now) return undefined
    this.bytes += found.bytes
    this.kept.set(name, found)
    return found.raw
  }

  set(name: string, raw: string, until: number): void {
    // texts take two bytes a character at most, and an entry of a map some more
    const bytes = 2 * (name.length + raw.length) + 100
    const before = this.kept.get(name)
    if (before !== undefined) this.drop(name, before)
    // one that takes an eighth of everything would drive out too many others
    if (bytes > this.limit / 8) return
    this.bytes += bytes
    this.kept.set(name, { raw, until, bytes })
    for (const [oldest, entry] of this.kept) {
      if (this.bytes <= this.limit) return
      this.drop(oldest, entry)
    }
  }

  stats(): CacheStats {
    const { bytes, hits, misses, stored } = this
    return { hits, stored, misses, entries: this.kept.size, bytes }
  }

  private drop(name: string, { bytes }: Kept): void {
    this.kept.delete(name)
    this.bytes -= bytes
  }
}

/** What a node has told of itself: its genesis block, and its last two final heights with the turns of these answers, the newest first. */
interface Told {
  genesis: string | undefined
  finals: ReadonlyArray<{ readonly turn: number; readonly height: number }>
  /** When it was last asked, in milliseconds. */
  askedAt: number
}

/** The state of the cache of one client. */
interface Caching {
  readonly facts: Facts
  readonly memory: Memory
  readonly store: Store | undefined
  readonly inner: TransportService
  /** Sends the cache's own questions. */
  readonly asking: OptionedTransport
  readonly clock: Clock.Clock
  readonly fork: (effect: Effect.Effect<unknown, unknown>) => void
  readonly nodes: Map<string, Told>
  /** Hashes of blocks that are final. */
  readonly hashes: Set<string>
  /** The hash of the genesis block, when a node has told it. */
  chain: string | undefined
  /** Requests and answers have turns: of two the later one has the higher turn, whatever the clock says. */
  turn: number
  /** What answers that hold for a while are named by, besides: it is another one after every write. */
  era: number
}

interface Answer<A> {
  readonly reply: Reply
  readonly value: A
}

const withReply = <A>(call: Call<A>): Call<Answer<A>> => ({
  ...call,
  past: undefined,
  accepted: undefined,
  heightOf: ({ value }) => call.heightOf?.(value),
  decode: (reply) => Either.map(call.decode(reply), (value) => ({ reply, value }))
})

/** Asks the node of a url, or without one any node, which is then told by the reply. */
const ask = <A>(
  { asking }: Caching,
  { method, params, read }: Question<A>,
  node: string | undefined
): Effect.Effect<Answer<A | undefined>, CallError> =>
  Effect.suspend(() => {
    const id = nextId()
    const call: Call<unknown> = {
      ...ownRead(id, method, params),
      key: `cache ${method} ${JSON.stringify(params)}`,
      id,
      isPart: true
    }
    return Effect.map(
      asking.sendWith(withReply(call), { coalesce: true, ...(node === undefined ? {} : { node }) }),
      ({ reply, value }) => ({ reply, value: read(value) })
    )
  })

/** The first answer to one of some questions. */
const firstOf = <A>(
  caching: Caching,
  questions: ReadonlyArray<Question<A>>,
  node: string
): Effect.Effect<A | undefined> => {
  const [question, ...others] = questions
  if (question === undefined) return Effect.succeed(undefined)
  return Effect.matchEffect(ask(caching, question, node), {
    onFailure: () => firstOf(caching, others, node),
    onSuccess: ({ value }) => (value === undefined ? firstOf(caching, others, node) : Effect.succeed(value))
  })
}

const toldBy = ({ nodes }: Caching, url: string): Told => {
  const known = nodes.get(url)
  if (known !== undefined) return known
  const told: Told = { genesis: undefined, finals: [], askedAt: Number.NEGATIVE_INFINITY }
  nodes.set(url, told)
  return told
}

/** Which chain this is: what the first node says, which has passed the chain check of the pool. */
const identify = (caching: Caching): Effect.Effect<void> =>
  Effect.match(ask(caching, caching.facts.genesis, undefined), {
    onFailure: () => {},
    onSuccess: ({ reply, value }) => {
      if (value === undefined) return
      toldBy(caching, reply.url).genesis = value
      caching.chain ??= value
    }
  })

/** Asks a node for its genesis block, if it is new, and for what is final, unless it was asked just now. */
const learn = (caching: Caching, url: string): void => {
  const told = toldBy(caching, url)
  const now = monotonic(caching.clock)
  if (now - told.askedAt < PACE) return
  told.askedAt = now
  const genesis =
    told.genesis === undefined ? firstOf(caching, [caching.facts.genesis], url) : Effect.succeed(told.genesis)
  caching.fork(
    Effect.flatMap(genesis, (genesis) => {
      if (genesis === undefined) return Effect.void
      told.genesis = genesis
      caching.chain ??= genesis
      return Effect.map(firstOf(caching, caching.facts.final, url), (height) => {
        if (height === undefined) return
        told.finals = [{ turn: ++caching.turn, height }, ...told.finals.slice(0, 1)]
      })
    })
  )
}

/** The height of what was final for a node before a request was sent. */
const finalBefore = ({ finals }: Told, sent: number): number =>
  finals.find(({ turn }) => turn < sent)?.height ?? -1

const remember = ({ hashes }: Caching, hash: string): void => {
  hashes.add(hash)
  for (const oldest of hashes) {
    if (hashes.size <= MOST_HASHES) return
    hashes.delete(oldest)
  }
}

/** A read with what it is about. */
interface Read {
  readonly fact: Fact
  /** Its name in memory and in stores, with the chain's. */
  readonly name: string
  readonly era: number
}

/** Names are for stores, too, of which some take short ones alone. */
export const stored = (name: string): string =>
  name.length <= 200
    ? name
    : `${name.slice(0, 100)} ${Array.from(keccak256(new TextEncoder().encode(name)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`

/** Keeps an answer for good. */
const keep = ({ memory, store }: Caching, name: string, raw: string): Effect.Effect<void> => {
  memory.set(name, raw, Number.POSITIVE_INFINITY)
  return store === undefined
    ? Effect.void
    : Effect.asVoid(
        fromStore(() => store.set(stored(name), raw)) // what could not be written is asked for again
      )
}

/** Something of a store, or undefined where it fails or takes too long. */
export const fromStore = <A>(ask: () => PromiseLike<A>): Effect.Effect<A | undefined> =>
  Effect.tryPromise({ try: async () => ask(), catch: () => undefined }).pipe(
    Effect.timeoutFail({ duration: PATIENCE, onTimeout: () => undefined }),
    Effect.orElseSucceed(() => undefined)
  )

/** Whether the block of a hash is final: a node is asked for its place, and for the block that is there. */
const confirm = (caching: Caching, url: string, hash: string, number?: number): Effect.Effect<boolean> => {
  const { facts } = caching
  const told = toldBy(caching, url)
  const place = number === undefined ? firstOf(caching, [facts.numberOf(hash)], url) : Effect.succeed(number)
  return Effect.flatMap(place, (at) => {
    if (at === undefined || at > finalBefore(told, caching.turn + 1)) {
      learn(caching, url)
      return Effect.succeed(false)
    }
    return Effect.map(firstOf(caching, [facts.hashAt(at)], url), (there) => {
      if (there === hash) remember(caching, hash)
      return there === hash
    })
  })
}

/** Results that say nothing, or that there is nothing. */
const isNothing = (raw: string): boolean => /^(null|\[\s*\]|\{\s*\}|"")$/.test(raw)

/** Keeps an answer if it may be kept. The effect is what that takes of a store. */
const consider = (caching: Caching, read: Read, reply: Reply, sent: number): Effect.Effect<void> => {
  const { clock, facts, memory } = caching
  const { fact, name } = read
  const told = toldBy(caching, reply.url)
  if (told.genesis === undefined) learn(caching, reply.url)
  const raw = told.genesis === undefined || told.genesis !== caching.chain ? undefined : resultIn(reply.text)
  if (raw === undefined || isNothing(raw)) return Effect.void
  if (fact._tag === "always") return keep(caching, name, raw)
  if (fact._tag === "for") {
    memory.set(`${read.era} ${name}`, raw, monotonic(clock) + fact.ms)
    return Effect.void
  }
  const block = facts.blockOf(JSON.parse(raw))
  if (fact._tag === "of") {
    if (caching.hashes.has(fact.hash)) return keep(caching, name, raw)
    // the caller does not wait for that
    caching.fork(
      Effect.flatMap(confirm(caching, reply.url, fact.hash, block?.number), (final) =>
        final ? keep(caching, name, raw) : Effect.void
      )
    )
    return Effect.void
  }
  const at = fact._tag === "at" ? fact.block : block?.number
  if (at === undefined) return Effect.void
  if (at > finalBefore(told, sent)) {
    learn(caching, reply.url)
    return Effect.void
  }
  if (block?.number === at) remember(caching, block.hash)
  return keep(caching, name, raw)
}

/** Eras are those of one client: no two have the same number. */
let eras = 0

/** The name of a read on its chain: its key without the number of its endpoint, which another process numbers in another way. */
const nameOf = (chain: string, { key = "", path }: Call<unknown>): string =>
  `effect-chains ${VERSION} ${chain} ${path}${key.slice(key.indexOf(" "))}`

const factOf = ({ facts }: Caching, { body, label }: Call<unknown>): Fact | undefined => {
  if (typeof body !== "string") return undefined
  const { params }: { readonly params?: unknown } = JSON.parse(body)
  return facts.factOf(label, Array.isArray(params) ? params : [])
}

/** The value of a kept answer, if its reader still understands it. */
const valueOf = <A>(call: Call<A>, raw: string): Either.Either<A, unknown> =>
  readReply(call, { status: 200, url: "", text: `{"jsonrpc":"2.0","id":${call.id},"result":${raw}}` })

/** Asks a node, and keeps the answer if it may be kept. */
const fetched = <A>(
  caching: Caching,
  call: Call<A>,
  read: Read,
  waits: boolean
): Effect.Effect<A, CallError> =>
  Effect.suspend(() => {
    caching.memory.misses++
    const sent = ++caching.turn
    return Effect.flatMap(caching.inner.send(withReply(call)), ({ reply, value }) => {
      const keeping = consider(caching, read, reply, sent)
      if (waits) return Effect.as(keeping, value)
      if (caching.store !== undefined) caching.fork(keeping)
      return Effect.succeed(value)
    })
  })

/** An answer in the store. */
const restored = <A>(
  { memory, store }: Caching,
  call: Call<A>,
  { name }: Read
): Effect.Effect<Either.Either<A, unknown> | undefined> =>
  store === undefined
    ? Effect.succeed(undefined)
    : Effect.map(
        fromStore(() => store.get(stored(name))),
        (raw) => {
          if (typeof raw !== "string") return undefined
          const value = valueOf(call, raw)
          if (Either.isLeft(value)) return undefined
          memory.stored++
          memory.set(name, raw, Number.POSITIVE_INFINITY)
          return value
        }
      )

/** Asks the store, and then a node: only one process does, as far as the store's lock is kept. */
const sought = <A>(
  caching: Caching,
  call: Call<A>,
  read: Read,
  tries: number
): Effect.Effect<A, CallError> => {
  const { store } = caching
  const orElse = (ask: Effect.Effect<A, CallError>): Effect.Effect<A, CallError> =>
    Effect.flatMap(restored(caching, call, read), (found) =>
      found !== undefined && Either.isRight(found) ? Effect.succeed(found.right) : ask
    )
  return orElse(
    Effect.suspend(() => {
      if (store?.lock === undefined || tries === 0) return fetched(caching, call, read, false)
      const { lock } = store
      const name = stored(read.name)
      const taken = fromStore(async () => ({ end: await lock(name) }))
      return Effect.flatMap(taken, (locked) => {
        // the store is broken
        if (locked === undefined) return fetched(caching, call, read, false)
        const { end } = locked
        return end === undefined
          ? Effect.zipRight(Effect.sleep(LOOK.pause), sought(caching, call, read, tries - 1))
          : Effect.ensuring(
              // another one may have had the lock since the store was asked, and have kept its answer
              orElse(fetched(caching, call, read, true)),
              fromStore(() => end())
            )
      })
    })
  )
}

/** The transport below the one in which equal reads share a request: what it sends is kept if it may be. */
const keeping = (caching: Caching): TransportService => {
  const send = <A>(call: Call<A>): Effect.Effect<A, CallError> => {
    const { era } = caching
    const fact = isKeepable(call) ? factOf(caching, call) : undefined
    if (fact === undefined) return caching.inner.send(call)
    const known = caching.chain === undefined && caching.store !== undefined ? identify(caching) : Effect.void
    return Effect.flatMap(Effect.zipRight(known, CallOptions), ({ minBlock, node }) => {
      const name = nameOf(caching.chain ?? "", call)
      const read: Read = { fact, name, era }
      if (node !== undefined || (fact._tag === "for" && minBlock !== undefined))
        return caching.inner.send(call)
      return caching.chain === undefined || fact._tag === "for"
        ? fetched(caching, call, read, false)
        : sought(caching, call, read, LOOK.times)
    })
  }
  return { nodeUrl: (archive) => caching.inner.nodeUrl(archive), send }
}

const isKeepable = ({ gateway, id, key, repeat }: Call<unknown>): boolean =>
  repeat === "read" && key !== undefined && id !== undefined && !gateway

/** What is in memory for a call. */
const remembered = <A>(
  { chain, clock, era, memory }: Caching,
  call: Call<A>,
  { coalesce, minBlock, node }: CallOptionsShape
): Either.Either<A, unknown> | undefined => {
  if (chain === undefined || coalesce === false || node !== undefined || !isKeepable(call)) return undefined
  const name = nameOf(chain, call)
  const now = monotonic(clock)
  const raw =
    memory.get(name, now) ?? (minBlock === undefined ? memory.get(`${era} ${name}`, now) : undefined)
  return raw === undefined ? undefined : valueOf(call, raw)
}

/**
 * A layer that keeps the answers of a family, in `memory` and in `store`. Without facts, equal reads share their request in flight,
 * and nothing is kept.
 *
 * @since 0.1.0
 * @category constructors
 */
export const cached =
  (memory: Memory, store: Store | undefined, facts: Facts | undefined) =>
  (inner: TransportService): ReturnType<Sharing> =>
    facts === undefined ? inFlight(inner, true) : over({ facts, inner, memory, store })

const over = (
  given: Pick<Caching, "facts" | "inner" | "memory" | "store">
): Effect.Effect<OptionedTransport, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { inner, memory } = given
    const runtime = yield* Effect.runtime<Scope.Scope>()
    const scope = yield* Effect.scope
    const caching: Caching = {
      ...given,
      asking: yield* inFlight(inner, true),
      clock: yield* Effect.clock,
      fork: (effect) => void Runtime.runFork(runtime, effect, { scope }),
      nodes: new Map(),
      hashes: new Set(),
      chain: undefined,
      turn: 0,
      era: ++eras
    }
    const sharing = yield* inFlight(keeping(caching), true)
    const sendWith = <A>(call: Call<A>, options: CallOptionsShape): Effect.Effect<A, CallError> => {
      if (call.repeat !== "read")
        return Effect.ensuring(
          sharing.sendWith(call, options),
          Effect.sync(() => {
            caching.era = ++eras
          })
        )
      return Effect.suspend(() => {
        const found = remembered(caching, call, options)
        if (found === undefined || Either.isLeft(found)) return sharing.sendWith(call, options)
        memory.hits++
        return Effect.succeed(found.right)
      })
    }
    return {
      nodeUrl: (archive) => inner.nodeUrl(archive),
      send: (call) => Effect.flatMap(CallOptions, (options) => sendWith(call, options)),
      sendWith
    }
  })
