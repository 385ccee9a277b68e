// @covers fees on libraries: algorand
import { describe, expect, it } from "@effect/vitest"
import {
  assignGroupID,
  encodeAddress,
  makeAssetTransferTxnWithSuggestedParamsFromObject,
  makePaymentTxnWithSuggestedParamsFromObject,
  signTransaction
} from "algosdk"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import nacl from "tweetnacl"
import { type AlgorandFrom, type AlgorandSponsoredPayment, make } from "../../src/signers/Algorand.js"
import { make as makePolicy } from "../../src/signers/policyRules.js"
import { simulate } from "../../src/signers/simulate.js"
import { runs } from "../properties.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/algorand/sdk.js"
import "../../src/signers/algorand/sponsored.js"
import { type Account, Algod, addressOf, readGroup } from "./algod.js"

const pairOf = (byte: number) => nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(byte))
const [own, payer, third] = [pairOf(0x9f), pairOf(0x21), pairOf(0x33)]
const address = encodeAddress(own.publicKey)
const feePayer = encodeAddress(payer.publicKey)
const stranger = encodeAddress(third.publicKey)
const to = addressOf(new Uint8Array(32).fill(7))
const usdc = "31566704"
const privateKeyOf = ({ secretKey }: { readonly secretKey: Uint8Array }): string =>
  Buffer.from(secretKey).toString("hex")

const nodeOf = (theirs: Partial<Account> = {}, mine: Partial<Account> = {}) => {
  const node = new Algod({
    [address]: { amount: 2_000_000n, assets: { [usdc]: { amount: 5_000_000n } }, ...mine },
    [feePayer]: { amount: 10_000_000n, ...theirs },
    [to]: { amount: 2_000_000n, assets: { [usdc]: { amount: 0n } } }
  })
  node.assets[usdc] = { creator: to, decimals: 6, total: 10n ** 18n, "unit-name": "USDC" }
  return node
}

const signersOf = (node: Algod, from: Partial<AlgorandFrom> = {}, payerFrom: Partial<AlgorandFrom> = {}) =>
  Effect.all({
    account: make(node.client(), { privateKey: privateKeyOf(own), ...from } as AlgorandFrom),
    sponsor: make(node.client(), { privateKey: privateKeyOf(payer), ...payerFrom } as AlgorandFrom)
  })

const decimal = (units: bigint): string => {
  const digits = String(units).padStart(7, "0")
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, "")
}

/** A policy that lets all through, and what it was asked. */
const recorded = () => {
  const seen: Array<unknown> = []
  const policy = {
    authorize: <A, E>(request: unknown, signing: Effect.Effect<A, E>) => {
      seen.push(request)
      return signing
    }
  }
  return { seen, policy }
}

describe("payments of Algorand whose fee another account pays", () => {
  it.effect("show who pays what, and are paid in one group", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const { account, sponsor } = yield* signersOf(node)
      const prepared = yield* account.prepareSponsored({ to, amount: "1.9", memo: "invoice 7", feePayer })
      const { lease, ...transaction } = prepared.transaction
      expect({ ...prepared, transaction }).toEqual({
        network: "algorand-mainnet-algod",
        from: address,
        to,
        amount: 1_900_000n,
        fee: 2_000n,
        outgoing: [
          { asset: "ALGO", amount: "1.9" },
          { asset: "ALGO", amount: "0.002", from: feePayer }
        ],
        warnings: [`${feePayer} pays the fee, if it signs too, up to round 1200.`],
        transaction: {
          ...{ from: address, to, amount: 1_900_000n, fee: 2_000n, memo: "invoice 7" },
          ...{ firstValid: 1_000n, lastValid: 1_200n, sponsored: { feePayer } }
        }
      })
      expect(Buffer.from(lease ?? "", "base64")).toHaveLength(32)
      const signature = yield* sponsor.cosignFee(prepared)
      expect(node.came).toEqual([])
      const sending = yield* Effect.fork(account.submitSponsored(prepared, signature, { confirmations: 1 }))
      yield* TestClock.adjust(1)
      node.mine()
      yield* TestClock.adjust(10_000)
      const { hash } = yield* Fiber.join(sending)
      expect([...node.blocks.keys()]).toHaveLength(2)
      // the id is that of the payment, whose fee is none
      expect(readGroup(node.came[0] ?? "")).toMatchObject([
        { id: hash, from: address, to, amount: 1_900_000n, fee: 0n },
        { from: feePayer, to: feePayer, amount: 0n, fee: 2_000n, memo: "" }
      ])
    })
  )

  it("are the bytes that algosdk makes of them", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt({ min: 1n, max: 1_900_000n }),
        fc.constantFrom(undefined, usdc),
        fc.option(fc.string({ minLength: 1, maxLength: 100, unit: "grapheme" }), { nil: undefined }),
        fc.bigInt({ min: 1n, max: 50_000n }),
        fc.tuple(fc.boolean(), fc.boolean()),
        async (amount, token, memo, least, [isRekeyed, isPayerRekeyed]) => {
          const by = { by: stranger }
          const node = nodeOf(isPayerRekeyed ? by : {}, isRekeyed ? by : {})
          node.least = least
          const privateKey = privateKeyOf(third)
          const { account, sponsor } = await Effect.runPromise(
            signersOf(
              node,
              isRekeyed ? { privateKey, account: address } : {},
              isPayerRekeyed ? { privateKey, account: feePayer } : {}
            )
          )
          const prepared = await Effect.runPromise(
            account.prepareSponsored({
              ...{ to, amount, feePayer },
              ...(token === undefined ? {} : { token }),
              ...(memo === undefined ? {} : { memo })
            })
          )
          expect(prepared.outgoing.at(-1)).toEqual({
            asset: "ALGO",
            amount: decimal(2n * least),
            from: feePayer
          })
          expect(prepared.outgoing).toHaveLength(2)
          const signature = await Effect.runPromise(sponsor.cosignFee(prepared))
          const { hash } = await Effect.runPromise(account.submitSponsored(prepared, signature))

          const common = {
            lease: new Uint8Array(Buffer.from(prepared.transaction.lease ?? "", "base64")),
            suggestedParams: {
              ...{ fee: 0n, minFee: 0n, flatFee: true, firstValid: 1_000n, lastValid: 1_200n },
              genesisID: "mainnet-v1.0",
              genesisHash: new Uint8Array(
                Buffer.from("wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=", "base64")
              )
            }
          }
          const paid = {
            ...common,
            ...{ sender: address, receiver: to, amount, note: new TextEncoder().encode(memo ?? "") }
          }
          const theirs = [
            token === undefined
              ? makePaymentTxnWithSuggestedParamsFromObject(paid)
              : makeAssetTransferTxnWithSuggestedParamsFromObject({ ...paid, assetIndex: BigInt(token) }),
            makePaymentTxnWithSuggestedParamsFromObject({
              ...common,
              suggestedParams: { ...common.suggestedParams, fee: 2n * least },
              ...{ sender: feePayer, receiver: feePayer, amount: 0n }
            })
          ]
          const [mine, payers] = assignGroupID(theirs)
          if (mine === undefined || payers === undefined) throw new Error("a group of two was expected")
          const signed = [
            signTransaction(mine, (isRekeyed ? third : own).secretKey).blob,
            signTransaction(payers, (isPayerRekeyed ? third : payer).secretKey).blob
          ]
          expect(node.came).toEqual([Buffer.concat(signed).toString("base64")])
          expect(hash).toBe(mine.txID())
          expect(node.pool.size).toBe(2)
        }
      ),
      { numRuns: runs(40) }
    )
  })

  it.effect("send all that an account has, without what it keeps", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const { account, sponsor } = yield* signersOf(node)
      const prepared = yield* account.prepareSponsored({ to, amount: "all", feePayer })
      expect(prepared.amount).toBe(1_900_000n)
      // and an account with nothing to spend sends its assets
      const poor = yield* signersOf(
        nodeOf({}, { amount: 100_000n, assets: { [usdc]: { amount: 5_000_000n } } })
      )
      const assets = yield* poor.account.prepareSponsored({ to, amount: "all", token: usdc, feePayer })
      expect(assets).toMatchObject({
        amount: 5_000_000n,
        outgoing: [{ token: usdc, amount: "5" }, { from: feePayer }]
      })
      yield* account.submitSponsored(prepared, yield* sponsor.cosignFee(prepared))
      expect(node.pool.size).toBe(2)
    })
  )

  const payment = { to, amount: "1", feePayer }
  const refusals: ReadonlyArray<
    readonly [
      string,
      object | undefined,
      object,
      { readonly theirs?: Partial<Account>; readonly fee?: bigint }?
    ]
  > = [
    ["nothing", undefined, { reason: "a payment is { to, amount, feePayer }" }],
    ["nobody who pays", { to, amount: "1" }, { _tag: "InvalidAddress" }],
    [
      "a payer with a wrong digit",
      { ...payment, feePayer: `B${feePayer.slice(1)}` },
      { _tag: "InvalidAddress" }
    ],
    [
      "the account itself",
      { ...payment, feePayer: address },
      { reason: "feePayer: it is the account itself" }
    ],
    ["a higher fee than it may have", { ...payment, maxFee: 1_999n }, { _tag: "FeeOverCap" }],
    ["more than the account has", { ...payment, amount: "1.900001" }, { _tag: "InsufficientFunds", address }],
    [
      "a payer without the fee",
      payment,
      { _tag: "InsufficientFunds", address: feePayer, needed: "0.102", available: "0.101999" },
      { theirs: { amount: 101_999n } }
    ],
    ["a full chain", payment, { reason: expect.stringContaining("the chain is full") }, { fee: 1n }]
  ]
  it.effect.each(refusals)("are not prepared for %s", ([, request, error, { fee = 0n, theirs = {} } = {}]) =>
    Effect.gen(function* () {
      const node = nodeOf(theirs)
      node.fee = fee
      const { account } = yield* signersOf(node)
      expect(yield* Effect.flip(account.prepareSponsored(request as AlgorandSponsoredPayment))).toMatchObject(
        { _tag: "InvalidArgument", ...error }
      )
    })
  )

  it.effect("cost the payer no more than it allows", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const { account, sponsor } = yield* signersOf(node)
      const prepared = yield* account.prepareSponsored(payment)
      const dearer = (fee: bigint) => ({
        ...prepared,
        fee,
        transaction: { ...prepared.transaction, fee }
      })
      expect(yield* Effect.flip(sponsor.cosignFee(prepared, { maxFee: 1_999n }))).toMatchObject({
        _tag: "FeeOverCap"
      })
      yield* sponsor.cosignFee(prepared, { maxFee: 2_000n })
      // what its own node does not ask for, it pays only if it says so
      expect(yield* Effect.flip(sponsor.cosignFee(dearer(2_001n)))).toMatchObject({ _tag: "FeeOverCap" })
      yield* sponsor.cosignFee(dearer(2_001n), { maxFee: "0.0021" })
      // nor what a lying node asks for
      node.least = 60_000n
      expect(yield* Effect.flip(sponsor.cosignFee(dearer(120_000n)))).toMatchObject({ _tag: "FeeOverCap" })
      expect(yield* Effect.flip(account.prepareSponsored(payment))).toMatchObject({ _tag: "FeeOverCap" })
      node.least = 1_000n
      node.accounts[feePayer] = { amount: 101_999n }
      expect(yield* Effect.flip(sponsor.cosignFee(prepared))).toMatchObject({
        _tag: "InsufficientFunds",
        address: feePayer
      })
    })
  )

  it.effect("are signed by both for nothing but what their preview shows", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const { account, sponsor } = yield* signersOf(node)
      const other = yield* make(node.client(), { privateKey: privateKeyOf(third) })
      const prepared = yield* account.prepareSponsored(payment)
      const signature = yield* sponsor.cosignFee(prepared)
      const { transaction } = prepared
      const mismatch = "its transaction is another one than that of its preview"
      for (const change of [
        { to: stranger },
        { amount: 5n },
        { token: usdc },
        { fee: 3_000n },
        { sponsored: { feePayer: stranger } },
        { sponsored: undefined }
      ]) {
        const changed = { ...prepared, transaction: { ...transaction, ...change } } as typeof prepared
        for (const failed of [
          ...("sponsored" in change && change.sponsored === undefined
            ? [yield* Effect.flip(account.submit(changed))]
            : [yield* Effect.flip(account.submitSponsored(changed, signature))]),
          yield* Effect.flip(sponsor.cosignFee(changed))
        ])
          expect(failed).toMatchObject({ _tag: "InvalidArgument", reason: mismatch })
      }
      // what its preview does not show is in what the payer has signed
      const wrong = `what it has besides is not the signature of ${feePayer}`
      for (const change of [
        { lease: Buffer.alloc(32, 1).toString("base64") },
        { lastValid: 1_201n },
        { firstValid: 999n },
        { memo: "other" },
        { sponsored: { feePayer, key: stranger } }
      ])
        expect(
          yield* Effect.flip(
            account.submitSponsored({ ...prepared, transaction: { ...transaction, ...change } }, signature)
          )
        ).toMatchObject({ _tag: "SigningFailed", reason: wrong })
      for (const given of ["", "?", Buffer.alloc(64, 1).toString("base64"), `${signature.signature}AAAA`])
        expect(yield* Effect.flip(account.submitSponsored(prepared, { signature: given }))).toMatchObject({
          _tag: "SigningFailed",
          reason: wrong
        })
      expect(yield* Effect.flip(account.submit(prepared))).toMatchObject({
        _tag: "SigningFailed",
        reason: `${feePayer} has to sign it too: cosignFee of its signer does, and submitSponsored takes that`
      })
      // nobody signs it as a payment that pays its fee itself
      for (const signer of [account, sponsor, other])
        expect(yield* Effect.flip(signer.cosign(prepared))).toMatchObject({
          _tag: "SigningFailed",
          reason: expect.stringContaining("another account pays its fee")
        })
      for (const signer of [account, other])
        expect(yield* Effect.flip(signer.cosignFee(prepared))).toMatchObject({
          _tag: "InvalidArgument",
          reason: `${feePayer} pays its fee, and this signer is ${signer.address}`
        })
      const staking = { ...transaction, to: address, amount: 0n, staking: { action: "go_offline" as const } }
      expect(yield* Effect.flip(account.sign(staking))).toMatchObject({
        _tag: "SigningFailed",
        reason: expect.stringContaining("it registers keys")
      })
      const itself = { ...transaction, sponsored: { feePayer: address, signature: signature.signature } }
      expect(yield* Effect.flip(account.sign(itself))).toMatchObject({
        _tag: "SigningFailed",
        reason: "feePayer is the account itself"
      })
      const { lease: _, ...undated } = transaction
      expect(
        yield* Effect.flip(account.submitSponsored({ ...prepared, transaction: undated }, signature))
      ).toMatchObject({ _tag: "InvalidArgument", reason: expect.stringContaining("no lease") })
      const plain = yield* account.prepare({ to, amount: "1" })
      for (const given of [plain, undefined, 7])
        expect(yield* Effect.flip(account.submitSponsored(given as never, signature))).toMatchObject({
          _tag: "InvalidArgument",
          call: "submitSponsored"
        })
      expect(yield* Effect.flip(account.submitSponsored(prepared, undefined as never))).toMatchObject({
        _tag: "InvalidArgument"
      })
      expect(yield* Effect.flip(sponsor.cosignFee(plain))).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringContaining("no rounds and no lease")
      })
      expect(node.came).toEqual([])
    })
  )

  it.effect("are signed by the key that the payer was rekeyed to, and by none else", () =>
    Effect.gen(function* () {
      const node = nodeOf({ by: stranger })
      const { account, sponsor } = yield* signersOf(node)
      const prepared = yield* account.prepareSponsored(payment)
      expect(prepared.transaction.sponsored).toEqual({ feePayer, key: stranger })
      expect(yield* Effect.flip(sponsor.cosignFee(prepared))).toMatchObject({
        _tag: "InvalidArgument",
        reason: `the key of ${stranger} signs for it, and not that of ${feePayer}`
      })
      // a preview may hide it: the chain tells
      const hidden = {
        ...prepared,
        transaction: { ...prepared.transaction, sponsored: { feePayer } }
      }
      expect(yield* Effect.flip(sponsor.cosignFee(hidden))).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringContaining("signs for it no more")
      })
    })
  )

  it.effect("are over after their last round", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const { account, sponsor } = yield* signersOf(node)
      const prepared = yield* account.prepareSponsored(payment)
      const signature = yield* sponsor.cosignFee(prepared)
      node.round = 1_199n
      yield* sponsor.cosignFee(prepared)
      node.round = 1_200n
      expect(yield* Effect.flip(sponsor.cosignFee(prepared))).toMatchObject({
        _tag: "InvalidArgument",
        reason: "rounds up to 1200 could have it, and the newest is 1200: prepare it again"
      })
      const sending = yield* Effect.fork(Effect.flip(account.submitSponsored(prepared, signature)))
      yield* TestClock.adjust(10_000)
      expect(yield* Fiber.join(sending)).toMatchObject({
        _tag: "RequestRejected",
        message: expect.stringContaining("txn dead")
      })
      expect(node.pool.size).toBe(0)
    })
  )

  it.effect("are paid once, whatever becomes of answers", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const { account, sponsor } = yield* signersOf(node)
      const prepared = yield* account.prepareSponsored(payment)
      const signature = yield* sponsor.cosignFee(prepared)
      node.lost = () => "before"
      const sending = yield* Effect.fork(Effect.flip(account.submitSponsored(prepared, signature)))
      yield* TestClock.adjust(60_000)
      const unclear = yield* Fiber.join(sending)
      expect(unclear._tag).toBe("BroadcastUnclear")
      if (unclear._tag !== "BroadcastUnclear") return
      // a refusal of what was sent before proves nothing
      node.lost = () => undefined
      node.fee = 1n
      const again = yield* Effect.fork(Effect.flip(account.submitSponsored(prepared, signature)))
      yield* TestClock.adjust(60_000)
      expect(yield* Fiber.join(again)).toMatchObject({ _tag: "BroadcastUnclear", hash: unclear.hash })
      node.fee = 0n
      expect(yield* account.submit(unclear)).toMatchObject({ hash: unclear.hash })
      expect(new Set(node.came)).toEqual(new Set([unclear.raw]))
      // what nodes have taken is not paid again
      const sent = yield* account.submitSponsored(prepared, signature)
      expect(sent.hash).toBe(unclear.hash)
      expect(node.pool.size).toBe(2)
    })
  )

  it.effect("show policies of both sides what they pay", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [recorded(), recorded()]
      const { account, sponsor } = yield* signersOf(
        nodeOf(),
        { policy: mine.policy },
        { policy: theirs.policy }
      )
      for (const [token, said] of [
        [undefined, "1 ALGO"],
        [usdc, `1000000 of the smallest unit of the asset ${usdc}`]
      ] as const) {
        const prepared = yield* account.prepareSponsored({
          ...payment,
          ...(token === undefined ? {} : { token })
        })
        const { hash } = yield* account.submitSponsored(prepared, yield* sponsor.cosignFee(prepared))
        expect(theirs.seen.pop()).toMatchObject({
          address: feePayer,
          kind: "payment",
          prepared: {
            ...{ from: feePayer, to: address, amount: 0n, fee: 2_000n },
            outgoing: [{ asset: "ALGO", amount: "0.002" }],
            warnings: [`It pays the fee of ${hash}, by which ${address} pays ${said} to ${to}.`]
          }
        })
        expect(mine.seen.pop()).toMatchObject({
          address,
          kind: "payment",
          prepared: { from: address, to, outgoing: prepared.outgoing, warnings: prepared.warnings }
        })
      }
      const network = "algorand-mainnet-algod"
      const stingy = yield* makePolicy({ limits: [{ network, amount: 3_999n, per: "1 day" }] })
      const known = yield* makePolicy({ recipients: { [network]: [to] } })
      const limited = yield* signersOf(nodeOf(), {}, { policy: stingy })
      const first = yield* limited.account.prepareSponsored(payment)
      yield* limited.sponsor.cosignFee(first)
      expect(yield* Effect.flip(limited.sponsor.cosignFee(first))).toMatchObject({
        _tag: "PolicyDenied",
        rule: "limit"
      })
      // it knows the account that it pays for, and not whom that pays
      const { sponsor: choosy } = yield* signersOf(nodeOf(), {}, { policy: known })
      expect(yield* Effect.flip(choosy.cosignFee(first))).toMatchObject({
        _tag: "PolicyDenied",
        rule: "recipient"
      })
    })
  )

  it.effect("are not simulated as payments that pay their fee", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const { account } = yield* signersOf(node)
      const prepared = yield* account.prepareSponsored(payment)
      expect(yield* Effect.flip(simulate(node.client(), prepared))).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringContaining("sponsored")
      })
      expect(node.tried).toEqual([])
    })
  )
})
