// @covers fees on libraries: stellar
// @covers replacement on libraries: stellar
import { describe, expect, it } from "@effect/vitest"
import {
  Asset,
  FeeBumpTransaction,
  Keypair,
  Operation,
  Account as Source,
  Transaction,
  TransactionBuilder,
  xdr
} from "@stellar/stellar-base"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import { make, type StellarCalls } from "../../src/signers/Stellar.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/stellar/base.js"
import "../../src/signers/stellar/feeBumps.js"
import { runs } from "../properties.js"
import { type Account, lost, makeLedger, passphrase } from "./horizon.js"
import { runWithTime } from "./runWithTime.js"

const pair = (byte: number): Keypair => Keypair.fromRawEd25519Seed(Buffer.alloc(32, byte))
const [payer, user, receiver, issuer] = [pair(9), pair(10), pair(1), pair(2)]
const to = receiver.publicKey()
const token = `USDC:${issuer.publicKey()}`
const usdc = { code: "USDC", issuer: issuer.publicKey() }

const usual: Readonly<Record<string, Account>> = {
  [payer.publicKey()]: { balance: 100_000_000n, sequence: 41n },
  // nothing above its reserve
  [user.publicKey()]: {
    balance: 15_000_000n,
    entries: 1,
    sequence: 77n,
    trust: [{ ...usdc, balance: 1_000_000_000n }]
  },
  [to]: { balance: 10_000_000n, entries: 1, trust: [{ ...usdc, balance: 0n }] },
  [issuer.publicKey()]: { balance: 10_000_000n }
}

const signerOf = (key: Keypair, rpc: StellarCalls) =>
  make({ network: "stellar-mainnet", rpc }, { privateKey: key.secret() })

const readBump = (raw: string | undefined): FeeBumpTransaction => {
  const read = TransactionBuilder.fromXDR(raw ?? "", passphrase)
  if (!(read instanceof FeeBumpTransaction)) throw new Error("it is no fee bump")
  return read
}

/** A signed transaction of another program. */
const signedBy = (
  key: Keypair,
  operations: ReadonlyArray<ReturnType<typeof Operation.payment>>,
  { expires = 1_800_000_060, fee = "100", sequence = "77" } = {}
): string => {
  const builder = new TransactionBuilder(new Source(key.publicKey(), sequence), {
    fee,
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime: expires }
  })
  for (const operation of operations) builder.addOperation(operation)
  const built = builder.build()
  built.sign(key)
  return built.toXDR()
}

const payment = Operation.payment({ destination: to, asset: Asset.native(), amount: "0.1" })

describe("fees of Stellar that another account pays", () => {
  it.effect("let an account without free lumens pay in tokens", () =>
    Effect.gen(function* () {
      const ledger = makeLedger(usual)
      const [sponsor, owner] = [yield* signerOf(payer, ledger.rpc), yield* signerOf(user, ledger.rpc)]
      const request = { to, amount: "25", token }
      expect(yield* Effect.flip(owner.prepare(request))).toMatchObject({ _tag: "InsufficientFunds" })
      const unpaid = yield* owner.prepareWithoutFee(request)
      expect(unpaid).toMatchObject({
        fee: 0n,
        warnings: expect.arrayContaining([expect.stringContaining("It offers no fee")]),
        transaction: { fee: 0n, token }
      })
      const { hash, raw } = yield* owner.sign(unpaid.transaction)
      // nobody takes it like this
      expect(ledger.answer("/transactions", new URLSearchParams({ tx: raw }))).toMatchObject({ status: 400 })
      const prepared = yield* sponsor.prepareFeeBump(raw)
      expect(prepared).toEqual({
        network: "stellar-mainnet",
        from: payer.publicKey(),
        to: user.publicKey(),
        amount: 0n,
        fee: 500n,
        outgoing: [{ asset: "XLM", amount: "0.00005" }],
        warnings: [
          `It pays the fee of ${hash}, a transaction of ${user.publicKey()}: payment.`,
          "The ledger takes the fee even if that transaction fails."
        ],
        transaction: {
          from: payer.publicKey(),
          to: user.publicKey(),
          amount: 0n,
          fee: 500n,
          sequence: 78n,
          expires: ledger.at.time + 90,
          bump: { source: user.publicKey(), inner: raw }
        }
      })
      const sent = yield* sponsor.submit(prepared, { confirmations: 1 })
      const bytes = readBump(ledger.sent.at(-1))
      expect(bytes.hash().toString("hex")).toBe(sent.hash)
      expect(bytes.innerTransaction.toXDR()).toBe(raw)
      const { accounts } = ledger
      expect(accounts.get(to)?.trust).toMatchObject([{ balance: 250_000_000n }])
      expect(accounts.get(user.publicKey())?.balance).toBe(15_000_000n)
      expect(accounts.get(payer.publicKey())?.balance).toBe(100_000_000n - 200n)
      // its own sequence is as it was, and its next payment has the next one
      yield* sponsor.send({ to, amount: "1" })
      expect(TransactionBuilder.fromXDR(ledger.sent.at(-1) ?? "", passphrase)).toMatchObject({
        sequence: "42"
      })
    })
  )

  it("are the bytes that stellar-base makes of them, whatever is inside", async () => {
    const ledger = makeLedger(usual)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 3_000 }),
        fc.integer({ min: 1, max: 3_000 }),
        async (count, rate, market) => {
          ledger.terms.p95 = String(market)
          const inner = signedBy(user, Array(count).fill(payment), { fee: String(rate) })
          const sponsor = await Effect.runPromise(signerOf(payer, ledger.rpc))
          const prepared = await Effect.runPromise(sponsor.prepareFeeBump(`${inner}\n`))
          const { hash, raw } = await Effect.runPromise(sponsor.sign(prepared.transaction))
          const each = Math.max(100, rate, market)
          const theirs = TransactionBuilder.buildFeeBumpTransaction(
            payer,
            String(each),
            new Transaction(inner, passphrase),
            passphrase
          )
          theirs.sign(payer)
          expect({ raw, hash }).toEqual({ raw: theirs.toXDR(), hash: theirs.hash().toString("hex") })
          expect(prepared.fee).toBe(BigInt(each * (count + 1)))
        }
      ),
      { numRuns: runs(30) }
    )
  })

  it.effect("speed up an own payment, which lands once", () =>
    Effect.gen(function* () {
      const ledger = makeLedger(usual)
      let isBusy = true
      const account = yield* signerOf(payer, {
        ...ledger.rpc,
        submitTransaction: (given) => (isBusy ? Effect.fail(lost) : ledger.rpc.submitTransaction(given))
      })
      const first = yield* account.prepare({ to, amount: "1", memo: "5" })
      const ended = yield* runWithTime(account.submit(first), 1_000)
      if (ended._tag !== "Left" || ended.left._tag !== "BroadcastUnclear")
        throw new Error("it is not unclear")
      const { hash, raw = "" } = ended.left
      const faster = yield* account.prepareFeeBump(raw)
      // ten times what the payment offers for an operation, for two of them
      expect(faster).toMatchObject({
        to,
        amount: 10_000_000n,
        fee: 5_000n,
        outgoing: [{ asset: "XLM", amount: "1.0005" }],
        transaction: { memo: { id: "5" }, bump: { source: payer.publicKey() } }
      })
      isBusy = false
      const sent = yield* account.submit(faster, { confirmations: 1 })
      expect(sent.hash).not.toBe(hash)
      expect(ledger.accounts.get(to)?.balance).toBe(20_000_000n)
      // the payment itself is known by its own hash, and is not paid again
      expect((yield* account.submit(first)).hash).toBe(hash)
      expect(ledger.accounts.get(to)?.balance).toBe(20_000_000n)
      expect(yield* Effect.flip(account.prepareFeeBump(raw))).toMatchObject({
        _tag: "InvalidArgument",
        reason: `a ledger has a transaction of ${payer.publicKey()} with the number 42 by now: this one, or another`
      })
    })
  )

  it.effect("wait for no other payment of the account", () =>
    Effect.gen(function* () {
      const ledger = makeLedger(usual)
      let held = 0
      const account = yield* signerOf(payer, {
        ...ledger.rpc,
        submitTransaction: (given) => (held++ === 0 ? Effect.never : ledger.rpc.submitTransaction(given))
      })
      const prepared = yield* account.prepareFeeBump(signedBy(user, [payment]))
      const stuck = yield* Effect.fork(account.send({ to, amount: "1" }))
      yield* Effect.promise(async () => {
        while (held === 0) await new Promise((resolve) => setImmediate(resolve))
      })
      // the payment inside fails for want of lumens: the fee is taken
      const failed = yield* runWithTime(account.submit(prepared), 1_000)
      expect(failed).toMatchObject({ left: { _tag: "TransactionFailed" } })
      expect(ledger.accounts.get(payer.publicKey())?.balance).toBe(100_000_000n - 200n)
      yield* Fiber.interrupt(stuck)
    })
  )

  it.effect("are over with the transaction inside, or taken by another one with its number", () =>
    Effect.gen(function* () {
      const ledger = makeLedger(usual)
      let isBusy = true
      const account = yield* signerOf(payer, {
        ...ledger.rpc,
        submitTransaction: (given) => (isBusy ? Effect.fail(lost) : ledger.rpc.submitTransaction(given))
      })
      const lapsed = yield* account.prepareFeeBump(signedBy(user, [payment]))
      isBusy = false
      yield* (yield* signerOf(user, ledger.rpc))
        .send({ to: payer.publicKey(), amount: "0.0000001" })
        .pipe(Effect.flip)
      const other = new URLSearchParams({
        tx: signedBy(user, [
          Operation.payment({ destination: to, asset: new Asset("USDC", issuer.publicKey()), amount: "1" })
        ])
      })
      expect(ledger.answer("/transactions", other)).toMatchObject({ successful: true })
      expect(yield* runWithTime(account.submit(lapsed), 1_000)).toMatchObject({
        left: { _tag: "NonceTaken", address: user.publicKey(), nonce: 78n }
      })

      const late = makeLedger(usual)
      const waiting = yield* signerOf(payer, {
        ...late.rpc,
        submitTransaction: () => Effect.succeed({ hash: "" })
      })
      const bump = yield* waiting.prepareFeeBump(signedBy(user, [payment]))
      const ended = yield* runWithTime(waiting.submit(bump, { confirmations: 1 }), 3_000, () => {
        late.at.time += 6
        late.at.sequence++
      })
      expect(ended).toMatchObject({ left: { _tag: "TransactionDropped" } })
    })
  )

  const unsigned = () => {
    const read = new Transaction(signedBy(user, [payment]), passphrase)
    const envelope = read.toEnvelope()
    envelope.v1().signatures([])
    return envelope.toXDR("base64")
  }
  const bumped = () => {
    const inner = new Transaction(signedBy(user, [payment]), passphrase)
    return TransactionBuilder.buildFeeBumpTransaction(payer, "100", inner, passphrase).toXDR()
  }
  const refusals: ReadonlyArray<readonly [string, () => unknown, object?, object?]> = [
    ["of what is no transaction", () => "AAAA", { call: "prepareFeeBump" }],
    ["of nothing", () => undefined, { reason: expect.stringContaining("XDR in Base64") }],
    [
      "of one in the old form",
      () => {
        const v1 = new Transaction(signedBy(user, [payment]), passphrase).toEnvelope().v1()
        const tx = v1.tx()
        const old = new xdr.TransactionV0({
          sourceAccountEd25519: user.rawPublicKey(),
          fee: tx.fee(),
          seqNum: tx.seqNum(),
          timeBounds: tx.cond().timeBounds(),
          memo: tx.memo(),
          operations: tx.operations(),
          ext: new xdr.TransactionV0Ext(0)
        })
        const envelope = new xdr.TransactionV0Envelope({ tx: old, signatures: v1.signatures() })
        return xdr.TransactionEnvelope.envelopeTypeTxV0(envelope).toXDR("base64")
      },
      { reason: expect.stringContaining("before 2020") }
    ],
    ["of one that nobody has signed", unsigned, { reason: "it is not signed yet" }],
    ["of one whose fee is paid already", bumped, { reason: "another account pays its fee already" }],
    [
      "of one without an end",
      () => signedBy(user, [payment], { expires: 0 }),
      { reason: expect.stringContaining("no time after which") }
    ],
    [
      "of one that is over",
      () => signedBy(user, [payment], { expires: 1_799_999_999 }),
      { reason: expect.stringContaining("ledgers could have it until") }
    ],
    [
      "of one whose number is used",
      () => signedBy(user, [payment], { sequence: "76" }),
      { reason: expect.stringContaining("with the number 77 by now") }
    ],
    [
      "of an account that is none",
      () => signedBy(pair(77), [payment]),
      { reason: `${pair(77).publicKey()} has no account` }
    ],
    [
      "of a call of a contract",
      () => signedBy(user, [Operation.extendFootprintTtl({ extendTo: 5 })]),
      { reason: expect.stringContaining("calls a contract") }
    ],
    [
      "of an own transaction that is no payment",
      () => signedBy(payer, [Operation.bumpSequence({ bumpTo: "99" })], { sequence: "41" }),
      { reason: "it is no payment" }
    ],
    [
      "of many operations, beyond the cap",
      () => signedBy(user, [payment], { fee: "600000" }),
      { _tag: "FeeOverCap", cap: "0.1" }
    ],
    [
      "beyond the caller's cap",
      () => signedBy(user, [payment]),
      { _tag: "FeeOverCap", cap: "0.0000499" },
      { maxFee: 499n }
    ]
  ]
  it.effect.each(refusals)("are not prepared %s", ([, raw, error, options]) =>
    Effect.gen(function* () {
      const account = yield* signerOf(payer, makeLedger(usual).rpc)
      expect(yield* Effect.flip(account.prepareFeeBump(raw() as string, options))).toMatchObject({
        _tag: "InvalidArgument",
        ...error
      })
    })
  )

  it.effect("are not prepared without the lumens and the weight for them", () =>
    Effect.gen(function* () {
      const inner = signedBy(user, [payment])
      const preparedBy = (own: Partial<Account>) =>
        Effect.gen(function* () {
          const { rpc } = makeLedger({ ...usual, [payer.publicKey()]: { balance: 10_000_500n, ...own } })
          return yield* (yield* signerOf(payer, rpc)).prepareFeeBump(inner)
        })
      expect(yield* preparedBy({})).toMatchObject({ fee: 500n })
      expect(yield* Effect.flip(preparedBy({ balance: 10_000_499n }))).toMatchObject({
        _tag: "InsufficientFunds",
        needed: "1.00005"
      })
      // a fee takes the lower threshold alone
      expect(yield* preparedBy({ weight: 2, low: 2, medium: 9 })).toMatchObject({ fee: 500n })
      expect(yield* Effect.flip(preparedBy({ weight: 2, low: 3 }))).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringContaining("the key weighs 2")
      })
    })
  )

  it.effect("are signed for nothing but what their preview shows", () =>
    Effect.gen(function* () {
      const ledger = makeLedger(usual)
      const account = yield* signerOf(payer, ledger.rpc)
      const prepared = yield* account.prepareFeeBump(signedBy(user, [payment]))
      const own = yield* account.prepareFeeBump(signedBy(payer, [payment], { sequence: "41" }))
      const { transaction } = prepared
      const changes: ReadonlyArray<readonly [typeof prepared, object, string]> = [
        [prepared, { sequence: undefined }, "InvalidArgument"],
        [prepared, { fee: 501n }, "InvalidArgument"],
        [prepared, { bump: { ...transaction.bump, inner: signedBy(issuer, [payment]) } }, "SigningFailed"],
        [prepared, { bump: { ...transaction.bump, source: to } }, "SigningFailed"],
        [prepared, { expires: 1_800_000_061 }, "SigningFailed"],
        [prepared, { sequence: 79n }, "SigningFailed"],
        [own, { to: issuer.publicKey() }, "InvalidArgument"],
        [own, { bump: { source: payer.publicKey(), inner: transaction.bump?.inner } }, "SigningFailed"],
        [
          own,
          {
            bump: {
              source: payer.publicKey(),
              inner: signedBy(
                payer,
                [Operation.payment({ destination: to, asset: Asset.native(), amount: "5" })],
                { sequence: "41" }
              )
            }
          },
          "SigningFailed"
        ]
      ]
      for (const [preview, change, tag] of changes) {
        const changed = { ...preview, transaction: { ...preview.transaction, ...change } }
        expect(yield* Effect.flip(account.submit(changed as typeof preview))).toMatchObject({ _tag: tag })
      }
      // with a fee that no whole number of stroops for each operation makes
      const odd = { ...prepared, fee: 501n, transaction: { ...transaction, fee: 501n } }
      expect(yield* Effect.flip(account.submit(odd))).toMatchObject({
        _tag: "SigningFailed",
        reason: "its bytes say something else"
      })
      // and by no member, who would sign a payment
      expect(yield* Effect.flip(account.cosign(own))).toMatchObject({
        _tag: "SigningFailed",
        reason: "it pays the fee of another transaction, and is no payment"
      })
      expect(ledger.sent).toEqual([])
      expect(yield* Effect.flip(account.prepareWithoutFee(undefined as never))).toMatchObject({
        _tag: "InvalidArgument"
      })
    })
  )
})
