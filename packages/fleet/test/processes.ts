/** Runners as processes that are killed and started again, and a node that is away part of the time. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { openSync, readFileSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"

export interface Process {
  readonly child: ChildProcess
  /** Resolves once it is up, and rejects if it ends before. */
  readonly up: Promise<void>
  readonly kill: () => Promise<void>
  /** The error of its end, with what it wrote last: its folder is gone by the time that somebody reads of it. */
  readonly makeEndError: () => Error
}

/** Starts a program. What it writes goes to a file: a pipe would be broken by the end of this process, before its own. */
export const start = (path: string, env: Readonly<Record<string, string>>, output: string): Process => {
  const file = openSync(output, "a")
  const child = fork(path, { env: { ...process.env, ...env }, stdio: ["ignore", file, file, "ipc"] })
  const makeEndError = () =>
    new Error(`a runner ended with ${child.exitCode}; it wrote ${readFileSync(output, "utf8").slice(-4_000)}`)
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const up = new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve())
    child.once("exit", () => reject(makeEndError()))
  })
  up.catch(() => {})
  return {
    child,
    up,
    makeEndError,
    kill: () => {
      child.kill("SIGKILL")
      return exited
    }
  }
}

/** How a replica has done what it was told. */
export interface Answer {
  readonly ok: boolean
  readonly ms: number
  readonly failed: ReadonlyArray<string>
}

/** Tells a replica (`programs/replica.ts`) to do something, and waits for its answer. */
export const sendCommand = ({ child }: Process, what: "call" | "check" | "look"): Promise<Answer> => {
  const answer = new Promise<Answer>((resolve, reject) => {
    const ended = (): void => reject(new Error("a replica has ended"))
    child.once("exit", ended)
    child.once("message", (message) => {
      child.off("exit", ended)
      // such a process says nothing else
      resolve(message as Answer)
    })
  })
  child.send(what)
  return answer
}

export interface Gate {
  readonly url: string
  readonly close: () => Promise<void>
  readonly open: () => Promise<void>
}

/** A port before a server of this host, which can be closed and opened again. */
export const makeGate = async (url: string): Promise<Gate> => {
  const target = Number(new URL(url).port)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const behind = connect(target, "127.0.0.1")
    for (const each of [socket, behind]) {
      sockets.add(each)
      each.on("error", () => each.destroy())
      each.on("close", () => {
        sockets.delete(each)
        socket.destroy()
        behind.destroy()
      })
    }
    socket.pipe(behind)
    behind.pipe(socket)
  })
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
  }
  await listen(0)
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    open: () => listen(port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}
