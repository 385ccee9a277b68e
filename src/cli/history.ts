/**
 * `effect-chains transactions`: transfers of addresses.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { hasService } from "../data/Coverage.js"
import type { AddressTransaction } from "../services/Address.js"
import { type ConnectionOptions, connect, networkInfo } from "./Connection.js"
import { makeInputError } from "./Failure.js"
import { withLinks } from "./Links.js"
import { escapeControls, formatTable, printResult } from "./Output.js"

const DEFAULT_COUNT = 25

/** The provider's largest page. */
const MAX_PAGE_SIZE = 50

/** Networks of Bitcoin's kind have seconds, the others milliseconds. */
const toIsoTime = (timestamp: number): string =>
  new Date(timestamp < 100_000_000_000 ? timestamp * 1_000 : timestamp).toISOString()

type Row = AddressTransaction & { readonly explorer?: string }

const formatTransfers = (symbol: string, transfers: ReadonlyArray<Row>): string =>
  formatTable(
    ["time", "block", "amount", "asset", "transaction"],
    transfers.map((row) => {
      const {
        amount,
        blockNumber,
        explorer,
        hash,
        timestamp,
        tokenAddress,
        tokenId = "",
        transactionSubtype
      } = row
      const direction = transactionSubtype ?? row.transactionType
      const sign = direction === "outgoing" && !amount.startsWith("-") ? "-" : ""
      return [
        toIsoTime(timestamp),
        blockNumber === undefined ? "waiting" : String(blockNumber),
        escapeControls(`${sign}${amount}`),
        escapeControls(tokenAddress === undefined ? symbol : `${tokenAddress} ${tokenId}`.trim()),
        escapeControls(explorer ?? hash)
      ]
    })
  )

/**
 * Prints the last transfers of addresses, each with a link to its transaction in the block explorer.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  options: ConnectionOptions & {
    readonly network: string
    readonly addresses: ReadonlyArray<string>
    readonly count: Option.Option<number>
  }
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const client = yield* connect(options.network, options)
    const { address, network } = client
    const { addresses } = options
    const info = networkInfo(network)
    if (!hasService({ network, info }, "address"))
      return yield* makeInputError(
        `The provider has no histories for ${network}: "effect-chains tx ${network} <hash>" shows a transaction`
      )
    const limit = Option.getOrElse(options.count, () => DEFAULT_COUNT)
    const found = yield* Stream.runCollect(
      address.streamTransactions({ addresses, limit, pageSize: Math.min(Math.max(limit, 1), MAX_PAGE_SIZE) })
    )
    const rows = yield* withLinks(client, "tx", [...found], ({ hash }) => hash)
    yield* printResult(options.json, rows, (all) => formatTransfers(info.symbol, all))
  })
