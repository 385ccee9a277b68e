/** The methods of the declared routes of today's data API, and their streams. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { idOfChain } from "../../data/dataRoutes.js"
import { type GatewayCallError, InvalidArgument, NotSupportedForNetwork } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { chainOfRoute, networksOfRoute, type V4Route } from "../../data/v4Routes.js"
import type { GatewayService } from "../Gateway.js"
import type { DataError } from "./dataAnswers.js"
import {
  type AnyEndpoint,
  type EndpointMethods,
  endpoints,
  type Fields,
  type PagedEndpoint,
  type StreamEndpoint
} from "./dataEndpoints.js"
import { Index, PageSize, queryStruct, streamFields, toWireQuery } from "./dataInput.js"
import { streamByOffset } from "./offsets.js"
import { makeAnswerReader, makeInputCheck } from "./schema.js"

/** A question, as its schema has let it through. */
type Query = Readonly<Record<string, unknown>>

/** A table of declarations, or a group of it. */
type EndpointTable = {
  readonly [name: string]: AnyEndpoint | StreamEndpoint<Fields, unknown> | EndpointTable
}

const isTable = (entry: EndpointTable[string]): entry is EndpointTable => typeof entry.form !== "string"

const UnknownRecord = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/** Requests that one question leads to, and that run at a time. */
const MAX_CONCURRENT = 3

/** The pages of streams, unless the caller wants others. */
const DEFAULT_STREAM_PAGE_SIZE = 50

/** The query with the provider's name for its chain. The error for a chain that the route does not serve names those that it serves. */
const withProviderChain = (route: V4Route, query: Query): Effect.Effect<Query, NotSupportedForNetwork> => {
  if (typeof query.chain !== "string") return Effect.succeed(query)
  const chain = chainOfRoute(route, query.chain)
  return chain === undefined
    ? Effect.fail(
        new NotSupportedForNetwork({
          feature: "data",
          network: query.chain,
          networks: networksOfRoute(route)
        })
      )
    : Effect.succeed({ ...query, chain })
}

/** The network that a question on the wire is about. */
const networkOfQuery = ({ chain }: Query): string | undefined =>
  typeof chain === "string" ? idOfChain(chain) : undefined

/** The fields of a query that a url can contain. Only a page's offset of zero is left out. */
const toUrlQuery = (query: Query): Query =>
  // the schemas of declarations only have text, numbers and lists of text
  toWireQuery(
    query as Parameters<typeof toWireQuery>[0],
    Object.keys(query).filter((name) => name !== "offset")
  )

/** Splits a query with too many addresses into several. */
const splitAddresses = (
  { most = Number.POSITIVE_INFINITY, mostOn = {} }: V4Route,
  query: Query
): ReadonlyArray<Query> => {
  const { addresses, chain } = query
  const size = mostOn[String(chain)] ?? most
  const all = typeof addresses === "string" ? addresses.split(",") : addresses
  if (!Array.isArray(all) || all.length <= size) return [query]
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => ({
    ...query,
    addresses: all.slice(i * size, (i + 1) * size)
  }))
}

const send = (
  gateway: GatewayService,
  { exact = false, route }: AnyEndpoint,
  query: unknown
): Effect.Effect<unknown, GatewayCallError> =>
  gateway.request({
    method: route.isPost === true ? "POST" : "GET",
    path: route.v4,
    // only this version has these routes
    version: "V4",
    exact,
    ...(route.isPost === true ? { body: query } : isRecord(query) ? { query: toUrlQuery(query) } : {})
  })

/** Finds the rows of a list: bare, or in a page under one of the names of the description. */
const rowsOf = (said: unknown): unknown => (isRecord(said) ? (said.result ?? said.data) : said)

const Rows = Schema.Array(Schema.Unknown).pipe(Schema.annotations({ message: () => "must be a list" }))

type Callable = (given: unknown) => unknown

/** Checks what a schema cannot. */
const withProblemCheck =
  <A extends Query>(
    call: string,
    { problem = () => undefined }: AnyEndpoint,
    check: (given: unknown) => Effect.Effect<A, InvalidArgument>
  ) =>
  (given: unknown): Effect.Effect<A, InvalidArgument> =>
    Effect.flatMap(check(given), (query) => {
      const reason = problem(query)
      return reason === undefined ? Effect.succeed(query) : Effect.fail(new InvalidArgument({ call, reason }))
    })

/** The rows of a list, in as many requests as their question takes. */
const makeRowsReader = (gateway: GatewayService, endpoint: AnyEndpoint, call: string) => {
  const { read, route } = endpoint
  const readRows = makeAnswerReader(call, Rows)
  return (query: Query): Effect.Effect<ReadonlyArray<unknown>, DataError> =>
    Effect.flatMap(withProviderChain(route, query), (question) =>
      Effect.map(
        Effect.forEach(
          splitAddresses(route, question),
          (part) => Effect.flatMap(send(gateway, endpoint, part), (said) => readRows(rowsOf(said))),
          { concurrency: MAX_CONCURRENT }
        ),
        (pages) => pages.flat().map((row) => read(row, networkOfQuery(question)))
      )
    )
}

const pageFields = { pageSize: Schema.optional(PageSize), offset: Schema.optional(Index) }

/** The method of a declaration. */
const makeMethod = (gateway: GatewayService, endpoint: AnyEndpoint, call: string): Callable => {
  const { fields, read, route } = endpoint
  switch (endpoint.form) {
    case "one": {
      const check = withProblemCheck<Query>(call, endpoint, makeInputCheck(call, queryStruct(fields)))
      const readOne = makeAnswerReader(call, UnknownRecord)
      return (given) =>
        Effect.flatMap(check(given), (query) =>
          Effect.flatMap(withProviderChain(route, query), (question) =>
            Effect.map(Effect.flatMap(send(gateway, endpoint, question), readOne), (said) =>
              read(said, networkOfQuery(question))
            )
          )
        )
    }
    case "batch": {
      const { idOf } = endpoint
      const check = makeInputCheck(call, Schema.NonEmptyArray(queryStruct(fields)))
      const readRows = makeAnswerReader(call, Rows)
      return (given) =>
        Effect.flatMap(check(given), (queries) =>
          Effect.flatMap(
            Effect.forEach(queries, (query: Query) =>
              withProviderChain(route, { batchId: idOf(query), ...query })
            ),
            (questions) =>
              Effect.map(
                Effect.flatMap(send(gateway, endpoint, questions), (said) => readRows(rowsOf(said))),
                (found) => found.map((row) => read(row, undefined))
              )
          )
        )
    }
    default: {
      const taken = endpoint.form === "pages" ? { ...fields, ...pageFields } : fields
      const check = withProblemCheck<Query>(call, endpoint, makeInputCheck(call, queryStruct(taken)))
      const rows = makeRowsReader(gateway, endpoint, call)
      return (given) => Effect.flatMap(check(given), rows)
    }
  }
}

/** The stream of a list in pages. */
const makeStream = (
  gateway: GatewayService,
  endpoint: PagedEndpoint<Fields, unknown>,
  call: string
): Callable => {
  const check = makeInputCheck(call, queryStruct(streamFields))
  const checkQuery = withProblemCheck<Query>(
    call,
    endpoint,
    makeInputCheck(call, queryStruct(endpoint.fields))
  )
  const rows = makeRowsReader(gateway, endpoint, call)
  return (given) =>
    Stream.unwrap(
      Effect.zipWith(
        check(given),
        checkQuery(given),
        ({ limit, pageSize = DEFAULT_STREAM_PAGE_SIZE }, query) =>
          streamByOffset({ pageSize, limit, fetch: (offset) => rows({ ...query, pageSize, offset }) })
      )
    )
}

const makeGroup = (gateway: GatewayService, table: EndpointTable, path: string): object =>
  Object.fromEntries(
    Object.entries(table).map(([name, entry]): readonly [string, unknown] => {
      const call = `${path}.${name}`
      if (isTable(entry)) return [name, makeGroup(gateway, entry, call)]
      return [
        name,
        entry.form === "stream" ? makeStream(gateway, entry.pages, call) : makeMethod(gateway, entry, call)
      ]
    })
  )

/** All methods of the declared routes, in their groups. */
export const makeDataMethods = (gateway: GatewayService): EndpointMethods =>
  // each method follows its declaration, which the type expresses and the compiler cannot check
  makeGroup(gateway, endpoints, "data") as EndpointMethods
