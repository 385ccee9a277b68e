/** Durable EVM transactions, in one process over a file, on anvil. */
// @covers orders on anvil: evm
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import { SdkError } from "effect-chains"
import type { EvmSigner, EvmTransaction } from "effect-chains/effect/signers/Evm"
import { make as makePolicy, type PolicyRequest } from "effect-chains/effect/signers/policy"
import { describe, expect } from "vitest"
import { startProxy } from "../../../test/nodes/rpcProxy.js"
import * as EvmTransactions from "../src/EvmTransactions.js"
import { digestOf, Outcome, PlanText } from "../src/evm/Order.js"
import { accountOf, EvmSend } from "../src/evm/SendWorkflow.js"
import * as Ledger from "../src/Ledger.js"
import * as Spending from "../src/Spending.js"
import { ask, network, to } from "./evm.js"
import { listSigned, send, submit, testOnChain, until, untilNonce, untilSigned } from "./evmChain.js"

describe("durable EVM transactions", () => {
  testOnChain(
    "are not made after their end was written, by a runner that died before it could say so",
    async ({ account, mining }) => {
      const { mined, order, runs } = await account()
      const refused = order("late")
      const poor = new SdkError.InsufficientFunds({
        address: refused.from,
        available: "0",
        needed: "1",
        asset: "ETH"
      })
      const outcome = await runs(
        Effect.gen(function* () {
          const ledger = Ledger.make(yield* SqlClient.SqlClient)
          const entry = { network, address: refused.from, key: refused.key }
          yield* ledger.findOrCreate(entry, refused.key, digestOf(refused))
          yield* ledger.recordEnd(entry, Schema.encodeSync(Outcome)(Either.left(poor)))
          return yield* mining(Effect.either(EvmSend.execute({ order: refused })))
        })
      )
      expect(Either.isLeft(outcome) && outcome.left._tag).toBe("InsufficientFunds")
      expect(await mined()).toEqual([])
    }
  )

  testOnChain(
    "are made once each, however often they are asked for, with nonces in a row",
    async ({ account, mining }) => {
      const { mined, order, runs } = await account()
      const twenty = [...Array(20).keys()]
      const results = await runs(
        mining(
          Effect.forEach([...twenty, ...twenty], (i) => send(order(`a${i}`, BigInt(i + 1))), {
            concurrency: "unbounded"
          })
        )
      )
      expect(new Set(results.map(({ hash }) => hash)).size).toBe(20)
      expect(new Set(results.map(({ nonce }) => nonce))).toEqual(new Set(twenty))
      const there = await mined()
      expect(there.map(({ nonce }) => Number(nonce))).toEqual(twenty)
      expect(new Set(there.map(({ value }) => BigInt(value)))).toEqual(
        new Set(twenty.map((i) => BigInt(i + 1)))
      )
    }
  )

  testOnChain(
    "refuse a key that was used for something else, and tell again what came of the same",
    async ({ account, mining }) => {
      const { mined, order, runs } = await account()
      const first = await runs(mining(send(order("invoice-7", "0.5"))))
      // another process, on the same store
      const [again, refusal, other] = await runs(
        Effect.all([
          send(order("invoice-7", "0.5")),
          Effect.flip(send(order("invoice-7", "0.6"))),
          // the smallest unit and whole coins are not the same
          Effect.flip(submit(order("invoice-7", 5n)))
        ])
      )
      expect(again).toEqual(first)
      expect(refusal).toMatchObject({ _tag: "KeyReused", key: "invoice-7" })
      expect(other).toMatchObject({ _tag: "KeyReused" })
      expect(await mined()).toHaveLength(1)
    }
  )

  testOnChain("refuse what cannot be an order, before anything is kept", async ({ account }) => {
    const { address, order, runs } = await account()
    const good = order("good")
    const payment = { to, amount: 1n }
    const bad: ReadonlyArray<readonly [EvmTransactions.Order, string]> = [
      [{ ...good, key: "two words" }, "key must be"],
      [{ ...good, key: "" }, "key must be"],
      // what no types would let through comes as data from elsewhere
      [
        JSON.parse(
          JSON.stringify({ key: "k", network: "ethereum", from: address, payment: { to, amount: "1" } })
        ),
        "network must be the id"
      ],
      [
        JSON.parse(
          JSON.stringify({ key: "k", network: "solana-mainnet", from: address, payment: { to, amount: "1" } })
        ),
        "network must be the id"
      ],
      [{ ...good, from: "0x12" }, "from must be an address"],
      [{ ...good, from: to }, "none of the accounts"],
      [{ ...good, confirmations: 0 }, "confirmations must be"],
      [{ ...good, payment: { to, amount: "1e3" } }, "payment.amount must be"],
      [{ ...good, payment: { to, amount: "15n" } }, "payment.amount must be"],
      [{ ...good, payment, transaction: { to } }, "either payment or transaction"],
      // options of signers that a fleet does not have
      [
        { ...good, payment: { ...payment, private: true } as EvmTransactions.Order["payment"] },
        "payment.private"
      ],
      [{ ...good, nonce: 7 } as EvmTransactions.Order, "nonce"],
      [{ key: "k", network, from: address }, "either payment or transaction"]
    ]
    const [refusals, rows] = await runs(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const all = yield* Effect.forEach(bad, ([each]) => Effect.flip(submit(each)))
        return [all, yield* sql`SELECT key FROM fleet_transactions`] as const
      })
    )
    for (const [i, [, words]] of bad.entries()) {
      expect(refusals[i], words).toMatchObject({ _tag: "InvalidArgument" })
      expect(String(refusals[i]?.message)).toContain(words)
    }
    expect(rows).toEqual([])
  })

  testOnChain(
    "end by what the signer refuses, with no nonce taken, and the same for the same key",
    async ({ account, mining }) => {
      const { order, runs } = await account()
      const poor = await runs(Effect.flip(send(order("too-much", "1000000"))))
      expect(poor).toMatchObject({ _tag: "InsufficientFunds" })
      const capped = { ...order("capped"), payment: { to, amount: 1n, maxFee: 1n } }
      const [again, overCap, fine] = await runs(
        Effect.all([
          Effect.flip(send(order("too-much", "1000000"))),
          Effect.flip(send(capped)),
          mining(send(order("fine")))
        ])
      )
      expect(again).toEqual(poor)
      expect(overCap).toMatchObject({ _tag: "FeeOverCap" })
      expect(fine).toMatchObject({ nonce: 0 })
    }
  )

  testOnChain(
    "are no more than the policy of their account allows, over restarts and with the highest fee",
    async ({ account, mining }) => {
      const unit = 10n ** 15n
      const rules = Effect.flatMap(Spending.makeStore({ name: "treasury" }), (store) =>
        makePolicy(
          {
            limits: [
              { network, amount: 5n * unit },
              { network, amount: 55n * unit, per: "1 day" }
            ],
            recipients: { [network]: [to] },
            contracts: [{ network, address: to, methods: ["0x12345678"] }]
          },
          { store }
        )
      )
      const { mined, order, runs } = await account({ rules })
      // each of them counts with its highest fee, for which there is room to be bumped: five units
      const each = (key: string) => ({ ...order(key), payment: { to, amount: 3n * unit, maxFee: 2n * unit } })
      const keys = [...Array(14).keys()].map((i) => `p${i}`)
      const outcomes = await runs(
        mining(Effect.forEach(keys, (key) => Effect.either(send(each(key))), { concurrency: "unbounded" }))
      )
      const paid = outcomes.filter(Either.isRight)
      expect(paid).toHaveLength(11)
      const refused = outcomes.flatMap((outcome) => (Either.isLeft(outcome) ? [outcome.left] : []))
      for (const error of refused) expect(error).toMatchObject({ _tag: "PolicyDenied", rule: "limit" })
      // no nonce was taken by what was refused
      expect((await mined()).map(({ nonce }) => Number(nonce)).sort((a, b) => a - b)).toEqual([
        ...Array(11).keys()
      ])

      // another process with the same database
      const cheap = { maxFee: unit / 10n }
      const others = await runs(
        Effect.forEach(
          [
            each("again"),
            each(keys[outcomes.findIndex(Either.isLeft)] ?? ""),
            { ...order("other"), payment: { to: `0x${"c".repeat(40)}`, amount: 1n, ...cheap } },
            { ...order("dear"), payment: { to, amount: 4n * unit, maxFee: 2n * unit } },
            {
              key: "call",
              network: "ethereum-mainnet" as const,
              from: order("").from,
              transaction: { to, data: "0x87654321", ...cheap }
            }
          ],
          (given) => Effect.flip(send(given))
        )
      )
      expect(others.map((error) => Reflect.get(error, "rule"))).toEqual([
        "limit",
        "limit",
        "recipient",
        "limit",
        "contract"
      ])
      expect(await mined()).toHaveLength(11)
    }
  )

  testOnChain(
    "count nothing of what could not be prepared or kept, and are signed as they were allowed",
    async ({ account, mining }) => {
      const asked: Array<PolicyRequest> = []
      const rules = makePolicy({
        limits: [{ network, amount: 10n ** 15n, per: "1 day" }],
        confirmation: {
          ask: (request) => {
            asked.push(request)
            if (request.kind === "payment")
              Object.assign(request.prepared.transaction as object, { to: network })
            return true
          }
        }
      })
      const { mined, order, runs } = await account({ rules })
      const given = (key: string) => ({ ...order(key), payment: { to, amount: 1n, maxFee: 10n ** 15n - 1n } })
      const outcome = await runs(
        Effect.gen(function* () {
          yield* Effect.flip(send({ ...given("poor"), payment: { to, amount: 10n ** 30n } }))
          return yield* mining(Effect.all([send(given("one")), Effect.flip(send(given("two")))]))
        })
      )
      expect(outcome).toMatchObject([{ nonce: 0 }, { _tag: "PolicyDenied", rule: "limit" }])
      expect(asked).toMatchObject([{ prepared: { amount: 1n, fee: 10n ** 15n - 1n } }])
      expect(await mined()).toMatchObject([{ to: to.toLowerCase() }])
    }
  )

  testOnChain(
    "raise the fee of the first one that no block takes, at the same nonce and once in the chain",
    async ({ account, mine, mining }) => {
      const { mined, order, runs } = await account()
      const [result, behind, bytes] = await runs(
        Effect.gen(function* () {
          const sending = yield* Effect.fork(send(order("slow")))
          yield* untilSigned(1)
          const second = yield* Effect.fork(send(order("behind")))
          yield* untilSigned(5)
          const all = yield* listSigned
          yield* Effect.promise(() => mine())
          return [yield* sending, yield* mining(second), all] as const
        }),
        { bumpFeeAfter: "500 millis", maxFeeMultiplier: 10 }
      )
      expect(new Set(bytes.map(({ hash }) => hash)).size).toBe(bytes.length)
      // those behind it wait for it, and not for their fees
      expect(bytes.filter(({ nonce }) => nonce === 1n)).toHaveLength(1)
      expect((await mined()).map(({ hash }) => hash)).toEqual([result.hash, behind.hash])
    }
  )

  testOnChain(
    "raise the fee no further than the order or the policy lets them",
    async ({ account, counting, mining }) => {
      const { by, more } = await counting()
      const { order, runs } = await account({ by })
      const fees = Effect.map(listSigned, (all) =>
        all.map(({ plan }) => {
          const { gas, maxFeePerGas = 0n } = Schema.decodeSync(PlanText)(plan).transaction
          return gas * maxFeePerGas
        })
      )
      /** Until the fee was not raised, though it was asked for what would raise it again and again. */
      const raised = Effect.gen(function* () {
        yield* untilSigned(1)
        for (;;) {
          const before = yield* fees
          yield* more("eth_gasPrice", 4)
          if ((yield* fees).length === before.length) return before
        }
      })
      const [policy, own, maxFee] = await runs(
        Effect.gen(function* () {
          const first = yield* Effect.fork(send(order("policy")))
          const before = yield* raised
          yield* mining(first)
          const [fee = 0n] = before
          const most = fee * 3n
          const second = yield* Effect.fork(
            send({ ...order("own"), payment: { to, amount: 1n, maxFee: most } })
          )
          yield* untilSigned(before.length + 1)
          const after = (yield* raised).slice(before.length)
          yield* mining(second)
          return [before, after, most] as const
        }),
        { bumpFeeAfter: "100 millis", maxFeeMultiplier: 1.5 }
      )
      const [preview = 0n] = policy
      // an eighth more each time: a fourth step would be 1.6 times as much
      expect(policy).toHaveLength(4)
      expect(policy.every((fee) => fee <= (preview * 3n) / 2n)).toBe(true)
      const [least = 0n] = own
      expect(own.some((fee) => fee > (least * 3n) / 2n)).toBe(true)
      expect(own.every((fee) => fee <= maxFee)).toBe(true)
    }
  )

  testOnChain(
    "hand to nodes what is kept and nothing else, which may be what another runner has kept",
    async ({ account, mining, scope, url }) => {
      const handed: Array<{ readonly raw: unknown; readonly isKept: boolean }> = []
      let isKept = (_: unknown): Promise<boolean> =>
        Promise.reject(new Error("nothing is sent before it is asked for"))
      const by = await startProxy(url, scope, async (method, [raw]) => {
        if (method === "eth_sendRawTransaction") handed.push({ raw, isKept: await isKept(raw) })
        return undefined
      })
      type Sign = EvmSigner["sign"]
      let other = (_: EvmTransaction, __: Sign): Promise<void> =>
        Promise.reject(new Error("nothing is signed before it is asked for"))
      const { order, runs } = await account({
        by,
        changed: ({ sign }) => ({
          sign: (transaction) =>
            Effect.zipRight(
              Effect.promise(() => other(transaction, sign)),
              sign(transaction)
            )
        })
      })
      const asked = order("kept")
      const [result, kept] = await runs(
        Effect.gen(function* () {
          const run = Runtime.runPromise(yield* Effect.runtime<SqlClient.SqlClient>())
          isKept = (raw) => run(Effect.map(listSigned, (all) => all.some((each) => each.raw === raw)))
          // another runner signs the same with a little more gas, and keeps it before this one
          other = (transaction, sign) =>
            run(
              Effect.gen(function* () {
                const ledger = Ledger.make(yield* SqlClient.SqlClient)
                const { plan = "" } = (yield* ledger.find(accountOf(asked), asked.key)) ?? {}
                const theirs = yield* sign({ ...transaction, gas: transaction.gas + 1n })
                yield* ledger.storeSigned(accountOf(asked), 0, { ...theirs, round: 0, plan, purpose: "pay" })
              })
            )
          const sent = yield* mining(send(asked))
          return [sent, yield* listSigned] as const
        })
      )
      expect(kept.map(({ hash }) => hash)).toEqual([result.hash])
      expect(handed.length).toBeGreaterThan(0)
      expect(handed.every((each) => each.isKept && each.raw === kept[0]?.raw)).toBe(true)
    }
  )

  for (const [who, counts] of [
    ["nodes", true],
    ["a node that never counts the account's transactions", false]
  ] as const)
    testOnChain(
      `wait on with a lower fee where ${who} ${counts ? "refuse" : "refuses"} what should replace them`,
      async ({ account, mining, scope, url }) => {
        const handed: Array<unknown> = []
        let looks = 0
        const by = await startProxy(url, scope, async (method, [raw]) => {
          if (method === "eth_getTransactionByHash") looks++
          if (method === "eth_getTransactionCount" && !counts) return { result: "0x0" }
          if (method !== "eth_sendRawTransaction") return undefined
          handed.push(raw)
          return raw === handed[0]
            ? undefined
            : { error: { code: -32000, message: "replacement transaction underpriced" } }
        })
        const { mined, order, runs } = await account({ by })
        const [sent, kept] = await runs(
          Effect.gen(function* () {
            const sending = yield* Effect.fork(send(order("refused")))
            yield* until(Effect.sync(() => new Set(handed).size > 1))
            // looked at when there is no patience any more
            const before = looks
            yield* until(Effect.sync(() => looks > before + 3))
            return [yield* mining(sending), yield* listSigned] as const
          }),
          // when the fee is raised for the first time, patience is over
          { bumpFeeAfter: "300 millis", giveUpAfter: "200 millis", suspendAfter: "500 millis" }
        )
        expect(sent.hash).toBe(kept[0]?.hash)
        expect(kept.every(({ purpose }) => purpose === "pay")).toBe(true)
        expect((await mined()).map(({ hash }) => hash)).toEqual([sent.hash])
      }
    )

  testOnChain(
    "go on behind those that are made, each handed on once, over a node that never counts them",
    async ({ account, mining, scope, url }) => {
      const handed: Array<unknown> = []
      const by = await startProxy(url, scope, (method, [raw]) => {
        if (method === "eth_getTransactionCount") return { result: "0x0" }
        if (method === "eth_sendRawTransaction") handed.push(raw)
        return undefined
      })
      const { mined, order, runs } = await account({ by })
      const sent = await runs(
        mining(
          Effect.forEach(["first", "second", "third"], (key) => send(order(key)), {
            concurrency: "unbounded"
          })
        ),
        { maxInFlight: 1 }
      )
      expect(sent.map(({ nonce }) => nonce).toSorted()).toEqual([0, 1, 2])
      expect(await mined()).toHaveLength(3)
      expect(new Set(handed).size).toBe(handed.length)
    }
  )

  testOnChain(
    "raise the fee where a node says that their nonce is in the chain, and it is not",
    async ({ account, mining, scope, url }) => {
      let lies = false
      const by = await startProxy(url, scope, (method) =>
        lies && method === "eth_getTransactionCount" ? { result: "0x1" } : undefined
      )
      const { order, runs } = await account({ by })
      const sent = await runs(
        Effect.gen(function* () {
          const sending = yield* Effect.fork(send(order("slow")))
          yield* untilSigned(1)
          lies = true
          yield* untilSigned(2)
          return yield* mining(sending)
        }),
        { bumpFeeAfter: "200 millis", maxFeeMultiplier: 10 }
      )
      expect(sent.nonce).toBe(0)
    }
  )

  testOnChain(
    "are sent again when a reorganisation takes their block, the same bytes",
    async ({ account, counting, mine, mining, url }) => {
      const { by, more } = await counting()
      const { mined, order, runs } = await account({ by })
      const result = await runs(
        Effect.gen(function* () {
          const before = yield* Effect.promise(() => ask<string>(url, "evm_snapshot"))
          const sending = yield* Effect.fork(send({ ...order("deep"), confirmations: 4 }))
          // it is in the pool, and then in a block that the runner has seen
          const pool = Effect.promise(() => ask<{ readonly pending: string }>(url, "txpool_status"))
          yield* until(Effect.map(pool, ({ pending }) => Number(pending) === 1))
          yield* Effect.promise(() => mine(2))
          yield* more("eth_getTransactionReceipt", 2)
          expect(yield* Effect.promise(mined)).toHaveLength(1)
          yield* Effect.promise(() => ask(url, "evm_revert", before))
          expect(yield* Effect.promise(mined)).toHaveLength(0)
          return yield* mining(sending)
        })
      )
      const there = await mined()
      expect(there.map(({ hash }) => hash)).toEqual([result.hash])
    }
  )

  for (const [said, isMoved] of [
    ["a reorganisation moves them into a later block while their depth is read", true],
    ["a node alone says that their block is an earlier one", false]
  ] as const)
    testOnChain(`are not deep where ${said}`, async ({ account, mine, mining, scope, url }) => {
      let asked = 0
      let lies = true
      let receipt: object | null = null
      // what it knows it says sooner than the other one, whose answer comes a longer way
      const first = await startProxy(url, scope, async (method, params) => {
        if (method !== "eth_getTransactionReceipt") return undefined
        asked++
        receipt ??= await ask<object | null>(url, method, ...params)
        if (receipt === null || !lies) return undefined
        lies = !isMoved
        return {
          result: { ...receipt, blockNumber: "0x1", ...(isMoved && { blockHash: `0x${"1".repeat(64)}` }) }
        }
      })
      const honest = await startProxy(await startProxy(url, scope, () => undefined), scope, () => undefined)
      const { order, runs } = await account({
        by: isMoved ? first : [first, honest],
        calling: { selection: { node: first } }
      })
      await mine(10)
      const sent = await runs(
        Effect.gen(function* () {
          const { result } = yield* EvmTransactions.EvmTransactions
          const deep = { ...order("deep"), confirmations: 4 }
          yield* submit(deep)
          const pool = Effect.promise(() => ask<{ readonly pending: string }>(url, "txpool_status"))
          yield* until(Effect.map(pool, ({ pending }) => Number(pending) === 1))
          yield* Effect.promise(() => mine())
          yield* until(Effect.map(result(deep), (end) => Option.isSome(end) || asked > 10))
          expect(yield* result(deep)).toEqual(Option.none())
          lies = false
          return yield* mining(send(deep))
        })
      )
      expect(sent).toMatchObject({ nonce: 0, block: 11 })
    })

  testOnChain("go on where whoever waits for them is interrupted", async ({ account, mining }) => {
    const { mined, order, runs } = await account()
    const result = await runs(
      Effect.gen(function* () {
        const waiting = yield* Effect.fork(send(order("patient")))
        yield* untilSigned(1)
        yield* Fiber.interrupt(waiting)
        return yield* mining(send(order("patient")))
      })
    )
    expect((await mined()).map(({ hash }) => hash)).toEqual([result.hash])
  })

  testOnChain(
    "end where somebody else has used their nonce, and take the next ones after it",
    async ({ account, mine, mining, url }) => {
      const { address, order, runs } = await account()
      await runs(
        Effect.gen(function* () {
          // with no window it has a nonce, and is not signed
          yield* submit(order("late"))
          yield* untilNonce
        }),
        { maxInFlight: 0, suspendAfter: "500 millis" }
      )
      await ask(url, "eth_sendTransaction", { from: address, to, value: "0x5" })
      // nobody believes it while a reorganisation may take it back
      await mine(40)
      const [late, next] = await runs(
        Effect.all([mining(Effect.flip(send(order("late")))), mining(send(order("next")))])
      )
      expect(late).toMatchObject({
        _tag: "NonceTaken",
        address: expect.stringMatching(new RegExp(`^${address}$`, "i")),
        nonce: 0
      })
      expect(next).toMatchObject({ nonce: 1 })
    }
  )

  for (const [chain, height] of [
    ["a chain without so many blocks", 0],
    ["a long chain", 40]
  ] as const)
    testOnChain(
      `are made after all where a reorganisation of ${chain} takes away what somebody else has used their nonce for`,
      async ({ account, counting, mine, mining, url }) => {
        if (height > 0) await mine(height)
        const { by, more } = await counting()
        const { address, mined, order, runs } = await account({ by })
        const late = order("late")
        await runs(Effect.zipRight(submit(late), untilNonce), { maxInFlight: 0, suspendAfter: "500 millis" })
        const before = await ask<string>(url, "evm_snapshot")
        await ask(url, "eth_sendTransaction", { from: address, to, value: "0x5" })
        await mine(3)
        const sent = await runs(
          Effect.gen(function* () {
            const { result } = yield* EvmTransactions.EvmTransactions
            const sending = yield* Effect.fork(send(late))
            yield* more("eth_sendRawTransaction", 1)
            // the height is asked for only where the nonce is in the chain
            yield* more("eth_blockNumber", 5)
            expect(yield* result(late)).toEqual(Option.none())
            yield* Effect.promise(() => ask(url, "evm_revert", before))
            return yield* mining(sending)
          }),
          // a node that refuses a nonce which is in the chain does not try anybody's patience
          { giveUpAfter: "0 millis" }
        )
        expect(sent.nonce).toBe(0)
        expect((await mined()).map(({ hash }) => hash)).toEqual([sent.hash])
      }
    )

  testOnChain("end as failed where a block reverts them", async ({ account, mining, url }) => {
    const contract = "0x00000000000000000000000000000000000c0de5"
    // it reverts once its first word is set
    await ask(url, "anvil_setCode", contract, "0x600054600757005b60006000fd").catch(() => {})
    const { address, mined, runs } = await account()
    const failure = await runs(
      Effect.gen(function* () {
        const sending = yield* Effect.fork(
          Effect.flip(send({ key: "reverts", network, from: address, transaction: { to: contract } }))
        )
        yield* untilSigned(1)
        const word = (digit: number) => `0x${String(digit).padStart(64, "0")}`
        yield* Effect.promise(() => ask(url, "anvil_setStorageAt", contract, word(0), word(1)))
        return yield* mining(sending)
      })
    )
    const [there] = await mined()
    expect(failure).toMatchObject({
      _tag: "TransactionFailed",
      hash: there?.hash,
      reason: "it was reverted",
      receipt: { transactionHash: there?.hash, status: "0x0" }
    })
  })

  for (const unsigned of [
    new SdkError.SigningFailed({ reason: "the key is not there" }),
    new SdkError.PolicyDenied({ network: "", address: "", rule: "limit", reason: "it is too much" })
  ])
    testOnChain(
      `end where nothing signs them (${unsigned._tag}), and their nonce is filled`,
      async ({ account, mining }) => {
        const { address, mined, order, runs } = await account({
          changed: ({ sign }) => ({
            sign: (transaction) => (transaction.value === 7n ? Effect.fail(unsigned) : sign(transaction))
          })
        })
        const [failure, there, next] = await runs(
          Effect.gen(function* () {
            const end = yield* mining(Effect.flip(send(order("unsigned", 7n))))
            const filled = yield* Effect.promise(mined)
            return [end, filled, yield* mining(send(order("signed", 8n)))] as const
          }),
          { suspendAfter: "500 millis" }
        )
        expect(failure).toMatchObject({ _tag: unsigned._tag, reason: unsigned.reason })
        expect(there.map(({ to: whom, value }) => [whom?.toLowerCase(), BigInt(value)])).toEqual([
          [address.toLowerCase(), 0n]
        ])
        expect(next).toMatchObject({ nonce: 1 })
      }
    )

  testOnChain(
    "end where nodes refuse them for longer than there is patience, and their nonce is filled",
    async ({ account, mining, url }) => {
      let has = 0n
      const balance = (wei: bigint) =>
        ask(url, "anvil_setBalance", address, `0x${wei.toString(16)}`).catch(() => {})
      const { address, mined, order, runs } = await account({
        changed: ({ sign }) => ({
          sign: (transaction) =>
            Effect.tap(sign(transaction), () =>
              transaction.value === 9n ? Effect.promise(() => balance(0n)) : Effect.void
            )
        })
      })
      has = BigInt(await ask<string>(url, "eth_getBalance", address, "latest"))
      const failure = await runs(
        Effect.gen(function* () {
          const sending = yield* Effect.fork(Effect.flip(send(order("refused", 9n))))
          // as long as it may still be paid, the account has nothing
          yield* until(
            Effect.flatMap(SqlClient.SqlClient, (sql) =>
              Effect.map(
                sql`SELECT id FROM cluster_replies WHERE payload LIKE '%"_tag":"Refused"%'`,
                (rows) => rows.length > 0
              )
            )
          )
          yield* Effect.promise(() => balance(has))
          return yield* mining(sending)
        }),
        { giveUpAfter: "1 second", suspendAfter: "1 second" }
      )
      expect(failure).toMatchObject({ _tag: "RpcError", message: expect.stringMatching(/funds/i) })
      expect((await mined()).map(({ to: whom, value }) => [whom?.toLowerCase(), BigInt(value)])).toEqual([
        [address.toLowerCase(), 0n]
      ])
    }
  )
})
