/**
 * Tokens of collections and mining rewards from the store, and reputations that depend on the seed.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Units from "../../data/Units.js"
import { type V4Route, v4Routes } from "../../data/v4Routes.js"
import type { AccountQuery } from "../api/Blockchains.js"
import { type Invalid, makeUnavailable, type Unavailable } from "../api/Refusal.js"
import * as Api from "../api/Wallets.js"
import type { Nodes } from "../Nodes.js"
import { toNodeAddress } from "../nodes/addresses.js"
import { SandboxError } from "../SandboxError.js"
import type { Store, Transaction } from "../Store.js"
import { type DataSources, loadSources, type Metadata, parseAddress } from "./Data.js"
import * as Holdings from "./data/Holdings.js"
import * as Pages from "./data/Pages.js"
import * as Describe from "./data/TokenMetadata.js"
import { noiseOf } from "./Rate.js"
import { findServedChain, findServedPlace } from "./Served.js"
import { toMillis } from "./Times.js"

const MAX_CONCURRENT_CALLS = 8

/** An address's tokens by collection, with their metadata. */
const readCollections = (
  index: DataSources,
  route: V4Route,
  query: typeof Api.AccountPageQuery.Type,
  kind: "nft" | "multitoken"
) =>
  Effect.gen(function* () {
    const part = yield* Pages.readPart(query)
    const address = yield* parseAddress("evm", "address", query.address)
    const { network, rpc } = yield* findServedPlace(index, route, query, "evm")
    const held = yield* index.transact((open) =>
      Holdings.findHoldings(open, network, address).flatMap((holding) =>
        holding.kind === kind && holding.tokenId !== undefined
          ? [{ token: holding.token, tokenId: holding.tokenId, amount: holding.amount }]
          : []
      )
    )
    const byContract = new Map<string, ReadonlyArray<(typeof held)[number]>>()
    for (const each of held) byContract.set(each.token, [...(byContract.get(each.token) ?? []), each])
    const { result } = Pages.makePageOfAll([...byContract], part, 0)
    return yield* Effect.forEach(result, ([contractAddress, tokens]) =>
      Effect.map(
        Effect.forEach(
          tokens,
          ({ tokenId }) =>
            Effect.map(
              Describe.readDescription(rpc, index.resolve, { token: contractAddress, tokenId, kind }),
              ({ metadata, metadataURI }) => ({
                tokenId,
                ...(metadataURI === undefined ? {} : { url: metadataURI }),
                ...(metadata === undefined ? {} : { metadata })
              })
            ),
          { concurrency: MAX_CONCURRENT_CALLS }
        ),
        (metadata) => ({ contractAddress, tokens, metadata })
      )
    )
  })

const readNftBalances = (index: DataSources, query: typeof Api.AccountPageQuery.Type) =>
  Effect.map(readCollections(index, v4Routes.nftBalances, query, "nft"), (found) =>
    found.map(({ tokens, ...rest }) => ({ ...rest, balances: tokens.map(({ tokenId }) => tokenId) }))
  )

const readMultitokenBalances = (index: DataSources, query: typeof Api.AccountPageQuery.Type) =>
  Effect.map(readCollections(index, v4Routes.multitokenBalances, query, "multitoken"), (found) =>
    found.map(({ tokens, ...rest }) => ({
      ...rest,
      balances: tokens.map(({ amount, tokenId }) => ({ tokenId, amount: String(amount) }))
    }))
  )

const Reward = Schema.Struct({
  block: Schema.Number,
  hash: Schema.String,
  position: Schema.Number,
  amount: Schema.String
})

/** The first transaction of a block pays its miner. */
const findRewards = (
  { all }: Transaction,
  network: string,
  address: string,
  [from, to]: readonly [from: number, to: number]
): ReadonlyArray<typeof Reward.Type> =>
  all(
    Reward,
    `SELECT o.block, o.hash, o.position, o.amount FROM outputs o
     JOIN transactions t ON t.network = o.network AND t.hash = o.hash
     WHERE o.network = ? AND o.address = ? AND t.position = 0 AND o.amount <> '0' AND t.time BETWEEN ? AND ?
     ORDER BY o.block DESC, o.position`,
    network,
    address,
    from,
    to
  )

const COIN_DECIMALS = 8

const toValue = (amount: bigint) => {
  const valueAsString = Units.format(amount, COIN_DECIMALS)
  return { value: Number(valueAsString), valueAsString }
}

const readMiningRewards = (index: DataSources, query: typeof Api.MiningQuery.Type) =>
  Effect.gen(function* () {
    const { address, from = 0, to } = query
    const part = yield* Pages.readPart(query)
    const { chain, network } = yield* findServedPlace(index, v4Routes.miningRewards, query, "utxo")
    const period = [toMillis(from), to === undefined ? Number.MAX_SAFE_INTEGER : toMillis(to)] as const
    const rewards = yield* index.transact((open) =>
      findRewards(open, network, toNodeAddress(network, address), period)
    )
    return Pages.makePageOfAll(rewards, part, 0).result.map(({ amount, block, hash, position }) => ({
      blockNumber: block,
      txHash: hash,
      index: position,
      ...toValue(BigInt(amount)),
      address,
      chain
    }))
  })

const readTotalMiningRewards = (index: DataSources, query: typeof AccountQuery.Type) =>
  Effect.gen(function* () {
    const { address } = query
    const { chain, network } = yield* findServedPlace(index, v4Routes.totalMiningRewards, query, "utxo")
    const rewards = yield* index.transact((open) =>
      findRewards(open, network, toNodeAddress(network, address), [0, Number.MAX_SAFE_INTEGER])
    )
    return { ...toValue(rewards.reduce((sum, { amount }) => sum + BigInt(amount), 0n)), address, chain }
  })

/** A whole number from 0 to 100 for an address, regardless of case. */
const scoreOf = (seed: string, chain: string, address: string): number =>
  Math.round(50 + 50 * noiseOf(`${seed}/${chain}/reputation/${address.toLowerCase()}`))

const readReputation = (query: typeof AccountQuery.Type, seed: string) =>
  Effect.gen(function* () {
    const chain = yield* findServedChain(v4Routes.reputation, query)
    yield* parseAddress("evm", "address", query.address)
    return { address: query.address, reputation: scoreOf(seed, chain, query.address) }
  })

const readPortfolioReputation = (index: DataSources, query: typeof AccountQuery.Type, seed: string) =>
  Effect.gen(function* () {
    const address = yield* parseAddress("evm", "address", query.address)
    const { chain, network } = yield* findServedPlace(index, v4Routes.reputationPortfolio, query, "evm")
    const held = yield* index.transact((open) => Holdings.findHoldings(open, network, address))
    return {
      address: query.address,
      reputation: scoreOf(seed, chain, address),
      tokens: [...new Set(held.map(({ token }) => token))].map((tokenAddress) => ({
        tokenAddress,
        reputation: scoreOf(seed, chain, tokenAddress)
      }))
    }
  })

const readTokenReputations = (query: typeof Api.TokensOfWalletQuery.Type, seed: string) =>
  Effect.gen(function* () {
    const chain = yield* findServedChain(v4Routes.reputationTokens, query)
    yield* parseAddress("evm", "address", query.address)
    const tokens = yield* Effect.forEach(query.tokenAddresses.split(","), (token) =>
      parseAddress("evm", "tokenAddresses", token.trim())
    )
    return {
      address: query.address,
      tokens: tokens.map((tokenAddress) => ({ tokenAddress, reputation: scoreOf(seed, chain, tokenAddress) }))
    }
  })

/** Converts a failure of the nodes or the database to the provider's refusal. */
const refuseFailures = <A>(
  effect: Effect.Effect<A, Invalid | SandboxError>
): Effect.Effect<A, Invalid | Unavailable> =>
  Effect.mapError(effect, (error) => (error instanceof SandboxError ? makeUnavailable(error.message) : error))

const api = HttpApi.make("provider").add(Api.group)

/**
 * Tokens and rewards of addresses, and reputations, which depend on the seed.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  seed: string
): Layer.Layer<HttpApiGroup.ApiGroup<"provider", "wallets">, never, Metadata | Nodes | Store> =>
  HttpApiBuilder.group(api, "wallets", (handlers) =>
    Effect.map(loadSources, (index) =>
      handlers
        .handle("nftBalances", ({ urlParams }) => refuseFailures(readNftBalances(index, urlParams)))
        .handle("multitokenBalances", ({ urlParams }) =>
          refuseFailures(readMultitokenBalances(index, urlParams))
        )
        .handle("miningRewards", ({ urlParams }) => refuseFailures(readMiningRewards(index, urlParams)))
        .handle("totalMiningRewards", ({ urlParams }) =>
          refuseFailures(readTotalMiningRewards(index, urlParams))
        )
        .handle("reputation", ({ urlParams }) => readReputation(urlParams, seed))
        .handle("reputationPortfolio", ({ urlParams }) =>
          refuseFailures(readPortfolioReputation(index, urlParams, seed))
        )
        .handle("reputationTokens", ({ urlParams }) => readTokenReputations(urlParams, seed))
    )
  )
