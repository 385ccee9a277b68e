// @covers payments on libraries: tron
// @covers tokens on libraries: tron
// @covers messages on libraries: tron
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { utils } from "tronweb"
import { NodeError, PolicyDenied, RequestRejected } from "../../src/data/SdkError.js"
import { signer } from "../../src/entries/signers/Tron.js"
import { encodeBase58Check } from "../../src/signers/base58Check.js"
import type { Policy } from "../../src/signers/Signer.js"
import {
  addressProblem,
  make,
  type TronCalls,
  type TronFrom,
  type TronTransaction
} from "../../src/signers/Tron.js"
import { encodeRawData } from "../../src/signers/tron/protobuf.js"
import { CallOptions } from "../../src/wire/Transport.js"
import { runs } from "../properties.js"
import { tronParameters } from "./parameters.js"
import { runWithTime } from "./runWithTime.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/tron/curve.js"

const words = `${"abandon ".repeat(11)}about`
const address = "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH"
const to = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
const token = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
const tokenId = `tron:728126428/trc20:${token}`

/** Some key, whose address tronweb tells. */
const key = "9f".repeat(32)
const hexOf = (base58: string): string => utils.address.toHex(base58)

const blockID = `0000000003a1b2c3${"d4e5f60718293a4b".repeat(3)}`
const word = (value: bigint): string => value.toString(16).padStart(64, "0")

/** A chain on which the account has so many sun, and 250 tokens. */
const chain = (balance: bigint, given: Partial<TronCalls> = {}): TronCalls => ({
  broadcastHex: () => Effect.succeed({ result: true }),
  getAccount: (of) =>
    Effect.succeed(of === address ? { address, balance } : of === to ? { address: to } : {}),
  getAccountResources: () => Effect.succeed({ freeNetLimit: 600n, freeNetUsed: 500n }),
  getChainParameters: () => Effect.succeed(tronParameters),
  getNowBlock: () =>
    Effect.succeed({
      blockID,
      block_header: { raw_data: { number: 60_928_707n, timestamp: 1_700_000_000_000n } }
    }),
  getTransactionById: () => Effect.succeed({}),
  getTransactionFromPending: () => Effect.succeed({}),
  getTransactionInfoById: () => Effect.succeed({}),
  triggerConstantContract: (_, __, selector) =>
    Effect.succeed({
      result: { result: true },
      energy_used: 30_000n,
      constant_result: [
        selector === "decimals()"
          ? word(6n)
          : selector === "symbol()"
            ? `${word(32n)}${word(4n)}${Buffer.from("USDT").toString("hex").padEnd(64, "0")}`
            : selector.startsWith("balanceOf")
              ? word(250_000_000n)
              : word(1n)
      ]
    }),
  ...given
})

/** The account has staked nothing, and nobody has delegated to it. */
const noStake = { staked: 0n, delegated: 0n }

const made = (from: TronFrom, rpc: TronCalls = chain(10_000_000n)) =>
  make({ network: "tron-mainnet", rpc }, from)

/** What tronweb makes of a transaction as JSON. */
const byTronweb = (
  { amount, data, feeLimit, from, memo, to, token }: TronTransaction,
  expiration: number
) => {
  const isCall = token !== undefined || data !== undefined
  const value = isCall
    ? {
        owner_address: hexOf(from),
        contract_address: hexOf(token ?? to),
        ...(token === undefined ? { call_value: Number(amount) } : {}),
        ...(data === undefined ? {} : { data })
      }
    : { owner_address: hexOf(from), to_address: hexOf(to), amount: Number(amount) }
  const type = isCall ? "TriggerSmartContract" : "TransferContract"
  const json = {
    visible: false,
    raw_data: {
      contract: [{ type, parameter: { type_url: `type.googleapis.com/protocol.${type}`, value } }],
      ref_block_bytes: blockID.slice(12, 16),
      ref_block_hash: blockID.slice(16, 32),
      expiration,
      timestamp: expiration - 60_000,
      ...(memo === undefined ? {} : { data: Buffer.from(memo).toString("hex") }),
      ...(feeLimit === undefined ? {} : { fee_limit: Number(feeLimit) })
    }
  }
  const pb = utils.transaction.txJsonToPb(json as never)
  return {
    raw: utils.transaction.txPbToRawDataHex(pb).toLowerCase(),
    id: utils.transaction.txPbToTxID(pb).replace("0x", "")
  }
}

describe("accounts of Tron", () => {
  it.effect("are those of the standard path, and of private keys", () =>
    Effect.gen(function* () {
      expect((yield* made({ mnemonic: words })).address).toBe(address)
      for (const privateKey of [key, `0x${key}`, key.toUpperCase()])
        expect((yield* made({ privateKey })).address).toBe(utils.address.fromPrivateKey(key))
      const { address: third } = utils.accounts.generateAccountWithMnemonic(words, "m/44'/195'/0'/0/3")
      for (const from of [
        { index: 3 },
        { index: 3, derivation: "tatum" as const },
        { path: "m/44'/195'/0'/0/3" }
      ])
        expect((yield* made({ mnemonic: words, ...from })).address).toBe(third)
    })
  )

  const refusals: ReadonlyArray<readonly [string, unknown, object]> = [
    [
      "a wrong word",
      { mnemonic: words.replace("about", "abuot") },
      { _tag: "InvalidMnemonic", position: 12 }
    ],
    ...["12", `${key}9`, `x${key}`, `${key.slice(0, 32)}0x${key.slice(32)}`, 7].map(
      (privateKey) =>
        [
          `the key ${privateKey}`,
          { privateKey },
          { _tag: "InvalidKey", reason: "a private key of Tron is 32 bytes: 64 hexadecimal digits" }
        ] as const
    ),
    [
      "a key of zeros",
      { privateKey: "0".repeat(64) },
      { _tag: "InvalidKey", reason: "it is none of the curve's keys" }
    ],
    [
      "an address of another chain",
      { address: `0x${"1".repeat(40)}`, sign: () => "" },
      { _tag: "InvalidKey", reason: "its address must be an address of Tron, and is one of an EVM chain" }
    ],
    [
      "a function without its address",
      { sign: () => "" },
      { _tag: "InvalidKey", reason: "its address must be text" }
    ],
    ["nothing", undefined, { _tag: "InvalidKey", reason: expect.stringMatching(/^say what the signer/) }],
    ...[{}, { address }, { address, sign: 7 }].map(
      (from) =>
        [
          `${JSON.stringify(from)}`,
          from,
          { _tag: "InvalidKey", reason: "must have mnemonic, privateKey, account, or sign with address" }
        ] as const
    )
  ]
  it.effect.each(refusals)("refuse %s", ([, from, error]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(made(from as TronFrom))).toMatchObject(error)
    })
  )

  it("know their addresses from all others", () => {
    expect(addressProblem(address)).toBeUndefined()
    expect(addressProblem(utils.address.toHex(address))).toBeUndefined()
    for (const [given, problem] of [
      [7, "must be text"],
      [`0x${"1".repeat(40)}`, "must be an address of Tron, and is one of an EVM chain"],
      [`0x${"aF".repeat(20)}`, "must be an address of Tron, and is one of an EVM chain"],
      ["", "must be T and 33 digits of base58"],
      [` ${address}`, "must be T and 33 digits of base58"],
      [`${address}0`, "must be T and 33 digits of base58"],
      [`0x${"1".repeat(41)}`, "must be T and 33 digits of base58"],
      [`10x${"1".repeat(40)}`, "must be T and 33 digits of base58"],
      ["1".repeat(24), "must be T and 33 digits of base58"],
      ["1".repeat(36), "must be T and 33 digits of base58"],
      ["1".repeat(25), "has a wrong digit: its checksum fails"],
      ["1".repeat(35), "has a wrong digit: its checksum fails"],
      [address.replace("d", "e"), "has a wrong digit: its checksum fails"],
      ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "must begin with T, and is one of another chain"],
      // its checksum is right, and it has a byte less
      [
        encodeBase58Check(Uint8Array.of(0x41, ...new Uint8Array(19))),
        "must begin with T, and is one of another chain"
      ]
    ] as const)
      expect(addressProblem(given as string), String(given)).toBe(problem)
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.nat(33), (bytes, at) => {
        const given = utils.address.fromHex(`41${Buffer.from(bytes).toString("hex")}`)
        expect(addressProblem(given)).toBeUndefined()
        const digit = given[at] === "z" ? "y" : "z"
        expect(addressProblem(`${given.slice(0, at)}${digit}${given.slice(at + 1)}`)).toBeDefined()
      })
    )
  })
})

describe("transactions of Tron", () => {
  it("are the bytes that tronweb makes of them, whatever they are", () => {
    const amount = fc.oneof(
      fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
      // where numbers get another byte
      fc.constantFrom(127n, 128n, 16_383n, 16_384n)
    )
    const memo = fc.option(fc.string({ maxLength: 200, unit: "grapheme" }), { nil: undefined })
    const feeLimit = fc.option(fc.bigInt({ min: 1n, max: 10n ** 10n }), { nil: undefined })
    const kinds = fc.constantFrom("coins", "tokens", "call", "token without a call")
    fc.assert(
      fc.property(amount, memo, feeLimit, kinds, (amount, memo, feeLimit, kind) => {
        const transaction: TronTransaction = {
          from: address,
          to,
          amount,
          ...(memo === undefined ? {} : { memo }),
          ...(feeLimit === undefined ? {} : { feeLimit }),
          ...(kind.startsWith("token") ? { token } : {}),
          ...(kind === "tokens" || kind === "call" ? { data: `a9059cbb${word(7n)}${word(amount)}` } : {})
        }
        const expiration = 1_700_000_060_000
        const raw = encodeRawData(transaction, {
          blockId: blockID,
          expiration: BigInt(expiration),
          timestamp: BigInt(expiration - 60_000)
        })
        expect(Buffer.from(raw).toString("hex")).toBe(byTronweb(transaction, expiration).raw)
      }),
      {
        numRuns: runs(300),
        // an empty memo is none, and one of 128 bytes has a length of two
        examples: ["", "m".repeat(127), "m".repeat(128)].map((memo) => [128n, memo, undefined, "coins"])
      }
    )
  })

  it.effect("take an address in hexadecimal digits, as nodes write it, and name it in Base58", () =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words }, chain(10_000_000n))
      const hex = utils.address.toHex(to)
      expect(hex).toMatch(/^41/)
      const inHex = yield* account.prepare({ to: hex.toUpperCase(), amount: 5n })
      expect(inHex).toEqual(yield* account.prepare({ to, amount: 5n }))
      expect(inHex.to).toBe(to)
      const own = yield* made({ address: utils.address.toHex(address), sign: () => new Uint8Array(65) })
      expect(own.address).toBe(address)
    })
  )

  it.effect("are signed by the account, and handed over as a whole", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      const rpc = chain(10_000_000n, {
        broadcastHex: (raw) => Effect.sync(() => ({ result: sent.push(raw) > 0 }))
      })
      const account = yield* made({ mnemonic: words }, rpc)
      const parities = new Set<string>()
      for (let sun = 1n; sun <= 12n; sun++) {
        const prepared = yield* account.prepare({ to, amount: sun, memo: "invoice 7" })
        const out = yield* account.submit(prepared)
        const { id, raw } = byTronweb(prepared.transaction, 1_700_000_060_000)
        const transaction = { ...prepared.transaction, expiration: 1_700_000_060_000n }
        expect(out).toEqual({ hash: id, prepared: { ...prepared, transaction } })
        const [whole = ""] = sent.splice(0)
        expect(whole).toContain(raw)
        expect(yield* account.sign(prepared.transaction)).toEqual({ raw: whole, hash: id })
        const signature = whole.slice(-130)
        parities.add(signature.slice(-2))
        expect(utils.address.fromHex(utils.crypto.ecRecover(id, signature))).toBe(address)
      }
      expect([...parities].sort()).toEqual(["1b", "1c"])
    })
  )

  it.effect("take messages that tronweb verifies", () =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words })
      const messages = ["", "hello", "ünï", ...Array.from({ length: 8 }, (_, i) => `message ${i}`)]
      const parities = new Set<string>()
      for (const message of messages) {
        const signature = yield* account.signMessage(message)
        expect(utils.message.verifyMessage(message, signature)).toBe(address)
        expect(yield* account.signMessage(new TextEncoder().encode(message))).toBe(signature)
        parities.add(signature.slice(-2))
      }
      expect([...parities].sort()).toEqual(["1b", "1c"])
    })
  )

  it.effect("are signed by functions whose signature is checked", () =>
    Effect.gen(function* () {
      const own = yield* made({
        address: utils.address.fromPrivateKey(key) || "",
        // without the parity, as a KMS signs
        sign: (hash) =>
          Uint8Array.from(
            Buffer.from(utils.crypto.ECKeySign(hash, Buffer.from(key, "hex") as never).slice(0, 128), "hex")
          )
      })
      expect(yield* own.signMessage("x")).toMatch(/^0x[0-9a-f]{130}$/)
      // with it, and by this library
      for (const account of [
        yield* made({
          address: own.address,
          sign: async (hash) =>
            Uint8Array.from(
              Buffer.from(utils.crypto.ECKeySign(hash, Buffer.from(key, "hex") as never), "hex")
            )
        }),
        yield* made({ privateKey: key })
      ])
        expect(yield* account.signMessage("x")).toBe(yield* own.signMessage("x"))
      // the higher s, which nodes refuse
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
      const high = yield* made({
        address: own.address,
        sign: (hash) => {
          const signature = utils.crypto.ECKeySign(hash, Buffer.from(key, "hex") as never)
          const s = order - BigInt(`0x${signature.slice(64, 128)}`)
          return Uint8Array.from(
            Buffer.from(`${signature.slice(0, 64)}${s.toString(16).padStart(64, "0")}`, "hex")
          )
        }
      })
      expect(yield* high.signMessage("x")).toBe(yield* own.signMessage("x"))
      const foreign = { from: address, to, amount: 1n }
      expect(yield* Effect.flip(own.sign(foreign))).toMatchObject({ _tag: "InvalidArgument" })
      const other = yield* made({ address, sign: () => new Uint8Array(65).fill(1) })
      expect(yield* Effect.flip(other.signMessage("x"))).toMatchObject({
        _tag: "SigningFailed",
        reason: `the signature is not that of ${address}`
      })
    })
  )

  const lost = new NodeError({ kind: "network", call: "send", url: "http://node.example", reason: "hang up" })

  it.effect("are sent again as the same bytes, and there only where a node shows them", () =>
    Effect.gen(function* () {
      const rejected = (message: string) =>
        new RequestRejected({
          call: "send",
          status: 200,
          messages: [message],
          body: "",
          url: "http://node.example"
        })
      /** What comes of a payment at a node that says this of it, and shows it or not. */
      const sent = (said: NodeError | RequestRejected, shown: Partial<TronCalls> = {}) =>
        Effect.gen(function* () {
          const raws: Array<string> = []
          const broadcastHex = (raw: string) =>
            Effect.suspend(() => {
              raws.push(raw)
              return Effect.fail(said)
            })
          const account = yield* made({ mnemonic: words }, chain(10_000_000n, { broadcastHex, ...shown }))
          const outcome = yield* runWithTime(account.send({ to, amount: 1n }), 500)
          expect(new Set(raws).size).toBe(1)
          return { outcome, count: raws.length }
        })
      const there = (txID: string) => Effect.succeed({ txID })
      const dup = rejected("DUP_TRANSACTION_ERROR: Dup transaction.")
      const refusal = rejected("SIGERROR: validate signature error")
      for (const said of [lost, dup, refusal])
        for (const shown of [{ getTransactionById: there }, { getTransactionFromPending: there }])
          expect(yield* sent(said, shown)).toMatchObject({ outcome: { _tag: "Right" }, count: 1 })
      expect(yield* sent(lost)).toMatchObject({ outcome: { left: { _tag: "BroadcastUnclear" } } })
      for (const said of [dup, refusal]) {
        const { count, outcome } = yield* sent(said)
        expect(outcome).toEqual(Either.left(said))
        expect(count).toBeGreaterThan(4)
      }
      // not every node tells what waits for a block
      const failing = () => Effect.fail(refusal)
      expect(yield* sent(refusal, { getTransactionFromPending: failing })).toMatchObject({
        outcome: { left: refusal }
      })
    })
  )

  it.effect("are over once no block can have them, and not before", () =>
    Effect.gen(function* () {
      let timestamp = 1_700_000_000_000n
      const account = yield* made(
        { mnemonic: words },
        chain(10_000_000n, {
          broadcastHex: () => Effect.fail(lost),
          getNowBlock: () =>
            Effect.sync(() => ({ blockID, block_header: { raw_data: { number: 60_928_707n, timestamp } } }))
        })
      )
      const prepared = yield* account.prepare({ to, amount: 1n })
      const unclear = yield* runWithTime(account.submit(prepared), 500)
      expect(unclear).toMatchObject({ left: { _tag: "BroadcastUnclear" } })
      timestamp += 90_000n
      expect(yield* runWithTime(account.submit(prepared), 500)).toEqual(unclear)
      timestamp += 1n
      expect(yield* runWithTime(account.submit(prepared), 500)).toMatchObject({
        left: {
          _tag: "TransactionDropped",
          hash: Object(unclear).left.hash,
          reason: "blocks could have it until 2023-11-14T22:14:20.000Z, and none has"
        }
      })
    })
  )

  it.effect("are two where they are equal, within a block too", () =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words })
      const prepared = yield* account.prepare({ to, amount: 1n })
      const hashes = [
        (yield* account.submit(prepared)).hash,
        (yield* account.submit(prepared)).hash,
        (yield* account.send({ to, amount: 1n })).hash
      ]
      expect(new Set(hashes).size).toBe(3)
    })
  )
})

describe("previews of Tron that are submitted", () => {
  it.effect("may burn all of their fee, where bytes cost nothing", () =>
    Effect.gen(function* () {
      const rpc = chain(100_000_000n, { getAccountResources: () => Effect.succeed({ freeNetLimit: 5_000n }) })
      const account = yield* made({ mnemonic: words }, rpc)
      const prepared = yield* account.prepare({ token, to, amount: "25" })
      expect(prepared.transaction.feeLimit).toBe(prepared.fee)
      expect((yield* account.submit(prepared)).hash).toMatch(/^[0-9a-f]{64}$/)
    })
  )

  it.effect("are what is signed, and nothing else", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      const account = yield* made(
        { mnemonic: words },
        chain(100_000_000n, {
          broadcastHex: (raw) => Effect.sync(() => ({ result: sent.push(raw) > 0 }))
        })
      )
      const coins = yield* account.prepare({ to, amount: "1.5" })
      const tokens = yield* account.prepare({ token, to, amount: "25" })
      const call = yield* account.prepareTransaction({ to: token, functionSelector: "stop()" })
      const transfer = (receiver: string, amount: bigint) =>
        `a9059cbb${hexOf(receiver).slice(2).padStart(64, "0")}${word(amount)}`
      expect(tokens.transaction.data).toBe(transfer(to, 25_000_000n))
      const other = "TVj7RNVHy6thbM7BWdSe9G6gXwKhjhdNZS"
      for (const [prepared, change] of [
        [coins, { to: other }],
        [coins, { amount: 1_500_001n }],
        [coins, { token }],
        [coins, { feeLimit: coins.fee + 1n }],
        [tokens, { to: other }],
        [tokens, { amount: 24_000_000n }],
        [tokens, { token: other }],
        [tokens, { data: transfer(other, 25_000_000n) }],
        [tokens, { data: transfer(to, 26_000_000n) }],
        [tokens, { data: `${transfer(to, 25_000_000n)}00` }],
        [tokens, { data: undefined }],
        [tokens, { feeLimit: tokens.fee + 1n }],
        [call, { to: other }],
        [call, { amount: 1n }],
        [call, { feeLimit: call.fee + 1n }]
      ] as const) {
        const changed = { ...prepared, transaction: { ...prepared.transaction, ...change } }
        expect(yield* Effect.flip(account.submit(changed as never)), inspect(change)).toMatchObject({
          _tag: "InvalidArgument",
          message: "submit: its transaction is another one than that of its preview"
        })
      }
      // what nobody could have prepared
      for (const change of [
        { to: "nobody" },
        // its bytes are those of the receiver, but for the checksum
        { to: to.replace(/.$/, "u") },
        { amount: "25000000" },
        { amount: undefined }
      ])
        expect(
          yield* Effect.flip(
            account.submit({
              ...tokens,
              ...change,
              transaction: { ...tokens.transaction, ...change }
            } as never)
          ),
          inspect(change)
        ).toMatchObject({ _tag: "InvalidArgument" })
      expect(sent).toEqual([])
      for (const prepared of [coins, tokens, call]) yield* account.submit(prepared)
      expect(sent).toHaveLength(3)
    })
  )
})

/** `Error("too late")`, as Solidity encodes it. */
const tooLate = `08c379a0${"20".padStart(64, "0")}${"8".padStart(64, "0")}${"746f6f206c617465".padEnd(64, "0")}`

describe("payments of Tron that are waited for", () => {
  const waited = (result: object, height: bigint) =>
    Effect.gen(function* () {
      let looks = 0
      const account = yield* made(
        { mnemonic: words },
        chain(10_000_000n, {
          // in a block from the second look on, which is as old as the height says
          getTransactionInfoById: () =>
            Effect.sync(() => (++looks < 2 ? {} : { id: "x", blockNumber: 60_928_700n, ...result })),
          getNowBlock: () =>
            Effect.succeed({
              blockID,
              block_header: { raw_data: { number: height, timestamp: 1_700_000_000_000n } }
            })
        })
      )
      const fiber = yield* Effect.fork(Effect.either(account.send({ to, amount: 1n, confirmations: 3 })))
      // once for each block
      yield* TestClock.adjust(2_999)
      expect(looks).toBe(1)
      yield* TestClock.adjust(1)
      expect(looks).toBe(2)
      yield* TestClock.adjust("10 minutes")
      return { looks, outcome: yield* Fiber.join(fiber) }
    })

  it.effect("are so deep in the chain then", () =>
    Effect.gen(function* () {
      const { looks, outcome } = yield* waited({}, 60_928_702n)
      expect(outcome).toMatchObject({
        _tag: "Right",
        right: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) }
      })
      expect(looks).toBe(2)
    })
  )

  it.effect("are calls for a policy, and payments in tokens are none", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const policy: Policy = {
        authorize: (request) => {
          seen.push(request.kind === "payment" ? request.call : request.kind)
          return Effect.fail(
            new PolicyDenied({ network: request.network, address: request.address, rule: "own", reason: "" })
          )
        }
      }
      const account = yield* made({ mnemonic: words, policy })
      for (const paid of [
        account.sendTransaction({ to: token, functionSelector: "stop()" }),
        account.sendToken({ to: "TVj7RNVHy6thbM7BWdSe9G6gXwKhjhdNZS", token, amount: "1" }),
        account.send({ to: "TVj7RNVHy6thbM7BWdSe9G6gXwKhjhdNZS", amount: "1" })
      ])
        expect(yield* Effect.flip(paid)).toMatchObject({ _tag: "PolicyDenied" })
      // what a payment in tokens calls was compared with its preview
      expect(seen).toEqual([{ contract: token, method: "0x07da68f5" }, undefined, undefined])
    })
  )

  it.effect("are calls, too, where those are to be waited for", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const account = yield* made(
        { mnemonic: words },
        chain(10_000_000n, {
          getTransactionInfoById: (id) => {
            asked.push(id)
            return Effect.succeed({ id, blockNumber: 60_928_700n, result: "FAILED", resMessage: "REVERT" })
          }
        })
      )
      const call = { to: token, functionSelector: "stop()" }
      const { hash, prepared } = yield* account.sendTransaction(call)
      const shown = yield* account.prepareTransaction(call)
      const transaction = { ...shown.transaction, expiration: 1_700_000_060_000n }
      expect(prepared).toEqual({ ...shown, transaction })
      expect(asked).toEqual([])
      const failure = yield* Effect.flip(account.sendTransaction({ ...call, confirmations: 2 }))
      // the same call a second time is another transaction
      expect(failure).toMatchObject({
        _tag: "TransactionFailed",
        hash: asked[0],
        reason: "REVERT",
        receipt: { id: asked[0], result: "FAILED", resMessage: "REVERT" }
      })
      expect(asked).toHaveLength(1)
      expect(asked[0]).not.toBe(hash)
    })
  )

  it.effect("say that they are not deep enough, or that they have failed", () =>
    Effect.gen(function* () {
      expect((yield* waited({}, 60_928_701n)).outcome).toMatchObject({
        left: { _tag: "TransactionNotConfirmed", confirmations: 2, wanted: 3 }
      })
      const failed = yield* waited({ result: "FAILED", resMessage: "OUT_OF_ENERGY" }, 60_928_710n)
      expect(failed.outcome).toMatchObject({ left: { _tag: "TransactionFailed", reason: "OUT_OF_ENERGY" } })
      for (const [result, outcome] of [
        [{ result: "FAILED" }, { left: { _tag: "TransactionFailed", reason: "it was refused" } }],
        [{ result: "SUCCESS" }, { _tag: "Right" }],
        [{ receipt: { result: "SUCCESS" } }, { _tag: "Right" }],
        [{ receipt: { result: "DEFAULT" }, contractResult: [""] }, { _tag: "Right" }],
        [
          { receipt: { result: "OUT_OF_TIME" }, contractResult: [""] },
          { left: { _tag: "TransactionFailed", reason: "OUT_OF_TIME" } }
        ],
        // nodes write the bytes of the message
        [
          { result: "FAILED", resMessage: Buffer.from("REVERT opcode executed").toString("hex") },
          { left: { _tag: "TransactionFailed", reason: "REVERT opcode executed" } }
        ],
        [
          { result: "FAILED", receipt: { result: "REVERT" }, contractResult: [tooLate], resMessage: "52" },
          { left: { _tag: "TransactionFailed", reason: "too late", data: `0x${tooLate}` } }
        ]
      ] as const)
        expect((yield* waited(result, 60_928_710n)).outcome).toMatchObject(outcome)
    })
  )
})

describe("previews of Tron", () => {
  it.effect("have what a payment costs at most", () =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words })
      // 267 bytes, of which the free bandwidth does not have all
      expect(yield* account.prepare({ to, amount: "1.5" })).toMatchObject({
        from: address,
        amount: 1_500_000n,
        fee: 267_000n,
        outgoing: [{ asset: "TRX", amount: "1.767" }],
        warnings: []
      })
      // ten bytes more, and what the chain takes for a memo
      expect(yield* account.prepare({ to, amount: "1.5", memo: "12345678" })).toMatchObject({
        fee: 1_277_000n
      })
      const created = yield* account.prepare({ to: token, amount: 1n })
      expect(created).toMatchObject({ fee: 1_365_000n })
      expect(created.warnings[0]).toContain("1.1 TRX")
      expect(yield* account.prepare({ token, to, amount: "25" })).toMatchObject({
        amount: 25_000_000n,
        outgoing: [
          { asset: tokenId, token, symbol: "USDT", amount: "25", units: 25_000_000n, decimals: 6 },
          { asset: "TRX" }
        ],
        transaction: { feeLimit: 3_600_000n, token }
      })
    })
  )

  it.effect("refuse what a token refuses by its answer", () =>
    Effect.gen(function* () {
      const usual = chain(10_000_000n)
      const account = yield* made(
        { mnemonic: words },
        chain(10_000_000n, {
          triggerConstantContract: (owner, contract, selector, parameter) =>
            selector.startsWith("transfer")
              ? Effect.succeed({ result: { result: true }, constant_result: [word(0n)] })
              : usual.triggerConstantContract(owner, contract, selector, parameter)
        })
      )
      expect(yield* Effect.flip(account.prepare({ token, to, amount: "1" }))).toMatchObject({
        _tag: "InvalidArgument",
        message:
          "prepare: the token tron:728126428/trc20:TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf refuses the transfer"
      })
    })
  )

  it.effect("refuse what a token refuses by reverting", () =>
    Effect.gen(function* () {
      const usual = chain(10_000_000n)
      const account = yield* made(
        { mnemonic: words },
        chain(10_000_000n, {
          // its error begins like any other answer
          triggerConstantContract: (owner, contract, selector, parameter) =>
            selector.startsWith("transfer")
              ? Effect.succeed({
                  result: { result: true, message: Buffer.from("REVERT opcode executed").toString("hex") },
                  energy_used: 700n,
                  constant_result: [`08c379a0${word(32n)}`],
                  transaction: { ret: [{ ret: "FAILED" }] }
                })
              : usual.triggerConstantContract(owner, contract, selector, parameter)
        })
      )
      expect(yield* Effect.flip(account.prepare({ token, to, amount: "1" }))).toMatchObject({
        _tag: "InvalidArgument",
        message:
          "prepare: the token tron:728126428/trc20:TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf refuses the transfer: REVERT opcode executed"
      })
    })
  )

  it.effect("name a token by its address where its symbol is none to print", () =>
    Effect.gen(function* () {
      for (const symbol of ["", "A\u202eB", "x".repeat(33), "a\nb"]) {
        const bytes = Buffer.from(symbol).toString("hex")
        const hex = `${word(32n)}${word(BigInt(bytes.length / 2))}${bytes.padEnd(128, "0")}`
        const usual = chain(10_000_000n)
        const rpc = chain(10_000_000n, {
          triggerConstantContract: (owner, contract, selector, parameter) =>
            selector === "symbol()"
              ? Effect.succeed({ result: { result: true }, constant_result: [hex] })
              : usual.triggerConstantContract(owner, contract, selector, parameter)
        })
        const account = yield* made({ mnemonic: words }, rpc)
        const [line] = (yield* account.prepare({ token, to, amount: "1" })).outgoing
        expect(line).toMatchObject({ asset: tokenId })
        expect(line).not.toHaveProperty("symbol")
      }
    })
  )

  const refusals: ReadonlyArray<readonly [string, object, object]> = [
    ["zero", { amount: 0n }, { _tag: "InvalidAmount" }],
    ["too many digits", { amount: "0.1234567" }, { _tag: "InvalidAmount" }],
    ["more than there is", { amount: "10" }, { _tag: "InsufficientFunds", asset: "TRX", needed: "10.268" }],
    ["more tokens than there are", { token, amount: "251" }, { _tag: "InsufficientFunds", asset: tokenId }],
    ["a fee above the cap", { amount: "1", maxFee: "0.1" }, { _tag: "FeeOverCap", asset: "TRX" }],
    ["an address of an EVM chain", { to: `0x${"1".repeat(40)}` }, { _tag: "InvalidAddress" }],
    ["the account itself", { to: address }, { _tag: "InvalidAddress" }],
    ["a token that is no address", { token: "USDT" }, { _tag: "InvalidAddress" }]
  ]
  it.effect.each(refusals)("refuse %s", ([, payment, error]) =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words })
      expect(yield* Effect.flip(account.prepare({ to, amount: "1", ...payment }))).toMatchObject(error)
    })
  )

  /** The account on the usual chain, but for these calls. */
  const on = (given: Partial<TronCalls>, balance = 10_000_000n) =>
    made({ mnemonic: words }, chain(balance, given))
  const addressWord = (base58: string): string => hexOf(base58).slice(2).padStart(64, "0")
  /** Contracts that answer like this instead, by the beginning of the function. */
  const answering = (
    function_: string,
    answer: Effect.Effect.Success<ReturnType<TronCalls["triggerConstantContract"]>>
  ): Partial<TronCalls> => ({
    triggerConstantContract: (...asked) =>
      asked[2].startsWith(function_) ? Effect.succeed(answer) : chain(0n).triggerConstantContract(...asked)
  })
  const answered = (...hex: ReadonlyArray<string>) => ({ result: { result: true }, constant_result: hex })

  it.effect(
    "cost nothing for bytes that the account has bandwidth for, all of them, and always for a memo",
    () =>
      Effect.gen(function* () {
        const fee = (has: object, payment: object = {}) =>
          Effect.gen(function* () {
            const account = yield* on({ getAccountResources: () => Effect.succeed(has) })
            return (yield* account.prepare({ to, amount: "1.5", ...payment })).fee
          })
        expect(yield* fee({})).toBe(267_000n)
        expect(yield* fee({ freeNetLimit: 267n })).toBe(0n)
        expect(yield* fee({ freeNetLimit: 266n })).toBe(267_000n)
        expect(yield* fee({ freeNetLimit: 600n, freeNetUsed: 333n })).toBe(0n)
        expect(yield* fee({ freeNetLimit: 600n, freeNetUsed: 334n })).toBe(267_000n)
        // that of staked coins is another: they do not add up
        expect(yield* fee({ NetLimit: 267n })).toBe(0n)
        expect(yield* fee({ NetLimit: 300n, NetUsed: 33n })).toBe(0n)
        expect(yield* fee({ NetLimit: 300n, NetUsed: 34n, freeNetLimit: 200n })).toBe(267_000n)
        expect(yield* fee({ freeNetLimit: 5_000n }, { memo: "12345678" })).toBe(1_000_000n)
      })
  )

  it.effect("ask a token what they need to know, and try just what is sent", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const usual = chain(10_000_000n)
      const account = yield* on({
        triggerConstantContract: (...given) => {
          asked.push(given)
          return usual.triggerConstantContract(...given)
        }
      })
      const data = `${addressWord(to)}${word(25_000_000n)}`
      expect(yield* account.prepare({ token, to, amount: "25", memo: "7" })).toStrictEqual({
        network: "tron-mainnet",
        from: address,
        to,
        token,
        amount: 25_000_000n,
        // the limit, the bytes and the memo
        fee: 3_600_000n + 348_000n + 1_000_000n,
        outgoing: [
          { asset: tokenId, token, symbol: "USDT", amount: "25", units: 25_000_000n, decimals: 6 },
          { asset: "TRX", amount: "4.948" }
        ],
        warnings: [expect.stringContaining("The token calls itself USDT")],
        resources: {
          bandwidth: { ...noStake, needed: 348n, free: 100n, burnt: 348n, cost: 348_000n },
          energy: { ...noStake, needed: 30_000n, burnt: 30_000n, cost: 3_000_000n }
        },
        transaction: {
          from: address,
          to,
          amount: 25_000_000n,
          token,
          data: `a9059cbb${data}`,
          feeLimit: 3_600_000n,
          memo: "7"
        }
      })
      const visible = { visible: true }
      // the table of known tokens comes before what nodes say
      const [transfer] = asked.splice(3)
      expect(asked).toHaveLength(3)
      expect(asked).toEqual(
        expect.arrayContaining([
          [address, token, "balanceOf(address)", addressWord(address), visible],
          [address, token, "decimals()", "", visible],
          [address, token, "symbol()", "", visible]
        ])
      )
      expect(transfer).toEqual([address, token, "transfer(address,uint256)", data, visible])
    })
  )

  it.effect("take what a token says in its own way", () =>
    Effect.gen(function* () {
      const pay = { token, to, amount: "1" }
      const prepared = (given: Partial<TronCalls>) => Effect.flatMap(on(given), (a) => a.prepare(pay))
      // no answer of a transfer is none that refuses
      for (const none of [answered(), { result: { result: true } }]) {
        const { amount, transaction } = yield* prepared(answering("transfer", none))
        expect(amount).toBe(1_000_000n)
        expect(transaction).not.toHaveProperty("memo")
      }
      expect((yield* prepared(answering("transfer", answered("")))).amount).toBe(1_000_000n)
      const large = answering("decimals", answered(`${"0".repeat(62)}0C`))
      expect(yield* Effect.flip(prepared(large))).toMatchObject({
        _tag: "InsufficientFunds",
        address,
        asset: tokenId,
        needed: "1",
        available: "0.00025"
      })
      // what a contract gives as its error is no balance
      for (const balance of [answered(), { result: { result: false }, constant_result: [word(9n)] }])
        expect(yield* Effect.flip(prepared(answering("balanceOf", balance)))).toMatchObject({
          _tag: "InsufficientFunds",
          available: "0"
        })
      for (const decimals of [
        answered(),
        answered(word(256n)),
        answered(`${word(6n)}00`),
        answered(`00${word(6n)}`),
        { result: { result: false }, constant_result: [word(6n)] }
      ])
        expect(yield* Effect.flip(prepared(answering("decimals", decimals)))).toMatchObject({
          _tag: "InvalidArgument",
          message: expect.stringContaining(`prepare: ${token} tells no decimals`)
        })
    })
  )

  it.effect("say why a contract refuses, as far as it tells", () =>
    Effect.gen(function* () {
      for (const [answer, reason] of [
        [{ result: { result: false } }, "it gave no reason"],
        [{ result: { result: true }, transaction: { ret: [{ ret: "FAILED" }] } }, "it gave no reason"],
        [{ result: { message: "no energy" } }, "no energy"],
        [{ result: { message: "6e6f20656e65726779" } }, "no energy"],
        [{ result: { message: "6E6F" } }, "no"],
        // digits, but no bytes of text
        [{ result: { message: "6e6f2" } }, "6e6f2"]
      ] as const) {
        const account = yield* on(answering("transfer", answer))
        expect((yield* Effect.flip(account.prepare({ token, to, amount: "1" }))).message).toBe(
          `prepare: the token ${tokenId} refuses the transfer: ${reason}`
        )
      }
      for (const transaction of [{ ret: [{ ret: "SUCCESS" }, {}] }, { ret: [] }, {}]) {
        const fine = yield* on(answering("transfer", { ...answered(word(1n)), transaction }))
        // it takes no energy, and the chain may not have set all of its prices
        expect((yield* fine.prepare({ token, to, amount: "1" })).transaction.feeLimit).toBe(0n)
      }
      const free = yield* on({
        getChainParameters: () =>
          Effect.succeed({
            chainParameter: [{ key: "getTransactionFee" }, { key: "getEnergyFee", value: 7n }]
          })
      })
      expect((yield* free.prepare({ token, to, amount: "1" })).fee).toBe(252_000n)
    })
  )

  it.effect("are what the account has to the last sun, and no more", () =>
    Effect.gen(function* () {
      const pay = { to, amount: "1.5" }
      expect(yield* (yield* on({}, 1_767_000n)).prepare(pay)).toStrictEqual({
        network: "tron-mainnet",
        from: address,
        to,
        amount: 1_500_000n,
        fee: 267_000n,
        outgoing: [{ asset: "TRX", amount: "1.767" }],
        warnings: [],
        resources: { bandwidth: { ...noStake, needed: 267n, free: 100n, burnt: 267n, cost: 267_000n } },
        transaction: { from: address, to, amount: 1_500_000n }
      })
      for (const [account, needed, available] of [
        [yield* on({}, 1_766_999n), "1.767", "1.766999"],
        // an account that the chain does not know has nothing
        [yield* on({ getAccount: (of) => Effect.succeed(of === to ? { address: to } : {}) }), "1.767", "0"]
      ] as const)
        expect(yield* Effect.flip(account.prepare(pay))).toMatchObject({
          _tag: "InsufficientFunds",
          address,
          asset: "TRX",
          needed,
          available
        })
      // tokens take the fee alone from its coins
      const tokens = { token, to, amount: "25" }
      const { fee } = yield* (yield* on({}, 100_000_000n)).prepare(tokens)
      expect((yield* (yield* on({}, fee)).prepare({ ...tokens, maxFee: fee })).fee).toBe(fee)
      expect(yield* Effect.flip((yield* on({}, fee - 1n)).prepare(tokens))).toMatchObject({
        _tag: "InsufficientFunds",
        asset: "TRX"
      })
      expect(yield* Effect.flip((yield* on({}, fee)).prepare({ ...tokens, maxFee: fee - 1n }))).toMatchObject(
        {
          _tag: "FeeOverCap",
          asset: "TRX"
        }
      )
    })
  )

  it.effect("have what a new account costs, and name the account itself as no receiver", () =>
    Effect.gen(function* () {
      const account = yield* on({})
      expect((yield* account.prepare({ to: token, amount: 1n, memo: "7" })).warnings).toEqual([
        "The receiver is a new account: the fee has 1.1 TRX for it.",
        "The fee is more than what is paid."
      ])
      expect(yield* Effect.flip(account.prepare({ to: address, amount: 1n }))).toMatchObject({
        _tag: "InvalidAddress",
        address,
        network: "tron-mainnet",
        reason: "is the account itself, which Tron refuses"
      })
    })
  )

  it.effect("ask for what they need at once", () =>
    Effect.gen(function* () {
      const usual: object = chain(10_000_000n)
      const slow = new Proxy(usual, {
        get: (given, name) => {
          const call: (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown> = Reflect.get(given, name)
          return (...args: ReadonlyArray<unknown>) =>
            Effect.delay(
              Effect.suspend(() => call(...args)),
              1_000
            )
        }
        // the same calls, a second later
      }) as TronCalls
      const account = yield* made({ mnemonic: words }, slow)
      // what the token and the chain say; the transfer, tried; the bandwidth; the coins
      for (const [prepared, seconds] of [
        [account.prepare({ token, to, amount: "25" }), 4],
        [account.prepare({ to, amount: "1" }), 3],
        [account.prepareTransaction({ to: token, functionSelector: "stop()" }), 3]
      ] as const) {
        const fiber = yield* Effect.fork(prepared)
        yield* TestClock.adjust(seconds * 1_000 - 1)
        expect(fiber.unsafePoll()).toBeNull()
        yield* TestClock.adjust(1)
        expect(fiber.unsafePoll()?._tag).toBe("Success")
      }
    })
  )

  it.effect("of calls are tried with what is sent along, and cost what they may take", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const usual = chain(10_000_000n)
      const account = yield* on({
        triggerConstantContract: (...given) => {
          asked.push(given)
          return usual.triggerConstantContract(...given)
        }
      })
      const call = { to: token, functionSelector: "transfer(address,uint256)" }
      const parameter = `${addressWord(to)}${word(255n)}`
      expect(
        yield* account.prepareTransaction({
          ...call,
          parameter: parameter.toUpperCase(),
          value: 5n,
          memo: "7"
        })
      ).toStrictEqual({
        network: "tron-mainnet",
        from: address,
        to: token,
        amount: 5n,
        fee: 3_600_000n + 350_000n + 1_000_000n,
        outgoing: [{ asset: "TRX", amount: "4.950005" }],
        warnings: [],
        resources: {
          bandwidth: { ...noStake, needed: 350n, free: 100n, burnt: 350n, cost: 350_000n },
          energy: { ...noStake, needed: 30_000n, burnt: 30_000n, cost: 3_000_000n }
        },
        transaction: {
          from: address,
          to: token,
          amount: 5n,
          data: `a9059cbb${parameter}`,
          feeLimit: 3_600_000n,
          memo: "7"
        }
      })
      for (const value of [undefined, 0n, "0"]) {
        const { amount, transaction } = yield* account.prepareTransaction({
          to: token,
          functionSelector: "stop()",
          ...(value === undefined ? {} : { value })
        })
        expect([amount, transaction.data]).toEqual([0n, "07da68f5"])
        expect(transaction).not.toHaveProperty("memo")
      }
      expect(asked).toEqual([
        [address, token, call.functionSelector, parameter.toUpperCase(), { visible: true, callValue: 5n }],
        ...Array.from({ length: 3 }, () => [address, token, "stop()", "", { visible: true }])
      ])
      expect(yield* Effect.flip(account.prepareTransaction({ ...call, maxFee: 1n }))).toMatchObject({
        _tag: "FeeOverCap"
      })
      const refusing = yield* on(answering("stop", { result: { message: "not the owner" } }))
      expect(
        (yield* Effect.flip(refusing.prepareTransaction({ to: token, functionSelector: "stop()" }))).message
      ).toBe(`prepareTransaction: the contract ${token} refuses: not the owner`)
    })
  )

  const noCalls: ReadonlyArray<readonly [string, unknown, string]> = [
    ["nothing", undefined, "a call is { to, functionSelector, parameter }"],
    ...["stop", "stop()x", "x stop()", " stop()", "()", 7, undefined, ["stop()"]].map(
      (functionSelector) =>
        [
          `the function ${functionSelector}`,
          { to: token, functionSelector },
          "functionSelector must be such as transfer(address,uint256)"
        ] as const
    ),
    ...["0", "0x00", "zz", "00 ", 7, null, ["00"]].map(
      (parameter) =>
        [
          `the parameter ${parameter}`,
          { to: token, functionSelector: "stop()", parameter },
          "parameter must be bytes: an even number of hexadecimal digits without 0x"
        ] as const
    )
  ]
  it.effect.each(noCalls)("refuse calls of %s", ([, call, reason]) =>
    Effect.gen(function* () {
      const account = yield* on({})
      expect(yield* Effect.flip(account.prepareTransaction(call as never))).toMatchObject({
        _tag: "InvalidArgument",
        message: expect.stringContaining(`prepareTransaction: ${reason}`)
      })
    })
  )

  it.effect("tell nothing of the key", () =>
    Effect.gen(function* () {
      const told: Array<unknown> = []
      for (const from of [{ privateKey: key }, { privateKey: `${key}9f` }]) {
        told.push(yield* Effect.exit(made(from)))
        told.push(yield* Effect.promise(() => signer({ network: "tron-mainnet", rpc: {} } as never, from)))
      }
      for (const each of told) {
        const text = inspect(each, { depth: 12, showHidden: true, getters: true })
        expect(text).not.toContain(key)
        expect(text).not.toContain("159, 159")
      }
    })
  )
})

describe("bandwidth and energy of Tron", () => {
  /** An account of so many sun and of these resources, to which others have delegated so many sun. */
  const on = (balance: bigint, has: object, acquired: object = {}) =>
    made(
      { mnemonic: words },
      chain(balance, {
        getAccount: (of) =>
          Effect.succeed(of === address ? { address, balance, ...acquired } : { address: to }),
        getAccountResources: () => Effect.succeed(has)
      })
    )
  const tokens = { token, to, amount: "25" }
  /** As much energy as each staked TRX gives. */
  const totals = { TotalEnergyLimit: 50n, TotalEnergyWeight: 5n, TotalNetLimit: 30n, TotalNetWeight: 6n }

  it.effect("are told apart by whose stake they come of, and what is burnt for the rest", () =>
    Effect.gen(function* () {
      const account = yield* on(
        10_000_000n,
        {
          ...totals,
          EnergyLimit: 20_000n,
          EnergyUsed: 5_000n,
          NetLimit: 2_000n,
          NetUsed: 1_000n,
          freeNetLimit: 600n
        },
        {
          acquired_delegated_frozenV2_balance_for_bandwidth: 90_000_000n,
          acquired_delegated_frozen_balance_for_bandwidth: 10_000_000n,
          account_resource: {
            acquired_delegated_frozenV2_balance_for_energy: 500_000_000n,
            acquired_delegated_frozen_balance_for_energy: 1_000_000_000n
          }
        }
      )
      const { fee, resources, warnings } = yield* account.prepare(tokens)
      // 100 TRX of others give 500 bytes of 2,000, and 1,500 TRX 15,000 of 20,000 energy; of what is left it is as much
      expect(resources).toEqual({
        bandwidth: { needed: 345n, staked: 750n, delegated: 250n, free: 600n, burnt: 0n, cost: 0n },
        energy: { needed: 30_000n, staked: 3_750n, delegated: 11_250n, burnt: 15_000n, cost: 1_500_000n }
      })
      // what may be burnt is all that the call takes, whatever nodes say of energy
      expect(fee).toBe(3_600_000n)
      expect(warnings.at(-1)).toBe(
        "11250 of the account's energy is delegated by others, who can take it back: then up to 3.6 TRX are burnt."
      )
      expect((yield* account.prepare({ to, amount: 1n })).resources).not.toHaveProperty("energy")
    })
  )

  it.effect("say nothing of others where the own stake is enough, or nobody has delegated", () =>
    Effect.gen(function* () {
      const energy = { ...totals, EnergyLimit: 60_000n }
      const acquired = (sun: bigint) => ({
        account_resource: { acquired_delegated_frozenV2_balance_for_energy: sun }
      })
      for (const [sun, said] of [
        [0n, 0],
        [3_000_000_000n, 0],
        [3_000_100_000n, 1],
        // more than all that it has
        [9_000_000_000n, 1]
      ] as const) {
        const { resources, warnings } = yield* (yield* on(10_000_000n, energy, acquired(sun))).prepare(tokens)
        expect(warnings.filter((line) => line.includes("delegated by others"))).toHaveLength(said)
        const { delegated = 0n, staked = 0n } = resources?.energy ?? {}
        expect(delegated + staked).toBe(60_000n)
        expect(delegated).toBe(sun === 9_000_000_000n ? 60_000n : sun / 100_000n)
      }
    })
  )

  it.effect("pay a call of an account without coins, if they are enough for all that it may take", () =>
    Effect.gen(function* () {
      const enough = { EnergyLimit: 36_000n, freeNetLimit: 600n }
      const { fee, outgoing, transaction } = yield* (yield* on(0n, enough)).prepare(tokens)
      expect([fee, transaction.feeLimit]).toEqual([3_600_000n, 3_600_000n])
      expect(outgoing.at(-1)).toEqual({ asset: "TRX", amount: "3.6" })
      for (const [has, balance] of [
        [{ ...enough, EnergyLimit: 35_999n }, 3_599_999n],
        [{ ...enough, EnergyUsed: 1n }, 3_599_999n],
        [{ ...enough, EnergyLimit: "much" }, 0n],
        // bytes are burnt
        [{ ...enough, freeNetLimit: 300n }, 344_999n]
      ] as const)
        expect(yield* Effect.flip((yield* on(balance, has)).prepare(tokens)), inspect(has)).toMatchObject({
          _tag: "InsufficientFunds",
          asset: "TRX"
        })
      expect((yield* (yield* on(345_000n, { ...enough, freeNetLimit: 300n })).prepare(tokens)).fee).toBe(
        3_945_000n
      )
    })
  )

  it.effect("are what two nodes agree on, as far as it is enough or not", () =>
    Effect.gen(function* () {
      const compared: Array<(one: unknown, other: unknown) => boolean> = []
      const account = yield* made(
        { mnemonic: words },
        chain(10_000_000n, {
          getAccountResources: () =>
            Effect.map(CallOptions, ({ quorum }) => {
              if (quorum?.isSame !== undefined) compared.push(quorum.isSame)
              return {}
            })
        })
      )
      yield* account.prepare(tokens)
      const [isSame = () => undefined] = compared
      const energy = (EnergyLimit: bigint) => ({ freeNetLimit: 0n, EnergyLimit })
      expect(isSame(energy(0n), energy(35_999n))).toBe(true)
      expect(isSame(energy(36_000n), energy(90_000n))).toBe(true)
      expect(isSame(energy(35_999n), energy(36_000n))).toBe(false)
      expect(isSame({ freeNetLimit: 344n }, { freeNetLimit: 345n })).toBe(false)
    })
  )

  it.effect("are none where nodes say what is no number", () =>
    Effect.gen(function* () {
      const account = yield* on(
        10_000_000n,
        { EnergyLimit: -5n, EnergyUsed: "x", NetLimit: 5n, NetUsed: 9n, TotalNetWeight: 0n },
        { account_resource: { acquired_delegated_frozenV2_balance_for_energy: "all" } }
      )
      expect((yield* account.prepare(tokens)).resources).toEqual({
        bandwidth: { ...noStake, needed: 345n, free: 0n, burnt: 345n, cost: 345_000n },
        energy: { ...noStake, needed: 30_000n, burnt: 30_000n, cost: 3_000_000n }
      })
    })
  )
})

describe("sweeps of Tron", () => {
  const stranger = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"

  it.effect("pay all without bandwidth, memo and the making of an account", () =>
    Effect.gen(function* () {
      for (const [free, payment] of [
        [0n, {}],
        [5_000n, {}],
        [0n, { memo: "12345678" }],
        [0n, { to: stranger }]
      ] as const) {
        const rpc = chain(10_000_000n, {
          getAccountResources: () => Effect.succeed({ freeNetLimit: free })
        })
        const account = yield* made({ mnemonic: words }, rpc)
        const all = yield* account.prepare({ to, amount: "all", ...payment })
        expect(all.amount + all.fee).toBe(10_000_000n)
        expect(all.fee === 0n).toBe(free > 0n)
        expect(all.outgoing).toEqual([{ asset: "TRX", amount: "10" }])
        expect((yield* account.prepare({ to, ...payment, amount: all.amount })).transaction).toEqual(
          all.transaction
        )
      }
      const poor = yield* made(
        { mnemonic: words },
        chain(100n, { getAccountResources: () => Effect.succeed({}) })
      )
      expect(yield* Effect.flip(poor.prepare({ to, amount: "all" }))).toMatchObject({
        _tag: "InsufficientFunds"
      })
    })
  )

  it.effect("of tokens pay all of them", () =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words })
      expect(yield* account.prepare({ token, to, amount: "all" })).toMatchObject({ amount: 250_000_000n })
      const empty = yield* made(
        { mnemonic: words },
        chain(10_000_000n, {
          triggerConstantContract: (...asked) =>
            asked[2].startsWith("balanceOf")
              ? Effect.succeed({ result: { result: true }, constant_result: [word(0n)] })
              : chain(0n).triggerConstantContract(...asked)
        })
      )
      expect(yield* Effect.flip(empty.prepare({ token, to, amount: "all" }))).toMatchObject({
        _tag: "InsufficientFunds"
      })
    })
  )
})
