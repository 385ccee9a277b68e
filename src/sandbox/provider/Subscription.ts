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
  invalid,
  type Missing,
  missing,
  type Unavailable,
  unavailable
} from "../api/Refusal.js"
import { Attr, type Changes, type Executed, Exists, group, type Wanted } from "../api/Subscription.js"
import { Nodes } from "../Nodes.js"
import { spelled } from "../nodes/addresses.js"
import type { SandboxError } from "../SandboxError.js"
import { Store, type Transaction, type Value } from "../Store.js"
import { hasTemplate, isTemplated, SubscriptionOptions } from "../Templates.js"
import { folded, Webhooks } from "../Webhooks.js"

/**
 * Tells whether a network runs already. A code (`ETH`) without more stands for the mainnet, unless the testnet of this code
 * runs and the mainnet does not: with a key, the SDK gives no more than the code for its default testnet. By default none is
 * said to run.
 *
 * @since 0.1.0
 * @category services
 */
export class Started extends Context.Reference<Started>()("effect-chains/sandbox/Subscription/Started", {
  defaultValue: (): ((network: Network.Network) => boolean) => () => false
}) {}

interface Asked {
  readonly type?: "mainnet" | "testnet" | undefined
  readonly testnetType?: string | undefined
}

/** The network of a name, or a refusal that says what is wrong with the name. */
const networkOf = (
  chain: string,
  { testnetType, type }: Asked,
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

/** Of Dogecoin too: the nodes of the sandbox write those of Bitcoin for it. */
const bitcoin = /^(?:[1-9A-HJ-NP-Za-km-z]{26,36}|[a-z]{2,5}1[02-9ac-hj-np-z]{8,87})$/

/** The form of addresses, as far as it is certain: base58 with its length, or the chain's prefix. */
const forms: Readonly<Partial<Record<Network.Family, RegExp>>> = {
  utxo: bitcoin,
  "utxo-estimatefee":
    /^(?:[1-9A-HJ-NP-Za-km-z]{26,36}|(?:(?:bitcoincash|bchtest|bchreg):)?[02-9ac-hj-np-z]{42,62})$/,
  doge: bitcoin,
  solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  tron: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  xrp: /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/,
  tezos: /^(?:tz[1-4]|KT1)[1-9A-HJ-NP-Za-km-z]{33}$/
}

const addressFault = (address: string, network: Network.Network): string | undefined => {
  const { chainId, family } = Network.info(network)
  if (Network.isEvm(network)) return addressProblem(address, chainId)
  return (forms[family] ?? /^[^\s/?#]{1,128}$/).test(address) ? undefined : `must be an address of ${network}`
}

const isWebUrl = (url: string): boolean =>
  url.length <= 500 && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

const types: Readonly<Record<string, NotificationType>> = NotificationType
const isType = (type: string): type is NotificationType => Object.hasOwn(types, type)

type Conditions = NonNullable<(typeof Attr.Type)["conditions"]>

/** What is wrong with the options of a subscription on a network. */
const optionFaults = (
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
  if (finality !== undefined && !isTemplated(network)) wrong.push(`finality ${alone}`)
  if (templateId !== undefined && !isTemplated(network)) wrong.push(`templateId ${alone}`)
  else if (templateId !== undefined && !isTemplate(templateId))
    wrong.push(
      "templateId must be enriched, enriched_with_raw_data, legacy, or the id of a template of this key"
    )
  const isBitcoin = Network.isNetwork(network) && Network.info(network).notification === "BTC"
  if (mempool === true && !(isBitcoin && type === NotificationType.ADDRESS_EVENT))
    wrong.push(`mempool is for ${NotificationType.ADDRESS_EVENT} on Bitcoin alone`)
  return wrong
}

const urlFault = (url: string, reaches: (url: string) => boolean): string | undefined =>
  !isWebUrl(url)
    ? "must be an http or https url of at most 500 characters"
    : reaches(url)
      ? undefined
      : "must be one of this machine, or of a host in the option webhooks.hosts of the sandbox"

const senseless = (wrong: ReadonlyArray<string>): Invalid =>
  invalid("validation.failed", "The subscription makes no sense: see data for what is wrong.", wrong)

/** A subscription that makes sense. */
interface Checked {
  readonly options: typeof SubscriptionOptions.Type
  readonly network: Network.Network
  readonly type: NotificationType
  readonly address: string | null
  readonly contract: string | null
  readonly event: string | null
  readonly attr: typeof Attr.Type
}

/** What a subscription is checked against. */
interface World {
  readonly started: (network: Network.Network) => boolean
  readonly reaches: (url: string) => boolean
  readonly isTemplate: (id: string) => boolean
}

const check = (
  { attr, finality, mempool, templateId, type }: typeof Wanted.Type,
  asked: Asked,
  { isTemplate, reaches, started }: World
): Either.Either<Checked, Invalid> => {
  const wrong: Array<string> = []
  if (!isType(type)) wrong.push(`type must be one of ${Object.keys(NotificationType).join(", ")}`)
  const badUrl = urlFault(attr.url, reaches)
  if (badUrl !== undefined) wrong.push(`attr.url ${badUrl}`)
  const found = networkOf(attr.chain, asked, started)
  if (Either.isLeft(found)) wrong.push(found.left)
  const network = Either.isRight(found) ? found.right : undefined

  const addressed = (field: "address" | "contractAddress"): string | null => {
    const address = attr[field]
    const problem = address === undefined ? "must be set" : network && addressFault(address, network)
    if (problem !== undefined) wrong.push(`attr.${field} ${problem}`)
    if (address === undefined) return null
    return folded(network === undefined ? address : spelled(network, address))
  }
  const isContract = type === NotificationType.CONTRACT_ADDRESS_LOG_EVENT
  const isBlock = type === NotificationType.FAILED_TXS_PER_BLOCK
  const contract = isContract ? addressed("contractAddress") : null
  const address = isContract || isBlock ? null : addressed("address")
  const event = isContract ? (attr.event ?? "") : null
  if (event !== null && network !== undefined) {
    const isEvm = Network.isEvm(network)
    if (!(isEvm ? /^0x[0-9a-f]{64}$/i : /^\S{1,66}$/).test(event))
      wrong.push(
        `attr.event must be ${isEvm ? "the first topic of an event: 0x and 64 hexadecimal digits" : "an event: 1 to 66 characters"}`
      )
  }
  if (network !== undefined)
    wrong.push(...optionFaults({ finality, mempool, templateId, type }, network, isTemplate))
  if (wrong.length > 0 || network === undefined || !isType(type)) return Either.left(senseless(wrong))
  return Either.right({
    options: { conditions: attr.conditions, finality, templateId, mempool },
    network,
    type,
    address,
    contract,
    event: event?.toLowerCase() ?? null,
    attr: {
      // told as it was named, but for testnets, which share the code of their mainnet
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
  attr: Schema.parseJson(Attr),
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

const executed = (row: typeof WebhookRow.Type): typeof Executed.Type => ({
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

/** The fields by which the provider knows a subscription again. */
interface Same {
  readonly network: string
  readonly type: string
  readonly address: string | null
  readonly contract: string | null
  readonly event: string | null
  readonly attr: { readonly url: string }
}

/** Another subscription of a key to the same, with the same url. */
const another = (
  transaction: Transaction,
  key: string,
  { address, attr, contract, event, network, type }: Same
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

const keepOptions = (transaction: Transaction, id: string, options: typeof SubscriptionOptions.Type): void =>
  transaction.run(
    "INSERT OR REPLACE INTO subscription_options VALUES (?, ?)",
    id,
    // what is undefined is left out
    JSON.stringify(options)
  )

/** Stores a subscription unless there is one to the same; yields its id, or that of the other. */
const insert = (
  transaction: Transaction,
  key: string,
  wanted: Checked,
  now: number
): Either.Either<string, string> => {
  const { address, attr, contract, event, network, options, type } = wanted
  const other = another(transaction, key, wanted)
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
  keepOptions(transaction, id, options)
  return Either.right(id)
}

const exists = (type: string, subject: string, network: string, id: string): Exists =>
  new Exists({
    statusCode: 403,
    errorCode: "subscription.exists.on.address-and-currency",
    message: `A subscription of type ${type} to ${subject} on ${network} already exists (${id})`
  })

const subjectOf = ({ address, contract }: Pick<Same, "address" | "contract">): string =>
  address ?? contract ?? "the blocks"

/** A change of one subscription or of many. */
interface Change {
  readonly url?: string | undefined
  readonly conditions?: Conditions | undefined
  readonly finality?: "confirmed" | "final" | undefined
  readonly templateId?: string | undefined
  readonly paused?: boolean | undefined
  readonly mempool?: boolean | undefined
}

const change = (
  transaction: Transaction,
  { attr, id, options }: typeof StoredRow.Type,
  { conditions, finality, mempool, paused, templateId, url = attr.url }: Change
): void => {
  transaction.run("UPDATE subscriptions SET attr = ? WHERE id = ?", JSON.stringify({ ...attr, url }), id)
  keepOptions(transaction, id, {
    conditions: conditions ?? options?.conditions,
    finality: finality ?? options?.finality,
    templateId: templateId ?? options?.templateId,
    paused: paused ?? options?.paused,
    mempool: mempool ?? options?.mempool
  })
}

/** The columns of a subscription and its options. */
const joined = `SELECT subscriptions.id, network, type, address, contract, event, attr, options FROM subscriptions
  LEFT JOIN subscription_options ON subscription_options.id = subscriptions.id`

/** Deletes a subscription of a key. */
const remove = ({ all, run }: Transaction, key: string, id: string): Either.Either<void, Missing> => {
  if (all(Id, "SELECT id FROM subscriptions WHERE id = ? AND api_key = ?", id, key).length === 0)
    return Either.left(missing("subscription.not.exists", `There is no subscription ${id}`))
  run("DELETE FROM subscriptions WHERE id = ?", id)
  run("DELETE FROM subscription_options WHERE id = ?", id)
  run("DELETE FROM held WHERE subscription = ?", id)
  return Either.right(undefined)
}

/** The network whose subscriptions are to change, or what is wrong with that. */
const networkToChange = (
  chain: string,
  { finality, url }: Pick<Change, "finality" | "url">,
  reaches: (url: string) => boolean,
  find: (chain: string) => Either.Either<Network.Network, string>
): Either.Either<Network.Network, Invalid> => {
  const network = Either.getOrUndefined(find(chain))
  if (network === undefined)
    return Either.left(senseless([`chain must be a chain that has notifications, not ${chain}`]))
  const bad = url === undefined ? undefined : urlFault(url, reaches)
  const wrong = [
    ...(bad === undefined ? [] : [`url ${bad}`]),
    ...optionFaults({ finality }, network, () => true)
  ]
  return wrong.length > 0 ? Either.left(senseless(wrong)) : Either.right(network)
}

/** Changes one subscription of a key. */
const updateOne = (
  transaction: Transaction,
  key: string,
  { id, payload }: { readonly id: string; readonly payload: typeof Changes.Type },
  reaches: (url: string) => boolean
): Either.Either<void, Invalid | Missing | Exists> => {
  const [row] = transaction.all(StoredRow, `${joined} WHERE subscriptions.id = ? AND api_key = ?`, id, key)
  if (row === undefined)
    return Either.left(missing("subscription.not.exists", `There is no subscription ${id}`))
  const bad = payload.url === undefined ? undefined : urlFault(payload.url, reaches)
  const wrong = [
    ...(bad === undefined ? [] : [`url ${bad}`]),
    ...optionFaults({ ...payload, type: row.type }, row.network, (template) =>
      hasTemplate(transaction, key, template)
    )
  ]
  if (wrong.length > 0) return Either.left(senseless(wrong))
  const changed = { ...row, attr: { ...row.attr, url: payload.url ?? row.attr.url } }
  const other = another(transaction, key, changed)
  if (other !== undefined && other !== id)
    return Either.left(exists(row.type, subjectOf(row), row.network, other))
  change(transaction, row, payload)
  return Either.right(undefined)
}

/** Changes all subscriptions of a key on a network: all of them, or none. */
const updateMany = (
  transaction: Transaction,
  key: string,
  network: Network.Network,
  changes: Change
): Either.Either<void, Exists> => {
  const rows = transaction.all(StoredRow, `${joined} WHERE network = ? AND api_key = ?`, network, key)
  const seen = new Map<string, string>()
  for (const { address, contract, event, id, type, attr } of rows) {
    const same = JSON.stringify([type, address, contract, event, changes.url ?? attr.url])
    const other = seen.get(same)
    if (other !== undefined)
      return Either.left(exists(type, subjectOf({ address, contract }), network, other))
    seen.set(same, id)
  }
  for (const row of rows) change(transaction, row, changes)
  return Either.right(undefined)
}

/** A condition for subscriptions: those of a key, and of an address if there is one. */
const listed = (key: string, address: string | undefined): readonly [where: string, values: Array<Value>] =>
  address === undefined
    ? ["api_key = ?", [key]]
    : [
        // as the node writes it, or as it was given
        "api_key = ? AND (address = ? OR contract = ? OR json_extract(attr, '$.address') = ?)",
        [key, folded(address), folded(address), address]
      ]

/** A page of the subscriptions that meet a condition, with their own conditions where there are some. */
const pageOf = (
  { all }: Transaction,
  [where, values]: ReturnType<typeof listed>,
  pageSize: number,
  offset: number
) =>
  all(
    SubscriptionRow,
    `${joined} WHERE ${where} ORDER BY subscriptions.rowid LIMIT ? OFFSET ?`,
    ...values,
    pageSize,
    offset
  ).map(({ attr, id, options, type }) => {
    const conditions = options?.conditions ?? []
    return { id, type, attr: conditions.length > 0 ? { ...attr, conditions } : attr }
  })

/** A condition for calls: those of a key that have been made at least once, or were given up. */
const made = (
  key: string,
  failed: "true" | "false" | undefined
): readonly [where: string, values: Array<Value>] => {
  const where = "api_key = ? AND (failed = 1 OR code IS NOT NULL)"
  return failed === undefined ? [where, [key]] : [`${where} AND failed = ?`, [key, failed === "true" ? 1 : 0]]
}

/**
 * The API key of a request: none is one too.
 *
 * @since 0.1.0
 * @category getters
 */
export const keyOf = ({ headers }: HttpServerRequest): string => headers["x-api-key"] ?? ""

const nothingThere = (error: SandboxError): Unavailable => unavailable(error.message)

/**
 * The services of the sandbox that the subscriptions need. `Started` may be given besides.
 *
 * @since 0.1.0
 * @category layers
 */
export type Requirements = Nodes | Store | Webhooks

const api = HttpApi.make("provider").add(group)

/**
 * Subscriptions. A new one starts the network, if it does not run, and hears of the blocks that come afterwards.
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
    const nodes = yield* Nodes
    const store = yield* Store
    const webhooks = yield* Webhooks
    const started = yield* Started
    const use = <A>(body: (transaction: Transaction) => A): Effect.Effect<A, Unavailable> =>
      Effect.mapError(store.use(body), nothingThere)

    return handlers
      .handle("subscribe", ({ payload, request, urlParams }) =>
        Effect.gen(function* () {
          const isTemplate = yield* use((transaction) => {
            const { templateId } = payload
            return templateId === undefined || hasTemplate(transaction, keyOf(request), templateId)
          })
          const wanted = yield* check(payload, urlParams, {
            started,
            reaches: webhooks.reaches,
            isTemplate: () => isTemplate
          })
          const { network, type } = wanted
          yield* Effect.mapError(nodes.fresh(network), nothingThere)
          yield* webhooks.settled
          const now = yield* Clock.currentTimeMillis
          const stored = yield* use((transaction) => insert(transaction, keyOf(request), wanted, now))
          if (Either.isRight(stored)) return { id: stored.right }
          return yield* Effect.fail(exists(type, subjectOf(wanted), network, stored.left))
        })
      )
      .handle("list", ({ request, urlParams: { address, offset, pageSize } }) =>
        use((transaction) => pageOf(transaction, listed(keyOf(request), address), pageSize, offset))
      )
      .handle("count", ({ request, urlParams: { address } }) =>
        use(({ all }) => {
          const [where, values] = listed(keyOf(request), address)
          const [count] = all(Total, `SELECT COUNT(*) AS count FROM subscriptions WHERE ${where}`, ...values)
          return count ?? { count: 0 }
        })
      )
      .handle("webhooks", ({ request, urlParams: { direction, failed, offset, pageSize } }) =>
        use(({ all }) => {
          const [where, values] = made(keyOf(request), failed)
          return all(
            WebhookRow,
            `SELECT id, subscription, time, url, type, data, retries, failed, next, code, said, network_error FROM webhooks
             WHERE ${where} ORDER BY rowid ${direction} LIMIT ? OFFSET ?`,
            ...values,
            pageSize,
            offset
          ).map(executed)
        })
      )
      .handle("webhooksCount", ({ request, urlParams: { failed } }) =>
        use(({ all }) => {
          const [where, values] = made(keyOf(request), failed)
          const [count] = all(Total, `SELECT COUNT(*) AS count FROM webhooks WHERE ${where}`, ...values)
          return count ?? { count: 0 }
        })
      )
      .handle("unsubscribe", ({ path: { id }, request }) =>
        Effect.flatten(use((transaction) => remove(transaction, keyOf(request), id)))
      )
      .handle("update", ({ path: { id }, payload, request }) =>
        Effect.flatten(
          use((transaction) => updateOne(transaction, keyOf(request), { id, payload }, webhooks.reaches))
        )
      )
      .handle("updateNetwork", ({ request, urlParams: { chain, finality, type, url } }) =>
        Effect.gen(function* () {
          const network = yield* networkToChange(chain, { url, finality }, webhooks.reaches, (name) =>
            networkOf(name, { type }, started)
          )
          yield* Effect.flatten(
            use((transaction) => updateMany(transaction, keyOf(request), network, { url, finality }))
          )
        })
      )
      .handle("enableHmac", ({ payload: { hmacSecret }, request }) =>
        use(({ run }) => run("INSERT OR REPLACE INTO secrets VALUES (?, ?)", keyOf(request), hmacSecret))
      )
      .handle("disableHmac", ({ request }) =>
        use(({ run }) => run("DELETE FROM secrets WHERE api_key = ?", keyOf(request)))
      )
  })
)
