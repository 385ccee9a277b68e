/**
 * `effect-chains rate`: exchange rates.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Rate } from "../services/Rates.js"
import { type ConnectionOptions, connect } from "./Connection.js"
import { answer, printable, table } from "./Output.js"

const shown = (rates: ReadonlyArray<Rate>): string =>
  table(
    ["", "rate", "", "at", "source"],
    rates.map(({ _id, basePair, source, timestamp, value }) => [
      printable(`1 ${_id}`),
      printable(value),
      printable(basePair),
      new Date(timestamp).toISOString(),
      printable(source)
    ])
  )

/**
 * Prints what currencies are worth in another one.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  options: ConnectionOptions & { readonly currencies: ReadonlyArray<string>; readonly in: string }
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    // the provider's rates are the same on all networks
    const { rates } = yield* connect("ethereum-mainnet", options)
    const [first = "", ...others] = options.currencies
    const found =
      others.length === 0
        ? [yield* rates.getCurrentRate(first, options.in)]
        : yield* rates.getCurrentRateBatch(
            options.currencies.map((currency) => ({ currency, basePair: options.in }))
          )
    yield* answer(options.json, found, shown)
  })
