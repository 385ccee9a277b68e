// @covers messages on libraries: evm
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { mnemonicToSeedSync } from "@scure/bip39"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { hashMessage, hashTypedData, parseTransaction, recoverAddress, recoverTransactionAddress } from "viem"
import { HDKey, mnemonicToAccount, privateKeyToAccount } from "viem/accounts"
import type { Hex } from "../../src/chains/evm/Types.js"
import type { Network } from "../../src/data/Network.js"
import {
  RpcError,
  TransactionDropped,
  TransactionFailed,
  TransactionNotConfirmed
} from "../../src/data/SdkError.js"
import * as Units from "../../src/data/Units.js"
import { signer } from "../../src/entries/signers/Evm.js"
import { type EvmCalls, type EvmFrom, type EvmTransaction, make } from "../../src/signers/Evm.js"
import { make as makePolicy } from "../../src/signers/policyRules.js"
import { runs } from "../properties.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/evm/ox.js"

const words = `${"abandon ".repeat(11)}about`
const address = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"
const to = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

/** The key of the words above: whoever prints it has found it. */
const key = "0x1ab42cc412b618bdea3a599e3c9bae199ebf030895b039e9db1e30dafb12b727"

/** Calls of which a test gives those that it expects. */
const client = (network: Network = "ethereum-mainnet", rpc: Partial<EvmCalls> = {}) => ({
  network,
  rpc: new Proxy(rpc, {
    get: (given, name) =>
      Reflect.get(given, name) ??
      (() => {
        throw new Error(`${String(name)} is called, and the test gives no such call`)
      })
    // what is missing dies by its name
  }) as EvmCalls
})

const made = (from: EvmFrom, network?: Network) => make(client(network), from)

describe("accounts of EVM chains", () => {
  it.effect("are those of the standard path, whatever the network", () =>
    Effect.gen(function* () {
      for (const network of [
        "ethereum-mainnet",
        "polygon-mainnet",
        "gno-mainnet",
        "ethereum-sepolia"
      ] as const)
        expect((yield* made({ mnemonic: words }, network)).address).toBe(address)
      expect((yield* made({ mnemonic: Redacted.make(` ${words.toUpperCase()}  `) })).address).toBe(address)
      expect((yield* made({ privateKey: key })).address).toBe(address)
      expect((yield* made({ privateKey: Redacted.make(key.slice(2)) })).address).toBe(address)
      const second = mnemonicToAccount(words, { addressIndex: 5 }).address
      expect((yield* made({ mnemonic: words, index: 5 })).address).toBe(second)
      expect((yield* made({ mnemonic: words, path: "m/44'/60'/0'/0/5" })).address).toBe(second)
      expect((yield* made({ mnemonic: words, passphrase: "TREZOR" })).address).toBe(
        mnemonicToAccount(words, { passphrase: "TREZOR" }).address
      )
      const tatum = { mnemonic: words, index: 3, derivation: "tatum" } as const
      const derived = (path: string) => {
        const { privateKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive(path)
        return privateKeyToAccount(`0x${Buffer.from(privateKey ?? []).toString("hex")}`).address
      }
      for (const [network, path] of [
        ["polygon-mainnet", "m/44'/966'/0'/0/3"],
        ["ethereum-sepolia", "m/44'/1'/0'/0/3"]
      ] as const)
        expect((yield* made(tatum, network)).address).toBe(derived(path))
      expect(yield* Effect.flip(made(tatum, "base-mainnet"))).toMatchObject({
        _tag: "InvalidKey",
        reason: expect.stringMatching(/^derivation "tatum" is none here/)
      })
    })
  )

  const refusals: ReadonlyArray<readonly [string, unknown, object]> = [
    [
      "a wrong word",
      { mnemonic: words.replace("about", "abuot") },
      { _tag: "InvalidMnemonic", position: 12 }
    ],
    ["a wrong checksum", { mnemonic: `${"abandon ".repeat(11)}abandon` }, { _tag: "InvalidMnemonic" }],
    ["a missing word", { mnemonic: "abandon ".repeat(11) }, { _tag: "InvalidMnemonic" }],
    ["a path that is none", { mnemonic: words, path: "44/60" }, { _tag: "InvalidKey" }],
    ["an index that is none", { mnemonic: words, index: -1 }, { _tag: "InvalidKey" }],
    ...["0x1234", `${key}0`, ` ${key.slice(2)}`, `${key.slice(2, 34)}0x${key.slice(34)}`, 7].map(
      (privateKey) =>
        [
          `the key ${privateKey}`,
          { privateKey },
          {
            _tag: "InvalidKey",
            reason: "a private key of an EVM chain is 32 bytes: 64 hexadecimal digits"
          }
        ] as const
    ),
    [
      "a key of zeros",
      { privateKey: "0".repeat(64) },
      { _tag: "InvalidKey", reason: "it is none of the curve's keys" }
    ],
    [
      "a key of Bitcoin",
      { privateKey: "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn" },
      { _tag: "InvalidKey" }
    ],
    ["words that are no text", { mnemonic: ["abandon"] }, { _tag: "InvalidMnemonic" }],
    ["nothing", undefined, { _tag: "InvalidKey", reason: expect.stringMatching(/^say what the signer/) }],
    ...[{}, { address }, { address, sign: "0x" }].map(
      (from) =>
        [
          JSON.stringify(from),
          from,
          {
            _tag: "InvalidKey",
            reason: "must have mnemonic, privateKey, account, eip1193, viem, or sign with address"
          }
        ] as const
    ),
    ...[
      { sign: () => "0x" },
      { sign: () => "0x", address: 7 },
      { sign: () => "0x", address: `${address}0` },
      { viem: { address: address.slice(2) } },
      { eip1193: { request: async () => [7] } }
    ].map(
      (from) =>
        [
          `the address of ${inspect(from)}`,
          from,
          { _tag: "InvalidKey", reason: "its address must be 0x and 40 hexadecimal digits" }
        ] as const
    ),
    ...[[], "nobody", undefined].map(
      (accounts) =>
        [
          `a wallet whose accounts are ${inspect(accounts)}`,
          { eip1193: { request: async () => accounts } },
          { _tag: "InvalidKey", reason: "the wallet gave no account" }
        ] as const
    ),
    [
      "a wallet without the account",
      { eip1193: { request: async () => [to] }, address },
      { _tag: "InvalidKey", reason: `the wallet does not have ${address}` }
    ],
    [
      "a wallet whose user refuses",
      { eip1193: { request: () => Promise.reject(new Error("User rejected")) } },
      { _tag: "SigningFailed", reason: "User rejected" }
    ]
  ]

  it.effect.each(refusals)("refuse %s", ([, from, error]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(made(from as EvmFrom))).toMatchObject(error)
    })
  )

  it.effect("are refused on networks of other families", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(made({ privateKey: key }, "bitcoin-mainnet"))
      expect(refused).toMatchObject({ _tag: "InvalidArgument" })
      expect(refused.message).toContain("bitcoin-mainnet is of the family utxo")
    })
  )

  it.effect("tell nothing of their keys", () =>
    Effect.gen(function* () {
      const secrets = [key.slice(2), key.slice(2).toUpperCase(), "abandon", "secretword", String(BigInt(key))]
      const told: Array<unknown> = []
      for (const from of [{ mnemonic: words }, { privateKey: key }]) {
        const account = yield* made(from)
        told.push(account, Object.entries(account))
        told.push(yield* Effect.exit(account.sign({ chainId: 2, value: 0n, gas: 0n })))
        told.push(yield* Effect.exit(account.prepare({ to: "", amount: "" })))
        told.push(yield* Effect.promise(() => signer(client() as never, from)))
      }
      for (const from of [
        { privateKey: `${key}00` },
        { mnemonic: `${words} secretword` },
        { mnemonic: words.replace("about", "secretword") },
        { mnemonic: words, path: key }
      ]) {
        told.push(yield* Effect.exit(made(from)))
      }
      for (const each of told) {
        const text = `${inspect(each, { depth: 12, showHidden: true, getters: true })} ${String(each)} ${JSON.stringify(each, (_, value) => (typeof value === "bigint" ? String(value) : value))}`
        for (const secret of secrets) expect(text).not.toContain(secret)
      }
    })
  )
})

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((b) => `0x${Buffer.from(b).toString("hex")}` as const)

describe("signatures of EVM chains", () => {
  it("are those of viem, for any transaction", async () => {
    const account = mnemonicToAccount(words)
    const { sign } = await Effect.runPromise(made({ mnemonic: words }))
    const amount = fc.bigInt({ min: 0n, max: 2n ** 128n })
    const transaction = fc.record(
      {
        nonce: fc.nat(),
        to: hex(20),
        value: amount,
        data: fc.integer({ min: 0, max: 100 }).chain(hex),
        gas: fc.bigInt({ min: 21_000n, max: 2n ** 60n }),
        maxFeePerGas: fc.bigInt({ min: 2n ** 64n, max: 2n ** 100n }),
        maxPriorityFeePerGas: fc.bigInt({ min: 0n, max: 2n ** 64n })
      },
      { requiredKeys: ["nonce", "value", "gas", "maxFeePerGas", "maxPriorityFeePerGas"] }
    )
    const legacy = fc.record(
      { nonce: fc.nat(), to: hex(20), value: amount, gas: amount, gasPrice: amount },
      { requiredKeys: ["nonce", "value", "gas", "gasPrice"] }
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(transaction, legacy), async (fields) => {
        const given: EvmTransaction = { chainId: 1, ...fields }
        const { hash, raw } = await Effect.runPromise(sign(given))
        const type = "gasPrice" in fields ? "legacy" : "eip1559"
        expect(raw).toBe(await account.signTransaction({ ...given, type } as never))
        expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(
          address
        )
        expect(parseTransaction(raw as `0x02${string}`).chainId).toBe(1)
        expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
      }),
      { numRuns: runs(200) }
    )
  })

  it.effect("of messages and typed data are those that viem recovers", () =>
    Effect.gen(function* () {
      const { signMessage, signTypedData } = yield* made({ privateKey: key })
      for (const message of ["", "hello", "ünï", new Uint8Array([0, 255, 7])]) {
        const signature = (yield* signMessage(message)) as `0x${string}`
        const hash = hashMessage(typeof message === "string" ? message : { raw: message })
        expect(yield* Effect.promise(() => recoverAddress({ hash, signature }))).toBe(address)
      }
      const data = {
        domain: { name: "App", version: "1", chainId: 1 },
        types: {
          Mail: [
            { name: "to", type: "address" },
            { name: "text", type: "string" }
          ]
        },
        primaryType: "Mail",
        message: { to, text: "hello" }
      } as const
      const signature = yield* signTypedData(data)
      const hash = hashTypedData(data)
      expect(yield* Effect.promise(() => recoverAddress({ hash, signature }))).toBe(address)
      expect(yield* Effect.flip(signTypedData({ ...data, domain: { chainId: 137 } }))).toMatchObject({
        _tag: "InvalidArgument"
      })
      expect(yield* Effect.flip(signTypedData({ ...data, primaryType: "Letter" }))).toMatchObject({
        _tag: "SigningFailed"
      })
    })
  )

  it.effect("of functions and of viem's accounts are checked, and have the lower s", () =>
    Effect.gen(function* () {
      const account = mnemonicToAccount(words)
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
      const own = yield* made({ privateKey: key })
      // as a KMS may sign: the higher s, and no parity
      const high = yield* made({
        address,
        sign: async (hash) => {
          const signature = await privateKeyToAccount(key).sign({ hash })
          const s = order - BigInt(`0x${signature.slice(66, 130)}`)
          return `${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}` as `0x${string}`
        }
      })
      expect(yield* high.signMessage("hello")).toBe(yield* own.signMessage("hello"))
      const transaction = {
        chainId: 1,
        nonce: 0,
        to,
        value: 1n,
        gas: 21_000n,
        maxFeePerGas: 3n,
        maxPriorityFeePerGas: 1n
      } as const
      expect(yield* high.sign(transaction)).toEqual(yield* own.sign(transaction))
      expect(yield* (yield* made({ viem: account })).sign(transaction)).toEqual(yield* own.sign(transaction))
      for (const sign of [
        () => `0x${"zz".repeat(64)}` as const,
        () => "0x12" as const,
        () => `0x${"11".repeat(63)}` as const,
        () => `0x${"00".repeat(64)}` as const,
        () => `0x${"11".repeat(64)}` as const,
        () => "0x" as const,
        () => 7 as never,
        (hash: `0x${string}`) => privateKeyToAccount(`0x${"22".repeat(32)}`).sign({ hash })
      ])
        expect(yield* Effect.flip((yield* made({ address, sign })).signMessage("hello"))).toMatchObject({
          _tag: "SigningFailed",
          reason: `the signature is not that of ${address}`
        })
    })
  )

  it.effect("of viem's accounts are those of the key, and of nothing else than what they were given", () =>
    Effect.gen(function* () {
      const account = mnemonicToAccount(words)
      const own = yield* made({ privateKey: key })
      const types: Array<unknown> = []
      /** An account whose transactions are these. */
      const signing = (sign: (given: never) => Promise<`0x${string}`>) =>
        made({
          viem: {
            ...account,
            signTransaction: (given) => {
              types.push(Reflect.get(given, "type"))
              return sign(given)
            }
          }
        })
      const usual = { chainId: 1, nonce: 0, to, value: 1n, gas: 21_000n } as const
      const fees = { maxFeePerGas: 3n, maxPriorityFeePerGas: 1n }
      const transactions = [
        { ...usual, ...fees },
        { ...usual, gasPrice: 3n },
        { chainId: 1, value: 0n, gas: 60_000n, data: "0xFE", ...fees } as const
      ]
      for (const transaction of transactions) {
        const signed = yield* own.sign(transaction)
        expect(yield* (yield* signing((given) => account.signTransaction(given))).sign(transaction)).toEqual(
          signed
        )
        // some write digits in the other case
        const loud = yield* signing(async (given) => {
          const raw = await account.signTransaction(given)
          return `0x${raw.slice(2).toUpperCase()}`
        })
        expect((yield* loud.sign(transaction)).raw.toLowerCase()).toBe(signed.raw)
        const other = mnemonicToAccount(words, { addressIndex: 1 })
        for (const sign of [
          (given: never) => account.signTransaction({ ...Object(given), value: 2n }),
          (given: never) => account.signTransaction({ ...Object(given), gas: 60_001n }),
          (given: never) => other.signTransaction(given),
          async () => `${signed.raw}00` as `0x${string}`,
          async () => "0x" as const,
          async () => undefined as never
        ])
          expect(yield* Effect.flip((yield* signing(sign)).sign(transaction))).toMatchObject({
            _tag: "SigningFailed",
            reason: "the account has signed another transaction"
          })
      }
      expect(types).toEqual(["eip1559", "legacy", "eip1559"].flatMap((type) => new Array(8).fill(type)))
      // a price of before EIP-1559 is the one that counts
      const [, old] = transactions
      expect(yield* own.sign({ ...usual, ...fees, gasPrice: 3n })).toEqual(yield* own.sign(old ?? usual))
      const wallet = yield* made({ viem: account })
      const data = {
        types: { Mail: [{ name: "text", type: "string" }] },
        primaryType: "Mail",
        message: { text: "x" }
      }
      for (const message of ["hello", Uint8Array.of(0, 255)])
        expect(yield* wallet.signMessage(message)).toBe(yield* own.signMessage(message))
      expect(yield* wallet.signTypedData(data)).toBe(yield* own.signTypedData(data))
    })
  )

  it.effect("of typed data are of those of this chain, or of none", () =>
    Effect.gen(function* () {
      const { signTypedData } = yield* made({ privateKey: key })
      const data = {
        types: { Mail: [{ name: "text", type: "string" }] },
        primaryType: "Mail",
        message: { text: "x" }
      } as const
      for (const domain of [undefined, {}, { name: "App" }, { chainId: 1 }, { chainId: 1n }]) {
        const given = { ...data, ...(domain === undefined ? {} : { domain }) }
        const signature = yield* signTypedData(given)
        const hash = hashTypedData({ domain: {}, ...given })
        expect(yield* Effect.promise(() => recoverAddress({ hash, signature }))).toBe(address)
      }
      for (const chainId of [137, 137n, "one"])
        expect(
          yield* Effect.flip(signTypedData({ ...data, domain: { chainId: chainId as number } }))
        ).toMatchObject({
          _tag: "InvalidArgument",
          message: `sign: it is for the chain ${chainId}, and ethereum-mainnet is 1`
        })
      // what the types do not have
      expect(
        yield* Effect.flip(
          signTypedData({
            ...data,
            domain: { verifyingContract: "0x1" },
            types: { ...data.types, EIP712Domain: [{ name: "verifyingContract", type: "address" }] }
          })
        )
      ).toMatchObject({ _tag: "SigningFailed" })
    })
  )

  it.effect("are not made for another chain", () =>
    Effect.gen(function* () {
      const { sign } = yield* made({ privateKey: key })
      expect(yield* Effect.flip(sign({ chainId: 137, value: 0n, gas: 21_000n }))).toMatchObject({
        _tag: "InvalidArgument",
        message: "sign: it is for the chain 137, and ethereum-mainnet is 1"
      })
    })
  )
})

/** A chain on which the account has so much, and payments cost 21,000 gas at 1 to 3 wei. */
const chain = (balance: bigint): Partial<EvmCalls> => ({
  getBalance: () => Effect.succeed(balance),
  getBlockByNumber: () => Effect.succeed({ baseFeePerGas: "0x1" }),
  feeHistory: () => Effect.succeed({ baseFeePerGas: ["0x1"], reward: [["0x1"]] }),
  maxPriorityFeePerGas: () => Effect.succeed(1n),
  estimateGas: ({ data, to }) =>
    Effect.succeed(data === undefined ? 21_000n : to === undefined ? 60_000n : 30_000n),
  getTransactionCount: () => Effect.succeed(7n),
  getCode: () => Effect.succeed("0x")
})

/** An account on such a chain, and what it has sent. */
const sending = (changes: Partial<EvmCalls> = {}, from: EvmFrom = { privateKey: key }) => {
  const sent: Array<`0x${string}`> = []
  return Effect.map(
    make(
      client("ethereum-mainnet", {
        ...chain(10n ** 18n),
        getTransactionCount: () => Effect.succeed(7n),
        getTransactionByHash: () => Effect.succeed({}),
        sendRawTransaction: (raw) => {
          sent.push(raw as `0x${string}`)
          return Effect.succeed("0x")
        },
        ...changes
      }),
      from
    ),
    (account) => ({ account, sent })
  )
}

describe("browser wallets (EIP-1193)", () => {
  const hash = `0x${"ab".repeat(32)}`

  /** A wallet on a chain, and what it was asked. */
  const wallet = (eth_chainId = "0x1", ...accounts: ReadonlyArray<unknown>) => {
    const asked: Array<unknown> = []
    const answers = {
      eth_requestAccounts: accounts.length === 0 ? [address.toLowerCase(), to] : accounts,
      eth_chainId,
      eth_sendTransaction: hash,
      personal_sign: "0x51",
      eth_signTypedData_v4: "0x52"
    }
    const request = async (call: { readonly method: string }) => {
      asked.push(call)
      return Reflect.get(answers, call.method)
    }
    return { asked, eip1193: { request } }
  }

  it.effect("give their first account, or the one that is asked for", () =>
    Effect.gen(function* () {
      const { asked, eip1193 } = wallet()
      expect((yield* made({ eip1193 })).address).toBe(address)
      for (const wanted of [to, to.toLowerCase(), to.toUpperCase()])
        expect((yield* made({ eip1193, address: wanted })).address).toBe(to)
      expect(asked).toEqual(new Array(4).fill({ method: "eth_requestAccounts" }))
      expect((yield* made({ ...wallet("0x1", null, 7, to), address: to })).address).toBe(to)
    })
  )

  it.effect("send what was shown, on the chain of the network, and sign no transaction for others", () =>
    Effect.gen(function* () {
      const { asked, eip1193 } = wallet()
      const { account, sent } = yield* sending({}, { eip1193 })
      const fees = { maxFeePerGas: "0x3", maxPriorityFeePerGas: "0x1" }
      const coins = yield* account.prepare({ to, amount: 5n })
      expect(yield* account.submit(coins)).toEqual({ hash, prepared: coins })
      yield* account.submit({ ...coins, transaction: { ...coins.transaction, nonce: 9 } })
      yield* account.submit(yield* account.prepareTransaction({ data: "0xfe" }))
      const old = yield* sending(
        { getBlockByNumber: () => Effect.succeed({}), gasPrice: () => Effect.succeed(6n) },
        { eip1193 }
      )
      yield* old.account.send({ to, amount: 5n })
      const usual = { from: address, to, value: "0x5", gas: "0x5208", chainId: "0x1" }
      expect(
        asked.flatMap((call) =>
          Reflect.get(Object(call), "method") === "eth_sendTransaction"
            ? [Reflect.get(Object(call), "params")]
            : []
        )
      ).toStrictEqual([
        [{ ...usual, ...fees }],
        [{ ...usual, ...fees, nonce: "0x9" }],
        [{ from: address, data: "0xfe", value: "0x0", gas: "0x12d2c", chainId: "0x1", ...fees }],
        [{ ...usual, gasPrice: "0x6" }]
      ])
      expect([...sent, ...old.sent]).toEqual([])
      expect(yield* Effect.flip(account.sign(coins.transaction))).toMatchObject({
        _tag: "SigningFailed",
        reason: "a wallet sends what it signs: use send"
      })
      const elsewhere = yield* sending({}, wallet("0x89"))
      expect(yield* Effect.flip(elsewhere.account.send({ to, amount: 5n }))).toMatchObject({
        _tag: "SigningFailed",
        reason: "the wallet is on chain 137, and this is one of chain 1"
      })
    })
  )

  const SEND = "eth_sendTransaction"
  const refusal = (code: unknown, message: string, data?: unknown): Error =>
    Object.assign(new Error(message), { code, data })

  /** A wallet that takes a payment and sends it, and then answers, or fails, as it is told to. */
  const taking = (answer: () => unknown) => {
    const landed: Array<unknown> = []
    const request = async ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
      if (method === "eth_requestAccounts") return [address]
      if (method === "eth_chainId") return "0x1"
      if (method !== SEND) throw new Error(`unexpected: ${method}`)
      landed.push(Reflect.get(Object(params), 0))
      return answer()
    }
    return { landed, eip1193: { request } }
  }

  const thrown = (value: unknown) => (): never => {
    throw value
  }

  /** What wallets fail with, and what is no hash: codes and words say nothing of whether it was sent. */
  const failures = fc.oneof(
    fc
      .tuple(
        fc
          .oneof(
            fc.constantFrom(4100, 4200, 4900, 4901, 4902, -32_000, -32_002, -32_003, -32_601, -32_603, 5000),
            fc.integer({ min: -40_000, max: 40_000 }),
            fc.constantFrom(undefined, "", "ACTION_REJECTED", Number.NaN)
          )
          .filter((code) => code !== 4001),
        fc.oneof(
          fc.constantFrom(
            "User rejected the request.",
            "insufficient funds",
            "nonce too low",
            "timeout",
            "disconnected"
          ),
          fc.string()
        ),
        fc.constantFrom(undefined, { originalError: { code: -32_000, message: "underpriced" } }, "4001")
      )
      .map(([code, message, data]) => thrown(refusal(code, message, data))),
    fc
      .anything()
      .filter((value) => Number(Object(value)?.code) !== 4001 && Object(value)?.data === undefined)
      .map(thrown),
    fc
      .constantFrom(undefined, null, "0x", "sent", 5, {}, `0x${"ab".repeat(31)}`)
      .map((answer) => () => answer)
  )

  it.effect(
    "that fail after they were asked to send may have sent it, whatever they say, and are not asked again",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(failures, async (answer) => {
            const { eip1193, landed } = taking(answer)
            const program = Effect.gen(function* () {
              const { account } = yield* sending(
                { getTransactionCount: () => Effect.succeed(7n) },
                { eip1193 }
              )
              const prepared = yield* account.prepare({ to, amount: 5n })
              const first = yield* Effect.flip(account.submit(prepared))
              expect(first).toMatchObject({ _tag: "WalletUnclear", from: address, to, value: "5", nonce: 7 })
              expect(first.message).toContain("may have been sent")
              // the same preview is the same payment: the wallet would make another one of it
              expect(yield* Effect.flip(account.submit(prepared))).toEqual(first)
              expect(yield* Effect.flip(account.send({ to, amount: 6n }))).toMatchObject({
                _tag: "WalletUnclear",
                value: "6"
              })
            })
            await Effect.runPromise(program)
            expect(landed).toMatchObject([{ value: "0x5" }, { value: "0x6" }])
          })
        )
      )
  )

  it.effect("whose user has refused have sent nothing, and are asked again", () =>
    Effect.gen(function* () {
      const nested = refusal(-32603, "Internal JSON-RPC error.", {
        originalError: { code: 4001, message: "no" }
      })
      for (const error of [refusal(4001, "no"), refusal("4001", "no"), { code: 4001 }, nested]) {
        const { eip1193, landed } = taking(thrown(error))
        const { account } = yield* sending({}, { eip1193 })
        const prepared = yield* account.prepare({ to, amount: 5n })
        for (const _ of [1, 2])
          expect((yield* Effect.flip(account.submit(prepared)))._tag).toBe("SigningFailed")
        expect(landed.length).toBe(2)
      }
    })
  )

  it.effect("that say nothing before the wait is ended are not asked for the same payment again", () =>
    Effect.gen(function* () {
      let hear = (): void => {}
      const asked = new Promise<void>((resolve) => {
        hear = resolve
      })
      const { eip1193, landed } = taking(() => {
        hear()
        return new Promise(() => {})
      })
      const { account } = yield* sending({}, { eip1193 })
      const prepared = yield* account.prepare({ to, amount: 5n })
      const fiber = yield* Effect.fork(account.submit(prepared))
      yield* Effect.promise(() => asked)
      // a button that is pressed twice
      expect((yield* Effect.flip(account.submit(prepared)))._tag).toBe("WalletUnclear")
      yield* Fiber.interrupt(fiber)
      expect((yield* Effect.flip(account.submit(prepared)))._tag).toBe("WalletUnclear")
      expect(landed.length).toBe(1)
    })
  )

  it.effect("sign messages and typed data in the form that they take", () =>
    Effect.gen(function* () {
      const { asked, eip1193 } = wallet()
      const account = yield* made({ eip1193 })
      expect([
        yield* account.signMessage("hello"),
        yield* account.signMessage(Uint8Array.of(0, 255)),
        yield* account.signTypedData({
          types: { Sum: [{ name: "value", type: "uint256" }] },
          primaryType: "Sum",
          message: { value: 2n ** 70n, text: "x" }
        })
      ]).toEqual(["0x51", "0x51", "0x52"])
      expect(asked.slice(1)).toEqual([
        { method: "personal_sign", params: ["0x68656c6c6f", address] },
        { method: "personal_sign", params: ["0x00ff", address] },
        {
          method: "eth_signTypedData_v4",
          params: [
            address,
            '{"types":{"Sum":[{"name":"value","type":"uint256"}]},"primaryType":"Sum","message":{"value":"1180591620717411303424","text":"x"}}'
          ]
        }
      ])
    })
  )
})

describe("transactions of EVM chains that wait for a block", () => {
  /** Prices of a test: the base fee, and the tip. */
  const prices = (base: bigint, tip: bigint): Partial<EvmCalls> => ({
    getBlockByNumber: () => Effect.succeed({ baseFeePerGas: `0x${base.toString(16)}` }),
    maxPriorityFeePerGas: () => Effect.succeed(tip)
  })

  it.effect("are sent again with an eighth more at least, or with what the chain asks for now", () =>
    Effect.gen(function* () {
      let now = prices(1_000n, 100n)
      const { account, sent } = yield* sending({
        getBlockByNumber: (block) => now.getBlockByNumber?.(block) ?? Effect.die("none"),
        maxPriorityFeePerGas: () => now.maxPriorityFeePerGas?.() ?? Effect.die("none")
      })
      const { hash, prepared } = yield* account.send({ to, amount: 5n })
      expect(prepared.transaction).toMatchObject({
        nonce: 7,
        maxFeePerGas: 2_100n,
        maxPriorityFeePerGas: 100n
      })
      // 2,100 and an eighth of it and one, and the same of 100
      const fee = 21_000n * 2_363n
      expect(yield* Effect.flip(account.speedUp(hash, { maxFee: fee - 1n }))).toMatchObject({
        _tag: "FeeOverCap",
        asset: "ETH",
        fee: "0.000000000049623"
      })
      const faster = yield* account.speedUp(hash, { maxFee: fee })
      const transaction = {
        chainId: 1,
        nonce: 7,
        to,
        value: 5n,
        gas: 21_000n,
        maxFeePerGas: 2_363n,
        maxPriorityFeePerGas: 113n
      }
      expect(yield* account.prepareSpeedUp(faster.hash, { maxFee: 10n ** 9n })).toMatchObject({
        fee: 21_000n * 2_659n,
        transaction: { replaces: faster.hash, nonce: 7 }
      })
      expect(faster.prepared).toStrictEqual({
        network: "ethereum-mainnet",
        from: address,
        to,
        amount: 5n,
        fee,
        outgoing: [{ asset: "ETH", amount: "0.000000000049623005" }],
        warnings: [],
        transaction: { ...transaction, replaces: hash }
      })
      now = prices(5_000n, 3_000n)
      const cancelled = yield* account.cancel(faster.hash)
      expect(cancelled.prepared).toMatchObject({ to: address, amount: 0n, fee: 21_000n * 13_000n })
      expect(sent.map((raw) => parseTransaction(raw))).toMatchObject([
        { nonce: 7, to: to.toLowerCase(), value: 5n, maxFeePerGas: 2_100n, maxPriorityFeePerGas: 100n },
        { ...transaction, to: to.toLowerCase() },
        {
          nonce: 7,
          to: address.toLowerCase(),
          gas: 21_000n,
          maxFeePerGas: 13_000n,
          maxPriorityFeePerGas: 3_000n
        }
      ])
      expect(parseTransaction(sent[2] ?? "0x").value ?? 0n).toBe(0n)
      for (const [call, gone, why] of [
        ["speedUp", hash, `was replaced by ${faster.hash}`],
        ...["0x1", `${faster.hash}0`, `0${faster.hash}`].map(
          (wrong) => ["cancel", wrong, "is no hash of a transaction: 0x and 64 hexadecimal digits"] as const
        )
      ] as const)
        expect(yield* Effect.flip(account[call](gone))).toMatchObject({
          _tag: "InvalidArgument",
          message: `${call}: ${gone} ${why}`
        })
    })
  )

  /** A transaction as nodes show one that waits for a block. */
  const shownOf = (raw: `0x${string}`, hash: string) => {
    const hex = (value: bigint | number | undefined) =>
      value === undefined ? undefined : `0x${value.toString(16)}`
    // viem's type has the fields of a signature for some kinds of transactions alone
    const {
      chainId,
      data,
      gas,
      gasPrice,
      maxFeePerGas,
      maxPriorityFeePerGas,
      nonce,
      r,
      s,
      to,
      type,
      v,
      value
    } = parseTransaction(raw) as ReturnType<typeof parseTransaction> &
      Readonly<Record<"r" | "s" | "v", never>>
    return {
      hash,
      blockHash: null,
      chainId: hex(chainId),
      from: address,
      nonce: hex(nonce ?? 0),
      to: to ?? null,
      value: hex(value ?? 0n),
      input: data ?? "0x",
      gas: hex(gas),
      gasPrice: hex(gasPrice),
      maxFeePerGas: hex(maxFeePerGas),
      maxPriorityFeePerGas: hex(maxPriorityFeePerGas),
      type: type === "legacy" ? "0x0" : "0x2",
      v: hex(v),
      r,
      s
    }
  }

  it.effect("are replaced from another process, by what their hash and their signature prove of them", () =>
    Effect.gen(function* () {
      for (const legacy of [false, true]) {
        const changes = legacy
          ? { getBlockByNumber: () => Effect.succeed({}), gasPrice: () => Effect.succeed(80n) }
          : {}
        const first = yield* sending(changes)
        const paid = yield* first.account.send({ to, amount: 5n })
        const called = yield* first.account.sendTransaction({ to, data: "0x0102" })
        const created = yield* first.account.sendTransaction({ data: "0xfe" })
        const sent = [paid, called, created]
        for (const [at, { hash }] of sent.entries()) {
          const shown = shownOf(first.sent[at] ?? "0x", hash)
          let answer: object | null = shown
          const other = yield* sending({ ...changes, getTransactionByHash: () => Effect.succeed(answer) })
          const prepared = yield* other.account.prepareSpeedUp(hash)
          const { chainId, data, gas, to: receiver, value } = sent[at]?.prepared.transaction ?? {}
          expect(prepared.transaction).toStrictEqual({
            chainId,
            gas,
            value,
            ...(data === undefined ? {} : { data }),
            ...(receiver === undefined ? {} : { to: receiver }),
            nonce: 7 + at,
            replaces: hash,
            ...(legacy ? { gasPrice: 91n } : { maxFeePerGas: 4n, maxPriorityFeePerGas: 2n })
          })
          expect(prepared.to).toBe(receiver ?? "")
          const faster = yield* other.account.submit(prepared)
          const signed = parseTransaction(other.sent[0] ?? "0x")
          expect(signed).toMatchObject({ nonce: 7 + at, ...(data === undefined ? { value: 5n } : { data }) })
          expect(signed.to).toBe(receiver?.toLowerCase())
          expect(yield* Effect.flip(other.account.cancel(hash))).toMatchObject({
            message: `cancel: ${hash} was replaced by ${faster.hash}`
          })

          // a node that shows another transaction under the hash has nothing signed
          const lies: ReadonlyArray<object | null> = [
            null,
            // another one that the account has signed as well
            { ...shownOf(first.sent[(at + 1) % 3] ?? "0x", hash), hash },
            ...[
              { to: address },
              { value: "0x6" },
              { nonce: "0x29" },
              { input: "0x03" },
              { gas: "0x1" },
              { chainId: "0x2" },
              { r: `0x${"11".repeat(32)}` },
              { s: "0x" },
              // what has the hash of a legacy transaction is one, whatever its type is said to be
              legacy ? { gasPrice: "0x1" } : { type: "0x0" },
              legacy ? { gasPrice: "0x51" } : { maxFeePerGas: "0x1" },
              { blockHash: `0x${"22".repeat(32)}` }
            ].map((lie) => ({ ...shown, ...lie }))
          ]
          const fresh = yield* sending({ ...changes, getTransactionByHash: () => Effect.succeed(answer) })
          for (answer of lies)
            for (const call of ["speedUp", "cancel"] as const)
              expect(yield* Effect.flip(fresh.account[call](hash)), JSON.stringify(answer)).toMatchObject({
                _tag: "InvalidArgument",
                message: expect.stringContaining(`${call}: ${hash} is `)
              })
          // nor has one that was signed for another chain
          const elsewhere = yield* make(
            client("polygon-mainnet", {
              ...chain(10n ** 18n),
              ...changes,
              getTransactionByHash: () => Effect.succeed(shown)
            }),
            { privateKey: key }
          )
          expect(yield* Effect.flip(elsewhere.prepareCancel(hash))).toMatchObject({
            message: expect.stringContaining("on the chain 137")
          })
          // nor one that belongs to another account
          const foreign = yield* sending(
            { ...changes, getTransactionByHash: () => Effect.succeed(shown) },
            { privateKey: `0x${"7".repeat(64)}` }
          )
          expect(yield* Effect.flip(foreign.account.cancel(hash))).toMatchObject({ _tag: "InvalidArgument" })
          expect([...fresh.sent, ...foreign.sent]).toEqual([])
        }
      }
    })
  )

  it.effect("are signed without what is the signer's alone, by an account of viem too", () =>
    Effect.gen(function* () {
      const viem = privateKeyToAccount(key)
      const given: Array<object> = []
      const signTransaction = (transaction: never) => {
        given.push(transaction)
        return viem.signTransaction(transaction)
      }
      const { account, sent } = yield* sending(
        { getTransactionCount: (_, block) => Effect.succeed(block === "pending" ? 7n : 3n) },
        { viem: { ...viem, signTransaction } }
      )
      const { hash } = yield* account.send({ to, amount: 5n, allowNonceGap: true })
      yield* account.speedUp(hash)
      expect(sent).toHaveLength(2)
      const fields = [
        "chainId",
        "gas",
        "maxFeePerGas",
        "maxPriorityFeePerGas",
        "nonce",
        "to",
        "type",
        "value"
      ]
      expect(given.map((each) => Object.keys(each).sort())).toEqual([fields, fields])
    })
  )

  it.effect("are payments of tokens for a policy, if that is what they replace", () =>
    Effect.gen(function* () {
      const word = (value: bigint) => value.toString(16).padStart(64, "0")
      const token = `0x${"0c".repeat(20)}`
      const policy = yield* makePolicy({
        recipients: { "ethereum-mainnet": [to] },
        limits: [
          { network: "ethereum-mainnet", amount: "1" },
          { network: "ethereum-mainnet", token, amount: 5_000_000n, per: "1 day" }
        ]
      })
      const tokens: EvmCalls["call"] = ({ data = "" }) =>
        Effect.succeed<Hex>(`0x${word(data.startsWith("0x313ce567") ? 6n : 9_000_000n)}`)
      const { account, sent } = yield* sending({ call: tokens }, { privateKey: key, policy })
      const { hash, prepared } = yield* account.sendToken({ to, token, amount: "2.5" })
      const { fee: _, transaction: __, outgoing, ...paid } = prepared
      const faster = yield* account.speedUp(hash)
      expect(faster.prepared).toMatchObject({ ...paid, outgoing: [outgoing[0], { asset: "ETH" }] })
      expect(sent).toHaveLength(2)
      // each may be the one that counts, so that the limit is reached
      expect(yield* Effect.flip(account.speedUp(faster.hash))).toMatchObject({
        _tag: "PolicyDenied",
        rule: "limit"
      })
      // a call is what it was: it sends coins too, has more behind it, or is another one
      const transfer = `0xa9059cbb${word(BigInt(to))}${word(1n)}`
      for (const request of [
        { to: token, data: `${transfer}00`, value: 0n },
        { to: token, data: transfer, value: 1n },
        { to: token, data: `0xa9059cbb${word(BigInt(to) + (1n << 160n))}${word(1n)}`, value: 0n }
      ]) {
        const { account: free } = yield* sending({ call: tokens })
        const other = yield* free.sendTransaction(request)
        const again = yield* free.prepareSpeedUp(other.hash)
        expect(again).toMatchObject({ to: request.to, amount: request.value })
        expect(again).not.toHaveProperty("token")
      }
    })
  )

  it.effect("are not replaced where a block has their nonce, and show the tokens that they send", () =>
    Effect.gen(function* () {
      const word = (value: bigint) => value.toString(16).padStart(64, "0")
      let count = 7n
      let reward: ReadonlyArray<ReadonlyArray<Hex>> | undefined
      const { account } = yield* sending({
        getTransactionCount: () => Effect.succeed(count),
        feeHistory: () =>
          Effect.succeed({ baseFeePerGas: ["0x1"], ...(reward === undefined ? {} : { reward }) }),
        call: ({ data }) =>
          Effect.succeed<Hex>(data?.startsWith("0x313ce567") === true ? `0x${word(6n)}` : "0x")
      })
      const data = `0xa9059cbb${word(BigInt(to))}${word(2_500_000n)}`
      const { hash } = yield* account.sendTransaction({ to: address, data })
      const prepared = yield* account.prepareSpeedUp(hash, { speed: "slow" })
      expect(prepared.outgoing[0]).toMatchObject({ amount: "2.5", token: address })
      expect(prepared).not.toHaveProperty("expectedBlocks")
      // two of three blocks have taken what is paid
      reward = [
        ["0x2", "0x2"],
        ["0x9", "0x9"],
        ["0x2", "0x2"]
      ]
      const slow = yield* account.prepareSpeedUp(hash, { speed: "slow" })
      expect(slow).toMatchObject({ expectedBlocks: 1.5, warnings: [] })
      // none has
      reward = [["0x9", "0x2"]]
      const fast = yield* account.prepareSpeedUp(hash, { speed: "fast" })
      expect(fast.warnings).toEqual([expect.stringContaining("No block of late has taken so low")])
      expect(fast).not.toHaveProperty("expectedBlocks")
      expect(yield* Effect.flip(account.prepareSpeedUp(hash, { speed: "quick" as never }))).toMatchObject({
        _tag: "InvalidArgument",
        message: expect.stringContaining("speed must be slow, normal, fast")
      })
      expect((yield* account.prepareCancel(hash)).outgoing).toHaveLength(1)
      count = 8n
      for (const call of ["prepareSpeedUp", "prepareCancel"] as const)
        expect(yield* Effect.flip(account[call](hash))).toMatchObject({
          _tag: "InvalidArgument",
          message: expect.stringContaining("a block has a transaction with the nonce 7")
        })
    })
  )

  it.effect("are replaced by nothing that calls or makes a contract, on chains without a base fee too", () =>
    Effect.gen(function* () {
      const { account, sent } = yield* sending({
        getBlockByNumber: () => Effect.succeed({}),
        gasPrice: () => Effect.succeed(80n)
      })
      // what a contract is made of is no call, though it begins as one
      const data = `0xa9059cbb${"0".repeat(128)}`
      const code = yield* account.sendTransaction({ data })
      const faster = yield* account.speedUp(code.hash)
      expect(faster.prepared).toMatchObject({ to: "", amount: 0n, transaction: { gasPrice: 91n, data } })
      expect(faster.prepared.outgoing).toHaveLength(1)
      expect(faster.prepared.transaction).not.toHaveProperty("maxFeePerGas")
      const cancelled = yield* account.cancel(faster.hash)
      expect(cancelled.prepared.transaction).toStrictEqual({
        chainId: 1,
        nonce: 7,
        replaces: faster.hash,
        to: address,
        value: 0n,
        gas: 21_000n,
        gasPrice: 103n
      })
      expect(sent.map((raw) => parseTransaction(raw).type)).toEqual(["legacy", "legacy", "legacy"])
    })
  )

  it.effect("are waited for as deep as is wanted, and may be reverted, gone or replaced by then", () =>
    Effect.gen(function* () {
      const waited: Array<unknown> = []
      let failure: { readonly reason: string } | undefined
      const { account } = yield* sending({
        waitForTransaction: (hash, options) => {
          waited.push([hash, options])
          return failure === undefined
            ? Effect.void
            : Effect.fail(new TransactionFailed({ hash, ...failure, receipt: { status: "0x0" } }))
        }
      })
      const first = yield* account.send({ to, amount: 5n, confirmations: 3 })
      expect(first.prepared.transaction.nonce).toBe(7)
      yield* account.sendTransaction({ to, data: "0x01" })
      const second = yield* account.sendTransaction({ to, data: "0x01", confirmations: 2 })
      expect(waited).toEqual([
        [first.hash, { confirmations: 3 }],
        [second.hash, { confirmations: 2 }]
      ])
      failure = { reason: "too late" }
      expect(yield* Effect.flip(account.send({ to, amount: 5n, confirmations: 1 }))).toMatchObject({
        _tag: "TransactionFailed",
        reason: "too late",
        receipt: { status: "0x0" }
      })
      for (const isReplaced of [false, true]) {
        let by: string | undefined
        const replace: { with?: (hash: string) => Effect.Effect<void> } = {}
        const { account: late } = yield* sending({
          waitForTransaction: (hash) =>
            Effect.zipRight(
              replace.with?.(hash) ?? Effect.void,
              Effect.fail(new TransactionDropped({ hash, reason: "another one has its nonce" }))
            )
        })
        if (isReplaced)
          replace.with = (hash) =>
            Effect.map(Effect.orDie(late.speedUp(hash)), (out) => {
              by = out.hash
            })
        expect(yield* Effect.flip(late.send({ to, amount: 5n, confirmations: 1 }))).toMatchObject(
          isReplaced ? { _tag: "TransactionReplaced", by } : { _tag: "TransactionDropped" }
        )
        expect(by === undefined).toBe(!isReplaced)
      }
    })
  )

  it.effect(
    "waits for one that no node shows until its time is over, and tells of a replacement in a block",
    () =>
      Effect.gen(function* () {
        for (const replacement of ["none", "waiting", "mined"] as const) {
          let by: string | undefined
          const replace: { with?: (hash: string) => Effect.Effect<void> } = {}
          const { account } = yield* sending({
            waitForTransaction: (hash, { confirmations: wanted = 1 } = {}) =>
              Effect.zipRight(
                replace.with?.(hash) ?? Effect.void,
                Effect.fail(new TransactionNotConfirmed({ hash, wanted, confirmations: 0, timeout: 120_000 }))
              ),
            getTransactionByHash: (hash) =>
              Effect.succeed(
                hash === by && replacement === "mined" ? { blockHash: "0x1" } : { blockHash: null }
              )
          })
          if (replacement !== "none")
            replace.with = (hash) =>
              Effect.map(Effect.orDie(account.cancel(hash)), (out) => {
                by = out.hash
              })
          expect(yield* Effect.flip(account.send({ to, amount: 5n, confirmations: 1 }))).toMatchObject(
            replacement === "mined"
              ? { _tag: "TransactionReplaced", by }
              : { _tag: "TransactionNotConfirmed", confirmations: 0 }
          )
          expect(by === undefined).toBe(replacement === "none")
        }
      })
  )
})

describe("nonces that nodes tell", () => {
  /** A chain that says that so many transactions of the account wait, of which no block has one. */
  const gapped = (waiting: bigint): Partial<EvmCalls> => ({
    getTransactionCount: (_, block) => Effect.succeed(block === "pending" ? waiting : 0n)
  })

  it.effect("behind what no block has are a warning, and are signed with a yes alone", () =>
    Effect.gen(function* () {
      const { account, sent } = yield* sending(gapped(1_000_000n))
      const payment = { to, amount: "0.5" }
      const prepared = yield* account.prepare(payment)
      expect(prepared.warnings).toEqual([
        expect.stringMatching(/^1000000 transactions of the account are said to wait.*allowNonceGap/)
      ])
      for (const refused of [
        account.submit(prepared),
        account.send(payment),
        account.sendTransaction({ to, value: 1n })
      ])
        expect(yield* Effect.flip<unknown, { readonly message: string }, never>(refused)).toMatchObject({
          _tag: "InvalidArgument",
          message: expect.stringContaining("allowNonceGap")
        })
      expect(sent).toEqual([])
      const allowed = yield* account.prepare({ ...payment, allowNonceGap: true })
      expect(allowed.warnings).toHaveLength(1)
      expect((yield* account.submit(allowed)).prepared.transaction.nonce).toBe(1_000_000)
      expect(parseTransaction(sent[0] ?? "0x").nonce).toBe(1_000_000)
      // a yes to this many is none to more
      const { account: other, sent: none } = yield* sending(gapped(2n))
      const two = yield* other.prepare({ ...payment, allowNonceGap: true })
      const more = { ...two, transaction: { ...two.transaction, nonceLimit: 1 } }
      expect(yield* Effect.flip(other.submit(more))).toMatchObject({ _tag: "InvalidArgument" })
      expect(none).toEqual([])
    })
  )

  it.effect("are no gap where the signer has sent what waits", () =>
    Effect.gen(function* () {
      const raws: Array<unknown> = []
      const { account } = yield* sending({
        getTransactionCount: (_, block) =>
          Effect.sync(() => (block === "pending" ? BigInt(raws.length) : 0n)),
        sendRawTransaction: (raw) =>
          Effect.as(
            Effect.sync(() => raws.push(raw)),
            "0x" as const
          )
      })
      for (const nonce of [0, 1, 2]) {
        const { prepared } = yield* account.send({ to, amount: "0.001" })
        expect([prepared.warnings, prepared.transaction.nonce]).toEqual([[], nonce])
      }
      const all = yield* Effect.all(
        Array.from({ length: 5 }, () => account.send({ to, amount: "0.001" })),
        { concurrency: "unbounded" }
      )
      expect(all.map(({ prepared }) => prepared.transaction.nonce).sort()).toEqual([3, 4, 5, 6, 7])
    })
  )
})

describe("previews of EVM chains", () => {
  const prepare = (payment: object, balance = 10n ** 18n) =>
    Effect.flatMap(make(client("ethereum-mainnet", chain(balance)), { privateKey: key }), (account) =>
      account.prepare({ to, amount: "0.5", ...payment })
    )

  it.effect("have the highest fee, and what leaves the account", () =>
    Effect.gen(function* () {
      expect(yield* prepare({})).toEqual({
        network: "ethereum-mainnet",
        from: address,
        to,
        amount: 5n * 10n ** 17n,
        fee: 63_000n,
        outgoing: [{ asset: "ETH", amount: "0.500000000000063" }],
        warnings: [],
        transaction: {
          chainId: 1,
          to,
          value: 5n * 10n ** 17n,
          gas: 21_000n,
          maxFeePerGas: 3n,
          maxPriorityFeePerGas: 1n
        }
      })
      expect((yield* prepare({ to: address })).warnings).toEqual(["The receiver is the account itself."])
      expect((yield* prepare({ to: `0x${"0".repeat(40)}` })).warnings).toHaveLength(1)
    })
  )

  const refusals: ReadonlyArray<readonly [string, object, object]> = [
    ["zero", { amount: 0n }, { _tag: "InvalidAmount" }],
    ["less than zero", { amount: "-1" }, { _tag: "InvalidAmount" }],
    ["a number", { amount: 1.5 }, { _tag: "InvalidAmount" }],
    ["too many digits", { amount: "0.1234567890123456789" }, { _tag: "InvalidAmount" }],
    ["words", { amount: "everything" }, { _tag: "InvalidAmount" }],
    [
      "an address of Bitcoin",
      { to: "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu" },
      { _tag: "InvalidAddress" }
    ],
    ["an address with a wrong checksum", { to: to.replace("C8", "c8") }, { _tag: "InvalidAddress" }],
    ["no address", { to: undefined }, { _tag: "InvalidAddress" }],
    ["a memo", { memo: "7" }, { _tag: "InvalidArgument" }],
    [
      "a fee above the cap",
      { maxFee: 62_999n },
      { _tag: "FeeOverCap", fee: "0.000000000000063", asset: "ETH" }
    ],
    ["a cap that is none", { maxFee: "-1" }, { _tag: "InvalidAmount" }],
    [
      "more than there is",
      { amount: "1" },
      { _tag: "InsufficientFunds", asset: "ETH", needed: "1.000000000000063", available: "1" }
    ]
  ]

  it.effect.each(refusals)("refuse %s", ([, payment, error]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(prepare(payment))).toMatchObject(error)
    })
  )

  it.effect("refuse what the account cannot pay with its fee", () =>
    Effect.gen(function* () {
      // a contract takes more gas than a payment: 120,000 with what is kept free, at 3 wei
      const dear = { ...chain(1_000n + 359_999n), estimateGas: () => Effect.succeed(100_000n) }
      const account = yield* make(client("ethereum-mainnet", dear), { privateKey: key })
      expect(
        yield* Effect.flip(account.prepareTransaction({ to, data: "0x01", value: 1_000n }))
      ).toMatchObject({ _tag: "InsufficientFunds", needed: "0.000000000000361" })
    })
  )

  it.effect("are submitted by the account that they were made for alone", () =>
    Effect.gen(function* () {
      const prepared = yield* prepare({})
      const other = yield* made({ mnemonic: words, index: 1 })
      expect(yield* Effect.flip(other.submit(prepared))).toMatchObject({ _tag: "InvalidArgument" })
      const elsewhere = yield* made({ privateKey: key }, "polygon-mainnet")
      expect(yield* Effect.flip(elsewhere.submit(prepared))).toMatchObject({ _tag: "InvalidArgument" })
    })
  )

  const usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
  const usdcId = `eip155:1/erc20:${usdc}`
  /** A contract that nobody knows. */
  const other = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
  const padded = (value: string | bigint): string =>
    (typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, "0")
  /** A chain with a token of six decimals, of which everybody has a million. */
  const withToken: Partial<EvmCalls> = {
    ...chain(10n ** 18n),
    call: ({ data = "0x" }) =>
      Effect.succeed<`0x${string}`>(
        data.startsWith("0x313ce567")
          ? `0x${padded(6n)}`
          : data.startsWith("0x95d89b41")
            ? `0x${padded(32n)}${padded(4n)}${Buffer.from("USDC").toString("hex").padEnd(64, "0")}`
            : data.startsWith("0x70a08231")
              ? `0x${padded(10n ** 12n)}`
              : `0x${padded(1n)}`
      )
  }

  it.effect("are what is submitted, and nothing else", () =>
    Effect.gen(function* () {
      const sent: Array<unknown> = []
      const account = yield* make(
        client("ethereum-mainnet", {
          ...withToken,
          getTransactionCount: () => Effect.succeed(0n),
          getTransactionByHash: () => Effect.succeed({ blockNumber: null }),
          sendRawTransaction: (raw) => {
            sent.push(raw)
            return Effect.succeed("0x")
          }
        }),
        { privateKey: key }
      )
      const coins = yield* account.prepare({ to, amount: "0.5" })
      const tokens = yield* account.prepare({ to, amount: "25", token: usdc })
      const call = yield* account.prepareTransaction({ to: usdc, data: tokens.transaction.data ?? "0x" })
      const data = (receiver: string, amount: bigint) =>
        `0xa9059cbb${padded(receiver)}${padded(amount)}` as const
      const changes = [
        [coins, { to: address }],
        [coins, { value: 6n * 10n ** 17n }],
        [coins, { gas: 21_001n }],
        [coins, { maxFeePerGas: 4n }],
        [coins, { gasPrice: 4n }],
        [coins, { chainId: 137 }],
        [coins, { value: undefined }],
        [coins, { gas: undefined }],
        [tokens, { to: address }],
        [tokens, { value: 1n }],
        [tokens, { data: data(address, 25_000_000n) }],
        [tokens, { data: data(to, 26_000_000n) }],
        [tokens, { data: `${data(to, 25_000_000n)}00` }],
        [tokens, { data: undefined }],
        [call, { to }],
        [call, { value: 1n }]
      ] as const
      for (const [prepared, change] of changes) {
        const other = { ...prepared, transaction: { ...prepared.transaction, ...change } }
        expect(yield* Effect.flip(account.submit(other as never)), inspect(change)).toMatchObject({
          _tag: "InvalidArgument"
        })
      }
      expect(sent).toEqual([])
      for (const prepared of [coins, tokens, call]) yield* account.submit(prepared)
      expect(sent).toHaveLength(3)
    })
  )

  it.effect("list the tokens that a call sends, and what it lets others take", () =>
    Effect.gen(function* () {
      const account = yield* make(client("ethereum-mainnet", withToken), { privateKey: key })
      const of = (selector: string, ...values: ReadonlyArray<string | bigint>) =>
        account.prepareTransaction({ to: usdc, data: `0x${selector}${values.map(padded).join("")}` })
      const sends = {
        asset: usdcId,
        symbol: "USDC",
        token: usdc,
        amount: "25",
        units: 25_000_000n,
        decimals: 6
      }
      expect(yield* of("a9059cbb", to, 25_000_000n)).toMatchObject({
        outgoing: [sends, { asset: "ETH" }],
        warnings: []
      })
      expect((yield* of("23b872dd", address, to, 25_000_000n)).outgoing[0]).toEqual(sends)
      expect((yield* of("23b872dd", to, address, 25_000_000n)).outgoing).toHaveLength(1)
      const lets = [
        [of("095ea7b3", to, 25_000_000n), "up to 25 USDC"],
        [of("39509351", to, 25_000_000n), "25 USDC more"],
        [of("095ea7b3", to, 2n ** 256n - 1n), "any amount of USDC"],
        [of("a22cb465", to, 1n), "all that the account has of USDC"]
      ] as const
      for (const [prepared, words] of lets) {
        const { outgoing, warnings } = yield* prepared
        expect(warnings).toEqual([expect.stringContaining(words)])
        expect(warnings[0]?.toLowerCase()).toContain(to.toLowerCase())
        expect(outgoing).toHaveLength(1)
      }
      for (const none of [of("095ea7b3", to, 0n), of("a22cb465", to, 0n), of("095ea7b3", to), of("deadbeef")])
        expect((yield* none).warnings).toEqual([])
      // a collection has no decimals: its numbers are those of its tokens
      const collection = yield* make(
        client("ethereum-mainnet", { ...withToken, call: () => Effect.succeed("0x") }),
        { privateKey: key }
      )
      const data = `0x095ea7b3${padded(to)}${padded(7n)}`
      const { warnings } = yield* collection.prepareTransaction({ to: other, data })
      expect(warnings).toEqual([expect.stringContaining(`7 of ${other}`)])
    })
  )

  it.effect("price just what is sent, and what nodes would refuse to estimate not at all", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const account = yield* make(
        client("ethereum-mainnet", {
          ...withToken,
          estimateGas: (call) => {
            asked.push(call)
            return Effect.succeed(call.data === undefined ? 21_000n : 60_000n)
          }
        }),
        { privateKey: key }
      )
      yield* account.prepare({ to, amount: 7n })
      yield* account.prepareTransaction({ to: usdc, data: "0x01", value: 1n })
      yield* account.prepareTransaction({ data: "0xfe" })
      expect(asked).toStrictEqual([
        { from: address, to, value: "0x7" },
        { from: address, to: usdc, data: "0x01", value: "0x1" },
        { from: address, data: "0xfe", value: "0x0" }
      ])
      // one wei less than the amount with the least that a payment costs
      const { estimateGas: _, ...unpriced } = chain(1_000n + 62_999n)
      const poor = yield* make(client("ethereum-mainnet", unpriced), { privateKey: key })
      expect(yield* Effect.flip(poor.prepare({ to, amount: 1_000n }))).toMatchObject({
        _tag: "InsufficientFunds",
        needed: "0.000000000000064"
      })
    })
  )

  it.effect("have, on rollups, the fee of the chain below, and half as much again", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const rollup = (network: Network) =>
        make(
          client(network, {
            ...chain(10n ** 18n),
            call: (call) => {
              asked.push(call)
              return Effect.succeed("0x3e9")
            }
          }),
          { privateKey: key }
        )
      const base = yield* rollup("base-mainnet")
      const oracle = "0x420000000000000000000000000000000000000F"
      expect((yield* base.prepare({ to, amount: 1n })).fee).toBe(63_000n + 1_501n)
      expect((yield* base.prepareTransaction({ to, data: "0x010203" })).fee).toBe(3n * 47_100n + 1_501n)
      // 160 bytes, and those of what is called
      expect(asked).toEqual([
        { to: oracle, data: `0xf1c7a58b${padded(161n)}` },
        { to: oracle, data: `0xf1c7a58b${padded(164n)}` }
      ])
      expect((yield* (yield* rollup("polygon-mainnet")).prepare({ to, amount: 1n })).fee).toBe(63_000n)
    })
  )

  it.effect("pay a priority fee at their speed, and say how many blocks that is expected to take", () =>
    Effect.gen(function* () {
      const account = yield* make(
        client("ethereum-mainnet", {
          ...chain(10n ** 18n),
          feeHistory: (_, __, percentiles) =>
            Effect.succeed({ baseFeePerGas: ["0x1"], reward: [percentiles.map((each): Hex => `0x${each}`)] })
        }),
        { privateKey: key }
      )
      const fast = yield* account.prepare({ to, amount: 1n, speed: "fast" })
      expect(fast).toMatchObject({
        fee: 21_000n * 0x92n,
        expectedBlocks: 1,
        transaction: { maxPriorityFeePerGas: 0x90n, maxFeePerGas: 0x92n }
      })
      expect(fast.transaction).not.toHaveProperty("expectedBlocks")
      expect(
        yield* account.prepareTransaction({ to, data: "0x01", speed: { percentile: 40 } })
      ).toMatchObject({
        transaction: { maxPriorityFeePerGas: 0x40n }
      })
      const usual = yield* account.prepare({ to, amount: 1n })
      expect(usual.transaction.maxPriorityFeePerGas).toBe(1n)
      expect(usual).not.toHaveProperty("expectedBlocks")
      // its cap is that of any other
      expect(
        yield* Effect.flip(account.prepare({ to, amount: 1n, speed: "fast", maxFee: 1n }))
      ).toMatchObject({
        _tag: "FeeOverCap"
      })
      for (const wrong of [
        { speed: "fastest" },
        { speed: { percentile: 101 } },
        { speed: 7 }
      ] as ReadonlyArray<object>)
        expect(yield* Effect.flip(account.prepareTransaction({ to, data: "0x01", ...wrong }))).toMatchObject({
          _tag: "InvalidArgument",
          message: expect.stringContaining("speed must be slow, normal, fast")
        })
    })
  )

  it.effect("ask once what recent blocks were paid, for their speed and for their cap", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const account = yield* make(
        client("ethereum-mainnet", {
          ...chain(10n ** 18n),
          feeHistory: (...args) =>
            Effect.sync(() => {
              asked.push(args)
              return { baseFeePerGas: ["0x1"], reward: [args[2].map((each): Hex => `0x${each}`)] }
            })
        }),
        { privateKey: key }
      )
      for (const [options, percentiles] of [
        [{}, [50]],
        [{ speed: "fast" }, [10, 50, 90]],
        [{ speed: "normal" }, [10, 50]],
        [{ speed: "slow", maxFee: "0.1" }, [10, 25]]
      ] as const) {
        asked.length = 0
        yield* account.prepare({ to, amount: 1n, ...options })
        expect(asked).toEqual([[20, "latest", percentiles]])
      }
      asked.length = 0
      yield* account.prepare({ to, amount: 1n, maxFee: "0.1" })
      expect(asked).toEqual([])
    })
  )

  it.effect("cost no more than blocks have paid tenfold, or what a payment may cost anyway", () =>
    Effect.gen(function* () {
      const gwei = 10n ** 9n
      const hex = (value: bigint): `0x${string}` => `0x${value.toString(16)}`
      const pricedBy = (base: bigint, history: unknown, payment: object = {}) =>
        Effect.flatMap(
          make(
            client("ethereum-mainnet", {
              ...chain(10n ** 21n),
              getBlockByNumber: () => Effect.succeed({ baseFeePerGas: hex(base) }),
              maxPriorityFeePerGas: () => Effect.succeed(0n),
              // nodes may answer anything
              feeHistory: () => Effect.succeed(history as never)
            }),
            { privateKey: key }
          ),
          (account) => account.prepare({ to, amount: "0.5", ...payment })
        )
      const priced = (base: bigint, recent: bigint, payment: object = {}) =>
        pricedBy(base, { baseFeePerGas: [hex(recent)], reward: [[hex(0n)]] }, payment)
      // twice the base fee is the highest: ten times of 10 gwei, and 50 gwei where all is cheap
      expect((yield* priced(50n * gwei, 10n * gwei)).fee).toBe(21_000n * 100n * gwei)
      expect(yield* Effect.flip(priced(51n * gwei, 10n * gwei))).toMatchObject({
        _tag: "FeeOverCap",
        fee: "0.002142",
        cap: "0.0021",
        message: expect.stringContaining("a maxFee of 0.002142 or more allows it")
      })
      expect((yield* priced(51n * gwei, 10n * gwei, { maxFee: "0.002142" })).fee).toBe(21_000n * 102n * gwei)
      // of several blocks it is the middle, whatever is no price
      const history = {
        baseFeePerGas: [hex(90n * gwei), hex(2n * gwei), "0x5g", hex(gwei)],
        reward: [[hex(8n * gwei)], [hex(0n)], ["x0x1"], [7], "0x1", [hex(0n)], [hex(0n)]]
      }
      expect((yield* pricedBy(50n * gwei, history)).fee).toBe(21_000n * 100n * gwei)
      expect((yield* Effect.flip(pricedBy(51n * gwei, history)))._tag).toBe("FeeOverCap")
      // without a history it is what blocks have: the base fee of the newest
      for (const none of [null, "none", {}, { baseFeePerGas: "0x1", reward: "0x1" }])
        expect((yield* pricedBy(51n * gwei, none)).fee).toBe(21_000n * 102n * gwei)
      expect(yield* pricedBy(gwei, null, { speed: "fast" })).toMatchObject({
        warnings: [],
        transaction: { maxPriorityFeePerGas: 0n }
      })
      expect((yield* priced(25n * gwei, 1n)).fee).toBe(21_000n * 50n * gwei)
      expect((yield* Effect.flip(priced(26n * gwei, 1n)))._tag).toBe("FeeOverCap")
      // whatever blocks say, no gas is dearer
      expect((yield* priced(1_500n * gwei, 10n ** 6n * gwei)).fee).toBe(21_000n * 3_000n * gwei)
      expect((yield* Effect.flip(priced(1_501n * gwei, 10n ** 6n * gwei)))._tag).toBe("FeeOverCap")
      expect((yield* priced(gwei, gwei, { amount: 1n })).warnings).toEqual([
        "The fee is more than what is paid."
      ])
    })
  )

  it.effect("take no gas that cannot be, and no more than is plausible", () =>
    Effect.gen(function* () {
      const estimated = (gas: bigint, payment: object = {}) =>
        Effect.flatMap(
          make(client("ethereum-mainnet", { ...chain(10n ** 21n), estimateGas: () => Effect.succeed(gas) }), {
            privateKey: key
          }),
          (account) => account.prepareTransaction({ to, ...payment })
        )
      for (const gas of [0n, 1n, 20_999n])
        expect(yield* Effect.flip(estimated(gas, { value: 1n }))).toMatchObject({
          _tag: "NodeError",
          kind: "malformed",
          reason: expect.stringContaining("21000")
        })
      // four for a zero, sixteen for another byte, and a new contract
      expect(yield* Effect.flip(estimated(21_019n, { data: "0x0001" }))).toMatchObject({ _tag: "NodeError" })
      expect((yield* estimated(21_020n, { data: "0x0001" })).transaction.gas).toBe(38_120n)
      expect((yield* estimated(85_500n, { data: "0x01" })).transaction.gas).toBe(102_600n)
      expect((yield* estimated(100_000n, { data: "0x01" })).transaction.gas).toBe(120_000n)
      expect(yield* Effect.flip(estimated(53_015n, { data: "0x01", to: undefined }))).toMatchObject({
        _tag: "NodeError"
      })
      // many bytes have a floor of their own (EIP-7623)
      const bytes = 10_000n
      expect(
        (yield* estimated(21_000n + 16n * bytes, { data: `0x${"01".repeat(Number(bytes))}` })).transaction.gas
      ).toBe(21_000n + 40n * bytes)
      expect((yield* estimated(300_000n, { value: 1n })).transaction.gas).toBe(300_000n)
      expect(yield* Effect.flip(estimated(300_001n, { value: 1n }))).toMatchObject({ _tag: "FeeOverCap" })
      expect(yield* Effect.flip(estimated(100_000_000n, { data: "0x01" }))).toMatchObject({
        _tag: "FeeOverCap"
      })
    })
  )

  it.effect("say what may become of a payment", () =>
    Effect.gen(function* () {
      const warned = (code: `0x${string}`, payment: object) =>
        Effect.gen(function* () {
          const account = yield* make(
            client("ethereum-mainnet", { ...withToken, getCode: () => Effect.succeed(code) }),
            { privateKey: key }
          )
          return (yield* account.prepare({ to, amount: "1", ...payment })).warnings
        })
      const contract = "The receiver is a contract, which may not give back what it is sent."
      expect(yield* warned("0x", { amount: "0.5", to: `0x${"0".repeat(40)}` })).toEqual([
        "The receiver is the zero address: what is sent there is gone."
      ])
      expect(yield* warned("0x6000", { amount: "0.5" })).toEqual([contract])
      expect(yield* warned("0x6000", { token: usdc })).toEqual([contract])
      // an account of a person, whose code is only named (EIP-7702)
      expect(yield* warned(`0xef0100${"11".repeat(20)}`, { amount: "0.5" })).toEqual([])
      // in whatever case the contract is written
      for (const token of [usdc, usdc.toLowerCase()])
        expect(yield* warned("0x6000", { to: usdc, token })).toEqual([
          "The receiver is the token's own contract: most of them keep what they are sent."
        ])
      expect(yield* warned("0x", { token: usdc })).toEqual([])
    })
  )

  it.effect("of tokens have what leaves the account, and are refused where the token refuses", () =>
    Effect.gen(function* () {
      const answers = (balance: `0x${string}`, transfer: `0x${string}`) =>
        make(
          client("ethereum-mainnet", {
            ...withToken,
            call: (call) =>
              call.data?.startsWith("0x70a08231")
                ? Effect.succeed(balance)
                : call.data?.startsWith("0xa9059cbb")
                  ? Effect.succeed(transfer)
                  : (withToken.call?.(call) ?? Effect.die("no call"))
          }),
          { privateKey: key }
        )
      const payment = { to, amount: "25", token: usdc }
      const held = `0x${padded(25_000_000n)}` as const
      for (const answer of ["0x", `0x${padded(1n)}`] as const)
        expect(yield* (yield* answers(held, answer)).prepare(payment)).toMatchObject({
          token: usdc,
          amount: 25_000_000n,
          fee: 141_300n,
          outgoing: [
            { asset: usdcId, symbol: "USDC", token: usdc, amount: "25", units: 25_000_000n, decimals: 6 },
            { asset: "ETH", amount: "0.0000000000001413" }
          ]
        })
      expect(yield* Effect.flip((yield* answers(held, `0x${padded(0n)}`)).prepare(payment))).toMatchObject({
        _tag: "InvalidArgument",
        message: "prepare: the token USDC refuses the transfer"
      })
      for (const [balance, available] of [
        ["0x", "0"],
        [`0x${padded(24_999_999n)}`, "24.999999"]
      ] as const)
        expect(yield* Effect.flip((yield* answers(balance, "0x")).prepare(payment))).toMatchObject({
          _tag: "InsufficientFunds",
          address,
          asset: "USDC",
          token: usdc,
          needed: "25",
          available
        })
    })
  )

  it.effect(
    "say the whole fee that an account without coins lacks, for which nodes estimate without a value",
    () =>
      Effect.gen(function* () {
        const held = `0x${padded(25_000_000n)}` as const
        const poor = (estimateGas: EvmCalls["estimateGas"], balance = 0n) =>
          make(
            client("ethereum-mainnet", {
              ...chain(balance),
              estimateGas,
              call: ({ data = "" }) => Effect.succeed(data.startsWith("0x70a08231") ? held : "0x")
            }),
            { privateKey: key }
          )
        const payment = { to, amount: "25", token: usdc }
        const asked: Array<unknown> = []
        const estimating = yield* poor((call) => Effect.succeed(asked.push(call) > 0 ? 30_000n : 0n))
        const error = yield* Effect.flip(estimating.prepare(payment))
        expect(error).toMatchObject({
          _tag: "InsufficientFunds",
          asset: "ETH",
          needed: "0.0000000000001413",
          available: "0"
        })
        expect("token" in error).toBe(false)
        expect(asked).toEqual([{ from: address, to: usdc, data: expect.any(String), value: "0x0" }])
        // a node that does not estimate for it, and a transfer that more coins do not make possible
        const refusing = (message: string, code = -32_000) =>
          Effect.fail(new RpcError({ method: "eth_estimateGas", code, rpcMessage: message, url: "http://a" }))
        expect(
          yield* Effect.flip((yield* poor(() => refusing("insufficient funds"))).prepare(payment))
        ).toMatchObject({ _tag: "InsufficientFunds", asset: "ETH", needed: "0.000000000000063" })
        for (const reverted of [refusing("execution reverted"), refusing("VM error", 3)])
          expect(yield* Effect.flip((yield* poor(() => reverted)).prepare(payment))).toMatchObject({
            _tag: "RpcError"
          })
        expect(
          yield* Effect.flip((yield* poor(() => refusing("busy"), 63_000n)).prepare(payment))
        ).toMatchObject({ _tag: "RpcError" })
      })
  )

  it.effect("ask for what they need at once", () =>
    Effect.gen(function* () {
      const slow = new Proxy(withToken, {
        get: (given, name) => {
          const call: ((...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>) | undefined = Reflect.get(
            given,
            name
          )
          return (
            call &&
            ((...args: ReadonlyArray<unknown>) =>
              Effect.delay(
                Effect.suspend(() => call(...args)),
                1_000
              ))
          )
        }
      })
      const account = yield* make(client("ethereum-mainnet", slow), { privateKey: key })
      // the table of known tokens is loaded once
      const quick = yield* make(client("ethereum-mainnet", withToken), { privateKey: key })
      yield* quick.prepare({ to, amount: "25", token: usdc })
      // the token; its balance; the block and then the tip; the gas; the transfer, tried
      for (const [payment, seconds] of [
        [{ to, amount: "25", token: other }, 6],
        [{ to, amount: "0.5" }, 3]
      ] as const) {
        const fiber = yield* Effect.fork(account.prepare(payment))
        yield* TestClock.adjust(seconds * 1_000 - 1)
        expect(fiber.unsafePoll()).toBeNull()
        yield* TestClock.adjust(1)
        expect(fiber.unsafePoll()?._tag).toBe("Success")
      }
    })
  )

  it.effect("of calls may be free of coins, and make contracts", () =>
    Effect.gen(function* () {
      const account = yield* make(
        client("ethereum-mainnet", {
          ...withToken,
          getTransactionCount: () => Effect.succeed(0n),
          sendRawTransaction: () => Effect.succeed("0x")
        }),
        { privateKey: key }
      )
      for (const value of [undefined, 0n, "0"]) {
        const free = yield* account.prepareTransaction({
          to: usdc,
          data: "0xDEADBEEF",
          ...(value === undefined ? {} : { value })
        })
        expect(free).toMatchObject({ amount: 0n, transaction: { value: 0n, data: "0xDEADBEEF" } })
      }
      // coins alone need no bytes
      const coins = yield* account.prepareTransaction({ to, value: 5n })
      expect(coins).toMatchObject({
        fee: 63_000n,
        outgoing: [{ asset: "ETH", amount: "0.000000000000063005" }]
      })
      expect(coins.transaction).not.toHaveProperty("data")
      // code that begins like the transfer of a token is none
      const code = `0xa9059cbb${padded(to)}${padded(25n)}` as const
      expect((yield* account.prepareTransaction({ data: code })).outgoing).toHaveLength(1)
      const made = yield* account.prepareTransaction({ data: "0xfe" })
      expect(made).toMatchObject({ to: "", warnings: [], outgoing: [{ asset: "ETH" }] })
      expect(made.transaction).not.toHaveProperty("to")
      yield* account.submit(made)
      for (const data of ["01", "0x1", "0x123", "0xzz", "0x01zz", "1 0x01"])
        expect(yield* Effect.flip(account.prepareTransaction({ to, data: data as never }))).toMatchObject({
          _tag: "InvalidArgument",
          message: expect.stringContaining(
            "prepareTransaction: data must be bytes: 0x and an even number of hexadecimal digits"
          )
        })
      for (const none of [{}, { value: 1n }])
        expect(yield* Effect.flip(account.prepareTransaction(none))).toMatchObject({
          message: "prepareTransaction: it has neither a receiver nor the code of a contract"
        })
    })
  )

  it.effect("name what they are given in the wrong form", () =>
    Effect.gen(function* () {
      expect((yield* Effect.flip(prepare({ memo: "7" }))).message).toBe(
        "prepare: payments of EVM chains have no memo"
      )
      expect(yield* Effect.flip(prepare({ to: 7 }))).toMatchObject({
        _tag: "InvalidAddress",
        reason: "must be text"
      })
      const account = yield* make(client("ethereum-mainnet", chain(10n ** 18n)), { privateKey: key })
      const prepared = yield* account.prepare({ to, amount: 5n })
      const { transaction } = prepared
      // as a preview and its transaction are when JSON has written their numbers as text
      for (const text of [{ amount: "5" }, { amount: "5", transaction: { ...transaction, value: "5" } }])
        expect(yield* Effect.flip(account.submit({ ...prepared, ...text } as never))).toMatchObject({
          _tag: "InvalidArgument",
          reason: "its transaction is another one than that of its preview"
        })
    })
  )

  it.effect("tell allowances without end from large ones, and tickets from the numbers of a collection", () =>
    Effect.gen(function* () {
      const letsTake = (calls: Partial<EvmCalls>, amount: bigint) =>
        Effect.gen(function* () {
          const account = yield* make(client("ethereum-mainnet", { ...withToken, ...calls }), {
            privateKey: key
          })
          const data = `0x095ea7b3${padded(to)}${padded(amount)}` as const
          return (yield* account.prepareTransaction({ to: other, data })).warnings[0]
        })
      const name = `eip155:1/erc20:${other}`
      expect(yield* letsTake({}, 2n ** 255n)).toContain(`any amount of ${name}`)
      expect(yield* letsTake({}, 2n ** 255n - 1n)).toContain("up to 578")
      const word = (value: bigint) => Effect.succeed(`0x${padded(value)}` as const)
      // a token without decimals is one all the same, and so is one without a name
      const tickets: Partial<EvmCalls> = {
        call: (call) =>
          call.data?.startsWith("0x313ce567") ? word(0n) : (withToken.call?.(call) ?? word(1n))
      }
      expect(yield* letsTake(tickets, 7n)).toContain(`take up to 7 ${name}.`)
      const nameless: Partial<EvmCalls> = {
        call: ({ data }) => (data?.startsWith("0x313ce567") ? word(6n) : Effect.succeed("0x"))
      }
      expect(yield* letsTake(nameless, 7_000_000n)).toContain(`take up to 7 ${name}.`)
    })
  )
})

describe("sweeps of EVM chains", () => {
  it.effect.each([10n ** 18n, 63_001n + 1_501n, 123_456_789n])(
    "of %d wei pay all without the highest fee",
    (balance) =>
      Effect.gen(function* () {
        const rollup = { ...chain(balance), call: () => Effect.succeed("0x3e9" as const) }
        for (const [network, fee] of [
          ["ethereum-mainnet", 63_000n],
          ["base-mainnet", 63_000n + 1_501n]
        ] as const) {
          const account = yield* make(client(network, rollup), { privateKey: key })
          const all = yield* account.prepare({ to, amount: "all" })
          expect(all).toMatchObject({ amount: balance - fee, fee, transaction: { value: balance - fee } })
          expect(all.outgoing).toEqual([{ asset: "ETH", amount: Units.format(balance, 18) }])
          expect(all.warnings[0]).toMatch(/^What the payment costs less than .* ETH stays in the account\.$/)
          expect((yield* account.prepare({ to, amount: all.amount })).transaction).toEqual(all.transaction)
          expect(yield* Effect.flip(account.prepare({ to, amount: all.amount + 1n }))).toMatchObject({
            _tag: "InsufficientFunds"
          })
        }
      })
  )

  it.effect("are refused where the fee takes it all, and where it is above the cap", () =>
    Effect.gen(function* () {
      const poor = yield* make(client("ethereum-mainnet", chain(63_000n)), { privateKey: key })
      expect(yield* Effect.flip(poor.prepare({ to, amount: "all" }))).toMatchObject({
        _tag: "InsufficientFunds"
      })
      const account = yield* make(client("ethereum-mainnet", chain(10n ** 18n)), { privateKey: key })
      expect(yield* Effect.flip(account.prepare({ to, amount: "all", maxFee: 62_999n }))).toMatchObject({
        _tag: "FeeOverCap"
      })
      expect(yield* Effect.flip(account.prepareTransaction({ to, value: "all" }))).toMatchObject({
        _tag: "InvalidAmount"
      })
    })
  )
})
