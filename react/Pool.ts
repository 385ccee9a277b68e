import { Result, Rx } from "@effect-rx/rx-react"
import * as Effect from "effect/Effect"
import type { NodeSnapshot } from "../src/balancer/Balancer.js"
import type { PoolEvent } from "../src/balancer/Observation.js"
import type { Sdk } from "../src/Sdk.js"
import type { InitError } from "../src/SdkError.js"

/** The nodes of a client, and what has happened to them since somebody looks. */
export interface Pool {
  readonly nodes: ReadonlyArray<NodeSnapshot>
  readonly events: ReadonlyArray<PoolEvent>
}

/** How many events are kept. */
const KEPT = 100

/** Events come in swarms; this is how often they are shown, in milliseconds. */
const PAUSE = 50

/** The pool of a client as it changes. */
export const poolOf = (
  ready: Rx.Rx<Result.Result<{ readonly sdk: Sdk }, InitError>>
): Rx.Rx<Result.Result<Pool, InitError>> =>
  Rx.withServerValueInitial(
    Rx.readable((get) => {
      const made = get(ready)
      if (!Result.isSuccess(made))
        return Result.replacePrevious(made, get.self<Result.Result<Pool, InitError>>())
      const { nodes } = made.value.sdk
      let events: ReadonlyArray<PoolEvent> = []
      let timer: ReturnType<typeof setTimeout> | undefined
      const look = (): Result.Result<Pool, InitError> =>
        Result.success({ nodes: Effect.runSync(nodes.snapshot), events })
      const end = nodes.listen((event) => {
        events = [...events, event].slice(-KEPT)
        timer ??= setTimeout(() => {
          timer = undefined
          get.setSelf(look())
        }, PAUSE)
      })
      get.addFinalizer(() => {
        end()
        clearTimeout(timer)
      })
      return look()
    })
  )
