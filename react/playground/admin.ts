/** The sandbox's own client. It brings the platform's HttpApi with it, and so it is loaded on its own. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Effect from "effect/Effect"
import { type AdminClient, makeAdmin } from "../../src/sandbox/Client.js"

/** The client of the sandbox at a base url. */
export const connectAdmin = (baseUrl: string): AdminClient =>
  Effect.runSync(Effect.provide(makeAdmin(baseUrl), FetchHttpClient.layer))
