/** Step 9: the shop as a server. All settings come from the environment. */
import { createServer } from "node:http"
import {
  FetchHttpClient,
  HttpRouter,
  HttpServer,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import * as Libsql from "@effect-chains/fleet/libsql"
import { Config, Effect, Layer, Schema } from "effect"
import { Units } from "effect-chains"
import { Bitcoin, type Chain, chains, decimals, Ethereum, networks, Solana, Wallet } from "./chains.js"
import { forwardAll } from "./forward.js"
import { type Order, Orders } from "./orders.js"
import { transactions } from "./refund.js"
import { confirmations, watch, watchers } from "./watch.js"
import { Calls, calls, signCalls, subscribe } from "./webhook.js"

// #region settings
/** EFFECT_CHAINS_PROVIDER is `sandbox` on this machine, and unset for the hosted provider, whose key is TATUM_API_KEY. */
const clients = Layer.mergeAll(Ethereum.layerEnv(), Bitcoin.layerEnv(), Solana.layerEnv()).pipe(
  Layer.provide(FetchHttpClient.layer)
)

const settings = Layer.mergeAll(
  Layer.effect(Wallet, Config.all({ mnemonic: Config.redacted("MNEMONIC") })),
  Layer.effect(
    Calls,
    Config.all({ url: Config.nonEmptyString("SHOP_URL"), secret: Config.redacted("WEBHOOK_SECRET") })
  ),
  Libsql.layerConfig({ name: Config.succeed("shop"), file: Config.nonEmptyString("DATABASE_FILE") })
)

const listening = NodeHttpServer.layerConfig(
  createServer,
  Config.all({ port: Config.withDefault(Config.port("PORT"), 8080) })
)
// #endregion settings

// #region routes
const prices: Record<Chain, bigint> = {
  ethereum: 50_000_000_000_000_000n,
  bitcoin: 100_000n,
  solana: 1_500_000_000n
}

/** What the page sees of an order: amounts in whole coins, as text. */
const show = ({ address, chain, id, payments, price, state }: Order, status = 200) => {
  const coins = (amount: bigint) => Units.format(amount, decimals[chain])
  return HttpServerResponse.json(
    {
      id,
      address,
      state,
      network: networks[chain],
      confirmations: confirmations[chain],
      price: coins(price),
      payments: payments.map(({ amount, block, transaction }) => ({
        hash: transaction,
        amount: coins(amount),
        block
      }))
    },
    { status }
  )
}

const create = Effect.gen(function* () {
  const { chain } = yield* HttpServerRequest.schemaBodyJson(
    Schema.Struct({ chain: Schema.Literal(...chains) })
  )
  const order = yield* (yield* Orders).create(chain, prices[chain])
  yield* watch(order)
  yield* subscribe(order)
  return yield* show(order, 201)
})

const get = Effect.gen(function* () {
  const { id } = yield* HttpRouter.schemaPathParams(Schema.Struct({ id: Schema.NumberFromString }))
  return yield* show(yield* (yield* Orders).get(id))
})

/** A chain is well while one of its nodes is. */
const health = Effect.gen(function* () {
  const clients = [yield* Ethereum, yield* Bitcoin, yield* Solana]
  const well = yield* Effect.filter(clients, ({ nodes }) =>
    Effect.map(nodes.snapshot, (all) => all.some(({ failed }) => !failed))
  )
  return yield* HttpServerResponse.json(
    { well: well.map(({ network }) => network) },
    { status: well.length === clients.length ? 200 : 503 }
  )
})

const routes = calls.pipe(
  HttpRouter.post("/orders", create),
  HttpRouter.get("/orders/:id", get),
  HttpRouter.get("/health", health),
  Effect.catchTags({
    NoSuchElementException: () => HttpServerResponse.empty({ status: 404 }),
    ParseError: () => HttpServerResponse.empty({ status: 400 })
  })
)
// #endregion routes

// #region run
const shop = Layer.mergeAll(
  // it listens last: a request before its routes are there would never be answered
  HttpServer.serve(routes).pipe(Layer.provide(listening)),
  watchers(confirmations),
  transactions,
  Layer.scopedDiscard(Effect.zipRight(signCalls, Effect.forkScoped(forwardAll)))
).pipe(Layer.provide(Orders.Default), Layer.provide(clients), Layer.provide(settings))

// a SIGTERM interrupts it: requests are answered, and the database and its lock are given back
NodeRuntime.runMain(Layer.launch(shop))
// #endregion run
