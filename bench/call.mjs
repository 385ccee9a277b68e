/**
 * What a call costs the client, in CPU time: `npm run bench`. The network is a fake fetch in the process, so that nothing
 * but the clients is measured; all of them take turns in every round.
 */
import { cpus } from "node:os"
import { cpuUsage, exit, version } from "node:process"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { createPublicClient, fallback, http } from "viem"
import { mainnet } from "viem/chains"
import * as Http from "../dist/src/Http.js"
import { init } from "../dist/src/promise.js"
import * as Sdk from "../dist/src/Sdk.js"

const CALLS = 1_500
const ROUNDS = 9
const urls = ["https://a.example/v1", "https://b.example/v1"]
const address = (i) => `0x${i.toString(16).padStart(40, "0")}`

/** Whether answers say how long they are; servers that stream or compress do not. */
let withLength = true

/** A fresh response per request, as a server would give it. */
const fakeFetch = async (_, { body }) => {
  const { id, method } = JSON.parse(body)
  const text = `{"jsonrpc":"2.0","id":${id},"result":"${method === "eth_chainId" ? "0x1" : "0xde0b6b3a7640000"}"}`
  return new Response(text, {
    headers: {
      "content-type": "application/json",
      ...(withLength ? { "content-length": String(text.length) } : {})
    }
  })
}
globalThis.fetch = fakeFetch

/** Calls one after the other. */
const sequence = async (call) => {
  for (let i = 1; i <= CALLS; i++) await call(address(i))
}

const config = {
  network: "ethereum-mainnet",
  rpc: { nodes: urls.map((url) => ({ url })), statusCheckInterval: Number.POSITIVE_INFINITY },
  quiet: true
}
const sdk = await init(config)
const runtime = ManagedRuntime.make(Layer.mergeAll(Http.layerFetch, Layer.scope))
const platform = ManagedRuntime.make(
  Layer.merge(Layer.provide(Http.layerPlatform, FetchHttpClient.layer), Layer.scope)
)
const onFetch = await runtime.runPromise(Sdk.make(config))
const onPlatform = await platform.runPromise(Sdk.make(config))
const viem = createPublicClient({ chain: mainnet, transport: fallback(urls.map((url) => http(url))) })

/** A program that makes its calls in one fiber, as a backend does. */
const fiber = (client) =>
  Effect.gen(function* () {
    for (let i = 1; i <= CALLS; i++) yield* client.rpc.getBalance(address(i))
  })

const headers = { "content-type": "application/json" }
const clients = {
  "fetch and JSON.parse": () =>
    sequence(async (of) => {
      const params = [of, "latest"]
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getBalance", params })
      const response = await fetch(urls[0], { method: "POST", headers, body })
      return BigInt(JSON.parse(await response.text()).result)
    }),
  "effect-chains/promise": () => sequence((of) => sdk.rpc.getBalance(of)),
  "effect-chains, layerFetch": () => runtime.runPromise(fiber(onFetch)),
  "effect-chains, layerPlatform": () => platform.runPromise(fiber(onPlatform)),
  "viem, fallback of http": () => sequence((of) => viem.getBalance({ address: of }))
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

const measure = async () => {
  const times = Object.fromEntries(Object.keys(clients).map((name) => [name, []]))
  for (let round = -2; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(clients)) {
      const start = cpuUsage()
      await run()
      const { user, system } = cpuUsage(start)
      // the first rounds are for the compiler
      if (round >= 0) times[name].push((user + system) / CALLS)
    }
  }
  return times
}

const check = await sdk.rpc.getBalance(address(1))
if (check.data !== 10n ** 18n) throw new Error(`the fake node is not understood: ${JSON.stringify(check)}`)

const tables = {}
for (const kind of ["with content-length", "without content-length"]) {
  withLength = kind === "with content-length"
  const times = await measure()
  tables[kind] = times
  const base = median(times["fetch and JSON.parse"])
  const rival = median(times["viem, fallback of http"])
  console.log(
    `\nCPU per call, answers ${kind} (${ROUNDS} rounds of ${CALLS} calls, Node ${version}, ${cpus()[0]?.model})`
  )
  console.table(
    Object.fromEntries(
      Object.entries(times).map(([name, values]) => [
        name,
        {
          "median µs": Number(median(values).toFixed(1)),
          "best µs": Number(Math.min(...values).toFixed(1)),
          "x fetch": Number((median(values) / base).toFixed(2)),
          "x viem": Number((median(values) / rival).toFixed(2))
        }
      ])
    )
  )
}

await Promise.all([sdk.destroy(), runtime.dispose(), platform.dispose()])
exit(0)
