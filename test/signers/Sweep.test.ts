// @runtime both
/** Sweeps of token addresses, over a chain in memory whose accounts can pay, fail and fall behind. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { toPromiseCalls } from "../../src/client/promiseBridge.js"
import type { Network } from "../../src/data/Network.js"
import {
  NodeError,
  SigningFailed,
  TransactionDropped,
  TransactionNotConfirmed
} from "../../src/data/SdkError.js"
import * as Units from "../../src/data/Units.js"
import type { Payment, Prepared, PrepareError, Signer, SubmitError } from "../../src/signers/Signer.js"
import { assembleSigner } from "../../src/signers/SignerDefinition.js"
import { checkBalance, checkFeeCap, sweepableAmount, toFixedAmount } from "../../src/signers/signerChecks.js"
import { prepareSweep, sweepToken, type TokenSweep } from "../../src/signers/sweep.js"
import * as promised from "../../src/sweep.js"

interface Transaction {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly fee: bigint
  readonly token?: string
}

const token = "gold"
const [order, payer, shop] = ["order", "payer", "shop"]

/** A chain in memory, whose fees and failures a test sets. Amounts are in the smallest unit of a coin with six decimals. */
const makeChain = (network: Network = "tron-mainnet") => {
  const decimals = network === "tron-mainnet" ? 6 : 18
  const coins = new Map<string, bigint>()
  const tokens = new Map<string, bigint>()
  const chain = {
    coins,
    tokens,
    coinFee: 2n,
    tokenFee: 100n,
    /** Reads of coins that are still answered by a node that is behind. */
    staleReads: 0,
    staleCoins: new Map<string, bigint>(),
    done: [] as Array<string>,
    /** What happens at each step of an account, before it is done. */
    before: (_step: string): Effect.Effect<void, never> => Effect.void,
    failPrepare: (_address: string, _payment: Payment): PrepareError | undefined => undefined,
    failSign: (_address: string): SubmitError | undefined => undefined,
    failWait: (_address: string): SubmitError | undefined => undefined
  }
  const has = (map: Map<string, bigint>, address: string): bigint => map.get(address) ?? 0n
  const add = (map: Map<string, bigint>, address: string, amount: bigint) =>
    map.set(address, has(map, address) + amount)
  const readCoins = (address: string): bigint => {
    if (chain.staleReads === 0) return has(coins, address)
    chain.staleReads--
    return has(chain.staleCoins, address)
  }
  const account = (address: string, on: Network = network): Signer<Transaction> =>
    assembleSigner<Transaction>(
      {
        network: on,
        address,
        sign: () => Effect.die("nobody signs without sending"),
        signMessage: () => Effect.die("nobody signs a message"),
        prepare: (payment) =>
          Effect.gen(function* () {
            chain.done.push(`${address} prepares`)
            yield* chain.before("prepare")
            const failed = chain.failPrepare(address, payment)
            if (failed !== undefined) return yield* Effect.fail(failed)
            const coin = { address, asset: "TRX", decimals }
            const asset =
              payment.token === undefined
                ? coin
                : { ...coin, asset: "GOLD", token: payment.token, decimals: 2 }
            const held = payment.token === undefined ? readCoins(address) : has(tokens, address)
            const fixed = yield* toFixedAmount(payment.amount, asset.decimals, asset.asset)
            const amount = fixed ?? (yield* sweepableAmount(held, 0n, asset))
            if (payment.token !== undefined) yield* checkBalance(amount, held, asset)
            const fee = payment.token === undefined ? chain.coinFee : chain.tokenFee
            yield* checkFeeCap(fee, payment.maxFee, coin, 10n ** 18n)
            yield* checkBalance(payment.token === undefined ? amount + fee : fee, readCoins(address), coin)
            const prepared: Prepared<Transaction> = {
              network: on,
              from: address,
              to: payment.to,
              ...(payment.token === undefined ? {} : { token: payment.token }),
              amount,
              fee,
              outgoing: [],
              warnings: [],
              transaction: {
                from: address,
                to: payment.to,
                amount,
                fee,
                ...(payment.token === undefined ? {} : { token: payment.token })
              }
            }
            return prepared
          }),
        broadcast: (prepared) =>
          Effect.gen(function* () {
            yield* chain.before("broadcast")
            const failed = chain.failSign(address)
            if (failed !== undefined) return yield* Effect.fail(failed)
            const { amount, fee, to } = prepared.transaction
            add(coins, address, -fee)
            const map = prepared.token === undefined ? coins : tokens
            add(map, address, -amount)
            add(map, to, amount)
            chain.done.push(
              `${address} pays ${amount}${prepared.token === undefined ? "" : " gold"} to ${to}`
            )
            yield* chain.before("paid")
            return { hash: `hash ${chain.done.length}`, prepared }
          }),
        waitForConfirmations: (_, confirmations) =>
          Effect.suspend(() => {
            chain.done.push(`${address} waits for ${confirmations}`)
            const failed = chain.failWait(address)
            return failed === undefined ? Effect.void : Effect.fail(failed)
          })
      },
      {}
    )
  const paid = () => chain.done.filter((each) => each.includes("pays"))
  const sweep: TokenSweep<Transaction> = {
    from: account(order),
    gas: account(payer),
    token,
    to: shop,
    maxGas: 1_000n
  }
  tokens.set(order, 700n)
  coins.set(payer, 10_000n)
  return { chain, account, sweep, paid, has }
}

const away = new NodeError({ kind: "network", call: "read", url: "http://a", reason: "it is away" })

describe("a sweep of an address without coins", () => {
  it.effect("has it paid exactly what is missing, and sends all its tokens", () =>
    Effect.gen(function* () {
      const { chain, paid, sweep } = makeChain()
      chain.coins.set(order, 30n)
      const preview = yield* prepareSweep(sweep)
      expect(preview).toMatchObject({
        network: "tron-mainnet",
        from: order,
        gas: payer,
        shortage: { needed: 100n, available: 30n },
        funding: { from: payer, to: order, amount: 70n, fee: 2n },
        cost: 72n
      })
      // of maxGas, what was spent before is gone
      expect(yield* prepareSweep({ ...sweep, maxGas: 172n }, { spent: 100n })).toMatchObject({ cost: 72n })
      expect(yield* Effect.flip(prepareSweep({ ...sweep, maxGas: 171n }, { spent: 100n }))).toMatchObject({
        _tag: "GasOverCap",
        needed: "0.000172"
      })
      expect(preview.payment).toBeUndefined()
      expect(paid()).toEqual([])
      const { cost, fundings, payment } = yield* sweepToken({ ...sweep, confirmations: 3 })
      expect(cost).toBe(72n)
      expect(fundings.map(({ prepared }) => prepared.amount)).toEqual([70n])
      expect(payment.prepared).toMatchObject({ from: order, to: shop, token, amount: 700n })
      expect(chain.done.slice(-6)).toEqual([
        "payer prepares",
        "payer pays 70 to order",
        "payer waits for 1",
        "order prepares",
        "order pays 700 gold to shop",
        "order waits for 3"
      ])
      expect(chain.coins.get(order)).toBe(0n)
    })
  )

  it.effect("pays a quarter more of what is needed where a base fee may rise", () =>
    Effect.gen(function* () {
      const { sweep } = makeChain("base-mainnet")
      expect(yield* prepareSweep(sweep)).toMatchObject({ funding: { amount: 125n }, cost: 127n })
    })
  )

  it.effect("pays nothing where nothing is missing, and shows the payment of the tokens", () =>
    Effect.gen(function* () {
      const { chain, paid, sweep } = makeChain()
      chain.coins.set(order, 100n)
      const preview = yield* prepareSweep({ ...sweep, amount: "6.5" })
      expect(preview).toMatchObject({ payment: { amount: 650n, token }, cost: 0n })
      expect(preview.funding).toBeUndefined()
      expect(yield* sweepToken(sweep)).toMatchObject({ fundings: [], cost: 0n })
      expect(paid()).toEqual(["order pays 700 gold to shop"])
    })
  )

  it.effect("pays no gas to an address without tokens, or with fewer than are to be sent", () =>
    Effect.gen(function* () {
      const { chain, paid, sweep } = makeChain()
      expect(yield* Effect.flip(sweepToken({ ...sweep, amount: "7.01" }))).toMatchObject({
        _tag: "InsufficientFunds",
        token,
        needed: "7.01",
        available: "7"
      })
      chain.tokens.set(order, 0n)
      expect(yield* Effect.flip(sweepToken(sweep))).toMatchObject({ _tag: "InsufficientFunds", token })
      expect(paid()).toEqual([])
    })
  )

  it.effect("spends no more of its gas account than maxGas, the fee included", () =>
    Effect.gen(function* () {
      const { paid, sweep } = makeChain()
      // 100 are missing, and 2 are the fee of paying them
      for (const maxGas of [100n, 101n, "0.000101"])
        expect(yield* Effect.flip(sweepToken({ ...sweep, maxGas }))).toMatchObject({
          _tag: "GasOverCap",
          address: order,
          gas: payer,
          needed: maxGas === 100n ? "0.000101" : "0.000102",
          asset: "TRX"
        })
      // a fee that is above it is never looked for
      expect(yield* Effect.flip(sweepToken({ ...sweep, maxGas: 99n }))).toMatchObject({
        _tag: "GasOverCap",
        needed: "0.0001"
      })
      expect(paid()).toEqual([])
      expect(yield* sweepToken({ ...sweep, maxGas: 102n })).toMatchObject({ cost: 102n })
    })
  )

  it.effect("fails with the gas account's own error if that has too little", () =>
    Effect.gen(function* () {
      const { chain, paid, sweep } = makeChain()
      chain.coins.set(payer, 101n)
      const error = yield* Effect.flip(sweepToken(sweep))
      expect(error).toMatchObject({ _tag: "InsufficientFunds", address: payer, needed: "0.000102" })
      expect(paid()).toEqual([])
    })
  )

  it.effect("is refused before anything is read where it cannot be one", () =>
    Effect.gen(function* () {
      const { account, chain, sweep } = makeChain()
      const wrong = (value: unknown) => value as never
      const refusals: ReadonlyArray<readonly [typeof sweep & { readonly confirmations?: number }, string]> = [
        [
          { ...sweep, gas: account(payer, "tron-testnet") },
          "from is on tron-mainnet and gas on tron-testnet"
        ],
        [{ ...sweep, gas: account(order) }, "an account that pays its own gas uses sendToken"],
        [{ ...sweep, token: wrong(undefined) }, "token must be text"],
        [{ ...sweep, gas: wrong(undefined) }, "from and gas are signers"],
        [wrong(null), "from and gas are signers"],
        [{ ...sweep, maxGas: "much" }, "must be a decimal number"],
        [{ ...sweep, maxGas: 0n }, "must be above zero"],
        [
          { ...sweep, from: account(order, wrong("nowhere")), gas: account(payer, wrong("nowhere")) },
          "no network"
        ],
        [{ ...sweep, confirmations: 0 }, "confirmations must be"]
      ]
      for (const [bad, words] of refusals)
        expect(String(yield* Effect.flip<unknown, unknown, never>(sweepToken(bad)))).toContain(words)
      expect(chain.done).toEqual([])
    })
  )
})

describe("a sweep that ends after its gas was paid", () => {
  it.effect("says so, and the same call goes on without paying again", () =>
    Effect.gen(function* () {
      const { chain, paid, sweep } = makeChain()
      chain.failPrepare = (address) => (address === order && paid().length > 0 ? away : undefined)
      const error = yield* Effect.flip(sweepToken(sweep))
      expect(error).toMatchObject({
        _tag: "SweepIncomplete",
        address: order,
        gas: payer,
        hashes: [expect.stringMatching(/^hash/)],
        cause: away
      })
      expect(error.message).toContain("payer has paid (hash")
      chain.failPrepare = () => undefined
      expect(yield* sweepToken(sweep)).toMatchObject({ fundings: [], cost: 0n })
      expect(paid()).toEqual(["payer pays 100 to order", "order pays 700 gold to shop"])
    })
  )

  it.effect("goes on after its process died with the gas paid", () =>
    Effect.gen(function* () {
      const { chain, paid, sweep } = makeChain()
      chain.before = (step) => (step === "paid" ? Effect.never : Effect.void)
      const dying = yield* Effect.fork(sweepToken(sweep))
      while (paid().length === 0) yield* Effect.yieldNow()
      yield* Fiber.interrupt(dying)
      chain.before = () => Effect.void
      expect(yield* sweepToken(sweep)).toMatchObject({ fundings: [] })
      expect(paid()).toEqual(["payer pays 100 to order", "order pays 700 gold to shop"])
    })
  )

  it.effect("says that the gas may be there where nobody knows", () =>
    Effect.gen(function* () {
      const { chain, sweep } = makeChain()
      const cause = new TransactionNotConfirmed({ hash: "0x1", confirmations: 0, wanted: 1, timeout: 1_000 })
      chain.failWait = () => cause
      const error = yield* Effect.flip(sweepToken(sweep))
      expect(error).toMatchObject({ _tag: "SweepIncomplete", hashes: [], cause })
      expect(error.message).toContain("payer may have paid gas to order")
    })
  )

  it.effect("fails as the gas account's payment where that is none", () =>
    Effect.gen(function* () {
      for (const error of [
        new SigningFailed({ reason: "the KMS is away" }),
        new TransactionDropped({ hash: "0x1", reason: "its time is over" })
      ]) {
        const { chain, sweep } = makeChain()
        chain.failSign = () => error
        expect(yield* Effect.flip(sweepToken(sweep))).toBe(error)
      }
    })
  )

  it.effect("keeps the gas where its own key does not sign, and else has the error of its payment", () =>
    Effect.gen(function* () {
      const { chain, sweep } = makeChain()
      const unsigned = new SigningFailed({ reason: "the KMS is away" })
      chain.failSign = (address) => (address === order ? unsigned : undefined)
      expect(yield* Effect.flip(sweepToken(sweep))).toMatchObject({
        _tag: "SweepIncomplete",
        cause: unsigned
      })
      // nothing was paid for it now
      expect(yield* Effect.flip(sweepToken(sweep))).toBe(unsigned)
    })
  )

  it.effect("pays more where the fee has risen, up to maxGas in all", () =>
    Effect.gen(function* () {
      const rising = (most: bigint) => {
        const made = makeChain()
        made.chain.before = (step) =>
          Effect.sync(() => {
            if (step === "paid" && made.chain.tokenFee < most) made.chain.tokenFee += 50n
          })
        return made
      }
      const some = rising(150n)
      // 100 and 2, then 50 and 2
      expect(yield* sweepToken({ ...some.sweep, maxGas: 154n })).toMatchObject({ cost: 154n })
      expect(some.paid().slice(0, 2)).toEqual(["payer pays 100 to order", "payer pays 50 to order"])

      const tight = rising(150n)
      const error = yield* Effect.flip(sweepToken({ ...tight.sweep, maxGas: 153n }))
      expect(error).toMatchObject({
        _tag: "SweepIncomplete",
        cause: { _tag: "GasOverCap", needed: "0.000154" }
      })
      expect(tight.paid()).toEqual(["payer pays 100 to order"])

      const endless = rising(10_000n)
      expect(yield* Effect.flip(sweepToken({ ...endless.sweep, maxGas: "1" }))).toMatchObject({
        _tag: "SweepIncomplete",
        cause: { reason: expect.stringContaining("its fee has risen 3 times") }
      })
      expect(endless.paid()).toHaveLength(3)
    })
  )

  it.effect("does not pay twice where a node is behind, and gives up when all stay behind", () =>
    Effect.gen(function* () {
      const behind = (reads: number) => {
        const made = makeChain()
        made.chain.before = (step) =>
          Effect.sync(() => {
            if (step === "paid") made.chain.staleReads = reads
          })
        return made
      }
      const some = behind(3)
      const sweeping = yield* Effect.fork(sweepToken(some.sweep))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(sweeping)).toMatchObject({ cost: 102n })
      expect(some.paid()).toHaveLength(2)

      const all = behind(100)
      const failing = yield* Effect.fork(Effect.flip(sweepToken(all.sweep)))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(failing)).toMatchObject({
        _tag: "SweepIncomplete",
        cause: { reason: expect.stringContaining("no node shows the gas") }
      })
      expect(all.paid()).toHaveLength(1)
    })
  )
})

describe("whatever balances, fees and caps are", () => {
  it.effect(
    "the gas account spends maxGas at most, and all tokens arrive or the error says what was paid",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.record({
              network: fc.constantFrom<Network>("tron-mainnet", "base-mainnet"),
              coins: fc.bigInt(0n, 300n),
              gas: fc.bigInt(0n, 2_000n),
              tokens: fc.bigInt(0n, 50n),
              coinFee: fc.bigInt(1n, 50n),
              tokenFees: fc.array(fc.bigInt(1n, 400n), { minLength: 1, maxLength: 5 }),
              maxGas: fc.bigInt(1n, 1_500n)
            }),
            async ({ coinFee, coins, gas, maxGas, network, tokenFees, tokens }) => {
              const { chain, has, paid, sweep } = makeChain(network)
              chain.coins.set(order, coins)
              chain.coins.set(payer, gas)
              chain.tokens.set(order, tokens)
              chain.coinFee = coinFee
              chain.tokenFee = tokenFees[0] ?? 1n
              let rounds = 0
              chain.before = (step) =>
                Effect.sync(() => {
                  if (step === "paid") chain.tokenFee = tokenFees[++rounds] ?? chain.tokenFee
                })
              const outcome = await Effect.runPromise(Effect.either(sweepToken({ ...sweep, maxGas })))
              const spent = gas - has(chain.coins, payer)
              expect(spent).toBeLessThanOrEqual(maxGas)
              const fundings = paid().filter((each) => each.startsWith(payer))
              if (outcome._tag === "Right") {
                expect(has(chain.tokens, shop)).toBe(tokens)
                expect(outcome.right.cost).toBe(spent)
                expect(outcome.right.fundings).toHaveLength(fundings.length)
              } else {
                expect(has(chain.tokens, order)).toBe(tokens)
                expect(outcome.left._tag === "SweepIncomplete").toBe(spent > 0n)
                if (outcome.left._tag === "SweepIncomplete")
                  expect(outcome.left.hashes).toHaveLength(fundings.length)
              }
              if (tokens === 0n) expect(spent).toBe(0n)
            }
          )
        )
      )
  )
})

describe("sweeps of Promise clients", () => {
  it("do the same over signers whose calls give results", async () => {
    const { paid, sweep } = makeChain()
    const own = { ...sweep, from: toPromiseCalls(sweep.from), gas: toPromiseCalls(sweep.gas) }
    const preview = await promised.prepareSweep(own)
    expect(preview.data).toMatchObject({ funding: { amount: 100n }, cost: 102n })
    const low = await promised.sweepToken({ ...own, maxGas: Units.format(101n, 6) })
    expect(low.error?.cause).toMatchObject({ _tag: "GasOverCap", needed: "0.000102" })
    const swept = await promised.sweepToken(own)
    expect(swept.data?.payment.prepared.transaction).toMatchObject({ token, amount: 700n })
    expect(paid()).toEqual(["payer pays 100 to order", "order pays 700 gold to shop"])
  })
})
