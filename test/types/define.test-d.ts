/** Types of networks of the application's own. */
import type * as Effect from "effect/Effect"
import { describe, expectTypeOf, it } from "vitest"
import type * as Sdk from "../../src/client/Sdk.js"
import type { IsServed, ServiceName } from "../../src/data/Coverage.js"
import type { FamilyOf } from "../../src/data/Network.js"
import { defineNetwork, fromCosmosRegistry, fromViemChain } from "../../src/define.js"
import type { PromiseSdk } from "../../src/promise.js"
import type { CurrentFee, FeeError } from "../../src/services/Fee.js"

const currency = { symbol: "TST", decimals: 18 } as const
const evm = defineNetwork({ id: "types-evm", family: "evm", chainId: 990_501, currency })
const op = defineNetwork({ id: "types-op", family: "evm", chainId: 990_502, currency, rollup: "op" })
const hub = defineNetwork({
  id: "types-hub",
  family: "cosmos",
  currency,
  cosmos: { chainId: "hub-1", bech32Prefix: "hub", denom: "uhub" }
})

describe("a definition", () => {
  it("has its id, family, chain id and stack in its type", () => {
    expectTypeOf(evm.id).toEqualTypeOf<"types-evm">()
    expectTypeOf(evm.family).toEqualTypeOf<"evm">()
    expectTypeOf(evm.chainId).toEqualTypeOf<990501>()
    expectTypeOf(op.rollup).toEqualTypeOf<"op">()
    expectTypeOf(hub.chainId).toEqualTypeOf<undefined>()
    expectTypeOf<FamilyOf<typeof hub>>().toEqualTypeOf<"cosmos">()
  })

  it("has the services whose needs its row meets, as rows of the table", () => {
    type NeedsMore = "address" | "contract" | "fee" | "nft" | "notification" | "token"
    type NeedsNothing = "data" | "explorer" | "ipfs" | "provider" | "rates"
    expectTypeOf<NeedsNothing | "wallet">().toExtend<ServiceName<typeof evm>>()
    expectTypeOf<Extract<ServiceName<typeof evm>, NeedsMore>>().toEqualTypeOf<never>()
    expectTypeOf<NeedsNothing>().toExtend<ServiceName<typeof hub>>()
    expectTypeOf<Extract<ServiceName<typeof hub>, NeedsMore | "wallet">>().toEqualTypeOf<never>()
  })

  it("has the services that it says the provider has for it", () => {
    const provided = defineNetwork({
      id: "types-provided",
      family: "evm",
      chainId: 990_504,
      currency,
      slug: "their-chain",
      services: { data: ["portfolio"], fee: true, notification: "TST" }
    })
    type Provided = typeof provided
    expectTypeOf<ServiceName<Provided>>().toEqualTypeOf<
      ServiceName<typeof evm> | "address" | "fee" | "nft" | "notification" | "token"
    >()
    expectTypeOf<IsServed<Provided, "portfolio">>().toEqualTypeOf<true>()
    expectTypeOf<IsServed<Provided, "history">>().toEqualTypeOf<false>()
    expectTypeOf<IsServed<typeof evm, "portfolio">>().toEqualTypeOf<false>()
    expectTypeOf<CurrentFee<Provided>["chain"]>().toEqualTypeOf<"types-provided">()
    expectTypeOf<FeeError<Provided>>().toEqualTypeOf<FeeError<"ethereum-mainnet">>()
    expectTypeOf<PromiseSdk<Provided>>().toHaveProperty("notification")
  })

  it("types the clients of both surfaces", () => {
    type OnEffect = Sdk.Sdk<typeof evm>
    expectTypeOf<OnEffect["network"]>().toEqualTypeOf<"types-evm">()
    expectTypeOf<OnEffect["rpc"]["getBalance"]>().toEqualTypeOf<
      Sdk.Sdk<"polygon-mainnet">["rpc"]["getBalance"]
    >()
    expectTypeOf<OnEffect>().not.toHaveProperty("address")
    expectTypeOf<OnEffect>().not.toHaveProperty("notification")
    type OnPromises = PromiseSdk<typeof op>
    expectTypeOf<OnPromises["network"]>().toEqualTypeOf<"types-op">()
    // receipts have the fields of the stack
    expectTypeOf<OnPromises["rpc"]["getTransactionReceipt"]>().toEqualTypeOf<
      PromiseSdk<"base-mainnet">["rpc"]["getTransactionReceipt"]
    >()
    expectTypeOf<OnPromises>().not.toHaveProperty("address")
    expectTypeOf<PromiseSdk<typeof hub>["rpc"]>().not.toHaveProperty("subscribe")
  })

  it("is refused by the compiler without what its family needs", () => {
    // @ts-expect-error: an EVM chain has a chain id
    void (() => defineNetwork({ id: "a", family: "evm", currency }))
    // @ts-expect-error: a chain of Cosmos has its parameters
    void (() => defineNetwork({ id: "a", family: "cosmos", currency }))
    // @ts-expect-error: there is no such family
    void (() => defineNetwork({ id: "a", family: "evmm", chainId: 5, currency }))
  })
})

describe("builders", () => {
  it("keep the ids of what they are given", () => {
    const chain = {
      id: 990_503,
      name: "A",
      nativeCurrency: { name: "A", symbol: "A", decimals: 18 },
      rpcUrls: { default: { http: ["https://a.example"] } }
    } as const
    const made = () => fromViemChain(chain, { id: "types-viem" })
    expectTypeOf(made).returns.toHaveProperty("chainId").toEqualTypeOf<990503>()
    expectTypeOf(made).returns.toHaveProperty("id").toEqualTypeOf<"types-viem">()
    expectTypeOf(fromCosmosRegistry).returns.toHaveProperty("family").toEqualTypeOf<"cosmos">()
    expectTypeOf<Sdk.Sdk<ReturnType<typeof made>>["rpc"]["chainId"]>().returns.toExtend<
      Effect.Effect<bigint, unknown>
    >()
  })
})
