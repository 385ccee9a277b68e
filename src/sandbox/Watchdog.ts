/**
 * Nodes that stop answering, or end: noticed by a real call of their chain, not by their own report of their health, and
 * started again.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Incident } from "./api/Admin.js"
import type { NodeProcess } from "./nodes/Process.js"
import { SandboxError } from "./SandboxError.js"

/**
 * The timing of the watch: each node gets a call `every` so often (default: 2 seconds), and one that has answered none for
 * `within` (default: 20 seconds) is started again.
 *
 * @since 0.1.0
 * @category models
 */
export interface WatchdogOptions {
  readonly every?: Duration.DurationInput
  readonly within?: Duration.DurationInput
}

/**
 * A node to watch. `probe` is a cheap call that looks at the state of the chain, made at the process itself. `isWanted`
 * tells whether the node is meant to run: a node that was stopped or frozen on purpose is left alone. `restart` yields
 * false, and has done nothing, if the process is another one by then than the one that did not answer. `kept` says whether the
 * chain has its blocks back then.
 *
 * @since 0.1.0
 * @category models
 */
export interface WatchedNode extends Pick<NodeProcess, "pid" | "state"> {
  readonly network: string
  readonly node: string
  readonly kept: boolean
  readonly isWanted: Effect.Effect<boolean>
  readonly probe: Effect.Effect<unknown, SandboxError>
  readonly restart: (pid: number | undefined) => Effect.Effect<boolean, SandboxError>
}

/**
 * The watchdog. `watch` looks after a node until the scope closes. `incidents` are the last 1,000 restarts, the oldest first;
 * each is logged as a warning too.
 *
 * @since 0.1.0
 * @category models
 */
export interface WatchdogService {
  readonly watch: (node: WatchedNode) => Effect.Effect<void, never, Scope.Scope>
  readonly incidents: Effect.Effect<ReadonlyArray<Incident>>
}

/**
 * The watchdog of a sandbox.
 *
 * @since 0.1.0
 * @category services
 */
export class Watchdog extends Context.Tag("effect-chains/sandbox/Watchdog")<Watchdog, WatchdogService>() {}

const MAX_INCIDENTS = 1_000

/** Calls in a row without an answer: one may be lost for reasons of its own. */
const MAX_MISSES = 3

const MAX_PAUSE = Duration.minutes(1)

const decodePositive = (
  name: string,
  input: Duration.DurationInput
): Effect.Effect<Duration.Duration, SandboxError> => {
  const duration = Duration.decode(input)
  return Duration.greaterThan(duration, Duration.zero) && Duration.isFinite(duration)
    ? Effect.succeed(duration)
    : new SandboxError({
        reason: "options",
        message: `"${name}" of the watchdog must be a time above 0, such as "2 seconds"`
      })
}

/**
 * Makes a watchdog. Fails for times that are not above 0 (`options`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: WatchdogOptions = {}): Effect.Effect<WatchdogService, SandboxError> =>
  Effect.gen(function* () {
    const every = yield* decodePositive("every", options.every ?? "2 seconds")
    const within = yield* decodePositive("within", options.within ?? "20 seconds")
    const limit = Duration.millis(Math.ceil(Duration.toMillis(within) / MAX_MISSES))
    const withinNanos = Duration.unsafeToNanos(within)
    const incidents: Array<Incident> = []
    let ids = 0

    const recordIncident = (
      node: WatchedNode,
      what: Incident["what"],
      outcome: Incident["outcome"],
      more: string
    ) =>
      Effect.gen(function* () {
        const { kept, network } = node
        const why = what === "ended" ? "ended by itself" : `answered nothing for ${Duration.format(within)}`
        const message = `${network}/${node.node} ${why}, and ${more}`
        const at = yield* Clock.currentTimeMillis
        incidents.push({ id: ++ids, at, network, node: node.node, what, outcome, kept, message })
        if (incidents.length > MAX_INCIDENTS) incidents.shift()
        yield* Effect.logWarning(message)
      })

    /** Starts a node again, however long that takes. */
    const restartNode = (node: WatchedNode, what: Incident["what"], pause = every): Effect.Effect<void> =>
      Effect.gen(function* () {
        const outcome = yield* Effect.either(Effect.flatMap(node.pid, node.restart))
        if (Either.isRight(outcome)) {
          if (!outcome.right) return
          return yield* recordIncident(
            node,
            what,
            "restarted",
            `runs again, ${node.kept ? "with every block" : "at its genesis, since it keeps no state"}`
          )
        }
        yield* recordIncident(
          node,
          what,
          "failed",
          `did not come up again, which is tried once more in ${Duration.format(pause)}: ${outcome.left.message}`
        )
        yield* Effect.sleep(pause)
        if (yield* node.isWanted)
          yield* restartNode(node, what, Duration.min(Duration.times(pause, 2), MAX_PAUSE))
      })

    /** The trouble of a node; nothing where it answers, or owes no answer since it was stopped or frozen on purpose. */
    const checkNode = (node: WatchedNode): Effect.Effect<Incident["what"] | undefined> => {
      const owes = Effect.zipWith(node.state, node.isWanted, (state, isWanted) =>
        isWanted && state !== "frozen" ? state : undefined
      )
      return Effect.gen(function* () {
        const state = yield* owes
        if (state !== "running") return state && "ended"
        const answered = yield* node.probe.pipe(Effect.timeout(limit), Effect.isSuccess)
        return answered || (yield* owes) !== "running" ? undefined : "silent"
      })
    }

    const watch = (node: WatchedNode): Effect.Effect<void, never, Scope.Scope> =>
      Effect.gen(function* () {
        let misses = 0
        let answered = yield* Clock.currentTimeNanos
        let pid = yield* node.pid
        const checkOnce = Effect.gen(function* () {
          const what = yield* checkNode(node)
          const now = yield* Clock.currentTimeNanos
          const next = yield* node.pid
          // A process that took the place of another has the whole time again.
          if (what === undefined || (what === "silent" && next !== pid)) {
            misses = 0
            answered = now
            pid = next
          } else if (what === "ended" || (++misses >= MAX_MISSES && now - answered >= withinNanos)) {
            yield* restartNode(node, what)
          }
        })
        yield* Effect.forkScoped(Effect.forever(Effect.delay(checkOnce, every)))
      })

    return { watch, incidents: Effect.sync(() => [...incidents]) } satisfies WatchdogService
  })

/**
 * The watchdog as a layer; see `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options?: WatchdogOptions): Layer.Layer<Watchdog, SandboxError> =>
  Layer.effect(Watchdog, make(options))
