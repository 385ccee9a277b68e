import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Invalid, Missing, invalid, missing } from "./api/Refusal.js"
import { Nodes } from "./Nodes.js"

const rate = HttpApiGroup.make("rate")
  .add(
    HttpApiEndpoint.get("one", "/rate/:currency")
      .setPath(Schema.Struct({ currency: Schema.String }))
      .setUrlParams(Schema.Struct({ basePair: Schema.String, n: Schema.optional(Schema.NumberFromString) }))
      .addSuccess(Schema.Struct({ value: Schema.String }))
  )
  .add(
    HttpApiEndpoint.post("many", "/rate")
      .setPayload(Schema.Struct({ chain: Schema.String }))
      .addSuccess(Schema.Struct({ value: Schema.String }))
  )
  .add(
    HttpApiEndpoint.post("upload", "/ipfs")
      .setPayload(HttpApiSchema.MultipartStream(Schema.Struct({})))
      .addSuccess(Schema.Struct({ value: Schema.String }))
  )
  .addError(Invalid)
  .addError(Missing)
const other = HttpApiGroup.make("other").add(HttpApiEndpoint.get("ping", "/ping").addSuccess(Schema.Struct({ ok: Schema.Boolean })))

// provider/Rate.ts
const small = HttpApi.make("provider").add(rate)
export const rateLayer: Layer.Layer<HttpApiGroup.ApiGroup<"provider", "rate">, never, Nodes> = HttpApiBuilder.group(small, "rate", (handlers) =>
  Effect.gen(function* () {
    const nodes = yield* Nodes
    return handlers
      .handle("one", ({ path, urlParams }) =>
        path.currency === "nope"
          ? Effect.fail(missing("rate.unknown", "no such"))
          : Effect.succeed({ value: `${path.currency}${urlParams.basePair}${nodes.runs("ethereum-mainnet")}` })
      )
      .handle("many", ({ payload }) => payload.chain === "x" ? Effect.fail(invalid("a", "b", ["c"])) : Effect.succeed({ value: "" }))
      .handle("upload", () => Effect.succeed({ value: "" }))
  })
)
const small2 = HttpApi.make("provider").add(other)
export const otherLayer: Layer.Layer<HttpApiGroup.ApiGroup<"provider", "other">> = HttpApiBuilder.group(small2, "other", (handlers) => handlers.handle("ping", () => Effect.succeed({ ok: true })))

// Provider.ts
const Api = HttpApi.make("provider").add(rate).add(other)
const respond = (body: Invalid) => Effect.orDie(Schema.encode(Invalid)(body).pipe(Effect.flatMap((b) => HttpServerResponse.json(b, { status: 400 }))))
export const app: Layer.Layer<import("@effect/platform/HttpApi").Api, never, Nodes> = HttpApiBuilder.api(Api).pipe(
  Layer.provide([rateLayer, otherLayer])
)
const validation = HttpApiBuilder.middleware((httpApp) =>
  Effect.catchAllCause(httpApp, (cause) => {
    const error = Cause.squash(cause)
    if (error instanceof HttpApiDecodeError)
      return respond(invalid("validation.failed", "Request validation failed.", error.issues.map(({ path, message }) => `${path.join(".")} ${message}`)))
    if (error instanceof HttpServerError.RequestError && error.reason === "Decode")
      return respond(invalid("validation.failed", "The body is no JSON"))
    return Effect.failCause(cause)
  })
)
const { handler } = HttpApiBuilder.toWebHandler(
  Layer.mergeAll(app, validation, HttpServer.layerContext).pipe(
    Layer.provide(Layer.succeed(Nodes, { runs: () => "evm", rpc: () => Effect.succeed(1), fresh: () => Effect.void }))
  )
)
const show = async (path: string, init?: RequestInit) => {
  const r = await handler(new Request(`http://127.0.0.1${path}`, init))
  console.log(path, r.status, [...r.headers].join(";"), await r.text())
}
await show("/rate/BTC?basePair=EUR")
await show("/rate/BTC")
await show("/rate/BTC?basePair=EUR&n=x")
await show("/rate/nope?basePair=EUR")
await show("/rate", { method: "POST", body: "{}", headers: { "content-type": "application/json" } })
await show("/rate", { method: "POST", body: "{", headers: { "content-type": "application/json" } })
await show("/rate", { method: "POST", body: '{"chain":"x"}', headers: { "content-type": "application/json" } })
await show("/ping")
await show("/nowhere")
