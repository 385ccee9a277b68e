/** Calls that can be made: those of the vectors, and those of the sandbox's recordings beside them. */

import { join } from "node:path"
import { checkArgumentBytes, findProblem } from "../../src/data/bytes.js"
import type { RestSpec } from "../../src/data/Endpoint.js"
import * as Network from "../../src/data/Network.js"
import { type CallVector, decode, load } from "../conformance/vectors.js"
import { more } from "../sandbox/recordedCalls.js"
import type { Described } from "./families.js"
import type { Declared } from "./tables.js"

const vectors = load([join(import.meta.dirname, "../conformance/vectors/rpc.json")]).filter(
  (vector): vector is CallVector => vector.kind === "call" && vector.target.startsWith("rpc.")
)

/** A table, at its place in the clients of the networks' families. */
interface Placed extends Pick<Described, "place"> {
  readonly ids: ReadonlyArray<string>
}

export type Sample = readonly [name: string, args: ReadonlyArray<unknown>]

/** The calls of the vectors that are this family's. */
export const samplesOf = ({ ids, place = "" }: Placed): ReadonlyArray<Sample> =>
  vectors.flatMap(({ args, network, target }) => {
    const name = target.slice("rpc.".length)
    return Network.isNetwork(network) && ids.includes(Network.info(network).family) && name.startsWith(place)
      ? [[name.slice(place.length), args.map(decode)] as const]
      : []
  })

/** A call of each method, as far as there is one. */
export const oneOfEach = (
  described: Placed & Pick<Described, "samples">
): ReadonlyMap<string, ReadonlyArray<unknown>> =>
  new Map(
    [
      ...(described.samples ?? []),
      ...samplesOf(described),
      ...described.ids.flatMap((id) => Object.entries(more).find(([family]) => family === id)?.[1] ?? [])
    ].reverse()
  )

/** Texts of bytes of many lengths, and what names something else. */
const texts = [
  "1",
  ...[32, 34, 38, 4, 20, 28, 33, 48, 64, 96].flatMap((size) => ["11".repeat(size), `0x${"11".repeat(size)}`]),
  "A".repeat(43),
  "AAAA",
  `${"A".repeat(43)}=`
]

/** A text that a route takes under this name. */
export const valueFor = ({ dialect, spec }: Declared<RestSpec>, name: string): string => {
  const { bytes: named } = dialect
  const takes = (value: unknown): boolean =>
    findProblem(() => {
      const [input] = checkArgumentBytes(spec.bytes ?? {}, [{ [name]: value }])
      return named?.(input, "", [])
    }) === undefined
  const alone = texts.filter(takes)
  // a form of lists takes any text in the place of one
  return alone.find((text) => takes([text])) ?? alone[0] ?? "1"
}

/** What no call of a route goes without: the names in its path, its bytes, and a body that is no JSON. */
export const needed = (route: Declared<RestSpec>): Readonly<Record<string, string>> => {
  const { bytes = {}, payload, template } = route.spec
  const names = [...template.matchAll(/\{\+?([^}?]*)\}/g)].map(([, name = ""]) => name)
  return Object.fromEntries([
    ...[...names, ...Object.keys(bytes)].map((name) => [name, valueFor(route, name)]),
    ...(payload?._tag === "bytes" ? [[payload.name, "AA=="]] : [])
  ])
}
