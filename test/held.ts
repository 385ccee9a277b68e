/** A transport whose calls wait until the test answers them. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import {
  type Call,
  type CallError,
  CallOptions,
  type CallOptionsShape,
  type TransportService
} from "../src/wire/Transport.js"

export interface HeldCall {
  readonly call: Call<unknown>
  readonly options: CallOptionsShape
  /** Its body as JSON. */
  readonly json: unknown
  readonly aborted: () => boolean
  /** Answers it as a node would; the answer is judged as it would be, and a failure is handed over. */
  readonly answer: (text: string, status?: number) => void
  /** Answers a single JSON-RPC request. */
  readonly result: (value: unknown) => void
  readonly fail: (error: CallError) => void
}

const url = "https://node.example/v3/SECRET-KEY-0123456789"

export const makeHeldCall = () => {
  const sent: Array<HeldCall> = []
  const transport: TransportService = {
    send: <A>(call: Call<A>) =>
      Effect.flatMap(CallOptions, (options) =>
        Effect.async<A, CallError>((resume) => {
          let aborted = false
          let answered = false
          const end = (outcome: Effect.Effect<A, CallError>): void => {
            if (aborted || answered) throw new Error(`${call.label} is over`)
            answered = true
            resume(outcome)
          }
          const answer = (text: string, status = 200): void =>
            end(
              Either.match(call.decode({ status, text, url }), {
                onLeft: ({ error }): Effect.Effect<A, CallError> => Effect.fail(error),
                onRight: (value) => Effect.succeed(value)
              })
            )
          const json: unknown = typeof call.body === "string" ? JSON.parse(call.body) : undefined
          sent.push({
            call,
            options,
            json,
            aborted: () => aborted,
            answer,
            result: (result) => {
              const id: unknown =
                typeof json === "object" && json !== null ? Reflect.get(json, "id") : undefined
              if (id === undefined) throw new Error(`${call.label} has no id`)
              answer(JSON.stringify({ jsonrpc: "2.0", id, result }))
            },
            fail: (error) => end(Effect.fail(error))
          })
          return Effect.sync(() => {
            aborted = true
          })
        })
      ),
    nodeUrl: () => Effect.dieMessage("nobody asks for a url here")
  }
  return { sent, transport }
}
