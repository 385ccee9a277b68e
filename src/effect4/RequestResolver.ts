import type * as Effect from "effect4/Effect"
import type * as Requests from "effect4/Request"
import * as Resolver from "effect4/RequestResolver"
import { enter } from "./Request.js"

export * from "effect4/RequestResolver"

export const makeBatched = <R extends Requests.Any>(
  run: (requests: ReadonlyArray<R>) => Effect.Effect<void>
): Resolver.RequestResolver<R> => Resolver.make((entries) => run(entries.map(enter)))
