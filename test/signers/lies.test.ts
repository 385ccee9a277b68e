/**
 * Whatever one node says in whatever field before a payment is signed, the preview has the amount that was asked for and a fee of at most
 * the family's cap, or the payment is refused by a typed error. The fields are those that honest nodes answer with, found by asking: each
 * of them is a lie in its turn, and then a random one.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import nacl from "tweetnacl"
import { isRecord } from "../../src/data/untrusted.js"
import * as Algorand from "../../src/signers/Algorand.js"
import * as Bitcoin from "../../src/signers/Bitcoin.js"
import * as Cosmos from "../../src/signers/Cosmos.js"
import * as Evm from "../../src/signers/Evm.js"
import type { Payment, Prepared, PrepareError } from "../../src/signers/Signer.js"
import * as Solana from "../../src/signers/Solana.js"
import * as Stellar from "../../src/signers/Stellar.js"
import * as Tezos from "../../src/signers/Tezos.js"
import * as Ton from "../../src/signers/Ton.js"
import * as Tron from "../../src/signers/Tron.js"
import * as Xrp from "../../src/signers/Xrp.js"
import { runs, share, spread } from "../properties.js"
import { Algod } from "./algod.js"
import { makeCluster } from "./cluster.js"
import { evmCalls, tezosCalls, tronCalls } from "./honestCalls.js"
import { makeLedger as horizon } from "./horizon.js"
import { Hub } from "./hub.js"
import { changed, type Field, fieldsOf, type Lie, others, timesIn, watched } from "./lying.js"
import { makeLedger as rippled } from "./rippled.js"
import { makeChain } from "./utxos.js"
import { makeWallet } from "./wallets.js"

/** A payment of a family, over calls that a test may change. */
interface Case {
  readonly name: string
  readonly calls: () => object | Promise<object>
  readonly prepare: (rpc: never) => Effect.Effect<Prepared<unknown>, PrepareError | { readonly _tag: string }>
  readonly amount: bigint
  /** The most that is paid for it without a `maxFee`, in the smallest unit of the coin. */
  readonly most: bigint
  /** Fields in which a lie of a hundred thousand times as much is a fee above the cap. */
  readonly fees: ReadonlyArray<string>
}

const dear = timesIn(100_000n)

const dearest = ["a hundred thousand times as much", dear] as const

/** What is wrong with what came of a payment, if anything. */
const problemOf = (
  { amount, most }: Case,
  exit: Exit.Exit<Prepared<unknown>, unknown>
): string | undefined => {
  if (Exit.isSuccess(exit)) {
    const { value } = exit
    if (value.amount !== amount) return `it pays ${value.amount}`
    return value.fee <= most ? undefined : `its fee is ${value.fee}`
  }
  const failure = Cause.failureOption(exit.cause)
  return failure._tag === "Some" && isRecord(failure.value) && typeof failure.value._tag === "string"
    ? undefined
    : `it is no error with a name: ${Cause.pretty(exit.cause)}`
}

const run = (each: Case, rpc: never): Promise<Exit.Exit<Prepared<unknown>, unknown>> =>
  Effect.runPromiseExit(Effect.suspend(() => each.prepare(rpc)))

/** The fields that honest nodes answer with. */
const askedBy = async (each: Case): Promise<ReadonlyArray<Field>> => {
  const found = new Map<string, Field>()
  const exit = await run(
    each,
    watched(await each.calls(), (call, answer) => {
      for (const path of fieldsOf(answer)) found.set(`${call} ${path.join(".")}`, { call, path })
      return answer
    })
  )
  expect(problemOf(each, exit)).toBeUndefined()
  expect(Exit.isSuccess(exit), Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "").toBe(true)
  return [...found.values()]
}

const lied = async (each: Case, { call, path }: Field, lie: Lie) =>
  run(
    each,
    watched(await each.calls(), (name, answer) => (name === call ? changed(answer, path, lie) : answer))
  )

const nameOf = ({ call, path }: Field): string => [call, ...path].join(".")

const key = "9f".repeat(32)

const evmTo = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const gwei = 10n ** 9n

const evm = (
  name: string,
  network: Evm.EvmClient["network"],
  payment: Partial<Payment>,
  isLegacy = false
) => ({
  name,
  calls: () => evmCalls(isLegacy),
  prepare: (rpc: never) =>
    Effect.flatMap(Evm.make({ network, rpc }, { privateKey: key }), ({ prepare }) =>
      prepare({ to: evmTo, amount: "0.5", ...payment })
    )
})

const tronTo = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"

const seed = new Uint8Array(32).fill(0x9f)
const ed = nacl.sign.keyPair.fromSeed(seed)
const stellarTo = "GBRPYHIL2CI3FNQ4BXLFMNDLFJUNPU2HY3ZMFSHONUCEOASW7QC7OX2H"
const xrpTo = "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe"
const cosmosTo = "cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh"
const algorandTo = "HNVCPPGOW2SC2YVDVDICU3YNONSTEFLXDXREHJR2YBEKDC2Z3IUZSC6YGI"
const solanaTo = "5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9"

/** The address of the key, as its own signer says. */
const addressOf = <A extends { readonly address: string }>(
  made: Effect.Effect<A, unknown>
): Promise<string> => Effect.runPromise(Effect.map(Effect.orDie(made), ({ address }) => address))

const cases: ReadonlyArray<Case> = [
  {
    ...evm("coins of Ethereum", "ethereum-mainnet", {}),
    amount: 5n * 10n ** 17n,
    // the gas of a payment, at 50 gwei: blocks are cheaper than a tenth of it
    most: 300_000n * 50n * gwei,
    fees: ["getBlockByNumber.baseFeePerGas", "maxPriorityFeePerGas", "estimateGas"]
  },
  {
    ...evm("tokens of Ethereum", "ethereum-mainnet", {
      token: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
      amount: "25"
    }),
    amount: 25_000_000n,
    most: 1_000_000n * 50n * gwei,
    fees: ["getBlockByNumber.baseFeePerGas", "maxPriorityFeePerGas", "estimateGas"]
  },
  {
    ...evm("coins of a chain without base fees", "ethereum-classic-mainnet", {}, true),
    amount: 5n * 10n ** 17n,
    most: 300_000n * 50n * gwei,
    fees: ["gasPrice", "estimateGas"]
  },
  {
    name: "coins of Bitcoin",
    calls: () => {
      const chain = makeChain(0.00002)
      return { ...chain.rpc, chain }
    },
    prepare: (rpc) => {
      const script = Uint8Array.from([
        0,
        20,
        ...Buffer.from("751e76e8199196d454941c45d1b3a323f1433bd6", "hex")
      ])
      const { chain } = rpc as { readonly chain: ReturnType<typeof makeChain> }
      const listed = chain.listed(script)
      const utxo = listed.length > 0 ? listed : [chain.fund(script, 10n ** 10n)]
      return Effect.flatMap(
        Bitcoin.make(
          { network: "bitcoin-mainnet", rpc },
          { privateKey: `${"0".repeat(63)}1`, utxos: () => utxo }
        ),
        ({ prepare }) => prepare({ to: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", amount: "0.5" })
      )
    },
    amount: 50_000_000n,
    // 144 bytes at 1,000 sat/vB, and change that would be dust
    most: 145_000n,
    fees: ["estimateSmartFee.feerate", "getMempoolInfo.mempoolminfee"]
  },
  {
    name: "coins of Solana",
    calls: async () =>
      makeCluster(
        {
          [await addressOf(Solana.make(makeCluster().client(), { privateKey: solanaKey() }))]: {
            lamports: 10n ** 12n
          },
          [solanaTo]: { lamports: 10n ** 9n }
        },
        {
          getRecentPrioritizationFees: () => Effect.succeed([{ prioritizationFee: 20_000n }])
        }
      ).client().rpc,
    prepare: (rpc) =>
      Effect.flatMap(
        Solana.make({ network: "solana-mainnet", rpc }, { privateKey: solanaKey() }),
        ({ prepare }) => prepare({ to: solanaTo, amount: "0.5" })
      ),
    amount: 500_000_000n,
    most: 1_000_000n,
    fees: ["getFeeForMessage.value", "getMinimumBalanceForRentExemption"]
  },
  {
    name: "coins of Tron",
    calls: tronCalls,
    prepare: (rpc) =>
      Effect.flatMap(Tron.make({ network: "tron-mainnet", rpc }, { privateKey: key }), ({ prepare }) =>
        prepare({ to: tronTo, amount: "0.5", memo: "hello" })
      ),
    amount: 500_000n,
    most: 300n * 10_000n + 30_000_000n,
    fees: ["getChainParameters.chainParameter.0.value", "getChainParameters.chainParameter.2.value"]
  },
  {
    name: "tokens of Tron",
    calls: tronCalls,
    prepare: (rpc) =>
      Effect.flatMap(Tron.make({ network: "tron-mainnet", rpc }, { privateKey: key }), ({ prepare }) =>
        prepare({ to: tronTo, amount: "25", token: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" })
      ),
    amount: 25_000_000n,
    most: 400n * 10_000n + 500_000n * 1_200n,
    fees: ["getChainParameters.chainParameter.1.value", "triggerConstantContract.energy_used"]
  },
  {
    name: "coins of the XRP Ledger",
    calls: async () =>
      rippled(
        {
          [await addressOf(
            Xrp.make({ network: "ripple-mainnet", rpc: rippled({}, []).rpc }, { privateKey: key })
          )]: {
            balance: 10n ** 12n,
            sequence: 7
          },
          [xrpTo]: { balance: 10n ** 8n }
        },
        []
      ).rpc,
    prepare: (rpc) =>
      Effect.flatMap(Xrp.make({ network: "ripple-mainnet", rpc }, { privateKey: key }), ({ prepare }) =>
        prepare({ to: xrpTo, amount: "0.5" })
      ),
    amount: 500_000n,
    most: 100_000n,
    fees: ["fee.drops.base_fee", "fee.drops.open_ledger_fee"]
  },
  {
    name: "coins of Stellar",
    calls: async () =>
      horizon({
        [await addressOf(
          Stellar.make({ network: "stellar-mainnet", rpc: horizon({}).rpc }, { privateKey: stellarSeed() })
        )]: {
          balance: 10n ** 12n
        },
        [stellarTo]: { balance: 10n ** 8n }
      }).rpc,
    prepare: (rpc) =>
      Effect.flatMap(
        Stellar.make({ network: "stellar-mainnet", rpc }, { privateKey: stellarSeed() }),
        ({ prepare }) => prepare({ to: stellarTo, amount: "0.5" })
      ),
    amount: 5_000_000n,
    most: 1_000_000n,
    fees: ["getFeeStats.last_ledger_base_fee", "getFeeStats.fee_charged.p95"]
  },
  {
    name: "coins of TON",
    calls: () => makeWallet({ publicKey: ed.publicKey, balance: 10n ** 13n }).rpc,
    prepare: (rpc) =>
      Effect.flatMap(Ton.make({ network: "ton-mainnet", rpc }, { privateKey: key }), ({ prepare }) =>
        prepare({ to: "UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k", amount: "0.5" })
      ),
    amount: 500_000_000n,
    most: 200_000_000n,
    fees: ["estimateFee.result.source_fees.gas_fee"]
  },
  {
    name: "coins of Tezos",
    calls: tezosCalls,
    prepare: (rpc) =>
      Effect.flatMap(Tezos.make({ network: "tezos-mainnet", rpc }, { privateKey: key }), ({ prepare }) =>
        prepare({ to: "tz1burnburnburnburnburnburnburjAYjjX", amount: "0.5" })
      ),
    amount: 500_000n,
    most: 5_000n + 600n * 1_000n,
    fees: [
      "simulateOperation.contents.1.metadata.operation_result.consumed_milligas",
      "simulateOperation.contents.1.metadata.operation_result.paid_storage_size_diff",
      "getConstants.cost_per_byte",
      "getConstants.origination_size"
    ]
  },
  {
    name: "coins of Algorand",
    calls: async () => {
      const node = new Algod({
        [await addressOf(Algorand.make(new Algod({}).client(), { privateKey: key }))]: { amount: 10n ** 12n },
        [algorandTo]: { amount: 10n ** 8n }
      })
      node.fee = 3n
      return node.client().rpc
    },
    prepare: (rpc) =>
      Effect.flatMap(
        Algorand.make({ network: "algorand-mainnet-algod", rpc }, { privateKey: key }),
        ({ prepare }) => prepare({ to: algorandTo, amount: "0.5" })
      ),
    amount: 500_000n,
    most: 100_000n,
    fees: ["getTransactionParams.fee", "getTransactionParams.min-fee"]
  },
  {
    name: "coins of Cosmos",
    calls: async () =>
      new Hub({
        [await addressOf(Cosmos.make(new Hub({}).client(), { privateKey: key }))]: {
          number: 9n,
          sequence: 4n,
          coins: { uatom: 10n ** 12n }
        },
        [cosmosTo]: { number: 10n, sequence: 4n, coins: { uatom: 10n ** 8n } }
      }).client().rpc,
    prepare: (rpc) =>
      Effect.flatMap(Cosmos.make({ network: "cosmos-mainnet", rpc }, { privateKey: key }), ({ prepare }) =>
        prepare({ to: cosmosTo, amount: "0.5" })
      ),
    amount: 500_000n,
    most: 250_000n,
    fees: ["simulate.gas_info.gas_used", "getGasPrice.price.amount"]
  }
]

function solanaKey(): string {
  return `[${[...seed, ...ed.publicKey].join()}]`
}

function stellarSeed(): string {
  return "SCPZ7H47T6PZ7H47T6PZ7H47T6PZ7H47T6PZ7H47T6PZ7H47T6PZ6XXG"
}

describe.each(cases)("a node that lies before a payment in $name", (each) => {
  it("makes nobody pay more than the cap, in whatever field it lies", async () => {
    const fields = await askedBy(each)
    for (const [at, field] of fields.entries())
      for (const [what, lie] of [dearest, ...spread(others, share, at)]) {
        const exit = await lied(each, field, lie)
        expect(problemOf(each, exit), `${nameOf(field)}: ${what}`).toBeUndefined()
      }
  })

  it("is told by the number of its fee, and by how to allow it", async () => {
    const fields = await askedBy(each)
    for (const name of each.fees) {
      const field = fields.find((one) => nameOf(one) === name)
      expect(field, `${name} is none of ${fields.map(nameOf).join(", ")}`).toBeDefined()
      if (field === undefined) continue
      const exit = await lied(each, field, dear)
      const failure = Exit.isFailure(exit) ? Cause.failureOption(exit.cause) : undefined
      const error: unknown = failure?._tag === "Some" ? failure.value : undefined
      // rent is no fee: it is no number of the chain
      const tag = name.startsWith("getMinimumBalance") ? "NodeError" : "FeeOverCap"
      expect(error, name).toMatchObject({ _tag: tag })
      if (tag === "FeeOverCap") expect(String(Object(error).message)).toContain("maxFee")
    }
  })

  it("lies at random, and is paid no more", async () => {
    const fields = await askedBy(each)
    const value = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 70n }).map((factor) => timesIn(factor)),
      fc.anything().map((any) => () => any)
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fields), value, async (field, lie) => {
        const exit = await lied(each, field, lie)
        expect(problemOf(each, exit), nameOf(field)).toBeUndefined()
      }),
      { numRuns: runs(100) }
    )
  })
})
