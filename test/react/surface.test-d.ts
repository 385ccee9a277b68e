/** Types of the hooks that users rely on: the compiler checks this file with the rest of the project, nothing runs it. */
import type { Result, Rx } from "@effect-rx/rx-react"
import { describe, expectTypeOf, it } from "vitest"
import {
  useCandles,
  useData,
  useDataPages,
  useSuspenseData,
  useSuspenseTemplates,
  useTemplates,
  useTrendingTokens
} from "../../react/data.js"
import {
  type DefaultConsistency,
  type Failure,
  type ProviderConfig,
  type Reactive,
  reactive,
  useBalance,
  useBlockNumber,
  useFee,
  useInvalidate,
  useNodePool,
  usePrefetch,
  useRate,
  useRead,
  useRpc,
  useSdk,
  useSetData,
  useSubscriptions,
  useSuspenseBalance,
  useSuspenseBlockNumber,
  useSuspenseFee,
  useSuspenseNodePool,
  useSuspenseRate,
  useSuspenseRead,
  useSuspenseRpc,
  useSuspenseSubscriptions,
  useSuspenseTokenBalances,
  useSuspenseTransactions,
  useTokenBalances,
  useTransactions,
  useWrite
} from "../../react/index.js"
import { read, useReads, useSuspenseReads } from "../../react/reads.js"
import type { Sdk } from "../../src/client/Sdk.js"
import type { Result as Outcome } from "../../src/data/CallResult.js"
import type { Credits } from "../../src/data/credits.js"
import type {
  Aborted,
  BlockNotReached,
  InitError,
  NoQuorum,
  RpcCallError,
  Unexpected
} from "../../src/data/SdkError.js"
import type {
  AddressBalance,
  AddressTransaction,
  BalanceError,
  HistoryError
} from "../../src/services/Address.js"
import type { Candle, DataError, ExchangeRate, RankedToken } from "../../src/services/DataApi.js"
import type { FeeError, FeeRate, GasFee } from "../../src/services/Fee.js"
import type { NotificationError, StoredTemplate } from "../../src/services/Notification.js"
import type { SubscriptionError } from "../../src/subscriptions/Subscription.js"

type Failures<E> = E | InitError | Unexpected

const ethereum = { network: "ethereum-mainnet" } as const
const bitcoin = { network: "bitcoin-mainnet" } as const
const solana = { network: "solana-mainnet" } as const

describe("hooks that read", () => {
  it("have the answer and the errors of the method", () => {
    const { data, error } = useRpc("getBalance", ["0x0"], ethereum)
    expectTypeOf(data).toEqualTypeOf<bigint | undefined>()
    expectTypeOf(error).toEqualTypeOf<Failures<RpcCallError> | undefined>()
    const reading = useRpc("getBalance", ["0x0", 5n], ethereum)
    if (reading.status === "success") expectTypeOf(reading.data).toEqualTypeOf<bigint>()
    if (reading.status === "error") {
      expectTypeOf(reading.error).toEqualTypeOf<Failures<RpcCallError>>()
      expectTypeOf(reading.data).toEqualTypeOf<bigint | undefined>()
    }
    if (reading.status === "loading") expectTypeOf(reading.data).toEqualTypeOf<undefined>()
    expectTypeOf(useRpc("getBlockCount", [], bitcoin).data).toEqualTypeOf<number | undefined>()
    expectTypeOf(useSuspenseRpc("getBalance", ["0x0"], ethereum).data).toEqualTypeOf<bigint>()
  })

  it("have the answer for certain where they wait for it", () => {
    const address = "0x0"
    const balance = useBalance({ address }, ethereum).data
    expectTypeOf(useSuspenseBalance({ address }, ethereum).data).toEqualTypeOf<NonNullable<typeof balance>>()
    const fee = useFee(ethereum).data
    expectTypeOf(useSuspenseFee(ethereum).data).toEqualTypeOf<NonNullable<typeof fee>>()
    expectTypeOf(useSuspenseBlockNumber(ethereum).data).toEqualTypeOf<bigint>()
    expectTypeOf(useNodePool(ethereum).credits).toEqualTypeOf<Credits | undefined>()
    const pool = useNodePool(ethereum).data
    expectTypeOf(useSuspenseNodePool(ethereum).data).toEqualTypeOf<NonNullable<typeof pool>>()
    const tokens = useTokenBalances({ address }, ethereum).data
    expectTypeOf(useSuspenseTokenBalances({ address }, ethereum).data).toEqualTypeOf<
      NonNullable<typeof tokens>
    >()
    const rate = useRate({ currency: "ETH", basePair: "EUR" }, ethereum).data
    expectTypeOf(useSuspenseRate({ currency: "ETH", basePair: "EUR" }, ethereum).data).toEqualTypeOf<
      NonNullable<typeof rate>
    >()
    const subscriptions = useSubscriptions(ethereum)
    expectTypeOf(useSuspenseSubscriptions(ethereum).data).toEqualTypeOf<
      NonNullable<typeof subscriptions.data>
    >()
    expectTypeOf(useSuspenseTransactions({ address }, ethereum).data).toEqualTypeOf<
      ReadonlyArray<AddressTransaction>
    >()
    expectTypeOf(
      useSuspenseRead("address.getBalance", [{ addresses: [address] }], ethereum).data
    ).toEqualTypeOf<NonNullable<typeof balance>>()
    expectTypeOf(rate).not.toBeAny()
    expectTypeOf(subscriptions.data).not.toBeAny()
    expectTypeOf(tokens).not.toBeAny()
    expectTypeOf(pool).not.toBeAny()
    // @ts-expect-error a component that waits is always enabled
    useSuspenseBalance({ address }, { ...ethereum, enabled: false })
  })

  it("have what is selected", () => {
    const { data, result } = useRpc("getBalance", ["0x0"], { ...ethereum, select: (wei) => wei > 0n })
    expectTypeOf(data).toEqualTypeOf<boolean | undefined>()
    expectTypeOf(result).toEqualTypeOf<Result.Result<boolean, Failures<RpcCallError>>>()
  })

  it("know the methods of the network, and take no writes", () => {
    // @ts-expect-error Solana has other methods
    useRpc("chainId", [], solana)
    // @ts-expect-error it writes
    useRpc("sendRawTransaction", ["0x"], ethereum)
    // @ts-expect-error an address is a text
    useRpc("getBalance", [5], ethereum)
    useRead("rpc.beacon.v1.getGenesis", [], ethereum)
    // @ts-expect-error Bitcoin has no tokens
    useRead("token.getBalance", [{ address: "b" }], bitcoin)
  })

  it("with a name are those of their methods", () => {
    const balance = useBalance({ address: "0x0" }, ethereum)
    expectTypeOf(balance.data).toEqualTypeOf<ReadonlyArray<AddressBalance> | undefined>()
    expectTypeOf(balance.error).toEqualTypeOf<Failures<BalanceError<"ethereum-mainnet">> | undefined>()
    expectTypeOf(useFee(ethereum).data).toEqualTypeOf<GasFee<"ethereum-mainnet"> | undefined>()
    expectTypeOf(useFee(bitcoin).data).toEqualTypeOf<FeeRate<"bitcoin-mainnet"> | undefined>()
    expectTypeOf(useFee(ethereum).error).toEqualTypeOf<Failures<FeeError<"ethereum-mainnet">> | undefined>()
    expectTypeOf(useBlockNumber({ ...solana, watch: true }).data).toEqualTypeOf<bigint | undefined>()
    expectTypeOf(useBlockNumber(solana).error).toEqualTypeOf<Failures<SubscriptionError> | undefined>()
    const list = useTransactions({ address: "0x0" }, ethereum)
    expectTypeOf(list.data).toEqualTypeOf<ReadonlyArray<AddressTransaction> | undefined>()
    expectTypeOf(list.error).toEqualTypeOf<Failures<HistoryError<"ethereum-mainnet">> | undefined>()
    expectTypeOf(list.loadMore).toEqualTypeOf<() => void>()
    expectTypeOf(useSdk(solana)).toEqualTypeOf<Sdk<"solana-mainnet"> | undefined>()
  })

  it("of the data API have the answers and the errors of its methods", () => {
    const rate = useData("rates.getBySymbol", [{ symbol: "ETH" }], ethereum)
    expectTypeOf(rate.data).toEqualTypeOf<ExchangeRate | undefined>()
    expectTypeOf(rate.error).toEqualTypeOf<Failures<DataError> | undefined>()
    expectTypeOf(
      useSuspenseData("rates.getBySymbol", [{ symbol: "ETH" }], { ...ethereum, select: ({ value }) => value })
        .data
    ).toEqualTypeOf<ExchangeRate["value"]>()
    const list = useDataPages("tokens.streamNewest", [{ chain: "base-mainnet" }], ethereum)
    expectTypeOf(list.data).toEqualTypeOf<ReadonlyArray<RankedToken> | undefined>()
    expectTypeOf(list.loadMore).toEqualTypeOf<() => void>()
    expectTypeOf(useTrendingTokens({ chain: "base-mainnet" }, solana).data).toEqualTypeOf<
      ReadonlyArray<RankedToken> | undefined
    >()
    expectTypeOf(useCandles({ symbol: "ETH", numberOfCandles: 3 }, bitcoin).data).toEqualTypeOf<
      ReadonlyArray<Candle> | undefined
    >()
    // @ts-expect-error a parameter is missing
    useData("rates.getBySymbol", [{}], ethereum)
    // @ts-expect-error it comes page by page
    useData("tokens.streamNewest", [{ chain: "base-mainnet" }], ethereum)
    // @ts-expect-error it answers once
    useDataPages("tokens.getNewest", [{ chain: "base-mainnet" }], ethereum)
    // @ts-expect-error it writes
    useData("createFungibleToken", [{}], ethereum)
    expectTypeOf(useTemplates(ethereum).data).toEqualTypeOf<ReadonlyArray<StoredTemplate> | undefined>()
    expectTypeOf(useSuspenseTemplates(ethereum).data).toEqualTypeOf<ReadonlyArray<StoredTemplate>>()
    expectTypeOf(useTemplates(ethereum).create).returns.resolves.toEqualTypeOf<
      Outcome<StoredTemplate, Failures<NotificationError>>
    >()
  })

  it("take placeholders of their answers, and say whether they show one", () => {
    const reading = useRpc("getBalance", ["0x0"], {
      ...ethereum,
      placeholderData: (before) => {
        expectTypeOf(before).toEqualTypeOf<bigint | undefined>()
        return before
      }
    })
    expectTypeOf(reading.isPlaceholderData).toEqualTypeOf<boolean>()
    useRpc("getBalance", ["0x0"], {
      ...ethereum,
      placeholderData: "previous",
      staleTime: "1 minute",
      gcTime: 0
    })
    // @ts-expect-error a balance is a bigint
    useRpc("getBalance", ["0x0"], { ...ethereum, placeholderData: 5 })
    // @ts-expect-error what waits for its answer needs none in its place
    useSuspenseRpc("getBalance", ["0x0"], { ...ethereum, placeholderData: 5n })
  })

  it("are steered by paths of reads, with their arguments and answers", () => {
    const invalidate = useInvalidate(ethereum)
    expectTypeOf(invalidate("rpc.getBalance", ["0x0"])).toEqualTypeOf<Promise<void>>()
    void invalidate(
      ({ args, network, path }) => path === "rpc.getBalance" && args.length > 0 && network !== "tron-mainnet"
    )
    // @ts-expect-error it writes
    void invalidate("rpc.sendRawTransaction")
    const prefetch = usePrefetch(ethereum)
    // @ts-expect-error an address is a text
    void prefetch("rpc.getBalance", [5])
    const setData = useSetData(ethereum)
    expectTypeOf(setData("rpc.getBalance", ["0x0"], (wei = 0n) => wei - 1n)).toEqualTypeOf<() => void>()
    // @ts-expect-error a balance is a bigint
    setData("rpc.getBalance", ["0x0"], 5)
    useWrite("rpc.sendRawTransaction", {
      ...ethereum,
      onMutate: (signed) => {
        expectTypeOf(signed).toEqualTypeOf<string | Uint8Array>()
        return undefined
      },
      invalidates: ["rpc.getBalance", ({ path }) => path.startsWith("address.")]
    })
  })

  it("fail with a block that was not reached only where the application's declaration says so", () => {
    expectTypeOf<
      Extract<Failure<"ethereum-mainnet", "rpc.getBalance">, BlockNotReached | NoQuorum>
    >().toBeNever()
    expectTypeOf<DefaultConsistency>().toEqualTypeOf<"eventual">()
    const config: ProviderConfig<"ethereum-mainnet"> = {
      network: "ethereum-mainnet",
      // @ts-expect-error Register does not say so
      consistency: "monotonic"
    }
    void config
  })

  it("and the Rx surface takes a client whose configuration brings errors", () => {
    const rx = (sdk: Sdk<"bsc-mainnet", BlockNotReached>) => reactive(sdk).rpc.getBalance("0x0")
    expectTypeOf(rx).returns.toEqualTypeOf<Rx.Rx<Result.Result<bigint, RpcCallError | BlockNotReached>>>()
  })

  it("know every service where no network is named", () => {
    expectTypeOf(useBalance({ address: "0x0" }).data).toEqualTypeOf<
      ReadonlyArray<AddressBalance> | undefined
    >()
    // @ts-expect-error not every network has it
    useRpc("getBalance", ["0x0"])
  })
})

describe("hooks that write", () => {
  it("have one outcome per call", () => {
    const { data, error, run } = useWrite("rpc.sendRawTransaction", ethereum)
    expectTypeOf(run).parameters.toEqualTypeOf<[signedTransaction: string | Uint8Array]>()
    type Run = Outcome<NonNullable<typeof data>, Failures<RpcCallError>>
    expectTypeOf(run).returns.resolves.toEqualTypeOf<Run>()
    expectTypeOf(error).toEqualTypeOf<Failures<RpcCallError> | undefined>()
    expectTypeOf<
      Extract<Awaited<ReturnType<typeof run>>, { readonly status: "ERROR" }>["error"]["cause"]
    >().toEqualTypeOf<Failures<RpcCallError> | Aborted>()
    // @ts-expect-error it reads
    useWrite("rpc.getBalance", ethereum)
  })
})

describe("the Rx surface", () => {
  it("has the kinds of the declaration", () => {
    type Surface = Reactive<"ethereum-mainnet">
    expectTypeOf<ReturnType<Surface["rpc"]["getBalance"]>>().toEqualTypeOf<
      Rx.Rx<Result.Result<bigint, RpcCallError>>
    >()
    expectTypeOf<ReturnType<Surface["rpc"]["subscribe"]["newPendingTransactions"]>>().toEqualTypeOf<
      Rx.Rx<Result.Result<`0x${string}`, SubscriptionError>>
    >()
    expectTypeOf<ReturnType<Surface["address"]["streamTransactions"]>>().toEqualTypeOf<
      Rx.Writable<Rx.PullResult<AddressTransaction, HistoryError<"ethereum-mainnet">>, void>
    >()
    expectTypeOf<Surface["rpc"]["sendRawTransaction"]>().toExtend<
      Rx.Writable<Result.Result<unknown, RpcCallError>, [signedTransaction: string] | Rx.Reset>
    >()
    expectTypeOf<Surface["notification"]["unsubscribe"]>().toExtend<
      Rx.Writable<Result.Result<void, unknown>, [id: string] | Rx.Reset>
    >()
    expectTypeOf<ReturnType<Surface["wallet"]["chainChanged"]>>().toExtend<
      Rx.Rx<Result.Result<bigint, unknown>>
    >()
  })
})

describe("many reads", () => {
  const network = "ethereum-mainnet"
  it("have the types of their reads, each for itself or as a list", () => {
    const [wei, height, text] = useReads([
      read("rpc.getBalance", ["0x0"], { network }),
      read("rpc.blockNumber", [], { network }),
      read("rpc.getBalance", ["0x0"], { network, select: (wei) => `${wei}` })
    ])
    expectTypeOf(wei.data).toEqualTypeOf<bigint | undefined>()
    expectTypeOf(height.data).toEqualTypeOf<bigint | undefined>()
    expectTypeOf(text.data).toEqualTypeOf<string | undefined>()
    expectTypeOf(wei.error).toEqualTypeOf<RpcCallError | InitError | Unexpected | undefined>()
    const list = useSuspenseReads(["0x0"].map((address) => read("rpc.getBalance", [address], { network })))
    expectTypeOf(list[0]?.data).toEqualTypeOf<bigint | undefined>()
    expectTypeOf(list).items.toHaveProperty("data").toEqualTypeOf<bigint>()
    // @ts-expect-error: a read of no network
    read("rpc.getBalances", ["0x0"], { network })
    // @ts-expect-error: an address is text
    read("rpc.getBalance", [7], { network })
    // @ts-expect-error: no answer was there before
    read("rpc.getBalance", ["0x0"], { network, placeholderData: "previous" })
  })
})
