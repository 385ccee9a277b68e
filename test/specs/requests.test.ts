/** What our calls put on the wire, checked by the chains' own descriptions. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { make } from "../../src/Client.js"
import * as Network from "../../src/Network.js"
import type { Call, TransportService } from "../../src/Transport.js"
import { type CallVector, decode, load } from "../conformance/vectors.js"
import { type Description, isJson, describe as open, present } from "./descriptions.js"
import { type Described, rest, rpc, unexplained } from "./families.js"
import { paramsProblems, requestProblems } from "./requests.js"
import { matched, methodNames, pathOf, walk } from "./tables.js"

const vectors = load([join(import.meta.dirname, "../conformance/vectors/rpc.json")]).filter(
  (vector): vector is CallVector => vector.kind === "call" && vector.target.startsWith("rpc.")
)

const isCall = (
  value: unknown
): value is (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown> =>
  typeof value === "function"

/** The calls of the vectors that are this family's, each as it was put on the wire. */
const callsOf = async ({
  endpoints,
  ids,
  place = ""
}: Described): Promise<ReadonlyArray<readonly [name: string, call: Call<unknown>]>> => {
  let last: Call<unknown> | undefined
  const transport: TransportService = {
    send: (call) => {
      last = call
      return Effect.never
    },
    nodeUrl: () => Effect.die("nobody asks for it")
  }
  const client = make(endpoints, transport, { archive: false, batchArchive: false })
  const calls: Array<readonly [string, Call<unknown>]> = []
  for (const vector of vectors) {
    if (!Network.isNetwork(vector.network) || !ids.includes(Network.info(vector.network).family)) continue
    const name = vector.target.slice("rpc.".length)
    if (!name.startsWith(place)) continue
    const own = name.slice(place.length)
    const method = own
      .split(".")
      .reduce<unknown>(
        (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
        client
      )
    if (!isCall(method)) continue
    last = undefined
    Effect.runFork(method(...vector.args.map(decode)))
    if (last !== undefined) calls.push([own, last])
  }
  return calls
}

/** The values of the names in a template, in a path that was made from it. */
const valuesOf = (template: string, path: string): ReadonlyMap<string, string> => {
  const parts = path.split("/")
  return new Map(
    template
      .split("/")
      .flatMap((segment, i) =>
        segment.startsWith("{") ? [[segment, decodeURIComponent(parts[i] ?? "")] as const] : []
      )
  )
}

describe.runIf(present)("requests by the chains' own descriptions", () => {
  for (const described of rest) {
    it(`${described.family}: requests are as described`, async () => {
      const { endpoints, files, written = (path: string) => path } = described
      const routes = walk(endpoints).routes
      const problems: Array<string> = []
      let checked = 0
      for (const file of files) {
        const description = open(file)
        for (const [name, call] of await callsOf(described)) {
          const route = routes.find((each) => each.name === name)
          const [operation] = route === undefined ? [] : matched(route, description.operations, written)
          if (route === undefined || operation === undefined) continue
          const [path = "", query = ""] = call.path.split("?")
          const values = valuesOf(pathOf(route), path)
          const ours = written(pathOf(route)).split("/")
          const theirs = operation.path.split("/").flatMap((segment, i) => {
            const value = segment.startsWith("{") ? (values.get(ours[i] ?? "") ?? ours[i]) : undefined
            return value === undefined ? [] : [[segment.slice(1, -1), value] as const]
          })
          checked++
          const sent = {
            path: new Map(theirs),
            query: new URLSearchParams(query),
            headers: call.headers ?? {},
            body: call.body
          }
          problems.push(
            ...requestProblems(operation, sent, description).map((problem) => `${name}: ${problem}`)
          )
        }
      }
      expect(unexplained(problems, described.requests ?? [])).toEqual([])
      expect(checked).toBeGreaterThan(10)
    })
  }
})

/** The parameters of a method; Tendermint's are those of its REST form. */
const described = ({ methods, operations }: Description, name: string) =>
  methods.find((each) => each.name === name) ??
  operations
    .filter(({ path }) => path === `/${name}`)
    .map(({ parameters }) => ({ params: parameters.filter((each) => each.in === "query") }))[0]

describe.runIf(present)("JSON-RPC calls by the chains' own descriptions", () => {
  for (const family of rpc) {
    it(`${family.family}: parameters are as described`, async () => {
      const problems: Array<string> = []
      let checked = 0
      for (const file of family.files) {
        const description = open(file)
        for (const [, call] of await callsOf(family)) {
          const body: unknown = JSON.parse(String(call.body))
          if (!isJson(body)) throw new Error("a call that is no object")
          const method = described(description, String(body.method))
          if (method === undefined) continue
          checked++
          problems.push(
            ...paramsProblems(method, body.params, description.problem).map(
              (problem) => `${String(body.method)}: ${problem}`
            )
          )
        }
        expect(methodNames(description).length).toBeGreaterThan(10)
      }
      expect(unexplained(problems, family.requests ?? [])).toEqual([])
      expect(checked).toBeGreaterThan(10)
    })
  }
})
