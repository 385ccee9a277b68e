// @runtime both
/** Proposals of Tron, whose bytes and signatures are those of tronweb, and whose chain weighs them as java-tron does. */
// @covers proposals on libraries: tron
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { utils } from "tronweb"
import { make as makePolicy } from "../../src/signers/policyRules.js"
import {
  approve,
  execute,
  inspect,
  merge,
  type Proposal,
  type ProposalClient,
  type ProposalRequest,
  propose
} from "../../src/signers/proposal.js"
import { make } from "../../src/signers/Tron.js"
import { encodeTransferCall, encodeTransferParameter } from "../../src/signers/tron/abi.js"
import { type CompleteTransaction, decodePayload, encodePayload } from "../../src/signers/tron/payload.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/tron/curve.js"
import "../../src/signers/tron/proposal.js"
import { CallOptions } from "../../src/wire/Transport.js"
import { runs } from "../properties.js"
import { reasonOf, travel } from "./proposalSteps.js"
import { DAY, makeTronChain } from "./troncast.js"

const keyOf = (byte: number): string => byte.toString(16).padStart(2, "0").repeat(32)
const addressOf = (key: string): string => utils.address.fromPrivateKey(key) || ""
/** Members: one that weighs 2, and two that weigh 1. The threshold is 2. */
const [heavy, light, other, foreign] = [keyOf(0x11), keyOf(0x22), keyOf(0x33), keyOf(0x44)] as const
const account = "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH"
const to = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
const token = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
const members = [
  { address: addressOf(heavy), weight: 2 },
  { address: addressOf(light), weight: 1 },
  { address: addressOf(other), weight: 1 }
]
const keys = members.map(({ address, weight }) => ({ address, weight: BigInt(weight) }))

/** A bit for each of these types of contract. */
const operationsOf = (...types: ReadonlyArray<number>): string => {
  const bytes = new Uint8Array(32)
  for (const type of types) bytes[type >> 3] = (bytes[type >> 3] ?? 0) | (1 << (type & 7))
  return Buffer.from(bytes).toString("hex")
}

const makeWorld = () => {
  const chain = makeTronChain({
    [account]: {
      balance: 100_000_000n,
      owner: { threshold: 1n, keys: [{ address: addressOf(foreign), weight: 1n }] },
      actives: [
        // it may vote, and nothing else
        { id: 2n, threshold: 1n, operations: operationsOf(4), keys: keys.slice(0, 1) },
        { id: 3n, threshold: 2n, operations: operationsOf(1, 31), keys },
        { id: 4n, threshold: 1n, operations: operationsOf(1), keys: keys.slice(1, 2) }
      ]
    },
    [to]: { balance: 1n },
    [token]: { balance: 0n }
  })
  const client: ProposalClient = { network: "tron-mainnet", rpc: chain.rpc }
  const proposeOne = (request: Partial<ProposalRequest> = {}) =>
    propose(client, { from: account, to, amount: "1.5", ...request })
  const signerOf = (privateKey: string, more: object = {}) =>
    make({ network: "tron-mainnet", rpc: chain.rpc }, { privateKey, ...more })
  const approveBy = (proposal: Proposal, ...by: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      let approved = proposal
      for (const key of by) approved = travel(yield* approve(client, yield* signerOf(key), approved))
      return approved
    })
  return { ...chain, client, proposeOne, signerOf, approveBy }
}

/** The bytes of a payment as tronweb writes them. */
const byTronweb = ({
  amount,
  data,
  expiration,
  feeLimit,
  from,
  memo,
  shared,
  to,
  token
}: CompleteTransaction) => {
  const type = token === undefined ? "TransferContract" : "TriggerSmartContract"
  const value = {
    owner_address: utils.address.toHex(from),
    ...(token === undefined
      ? { to_address: utils.address.toHex(to), amount: Number(amount) }
      : { contract_address: utils.address.toHex(token), data })
  }
  const pb = utils.transaction.txJsonToPb({
    visible: false,
    raw_data: {
      contract: [
        {
          type,
          parameter: { type_url: `type.googleapis.com/protocol.${type}`, value },
          Permission_id: shared.permission
        }
      ],
      ref_block_bytes: shared.block.slice(0, 4),
      ref_block_hash: shared.block.slice(4),
      expiration: Number(expiration),
      timestamp: Number(shared.timestamp),
      ...(memo === undefined ? {} : { data: Buffer.from(memo).toString("hex") }),
      ...(feeLimit === undefined ? {} : { fee_limit: Number(feeLimit) })
    }
  } as never)
  return {
    raw: utils.transaction.txPbToRawDataHex(pb).toLowerCase(),
    id: utils.transaction.txPbToTxID(pb).replace("0x", "")
  }
}

const sign = (id: string, key: string): string =>
  utils.crypto.ECKeySign(Buffer.from(id, "hex") as never, Buffer.from(key, "hex") as never).toLowerCase()

describe("proposals of Tron", () => {
  it.effect("pay once the weights reach the threshold, as tronweb writes and signs them", () =>
    Effect.gen(function* () {
      const { accounts, approveBy, at, client, close, proposeOne, rpc, sent } = makeWorld()
      const paid: Array<bigint> = []
      for (const [request, fee] of [
        // 403 bytes with three signatures, and what several signatures cost
        [{}, 1_403_000n],
        [{ memo: "12345" }, 2_410_000n],
        [{ memo: { text: "rent" } }, 2_409_000n],
        [{ token, amount: "25" }, 5_081_000n]
      ] satisfies ReadonlyArray<readonly [Partial<ProposalRequest>, bigint]>) {
        const proposal = yield* proposeOne(request)
        expect(proposal).toMatchObject({
          account,
          members,
          threshold: 2,
          preview: { to, fee: String(fee) },
          expires: new Date(1_700_000_000_000 + DAY - 60_000 + 3_000 * sent.length).toISOString()
        })
        const { id, raw } = byTronweb(decodePayload(proposal.payload))
        expect([proposal.id, proposal.payload]).toEqual([id, raw])
        // a block that stays, and no newer one
        expect(yield* rpc.getBlockByNum(at.height - 20)).toMatchObject({
          blockID: expect.stringContaining(decodePayload(proposal.payload).shared.block)
        })
        const one = yield* approveBy(proposal, light)
        expect(one.signatures).toEqual([{ member: addressOf(light), signature: sign(id, light) }])
        expect(yield* inspect(client, one)).toMatchObject({ status: "pending", weight: 1, threshold: 2 })
        expect(yield* reasonOf(execute(client, one))).toContain(
          `weigh 1 of 2: it waits for ${addressOf(heavy)}, ${addressOf(other)}`
        )
        const both = yield* approveBy(one, other)
        expect(yield* inspect(client, both)).toMatchObject({ status: "ready", weight: 2 })
        const before = accounts[account]?.balance ?? 0n
        const { hash } = yield* execute(client, both)
        expect(hash).toBe(id)
        close()
        // the bytes that are signed, and the two signatures
        expect(sent.at(-1)).toContain(raw)
        expect(sent.at(-1)?.slice(-268)).toBe(`1241${sign(id, light)}1241${sign(id, other)}`)
        paid.push(before - (accounts[account]?.balance ?? 0n))
        expect(yield* inspect(client, both)).toMatchObject({ status: "executed", hash })
        expect(yield* reasonOf(execute(client, both))).toContain(`by the transaction ${hash}`)
      }
      expect(sent).toHaveLength(4)
      // less than the highest fee, whatever it is
      const [coins = 0n] = paid
      expect(coins).toBeLessThanOrEqual(1_500_000n + 1_403_000n)
      expect(coins).toBeGreaterThan(1_500_000n + 1_000_000n)
    })
  )

  it.effect("show the chain no more signatures than it needs, and wait for a block if asked", () =>
    Effect.gen(function* () {
      const { approveBy, blocks, client, proposeOne, sent } = makeWorld()
      const all = yield* approveBy(yield* proposeOne(), light, other, heavy)
      blocks.clear()
      yield* execute(client, all)
      expect(sent[0]?.slice(-134)).toBe(`1241${sign(all.id, heavy)}`)
      // it stands in a block by now, and is too new
      const late: ProposalClient = {
        network: "tron-mainnet",
        rpc: {
          ...Object(client.rpc),
          getTransactionInfoById: () =>
            Effect.succeed(
              sent.length < 2 ? {} : { blockNumber: 60_000_000n, result: "FAILED", resMessage: "no" }
            )
        }
      }
      const second = yield* approveBy(yield* proposeOne({ amount: "2" }), heavy)
      expect(yield* Effect.flip(execute(late, second, { confirmations: 1 }))).toMatchObject({
        _tag: "TransactionFailed",
        reason: "no"
      })
    })
  )

  it.effect("are of the permission that is asked for, or the first that may make them", () =>
    Effect.gen(function* () {
      const { accounts, approveBy, client, close, proposeOne } = makeWorld()
      const permissionOf = ({ payload }: Proposal) => decodePayload(payload).shared.permission
      expect(permissionOf(yield* proposeOne())).toBe(3)
      const owned = yield* proposeOne({ permission: 0 })
      expect(owned).toMatchObject({ threshold: 1, members: [{ address: addressOf(foreign), weight: 1 }] })
      // one signature costs nothing more
      expect(owned.preview.fee).toBe("267000")
      expect(byTronweb(decodePayload(owned.payload)).raw).toBe(owned.payload)
      const { hash } = yield* execute(client, yield* approveBy(owned, foreign))
      close()
      expect(yield* inspect(client, owned)).toMatchObject({ status: "executed", hash })
      const fourth = yield* proposeOne({ permission: 4 })
      expect(fourth.members).toEqual([members[1]])
      yield* execute(client, yield* approveBy(fourth, light))
      for (const [request, reason] of [
        [{ permission: 2 }, "permission: the permission 2 of"],
        [{ permission: 4, token }, "whose contract is of the type 31"],
        [{ permission: 7 }, `permission: ${account} has the permissions 0, 2, 3, 4`],
        [{ permission: -1 }, "permission must be a whole number"],
        [{ permission: "3" }, "permission must be a whole number"]
      ] as const)
        expect(yield* reasonOf(proposeOne(request as object))).toContain(reason)
      // an account that nobody has given permissions has its own key
      accounts[to] = { balance: 10_000_000n }
      expect(yield* proposeOne({ from: to, to: account })).toMatchObject({
        members: [{ address: to, weight: 1 }],
        threshold: 1
      })
      expect(yield* reasonOf(proposeOne({ from: addressOf(foreign) }))).toContain("has no account yet")
    })
  )

  it.effect("are of Tron where they name a permission", () =>
    Effect.gen(function* () {
      const client = { network: "stellar-mainnet", rpc: {} } as unknown as ProposalClient
      expect(yield* reasonOf(propose(client, { from: account, to, amount: "1", permission: 2 }))).toBe(
        "permission is for accounts of Tron: leave it out"
      )
    })
  )

  it.effect("expire within a day, and are void after that or what the chain has refused", () =>
    Effect.gen(function* () {
      const { approveBy, at, client, close, failures, proposeOne, sent, signerOf } = makeWorld()
      const until = new Date(at.time + DAY)
      expect((yield* proposeOne({ until })).expires).toBe(until.toISOString())
      for (const wrong of [at.time, at.time + DAY + 1, at.time - 1])
        expect(yield* reasonOf(proposeOne({ until: new Date(wrong) }))).toContain("within 24 hours")
      const first = yield* approveBy(yield* proposeOne(), heavy)
      const second = yield* approveBy(yield* proposeOne({ token, amount: "2" }), heavy)
      failures.set(second.id, {
        result: "FAILED",
        receipt: { result: "OUT_OF_ENERGY" },
        contractResult: [""]
      })
      yield* execute(client, second)
      close()
      expect(yield* inspect(client, second)).toMatchObject({
        status: "void",
        reason: "the chain has refused it: OUT_OF_ENERGY"
      })
      at.time = Date.parse(first.expires ?? "") + 30_000
      expect(yield* inspect(client, first)).toMatchObject({ status: "ready" })
      at.time += 1
      expect(yield* inspect(client, first)).toMatchObject({
        status: "void",
        reason: `blocks could have it until ${first.expires}`
      })
      expect(yield* reasonOf(approve(client, yield* signerOf(light), first))).toContain("no longer")
      expect(sent).toHaveLength(1)
      expect(yield* reasonOf(proposeOne({ nonce: 7 }))).toContain("nonce is for Safe accounts")
    })
  )

  it.effect("are void if the permission is another one by now, or may no longer do it", () =>
    Effect.gen(function* () {
      const { accounts, approveBy, client, proposeOne, sent } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne(), heavy)
      const own = accounts[account]
      if (own === undefined) throw new Error("the account is not there")
      const permission = { id: 3n, threshold: 2n, operations: operationsOf(1, 31), keys }
      for (const [actives, reason] of [
        [[{ ...permission, threshold: 3n }], "the account takes 3"],
        [[{ ...permission, keys: keys.slice(0, 2) }], "members: "],
        [[{ ...permission, keys: keys.map((each) => ({ ...each, weight: 2n })) }], "members: "],
        [
          [{ ...permission, operations: operationsOf(31) }],
          `the permission 3 of ${account} may not make this payment`
        ],
        [[], "the account takes 0"]
      ] as const) {
        own.actives = actives
        expect(yield* inspect(client, proposal)).toMatchObject({
          status: "void",
          reason: expect.stringContaining(reason)
        })
        expect(yield* reasonOf(execute(client, proposal))).toContain(reason)
      }
      own.actives = [permission]
      for (const [lie, words] of [
        [{ threshold: 1 }, "threshold: the proposal says 1, and the account takes 2"],
        [{ members: members.slice(0, 1) }, "members: "]
      ] as const)
        expect(yield* reasonOf(execute(client, { ...proposal, ...lie }))).toContain(words)
      expect(sent).toEqual([])
      yield* execute(client, proposal)
    })
  )

  it.effect("are refused if they show one thing and would sign another, by the name of the field", () =>
    Effect.gen(function* () {
      const { approveBy, client, proposeOne, sent, signerOf } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne({ token, amount: "25", memo: "12345" }), light)
      const { preview } = proposal
      const bigger = yield* proposeOne({ token, amount: "26", memo: "12345" })
      const transaction = decodePayload(proposal.payload)
      const changed = (change: object) => ({ payload: encodePayload({ ...transaction, ...change }) })
      const { payload } = proposal
      const tampered: ReadonlyArray<readonly [object, string]> = [
        [{ preview: { ...preview, to: token } }, "to: "],
        [{ preview: { ...preview, amount: "1" } }, "amount: "],
        [{ preview: { ...preview, fee: "12" } }, "fee: "],
        [{ preview: { ...preview, memo: "rent" } }, "memo: "],
        [{ preview: { ...preview, token: to } }, "token: "],
        [{ preview: { ...preview, outgoing: [] } }, "outgoing: "],
        [{ account: to }, "account: "],
        [{ expires: "5" }, "expires: "],
        [{ payload: bigger.payload }, "id: "],
        [{ payload: bigger.payload, id: bigger.id, preview: bigger.preview }, "signatures[0]: "],
        [changed({ data: `${transaction.data}00` }), "payload: it calls something else"],
        [changed({ data: "07da68f5" }), "payload: it calls something else"],
        [
          changed({ data: transaction.data?.replace("a9059cbb0", "a9059cbb1") }),
          "payload: it calls something else"
        ],
        // coins for the contract of a token
        [changed({ token: undefined }), "payload: it has more than a payment"],
        [changed({ feeLimit: 1n }), "id: "],
        [{ payload: `${payload}9801c0843d` }, "payload: it has more than a payment"],
        [{ payload: `${payload}1a0100` }, "payload: it has more than a payment"],
        [{ payload: payload.toUpperCase() }, "payload: it must be hexadecimal"],
        [{ payload: payload.slice(2) }, "payload: "],
        [{ payload: payload.slice(0, -2) }, "payload: "],
        [{ payload: "" }, "payload: it must be hexadecimal"]
      ]
      for (const [change, words] of tampered) {
        const told = { ...proposal, ...change } as Proposal
        for (const call of [
          Effect.asVoid(inspect(client, told)),
          Effect.asVoid(approve(client, yield* signerOf(heavy), told)),
          Effect.asVoid(execute(client, told))
        ])
          expect(yield* reasonOf(call), words).toContain(words)
      }
      expect(sent).toEqual([])
    })
  )

  it.effect("burn no more than they show, whatever a call takes by then", () =>
    Effect.gen(function* () {
      const { approveBy, client, energy, proposeOne, sent } = makeWorld()
      const proposal = yield* approveBy(yield* proposeOne({ token, amount: "25" }), heavy)
      expect(decodePayload(proposal.payload).feeLimit).toBe(3_600_000n)
      // the receiver has got the token meanwhile, or has spent it
      energy.used = 15_000n
      expect(yield* inspect(client, proposal)).toMatchObject({ status: "ready" })
      energy.used = 36_000n
      expect(yield* inspect(client, proposal)).toMatchObject({ status: "ready" })
      energy.used = 36_001n
      expect(yield* reasonOf(execute(client, proposal))).toBe(
        "the call takes energy for 3600100 sun by now, and its limit is 3600000: propose the payment again"
      )
      energy.used = 30_000n
      // whoever proposes a limit without measure is found out by it
      const greedy = { ...decodePayload(proposal.payload), feeLimit: 700_000_000n }
      const payload = encodePayload(greedy)
      const told = {
        ...proposal,
        ...{ payload, id: byTronweb(greedy).id, signatures: [] },
        preview: { ...proposal.preview, fee: "701480000" }
      }
      expect(yield* Effect.flip(inspect(client, told))).toMatchObject({ _tag: "FeeOverCap" })
      expect(sent).toEqual([])
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
      for (const [signature, words] of [
        [{ ...own, member: addressOf(foreign) }, "no member"],
        [{ ...own, member: addressOf(heavy) }, "not the signature of"],
        [{ ...own, signature: `${"0".repeat(128)}1b` }, "not the signature of"],
        [{ ...own, signature: own.signature.slice(2) }, "65 bytes"],
        [{ ...own, signature: `0x${own.signature}` }, "65 bytes"]
      ] as const)
        expect(
          yield* reasonOf(inspect(client, { ...proposal, signatures: [own, signature] } as Proposal)),
          words
        ).toContain(words)
      // other libraries write the parity as it is
      const parity = (Number.parseInt(own.signature.slice(-2), 16) - 27).toString(16).padStart(2, "0")
      const plain = { ...own, signature: `${own.signature.slice(0, -2)}${parity}` }
      expect(yield* inspect(client, { ...proposal, signatures: [plain] })).toMatchObject({ weight: 1 })
      const theirs = yield* approveBy({ ...proposal, signatures: [] }, other)
      expect((yield* merge(proposal, theirs)).signatures.map(({ member }) => member)).toEqual([
        addressOf(light),
        addressOf(other)
      ])
    })
  )

  it.effect("are signed by a signer alone only as they are shown, and by no other call of it", () =>
    Effect.gen(function* () {
      const { approveBy, client, proposeOne, sent, signerOf } = makeWorld()
      const proposal = yield* proposeOne({ token, amount: "25" })
      const transaction = decodePayload(proposal.payload)
      const prepared = {
        network: "tron-mainnet",
        ...{
          from: account,
          to,
          token,
          amount: 25_000_000n,
          fee: 5_000_000n,
          outgoing: [],
          warnings: [],
          transaction
        }
      }
      const signer = yield* signerOf(light)
      expect({ member: addressOf(light), ...(yield* signer.cosign(prepared)) }).toEqual(
        (yield* approveBy(proposal, light)).signatures[0]
      )
      const { shared: _, ...open } = transaction
      for (const change of [
        { amount: 1n },
        { fee: 1n },
        { to: token },
        { from: to },
        { token: undefined },
        { transaction: open },
        {
          transaction: { ...transaction, data: encodeTransferCall(encodeTransferParameter(to, 26_000_000n)) }
        },
        // a call of something that is no token
        { token: undefined, transaction: { ...transaction, token: undefined } }
      ])
        expect(yield* reasonOf(signer.cosign({ ...prepared, ...change } as never))).toContain(
          "another one than"
        )
      // the account's own key signs for itself alone, in its own way
      const owner = yield* signerOf(foreign)
      const own = { ...transaction, from: owner.address }
      expect(yield* reasonOf(owner.sign(own) as never)).toContain("several members sign")
      expect(yield* inspect(client, proposal)).toMatchObject({ status: "pending" })
      expect(sent).toEqual([])
    })
  )

  it.effect("ask the policy of the signer with the payment", () =>
    Effect.gen(function* () {
      const { client, proposeOne, signerOf } = makeWorld()
      const policy = yield* makePolicy({ limits: [{ network: "tron-mainnet", amount: "3" }] })
      const guarded = yield* signerOf(heavy, { policy })
      expect(yield* Effect.flip(approve(client, guarded, yield* proposeOne({ amount: "2" })))).toMatchObject({
        _tag: "PolicyDenied",
        rule: "limit"
      })
      expect((yield* approve(client, guarded, yield* proposeOne({ amount: "1" }))).signatures).toHaveLength(1)
    })
  )

  it.effect("are made by permissions and a block on which two nodes agree", () =>
    Effect.gen(function* () {
      const { client } = makeWorld()
      const compared = new Map<string, (one: unknown, other: unknown) => boolean>()
      const spied = (name: string) => {
        const call: (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown> = Reflect.get(
          client.rpc,
          name
        )
        return (...args: ReadonlyArray<unknown>) =>
          Effect.flatMap(CallOptions, ({ quorum }) => {
            if (quorum?.isSame !== undefined) compared.set(name, quorum.isSame)
            return call(...args)
          })
      }
      const rpc = {
        ...Object(client.rpc),
        getAccount: spied("getAccount"),
        getBlockByNum: spied("getBlockByNum")
      }
      yield* propose({ network: "tron-mainnet", rpc }, { from: account, to, amount: "1" })
      const isSameAccount = compared.get("getAccount")
      const owner = { threshold: 1n, keys }
      expect(
        isSameAccount?.({ balance: 1n, owner_permission: owner }, { balance: 2n, owner_permission: owner })
      ).toBe(true)
      expect(
        isSameAccount?.({ owner_permission: owner }, { owner_permission: { ...owner, threshold: 2n } })
      ).toBe(false)
      expect(isSameAccount?.({ active_permission: [] }, { active_permission: [owner] })).toBe(false)
      const isSameBlock = compared.get("getBlockByNum")
      expect(isSameBlock?.({ blockID: "00" }, { blockID: "00" })).toBe(true)
      expect(isSameBlock?.({ blockID: "00" }, { blockID: "01" })).toBe(false)
    })
  )

  it.effect("are not made by a node whose answers are none", () =>
    Effect.gen(function* () {
      const { client, proposeOne } = makeWorld()
      const propose_ = (rpc: object) =>
        Effect.flip(
          propose(
            { network: "tron-mainnet", rpc: { ...Object(client.rpc), ...rpc } },
            { from: account, to, amount: "1" }
          )
        )
      for (const rpc of [
        { getBlockByNum: () => Effect.succeed({ blockID: "00", block_header: { raw_data: {} } }) },
        { getNowBlock: () => Effect.succeed({ blockID: "00", block_header: { raw_data: {} } }) },
        ...[
          { threshold: 0n, keys },
          { threshold: 1n },
          { threshold: 1n, keys: [{ address: "nobody", weight: 1n }] },
          { threshold: 1n, keys: [{ address: addressOf(light), weight: -1n }] }
        ].map((owner_permission) => ({
          getAccount: () => Effect.succeed({ address: account, balance: 100_000_000n, owner_permission })
        }))
      ])
        expect(yield* propose_(rpc)).toMatchObject({ _tag: "NodeError", kind: "malformed" })
      expect((yield* proposeOne({ from: utils.address.toHex(account) })).account).toBe(account)
    })
  )
})

describe("payloads of Tron", () => {
  it("are read back as they were written, and are those of tronweb", () => {
    const block = fc
      .uint8Array({ minLength: 10, maxLength: 10 })
      .map((bytes) => Buffer.from(bytes).toString("hex"))
    const address = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((bytes) => utils.address.fromHex(`41${Buffer.from(bytes).toString("hex")}`))
    fc.assert(
      fc.property(
        fc.record({
          from: address,
          to: address,
          amount: fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
          expiration: fc.bigInt({ min: 1n, max: 2n ** 45n }),
          memo: fc.option(fc.string({ minLength: 1, maxLength: 150, unit: "grapheme" }), { nil: undefined }),
          shared: fc.record({
            permission: fc.nat(9),
            block,
            timestamp: fc.bigInt({ min: 0n, max: 2n ** 45n })
          })
        }),
        fc.option(fc.record({ token: address, feeLimit: fc.bigInt({ min: 1n, max: 10n ** 10n }) }), {
          nil: undefined
        }),
        (payment, call) => {
          const { memo, ...rest } = payment
          const transaction: CompleteTransaction = {
            ...rest,
            ...(memo === undefined ? {} : { memo }),
            ...(call === undefined
              ? {}
              : { ...call, data: encodeTransferCall(encodeTransferParameter(payment.to, payment.amount)) })
          }
          const payload = encodePayload(transaction)
          expect(payload).toBe(byTronweb(transaction).raw)
          expect(decodePayload(payload)).toEqual(transaction)
        }
      ),
      {
        numRuns: runs(200),
        // a mark of byte order is a part of a memo
        examples: [
          [
            {
              ...{ from: account, to, amount: 1n, expiration: 1n, memo: "\ufeffrent" },
              shared: { permission: 0, block: "00".repeat(10), timestamp: 0n }
            },
            undefined
          ]
        ]
      }
    )
  })

  it("with a byte changed are another payment or none, and never crash", () => {
    const transaction: CompleteTransaction = {
      ...{ from: account, to, amount: 25n, token, feeLimit: 7n, expiration: 1_700_000_000_000n },
      data: encodeTransferCall(encodeTransferParameter(to, 25n)),
      shared: { permission: 3, block: "a1b2d4e5f60718293a4b", timestamp: 1_699_999_000_000n }
    }
    const bytes = Buffer.from(encodePayload(transaction), "hex")
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ change
        const payload = changed.toString("hex")
        try {
          const read = decodePayload(payload)
          expect(encodePayload(read)).toBe(payload)
          expect(read).not.toEqual(transaction)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
      }),
      { numRuns: runs(500) }
    )
  })
})
