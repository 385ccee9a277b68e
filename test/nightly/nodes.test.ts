/**
 * Nodes of every kind over minutes, with a real call a second: a node that hangs only after a while shows here. `SOAK_SECONDS`
 * is the duration, ten minutes by default.
 */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Network from "../../src/data/Network.js"
import * as Sandbox from "../../src/sandbox/index.js"
import { findProgram, type NodeName } from "../../src/sandbox/nodes/binaries.js"

const SECONDS = Number(process.env.SOAK_SECONDS ?? 600)

/** Milliseconds for an answer: a machine that does other things too may need some of them. */
const LIMIT = 10_000

interface Kind {
  readonly program: NodeName
  readonly network: Network.Network
  /** A JSON-RPC method that looks at the state of the chain, or a path. */
  readonly ask: string
}

const kinds: ReadonlyArray<Kind> = [
  { program: "anvil", network: "ethereum-mainnet", ask: "eth_blockNumber" },
  { program: "bcoin", network: "bitcoin-testnet4", ask: "getblockcount" },
  { program: "bcash", network: "bitcoin-cash-mainnet", ask: "getblockcount" },
  { program: "litecoind", network: "litecoin-mainnet", ask: "getblockcount" },
  { program: "surfpool", network: "solana-devnet", ask: "getLatestBlockhash" },
  { program: "ton-sandbox", network: "ton-mainnet", ask: "/getMasterchainInfo" },
  { program: "lodestar", network: "ethereum-mainnet", ask: "/eth/v1/node/syncing" }
]

const present = kinds.filter(({ program }) => {
  const there = findProgram(program) !== undefined
  if (!there) console.log(`left out: ${program} in the soak (not installed)`)
  return there
})

const call = (url: string, ask: string, limit: number) =>
  Effect.tryPromise(async () => {
    const isPath = ask.startsWith("/")
    const begun = performance.now()
    const response = await fetch(isPath ? url + ask : url, {
      signal: AbortSignal.timeout(limit),
      ...(isPath
        ? {}
        : {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: ask, params: [] })
          })
    })
    const text = await response.text()
    if (!response.ok || /"error":(?!null)/.test(text)) throw new Error(`HTTP ${response.status}: ${text}`)
    return performance.now() - begun
  })

const at = (sorted: ReadonlyArray<number>, share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN)

it.scopedLive(
  `nodes of every kind answer a real call a second for ${SECONDS} seconds`,
  () =>
    Effect.gen(function* () {
      const networks = [...new Set(present.map(({ network }) => network))]
      const sandbox = yield* Sandbox.make({
        networks: networks.map((network) => ({ network, nodes: 1, archive: 0 }))
      })
      const failures: Array<string> = []
      yield* Effect.forEach(
        present,
        ({ ask, network, program }) =>
          Effect.gen(function* () {
            const [url = ""] = sandbox.network(network).urls
            // the beacon chain starts with the first request, and not at once on a machine too busy for its first slots
            yield* Effect.retry(call(url, ask, 120_000), { times: 2 })
            const times: Array<number> = []
            const began = performance.now()
            const second = call(url, ask, LIMIT).pipe(
              Effect.match({
                onSuccess: (ms) => void times.push(ms),
                onFailure: ({ error }) =>
                  void failures.push(
                    `${program} after ${Math.round((performance.now() - began) / 1_000)} s: ${String(error)}`
                  )
              })
            )
            yield* Effect.repeat(second, Schedule.fixed("1 second").pipe(Schedule.upTo(SECONDS * 1_000)))
            times.sort((a, b) => a - b)
            console.log(
              `soak of ${program}: ${times.length} answers, median ${at(times, 0.5)} ms, 99 % within ${at(times, 0.99)} ms, longest ${at(times, 1)} ms`
            )
          }),
        { concurrency: "unbounded", discard: true }
      )
      expect(failures).toEqual([])
      expect(yield* sandbox.incidents).toEqual([])
    }),
  (SECONDS + 300) * 1_000
)
