// @covers payments on libraries: cosmos
// @covers tokens on libraries: cosmos
// @covers messages on libraries: cosmos
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { inspect } from "node:util"
import {
  DirectSecp256k1HdWallet,
  DirectSecp256k1Wallet,
  makeCosmoshubPath,
  makeSignDoc
} from "@cosmjs/proto-signing"
import { describe, expect, it } from "@effect/vitest"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { sha256 } from "@noble/hashes/sha2.js"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { NodeError, RequestRejected, withAttempts } from "../../src/data/SdkError.js"
import { defineNetwork } from "../../src/define.js"
import { signer } from "../../src/entries/signers/Cosmos.js"
import { init } from "../../src/promise.js"
import {
  bech32,
  computeChecksum,
  decodeWords,
  encodeWords,
  expandPrefix,
  regroupBits,
  wordsToBytes
} from "../../src/signers/bech32.js"
import { addressProblem, type CosmosCalls, type CosmosFrom, make } from "../../src/signers/Cosmos.js"
import { encodeBech32 } from "../../src/signers/cosmos/address.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/cosmos/curve.js"
import "../../src/signers/cosmos/protobuf.js"
import { findExpectedSequence, readDenomMetadata } from "../../src/signers/cosmos/reading.js"
import { prepareStaking } from "../../src/staking.js"
import { runs } from "../properties.js"
import { take } from "../results.js"
import { type Account, Hub, isSigned, readTx } from "./hub.js"
import { runWithTime } from "./runWithTime.js"

const words = `${"abandon ".repeat(11)}about`
const address = "cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4"
const key = "9f".repeat(32)
const keyBytes = new Uint8Array(32).fill(0x9f)
const someone = encodeBech32("cosmos", new Uint8Array(20).fill(7))
const ibc = `ibc/${"AB".repeat(32)}`
const factory = "factory/cosmos1abc/gold"
const gold = "cosmos:cosmoshub-4/denom:factory%2Fcosmos1abc%2Fgold"

const decimal = (microatoms: bigint): string => {
  const digits = String(microatoms).padStart(7, "0")
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, "")
}

/** A payment that is signed alone. */
const plain = { from: address, to: someone, denom: "uatom", amount: 1n, fee: 1n, gas: 1n }

const hubOf = (own: Partial<Account> = {}) =>
  new Hub({
    [address]: { sequence: 3n, coins: { uatom: 10_000_000n, [ibc]: 5_000n, [factory]: 7_000_000n }, ...own },
    [someone]: { coins: {} }
  })

const made = (from: CosmosFrom = { mnemonic: words }, hub = hubOf()) => make(hub.client(), from)

describe("accounts of Cosmos", () => {
  it.effect("are those of the standard path, of private keys, and of public ones", () =>
    Effect.gen(function* () {
      expect((yield* made()).address).toBe(address)
      expect((yield* made({ mnemonic: Redacted.make(words) })).address).toBe(address)
      const wallet = yield* Effect.promise(() => DirectSecp256k1Wallet.fromKey(keyBytes))
      const [account] = yield* Effect.promise(() => wallet.getAccounts())
      expect((yield* made({ privateKey: key })).address).toBe(account?.address)
      expect((yield* made({ privateKey: `0x${key.toUpperCase()}` })).address).toBe(account?.address)
      const publicKey = Buffer.from(account?.pubkey ?? []).toString("hex")
      const sign = (hash: Uint8Array) => secp256k1.sign(hash, keyBytes, { prehash: false })
      for (const given of [publicKey, `0x${publicKey.toUpperCase()}`])
        expect((yield* made({ publicKey: given, sign })).address).toBe(account?.address)
      expect((yield* made({ privateKey: ` ${key}\n` })).address).toBe(account?.address)
      const second = yield* made({ mnemonic: words, index: 1, passphrase: "x" })
      const wallets = yield* Effect.promise(() =>
        DirectSecp256k1HdWallet.fromMnemonic(words, {
          bip39Password: "x",
          hdPaths: [makeCosmoshubPath(1)]
        })
      )
      expect(second.address).toBe((yield* Effect.promise(() => wallets.getAccounts()))[0]?.address)
    })
  )

  const noKey = {
    _tag: "InvalidKey",
    reason: "a private key of Cosmos is 32 bytes: 64 hexadecimal digits"
  }
  const noPublicKey = {
    _tag: "InvalidKey",
    reason: "publicKey must be a compressed public key: 66 hexadecimal digits"
  }
  const sign = () => keyBytes
  const [compressed, uncompressed] = [true, false].map((isCompressed) =>
    Buffer.from(secp256k1.getPublicKey(keyBytes, isCompressed)).toString("hex")
  ) as [string, string]
  const refusals: ReadonlyArray<readonly [string, unknown, object]> = [
    [
      "a wrong word",
      { mnemonic: words.replace("about", "abuot") },
      { _tag: "InvalidMnemonic", position: 12 }
    ],
    ["a wrong checksum", { mnemonic: "abandon ".repeat(12) }, { _tag: "InvalidMnemonic" }],
    ["a key that is too short", { privateKey: "12" }, noKey],
    ["a key behind something", { privateKey: `x${key}` }, noKey],
    ["a key with something behind it", { privateKey: `${key}x` }, noKey],
    ["a key with 0x inside", { privateKey: `9f0x${key.slice(2)}` }, noKey],
    [
      "a key of zeros",
      { privateKey: "0".repeat(64) },
      { _tag: "InvalidKey", reason: "it is none of the curve's keys" }
    ],
    ["a public key that is none", { publicKey: `02${"5".padStart(64, "0")}`, sign }, noPublicKey],
    ["a public key that is not compressed", { publicKey: uncompressed, sign }, noPublicKey],
    [
      "a public key with 0x inside",
      { publicKey: `${compressed.slice(0, 2)}0x${compressed.slice(2)}`, sign },
      noPublicKey
    ],
    ["a public key with a digit too many", { publicKey: `${compressed}0`, sign }, noPublicKey],
    ["an address for a public key", { publicKey: address, sign }, noPublicKey],
    [
      "a public key alone",
      { publicKey: "02".repeat(33) },
      { _tag: "InvalidKey", reason: "must have mnemonic, privateKey, account, or sign with publicKey" }
    ],
    ["a path that is none", { mnemonic: words, path: "44/118" }, { _tag: "InvalidKey" }],
    ["nothing", undefined, { _tag: "InvalidKey" }],
    ["an empty object", {}, { _tag: "InvalidKey" }]
  ]
  it.effect.each(refusals)("refuse %s", ([, from, error]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(make(hubOf().client(), from as CosmosFrom))).toMatchObject(error)
    })
  )

  it.effect("are of networks of the family alone", () =>
    Effect.gen(function* () {
      const client = { ...hubOf().client(), network: "tron-mainnet" as const }
      expect(yield* Effect.flip(make(client, { privateKey: key }))).toMatchObject({ _tag: "InvalidArgument" })
    })
  )

  it("know their addresses from all others", () => {
    expect(addressProblem(address)).toBeUndefined()
    // a module's, of 32 bytes
    expect(addressProblem(encodeBech32("cosmos", new Uint8Array(32).fill(1)))).toBeUndefined()
    expect(addressProblem(encodeBech32("osmo", new Uint8Array(20)))).toContain("another chain")
    expect(addressProblem(encodeBech32("cosmosvaloper", new Uint8Array(20)))).toContain("a validator")
    expect(addressProblem(encodeBech32("cosmosvalcons", new Uint8Array(20)))).toContain("a validator's key")
    expect(addressProblem(encodeBech32("cosmos", new Uint8Array(21)))).toContain("20 or 32 bytes")
    expect(addressProblem(address.toUpperCase())).toBeUndefined()
    expect(addressProblem(address.replace("l", "L"))).toContain("small letters and capitals")
    expect(addressProblem(`0x${"1".repeat(40)}`)).toContain("EVM")
    expect(addressProblem("bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu")).toContain("another chain")
    expect(addressProblem("")).toContain("bech32")
    expect(addressProblem("1".repeat(100_000))).toContain("bech32")
    expect(addressProblem(address, "tron-mainnet")).toContain("another family")
    expect(addressProblem(7 as never)).toBe("must be text")
    for (const other of [`a0x${"1".repeat(40)}`, `0x${"1".repeat(41)}`, ` ${address}`, `${address} `])
      expect(addressProblem(other)).toBe("must be cosmos1 and digits of bech32")
    // as long as one may be, and a digit longer
    const longest = encodeBech32("cosmos", new Uint8Array(71))
    expect(longest).toHaveLength(127)
    expect(addressProblem(longest)).toContain("20 or 32 bytes")
    expect(addressProblem(encodeBech32("cosmoss", new Uint8Array(71)))).toContain("another chain")
    expect(addressProblem(encodeBech32("cosmosss", new Uint8Array(71)))).toContain("digits of bech32")
    // at least six digits, behind a prefix of at most 83 characters
    for (const other of ["a1qqqqq", "cosmos", `${"1".repeat(90)}qqqqqq`, `${"a".repeat(84)}1qqqqqq`])
      expect(addressProblem(other)).toBe("must be cosmos1 and digits of bech32")
    expect(addressProblem(`${"a".repeat(83)}1qqqqqq`)).toBe("has a wrong digit: its checksum fails")
    // more digits than bytes need
    const words = [...(regroupBits(new Uint8Array(20), 8, 5, true) ?? []), 0]
    const padded = encodeWords([...words, ...computeChecksum(bech32, [...expandPrefix("cosmos"), ...words])])
    expect(addressProblem(`cosmos1${padded}`)).toContain("20 or 32 bytes")
    // a validator's public key, and a validator of a chain whose name is as long
    expect(addressProblem(encodeBech32("cosmosvaloperpub", new Uint8Array(33)))).toBe(
      "must be an account's, and is that of a validator"
    )
    expect(addressProblem(encodeBech32("secretvaloper", new Uint8Array(20)))).toContain("(secretvaloper)")
    // valid texts of BIP-173
    for (const valid of ["a12uel5l", "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw"])
      expect(addressProblem(valid)).toContain("another chain")
    expect(addressProblem("abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxx")).toContain("checksum")
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.nat(37), (bytes, at) => {
        const given = encodeBech32("cosmos", bytes)
        expect(addressProblem(given)).toBeUndefined()
        const digit = given[at + 7] === "q" ? "p" : "q"
        expect(addressProblem(`${given.slice(0, at + 7)}${digit}${given.slice(at + 8)}`)).toBeDefined()
      })
    )
  })
})

describe("transactions of Cosmos", () => {
  it.effect("are the bytes that cosmjs signs", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      const account = yield* made({ mnemonic: words }, hub)
      const sent = yield* account.send({ to: someone, amount: "1.5", memo: "invoice 7" })
      const [raw = ""] = hub.came
      const tx = readTx(raw)
      expect(tx.hash).toBe(sent.hash)
      const wallet = yield* Effect.promise(() => DirectSecp256k1HdWallet.fromMnemonic(words))
      const document = makeSignDoc(tx.bodyBytes, tx.authInfoBytes, "cosmoshub-4", 7)
      const { signature } = yield* Effect.promise(() => wallet.signDirect(address, document))
      expect(Buffer.from(tx.signatures[0] ?? []).toString("base64")).toBe(signature.signature)
      expect(tx).toMatchObject({
        types: ["/cosmos.bank.v1beta1.MsgSend", "/cosmos.crypto.secp256k1.PubKey"],
        from: address,
        to: someone,
        coins: [{ denom: "uatom", amount: 1_500_000n }],
        memo: "invoice 7",
        sequence: 3n,
        timeoutHeight: 130n,
        gas: 140_000n,
        fee: [{ denom: "uatom", amount: 1_750n }]
      })
      expect(sent.prepared).toMatchObject({
        fee: 1_750n,
        transaction: { sequence: 3n, accountNumber: 7n, timeoutHeight: 130n }
      })
    })
  )

  it.effect("say what their preview says, whatever it is", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.record({
            amount: fc.bigInt({ min: 1n, max: 9_000_000n }),
            token: fc.constantFrom(undefined, factory, ibc, "uatom"),
            memo: fc.option(fc.string({ maxLength: 60, unit: "grapheme" }), { nil: undefined }),
            to: fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => encodeBech32("cosmos", bytes)),
            gas: fc.bigInt({ min: 1n, max: 3_000_000n }),
            sequence: fc.bigInt({ min: 0n, max: 2n ** 53n })
          }),
          async ({ amount, gas, memo, sequence, to, token }) => {
            const hub = hubOf({
              sequence,
              coins: { uatom: 10_000_000n, [factory]: 9n ** 9n, [ibc]: 9n ** 9n }
            })
            hub.gas = gas
            const account = await Effect.runPromise(made({ privateKey: Redacted.make(key) }, hub))
            hub.accounts[account.address] = hub.accounts[address] ?? { coins: {} }
            const prepared = await Effect.runPromise(
              account.prepare({
                to,
                amount,
                ...(token === undefined ? {} : { token }),
                ...(memo === undefined ? {} : { memo }),
                // chains of the test may be dearer than any is
                maxFee: 10n ** 30n
              })
            )
            await Effect.runPromise(account.submit(prepared))
            const tx = readTx(hub.came[0] ?? "")
            expect(isSigned(tx, 7n)).toBe(true)
            expect(tx).toMatchObject({
              from: prepared.from,
              to: prepared.to,
              coins: [{ denom: prepared.token ?? "uatom", amount: prepared.amount }],
              fee: [{ denom: "uatom", amount: prepared.fee }],
              memo: memo ?? "",
              sequence,
              timeoutHeight: 130n
            })
            const coins = prepared.token === undefined ? prepared.amount + prepared.fee : prepared.fee
            expect(prepared.outgoing.at(-1)).toEqual({ asset: "ATOM", amount: decimal(coins) })
          }
        ),
        { numRuns: runs(100) }
      )
    )
  )

  it.effect("are signed by functions whose signature is checked", () =>
    Effect.gen(function* () {
      const publicKey = Buffer.from(secp256k1.getPublicKey(keyBytes)).toString("hex")
      const order = secp256k1.Point.Fn.ORDER
      const low = yield* made({
        publicKey,
        // as Ethereum's signers do, with the parity
        sign: (hash) => Uint8Array.of(...secp256k1.sign(hash, keyBytes, { prehash: false }), 27)
      })
      const high = yield* made({
        publicKey,
        sign: (hash) => {
          const { r, s } = secp256k1.Signature.fromBytes(secp256k1.sign(hash, keyBytes, { prehash: false }))
          return new secp256k1.Signature(r, order - s).toBytes()
        }
      })
      const own = yield* made({ privateKey: key })
      expect(yield* low.signMessage("x")).toBe(yield* own.signMessage("x"))
      expect(yield* high.signMessage("x")).toBe(yield* own.signMessage("x"))
      const none = yield* made({ publicKey, sign: () => new Uint8Array(0) })
      expect(yield* Effect.flip(none.signMessage("x"))).toMatchObject({ _tag: "SigningFailed" })
      const others: ReadonlyArray<(hash: Uint8Array) => Uint8Array> = [
        () => new Uint8Array(64).fill(1),
        (hash) => secp256k1.sign(hash, new Uint8Array(32).fill(5), { prehash: false }),
        (hash) => {
          // what it does to the hash changes nothing of what is verified
          return secp256k1.sign(hash.fill(1), keyBytes, { prehash: false })
        }
      ]
      for (const sign of others) {
        const other = yield* made({ publicKey, sign })
        expect(yield* Effect.flip(other.signMessage("x"))).toMatchObject({
          _tag: "SigningFailed",
          reason: "the signature is not that of the account"
        })
      }
    })
  )

  it.effect("are made to a receiver in capitals, as QR codes have it, and name it in small letters", () =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words }, hubOf())
      const prepared = yield* account.prepare({ to: someone.toUpperCase(), amount: 1n })
      expect([prepared.to, prepared.transaction.to]).toEqual([someone, someone])
      const own = yield* account.sign({ ...prepared.transaction, to: someone.toUpperCase() })
      expect(own.raw).toEqual((yield* account.sign(prepared.transaction)).raw)
    })
  )

  it.effect("are signed alone, for this account only", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      const account = yield* made({ mnemonic: words }, hub)
      const { transaction } = yield* account.prepare({ to: someone, amount: 1n })
      const own = yield* account.sign(transaction)
      expect(readTx(own.raw)).toMatchObject({ hash: own.hash, sequence: 3n, timeoutHeight: 130n })
      expect(isSigned(readTx(own.raw), 7n)).toBe(true)
      const given = { accountNumber: 9n, sequence: 12n, timeoutHeight: 99n }
      const chosen = yield* account.sign({ ...transaction, ...given })
      expect(readTx(chosen.raw)).toMatchObject({ sequence: 12n, timeoutHeight: 99n })
      expect(isSigned(readTx(chosen.raw), 9n)).toBe(true)
      expect(hub.came).toEqual([])
      const numbers = "amount, fee and gas must be bigints, and the amount above zero"
      const wrongs: ReadonlyArray<readonly [object, string]> = [
        [{ from: someone }, `it is paid by ${someone}, and this signer is ${address}`],
        [{ amount: 0n }, numbers],
        [{ amount: -1n }, numbers],
        [{ gas: -1n }, numbers],
        [{ fee: 1 }, numbers],
        [{ to: "x" }, "its receiver must be cosmos1 and digits of bech32"]
      ]
      for (const [wrong, reason] of wrongs)
        expect(yield* Effect.flip(account.sign({ ...transaction, ...wrong }))).toMatchObject({
          _tag: "InvalidArgument",
          call: "sign",
          reason
        })
      expect(readTx((yield* account.sign({ ...transaction, fee: 0n, gas: 0n })).raw)).toMatchObject({
        fee: [],
        gas: 0n
      })
      const fresh = yield* made({ privateKey: key })
      expect(yield* Effect.flip(fresh.sign({ ...transaction, from: fresh.address }))).toMatchObject({
        _tag: "InvalidArgument",
        call: "sign",
        reason: `the chain has no account ${fresh.address} yet`
      })
    })
  )

  it.effect("are those of their previews", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      const account = yield* made({ mnemonic: words }, hub)
      const prepared = yield* account.prepare({ to: someone, amount: 1n })
      const { transaction } = prepared
      for (const other of [{ to: address }, { amount: 2n }, { denom: ibc }, { fee: 9n }])
        expect(
          yield* Effect.flip(account.submit({ ...prepared, transaction: { ...transaction, ...other } }))
        ).toMatchObject({ _tag: "InvalidArgument" })
      expect(
        yield* Effect.flip(
          account.submit({ ...prepared, amount: 0n, transaction: { ...transaction, amount: 0n } })
        )
      ).toMatchObject({
        _tag: "InvalidArgument",
        call: "submit",
        reason: "amount, fee and gas must be bigints, and the amount above zero"
      })
      expect(hub.came).toEqual([])
    })
  )

  it.effect("are not messages, which are signed to ADR-036", () =>
    Effect.gen(function* () {
      const account = yield* made()
      for (const message of ["", "hello", "ünï <&>", Uint8Array.of(0, 255)]) {
        const data = Buffer.from(message).toString("base64")
        const document = `{"account_number":"0","chain_id":"","fee":{"amount":[],"gas":"0"},"memo":"","msgs":[{"type":"sign/MsgSignData","value":{"data":"${data}","signer":"${address}"}}],"sequence":"0"}`
        const signature = Buffer.from(yield* account.signMessage(message), "base64")
        const publicKey = readTx((yield* account.sign(plain)).raw).publicKey
        expect(
          secp256k1.verify(signature, sha256(Buffer.from(document)), publicKey, { prehash: false })
        ).toBe(true)
      }
    })
  )
})

describe("payments of Cosmos that are sent", () => {
  it.effect("at the same time have consecutive sequences", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      const account = yield* made({ mnemonic: words }, hub)
      const all = yield* Effect.all(
        Array.from({ length: 12 }, () => account.send({ to: someone, amount: 5n })),
        { concurrency: "unbounded" }
      )
      expect(new Set(all.map(({ hash }) => hash)).size).toBe(12)
      expect([...hub.pool.values()].map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 12 }, (_, i) => BigInt(i + 3))
      )
      expect(hub.came).toHaveLength(12)
      hub.mine()
      yield* account.send({ to: someone, amount: 5n })
      expect([...hub.pool.values()].map(({ sequence }) => sequence)).toEqual([15n])
    })
  )

  it.effect("leave no hole where one is refused", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      const account = yield* made({ mnemonic: words }, hub)
      hub.least = 10_000n
      expect(yield* runWithTime(account.send({ to: someone, amount: 5n }), 500)).toMatchObject({
        left: { _tag: "RequestRejected", message: expect.stringContaining("insufficient fees") }
      })
      // the same bytes, until a block would have shown them
      expect(hub.came.length).toBeGreaterThan(5)
      expect(new Set(hub.came).size).toBe(1)
      hub.least = 0n
      yield* account.send({ to: someone, amount: 5n })
      expect([...hub.pool.values()].map(({ sequence }) => sequence)).toEqual([3n])
    })
  )

  it.effect("take the next sequence where others have theirs", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      const [one, two] = [yield* made({ mnemonic: words }, hub), yield* made({ mnemonic: words }, hub)]
      const first = yield* one.send({ to: someone, amount: 5n })
      // nobody is believed that it is taken, until a block shows it
      const second = yield* runWithTime(two.send({ to: someone, amount: 6n }), 500, (tick) => {
        if (tick === 8) {
          expect(new Set(hub.came).size).toBe(2)
          hub.mine()
        }
      })
      expect(second).toMatchObject({ right: { prepared: { transaction: { sequence: 4n } } } })
      expect([...hub.blocks.keys()]).toEqual([first.hash])
      expect(hub.pool.size).toBe(1)
    })
  )

  it.effect("are given up where the sequence is never right", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      const client = hub.client()
      const other = yield* made({ mnemonic: words }, hub)
      const modes: Array<string> = []
      const rpc = {
        ...client.rpc,
        broadcastTx: (request: { readonly tx_bytes: string; readonly mode: "BROADCAST_MODE_SYNC" }) => {
          modes.push(request.mode)
          // another process is faster each time, and in a block
          return Effect.zipRight(
            Effect.tap(Effect.orDie(other.send({ to: someone, amount: 1n })), () => hub.mine()),
            client.rpc.broadcastTx(request)
          )
        }
      }
      const account = yield* make({ ...client, rpc }, { mnemonic: words })
      expect(yield* runWithTime(account.send({ to: someone, amount: 5n }), 500)).toMatchObject({
        left: { _tag: "NonceTaken", address }
      })
      expect(modes).toEqual(Array.from({ length: 4 }, () => "BROADCAST_MODE_SYNC"))
      expect(hub.blocks.size).toBe(4)
      expect(hub.pool.size).toBe(0)
    })
  )

  it.effect("come back to nodes that have lost them, before those behind", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      const account = yield* made({ mnemonic: words }, hub)
      const first = yield* account.send({ to: someone, amount: 5n })
      hub.pool.clear()
      const second = yield* runWithTime(account.send({ to: someone, amount: 6n }), 500)
      expect(second._tag).toBe("Right")
      expect([...hub.pool.keys()]).toEqual([first.hash, Object(second).right.hash])
      // those that are over give their sequence back
      hub.pool.clear()
      hub.height += 50n
      const third = yield* account.send({ to: someone, amount: 7n })
      expect(third.prepared.transaction.sequence).toBe(3n)
      expect([...hub.pool.keys()]).toEqual([third.hash])
    })
  )

  it.effect("are the same bytes where an answer was lost, and paid once", () =>
    Effect.gen(function* () {
      for (const lost of ["before", "after"] as const) {
        const hub = hubOf()
        let left = 2
        hub.lost = () => (left-- > 0 ? lost : undefined)
        const account = yield* made({ mnemonic: words }, hub)
        const sent = yield* runWithTime(account.send({ to: someone, amount: 5n }), 500, (tick) => {
          // one that has arrived is refused the next time, and shown by the next block
          if (tick === 8 && lost === "after") hub.mine()
        })
        const hash = Object(sent).right.hash
        if (lost === "before") expect(hub.came).toHaveLength(3)
        expect(new Set(hub.came).size).toBe(1)
        expect([...hub.pool.keys(), ...hub.blocks.keys()]).toEqual([hash])
      }
    })
  )

  it.effect("are looked for where they may be in a block already", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      const account = yield* made({ mnemonic: words }, hub)
      hub.lost = () => (hub.came.length === 1 ? "after" : undefined)
      const fiber = yield* Effect.fork(account.send({ to: someone, amount: 5n }))
      yield* TestClock.adjust("1 milli")
      // a node that has the block, and forgets what was in its pool
      hub.mine()
      const tx = readTx(hub.came[0] ?? "")
      const { hash } = tx
      hub.blocks.delete(hash)
      yield* TestClock.adjust("1 milli")
      hub.lost = () => {
        hub.blocks.set(hash, { tx, height: hub.height, code: 0 })
        return undefined
      }
      yield* TestClock.adjust("1 minute")
      expect((yield* Fiber.join(fiber)).hash).toBe(hash)
      expect(new Set(hub.came).size).toBe(1)
    })
  )

  it.effect("keep their sequence where one node may have them, and another one expects the next", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      const client = hub.client()
      const sent: Array<string> = []
      const account = yield* make(
        {
          ...client,
          rpc: {
            ...client.rpc,
            broadcastTx: (request) =>
              Effect.suspend(() => {
                sent.push(request.tx_bytes)
                // the first node has it in a block, and its answer was lost; the client has asked the second one
                const tx = readTx(request.tx_bytes)
                hub.blocks.set(tx.hash, { tx, height: hub.height, code: 0 })
                const error = new RequestRejected({
                  call: "broadcastTx",
                  status: 200,
                  messages: [
                    "sdk 32: account sequence mismatch, expected 4, got 3: incorrect account sequence"
                  ],
                  body: "",
                  url: "https://node.example"
                })
                return Effect.fail(
                  withAttempts(error, [{ node: "https://node.example", ms: 1, outcome: "noAnswer" }])
                )
              })
          }
        },
        { mnemonic: words }
      )
      const fiber = yield* Effect.fork(account.send({ to: someone, amount: 5n }))
      yield* TestClock.adjust("1 minute")
      expect((yield* Fiber.join(fiber)).hash).toBe(readTx(sent[0] ?? "").hash)
      expect(new Set(sent).size).toBe(1)
    })
  )

  it.effect("are unclear where no node answers", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      hub.lost = () => "before"
      const account = yield* made({ mnemonic: words }, hub)
      const fiber = yield* Effect.fork(Effect.flip(account.send({ to: someone, amount: 5n })))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(fiber)).toMatchObject({
        _tag: "BroadcastUnclear",
        raw: hub.came[0],
        hash: readTx(hub.came[0] ?? "").hash
      })
    })
  )

  it.effect("are waited for until they are deep enough, have failed, or are over", () =>
    Effect.gen(function* () {
      const ended = (each: (hub: Hub, tick: number) => void) =>
        Effect.gen(function* () {
          const hub = hubOf()
          const account = yield* made({ mnemonic: words }, hub)
          const payment = { to: someone, amount: 5n, confirmations: 3 }
          return { hub, outcome: yield* runWithTime(account.send(payment), 6_000, (tick) => each(hub, tick)) }
        })
      const good = yield* ended((hub, tick) => tick < 3 && hub.mine())
      expect(good.outcome).toMatchObject({ _tag: "Right" })
      const shallow = yield* ended((hub, tick) => tick < 2 && hub.mine())
      expect(shallow.outcome).toMatchObject({ left: { _tag: "TransactionNotConfirmed", confirmations: 2 } })
      const bad = yield* ended((hub) => hub.mine(11))
      expect(bad.outcome).toMatchObject({
        left: {
          _tag: "TransactionFailed",
          reason: expect.stringMatching(/out of gas/),
          receipt: { code: 11 }
        }
      })
      const dropped = yield* ended((hub) => {
        hub.pool.clear()
        hub.mine()
      })
      expect(dropped.outcome).toMatchObject({
        left: { _tag: "TransactionDropped", reason: expect.stringMatching(/block 130/) }
      })
      // the last block that can have it, and five more; then it is looked for in vain
      expect(dropped.hub.height).toBe(137n)
      const silent = yield* ended((hub) => {
        hub.mine()
        for (const [hash, block] of hub.blocks) hub.blocks.set(hash, { ...block, code: 5, log: "" })
      })
      expect(silent.outcome).toMatchObject({
        left: { _tag: "TransactionFailed", reason: "sdk 5", receipt: { code: 5, codespace: "sdk" } }
      })
      // its sequence was used: nobody can tell whether by this one
      const used = yield* ended((hub) => {
        hub.mine()
        hub.blocks.clear()
      })
      expect(used.outcome).toMatchObject({ left: { _tag: "TransactionNotConfirmed" } })
    })
  )
})

describe("previews of Cosmos", () => {
  it.effect("have the fee that the market, the node or the directory asks for", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      const account = yield* made({ mnemonic: words }, hub)
      const payment = { to: someone, amount: "1.5" }
      // 140,000 gas at a quarter more than the price
      expect(yield* account.prepare(payment)).toStrictEqual({
        network: "cosmos-mainnet",
        from: address,
        to: someone,
        amount: 1_500_000n,
        fee: 1_750n,
        outgoing: [{ asset: "ATOM", amount: "1.50175" }],
        warnings: [],
        transaction: {
          from: address,
          to: someone,
          denom: "uatom",
          amount: 1_500_000n,
          fee: 1_750n,
          gas: 140_000n
        }
      })
      hub.config = "0.2ibc/AB, 0.02uatom "
      expect((yield* account.prepare(payment)).fee).toBe(2_800n)
      // a market that tells no price has none
      hub.market = "much"
      expect((yield* account.prepare(payment)).fee).toBe(2_800n)
      hub.config = ""
      hub.market = undefined
      expect((yield* account.prepare(payment)).fee).toBe(3_500n)
      hub.gas = 33_333n
      // what is not whole is rounded up: 46,666 at 0.025
      expect((yield* account.prepare(payment)).fee).toBe(1_167n)
    })
  )

  it.effect("know the decimals that the chain tells, and take bigints alone where it tells none", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      hub.metadata[factory] = {
        base: factory,
        display: "gold",
        symbol: "GOLD",
        denom_units: [
          { denom: factory, exponent: 0, aliases: [] },
          { denom: "gold", exponent: 6, aliases: [] }
        ]
      }
      hub.metadata[ibc] = {
        base: ibc,
        display: "transfer/channel-141/uosmo",
        symbol: "UOSMO",
        denom_units: [{ denom: "uosmo", exponent: 0, aliases: [] }]
      }
      const account = yield* made({ mnemonic: words }, hub)
      expect(yield* account.prepare({ token: factory, to: someone, amount: "6.5" })).toMatchObject({
        token: factory,
        amount: 6_500_000n,
        outgoing: [
          { asset: gold, token: factory, symbol: "GOLD", amount: "6.5", units: 6_500_000n, decimals: 6 },
          { asset: "ATOM", amount: "0.00175" }
        ],
        warnings: []
      })
      expect(
        yield* Effect.flip(account.prepare({ token: factory, to: someone, amount: "7.5" }))
      ).toMatchObject({ _tag: "InsufficientFunds", asset: gold, needed: "7.5", available: "7" })
      expect(yield* Effect.flip(account.prepare({ token: ibc, to: someone, amount: "1" }))).toMatchObject({
        _tag: "InvalidAmount",
        reason: expect.stringContaining("a bigint in the smallest unit")
      })
      const prepared = yield* account.prepare({ token: ibc, to: someone, amount: 4_000n })
      expect(prepared).toMatchObject({ amount: 4_000n, outgoing: [{ token: ibc, amount: "4000" }, {}] })
      expect(prepared.warnings[0]).toContain("smallest unit")
      // of another coin than was asked for
      hub.metadata[factory] = { ...hub.metadata[factory], base: ibc }
      expect(yield* Effect.flip(account.prepare({ token: factory, to: someone, amount: "1" }))).toMatchObject(
        { _tag: "InvalidAmount" }
      )
    })
  )

  it.effect("have the units of a coin that its metadata tell, and no others", () =>
    Effect.gen(function* () {
      const of = (exponent: number) =>
        readDenomMetadata(
          {
            ...hubOf().client().rpc,
            getDenomMetadata: () =>
              Effect.succeed({
                metadata: { base: factory, display: "gold", denom_units: [{ denom: "gold", exponent }] }
              })
          },
          factory
        )
      for (const decimals of [1, 255]) expect(yield* of(decimals)).toStrictEqual({ decimals })
      for (const none of [-1, 0, 0.5, 256]) expect(yield* of(none)).toStrictEqual({})
    })
  )

  it("know the sequence that a node expects in a simulation", () => {
    const expected = (words: string) =>
      findExpectedSequence(
        new RequestRejected({ call: "x", status: 500, messages: [words], body: "", url: "" })
      )
    expect(expected("account sequence mismatch, expected 1234, got 7: no")).toBe(1_234n)
    for (const other of ["sequence mismatch", "sequence mismatch, expected x, got 7"])
      expect(expected(other)).toBeUndefined()
  })

  it.effect("tell what a receiver is", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      const gov = encodeBech32("cosmos", new Uint8Array(20).fill(9))
      hub.accounts[gov] = { type: "/cosmos.auth.v1beta1.ModuleAccount", coins: {} }
      const account = yield* made({ mnemonic: words }, hub)
      const warned = (to: string) =>
        Effect.map(account.prepare({ to, amount: 1n }), ({ warnings }) => warnings[0])
      expect(yield* warned(encodeBech32("cosmos", new Uint8Array(20)))).toContain("no account yet")
      expect(yield* warned(gov)).toContain("of the chain itself")
      expect(yield* warned(address)).toContain("the account itself")
      expect(yield* warned(someone)).toBe("The fee is more than what is paid.")
    })
  )

  it.effect("are of accounts that keys sign for", () =>
    Effect.gen(function* () {
      const of = (own: Partial<Account>) =>
        Effect.flatMap(made({ mnemonic: words }, hubOf(own)), (account) =>
          Effect.either(account.send({ to: someone, amount: 1n }))
        )
      for (const type of ["ContinuousVestingAccount", "PeriodicVestingAccount"])
        expect(yield* of({ type: `/cosmos.vesting.v1beta1.${type}` })).toMatchObject({
          right: { prepared: { transaction: { sequence: 3n, accountNumber: 7n } } }
        })
      expect(yield* of({ type: "/cosmos.auth.v1beta1.ModuleAccount" })).toMatchObject({
        left: {
          _tag: "InvalidArgument",
          call: "getAccountDetails",
          message: expect.stringContaining("ModuleAccount")
        }
      })
      const fresh = yield* made({ privateKey: key })
      expect(yield* Effect.flip(fresh.prepare({ to: someone, amount: "1.5" }))).toMatchObject({
        _tag: "InsufficientFunds",
        needed: "1.5",
        available: "0"
      })
    })
  )

  it.effect("are of this chain", () =>
    Effect.gen(function* () {
      const hub = hubOf()
      const account = yield* made({ mnemonic: words }, hub)
      const prepared = yield* account.prepare({ to: someone, amount: 1n })
      hub.chainId = "theta-testnet-001"
      const wrong = {
        _tag: "InvalidArgument",
        call: "getLatestBlock",
        reason: "the node is one of theta-testnet-001, and not of cosmoshub-4"
      }
      expect(yield* Effect.flip(account.prepare({ to: someone, amount: 1n }))).toMatchObject(wrong)
      expect(yield* Effect.flip(account.submit(prepared))).toMatchObject(wrong)
      expect(hub.came).toEqual([])
    })
  )

  const refusals: ReadonlyArray<readonly [string, object, object]> = [
    ["zero", { amount: 0n }, { _tag: "InvalidAmount" }],
    ["less than zero", { amount: "-1" }, { _tag: "InvalidAmount" }],
    ["too many digits", { amount: "0.1234567" }, { _tag: "InvalidAmount" }],
    ["numbers", { amount: 1 }, { _tag: "InvalidAmount" }],
    ["more than there is", { amount: "11" }, { _tag: "InsufficientFunds", needed: "11", available: "10" }],
    ["all, without the fee", { amount: "10" }, { _tag: "InsufficientFunds", needed: "10.00175" }],
    [
      "more tokens than there are",
      { token: ibc, amount: 5_001n },
      {
        _tag: "InsufficientFunds",
        address,
        asset: `cosmos:cosmoshub-4/ibc:${"AB".repeat(32)}`,
        needed: "5001",
        available: "5000"
      }
    ],
    ["a fee above the cap", { maxFee: "0.001" }, { _tag: "FeeOverCap", asset: "ATOM", fee: "0.00175" }],
    ["a cap of zero", { maxFee: 0n }, { _tag: "InvalidAmount" }],
    ["an address of an EVM chain", { to: `0x${"1".repeat(40)}` }, { _tag: "InvalidAddress" }],
    [
      "an address of another chain",
      { to: encodeBech32("osmo", new Uint8Array(20)) },
      { _tag: "InvalidAddress", network: "cosmos-mainnet" }
    ],
    ...[["uosmo"], "a b", "!uosmo", "uosmo!", "ab", "7ab", `a${"b".repeat(128)}`, 7].map(
      (token) =>
        [
          `${token} for a token`,
          { token },
          {
            _tag: "InvalidArgument",
            call: "prepare",
            reason: `${token} is no denomination, such as ibc/… or factory/…`
          }
        ] as const
    ),
    [
      "a memo that is too long",
      { memo: "é".repeat(129) },
      { _tag: "InvalidArgument", call: "prepare", message: expect.stringMatching(/256 bytes.*258/) }
    ],
    [
      "a memo that is no text",
      { memo: 7 },
      {
        _tag: "InvalidArgument",
        call: "prepare",
        reason: 'a memo must be text, or { id: "…" } or { text: "…" }'
      }
    ]
  ]
  it.effect.each(refusals)("refuse %s", ([, payment, error]) =>
    Effect.gen(function* () {
      const hub = hubOf()
      const account = yield* made({ mnemonic: words }, hub)
      expect(
        yield* Effect.flip(account.send({ to: someone, amount: "1", ...payment } as never))
      ).toMatchObject(error)
      expect(hub.came).toEqual([])
    })
  )

  it.effect("are of what nodes tell, and of no more than that", () =>
    Effect.gen(function* () {
      const client = hubOf().client()
      const of = (rpc: Partial<CosmosCalls>, payment: object = {}) =>
        Effect.gen(function* () {
          const account = yield* make({ ...client, rpc: { ...client.rpc, ...rpc } }, { mnemonic: words })
          return yield* Effect.either(account.prepare({ to: someone, amount: 1n, ...payment }))
        })
      const url = "https://node.example"
      const [call, body] = ["getAccountDetails", ""]
      const missing = new RequestRejected({ call, status: 500, messages: ["account not found"], body, url })
      expect(yield* of({ getAccountDetails: () => Effect.fail(missing) })).toMatchObject({
        left: { _tag: "InsufficientFunds", asset: "ATOM", available: "0" }
      })
      for (const error of [
        // of a route that the gateway before the node lacks
        new RequestRejected({ call, status: 404, messages: ["Not Found"], body, url }),
        new RequestRejected({ call, status: 500, messages: ["no"], body, url }),
        new NodeError({ kind: "status", call, status: 404, reason: "account not found", url })
      ])
        expect(yield* of({ getAccountDetails: () => Effect.fail(error) })).toEqual(Either.left(error))
      for (const height of ["", "1x", "x1", "9".repeat(41), 7])
        expect(
          yield* of({
            getLatestBlock: () =>
              Effect.succeed({ block: { header: { chain_id: "cosmoshub-4", height } } } as never)
          })
        ).toMatchObject({
          left: { _tag: "InvalidArgument", call: "getLatestBlock", reason: "the node tells no whole number" }
        })
      const account = { "@type": "/cosmos.auth.v1beta1.BaseAccount", account_number: "7", sequence: "3" }
      for (const [call, rpc] of [
        ["getAccountDetails", { getAccountDetails: () => ({ account: { ...account, account_number: "" } }) }],
        ["getAccountDetails", { getAccountDetails: () => ({ account: { ...account, sequence: "x" } }) }],
        ["getSpendableBalanceByDenom", { getSpendableBalanceByDenom: () => ({ balance: { amount: "-1" } }) }]
      ] as const)
        expect(
          yield* of(
            // what nodes may say, whatever the types are
            Object.fromEntries(
              Object.entries(rpc).map(([name, answer]) => [name, () => Effect.sync(answer)])
            ) as never
          )
        ).toMatchObject({
          left: { _tag: "InvalidArgument", call, reason: "the node tells no whole number" }
        })
      for (const balance of [null, { denom: "uatom", amount: "0" }])
        expect(
          yield* of({ getSpendableBalanceByDenom: () => Effect.succeed({ balance } as never) })
        ).toMatchObject({ left: { _tag: "InsufficientFunds", available: "0" } })
      for (const gas_used of ["", "0", "x1", "1x", "1".repeat(19)])
        expect(
          yield* of({ simulate: () => Effect.succeed({ gas_info: { gas_wanted: "0", gas_used } } as never) })
        ).toMatchObject({
          left: { _tag: "InvalidArgument", call: "simulate", reason: "the node tells no gas" }
        })
      // what a node refuses for another reason than a later sequence is not tried again
      for (const said of [
        "no",
        ...["2", "3"].map((at) => `account sequence mismatch, expected ${at}, got 3`)
      ]) {
        let tries = 0
        const refusal = new RequestRejected({ call: "simulate", status: 500, messages: [said], body, url })
        expect(
          yield* of({
            simulate: () =>
              Effect.suspend(() => {
                tries++
                return Effect.fail(refusal)
              })
          })
        ).toEqual(Either.left(refusal))
        expect(tries).toBe(1)
      }
      for (const memo of ["x".repeat(256), ""])
        expect(yield* of({}, { memo })).toMatchObject({ right: { transaction: { memo } } })
    })
  )

  it.effect("tell nothing of the key", () =>
    Effect.gen(function* () {
      const told: Array<unknown> = []
      for (const from of [{ privateKey: key }, { privateKey: `${key}9f` }, { mnemonic: `${words} ${key}` }]) {
        told.push(yield* Effect.exit(made(from)))
        told.push(yield* Effect.promise(() => signer(hubOf().client() as never, from)))
      }
      for (const each of told) {
        const text = inspect(each, { depth: 12, showHidden: true, getters: true })
        expect(text).not.toContain(key)
        expect(text).not.toContain("159, 159")
      }
    })
  )
})

it("pays over HTTP, with the client of the Promise surface", async () => {
  const hub = hubOf()
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += chunk
    })
    request.on("end", () => {
      const { json, status } = hub.answer(request.url ?? "", body)
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json))
    })
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sdk = await init({ network: "cosmos-mainnet", rpc: { nodes: [{ url }] } })
  try {
    const account = await signer(sdk, { mnemonic: words })
    if (account.status === "ERROR") throw account.error.cause
    const sent = await account.data.send({ to: encodeBech32("cosmos", new Uint8Array(20)), amount: "1.5" })
    if (sent.status === "ERROR") throw sent.error.cause
    expect([...hub.pool.keys()]).toEqual([sent.data.hash])
    expect(sent.data.prepared.warnings[0]).toContain("no account yet")
    hub.market = undefined
    const token = await account.data.sendToken({ token: ibc, to: someone, amount: "1" })
    expect(token).toMatchObject({ status: "ERROR", error: { cause: { _tag: "InvalidAmount" } } })
    hub.mine()
    const next = await account.data.send({ to: someone, amount: 1n })
    expect(next).toMatchObject({ data: { prepared: { fee: 3_500n, transaction: { sequence: 4n } } } })
    const none = await account.data.prepare({ to: someone, amount: "1", token: "uatom", maxFee: 1n })
    expect(none).toMatchObject({ error: { cause: { _tag: "FeeOverCap" } } })
    const validator = encodeBech32("cosmosvaloper", new Uint8Array(20))
    hub.validators[validator] = {
      jailed: false,
      status: "BOND_STATUS_BONDED",
      commission: { commission_rates: { rate: "0.05" } }
    }
    const staking = await prepareStaking(sdk, account.data, { action: "delegate", validator, amount: "1" })
    const staked = await account.data.submit(take(staking))
    expect([...hub.pool.keys()]).toContain(take(staked).hash)
    expect(await prepareStaking(sdk, account.data, { action: "claim", validator })).toMatchObject({
      error: { cause: { _tag: "InvalidArgument", call: "prepareStaking" } }
    })
  } finally {
    await sdk.destroy()
    server.close()
  }
})

/** The bytes of an account's address. */
const bech32Bytes = (text: string): Uint8Array =>
  Uint8Array.from(wordsToBytes((decodeWords(text.slice(text.lastIndexOf("1") + 1)) ?? []).slice(0, -6)) ?? [])

describe("a defined chain of Cosmos", () => {
  it.effect("has addresses of its prefix, and payments signed for its own id", () =>
    Effect.gen(function* () {
      const network = defineNetwork({
        id: "signers-osmo",
        family: "cosmos",
        currency: { symbol: "OSMO", decimals: 6 },
        cosmos: { chainId: "osmosis-1", bech32Prefix: "osmo", denom: "uatom", gasPrice: "0.01" },
        nodes: [{ url: "http://127.0.0.1:1" }]
      })
      // a client makes the definition known to signers
      const sdk = yield* Effect.promise(() => init({ network, quiet: true }))
      yield* Effect.promise(() => sdk.destroy())
      const own = encodeBech32("osmo", bech32Bytes(address))
      const receiver = encodeBech32("osmo", new Uint8Array(20).fill(7))
      const hub = new Hub({
        [own]: { sequence: 0n, coins: { uatom: 10_000_000n } },
        [receiver]: { coins: {} }
      })
      hub.chainId = "osmosis-1"
      const account = yield* make({ ...hub.client(), network: sdk.network }, { mnemonic: words })
      expect(account.address).toBe(own)
      expect(addressProblem(own, "signers-osmo")).toBeUndefined()
      expect(addressProblem(address, "signers-osmo")).toContain("must begin with osmo1")
      const sent = yield* account.send({ to: receiver, amount: 5n })
      expect(hub.pool.has(sent.hash)).toBe(true)
      expect(sent.prepared).toMatchObject({ network: "signers-osmo", amount: 5n })
    })
  )
})

describe("sweeps of Cosmos", () => {
  it.effect("pay all without the fee, which they are simulated with", () =>
    Effect.gen(function* () {
      const account = yield* made()
      const all = yield* account.prepare({ to: someone, amount: "all" })
      expect(all).toMatchObject({
        amount: 10_000_000n - 1_750n,
        fee: 1_750n,
        outgoing: [{ asset: "ATOM", amount: "10" }],
        transaction: { amount: 10_000_000n - 1_750n, fee: 1_750n }
      })
      expect((yield* account.prepare({ to: someone, amount: all.amount })).transaction).toEqual(
        all.transaction
      )
      const tokens = yield* account.prepare({ token: ibc, to: someone, amount: "all" })
      expect(tokens).toMatchObject({ amount: 5_000n, transaction: { amount: 5_000n } })
      for (const coins of [{}, { uatom: 1_750n }]) {
        const poor = yield* made({ mnemonic: words }, hubOf({ coins }))
        expect(yield* Effect.flip(poor.prepare({ to: someone, amount: "all" }))).toMatchObject({
          _tag: "InsufficientFunds"
        })
      }
    })
  )
})
