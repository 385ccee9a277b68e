/** Fronts of nodes, which may answer in their place. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { forwardRequest, listen } from "../../src/sandbox/Loopback.js"

/** What a front answers a call: an object with a result or an error, nothing for ever, a connection that breaks, or what its node does. */
export type ProxyAnswer = (
  method: string,
  params: ReadonlyArray<unknown>
) => object | "drop" | "never" | undefined | Promise<object | "drop" | "never" | undefined>

/** The url of a front of a node, as long as a scope is open. */
export const startProxy = async (url: string, scope: Scope.Scope, answer: ProxyAnswer): Promise<string> => {
  const port = await Effect.runPromise(
    Scope.extend(
      listen((received) =>
        Effect.gen(function* () {
          const asks = Effect.orDie(forwardRequest(url, received, { reuse: false, timeout: 300_000 }))
          // what is no call of a node of Bitcoin's kind is its index of addresses
          if (received.body.length === 0) return yield* asks
          const body: {
            readonly id: number
            readonly method: string
            readonly params?: ReadonlyArray<unknown>
          } = JSON.parse(String(received.body))
          const given = yield* Effect.promise(async () => answer(body.method, body.params ?? []))
          if (given === "never") return yield* Effect.never
          if (given === "drop") return given
          if (given === undefined) return yield* asks
          return {
            status: 200,
            headers: { "content-type": "application/json" },
            body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: body.id, ...given }))
          }
        })
      ),
      scope
    )
  )
  return `http://127.0.0.1:${port}`
}
