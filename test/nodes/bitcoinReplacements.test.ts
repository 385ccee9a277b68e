/** Higher fees for what waits for a block, on a node with the rules of BIP-125. */
// @covers replacement on litecoind: bitcoin
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { address as addresses } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type * as Bitcoin from "../../src/entries/effect/signers/Bitcoin.js"
import { signer } from "../../src/entries/signers/Bitcoin.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import { listen } from "../../src/sandbox/Loopback.js"
import * as Litecoind from "../../src/sandbox/nodes/Litecoind.js"
import type { UtxoNode } from "../../src/sandbox/nodes/Utxo.js"
import { nodeLimits } from "../nodeLimits.js"
import { refusal, take } from "../results.js"
import { requireBinary } from "./process.js"
import { startProxy } from "./rpcProxy.js"

const litecoind = requireBinary("litecoind", "replacements on a real node")

const mnemonic = `${"abandon ".repeat(11)}about`

/** Addresses are of Litecoin's test network; on the regression test network the same program has another name. */
const renamed = (address: string): string => {
  if (!address.startsWith("tltc1")) return address
  const { data, version } = addresses.fromBech32(address)
  return addresses.toBech32(data, version, "rltc")
}

describe.runIf(litecoind !== undefined)("what waits for a block", () => {
  const scope = Effect.runSync(Scope.make())
  let node: UtxoNode
  let sdk: PromiseSdk<"litecoin-testnet">
  const mine = () => Effect.runPromise(node.mine(1))
  const utxos = async (address: string): Promise<ReadonlyArray<Bitcoin.Utxo>> => {
    const { unspents } = take(await sdk.rpc.scanTxOutSet([`addr(${renamed(address)})`]))
    return unspents.map(({ amount, txid, vout }) => ({ txid, vout, amount: Number(amount).toFixed(8) }))
  }
  let accounts = 100
  /** What the node estimates, where a test says so: one without blocks of others has no estimates. */
  let feerate: number | undefined
  /** Whether the node refuses all transactions. */
  let isRefusing = false
  /** An account of its own, and the same one in another process, which knows nothing of what this one does. */
  const rich = async (from: object, ...amounts: ReadonlyArray<string>) => {
    const own = { mnemonic, utxos, index: accounts++, ...from } as Bitcoin.BitcoinFrom<string>
    const [account, elsewhere] = [take(await signer(sdk, own)), take(await signer(sdk, own))]
    for (const amount of amounts) await Effect.runPromise(node.fund(renamed(account.address), amount))
    await mine()
    return { account, elsewhere }
  }
  const valueAt = async (address: string): Promise<number> =>
    (await utxos(address)).reduce((sum, { amount }) => sum + Number(amount), 0)
  /** Pays what can be replaced. */
  const pay = async (
    account: Awaited<ReturnType<typeof rich>>["account"],
    to: string,
    amount: string | bigint
  ) => take(await account.send({ to, amount, replaceable: true }))
  /** An address that nobody else pays. */
  const stranger = (): string => addresses.toBech32(new Uint8Array(20).fill(accounts++), 0, "tltc")
  const isWaiting = async (hash: string): Promise<boolean> =>
    Object.values(take(await sdk.rpc.getRawMemPool())).includes(hash)
  const entryOf = async (hash: string) => take(await sdk.rpc.getMempoolEntry(hash))

  // nodes of Litecoin replace nothing unless they are told to
  const folder = mkdtempSync(join(tmpdir(), "litecoind-"))
  const command = join(folder, "litecoind")

  beforeAll(async () => {
    writeFileSync(command, `#!/bin/sh\nexec "${litecoind}" -mempoolreplacement=1 "$@"\n`, { mode: 0o755 })
    node = await Effect.runPromise(Litecoind.start({ command, blockTime: 3_600 }).pipe(Scope.extend(scope)))
    const url = `http://127.0.0.1:${await Effect.runPromise(listen(node.handler).pipe(Scope.extend(scope)))}`
    const front = await startProxy(url, scope, (method) => {
      if (method === "sendrawtransaction" && isRefusing)
        return { error: { code: -26, message: "insufficient fee, rejecting replacement" } }
      return method === "estimatesmartfee" && feerate !== undefined
        ? { result: { feerate, blocks: 6 } }
        : undefined
    })
    sdk = await init({
      network: "litecoin-testnet",
      rpc: { nodes: [{ url: front }] },
      quiet: true,
      ...nodeLimits
    })
  })
  afterAll(async () => {
    await sdk?.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true })
  })

  it("pays again with a higher fee, from every kind of address, and once", async () => {
    for (const type of ["p2wpkh", "p2pkh", "p2tr"] as const) {
      const { account } = await rich({ type }, "2")
      const to = stranger()
      const first = await pay(account, to, "0.5")
      const prepared = take(await account.prepareSpeedUp(first.hash))
      expect(prepared).toMatchObject({ to, amount: 50_000_000n, transaction: { replaces: first.hash } })
      const { fee, transaction } = first.prepared
      expect(prepared.transaction.inputs.map(({ txid }) => txid)).toEqual(
        transaction.inputs.map(({ txid }) => txid)
      )
      expect(prepared.change).toBe((first.prepared.change ?? 0n) - (prepared.fee - fee))
      const second = take(await account.submit(prepared))
      expect(await isWaiting(first.hash)).toBe(false)
      // what has taken its place can be replaced as well, and what is gone can not
      const third = take(await account.speedUp(second.hash))
      expect(third.prepared.fee).toBeGreaterThan(prepared.fee)
      expect(await refusal(account.speedUp(first.hash))).toMatchObject({
        _tag: "InvalidArgument",
        call: "speedUp",
        reason: `${first.hash} was replaced by ${second.hash}`
      })
      await mine()
      expect(await valueAt(to)).toBeCloseTo(0.5, 8)
      expect(await valueAt(account.address)).toBeCloseTo(1.5 - Number(third.prepared.fee) / 1e8, 8)
      expect(await refusal(account.speedUp(third.hash))).toMatchObject({ _tag: "InvalidArgument" })
    }
  })

  it("is the least fee that the node replaces it for", async () => {
    const { account } = await rich({}, "2")
    const { hash } = await pay(account, stranger(), "0.5")
    const prepared = take(await account.prepareSpeedUp(hash))
    const [paid, change] = prepared.transaction.outputs
    if (paid === undefined || change === undefined) throw new Error("it pays, and has change")
    const said = async (fee: bigint) => {
      const outputs = [paid, { ...change, amount: change.amount + prepared.fee - fee }]
      const { raw } = take(await account.sign({ ...prepared.transaction, outputs, fee }))
      return take(await sdk.rpc.testMempoolAccept([raw]))[0]?.["reject-reason"]
    }
    expect(await said(prepared.fee)).toBeUndefined()
    const { fees, vsize } = await entryOf(hash)
    const rule4 = BigInt(Math.round(Number(fees?.base) * 1e8)) + BigInt(vsize ?? 0)
    expect(prepared.fee - rule4).toBeLessThanOrEqual(2n)
    expect(await said(rule4 - 2n)).toMatch(/insufficient fee/)
  })

  it("is replaced from another process, which has only its id, and the payment is made once", async () => {
    const { account, elsewhere } = await rich({ type: "p2tr" }, "2")
    const to = stranger()
    const { hash } = await pay(account, to, "0.5")
    const second = take(await elsewhere.speedUp(hash.toUpperCase()))
    expect(second.prepared).toMatchObject({ to, amount: 50_000_000n })
    await mine()
    expect(await valueAt(to)).toBeCloseTo(0.5, 8)
    expect(await valueAt(account.address)).toBeCloseTo(1.5 - Number(second.prepared.fee) / 1e8, 8)
  })

  it("spends more where change does not pay for the fee, and says so where there is no more", async () => {
    const { account } = await rich({}, "1", "0.4")
    const { hash, prepared } = await pay(account, stranger(), 99_999_800n)
    expect(prepared).not.toHaveProperty("change")
    const { inputs } = take(await account.prepareSpeedUp(hash)).transaction
    expect(inputs.map(({ amount }) => amount)).toEqual([100_000_000n, 40_000_000n])
    const poor = (await rich({}, "1")).account
    const all = await pay(poor, stranger(), "all")
    expect(await refusal(poor.prepareSpeedUp(all.hash))).toMatchObject({ _tag: "InsufficientFunds" })
  })

  it("is taken back, by this process and by another one, and the fee is all that leaves the account", async () => {
    for (const isElsewhere of [false, true]) {
      const { account, elsewhere } = await rich({}, "2")
      const to = stranger()
      const { hash } = await pay(account, to, "0.5")
      const cancelled = take(await (isElsewhere ? elsewhere : account).cancel(hash))
      const { fee, outgoing, to: back } = cancelled.prepared
      expect(back).toBe(account.address)
      expect(outgoing).toEqual([{ asset: "LTC", amount: (Number(fee) / 1e8).toFixed(8).replace(/0+$/, "") }])
      await mine()
      expect(await valueAt(to)).toBe(0)
      expect(await valueAt(account.address)).toBeCloseTo(2 - Number(fee) / 1e8, 8)
    }
  })

  it("lets the account go on with the change of what took its place", async () => {
    const { account } = await rich({}, "2")
    const to = stranger()
    const { hash } = await pay(account, to, "0.5")
    const faster = take(await account.speedUp(hash))
    const next = await pay(account, to, "0.25")
    expect(next.prepared.transaction.inputs).toMatchObject([{ txid: faster.hash }])
    // now its change is spent: replacing it would undo the next payment
    expect(await refusal(account.cancel(faster.hash))).toMatchObject({
      _tag: "InvalidArgument",
      reason: `${faster.hash} has change that another payment spends, which would be lost with it`
    })
    await mine()
    expect(await valueAt(to)).toBeCloseTo(0.75, 8)
  })

  it("stands where its replacement is refused, and its change can be spent before a block has it", async () => {
    const { account } = await rich({}, "2")
    const to = stranger()
    const { hash } = await pay(account, to, "0.5")
    isRefusing = true
    expect(await refusal(account.speedUp(hash))).toMatchObject({ _tag: "RpcError", code: -26 })
    isRefusing = false
    const next = await pay(account, to, "0.25")
    expect(next.prepared.transaction.inputs).toMatchObject([{ txid: hash }])
    await mine()
    expect(await valueAt(to)).toBeCloseTo(0.75, 8)
  })

  it("stands where a block has it before its replacement", async () => {
    const { account } = await rich({}, "2")
    const { hash } = await pay(account, stranger(), "0.5")
    const faster = take(await account.prepareSpeedUp(hash))
    await mine()
    expect(await refusal(account.submit(faster))).toMatchObject({ _tag: "RpcError" })
    const next = await pay(account, stranger(), "0.25")
    expect(next.prepared.transaction.inputs).toMatchObject([{ txid: hash }])
  })

  it("is refused by a reason where it is final, foreign, in a block or nowhere", async () => {
    const { account } = await rich({}, "2")
    const other = (await rich({}, "2")).account
    const final = take(await account.send({ to: stranger(), amount: "0.5", replaceable: false }))
    const foreign = await pay(other, account.address, "0.5")
    const mined = await pay(account, stranger(), "0.1")
    for (const call of ["speedUp", "cancel"] as const) {
      expect(await refusal(account[call](final.hash))).toMatchObject({
        _tag: "InvalidArgument",
        call,
        reason: expect.stringContaining("was signed as final")
      })
      expect(await refusal(account[call](foreign.hash))).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringMatching(
          /^[0-9a-f]{64} spends [0-9a-f]{64}:\d+, which is one of another address$/
        )
      })
      expect(await refusal(account[call]("ab".repeat(32)))).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringContaining("waits at no node")
      })
      expect(await refusal(account[call]("0x12"))).toMatchObject({
        _tag: "InvalidArgument",
        reason: "0x12 is no id of a transaction: 64 hexadecimal digits"
      })
    }
    await mine()
    expect(await refusal(account.speedUp(mined.hash))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringMatching(/is in a block|waits at no node/)
    })
  })

  it("costs no more than its cap", async () => {
    const { account } = await rich({}, "2")
    const { hash, prepared } = await pay(account, stranger(), "0.5")
    for (const call of ["prepareSpeedUp", "prepareCancel"] as const)
      expect(await refusal(account[call](hash, { maxFee: prepared.fee }))).toMatchObject({
        _tag: "FeeOverCap"
      })
  })

  it("is paid for by what spends it: by its receiver, and by its payer from the change", async () => {
    for (const [type, isReceiver] of [
      ["p2tr", true],
      ["p2pkh", true],
      ["p2wpkh", false]
    ] as const) {
      const { account } = await rich({ type })
      const payer = (await rich({}, "2")).account
      // as little as the node relays
      const { hash: parent, prepared } = take(await payer.send({ to: account.address, amount: "0.5" }))
      const child = isReceiver ? account : payer
      expect(await refusal(child.bumpFeeByChild(parent))).toMatchObject({
        _tag: "InvalidArgument",
        reason: `${parent} pays as much as nodes estimate already`
      })
      feerate = 0.0005
      const bumped = take(await child.bumpFeeByChild(parent))
      const { fee, outgoing, transaction } = bumped.prepared
      expect(transaction.inputs).toMatchObject([
        { txid: parent, amount: isReceiver ? 50_000_000n : prepared.change }
      ])
      expect(outgoing).toEqual([{ asset: "LTC", amount: (Number(fee) / 1e8).toFixed(8).replace(/0+$/, "") }])
      const { ancestorsize = 0, fees, ancestorcount } = await entryOf(bumped.hash)
      expect(ancestorcount).toBe(2)
      const rate = Math.round(Number(fees?.ancestor) * 1e8) / ancestorsize
      // both together have the rate of the estimate, and no more than a signature that is shorter makes
      expect(rate).toBeGreaterThanOrEqual(50)
      expect(rate).toBeLessThan(51)
      // a second child has nothing to spend
      expect(await refusal(child.bumpFeeByChild(parent))).toMatchObject({
        _tag: "InvalidArgument",
        reason: `${parent} pays nothing to ${child.address} that is not spent`
      })
      feerate = undefined
      await mine()
      expect(await valueAt(account.address)).toBeCloseTo(0.5 - (isReceiver ? Number(fee) / 1e8 : 0), 8)
    }
  })

  it("gets more outputs of the account where what it pays is not worth the fee", async () => {
    const { account } = await rich({}, "1")
    const payer = (await rich({}, "2")).account
    const { hash: parent } = take(await payer.send({ to: account.address, amount: 30_000n }))
    feerate = 0.005
    const { transaction } = take(await account.prepareBumpFeeByChild(parent))
    expect(transaction.inputs.map(({ amount }) => amount)).toEqual([30_000n, 100_000_000n])
    feerate = undefined
  })
})
