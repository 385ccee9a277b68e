/**
 * Lodestar: a beacon chain with all of its validators.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type { Handler } from "../Handler.js"
import { forwardRequest, jsonResponse, parseBody, withRealClock } from "../Loopback.js"
import { SandboxError } from "../SandboxError.js"
import { requireProgram } from "./binaries.js"
import * as Process from "./Process.js"
import { textAt } from "./Utxo.js"

/**
 * The options of a beacon chain. A slot lasts `slotTime` seconds, a whole number (default: 2). An epoch has 8 slots.
 *
 * @since 0.1.0
 * @category models
 */
export interface LodestarOptions {
  readonly slotTime?: number
}

/** Its libraries need functions of Node versions above 20. */
const HOST_SCRIPT = `
Promise.withResolvers ??= function () {
  const parts = {}
  parts.promise = new this((resolve, reject) => {
    Object.assign(parts, { resolve, reject })
  })
  return parts
}
import(require("node:url").pathToFileURL(process.argv[1]).href)
`

const VALIDATOR_COUNT = 8

const NAME = "lodestar"

/** The slot of the chain's head. */
const readHeadSlot = (url: string): Effect.Effect<number, SandboxError> =>
  Effect.flatMap(
    forwardRequest(
      url,
      { method: "GET", path: "/eth/v1/node/syncing", headers: {}, body: Buffer.alloc(0) },
      { timeout: 5_000, reuse: false }
    ),
    ({ body, status }) => {
      const slot = Number(textAt(parseBody(body), "data", "head_slot"))
      return Number.isInteger(slot)
        ? Effect.succeed(slot)
        : new SandboxError({ reason: "chain", message: `${NAME} reported no head (HTTP ${status})` })
    }
  )

/**
 * Starts a beacon chain and waits until its REST API answers and there is a block. `height` is the slot of its head.
 * Slots pass by themselves, and `mine` waits for them. A restart begins at a new genesis. It ends with the scope and
 * with this process. Fails without the package (`binary`), and with its output if it does not come up (`start`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const start = (
  options: LodestarOptions = {}
): Effect.Effect<Process.ChainNode, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const file = yield* requireProgram(NAME)
    const port = yield* Process.freePort
    const slotTime = options.slotTime ?? 2
    const child = yield* Process.make({
      name: NAME,
      command: process.execPath,
      args: (rest, folder) => [
        "-e",
        HOST_SCRIPT,
        "--",
        file,
        "dev",
        `--dataDir=${folder}`,
        `--genesisValidators=${VALIDATOR_COUNT}`,
        `--startValidators=0..${VALIDATOR_COUNT - 1}`,
        `--genesisTime=${Math.floor(Date.now() / 1_000) + 3}`,
        "--reset",
        "--rest.namespace=*",
        `--rest.port=${rest}`,
        // the default would be the default port
        `--beaconNodes=http://127.0.0.1:${rest}`,
        "--eth1=false",
        "--execution.engineMock",
        `--params.SECONDS_PER_SLOT=${slotTime}`,
        "--params.ALTAIR_FORK_EPOCH=0",
        // after the merge, its mock of an execution client would never finish synchronising
        "--params.BELLATRIX_FORK_EPOCH=1000000",
        "--discv5=false",
        "--mdns=false",
        "--listenAddress=127.0.0.1",
        `--port=${port}`
      ],
      env: { NODE_BACKEND: "js", LODESTAR_PRESET: "minimal" },
      ready: (url) => Effect.map(readHeadSlot(url), (slot) => slot > 0)
    })
    const height = Effect.suspend(() => readHeadSlot(child.url))
    return {
      ...child,
      handler: Process.forwardTo(() => child.url),
      height,
      mine: (blocks: number) =>
        Effect.flatMap(height, (before) =>
          Effect.repeat(height, {
            until: (now) => now >= before + blocks,
            schedule: Schedule.spaced("100 millis")
          })
        ).pipe(Effect.asVoid, withRealClock)
    }
  }).pipe(withRealClock)

/**
 * A beacon chain that starts with the first request; requests wait for the start. If it fails, the answer is HTTP 503
 * with the reason, and the next request tries again. `started` gets the node. It ends with the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const startOnDemand = (
  options: LodestarOptions = {},
  started: (node: Process.ChainNode) => Effect.Effect<void, never, Scope.Scope> = () => Effect.void
): Effect.Effect<Handler, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    let starting: Deferred.Deferred<Process.ChainNode, SandboxError> | undefined
    // Runs in the scope of the chain, so that an interrupted caller does not end the start for the others.
    const startOnce = Effect.gen(function* () {
      if (starting !== undefined) return starting
      const deferred = Deferred.unsafeMake<Process.ChainNode, SandboxError>(FiberId.none)
      starting = deferred
      yield* start(options).pipe(
        Effect.tap(started),
        Scope.extend(scope),
        Effect.tapError(() =>
          Effect.sync(() => {
            starting = undefined
          })
        ),
        Effect.intoDeferred(deferred),
        Effect.forkIn(scope)
      )
      return deferred
    })
    return (received) =>
      Effect.flatMap(startOnce, Deferred.await).pipe(
        Effect.flatMap(({ handler }) => handler(received)),
        Effect.catchAll(({ message }) => Effect.succeed(jsonResponse({ statusCode: 503, message }, 503)))
      )
  })
