/** The hostile server as tests have it: started once a file, ended with it. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { type Agent, fetch as undiciFetch } from "undici"
import { runner } from "../../scripts/effect4.mjs"
import { bundled as bundle } from "../../scripts/program.mjs"
import type { Command, Ready, Seen } from "./server.js"

export interface HostileServer {
  readonly url: string
  /** The same server at an origin of its own: what a node sends too late is read on connections to its own origin alone. */
  readonly wellUrl: string
  readonly pid: number
  /** Makes a body the right answer under this key: of JSON-RPC, only its result. */
  readonly setAnswer: (key: string, text: string, isRpc: boolean) => void
  /** Starts a TLS server with these options, whose requests are answered likewise; yields its port. */
  readonly tls: (name: string, options: Readonly<Record<string, unknown>>) => Promise<number>
  readonly seen: () => Promise<Seen>
  readonly signal: (signal: NodeJS.Signals) => void
  readonly end: () => Promise<void>
}

const bundles = new Map<string, Promise<string>>()

/** Programs run on the version of Effect that the tests run on. */
const options = process.env.EFFECT_CHAINS_RUNTIME === "effect4" ? { plugins: [runner] } : {}

/** Bundles a program of this folder, once in this process. */
export const bundled = (name: string): Promise<string> => {
  const made =
    bundles.get(name) ??
    bundle(join(import.meta.dirname, `${name}.ts`), `hostile-${name}-${process.pid}`, options)
  bundles.set(name, made)
  return made
}

/** Starts a program of this folder in a process of its own. */
export const start = async (
  name: string,
  env: Readonly<Record<string, string>> = {}
): Promise<ChildProcess> =>
  fork(await bundled(name), { env: { PATH: process.env.PATH, ...env }, stdio: "inherit" })

/** On a free port, or on that of a server that was there before. */
export const startServer = async (port = 0): Promise<HostileServer> => {
  const child = await start("server", { PORT: String(port) })
  const waiting = new Map<string, (message: never) => void>()
  const ready = new Promise<Ready>((resolve) => {
    child.on("message", (message: Ready | { readonly _tag: "Seen" | "Tls"; readonly name?: string }) => {
      if (message._tag === "Ready") resolve(message)
      // the message has the type that the one who waits for it expects
      else waiting.get(`${message._tag}${message.name ?? ""}`)?.(message as never)
    })
  })
  const { port: hostilePort, wellPort } = await ready
  const send = (command: Command): void => void child.send(command)
  return {
    url: `http://127.0.0.1:${hostilePort}`,
    wellUrl: `http://127.0.0.1:${wellPort}`,
    pid: child.pid ?? 0,
    setAnswer: (key, text, isRpc) => send({ _tag: "Right", key, text, isRpc }),
    tls: (name, options) =>
      new Promise((resolve) => {
        waiting.set(`Tls${name}`, ({ port }: { readonly port: number }) => resolve(port))
        send({ _tag: "Tls", name, options })
      }),
    seen: () =>
      new Promise((resolve) => {
        waiting.set("Seen", ({ seen }: { readonly seen: Seen }) => resolve(seen))
        send({ _tag: "Seen" })
      }),
    signal: (signal) => void child.kill(signal),
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const over = once(child, "exit")
      child.kill("SIGKILL")
      await over
    }
  }
}

/** A `fetch` whose connections are those of this agent. */
export const fetchThrough =
  (agent: Agent): typeof fetch =>
  async (input, options) => {
    const { body, headers, method, signal } = options ?? {}
    const response = await undiciFetch(String(input), {
      dispatcher: agent,
      redirect: "manual",
      ...(typeof body === "string" ? { body } : {}),
      ...(method === undefined ? {} : { method }),
      headers: Object.fromEntries(new Headers(headers)),
      signal: signal ?? null
    })
    return new Response(await response.text(), { status: response.status })
  }
