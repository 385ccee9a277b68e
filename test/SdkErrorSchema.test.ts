import { createServer } from "node:http"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Rpc from "@effect/rpc/Rpc"
import * as RpcClient from "@effect/rpc/RpcClient"
import * as RpcGroup from "@effect/rpc/RpcGroup"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as RpcServer from "@effect/rpc/RpcServer"
import * as RpcTest from "@effect/rpc/RpcTest"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SdkError from "../src/data/SdkError.js"
import * as SdkErrorSchema from "../src/data/SdkErrorSchema.js"
import { runs } from "./properties.js"

type Any = SdkError.SdkError
type Tag = Any["_tag"]

const classes: Readonly<Record<Tag, unknown>> = SdkError
const twins: { readonly [T in Tag]: (typeof SdkErrorSchema)[T] } = SdkErrorSchema

const tags = Object.keys(SdkError).filter((name): name is Tag => /^[A-Z]/.test(name))

/** JSON has one zero. */
const level = (value: unknown): unknown =>
  typeof value === "number"
    ? value + 0
    : Array.isArray(value)
      ? value.map(level)
      : typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, level(member)]))
        : value

const contractValue = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.bigInt(),
    fc.string(),
    fc.boolean(),
    fc.array(tie("value")),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie("value"))
  )
})).value

const attempts = fc.array(
  fc.record({
    node: fc.constantFrom("https://node.example", "https://node.example/…"),
    ms: fc.nat(),
    outcome: fc.constantFrom<SdkError.AttemptOutcome>("caller", "busy", "noAnswer", "behind")
  })
)

const thrown = fc.oneof(
  fc.string(),
  fc.anything(),
  fc.string().map((message) => new TypeError(message))
)

const hexText = fc.stringMatching(/^0x[0-9a-f]{1,16}$/)

/** Values of fields, by class and name, where those that the schema allows are not those that occur, or cannot be told. */
const given: { readonly [name: string]: (() => fc.Arbitrary<unknown>) | undefined } = {
  // a member of that name would be lost to any parser
  "RpcError.data": () => fc.jsonValue().filter((value) => !JSON.stringify(value).includes("__proto__")),
  // what nodes give stays as it is, and is without control characters only when it is told
  "TransactionFailed.receipt": () =>
    fc.dictionary(hexText, fc.oneof(hexText, fc.nat(), fc.boolean(), fc.constant(null), fc.array(hexText))),
  "Aborted.reason": () => thrown,
  "Unexpected.defect": () => thrown,
  "DecimalsUnreadable.cause": () =>
    fc.oneof(errorsOf("NoActiveNode"), errorsOf("NoQuorum"), errorsOf("RpcError")),
  "SweepIncomplete.cause": () =>
    fc.oneof(errorsOf("InsufficientFunds"), errorsOf("GasOverCap"), errorsOf("NodeError")),
  // what contracts have: numbers as bigints, text, lists and records
  "ContractReverted.args": () => fc.array(contractValue),
  "NoActiveNode.last": () => fc.oneof(errorsOf("RequestRejected"), errorsOf("StateUnavailable"))
}
const url = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.constant("no url"))
const answers = fc.array(fc.record({ url, said: fc.string() }))

/** Errors of a class, made from whatever its schema allows. */
const errorsOf = (tag: Tag): fc.Arbitrary<Any> => {
  const { _tag, attempts: _, message, ...fields } = twins[tag].from.fields
  const parts = Object.entries(fields).map(([name, field]): fc.Arbitrary<object> => {
    const own = name === "url" ? url : name === "answers" ? answers : given[`${tag}.${name}`]?.()
    // a field of a class is a schema of no context, which the union of all classes does not show
    const one = Schema.Struct({ [name]: field as Schema.Schema.AnyNoContext })
    return own?.map((value) => ({ [name]: value })) ?? Arbitrary.make(Schema.typeSchema(one))
  })
  // every class is made of its fields
  const Made = classes[tag] as new (fields: object) => Any
  return fc
    .tuple(fc.tuple(...parts), attempts)
    .map(([all, tried]) => SdkError.withAttempts(new Made(level(Object.assign({}, ...all)) as object), tried))
}

const rpcError = new SdkError.RpcError({
  method: "eth_call",
  code: 3,
  rpcMessage: "execution reverted",
  data: { need: 2n ** 64n },
  url: "https://node.example/v3/KEY"
})
const examples: ReadonlyArray<Any> = [
  SdkError.withAttempts(
    new SdkError.NoActiveNode({
      network: "ethereum-mainnet",
      type: "ARCHIVE",
      manual: false,
      reason: "all nodes have failed",
      retryAfter: 1_000,
      nodes: [{ url: "https://a.b", kind: "limited", reason: "the node has asked for a pause" }],
      last: new SdkError.RequestRejected({
        call: "x",
        status: 400,
        messages: [],
        body: "{}",
        url: "https://a.b"
      })
    }),
    [{ node: "https://node.example/…", ms: 12.5, outcome: "busy" }]
  ),
  new SdkError.DecimalsUnreadable({
    token: "0x1",
    cause: new SdkError.CallTimeout({ call: "eth_call", timeout: 5 })
  }),
  new SdkError.SweepIncomplete({
    address: "0x1",
    gas: "0x2",
    hashes: ["0x3"],
    cause: new SdkError.BroadcastUnclear({ hash: "0x4", raw: "0x5", reason: "no node has answered" })
  }),
  new SdkError.BlockNotReached({
    call: "x",
    minBlock: 9,
    height: undefined,
    url: "https://a.b",
    timeout: Infinity
  }),
  new SdkError.WalletNotInstalled(),
  new SdkError.GatewayError({
    call: "GET x",
    kind: "status",
    messages: ["no"],
    status: 400,
    uploaded: ["ipfs://x"]
  }),
  new SdkError.Unexpected({ defect: new TypeError("x is not a function") }),
  new SdkError.Aborted({ reason: undefined })
]

/** The same error in all that can be told of it. */
const expectSame = (found: unknown, error: Any): void => {
  expect(found).toBeInstanceOf(classes[error._tag])
  expect(String(found)).toBe(String(error))
  if (error._tag === "Aborted" || error._tag === "Unexpected") return
  expect(JSON.stringify(found)).toBe(JSON.stringify(error))
  expect({ ...(found as object) }).toEqual({ ...error })
  if (error._tag === "DecimalsUnreadable" || error._tag === "SweepIncomplete")
    expectSame(Reflect.get(found as object, "cause"), error.cause)
}

const Errors = SdkErrorSchema.SdkError
const crossed = (error: Any): unknown =>
  Schema.decodeUnknownSync(Errors)(JSON.parse(JSON.stringify(Schema.encodeSync(Errors)(error))))

describe("the schemas of errors", () => {
  it("are one per class, and one of all", () => {
    expect(tags.length).toBeGreaterThan(30)
    expect(Errors.members.map(({ from }) => from.fields._tag.literals[0]).sort()).toEqual([...tags].sort())
    for (const tag of tags) expect(twins[tag].from.fields._tag.literals).toEqual([tag])
  })

  it("of several errors are those of the types of that name", () => {
    expectTypeOf<typeof SdkErrorSchema.SdkError.Type>().toEqualTypeOf<SdkError.SdkError>()
    expectTypeOf<typeof SdkErrorSchema.RpcCallError.Type>().toEqualTypeOf<SdkError.RpcCallError>()
    expectTypeOf<typeof SdkErrorSchema.RestCallError.Type>().toEqualTypeOf<SdkError.RestCallError>()
    expectTypeOf<typeof SdkErrorSchema.InitError.Type>().toEqualTypeOf<SdkError.InitError>()
  })

  it.each(tags)("bring back %s as it was", (tag) => {
    fc.assert(
      fc.property(errorsOf(tag), (error) => expectSame(crossed(error), error)),
      { numRuns: runs(50) }
    )
  })

  it.each(examples)("bring back the example $_tag", (error) => expectSame(crossed(error), error))

  it("have bigints of unknown data as their digits", () => {
    expect(crossed(rpcError)).toMatchObject({
      data: { need: "18446744073709551616" },
      url: "https://node.example/…"
    })
  })

  it("tell nothing that the error itself would not", () => {
    const error = new SdkError.Unexpected({ defect: new Error("a\u202eb") })
    expect(Schema.encodeSync(Errors)(error)).toMatchObject({ defect: { message: "a\\u202eb" } })
  })

  it("refuse what is no error of theirs", () => {
    const read = Schema.decodeUnknownEither(Errors)
    expect(read({ _tag: "NodeError" })._tag).toBe("Left")
    expect(read({ _tag: "NoSuchError" })._tag).toBe("Left")
    expect(Schema.is(SdkErrorSchema.NodeError)(rpcError)).toBe(false)
    expect(Schema.is(SdkErrorSchema.RpcError)({ ...rpcError })).toBe(false)
  })

  it("take errors of another copy of the package, and make their own of them", async () => {
    const path = "../src/data/SdkError.js?copy"
    const copy: typeof SdkError = await import(path)
    const error = new copy.CallTimeout({ call: "eth_call", timeout: 5 })
    expect(error).not.toBeInstanceOf(SdkError.CallTimeout)
    expect(crossed(error)).toBeInstanceOf(SdkError.CallTimeout)
  })

  it("have what was thrown with its name and its words", () => {
    const error = new SdkError.Unexpected({ defect: new TypeError("x is not a function") })
    expect(crossed(error)).toMatchObject({
      defect: { name: "TypeError", message: "x is not a function" },
      message: "x is not a function"
    })
  })
})

class Wallets extends RpcGroup.make(
  Rpc.make("fail", { payload: { at: Schema.Number }, success: Schema.Void, error: Errors })
) {}

const at = (index: number) => Effect.suspend(() => Effect.fail(examples[index] ?? rpcError))
const handlers = Wallets.toLayer({ fail: ({ at: index }) => at(index) })

const LoopbackServer = NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })
const baseUrl = Effect.map(HttpServer.HttpServer, ({ address }) =>
  address._tag === "TcpAddress" ? `http://127.0.0.1:${address.port}` : ""
)

describe("errors cross", () => {
  it.scoped("@effect/rpc in memory", () =>
    Effect.gen(function* () {
      const client = yield* RpcTest.makeClient(Wallets)
      for (const [index, error] of examples.entries())
        expectSame(yield* Effect.flip(client.fail({ at: index })), error)
    }).pipe(Effect.provide(handlers))
  )

  it.scopedLive("@effect/rpc over HTTP", () =>
    Effect.gen(function* () {
      const url = yield* baseUrl
      const protocol = RpcClient.layerProtocolHttp({ url: `${url}/rpc` }).pipe(
        Layer.provide([NodeHttpClient.layerUndici, RpcSerialization.layerNdjson])
      )
      yield* Effect.gen(function* () {
        const client = yield* RpcClient.make(Wallets)
        for (const [index, error] of examples.entries()) {
          const exit = yield* Effect.exit(client.fail({ at: index }))
          expectSame(Exit.isFailure(exit) && exit.cause._tag === "Fail" ? exit.cause.error : exit, error)
        }
      }).pipe(Effect.scoped, Effect.provide(protocol))
    }).pipe(
      Effect.provide(
        HttpRouter.Default.serve().pipe(
          Layer.provide(Layer.provide(RpcServer.layer(Wallets), handlers)),
          Layer.provide(RpcServer.layerProtocolHttp({ path: "/rpc" })),
          Layer.provide(RpcSerialization.layerNdjson),
          Layer.provideMerge(LoopbackServer)
        )
      )
    )
  )

  class Api extends HttpApi.make("api").add(
    HttpApiGroup.make("wallets").add(
      HttpApiEndpoint.get("fail", "/fail/:at")
        .setPath(Schema.Struct({ at: Schema.NumberFromString }))
        .addSuccess(Schema.Void)
        .addError(Errors, { status: 502 })
    )
  ) {}

  it.scopedLive("HttpApi", () =>
    Effect.gen(function* () {
      const client = yield* HttpApiClient.make(Api, { baseUrl: yield* baseUrl })
      for (const [index, error] of examples.entries())
        expectSame(yield* Effect.flip(client.wallets.fail({ path: { at: index } })), error)
    }).pipe(
      Effect.provide(
        HttpApiBuilder.serve().pipe(
          Layer.provide(
            HttpApiBuilder.api(Api).pipe(
              Layer.provide(
                HttpApiBuilder.group(Api, "wallets", (group) =>
                  group.handle("fail", ({ path }) => at(path.at))
                )
              )
            )
          ),
          Layer.provideMerge(LoopbackServer),
          Layer.merge(NodeHttpClient.layerUndici)
        )
      )
    )
  )
})
