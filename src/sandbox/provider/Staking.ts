/**
 * Staking. Native stakes are recordings, pools are a table, and liquid staking tokens come from the sandbox's own
 * chain.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Units from "../../data/Units.js"
import { type V4Route, v4Routes } from "../../data/v4Routes.js"
import type { AccountQuery, ChainQuery } from "../api/Blockchains.js"
import { type Invalid, makeUnavailable } from "../api/Refusal.js"
import * as Api from "../api/Staking.js"
import type { Nodes } from "../Nodes.js"
import { liquidPools, makeRewards, makeStakes, pools, type StakedNetwork } from "../recorded/Staking.js"
import { SandboxError } from "../SandboxError.js"
import type { Store } from "../Store.js"
import { type DataSources, loadSources, type Metadata, parseAddress } from "./Data.js"
import * as Holdings from "./data/Holdings.js"
import * as Pages from "./data/Pages.js"
import { failInvalid, findServedChain, findServedPlace } from "./Served.js"
import { toMillis } from "./Times.js"

/** The network of a query. Routes of stakes serve these two alone. */
const findStakedNetwork = (
  route: V4Route,
  query: { readonly chain: string }
): Effect.Effect<StakedNetwork, Invalid> =>
  Effect.map(findServedChain(route, query), (chain) =>
    chain === "solana-mainnet" ? "solana-mainnet" : "ethereum-mainnet"
  )

const parseHolder = (network: StakedNetwork, address: string): Effect.Effect<string, Invalid> => {
  if (network === "ethereum-mainnet") return parseAddress("evm", "address", address)
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)
    ? Effect.succeed(address)
    : failInvalid("address must be an address of Solana")
}

const findAccount = (route: V4Route, query: typeof AccountQuery.Type) =>
  Effect.gen(function* () {
    const network = yield* findStakedNetwork(route, query)
    yield* parseHolder(network, query.address)
    return network
  })

const recordedResponse = (body: unknown) =>
  HttpServerResponse.unsafeJson(body, { headers: { "x-sandbox-recorded": "true" } })

const readStakedAssets = (query: typeof AccountQuery.Type) =>
  Effect.map(findAccount(v4Routes.stakedAssets, query), (network) =>
    recordedResponse(makeStakes(network, query.address))
  )

const readStakedByValidator = (query: typeof Api.ValidatorQuery.Type) =>
  Effect.map(findAccount(v4Routes.stakedAssetsByValidator, query), (network) => {
    const { address, validator } = query
    const amounts = makeStakes(network, address)
      .filter(({ validatorAddress, validatorIndex, validatorPubkey }) =>
        [validatorAddress, String(validatorIndex), validatorPubkey].includes(validator)
      )
      .map(({ amount }) => Number(amount))
    const amount = String(amounts.reduce((sum, each) => sum + each, 0))
    return recordedResponse({ address, validator, amount } satisfies typeof Api.StakedWithValidator.Type)
  })

const readRewards = (query: typeof Api.RewardsQuery.Type) =>
  Effect.map(findAccount(v4Routes.stakingRewards, query), (network) => {
    const { address, from = 0, to = Number.MAX_SAFE_INTEGER } = query
    return recordedResponse(
      makeRewards(network, address).filter(
        ({ timestamp }) => timestamp >= toMillis(from) && timestamp <= toMillis(to)
      )
    )
  })

const readStakingTransactions = (query: typeof Api.StakingTransactionsQuery.Type) =>
  Effect.gen(function* () {
    const network = yield* findAccount(v4Routes.stakingTransactions, query)
    const part = yield* Pages.readPart(query)
    const newestFirst = makeStakes(network, query.address).toReversed()
    return recordedResponse(Pages.makePageOfAll(newestFirst, part, 0).result)
  })

/** The decimals of liquid staking tokens without decimals on the chain. */
const DECIMALS = { "ethereum-mainnet": 18, "solana-mainnet": 9 } as const

const readLiquidAssets = (index: DataSources, query: typeof AccountQuery.Type) =>
  Effect.gen(function* () {
    const staked = yield* findStakedNetwork(v4Routes.liquidAssets, query)
    const address = yield* parseHolder(staked, query.address)
    const { network } = yield* findServedPlace(index, v4Routes.liquidAssets, query, "evm", "solana")
    const held = yield* index.transact((open) =>
      Holdings.findHoldings(open, network, address).map(({ amount, token }) => ({
        amount,
        token,
        decimals: Holdings.findToken(open, network, token)?.decimals
      }))
    )
    return liquidPools[staked].flatMap(
      ({ contractAddresses, mintAddresses, protocol, symbols, underlying }) =>
        (contractAddresses ?? mintAddresses ?? []).flatMap((token, i) =>
          held
            .filter((each) => each.token === token)
            .map(({ amount, decimals = DECIMALS[staked] }) => ({
              protocol,
              symbol: symbols[i] ?? "",
              underlying,
              ...(contractAddresses === undefined ? { mintAddress: token } : { contractAddress: token }),
              balance: Units.format(amount, decimals)
            }))
        )
    )
  })

const readLiquidPools = (query: typeof ChainQuery.Type) =>
  Effect.map(findStakedNetwork(v4Routes.liquidPools, query), (network) => liquidPools[network])

const api = HttpApi.make("provider").add(Api.group)

/**
 * Staking. Recorded answers have the header `x-sandbox-recorded`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  HttpApiGroup.ApiGroup<"provider", "staking">,
  never,
  Metadata | Nodes | Store
> = HttpApiBuilder.group(api, "staking", (handlers) =>
  Effect.map(loadSources, (index) =>
    handlers
      .handle("stakedAssets", ({ urlParams }) => readStakedAssets(urlParams))
      .handle("stakedAssetsByValidator", ({ urlParams }) => readStakedByValidator(urlParams))
      .handle("stakingPools", ({ urlParams }) =>
        Effect.as(findServedChain(v4Routes.stakingPools, urlParams), recordedResponse(pools))
      )
      .handle("stakingRewards", ({ urlParams }) => readRewards(urlParams))
      .handle("stakingTransactions", ({ urlParams }) => readStakingTransactions(urlParams))
      .handle("liquidAssets", ({ urlParams }) =>
        Effect.mapError(readLiquidAssets(index, urlParams), (error) =>
          error instanceof SandboxError ? makeUnavailable(error.message) : error
        )
      )
      .handle("liquidPools", ({ urlParams }) => readLiquidPools(urlParams))
  )
)
