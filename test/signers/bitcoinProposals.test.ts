// @runtime both
/** Proposals of accounts of several keys, whose addresses, bytes and signatures are those of bitcoinjs-lib. */
// @covers proposals on bitcoinjs-lib: bitcoin
import { describe, expect, it } from "@effect/vitest"
import { HDKey } from "@scure/bip32"
import { Psbt, payments, Transaction } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import {
  type FoundAddress,
  type HdFrom,
  hdSigner,
  type MultisigFrom,
  scriptOf,
  watchMultisig
} from "../../src/signers/Bitcoin.js"
import { withChecksum } from "../../src/signers/bitcoin/descriptor.js"
import { make as makePolicy } from "../../src/signers/policyRules.js"
import {
  approve,
  execute,
  inspect,
  merge,
  type Proposal,
  type ProposalRequest,
  propose
} from "../../src/signers/proposal.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/bitcoin/proposal.js"
import "../../src/signers/bitcoin/hd.js"
import { reasonOf, travel } from "./proposalSteps.js"
import { makeChain } from "./utxos.js"

const network = "bitcoin-mainnet"
const to = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"
const path = "m/48'/0'/0'/2'"

const roots = [1, 2, 3, 4].map((byte) => HDKey.fromMasterSeed(new Uint8Array(32).fill(byte)))
const rootOf = (i: number): HDKey => roots[i] ?? HDKey.fromMasterSeed(new Uint8Array(32))
const keyOf = (i: number): HDKey => rootOf(i).derive(path)
const memberOf = (i: number): string => keyOf(i).publicExtendedKey
const expressionOf = (i: number): string =>
  `[${rootOf(i).fingerprint.toString(16).padStart(8, "0")}/48h/0h/0h/2h]${memberOf(i)}/<0;1>/*`

const describeAccount = (
  before = "wsh(sortedmulti(",
  after = "))",
  keys = [0, 1, 2],
  threshold = 2
): string => withChecksum(`${before}${threshold},${keys.map(expressionOf).join(",")}${after}`)

const kinds = [
  ["wsh(sortedmulti(", "))"],
  ["wsh(multi(", "))"],
  ["sh(wsh(sortedmulti(", ")))"]
] as const

/** An address by bitcoinjs-lib. */
const addressBy = (before: string, at: string): string => {
  const pubkeys = [0, 1, 2].map((i) => keyOf(i).derive(`m/${at}`).publicKey ?? new Uint8Array())
  const ordered = before.includes("sortedmulti")
    ? pubkeys.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    : pubkeys
  const program = payments.p2wsh({ redeem: payments.p2ms({ m: 2, pubkeys: ordered }) })
  return (before.startsWith("sh(") ? payments.p2sh({ redeem: program }) : program).address ?? ""
}

const toScript = (address: string) => Buffer.from(scriptOf(address, network) ?? "", "hex")

const makeWorld = (kind: readonly [string, string] = kinds[0]) => {
  const chain = makeChain(0.00001)
  const client = { network, rpc: { ...chain.rpc, getBlockCount: () => Effect.succeed(900_000) } }
  const findAddresses = (addresses: ReadonlyArray<string>): ReadonlyArray<FoundAddress> =>
    addresses.map((address) => ({
      address,
      isUsed: chain.wasPaid(toScript(address)),
      utxos: chain.listedWithWaiting(toScript(address))
    }))
  const from = describeAccount(...kind)
  const fund = (at: string, amount: bigint, options: object = {}) =>
    chain.fund(toScript(addressBy(kind[0], at)), amount, options)
  const signerOf = (i: number, more: object = {}) =>
    hdSigner(client, {
      extendedKey: keyOf(i).privateExtendedKey,
      type: "p2wpkh",
      findAddresses,
      ...more
    } as HdFrom)
  const proposeOne = (request: Partial<ProposalRequest> = {}) =>
    propose(client, { from, to, amount: 50_000n, findAddresses, ...request })
  const approveBy = (proposal: Proposal, ...by: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      let approved = proposal
      for (const i of by) approved = travel(yield* approve(client, yield* signerOf(i), approved))
      return approved
    })
  return { chain, client, findAddresses, from, fund, signerOf, proposeOne, approveBy }
}

/** The signatures of a member as bitcoinjs-lib makes them. */
const signElsewhere = (payload: string, i: number, sighashType = Transaction.SIGHASH_ALL): string => {
  const psbt = Psbt.fromBase64(payload)
  const root = rootOf(i)
  const fingerprint = Buffer.alloc(4)
  fingerprint.writeUInt32BE(root.fingerprint)
  for (const at of psbt.data.inputs.keys())
    psbt.signInputHD(
      at,
      {
        fingerprint,
        publicKey: root.publicKey ?? new Uint8Array(),
        derivePath: (wanted: string) => {
          const node = root.derive(wanted)
          return {
            publicKey: node.publicKey ?? new Uint8Array(),
            sign: (digest: Uint8Array) => node.sign(digest),
            fingerprint
          }
        },
        sign: (digest: Uint8Array) => root.sign(digest)
      } as never,
      [sighashType]
    )
  return psbt.toBase64()
}

/** Signatures that say of themselves that they are of no output, and are of all. */
const otherType = (signature: string): string => {
  const psbt = Psbt.fromBase64(signature)
  for (const { partialSig = [] } of psbt.data.inputs)
    for (const each of partialSig) each.signature = Uint8Array.of(...each.signature.slice(0, -1), 2)
  return psbt.toBase64()
}

describe("accounts of several keys", () => {
  it.effect("have the addresses of bitcoinjs-lib, and are scanned", () =>
    Effect.gen(function* () {
      for (const kind of kinds) {
        const { client, findAddresses, from, fund } = makeWorld(kind)
        fund("0/3", 30_000n)
        fund("1/0", 20_000n, { confirmations: 0 })
        const account = yield* watchMultisig(client, { descriptor: from, findAddresses })
        expect(account).toMatchObject({
          network,
          descriptor: from,
          threshold: 2,
          members: [0, 1, 2].map(memberOf)
        })
        for (const at of [0, 1, 7])
          for (const isChange of [false, true])
            expect(yield* account.addressAt(at, { isChange })).toEqual({
              path: `${isChange ? 1 : 0}/${at}`,
              address: addressBy(kind[0], `${isChange ? 1 : 0}/${at}`)
            })
        const found = yield* account.scan()
        expect(found.balance).toEqual({ confirmed: 30_000n, unconfirmed: 20_000n })
        expect([found.receive.path, found.change.path]).toEqual(["0/4", "1/1"])
        expect(yield* Effect.flip(account.addressAt(-1))).toMatchObject({ _tag: "InvalidArgument" })
      }
    })
  )

  it.effect("are made of what their members say", () =>
    Effect.gen(function* () {
      const { signerOf } = makeWorld()
      const signer = yield* signerOf(0)
      expect(signer.extendedKey).toBe(memberOf(0))
      // a key that is given alone has no origin
      expect(signer.descriptorKey).toBe(`${memberOf(0)}/<0;1>/*`)
      const words = `${"abandon ".repeat(11)}about`
      const fromWords = yield* hdSigner(makeWorld().client, {
        mnemonic: words,
        path,
        type: "p2wpkh",
        findAddresses: () => []
      } as HdFrom)
      expect(fromWords.descriptorKey).toMatch(/^\[73c5da0a\/48h\/0h\/0h\/2h\]xpub\w+\/<0;1>\/\*$/)
    })
  )

  const refusals: ReadonlyArray<readonly [string, string, string]> = [
    ["a wrong checksum", `${describeAccount().slice(0, -8)}qqqqqqqq`, "its checksum is wrong"],
    ["one key", `wpkh(${expressionOf(0)})`, "it must be wsh(sortedmulti("],
    ["no closing bracket", `sh(wsh(sortedmulti(2,${expressionOf(0)},${expressionOf(1)}))`, "it must be wsh"],
    ["no SegWit", `sh(sortedmulti(1,${expressionOf(0)},${expressionOf(1)}))`, "it must be wsh"],
    [
      "more signatures than keys",
      `wsh(multi(3,${expressionOf(0)},${expressionOf(1)}))`,
      "3 of its 2 keys cannot sign"
    ],
    ["no signature", `wsh(multi(0,${expressionOf(0)},${expressionOf(1)}))`, "0 of its 2 keys cannot sign"],
    ["a key twice", `wsh(multi(1,${expressionOf(0)},${expressionOf(0)}))`, "it has a key twice"],
    [
      "other branches",
      `wsh(multi(1,${expressionOf(0)},${expressionOf(1).replace("<0;1>", "<0;2>")}))`,
      "its keys end with different numbers"
    ],
    [
      "no change",
      `wsh(multi(1,${expressionOf(0).replace("<0;1>", "0")},${expressionOf(1).replace("<0;1>", "0")}))`,
      "it has no addresses for change"
    ],
    [
      "too many keys",
      `wsh(multi(1,${Array.from({ length: 17 }, (_, i) => `${HDKey.fromMasterSeed(new Uint8Array(32).fill(i + 50)).derive(path).publicExtendedKey}/<0;1>/*`).join(",")}))`,
      "it has more than 16 keys"
    ]
  ]
  it.effect.each(refusals.map(([name, descriptor, reason]) => ({ name, descriptor, reason })))(
    "are refused with $name",
    ({ descriptor, reason }) =>
      Effect.gen(function* () {
        const { client, findAddresses, proposeOne } = makeWorld()
        expect(yield* Effect.flip(watchMultisig(client, { descriptor, findAddresses }))).toMatchObject({
          _tag: "InvalidKey",
          reason: expect.stringContaining(reason)
        })
        expect(yield* reasonOf(proposeOne({ from: descriptor }))).toContain(
          `from: the descriptor cannot be used: ${reason}`
        )
      })
  )

  it.effect("need SegWit, and a descriptor that is text", () =>
    Effect.gen(function* () {
      const { client, findAddresses, from } = makeWorld()
      const doge = yield* Effect.flip(
        watchMultisig({ ...client, network: "doge-mainnet" }, { descriptor: from, findAddresses })
      )
      expect(doge.message).toContain("this network has no SegWit")
      expect(
        yield* Effect.flip(watchMultisig(client, { descriptor: 7, findAddresses } as unknown as MultisigFrom))
      ).toMatchObject({ reason: "the descriptor is text" })
    })
  )
})

describe("proposals of accounts of several keys", () => {
  it.effect("are signed by as many members as it takes, and sent once", () =>
    Effect.gen(function* () {
      for (const kind of kinds) {
        const { approveBy, chain, client, from, fund, proposeOne } = makeWorld(kind)
        for (const at of ["0/0", "0/4", "1/1"]) fund(at, 30_000n)
        const proposal = travel(yield* proposeOne())
        expect(proposal).toMatchObject({
          account: from,
          threshold: 2,
          since: 900_000,
          members: [0, 1, 2].map((i) => ({ address: memberOf(i), weight: 1 })),
          preview: { to, amount: "50000" }
        })
        const seen = yield* inspect(client, proposal)
        expect(seen).toMatchObject({ status: "pending", weight: 0, missing: [0, 1, 2].map(memberOf) })
        const one = yield* approveBy(proposal, 2)
        expect(yield* reasonOf(execute(client, one))).toContain("its approvals weigh 1 of 2")
        const both = yield* approveBy(one, 0)
        expect(yield* inspect(client, both)).toMatchObject({
          status: "ready",
          approvals: [0, 2].map(memberOf)
        })
        const { hash } = yield* execute(client, both)
        const [tx] = chain.sent
        expect(tx?.getId()).toBe(hash)
        expect(hash).toBe(proposal.id)
        expect(tx?.outs.map(({ script }) => Buffer.from(script).toString("hex"))).toEqual(
          [to, addressBy(kind[0], "1/2")].map((address) => toScript(address).toString("hex"))
        )
        // signatures of ECDSA may be a byte or two shorter than they are thought to be
        const spare = Number(proposal.preview.fee) - (tx?.virtualSize() ?? 0)
        expect(spare).toBeGreaterThanOrEqual(0)
        expect(spare).toBeLessThanOrEqual(6)
        expect(yield* inspect(client, both)).toMatchObject({ status: "queued", hash })
        expect(yield* reasonOf(execute(client, both))).toContain("it waits for a block")
        chain.mine()
        expect(yield* inspect(client, both)).toMatchObject({ status: "executed", hash })
        expect(yield* reasonOf(execute(client, both))).toContain("it was executed already")
        expect(chain.sent).toHaveLength(1)
      }
    })
  )

  it.effect("take the signatures of other wallets, in the form of BIP-174, and are merged", () =>
    Effect.gen(function* () {
      for (const kind of kinds) {
        const { approveBy, chain, client, fund, proposeOne } = makeWorld(kind)
        for (const at of ["0/0", "0/4"]) fund(at, 30_000n)
        const proposal = travel(yield* proposeOne())
        const theirs: Proposal = {
          ...proposal,
          signatures: [{ member: memberOf(1), signature: signElsewhere(proposal.payload, 1) }]
        }
        const ours = yield* approveBy(proposal, 0)
        const joined = yield* merge(ours, theirs)
        expect(joined.signatures.map(({ member }) => member)).toEqual([memberOf(0), memberOf(1)])
        // what is signed here is finished there
        const psbt = Psbt.fromBase64(ours.signatures[0]?.signature ?? "").combine(
          Psbt.fromBase64(theirs.signatures[0]?.signature ?? "")
        )
        expect(psbt.finalizeAllInputs().extractTransaction().getId()).toBe(proposal.id)
        yield* execute(client, joined)
        expect(chain.sent).toHaveLength(1)
      }
    })
  )

  it.effect("of all that the account has leave nothing", () =>
    Effect.gen(function* () {
      const { approveBy, chain, client, fund, proposeOne } = makeWorld()
      for (const at of ["0/0", "1/1"]) fund(at, 30_000n)
      fund("0/1", 40_000n, { confirmations: 0 })
      fund("0/2", 40_000n, { coinbase: true, confirmations: 99 })
      const proposal = yield* proposeOne({ amount: "all" })
      expect(BigInt(proposal.preview.amount) + BigInt(proposal.preview.fee)).toBe(60_000n)
      yield* execute(client, yield* approveBy(proposal, 1, 2))
      expect(chain.sent[0]?.outs).toHaveLength(1)
    })
  )

  it.effect("are void once another transaction has spent what they spend", () =>
    Effect.gen(function* () {
      const { approveBy, chain, client, fund, proposeOne } = makeWorld()
      const coin = fund("0/0", 90_000n)
      const proposal = yield* approveBy(yield* proposeOne(), 0, 1)
      chain.steal(coin)
      const seen = yield* inspect(client, proposal)
      expect(seen).toMatchObject({ status: "void" })
      expect(seen.reason).toContain(`has spent its input ${coin.txid}:1`)
      expect(yield* reasonOf(execute(client, proposal))).toContain("it can no longer be executed")
    })
  )

  it.effect("ask the policy of each signer with the payment", () =>
    Effect.gen(function* () {
      const { client, fund, proposeOne, signerOf } = makeWorld()
      fund("0/0", 90_000n)
      const proposal = yield* proposeOne()
      const policy = yield* makePolicy({ limits: [{ network, amount: "0.0001" }] })
      const strict = yield* signerOf(0, { policy })
      expect(yield* Effect.flip(approve(client, strict, proposal))).toMatchObject({
        _tag: "PolicyDenied",
        rule: "limit"
      })
    })
  )

  it.effect("are not believed about anything", () =>
    Effect.gen(function* () {
      const { approveBy, chain, client, fund, proposeOne } = makeWorld()
      fund("0/0", 90_000n)
      fund("0/1", 20_000n)
      const proposal = yield* approveBy(yield* proposeOne(), 0)
      const [own] = proposal.signatures
      if (own === undefined) throw new Error("there is a signature")
      const other = yield* approveBy(yield* proposeOne({ amount: 60_000n }), 0)
      const foreign = describeAccount("wsh(sortedmulti(", "))", [0, 1, 2], 1)
      const edit = (change: (psbt: Psbt) => void): string => {
        const psbt = Psbt.fromBase64(proposal.payload)
        change(psbt)
        return psbt.toBase64()
      }
      const lies: ReadonlyArray<readonly [Partial<Proposal>, string]> = [
        [{ preview: { ...proposal.preview, to: addressBy(kinds[0][0], "0/0") } }, "to: the proposal shows"],
        [{ preview: { ...proposal.preview, amount: "1" } }, "amount: the proposal shows"],
        [{ preview: { ...proposal.preview, fee: "1" } }, "fee: the proposal shows"],
        [{ preview: { ...proposal.preview, outgoing: [] } }, "outgoing: the proposal shows"],
        [{ account: foreign }, "payload: "],
        [{ account: "wsh(x)" }, "payload: "],
        [{ id: "ab".repeat(32) }, "id: the proposal shows"],
        [{ payload: other.payload }, "id: the proposal shows"],
        [{ payload: "cHNidP8=" }, "payload: "],
        [{ payload: edit((psbt) => psbt.setLocktime(5)) }, "payload: it has another version, lock time"],
        [{ payload: edit((psbt) => psbt.setVersion(1)) }, "payload: it has another version"],
        [
          { payload: edit((psbt) => psbt.addOutput({ script: toScript(to), value: 1n })) },
          "payload: a payment has inputs"
        ],
        [
          {
            payload: edit((psbt) => {
              delete psbt.data.outputs[1]?.bip32Derivation
            })
          },
          "payload: its output 1 is no change of the account"
        ],
        [
          {
            payload: edit((psbt) => {
              delete psbt.data.inputs[0]?.bip32Derivation
            })
          },
          "payload: its input 0 is none of the account's"
        ],
        [
          {
            payload: edit((psbt) => {
              // the path stays that of the account
              const { tx } = psbt.data.globalMap.unsignedTx as unknown as { readonly tx: Transaction }
              const change = tx.outs[1]
              if (change !== undefined) change.script = toScript(to)
            })
          },
          "payload: its output 1 is no change of the account"
        ],
        [
          {
            payload: edit((psbt) => {
              const spent = psbt.data.inputs[0]?.witnessUtxo
              if (spent !== undefined) spent.script = toScript(to)
            })
          },
          "payload: "
        ],
        [{ signatures: [{ ...own, member: memberOf(1) }] }, "signatures[0]: it has no signature of"],
        [{ signatures: [{ ...own, member: memberOf(3) }] }, "signatures[0]: "],
        [
          { signatures: [{ member: memberOf(0), signature: proposal.payload }] },
          "signatures[0]: it has no signature of"
        ],
        [{ signatures: other.signatures }, "signatures[0]: it is of another transaction"],
        [
          {
            signatures: [
              {
                member: memberOf(1),
                signature: signElsewhere(
                  edit((psbt) => psbt.updateInput(0, { sighashType: Transaction.SIGHASH_NONE })),
                  1,
                  Transaction.SIGHASH_NONE
                )
              }
            ]
          },
          "signatures[0]: the signature of"
        ],
        [{ signatures: [{ ...own, signature: "AAAA" }] }, "signatures[0]: "],
        [{ signatures: [{ ...own, signature: otherType(own.signature) }] }, "is not one of all outputs"]
      ]
      for (const [lie, reason] of lies)
        expect(yield* reasonOf(inspect(client, travel({ ...proposal, ...lie })))).toContain(reason)
      // a member that nobody knows, or another threshold, voids it
      for (const lie of [{ threshold: 1 }, { members: proposal.members.slice(1), signatures: [] }])
        expect(yield* inspect(client, travel({ ...proposal, ...lie }))).toMatchObject({ status: "void" })
      expect(chain.sent).toHaveLength(0)
    })
  )

  it.effect("with amounts that nodes do not have are refused: the fee would be another one", () =>
    Effect.gen(function* () {
      const { chain, client, fund, proposeOne } = makeWorld()
      fund("0/0", 90_000n)
      const proposal = yield* proposeOne()
      const lying = {
        ...client,
        rpc: {
          ...client.rpc,
          getTxOut: (txid: string, vout: number) =>
            Effect.map(chain.rpc.getTxOut(txid, vout), (output) =>
              output === null ? null : { ...output, value: 0.005 }
            )
        }
      }
      expect(yield* reasonOf(inspect(lying, proposal))).toContain("and nodes say 0.005")
      const moved = {
        ...client,
        rpc: {
          ...client.rpc,
          getTxOut: (txid: string, vout: number) =>
            Effect.map(chain.rpc.getTxOut(txid, vout), (output) =>
              output === null ? null : { ...output, scriptPubKey: { hex: "00" } }
            )
        }
      }
      expect(yield* reasonOf(inspect(moved, proposal))).toContain("or another address")
    })
  )

  it.effect("are refused with a fee above the cap: nodes may say anything about fees", () =>
    Effect.gen(function* () {
      const { client, findAddresses, from, fund } = makeWorld()
      fund("0/0", 900_000_000n)
      const dear = {
        ...client,
        rpc: { ...client.rpc, estimateSmartFee: () => Effect.succeed({ feerate: 1 }) }
      }
      expect(yield* Effect.flip(propose(dear, { from, to, amount: 50_000n, findAddresses }))).toMatchObject({
        _tag: "FeeOverCap"
      })
    })
  )

  it.effect("are refused as requests where the chain does not have what they ask for", () =>
    Effect.gen(function* () {
      const { client, fund, proposeOne, signerOf } = makeWorld()
      fund("0/0", 90_000n)
      const requests: ReadonlyArray<readonly [Partial<ProposalRequest>, string]> = [
        [{ nonce: 1 }, "nonce is for Safe accounts"],
        [{ until: new Date(0) }, "until: payments of these chains do not expire"],
        [{ memo: "x" }, "have no memo"],
        [{ token: "x" }, "have no tokens"],
        [{ members: [memberOf(0)], threshold: 1 }, "members and threshold are those of the chain"]
      ]
      for (const [request, reason] of requests) expect(yield* reasonOf(proposeOne(request))).toContain(reason)
      for (const [request, tag] of [
        [{ to: "bc1q" }, "InvalidAddress"],
        [{ amount: 100n }, "DustAmount"],
        [{ amount: 90_000n }, "InsufficientFunds"],
        [{ amount: "x" }, "InvalidAmount"]
      ] as const)
        expect(yield* Effect.flip(proposeOne(request))).toMatchObject({ _tag: tag })
      const { findAddresses: _, ...bare } = { findAddresses: 0, from: describeAccount(), to, amount: 1_000n }
      expect(yield* reasonOf(propose(client, bare))).toContain("findAddresses is needed")
      const proposal = yield* proposeOne()
      expect(yield* reasonOf(approve(client, yield* signerOf(3), proposal))).toContain("is no member of")
      // nobody has signed for the fourth member, and what is signed twice counts once
      const signed = yield* approve(client, yield* signerOf(1), proposal)
      expect((yield* approve(client, yield* signerOf(1), signed)).signatures).toHaveLength(1)
    })
  )
})
