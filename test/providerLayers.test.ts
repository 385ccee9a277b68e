/** Effect clients go to the provider that the environment names, and nowhere else. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import * as Sdk from "../src/client/Sdk.js"
import { ETHEREUM } from "../src/data/rows.js"
import { make as makeFamily } from "../src/entries/effect/Ethereum.js"
import { layerFetch } from "../src/http/Http.js"
import * as Picked from "../src/pick/effect/evm.js"
import { startProvider } from "./providerDouble.js"

const network = "ethereum-mainnet"
const quiet = true

let provider: Awaited<ReturnType<typeof startProvider>>
beforeEach(async () => {
  provider = await startProvider()
  vi.stubGlobal("fetch", provider.fetch)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  await provider.close()
})

class Eth extends Sdk.Tag("Eth", network)<Eth>() {}
class Chain extends Context.Tag("test/Chain")<Chain, Sdk.Sdk<typeof network>>() {}

const ask = (sdk: Pick<Sdk.Sdk<typeof network>, "rpc" | "rates">) =>
  Effect.zipRight(Effect.ignore(sdk.rates.getCurrentRate("BTC", "EUR")), sdk.rpc.blockNumber())

const askEth = Effect.flatMap(Eth, ask)
const http = Layer.provide(FetchHttpClient.layer)

const surfaces = {
  "Sdk.makeHttp": () => Effect.scoped(Effect.flatMap(Sdk.makeHttp({ network, quiet }), ask)),
  "make of a family": () =>
    Effect.scoped(Effect.flatMap(makeFamily({ network, quiet }), ({ rpc }) => rpc.blockNumber())),
  "createClient of picked calls": () =>
    Effect.scoped(
      Effect.flatMap(
        Picked.createClient({
          network: ETHEREUM,
          endpoints: { blockNumber: Picked.blockNumber },
          quiet
        }),
        ({ rpc }) => rpc.blockNumber()
      )
    ),
  "Tag.layer": () => Effect.provide(askEth, http(Eth.layer({ quiet }))),
  "Tag.layerEnv": () => Effect.provide(askEth, http(Eth.layerEnv({ quiet }))),
  "Tag.layerEnv with a prefix": () => Effect.provide(askEth, http(Eth.layerEnv({ quiet, prefix: "OWN" }))),
  "Tag.layerHttp": () => Effect.provide(askEth, Eth.layerHttp({ quiet })),
  "Sdk.layer": () => Effect.provide(Effect.flatMap(Chain, ask), http(Sdk.layer(Chain, { network, quiet })))
}

describe("the provider of an Effect client", () => {
  it.each(Object.entries(surfaces))("is that of EFFECT_CHAINS_PROVIDER: %s", async (_, use) => {
    vi.stubEnv("EFFECT_CHAINS_PROVIDER", provider.url)
    expect(await Effect.runPromise(Effect.provide(use(), layerFetch))).toBe(16n)
    expect(provider.asked).toContain("/ethereum-mainnet/list.json")
    expect(provider.elsewhere).toEqual([])
  })
})
