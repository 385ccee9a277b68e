/**
 * The data API over the store, which has the content of all networks' blocks, and over the nodes, which alone know native
 * balances and the details of contracts.
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
import { findRouteChain, type DataRoute, type DataRouteName, dataRoutes } from "../../data/dataRoutes.js"
import * as Network from "../../data/Network.js"
import * as Units from "../../data/Units.js"
import { networkOfChain } from "../../services/internal/networks.js"
import * as Api from "../api/Data.js"
import {
  type Invalid,
  invalid,
  type Missing,
  missing,
  type Unavailable,
  unavailable
} from "../api/Refusal.js"
import type { Rpc } from "../indexer/Utxo.js"
import { Nodes, type NodesService } from "../Nodes.js"
import { spelled } from "../nodes/addresses.js"
import { balancesOf as tezosBalances, transactionsOf as tezosTransactions } from "../recorded/Tezos.js"
import { SandboxError } from "../SandboxError.js"
import { Store, type StoreService, type Transaction } from "../Store.js"
import * as Blocks from "./data/Blocks.js"
import * as Describe from "./data/Describe.js"
import * as Events from "./data/Events.js"
import * as Holdings from "./data/Holdings.js"
import * as Pages from "./data/Pages.js"
import * as Transfers from "./data/Transfers.js"
import { historyOf, utxos as unspent } from "./History.js"

/**
 * The generations of the data API that a sandbox serves: today's, the one before it, or both.
 *
 * @since 0.1.0
 * @category models
 */
export type Generations = "v4" | "legacy" | "both"

/**
 * Documents of metadata: `resolve` yields the one that a URI leads to, or undefined.
 *
 * @since 0.1.0
 * @category models
 */
export interface MetadataService {
  readonly resolve: (uri: string) => Effect.Effect<unknown>
}

/**
 * The source of documents of metadata.
 *
 * @since 0.1.0
 * @category services
 */
export class Metadata extends Context.Tag("effect-chains/sandbox/Metadata")<Metadata, MetadataService>() {}

const all = Object.keys(Network.networks).filter(Network.isNetwork)

/**
 * The network that a chain of the data API means: an id, a short name (`ethereum`), the name of a node list
 * (`dogecoin-mainnet`) or a code (`ETH`). With `testnet`, a short name or a code means the default testnet.
 *
 * @since 0.1.0
 * @category getters
 */
export const networkOf = (chain: string, testnet = false): Network.Network | undefined => {
  if (Network.isNetwork(chain)) return chain
  const listed = all.find((network) => Network.info(network).list === chain)
  if (listed !== undefined) return listed
  const mainnet = all.find((network) => [network, Network.info(network).list].includes(`${chain}-mainnet`))
  if (mainnet === undefined) return networkOfChain(chain, testnet)
  const { currency } = Network.info(mainnet)
  const testnets = testnet
    ? all.filter((network) => Network.isTestnet(network) && Network.info(network).currency === currency)
    : []
  return testnets.find((network) => !Network.isAlternateTestnet(network)) ?? testnets[0] ?? mainnet
}

type Refusal = Invalid | Missing | Unavailable

const refused = (...data: ReadonlyArray<string>): Effect.Effect<never, Invalid> =>
  Effect.fail(
    invalid(
      "validation.failed",
      "Request validation failed. Please see data for additional information.",
      data
    )
  )

export interface Place {
  readonly network: Network.Network
  readonly info: Network.NetworkInfo
  readonly rpc: Rpc
}

type Asked = { readonly chain: string; readonly type?: string | undefined }

const unsupported = (network: Network.Network): Invalid =>
  invalid(
    "chain.not.supported",
    `The sandbox has nothing of this kind on ${network}, which ${
      isDataApi(network) || isDataApiUtxo(network) ? "is not indexed here" : "the data API does not know"
    }: use an EVM network`
  )

/** Addresses in the form of the store, which is the node's: in lower case where case is a checksum. */
export const addressOf = (runs: string, field: string, text: string): Effect.Effect<string, Invalid> => {
  if (runs !== "evm") return Effect.succeed(text)
  return /^0x[0-9a-fA-F]{40}$/.test(text)
    ? Effect.succeed(text.toLowerCase())
    : refused(`${field} must be an address: 0x and 40 hexadecimal digits`)
}

const Quantity = Schema.String.pipe(Schema.pattern(/^0x[0-9a-fA-F]+$/))
const Lamports = Schema.Struct({ value: Schema.Number })
const isQuantity = Schema.is(Quantity)
const isLamports = Schema.is(Lamports)

const Head = Schema.Struct({ block: Schema.Number })

export const headOf = ({ all }: Transaction, network: string): number =>
  all(Head, "SELECT block FROM blocks WHERE network = ? ORDER BY block DESC LIMIT 1", network)[0]?.block ?? 0

/** Contracts or documents that are asked for at a time. */
const CALLS = 8

/** Documents that are remembered. */
const REMEMBERED = 1_000

/** Remembers documents whose URI is that of their content. Others may change, or be there later. */
const remembering = (resolve: Describe.Resolve): Describe.Resolve => {
  const known = new Map<string, unknown>()
  return (uri) =>
    Effect.suspend(() => {
      if (known.has(uri)) return Effect.succeed(known.get(uri))
      return Effect.tap(resolve(uri), (document) => {
        if (document === undefined || !uri.startsWith("ipfs://")) return
        known.set(uri, document)
        const [oldest] = known.keys()
        if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest)
      })
    })
}

/** A list that was asked for, unless it is empty. */
const some = <A>(list: ReadonlyArray<A> | undefined): ReadonlyArray<A> | undefined =>
  list === undefined || list.length === 0 ? undefined : list

const isOfCollection = (kind: Holdings.TokenKind): kind is "nft" | "multitoken" => kind !== "fungible"

/** The sources of the answers: nodes, the store, and documents of tokens. */
export interface Index {
  readonly nodes: NodesService
  readonly use: StoreService["use"]
  readonly resolve: Describe.Resolve
}

export const index: Effect.Effect<Index, never, Metadata | Nodes | Store> = Effect.gen(function* () {
  const { use } = yield* Store
  return { nodes: yield* Nodes, use, resolve: remembering((yield* Metadata).resolve) }
})

/** The network of a query, once the store has all blocks of its nodes. Fails for those without an index. */
export const placeOf = (
  { nodes }: Index,
  { chain, type }: Asked,
  ...kinds: ReadonlyArray<"evm" | "utxo" | "solana">
): Effect.Effect<Place, Invalid | SandboxError> =>
  Effect.gen(function* () {
    const network = networkOf(chain, type === "testnet")
    if (network === undefined) return yield* refused(`chain ${chain} is not the name of a network`)
    const runs = nodes.runs(network)
    if (!kinds.some((kind) => kind === runs)) return yield* Effect.fail(unsupported(network))
    yield* nodes.fresh(network)
    const rpc: Rpc = (method, params) => nodes.rpc(network, method, params)
    return { network, info: Network.info(network), rpc }
  })

/** Tezos is recorded, and so are its answers of the data API: undefined if the query is about another network. */
const tezosOf = ({ chain, type }: Asked): Network.Network | undefined => {
  const network = networkOf(chain, type === "testnet")
  return network !== undefined && Network.info(network).family === "tezos" ? network : undefined
}
const recorded = (body: unknown) =>
  Effect.succeed(HttpServerResponse.unsafeJson(body, { headers: { "x-sandbox-recorded": "true" } }))

export const nativeOf = (
  { nodes, use }: Index,
  { info, network, rpc }: Place,
  address: string
): Effect.Effect<string, SandboxError> =>
  Effect.gen(function* () {
    const runs = nodes.runs(network)
    if (runs === "utxo")
      return Units.format(yield* use((open) => Holdings.coinsOf(open, network, address)), info.decimals)
    const said = yield* runs === "solana"
      ? rpc("getBalance", [address])
      : rpc("eth_getBalance", [address, "latest"])
    if (isQuantity(said)) return Units.format(BigInt(said), info.decimals)
    if (isLamports(said)) return Units.format(BigInt(said.value), info.decimals)
    return yield* new SandboxError({
      reason: "chain",
      message: `A node of ${network} does not tell balances`
    })
  })

/** Rows with the provider's name of their network, where that is another one than the id. */
const named = <A extends { readonly chain: string }>(
  route: DataRouteName,
  rows: ReadonlyArray<A>
): ReadonlyArray<A> => rows.map((row) => ({ ...row, chain: findRouteChain(route, row.chain)?.v4 ?? row.chain }))

/** A balance in the smallest unit and in whole coins or tokens: tokens of collections have their number alone. */
const inUnits = (
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

/** A balance, and the decimals of its asset. */
interface Counted {
  readonly row: typeof Api.Balance.Type
  readonly decimals: number
}

/** Balances with their decimals: of all kinds, where none is named, or of all tokens. */
const balances = (index: Index, query: typeof Api.BalancesQuery.Type, withCoins: boolean) =>
  Effect.gen(function* () {
    const { nodes, resolve, use } = index
    const wanted = some(query.tokenTypes)
    if (query.addresses.length === 0) return yield* refused("addresses must have at least one address")
    const part = yield* Pages.partOf(query)
    const place = yield* placeOf(index, query, "evm", "utxo", "solana")
    const { info, network, rpc } = place
    const addresses = yield* Effect.forEach([...new Set(query.addresses)], (address) =>
      addressOf(nodes.runs(network), "addresses", spelled(network, address))
    )
    const isWanted = (kind: "native" | Holdings.TokenKind): boolean =>
      wanted?.includes(kind) ?? (withCoins || kind !== "native")
    const { head, rows } = yield* use((open) => {
      const head = headOf(open, network)
      const rows = addresses.flatMap((address) => [
        ...(isWanted("native") ? [{ address, holding: undefined, decimals: info.decimals }] : []),
        ...Holdings.ofAddress(open, network, address)
          .filter(({ kind }) => isWanted(kind))
          .map((holding) => ({
            address,
            holding,
            decimals:
              holding.kind === "fungible"
                ? (Holdings.tokenOf(open, network, holding.token)?.decimals ?? 0)
                : 0
          }))
      ])
      return { head, rows }
    })
    const page = Pages.pageOfAll(rows, part, head)
    const withMetadata = query.excludeMetadata !== "true"
    const result = yield* Effect.forEach(
      page.result,
      ({ address, decimals, holding }): Effect.Effect<Counted, SandboxError> => {
        if (holding === undefined)
          return Effect.map(nativeOf(index, place, address), (balance) => ({
            decimals,
            row: { chain: network, type: "native", address, balance, lastUpdatedBlockNumber: head }
          }))
        const { amount, block, kind, token, tokenId } = holding
        const row = {
          chain: network,
          type: kind,
          address,
          balance: Units.format(amount, decimals),
          tokenAddress: token,
          tokenId,
          lastUpdatedBlockNumber: block
        }
        return withMetadata && tokenId !== undefined && isOfCollection(kind)
          ? Effect.map(Describe.describedOf(rpc, resolve, { token, tokenId, kind }), (described) => ({
              decimals,
              row: { ...row, ...described }
            }))
          : Effect.succeed({ decimals, row })
      },
      { concurrency: CALLS }
    )
    return { ...page, result }
  })

/** Balances of Tezos, which are recorded, with or without the tokens that a portfolio leaves to a kind of its own. */
const recordedBalances = (network: Network.Network, query: typeof Api.BalancesQuery.Type) => {
  const { addresses, offset, pageSize } = query
  const wanted = some(query.tokenTypes)
  const tokenTypes = wanted === undefined ? {} : { tokenTypes: wanted }
  return tezosBalances(network, addresses, { ...tokenTypes, pageSize, offset })
}

const portfolio = (index: Index, query: typeof Api.BalancesQuery.Type) =>
  Effect.gen(function* () {
    const tezos = tezosOf(query)
    if (tezos !== undefined) {
      const page = recordedBalances(tezos, query)
      return yield* recorded({ ...page, result: page.result.map((row) => inUnits(row, row.decimals)) })
    }
    // clients that name no kinds ask a node for the coins
    const page = yield* balances(index, query, false)
    const rows = page.result.map(({ decimals, row }) => inUnits(row, decimals))
    return { ...page, result: named("portfolio", rows) }
  })

const legacyBalances = (index: Index, query: typeof Api.BalancesQuery.Type) =>
  Effect.gen(function* () {
    const tezos = tezosOf(query)
    if (tezos !== undefined) return yield* recorded(recordedBalances(tezos, query))
    const page = yield* balances(index, query, true)
    return { ...page, result: page.result.map(({ row }) => row) }
  })

const transactions = (index: Index, query: typeof Api.TransactionsQuery.Type) =>
  Effect.gen(function* () {
    const { nodes, use } = index
    const directions = [...(query.transactionSubtype ?? []), ...(query.transactionSubTypes ?? [])]
    const kinds = some([...(query.transactionTypes ?? []), ...(query.tokenTypes ?? [])])
    const tezos = tezosOf(query)
    if (tezos !== undefined) {
      const { blockFrom, blockTo, cursor, pageSize } = query
      const [transactionSubtype] = directions
      return yield* recorded(
        tezosTransactions(tezos, query.addresses ?? [], {
          pageSize,
          ...(cursor === undefined ? {} : { cursor }),
          ...(transactionSubtype === undefined ? {} : { transactionSubtype }),
          ...(blockFrom === undefined ? {} : { blockFrom }),
          ...(blockTo === undefined ? {} : { blockTo })
        })
      )
    }
    const part = yield* Pages.partOf(query)
    const { info, network } = yield* placeOf(index, query, "evm", "utxo")
    const runs = nodes.runs(network)
    const addresses = yield* Effect.forEach(query.addresses ?? [], (address) =>
      addressOf(runs, "addresses", spelled(network, address))
    )
    const token =
      query.tokenAddress === undefined
        ? undefined
        : yield* addressOf(runs, "tokenAddress", query.tokenAddress)
    const { blockFrom, blockTo, hash, tokenId } = query
    const page = yield* use((open) => {
      const head = part.head ?? headOf(open, network)
      const coin = { network, decimals: info.decimals }
      const filter: Transfers.Filter = {
        addresses: some(addresses),
        hash: hash?.toLowerCase(),
        kinds,
        directions,
        token,
        tokenId: tokenId === undefined ? undefined : String(BigInt(tokenId)),
        blockFrom,
        blockTo
      }
      return Pages.pageOf(Transfers.transfers(open, coin, filter, part), part, head)
    })
    return { ...page, result: named("history", page.result) }
  })

/** Tokens of a collection by their ids, or all of them. */
const tokensOf = ({ use }: Index, network: string, token: string, ids?: ReadonlyArray<string>) =>
  use((open) =>
    Holdings.ofContract(open, network, token).flatMap(({ kind, tokenId }) =>
      tokenId !== undefined && isOfCollection(kind) && (ids?.includes(tokenId) ?? true)
        ? [{ kind, token, tokenId }]
        : []
    )
  )

const idsOf = (ids: ReadonlyArray<string> | undefined) =>
  some(ids)?.some((id) => !/^\d{1,78}$/.test(id))
    ? refused("tokenIds must be decimal numbers, with commas between them")
    : Effect.succeed(some(ids)?.map((id) => String(BigInt(id))))

const detailed = (
  { resolve }: Index,
  { network, rpc }: Place,
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
          withMetadata ? Describe.describedOf(rpc, resolve, { token, tokenId, kind }) : Effect.succeed({}),
          (described) => Describe.detailsOf(network, { token, tokenId, kind }, described)
        ),
      { concurrency: CALLS }
    ),
    (result) => ({ ...page, result })
  )

const collections = (index: Index, query: typeof Api.CollectionsQuery.Type, isToday: boolean) =>
  Effect.gen(function* () {
    const { use } = index
    const part = yield* Pages.partOf(query)
    const ids = yield* idsOf(query.tokenIds)
    const given = some([...(query.collectionAddresses ?? []), query.tokenAddress ?? []].flat())
    if (given === undefined) return yield* refused("collectionAddresses must have at least one address")
    const addresses = yield* Effect.forEach(given, (address) =>
      addressOf("evm", "collectionAddresses", address)
    )
    const place = yield* placeOf(index, query, "evm")
    const found = yield* Effect.forEach([...new Set(addresses)], (token) =>
      tokensOf(index, place.network, token, ids)
    )
    const kinds = some(query.tokenTypes)
    const tokens = found.flat().filter(({ kind }) => kinds?.includes(kind) ?? true)
    const head = yield* use((open) => headOf(open, place.network))
    const page = yield* detailed(
      index,
      place,
      query.excludeMetadata !== "true",
      Pages.pageOfAll(tokens, part, head)
    )
    if (!isToday) return page.result
    return page.result.map(({ metadata, tokenAddress, tokenId, tokenType }) => ({
      contractAddress: tokenAddress,
      tokenId,
      tokenType,
      ...(metadata === undefined ? {} : { metadata })
    }))
  })

const metadata = (index: Index, query: typeof Api.MetadataQuery.Type) =>
  Effect.gen(function* () {
    const { use } = index
    const part = yield* Pages.partOf(query)
    const ids = yield* idsOf(query.tokenId === undefined ? query.tokenIds : [query.tokenId])
    const token = yield* addressOf("evm", "tokenAddress", query.tokenAddress)
    const place = yield* placeOf(index, query, "evm")
    const tokens = yield* tokensOf(index, place.network, token, ids)
    const head = yield* use((open) => headOf(open, place.network))
    const page = yield* detailed(index, place, true, Pages.pageOfAll(tokens, part, head))
    if (query.tokenId === undefined) return page.result
    const [row] = page.result
    return row === undefined
      ? yield* Effect.fail(
          missing("token.not.found", `${token} has no token ${query.tokenId} on ${place.network}`)
        )
      : (row.metadata ?? {})
  })

const owners = (index: Index, query: typeof Api.OwnersQuery.Type, isToday: boolean) =>
  Effect.gen(function* () {
    const { use } = index
    const part = yield* Pages.partOf(query)
    const token = yield* addressOf("evm", "tokenAddress", query.tokenAddress)
    const { network } = yield* placeOf(index, query, "evm")
    const tokenId = query.tokenId === undefined ? undefined : String(BigInt(query.tokenId))
    const page = yield* use((open) =>
      Pages.pageOfAll(Holdings.ownersOf(open, network, token, tokenId), part, headOf(open, network))
    )
    return page.result.map(({ address, amount }) =>
      isToday ? { address, balance: String(amount) } : address
    )
  })

const ownership = (index: Index, query: typeof Api.OwnershipQuery.Type) =>
  Effect.gen(function* () {
    const { use } = index
    const token = yield* addressOf("evm", "tokenAddress", query.tokenAddress)
    const owner = query.ownerAddress ?? query.address
    if (owner === undefined) return yield* refused("address must be text that is not empty")
    const address = yield* addressOf("evm", "address", owner)
    const { network } = yield* placeOf(index, query, "evm")
    const tokenId = query.tokenId === undefined ? undefined : String(BigInt(query.tokenId))
    return yield* use((open) =>
      Holdings.ownersOf(open, network, token, tokenId).some((each) => each.address === address)
    )
  })

const events = (index: Index, query: typeof Api.EventsQuery.Type) =>
  Effect.gen(function* () {
    const { use } = index
    const part = yield* Pages.partOf(query)
    const { blockFrom, blockTo } = query
    const eventType = query.eventType === "swap" ? "uniswapTrade" : query.eventType
    const signatures = Events.signaturesOf(query.signatures ?? "")
    if (signatures === undefined)
      return yield* refused("signatures must be topics, or events such as Transfer(address,address,uint256)")
    const contracts = yield* Effect.forEach(
      [query.contractAddress ?? [], ...(query.contractAddresses ?? []), ...(query.address ?? [])].flat(),
      (address) => addressOf("evm", "contractAddresses", address)
    )
    const { network } = yield* placeOf(index, query, "evm")
    return yield* use((open) => {
      const head = part.head ?? headOf(open, network)
      const filter: Events.Filter = { contracts, signatures, eventType, blockFrom, blockTo }
      return Pages.pageOf(Events.events(open, network, filter, part), part, head)
    })
  })

const blocks = (index: Index, query: typeof Api.BlocksQuery.Type) =>
  Effect.gen(function* () {
    const { use } = index
    const part = yield* Pages.partOf(query)
    const { network } = yield* placeOf(index, query, "evm", "utxo")
    const { from, blockFrom = from, blockIds = [], to, blockTo = to, timeFrom, timeTo } = query
    return yield* use((open) =>
      Blocks.blocks(
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

const latest = (index: Index, query: typeof Api.LatestQuery.Type) =>
  Effect.gen(function* () {
    const { use } = index
    const { network } = yield* placeOf(index, query, "evm", "utxo")
    const none = {
      ids: [],
      blockFrom: undefined,
      blockTo: undefined,
      timeFrom: undefined,
      timeTo: undefined
    }
    const [block] = yield* use((open) => Blocks.blocks(open, network, none, { from: 0, size: 1 }))
    return block ?? (yield* Effect.fail(missing("block.not.found", `${network} has no blocks yet`)))
  })

const tokens = (index: Index, query: typeof Api.TokensQuery.Type) =>
  Effect.gen(function* () {
    const { resolve, use } = index
    const token = yield* addressOf("evm", "tokenAddress", query.tokenAddress)
    const { network, rpc } = yield* placeOf(index, query, "evm")
    const stored = yield* use((open) => Holdings.tokenOf(open, network, token))
    const found = yield* Describe.tokenOf(rpc, token, stored)
    if (found === undefined)
      return yield* Effect.fail(missing("token.not.found", `${token} is not a token on ${network}`))
    const { kind } = found
    const existing = isOfCollection(kind) ? yield* tokensOf(index, network, token) : []
    if (query.tokenId === undefined || !isOfCollection(kind))
      return yield* Describe.infoOf(rpc, token, { ...found, network, existing: existing.length })
    const tokenId = String(BigInt(query.tokenId))
    if (!existing.some((each) => each.tokenId === tokenId))
      return yield* Effect.fail(missing("token.not.found", `${token} has no token ${tokenId} on ${network}`))
    const described = yield* Describe.describedOf(rpc, resolve, { token, tokenId, kind })
    return yield* Describe.infoOf(rpc, token, { ...found, network, existing: existing.length, described })
  })

const utxos = (index: Index, query: typeof Api.UtxosQuery.Type) =>
  Effect.gen(function* () {
    const { use } = index
    const { network } = yield* placeOf(index, query, "utxo")
    return yield* use((open) => unspent(open, network, spelled(network, query.address), query.totalValue))
  })

const utxoHistory = (index: Index, query: typeof Api.UtxoHistoryQuery.Type) =>
  Effect.gen(function* () {
    const { nodes, use } = index
    const { network } = yield* placeOf(index, query, "utxo")
    const asked = { pageSize: Number.MAX_SAFE_INTEGER, offset: 0 }
    const { txType } = query
    return yield* historyOf(
      nodes,
      use,
      { network, address: query.address },
      {
        ...asked,
        ...(txType === undefined ? {} : { txType })
      }
    )
  })

/** A failure of the nodes or of the database, in the provider's words. */
export const said = <A, R>(
  effect: Effect.Effect<A, Refusal | SandboxError, R>
): Effect.Effect<A, Refusal, R> =>
  Effect.mapError(effect, (error) => (error instanceof SandboxError ? unavailable(error.message) : error))

const api = HttpApi.make("provider").add(Api.group)

/**
 * The data API. Every answer has the state of the nodes at the time of the request. Networks without an index here, and unknown
 * chains, are refused (400); nodes that do not answer are 503. Answers for Tezos are recorded, and say so in the header
 * `x-sandbox-recorded`. `generations` decides on the form of answers at paths that both generations have.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  generations: Generations
): Layer.Layer<HttpApiGroup.ApiGroup<"provider", "data">, never, Metadata | Nodes | Store> =>
  HttpApiBuilder.group(api, "data", (handlers) =>
    Effect.map(index, (index) => {
      const isToday = generations !== "legacy"
      return handlers
        .handle("balances", ({ urlParams }) => said(legacyBalances(index, urlParams)))
        .handle("portfolio", ({ urlParams }) => said(portfolio(index, urlParams)))
        .handle("transactions", ({ urlParams }) => said(transactions(index, urlParams)))
        .handle("transactionHistory", ({ urlParams }) => said(transactions(index, urlParams)))
        .handle("transactionsByHash", ({ urlParams }) => said(transactions(index, urlParams)))
        .handle("collections", ({ urlParams }) => said(collections(index, urlParams, isToday)))
        .handle("metadata", ({ urlParams }) => said(metadata(index, urlParams)))
        .handle("owners", ({ urlParams }) => said(owners(index, urlParams, isToday)))
        .handle("ownership", ({ urlParams }) => said(ownership(index, urlParams)))
        .handle("events", ({ urlParams }) => said(events(index, urlParams)))
        .handle("defiEvents", ({ urlParams }) => said(events(index, urlParams)))
        .handle("blocks", ({ urlParams }) => said(blocks(index, urlParams)))
        .handle("defiBlocks", ({ urlParams }) => said(blocks(index, urlParams)))
        .handle("latestBlock", ({ urlParams }) => said(latest(index, urlParams)))
        .handle("latestDefiBlock", ({ urlParams }) => said(latest(index, urlParams)))
        .handle("tokens", ({ urlParams }) => said(tokens(index, urlParams)))
        .handle("utxos", ({ urlParams }) => said(utxos(index, urlParams)))
        .handle("utxoHistory", ({ urlParams }) => said(utxoHistory(index, urlParams)))
    })
  )

/** The paths that one generation has and the other one has not, as patterns. */
const paths = Object.values<DataRoute>(dataRoutes).flatMap(({ legacy, v4 }) => {
  const pattern = (path: string): RegExp => new RegExp(`^/${path.replace(/\{\w+\}/g, "[^/]+")}$`)
  return legacy === undefined || legacy === v4 ? [] : [{ v4: pattern(v4), legacy: pattern(legacy) }]
})

/**
 * Whether a sandbox of these generations has a path, as far as that depends on them.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isThere = (generations: Generations, path: string): boolean =>
  generations === "both" || !paths.some((each) => (generations === "v4" ? each.legacy : each.v4).test(path))
