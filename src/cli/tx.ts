/**
 * `effect-chains tx`: a transaction and its outcome.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { type AnyClient, type ConnectionOptions, connect, networkInfo } from "./Connection.js"
import { CommandError, makeInputError } from "./Failure.js"
import { findLink } from "./Links.js"
import { findMethod } from "./Methods.js"
import { formatReadable, printResult } from "./Output.js"
import { type FindTransaction, transactionFinders } from "./transactionFinders.js"

/**
 * Prints a transaction of a network, with its receipt if the chain has one. With `wait` it first waits for that many
 * confirmations.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  options: ConnectionOptions & {
    readonly network: string
    readonly hash: string
    readonly sender: Option.Option<string>
    readonly wait: Option.Option<number>
  }
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const client = yield* connect(options.network, options)
    const { network, rpc } = client
    // the client belongs to the network's family, which its type does not say
    const find = transactionFinders[networkInfo(network).family] as
      | FindTransaction<AnyClient["rpc"]>
      | undefined
    if (find === undefined)
      return yield* makeInputError(
        `Nodes of ${network} cannot find a transaction by its hash: "effect-chains rpc ${network}" lists their methods`
      )
    const confirmations = Option.getOrUndefined(options.wait)
    if (confirmations !== undefined) {
      if (typeof rpc.waitForTransaction !== "function")
        return yield* makeInputError(`The SDK cannot wait for transactions on ${network}: remove --wait`)
      yield* findMethod(client, "waitForTransaction")(options.hash, { confirmations })
    }
    const found = yield* find(rpc, { hash: options.hash, sender: Option.getOrUndefined(options.sender) })
    if (found.transaction === null || found.transaction === undefined)
      return yield* new CommandError({
        exit: "refused",
        message: `No node of ${network} knows a transaction ${options.hash}`
      })
    const explorer = yield* findLink(client, "tx", options.hash)
    yield* printResult(
      options.json,
      { ...found, ...(explorer === undefined ? {} : { explorer }) },
      formatReadable
    )
  })
