/**
 * Restarts nodes that have ended or do not answer. It tests them with a real call of their chain, since a node's own
 * health report may be wrong.
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
 * The timing of the watchdog. It calls each node `every` interval (default: 2 seconds), and restarts a node that has
 * answered no call for `within` (default: 20 seconds).
 *
 * @since 0.1.0
 * @category models
 */
export interface WatchdogOptions {
  readonly every?: Duration.DurationInput
  readonly within?: Duration.DurationInput
}

/**
 * A node to watch. `probe` is a cheap call to the process itself that reads the chain's state. `isWanted` says whether
 * the node should run; one that was stopped or frozen on purpose is not restarted. `restart` does nothing and yields
 * false if the process with this `pid` has been replaced meanwhile. `kept` says whether the chain keeps its blocks.
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
 * The watchdog. `watch` watches a node until the scope closes. `incidents` are the last 1,000 restarts, oldest first;
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

/** The number of failed calls in a row before a restart, since a single call may get lost. */
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

const makeIncidentLog = (within: Duration.Duration) => {
  const incidents: Array<Incident> = []
  let ids = 0
  const recordIncident = (
    { kept, network, node }: WatchedNode,
    what: Incident["what"],
    outcome: Incident["outcome"],
    consequence: string
  ) =>
    Effect.gen(function* () {
      const why = what === "ended" ? "ended by itself" : `did not answer for ${Duration.format(within)}`
      const message = `${network}/${node} ${why}, and ${consequence}`
      const at = yield* Clock.currentTimeMillis
      incidents.push({ id: ++ids, at, network, node, what, outcome, kept, message })
      if (incidents.length > MAX_INCIDENTS) incidents.shift()
      yield* Effect.logWarning(message)
    })
  return { incidents: Effect.sync(() => [...incidents]), recordIncident }
}

type IncidentLog = ReturnType<typeof makeIncidentLog>

/** Starts a node again, and retries with a growing pause for as long as it is wanted. */
const restartNode = (
  log: IncidentLog,
  node: WatchedNode,
  what: Incident["what"],
  pause: Duration.Duration
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const outcome = yield* Effect.either(Effect.flatMap(node.pid, node.restart))
    if (Either.isRight(outcome)) {
      if (!outcome.right) return
      return yield* log.recordIncident(
        node,
        what,
        "restarted",
        `runs again, ${node.kept ? "with every block" : "at its genesis, since it keeps no state"}`
      )
    }
    yield* log.recordIncident(
      node,
      what,
      "failed",
      `did not start again. The next attempt is in ${Duration.format(pause)}: ${outcome.left.message}`
    )
    yield* Effect.sleep(pause)
    if (yield* node.isWanted)
      yield* restartNode(log, node, what, Duration.min(Duration.times(pause, 2), MAX_PAUSE))
  })

/** The trouble of a node. A node that answers has none, and neither has one that was stopped or frozen on purpose. */
const checkNode = (
  node: WatchedNode,
  timeout: Duration.Duration
): Effect.Effect<Incident["what"] | undefined> => {
  const expectedState = Effect.zipWith(node.state, node.isWanted, (state, isWanted) =>
    isWanted && state !== "frozen" ? state : undefined
  )
  return Effect.gen(function* () {
    const state = yield* expectedState
    if (state !== "running") return state && "ended"
    const answered = yield* node.probe.pipe(Effect.timeout(timeout), Effect.isSuccess)
    return answered || (yield* expectedState) !== "running" ? undefined : "silent"
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
    const probeTimeout = Duration.millis(Math.ceil(Duration.toMillis(within) / MAX_MISSES))
    const withinNanos = Duration.unsafeToNanos(within)
    const log = makeIncidentLog(within)

    const watch = (node: WatchedNode): Effect.Effect<void, never, Scope.Scope> =>
      Effect.gen(function* () {
        let misses = 0
        let answeredAt = yield* Clock.currentTimeNanos
        let pid = yield* node.pid
        const checkOnce = Effect.gen(function* () {
          const what = yield* checkNode(node, probeTimeout)
          const now = yield* Clock.currentTimeNanos
          const next = yield* node.pid
          // a replaced process has the whole time again
          if (what === undefined || (what === "silent" && next !== pid)) {
            misses = 0
            answeredAt = now
            pid = next
          } else if (what === "ended" || (++misses >= MAX_MISSES && now - answeredAt >= withinNanos)) {
            yield* restartNode(log, node, what, every)
          }
        })
        yield* Effect.forkScoped(Effect.forever(Effect.delay(checkOnce, every)))
      })

    return { watch, incidents: log.incidents } satisfies WatchdogService
  })

/**
 * The watchdog as a layer; see `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options?: WatchdogOptions): Layer.Layer<Watchdog, SandboxError> =>
  Layer.effect(Watchdog, make(options))
