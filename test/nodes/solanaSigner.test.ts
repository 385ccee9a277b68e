// @covers payments on Surfpool: solana
// @covers tokens on Surfpool: solana
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Sdk from "../../src/client/Sdk.js"
import * as Units from "../../src/data/Units.js"
import * as Solana from "../../src/entries/effect/signers/Solana.js"
import { signer } from "../../src/entries/signers/Solana.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Surfpool from "../../src/sandbox/nodes/Surfpool.js"
import { findAssociatedAccount } from "../../src/signers/solana/kit.js"
import { nodeLimits } from "../nodeLimits.js"
import { refusal, take } from "../results.js"
import { startLeader } from "./leader.js"
import { extension, feeConfig, holdingData, mintData } from "./mints.js"
import { type Front, requireBinary, startFront } from "./process.js"

const surfpool = requireBinary("surfpool", "signers of Solana on a real node")

const mnemonic = "test test test test test test test test test test test junk"
const token = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
const token2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
const once = { confirmations: 1 }

let next = 1
/** An address that nobody has used. */
const anyone = async (): Promise<string> =>
  (await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(next++))).address

describe.runIf(surfpool !== undefined)("signers of Solana on Surfpool", () => {
  const scope = Effect.runSync(Scope.make())
  let node: Surfpool.SurfpoolNode
  let seen: Front
  let sdk: PromiseSdk<"solana-devnet">

  const fund = (address: string, amount: string) => Effect.runPromise(node.fund(address, amount))
  const made = async (index: number, amount = "10") => {
    const account = take(await signer(sdk, { mnemonic, index }))
    await fund(account.address, amount)
    return account
  }
  const lamports = async (address: string): Promise<bigint> =>
    take(await sdk.rpc.getBalance(address, { commitment: "confirmed" })).value
  const tokens = async (address: string): Promise<string> =>
    take(await sdk.rpc.getTokenAccountBalance(address, { commitment: "confirmed" })).value.amount
  const cheat = async (method: string, ...params: ReadonlyArray<unknown>) =>
    take(await sdk.rpc.rawRpcCall({ method, params }))
  const put = (address: string, owner: string, data: Buffer) =>
    cheat("surfnet_setAccount", address, {
      lamports: (data.length + 128) * 6_960,
      data: data.toString("hex"),
      owner,
      executable: false
    })

  beforeAll(async () => {
    // a transaction is valid for 150 slots, within which a busy machine has to confirm it
    node = await Effect.runPromise(Scope.extend(Surfpool.start({ slotTime: 60 }), scope))
    seen = await startFront(node.url)
    sdk = await init({
      network: "solana-devnet",
      rpc: { nodes: [{ url: seen.url }] },
      quiet: true,
      ...nodeLimits
    })
  })
  afterAll(async () => {
    await sdk?.destroy()
    await seen?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("pays, and takes exactly what its preview says", async () => {
    const alice = await made(0)
    const receiver = await anyone()
    const prepared = take(await alice.prepare({ to: receiver, amount: "1.5", memo: "for the rent" }))
    expect(prepared).toMatchObject({
      from: alice.address,
      amount: 1_500_000_000n,
      fee: 5_000n,
      outgoing: [{ asset: "SOL", amount: "1.500005" }],
      warnings: ["The receiver has no account yet: this payment makes it."]
    })
    expect(seen.count("sendTransaction")).toBe(0)
    const sent = take(await alice.submit(prepared, once))
    expect(await lamports(receiver)).toBe(1_500_000_000n)
    expect(await lamports(alice.address)).toBe(10_000_000_000n - 1_500_000_000n - 5_000n)
    const balances = take(await sdk.address.getBalance({ addresses: [receiver], tokenTypes: ["native"] }))
    expect(balances).toMatchObject([{ asset: "SOL", balance: "1.5" }])
    const found = take(
      await sdk.rpc.getTransaction(sent.hash, { commitment: "confirmed", encoding: "jsonParsed" })
    )
    expect(found).toMatchObject({
      meta: { err: null, fee: 5_000n },
      transaction: {
        message: {
          instructions: [
            { programId: "ComputeBudget111111111111111111111111111111" },
            { program: "spl-memo", parsed: "for the rent" },
            { program: "system", parsed: { info: { destination: receiver, lamports: 1_500_000_000n } } }
          ]
        }
      }
    })
  })

  it("pays as often as it is told to, also where payments are equal", async () => {
    const alice = await made(1)
    const receiver = await anyone()
    const all = await Promise.all(
      Array.from({ length: 5 }, () => alice.send({ to: receiver, amount: 7_000_000n, ...once }))
    )
    expect(new Set(all.map((each) => take(each).hash)).size).toBe(5)
    expect(await lamports(receiver)).toBe(35_000_000n)
  })

  it("refuses before it signs what the node would refuse, and empties an account", async () => {
    const alice = await made(2, "1")
    const receiver = await anyone()
    expect(await refusal(alice.prepare({ to: receiver, amount: 890_879n }))).toMatchObject({
      _tag: "DustAmount",
      amount: "0.000890879",
      least: "0.00089088"
    })
    expect(await refusal(alice.prepare({ to: receiver, amount: "2" }))).toMatchObject({
      _tag: "InsufficientFunds",
      available: "1"
    })
    // less than what an account must keep would be left
    expect(await refusal(alice.prepare({ to: receiver, amount: "0.9999" }))).toMatchObject({
      _tag: "InsufficientFunds",
      needed: "1.00079588",
      available: "1"
    })
    const kept = take(await alice.prepare({ to: receiver, amount: 1_000_000_000n - 890_880n - 5_000n }))
    expect(kept.warnings).toHaveLength(1)
    take(await alice.send({ to: receiver, amount: "all", ...once }))
    expect(await lamports(alice.address)).toBe(0n)
    expect(await lamports(receiver)).toBe(999_995_000n)
  })

  it("sends tokens, and makes the receiver's account once", async () => {
    const alice = await made(3)
    const receiver = await anyone()
    const mint = await anyone()
    await put(mint, token, mintData())
    expect(await refusal(alice.prepare({ token: mint, to: receiver, amount: "1" }))).toMatchObject({
      _tag: "InsufficientFunds",
      asset: expect.stringMatching(new RegExp(`^solana:\\w+/token:${mint}$`)),
      needed: "1",
      available: "0"
    })
    await cheat("surfnet_setTokenAccount", alice.address, mint, { amount: 5_000_000 }, token)
    const before = await lamports(alice.address)
    const prepared = take(await alice.prepare({ token: mint, to: receiver, amount: "1.25" }))
    expect(prepared).toMatchObject({
      amount: 1_250_000n,
      outgoing: [
        {
          asset: expect.stringContaining(`/token:${mint}`),
          token: mint,
          amount: "1.25",
          units: 1_250_000n,
          decimals: 6
        },
        { asset: "SOL", amount: "0.00204428" }
      ],
      warnings: ["The receiver has no account for the token yet: making it takes 0.00203928 SOL."]
    })
    take(await alice.submit(prepared, once))
    const theirs = await findAssociatedAccount(receiver, mint, token)
    expect(await tokens(theirs)).toBe("1250000")
    expect(before - (await lamports(alice.address))).toBe(2_044_280n)
    const balances = take(
      await sdk.rpc.getTokenAccountsByOwner(
        receiver,
        { mint },
        { encoding: "jsonParsed", commitment: "confirmed" }
      )
    )
    expect(balances.value).toMatchObject([
      { pubkey: theirs, account: { data: { parsed: { info: { tokenAmount: { uiAmountString: "1.25" } } } } } }
    ])
    // the account is there now; it is known by its own address, too
    for (const to of [receiver, theirs]) {
      const again = take(await alice.prepare({ token: mint, to, amount: "0.5" }))
      expect(again.outgoing[1]).toEqual({ asset: "SOL", amount: "0.000005" })
      expect(again.warnings).toEqual([])
      take(await alice.submit(again, once))
    }
    expect(await tokens(theirs)).toBe("2250000")
    expect(await refusal(alice.prepare({ token: mint, to: receiver, amount: "9" }))).toMatchObject({
      _tag: "InsufficientFunds",
      available: "2.75"
    })
    expect(await refusal(alice.prepare({ token: await anyone(), to: theirs, amount: "1" }))).toMatchObject({
      _tag: "InvalidArgument"
    })
  })

  it("sends tokens of Token-2022, whose accounts are as long as their mint wants them", async () => {
    const alice = await made(4)
    const receiver = await anyone()
    const [plain, withFee] = [await anyone(), await anyone()]
    await put(plain, token2022, mintData())
    await put(withFee, token2022, mintData(feeConfig()))
    const mark = extension(7, Buffer.alloc(0))
    const kept = extension(2, Buffer.alloc(8))
    for (const [mint, extensions, rent, arrives] of [
      [plain, mark, 2_074_080n, "1000000"],
      [withFee, Buffer.concat([mark, kept]), 2_157_600n, "999000"]
    ] as const) {
      const own = await findAssociatedAccount(alice.address, mint, token2022)
      await put(own, token2022, holdingData(mint, alice.address, 3_000_000n, extensions))
      const before = await lamports(alice.address)
      const prepared = take(await alice.prepare({ token: mint, to: receiver, amount: "1" }))
      expect(prepared.warnings).toHaveLength(mint === withFee ? 2 : 1)
      take(await alice.submit(prepared, once))
      expect(before - (await lamports(alice.address))).toBe(rent + 5_000n)
      expect(prepared.outgoing[1]?.amount).toBe(Units.format(rent + 5_000n, 9))
      expect(await tokens(await findAssociatedAccount(receiver, mint, token2022))).toBe(arrives)
    }
  })

  it("finds what it has sent where the answers get lost, and pays once", async () => {
    let lost = 0
    const lossy = await startFront(node.url, async (method) => method === "sendTransaction" && lost++ < 3)
    const alone = await init({
      network: "solana-devnet",
      rpc: { nodes: [{ url: lossy.url }] },
      quiet: true,
      ...nodeLimits
    })
    const bob = take(await signer(alone, { mnemonic, index: 5 }))
    await fund(bob.address, "2")
    const receiver = await anyone()
    const { hash } = take(await bob.send({ to: receiver, amount: "0.5", ...once }))
    expect(lost).toBeGreaterThan(0)
    expect(await lamports(receiver)).toBe(500_000_000n)
    expect(await lamports(bob.address)).toBe(1_499_995_000n)
    expect(take(await sdk.rpc.getSignatureStatuses([hash])).value[0]).toMatchObject({ err: null })
    await alone.destroy()
    await lossy.close()
  })

  it("pays with Effect, by a layer and by a signer of kit", async () => {
    class Devnet extends Sdk.Tag("Devnet", "solana-devnet")<Devnet>() {}
    class Payments extends Context.Tag("test/Payments")<Payments, Solana.SolanaSigner>() {}
    const kit = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(200))
    await fund(kit.address, "3")
    const receiver = await anyone()
    const mint = await anyone()
    await put(mint, token, mintData())
    await cheat("surfnet_setTokenAccount", kit.address, mint, { amount: 5_000_000 }, token)
    const live = Solana.layer(Payments, Devnet, { kit }).pipe(
      Layer.provideMerge(Devnet.layer({ rpc: { nodes: [{ url: seen.url }] } })),
      Layer.provide(NodeHttpClient.layerUndici)
    )
    const program = Effect.gen(function* () {
      const payments = yield* Payments
      const { rpc } = yield* Devnet
      yield* payments.send({ to: receiver, amount: "1", ...once })
      yield* payments.sendToken({ token: mint, to: receiver, amount: "2", ...once })
      return yield* rpc.getBalance(receiver, { commitment: "confirmed" })
    })
    expect((await Effect.runPromise(Effect.provide(program, live))).value).toBe(1_000_000_000n)
    expect(await tokens(await findAssociatedAccount(receiver, mint, token))).toBe("2000000")
  })
})

describe.runIf(surfpool !== undefined)("payments to a leader that takes the best payers first", () => {
  const scope = Effect.runSync(Scope.make())
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  /** A chain behind a leader, and its signers. Slots are milliseconds long: a payment is valid for 150 of them. */
  const open = async (slotTime: number) => {
    const node = await Effect.runPromise(Scope.extend(Surfpool.start({ slotTime }), scope))
    const leader = await startLeader(node.url)
    const sdk = await init({
      network: "solana-devnet",
      rpc: { nodes: [{ url: leader.url }] },
      quiet: true,
      ...nodeLimits
    })
    const made = async (index: number) => {
      const account = take(await signer(sdk, { mnemonic, index }))
      await Effect.runPromise(node.fund(account.address, "10"))
      return account
    }
    const isThere = async (hash: string) => take(await sdk.rpc.getSignatureStatuses([hash])).value[0] !== null
    const close = async () => {
      await sdk.destroy()
      await leader.close()
    }
    return { close, isThere, leader, made, sdk }
  }

  it("lands those with the fee, and lets those without it wait", async () => {
    // a minute and a half: the rounds of this test are over before a payment expires
    const { close, isThere, leader, made, sdk } = await open(600)
    const [rival, alice, bob, carol] = await Promise.all([20, 21, 22, 23].map(made))
    if (rival === undefined || alice === undefined || bob === undefined || carol === undefined)
      throw new Error("four accounts were made")
    const to = rival.address
    let rivals = 0
    /** Payments of others, at these prices. */
    const crowd = async (...prices: ReadonlyArray<bigint>) => {
      const { value } = take(await sdk.rpc.getLatestBlockhash({ commitment: "confirmed" }))
      for (const computeUnitPrice of prices) {
        const amount = 1_000n + BigInt(rivals++)
        const transaction = { from: to, to, amount, computeUnitLimit: 1_000, computeUnitPrice }
        leader.offer(take(await rival.sign({ ...transaction, ...value })).raw)
      }
    }
    for (const price of [400_000n, 500_000n, 600_000n]) {
      await crowd(price, price + 1n, price + 2n)
      expect((await leader.playRound(3)).size).toBe(3)
    }
    const payment = { to, amount: 1_000_000n }
    const [normal, slow, free] = await Promise.all([
      alice.prepare(payment),
      bob.prepare({ ...payment, speed: "slow" }),
      // its cap leaves nothing for others to be outbid with
      carol.prepare({ ...payment, speed: "fast", maxFee: 5_000n })
    ]).then((all) => all.map(take))
    if (normal === undefined || slow === undefined || free === undefined)
      throw new Error("three were prepared")
    expect(normal.transaction.computeUnitPrice).toBe(500_000n)
    expect(slow.transaction.computeUnitPrice).toBe(400_000n)
    expect(free.transaction.computeUnitPrice).toBeUndefined()
    expect(free.warnings).toEqual([expect.stringMatching(/^Others pay a higher priority fee now/)])
    const sending = [alice.submit(normal, once), bob.submit(slow, once), carol.submit(free, once)] as const
    await leader.waitFor(3)
    await crowd(450_000n, 450_001n, 450_002n)
    const first = [...(await leader.playRound(3)).keys()]
    const landed = take(await sending[0])
    expect(first).toContain(landed.hash)
    const found = take(
      await sdk.rpc.getTransaction(landed.hash, { commitment: "confirmed", encoding: "jsonParsed" })
    )
    const { computeUnitsConsumed = 0n, fee = 0n } = found?.meta ?? {}
    expect(computeUnitsConsumed > 0n).toBe(true)
    expect(computeUnitsConsumed <= BigInt(normal.transaction.computeUnitLimit ?? 0)).toBe(true)
    // Surfpool takes the base fee alone
    expect(fee).toBe(5_000n)
    expect(normal.fee > fee).toBe(true)
    // one of the crowd is left, and one at the lowest price of all that pay
    const second = [...(await leader.playRound(2)).keys()]
    const late = take(await sending[1])
    expect(second).toContain(late.hash)
    await crowd(450_003n, 450_004n)
    const third = [...(await leader.playRound(2)).keys()]
    const [last] = leader.listWaiting()
    if (last === undefined) throw new Error("nothing waits")
    expect([...first, ...second, ...third]).not.toContain(last)
    expect(await isThere(last)).toBe(false)
    expect([...(await leader.playRound(9)).keys()]).toEqual([last])
    expect(take(await sending[2]).hash).toBe(last)
    await close()
  })

  it("sends the same bytes again until they have expired, and nothing lands after that", async () => {
    const { close, isThere, leader, made } = await open(60)
    const alice = await made(24)
    const refused = await refusal(alice.send({ to: await anyone(), amount: "1", ...once }))
    expect(refused).toMatchObject({ _tag: "TransactionExpired" })
    const { hash, height, lastValidBlockHeight } = Object(refused)
    expect(height > lastValidBlockHeight).toBe(true)
    expect([...leader.received.keys()]).toEqual([hash])
    expect(leader.received.get(hash)).toBeGreaterThan(2)
    // the leader changes its mind too late
    const said = await leader.playRound(1)
    expect(JSON.stringify(said.get(hash))).toMatch(/blockhash/i)
    expect(await isThere(hash)).toBe(false)
    await close()
  })
})
