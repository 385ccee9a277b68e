/** Walks endpoint tables. */

import { type Dialect, dialectOf, type RestSpec, type RpcSpec, specOf } from "../../src/data/Endpoint.js"
import { type Description, isJson, type Operation } from "./descriptions.js"

export interface Declared<S> {
  /** Where it stands in the table: `v1.getGenesis`. */
  readonly name: string
  readonly spec: S
  readonly dialect: Dialect
}

export interface Table {
  readonly routes: ReadonlyArray<Declared<RestSpec>>
  readonly methods: ReadonlyArray<Declared<RpcSpec>>
}

/** Every endpoint of a table with the dialect that it has there. */
export const walk = (endpoints: object, outer: Dialect = {}, path = ""): Table => {
  const dialect = { ...outer, ...dialectOf(endpoints) }
  const routes: Array<Declared<RestSpec>> = []
  const methods: Array<Declared<RpcSpec>> = []
  for (const [key, value] of Object.entries(endpoints)) {
    const spec = specOf(value)
    const name = `${path}${key}`
    if (spec === undefined) {
      const inner = walk(value, dialect, `${name}.`)
      routes.push(...inner.routes)
      methods.push(...inner.methods)
    } else {
      const own = spec.dialect === undefined ? dialect : { ...outer, ...spec.dialect }
      if (spec.kind === "rpc") methods.push({ name, spec, dialect: own })
      else routes.push({ name, spec, dialect: own })
    }
  }
  return { routes, methods }
}

/** The path of a route without its query, behind its group's prefix. */
export const pathOf = ({ dialect, spec }: Declared<RestSpec>): string =>
  `${dialect.prefix ?? ""}${spec.template}`.replace(/\{\?[^}]*\}/g, "").replaceAll("{+", "{")

const isName = (segment: string): boolean => /^\{.*\}$/.test(segment)

/** Whether two path templates are the same route: names may differ, and ours may have a value where theirs has a name. */
export const sameRoute = (ours: string, theirs: string): "same" | "fixed" | undefined => {
  const [one, other] = [ours.split("/"), theirs.split("/")]
  if (one.length !== other.length) return undefined
  let fixed = false
  for (const [i, segment] of one.entries()) {
    const their = other[i] ?? ""
    if (isName(segment) ? isName(their) : segment === their) continue
    if (isName(segment) || !isName(their)) return undefined
    fixed = true
  }
  return fixed ? "fixed" : "same"
}

/** The operations that a route is: those of the same template or, failing that, those that it is a case of. */
export const matched = (
  route: Declared<RestSpec>,
  operations: ReadonlyArray<Operation>,
  written: (path: string) => string = (path) => path
): ReadonlyArray<Operation> => {
  const path = written(pathOf(route))
  const all = operations
    .filter(({ verb }) => verb === route.spec.verb)
    .map((operation) => ({ operation, how: sameRoute(path, operation.path) }))
  const same = all.filter(({ how }) => how === "same")
  return (same.length > 0 ? same : all.filter(({ how }) => how === "fixed")).map(({ operation }) => operation)
}

/** The names of the methods that a description has; Tendermint's are the paths of its REST form. */
export const methodNames = ({ methods, operations }: Description): ReadonlyArray<string> =>
  methods.length > 0 ? methods.map(({ name }) => name) : operations.map(({ path }) => path.slice(1))

/** What stands at a dotted name of a client. */
export const memberOf = (client: object, name: string): unknown =>
  name
    .split(".")
    .reduce<unknown>(
      (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
      client
    )

/** A read number is the number of the text, be it a bigint; a quantity is the hexadecimal text. */
export const same = (read: unknown, wire: unknown): boolean => {
  if (typeof read === "bigint") {
    return typeof wire === "number"
      ? String(read) === String(wire)
      : typeof wire === "string" && /^0x/.test(wire) && read === BigInt(wire)
  }
  if (Array.isArray(read))
    return Array.isArray(wire) && read.length === wire.length && read.every((each, i) => same(each, wire[i]))
  if (isJson(read)) {
    return (
      isJson(wire) &&
      Object.keys(read).length === Object.keys(wire).length &&
      Object.entries(read).every(([name, each]) => same(each, wire[name]))
    )
  }
  return Object.is(read, wire)
}

/** A record with the lists that its type promises: what a node leaves out is empty. */
export const withLists = (record: unknown, lists: ReadonlyArray<string> = []): unknown =>
  isJson(record)
    ? {
        ...Object.fromEntries(lists.filter((path) => /^\w+$/.test(path)).map((path) => [path, []])),
        ...record
      }
    : record
