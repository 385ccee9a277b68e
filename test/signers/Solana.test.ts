// @covers messages on libraries: solana
import { createHash, createHmac } from "node:crypto"
import { inspect } from "node:util"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "@effect/vitest"
import { ed25519 } from "@noble/curves/ed25519.js"
import { mnemonicToSeedSync } from "@scure/bip39"
import * as kit from "@solana/kit"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import nacl from "tweetnacl"
import { vi } from "vitest"
import { decodeBase58, encodeBase58 } from "../../src/chains/internal/base58.js"
import * as Units from "../../src/data/Units.js"
import { signer } from "../../src/entries/signers/Solana.js"
import type { Speed } from "../../src/signers/Signer.js"
import {
  addressProblem,
  make,
  type SolanaCalls,
  type SolanaFrom,
  type SolanaTransaction
} from "../../src/signers/Solana.js"
import { findAssociatedAccount } from "../../src/signers/solana/kit.js"
import {
  encodeInstruction,
  isAmount,
  isMemo,
  parseHolding,
  parseMint
} from "../../src/signers/solana/layout.js"
import { runs } from "../properties.js"
import { blockhash, makeCluster, type State, system, tokens, tokens2022 } from "./cluster.js"

const words = `${"abandon ".repeat(11)}about`
const address = "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk"

/** SLIP-10 once more, over Node's own HMAC. */
const slip10 = (path: string, passphrase = ""): Uint8Array => {
  let key = createHmac("sha512", "ed25519 seed").update(mnemonicToSeedSync(words, passphrase)).digest()
  for (const part of path.split("/").slice(1)) {
    const index = Buffer.alloc(4)
    index.writeUInt32BE(Number.parseInt(part, 10) + 0x8000_0000)
    key = createHmac("sha512", key.subarray(32))
      .update(Buffer.concat([Buffer.of(0), key.subarray(0, 32), index]))
      .digest()
  }
  return new Uint8Array(key.subarray(0, 32))
}

/** The key of the words above: whoever prints it has found it. */
const key = slip10("m/44'/501'/0'/0'")
const publicKey = ed25519.getPublicKey(key)
const both = Uint8Array.from([...key, ...publicKey])
const privateKey = encodeBase58(both)

const addressOf = (secret: Uint8Array): string => encodeBase58(ed25519.getPublicKey(secret))
const someone = addressOf(new Uint8Array(32).fill(1))
const mint = addressOf(new Uint8Array(32).fill(2))
const mintId = `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:${mint}`
const other = addressOf(new Uint8Array(32).fill(3))

const made = (from: SolanaFrom, accounts?: Readonly<Record<string, State>>) =>
  make(makeCluster(accounts).client(), from)

const isSigned = (text: string, bytes: Uint8Array): boolean => {
  const signature = decodeBase58(text)
  return ed25519.verify(signature, bytes, publicKey) && nacl.sign.detached.verify(bytes, signature, publicKey)
}

/** The parts of a transaction on the wire: its signature, what is signed, and its instructions, as kit reads them. */
const readOf = (raw: string) => {
  const bytes = new Uint8Array(Buffer.from(raw, "base64"))
  expect(bytes[0]).toBe(1)
  const message = bytes.slice(65)
  const read = kit.getCompiledTransactionMessageDecoder().decode(message)
  // what kit knows of lookup tables and other versions has no part in it
  const decompiled = kit.decompileTransactionMessage(read as never)
  const instructions = decompiled.instructions as ReadonlyArray<kit.Instruction>
  return {
    signature: encodeBase58(bytes.slice(1, 65)),
    message,
    version: read.version,
    payer: decompiled.feePayer.address,
    lifetime: read.lifetimeToken,
    kitLimit: kit.getTransactionMessageComputeUnitLimit(decompiled as never),
    kitPrice: kit.getTransactionMessageComputeUnitPrice(decompiled as never),
    instructions: instructions.map(({ accounts = [], data, programAddress }) => ({
      program: String(programAddress),
      accounts: accounts.map((account) => `${account.address} ${account.role}`),
      data: Buffer.from(data ?? []).toString("hex")
    }))
  }
}

const little = (amount: bigint): string => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(amount)
  return bytes.toString("hex")
}

const computeBudget = "ComputeBudget111111111111111111111111111111"

/** The limit of compute units of a payment whose trial took as many as the cluster says. */
const LIMIT = 450 + 45 + 500

/** The instructions that a payment is to have, from their public layouts. */
const expected = ({
  amount,
  computeUnitLimit,
  computeUnitPrice,
  from,
  memo,
  to,
  token
}: SolanaTransaction) => [
  ...(computeUnitLimit === undefined
    ? []
    : [{ program: computeBudget, accounts: [], data: `02${little(BigInt(computeUnitLimit)).slice(0, 8)}` }]),
  ...(computeUnitPrice === undefined
    ? []
    : [{ program: computeBudget, accounts: [], data: `03${little(computeUnitPrice)}` }]),
  ...(token?.creates === true
    ? [
        {
          program: "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
          accounts: [
            `${from} 3`,
            `${token.destination} 1`,
            `${to} 0`,
            `${token.mint} 0`,
            `${system} 0`,
            `${token.program} 0`
          ],
          data: "01"
        }
      ]
    : []),
  ...(memo === undefined
    ? []
    : [
        {
          program: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
          accounts: [],
          data: Buffer.from(memo).toString("hex")
        }
      ]),
  token === undefined
    ? { program: system, accounts: [`${from} 3`, `${to} 1`], data: `02000000${little(amount)}` }
    : {
        program: token.program,
        accounts: [`${token.source} 1`, `${token.mint} 0`, `${token.destination} 1`, `${from} 3`],
        data: `0c${little(amount)}${token.decimals.toString(16).padStart(2, "0")}`
      }
]

describe("accounts of Solana", () => {
  it.effect("are those of the standard path", () =>
    Effect.gen(function* () {
      expect((yield* made({ mnemonic: words })).address).toBe(address)
      expect((yield* made({ mnemonic: Redacted.make(` ${words.toUpperCase()} `) })).address).toBe(address)
      for (const [from, secret] of [
        [{ index: 5 }, slip10("m/44'/501'/5'/0'")],
        [{ path: "m/44'/501'/5'/0'" }, slip10("m/44'/501'/5'/0'")],
        [{ path: "m/44'/501'/2'" }, slip10("m/44'/501'/2'")],
        [{ passphrase: "TREZOR" }, slip10("m/44'/501'/0'/0'", "TREZOR")],
        [{ derivation: "tatum", index: 3 }, slip10("m/44'/501'/0'/0'/3'")]
      ] as const)
        expect((yield* made({ mnemonic: words, ...from })).address).toBe(addressOf(secret))
    })
  )

  it.effect("are those of private keys in each of their formats", () =>
    Effect.gen(function* () {
      const list = JSON.stringify([...both])
      for (const text of [privateKey, encodeBase58(key), list, `\n${list.replaceAll(",", ", ")}\n`])
        for (const given of [text, Redacted.make(text)])
          expect((yield* made({ privateKey: given })).address).toBe(address)
    })
  )

  const half = Uint8Array.from([...key, ...ed25519.getPublicKey(new Uint8Array(32).fill(9))])
  const sends = { address, signAndSendTransactions: async () => [] }
  const refusals: ReadonlyArray<readonly [string, unknown, object]> = [
    [
      "a wrong word",
      { mnemonic: words.replace("about", "abuot") },
      { _tag: "InvalidMnemonic", position: 12 }
    ],
    ["a wrong checksum", { mnemonic: `${"abandon ".repeat(11)}abandon` }, { _tag: "InvalidMnemonic" }],
    ["words that are no text", { mnemonic: ["abandon"] }, { _tag: "InvalidMnemonic" }],
    ["a path that is none", { mnemonic: words, path: "44/501" }, { _tag: "InvalidKey" }],
    ["a path that is not hardened", { mnemonic: words, path: "m/44'/501'/0/0'" }, { _tag: "InvalidKey" }],
    ["an index that is none", { mnemonic: words, index: 2 ** 31 }, { _tag: "InvalidKey" }],
    ...[
      `0x${"1".repeat(64)}`,
      "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn",
      encodeBase58(key.slice(1)),
      encodeBase58(Uint8Array.from([...both, 1])),
      encodeBase58(both.slice(0, 63)),
      "",
      both,
      // lists that are too short or too long, have what is no byte, or break off
      JSON.stringify([...key]),
      JSON.stringify([...both.slice(0, 63)]),
      JSON.stringify([...both, 0]),
      ...[256, -1, 0.5, "7", null, [7]].map((wrong) => JSON.stringify([wrong, ...both.slice(1)])),
      JSON.stringify([...both]).slice(0, -1),
      "[]",
      "["
    ].map(
      (privateKey) =>
        [
          `the key ${privateKey}`,
          { privateKey },
          {
            _tag: "InvalidKey",
            reason: "a private key of Solana is Base58 of 64 or 32 bytes, or a list of 64 numbers in JSON"
          }
        ] as const
    ),
    ...[half, both.map((byte, i) => (i === 63 ? byte ^ 1 : byte))].map(
      (bytes) =>
        [
          `halves that do not belong together: ${bytes}`,
          { privateKey: encodeBase58(bytes) },
          { _tag: "InvalidKey", reason: "its second half is not the public key of its first half" }
        ] as const
    ),
    ["nothing", undefined, { _tag: "InvalidKey", reason: expect.stringMatching(/^say what the signer/) }],
    ...[{}, { address }, { address, sign: 7 }].map(
      (from) =>
        [
          JSON.stringify(from),
          from,
          { _tag: "InvalidKey", reason: "must have mnemonic, privateKey, account, kit, or sign with address" }
        ] as const
    ),
    ...[{ sign: () => new Uint8Array(64) }, { kit: { signTransactions: async () => [] } }].map(
      (from) =>
        [
          `no address in ${inspect(from)}`,
          from,
          { _tag: "InvalidKey", reason: "its address must be text" }
        ] as const
    ),
    [
      "an address of another chain",
      { address: "0x", sign: () => new Uint8Array(64) },
      { _tag: "InvalidKey", reason: "its address must be Base58 of 32 bytes" }
    ],
    ...[
      sends,
      undefined,
      7,
      { address, signTransactions: 7 },
      { address, modifyAndSignTransactions: {} }
    ].map(
      (kit) =>
        [
          `the signer ${inspect(kit)}`,
          { kit },
          {
            _tag: "InvalidKey",
            reason: "a signer of kit has signTransactions; one that sends what it signs cannot be used"
          }
        ] as const
    )
  ]

  it.effect.each(refusals)("refuse %s", ([, from, error]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(made(from as SolanaFrom))).toMatchObject(error)
    })
  )

  it.effect("say so where the platform cannot sign", () =>
    Effect.gen(function* () {
      vi.spyOn(crypto.subtle, "importKey").mockRejectedValueOnce(new Error("Unrecognized algorithm name"))
      expect(yield* Effect.flip(made({ privateKey }))).toMatchObject({
        _tag: "SigningFailed",
        reason: "Unrecognized algorithm name"
      })
      vi.restoreAllMocks()
    })
  )

  it.effect("are refused on networks of other families", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(make(makeCluster().client("ethereum-mainnet"), { privateKey }))
      expect(refused).toMatchObject({ _tag: "InvalidArgument" })
      expect((yield* make(makeCluster().client("solana-devnet"), { privateKey })).network).toBe(
        "solana-devnet"
      )
    })
  )

  it.effect("tell nothing of their keys", () =>
    Effect.gen(function* () {
      const list = JSON.stringify([...both])
      const secrets = [
        privateKey,
        encodeBase58(key),
        Buffer.from(key).toString("hex"),
        Buffer.from(key).toString("base64").slice(0, -2),
        [...key].join(","),
        [...key].slice(0, 8).join(", "),
        "abandon",
        "secretword"
      ]
      const told: Array<unknown> = []
      for (const from of [{ mnemonic: words }, { privateKey }, { privateKey: list }]) {
        const account = yield* made(from)
        told.push(account, Object.entries(account))
        told.push(yield* Effect.exit(account.sign({ from: address, to: someone, amount: 1n })))
        told.push(yield* Effect.exit(account.prepare({ to: "", amount: "" })))
        told.push(yield* Effect.promise(() => signer(makeCluster().client() as never, from)))
      }
      for (const from of [
        { privateKey: `${privateKey}0` },
        { privateKey: `${privateKey}${privateKey}` },
        { privateKey: encodeBase58(half) },
        { privateKey: list.slice(0, -1) },
        { privateKey: list.replace("]", ",1]") },
        { mnemonic: words.replace("about", "secretword") },
        { mnemonic: words, path: privateKey }
      ])
        told.push(yield* Effect.exit(made(from)))
      for (const each of told) {
        const text = `${inspect(each, { depth: 12, showHidden: true, getters: true, maxArrayLength: null })} ${String(each)} ${JSON.stringify(each, (_, value) => (typeof value === "bigint" ? String(value) : value))}`
        for (const secret of secrets) expect(text.replace(/\s+/g, " ")).not.toContain(secret)
      }
    })
  )
})

describe("addresses of Solana", () => {
  it("are Base58 of 32 bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 0, maxLength: 40 }), (bytes) => {
        expect(addressProblem(encodeBase58(bytes)) === undefined).toBe(bytes.length === 32)
      })
    )
    for (const text of ["", "O".repeat(43), `${address} `, "1".repeat(31), "1".repeat(5_000)])
      expect(addressProblem(text)).toBe("must be Base58 of 32 bytes")
    expect(addressProblem(undefined as never)).toBe("must be text")
    expect(addressProblem(system)).toBeUndefined()
  })

  it.each([
    ["0x9858EfFD232B4033E47d90003D41EC34EcaEda94", "an EVM chain"],
    ["bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "Bitcoin"],
    ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "Bitcoin"],
    ["3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "Bitcoin"],
    ["TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH", "Tron"]
  ])("are told apart from %s", (text, chain) => {
    expect(addressProblem(text)).toBe(
      `looks like an address of ${chain}, and one of Solana is Base58 of 32 bytes`
    )
  })

  it("are not told apart where a chain is not known", () => {
    for (const text of [
      encodeBase58(Uint8Array.of(0x30, ...new Uint8Array(24))),
      encodeBase58(Uint8Array.of(0x41, ...new Uint8Array(23))),
      `0x${"1".repeat(41)}`
    ])
      expect(addressProblem(text)).toBe("must be Base58 of 32 bytes")
  })
})

/** A mint, and what an owner holds of it, as the token programs keep them. */
const mintState = (decimals: number, owner = tokens, extensions: ReadonlyArray<number> = []): State => {
  const data = new Uint8Array(extensions.length === 0 ? 82 : 166 + extensions.length)
  data[44] = decimals
  data[45] = 1
  if (extensions.length > 0) data[165] = 1
  if (extensions.length > 0) data.set(extensions, 166)
  return { lamports: 1n, owner, data }
}
const holdingState = (of: string, amount: bigint, changes: { mint?: string; state?: number } = {}): State => {
  const data = new Uint8Array(165)
  data.set(decodeBase58(changes.mint ?? mint), 0)
  data.set(decodeBase58(of), 32)
  new DataView(data.buffer).setBigUint64(64, amount, true)
  data[108] = changes.state ?? 1
  return { lamports: 2_039_280n, owner: tokens, data }
}

/** An extension of an account of Token-2022: its kind and its length, and so many bytes. */
const extension = (kind: number, ...bytes: ReadonlyArray<number>): ReadonlyArray<number> => [
  kind & 255,
  kind >> 8,
  bytes.length & 255,
  bytes.length >> 8,
  ...bytes
]
const zeros = (length: number): ReadonlyArray<number> => new Array<number>(length).fill(0)

/** The same bytes in the midst of others, as a decoder may give them. */
const amidst = (state: State) => {
  const { data = new Uint8Array(), lamports, owner = system } = state
  const all = new Uint8Array(data.length + 12).fill(7)
  all.set(data, 5)
  return { lamports, owner, data: all.subarray(5, 5 + data.length) }
}

describe("accounts of the token programs", () => {
  it("are mints with decimals, and with the length that accounts for them have", () => {
    const plain = { decimals: 6, hasFee: false }
    // the lengths that Token-2022 gives accounts of such mints
    for (const [owner, extensions, mint] of [
      [tokens, [], { ...plain, program: tokens, space: 165 }],
      [tokens2022, [], { ...plain, program: tokens2022, space: 170 }],
      [tokens2022, extension(18, ...zeros(64)), { ...plain, program: tokens2022, space: 170 }],
      [tokens2022, extension(1, ...zeros(108)), { ...plain, program: tokens2022, space: 182, hasFee: true }],
      [tokens2022, extension(26, ...zeros(33)), { ...plain, program: tokens2022, space: 174 }],
      [
        tokens2022,
        [...extension(3, ...zeros(32)), ...extension(26, ...zeros(33)), ...extension(1, ...zeros(108))],
        { ...plain, program: tokens2022, space: 186, hasFee: true }
      ],
      // longer than a byte can say, and what is behind it is read all the same
      [
        tokens2022,
        [...extension(19, ...zeros(300)), ...extension(1)],
        { ...plain, program: tokens2022, space: 182, hasFee: true }
      ],
      [
        tokens2022,
        extension(9),
        { ...plain, program: tokens2022, space: 170, problem: "it cannot be transferred" }
      ],
      [
        tokens2022,
        extension(14, ...zeros(64)),
        { ...plain, program: tokens2022, space: 170, problem: "its transfers call another program" }
      ],
      // a kind of more than a byte is none of these
      [tokens2022, extension(0x109), { ...plain, program: tokens2022, space: 170 }],
      // zeros are the end
      [tokens2022, [...zeros(4), ...extension(9)], { ...plain, program: tokens2022, space: 170 }],
      // as are bytes that are too few for another one
      [tokens2022, [...extension(3), 9, 0, 0], { ...plain, program: tokens2022, space: 170 }]
    ] as const)
      expect(parseMint(amidst(mintState(6, owner, extensions))), `${extensions}`).toStrictEqual(mint)
    expect(parseMint(amidst(mintState(0)))).toMatchObject({ decimals: 0 })
  })

  const changed = (state: State, change: (data: Uint8Array) => void): State => {
    const data = Uint8Array.from(state.data ?? [])
    change(data)
    return { ...state, data }
  }
  const bytes = (length: number, owner = tokens): State => {
    const data = new Uint8Array(length)
    data[45] = 1
    return { lamports: 1n, owner, data }
  }
  const held2022 = (...extensions: ReadonlyArray<number>): State => {
    const data = new Uint8Array(166 + extensions.length)
    data.set(holdingState(someone, 5n).data ?? [])
    data[165] = 2
    data.set(extensions, 166)
    return { lamports: 1n, owner: tokens2022, data }
  }

  it("are no mints where anything is another", () => {
    expect(parseMint(undefined)).toBeUndefined()
    for (const state of [
      mintState(6, system),
      // it is not initialized yet
      changed(mintState(6), (data) => data.fill(0, 45, 46)),
      bytes(81),
      bytes(83),
      bytes(165),
      holdingState(someone, 5n),
      held2022(...extension(7))
    ])
      expect(parseMint(amidst(state))).toBeUndefined()
  })

  it("are holdings of a token, with their owner and their state", () => {
    const holding = { mint, owner: someone, amount: 5n, isFrozen: false, wantsMemo: false }
    for (const [state, expected] of [
      [holdingState(someone, 5n), holding],
      [holdingState(someone, 2n ** 64n - 1n), { ...holding, amount: 2n ** 64n - 1n }],
      [holdingState(other, 5n, { mint: other }), { ...holding, owner: other, mint: other }],
      [holdingState(someone, 5n, { state: 2 }), { ...holding, isFrozen: true }],
      [held2022(), holding],
      [held2022(...extension(7)), holding],
      [held2022(...extension(8, 1)), { ...holding, wantsMemo: true }],
      [held2022(...extension(8, 0)), holding],
      [held2022(...extension(8, 2)), holding],
      [held2022(...extension(7), ...extension(8, 1)), { ...holding, wantsMemo: true }]
    ] as const)
      expect(parseHolding(amidst(state))).toStrictEqual(expected)
  })

  it("are no holdings where anything is another", () => {
    expect(parseHolding(undefined)).toBeUndefined()
    for (const state of [
      { ...holdingState(someone, 5n), owner: system },
      bytes(164),
      bytes(82),
      mintState(6, tokens2022, extension(3)),
      changed(held2022(), (data) => data.fill(3, 165, 166))
    ])
      expect(parseHolding(amidst(state))).toBeUndefined()
  })

  it("are paid amounts of 64 bits, and memos of 1 to 566 bytes", () => {
    for (const amount of [1n, 2n ** 64n - 1n]) expect(isAmount(amount)).toBe(true)
    for (const amount of [0n, -1n, 2n ** 64n, 1, "1", undefined]) expect(isAmount(amount)).toBe(false)
    for (const memo of ["m", "ä".repeat(283)]) expect(isMemo(memo)).toBe(true)
    for (const memo of ["", "m".repeat(567), "ä".repeat(284), 7, undefined]) expect(isMemo(memo)).toBe(false)
    expect([...encodeInstruction([2, 0, 0, 0], 0x0102_0304_0506_0708n)]).toEqual([
      2, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1
    ])
    expect([...encodeInstruction([12], 1n)]).toEqual([12, 1, 0, 0, 0, 0, 0, 0, 0])
  })

  it("have addresses of no key, derived from their owner, their program and their mint", async () => {
    const derived = (owner: string, program: string): string => {
      for (let bump = 255; bump >= 0; bump--) {
        const hash = createHash("sha256")
        for (const part of [owner, program, mint]) hash.update(decodeBase58(part))
        hash.update(Buffer.of(bump)).update(decodeBase58("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"))
        const found = hash.update("ProgramDerivedAddress").digest()
        try {
          ed25519.Point.fromBytes(new Uint8Array(found))
        } catch {
          return encodeBase58(new Uint8Array(found))
        }
      }
      throw new Error("there is always one")
    }
    for (const owner of [address, someone, other])
      for (const program of [tokens, tokens2022])
        expect(await findAssociatedAccount(owner, mint, program)).toBe(derived(owner, program))
  })
})

const SOL = 1_000_000_000n
const rich = { [address]: { lamports: 20n * SOL }, [someone]: { lamports: SOL } }

describe("payments of Solana", () => {
  const receivers = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressOf)
  const memos = fc.option(fc.string({ minLength: 1, maxLength: 40 }), { nil: undefined })
  const amounts = fc.bigInt({ min: 890_880n, max: 10n * SOL })

  it("are signed exactly as they were shown", async () => {
    await fc.assert(
      fc.asyncProperty(receivers, amounts, memos, async (to, amount, memo) => {
        const { client, sent } = makeCluster(rich)
        const account = await Effect.runPromise(make(client(), { privateKey }))
        const payment = { to, amount, ...(memo === undefined ? {} : { memo }) }
        const prepared = await Effect.runPromise(account.prepare(payment))
        expect(sent).toEqual([])
        expect(prepared.outgoing).toHaveLength(1)
        const out = await Effect.runPromise(account.submit(prepared))
        expect(sent).toHaveLength(1)
        const read = readOf(sent[0] ?? "")
        expect(read.signature).toBe(out.hash)
        expect(isSigned(out.hash, read.message)).toBe(true)
        expect(read).toMatchObject({ version: "legacy", payer: address })
        expect(read.instructions).toEqual(expected({ ...payment, from: address, computeUnitLimit: LIMIT }))
        // what is signed has a newer blockhash than the preview, and is the same otherwise
        expect(read.lifetime).toBe(out.prepared.transaction.blockhash)
        expect(prepared.transaction.blockhash).toBe(blockhash(0))
        expect({ ...out.prepared, transaction: undefined }).toEqual({ ...prepared, transaction: undefined })
      }),
      { numRuns: runs(60) }
    )
  })

  it("are signed exactly as they were shown in tokens, too", async () => {
    const source = await findAssociatedAccount(address, mint, tokens)
    await fc.assert(
      fc.asyncProperty(
        receivers,
        fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
        fc.integer({ min: 0, max: 20 }),
        fc.boolean(),
        async (to, amount, decimals, isThere) => {
          const destination = await findAssociatedAccount(to, mint, tokens)
          const { client, sent } = makeCluster({
            ...rich,
            [mint]: mintState(decimals),
            [source]: holdingState(address, 2n ** 64n - 1n),
            ...(isThere ? { [destination]: holdingState(to, 0n) } : {})
          })
          const account = await Effect.runPromise(make(client(), { privateKey }))
          const prepared = await Effect.runPromise(account.prepare({ token: mint, to, amount }))
          expect(prepared.outgoing[1]?.amount).toBe(isThere ? "0.000005" : "0.00204428")
          await Effect.runPromise(account.submit(prepared))
          const read = readOf(sent[0] ?? "")
          expect(isSigned(read.signature, read.message)).toBe(true)
          const token = { mint, program: tokens, decimals, source, destination, creates: !isThere }
          expect(prepared.transaction).toMatchObject({ from: address, to, amount, token })
          expect(read.instructions).toEqual(
            expected({ from: address, to, amount, token, computeUnitLimit: LIMIT })
          )
        }
      ),
      { numRuns: runs(40) }
    )
  })

  it.effect("are signed the same by every holder of the key", () =>
    Effect.gen(function* () {
      const pair = yield* Effect.promise(() => kit.createKeyPairSignerFromPrivateKeyBytes(key))
      const wallet: SolanaFrom = {
        kit: {
          address: pair.address,
          modifyAndSignTransactions: async (given: ReadonlyArray<never>) => {
            const [signatures] = await pair.signTransactions(given)
            return [{ ...(given[0] as unknown as object), signatures }]
          }
        }
      }
      const kms = {
        address,
        sign: (bytes: Uint8Array) => {
          const signature = nacl.sign.detached(bytes, both)
          // what it is given is its own
          bytes.fill(0)
          return signature
        }
      }
      // frames of a page, and test runners, have arrays of bytes of their own
      const Elsewhere: Uint8ArrayConstructor = runInNewContext("Uint8Array")
      const frame = { address, sign: (bytes: Uint8Array) => Elsewhere.from(nacl.sign.detached(bytes, both)) }
      const transaction = { from: address, to: someone, amount: 5n, blockhash: blockhash(1) }
      const signed: Array<unknown> = []
      for (const from of [{ privateKey }, { mnemonic: words }, { kit: pair }, wallet, kms, frame] as const)
        signed.push(yield* (yield* made(from)).sign(transaction))
      expect(new Set(signed.map((each) => JSON.stringify(each))).size).toBe(1)
      for (const from of [{ privateKey }, { kit: pair }, kms]) {
        const signature = yield* (yield* made(from)).signMessage("Grüße")
        expect(isSigned(signature, new TextEncoder().encode("Grüße"))).toBe(true)
      }
      expect(yield* Effect.flip((yield* made(wallet)).signMessage("hello"))).toMatchObject({
        _tag: "SigningFailed",
        reason: "this signer of kit signs no messages"
      })
    })
  )

  const wrong: ReadonlyArray<readonly [string, () => unknown]> = [
    ["of another key", () => nacl.sign.detached(new Uint8Array(5), nacl.sign.keyPair().secretKey)],
    ["of other bytes", () => nacl.sign.detached(new Uint8Array(5), both)],
    ["that is too short", () => new Uint8Array(63)],
    ["that is no signature", () => "0x"],
    ["that is missing", () => undefined],
    ["that fails", () => Promise.reject(new Error("the KMS is away"))]
  ]

  it.effect.each(wrong)("are not sent with a signature %s", ([name, sign]) =>
    Effect.gen(function* () {
      const { client, sent } = makeCluster(rich)
      const account = yield* make(client(), { address, sign } as SolanaFrom)
      const failed = yield* Effect.flip(account.send({ to: someone, amount: "1" }))
      expect(failed).toMatchObject({
        _tag: "SigningFailed",
        reason: name === "that fails" ? "the KMS is away" : `the signature is not that of ${address}`
      })
      expect(yield* Effect.flip(account.signMessage("hello"))).toMatchObject({ _tag: "SigningFailed" })
      expect(sent).toEqual([])
    })
  )

  it.effect("are signed by signers of kit, whichever form their answer has", () =>
    Effect.gen(function* () {
      const transaction = { from: address, to: someone, amount: 5n, blockhash: blockhash(1) }
      const signed = (bytes: Uint8Array) => nacl.sign.detached(Uint8Array.from(bytes), both)
      const signing = (answer: (bytes: Uint8Array) => unknown) =>
        made({
          kit: {
            address,
            signTransactions: async ([given]: ReadonlyArray<never>) =>
              answer((given as unknown as kit.Transaction).messageBytes as unknown as Uint8Array),
            modifyAndSignTransactions: () => Promise.reject(new Error("the other one is asked")),
            signMessages: async ([given]: ReadonlyArray<never>) => {
              const { content, signatures } = given as unknown as { content: Uint8Array; signatures: unknown }
              expect(signatures).toEqual({})
              const answered = answer(content)
              // it is its own
              content.fill(0)
              return answered
            }
          }
        })
      const own = yield* made({ privateKey })
      for (const answer of [
        (bytes: Uint8Array) => [{ [address]: signed(bytes) }],
        (bytes: Uint8Array) => [{ signatures: { [address]: signed(bytes) }, messageBytes: bytes }]
      ]) {
        const account = yield* signing(answer)
        expect(yield* account.sign(transaction)).toEqual(yield* own.sign(transaction))
        expect(yield* account.signMessage("hello")).toBe(yield* own.signMessage("hello"))
      }
      for (const answer of [
        () => undefined,
        () => ({ [address]: 7 }),
        () => [],
        () => [null],
        () => [7],
        () => [{}],
        () => [{ signatures: null }],
        () => [{ signatures: {} }],
        (bytes: Uint8Array) => [{ [someone]: signed(bytes) }],
        (bytes: Uint8Array) => ({ [address]: signed(bytes) })
      ]) {
        const account = yield* signing(answer)
        for (const failing of [account.sign(transaction), account.signMessage("hello")])
          expect(yield* Effect.flip<unknown, unknown, never>(failing)).toMatchObject({
            _tag: "SigningFailed",
            reason: `the signature is not that of ${address}`
          })
      }
    })
  )

  it.effect("are not sent where a wallet has changed them", () =>
    Effect.gen(function* () {
      const pair = yield* Effect.promise(() => kit.createKeyPairSignerFromPrivateKeyBytes(key))
      const { client, sent } = makeCluster(rich)
      const account = yield* make(client(), {
        kit: {
          address,
          modifyAndSignTransactions: async ([given]: ReadonlyArray<never>) => {
            const changed = {
              ...(given as unknown as kit.Transaction),
              messageBytes: Uint8Array.from((given as unknown as kit.Transaction).messageBytes, (byte, i) =>
                i === 4 ? byte ^ 1 : byte
              ) as never
            }
            const [signatures] = await pair.signTransactions([changed as never])
            return [{ ...changed, signatures }]
          }
        }
      })
      expect(yield* Effect.flip(account.send({ to: someone, amount: "1" }))).toMatchObject({
        _tag: "SigningFailed"
      })
      expect(sent).toEqual([])
    })
  )

  it.effect("are not sent where they are no longer what was shown", () =>
    Effect.gen(function* () {
      const { client, sent } = makeCluster(rich)
      const account = yield* make(client(), { privateKey })
      const prepared = yield* account.prepare({ to: someone, amount: "1" })
      for (const changed of [
        { ...prepared, transaction: { ...prepared.transaction, amount: 2n } },
        { ...prepared, transaction: { ...prepared.transaction, to: other } },
        { ...prepared, to: other },
        { ...prepared, token: mint },
        { ...prepared, from: other },
        { ...prepared, transaction: { ...prepared.transaction, from: other } },
        // a priority fee that the preview does not have
        { ...prepared, transaction: { ...prepared.transaction, computeUnitPrice: 1n } },
        { ...prepared, transaction: { ...prepared.transaction, computeUnitPrice: 7 as never } },
        { ...prepared, fee: 4_999n }
      ])
        expect(yield* Effect.flip(account.submit(changed))).toMatchObject({ _tag: "InvalidArgument" })
      expect(sent).toEqual([])
    })
  )

  const usual = { from: address, to: someone, amount: 1n, blockhash: blockhash(1) }
  const inTokens = (decimals: unknown, changes: object = {}) => ({
    ...usual,
    token: {
      mint,
      program: tokens,
      decimals,
      source: someone,
      destination: someone,
      creates: false,
      ...changes
    }
  })
  const NO_BLOCKHASH = "sign: it has no blockhash: prepare gives one"
  const NO_BYTE = "sign: the decimals of its token are none of 8 bits"
  const unsignable: ReadonlyArray<readonly [string, unknown, string | RegExp]> = [
    ["nothing", undefined, /^sign: /],
    ["another account's", { ...usual, from: someone, to: address }, /^sign: it is paid by/],
    ["one without a blockhash", { from: address, to: someone, amount: 1n }, NO_BLOCKHASH],
    ["one with a blockhash that is none", { ...usual, blockhash: "abc" }, NO_BLOCKHASH],
    ...[0n, -1n, 2n ** 64n, 1].map(
      (amount) => [`one of ${amount}`, { ...usual, amount }, "sign: its amount is none of 64 bits"] as const
    ),
    ["one to nobody", { ...usual, to: "0x" }, "sign: it names accounts that are none of Solana"],
    [
      "one of a token that is none",
      inTokens(6, { mint: "0x" }),
      "sign: it names accounts that are none of Solana"
    ],
    ...[0, -1, 0.5, 2 ** 32, "7", 7n].map(
      (computeUnitLimit) =>
        [
          `one with the limit ${inspect(computeUnitLimit)}`,
          { ...usual, computeUnitLimit },
          "sign: its limit of compute units is none of 32 bits"
        ] as const
    ),
    ...[0n, -1n, 2n ** 64n, 7].map(
      (computeUnitPrice) =>
        [
          `one with the price ${inspect(computeUnitPrice)}`,
          { ...usual, computeUnitLimit: 7, computeUnitPrice },
          "sign: its price of compute units is none of 64 bits"
        ] as const
    ),
    [
      "one with a price and no limit",
      { ...usual, computeUnitPrice: 7n },
      "sign: its price of compute units has no limit beside it"
    ],
    ...[256, -1, 0.5, "6", undefined].map(
      (decimals) => [`one with the decimals ${decimals}`, inTokens(decimals), NO_BYTE] as const
    )
  ]

  it.effect.each(unsignable)("are not signed: %s", ([, transaction, message]) =>
    Effect.gen(function* () {
      const account = yield* made({ privateKey })
      const refused = yield* Effect.flip(account.sign(transaction as SolanaTransaction))
      expect(refused).toMatchObject({ _tag: "InvalidArgument", message: expect.stringMatching(message) })
    })
  )

  it.effect("are signed without a preview, with decimals of a byte", () =>
    Effect.gen(function* () {
      const account = yield* made({ privateKey })
      for (const decimals of [0, 255]) {
        const transaction = inTokens(decimals) as SolanaTransaction
        const { hash, raw } = yield* account.sign(transaction)
        const read = readOf(raw)
        expect(read).toMatchObject({ signature: hash, lifetime: blockhash(1) })
        expect(read.instructions).toEqual(expected(transaction))
      }
    })
  )
})

describe("bad payments of Solana", () => {
  const account = (accounts: Readonly<Record<string, State>> = rich) =>
    Effect.map(made({ privateKey }, accounts), (signer) => signer)

  const bad: ReadonlyArray<readonly [string, unknown, object]> = [
    ["nothing", undefined, { _tag: "InvalidArgument" }],
    ["no receiver", { amount: "1" }, { _tag: "InvalidAddress" }],
    [
      "a receiver on another chain",
      { to: "0x9858EfFD232B4033E47d90003D41EC34EcaEda94", amount: "1" },
      { _tag: "InvalidAddress", network: "solana-mainnet" }
    ],
    ["no amount", { to: someone }, { _tag: "InvalidAmount" }],
    ["a number", { to: someone, amount: 1 }, { _tag: "InvalidAmount" }],
    ["zero", { to: someone, amount: "0" }, { _tag: "InvalidAmount" }],
    ["less than zero", { to: someone, amount: -1n }, { _tag: "InvalidAmount" }],
    ["too many digits", { to: someone, amount: "0.0000000001" }, { _tag: "InvalidAmount" }],
    ["a number with an exponent", { to: someone, amount: "1e3" }, { _tag: "InvalidAmount" }],
    [
      "more than there is",
      { to: someone, amount: "21" },
      { _tag: "InsufficientFunds", needed: "21.000005", available: "20" }
    ],
    ["more than fits", { to: someone, amount: 2n ** 70n }, { _tag: "InsufficientFunds" }],
    ["all but the fee", { to: someone, amount: "20" }, { _tag: "InsufficientFunds", needed: "20.000005" }],
    [
      "all but a little",
      { to: someone, amount: 20n * SOL - 5_001n },
      { _tag: "InsufficientFunds", needed: "20.000890879", available: "20" }
    ],
    [
      "too little for a new account",
      { to: other, amount: 890_879n },
      { _tag: "DustAmount", least: "0.00089088" }
    ],
    [
      "a cap below the fee",
      { to: someone, amount: "1", maxFee: 4_999n },
      { _tag: "FeeOverCap", fee: "0.000005" }
    ],
    ["a cap that is none", { to: someone, amount: "1", maxFee: "x" }, { _tag: "InvalidAmount" }],
    ["an empty memo", { to: someone, amount: "1", memo: "" }, { _tag: "InvalidArgument" }],
    [
      "a memo that is too long",
      { to: someone, amount: "1", memo: "ä".repeat(284) },
      { _tag: "InvalidArgument" }
    ],
    ["a token that is no address", { to: someone, amount: "1", token: "USDC" }, { _tag: "InvalidAddress" }],
    ["a token that is none", { to: someone, amount: "1", token: someone }, { _tag: "InvalidArgument" }],
    ["a token that nobody knows", { to: someone, amount: "1", token: other }, { _tag: "InvalidArgument" }]
  ]

  it.effect.each(bad)("are refused: %s", ([, payment, error]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip((yield* account()).prepare(payment as never))).toMatchObject(error)
    })
  )

  it.effect("are refused by calls with nothing, on both surfaces", () =>
    Effect.gen(function* () {
      const effects = yield* account()
      const promises = yield* Effect.promise(() =>
        signer(makeCluster(rich).client() as never, { privateKey })
      )
      for (const call of ["prepare", "submit", "send", "sendToken", "sign"] as const) {
        const nothing = undefined as never
        expect(yield* Effect.flip<unknown, unknown, never>(effects[call](nothing))).toMatchObject({
          _tag: "InvalidArgument"
        })
        const result = yield* Effect.promise<{ readonly status: string }>(
          () => promises.data?.[call](nothing) as never
        )
        expect(result).toMatchObject({ status: "ERROR", error: { cause: { _tag: "InvalidArgument" } } })
      }
    })
  )

  it.effect("are none at the edges", () =>
    Effect.gen(function* () {
      const { prepare } = yield* account()
      expect((yield* prepare({ to: someone, amount: 20n * SOL - 5_000n })).outgoing).toEqual([
        { asset: "SOL", amount: "20" }
      ])
      expect((yield* prepare({ to: someone, amount: 20n * SOL - 5_000n - 890_880n })).warnings).toEqual([])
      expect((yield* prepare({ to: other, amount: 890_880n })).warnings).toHaveLength(1)
      expect((yield* prepare({ to: someone, amount: 1n, maxFee: "0.000005" })).fee).toBe(5_000n)
      expect(
        (yield* prepare({ to: someone, amount: 1n, memo: "ä".repeat(283) })).transaction.memo
      ).toHaveLength(283)
      // what comes back is not spent
      for (const left of [6_000n + 890_880n, 5_001n])
        expect((yield* prepare({ to: address, amount: 20n * SOL - left })).warnings).toEqual([
          "The receiver is the account itself."
        ])
    })
  )

  it.effect("are told where only programs can spend what arrives", () =>
    Effect.gen(function* () {
      const vault = yield* Effect.promise(() => findAssociatedAccount(someone, mint, tokens))
      const { prepare } = yield* account({ ...rich, [other]: { lamports: SOL, owner: tokens } })
      expect((yield* prepare({ to: vault, amount: "1" })).warnings).toContain(
        "No key has the receiver's address: only a program can spend what it is sent."
      )
      expect((yield* prepare({ to: other, amount: "1" })).warnings).toEqual([
        `The receiver belongs to the program ${tokens}, which may not give back what it is sent.`
      ])
    })
  )

  it.effect("are refused where nodes would", () =>
    Effect.gen(function* () {
      const simulateTransaction = () =>
        Effect.succeed({
          context: { slot: 1n },
          value: {
            err: { InstructionError: [0, { Custom: 17 }] },
            logs: ["Program log: Error: Account is frozen"]
          }
        })
      const { prepare } = yield* make(makeCluster(rich, { simulateTransaction }).client(), { privateKey })
      const refused = yield* Effect.flip(prepare({ to: someone, amount: "1" }))
      expect(refused).toMatchObject({ _tag: "InvalidArgument" })
      expect(refused.message).toContain("Account is frozen")
    })
  )

  it.effect("are refused in tokens by what their accounts say", () =>
    Effect.gen(function* () {
      const [source, destination] = yield* Effect.promise(() =>
        Promise.all([
          findAssociatedAccount(address, mint, tokens),
          findAssociatedAccount(someone, mint, tokens)
        ])
      )
      const [source2022, destination2022] = yield* Effect.promise(() =>
        Promise.all([
          findAssociatedAccount(address, mint, tokens2022),
          findAssociatedAccount(someone, mint, tokens2022)
        ])
      )
      const usual = {
        ...rich,
        [mint]: mintState(6),
        [source]: holdingState(address, 5_000_000n),
        [destination]: holdingState(someone, 0n)
      }
      const wantsMemo = new Uint8Array(171)
      wantsMemo.set(holdingState(someone, 0n).data ?? [])
      wantsMemo.set([2, 8, 0, 1, 0, 1], 165)
      const in2022 = {
        ...rich,
        [mint]: mintState(6, tokens2022),
        [source2022]: { ...holdingState(address, 5_000_000n), owner: tokens2022 },
        [destination2022]: { lamports: 1n, owner: tokens2022, data: wantsMemo }
      }
      const { [address]: _, ...without } = usual
      const cases: ReadonlyArray<readonly [Readonly<Record<string, State>>, object, object]> = [
        [usual, { amount: "0.0000001" }, { _tag: "InvalidAmount" }],
        [
          usual,
          { amount: "5.000001" },
          { _tag: "InsufficientFunds", asset: mintId, token: mint, available: "5" }
        ],
        [usual, { to: mint }, { _tag: "InvalidAddress", reason: "is the mint of a token" }],
        [
          { ...usual, [source]: holdingState(address, 5_000_000n, { state: 2 }) },
          {},
          { _tag: "InvalidArgument" }
        ],
        [
          { ...usual, [destination]: holdingState(someone, 0n, { state: 2 }) },
          {},
          { _tag: "InvalidArgument" }
        ],
        [{ ...usual, [destination]: holdingState(other, 0n) }, {}, { _tag: "InvalidAddress" }],
        [{ ...usual, [someone]: holdingState(other, 0n, { mint: other }) }, {}, { _tag: "InvalidAddress" }],
        // an account that keeps something keeps the least, and one that is emptied by the payment cannot be given less than that
        [
          { ...usual, [address]: { lamports: 4_999n } },
          {},
          { _tag: "InsufficientFunds", asset: "SOL", needed: "0.00089588" }
        ],
        [without, {}, { _tag: "InsufficientFunds", asset: "SOL", needed: "0.00089588", available: "0" }],
        [
          without,
          { to: other },
          { _tag: "InsufficientFunds", asset: "SOL", needed: "0.00204428", available: "0" }
        ],
        [{ ...usual, [mint]: mintState(6, system) }, {}, { _tag: "InvalidArgument" }],
        [{ ...usual, [mint]: mintState(6, tokens2022, [9, 0, 0, 0]) }, {}, { _tag: "InvalidArgument" }],
        [
          { ...usual, [mint]: mintState(6, tokens2022, [3, 0, 1, 0, 7, 14, 0, 0, 0]) },
          {},
          { _tag: "InvalidArgument" }
        ],
        [in2022, {}, { _tag: "MemoRequired", address: someone }]
      ]
      for (const [accounts, changes, error] of cases) {
        const { prepare } = yield* account(accounts)
        const payment = { to: someone, token: mint, amount: "1", ...changes }
        expect(yield* Effect.flip(prepare(payment))).toMatchObject(error)
      }
      expect(
        (yield* (yield* account(in2022)).prepare({ to: someone, token: mint, amount: "1", memo: "rent" }))
          .amount
      ).toBe(1_000_000n)
      // the account that is to be made takes coins, of which enough must be left
      const poor = { ...usual, [address]: { lamports: 2_044_279n + 890_880n } }
      const { prepare } = yield* account(poor)
      expect((yield* prepare({ to: someone, token: mint, amount: "1" })).fee).toBe(5_000n)
      expect(yield* Effect.flip(prepare({ to: other, token: mint, amount: "1" }))).toMatchObject({
        _tag: "InsufficientFunds",
        asset: "SOL",
        needed: "0.00293516"
      })
    })
  )
})

describe("previews of Solana", () => {
  /** An account on a cluster, and what it has asked its nodes. */
  const asking = (accounts: Readonly<Record<string, State>>, changed: Partial<SolanaCalls> = {}) =>
    Effect.gen(function* () {
      const asked: Array<readonly [string, ReadonlyArray<unknown>]> = []
      const { client } = makeCluster(accounts, changed)
      const { network, rpc } = client()
      const told = new Proxy(rpc, {
        get: (given, name) => {
          const call: (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown> = Reflect.get(given, name)
          return (...args: ReadonlyArray<unknown>) => {
            asked.push([String(name), args])
            return Effect.delay(call(...args), 1_000)
          }
        }
      })
      const signer = yield* make({ network, rpc: told }, { privateKey })
      /** What a payment comes to after so many seconds, and not earlier: what can be asked at once is. */
      const prepared = (payment: Parameters<typeof signer.prepare>[0], seconds: number) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(signer.prepare(payment))
          for (let passed = 0; passed < seconds; passed++) {
            // addresses of tokens are promises: until all that is asked now has been
            for (let before = 0, still = 0; still < 6; ) {
              yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
              const { length } = yield* TestClock.sleeps()
              still = length > 0 && length === before ? still + 1 : 0
              before = length
            }
            expect(fiber.unsafePoll()).toBeNull()
            yield* TestClock.adjust(1_000)
          }
          return yield* Fiber.join(fiber)
        })
      const argumentsOf = (name: string) => asked.filter(([each]) => each === name).map(([, args]) => args)
      return { argumentsOf, prepared }
    })
  const context = { slot: 1n }
  const confirmed = { commitment: "confirmed" }

  it.effect("have everything that leaves the account, and are tried as they are", () =>
    Effect.gen(function* () {
      const { argumentsOf, prepared } = yield* asking(rich, {
        getFeeForMessage: () => Effect.succeed({ context, value: 7_000n }),
        // some nodes have no error at all instead of none
        simulateTransaction: () =>
          Effect.succeed({ context, value: { unitsConsumed: 450n } as unknown as { err: unknown } })
      })
      expect(yield* prepared({ to: someone, amount: "1", memo: "7", maxFee: 7_000n }, 4)).toStrictEqual({
        network: "solana-mainnet",
        from: address,
        to: someone,
        amount: SOL,
        fee: 7_000n,
        outgoing: [{ asset: "SOL", amount: "1.000007" }],
        warnings: [],
        transaction: {
          from: address,
          to: someone,
          amount: SOL,
          memo: "7",
          computeUnitLimit: LIMIT,
          blockhash: blockhash(0),
          lastValidBlockHeight: 240n
        }
      })
      expect(argumentsOf("getMinimumBalanceForRentExemption")).toEqual([[0, confirmed]])
      expect(argumentsOf("getRecentPrioritizationFees")).toEqual([[[address, someone]]])
      expect(argumentsOf("getMultipleAccounts")).toEqual([
        [[address, someone], { ...confirmed, encoding: "base64", dataSlice: { offset: 0, length: 1_024 } }]
      ])
      const [[message, level] = []] = argumentsOf("getFeeForMessage")
      expect(level).toEqual(confirmed)
      const [[wire, options] = []] = argumentsOf("simulateTransaction")
      expect(options).toEqual({
        ...confirmed,
        encoding: "base64",
        sigVerify: false,
        replaceRecentBlockhash: true
      })
      const { instructions, message: bytes } = readOf(String(wire))
      expect(instructions).toEqual(
        expected({ from: address, to: someone, amount: SOL, memo: "7", computeUnitLimit: 1_400_000 })
      )
      expect(message).toBe(Buffer.from(bytes).toString("base64"))
    })
  )

  it.effect("take what is no data of an account for none", () =>
    Effect.gen(function* () {
      for (const data of [undefined, null, "AQ==", [], [7], { parsed: {} }]) {
        const getMultipleAccounts: SolanaCalls["getMultipleAccounts"] = (addresses) =>
          Effect.succeed({ context, value: addresses.map(() => ({ lamports: SOL, owner: system, data })) })
        const { prepare } = yield* make(makeCluster({}, { getMultipleAccounts }).client(), { privateKey })
        expect((yield* prepare({ to: someone, amount: 1n })).fee).toBe(5_000n)
        expect((yield* Effect.flip(prepare({ to: someone, token: mint, amount: 1n }))).message).toContain(
          "is no token"
        )
      }
    })
  )

  it.effect("have the least fee where a node knows none", () =>
    Effect.gen(function* () {
      const { prepared } = yield* asking(rich, {
        getFeeForMessage: () => Effect.succeed({ context, value: null })
      })
      expect((yield* prepared({ to: someone, amount: 1n }, 4)).fee).toBe(5_000n)
    })
  )

  it.effect("say why nodes refuse a payment: the error, and the last line of its log", () =>
    Effect.gen(function* () {
      const err = { InstructionError: [0, { Custom: 17 }] }
      for (const [logs, end] of [
        [["first", "Error: Account is frozen"], ", Error: Account is frozen"],
        [[], ""],
        [null, ""]
      ] as const) {
        const simulateTransaction = () => Effect.succeed({ context, value: { err, logs } })
        const { prepare } = yield* make(makeCluster(rich, { simulateTransaction }).client(), { privateKey })
        expect((yield* Effect.flip(prepare({ to: someone, amount: "1" }))).message).toBe(
          `prepare: the chain refuses it: {"InstructionError":[0,{"Custom":17}]}${end}`
        )
      }
    })
  )

  it.effect("of tokens have the account that is made, and the fees that tokens keep", () =>
    Effect.gen(function* () {
      const [source, destination] = yield* Effect.promise(() =>
        Promise.all([
          findAssociatedAccount(address, mint, tokens2022),
          findAssociatedAccount(someone, mint, tokens2022)
        ])
      )
      // a mint whose transfers have a fee: accounts for it are longer
      const accounts = {
        ...rich,
        [mint]: mintState(6, tokens2022, [1, 0, 0, 0]),
        [source]: { ...holdingState(address, 5_000_000n), owner: tokens2022 }
      }
      const { argumentsOf, prepared } = yield* asking(accounts)
      const token = { mint, program: tokens2022, decimals: 6, source, destination, creates: true }
      const rent = BigInt(182 + 128) * 6_960n
      expect(yield* prepared({ to: someone, token: mint, amount: "1.5", memo: "7" }, 6)).toStrictEqual({
        network: "solana-mainnet",
        from: address,
        to: someone,
        token: mint,
        amount: 1_500_000n,
        fee: 5_000n,
        outgoing: [
          { asset: mintId, token: mint, amount: "1.5", units: 1_500_000n, decimals: 6 },
          { asset: "SOL", amount: "0.0021626" }
        ],
        warnings: [
          "The receiver has no account for the token yet: making it takes 0.0021576 SOL.",
          "The token keeps a fee of what is sent: less of it may arrive."
        ],
        transaction: {
          from: address,
          to: someone,
          amount: 1_500_000n,
          memo: "7",
          token,
          computeUnitLimit: LIMIT,
          blockhash: blockhash(0),
          lastValidBlockHeight: 240n
        }
      })
      expect(rent).toBe(2_157_600n)
      expect(argumentsOf("getRecentPrioritizationFees")).toEqual([[[address, source, destination]]])
      expect(argumentsOf("getMinimumBalanceForRentExemption")).toEqual([
        [0, confirmed],
        [182, confirmed]
      ])
    })
  )

  it.effect("of tokens go to the account that is named, whoever owns it", () =>
    Effect.gen(function* () {
      const source = yield* Effect.promise(() => findAssociatedAccount(address, mint, tokens))
      const accounts = {
        ...rich,
        [mint]: mintState(6),
        [source]: holdingState(address, 5_000_000n)
      }
      for (const [owner, warnings] of [
        [someone, []],
        [address, ["The receiver is the account itself."]]
      ] as const) {
        const { argumentsOf, prepared } = yield* asking({ ...accounts, [other]: holdingState(owner, 0n) })
        const preview = yield* prepared({ to: other, token: mint, amount: "1" }, 6)
        expect(preview).toMatchObject({
          outgoing: [
            { asset: mintId, token: mint, amount: "1", units: 1_000_000n, decimals: 6 },
            { asset: "SOL", amount: "0.000005" }
          ],
          warnings,
          transaction: { to: other, token: { source, destination: other, creates: false } }
        })
        expect(preview.transaction).not.toHaveProperty("memo")
        expect(argumentsOf("getMinimumBalanceForRentExemption")).toEqual([[0, confirmed]])
      }
    })
  )

  it.effect("are refused with the reason", () =>
    Effect.gen(function* () {
      const [source, destination] = yield* Effect.promise(() =>
        Promise.all([
          findAssociatedAccount(address, mint, tokens),
          findAssociatedAccount(someone, mint, tokens)
        ])
      )
      const usual = {
        ...rich,
        [mint]: mintState(6),
        [source]: holdingState(address, 5_000_000n),
        [destination]: holdingState(someone, 0n)
      }
      const frozen = { state: 2 }
      const wantsMemo = new Uint8Array(171)
      wantsMemo.set(holdingState(someone, 0n).data ?? [])
      wantsMemo.set([2, 8, 0, 1, 0, 1], 165)
      const reasons: ReadonlyArray<readonly [Readonly<Record<string, State>>, object, string | RegExp]> = [
        [usual, { memo: "" }, "prepare: a memo must be text of 1 to 566 bytes"],
        [usual, { token: someone }, `prepare: ${someone} is no token: it is not the account of a mint`],
        [
          { ...usual, [mint]: mintState(6, tokens2022, [9, 0, 0, 0]) },
          {},
          `prepare: the token ${mint} cannot be sent: it cannot be transferred`
        ],
        [
          { ...usual, [source]: holdingState(address, 5_000_000n, frozen) },
          {},
          `prepare: an account for the token ${mint} is frozen`
        ],
        [
          { ...usual, [destination]: holdingState(someone, 0n, frozen) },
          {},
          `prepare: an account for the token ${mint} is frozen`
        ],
        [
          { ...usual, [someone]: holdingState(other, 0n, { mint: other }) },
          {},
          new RegExp(`is an account for the token ${other}`)
        ],
        [
          { ...usual, [destination]: holdingState(other, 0n) },
          {},
          /has given its account for the token to another owner/
        ],
        [
          { ...usual, [destination]: { lamports: 1n, owner: tokens2022, data: wantsMemo } },
          {},
          /its account for the token takes nothing without one/
        ]
      ]
      for (const [accounts, changes, message] of reasons) {
        const { prepare } = yield* made({ privateKey }, accounts)
        const error = yield* Effect.flip(prepare({ to: someone, token: mint, amount: "1", ...changes }))
        expect(error.message).toMatch(message)
      }
      // nothing of the token is nothing of it, and no account has no coins
      const { [source]: _, ...without } = usual
      const { prepare } = yield* made({ privateKey }, without)
      expect(yield* Effect.flip(prepare({ to: someone, token: mint, amount: "1" }))).toMatchObject({
        _tag: "InsufficientFunds",
        address,
        asset: mintId,
        needed: "1",
        available: "0"
      })
      const { prepare: pay } = yield* made({ privateKey }, { [someone]: { lamports: SOL } })
      expect(yield* Effect.flip(pay({ to: someone, amount: 1n }))).toMatchObject({
        _tag: "InsufficientFunds",
        address,
        asset: "SOL",
        needed: "0.000005001",
        available: "0"
      })
      const { prepare: dust } = yield* made({ privateKey }, rich)
      expect(yield* Effect.flip(dust({ to: other, amount: 1n }))).toMatchObject({
        _tag: "DustAmount",
        amount: "0.000000001",
        asset: "SOL"
      })
      expect((yield* dust({ to: other, amount: SOL })).warnings).toEqual([
        "The receiver has no account yet: this payment makes it."
      ])
    })
  )
})

describe("priority fees of Solana", () => {
  const context = { slot: 1n }
  /** What others have paid in recent slots, and the compute units that a trial takes. */
  const market = (
    prices: ReadonlyArray<bigint>,
    units: bigint | null | undefined = 450n,
    changed: Partial<SolanaCalls> = {}
  ): Partial<SolanaCalls> => ({
    getRecentPrioritizationFees: () =>
      Effect.succeed(prices.map((prioritizationFee) => ({ slot: 1n, prioritizationFee }))),
    simulateTransaction: () =>
      Effect.succeed({
        context,
        value: { err: null, ...(units === undefined ? {} : { unitsConsumed: units }) }
      }),
    ...changed
  })
  const over = (changed: Partial<SolanaCalls>, accounts: Readonly<Record<string, State>> = rich) =>
    make(makeCluster(accounts, changed).client(), { privateKey })
  const CROWDED =
    "Others pay a higher priority fee now than the highest fee allows: the payment may wait, or expire."

  it.effect("are the percentile of what others have paid", () =>
    Effect.gen(function* () {
      // in no order, as nodes answer
      const prices = Array.from({ length: 100 }, (_, i) => BigInt(((i * 37) % 100) + 1) * 1_000n)
      const { prepare } = yield* over(market(prices))
      for (const [speed, price] of [
        [undefined, 50_000n],
        ["normal", 50_000n],
        ["slow", 25_000n],
        ["fast", 90_000n],
        [{ percentile: 0 }, 1_000n],
        [{ percentile: 0.5 }, 1_000n],
        [{ percentile: 99.5 }, 100_000n],
        [{ percentile: 100 }, 100_000n]
      ] as const) {
        const payment = { to: someone, amount: 1n, ...(speed === undefined ? {} : { speed }) }
        const { fee, outgoing, transaction, warnings } = yield* prepare(payment)
        expect(transaction).toMatchObject({ computeUnitLimit: LIMIT, computeUnitPrice: price })
        // 995 units: every started lamport is taken
        expect(fee).toBe(5_000n + (995n * price + 999_999n) / 1_000_000n)
        expect(outgoing).toEqual([{ asset: "SOL", amount: `0.00000${fee + 1n}` }])
        expect(warnings).toEqual(["The fee is more than what is paid."])
      }
    })
  )

  it.effect("are none where others pay none", () =>
    Effect.gen(function* () {
      for (const prices of [[], [0n, 0n], [0n, 0n, 9_000n]]) {
        const { prepare } = yield* over(market(prices))
        const { fee, transaction } = yield* prepare({ to: someone, amount: 1n })
        expect(fee).toBe(5_000n)
        expect(transaction).toMatchObject({ computeUnitLimit: LIMIT })
        expect(transaction).not.toHaveProperty("computeUnitPrice")
      }
    })
  )

  it.effect("are those of speeds alone", () =>
    Effect.gen(function* () {
      const { prepare, send } = yield* over(market([]))
      for (const speed of [
        "quick",
        "toString",
        "",
        50,
        null,
        {},
        [],
        { percentile: -1 },
        { percentile: 100.1 },
        { percentile: Number.NaN },
        { percentile: "50" }
      ]) {
        const payment = { to: someone, amount: 1n, speed: speed as never }
        for (const call of [prepare, send] as const)
          expect(yield* Effect.flip<unknown, unknown, never>(call(payment))).toMatchObject({
            _tag: "InvalidArgument",
            reason: "speed must be slow, normal, fast, or { percentile } from 0 to 100"
          })
      }
    })
  )

  it.effect("have a limit by what the trial took, and the chain's own where a node does not say", () =>
    Effect.gen(function* () {
      const source = yield* Effect.promise(() => findAssociatedAccount(address, mint, tokens))
      const accounts = { ...rich, [mint]: mintState(6), [source]: holdingState(address, 5_000_000n) }
      for (const [units, limit] of [
        [1n, 502],
        [30_001n, 33_502],
        [1_400_000n, 1_400_000],
        [2n ** 70n, 1_400_000],
        [0n, 600_000],
        [null, 600_000],
        [undefined, 600_000]
      ] as const) {
        const { prepare } = yield* over(market([1n], units ?? null), accounts)
        const payment = { to: other, token: mint, amount: 1n, memo: "7" }
        expect((yield* prepare(payment)).transaction.computeUnitLimit).toBe(limit)
      }
      const { prepare } = yield* over(market([1n], null), accounts)
      expect((yield* prepare({ to: someone, amount: 1n })).transaction.computeUnitLimit).toBe(200_000)
      expect((yield* prepare({ to: someone, amount: 1n, memo: "7" })).transaction.computeUnitLimit).toBe(
        400_000
      )
    })
  )

  it.effect("are lowered to the cap with a warning, and only a base fee above it is refused", () =>
    Effect.gen(function* () {
      const { prepare } = yield* over(market([10n ** 12n]))
      const dear = yield* prepare({ to: someone, amount: "1" })
      // the cap of the family, and not a lamport above it
      expect(dear).toMatchObject({ fee: 1_000_000n, warnings: [CROWDED] })
      expect(dear.transaction.computeUnitPrice).toBe((995_000n * 1_000_000n) / 995n)
      expect(yield* prepare({ to: someone, amount: "1", maxFee: 5_000n })).toMatchObject({
        fee: 5_000n,
        warnings: [CROWDED]
      })
      expect((yield* prepare({ to: someone, amount: "1", maxFee: 5_000n })).transaction).not.toHaveProperty(
        "computeUnitPrice"
      )
      expect(yield* Effect.flip(prepare({ to: someone, amount: "1", maxFee: 4_999n }))).toMatchObject({
        _tag: "FeeOverCap",
        fee: "0.000005"
      })
      // what a payment may pay is paid where it has to be
      expect(yield* prepare({ to: someone, amount: "1", maxFee: "1.2" })).toMatchObject({
        fee: 5_000n + 995_000_000n,
        warnings: []
      })
      const base = yield* over(
        market([], 450n, { getFeeForMessage: () => Effect.succeed({ context, value: 1_000_001n }) })
      )
      expect(yield* Effect.flip(base.prepare({ to: someone, amount: "1" }))).toMatchObject({
        _tag: "FeeOverCap",
        fee: "0.001000001",
        cap: "0.001"
      })
      // a price of more than 64 bits fits into no instruction
      const endless = yield* over(market([2n ** 80n]))
      const paid = yield* endless.prepare({ to: someone, amount: "1", maxFee: 2n ** 80n }).pipe(Effect.flip)
      expect(paid).toMatchObject({ _tag: "InsufficientFunds" })
    })
  )

  it.effect("are subtracted from a sweep with the rest of the fee", () =>
    Effect.gen(function* () {
      const tried: Array<string> = []
      const { client, sent } = makeCluster(
        rich,
        market([2_000_000n], 450n, {
          simulateTransaction: (raw) => {
            tried.push(raw)
            return Effect.succeed({ context, value: { err: null, unitsConsumed: 450n } })
          }
        })
      )
      const account = yield* make(client(), { privateKey })
      const prepared = yield* account.prepare({ to: someone, amount: "all" })
      expect(prepared).toMatchObject({
        amount: 20n * SOL - 6_990n,
        fee: 6_990n,
        outgoing: [{ asset: "SOL", amount: "20" }]
      })
      // the trial has no priority fee, and leaves nothing either: what is left would owe rent
      expect(readOf(tried[0] ?? "").instructions).toEqual(
        expected({ from: address, to: someone, amount: 20n * SOL - 5_000n, computeUnitLimit: 1_400_000 })
      )
      yield* account.submit(prepared)
      expect(readOf(sent[0] ?? "").instructions).toEqual(expected(prepared.transaction))
    })
  )

  it.effect("are in what an account lacks, before nodes try what it cannot pay", () =>
    Effect.gen(function* () {
      const source = yield* Effect.promise(() => findAssociatedAccount(address, mint, tokens))
      const accounts = { ...rich, [mint]: mintState(6), [source]: holdingState(address, 5_000_000n) }
      const never = { simulateTransaction: () => Effect.die("the account cannot pay this") }
      const fund = (lamports: bigint, changed: Partial<SolanaCalls>) =>
        over(market([1_000_000n], 450n, changed), { ...accounts, [address]: { lamports } })
      const payment = { to: other, token: mint, amount: "1" }
      // rent and the base fee, two instructions at a lamport a unit, and what an account keeps
      const needed = 2_039_280n + 5_000n + 400_000n + 890_880n
      for (const lamports of [0n, 2_044_279n, 2_044_281n, 2_044_280n + 890_879n])
        expect(yield* Effect.flip((yield* fund(lamports, never)).prepare(payment))).toMatchObject({
          _tag: "InsufficientFunds",
          asset: "SOL",
          needed: Units.format(needed, 9)
        })
      // with that much it is paid, at what it takes
      expect((yield* (yield* fund(needed, {})).prepare(payment)).fee).toBe(5_995n)
      expect(yield* Effect.flip((yield* fund(2_044_280n + 890_880n, {})).prepare(payment))).toMatchObject({
        _tag: "InsufficientFunds",
        needed: Units.format(2_039_280n + 5_995n + 890_880n, 9)
      })
    })
  )

  it.effect("are not taken from answers that are no numbers", () =>
    Effect.gen(function* () {
      for (const wrong of [-1n, 0.5, "0x1", null, undefined, {}]) {
        const { prepare } = yield* over(market([1n, wrong as never]))
        expect(yield* Effect.flip(prepare({ to: someone, amount: "1" }))).toMatchObject({
          _tag: "NodeError",
          kind: "malformed",
          call: "getRecentPrioritizationFees"
        })
      }
      for (const wrong of [-1n, 0.5, "0x1", {}]) {
        const { prepare } = yield* over(market([], wrong as never))
        expect(yield* Effect.flip(prepare({ to: someone, amount: "1" }))).toMatchObject({
          _tag: "NodeError",
          kind: "malformed",
          call: "simulateTransaction"
        })
      }
    })
  )

  it("are what was previewed, within the cap, and as others read them", async () => {
    const prices = fc.array(
      fc.oneof(
        fc.constant(0n),
        fc.bigInt({ min: 0n, max: 10n ** 7n }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
      ),
      { maxLength: 12 }
    )
    const speeds = fc.oneof(
      fc.constantFrom<Speed>("slow", "normal", "fast"),
      fc.double({ min: 0, max: 100, noNaN: true }).map((percentile) => ({ percentile }))
    )
    await fc.assert(
      fc.asyncProperty(
        prices,
        speeds,
        fc.bigInt({ min: 1n, max: 2_000_000n }),
        fc.option(fc.bigInt({ min: 5_000n, max: 10n ** 10n }), { nil: undefined }),
        fc.boolean(),
        async (recent, speed, units, maxFee, isSweep) => {
          const { client, sent } = makeCluster(rich, market(recent, units))
          const account = await Effect.runPromise(make(client(), { privateKey }))
          const amount = isSweep ? "all" : SOL
          const cap = maxFee ?? 1_000_000n
          const prepared = await Effect.runPromise(
            account.prepare({ to: someone, amount, speed, ...(maxFee === undefined ? {} : { maxFee }) })
          )
          await Effect.runPromise(account.submit(prepared))
          const { instructions, kitLimit, kitPrice } = readOf(sent[0] ?? "")
          const budget = instructions.filter(({ program }) => program === computeBudget)
          expect(instructions.slice(0, budget.length)).toEqual(budget)
          const { computeUnitLimit = 0, computeUnitPrice = 0n } = prepared.transaction
          expect(kitLimit).toBe(computeUnitLimit)
          expect(kitPrice).toBe(computeUnitPrice === 0n ? undefined : computeUnitPrice)
          expect(budget).toHaveLength(computeUnitPrice === 0n ? 1 : 2)
          // the chain's own formula
          const taken = 5_000n + (BigInt(computeUnitLimit) * computeUnitPrice + 999_999n) / 1_000_000n
          expect(taken).toBe(prepared.fee)
          expect(prepared.fee <= cap).toBe(true)
          expect(computeUnitLimit).toBeGreaterThan(Number(units < 1_400_000n ? units : 0n))
          // the price that was wanted is paid, or as much of it as the cap leaves
          if (prepared.warnings.includes(CROWDED))
            expect(
              5_000n + (BigInt(computeUnitLimit) * (computeUnitPrice + 1n) + 999_999n) / 1_000_000n > cap
            ).toBe(true)
          else expect([...recent, 0n]).toContain(computeUnitPrice)
          expect(prepared.amount).toBe(isSweep ? 20n * SOL - prepared.fee : SOL)
        }
      ),
      { numRuns: runs(150) }
    )
  })
})

describe("messages of Solana", () => {
  it("are signed as they are", async () => {
    const account = await Effect.runPromise(made({ privateKey }))
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 3_000, size: "max" }), async (text) => {
        const signature = await Effect.runPromise(account.signMessage(text))
        expect(isSigned(signature, new TextEncoder().encode(text))).toBe(true)
      }),
      { numRuns: runs(60) }
    )
    const bytes = Uint8Array.of(255, 0, 1)
    expect(isSigned(await Effect.runPromise(account.signMessage(bytes)), bytes)).toBe(true)
  })

  it.effect("are signed as they were given, whatever becomes of their bytes then", () =>
    Effect.gen(function* () {
      const bytes = Uint8Array.of(255, 0, 1)
      const account = yield* made({
        address,
        sign: async (given) => {
          bytes.fill(9)
          return nacl.sign.detached(given, both)
        }
      })
      expect(isSigned(yield* account.signMessage(bytes), Uint8Array.of(255, 0, 1))).toBe(true)
    })
  )

  it.effect("are refused where they are transactions, whoever pays for them", () =>
    Effect.gen(function* () {
      const { client, sent } = makeCluster(rich)
      const account = yield* make(client(), { privateKey })
      yield* account.send({ to: someone, amount: "1" })
      const legacy = readOf(sent[0] ?? "").message
      const v0 = kit.compileTransaction(
        kit.pipe(
          kit.createTransactionMessage({ version: 0 }),
          (message) => kit.setTransactionMessageFeePayer(kit.address(someone), message),
          (message) =>
            kit.setTransactionMessageLifetimeUsingBlockhash(
              { blockhash: kit.blockhash(blockhash(1)), lastValidBlockHeight: 1n },
              message
            )
        )
      ).messageBytes
      const longer = Uint8Array.from([...legacy, 0, 0])
      for (const bytes of [legacy, Uint8Array.from(v0), longer, Uint8Array.of(0x81, 1, 0, 0)])
        expect(yield* Effect.flip(account.signMessage(bytes))).toMatchObject({
          _tag: "SigningFailed",
          reason: "the message is a transaction, which could be sent with its signature"
        })
      // no transaction has more than 4,096 bytes, or more signatures than accounts, or none
      const [long, longer_] = [4_096, 4_097].map((length) => Uint8Array.of(0x81, ...zeros(length - 1)))
      expect(yield* Effect.flip(account.signMessage(long ?? ""))).toMatchObject({ _tag: "SigningFailed" })
      const withSigners = (count: number) => Uint8Array.of(count, 0, 0, 1, ...new Uint8Array(64), 0)
      expect(yield* Effect.flip(account.signMessage(withSigners(1)))).toMatchObject({ _tag: "SigningFailed" })
      for (const bytes of [longer_ ?? "", withSigners(0), withSigners(2), legacy.slice(0, 40)])
        expect(isSigned(yield* account.signMessage(bytes), Uint8Array.from(bytes as Uint8Array))).toBe(true)
      for (const bytes of [undefined, 7, [1, 2]])
        expect(yield* Effect.flip(account.signMessage(bytes as never))).toMatchObject({
          _tag: "InvalidArgument",
          reason: "a message must be text or a Uint8Array"
        })
    })
  )
})

describe("sweeps of Solana", () => {
  it.effect("empty the account, to the last lamport", () =>
    Effect.gen(function* () {
      const account = yield* made({ privateKey }, rich)
      const all = yield* account.prepare({ to: someone, amount: "all" })
      expect(all).toMatchObject({
        amount: 20n * SOL - 5_000n,
        fee: 5_000n,
        outgoing: [{ asset: "SOL", amount: "20" }],
        warnings: ["Nothing stays in the account: the chain removes it until it gets coins again."]
      })
      const poor = yield* made({ privateKey }, { ...rich, [address]: { lamports: 5_000n } })
      expect(yield* Effect.flip(poor.prepare({ to: someone, amount: "all" }))).toMatchObject({
        _tag: "InsufficientFunds",
        available: "0.000005"
      })
      const few = yield* made({ privateKey }, { ...rich, [address]: { lamports: 800_000n } })
      expect(yield* Effect.flip(few.prepare({ to: other, amount: "all" }))).toMatchObject({
        _tag: "DustAmount"
      })
    })
  )
})
