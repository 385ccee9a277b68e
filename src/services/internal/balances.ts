import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { ClientFamily, type ProviderAccount, type TokenDetails } from "../../balancer/Family.js"
import { Config } from "../../config/Config.js"
import { Logger } from "../../config/Logger.js"
import { isServed } from "../../data/dataRoutes.js"
import type { NetworkInfo } from "../../data/Network.js"
import type { RpcCallError } from "../../data/SdkError.js"
import {
  type GatewayCallError,
  GatewayError,
  type InvalidArgument,
  NotSupportedForNetwork
} from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import { makeFactory, routingOf } from "../../transport/Client.js"
import { Transport } from "../../wire/Transport.js"
import type { AssetKind } from "../DataApi.js"
import { Gateway } from "../Gateway.js"
import { NonNegativeAmount, sumAmounts, toPlainDecimal } from "./amounts.js"
import { joinWithCommas, type toWireQuery } from "./dataInput.js"
import {
  balanceReaderFor,
  chainOfClient,
  makeDataClient,
  mapPage,
  partKindsOf,
  portfolioParts,
  requestOne,
  requestParts
} from "./dataRequests.js"
import { BalanceRow, makeAskedSpelling, omitMissing, pageStruct } from "./dataRows.js"
import { streamByOffset, streamByParts } from "./offsets.js"
import { makeAnswerReader } from "./schema.js"

/**
 * A balance. `balance` is an exact decimal string in whole coins or tokens. `asset` is the ticker, and `decimals` are those of the coin
 * or token, if known. The balance of a TRC-20 contract without decimals is in the smallest unit.
 *
 * @since 0.1.0
 * @category models
 */
export interface AddressBalance {
  readonly address: string
  readonly asset?: string
  readonly decimals?: number
  readonly balance: string
  readonly type: AssetKind
  readonly tokenAddress?: string
  readonly tokenId?: string
  readonly lastUpdatedBlockNumber?: number
}

/** The addresses and the kinds of assets whose balances are requested; all kinds if undefined. */
export interface BalanceRequest {
  readonly addresses: ReadonlyArray<string>
  readonly kinds: ReadonlyArray<AssetKind> | undefined
}

type Failure = RpcCallError | GatewayCallError | InvalidArgument | NotSupportedForNetwork

/** The source of a network's balances. */
export interface BalanceSource {
  /** Whether it has tokens, and not only native balances. */
  readonly hasTokens: boolean
  readonly page: (
    wanted: BalanceRequest,
    page: { readonly pageSize: number | undefined; readonly page: number }
  ) => Effect.Effect<ReadonlyArray<AddressBalance>, Failure>
  readonly stream: (wanted: BalanceRequest, pageSize: number) => Stream.Stream<AddressBalance, Failure>
}

type MakeBalanceSource = Effect.Effect<
  BalanceSource,
  never,
  ClientFamily | Config | Gateway | Logger | Transport
>

interface TokenLabels {
  readonly asset?: string
  readonly decimals?: number
}

const CALL = "address.getBalance"
/** Items of a page. */
const DEFAULT_PAGE_SIZE = 10
/** Tokens, and accounts, that are looked up at the same time. */
const MAX_CONCURRENT_LOOKUPS = 8
/** Tokens that are remembered. */
const MAX_REMEMBERED_TOKENS = 1_000
/** Unspent outputs are asked for up to this many coins: more than there are. */
const MORE_THAN_ALL_COINS = 200_000_000_000

const optional = Schema.optional

const wantsNative = ({ kinds }: BalanceRequest): boolean => kinds?.includes("native") ?? true

/** The requested kinds of tokens: all if undefined, none if empty. */
const tokenKindsOf = ({ kinds }: BalanceRequest): ReadonlyArray<AssetKind> | undefined =>
  kinds?.filter((kind) => kind !== "native")

const makeNativeBalance =
  (info: NetworkInfo) =>
  (address: string, balance: string): AddressBalance => ({
    address,
    asset: info.asset ?? info.symbol,
    decimals: info.decimals,
    balance,
    type: "native"
  })

/** Balances that are asked for in one piece. */
const makeUnpagedSource = (
  hasTokens: boolean,
  ask: (wanted: BalanceRequest) => Effect.Effect<ReadonlyArray<AddressBalance>, Failure>
): BalanceSource => ({ hasTokens, page: ask, stream: (wanted) => Stream.fromIterableEffect(ask(wanted)) })

type Row = typeof BalanceRow.Type

/** Asks the data API for a page of balances. `kinds` are the kinds of the whole query, as v4 names them in its requests. */
const makePortfolioReader = Effect.gen(function* () {
  const client = yield* makeDataClient
  const chain = chainOfClient(client, "portfolio")
  const read = makeAnswerReader(CALL, pageStruct(BalanceRow))
  return (
    addresses: ReadonlyArray<string>,
    kinds: ReadonlyArray<string>,
    query: Parameters<typeof toWireQuery>[0]
  ): Effect.Effect<ReadonlyArray<Row>, GatewayCallError | InvalidArgument> =>
    Effect.map(
      requestParts(client, {
        call: CALL,
        chain,
        route: "portfolio",
        query: { addresses: joinWithCommas(addresses), ...query },
        parts: portfolioParts(kinds),
        exact: true,
        read: (said, generation) => read(mapPage(balanceReaderFor(generation))(said))
      }),
      (pages) => pages.flatMap(({ result }) => result).map(makeAskedSpelling(addresses))
    )
})

/** The details of a token in the data API. */
const TokenDescription = Schema.Struct({
  symbol: optional(Schema.NullishOr(Schema.String)),
  decimals: optional(Schema.NullishOr(Schema.Number))
})

const toTokenBalance = (row: Row, details: TokenLabels | undefined): AddressBalance => {
  const { address, balance, decimals, lastUpdatedBlockNumber, tokenAddress, tokenId, type } = row
  return {
    ...omitMissing({
      address,
      tokenAddress,
      balance: toPlainDecimal(balance),
      decimals,
      type,
      tokenId,
      lastUpdatedBlockNumber
    }),
    ...details
  }
}

/** Looks up the details of the tokens of rows, as far as the provider knows them: a balance is worth telling without. */
const makeTokenDescriber = Effect.gen(function* () {
  const client = yield* makeDataClient
  const logger = yield* Logger
  const chain = chainOfClient(client, "tokens")
  const isServedHere = isServed(
    "tokens",
    client.config.network,
    client.config.dataApi,
    client.config.info.routes
  )
  const read = makeAnswerReader(CALL, TokenDescription)
  const describe = (tokenAddress: string): Effect.Effect<TokenLabels> =>
    requestOne(client, {
      call: CALL,
      chain,
      route: "tokens",
      query: { tokenAddress },
      read: (said) => read(Array.isArray(said) ? said[0] : said)
    }).pipe(
      Effect.map(({ symbol, decimals }) => omitMissing({ asset: symbol, decimals })),
      Effect.catchAll((error) =>
        Effect.as(
          logger.debug(() => `[${CALL}] token ${tokenAddress}: ${error.message}`),
          {}
        )
      )
    )
  /** `known` are the details that were looked up for the same call. */
  return (
    rows: ReadonlyArray<Row>,
    known: Map<string, TokenLabels>
  ): Effect.Effect<ReadonlyArray<AddressBalance>> => {
    const tokens = new Set(isServedHere ? rows.flatMap(({ tokenAddress }) => tokenAddress ?? []) : [])
    return Effect.map(
      Effect.forEach(
        [...tokens].filter((token) => !known.has(token)),
        (token) => Effect.map(describe(token), (details) => known.set(token, details)),
        { concurrency: MAX_CONCURRENT_LOOKUPS, discard: true }
      ),
      () => rows.map((row) => toTokenBalance(row, known.get(row.tokenAddress ?? "")))
    )
  }
})

/** Native balances over the network's nodes. */
const makeNodeReader = Effect.gen(function* () {
  const { nativeBalances } = yield* ClientFamily
  const { info, network } = yield* Config
  const transport = yield* Transport
  const native = makeNativeBalance(info)
  const nodes = makeFactory(transport, routingOf(info))
  return (wanted: BalanceRequest): Effect.Effect<ReadonlyArray<AddressBalance>, Failure> => {
    const { addresses } = wanted
    if (!wantsNative(wanted)) return Effect.succeed([])
    return nativeBalances === undefined
      ? Effect.fail(new NotSupportedForNetwork({ network, feature: "address balances" }))
      : Effect.map(nativeBalances(nodes, addresses), (amounts) =>
          addresses.flatMap((address, i) => {
            const amount = amounts[i]
            return amount === undefined ? [] : native(address, Units.format(amount, info.decimals))
          })
        )
  }
})

const makeNodeSource: MakeBalanceSource = Effect.map(makeNodeReader, (ask) => makeUnpagedSource(false, ask))

/** The kinds of tokens that a network has: Solana has no multitokens. */
const tokenKindsOn = ({ family }: NetworkInfo): ReadonlyArray<AssetKind> =>
  family === "solana" ? ["fungible", "nft"] : ["fungible", "nft", "multitoken"]

const isToken = ({ type }: Row): boolean => type !== "native"

/** The tokens of a portfolio, page by page. */
const streamTokenRows = (
  askPortfolio: Effect.Effect.Success<typeof makePortfolioReader>,
  addresses: ReadonlyArray<string>,
  kinds: ReadonlyArray<AssetKind>,
  pageSize: number
): Stream.Stream<Row, Failure> =>
  streamByParts(
    portfolioParts(kinds),
    undefined,
    (part, isLast) =>
      streamByOffset({
        pageSize,
        isLast,
        id: (row: Row) => JSON.stringify(row),
        fetch: (offset) =>
          askPortfolio(addresses, partKindsOf(part), { excludeMetadata: true, ...part, pageSize, offset })
      })
    // filtered after the page is counted: a page that is not full ends the stream
  ).pipe(Stream.filter(isToken))

/** Coins over the nodes, and tokens of the data API, page by page. */
const makeMixedSource: MakeBalanceSource = Effect.gen(function* () {
  const { info } = yield* Config
  const askPortfolio = yield* makePortfolioReader
  const askNodes = yield* makeNodeReader
  const describe = yield* makeTokenDescriber
  const kindsOf = (wanted: BalanceRequest): ReadonlyArray<AssetKind> =>
    tokenKindsOf(wanted) ?? tokenKindsOn(info)
  const wantsTokens = (wanted: BalanceRequest): boolean => tokenKindsOf(wanted)?.length !== 0
  const streamTokens = (wanted: BalanceRequest, pageSize: number): Stream.Stream<AddressBalance, Failure> => {
    const known = new Map<string, TokenLabels>()
    return streamTokenRows(askPortfolio, wanted.addresses, kindsOf(wanted), pageSize).pipe(
      Stream.mapChunksEffect((rows) =>
        Effect.map(describe(Chunk.toReadonlyArray(rows), known), Chunk.fromIterable)
      )
    )
  }
  return {
    hasTokens: true,
    page: (wanted, { page, pageSize = DEFAULT_PAGE_SIZE }) =>
      wantsTokens(wanted)
        ? Effect.zipWith(
            askNodes(wanted),
            Effect.flatMap(
              // coins may be among them
              askPortfolio(wanted.addresses, kindsOf(wanted), {
                excludeMetadata: true,
                tokenTypes: tokenKindsOf(wanted),
                pageSize,
                offset: page
              }),
              (rows) => describe(rows.filter(isToken), new Map())
            ),
            (coins, tokens) => [...coins, ...tokens]
          )
        : askNodes(wanted),
    stream: (wanted, pageSize) =>
      Stream.concat(
        Stream.fromIterableEffect(askNodes(wanted)),
        wantsTokens(wanted) ? streamTokens(wanted, pageSize) : Stream.empty
      )
  }
})

/** Coins and tokens of the data API on networks where it also names them, such as Tezos. */
const makeDataApiSource: MakeBalanceSource = Effect.map(
  makePortfolioReader,
  (askPortfolio): BalanceSource => {
    const kindsOf = ({ kinds }: BalanceRequest): ReadonlyArray<AssetKind> =>
      kinds ?? ["native", "fungible", "nft", "multitoken"]
    const readBalances = (
      { addresses }: BalanceRequest,
      kinds: ReadonlyArray<string>,
      query: Parameters<typeof toWireQuery>[0]
    ): Effect.Effect<ReadonlyArray<AddressBalance>, Failure> =>
      Effect.map(askPortfolio(addresses, kinds, query), (rows) =>
        rows.map(
          ({ address, balance, decimals, symbol, tokenAddress, tokenId, type }): AddressBalance =>
            omitMissing({
              address,
              asset: symbol,
              decimals,
              balance: toPlainDecimal(balance),
              type,
              ...(type === "native" ? {} : { tokenAddress, tokenId })
            })
        )
      )
    return {
      hasTokens: true,
      page: (wanted, { page, pageSize }) =>
        readBalances(wanted, kindsOf(wanted), { tokenTypes: wanted.kinds, pageSize, offset: page }),
      stream: (wanted, pageSize) =>
        streamByParts(portfolioParts(kindsOf(wanted)), undefined, (part, isLast) =>
          streamByOffset({
            pageSize,
            isLast,
            id: (row) => JSON.stringify(row),
            fetch: (offset) => readBalances(wanted, partKindsOf(part), { ...part, pageSize, offset })
          })
        )
    }
  }
)

const Outputs = Schema.Array(Schema.Struct({ value: NonNegativeAmount })).pipe(
  Schema.annotations({
    message: () => "must be a list"
  })
)

/** Coins as the sum of the unspent outputs that the data API knows. */
const makeOutputSource: MakeBalanceSource = Effect.gen(function* () {
  const client = yield* makeDataClient
  const chain = chainOfClient(client, "utxos")
  const native = makeNativeBalance(client.config.info)
  const read = makeAnswerReader(CALL, Outputs)
  const ask = (address: string): Effect.Effect<AddressBalance, Failure> =>
    Effect.map(
      requestOne(client, {
        call: CALL,
        chain,
        route: "utxos",
        query: { address, totalValue: MORE_THAN_ALL_COINS },
        exact: true,
        read
      }),
      (outputs) => native(address, sumAmounts(outputs.map(({ value }) => value)))
    )
  return makeUnpagedSource(false, ({ addresses }) => Effect.forEach(addresses, ask))
})

/** Whole numbers that are not negative. */
const WholeNumber = Schema.String.pipe(
  Schema.pattern(/^\d{1,100}$/, { message: () => "must be a whole number" })
)

/** An account, without coins if it was never paid. */
const accountStruct = ({ coins, tokens }: ProviderAccount) =>
  Schema.Struct({
    coins: optional(Schema.NullishOr(WholeNumber)).pipe(Schema.fromKey(coins)),
    tokens: optional(
      Schema.NullishOr(Schema.Array(Schema.Record({ key: Schema.String, value: WholeNumber })))
    ).pipe(Schema.fromKey(tokens))
  })

/** Asks contracts for the details of their tokens, over the nodes. The details never change. */
const makeContractReader = Effect.gen(function* () {
  const { tokenDetails } = yield* ClientFamily
  const { info } = yield* Config
  const nodes = makeFactory(yield* Transport, routingOf(info))
  /** The latest request is the last entry. */
  const known = new Map<string, TokenDetails>()
  const remember = (contract: string, details: TokenDetails): TokenDetails => {
    known.delete(contract)
    known.set(contract, details)
    for (const oldest of known.keys()) {
      if (known.size <= MAX_REMEMBERED_TOKENS) break
      known.delete(oldest)
    }
    return details
  }
  const ask = (contract: string): Effect.Effect<TokenDetails, RpcCallError> =>
    Effect.suspend(() => {
      const found = known.get(contract)
      return Effect.map(
        found === undefined ? (tokenDetails?.(nodes, contract) ?? Effect.succeed({})) : Effect.succeed(found),
        (details) => remember(contract, details)
      )
    })
  return (contracts: ReadonlySet<string>): Effect.Effect<ReadonlyMap<string, TokenDetails>, RpcCallError> =>
    Effect.map(
      Effect.forEach(
        contracts,
        (contract) => Effect.map(ask(contract), (details) => [contract, details] as const),
        { concurrency: MAX_CONCURRENT_LOOKUPS }
      ),
      (entries) => new Map(entries)
    )
})

/** Coins and tokens of accounts that the provider has in one piece. */
const makeAccountSource = (declared: ProviderAccount): MakeBalanceSource =>
  Effect.gen(function* () {
    const { info } = yield* Config
    const gateway = yield* Gateway
    const askContracts = yield* makeContractReader
    const native = makeNativeBalance(info)
    const read = makeAnswerReader(CALL, accountStruct(declared))
    const ask = (wanted: BalanceRequest) => (address: string) =>
      Effect.gen(function* () {
        const path = `${declared.path}${encodeURIComponent(address)}`
        const template = `${declared.path}{address}`
        const said = yield* gateway.request({ method: "GET", path, template, exact: true })
        const refusal = isRecord(said) ? said[declared.error] : undefined
        if (typeof refusal === "string")
          return yield* new GatewayError({ call: CALL, kind: "rpc", messages: [refusal] })
        const account = yield* read(said)
        const kinds = tokenKindsOf(wanted)
        const held =
          kinds === undefined || kinds.includes("fungible")
            ? (account.tokens ?? []).flatMap((each) => Object.entries(each))
            : []
        const details = yield* askContracts(new Set(held.map(([contract]) => contract)))
        const tokens = held.map(([tokenAddress, amount]): AddressBalance => {
          const { decimals, symbol } = details.get(tokenAddress) ?? {}
          const balance = Units.format(BigInt(amount), decimals ?? 0)
          return {
            ...omitMissing({ asset: symbol, decimals }),
            balance,
            type: "fungible",
            address,
            tokenAddress
          }
        })
        return wantsNative(wanted)
          ? [native(address, Units.format(BigInt(account.coins ?? "0"), info.decimals)), ...tokens]
          : tokens
      })
    return makeUnpagedSource(true, (wanted) =>
      Effect.map(
        Effect.forEach(wanted.addresses, ask(wanted), { concurrency: MAX_CONCURRENT_LOOKUPS }),
        (lists) => lists.flat()
      )
    )
  })

/** Selects the source of balances of the client's network: the data API if it has them, else the family's; undefined if there is none. */
export const selectBalanceSource: Effect.Effect<
  BalanceSource | undefined,
  never,
  ClientFamily | Config | Gateway | Logger | Transport
> = Effect.gen(function* () {
  const { account, nativeBalances } = yield* ClientFamily
  const { dataApi, info, network } = yield* Config
  if (isServed("portfolio", network, dataApi, info.routes))
    return yield* info.family === "tezos" ? makeDataApiSource : makeMixedSource
  if (isServed("utxos", network, dataApi, info.routes)) return yield* makeOutputSource
  if (account !== undefined) return yield* makeAccountSource(account)
  return nativeBalances === undefined ? undefined : yield* makeNodeSource
})
