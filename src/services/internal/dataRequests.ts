/** Requests to the data API: each is sent in the form of the generation that is asked, and answers get one shape. */
import * as Effect from "effect/Effect"
import { Config, type ResolvedConfig } from "../../config/Config.js"
import {
  type DataChain,
  type DataRoute,
  type DataRouteName,
  dataRoutes,
  findRouteChain,
  idOfChain
} from "../../data/dataRoutes.js"
import { type GatewayCallError, InvalidArgument } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { Gateway, type GatewayService } from "../Gateway.js"
import { divideByPowerOf10, isAmount, toPlainDecimal } from "./amounts.js"
import { joinWithCommas, toWireQuery } from "./dataInput.js"
import { askGenerations, type Generation, isGenerationKnown } from "./generations.js"

type Query = Parameters<typeof toWireQuery>[0]

/** The configuration and the gateway of a client. */
export interface DataClient {
  readonly config: ResolvedConfig
  readonly gateway: GatewayService
}

/** Makes what the requests of a client need. */
export const makeDataClient: Effect.Effect<DataClient, never, Config | Gateway> = Effect.zipWith(
  Config,
  Gateway,
  (config, gateway) => ({ config, gateway })
)

/** A question to a route. */
export interface DataRequest<A, E> {
  readonly call: string
  readonly route: DataRouteName
  readonly chain: DataChain
  readonly query: Query
  /** The requests that it takes in v4, by the fields in which each differs from `query`: one, if left out. */
  readonly parts?: readonly [Query, ...ReadonlyArray<Query>]
  readonly exact?: boolean
  readonly read: (said: unknown, generation: Generation, part: Query) => Effect.Effect<A, E>
  /** A parameter that v4 requires and the query lacks. */
  readonly missingParameter?: string
  /** Whether an answer of v4 has the legacy form (default: never). */
  readonly isLegacy?: (said: unknown) => boolean
  /** The legacy request, if it is not one of API v4. */
  readonly legacyRequest?: Omit<Parameters<GatewayService["request"]>[0], "method">
}

/** The fields of a query under the names that v4 has for them. Two that are one there are joined. */
const renameFields = ({ renamed = {} }: DataRoute, query: Query): Query => {
  const fields = new Map<string, Query[string]>()
  for (const [name, value] of Object.entries(query)) {
    const key = Object.hasOwn(renamed, name) ? (renamed[name] ?? name) : name
    const before = fields.get(key)
    const values = [before, value].flatMap((each) =>
      typeof each === "string" || typeof each === "object" ? [joinWithCommas(each)] : []
    )
    if (value !== undefined) fields.set(key, values.length === 2 ? joinWithCommas(values) : value)
  }
  return Object.fromEntries(fields)
}

/** Whether a route is the same in both generations. Then it is asked once, whatever it answers. */
const isSameInBoth = ({ lacking, legacy, renamed, v4 }: DataRoute): boolean =>
  legacy === v4 && lacking === undefined && renamed === undefined

/** The concurrent requests of a question that takes several. */
const MAX_CONCURRENT = 3

type Answers<A> = readonly [A, ...ReadonlyArray<A>]

/** One request of a question. `version` is set if the route belongs to another API version than the client's. */
interface PathRequest {
  readonly path: string
  readonly query: Query
  readonly version?: "V4" | undefined
}

const sendRequest = (
  { gateway }: DataClient,
  { exact = false }: Pick<DataRequest<unknown, unknown>, "exact">,
  { path, query, version }: PathRequest
): Effect.Effect<unknown, GatewayCallError> =>
  gateway.request({
    method: "GET",
    path,
    query: toWireQuery(query),
    exact,
    ...(version === undefined ? {} : { version })
  })

/** Asks a route that is the same in both generations. */
const requestSharedRoute = <A, E>(
  client: DataClient,
  question: DataRequest<A, E>
): Effect.Effect<Answers<A>, E | GatewayCallError> => {
  const { chain, query, read, route } = question
  const { dataApi } = client.config
  const asksLegacy = dataApi === "legacy" || (dataApi === "auto" && chain.v4 === undefined)
  const { legacy = chain.v4, v4 = legacy } = chain
  const sent = sendRequest(client, question, {
    path: dataRoutes[route].v4,
    query: { chain: asksLegacy ? legacy : v4, ...query }
  })
  return Effect.map(
    Effect.flatMap(sent, (said) => read(said, asksLegacy ? "legacy" : "v4", {})),
    (answer) => [answer] as const
  )
}

/** Asks v4, with one request for each part. Undefined if an answer has the legacy form. */
const requestV4 = <A, E>(
  client: DataClient,
  question: DataRequest<A, E>
): Effect.Effect<Answers<A> | undefined, E | GatewayCallError> => {
  const { config } = client
  const { chain, isLegacy, legacyRequest, parts = [{}], query, read, route } = question
  const declaration: DataRoute = dataRoutes[route]
  // a route that replaces one of another API version belongs to v4, whatever version the client uses
  const version = legacyRequest === undefined || config.version === "V4" ? undefined : "V4"
  const readV4 = (said: unknown, part: Query): Effect.Effect<A | undefined, E> =>
    config.dataApi === "auto" && isLegacy?.(said) === true
      ? Effect.succeed(undefined)
      : read(said, "v4", part)
  const requestPart = (part: Query) => {
    const fields = renameFields(declaration, { ...query, ...part })
    return Effect.flatMap(
      sendRequest(client, question, {
        path: declaration.v4,
        query: { chain: chain.v4 ?? chain.legacy, ...fields },
        version
      }),
      (said) => readV4(said, part)
    )
  }
  return Effect.map(
    // one at a time until it is known that v4 serves the route
    Effect.forEach(parts, requestPart, {
      concurrency: isGenerationKnown(config, route) ? MAX_CONCURRENT : 1
    }),
    ([first, ...more]) =>
      first === undefined ? undefined : ([first, ...more.flatMap((each) => each ?? [])] as const)
  )
}

/** Asks the legacy route, which takes one request. */
const requestLegacy = <A, E>(
  client: DataClient,
  question: DataRequest<A, E>
): Effect.Effect<Answers<A>, E | GatewayCallError> => {
  const { chain, legacyRequest, query, read, route } = question
  const { legacy, v4 }: DataRoute = dataRoutes[route]
  const sent =
    legacyRequest === undefined
      ? sendRequest(client, question, {
          path: legacy ?? v4,
          query: { chain: chain.legacy ?? chain.v4, ...query }
        })
      : client.gateway.request({ method: "GET", ...legacyRequest })
  return Effect.map(
    Effect.flatMap(sent, (said) => read(said, "legacy", {})),
    (answer) => [answer] as const
  )
}

/** The answers to a question: one, unless it takes several requests. */
export const requestParts = <A, E>(
  client: DataClient,
  question: DataRequest<A, E>
): Effect.Effect<Answers<A>, E | GatewayCallError | InvalidArgument> => {
  const { call, chain, missingParameter, query, route } = question
  const declaration: DataRoute = dataRoutes[route]
  if (isSameInBoth(declaration)) return requestSharedRoute(client, question)
  const unknownParameters = (declaration.lacking ?? []).filter((name) => query[name] !== undefined)
  const canAskV4 = unknownParameters.length === 0 && missingParameter === undefined
  const reason = `${declaration.v4}, the provider's route of today, ${missingParameter === undefined ? `does not know ${unknownParameters.join(", ")}` : `needs ${missingParameter}`}`
  return askGenerations<Answers<A>, E | GatewayCallError | InvalidArgument>(client.config, route, {
    v4: canAskV4 ? requestV4(client, question) : undefined,
    legacy: declaration.legacy === undefined ? undefined : requestLegacy(client, question),
    failWithoutV4: Effect.fail(new InvalidArgument({ call, reason })),
    isLegacyOnly: chain.v4 === undefined
  })
}

/** The answer to a question that takes one request. */
export const requestOne = <A, E>(
  dataClient: DataClient,
  question: Omit<DataRequest<A, E>, "parts">
): Effect.Effect<A, E | GatewayCallError | InvalidArgument> =>
  Effect.map(requestParts(dataClient, question), ([answer]) => answer)

/** The chain of the client's own network on a route. A route that does not serve it is asked all the same, and the provider refuses. */
export const chainOfClient = ({ config: { info, network } }: DataClient, route: DataRouteName): DataChain =>
  (info.routes?.includes(route) === true ? { v4: info.slug ?? network } : findRouteChain(route, network)) ?? {
    v4: network,
    legacy: network
  }

/** A list in either form: bare, or as the result of a page. */
export const toPage = (said: unknown): unknown => (Array.isArray(said) ? { result: said } : said)

const isText = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number"

/** The balance in whole coins or tokens. In v4's portfolio `balance` is in the smallest unit, and another field has whole coins. */
const toWholeCoins = ({
  balance,
  decimals,
  denominatedBalance
}: Readonly<Record<string, unknown>>): unknown => {
  if (isText(denominatedBalance)) return toPlainDecimal(String(denominatedBalance))
  return isText(balance) &&
    isText(decimals) &&
    isAmount(String(balance)) &&
    /^\d{1,3}$/.test(String(decimals))
    ? divideByPowerOf10(String(balance), Number(decimals))
    : balance
}

/** The names that fields of v4 have here. */
const fieldNames: Readonly<Record<string, string>> = {
  contractAddress: "tokenAddress",
  txHash: "hash",
  txIndex: "transactionIndex"
}

const isMissing = (value: unknown): boolean => value === undefined || value === null

/** A row with the id of its network, instead of the provider's name. */
const withNetworkId = (row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  typeof row.chain === "string" ? { ...row, chain: idOfChain(row.chain) } : row

const makeRowReader =
  (change: (row: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) =>
  (row: unknown): unknown =>
    isRecord(row) ? withNetworkId(change(row)) : row

/** Converts any row to the SDK's names for networks. */
export const readRow: (row: unknown) => unknown = makeRowReader((row) => row)

const readV4Balance = makeRowReader(({ denominatedBalance, ...row }) =>
  isMissing(denominatedBalance) && isMissing(row.decimals)
    ? row
    : { ...row, balance: toWholeCoins({ ...row, denominatedBalance }) }
)

/** Converts balances to one shape for both generations: the legacy API only has whole coins and tokens. */
export const balanceReaderFor = (generation: Generation): ((row: unknown) => unknown) =>
  generation === "v4" ? readV4Balance : readRow

/** A row under our names for its fields: a token of a collection, or a transfer. */
export const readRenamedRow: (row: unknown) => unknown = makeRowReader((row) => {
  const entries = Object.entries(row).map(([name, value]): readonly [string, unknown] => {
    const ours = Object.hasOwn(fieldNames, name) ? fieldNames[name] : undefined
    return [ours === undefined || Object.hasOwn(row, ours) ? name : ours, value]
  })
  return Object.fromEntries(entries)
})

/** Converts the rows of a page. Anything else stays unchanged, and its reader reports it. */
export const mapPage =
  (change: (row: unknown) => unknown) =>
  (said: unknown): unknown => {
    const page = toPage(said)
    return isRecord(page) && Array.isArray(page.result) ? { ...page, result: page.result.map(change) } : page
  }

/** The kinds of assets of one request for v4's portfolio: coins, or fungible tokens, or tokens of collections. */
export interface PortfolioPart {
  readonly [name: string]: string
  readonly tokenTypes: string
}

/** The requests that a portfolio of these kinds takes. */
export const portfolioParts = (
  kinds: ReadonlyArray<string>
): readonly [PortfolioPart, ...ReadonlyArray<PortfolioPart>] => {
  const items = kinds.filter((kind) => kind === "nft" || kind === "multitoken")
  const [first = joinWithCommas(kinds), ...more] = [
    ...["native", "fungible"].filter((kind) => kinds.includes(kind)),
    ...(items.length === 0 ? [] : [joinWithCommas(items)])
  ]
  return [{ tokenTypes: first }, ...more.map((tokenTypes) => ({ tokenTypes }))]
}

/** The kinds that a request names. */
export const partKindsOf = ({ tokenTypes }: PortfolioPart): ReadonlyArray<string> => tokenTypes.split(",")
