// @covers payments on libraries: algorand
// @covers tokens on libraries: algorand
// @covers messages on libraries: algorand
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { ed25519 } from "@noble/curves/ed25519.js"
import {
  decodeSignedTransaction,
  encodeAddress,
  makeAssetTransferTxnWithSuggestedParamsFromObject,
  makePaymentTxnWithSuggestedParamsFromObject,
  mnemonicToSecretKey,
  secretKeyToMnemonic,
  signTransaction,
  verifyBytes
} from "algosdk"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import nacl from "tweetnacl"
import { NodeError, RequestRejected } from "../../src/data/SdkError.js"
import { signer } from "../../src/entries/signers/Algorand.js"
import { init } from "../../src/promise.js"
import { type AlgorandClient, type AlgorandFrom, addressProblem, make } from "../../src/signers/Algorand.js"
import { runs } from "../properties.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/algorand/sdk.js"
import { type Account, Algod, addressOf, jsonOf, readTx } from "./algod.js"
import { runWithTime } from "./runWithTime.js"

const seed = new Uint8Array(32).fill(0x9f)
const pair = nacl.sign.keyPair.fromSeed(seed)
const hex = Buffer.from(seed).toString("hex")
const address = encodeAddress(pair.publicKey)
const someone = addressOf(new Uint8Array(32).fill(7))
const nobody = addressOf(new Uint8Array(32))
const usdc = "31566704"

/** The words of a key of zeros, and its account. */
const own = `${"abandon ".repeat(24)}invest`
const zero = "HNVCPPGOW2SC2YVDVDICU3YNONSTEFLXDXREHJR2YBEKDC2Z3IUZSC6YGI"
const words = `${"abandon ".repeat(11)}about`
/** Derived by SLIP-10 over Node's own HMAC, and encoded by algosdk. */
const standard = "EP2D7TV7IAFANZHK3B6QLKB53N5UTD7RARVXZTWCPCRQQBKYVGM2XIMT2Q"

const nodeOf = (given: Partial<Account> = {}) => {
  const node = new Algod({
    [address]: { amount: 10_000_000n, assets: { [usdc]: { amount: 5_000_000n } }, ...given },
    [someone]: { amount: 2_000_000n, assets: { [usdc]: { amount: 0n } } }
  })
  node.assets[usdc] = { creator: someone, decimals: 6, total: 10n ** 18n, "unit-name": "USDC" }
  return node
}

const made = (node = nodeOf(), from: AlgorandFrom = { privateKey: hex }) => make(node.client(), from)

const decimal = (microalgos: bigint): string => {
  const digits = String(microalgos).padStart(7, "0")
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, "")
}

describe("accounts of Algorand that were rekeyed", () => {
  /** The account, which was rekeyed to the key of another one, or to nobody's. */
  const other = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(0x21))
  const key = addressOf(other.publicKey)
  const privateKey = Buffer.from(other.secretKey).toString("hex")
  const rekeyed = (by: string | undefined = key) => nodeOf(by === undefined ? {} : { by })

  it.effect("are paid from by the key that they were rekeyed to, as algosdk signs", () =>
    Effect.gen(function* () {
      const publicKey = Buffer.from(other.publicKey).toString("hex")
      const sign = (bytes: Uint8Array) => nacl.sign.detached(bytes, other.secretKey)
      const external = {
        scheme: "ed25519" as const,
        publicKey,
        sign: async (request: { bytes: Uint8Array }) => sign(request.bytes)
      }
      for (const from of [
        { privateKey, account: address },
        { account: external, address },
        { address: key, sign, account: address }
      ] satisfies ReadonlyArray<AlgorandFrom>) {
        const node = rekeyed()
        const account = yield* made(node, from)
        expect(account.address).toBe(address)
        for (const payment of [{ amount: "1.5" }, { amount: "2", token: usdc }]) {
          const { hash } = yield* account.submit(yield* account.prepare({ to: someone, ...payment }))
          const raw = Buffer.from(node.came.at(-1) ?? "", "base64")
          const { sgnr, txn } = decodeSignedTransaction(raw)
          expect([txn.sender.toString(), sgnr?.toString(), txn.txID()]).toEqual([address, key, hash])
          expect(Buffer.from(signTransaction(txn, other.secretKey).blob)).toEqual(raw)
        }
        expect(node.pool.size).toBe(2)
      }
    })
  )

  it.effect("cost the bytes of the key's address, where the chain is full", () =>
    Effect.gen(function* () {
      const node = rekeyed()
      node.fee = 100n
      const account = yield* made(node, { privateKey, account: address })
      const prepared = yield* account.prepare({ to: someone, amount: "1.5" })
      yield* account.submit(prepared)
      const size = BigInt(Buffer.from(node.came[0] ?? "", "base64").length)
      expect(prepared.fee).toBeGreaterThanOrEqual(size * 100n)
      const plain = nodeOf()
      plain.fee = 100n
      const alone = yield* (yield* made(plain)).prepare({ to: someone, amount: "1.5" })
      // a name of four letters, and 32 bytes
      expect(prepared.fee - alone.fee).toBe(39n * 100n)
    })
  )

  it.effect("refuse a key that they do not take, before anything is signed", () =>
    Effect.gen(function* () {
      for (const [by, from, reason] of [
        [
          undefined,
          { privateKey, account: address },
          `${address} was not rekeyed: it takes its own key, and not that of ${key}`
        ],
        [
          nobody,
          { privateKey, account: address },
          `${address} was rekeyed to ${nobody}, and not to this key of ${key}`
        ],
        [
          key,
          { privateKey: hex },
          `${address} was given to the key of ${key}, and this one signs for it no more`
        ]
      ] as const) {
        const node = rekeyed(by ?? address)
        const account = yield* made(node, from)
        expect(yield* Effect.flip(account.send({ to: someone, amount: "1" }))).toMatchObject({
          _tag: "InvalidArgument",
          message: `prepare: ${reason}`
        })
        expect(node.came).toEqual([])
      }
      for (const account of ["x", 7])
        expect(yield* Effect.flip(made(nodeOf(), { privateKey, account } as AlgorandFrom))).toMatchObject({
          _tag: "InvalidKey",
          reason: expect.stringContaining("its account ")
        })
      // a signature is that of the key
      const signed = yield* (yield* made(rekeyed(), { privateKey, account: address })).signMessage("hello")
      expect(verifyBytes(new TextEncoder().encode("hello"), Buffer.from(signed, "base64"), key)).toBe(true)
    })
  )
})

describe("accounts of Algorand", () => {
  it.effect("are those of its own words, of BIP-39, and of private keys in their forms", () =>
    Effect.gen(function* () {
      const of = (from: AlgorandFrom) => Effect.map(made(nodeOf(), from), (account) => account.address)
      expect(mnemonicToSecretKey(own).addr.toString()).toBe(zero)
      expect(yield* of({ mnemonic: own })).toBe(zero)
      expect(yield* of({ mnemonic: Redacted.make(` ${own.toUpperCase()}\n`) })).toBe(zero)
      const random = secretKeyToMnemonic(pair.secretKey)
      expect(yield* of({ mnemonic: random })).toBe(address)
      expect(yield* of({ mnemonic: words })).toBe(standard)
      expect(yield* of({ mnemonic: words, path: "m/44'/283'/1'/0'/0'" })).toBe(
        yield* of({ mnemonic: words, index: 1 })
      )
      const both = Buffer.from(pair.secretKey)
      for (const privateKey of [
        hex,
        `0x${hex.toUpperCase()}`,
        both.toString("hex"),
        both.toString("base64"),
        ` ${hex}\n`,
        Buffer.from(seed).toString("base64")
      ])
        expect(yield* of({ privateKey })).toBe(address)
      expect(yield* of({ address, sign: () => seed })).toBe(address)
    })
  )

  const base64 = Buffer.from(seed).toString("base64")
  const noKey = {
    _tag: "InvalidKey",
    reason: "a private key of Algorand is 32 or 64 bytes, as hexadecimal or Base64"
  }
  const refusals: ReadonlyArray<readonly [string, unknown, object]> = [
    [
      "a wrong word of its own",
      { mnemonic: own.replace("invest", "invset") },
      { _tag: "InvalidMnemonic", position: 25 }
    ],
    [
      "a wrong checksum of its own",
      { mnemonic: own.replace("invest", "about") },
      { _tag: "InvalidMnemonic" }
    ],
    [
      "a wrong word",
      { mnemonic: words.replace("about", "abuot") },
      { _tag: "InvalidMnemonic", position: 12 }
    ],
    ["26 words", { mnemonic: `${own} about` }, { _tag: "InvalidMnemonic" }],
    [
      "an index of its own words",
      { mnemonic: own, index: 1 },
      {
        _tag: "InvalidKey",
        reason: "25 words are one key: index, path and passphrase are for mnemonics of BIP-39"
      }
    ],
    ["a path of its own words", { mnemonic: own, path: "m/44'/283'/0'/0'/0'" }, { _tag: "InvalidKey" }],
    ["a passphrase of its own words", { mnemonic: own, passphrase: "" }, { _tag: "InvalidKey" }],
    ["a path that is not hardened", { mnemonic: words, path: "m/44'/283'/0'/0/0" }, { _tag: "InvalidKey" }],
    ["a key that is too short", { privateKey: "12" }, noKey],
    ["a key of 33 bytes", { privateKey: `${hex}9f` }, noKey],
    ["a key behind something", { privateKey: `x${hex}` }, noKey],
    ["a key with 0x inside", { privateKey: `9f0x${hex.slice(2)}` }, noKey],
    ["Base64 with a digit more", { privateKey: `A${base64}` }, noKey],
    ["Base64 with something behind it", { privateKey: `${base64}A` }, noKey],
    [
      "a half that is another's",
      { privateKey: hex + hex },
      { _tag: "InvalidKey", reason: "its second half is not the public key of its first half" }
    ],
    [
      "an address with a wrong digit",
      { address: `B${address.slice(1)}`, sign: () => seed },
      { _tag: "InvalidKey", reason: "its address has a wrong digit: its checksum fails" }
    ],
    [
      "an address alone",
      { address },
      { _tag: "InvalidKey", reason: "must have mnemonic, privateKey, account, or sign with address" }
    ],
    ["nothing", undefined, { _tag: "InvalidKey" }],
    ["an empty object", {}, { _tag: "InvalidKey" }]
  ]
  it.effect.each(refusals)("refuse %s", ([, from, error]) =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(make(nodeOf().client(), from as AlgorandFrom))
      expect(failed).toMatchObject(error)
      expect(failed.message).not.toMatch(/invset|abuot|9f9f/)
    })
  )

  it.effect("are of algod, and not of the indexer", () =>
    Effect.gen(function* () {
      const client = { ...nodeOf().client(), network: "algorand-mainnet-indexer" as const }
      expect(yield* Effect.flip(make(client, { privateKey: hex }))).toMatchObject({ _tag: "InvalidArgument" })
    })
  )

  it("know their addresses from all others", () => {
    expect(addressProblem(address)).toBeUndefined()
    expect(addressProblem(nobody)).toContain("nobody")
    expect(addressProblem(address.toLowerCase())).toContain("capitals")
    expect(addressProblem(`0x${"1".repeat(40)}`)).toContain("EVM")
    expect(addressProblem("")).toContain("Base32")
    expect(addressProblem(7 as never)).toBe("must be text")
    for (const other of [`a0x${"1".repeat(40)}`, `0x${"1".repeat(41)}`, `A${address}`, `${address}A`])
      expect(addressProblem(other)).toBe("must be 58 digits of Base32, which are capitals and 2 to 7")
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(57), (bytes, at) => {
        const given = encodeAddress(bytes)
        expect(addressProblem(given) === undefined).toBe(bytes.some((byte) => byte !== 0))
        const digit = given[at] === "A" ? "B" : "A"
        expect(addressProblem(`${given.slice(0, at)}${digit}${given.slice(at + 1)}`)).toContain("checksum")
      })
    )
  })
})

describe("transactions of Algorand", () => {
  it.effect("are the bytes that algosdk signs", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const account = yield* made(node)
      const suggestedParams = {
        fee: 1_000n,
        minFee: 1_000n,
        flatFee: true,
        firstValid: 1_000n,
        lastValid: 1_100n,
        genesisID: "mainnet-v1.0",
        genesisHash: new Uint8Array(Buffer.from("wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=", "base64"))
      }
      for (const token of [undefined, usdc]) {
        const payment = { to: someone, amount: "1.5", memo: "invoice 7" }
        const { hash, prepared } = yield* token === undefined
          ? account.send(payment)
          : account.sendToken({ ...payment, token })
        const common = {
          sender: address,
          receiver: someone,
          amount: 1_500_000n,
          note: new TextEncoder().encode("invoice 7"),
          lease: new Uint8Array(Buffer.from(prepared.transaction.lease ?? "", "base64")),
          suggestedParams
        }
        const theirs =
          token === undefined
            ? makePaymentTxnWithSuggestedParamsFromObject(common)
            : makeAssetTransferTxnWithSuggestedParamsFromObject({ ...common, assetIndex: BigInt(token) })
        expect(node.came.at(-1)).toBe(Buffer.from(theirs.signTxn(pair.secretKey)).toString("base64"))
        expect(hash).toBe(theirs.txID())
        expect(prepared.transaction).toMatchObject({ firstValid: 1_000n, lastValid: 1_100n })
      }
      expect([...node.pool.keys()]).toHaveLength(2)
    })
  )

  it.effect("say what their preview says, and nothing else", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.record({
            amount: fc.bigInt({ min: 1n, max: 4_000_000n }),
            token: fc.constantFrom(undefined, usdc),
            memo: fc.option(fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" }), {
              nil: undefined
            }),
            fee: fc.bigInt({ min: 0n, max: 3_000n }),
            round: fc.bigInt({ min: 1n, max: 2n ** 53n - 1_000n })
          }),
          async ({ amount, fee, memo, round, token }) => {
            const node = nodeOf()
            node.fee = fee
            node.round = round
            const account = await Effect.runPromise(made(node))
            const prepared = await Effect.runPromise(
              account.prepare({
                to: someone,
                amount,
                ...(token === undefined ? {} : { token }),
                ...(memo === undefined ? {} : { memo }),
                // chains of the test may be dearer than any is
                maxFee: 10n ** 30n
              })
            )
            const { hash } = await Effect.runPromise(account.submit(prepared))
            const tx = readTx(node.came[0] ?? "")
            expect(tx).toMatchObject({
              id: hash,
              isSigned: true,
              type: token === undefined ? "pay" : "axfer",
              from: prepared.from,
              to: prepared.to,
              amount: prepared.amount,
              token,
              fee: prepared.fee,
              memo: memo ?? "",
              firstValid: round,
              lastValid: round + 100n
            })
            // the fee is enough, and not more than some bytes too high
            expect(tx.fee).toBeLessThanOrEqual(
              1_000n > fee * (tx.size + 40n) ? 1_000n : fee * (tx.size + 40n)
            )
            const coins = token === undefined ? amount + prepared.fee : prepared.fee
            expect(prepared.outgoing.at(-1)).toEqual({ asset: "ALGO", amount: decimal(coins) })
            // what closes an account or gives it away is in none, to algosdk's reader either
            const { txn } = decodeSignedTransaction(new Uint8Array(Buffer.from(node.came[0] ?? "", "base64")))
            expect([
              txn.rekeyTo,
              txn.payment?.closeRemainderTo,
              txn.assetTransfer?.closeRemainderTo,
              txn.assetTransfer?.assetSender
            ]).toEqual([undefined, undefined, undefined, undefined])
          }
        ),
        { numRuns: runs(100) }
      )
    )
  )

  it.effect("are signed by functions whose signature is checked", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const kms = yield* made(node, { address, sign: async (bytes) => ed25519.sign(bytes, seed) })
      yield* kms.send({ to: someone, amount: 1n })
      expect(node.pool.size).toBe(1)
      const others: ReadonlyArray<(bytes: Uint8Array) => Uint8Array> = [
        () => new Uint8Array(64).fill(1),
        () => new Uint8Array(0),
        (bytes) => ed25519.sign(bytes, new Uint8Array(32).fill(1)),
        (bytes) => Uint8Array.of(...ed25519.sign(bytes, seed), 0),
        // what it does to the bytes changes nothing of what is verified
        (bytes) => ed25519.sign(bytes.fill(1), seed)
      ]
      for (const sign of others) {
        const other = yield* made(node, { address, sign })
        expect(yield* Effect.flip(other.send({ to: someone, amount: 1n }))).toMatchObject({
          _tag: "SigningFailed"
        })
        expect(yield* Effect.flip(other.signMessage("x"))).toMatchObject({ _tag: "SigningFailed" })
      }
      expect(node.came).toHaveLength(1)
      const stranger = yield* made(node, { address, sign: () => new Uint8Array(64).fill(1) })
      expect(yield* Effect.flip(stranger.signMessage("x"))).toMatchObject({
        reason: `the signature is not that of ${address}`
      })
    })
  )

  it.effect("are signed alone, for this account only", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const account = yield* made(node)
      const { transaction } = yield* account.prepare({ to: someone, amount: 1n })
      const signed = yield* account.sign(transaction)
      expect(readTx(signed.raw)).toMatchObject({ id: signed.hash, isSigned: true, lastValid: 1_100n })
      const lease = Buffer.alloc(32, 1).toString("base64")
      const chosen = { ...transaction, firstValid: 5n, lastValid: 9n, lease }
      expect(readTx((yield* account.sign(chosen)).raw)).toMatchObject({
        firstValid: 5n,
        lastValid: 9n,
        lease
      })
      const numbers = "amount, fee and rounds must be bigints of 64 bits, and the amount above zero"
      const id = "its token is no asset: its id is a decimal number"
      const wrongs: ReadonlyArray<readonly [object, string]> = [
        [{ from: someone }, `it is paid by ${someone}, and this signer is ${address}`],
        [{ amount: 0n }, numbers],
        [{ amount: 2n ** 64n }, numbers],
        [{ fee: -1n }, numbers],
        [{ fee: 1_000 }, numbers],
        [{ to: "x" }, "its receiver must be 58 digits of Base32, which are capitals and 2 to 7"],
        [{ token: "-1" }, id],
        [{ token: "7x" }, id],
        [{ token: 7 }, id]
      ]
      for (const [wrong, reason] of wrongs)
        expect(yield* Effect.flip(account.sign({ ...transaction, ...wrong }))).toMatchObject({
          _tag: "InvalidArgument",
          call: "sign",
          reason
        })
      const most = 2n ** 64n - 1n
      const largest = yield* account.sign({ ...transaction, amount: most, token: String(most) })
      expect(readTx(largest.raw)).toMatchObject({ amount: most, token: String(most) })
      // what is in the preview, too, is none of the chain all the same
      const none = yield* account.prepare({ to: someone, amount: 1n })
      expect(
        yield* Effect.flip(
          account.submit({ ...none, amount: 0n, transaction: { ...none.transaction, amount: 0n } })
        )
      ).toMatchObject({ _tag: "InvalidArgument", call: "submit", reason: numbers })
      const prepared = yield* account.prepare({ to: someone, amount: 1n })
      for (const other of [{ to: address }, { amount: 2n }, { token: usdc }, { fee: 9n }])
        expect(
          yield* Effect.flip(account.submit({ ...prepared, transaction: { ...transaction, ...other } }))
        ).toMatchObject({ _tag: "InvalidArgument" })
      expect(node.came).toEqual([])
    })
  )

  it.effect("are not messages, which algosdk verifies", () =>
    Effect.gen(function* () {
      const account = yield* made()
      for (const message of ["", "hello", "ünï", Uint8Array.of(0, 255)]) {
        const signature = new Uint8Array(Buffer.from(yield* account.signMessage(message), "base64"))
        const bytes = typeof message === "string" ? new TextEncoder().encode(message) : message
        expect(verifyBytes(bytes, signature, address)).toBe(true)
      }
    })
  )
})

describe("payments of Algorand that are sent", () => {
  it.effect("are paid each, also where they are equal", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const account = yield* made(node)
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => account.send({ to: someone, amount: 5n })),
        { concurrency: "unbounded" }
      )
      expect(new Set(all.map(({ hash }) => hash)).size).toBe(8)
      expect(node.pool.size).toBe(8)
    })
  )

  it.effect("are the same bytes where an answer was lost, and paid once", () =>
    Effect.gen(function* () {
      for (const lost of ["before", "after"] as const) {
        const node = nodeOf()
        let left = 2
        node.lost = () => (left-- > 0 ? lost : undefined)
        const account = yield* made(node)
        const fiber = yield* Effect.fork(account.send({ to: someone, amount: 5n }))
        yield* TestClock.adjust("1 minute")
        const { hash } = yield* Fiber.join(fiber)
        // one that has arrived is seen there
        expect(node.came).toHaveLength(lost === "before" ? 3 : 1)
        expect(new Set(node.came).size).toBe(1)
        expect([...node.pool.keys()]).toEqual([hash])
      }
    })
  )

  it.effect("are not there by the word of a node that something has their lease", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      // the node that is asked for it has not heard of it yet
      node.lost = () => (node.came.length === 1 ? "after" : undefined)
      const { client } = node
      node.client = () => {
        const { network, rpc } = client.call(node)
        const missing = new RequestRejected({
          call: "look",
          status: 404,
          messages: ["no"],
          body: "",
          url: ""
        })
        return { network, rpc: { ...rpc, getPendingTransaction: () => Effect.fail(missing) } }
      }
      const unseen = yield* made(node)
      const fiber = yield* Effect.fork(Effect.flip(unseen.send({ to: someone, amount: 5n })))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "BroadcastUnclear" })
      expect(new Set(node.came).size).toBe(1)
    })
  )

  it.effect("are looked for where no broadcast is answered", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      node.lost = () => "after"
      const account = yield* made(node)
      const there = yield* Effect.fork(account.send({ to: someone, amount: 5n }))
      yield* TestClock.adjust("1 minute")
      expect((yield* Fiber.join(there)).hash).toBe([...node.pool.keys()][0])
      node.lost = () => "before"
      const unclear = yield* Effect.fork(Effect.flip(account.send({ to: someone, amount: 5n })))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(unclear)).toMatchObject({ _tag: "BroadcastUnclear", raw: node.came.at(-1) })
      // a node that has thrown it out again does not have it
      node.poolError = "overspend"
      const thrown = yield* Effect.fork(Effect.flip(account.send({ to: someone, amount: 5n })))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(thrown)).toMatchObject({ _tag: "BroadcastUnclear" })
    })
  )

  it.effect("say what the node says against them", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const account = yield* made(node)
      const prepared = yield* account.prepare({ to: someone, amount: 5n })
      node.least = 5_000n
      const refused = yield* Effect.fork(Effect.flip(account.submit(prepared)))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(refused)).toMatchObject({
        _tag: "RequestRejected",
        message: expect.stringContaining("fee is below threshold")
      })
      expect(new Set(node.came).size).toBe(1)
    })
  )

  it.effect("are waited for until they are deep enough, or over", () =>
    Effect.gen(function* () {
      const ended = (each: (node: Algod, tick: number) => void) =>
        Effect.gen(function* () {
          const node = nodeOf()
          const account = yield* made(node)
          const payment = { to: someone, amount: 5n, confirmations: 3 }
          return yield* runWithTime(account.send(payment), 3_000, (tick) => each(node, tick))
        })
      expect(yield* ended((node, tick) => tick < 3 && node.mine())).toMatchObject({ _tag: "Right" })
      expect(yield* ended((node, tick) => tick < 2 && node.mine())).toMatchObject({
        left: { _tag: "TransactionNotConfirmed", confirmations: 2 }
      })
      let last = 0n
      expect(
        yield* ended((node) => {
          last = node.round
          node.pool.clear()
          node.round++
        })
      ).toMatchObject({ left: { _tag: "TransactionDropped", reason: expect.stringMatching(/round 1100/) } })
      // the first round in which no node can have it any more
      expect(last).toBe(1_111n)
      expect(
        yield* ended((node) => {
          node.pool.clear()
          node.poolError = "overspend"
          node.round++
        })
      ).toMatchObject({ left: { _tag: "TransactionDropped", reason: "overspend" } })
      // an error of one pool is no end before the last round
      expect(
        yield* ended((node, tick) => {
          node.poolError = tick < 20 ? "overspend" : ""
          if (tick >= 20) node.mine()
        })
      ).toMatchObject({ _tag: "Right" })
    })
  )
})

describe("previews of Algorand", () => {
  it.effect("have what a payment costs, and what a person should know", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const account = yield* made(node)
      expect(yield* account.prepare({ to: someone, amount: "1.5" })).toStrictEqual({
        network: "algorand-mainnet-algod",
        from: address,
        to: someone,
        amount: 1_500_000n,
        fee: 1_000n,
        outgoing: [{ asset: "ALGO", amount: "1.501" }],
        warnings: [],
        transaction: { from: address, to: someone, amount: 1_500_000n, fee: 1_000n }
      })
      const fresh = addressOf(new Uint8Array(32).fill(8))
      expect((yield* account.prepare({ to: fresh, amount: "0.1" })).warnings[0]).toContain("no account yet")
      expect((yield* account.prepare({ to: address, amount: "0.1" })).warnings[0]).toContain("itself")
      const token = yield* account.prepare({ token: usdc, to: someone, amount: "2.5" })
      expect(token).toMatchObject({
        token: usdc,
        amount: 2_500_000n,
        outgoing: [
          {
            asset: `algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k/asa:${usdc}`,
            token: usdc,
            symbol: "USDC",
            amount: "2.5",
            units: 2_500_000n,
            decimals: 6
          },
          { asset: "ALGO", amount: "0.001" }
        ],
        warnings: []
      })
      node.assets[usdc] = { ...node.assets[usdc], clawback: someone, freeze: someone }
      const held = yield* account.prepare({ token: usdc, to: someone, amount: "2.5" })
      expect(held.warnings).toEqual([expect.stringContaining("take"), expect.stringContaining("freeze")])
    })
  )

  it.effect("keep the least that an account must have, to the last microalgo", () =>
    Effect.gen(function* () {
      const account = yield* made(nodeOf({ amount: 1_000_000n, least: 300_000n }))
      expect(yield* account.prepare({ to: someone, amount: 699_000n })).toMatchObject({ fee: 1_000n })
      expect(yield* Effect.flip(account.prepare({ to: someone, amount: 699_001n }))).toMatchObject({
        _tag: "InsufficientFunds",
        needed: "1.000001",
        available: "1"
      })
      const fresh = addressOf(new Uint8Array(32).fill(8))
      expect(yield* Effect.flip(account.prepare({ to: fresh, amount: 99_999n }))).toMatchObject({
        _tag: "DustAmount",
        amount: "0.099999",
        least: "0.1"
      })
    })
  )

  it.effect("refuse assets that cannot be sent, and accounts that were given away", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const account = yield* made(node)
      const said = (payment: object) =>
        Effect.flip(account.prepare({ token: usdc, to: someone, amount: 1n, ...payment }))
      const fresh = addressOf(new Uint8Array(32).fill(8))
      expect(yield* said({ to: fresh })).toMatchObject({
        _tag: "InvalidArgument",
        call: "prepare",
        message: expect.stringMatching(/not opted in/)
      })
      expect(yield* said({ token: "7" })).toMatchObject({
        _tag: "InvalidArgument",
        message: expect.stringMatching(/no asset 7/)
      })
      expect(yield* said({ amount: "5.000001" })).toMatchObject({ _tag: "InsufficientFunds", available: "5" })
      node.accounts[someone] = { amount: 1n, assets: { [usdc]: { amount: 0n, isFrozen: true } } }
      expect(yield* said({})).toMatchObject({
        _tag: "InvalidArgument",
        call: "prepare",
        message: expect.stringMatching(/frozen.*receiver/)
      })
      const frozen = yield* made(nodeOf({ assets: { [usdc]: { amount: 9n, isFrozen: true } } }))
      expect(yield* Effect.flip(frozen.prepare({ token: usdc, to: someone, amount: 1n }))).toMatchObject({
        message: expect.stringMatching(/frozen.*sender/)
      })
      const without = yield* made(nodeOf({ assets: {} }))
      expect(yield* Effect.flip(without.prepare({ token: usdc, to: someone, amount: 1n }))).toMatchObject({
        _tag: "InsufficientFunds",
        available: "0"
      })
      const given = yield* made(nodeOf({ by: someone }))
      expect(yield* Effect.flip(given.prepare({ to: someone, amount: 1n }))).toMatchObject({
        _tag: "InvalidArgument",
        call: "prepare",
        message: expect.stringContaining(someone)
      })
    })
  )

  it.effect("are of this chain", () =>
    Effect.gen(function* () {
      const node = nodeOf()
      const account = yield* made(node)
      const prepared = yield* account.prepare({ to: someone, amount: 1n })
      node.genesis = ["mainnet-v1.0", "SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI="]
      const wrong = {
        _tag: "InvalidArgument",
        call: "getTransactionParams",
        message: expect.stringContaining("SGO1")
      }
      expect(yield* Effect.flip(account.prepare({ to: someone, amount: 1n }))).toMatchObject(wrong)
      expect(yield* Effect.flip(account.submit(prepared))).toMatchObject(wrong)
      expect(node.came).toEqual([])
    })
  )

  const refusals: ReadonlyArray<readonly [string, object, object]> = [
    ["zero", { amount: 0n }, { _tag: "InvalidAmount" }],
    ["less than zero", { amount: "-1" }, { _tag: "InvalidAmount" }],
    ["too many digits", { amount: "0.1234567" }, { _tag: "InvalidAmount" }],
    ["numbers", { amount: 1 }, { _tag: "InvalidAmount" }],
    ["more than there is", { amount: "10" }, { _tag: "InsufficientFunds", needed: "10.1", available: "10" }],
    ["more than numbers of the chain", { amount: 2n ** 80n }, { _tag: "InsufficientFunds" }],
    ["a fee above the cap", { maxFee: "0.0009" }, { _tag: "FeeOverCap", asset: "ALGO", fee: "0.001" }],
    ["an address of an EVM chain", { to: `0x${"1".repeat(40)}` }, { _tag: "InvalidAddress" }],
    ["the address of nobody", { to: nobody }, { _tag: "InvalidAddress" }],
    ["a token that is no number", { token: "USDC" }, { _tag: "InvalidArgument" }],
    ["a token with something behind it", { token: "7x" }, { _tag: "InvalidArgument" }],
    ["a token that is no text", { token: 7 }, { _tag: "InvalidArgument" }],
    [
      "the last token, which is none",
      { token: String(2n ** 64n - 1n) },
      { _tag: "InvalidArgument", reason: `there is no asset ${2n ** 64n - 1n}` }
    ],
    [
      "a token that is too high",
      { token: String(2n ** 64n) },
      { _tag: "InvalidArgument", message: expect.stringMatching(/decimal number/) }
    ],
    [
      "a memo that is too long",
      { memo: "é".repeat(501) },
      { _tag: "InvalidArgument", message: expect.stringMatching(/1000 bytes.*1002/) }
    ],
    ["an empty memo", { memo: "" }, { _tag: "InvalidArgument" }],
    [
      "a memo that is no text",
      { memo: 7 },
      { _tag: "InvalidArgument", reason: 'a memo must be text, or { id: "…" } or { text: "…" }' }
    ]
  ]
  it.effect.each(refusals)("refuse %s", ([, payment, error]) =>
    Effect.gen(function* () {
      const node = nodeOf()
      const account = yield* made(node)
      const failed = yield* Effect.flip(account.send({ to: someone, amount: "1", ...payment } as never))
      expect(failed).toMatchObject(error)
      if (failed._tag === "InvalidArgument") expect(failed.call).toBe("prepare")
      expect(node.came).toEqual([])
    })
  )

  it.effect("take memos of 1 to 1000 bytes", () =>
    Effect.gen(function* () {
      const account = yield* made()
      for (const memo of ["x", "é".repeat(500)])
        expect((yield* account.prepare({ to: someone, amount: 1n, memo })).transaction).toMatchObject({
          memo
        })
    })
  )

  it.effect("fail where nodes do, and find nothing only where these say that there is nothing", () =>
    Effect.gen(function* () {
      const { network, rpc } = nodeOf().client()
      const url = "https://node.example"
      const [call, status] = ["getAssetInformation", 404]
      for (const error of [
        new RequestRejected({ call, status: 400, messages: ["no"], body: "", url }),
        new NodeError({ kind: "status", call, status, reason: "gone", url })
      ]) {
        const failing: AlgorandClient = {
          network,
          rpc: { ...rpc, getAssetInformation: () => Effect.fail(error) }
        }
        const account = yield* make(failing, { privateKey: hex })
        expect(yield* Effect.flip(account.prepare({ to: someone, token: usdc, amount: 1n }))).toBe(error)
      }
    })
  )

  it.effect("tell nothing of the key", () =>
    Effect.gen(function* () {
      const base64 = Buffer.from(seed).toString("base64")
      const told: Array<unknown> = []
      const froms = [
        { privateKey: hex },
        { privateKey: `${hex}9f` },
        { privateKey: base64 },
        { mnemonic: `${own} ${hex}` }
      ]
      for (const from of froms) {
        told.push(yield* Effect.exit(made(nodeOf(), from)))
        told.push(yield* Effect.promise(() => signer(nodeOf().client() as never, from)))
      }
      for (const each of told) {
        const text = inspect(each, { depth: 12, showHidden: true, getters: true })
        expect(text).not.toContain(hex)
        expect(text).not.toContain(base64)
        expect(text).not.toContain("159, 159")
      }
    })
  )
})

it("pays over HTTP, with the client of the Promise surface", async () => {
  const node = nodeOf()
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part) => parts.push(part))
    request.on("end", () => {
      const body = parts.length === 0 ? undefined : new Uint8Array(Buffer.concat(parts))
      const { json, status } = node.answer(request.url ?? "", body)
      response.writeHead(status, { "content-type": "application/json" }).end(jsonOf(json))
    })
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sdk = await init({ network: "algorand-mainnet-algod", rpc: { nodes: [{ url }] } })
  try {
    const account = await signer(sdk, { privateKey: hex })
    if (account.status === "ERROR") throw account.error.cause
    const sent = await account.data.send({ to: someone, amount: "1.5", memo: "invoice 7" })
    if (sent.status === "ERROR") throw sent.error.cause
    const token = await account.data.sendToken({ token: usdc, to: someone, amount: "1" })
    expect([...node.pool.keys()]).toEqual([sent.data.hash, token.data?.hash])
    const fresh = addressOf(new Uint8Array(32).fill(8))
    expect(await account.data.prepare({ token: usdc, to: fresh, amount: "1" })).toMatchObject({
      error: { cause: { _tag: "InvalidArgument", message: expect.stringContaining("not opted in") } }
    })
    node.mine()
    node.mine()
    const waited = await account.data.submit(sent.data.prepared)
    expect(waited.status).toBe("SUCCESS")
  } finally {
    await sdk.destroy()
    server.close()
  }
})

describe("sweeps of Algorand", () => {
  it.effect("leave the least that an account must have, and say so", () =>
    Effect.gen(function* () {
      const account = yield* made(nodeOf({ amount: 1_000_000n, least: 300_000n }))
      const all = yield* account.prepare({ to: someone, amount: "all" })
      expect(all).toMatchObject({
        amount: 699_000n,
        fee: 1_000n,
        outgoing: [{ asset: "ALGO", amount: "0.7" }],
        warnings: ["0.3 ALGO stay in the account: the least that the chain makes it keep."]
      })
      const poor = yield* made(nodeOf({ amount: 301_000n, least: 300_000n }))
      expect(yield* Effect.flip(poor.prepare({ to: someone, amount: "all" }))).toMatchObject({
        _tag: "InsufficientFunds",
        needed: "0.301001",
        available: "0.301"
      })
    })
  )

  it.effect("of assets pay all of them", () =>
    Effect.gen(function* () {
      const account = yield* made()
      expect(yield* account.prepare({ token: usdc, to: someone, amount: "all" })).toMatchObject({
        amount: 5_000_000n,
        transaction: { amount: 5_000_000n, token: usdc }
      })
      const without = yield* made(nodeOf({ assets: {} }))
      expect(yield* Effect.flip(without.prepare({ token: usdc, to: someone, amount: "all" }))).toMatchObject({
        _tag: "InsufficientFunds"
      })
    })
  )
})
