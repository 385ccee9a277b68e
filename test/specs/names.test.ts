/** Every query parameter and field that the descriptions have, given to our calls under its name in ours. */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { make } from "../../src/transport/Client.js"
import type { Call, TransportService } from "../../src/wire/Transport.js"
import { isJson, describe as open } from "./descriptions.js"
import { rest, unexplained } from "./families.js"
import { fieldsOf, isListKind } from "./requests.js"
import { needed, valueFor } from "./samples.js"
import { matched, memberOf, walk } from "./tables.js"

const camelCase = (name: string): string =>
  name.replace(/[-_](.)/g, (_, letter: string) => letter.toUpperCase())

const undotted = (name: string): string => camelCase(name.replaceAll(".", "_"))

const isCall = (value: unknown): value is (input: object) => Effect.Effect<unknown, unknown> =>
  typeof value === "function"

describe("names by the chains' own descriptions", () => {
  for (const each of rest.filter(({ positional }) => !positional)) {
    const { dotted = false, endpoints, family, files, names = [], uncased = false, written } = each
    it(`${family}: names and lists go out as described`, () => {
      const camel = uncased ? (name: string) => name : dotted ? undotted : camelCase
      let last: Call<unknown> | undefined
      const transport: TransportService = {
        send: (call) => {
          last = call
          return Effect.never
        },
        nodeUrl: () => Effect.die("nobody asks for it")
      }
      const client = make(endpoints, transport, { archive: false, batchArchive: false })
      const problems: Array<string> = []
      let checked = 0
      for (const file of files) {
        const description = open(file)
        for (const route of walk(endpoints).routes) {
          const [operation] = matched(route, description.operations, written)
          const method = memberOf(client, route.name)
          if (operation === undefined || !isCall(method)) continue
          const { payload, verbatim = false } = route.spec
          const always = needed(route)
          const ask = (input: object): Call<unknown> | undefined => {
            last = undefined
            Effect.runFork(method({ ...always, ...input }))
            return last
          }
          for (const { commas, in: place, kind, name } of operation.parameters) {
            if (place !== "query") continue
            const list = isListKind(kind, description)
            const value = valueFor(route, camel(name))
            const call = ask({ [camel(name)]: list ? [value, value] : value })
            const query = new URLSearchParams(call?.path.split("?")[1])
            const wanted = list ? (commas ? [`${value},${value}`] : [value, value]) : [value]
            checked++
            if (JSON.stringify(query.getAll(name)) !== JSON.stringify(wanted))
              problems.push(`${route.name}: query ${name} is ?${query}`)
          }
          const body = operation.bodies?.["application/json"]
          const fields =
            payload === undefined && body !== undefined ? fieldsOf(body, description.follow) : undefined
          for (const name of fields?.keys() ?? []) {
            const own = verbatim ? name : camel(name)
            const call = ask(Object.hasOwn(always, own) ? {} : { [own]: valueFor(route, own) })
            const sent: unknown = typeof call?.body === "string" ? JSON.parse(call.body) : undefined
            checked++
            if (!isJson(sent) || !(name in sent))
              problems.push(`${route.name}: body ${name} is ${JSON.stringify(sent)}`)
          }
        }
      }
      expect(unexplained(problems, names)).toEqual([])
      expect(checked).toBeGreaterThan(5)
    })
  }
})
