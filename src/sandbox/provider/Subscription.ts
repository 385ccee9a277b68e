/**
 * Subscriptions in the store. `Webhooks` makes their calls.
 *
 * @since 0.1.0
 */
import { randomBytes } from "node:crypto"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type { HttpServerRequest } from "@effect/platform/HttpServerRequest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { NotificationType } from "../../data/enumerations.js"
import { addressProblem } from "../../data/evmAddress.js"
import * as Network from "../../data/Network.js"
import { networkOfChain } from "../../services/internal/networks.js"
import {
  type Invalid,
  type Missing,
  makeInvalid,
  makeMissing,
  makeUnavailable,
  type Unavailable
} from "../api/Refusal.js"
import {
  type ExecutedWebhook,
  group,
  type SubscriptionChanges,
  SubscriptionExists,
  type SubscriptionRequest,
  SubscriptionSubject
} from "../api/Subscription.js"
import { Nodes } from "../Nodes.js"
import { toNodeAddress } from "../nodes/addresses.js"
import type { SandboxError } from "../SandboxError.js"
import { type ColumnValue, Store, type Transaction } from "../Store.js"
import { hasTemplate, hasTemplates, SubscriptionOptions } from "../Templates.js"
import { normalizeAddress, Webhooks } from "../Webhooks.js"

/**
 * Whether a network runs. A code (`ETH`) stands for the mainnet, unless its testnet runs and the mainnet does not: with
 * a key, the SDK sends only the code for its default testnet. By default no network counts as running.
 *
 * @since 0.1.0
 * @category services
 */
export class IsNetworkStarted extends Context.Reference<IsNetworkStarted>()(
  "effect-chains/sandbox/Subscription/Started",
  {
    defaultValue: (): ((network: Network.Network) => boolean) => () => false
  }
) {}

interface NetworkHints {
  readonly type?: "mainnet" | "testnet" | undefined
  readonly testnetType?: string | undefined
}

/** The network of a name, or the reason why there is none. */
const findNetwork = (
  chain: string,
  { testnetType, type }: NetworkHints,
  started: (network: Network.Network) => boolean
): Either.Either<Network.Network, string> => {
  const mainnet = networkOfChain(chain)
  const testnet = networkOfChain(chain, true)
  const code = mainnet === undefined ? undefined : Network.info(mainnet).notification
  if (mainnet === undefined || testnet === undefined || code === undefined)
    return Either.left(`attr.chain must be a chain that has notifications, not ${chain}`)
  if (testnetType !== undefined) {
    return Network.isNetwork(testnetType) && Network.info(testnetType).notification === code
      ? Either.right(testnetType)
      : Either.left(`testnetType must be a network of ${code}, not ${testnetType}`)
  }
  if (type !== undefined) return Either.right(type === "testnet" ? testnet : mainnet)
  return Either.right(started(testnet) && !started(mainnet) ? testnet : mainnet)
}

/** Dogecoin's addresses match too, since the sandbox's nodes write them as Bitcoin's. */
const BITCOIN_ADDRESS = /^(?:[1-9A-HJ-NP-Za-km-z]{26,36}|[a-z]{2,5}1[02-9ac-hj-np-z]{8,87})$/

/** The format of addresses, as far as it is certain: base58 with its length, or the chain's prefix. */
const addressForms: Readonly<Partial<Record<Network.FamilyId, RegExp>>> = {
  utxo: BITCOIN_ADDRESS,
  "utxo-estimatefee":
    /^(?:[1-9A-HJ-NP-Za-km-z]{26,36}|(?:(?:bitcoincash|bchtest|bchreg):)?[02-9ac-hj-np-z]{42,62})$/,
  doge: BITCOIN_ADDRESS,
  solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  tron: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  xrp: /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/,
  tezos: /^(?:tz[1-4]|KT1)[1-9A-HJ-NP-Za-km-z]{33}$/
}

const findAddressProblem = (address: string, network: Network.Network): string | undefined => {
  const { chainId, family } = Network.info(network)
  if (Network.isEvm(network)) return addressProblem(address, chainId)
  return (addressForms[family] ?? /^[^\s/?#]{1,128}$/).test(address)
    ? undefined
    : `must be an address of ${network}`
}

const isWebUrl = (url: string): boolean =>
  url.length <= 500 && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

const types: Readonly<Record<string, NotificationType>> = NotificationType
const isType = (type: string): type is NotificationType => Object.hasOwn(types, type)

type Conditions = NonNullable<(typeof SubscriptionSubject.Type)["conditions"]>

const findOptionProblems = (
  {
    finality,
    mempool,
    templateId,
    type
  }: {
    readonly finality?: unknown
    readonly mempool?: boolean | undefined
    readonly templateId?: string | undefined
    readonly type?: string
  },
  network: string,
  isTemplate: (id: string) => boolean
): ReadonlyArray<string> => {
  const alone = "is for EVM chains and Tron alone"
  const wrong: Array<string> = []
  if (finality !== undefined && !hasTemplates(network)) wrong.push(`finality ${alone}`)
  if (templateId !== undefined && !hasTemplates(network)) wrong.push(`templateId ${alone}`)
  else if (templateId !== undefined && !isTemplate(templateId))
    wrong.push(
      "templateId must be enriched, enriched_with_raw_data, legacy, or the id of a template of this key"
    )
  const isBitcoin = Network.isNetwork(network) && Network.info(network).notification === "BTC"
  if (mempool === true && !(isBitcoin && type === NotificationType.ADDRESS_EVENT))
    wrong.push(`mempool is for ${NotificationType.ADDRESS_EVENT} on Bitcoin alone`)
  return wrong
}

const findUrlProblem = (url: string, reaches: (url: string) => boolean): string | undefined =>
  !isWebUrl(url)
    ? "must be an http or https url of at most 500 characters"
    : reaches(url)
      ? undefined
      : "must be one of this machine, or of a host in the option webhooks.hosts of the sandbox"

const makeInvalidFields = (wrong: ReadonlyArray<string>): Invalid =>
  makeInvalid("validation.failed", "The subscription is invalid: see data for the reasons.", wrong)

interface CheckedSubscription {
  readonly options: typeof SubscriptionOptions.Type
  readonly network: Network.Network
  readonly type: NotificationType
  readonly address: string | null
  readonly contract: string | null
  readonly event: string | null
  readonly attr: typeof SubscriptionSubject.Type
}

interface CheckContext {
  readonly isStarted: (network: Network.Network) => boolean
  readonly canCall: (url: string) => boolean
  readonly isTemplate: (id: string) => boolean
}

const findEventProblem = (event: string, network: Network.Network): string | undefined => {
  const isEvm = Network.isEvm(network)
  return (isEvm ? /^0x[0-9a-f]{64}$/i : /^\S{1,66}$/).test(event)
    ? undefined
    : `must be ${isEvm ? "the first topic of an event: 0x and 64 hexadecimal digits" : "an event: 1 to 66 characters"}`
}

const checkSubscription = (
  { attr, finality, mempool, templateId, type }: typeof SubscriptionRequest.Type,
  hints: NetworkHints,
  { isTemplate, canCall, isStarted }: CheckContext
): Either.Either<CheckedSubscription, Invalid> => {
  const wrong: Array<string> = []
  if (!isType(type)) wrong.push(`type must be one of ${Object.keys(NotificationType).join(", ")}`)
  const badUrl = findUrlProblem(attr.url, canCall)
  if (badUrl !== undefined) wrong.push(`attr.url ${badUrl}`)
  const found = findNetwork(attr.chain, hints, isStarted)
  if (Either.isLeft(found)) wrong.push(found.left)
  const network = Either.isRight(found) ? found.right : undefined

  const readAddress = (field: "address" | "contractAddress"): string | null => {
    const address = attr[field]
    const problem = address === undefined ? "must be set" : network && findAddressProblem(address, network)
    if (problem !== undefined) wrong.push(`attr.${field} ${problem}`)
    if (address === undefined) return null
    return normalizeAddress(network === undefined ? address : toNodeAddress(network, address))
  }
  const isContract = type === NotificationType.CONTRACT_ADDRESS_LOG_EVENT
  const isBlock = type === NotificationType.FAILED_TXS_PER_BLOCK
  const contract = isContract ? readAddress("contractAddress") : null
  const address = isContract || isBlock ? null : readAddress("address")
  const event = isContract ? (attr.event ?? "") : null
  const badEvent = event !== null && network !== undefined ? findEventProblem(event, network) : undefined
  if (badEvent !== undefined) wrong.push(`attr.event ${badEvent}`)
  if (network !== undefined)
    wrong.push(...findOptionProblems({ finality, mempool, templateId, type }, network, isTemplate))
  if (wrong.length > 0 || network === undefined || !isType(type)) return Either.left(makeInvalidFields(wrong))
  return Either.right({
    options: { conditions: attr.conditions, finality, templateId, mempool },
    network,
    type,
    address,
    contract,
    event: event?.toLowerCase() ?? null,
    attr: {
      // The name from the request. Testnets share the code of their mainnet, so they get the id.
      chain: Network.info(network).testnet ? network : attr.chain,
      url: attr.url,
      ...(isContract ? { contractAddress: attr.contractAddress, event: attr.event } : {}),
      ...(address === null ? {} : { address: attr.address })
    }
  })
}

const Id = Schema.Struct({ id: Schema.String })
const Total = Schema.Struct({ count: Schema.Number })
const SubscriptionRow = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  attr: Schema.parseJson(SubscriptionSubject),
  options: Schema.NullOr(Schema.parseJson(SubscriptionOptions))
})
const StoredRow = Schema.Struct({
  ...SubscriptionRow.fields,
  network: Schema.String,
  address: Schema.NullOr(Schema.String),
  contract: Schema.NullOr(Schema.String),
  event: Schema.NullOr(Schema.String)
})
const WebhookRow = Schema.Struct({
  id: Schema.String,
  subscription: Schema.String,
  time: Schema.Number,
  url: Schema.String,
  type: Schema.String,
  data: Schema.parseJson(),
  retries: Schema.Number,
  failed: Schema.Number,
  next: Schema.NullOr(Schema.Number),
  code: Schema.NullOr(Schema.Number),
  said: Schema.NullOr(Schema.String),
  network_error: Schema.Number
})

const toExecutedWebhook = (row: typeof WebhookRow.Type): typeof ExecutedWebhook.Type => ({
  id: row.id,
  subscriptionId: row.subscription,
  type: row.type,
  url: row.url,
  data: row.data,
  timestamp: row.time,
  ...(row.next === null ? {} : { nextTime: row.next }),
  retryCount: row.retries,
  failed: row.failed === 1,
  response: {
    ...(row.code === null ? {} : { code: row.code }),
    ...(row.said === null ? {} : { data: row.said }),
    networkError: row.network_error === 1
  }
})

interface SubscriptionIdentity {
  readonly network: string
  readonly type: string
  readonly address: string | null
  readonly contract: string | null
  readonly event: string | null
  readonly attr: { readonly url: string }
}

/** A key's other subscription with the same subject and url. */
const findDuplicate = (
  transaction: Transaction,
  key: string,
  { address, attr, contract, event, network, type }: SubscriptionIdentity
): string | undefined =>
  transaction.all(
    Id,
    "SELECT id FROM subscriptions WHERE network = ? AND api_key = ? AND type = ? " +
      "AND address IS ? AND contract IS ? AND event IS ? AND json_extract(attr, '$.url') = ?",
    network,
    key,
    type,
    address,
    contract,
    event,
    attr.url
  )[0]?.id

const storeOptions = (transaction: Transaction, id: string, options: typeof SubscriptionOptions.Type): void =>
  transaction.run(
    "INSERT OR REPLACE INTO subscription_options VALUES (?, ?)",
    id,
    // JSON has no undefined fields
    JSON.stringify(options)
  )

/** Stores a subscription, unless the same one exists. Yields its id, or the existing one's. */
const insertSubscription = (
  transaction: Transaction,
  key: string,
  wanted: CheckedSubscription,
  now: number
): Either.Either<string, string> => {
  const { address, attr, contract, event, network, options, type } = wanted
  const other = findDuplicate(transaction, key, wanted)
  if (other !== undefined) return Either.left(other)
  const id = randomBytes(12).toString("hex")
  transaction.run(
    "INSERT INTO subscriptions (id, api_key, created, network, type, address, contract, event, attr) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    id,
    key,
    now,
    network,
    type,
    address,
    contract,
    event,
    JSON.stringify(attr)
  )
  storeOptions(transaction, id, options)
  return Either.right(id)
}

const makeExists = (type: string, subject: string, network: string, id: string): SubscriptionExists =>
  new SubscriptionExists({
    statusCode: 403,
    errorCode: "subscription.exists.on.address-and-currency",
    message: `A subscription of type ${type} to ${subject} on ${network} already exists (${id})`
  })

const describeSubject = ({ address, contract }: Pick<SubscriptionIdentity, "address" | "contract">): string =>
  address ?? contract ?? "the blocks"

interface SubscriptionChange {
  readonly url?: string | undefined
  readonly conditions?: Conditions | undefined
  readonly finality?: "confirmed" | "final" | undefined
  readonly templateId?: string | undefined
  readonly paused?: boolean | undefined
  readonly mempool?: boolean | undefined
}

const updateSubscription = (
  transaction: Transaction,
  { attr, id, options }: typeof StoredRow.Type,
  { conditions, finality, mempool, paused, templateId, url = attr.url }: SubscriptionChange
): void => {
  transaction.run("UPDATE subscriptions SET attr = ? WHERE id = ?", JSON.stringify({ ...attr, url }), id)
  storeOptions(transaction, id, {
    conditions: conditions ?? options?.conditions,
    finality: finality ?? options?.finality,
    templateId: templateId ?? options?.templateId,
    paused: paused ?? options?.paused,
    mempool: mempool ?? options?.mempool
  })
}

const JOINED_SQL = `SELECT subscriptions.id, network, type, address, contract, event, attr, options FROM subscriptions
  LEFT JOIN subscription_options ON subscription_options.id = subscriptions.id`

const deleteSubscription = (
  { all, run }: Transaction,
  key: string,
  id: string
): Either.Either<void, Missing> => {
  if (all(Id, "SELECT id FROM subscriptions WHERE id = ? AND api_key = ?", id, key).length === 0)
    return Either.left(makeMissing("subscription.not.exists", `There is no subscription ${id}`))
  run("DELETE FROM subscriptions WHERE id = ?", id)
  run("DELETE FROM subscription_options WHERE id = ?", id)
  run("DELETE FROM held WHERE subscription = ?", id)
  return Either.right(undefined)
}

/** The network whose subscriptions change, or the reason why there is none. */
const findNetworkToChange = (
  chain: string,
  { finality, url }: Pick<SubscriptionChange, "finality" | "url">,
  reaches: (url: string) => boolean,
  find: (chain: string) => Either.Either<Network.Network, string>
): Either.Either<Network.Network, Invalid> => {
  const network = Either.getOrUndefined(find(chain))
  if (network === undefined)
    return Either.left(makeInvalidFields([`chain must be a chain that has notifications, not ${chain}`]))
  const bad = url === undefined ? undefined : findUrlProblem(url, reaches)
  const wrong = [
    ...(bad === undefined ? [] : [`url ${bad}`]),
    ...findOptionProblems({ finality }, network, () => true)
  ]
  return wrong.length > 0 ? Either.left(makeInvalidFields(wrong)) : Either.right(network)
}

const updateOne = (
  transaction: Transaction,
  key: string,
  { id, payload }: { readonly id: string; readonly payload: typeof SubscriptionChanges.Type },
  reaches: (url: string) => boolean
): Either.Either<void, Invalid | Missing | SubscriptionExists> => {
  const [row] = transaction.all(
    StoredRow,
    `${JOINED_SQL} WHERE subscriptions.id = ? AND api_key = ?`,
    id,
    key
  )
  if (row === undefined)
    return Either.left(makeMissing("subscription.not.exists", `There is no subscription ${id}`))
  const bad = payload.url === undefined ? undefined : findUrlProblem(payload.url, reaches)
  const wrong = [
    ...(bad === undefined ? [] : [`url ${bad}`]),
    ...findOptionProblems({ ...payload, type: row.type }, row.network, (template) =>
      hasTemplate(transaction, key, template)
    )
  ]
  if (wrong.length > 0) return Either.left(makeInvalidFields(wrong))
  const changed = { ...row, attr: { ...row.attr, url: payload.url ?? row.attr.url } }
  const other = findDuplicate(transaction, key, changed)
  if (other !== undefined && other !== id)
    return Either.left(makeExists(row.type, describeSubject(row), row.network, other))
  updateSubscription(transaction, row, payload)
  return Either.right(undefined)
}

/** Changes all subscriptions of a key on a network, or none. */
const updateMany = (
  transaction: Transaction,
  key: string,
  network: Network.Network,
  changes: SubscriptionChange
): Either.Either<void, SubscriptionExists> => {
  const rows = transaction.all(StoredRow, `${JOINED_SQL} WHERE network = ? AND api_key = ?`, network, key)
  const seen = new Map<string, string>()
  for (const { address, contract, event, id, type, attr } of rows) {
    const same = JSON.stringify([type, address, contract, event, changes.url ?? attr.url])
    const other = seen.get(same)
    if (other !== undefined)
      return Either.left(makeExists(type, describeSubject({ address, contract }), network, other))
    seen.set(same, id)
  }
  for (const row of rows) updateSubscription(transaction, row, changes)
  return Either.right(undefined)
}

/** The SQL condition for a key's subscriptions, optionally of one address. */
const makeListCondition = (
  key: string,
  address: string | undefined
): readonly [where: string, values: Array<ColumnValue>] =>
  address === undefined
    ? ["api_key = ?", [key]]
    : [
        // the address as the node writes it, or as the subscriber did
        "api_key = ? AND (address = ? OR contract = ? OR json_extract(attr, '$.address') = ?)",
        [key, normalizeAddress(address), normalizeAddress(address), address]
      ]

/** A page of the subscriptions that meet an SQL condition. */
const readPage = (
  { all }: Transaction,
  [where, values]: ReturnType<typeof makeListCondition>,
  pageSize: number,
  offset: number
) =>
  all(
    SubscriptionRow,
    `${JOINED_SQL} WHERE ${where} ORDER BY subscriptions.rowid LIMIT ? OFFSET ?`,
    ...values,
    pageSize,
    offset
  ).map(({ attr, id, options, type }) => {
    const conditions = options?.conditions ?? []
    return { id, type, attr: conditions.length > 0 ? { ...attr, conditions } : attr }
  })

/** The SQL condition for a key's calls that have had an attempt, or were given up. */
const makeWebhookCondition = (
  key: string,
  failed: "true" | "false" | undefined
): readonly [where: string, values: Array<ColumnValue>] => {
  const where = "api_key = ? AND (failed = 1 OR code IS NOT NULL)"
  return failed === undefined ? [where, [key]] : [`${where} AND failed = ?`, [key, failed === "true" ? 1 : 0]]
}

/**
 * The API key of a request; "" for none.
 *
 * @since 0.1.0
 * @category getters
 */
export const findKey = ({ headers }: HttpServerRequest): string => headers["x-api-key"] ?? ""

const toUnavailable = (error: SandboxError): Unavailable => makeUnavailable(error.message)

/**
 * The services that the subscriptions need. `IsNetworkStarted` is optional.
 *
 * @since 0.1.0
 * @category layers
 */
export type Requirements = Nodes | Store | Webhooks

const api = HttpApi.make("provider").add(group)

const countRows = (
  { all }: Transaction,
  table: "subscriptions" | "webhooks",
  [where, values]: ReturnType<typeof makeListCondition>
): typeof Total.Type => {
  const [count] = all(Total, `SELECT COUNT(*) AS count FROM ${table} WHERE ${where}`, ...values)
  return count ?? { count: 0 }
}

const readWebhooks = (
  { all }: Transaction,
  [where, values]: ReturnType<typeof makeWebhookCondition>,
  page: { readonly direction: string; readonly pageSize: number; readonly offset: number }
) =>
  all(
    WebhookRow,
    `SELECT id, subscription, time, url, type, data, retries, failed, next, code, said, network_error FROM webhooks
     WHERE ${where} ORDER BY rowid ${page.direction} LIMIT ? OFFSET ?`,
    ...values,
    page.pageSize,
    page.offset
  ).map(toExecutedWebhook)

/** Checks and stores a subscription. The network starts first, so that every block from then on counts. */
const addSubscription = (payload: typeof SubscriptionRequest.Type, hints: NetworkHints, key: string) =>
  Effect.gen(function* () {
    const nodes = yield* Nodes
    const webhooks = yield* Webhooks
    const isStarted = yield* IsNetworkStarted
    const transact = yield* loadTransact
    const isTemplate = yield* transact((transaction) => {
      const { templateId } = payload
      return templateId === undefined || hasTemplate(transaction, key, templateId)
    })
    const wanted = yield* checkSubscription(payload, hints, {
      isStarted,
      canCall: webhooks.canCall,
      isTemplate: () => isTemplate
    })
    const { network, type } = wanted
    yield* Effect.mapError(nodes.indexNewBlocks(network), toUnavailable)
    yield* webhooks.awaitIndexed
    const now = yield* Clock.currentTimeMillis
    const stored = yield* transact((transaction) => insertSubscription(transaction, key, wanted, now))
    if (Either.isRight(stored)) return { id: stored.right }
    return yield* Effect.fail(makeExists(type, describeSubject(wanted), network, stored.left))
  })

/** Runs transactions. A failure of the database is an answer with HTTP 503. */
const loadTransact = Effect.map(
  Store,
  (store) =>
    <A>(body: (transaction: Transaction) => A): Effect.Effect<A, Unavailable> =>
      Effect.mapError(store.transact(body), toUnavailable)
)

/**
 * Subscriptions. A new one starts its network if necessary, and gets the blocks from then on.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  HttpApiGroup.ApiGroup<"provider", "subscription">,
  never,
  Requirements
> = HttpApiBuilder.group(api, "subscription", (handlers) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const isStarted = yield* IsNetworkStarted
    const transact = yield* loadTransact

    return handlers
      .handle("subscribe", ({ payload, request, urlParams }) =>
        addSubscription(payload, urlParams, findKey(request))
      )
      .handle("list", ({ request, urlParams: { address, offset, pageSize } }) =>
        transact((transaction) =>
          readPage(transaction, makeListCondition(findKey(request), address), pageSize, offset)
        )
      )
      .handle("count", ({ request, urlParams: { address } }) =>
        transact((transaction) =>
          countRows(transaction, "subscriptions", makeListCondition(findKey(request), address))
        )
      )
      .handle("webhooks", ({ request, urlParams: { direction, failed, offset, pageSize } }) =>
        transact((transaction) =>
          readWebhooks(transaction, makeWebhookCondition(findKey(request), failed), {
            direction,
            pageSize,
            offset
          })
        )
      )
      .handle("webhooksCount", ({ request, urlParams: { failed } }) =>
        transact((transaction) =>
          countRows(transaction, "webhooks", makeWebhookCondition(findKey(request), failed))
        )
      )
      .handle("unsubscribe", ({ path: { id }, request }) =>
        Effect.flatten(transact((transaction) => deleteSubscription(transaction, findKey(request), id)))
      )
      .handle("update", ({ path: { id }, payload, request }) =>
        Effect.flatten(
          transact((transaction) =>
            updateOne(transaction, findKey(request), { id, payload }, webhooks.canCall)
          )
        )
      )
      .handle("updateNetwork", ({ request, urlParams: { chain, finality, type, url } }) =>
        Effect.gen(function* () {
          const network = yield* findNetworkToChange(chain, { url, finality }, webhooks.canCall, (name) =>
            findNetwork(name, { type }, isStarted)
          )
          yield* Effect.flatten(
            transact((transaction) => updateMany(transaction, findKey(request), network, { url, finality }))
          )
        })
      )
      .handle("enableHmac", ({ payload: { hmacSecret }, request }) =>
        transact(({ run }) =>
          run("INSERT OR REPLACE INTO secrets VALUES (?, ?)", findKey(request), hmacSecret)
        )
      )
      .handle("disableHmac", ({ request }) =>
        transact(({ run }) => run("DELETE FROM secrets WHERE api_key = ?", findKey(request)))
      )
  })
)
