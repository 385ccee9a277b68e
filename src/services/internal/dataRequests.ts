/** Questions to the data API: each is put in the form of the generation that is asked, and answers come out in one shape. */
import * as Effect from "effect/Effect"
import { Config, type ResolvedConfig } from "../../config/Config.js"
import {
  chainOn,
  type DataChain,
  type DataRoute,
  type DataRouteName,
  dataRoutes,
  idOfChain
} from "../../data/dataRoutes.js"
import { isRecord } from "../../data/foreign.js"
import { type GatewayCallError, InvalidArgument } from "../../data/SdkError.js"
import { Gateway, type GatewayService } from "../Gateway.js"
import { isAmount, plain, scaled } from "./amounts.js"
import { joined, wire } from "./dataInput.js"
import { either, type Generation, isSettled } from "./generations.js"

type Query = Parameters<typeof wire>[0]

/** The configuration and the gateway of a client. */
export interface DataClient {
  readonly config: ResolvedConfig
  readonly gateway: GatewayService
}

/** What requests of the client at hand need. */
export const dataClient: Effect.Effect<DataClient, never, Config | Gateway> = Effect.zipWith(
  Config,
  Gateway,
  (config, gateway) => ({ config, gateway })
)

/** A question to a route. */
export interface Question<A, E> {
  readonly call: string
  readonly route: DataRouteName
  readonly chain: DataChain
  readonly query: Query
  /** The requests that it takes in v4, by the fields in which each differs from `query`: one, if left out. */
  readonly parts?: readonly [Query, ...ReadonlyArray<Query>]
  readonly exact?: boolean
  readonly read: (said: unknown, generation: Generation, part: Query) => Effect.Effect<A, E>
  /** A parameter that v4 cannot do without, where the question lacks it. */
  readonly needs?: string
  /** Whether an answer of v4 has the legacy form. Default: none has. */
  readonly isLegacy?: (said: unknown) => boolean
  /** The legacy request, where it is none of API v4. */
  readonly legacyRequest?: Omit<Parameters<GatewayService["request"]>[0], "method">
}

/** The fields of a query under the names that v4 has for them. Two that are one there are joined. */
const renamedIn = ({ renamed = {} }: DataRoute, query: Query): Query => {
  const fields = new Map<string, Query[string]>()
  for (const [name, value] of Object.entries(query)) {
    const key = Object.hasOwn(renamed, name) ? (renamed[name] ?? name) : name
    const before = fields.get(key)
    const both = [before, value].flatMap((each) =>
      typeof each === "string" || typeof each === "object" ? [joined(each)] : []
    )
    if (value !== undefined) fields.set(key, both.length === 2 ? joined(both) : value)
  }
  return Object.fromEntries(fields)
}

/** Whether both generations have a route alike: it is asked once, whatever it answers. */
const isAlike = ({ lacking, legacy, renamed, v4 }: DataRoute): boolean =>
  legacy === v4 && lacking === undefined && renamed === undefined

/** The concurrent requests of a question that takes several. */
const CONCURRENT = 3

/** The answers to a question: one, unless it takes several requests. */
export const ask = <A, E>(
  { config, gateway }: DataClient,
  {
    call,
    chain,
    exact = false,
    isLegacy,
    legacyRequest,
    needs,
    parts = [{}],
    query,
    read,
    route
  }: Question<A, E>
): Effect.Effect<readonly [A, ...ReadonlyArray<A>], E | GatewayCallError | InvalidArgument> => {
  const declared: DataRoute = dataRoutes[route]
  const lacks = (declared.lacking ?? []).filter((name) => query[name] !== undefined)
  const isAskable = lacks.length === 0 && needs === undefined
  const reason = `${declared.v4}, the provider's route of today, ${needs === undefined ? `does not know ${lacks.join(", ")}` : `needs ${needs}`}`
  const request = (path: string, fields: Query, version?: "V4") =>
    gateway.request({
      method: "GET",
      path,
      query: wire(fields),
      exact,
      ...(version === undefined ? {} : { version })
    })
  if (isAlike(declared)) {
    const asksLegacy = config.dataApi === "legacy" || (config.dataApi === "auto" && chain.v4 === undefined)
    const { legacy = chain.v4, v4 = legacy } = chain
    return Effect.map(
      Effect.flatMap(request(declared.v4, { chain: asksLegacy ? legacy : v4, ...query }), (said) =>
        read(said, asksLegacy ? "legacy" : "v4", {})
      ),
      (answer) => [answer] as const
    )
  }
  const readV4 = (said: unknown, part: Query): Effect.Effect<A | undefined, E> =>
    config.dataApi === "auto" && isLegacy?.(said) === true
      ? Effect.succeed(undefined)
      : read(said, "v4", part)
  const inV4 = Effect.map(
    Effect.forEach(
      parts,
      (part) =>
        Effect.flatMap(
          request(
            declared.v4,
            { chain: chain.v4 ?? chain.legacy, ...renamedIn(declared, { ...query, ...part }) },
            // a route that came in place of one of another version has its own, whatever the client's is
            legacyRequest === undefined || config.version === "V4" ? undefined : "V4"
          ),
          (said) => readV4(said, part)
        ),
      // a generation that is gone is asked once
      { concurrency: isSettled(config, route) ? CONCURRENT : 1 }
    ),
    ([first, ...more]) =>
      first === undefined ? undefined : ([first, ...more.flatMap((each) => each ?? [])] as const)
  )
  const inLegacy = Effect.map(
    Effect.flatMap(
      legacyRequest === undefined
        ? request(declared.legacy ?? declared.v4, { chain: chain.legacy ?? chain.v4, ...query })
        : gateway.request({ method: "GET", ...legacyRequest }),
      (said) => read(said, "legacy", {})
    ),
    (answer) => [answer] as const
  )
  return either<readonly [A, ...ReadonlyArray<A>], E | GatewayCallError | InvalidArgument>(config, route, {
    v4: isAskable ? inV4 : undefined,
    legacy: declared.legacy === undefined ? undefined : inLegacy,
    lacking: Effect.fail(new InvalidArgument({ call, reason })),
    legacyOnly: chain.v4 === undefined
  })
}

/** The answer to a question that takes one request. */
export const askOne = <A, E>(
  dataClient: DataClient,
  question: Omit<Question<A, E>, "parts">
): Effect.Effect<A, E | GatewayCallError | InvalidArgument> =>
  Effect.map(ask(dataClient, question), ([answer]) => answer)

/** The chain of the client's own network on a route. A route that does not serve it is asked all the same, and the provider refuses. */
export const ownChain = ({ config: { info, network } }: DataClient, route: DataRouteName): DataChain =>
  (info.routes?.includes(route) === true ? { v4: info.slug ?? network } : chainOn(route, network)) ?? {
    v4: network,
    legacy: network
  }

/** A list in either form: bare, or as the result of a page. */
export const asPage = (said: unknown): unknown => (Array.isArray(said) ? { result: said } : said)

const isText = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number"

/** A balance in whole coins or tokens. Today's portfolio has that besides, and its `balance` is in the smallest unit. */
const coinsOf = ({ balance, decimals, denominatedBalance }: Readonly<Record<string, unknown>>): unknown => {
  if (isText(denominatedBalance)) return plain(String(denominatedBalance))
  return isText(balance) &&
    isText(decimals) &&
    isAmount(String(balance)) &&
    /^\d{1,3}$/.test(String(decimals))
    ? scaled(String(balance), Number(decimals))
    : balance
}

/** The names that fields of v4 have here. */
const fieldNames: Readonly<Record<string, string>> = {
  contractAddress: "tokenAddress",
  txHash: "hash",
  txIndex: "transactionIndex"
}

const isMissing = (value: unknown): boolean => value === undefined || value === null

/** A row with the id of its network, in place of the provider's name for it. */
const withId = (row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  typeof row.chain === "string" ? { ...row, chain: idOfChain(row.chain) } : row

const rowIn =
  (change: (row: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) =>
  (row: unknown): unknown =>
    isRecord(row) ? withId(change(row)) : row

/** Any row, in our words for networks. */
export const namedRow: (row: unknown) => unknown = rowIn((row) => row)

const balanceRow = rowIn(({ denominatedBalance, ...row }) =>
  isMissing(denominatedBalance) && isMissing(row.decimals)
    ? row
    : { ...row, balance: coinsOf({ ...row, denominatedBalance }) }
)

/** A balance in one shape for both generations: the legacy one has whole coins and tokens alone. */
export const balanceIn = (generation: Generation): ((row: unknown) => unknown) =>
  generation === "v4" ? balanceRow : namedRow

/** A row under our names for its fields: a token of a collection, or a transfer. */
export const renamedRow: (row: unknown) => unknown = rowIn((row) => {
  const entries = Object.entries(row).map(([name, value]): readonly [string, unknown] => {
    const ours = Object.hasOwn(fieldNames, name) ? fieldNames[name] : undefined
    return [ours === undefined || Object.hasOwn(row, ours) ? name : ours, value]
  })
  return Object.fromEntries(entries)
})

/** A page whose rows are changed. Anything else is left as it is, for its reader to tell. */
export const mapPage =
  (change: (row: unknown) => unknown) =>
  (said: unknown): unknown => {
    const page = asPage(said)
    return isRecord(page) && Array.isArray(page.result) ? { ...page, result: page.result.map(change) } : page
  }

/** The kinds of assets that one request for today's portfolio names: coins, or fungible tokens, or those of collections. */
export interface PortfolioPart {
  readonly [name: string]: string
  readonly tokenTypes: string
}

/** The requests that a portfolio of these kinds takes. */
export const portfolioParts = (
  kinds: ReadonlyArray<string>
): readonly [PortfolioPart, ...ReadonlyArray<PortfolioPart>] => {
  const items = kinds.filter((kind) => kind === "nft" || kind === "multitoken")
  const [first = joined(kinds), ...more] = [
    ...["native", "fungible"].filter((kind) => kinds.includes(kind)),
    ...(items.length === 0 ? [] : [joined(items)])
  ]
  return [{ tokenTypes: first }, ...more.map((tokenTypes) => ({ tokenTypes }))]
}

/** The kinds that a request names. */
export const kindsOf = ({ tokenTypes }: PortfolioPart): ReadonlyArray<string> => tokenTypes.split(",")
