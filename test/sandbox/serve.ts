import type * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServer from "@effect/platform/HttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { listen } from "../../src/sandbox/Loopback.js"
import type { SandboxError } from "../../src/sandbox/SandboxError.js"

/**
 * Serves groups of the provider on loopback, in both versions and without, but without the sandbox's checks around them.
 * Yields the base url.
 */
export const serve = (live: Layer.Layer<HttpApi.Api>): Effect.Effect<string, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const { handler } = yield* Effect.acquireRelease(
      Effect.sync(() => HttpApiBuilder.toWebHandler(Layer.mergeAll(live, HttpServer.layerContext))),
      ({ dispose }) => Effect.promise(dispose)
    )
    const port = yield* listen(({ body, headers, method, path }) =>
      Effect.promise(async () => {
        const request = new Request(new URL(path.replace(/^\/v[34]\//, "/"), "http://127.0.0.1"), {
          method,
          headers: Object.entries(headers).flatMap(
            ([name, value]): Array<[string, string]> => (typeof value === "string" ? [[name, value]] : [])
          ),
          ...(body.length > 0 ? { body: new Uint8Array(body) } : {})
        })
        const response = await handler(request)
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: Buffer.from(await response.arrayBuffer())
        }
      })
    )
    return `http://127.0.0.1:${port}`
  })

/** Sends a request with a JSON body, or none, and yields the status and the JSON of the answer. */
export const fetchJson = (
  url: string,
  body?: unknown
): Effect.Effect<{ readonly status: number; readonly body: unknown }> =>
  Effect.promise(async () => {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(300_000),
      ...(body === undefined
        ? {}
        : {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body)
          })
    })
    return { status: response.status, body: await response.json() }
  })
