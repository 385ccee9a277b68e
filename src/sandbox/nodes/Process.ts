/**
 * Nodes as scoped processes.
 *
 * @since 0.1.0
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rm } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Handler } from "../Handler.js"
import { forwardRequest, listen, withRealClock } from "../Loopback.js"
import { SandboxError } from "../SandboxError.js"

/**
 * The program to start. `args` get a free port of 127.0.0.1 and an empty folder. The folder is also its working
 * directory and home, and is removed when the process has ended. `ready` says whether the node answers at the url, and
 * its failure counts as no. A node that chooses its port itself yields its `url` once it has one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Program {
  readonly name: string
  readonly command: string
  readonly args: (port: number, folder: string) => ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly ready: (url: string) => Effect.Effect<boolean, SandboxError>
  readonly url?: (folder: string) => string | undefined
}

/**
 * A node, which ends with its scope. `start` and `stop` do nothing if the node is in that state already. A node that
 * starts again begins at genesis, with the same url unless it chooses its port itself. `freeze` suspends the process:
 * its port stays open and it does not answer (SIGSTOP, not on Windows). `resume` continues it. `pid` is undefined while
 * it is stopped.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodeProcess {
  readonly url: string
  readonly pid: Effect.Effect<number | undefined>
  readonly state: Effect.Effect<"running" | "frozen" | "stopped">
  readonly start: Effect.Effect<void, SandboxError>
  readonly stop: Effect.Effect<void>
  readonly freeze: Effect.Effect<void, SandboxError>
  readonly resume: Effect.Effect<void, SandboxError>
}

/**
 * A node with its chain. `handler` forwards requests to it with its credentials. It waits while the node is frozen, and
 * drops the connection when there is no process. `height` is the number of the newest block. `mine` completes when
 * there are that many more blocks.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainNode extends NodeProcess {
  readonly handler: Handler
  readonly height: Effect.Effect<number, SandboxError>
  readonly mine: (blocks: number) => Effect.Effect<void, SandboxError>
}

/** The limit until a node that runs answers; one that ends fails at once. Nodes write their first files, on a disk that may be busy. */
const START_TIMEOUT = "1 minute"

/**
 * The node's parent, the guard. It kills the node as soon as its own stdin ends, and removes the folder. The kernel
 * closes that stdin however the SDK's process ends, SIGKILL included. A parent knows that the pid is still its child's,
 * and SIGKILL ends stopped processes too. Both guards are source text, so that they work from dist, from a bundle and
 * under a test runner that compiles TypeScript in memory.
 *
 * A shell is there at once, and takes 40 MB less than Node.js. It says nothing itself, since a write to a parent that has gone would end it. What
 * reads its stdin is a process beside it, which goes on where a signal ends the shell.
 */
const SHELL_GUARD = `
folder=$1
shift
exec 3<&0
cd "$folder" || exit 1
"$@" </dev/null >&2 3<&- &
node=$!
printf %s "$node"
exec >/dev/null 2>&1
{ read -r _ <&3; kill -KILL "$node"; } &
watch=$!
wait "$node"
code=$?
kill -KILL "$watch"
rm -rf -- "$folder"
exit "$code"
`

/** The same for Windows, which has no such shell. */
const NODE_GUARD = `
const { spawn } = require("node:child_process")
const { rmSync } = require("node:fs")
const [folder, command, ...args] = process.argv.slice(1)
const leave = (code) => {
  try { rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) } catch {}
  process.exit(code)
}
const node = spawn(command, args, { stdio: ["ignore", 2, 2], cwd: folder, windowsHide: true })
const end = () => node.kill("SIGKILL")
node.on("error", (error) => { console.error(error.message); leave(1) })
node.on("exit", (code) => leave(code ?? 0))
process.stdout.on("error", () => {})
process.stdin.on("end", end).on("error", end).resume()
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(signal, end)
if (node.pid !== undefined) process.stdout.write(String(node.pid))
`

/** The guard as a command, which a folder, the node's command and its arguments follow. */
const [GUARD, ...GUARD_ARGS] =
  process.platform === "win32"
    ? ([process.execPath, "-e", NODE_GUARD, "--"] as const)
    : (["/bin/sh", "-c", SHELL_GUARD, "guard"] as const)

interface RunningProcess {
  readonly guard: ChildProcess
  readonly folder: string
  readonly exited: Deferred.Deferred<void>
  readonly readOutput: () => string
  pid: number | undefined
  isFrozen: boolean
}

const sendSignal = (name: string, pid: number, kind: NodeJS.Signals): Effect.Effect<void, SandboxError> =>
  Effect.try({
    try: () => {
      process.kill(pid, kind)
    },
    catch: (error) =>
      new SandboxError({
        reason: "signal",
        message: `${kind} did not reach ${name} (${String(error)}): freezing needs Linux or macOS, and a running node`
      })
  })

/** The number of characters that are kept from the end of the output. */
const MAX_OUTPUT = 4_000

const spawnProgram = (program: Program, port: number, exited: Deferred.Deferred<void>): RunningProcess => {
  let printed = ""
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const folder = mkdtempSync(join(tmpdir(), "effect-chains-node-"))
  const child = spawn(GUARD, [...GUARD_ARGS, folder, program.command, ...program.args(port, folder)], {
    stdio: ["pipe", "pipe", "pipe"],
    // A node must not read or write files in the user's own home.
    env: { ...inherited, HOME: folder, USERPROFILE: folder, ...program.env },
    // The guard has a session of its own. Ctrl-C and the end of the terminal reach it only through its stdin.
    detached: true,
    windowsHide: true
  })
  const running: RunningProcess = {
    guard: child,
    folder,
    exited,
    readOutput: () => printed.trim(),
    pid: undefined,
    isFrozen: false
  }
  child.stdout.on("data", (chunk: Buffer) => {
    running.pid = Number(chunk.toString())
  })
  child.stderr.on("data", (chunk: Buffer) => {
    printed = (printed + chunk.toString()).slice(-MAX_OUTPUT)
  })
  child.stdin.on("error", () => {})
  child.on("error", (error) => {
    printed += error.message
    Deferred.unsafeDone(exited, Exit.void)
  })
  child.once("exit", (_code, killed) => {
    // if the guard was killed, nothing else ends the node
    if (killed !== null && running.pid !== undefined)
      Effect.runSync(Effect.ignore(sendSignal(program.name, running.pid, "SIGKILL")))
  })
  // The node and its guard share the pipe, so this is the end of both, after all output.
  child.once("close", () => {
    rm(folder, { recursive: true, force: true, maxRetries: 3 }, () => Deferred.unsafeDone(exited, Exit.void))
  })
  return running
}

/** The ports of this process's nodes, so that two nodes that start at once never get the same one. */
const takenPorts = new Set<number>()

/**
 * A free port of 127.0.0.1, reserved until the scope closes.
 *
 * @since 0.1.0
 * @category getters
 */
export const freePort: Effect.Effect<number, SandboxError, Scope.Scope> = Effect.acquireRelease(
  Effect.scoped(listen(() => Effect.succeed("drop"))).pipe(
    Effect.repeat({ until: (port) => !takenPorts.has(port) }),
    Effect.tap((port) => Effect.sync(() => takenPorts.add(port)))
  ),
  (port) => Effect.sync(() => takenPorts.delete(port))
)

/** Whether every thread of a process has stopped. Without /proc the answer is yes. */
const areThreadsStopped = (pid: number): boolean => {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return true
  // the state is the first letter after the name in brackets
  return readdirSync(tasks).every((task) =>
    / [Tt] /.test(readFileSync(`${tasks}/${task}/stat`, "utf8").replace(/^.*\)/, ""))
  )
}

/** The kernel delivers a signal with a delay, and the process answers until then. */
const awaitStopped = (pid: number): Effect.Effect<void> =>
  Effect.sleep("20 millis").pipe(
    Effect.zipRight(Effect.try(() => areThreadsStopped(pid))),
    Effect.orElseSucceed(() => true),
    Effect.repeat({ until: (still) => still, times: 50 }),
    Effect.asVoid,
    withRealClock
  )

const isPortTaken = (error: SandboxError): boolean =>
  /address already in use|EADDRINUSE|unable to bind/i.test(error.message)

/**
 * Starts a program on a free port of 127.0.0.1 and waits until it is ready. It ends with the scope and with this
 * process, however the process ends. Fails with the program's output if it does not come up (`start`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (program: Program): Effect.Effect<NodeProcess, SandboxError, Scope.Scope> =>
  freePort.pipe(
    // The port may be taken before the node binds it.
    Effect.flatMap((port) => makeAt(program, port)),
    Effect.retry({ while: isPortTaken, times: 5 })
  )

interface ProgramState {
  readonly program: Program
  readonly port: number
  url: string
  /** The current process, or the last one. */
  current: RunningProcess | undefined
  /** Whether the scope is closed, after which the program cannot start again. */
  isClosed: boolean
}

const makeStartError = ({ program, url }: ProgramState, why: string): SandboxError =>
  new SandboxError({ reason: "start", message: `${program.name} at ${url} did not start: ${why}` })

const stopProcess = (kept: ProgramState): Effect.Effect<void> =>
  Effect.suspend(() => {
    const running = kept.current
    if (running === undefined) return Effect.void
    running.guard.stdin?.end()
    return Deferred.await(running.exited).pipe(
      Effect.interruptible,
      Effect.timeout("5 seconds"),
      // If the guard hangs, it is killed, and the listener in `spawnProgram` ends the node.
      Effect.catchAll(() => {
        running.guard.kill("SIGKILL")
        return Deferred.await(running.exited)
      }),
      Effect.ensuring(
        Effect.sync(() => {
          if (kept.current === running) kept.current = undefined
        })
      )
    )
  }).pipe(withRealClock)

const checkReady = (kept: ProgramState, running: RunningProcess): Effect.Effect<void, SandboxError> =>
  Effect.gen(function* () {
    const { program } = kept
    if (program.url !== undefined) {
      const chosen = program.url(running.folder)
      if (chosen === undefined) return yield* makeStartError(kept, "it reported no url")
      kept.url = chosen
    }
    if (!(yield* program.ready(kept.url)))
      return yield* makeStartError(kept, "another program answers at its port")
  })

const launchProcess = (kept: ProgramState): Effect.Effect<void, SandboxError> =>
  Effect.gen(function* () {
    const { port, program } = kept
    const exited = yield* Deferred.make<void>()
    const running = yield* Effect.suspend(() => {
      if (kept.isClosed) return makeStartError(kept, "its scope is closed")
      return Effect.try({
        try: () => {
          kept.current = spawnProgram(program, port, exited)
          return kept.current
        },
        catch: (error) => makeStartError(kept, String(error))
      })
    })
    const ended = Effect.flatMap(Deferred.await(exited), () =>
      makeStartError(kept, running.readOutput() || "it ended at once")
    )
    yield* checkReady(kept, running).pipe(
      Effect.retry(Schedule.spaced("20 millis")),
      // If the node did not get the port, the answer came from another program.
      Effect.zipRight(Effect.suspend(() => (running.guard.exitCode === null ? Effect.void : Effect.never))),
      Effect.raceFirst(ended),
      Effect.timeoutFail({
        duration: START_TIMEOUT,
        onTimeout: () => makeStartError(kept, `no answer within a minute. ${running.readOutput()}`)
      })
    )
  }).pipe(
    Effect.tapErrorCause(() => stopProcess(kept)),
    Effect.onInterrupt(() => stopProcess(kept)),
    withRealClock
  )

/** The process if it runs. One that has ended by itself, or by another process's signal, counts as stopped. */
const findRunning = (kept: ProgramState): Effect.Effect<RunningProcess | undefined> =>
  Effect.sync(() => {
    const { current } = kept
    return current?.guard.exitCode === null && current.guard.signalCode === null ? current : undefined
  })

const setFrozen = (
  kept: ProgramState,
  kind: NodeJS.Signals,
  frozen: boolean
): Effect.Effect<void, SandboxError> =>
  Effect.flatMap(findRunning(kept), (running) =>
    running?.pid === undefined
      ? Effect.void
      : Effect.tap(sendSignal(kept.program.name, running.pid, kind), () =>
          Effect.sync(() => {
            running.isFrozen = frozen
          })
        )
  )

const makeAt = (program: Program, port: number): Effect.Effect<NodeProcess, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const url = `http://127.0.0.1:${port}`
    const kept: ProgramState = { program, port, url, current: undefined, isClosed: false }
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        kept.isClosed = true
        return stopProcess(kept)
      })
    )
    yield* launchProcess(kept)
    return {
      get url() {
        return kept.url
      },
      pid: Effect.map(findRunning(kept), (running) => running?.pid),
      state: Effect.map(findRunning(kept), (running) =>
        running === undefined ? "stopped" : running.isFrozen ? "frozen" : "running"
      ),
      start: Effect.flatMap(findRunning(kept), (running) =>
        running !== undefined
          ? Effect.void
          : Effect.retry(launchProcess(kept), {
              while: isPortTaken,
              times: 20,
              schedule: Schedule.spaced("100 millis")
            })
      ).pipe(withRealClock),
      stop: stopProcess(kept),
      freeze: Effect.zipRight(
        setFrozen(kept, "SIGSTOP", true),
        Effect.flatMap(findRunning(kept), (running) =>
          running?.pid === undefined ? Effect.void : awaitStopped(running.pid)
        )
      ),
      resume: setFrozen(kept, "SIGCONT", false)
    }
  })

/**
 * Forwards requests to the node at `url`, with the url's user info as basic auth in place of the caller's. Pages of
 * every allowed origin may read the answers. Drops the connection if the node does not answer.
 *
 * @since 0.1.0
 * @category operations
 */
export const forwardTo =
  (url: () => string): Handler =>
  (received) =>
    Effect.suspend(() => {
      const { authorization: _, ...headers } = received.headers
      return forwardRequest(url(), { ...received, headers })
    }).pipe(
      Effect.map((answer) => ({
        ...answer,
        headers: { ...answer.headers, "access-control-allow-origin": "*" }
      })),
      Effect.catchAll(() => Effect.succeed("drop" as const))
    )
