/**
 * `effect-chains fee`: the current fees of transactions.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { hasService } from "../data/Coverage.js"
import * as Network from "../data/Network.js"
import * as Units from "../data/Units.js"
import { type ConnectionOptions, connect, networkInfo } from "./Connection.js"
import { makeInputError } from "./Failure.js"
import { findMethod } from "./Methods.js"
import { formatFields, printResult } from "./Output.js"

const evm: ReadonlyArray<string> = Network.evmFamilies

/** Gas prices from the nodes of an EVM network, in Gwei. */
interface NodeFee {
  readonly chain: string
  readonly gasPrice: { readonly medium: string; readonly unit: "Gwei" }
}

const readFromNodes = (client: Parameters<typeof findMethod>[0]) =>
  Effect.map(findMethod(client, "gasPrice")(), (price): NodeFee => {
    const medium = Units.format(BigInt(String(price)), 9)
    return { chain: client.network, gasPrice: { medium, unit: "Gwei" } }
  })

/**
 * Prints the fees of a network from the provider. The nodes' price is printed for EVM networks without such an estimate
 * and for configured nodes.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  options: ConnectionOptions & { readonly network: string; readonly nodes: boolean }
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const client = yield* connect(options.network, options)
    const { fee, network } = client
    if (options.nodes || !hasService({ network, info: networkInfo(network) }, "fee")) {
      if (!evm.includes(networkInfo(network).family))
        return yield* makeInputError(
          options.nodes
            ? `Nodes of ${network} have no gas price: remove --nodes, or see "effect-chains rpc ${network}"`
            : `The provider has no fees for ${network}: "effect-chains rpc ${network}" lists the methods of its nodes`
        )
      const estimate = yield* readFromNodes(client)
      return yield* printResult(options.json, estimate, ({ gasPrice }) =>
        formatFields([["gas price", `${gasPrice.medium} ${gasPrice.unit}`]])
      )
    }
    const current = yield* fee.getCurrentFee()
    yield* printResult(options.json, current, (found) => {
      const { fast, medium, slow } = "gasPrice" in found ? found.gasPrice : found
      const unit = "gasPrice" in found ? found.gasPrice.unit : "of the smallest unit per byte"
      return formatFields([
        ["slow", `${slow} ${unit}`],
        ["medium", `${medium} ${unit}`],
        ["fast", `${fast} ${unit}`],
        ["base fee", "gasPrice" in found ? `${found.gasPrice.baseFee} ${unit}` : undefined],
        ["as of block", String(found.basedOnBlockNumber)],
        ["calculated", found.lastRecalculated]
      ])
    })
  })
