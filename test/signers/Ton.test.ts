// @covers messages on libraries: ton
import crypto, { createHash, createHmac, pbkdf2Sync } from "node:crypto"
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { mnemonicToSeedSync } from "@scure/bip39"
import {
  Address,
  beginCell,
  Cell,
  comment,
  crc16,
  Dictionary,
  loadMessage,
  type Message,
  toNano
} from "@ton/core"
import { WalletContractV5R1 } from "@ton/ton"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import nacl from "tweetnacl"
import { vi } from "vitest"
import type { Network } from "../../src/data/Network.js"
import { RequestRejected, withAttempts } from "../../src/data/SdkError.js"
import { signer } from "../../src/entries/signers/Ton.js"
import { addressProblem, make, type TonCalls, type TonFrom } from "../../src/signers/Ton.js"
import { runs } from "../properties.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/ton/cells.js"
import { runWithTime } from "./runWithTime.js"
import {
  boc,
  type Fate,
  internalOf,
  jettonCalls,
  lost,
  makeWallet,
  orderIn,
  ran,
  transactionOf,
  walletOf
} from "./wallets.js"

const words = `${"abandon ".repeat(11)}about`

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/** SLIP-10, by its definition. */
const seedAt = (path: ReadonlyArray<number>, phrase = words): Uint8Array => {
  const step = (key: string | Buffer, data: Uint8Array) => createHmac("sha512", key).update(data).digest()
  const end = path.reduce(
    (parent, part) => {
      const data = Buffer.concat([Buffer.of(0), parent.subarray(0, 32), Buffer.alloc(4)])
      data.writeUInt32BE(part + 0x80000000, 33)
      return step(parent.subarray(32), data)
    },
    step("ed25519 seed", mnemonicToSeedSync(phrase))
  )
  return Uint8Array.from(end.subarray(0, 32))
}

/** TON's own way from words to a seed, by its definition. */
const ownSeed = (phrase: string, password = ""): Uint8Array => {
  const entropy = createHmac("sha512", phrase).update(password).digest()
  return Uint8Array.from(pbkdf2Sync(entropy, "TON default seed", 100_000, 64, "sha512").subarray(0, 32))
}

const publicKeyOf = (seed: Uint8Array): Uint8Array => nacl.sign.keyPair.fromSeed(seed).publicKey

const addressOf = (seed: Uint8Array, version: "v4" | "v5" = "v5"): string =>
  walletOf(publicKeyOf(seed), version).address.toString({ bounceable: false })

const seed = seedAt([44, 607, 0])
const publicKey = publicKeyOf(seed)
const address = addressOf(seed)
const stranger = new Address(0, Buffer.alloc(32, 7))

/** Words that @ton/crypto has made, and such with the password "secret". */
const own =
  "stairs symptom unlock menu allow spoon random snow escape fossil attract alley casual praise elder water cost soft recipe close hurdle road debris hollow"
const locked =
  "satisfy ring off siren phrase bus syrup unfair garlic royal balance garden habit easily sister kidney shiver nurse adapt antenna voyage kiwi young panther"

/** Words that pass the checks of both. */
const ambiguous =
  "stomach seed pattern walk sense romance flight rail dinosaur chapter scene jacket decrease amazing dismiss humor ready upon flame faith exact woman fan mystery"

/** Twelve words of BIP-39 that pass TON's check by chance: it makes none of twelve. */
const fewer = "about chimney abandon abandon abandon abandon abandon abandon abandon abandon abandon absorb"

const made = (
  from: unknown,
  rpc: TonCalls = makeWallet({ publicKey }).rpc,
  network: Network = "ton-mainnet"
) => make({ network, rpc }, from as TonFrom)

/** What happens to a message when it has been sent, and was looked for a few times. */
const onceSent = ({ sent }: { readonly sent: ReadonlyArray<unknown> }, then: () => void, ticks = 5) => {
  let since = 0
  return (): void => {
    if (sent.length > 0 && ++since === ticks) then()
  }
}

/** An account of the words, with 10 TON and the number 3. */
const funded = (account: Partial<Parameters<typeof makeWallet>[0]> = {}, given: Partial<TonCalls> = {}) =>
  Effect.gen(function* () {
    const node = makeWallet({ publicKey, seqno: 3, ...account }, given)
    const ton = yield* made({ mnemonic: words, wallet: account.version ?? "v5" }, node.rpc)
    return { node, ton }
  })

const messageIn = (text: string | undefined) => loadMessage(Cell.fromBase64(text ?? "").beginParse())

describe("accounts of TON", () => {
  it.effect("are those of both wallets and of each network", () =>
    Effect.gen(function* () {
      for (const version of ["v4", "v5"] as const) {
        const ton = yield* made({ mnemonic: words, wallet: version })
        expect(ton.address).toBe(addressOf(seed, version))
        expect(ton.publicKey).toBe(hex(publicKey))
        const test = yield* made({ mnemonic: words, wallet: version }, undefined, "ton-testnet")
        const wallet = walletOf(publicKey, version, -3)
        expect(test.address).toBe(wallet.address.toString({ bounceable: false, testOnly: true }))
      }
      expect((yield* made({ mnemonic: words })).address).toBe(address)
      expect((yield* made({ mnemonic: words, index: 4 })).address).toBe(addressOf(seedAt([44, 607, 4])))
      expect((yield* made({ mnemonic: words, path: "m/44'/607'/0'/0'/1'" })).address).toBe(
        addressOf(seedAt([44, 607, 0, 0, 1]))
      )
    })
  )

  it.effect("are those of private keys, and of who signs", () =>
    Effect.gen(function* () {
      for (const privateKey of [
        hex(seed),
        `0x${hex(seed)}`,
        hex(seed) + hex(publicKey),
        hex(seed).toUpperCase(),
        ` ${hex(seed)}\n`
      ])
        expect((yield* made({ privateKey })).address).toBe(address)
      const sign = (hash: Uint8Array) => nacl.sign.detached(hash, nacl.sign.keyPair.fromSeed(seed).secretKey)
      for (const given of [hex(publicKey), `0x${hex(publicKey).toUpperCase()}`])
        expect((yield* made({ publicKey: given, sign })).address).toBe(address)
    })
  )

  it.effect("are those of TON's own words, with a password too", () =>
    Effect.gen(function* () {
      expect((yield* made({ mnemonic: ` ${own.toUpperCase()} `, words: "ton" })).address).toBe(
        addressOf(ownSeed(own))
      )
      expect((yield* made({ mnemonic: locked, passphrase: "secret", words: "ton" })).address).toBe(
        addressOf(ownSeed(locked, "secret"))
      )
      expect(yield* Effect.flip(made({ mnemonic: locked, passphrase: "other", words: "ton" }))).toMatchObject(
        {
          _tag: "InvalidMnemonic",
          reason: "its words are not 24 of TON's own, or have another password"
        }
      )
    })
  )

  it.effect("are told apart by the checks of their words, and asked about where both are passed", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(made({ mnemonic: ambiguous }))).toMatchObject({
        _tag: "InvalidMnemonic",
        reason:
          'its words are good as TON\'s own and as those of BIP-39: say which by words, "ton" or "bip39"'
      })
      expect((yield* made({ mnemonic: ambiguous, words: "ton" })).address).toBe(addressOf(ownSeed(ambiguous)))
      expect((yield* made({ mnemonic: ambiguous, words: "bip39" })).address).toBe(
        addressOf(seedAt([44, 607, 0], ambiguous))
      )
      expect((yield* made({ mnemonic: own })).address).toBe(addressOf(ownSeed(own)))
      expect((yield* made({ mnemonic: own, index: 0 })).address).toBe(addressOf(ownSeed(own)))
      // where it cannot be told whether they are those of BIP-39
      expect(yield* Effect.flip(made({ mnemonic: ambiguous, path: "m/0" }))).toMatchObject({
        _tag: "InvalidKey",
        reason: "each part of its path must be hardened, as in m/44'/607'/0'"
      })
      expect((yield* made({ mnemonic: fewer })).address).toBe(addressOf(seedAt([44, 607, 0], fewer)))
      for (const more of [
        { index: 1 },
        { path: "m/44'/607'/0'" },
        { derivation: "standard" },
        { words: "ton", index: 1 }
      ])
        expect(yield* Effect.flip(made({ mnemonic: own, ...more }))).toMatchObject({
          _tag: "InvalidKey",
          reason: "TON's own words have one key: there is no index, no path and no derivation"
        })
    })
  )

  it.effect("say nothing of what the library below says of words", () =>
    Effect.gen(function* () {
      const hmac = vi.spyOn(crypto, "createHmac").mockImplementation((_, key) => {
        throw new Error(`no: ${key}`)
      })
      const refused = yield* Effect.flip(made({ mnemonic: own }))
      hmac.mockRestore()
      expect(refused).toMatchObject({ _tag: "InvalidMnemonic", reason: "no key can be derived from it" })
    })
  )

  const refusals: ReadonlyArray<readonly [string, unknown, object]> = [
    [
      "a wrong word",
      { mnemonic: words.replace("about", "abuot") },
      { _tag: "InvalidMnemonic", position: 12 }
    ],
    ["a wrong checksum", { mnemonic: `${"abandon ".repeat(11)}abandon` }, { _tag: "InvalidMnemonic" }],
    ["words that are none of TON's own", { mnemonic: words, words: "ton" }, { _tag: "InvalidMnemonic" }],
    [
      "words of a kind that is none",
      { mnemonic: words, words: "x" },
      { _tag: "InvalidKey", reason: 'words must be "bip39" or "ton"' }
    ],
    ["a path that is not hardened", { mnemonic: words, path: "m/44'/607'/0" }, { _tag: "InvalidKey" }],
    ["an index that is none", { mnemonic: words, index: -1 }, { _tag: "InvalidKey" }],
    [
      "a wallet that is none",
      { mnemonic: words, wallet: "v3" },
      { _tag: "InvalidKey", reason: 'wallet must be "v4" or "v5"' }
    ],
    ...[
      "12",
      `x${hex(seed)}`,
      `${hex(seed)}x`,
      `12${hex(seed)}`,
      `${hex(seed).repeat(3)}`,
      `00x${hex(seed).slice(1)}`
    ].map(
      (privateKey) =>
        [
          "a key of another form",
          { privateKey },
          {
            _tag: "InvalidKey",
            reason: "a private key of TON is 32 or 64 bytes: 64 or 128 hexadecimal digits"
          }
        ] as const
    ),
    [
      "a key with another's public key",
      { privateKey: hex(seed) + hex(seed) },
      { _tag: "InvalidKey", reason: "its second half is not the public key of its first half" }
    ],
    ...[
      "12",
      `x${hex(publicKey)}`,
      `${hex(publicKey)}x`,
      `0${hex(publicKey)}`,
      `00x${hex(publicKey).slice(1)}`,
      undefined
    ].map(
      (key) =>
        [
          "a public key that is none",
          { publicKey: key, sign: () => "" },
          { _tag: "InvalidKey", reason: "publicKey must be 64 hexadecimal digits" }
        ] as const
    ),
    [
      "a public key alone",
      { publicKey: hex(publicKey) },
      { _tag: "InvalidKey", reason: "must have mnemonic, privateKey, account, or sign with publicKey" }
    ],
    [
      "nothing",
      undefined,
      { _tag: "InvalidKey", reason: "say what the signer is made from: { mnemonic }, { privateKey }, …" }
    ],
    ["an empty object", {}, { _tag: "InvalidKey" }]
  ]
  it.effect.each(refusals)("refuse %s", ([, from, error]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(made(from))).toMatchObject(error)
    })
  )

  it.effect("tell nothing of their keys", () =>
    Effect.gen(function* () {
      const secrets = [hex(seed), hex(seed).toUpperCase(), "abandon", "secretword", [...seed].join()]
      const told: Array<unknown> = []
      for (const from of [{ mnemonic: words }, { privateKey: hex(seed) }]) {
        const { node, ton } = yield* funded()
        told.push(ton, Object.entries(ton), node.rpc)
        told.push(yield* Effect.exit(ton.sign({} as never)))
        told.push(yield* Effect.exit(ton.prepare({ to: "", amount: "" })))
        told.push(
          inspect(yield* Effect.exit(ton.send({ to: stranger.toString(), amount: "1" })), { depth: 12 })
        )
        told.push(yield* ton.signMessage("hello"))
        told.push(yield* Effect.promise(() => signer({ network: "ton-mainnet", rpc: {} } as never, from)))
      }
      for (const from of [
        { privateKey: `${hex(seed)}00` },
        { privateKey: hex(seed) + hex(seed) },
        { mnemonic: `${words} secretword` },
        { mnemonic: words, path: hex(seed) },
        { mnemonic: words, words: "ton" }
      ])
        told.push(yield* Effect.exit(made(from)))
      for (const each of told) {
        const text = `${inspect(each, { depth: 12, showHidden: true, getters: true })} ${String(each)} ${JSON.stringify(each, (_, value) => (typeof value === "bigint" ? String(value) : value))}`
        for (const secret of secrets) expect(text).not.toContain(secret)
      }
    })
  )
})

describe("addresses of TON", () => {
  it("are those that TON's own library takes, and no others", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.constantFrom(0, -1),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.nat(47),
        (hash, workchain, bounceable, testOnly, urlSafe, at) => {
          const given = new Address(workchain, Buffer.from(hash))
          const text = given.toString({ bounceable, testOnly, urlSafe })
          expect(addressProblem(text, "ton-testnet")).toBeUndefined()
          expect(addressProblem(text, "ton-mainnet")).toBe(testOnly ? "is one of ton-testnet" : undefined)
          expect(addressProblem(given.toRawString(), "ton-mainnet")).toBeUndefined()
          const typo = text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1)
          expect(addressProblem(typo, "ton-testnet"), typo).toBeDefined()
        }
      )
    )
    const form = "must be 48 characters of base64, or a workchain and 64 hexadecimal digits"
    const raw = `0:${"0".repeat(64)}`
    for (const text of [
      "",
      "0:12",
      `1${raw.slice(1)}`,
      `1${raw}`,
      `${raw}0`,
      `${address}A`,
      `A${address}`,
      `a0x${"1".repeat(40)}`,
      `0x${"1".repeat(41)}`,
      `+/${"-_".repeat(23)}`
    ])
      expect(addressProblem(text, "ton-mainnet"), text).toBe(form)
    for (const [flags, workchain] of [
      [0x31, 0x00],
      [0x31, 0xff],
      [0x11, 0x01],
      [0x51, 0xfe]
    ] as const) {
      const bytes = Buffer.from([flags, workchain, ...stranger.hash])
      const text = Buffer.concat([bytes, crc16(bytes)]).toString("base64url")
      expect(addressProblem(text, "ton-mainnet"), text).toBe("has flags or a workchain that are not known")
    }
    expect(addressProblem(`0x${"1".repeat(40)}`, "ton-mainnet")).toBe("is one of an EVM chain")
    expect(addressProblem(7 as never, "ton-mainnet")).toBe("must be text")
    expect(
      addressProblem(
        address.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
        "ton-mainnet"
      )
    ).toBe("has a wrong character: its checksum fails")
  })
})

describe("payments of TON", () => {
  it.effect("are signed as they were shown, whatever they are", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.constantFrom("v4" as const, "v5" as const),
          fc.option(fc.nat(2 ** 31), { nil: undefined }),
          fc.bigInt({ min: 1n, max: toNano(9) }),
          fc.option(fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" }), { nil: undefined }),
          fc.constantFrom(true, false),
          async (version, seqno, amount, memo, bounceable) => {
            const node = makeWallet({ publicKey, version, ...(seqno === undefined ? {} : { seqno }) })
            const ton = await Effect.runPromise(
              made({ privateKey: Buffer.from(seed).toString("hex"), wallet: version }, node.rpc)
            )
            const to = stranger.toString({ bounceable })
            const payment = { to, amount, ...(memo === undefined ? {} : { memo }) }
            const prepared = await Effect.runPromise(ton.prepare(payment))
            expect(prepared).toMatchObject({ amount, from: ton.address })
            expect(node.sent).toEqual([])
            const before = node.chain.balance
            const { hash } = await Effect.runPromise(ton.submit(prepared))
            expect(before - node.chain.balance).toBe(amount)
            const message = messageIn(node.sent[0])
            expect([message.info.type, String(message.info.dest)]).toEqual([
              "external-in",
              node.wallet.address.toString()
            ])
            expect(message.init == null).toBe(seqno !== undefined)
            const order = orderIn(message.body, version, publicKey)
            expect(order).toMatchObject({
              isSigned: true,
              isWhole: true,
              seqno: seqno ?? 0,
              opcode: version === "v4" ? 0 : 0x7369676e,
              walletId: version === "v4" ? 698983191 : 2147483409
            })
            const [send] = order.sends
            if (send === undefined || order.sends.length !== 1) throw new Error("it sends one message")
            expect(send.mode).toBe(3)
            const info = internalOf(send.message)
            expect([info.dest.toRawString(), info.value.coins, info.bounce]).toEqual([
              stranger.toRawString(),
              amount,
              false
            ])
            expect(send.message.init ?? undefined).toBeUndefined()
            expect(send.message.body.equals(memo === undefined ? new Cell() : comment(memo))).toBe(true)
            // the normal form of TEP-467
            const normal = beginCell()
              .storeUint(0b1000, 4)
              .storeAddress(node.wallet.address)
              .storeUint(0, 4)
              .storeUint(0b01, 2)
              .storeRef(message.body)
              .endCell()
            expect(hash).toBe(normal.hash().toString("hex"))
          }
        ),
        { numRuns: runs(60) }
      )
    )
  )

  it.effect("show what they cost, with room, and what is new", () =>
    Effect.gen(function* () {
      const asked: Array<object> = []
      const { node, ton } = yield* funded()
      const { estimateFee } = node.rpc
      Object.assign(node.rpc, {
        estimateFee: (given: Parameters<TonCalls["estimateFee"]>[0]) => {
          asked.push(given)
          return estimateFee(given)
        }
      })
      const prepared = yield* ton.prepare({ to: stranger.toString(), amount: "1.5" })
      const raw = Address.parse(address).toRawString()
      expect(asked).toStrictEqual([{ address: raw, body: expect.any(String), ignore_chksig: true }])
      expect(prepared).toStrictEqual({
        network: "ton-mainnet",
        from: address,
        transaction: {
          from: address,
          to: stranger.toString({ bounceable: false }),
          amount: toNano("1.5"),
          bounce: false
        },
        to: stranger.toString({ bounceable: false }),
        amount: toNano("1.5"),
        // 0.003 by the node, and half of it more
        fee: 4_500_001n,
        outgoing: [{ asset: "TON", amount: "1.504500001" }],
        warnings: [
          "The receiver's account is not active, and its address asks for what it cannot take to come back: it is sent so that it stays there."
        ]
      })
      const plain = yield* ton.prepare({ to: stranger.toString({ bounceable: false }), amount: 1n })
      expect(plain.warnings).toEqual([
        "The receiver's account is not active yet.",
        "The fee is more than what is paid."
      ])
      const fresh = makeWallet({ publicKey })
      const tried: Array<object> = []
      const first = yield* made(
        { mnemonic: words },
        {
          ...fresh.rpc,
          estimateFee: (given) => {
            tried.push(given)
            return fresh.rpc.estimateFee(given)
          }
        }
      )
      const opening = yield* first.prepare({ to: first.address, amount: 1n })
      const { init } = messageIn((yield* first.sign(opening.transaction)).raw)
      expect([init?.code, init?.data].map((cell) => cell && boc(cell))).toEqual([
        boc(fresh.wallet.init.code),
        boc(fresh.wallet.init.data)
      ])
      expect(opening.warnings).toEqual([
        "The receiver is the account itself.",
        "The account's own contract is made by this payment, its first one.",
        "The receiver's account is not active yet.",
        "The fee is more than what is paid."
      ])
      expect(tried).toEqual([
        {
          address: raw,
          body: expect.any(String),
          ignore_chksig: true,
          init_code: boc(fresh.wallet.init.code),
          init_data: boc(fresh.wallet.init.data)
        }
      ])
    })
  )

  it.effect("are tried with a nanoton, and cost a whole number of them", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* funded()
      const bodies: Array<string> = []
      Object.assign(node.rpc, {
        estimateFee: ({ body }: Parameters<TonCalls["estimateFee"]>[0]) => {
          bodies.push(body)
          const source_fees = { in_fwd_fee: 0.5, storage_fee: 100, gas_fee: 20, fwd_fee: 3 }
          return Effect.succeed({ result: { source_fees } })
        }
      })
      // 124 of the node, and half of it more
      expect((yield* ton.prepare({ to: stranger.toString(), amount: "1.5" })).fee).toBe(187n)
      const order = orderIn(Cell.fromBase64(bodies[0] ?? ""), "v5", publicKey)
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
      expect(order).toMatchObject({ seqno: 3, validUntil: now + 120, isSigned: false })
      const [send] = order.sends
      expect(send === undefined ? undefined : internalOf(send.message).value.coins).toBe(1n)
    })
  )

  it.effect("are on the test network those of its own addresses", () =>
    Effect.gen(function* () {
      const node = makeWallet({ publicKey, seqno: 3, isTest: true })
      const ton = yield* made({ mnemonic: words }, node.rpc, "ton-testnet")
      const to = stranger.toString({ testOnly: true, bounceable: false })
      const prepared = yield* ton.prepare({ to, amount: 5n })
      expect([prepared.from, prepared.to]).toEqual([ton.address, to])
      yield* ton.submit(prepared)
      const { isSigned, sends, walletId } = orderIn(messageIn(node.sent[0]).body, "v5", publicKey)
      expect([isSigned, walletId]).toEqual([true, 2147483645])
      expect(sends[0] === undefined ? undefined : internalOf(sends[0].message).dest.equals(stranger)).toBe(
        true
      )
    })
  )

  it.effect("bounce where the receiver is there and its address asks for it", () =>
    Effect.gen(function* () {
      const node = makeWallet({ publicKey, seqno: 3 })
      const { getAddressInformation } = node.rpc
      const rpc: TonCalls = {
        ...node.rpc,
        getAddressInformation: (asked) =>
          Effect.map(getAddressInformation(asked), ({ result }) =>
            asked === stranger.toRawString() ? { result: { ...result, state: "active" } } : { result }
          )
      }
      const ton = yield* made({ mnemonic: words }, rpc)
      for (const [to, bounce] of [
        [stranger.toString(), true],
        [stranger.toString({ bounceable: false }), false],
        [stranger.toRawString(), true]
      ] as const) {
        const prepared = yield* ton.prepare({ to, amount: "0.5" })
        expect(prepared).toMatchObject({ transaction: { bounce }, warnings: [] })
        const { raw } = yield* ton.sign(prepared.transaction)
        const [send] = orderIn(messageIn(raw).body, "v5", publicKey).sends
        expect(send === undefined ? undefined : internalOf(send.message).bounce).toBe(bounce)
      }
    })
  )

  it.effect("reach contracts of the masterchain, and know the account by all forms of its address", () =>
    Effect.gen(function* () {
      const { ton } = yield* funded()
      const elector = new Address(-1, Buffer.alloc(32, 3))
      const { to, transaction } = yield* ton.prepare({ to: elector.toString(), amount: 5n })
      expect(to).toBe(elector.toString({ bounceable: false }))
      const { raw } = yield* ton.sign(transaction)
      const [send] = orderIn(messageIn(raw).body, "v5", publicKey).sends
      expect(send === undefined ? undefined : internalOf(send.message).dest.toRawString()).toBe(
        elector.toRawString()
      )
      const own = Address.parse(address)
      for (const form of [address, own.toString(), own.toRawString(), own.toRawString().toUpperCase()])
        expect((yield* ton.prepare({ to: form, amount: "0.5" })).warnings).toEqual([
          "The receiver is the account itself."
        ])
    })
  )

  it.effect("refuse what cannot be paid, before anything is signed", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* funded({}, { getAccount: () => Effect.succeed({ memo_required: true }) })
      const to = stranger.toString()
      const memo = "7"
      for (const [payment, error] of [
        [
          { to: "EQ", amount: "1" },
          { _tag: "InvalidAddress", network: "ton-mainnet" }
        ],
        [{ to: stranger.toString({ testOnly: true }), amount: "1" }, { _tag: "InvalidAddress" }],
        [{ to, amount: "0.0000000001", memo }, { _tag: "InvalidAmount" }],
        [{ to, amount: 0n, memo }, { _tag: "InvalidAmount" }],
        [
          { to, amount: "10", memo },
          { _tag: "InsufficientFunds", address, asset: "TON", needed: "10.000000001", available: "10" }
        ],
        [
          { to, amount: "9.996", memo },
          { _tag: "InsufficientFunds", needed: "10.000500001" }
        ],
        [
          { to, amount: "1", memo, maxFee: "0.0045" },
          { _tag: "FeeOverCap", fee: "0.004500001" }
        ],
        [
          { to, amount: "1" },
          { _tag: "MemoRequired", address: to, reason: "its owner tells payments apart by it" }
        ],
        ...["", "x".repeat(1_001), 7].map(
          (memo) =>
            [
              { to, amount: "1", memo },
              {
                _tag: "InvalidArgument",
                call: "prepare",
                reason: expect.stringMatching(/^a memo must be text/)
              }
            ] as const
        ),
        [undefined, { _tag: "InvalidArgument" }]
      ] as const)
        expect(yield* Effect.flip(ton.prepare(payment as never)), inspect(payment)).toMatchObject(error)
      yield* ton.prepare({ to, amount: "9.995", memo })
      const open = yield* funded({}, { getAccount: () => Effect.succeed({ memo_required: false }) })
      yield* open.ton.prepare({ to, amount: "1" })
      yield* ton.prepare({ to, amount: 1n, memo: "x".repeat(1_000) })
      expect(node.sent).toEqual([])
    })
  )

  it.effect("are not made from a frozen account, or from a contract that is another one", () =>
    Effect.gen(function* () {
      for (const [changed, problem] of [
        [{ state: "frozen" }, "is frozen"],
        [{ code: boc(comment("x")) }, "is no wallet that this key may sign for"],
        // of version 5, whose key has been shut out in favour of an extension
        [
          { data: boc(beginCell().storeBit(0).storeUint(3, 32).endCell()) },
          "is no wallet that this key may sign for"
        ]
      ] as const) {
        const node = makeWallet({ publicKey, seqno: 3 })
        const ton = yield* made(
          { mnemonic: words },
          {
            ...node.rpc,
            getAddressInformation: (asked) =>
              Effect.map(node.rpc.getAddressInformation(asked), ({ result }) => ({
                result: { ...result, ...changed }
              }))
          }
        )
        expect(yield* Effect.flip(ton.send({ to: stranger.toString(), amount: 1n }))).toMatchObject({
          _tag: "InvalidArgument",
          call: "signer",
          reason: `${address} ${problem}`
        })
        expect(node.sent).toEqual([])
      }
    })
  )

  it.effect("are submitted only as they were prepared, and verified when another signs", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* funded()
      const prepared = yield* ton.prepare({ to: stranger.toString(), amount: 5n })
      for (const changed of [
        { ...prepared, amount: 4n },
        { ...prepared, to: address },
        { ...prepared, token: stranger.toString() },
        { ...prepared, from: stranger.toString() }
      ])
        expect(yield* Effect.flip(ton.submit(changed))).toMatchObject({ _tag: "InvalidArgument" })
      const { balance } = node.chain
      // to the last nanoton that it takes
      node.chain.balance = 5n + prepared.fee - 1n
      expect(yield* Effect.flip(ton.submit(prepared))).toMatchObject({
        _tag: "InvalidArgument",
        call: "submit",
        reason: "the account has less than it takes by now: prepare it again"
      })
      node.chain.balance = balance
      for (const sign of [
        () => new Uint8Array(64),
        () => new Uint8Array(3),
        // it changes what it is given
        (hash: Uint8Array) => nacl.sign.detached(hash.fill(0), nacl.sign.keyPair.fromSeed(seed).secretKey)
      ]) {
        const other = yield* made({ publicKey: hex(publicKey), sign }, node.rpc)
        const error = {
          _tag: "SigningFailed",
          reason: "the signature is not that of the account's key"
        }
        expect(yield* Effect.flip(other.submit(prepared))).toMatchObject(error)
        expect(yield* Effect.flip(other.signMessage("x"))).toMatchObject(error)
      }
      const sign = () => Promise.reject(new Error("no"))
      const unable = yield* made({ publicKey: hex(publicKey), sign }, node.rpc)
      expect(yield* Effect.flip(unable.submit(prepared))).toMatchObject({ _tag: "SigningFailed" })
      const wrong = { ...prepared.transaction, to: "EQ" }
      expect(yield* Effect.flip(ton.sign(wrong))).toMatchObject({
        _tag: "SigningFailed",
        reason: "EQ must be 48 characters of base64, or a workchain and 64 hexadecimal digits"
      })
      expect(node.sent).toEqual([])
      node.chain.balance = 5n + prepared.fee
      yield* ton.submit(prepared)
      expect(node.sent).toHaveLength(1)
    })
  )
})

describe("tokens of TON", () => {
  const master = new Address(0, Buffer.alloc(32, 1))
  const masterId = `tvm:-239/jetton:${master.toString()}`
  const holder = new Address(0, Buffer.alloc(32, 2))
  const owner = Address.parse(address)

  const described = (entries: Readonly<Record<string, string>>): Cell => {
    const dict = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
    for (const [name, value] of Object.entries(entries))
      dict.set(
        createHash("sha256").update(name).digest(),
        beginCell().storeUint(0, 8).storeStringTail(value).endCell()
      )
    return beginCell().storeUint(0, 8).storeDict(dict).endCell()
  }
  const usdt = described({ decimals: "6", symbol: "USD₮", uri: "https://tether.to/usdt-ton.json" })
  const withToken = (content: Cell, balance = 250_000_000n, given: Partial<TonCalls> = {}) =>
    funded({}, { runGetMethod: jettonCalls(master, { content, holder, owner, balance }), ...given })

  it.effect("are sent by the account's own contract for them, with coins for the way", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* withToken(usdt)
      const payment = { token: master.toString(), to: stranger.toString(), amount: "12.5", memo: "order 7" }
      const prepared = yield* ton.prepare(payment)
      expect(prepared).toMatchObject({
        token: master.toString(),
        to: stranger.toString(),
        amount: 12_500_000n,
        outgoing: [
          { asset: masterId, token: master.toString(), amount: "12.5", units: 12_500_000n, decimals: 6 },
          { asset: "TON", amount: "0.104500001" }
        ],
        warnings: [
          `0.1 TON go with the tokens to the account's contract for them (${holder}) and pay their way: 0.000000001 TON of these go on to the receiver with the notice of the tokens, and what is left comes back.`
        ]
      })
      yield* ton.submit(prepared)
      const { isSigned, sends } = orderIn(messageIn(node.sent[0]).body, "v5", publicKey)
      const [send] = sends
      if (send === undefined || sends.length !== 1) throw new Error("it sends one message")
      expect(isSigned).toBe(true)
      const info = internalOf(send.message)
      expect([info.dest.toRawString(), info.value.coins, info.bounce]).toEqual([
        holder.toRawString(),
        toNano("0.1"),
        true
      ])
      // TEP-74
      const body = send.message.body.beginParse()
      expect(body.loadUint(32)).toBe(0x0f8a7ea5)
      expect(body.loadUintBig(64)).toBe(0n)
      expect(body.loadCoins()).toBe(12_500_000n)
      expect(body.loadAddress().equals(stranger)).toBe(true)
      expect(body.loadAddress().equals(owner)).toBe(true)
      expect(body.loadMaybeRef()).toBeNull()
      expect(body.loadCoins()).toBe(1n)
      expect(body.loadBit()).toBe(true)
      expect(body.loadRef().equals(comment("order 7"))).toBe(true)
      expect(body.remainingBits + body.remainingRefs).toBe(0)
    })
  )

  it.effect("carry the coins that their receiver's contract is to get, as their preview says", () =>
    Effect.gen(function* () {
      for (const version of ["v4", "v5"] as const) {
        const { node, ton } = yield* funded(
          { version },
          {
            runGetMethod: jettonCalls(master, {
              ...{ content: usdt, holder, balance: 250_000_000n },
              owner: Address.parse(addressOf(seed, version))
            })
          }
        )
        const payment = { token: master.toString(), to: stranger.toString(), amount: "12.5" }
        const prepared = yield* ton.prepareToken({ ...payment, forward: "0.05" })
        expect(prepared).toMatchObject({
          outgoing: [{ amount: "12.5" }, { asset: "TON", amount: expect.stringMatching(/^0\.15/) }],
          warnings: [
            expect.stringMatching(/^0\.15 TON go with .*: 0\.05 TON of these go on to the receiver/)
          ],
          transaction: { token: { attached: toNano("0.15"), forward: toNano("0.05") } }
        })
        const { transaction } = prepared
        for (const change of [
          { attached: toNano("5") },
          { forward: toNano("0.14") },
          { wallet: stranger.toString() }
        ]) {
          const token = { ...transaction.token, ...change }
          const changed = { ...prepared, transaction: { ...transaction, token } } as typeof prepared
          expect(yield* Effect.flip(ton.submit(changed))).toMatchObject({
            _tag: "InvalidArgument",
            reason: "its transaction is another one than that of its preview"
          })
        }
        yield* ton.submit(prepared)
        const [send] = orderIn(messageIn(node.sent[0]).body, version, publicKey).sends
        if (send === undefined) throw new Error("it sends one message")
        expect(internalOf(send.message).value.coins).toBe(toNano("0.15"))
        const body = send.message.body.beginParse()
        body.skip(32 + 64)
        body.loadCoins()
        body.loadAddress()
        body.loadAddress()
        body.loadMaybeRef()
        expect(body.loadCoins()).toBe(toNano("0.05"))
        for (const [wrong, error] of [
          [payment, { _tag: "InvalidArgument", call: "prepareToken" }],
          [
            { ...payment, token: undefined, forward: "1" },
            { _tag: "InvalidArgument", call: "prepareToken" }
          ],
          [{ ...payment, forward: "-1" }, { _tag: "InvalidAmount" }],
          [undefined, { _tag: "InvalidArgument", call: "prepareToken" }]
        ] as const)
          expect(yield* Effect.flip(ton.prepareToken(wrong as never))).toMatchObject(error)
      }
    })
  )

  it.effect("are shown as they are signed, without a memo too, and tried with a nanoton", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* withToken(usdt)
      const bodies: Array<string> = []
      const { estimateFee } = node.rpc
      Object.assign(node.rpc, {
        estimateFee: (given: Parameters<TonCalls["estimateFee"]>[0]) => {
          bodies.push(given.body)
          return estimateFee(given)
        }
      })
      const prepared = yield* ton.prepare({ token: master.toString(), to: stranger.toString(), amount: "5" })
      expect(prepared.transaction).toStrictEqual({
        from: address,
        to: stranger.toString(),
        amount: 5_000_000n,
        bounce: true,
        token: {
          master: master.toString(),
          wallet: holder.toString(),
          attached: toNano("0.1"),
          forward: 1n
        }
      })
      const { raw } = yield* ton.sign(prepared.transaction)
      for (const [cell, coins] of [
        [Cell.fromBase64(bodies[0] ?? ""), 1n],
        [messageIn(raw).body, toNano("0.1")]
      ] as const) {
        const [send] = orderIn(cell, "v5", publicKey).sends
        if (send === undefined) throw new Error("it sends one message")
        const info = internalOf(send.message)
        expect([info.dest.equals(holder), info.value.coins]).toEqual([true, coins])
        const body = send.message.body.beginParse()
        body.skip(32 + 64)
        expect([body.loadCoins(), body.loadAddress().equals(stranger)]).toEqual([5_000_000n, true])
        expect([body.loadAddress().equals(owner), body.loadMaybeRef()]).toEqual([true, null])
        expect([body.loadCoins(), body.loadBit()]).toEqual([1n, false])
        expect(body.remainingBits + body.remainingRefs).toBe(0)
      }
    })
  )

  it.effect("have the decimals that stand in the chain, or amounts in the smallest unit", () =>
    Effect.gen(function* () {
      const pay = { token: master.toString(), to: stranger.toString() }
      const usual = yield* withToken(described({ symbol: "X" }), toNano(5))
      expect((yield* usual.ton.prepare({ ...pay, amount: "1.5" })).amount).toBe(toNano("1.5"))
      const away = beginCell().storeUint(1, 8).storeStringTail("https://example.org/token.json").endCell()
      for (const content of [
        away,
        new Cell(),
        described({ uri: "https://example.org" }),
        ...["", "x", "-1", "1.5", "256"].map((decimals) => described({ decimals }))
      ]) {
        const { ton } = yield* withToken(content)
        expect(yield* Effect.flip(ton.prepare({ ...pay, amount: "1.5" }))).toMatchObject({
          _tag: "InvalidArgument",
          call: "prepare",
          reason: `the decimals of ${masterId} are not in the chain: give a bigint in the smallest unit, or decimals`
        })
        const prepared = yield* ton.prepare({ ...pay, amount: 15n })
        expect(prepared.outgoing[0]).toEqual({
          asset: masterId,
          token: master.toString(),
          amount: "15",
          units: 15n,
          decimals: 0
        })
        expect(prepared.warnings.at(-1)).toBe(
          "The decimals of the token are not in the chain: its amount is in the smallest unit."
        )
      }
    })
  )

  it.effect("have the name and the decimals that stand in the chain, in one value", () =>
    Effect.gen(function* () {
      const text = (value: string, bits = 0) => {
        const bytes = Buffer.from(value)
        return beginCell().storeBuffer(bytes).storeUint(0, bits)
      }
      const named = (value: Cell, decimals: string): Cell => {
        const dict = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
        dict.set(createHash("sha256").update("symbol").digest(), value)
        dict.set(
          createHash("sha256").update("decimals").digest(),
          beginCell().storeUint(0, 8).storeStringTail(decimals).endCell()
        )
        return beginCell().storeUint(0, 8).storeDict(dict).endCell()
      }
      const whole = beginCell().storeUint(0, 8)
      for (const [value, symbol, decimals] of [
        // over two cells, with bits behind the last byte
        [whole.storeBuffer(Buffer.from("GO")).storeRef(text("LD", 4)).endCell(), "GOLD", "0"],
        [beginCell().storeUint(0, 8).storeRef(text("GOLD")).endCell(), "GOLD", "6"],
        // in pieces, as images are; and nothing
        [beginCell().storeUint(1, 8).storeBuffer(Buffer.from("GOLD")).endCell(), undefined, "255"],
        [new Cell(), undefined, "2"]
      ] as const) {
        const { ton } = yield* withToken(named(value, decimals), 10n ** 300n)
        const pay = { token: master.toString(), to: stranger.toString(), amount: 1n }
        const { outgoing, warnings } = yield* ton.prepare(pay)
        // none about decimals that would be missing
        expect(warnings).toHaveLength(1)
        const digits = Number(decimals)
        expect(outgoing[0]).toEqual({
          asset: masterId,
          ...(symbol === undefined ? {} : { symbol }),
          token: master.toString(),
          amount: digits === 0 ? "1" : `0.${"1".padStart(digits, "0")}`,
          units: 1n,
          decimals: digits
        })
      }
    })
  )

  it.effect("are what contracts say that have done what they were asked for", () =>
    Effect.gen(function* () {
      const usually = jettonCalls(master, { content: usdt, holder, owner, balance: 250_000_000n })
      const pay = { token: master.toString(), to: stranger.toString(), amount: "1" }
      // 0 and 1 are success, and with any other code what is on the stack is no answer
      for (const [exit_code, outcome] of [
        [0, { right: { amount: 1_000_000n } }],
        [1, { right: { amount: 1_000_000n } }],
        [11, { left: { _tag: "InvalidArgument", reason: expect.stringContaining("is no token (jetton)") } }]
      ] as const) {
        const { ton } = yield* funded(
          {},
          {
            runGetMethod: (call) =>
              Effect.map(usually(call), ({ result }) => ({ result: { ...result, exit_code } }))
          }
        )
        expect(yield* Effect.either(ton.prepare(pay)), `${exit_code}`).toMatchObject(outcome)
      }
    })
  )

  it.effect("say what is claimed off the chain first, and of no account that it has nothing", () =>
    Effect.gen(function* () {
      const pay = { token: master.toString(), to: stranger.toString(), amount: 5_000_000n }
      const answered = (stack: ReadonlyArray<readonly [string, unknown]>) =>
        Effect.succeed({ result: { exit_code: 0, stack } })
      const told = described({
        decimals: "6",
        symbol: "USD₮",
        mintless_merkle_dump_uri: "https://example.org/tree"
      })
      const draft = described({
        decimals: "6",
        symbol: "USD₮",
        mintles_merkle_dump_uri: "https://example.org/tree"
      })
      const unclaimed = `${masterId} is mintless: what the account was given of it counts once it is claimed with a proof, which its issuer has and the chain does not. Claim it by a payment from a wallet app that knows ${masterId}, and pay then`
      // its content; whether its wallet is there, and has claimed; the root that its master has
      const cases: ReadonlyArray<readonly [Cell, boolean, string | undefined, string | undefined, boolean]> =
        [
          [told, false, undefined, undefined, true],
          [draft, false, undefined, undefined, true],
          [usdt, false, undefined, "0x1234", true],
          [usdt, true, "0x0", "0x1234", true],
          [usdt, true, "-0x1", "0x1234", false],
          [usdt, false, undefined, "0x0", false],
          [usdt, false, undefined, undefined, false],
          [usdt, true, undefined, undefined, false],
          // of what is described elsewhere nothing is known
          [beginCell().storeUint(1, 8).endCell(), false, undefined, undefined, false]
        ]
      for (const [content, isThere, claimed, root, isMintless] of cases) {
        const usually = jettonCalls(master, { content, holder, owner, balance: 4_000_000n })
        const runGetMethod: TonCalls["runGetMethod"] = (call) => {
          if (call.address === holder.toRawString() && !isThere)
            return Effect.succeed({ result: { exit_code: -13, stack: [] } })
          if (call.method === "is_claimed" && claimed !== undefined) return answered([["num", claimed]])
          if (call.method === "get_mintless_airdrop_hashmap_root" && root !== undefined)
            return answered([["num", root]])
          return usually(call)
        }
        const { node, ton } = yield* funded({}, { runGetMethod })
        expect(yield* Effect.flip(ton.sendToken(pay))).toMatchObject(
          isMintless
            ? { _tag: "InvalidArgument", call: "prepare", reason: unclaimed }
            : { _tag: "InsufficientFunds", available: isThere ? "4" : "0" }
        )
        expect(node.sent).toEqual([])
        if (isThere) expect((yield* ton.prepare({ ...pay, amount: "4" })).amount).toBe(4_000_000n)
      }
    })
  )

  it.effect("refuse what cannot be sent", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* withToken(usdt)
      const pay = { token: master.toString(), to: stranger.toString(), amount: "1" }
      for (const [payment, error] of [
        [
          { ...pay, amount: "251" },
          { _tag: "InsufficientFunds", asset: masterId, needed: "251", available: "250" }
        ],
        [{ ...pay, amount: "0.0000001" }, { _tag: "InvalidAmount" }],
        [
          { ...pay, token: stranger.toString() },
          {
            _tag: "InvalidArgument",
            call: "prepare",
            reason: `${stranger.toString()} is no token (jetton): its contract does not answer as one`
          }
        ],
        [{ ...pay, token: "USDT" }, { _tag: "InvalidAddress" }],
        [
          { ...pay, to: holder.toString() },
          {
            _tag: "InvalidAddress",
            address: holder.toString(),
            network: "ton-mainnet",
            reason: "is a contract of a token: name the owner that is to have it"
          }
        ],
        [
          { ...pay, to: master.toString() },
          { _tag: "InvalidAddress", reason: "is a contract of a token: name the owner that is to have it" }
        ],
        [{ ...pay, maxFee: "0.001" }, { _tag: "FeeOverCap" }]
      ] as const)
        expect(yield* Effect.flip(ton.sendToken(payment)), inspect(payment)).toMatchObject(error)
      const poor = yield* funded(
        { balance: toNano("0.1") },
        { runGetMethod: jettonCalls(master, { content: usdt, holder, owner, balance: 9n }) }
      )
      expect(yield* Effect.flip(poor.ton.sendToken({ ...pay, amount: 5n }))).toMatchObject({
        _tag: "InsufficientFunds",
        asset: "TON",
        needed: "0.120000001",
        available: "0.1"
      })
      // a description that says where it is, and is not there
      const bare = yield* withToken(beginCell().storeUint(0, 8).endCell())
      expect(yield* Effect.flip(bare.ton.sendToken(pay))).toMatchObject({
        _tag: "InvalidArgument",
        reason: `${master.toString()} is no token (jetton): its contract does not answer as one`
      })
      // more than a transfer has room for
      const huge = yield* withToken(usdt, 2n ** 121n)
      expect(yield* Effect.flip(huge.ton.sendToken({ ...pay, amount: 2n ** 121n }))).toMatchObject({
        _tag: "InvalidArgument",
        call: "prepare",
        reason: expect.stringContaining("too small for a value")
      })
      // a master that names a contract of somebody else
      const answers = jettonCalls(master, { content: usdt, holder, owner, balance: 9n })
      for (const data of [
        { content: usdt, holder, owner: stranger, balance: 9n },
        { content: usdt, holder, owner, balance: 9n, of: stranger }
      ]) {
        const theirs = jettonCalls(data.of ?? master, data)
        const wrong = yield* funded(
          {},
          { runGetMethod: (call) => (call.method === "get_wallet_data" ? theirs(call) : answers(call)) }
        )
        expect(yield* Effect.flip(wrong.ton.sendToken({ ...pay, amount: 5n }))).toMatchObject({
          call: "prepare",
          reason: `${master.toString()} names a wallet that is not this account's`
        })
      }
      expect(node.sent).toEqual([])
    })
  )
})

describe("sending TON", () => {
  const pay = { to: stranger.toString(), amount: toNano(1) }

  it.effect("gives each payment the number after the last, which has to land first", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* funded()
      node.meet("waits")
      yield* ton.send(pay)
      const fiber = yield* Effect.fork(ton.send(pay))
      yield* TestClock.adjust(20_000)
      expect(node.sent).toHaveLength(1)
      node.mine()
      for (let i = 0; i < 20; i++) {
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* TestClock.adjust(1_000)
      }
      const { prepared } = yield* Fiber.join(fiber)
      expect(prepared.transaction.seqno).toBe(4)
      expect(node.sent.map((text) => orderIn(messageIn(text).body, "v5", publicKey).seqno)).toEqual([3, 4])
    })
  )

  it.effect("takes the number again once the last message is too late", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* funded()
      node.meet("waits")
      yield* ton.send(pay)
      node.expire()
      const { prepared } = yield* ton.send(pay)
      expect(prepared.transaction.seqno).toBe(3)
      expect(node.chain.seqno).toBe(4)
    })
  )

  it.effect("sends the same bytes where an answer was lost, and pays once", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* funded()
      node.meet("lost", "arrives", "lost")
      const found = yield* runWithTime(ton.send(pay), 1_000)
      expect(found._tag).toBe("Right")
      expect(new Set(node.sent).size).toBe(1)
      expect(node.chain).toMatchObject({ seqno: 4, balance: toNano(9) })
      node.meet("duplicate")
      expect((yield* runWithTime(ton.send(pay), 1_000))._tag).toBe("Right")
    })
  )

  it.effect("says so where nobody can tell, and waits before the next", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* funded()
      node.insist("lost")
      const found = yield* runWithTime(ton.send(pay), 1_000)
      expect(found).toMatchObject({ left: { _tag: "BroadcastUnclear", raw: node.sent[0] } })
      const { length } = node.sent
      node.insist(undefined)
      const fiber = yield* Effect.fork(ton.send(pay))
      yield* TestClock.adjust(30_000)
      expect(node.sent).toHaveLength(length)
      node.expire()
      yield* TestClock.adjust(30_000)
      yield* Fiber.join(fiber)
      expect(node.chain.balance).toBe(toNano(9))
    })
  )

  it.effect("tells that the number is taken, and waits for nothing then", () =>
    Effect.gen(function* () {
      for (const version of ["v4", "v5"] as const) {
        const { node, ton } = yield* funded({ version })
        const stale = { ...node.chain }
        const { getAddressInformation } = node.rpc
        const prepared = yield* ton.prepare(pay)
        // a node that is behind
        Object.assign(node.rpc, {
          getAddressInformation: (asked: string) =>
            Effect.suspend(() => {
              const { seqno } = node.chain
              node.chain.seqno = stale.seqno
              return Effect.ensuring(
                getAddressInformation(asked),
                Effect.sync(() => {
                  node.chain.seqno = seqno
                })
              )
            })
        })
        node.takeOver()
        // it is no word of the node that it is taken, but what the wallet's history shows
        const outcome = yield* runWithTime(ton.submit(prepared), 1_000, (tick) => {
          if (tick === 2) Object.assign(node.rpc, { getAddressInformation })
        })
        expect(outcome).toMatchObject({ left: { _tag: "NonceTaken", nonce: 3 } })
        expect((yield* ton.send(pay)).prepared.transaction.seqno).toBe(4)
      }
    })
  )

  it.effect("does not know whose number it is where the first answer was lost", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* funded()
      const taken = new RequestRejected({
        ...{ url: "http://node", call: "sendBocReturnHash", status: 500, body: "" },
        messages: ["cannot apply external message to current state : exitcode=133"]
      })
      const past = withAttempts(taken, [{ node: "http://node", ms: 1, outcome: "noAnswer" }])
      Object.assign(node.rpc, { sendBocReturnHash: () => Effect.fail(past) })
      expect(yield* runWithTime(ton.send(pay), 1_000)).toMatchObject({ left: { _tag: "BroadcastUnclear" } })
    })
  )

  it.effect("is free for the next payment where one was refused", () =>
    Effect.gen(function* () {
      for (const sent of [0, 1]) {
        const { node, ton } = yield* funded()
        for (let i = 0; i < sent; i++) yield* ton.send(pay)
        node.insist("refused")
        expect(yield* runWithTime(ton.send(pay), 1_000)).toMatchObject({ left: { _tag: "RequestRejected" } })
        node.insist(undefined)
        const { prepared } = yield* ton.send(pay)
        expect(prepared.transaction.seqno).toBe(3 + sent)
      }
    })
  )

  it.effect("does not take the word of a node that is behind for another message", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* funded()
      const { getTransactions } = node.rpc
      let looks = 0
      Object.assign(node.rpc, {
        getTransactions: (query: Parameters<TonCalls["getTransactions"]>[0]) =>
          looks++ < 4 ? Effect.succeed({ result: [] }) : getTransactions(query)
      })
      const prepared = yield* ton.prepare(pay)
      const fiber = yield* Effect.fork(
        runWithTime(ton.submit(prepared, { confirmations: 1 }), 1_000, onceSent(node, node.expire))
      )
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "Right" })
      expect(looks).toBeGreaterThan(4)
    })
  )

  it.effect("waits until it is in the chain, so deep", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* funded()
      node.meet("waits")
      const fiber = yield* Effect.fork(
        runWithTime(ton.send({ ...pay, confirmations: 3 }), 1_000, onceSent(node, node.mine))
      )
      const found = yield* Fiber.join(fiber)
      expect(found).toMatchObject({ _tag: "Right", right: { prepared: { transaction: { seqno: 3 } } } })
      // its own block, and the answers that tell of the second and of the third
      expect(node.chain.head).toBe(9)
    })
  )

  it.effect("is looked for from the newest transaction of the account back to its time", () =>
    Effect.gen(function* () {
      const other = makeWallet({ publicKey: publicKeyOf(new Uint8Array(32).fill(1)), seqno: 3 })
      yield* (yield* made({ privateKey: "01".repeat(32) }, other.rpc)).send(pay)
      const [theirs] = (yield* other.rpc.getTransactions({ address: "", limit: 1 })).result
      if (theirs === undefined) throw new Error("it has landed")
      // transactions behind it, their time, whether it is found, and how many answers that takes
      for (const [newer, utime, isFound, answers, isThere = true] of [
        [49, 1_000, true, 1],
        [50, 1_000, true, 2],
        // a wallet's message is good for two minutes, and is signed at most as long before
        [50, 880, true, 2],
        [50, 879, false, 1],
        [98, 1_000, true, 2],
        [99, 1_000, true, 3],
        [539, 1_000, true, 11],
        [540, 1_000, false, 11],
        // a history that is shorter than an answer may be has no more
        [20, 1_000, false, 1, false],
        [0, 1_000, false, 1, false]
      ] as const) {
        const { node, ton } = yield* funded()
        const prepared = yield* ton.prepare(pay)
        const { hash } = yield* ton.submit(prepared)
        const [own] = (yield* node.rpc.getTransactions({ address: "", limit: 1 })).result
        if (own === undefined) throw new Error("it has landed")
        const others = Array.from({ length: newer }, () => ({ ...theirs, utime }))
        const all = (isThere ? [...others, own] : others).map((each, at) => ({
          ...each,
          transaction_id: { lt: String(1_000 - at), hash: `hash ${at}` }
        }))
        const asked: Array<unknown> = []
        const rpc: TonCalls = {
          ...node.rpc,
          getTransactions: ({ address: of, limit = 10, lt, hash }) =>
            Effect.sync(() => {
              const first = lt === undefined ? 0 : all.findIndex(({ transaction_id: id }) => id.lt === lt)
              expect([of, hash]).toEqual([
                Address.parse(address).toRawString(),
                lt === undefined ? undefined : `hash ${first}`
              ])
              asked.push(lt)
              return { result: all.slice(first, first + limit) }
            }),
          sendBocReturnHash: () => Effect.fail(lost())
        }
        const again = yield* made({ mnemonic: words }, rpc)
        node.chain.seqno = 3
        const outcome = yield* runWithTime(again.submit(prepared), 1_000)
        if (isFound) expect(outcome, `${newer}`).toMatchObject({ right: { hash } })
        else expect(outcome, `${newer}`).toMatchObject({ left: { _tag: "BroadcastUnclear" } })
        // once for each time that its bytes went out
        const times = isFound ? 1 : asked.filter((lt) => lt === undefined).length
        expect(asked).toHaveLength(times * answers)
      }
    })
  )

  it.effect("takes no message of others for its own", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* funded()
      node.meet("waits")
      const prepared = yield* ton.prepare(pay)
      const { getTransactions } = node.rpc
      const wallet = Address.parse(address)
      const between: Message["info"] = {
        ...{ type: "internal", ihrDisabled: true, bounce: true, bounced: false, src: stranger, dest: wallet },
        ...{ value: { coins: 1n }, ihrFee: 0n, forwardFee: 0n, createdLt: 0n, createdAt: 0 }
      }
      Object.assign(node.rpc, {
        getTransactions: (query: Parameters<TonCalls["getTransactions"]>[0]) =>
          Effect.map(getTransactions(query), ({ result }) => {
            const [text] = node.sent
            const body = text === undefined ? comment("x") : messageIn(text).body
            const inside: Message = { info: between, body }
            const place = { lt: 9n, now: 1_000 }
            return {
              result: [transactionOf(wallet, inside, place), transactionOf(wallet, undefined, place)]
                .map((data) => ({ data, utime: 1_000, transaction_id: { lt: "9", hash: "h" } }))
                .concat(result)
            }
          })
      })
      const fiber = yield* Effect.fork(
        runWithTime(ton.submit(prepared, { confirmations: 1 }), 1_000, onceSent(node, node.expire))
      )
      expect(yield* Fiber.join(fiber)).toMatchObject({
        left: { _tag: "TransactionDropped", reason: "its time is over" }
      })
    })
  )

  it.effect("waits for the last message until its time is over, there or here", () =>
    Effect.gen(function* () {
      const turns = () => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
      for (const pass of ["there", "here"] as const) {
        const { node, ton } = yield* funded()
        node.meet("waits")
        const start = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
        node.chain.time = start
        const { prepared } = yield* ton.send(pay)
        expect(prepared.transaction.validUntil).toBe(start + 120)
        const fiber = yield* Effect.fork(ton.send(pay))
        yield* turns()
        // where a chain makes no blocks, the time of here has to do, with room
        const now = yield* Clock.currentTimeMillis
        if (pass === "there") node.chain.time = start + 120
        else yield* TestClock.adjust((start + 240) * 1_000 - now)
        yield* TestClock.adjust(3_000 * (pass === "there" ? 1 : 0))
        yield* turns()
        expect(node.sent).toHaveLength(1)
        if (pass === "there") node.chain.time++
        yield* TestClock.adjust(2_000)
        yield* turns()
        expect(node.sent).toHaveLength(2)
        expect((yield* Fiber.join(fiber)).prepared.transaction.seqno).toBe(3)
      }
    })
  )

  const generic = {
    type: "generic",
    creditFirst: false,
    aborted: false,
    destroyed: false
  } as const
  const refusedAction = {
    success: false,
    valid: true,
    noFunds: true,
    statusChange: "unchanged",
    resultCode: 37,
    totalActions: 1,
    specActions: 0,
    skippedActions: 0,
    messagesCreated: 0,
    actionListHash: 0n,
    totalMessageSize: { bits: 0n, cells: 0n }
  } as const
  const failures: ReadonlyArray<readonly [Fate, string]> = [
    ["skipped", "nothing was sent: the account had too little"],
    ["fails", "its contract has failed with the code 40"],
    [{ created: 0 }, "nothing was sent"],
    [
      {
        description: {
          type: "storage",
          storagePhase: { storageFeesCollected: 0n, statusChange: "unchanged" }
        }
      },
      "it is none of a message"
    ],
    [
      { description: { ...generic, computePhase: { type: "skipped", reason: "no-gas" } } },
      "its contract did not run: no-gas"
    ],
    [{ description: { ...generic, computePhase: ran(0) } }, "it could not be sent: the code is none"],
    [
      { description: { ...generic, computePhase: ran(0), actionPhase: refusedAction } },
      "it could not be sent: the code is 37"
    ]
  ]

  it.effect("tells of what was not done, dropped or replaced", () =>
    Effect.gen(function* () {
      for (const [fate, after, error] of [
        ["waits", "expire", { _tag: "TransactionDropped", reason: "its time is over" }],
        ["waits", "takeOver", { _tag: "TransactionReplaced", by: "another message with the number 3" }],
        ["waits", "linger", { _tag: "TransactionNotConfirmed", timeout: 240_000, wanted: 1 }],
        ...failures.map(
          ([fate, reason]) =>
            [
              fate,
              () => {},
              { _tag: "TransactionFailed", reason, receipt: { data: expect.any(String) } }
            ] as const
        )
      ] as const) {
        const { node, ton } = yield* funded()
        node.meet(fate)
        const prepared = yield* ton.prepare(pay)
        const then = typeof after === "string" ? node[after] : after
        const fiber = yield* Effect.fork(
          runWithTime(ton.submit(prepared, { confirmations: 1 }), 1_000, onceSent(node, then))
        )
        expect(yield* Fiber.join(fiber), inspect(fate)).toMatchObject({ left: error })
      }
    })
  )
})

describe("messages of TON", () => {
  it.effect("are signed as TON Connect has it", () =>
    Effect.gen(function* () {
      const { ton } = yield* funded()
      yield* TestClock.adjust(1_700_000_000_000)
      for (const message of ["", "hello ü", new Uint8Array([0, 255])]) {
        const answer = JSON.parse(yield* ton.signMessage(message))
        const bytes = Buffer.from(message)
        expect(answer).toEqual({
          signature: expect.any(String),
          address: Address.parse(address).toRawString(),
          timestamp: 1_700_000_000,
          domain: "",
          payload:
            typeof message === "string"
              ? { type: "text", text: message }
              : { type: "binary", bytes: bytes.toString("base64") }
        })
        const uint32 = (value: number) => {
          const four = Buffer.alloc(4)
          four.writeUInt32BE(value)
          return four
        }
        const time = Buffer.alloc(8)
        time.writeBigUInt64BE(1_700_000_000n)
        const whole = Buffer.concat([
          Buffer.from([0xff, 0xff]),
          Buffer.from("ton-connect/sign-data/"),
          uint32(0),
          Address.parse(address).hash,
          uint32(0),
          time,
          Buffer.from(typeof message === "string" ? "txt" : "bin"),
          uint32(bytes.length),
          bytes
        ])
        const digest = new Uint8Array(createHash("sha256").update(whole).digest())
        const signature = new Uint8Array(Buffer.from(answer.signature, "base64"))
        expect(nacl.sign.detached.verify(digest, signature, publicKey)).toBe(true)
      }
      for (const message of [7, [1, 2]])
        expect(yield* Effect.flip(ton.signMessage(message as never))).toMatchObject({
          _tag: "InvalidArgument",
          reason: "a message must be text or a Uint8Array"
        })
    })
  )
})

describe("the libraries below", () => {
  it("have a Buffer where there is none", async () => {
    const { Buffer: own } = globalThis
    vi.stubGlobal("Buffer", undefined)
    try {
      const { loadCells } = await import("../../src/signers/ton/loadCells.js")
      const { makeContract } = await loadCells()
      expect(typeof globalThis.Buffer.from).toBe("function")
      vi.stubGlobal("Buffer", own)
      const expected = WalletContractV5R1.create({ publicKey: own.from(publicKey) })
      expect(makeContract(publicKey, "v5", false).raw).toBe(expected.address.toRawString())
    } finally {
      vi.unstubAllGlobals()
    }
  })
})
