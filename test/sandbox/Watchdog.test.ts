import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/TestClock"
import type * as Network from "../../src/data/Network.js"
import * as Sandbox from "../../src/sandbox/index.js"
import { findProgram, type NodeName } from "../../src/sandbox/nodes/binaries.js"
import { SandboxError } from "../../src/sandbox/SandboxError.js"
import * as Watchdog from "../../src/sandbox/Watchdog.js"
import { isNight } from "../night.js"
import { fetchJson } from "./serve.js"

/** A network per kind of node, a cheap call of its chain (a method of JSON-RPC, or a path), and whether a restart brings its blocks back. */
const kinds: ReadonlyArray<{
  readonly program: NodeName
  readonly network: Network.Network
  readonly method: string
  readonly kept: boolean
}> = [
  { program: "anvil", network: "base-mainnet", method: "eth_blockNumber", kept: true },
  { program: "bcoin", network: "bitcoin-testnet4", method: "getblockcount", kept: true },
  { program: "bcash", network: "bitcoin-cash-mainnet", method: "getblockcount", kept: true },
  { program: "litecoind", network: "litecoin-mainnet", method: "getblockcount", kept: true },
  { program: "surfpool", network: "solana-devnet", method: "getSlot", kept: false },
  { program: "ton-sandbox", network: "ton-mainnet", method: "/getMasterchainInfo", kept: false }
]

/** One kind each of processes whose blocks are kept, and are not. At night it is all of them. */
const looked = isNight ? kinds : kinds.filter(({ program }) => ["anvil", "surfpool"].includes(program))

const answers = (url: string, method: string) =>
  Effect.map(
    (method.startsWith("/")
      ? fetchJson(url + method)
      : fetchJson(url, { jsonrpc: "2.0", id: 1, method, params: [] })
    ).pipe(Effect.timeout("1 second"), Effect.sandbox, Effect.option),
    (answer) => JSON.stringify(answer).includes('"result"')
  )

const until = <E>(wanted: Effect.Effect<boolean, E>) =>
  Effect.repeat(wanted, { until: (there) => there, schedule: Schedule.spaced("50 millis") }).pipe(
    Effect.timeoutFail({ duration: "300 seconds", onTimeout: () => new Error("not within 300 seconds") })
  )

const present = looked.filter(({ program }) => {
  if (findProgram(program) !== undefined) return true
  if (process.env.CI === "true") throw new Error(`left out: ${program}`)
  console.log(`left out: ${program} under the watchdog (not installed)`)
  return false
})

describe("the watchdog, over real nodes", () => {
  /** A node that goes through what the others are spared: when the watchdog has seen to it, it has looked at the others as well. */
  const control = "polygon-mainnet"

  const only = (sandbox: Sandbox.SandboxService, network: Network.Network) => {
    const [node] = sandbox.network(network).nodes
    return node === undefined ? Effect.dieMessage(`${network} has no node`) : Effect.succeed(node)
  }

  const restartsOf = (sandbox: Sandbox.SandboxService, network: Network.Network) =>
    Effect.map(sandbox.incidents, (all) =>
      all.filter((incident) => incident.network === network && incident.outcome === "restarted")
    )

  /** Sends a signal to the control's process, and waits until the watchdog has started it again. */
  const restartOfControl = (sandbox: Sandbox.SandboxService, signal: NodeJS.Signals) =>
    Effect.gen(function* () {
      const restarts = Effect.map(restartsOf(sandbox, control), ({ length }) => length)
      const before = yield* restarts
      process.kill((yield* (yield* only(sandbox, control)).pid) ?? 0, signal)
      yield* until(Effect.map(restarts, (count) => count > before))
    })

  /** What befalls a node: all kinds go through it at once. */
  const ordeal = (
    sandbox: Sandbox.SandboxService,
    { kept, method, network }: (typeof kinds)[number],
    before: number
  ) =>
    Effect.gen(function* () {
      const running = sandbox.network(network)
      const node = yield* only(sandbox, network)
      const restarts = restartsOf(sandbox, network)

      process.kill((yield* node.pid) ?? 0, "SIGSTOP")
      expect(yield* node.state).toBe("running")
      yield* until(Effect.map(restarts, ({ length }) => length === 1))
      yield* until(answers(node.url, method))
      if (kept) expect(yield* running.height).toBe(before)
      expect(yield* restarts).toEqual([
        {
          id: expect.any(Number),
          at: expect.any(Number),
          network,
          node: "normal-1",
          what: "silent",
          outcome: "restarted",
          kept,
          message: expect.stringMatching(kept ? /with every block/ : /at its genesis/)
        }
      ])

      process.kill((yield* node.pid) ?? 0, "SIGKILL")
      yield* until(Effect.map(restarts, ({ length }) => length === 2))
      yield* until(answers(node.url, method))
      expect((yield* restarts)[1]).toMatchObject({ what: "ended" })
      if (kept) expect(yield* running.height).toBe(before)
    })

  it.scopedLive(`starts nodes of ${present.length} kinds again when they hang, and when they are gone`, () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({
        networks: [...present.map(({ network }) => network), control].map((network) => ({
          network,
          nodes: 1,
          archive: 0
        })),
        watchdog: { every: "100 millis", within: "3 seconds" }
      })
      const ofAll = <A, E>(act: (kind: (typeof kinds)[number]) => Effect.Effect<A, E>) =>
        Effect.forEach(present, act, { concurrency: "unbounded" })

      // whoever freezes a node on purpose finds it as it was left
      const befores = yield* ofAll(({ kept, network }) =>
        Effect.gen(function* () {
          const { height, mine } = sandbox.network(network)
          const node = yield* only(sandbox, network)
          if (kept) yield* mine(7)
          const before = { height: yield* height, pid: yield* node.pid }
          yield* node.freeze
          return before
        })
      )
      yield* restartOfControl(sandbox, "SIGSTOP")
      for (const [i, { network }] of present.entries()) {
        const node = yield* only(sandbox, network)
        expect(yield* node.pid).toBe(befores[i]?.pid)
        yield* node.resume
        expect(yield* restartsOf(sandbox, network)).toEqual([])
      }

      yield* Effect.forEach(present, (kind, i) => ordeal(sandbox, kind, befores[i]?.height ?? 0), {
        concurrency: "unbounded"
      })

      // nor is one started that was stopped on purpose
      yield* ofAll(({ network }) => Effect.flatMap(only(sandbox, network), ({ stop }) => stop))
      yield* restartOfControl(sandbox, "SIGKILL")
      yield* ofAll(({ method, network }) =>
        Effect.gen(function* () {
          const node = yield* only(sandbox, network)
          expect(yield* node.state).toBe("stopped")
          yield* node.restart
          yield* until(answers(node.url, method))
          expect(yield* restartsOf(sandbox, network)).toHaveLength(2)
        })
      )
      const { body } = yield* fetchJson(`${sandbox.baseUrl}/sandbox/incidents`)
      expect(body).toEqual(yield* sandbox.incidents)
    })
  )
})

describe("the watchdog", () => {
  const make = (answering: () => boolean, restart: () => Effect.Effect<void, SandboxError>) =>
    Effect.gen(function* () {
      const dog = yield* Watchdog.make()
      let pid = 1
      yield* dog.watch({
        network: "solana-devnet",
        node: "normal-1",
        kept: false,
        pid: Effect.sync(() => pid),
        state: Effect.succeed("running"),
        isWanted: Effect.succeed(true),
        probe: Effect.suspend(() => (answering() ? Effect.void : Effect.never)),
        restart: () =>
          Effect.tap(restart(), () =>
            Effect.sync(() => {
              pid++
            })
          ).pipe(Effect.as(true))
      })
      return dog
    })

  it.scoped("lets a node be slow for less than its time", () =>
    Effect.gen(function* () {
      let isUp = true
      const dog = yield* make(
        () => isUp,
        () => Effect.dieMessage("restarted")
      )
      for (let i = 0; i < 5; i++) {
        isUp = false
        yield* TestClock.adjust("15 seconds")
        isUp = true
        yield* TestClock.adjust("15 seconds")
      }
      expect(yield* dog.incidents).toEqual([])
    })
  )

  it.scoped("tries again, ever more seldom, while a node does not come up, and says so", () =>
    Effect.gen(function* () {
      let tries = 0
      const dog = yield* make(
        () => tries > 2,
        () => (++tries <= 2 ? new SandboxError({ reason: "start", message: "port taken" }) : Effect.void)
      )
      yield* TestClock.adjust("2 minutes")
      expect(tries).toBe(3)
      const all = yield* dog.incidents
      expect(all.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "restarted"])
      expect(all[0]?.message).toMatch(/port taken/)
      yield* TestClock.adjust("10 minutes")
      expect(yield* dog.incidents).toHaveLength(3)
    })
  )

  it.effect("refuses times that are none", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(Watchdog.make({ every: "0 millis" }))
      expect(Exit.isFailure(exit) && JSON.stringify(exit.cause)).toMatch(/every/)
    })
  )
})
