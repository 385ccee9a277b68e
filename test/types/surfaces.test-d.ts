/** Types that users rely on: the compiler checks this file with the rest of the project, nothing runs it. */
import type { HttpClient } from "@effect/platform/HttpClient"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import type * as Context from "effect/Context"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import type * as Stream from "effect/Stream"
import { describe, expectTypeOf, it } from "vitest"
import type * as NodePool from "../../src/balancer/NodePool.js"
import type * as Aptos from "../../src/chains/Aptos.js"
import type * as Beacon from "../../src/chains/Beacon.js"
import type * as Klaytn from "../../src/chains/Klaytn.js"
import type * as Solana from "../../src/chains/Solana.js"
import type * as Sui from "../../src/chains/Sui.js"
import type * as Tron from "../../src/chains/Tron.js"
import type * as ZkSync from "../../src/chains/ZkSync.js"
import type { EvmAdapters } from "../../src/client/adapters/Adapter.js"
import * as Sdk from "../../src/client/Sdk.js"
import type * as Transport from "../../src/client/Transport.js"
import * as CallOptions from "../../src/config/CallOptions.js"
import type { Config as Settings } from "../../src/config/Config.js"
import type { Logger } from "../../src/config/Logger.js"
import { del, type Endpoint, get, post, put, type Repeat, rpc } from "../../src/data/Endpoint.js"
import { ARBITRUM_ONE, ETHEREUM } from "../../src/data/networks.js"
import type {
  Aborted,
  BlockNotReached,
  CallTimeout,
  ExtensionNotSupported,
  GatewayError,
  InitError,
  InvalidArgument,
  InvalidConfig,
  LoadError,
  NoActiveNode,
  NodeError,
  NoQuorum,
  QuotaExceeded,
  RequestRejected,
  RestCallError,
  RpcCallError,
  RpcError,
  StateUnavailable,
  Unexpected,
  UnsupportedNetwork
} from "../../src/data/SdkError.js"
import * as Algorand from "../../src/entries/Algorand.js"
import * as Avalanche from "../../src/entries/Avalanche.js"
import * as Bitcoin from "../../src/entries/Bitcoin.js"
import * as Ethereum from "../../src/entries/Ethereum.js"
import * as Evm from "../../src/entries/Evm.js"
import * as EffectEthereum from "../../src/entries/effect/Ethereum.js"
import * as EffectEvm from "../../src/entries/effect/Evm.js"
import type * as Flow from "../../src/entries/Flow.js"
import type * as MultiversX from "../../src/entries/MultiversX.js"
import type * as Near from "../../src/entries/Near.js"
import type * as Polkadot from "../../src/entries/Polkadot.js"
import type * as Zilliqa from "../../src/entries/Zilliqa.js"
import type { Http } from "../../src/http/Http.js"
import {
  getOrThrow,
  type InitConfig,
  init,
  isFailure,
  isSuccess,
  type PollingDelay,
  type PromiseRpcSdk,
  type PromiseSdk,
  type Result,
  type RetryOptions,
  retry
} from "../../src/promise.js"
import { type Credits, quota } from "../../src/quota.js"
import type * as Gateway from "../../src/services/Gateway.js"
import type * as WalletProvider from "../../src/services/WalletProvider.js"
import type {
  EvmSubscriptions,
  Head,
  SolanaSubscriptions,
  SubscriptionError,
  TronSubscriptions,
  XrpSubscriptions
} from "../../src/subscriptions/Subscription.js"
import type { BatchItem, Client } from "../../src/transport/Client.js"
import type { CallError } from "../../src/wire/Transport.js"

type Rpc<N extends Parameters<typeof init>[0]["network"]> = Sdk.Sdk<N>["rpc"]
type Evms = { readonly subscribe: EvmSubscriptions } & EvmAdapters
type PromiseRpc<N extends Parameters<typeof init>[0]["network"]> = PromiseSdk<N>["rpc"]

describe("the network's id decides the client", () => {
  it("on the Effect surface", () => {
    const eth = Sdk.make({ network: "ethereum-mainnet" })
    expectTypeOf(eth).toEqualTypeOf<
      Effect.Effect<Sdk.Sdk<"ethereum-mainnet">, InitError, HttpClient | Scope>
    >()
    expectTypeOf<Rpc<"ethereum-mainnet">>().toEqualTypeOf<Ethereum.EthereumRpc & Evms>()
    expectTypeOf<Rpc<"ethereum-sepolia">>().toEqualTypeOf<Ethereum.EthereumRpc & Evms>()
    expectTypeOf<Rpc<"bsc-mainnet">>().toEqualTypeOf<Evm.EvmRpc & Evms>()
    expectTypeOf<Rpc<"klaytn-mainnet">>().toEqualTypeOf<Klaytn.KlaytnRpc & Evms>()
    expectTypeOf<Rpc<"zksync-mainnet">>().toEqualTypeOf<ZkSync.ZkSyncRpc & Evms>()
    expectTypeOf<Rpc<"tron-mainnet">>().toEqualTypeOf<
      Tron.TronRpc & { readonly subscribe: TronSubscriptions }
    >()
    expectTypeOf<Rpc<"avax-p-mainnet">>().toEqualTypeOf<Avalanche.AvalanchePRpc>()
    expectTypeOf<Rpc<"avax-x-testnet">>().toEqualTypeOf<Avalanche.AvalancheXRpc>()
    expectTypeOf<Rpc<"near-mainnet">>().toEqualTypeOf<Near.NearRpc>()
    expectTypeOf<Rpc<"dot-testnet">>().toEqualTypeOf<Polkadot.PolkadotRpc>()
    expectTypeOf<Rpc<"flow-mainnet">>().toEqualTypeOf<Flow.FlowRpc>()
    expectTypeOf<Rpc<"egld-mainnet">>().toEqualTypeOf<MultiversX.MultiversXRpc>()
    expectTypeOf<Rpc<"zilliqa-testnet">>().toEqualTypeOf<Zilliqa.ZilliqaRpc>()
  })

  it("has subscriptions where the chain has them", () => {
    expectTypeOf<Rpc<"bsc-mainnet">["subscribe"]["newHeads"]>().returns.toEqualTypeOf<
      Stream.Stream<Head, SubscriptionError>
    >()
    expectTypeOf<PromiseRpc<"bsc-mainnet">["subscribe"]["newHeads"]>().returns.toEqualTypeOf<
      AsyncIterable<Result<Head, SubscriptionError>>
    >()
    expectTypeOf<Rpc<"solana-mainnet">["subscribe"]>().toEqualTypeOf<SolanaSubscriptions>()
    expectTypeOf<Rpc<"ripple-mainnet">["subscribe"]>().toEqualTypeOf<XrpSubscriptions>()
    expectTypeOf<Rpc<"tron-mainnet">["subscribe"]>().toEqualTypeOf<TronSubscriptions>()
    expectTypeOf<Rpc<"near-mainnet">>().not.toHaveProperty("subscribe")
    expectTypeOf<PromiseRpc<"near-mainnet">>().not.toHaveProperty("subscribe")
  })

  it("and its options take values of Effect on the surface of that alone", () => {
    type Effects = Rpc<"ethereum-mainnet">
    type Promises = PromiseRpc<"ethereum-mainnet">
    type Options<F extends (...args: never) => unknown, I extends number> = NonNullable<Parameters<F>[I]>
    type Polling<R extends Effects | Promises> = Options<R["subscribe"]["newHeads"], 0>["polling"]
    expectTypeOf<Polling<Effects>>().toEqualTypeOf<number | false | Schedule.Schedule<unknown> | undefined>()
    expectTypeOf<Polling<Promises>>().toEqualTypeOf<number | false | PollingDelay | undefined>()
    type Timeout<R extends Effects | Promises> = Options<R["waitForTransaction"], 1>["timeout"]
    expectTypeOf<Timeout<Effects>>().toEqualTypeOf<DurationInput | undefined>()
    expectTypeOf<Timeout<Promises>>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Parameters<Promises["waitForTransaction"]>[0]>().toEqualTypeOf<
      Parameters<Effects["waitForTransaction"]>[0]
    >()
    expectTypeOf<Options<Promises["waitForTransaction"], 1>["allowFailure"]>().toEqualTypeOf<
      boolean | undefined
    >()
    type Hmac<S extends { readonly notification: object }> = S["notification"] extends {
      readonly enableHmac: (secret: infer Secret) => unknown
    }
      ? Secret
      : never
    expectTypeOf<Hmac<Sdk.Sdk<"ethereum-mainnet">>>().toEqualTypeOf<string | Redacted.Redacted>()
    expectTypeOf<Hmac<PromiseSdk<"ethereum-mainnet">>>().toEqualTypeOf<string>()
    expectTypeOf(retry).parameter(1).toEqualTypeOf<RetryOptions | undefined>()
    expectTypeOf<RetryOptions["timeout"]>().toEqualTypeOf<number | undefined>()
  })

  it("and the receipt of a transaction that has failed is the family's, on both surfaces", () => {
    type Failure<E> = Extract<E, { readonly _tag: "TransactionFailed" }>
    type FailureOf<F> = F extends (...args: never) => Effect.Effect<unknown, infer E>
      ? Failure<E>
      : F extends (...args: never) => Promise<Result<unknown, infer E>>
        ? Failure<E>
        : never
    type Wait<R extends { readonly waitForTransaction: unknown }> = FailureOf<R["waitForTransaction"]>
    expectTypeOf<Wait<Rpc<"bsc-mainnet">>["receipt"]>().toEqualTypeOf<Evm.Receipt>()
    expectTypeOf<Wait<PromiseRpc<"bsc-mainnet">>["receipt"]>().toEqualTypeOf<Evm.Receipt>()
    expectTypeOf<Wait<Rpc<"solana-mainnet">>["receipt"]>().toEqualTypeOf<Solana.SignatureStatus>()
    expectTypeOf<Wait<PromiseRpc<"solana-mainnet">>["receipt"]>().toEqualTypeOf<Solana.SignatureStatus>()
    expectTypeOf<Wait<PromiseRpc<"sui-mainnet">>["receipt"]>().toEqualTypeOf<Sui.TransactionResponse>()
    expectTypeOf<Wait<PromiseRpc<"aptos-mainnet">>["receipt"]>().toEqualTypeOf<Aptos.Transaction>()
    expectTypeOf<Wait<PromiseRpc<"bsc-mainnet">>["data"]>().toEqualTypeOf<string | undefined>()
    // blocks of Bitcoin have no transactions that failed
    expectTypeOf<Wait<PromiseRpc<"bitcoin-mainnet">>>().toBeNever()
  })

  it("on the Promise surface", () => {
    expectTypeOf(init({ network: "ethereum-mainnet" })).toEqualTypeOf<
      Promise<PromiseSdk<"ethereum-mainnet">>
    >()
    expectTypeOf(init({ network: ETHEREUM })).toEqualTypeOf<Promise<PromiseSdk<"ethereum-mainnet">>>()
    expectTypeOf(init({ network: ARBITRUM_ONE }))
      .resolves.toHaveProperty("rpc")
      .not.toHaveProperty("beacon")
    expectTypeOf<PromiseRpc<"klaytn-mainnet">["getBalance"]>()
      .parameter(2)
      .toEqualTypeOf<boolean | undefined>()
  })

  it("with the routes of the beacon chain on Ethereum alone", () => {
    expectTypeOf<Rpc<"ethereum-mainnet">>().toHaveProperty("beacon")
    expectTypeOf<Rpc<"ethereum-mainnet">["beacon"]["v1"]>().toHaveProperty("getGenesis")
    expectTypeOf<PromiseRpc<"ethereum-mainnet">["beacon"]["v1"]>().toHaveProperty("getGenesis")
    expectTypeOf<Rpc<"bsc-mainnet">>().not.toHaveProperty("beacon")
    expectTypeOf<PromiseRpc<"bsc-mainnet">>().not.toHaveProperty("beacon")
  })

  it("with exact integers where a chain's are large, and with numbers where they are not", () => {
    expectTypeOf<Near.Block["header"]["timestamp"]>().toEqualTypeOf<bigint>()
    expectTypeOf<Near.Block["chunks"][number]["shard_id"]>().toEqualTypeOf<number>()
    expectTypeOf<PromiseRpc<"near-mainnet">["block"]>().parameters.toEqualTypeOf<[block?: Near.BlockRef]>()
    expectTypeOf<Rpc<"dot-mainnet">["chainGetHeader"]>().parameters.toEqualTypeOf<[hash?: Polkadot.Hash]>()
    expectTypeOf<Polkadot.DispatchInfo["weight"]["ref_time"]>().toEqualTypeOf<bigint>()
    expectTypeOf<Polkadot.Health["peers"]>().toEqualTypeOf<number>()
    expectTypeOf<MultiversX.VmOutput["gasRemaining"]>().toEqualTypeOf<bigint>()
    expectTypeOf<PromiseRpc<"egld-mainnet">["getAccount"]>()
      .parameter(0)
      .toEqualTypeOf<{ readonly address: string | number | bigint } & MultiversX.AtBlock>()
    // @ts-expect-error an account is missing
    void ((near: Rpc<"near-mainnet">) => near.viewAccount({}))
    // @ts-expect-error a height is no text that means nothing
    void ((flow: Rpc<"flow-mainnet">) => flow.getBlocks({ height: true }))
  })

  it("with Klaytn's last argument, which chooses its own names", () => {
    expectTypeOf<Rpc<"klaytn-mainnet">["getBalance"]>().parameters.toEqualTypeOf<
      [address: Evm.HexInput, block?: Evm.OptionalBlock, native?: boolean]
    >()
    expectTypeOf<Rpc<"ethereum-mainnet">["getBalance"]>().parameters.toEqualTypeOf<
      [address: Evm.HexInput, block?: Evm.OptionalBlock]
    >()
  })

  it("and an unknown id does not compile", () => {
    // @ts-expect-error a typing error in the id
    void init({ network: "ethereum-mainet" })
    // @ts-expect-error a typing error in the id
    void Sdk.make({ network: "ethereum-mainet" })
    // @ts-expect-error a typing error in the id
    void Sdk.Tag("Eth", "ethereum-mainet")
    // @ts-expect-error any string is no id
    void init({ network: String("ethereum-mainnet") })
    // @ts-expect-error the network is missing
    void init({})
    // @ts-expect-error an option that does not exist
    void init({ network: "ethereum-mainnet", apikey: "" })
    // @ts-expect-error a value of Effect
    void init({ network: "ethereum-mainnet", apiKey: Redacted.make("key") })
    // @ts-expect-error a value of Effect
    void Ethereum.init({ network: "ethereum-mainnet", apiKey: { v4: Redacted.make("key") } })
    // @ts-expect-error a value of Effect
    void init({ network: "ethereum-mainnet", rpc: { checks: Schedule.forever } })
    // @ts-expect-error a value of Effect
    void init({ network: "ethereum-mainnet", rpc: { readmission: Schedule.forever } })
    void Sdk.make({
      network: "ethereum-mainnet",
      apiKey: Redacted.make("key"),
      rpc: { checks: Schedule.forever, readmission: Schedule.forever }
    })
  })

  it("tell the credits that they have spent, which may be counted by nobody", () => {
    type Told = Credits | undefined
    expectTypeOf<Sdk.Sdk<"ethereum-mainnet">["credits"]>().toEqualTypeOf<() => Effect.Effect<Told>>()
    expectTypeOf<Sdk.RpcSdk<"ethereum-mainnet">["credits"]>().toEqualTypeOf<() => Effect.Effect<Told>>()
    expectTypeOf<PromiseSdk<"solana-mainnet">["credits"]>().toEqualTypeOf<() => Told>()
    expectTypeOf<PromiseRpcSdk<"solana-mainnet">["credits"]>().toEqualTypeOf<() => Told>()
    expectTypeOf<Credits["spent"]>().toEqualTypeOf<number>()
    expectTypeOf<Credits["routes"][string]["credits"]>().toEqualTypeOf<number | undefined>()
    void quota({ requestsPerSecond: 50, burst: 25, credits: { perSecond: 100, burst: 1_000 } })
    void quota({ credits: { perSecond: 100 } })
    // @ts-expect-error a limit in credits has its own names
    void quota({ credits: { requestsPerSecond: 100 } })
    // @ts-expect-error nodes of one's own cost no credits
    void quota({ nodes: { "https://node.example": { perSecond: 5 } } })
  })

  it("families imported one by one take their own networks", () => {
    expectTypeOf(Ethereum.init({ network: "ethereum-mainnet" })).toEqualTypeOf<
      Promise<PromiseRpcSdk<"ethereum-mainnet", never, {}>>
    >()
    expectTypeOf(EffectEthereum.make({ network: "ethereum-hoodi" })).toEqualTypeOf<
      Effect.Effect<Sdk.RpcSdk<"ethereum-hoodi">, InitError, Http | Scope>
    >()
    void (() => Evm.init({ network: "polygon-mainnet" }))
    const { batch, coalesce, init: initEvm } = Evm
    void (() =>
      initEvm({
        network: "bsc-mainnet",
        layers: { batch, coalesce },
        batch: true
      }))
    void (() =>
      EffectEvm.make({
        network: "bsc-mainnet",
        layers: { batch: EffectEvm.batch },
        batch: { size: 5, window: "1 milli" }
      }))
    // @ts-expect-error a client without the layer has not its options
    void initEvm({ network: "bsc-mainnet", batch: true })
    // @ts-expect-error nor has one with another layer
    void EffectEvm.make({ network: "bsc-mainnet", layers: { batch: EffectEvm.batch }, coalesce: true })
    // @ts-expect-error a layer is what its module exports
    void initEvm({ network: "bsc-mainnet", layers: { batch: true } })
    const calls = async () => {
      const bare = await initEvm({ network: "bsc-mainnet", consistency: "eventual" })
      // @ts-expect-error nor have its calls
      bare.with({ quorum: { nodes: 2, agree: 2 } })
      const agreeing = await initEvm({ network: "bsc-mainnet", layers: { quorum: Evm.quorum } })
      // @ts-expect-error options of a layer come with it alone
      agreeing.with({ batch: true })
      return agreeing
        .with({ quorum: { nodes: 2, agree: 2 }, timeout: 5 })
        .with({ minBlock: 5 })
        .rpc.gasPrice()
    }
    expectTypeOf(calls).returns.resolves.toEqualTypeOf<
      Result<bigint, RpcCallError | NoQuorum | BlockNotReached>
    >()
    void (() => Avalanche.init({ network: "avax-p-mainnet" }))
    void (() => Avalanche.init({ network: "avax-x-testnet" }))
    void (() => Bitcoin.init({ network: "doge-mainnet" }))
    void (() => Algorand.init({ network: "algorand-mainnet-indexer" }))
    // @ts-expect-error Ethereum has a module of its own
    void Evm.init({ network: "ethereum-mainnet" })
    // @ts-expect-error Tron has a module of its own
    void EffectEthereum.make({ network: "tron-mainnet" })
    expectTypeOf<Sdk.NetworkOf<"evm-native">>().toEqualTypeOf<"klaytn-mainnet" | "klaytn-baobab">()
    expectTypeOf<Sdk.NetworkOf<"zksync">>().toEqualTypeOf<
      "zksync-mainnet" | "abstract-mainnet" | "zksync-testnet"
    >()
  })
})

describe("every call says what it can fail with", () => {
  it("an RPC call", () => {
    expectTypeOf<RpcCallError>().toEqualTypeOf<
      | NoActiveNode
      | NodeError
      | RpcError
      | RequestRejected
      | InvalidArgument
      | CallTimeout
      | StateUnavailable
      | QuotaExceeded
      | Aborted
    >()
    expectTypeOf<Rpc<"ethereum-mainnet">["blockNumber"]>().toEqualTypeOf<
      () => Effect.Effect<bigint, RpcCallError>
    >()
    expectTypeOf<Rpc<"tron-mainnet">["blockNumber"]>().returns.toEqualTypeOf<
      Effect.Effect<bigint, RpcCallError>
    >()
  })

  it("a REST call, which knows no RpcError", () => {
    expectTypeOf<RestCallError>().toEqualTypeOf<
      NoActiveNode | NodeError | RequestRejected | InvalidArgument | CallTimeout | QuotaExceeded | Aborted
    >()
    expectTypeOf<Rpc<"ethereum-mainnet">["beacon"]["v1"]["getStateRoot"]>().returns.toEqualTypeOf<
      Effect.Effect<Beacon.Answer<Beacon.Root>, RestCallError>
    >()
  })

  it("the making of a client", () => {
    expectTypeOf<InitError>().toEqualTypeOf<
      InvalidConfig | UnsupportedNetwork | ExtensionNotSupported | LoadError
    >()
    expectTypeOf<Effect.Effect.Error<ReturnType<typeof Sdk.make>>>().toEqualTypeOf<InitError>()
    expectTypeOf<Effect.Effect.Error<ReturnType<typeof EffectEthereum.make>>>().toEqualTypeOf<InitError>()
  })

  it("by tag: what is handled is gone", () => {
    const height = (client: Rpc<"ethereum-mainnet">) => client.blockNumber()
    const handled = (client: Rpc<"ethereum-mainnet">) =>
      height(client).pipe(
        Effect.catchTag("RpcError", (error) => Effect.succeed(BigInt(error.code))),
        Effect.catchTag("CallTimeout", (error) => Effect.succeed(BigInt(error.timeout)))
      )
    expectTypeOf(handled).returns.toEqualTypeOf<
      Effect.Effect<
        bigint,
        | NoActiveNode
        | NodeError
        | RequestRejected
        | InvalidArgument
        | StateUnavailable
        | QuotaExceeded
        | Aborted
      >
    >()
    const wrong = (client: Rpc<"ethereum-mainnet">) =>
      // @ts-expect-error a call cannot fail with an error of the configuration
      Effect.catchTag(height(client), "InvalidConfig", () => Effect.succeed(0n))
    void wrong
  })

  it("on the Promise surface as a Result", () => {
    expectTypeOf<PromiseRpc<"ethereum-mainnet">["getBalance"]>().toEqualTypeOf<
      (address: Evm.HexInput, block?: Evm.OptionalBlock) => Promise<Result<bigint, RpcCallError>>
    >()
    expectTypeOf<PromiseRpc<"ethereum-mainnet">["beacon"]["v1"]["getStateRoot"]>().returns.toEqualTypeOf<
      Promise<Result<Beacon.Answer<Beacon.Root>, RestCallError>>
    >()
  })
})

describe("errors of options", () => {
  type Ends<F extends (...args: never) => unknown> =
    ReturnType<F> extends Effect.Effect<unknown, infer E>
      ? E
      : ReturnType<F> extends Stream.Stream<unknown, infer E>
        ? E
        : Awaited<ReturnType<F>> extends Result<unknown, infer E>
          ? E
          : never
  const quorum = { nodes: 3, agree: 2 }

  it("are in the types of effects that set them, in any order, and in those of no others", () => {
    const height = (client: Rpc<"bsc-mainnet">) => client.blockNumber()
    const of = {
      plain: (client: Rpc<"bsc-mainnet">) =>
        height(client).pipe(CallOptions.with({ timeout: 5, batch: true })),
      quorum: (client: Rpc<"bsc-mainnet">) => height(client).pipe(CallOptions.with({ quorum })),
      first: (client: Rpc<"bsc-mainnet">) => CallOptions.with(height(client), { minBlock: 5n, timeout: 5 }),
      both: (client: Rpc<"bsc-mainnet">) => CallOptions.with(height(client), { minBlock: 5, quorum }),
      any: (client: Rpc<"bsc-mainnet">, options: CallOptions.CallOptionsShape) =>
        height(client).pipe(CallOptions.with(options)),
      nested: (client: Rpc<"bsc-mainnet">) =>
        height(client).pipe(CallOptions.with({ quorum }), CallOptions.with({ minBlock: 5n })),
      stream: (client: Rpc<"bsc-mainnet">) =>
        client.subscribe.newHeads().pipe(CallOptions.withStream({ minBlock: 5n })),
      streamFirst: (client: Rpc<"bsc-mainnet">) =>
        CallOptions.withStream(client.subscribe.newHeads(), { timeout: 5 })
    }
    expectTypeOf<Ends<(typeof of)["plain"]>>().toEqualTypeOf<RpcCallError>()
    expectTypeOf<Ends<(typeof of)["quorum"]>>().toEqualTypeOf<RpcCallError | NoQuorum>()
    expectTypeOf<Ends<(typeof of)["first"]>>().toEqualTypeOf<RpcCallError | BlockNotReached>()
    expectTypeOf<Ends<(typeof of)["both" | "any" | "nested"]>>().toEqualTypeOf<
      RpcCallError | NoQuorum | BlockNotReached
    >()
    expectTypeOf<Ends<(typeof of)["stream"]>>().toEqualTypeOf<SubscriptionError | BlockNotReached>()
    expectTypeOf<Ends<(typeof of)["streamFirst"]>>().toEqualTypeOf<SubscriptionError>()
    const wrong = (client: Rpc<"bsc-mainnet">) => [
      // @ts-expect-error no such option
      height(client).pipe(CallOptions.with({ timeout: 5, minBlok: 5n })),
      // @ts-expect-error what options bring has to be handled, too
      CallOptions.with(height(client), { quorum }) satisfies Effect.Effect<bigint, RpcCallError>
    ]
    void wrong
  })

  it("are in the types of a Promise client's reads, and not in those of its writes", () => {
    const of = (sdk: PromiseSdk<"ethereum-mainnet">) => ({
      plain: sdk.with({ timeout: 5 }),
      quorum: sdk.with({ quorum, signal: AbortSignal.timeout(5) }),
      both: sdk.with({ quorum }).with({ minBlock: 5n })
    })
    type Of = ReturnType<typeof of>
    expectTypeOf<Of["plain"]>().toEqualTypeOf<PromiseSdk<"ethereum-mainnet">>()
    type Both = NoQuorum | BlockNotReached
    expectTypeOf<Ends<Of["quorum"]["rpc"]["getBalance"]>>().toEqualTypeOf<RpcCallError | NoQuorum>()
    expectTypeOf<Of["quorum"]["rpc"]["getBalance"]>().toEqualTypeOf<
      (address: Evm.HexInput, block?: Evm.OptionalBlock) => Promise<Result<bigint, RpcCallError | NoQuorum>>
    >()
    expectTypeOf<Ends<Of["both"]["rpc"]["getBalance"]>>().toEqualTypeOf<RpcCallError | Both>()
    expectTypeOf<Ends<Of["both"]["rpc"]["beacon"]["v1"]["getStateRoot"]>>().toEqualTypeOf<
      RestCallError | Both
    >()
    expectTypeOf<Ends<Of["both"]["rpc"]["sendRawTransaction"]>>().toEqualTypeOf<RpcCallError>()
    expectTypeOf<Ends<Of["both"]["rpc"]["getRpcNodeUrl"]>>().toEqualTypeOf<NoActiveNode>()
    // raw calls may be reads
    expectTypeOf<Ends<Of["both"]["rpc"]["rawBatchRpcCall"]>>().toEqualTypeOf<RpcCallError | Both>()
    const raw = (sdk: Of["both"]) => sdk.rpc.rawRpcCall<string>({ method: "eth_chainId" })
    expectTypeOf(raw).returns.toEqualTypeOf<Promise<Result<string, RpcCallError | Both>>>()
    expectTypeOf<Ends<Of["both"]["address"]["getBalance"]>>().toEqualTypeOf<
      GatewayError | LoadError | RpcCallError | Both
    >()
    expectTypeOf<Ends<Of["both"]["fee"]["getCurrentFee"]>>().toEqualTypeOf<
      Ends<PromiseSdk<"ethereum-mainnet">["fee"]["getCurrentFee"]>
    >()
    expectTypeOf<Of["both"]["rpc"]["subscribe"]["newHeads"]>().returns.toEqualTypeOf<
      AsyncIterable<Result<Head, SubscriptionError | Both>>
    >()
    const lean = (sdk: PromiseRpcSdk<"bsc-mainnet">) => sdk.with({ minBlock: 5n }).rpc.gasPrice()
    expectTypeOf(lean).returns.toEqualTypeOf<Promise<Result<bigint, RpcCallError | BlockNotReached>>>()
    const wrong = (sdk: PromiseSdk<"ethereum-mainnet">) => [
      // @ts-expect-error no such option
      sdk.with({ timeout: 5, minBlok: 5n }),
      // @ts-expect-error a quorum has two numbers
      sdk.with({ quorum: { nodes: 3 } })
    ]
    void wrong
  })

  it("are in the types of clients whose configuration brings them", () => {
    const steady = Sdk.make({ network: "bsc-mainnet", consistency: "monotonic" })
    type Steady = Effect.Effect.Success<typeof steady>
    expectTypeOf<Steady>().toEqualTypeOf<Sdk.Sdk<"bsc-mainnet", BlockNotReached>>()
    expectTypeOf<Ends<Steady["rpc"]["blockNumber"]>>().toEqualTypeOf<RpcCallError | BlockNotReached>()
    expectTypeOf<Ends<Steady["rpc"]["sendRawTransaction"]>>().toEqualTypeOf<RpcCallError>()
    expectTypeOf<Ends<Steady["rpc"]["subscribe"]["newHeads"]>>().toEqualTypeOf<
      SubscriptionError | BlockNotReached
    >()
    expectTypeOf<Ends<Steady["address"]["getBalance"]>>().toEqualTypeOf<
      GatewayError | LoadError | RpcCallError | BlockNotReached
    >()
    const raw = (client: Steady["rpc"]) => client.rawRpcCall<string>({ method: "eth_chainId" })
    expectTypeOf(raw).returns.toEqualTypeOf<Effect.Effect<string, RpcCallError | BlockNotReached>>()
    expectTypeOf(Sdk.make({ network: "bsc-mainnet", consistency: "eventual" })).toEqualTypeOf<
      Effect.Effect<Sdk.Sdk<"bsc-mainnet">, InitError, HttpClient | Scope>
    >()
    expectTypeOf(init({ network: "bsc-mainnet", consistency: "monotonic" })).resolves.toEqualTypeOf<
      PromiseSdk<"bsc-mainnet", BlockNotReached>
    >()
    expectTypeOf(Evm.init({ network: "bsc-mainnet", consistency: "monotonic" })).resolves.toEqualTypeOf<
      PromiseRpcSdk<"bsc-mainnet", BlockNotReached, {}>
    >()
    expectTypeOf(EffectEvm.make({ network: "bsc-mainnet", consistency: "monotonic" })).toEqualTypeOf<
      Effect.Effect<Sdk.RpcSdk<"bsc-mainnet", BlockNotReached>, InitError, Http | Scope>
    >()
    const of = async (config: InitConfig<"bsc-mainnet">) => init(config)
    expectTypeOf(of).returns.resolves.toEqualTypeOf<PromiseSdk<"bsc-mainnet", BlockNotReached>>()
  })

  it("are in the type of a service's class, which says the consistency", () => {
    class Steady extends Sdk.Tag("Steady", "bsc-mainnet")<Steady, "monotonic">() {}
    class Plain extends Sdk.Tag("Plain", "bsc-mainnet")<Plain>() {}
    expectTypeOf<Context.Tag.Service<typeof Steady>>().toEqualTypeOf<
      Sdk.Sdk<"bsc-mainnet", BlockNotReached>
    >()
    void Steady.layer({ consistency: "monotonic" })
    void Sdk.layer(Steady, { network: "bsc-mainnet", consistency: "monotonic" })
    void Sdk.layerTest(Steady, { rpc: { gasPrice: () => Effect.succeed(1n) } })
    void Plain.layer({ consistency: "eventual" })
    // @ts-expect-error its reads do not say that they can fail so
    void Plain.layer({ consistency: "monotonic" })
    // @ts-expect-error the same
    void Sdk.layer(Plain, { network: "bsc-mainnet", consistency: "monotonic" })
  })
})

describe("a Result", () => {
  it("is told apart by its status", () => {
    const read = (result: Result<bigint, RpcCallError>): void => {
      expectTypeOf(result.data).toEqualTypeOf<bigint | null>()
      if (result.status === "SUCCESS") {
        expectTypeOf(result.data).toEqualTypeOf<bigint>()
        expectTypeOf(result.error).toEqualTypeOf<undefined>()
      } else {
        expectTypeOf(result.data).toEqualTypeOf<null>()
        expectTypeOf(result.error.message).toEqualTypeOf<ReadonlyArray<string>>()
        expectTypeOf(result.error.code).toEqualTypeOf<string | undefined>()
        expectTypeOf(result.error.cause).toEqualTypeOf<RpcCallError | Aborted | Unexpected>()
        if (result.error.cause._tag === "RpcError") {
          expectTypeOf(result.error.cause.code).toEqualTypeOf<number>()
        }
      }
    }
    void read
  })

  it("is told apart by its guards", () => {
    const read = (result: Result<bigint, RpcCallError>): void => {
      if (isSuccess(result)) expectTypeOf(result.data).toEqualTypeOf<bigint>()
      if (isFailure(result)) {
        expectTypeOf(result.error.cause).toEqualTypeOf<RpcCallError | Aborted | Unexpected>()
      }
    }
    void read
  })

  it("of several calls is told apart by them too", () => {
    const read = (result: Result<bigint, RpcCallError> | Result<string, NoQuorum>): void => {
      if (isSuccess(result)) expectTypeOf(result.data).toEqualTypeOf<bigint | string>()
      else expectTypeOf(result.error.cause).toEqualTypeOf<RpcCallError | NoQuorum | Aborted | Unexpected>()
      if (isFailure(result)) expectTypeOf(result.data).toEqualTypeOf<null>()
      expectTypeOf(getOrThrow(result)).toEqualTypeOf<bigint | string>()
    }
    const readAll = (results: ReadonlyArray<Result<bigint, RpcCallError>>): void => {
      expectTypeOf(results.filter(isSuccess).map(({ data }) => data)).toEqualTypeOf<Array<bigint>>()
    }
    const readLater = (call: Promise<Result<bigint, RpcCallError>>): void => {
      expectTypeOf(call.then(getOrThrow)).toEqualTypeOf<Promise<bigint>>()
    }
    void [read, readAll, readLater]
  })
})

describe("the raw calls", () => {
  it("have the result that the caller says", () => {
    const effect = (client: Rpc<"avax-p-mainnet">) =>
      client.rawRpcCall<{ readonly height: string }>({ method: "platform.getHeight" })
    expectTypeOf(effect).returns.toEqualTypeOf<Effect.Effect<{ readonly height: string }, RpcCallError>>()
    const promise = (client: PromiseRpc<"avax-p-mainnet">) =>
      client.rawRpcCall<{ readonly height: string }>({ method: "platform.getHeight" })
    expectTypeOf(promise).returns.toEqualTypeOf<Promise<Result<{ readonly height: string }, RpcCallError>>>()
  })

  it("are unknown unless the caller says", () => {
    const effect = (client: Rpc<"ethereum-mainnet">) => client.rawRpcCall({ method: "eth_blockNumber" })
    expectTypeOf(effect).returns.toEqualTypeOf<Effect.Effect<unknown, RpcCallError>>()
    const promise = (client: PromiseRpc<"ethereum-mainnet">) =>
      client.rawRpcCall({ method: "eth_blockNumber" })
    expectTypeOf(promise).returns.toEqualTypeOf<Promise<Result<unknown, RpcCallError>>>()
  })

  it("in a batch have an outcome each", () => {
    expectTypeOf<Rpc<"ethereum-mainnet">["rawBatchRpcCall"]>().returns.toEqualTypeOf<
      Effect.Effect<ReadonlyArray<BatchItem>, RpcCallError>
    >()
    expectTypeOf<PromiseRpc<"ethereum-mainnet">["rawBatchRpcCall"]>().returns.toEqualTypeOf<
      Promise<Result<ReadonlyArray<Result<unknown, CallError>>, RpcCallError>>
    >()
  })

  it("need a method", () => {
    // @ts-expect-error there is no method
    const wrong = (client: Rpc<"ethereum-mainnet">) => client.rawRpcCall({ params: [] })
    void wrong
  })
})

describe("the declaration language", () => {
  interface Account {
    readonly address: string
  }
  const endpoints = {
    account: get("/v2/accounts/{address}").query<{ readonly exclude?: "all" | "none" }>().returns<Account>(),
    assets: get("/v2/assets").query<{ readonly limit?: number }>().returns<ReadonlyArray<Account>>(),
    search: get("/v2/search").query<{ readonly text: string }>().returns<ReadonlyArray<Account>>(),
    health: get("/health").noContent(),
    metrics: get("/metrics").text(),
    simulate: post("/v2/{kind}/simulate{?format}")
      .query<{ readonly format?: "json" }>()
      .body<{ readonly txns: ReadonlyArray<string> }>()
      .returns<Account>(),
    submit: post("/v2/transactions").body<{ readonly raw: string }>().broadcast(),
    store: put("/v2/keys/{id}").write().returns<Account>(),
    remove: del("/v2/keys/{id}").write(),
    balance: rpc<[address: string, block?: string], bigint>("getBalance"),
    send: rpc<[raw: string], string>("send").broadcast(),
    unlock: rpc<[password: string], boolean>("unlock").write(),
    nested: { deep: { height: rpc<[], bigint>("height") } }
  }
  type Api = Client<typeof endpoints>
  type RepeatOf<E> = E extends Endpoint<infer _F, infer R> ? R : never

  it("infers the names of a template, and requires them", () => {
    expectTypeOf<Parameters<Api["account"]>[0]["address"]>().toEqualTypeOf<string | number | bigint>()
    expectTypeOf<Api["account"]>().toBeCallableWith({ address: "a" })
    expectTypeOf<Api["account"]>().toBeCallableWith({ address: 1n, exclude: "all" })
    const wrong = (api: Api) => {
      // @ts-expect-error the address is missing
      void api.account({ exclude: "all" })
      // @ts-expect-error the input is missing
      void api.account()
      // @ts-expect-error no such name
      void api.account({ address: "a", adress: "a" })
      // @ts-expect-error no such value
      void api.account({ address: "a", exclude: "some" })
    }
    void wrong
  })

  it("keeps the names of the query apart from those of the path", () => {
    expectTypeOf<Api["simulate"]>().toBeCallableWith({ kind: "app", txns: [] })
    expectTypeOf<Api["simulate"]>().toBeCallableWith({ kind: "app", txns: [], format: "json" })
    const wrong = (api: Api) => {
      // @ts-expect-error the body's field is missing
      void api.simulate({ kind: "app" })
    }
    void wrong
  })

  it("lets inputs away that have nothing required", () => {
    expectTypeOf<Api["assets"]>().toBeCallableWith()
    expectTypeOf<Api["assets"]>().toBeCallableWith({ limit: 3 })
    expectTypeOf<Api["health"]>().toBeCallableWith()
    expectTypeOf<Api["search"]>().parameters.toEqualTypeOf<[input: { readonly text: string }]>()
    expectTypeOf<Api["balance"]>().toBeCallableWith("a")
    expectTypeOf<Api["balance"]>().toBeCallableWith("a", "latest")
  })

  it("has the type of every answer", () => {
    expectTypeOf<Api["account"]>().returns.toEqualTypeOf<Effect.Effect<Account, RestCallError>>()
    expectTypeOf<Api["health"]>().returns.toEqualTypeOf<Effect.Effect<void, RestCallError>>()
    expectTypeOf<Api["metrics"]>().returns.toEqualTypeOf<Effect.Effect<string, RestCallError>>()
    expectTypeOf<Api["remove"]>().returns.toEqualTypeOf<Effect.Effect<unknown, RestCallError>>()
    expectTypeOf<Api["nested"]["deep"]["height"]>().toEqualTypeOf<() => Effect.Effect<bigint, RpcCallError>>()
  })

  it("shows what repeating a call does", () => {
    expectTypeOf<RepeatOf<(typeof endpoints)["account"]>>().toEqualTypeOf<"read">()
    expectTypeOf<RepeatOf<(typeof endpoints)["store"]>>().toEqualTypeOf<"write">()
    expectTypeOf<RepeatOf<(typeof endpoints)["submit"]>>().toEqualTypeOf<"broadcast">()
    expectTypeOf<RepeatOf<(typeof endpoints)["balance"]>>().toEqualTypeOf<"read">()
    expectTypeOf<RepeatOf<(typeof endpoints)["unlock"]>>().toEqualTypeOf<"write">()
    expectTypeOf<RepeatOf<(typeof endpoints)["send"]>>().toEqualTypeOf<"broadcast">()
    expectTypeOf<RepeatOf<(typeof Evm.endpoints)["sendRawTransaction"]>>().toEqualTypeOf<"broadcast">()
    expectTypeOf<RepeatOf<(typeof Evm.endpoints)["getBalance"]>>().toEqualTypeOf<"read">()
    expectTypeOf<RepeatOf<(typeof Klaytn.endpoints)["sendRawTransaction"]>>().toEqualTypeOf<"broadcast">()
    expectTypeOf<Repeat>().toEqualTypeOf<"read" | "write" | "broadcast">()
  })

  it("refuses wrong arguments of a method", () => {
    const wrong = (client: Rpc<"ethereum-mainnet">) => {
      // @ts-expect-error the address is missing
      void client.getBalance()
      // @ts-expect-error an address is text
      void client.getBalance(1)
      // @ts-expect-error Klaytn's third argument
      void client.getBalance("0x0", "latest", true)
      // @ts-expect-error no such method
      void client.getBallance("0x0")
    }
    void wrong
  })
})

describe("the class of a service", () => {
  class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}
  class Bsc extends Sdk.Tag("Bsc", "bsc-mainnet")<Bsc>() {}

  it("is a tag of its own, with the client of its network", () => {
    expectTypeOf<Context.Tag.Service<typeof Eth>>().toEqualTypeOf<Sdk.Sdk<"ethereum-mainnet">>()
    expectTypeOf<Context.Tag.Service<typeof Bsc>>().toEqualTypeOf<Sdk.Sdk<"bsc-mainnet">>()
    expectTypeOf(Eth.key).toEqualTypeOf<"effect-chains/Sdk/ethereum-mainnet/Eth">()
    expectTypeOf<Context.Tag.Identifier<typeof Eth>>().toEqualTypeOf<Eth>()
  })

  it("has layers that say what they need and fail with", () => {
    expectTypeOf(Eth.layer()).toEqualTypeOf<Layer.Layer<Eth, InitError, HttpClient>>()
    expectTypeOf(Eth.layerHttp()).toEqualTypeOf<Layer.Layer<Eth, InitError, Http>>()
    type FromConfig = Layer.Layer<Eth, InitError | ConfigError, HttpClient>
    expectTypeOf(Eth.layerEnv({ prefix: "ETH" })).toEqualTypeOf<FromConfig>()
    expectTypeOf(
      Eth.layerConfig({ apiKey: Config.redacted("KEY"), timeout: Config.integer("TIMEOUT") })
    ).toEqualTypeOf<FromConfig>()
    expectTypeOf(Eth.layerWithoutDependencies).toEqualTypeOf<
      Layer.Layer<
        Eth,
        InitError,
        | Settings
        | Logger
        | Http
        | NodePool.NodePool
        | Transport.Transport
        | Gateway.Gateway
        | WalletProvider.WalletProvider
      >
    >()
  })

  it("lives beside others in one program", () => {
    const program = Effect.gen(function* () {
      const eth = yield* Eth
      const bsc = yield* Bsc
      return [yield* eth.rpc.beacon.v1.getGenesis(), yield* bsc.rpc.blockNumber()] as const
    })
    expectTypeOf<Effect.Effect.Context<typeof program>>().toEqualTypeOf<Eth | Bsc>()
    expectTypeOf<Effect.Effect.Error<typeof program>>().toEqualTypeOf<RestCallError | RpcCallError>()
    // @ts-expect-error the network is that of the class
    void Eth.layer({ network: "bsc-mainnet" })
  })
})
