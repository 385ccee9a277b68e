/** A right question to every declared route of the data API, and an answer as the provider has it, for tests that call all of them. */
import { idOfChain } from "../../src/data/dataRoutes.js"
import { networksOfRoute } from "../../src/data/v4Routes.js"
import { type AnyEndpoint, endpoints } from "../../src/services/internal/dataEndpoints.js"

/** Values by the names of fields. */
const values: Readonly<Record<string, unknown>> = {
  address: "0x53e8577c4347c365e4e0da5b57a589cb6f2ab849",
  addresses: ["a1", "a2"],
  amount: "1.5",
  basePair: "USD",
  blockNumber: 7,
  contractAddress: "0xc0",
  from: 1,
  hash: "0xab",
  index: 0,
  name: "vitalik.eth",
  numberOfCandles: 3,
  symbol: "BTC",
  timestamp: 1_700_000_000,
  to: 2,
  tokenAddresses: ["0xt1"],
  totalValue: 0.5,
  unix: 1_700_000_000_000,
  validator: "v1"
}

/** The fields of routes that may be left out, and are. */
const omittedParameter = /^(interval|batchId|time|txType|data|tokenAddress)$/

/** A declared route: its path (`data.names.resolve`), a question, and the answer to it. */
export interface Sample {
  readonly path: string
  readonly endpoint: AnyEndpoint
  readonly query: Readonly<Record<string, unknown>>
  readonly answer: unknown
}

const samplesIn = (table: object, before: string): ReadonlyArray<Sample> =>
  Object.entries(table).flatMap(([name, entry]): ReadonlyArray<Sample> => {
    const path = `${before}.${name}`
    if (!("form" in entry)) return samplesIn(entry, path)
    // it has the input of its list
    if (entry.form === "stream") return []
    // what has a form is a declaration
    const endpoint = entry as AnyEndpoint
    const [network = ""] = networksOfRoute(endpoint.route)
    const query = Object.fromEntries(
      Object.keys(endpoint.fields)
        .filter((field) => !omittedParameter.test(field))
        .map((field) => [field, field === "chain" ? idOfChain(network) : values[field]])
    )
    // addresses of a transaction are not times
    const ends = "amount" in query ? { from: "0xf", to: "0xt" } : {}
    return [
      {
        path,
        endpoint,
        query: { ...query, ...ends },
        answer: endpoint.form === "one" ? { chain: endpoint.route.chains[0], value: "1" } : [{ value: "1" }]
      }
    ]
  })

export const samples: ReadonlyArray<Sample> = samplesIn(endpoints, "data")
