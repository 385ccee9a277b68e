/** Signers of TON on its emulator: the one of its validators. */
// @covers payments on its emulator: ton
// @covers tokens on its emulator: ton
// @covers fees on its emulator: ton
import { randomBytes } from "node:crypto"
import {
  Address,
  beginCell,
  Cell,
  external,
  internal,
  loadMessage,
  loadMessageRelaxed,
  SendMode,
  storeMessage
} from "@ton/core"
import { keyPairFromSeed } from "@ton/crypto"
import { WalletContractV4 } from "@ton/ton/dist/wallets/v4/WalletContractV4.js"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { signer } from "../../src/entries/signers/Ton.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Sandbox from "../../src/sandbox/index.js"
import { findProgram } from "../../src/sandbox/nodes/binaries.js"
import type { TonFrom } from "../../src/signers/Ton.js"
import { nodeLimits } from "../nodeLimits.js"
import { refusal, take } from "../results.js"
import { deployJettons } from "./jettons.js"

const isThere = findProgram("ton-sandbox") !== undefined
if (!isThere) {
  if (process.env.CI === "true") throw new Error("left out: ton-sandbox")
  console.log("left out: signers of TON on its emulator (ton-sandbox is not installed)")
}

const ID = "ton-mainnet"
/** A key of its own for every try. */
const privateKey = (): string => randomBytes(32).toString("hex")
const stranger = (digit: string): string => `0:${digit.repeat(64)}`

describe.runIf(isThere)("signers of TON on its emulator", () => {
  const scope = Effect.runSync(Scope.make())
  let sdk: PromiseSdk<typeof ID>
  let fund: (address: string, amount: string) => Promise<string>

  beforeAll(async () => {
    const sandbox = await Effect.runPromise(
      Sandbox.make({ networks: [{ network: ID }] }).pipe(Scope.extend(scope))
    )
    sdk = await init({ ...sandbox.config(ID), network: ID, quiet: true, ...nodeLimits })
    fund = (address, amount) => Effect.runPromise(sandbox.network(ID).fund(address, amount))
  })
  afterAll(async () => {
    await sdk?.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  /** A relay as TonAPI has it: it asks for a commission in tokens, and hands on what it pays for by its own wallet. */
  const makeRelay = () => {
    const keys = keyPairFromSeed(randomBytes(32))
    const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
    const commission = 30_000n
    const cellOf = (hex: string): Cell => {
      const [cell] = Cell.fromBoc(Buffer.from(hex, "hex"))
      if (cell === undefined) throw new Error("no cell")
      return cell
    }
    let seqno = 0
    const answer = <A>(data: A) => ({ status: "SUCCESS" as const, data })
    const estimate = (own: Address, given: string) => {
      const { body, info } = loadMessageRelaxed(cellOf(given).beginParse())
      if (info.type !== "internal") throw new Error("it is no message to a contract")
      const fee = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(1, 64).storeCoins(commission)
      const toRelay = fee.storeAddress(wallet.address).storeAddress(wallet.address)
      const messages = [
        [info.value.coins, body],
        [50_000_000n, toRelay.storeBit(0).storeCoins(0).storeBit(0).endCell()]
      ] as const
      return {
        relay_address: wallet.address.toRawString(),
        commission: String(commission),
        from: own.toRawString(),
        valid_until: Math.floor(Date.now() / 1_000) + 300,
        messages: messages.map(([coins, payload]) => ({
          address: info.dest.toRawString(),
          amount: String(coins),
          payload: payload.toBoc().toString("hex")
        }))
      }
    }
    const calls: Readonly<Record<string, (...args: ReadonlyArray<never>) => Promise<unknown>>> = {
      gaslessConfig: async () =>
        answer({ relay_address: wallet.address.toRawString(), gas_jettons: [{ master_id: masterOf() }] }),
      gaslessEstimate: async (_: string, given: { wallet_address: string; messages: [{ boc: string }] }) =>
        answer(estimate(Address.parse(given.wallet_address), given.messages[0].boc)),
      gaslessSend: async ({ boc }: { boc: string }) => {
        const { body, info, init } = loadMessage(cellOf(boc).beginParse())
        if (info.type !== "external-in") throw new Error("it is no message from outside")
        const message = internal({ to: info.dest, value: 200_000_000n, body, ...(init ? { init } : {}) })
        const sending = wallet.createTransfer({
          ...{ seqno, secretKey: keys.secretKey, messages: [message] },
          sendMode: SendMode.PAY_GAS_SEPARATELY
        })
        const own = external({
          to: wallet.address,
          body: sending,
          ...(seqno++ === 0 ? { init: wallet.init } : {})
        })
        const cell = beginCell().store(storeMessage(own)).endCell()
        return sdk.rpc.sendBocReturnHash({ boc: cell.toBoc().toString("base64") })
      }
    }
    let master = ""
    const masterOf = () => master
    return {
      address: wallet.address.toString({ bounceable: false }),
      calls,
      takes: (token: Address) => {
        master = token.toRawString()
      }
    }
  }

  const made = async (from: object) => take(await signer(sdk, from as TonFrom<string>))
  const balanceAt = async (address: string): Promise<bigint> =>
    BigInt(take(await sdk.rpc.getAddressInformation(address)).result.balance)
  /** What came, the newest first. A balance tells it only at once: after a second it is a nanoton less, for its place in the chain. */
  const received = async (address: string) =>
    take(await sdk.rpc.getTransactions({ address, limit: 4 })).result.map(({ in_msg }) => in_msg?.value)
  const stateOf = async (address: string) => take(await sdk.rpc.getAddressInformation(address)).result.state

  it.each(["v5", "v4"] as const)(
    "make the contract of %s with the first payment, and pay what they show",
    async (wallet) => {
      const account = await made({ privateKey: privateKey(), wallet })
      await fund(account.address, "10")
      expect(await stateOf(account.address)).toBe("uninitialized")
      const to = stranger(wallet === "v5" ? "5" : "4")
      for (const [amount, memo] of [
        ["1.5", undefined],
        ["0.000000001", "order 7"],
        ["2", "ä".repeat(300)]
      ] as const) {
        const own = await balanceAt(account.address)
        const prepared = take(await account.prepare({ to, amount, ...(memo === undefined ? {} : { memo }) }))
        expect(prepared.transaction.bounce).toBe(false)
        const { hash } = take(await account.submit(prepared, { confirmations: 1 }))
        expect(hash).toMatch(/^[0-9a-f]{64}$/)
        expect(await stateOf(account.address)).toBe("active")
        const paid = own - (await balanceAt(account.address)) - prepared.amount
        expect(paid).toBeGreaterThan(0n)
        expect(paid).toBeLessThanOrEqual(prepared.fee)
        // not much more is shown than is paid
        expect(prepared.fee).toBeLessThan(2n * paid)
        const [seen] = take(await sdk.rpc.getTransactions({ address: to, limit: 1 })).result
        expect(seen?.in_msg).toMatchObject({ value: String(prepared.amount) })
        expect(seen?.in_msg?.message ?? "").toBe(memo ?? "")
      }
    }
  )

  it.each(["v5", "v4"] as const)("send all that an account of %s has", async (wallet) => {
    const account = await made({ privateKey: privateKey(), wallet })
    await fund(account.address, "10")
    const to = stranger(wallet === "v5" ? "7" : "8")
    const own = await balanceAt(account.address)
    const { prepared } = take(await account.send({ to, amount: "all", confirmations: 1 }))
    expect(prepared.amount + prepared.fee).toBe(own)
    expect(prepared.warnings).toContainEqual(expect.stringMatching(/^Nothing stays in the account/))
    expect(await balanceAt(account.address)).toBe(0n)
    const [value] = await received(to)
    expect(BigInt(value ?? 0)).toBeGreaterThanOrEqual(prepared.amount)
    expect(BigInt(value ?? 0)).toBeLessThan(own)
  })

  it("send payments at once one after another, each with its number", async () => {
    const account = await made({ privateKey: privateKey() })
    await fund(account.address, "10")
    const to = stranger("a")
    const sent = await Promise.all([1n, 2n, 3n, 4n].map((amount) => account.send({ to, amount })))
    expect(sent.map((each) => take(each).prepared.transaction.seqno)).toEqual([0, 1, 2, 3])
    expect(new Set(sent.map((each) => take(each).hash)).size).toBe(4)
    expect((await received(to)).reverse()).toEqual(["1", "2", "3", "4"])
  })

  it("are not paid twice by the same bytes, and tell of a number that is taken", async () => {
    const key = { privateKey: privateKey() }
    const [account, other] = [await made(key), await made(key)]
    await fund(account.address, "10")
    const to = stranger("b")
    const { transaction } = take(await account.prepare({ to, amount: "1" }))
    const { raw } = take(await account.sign(transaction))
    take(await sdk.rpc.sendBocReturnHash({ boc: raw }))
    expect(await refusal(sdk.rpc.sendBocReturnHash({ boc: raw }))).toMatchObject({ _tag: expect.any(String) })
    expect(await received(to)).toEqual(["1000000000"])
    take(await other.send({ to, amount: "1" }))
    expect(await received(to)).toEqual(["1000000000", "1000000000"])
  })

  it("say of tokens that are claimed by a proof that they are, until the account has some", async () => {
    const [token] = await deployJettons(findProgram("ton-sandbox") ?? "", [
      { keeps: false, isMintless: true }
    ])
    if (token === undefined) throw new Error("no token")
    const account = await made({ privateKey: privateKey() })
    await fund(account.address, "5")
    await fund(token.address.toString(), "5")
    // the message that makes the master mints for somebody else
    take(await sdk.rpc.sendBocReturnHash({ boc: token.minting(Address.parseRaw(stranger("e")), 1n) }))
    const pay = { token: token.address.toString(), to: stranger("f"), amount: "1" }
    expect(await refusal(account.sendToken(pay))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining("mintless")
    })
    take(await sdk.rpc.sendBocReturnHash({ boc: token.minting(Address.parse(account.address), 3_000_000n) }))
    take(await account.sendToken({ ...pay, confirmations: 1 }))
    expect(await refusal(account.sendToken({ ...pay, amount: "2.5" }))).toMatchObject({
      _tag: "InsufficientFunds",
      available: "2"
    })
  })

  it.each(["v5", "v4"] as const)(
    "pay tokens from %s with coins for the receiver, and get back what the way did not take",
    async (wallet) => {
      const [token] = await deployJettons(findProgram("ton-sandbox") ?? "", [
        { keeps: false, isMintless: false }
      ])
      if (token === undefined) throw new Error("no token")
      const account = await made({ privateKey: privateKey(), wallet })
      await fund(account.address, "5")
      await fund(token.address.toString(), "5")
      take(
        await sdk.rpc.sendBocReturnHash({ boc: token.minting(Address.parse(account.address), 9_000_000n) })
      )
      const to = stranger(wallet === "v5" ? "2" : "3")
      const before = await balanceAt(account.address)
      const request = { token: token.address.toString(), to, amount: "2.5", forward: "0.05" }
      const prepared = take(await account.prepareToken(request))
      expect(prepared.warnings[1]).toMatch(/^0\.15 TON go with .*: 0\.05 TON of these go on to the receiver/)
      take(await account.submit(prepared, { confirmations: 1 }))
      // the receiver has what was forwarded, and the account what nothing took
      expect(await received(to)).toEqual(["50000000"])
      const spent = before - (await balanceAt(account.address))
      const shown = 150_000_000n + prepared.fee
      expect(spent).toBeGreaterThan(50_000_000n)
      expect(spent).toBeLessThan(shown - 30_000_000n)
    }
  )

  it("pay tokens without coins by a relay, whose wallet hands on what was signed", async () => {
    const [token] = await deployJettons(findProgram("ton-sandbox") ?? "", [
      { keeps: false, isMintless: false }
    ])
    if (token === undefined) throw new Error("no token")
    const relay = makeRelay()
    relay.takes(token.address)
    await fund(relay.address, "5")
    await fund(token.address.toString(), "5")
    // the first account is made by the relay's message, the second one is there already
    for (const isThere of [false, true]) {
      const from = { privateKey: privateKey() }
      const plain = await made(from)
      if (isThere) {
        await fund(plain.address, "1")
        take(await plain.send({ to: stranger("1"), amount: "all", confirmations: 1 }))
      }
      take(await sdk.rpc.sendBocReturnHash({ boc: token.minting(Address.parse(plain.address), 9_000_000n) }))
      const rpc = new Proxy(sdk.rpc, {
        get: (calls, name) =>
          Object.hasOwn(relay.calls, name) ? Reflect.get(relay.calls, name) : Reflect.get(calls, name)
      })
      const account = take(await signer({ ...sdk, rpc } as typeof sdk, from as TonFrom<string>))
      const to = stranger(isThere ? "6" : "9")
      const prepared = take(
        await account.prepareGasless({
          ...{ token: token.address.toString(), to, amount: "2.5" },
          maxCommission: "0.05"
        })
      )
      expect(prepared.outgoing[0]).toMatchObject({ units: 2_530_000n })
      take(await account.submit(prepared, { confirmations: 1 }))
      const holdings = await Promise.all(
        [to, relay.address, plain.address].map(async (owner) => {
          const wallet = token.walletOf(Address.parse(owner)).toRawString()
          const { stack } = take(
            await sdk.rpc.runGetMethod({ address: wallet, method: "get_wallet_data", stack: [] })
          ).result
          return BigInt(String(stack[0]?.[1]))
        })
      )
      expect(holdings).toEqual([2_500_000n, isThere ? 60_000n : 30_000n, 6_470_000n])
    }
  })

  it("say that nothing was sent where the account had too little when it came", async () => {
    const account = await made({ privateKey: privateKey() })
    await fund(account.address, "3")
    const to = stranger("c")
    const prepared = take(await account.prepare({ to, amount: "2.9" }))
    // more than there is, past the preview
    const more = { ...prepared, amount: 2_999_900_000n, fee: 0n }
    const sent = account.submit(
      { ...more, transaction: { ...prepared.transaction, amount: more.amount } },
      { confirmations: 1 }
    )
    expect(await refusal(sent)).toMatchObject({ _tag: "TransactionFailed" })
    expect(await balanceAt(to)).toBe(0n)
    // an account that had more when it was prepared
    const [one, two] = [
      take(await account.prepare({ to, amount: "1.6" })),
      take(await account.prepare({ to, amount: "1.6" }))
    ]
    take(await account.submit(one))
    expect(await refusal(account.submit(two))).toMatchObject({ _tag: "InvalidArgument", call: "submit" })
    expect(await refusal(account.prepare({ to, amount: "1.6" }))).toMatchObject({ _tag: "InsufficientFunds" })
  })

  it("send to contracts so that it comes back, and to those that are not there so that it stays", async () => {
    const account = await made({ privateKey: privateKey() })
    await fund(account.address, "5")
    const there = await made({ privateKey: privateKey() })
    await fund(there.address, "1")
    take(await there.send({ to: there.address, amount: "0.1" }))
    const forms = take(await sdk.rpc.detectAddress(there.address)).result
    const bounceable = forms.bounceable.b64url
    expect(take(await account.prepare({ to: bounceable, amount: "0.1" }))).toMatchObject({
      to: bounceable,
      transaction: { bounce: true }
    })
    expect(take(await account.prepare({ to: there.address, amount: "0.1" })).transaction.bounce).toBe(false)
    const gone = take(await sdk.rpc.detectAddress(stranger("d"))).result
    const prepared = take(await account.prepare({ to: gone.bounceable.b64url, amount: "0.1" }))
    expect(prepared).toMatchObject({ to: gone.non_bounceable.b64url, transaction: { bounce: false } })
    expect(prepared.warnings.join()).toContain("not active")
    take(await account.submit(prepared, { confirmations: 1 }))
    expect(await balanceAt(stranger("d"))).toBe(100_000_000n)
  })
})
