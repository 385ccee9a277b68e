// @runtime both
/** Proposals of Cosmos, whose documents, addresses and signatures are those of cosmjs, and whose node reads transactions by itself. */
// @covers proposals on libraries: cosmos
import {
  createMultisigThresholdPubkey,
  encodeSecp256k1Pubkey,
  makeSignDoc,
  pubkeyToAddress,
  Secp256k1Wallet,
  serializeSignDoc
} from "@cosmjs/amino"
import { describe, expect, it } from "@effect/vitest"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { sha256 } from "@noble/hashes/sha2.js"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { make } from "../../src/signers/Cosmos.js"
import { encodeBech32 } from "../../src/signers/cosmos/address.js"
import {
  decodeDocument,
  encodeDocument,
  isPayment,
  multisigAddressOf,
  orderKeys,
  readShownKeys
} from "../../src/signers/cosmos/multisig.js"
import { chainOf } from "../../src/signers/cosmos/networks.js"
import type { Account as KeyAccount } from "../../src/signers/Signer.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/cosmos/curve.js"
import "../../src/signers/cosmos/proposal.js"
import "../../src/signers/cosmos/protobuf.js"
import { make as makePolicy } from "../../src/signers/policyRules.js"
import {
  approve,
  execute,
  inspect,
  type Proposal,
  type ProposalRequest,
  propose
} from "../../src/signers/proposal.js"
import { runs } from "../properties.js"
import { Hub, readTx } from "./hub.js"
import { checkSteps, reasonOf, travel } from "./proposalSteps.js"
import { runWithTime } from "./runWithTime.js"

const keyOf = (byte: number) => new Uint8Array(32).fill(byte)
const publicOf = (key: Uint8Array) => secp256k1.getPublicKey(key, true)
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

/** The address that cosmjs makes of keys, and their order in it. */
const accountOf = (publicKeys: ReadonlyArray<Uint8Array>, threshold: number, isInOrder = false) => {
  const pubkey = createMultisigThresholdPubkey(publicKeys.map(encodeSecp256k1Pubkey), threshold, isInOrder)
  return {
    address: pubkeyToAddress(pubkey, "cosmos"),
    members: pubkey.value.pubkeys.map(({ value }) => Buffer.from(value, "base64").toString("hex"))
  }
}

const keys = [keyOf(0x9f), keyOf(0x21), keyOf(0x05)]
const foreign = keyOf(0x77)
const { address: account, members } = accountOf(keys.map(publicOf), 2)
/** The private keys in the order of the members. */
const ordered = members.map((member) => keys.find((key) => hexOf(publicOf(key)) === member) ?? foreign)
const someone = encodeBech32("cosmos", new Uint8Array(20).fill(7))
const gold = "factory/cosmos1abc/gold"
const found = chainOf("cosmos-mainnet")
if (found === undefined) throw new Error("the chain is known")
const chain = found

const makeWorld = () => {
  const node = new Hub({
    [account]: { number: 12n, sequence: 3n, coins: { uatom: 10_000_000n, [gold]: 500n } },
    [someone]: { number: 13n, coins: {} }
  })
  const client = node.client()
  const proposeOne = (request: Partial<ProposalRequest> = {}) =>
    propose(client, { from: account, members, threshold: 2, to: someone, amount: "1.5", ...request })
  const signerOf = (key: Uint8Array, more: object = {}) => make(client, { privateKey: hexOf(key), ...more })
  const approveBy = (proposal: Proposal, ...by: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      let approved = proposal
      for (const i of by)
        approved = travel(yield* approve(client, yield* signerOf(ordered[i] ?? foreign), approved))
      return approved
    })
  return { node, client, proposeOne, signerOf, approveBy }
}

/** The document of a proposal, as cosmjs makes it of what it shows. */
const documentOf = ({ account: from, expires = "", preview, payload }: Proposal) => {
  const { account_number, fee, sequence } = JSON.parse(payload)
  const { amount, memo = "", to, token: denom = "uatom" } = preview
  return makeSignDoc(
    [
      {
        type: "cosmos-sdk/MsgSend",
        value: { from_address: from, to_address: to, amount: [{ denom, amount }] }
      }
    ],
    { amount: [{ denom: "uatom", amount: preview.fee }], gas: fee.gas },
    "cosmoshub-4",
    memo,
    account_number,
    sequence,
    BigInt(expires)
  )
}

describe("proposals of Cosmos", () => {
  it.effect("pay once two of three members have signed, as cosmjs signs", () =>
    Effect.gen(function* () {
      const { approveBy, client, node, proposeOne } = makeWorld()
      for (const request of [
        {},
        { memo: "1 < 2 & 3 > 2, héllo" },
        { token: gold, amount: 25n }
      ] satisfies ReadonlyArray<Partial<ProposalRequest>>) {
        const proposal = yield* proposeOne(request)
        expect(proposal).toMatchObject({
          account,
          threshold: 2,
          members: members.map((address) => ({ address, weight: 1 })),
          since: Number(node.height),
          expires: String(node.height + 100_800n)
        })
        const document = documentOf(proposal)
        expect(Buffer.from(serializeSignDoc(document)).toString()).toBe(proposal.payload)
        expect(proposal.id).toBe(hexOf(sha256(serializeSignDoc(document))).toUpperCase())
        const one = yield* approveBy(proposal, 2)
        expect(yield* inspect(client, one)).toMatchObject({
          status: "pending",
          approvals: [members[2]],
          missing: members.slice(0, 2)
        })
        expect(yield* reasonOf(execute(client, one))).toContain("weigh 1 of 2")
        const both = yield* approveBy(one, 0)
        expect(yield* inspect(client, both)).toMatchObject({ status: "ready", weight: 2 })
        for (const { member, signature } of both.signatures) {
          const key = ordered[members.indexOf(member)] ?? foreign
          const wallet = yield* Effect.promise(() => Secp256k1Wallet.fromKey(key, "cosmos"))
          const [{ address } = { address: "" }] = yield* Effect.promise(() => wallet.getAccounts())
          const signed = yield* Effect.promise(() => wallet.signAmino(address, document))
          expect(signature).toBe(signed.signature.signature)
        }
        const sent = yield* execute(client, both)
        const tx = readTx(node.came.at(-1) ?? "")
        expect(tx).toMatchObject({ hash: sent.hash, from: account, to: someone })
        expect(tx.multi).toMatchObject({ threshold: 2, bits: [true, false, true] })
        expect(tx.multi?.keys.map(hexOf)).toEqual(members)
        expect(node.pool.has(sent.hash)).toBe(true)
        node.mine()
        expect(yield* inspect(client, both)).toMatchObject({ status: "executed", hash: sent.hash })
        expect(yield* reasonOf(execute(client, both))).toContain(`by the transaction ${sent.hash}`)
      }
      expect(node.came).toHaveLength(3)
    })
  )

  it.effect("read the keys from the chain once it shows them, and prove them by the address", () =>
    Effect.gen(function* () {
      const { approveBy, client, node, proposeOne } = makeWorld()
      const request = { from: account, to: someone, amount: "1" }
      expect(yield* reasonOf(propose(client, request))).toContain("members and threshold are missing")
      yield* execute(client, yield* approveBy(yield* proposeOne(), 0, 1))
      node.mine()
      const proposal = yield* propose(client, request)
      expect(proposal).toMatchObject({
        threshold: 2,
        members: members.map((address) => ({ address, weight: 1 }))
      })
      yield* execute(client, yield* approveBy(proposal, 1, 2))
      node.mine()
      expect(node.blocks.size).toBe(2)
      const held = node.accounts[account]
      if (held === undefined) throw new Error("the account is there")
      const shown = held.pubKey
      held.pubKey = { ...shown, threshold: 1 }
      expect(yield* reasonOf(propose(client, request))).toContain("make the address")
      held.pubKey = { "@type": "/cosmos.crypto.secp256k1.PubKey", key: "AAAA" }
      expect(yield* reasonOf(propose(client, request))).toContain("one key, and not several")
      held.pubKey = { ...shown, public_keys: [{ "@type": "/cosmos.crypto.ed25519.PubKey", key: "AAAA" }] }
      expect(yield* reasonOf(propose(client, request))).toContain("another key than one of secp256k1")
    })
  )

  it.effect("take members in any order where the address is of sorted ones, and else in theirs", () =>
    Effect.gen(function* () {
      const { client, node, proposeOne } = makeWorld()
      const [first = "", second = "", third = ""] = members
      const base64 = Buffer.from(second, "hex").toString("base64")
      const asWritten = [third, base64, `0x${first.toUpperCase()}`]
      expect((yield* proposeOne({ members: asWritten })).members.map(({ address }) => address)).toEqual(
        members
      )
      const backwards = [...members].reverse()
      const unsorted = accountOf(
        backwards.map((member) => Buffer.from(member, "hex")),
        2,
        true
      ).address
      node.accounts[unsorted] = { number: 20n, coins: { uatom: 5_000_000n } }
      const kept = yield* proposeOne({ from: unsorted, members: backwards })
      expect(kept.members.map(({ address }) => address)).toEqual(backwards)
      const wrong: ReadonlyArray<readonly [Partial<ProposalRequest>, string]> = [
        [{ from: unsorted }, "members: 2 of these 3 make the address"],
        [{ threshold: 1 }, "members: 1 of these 3"],
        [{ threshold: 0 }, "threshold: it must"],
        [{ threshold: 4 }, "threshold: it must"],
        [{ members: [first, second] }, "members: 2 of these 2"],
        [{ members: [first, first, second] }, "each another one"],
        [{ members: [first, second, "x"] }, "members: x is no compressed public key"],
        [{ members: [first, second, "00".repeat(33)] }, "is no compressed public key"],
        [{ members: [] }, "threshold: it must"],
        [{ nonce: 1 }, "nonce is for Safe"],
        [{ memo: "a\nb" }, "memo: it must be one line"],
        [{ memo: "a\u2028b" }, "memo: it must be one line"],
        [{ until: new Date(-1) }, "until must be a Date in the future"]
      ]
      for (const [request, words] of wrong) expect(yield* reasonOf(proposeOne(request))).toContain(words)
      const proposal = yield* proposeOne()
      for (const lie of [
        { threshold: 1 },
        { members: [...proposal.members, { address: hexOf(publicOf(foreign)), weight: 1 }] }
      ])
        expect(yield* reasonOf(inspect(client, { ...proposal, ...lie }))).toContain("make the address")
      expect(
        yield* inspect(client, {
          ...proposal,
          members: proposal.members.map((each) => ({ ...each, weight: 2 }))
        })
      ).toMatchObject({ status: "void" })
    })
  )

  it.effect("are void after their last height, and wait while nodes may differ about it", () =>
    Effect.gen(function* () {
      const { approveBy, client, node, proposeOne } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne({ until: new Date(60_000) }), 0, 1)
      expect(proposal.expires).toBe("110")
      node.height = 109n
      expect(yield* inspect(client, proposal)).toMatchObject({ status: "ready" })
      for (const height of [110n, 115n]) {
        node.height = height
        expect(yield* inspect(client, proposal)).toMatchObject({ status: "queued" })
        expect(yield* reasonOf(execute(client, proposal))).toContain("blocks up to 110")
      }
      node.height = 116n
      expect(yield* inspect(client, proposal)).toMatchObject({
        status: "void",
        reason: expect.stringContaining("blocks up to 110 could have it, and 116 is the newest")
      })
      expect(yield* reasonOf(execute(client, proposal))).toContain("no longer")
      expect(node.came).toEqual([])
    })
  )

  it.effect("exclude each other by their sequence, and are executed by whoever's signatures", () =>
    Effect.gen(function* () {
      const { approveBy, client, node, proposeOne } = makeWorld()
      const held = node.accounts[account]
      if (held === undefined) throw new Error("the account is there")
      const one = yield* proposeOne()
      const other = yield* approveBy(yield* proposeOne({ amount: "2" }), 0, 1)
      const mine = yield* approveBy(one, 0, 1)
      const theirs = yield* approveBy(one, 1, 2)
      held.sequence = 2n
      expect(yield* inspect(client, mine)).toMatchObject({
        status: "queued",
        reason: expect.stringContaining("sequence 3")
      })
      held.sequence = 3n
      const { hash } = yield* execute(client, theirs)
      node.mine()
      expect(yield* inspect(client, mine)).toMatchObject({ status: "executed", hash })
      expect(yield* inspect(client, other)).toMatchObject({
        status: "void",
        reason: expect.stringContaining(`another transaction with its sequence, ${hash}`)
      })
      const failing = yield* approveBy(yield* proposeOne(), 0, 1)
      const { hash: failed } = yield* execute(client, failing)
      node.mine(11)
      expect(yield* inspect(client, failing)).toMatchObject({
        status: "void",
        reason: expect.stringContaining(`failed in its block as ${failed}: out of gas`)
      })
      node.blocks.clear()
      expect(yield* inspect(client, mine)).toMatchObject({
        status: "void",
        reason: expect.stringContaining("nodes do not show by what")
      })
      Object.assign(node.accounts, { [account]: { ...held, number: 99n, sequence: 3n } })
      expect(yield* inspect(client, mine)).toMatchObject({
        status: "void",
        reason: expect.stringContaining("account 12, and this is 99")
      })
    })
  )

  it.effect("wait for a block, and fail with what the chain says", () =>
    Effect.gen(function* () {
      const { approveBy, client, node, proposeOne } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne(), 0, 1)
      node.least = 10n ** 9n
      expect(yield* runWithTime(execute(client, proposal), 3_000)).toMatchObject({
        _tag: "Left",
        left: { message: expect.stringContaining("insufficient fees") }
      })
      node.least = 0n
      node.gas = 10n ** 6n
      expect(yield* reasonOf(execute(client, proposal))).toContain("gas limit")
      node.gas = 100_000n
      // the answer of the first broadcast gets lost, and the next ones meet what it has left in the pool
      let isFirst = true
      node.lost = () => {
        const wasFirst = isFirst
        isFirst = false
        return wasFirst ? "after" : undefined
      }
      const outcome = yield* runWithTime(execute(client, proposal, { confirmations: 2 }), 3_000, () =>
        node.mine()
      )
      const [hash = ""] = node.blocks.keys()
      expect(outcome).toMatchObject({ _tag: "Right", right: { hash } })
      expect(yield* inspect(client, proposal)).toMatchObject({ status: "executed", hash })
    })
  )

  it.effect("are refused if they show one thing and would sign another, by the name of the field", () =>
    Effect.gen(function* () {
      const { approveBy, client, node, proposeOne, signerOf } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne({ memo: "12345" }), 0, 1)
      const { preview } = proposal
      const bigger = yield* proposeOne({ amount: "2", memo: "12345" })
      const changed = (change: (document: ReturnType<typeof documentOf>) => object) => ({
        payload: Buffer.from(
          serializeSignDoc({ ...documentOf(proposal), ...change(documentOf(proposal)) })
        ).toString()
      })
      const [message] = documentOf(proposal).msgs
      const tampered: ReadonlyArray<readonly [object, string]> = [
        [{ preview: { ...preview, to: account } }, "to: "],
        [{ preview: { ...preview, amount: "1" } }, "amount: "],
        [{ preview: { ...preview, fee: "1" } }, "fee: "],
        [{ preview: { ...preview, memo: "123" } }, "memo: "],
        [{ preview: { ...preview, token: gold } }, "token: "],
        [{ preview: { ...preview, outgoing: [] } }, "outgoing: "],
        [{ account: someone }, "account: "],
        [{ expires: "5" }, "expires: "],
        [{ payload: bigger.payload }, "id: "],
        [
          { payload: bigger.payload, id: bigger.id, preview: bigger.preview, expires: bigger.expires },
          "signatures[0]: "
        ],
        [changed(() => ({ chain_id: "osmosis-1" })), "payload: it is another transaction"],
        [changed(() => ({ msgs: [message, message] })), "payload: it is another transaction"],
        [
          changed(() => ({ msgs: [{ ...message, type: "cosmos-sdk/MsgDelegate" }] })),
          "payload: it is another transaction"
        ],
        [changed(({ fee }) => ({ fee: { ...fee, granter: someone } })), "payload: it is another transaction"],
        [
          changed(({ fee }) => ({ fee: { ...fee, amount: [{ denom: gold, amount: "5" }] } })),
          "payload: it is another transaction"
        ],
        [changed(() => ({ timeout_height: undefined })), "payload: a number of it is none"],
        [{ payload: `${proposal.payload} ` }, "payload: it is another transaction"],
        [{ payload: "{" }, "payload: "]
      ]
      expect(changed(() => ({})).payload).toBe(proposal.payload)
      for (const [change, words] of tampered) {
        const told = { ...proposal, ...change } as Proposal
        for (const call of [
          Effect.asVoid(inspect(client, told)),
          Effect.asVoid(approve(client, yield* signerOf(keyOf(0x05)), told)),
          Effect.asVoid(execute(client, told))
        ])
          expect(yield* reasonOf(call), words).toContain(words)
      }
      const dear = changed(({ fee }) => ({
        fee: { ...fee, amount: [{ denom: "uatom", amount: "5000000" }] }
      })).payload
      const id = hexOf(sha256(new TextEncoder().encode(dear))).toUpperCase()
      const told = { ...proposal, id, payload: dear, preview: { ...preview, fee: "5000000" }, signatures: [] }
      expect(yield* Effect.flip(inspect(client, told))).toMatchObject({ _tag: "FeeOverCap" })
      expect(node.came).toEqual([])
    })
  )

  it.effect(
    "count each member once, and nobody else; accounts see the document, and policies the payment",
    () =>
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
        const signature = Buffer.from(own.signature, "base64")
        const s = secp256k1.Point.Fn.ORDER - BigInt(`0x${hexOf(signature.subarray(32))}`)
        const high = Buffer.concat([
          signature.subarray(0, 32),
          Buffer.from(s.toString(16).padStart(64, "0"), "hex")
        ])
        const wrong: ReadonlyArray<readonly [object, string]> = [
          [{ ...own, member: hexOf(publicOf(foreign)) }, "no member"],
          [{ ...own, member: members[1] }, "not the signature of"],
          [{ ...own, signature: high.toString("base64") }, "not the signature of"],
          [{ member: members[1], signature: "!" }, "not the signature of"]
        ]
        for (const [signature, words] of wrong)
          expect(
            yield* reasonOf(inspect(client, { ...proposal, signatures: [own, signature] } as Proposal))
          ).toContain(words)
        const policy = yield* makePolicy({ limits: [{ network: "cosmos-mainnet", amount: "1" }] })
        const guarded = yield* signerOf(ordered[1] ?? foreign, { policy })
        expect(yield* Effect.flip(approve(client, guarded, proposal))).toMatchObject({
          _tag: "PolicyDenied",
          rule: "limit"
        })
        const seen: Array<string> = []
        const remote: KeyAccount = {
          scheme: "secp256k1",
          publicKey: members[1] ?? "",
          sign: async ({ bytes, preimage = new Uint8Array() }) => {
            seen.push(Buffer.from(preimage).toString())
            expect(hexOf(sha256(preimage))).toBe(hexOf(bytes))
            return secp256k1.sign(bytes, ordered[1] ?? foreign, { prehash: false })
          }
        }
        const approved = yield* approve(client, yield* make(client, { account: remote }), proposal)
        expect(seen).toEqual([proposal.payload])
        expect(yield* inspect(client, approved)).toMatchObject({ status: "ready" })
      })
  )

  it.effect("are signed by members if they are whole payments, and as previewed", () =>
    Effect.gen(function* () {
      const { node, signerOf } = makeWorld()
      const { address, cosign, prepare } = yield* signerOf(foreign)
      node.accounts[address] = { coins: { uatom: 5_000_000n } }
      const prepared = yield* prepare({ to: someone, amount: "1" })
      const { transaction } = prepared
      const whole = { ...transaction, accountNumber: 7n, sequence: 0n, timeoutHeight: 200n }
      expect(yield* cosign({ ...prepared, transaction: whole })).toEqual({ signature: expect.any(String) })
      expect(yield* Effect.flip(cosign(prepared))).toMatchObject({
        _tag: "SigningFailed",
        reason: expect.stringContaining("no number")
      })
      const staking = { action: "delegate" } as const
      for (const change of [
        { amount: 2n },
        { to: account },
        { fee: 1n },
        { denom: gold },
        { staking },
        { onBehalfOf: someone },
        { feeGranter: someone }
      ])
        expect(
          yield* reasonOf(cosign({ ...prepared, transaction: { ...whole, ...change } })),
          Object.keys(change)[0]
        ).toContain("preview")
      const granted = {
        ...prepared,
        outgoing: prepared.outgoing.map((line) => ({ ...line, from: someone })),
        transaction: { ...whole, feeGranter: someone, onBehalfOf: someone }
      }
      expect(yield* Effect.flip(cosign(granted))).toMatchObject({
        _tag: "SigningFailed",
        reason: expect.stringContaining("another transaction")
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
          check: () => expect(node.blocks.size).toBe(node.came.length)
        }))
      },
      ({ size }) => size >= 2,
      runs(20)
    ))
})

const amounts = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })
const transactions = fc.record(
  {
    from: fc.constant(account),
    to: fc.constant(someone),
    denom: fc.constantFrom("uatom", gold, "ibc/AB"),
    amount: amounts,
    fee: fc.bigInt({ min: 0n, max: 2n ** 40n }),
    gas: amounts,
    memo: fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that no memo of a proposal has
      .filter((text) => !/[\u0000-\u001f\u2028\u2029]/.test(text)),
    accountNumber: fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }),
    sequence: fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }),
    timeoutHeight: amounts
  },
  {
    requiredKeys: [
      "from",
      "to",
      "denom",
      "amount",
      "fee",
      "gas",
      "accountNumber",
      "sequence",
      "timeoutHeight"
    ]
  }
)

describe("documents of Cosmos", () => {
  it("are those of cosmjs, and read back (property)", () =>
    fc.assert(
      fc.property(transactions, (transaction) => {
        const document = encodeDocument(transaction, chain)
        const { accountNumber, amount, denom, fee, from, gas, memo, sequence, timeoutHeight, to } =
          transaction
        const theirs = serializeSignDoc(
          makeSignDoc(
            [
              {
                type: "cosmos-sdk/MsgSend",
                value: { from_address: from, to_address: to, amount: [{ denom, amount: String(amount) }] }
              }
            ],
            {
              amount: fee === 0n ? [] : [{ denom: "uatom", amount: String(fee) }],
              gas: String(gas)
            },
            "cosmoshub-4",
            memo,
            Number(accountNumber),
            Number(sequence),
            timeoutHeight
          )
        )
        expect(document).toBe(Buffer.from(theirs).toString())
        expect(decodeDocument(document, chain)).toEqual(transaction)
      }),
      { numRuns: runs(200) }
    ))

  it("with a changed byte are none, or another payment (property)", () =>
    fc.assert(
      fc.property(transactions, fc.nat(), fc.nat({ max: 126 }), (transaction, at, by) => {
        const document = encodeDocument(transaction, chain)
        const i = at % document.length
        const changed =
          document.slice(0, i) +
          String.fromCharCode((document.charCodeAt(i) + 1 + by) % 0xd800) +
          document.slice(i + 1)
        let read: object | undefined
        try {
          read = decodeDocument(changed, chain)
        } catch {
          return
        }
        expect(read).not.toEqual(transaction)
      }),
      { numRuns: runs(300) }
    ))

  it("make the addresses of cosmjs for any keys (property)", () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 20 }),
        fc.nat(),
        fc.boolean(),
        (bytes, some, isInOrder) => {
          const publicKeys = bytes.map((byte) => publicOf(keyOf(byte)))
          const threshold = (some % bytes.length) + 1
          const made = accountOf(publicKeys, threshold, isInOrder)
          expect(multisigAddressOf({ keys: made.members, threshold }, chain)).toBe(made.address)
          const given = { keys: publicKeys.map(hexOf), threshold }
          expect(orderKeys(made.address, given, chain)).toEqual({ keys: made.members, threshold })
        }
      ),
      { numRuns: runs(60) }
    ))

  it("are compared with what nodes tell of transactions", () => {
    expect(readShownKeys(null)).toBeUndefined()
    const transaction = {
      ...{ from: account, to: someone, denom: "uatom", amount: 5n, fee: 7n, gas: 9n, memo: "a" },
      ...{ accountNumber: 1n, sequence: 2n, timeoutHeight: 3n }
    }
    const message = {
      "@type": "/cosmos.bank.v1beta1.MsgSend",
      ...{ from_address: account, to_address: someone, amount: [{ denom: "uatom", amount: "5" }] }
    }
    const body = { messages: [message], memo: "a", timeout_height: "3" }
    const fee = { amount: [{ denom: "uatom", amount: "7" }], gas_limit: "9", payer: "", granter: "" }
    const signers = { signer_infos: [{ sequence: "2" }] }
    const tell = (change: object = {}, feeOf: object = {}) => ({
      body: { ...body, ...change },
      auth_info: { ...signers, fee: { ...fee, ...feeOf } }
    })
    expect(isPayment(tell(), transaction, chain)).toBe(true)
    for (const other of [
      undefined,
      tell({ messages: [message, message] }),
      tell({ messages: [{ ...message, "@type": "/cosmos.bank.v1beta1.MsgMultiSend" }] }),
      tell({ messages: [{ ...message, to_address: account }] }),
      tell({ messages: [{ ...message, amount: [...message.amount, { denom: gold, amount: "1" }] }] }),
      tell({ memo: "b" }),
      tell({ timeout_height: "4" }),
      tell({}, { gas_limit: "10" }),
      tell({}, { amount: [] }),
      tell({}, { gas_limit: null })
    ])
      expect(isPayment(other, transaction, chain)).toBe(false)
  })
})
