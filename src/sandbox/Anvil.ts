/**
 * Anvil nodes as scoped processes.
 *
 * @since 0.1.0
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { delimiter, dirname, join, resolve } from "node:path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { call, listen, realTime } from "./Loopback.js"
import { SandboxError } from "./SandboxError.js"

/**
 * The version of anvil that the sandbox is tested with.
 *
 * @since 0.1.0
 * @category binary
 */
export const VERSION = "1.7.1"

const packages: Readonly<Record<string, string>> = {
  "linux-x64": "@foundry-rs/anvil-linux-amd64",
  "linux-arm64": "@foundry-rs/anvil-linux-arm64",
  "darwin-x64": "@foundry-rs/anvil-darwin-amd64",
  "darwin-arm64": "@foundry-rs/anvil-darwin-arm64",
  "win32-x64": "@foundry-rs/anvil-win32-amd64"
}

const file = process.platform === "win32" ? "anvil.exe" : "anvil"

const inPackage = (name: string, from: string): string | undefined => {
  try {
    return join(dirname(createRequire(from).resolve(`${name}/package.json`)), "bin", file)
  } catch {
    return undefined
  }
}

/**
 * The path of the anvil binary: from the platform's package next to this one or in the working directory's project, or
 * else from the PATH. Fails with the package and the version to install.
 *
 * @since 0.1.0
 * @category binary
 */
export const binary: Effect.Effect<string, SandboxError> = Effect.suspend(() => {
  const name = packages[`${process.platform}-${process.arch}`]
  const candidates = [
    ...(name === undefined
      ? []
      : [inPackage(name, import.meta.url), inPackage(name, join(process.cwd(), "package.json"))]),
    ...(process.env.PATH ?? "")
      .split(delimiter)
      .map((folder) => (folder === "" ? undefined : resolve(folder, file)))
  ]
  const found = candidates.find((path) => path !== undefined && existsSync(path))
  if (found !== undefined) return Effect.succeed(found)
  const advice =
    name === undefined
      ? `install Foundry (https://getfoundry.sh) and put anvil ${VERSION} on the PATH`
      : `run "npm install --save-dev ${name}@${VERSION}", or put Foundry's anvil on the PATH`
  return new SandboxError({
    reason: "binary",
    message: `The sandbox needs the anvil binary, and there is none: ${advice}`
  })
})

/**
 * What to start. `blockTime` is in seconds, one block per transaction without it; `number` and `timestamp` (Unix
 * seconds) are those of the genesis block. With `noMining`, blocks come only from `evm_mine`. Ten accounts by default.
 *
 * @since 0.1.0
 * @category models
 */
export interface AnvilOptions {
  readonly chainId: number
  readonly blockTime?: number
  readonly accounts?: number
  readonly number?: number
  readonly timestamp?: number
  readonly noMining?: boolean
}

/**
 * A node, as long as its scope is open. `start` and `stop` may be repeated, and do nothing if that is the state already;
 * a node that is started again has the same url and begins at genesis. `freeze` leaves the process where it is, with its
 * port open and no answers (SIGSTOP, not on Windows), `resume` lets it go on. `pid` is undefined while it is stopped.
 *
 * @since 0.1.0
 * @category models
 */
export interface AnvilNode {
  readonly url: string
  readonly chainId: number
  readonly pid: Effect.Effect<number | undefined>
  readonly state: Effect.Effect<"running" | "frozen" | "stopped">
  readonly start: Effect.Effect<void, SandboxError>
  readonly stop: Effect.Effect<void>
  readonly freeze: Effect.Effect<void, SandboxError>
  readonly resume: Effect.Effect<void, SandboxError>
}

/**
 * Anvil's parent: it kills anvil as soon as its own stdin ends, which the kernel sees to however the SDK's process ends,
 * SIGKILL included. As the parent it knows that the pid is still anvil's, and SIGKILL ends stopped processes too. It is
 * source text, so that it works from dist, from a bundle and under a test runner that compiles TypeScript in memory.
 */
const guard = `
const { spawn } = require("node:child_process")
const [binary, ...args] = process.argv.slice(1)
const anvil = spawn(binary, args, { stdio: ["ignore", 2, 2], windowsHide: true })
const end = () => anvil.kill("SIGKILL")
anvil.on("error", (error) => { console.error(error.message); process.exit(1) })
anvil.on("exit", (code) => process.exit(code ?? 0))
process.stdout.on("error", () => {})
process.stdin.on("end", end).on("error", end).resume()
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(signal, end)
if (anvil.pid !== undefined) process.stdout.write(String(anvil.pid))
`

interface Running {
  readonly guard: ChildProcess
  readonly exited: Deferred.Deferred<void>
  readonly printed: () => string
  pid: number | undefined
  frozen: boolean
}

const signal = (pid: number, name: NodeJS.Signals): Effect.Effect<void, SandboxError> =>
  Effect.try({
    try: () => {
      process.kill(pid, name)
    },
    catch: (error) =>
      new SandboxError({
        reason: "signal",
        message: `${name} did not reach anvil (${String(error)}): freezing needs Linux or macOS, and a running node`
      })
  })

/** What is left of a long output. */
const TAIL = 4_000

const run = (path: string, args: ReadonlyArray<string>, exited: Deferred.Deferred<void>): Running => {
  let printed = ""
  const { NODE_OPTIONS: _, ...env } = process.env
  const child = spawn(process.execPath, ["-e", guard, "--", path, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env,
    // In a session of its own, Ctrl-C and the end of the terminal reach the guard only by way of its stdin.
    detached: true,
    windowsHide: true
  })
  const running: Running = {
    guard: child,
    exited,
    printed: () => printed.trim(),
    pid: undefined,
    frozen: false
  }
  child.stdout.on("data", (chunk: Buffer) => {
    running.pid = Number(chunk.toString())
  })
  child.stderr.on("data", (chunk: Buffer) => {
    printed = (printed + chunk.toString()).slice(-TAIL)
  })
  child.stdin.on("error", () => {})
  child.on("error", (error) => {
    printed += error.message
    Deferred.unsafeDone(exited, Exit.void)
  })
  child.once("exit", (_code, killed) => {
    // Somebody killed the guard: nobody else would end anvil.
    if (killed !== null && running.pid !== undefined)
      Effect.runSync(Effect.ignore(signal(running.pid, "SIGKILL")))
  })
  // Anvil writes to the same pipe as its guard, so this is the end of both, with everything printed.
  child.once("close", () => Deferred.unsafeDone(exited, Exit.void))
  return running
}

/** Ports that nodes of this process have, so that two that start at once never take the same one. */
const taken = new Set<number>()

const freePort: Effect.Effect<number, SandboxError> = Effect.scoped(
  listen(() => Effect.succeed("drop"))
).pipe(
  Effect.repeat({ until: (port) => !taken.has(port) }),
  Effect.tap((port) => Effect.sync(() => taken.add(port)))
)

/** Whether every thread of a process has stopped; where there is no /proc, nothing can tell. */
const isStill = (pid: number): boolean => {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return true
  // the state is the first letter behind the name, which is in brackets
  return readdirSync(tasks).every((task) =>
    / [Tt] /.test(readFileSync(`${tasks}/${task}/stat`, "utf8").replace(/^.*\)/, ""))
  )
}

/** A signal is delivered when the kernel gets to it: until then a process that was told to stop goes on answering. */
const untilStill = (pid: number): Effect.Effect<void> =>
  Effect.sleep("20 millis").pipe(
    Effect.zipRight(Effect.try(() => isStill(pid))),
    Effect.orElseSucceed(() => true),
    Effect.repeat({ until: (still) => still, times: 50 }),
    Effect.asVoid,
    realTime
  )

const collided = (error: SandboxError): boolean => error.message.includes("Address already in use")

/**
 * Starts an anvil on a free port of 127.0.0.1 and waits until it answers, 10 seconds at most. It ends with the scope, and
 * with this process, however that ends. Fails without a binary (`binary`), and with what anvil printed if it does not
 * come up (`start`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const start = (options: AnvilOptions): Effect.Effect<AnvilNode, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const path = yield* binary
    // A port that is free now may be taken by the time anvil binds it.
    return yield* freePort.pipe(
      Effect.flatMap((port) => startAt(path, port, options)),
      Effect.retry({ while: collided, times: 5 })
    )
  })

const startAt = (
  path: string,
  port: number,
  options: AnvilOptions
): Effect.Effect<AnvilNode, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const url = `http://127.0.0.1:${port}`
    const args = [
      ["--host", "127.0.0.1"],
      ["--port", port],
      ["--chain-id", options.chainId],
      ["--silent"],
      options.blockTime === undefined ? [] : ["--block-time", options.blockTime],
      options.accounts === undefined ? [] : ["--accounts", options.accounts],
      options.number === undefined ? [] : ["--number", options.number],
      options.timestamp === undefined ? [] : ["--timestamp", options.timestamp],
      options.noMining ? ["--no-mining"] : []
    ].flatMap((group) => group.map(String))

    let current: Running | undefined
    let closed = false
    const failed = (why: string): SandboxError =>
      new SandboxError({ reason: "start", message: `anvil at ${url} did not start: ${why}` })

    const stop = Effect.suspend(() => {
      const running = current
      if (running === undefined) return Effect.void
      running.guard.stdin?.end()
      return Deferred.await(running.exited).pipe(
        Effect.interruptible,
        Effect.timeout("5 seconds"),
        // The guard itself hangs: the listener in `run` ends anvil when it is gone.
        Effect.catchAll(() => {
          running.guard.kill("SIGKILL")
          return Deferred.await(running.exited)
        }),
        Effect.ensuring(
          Effect.sync(() => {
            if (current === running) current = undefined
          })
        )
      )
    }).pipe(realTime)

    const answers = Effect.filterOrFail(
      call(url, { method: "eth_chainId" }),
      (answer) => "result" in answer && Number(answer.result) === options.chainId,
      () => failed("something else answers at its port")
    )

    const launch = Effect.gen(function* () {
      const exited = yield* Deferred.make<void>()
      const running = yield* Effect.suspend(() => {
        if (closed) return failed("its scope is closed")
        current = run(path, args, exited)
        return Effect.succeed(current)
      })
      const ended = Effect.flatMap(Deferred.await(exited), () =>
        failed(running.printed() || "it ended at once")
      )
      yield* answers.pipe(
        Effect.retry(Schedule.spaced("20 millis")),
        // The answer may be another program's, on a port that anvil did not get.
        Effect.zipRight(Effect.suspend(() => (running.guard.exitCode === null ? Effect.void : Effect.never))),
        Effect.raceFirst(ended),
        Effect.timeoutFail({
          duration: "10 seconds",
          onTimeout: () => failed(`no answer within 10 seconds. ${running.printed()}`)
        })
      )
    }).pipe(
      Effect.tapErrorCause(() => stop),
      Effect.onInterrupt(() => stop),
      realTime
    )

    /** A process that has ended by itself, or by a signal from elsewhere, is a stopped one. */
    const alive = Effect.sync(() =>
      current?.guard.exitCode === null && current.guard.signalCode === null ? current : undefined
    )

    const withPid = (name: NodeJS.Signals, frozen: boolean): Effect.Effect<void, SandboxError> =>
      Effect.flatMap(alive, (running) =>
        running?.pid === undefined
          ? Effect.void
          : Effect.tap(signal(running.pid, name), () =>
              Effect.sync(() => {
                running.frozen = frozen
              })
            )
      )

    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        closed = true
        taken.delete(port)
        return stop
      })
    )
    yield* launch
    return {
      url,
      chainId: options.chainId,
      pid: Effect.map(alive, (running) => running?.pid),
      state: Effect.map(alive, (running) =>
        running === undefined ? "stopped" : running.frozen ? "frozen" : "running"
      ),
      start: Effect.flatMap(alive, (running) =>
        running !== undefined
          ? Effect.void
          : Effect.retry(launch, { while: collided, times: 20, schedule: Schedule.spaced("100 millis") })
      ).pipe(realTime),
      stop,
      freeze: Effect.zipRight(
        withPid("SIGSTOP", true),
        Effect.flatMap(alive, (running) =>
          running?.pid === undefined ? Effect.void : untilStill(running.pid)
        )
      ),
      resume: withPid("SIGCONT", false)
    }
  })
