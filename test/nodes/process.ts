/** Real nodes of other chains than EVM ones, as processes of a test; and a front that shows the requests that reached them. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { find, type NodeName, remedy } from "../../scripts/nodes.mjs"
import { forwardRequest, listen, parseBody } from "../../src/sandbox/Loopback.js"
import { make } from "../../src/sandbox/nodes/Process.js"

/** The path of a node that tests need: without it they are left out, which is a failure in CI. */
export const requireBinary = (name: NodeName, what: string): string | undefined => {
  const path = find(name)
  if (path !== undefined) return path
  const line = `left out: ${name}, ${what} (${remedy(name)})`
  if (process.env.CI === "true") throw new Error(line)
  console.log(line)
  return undefined
}

/** What to start: `args` from a free port and a new folder for its data; `ready` once it answers. */
export interface Program {
  readonly command: string
  readonly args: (port: number, folder: string) => ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly ready: (url: string) => Promise<boolean>
  /** In milliseconds; 20 seconds by default. */
  readonly within?: number
}

export interface Node {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts a node on a free port of 127.0.0.1 and waits until it answers. Rejects with what it printed if it does not. */
export const start = async ({ ready, ...program }: Program): Promise<Node> => {
  const scope = Effect.runSync(Scope.make())
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const node = await Effect.runPromise(
    make({
      ...program,
      name: program.command,
      ready: (url) => Effect.promise(() => ready(url).catch(() => false))
    }).pipe(Scope.extend(scope))
  ).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return { url: node.url, stop: close }
}

/** Whether a JSON-RPC node answers this method with a result: some accept connections long before they do. */
export const answers =
  (method: string, headers: Readonly<Record<string, string>> = {}) =>
  async (url: string): Promise<boolean> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] }),
      signal: AbortSignal.timeout(2_000)
    })
    const answer: unknown = await response.json()
    return typeof answer === "object" && answer !== null && "result" in answer && answer.result !== null
  }

/** A front of a node: the `paths` of the requests that came in, and the `methods` of JSON-RPC ones, in their order. */
export interface Front {
  readonly url: string
  readonly paths: Array<string>
  readonly methods: Array<string>
  readonly count: (method: string) => number
  readonly close: () => Promise<void>
}

/**
 * Opens a front of the node at `url`. `lose` says of a method that its answer gets lost: the node has seen the request,
 * and the connection is reset once `lose` has resolved to true.
 */
export const startFront = async (
  url: string,
  lose: (method: string) => Promise<boolean> = async () => false
): Promise<Front> => {
  const scope = Effect.runSync(Scope.make())
  const methods: Array<string> = []
  const paths: Array<string> = []
  const port = await Effect.runPromise(
    listen((received) => {
      const body = parseBody(received.body)
      const method = String(typeof body === "object" && body !== null ? Reflect.get(body, "method") : body)
      methods.push(method)
      paths.push(received.path)
      // the front keeps no connections: what it sends on, it sends once
      return forwardRequest(url, received, { reuse: false, timeout: 300_000 }).pipe(
        Effect.flatMap((answer) =>
          Effect.map(
            Effect.promise(() => lose(method)),
            (lost) => (lost ? ("drop" as const) : answer)
          )
        ),
        Effect.orDie
      )
    }).pipe(Scope.extend(scope))
  )
  return {
    url: `http://127.0.0.1:${port}`,
    methods,
    paths,
    count: (method) => methods.filter((name) => name === method).length,
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
