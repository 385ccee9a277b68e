/**
 * A runner with a watcher, as a process: `PG_URL`, `PORT` and `NODE_URL`; the `FAMILY` and `OPTIONS` of the watcher; and `LOG`, where its
 * handler writes.
 */
import { appendFileSync } from "node:fs"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as BitcoinWatcher from "../../src/BitcoinWatcher.js"
import type * as EvmWatcher from "../../src/EvmWatcher.js"
import type { Services } from "../../src/engine.js"
import * as SolanaWatcher from "../../src/SolanaWatcher.js"
import { Devnet, Litecoin, toLine, watcher } from "../evmWatching.js"
import { reportUp, runUntilKilled, store } from "../runnerProcess.js"

const { FAMILY = "", LOG = "", NAME = "", NODE_URL = "", OPTIONS = "{}" } = process.env

const given: { readonly name: string; readonly from: number } = JSON.parse(OPTIONS)
// a handler takes a while after it has written: a kill in its midst makes a repetition
const handle = ({ _tag, payment, sequence, shard }: EvmWatcher.WatchEvent) =>
  Effect.zipRight(
    Effect.sync(() => appendFileSync(LOG, `${NAME} ${shard} ${sequence} ${_tag} ${toLine(payment)}\n`)),
    Effect.sleep("30 millis")
  )
const options = { pollingInterval: "100 millis", ...given, handle } as const
const nodes = { rpc: { nodes: [{ url: NODE_URL }] }, quiet: true }
const families: Readonly<Record<string, Layer.Layer<never, unknown, Services>>> = {
  evm: watcher(NODE_URL, options),
  bitcoin: BitcoinWatcher.layer({ ...options, client: Litecoin }).pipe(
    Layer.provide(Litecoin.layer(nodes)),
    Layer.provide(NodeHttpClient.layerUndici)
  ),
  solana: SolanaWatcher.layer({ ...options, client: Devnet }).pipe(
    Layer.provide(Devnet.layer(nodes)),
    Layer.provide(NodeHttpClient.layerUndici)
  )
}
const watching = families[FAMILY]
if (watching === undefined) throw new Error(`there is no family ${FAMILY}`)

runUntilKilled(Effect.zipRight(Layer.build(Layer.provide(watching, store)), reportUp))
