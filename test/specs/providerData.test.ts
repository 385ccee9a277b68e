/** The routes of the data API beside a digest of the provider's description of April 2026 (`scripts/providerRoutes.ts` writes it). */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { describe, expect, it } from "vitest"
import { chargeOfRoute, routeCredits } from "../../src/data/credits.js"
import { type DataRoute, dataRoutes } from "../../src/data/dataRoutes.js"
import { isNetwork } from "../../src/data/Network.js"
import { networksOfRoute, type V4Route, v4Routes } from "../../src/data/v4Routes.js"
import * as Schemas from "../../src/services/Schemas.js"
import { samples } from "../services/dataSamples.js"

interface Described {
  readonly credits?: number
  readonly chains: ReadonlyArray<string>
  /** By name, whether it is required. */
  readonly parameters: Readonly<Record<string, boolean>>
  /** Those that the body's own `chain` names. */
  readonly words?: ReadonlyArray<string>
  readonly fields: ReadonlyArray<string>
}

const digest: Readonly<Record<string, Described>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "digests/provider-data.json"), "utf8")
)

const describedOf = ({ isPost, v4 }: V4Route): Described | undefined =>
  digest[`${isPost === true ? "POST" : "GET"} /v4/${v4}`]

/** The provider serves it; the table of networks does not have it yet. */
const unknown = ["monad-mainnet", "POL_ETH"]

/** Parameters that a route takes beside those of its description, whose words for intervals have no parameter there. */
const more: Readonly<Record<string, ReadonlyArray<string>>> = {
  "data.rates.getPriceChange": ["interval"],
  "data.rates.getPriceChangeBatch": ["interval"]
}

/** Parameters that the client makes where they are left out. */
const made = ["batchId"]

/** The schema of the answers of a method, by the name of its type. */
const answers: Readonly<Record<string, keyof typeof Schemas>> = {
  "data.blockchains.getBalance": "ChainBalance",
  "data.blockchains.getBalanceBatch": "AddressedBalance",
  "data.blockchains.getBlock": "ChainBlock",
  "data.blockchains.getCurrentBlock": "CurrentBlock",
  "data.blockchains.getTransaction": "ChainTransaction",
  "data.blockchains.getTransactionCount": "TransactionCount",
  "data.blockchains.getInternalTransactions": "InternalTransaction",
  "data.blockchains.estimateGas": "GasEstimate",
  "data.mining.getRewards": "MiningReward",
  "data.mining.getTotalRewards": "TotalMiningRewards",
  "data.names.resolve": "ResolvedName",
  "data.nfts.getBalances": "NftHolding",
  "data.multitokens.getBalances": "MultitokenHolding",
  "data.rates.getByContract": "ExchangeRate",
  "data.rates.getBySymbol": "ExchangeRate",
  "data.rates.getBySymbolBatch": "ExchangeRate",
  "data.rates.getHistory": "RatePoint",
  "data.rates.getPriceChange": "PriceChange",
  "data.rates.getPriceChangeBatch": "PriceChange",
  "data.rates.getOhlcv": "Candle",
  "data.staking.liquid.getAssets": "LiquidStakingAsset",
  "data.staking.liquid.getPools": "LiquidStakingPool",
  "data.staking.native.getAssets": "StakedAsset",
  "data.staking.native.getPools": "StakingPool",
  "data.tokens.getTrending": "RankedToken",
  "data.wallet.getBalanceAt": "BalanceAtTime",
  "data.wallet.getReputation": "WalletReputation"
}

const schemas = new Map<string, Schema.Schema.All>(Object.entries(Schemas))

const namesIn = (name: keyof typeof Schemas): ReadonlyArray<string> => {
  const ast = schemas.get(name)?.ast ?? AST.neverKeyword
  return AST.getPropertySignatures(AST.typeAST(ast)).map((field) => String(field.name))
}

describe("the provider's description", () => {
  it("has no route of the data API that is not here", () => {
    const here = [
      ...Object.values<DataRoute>(dataRoutes).map(({ v4 }) => `GET /v4/${v4}`),
      ...Object.values<V4Route>(v4Routes).map(
        ({ isPost, v4 }) => `${isPost === true ? "POST" : "GET"} /v4/${v4}`
      )
    ]
    expect([...new Set(here)].toSorted()).toEqual(Object.keys(digest).toSorted())
    expect([...new Set(samples.map(({ endpoint }) => endpoint.route.v4))].toSorted()).toEqual(
      Object.values<V4Route>(v4Routes)
        .map(({ v4 }) => v4)
        .toSorted()
    )
  })

  it("has the price of each route of the data API", () => {
    const priced = Object.entries(digest).filter(([, { credits }]) => credits !== undefined)
    expect(priced.length).toBeGreaterThan(30)
    for (const [route, { credits }] of Object.entries(digest)) {
      const [method = "", path = ""] = route.split(" /")
      expect([route, chargeOfRoute(method, path).credits]).toEqual([route, credits])
    }
    const data = Object.values(routeCredits)
      .flat()
      .filter((route) => !route.includes(" v4/subscription"))
    expect(data.map((route) => route.replace(" ", " /")).toSorted()).toEqual(
      priced.map(([route]) => route).toSorted()
    )
  })

  it.each(Object.entries<V4Route>(v4Routes))("has the route of %s, with its chains", (_, route) => {
    const described = describedOf(route)
    const { chains = [], words = [] } = described ?? {}
    const own = route.codes === undefined ? route.chains : Object.keys(route.codes)
    expect([...own].toSorted()).toEqual([...new Set([...chains, ...words])].toSorted())
    for (const id of networksOfRoute(route))
      expect([id, isNetwork(id) || unknown.includes(id)]).toEqual([id, true])
  })

  it.each(samples)("has the parameters of $path", ({ endpoint, path }) => {
    const { parameters = {} } = describedOf(endpoint.route) ?? {}
    const paging = endpoint.form === "pages" ? ["pageSize", "offset"] : []
    const own = [...Object.keys(endpoint.fields), ...paging]
    expect(own.toSorted()).toEqual([...Object.keys(parameters), ...(more[path] ?? [])].toSorted())
    const optional = Object.entries(endpoint.fields).flatMap(([name, field]) =>
      Schema.isSchema(field) || made.includes(name) ? [] : [name]
    )
    const free = Object.entries(parameters).flatMap(([name, required]) =>
      required || paging.includes(name) ? [] : [name]
    )
    expect(optional.toSorted()).toEqual([...free, ...(more[path] ?? [])].toSorted())
  })

  it.each(Object.entries(answers))("has the fields of what %s answers", (path, name) => {
    const sample = samples.find((each) => each.path === path)
    const fields = sample === undefined ? [] : (describedOf(sample.endpoint.route)?.fields ?? [])
    expect(fields.length).toBeGreaterThan(0)
    // the text of an amount stands for its number
    const named = fields.filter((field) => field !== "valueAsString")
    expect(namesIn(name)).toEqual(expect.arrayContaining(named))
  })

  it("has no fields where an answer is left as the provider has written it", () => {
    for (const { endpoint, path } of samples)
      if (answers[path] === undefined) expect([path, describedOf(endpoint.route)?.fields]).toEqual([path, []])
  })
})
