/** Types of the services that users rely on: the compiler checks this file with the rest of the project, nothing runs it. */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Eip1193Provider as EthersProvider } from "ethers"
import type { EIP1193Provider as ViemProvider } from "viem"
import { describe, expectTypeOf, it } from "vitest"
import type { Eip1193Provider } from "../../src/client/adapters/Eip1193.js"
import type { Sdk } from "../../src/client/Sdk.js"
import type { SdkConfig } from "../../src/config/Config.js"
import type { Result } from "../../src/data/CallResult.js"
import type { Network } from "../../src/data/Network.js"
import type {
  Aborted,
  AccountAccessDenied,
  DecimalsUnreadable,
  GatewayCallError,
  InvalidArgument,
  LoadError,
  GatewayError as Malformed,
  NoChainId,
  NotSupportedForNetwork,
  RpcCallError,
  TransactionDenied,
  UtxoSingleAddress,
  WalletBusy,
  WalletError,
  WalletNotChosen,
  WalletNotFound,
  WalletNotInstalled,
  WalletUnclear,
  WrongChain
} from "../../src/data/SdkError.js"
import type { PromiseSdk } from "../../src/promise.js"
import type {
  AddressSelection,
  AddressService,
  AddressTransaction,
  HistoryError,
  TransactionPage
} from "../../src/services/Address.js"
import type { ContractService } from "../../src/services/Contract.js"
import type { DataApiService, DataError, RankedToken, StakingPool } from "../../src/services/DataApi.js"
import type { CurrentFee, FeeRate, FeeService, GasFee } from "../../src/services/Fee.js"
import type { NftService } from "../../src/services/Nft.js"
import type {
  Condition,
  NotificationService,
  Subscribe,
  Subscription,
  Templates
} from "../../src/services/Notification.js"
import type { ProviderService } from "../../src/services/Provider.js"
import type { RatesService } from "../../src/services/Rates.js"
import type { StorageService } from "../../src/services/Storage.js"
import type { TokenService } from "../../src/services/Token.js"
import type { BrowserWallet, WalletProviderService } from "../../src/services/WalletProvider.js"
import * as Webhook from "../../src/services/Webhook.js"
import * as webhook from "../../src/webhook.js"

type ContractEvents = Webhook.ContractEvents
type Enriched = Webhook.Enriched
type Movement = Webhook.Movement
type Payload = Webhook.Payload

/** Every service is loaded with its first call. */
type GatewayError = GatewayCallError | LoadError

describe("the browser wallet", () => {
  type Wallet = WalletProviderService
  type ErrorOf<F extends (...args: never) => Effect.Effect<unknown, unknown>> = Effect.Effect.Error<
    ReturnType<F>
  >
  type Read =
    | WalletNotInstalled
    | WalletNotFound
    | WalletNotChosen
    | WalletBusy
    | WalletError
    | LoadError
    | Aborted
  type Send = Read | AccountAccessDenied | TransactionDenied | WalletUnclear | WrongChain | InvalidArgument

  it("fails with what can happen on the way, and no more", () => {
    expectTypeOf<ErrorOf<Wallet["discover"] | Wallet["disconnect"]>>().toEqualTypeOf<LoadError | Aborted>()
    expectTypeOf<ErrorOf<Wallet["use"]>>().toEqualTypeOf<
      WalletNotInstalled | InvalidArgument | LoadError | Aborted
    >()
    expectTypeOf<ErrorOf<Wallet["getWallet"]>>().toEqualTypeOf<Read | AccountAccessDenied>()
    expectTypeOf<ErrorOf<Wallet["getAccounts"] | Wallet["chainId"]>>().toEqualTypeOf<Read>()
    expectTypeOf<ErrorOf<Wallet["switchChain"]>>().toEqualTypeOf<
      Read | TransactionDenied | WrongChain | NoChainId | NotSupportedForNetwork | InvalidArgument
    >()
    expectTypeOf<
      ErrorOf<Wallet["transferNative"] | Wallet["transferNft"] | Wallet["signAndBroadcast"]>
    >().toEqualTypeOf<Send>()
    expectTypeOf<ErrorOf<Wallet["transferErc20"] | Wallet["approveErc20"]>>().toEqualTypeOf<
      Send | DecimalsUnreadable
    >()
    expectTypeOf<ErrorOf<Wallet["createNftCollection"] | Wallet["createFungibleToken"]>>().toEqualTypeOf<
      Send | GatewayError
    >()
  })

  it("is there on EVM networks, and on no others", () => {
    expectTypeOf<PromiseSdk<"base-mainnet">>().toHaveProperty("wallet")
    expectTypeOf<PromiseSdk<"zksync-mainnet">>().toHaveProperty("wallet")
    expectTypeOf<PromiseSdk<"klaytn-mainnet">>().toHaveProperty("wallet")
    expectTypeOf<PromiseSdk<"tron-mainnet">>().not.toHaveProperty("wallet")
    expectTypeOf<PromiseSdk<"bitcoin-mainnet">>().not.toHaveProperty("wallet")
  })

  it("takes what other libraries call an EIP-1193 provider", () => {
    expectTypeOf<ViemProvider>().toExtend<BrowserWallet>()
    expectTypeOf<EthersProvider>().toExtend<BrowserWallet>()
    expectTypeOf<Eip1193Provider>().toExtend<BrowserWallet>()
    expectTypeOf<{ readonly name: "x"; readonly provider: ViemProvider }>().toExtend<
      NonNullable<SdkConfig["configureWalletProviders"]>[number]
    >()
  })
})

describe("fees", () => {
  it("are those of the network", () => {
    expectTypeOf<Sdk<"ethereum-mainnet">["fee"]["getCurrentFee"]>().returns.toEqualTypeOf<
      Effect.Effect<GasFee<"ethereum-mainnet">, GatewayError>
    >()
    expectTypeOf<PromiseSdk<"bitcoin-mainnet">["fee"]["getCurrentFee"]>().returns.toEqualTypeOf<
      Promise<Result<FeeRate<"bitcoin-mainnet">, GatewayError>>
    >()
    expectTypeOf<PromiseSdk<"polygon-mainnet">>().not.toHaveProperty("fee")
  })

  it("of an unknown network are told apart by the chain", () => {
    const read = (fee: CurrentFee): string =>
      fee.chain === "ethereum-mainnet" || fee.chain === "ethereum-sepolia" ? fee.gasPrice.fast : fee.fast
    expectTypeOf(read).returns.toBeString()
  })
})

describe("rates, notifications and low-level calls", () => {
  type Ends<F extends (...args: never) => unknown> =
    ReturnType<F> extends Effect.Effect<unknown, infer E>
      ? E
      : ReturnType<F> extends Stream.Stream<unknown, infer E>
        ? E
        : never

  it("fail with what can happen on the way, and no more", () => {
    expectTypeOf<Ends<RatesService["getCurrentRate"] | RatesService["getCurrentRateBatch"]>>().toEqualTypeOf<
      GatewayError | InvalidArgument
    >()
    expectTypeOf<Ends<Subscribe[keyof Subscribe]>>().toEqualTypeOf<
      GatewayError | InvalidArgument | NotSupportedForNetwork
    >()
    type Other = Exclude<keyof NotificationService, "subscribe" | "templates" | "disableHmac">
    expectTypeOf<Ends<NotificationService[Other]>>().toEqualTypeOf<GatewayError | InvalidArgument>()
    expectTypeOf<Ends<Templates[keyof Templates]>>().toEqualTypeOf<GatewayError | InvalidArgument>()
    expectTypeOf<Ends<ProviderService["get"] | ProviderService["getFile"]>>().toEqualTypeOf<
      GatewayError | InvalidArgument
    >()
    expectTypeOf<Ends<ProviderService["rpcCall"]>>().toEqualTypeOf<RpcCallError>()
  })

  it("are there where they work", () => {
    expectTypeOf<PromiseSdk<"near-mainnet">>().toHaveProperty("provider")
    expectTypeOf<PromiseSdk<"near-mainnet">>().toHaveProperty("rates")
    expectTypeOf<PromiseSdk<"near-mainnet">>().not.toHaveProperty("notification")
    expectTypeOf<PromiseSdk<"solana-mainnet">>().toHaveProperty("notification")
  })

  it("compare a field of an event in the ways that make sense for it", () => {
    type Of<F extends Condition["field"]> = Extract<Condition, { readonly field: F }>
    type OfText = Of<"from" | "to" | "contractAddress" | "tokenMetadata.symbol">
    expectTypeOf<Of<"value" | "tokenId">["operator"]>().toEqualTypeOf<"==" | "!=" | ">" | ">=" | "<" | "<=">()
    expectTypeOf<Of<"value" | "tokenId">["value"]>().toEqualTypeOf<string | bigint>()
    expectTypeOf<OfText["operator"]>().toEqualTypeOf<"==" | "!=">()
    expectTypeOf<OfText["value"]>().toEqualTypeOf<string>()
    expectTypeOf<Of<"tokenMetadata.type">["value"]>().toEqualTypeOf<
      "native" | "fungible" | "nft" | "multitoken"
    >()
    const wrong = [
      // @ts-expect-error addresses have no order
      { field: "from", operator: ">", value: "0x" },
      // @ts-expect-error amounts are no floats
      { field: "value", operator: ">", value: 0.1 },
      // @ts-expect-error no such property is compared
      { field: "blockNumber", operator: "==", value: "1" }
    ] satisfies ReadonlyArray<Condition>
    expectTypeOf(wrong).toBeArray()
    type Options<K extends keyof Subscribe> = Parameters<Subscribe[K]>[0]
    expectTypeOf<Options<"addressEvent">>().toHaveProperty("mempool")
    expectTypeOf<Options<"incomingNativeTx">>().not.toHaveProperty("mempool")
    expectTypeOf<Options<"failedTxsPerBlock">>().toHaveProperty("conditions")
  })

  it("have webhooks that a declared template types", () => {
    const paid = Webhook.template({
      format: "json",
      keys: { payer: "from", amount: "value", block: "blockNumber", token: "tokenMetadata" }
    })
    type Values = Extract<
      ReturnType<typeof webhook.decode<typeof paid>>,
      { readonly status: "SUCCESS" }
    >["data"]
    expectTypeOf<Values["format"]>().toEqualTypeOf<"json">()
    expectTypeOf<Values["values"]>().toEqualTypeOf<{
      readonly payer?: string | null | undefined
      readonly amount?: string | null | undefined
      readonly block?: number | null | undefined
      readonly token?: Webhook.TokenMetadata | null | undefined
    }>()
    // @ts-expect-error a property that events do not have
    Webhook.template({ format: "json", keys: { a: "sender" } })

    const of = <const T extends Webhook.Template | Webhook.TemplateId>(template: T) =>
      Webhook.decode("", template)
    expectTypeOf(of({ format: "string", message: "{{value}}" })).toEqualTypeOf<
      Effect.Effect<Webhook.RenderedText, Malformed | InvalidArgument>
    >()
    // also where it is written in the call itself
    expectTypeOf(webhook.decode("", { format: "json", keys: { n: "logIndex" } })).toEqualTypeOf<
      Result<Webhook.RenderedJson<{ readonly n: "logIndex" }>, Malformed | InvalidArgument>
    >()
    expectTypeOf(webhook.decode("", "legacy")).toEqualTypeOf<
      Result<Movement | ContractEvents, Malformed | InvalidArgument>
    >()
    expectTypeOf(webhook.decode("", "enriched")).toEqualTypeOf<
      Result<Enriched | ContractEvents, Malformed | InvalidArgument>
    >()
    expectTypeOf(webhook.decode("", "an id" as string)).toEqualTypeOf<
      Result<Payload, Malformed | InvalidArgument>
    >()
    expectTypeOf(webhook.decode("")).toEqualTypeOf<Result<Payload, Malformed>>()
    expectTypeOf(Webhook.decode("")).toEqualTypeOf<Effect.Effect<Payload, Malformed>>()
    expectTypeOf<Payload["format"]>().toEqualTypeOf<
      "movement" | "events" | "enriched" | "enriched_with_raw_data"
    >()
  })

  it("leave the network of a subscription open, and tell the cases of a webhook apart", () => {
    expectTypeOf<Subscription["network"]>().toEqualTypeOf<Network | undefined>()
    expectTypeOf<Extract<Payload, { readonly format: "movement" }>>().toEqualTypeOf<Movement>()
    expectTypeOf<Extract<Payload, { readonly format: "events" }>["events"]>().items.toHaveProperty("topic_0")
    expectTypeOf<PromiseSdk<"ethereum-mainnet">["notification"]["streamAll"]>().returns.toEqualTypeOf<
      AsyncIterable<Result<Subscription, GatewayError | InvalidArgument>>
    >()
  })
})

describe("balances and histories", () => {
  type ErrorOf<F extends (...args: never) => Effect.Effect<unknown, unknown>> = Effect.Effect.Error<
    ReturnType<F>
  >
  type ValueOf<F extends (...args: never) => Effect.Effect<unknown, unknown>> = Effect.Effect.Success<
    ReturnType<F>
  >

  it("fail with what can happen on the network at hand", () => {
    expectTypeOf<ErrorOf<AddressService<"ethereum-mainnet">["getBalance"]>>().toEqualTypeOf<
      GatewayError | RpcCallError
    >()
    expectTypeOf<ErrorOf<AddressService<"solana-mainnet">["getBalance"]>>().toEqualTypeOf<
      GatewayError | RpcCallError
    >()
    expectTypeOf<ErrorOf<AddressService<"ripple-mainnet">["getBalance"]>>().toEqualTypeOf<
      RpcCallError | NotSupportedForNetwork | UtxoSingleAddress | LoadError
    >()
    expectTypeOf<ErrorOf<AddressService<"bitcoin-mainnet">["getBalance"]>>().toEqualTypeOf<
      GatewayError | InvalidArgument | NotSupportedForNetwork | UtxoSingleAddress
    >()
    expectTypeOf<ErrorOf<AddressService<"tezos-mainnet">["getBalance"]>>().toEqualTypeOf<
      GatewayError | InvalidArgument
    >()
    expectTypeOf<ErrorOf<AddressService["getTransactions"]>>().toEqualTypeOf<
      GatewayError | InvalidArgument | NotSupportedForNetwork | UtxoSingleAddress
    >()
    expectTypeOf<HistoryError<"ethereum-mainnet" | "tezos-mainnet">>().toEqualTypeOf<
      GatewayError | InvalidArgument
    >()
    expectTypeOf<HistoryError<"bitcoin-mainnet">>().toEqualTypeOf<
      GatewayError | InvalidArgument | UtxoSingleAddress
    >()
    // no history of theirs is to be had
    expectTypeOf<HistoryError<"solana-mainnet" | "cardano-mainnet" | "ripple-mainnet">>().toEqualTypeOf<
      InvalidArgument | NotSupportedForNetwork | LoadError | Aborted
    >()
  })

  it("are lists, and pages with cursors on Tezos alone", () => {
    type Of<
      S extends {
        readonly address: { readonly getTransactions: (query: never) => Effect.Effect<unknown, unknown> }
      }
    > = ValueOf<S["address"]["getTransactions"]>
    expectTypeOf<Of<Sdk<"bsc-mainnet">>>().toEqualTypeOf<ReadonlyArray<AddressTransaction>>()
    expectTypeOf<Of<Sdk<"bitcoin-mainnet">>>().toEqualTypeOf<ReadonlyArray<AddressTransaction>>()
    expectTypeOf<Of<Sdk<"tezos-mainnet">>>().toEqualTypeOf<TransactionPage>()
    expectTypeOf<ReturnType<Sdk<"tezos-mainnet">["address"]["streamTransactions"]>>().toEqualTypeOf<
      Stream.Stream<AddressTransaction, GatewayError | InvalidArgument>
    >()
  })

  it("are asked of one address or of several, and not of both", () => {
    expectTypeOf<{ address: string }>().toExtend<AddressSelection>()
    expectTypeOf<{ addresses: Array<string> }>().toExtend<AddressSelection>()
    expectTypeOf<{ address: string; addresses: Array<string> }>().not.toExtend<AddressSelection>()
    expectTypeOf<{ pageSize: number }>().not.toExtend<AddressSelection>()
  })

  it("are where there is something to ask", () => {
    expectTypeOf<Sdk<"ethereum-mainnet">>().toHaveProperty("token")
    expectTypeOf<Sdk<"solana-mainnet">>().toHaveProperty("address")
    expectTypeOf<Sdk<"solana-mainnet">>().not.toHaveProperty("token")
    expectTypeOf<Sdk<"near-mainnet">>().not.toHaveProperty("address")
    expectTypeOf<Sdk<"near-mainnet">>().toHaveProperty("data")
  })

  it("have the data API in groups, typed by what is declared of each route", () => {
    const { data } = {} as Sdk<"near-mainnet">
    expectTypeOf(data.blockchains.getBlock).parameters.toEqualTypeOf<
      [query: { readonly chain: string; readonly blockNumber: number }]
    >()
    expectTypeOf(data.staking.native.getPools).returns.toEqualTypeOf<
      Effect.Effect<ReadonlyArray<StakingPool>, DataError>
    >()
    expectTypeOf(data.wallet.getBalanceAt).parameter(0).toEqualTypeOf<{
      readonly chain: string
      readonly addresses: string | ReadonlyArray<string>
      readonly timestamp: number
      readonly tokenAddress?: string
    }>()
    expectTypeOf(data.tokens.getTrending).parameter(0).toExtend<{ readonly pageSize?: number }>()
    expectTypeOf(data.tokens.streamTrending).returns.toEqualTypeOf<Stream.Stream<RankedToken, DataError>>()
    expectTypeOf(data.rates.getBySymbolBatch)
      .parameter(0)
      .toEqualTypeOf<
        ReadonlyArray<{ readonly symbol: string; readonly basePair: string; readonly batchId?: string }>
      >()
    expectTypeOf(data.blockchains).not.toHaveProperty("streamBlock")
  })

  it("of tokens say that the network has none, or what the provider answered", () => {
    expectTypeOf<ErrorOf<TokenService["getBalance"]>>().toEqualTypeOf<
      GatewayError | InvalidArgument | NotSupportedForNetwork
    >()
    expectTypeOf<ErrorOf<TokenService["getTokenMetadata"]>>().toEqualTypeOf<
      GatewayError | InvalidArgument | NotSupportedForNetwork
    >()
    expectTypeOf<ErrorOf<DataApiService["getBlocks"]>>().toEqualTypeOf<
      GatewayError | InvalidArgument | NotSupportedForNetwork
    >()
  })
})

describe("every method of every service", () => {
  type Ends<F> = F extends (...args: never) => Effect.Effect<unknown, infer E>
    ? E
    : F extends (...args: never) => Stream.Stream<unknown, infer E>
      ? E
      : F extends (
            ...args: never
          ) => AsyncIterable<Result<unknown, infer E>> | Promise<Result<unknown, infer E>>
        ? E
        : F extends object
          ? { readonly [K in keyof F]: Ends<F[K]> }[keyof F]
          : never
  type Named<S> = Omit<S, "rpc" | "nodes" | "network" | "with" | "listen" | "checkNodes" | "destroy" | symbol>
  type Refusal = UtxoSingleAddress | NotSupportedForNetwork
  /** The errors that speak of the network, by the services of a client that have some. */
  type Refusals<S> = {
    readonly [K in keyof Named<S> as [Extract<Ends<S[K & keyof S]>, Refusal>] extends [never]
      ? never
      : K]: Extract<Ends<S[K & keyof S]>, Refusal>["_tag"]
  }
  /** A network may be given to it, and that one need not have a wallet. */
  type Wallet = "NotSupportedForNetwork"
  /** So it is with the data API as it is. */
  type Data = "NotSupportedForNetwork"

  it("of an EVM network with everything refuses no network", () => {
    expectTypeOf<Refusals<Sdk<"ethereum-mainnet">>>().toEqualTypeOf<{
      readonly data: Data
      readonly wallet: Wallet
    }>()
    expectTypeOf<Refusals<PromiseSdk<"ethereum-mainnet">>>().toEqualTypeOf<{
      readonly data: Data
      readonly wallet: Wallet
    }>()
    expectTypeOf<Refusals<Sdk<"bsc-mainnet">>>().toEqualTypeOf<{
      readonly data: Data
      readonly wallet: Wallet
    }>()
    expectTypeOf<
      Extract<Ends<Sdk<"ethereum-mainnet">["token"]>, GatewayError>
    >().toEqualTypeOf<GatewayError>()
  })

  it("of a UTXO network takes one address, and refuses no network", () => {
    expectTypeOf<Refusals<Sdk<"bitcoin-mainnet">>>().toEqualTypeOf<{
      readonly data: Data
      readonly address: "UtxoSingleAddress" | "NotSupportedForNetwork"
      readonly explorer: "NotSupportedForNetwork"
    }>()
    expectTypeOf<
      Extract<Ends<Sdk<"bitcoin-mainnet">["address"]["getTransactions"]>, Refusal>
    >().toEqualTypeOf<UtxoSingleAddress>()
  })

  it("of networks without an explorer, or without pages of a kind, has no links", () => {
    type Explorer<N extends Network> = Sdk<N>["explorer"]
    type Linked<F> = Extract<Ends<F>, Refusal>
    expectTypeOf<Linked<Explorer<"solana-mainnet">>>().toBeNever()
    expectTypeOf<Linked<Explorer<"bitcoin-mainnet">["tx"]>>().toBeNever()
    expectTypeOf<Linked<Explorer<"bitcoin-mainnet">["token"]>>().toEqualTypeOf<NotSupportedForNetwork>()
    expectTypeOf<Linked<Explorer<"ton-mainnet">["block"]>>().toEqualTypeOf<NotSupportedForNetwork>()
    expectTypeOf<Linked<Explorer<"monad-testnet">["tx"]>>().toEqualTypeOf<NotSupportedForNetwork>()
    expectTypeOf<Linked<PromiseSdk<"ethereum-mainnet">["explorer"]>>().toBeNever()
  })

  it("of Solana has no histories, and says so", () => {
    expectTypeOf<Refusals<Sdk<"solana-mainnet">>>().toEqualTypeOf<{
      readonly data: Data
      readonly address: "NotSupportedForNetwork"
    }>()
  })

  it("of networks that have a part of them refuses what is not there", () => {
    expectTypeOf<Refusals<Sdk<"base-mainnet">>>().toEqualTypeOf<{
      readonly data: Data
      readonly nft: "NotSupportedForNetwork"
      readonly token: "NotSupportedForNetwork"
      readonly wallet: Wallet
    }>()
    expectTypeOf<Refusals<Sdk<"cardano-mainnet">>>().toEqualTypeOf<{
      readonly data: Data
      readonly address: "NotSupportedForNetwork" | "UtxoSingleAddress"
    }>()
    expectTypeOf<Refusals<Sdk<"tezos-mainnet">>>().toEqualTypeOf<{ readonly data: Data }>()
  })

  it("of an unknown network has them all", () => {
    expectTypeOf<Extract<Ends<NotificationService>, Refusal>>().toEqualTypeOf<NotSupportedForNetwork>()
    expectTypeOf<Extract<Ends<ContractService>, Refusal>>().toEqualTypeOf<NotSupportedForNetwork>()
    expectTypeOf<Extract<Ends<TokenService>, Refusal>>().toEqualTypeOf<NotSupportedForNetwork>()
    expectTypeOf<Extract<Ends<FeeService>, Refusal>>().toEqualTypeOf<NotSupportedForNetwork>()
  })
})

describe("NFTs, contracts and files", () => {
  type ErrorOf<F extends (...args: never) => Effect.Effect<unknown, unknown>> = Effect.Effect.Error<
    ReturnType<F>
  >

  it("fail with what can happen to them", () => {
    type Common = GatewayError | InvalidArgument | NotSupportedForNetwork
    expectTypeOf<ErrorOf<NftService["mintNftWithMetadata"]>>().toEqualTypeOf<Common>()
    expectTypeOf<ErrorOf<NftService["getNftMetadata"]>>().toEqualTypeOf<Common>()
    expectTypeOf<ErrorOf<ContractService["deploy"]>>().toEqualTypeOf<Common>()
    expectTypeOf<ErrorOf<StorageService["uploadFile"]>>().toEqualTypeOf<GatewayError | InvalidArgument>()
    expectTypeOf<ReturnType<StorageService["streamFile"]>>().toEqualTypeOf<
      Stream.Stream<Uint8Array, GatewayError | InvalidArgument>
    >()
  })

  it("are where there is something to ask", () => {
    expectTypeOf<Sdk<"tezos-mainnet">>().toHaveProperty("nft")
    expectTypeOf<Sdk<"tezos-mainnet">>().not.toHaveProperty("token")
    expectTypeOf<Sdk<"bitcoin-mainnet">>().not.toHaveProperty("nft")
    expectTypeOf<Sdk<"near-mainnet">>().toHaveProperty("ipfs")
  })

  it("are lists of results on the Promise surface", () => {
    type Ipfs = PromiseSdk<"bsc-mainnet">["ipfs"]
    expectTypeOf<ReturnType<Ipfs["streamFile"]>>().toEqualTypeOf<
      AsyncIterable<Result<Uint8Array, GatewayError | InvalidArgument>>
    >()
    expectTypeOf<ReturnType<Ipfs["getFile"]>>().toEqualTypeOf<
      Promise<Result<Blob, GatewayError | InvalidArgument>>
    >()
  })
})
