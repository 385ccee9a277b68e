/** The command line of a user: its output, its refusals, and its leftovers when it is killed. */
import { type ChildProcess, spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Sandbox from "../../../src/sandbox/index.js"
import { program, root } from "./program.js"

const available = Either.isRight(Effect.runSync(Effect.either(Sandbox.Anvil.binary)))

/** Processes with the parents that have started them. Each is read once: the tests look a hundred times a second. */
const parents = new Map<number, number>()

const descendants = (pid: number): ReadonlyArray<number> => {
  const there = new Set(readdirSync("/proc").flatMap((entry) => (/^\d+$/.test(entry) ? [Number(entry)] : [])))
  for (const known of parents.keys()) if (!there.has(known)) parents.delete(known)
  for (const found of there) {
    if (parents.has(found)) continue
    try {
      const [, parent] = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${found}/stat`, "utf8")) ?? []
      parents.set(found, Number(parent))
    } catch {
      // it ended meanwhile
    }
  }
  const below = (of: number): ReadonlyArray<number> =>
    [...parents].flatMap(([child, parent]) => (parent === of ? [child, ...below(child)] : []))
  return below(pid)
}

const alive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

interface Running {
  readonly child: ChildProcess
  readonly output: () => string
  readonly errors: () => string
  readonly exited: Promise<number | null>
}

interface Watched extends Running {
  /** Every process that was ever seen below it. */
  readonly seen: Set<number>
}

const megabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

const start = (...args: ReadonlyArray<string>): Running => {
  const child = spawn(process.execPath, [...program.flags, program.main, ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  let errors = ""
  child.stdout.on("data", (chunk) => {
    output += String(chunk)
  })
  child.stderr.on("data", (chunk) => {
    errors += String(chunk)
  })
  const exited = new Promise<number | null>((resolve) => {
    child.once("close", resolve)
  })
  return { child, output: () => output, errors: () => errors, exited }
}

/** What a test has started ends with it, also when it fails. */
const children = new Set<ChildProcess>()
afterEach(() => {
  for (const child of children) child.kill("SIGKILL")
  children.clear()
})

const started = (...args: ReadonlyArray<string>): Watched => {
  const run = start(...args)
  const { child } = run
  children.add(child)
  const seen = new Set<number>()
  const look = setInterval(() => {
    if (child.pid !== undefined) for (const pid of descendants(child.pid)) seen.add(pid)
  }, 10)
  child.once("close", () => clearInterval(look))
  return { ...run, seen }
}

const until = async (condition: () => boolean, limit = 300_000): Promise<void> => {
  const end = Date.now() + limit
  while (!condition()) {
    if (Date.now() > end) throw new Error("waited in vain")
    await sleep(5)
  }
}

describe.runIf(available && process.platform === "linux")("npx effect-chains sandbox", () => {
  /** One for the first test and the last: nobody asks it anything while the others run. */
  let serving: Running
  let base = ""
  beforeAll(async () => {
    serving = start("sandbox", "--port", "0", "--network", "ethereum-sepolia:1:0", "--data-api", "both")
    await until(() => serving.output().includes("init({"))
    base = /provider +(http:\S+)/.exec(serving.output())?.[1] ?? ""
  })
  afterAll(() => serving.child.kill("SIGKILL"))

  it("says what it serves, and serves it", async () => {
    const list: unknown = await (await fetch(`${base}/ethereum-sepolia/list.json`)).json()
    expect(list).toHaveLength(1)
    for (const path of ["data/defi/blocks/latest", "data/blocks/latest"])
      expect((await fetch(`${base}/v4/${path}?chain=ethereum-sepolia`)).status).toBe(200)
  })

  it.each([
    [["--port", "x", "sandbox"], "--port takes a number from 0"],
    [["sandbx"], 'There is no command "sandbx"'],
    [[], "A command is missing"],
    [["sandbox", "--netwrk", "a"], "netwrk"],
    [["sandbox", "--network", "nowhere-mainnet"], 'no network "nowhere-mainnet"']
  ])("refuses %s", async (args, message) => {
    const run = started(...args)
    expect(await run.exited).toBe(1)
    expect(run.errors()).toContain(message)
  })

  const phases: ReadonlyArray<readonly [string, (run: Watched) => boolean]> = [
    ["before it has begun", ({ child }) => child.pid !== undefined],
    ["as its nodes are started", ({ output }) => output().includes("Starting")],
    ["as soon as a node runs", ({ seen }) => seen.size > 1],
    ["as its nodes listen", ({ output }) => output().includes("listens")],
    ["when it is ready", ({ output }) => output().includes("init({")]
  ]
  const signals = ["SIGINT", "SIGTERM", "SIGKILL"] as const

  it.each(phases.flatMap(([when, reached]) => signals.map((signal) => [when, signal, reached] as const)))(
    "leaves no process behind when it is killed %s by %s",
    async (_, signal, reached) => {
      const run = started("sandbox", "--port", "0", "--network", "ethereum-mainnet:2:0")
      await until(() => reached(run) || run.child.exitCode !== null)
      run.child.kill(signal)
      await run.exited
      const left = () => [...run.seen].filter(alive)
      await until(() => left().length === 0).catch(() => {})
      expect(left()).toEqual([])
    }
  )

  it("needs little while nobody asks it anything, describes itself, and ends when it is asked to", async () => {
    // what it needs besides its nodes: what is left of its start is collected after ten seconds or so
    await expect.poll(() => megabytes(serving.child.pid ?? 0), { interval: 500 }).toBeLessThan(150)
    expect(await (await fetch(`${base}/docs`)).text()).toContain("swagger")
    const description: unknown = await (await fetch(`${base}/openapi.json`)).json()
    expect(description).toMatchObject({ info: { title: "effect-chains sandbox" } })
    serving.child.kill("SIGINT")
    expect(await serving.exited).toBe(0)
  })
})
