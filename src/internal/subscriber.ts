import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as RcMap from "effect/RcMap"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { at, Checks, type MakeClient } from "../balancer/Family.js"
import type { Pool } from "../balancer/NodePool.js"
import {
  InvalidArgument,
  NoActiveNode,
  NodeError,
  type NodeErrorKind,
  type RpcError,
  reasonOf,
  SubscriptionOverflow,
  type WebSocketUnavailable
} from "../SdkError.js"
import type { SubscriptionError, SubscriptionOptions } from "../Subscription.js"
import { Config, type ResolvedNode } from "../services/Config.js"
import { Logger } from "../services/Logger.js"
import type { CallError } from "../Transport.js"
import { type Connection, connect, type Refusal } from "./connection.js"
import { headersFor, hidingOf } from "./headers.js"
import { type Full, Inbox } from "./inbox.js"
import type { Declaration, Follower, Happening, HeadQuestion, SubscriptionTable } from "./subscription.js"
import { maker } from "./webSocket.js"

/** The client whose subscriptions these are. */
export interface Subscriber {
  readonly context: Context.Context<Checks | Config | Logger>
  readonly client: MakeClient
  /** The nodes as the balancer knows them now. */
  readonly pool: () => Pool
}

/** Defaults of what the configuration and the options leave open. */
const IDLE = 15_000
const BUFFER = 4_096
const POLLING = 4_000

/** A connection that has lasted for so long has worked: what comes after it begins from the start. */
const SETTLED = 10_000

/** Pauses before the next node is tried (milliseconds): from 0.2 s on, to 15 s, jittered by a fifth. */
const pause = (count: number): number =>
  Math.min(15_000, 200 * 1.7 ** Math.min(count, 9)) * (0.8 + 0.4 * Math.random())

const backOff = /*#__PURE__*/ Schedule.addDelay(Schedule.forever, pause)

/** A node whose socket was lost is the last choice for so long, longer every time (milliseconds). */
const penalty = (count: number): number => Math.min(60_000, 1_000 * 2 ** count)

/** Where the sockets of a node are. */
interface Place {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Lower is better. */
  readonly rank: number
}

/** Nodes that are not there now, or do not answer now, may be there later. */
const isPassing = (error: CallError): boolean =>
  error._tag === "NoActiveNode" ||
  error._tag === "CallTimeout" ||
  (error._tag === "NodeError" && error.kind !== "malformed" && error.kind !== "too-large")

/** The subscriptions of a client by their names. */
export type Streams = Readonly<
  Record<string, (...args: ReadonlyArray<never>) => Stream.Stream<unknown, SubscriptionError>>
>

const problemWith = ({ buffer = 1, maxGap = 1, overflow = "fail" }: SubscriptionOptions) =>
  !Number.isSafeInteger(buffer) || buffer < 1 || !Number.isSafeInteger(maxGap) || maxGap < 1
    ? "buffer and maxGap must be whole numbers from 1"
    : overflow !== "fail" && overflow !== "sliding"
      ? 'overflow must be "fail" or "sliding"'
      : undefined

/** Makes the subscriptions of a client. Their sockets, and they themselves, end with the scope. */
export type MakeStreams = (subscriber: Subscriber) => Effect.Effect<Streams, never, Scope.Scope>

/** The subscriptions of a table. */
export const makeOf =
  (table: SubscriptionTable): MakeStreams =>
  ({ client, context, pool }) =>
    Effect.gen(function* () {
      const config = Context.get(context, Config)
      const logger = Context.get(context, Logger)
      const { chain } = Context.get(context, Checks)
      const { idle = IDLE, timeout = config.attemptTimeout, webSocket } = config.subscriptions
      const make = yield* Effect.cached(maker(webSocket))
      const hide = hidingOf(config)
      const open = new Set<Inbox<unknown>>()
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const inbox of open) inbox.close()
        })
      )

      /** What is known of sockets by their urls: how often they were lost, and until when others are preferred. */
      const losses = new Map<string, { readonly count: number; readonly until: number }>()
      /** Counts the sockets of a url: who comes after a loss must not get the lost one. */
      const generations = new Map<string, number>()

      const placeOf = (node: ResolvedNode): Omit<Place, "rank"> => {
        const url = node.socket?.url ?? table.socketUrl(node.url)
        const { "content-type": _, ...headers } = {
          ...headersFor(config, url.replace(/^ws/, "http"), { body: false, sendApiKey: node.sendApiKey }),
          ...(node.socket?.headers ?? node.headers)
        }
        return { url, headers }
      }

      const places = (): ReadonlyArray<Place> => {
        const { active, nodes } = pool()
        const now = Date.now()
        return nodes
          .map((node, i) => {
            const place = placeOf(node)
            const lost = losses.get(place.url)
            const away = lost === undefined ? 0 : Math.max(0, lost.until - now)
            const second = node.failed ? 3 : node.type === "ARCHIVE" ? 2 : active[node.type] === i ? 0 : 1
            return { ...place, rank: away * 10 + second }
          })
          .sort((a, b) => a.rank - b.rank)
      }

      const isLost = (url: string): Effect.Effect<void> =>
        Effect.sync(() => {
          generations.set(url, (generations.get(url) ?? 0) + 1)
          const count = (losses.get(url)?.count ?? -1) + 1
          losses.set(url, { count, until: Date.now() + penalty(count) })
        })

      const verify = ({ call }: Connection, url: string): Effect.Effect<void, NodeError> => {
        const method = at("method")(chain?.body)
        if (chain === undefined || !config.verifyChain || typeof method !== "string") return Effect.void
        if (config.info.chainId === undefined) return Effect.void
        return call(method, []).pipe(
          Effect.flatMap((result) =>
            chain.matches({ id: at("id")(chain.body), result }, config.info) !== true
              ? Effect.fail(
                  new NodeError({
                    kind: "wrong-chain",
                    call: "chain check",
                    url,
                    reason: `the node serves another chain than ${config.info.chainId}`
                  })
                )
              : Effect.void
          ),
          // who does not know the question is trusted, as nodes of the pool are
          Effect.catchTag("Refusal", () => Effect.void)
        )
      }

      const lookup = ({
        headers,
        url
      }: Omit<Place, "rank">): Effect.Effect<Connection, NodeError | WebSocketUnavailable, Scope.Scope> =>
        Effect.gen(function* () {
          const construct = yield* make
          const connection = yield* connect({
            hide,
            ...table,
            url,
            open: () => construct(url, headers),
            timeout,
            idle,
            maxBytes: config.maxResponseBytes
          })
          yield* verify(connection, url)
          const settled = Effect.sync(() => losses.delete(url)).pipe(Effect.delay(SETTLED))
          yield* Effect.forkScoped(settled)
          yield* Effect.forkScoped(Effect.catchAll(connection.lost, () => isLost(url)))
          return connection
        }).pipe(Effect.tapErrorTag("NodeError", () => isLost(url)))

      const known = new Map<string, Omit<Place, "rank">>()
      const sockets = yield* RcMap.make({
        lookup: (key: string) => {
          const place = known.get(key.slice(key.indexOf(" ") + 1))
          return place === undefined ? Effect.dieMessage("a socket to nowhere") : lookup(place)
        }
      })

      /** Reads where a node stands, and leaves it if that is too far behind the others, as calls do. */
      const whereIs = (
        answer: unknown,
        question: HeadQuestion,
        url: string
      ): Effect.Effect<unknown, NodeError> => {
        const failed = (kind: NodeErrorKind, reason: string): NodeError =>
          new NodeError({ kind, call: question.method, url, reason })
        return Effect.try({
          try: () => question.decode(answer),
          catch: (error) => failed("malformed", reasonOf(error))
        }).pipe(
          Effect.flatMap((head) => {
            const { allowedBlocksBehind, nodes } = pool()
            const highest = Math.max(0, ...nodes.map((node) => (node.failed ? 0 : node.lastBlock)))
            const behind = highest - question.height(head)
            return behind > allowedBlocksBehind
              ? Effect.fail(failed("behind", `the node is ${behind} blocks behind others`))
              : Effect.succeed(head)
          }),
          Effect.tapError(() => isLost(url))
        )
      }

      /** The socket to a place: the one that is there, or a new one. */
      const socketOf = (place: Place) => {
        known.set(place.url, place)
        return RcMap.get(sockets, `${generations.get(place.url) ?? 0} ${place.url}`)
      }

      /** Keeps a subscription at some node, until the node says no to it for all, or its scope ends. */
      const keep = <Item>(
        name: string,
        declaration: Declaration<ReadonlyArray<never>, Item>,
        params: ReadonlyArray<unknown>,
        inbox: Inbox<Item>,
        polling: SubscriptionOptions["polling"]
      ): Effect.Effect<never, SubscriptionError, Scope.Scope> =>
        Effect.gen(function* () {
          const polls = declaration.kept === true && polling !== false
          const down = yield* Effect.makeLatch(false)
          const refused = new Map<string, RpcError>()
          let first = true
          let failures = 0
          const { head } = declaration

          const session = (place: Place) =>
            Effect.gen(function* () {
              const connection = yield* socketOf(place)
              yield* connection.subscribe({
                ...declaration,
                params,
                take: (value) => inbox.offer({ _tag: "Item", item: declaration.decode(value) })
              })
              const ask =
                head &&
                Effect.flatMap(connection.call(head.method, head.params), (answer) =>
                  whereIs(answer, head, place.url)
                )
              inbox.offer({ _tag: "Up", first, head: ask && (yield* ask) })
              first = false
              failures = 0
              refused.clear()
              yield* down.close
              if (ask === undefined) return yield* connection.lost
              const mark = Effect.map(ask, (answer) => inbox.offer({ _tag: "Mark", head: answer }))
              return yield* Effect.raceFirst(
                connection.lost,
                Effect.forever(Effect.zipRight(Effect.sleep(2 * idle), mark))
              )
            }).pipe(Effect.scoped)

          /** One node after the other; fails with what ends the subscription. */
          const attempt = Effect.gen(function* () {
            const all = places()
            const [place] = all.filter(({ url }) => !refused.has(url))
            if (place === undefined) {
              const [said] = [...refused.values()]
              if (said === undefined) {
                return yield* new NoActiveNode({
                  network: config.network,
                  type: "NORMAL",
                  manual: false,
                  reason: "there is no node for subscriptions"
                })
              }
              if (!polls) return yield* said
              yield* down.open
              return yield* Effect.never
            }
            const error: NodeError | Refusal | WebSocketUnavailable = yield* Effect.flip(session(place))
            yield* logger.debug(() => `The subscription ${name} was interrupted: ${why(error)}`)
            if (error._tag === "WebSocketUnavailable") {
              if (!polls) return yield* error
              yield* down.open
              return yield* Effect.never
            }
            if (error._tag === "Refusal") {
              if (error.fault === "caller") return yield* error.error
              if (error.fault === "elsewhere") refused.set(place.url, error.error)
            }
            // one more, for a socket that was lost and is there again at once
            if (failures++ >= all.length) yield* down.open
          })

          if (polls) {
            const schedule =
              typeof polling === "object" ? polling : Schedule.spaced(Math.max(1, polling ?? POLLING))
            const poll = Effect.map(down.await, () => inbox.offer({ _tag: "Poll" }))
            yield* Effect.forkScoped(Effect.repeat(poll, schedule))
          }
          let attempts = 0
          return yield* Effect.forever(
            Effect.suspend(() => {
              const start = Date.now()
              return Effect.flatMap(attempt, () => {
                if (Date.now() - start > SETTLED) attempts = 0
                return Effect.sleep(pause(attempts++))
              })
            })
          )
        })

      const streamOf =
        (name: string, declaration: Declaration<ReadonlyArray<never>, unknown>) =>
        (...args: ReadonlyArray<never>): Stream.Stream<unknown, SubscriptionError> => {
          const label = `subscribe.${name}`
          const { arity, kept, follow = () => asTheyCome } = declaration
          const own = args.slice(0, arity)
          const options: SubscriptionOptions = args[arity] ?? {}
          const { buffer = BUFFER, overflow = "fail", polling } = options
          const begin = Effect.gen(function* () {
            const problem = problemWith(options)
            if (problem !== undefined) return yield* new InvalidArgument({ call: label, reason: problem })
            const params = yield* Effect.try({
              try: () => {
                const made = declaration.params(...own)
                table.integers.stringify(made)
                return made
              },
              catch: (error) => new InvalidArgument({ call: label, reason: reasonOf(error) })
            })
            const full: Full =
              kept === true
                ? "reread"
                : overflow === "sliding"
                  ? "sliding"
                  : { fail: () => new SubscriptionOverflow({ subscription: label, buffer }) }
            const inbox = new Inbox<unknown>(buffer, full)
            yield* Effect.acquireRelease(
              Effect.sync(() => open.add(inbox)),
              () =>
                Effect.sync(() => {
                  open.delete(inbox)
                  inbox.close()
                })
            )
            const following = { client, options, warn: (message: string) => logger.warn(message) }
            const follower: Follower<unknown> = follow(following, ...own)
            yield* Effect.forkScoped(
              Effect.catchAll(keep(label, declaration, params, inbox, polling), (error) =>
                Effect.sync(() => inbox.fail(error))
              )
            )
            const step = (event: Happening<unknown>) =>
              Effect.retry(
                Effect.suspend(() => follower.on(event)),
                { schedule: backOff, while: isPassing }
              )
            return Stream.paginateChunkEffect(undefined, () =>
              Effect.map(Effect.flatMap(inbox.take, step), (items) => [
                Chunk.unsafeFromArray(items),
                follower.isOver?.() === true ? Option.none() : Option.some(undefined)
              ])
            )
          })
          return Stream.unwrapScoped(begin)
        }

      return Object.fromEntries(
        Object.entries(table.declarations).map(([name, declaration]) => [name, streamOf(name, declaration)])
      )
    })

const asTheyCome: Follower<unknown> = {
  on: (event) => Effect.succeed(event._tag === "Item" ? [event.item] : [])
}

const why = (error: NodeError | Refusal | WebSocketUnavailable): string =>
  error._tag === "Refusal" ? error.error.message : error.message
