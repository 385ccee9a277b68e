/** The requests of our calls, checked by the chains' own descriptions. */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { make } from "../../src/transport/Client.js"
import type { Call, TransportService } from "../../src/wire/Transport.js"
import { type Description, isJson, describe as open } from "./descriptions.js"
import { type Described, rest, rpc, unexplained } from "./families.js"
import { paramsProblems, requestProblems } from "./requests.js"
import { oneOfEach, type Sample, samplesOf } from "./samples.js"
import { matched, memberOf, methodNames, pathOf, walk } from "./tables.js"

const isCall = (
  value: unknown
): value is (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown> =>
  typeof value === "function"

type Asked = readonly [name: string, call: Call<unknown>]

/** Calls as they go on the wire. */
const sentBy = (endpoints: object, samples: ReadonlyArray<Sample>): ReadonlyArray<Asked> => {
  let last: Call<unknown> | undefined
  const transport: TransportService = {
    send: (call) => {
      last = call
      return Effect.never
    },
    nodeUrl: () => Effect.die("nobody asks for it")
  }
  const client = make(endpoints, transport, { archive: false, batchArchive: false })
  const calls: Array<Asked> = []
  for (const [name, args] of samples) {
    const method = memberOf(client, name)
    if (!isCall(method)) continue
    last = undefined
    Effect.runFork(method(...args))
    if (last !== undefined) calls.push([name, last])
  }
  return calls
}

/** The values of the names in a template, in a path that was made from it. */
const valuesOf = (template: string, path: string): ReadonlyMap<string, string> => {
  const parts = path.split("/")
  // a value with slashes of its own stands in none of their segments
  if (parts.length !== template.split("/").length) return new Map()
  return new Map(
    template
      .split("/")
      .flatMap((segment, i) =>
        segment.startsWith("{") ? [[segment, decodeURIComponent(parts[i] ?? "")] as const] : []
      )
  )
}

/** What is wrong with each call, and how many could be looked at. */
const problemsOf = (
  { endpoints, files, written = (path) => path }: Described,
  calls: ReadonlyArray<Asked>
) => {
  const routes = walk(endpoints).routes
  const problems: Array<string> = []
  let checked = 0
  for (const file of files) {
    const description = open(file)
    for (const [name, call] of calls) {
      const route = routes.find((each) => each.name === name)
      const [operation] = route === undefined ? [] : matched(route, description.operations, written)
      if (route === undefined || operation === undefined) continue
      const [path = "", query = ""] = call.path.split("?")
      const values = valuesOf(pathOf(route), path)
      const ours = written(pathOf(route)).split("/")
      const theirs = operation.path.split("/").flatMap((segment, i) => {
        const own = ours[i] ?? ""
        const value = own.startsWith("{") ? values.get(own) : own
        return segment.startsWith("{") && value !== undefined ? [[segment.slice(1, -1), value] as const] : []
      })
      checked++
      const sent = {
        path: new Map(theirs),
        query: new URLSearchParams(query),
        headers: call.headers ?? {},
        body: call.body
      }
      problems.push(...requestProblems(operation, sent, description).map((problem) => `${name}: ${problem}`))
    }
  }
  return { problems, checked }
}

describe("requests by the chains' own descriptions", () => {
  for (const described of rest) {
    it(`${described.family}: recorded calls send what is described`, () => {
      const vectors = samplesOf(described)
      const samples = vectors.length > 0 ? vectors : [...oneOfEach(described)]
      const { checked, problems } = problemsOf(described, sentBy(described.endpoints, samples))
      expect(unexplained(problems, described.requests ?? [])).toEqual([])
      expect(checked).toBeGreaterThan(10)
    })

    const { samples = [] } = described
    if (samples.length === 0) continue
    it(`${described.family}: calls where the recorded ones are none of the chain's`, () => {
      const { checked, problems } = problemsOf(described, sentBy(described.endpoints, samples))
      expect(problems).toEqual([])
      expect(checked).toBe(samples.length)
    })
  }
})

/** The parameters of a method; Tendermint's are those of its REST form. */
const described = ({ methods, operations }: Description, name: string) =>
  methods.find((each) => each.name === name) ??
  operations
    .filter(({ path }) => path === `/${name}`)
    .map(({ parameters }) => ({ params: parameters.filter((each) => each.in === "query") }))[0]

describe("JSON-RPC calls by the chains' own descriptions", () => {
  for (const family of rpc) {
    it(`${family.family}: parameters are as described`, () => {
      const problems: Array<string> = []
      let checked = 0
      for (const file of family.files) {
        const description = open(file)
        // the vectors have calls of the reference SDK's families alone
        const vectors = samplesOf(family)
        const samples = vectors.length > 0 ? vectors : [...oneOfEach(family)]
        for (const [, call] of sentBy(family.endpoints, samples)) {
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
        expect(methodNames(description).length).toBeGreaterThan(0)
      }
      expect(unexplained(problems, family.requests ?? [])).toEqual([])
      expect(checked).toBeGreaterThan(10)
    })
  }
})
