/** Accounts of a Ledger, by Ledger's own libraries: over exchanges that Ledger has recorded, and over a device in memory. */
// @covers ledger on recorded exchanges: evm, solana, tron
import { readFileSync } from "node:fs"
import EthModule from "@ledgerhq/hw-app-eth"
import SolanaModule from "@ledgerhq/hw-app-solana"
import TrxModule from "@ledgerhq/hw-app-trx"
import { openTransportReplayer, RecordStore } from "@ledgerhq/hw-transport-mocker"
import { ed25519 } from "@noble/curves/ed25519.js"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { keccak256, recoverPublicKey } from "viem"
import { describe, expect, it } from "vitest"
import { ledgerEvm, ledgerSolana, ledgerTron } from "../../src/accounts/ledger.js"
import { encodeBase58 } from "../../src/chains/internal/base58.js"
import { bytesToHex, hexToBytes } from "../../src/data/hex.js"
import * as Evm from "../../src/signers/Evm.js"
import type { Account, SigningRequest } from "../../src/signers/Signer.js"
import * as Solana from "../../src/signers/Solana.js"
import * as Tron from "../../src/signers/Tron.js"
import { runs } from "../properties.js"
import { clientOf } from "../signers/answers.js"
import { classOf, deviceKeys, LedgerDevice } from "./ledgerDevice.js"

const [Eth, SolanaApp, Trx] = [classOf(EthModule), classOf(SolanaModule), classOf(TrxModule)] as const

const privateKey = bytesToHex(deviceKeys.secp256k1)

/** The exchanges of a test of one of Ledger's libraries, which has them in its package, and what it says of them. */
const recordedBy = (library: string, test: string, title: string): string => {
  const text = readFileSync(`node_modules/@ledgerhq/${library}/tests/${test}`, "utf8")
  const at = text.indexOf(`"${title}"`)
  const exchanges = /RecordStore\.fromString\(\s*`([^`]+)`/.exec(text.slice(at))?.[1]
  if (at < 0 || exchanges === undefined) throw new Error(`${library} has no exchanges of ${title}`)
  return exchanges
}

const replay = (...exchanges: ReadonlyArray<string>) =>
  openTransportReplayer(RecordStore.fromString(exchanges.join("\n")))

const request = (changes: object): SigningRequest =>
  ({
    kind: "transaction",
    network: "",
    address: "",
    transaction: {},
    bytes: new Uint8Array(32),
    ...changes
  }) as never

/** What stands behind a path in the first command of an exchange. */
const signedIn = (exchanges: string, head: number): Uint8Array =>
  hexToBytes(/=> ([0-9a-f]+)/.exec(exchanges)?.[1]?.slice(2 * head) ?? "")

describe("accounts of a Ledger, over exchanges that Ledger has recorded", () => {
  it("have the device's key, and its signature of a transaction of an EVM chain", async () => {
    const address = recordedBy("hw-app-eth", "Eth.unit.test.ts", "getAddress")
    const { publicKey } = await ledgerEvm({ app: new Eth(await replay(address)), path: "44'/60'/0'/0'/0" })
    // compressed: the first coordinate, and whether the second is odd
    expect(publicKey).toBe(`03${/<= 4104([0-9a-f]{64})/.exec(address)?.[1]}`)
    const transaction = recordedBy("hw-app-eth", "Eth.unit.test.ts", "should clear sign the coin transaction")
    const app = new Eth(await replay(transaction))
    const account = await ledgerEvm({
      app: Object.assign(Object.create(app), {
        getAddress: async () => ({ publicKey: `04${"11".repeat(64)}` })
      })
    })
    // e0 04, a length, and a path of five parts
    const preimage = signedIn(transaction, 5 + 21)
    const signature = await account.sign(request({ preimage }))
    expect(bytesToHex(signature)).toBe(/<= 00([0-9a-f]{128})9000/.exec(transaction)?.[1])
    // it is that of some key over the hash of what the device saw
    expect(
      await recoverPublicKey({ hash: keccak256(preimage), signature: `0x${bytesToHex(signature)}00` })
    ).toMatch(/^0x04/)
  })

  it("have the device's key, and its signature of a transaction of Solana, which verifies", async () => {
    const address = recordedBy("hw-app-solana", "Solana.test.ts", "getAddress without display")
    const first = await ledgerSolana({ app: new SolanaApp(await replay(address)), path: "44'/501'/0'/0'/0'" })
    expect(first).toMatchObject({
      scheme: "ed25519",
      publicKey: /<= ([0-9a-f]{64})9000/.exec(address)?.[1]
    })
    const transaction = recordedBy("hw-app-solana", "Solana.test.ts", "signTransaction")
    const app = new SolanaApp(await replay(transaction))
    const bytes = signedIn(transaction, 5 + 1 + 9)
    const account = await ledgerSolana({
      app: Object.assign(Object.create(app), { getAddress: async () => ({ address: new Uint8Array(32) }) }),
      path: "44'/501'"
    })
    const signature = await account.sign(request({ bytes }))
    expect(bytesToHex(signature)).toBe(/<= ([0-9a-f]{128})9000/.exec(transaction)?.[1])
  })

  it("have the device's key, and its signature of a transaction of Tron", async () => {
    const address = recordedBy("hw-app-trx", "Trx.test.ts", "getAddress")
    const transaction = recordedBy("hw-app-trx", "Trx.test.ts", "signTransaction")
    const account = await ledgerTron({ app: new Trx(await replay(address, transaction)) })
    const preimage = signedIn(transaction, 5 + 21)
    const signature = await account.sign(request({ preimage }))
    expect(bytesToHex(signature)).toBe(/<= ([0-9a-f]{128})[0-9a-f]{2}9000/.exec(transaction)?.[1])
  })
})

const block = { raw_data: { number: 60_928_707n, timestamp: 1_700_000_000_000n } }
const makers = {
  evm: (from: object) => Evm.make(clientOf("ethereum-mainnet"), from as never),
  tron: (from: object) =>
    Tron.make(
      clientOf("tron-mainnet", { getNowBlock: { blockID: "00".repeat(32), block_header: block } }),
      from as never
    ),
  solana: (from: object) => Solana.make(clientOf("solana-mainnet"), from as never)
}

const to = "0x000000000000000000000000000000000000bEEF" as const
const run = Effect.runPromise

const unexpected = async (): Promise<never> => {
  throw new Error("the device was asked")
}

/** An app whose calls nobody expects. */
const silent = {
  getAddress: unexpected,
  signTransaction: unexpected,
  signPersonalMessage: unexpected,
  signEIP712Message: unexpected,
  signEIP712HashedMessage: unexpected
}

describe("accounts of a device", () => {
  it("sign on EVM chains what a private key signs: transactions of any length, messages and typed data", async () => {
    const device = new LedgerDevice("ethereum")
    const own = await run(makers.evm({ privateKey }))
    const ledger = await run(makers.evm({ account: await ledgerEvm({ app: new Eth(device) }) }))
    expect(ledger.address).toBe(own.address)
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt(0n, 10n ** 21n),
        fc.uint8Array({ maxLength: 700 }),
        fc.nat(300),
        fc.boolean(),
        fc.oneof(fc.string({ maxLength: 400 }), fc.uint8Array({ minLength: 1 })),
        async (value, data, nonce, isLegacy, message) => {
          const transaction = {
            chainId: 1,
            nonce,
            to,
            value,
            gas: 90_000n,
            ...(data.length === 0 ? {} : { data: `0x${bytesToHex(data)}` as const }),
            ...(isLegacy ? { gasPrice: 9n } : { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n })
          }
          expect(await run(ledger.sign(transaction))).toEqual(await run(own.sign(transaction)))
          if (message.length > 0)
            expect(await run(ledger.signMessage(message))).toBe(await run(own.signMessage(message)))
        }
      ),
      { numRuns: runs(60) }
    )
    const typedData = {
      domain: { name: "Permit", version: "1", chainId: 1, verifyingContract: to },
      types: {
        Permit: [
          { name: "value", type: "uint256" },
          { name: "note", type: "string" }
        ]
      },
      primaryType: "Permit",
      message: { value: 2n ** 200n, note: "all" }
    } as const
    expect(await run(ledger.signTypedData(typedData))).toBe(await run(own.signTypedData(typedData)))
    expect(device.seen.at(-1)?.[0]).toBe("typed data")
    expect(new Set(device.paths)).toEqual(new Set(["44'/60'/0'/0/0"]))
  })

  it("sign on Tron what a private key signs", async () => {
    const device = new LedgerDevice("tron")
    const own = await run(makers.tron({ privateKey }))
    const ledger = await run(makers.tron({ account: await ledgerTron({ app: new Trx(device) }) }))
    expect(ledger.address).toBe(own.address)
    const receiver = "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH"
    for (const memo of [undefined, "order 17", "x".repeat(247)]) {
      const transaction = {
        from: own.address,
        to: receiver,
        amount: 7n,
        ...(memo === undefined ? {} : { memo })
      }
      expect(await run(ledger.sign(transaction))).toEqual(await run(own.sign(transaction)))
    }
    const long = { from: own.address, to: receiver, amount: 7n, memo: "x".repeat(248) }
    expect(await run(Effect.flip(ledger.sign(long)))).toMatchObject({ _tag: "SigningFailed" })
    for (const message of ["Hello", "Grüße".repeat(100)])
      expect(await run(ledger.signMessage(message))).toBe(await run(own.signMessage(message)))
    expect(device.paths).toContain("44'/195'/0'/0/0")
  })

  it("sign on Solana what a private key signs, and no message", async () => {
    const device = new LedgerDevice("solana")
    const own = await run(makers.solana({ privateKey: encodeBase58(deviceKeys.ed25519) }))
    const account = await ledgerSolana({ app: new SolanaApp(device) })
    const ledger = await run(makers.solana({ account }))
    expect(ledger.address).toBe(own.address)
    for (const memo of [undefined, "x".repeat(400)]) {
      const transaction = {
        from: own.address,
        to: encodeBase58(ed25519.getPublicKey(new Uint8Array(32).fill(9))),
        amount: 7n,
        blockhash: encodeBase58(new Uint8Array(32).fill(7)),
        lastValidBlockHeight: 9n,
        ...(memo === undefined ? {} : { memo })
      }
      expect(await run(ledger.sign(transaction))).toEqual(await run(own.sign(transaction)))
    }
    expect(await run(Effect.flip(ledger.signMessage("Hello")))).toMatchObject({
      _tag: "SigningFailed",
      reason: expect.stringContaining("signs no such messages")
    })
    expect(device.seen).toHaveLength(2)
  })

  const transaction = { chainId: 1, nonce: 1, to, value: 1n, gas: 21_000n, gasPrice: 1n } as const
  const onDevice = async (timeout?: number) => {
    const device = new LedgerDevice("ethereum")
    const account = await ledgerEvm({ app: new Eth(device), ...(timeout === undefined ? {} : { timeout }) })
    return { account, device, signer: await run(makers.evm({ account })) }
  }

  it.each([
    ["refuse", /it was refused on the device/],
    [0x5515, /the device is locked/],
    [0x6a80, /Blind signing/],
    [0x6511, /the app on the device is another one/],
    ["sign another", /the signature is not that of/]
  ] as const)("are in words what the device says: %s", async (answer, reason) => {
    const { device, signer } = await onDevice()
    device.answer = answer
    expect(await run(Effect.flip(signer.sign(transaction)))).toMatchObject({
      _tag: "SigningFailed",
      reason: expect.stringMatching(reason)
    })
    // and it goes on afterwards
    device.answer = "confirm"
    await run(signer.sign(transaction))
  })

  it("ask one after another, since a device has one exchange at a time", async () => {
    const { device, signer } = await onDevice()
    const nonces = Array.from({ length: 20 }, (_, nonce) => nonce)
    const signed = await Promise.all(nonces.map((nonce) => run(signer.sign({ ...transaction, nonce }))))
    expect(new Set(signed.map(({ hash }) => hash)).size).toBe(20)
    expect(device.seen).toHaveLength(20)
  })

  it("do not show a hash to a person who has refused typed data", async () => {
    const refusing = {
      ...silent,
      getAddress: async () => ({
        publicKey: bytesToHex(secp256k1.getPublicKey(deviceKeys.secp256k1, false))
      }),
      signEIP712Message: async () => {
        throw Object.assign(new Error("denied"), { statusCode: 0x6985 })
      }
    }
    const signer = await run(makers.evm({ account: await ledgerEvm({ app: refusing as never }) }))
    const data = {
      domain: { chainId: 1 },
      types: { Note: [{ name: "text", type: "string" }] },
      primaryType: "Note",
      message: { text: "x" }
    } as const
    expect(await run(Effect.flip(signer.signTypedData(data)))).toMatchObject({
      _tag: "SigningFailed",
      reason: "Ledger: it was refused on the device"
    })
  })

  it("give up on a device that nobody touches", async () => {
    const { device, signer } = await onDevice(50)
    device.answer = "keep waiting"
    expect(await run(Effect.flip(signer.sign(transaction)))).toMatchObject({
      _tag: "SigningFailed",
      reason: expect.stringContaining("no answer within 50 milliseconds")
    })
  })

  it("are not made of a device with another app, or without a key", async () => {
    await expect(ledgerEvm({ app: new Eth(new LedgerDevice("solana")) })).rejects.toMatchObject({
      _tag: "SigningFailed",
      reason: expect.stringContaining("the app on the device is another one")
    })
    const none = { ...silent, getAddress: async () => ({ publicKey: "", address: new Uint8Array() }) }
    const makers: ReadonlyArray<(app: never) => Promise<Account>> = [
      (app) => ledgerEvm({ app }),
      (app) => ledgerTron({ app }),
      (app) => ledgerSolana({ app })
    ]
    for (const make of makers)
      await expect(make(none as never)).rejects.toMatchObject({
        _tag: "InvalidKey",
        reason: "Ledger: the device gave no public key"
      })
  })

  it("sign no hash alone, and no empty message", async () => {
    const { account, device, signer } = await onDevice()
    expect(await run(Effect.flip(signer.signMessage("")))).toMatchObject({
      _tag: "SigningFailed",
      reason: expect.stringContaining("no empty message")
    })
    expect(device.seen).toEqual([])
    await expect(account.sign(request({}))).rejects.toThrow("does not sign a hash of a transaction alone")
  })
})
