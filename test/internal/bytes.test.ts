/** Bytes as callers give them, at every place that takes some: what is none is refused, and never reaches a node. */
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { base58 } from "../../src/chains/internal/base58.js"
import { loadFamily } from "../../src/client/Sdk.js"
import { base64, hex, hex0x, InvalidBytes } from "../../src/data/bytes.js"
import { type Spec, specOf } from "../../src/data/Endpoint.js"
import { hexToBytes } from "../../src/data/hex.js"
import { type FamilyId, networks } from "../../src/data/Network.js"
import { make } from "../../src/transport/Client.js"

const families: ReadonlyArray<FamilyId> = [
  ...new Set(Object.values(networks).map(({ family }) => family))
].sort()

const encodings = [
  ["0x and digits", hex0x, /^0x([0-9a-fA-F]{2})*$/],
  ["digits", hex, /^([0-9a-f]{2})*$/i],
  ["Base64", base64, /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/],
  ["Base58", base58, /^[1-9A-HJ-NP-Za-km-z]*$/]
] as const

/** Text that looks like bytes, and text that is close to it. */
const text = fc.oneof(
  fc.string(),
  fc.hexaString({ maxLength: 70 }),
  fc.hexaString({ maxLength: 70 }).map((digits) => `0x${digits}`),
  fc.base64String({ maxLength: 90 }),
  fc.constantFrom("0x", "0x1", "0X12", "0xzz", " 0x12", "0x12 ", "0x 12", "١٢", "0x12\n")
)

describe.each(encodings)("bytes as %s", (_, form, shape) => {
  it("are taken as they are if they are any, and refused otherwise", () => {
    fc.assert(
      fc.property(text, (given) => {
        if (shape.test(given) && !given.includes("\n")) expect(form()(given, "args[0]", [])).toBe(given)
        else expect(() => form()(given, "args[0]", [])).toThrow(InvalidBytes)
      })
    )
  })

  it("are made of a Uint8Array, of the length that the type has", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 70 }),
        fc.integer({ min: 1, max: 70 }),
        (bytes, size) => {
          const made = form()(bytes, "args[0]", [])
          expect(made).toMatch(shape)
          expect(form()(made, "args[0]", [])).toBe(made)
          for (const given of [bytes, made])
            if (bytes.length === size) expect(form(size)(given, "args[0]", [])).toBe(made)
            else expect(() => form(size)(given, "args[0].data", [])).toThrow(/^args\[0\]\.data must be /)
        }
      )
    )
  })

  it.each([7, null, {}, [], ["0x12"], true, 12n, new ArrayBuffer(2)])("are nothing else (%#)", (given) => {
    expect(() => form()(given, "args[0]", [])).toThrow(InvalidBytes)
  })
})

it("hexadecimal digits are never read as other bytes", () => {
  for (const digits of ["1", "123", "zz", "0x12", "1 2 "]) expect(() => hexToBytes(digits)).toThrow("digits")
  expect(hexToBytes("00ff")).toEqual(Uint8Array.of(0, 255))
})

/** The endpoints of a table, with their clients. */
const walk = (
  table: object,
  client: object,
  path = ""
): ReadonlyArray<readonly [name: string, spec: Spec, call: (...args: ReadonlyArray<unknown>) => unknown]> =>
  Object.entries(table).flatMap(([name, each]) => {
    const spec = specOf(each)
    const member: unknown = Reflect.get(client, name)
    if (spec === undefined) return walk(each, Object(member), `${path}${name}.`)
    return typeof member === "function"
      ? [
          [
            `${path}${name}`,
            spec,
            (...args: ReadonlyArray<unknown>) => Reflect.apply(member, undefined, args)
          ] as const
        ]
      : []
  })

/** Text that is bytes in no encoding: `0xzz` is Base64. */
const wrong = ["0x123", "not bytes!", "é"]

describe.each(families)("the calls of %s", (family) => {
  const sent: Array<string> = []
  const members = Effect.runPromise(loadFamily(family)).then(({ endpoints }) =>
    walk(
      endpoints,
      make(
        endpoints,
        {
          send: (call) =>
            Effect.suspend(() => Effect.die(new Error(`${call.label} was sent: ${sent.push(call.label)}`))),
          nodeUrl: () => Effect.die("no url")
        },
        { archive: false, batchArchive: false }
      )
    )
  )

  it("refuse what is no bytes, with its place, and send nothing", async () => {
    for (const [name, spec, call] of await members)
      for (const key of Object.keys(spec.bytes ?? {}))
        for (const text of wrong) {
          const position = Number(key)
          const isPosition = !Number.isNaN(position)
          // the argument that chooses a method's name is not sent
          if (spec.kind === "rpc" && position >= (spec.dual?.argument ?? Number.POSITIVE_INFINITY)) continue
          // a request has bytes in its fields, a list in its items
          const shapes = isPosition
            ? [
                text,
                [text],
                [{ txid: text }],
                ...["data", "blockHash", "signature"].map((name) => ({ [name]: text })),
                { topics: [text] }
              ]
            : [text, [text], { hashes: [text] }, { state_init: text }].map((value) => ({ [key]: value }))
          const outcomes = await Promise.all(
            shapes.map((shape) => {
              const args = isPosition ? [...new Array<undefined>(position), shape] : [shape]
              const made = call(...args)
              return Effect.isEffect(made)
                ? Effect.runPromiseExit(Effect.either(made as Effect.Effect<unknown, unknown>))
                : undefined
            })
          )
          const reasons = outcomes.map((exit) =>
            exit?._tag === "Success" && exit.value._tag === "Left"
              ? String(Reflect.get(Object(exit.value.left), "reason"))
              : ""
          )
          const place = isPosition ? `args[${key}]` : key
          expect(
            reasons.some((reason) => reason.startsWith(place) && reason.includes(" must be ")),
            `${name} ${place} of ${text}: ${reasons.join("; ")}`
          ).toBe(true)
        }
  })
})
