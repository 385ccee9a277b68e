/** Requests and answers of cardano-rosetta-java. */
import type * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Cardano.js"
import { makeWire, runError, runValue } from "../chains/wire.js"
import { readFixtures } from "./fixtures.js"

const read = (body: unknown): unknown => JSON.parse(String(body))

/** Requests and answers of cardano-rosetta-java (Apache-2.0). They are not part of this repository. */
interface Recorded {
  readonly file: string
  readonly path: string
  readonly request: Readonly<Record<string, unknown>>
  readonly response?: unknown
  readonly error?: Readonly<Record<string, unknown>>
}

const recorded: ReadonlyArray<Recorded> = readFixtures("rosetta").map(({ file, text }) => {
  const { endpoint, expected_error, expected_response, request_body } = JSON.parse(text)
  const construction = /\/construction\/[a-z]+(?=\/)/.exec(`/${file}`)?.[0]
  return {
    file: file.replace(/^.*rosetta_java\//, ""),
    path: endpoint ?? construction,
    request: request_body,
    response: expected_response,
    error: expected_error
  }
})

const methods = new Map(
  Object.entries(endpoints).flatMap(([name, { spec }]) =>
    spec.kind === "rest" ? [[spec.template, name] as const] : []
  )
)

const isCall = (member: unknown): member is (input: object) => Effect.Effect<unknown, Error> =>
  typeof member === "function"

/** The input that a recorded request stands for: its own fields in camelCase, what is in them as it was sent. */
const inputOf = (request: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(request).map(([name, item]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      item
    ])
  )

/** The same with numbers for bigints, as JSON has them. */
const plain = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (_, item: unknown) => (typeof item === "bigint" ? Number(item) : item)))

describe("what cardano-rosetta-java recorded", () => {
  it("is there in number, for most of the routes", () => {
    expect(recorded.length).toBeGreaterThan(200)
    expect(new Set(recorded.map(({ path }) => path)).size).toBeGreaterThanOrEqual(11)
  })

  it.each(recorded)("$file", async (pair) => {
    const { answers, client, sent } = makeWire(endpoints)
    const member: unknown = Reflect.get(client, methods.get(pair.path) ?? "")
    if (!isCall(member)) throw new Error(`no method for ${pair.path}`)
    const call = member(inputOf(pair.request))
    if (pair.error === undefined) {
      answers(pair.response ?? {})
      expect(plain(await runValue(call))).toEqual(pair.response ?? {})
    } else {
      answers({ retriable: false, ...pair.error }, 500)
      const said = await runError(call)
      // what cannot be bytes is refused here, as it was there
      const [, text] = /must be bytes: .*; it is "(.*)"$/.exec(said.message) ?? []
      if (text !== undefined) {
        expect(said).toMatchObject({ _tag: "InvalidArgument" })
        expect(text).not.toMatch(/^([0-9a-f]{2})*$/i)
        return
      }
      expect(said).toMatchObject({ _tag: "RequestRejected", status: 500 })
      expect(said.message).toContain(String(pair.error.message))
    }
    expect(sent().slice(0, 2)).toEqual(["POST", pair.path])
    expect(read(sent()[2])).toEqual(pair.request)
  })
})
