/**
 * `effect-chains rate`: exchange rates.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Rate } from "../services/Rates.js"
import { type ConnectionOptions, connect } from "./Connection.js"
import { escapeControls, formatTable, printResult } from "./Output.js"

const formatRates = (rates: ReadonlyArray<Rate>): string =>
  formatTable(
    ["", "rate", "", "at", "source"],
    rates.map(({ _id, basePair, source, timestamp, value }) => [
      escapeControls(`1 ${_id}`),
      escapeControls(value),
      escapeControls(basePair),
      new Date(timestamp).toISOString(),
      escapeControls(source)
    ])
  )

/**
 * Prints the exchange rates of currencies.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  options: ConnectionOptions & { readonly currencies: ReadonlyArray<string>; readonly in: string }
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    // rates do not depend on the network
    const { rates } = yield* connect("ethereum-mainnet", options)
    const [first = "", ...others] = options.currencies
    const found =
      others.length === 0
        ? [yield* rates.getCurrentRate(first, options.in)]
        : yield* rates.getCurrentRateBatch(
            options.currencies.map((currency) => ({ currency, basePair: options.in }))
          )
    yield* printResult(options.json, found, formatRates)
  })
