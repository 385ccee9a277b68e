// @covers fees on libraries: stellar
import { describe, expect, it } from "@effect/vitest"
import {
  Asset,
  Keypair,
  MuxedAccount,
  Operation,
  Account as Source,
  TransactionBuilder
} from "@stellar/stellar-base"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { make, type SponsorshipRequest, type StellarCalls } from "../../src/signers/Stellar.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/stellar/base.js"
import "../../src/signers/stellar/sponsorships.js"
import { runs } from "../properties.js"
import { type Account, makeLedger, passphrase } from "./horizon.js"

const pair = (byte: number): Keypair => Keypair.fromRawEd25519Seed(Buffer.alloc(32, byte))
const [sponsor, owner, issuer, other] = [pair(9), pair(3), pair(2), pair(4)]
const account = owner.publicKey()
const usdc = `USDC:${issuer.publicKey()}`
const euro = `EURC:${issuer.publicKey()}`

const usual: Readonly<Record<string, Account>> = {
  [sponsor.publicKey()]: { balance: 100_000_000n, sequence: 41n },
  [issuer.publicKey()]: { balance: 10_000_000n }
}
const withOwner = (own: Partial<Account> = {}) => ({ ...usual, [account]: { balance: 10_000_000n, ...own } })

const signerOf = (key: Keypair, rpc: StellarCalls) =>
  make({ network: "stellar-mainnet", rpc }, { privateKey: key.secret() })

describe("sponsored reserves of Stellar", () => {
  it.effect("make an account without lumens that has a trust line", () =>
    Effect.gen(function* () {
      const ledger = makeLedger(usual)
      const payer = yield* signerOf(sponsor, ledger.rpc)
      const prepared = yield* payer.prepareSponsorship({ account, trust: [usdc] })
      expect(prepared).toEqual({
        network: "stellar-mainnet",
        from: sponsor.publicKey(),
        to: account,
        amount: 0n,
        fee: 1_000n,
        outgoing: [{ asset: "XLM", amount: "0.0001" }],
        warnings: [
          `It keeps the reserve of ${account} for the account itself, its trust line for ${usdc}.`,
          "1.5 XLM of the account cannot be spent as long as those are there."
        ],
        transaction: {
          from: sponsor.publicKey(),
          to: account,
          amount: 0n,
          creates: true,
          sponsors: { trust: [usdc] },
          fee: 1_000n,
          sequence: 42n,
          expires: ledger.at.time + 600
        }
      })
      expect(yield* Effect.flip(payer.submit(prepared))).toMatchObject({
        _tag: "SigningFailed",
        reason: `${account} has to sign it too: cosign of its signer does, and submitSponsorship takes that`
      })
      const signature = yield* (yield* signerOf(owner, ledger.rpc)).cosign(prepared)
      expect(signature.publicKey).toBe(account)
      const sent = yield* payer.submitSponsorship(prepared, signature, { confirmations: 1 })
      expect(sent.hash).toMatch(/^[0-9a-f]{64}$/)
      expect(ledger.accounts.get(account)).toMatchObject({
        balance: 0n,
        sponsored: 3,
        trust: [{ code: "USDC" }]
      })
      // what the sponsor keeps for it is not there to be spent
      const all = yield* payer.prepare({ to: issuer.publicKey(), amount: "all" })
      expect(all.amount).toBe(100_000_000n - 100n - 5n * 5_000_000n - all.fee)
    })
  )

  it("are the bytes that stellar-base makes of them", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.option(fc.bigInt({ min: 0n, max: 50_000_000n }), { nil: undefined }),
        fc.subarray([usdc, euro]),
        fc.integer({ min: 100, max: 2_000 }),
        fc.boolean(),
        async (startingBalance, trust, rate, isNew) => {
          if (!isNew && (startingBalance !== undefined || trust.length === 0)) return
          const ledger = makeLedger(isNew ? usual : withOwner())
          ledger.terms.p95 = String(rate)
          const payer = await Effect.runPromise(signerOf(sponsor, ledger.rpc))
          const request = { account, trust, ...(startingBalance === undefined ? {} : { startingBalance }) }
          const prepared = await Effect.runPromise(payer.prepareSponsorship(request))
          const their = await Effect.runPromise(signerOf(owner, ledger.rpc))
          const signature = await Effect.runPromise(their.cosign(prepared))
          const sent = await Effect.runPromise(payer.submitSponsorship(prepared, signature))

          const builder = new TransactionBuilder(new Source(sponsor.publicKey(), "41"), {
            fee: String(rate),
            networkPassphrase: passphrase,
            timebounds: { minTime: 0, maxTime: 1_800_000_600 }
          }).addOperation(Operation.beginSponsoringFutureReserves({ sponsoredId: account }))
          const digits = String(startingBalance ?? 0n).padStart(8, "0")
          if (isNew)
            builder.addOperation(
              Operation.createAccount({
                destination: account,
                startingBalance: `${digits.slice(0, -7)}.${digits.slice(-7)}`
              })
            )
          for (const token of trust) {
            const asset = new Asset(token.split(":")[0] ?? "", issuer.publicKey())
            builder.addOperation(Operation.changeTrust({ asset, source: account }))
          }
          const theirs = builder
            .addOperation(Operation.endSponsoringFutureReserves({ source: account }))
            .build()
          theirs.sign(sponsor, owner)
          expect(ledger.sent.at(-1)).toBe(theirs.toXDR())
          expect(sent.hash).toBe(theirs.hash().toString("hex"))
        }
      ),
      { numRuns: runs(30) }
    )
  })

  const refusals: ReadonlyArray<readonly [string, object | undefined, object, object?]> = [
    ["nothing", undefined, { reason: expect.stringContaining("a sponsorship is") }],
    ["an account with a wrong digit", { account: `${account.slice(0, -1)}A` }, { _tag: "InvalidAddress" }],
    [
      "a part of an account",
      { account: new MuxedAccount(new Source(account, "0"), "7").accountId() },
      { _tag: "InvalidAddress" }
    ],
    ["the sponsor itself", { account: sponsor.publicKey() }, { reason: "account: it is the sponsor itself" }],
    ["what is no asset", { account, trust: ["USDC"] }, { reason: expect.stringContaining("CODE:G…") }],
    ["an asset twice", { account, trust: [usdc, usdc] }, { reason: expect.stringContaining("each once") }],
    ["what is no list", { account, trust: usdc }, { reason: expect.stringContaining("a list") }],
    [
      "an asset that nobody issues",
      { account, trust: [`USDC:${other.publicKey()}`] },
      { reason: expect.stringContaining("its issuer has no account") }
    ],
    [
      "an asset that the account issues",
      { account, trust: [`USDC:${account}`] },
      { reason: `trust: ${account} issues USDC itself` },
      withOwner()
    ],
    [
      "a balance of an account that is there",
      { account, startingBalance: "1", trust: [usdc] },
      { reason: expect.stringContaining("startingBalance") },
      withOwner()
    ],
    [
      "nothing for an account that is there",
      { account },
      { reason: expect.stringContaining("gets no trust line") },
      withOwner()
    ],
    [
      "a trust line that is there",
      { account, trust: [usdc] },
      { reason: expect.stringContaining("already") },
      withOwner({ trust: [{ code: "USDC", issuer: issuer.publicKey(), balance: 0n }] })
    ],
    [
      "an account whose key is not enough",
      { account, trust: [usdc] },
      { reason: expect.stringContaining("its key weighs 1") },
      withOwner({ medium: 2 })
    ],
    ["a time of the past", { account, until: new Date(1_800_000_000_000) }, { reason: expect.anything() }],
    ["a time that is none", { account, until: "soon" }, { reason: expect.stringContaining("a Date") }],
    ["no amount", { account, startingBalance: "-1" }, { _tag: "InvalidAmount" }],
    ["more than the fee may be", { account, maxFee: 749n }, { _tag: "FeeOverCap" }],
    [
      "more than the sponsor has",
      { account, startingBalance: "7.99993", trust: [usdc] },
      { _tag: "InsufficientFunds", needed: "10.50003", available: "10" }
    ]
  ]
  it.effect.each(refusals)("are not prepared for %s", ([, request, error, accounts = usual]) =>
    Effect.gen(function* () {
      const payer = yield* signerOf(sponsor, makeLedger(accounts as typeof usual).rpc)
      expect(yield* Effect.flip(payer.prepareSponsorship(request as SponsorshipRequest))).toMatchObject({
        _tag: "InvalidArgument",
        ...error
      })
    })
  )

  it.effect("take all that the sponsor has without its reserve, and no key that weighs less", () =>
    Effect.gen(function* () {
      const preparedBy = (own: Partial<Account>) =>
        Effect.gen(function* () {
          const ledger = makeLedger({ ...usual, [sponsor.publicKey()]: { balance: 25_001_000n, ...own } })
          return yield* (yield* signerOf(sponsor, ledger.rpc)).prepareSponsorship({ account, trust: [usdc] })
        })
      expect(yield* preparedBy({})).toMatchObject({ fee: 1_000n })
      expect(yield* Effect.flip(preparedBy({ balance: 25_000_999n }))).toMatchObject({
        _tag: "InsufficientFunds"
      })
      expect(yield* Effect.flip(preparedBy({ medium: 2 }))).toMatchObject({ _tag: "InvalidArgument" })
    })
  )

  it.effect("are signed by both, for nothing but what their preview shows", () =>
    Effect.gen(function* () {
      const ledger = makeLedger(usual)
      const payer = yield* signerOf(sponsor, ledger.rpc)
      const their = yield* signerOf(owner, ledger.rpc)
      const prepared = yield* payer.prepareSponsorship({ account, startingBalance: "1", trust: [usdc] })
      const signature = yield* their.cosign(prepared)
      const { transaction } = prepared
      const changes: ReadonlyArray<readonly [object, string]> = [
        [{ sponsors: { trust: [usdc, euro] } }, "another one than that of its preview"],
        [{ creates: false }, "another one than that of its preview"],
        [{ amount: 5n }, "another one than that of its preview"],
        [{ to: other.publicKey() }, "another one than that of its preview"]
      ]
      for (const [change, reason] of changes) {
        const changed = { ...prepared, transaction: { ...transaction, ...change } }
        for (const failed of [
          yield* Effect.flip(payer.submitSponsorship(changed, signature)),
          yield* Effect.flip(their.cosign(changed))
        ])
          expect(failed).toMatchObject({
            _tag: "InvalidArgument",
            reason: expect.stringContaining(reason)
          })
      }
      for (const [change, reason] of [
        [{ token: usdc }, "pays nothing but"],
        [{ memo: "5" }, "pays nothing but"]
      ] as const) {
        const changed = { ...prepared, transaction: { ...transaction, ...change } }
        expect(yield* Effect.flip(payer.sign(changed.transaction))).toMatchObject({
          _tag: "SigningFailed",
          reason: expect.stringContaining(reason)
        })
      }
      const wrong = yield* Effect.flip(
        payer.submitSponsorship(prepared, { signature: Buffer.alloc(64, 1).toString("base64") })
      )
      expect(wrong).toMatchObject({
        _tag: "SigningFailed",
        reason: `what it has besides is not the signature of ${account}`
      })
      const late = { ...prepared, transaction: { ...transaction, expires: (transaction.expires ?? 0) + 1 } }
      expect(yield* Effect.flip(payer.submitSponsorship(late, signature))).toMatchObject({
        _tag: "SigningFailed",
        reason: `what it has besides is not the signature of ${account}`
      })
      expect(yield* Effect.flip((yield* signerOf(other, ledger.rpc)).cosign(prepared))).toMatchObject({
        _tag: "SigningFailed",
        reason: `it sponsors ${account}, and this signer is ${other.publicKey()}`
      })
      expect(yield* Effect.flip(payer.submitSponsorship(undefined as never, signature))).toMatchObject({
        _tag: "InvalidArgument",
        call: "submitSponsorship"
      })
      const plain = yield* payer.prepare({ to: issuer.publicKey(), amount: "1" })
      expect(yield* Effect.flip(payer.submitSponsorship(plain, signature))).toMatchObject({
        _tag: "InvalidArgument",
        call: "submitSponsorship"
      })
      const { sequence: _, ...unnumbered } = transaction
      expect(yield* Effect.flip(payer.sign(unnumbered))).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringContaining("no sequence and expires")
      })
      expect(ledger.sent).toEqual([])
    })
  )

  it.effect("show their policies what they are for", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const { rpc } = makeLedger(usual)
      const policy = {
        authorize: <A, E>(request: unknown, signing: Effect.Effect<A, E>) => {
          seen.push(request)
          return signing
        }
      }
      const signerWith = (key: Keypair) =>
        make({ network: "stellar-mainnet", rpc }, { privateKey: key.secret(), policy })
      const payer = yield* signerWith(sponsor)
      const prepared = yield* payer.prepareSponsorship({ account, trust: [usdc] })
      yield* payer.submitSponsorship(prepared, yield* (yield* signerWith(owner)).cosign(prepared))
      expect(seen).toMatchObject([
        { address: account, kind: "payment", prepared: { from: sponsor.publicKey(), to: account } },
        { address: sponsor.publicKey(), kind: "payment", prepared: { warnings: prepared.warnings } }
      ])
    })
  )
})
