/**
 * `effect-chains balance`: what addresses have.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { covers } from "../data/Coverage.js"
import * as Network from "../data/Network.js"
import * as Units from "../data/Units.js"
import type { AddressBalance } from "../services/Address.js"
import { type AnyClient, type ConnectionOptions, connect, infoOf } from "./Connection.js"
import { wrong } from "./Failure.js"
import { withLinks } from "./Links.js"
import { memberOf } from "./Methods.js"
import { answer, fields, printable, table } from "./Output.js"

const evm: ReadonlyArray<string> = Network.evmFamilies

type Row = AddressBalance & { readonly explorer?: string }

const shown = (symbol: string, balances: ReadonlyArray<Row>): string => {
  const links = new Map(
    balances.flatMap(({ address, explorer }) =>
      explorer === undefined ? [] : [[address, explorer] as const]
    )
  )
  const rows = table(
    ["address", "balance", "asset", "token"],
    balances.map(({ address, asset, balance, tokenAddress = "", tokenId, type }) => [
      printable(address),
      printable(balance),
      printable(asset ?? (type === "native" ? symbol : type)),
      printable(tokenId === undefined ? tokenAddress : `${tokenAddress} ${tokenId}`)
    ])
  )
  return links.size === 0
    ? rows
    : `${rows}\n\n${fields(Array.from(links, ([address, link]) => [printable(address), printable(link)]))}`
}

/** Balances in the coin of an EVM network, as its nodes tell them. */
const fromNodes = (
  client: AnyClient,
  addresses: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<AddressBalance>, unknown> => {
  const { decimals, symbol: asset } = infoOf(client.network)
  return Effect.forEach(addresses, (address) =>
    Effect.map(memberOf(client, "getBalance")(address), (units) => ({
      address,
      asset,
      decimals,
      balance: Units.format(BigInt(String(units)), decimals),
      type: "native" as const
    }))
  )
}

/**
 * Prints the balances of addresses: those in the network's coin, and with `tokens` everything else that they have. Of EVM networks that the
 * provider has no balances of, nodes are asked. Each address comes with its page in the network's block explorer.
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
    const { family, symbol } = infoOf(network)
    const isCovered = covers({ network, info: infoOf(network) }, "address")
    if (!isCovered && (tokens || !evm.includes(family)))
      return yield* wrong(
        evm.includes(family)
          ? `The provider has no tokens of ${network}: leave out --tokens, and its nodes tell balances in ${symbol}`
          : `The provider has no balances of ${network}: ask its nodes, whose methods "effect-chains rpc ${network}" lists`
      )
    const balances = isCovered
      ? yield* address.getBalance({ addresses, ...(tokens ? {} : { tokenTypes: ["native"] }) })
      : yield* fromNodes(client, addresses)
    const rows = yield* withLinks(client, "address", balances, (row) => row.address)
    yield* answer(options.json, rows, (all) => shown(symbol, all))
  })
