/**
 * The typed client of the sandbox's own routes, for tests and pages. It needs an HttpClient and nothing of Node.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { OnThisEffect } from "../data/effectVersion.js"
import { withoutTail } from "../data/tail.js"
import { group } from "./api/Admin.js"
import { SeenRequest } from "./api/FaultRule.js"

const api = HttpApi.make("provider").add(group)

type Derived = Effect.Effect.Success<ReturnType<typeof makeDerived>>["sandbox"]

/**
 * One method per route: `networks`, `start`, `mine`, `fund`, `node` (stop, restart, freeze, resume, heal), `incidents`,
 * `faults`, `addFault`, `clearFaults`, `removeFault`, `requests`. Each fails with the errors of its route, and with an
 * HttpClientError if the sandbox does not answer. `events` streams every request that the sandbox receives from now on,
 * after the given number of earlier ones (none by default).
 *
 * @since 0.1.0
 * @category models
 */
export interface AdminClient extends Omit<Derived, "events"> {
  readonly events: (last?: number) => Stream.Stream<SeenRequest, HttpClientError | ParseError>
}

const makeDerived = (baseUrl: string) => HttpApiClient.make(api, { baseUrl })

const decodeEvent = Schema.decode(Schema.parseJson(SeenRequest))

/** The data of a line of server-sent events. The sandbox writes one data line per event. */
const eventData = (line: string): ReadonlyArray<string> => (line.startsWith("data: ") ? [line.slice(6)] : [])

/**
 * Makes the client of a sandbox from its base url (`http://127.0.0.1:8080`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeAdmin = (
  baseUrl: OnThisEffect<string>
): Effect.Effect<AdminClient, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const base = withoutTail(baseUrl, "/")
    const http = HttpClient.filterStatusOk(yield* HttpClient.HttpClient)
    const { events: _, ...methods } = (yield* makeDerived(base)).sandbox
    return {
      ...methods,
      events: (last = 0) =>
        Stream.unwrapScoped(
          Effect.map(
            http.execute(HttpClientRequest.get(`${base}/sandbox/events`, { urlParams: { last } })),
            ({ stream }) => stream
          )
        ).pipe(
          Stream.decodeText(),
          Stream.splitLines,
          Stream.mapConcat(eventData),
          Stream.mapEffect((data) => decodeEvent(data))
        )
    }
  })
