// @runtime both
/** Proposals of the XRP Ledger, whose bytes and signatures are those of `xrpl`, and whose ledger takes them as rippled does. */
// @covers proposals on libraries: xrp
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { decode, ECDSA, encode, multisign, type Payment, Wallet } from "xrpl"
import { make as makePolicy } from "../../src/signers/policyRules.js"
import {
  approve,
  execute,
  inspect,
  type Proposal,
  type ProposalClient,
  type ProposalRequest,
  propose
} from "../../src/signers/proposal.js"
import { make } from "../../src/signers/Xrp.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/xrp/proposal.js"
import "../../src/signers/xrp/ripple.js"
import { runs } from "../properties.js"
import { checkSteps, reasonOf, travel } from "./proposalSteps.js"
import { makeLedger } from "./rippled.js"

const account = "rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3"
const to = "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe"
const issuer = "rhub8VRN55s94qWKDv6jmDy1pUykJzF3wq"
const token = `USD.${issuer}`

const walletOf = (seed: number, algorithm: ECDSA): Wallet =>
  Wallet.fromEntropy(
    Array.from({ length: 16 }, (_, i) => i + seed),
    { algorithm }
  )
/** Members of both curves: one that weighs 2, and two that weigh 1. The quorum is 2. */
const heavy = walletOf(1, ECDSA.secp256k1)
const light = walletOf(2, ECDSA.ed25519)
const other = walletOf(3, ECDSA.secp256k1)
const foreign = walletOf(4, ECDSA.ed25519)
const weights = { [heavy.address]: 2, [light.address]: 1, [other.address]: 1 }
const wallets = [heavy, light, other]

const makeWorld = () => {
  const ledger = makeLedger(
    {
      [account]: { balance: 10_000_000n, owned: 2, sequence: 7, signers: { quorum: 2, weights } },
      [to]: { balance: 1_000_000n },
      [issuer]: { balance: 1_000_000n }
    },
    [
      { issuer, holder: account, currency: "USD", isLow: true, balance: 100, limit: 1_000 },
      { issuer, holder: to, currency: "USD", isLow: false, balance: 100, limit: 1_000 }
    ]
  )
  const client: ProposalClient = { network: "ripple-mainnet", rpc: ledger.rpc }
  const proposeOne = (request: Partial<ProposalRequest> = {}) =>
    propose(client, { from: account, to, amount: "1.5", ...request })
  const signerOf = (wallet: Wallet, more: object = {}) =>
    make({ network: "ripple-mainnet", rpc: ledger.rpc }, { privateKey: wallet.privateKey, ...more })
  const approveBy = (proposal: Proposal, ...by: ReadonlyArray<Wallet>) =>
    Effect.gen(function* () {
      let approved = proposal
      for (const wallet of by) approved = travel(yield* approve(client, yield* signerOf(wallet), approved))
      return approved
    })
  /** The next ledger, which has what the open one had. */
  const close = () => {
    ledger.at.seq += 1
  }
  return { ledger, client, proposeOne, signerOf, approveBy, close }
}

/** The payment of a proposal, as `xrpl` reads its bytes. */
const readPayment = ({ payload }: Proposal): Payment => decode(payload) as unknown as Payment

describe("proposals of the XRP Ledger", () => {
  it.effect("pay once the weights reach the quorum, as xrpl signs and joins them", () =>
    Effect.gen(function* () {
      const { approveBy, client, close, ledger, proposeOne } = makeWorld()
      for (const request of [
        { memo: "12345" },
        { memo: { text: "rent" } },
        { token, amount: "2.5" }
      ] satisfies ReadonlyArray<Partial<ProposalRequest>>) {
        const proposal = yield* proposeOne(request)
        expect(proposal).toMatchObject({ account, threshold: 2, preview: { to, fee: "48" } })
        expect(new Map(proposal.members.map((each) => [each.address, each.weight]))).toEqual(
          new Map(Object.entries(weights))
        )
        const one = yield* approveBy(proposal, light)
        expect(yield* inspect(client, one)).toMatchObject({
          status: "pending",
          approvals: [light.address],
          weight: 1
        })
        expect(yield* reasonOf(execute(client, one))).toContain("weigh 1 of 2")
        const both = yield* approveBy(one, other)
        expect(yield* inspect(client, both)).toMatchObject({ status: "ready", weight: 2 })
        const sent = yield* execute(client, both)
        close()
        const raw = ledger.sent.at(-1) ?? ""
        const json = yield* Effect.sync(() => readPayment(both))
        expect(raw).toBe(multisign([light, other].map((wallet) => wallet.sign(json, true).tx_blob)))
        expect(yield* inspect(client, both)).toMatchObject({ status: "executed", hash: sent.hash })
        expect(yield* reasonOf(execute(client, both))).toContain(`by the transaction ${sent.hash}`)
      }
      expect(ledger.sent).toHaveLength(3)
      // 1.5 XRP twice, and three fees of four signatures' worth each
      expect(ledger.accounts.get(account)?.balance).toBe(10_000_000n - 3_000_000n - 3n * 48n)
    })
  )

  it.effect("are made of no request with a field of another form", () =>
    Effect.gen(function* () {
      const { ledger, proposeOne } = makeWorld()
      const malformed: ReadonlyArray<readonly [object, RegExp]> = [
        [{ until: "tomorrow" }, /^until must be a Date/],
        [{ until: new Date(Number.NaN) }, /^until must be a Date/],
        [{ until: 7 }, /^until must be a Date/],
        [{ members: account, threshold: 1 }, /^members must be/],
        [{ members: [7], threshold: 1 }, /^members must be/],
        [{ members: [account], threshold: "1" }, /^threshold must be/]
      ]
      for (const [request, reason] of malformed) expect(yield* reasonOf(proposeOne(request))).toMatch(reason)
      expect(ledger.sent).toEqual([])
    })
  )

  it.effect("shows the ledger no more signatures than it needs", () =>
    Effect.gen(function* () {
      const { approveBy, client, ledger, proposeOne } = makeWorld()
      const all = yield* approveBy(yield* proposeOne(), light, other, heavy)
      yield* execute(client, all)
      expect(ledger.sent).toEqual([multisign([heavy.sign(readPayment(all), true).tx_blob])])
    })
  )

  it.effect(
    "are void after their last ledger, after another payment, and after a refusal of the ledger",
    () =>
      Effect.gen(function* () {
        const { approveBy, client, close, ledger, proposeOne, signerOf } = makeWorld()
        const proposal = yield* approveBy(yield* proposeOne(), heavy)
        expect(proposal.expires).toBe(String(ledger.at.seq + (7 * 24 * 60 * 60) / 4))
        const second = yield* approveBy(yield* proposeOne({ amount: "2" }), heavy)
        yield* execute(client, second)
        close()
        expect(yield* inspect(client, proposal)).toMatchObject({
          status: "void",
          reason: expect.stringContaining("another transaction with its number")
        })
        expect(yield* reasonOf(approve(client, yield* signerOf(light), proposal))).toContain("no longer")
        const third = yield* approveBy(yield* proposeOne({ amount: "1" }), heavy)
        ledger.at.seq = Number(third.expires)
        expect(yield* inspect(client, third)).toMatchObject({
          status: "void",
          reason: expect.stringContaining(`ledgers up to ${third.expires}`)
        })
        // it was payable when it was signed, and the ledger has kept the fee
        const fourth = yield* approveBy(yield* proposeOne({ token, amount: "2" }), heavy)
        const late: ProposalClient = {
          ...client,
          rpc: {
            ...ledger.rpc,
            submit: (raw) => {
              ledger.lines.splice(0)
              return Effect.tap(ledger.rpc.submit(raw), () => Effect.sync(close))
            }
          }
        }
        expect(yield* Effect.flip(execute(late, fourth))).toMatchObject({ _tag: "TransactionFailed" })
        expect(yield* inspect(client, fourth)).toMatchObject({
          status: "void",
          reason: expect.stringMatching(/^the ledger has refused it as [0-9A-F]{64}: tecPATH_DRY$/)
        })
      })
  )

  it.effect("are void if members or quorum are not those of the ledger", () =>
    Effect.gen(function* () {
      const { approveBy, client, ledger, proposeOne } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne(), heavy)
      const lies: ReadonlyArray<readonly [Partial<Proposal>, string]> = [
        [{ threshold: 1 }, "threshold: the proposal says 1, and the account takes 2"],
        [{ members: [...proposal.members, { address: foreign.address, weight: 2 }] }, "members: "],
        [{ members: proposal.members.map((each) => ({ ...each, weight: 2 })) }, "members: "]
      ]
      for (const [lie, words] of lies) {
        const told = { ...proposal, ...lie }
        expect(yield* inspect(client, told)).toMatchObject({
          status: "void",
          reason: expect.stringContaining(words)
        })
        expect(yield* reasonOf(execute(client, told))).toContain(words)
      }
      const own = ledger.accounts.get(account)
      if (own !== undefined) own.signers = { quorum: 3, weights }
      expect(yield* reasonOf(execute(client, proposal))).toContain("the account takes 3")
      expect(ledger.sent).toEqual([])
    })
  )

  it.effect("are refused if they show one thing and would sign another, by the name of the field", () =>
    Effect.gen(function* () {
      const { approveBy, client, ledger, proposeOne, signerOf } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne({ memo: "12345" }), heavy)
      const { preview } = proposal
      const bigger = yield* proposeOne({ amount: "2", memo: "12345" })
      const changed = (change: object) => ({ payload: encode({ ...readPayment(proposal), ...change }) })
      const tampered: ReadonlyArray<readonly [object, string]> = [
        [{ preview: { ...preview, to: issuer } }, "to: "],
        [{ preview: { ...preview, amount: "1" } }, "amount: "],
        [{ preview: { ...preview, fee: "12" } }, "fee: "],
        [{ preview: { ...preview, tag: 1 } }, "tag: "],
        [{ preview: { ...preview, memo: "rent" } }, "memo: "],
        [{ preview: { ...preview, token } }, "token: "],
        [{ preview: { ...preview, outgoing: [] } }, "outgoing: "],
        [{ account: to }, "account: "],
        [{ expires: "5" }, "expires: "],
        [{ payload: bigger.payload }, "id: "],
        [{ payload: bigger.payload, id: bigger.id, preview: bigger.preview }, "signatures[0]: "],
        [changed({ TransactionType: "AccountSet", Amount: undefined }), "payload: "],
        [changed({ Flags: 131_072 }), "payload: it is another transaction"],
        [changed({ SourceTag: 5 }), "payload: it is another transaction"],
        [changed({ SigningPubKey: heavy.publicKey }), "payload: it is another transaction"],
        [{ payload: proposal.payload.toLowerCase() }, "payload: "],
        [{ payload: "00" }, "payload: "]
      ]
      for (const [change, words] of tampered) {
        const told = { ...proposal, ...change } as Proposal
        for (const call of [
          Effect.asVoid(inspect(client, told)),
          Effect.asVoid(approve(client, yield* signerOf(light), told)),
          Effect.asVoid(execute(client, told))
        ])
          expect(yield* reasonOf(call), words).toContain(words)
      }
      expect(ledger.sent).toEqual([])
    })
  )

  it.effect("count each member once, with its own key, and nobody else", () =>
    Effect.gen(function* () {
      const { approveBy, client, proposeOne, signerOf } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne(), light)
      const [own] = proposal.signatures
      if (own === undefined) throw new Error("nobody has signed")
      const doubled: Proposal = { ...proposal, signatures: [own, own] }
      expect(yield* inspect(client, doubled)).toMatchObject({ status: "pending", weight: 1 })
      expect((yield* approve(client, yield* signerOf(light), doubled)).signatures).toEqual([own])
      expect(yield* reasonOf(approve(client, yield* signerOf(foreign), proposal))).toContain("no member")
      const wrong: ReadonlyArray<readonly [object, string]> = [
        [{ ...own, member: foreign.address }, "no member"],
        [{ ...own, member: heavy.address }, "not the signature of"],
        [{ ...own, member: heavy.address, publicKey: heavy.publicKey }, "not the signature of"],
        [{ member: heavy.address, signature: own.signature }, "no publicKey"],
        [{ ...own, signature: "00", member: heavy.address, publicKey: heavy.publicKey }, "signatures[1]: "]
      ]
      for (const [signature, words] of wrong)
        expect(
          yield* reasonOf(inspect(client, { ...proposal, signatures: [own, signature] } as Proposal)),
          words
        ).toContain(words)
      // a regular key is another one than the member's own
      const regular = yield* signerOf(foreign, { account: heavy.address })
      expect(yield* Effect.flip(approve(client, regular, proposal))).toMatchObject({
        _tag: "SigningFailed",
        reason: expect.stringContaining("regular key")
      })
    })
  )

  it.effect("are signed by a signer alone only as they are shown", () =>
    Effect.gen(function* () {
      const { approveBy, proposeOne, signerOf } = makeWorld()
      const proposal = yield* proposeOne()
      const transaction = {
        from: account,
        to,
        amount: 1_500_000n,
        fee: 48n,
        sequence: 7,
        lastLedger: Number(proposal.expires)
      }
      const prepared = {
        network: "ripple-mainnet",
        ...{ from: account, to, amount: 1_500_000n, fee: 48n, outgoing: [], warnings: [], transaction }
      }
      const signer = yield* signerOf(light)
      expect({ member: light.address, ...(yield* signer.cosign(prepared)) }).toEqual(
        (yield* approveBy(proposal, light)).signatures[0]
      )
      const { lastLedger: _, ...open } = transaction
      expect(yield* Effect.flip(signer.cosign({ ...prepared, transaction: open }))).toMatchObject({
        _tag: "SigningFailed",
        reason: expect.stringContaining("no number and no last ledger")
      })
      for (const change of [{ amount: 1n }, { fee: 1n }, { to: issuer }, { from: to }, { token }])
        expect(yield* reasonOf(signer.cosign({ ...prepared, ...change }))).toContain("another one than")
    })
  )

  it.effect("ask the policy of the signer with the payment", () =>
    Effect.gen(function* () {
      const { client, proposeOne, signerOf } = makeWorld()
      const policy = yield* makePolicy({ limits: [{ network: "ripple-mainnet", amount: "1" }] })
      const guarded = yield* signerOf(heavy, { policy })
      expect(yield* Effect.flip(approve(client, guarded, yield* proposeOne()))).toMatchObject({
        _tag: "PolicyDenied",
        rule: "limit"
      })
      const small = yield* approve(client, guarded, yield* proposeOne({ amount: "0.5" }))
      expect(small.signatures).toHaveLength(1)
    })
  )

  it.effect("are refused for accounts without members, and for times that are none", () =>
    Effect.gen(function* () {
      const { proposeOne } = makeWorld()
      expect(yield* reasonOf(proposeOne({ from: to, to: account }))).toContain("has no signer list")
      expect(yield* reasonOf(proposeOne({ nonce: 3 }))).toContain("numbers its payments")
      for (const until of [new Date(-1), new Date(Number.NaN)])
        expect(yield* reasonOf(proposeOne({ until }))).toContain("until must be")
    })
  )

  it("are executed if and only if the weights reach the quorum, and once (property)", () =>
    checkSteps(
      () => {
        const { approveBy, client, close, ledger, proposeOne } = makeWorld()
        return Effect.map(proposeOne(), (proposal) => ({
          ...{ client, proposal },
          approveBy: (each, member) => approveBy(each, wallets[member] ?? heavy),
          countSent: () => ledger.sent.length,
          settle: close,
          check: () => {
            const paid = ledger.sent.length > 0 ? 1_500_048n : 0n
            expect(ledger.accounts.get(account)?.balance).toBe(10_000_000n - paid)
          }
        }))
      },
      (signed) => [...signed].reduce((sum, i) => sum + (i === 0 ? 2 : 1), 0) >= 2,
      runs(40)
    ))
})
