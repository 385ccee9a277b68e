// @covers payments on libraries: stellar
// @covers tokens on libraries: stellar
// @covers messages on libraries: stellar
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { Keypair, MuxedAccount, Account as Source, StrKey, Transaction } from "@stellar/stellar-base"
import { crc16 } from "@ton/core"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import nacl from "tweetnacl"
import { NodeError, withAttempts } from "../../src/data/SdkError.js"
import { signer } from "../../src/entries/signers/Stellar.js"
import { init } from "../../src/promise.js"
import type { Memo } from "../../src/signers/Signer.js"
import {
  addressProblem,
  make,
  type StellarCalls,
  type StellarFrom,
  type StellarTransaction
} from "../../src/signers/Stellar.js"
import { keyFromSeed } from "../../src/signers/stellar/address.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/stellar/base.js"
import { CallOptions } from "../../src/wire/Transport.js"
import { runs } from "../properties.js"
import { type Account, lost, makeLedger, makeRejected, passphrase, type Trust } from "./horizon.js"
import { runWithTime } from "./runWithTime.js"

const words = `${"abandon ".repeat(11)}about`
const address = "GB3JDWCQJCWMJ3IILWIGDTQJJC5567PGVEVXSCVPEQOTDN64VJBDQBYX"

const pair = (byte: number): Keypair => Keypair.fromRawEd25519Seed(Buffer.alloc(32, byte))
const own = pair(9)
const seed = own.secret()
const to = pair(1).publicKey()
const issuer = pair(2).publicKey()
const newcomer = pair(3).publicKey()
const muxed = (account: string, id: string): string =>
  new MuxedAccount(new Source(account, "0"), id).accountId()
const token = `USDC:${issuer}`
const tokenId = `stellar:pubnet/asset:USDC-${issuer}`
const isOther = expect.stringContaining("The token calls itself USDC, which is the symbol of a known token")

const usd = (more: Partial<Trust> = {}): Trust => ({ code: "USDC", issuer, balance: 1_000_000_000n, ...more })
const usual: Readonly<Record<string, Account>> = {
  [own.publicKey()]: { balance: 100_000_000n, entries: 1, sequence: 41n, trust: [usd()] },
  [to]: { balance: 10_000_000n, trust: [usd({ balance: 0n })] },
  [issuer]: { balance: 10_000_000n }
}

const made = (from: StellarFrom, rpc: StellarCalls = makeLedger(usual).rpc) =>
  make({ network: "stellar-mainnet", rpc }, from)
const account = (rpc?: StellarCalls) => made({ privateKey: seed }, rpc)

const read = (raw: string): Transaction => new Transaction(raw, passphrase)

/** What the bytes of a payment say, as stellar-base reads them, and whether tweetnacl finds its signature right. */
const saidBy = (raw: string) => {
  const transaction = read(raw)
  const [operation] = transaction.operations
  const [decorated] = transaction.signatures
  expect(transaction.operations).toHaveLength(1)
  expect(transaction.signatures).toHaveLength(1)
  expect(operation?.source).toBeUndefined()
  const isRight = nacl.sign.detached.verify(
    Uint8Array.from(transaction.hash()),
    Uint8Array.from(decorated?.signature() ?? []),
    Uint8Array.from(StrKey.decodeEd25519PublicKey(transaction.source))
  )
  const fields =
    operation?.type === "payment"
      ? { to: operation.destination, amount: operation.amount, asset: operation.asset.toString() }
      : operation?.type === "createAccount"
        ? { to: operation.destination, amount: operation.startingBalance, asset: "new" }
        : {}
  return {
    ...fields,
    isRight,
    from: transaction.source,
    fee: transaction.fee,
    sequence: transaction.sequence,
    memo: `${transaction.memo.type} ${transaction.memo.value ?? ""}`,
    times: transaction.timeBounds,
    hash: transaction.hash().toString("hex")
  }
}

describe("accounts of Stellar", () => {
  // of each of the five test cases of SEP-5 (ecosystem/sep-0005.md of stellar/stellar-protocol, as of 2025-01-03); stellar-hd-wallet
  // 1.0.2, another library, derives the same
  const sep5: ReadonlyArray<readonly [string, number, string, string, string?]> = [
    [
      "illness spike retreat truth genius clock brain pass fit cave bargain toe",
      0,
      "GDRXE2BQUC3AZNPVFSCEZ76NJ3WWL25FYFK6RGZGIEKWE4SOOHSUJUJ6",
      "SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN"
    ],
    [
      "illness spike retreat truth genius clock brain pass fit cave bargain toe",
      1,
      "GBAW5XGWORWVFE2XTJYDTLDHXTY2Q2MO73HYCGB3XMFMQ562Q2W2GJQX",
      "SCEPFFWGAG5P2VX5DHIYK3XEMZYLTYWIPWYEKXFHSK25RVMIUNJ7CTIS"
    ],
    [
      "resource asthma orphan phone ice canvas fire useful arch jewel impose vague theory cushion top",
      0,
      "GAVXVW5MCK7Q66RIBWZZKZEDQTRXWCZUP4DIIFXCCENGW2P6W4OA34RH",
      "SAKS7I2PNDBE5SJSUSU2XLJ7K5XJ3V3K4UDFAHMSBQYPOKE247VHAGDB"
    ],
    [
      "bench hurt jump file august wise shallow faculty impulse spring exact slush thunder author capable act festival slice deposit sauce coconut afford frown better",
      9,
      "GDXOY6HXPIDT2QD352CH7VWX257PHVFR72COWQ74QE3TEV4PK2KCKZX7",
      "SCPA5OX4EYINOPAUEQCPY6TJMYICUS5M7TVXYKWXR3G5ZRAJXY3C37GF"
    ],
    [
      "cable spray genius state float twenty onion head street palace net private method loan turn phrase state blanket interest dry amazing dress blast tube",
      0,
      "GDAHPZ2NSYIIHZXM56Y36SBVTV5QKFIZGYMMBHOU53ETUSWTP62B63EQ",
      "SAFWTGXVS7ELMNCXELFWCFZOPMHUZ5LXNBGUVRCY3FHLFPXK4QPXYP2X",
      "p4ssphr4se"
    ],
    [
      words,
      1,
      "GDVSYYTUAJ3ACHTPQNSTQBDQ4LDHQCMNY4FCEQH5TJUMSSLWQSTG42MV",
      "SCHDCVCWGAKGIMTORV6K5DYYV3BY4WG3RA4M6MCBGJLHUCWU2MC6DL66"
    ]
  ]
  it.effect.each(sep5)("are those of SEP-5: %s, %i", ([mnemonic, index, address, privateKey, passphrase]) =>
    Effect.gen(function* () {
      const from = { mnemonic, index, ...(passphrase === undefined ? {} : { passphrase }) }
      expect((yield* made(from)).address).toBe(address)
      for (const given of [privateKey, ` ${privateKey}\n`])
        expect((yield* made({ privateKey: given })).address).toBe(address)
    })
  )

  it.effect("are those of the test mnemonic, and of other paths", () =>
    Effect.gen(function* () {
      expect((yield* made({ mnemonic: words })).address).toBe(address)
      const second = yield* made({ mnemonic: words, index: 1 })
      expect((yield* made({ mnemonic: words, path: "m/44'/148'/1'" })).address).toBe(second.address)
      expect(second.address).not.toBe(address)
    })
  )

  const noKey = {
    _tag: "InvalidKey",
    reason: "a private key of Stellar is a seed: S and 55 digits of base32, with a checksum"
  }
  const refusals: ReadonlyArray<readonly [string, unknown, object]> = [
    [
      "a wrong word",
      { mnemonic: words.replace("about", "abuot") },
      { _tag: "InvalidMnemonic", position: 12 }
    ],
    ["a path that is not hardened", { mnemonic: words, path: "m/44'/148'/0" }, { _tag: "InvalidKey" }],
    ["an address in place of a seed", { privateKey: address }, noKey],
    ["a seed with a wrong digit", { privateKey: seed.replace(/.$/, "A") }, noKey],
    ["a seed of XRP", { privateKey: "snoPBrXtMeMyMHUVTgbuqAfg1SUTb" }, noKey],
    ["a seed behind something", { privateKey: `x${seed}` }, noKey],
    ["a seed with something behind it", { privateKey: `${seed}x` }, noKey],
    [
      "a part of an account",
      { address: muxed(to, "1"), sign: () => "" },
      { _tag: "InvalidKey", reason: "its address must be that of the account, which begins with G" }
    ],
    ["no address", { sign: () => "" }, { _tag: "InvalidKey", reason: "its address must be text" }],
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
      expect(yield* Effect.flip(made(from as StellarFrom))).toMatchObject(error)
    })
  )

  it("know their addresses from all others", () => {
    expect(addressProblem(address)).toBeUndefined()
    expect(addressProblem(seed)).toContain("no account")
    expect(addressProblem(StrKey.encodeContract(Buffer.alloc(32, 5)))).toContain("contract")
    expect(addressProblem(StrKey.encodePreAuthTx(Buffer.alloc(32, 5)))).toContain("no account")
    expect(addressProblem(`0x${"1".repeat(40)}`)).toContain("base32")
    expect(addressProblem("")).toContain("base32")
    expect(addressProblem(7 as never)).toBe("must be text")
    for (const other of [`A${address}`, `${address}A`, `a${address}`, `${address}a`])
      expect(addressProblem(other)).toBe("must be G and 55, or M and 68 digits of base32")
    expect(addressProblem(seed)).toBe("must begin with G or M, and is no account")
    expect(addressProblem(StrKey.encodeContract(Buffer.alloc(32, 5)))).toBe(
      "must begin with G or M, and is that of a contract, which takes no payments of this kind"
    )
    expect(addressProblem(address.replace(/.$/, (digit) => (digit === "A" ? "B" : "A")))).toBe(
      "has a wrong digit: its checksum fails"
    )
    // of SEP-23: bits behind the last byte, a muxed account of the wrong length, and a good one
    expect(
      addressProblem("MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ")
    ).toBeUndefined()
    expect(
      addressProblem("MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUR")
    ).toBeDefined()
    expect(addressProblem("GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZA")).toBeDefined()
    // a right checksum over the bytes of another kind
    const text = (kind: number, length: number): string => {
      const bytes = Buffer.concat([Buffer.of(kind), Buffer.alloc(length, 5)])
      const whole = Buffer.concat([bytes, crc16(bytes).reverse()])
      const digits = Math.ceil((whole.length * 8) / 5)
      return (BigInt(`0x${whole.toString("hex")}`) << BigInt(digits * 5 - whole.length * 8))
        .toString(32)
        .padStart(digits, "0")
        .replace(/./g, (digit) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".charAt(Number.parseInt(digit, 32)))
    }
    const [account, part, seedOf] = [6 << 3, 12 << 3, 18 << 3]
    for (const [given, expected] of [
      [text(account, 32), undefined],
      [text(part, 40), undefined],
      [text(account, 40), "must begin with G or M, and is no account"],
      [text(part, 32), "must begin with G or M, and is no account"],
      [text(account + 1, 32), "must begin with G or M, and is no account"]
    ] as const)
      expect(addressProblem(given), given).toBe(expected)
    expect(keyFromSeed(text(seedOf, 32))).toEqual(new Uint8Array(32).fill(5))
    for (const given of [text(seedOf + 1, 32), text(seedOf, 31), text(seedOf, 40), ""])
      expect(keyFromSeed(given), given).toBeUndefined()
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.nat(68),
        (key, id, at) => {
          const plain = StrKey.encodeEd25519PublicKey(Buffer.from(key))
          for (const given of [plain, muxed(plain, String(id))]) {
            expect(addressProblem(given)).toBeUndefined()
            const place = at % given.length
            const digit = given[place] === "A" ? "B" : "A"
            expect(addressProblem(`${given.slice(0, place)}${digit}${given.slice(place + 1)}`)).toBeDefined()
          }
        }
      ),
      { numRuns: runs(50) }
    )
  })
})

describe("transactions of Stellar", () => {
  it("say what they are, whatever they are", async () => {
    const signs = await Effect.runPromise(account())
    const payments: fc.Arbitrary<StellarTransaction> = fc.record(
      {
        from: fc.constant(own.publicKey()),
        to: fc.constantFrom(to, newcomer, muxed(to, "18446744073709551615")),
        amount: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
        token: fc.constantFrom(token, `LONGERCODE12:${issuer}`),
        memo: fc.oneof(
          fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
          fc.string({ minLength: 1, maxLength: 7, unit: "grapheme-composite" })
        ),
        fee: fc.bigInt({ min: 100n, max: 2n ** 32n - 1n }),
        sequence: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
        expires: fc.nat(2_000_000_000)
      },
      { requiredKeys: ["from", "to", "amount", "fee", "sequence", "expires"] }
    )
    await fc.assert(
      fc.asyncProperty(payments, async (payment) => {
        const { amount, expires, fee, memo = "", sequence, token } = payment
        if (typeof memo !== "string") throw new Error("memos of this test are text")
        fc.pre(Buffer.byteLength(memo) <= 28)
        const { hash, raw } = await Effect.runPromise(signs.sign(payment))
        const isId = /^(0|[1-9]\d*)$/.test(memo)
        expect(saidBy(raw)).toEqual({
          isRight: true,
          from: own.publicKey(),
          to: payment.to,
          amount: `${amount / 10_000_000n}.${String(amount % 10_000_000n).padStart(7, "0")}`,
          asset: token ?? "native",
          fee: String(fee),
          sequence: String(sequence),
          memo: payment.memo === undefined ? "none " : `${isId ? "id" : "text"} ${memo}`,
          times: { minTime: "0", maxTime: String(expires) },
          hash
        })
      }),
      { numRuns: runs(200) }
    )
  })

  it.effect("are signed by functions whose signature is checked", () =>
    Effect.gen(function* () {
      const payment = {
        from: own.publicKey(),
        to,
        amount: 1n,
        fee: 100n,
        sequence: 42n,
        expires: 2_000_000_000
      }
      const { raw } = yield* (yield* account()).sign(payment)
      const kms = yield* made({
        address: own.publicKey(),
        sign: async (bytes) => Uint8Array.from(own.sign(Buffer.from(bytes)))
      })
      expect((yield* kms.sign(payment)).raw).toBe(raw)
      expect(yield* Effect.flip(kms.sign({ ...payment, from: to }))).toMatchObject({
        _tag: "InvalidArgument"
      })
      for (const sign of [() => new Uint8Array(64).fill(1), () => new Uint8Array(3), () => "" as never]) {
        const other = yield* made({ address: own.publicKey(), sign })
        const error = {
          _tag: "SigningFailed",
          reason: `the signature is not that of ${own.publicKey()}`
        }
        expect(yield* Effect.flip(other.sign(payment))).toMatchObject(error)
        expect(yield* Effect.flip(other.signMessage("x"))).toMatchObject(error)
      }
      // it changes what it is given
      const sly = yield* made({
        address: own.publicKey(),
        sign: (bytes) => Uint8Array.from(own.sign(Buffer.from(bytes.fill(0))))
      })
      expect(yield* Effect.flip(sly.sign(payment))).toMatchObject({
        _tag: "SigningFailed",
        reason: `the signature is not that of ${own.publicKey()}`
      })
      const { expires: _, sequence: __, ...open } = payment
      const nobody = yield* account(makeLedger({ [to]: { balance: 1n } }).rpc)
      expect(yield* Effect.flip(nobody.sign(open))).toMatchObject({
        _tag: "InvalidArgument",
        call: "sign",
        reason: `${own.publicKey()} has no account yet`
      })
      for (const given of [{ sequence: 7n }, { expires: 1_900_000_000 }])
        expect(read((yield* kms.sign({ ...open, ...given })).raw)).toMatchObject({
          sequence: String(given.sequence ?? 42n),
          timeBounds: { maxTime: String(given.expires ?? 1_800_000_090) }
        })
      // the end is in whole seconds, whatever a node says of its ledger
      const chain = makeLedger(usual)
      const exact = yield* account({
        ...chain.rpc,
        getLedgers: (query) =>
          Effect.map(chain.rpc.getLedgers(query), ({ _embedded: { records } }) => ({
            _embedded: {
              records: records.map((record) => ({ ...record, closed_at: "2027-01-15T08:00:00.900Z" }))
            }
          }))
      })
      expect(read((yield* exact.sign(open)).raw).timeBounds?.maxTime).toBe("1800000090")
      // what the library cannot write is not signed as something else
      for (const change of [{ amount: 0n }, { amount: 2n ** 63n }, { to: "G" }, { memo: "x".repeat(29) }])
        expect(yield* Effect.flip(kms.sign({ ...payment, ...change }))).toMatchObject({
          _tag: "SigningFailed"
        })
      // nor is a token that is none paid in coins, or a new account made with tokens
      for (const change of [{ token: "USDC" }, { token: `${token}:1` }, { token, creates: true }])
        expect(yield* Effect.flip(kms.sign({ ...payment, ...change }))).toMatchObject({
          _tag: "SigningFailed",
          reason: "its bytes say something else"
        })
    })
  )

  it.effect("are worth nothing on another network", () =>
    Effect.gen(function* () {
      const payment = {
        from: own.publicKey(),
        to,
        amount: 1n,
        fee: 100n,
        sequence: 42n,
        expires: 2_000_000_000
      }
      const test = yield* make(
        { network: "stellar-testnet", rpc: makeLedger(usual).rpc },
        { privateKey: seed }
      )
      const { hash, raw } = yield* test.sign(payment)
      expect(saidBy(raw).isRight).toBe(false)
      expect(new Transaction(raw, "Test SDF Network ; September 2015").hash().toString("hex")).toBe(hash)
    })
  )

  it.effect("take messages as SEP-53 does", () =>
    Effect.gen(function* () {
      const signs = yield* made({ privateKey: "SAKICEVQLYWGSOJS4WW7HZJWAHZVEEBS527LHK5V4MLJALYKICQCJXMW" })
      expect(signs.address).toBe("GBXFXNDLV4LSWA4VB7YIL5GBD7BVNR22SGBTDKMO2SBZZHDXSKZYCP7L")
      expect(yield* signs.signMessage("Hello, World!")).toBe(
        "fO5dbYhXUhBMhe6kId/cuVq/AfEnHRHEvsP8vXh03M1uLpi5e46yO2Q8rEBzu3feXQewcQE5GArp88u6ePK6BA=="
      )
      for (const message of ["こんにちは、世界！", Uint8Array.from(Buffer.from("こんにちは、世界！"))])
        expect(yield* signs.signMessage(message)).toBe(
          "CDU265Xs8y3OWbB/56H9jPgUss5G9A0qFuTqH2zs2YDgTm+++dIfmAEceFqB7bhfN3am59lCtDXrCtwH2k1GBA=="
        )
    })
  )
})

describe("payments of Stellar that are sent", () => {
  it.effect("arrive as they were shown, one behind the other", () =>
    Effect.gen(function* () {
      const chain = makeLedger(usual)
      const pays = yield* account(chain.rpc)
      const all = yield* Effect.all(
        ["1", "0.5", "0.25"].map((amount) => pays.send({ to, amount, memo: "17" })),
        { concurrency: "unbounded" }
      )
      const said = chain.sent.map(saidBy)
      expect(said).toMatchObject(
        [42, 43, 44].map((sequence) => ({
          sequence: String(sequence),
          memo: "id 17",
          fee: "250",
          isRight: true
        }))
      )
      expect(said[0]?.times).toEqual({ minTime: "0", maxTime: "1800000090" })
      expect(all.map(({ hash }) => hash)).toEqual(said.map(({ hash }) => hash))
      expect(chain.accounts.get(to)?.balance).toBe(10_000_000n + 17_500_000n)
      expect(yield* pays.send({ to: newcomer, amount: "1" })).toMatchObject({
        prepared: { transaction: { creates: true } }
      })
      expect(chain.accounts.get(newcomer)?.balance).toBe(10_000_000n)
      yield* pays.sendToken({ token, to: muxed(to, "7"), amount: "12.5" })
      expect(chain.accounts.get(to)?.trust?.[0]?.balance).toBe(125_000_000n)
    })
  )

  it.effect("are numbered behind each other where nodes do not know the last one yet", () =>
    Effect.gen(function* () {
      const chain = makeLedger(usual)
      const before = yield* chain.rpc.getAccount({ accountId: own.publicKey() })
      const rpc: StellarCalls = {
        ...chain.rpc,
        getAccount: (of) =>
          of.accountId === own.publicKey() ? Effect.succeed(before) : chain.rpc.getAccount(of)
      }
      const pays = yield* account(rpc)
      yield* pays.send({ to, amount: 1n })
      yield* pays.send({ to, amount: 1n })
      // in its last second it may still get into a ledger
      chain.at.time = Number(read(chain.sent[1] ?? "").timeBounds?.maxTime)
      yield* pays.send({ to, amount: 1n })
      chain.at.time += 91
      expect(yield* Effect.flip(pays.send({ to, amount: 1n }))).toMatchObject({
        _tag: "NonceTaken",
        address: own.publicKey(),
        nonce: 42n
      })
      expect(chain.sent.map((raw) => read(raw).sequence)).toEqual(["42", "43", "44", "42"])
      // others of the account have gone on
      const busy = makeLedger(usual)
      const shared = yield* account(busy.rpc)
      yield* shared.send({ to, amount: 1n })
      const mine = busy.accounts.get(own.publicKey())
      if (mine !== undefined) mine.sequence = 50n
      expect((yield* shared.send({ to, amount: 1n })).prepared.transaction.sequence).toBe(51n)
    })
  )

  it.effect("are what was prepared, and paid once however often they are handed in", () =>
    Effect.gen(function* () {
      const chain = makeLedger(usual)
      const pays = yield* account(chain.rpc)
      const prepared = yield* pays.prepare({ to, amount: "1" })
      const sent = yield* pays.submit(prepared)
      expect(sent.prepared.transaction).toMatchObject({ sequence: 42n, expires: 1_800_000_090 })
      expect((yield* pays.submit(sent.prepared)).hash).toBe(sent.hash)
      expect(chain.accounts.get(to)?.balance).toBe(20_000_000n)
      for (const change of [{ to: newcomer }, { amount: 2n }, { fee: 13n }, { token }])
        expect(
          yield* Effect.flip(
            pays.submit({ ...prepared, transaction: { ...prepared.transaction, ...change } })
          )
        ).toMatchObject({ _tag: "InvalidArgument" })
      expect(chain.sent).toHaveLength(2)
    })
  )

  it.effect("are there where a node has them, whatever it has said", () =>
    Effect.gen(function* () {
      for (const said of [
        lost,
        makeRejected(400, "Transaction Failed; tx_bad_seq"),
        makeRejected(504, "Timeout")
      ]) {
        const chain = makeLedger(usual)
        const pays = yield* account({
          ...chain.rpc,
          submitTransaction: (tx) => Effect.zipRight(chain.rpc.submitTransaction(tx), Effect.fail(said))
        })
        expect((yield* pays.send({ to, amount: 1n })).hash).toBe(saidBy(chain.sent[0] ?? "").hash)
        expect(chain.sent).toHaveLength(1)
        expect(chain.accounts.get(to)?.balance).toBe(10_000_001n)
      }
    })
  )

  it.effect("are unclear where nobody knows, and refused where nodes say so", () =>
    Effect.gen(function* () {
      const raws: Array<string> = []
      const never = yield* account(
        makeLedger(usual, {
          submitTransaction: ({ tx }) =>
            Effect.suspend(() => {
              raws.push(tx)
              return Effect.fail(lost)
            })
        }).rpc
      )
      const fiber = yield* Effect.fork(Effect.flip(never.send({ to, amount: 1n })))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "BroadcastUnclear", raw: raws[0] })
      expect(raws.length).toBeGreaterThan(1)
      expect(new Set(raws).size).toBe(1)
      // the next one goes behind that which may be there
      const next = yield* Effect.fork(Effect.flip(never.send({ to, amount: 1n })))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(next)
      expect(read(raws.at(-1) ?? "").sequence).toBe("43")

      for (const [code, error] of [
        ["tx_insufficient_fee", { _tag: "RequestRejected" }],
        ["tx_too_late", { _tag: "RequestRejected" }],
        // no ledger has another payment with its number
        ["tx_bad_seq", { _tag: "RequestRejected" }]
      ] as const) {
        const refusing = yield* account(
          makeLedger(usual, {
            submitTransaction: () => Effect.fail(makeRejected(400, `Transaction Failed; ${code}`))
          }).rpc
        )
        expect(yield* runWithTime(refusing.send({ to, amount: 1n }), 500)).toMatchObject({ left: error })
      }
      for (const [source_account, source_account_sequence, left] of [
        [own.publicKey(), "42", { _tag: "NonceTaken", nonce: 42n }],
        [own.publicKey(), "41", { _tag: "RequestRejected" }],
        [to, "42", { _tag: "RequestRejected" }]
      ] as const) {
        const records = [{ hash: "ff", source_account, source_account_sequence }]
        const late = yield* account(
          makeLedger(usual, {
            submitTransaction: () => Effect.fail(makeRejected(400, "Transaction Failed; tx_bad_seq")),
            getAccountTransactions: () => Effect.succeed({ _embedded: { records } })
          }).rpc
        )
        expect(yield* runWithTime(late.send({ to, amount: 1n }), 500)).toMatchObject({ left })
      }
      // the number may be used by this very payment, whose first answer was lost
      const bad = withAttempts(makeRejected(400, "Transaction Failed; tx_bad_seq"), [
        { node: "http://node.example", ms: 1, outcome: "noAnswer" }
      ])
      const doubtful = yield* account(makeLedger(usual, { submitTransaction: () => Effect.fail(bad) }).rpc)
      const unsure = yield* Effect.fork(Effect.flip(doubtful.send({ to, amount: 1n })))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(unsure)).toMatchObject({ _tag: "BroadcastUnclear" })
    })
  )

  it.effect("fail with what the ledger says", () =>
    Effect.gen(function* () {
      const chain = makeLedger(usual)
      const pays = yield* account(chain.rpc)
      const prepared = yield* pays.prepare({ to, amount: "5" })
      const mine = chain.accounts.get(own.publicKey())
      if (mine !== undefined) mine.balance = 20_000_000n
      expect(yield* Effect.flip(pays.submit(prepared))).toMatchObject({
        _tag: "TransactionFailed",
        reason: expect.stringContaining("op_underfunded")
      })
      // it has used its number
      yield* pays.send({ to, amount: 1n })
      expect(chain.sent.map((raw) => read(raw).sequence)).toEqual(["42", "43"])
    })
  )
})

describe("payments of Stellar that are waited for", () => {
  const waited = (
    confirmations: number,
    change: (chain: ReturnType<typeof makeLedger>) => Partial<StellarCalls> = () => ({})
  ) =>
    Effect.gen(function* () {
      const chain = makeLedger(usual)
      const pays = yield* account({ ...chain.rpc, ...change(chain) })
      // the ledger that was the newest one at the end
      let sequence = 0
      const ended = Effect.sync(() => {
        sequence = chain.at.sequence
      })
      const sending = Effect.ensuring(pays.send({ to, amount: "1", confirmations }), ended)
      const outcome = yield* runWithTime(sending, 6_000, () => {
        chain.at.sequence++
        chain.at.time += 6
      })
      return { asked: chain.asked, outcome, sequence }
    })

  it.effect("are so deep in the chain then", () =>
    Effect.gen(function* () {
      const looks = (asked: ReadonlyArray<string>) => asked.filter((kind) => kind === "transactions").length
      const first = yield* waited(1)
      expect(first.outcome).toMatchObject({ right: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) } })
      const deep = yield* waited(4)
      expect(deep.outcome._tag).toBe("Right")
      expect(looks(deep.asked)).toBeGreaterThan(looks(first.asked))
      expect([first.sequence, deep.sequence]).toEqual([1_001, 1_004])
      // one node has its ledger, and another one does not know it yet
      const ahead = yield* waited(1, () => ({
        getTransaction: () => Effect.succeed({ ledger: 5_000, successful: true, result_xdr: "" })
      }))
      expect(ahead.outcome._tag).toBe("Right")
    })
  )

  it.effect("are given up once no ledger can have them", () =>
    Effect.gen(function* () {
      const floors: Array<unknown> = []
      const { outcome } = yield* waited(1, (chain) => ({
        submitTransaction: () => Effect.succeed({ hash: "" }),
        getAccount: (of) =>
          Effect.flatMap(CallOptions, ({ minBlock }) => {
            if (minBlock !== undefined) floors.push([minBlock, chain.at.sequence])
            return chain.rpc.getAccount(of)
          })
      }))
      expect(outcome).toMatchObject({
        left: {
          _tag: "TransactionDropped",
          reason: "it could be in ledgers until 2027-01-15T08:01:30.000Z, and is in none"
        }
      })
      // the account is asked for at a node that has the newest ledger
      expect(floors).toEqual([[1_016, 1_016]])
      // the number was used: it may be this payment, which a node does not find
      const hidden = yield* waited(1, () => ({
        getTransaction: () => Effect.fail(makeRejected(404, "not found"))
      }))
      expect(hidden.outcome).toMatchObject({ left: { _tag: "TransactionNotConfirmed", timeout: 192_000 } })
      const deeper = yield* waited(3, () => ({
        getTransaction: () => Effect.fail(makeRejected(404, "not found"))
      }))
      expect(deeper.outcome).toMatchObject({ left: { timeout: 216_000 } })
    })
  )

  it.effect("say that they have failed", () =>
    Effect.gen(function* () {
      const failing = () => ({
        getTransaction: () => Effect.succeed({ ledger: 1_000, successful: false, result_xdr: "AAAB" })
      })
      expect((yield* waited(1, failing)).outcome).toMatchObject({
        left: {
          _tag: "TransactionFailed",
          reason: "it was refused, with the result AAAB",
          receipt: { ledger: 1_000, successful: false, result_xdr: "AAAB" }
        }
      })
    })
  )
})

describe("previews of Stellar", () => {
  it.effect("have what a payment costs at most", () =>
    Effect.gen(function* () {
      const pays = yield* account()
      const from = own.publicKey()
      expect(yield* pays.prepare({ to, amount: "1.5" })).toStrictEqual({
        network: "stellar-mainnet",
        from,
        to,
        amount: 15_000_000n,
        fee: 250n,
        outgoing: [{ asset: "XLM", amount: "1.500025" }],
        warnings: [],
        transaction: { from, to, amount: 15_000_000n, fee: 250n }
      })
      const created = yield* pays.prepare({ to: newcomer, amount: "1" })
      expect(created.transaction.creates).toBe(true)
      expect(created.warnings).toEqual([
        "The receiver has no account yet: this payment makes it, and 1 XLM of it stay there as its reserve."
      ])
      expect(yield* pays.prepare({ token, to, amount: "25.5" })).toMatchObject({
        token,
        amount: 255_000_000n,
        outgoing: [
          { asset: tokenId, token, symbol: "USDC", amount: "25.5", units: 255_000_000n, decimals: 7 },
          { asset: "XLM", amount: "0.000025" }
        ],
        // the code of an asset is anybody's
        warnings: [isOther]
      })
      expect((yield* pays.prepare({ to: from, amount: "1" })).warnings[0]).toContain("itself")
      expect(yield* pays.prepare({ token, to: issuer, amount: "100" })).toMatchObject({ to: issuer })
    })
  )

  it.effect("read memos by one rule", () =>
    Effect.gen(function* () {
      const pays = yield* account()
      const memoOf = (memo: string | Memo) =>
        Effect.gen(function* () {
          const { transaction } = yield* pays.prepare({ to, amount: 1n, memo })
          return saidBy((yield* pays.sign(transaction)).raw).memo
        })
      expect(yield* memoOf("0")).toBe("id 0")
      expect(yield* memoOf("18446744073709551615")).toBe("id 18446744073709551615")
      expect(yield* memoOf("18446744073709551616")).toBe("text 18446744073709551616")
      expect(yield* memoOf("007")).toBe("text 007")
      expect(yield* memoOf("invoice 7")).toBe("text invoice 7")
      expect(yield* memoOf({ id: "7" })).toBe("id 7")
      expect(yield* memoOf({ id: 2n ** 64n - 1n })).toBe("id 18446744073709551615")
      expect(yield* memoOf({ text: "7" })).toBe("text 7")
      // how the library shows bytes is its own
      expect(yield* memoOf({ hash: "AB".repeat(32) })).toMatch(/^hash /)
      expect(yield* memoOf({ return: "ab".repeat(32) })).toMatch(/^return /)
      const warned = (memo: string | Memo) =>
        Effect.map(pays.prepare({ to, amount: "1", memo }), ({ warnings }) => warnings)
      for (const memo of ["007", "18446744073709551616", "tag:12345", " 12345"])
        expect(yield* warned(memo)).toEqual([
          expect.stringContaining("looks like an id, and is sent as text")
        ])
      for (const memo of ["7", "invoice 7", { id: "7" }, { text: "007" }])
        expect(yield* warned(memo)).toEqual([])
      expect(yield* memoOf("ü".repeat(14))).toBe(`text ${"ü".repeat(14)}`)
      const noMemo =
        "a memo must be a number of 64 bits, text of 1 to 28 bytes, or 32 bytes as hexadecimal ({ hash }, { return })"
      const wrongs: ReadonlyArray<readonly [object, string]> = [
        [{ memo: "" }, noMemo],
        [
          { memo: 7 },
          'a memo must be text, or { id: "…" } or { text: "…" } or { hash: "…" } or { return: "…" }'
        ],
        [{ memo: { id: "007" } }, 'an id is a whole number without zeros before it, and this one is "007"'],
        [{ memo: { id: 2n ** 64n } }, noMemo],
        [{ memo: { text: "" } }, noMemo],
        [{ memo: { hash: "ab" } }, noMemo],
        [{ memo: "ü".repeat(15) }, noMemo],
        [{ memo: "half a pair \ud800" }, noMemo],
        [{ to: muxed(to, "7"), memo: "7" }, "the address carries the number 7, which a memo would contradict"]
      ]
      for (const [payment, reason] of wrongs)
        expect(yield* Effect.flip(pays.prepare({ to, amount: 1n, ...payment }))).toMatchObject({
          _tag: "InvalidArgument",
          call: "prepare",
          reason
        })
    })
  )

  const refusals: ReadonlyArray<readonly [string, object, object]> = [
    ["zero", { amount: 0n }, { _tag: "InvalidAmount" }],
    ["too many digits", { amount: "0.12345678" }, { _tag: "InvalidAmount" }],
    // 10 XLM, of which the account and its trust line keep 1.5
    [
      "what the account has to keep",
      { amount: "8.5" },
      { _tag: "InsufficientFunds", asset: "XLM", needed: "10.000025", available: "10" }
    ],
    [
      "too little for a new account",
      { to: newcomer, amount: "0.9999999" },
      { _tag: "DustAmount", least: "1", asset: "XLM" }
    ],
    [
      "a part of an account that is not there",
      { to: muxed(newcomer, "1") },
      {
        _tag: "InvalidAddress",
        address: muxed(newcomer, "1"),
        reason: "names a part of an account that is not there yet, and cannot be made by that name"
      }
    ],
    [
      "a contract",
      { to: StrKey.encodeContract(Buffer.alloc(32, 5)) },
      { _tag: "InvalidAddress", reason: expect.stringContaining("contract") }
    ],
    ["a fee above the cap", { maxFee: "0.0000249" }, { _tag: "FeeOverCap", fee: "0.000025" }],
    ...[
      "USDC",
      `USDCUSDCUSDCU:${issuer}`,
      `:${issuer}`,
      ` ${token}`,
      `${token}A`,
      token.replace(/.$/, "A"),
      7
    ].map(
      (token) =>
        [
          `a token that is none: ${token}`,
          { token },
          {
            _tag: "InvalidArgument",
            call: "prepare",
            reason:
              "token must be the code of an asset and its issuer, such as USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN"
          }
        ] as const
    ),
    [
      "more tokens than anybody can hold",
      { token, amount: 2n ** 63n },
      { _tag: "InvalidAmount", amount: String(2n ** 63n), reason: "is more than an account can hold" }
    ],
    ["as many tokens as anybody can hold", { token, amount: 2n ** 63n - 1n }, { _tag: "InsufficientFunds" }],
    ["more tokens than there are", { token, amount: "100.1" }, { _tag: "InsufficientFunds", asset: "USDC" }],
    [
      "tokens for an account that is not there",
      { token, to: newcomer },
      { _tag: "InvalidArgument", call: "prepare", reason: "the receiver has no account" }
    ],
    [
      "a token that the account does not have",
      { token: `EUR:${issuer}` },
      { _tag: "InsufficientFunds", asset: "EUR", available: "0" }
    ]
  ]
  it.effect.each(refusals)("refuse %s", ([, payment, error]) =>
    Effect.gen(function* () {
      const pays = yield* account()
      expect(yield* Effect.flip(pays.prepare({ to, amount: "1", ...payment }))).toMatchObject(error)
    })
  )

  const states: ReadonlyArray<readonly [string, Partial<Account>, Partial<Account>, object, object]> = [
    ["lumens that offers bind", { bound: 84_000_000n }, {}, {}, { left: { _tag: "InsufficientFunds" } }],
    [
      "entries of others that it pays for",
      { sponsoring: 16 },
      {},
      {},
      { left: { _tag: "InsufficientFunds" } }
    ],
    ["entries that others pay for", { entries: 16, sponsored: 16 }, {}, {}, { _tag: "Right" }],
    [
      "tokens that offers bind",
      { trust: [usd({ bound: 995_000_000n })] },
      {},
      { token },
      { left: { _tag: "InsufficientFunds" } }
    ],
    [
      "tokens that it may not pay",
      { trust: [usd({ isAuthorized: false })] },
      {},
      { token },
      {
        left: {
          _tag: "InvalidArgument",
          call: "prepare",
          reason: `${issuer} has not authorized the account to pay USDC`
        }
      }
    ],
    [
      "no reserve for the fee",
      { balance: 15_000_249n },
      {},
      { token },
      { left: { _tag: "InsufficientFunds", asset: "XLM" } }
    ],
    ["a reserve for the fee", { balance: 15_000_250n }, {}, { token }, { _tag: "Right" }],
    [
      "no trust line",
      {},
      { trust: [] },
      { token },
      { left: { reason: `the receiver has no trust line for ${token}` } }
    ],
    [
      "a trust line of another issuer",
      {},
      { trust: [usd({ issuer: to })] },
      { token },
      { left: { reason: `the receiver has no trust line for ${token}` } }
    ],
    [
      "a trust line that is not authorized",
      {},
      { trust: [usd({ isAuthorized: false })] },
      { token },
      { left: { reason: expect.stringContaining("has not authorized the receiver") } }
    ],
    [
      "a full trust line",
      {},
      { trust: [usd({ balance: 1n, limit: 5_000_000n, coming: 1n })] },
      { token },
      { left: { reason: "the receiver takes at most 0.4999998 USDC more" } }
    ],
    [
      "a trust line that has room for it",
      {},
      { trust: [usd({ balance: 1n, limit: 10_000_002n, coming: 1n })] },
      { token },
      { _tag: "Right" }
    ],
    [
      "a trust line that is more than full",
      {},
      { trust: [usd({ balance: 2n, limit: 1n })] },
      { token },
      { left: { reason: "the receiver takes at most 0 USDC more" } }
    ],
    [
      "a receiver that wants a memo",
      {},
      { data: { "config.memo_required": "MQ==" } },
      {},
      {
        left: {
          _tag: "MemoRequired",
          address: to,
          reason: "it says so in its data (config.memo_required)"
        }
      }
    ],
    [
      "a receiver that gets its memo",
      {},
      { data: { "config.memo_required": "MQ==" } },
      { memo: "x" },
      { _tag: "Right" }
    ],
    [
      "a part of a receiver that wants a memo",
      {},
      { data: { "config.memo_required": "MQ==" } },
      { to: muxed(to, "7") },
      { _tag: "Right" }
    ]
  ]
  it.effect.each(states)("know %s", ([, mine, theirs, payment, outcome]) =>
    Effect.gen(function* () {
      const { [own.publicKey()]: before = { balance: 0n }, [to]: receiver = { balance: 0n } } = usual
      const chain = makeLedger({
        ...usual,
        [own.publicKey()]: { ...before, ...mine },
        [to]: { ...receiver, ...theirs }
      })
      const pays = yield* account(chain.rpc)
      expect(yield* Effect.either(pays.prepare({ to, amount: "1", ...payment }))).toMatchObject(outcome)
    })
  )

  it.effect("take no fee that nobody has allowed, and tell who has nothing", () =>
    Effect.gen(function* () {
      const dear = makeLedger(usual)
      dear.terms.p95 = "10000001"
      const pays = yield* account(dear.rpc)
      expect(yield* Effect.flip(pays.prepare({ to, amount: "1" }))).toMatchObject({
        _tag: "FeeOverCap",
        cap: "0.1"
      })
      expect(yield* pays.prepare({ to, amount: "1", maxFee: "2" })).toMatchObject({ fee: 10_000_001n })
      dear.terms.p95 = "50"
      expect(yield* pays.prepare({ to, amount: "1" })).toMatchObject({ fee: 100n })
      const poor = yield* account(makeLedger({ [to]: { balance: 1n } }).rpc)
      expect(yield* Effect.flip(poor.prepare({ to, amount: "1" }))).toMatchObject({
        _tag: "InsufficientFunds",
        needed: "2.000025",
        available: "0"
      })
      const without = yield* account(makeLedger({ [to]: { balance: 1n, trust: [usd()] } }).rpc)
      expect(yield* Effect.flip(without.prepare({ token, to, amount: "1" }))).toMatchObject({
        _tag: "InsufficientFunds",
        asset: "USDC",
        available: "0"
      })
    })
  )

  it.effect("are of tokens that their issuer gives out, of which it has none", () =>
    Effect.gen(function* () {
      const issued = `USDC:${own.publicKey()}`
      const trust = [usd({ issuer: own.publicKey(), balance: 0n, limit: 10n ** 18n })]
      const chain = makeLedger({ ...usual, [to]: { balance: 10_000_000n, trust } })
      const pays = yield* account(chain.rpc)
      expect(yield* pays.prepare({ token: issued, to, amount: "1000000" })).toMatchObject({
        token: issued,
        transaction: { token: issued },
        outgoing: [{ symbol: "USDC", token: issued, amount: "1000000" }, {}]
      })
    })
  )

  it.effect("are of what nodes tell, and fail where these do", () =>
    Effect.gen(function* () {
      const of = (rpc: Partial<StellarCalls>) =>
        Effect.flatMap(account(makeLedger(usual, rpc).rpc), (pays) =>
          Effect.flip(pays.prepare({ to, amount: "1" }))
        )
      for (const error of [
        makeRejected(400, "no"),
        new NodeError({ kind: "status", call: "getAccount", status: 404, reason: "gone", url: "" })
      ])
        expect(yield* of({ getAccount: () => Effect.fail(error) })).toBe(error)
      const record = { sequence: 1, closed_at: "yesterday", base_reserve_in_stroops: 5_000_000 }
      for (const records of [[], [record]])
        expect(
          yield* of({ getLedgers: () => Effect.succeed({ _embedded: { records } } as never) })
        ).toMatchObject({ _tag: "InvalidArgument", call: "getLedgers", reason: "Horizon has no ledger yet" })
    })
  )

  it("keep their promise: what leaves an account is at most what they said", async () => {
    const payments = fc.record(
      {
        to: fc.constantFrom(to, newcomer, issuer, muxed(to, "9")),
        amount: fc.oneof(
          fc.bigInt({ min: 1n, max: 90_000_000n }),
          fc
            .bigInt({ min: 1n, max: 90_000_000n })
            .map((units) => `${units / 10_000_000n}.${units % 10_000_000n}`)
        ),
        token: fc.constant(token),
        memo: fc.oneof(fc.nat().map(String), fc.string({ minLength: 1, maxLength: 28 }))
      },
      { requiredKeys: ["to", "amount"] }
    )
    let paid = 0
    await fc.assert(
      fc.asyncProperty(payments, async (payment) => {
        const chain = makeLedger(usual)
        const pays = await Effect.runPromise(account(chain.rpc))
        const outcome = await Effect.runPromise(Effect.either(pays.prepare(payment)))
        if (outcome._tag === "Left") return
        paid++
        const { amount, fee, outgoing, to } = outcome.right
        await Effect.runPromise(pays.submit(outcome.right))
        const after = chain.accounts.get(own.publicKey())
        const units = (asset: string) =>
          Math.round(
            Number(outgoing.find((each) => (each.symbol ?? each.asset) === asset)?.amount ?? 0) * 1e7
          )
        const left = Number(100_000_000n - (after?.balance ?? 0n))
        expect(left).toBeLessThanOrEqual(units("XLM"))
        expect(left).toBe(units("XLM") - Number(fee) + 100)
        expect(Number(1_000_000_000n - (after?.trust?.[0]?.balance ?? 0n))).toBe(units("USDC"))
        expect(saidBy(chain.sent[0] ?? "")).toMatchObject({
          isRight: true,
          to,
          amount: `${amount / 10_000_000n}.${String(amount % 10_000_000n).padStart(7, "0")}`,
          fee: String(fee)
        })
      }),
      { numRuns: runs(150) }
    )
    expect(paid).toBeGreaterThan(0)
  })
})

describe("signers of Stellar", () => {
  it("pay over the wire, by the names of the nodes", async () => {
    const chain = makeLedger(usual)
    const server = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk) => {
        body += chunk
      })
      request.on("end", () => {
        const result = chain.answer(request.url ?? "", new URLSearchParams(body))
        response.writeHead(Number(result.status ?? 200), { "content-type": "application/json" })
        response.end(JSON.stringify(result))
      })
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const { port } = server.address() as AddressInfo
    const sdk = await init({
      network: "stellar-mainnet",
      rpc: { nodes: [{ url: `http://127.0.0.1:${port}` }] }
    })
    try {
      const pays = await signer(sdk, { privateKey: seed })
      if (pays.status === "ERROR") throw pays.error.cause
      const { prepare, send, sendToken, submit } = pays.data
      expect(await send({ to, amount: "1", memo: "3", confirmations: 1 })).toMatchObject({
        status: "SUCCESS"
      })
      expect(await sendToken({ to, token, amount: "2" })).toMatchObject({ status: "SUCCESS" })
      expect(chain.accounts.get(to)?.trust?.[0]?.balance).toBe(20_000_000n)
      expect(await send({ to: newcomer, amount: "2" })).toMatchObject({ status: "SUCCESS" })
      const prepared = await prepare({ to, amount: "1" })
      if (prepared.status === "ERROR") throw prepared.error.cause
      const mine = chain.accounts.get(own.publicKey())
      if (mine !== undefined) mine.balance = 5_000_000n
      expect(await submit(prepared.data)).toMatchObject({
        status: "ERROR",
        error: { cause: { _tag: "TransactionFailed", reason: expect.stringContaining("op_underfunded") } }
      })
      const { transaction } = prepared.data
      expect(
        await submit({
          ...prepared.data,
          transaction: { ...transaction, sequence: 42n, expires: 2_000_000_000 }
        })
      ).toMatchObject({ error: { cause: { _tag: "NonceTaken", nonce: 42n } } })
    } finally {
      await sdk.destroy()
      await new Promise((done) => server.close(done))
    }
  })

  it("give a payment up only by a node that has the newest ledger", async () => {
    const chain = makeLedger(usual)
    let isThere = false
    let looks = 0
    const server = createServer((request, response) => {
      request.resume()
      request.on("end", () => {
        const path = request.url ?? ""
        if (request.method === "POST") {
          // taken, and never in a ledger: the newest one is younger, which the node itself does not have yet
          chain.at.time += 91
          chain.at.sequence += 20
          looks = 1
        }
        // it has it when it has been looked at for a while
        if (looks > 0 && path === "/fee_stats" && looks++ > 3) isThere = true
        const result = request.method === "POST" ? { hash: "x" } : chain.answer(path)
        const told = isThere || path !== "/fee_stats" ? result : { ...result, last_ledger: "1000" }
        response.writeHead(Number(result.status ?? 200), { "content-type": "application/json" })
        response.end(JSON.stringify(told))
      })
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const { port } = server.address() as AddressInfo
    const sdk = await init({
      network: "stellar-mainnet",
      rpc: { nodes: [{ url: `http://127.0.0.1:${port}` }] }
    })
    try {
      const pays = await signer(sdk, { privateKey: seed })
      if (pays.status === "ERROR") throw pays.error.cause
      expect(await pays.data.send({ to, amount: "1", confirmations: 1 })).toMatchObject({
        error: { cause: { _tag: "TransactionDropped" } }
      })
      expect(isThere).toBe(true)
    } finally {
      await sdk.destroy()
      await new Promise((done) => server.close(done))
    }
  })

  it.effect("are not signed by a key that weighs too little for them", () =>
    Effect.gen(function* () {
      const numbers = fc.record({ weight: fc.nat(3), low: fc.nat(3), medium: fc.nat(3) })
      const cases = [
        ...fc.sample(numbers, 60),
        { weight: 1, low: 0, medium: 0 },
        { weight: 0, low: 0, medium: 0 }
      ]
      let paid = 0
      for (const terms of cases) {
        const state = { ...usual, [own.publicKey()]: { balance: 100_000_000n, ...terms } }
        // what the ledger does with such a signature
        const bare = makeLedger(state)
        const signed = yield* Effect.flatMap(made({ privateKey: seed }), (each) =>
          each.sign({ from: own.publicKey(), to, amount: 1n, fee: 100n })
        )
        const isTaken =
          (yield* Effect.either(bare.rpc.submitTransaction({ tx: signed.raw })))._tag === "Right"
        const chain = makeLedger(state)
        const outcome = yield* Effect.either(
          Effect.flatMap(account(chain.rpc), (each) => each.send({ to, amount: "1" }))
        )
        expect(outcome._tag).toBe(isTaken ? "Right" : "Left")
        if (isTaken) paid++
        else {
          const { low, medium, weight } = terms
          const reason = `weighs ${weight}, and payments of ${own.publicKey()} take ${Math.max(1, low, medium)}`
          expect(outcome).toMatchObject({
            left: { _tag: "InvalidArgument", call: "prepare", reason: expect.stringContaining(reason) }
          })
          expect(chain.sent).toEqual([])
        }
      }
      expect(paid).toBeGreaterThan(0)
      expect(paid).toBeLessThan(cases.length)
      // nor by one that the account does not list any more
      const chain = makeLedger(usual)
      const others = yield* account({
        ...chain.rpc,
        getAccount: (of) => Effect.map(chain.rpc.getAccount(of), (state) => ({ ...state, signers: [] }))
      })
      expect(yield* Effect.flip(others.prepare({ to, amount: "1" }))).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringContaining("weighs 0, and payments of")
      })
    })
  )

  it.effect("tell nothing of the key", () =>
    Effect.gen(function* () {
      const raw = own.rawSecretKey()
      const told: Array<unknown> = [yield* account()]
      for (const given of [
        { privateKey: seed },
        { privateKey: `${seed}A` },
        { privateKey: seed.replace(/.$/, "7") }
      ]) {
        told.push(yield* Effect.exit(made(given)))
        told.push(
          yield* Effect.promise(() => signer({ network: "stellar-mainnet", rpc: {} } as never, given))
        )
      }
      for (const each of told) {
        const text = inspect(each, { depth: 12, showHidden: true, getters: true })
        expect(text).not.toContain(seed.slice(0, -1))
        expect(text).not.toContain(raw.toString("hex"))
        expect(text).not.toContain("9, 9, 9, 9")
      }
    })
  )
})

describe("sweeps of Stellar", () => {
  it.effect("leave the reserve, and say so", () =>
    Effect.gen(function* () {
      const pays = yield* account()
      const all = yield* pays.prepare({ to, amount: "all" })
      expect(all.outgoing).toEqual([{ asset: "XLM", amount: "8.5" }])
      expect(all).toMatchObject({
        amount: 85_000_000n - all.fee,
        warnings: ["1.5 XLM stay in the account: its reserve, and what its offers bind."]
      })
      expect((yield* pays.prepare({ to, amount: all.amount })).transaction).toEqual(all.transaction)
      expect(yield* Effect.flip(pays.prepare({ to, amount: all.amount + 1n }))).toMatchObject({
        _tag: "InsufficientFunds"
      })
    })
  )

  it.effect("of tokens pay all that no offer binds", () =>
    Effect.gen(function* () {
      const pays = yield* account()
      const all = yield* pays.prepare({ token, to, amount: "all" })
      expect((yield* pays.prepare({ token, to, amount: all.amount })).transaction).toEqual(all.transaction)
      expect(yield* Effect.flip(pays.prepare({ token, to, amount: all.amount + 1n }))).toMatchObject({
        _tag: "InsufficientFunds"
      })
      expect(yield* Effect.flip(pays.prepare({ token: `EUR:${issuer}`, to, amount: "all" }))).toMatchObject({
        _tag: "InsufficientFunds",
        asset: "EUR"
      })
    })
  )
})
