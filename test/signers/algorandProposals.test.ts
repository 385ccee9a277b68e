// @runtime both
/** Proposals of Algorand, whose bytes and signatures are those of `algosdk`, and whose node reads them by itself. */
// @covers proposals on libraries: algorand
import { describe, expect, it } from "@effect/vitest"
import {
  Address,
  decodeUnsignedTransaction,
  encodeUnsignedTransaction,
  mergeMultisigTransactions,
  multisigAddress,
  signMultisigTransaction
} from "algosdk"
import * as Effect from "effect/Effect"
import nacl from "tweetnacl"
import { make } from "../../src/signers/Algorand.js"
import { make as makePolicy } from "../../src/signers/policyRules.js"
import {
  approve,
  execute,
  inspect,
  type Proposal,
  type ProposalRequest,
  propose
} from "../../src/signers/proposal.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/algorand/proposal.js"
import "../../src/signers/algorand/sdk.js"
import { runs } from "../properties.js"
import { Algod, addressOf } from "./algod.js"
import { checkSteps, reasonOf, travel } from "./proposalSteps.js"

const pairOf = (byte: number) => nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(byte))
const pairs = [pairOf(0x9f), pairOf(0x21), pairOf(0x05)]
const members = pairs.map(({ publicKey }) => addressOf(publicKey))
const foreign = pairOf(0x77)
const metadata = { version: 1, threshold: 2, addrs: members }
const account = multisigAddress(metadata).toString()
const someone = addressOf(new Uint8Array(32).fill(7))
const usdc = "31566704"

const makeWorld = () => {
  const node = new Algod({
    [account]: { amount: 10_000_000n, assets: { [usdc]: { amount: 5_000_000n } } },
    [someone]: { amount: 2_000_000n, assets: { [usdc]: { amount: 0n } } }
  })
  node.assets[usdc] = { creator: someone, decimals: 6, total: 10n ** 18n, "unit-name": "USDC" }
  const client = node.client()
  const proposeOne = (request: Partial<ProposalRequest> = {}) =>
    propose(client, { from: account, members, threshold: 2, to: someone, amount: "1.5", ...request })
  const signerOf = ({ secretKey }: nacl.SignKeyPair, more: object = {}) =>
    make(client, { privateKey: Buffer.from(secretKey).toString("hex"), ...more })
  const approveBy = (proposal: Proposal, ...by: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      let approved = proposal
      for (const i of by)
        approved = travel(yield* approve(client, yield* signerOf(pairs[i] ?? foreign), approved))
      return approved
    })
  return { node, client, proposeOne, signerOf, approveBy }
}

/** The transaction of a proposal with signatures, as algosdk makes it. */
const sign = ({ payload }: Proposal, ...by: ReadonlyArray<number>): string => {
  const transaction = decodeUnsignedTransaction(Buffer.from(payload, "base64"))
  const blobs = by.map(
    (i) => signMultisigTransaction(transaction, metadata, (pairs[i] ?? foreign).secretKey).blob
  )
  return Buffer.from(mergeMultisigTransactions(blobs)).toString("base64")
}

describe("proposals of Algorand", () => {
  it.effect("pay once two of three members have signed, as algosdk signs and merges", () =>
    Effect.gen(function* () {
      const { approveBy, client, node, proposeOne } = makeWorld()
      for (const request of [{}, { memo: "12345" }, { token: usdc, amount: "2.5" }] satisfies ReadonlyArray<
        Partial<ProposalRequest>
      >) {
        const proposal = yield* proposeOne(request)
        expect(proposal).toMatchObject({
          account,
          threshold: 2,
          members: members.map((address) => ({ address, weight: 1 })),
          expires: String(node.round + 1_000n),
          preview: { fee: "1000" }
        })
        const one = yield* approveBy(proposal, 2)
        expect(yield* inspect(client, one)).toMatchObject({
          status: "pending",
          approvals: [members[2]],
          missing: members.slice(0, 2)
        })
        expect(yield* reasonOf(execute(client, one))).toContain("weigh 1 of 2")
        const both = yield* approveBy(one, 0)
        expect(yield* inspect(client, both)).toMatchObject({ status: "ready", weight: 2 })
        const sent = yield* execute(client, both)
        expect(sent.hash).toBe(proposal.id)
        expect(node.came.at(-1)).toBe(sign(proposal, 0, 2))
        node.mine()
        expect(yield* inspect(client, both)).toMatchObject({ status: "executed", hash: proposal.id })
        expect(yield* reasonOf(execute(client, both))).toContain(`by the transaction ${proposal.id}`)
      }
      expect(node.came).toHaveLength(3)
    })
  )

  it.effect("cost what their signatures weigh while the chain is full", () =>
    Effect.gen(function* () {
      const { approveBy, client, node, proposeOne } = makeWorld()
      node.fee = 10n
      const proposal = yield* approveBy(yield* proposeOne(), 0, 1)
      yield* execute(client, proposal)
      expect(node.pool.has(proposal.id)).toBe(true)
      expect(BigInt(proposal.preview.fee)).toBeGreaterThan(1_000n)
    })
  )

  it.effect("are void after their last round, which is one of the next thousand", () =>
    Effect.gen(function* () {
      const { approveBy, client, node, proposeOne } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne(), 0, 1)
      node.round = BigInt(proposal.expires ?? "")
      expect(yield* inspect(client, proposal)).toMatchObject({
        status: "void",
        reason: expect.stringContaining(`rounds up to ${proposal.expires}`)
      })
      expect(yield* reasonOf(execute(client, proposal))).toContain("no longer")
      const soon = yield* proposeOne({ until: new Date(28_000) })
      expect(Number(soon.expires) - Number(soon.since)).toBe(10)
      for (const until of [new Date(-1), new Date(3_000_000), new Date(Number.NaN)])
        expect(yield* reasonOf(proposeOne({ until }))).toContain("until must be")
    })
  )

  it.effect("have the members that make the address, in their order", () =>
    Effect.gen(function* () {
      const { approveBy, client, node, proposeOne } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne(), 0, 1)
      const [first = "", second = "", third = ""] = members
      const wrong: ReadonlyArray<readonly [Partial<ProposalRequest>, string]> = [
        [{ threshold: 1 }, "members: 1 of these 3"],
        [{ members: [second, first, third] }, "members: 2 of these 3"],
        [{ members: [first, second] }, "members: 2 of these 2"],
        [{ members: [first, first, second] }, "members: each must be another"],
        [{ members: [first, "x"] }, "members: each must be another"],
        [{ threshold: 4 }, ""],
        [{ nonce: 1 }, "no numbers"]
      ]
      for (const [request, words] of wrong) expect(yield* reasonOf(proposeOne(request))).toContain(words)
      expect(yield* reasonOf(propose(client, { from: account, to: someone, amount: "1" }))).toContain(
        "members and threshold are missing"
      )
      const lies: ReadonlyArray<Partial<Proposal>> = [
        { threshold: 1 },
        { members: [...proposal.members].reverse() },
        { members: [...proposal.members, { address: addressOf(foreign.publicKey), weight: 1 }] }
      ]
      for (const lie of lies)
        expect(yield* reasonOf(execute(client, { ...proposal, ...lie }))).toContain("make the address")
      expect(
        yield* inspect(client, {
          ...proposal,
          members: proposal.members.map((each) => ({ ...each, weight: 2 }))
        })
      ).toMatchObject({ status: "void" })
      expect(node.came).toEqual([])
    })
  )

  it.effect("are refused if they show one thing and would sign another, by the name of the field", () =>
    Effect.gen(function* () {
      const { approveBy, client, node, proposeOne, signerOf } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne({ memo: "12345" }), 0, 1)
      const { preview } = proposal
      const bigger = yield* proposeOne({ amount: "2", memo: "12345" })
      const changed = (change: (transaction: object) => void) => {
        const transaction = decodeUnsignedTransaction(Buffer.from(proposal.payload, "base64"))
        change(transaction)
        return { payload: Buffer.from(encodeUnsignedTransaction(transaction)).toString("base64") }
      }
      const closing = changed((transaction) =>
        Object.assign(transaction, {
          payment: {
            receiver: Address.fromString(someone),
            amount: 1_500_000n,
            closeRemainderTo: Address.fromString(someone)
          }
        })
      )
      const rekeying = changed((transaction) =>
        Object.assign(transaction, { rekeyTo: Address.fromString(someone) })
      )
      const tampered: ReadonlyArray<readonly [object, string]> = [
        [{ preview: { ...preview, to: account } }, "to: "],
        [{ preview: { ...preview, amount: "1" } }, "amount: "],
        [{ preview: { ...preview, fee: "1" } }, "fee: "],
        [{ preview: { ...preview, memo: "123" } }, "memo: "],
        [{ preview: { ...preview, token: usdc } }, "token: "],
        [{ preview: { ...preview, outgoing: [] } }, "outgoing: "],
        [{ account: someone }, "account: "],
        [{ expires: "5" }, "expires: "],
        [{ payload: bigger.payload }, "id: "],
        [
          { payload: bigger.payload, id: bigger.id, preview: bigger.preview, expires: bigger.expires },
          "signatures[0]: "
        ],
        [closing, "payload: it is another transaction"],
        [rekeying, "payload: it is another transaction"],
        [{ payload: "AAAA" }, "payload: "]
      ]
      expect(changed(() => {}).payload).toBe(proposal.payload)
      for (const [change, words] of tampered) {
        const told = { ...proposal, ...change } as Proposal
        for (const call of [
          Effect.asVoid(inspect(client, told)),
          Effect.asVoid(approve(client, yield* signerOf(pairOf(0x05)), told)),
          Effect.asVoid(execute(client, told))
        ])
          expect(yield* reasonOf(call), words).toContain(words)
      }
      expect(node.came).toEqual([])
    })
  )

  it.effect("count each member once, and nobody else; policies are asked with the payment", () =>
    Effect.gen(function* () {
      const { approveBy, client, proposeOne, signerOf } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne(), 0)
      const [own] = proposal.signatures
      if (own === undefined) throw new Error("nobody has signed")
      expect(yield* inspect(client, { ...proposal, signatures: [own, own] })).toMatchObject({
        status: "pending",
        weight: 1
      })
      expect(yield* reasonOf(approve(client, yield* signerOf(foreign), proposal))).toContain("no member")
      const wrong: ReadonlyArray<readonly [object, string]> = [
        [{ ...own, member: addressOf(foreign.publicKey) }, "no member"],
        [{ ...own, member: members[1] }, "not the signature of"],
        [{ member: members[1], signature: "!" }, "not the signature of"]
      ]
      for (const [signature, words] of wrong)
        expect(
          yield* reasonOf(inspect(client, { ...proposal, signatures: [own, signature] } as Proposal))
        ).toContain(words)
      const policy = yield* makePolicy({ limits: [{ network: "algorand-mainnet-algod", amount: "1" }] })
      const guarded = yield* signerOf(pairOf(0x21), { policy })
      expect(yield* Effect.flip(approve(client, guarded, proposal))).toMatchObject({
        _tag: "PolicyDenied",
        rule: "limit"
      })
    })
  )

  it("are executed if and only if two members have signed, and once (property)", () =>
    checkSteps(
      () => {
        const { approveBy, client, node, proposeOne } = makeWorld()
        return Effect.map(proposeOne(), (proposal) => ({
          ...{ approveBy, client, proposal },
          countSent: () => node.came.length,
          settle: () => node.mine(),
          check: () => expect([...node.blocks.keys()]).toEqual(node.came.length > 0 ? [proposal.id] : [])
        }))
      },
      ({ size }) => size >= 2,
      runs(40)
    ))
})
