/** The client of the sandbox's administration. Its chunk is loaded on demand, since it contains the platform's HttpApi. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Effect from "effect/Effect"
import { type AdminClient, makeAdmin } from "../../src/sandbox/Client.js"

/** The client of the sandbox at a base url. */
export const connectAdmin = (baseUrl: string): AdminClient =>
  Effect.runSync(Effect.provide(makeAdmin(baseUrl), FetchHttpClient.layer))
