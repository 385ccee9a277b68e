/** Redis on a free port and in a folder of its own, ended by whoever started it; and what it has in common with Postgres. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../../../scripts/freePort.mjs"

/** A server that can be stopped and started again on the same port, with the same data. */
export interface Server {
  readonly port: number
  readonly url: string
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  /** Stops it and removes its data. */
  readonly end: () => Promise<void>
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
      .once("connect", () => {
        socket.destroy()
        resolve(true)
      })
      .once("error", () => resolve(false))
  })

export const until = async (what: string, ready: () => boolean | Promise<boolean>): Promise<void> => {
  const end = Date.now() + 300_000
  while (!(await ready())) {
    if (Date.now() > end) throw new Error(`${what} did not start`)
    await sleep(20)
  }
}

export const untilExit = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", () => resolve()))

/** The folder of the programs of Debian's newest Postgres. */
export const postgresPrograms = (): string | undefined => {
  const root = "/usr/lib/postgresql"
  const versions = existsSync(root) ? readdirSync(root) : []
  const [newest] = versions
    .map((version) => join(root, version, "bin"))
    .filter((bin) => existsSync(join(bin, "initdb")))
    .sort()
    .reverse()
  return newest
}

/** Postgres refuses to run as root: the user of its package, or nobody. */
export const findPostgresUser = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  for (const name of ["postgres", "nobody"]) {
    try {
      const id = (of: string) => Number(execFileSync("id", [of, name], { stdio: "pipe" }))
      return { uid: id("-u"), gid: id("-g") }
    } catch {
      // there is no such user
    }
  }
  return {}
}

const redisProgram = "/usr/bin/redis-server"

/** What tests with servers need and this machine lacks, as one line; undefined where all is here. With CI nothing may be missing. */
export const findMissing = (): string | undefined => {
  const lacking = [
    ...(postgresPrograms() === undefined ? ["postgresql"] : []),
    ...(existsSync(redisProgram) ? [] : ["redis-server"])
  ]
  if (lacking.length === 0) return undefined
  if (process.env.CI === "true")
    throw new Error(`with CI=true these must be installed: ${lacking.join(", ")}`)
  return `left out: tests of fleets (no ${lacking.join(", no ")})`
}

/** A new folder for Postgres and its data, which its user may write. */
export const makeFolder = (): string => {
  const { gid, uid } = findPostgresUser()
  const folder = mkdtempSync(join(tmpdir(), "fleet-postgres-"))
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

/** Makes the data of a new Postgres, in a folder that is not there yet. With a password its user is asked for it. */
export const makeCluster = (bin: string, data: string, password?: string): void => {
  const secret = `${data}-password`
  if (password !== undefined) writeFileSync(secret, password)
  execFileSync(
    join(bin, "initdb"),
    [
      ...["-D", data, "-U", "fleet", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"],
      ...(password === undefined ? ["-A", "trust"] : ["-A", "scram-sha-256", `--pwfile=${secret}`])
    ],
    { ...findPostgresUser(), cwd: dirname(data), stdio: "pipe" }
  )
}

export const startRedis = async (args: ReadonlyArray<string> = []): Promise<Server> => {
  const folder = mkdtempSync(join(tmpdir(), "fleet-redis-"))
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async () => {
    const started = spawn(
      redisProgram,
      [
        ...["--port", String(port), "--bind", "127.0.0.1"],
        ...["--save", "", "--appendonly", "no", "--dir", folder],
        ...args
      ],
      { stdio: "ignore" }
    )
    child = started
    await until("Redis", () => {
      if (started.exitCode !== null) throw new Error(`Redis ended with ${started.exitCode}`)
      return isListening(port)
    })
  }
  const stop = async () => {
    if (child === undefined) return
    child.kill("SIGTERM")
    await untilExit(child)
  }
  await start()
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    stop,
    start,
    end: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
