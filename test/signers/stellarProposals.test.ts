// @runtime both
/** Proposals of Stellar, whose bytes and signatures are those of `stellar-base`, and whose ledger takes no signature too many. */
// @covers proposals on libraries: stellar
import { describe, expect, it } from "@effect/vitest"
import {
  Asset,
  Keypair,
  Memo,
  Operation,
  Account as Source,
  Transaction,
  TransactionBuilder
} from "@stellar/stellar-base"
import * as Effect from "effect/Effect"
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
import { make } from "../../src/signers/Stellar.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/stellar/base.js"
import "../../src/signers/stellar/proposal.js"
import { runs } from "../properties.js"
import { makeLedger, passphrase } from "./horizon.js"
import { checkSteps, reasonOf, travel } from "./proposalSteps.js"

const pair = (byte: number): Keypair => Keypair.fromRawEd25519Seed(Buffer.alloc(32, byte))
/** The account's own key weighs 1, and payments take 3: two others weigh 2 and 1. */
const own = pair(9)
const heavy = pair(10)
const light = pair(11)
const foreign = pair(12)
const members = [own, heavy, light]
const weightsOf = [1, 2, 1]
const account = own.publicKey()
const to = pair(1).publicKey()
const issuer = pair(2).publicKey()
const newcomer = pair(3).publicKey()
const token = `USDC:${issuer}`
const preimage = "XDRPF6NZRR7EEVO7ESIWUDXHAOMM2QSKIQQBJK6I2FB7YKDZES5UCLWD"

const makeWorld = () => {
  const usd = { code: "USDC", issuer, balance: 1_000_000_000n }
  const ledger = makeLedger({
    [account]: {
      balance: 200_000_000n,
      entries: 4,
      sequence: 41n,
      weight: 1,
      low: 1,
      medium: 3,
      signers: { [heavy.publicKey()]: 2, [light.publicKey()]: 1, [preimage]: 9 },
      trust: [usd]
    },
    [to]: { balance: 10_000_000n, trust: [{ ...usd, balance: 0n }] },
    [issuer]: { balance: 10_000_000n }
  })
  const client: ProposalClient = { network: "stellar-mainnet", rpc: ledger.rpc }
  const proposeOne = (request: Partial<ProposalRequest> = {}) =>
    propose(client, { from: account, to, amount: "1.5", ...request })
  const signerOf = (key: Keypair, more: object = {}) =>
    make({ network: "stellar-mainnet", rpc: ledger.rpc }, { privateKey: key.secret(), ...more })
  const approveBy = (proposal: Proposal, ...by: ReadonlyArray<Keypair>) =>
    Effect.gen(function* () {
      let approved = proposal
      for (const key of by) approved = travel(yield* approve(client, yield* signerOf(key), approved))
      return approved
    })
  return { ledger, client, proposeOne, signerOf, approveBy }
}

/** The envelope of a proposal as stellar-base signs it. */
const sign = ({ payload }: Proposal, ...keys: ReadonlyArray<Keypair>): string => {
  const transaction = new Transaction(payload, passphrase)
  transaction.sign(...keys)
  return transaction.toXDR()
}

describe("proposals of Stellar", () => {
  it.effect("pay once the weights reach the threshold, as stellar-base signs them", () =>
    Effect.gen(function* () {
      const { approveBy, client, ledger, proposeOne } = makeWorld()
      const requests: ReadonlyArray<readonly [Partial<ProposalRequest>, string | undefined]> = [
        [{}, undefined],
        [{ memo: "12345" }, "id: 12345"],
        [{ memo: { text: "12345" } }, "text: 12345"],
        [{ memo: { hash: "ab".repeat(32) } }, `hash: ${"ab".repeat(32)}`],
        [{ memo: { return: "cd".repeat(32) } }, `return: ${"cd".repeat(32)}`],
        [{ token, amount: "2.5" }, undefined],
        [{ to: newcomer, amount: "1" }, undefined]
      ]
      for (const [request, memo] of requests) {
        const proposal = yield* proposeOne(request)
        expect(proposal).toMatchObject({ account, threshold: 3, preview: { fee: "250" } })
        expect(proposal.preview.memo).toBe(memo)
        expect(proposal.members.map(({ address }) => address)).not.toContain(preimage)
        expect(proposal.id).toBe(new Transaction(proposal.payload, passphrase).hash().toString("hex"))
        const one = yield* approveBy(proposal, heavy)
        expect(yield* inspect(client, one)).toMatchObject({
          status: "pending",
          approvals: [heavy.publicKey()],
          weight: 2
        })
        expect(yield* reasonOf(execute(client, one))).toContain("weigh 2 of 3")
        // the own key has signed without being needed
        const all = yield* approveBy(one, light, own)
        expect(yield* inspect(client, all)).toMatchObject({ status: "ready", weight: 4 })
        const sent = yield* execute(client, all, { confirmations: 1 })
        expect(sent.hash).toBe(proposal.id)
        expect(ledger.sent.at(-1)).toBe(sign(proposal, heavy, own))
        expect(yield* inspect(client, all)).toMatchObject({ status: "executed", hash: proposal.id })
        expect(yield* reasonOf(execute(client, all))).toContain(`by the transaction ${proposal.id}`)
      }
      expect(ledger.sent).toHaveLength(requests.length)
    })
  )

  it.effect("are void after their time, after another payment, and after a refusal of the ledger", () =>
    Effect.gen(function* () {
      const { approveBy, client, ledger, proposeOne, signerOf } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne(), heavy, light)
      expect(proposal.expires).toBe(new Date((ledger.at.time + 7 * 24 * 60 * 60) * 1_000).toISOString())
      yield* execute(client, yield* approveBy(yield* proposeOne({ amount: "2" }), heavy, light))
      expect(yield* inspect(client, proposal)).toMatchObject({
        status: "void",
        reason: expect.stringContaining("another transaction has its number")
      })
      expect(yield* reasonOf(approve(client, yield* signerOf(own), proposal))).toContain("no longer")
      const until = new Date((ledger.at.time + 60) * 1_000)
      const soon = yield* approveBy(yield* proposeOne({ until }), heavy, light)
      ledger.at.time += 61
      expect(yield* inspect(client, soon)).toMatchObject({
        status: "void",
        reason: expect.stringContaining(until.toISOString())
      })
      // it was payable when it was signed
      const late = yield* approveBy(yield* proposeOne({ token, amount: "2" }), heavy, light)
      const losing: ProposalClient = {
        ...client,
        rpc: {
          ...ledger.rpc,
          submitTransaction: (given) => {
            const receiver = ledger.accounts.get(to)
            receiver?.trust?.splice(0)
            return ledger.rpc.submitTransaction(given)
          }
        }
      }
      expect(yield* Effect.flip(execute(losing, late))).toMatchObject({ _tag: "TransactionFailed" })
      expect(yield* inspect(client, late)).toMatchObject({
        status: "void",
        reason: "the ledger has refused it, with the result AAAA"
      })
    })
  )

  it.effect("are void if members or threshold are not those of the ledger", () =>
    Effect.gen(function* () {
      const { approveBy, client, ledger, proposeOne } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne(), heavy, light)
      const lies: ReadonlyArray<readonly [Partial<Proposal>, string]> = [
        [{ threshold: 2 }, "threshold: the proposal says 2, and the account takes 3"],
        [{ members: [...proposal.members, { address: foreign.publicKey(), weight: 3 }] }, "members: "],
        [{ members: proposal.members.map((each) => ({ ...each, weight: 3 })) }, "members: "]
      ]
      for (const [lie, words] of lies) {
        const told = { ...proposal, ...lie }
        expect(yield* inspect(client, told)).toMatchObject({
          status: "void",
          reason: expect.stringContaining(words)
        })
        expect(yield* reasonOf(execute(client, told))).toContain(words)
      }
      const state = ledger.accounts.get(account)
      if (state !== undefined) state.medium = 4
      expect(yield* reasonOf(execute(client, proposal))).toContain("the account takes 4")
      expect(ledger.sent).toEqual([])
    })
  )

  it.effect("are refused if they show one thing and would sign another, by the name of the field", () =>
    Effect.gen(function* () {
      const { approveBy, client, ledger, proposeOne, signerOf } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne({ memo: "12345" }), heavy, light)
      const { preview } = proposal
      const bigger = yield* proposeOne({ amount: "2", memo: "12345" })
      const built = (change: (builder: TransactionBuilder) => TransactionBuilder) => ({
        payload: change(
          new TransactionBuilder(new Source(account, "41"), {
            fee: "250",
            networkPassphrase: passphrase,
            timebounds: { minTime: 0, maxTime: Date.parse(proposal.expires ?? "") / 1_000 },
            memo: Memo.id("12345")
          })
        )
          .build()
          .toXDR()
      })
      const pay = Operation.payment({ destination: to, asset: Asset.native(), amount: "1.5" })
      expect(built((builder) => builder.addOperation(pay)).payload).toBe(proposal.payload)
      const tampered: ReadonlyArray<readonly [object, string]> = [
        [{ preview: { ...preview, to: issuer } }, "to: "],
        [{ preview: { ...preview, amount: "1" } }, "amount: "],
        [{ preview: { ...preview, fee: "100" } }, "fee: "],
        [{ preview: { ...preview, memo: "text: 12345" } }, "memo: "],
        [{ preview: { ...preview, token } }, "token: "],
        [{ preview: { ...preview, outgoing: [] } }, "outgoing: "],
        [{ account: to }, "account: "],
        [{ expires: new Date(0).toISOString() }, "expires: "],
        [{ payload: bigger.payload }, "id: "],
        [{ payload: bigger.payload, id: bigger.id, preview: bigger.preview }, "signatures[0]: "],
        [built((builder) => builder.addOperation(pay).addOperation(pay)), "payload: it is another"],
        [
          built((builder) =>
            builder.addOperation(pay).addOperation(Operation.setOptions({ medThreshold: 0 }))
          ),
          "payload: it is another"
        ],
        [
          built((builder) => builder.addOperation(Operation.setOptions({ lowThreshold: 0 }))),
          "payload: it is no"
        ],
        [built((builder) => builder.addOperation(pay).setMinAccountSequence("5")), "payload: it is another"],
        [{ payload: sign(proposal, heavy) }, "payload: it is another"],
        [{ payload: "AAAA" }, "payload: "]
      ]
      for (const [change, words] of tampered) {
        const told = { ...proposal, ...change } as Proposal
        for (const call of [
          Effect.asVoid(inspect(client, told)),
          Effect.asVoid(approve(client, yield* signerOf(own), told)),
          Effect.asVoid(execute(client, told))
        ])
          expect(yield* reasonOf(call), words).toContain(words)
      }
      expect(ledger.sent).toEqual([])
    })
  )

  it.effect("are refused once the receiver has an account that they would make", () =>
    Effect.gen(function* () {
      const { approveBy, client, proposeOne } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne({ to: newcomer, amount: "1" }), heavy, light)
      const { ledger: other } = makeWorld()
      other.accounts.set(newcomer, { balance: 10_000_000n, trust: [] })
      const later: ProposalClient = { ...client, network: "stellar-mainnet", rpc: other.rpc }
      expect(yield* reasonOf(execute(later, proposal))).toContain("has one by now")
    })
  )

  it.effect("count each signer once, and nobody else", () =>
    Effect.gen(function* () {
      const { approveBy, client, proposeOne, signerOf } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne(), light)
      const [first] = proposal.signatures
      if (first === undefined) throw new Error("nobody has signed")
      const doubled: Proposal = { ...proposal, signatures: [first, first, first] }
      expect(yield* inspect(client, doubled)).toMatchObject({ status: "pending", weight: 1 })
      expect((yield* approve(client, yield* signerOf(light), doubled)).signatures).toEqual([first])
      expect(yield* reasonOf(approve(client, yield* signerOf(foreign), proposal))).toContain("no member")
      const wrong: ReadonlyArray<readonly [object, string]> = [
        [{ ...first, member: foreign.publicKey() }, "no member"],
        [{ ...first, member: heavy.publicKey() }, "not the signature of"],
        [{ member: heavy.publicKey(), signature: "!" }, "not the signature of"],
        [{ member: heavy.publicKey(), signature: "" }, "not the signature of"]
      ]
      for (const [signature, words] of wrong)
        expect(
          yield* reasonOf(inspect(client, { ...proposal, signatures: [first, signature] } as Proposal)),
          words
        ).toContain(words)
    })
  )

  it.effect("ask the policy of the signer with the payment", () =>
    Effect.gen(function* () {
      const { client, proposeOne, signerOf } = makeWorld()
      const policy = yield* makePolicy({ limits: [{ network: "stellar-mainnet", amount: "1" }] })
      const guarded = yield* signerOf(heavy, { policy })
      expect(yield* Effect.flip(approve(client, guarded, yield* proposeOne()))).toMatchObject({
        _tag: "PolicyDenied",
        rule: "limit"
      })
      const small = yield* approve(client, guarded, yield* proposeOne({ amount: "0.5" }))
      expect(small.signatures).toHaveLength(1)
      expect(yield* reasonOf(proposeOne({ nonce: 3 }))).toContain("numbers its payments")
      expect(yield* reasonOf(proposeOne({ until: new Date(0) }))).toContain("until must be")
    })
  )

  it("are executed if and only if the weights reach the threshold, and once (property)", () =>
    checkSteps(
      () => {
        const { approveBy, client, ledger, proposeOne } = makeWorld()
        return Effect.map(proposeOne(), (proposal) => ({
          ...{ client, proposal },
          approveBy: (each, member) => approveBy(each, members[member] ?? own),
          countSent: () => ledger.sent.length,
          check: () => {
            const paid = ledger.sent.length > 0 ? 15_000_100n : 0n
            expect(ledger.accounts.get(account)?.balance).toBe(200_000_000n - paid)
          }
        }))
      },
      (signed) => [...signed].reduce((sum, i) => sum + (weightsOf[i] ?? 0), 0) >= 3,
      runs(40)
    ))
})
