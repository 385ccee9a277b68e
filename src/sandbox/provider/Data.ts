/**
 * The data API. The store has the content of all networks' blocks, and the nodes have native balances and the details
 * of contracts.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isDataApi, isDataApiUtxo } from "../../data/Coverage.js"
import { type DataRoute, type DataRouteName, dataRoutes, findRouteChain } from "../../data/dataRoutes.js"
import * as Network from "../../data/Network.js"
import * as Units from "../../data/Units.js"
import { networkOfChain } from "../../services/internal/networks.js"
import * as Api from "../api/Data.js"
import {
  type Invalid,
  type Missing,
  makeInvalid,
  makeMissing,
  makeUnavailable,
  type Unavailable
} from "../api/Refusal.js"
import type { Rpc } from "../indexer/Utxo.js"
import { Nodes, type NodesService } from "../Nodes.js"
import { toNodeAddress } from "../nodes/addresses.js"
import { makeTezosBalances, makeTezosTransactions } from "../recorded/Tezos.js"
import { SandboxError } from "../SandboxError.js"
import { Store, type StoreService, type Transaction } from "../Store.js"
import * as Blocks from "./data/Blocks.js"
import * as Events from "./data/Events.js"
import * as Holdings from "./data/Holdings.js"
import * as Pages from "./data/Pages.js"
import * as Describe from "./data/TokenMetadata.js"
import * as Transfers from "./data/Transfers.js"
import { findUtxos, readHistory } from "./History.js"

/**
 * The versions of the data API that a sandbox serves: the current one, the one before, or both.
 *
 * @since 0.1.0
 * @category models
 */
export type Generations = "v4" | "legacy" | "both"

/**
 * Finds metadata documents. `resolve` yields a URI's document, or undefined.
 *
 * @since 0.1.0
 * @category models
 */
export interface MetadataService {
  readonly resolve: (uri: string) => Effect.Effect<unknown>
}

/**
 * The source of metadata documents.
 *
 * @since 0.1.0
 * @category services
 */
export class Metadata extends Context.Tag("effect-chains/sandbox/Metadata")<Metadata, MetadataService>() {}

const NETWORK_IDS = Object.keys(Network.networks).filter(Network.isNetwork)

/**
 * The network of a chain in the data API: an id, a short name (`ethereum`), the name of a node list
 * (`dogecoin-mainnet`) or a code (`ETH`). With `testnet`, a short name or a code stands for the default testnet.
 *
 * @since 0.1.0
 * @category getters
 */
export const findNetwork = (chain: string, testnet = false): Network.Network | undefined => {
  if (Network.isNetwork(chain)) return chain
  const listed = NETWORK_IDS.find((network) => Network.info(network).list === chain)
  if (listed !== undefined) return listed
  const mainnet = NETWORK_IDS.find((network) =>
    [network, Network.info(network).list].includes(`${chain}-mainnet`)
  )
  if (mainnet === undefined) return networkOfChain(chain, testnet)
  const { currency } = Network.info(mainnet)
  const testnets = testnet
    ? NETWORK_IDS.filter(
        (network) => Network.isTestnet(network) && Network.info(network).currency === currency
      )
    : []
  return testnets.find((network) => !Network.isAlternateTestnet(network)) ?? testnets[0] ?? mainnet
}

type DataRefusal = Invalid | Missing | Unavailable

const failInvalid = (...data: ReadonlyArray<string>): Effect.Effect<never, Invalid> =>
  Effect.fail(
    makeInvalid(
      "validation.failed",
      "Request validation failed. Please see data for additional information.",
      data
    )
  )

export interface NetworkPlace {
  readonly network: Network.Network
  readonly info: Network.NetworkInfo
  readonly rpc: Rpc
}

type ChainQuery = { readonly chain: string; readonly type?: string | undefined }

const makeUnsupported = (network: Network.Network): Invalid =>
  makeInvalid(
    "chain.not.supported",
    `The sandbox has nothing of this kind on ${network}, which ${
      isDataApi(network) || isDataApiUtxo(network) ? "is not indexed here" : "the data API does not know"
    }: use an EVM network`
  )

/** Addresses in the form of the store, which is the node's: in lower case if case is only a checksum. */
export const parseAddress = (runs: string, field: string, text: string): Effect.Effect<string, Invalid> => {
  if (runs !== "evm") return Effect.succeed(text)
  return /^0x[0-9a-fA-F]{40}$/.test(text)
    ? Effect.succeed(text.toLowerCase())
    : failInvalid(`${field} must be an address: 0x and 40 hexadecimal digits`)
}

const Quantity = Schema.String.pipe(Schema.pattern(/^0x[0-9a-fA-F]+$/))
const Lamports = Schema.Struct({ value: Schema.Number })
const isQuantity = Schema.is(Quantity)
const isLamports = Schema.is(Lamports)

const Head = Schema.Struct({ block: Schema.Number })

export const findHead = ({ all }: Transaction, network: string): number =>
  all(Head, "SELECT block FROM blocks WHERE network = ? ORDER BY block DESC LIMIT 1", network)[0]?.block ?? 0

const MAX_CONCURRENT_CALLS = 8

const MAX_REMEMBERED = 1_000

/** Caches documents whose URI identifies their content. Others may change, or appear later. */
const withMemory = (resolve: Describe.ResolveDocument): Describe.ResolveDocument => {
  const known = new Map<string, unknown>()
  return (uri) =>
    Effect.suspend(() => {
      if (known.has(uri)) return Effect.succeed(known.get(uri))
      return Effect.tap(resolve(uri), (document) => {
        if (document === undefined || !uri.startsWith("ipfs://")) return
        known.set(uri, document)
        const [oldest] = known.keys()
        if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest)
      })
    })
}

/** A list of a query; an empty one counts as missing. */
const nonEmpty = <A>(list: ReadonlyArray<A> | undefined): ReadonlyArray<A> | undefined =>
  list === undefined || list.length === 0 ? undefined : list

const isCollectionKind = (kind: Holdings.TokenKind): kind is "nft" | "multitoken" => kind !== "fungible"

/** The sources of the answers: nodes, the store, and documents of tokens. */
export interface DataSources {
  readonly nodes: NodesService
  readonly transact: StoreService["transact"]
  readonly resolve: Describe.ResolveDocument
}

export const loadSources: Effect.Effect<DataSources, never, Metadata | Nodes | Store> = Effect.gen(
  function* () {
    const { transact } = yield* Store
    return { nodes: yield* Nodes, transact, resolve: withMemory((yield* Metadata).resolve) }
  }
)

/** The network of a query, once the store has all blocks of its nodes. Fails for networks without an index. */
export const findPlace = (
  { nodes }: DataSources,
  { chain, type }: ChainQuery,
  ...kinds: ReadonlyArray<"evm" | "utxo" | "solana">
): Effect.Effect<NetworkPlace, Invalid | SandboxError> =>
  Effect.gen(function* () {
    const network = findNetwork(chain, type === "testnet")
    if (network === undefined) return yield* failInvalid(`chain ${chain} is not the name of a network`)
    const runs = nodes.kindOf(network)
    if (!kinds.some((kind) => kind === runs)) return yield* Effect.fail(makeUnsupported(network))
    yield* nodes.indexNewBlocks(network)
    const rpc: Rpc = (method, params) => nodes.rpc(network, method, params)
    return { network, info: Network.info(network), rpc }
  })

/** A query's Tezos network, whose answers are recordings; undefined for other networks. */
const findTezos = ({ chain, type }: ChainQuery): Network.Network | undefined => {
  const network = findNetwork(chain, type === "testnet")
  return network !== undefined && Network.info(network).family === "tezos" ? network : undefined
}
const recordedResponse = (body: unknown) =>
  Effect.succeed(HttpServerResponse.unsafeJson(body, { headers: { "x-sandbox-recorded": "true" } }))

export const readNativeBalance = (
  { nodes, transact }: DataSources,
  { info, network, rpc }: NetworkPlace,
  address: string
): Effect.Effect<string, SandboxError> =>
  Effect.gen(function* () {
    const runs = nodes.kindOf(network)
    if (runs === "utxo")
      return Units.format(yield* transact((open) => Holdings.sumCoins(open, network, address)), info.decimals)
    const said = yield* runs === "solana"
      ? rpc("getBalance", [address])
      : rpc("eth_getBalance", [address, "latest"])
    if (isQuantity(said)) return Units.format(BigInt(said), info.decimals)
    if (isLamports(said)) return Units.format(BigInt(said.value), info.decimals)
    return yield* new SandboxError({
      reason: "chain",
      message: `A node of ${network} returned no balance`
    })
  })

/** Replaces the network's id in rows by the provider's name, if there is one. */
const withProviderNames = <A extends { readonly chain: string }>(
  route: DataRouteName,
  rows: ReadonlyArray<A>
): ReadonlyArray<A> =>
  rows.map((row) => ({ ...row, chain: findRouteChain(route, row.chain)?.v4 ?? row.chain }))

/** A balance in the smallest unit and in whole coins or tokens. For collections there is the number of tokens alone. */
const toPortfolioBalance = (
  { balance, lastUpdatedBlockNumber: _, ...row }: typeof Api.Balance.Type,
  decimals: number
): typeof Api.PortfolioBalance.Type =>
  row.tokenId === undefined
    ? {
        ...row,
        balance: String(Option.getOrElse(Units.parse(balance, decimals), () => 0n)),
        denominatedBalance: balance,
        decimals
      }
    : { ...row, balance }

interface BalanceWithDecimals {
  readonly row: typeof Api.Balance.Type
  readonly decimals: number
}

/** An asset of an address. `holding` is undefined for the network's own coin, whose amount the node has. */
interface HeldAsset {
  readonly address: string
  readonly holding: Holdings.Holding | undefined
  readonly decimals: number
}

const findHeldAssets = (
  open: Transaction,
  { info, network }: NetworkPlace,
  address: string,
  isWanted: (kind: "native" | Holdings.TokenKind) => boolean
): ReadonlyArray<HeldAsset> => [
  ...(isWanted("native") ? [{ address, holding: undefined, decimals: info.decimals }] : []),
  ...Holdings.findHoldings(open, network, address)
    .filter(({ kind }) => isWanted(kind))
    .map((holding) => ({
      address,
      holding,
      decimals:
        holding.kind === "fungible" ? (Holdings.findToken(open, network, holding.token)?.decimals ?? 0) : 0
    }))
]

/** The balance of an asset, with its description if that is wanted. */
const readHeldBalance = (
  index: DataSources,
  place: NetworkPlace,
  { address, decimals, holding }: HeldAsset,
  { head, withMetadata }: { readonly head: number; readonly withMetadata: boolean }
): Effect.Effect<BalanceWithDecimals, SandboxError> => {
  const chain = place.network
  if (holding === undefined)
    return Effect.map(readNativeBalance(index, place, address), (balance) => ({
      decimals,
      row: { chain, type: "native", address, balance, lastUpdatedBlockNumber: head }
    }))
  const { amount, block, kind, token, tokenId } = holding
  const row = {
    chain,
    type: kind,
    address,
    balance: Units.format(amount, decimals),
    tokenAddress: token,
    tokenId,
    lastUpdatedBlockNumber: block
  }
  return withMetadata && tokenId !== undefined && isCollectionKind(kind)
    ? Effect.map(
        Describe.readDescription(place.rpc, index.resolve, { token, tokenId, kind }),
        (described) => ({
          decimals,
          row: { ...row, ...described }
        })
      )
    : Effect.succeed({ decimals, row })
}

/** Balances with their decimals. Without kinds in the query, these are all assets, or all tokens. */
const readBalances = (index: DataSources, query: typeof Api.BalancesQuery.Type, withCoins: boolean) =>
  Effect.gen(function* () {
    const wanted = nonEmpty(query.tokenTypes)
    if (query.addresses.length === 0) return yield* failInvalid("addresses must have at least one address")
    const part = yield* Pages.readPart(query)
    const place = yield* findPlace(index, query, "evm", "utxo", "solana")
    const { network } = place
    const addresses = yield* Effect.forEach([...new Set(query.addresses)], (address) =>
      parseAddress(index.nodes.kindOf(network), "addresses", toNodeAddress(network, address))
    )
    const isWanted = (kind: "native" | Holdings.TokenKind): boolean =>
      wanted?.includes(kind) ?? (withCoins || kind !== "native")
    const { assets, head } = yield* index.transact((open) => ({
      head: findHead(open, network),
      assets: addresses.flatMap((address) => findHeldAssets(open, place, address, isWanted))
    }))
    const page = Pages.makePageOfAll(assets, part, head)
    const withMetadata = query.excludeMetadata !== "true"
    const result = yield* Effect.forEach(
      page.result,
      (asset) => readHeldBalance(index, place, asset, { head, withMetadata }),
      { concurrency: MAX_CONCURRENT_CALLS }
    )
    return { ...page, result }
  })

const readRecordedBalances = (network: Network.Network, query: typeof Api.BalancesQuery.Type) => {
  const { addresses, offset, pageSize } = query
  const wanted = nonEmpty(query.tokenTypes)
  const tokenTypes = wanted === undefined ? {} : { tokenTypes: wanted }
  return makeTezosBalances(network, addresses, { ...tokenTypes, pageSize, offset })
}

const readPortfolio = (index: DataSources, query: typeof Api.BalancesQuery.Type) =>
  Effect.gen(function* () {
    const tezos = findTezos(query)
    if (tezos !== undefined) {
      const page = readRecordedBalances(tezos, query)
      return yield* recordedResponse({
        ...page,
        result: page.result.map((row) => toPortfolioBalance(row, row.decimals))
      })
    }
    // a client that names no kinds asks a node for the coins
    const page = yield* readBalances(index, query, false)
    const rows = page.result.map(({ decimals, row }) => toPortfolioBalance(row, decimals))
    return { ...page, result: withProviderNames("portfolio", rows) }
  })

const readLegacyBalances = (index: DataSources, query: typeof Api.BalancesQuery.Type) =>
  Effect.gen(function* () {
    const tezos = findTezos(query)
    if (tezos !== undefined) return yield* recordedResponse(readRecordedBalances(tezos, query))
    const page = yield* readBalances(index, query, true)
    return { ...page, result: page.result.map(({ row }) => row) }
  })

const readTransactions = (index: DataSources, query: typeof Api.TransactionsQuery.Type) =>
  Effect.gen(function* () {
    const { nodes, transact } = index
    const directions = [...(query.transactionSubtype ?? []), ...(query.transactionSubTypes ?? [])]
    const kinds = nonEmpty([...(query.transactionTypes ?? []), ...(query.tokenTypes ?? [])])
    const tezos = findTezos(query)
    if (tezos !== undefined) {
      const { blockFrom, blockTo, cursor, pageSize } = query
      const [transactionSubtype] = directions
      return yield* recordedResponse(
        makeTezosTransactions(tezos, query.addresses ?? [], {
          pageSize,
          ...(cursor === undefined ? {} : { cursor }),
          ...(transactionSubtype === undefined ? {} : { transactionSubtype }),
          ...(blockFrom === undefined ? {} : { blockFrom }),
          ...(blockTo === undefined ? {} : { blockTo })
        })
      )
    }
    const part = yield* Pages.readPart(query)
    const { info, network } = yield* findPlace(index, query, "evm", "utxo")
    const runs = nodes.kindOf(network)
    const addresses = yield* Effect.forEach(query.addresses ?? [], (address) =>
      parseAddress(runs, "addresses", toNodeAddress(network, address))
    )
    const token =
      query.tokenAddress === undefined
        ? undefined
        : yield* parseAddress(runs, "tokenAddress", query.tokenAddress)
    const { blockFrom, blockTo, hash, tokenId } = query
    const page = yield* transact((open) => {
      const head = part.head ?? findHead(open, network)
      const coin = { network, decimals: info.decimals }
      const filter: Transfers.TransferFilter = {
        addresses: nonEmpty(addresses),
        hash: hash?.toLowerCase(),
        kinds,
        directions,
        token,
        tokenId: tokenId === undefined ? undefined : String(BigInt(tokenId)),
        blockFrom,
        blockTo
      }
      return Pages.makePage(Transfers.findTransfers(open, coin, filter, part), part, head)
    })
    return { ...page, result: withProviderNames("history", page.result) }
  })

/** Tokens of a collection by their ids, or all. */
const readCollectionTokens = (
  { transact }: DataSources,
  network: string,
  token: string,
  ids?: ReadonlyArray<string>
) =>
  transact((open) =>
    Holdings.findTokensOfContract(open, network, token).flatMap(({ kind, tokenId }) =>
      tokenId !== undefined && isCollectionKind(kind) && (ids?.includes(tokenId) ?? true)
        ? [{ kind, token, tokenId }]
        : []
    )
  )

const parseTokenIds = (ids: ReadonlyArray<string> | undefined) =>
  nonEmpty(ids)?.some((id) => !/^\d{1,78}$/.test(id))
    ? failInvalid("tokenIds must be decimal numbers, with commas between them")
    : Effect.succeed(nonEmpty(ids)?.map((id) => String(BigInt(id))))

const readTokenDetails = (
  { resolve }: DataSources,
  { network, rpc }: NetworkPlace,
  withMetadata: boolean,
  page: Pages.Page<{
    readonly kind: "nft" | "multitoken"
    readonly token: string
    readonly tokenId: string
  }>
) =>
  Effect.map(
    Effect.forEach(
      page.result,
      ({ kind, token, tokenId }) =>
        Effect.map(
          withMetadata
            ? Describe.readDescription(rpc, resolve, { token, tokenId, kind })
            : Effect.succeed({}),
          (described) => Describe.readTokenDetails(network, { token, tokenId, kind }, described)
        ),
      { concurrency: MAX_CONCURRENT_CALLS }
    ),
    (result) => ({ ...page, result })
  )

const readCollections = (index: DataSources, query: typeof Api.CollectionsQuery.Type, isToday: boolean) =>
  Effect.gen(function* () {
    const { transact } = index
    const part = yield* Pages.readPart(query)
    const ids = yield* parseTokenIds(query.tokenIds)
    const given = nonEmpty([...(query.collectionAddresses ?? []), query.tokenAddress ?? []].flat())
    if (given === undefined) return yield* failInvalid("collectionAddresses must have at least one address")
    const addresses = yield* Effect.forEach(given, (address) =>
      parseAddress("evm", "collectionAddresses", address)
    )
    const place = yield* findPlace(index, query, "evm")
    const found = yield* Effect.forEach([...new Set(addresses)], (token) =>
      readCollectionTokens(index, place.network, token, ids)
    )
    const kinds = nonEmpty(query.tokenTypes)
    const tokens = found.flat().filter(({ kind }) => kinds?.includes(kind) ?? true)
    const head = yield* transact((open) => findHead(open, place.network))
    const page = yield* readTokenDetails(
      index,
      place,
      query.excludeMetadata !== "true",
      Pages.makePageOfAll(tokens, part, head)
    )
    if (!isToday) return page.result
    return page.result.map(({ metadata, tokenAddress, tokenId, tokenType }) => ({
      contractAddress: tokenAddress,
      tokenId,
      tokenType,
      ...(metadata === undefined ? {} : { metadata })
    }))
  })

const readMetadata = (index: DataSources, query: typeof Api.MetadataQuery.Type) =>
  Effect.gen(function* () {
    const { transact } = index
    const part = yield* Pages.readPart(query)
    const ids = yield* parseTokenIds(query.tokenId === undefined ? query.tokenIds : [query.tokenId])
    const token = yield* parseAddress("evm", "tokenAddress", query.tokenAddress)
    const place = yield* findPlace(index, query, "evm")
    const tokens = yield* readCollectionTokens(index, place.network, token, ids)
    const head = yield* transact((open) => findHead(open, place.network))
    const page = yield* readTokenDetails(index, place, true, Pages.makePageOfAll(tokens, part, head))
    if (query.tokenId === undefined) return page.result
    const [row] = page.result
    return row === undefined
      ? yield* Effect.fail(
          makeMissing("token.not.found", `${token} has no token ${query.tokenId} on ${place.network}`)
        )
      : (row.metadata ?? {})
  })

const readOwners = (index: DataSources, query: typeof Api.OwnersQuery.Type, isToday: boolean) =>
  Effect.gen(function* () {
    const { transact } = index
    const part = yield* Pages.readPart(query)
    const token = yield* parseAddress("evm", "tokenAddress", query.tokenAddress)
    const { network } = yield* findPlace(index, query, "evm")
    const tokenId = query.tokenId === undefined ? undefined : String(BigInt(query.tokenId))
    const page = yield* transact((open) =>
      Pages.makePageOfAll(Holdings.findOwners(open, network, token, tokenId), part, findHead(open, network))
    )
    return page.result.map(({ address, amount }) =>
      isToday ? { address, balance: String(amount) } : address
    )
  })

const readOwnership = (index: DataSources, query: typeof Api.OwnershipQuery.Type) =>
  Effect.gen(function* () {
    const { transact } = index
    const token = yield* parseAddress("evm", "tokenAddress", query.tokenAddress)
    const owner = query.ownerAddress ?? query.address
    if (owner === undefined) return yield* failInvalid("address must be text that is not empty")
    const address = yield* parseAddress("evm", "address", owner)
    const { network } = yield* findPlace(index, query, "evm")
    const tokenId = query.tokenId === undefined ? undefined : String(BigInt(query.tokenId))
    return yield* transact((open) =>
      Holdings.findOwners(open, network, token, tokenId).some((each) => each.address === address)
    )
  })

const readEvents = (index: DataSources, query: typeof Api.EventsQuery.Type) =>
  Effect.gen(function* () {
    const { transact } = index
    const part = yield* Pages.readPart(query)
    const { blockFrom, blockTo } = query
    const eventType = query.eventType === "swap" ? "uniswapTrade" : query.eventType
    const signatures = Events.parseSignatures(query.signatures ?? "")
    if (signatures === undefined)
      return yield* failInvalid(
        "signatures must be topics, or events such as Transfer(address,address,uint256)"
      )
    const contracts = yield* Effect.forEach(
      [query.contractAddress ?? [], ...(query.contractAddresses ?? []), ...(query.address ?? [])].flat(),
      (address) => parseAddress("evm", "contractAddresses", address)
    )
    const { network } = yield* findPlace(index, query, "evm")
    return yield* transact((open) => {
      const head = part.head ?? findHead(open, network)
      const filter: Events.EventFilter = { contracts, signatures, eventType, blockFrom, blockTo }
      return Pages.makePage(Events.findEvents(open, network, filter, part), part, head)
    })
  })

const readBlocks = (index: DataSources, query: typeof Api.BlocksQuery.Type) =>
  Effect.gen(function* () {
    const { transact } = index
    const part = yield* Pages.readPart(query)
    const { network } = yield* findPlace(index, query, "evm", "utxo")
    const { from, blockFrom = from, blockIds = [], to, blockTo = to, timeFrom, timeTo } = query
    return yield* transact((open) =>
      Blocks.findBlocks(
        open,
        network,
        {
          ids: blockIds.map((id) => id.toLowerCase()),
          blockFrom,
          blockTo,
          timeFrom: timeFrom === undefined ? undefined : Date.parse(timeFrom),
          timeTo: timeTo === undefined ? undefined : Date.parse(timeTo)
        },
        part
      )
    )
  })

const readLatestBlock = (index: DataSources, query: typeof Api.LatestQuery.Type) =>
  Effect.gen(function* () {
    const { transact } = index
    const { network } = yield* findPlace(index, query, "evm", "utxo")
    const none = {
      ids: [],
      blockFrom: undefined,
      blockTo: undefined,
      timeFrom: undefined,
      timeTo: undefined
    }
    const [block] = yield* transact((open) => Blocks.findBlocks(open, network, none, { from: 0, size: 1 }))
    return block ?? (yield* Effect.fail(makeMissing("block.not.found", `${network} has no blocks yet`)))
  })

const readTokens = (index: DataSources, query: typeof Api.TokensQuery.Type) =>
  Effect.gen(function* () {
    const { resolve, transact } = index
    const token = yield* parseAddress("evm", "tokenAddress", query.tokenAddress)
    const { network, rpc } = yield* findPlace(index, query, "evm")
    const stored = yield* transact((open) => Holdings.findToken(open, network, token))
    const found = yield* Describe.readToken(rpc, token, stored)
    if (found === undefined)
      return yield* Effect.fail(makeMissing("token.not.found", `${token} is not a token on ${network}`))
    const { kind } = found
    const existing = isCollectionKind(kind) ? yield* readCollectionTokens(index, network, token) : []
    if (query.tokenId === undefined || !isCollectionKind(kind))
      return yield* Describe.readTokenInfo(rpc, token, { ...found, network, existing: existing.length })
    const tokenId = String(BigInt(query.tokenId))
    if (!existing.some((each) => each.tokenId === tokenId))
      return yield* Effect.fail(
        makeMissing("token.not.found", `${token} has no token ${tokenId} on ${network}`)
      )
    const described = yield* Describe.readDescription(rpc, resolve, { token, tokenId, kind })
    return yield* Describe.readTokenInfo(rpc, token, {
      ...found,
      network,
      existing: existing.length,
      described
    })
  })

const readUtxos = (index: DataSources, query: typeof Api.UtxosQuery.Type) =>
  Effect.gen(function* () {
    const { transact } = index
    const { network } = yield* findPlace(index, query, "utxo")
    return yield* transact((open) =>
      findUtxos(open, network, toNodeAddress(network, query.address), query.totalValue)
    )
  })

const readUtxoHistory = (index: DataSources, query: typeof Api.UtxoHistoryQuery.Type) =>
  Effect.gen(function* () {
    const { nodes, transact } = index
    const { network } = yield* findPlace(index, query, "utxo")
    const page = { pageSize: Number.MAX_SAFE_INTEGER, offset: 0 }
    const { txType } = query
    return yield* readHistory(
      nodes,
      transact,
      { network, address: query.address },
      {
        ...page,
        ...(txType === undefined ? {} : { txType })
      }
    )
  })

/** Converts a failure of the nodes or the database to the provider's refusal. */
export const refuseFailures = <A, R>(
  effect: Effect.Effect<A, DataRefusal | SandboxError, R>
): Effect.Effect<A, DataRefusal, R> =>
  Effect.mapError(effect, (error) => (error instanceof SandboxError ? makeUnavailable(error.message) : error))

const api = HttpApi.make("provider").add(Api.group)

/**
 * The data API. Every answer has the state of the nodes at the time of the request. Unknown chains and networks without
 * an index are refused (400); a node that does not answer is 503. Answers for Tezos are recordings, with the header
 * `x-sandbox-recorded`. `generations` decides the format of answers at paths that both versions have.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  generations: Generations
): Layer.Layer<HttpApiGroup.ApiGroup<"provider", "data">, never, Metadata | Nodes | Store> =>
  HttpApiBuilder.group(api, "data", (handlers) =>
    Effect.map(loadSources, (index) => {
      const isToday = generations !== "legacy"
      return handlers
        .handle("balances", ({ urlParams }) => refuseFailures(readLegacyBalances(index, urlParams)))
        .handle("portfolio", ({ urlParams }) => refuseFailures(readPortfolio(index, urlParams)))
        .handle("transactions", ({ urlParams }) => refuseFailures(readTransactions(index, urlParams)))
        .handle("transactionHistory", ({ urlParams }) => refuseFailures(readTransactions(index, urlParams)))
        .handle("transactionsByHash", ({ urlParams }) => refuseFailures(readTransactions(index, urlParams)))
        .handle("collections", ({ urlParams }) => refuseFailures(readCollections(index, urlParams, isToday)))
        .handle("metadata", ({ urlParams }) => refuseFailures(readMetadata(index, urlParams)))
        .handle("owners", ({ urlParams }) => refuseFailures(readOwners(index, urlParams, isToday)))
        .handle("ownership", ({ urlParams }) => refuseFailures(readOwnership(index, urlParams)))
        .handle("events", ({ urlParams }) => refuseFailures(readEvents(index, urlParams)))
        .handle("defiEvents", ({ urlParams }) => refuseFailures(readEvents(index, urlParams)))
        .handle("blocks", ({ urlParams }) => refuseFailures(readBlocks(index, urlParams)))
        .handle("defiBlocks", ({ urlParams }) => refuseFailures(readBlocks(index, urlParams)))
        .handle("latestBlock", ({ urlParams }) => refuseFailures(readLatestBlock(index, urlParams)))
        .handle("latestDefiBlock", ({ urlParams }) => refuseFailures(readLatestBlock(index, urlParams)))
        .handle("tokens", ({ urlParams }) => refuseFailures(readTokens(index, urlParams)))
        .handle("utxos", ({ urlParams }) => refuseFailures(readUtxos(index, urlParams)))
        .handle("utxoHistory", ({ urlParams }) => refuseFailures(readUtxoHistory(index, urlParams)))
    })
  )

/** Patterns of the paths that only one version has. */
const generationPaths = Object.values<DataRoute>(dataRoutes).flatMap(({ legacy, v4 }) => {
  const pattern = (path: string): RegExp => new RegExp(`^/${path.replace(/\{\w+\}/g, "[^/]+")}$`)
  return legacy === undefined || legacy === v4 ? [] : [{ v4: pattern(v4), legacy: pattern(legacy) }]
})

/**
 * Whether a sandbox with these versions has a path. Paths of both versions, and all others, count as yes.
 *
 * @since 0.1.0
 * @category predicates
 */
export const hasPath = (generations: Generations, path: string): boolean =>
  generations === "both" ||
  !generationPaths.some((each) => (generations === "v4" ? each.legacy : each.v4).test(path))
