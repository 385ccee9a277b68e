import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Network } from "../Network.js"
import type { InitConfig, PromiseSdk } from "../promise.js"
import { failure, type Result } from "../Result.js"
import { Unexpected } from "../SdkError.js"
import type { Load } from "./assemble.js"
import { servicesOver } from "./services.js"
import { type Run, start } from "./start.js"

/** A stream as an async iterable of results, which ends after the first ERROR. What runs streams is loaded with the first. */
const iterable = (
  run: Run,
  stream: Effect.Effect<Stream.Stream<unknown, Error>>
): AsyncIterable<Result<unknown, Error>> => ({
  async *[Symbol.asyncIterator]() {
    const { pulls } = await import("./pulls.js")
    const pull = pulls(stream)
    try {
      while (true) {
        const next = await run(pull.next)
        if (next.status === "ERROR") {
          yield next
          return
        }
        if (next.data._tag === "None") return
        yield { ...next, data: next.data.value }
      }
    } catch (defect) {
      yield failure(new Unexpected({ defect }))
    } finally {
      await Effect.runPromise(pull.end)
    }
  }
})

/** Steps of `init` for any network: the client of its nodes, and its services, which are loaded when called. */
export const startWithServices = async <N extends Network>(
  config: InitConfig<N>,
  load: Load
): Promise<PromiseSdk<N>> =>
  // the facades have the methods of the catalogue, which the compiler checks against the services' interfaces
  (await start(
    config,
    load,
    (context) => (run) =>
      servicesOver(context, {
        call: run,
        stream: (method, args) =>
          iterable(
            run,
            Effect.map(method, (call) => call(...args) as Stream.Stream<unknown, Error>)
          )
      })
  )) as unknown as PromiseSdk<N>
