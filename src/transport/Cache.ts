/**
 * A cache of answers that never change: a layer that replaces the one that shares equal reads in flight, and uses it. The `CacheRules` of a
 * chain family say which block an answer belongs to, and how its nodes report finality.
 *
 * Invariants:
 *
 * - An answer is kept forever only if it belongs to a block that the answering node had reported as final before the request, or to an
 *   ancestor of such a block by its hash.
 * - That node has reported the genesis block of this chain. Names of answers contain its hash.
 * - Answers of nodes outside the pool, writes, errors, null and empty lists are never kept.
 * - Every caller gets a value of its own.
 * - If the store fails or is slow, its answers are missing, and nothing else happens.
 *
 * @since 0.1.0
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { CoalesceLayer } from "../config/Config.js"
import { rightOf } from "../data/eitherValues.js"
import { keccak256 } from "../data/keccak.js"
import { monotonic } from "../http/service.js"
import { makeInternalRead, nextId, readReply } from "../wire/jsonRpc.js"
import { findResult } from "../wire/splitList.js"
import {
  type Call,
  type CallError,
  CallOptions,
  type CallOptionsShape,
  type Reply,
  type TransportService,
  type TransportWithOptions
} from "../wire/Transport.js"
import { shareInFlight } from "./Coalesce.js"

/**
 * How long an answer is valid: `forever`, for a `limited` time in milliseconds, or as long as its block is part of the chain. The block is
 * given by its number (`blockNumber`), by its hash (`blockHash`), or by the answer itself (`answerBlock`).
 *
 * @since 0.1.0
 * @category models
 */
export type Validity =
  | { readonly _tag: "forever" | "answerBlock" }
  | { readonly _tag: "blockNumber"; readonly block: number }
  | { readonly _tag: "blockHash"; readonly hash: string }
  | { readonly _tag: "limited"; readonly ms: number }

/**
 * A question of the cache to a node. `read` decodes the result; if it throws or yields undefined, there is no answer.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodeQuestion<out A> {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
  readonly read: (result: unknown) => A | undefined
}

/**
 * The number and the hash of a block.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlockReference {
  readonly number: number
  readonly hash: string
}

/**
 * The rules of a chain family: how long answers are valid, and the questions about blocks. `final` are questions for the highest final block;
 * the first that has an answer counts.
 *
 * @since 0.1.0
 * @category models
 */
export interface CacheRules {
  readonly validityOf: (method: string, params: ReadonlyArray<unknown>) => Validity | undefined
  readonly genesis: NodeQuestion<string>
  readonly final: ReadonlyArray<NodeQuestion<number>>
  readonly numberOf: (hash: string) => NodeQuestion<number>
  readonly hashAt: (block: number) => NodeQuestion<string>
  /** The block that a result belongs to, if the result names it. */
  readonly blockOf: (result: unknown) => BlockReference | undefined
}

/**
 * A persistent store of texts by names of at most 300 characters; `get` and `set` of the package idb-keyval are one. With the optional `lock`
 * only one process at a time fetches a name: `lock` resolves to the function that releases it, or to undefined while another process has it.
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
 * The statistics of a cache: reads answered from memory, from the store and by nodes, and the size of the memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface CacheStats {
  readonly hits: number
  readonly storeHits: number
  readonly misses: number
  readonly entries: number
  readonly bytes: number
}

/** The version of the format in stores. */
export const STORE_VERSION = 1

/** The least time between two questions to a node for its final block, in milliseconds. */
const FINALITY_POLL_MS = 2_000

/** The time limit of a store's operation, in milliseconds. */
const STORE_TIMEOUT_MS = 500

/** The pause in milliseconds before a process tries again to get a lock, and the number of tries. */
const LOCK_POLL = { pause: 25, times: 40 }

/** The most hashes of final blocks that are kept. */
const MAX_HASHES = 10_000

/** An answer in memory. */
interface MemoryEntry {
  readonly raw: string
  readonly expiresAt: number
  readonly bytes: number
}

/** The answers in memory, within a limit of bytes. The least recently used are dropped first. */
export class Memory {
  private readonly entries = new Map<string, MemoryEntry>()
  private bytes = 0
  hits = 0
  storeHits = 0
  misses = 0

  constructor(private readonly limit: number) {}

  get(name: string, now: number): string | undefined {
    const found = this.entries.get(name)
    if (found === undefined) return undefined
    this.drop(name, found)
    if (found.expiresAt <= now) return undefined
    this.bytes += found.bytes
    this.entries.set(name, found)
    return found.raw
  }

  set(name: string, raw: string, expiresAt: number): void {
    // at most two bytes per character, and some for the entry of the map
    const bytes = 2 * (name.length + raw.length) + 100
    const before = this.entries.get(name)
    if (before !== undefined) this.drop(name, before)
    // an answer larger than an eighth of the limit would displace too many others
    if (bytes > this.limit / 8) return
    this.bytes += bytes
    this.entries.set(name, { raw, expiresAt, bytes })
    for (const [oldest, entry] of this.entries) {
      if (this.bytes <= this.limit) return
      this.drop(oldest, entry)
    }
  }

  stats(): CacheStats {
    const { bytes, hits, misses, storeHits } = this
    return { hits, storeHits, misses, entries: this.entries.size, bytes }
  }

  private drop(name: string, { bytes }: MemoryEntry): void {
    this.entries.delete(name)
    this.bytes -= bytes
  }
}

/** What a node has reported: its genesis block, and its last two final heights with the sequence numbers of these answers, newest first. */
interface NodeFinality {
  genesis: string | undefined
  finalHeights: ReadonlyArray<{ readonly turn: number; readonly height: number }>
  /** The time of the last question, in milliseconds on the monotonic clock. */
  askedAt: number
}

/** The state of the cache of one client. */
interface CacheState {
  readonly rules: CacheRules
  readonly memory: Memory
  readonly store: Store | undefined
  readonly inner: TransportService
  /** The transport for the cache's own questions. */
  readonly questionTransport: TransportWithOptions
  readonly clock: Clock.Clock
  readonly fork: (effect: Effect.Effect<unknown, unknown>) => void
  readonly nodes: Map<string, NodeFinality>
  /** The hashes of final blocks. */
  readonly finalHashes: Set<string>
  /** The hash of the genesis block; undefined until a node has reported it. */
  genesisHash: string | undefined
  /** The sequence number of the last request or answer. */
  sequence: number
  /** Part of the names of answers that are valid for a time. It changes after every write, so that these answers are not used any more. */
  writeEpoch: number
}

interface Answer<A> {
  readonly reply: Reply
  readonly value: A
}

const withReply = <A>(call: Call<A>): Call<Answer<A>> => ({
  ...call,
  pastBlock: undefined,
  accepted: undefined,
  heightOf: ({ value }) => call.heightOf?.(value),
  decode: (reply) => Either.map(call.decode(reply), (value) => ({ reply, value }))
})

/** Asks the node with this url, or any node if it is undefined. The reply has the url of the node that answered. */
const askNode = <A>(
  { questionTransport }: CacheState,
  { method, params, read }: NodeQuestion<A>,
  node: string | undefined
): Effect.Effect<Answer<A | undefined>, CallError> =>
  Effect.suspend(() => {
    const id = nextId()
    const call: Call<unknown> = {
      ...makeInternalRead(id, method, params),
      deduplicationKey: `cache ${method} ${JSON.stringify(params)}`,
      id,
      isPart: true
    }
    return Effect.map(
      questionTransport.sendWith(withReply(call), {
        coalesce: true,
        ...(node === undefined ? {} : { node })
      }),
      ({ reply, value }) => ({ reply, value: read(value) })
    )
  })

/** Asks the questions one after another, until one has an answer. */
const askFirst = <A>(
  caching: CacheState,
  questions: ReadonlyArray<NodeQuestion<A>>,
  node: string
): Effect.Effect<A | undefined> => {
  const [question, ...others] = questions
  if (question === undefined) return Effect.succeed(undefined)
  return Effect.matchEffect(askNode(caching, question, node), {
    onFailure: () => askFirst(caching, others, node),
    onSuccess: ({ value }) => (value === undefined ? askFirst(caching, others, node) : Effect.succeed(value))
  })
}

const getFinality = ({ nodes }: CacheState, url: string): NodeFinality => {
  const known = nodes.get(url)
  if (known !== undefined) return known
  const finality: NodeFinality = { genesis: undefined, finalHeights: [], askedAt: Number.NEGATIVE_INFINITY }
  nodes.set(url, finality)
  return finality
}

/** Learns the genesis block from the first node that answers. The pool has verified the chain of that node. */
const learnGenesis = (caching: CacheState): Effect.Effect<void> =>
  Effect.match(askNode(caching, caching.rules.genesis, undefined), {
    onFailure: () => {},
    onSuccess: ({ reply, value }) => {
      if (value === undefined) return
      getFinality(caching, reply.url).genesis = value
      caching.genesisHash ??= value
    }
  })

/** Asks a node in the background for its genesis block, if that is unknown, and for its final block, unless it was asked just now. */
const refreshFinality = (caching: CacheState, url: string): void => {
  const finality = getFinality(caching, url)
  const now = monotonic(caching.clock)
  if (now - finality.askedAt < FINALITY_POLL_MS) return
  finality.askedAt = now
  const genesis =
    finality.genesis === undefined
      ? askFirst(caching, [caching.rules.genesis], url)
      : Effect.succeed(finality.genesis)
  caching.fork(
    Effect.flatMap(genesis, (genesis) => {
      if (genesis === undefined) return Effect.void
      finality.genesis = genesis
      caching.genesisHash ??= genesis
      return Effect.map(askFirst(caching, caching.rules.final, url), (height) => {
        if (height === undefined) return
        finality.finalHeights = [{ turn: ++caching.sequence, height }, ...finality.finalHeights.slice(0, 1)]
      })
    })
  )
}

/** The highest block that the node had reported as final before a request was sent; -1 if there is none. */
const finalHeightBefore = ({ finalHeights }: NodeFinality, sent: number): number =>
  finalHeights.find(({ turn }) => turn < sent)?.height ?? -1

const recordFinalHash = ({ finalHashes }: CacheState, hash: string): void => {
  finalHashes.add(hash)
  for (const oldest of finalHashes) {
    if (finalHashes.size <= MAX_HASHES) return
    finalHashes.delete(oldest)
  }
}

/** A read that may be cached. */
interface CacheableRead {
  readonly validity: Validity
  /** The name of its answer in memory and in stores. It contains the genesis hash. */
  readonly name: string
  readonly writeEpoch: number
}

/** The name in a store. Long names end with a hash, since some stores limit the length. */
export const toStoreName = (name: string): string =>
  name.length <= 200
    ? name
    : `${name.slice(0, 100)} ${Array.from(keccak256(new TextEncoder().encode(name)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`

/** Keeps an answer forever. */
const keepForever = ({ memory, store }: CacheState, name: string, raw: string): Effect.Effect<void> => {
  memory.set(name, raw, Number.POSITIVE_INFINITY)
  return store === undefined
    ? Effect.void
    : Effect.asVoid(
        takeFromStore(() => store.set(toStoreName(name), raw)) // an answer that could not be written is fetched again
      )
}

/** Runs an operation of a store. Yields undefined if it fails or takes too long. */
export const takeFromStore = <A>(ask: () => PromiseLike<A>): Effect.Effect<A | undefined> =>
  Effect.tryPromise({ try: async () => ask(), catch: () => undefined }).pipe(
    Effect.timeoutFail({ duration: STORE_TIMEOUT_MS, onTimeout: () => undefined }),
    Effect.orElseSucceed(() => undefined)
  )

/** Whether the block with this hash is final: the node is asked for its number, and for the hash at that number. */
const isHashFinal = (
  caching: CacheState,
  url: string,
  hash: string,
  number?: number
): Effect.Effect<boolean> => {
  const { rules } = caching
  const finality = getFinality(caching, url)
  const place = number === undefined ? askFirst(caching, [rules.numberOf(hash)], url) : Effect.succeed(number)
  return Effect.flatMap(place, (at) => {
    if (at === undefined || at > finalHeightBefore(finality, caching.sequence + 1)) {
      refreshFinality(caching, url)
      return Effect.succeed(false)
    }
    return Effect.map(askFirst(caching, [rules.hashAt(at)], url), (there) => {
      if (there === hash) recordFinalHash(caching, hash)
      return there === hash
    })
  })
}

/** Whether a result is null or empty. */
const isEmptyResult = (raw: string): boolean => /^(null|\[\s*\]|\{\s*\}|"")$/.test(raw)

/** Keeps an answer if the invariants allow it. The returned effect writes it to the store. */
const keepIfAllowed = (
  caching: CacheState,
  read: CacheableRead,
  reply: Reply,
  sent: number
): Effect.Effect<void> => {
  const { clock, rules, memory } = caching
  const { validity, name } = read
  const finality = getFinality(caching, reply.url)
  if (finality.genesis === undefined) refreshFinality(caching, reply.url)
  const raw =
    finality.genesis === undefined || finality.genesis !== caching.genesisHash
      ? undefined
      : findResult(reply.text)
  if (raw === undefined || isEmptyResult(raw)) return Effect.void
  if (validity._tag === "forever") return keepForever(caching, name, raw)
  if (validity._tag === "limited") {
    memory.set(`${read.writeEpoch} ${name}`, raw, monotonic(clock) + validity.ms)
    return Effect.void
  }
  const block = rules.blockOf(JSON.parse(raw))
  if (validity._tag === "blockHash") {
    if (caching.finalHashes.has(validity.hash)) return keepForever(caching, name, raw)
    // in the background: the caller does not wait for it
    caching.fork(
      Effect.flatMap(isHashFinal(caching, reply.url, validity.hash, block?.number), (final) =>
        final ? keepForever(caching, name, raw) : Effect.void
      )
    )
    return Effect.void
  }
  const at = validity._tag === "blockNumber" ? validity.block : block?.number
  if (at === undefined) return Effect.void
  if (at > finalHeightBefore(finality, sent)) {
    refreshFinality(caching, reply.url)
    return Effect.void
  }
  if (block?.number === at) recordFinalHash(caching, block.hash)
  return keepForever(caching, name, raw)
}

/** The last `writeEpoch` of all clients: no two share one. */
let lastEpoch = 0

/** The name of a read: its key without the endpoint's number, which differs between processes. */
const cacheName = (chain: string, { deduplicationKey = "", path }: Call<unknown>): string =>
  `effect-chains ${STORE_VERSION} ${chain} ${path}${deduplicationKey.slice(deduplicationKey.indexOf(" "))}`

const validityOf = ({ rules }: CacheState, { body, label }: Call<unknown>): Validity | undefined => {
  if (typeof body !== "string") return undefined
  const { params }: { readonly params?: unknown } = JSON.parse(body)
  return rules.validityOf(label, Array.isArray(params) ? params : [])
}

/** Decodes a kept answer. Yields a failure if the endpoint cannot decode it any more. */
const readCached = <A>(call: Call<A>, raw: string): Either.Either<A, unknown> =>
  readReply(call, { status: 200, url: "", text: `{"jsonrpc":"2.0","id":${call.id},"result":${raw}}` })

/** Asks a node, and keeps the answer if the invariants allow it. */
const fetchAndKeep = <A>(
  caching: CacheState,
  call: Call<A>,
  read: CacheableRead,
  isAwaitingStore: boolean
): Effect.Effect<A, CallError> =>
  Effect.suspend(() => {
    caching.memory.misses++
    const sent = ++caching.sequence
    return Effect.flatMap(caching.inner.send(withReply(call)), ({ reply, value }) => {
      const keeping = keepIfAllowed(caching, read, reply, sent)
      if (isAwaitingStore) return Effect.as(keeping, value)
      if (caching.store !== undefined) caching.fork(keeping)
      return Effect.succeed(value)
    })
  })

/** Reads an answer from the store. */
const readFromStore = <A>(
  { memory, store }: CacheState,
  call: Call<A>,
  { name }: CacheableRead
): Effect.Effect<Either.Either<A, unknown> | undefined> =>
  store === undefined
    ? Effect.succeed(undefined)
    : Effect.map(
        takeFromStore(() => store.get(toStoreName(name))),
        (raw) => {
          if (typeof raw !== "string") return undefined
          const value = readCached(call, raw)
          if (Either.isLeft(value)) return undefined
          memory.storeHits++
          memory.set(name, raw, Number.POSITIVE_INFINITY)
          return value
        }
      )

/** Reads an answer from the store, or fetches it from a node. With the store's lock only one process fetches it. */
const findOrFetch = <A>(
  caching: CacheState,
  call: Call<A>,
  read: CacheableRead,
  tries: number
): Effect.Effect<A, CallError> => {
  const { store } = caching
  const orElse = (ask: Effect.Effect<A, CallError>): Effect.Effect<A, CallError> =>
    Effect.flatMap(readFromStore(caching, call, read), (found) =>
      found !== undefined && Either.isRight(found) ? Effect.succeed(rightOf(found)) : ask
    )
  return orElse(
    Effect.suspend(() => {
      if (store?.lock === undefined || tries === 0) return fetchAndKeep(caching, call, read, false)
      const { lock } = store
      const name = toStoreName(read.name)
      const taken = takeFromStore(async () => ({ end: await lock(name) }))
      return Effect.flatMap(taken, (locked) => {
        // the store has failed
        if (locked === undefined) return fetchAndKeep(caching, call, read, false)
        const { end } = locked
        return end === undefined
          ? Effect.zipRight(Effect.sleep(LOCK_POLL.pause), findOrFetch(caching, call, read, tries - 1))
          : Effect.ensuring(
              // another process may have stored the answer meanwhile
              orElse(fetchAndKeep(caching, call, read, true)),
              takeFromStore(() => end())
            )
      })
    })
  )
}

/** The transport below the one that shares equal reads in flight: it keeps answers if the invariants allow it. */
const makeKeepingTransport = (caching: CacheState): TransportService => {
  const send = <A>(call: Call<A>): Effect.Effect<A, CallError> => {
    const { writeEpoch } = caching
    const validity = isCacheable(call) ? validityOf(caching, call) : undefined
    if (validity === undefined) return caching.inner.send(call)
    const known =
      caching.genesisHash === undefined && caching.store !== undefined ? learnGenesis(caching) : Effect.void
    return Effect.flatMap(Effect.zipRight(known, CallOptions), ({ minBlock, node }) => {
      const name = cacheName(caching.genesisHash ?? "", call)
      const read: CacheableRead = { validity, name, writeEpoch }
      if (node !== undefined || (validity._tag === "limited" && minBlock !== undefined))
        return caching.inner.send(call)
      return caching.genesisHash === undefined || validity._tag === "limited"
        ? fetchAndKeep(caching, call, read, false)
        : findOrFetch(caching, call, read, LOCK_POLL.times)
    })
  }
  return { nodeUrl: (archive) => caching.inner.nodeUrl(archive), send }
}

const isCacheable = ({ gateway, id, deduplicationKey, repeat }: Call<unknown>): boolean =>
  repeat === "read" && deduplicationKey !== undefined && id !== undefined && !gateway

/** Reads the answer to a call from memory. */
const readFromMemory = <A>(
  { genesisHash, clock, writeEpoch, memory }: CacheState,
  call: Call<A>,
  { coalesce, minBlock, node }: CallOptionsShape
): Either.Either<A, unknown> | undefined => {
  if (genesisHash === undefined || coalesce === false || node !== undefined || !isCacheable(call))
    return undefined
  const name = cacheName(genesisHash, call)
  const now = monotonic(clock)
  const raw =
    memory.get(name, now) ?? (minBlock === undefined ? memory.get(`${writeEpoch} ${name}`, now) : undefined)
  return raw === undefined ? undefined : readCached(call, raw)
}

/**
 * Makes the layer that keeps answers in `memory` and in `store`. Without rules for the chain family it only shares equal reads in flight.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeCacheLayer =
  (memory: Memory, store: Store | undefined, rules: CacheRules | undefined) =>
  (inner: TransportService): ReturnType<CoalesceLayer> =>
    rules === undefined ? shareInFlight(inner, true) : makeCacheTransport({ rules, inner, memory, store })

const makeCacheTransport = (
  given: Pick<CacheState, "inner" | "memory" | "rules" | "store">
): Effect.Effect<TransportWithOptions, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { inner, memory } = given
    const runtime = yield* Effect.runtime<Scope.Scope>()
    const scope = yield* Effect.scope
    const caching: CacheState = {
      ...given,
      questionTransport: yield* shareInFlight(inner, true),
      clock: yield* Effect.clock,
      fork: (effect) => void Runtime.runFork(runtime, effect, { scope }),
      nodes: new Map(),
      finalHashes: new Set(),
      genesisHash: undefined,
      sequence: 0,
      writeEpoch: ++lastEpoch
    }
    const sharing = yield* shareInFlight(makeKeepingTransport(caching), true)
    const sendWith = <A>(call: Call<A>, options: CallOptionsShape): Effect.Effect<A, CallError> => {
      if (call.repeat !== "read")
        return Effect.ensuring(
          sharing.sendWith(call, options),
          Effect.sync(() => {
            caching.writeEpoch = ++lastEpoch
          })
        )
      return Effect.suspend(() => {
        const found = readFromMemory(caching, call, options)
        if (found === undefined || Either.isLeft(found)) return sharing.sendWith(call, options)
        memory.hits++
        return Effect.succeed(rightOf(found))
      })
    }
    return {
      nodeUrl: (archive) => inner.nodeUrl(archive),
      send: (call) => Effect.flatMap(CallOptions, (options) => sendWith(call, options)),
      sendWith
    }
  })
