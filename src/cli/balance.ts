/**
 * `effect-chains balance`: the balances of addresses.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { hasService } from "../data/Coverage.js"
import * as Network from "../data/Network.js"
import * as Units from "../data/Units.js"
import type { AddressBalance } from "../services/Address.js"
import { type AnyClient, type ConnectionOptions, connect, networkInfo } from "./Connection.js"
import { makeInputError } from "./Failure.js"
import { withLinks } from "./Links.js"
import { findMethod } from "./Methods.js"
import { escapeControls, formatFields, formatTable, printResult } from "./Output.js"

const evm: ReadonlyArray<string> = Network.evmFamilies

type Row = AddressBalance & { readonly explorer?: string }

const formatBalances = (symbol: string, balances: ReadonlyArray<Row>): string => {
  const links = new Map(
    balances.flatMap(({ address, explorer }) =>
      explorer === undefined ? [] : [[address, explorer] as const]
    )
  )
  const rows = formatTable(
    ["address", "balance", "asset", "token"],
    balances.map(({ address, asset, balance, tokenAddress = "", tokenId, type }) => [
      escapeControls(address),
      escapeControls(balance),
      escapeControls(asset ?? (type === "native" ? symbol : type)),
      escapeControls(tokenId === undefined ? tokenAddress : `${tokenAddress} ${tokenId}`)
    ])
  )
  return links.size === 0
    ? rows
    : `${rows}\n\n${formatFields(Array.from(links, ([address, link]) => [escapeControls(address), escapeControls(link)]))}`
}

/** Balances in the coin of an EVM network, from its nodes. */
const readFromNodes = (
  client: AnyClient,
  addresses: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<AddressBalance>, unknown> => {
  const { decimals, symbol: asset } = networkInfo(client.network)
  return Effect.forEach(addresses, (address) =>
    Effect.map(findMethod(client, "getBalance")(address), (units) => ({
      address,
      asset,
      decimals,
      balance: Units.format(BigInt(String(units)), decimals),
      type: "native" as const
    }))
  )
}

/**
 * Prints the balances of addresses in the network's coin, and with `tokens` their other assets. The nodes of an EVM
 * network answer if the provider has no balances for it. Each address has a link to the block explorer.
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
    const client = yield* connect(options.network, options)
    const { address, network } = client
    const { addresses, tokens } = options
    const { family, symbol } = networkInfo(network)
    const isCovered = hasService({ network, info: networkInfo(network) }, "address")
    if (!isCovered && (tokens || !evm.includes(family)))
      return yield* makeInputError(
        evm.includes(family)
          ? `The provider has no tokens for ${network}: without --tokens, its nodes have balances in ${symbol}`
          : `The provider has no balances for ${network}: "effect-chains rpc ${network}" lists the methods of its nodes`
      )
    const balances = isCovered
      ? yield* address.getBalance({ addresses, ...(tokens ? {} : { tokenTypes: ["native"] }) })
      : yield* readFromNodes(client, addresses)
    const rows = yield* withLinks(client, "address", balances, (row) => row.address)
    yield* printResult(options.json, rows, (all) => formatBalances(symbol, all))
  })
