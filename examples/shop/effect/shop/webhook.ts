/** Step 5: the provider calls the shop when something happens at an order's address. */
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, Effect, type Redacted, Schema } from "effect"
import { Webhook } from "effect-chains"
import { Bitcoin, type Chain, Ethereum, Solana } from "./chains.js"
import { type Order, Orders } from "./orders.js"

// #region subscribe
/** Where the provider finds the shop, and the secret that it signs its calls with. */
export class Calls extends Context.Tag("shop/Calls")<
  Calls,
  { readonly url: string; readonly secret: Redacted.Redacted }
>() {}

const notifications = {
  ethereum: Effect.map(Ethereum, ({ notification }) => notification.subscribe.addressEvent),
  bitcoin: Effect.map(Bitcoin, ({ notification }) => notification.subscribe.addressEvent),
  solana: Effect.map(Solana, ({ notification }) => notification.subscribe.addressEvent)
} satisfies Record<Chain, unknown>

/** Asks the provider to call the shop for an order's address. */
export const subscribe = ({ address, chain, id }: Order) =>
  Effect.gen(function* () {
    const { url } = yield* Calls
    const addressEvent = yield* notifications[chain]
    return yield* addressEvent({ address, url: `${url}/calls/${id}` })
  })

/** From now on the provider signs its calls. It holds for all subscriptions of the API key. */
export const signCalls = Effect.gen(function* () {
  const [{ notification }, { secret }] = yield* Effect.all([Ethereum, Calls])
  yield* notification.enableHmac(secret)
})
// #endregion subscribe

// #region receive
const respond = (status: number) => HttpServerResponse.empty({ status })

/** Notes that a payment was seen. Whether it is deep enough, the watchers say: nothing goes out because of a call. */
const receive = Effect.gen(function* () {
  const { secret } = yield* Calls
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = new Uint8Array(yield* request.arrayBuffer)
  const signature = request.headers[Webhook.signatureHeader]
  if (!(yield* Webhook.verify({ body, signature, secret }))) return respond(401)
  const call = yield* Webhook.decode(body)
  const { id } = yield* HttpRouter.schemaPathParams(Schema.Struct({ id: Schema.NumberFromString }))
  if (!("txId" in call)) return respond(400)
  const orders = yield* Orders
  // a set: the same call again changes nothing
  yield* orders.change(id, ({ seen }) => ({ seen: [...new Set([...seen, call.txId])] }))
  return respond(200)
}).pipe(
  Effect.catchTags({
    GatewayError: () => Effect.succeed(respond(400)),
    NoSuchElementException: () => Effect.succeed(respond(404)),
    ParseError: () => Effect.succeed(respond(400))
  })
)

export const calls = HttpRouter.empty.pipe(HttpRouter.post("/calls/:id", receive))
// #endregion receive
