// @covers payments on libraries: tezos
// @covers tokens on libraries: tezos
// @covers messages on libraries: tezos
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { ed25519 } from "@noble/curves/ed25519.js"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { InMemorySigner } from "@taquito/signer"
import {
  b58DecodeAndCheckPrefix,
  encodeExpr,
  encodeOpHash,
  validateAddress,
  verifySignature
} from "@taquito/utils"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import type { Micheline, OperationContent } from "../../src/chains/Tezos.js"
import { NodeError, RequestRejected } from "../../src/data/SdkError.js"
import { signer } from "../../src/entries/signers/Tezos.js"
import { init } from "../../src/entries/Tezos.js"
import type { Payment } from "../../src/signers/Signer.js"
import {
  addressProblem,
  make,
  type TezosCalls,
  type TezosFrom,
  type TezosReceipt,
  type TezosResult,
  type TezosTransaction
} from "../../src/signers/Tezos.js"
import { encodeWithPrefix } from "../../src/signers/tezos/address.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/tezos/curve.js"
import { waitForConfirmations } from "../../src/signers/tezos/reading.js"
import { forgeOperation } from "../../src/signers/tezos/taquito.js"
import { readTokenDetails } from "../../src/signers/tezos/tokens.js"
import { runs } from "../properties.js"
import { pkh, raw } from "./operations.js"
import { tezosConstants } from "./parameters.js"
import { runWithTime } from "./runWithTime.js"

const words = `${"abandon ".repeat(11)}about`
const address = "tz1VQA4RP4fLjEEMW2FR4pE9kAg5abb5h5GL"
const to = "tz1burnburnburnburnburnburnburjAYjjX"
const token = "KT1PWx2mnDueood7fEmfbBDKx1D9BAnnXitn"
const tokenId = `tezos:NetXdQprcVkpaWU/fa12:${token}`
const branch = "BLpcXF8ADJbGuyUKNv7TypXRd5rqnoPn3PMqJLNBeRSr4VFeUuK"
const spsk = encodeWithPrefix("spsk", new Uint8Array(32).fill(0x7e))

/** Some key. */
const key = "9f".repeat(32)
const edsk = encodeWithPrefix("edsk", new Uint8Array(32).fill(0x9f))
const whole = encodeWithPrefix(
  "edskWhole",
  Uint8Array.of(...new Uint8Array(32).fill(0x9f), ...ed25519.getPublicKey(new Uint8Array(32).fill(0x9f)))
)

const applied: TezosResult = { status: "applied", consumed_milligas: "168500" }

const unexpected = (name: string) => (): never => {
  throw new Error(`unexpected: ${name}`)
}

/** A chain on which the account has so many mutez. What a payment is not to ask for throws. */
const chain = (balance: bigint, given: Partial<TezosCalls> = {}): TezosCalls => ({
  getBlockHeader: () => Effect.succeed({ level: 1_000, hash: branch, chain_id: "NetXdQprcVkpaWU" }),
  getConstants: () => Effect.succeed(tezosConstants),
  getContractBalance: () => Effect.succeed(String(balance)),
  getContractCounter: () => Effect.succeed("41"),
  getContractManagerKey: () => Effect.succeed("edpk"),
  getBigMapValue: unexpected("getBigMapValue"),
  getContractScript: () => Effect.succeed({ code: [], storage: { int: "0" } }),
  getOperationHashes: unexpected("getOperationHashes"),
  getOperationList: unexpected("getOperationList"),
  getPendingOperations: unexpected("getPendingOperations"),
  injectOperation: unexpected("injectOperation"),
  simulateOperation: ({ operation }) =>
    Effect.succeed({ contents: operation.contents.map(() => ({ metadata: { operation_result: applied } })) }),
  ...given
})

const made = (from: TezosFrom, rpc: TezosCalls = chain(10_000_000n)) =>
  make({ network: "tezos-mainnet", rpc }, from)

const answering = (...results: ReadonlyArray<TezosResult>): Partial<TezosCalls> => ({
  simulateOperation: ({ operation }) =>
    Effect.succeed({
      contents: operation.contents.map((_, i) => ({
        metadata: { operation_result: results[i] ?? applied }
      }))
    })
})

const rejected = (message: string) =>
  new RequestRejected({
    call: "send",
    status: 500,
    messages: [message],
    body: "",
    url: "http://node.example"
  })

const lost = new NodeError({ kind: "network", call: "send", url: "http://node.example", reason: "hang up" })

describe("accounts of Tezos", () => {
  it.effect("are those of the standard path, and of private keys", () =>
    Effect.gen(function* () {
      expect((yield* made({ mnemonic: words })).address).toBe(address)
      const wallets = [1, 7].map(async (index) => {
        const theirs = InMemorySigner.fromMnemonic({
          mnemonic: words,
          derivationPath: `44'/1729'/${index}'/0'`,
          curve: "ed25519"
        })
        expect((await Effect.runPromise(made({ mnemonic: words, index }))).address).toBe(
          await theirs.publicKeyHash()
        )
      })
      yield* Effect.promise(() => Promise.all(wallets))
      for (const privateKey of [key, `0x${key}`, edsk, whole, spsk]) {
        const theirs = yield* Effect.promise(() =>
          InMemorySigner.fromSecretKey(/^(0x)?9f/.test(privateKey) ? edsk : privateKey)
        )
        const own = yield* made({ privateKey })
        expect(own.address).toBe(yield* Effect.promise(() => theirs.publicKeyHash()))
        expect(own.publicKey).toBe(yield* Effect.promise(() => theirs.publicKey()))
      }
    })
  )

  const noKey = {
    _tag: "InvalidKey",
    reason: "a private key of Tezos is edsk, spsk, or 32 bytes as 64 hexadecimal digits"
  }
  const edpk = encodeWithPrefix("edpk", ed25519.getPublicKey(new Uint8Array(32).fill(0x9f)))
  const refusals: ReadonlyArray<readonly [string, unknown, object]> = [
    [
      "a wrong word",
      { mnemonic: words.replace("about", "abuot") },
      { _tag: "InvalidMnemonic", position: 12 }
    ],
    [
      "a path that is not hardened",
      { mnemonic: words, path: "m/44'/1729'/0'/0" },
      { _tag: "InvalidKey", reason: expect.stringContaining("m/44'/1729'/0'/0'") }
    ],
    ["a key that is too short", { privateKey: "12" }, noKey],
    ["a key behind something", { privateKey: `x${key}` }, noKey],
    ["a key with something behind it", { privateKey: `${key}x` }, noKey],
    ["a key with 0x inside", { privateKey: `9f0x${key.slice(2)}` }, noKey],
    ["a text with the name of encrypted keys inside", { privateKey: "xedesk" }, noKey],
    ["a key that is none of its curve", { privateKey: encodeWithPrefix("spsk", new Uint8Array(32)) }, noKey],
    ["a key with a wrong digit", { privateKey: edsk.replace(/.$/, "1") }, noKey],
    ["a public key as a private one", { privateKey: edpk }, noKey],
    [
      "an encrypted key",
      { privateKey: `edesk1${"a".repeat(80)}` },
      { reason: expect.stringContaining("decrypt") }
    ],
    [
      "a key whose halves do not fit",
      { privateKey: encodeWithPrefix("edskWhole", new Uint8Array(64).fill(3)) },
      noKey
    ],
    [
      "an address as a public key",
      { publicKey: address, sign: () => new Uint8Array(64) },
      { _tag: "InvalidKey", reason: "a public key of Tezos is edpk or sppk" }
    ],
    [
      "a public key alone",
      { publicKey: edpk },
      { _tag: "InvalidKey", reason: "must have mnemonic, privateKey, account, or sign with publicKey" }
    ],
    ["nothing", undefined, { _tag: "InvalidKey" }],
    ["an empty object", {}, { _tag: "InvalidKey" }]
  ]
  it.effect.each(refusals)("refuse %s", ([, from, error]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(made(from as TezosFrom))).toMatchObject(error)
    })
  )

  it("know their addresses from all others", () => {
    for (const good of [address, to, token]) expect(addressProblem(good)).toBeUndefined()
    expect(addressProblem(address.replace("V", "W"))).toContain("checksum")
    expect(addressProblem(`0x${"1".repeat(40)}`)).toContain("EVM")
    expect(addressProblem("sr1Ghq66tYK9y3r8CC1Tf8i8m5nxh8nTvZEf")).toContain("rollup")
    expect(addressProblem("")).toContain("base58")
    expect(addressProblem(7 as never)).toBe("must be text")
    for (const other of [`a0x${"1".repeat(40)}`, `0x${"1".repeat(41)}`, `x${address}`, `${address}1`, "asr1"])
      expect(addressProblem(other)).toBe("must be tz1, tz2, tz3, tz4 or KT1 and 33 digits of base58")
    const kind = fc.constantFrom("tz1", "tz2", "tz3", "tz4", "KT1")
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), kind, fc.nat(35), (bytes, kind, at) => {
        const given = encodeWithPrefix(kind as "tz1", bytes)
        expect(validateAddress(given)).toBe(3)
        expect(addressProblem(given)).toBeUndefined()
        const digit = given[at] === "z" ? "y" : "z"
        expect(addressProblem(`${given.slice(0, at)}${digit}${given.slice(at + 1)}`)).toBeDefined()
      })
    )
  })

  it.effect("tell nothing of the key", () =>
    Effect.gen(function* () {
      const told: Array<unknown> = []
      for (const from of [{ privateKey: key }, { privateKey: `${key}9f` }, { privateKey: `${edsk}1` }]) {
        told.push(yield* Effect.exit(made(from)))
        told.push(yield* Effect.promise(() => signer({ network: "tezos-mainnet", rpc: {} } as never, from)))
      }
      for (const each of told) {
        const text = inspect(each, { depth: 12, showHidden: true, getters: true })
        for (const secret of [key, edsk, "159, 159"]) expect(text).not.toContain(secret)
      }
    })
  )
})

describe("operations of Tezos", () => {
  it.effect("say what the preview said, are signed as taquito signs, and pay no more than that", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.bigInt({ min: 1n, max: 5_000_000n }),
          fc.uint8Array({ minLength: 20, maxLength: 20 }),
          fc.constantFrom("tz1", "tz2", "tz3"),
          fc.boolean(),
          fc.boolean(),
          fc.constantFrom(edsk, spsk),
          async (amount, bytes, kind, isRevealed, isNew, privateKey) => {
            const receiver = encodeWithPrefix(kind as "tz1", bytes)
            const sent: Array<string> = []
            const last = { ...applied, ...(isNew ? { allocated_destination_contract: true } : {}) }
            const rpc = chain(10_000_000n, {
              ...answering(...(isRevealed ? [last] : [applied, last])),
              getContractManagerKey: () => Effect.succeed(isRevealed ? "edpk" : null),
              injectOperation: ({ operationBytes }) => Effect.sync(() => `${sent.push(operationBytes)}`)
            })
            const account = await Effect.runPromise(made({ privateKey }, rpc))
            const { hash, prepared } = await Effect.runPromise(account.send({ to: receiver, amount }))
            const { from, payment, rest, reveal } = raw(sent[0] ?? "")
            expect(from).toBe(Buffer.from(b58DecodeAndCheckPrefix(branch)[0]).toString("hex"))
            const { transaction } = prepared
            expect(payment).toEqual({
              source: pkh(account.address),
              fee: transaction.fee,
              counter: isRevealed ? 42n : 43n,
              gasLimit: 269n,
              storageLimit: isNew ? 257n : 0n,
              amount,
              destination: `00${pkh(receiver)}`,
              parameters: "00"
            })
            expect(rest).toBe("")
            if (isRevealed) expect(reveal).toBeUndefined()
            else
              expect(reveal).toMatchObject({
                source: pkh(account.address),
                counter: 42n,
                gasLimit: 269n,
                storageLimit: 0n
              })
            const paid = payment.fee + (reveal?.fee ?? 0n) + payment.storageLimit * 250n
            expect(prepared.fee).toBe(paid)
            // what bakers take at least, by what is really sent
            const gas = payment.gasLimit + (reveal?.gasLimit ?? 0n)
            const size = BigInt((sent[0] ?? "").length / 2)
            const least = 100n + (gas + 9n) / 10n + size
            expect(payment.fee + (reveal?.fee ?? 0n)).toBeGreaterThanOrEqual(least)
            // fees are of fewer digits than they have room for
            expect(payment.fee + (reveal?.fee ?? 0n)).toBeLessThanOrEqual(least + 6n)
            const theirs = await InMemorySigner.fromSecretKey(privateKey)
            const { sbytes } = await theirs.sign((sent[0] ?? "").slice(0, -128), Uint8Array.of(3))
            expect(sent).toEqual([sbytes.replace(/^03/, "")])
            expect(hash).toBe(encodeOpHash(sbytes.replace(/^03/, "")))
          }
        ),
        { numRuns: runs(40) }
      )
    )
  )

  const metadata = { prim: "big_map", args: [{ prim: "nat" }, { prim: "pair" }], annots: ["%token_metadata"] }
  const ledger = { prim: "big_map", args: [{ prim: "address" }, { prim: "nat" }], annots: ["%ledger"] }
  const admin = { prim: "address", annots: ["%admin"] }
  const at = (prim: string, ...args: ReadonlyArray<Micheline>): Micheline => ({ prim, args })
  /** Storages with the map of details under the number 31, as contracts declare them and as nodes write their values. */
  const storages: ReadonlyArray<readonly [string, type: Micheline, value: Micheline]> = [
    [
      "in pairs of pairs",
      at("pair", at("pair", admin, ledger), at("pair", metadata, at("nat"))),
      at("Pair", at("Pair", { string: to }, { int: "30" }), at("Pair", { int: "31" }, { int: "0" }))
    ],
    [
      "in a pair of many, as a list",
      at("pair", admin, ledger, metadata, at("nat")),
      [{ string: to }, { int: "30" }, { int: "31" }, { int: "0" }]
    ],
    [
      "in a pair of many, as pairs",
      at("pair", admin, ledger, at("nat"), metadata),
      at("Pair", { string: to }, at("Pair", { int: "30" }, at("Pair", { int: "0" }, { int: "31" })))
    ],
    ["alone", metadata, { int: "31" }]
  ]
  const text = (name: string, value: string): Micheline =>
    at("Elt", { string: name }, { bytes: Buffer.from(value).toString("hex") })
  const telling = (
    [, type, storage]: (typeof storages)[number],
    ...entries: ReadonlyArray<Micheline>
  ): Partial<TezosCalls> => ({
    getContractScript: () =>
      Effect.succeed({ code: [at("parameter", at("unit")), at("storage", type), at("code", [])], storage }),
    getBigMapValue: ({ bigMapId, scriptExpression }) => {
      const packed = `0500${{ "0": "00", "12": "0c", "100": "a401" }[scriptNumber(scriptExpression)]}`
      expect([bigMapId, scriptExpression]).toEqual(["31", encodeExpr(packed)])
      return Effect.succeed(at("Pair", { int: scriptNumber(scriptExpression) }, [...entries]))
    }
  })
  /** What nodes of the network call the numbers 0, 12 and 100. */
  const scriptNumber = (expression: string) =>
    expression === "exprtZBwZUeYYYfUs9B9Rg2ywHezVHnCCnmF9WsDQVrs582dSK63dC"
      ? "0"
      : expression === encodeExpr("05000c")
        ? "12"
        : "100"

  it.effect.each(storages)("know the decimals of tokens whose details are %s", (storage) =>
    Effect.gen(function* () {
      const details = [
        text("", "ipfs://"),
        text("decimals", "6"),
        text("name", "Dollar"),
        text("symbol", "USDt")
      ]
      const rpc = chain(1_000_000n, telling(storage, ...details))
      const account = yield* made({ mnemonic: words }, rpc)
      for (const [id, amount] of [
        [`${token}.0`, "1.5"],
        [`${token}.12`, "1.5"],
        [`${token}.100`, 1_500_000n],
        [token, "1.5"]
      ] as const) {
        const prepared = yield* account.prepare({ token: id, to, amount })
        expect(prepared).toMatchObject({ amount: 1_500_000n, transaction: { amount: 1_500_000n } })
        expect(prepared.outgoing[0]).toMatchObject({
          asset: expect.stringMatching(/^tezos:NetXdQprcVkpaWU\/fa(12|2):KT1/),
          symbol: "USDt",
          token: id,
          amount: "1.5",
          units: 1_500_000n,
          decimals: 6
        })
      }
      expect(yield* Effect.flip(account.prepare({ token, to, amount: "0.0000001" }))).toMatchObject({
        _tag: "InvalidAmount"
      })
    })
  )

  it.effect("take whole tokens of no contract that tells no decimals", () =>
    Effect.gen(function* () {
      const [[name, type, value] = ["", at("unit"), at("Unit")]] = storages
      const gone = new RequestRejected({
        call: "getBigMapValue",
        status: 404,
        messages: [],
        body: "",
        url: ""
      })
      for (const given of [
        telling([name, type, value], text("symbol", "USDt")),
        telling([name, type, value], text("decimals", "0x6")),
        telling([name, at("pair", admin, ledger), at("Pair", { string: to }, { int: "30" })]),
        telling([name, metadata, at("Unit")]),
        { ...telling([name, type, value]), getBigMapValue: () => Effect.fail(gone) }
      ]) {
        const account = yield* made({ mnemonic: words }, chain(1_000_000n, given))
        expect(yield* Effect.flip(account.prepare({ token, to, amount: "1" }))).toMatchObject({
          _tag: "InvalidAmount",
          reason: expect.stringContaining("bigint")
        })
        expect((yield* account.prepare({ token, to, amount: 7n })).outgoing[0]).toMatchObject({ amount: "7" })
      }
    })
  )

  /** What a signer reads of a token, where its contract and the map of its details say this. */
  const read = (code: unknown, storage: unknown, value: unknown = at("Pair", { int: "0" }, dollar)) =>
    readTokenDetails(
      {
        // what nodes may say, whatever the types are
        getContractScript: () => Effect.succeed({ code, storage } as never),
        getBigMapValue: (input) => {
          expect(input).toEqual({ bigMapId: "31", scriptExpression: "of 0" })
          return Effect.succeed(value as never)
        }
      },
      token,
      (key) => `of ${Reflect.get(key, "int")}`
    )
  const dollar = [text("decimals", "6"), text("symbol", "USDt")]
  const of = (type: unknown) => [
    { prim: "parameter", args: [metadata] },
    { prim: "storage", args: [type] }
  ]
  const one = { int: "31" }

  it.effect("know the details that their contract has wherever they stand", () =>
    Effect.gen(function* () {
      const known = { symbol: "USDt", decimals: 6 }
      expect(yield* read(of(metadata), one)).toEqual(known)
      expect(yield* read(of(at("pair", metadata, ledger)), at("Pair", one, { int: "30" }))).toEqual(known)
      for (const value of [
        // between what has no name, or no value that is one
        at("Pair", { int: "0" }, [{ int: "7" }, at("Elt", [], { bytes: "36" }), ...dollar]),
        at("Pair", { int: "0" }, [at("Elt", { string: "decimals" }, []), ...dollar]),
        // as a list
        [{ int: "0" }, dollar]
      ])
        expect(yield* read(of(metadata), one, value)).toEqual(known)
    })
  )

  it.effect("have the number of decimals that is one, and no other", () =>
    Effect.gen(function* () {
      for (const [said, decimals] of [
        ["0", 0],
        ["18", 18]
      ] as const)
        expect(yield* read(of(metadata), one, at("Pair", { int: "0" }, [text("decimals", said)]))).toEqual({
          decimals
        })
      for (const said of ["", "x6", "6x", "256", "-1", "1.5"])
        expect(yield* read(of(metadata), one, at("Pair", { int: "0" }, [text("decimals", said)]))).toEqual({})
    })
  )

  const strange: ReadonlyArray<readonly [string, code: unknown, storage: unknown, value?: unknown]> = [
    ["tells no code", undefined, one],
    ["tells a code without a storage", [{ prim: "parameter", args: [metadata] }], one],
    ["tells a storage without a type", [{ prim: "storage" }], one],
    ["tells a code of no sections", ["storage", null], one],
    ["has no type of its storage", of("big_map"), one],
    ["has a map that is in its storage alone", of({ ...metadata, prim: "map" }), one],
    ["has a map without a name", of({ prim: "big_map" }), one],
    ["has a map whose name is no list", of({ ...metadata, annots: "%token_metadata" }), one],
    ["has a map of another name", of(ledger), one],
    ["has no number of its map", of(metadata), { string: "31" }],
    ["has a number of its map that is none", of(metadata), { int: 31 }],
    ["has a list for the number of its map", of(metadata), [one]],
    ["tells nothing of the token", of(metadata), one, null],
    [
      "tells details that are no bytes",
      of(metadata),
      one,
      at("Pair", { int: "0" }, [
        at("Elt", { string: "decimals" }, { string: "6" }),
        at("Elt", { string: "symbol" }, { int: "6" }),
        ...dollar
      ])
    ]
  ]
  it.effect.each(strange)("have no details where their contract %s", ([, code, storage, value]) =>
    Effect.gen(function* () {
      expect(yield* read(code, storage, value)).toEqual({})
    })
  )

  it.effect("pay tokens by the call of their standard", () =>
    Effect.gen(function* () {
      const asked: Array<OperationContent | undefined> = []
      const rpc = chain(1_000_000n, {
        simulateOperation: ({ operation }) =>
          Effect.sync((): TezosReceipt => {
            asked.push(operation.contents[0])
            return {
              contents: [
                {
                  metadata: {
                    operation_result: { ...applied, paid_storage_size_diff: "67" },
                    internal_operation_results: [{ result: { ...applied, consumed_milligas: "1000001" } }]
                  }
                }
              ]
            }
          })
      })
      const account = yield* made({ mnemonic: words }, rpc)
      const plain = yield* account.prepare({ token, to, amount: 5n })
      const numbered = yield* account.prepare({ token: `${token}.12`, to, amount: 7n })
      // 67 bytes and 20 more
      expect(plain.transaction).toMatchObject({ storageLimit: 87n, gasLimit: 1_270n, amount: 5n })
      expect(plain.outgoing[0]).toEqual({ asset: tokenId, token, amount: "5", units: 5n, decimals: 0 })
      expect(plain.fee).toBe(plain.transaction.fee + 87n * 250n)
      const [first, second] = asked
      expect(first).toMatchObject({ amount: "0", destination: token })
      expect(first?.parameters).toEqual({
        entrypoint: "transfer",
        value: {
          prim: "Pair",
          args: [{ string: address }, { prim: "Pair", args: [{ string: to }, { int: "5" }] }]
        }
      })
      expect(second?.parameters?.value).toEqual([
        {
          prim: "Pair",
          args: [
            { string: address },
            [
              {
                prim: "Pair",
                args: [{ string: to }, { prim: "Pair", args: [{ int: "12" }, { int: "7" }] }]
              }
            ]
          ]
        }
      ])
      // forged, read back, and signed
      for (const { transaction } of [plain, numbered])
        expect((yield* account.sign(transaction)).hash).toMatch(/^o[1-9A-Za-z]{50}$/)
    })
  )

  it("are refused where their bytes say something else than was asked for", async () => {
    const asked = {
      kind: "transaction",
      source: address,
      fee: "400",
      counter: "42",
      gas_limit: "270",
      storage_limit: "0",
      amount: "7",
      destination: to
    }
    const parameters = {
      entrypoint: "transfer",
      value: { prim: "Pair", args: [{ prim: "Pair", args: [{ string: to }, { int: "5" }] }, { int: "1" }] }
    }
    const calls = { ...asked, destination: token, parameters }
    const bytes = await forgeOperation(branch, [asked, calls])
    expect(bytes).toMatch(/^[0-9a-f]+$/)
    // in whatever order fields stand
    const turned = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(turned)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([name, each]) => [name, turned(each)])
            )
          : value
    expect(await forgeOperation(branch, turned([asked, calls]) as never)).toBe(bytes)
    // bytes have no room for the one, and tell the other as 7
    for (const more of [{ delegate: to }, { amount: "07" }])
      await expect(forgeOperation(branch, [{ ...asked, ...more }])).rejects.toThrow("something else")
  })

  it.effect("take messages as wallets sign them", () =>
    Effect.gen(function* () {
      for (const privateKey of [edsk, spsk]) {
        const account = yield* made({ privateKey })
        for (const message of ["", "hello", "ünï", Uint8Array.of(0, 255)]) {
          const text = Buffer.concat([Buffer.from("Tezos Signed Message: "), Buffer.from(message)])
          const packed = `0501${text.length.toString(16).padStart(8, "0")}${text.toString("hex")}`
          const signature = yield* account.signMessage(message)
          expect(verifySignature(packed, account.publicKey, signature)).toBe(true)
        }
      }
    })
  )

  it.effect("are signed by functions whose signature is checked", () =>
    Effect.gen(function* () {
      const own = yield* made({ privateKey: edsk })
      const kms = yield* made({
        publicKey: own.publicKey,
        sign: (hash) => ed25519.sign(hash, new Uint8Array(32).fill(0x9f))
      })
      expect(yield* kms.signMessage("x")).toBe(yield* own.signMessage("x"))
      const wrong = yield* made({ publicKey: own.publicKey, sign: () => new Uint8Array(64).fill(1) })
      expect(yield* Effect.flip(wrong.signMessage("x"))).toMatchObject({
        _tag: "SigningFailed",
        reason: `the signature is not that of ${own.address}`
      })
      const koblitz = yield* made({ privateKey: spsk })
      const secret = new Uint8Array(32).fill(0x7e)
      const high = yield* made({
        publicKey: koblitz.publicKey,
        sign: (hash) => {
          const { r, s } = secp256k1.Signature.fromBytes(secp256k1.sign(hash, secret, { prehash: false }))
          return new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toBytes()
        }
      })
      expect(yield* high.signMessage("x")).toBe(yield* koblitz.signMessage("x"))
      // what holds the key cannot change what is verified
      const changing = yield* made({
        publicKey: own.publicKey,
        sign: (hash) => ed25519.sign(hash.fill(1), new Uint8Array(32).fill(0x9f))
      })
      expect(yield* Effect.flip(changing.signMessage("x"))).toMatchObject({ _tag: "SigningFailed" })
      const foreign = (yield* (yield* made({ mnemonic: words })).prepare({ to, amount: 1n })).transaction
      expect(yield* Effect.flip(own.sign(foreign))).toMatchObject({ _tag: "InvalidArgument" })
    })
  )
})

describe("the requests of a signer of Tezos", () => {
  it("are told as no decimals where a node has nothing of a token, and as the failure that they are elsewhere", async () => {
    const storage = { int: "31" }
    const type = { prim: "big_map", args: [], annots: ["%token_metadata"] }
    const routes: Readonly<Record<string, unknown>> = {
      "/chains/main/blocks/head~2/header": { level: 1_000, hash: branch, chain_id: "NetXdQprcVkpaWU" },
      "/chains/main/blocks/head/context/constants": await Effect.runPromise(chain(0n).getConstants()),
      [`/chains/main/blocks/head/context/contracts/${address}/counter`]: "41",
      [`/chains/main/blocks/head/context/contracts/${address}/manager_key`]: "edpk",
      [`/chains/main/blocks/head/context/contracts/${address}/balance`]: "10000000",
      [`/chains/main/blocks/head/context/contracts/${token}/script`]: {
        code: [{ prim: "storage", args: [type] }],
        storage
      },
      "/chains/main/blocks/head/helpers/scripts/simulate_operation": {
        contents: [{ metadata: { operation_result: applied } }]
      }
    }
    let isDown = false
    const server = createServer((request, response) => {
      const path = String(request.url)
      const known = routes[path]
      response.setHeader("content-type", "application/json")
      // nodes say nothing of what is not in a map
      response.statusCode = known !== undefined ? 200 : isDown ? 502 : 404
      response.end(known === undefined ? "" : JSON.stringify(known))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const client = await init({
      network: "tezos-mainnet",
      quiet: true,
      retryCount: 0,
      verifyChain: false,
      rpc: { nodes: [{ url }], oneTimeLoadBalancing: true }
    })
    const own = await signer(client, { mnemonic: words })
    if (own.status === "ERROR") throw own.error.cause
    isDown = true
    const down = await own.data.prepare({ token, to, amount: 5n })
    isDown = false
    const prepared = await own.data.prepare({ token, to, amount: 5n })
    const whole = await own.data.prepare({ token, to, amount: "5" })
    server.closeAllConnections()
    server.close()
    expect(down).toMatchObject({ status: "ERROR", error: { cause: { _tag: "NodeError" } } })
    expect(prepared.data?.outgoing[0]).toEqual({ asset: tokenId, token, amount: "5", units: 5n, decimals: 0 })
    expect(whole).toMatchObject({ status: "ERROR", error: { cause: { _tag: "InvalidAmount" } } })
  })

  it("are those of a node, with the words of the protocol", async () => {
    const asked: Array<string> = []
    const bodies: Array<unknown> = []
    const routes: Readonly<Record<string, unknown>> = {
      "/chains/main/blocks/head/header": { level: 1_002, hash: branch, chain_id: "NetXdQprcVkpaWU" },
      "/chains/main/blocks/head~2/header": { level: 1_000, hash: branch, chain_id: "NetXdQprcVkpaWU" },
      "/chains/main/blocks/head/context/constants": await Effect.runPromise(chain(0n).getConstants()),
      [`/chains/main/blocks/head/context/contracts/${address}/counter`]: "41",
      [`/chains/main/blocks/head/context/contracts/${address}/manager_key`]: null,
      [`/chains/main/blocks/head/context/contracts/${address}/balance`]: "10000000",
      "/chains/main/blocks/head/helpers/scripts/simulate_operation": {
        contents: [{ metadata: { operation_result: applied } }, { metadata: { operation_result: applied } }]
      },
      "/injection/operation": "o",
      "/chains/main/blocks/1002/operation_hashes": [[], [], [], []],
      "/chains/main/blocks/1001/operation_hashes": [[], [], [], ["found"]],
      "/chains/main/blocks/1001/operations/3": []
    }
    const server = createServer(async (request, response) => {
      const text = (await request.toArray()).join("")
      const path = String(request.url)
      asked.push(`${request.method} ${path}`)
      if (text !== "") bodies.push(JSON.parse(text))
      const [, , , , level] = path.split("/")
      const sent = bodies.at(-1)
      const answer =
        level === "1001" && path.endsWith("hashes")
          ? [[], [], [], [encodeOpHash(String(sent))]]
          : routes[path]
      response.statusCode = answer === undefined ? 500 : 200
      response.setHeader("content-type", "application/json")
      response.end(
        JSON.stringify(answer === undefined ? [{ kind: "permanent", id: `unexpected ${path}` }] : answer)
      )
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const client = await init({
      network: "tezos-mainnet",
      quiet: true,
      retryCount: 0,
      rpc: { nodes: [{ url }], oneTimeLoadBalancing: true }
    })
    const own = await signer(client, { mnemonic: words })
    if (own.status === "ERROR") throw own.error.cause
    const sent = await own.data.send({ to, amount: "1.5", confirmations: 1 })
    server.closeAllConnections()
    server.close()
    if (sent.status === "ERROR") throw sent.error.cause
    const [simulated, bytes] = bodies
    expect(bodies).toHaveLength(2)
    expect(sent.data.hash).toBe(encodeOpHash(String(bytes)))
    const contents = [
      {
        kind: "reveal",
        counter: "42",
        gas_limit: "866666",
        storage_limit: "0",
        public_key: own.data.publicKey
      },
      { kind: "transaction", counter: "43", amount: "1500000", destination: to, source: address }
    ]
    expect(simulated).toMatchObject({
      chain_id: "NetXdQprcVkpaWU",
      operation: { branch, contents, signature: expect.stringMatching(/^edsig/) }
    })
    expect(asked).toContain("GET /chains/main/blocks/head~2/header")
    expect(asked.at(-1)).toBe("GET /chains/main/blocks/1001/operations/3")
  })
})

describe("previews of Tezos", () => {
  it.effect("have what a payment costs at most, and what to know before", () =>
    Effect.gen(function* () {
      const fresh = answering(applied, { ...applied, allocated_destination_contract: true })
      const account = yield* made(
        { mnemonic: words },
        chain(10_000_000n, { ...fresh, getContractManagerKey: () => Effect.succeed(null) })
      )
      const prepared = yield* account.prepare({ to, amount: "1.5" })
      const { fee, reveal, storageLimit } = prepared.transaction
      expect(prepared).toMatchObject({ amount: 1_500_000n, fee: fee + (reveal?.fee ?? 0n) + 64_250n })
      expect(storageLimit).toBe(257n)
      expect(prepared.warnings).toEqual([
        "The receiver is a new account: the fee has 0.06425 XTZ for it.",
        expect.stringContaining("public key")
      ])
      const contract = yield* (yield* made({ mnemonic: words })).prepare({ to: token, amount: 1n })
      expect(contract.warnings).toEqual([
        expect.stringContaining("contract"),
        "The fee is more than what is paid."
      ])
    })
  )

  it.effect("are all that leaves the account", () =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words })
      // 100, a tenth of the gas, and 152 bytes: three of them are the amount's, four a fee's
      const fee = 100n + 27n + 152n
      const coins = yield* account.prepare({ to, amount: "1.5" })
      expect(coins).toStrictEqual({
        network: "tezos-mainnet",
        from: address,
        to,
        amount: 1_500_000n,
        fee,
        outgoing: [{ asset: "XTZ", amount: "1.500279" }],
        warnings: [],
        transaction: {
          from: address,
          to,
          amount: 1_500_000n,
          fee,
          counter: 42n,
          gasLimit: 269n,
          storageLimit: 0n,
          branch,
          level: 1_000,
          until: 1_450
        }
      })
      const tokens = yield* account.prepare({ to, token, amount: 5n })
      expect(tokens).toMatchObject({ token, transaction: { token } })
      expect(tokens.outgoing).toStrictEqual([
        { asset: tokenId, token, amount: "5", units: 5n, decimals: 0 },
        { asset: "XTZ", amount: (Number(tokens.fee) / 1e6).toFixed(6).replace(/0+$/, "") }
      ])
    })
  )

  it.effect("are tried with the most that the chain allows, and last as long as it says", () =>
    Effect.gen(function* () {
      const { max_operations_time_to_live: _, ...silent } = yield* chain(0n).getConstants()
      const asked: Array<unknown> = []
      const rpc = chain(10_000_000n, {
        getConstants: () => Effect.succeed({ ...silent, hard_gas_limit_per_block: "10400000" }),
        getContractManagerKey: () => Effect.succeed(null),
        simulateOperation: ({ operation }) => {
          asked.push(...operation.contents)
          return Effect.succeed({
            contents: [
              { metadata: { operation_result: { ...applied, consumed_milligas: "2000" } } },
              // what is no result costs nothing, and what tells no gas has used none
              { metadata: { operation_result: { status: "applied" }, internal_operation_results: [{}] } }
            ]
          })
        }
      })
      const { transaction } = yield* (yield* made({ mnemonic: words }, rpc)).prepare({ to, amount: 1n })
      expect(asked).toMatchObject([
        { gas_limit: "1040000", storage_limit: "0" },
        { gas_limit: "1040000", storage_limit: "60000" }
      ])
      expect(transaction).toMatchObject({ gasLimit: 100n, until: 1_120, reveal: { gasLimit: 102n } })
    })
  )

  const failing = answering({
    status: "failed",
    errors: [
      { id: "proto.024-PtTALLiN.michelson_v1.runtime_error" },
      { id: "proto.024-PtTALLiN.michelson_v1.script_rejected", with: { string: "FA2_INSUFFICIENT_BALANCE" } }
    ] as NonNullable<TezosResult["errors"]>
  })
  const elsewhere: Partial<TezosCalls> = {
    getBlockHeader: () => Effect.succeed({ level: 1, hash: branch, chain_id: "NetXnHfVqm9iesp" })
  }
  const refusals: ReadonlyArray<readonly [string, Partial<Payment>, object, Partial<TezosCalls>?]> = [
    ["zero", { amount: 0n }, { _tag: "InvalidAmount" }],
    ["too many digits", { amount: "0.1234567" }, { _tag: "InvalidAmount" }],
    ["a token's amount in whole tokens", { token, amount: "1" }, { _tag: "InvalidAmount" }],
    [
      "no tokens, without a question",
      { token, amount: 0n },
      { _tag: "InvalidAmount" },
      { getContractScript: unexpected("getContractScript") }
    ],
    [
      "more than there is",
      { amount: "11" },
      { _tag: "InsufficientFunds", asset: "XTZ", needed: "11" },
      { simulateOperation: unexpected("simulateOperation") }
    ],
    [
      "what a node says nothing of",
      {},
      { _tag: "InvalidArgument", reason: "the chain refuses it: it would fail" },
      { simulateOperation: () => Effect.succeed({ contents: [{}] }) }
    ],
    [
      "a payment that a node says nothing of at all",
      {},
      { _tag: "InvalidArgument", reason: "the chain refuses it: it would fail" },
      { simulateOperation: () => Effect.succeed({ contents: [] }) }
    ],
    [
      "a payment behind a block that is none",
      {},
      { _tag: "InvalidArgument", reason: "it names what is none of Tezos" },
      {
        getBlockHeader: () =>
          Effect.succeed({ level: 1, hash: branch.replace(/.$/, "1"), chain_id: "NetXdQprcVkpaWU" })
      }
    ],
    [
      "a payment of which a node says nothing, behind a public key that is taken",
      {},
      { _tag: "InvalidArgument", reason: "the chain refuses it: it would fail" },
      {
        getContractManagerKey: () => Effect.succeed(null),
        simulateOperation: () =>
          Effect.succeed({ contents: [{ metadata: { operation_result: applied } }, {}] })
      }
    ],
    [
      "a call of a contract that fails within",
      {},
      { _tag: "InvalidArgument", reason: "the chain refuses it: my.proto.a.b" },
      {
        simulateOperation: () =>
          Effect.succeed({
            contents: [
              {
                metadata: {
                  operation_result: applied,
                  internal_operation_results: [
                    { result: { status: "failed", errors: [{ id: "my.proto.a.b" }] } },
                    // what would have come after it
                    { result: { status: "skipped" } }
                  ]
                }
              }
            ]
          })
      }
    ],
    ["all that there is, without the fee", { amount: "10" }, { _tag: "InsufficientFunds", available: "10" }],
    ["a fee above the cap", { maxFee: "0.0001" }, { _tag: "FeeOverCap", asset: "XTZ" }],
    ["an address of an EVM chain", { to: `0x${"1".repeat(40)}` }, { _tag: "InvalidAddress" }],
    ...[address, token.replace(/.$/, "o"), ""].map(
      (other) =>
        [
          `a token that is no contract: ${other}`,
          { token: other, amount: 1n },
          {
            _tag: "InvalidAddress",
            reason:
              "must be the address of a contract (KT1), with a point and the token's number behind it (FA2)"
          }
        ] as const
    ),
    ...["x", "01", "-1", "1x", "1.2", "1".repeat(79), ""].map(
      (id) =>
        [
          `a token with a wrong number: ${id}`,
          { token: `${token}.${id}`, amount: 1n },
          { _tag: "InvalidAddress", reason: "has a number that is none of a token" }
        ] as const
    ),
    ["a memo", { memo: "7" }, { _tag: "InvalidArgument", reason: "payments of Tezos have no memo" }],
    ["nodes of another chain", {}, { reason: expect.stringContaining("NetXnHfVqm9iesp") }, elsewhere],
    [
      "what the chain refuses",
      { token: `${token}.0`, amount: 1n },
      { message: expect.stringContaining("script_rejected: FA2_INSUFFICIENT_BALANCE") },
      failing
    ]
  ]
  it.effect.each(refusals)("refuse %s", ([, payment, error, given]) =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words }, chain(10_000_000n, given))
      const failed = yield* Effect.flip(account.prepare({ to, amount: "1", ...payment }))
      expect(failed).toMatchObject(error)
      if (failed._tag === "InvalidArgument") expect(failed.call).toBe("prepare")
    })
  )
})

describe("payments of Tezos", () => {
  /** A chain that goes on: a block every six seconds of the test's clock, with what has been taken before. */
  const moving = (refusal?: (sent: number) => NodeError | RequestRejected | undefined) => {
    const sent: Array<string> = []
    const blocks: Array<ReadonlyArray<string>> = []
    let waiting: ReadonlyArray<string> = []
    let counter = 41
    const head = () => 1_000 + blocks.length
    const rpc = chain(10_000_000n, {
      getBlockHeader: (input) =>
        Effect.sync(() => ({
          level: input?.block === "head~2" ? head() - 2 : head(),
          hash: branch,
          chain_id: "NetXdQprcVkpaWU"
        })),
      getContractCounter: () => Effect.sync(() => String(counter)),
      getPendingOperations: () => Effect.sync(() => ({ validated: waiting.map((hash) => ({ hash })) })),
      getOperationHashes: (input) =>
        Effect.sync(() => [[], [], [], blocks[Number(input?.block) - 1_001] ?? []]),
      getOperationList: ({ block }) =>
        Effect.sync(() =>
          (blocks[Number(block) - 1_001] ?? []).map((hash) => ({
            hash,
            contents: [{ metadata: { operation_result: applied } }]
          }))
        ),
      injectOperation: ({ operationBytes }) =>
        Effect.suspend((): Effect.Effect<string, NodeError | RequestRejected> => {
          sent.push(operationBytes)
          const error = refusal?.(sent.length)
          if (error?._tag !== "RequestRejected") waiting = [encodeOpHash(operationBytes)]
          return error === undefined ? Effect.succeed(encodeOpHash(operationBytes)) : Effect.fail(error)
        })
    })
    return {
      rpc,
      sent,
      bake: () => {
        blocks.push(waiting)
        counter += waiting.length
        waiting = []
      }
    }
  }

  it.effect("go out one after another, each with a counter of its own", () =>
    Effect.gen(function* () {
      const { bake, rpc, sent } = moving()
      const account = yield* made({ mnemonic: words }, rpc)
      const fibers = yield* Effect.all(
        [1n, 2n, 3n].map((amount) => Effect.fork(account.send({ to, amount })))
      )
      yield* runWithTime(Effect.forEach(fibers, Fiber.join), 10_000, bake)
      expect(sent.map((hex) => raw(hex).payment.counter)).toEqual([42n, 43n, 44n])
      expect(sent.map((hex) => raw(hex).payment.amount)).toEqual([1n, 2n, 3n])
    })
  )

  it.effect("that were prepared beside another one are not sent in its place", () =>
    Effect.gen(function* () {
      const { rpc, sent } = moving()
      const account = yield* made({ mnemonic: words }, rpc)
      const [one, two] = [
        yield* account.prepare({ to, amount: 1n }),
        yield* account.prepare({ to, amount: 2n })
      ]
      yield* account.submit(one)
      expect(yield* Effect.flip(account.submit(two))).toMatchObject({ _tag: "NonceTaken", nonce: 42 })
      // the same one again is the same bytes
      yield* account.submit(one)
      expect(new Set(sent).size).toBe(1)
      const other = { ...one, amount: 3n }
      expect(yield* Effect.flip(account.submit(other))).toMatchObject({ _tag: "InvalidArgument" })
    })
  )

  it.effect("leave their counter to the next one where they are refused, and not where nobody knows", () =>
    Effect.gen(function* () {
      const no = rejected("proto.024-PtTALLiN.prefilter.fees_too_low")
      const fees = new Set<string>()
      const refused = moving(() => (fees.size === 1 ? no : undefined))
      const account = yield* made({ mnemonic: words }, refused.rpc)
      const [one, two] = [
        yield* account.prepare({ to, amount: 1n }),
        yield* account.prepare({ to, amount: 2n })
      ]
      fees.add("one")
      expect(yield* runWithTime(account.submit(one), 1_000)).toEqual(Either.left(no))
      expect(new Set(refused.sent).size).toBe(1)
      fees.clear()
      expect((yield* account.submit(two)).hash).toBe(encodeOpHash(refused.sent.at(-1) ?? ""))
      const sent: Array<string> = []
      const unclear = yield* made(
        { mnemonic: words },
        chain(10_000_000n, {
          injectOperation: ({ operationBytes }) =>
            Effect.suspend(() => {
              sent.push(operationBytes)
              return Effect.fail(lost)
            }),
          getPendingOperations: () => Effect.succeed({}),
          getOperationHashes: () => Effect.succeed([])
        })
      )
      const outcome = yield* runWithTime(unclear.submit(one), 3_000)
      expect(outcome).toMatchObject({ left: { _tag: "BroadcastUnclear", raw: sent[0] } })
      expect(yield* Effect.flip(unclear.submit(two))).toMatchObject({
        _tag: "NonceTaken",
        address,
        nonce: 42
      })
      expect(new Set(sent).size).toBe(1)
    })
  )

  it.effect("are sent again as the same bytes, and looked for, where an answer is lost", () =>
    Effect.gen(function* () {
      const past = rejected("proto.024-PtTALLiN.contract.counter_in_the_past")
      // it has arrived with the first attempt, and is in a block by the second
      const arrived = moving((sent) => (sent === 1 ? lost : past))
      const account = yield* made({ mnemonic: words }, arrived.rpc)
      const paid = yield* runWithTime(account.send({ to, amount: 1n }), 1_000, (tick) => {
        if (tick === 0) arrived.bake()
      })
      expect(paid).toMatchObject({ right: { hash: encodeOpHash(arrived.sent[0] ?? "") } })
      expect(new Set(arrived.sent).size).toBe(1)
      const never = yield* made(
        { mnemonic: words },
        chain(10_000_000n, {
          injectOperation: () => Effect.fail(lost),
          getPendingOperations: () => Effect.succeed({}),
          getOperationHashes: () => Effect.succeed([])
        })
      )
      expect(yield* runWithTime(never.send({ to, amount: 1n }), 1_000)).toMatchObject({
        left: { _tag: "BroadcastUnclear" }
      })
      // that another payment has had the counter is no node's word, but in a block
      const taken = yield* made({ mnemonic: words }, moving(() => past).rpc)
      expect(yield* runWithTime(taken.send({ to, amount: 1n }), 1_000)).toMatchObject({ left: past })
    })
  )

  const waited = (receipt: TezosResult, hashes: (level: number, hash: string) => boolean, until = 1_010) =>
    Effect.gen(function* () {
      let level = 1_000
      const rpc = chain(10_000_000n, {
        getBlockHeader: () =>
          Effect.sync(() => ({ level: level++, hash: branch, chain_id: "NetXdQprcVkpaWU" })),
        injectOperation: ({ operationBytes }) =>
          Effect.sync(() => {
            hash = encodeOpHash(operationBytes)
            return hash
          }),
        getOperationHashes: (input) =>
          Effect.sync(() => [[], [], [], hashes(Number(input?.block), hash) ? [hash] : []]),
        getOperationList: () =>
          Effect.sync(() => [{ hash, contents: [{ metadata: { operation_result: receipt } }] }])
      })
      let hash = ""
      const account = yield* made({ mnemonic: words }, rpc)
      const prepared = yield* account.prepare({ to, amount: 1n })
      const short = {
        ...prepared,
        transaction: { ...prepared.transaction, until } satisfies TezosTransaction
      }
      return { outcome: yield* runWithTime(account.submit(short, { confirmations: 3 }), 3_000), level }
    })

  it.effect("are waited for until they are deep enough, have failed, or can be in no block any more", () =>
    Effect.gen(function* () {
      const found = yield* waited(applied, (level) => level === 1_003)
      expect(found.outcome._tag).toBe("Right")
      // the block of it, and two on top
      expect(found.level).toBe(1_006)
      const failed = yield* waited(
        { status: "failed", errors: [{ id: "proto.024-PtTALLiN.contract.balance_too_low" }] },
        (level) => level === 1_003
      )
      expect(failed.outcome).toMatchObject({
        left: {
          _tag: "TransactionFailed",
          reason: "contract.balance_too_low",
          receipt: { contents: [{ metadata: { operation_result: { status: "failed" } } }] }
        }
      })
      const dropped = yield* waited(applied, () => false)
      expect(dropped.outcome).toMatchObject({
        left: { _tag: "TransactionDropped", reason: "no block up to the level 1010 has it" }
      })
      // the first block that makes all of those final
      expect(dropped.level).toBe(1_014)
    })
  )

  it.effect("are looked for in each block until it can no longer be undone, the newest first", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      yield* waited(
        applied,
        (level) => {
          asked.push(level)
          return false
        },
        1_005
      )
      expect(asked).toEqual([
        1_001,
        ...[1_002, 1_001],
        ...[1_003, 1_002, 1_001],
        ...[1_004, 1_003, 1_002],
        ...[1_005, 1_004, 1_003],
        ...[1_005, 1_004],
        1_005
      ])
    })
  )

  /** What comes of a payment whose answer is lost, on a chain that is this high by then; and the blocks that were looked through. */
  const unclear = (level: number, given: Partial<TezosCalls> | ((hash: string) => Partial<TezosCalls>)) =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      let hash = ""
      let own: Partial<TezosCalls> = {}
      const rpc = chain(10_000_000n, {
        getBlockHeader: (input) =>
          Effect.succeed({
            level: input?.block === "head~2" ? 1_000 : level,
            hash: branch,
            chain_id: "NetXdQprcVkpaWU"
          }),
        getPendingOperations: (input) => {
          expect(input).toEqual({ operationHash: hash })
          return own.getPendingOperations?.(input) ?? Effect.succeed({})
        },
        getOperationHashes: (input) => {
          asked.push(Number(input?.block))
          return own.getOperationHashes?.(input) ?? Effect.succeed([[hash], [], [], ["another"]])
        },
        getContractCounter: (input) => own.getContractCounter?.(input) ?? Effect.succeed("41"),
        getOperationList: (input) => own.getOperationList?.(input) ?? Effect.succeed([]),
        injectOperation: ({ operationBytes }) => {
          hash = encodeOpHash(operationBytes)
          own = typeof given === "function" ? given(hash) : given
          return own.injectOperation?.({ operationBytes }) ?? Effect.fail(lost)
        }
      })
      const account = yield* made({ mnemonic: words }, rpc)
      return { asked, outcome: yield* runWithTime(account.send({ to, amount: 1n }), 3_000) }
    })

  it.effect("are known where they wait for a block, or are in one of those since", () =>
    Effect.gen(function* () {
      for (const where of ["applied", "validated"] as const)
        expect(
          yield* unclear(1_003, (hash) => ({
            getPendingOperations: () => Effect.succeed({ [where]: [{ hash: "another" }, { hash }] })
          }))
        ).toMatchObject({ outcome: { _tag: "Right" }, asked: [] })
      const others = { getPendingOperations: () => Effect.succeed({ applied: [{ hash: "another" }] }) }
      expect(yield* unclear(1_003, others)).toMatchObject({
        outcome: { left: { _tag: "BroadcastUnclear" } },
        asked: Array.from({ length: 6 }, () => [1_003, 1_002, 1_001]).flat()
      })
      expect(
        yield* unclear(1_003, (hash) => ({
          getOperationHashes: (input) => Effect.succeed([[], [], [], input?.block === "1002" ? [hash] : []])
        }))
      ).toMatchObject({ outcome: { _tag: "Right" }, asked: [1_003, 1_002] })
      // of those of a chain that has gone on without it, the newest
      const { asked } = yield* unclear(1_100, {})
      expect([asked.length, asked[0], asked.at(-1)]).toEqual([6 * 31, 1_100, 1_070])
      // as far as nodes can be asked
      expect(yield* unclear(1_003, { getPendingOperations: () => Effect.fail(lost) })).toMatchObject({
        outcome: { left: { _tag: "BroadcastUnclear" } }
      })
    })
  )

  it.effect("that are refused with a counter of the past are those that were sent, or another one's", () =>
    Effect.gen(function* () {
      const past = {
        injectOperation: () => Effect.fail(rejected("proto.024-PtTALLiN.contract.counter_in_the_past"))
      }
      expect(yield* unclear(1_003, past)).toMatchObject({
        outcome: { left: { _tag: "RequestRejected" } }
      })
      const used = { ...past, getContractCounter: () => Effect.succeed("42") }
      for (const [source, counter, left] of [
        [address, "42", { _tag: "NonceTaken", address, nonce: 42 }],
        [address, "41", { _tag: "RequestRejected" }],
        [to, "42", { _tag: "RequestRejected" }]
      ] as const)
        expect(
          yield* unclear(1_003, {
            ...used,
            getOperationList: ({ block }) =>
              Effect.succeed(block === "1002" ? [{ hash: "other", contents: [{ source, counter }] }] : [])
          })
        ).toMatchObject({ outcome: { left } })
      expect(
        yield* unclear(1_003, (hash) => ({
          ...past,
          getPendingOperations: () => Effect.succeed({ validated: [{ hash }] })
        }))
      ).toMatchObject({ outcome: { _tag: "Right" } })
      const future = rejected("proto.024-PtTALLiN.contract.counter_in_the_future")
      expect(yield* unclear(1_003, { injectOperation: () => Effect.fail(future) })).toMatchObject({
        outcome: { left: future }
      })
    })
  )

  it.effect("wait until the one before has its counter in the chain, or is over", () =>
    Effect.gen(function* () {
      for (const [used, levels, free] of [
        // its counter, or a later one
        [(look: number) => (look < 3 ? "41" : "42"), () => 1_001, 3],
        [(look: number) => (look < 2 ? "41" : "43"), () => 1_001, 2],
        // the last block that it can be in is final
        [() => "41", (look: number) => 1_450 + look, 3]
      ] as const) {
        let looks = 0
        const rpc = chain(10_000_000n, {
          getBlockHeader: (input) =>
            Effect.sync(() => ({
              level: input?.block === "head~2" ? 1_000 : levels(looks),
              hash: branch,
              chain_id: "NetXdQprcVkpaWU"
            })),
          getContractCounter: (input) =>
            Effect.sync(() => {
              expect(input).toEqual({ contractId: address })
              return isSent ? used(++looks) : "41"
            }),
          injectOperation: () => Effect.succeed("")
        })
        let isSent = false
        const account = yield* made({ mnemonic: words }, rpc)
        yield* account.send({ to, amount: 1n })
        isSent = true
        const fiber = yield* Effect.fork(account.prepare({ to, amount: 1n }))
        // looks are three seconds apart, and the last counter is that of the next payment
        yield* TestClock.adjust(3_000 * (free - 1) - 1)
        expect(looks).toBe(free - 1)
        yield* TestClock.adjust(1)
        yield* Fiber.join(fiber)
        expect(looks).toBe(free + 1)
      }
    })
  )

  it.effect("are waited for though a node is behind, or does not tell what became of them", () =>
    Effect.gen(function* () {
      const [account, hash] = [yield* made({ mnemonic: words }), "o"]
      let looks = 0
      const place = {
        rpc: chain(0n, {
          getBlockHeader: () => Effect.succeed({ level: 1_001, hash: branch, chain_id: "NetXdQprcVkpaWU" }),
          getOperationHashes: () =>
            Effect.suspend(() =>
              looks++ === 0 ? Effect.fail(rejected("not yet")) : Effect.succeed([[], [], [], [hash]])
            ),
          getOperationList: (input) => {
            expect(input).toEqual({ block: "1001", list: 3 })
            return Effect.succeed([{ hash: "another", contents: [{}] }])
          }
        })
      }
      const prepared = yield* account.prepare({ to, amount: 1n })
      expect(yield* runWithTime(waitForConfirmations(place, { hash, prepared }, 1), 3_000)).toMatchObject({
        _tag: "Right"
      })
      expect(looks).toBe(2)
    })
  )
})

describe("sweeps of Tezos", () => {
  it.effect("leave a millionth, with which an account that delegates is not empty", () =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words })
      const all = yield* account.prepare({ to, amount: "all" })
      expect(all.outgoing).toEqual([{ asset: "XTZ", amount: "9.999999" }])
      expect(all).toMatchObject({
        amount: 10_000_000n - all.fee - 1n,
        transaction: { amount: all.amount },
        warnings: [expect.stringMatching(/^0\.000001 XTZ stay in the account: /)]
      })
      expect((yield* account.prepare({ to, amount: all.amount })).fee).toBeLessThanOrEqual(all.fee)
      expect(yield* Effect.flip(account.prepare({ to, amount: all.amount + 2n }))).toMatchObject({
        _tag: "InsufficientFunds"
      })
    })
  )

  it.effect("have the burn of a new account and the reveal in their fee", () =>
    Effect.gen(function* () {
      const rpc = chain(10_000_000n, {
        ...answering(applied, { ...applied, allocated_destination_contract: true }),
        getContractManagerKey: () => Effect.succeed(null)
      })
      const all = yield* (yield* made({ mnemonic: words }, rpc)).prepare({ to, amount: "all" })
      expect(all.fee).toBeGreaterThan(64_250n)
      expect(all.transaction.reveal).toBeDefined()
      expect(all.amount + all.fee + 1n).toBe(10_000_000n)
    })
  )

  it.effect("of tokens are refused: nobody tells their balances in one form", () =>
    Effect.gen(function* () {
      const account = yield* made({ mnemonic: words })
      expect(yield* Effect.flip(account.prepare({ token, to, amount: "all" }))).toMatchObject({
        _tag: "InvalidAmount",
        amount: "all"
      })
      const poor = yield* made({ mnemonic: words }, chain(279n))
      expect(yield* Effect.flip(poor.prepare({ to, amount: "all" }))).toMatchObject({
        _tag: "InsufficientFunds"
      })
    })
  )
})
