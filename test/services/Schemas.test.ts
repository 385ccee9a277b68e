import { readFileSync } from "node:fs"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import type * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { Equals, Simplify } from "effect/Types"
import { bundle } from "../../bench/sizes/bundle.mjs"
import { ChainNotSupported } from "../../src/data/SdkError.js"
import type { AddressService } from "../../src/services/Address.js"
import * as Schemas from "../../src/services/Schemas.js"
import type { Services } from "../../src/services/Services.js"
import { runs } from "../properties.js"

/** The answers of methods, or the items of their lists and streams. */
type Answers<S> = {
  readonly [K in keyof S]: S[K] extends (...args: never) => Effect.Effect<infer A, infer _E>
    ? A extends ReadonlyArray<infer Item>
      ? Item
      : A
    : S[K] extends (...args: never) => Stream.Stream<infer A, infer _E>
      ? A
      : S[K] extends (...args: never) => unknown
        ? never
        : Answers<S[K]>
}[keyof S]

/** Services whose answers come over HTTP and have a shape: the wallet is the page's, and the provider's are the caller's own. */
type Shaped = Omit<Services, "wallet" | "provider">

type Known = { readonly [K in keyof typeof Schemas]: Schema.Schema.Type<(typeof Schemas)[K]> }

/** Answers without a shape need no schema of ours. */
type Plain = string | number | boolean | null | undefined | Blob | Uint8Array | ReturnType<() => void>

/** The names of the schemas of exactly this type. */
type NameOf<A> = {
  readonly [K in keyof Known]: Equals<Simplify<Known[K]>, Simplify<A>> extends true ? K : never
}[keyof Known]

type Missing<A> = A extends Plain ? never : [NameOf<A>] extends [never] ? A : never

describe("the schemas of answers", () => {
  it("are there for every answer of every service", () => {
    type All = Answers<Shaped>
    expectTypeOf<
      NameOf<Awaited<Extract<All, { readonly nextPage: string }>>>
    >().toEqualTypeOf<"TransactionPage">()
    // types of single networks are those of the union of all
    type Fees = Extract<All, { readonly basedOnBlockNumber: number }>
    expectTypeOf<Fees>().toExtend<Known["CurrentFee"]>()
    type Page = Exclude<
      Effect.Effect.Success<ReturnType<AddressService["getTransactions"]>>,
      ReadonlyArray<unknown>
    >
    expectTypeOf<Page>().toEqualTypeOf<Known["TransactionPage"]>()
    type Rest = Missing<Exclude<All, Fees>>
    expectTypeOf<Rest>().toBeNever()
  })

  it("describe the types that /promise exports, and those alone", () => {
    const read = (file: string) =>
      readFileSync(new URL(`../../src/services/${file}.ts`, import.meta.url), "utf8")
    const described = [...read("Schemas").matchAll(/@link (?!Notification\.Created)\w+\.(\w+)/g)].map(
      ([, name]) => name
    )
    const lists = [...read("answers").matchAll(/\{([^}]*)\} from/g)].map(([, names = ""]) => names)
    const exported = lists.flatMap((names) => names.match(/\w+/g) ?? [])
    expect(exported.sort()).toEqual(described.sort())
  })

  const schemas = Object.entries(Schemas).map(
    ([name, schema]): readonly [string, Schema.Schema<unknown, unknown>] => [
      name,
      // every one has its own type, and the tests below ask for none
      schema as unknown as Schema.Schema<unknown, unknown>
    ]
  )

  it.each(schemas.filter(([name]) => !/Fee|Subscription/.test(name)))(
    "take what %s is, through JSON, and give it back",
    (_, schema) => {
      fc.assert(
        // a record with further names may be made with one of its own names twice, and another type
        fc.property(Arbitrary.make(schema).filter(Schema.is(schema)), (value) => {
          const plain: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(schema)(value)))
          // data of others is what JSON can hold
          const once = Schema.decodeUnknownSync(schema)(plain)
          const again = Schema.decodeUnknownSync(schema)(
            JSON.parse(JSON.stringify(Schema.encodeSync(schema)(once)))
          )
          expect(again).toEqual(once)
        }),
        { numRuns: runs(30) }
      )
    }
  )

  it("have the networks of fees and subscriptions", () => {
    const times = { lastRecalculated: "2026-01-01T00:00:00Z", basedOnBlockNumber: 5 }
    const rate = { chain: "bitcoin-mainnet", slow: "1", medium: "2", fast: "3", ...times }
    const gasPrice = { slow: "1", medium: "2", fast: "3", baseFee: "1", unit: "Gwei" }
    const gas = { chain: "ethereum-mainnet", gasPrice, ...times }
    const read = Schema.decodeUnknownEither(Schemas.CurrentFee)
    expect(read(rate)).toMatchObject({ right: rate })
    expect(read(gas)).toMatchObject({ right: gas })
    expect(read({ ...rate, chain: "ethereum-mainnet" })._tag).toBe("Left")
    expect(read({ ...gas, chain: "polygon-mainnet" })._tag).toBe("Left")

    const subscription: Schema.Schema.Type<typeof Schemas.Subscription> = {
      id: "1",
      network: undefined,
      problem: new ChainNotSupported({ chain: "NEW" }),
      url: "https://hook.example",
      type: "ADDRESS_EVENT"
    }
    const sent: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(Schemas.Subscription)(subscription)))
    const got = Schema.decodeUnknownSync(Schemas.Subscription)(sent)
    expect(got).toEqual(subscription)
    expect(got.problem).toBeInstanceOf(ChainNotSupported)
    expect(
      Schema.decodeUnknownSync(Schemas.Subscription)({ ...(sent as object), network: "base-mainnet" }).network
    ).toBe("base-mainnet")
  })

  it("are no part of an application on the Promise surface, and neither are those of errors", async () => {
    const outputs = await bundle(
      `import { init, isSdkError } from "./src/promise.ts"
       const sdk = await init({ network: "ethereum-mainnet" })
       const { data } = await sdk.token.getBalance({ address: "0x0" })
       console.log(data, isSdkError(data))`,
      { splitting: true }
    )
    const inputs = outputs.flatMap(({ inputs }) => inputs)
    expect(inputs).toContain("src/services/Token.ts")
    expect(inputs.filter((file) => /Schemas\.ts|SdkErrorSchema/.test(file))).toEqual([])
  })
})
