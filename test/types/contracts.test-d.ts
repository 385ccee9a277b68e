import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { expectTypeOf, it } from "vitest"
import type { Hex } from "../../src/chains/Evm.js"
import * as Sdk from "../../src/client/Sdk.js"
import * as Effects from "../../src/contracts/index.js"
import * as Promises from "../../src/contracts.js"
import { init as initEthereum } from "../../src/entries/Ethereum.js"
import { signer } from "../../src/entries/signers/Evm.js"
import { signer as tronSigner } from "../../src/entries/signers/Tron.js"
import { init as initTron } from "../../src/entries/Tron.js"
import type { Result } from "../../src/promise.js"
import { init } from "../../src/promise.js"
import type { SubscriptionError } from "../../src/subscriptions/Subscription.js"

const abi = [
  {
    type: "function",
    name: "balanceOf",
    stateMutability: "view",
    inputs: [{ name: "owner", type: "address" }],
    outputs: [{ name: "", type: "uint256" }]
  },
  {
    type: "function",
    name: "getReserves",
    stateMutability: "view",
    inputs: [],
    outputs: [
      { name: "one", type: "uint112" },
      { name: "at", type: "uint32" }
    ]
  },
  {
    type: "function",
    name: "transfer",
    stateMutability: "nonpayable",
    inputs: [
      { name: "to", type: "address" },
      { name: "value", type: "uint256" }
    ],
    outputs: [{ name: "", type: "bool" }]
  },
  { type: "function", name: "deposit", stateMutability: "payable", inputs: [], outputs: [] },
  {
    type: "function",
    name: "place",
    stateMutability: "nonpayable",
    inputs: [
      {
        name: "order",
        type: "tuple",
        components: [
          { name: "id", type: "uint8" },
          { name: "legs", type: "tuple[]", components: [{ name: "to", type: "address" }] }
        ]
      }
    ],
    outputs: []
  },
  {
    type: "function",
    name: "place",
    stateMutability: "nonpayable",
    inputs: [{ name: "id", type: "uint8" }],
    outputs: []
  },
  {
    type: "event",
    name: "Transfer",
    inputs: [
      { name: "from", type: "address", indexed: true },
      { name: "note", type: "string", indexed: true },
      { name: "value", type: "uint256" }
    ]
  },
  {
    type: "event",
    name: "Unnamed",
    inputs: [{ type: "uint8", indexed: true }, { type: "string" }]
  },
  { type: "error", name: "TooMuch", inputs: [] }
] as const

const address = "0x0000000000000000000000000000000000000001"
const owner = address

class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}

it("takes the types of an ABI to the Effect surface", () => {
  const client = {} as Sdk.Sdk<"ethereum-mainnet">
  const token = Effects.contract(client, { address, abi })
  expectTypeOf(token.read.balanceOf(owner)).toEqualTypeOf<Effect.Effect<bigint, Effects.ContractError>>()
  expectTypeOf(token.read.getReserves({ block: 1 })).toEqualTypeOf<
    Effect.Effect<readonly [bigint, number], Effects.ContractError>
  >()
  expectTypeOf<keyof typeof token.read>().toEqualTypeOf<"balanceOf" | "getReserves">()
  expectTypeOf<keyof typeof token.simulate>().toEqualTypeOf<
    "transfer" | "deposit" | "place((uint8,(address)[]))" | "place(uint8)"
  >()
  token.simulate["place((uint8,(address)[]))"]({ id: 1, legs: [{ to: owner }] })
  token.simulate.deposit({ value: 1n })
  // @ts-expect-error it takes no coins
  token.simulate.transfer(owner, 1n, { value: 1n })
  // @ts-expect-error there are several of that name
  token.simulate.place
  // @ts-expect-error no address
  token.read.balanceOf(1n)
  // @ts-expect-error without a signer
  token.write.transfer
  expectTypeOf(token.events.Transfer.list()).toEqualTypeOf<
    Effect.Effect<
      ReadonlyArray<
        Effects.ContractEvent<"Transfer", { readonly from: Hex; readonly note: Hex; readonly value: bigint }>
      >,
      Effects.ContractError
    >
  >()
  expectTypeOf(token.events.Unnamed.stream()).toEqualTypeOf<
    Stream.Stream<
      Effects.ContractEvent<"Unnamed", readonly [number, string]>,
      Effects.ContractError | SubscriptionError
    >
  >()
  expectTypeOf(token.events.Unnamed.stream({ args: { 0: 1 }, strict: false })).toEqualTypeOf<
    Stream.Stream<
      Effects.ContractEvent<"Unnamed", readonly [number, string] | undefined>,
      Effects.ContractError | SubscriptionError
    >
  >()
  // @ts-expect-error streams begin now
  token.events.Unnamed.stream({ fromBlock: 1n })
  token.events.Transfer.list({ args: { from: [owner, owner], note: "x" }, fromBlock: 1n })
  token.events.Unnamed.list({ args: { 0: 1 } })
  // @ts-expect-error it is not indexed
  token.events.Transfer.list({ args: { value: 1n } })
  expectTypeOf(Eth.network).toEqualTypeOf<"ethereum-mainnet">()
})

it("takes the types of an ABI to the Promise surface", async () => {
  const sdk = await init({ network: "ethereum-mainnet" })
  const token = Promises.contract(sdk, { address, abi })
  expectTypeOf(token.read.balanceOf(owner)).toEqualTypeOf<Promise<Result<bigint, Promises.ContractError>>>()
  const [one, two] = [token.calls.balanceOf(owner), token.calls.getReserves()]
  const answers = await Promises.multicall(sdk, [one, two])
  if (answers.status === "SUCCESS") {
    const [balance, reserves] = answers.data
    expectTypeOf(balance).toEqualTypeOf<Result<bigint, Promises.ContractError>>()
    expectTypeOf(reserves).toEqualTypeOf<Result<readonly [bigint, number], Promises.ContractError>>()
  }
  expectTypeOf(token.events.Unnamed.stream()).toEqualTypeOf<
    AsyncIterable<
      Result<
        Promises.ContractEvent<"Unnamed", readonly [number, string]>,
        Promises.ContractError | SubscriptionError
      >
    >
  >()
  expectTypeOf(token.events.Unnamed.stream({ strict: false })).toEqualTypeOf<
    AsyncIterable<
      Result<
        Promises.ContractEvent<"Unnamed", readonly [number, string] | undefined>,
        Promises.ContractError | SubscriptionError
      >
    >
  >()
  // @ts-expect-error without a signer
  token.write.transfer
  const made = await signer(sdk, { privateKey: "0x" })
  if (made.status === "ERROR") return
  const owned = Promises.contract(sdk, { address, abi, signer: made.data })
  const sent = await owned.write.transfer(owner, 1n, { confirmations: 1, maxFee: "0.1" })
  if (sent.status === "SUCCESS") expectTypeOf(sent.data.hash).toEqualTypeOf<string>()
  const lean = await initEthereum({ network: "ethereum-mainnet" })
  const listed = Promises.contract(lean, { address, abi })
  listed.events.Transfer.list()
  // @ts-expect-error this client has no subscriptions
  listed.events.Transfer.stream()
  const bitcoin = await init({ network: "bitcoin-mainnet" })
  // @ts-expect-error it is of another family
  Promises.contract(bitcoin, { address, abi })
  const zk = await init({ network: "zksync-mainnet" })
  Promises.contract(zk, { address, abi })
  const base = await init({ network: "base-mainnet", consistency: "monotonic" })
  Promises.contract(base, { address, abi })
})

it("takes an ABI of unknown content", async () => {
  const sdk = await init({ network: "ethereum-mainnet" })
  const read: ReadonlyArray<unknown> = []
  const token = Promises.contract(sdk, { address, abi: read })
  expectTypeOf(token.read.anything?.(1, 2)).toEqualTypeOf<
    Promise<Result<unknown, Promises.ContractError>> | undefined
  >()
})

it("takes the types of an ABI to Tron, where addresses are base58", async () => {
  const sdk = await init({ network: "tron-mainnet" })
  const base58: string = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
  const token = Promises.contract(sdk, { address: base58, abi })
  expectTypeOf(token.read.balanceOf(base58)).toEqualTypeOf<Promise<Result<bigint, Promises.ContractError>>>()
  expectTypeOf<keyof typeof token.simulate>().toEqualTypeOf<
    "transfer" | "deposit" | "place((uint8,(address)[]))" | "place(uint8)"
  >()
  token.simulate["place((uint8,(address)[]))"]({ id: 1, legs: [{ to: base58 }] })
  expectTypeOf(token.estimateEnergy.deposit({ value: 1n })).toEqualTypeOf<
    Promise<Result<Promises.EnergyEstimate, Promises.ContractError>>
  >()
  const [event] = (await token.events.Transfer.list({ args: { from: [base58] } })).data ?? []
  expectTypeOf(event?.args).toEqualTypeOf<
    { readonly from: string; readonly note: Hex; readonly value: bigint } | undefined
  >()
  expectTypeOf(event?.address).toEqualTypeOf<string | undefined>()
  // @ts-expect-error nodes answer at the newest block alone
  token.read.balanceOf(base58, { block: 1 })
  // @ts-expect-error without a signer
  token.write.transfer
  // @ts-expect-error energy is estimated on Tron
  token.estimateGas
  const made = await tronSigner(sdk, { privateKey: "" })
  const ethereum = await signer(await init({ network: "ethereum-mainnet" }), { privateKey: "0x" })
  if (made.status === "ERROR" || ethereum.status === "ERROR") return
  const owned = Promises.contract(sdk, { address: base58, abi, signer: made.data })
  const sent = await owned.write.transfer(base58, 1n, { confirmations: 1, maxFee: "20", memo: "x" })
  if (sent.status === "SUCCESS") expectTypeOf(sent.data.prepared.transaction.to).toEqualTypeOf<string>()
  // @ts-expect-error a signer of another family
  Promises.contract(sdk, { address: base58, abi, signer: ethereum.data })
  const effects = Effects.contract({} as Sdk.Sdk<"tron-mainnet">, { address: base58, abi })
  expectTypeOf(effects.read.balanceOf(base58)).toEqualTypeOf<Effect.Effect<bigint, Effects.ContractError>>()
  const lean = await initTron({ network: "tron-mainnet" })
  Promises.contract(lean, { address: base58, abi }).read.balanceOf(base58)
})
