/**
 * What all families read and write alike: texts with checksums, mnemonics and paths, amounts, and payments that are numbered and handed to
 * nodes.
 */
import { describe, expect, it } from "@effect/vitest"
import { secp256k1 as curve } from "@noble/curves/secp256k1.js"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import type { Network } from "../../src/data/Network.js"
import {
  CallTimeout,
  NoActiveNode,
  NodeError,
  RpcError,
  SigningFailed,
  TransactionDropped,
  withAttempts
} from "../../src/data/SdkError.js"
import { decodeBase58Check, encodeBase58Check } from "../../src/signers/base58Check.js"
import {
  bech32,
  cashAddr,
  computeChecksum,
  computeRemainder,
  decodeWords as digitsOf,
  encodeWords,
  expandPrefix,
  lowBitsOfPrefix,
  regroupBits,
  toSingleCase,
  wordsToBytes
} from "../../src/signers/bech32.js"
import {
  type Broadcaster,
  type BroadcastOutcome,
  broadcastTransaction,
  isKnownToNodes,
  type TransactionStatus
} from "../../src/signers/broadcast.js"
import { deriveSecp256k1 } from "../../src/signers/keys/bip32.js"
import { deriveKey } from "../../src/signers/keys/bip39.js"
import { toLowS } from "../../src/signers/keys/lowS.js"
import { deriveEd25519 } from "../../src/signers/keys/slip10.js"
import { makeLayer } from "../../src/signers/layer.js"
import { checkMnemonic, resolvePath, splitWords } from "../../src/signers/mnemonic.js"
import { layer as policyLayer, SharedPolicy } from "../../src/signers/policy.js"
import type { FromMnemonic, Prepared, ReadError } from "../../src/signers/Signer.js"
import { makeSequencedOperations } from "../../src/signers/sequencedOperations.js"
import {
  checkAddress,
  checkBalance,
  checkFeeCap,
  invalidKey,
  loadNetworkRow,
  missingKeySource,
  reveal,
  toSmallestUnit,
  trySigning
} from "../../src/signers/signerChecks.js"
import { CallOptions } from "../../src/wire/Transport.js"

const outcome = <A, E>(effect: Effect.Effect<A, E>): A | E =>
  Either.merge(Effect.runSync(Effect.either(effect)))
/** What JavaScript may pass, where the types say otherwise. */
const wrong = (value: unknown) => value as never
const hex = (bytes: Iterable<number> | undefined) => bytes && Buffer.from([...bytes]).toString("hex")

describe("digits of five bits", () => {
  // BIP-173 and BIP-350
  it.each([
    ["a", "2uel5l", 1n],
    ["abcdef", "qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw", 1n],
    ["split", "checkupstagehandshakeupstreamerranterredcaperred2y9e3w", 1n],
    ["?", "ezyfcl", 1n],
    ["a", "lqfn3a", 0x2bc830a3n],
    ["abcdef", "l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx", 0x2bc830a3n]
  ])("under the prefix %s in %s leave what their standard says", (prefix, text, rest) => {
    const digits = digitsOf(text) ?? []
    expect(computeRemainder(bech32, [...expandPrefix(prefix), ...digits])).toBe(rest)
    expect(encodeWords(digits)).toBe(text)
    if (rest === 1n)
      expect(computeChecksum(bech32, [...expandPrefix(prefix), ...digits.slice(0, -6)])).toEqual(
        digits.slice(-6)
      )
  })

  it("have the longer checksum of CashAddr", () => {
    const words = digitsOf("qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a") ?? []
    const prefix = [...lowBitsOfPrefix("bitcoincash"), 0]
    expect(computeRemainder(cashAddr, [...prefix, ...words])).toBe(1n)
    expect(computeChecksum(cashAddr, [...prefix, ...words.slice(0, -8)])).toEqual(words.slice(-8))
    // any other digit is found
    expect(computeRemainder(cashAddr, [...prefix, ...words.slice(0, -1), (words.at(-1) ?? 0) ^ 1])).not.toBe(
      1n
    )
  })

  it("are the bytes that a program of BIP-173 has", () => {
    const words = digitsOf("qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4") ?? []
    expect(hex(wordsToBytes(words.slice(1, -6)))).toBe("751e76e8199196d454941c45d1b3a323f1433bd6")
  })

  it("hold any bytes, and give them back", () => {
    for (const bytes of [[], [0], [255], [1, 2, 3, 4, 5], new Array<number>(41).fill(255)]) {
      const words = regroupBits(bytes, 8, 5, true) ?? []
      expect(words).toHaveLength(Math.ceil((bytes.length * 8) / 5))
      expect(Math.max(0, ...words)).toBeLessThan(32)
      expect(hex(wordsToBytes(words))).toBe(hex(bytes))
    }
    expect(regroupBits([255], 8, 5, true)).toEqual([31, 28])
  })

  it("are no bytes where what is left over is more than padding", () => {
    expect(wordsToBytes([0, 0])).toEqual(Uint8Array.of(0))
    for (const words of [[0], [0, 1], [31, 29], [0, 0, 0]]) expect(wordsToBytes(words)).toBeUndefined()
  })

  it("are none in a text with another character", () => {
    for (const text of ["b", "qq1", "Q"]) expect(digitsOf(text)).toBeUndefined()
    expect(digitsOf("")).toEqual([])
  })

  it("are in one case", () => {
    expect([toSingleCase("BC1Q"), toSingleCase("bc1q"), toSingleCase("Bc1q"), toSingleCase("bC1Q")]).toEqual([
      "bc1q",
      "bc1q",
      undefined,
      undefined
    ])
  })
})

describe("Base58 with a checksum", () => {
  const ripple = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"

  it("is that of the accounts of zeros, of Bitcoin and of the XRP Ledger", () => {
    const zeros = new Uint8Array(21)
    expect(encodeBase58Check(zeros)).toBe("1111111111111111111114oLvT2")
    expect(encodeBase58Check(zeros, ripple)).toBe("rrrrrrrrrrrrrrrrrrrrrhoLvTp")
    expect(decodeBase58Check("1111111111111111111114oLvT2")).toEqual(zeros)
    expect(decodeBase58Check("rrrrrrrrrrrrrrrrrrrrrhoLvTp", ripple)).toEqual(zeros)
  })

  it("is wrong where any character is another one", () => {
    for (const text of [
      "1111111111111111111114oLvT3",
      "111111111111111111114oLvT2",
      "1111111111111111111124oLvT2"
    ])
      expect(decodeBase58Check(text)).toBeUndefined()
  })
})

describe("a mnemonic", () => {
  const list = ["one", "two"]
  const twelve = "one two one two one two one two one two one two"
  const read = (
    mnemonic: string,
    isValid: (words: string) => boolean = () => true,
    lengths?: Array<number>
  ) => outcome(checkMnemonic({ mnemonic }, list, isValid, lengths))

  it("has its words however they are written", () => {
    expect(splitWords(" One\t\n TWO  ｏｎｅ ")).toEqual(["one", "two", "one"])
    expect(splitWords(Redacted.make("one two"))).toEqual(["one", "two"])
  })

  it("is what is hashed where its words and their checksum are right", () => {
    const seen: Array<string> = []
    expect(read(twelve.toUpperCase(), (words) => seen.push(words) > 0)).toBe(twelve)
    expect(seen).toEqual([twelve])
    for (const count of [15, 18, 21, 24]) expect(read("one ".repeat(count))).toBe("one ".repeat(count).trim())
  })

  it.each([
    ["", "it has no words, and must have 12, 15, 18, 21, 24", undefined],
    [" ", "it has no words, and must have 12, 15, 18, 21, 24", undefined],
    ["one", "it has 1 word, and must have 12, 15, 18, 21, 24", undefined],
    ["one two", "it has 2 words, and must have 12, 15, 18, 21, 24", undefined],
    [twelve.replace("one", "eins"), "word 1 is not in the English list of BIP-39", 1],
    [`${twelve.slice(0, -3)}zwei`, "word 12 is not in the English list of BIP-39", 12]
  ])("of %s is refused, and tells none of its words", (mnemonic, reason, position) => {
    const refusal = read(mnemonic)
    expect(refusal).toMatchObject({ _tag: "InvalidMnemonic", reason })
    expect(Reflect.get(Object(refusal), "position")).toBe(position)
  })

  it("has the lengths of its family", () => {
    expect(read("one two", undefined, [2])).toBe("one two")
    expect(read(twelve, undefined, [2, 3])).toMatchObject({
      reason: "it has 12 words, and must have 2, 3"
    })
  })

  it("with a wrong checksum is refused", () => {
    expect(read(twelve, () => false)).toMatchObject({
      _tag: "InvalidMnemonic",
      reason: "its checksum is wrong: a word is another one or stands elsewhere"
    })
  })
})

describe("the path of a key", () => {
  const standard = (index: number) => `m/44'/60'/0'/0/${index}`
  const hardened = (index: number) => `m/44'/501'/${index}'`
  const path = (
    from: Omit<FromMnemonic, "mnemonic">,
    paths: Parameters<typeof resolvePath>[1] = { standard }
  ) => outcome(resolvePath({ mnemonic: "", ...from }, paths))

  it("is the standard one of its number, or the one that is given", () => {
    expect(path({})).toBe("m/44'/60'/0'/0/0")
    expect(path({ index: 7 })).toBe("m/44'/60'/0'/0/7")
    expect(path({ index: 0x7fff_ffff })).toBe("m/44'/60'/0'/0/2147483647")
    expect(path({ derivation: "standard" })).toBe("m/44'/60'/0'/0/0")
    for (const given of ["m/0", "m/44'/0", "m/2147483647'", "m/1/2/3/4/5/6"])
      expect(path({ path: given })).toBe(given)
  })

  it("is that of the incumbent where it has one", () => {
    const paths = { standard, tatum: (index: number) => `m/${index}` }
    expect(path({ derivation: "tatum", index: 3 }, paths)).toBe("m/3")
    expect(path({ derivation: "standard", index: 3 }, paths)).toBe("m/44'/60'/0'/0/3")
    const none = path({ derivation: "tatum" })
    expect(none).toMatchObject({ _tag: "InvalidKey" })
    expect(String(none)).toContain('derivation "tatum" is none here')
    expect(String(path({ derivation: wrong("ledger") }, paths))).toContain('must be "standard" or "tatum"')
  })

  it.each([-1, 1.5, 0x8000_0000, Number.NaN, "1"])("has no number %s", (index) => {
    expect(path({ index: wrong(index) })).toMatchObject({
      _tag: "InvalidKey",
      reason: "index must be a whole number from 0 to 2147483647"
    })
  })

  it.each([
    "",
    "m",
    "m/",
    "44'/0",
    "xm/0",
    "m/0/",
    "m/0''",
    "m/x",
    "m/0x",
    "m/2147483648",
    "m/0/4294967296'",
    "m/12345678901",
    7
  ])("is none in %s", (given) => {
    expect(path({ path: wrong(given) })).toMatchObject({
      _tag: "InvalidKey",
      reason: "path must be a derivation path such as m/44'/60'/0'/0/0"
    })
  })

  it("is hardened in each of its parts where the standard one is", () => {
    const paths = { standard: hardened }
    expect(path({ path: "m/44'/501'" }, paths)).toBe("m/44'/501'")
    for (const given of ["m/44'/501", "m/44/501'", "m/44'/5/1'"])
      expect(path({ path: given }, paths)).toMatchObject({
        reason: "each part of its path must be hardened, as in m/44'/501'/0'"
      })
    expect(path({ path: wrong(7) }, paths)).toMatchObject({
      reason: "path must be a derivation path such as m/44'/501'/0'"
    })
  })
})

describe("a key that is derived", () => {
  const seed = Buffer.from("000102030405060708090a0b0c0d0e0f", "hex")

  // the first test vector of SLIP-10 for ed25519
  it.each([
    ["m", "2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7"],
    ["m/0'", "68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3"],
    ["m/0'/1'", "b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2"],
    ["m/0'/1'/2'", "92a5b23c0b8a99e37d07df3fb9966917f5d06e02ddbd909c7e184371463e9fc9"],
    ["m/0'/1'/2'/2'", "30d1dc7e5fc04c31219ab25a27ae00b50f6fd66622f6e9c913253d6511d1e662"],
    ["m/0'/1'/2'/2'/1000000000'", "8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793"]
  ])("on ed25519 at %s is that of SLIP-10", (path, key) => {
    expect(hex(deriveEd25519(seed, path))).toBe(key)
  })

  // the first test vector of BIP-32
  it.each([
    ["m", "e8f32e723decf4051aefac8e2c93c9c5b214313817cdb01a1494b917c8436b35"],
    ["m/0'", "edb2e14f9ee77d26dd93b4ecede8d16ed408ce149b6cd80b0715a2d911a0afea"],
    ["m/0'/1/2'/2/1000000000", "471b76e389e528d6de6d816857e012c5455051cad6660850e58372a6c3e6e7c8"]
  ])("on secp256k1 at %s is that of BIP-32", (path, key) => {
    expect(hex(deriveSecp256k1(seed, path))).toBe(key)
  })

  const mnemonic = `${"abandon ".repeat(11)}about`
  const paths = { standard: (index: number) => `m/${index}'` }

  // the first test vector of BIP-39, which has this passphrase
  it.each(["TREZOR", Redacted.make("TREZOR")])("comes of the seed of BIP-39, and of its path", (passphrase) =>
    Effect.runPromise(
      Effect.gen(function* () {
        expect(
          yield* deriveKey({ mnemonic, passphrase, index: 3 }, paths, (seed, path) => `${hex(seed)} ${path}`)
        ).toBe(
          "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04 m/3'"
        )
        expect(yield* deriveKey({ mnemonic }, paths, hex)).toBe(
          "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4"
        )
      })
    )
  )

  it.effect("is none where it cannot be derived, which tells nothing of the words", () =>
    Effect.gen(function* () {
      const refusal = yield* Effect.flip(
        deriveKey({ mnemonic }, paths, () => {
          throw new Error(`none of ${mnemonic}`)
        })
      )
      expect(refusal).toMatchObject({ _tag: "InvalidMnemonic", reason: "no key can be derived from it" })
      expect(String(refusal)).not.toContain("abandon")
      expect(yield* Effect.flip(deriveKey({ mnemonic: "abandon ".repeat(12) }, paths, hex))).toMatchObject({
        reason: "its checksum is wrong: a word is another one or stands elsewhere"
      })
    })
  )

  it("signs in the form with the lower s, whichever of both it was", () => {
    const { Fn } = curve.Point
    const half = Fn.ORDER / 2n
    const of = (s: bigint) => new curve.Signature(1n, s).toBytes()
    for (const low of [1n, half]) {
      expect(toLowS(of(low))).toEqual(of(low))
      expect(toLowS(of(Fn.ORDER - low))).toEqual(of(low))
    }
    expect(() => toLowS(new Uint8Array(64))).toThrow()
    expect(() => toLowS(new Uint8Array(65).fill(1))).toThrow()
  })
})

describe("amounts", () => {
  const coin = { address: "me", asset: "COIN", decimals: 2 }

  it("are whole coins as text, and the smallest unit as bigint", () => {
    expect(outcome(toSmallestUnit("1.5", 2, "COIN"))).toBe(150n)
    expect(outcome(toSmallestUnit(150n, 2, "COIN"))).toBe(150n)
    expect(outcome(toSmallestUnit("0.01", 2, "COIN"))).toBe(1n)
  })

  it.each([
    [wrong(1.5), "must be a decimal string in whole coins or a bigint in the smallest unit"],
    [
      "1.234",
      'must be a decimal number such as "1.5", with at most the 2 digits after the point that COIN has'
    ],
    [
      "much",
      'must be a decimal number such as "1.5", with at most the 2 digits after the point that COIN has'
    ],
    ["0x10", "is a quantity of a node: pass BigInt(amount), which is in the smallest unit"],
    ["0", "must be above zero"],
    [0n, "must be above zero"],
    [-1n, "must be above zero"]
  ])("are refused: %s", (amount, reason) => {
    expect(outcome(toSmallestUnit(amount, 2, "COIN"))).toMatchObject({
      _tag: "InvalidAmount",
      amount: String(amount),
      reason
    })
  })

  it("are paid by who has so much, to the last unit", () => {
    expect(outcome(checkBalance(150n, 150n, coin))).toBeUndefined()
    expect(outcome(checkBalance(151n, 150n, coin))).toMatchObject({
      _tag: "InsufficientFunds",
      address: "me",
      asset: "COIN",
      needed: "1.51",
      available: "1.5"
    })
  })

  it("of fees are no higher than their cap", () => {
    expect(outcome(checkFeeCap(150n, undefined, coin, 150n))).toBe(150n)
    expect(outcome(checkFeeCap(120n, "1.5", coin, 1n))).toBe(150n)
    expect(outcome(checkFeeCap(151n, undefined, coin, 150n))).toMatchObject({ fee: "1.51", cap: "1.5" })
    expect(outcome(checkFeeCap(151n, 150n, coin, 1_000n))).toMatchObject({
      _tag: "FeeOverCap",
      fee: "1.51",
      cap: "1.5",
      asset: "COIN"
    })
    expect(outcome(checkFeeCap(1n, "no", coin, 150n))).toMatchObject({ _tag: "InvalidAmount" })
  })
})

describe("what else all signers read", () => {
  it("a secret is text, wrapped or not, and nothing else", () => {
    expect([
      reveal("a"),
      reveal(Redacted.make("b")),
      reveal(wrong(7)),
      reveal(wrong(Redacted.make(7)))
    ]).toEqual(["a", "b", "", ""])
  })

  it("an address has a problem, or is one", () => {
    expect(outcome(checkAddress("tron-mainnet", "T1", undefined))).toBe("T1")
    expect(outcome(checkAddress("tron-mainnet", "T1", "its checksum is wrong"))).toMatchObject({
      _tag: "InvalidAddress",
      address: "T1",
      network: "tron-mainnet",
      reason: "its checksum is wrong"
    })
  })

  it("a key that cannot be used says why, and what a signer is made from", () => {
    expect(outcome(invalidKey("it is short"))).toMatchObject({ _tag: "InvalidKey", reason: "it is short" })
    expect(outcome(missingKeySource)).toMatchObject({ _tag: "InvalidKey" })
  })

  it.effect("what a holder of keys throws is the reason", () =>
    Effect.gen(function* () {
      expect(yield* trySigning(async () => "signed")).toBe("signed")
      const failed = yield* Effect.flip(trySigning(() => Promise.reject(new Error("the device is locked"))))
      expect(failed).toMatchObject({ _tag: "SigningFailed", reason: "the device is locked" })
    })
  )

  it.effect("a network has to be of the signer's family", () =>
    Effect.gen(function* () {
      for (const network of ["tron-mainnet", "tron-testnet"] as const)
        expect(yield* loadNetworkRow(network, ["doge", "tron"])).toMatchObject({ id: network })
      for (const network of ["tron-mainnet", "atlantis-mainnet"]) {
        const refusal = yield* Effect.flip(loadNetworkRow(network as Network, ["doge", "solana"]))
        expect(refusal).toMatchObject({ _tag: "InvalidArgument", call: "signer" })
        expect(String(refusal)).toContain(network)
        expect(String(refusal)).toContain("doge or solana")
      }
    })
  )
})

describe("signers as layers", () => {
  it.effect("are made over the client under its tag, and fail as they do", () =>
    Effect.gen(function* () {
      const Client = Context.GenericTag<"Client", string>("Client")
      const Account = Context.GenericTag<"Account", string>("Account")
      const layered = makeLayer((client: string, from: string) =>
        from === "" ? invalidKey(`${client} has none`) : Effect.succeed(`${from} on ${client}`)
      )
      const made = (from: string) => Effect.provide(Account, layered(Account, Client, from))
      expect(yield* Effect.provideService(made("mine"), Client, "the chain")).toBe("mine on the chain")
      expect(yield* Effect.flip(Effect.provideService(made(""), Client, "the chain"))).toMatchObject({
        reason: "the chain has none"
      })
    })
  )
})

describe("a transaction that is handed to nodes", () => {
  const url = "https://node.example"
  const lost = (reason: string) => new NodeError({ kind: "network", call: "send", url, reason })
  const late = new CallTimeout({ call: "send", timeout: 1 })
  const refusal = new RpcError({ method: "send", code: -32_000, rpcMessage: "no", url })
  const attempt = { node: url, ms: 1 }
  /** One node has refused what another one may have taken. */
  const split = withAttempts(new RpcError({ method: "send", code: -32_000, rpcMessage: "known", url }), [
    { ...attempt, outcome: "notProtocol" },
    { ...attempt, outcome: "noAnswer" }
  ])
  const signed = { raw: "bytes", hash: "hash" }
  const dropped = new TransactionDropped({ hash: "hash", reason: "its time is over" })

  /** What comes of it where nodes say and show this, one after another, with the milliseconds at which it was sent. */
  const handed = (
    answers: ReadonlyArray<"accepted" | ReadError>,
    shown: ReadonlyArray<TransactionStatus | ReadError | TransactionDropped>,
    isOpen = false
  ) =>
    Effect.gen(function* () {
      const start = yield* Clock.currentTimeMillis
      const sent: Array<number> = []
      let looks = 0
      const handing: Broadcaster = {
        nodes: undefined,
        propagationMs: 2_500,
        broadcast: (given) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            expect(given).toBe(signed)
            const answer = answers[Math.min(sent.push(now - start), answers.length) - 1]
            if (answer === undefined) throw new Error("nothing is to be sent")
            return typeof answer === "string" ? Effect.succeed(answer) : Effect.fail(answer)
          }),
        lookUp: (hash) =>
          Effect.suspend(() => {
            expect(hash).toBe("hash")
            const here = shown[Math.min(++looks, shown.length) - 1]
            if (here === undefined) throw new Error("nothing is to be looked for")
            return typeof here === "string" ? Effect.succeed(here) : Effect.fail(here)
          })
      }
      const fiber = yield* Effect.fork(Effect.either(broadcastTransaction(handing, signed, isOpen)))
      yield* TestClock.adjust("1 minute")
      return { outcome: Either.merge(yield* Fiber.join(fiber)), sent, looks }
    })
  /** Until what one node has taken would be seen at all. */
  const rounds = [0, 250, 750, 1_750, 3_750]

  it.effect("is there where a node has taken it", () =>
    Effect.gen(function* () {
      expect(yield* handed(["accepted"], [])).toEqual({ outcome: "accepted", sent: [0], looks: 0 })
    })
  )

  it.effect("is there where a node shows it, whatever was said of it", () =>
    Effect.gen(function* () {
      for (const error of [refusal, lost("hang up"), late, split]) {
        expect(yield* handed([error], ["known"])).toEqual({ outcome: "accepted", sent: [0], looks: 1 })
        expect(yield* handed([error], ["absent", late, "known"])).toEqual({
          outcome: "accepted",
          sent: rounds.slice(0, 3),
          looks: 3
        })
        expect(yield* handed([error, "accepted"], ["absent"])).toMatchObject({ outcome: "accepted" })
      }
    })
  )

  it.effect(
    "has lost its place only where a block shows another one there, and is over only where a node shows it",
    () =>
      Effect.gen(function* () {
        for (const error of [refusal, lost("hang up"), late, split]) {
          expect(yield* handed([error], ["absent", "replaced"])).toMatchObject({ outcome: "replaced" })
          expect((yield* handed([error], ["absent", dropped])).outcome).toBe(dropped)
        }
      })
  )

  it.effect(
    "is refused where each node that got it has said so, as long as one of them could be seen to have it",
    () =>
      Effect.gen(function* () {
        expect(yield* handed([refusal], ["absent"])).toEqual({ outcome: refusal, sent: rounds, looks: 5 })
        // its bytes went out before: what is said now says nothing of then
        expect(yield* handed([refusal], ["absent"], true)).toMatchObject({
          outcome: { _tag: "BroadcastUnclear", ...signed }
        })
      })
  )

  it.effect("is unclear in every other case, and the same bytes go out again until then", () =>
    Effect.gen(function* () {
      for (const error of [lost("hang up"), late, split])
        for (const answers of [[error], [error, refusal], [refusal, error, refusal]])
          expect(yield* handed(answers, ["absent"])).toEqual({
            outcome: expect.objectContaining({ _tag: "BroadcastUnclear", ...signed, reason: error.message }),
            sent: rounds,
            looks: 5
          })
      // nobody could be asked at the end
      expect(yield* handed([refusal], ["absent", "absent", "absent", "absent", late])).toMatchObject({
        outcome: { _tag: "BroadcastUnclear", reason: refusal.message }
      })
    })
  )

  it.effect("has not been sent where no node was reached", () =>
    Effect.gen(function* () {
      const closed = withAttempts(lost("connection refused"), [{ ...attempt, outcome: "unreached" }])
      expect(yield* handed([closed], [])).toEqual({ outcome: closed, sent: rounds, looks: 0 })
      const none = new NoActiveNode({
        network: "ethereum-mainnet",
        type: "NORMAL",
        manual: false,
        reason: "all have failed"
      })
      expect(yield* handed([none], [])).toEqual({ outcome: none, sent: [0], looks: 0 })
      // it had left before
      expect(yield* handed([late, none], ["absent"])).toMatchObject({
        outcome: { _tag: "BroadcastUnclear", reason: late.message }
      })
      expect(yield* handed([none], ["absent"], true)).toMatchObject({ outcome: { _tag: "BroadcastUnclear" } })
    })
  )

  it.effect("is not known where nobody can be asked", () =>
    Effect.gen(function* () {
      const of = (shown: Effect.Effect<TransactionStatus, ReadError>) =>
        isKnownToNodes({ nodes: undefined, lookUp: () => shown }, "hash")
      expect([
        yield* of(Effect.succeed("known")),
        yield* of(Effect.succeed("absent")),
        yield* of(Effect.succeed("replaced")),
        yield* of(Effect.fail(late))
      ]).toEqual([true, false, false, false])
    })
  )

  describe("to several nodes", () => {
    /** What comes of it where each node says and shows this, in all rounds. The first is the pool's choice. */
    const among = (
      nodes: ReadonlyArray<{
        readonly says: "accepted" | ReadError
        readonly shows: TransactionStatus | ReadError | TransactionDropped
        readonly failed?: boolean
      }>
    ) =>
      Effect.gen(function* () {
        const sent = nodes.map(() => 0)
        const at = Effect.map(CallOptions, ({ node = 0 }) => nodes[Number(node)])
        const handing: Broadcaster = {
          nodes: () => nodes.map(({ failed = false }) => ({ failed })),
          propagationMs: 1_000,
          broadcast: () =>
            Effect.flatMap(CallOptions, ({ node = 0 }) => {
              const says = nodes[Number(node)]?.says ?? late
              sent[Number(node)] = (sent[Number(node)] ?? 0) + 1
              return typeof says === "string" ? Effect.succeed(says) : Effect.fail(says)
            }),
          lookUp: () =>
            Effect.flatMap(at, (node) => {
              const shows = node?.shows ?? late
              return typeof shows === "string" ? Effect.succeed(shows) : Effect.fail(shows)
            })
        }
        const fiber = yield* Effect.fork(Effect.either(broadcastTransaction(handing, signed)))
        yield* TestClock.adjust("1 minute")
        return { outcome: Either.merge(yield* Fiber.join(fiber)), sent }
      })

    it.effect("is there where one of them has it", () =>
      Effect.gen(function* () {
        const knowing = { says: refusal, shows: "known" } as const
        const other = { says: refusal, shows: "replaced" } as const
        expect((yield* among([other, other, knowing])).outcome).toBe("accepted")
        // the first refuses it, another takes it
        expect(
          yield* among([
            { says: refusal, shows: "absent" },
            { says: "accepted", shows: "absent" }
          ])
        ).toEqual({
          outcome: "accepted",
          sent: [2, 1]
        })
      })
    )

    it.effect("has lost its place, or is over, where two of them show it", () =>
      Effect.gen(function* () {
        for (const shows of ["replaced", dropped] as const) {
          const node = { says: refusal, shows }
          const blind = { says: refusal, shows: "absent" } as const
          expect((yield* among([node, node, blind])).outcome).toBe(shows)
          expect((yield* among([node, blind])).outcome).toBe(refusal)
        }
      })
    )

    it.effect("is unclear where one that got it cannot be asked any more, whatever it has said before", () =>
      Effect.gen(function* () {
        const silent = { says: refusal, shows: late } as const
        for (const nodes of [
          [silent, { says: refusal, shows: "absent" }],
          [{ says: refusal, shows: "absent" }, silent]
        ] as const)
          expect((yield* among(nodes)).outcome).toMatchObject({ _tag: "BroadcastUnclear" })
      })
    )

    it.effect("goes to those that are well, and all are asked for it", () =>
      Effect.gen(function* () {
        const failed = { says: late, shows: late, failed: true } as const
        expect(yield* among([{ says: refusal, shows: "absent" }, failed])).toEqual({
          outcome: refusal,
          sent: [4, 0]
        })
        expect(
          (yield* among([
            { says: refusal, shows: "absent" },
            { ...failed, shows: "known" }
          ])).outcome
        ).toBe("accepted")
      })
    )
  })
})

describe("payments that are numbered", () => {
  interface Tx {
    readonly to: string
    readonly sequence?: number
  }
  interface Whole extends Tx {
    readonly sequence: number
  }
  const url = "https://node.example"
  const lost = new NodeError({ kind: "network", call: "send", url, reason: "socket hang up" })
  const refusal = new RpcError({ method: "send", code: -32_000, rpcMessage: "no", url })
  const isComplete = (tx: Tx): tx is Whole => tx.sequence !== undefined

  /** A ledger that says this of the payments that it is handed, one after another; `replaced` is shown, and not said. */
  const ledger = (...answers: ReadonlyArray<BroadcastOutcome | ReadError>) => {
    let shows: TransactionStatus = "absent"
    const told: Array<string> = []
    const left = [...answers]
    const parts = makeSequencedOperations<Tx, Whole>({
      address: "me",
      isComplete,
      completeTransaction: (tx, newest) => Effect.succeed({ ...tx, sequence: (newest?.sequence ?? 40) + 1 }),
      signTransaction: ({ sequence, to }) =>
        to === "nobody"
          ? Effect.fail(new SigningFailed({ reason: "the device is locked" }))
          : Effect.sync(() => {
              told.push(`signed ${sequence}`)
              return { raw: `raw ${sequence}`, hash: `hash ${sequence}` }
            }),
      makeBroadcaster: ({ sequence }) => ({
        broadcast: ({ raw }) =>
          Effect.suspend(() => {
            told.push(`sent ${raw}`)
            const answer = left.length > 1 ? left.shift() : left[0]
            if (answer === undefined) throw new Error("nothing is to be sent")
            shows = answer === "replaced" ? answer : "absent"
            return answer === "accepted"
              ? Effect.succeed(answer)
              : Effect.fail(answer === "replaced" ? refusal : answer)
          }),
        lookUp: () => Effect.sync(() => shows),
        nodes: undefined,
        propagationMs: 0,
        confirmAccepted: (hash) => Effect.sync(() => told.push(`settled ${hash} as ${sequence}`))
      }),
      waitForConfirmations: (hash, { sequence }, confirmations) =>
        Effect.sync(() => void told.push(`landed ${hash} as ${sequence}, ${confirmations} deep`))
    })
    return { parts, told }
  }
  const payment = (to: string, sequence?: number): Prepared<Tx> => ({
    network: "stellar-mainnet",
    from: "me",
    to,
    amount: 1n,
    fee: 1n,
    outgoing: [],
    warnings: [],
    transaction: sequence === undefined ? { to } : { to, sequence }
  })

  const leaves = (): void => {}

  it.effect("have each the number behind that of the last one that nodes have taken", () =>
    Effect.gen(function* () {
      const { parts, told } = ledger("accepted")
      const first = yield* parts.broadcast(payment("you"), leaves)
      expect(first).toMatchObject({
        hash: "hash 41",
        prepared: { to: "you", transaction: { to: "you", sequence: 41 } }
      })
      yield* parts.waitForConfirmations(first, 3)
      expect(yield* parts.broadcast(payment("them"), leaves)).toMatchObject({ hash: "hash 42" })
      expect(yield* parts.sign({ to: "you" })).toEqual({ raw: "raw 43", hash: "hash 43" })
      expect(told).toEqual([
        "signed 41",
        "sent raw 41",
        "settled hash 41 as 41",
        "landed hash 41 as 41, 3 deep",
        "signed 42",
        "sent raw 42",
        "settled hash 42 as 42",
        "signed 43"
      ])
    })
  )

  it.effect("keep the number that they have", () =>
    Effect.gen(function* () {
      const { parts } = ledger("accepted")
      expect(yield* parts.broadcast(payment("you", 7), leaves)).toMatchObject({ hash: "hash 7" })
      expect(yield* parts.sign({ to: "you", sequence: 5 })).toMatchObject({ hash: "hash 5" })
      expect(yield* parts.broadcast(payment("you"), leaves)).toMatchObject({ hash: "hash 8" })
    })
  )

  it.effect("use no number up where they were refused, not signed, or another one has taken it", () =>
    Effect.gen(function* () {
      const { parts, told } = ledger("replaced", refusal, "accepted")
      expect(yield* Effect.flip(parts.broadcast(payment("you"), leaves))).toMatchObject({
        _tag: "NonceTaken",
        address: "me",
        nonce: 41
      })
      expect(yield* Effect.flip(parts.broadcast(payment("you"), leaves))).toBe(refusal)
      expect(yield* Effect.flip(parts.broadcast(payment("nobody"), leaves))).toMatchObject({
        _tag: "SigningFailed"
      })
      expect(told.join()).not.toContain("settled")
      expect(yield* parts.broadcast(payment("you"), leaves)).toMatchObject({ hash: "hash 41" })
    })
  )

  it.effect("go behind one of which nobody can tell whether it is there", () =>
    Effect.gen(function* () {
      const { parts } = ledger(lost)
      const fiber = yield* Effect.fork(Effect.flip(parts.broadcast(payment("you"), leaves)))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "BroadcastUnclear", hash: "hash 41" })
      expect(yield* parts.sign({ to: "them" })).toMatchObject({ hash: "hash 42" })
    })
  )

  it.effect("are waited for only where they were sent", () =>
    Effect.gen(function* () {
      const { parts, told } = ledger()
      const never = parts.waitForConfirmations({ hash: "hash", prepared: payment("you") }, 1)
      expect(yield* Effect.flip(never)).toMatchObject({
        _tag: "InvalidArgument",
        call: "submit",
        reason: "it was not sent"
      })
      expect(told).toEqual([])
    })
  )

  it.effect("are made one at a time", () =>
    Effect.gen(function* () {
      const { parts } = ledger()
      const first = yield* Effect.fork(parts.runExclusive(Effect.never))
      const second = yield* Effect.fork(parts.runExclusive(Effect.succeed("my turn")))
      yield* TestClock.adjust("1 minute")
      expect((yield* Fiber.poll(second))._tag).toBe("None")
      yield* Fiber.interrupt(first)
      expect(yield* Fiber.join(second)).toBe("my turn")
    })
  )
})

describe("the layer of a policy", () => {
  it.effect("provides one policy to all, and fails for rules that cannot be used", () =>
    Effect.gen(function* () {
      const request = { network: "tron-mainnet", address: "me", kind: "message", message: "hi" } as const
      const asked = Effect.flatMap(SharedPolicy, (policy) =>
        policy.authorize(request, Effect.succeed("signed"))
      )
      expect(yield* Effect.flip(Effect.provide(asked, policyLayer({})))).toMatchObject({
        _tag: "PolicyDenied"
      })
      expect(yield* Effect.provide(asked, policyLayer({ signing: ["messages"] }))).toBe("signed")
      expect(yield* Effect.flip(Effect.provide(asked, policyLayer({ limits: {} } as never)))).toMatchObject({
        _tag: "InvalidArgument"
      })
    })
  )
})
