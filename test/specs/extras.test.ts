/** Unknown arguments and fields are on the wire or refused, and never dropped: every call of the vectors, with one more. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { loadFamily } from "../../src/client/Sdk.js"
import * as Network from "../../src/data/Network.js"
import { make } from "../../src/transport/Client.js"
import type { Call, TransportService } from "../../src/wire/Transport.js"
import { type CallVector, decode, load } from "../conformance/vectors.js"
import { memberOf } from "./tables.js"

const vectors = load([join(import.meta.dirname, "../conformance/vectors/rpc.json")]).filter(
  (vector): vector is CallVector => vector.kind === "call" && vector.target.startsWith("rpc.")
)

const isCall = (
  value: unknown
): value is (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, { readonly _tag: string }> =>
  typeof value === "function"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** What nobody has in a chain, as a name and as a value. */
const MARK = "zzmarkzz"

const hasMark = ({ body, headers, path }: Call<unknown>): boolean =>
  `${typeof body === "string" ? body : ""} ${path} ${JSON.stringify(headers ?? {})}`.includes(MARK)

/** Every endpoint of the vectors once for each number of arguments, with the family's table. */
const samples = () => {
  const found = new Map<string, CallVector>()
  for (const vector of vectors) {
    if (!Network.isNetwork(vector.network)) continue
    const { family } = Network.info(vector.network)
    const shapes = vector.args.map((arg) =>
      isRecord(decode(arg)) ? Object.keys(Object(decode(arg))).join() : "-"
    )
    found.set(`${family} ${vector.target} ${shapes.join("|")}`, vector)
  }
  return [...found.values()]
}

/** What becomes of a call: it is sent, with the mark or without, or refused. */
const outcomeOf = async (vector: CallVector, args: ReadonlyArray<unknown>) => {
  const { family } = Network.info(vector.network as Network.Network)
  const { endpoints } = await Effect.runPromise(loadFamily(family))
  let sent: Call<unknown> | undefined
  const transport: TransportService = {
    send: (call) => {
      sent = call
      return Effect.never
    },
    nodeUrl: () => Effect.die("nobody asks for it")
  }
  const method = memberOf(
    make(endpoints, transport, { archive: false, batchArchive: false }),
    vector.target.slice("rpc.".length)
  )
  if (!isCall(method)) return undefined
  const fiber = Effect.runFork(Effect.either(method(...args)))
  await new Promise((done) => setImmediate(done))
  if (sent !== undefined) return hasMark(sent) ? "sent" : "dropped"
  const refused = await Effect.runPromise(Effect.flatten(fiber.await))
  if (refused._tag !== "Left" || refused.left._tag !== "InvalidArgument")
    throw new Error(`${vector.target}: ${String(refused)}`)
  return "refused"
}

describe("what a method does not know", () => {
  it("is no argument that is lost", async () => {
    const dropped: Array<string> = []
    for (const vector of samples()) {
      const args = vector.args.map(decode)
      const outcome = await outcomeOf(vector, [...args, ...Array.from({ length: 12 }, () => MARK)])
      if (outcome === "dropped") dropped.push(`${vector.network} ${vector.target}(${args.length})`)
    }
    expect(dropped).toEqual([])
  })

  it("is no field that is lost", async () => {
    const dropped = new Set<string>()
    let tried = 0
    for (const vector of samples()) {
      const args = vector.args.map(decode)
      for (const [i, arg] of args.entries()) {
        if (!isRecord(arg)) continue
        tried++
        const outcome = await outcomeOf(vector, args.with(i, { ...arg, [MARK]: MARK }))
        if (outcome === "dropped")
          dropped.add(`${Network.info(vector.network as Network.Network).family} ${vector.target} [${i}]`)
      }
    }
    expect(tried).toBeGreaterThan(300)
    expect([...dropped]).toEqual([])
  })
})
