import * as Effect from "effect/Effect"
import {
  afterTurn,
  Http,
  type HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type HttpService,
  isStream,
  monotonic,
  timeoutFailure,
  watchChunks
} from "./service.js"

const waitOneTurn = /*#__PURE__*/ Effect.async<void>((resume) => {
  const timer = afterTurn(() => resume(Effect.void))
  return Effect.sync(() => clearTimeout(timer))
})

/**
 * Sends a request with a deadline, for an `Http` that does not keep it by itself. If `timeout` is per chunk, each chunk extends the deadline,
 * and the time that the consumer of a chunk takes does not count.
 */
const sendUntilDeadline = (
  http: HttpService,
  request: HttpRequest
): Effect.Effect<HttpResponse, HttpFailure> =>
  Effect.clockWith((clock) => {
    const { body, isTimeoutPerChunk, sink, timeout } = request
    const due = (): number => monotonic(clock) + timeout
    let end = due()
    const touch = (): void => {
      end = due()
    }
    const late: Effect.Effect<never, HttpFailure> = Effect.suspend(() => {
      const left = end - monotonic(clock)
      if (left > 0) return Effect.zipRight(Effect.sleep(Math.min(left, timeout)), late)
      const rung = end
      return Effect.flatMap(waitOneTurn, () => (end === rung ? Effect.fail(timeoutFailure(request)) : late))
    })
    const watched: HttpRequest =
      isTimeoutPerChunk === undefined
        ? request
        : {
            ...request,
            body: isStream(body) ? watchChunks(body, touch) : body,
            ...(sink && {
              sink: (chunk: Uint8Array) => {
                end = Number.POSITIVE_INFINITY
                return sink(chunk).finally(touch)
              }
            })
          }
    return Effect.raceFirst(http.send(watched), late)
  })

/** Makes the requests of an effect end at their deadline, if its `Http` does not do that. */
export const keepDeadlines = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Http> =>
  Effect.flatMap(Http, (http) =>
    http.keepsDeadlines === true
      ? effect
      : Effect.provideService(effect, Http, {
          keepsDeadlines: true,
          send: (request) => sendUntilDeadline(http, request)
        })
  )
