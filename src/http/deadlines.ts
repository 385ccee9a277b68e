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
 * A request that ends at its deadline, whatever sends it. Where only a standstill is too long, chunks move the deadline; the time
 * that their consumer takes is no standstill.
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

/** Has the requests of an effect end at their deadline, whatever the `Http` does that is provided to it. */
export const keepDeadlines = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Http> =>
  Effect.flatMap(Http, (http) =>
    http.keepsDeadlines === true
      ? effect
      : Effect.provideService(effect, Http, {
          keepsDeadlines: true,
          send: (request) => sendUntilDeadline(http, request)
        })
  )
