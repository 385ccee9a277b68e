/** Calls that can be made: those of the vectors, and those of the sandbox's recordings beside them. */

import { join } from "node:path"
import { type BytesForm, problemOf } from "../../src/data/bytes.js"
import type { RestSpec } from "../../src/data/Endpoint.js"
import * as Network from "../../src/data/Network.js"
import { type CallVector, decode, load } from "../conformance/vectors.js"
import { more } from "../sandbox/recordedCalls.js"
import type { Described } from "./families.js"

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

/** Bytes that a form takes. */
const bytesFor = (form: BytesForm): string =>
  ["11".repeat(32), `0x${"11".repeat(32)}`, "AAAA"].find(
    (text) => problemOf(() => form(text, "", [])) === undefined
  ) ?? "1"

/** What no call of a route goes without: the names in its path, and a body that is no JSON. */
export const needed = ({ bytes = {}, payload, template }: RestSpec): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...[...template.matchAll(/\{\+?([^}?]*)\}/g)].map(([, name]) => [name, "1"]),
    ...Object.entries(bytes).map(([name, form]) => [name, bytesFor(form)]),
    ...(payload?._tag === "bytes" ? [[payload.name, "AA=="]] : [])
  ])
