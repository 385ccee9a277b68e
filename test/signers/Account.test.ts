/** Accounts whose key is elsewhere, on every family: they sign what a private key signs, and what else they yield is refused. */
// @covers accounts on libraries: bitcoin, tron, ton, xrp, stellar, cosmos, algorand, tezos
import { describe, expect, it } from "@effect/vitest"
import { ed25519 } from "@noble/curves/ed25519.js"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { Keypair } from "@stellar/stellar-base"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { hashMessage } from "viem"
import { encodeBase58 } from "../../src/chains/internal/base58.js"
import { bytesToHex } from "../../src/data/hex.js"
import type { Network } from "../../src/data/Network.js"
import * as Algorand from "../../src/signers/Algorand.js"
import * as Bitcoin from "../../src/signers/Bitcoin.js"
import * as Cosmos from "../../src/signers/Cosmos.js"
import * as Evm from "../../src/signers/Evm.js"
import { make as makePolicy } from "../../src/signers/policyRules.js"
import type { Account, KeyScheme, SigningRequest } from "../../src/signers/Signer.js"
import * as Solana from "../../src/signers/Solana.js"
import * as Stellar from "../../src/signers/Stellar.js"
import * as Tezos from "../../src/signers/Tezos.js"
import * as Ton from "../../src/signers/Ton.js"
import * as Tron from "../../src/signers/Tron.js"
import { encodeWithPrefix } from "../../src/signers/tezos/address.js"
import * as Xrp from "../../src/signers/Xrp.js"
import { runs } from "../properties.js"
import { clientOf } from "./answers.js"

interface Made {
  readonly network: string
  readonly address: string
  readonly sign: (transaction: never) => Effect.Effect<unknown, unknown>
  readonly signMessage: (message: string | Uint8Array) => Effect.Effect<string, unknown>
}

interface Family {
  readonly network: Network
  readonly scheme: KeyScheme
  readonly make: (from: never) => Effect.Effect<Made, unknown>
  readonly privateKey: (bytes: Uint8Array) => string
  /** A payment between two accounts, with all that is signed. Absent where it takes more than this test has. */
  readonly transaction?: (from: string, to: string, amount: bigint) => object
}

const utxo = (network: Network, paid = true): Family => ({
  network,
  scheme: "secp256k1",
  make: (from) => Bitcoin.make(clientOf(network), Object.assign({ utxos: () => [] }, from) as never),
  privateKey: bytesToHex,
  ...(paid
    ? {
        transaction: (_: string, to: string, amount: bigint) => ({
          inputs: [0, 1].map((vout) => ({ txid: "11".repeat(32), vout, amount: amount + 500n })),
          outputs: [{ address: to, amount: 2n * amount }],
          fee: 1_000n
        })
      }
    : {})
})

const xrp = (scheme: KeyScheme, before: string): Family => ({
  network: "ripple-mainnet",
  scheme,
  make: (from) => Xrp.make(clientOf("ripple-mainnet"), from),
  privateKey: (bytes) => `${before}${bytesToHex(bytes)}`,
  transaction: (from, to, amount) => ({ from, to, amount, fee: 12n, sequence: 7, lastLedger: 9_000 })
})

const tezos = (scheme: KeyScheme, privateKey: Family["privateKey"]): Family => ({
  network: "tezos-mainnet",
  scheme,
  make: (from) => Tezos.make(clientOf("tezos-mainnet"), from),
  privateKey,
  transaction: (from, to, amount) => ({
    ...{ from, to, amount, fee: 500n, counter: 3n, gasLimit: 2_000n, storageLimit: 300n, level: 1, until: 9 },
    branch: "BLpcXF8ADJbGuyUKNv7TypXRd5rqnoPn3PMqJLNBeRSr4VFeUuK"
  })
})

const families: ReadonlyArray<Family> = [
  {
    network: "ethereum-mainnet",
    scheme: "secp256k1",
    make: (from) => Evm.make(clientOf("ethereum-mainnet"), from),
    privateKey: bytesToHex,
    transaction: (_, to, value) => ({
      ...{ chainId: 1, nonce: 4, to, value, gas: 21_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n }
    })
  },
  {
    network: "tron-mainnet",
    scheme: "secp256k1",
    make: (from) => {
      const block = { raw_data: { number: 60_928_707n, timestamp: 1_700_000_000_000n } }
      return Tron.make(
        clientOf("tron-mainnet", { getNowBlock: { blockID: "00".repeat(32), block_header: block } }),
        from
      )
    },
    privateKey: bytesToHex,
    transaction: (from, to, amount) => ({ from, to, amount })
  },
  utxo("bitcoin-mainnet"),
  utxo("litecoin-mainnet"),
  utxo("bitcoin-cash-mainnet"),
  utxo("doge-mainnet", false),
  {
    network: "cosmos-mainnet",
    scheme: "secp256k1",
    make: (from) =>
      Cosmos.make(
        clientOf("cosmos-mainnet", {
          getLatestBlock: { block: { header: { height: "90", chain_id: "cosmoshub-4" } } },
          getAccountDetails: {
            account: { "@type": "/cosmos.auth.v1beta1.BaseAccount", account_number: "5", sequence: "8" }
          }
        }),
        from
      ),
    privateKey: bytesToHex,
    transaction: (from, to, amount) => ({ from, to, denom: "uatom", amount, fee: 1_000n, gas: 90_000n })
  },
  xrp("secp256k1", ""),
  xrp("ed25519", "ED"),
  tezos("ed25519", bytesToHex),
  tezos("secp256k1", (bytes) => encodeWithPrefix("spsk", bytes)),
  {
    network: "solana-mainnet",
    scheme: "ed25519",
    make: (from) => Solana.make(clientOf("solana-mainnet"), from),
    privateKey: (bytes) => encodeBase58(bytes),
    transaction: (from, to, amount) => ({
      ...{ from, to, amount, blockhash: encodeBase58(new Uint8Array(32).fill(7)), lastValidBlockHeight: 9n }
    })
  },
  {
    network: "stellar-mainnet",
    scheme: "ed25519",
    make: (from) => Stellar.make(clientOf("stellar-mainnet"), from),
    privateKey: (bytes) => Keypair.fromRawEd25519Seed(Buffer.from(bytes)).secret(),
    transaction: (from, to, amount) => ({ from, to, amount, fee: 100n, sequence: 3n, expires: 2_000_000_000 })
  },
  {
    network: "algorand-mainnet-algod",
    scheme: "ed25519",
    make: (from) =>
      Algorand.make(
        clientOf("algorand-mainnet-algod", {
          getTransactionParams: {
            ...{ fee: 0n, "min-fee": 1_000n, "last-round": 40n },
            "genesis-hash": "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8="
          }
        }),
        from
      ),
    privateKey: bytesToHex,
    transaction: (from, to, amount) => ({
      ...{ from, to, amount, fee: 1_000n, lease: Buffer.alloc(32, 5).toString("base64") }
    })
  },
  {
    network: "ton-mainnet",
    scheme: "ed25519",
    make: (from) => {
      const state = { balance: "9000000000", code: "", data: "", state: "uninitialized", sync_utime: 0 }
      const result = { ...state, last_transaction_id: { lt: "0", hash: "" } }
      return Ton.make(clientOf("ton-mainnet", { getAddressInformation: { result } }), from)
    },
    privateKey: bytesToHex,
    transaction: (from, to, amount) => ({ from, to, amount, bounce: false })
  }
]

const { Fn } = secp256k1.Point

/** The forms in which KMS and HSM yield signatures on secp256k1. */
const forms = (["compact", "der"] as const).flatMap((format) =>
  [true, false].map((isLow) => ({ format, isLow }))
)
type Form = (typeof forms)[number]

const signElsewhere = (scheme: KeyScheme, key: Uint8Array, bytes: Uint8Array, form: Form): Uint8Array => {
  if (scheme === "ed25519") return ed25519.sign(bytes, key)
  const { r, s } = secp256k1.Signature.fromBytes(secp256k1.sign(bytes, key, { prehash: false }))
  return new secp256k1.Signature(r, form.isLow ? s : Fn.neg(s)).toBytes(form.format)
}

const publicKeyOf = (scheme: KeyScheme, key: Uint8Array): string =>
  bytesToHex(scheme === "ed25519" ? ed25519.getPublicKey(key) : secp256k1.getPublicKey(key, true))

/** An account that signs with a key in one of the forms, and what it was asked. */
const makeElsewhere = (scheme: KeyScheme, key: Uint8Array, form: Form = { format: "der", isLow: false }) => {
  const asked: Array<SigningRequest> = []
  const account: Account = {
    scheme,
    publicKey: publicKeyOf(scheme, key),
    sign: async (request) => {
      asked.push(request)
      const signature = signElsewhere(scheme, key, request.bytes, form)
      // what is signed is a copy
      asked[asked.length - 1] = structuredClone(request)
      request.bytes.fill(0)
      request.preimage?.fill(0)
      return signature
    }
  }
  return { account, asked }
}

const keys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => secp256k1.utils.isValidSecretKey(bytes))

/** What the bytes to sign are the hash of, where the family says it. */
const preimageHashes: Readonly<Partial<Record<Network, (preimage: Uint8Array) => Uint8Array>>> = {
  "ethereum-mainnet": keccak_256,
  "tron-mainnet": sha256
}

const ONE = new Uint8Array(32).fill(1)
const TWO = new Uint8Array(32).fill(2)

// the families take what is theirs, and this test gives it to all of them
const from = (given: object) => given as never

describe.each(families)("accounts on $network with $scheme", (family) => {
  const { make, network, privateKey, scheme, transaction } = family

  it("sign as the private key does, in whatever form their signatures come", async () => {
    const property = fc.asyncProperty(
      keys,
      fc.constantFrom(...forms),
      fc.oneof(fc.string(), fc.uint8Array()),
      fc.bigInt({ min: 10_000n, max: 10n ** 12n }),
      (key, form, message, amount) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const { account, asked } = makeElsewhere(scheme, key, form)
            const own = yield* make(from({ privateKey: privateKey(key) }))
            const elsewhere = yield* make(from({ account }))
            expect(elsewhere.address).toBe(own.address)
            if (transaction !== undefined) {
              const { address: to } = yield* make(from({ privateKey: privateKey(ONE) }))
              const given = transaction(own.address, to, amount)
              const signed = yield* elsewhere.sign(from(given))
              // messages of TON name the second until which they are good
              if (network !== "ton-mainnet") expect(signed).toEqual(yield* own.sign(from(given)))
              // with what a transaction gets when it is signed
              for (const request of asked)
                expect(request).toMatchObject({
                  network,
                  address: own.address,
                  kind: "transaction",
                  transaction: given
                })
              for (const { bytes, preimage } of asked) {
                const hash = preimageHashes[network]
                expect(preimage === undefined).toBe(hash === undefined)
                if (hash !== undefined && preimage !== undefined) expect(bytes).toEqual(hash(preimage))
              }
            }
            const before = asked.length
            const signature = yield* Effect.either(elsewhere.signMessage(message))
            if (network !== "ton-mainnet")
              expect(signature).toEqual(yield* Effect.either(own.signMessage(message)))
            if (signature._tag === "Right")
              expect(asked.slice(before)).toMatchObject([
                { network, address: own.address, kind: "message", message }
              ])
          })
        )
    )
    await fc.assert(property, { numRuns: runs(30) })
  })

  it.effect("are refused if they have another scheme, no public key or no function", () =>
    Effect.gen(function* () {
      const { account } = makeElsewhere(scheme, ONE)
      // on the XRP Ledger, an account that is absent is none beside a key
      if (network !== "ripple-mainnet")
        expect(yield* Effect.flip(make(from({ account: undefined })))).toMatchObject({
          _tag: "InvalidKey",
          reason: "account must have scheme, publicKey and sign"
        })
      const refusals: ReadonlyArray<readonly [unknown, RegExp]> = [
        ["treasury", /account/],
        [{ ...account, sign: "yes" }, /^account must have scheme, publicKey and sign$/],
        [{ ...account, scheme: "p256" }, /^the account's scheme must be secp256k1 or ed25519$/],
        [{ ...account, publicKey: undefined }, /^the account's publicKey must be a/],
        [{ ...account, publicKey: `${account.publicKey}00` }, /^the account's publicKey must be a/]
      ]
      for (const [given, reason] of refusals)
        expect(yield* Effect.flip(make(from({ account: given }))), String(reason)).toMatchObject({
          _tag: "InvalidKey",
          reason: expect.stringMatching(reason)
        })
      const other = scheme === "ed25519" ? "secp256k1" : "ed25519"
      const takesBoth = families.some((each) => each.network === network && each.scheme === other)
      const made = yield* Effect.either(make(from({ account: makeElsewhere(other, ONE).account })))
      if (takesBoth) expect(made).toMatchObject({ _tag: "Right" })
      else
        expect(made).toMatchObject({
          left: {
            _tag: "InvalidKey",
            reason: `the account signs with ${other}, and the network takes ${scheme}`
          }
        })
      if (scheme === "secp256k1")
        expect(
          yield* Effect.flip(make(from({ account: { ...account, publicKey: `02${"ff".repeat(32)}` } })))
        ).toMatchObject({
          _tag: "InvalidKey",
          reason: expect.stringMatching(
            /^the account's publicKey must be a compressed public key of secp256k1/
          )
        })
    })
  )

  it.effect("sign nothing with another key, over other bytes, or as no signature at all", () =>
    Effect.gen(function* () {
      const { account } = makeElsewhere(scheme, ONE)
      const sign = (key: Uint8Array, bytes: Uint8Array) =>
        signElsewhere(scheme, key, bytes, { format: "compact", isLow: true })
      const misbehaving: ReadonlyArray<readonly [string, (request: SigningRequest) => unknown, RegExp]> = [
        ["another key", ({ bytes }) => sign(TWO, bytes), /signature/],
        [
          "other bytes",
          ({ bytes }) =>
            sign(
              ONE,
              bytes.map((byte) => byte ^ 1)
            ),
          /signature/
        ],
        [
          "a flipped bit",
          ({ bytes }) => sign(ONE, bytes).map((byte, at) => (at === 5 ? byte ^ 1 : byte)),
          /./
        ],
        ["zeros", () => new Uint8Array(64), /./],
        ["too few bytes", ({ bytes }) => sign(ONE, bytes).slice(1), /./],
        ["a recovery id behind it", ({ bytes }) => Uint8Array.of(...sign(ONE, bytes), 27), /./],
        ["nothing", () => undefined, /^the account's signature is no Uint8Array$/],
        ["text", ({ bytes }) => bytesToHex(sign(ONE, bytes)), /^the account's signature is no Uint8Array$/],
        ["an error", () => Promise.reject(new Error("the device is locked")), /^the device is locked$/]
      ]
      for (const [name, answer, reason] of misbehaving) {
        const made = yield* make(
          from({ account: { ...account, sign: async (request: SigningRequest) => answer(request) } })
        )
        const refused = { _tag: "SigningFailed", reason: expect.stringMatching(reason) }
        expect(yield* Effect.flip(made.signMessage("hello")), name).toMatchObject(refused)
        if (transaction === undefined) continue
        const { address: to } = yield* make(from({ privateKey: privateKey(TWO) }))
        expect(
          yield* Effect.flip(made.sign(from(transaction(made.address, to, 20_000n)))),
          name
        ).toMatchObject(refused)
      }
    })
  )
})

describe("accounts", () => {
  it.effect("of the XRP Ledger may be the regular key of another account", () =>
    Effect.gen(function* () {
      const { account } = makeElsewhere("ed25519", ONE)
      const address = "rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3"
      const make = (given: object) => Xrp.make(clientOf("ripple-mainnet"), from(given))
      expect((yield* make({ account, address })).address).toBe(address)
      expect((yield* make({ account })).address).not.toBe(address)
      expect(yield* Effect.flip(make({ account, address: `${address}x` }))).toMatchObject({
        _tag: "InvalidKey"
      })
    })
  )

  it.effect("see the number and the end that a transaction gets when it is signed", () =>
    Effect.gen(function* () {
      const added: ReadonlyArray<readonly [Network, object]> = [
        ["tron-mainnet", { expiration: 1_700_000_060_000n }],
        ["cosmos-mainnet", { accountNumber: 5n, sequence: 8n, timeoutHeight: expect.any(BigInt) }],
        ["algorand-mainnet-algod", { firstValid: 40n, lastValid: 140n }],
        ["ton-mainnet", { seqno: 0, validUntil: expect.any(Number) }]
      ]
      for (const [network, fields] of added) {
        const family = families.find((each) => each.network === network)
        if (family?.transaction === undefined) throw new Error(`${network} has no transaction here`)
        const { account, asked } = makeElsewhere(family.scheme, ONE)
        const made = yield* family.make(from({ account }))
        const { address: to } = yield* family.make(from({ privateKey: family.privateKey(TWO) }))
        yield* made.sign(from(family.transaction(made.address, to, 20_000n)))
        expect(asked, network).toMatchObject([{ kind: "transaction", transaction: fields }])
      }
    })
  )

  it("see each their own request where several are signed at once, in whatever order they answer", async () => {
    const { account } = makeElsewhere("secp256k1", ONE)
    const waiting: Array<() => void> = []
    const messages = ["one", "two", "three"]
    const asked = new Map<string, unknown>()
    const sign: Account["sign"] = async (request) => {
      asked.set(bytesToHex(request.bytes), request.kind === "message" ? request.message : request.kind)
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length === messages.length) for (const each of waiting.reverse()) each()
      })
      return account.sign(request)
    }
    const made = await Effect.runPromise(
      Evm.make(clientOf("ethereum-mainnet"), { account: { ...account, sign } })
    )
    const own = await Effect.runPromise(
      Evm.make(clientOf("ethereum-mainnet"), { privateKey: bytesToHex(ONE) })
    )
    const all = (signer: Evm.EvmSigner) =>
      Effect.runPromise(Effect.all(messages.map(signer.signMessage), { concurrency: "unbounded" }))
    expect(await all(made)).toEqual(await all(own))
    expect(asked).toEqual(new Map(messages.map((each) => [hashMessage(each).slice(2), each])))
  })

  it.effect("are not asked for what a policy denies", () =>
    Effect.gen(function* () {
      const { account, asked } = makeElsewhere("ed25519", ONE)
      const policy = yield* makePolicy({ signing: ["messages"] })
      const made = yield* Xrp.make(clientOf("ripple-mainnet"), { account, policy })
      const given = { from: made.address, to: "rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3", amount: 5n, fee: 12n }
      const refused = yield* Effect.flip(made.sign({ ...given, sequence: 1, lastLedger: 9 }))
      expect(refused).toMatchObject({ _tag: "PolicyDenied" })
      expect(asked).toEqual([])
      yield* made.signMessage("hello")
      expect(asked).toMatchObject([{ kind: "message", message: "hello" }])
    })
  )

  it.effect("see typed data, and functions of one's own see the bytes alone", () =>
    Effect.gen(function* () {
      const { account, asked } = makeElsewhere("secp256k1", ONE)
      const data = {
        domain: { chainId: 1 },
        types: { Letter: [{ name: "text", type: "string" }] },
        primaryType: "Letter",
        message: { text: "hello" }
      }
      const elsewhere = yield* Evm.make(clientOf("ethereum-mainnet"), { account })
      const own = yield* Evm.make(clientOf("ethereum-mainnet"), { privateKey: bytesToHex(ONE) })
      expect(yield* elsewhere.signTypedData(data)).toBe(yield* own.signTypedData(data))
      expect(asked).toMatchObject([{ kind: "typedData", data, network: "ethereum-mainnet" }])
      const given: Array<ReadonlyArray<unknown>> = []
      const { address } = own
      const sign = (...all: ReadonlyArray<unknown>) => {
        given.push(all)
        return "0x"
      }
      const plain = yield* Evm.make(clientOf("ethereum-mainnet"), from({ address, sign }))
      yield* Effect.flip(plain.signMessage("hello"))
      expect(given.map(({ length }) => length)).toEqual([1])
    })
  )
})
