/** A runner over Postgres with durable payments of Dogecoin and of Solana: `PG_URL`, `PORT`, `DOGE_URL`, `SOLANA_URL`. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { dogecoin } from "../bitcoin.js"
import { reportUp, runUntilKilled, store } from "../runnerProcess.js"
import * as solana from "../solana.js"

const { DOGE_URL = "", SOLANA_URL = "" } = process.env

const program = Layer.provide(
  Layer.merge(
    dogecoin.transactions(DOGE_URL, 0, { suspendAfter: "10 seconds" }),
    solana.transactions(SOLANA_URL)
  ),
  store
)

runUntilKilled(Effect.zipRight(Layer.build(program), reportUp))
