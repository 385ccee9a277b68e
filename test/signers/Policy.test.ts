// @runtime both
/** Policies: what signers ask before they sign, over a family whose parts do what they are told, and over the signers of all families. */
// @covers policies on libraries: bitcoin, solana, tron, ton, xrp, stellar, cosmos, algorand, tezos
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import type { Network } from "../../src/data/Network.js"
import {
  BroadcastUnclear,
  PolicyDenied,
  SigningFailed,
  TransactionFailed,
  TransactionNotConfirmed,
  WalletUnclear
} from "../../src/data/SdkError.js"
import { policy as promised } from "../../src/policy.js"
import * as Algorand from "../../src/signers/Algorand.js"
import * as Bitcoin from "../../src/signers/Bitcoin.js"
import * as Cosmos from "../../src/signers/Cosmos.js"
import * as Evm from "../../src/signers/Evm.js"
import { make, makeMemoryStore, type PolicyRules, type SpendingStore } from "../../src/signers/policyRules.js"
import type {
  ContractCall,
  Payment,
  Policy,
  PolicyRequest,
  Prepared,
  Signer,
  SubmitError
} from "../../src/signers/Signer.js"
import { assembleSigner } from "../../src/signers/SignerDefinition.js"
import * as Solana from "../../src/signers/Solana.js"
import * as Stellar from "../../src/signers/Stellar.js"
import { toSmallestUnit } from "../../src/signers/signerChecks.js"
import * as Tezos from "../../src/signers/Tezos.js"
import * as Ton from "../../src/signers/Ton.js"
import * as Tron from "../../src/signers/Tron.js"
import * as Xrp from "../../src/signers/Xrp.js"

const network = "ethereum-mainnet"
const shop = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
const usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
const ETHER = 10n ** 18n
/** One address each, in two spellings. */
const TRON = {
  base58: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  hex: "41a614f803b6fd780986a42c78ec9c7f77e6ded13c"
}
const TON = {
  user: "EQBlqsm144Dq6SjbPI4jjZvA1hqTIP3CvHovbIfW_t-SCALE",
  raw: "0:65aac9b5e380eae928db3c8e238d9bc0d61a9320fdc2bc7a2f6c87d6fedf9208"
}
const CASH = {
  cash: "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
  legacy: "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu"
}

interface Transaction extends Pick<Payment, "to" | "token"> {
  readonly amount: bigint
  readonly call?: ContractCall
  readonly also?: Prepared<Transaction>["outgoing"]
}

/** A payment of the tests: its fee is always a hundredth of a coin. */
const FEE = ETHER / 100n

const toPrepared = ({ also = [], ...transaction }: Transaction): Prepared<Transaction> => {
  const { amount, to, token } = transaction
  return {
    network,
    from: "me",
    to,
    amount,
    fee: FEE,
    ...(token === undefined ? {} : { token }),
    outgoing: also,
    warnings: [],
    transaction
  }
}

/** A signer that notes what it signs, and ends as it is told. */
const setUp = (policy: Policy, end: () => Effect.Effect<void, SubmitError> = () => Effect.void) => {
  const signed: Array<string> = []
  const messages: Array<string | Uint8Array> = []
  const signer: Signer<Transaction> = assembleSigner<Transaction>(
    {
      network,
      address: "me",
      sign: () => Effect.sync(() => ({ raw: "", hash: String(signed.push("transaction")) })),
      signMessage: (message) =>
        Effect.sync(() => {
          messages.push(message)
          return String(signed.push("message"))
        }),
      readCall: ({ call }) => call,
      prepare: ({ amount, to, token }) =>
        Effect.map(toSmallestUnit(amount, 18, "ETH"), (units) =>
          toPrepared({ to, amount: units, ...(token === undefined ? {} : { token }) })
        ),
      broadcast: (prepared) =>
        Effect.suspend(() => {
          signed.push(`${prepared.amount}`)
          return Effect.as(end(), { hash: `0x${signed.length}`, prepared })
        }),
      waitForConfirmations: () => Effect.void
    },
    { policy }
  )
  return { messages, signed, signer }
}

const denied = (rule: string, reason?: string | RegExp) => ({
  _tag: "PolicyDenied",
  rule,
  network,
  address: "me",
  ...(reason === undefined ? {} : { reason: expect.stringMatching(reason) })
})

const refusalOf = <A, E>(effect: Effect.Effect<A, E>) => Effect.flip(effect)

describe("a limit", () => {
  it.effect("counts the highest fee, and holds for each payment", () =>
    Effect.gen(function* () {
      const { signed, signer } = setUp(yield* make({ limits: [{ network, amount: "1.01" }] }))
      yield* signer.send({ to: shop, amount: "1" })
      expect(yield* refusalOf(signer.send({ to: shop, amount: ETHER + 1n }))).toMatchObject(
        denied("limit", /^it takes up to 1\.010000000000000001 ETH, and at most 1\.01 ETH are allowed$/)
      )
      expect(signed).toEqual([String(ETHER)])
    })
  )

  it.effect("of a span counts what was paid in it, and what may have been", () =>
    Effect.gen(function* () {
      const ends: Array<Effect.Effect<void, SubmitError>> = []
      const policy = yield* make({ limits: [{ network, amount: "3.03", per: "1 day" }] })
      const { signed, signer } = setUp(policy, () => ends.shift() ?? Effect.void)
      const pay = () => signer.send({ to: shop, amount: "1" })
      const hash = "0x1"
      const unclear = new BroadcastUnclear({ hash, raw: "0x", cause: [] } as never)
      ends.push(Effect.fail(new SigningFailed({ reason: "no" })), Effect.fail(unclear))
      expect(yield* refusalOf(pay())).toMatchObject({ _tag: "SigningFailed" })
      expect(yield* refusalOf(pay())).toMatchObject({ _tag: "BroadcastUnclear" })
      yield* TestClock.adjust("12 hours")
      yield* pay()
      yield* pay()
      expect(yield* refusalOf(pay())).toMatchObject(
        denied("limit", /of 3\.03 ETH in 86400 seconds 3\.03 ETH are spent$/)
      )
      yield* TestClock.adjust("12 hours")
      // the first one is as old as the span
      yield* pay()
      expect(yield* refusalOf(pay())).toMatchObject(denied("limit"))
      expect(signed).toHaveLength(5)
    })
  )

  it.effect("is one for all payments at once, and for all signers of the policy", () =>
    Effect.gen(function* () {
      const policy = yield* make({ limits: [{ network, amount: "5.05", per: "1 hour" }] })
      const [one, two] = [setUp(policy), setUp(policy)]
      const paid = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? one : two)),
        ({ signer }) => Effect.either(signer.send({ to: shop, amount: "1" })),
        { concurrency: "unbounded" }
      )
      expect(paid.filter(({ _tag }) => _tag === "Right")).toHaveLength(5)
      expect(one.signed.length + two.signed.length).toBe(5)
    })
  )

  it.effect("of tokens is in their unit, however a node counts them, and their fee needs one of coins", () =>
    Effect.gen(function* () {
      const tokens = { network, token: usdc.toLowerCase(), decimals: 6, amount: "100" } as const
      const policy = yield* make({ limits: [tokens, { network, amount: "0.01" }] })
      const { signer } = setUp(policy)
      const payment = { to: shop, token: usdc }
      yield* signer.sendToken({ ...payment, amount: 100_000_000n })
      expect(yield* refusalOf(signer.sendToken({ ...payment, amount: 100_000_001n }))).toMatchObject(
        denied("limit", /100\.000001 of 0xa0b8/)
      )
      const alone = setUp(yield* make({ limits: [tokens] }))
      expect(yield* refusalOf(alone.signer.sendToken({ ...payment, amount: 1n }))).toMatchObject(
        denied("limit", /^the coin of ethereum-mainnet has no limit/)
      )
      const coins = setUp(yield* make({ limits: [{ network, amount: "1" }] }))
      expect(yield* refusalOf(coins.signer.sendToken({ ...payment, amount: 1n }))).toMatchObject(
        denied("limit", /^0xA0b8.* has no limit/)
      )
      expect([...alone.signed, ...coins.signed]).toEqual([])
    })
  )

  it.effect("counts what a preview lists, and is not lowered by it", () =>
    Effect.gen(function* () {
      const { signed, signer } = setUp(yield* make({ limits: [{ network, amount: "1" }] }))
      const preview = (also: Transaction["also"], amount = 0n) =>
        toPrepared({ to: shop, amount, ...(also === undefined ? {} : { also }) })
      const submit = (also: Transaction["also"], amount?: bigint) =>
        refusalOf(signer.submit(preview(also, amount)))
      expect(yield* submit([{ asset: "ETH", amount: "1.5" }])).toMatchObject(denied("limit", /1\.5 ETH/))
      expect(yield* submit([{ asset: "ETH", amount: "-5" }], ETHER)).toMatchObject(
        denied("limit", /1\.01 ETH/)
      )
      expect(yield* submit([{ asset: "USDC", token: usdc, amount: "1", units: 1n }])).toMatchObject(
        denied("limit", /has no limit/)
      )
      expect(signed).toEqual([])
    })
  )

  it.effect("adds an amount once, however many limits and spellings of its token there are", () =>
    Effect.gen(function* () {
      const per = "1 day"
      const limits = [
        { network, amount: "1", per },
        { network, token: usdc, amount: 10n, per },
        { network, token: usdc.toLowerCase(), amount: 8n, per },
        { network, token: usdc, amount: 9n, per }
      ] as const
      const { signer } = setUp(yield* make({ limits }))
      const pay = (amount: bigint) =>
        signer.submit(
          toPrepared({
            to: shop,
            token: usdc,
            amount,
            also: [{ asset: "USDC", token: usdc.toLowerCase(), amount: "0", units: amount }]
          })
        )
      yield* pay(4n)
      yield* pay(4n)
      expect(yield* refusalOf(pay(1n))).toMatchObject(denied("limit"))

      const both = [limits[0], limits[1], limits[3]]
      const lowest = setUp(yield* make({ limits: both }))
      const more = toPrepared({ to: shop, token: usdc, amount: 5n })
      yield* lowest.signer.submit(more)
      expect(yield* refusalOf(lowest.signer.submit(more))).toMatchObject(denied("limit"))
    })
  )

  it.effect("refuses what a store says is too much, whichever claim it names", () =>
    Effect.gen(function* () {
      const claim = { key: "another", amount: 1n, most: 1n, windowMs: 1_000 }
      const store: SpendingStore = {
        reserve: () => Effect.succeed({ exceeded: { ...claim, spent: 1n }, release: Effect.void })
      }
      const rules: PolicyRules = { limits: [{ network, amount: "1", per: "1 day" }] }
      const { signed, signer } = setUp(yield* make(rules, { store }))
      expect(yield* refusalOf(signer.send({ to: shop, amount: 1n }))).toMatchObject(denied("limit"))
      expect(signed).toEqual([])
    })
  )

  it.effect("refuses all while its store does not say what was spent", () =>
    Effect.gen(function* () {
      const store: SpendingStore = { reserve: () => Effect.fail(new Error("connection refused")) }
      const rules: PolicyRules = { limits: [{ network, amount: "1", per: "1 day" }] }
      const { signed, signer } = setUp(yield* make(rules, { store }))
      expect(yield* refusalOf(signer.send({ to: shop, amount: 1n }))).toMatchObject(
        denied("limit", /connection refused/)
      )
      expect(signed).toEqual([])
    })
  )

  const ends = {
    paid: Effect.void,
    failed: Effect.fail(new TransactionFailed({ hash: "0x", reason: "reverted", receipt: undefined })),
    unconfirmed: Effect.fail(new TransactionNotConfirmed({ hash: "0x", confirmations: 0 } as never)),
    unclear: Effect.fail(new WalletUnclear({ request: {}, detail: "", code: undefined } as never)),
    interrupted: Effect.interrupt,
    crashed: Effect.die("broken"),
    refused: Effect.fail(new SigningFailed({ reason: "no" }))
  }
  type End = keyof typeof ends
  const step = fc.record({
    amount: fc.bigInt(1n, 40n),
    wait: fc.integer({ min: 0, max: 40 }),
    end: fc.constantFrom<End>("paid", "failed", "unconfirmed", "unclear", "interrupted", "crashed", "refused")
  })

  it.effect.prop(
    "never lets more be signed in any span, whatever becomes of the payments, and refuses none that fits",
    [fc.array(step, { maxLength: 12 })],
    ([steps]) =>
      Effect.gen(function* () {
        const most = 100n
        let end: End = "paid"
        const policy = yield* make({
          limits: [
            { network, token: usdc, amount: most, per: 100_000 },
            { network, amount: "1" }
          ]
        })
        const { signed, signer } = setUp(policy, () => ends[end] as Effect.Effect<void, SubmitError>)
        const kept: Array<{ readonly at: number; readonly amount: bigint }> = []
        let now = 0
        for (const { amount, end: next, wait } of steps) {
          yield* TestClock.adjust(wait * 1_000)
          now += wait
          end = next
          const before = signed.length
          yield* Effect.exit(signer.sendToken({ to: shop, token: usdc, amount }))
          const spent = kept.filter(({ at }) => at > now - 100).reduce((sum, each) => sum + each.amount, 0n)
          const isDenied = signed.length === before
          expect(isDenied).toBe(spent + amount > most)
          if (!isDenied && next !== "refused") kept.push({ at: now, amount })
        }
      })
  )
})

describe("a policy", () => {
  it.effect("lets only its recipients be paid, in every spelling, on their networks", () =>
    Effect.gen(function* () {
      const { signed, signer } = setUp(yield* make({ recipients: { [network]: [shop.toLowerCase()] } }))
      yield* signer.send({ to: shop, amount: 1n })
      yield* signer.sendToken({ to: shop, token: usdc, amount: 1n })
      // as a cancellation does
      yield* signer.send({ to: "me", amount: 1n })
      expect(yield* refusalOf(signer.send({ to: other, amount: 1n }))).toMatchObject(
        denied("recipient", /^0x3C44.* is none of the 1 recipients on ethereum-mainnet$/)
      )
      const elsewhere = setUp(yield* make({ recipients: { "polygon-mainnet": [shop] } }))
      expect(yield* refusalOf(elsewhere.signer.send({ to: shop, amount: 1n }))).toMatchObject(
        denied("recipient")
      )
      expect([signed.length, elsewhere.signed.length]).toEqual([3, 0])
    })
  )

  it.effect("knows its recipients and tokens in any spelling that a chain has", () =>
    Effect.gen(function* () {
      const spelled = [
        // [network, as the preview has it, otherwise, somebody else]
        ["tron-mainnet", TRON.base58, TRON.hex, "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8"],
        ["ton-mainnet", TON.user, TON.raw, `0:${"1".repeat(64)}`],
        ["bitcoin-cash-mainnet", CASH.cash, CASH.legacy, "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"]
      ] as const
      for (const [on, to, otherwise, stranger] of spelled) {
        const authorize = (rules: PolicyRules, paid: Partial<Prepared<unknown>>) =>
          Effect.flatMap(make(rules), (policy) =>
            Effect.exit(
              policy.authorize(
                {
                  kind: "payment",
                  network: on,
                  address: "me",
                  prepared: { ...toPrepared({ to, amount: 1n }), network: on, ...paid }
                },
                Effect.void
              )
            )
          )
        const recipients = { [on]: [otherwise] }
        expect(Exit.isSuccess(yield* authorize({ recipients }, {})), on).toBe(true)
        expect(Exit.isFailure(yield* authorize({ recipients }, { to: stranger })), on).toBe(true)
        const limits = [
          { network: on, amount: "1" },
          { network: on, token: otherwise, amount: 5n }
        ]
        const inTokens = (amount: bigint) => authorize({ limits }, { token: to, fee: 1n, amount })
        expect(Exit.isSuccess(yield* inTokens(5n)), on).toBe(true)
        expect(Exit.isFailure(yield* inTokens(6n)), on).toBe(true)
        expect(Exit.isFailure(yield* authorize({ limits }, { token: stranger, fee: 1n })), on).toBe(true)
      }
    })
  )

  it.effect("tells tokens apart that are no addresses", () =>
    Effect.gen(function* () {
      const [on, token] = ["cosmos-mainnet", `ibc/${"AB".repeat(32)}`] as const
      const limits = [
        { network: on, amount: "1" },
        { network: on, token, amount: 5n }
      ]
      const pay = (paid: string) =>
        Effect.flatMap(make({ limits }), ({ authorize }) =>
          Effect.exit(
            authorize(
              {
                kind: "payment",
                network: on,
                address: "me",
                prepared: { ...toPrepared({ to: "you", token: paid, amount: 1n }), network: on, fee: 1n }
              },
              Effect.void
            )
          )
        )
      expect(Exit.isSuccess(yield* pay(token))).toBe(true)
      expect(Exit.isFailure(yield* pay(`ibc/${"CD".repeat(32)}`))).toBe(true)
    })
  )

  it.effect(
    "lets a transaction of Solana call the programs that it names, by the first bytes of instructions",
    () =>
      Effect.gen(function* () {
        const solana = "solana-mainnet"
        const [one, two] = ["11111111111111111111111111111111", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"]
        const transfer = { contract: one, method: "0x0200000005000000" }
        const burn = { contract: two, method: "0x08" }
        const { authorize } = yield* make({
          contracts: [
            { network: solana, address: one, methods: ["0x02000000", "0x0b000000"] },
            { network: solana, address: two, methods: ["0x03", "0x0C"] }
          ]
        })
        const ask = (calls: ReadonlyArray<ContractCall>, call = calls[0]) => {
          const prepared = toPrepared({ to: one, amount: 0n })
          const request = { kind: "payment", network: solana, address: "me", prepared, calls } as const
          return Effect.exit(
            authorize(call === undefined ? request : { ...request, call }, Effect.succeed("signed"))
          )
        }
        expect(Exit.isSuccess(yield* ask([transfer]))).toBe(true)
        expect(
          Exit.isSuccess(yield* ask([transfer, { contract: two, method: "0x0c0100000000000000" }]))
        ).toBe(true)
        // one that is not allowed is enough, wherever it is
        for (const calls of [[burn], [burn, transfer], [transfer, burn], [{ ...transfer, method: "0x02" }]])
          expect(Exit.isFailure(yield* ask(calls))).toBe(true)
        for (const [on, address, method] of [
          [solana, one, "approve(address,uint256)"],
          [solana, one, "0x"],
          [solana, one, "0x010203040506070809"],
          [network, usdc, "0x09"]
        ] as const) {
          const error = yield* Effect.flip(make({ contracts: [{ network: on, address, methods: [method] }] }))
          expect(error).toMatchObject({
            _tag: "InvalidArgument",
            reason: expect.stringContaining(`${method} is no method`)
          })
        }
      })
  )

  it.effect("lets no contract be called, and nothing be signed without a preview, unless it says so", () =>
    Effect.gen(function* () {
      const call = (contract: string | undefined, method: string) =>
        toPrepared({ to: contract ?? "", amount: 0n, call: { contract, method } })
      const closed = setUp(yield* make({}))
      const approve = "0x095ea7b3"
      expect(yield* refusalOf(closed.signer.submit(call(usdc, approve)))).toMatchObject(
        denied("contract", /^0x095ea7b3 of 0xA0b8.* is none of the calls/)
      )
      const transaction = toPrepared({ to: shop, amount: 1n }).transaction
      expect(yield* refusalOf(closed.signer.sign(transaction))).toMatchObject(
        denied("signing", /"transactions"/)
      )
      expect(yield* refusalOf(closed.signer.signMessage("hi"))).toMatchObject(denied("signing", /"messages"/))
      expect(closed.signed).toEqual([])

      const open = setUp(
        yield* make({
          contracts: [
            { network, address: usdc.toLowerCase(), methods: ["approve(address,uint256)", "0xA9059CBB"] },
            { network, address: other },
            { network: "polygon-mainnet", address: shop }
          ],
          signing: ["transactions", "messages"]
        })
      )
      yield* open.signer.submit(call(usdc, approve))
      yield* open.signer.submit(call(usdc, "0xa9059cbb"))
      yield* open.signer.submit(call(other, "0x12345678"))
      for (const each of [call(usdc, "0x23b872dd"), call(shop, approve), call(undefined, "0x60806040")])
        expect(yield* refusalOf(open.signer.submit(each))).toMatchObject(denied("contract"))
      yield* open.signer.sign(transaction)
      yield* open.signer.signMessage("hi")
      expect(open.signed).toHaveLength(5)
    })
  )

  it.effect("signs in its hours, which may go over midnight, in their time zone", () =>
    Effect.gen(function* () {
      // the test clock begins on Thursday, 1 January 1970, at midnight UTC
      const at = (rules: PolicyRules["hours"]) =>
        Effect.map(make(rules === undefined ? {} : { hours: rules }), (policy) =>
          setUp(policy).signer.send({ to: shop, amount: 1n })
        )
      const day = yield* at({ from: "08:00", to: "17:30" })
      const night = yield* at({ from: "22:00", to: "06:00", days: ["wed"] })
      const zurich = yield* at({ from: "01:00", to: "01:30", timeZone: "Europe/Zurich" })
      expect(yield* refusalOf(day)).toMatchObject(denied("hours", /^it signs from 08:00 to 17:30 \(UTC\)/))
      yield* night
      yield* zurich
      yield* TestClock.adjust("8 hours")
      yield* day
      expect(yield* refusalOf(night)).toMatchObject(denied("hours"))
      expect(yield* refusalOf(zurich)).toMatchObject(denied("hours"))
      yield* TestClock.adjust("570 minutes")
      expect(yield* refusalOf(day)).toMatchObject(denied("hours"))
      yield* TestClock.adjust("270 minutes")
      // Thursday at ten in the evening, and Wednesday's night is over
      expect(yield* refusalOf(night)).toMatchObject(denied("hours"))
    })
  )

  it.effect("asks for what needs a confirmation, and takes silence and errors for no", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      let answer: () => boolean | Promise<boolean> = () => true
      const rules: PolicyRules = {
        limits: [{ network, amount: "10", per: "1 day" }],
        signing: ["messages"],
        confirmation: {
          from: [
            { network, amount: "1.01" },
            { network: "polygon-mainnet", amount: "0.1" }
          ],
          ask: (request) => {
            asked.push(request.kind === "payment" ? String(request.prepared.amount) : request.kind)
            return answer()
          }
        }
      }
      const { signed, signer } = setUp(yield* make(rules))
      yield* signer.send({ to: shop, amount: "0.9" })
      expect(asked).toEqual([])
      yield* signer.send({ to: shop, amount: "1" })
      yield* signer.signMessage("hi")
      expect(asked).toEqual([String(ETHER), "message"])
      answer = () => Promise.resolve(false)
      expect(yield* refusalOf(signer.send({ to: shop, amount: "2" }))).toMatchObject(
        denied("confirmation", /^it was not confirmed$/)
      )
      answer = () => Promise.reject(new Error("the phone is off"))
      expect(yield* refusalOf(signer.send({ to: shop, amount: "2" }))).toMatchObject(
        denied("confirmation", /the phone is off/)
      )
      expect(signed).toHaveLength(3)
      // what was not confirmed does not count
      answer = () => true
      yield* signer.send({ to: shop, amount: "8" })
      expect(yield* refusalOf(signer.send({ to: shop, amount: "0.5" }))).toMatchObject(denied("limit"))
    })
  )

  it.effect("asks about what is signed: nobody can make another payment of it meanwhile", () =>
    Effect.gen(function* () {
      const set = (target: object, name: string, value: unknown): void => {
        Object.assign(target, { [name]: value })
      }
      let change: (request: PolicyRequest) => void = () => undefined
      const policy = yield* make({
        signing: ["transactions", "messages"],
        confirmation: {
          ask: async (request) => {
            // after others have run, as after the answer of a person
            await Promise.resolve()
            change(request)
            return true
          }
        }
      })
      const { messages, signed, signer } = setUp(policy)
      const paid: Array<(request: Extract<PolicyRequest, { readonly kind: "payment" }>) => void> = [
        (request) => set(request.prepared, "amount", 9n * ETHER),
        (request) => set(request.prepared.transaction as object, "to", other),
        (request) => set(request.prepared.outgoing, "0", {}),
        (request) => set(request, "prepared", {})
      ]
      for (const each of paid) {
        change = (request) => request.kind === "payment" && each(request)
        const prepared = toPrepared({ to: shop, amount: ETHER, also: [{ asset: "ETH", amount: "1" }] })
        expect(yield* refusalOf(signer.submit(prepared))).toMatchObject(
          denied("confirmation", /read only|extensible/)
        )
        expect(prepared).toEqual(
          toPrepared({ to: shop, amount: ETHER, also: [{ asset: "ETH", amount: "1" }] })
        )
      }
      change = (request) => request.kind === "transaction" && set(request.transaction as object, "to", other)
      expect(yield* refusalOf(signer.sign({ to: shop, amount: ETHER }))).toMatchObject(denied("confirmation"))
      expect(signed).toEqual([])
      // bytes cannot be frozen, and those that are signed are others
      const message = new Uint8Array([1, 2, 3])
      change = (request) => {
        if (request.kind === "message" && request.message instanceof Uint8Array) request.message.fill(9)
        message.fill(7)
      }
      yield* signer.signMessage(message)
      expect(signed).toEqual(["message"])
      expect(messages).toEqual([new Uint8Array([1, 2, 3])])
    })
  )

  it.effect("gives back what counted for a payment that is interrupted while somebody is asked", () =>
    Effect.gen(function* () {
      let isAsked = false
      let answer: boolean | Promise<boolean> = new Promise<boolean>(() => undefined)
      const policy = yield* make({
        limits: [{ network, amount: "1.01", per: "1 day" }],
        confirmation: {
          ask: () => {
            isAsked = true
            return answer
          }
        }
      })
      const { signed, signer } = setUp(policy)
      const fiber = yield* Effect.fork(signer.send({ to: shop, amount: "1" }))
      while (!isAsked) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* Fiber.interrupt(fiber)
      expect(signed).toEqual([])
      answer = true
      yield* signer.send({ to: shop, amount: "1" })
      expect(signed).toHaveLength(1)
    })
  )

  it.effect("sends the bytes of an unclear payment again without a new count", () =>
    Effect.gen(function* () {
      const policy = yield* make({ limits: [{ network, amount: "1.01", per: "1 day" }] })
      let sent = 0
      const prepared = toPrepared({ to: shop, amount: ETHER })
      const unclear = new BroadcastUnclear({ hash: "0x1", raw: "0x", cause: [] } as never)
      const signer = assembleSigner<Transaction>(
        {
          network,
          address: "me",
          sign: () => Effect.succeed({ raw: "0x", hash: "0x1" }),
          signMessage: () => Effect.succeed(""),
          prepare: () => Effect.succeed(prepared),
          broadcast: (given, beforeBroadcast) =>
            Effect.suspend(() => {
              beforeBroadcast({ hash: "0x1", raw: "0x", prepared: given })
              return Effect.fail(unclear)
            }),
          rebroadcast: () => Effect.sync(() => sent++),
          waitForConfirmations: () => Effect.void
        },
        { policy }
      )
      expect(yield* refusalOf(signer.submit(prepared))).toBe(unclear)
      yield* signer.submit(prepared)
      expect(sent).toBe(1)
    })
  )

  it("has its rules checked when it is made", async () => {
    const problems: ReadonlyArray<readonly [unknown, RegExp]> = [
      [undefined, /rules must be an object/],
      [{ limit: [] }, /limit is not an option; did you mean limits/],
      [{ limits: { network, amount: "1" } }, /limits must be a list/],
      [{ limits: [{ network, amount: "1", pre: "1 day" }] }, /limits\[0\].pre is not an option/],
      [{ limits: [{ amount: "1" }] }, /limits\[0\].network is missing/],
      [{ limits: [{ network: "no-such", amount: "1" }] }, /no-such is no network of this package/],
      [{ limits: [{ network, amount: "x" }] }, /decimal number/],
      [{ limits: [{ network, token: usdc, amount: "1" }] }, /needs its decimals/],
      [{ limits: [{ network, amount: "1", per: "a while" }] }, /per is a duration/],
      [{ limits: [{ network, amount: "1", per: 0 }] }, /per is a duration/],
      [{ recipients: { "no-such": [shop] } }, /no-such is no network/],
      [{ recipients: { [network]: shop } }, /must be a list/],
      [
        { recipients: { [network]: [`${shop}0`] } },
        /recipients has 0x.*C80, which is no address of ethereum/
      ],
      // a letter of the other case: its checksum is wrong
      [{ recipients: { [network]: [shop.replace("C", "c")] } }, /no address of ethereum-mainnet/],
      [{ contracts: [{ network, address: "USDC" }] }, /contracts has USDC, which is no address/],
      [{ contracts: [{ network: "no-such", address: usdc }] }, /no-such is no network/],
      [{ contracts: [{ network, address: usdc, methods: ["approve"] }] }, /approve is no method/],
      [{ contracts: [{ network, address: usdc, method: ["approve"] }] }, /method is not an option/],
      [{ contracts: [{ address: usdc }] }, /contracts\[0\].network is missing/],
      [{ signing: ["everything"] }, /signing\[0\] must be "transactions" or/],
      [{ hours: { from: "8:00", to: "17:00" } }, /hours are such as/],
      [{ hours: { from: "08:00" } }, /hours.to is missing/],
      [{ hours: { from: "08:00", to: "17:00", days: ["friday"] } }, /days\[0\] must be "sun" or/],
      [{ hours: { from: "08:00", to: "17:00", timeZone: "Moon" } }, /time zone/i],
      [{ confirmation: {} }, /confirmation.ask is missing/],
      [{ confirmation: { ask: "me" } }, /confirmation.ask must be a function/]
    ]
    for (const [rules, reason] of problems) {
      const made = await promised(rules as PolicyRules)
      expect(made.status, String(reason)).toBe("ERROR")
      expect(made.error?.cause.message).toMatch(reason)
    }
    const made = await promised({ limits: [{ network, amount: "1", per: "1 day" }] })
    expect(made.status).toBe("SUCCESS")
  })
})

const noCalls = new Proxy(
  {},
  {
    get: (_, name) => () => {
      throw new Error(`${String(name)} was called`)
    }
  }
) as never
const mnemonic =
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
const families: Readonly<
  Record<
    string,
    readonly [
      Network,
      (
        client: never,
        from: { readonly mnemonic: string; readonly policy: Policy }
      ) => Effect.Effect<Pick<Signer<never>, "signMessage">, unknown>
    ]
  >
> = {
  algorand: ["algorand-mainnet-algod", Algorand.make],
  bitcoin: ["bitcoin-mainnet", (client, from) => Bitcoin.make(client, { ...from, utxos: noCalls })],
  cosmos: ["cosmos-mainnet", Cosmos.make],
  evm: ["ethereum-mainnet", Evm.make],
  solana: ["solana-mainnet", Solana.make],
  stellar: ["stellar-mainnet", Stellar.make],
  tezos: ["tezos-mainnet", Tezos.make],
  ton: ["ton-mainnet", Ton.make],
  tron: ["tron-mainnet", Tron.make],
  xrp: ["ripple-mainnet", Xrp.make]
}

describe.each(Object.entries(families))("a signer of %s", (_, [id, makeSigner]) => {
  it.effect("consults its policy before the key", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const policy: Policy = {
        authorize: (request) => {
          seen.push(`${request.kind} on ${request.network}`)
          return Effect.fail(new PolicyDenied({ network: id, address: "", rule: "own", reason: "never" }))
        }
      }
      const signer = yield* makeSigner({ network: id, rpc: noCalls } as never, { mnemonic, policy })
      expect(yield* Effect.flip(signer.signMessage("hi"))).toMatchObject({
        _tag: "PolicyDenied",
        rule: "own"
      })
      expect(seen).toEqual([`message on ${id}`])
    })
  )
})

describe("the count in memory", () => {
  it.effect("adds all claims or none", () =>
    Effect.gen(function* () {
      const store = makeMemoryStore()
      const claim = (key: string, amount: bigint) => ({ key, amount, most: 10n, windowMs: 1_000 })
      const first = yield* store.reserve([claim("a", 6n), claim("b", 2n)])
      expect(first.exceeded).toBeUndefined()
      expect(yield* store.reserve([claim("b", 8n), claim("a", 5n)])).toMatchObject({
        exceeded: { key: "a", spent: 6n }
      })
      // nothing of the second was added
      const third = yield* store.reserve([claim("b", 8n)])
      expect(third.exceeded).toBeUndefined()
      yield* first.release
      expect(yield* store.reserve([claim("a", 10n)])).not.toHaveProperty("exceeded")
      expect(yield* store.reserve([claim("b", 3n)])).toMatchObject({ exceeded: { key: "b", spent: 8n } })
    })
  )
})
