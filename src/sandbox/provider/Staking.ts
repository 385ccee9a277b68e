/**
 * Staking: native stakes are recorded, pools are a table, and liquid staking tokens are those that an address has on the sandbox's
 * own chain.
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
import { type Invalid, unavailable } from "../api/Refusal.js"
import * as Api from "../api/Staking.js"
import type { Nodes } from "../Nodes.js"
import { liquidPools, pools, rewardsOf, type Staked, stakesOf } from "../recorded/Staking.js"
import { SandboxError } from "../SandboxError.js"
import type { Store } from "../Store.js"
import { addressOf, type Index, index, type Metadata } from "./Data.js"
import * as Holdings from "./data/Holdings.js"
import * as Pages from "./data/Pages.js"
import { chainServed, refused, servedOn } from "./Served.js"
import { millisOf } from "./Times.js"

/** The network of a query: routes of stakes serve these two alone. */
const stakedOn = (route: V4Route, query: { readonly chain: string }): Effect.Effect<Staked, Invalid> =>
  Effect.map(chainServed(route, query), (chain) =>
    chain === "solana-mainnet" ? "solana-mainnet" : "ethereum-mainnet"
  )

const holderOf = (network: Staked, address: string): Effect.Effect<string, Invalid> => {
  if (network === "ethereum-mainnet") return addressOf("evm", "address", address)
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)
    ? Effect.succeed(address)
    : refused("address must be an address of Solana")
}

/** The network and the address of a query. */
const accountOn = (route: V4Route, query: typeof AccountQuery.Type) =>
  Effect.gen(function* () {
    const network = yield* stakedOn(route, query)
    yield* holderOf(network, query.address)
    return network
  })

const recorded = (body: unknown) =>
  HttpServerResponse.unsafeJson(body, { headers: { "x-sandbox-recorded": "true" } })

const stakedAssets = (query: typeof AccountQuery.Type) =>
  Effect.map(accountOn(v4Routes.stakedAssets, query), (network) => recorded(stakesOf(network, query.address)))

const stakedAssetsByValidator = (query: typeof Api.ValidatorQuery.Type) =>
  Effect.map(accountOn(v4Routes.stakedAssetsByValidator, query), (network) => {
    const { address, validator } = query
    const amounts = stakesOf(network, address)
      .filter(({ validatorAddress, validatorIndex, validatorPubkey }) =>
        [validatorAddress, String(validatorIndex), validatorPubkey].includes(validator)
      )
      .map(({ amount }) => Number(amount))
    const amount = String(amounts.reduce((sum, each) => sum + each, 0))
    return recorded({ address, validator, amount } satisfies typeof Api.StakedWithValidator.Type)
  })

const stakingRewards = (query: typeof Api.RewardsQuery.Type) =>
  Effect.map(accountOn(v4Routes.stakingRewards, query), (network) => {
    const { address, from = 0, to = Number.MAX_SAFE_INTEGER } = query
    return recorded(
      rewardsOf(network, address).filter(
        ({ timestamp }) => timestamp >= millisOf(from) && timestamp <= millisOf(to)
      )
    )
  })

const stakingTransactions = (query: typeof Api.StakingTransactionsQuery.Type) =>
  Effect.gen(function* () {
    const network = yield* accountOn(v4Routes.stakingTransactions, query)
    const part = yield* Pages.partOf(query)
    const newestFirst = stakesOf(network, query.address).toReversed()
    return recorded(Pages.pageOfAll(newestFirst, part, 0).result)
  })

/** The decimals of liquid staking tokens where the chain tells none. */
const DECIMALS = { "ethereum-mainnet": 18, "solana-mainnet": 9 } as const

const liquidAssets = (index: Index, query: typeof AccountQuery.Type) =>
  Effect.gen(function* () {
    const staked = yield* stakedOn(v4Routes.liquidAssets, query)
    const address = yield* holderOf(staked, query.address)
    const { network } = yield* servedOn(index, v4Routes.liquidAssets, query, "evm", "solana")
    const held = yield* index.use((open) =>
      Holdings.ofAddress(open, network, address).map(({ amount, token }) => ({
        amount,
        token,
        decimals: Holdings.tokenOf(open, network, token)?.decimals
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

const ofPools = (query: typeof ChainQuery.Type) =>
  Effect.map(stakedOn(v4Routes.liquidPools, query), (network) => liquidPools[network])

const api = HttpApi.make("provider").add(Api.group)

/**
 * Staking. Recorded answers say so in the header `x-sandbox-recorded`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  HttpApiGroup.ApiGroup<"provider", "staking">,
  never,
  Metadata | Nodes | Store
> = HttpApiBuilder.group(api, "staking", (handlers) =>
  Effect.map(index, (index) =>
    handlers
      .handle("stakedAssets", ({ urlParams }) => stakedAssets(urlParams))
      .handle("stakedAssetsByValidator", ({ urlParams }) => stakedAssetsByValidator(urlParams))
      .handle("stakingPools", ({ urlParams }) =>
        Effect.as(chainServed(v4Routes.stakingPools, urlParams), recorded(pools))
      )
      .handle("stakingRewards", ({ urlParams }) => stakingRewards(urlParams))
      .handle("stakingTransactions", ({ urlParams }) => stakingTransactions(urlParams))
      .handle("liquidAssets", ({ urlParams }) =>
        Effect.mapError(liquidAssets(index, urlParams), (error) =>
          error instanceof SandboxError ? unavailable(error.message) : error
        )
      )
      .handle("liquidPools", ({ urlParams }) => ofPools(urlParams))
  )
)
