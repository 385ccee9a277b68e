// @covers payments on libraries: xrp
// @covers tokens on libraries: xrp
// @covers messages on libraries: xrp
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { HDKey } from "@scure/bip32"
import { mnemonicToSeedSync } from "@scure/bip39"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as keypairs from "ripple-keypairs"
import { classicAddressToXAddress, decode, ECDSA, encodeForSigning, hashes, type Payment, Wallet } from "xrpl"
import { NodeError, RequestRejected, RpcError, withAttempts } from "../../src/data/SdkError.js"
import { defineNetwork } from "../../src/define.js"
import { signer } from "../../src/entries/signers/Xrp.js"
import { init } from "../../src/promise.js"
import {
  addressProblem,
  make,
  type XrpCalls,
  type XrpFrom,
  type XrpTransaction
} from "../../src/signers/Xrp.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/xrp/ripple.js"
import { encodeBase58Check } from "../../src/signers/base58Check.js"
import {
  addTransferFee,
  DECIMALS,
  formatUnits,
  isExact,
  lastDigitOf,
  parseUnits
} from "../../src/signers/xrp/tokens.js"
import { runs } from "../properties.js"
import { type Account, type Line, lost, makeLedger, url } from "./rippled.js"
import { runWithTime } from "./runWithTime.js"

const words = `${"abandon ".repeat(11)}about`
const address = "rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3"
const to = "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe"
const newcomer = "rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B"
const issuer = "rhub8VRN55s94qWKDv6jmDy1pUykJzF3wq"
const token = `USD.${issuer}`
const tokenId = `xrpl:0/token:${token}`

/** The key of the words above: whoever prints it has found it. */
const key = HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive("m/44'/144'/0'/0/0")
const hexOf = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString("hex")
const privateKey = hexOf(key.privateKey)
const publicKey = hexOf(key.publicKey).toUpperCase()

const usual: Readonly<Record<string, Account>> = {
  [address]: { balance: 10_000_000n, owned: 2, sequence: 7 },
  [to]: { balance: 1_000_000n },
  [issuer]: { balance: 1_000_000n }
}
const line = (holder: string, more: Partial<Line> = {}): Line => ({
  issuer,
  holder,
  currency: "USD",
  isLow: true,
  balance: 100,
  limit: 1_000,
  ...more
})
const usualLines = [line(address), line(to, { isLow: false })]

const made = (from: XrpFrom, rpc: XrpCalls = makeLedger(usual, usualLines).rpc) =>
  make({ network: "ripple-mainnet", rpc }, from)

const refusal = (rpcMessage: string) => new RpcError({ method: "submit", code: 1, rpcMessage, url })

describe("accounts of the XRP Ledger", () => {
  it.effect("are those of the standard path, of seeds and of private keys", () =>
    Effect.gen(function* () {
      expect(yield* made({ mnemonic: words })).toMatchObject({ address, publicKey })
      const second = Wallet.fromMnemonic(words, { derivationPath: "m/44'/144'/0'/0/1" })
      expect((yield* made({ mnemonic: words, index: 1 })).address).toBe(second.address)
      expect((yield* made({ privateKey })).address).toBe(address)
      expect((yield* made({ privateKey: `00${privateKey.toUpperCase()}` })).address).toBe(address)
      for (const algorithm of [ECDSA.secp256k1, ECDSA.ed25519]) {
        const wallet = Wallet.fromEntropy(
          Array.from({ length: 16 }, (_, i) => i),
          { algorithm }
        )
        const { seed = "" } = wallet
        expect(seed.startsWith(algorithm === ECDSA.ed25519 ? "sEd" : "s")).toBe(true)
        for (const given of [seed, wallet.privateKey, ` ${wallet.privateKey}\n`]) {
          const account = yield* made({ privateKey: given })
          expect(account).toMatchObject({ address: wallet.address, publicKey: wallet.publicKey })
          expect(keypairs.verify("00", yield* account.signMessage(Uint8Array.of(0)), wallet.publicKey)).toBe(
            true
          )
        }
      }
      // the ledger's own example: the seed of the account that had all XRP
      expect((yield* made({ privateKey: "snoPBrXtMeMyMHUVTgbuqAfg1SUTb" })).address).toBe(
        "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"
      )
    })
  )

  const noKey = {
    _tag: "InvalidKey",
    reason:
      "a private key of the XRP Ledger is a family seed (s…), or 32 bytes: 64 hexadecimal digits, behind ED if they are of Ed25519"
  }
  const noPublicKey = {
    _tag: "InvalidKey",
    reason: "publicKey must be 33 bytes: 66 hexadecimal digits that begin with 02, 03 or ED"
  }
  const sign = () => ""
  const { publicKey: edwards } = Wallet.fromEntropy(new Uint8Array(16), { algorithm: ECDSA.ed25519 })
  const uncompressed = hexOf(secp256k1.Point.fromHex(publicKey).toBytes(false))
  const refusals: ReadonlyArray<readonly [string, unknown, object]> = [
    [
      "a wrong word",
      { mnemonic: words.replace("about", "abuot") },
      { _tag: "InvalidMnemonic", position: 12 }
    ],
    ["a key that is too short", { privateKey: "12" }, noKey],
    [
      "a key of zeros",
      { privateKey: "0".repeat(64) },
      { _tag: "InvalidKey", reason: "it is none of the curve's keys" }
    ],
    [
      "a seed with a wrong digit",
      { privateKey: "snoPBrXtMeMyMHUVTgbuqAfg1SUTc" },
      { _tag: "InvalidKey", reason: "a family seed has a checksum, and this one's fails" }
    ],
    ["a seed of Stellar", { privateKey: `S${"A".repeat(55)}` }, noKey],
    ...["snoPBrXtMeMyMHUVTgbuqAfg1SUTb", privateKey, `ED${privateKey}`].flatMap(
      (key) =>
        [
          ["a key behind something", { privateKey: `!${key}` }, noKey],
          ["a key with something behind it", { privateKey: `${key}!` }, noKey]
        ] as const
    ),
    ["a public key off the curve", { publicKey: `02${"F".repeat(64)}`, sign }, noPublicKey],
    ["an address in place of a key", { publicKey: address, sign }, noPublicKey],
    ["a public key that is no text", { publicKey: 7, sign }, noPublicKey],
    ["a public key that is not compressed", { publicKey: uncompressed, sign }, noPublicKey],
    ["a public key behind something", { publicKey: `ED${edwards}`, sign }, noPublicKey],
    ["a public key with something behind it", { publicKey: `${edwards}00`, sign }, noPublicKey],
    [
      "a public key alone",
      { publicKey },
      { _tag: "InvalidKey", reason: "must have mnemonic, privateKey, account, or sign with publicKey" }
    ],
    ["nothing", undefined, { _tag: "InvalidKey" }],
    ["an empty object", {}, { _tag: "InvalidKey" }]
  ]
  it.effect.each(refusals)("refuse %s", ([, from, error]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(made(from as XrpFrom))).toMatchObject(error)
    })
  )

  it.effect("are others than that of their key where this is their regular one", () =>
    Effect.gen(function* () {
      const sign = (digest: Uint8Array) =>
        secp256k1.sign(digest, key.privateKey ?? digest, { prehash: false })
      for (const from of [{ mnemonic: words }, { privateKey }, { publicKey, sign }]) {
        const chain = makeLedger({ ...usual, [newcomer]: { balance: 5_000_000n, regularKey: address } })
        const account = yield* made({ ...from, account: newcomer }, chain.rpc)
        expect(account).toMatchObject({ address: newcomer, publicKey })
        yield* account.send({ to, amount: "1" })
        expect(decode(chain.sent[0] ?? "")).toMatchObject({ Account: newcomer, SigningPubKey: publicKey })
        expect(chain.accounts.get(newcomer)?.balance).toBe(3_999_988n)
      }
    })
  )

  it.effect("pay with no key that the ledger would not take", () =>
    Effect.gen(function* () {
      const disabled = 0x10_0000
      const cases: ReadonlyArray<readonly [Partial<Account>, string | undefined, string | undefined]> = [
        [{}, undefined, undefined],
        [{ flags: disabled }, undefined, "master key"],
        [{}, newcomer, `no key of ${newcomer}: its regular key is not set`],
        [{ regularKey: to }, newcomer, `its regular key is ${to}`],
        [{ regularKey: address, flags: disabled }, newcomer, undefined]
      ]
      for (const [state, of, problem] of cases) {
        const chain = makeLedger({ ...usual, [of ?? address]: { balance: 5_000_000n, ...state } })
        const account = yield* made(
          { mnemonic: words, ...(of === undefined ? {} : { account: of }) },
          chain.rpc
        )
        const outcome = yield* Effect.either(account.send({ to, amount: "1" }))
        expect(outcome).toMatchObject(
          problem === undefined
            ? { _tag: "Right" }
            : { left: { _tag: "InvalidArgument", call: "prepare", reason: expect.stringContaining(problem) } }
        )
        expect(chain.sent).toHaveLength(problem === undefined ? 1 : 0)
      }
      for (const [account, reason] of [
        ["", "its account must be r, X or T and digits of base58"],
        ["rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59C", "its account has a wrong digit: its checksum fails"],
        [
          classicAddressToXAddress(to, 9, false),
          "its account must be a classic address, which begins with r"
        ],
        [7, "its account must be text"]
      ])
        expect(yield* Effect.flip(made({ mnemonic: words, account } as unknown as XrpFrom))).toMatchObject({
          _tag: "InvalidKey",
          reason
        })
    })
  )

  it("know their addresses from all others", () => {
    expect(addressProblem(address)).toBeUndefined()
    expect(addressProblem(address.replace("N", "M"))).toContain("checksum")
    expect(addressProblem(`0x${"1".repeat(40)}`)).toContain("EVM")
    expect(addressProblem("TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH")).toBeDefined()
    expect(addressProblem("")).toContain("base58")
    // a public key of a node, whose checksum is right
    expect(addressProblem("n9KnrcCmL5psyKtk2KWP6jy14Hj4EXuZDg7XMdQJ9cSDoFSp53hu")).toBeDefined()
    expect(addressProblem("snoPBrXtMeMyMHUVTgbuqAfg1SUTb")).toContain("another chain")
    for (const other of [`0${address}`, `${address}0`, `a0x${"1".repeat(40)}`, `0x${"1".repeat(41)}`])
      expect(addressProblem(other)).toBe("must be r, X or T and digits of base58")
  })

  it("know what is written as an address, and is none", () => {
    const of = (...bytes: ReadonlyArray<number>) =>
      addressProblem(
        encodeBase58Check(
          Uint8Array.from(bytes),
          "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"
        )
      )
    const bytes = Array.from({ length: 20 }, (_, i) => i)
    expect(of(0, ...bytes)).toBeUndefined()
    // another kind, and another length
    for (const other of [
      [1, ...bytes],
      [0, ...bytes, 0]
    ])
      expect(of(...other)).toBe("must begin with r, X or T, and is one of another chain")
    const x = (...rest: ReadonlyArray<number>) => of(0x05, 0x44, ...bytes, ...rest)
    expect(x(0, 0, 0, 0, 0, 0, 0, 0, 0)).toBeUndefined()
    expect(x(1, 7, 0, 0, 0, 0, 0, 0, 0)).toBeUndefined()
    for (const rest of [
      [2, 7, 0, 0, 0, 0, 0, 0, 0],
      [1, 7, 0, 0, 0, 1, 0, 0, 0],
      [0, 7, 0, 0, 0, 0, 0, 0, 0]
    ])
      expect(x(...rest)).toBe("has a tag of more than 32 bits, which the ledger does not know")
    expect(x(0, 0, 0, 0, 0, 0, 0, 0)).toBe("must begin with r, X or T, and is one of another chain")
  })

  it("read X-addresses as xrpl writes them", () => {
    const wallet = fc
      .uint8Array({ minLength: 16, maxLength: 16 })
      .map((entropy) => Wallet.fromEntropy(entropy))
    const tags = fc.oneof(fc.constant(false as const), fc.nat(2 ** 32 - 1))
    fc.assert(
      fc.property(wallet, tags, fc.boolean(), fc.nat(46), ({ address }, tag, isTest, at) => {
        expect(addressProblem(address)).toBeUndefined()
        const given = classicAddressToXAddress(address, tag, isTest)
        expect(addressProblem(given)).toBeUndefined()
        expect(addressProblem(given, isTest ? "ripple-testnet" : "ripple-mainnet")).toBeUndefined()
        expect(addressProblem(given, isTest ? "ripple-mainnet" : "ripple-testnet")).toContain("network")
        const digit = given[at] === "z" ? "y" : "z"
        expect(addressProblem(`${given.slice(0, at)}${digit}${given.slice(at + 1)}`)).toBeDefined()
      }),
      { numRuns: runs(50) }
    )
  })
})

describe("transactions of the XRP Ledger", () => {
  it("are the bytes that xrpl makes of them, whatever they are", async () => {
    const account = await Effect.runPromise(made({ mnemonic: words }))
    const amount = fc.oneof(
      fc.record({ amount: fc.bigInt({ min: 1n, max: 10n ** 17n }) }),
      fc
        .tuple(fc.bigInt({ min: 1n, max: 10n ** 16n - 1n }), fc.integer({ min: -81, max: 80 }))
        .map(([digits, power]) => ({ amount: parseUnits(`${digits}e${power}`), token }))
    )
    const rest = fc.record(
      {
        tag: fc.nat(2 ** 32 - 1),
        memo: fc.string({ minLength: 1, maxLength: 80, unit: "grapheme" })
      },
      { requiredKeys: [] }
    )
    const wallet = Wallet.fromMnemonic(words)
    await fc.assert(
      fc.asyncProperty(
        amount,
        rest,
        fc.bigInt({ min: 10n, max: 10n ** 6n }),
        fc.nat(2 ** 32 - 1),
        async (amount, rest, fee, sequence) => {
          const payment: XrpTransaction = {
            from: address,
            to,
            fee,
            sequence,
            lastLedger: sequence,
            ...amount,
            ...rest
          }
          const { hash, raw } = await Effect.runPromise(account.sign(payment))
          const isToken = payment.token !== undefined
          const theirs = wallet.sign({
            TransactionType: "Payment",
            Account: address,
            Destination: to,
            Amount: isToken
              ? { currency: "USD", issuer, value: formatUnits(payment.amount) }
              : String(payment.amount),
            Fee: String(fee),
            Flags: 0,
            Sequence: sequence,
            LastLedgerSequence: sequence,
            ...(rest.tag === undefined ? {} : { DestinationTag: rest.tag }),
            ...(rest.memo === undefined
              ? {}
              : { Memos: [{ Memo: { MemoData: Buffer.from(rest.memo).toString("hex").toUpperCase() } }] })
          })
          expect(raw).toBe(theirs.tx_blob)
          expect(hash).toBe(theirs.hash)
          const back = decode(raw) as unknown as Payment
          const said = back.Amount as string | { value: string }
          expect(typeof said === "string" ? BigInt(said) : parseUnits(said.value)).toBe(payment.amount)
        }
      ),
      { numRuns: runs(200) }
    )
  })

  it.effect("are signed by functions whose signature is checked", () =>
    Effect.gen(function* () {
      const payment = { from: address, to, amount: 1n, fee: 10n, sequence: 1, lastLedger: 2 }
      const direct = yield* made({ privateKey })
      const { raw } = yield* direct.sign(payment)
      const signs = (isHigh: boolean): XrpFrom => ({
        publicKey,
        sign: async (hash) => {
          const signature = secp256k1.sign(hash, key.privateKey ?? new Uint8Array(), {
            prehash: false,
            format: "compact"
          })
          // with a byte behind it, as some holders of keys give it
          if (!isHigh) return Uint8Array.of(...signature, 0)
          const { r, s } = secp256k1.Signature.fromBytes(signature)
          return new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toBytes()
        }
      })
      for (const isHigh of [false, true]) {
        const own = yield* made(signs(isHigh))
        expect(own.address).toBe(address)
        expect((yield* own.sign(payment)).raw).toBe(raw)
      }
      const edwards = Wallet.fromEntropy(new Uint8Array(16), { algorithm: ECDSA.ed25519 })
      const own = yield* made({
        publicKey: edwards.publicKey,
        sign: (bytes) =>
          Uint8Array.from(
            Buffer.from(keypairs.sign(Buffer.from(bytes).toString("hex"), edwards.privateKey), "hex")
          )
      })
      const theirs = edwards.sign({
        TransactionType: "Payment",
        Account: edwards.address,
        Destination: to,
        Amount: "1",
        Fee: "10",
        Flags: 0,
        Sequence: 1,
        LastLedgerSequence: 2
      })
      expect((yield* own.sign({ ...payment, from: edwards.address })).raw).toBe(theirs.tx_blob)
      expect(yield* Effect.flip(own.sign(payment))).toMatchObject({ _tag: "InvalidArgument" })
      for (const sign of [() => new Uint8Array(64).fill(1), () => new Uint8Array(3), () => "" as never]) {
        const other = yield* made({ publicKey, sign })
        expect(yield* Effect.flip(other.sign(payment))).toMatchObject({ _tag: "SigningFailed" })
      }
      const zeros = yield* made({
        publicKey: edwards.publicKey,
        sign: () => new Uint8Array(64)
      })
      expect(yield* Effect.flip(zeros.signMessage("x"))).toMatchObject({
        reason: `the signature is not that of ${edwards.address}`
      })
    })
  )

  it.effect("take messages that can be verified, and that are no transaction", () =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words })
      for (const message of ["", "hello", "ünï", "STX", Uint8Array.of(0, 83, 84, 88, 0)]) {
        const hex = Buffer.from(message).toString("hex")
        expect(keypairs.verify(hex, yield* account.signMessage(message), account.publicKey)).toBe(true)
      }
      const transaction = encodeForSigning({
        TransactionType: "Payment",
        Account: address,
        Destination: to,
        Amount: "1",
        Fee: "10",
        Sequence: 1,
        SigningPubKey: publicKey
      } as Payment)
      for (const bytes of [Buffer.from(transaction, "hex"), Buffer.from("CLM\0claim"), Buffer.from("SMT\0x")])
        expect(yield* Effect.flip(account.signMessage(Uint8Array.from(bytes)))).toMatchObject({
          _tag: "SigningFailed",
          reason: "the message begins as a transaction or a claim does, which its signature could be used for"
        })
    })
  )
})

describe("payments of the XRP Ledger that are sent", () => {
  it.effect("arrive as they were shown, one behind the other", () =>
    Effect.gen(function* () {
      const chain = makeLedger(usual, usualLines)
      const account = yield* made({ mnemonic: words }, chain.rpc)
      const sends = ["1", "0.5", "0.25"].map((amount) => account.send({ to, amount, memo: "17" }))
      const all = yield* Effect.all(sends, { concurrency: "unbounded" })
      expect(chain.sent.map((blob) => decode(blob))).toMatchObject(
        [7, 8, 9].map((Sequence) => ({ Sequence, DestinationTag: 17, LastLedgerSequence: 1_020, Fee: "12" }))
      )
      expect(all.map(({ hash }) => hash)).toEqual(chain.sent.map((blob) => hashes.hashSignedTx(blob)))
      expect(chain.accounts.get(to)?.balance).toBe(2_750_000n)
      expect(chain.accounts.get(address)?.balance).toBe(10_000_000n - 1_750_000n - 36n)
    })
  )

  it.effect("are numbered behind each other where servers do not know the last one yet", () =>
    Effect.gen(function* () {
      const chain = makeLedger(usual, usualLines)
      const stale = { account_data: { Balance: "10000000", Flags: 0, OwnerCount: 2, Sequence: 7 } }
      const rpc: XrpCalls = {
        ...chain.rpc,
        accountInfo: (of, options) =>
          of === address ? Effect.succeed(stale) : chain.rpc.accountInfo(of, options)
      }
      const account = yield* made({ mnemonic: words }, rpc)
      yield* account.send({ to, amount: 1n })
      yield* account.send({ to, amount: 1n })
      // as long as its last ledger is not validated, the last one may be in that one
      chain.at.seq = 1_019
      yield* account.send({ to, amount: 1n })
      // what was not heard of until its last ledger is given up, and its number is free
      chain.at.seq = 1_039
      expect(yield* Effect.flip(account.send({ to, amount: 1n }))).toMatchObject({
        _tag: "NonceTaken",
        address,
        nonce: 7
      })
      expect(chain.sent.map((blob) => decode(blob).Sequence)).toEqual([7, 8, 9, 7])
    })
  )

  it.effect("take the number of one that was lost, once its last ledger is validated without it", () =>
    Effect.gen(function* () {
      const chain = makeLedger(usual, usualLines)
      let isDown = true
      const submit: XrpCalls["submit"] = (blob) =>
        Effect.suspend(() => (isDown ? Effect.fail(lost) : chain.rpc.submit(blob)))
      const account = yield* made({ mnemonic: words }, { ...chain.rpc, submit })
      const fiber = yield* Effect.fork(Effect.flip(account.send({ to, amount: 1n })))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "BroadcastUnclear" })
      isDown = false
      chain.at.seq = 1_020
      expect((yield* account.send({ to, amount: 1n })).prepared.transaction.sequence).toBe(7)
      expect(chain.accounts.get(to)?.balance).toBe(1_000_001n)
    })
  )

  it.effect("are what was prepared, and paid once however often they are handed in", () =>
    Effect.gen(function* () {
      const chain = makeLedger(usual, usualLines)
      const account = yield* made({ mnemonic: words }, chain.rpc)
      const prepared = yield* account.prepare({ to, amount: "1" })
      const sent = yield* account.submit(prepared)
      expect(sent.prepared.transaction).toMatchObject({ sequence: 7, lastLedger: 1_020 })
      expect((yield* account.submit(sent.prepared)).hash).toBe(sent.hash)
      expect(chain.accounts.get(to)?.balance).toBe(2_000_000n)
      for (const change of [{ to: newcomer }, { amount: 2n }, { fee: 13n }, { token }, { most: 1_000_000n }])
        expect(
          yield* Effect.flip(
            account.submit({ ...prepared, transaction: { ...prepared.transaction, ...change } })
          )
        ).toMatchObject({ _tag: "InvalidArgument" })
      expect(chain.sent).toHaveLength(2)
    })
  )

  it.effect("are there where a server has them, whatever it has said", () =>
    Effect.gen(function* () {
      for (const said of [lost, refusal("tefPAST_SEQ: This sequence number has already passed.")]) {
        const chain = makeLedger(usual, usualLines)
        const rpc: XrpCalls = {
          ...chain.rpc,
          submit: (blob) => Effect.zipRight(chain.rpc.submit(blob), Effect.fail(said))
        }
        const account = yield* made({ mnemonic: words }, rpc)
        expect((yield* account.send({ to, amount: 1n })).hash).toBe(hashes.hashSignedTx(chain.sent[0] ?? ""))
        expect(chain.sent).toHaveLength(1)
        expect(chain.accounts.get(to)?.balance).toBe(1_000_001n)
      }
    })
  )

  it.effect("are unclear where nobody knows, and refused where servers say so", () =>
    Effect.gen(function* () {
      const blobs: Array<string> = []
      const rpc = makeLedger(usual, usualLines, {
        submit: (blob) =>
          Effect.suspend(() => {
            blobs.push(blob)
            return Effect.fail(lost)
          })
      }).rpc
      const never = yield* made({ mnemonic: words }, rpc)
      const fiber = yield* Effect.fork(Effect.flip(never.send({ to, amount: 1n })))
      yield* TestClock.adjust("1 minute")
      const unclear = yield* Fiber.join(fiber)
      expect(unclear).toMatchObject({ _tag: "BroadcastUnclear", raw: blobs[0] })
      expect(blobs.length).toBeGreaterThan(1)
      expect(new Set(blobs).size).toBe(1)
      // the next one goes behind that which may be there
      const next = yield* Effect.fork(Effect.flip(never.send({ to, amount: 1n })))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(next)
      expect(decode(blobs.at(-1) ?? "").Sequence).toBe(8)

      for (const [word, error] of [
        ["telINSUF_FEE_P: Fee insufficient.", { _tag: "RpcError" }],
        ["temREDUNDANT: no", { _tag: "RpcError" }],
        ["tefMAX_LEDGER: Ledger sequence too high.", { _tag: "RpcError" }],
        // no ledger has another payment with its number
        ["tefPAST_SEQ: This sequence number has already passed.", { _tag: "RpcError" }]
      ] as const) {
        const account = yield* made(
          { mnemonic: words },
          makeLedger(usual, usualLines, { submit: () => Effect.fail(refusal(word)) }).rpc
        )
        expect(yield* runWithTime(account.send({ to, amount: 1n }), 500)).toMatchObject({ left: error })
      }
      const number = (Sequence: number, validated = true) => ({
        tx: { Account: address, Sequence, hash: "FF" },
        validated
      })
      for (const [transactions, left] of [
        [[number(8), number(7)], { _tag: "NonceTaken", nonce: 7 }],
        [
          [{ hash: "FF", tx_json: { Account: address, Sequence: 7 }, validated: true }],
          { _tag: "NonceTaken" }
        ],
        // it may still be given up, or is somebody else's
        [[number(7, false)], { _tag: "RpcError" }],
        [[{ ...number(7), tx: { Account: to, Sequence: 7, hash: "FF" } }], { _tag: "RpcError" }]
      ] as const) {
        const account = yield* made(
          { mnemonic: words },
          makeLedger(usual, usualLines, {
            submit: () => Effect.fail(refusal("tefPAST_SEQ: no")),
            accountTx: () => Effect.succeed({ transactions })
          }).rpc
        )
        expect(yield* runWithTime(account.send({ to, amount: 1n }), 500)).toMatchObject({ left })
      }
      // the number may be used by this very payment, whose first answer was lost
      const past = withAttempts(refusal("tefPAST_SEQ: This sequence number has already passed."), [
        { node: url, ms: 1, outcome: "noAnswer" }
      ])
      const doubtful = yield* made(
        { mnemonic: words },
        makeLedger(usual, usualLines, { submit: () => Effect.fail(past) }).rpc
      )
      const unsure = yield* Effect.fork(Effect.flip(doubtful.send({ to, amount: 1n })))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(unsure)).toMatchObject({ _tag: "BroadcastUnclear" })
    })
  )
})

describe("payments of the XRP Ledger that are waited for", () => {
  const waited = (
    change: (chain: ReturnType<typeof makeLedger>) => Partial<XrpCalls>,
    confirmations?: number
  ) =>
    Effect.gen(function* () {
      const chain = makeLedger(usual, usualLines)
      const rpc = { ...chain.rpc, ...change(chain) }
      const account = yield* made({ mnemonic: words }, rpc)
      const options = confirmations === undefined ? {} : { confirmations }
      // the ledger that was the newest one at the end
      let seq = 0
      const ended = Effect.sync(() => {
        seq = chain.at.seq
      })
      const sending = Effect.ensuring(account.send({ to, amount: "1", ...options }), ended)
      const outcome = yield* runWithTime(sending, 4_000, () => {
        chain.at.seq++
      })
      const looks = chain.asked.filter((method) => method === "tx").length
      return { looks, outcome, seq }
    })

  it.effect("are final in a validated ledger", () =>
    Effect.gen(function* () {
      const first = yield* waited(() => ({}), 1)
      expect(first.outcome).toMatchObject({ right: { hash: expect.stringMatching(/^[0-9A-F]{64}$/) } })
      expect(first.looks).toBeGreaterThan(1)
      const deep = yield* waited(() => ({}), 3)
      expect(deep.outcome._tag).toBe("Right")
      expect(deep.looks).toBeGreaterThan(first.looks)
      expect([first.seq, deep.seq]).toEqual([1_001, 1_003])
      // what is not validated yet, or does not say how it ended, is no end
      const meta = { TransactionResult: "tesSUCCESS" }
      for (const found of [
        { validated: false, ledger_index: 1_001, meta },
        { ledger_index: 1_001, meta },
        { validated: true, meta },
        { validated: true, ledger_index: 1_001, meta: "2010" },
        { validated: true, ledger_index: 1_001 }
      ]) {
        const { outcome } = yield* waited(() => ({ tx: () => Effect.succeed(found) }), 3)
        expect(outcome).toMatchObject({
          left: { _tag: "TransactionNotConfirmed", confirmations: 0, wanted: 3, timeout: 144_000 }
        })
      }
    })
  )

  it.effect("fail with what the ledger says, also where nobody wanted to wait", () =>
    Effect.gen(function* () {
      const poorer = (chain: ReturnType<typeof makeLedger>) => ({
        // somebody else spends in the meantime
        submit: (blob: string) => {
          const account = chain.accounts.get(address)
          if (account !== undefined) account.balance = 1_000_000n
          return chain.rpc.submit(blob)
        }
      })
      for (const confirmations of [1, undefined])
        expect((yield* waited(poorer, confirmations)).outcome).toMatchObject({
          left: {
            _tag: "TransactionFailed",
            reason: "tecUNFUNDED_PAYMENT",
            ...(confirmations === undefined
              ? {}
              : { receipt: { validated: true, meta: { TransactionResult: "tecUNFUNDED_PAYMENT" } } })
          }
        })
    })
  )

  it.effect("are given up once no ledger can have them", () =>
    Effect.gen(function* () {
      const dropped = yield* waited(
        () => ({ submit: () => Effect.succeed({ engine_result: "terQUEUED", engine_result_message: "" }) }),
        1
      )
      expect(dropped.outcome).toMatchObject({
        left: {
          _tag: "TransactionDropped",
          reason: "it could be in ledgers up to 1020, and is in none"
        }
      })
      expect(dropped.seq).toBe(1_020)
      // the number was used: it may be this payment, which a server does not find
      const hidden = yield* waited(() => ({ tx: () => Effect.fail(refusal("txnNotFound: no")) }), 1)
      expect(hidden.outcome).toMatchObject({ left: { _tag: "TransactionNotConfirmed" } })
      const other = refusal("no txnNotFound")
      expect((yield* waited(() => ({ tx: () => Effect.fail(other) }), 1)).outcome).toMatchObject({
        left: { _tag: "RpcError", rpcMessage: "no txnNotFound" }
      })
    })
  )
})

describe("previews of the XRP Ledger", () => {
  it.effect("have what a payment costs", () =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words })
      expect(yield* account.prepare({ to, amount: "1.5" })).toStrictEqual({
        network: "ripple-mainnet",
        from: address,
        to,
        amount: 1_500_000n,
        fee: 12n,
        outgoing: [{ asset: "XRP", amount: "1.500012" }],
        warnings: [],
        transaction: { from: address, to, amount: 1_500_000n, fee: 12n }
      })
      const created = yield* account.prepare({ to: newcomer, amount: "1" })
      expect(created.warnings[0]).toContain("1 XRP")
      expect(yield* account.prepare({ token, to, amount: "25.5" })).toMatchObject({
        token,
        amount: 255n * 10n ** 80n,
        outgoing: [
          { asset: tokenId, token, symbol: "USD", amount: "25.5", decimals: 81 },
          { asset: "XRP", amount: "0.000012" }
        ],
        warnings: []
      })
      // a bigint is in the smallest amount that the ledger has
      expect(yield* account.prepare({ token, to, amount: 10n ** BigInt(DECIMALS) })).toMatchObject({
        outgoing: [{ amount: "1" }, {}]
      })
    })
  )

  it.effect("are of what servers tell, and fail where these do", () =>
    Effect.gen(function* () {
      const of = (changed: Partial<XrpCalls>, payment: object = {}) =>
        Effect.flatMap(made({ mnemonic: words }, makeLedger(usual, usualLines, changed).rpc), (account) =>
          Effect.either(account.prepare({ to, amount: "1", ...payment }))
        )
      const broken = (word: string) =>
        new NodeError({ kind: "network", call: "x", url, reason: `${word}: no` })
      // a gateway that repeats the words of a server is none
      const repeated = new RequestRejected({
        ...{ call: "account_info", status: 400, messages: ["actNotFound: no"], body: "" },
        url
      })
      for (const error of [
        refusal("no actNotFound"),
        refusal("actNotFoundAtAll"),
        broken("actNotFound"),
        repeated
      ])
        expect(yield* of({ accountInfo: () => Effect.fail(error) })).toEqual(Either.left(error))
      for (const error of [refusal("no entryNotFound"), refusal("entryNotFounder"), broken("entryNotFound")])
        expect(yield* of({ ledgerEntry: () => Effect.fail(error) }, { token })).toEqual(Either.left(error))
      expect(yield* of({ ledgerEntry: () => Effect.succeed({}) }, { token })).toMatchObject({
        left: { _tag: "InsufficientFunds", asset: token, available: "0" }
      })
      expect(yield* of({ serverState: () => Effect.succeed({ state: {} }) })).toMatchObject({
        left: {
          _tag: "InvalidArgument",
          call: "server_state",
          reason: "the server has no validated ledger yet"
        }
      })
      // the open ledger may ask for less than the one before
      const drops = { base_fee: "10", open_ledger_fee: "9" }
      expect(yield* of({ fee: () => Effect.succeed({ drops }) as never })).toMatchObject({
        right: { fee: 10n }
      })
    })
  )

  it.effect("are signed with the number and the end that are given, or with those of now", () =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words })
      const open = { from: address, to, amount: 1n, fee: 12n }
      for (const given of [{ sequence: 3 }, { lastLedger: 5 }, {}])
        expect(decode((yield* account.sign({ ...open, ...given })).raw)).toMatchObject({
          Sequence: "sequence" in given ? 3 : 7,
          LastLedgerSequence: "lastLedger" in given ? 5 : 1_020
        })
      const nobody = yield* made({ mnemonic: words }, makeLedger({ [to]: { balance: 1n } }).rpc)
      expect(yield* Effect.flip(nobody.sign(open))).toMatchObject({
        _tag: "InvalidArgument",
        call: "sign",
        reason: `${address} has no account yet`
      })
    })
  )

  it.effect("read tags from memos and addresses, by one rule", () =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words })
      const of = (payment: object) =>
        Effect.map(account.prepare({ to, amount: 1n, ...payment }), ({ transaction }) => transaction)
      const tagged = classicAddressToXAddress(to, 5, false)
      expect(yield* of({ memo: "0" })).toMatchObject({ tag: 0 })
      expect(yield* of({ memo: "4294967295" })).toMatchObject({ tag: 4_294_967_295 })
      expect(yield* of({ memo: "invoice 7" })).toMatchObject({ memo: "invoice 7" })
      expect(yield* of({ memo: "invoice 7" })).not.toHaveProperty("tag")
      for (const memo of ["7 apples", "7x", "x".repeat(1_000)])
        expect(yield* of({ memo })).toMatchObject({ memo })
      expect(yield* of({ memo: { id: 7n } })).toMatchObject({ tag: 7 })
      expect(yield* of({ memo: { id: "7" } })).toMatchObject({ tag: 7 })
      expect(yield* of({ memo: { text: "7" } })).toMatchObject({ memo: "7" })
      expect(yield* of({ to: tagged, memo: { text: "7" } })).toMatchObject({ memo: "7", tag: 5 })
      const warned = (memo: unknown) =>
        Effect.map(account.prepare({ to, amount: "1", memo } as never), ({ warnings }) => warnings)
      for (const memo of ["tag:12345", "tag 12345", "#7"])
        expect(yield* warned(memo)).toEqual([
          expect.stringContaining("looks like an id, and is sent as text")
        ])
      for (const memo of ["12345", "invoice 7", { id: "7" }, { text: "tag:12345" }])
        expect(yield* warned(memo)).toEqual([])
      expect(yield* of({ to: tagged })).toMatchObject({ to, tag: 5 })
      expect(yield* of({ to: tagged, memo: "5" })).toMatchObject({ to, tag: 5 })
      expect(yield* of({ to: classicAddressToXAddress(to, false, false), memo: "6" })).toMatchObject({
        tag: 6
      })
      const noTag = "a memo of digits is a destination tag, which is a whole number from 0 to 4294967295"
      const noMemo = "a memo must be text of 1 to 1000 bytes"
      const another = "the address carries the destination tag 5, and the memo is another"
      const wrongs: ReadonlyArray<readonly [object, string]> = [
        [{ memo: "4294967296" }, noTag],
        [{ memo: "007" }, noTag],
        [{ memo: " 7" }, noTag],
        [{ memo: "7 " }, noTag],
        [{ memo: "" }, noMemo],
        [{ memo: 7 }, 'a memo must be text, or { id: "…" } or { text: "…" }'],
        [{ memo: { id: "4294967296" } }, noTag],
        [{ to: tagged, memo: { id: "6" } }, another],
        [{ memo: { text: "" } }, noMemo],
        [{ memo: "half a pair \ud800" }, noMemo],
        [{ memo: "x".repeat(1_001) }, noMemo],
        [{ to: tagged, memo: "6" }, another],
        [{ to: tagged, memo: "invoice" }, another]
      ]
      for (const [payment, reason] of wrongs)
        expect(yield* Effect.flip(of(payment))).toMatchObject({
          _tag: "InvalidArgument",
          call: "prepare",
          reason
        })
    })
  )

  const noToken = {
    _tag: "InvalidArgument",
    reason:
      "token must be a currency and its issuer, such as USD.rhub8VRN55s94qWKDv6jmDy1pUykJzF3wq; the currency is three characters or 40 hexadecimal digits"
  }
  const refusals: ReadonlyArray<readonly [string, object, object]> = [
    ["zero", { amount: 0n }, { _tag: "InvalidAmount" }],
    ["too many digits", { amount: "0.1234567" }, { _tag: "InvalidAmount" }],
    // 10 XRP, of which two things that it owns and the account itself keep 1.4
    [
      "what the account has to keep",
      { amount: "8.6" },
      { _tag: "InsufficientFunds", asset: "XRP", needed: "10.000012", available: "10" }
    ],
    [
      "too little for a new account",
      { to: newcomer, amount: "0.999999" },
      { _tag: "DustAmount", least: "1", asset: "XRP" }
    ],
    ["a fee above the cap", { maxFee: "0.000011" }, { _tag: "FeeOverCap", fee: "0.000012" }],
    [
      "the account itself",
      { to: address },
      { _tag: "InvalidAddress", reason: "is the account itself, which the ledger refuses" }
    ],
    [
      "the account itself by another address",
      { to: classicAddressToXAddress(address, false, false) },
      { _tag: "InvalidAddress" }
    ],
    [
      "an address of another network",
      { to: classicAddressToXAddress(to, 1, true) },
      { _tag: "InvalidAddress", reason: "is one of the test networks" }
    ],
    ["a token that is none", { token: "USD" }, noToken],
    ["a token that is no text", { token: 7 }, noToken],
    ["XRP as a token", { token: `XRP.${issuer}` }, noToken],
    ["an issuer that is no address", { token: "USD.rhub" }, noToken],
    ["an issuer with a tag", { token: `USD.${classicAddressToXAddress(issuer, 1, false)}` }, noToken],
    ["a currency behind something", { token: `x${"4".repeat(40)}.${issuer}` }, noToken],
    ["a currency with something behind it", { token: `${"4".repeat(40)}x.${issuer}` }, noToken],
    [
      "an issuer without account",
      { token: `USD.${newcomer}` },
      {
        _tag: "InvalidArgument",
        reason: `there is no token USD.${newcomer}: its issuer has no account`
      }
    ],
    ["more tokens than there are", { token, amount: "101" }, { _tag: "InsufficientFunds", asset: token }],
    [
      "more digits than tokens have",
      { token, amount: "1.0000000000000001" },
      {
        _tag: "InvalidAmount",
        amount: "1.0000000000000001",
        reason:
          "must have at most 16 digits, without the zeros around them: tokens of the ledger have no more"
      }
    ],
    [
      "tokens that the receiver has no line for",
      { token, to: newcomer },
      { _tag: "InvalidArgument", reason: `the receiver has no trust line for ${token}` }
    ],
    [
      "another token of the issuer",
      { token: `EUR.${issuer}` },
      { _tag: "InvalidArgument", reason: `the receiver has no trust line for EUR.${issuer}` }
    ]
  ]
  it.effect.each(refusals)("refuse %s", ([, payment, error]) =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words })
      const failed = yield* Effect.flip(account.prepare({ to, amount: "1", ...payment }))
      expect(failed).toMatchObject(error)
      if (failed._tag === "InvalidArgument") expect(failed.call).toBe("prepare")
    })
  )

  it.effect("refuse what the receiver or the ledger would refuse", () =>
    Effect.gen(function* () {
      const refusedBy = (flags: number, payment: object = {}) =>
        Effect.flatMap(
          made({ mnemonic: words }, makeLedger({ ...usual, [to]: { balance: 1n, flags } }, usualLines).rpc),
          (account) => Effect.either(account.prepare({ to, amount: "1", ...payment }))
        )
      expect(yield* refusedBy(0x20000)).toMatchObject({
        left: {
          _tag: "MemoRequired",
          address: to,
          reason: "it takes nothing without a destination tag, which is a memo of digits"
        }
      })
      expect(yield* refusedBy(0x20000, { memo: "text" })).toMatchObject({ left: { _tag: "MemoRequired" } })
      expect(yield* refusedBy(0x20000, { memo: "1" })).toMatchObject({ _tag: "Right" })
      expect(yield* refusedBy(0x20000, { token })).toMatchObject({ left: { _tag: "MemoRequired" } })
      expect(yield* refusedBy(0x400000, { token })).toMatchObject({
        left: {
          _tag: "InvalidArgument",
          reason:
            "the receiver has frozen the USD.rhub8VRN55s94qWKDv6jmDy1pUykJzF3wq that it gets from others"
        }
      })
      expect(yield* refusedBy(0x1000000)).toMatchObject({
        left: { _tag: "InvalidArgument", call: "prepare", reason: expect.stringContaining("authorized") }
      })
      const asked: Array<unknown> = []
      const welcome = makeLedger({ ...usual, [to]: { balance: 1n, flags: 0x1000000 } }, [], {
        depositAuthorized: (...of) => {
          asked.push(of)
          return Effect.succeed({ deposit_authorized: true })
        }
      })
      const authorized = yield* made({ mnemonic: words }, welcome.rpc)
      expect(yield* authorized.prepare({ to, amount: "1" })).toMatchObject({ to })
      expect(asked).toEqual([[address, to, { ledgerIndex: "current" }]])
      expect(yield* refusedBy(0x80000)).toMatchObject({
        right: { warnings: [expect.stringContaining("asks not to be sent XRP")] }
      })
      const poor = yield* made({ mnemonic: words }, makeLedger({ [to]: { balance: 1n } }).rpc)
      expect(yield* Effect.flip(poor.prepare({ to, amount: "1" }))).toMatchObject({
        _tag: "InsufficientFunds",
        available: "0",
        needed: "2.000012"
      })
      for (const balance of [11n, undefined]) {
        const { [address]: _, ...others } = usual
        const chain = makeLedger(
          balance === undefined ? others : { ...usual, [address]: { balance } },
          usualLines
        )
        const account = yield* made({ mnemonic: words }, chain.rpc)
        expect(yield* Effect.flip(account.prepare({ token, to, amount: "1" }))).toMatchObject({
          _tag: "InsufficientFunds",
          address,
          asset: "XRP",
          needed: "0.000012",
          available: balance === undefined ? "0" : "0.000011"
        })
      }
      const dear = makeLedger(usual)
      dear.terms.fee = "2000001"
      const account = yield* made({ mnemonic: words }, dear.rpc)
      expect(yield* Effect.flip(account.prepare({ to, amount: "1" }))).toMatchObject({
        _tag: "FeeOverCap",
        cap: "0.1"
      })
      expect(yield* account.prepare({ to, amount: "1", maxFee: "3" })).toMatchObject({ fee: 2_000_001n })
    })
  )

  const held: ReadonlyArray<readonly [string, Partial<Line>, Partial<Line>, number, string | undefined]> = [
    ["frozen by the issuer", { flags: 0x800000 }, {}, 0, "frozen"],
    ["frozen by the holder itself", { flags: 0x400000 }, {}, 0, undefined],
    ["frozen for the receiver, which may still take", {}, { flags: 0x400000 }, 0, undefined],
    ["frozen deeply for the receiver", {}, { flags: 0x2000000 }, 0, "frozen"],
    ["frozen for all", {}, {}, 0x400000, "frozen"],
    ["not authorized", {}, {}, 0x40000, "has not authorized"],
    ["authorized", {}, { flags: 0x40000 }, 0x40000, undefined],
    ["not to ripple", { flags: 0x200000 }, { flags: 0x100000 }, 0, "does not let"],
    ["to ripple on one side", { flags: 0x200000 }, {}, 0, undefined],
    // the issuer has the lower number of the two
    ["frozen by the lower issuer", { isLow: false, flags: 0x400000 }, {}, 0, "frozen"],
    ["frozen by the higher holder itself", { isLow: false, flags: 0x800000 }, {}, 0, undefined],
    ["frozen deeply by the lower issuer", { isLow: false, flags: 0x2000000 }, {}, 0, "frozen"],
    ["frozen deeply by the higher issuer", {}, { isLow: true, flags: 0x4000000 }, 0, "frozen"],
    // of both sides, a deep freeze is the same
    ["frozen deeply by the holder itself", { flags: 0x2000000 }, {}, 0, "frozen"],
    ["frozen by the receiver itself", {}, { flags: 0x800000 }, 0, "the receiver has frozen"],
    ["authorized by the higher issuer", {}, { isLow: true, flags: 0x80000 }, 0x40000, undefined],
    ["authorized by the holder itself", {}, { flags: 0x80000 }, 0x40000, "has not authorized"],
    [
      "not to ripple, the other way round",
      { isLow: false, flags: 0x100000 },
      { isLow: true, flags: 0x200000 },
      0,
      "does not let"
    ],
    ["not to ripple on the side of the holders", { flags: 0x100000 }, { flags: 0x200000 }, 0, undefined],
    ["full", {}, { balance: 999.5 }, 0, "at most 0.5 USD"],
    ["full with this payment", {}, { balance: 999 }, 0, undefined],
    ["more than full", {}, { balance: 1_001 }, 0, "at most 0 USD"]
  ]
  it.effect.each(held)("know tokens that are %s", ([, from, into, flags, problem]) =>
    Effect.gen(function* () {
      const { rpc } = makeLedger({ ...usual, [issuer]: { balance: 1n, flags } }, [
        line(address, from),
        line(to, { isLow: false, ...into })
      ])
      const account = yield* made({ mnemonic: words }, rpc)
      const outcome = yield* Effect.either(account.prepare({ token, to, amount: "1" }))
      expect(outcome).toMatchObject(
        problem === undefined
          ? { _tag: "Right" }
          : { left: { _tag: "InvalidArgument", call: "prepare", reason: expect.stringContaining(problem) } }
      )
      // back to the issuer they go even where they are frozen
      expect(yield* account.prepare({ token, to: issuer, amount: "1" })).toMatchObject({ to: issuer })
    })
  )

  it.effect("are of tokens that their issuer gives out and takes back, without a share", () =>
    Effect.gen(function* () {
      const own = `USD.${address}`
      const chain = makeLedger({ ...usual, [address]: { balance: 10_000_000n, rate: 1_002_000_000 } }, [
        // also where it is frozen for all others
        { ...line(to), issuer: address, flags: 0x4800000 }
      ])
      const account = yield* made({ mnemonic: words }, chain.rpc)
      const prepared = yield* account.prepare({ token: own, to, amount: "10" })
      expect(prepared).toMatchObject({ outgoing: [{ symbol: "USD", amount: "10" }, {}], warnings: [] })
      expect(prepared.transaction).not.toHaveProperty("most")
      // nobody has a line to himself
      expect(chain.asked.filter((method) => method === "ledger_entry")).toHaveLength(1)
      yield* account.submit(prepared)
      expect(chain.lines.map(({ balance }) => balance)).toEqual([110])
      const back = makeLedger({ ...usual, [issuer]: { balance: 1n, rate: 1_002_000_000 } }, usualLines)
      const holder = yield* made({ mnemonic: words }, back.rpc)
      const redeemed = yield* holder.prepare({ token, to: issuer, amount: "100" })
      expect(redeemed).toMatchObject({ outgoing: [{ symbol: "USD", amount: "100" }, {}], warnings: [] })
      expect(redeemed.transaction).not.toHaveProperty("most")
      const without = yield* made({ mnemonic: words }, makeLedger(usual, [line(to)]).rpc)
      expect(yield* Effect.flip(without.prepare({ token, to, amount: "1" }))).toMatchObject({
        _tag: "InsufficientFunds",
        asset: expect.stringMatching(/^USD\./),
        available: "0"
      })
    })
  )

  it("read amounts as the ledger writes them, and nothing from what is none", () => {
    const one = 10n ** BigInt(DECIMALS)
    for (const [text, units] of [
      ["1", one],
      ["-1.5", (-one * 3n) / 2n],
      ["1e2", one * 100n],
      ["15e-1", (one * 3n) / 2n],
      ["1e-81", 1n],
      ["15e-82", 1n],
      ["1e-82", 0n],
      ["one", 0n],
      ["", 0n],
      [7, 0n],
      [undefined, 0n]
    ] as const)
      expect(parseUnits(text)).toBe(units)
    // the largest amount of the ledger, and what is behind it
    expect(isExact(parseUnits("9999999999999999e80"))).toBe(true)
    expect(isExact(parseUnits("1e96"))).toBe(false)
  })

  it.effect("name the share of the issuer, which leaves the account too", () =>
    Effect.gen(function* () {
      const chain = makeLedger({ ...usual, [issuer]: { balance: 1n, rate: 1_002_000_000 } }, usualLines)
      const account = yield* made({ mnemonic: words }, chain.rpc)
      const prepared = yield* account.prepare({ token, to, amount: "10" })
      expect(prepared).toMatchObject({
        amount: 10n ** 82n,
        outgoing: [{ asset: tokenId, amount: "10.02" }, {}],
        warnings: [expect.stringContaining("10.02 USD")]
      })
      expect(yield* Effect.flip(account.prepare({ token, to, amount: "99.9" }))).toMatchObject({
        _tag: "InsufficientFunds",
        needed: "100.0998"
      })
      const { most: _, ...without } = prepared.transaction
      for (const other of [{ ...without, most: 10n ** 83n }, { ...without, most: 10n ** 82n }, without])
        expect(yield* Effect.flip(account.submit({ ...prepared, transaction: other }))).toMatchObject({
          _tag: "InvalidArgument",
          reason: expect.stringContaining("preview")
        })
      expect(chain.sent).toEqual([])
      yield* account.submit(prepared)
      expect(decode(chain.sent[0] ?? "")).toMatchObject({
        Amount: { currency: "USD", issuer, value: "10" },
        SendMax: { currency: "USD", issuer, value: "10.02" },
        Flags: 0
      })
      expect(chain.lines.map(({ balance }) => balance)).toEqual([89.98, 110])
      expect(addTransferFee(parseUnits("1.111111111111111"), 1_000_000_001)).toBe(
        parseUnits("1.111111112222223")
      )
    })
  )

  it.effect.each([
    { text: "SOLO", symbol: "SOLO" },
    // without what cannot be shown it would have the name of another token
    { text: "US\xffD" },
    { text: "US\0D" }
  ])("name tokens with longer currencies: $text", ({ symbol, text }) =>
    Effect.gen(function* () {
      const currency = Buffer.from(text, "latin1").toString("hex").padEnd(40, "0").toUpperCase()
      const rpc = makeLedger(usual, [line(address, { currency }), line(to, { currency, isLow: false })]).rpc
      const account = yield* made({ mnemonic: words }, rpc)
      const { outgoing, token, transaction } = yield* account.prepare({
        token: `${currency.toLowerCase()}.${issuer}`,
        to,
        amount: "1.000000000000001"
      })
      expect(outgoing[0]).toMatchObject({ asset: `xrpl:0/token:${token}`, token: `${currency}.${issuer}` })
      expect(outgoing[0]?.symbol).toBe(symbol)
      const { raw } = yield* account.sign(transaction)
      expect(decode(raw).Amount).toMatchObject({ currency, issuer, value: "1.000000000000001" })
      expect(token).toBe(`${currency}.${issuer}`)
    })
  )

  it("keep their promise: what leaves an account is at most what they said", async () => {
    const payments = fc.record(
      {
        to: fc.constantFrom(to, newcomer, issuer, classicAddressToXAddress(to, 9, false)),
        amount: fc.oneof(
          fc.bigInt({ min: 1n, max: 9_000_000n }),
          fc
            .bigInt({ min: 1n, max: 9_000_000n })
            .map((drops) => `${drops / 1_000_000n}.${drops % 1_000_000n}`)
        ),
        token: fc.constant(token),
        memo: fc.oneof(fc.nat(2 ** 32 - 1).map(String), fc.string({ minLength: 1, maxLength: 20 }))
      },
      { requiredKeys: ["to", "amount"] }
    )
    let paid = 0
    await fc.assert(
      fc.asyncProperty(
        payments,
        fc.integer({ min: 1_000_000_000, max: 2_000_000_000 }),
        async (payment, rate) => {
          const chain = makeLedger({ ...usual, [issuer]: { balance: 1_000_000n, rate } }, usualLines)
          const before = chain.accounts.get(address)?.balance ?? 0n
          const account = await Effect.runPromise(made({ mnemonic: words }, chain.rpc))
          const outcome = await Effect.runPromise(Effect.either(account.prepare(payment)))
          if (outcome._tag === "Left") return
          paid++
          await Effect.runPromise(account.submit(outcome.right))
          const said = new Map(
            outcome.right.outgoing.map(({ amount, asset, symbol }) => [symbol ?? asset, amount])
          )
          const left = before - (chain.accounts.get(address)?.balance ?? 0n)
          expect(left).toBe(BigInt(Math.round(Number(said.get("XRP")) * 1e6)))
          const tokens = 100 - (chain.lines[0]?.balance ?? 0)
          expect(tokens).toBeLessThanOrEqual(Number(said.get("USD") ?? 0) + 1e-9)
          const signed = decode(chain.sent[0] ?? "") as unknown as Payment
          expect(signed.Destination).toBe(outcome.right.to)
          expect(signed.DestinationTag).toBe(outcome.right.transaction.tag)
          expect(signed.Fee).toBe(String(outcome.right.fee))
        }
      ),
      { numRuns: runs(100) }
    )
    expect(paid).toBeGreaterThan(0)
  })
})

describe("signers of the XRP Ledger", () => {
  it("pay over the wire, by the names of the servers", async () => {
    const chain = makeLedger(usual, usualLines)
    const server = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk) => {
        body += chunk
      })
      request.on("end", () => {
        const { method, params } = JSON.parse(body)
        const isProbe = method === "ledger"
        const result = isProbe ? { ledger_current_index: 1_001 } : chain.answer(method, params[0] ?? {})
        response.end(JSON.stringify({ result: { status: "success", ...result } }))
      })
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const { port } = server.address() as AddressInfo
    const sdk = await init({
      network: "ripple-mainnet",
      rpc: { nodes: [{ url: `http://127.0.0.1:${port}` }] }
    })
    try {
      const account = await signer(sdk, { mnemonic: words })
      if (account.status === "ERROR") throw account.error.cause
      expect(await account.data.send({ to, amount: "1", memo: "3" })).toMatchObject({ status: "SUCCESS" })
      expect(await account.data.sendToken({ to, token, amount: "2" })).toMatchObject({ status: "SUCCESS" })
      expect(chain.lines.map(({ balance }) => balance)).toEqual([98, 102])
      expect(await account.data.sendToken({ to: newcomer, token, amount: "2" })).toMatchObject({
        status: "ERROR",
        error: { cause: { _tag: "InvalidArgument" } }
      })
      chain.at.seq++
      const last = await account.data.send({ to: newcomer, amount: "2" })
      expect(last.status).toBe("SUCCESS")
    } finally {
      await sdk.destroy()
      await new Promise((done) => server.close(done))
    }
  })

  it.effect("tell nothing of the key", () =>
    Effect.gen(function* () {
      const seed = "snoPBrXtMeMyMHUVTgbuqAfg1SUTb"
      const secret = "snoPBrXtMeMyMHUVTgbuqAfg1SUTc"
      const account = yield* made({ privateKey })
      const told: Array<unknown> = [
        account,
        yield* Effect.exit(
          account.sign({ from: address, to: "r", amount: -1n, fee: 1n, sequence: 1, lastLedger: 1 })
        ),
        yield* Effect.exit(account.signMessage("STX\0"))
      ]
      for (const given of [
        { privateKey },
        { privateKey: `${privateKey}9f` },
        { privateKey: secret },
        { privateKey: seed }
      ]) {
        told.push(yield* Effect.exit(made(given)))
        told.push(yield* Effect.promise(() => signer({ network: "ripple-mainnet", rpc: {} } as never, given)))
      }
      const [first, second] = Buffer.from(privateKey, "hex")
      for (const each of told) {
        const text = inspect(each, { depth: 12, showHidden: true, getters: true })
        expect(text.toLowerCase()).not.toContain(privateKey)
        expect(text).not.toContain(secret.slice(0, -1))
        expect(text).not.toContain(`${first}, ${second},`)
      }
    })
  )
})

describe("payments on a defined network of the ledger's kind", () => {
  it.effect("name its id where that is above 1024, and none otherwise", () =>
    Effect.gen(function* () {
      for (const networkId of [1_024, 1_025, 21_337]) {
        const network = defineNetwork({
          id: `signers-xrp-${networkId}`,
          family: "xrp",
          currency: { symbol: "OWN", decimals: 6 },
          xrp: { networkId },
          nodes: [{ url: "http://127.0.0.1:1" }]
        })
        // a client makes the definition known to signers
        yield* Effect.promise(async () => (await init({ network, quiet: true })).destroy())
        const chain = makeLedger(usual, usualLines)
        const account = yield* make({ network: network.id, rpc: chain.rpc }, { mnemonic: words })
        const { raw } = yield* account.sign(yield* account.prepare({ to, amount: 1n }))
        expect(decode(raw).NetworkID).toBe(networkId > 1_024 ? networkId : undefined)
      }
    })
  )
})

describe("sweeps of the XRP Ledger", () => {
  it.effect("leave the reserve, and say so", () =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words })
      const all = yield* account.prepare({ to, amount: "all" })
      expect(all).toMatchObject({
        amount: 10_000_000n - 1_400_000n - 12n,
        outgoing: [{ asset: "XRP", amount: "8.6" }],
        warnings: ["1.4 XRP stay in the account: its reserve, which a payment cannot use."]
      })
      expect((yield* account.prepare({ to, amount: all.amount })).transaction).toEqual(all.transaction)
      expect(yield* Effect.flip(account.prepare({ to, amount: all.amount + 1n }))).toMatchObject({
        _tag: "InsufficientFunds"
      })
      const poor = makeLedger({ ...usual, [address]: { balance: 1_400_012n, owned: 2 } }, usualLines)
      expect(
        yield* Effect.flip((yield* made({ mnemonic: words }, poor.rpc)).prepare({ to, amount: "all" }))
      ).toMatchObject({ _tag: "InsufficientFunds", needed: "1.400013", available: "1.400012" })
    })
  )

  it("of tokens pay as much as arrives with the issuer's share on top", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constant(1_000_000_000), fc.integer({ min: 1_000_000_001, max: 2_000_000_000 })),
        fc.double({ min: 1e-6, max: 999, noNaN: true }),
        async (rate, value) => {
          const balance = Number(value.toPrecision(12))
          const ledger = makeLedger({ ...usual, [issuer]: { balance: 1n, rate } }, [
            line(address, { balance }),
            line(to, { isLow: false, limit: 1_000_000 })
          ])
          const account = await Effect.runPromise(made({ mnemonic: words }, ledger.rpc))
          const { amount, transaction } = await Effect.runPromise(
            account.prepare({ token, to, amount: "all" })
          )
          const held = parseUnits(String(balance).includes("e") ? balance.toFixed(20) : String(balance))
          expect(isExact(amount)).toBe(true)
          expect(transaction.most ?? amount).toBeLessThanOrEqual(held)
          // one more in the last of its digits is too much
          const next = amount + lastDigitOf(amount)
          expect(
            rate === 1_000_000_000 ? next : addTransferFee(next + lastDigitOf(amount), rate)
          ).toBeGreaterThan(held)
        }
      ),
      { numRuns: runs(200) }
    )
  })
})
