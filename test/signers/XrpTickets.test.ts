// @covers tickets on libraries: xrp
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import { decode, Wallet } from "xrpl"
import { RpcError } from "../../src/data/SdkError.js"
import { signer } from "../../src/entries/signers/Xrp.js"
import { init } from "../../src/promise.js"
import { make, type XrpCalls } from "../../src/signers/Xrp.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/xrp/ripple.js"
import "../../src/signers/xrp/tickets.js"
import { runs } from "../properties.js"
import { type Account, lost, makeLedger, url } from "./rippled.js"
import { runWithTime } from "./runWithTime.js"

const words = `${"abandon ".repeat(11)}about`
const address = "rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3"
const to = "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe"
const wallet = Wallet.fromMnemonic(words)

const accounts: Readonly<Record<string, Account>> = {
  [address]: { balance: 10_000_000n, owned: 2, sequence: 7 },
  [to]: { balance: 1_000_000n }
}
const withTickets = (...tickets: ReadonlyArray<number>) =>
  makeLedger({
    ...accounts,
    [address]: { balance: 10_000_000n, owned: 2 + tickets.length, sequence: 20, tickets }
  })

const made = (rpc: XrpCalls) => make({ network: "ripple-mainnet", rpc }, { mnemonic: words })

describe("tickets of the XRP Ledger", () => {
  it.effect("are made by a transaction whose preview shows their reserve", () =>
    Effect.gen(function* () {
      const chain = makeLedger(accounts)
      const account = yield* made(chain.rpc)
      expect(yield* account.listTickets()).toEqual([])
      const prepared = yield* account.prepareTickets({ count: 5 })
      expect(prepared).toEqual({
        network: "ripple-mainnet",
        from: address,
        to: address,
        amount: 0n,
        fee: 12n,
        outgoing: [{ asset: "XRP", amount: "0.000012" }],
        warnings: [
          "It makes 5 tickets, from each of which one payment can be made.",
          "The account keeps 1 XRP more as its reserve, 0.2 XRP for each ticket until it is used."
        ],
        transaction: { from: address, to: address, amount: 0n, fee: 12n, tickets: 5 }
      })
      expect(chain.sent).toEqual([])
      yield* account.submit(prepared)
      expect(decode(chain.sent[0] ?? "")).toMatchObject({ TransactionType: "TicketCreate", Sequence: 7 })
      // all of them, of which a server tells three at once
      expect(yield* account.listTickets()).toEqual([8, 9, 10, 11, 12])
      const one = yield* account.prepareTickets({ count: 1 })
      expect(one.warnings[0]).toBe("It makes a ticket, from which one payment can be made.")
      // a payment gets the number after those of the tickets
      yield* account.send({ to, amount: "1" })
      expect(decode(chain.sent[1] ?? "").Sequence).toBe(13)
    })
  )

  it.effect("number the next payment behind them, where no server shows them yet", () =>
    Effect.gen(function* () {
      const chain = makeLedger(accounts)
      const stale: XrpCalls = {
        ...chain.rpc,
        accountInfo: (...asked) =>
          Effect.map(chain.rpc.accountInfo(...asked), (answer) => ({
            ...answer,
            account_data: { ...answer.account_data, Sequence: 7 }
          }))
      }
      const account = yield* made(stale)
      yield* account.submit(yield* account.prepareTickets({ count: 3 }))
      yield* account.send({ to, amount: "1" })
      expect(chain.sent.map((raw) => decode(raw).Sequence)).toEqual([7, 11])
    })
  )

  it("and payments from them are the bytes that xrpl makes of them", async () => {
    const account = await Effect.runPromise(made(makeLedger(accounts).rpc))
    const number = fc.integer({ min: 1, max: 2 ** 32 - 1 })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.record({ tickets: fc.integer({ min: 1, max: 250 }), sequence: number }),
          fc.record({ ticket: number, amount: fc.bigInt({ min: 1n, max: 10n ** 17n }) })
        ),
        fc.bigInt({ min: 10n, max: 10n ** 6n }),
        number,
        async (given, fee, lastLedger) => {
          const shared = { Account: address, Fee: String(fee), Flags: 0, LastLedgerSequence: lastLedger }
          const theirs = wallet.sign(
            "ticket" in given
              ? {
                  ...{ ...shared, TransactionType: "Payment", Destination: to, Sequence: 0 },
                  ...{ Amount: String(given.amount), TicketSequence: given.ticket }
                }
              : {
                  ...{ ...shared, TransactionType: "TicketCreate", Sequence: given.sequence },
                  TicketCount: given.tickets
                }
          )
          const ours = await Effect.runPromise(
            account.sign({
              ...{ from: address, to: "ticket" in given ? to : address, amount: 0n, fee, lastLedger },
              ...given
            })
          )
          expect({ tx_blob: ours.raw, hash: ours.hash }).toEqual(theirs)
        }
      ),
      { numRuns: runs(40) }
    )
  })

  const refusals: ReadonlyArray<readonly [string, object, Partial<Account>, object]> = [
    [
      "none",
      { count: 0 },
      {},
      { _tag: "InvalidArgument", reason: "count must be a whole number from 1 to 250" }
    ],
    ["a part of one", { count: 1.5 }, {}, { _tag: "InvalidArgument" }],
    ["more than an account can have", { count: 251 }, {}, { _tag: "InvalidArgument" }],
    [
      "more than it can have besides those that it has",
      { count: 247 },
      { tickets: [1, 2, 3, 4] },
      {
        _tag: "InvalidArgument",
        call: "prepareTickets",
        reason: "the account has 4 tickets, and an account has at most 250"
      }
    ],
    [
      "more than its reserve allows",
      { count: 5 },
      { balance: 2_400_011n },
      { _tag: "InsufficientFunds", needed: "2.400012", available: "2.400011" }
    ],
    ["dear ones", { count: 1, maxFee: 11n }, {}, { _tag: "FeeOverCap" }],
    [
      "those of an account without its master key",
      { count: 1 },
      { flags: 0x10_0000 },
      { _tag: "InvalidArgument", reason: expect.stringContaining("master key") }
    ]
  ]
  it.effect.each(refusals)("are not %s", ([, request, own, error]) =>
    Effect.gen(function* () {
      const state = { balance: 100_000_000n, owned: 2, sequence: 7, ...own }
      const account = yield* made(makeLedger({ ...accounts, [address]: state }).rpc)
      expect(yield* Effect.flip(account.prepareTickets(request as { count: number }))).toMatchObject(error)
    })
  )

  it.effect("take what the reserve just allows, and nothing of an account that is none", () =>
    Effect.gen(function* () {
      const state = { balance: 2_400_012n, owned: 2, sequence: 7 }
      const chain = makeLedger({ ...accounts, [address]: state })
      const account = yield* made(chain.rpc)
      yield* account.submit(yield* account.prepareTickets({ count: 5 }))
      expect(yield* account.listTickets()).toHaveLength(5)
      const nobody = yield* made(makeLedger({ [to]: { balance: 1n } }).rpc)
      expect(yield* nobody.listTickets()).toEqual([])
      expect(yield* Effect.flip(nobody.prepareTickets({ count: 1 }))).toMatchObject({
        _tag: "InsufficientFunds",
        available: "0"
      })
      expect(yield* Effect.flip(nobody.prepareTickets(undefined as never))).toMatchObject({
        _tag: "InvalidArgument"
      })
    })
  )

  it.effect("are as many as the preview says, and are signed by no member as a payment", () =>
    Effect.gen(function* () {
      const chain = makeLedger(accounts)
      const account = yield* made(chain.rpc)
      const prepared = yield* account.prepareTickets({ count: 2 })
      const changed = { ...prepared, transaction: { ...prepared.transaction, tickets: 200 } }
      expect(yield* Effect.flip(account.submit(changed))).toMatchObject({
        _tag: "InvalidArgument",
        reason: "its transaction is another one than that of its preview"
      })
      const complete = { ...prepared.transaction, sequence: 7, lastLedger: 2_000 }
      expect(yield* Effect.flip(account.cosign({ ...prepared, transaction: complete }))).toMatchObject({
        _tag: "InvalidArgument",
        reason: "it makes tickets, and is no payment"
      })
      for (const [transaction, reason] of [
        [{ tickets: 0 }, "tickets must be a whole number from 1 to 250"],
        [{ ticket: 0 }, "its ticket must be a whole number from 1 to 4294967295"],
        [{ ticket: 2 ** 32 }, "its ticket must be a whole number from 1 to 4294967295"],
        [{ ticket: 5, sequence: 7 }, "it is paid from a ticket, so its sequence is 0"]
      ] as const)
        expect(
          yield* Effect.flip(
            account.sign({ from: address, to, amount: 1n, fee: 12n, lastLedger: 2_000, ...transaction })
          )
        ).toMatchObject({ _tag: "InvalidArgument", call: "sign", reason })
      expect(chain.sent).toEqual([])
    })
  )

  it.effect("are those that a server lists in full, or none", () =>
    Effect.gen(function* () {
      const answers: ReadonlyArray<Effect.Effect.Success<ReturnType<XrpCalls["accountObjects"]>>> = [
        { account_objects: [{}] },
        { account_objects: [{ TicketSequence: "8" }] },
        { account_objects: [{ TicketSequence: 8 }], marker: "again" }
      ]
      for (const answer of answers) {
        const { rpc } = makeLedger(accounts, [], { accountObjects: () => Effect.succeed(answer) })
        expect(yield* Effect.flip((yield* made(rpc)).listTickets())).toMatchObject({
          _tag: "NodeError",
          kind: "malformed"
        })
      }
    })
  )
})

describe("payments from tickets of the XRP Ledger", () => {
  it.effect("use the ticket, and not the account's sequence", () =>
    Effect.gen(function* () {
      const chain = withTickets(11, 12)
      const account = yield* made(chain.rpc)
      const prepared = yield* account.prepareFromTicket({ to, amount: "1", memo: "5", ticket: 12 })
      expect(prepared).toMatchObject({
        to,
        amount: 1_000_000n,
        outgoing: [{ asset: "XRP", amount: "1.000012" }],
        warnings: ["It is paid from the ticket 12, and frees 0.2 XRP of the account's reserve."],
        transaction: { tag: 5, ticket: 12 }
      })
      const paid = yield* runWithTime(
        account.submit(prepared, { confirmations: 1 }),
        1_000,
        () => chain.at.seq++
      )
      const sent = yield* paid
      expect(sent.prepared.transaction).toMatchObject({ sequence: 0, ticket: 12, lastLedger: 1_020 })
      expect(decode(chain.sent[0] ?? "")).toMatchObject({ Sequence: 0, TicketSequence: 12 })
      expect(yield* account.listTickets()).toEqual([11])
      expect(chain.accounts.get(address)?.sequence).toBe(20)
      // the account's own number has not changed
      yield* account.send({ to, amount: "1" })
      expect(decode(chain.sent[1] ?? "").Sequence).toBe(20)
    })
  )

  it.effect("leave the numbers of others as they are, where no server shows those yet", () =>
    Effect.gen(function* () {
      const chain = withTickets(11)
      const account = yield* made({
        ...chain.rpc,
        accountInfo: (...asked) =>
          Effect.map(chain.rpc.accountInfo(...asked), (answer) => ({
            ...answer,
            account_data: { ...answer.account_data, Sequence: 20 }
          }))
      })
      const prepared = yield* account.prepareFromTicket({ to, amount: "1", ticket: 11 })
      yield* account.send({ to, amount: "1" })
      yield* account.submit(prepared)
      yield* account.send({ to, amount: "1" })
      expect(chain.sent.map((raw) => decode(raw).Sequence)).toEqual([20, 0, 21])
    })
  )

  it.effect("wait for no other payment of the account", () =>
    Effect.gen(function* () {
      const chain = withTickets(11, 12)
      // a server that takes the first payment, and says so never
      const { submit } = chain.rpc
      let held = 0
      const account = yield* made({
        ...chain.rpc,
        submit: (blob) => (held++ === 0 ? Effect.never : submit(blob))
      })
      const stuck = yield* Effect.fork(account.send({ to, amount: "1" }))
      yield* Effect.promise(async () => {
        while (held === 0) await new Promise((resolve) => setImmediate(resolve))
      })
      const both = yield* Effect.all(
        [11, 12].map((ticket) => account.prepareFromTicket({ to, amount: "1", ticket }))
      )
      yield* Effect.all(
        both.map((prepared) => account.submit(prepared)),
        { concurrency: "unbounded" }
      )
      expect(chain.sent.map((raw) => decode(raw).TicketSequence)).toEqual([11, 12])
      yield* Fiber.interrupt(stuck)
    })
  )

  it.effect("are signed without a node once they have their last ledger", () =>
    Effect.gen(function* () {
      const chain = withTickets(11)
      const account = yield* made(chain.rpc)
      const request = { to, amount: "1", ticket: 11, lastLedger: 500_000 }
      const prepared = yield* account.prepareFromTicket(request)
      const offline = yield* make(
        {
          network: "ripple-mainnet",
          rpc: new Proxy({} as XrpCalls, {
            get: (_, name) => () => Effect.die(new Error(`nobody should ask for ${String(name)}`))
          })
        },
        { mnemonic: words }
      )
      const { hash, raw } = yield* offline.sign(prepared.transaction)
      expect(decode(raw)).toMatchObject({ Sequence: 0, TicketSequence: 11, LastLedgerSequence: 500_000 })
      expect((yield* account.submit(prepared)).hash).toBe(hash)
      expect(chain.sent).toEqual([raw])
    })
  )

  const refusals: ReadonlyArray<readonly [string, object, object]> = [
    ["no ticket", { ticket: undefined }, { reason: expect.stringContaining("listTickets") }],
    ["what is no number", { ticket: 1.5 }, { reason: expect.stringContaining("listTickets") }],
    [
      "a ticket that the account has not",
      { ticket: 13 },
      { reason: `${address} has no ticket 13: it is used, or not made yet` }
    ],
    [
      "a ledger of the past",
      { ticket: 11, lastLedger: 1_000 },
      { reason: "lastLedger must be the number of a ledger to come: 1000 is the newest" }
    ],
    ["no ledger at all", { ticket: 11, lastLedger: Number.NaN }, {}]
  ]
  it.effect.each(refusals)("are not prepared with %s", ([, request, error]) =>
    Effect.gen(function* () {
      const account = yield* made(withTickets(11, 12).rpc)
      expect(
        yield* Effect.flip(account.prepareFromTicket({ to, amount: "1", ...request } as never))
      ).toMatchObject({ _tag: "InvalidArgument", call: "prepareFromTicket", ...error })
      expect(yield* Effect.flip(account.prepareFromTicket(undefined as never))).toMatchObject({
        _tag: "InvalidArgument"
      })
    })
  )

  it.effect("believe no server that shows another ticket", () =>
    Effect.gen(function* () {
      for (const node of [
        { Account: to, TicketSequence: 11 },
        { Account: address, TicketSequence: 12 },
        {}
      ]) {
        const { rpc } = makeLedger(accounts, [], { ledgerEntry: () => Effect.succeed({ node }) })
        expect(
          yield* Effect.flip((yield* made(rpc)).prepareFromTicket({ to, amount: "1", ticket: 11 }))
        ).toMatchObject({ _tag: "InvalidArgument", reason: expect.stringContaining("no ticket 11") })
      }
    })
  )

  /** A payment whose broadcast ended without an answer, and did not get there. */
  const sendLost = (chain: ReturnType<typeof makeLedger>) =>
    Effect.gen(function* () {
      let isOpen = false
      const account = yield* made({
        ...chain.rpc,
        submit: (blob) => (isOpen ? chain.rpc.submit(blob) : Effect.fail(lost))
      })
      const given = yield* account.prepareFromTicket({ to, amount: "1", ticket: 11 })
      const outcome = yield* runWithTime(account.submit(given), 4_000, () => chain.at.seq++)
      isOpen = true
      return { account, given, outcome }
    })

  it.effect("are over once a ledger after their last one still has the ticket", () =>
    Effect.gen(function* () {
      const chain = withTickets(11, 12)
      // a payment from another ticket, which a server shows meanwhile
      const other = yield* made(chain.rpc)
      yield* other.submit(yield* other.prepareFromTicket({ to, amount: "1", ticket: 12 }))
      chain.at.seq = 1_001
      const { account, given, outcome } = yield* sendLost(chain)
      expect(outcome).toMatchObject({ left: { _tag: "BroadcastUnclear" } })
      chain.at.seq = 1_019
      // the same bytes, while a ledger may still have them
      const again = yield* runWithTime(account.submit(given), 4_000)
      expect(again).toMatchObject({ _tag: "Right" })
      expect(chain.accounts.get(address)?.tickets).toEqual([])

      const late = withTickets(11)
      const lapsed = yield* sendLost(late)
      late.at.seq = 1_100
      const over = yield* runWithTime(lapsed.account.submit(lapsed.given), 4_000)
      expect(over).toMatchObject({
        left: {
          _tag: "TransactionDropped",
          reason: expect.stringContaining("it could be in ledgers up to")
        }
      })
      expect(late.accounts.get(address)?.tickets).toEqual([11])
    })
  )

  it.effect("are over with their last ledger, and not with the one before it", () =>
    Effect.gen(function* () {
      const chain = withTickets(11)
      const account = yield* made({ ...chain.rpc, submit: () => Effect.fail(lost) })
      const prepared = yield* account.prepareFromTicket({
        ...{ to, amount: "1", ticket: 11 },
        lastLedger: 5_000
      })
      for (const [seq, tag] of [
        [4_999, "BroadcastUnclear"],
        [5_000, "TransactionDropped"]
      ] as const) {
        chain.at.seq = seq
        expect(yield* runWithTime(account.submit(prepared), 4_000)).toMatchObject({ left: { _tag: tag } })
      }
    })
  )

  it.effect("that another transaction has taken the ticket of fail, and name it", () =>
    Effect.gen(function* () {
      const chain = withTickets(11)
      const [one, other] = [yield* made(chain.rpc), yield* made(chain.rpc)]
      const prepared = yield* one.prepareFromTicket({ to, amount: "1", ticket: 11 })
      yield* other.submit(yield* other.prepareFromTicket({ to, amount: "2", ticket: 11 }))
      chain.at.seq++
      const outcome = yield* runWithTime(one.submit(prepared), 4_000)
      expect(outcome).toMatchObject({ left: { _tag: "NonceTaken", address, nonce: 11 } })
    })
  )

  it.effect("from tickets that nobody has made are over, too", () =>
    Effect.gen(function* () {
      const chain = withTickets(11)
      const account = yield* made(chain.rpc)
      const prepared = yield* account.prepareFromTicket({ to, amount: "1", ticket: 11 })
      // the number comes after the account's own: a server keeps the payment for a while
      const early = { ...prepared, transaction: { ...prepared.transaction, ticket: 25 } }
      const outcome = yield* runWithTime(account.submit(early), 4_000, () => {
        chain.at.seq += 2
      })
      expect(outcome).toMatchObject({ left: { _tag: "TransactionDropped" } })
    })
  )

  it.effect("are refused in words, and leave the ticket", () =>
    Effect.gen(function* () {
      const chain = withTickets(11)
      const account = yield* made({
        ...chain.rpc,
        submit: () =>
          Effect.fail(new RpcError({ method: "submit", code: 1, rpcMessage: "telINSUF_FEE_P: no", url }))
      })
      const prepared = yield* account.prepareFromTicket({ to, amount: "1", ticket: 11 })
      expect(yield* runWithTime(account.submit(prepared), 4_000)).toMatchObject({
        left: { _tag: "RpcError" }
      })
      expect(yield* account.listTickets()).toEqual([11])
    })
  )

  it.effect("are asked of a policy with their ticket", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const account = yield* make(
        { network: "ripple-mainnet", rpc: withTickets(11).rpc },
        {
          mnemonic: words,
          policy: {
            authorize: (request, signing) => {
              seen.push(request)
              return signing
            }
          }
        }
      )
      yield* account.submit(yield* account.prepareFromTicket({ to, amount: "1", ticket: 11 }))
      expect(seen).toMatchObject([{ kind: "payment", prepared: { to, transaction: { ticket: 11 } } }])
    })
  )

  it("are paid over the wire, by Promises", async () => {
    const chain = withTickets(11, 12)
    const server = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk) => {
        body += chunk
      })
      request.on("end", () => {
        const { method, params } = JSON.parse(body)
        const result =
          method === "ledger" ? { ledger_current_index: 1_001 } : chain.answer(method, params[0] ?? {})
        response.end(JSON.stringify({ result: { status: "success", ...result } }))
      })
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const { port } = server.address() as AddressInfo
    const sdk = await init({
      network: "ripple-mainnet",
      rpc: { nodes: [{ url: `http://127.0.0.1:${port}` }] }
    })
    try {
      const account = await signer(sdk, { mnemonic: words })
      if (account.status === "ERROR") throw account.error.cause
      const { listTickets, prepareFromTicket, prepareTickets, submit } = account.data
      const more = await prepareTickets({ count: 3 })
      if (more.status === "ERROR") throw more.error.cause
      expect(await submit(more.data)).toMatchObject({ status: "SUCCESS" })
      expect(await listTickets()).toMatchObject({ data: [11, 12, 21, 22, 23] })
      const prepared = await prepareFromTicket({ to, amount: "1", ticket: 22 })
      if (prepared.status === "ERROR") throw prepared.error.cause
      expect(await submit(prepared.data)).toMatchObject({ status: "SUCCESS" })
      expect(await listTickets()).toMatchObject({ data: [11, 12, 21, 23] })
    } finally {
      await sdk.destroy()
      await new Promise((done) => server.close(done))
    }
  })
})
