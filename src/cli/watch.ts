/**
 * `effect-chains watch`: the balances of addresses, at each change.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { hasService } from "../data/Coverage.js"
import * as Units from "../data/Units.js"
import { type ConnectionOptions, connect, networkInfo } from "./Connection.js"
import { exitNameOf, makeInputError } from "./Failure.js"
import { escapeControls, formatJson, print, printNote, withTone } from "./Output.js"

/** A changed balance. The first one of an address has no change. */
interface BalanceChange {
  readonly at: string
  readonly network: string
  readonly address: string
  readonly balance: string
  readonly change?: string
}

const formatChange = ({ address, at, balance, change }: BalanceChange, symbol: string): string => {
  const moved =
    change === undefined
      ? ""
      : withTone(change.startsWith("-") ? "bad" : "good", `  ${change.startsWith("-") ? "" : "+"}${change}`)
  return `${withTone("faint", at)}  ${escapeControls(address)}  ${escapeControls(balance)} ${symbol}${moved}`
}

const subtractAmounts = (before: string, now: string, decimals: number): string | undefined =>
  Option.getOrUndefined(
    Option.zipWith(Units.parse(before, decimals), Units.parse(now, decimals), (a, b) =>
      Units.format(b - a, decimals)
    )
  )

/**
 * Prints the balances of addresses in the network's coin, and again when they have changed, until it is ended or after
 * `count` lines. Changes between two checks that cancel out are not seen; a fleet's watchers see every payment. A
 * failed check is printed, and the next one follows.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  options: ConnectionOptions & {
    readonly network: string
    readonly addresses: ReadonlyArray<string>
    readonly interval: number
    readonly count: Option.Option<number>
  }
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const { address: service, network } = yield* connect(options.network, options)
    if (!hasService({ network, info: networkInfo(network) }, "address"))
      return yield* makeInputError(`The provider has no balances for ${network}`)
    const { decimals, symbol } = networkInfo(network)
    const known = new Map<string, string>()
    let left = Option.getOrElse(options.count, () => Number.POSITIVE_INFINITY)
    // networks of Bitcoin's kind take one address per call
    const checkBalances = Effect.forEach(options.addresses, (address) =>
      Effect.gen(function* () {
        const [found] = yield* service.getBalance({ addresses: [address], tokenTypes: ["native"] })
        const balance = found?.balance ?? "0"
        const before = known.get(address)
        if (balance === before || left <= 0) return
        known.set(address, balance)
        left -= 1
        const at = new Date(yield* Clock.currentTimeMillis).toISOString()
        const change = before === undefined ? undefined : subtractAmounts(before, balance, decimals)
        const event: BalanceChange = {
          at,
          network,
          address,
          balance,
          ...(change === undefined ? {} : { change })
        }
        yield* print(options.json ? formatJson(event) : formatChange(event, symbol))
      })
    )
    // an invalid address fails at once
    yield* checkBalances
    const checkAndNoteFailure = Effect.catchAll(checkBalances, (error) =>
      exitNameOf(error) === "wrong"
        ? Effect.fail(error)
        : printNote(escapeControls(`Asked in vain: ${error.message}`))
    )
    while (left > 0) yield* Effect.delay(checkAndNoteFailure, `${options.interval} seconds`)
  })
