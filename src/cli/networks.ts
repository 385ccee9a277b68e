/**
 * `effect-chains networks`: the table of networks.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { serviceNeeds, supports } from "../data/Coverage.js"
import * as Network from "../data/Network.js"
import { type CommandError, makeInputError } from "./Failure.js"
import { formatTable, printResult, withTone } from "./Output.js"

interface Row {
  readonly id: Network.Network
  readonly family: Network.FamilyId
  readonly symbol: string
  readonly decimals: number
  readonly chainId: number | null
  readonly testnet: boolean
  readonly status: string
  readonly services: ReadonlyArray<string>
}

// the keys of the table are services
const services = Object.keys(serviceNeeds) as ReadonlyArray<keyof typeof serviceNeeds>

const toRow = (id: Network.Network): Row => {
  const { chainId = null, decimals, family, status = "live", symbol, testnet = false } = Network.info(id)
  return {
    id,
    family,
    symbol,
    decimals,
    chainId,
    testnet,
    status,
    services: services.filter((service) => supports(id, service))
  }
}

const formatNetworks = (rows: ReadonlyArray<Row>): string =>
  formatTable(
    ["network", "family", "coin", "decimals", "chain id", "", "status"],
    rows.map(({ chainId, decimals, family, id, status, symbol, testnet }) => [
      id,
      family,
      symbol,
      String(decimals),
      chainId === null ? "" : String(chainId),
      testnet ? "testnet" : "",
      status === "live" ? "" : withTone("careful", status)
    ])
  )

/**
 * Prints the networks: all, those of a family, or those whose id contains a word.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (options: {
  readonly search: Option.Option<string>
  readonly family: Option.Option<string>
  readonly testnets: boolean
  readonly mainnets: boolean
  readonly json: boolean
}): Effect.Effect<void, CommandError> => {
  // the keys of the table are networks
  const all = (Object.keys(Network.networks) as ReadonlyArray<Network.Network>).map(toRow)
  const family = Option.getOrUndefined(options.family)
  if (family !== undefined && !all.some((row) => row.family === family)) {
    const families = [...new Set(all.map((row) => row.family))].sort().join(", ")
    return Effect.fail(makeInputError(`There is no family "${family}". The families are ${families}`))
  }
  const word = Option.getOrElse(options.search, () => "").toLowerCase()
  const rows = all.filter(
    (row) =>
      (family === undefined || row.family === family) &&
      (row.id.includes(word) || row.symbol.toLowerCase() === word) &&
      (!options.testnets || row.testnet) &&
      (!options.mainnets || !row.testnet)
  )
  return rows.length === 0 && !options.json
    ? Effect.fail(makeInputError(`No network matches: "effect-chains networks" lists all`))
    : printResult(options.json, rows, formatNetworks)
}
