/**
 * Clients of endpoint tables: an object of functions over a transport. `compileRpc.ts` and `compileRest.ts` compile the rows of a table,
 * `rawRpc.ts` has the raw calls, `ClientTypes.ts` the types.
 *
 * @since 0.1.0
 */
import { type Dialect, dialectOf, type Spec, specOf } from "../data/Endpoint.js"
import type { NetworkInfo } from "../data/Network.js"
import type { TransportService } from "../wire/Transport.js"
import type { Client, MakeCalls, Routing } from "./ClientTypes.js"
import { compileRest } from "./compileRest.js"
import { compileRpc } from "./compileRpc.js"
import type { EndpointFunction } from "./endpointFunction.js"
import { makeRawRpc } from "./rawRpc.js"

export type * from "./ClientTypes.js"
export { makeRawRpc } from "./rawRpc.js"

/**
 * How calls are routed on a network.
 *
 * @since 0.1.0
 * @category getters
 */
export const routingOf = (info: NetworkInfo): Routing => ({
  archive: info.archive === true,
  batchArchive: info.loadBalanced === true
})

/** Marks a function with its effect, and with whether its answer is the block height. */
const withMarks = (send: EndpointFunction, spec: Spec): EndpointFunction =>
  Object.assign(
    send,
    spec.repeat === "read" ? undefined : { repeat: spec.repeat },
    spec.kind === "rpc" && spec.height === true ? { height: true } : undefined
  )

/** Compiles the rows of a table. Rows for which `compile` yields undefined, and groups without `compileGroup`, are left out. */
const compileTable = (
  endpoints: object,
  outer: Dialect,
  compile: (spec: Spec, dialect: Dialect) => EndpointFunction | undefined,
  compileGroup?: (group: object, dialect: Dialect) => object
): object => {
  const dialect = { ...outer, ...dialectOf(endpoints) }
  const members = Object.entries(endpoints).flatMap(
    ([name, value]): ReadonlyArray<readonly [string, object]> => {
      const spec = specOf(value)
      if (spec === undefined) return compileGroup === undefined ? [] : [[name, compileGroup(value, dialect)]]
      // an endpoint of a merged table has the dialect of its own table
      const compiled = compile(spec, spec.dialect === undefined ? dialect : { ...outer, ...spec.dialect })
      return compiled === undefined ? [] : [[name, withMarks(compiled, spec)]]
    }
  )
  return Object.fromEntries(members)
}

/**
 * Makes the client of a table. Every endpoint is compiled once, before the first call.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <G extends object>(
  endpoints: G,
  transport: TransportService,
  routing: Routing,
  outer: Dialect = {}
): Client<G> =>
  // the members follow the table by construction, which a mapped type cannot express for Object.fromEntries
  compileTable(
    endpoints,
    outer,
    (spec, dialect) =>
      spec.kind === "rpc"
        ? compileRpc(spec, dialect, routing, transport)
        : compileRest(spec, dialect, transport),
    (group, dialect) => make(group, transport, routing, dialect)
  ) as Client<G>

/**
 * Makes the client of a table's JSON-RPC methods, without REST routes and groups. Clients of picked endpoints need no more, and a bundle with
 * this function alone does not have the rest.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeRpc = <G extends object>(
  endpoints: G,
  transport: TransportService,
  routing: Routing
): Client<G> =>
  // the members follow the table by construction, which a mapped type cannot express for Object.fromEntries
  compileTable(endpoints, dialectOf(endpoints), (spec, dialect) =>
    spec.kind === "rpc" ? compileRpc(spec, dialect, routing, transport) : undefined
  ) as Client<G>

/**
 * Makes the factory of clients over a transport, with raw calls beside their tables.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFactory =
  (transport: TransportService, routing: Routing): MakeCalls =>
  (endpoints) => ({
    ...make(endpoints, transport, routing),
    ...makeRawRpc(endpoints, transport, routing)
  })
