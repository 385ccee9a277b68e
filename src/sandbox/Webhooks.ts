/**
 * Webhooks: the engine tells subscribers of the events in blocks, over HTTP.
 *
 * Every block counts as soon as it is in the store, also one that takes the place of another: a reorganisation tells the events
 * of the new blocks, even if the old ones had them too, and takes none back. Calls to one url are made one after the other, in
 * the order of blocks, and one that fails holds up those behind it until its retries are over; other urls do not wait for it.
 *
 * @since 0.1.0
 */
import { createHmac, randomBytes } from "node:crypto"
import { request as overHttp } from "node:http"
import { request as overHttps } from "node:https"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { NotificationType } from "../data/enumerations.js"
import * as Network from "../data/Network.js"
import * as Units from "../data/Units.js"
import { signatureHeader } from "../services/Webhook.js"
import { isLoopback } from "./Access.js"
import { type Event, type Indexed, Indexer, type Movement } from "./Indexer.js"
import { realTime } from "./Loopback.js"
import type { SandboxError } from "./SandboxError.js"
import { Store, type StoreService, type Transaction } from "./Store.js"

/**
 * The options of calls: each attempt may take `timeout` (default: 10 seconds), and after one that failed `retries` says when
 * the next one is due (default: after 1, 2, 4, 8 and 16 seconds). Calls go to this machine alone (`localhost`, 127.0.0.0/8,
 * `[::1]`), and to `hosts` besides: names without a port, or `*` for all.
 *
 * @since 0.1.0
 * @category models
 */
export interface WebhooksOptions {
  readonly retries?: Schedule.Schedule<unknown>
  readonly timeout?: Duration.DurationInput
  readonly hosts?: ReadonlyArray<string>
}

/**
 * The engine that makes the calls. `reaches` tells whether it may call a url. `settled` is done when every block that was
 * indexed before has been looked at: a subscription that is stored afterwards hears of later blocks alone.
 *
 * @since 0.1.0
 * @category models
 */
export interface WebhooksService {
  readonly settled: Effect.Effect<void>
  readonly reaches: (url: string) => boolean
}

/**
 * The webhooks of a sandbox.
 *
 * @since 0.1.0
 * @category services
 */
export class Webhooks extends Context.Tag("effect-chains/sandbox/Webhooks")<Webhooks, WebhooksService>() {}

/**
 * The fields of a subscription that blocks are compared with; addresses are in the form of `folded`. `given` is its address as the
 * subscriber writes it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Subscribed {
  readonly id: string
  readonly type: NotificationType
  readonly address: string | null
  readonly contract: string | null
  readonly event: string | null
  readonly given?: string | undefined
}

/**
 * An address in the form in which addresses are compared: those of hexadecimal digits in small letters, those of Bitcoin
 * Cash without their prefix.
 *
 * @since 0.1.0
 * @category getters
 */
export const folded = (address: string): string =>
  /^0x/i.test(address) ? address.toLowerCase() : address.replace(/^(?:bitcoincash|bchtest|bchreg):/, "")

type Kind = Movement["kind"]
type Side = "sender" | "receiver"

/** The kind of a moved asset, in the provider's words. */
const words: Readonly<Record<Kind, string>> = {
  native: "native",
  internal: "internal",
  fungible: "token",
  nft: "erc721",
  multitoken: "erc1155",
  fee: "fee",
  failed: "failed"
}

const both: ReadonlyArray<Side> = ["sender", "receiver"]
const everything: ReadonlyArray<Kind> = [
  "native",
  "internal",
  "fungible",
  "nft",
  "multitoken",
  "fee",
  "failed"
]

type OfMovements = Exclude<NotificationType, "CONTRACT_ADDRESS_LOG_EVENT">

/** The movements of a type of subscription, and the side of them on which its address stands. */
const rules: Readonly<
  Record<OfMovements, readonly [kinds: ReadonlyArray<Kind>, sides: ReadonlyArray<Side>]>
> = {
  ADDRESS_EVENT: [everything, both],
  INCOMING_NATIVE_TX: [["native"], ["receiver"]],
  OUTGOING_NATIVE_TX: [["native"], ["sender"]],
  OUTGOING_FAILED_TX: [["failed"], ["sender"]],
  PAID_FEE: [["fee"], ["sender"]],
  INCOMING_INTERNAL_TX: [["internal"], ["receiver"]],
  OUTGOING_INTERNAL_TX: [["internal"], ["sender"]],
  INCOMING_FUNGIBLE_TX: [["fungible"], ["receiver"]],
  OUTGOING_FUNGIBLE_TX: [["fungible"], ["sender"]],
  INCOMING_NFT_TX: [["nft"], ["receiver"]],
  OUTGOING_NFT_TX: [["nft"], ["sender"]],
  INCOMING_MULTITOKEN_TX: [["multitoken"], ["receiver"]],
  OUTGOING_MULTITOKEN_TX: [["multitoken"], ["sender"]],
  FAILED_TXS_PER_BLOCK: [["failed"], ["sender"]]
}

/**
 * Whether nothing has happened on a side of a movement: no coins were moved, or the receiver of a failed transaction is meant.
 */
const isNothing = ({ amount, kind }: Movement, side: Side): boolean =>
  ((kind === "native" || kind === "internal") && amount === 0n) || (kind === "failed" && side === "receiver")

const movementBody = (
  { block, network }: Indexed,
  movement: Movement,
  {
    given,
    side,
    type
  }: { readonly given: string | undefined; readonly side: Side; readonly type: OfMovements },
  decimalsOf: (token: string) => number
): object => {
  const { amount, hash, kind, receiver, sender, token, tokenId } = movement
  const coin = Network.isNetwork(network) ? Network.info(network) : undefined
  const counter = side === "sender" ? receiver : sender
  const decimals = token === undefined ? (coin?.decimals ?? 18) : kind === "fungible" ? decimalsOf(token) : 0
  // Only the address's whole history is signed; the other types say in their name which way it went.
  const leaves = type === NotificationType.ADDRESS_EVENT && side === "sender" && kind !== "failed"
  return {
    address: given ?? (side === "sender" ? sender : receiver),
    amount: Units.format(leaves ? -amount : amount, decimals),
    asset: token ?? coin?.asset ?? coin?.symbol ?? "ETH",
    blockNumber: block,
    ...(counter === undefined ? {} : { counterAddress: counter }),
    txId: hash,
    type: words[kind],
    ...(tokenId === undefined ? {} : { tokenId }),
    ...(token === undefined ? {} : { contractAddress: token }),
    chain: network,
    subscriptionType: type
  }
}

const eventBody = ({ time }: Indexed, { address, data, hash, logIndex, topics }: Event): object => ({
  txId: hash,
  logIndex,
  address,
  timestamp: Math.floor(time / 1_000),
  topic_0: topics[0] ?? null,
  topic_1: topics[1] ?? null,
  topic_2: topics[2] ?? null,
  topic_3: topics[3] ?? null,
  data
})

/**
 * The bodies of the calls that a block makes for a subscription, in the order of the block: one per movement, or one with all
 * events of the block. Amounts are decimal strings in whole coins or tokens (`decimalsOf` knows those of tokens by their
 * address); for `ADDRESS_EVENT` they are negative where they leave the address, for the other types never.
 *
 * @since 0.1.0
 * @category getters
 */
export const bodies = (
  indexed: Indexed,
  { address, contract, event, given, type }: Subscribed,
  decimalsOf: (token: string) => number
): ReadonlyArray<object> => {
  if (type === NotificationType.CONTRACT_ADDRESS_LOG_EVENT) {
    const events = indexed.events.filter(
      (each) => folded(each.address) === contract && each.topics[0]?.toLowerCase() === event?.toLowerCase()
    )
    if (events.length === 0) return []
    return [
      {
        subscriptionType: type,
        chain: indexed.network,
        blockNumber: indexed.block,
        events: events.map((each) => eventBody(indexed, each))
      }
    ]
  }
  const [kinds, sides] = rules[type]
  // where the node has another name for it, the subscriber's is told
  const own = given !== undefined && folded(given) !== address ? given : undefined
  return indexed.movements.flatMap((movement) =>
    sides.flatMap((side) => {
      const there = movement[side]
      const fits =
        there !== undefined &&
        kinds.includes(movement.kind) &&
        !isNothing(movement, side) &&
        (type === NotificationType.FAILED_TXS_PER_BLOCK || folded(there) === address)
      return fits ? [movementBody(indexed, movement, { given: own, side, type }, decimalsOf)] : []
    })
  )
}

/** A call that is to be made. `tries` are those that it has had, in an earlier run of the sandbox. */
interface Delivery {
  readonly id: string
  readonly subscription: string
  readonly key: string
  readonly url: string
  readonly body: string
  readonly tries: number
}

const SubscriptionRow = Schema.Struct({
  id: Schema.String,
  api_key: Schema.String,
  type: Schema.Enums(NotificationType),
  address: Schema.NullOr(Schema.String),
  contract: Schema.NullOr(Schema.String),
  event: Schema.NullOr(Schema.String),
  attr: Schema.parseJson(Schema.Struct({ url: Schema.String, address: Schema.optional(Schema.String) }))
})
const TokenRow = Schema.Struct({ decimals: Schema.NullOr(Schema.Number) })
const SecretRow = Schema.Struct({ secret: Schema.NullOr(Schema.String) })
const WaitingRow = Schema.Struct({
  id: Schema.String,
  subscription: Schema.String,
  api_key: Schema.String,
  url: Schema.String,
  data: Schema.String,
  retries: Schema.Number,
  failed: Schema.Number
})

/** Calls that wait for one url. */
const WAITING = 1_000
/** Calls that the list keeps: the oldest ones go. */
const KEPT = 10_000
/** Calls that are made at a time. */
const AT_ONCE = 256
/** Characters of an answer that the list keeps. */
const CHARACTERS = 1_000

/** Stores the calls that a block makes necessary, and yields them. */
const due = (transaction: Transaction, indexed: Indexed, now: number): ReadonlyArray<Delivery> => {
  const { network } = indexed
  const subscriptions = transaction.all(
    SubscriptionRow,
    "SELECT id, api_key, type, address, contract, event, attr FROM subscriptions WHERE network = ? ORDER BY rowid",
    network
  )
  if (subscriptions.length === 0) return []
  const decimalsOf = (token: string): number =>
    transaction.all(
      TokenRow,
      "SELECT decimals FROM tokens WHERE network = ? AND token = ?",
      network,
      token
    )[0]?.decimals ?? 0
  const deliveries = subscriptions.flatMap((subscription) =>
    bodies(indexed, { ...subscription, given: subscription.attr.address }, decimalsOf).map((body) => {
      const { api_key: key, attr, id, type } = subscription
      const delivery: Delivery = {
        id: randomBytes(12).toString("hex"),
        subscription: id,
        key,
        url: attr.url,
        body: JSON.stringify(body),
        tries: 0
      }
      transaction.run(
        "INSERT INTO webhooks (id, subscription, api_key, time, url, type, data, retries, failed, next, network_error) " +
          "VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, 0)",
        delivery.id,
        id,
        key,
        now,
        attr.url,
        type,
        delivery.body,
        now
      )
      return delivery
    })
  )
  if (deliveries.length > 0)
    transaction.run(
      "DELETE FROM webhooks WHERE next IS NULL AND rowid <= (SELECT MAX(rowid) FROM webhooks) - ?",
      KEPT
    )
  return deliveries
}

/** A call that was not made, or not answered with a status of 200 to 299. */
class Failed extends Data.TaggedError("Failed")<object> {}

/** A call whose subscription is gone, or whose url is not to be called. */
class Unwanted extends Data.TaggedError("Unwanted")<{ readonly why: string }> {}

interface Said {
  readonly code: number
  readonly said: string
}

/** Posts a body on a connection of its own and reads the beginning of the answer. */
const post = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer
): Effect.Effect<Said, string> =>
  Effect.async<Said, string>((resume) => {
    const target = new URL(url)
    const send = target.protocol === "https:" ? overHttps : overHttp
    const failed = (error: Error): void => resume(Effect.fail(error.message || "the connection was lost"))
    const outgoing = send(
      target,
      { method: "POST", headers: { ...headers, "content-length": body.length }, agent: false },
      (response) => {
        let said = ""
        const done = (): void =>
          resume(Effect.succeed({ code: response.statusCode ?? 0, said: said.slice(0, CHARACTERS) }))
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => {
          said += chunk
          if (said.length < CHARACTERS) return
          done()
          outgoing.destroy()
        })
        response.on("end", done)
        response.on("error", failed)
      }
    )
    outgoing.on("error", failed)
    outgoing.end(body)
    return Effect.sync(() => outgoing.destroy())
  })

const defaults = {
  retries: Schedule.intersect(Schedule.exponential("1 second"), Schedule.recurs(5)),
  timeout: "10 seconds"
} as const

/** The collaborators of the calls. */
interface Engine {
  readonly use: StoreService["use"]
  readonly fork: (effect: Effect.Effect<void>) => void
  /** Calls that are made at once. */
  readonly room: Effect.Semaphore
  readonly limit: Duration.Duration
  readonly retries: NonNullable<WebhooksOptions["retries"]>
  readonly reaches: (url: string) => boolean
  /** The calls that wait for a url, the oldest first. A url is in it as long as a fiber works for it. */
  readonly lanes: Map<string, Array<Delivery>>
}

const attempt = (
  { limit, reaches, room, use }: Engine,
  { body, id, key, subscription, url }: Delivery,
  retry: number
): Effect.Effect<void, Failed | Unwanted | SandboxError> =>
  Effect.gen(function* () {
    const [owner] = yield* use(({ all }) =>
      all(
        SecretRow,
        "SELECT secret FROM subscriptions LEFT JOIN secrets ON secrets.api_key = ? WHERE id = ?",
        key,
        subscription
      )
    )
    if (owner === undefined) return yield* new Unwanted({ why: "The subscription was deleted." })
    // The subscription may have been stored when more hosts were allowed.
    if (!reaches(url)) return yield* new Unwanted({ why: "Webhooks go to this machine alone." })
    const bytes = Buffer.from(body)
    const headers = {
      "content-type": "application/json",
      ...(owner.secret === null
        ? {}
        : { [signatureHeader]: createHmac("sha512", owner.secret).update(bytes).digest("base64") })
    }
    const outcome = yield* post(url, headers, bytes).pipe(
      Effect.timeoutFail({
        duration: limit,
        onTimeout: () => `no answer within ${Duration.toMillis(limit)} ms`
      }),
      room.withPermits(1),
      Effect.either
    )
    const code = Either.isRight(outcome) ? outcome.right.code : null
    const isDone = code !== null && code >= 200 && code < 300
    yield* use(({ run }) =>
      run(
        "UPDATE webhooks SET retries = ?, failed = ?, next = NULL, code = ?, said = ?, network_error = ? WHERE id = ?",
        retry,
        isDone ? 0 : 1,
        code,
        Either.isRight(outcome) ? outcome.right.said : outcome.left.slice(0, CHARACTERS),
        Either.isRight(outcome) ? 0 : 1,
        id
      )
    )
    if (!isDone) return yield* new Failed()
  })

const giveUp = ({ use }: Engine, { id }: Delivery, said: string): Effect.Effect<void, SandboxError> =>
  use(({ run }) =>
    run("UPDATE webhooks SET failed = 1, next = NULL, said = COALESCE(said, ?) WHERE id = ?", said, id)
  )

const deliver = (engine: Engine, delivery: Delivery): Effect.Effect<void> =>
  Effect.suspend(() => {
    let tries = delivery.tries
    const schedule = Schedule.modifyDelayEffect(engine.retries, (_, pause) =>
      Effect.gen(function* () {
        const next = (yield* Clock.currentTimeMillis) + Duration.toMillis(pause)
        yield* logged(
          engine.use(({ run }) => run("UPDATE webhooks SET next = ? WHERE id = ?", next, delivery.id))
        )
        return pause
      })
    )
    return Effect.suspend(() => attempt(engine, delivery, tries++)).pipe(
      Effect.retry({ schedule, while: (error) => error._tag === "Failed" }),
      Effect.catchTag("Failed", () => Effect.void),
      Effect.catchTag("Unwanted", ({ why }) => giveUp(engine, delivery, why)),
      logged
    )
  })

const work = (engine: Engine, url: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const next = engine.lanes.get(url)?.shift()
    if (next !== undefined) return Effect.flatMap(deliver(engine, next), () => work(engine, url))
    engine.lanes.delete(url)
    return Effect.void
  })

const enqueue = (engine: Engine, delivery: Delivery): Effect.Effect<void> =>
  Effect.suspend(() => {
    const lane = engine.lanes.get(delivery.url)
    if (lane === undefined) {
      engine.lanes.set(delivery.url, [delivery])
      engine.fork(realTime(work(engine, delivery.url)))
      return Effect.void
    }
    lane.push(delivery)
    const oldest = lane.length > WAITING ? lane.shift() : undefined
    return oldest === undefined
      ? Effect.void
      : logged(giveUp(engine, oldest, `More than ${WAITING} calls were waiting for this url.`))
  })

const look = (engine: Engine, block: Indexed): Effect.Effect<void> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const deliveries = yield* engine.use((transaction) => due(transaction, block, now))
    yield* Effect.forEach(deliveries, (delivery) => enqueue(engine, delivery), { discard: true })
  }).pipe(realTime, logged)

/**
 * Makes the engine over the indexers and the store. With a store that has calls of an earlier run which are still to be
 * made, it begins with those. When the scope closes, calls under way are broken off, and wait in the store.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({
  hosts = [],
  retries = defaults.retries,
  timeout = defaults.timeout
}: WebhooksOptions = {}): Effect.Effect<WebhooksService, SandboxError, Indexer | Store | Scope.Scope> =>
  Effect.gen(function* () {
    const { use } = yield* Store
    const { indexed } = yield* Indexer
    const reaches = (url: string): boolean => {
      const { host, hostname } = new URL(url)
      return isLoopback(host) || hosts.includes("*") || hosts.includes(hostname)
    }
    const engine: Engine = {
      use,
      fork: yield* FiberSet.makeRuntime<never, void, never>(),
      room: yield* Effect.makeSemaphore(AT_ONCE),
      limit: Duration.decode(timeout),
      retries,
      reaches,
      lanes: new Map()
    }

    // Of the two subscriptions one rings and the other holds the blocks until a fiber has the turn to look at them:
    // so there is no moment at which a block is neither waiting nor looked at, which `settled` would miss.
    const bell = yield* PubSub.subscribe(indexed)
    const blocks = yield* PubSub.subscribe(indexed)
    const turn = yield* Effect.makeSemaphore(1)
    const settled = Effect.uninterruptible(
      turn.withPermits(1)(
        Effect.flatMap(Queue.takeAll(blocks), (all) =>
          Effect.forEach(all, (block) => look(engine, block), { discard: true })
        )
      )
    )

    const waiting = yield* use(({ all }) =>
      all(
        WaitingRow,
        "SELECT id, subscription, api_key, url, data, retries, failed FROM webhooks WHERE next IS NOT NULL ORDER BY rowid"
      )
    )
    yield* Effect.forEach(
      waiting,
      ({ api_key: key, data: body, failed, id, retries: had, subscription, url }) =>
        enqueue(engine, { id, subscription, key, url, body, tries: had + failed }),
      { discard: true }
    )
    yield* Queue.takeBetween(bell, 1, Number.MAX_SAFE_INTEGER).pipe(
      Effect.zipRight(settled),
      Effect.forever,
      Effect.forkScoped
    )
    return { settled, reaches } satisfies WebhooksService
  })

/** A failing database shows at the requests too, where a caller sees it: here the next block has to be looked at. */
const logged = (effect: Effect.Effect<void, SandboxError>): Effect.Effect<void> =>
  Effect.catchAll(effect, ({ message }) => Effect.logError(`Webhooks: ${message}`))

/**
 * The engine as a layer; see `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: WebhooksOptions = {}): Layer.Layer<Webhooks, SandboxError, Indexer | Store> =>
  Layer.scoped(Webhooks, make(options))
