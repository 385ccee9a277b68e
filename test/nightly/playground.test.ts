import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { servePlayground } from "../../scripts/playgroundServer.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { fetchJson } from "../sandbox/serve.js"

const root = resolve(import.meta.dirname, "../..")

const available = Either.isRight(Effect.runSync(Effect.either(Anvil.binary)))
if (!available && process.env.CI !== "true")
  console.log("left out: the playground's server (no anvil binary)")

/** Two processes that keep the machine busy, for a minute at most. */
const busy = Effect.acquireRelease(
  Effect.sync(() =>
    [1, 2].map(() =>
      spawn(process.execPath, ["-e", "for (const end = Date.now() + 60_000; Date.now() < end; );"], {
        stdio: "ignore"
      })
    )
  ),
  (children) =>
    Effect.sync(() => {
      for (const child of children) child.kill("SIGKILL")
    })
)

/** Nothing is known of the SDK's methods yet. */
const forget = Effect.sync(() => {
  const cache = join(root, "node_modules", ".cache", "effect-chains")
  for (const name of readdirSync(cache)) if (name.startsWith("methods-")) rmSync(join(cache, name))
})

describe.runIf(available || process.env.CI === "true")("the playground's server", () => {
  it.scopedLive("starts cold on a busy machine, with a chain that is filled, and answers all the while", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "effect-chains-page-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
      )
      yield* forget
      yield* busy
      const delay = monitorEventLoopDelay({ resolution: 20 })
      delay.enable()
      const { sandbox, url } = yield* servePlayground({ root, build: true, folder })
      delay.disable()
      console.log(`longest pause of the playground's server at its start: ${Math.round(delay.max / 1e6)} ms`)
      const { body } = yield* fetchJson(`${url}/sandbox.json`)
      expect(body).toMatchObject({
        baseUrl: sandbox.baseUrl,
        seed: { nft: { address: expect.stringMatching(/^0x/) }, token: { symbol: "DEMO" } }
      })
      // while it pauses, no node answers either, and calls of the sandbox wait 20 s: reading the methods took 100 s here
      expect(delay.max / 1e6).toBeLessThan(10_000)
    })
  )
})
