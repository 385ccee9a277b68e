import type { Instruction, KeyPairSigner, TransactionModifyingSigner } from "@solana/kit"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { expectTypeOf, it } from "vitest"
import type { Eip1193Provider } from "../../src/client/adapters/Eip1193.js"
import * as Sdk from "../../src/client/Sdk.js"
import type { Network } from "../../src/data/Network.js"
import * as Algorand from "../../src/entries/effect/signers/Algorand.js"
import * as Bitcoin from "../../src/entries/effect/signers/Bitcoin.js"
import * as Cosmos from "../../src/entries/effect/signers/Cosmos.js"
import * as Evm from "../../src/entries/effect/signers/Evm.js"
import * as Solana from "../../src/entries/effect/signers/Solana.js"
import type * as Tezos from "../../src/entries/effect/signers/Tezos.js"
import { signer as algorandSigner } from "../../src/entries/signers/Algorand.js"
import { signer as bitcoinSigner } from "../../src/entries/signers/Bitcoin.js"
import { signer as cosmosSigner } from "../../src/entries/signers/Cosmos.js"
import { type EvmSigner, signer } from "../../src/entries/signers/Evm.js"
import { signer as solanaSigner } from "../../src/entries/signers/Solana.js"
import { signer as stellarSigner } from "../../src/entries/signers/Stellar.js"
import { signer as tezosSigner } from "../../src/entries/signers/Tezos.js"
import { signer as tonSigner } from "../../src/entries/signers/Ton.js"
import { signer as tronSigner } from "../../src/entries/signers/Tron.js"
import { signer as xrpSigner } from "../../src/entries/signers/Xrp.js"
import { init as initTezos } from "../../src/entries/Tezos.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Simulate from "../../src/signers/simulate.js"
import * as Sweep from "../../src/signers/sweep.js"
import { type Simulation, simulate } from "../../src/simulate.js"
import { prepareSweep, type Shortage, sweepToken } from "../../src/sweep.js"

it("takes clients of EVM chains", async () => {
  const sdk = await init({ network: "ethereum-mainnet" })
  const made = await signer(sdk, { mnemonic: "" })
  if (made.status === "SUCCESS") {
    // the type that the entry exports is what its function gives, and contracts take its address
    expectTypeOf(made.data).toEqualTypeOf<EvmSigner>()
    expectTypeOf(made.data.address).toEqualTypeOf<`0x${string}`>()
    const sent = await made.data.send({ to: "0x", amount: "1.5", confirmations: 2 })
    if (sent.status === "SUCCESS") expectTypeOf(sent.data.hash).toEqualTypeOf<string>()
  }
  const base = await init({ network: "base-mainnet", consistency: "monotonic" })
  await signer(base, { privateKey: "0x" })
  const zk = await init({ network: "zksync-mainnet" })
  await signer(zk, { privateKey: "0x" })
  const bitcoin = await init({ network: "bitcoin-mainnet" })
  // @ts-expect-error it is of another family
  await signer(bitcoin, { privateKey: "0x" })
  class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}
  expectTypeOf(Evm.make).toBeFunction()
  expectTypeOf(Eth.network).toEqualTypeOf<"ethereum-mainnet">()
  expectTypeOf<Eip1193Provider>().toBeObject()
})

it("takes clients of Bitcoin, Bitcoin Cash, Litecoin and Dogecoin", async () => {
  for (const sdk of [
    await init({ network: "bitcoin-mainnet" }),
    await init({ network: "litecoin-testnet" }),
    await init({ network: "bitcoin-testnet4" })
  ]) {
    const made = await bitcoinSigner(sdk, { mnemonic: "", type: "p2pkh", derivation: "tatum" })
    if (made.status === "SUCCESS") {
      const sent = await made.data.send({ to: "bc1", amount: "1.5", confirmations: 2 })
      if (sent.status === "SUCCESS")
        expectTypeOf(sent.data.prepared.transaction).toEqualTypeOf<Bitcoin.BitcoinTransaction>()
    }
  }
  const doge = await init({ network: "doge-mainnet", consistency: "monotonic" })
  await bitcoinSigner(doge, {
    privateKey: "",
    utxos: async () => [{ txid: "", vout: 0, amount: 1n }]
  })
  await bitcoinSigner(doge, { publicKey: "", sign: async (digest) => digest })
  // @ts-expect-error a number may be whole coins or the smallest unit
  await bitcoinSigner(doge, { privateKey: "", utxos: () => [{ txid: "", vout: 0, amount: 1 }] })
  // @ts-expect-error the digest is bytes
  await bitcoinSigner(doge, { publicKey: "", sign: (digest: string) => digest })
  const cash = await init({ network: "bitcoin-cash-mainnet", consistency: "monotonic" })
  await bitcoinSigner(cash, { mnemonic: "" })
  expectTypeOf(Bitcoin.addressProblem).returns.toEqualTypeOf<string | undefined>()
  const ethereum = await init({ network: "ethereum-mainnet" })
  // @ts-expect-error it is of another family
  await bitcoinSigner(ethereum, { privateKey: "" })
  class Btc extends Sdk.Tag("Btc", "bitcoin-mainnet")<Btc>() {}
  class Payments extends Context.Tag("Payments")<Payments, Bitcoin.BitcoinSigner>() {}
  expectTypeOf(Bitcoin.layer(Payments, Btc, { mnemonic: Redacted.make("") })).toEqualTypeOf<
    Layer.Layer<Payments, Bitcoin.SignerError, Btc>
  >()
})

it("takes clients of Tezos", async () => {
  const tezos = await init({ network: "tezos-mainnet", consistency: "monotonic" })
  const made = await tezosSigner(tezos, { privateKey: "" })
  if (made.status === "SUCCESS") {
    expectTypeOf(made.data.publicKey).toEqualTypeOf<string>()
    await made.data.sendToken({ token: "KT1.0", to: "tz1", amount: 1n, maxFee: "0.1" })
  }
  await tezosSigner(await initTezos({ network: "tezos-mainnet" }), { publicKey: "", sign: (hash) => hash })
  const tron = await init({ network: "tron-mainnet" })
  // @ts-expect-error it is of another family
  await tezosSigner(tron, { mnemonic: "" })
  expectTypeOf<Parameters<typeof Tezos.make>[0]>().toExtend<{ readonly network: string }>()
})

it("takes clients of Tron", async () => {
  const tron = await init({ network: "tron-mainnet", consistency: "monotonic" })
  const made = await tronSigner(tron, { mnemonic: "" })
  if (made.status === "SUCCESS") expectTypeOf(made.data.address).toEqualTypeOf<string>()
  const polygon = await init({ network: "polygon-mainnet" })
  // @ts-expect-error it is of another family
  await tronSigner(polygon, { mnemonic: "" })
})

it("takes clients of algod", async () => {
  const algod = await init({ network: "algorand-testnet-algod" })
  const made = await algorandSigner(algod, { mnemonic: "" })
  if (made.status === "SUCCESS") {
    const prepared = await made.data.prepare({ to: "", amount: 1n, token: "31566704" })
    if (prepared.status === "SUCCESS")
      expectTypeOf(prepared.data.transaction.lease).toEqualTypeOf<string | undefined>()
  }
  const strict = await init({ network: "algorand-mainnet-algod", consistency: "monotonic" })
  await algorandSigner(strict, { address: "", sign: async (bytes) => bytes })
  // @ts-expect-error keys of the Promise surface are text
  await algorandSigner(algod, { privateKey: new Uint8Array(64) })
  // @ts-expect-error the indexer takes no transactions
  await algorandSigner(await init({ network: "algorand-mainnet-indexer" }), { mnemonic: "" })
  class Algo extends Sdk.Tag("Algo", "algorand-mainnet-algod")<Algo>() {}
  class Payments extends Context.Tag("Payments")<Payments, Algorand.AlgorandSigner>() {}
  expectTypeOf(Algorand.layer(Payments, Algo, { mnemonic: Redacted.make("") })).toEqualTypeOf<
    Layer.Layer<Payments, Algorand.SignerError, Algo>
  >()
})

it("takes clients of Cosmos", async () => {
  const cosmos = await init({ network: "cosmos-mainnet" })
  const made = await cosmosSigner(cosmos, { mnemonic: "", index: 1 })
  if (made.status === "SUCCESS") {
    const prepared = await made.data.prepare({ to: "", amount: 1n, token: "ibc/", memo: "" })
    if (prepared.status === "SUCCESS")
      expectTypeOf(prepared.data.transaction.timeoutHeight).toEqualTypeOf<bigint | undefined>()
  }
  const strict = await init({ network: "cosmos-mainnet", consistency: "monotonic" })
  await cosmosSigner(strict, { publicKey: "", sign: async (hash) => hash })
  // @ts-expect-error the transaction names the public key, which no address tells
  await cosmosSigner(cosmos, { address: "", sign: async (hash: Uint8Array) => hash })
  // @ts-expect-error it is of another family
  await cosmosSigner(await init({ network: "tron-mainnet" }), { mnemonic: "" })
  class Hub extends Sdk.Tag("Hub", "cosmos-mainnet")<Hub>() {}
  class Payments extends Context.Tag("Payments")<Payments, Cosmos.CosmosSigner>() {}
  expectTypeOf(Cosmos.layer(Payments, Hub, { mnemonic: Redacted.make("") })).toEqualTypeOf<
    Layer.Layer<Payments, Cosmos.SignerError, Hub>
  >()
})

it("takes clients of TON", async () => {
  const ton = await init({ network: "ton-mainnet", consistency: "monotonic" })
  const made = await tonSigner(ton, { mnemonic: "", words: "ton", wallet: "v4" })
  if (made.status === "SUCCESS") {
    const sent = await made.data.send({ to: "EQ", amount: "1.5", memo: "7", confirmations: 1 })
    if (sent.status === "SUCCESS")
      expectTypeOf(sent.data.prepared.transaction.validUntil).toEqualTypeOf<number | undefined>()
  }
  const test = await init({ network: "ton-testnet" })
  await tonSigner(test, { publicKey: "", sign: async (hash) => hash })
  // @ts-expect-error it is of another family
  await tonSigner(await init({ network: "tron-mainnet" }), { privateKey: "" })
  // @ts-expect-error there are two
  await tonSigner(test, { privateKey: "", wallet: "v3" })
})

it("takes clients of Solana, and signers of kit", async () => {
  const sdk = await init({ network: "solana-mainnet" })
  const made = await solanaSigner(sdk, { mnemonic: "", index: 1 })
  if (made.status === "SUCCESS") {
    const prepared = await made.data.prepare({ to: "", amount: 1n, token: "", memo: "" })
    if (prepared.status === "SUCCESS") {
      expectTypeOf(prepared.data.transaction.token?.creates).toEqualTypeOf<boolean | undefined>()
      await made.data.submit(prepared.data, { confirmations: 1 })
    }
    expectTypeOf(made.data).not.toHaveProperty("speedUp")
    const { prepareNonceAccount, prepareTransaction, send, sendTransaction } = made.data
    const account = await prepareNonceAccount({ seed: "two", speed: "fast" })
    if (account.status === "SUCCESS")
      await send({ to: "", amount: 1n, nonceAccount: account.data.nonceAccount, confirmations: 1 })
    const whole = await prepareTransaction({ transaction: new Uint8Array(), maxFee: "0.1" })
    if (whole.status === "SUCCESS")
      expectTypeOf(whole.data.transaction.wire?.version).toEqualTypeOf<"legacy" | 0 | 1 | undefined>()
    const instructions: ReadonlyArray<Instruction> = []
    await sendTransaction({ instructions, lookupTables: [""], speed: "slow", confirmations: 1 })
    await prepareTransaction({ instructions: [{ program: "", accounts: [{ address: "" }] }] })
    // @ts-expect-error text is no instruction
    await prepareTransaction({ instructions: [""] })
    // @ts-expect-error it names neither
    await prepareTransaction({ maxFee: "0.1" })
  }
  const strict = await init({ network: "solana-devnet", consistency: "monotonic" })
  await solanaSigner(strict, { privateKey: "" })
  await solanaSigner(sdk, { kit: {} as KeyPairSigner })
  await solanaSigner(sdk, { kit: {} as TransactionModifyingSigner })
  await solanaSigner(sdk, { address: "", sign: async (bytes) => bytes })
  // @ts-expect-error it is of another family
  await solanaSigner(await init({ network: "ethereum-mainnet" }), { privateKey: "" })
  // @ts-expect-error a wallet of another family
  await solanaSigner(sdk, { eip1193: {} as Eip1193Provider })
  // @ts-expect-error keys of the Promise surface are text
  await solanaSigner(sdk, { privateKey: new Uint8Array(64) })
  class Devnet extends Sdk.Tag("Devnet", "solana-devnet")<Devnet>() {}
  class Payments extends Context.Tag("Payments")<Payments, Solana.SolanaSigner>() {}
  expectTypeOf(Solana.layer(Payments, Devnet, { mnemonic: Redacted.make("") })).toEqualTypeOf<
    Layer.Layer<Payments, Solana.SignerError, Devnet>
  >()
  expectTypeOf(Solana.addressProblem).returns.toEqualTypeOf<string | undefined>()
})

it("takes clients of the XRP Ledger", async () => {
  const xrp = await init({ network: "ripple-testnet", consistency: "monotonic" })
  const made = await xrpSigner(xrp, { mnemonic: "" })
  if (made.status === "SUCCESS") {
    expectTypeOf(made.data.publicKey).toEqualTypeOf<string>()
    const prepared = await made.data.prepare({ to: "", amount: 1n, token: "", memo: "" })
    if (prepared.status === "SUCCESS")
      expectTypeOf(prepared.data.transaction.tag).toEqualTypeOf<number | undefined>()
  }
  await xrpSigner(await init({ network: "ripple-mainnet" }), {
    publicKey: "",
    sign: async (bytes) => bytes
  })
  const stellar = await init({ network: "stellar-mainnet" })
  // @ts-expect-error it is of another family
  await xrpSigner(stellar, { mnemonic: "" })
})

it("takes clients of Stellar", async () => {
  const stellar = await init({ network: "stellar-testnet", consistency: "monotonic" })
  const made = await stellarSigner(stellar, { mnemonic: "" })
  if (made.status === "SUCCESS") {
    const prepared = await made.data.prepare({ to: "", amount: 1n, token: "", memo: "" })
    if (prepared.status === "SUCCESS")
      expectTypeOf(prepared.data.transaction.sequence).toEqualTypeOf<bigint | undefined>()
  }
  await stellarSigner(await init({ network: "stellar-mainnet" }), {
    address: "",
    sign: async (bytes) => bytes
  })
  const xrp = await init({ network: "ripple-mainnet" })
  // @ts-expect-error it is of another family
  await stellarSigner(xrp, { mnemonic: "" })
})

it("simulates what signers of a family prepare, over clients of families that have a simulation", async () => {
  const sdk = await init({ network: "ethereum-mainnet" })
  const made = await signer(sdk, { privateKey: "" })
  if (made.status === "ERROR") return
  const prepared = await made.data.prepare({ to: "", amount: "1" })
  if (prepared.status === "ERROR") return
  const { data } = await simulate(sdk, prepared.data)
  expectTypeOf(data).toEqualTypeOf<Simulation | null>()
  const cardano = await init({ network: "cardano-mainnet" })
  // @ts-expect-error its family has no simulation
  await simulate(cardano, prepared.data)
  type Taken<Id extends Network> = [Sdk.Sdk<Id>, PromiseSdk<Id>]
  type Wanted = [Simulate.SimulationClient, Parameters<typeof simulate>[0]]
  expectTypeOf<Taken<"algorand-mainnet-algod">>().toExtend<Wanted>()
  expectTypeOf<Taken<"cosmos-mainnet">>().toExtend<Wanted>()
  expectTypeOf<Taken<"stellar-mainnet">>().toExtend<Wanted>()
  expectTypeOf<Taken<"tezos-mainnet">>().toExtend<Wanted>()
  expectTypeOf<Taken<"ton-mainnet">>().toExtend<Wanted>()
  expectTypeOf<Taken<"tron-mainnet">>().toExtend<Wanted>()
  const onEffect = (client: Evm.EvmClient & Simulate.EvmSimulationClient) =>
    Simulate.simulate(client, prepared.data)
  expectTypeOf(onEffect).returns.toEqualTypeOf<Effect.Effect<Simulation, Simulate.SimulateError>>()
})

it("sweeps with two signers of one family, on either surface", async () => {
  const sdk = await init({ network: "ethereum-mainnet" })
  const [from, gas] = [await signer(sdk, { privateKey: "" }), await signer(sdk, { privateKey: "" })]
  const other = await solanaSigner(await init({ network: "solana-mainnet" }), { mnemonic: "" })
  if (from.status === "SUCCESS" && gas.status === "SUCCESS" && other.status === "SUCCESS") {
    const sweep = { from: from.data, gas: gas.data, token: "", to: "", maxGas: "0.01" }
    const swept = await sweepToken({ ...sweep, amount: 1n, confirmations: 2 })
    if (swept.status === "SUCCESS")
      expectTypeOf(swept.data.payment.prepared.transaction).toEqualTypeOf<Evm.EvmTransaction>()
    else expectTypeOf<"GasOverCap" | "SweepIncomplete">().toExtend<typeof swept.error.cause._tag>()
    const preview = await prepareSweep(sweep)
    if (preview.status === "SUCCESS")
      expectTypeOf(preview.data.shortage).toEqualTypeOf<Shortage | undefined>()
    // @ts-expect-error its gas is another chain's
    await sweepToken({ ...sweep, gas: other.data })
  }
  const sweepAll = (account: Solana.SolanaSigner) =>
    Sweep.sweepToken({ from: account, gas: account, token: "", to: "", maxGas: 1n })
  expectTypeOf(sweepAll).returns.toEqualTypeOf<
    Effect.Effect<Sweep.Swept<Solana.SolanaTransaction>, Sweep.SweepError>
  >()
})
