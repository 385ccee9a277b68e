/**
 * `effect-chains balance`: what addresses have.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { covers } from "../data/Coverage.js"
import type { AddressBalance } from "../services/Address.js"
import { type ConnectionOptions, connect, infoOf } from "./Connection.js"
import { wrong } from "./Failure.js"
import { answer, printable, table } from "./Output.js"

const shown = (symbol: string, balances: ReadonlyArray<AddressBalance>): string =>
  table(
    ["address", "balance", "asset", "token"],
    balances.map(({ address, asset, balance, tokenAddress = "", tokenId, type }) => [
      printable(address),
      printable(balance),
      printable(asset ?? (type === "native" ? symbol : type)),
      printable(tokenId === undefined ? tokenAddress : `${tokenAddress} ${tokenId}`)
    ])
  )

/**
 * Prints the balances of addresses: those in the network's coin, and with `tokens` everything else that they have.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  options: ConnectionOptions & {
    readonly network: string
    readonly addresses: ReadonlyArray<string>
    readonly tokens: boolean
  }
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const { address, network } = yield* connect(options.network, options)
    if (!covers({ network, info: infoOf(network) }, "address"))
      return yield* wrong(
        `The provider has no balances of ${network}: ask its nodes, whose methods "effect-chains rpc ${network}" lists`
      )
    const { addresses, tokens } = options
    const balances = yield* address.getBalance({ addresses, ...(tokens ? {} : { tokenTypes: ["native"] }) })
    yield* answer(options.json, balances, (all) => shown(infoOf(network).symbol, all))
  })
