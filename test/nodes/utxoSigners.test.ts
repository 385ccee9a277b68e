// @covers payments on litecoind, bcoin, bcash: bitcoin
// @covers messages on litecoind: bitcoin
import { decodeCashAddress, encodeCashAddress } from "@bitauth/libauth"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { address as addresses } from "bitcoinjs-lib"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Sdk from "../../src/client/Sdk.js"
import * as Bitcoin from "../../src/entries/effect/signers/Bitcoin.js"
import { signer } from "../../src/entries/signers/Bitcoin.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import { listen } from "../../src/sandbox/Loopback.js"
import * as Bcoin from "../../src/sandbox/nodes/Bcoin.js"
import * as Litecoind from "../../src/sandbox/nodes/Litecoind.js"
import type { UtxoNode } from "../../src/sandbox/nodes/Utxo.js"
import { nodeLimits } from "../nodeLimits.js"
import { refusal, take } from "../results.js"
import { requireBinary } from "./process.js"

const litecoind = requireBinary("litecoind", "signers of Litecoin on a real node")
const bcoin = requireBinary("bcoin", "signers of Dogecoin on a real node")
const bcash = requireBinary("bcash", "signers of Bitcoin Cash on a real node")

const mnemonic = `${"abandon ".repeat(11)}about`

/** A node that has blocks where they are asked for, and where it answers. */
const served = (start: Effect.Effect<UtxoNode, unknown, Scope.Scope>, scope: Scope.CloseableScope) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const node = yield* start
      return { node, url: `http://127.0.0.1:${yield* listen(node.handler)}` }
    }).pipe(Scope.extend(scope))
  )

/** Blocks only where they are asked for. */
const blockTime = 3_600

/** Addresses are of Litecoin's test network; on the regression test network the same program has another name. */
const renamed = (address: string): string => {
  if (!address.startsWith("tltc1")) return address
  const { data, version } = addresses.fromBech32(address)
  return addresses.toBech32(data, version, "rltc")
}

describe.runIf(litecoind !== undefined)("signers on Litecoin Core", () => {
  const scope = Effect.runSync(Scope.make())
  let node: UtxoNode
  let sdk: PromiseSdk<"litecoin-testnet">
  const mine = (blocks: number) => Effect.runPromise(node.mine(blocks))
  /** What a node knows of an address: it looks through all outputs. */
  const utxos = async (address: string): Promise<ReadonlyArray<Bitcoin.Utxo>> => {
    const { unspents } = take(await sdk.rpc.scanTxOutSet([`addr(${renamed(address)})`]))
    return unspents.map(({ amount, txid, vout }) => ({ txid, vout, amount: Number(amount).toFixed(8) }))
  }
  const made = async (from: object) =>
    take(await signer(sdk, { mnemonic, utxos, ...from } as Bitcoin.BitcoinFrom<string>))
  const rich = async (from: object, ...amounts: ReadonlyArray<string>) => {
    const account = await made(from)
    for (const amount of amounts) await Effect.runPromise(node.fund(renamed(account.address), amount))
    await mine(1)
    return account
  }
  const valueAt = async (address: string): Promise<number> =>
    (await utxos(address)).reduce((sum, { amount }) => sum + Number(amount), 0)

  beforeAll(async () => {
    const started = await served(Litecoind.start({ command: litecoind ?? "", blockTime }), scope)
    node = started.node
    sdk = await init({
      network: "litecoin-testnet",
      rpc: { nodes: [{ url: started.url }] },
      quiet: true,
      ...nodeLimits
    })
  })
  afterAll(async () => {
    await sdk?.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("pay from every kind of addresses to every kind, and leave what the preview says", async () => {
    const program = Uint8Array.from({ length: 32 }, (_, i) => i)
    const point = Buffer.from("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", "hex")
    const receivers = [
      addresses.toBase58Check(program.slice(0, 20), 0x6f),
      addresses.toBase58Check(program.slice(0, 20), 0x3a),
      addresses.toBech32(program.slice(0, 20), 0, "tltc"),
      addresses.toBech32(program, 0, "tltc"),
      addresses.toBech32(point, 1, "tltc")
    ]
    for (const type of ["p2wpkh", "p2pkh", "p2tr"] as const) {
      const account = await rich({ type }, "3", "2")
      const before = await valueAt(account.address)
      let out = 0n
      for (const to of receivers) {
        const paid = await valueAt(to)
        const prepared = take(await account.prepare({ to, amount: "0.6" }))
        const sent = take(await account.submit(prepared))
        await mine(1)
        take(await sdk.rpc.waitForTransaction(sent.hash))
        expect(await valueAt(to)).toBeCloseTo(paid + 0.6, 8)
        out += prepared.amount + prepared.fee
      }
      expect(await valueAt(account.address)).toBeCloseTo(before - Number(out) / 1e8, 8)
    }
  })

  it("sends twenty payments at once, most of them from change that waits for a block", async () => {
    const account = await rich({ index: 1 }, "5", "4")
    const to = addresses.toBech32(new Uint8Array(20).fill(3), 0, "tltc")
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => account.send({ to, amount: BigInt(10_000_000 + i) }))
    )
    expect(new Set(all.map((each) => take(each).hash)).size).toBe(20)
    await mine(1)
    for (const each of all)
      expect(take(await sdk.rpc.getRawTransaction(take(each).hash, true))).toMatchObject({ confirmations: 1 })
    expect(await valueAt(to)).toBeCloseTo(2.0000019, 8)
  })

  it("sweeps all outputs into one", async () => {
    for (const type of ["p2wpkh", "p2pkh", "p2tr"] as const) {
      const account = await rich({ index: 7, type }, "3", "2", "0.5")
      const to = addresses.toBech32(new Uint8Array(20).fill(type.charCodeAt(3)), 0, "tltc")
      const { prepared } = take(await account.send({ to, amount: "all" }))
      await mine(1)
      expect(await valueAt(account.address)).toBe(0)
      expect(await valueAt(to)).toBeCloseTo(5.5 - Number(prepared.fee) / 1e8, 8)
    }
  })

  it("is refused on Taproot where the amount of an input is another one, or the signature of another key", async () => {
    const account = await rich({ index: 8, type: "p2tr" }, "1", "1")
    const { transaction } = take(await account.prepare({ to: account.address, amount: "1.5" }))
    const refused = async (raw: string) => take(await sdk.rpc.testMempoolAccept([raw]))[0]?.["reject-reason"]
    const { raw } = take(await account.sign(transaction))
    expect(await refused(raw)).toBeUndefined()
    const [first, ...rest] = transaction.inputs
    if (first === undefined) throw new Error("it spends something")
    const lie = { ...transaction, inputs: [{ ...first, amount: first.amount + 1n }, ...rest] }
    const { raw: lied } = take(await account.sign({ ...lie, fee: lie.fee + 1n }))
    expect(await refused(lied)).toMatch(/Invalid Schnorr signature/)
    const other = await made({ index: 9, type: "p2tr" })
    const { raw: foreign } = take(await other.sign(transaction))
    expect(await refused(foreign)).toMatch(/Invalid Schnorr signature/)
  })

  it("is refused by the node where another signer has spent the outputs, and goes on", async () => {
    const [one, two] = [await rich({ index: 2, type: "p2pkh" }, "1"), await made({ index: 2, type: "p2pkh" })]
    const to = one.address
    const [first, second] = [
      take(await one.prepare({ to, amount: "0.2" })),
      take(await two.prepare({ to, amount: "0.3" }))
    ]
    take(await one.submit(first))
    expect(await refusal(two.submit(second))).toMatchObject({ _tag: "RpcError", code: -26 })
    expect(await refusal(two.send({ to, amount: "0.3" }))).toMatchObject({ _tag: "InsufficientFunds" })
    await mine(1)
    const sent = two.send({ to, amount: "0.3", confirmations: 1 })
    let isMined = false
    const mining = (async () => {
      while (!isMined) {
        await mine(1)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })()
    const { hash } = take(
      await sent.finally(() => {
        isMined = true
      })
    )
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    await mining
  })

  it("knows the node's rule of dust, to the last unit", async () => {
    const account = await rich({ index: 3 }, "1")
    const { transaction } = take(await account.prepare({ to: account.address, amount: "0.1" }))
    const spent = transaction.inputs.reduce((sum, { amount }) => sum + amount, 0n)
    for (const to of [
      addresses.toBase58Check(new Uint8Array(20).fill(1), 0x6f),
      addresses.toBase58Check(new Uint8Array(20).fill(1), 0x3a),
      addresses.toBech32(new Uint8Array(20).fill(1), 0, "tltc"),
      addresses.toBech32(new Uint8Array(32).fill(1), 0, "tltc")
    ]) {
      const dust = await refusal(account.prepare({ to, amount: 1n }))
      expect(dust).toMatchObject({ _tag: "DustAmount", asset: "LTC" })
      const least = BigInt(Math.round(Number(Reflect.get(Object(dust), "least")) * 1e8))
      for (const [amount, reason] of [
        [least, undefined],
        [least - 1n, "dust"]
      ] as const) {
        const fee = 100_000n
        const outputs = [
          { address: to, amount },
          { address: account.address, amount: spent - amount - fee }
        ]
        const { raw } = take(await account.sign({ inputs: transaction.inputs, outputs, fee }))
        const [said] = take(await sdk.rpc.testMempoolAccept([raw]))
        expect(said?.["reject-reason"], `${to} ${amount}`).toBe(reason)
      }
    }
  })

  it("signs messages that the node verifies", async () => {
    const account = await made({ type: "p2pkh" })
    for (const message of ["hello", "", "ä".repeat(300)]) {
      const signature = take(await account.signMessage(message))
      expect(take(await sdk.rpc.verifyMessage(account.address, signature, message))).toBe(true)
      expect(take(await sdk.rpc.verifyMessage(account.address, signature, `${message}.`))).toBe(false)
    }
  })
})

describe.runIf(bcoin !== undefined)("signers with Dogecoin's rules on bcoin", () => {
  const scope = Effect.runSync(Scope.make())
  let node: UtxoNode
  let url = ""
  beforeAll(async () => {
    const started = await served(Bcoin.start({ blockTime }), scope)
    node = started.node
    url = started.url
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  class Doge extends Sdk.Tag("Doge", "doge-testnet")<Doge>() {}
  class Payments extends Context.Tag("Payments")<Payments, Bitcoin.BitcoinSigner>() {}

  /** The same key under the name of bcoin's regression test network. */
  const named = (address: string): string =>
    addresses.toBase58Check(addresses.fromBase58Check(address).hash, 0x3c)

  const utxos = async (address: string): Promise<ReadonlyArray<Bitcoin.Utxo>> => {
    const answer = await fetch(`${url}/coin/address/${named(address)}`)
    const coins = (await answer.json()) as ReadonlyArray<{ hash: string; index: number; value: number }>
    return coins.map(({ hash, index, value }) => ({ txid: hash, vout: index, amount: BigInt(value) }))
  }

  const withPayments = <A, E>(
    index: number,
    use: (payments: Bitcoin.BitcoinSigner) => Effect.Effect<A, E, Doge>
  ): Promise<A> => {
    const client = Doge.layer({ rpc: { nodes: [{ url }] }, quiet: true, ...nodeLimits }).pipe(
      Layer.provide(NodeHttpClient.layerUndici)
    )
    const payments = Bitcoin.layer(Payments, Doge, { mnemonic: Redacted.make(mnemonic), index, utxos })
    return Effect.runPromise(
      Effect.provide(Effect.flatMap(Payments, use), Layer.provideMerge(payments, client))
    )
  }

  it("pay, are mined and seen", () =>
    withPayments(0, (payments) =>
      Effect.gen(function* () {
        yield* node.fund(named(payments.address), "30")
        yield* node.mine(1)
        yield* node.fund(named(payments.address), "20")
        yield* node.mine(1)
        const to = addresses.toBase58Check(new Uint8Array(20).fill(9), 0x71)
        const first = yield* payments.prepare({ to, amount: "12.5" })
        expect(first.transaction.inputs).toMatchObject([{ amount: 2_000_000_000n }])
        const { hash } = yield* payments.submit(first)
        // its change waits for a block
        const second = yield* payments.send({ to, amount: "35" })
        expect(second.prepared.transaction.inputs).toHaveLength(2)
        yield* node.mine(1)
        const { rpc } = yield* Doge
        for (const each of [hash, second.hash])
          expect(yield* rpc.getRawTransaction(each, true)).toMatchObject({ confirmations: 1 })
        const paid = yield* Effect.promise(() => utxos(to))
        expect(paid.map(({ amount }) => amount).sort()).toEqual([1_250_000_000n, 3_500_000_000n])
        const left = yield* Effect.promise(() => utxos(payments.address))
        const fees = first.fee + second.prepared.fee
        expect(left.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(250_000_000n - fees)
      })
    ))

  it("do not take the node's id for its word", () =>
    withPayments(1, (payments) =>
      Effect.gen(function* () {
        yield* node.fund(named(payments.address), "8")
        yield* node.mine(1)
        const other = yield* Bitcoin.make(yield* Doge, { mnemonic, index: 1, utxos })
        const to = addresses.toBase58Check(new Uint8Array(20).fill(8), 0x71)
        const [first, second] = [
          yield* payments.prepare({ to, amount: "1" }),
          yield* other.prepare({ to, amount: "2" })
        ]
        yield* payments.submit(first)
        expect(yield* Effect.flip(other.submit(second))).toMatchObject({
          _tag: "BroadcastUnclear",
          reason: expect.stringContaining("no node has it")
        })
      })
    ))
})

describe.runIf(bcash !== undefined)("signers of Bitcoin Cash on bcash", () => {
  const scope = Effect.runSync(Scope.make())
  let node: UtxoNode
  let sdk: PromiseSdk<"bch-testnet">

  /** The same address of another network. */
  const named = (address: string, prefix: "bchreg"): string => {
    const found = decodeCashAddress(address)
    if (typeof found === "string" || found.type !== "p2pkh") throw new Error(address)
    return encodeCashAddress({ prefix, type: found.type, payload: found.payload }).address
  }
  let url = ""
  const utxos = async (address: string): Promise<ReadonlyArray<Bitcoin.Utxo>> => {
    const answer = await fetch(`${url}/coin/address/${named(address, "bchreg")}`)
    const coins = (await answer.json()) as ReadonlyArray<{ hash: string; index: number; value: number }>
    return coins.map(({ hash, index, value }) => ({ txid: hash, vout: index, amount: BigInt(value) }))
  }
  const valueAt = async (address: string): Promise<bigint> =>
    (await utxos(address)).reduce((sum, { amount }) => sum + BigInt(amount), 0n)

  beforeAll(async () => {
    const started = await served(Bcoin.start({ program: "bcash", blockTime }), scope)
    node = started.node
    url = started.url
    sdk = await init({ network: "bch-testnet", rpc: { nodes: [{ url }] }, quiet: true, ...nodeLimits })
  })
  afterAll(async () => {
    await sdk?.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const rich = async (index: number, ...amounts: ReadonlyArray<string>) => {
    const account = take(await signer(sdk, { mnemonic, index, utxos }))
    for (const amount of amounts) await Effect.runPromise(node.fund(named(account.address, "bchreg"), amount))
    await Effect.runPromise(node.mine(1))
    return account
  }

  it("pay, are mined and seen", async () => {
    const account = await rich(0, "3", "2")
    const payload = new Uint8Array(20).fill(5)
    const to = encodeCashAddress({ prefix: "bchtest", type: "p2pkh", payload }).address
    const first = take(await account.send({ to, amount: "4.5", maxFee: "0.00001" }))
    expect(first.prepared.transaction.inputs).toHaveLength(2)
    // from change that waits for a block, to the old form of the address
    const second = take(await account.send({ to: addresses.toBase58Check(payload, 0x6f), amount: "0.25" }))
    expect(second.prepared.to).toBe(to)
    await Effect.runPromise(node.mine(1))
    for (const { hash } of [first, second])
      expect(take(await sdk.rpc.getRawTransaction(hash, true))).toMatchObject({ confirmations: 1 })
    expect(await valueAt(to)).toBe(475_000_000n)
    expect(await valueAt(account.address)).toBe(25_000_000n - first.prepared.fee - second.prepared.fee)
  })

  it("are refused where the amount is another one", async () => {
    const account = await rich(1, "1")
    const { transaction } = take(await account.prepare({ to: account.address, amount: "0.5" }))
    const [input] = transaction.inputs
    if (input === undefined) throw new Error("it spends something")
    const lie = { ...input, amount: input.amount + 1_000n }
    const outputs = [{ address: account.address, amount: input.amount }]
    const { hash, raw } = take(await account.sign({ inputs: [lie], outputs, fee: 1_000n }))
    // the node gives an id where it refuses, too
    await sdk.rpc.sendRawTransaction(raw)
    // it has looked at that one when it has another one, of the same output, which it would refuse if it had taken the first
    take(await account.send({ to: account.address, amount: "0.5" }))
    expect(await refusal(sdk.rpc.getRawTransaction(hash))).toMatchObject({ _tag: "RpcError" })
  })
})
