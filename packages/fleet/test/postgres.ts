/** Postgres on free ports and in folders of their own, ended by whoever started them; and a pooler before it. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { inject } from "vitest"
import { freePort } from "../../../scripts/freePort.mjs"
import {
  findPostgresUser,
  makeCluster,
  makeFolder,
  postgresPrograms,
  type Server,
  until,
  untilExit
} from "./servers.js"

/** Starts a session of the tests' user. */
const STARTUP_MESSAGE = ((): Buffer => {
  const started = Buffer.from("\0\x03\0\0user\0fleet\0database\0postgres\0\0", "latin1")
  const length = Buffer.alloc(4)
  length.writeInt32BE(started.length + 4)
  return Buffer.concat([length, started])
})()

/** Whether a server begins a session at a port. While it starts, its port answers with an error. */
const acceptsSessions = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(STARTUP_MESSAGE))
    socket.on("data", ([type]) => {
      resolve(type === "R".charCodeAt(0))
      socket.destroy()
    })
    socket.on("error", () => {})
    socket.on("close", () => resolve(false))
  })

/** Postgres, with more arguments. With a password its user is asked for it, and has a database of its own. */
export const startPostgres = async ({
  args = [],
  database = "postgres",
  password
}: {
  readonly args?: ReadonlyArray<string>
  readonly database?: string
  readonly password?: string
} = {}): Promise<Server> => {
  const bin = postgresPrograms()
  const cluster = inject("cluster")
  if (bin === undefined || cluster === undefined) throw new Error("Postgres is not installed")
  const as = findPostgresUser()
  const folder = makeFolder()
  const data = join(folder, "data")
  // as its user: to others Postgres does not give its data
  if (password === undefined) execFileSync("cp", ["-a", cluster, data], { ...as, cwd: folder })
  else makeCluster(bin, data, password)
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async () => {
    const started = spawn(
      join(bin, "postgres"),
      [
        ...["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", ""],
        ...["-c", "fsync=off", "-c", "full_page_writes=off"],
        ...["-c", "max_connections=200", "-c", "log_min_messages=fatal"],
        ...args
      ],
      { ...as, cwd: folder, stdio: "ignore" }
    )
    child = started
    // its port answers before it has recovered
    await until("Postgres", () => {
      if (started.exitCode !== null) throw new Error(`Postgres ended with ${started.exitCode}`)
      return acceptsSessions(port)
    })
  }
  // SIGINT closes connections that are open; SIGTERM would wait for them
  const stop = async () => {
    if (child === undefined) return
    child.kill("SIGINT")
    await untilExit(child)
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

/** The url of a new database on a server: fleets know nothing of one another where each has its own. */
export const makeDatabase = async ({ url }: Pick<Server, "url">): Promise<string> => {
  const name = `tests_${randomUUID().replaceAll("-", "")}`
  await Effect.runPromise(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)}`).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(url), connectTimeout: "1 minute" }))
    )
  )
  return url.replace(/[^/]*$/, name)
}

/** Answers to the start of a session: it is let in, with a key of its own, and may ask. */
const SESSION_ANSWER = Buffer.concat([
  Buffer.from("R\0\0\0\x08\0\0\0\0", "latin1"),
  Buffer.from("K\0\0\0\x0c\0\0\0\x01\0\0\0\x01", "latin1"),
  Buffer.from("Z\0\0\0\x05I", "latin1")
])

/**
 * A pooler before Postgres in transaction mode: all who connect have one session of the server, one after another, each until the server
 * is ready for the next query and no transaction is open.
 */
export const startPooler = async (
  server: Pick<Server, "port">
): Promise<{ readonly url: string; readonly end: () => void }> => {
  const behind = connect(server.port, "127.0.0.1")
  behind.write(STARTUP_MESSAGE)
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
      socket.write(SESSION_ANSWER)
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
