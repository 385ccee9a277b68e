/** Postgres and Redis on free ports and in folders of their own, ended by whoever started them. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
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

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
      .once("connect", () => {
        socket.destroy()
        resolve(true)
      })
      .once("error", () => resolve(false))
  })

const until = async (what: string, ready: () => boolean | Promise<boolean>): Promise<void> => {
  const end = Date.now() + 20_000
  while (!(await ready())) {
    if (Date.now() > end) throw new Error(`${what} did not start within 20 s`)
    await sleep(20)
  }
}

const exited = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", () => resolve()))

/** The folder of the programs of Debian's newest Postgres. */
const postgresPrograms = (): string | undefined => {
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
const user = (): { readonly uid?: number; readonly gid?: number } => {
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
export const missing = (): string | undefined => {
  const lacking = [
    ...(postgresPrograms() === undefined ? ["postgresql"] : []),
    ...(existsSync(redisProgram) ? [] : ["redis-server"])
  ]
  if (lacking.length === 0) return undefined
  if (process.env.CI === "true")
    throw new Error(`with CI=true these must be installed: ${lacking.join(", ")}`)
  return `left out: tests of fleets (no ${lacking.join(", no ")})`
}

/** Postgres, with more arguments. With a password its user is asked for it, and has a database of its own. */
export const postgres = async ({
  args = [],
  database = "postgres",
  password
}: {
  readonly args?: ReadonlyArray<string>
  readonly database?: string
  readonly password?: string
} = {}): Promise<Server> => {
  const bin = postgresPrograms()
  if (bin === undefined) throw new Error("Postgres is not installed")
  const as = user()
  const folder = mkdtempSync(join(tmpdir(), "fleet-postgres-"))
  if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid)
  const data = join(folder, "data")
  const secret = join(folder, "password")
  if (password !== undefined) writeFileSync(secret, password)
  execFileSync(
    join(bin, "initdb"),
    [
      ...["-D", data, "-U", "fleet", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"],
      ...(password === undefined ? ["-A", "trust"] : ["-A", "scram-sha-256", `--pwfile=${secret}`])
    ],
    { ...as, cwd: folder, stdio: "pipe" }
  )
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async () => {
    const started = spawn(
      join(bin, "postgres"),
      [
        ...["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", ""],
        ...["-c", "fsync=off", "-c", "max_connections=200", "-c", "log_min_messages=fatal"],
        ...args
      ],
      { ...as, cwd: folder, stdio: "ignore" }
    )
    child = started
    // its port answers before it has recovered
    await until("Postgres", () => {
      if (started.exitCode !== null) throw new Error(`Postgres ended with ${started.exitCode}`)
      try {
        execFileSync(join(bin, "pg_isready"), ["-q", "-h", "127.0.0.1", "-p", String(port)], {
          stdio: "ignore"
        })
        return true
      } catch {
        return false
      }
    })
  }
  // SIGINT closes connections that are open; SIGTERM would wait for them
  const stop = async () => {
    if (child === undefined) return
    child.kill("SIGINT")
    await exited(child)
  }
  await start()
  if (password !== undefined)
    execFileSync(join(bin, "createdb"), ["-h", "127.0.0.1", "-p", String(port), "-U", "fleet", database], {
      env: { PGPASSWORD: password },
      stdio: "pipe"
    })
  return {
    port,
    url: `postgres://fleet${password === undefined ? "" : `:${password}`}@127.0.0.1:${port}/${database}`,
    stop,
    start,
    end: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Answers to the start of a session: it is let in, with a key of its own, and may ask. */
const WELCOME = Buffer.concat([
  Buffer.from("R\0\0\0\x08\0\0\0\0", "latin1"),
  Buffer.from("K\0\0\0\x0c\0\0\0\x01\0\0\0\x01", "latin1"),
  Buffer.from("Z\0\0\0\x05I", "latin1")
])

/**
 * A pooler before Postgres in transaction mode: all who connect have one session of the server, one after another, each until the server
 * is ready for the next query and no transaction is open.
 */
export const pooler = async (
  server: Pick<Server, "port">
): Promise<{ readonly url: string; readonly end: () => void }> => {
  const behind = connect(server.port, "127.0.0.1")
  const started = Buffer.from("\0\x03\0\0user\0fleet\0database\0postgres\0\0", "latin1")
  const length = Buffer.alloc(4)
  length.writeInt32BE(started.length + 4)
  behind.write(Buffer.concat([length, started]))
  const sockets = new Set<Socket>([behind])
  const waiting: Array<{ readonly socket: Socket; readonly data: Buffer }> = []
  let isReady = false
  let turn: Socket | undefined
  let answer: Buffer = Buffer.alloc(0)
  const next = () => {
    const at = waiting.findIndex(({ socket }) => turn === undefined || socket === turn)
    const [first] = at < 0 ? [] : waiting.splice(at, 1)
    if (first === undefined) return
    turn = first.socket
    behind.write(first.data)
    next()
  }
  behind.on("error", () => {})
  behind.on("data", (data: Buffer) => {
    answer = Buffer.concat([answer, data])
    while (answer.length >= 5) {
      const size = 1 + answer.readInt32BE(1)
      if (answer.length < size) return
      const message = answer.subarray(0, size)
      answer = answer.subarray(size)
      if (isReady) turn?.write(message)
      if (message.toString("latin1", 0, 1) !== "Z") continue
      isReady = true
      if (message.toString("latin1", 5) === "I") turn = undefined
      next()
    }
  })
  const front = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.once("data", () => {
      socket.write(WELCOME)
      socket.on("data", (data: Buffer) => {
        // the end of one who has left is not that of the session
        if (data.toString("latin1", 0, 1) === "X") return
        waiting.push({ socket, data })
        if (isReady) next()
      })
    })
  })
  const port = await new Promise<number>((resolve) =>
    front.listen(0, "127.0.0.1", () => {
      const address = front.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  )
  return {
    url: `postgres://fleet@127.0.0.1:${port}/postgres`,
    end: () => {
      front.close()
      for (const socket of sockets) socket.destroy()
    }
  }
}

export const redis = async (args: ReadonlyArray<string> = []): Promise<Server> => {
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
      return answers(port)
    })
  }
  const stop = async () => {
    if (child === undefined) return
    child.kill("SIGTERM")
    await exited(child)
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
