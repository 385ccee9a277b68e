/**
 * The transport of the tests of services: the real gateway, and an Http that answers from a script and fails on other requests.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Config, type SdkConfig } from "../../src/config/Config.js"
import { Logger, make as makeLogger } from "../../src/config/Logger.js"
import { resolve, resolveWithEnvironment } from "../../src/config/resolveConfig.js"
import { Http, HttpFailure, type HttpRequest, type HttpResponse } from "../../src/http/Http.js"
import { Gateway, make as makeGateway } from "../../src/services/Gateway.js"

/** An answer: JSON, or text as it is, with the status 200 or another one. */
export interface Answer {
  readonly status?: number
  readonly json?: unknown
  readonly text?: string
  readonly type?: string
}

const toHttpResponse = ({
  json,
  status = 200,
  text = JSON.stringify(json) ?? "",
  type
}: Answer): HttpResponse => ({
  status,
  header: (name) => (name === "content-type" ? type : undefined),
  bytes: new TextEncoder().encode(text),
  text
})

export interface ScriptedService<S> {
  readonly service: S
  readonly sent: ReadonlyArray<HttpRequest>
  /** What was sent, a line each: `GET /v4/rate/BTC?basePair=EUR`. */
  readonly lines: () => ReadonlyArray<string>
  readonly logged: ReadonlyArray<string>
}

/** A service over answers in their order. Asked once too often, it dies. */
export const makeScripted = <S>(
  make: Effect.Effect<S, never, Config | Gateway | Http | Logger>,
  answers: ReadonlyArray<Answer | HttpFailure>,
  config: Partial<SdkConfig> = {}
): Effect.Effect<ScriptedService<S>> =>
  Effect.gen(function* () {
    const sent: Array<HttpRequest> = []
    const logged: Array<string> = []
    const log = (line: string): void => {
      logged.push(line)
    }
    const resolved = yield* Effect.orDie(
      resolveWithEnvironment(
        { network: "ethereum-mainnet", apiKey: "KEY", retryDelay: 0, ...config },
        resolve
      )
    )
    const ignore = (): void => {}
    const logger = makeLogger(resolved, { trace: ignore, debug: ignore, info: ignore, warn: log, error: log })
    const context = Context.make(Config, resolved).pipe(
      Context.add(Logger, logger),
      Context.add(Http, {
        send: (request) => {
          const answer = answers[sent.length]
          sent.push(request)
          if (answer === undefined)
            return Effect.die(new Error(`unexpected: ${request.method} ${request.url}`))
          return answer instanceof HttpFailure ? Effect.fail(answer) : Effect.succeed(toHttpResponse(answer))
        }
      })
    )
    const service = yield* make.pipe(
      Effect.provideServiceEffect(Gateway, makeGateway),
      Effect.provide(context)
    )
    return {
      service,
      sent,
      logged,
      lines: () =>
        sent.map(({ method, url }) => `${method} ${decodeURIComponent(url.replace(/^https:\/\/[^/]+/, ""))}`)
    }
  })

/** The body of a request that was sent as JSON. */
export const parseBody = (request: HttpRequest | undefined): unknown =>
  typeof request?.body === "string" ? JSON.parse(request.body) : request?.body
