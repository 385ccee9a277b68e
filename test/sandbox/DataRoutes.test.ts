/** The routes of the data API: each one that the SDK asks is answered here, or is in the table of those that are not. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type DataRoute, dataRoutes } from "../../src/data/dataRoutes.js"
import { type V4Route, v4Routes } from "../../src/data/v4Routes.js"
import * as Sandbox from "../../src/sandbox/Sandbox.js"
import { fetchJson } from "./serve.js"

/** The routes that the sandbox does not answer, and why. */
const notServed: Readonly<Partial<Record<keyof typeof v4Routes, string>>> = {
  transferDna: "the provider's description names no field of its answer, and no chain tells what it may mean"
}

const declared: Readonly<Record<string, DataRoute | V4Route>> = { ...dataRoutes, ...v4Routes }

describe("the routes of the data API", () => {
  it.scopedLive("are answered, or are in the table of those that are not", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Sandbox.make({ networks: [] })
      const found = yield* Effect.forEach(
        Object.entries(declared),
        ([name, route]) =>
          Effect.map(
            fetchJson(
              `${baseUrl}/v4/${route.v4}`,
              "isPost" in route && route.isPost === true ? {} : undefined
            ),
            // none of these routes can do without parameters, so that a route that is there refuses
            ({ body, status }) => [name, status, String(Object(body).errorCode)]
          ),
        { concurrency: 4 }
      )
      expect(found).toEqual(
        Object.keys(declared).map((name) =>
          Object.hasOwn(notServed, name) ? [name, 404, "not.found"] : [name, 400, "validation.failed"]
        )
      )
    })
  )
})
