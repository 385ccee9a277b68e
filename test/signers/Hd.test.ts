// @covers hd on bitcoinjs-lib: bitcoin
import { describe, expect, it } from "@effect/vitest"
import { HDKey } from "@scure/bip32"
import { mnemonicToSeedSync } from "@scure/bip39"
import { Verifier } from "bip322-js"
import { initEccLib, Psbt, payments } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as ecc from "tiny-secp256k1"
import type { Network } from "../../src/data/Network.js"
import { NodeError, NotSupportedForNetwork } from "../../src/data/SdkError.js"
import {
  type AddressType,
  type BitcoinCalls,
  type FoundAddress,
  type HdClient,
  type HdFrom,
  hdSigner,
  make,
  scriptOf,
  type Utxo,
  type WatchFrom,
  watchHdAccount
} from "../../src/signers/Bitcoin.js"
import { checksumOf, stripChecksum } from "../../src/signers/bitcoin/descriptor.js"
import { readAddresses, type ScanContext } from "../../src/signers/bitcoin/hd.js"
import { simulate } from "../../src/signers/simulate.js"
import { makeChain } from "./utxos.js"

initEccLib(ecc)

const words = `${"abandon ".repeat(11)}about`
const root = HDKey.fromMasterSeed(mnemonicToSeedSync(words))
const to = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"

const toScript = (address: string, network = "bitcoin-mainnet") =>
  Buffer.from(scriptOf(address, network) ?? "", "hex")

const types = ["p2wpkh", "p2pkh", "p2tr", "p2sh-p2wpkh"] as const
const purposes = { p2wpkh: 84, p2pkh: 44, p2tr: 86, "p2sh-p2wpkh": 49 }

/** An address by bitcoinjs-lib. */
const addressBy = (type: AddressType, path: string): string => {
  const pubkey = root.derive(`m/${purposes[type]}'/0'/0'/${path}`).publicKey ?? new Uint8Array()
  const made = {
    p2wpkh: () => payments.p2wpkh({ pubkey }),
    p2pkh: () => payments.p2pkh({ pubkey }),
    p2tr: () => payments.p2tr({ internalPubkey: pubkey.subarray(1) }),
    "p2sh-p2wpkh": () => payments.p2sh({ redeem: payments.p2wpkh({ pubkey }) })
  }[type]()
  return made.address ?? ""
}

const noNode = {} as BitcoinCalls

type Find = (address: string) => Promise<ReadonlyArray<Utxo>> | ReadonlyArray<Utxo>

/** A source of one's own, by what it says of one address. */
const source = (utxos: Find, isUsed: (address: string) => boolean = () => false) => ({
  findAddresses: async (addresses: ReadonlyArray<string>) => {
    const found: Array<FoundAddress> = []
    for (const address of addresses)
      found.push({ address, utxos: await utxos(address), isUsed: isUsed(address) })
    return found
  }
})

const nothing = source(() => [])

const watch = (from: object, network: Network = "bitcoin-mainnet") =>
  watchHdAccount({ network, rpc: noNode }, { ...nothing, ...from } as unknown as WatchFrom)

/** The first addresses that an account gives. */
const firstOf = (from: object, network?: Network) =>
  Effect.gen(function* () {
    const account = yield* watch(from, network)
    const second = yield* account.addressAt(1)
    const change = yield* account.addressAt(0, { isChange: true })
    return [account.address, second.address, change.address]
  })

const zpub =
  "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs"
const taprootXpub =
  "xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ"

const bip84 = [
  "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
  "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g",
  "bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el"
]
const bip86 = [
  "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
  "bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh",
  "bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7"
]

describe("addresses of extended keys", () => {
  it.effect("are the vectors of BIP-84, BIP-86 and BIP-49", () =>
    Effect.gen(function* () {
      expect(yield* firstOf({ extendedKey: zpub })).toEqual(bip84)
      expect(yield* firstOf({ extendedKey: taprootXpub, type: "p2tr" })).toEqual(bip86)
      const nested = yield* hdSigner({ network: "bitcoin-testnet", rpc: noNode }, {
        ...nothing,
        extendedKey:
          "tprv8gRrNu65W2Msef2BdBSUgFdRTGzC8EwVXnV7UGS3faeXtuMVtGfEdidVeGbThs4ELEoayCAzZQ4uUji9DUiAs7erdVskqju7hrBcDvDsdbY",
        type: "p2sh-p2wpkh"
      } as HdFrom)
      expect(nested.address).toBe("2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2")
    })
  )

  it.effect("are those of bitcoinjs-lib, from words and from each form of their key", () =>
    Effect.gen(function* () {
      for (const type of types) {
        const expected = ["0/0", "0/1", "1/0"].map((path) => addressBy(type, path))
        const signer = yield* hdSigner({ network: "bitcoin-mainnet", rpc: noNode }, {
          ...nothing,
          mnemonic: words,
          type
        } as HdFrom)
        const { publicExtendedKey } = root.derive(`m/${purposes[type]}'/0'/0'`)
        expect(signer.extendedKey).toBe(publicExtendedKey)
        expect(signer.address).toBe(expected[0])
        expect(yield* firstOf({ extendedKey: publicExtendedKey, type })).toEqual(expected)
        expect(yield* firstOf({ descriptor: signer.descriptor })).toEqual(expected)
        expect((yield* watch({ descriptor: signer.descriptor })).descriptor).toBe(signer.descriptor)
      }
    })
  )

  it.effect("are read in the prefixes of each chain", () =>
    Effect.gen(function* () {
      const keys = [
        [
          "litecoin-mainnet",
          { public: 0x019da462, private: 0x019d9cfe },
          "m/44'/2'/0'",
          "p2pkh",
          { type: "p2pkh" }
        ],
        ["litecoin-mainnet", { public: 0x01b26ef6, private: 0x01b26792 }, "m/49'/2'/0'", "p2sh-p2wpkh", {}],
        ["litecoin-mainnet", { public: 0x04b24746, private: 0x04b2430c }, "m/84'/2'/0'", "p2wpkh", {}],
        ["doge-mainnet", { public: 0x02facafd, private: 0x02fac398 }, "m/44'/3'/0'", "p2pkh", {}],
        ["bitcoin-testnet", { public: 0x045f1cf6, private: 0x045f18bc }, "m/84'/1'/0'", "p2wpkh", {}],
        ["bitcoin-testnet", { public: 0x044a5262, private: 0x044a4e28 }, "m/49'/1'/0'", "p2sh-p2wpkh", {}],
        ["bitcoin-cash-mainnet", { public: 0x0488b21e, private: 0x0488ade4 }, "m/44'/145'/0'", "p2pkh", {}]
      ] as const
      const names = ["Ltub", "Mtub", "zpub", "dgub", "vpub", "upub", "xpub"]
      for (const [at, [network, versions, path, type, given]] of keys.entries()) {
        const node = HDKey.fromMasterSeed(mnemonicToSeedSync(words), versions).derive(path)
        expect(node.publicExtendedKey.slice(0, 4)).toBe(names[at])
        const mine = yield* hdSigner({ network, rpc: noNode }, {
          ...nothing,
          mnemonic: words,
          type
        } as HdFrom)
        expect((yield* watch({ extendedKey: node.publicExtendedKey, ...given }, network)).address).toBe(
          mine.address
        )
        const own = { ...nothing, ...given, extendedKey: node.privateExtendedKey } as HdFrom
        expect((yield* hdSigner({ network, rpc: noNode }, own)).address).toBe(mine.address)
      }
    })
  )

  it.effect("of a root key are those of the account with its number", () =>
    Effect.gen(function* () {
      const client = { network: "bitcoin-mainnet", rpc: noNode }
      const fromRoot = yield* hdSigner(client, {
        ...nothing,
        extendedKey: root.privateExtendedKey,
        type: "p2wpkh",
        account: 2
      } as HdFrom)
      const fromWords = yield* hdSigner(client, { ...nothing, mnemonic: words, account: 2 } as HdFrom)
      expect(fromRoot.descriptor).toBe(fromWords.descriptor)
      expect(fromRoot.descriptor).toContain("[73c5da0a/84h/0h/2h]")
    })
  )
})

const described = (inner: string, wrapper = "wpkh"): string => {
  const text = `${wrapper}(${inner})`
  return `${text}#${checksumOf(text)}`
}
const origin = "[73c5da0a/84'/0'/0']"
const xpub = root.derive("m/84'/0'/0'").publicExtendedKey

describe("descriptors", () => {
  it("have the checksum of BIP-380's vectors", () => {
    expect(checksumOf("raw(deadbeef)")).toBe("89f8spxm")
    for (const wrong of [
      "raw(deadbeef)#",
      "raw(deadbeef)#89f8spxmx",
      "raw(deadbeef)#89f8spxm#",
      "raw(deadbeef)#89f8spx",
      "raw(deedbeef)#89f8spxm",
      "raw(deadbeef)##9f8spxm"
    ])
      expect(() => stripChecksum(wrong)).toThrow("its checksum is wrong")
    expect(() => stripChecksum("raw(Ü)#00000000")).toThrow("its character 5 is none that descriptors have")
  })

  it("with one other character are never taken", () =>
    fc.assert(
      fc.property(
        fc.nat({ max: described(`${origin}${xpub}/<0;1>/*`).length - 1 }),
        fc.constantFrom(..."0123456789abcdefgh'/()[]*;<>"),
        (at, character) => {
          const text = described(`${origin}${xpub}/<0;1>/*`)
          fc.pre(text[at] !== character && text[at] !== "#")
          expect(() => stripChecksum(text.slice(0, at) + character + text.slice(at + 1))).toThrow()
        }
      )
    ))

  it.effect("are taken in one or in two parts, with either mark of hardened steps", () =>
    Effect.gen(function* () {
      const forms = [
        described(`${origin}${xpub}/<0;1>/*`),
        described(`${origin.replaceAll("'", "h")}${xpub}/<0;1>/*`),
        `wpkh(${origin}${xpub}/<0;1>/*)`,
        `wpkh(${xpub}/<0;1>/*)`,
        [described(`${origin}${xpub}/0/*`), described(`${origin}${xpub}/1/*`)]
      ]
      for (const descriptor of forms) expect(yield* firstOf({ descriptor })).toEqual(bip84)
      const other = yield* watch({ descriptor: `wpkh(${xpub}/<4;7>/*)` })
      expect(other.address).toBe(addressBy("p2wpkh", "4/0"))
      expect(yield* other.addressAt(3, { isChange: true })).toEqual({
        path: "7/3",
        address: addressBy("p2wpkh", "7/3")
      })
    })
  )

  const priv = root.derive("m/84'/0'/0'").privateExtendedKey
  const refusals: ReadonlyArray<readonly [string, object, string]> = [
    ["another checksum", { descriptor: `wpkh(${xpub}/<0;1>/*)#qqqqqqqq` }, "its checksum is wrong"],
    ["no branch for change", { descriptor: `wpkh(${xpub}/0/*)` }, "it has no addresses for change"],
    ["no place for an index", { descriptor: `wpkh(${xpub}/<0;1>)` }, "followed by /<0;1>/*"],
    ["hardened steps", { descriptor: `wpkh(${xpub}/<0;1>/*h)` }, "followed by /<0;1>/*"],
    ["a private key", { descriptor: `wpkh(${priv}/<0;1>/*)` }, "it has a private key"],
    [
      "several keys",
      { descriptor: `wsh(multi(1,${xpub}/<0;1>/*))` },
      "it must be one of wpkh(key), pkh(key)"
    ],
    ["two accounts", { descriptor: [`wpkh(${xpub}/0/*)`, `pkh(${xpub}/1/*)`] }, "of one key and one type"],
    [
      "the same part twice",
      { descriptor: [`wpkh(${xpub}/0/*)`, `wpkh(${xpub}/0/*)`] },
      "other addresses each"
    ],
    ["three parts", { descriptor: ["a", "b", "c"] }, "the descriptor cannot be used"],
    ["a number", { descriptor: 7 }, "a descriptor is text"],
    [
      "a number that no path has",
      { descriptor: `wpkh(${xpub}/<0;2147483648>/*)` },
      "the highest number in a path"
    ],
    ["a key that says no type", { extendedKey: xpub }, "type must be p2wpkh or p2pkh or p2tr or p2sh-p2wpkh"],
    [
      "a type that its prefix denies",
      { extendedKey: zpub, type: "p2tr" },
      "its prefix is that of addresses of p2wpkh"
    ],
    ["a mistyped key", { extendedKey: zpub.replace("AijB", "AijC") }, "it is no extended key"],
    [
      "a key of a test network",
      { extendedKey: root.derive("m/84'").publicExtendedKey.replace("x", "t") },
      "it is no extended key"
    ],
    ["a private key to watch", { extendedKey: priv, type: "p2wpkh" }, "it is private"],
    ["a public root key", { extendedKey: root.publicExtendedKey, type: "p2wpkh" }, "it is a root key"],
    ["nothing", {}, "say which account it is"],
    ["a type that is none", { extendedKey: xpub, type: "p2sh" }, "type must be p2wpkh"]
  ]
  it.effect.each(refusals.map(([name, from, reason]) => ({ name, from, reason })))(
    "are refused with $name",
    ({ from, reason }) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(watch(from))
        expect(error).toMatchObject({ _tag: "InvalidKey", reason: expect.stringContaining(reason) })
        expect(JSON.stringify(error)).not.toContain(priv)
      })
  )

  it.effect("and keys of another chain are refused by the name of their prefix", () =>
    Effect.gen(function* () {
      const ltub = HDKey.fromMasterSeed(mnemonicToSeedSync(words), {
        public: 0x019da462,
        private: 0x019d9cfe
      })
      const error = yield* Effect.flip(
        watch({ extendedKey: ltub.derive("m/44'/2'/0'").publicExtendedKey, type: "p2pkh" })
      )
      expect(error.message).toContain("one that begins with Ltub")
      const tpub = HDKey.fromMasterSeed(mnemonicToSeedSync(words), {
        public: 0x043587cf,
        private: 0x04358394
      })
      for (const [node, network, name] of [
        [tpub, "bitcoin-mainnet", "tpub"],
        [root, "bitcoin-testnet", "xpub"]
      ] as const)
        expect(
          yield* Effect.flip(
            watch({ extendedKey: node.derive("m/84'/0'/0'").publicExtendedKey, type: "p2wpkh" }, network)
          )
        ).toMatchObject({
          _tag: "InvalidKey",
          reason: expect.stringContaining(`one that begins with ${name}`)
        })
      expect(yield* Effect.flip(watch({ extendedKey: zpub }, "doge-mainnet"))).toMatchObject({
        _tag: "InvalidKey"
      })
      const client = { network: "bitcoin-mainnet", rpc: noNode }
      expect(yield* Effect.flip(hdSigner(client, { ...nothing, extendedKey: zpub } as HdFrom))).toMatchObject(
        {
          _tag: "InvalidKey",
          reason: expect.stringContaining("it is public")
        }
      )
    })
  )
})

/** An account over a chain that knows all outputs, and which addresses were ever paid. */
const account = (type: AddressType = "p2wpkh", options: object = {}) =>
  Effect.gen(function* () {
    const chain = makeChain(0.00001)
    const signer = yield* hdSigner({ network: "bitcoin-mainnet", rpc: chain.rpc }, {
      mnemonic: words,
      type,
      ...source(
        (address) => chain.listedWithWaiting(toScript(address)),
        (address) => chain.wasPaid(toScript(address))
      ),
      ...options
    } as HdFrom)
    const scriptAt = (path: string) => toScript(addressBy(type, path))
    return { chain, signer, scriptAt }
  })

describe("a scan", () => {
  it.effect("of a new account finds nothing, and its first addresses", () =>
    Effect.gen(function* () {
      const { signer } = yield* account()
      expect(yield* signer.scan()).toEqual({
        balance: { confirmed: 0n, unconfirmed: 0n },
        utxos: [],
        used: [],
        receive: { path: "0/0", address: bip84[0] },
        change: { path: "1/0", address: bip84[2] }
      })
    })
  )

  it.effect("goes on as long as the gap is no longer than its limit", () =>
    Effect.gen(function* () {
      const { chain, scriptAt, signer } = yield* account()
      chain.fund(scriptAt("0/19"), 1_000n)
      chain.fund(scriptAt("0/39"), 20_000n)
      chain.fund(scriptAt("1/3"), 300_000n)
      chain.fund(scriptAt("0/60"), 4_000_000n)
      const found = yield* signer.scan()
      expect(found.balance).toEqual({ confirmed: 321_000n, unconfirmed: 0n })
      expect(found.used.map(({ path }) => path)).toEqual(["0/19", "0/39", "1/3"])
      expect(found.receive).toEqual({ path: "0/40", address: addressBy("p2wpkh", "0/40") })
      expect(found.change.path).toBe("1/4")
      expect(found.utxos.map(({ address, amount, path }) => [path, address, amount])).toEqual([
        ["0/19", addressBy("p2wpkh", "0/19"), 1_000n],
        ["0/39", addressBy("p2wpkh", "0/39"), 20_000n],
        ["1/3", addressBy("p2wpkh", "1/3"), 300_000n]
      ])
      const wider = yield* hdSigner({ network: "bitcoin-mainnet", rpc: chain.rpc }, {
        mnemonic: words,
        gapLimit: 21,
        ...source((address) => chain.listed(toScript(address)))
      } as HdFrom)
      expect((yield* wider.scan()).balance.confirmed).toBe(4_321_000n)
    })
  )

  it.effect("counts what waits for a block apart, and addresses whose coins are spent as used", () =>
    Effect.gen(function* () {
      const { chain, scriptAt, signer } = yield* account()
      chain.steal(chain.fund(scriptAt("0/5"), 1_000n))
      chain.fund(scriptAt("0/2"), 700n, { confirmations: 0 })
      chain.fund(scriptAt("0/2"), 50_000n)
      const { balance, receive, used, utxos } = yield* signer.scan()
      expect(balance).toEqual({ confirmed: 50_000n, unconfirmed: 700n })
      expect(used.map(({ path }) => path)).toEqual(["0/2", "0/5"])
      expect(receive.path).toBe("0/6")
      expect(utxos.map(({ isConfirmed }) => isConfirmed)).toEqual([false, true])
    })
  )

  it.effect("counts a new coin once it can be spent", () =>
    Effect.gen(function* () {
      const { chain, scriptAt, signer } = yield* account()
      chain.fund(scriptAt("0/0"), 50_000n, { coinbase: true, confirmations: 99 })
      chain.fund(scriptAt("0/1"), 7_000n, { coinbase: true, confirmations: 100 })
      chain.fund(scriptAt("0/2"), 600n, { confirmations: 1 })
      expect((yield* signer.scan()).balance).toEqual({ confirmed: 7_600n, unconfirmed: 50_000n })
    })
  )

  it.effect("believes nodes about outputs, and not the list", () =>
    Effect.gen(function* () {
      const chain = makeChain(0.00001)
      const own = chain.fund(toScript(addressBy("p2wpkh", "0/0")), 1_000n)
      const foreign = chain.fund(toScript(to), 500_000n)
      const lies = [{ ...own, amount: 9_000_000n }, foreign, { txid: "ab".repeat(32), vout: 0, amount: 1n }]
      const signer = yield* hdSigner({ network: "bitcoin-mainnet", rpc: chain.rpc }, {
        mnemonic: words,
        ...source((address) => (address === bip84[0] ? lies : []))
      } as HdFrom)
      const { balance, utxos } = yield* signer.scan()
      expect(balance).toEqual({ confirmed: 1_000n, unconfirmed: 0n })
      expect(utxos).toHaveLength(1)
    })
  )

  it.effect("fails if one address cannot be read, and never takes it for empty", () =>
    Effect.gen(function* () {
      const third = addressBy("p2wpkh", "1/7")
      const refusals: ReadonlyArray<readonly [(address: string) => unknown, string]> = [
        [() => Promise.reject(new Error("the index is down")), "the index is down"],
        [() => [], `it must yield { address, isUsed, utxos } for ${third}`],
        [(address) => [{ address, utxos: [] }], `for ${third}`],
        [(address) => [{ address, isUsed: "no", utxos: [] }], `for ${third}`],
        [(address) => [{ address, isUsed: true }], "unspent outputs must be a list"],
        [(address) => [{ address, isUsed: true, utxos: [{ txid: "ab" }] }], "unspent outputs must be a list"]
      ]
      for (const [answer, reason] of refusals) {
        const { signer } = yield* account("p2wpkh", {
          findAddresses: async (addresses: ReadonlyArray<string>) => {
            const good = addresses.map((address) =>
              address === third ? answer(address) : [{ address, isUsed: false, utxos: [] }]
            )
            return (await Promise.all(good)).flat()
          }
        })
        expect(yield* Effect.flip(signer.scan())).toMatchObject({
          _tag: "InvalidArgument",
          reason: expect.stringContaining(reason)
        })
      }
      const { signer: none } = yield* account("p2wpkh", { findAddresses: () => "no list" })
      expect(yield* Effect.flip(none.scan())).toMatchObject({ _tag: "InvalidArgument" })
      const { chain, scriptAt, signer: last } = yield* account()
      chain.fund(scriptAt("0/0"), 1_000n)
      const down = {
        ...chain.rpc,
        getTxOut: () =>
          Effect.fail(new NodeError({ url: "", call: "gettxout", kind: "connect", reason: "reset" }))
      }
      const blind = yield* hdSigner({ network: "bitcoin-mainnet", rpc: down }, {
        mnemonic: words,
        ...source((address) => chain.listed(toScript(address)))
      } as HdFrom)
      expect(yield* Effect.flip(blind.scan())).toMatchObject({ _tag: "NodeError" })
      expect((yield* last.scan()).balance.confirmed).toBe(1_000n)
    })
  )

  it.effect("ends where a list says that every address is used", () =>
    Effect.gen(function* () {
      const branches = [0, 1] as const
      // keys without their derivation, which takes a millisecond for each
      const context = {
        gapLimit: 1_000,
        branches,
        keyAt: ({ path }: { readonly path?: string }) => ({ address: path }),
        readStates: (places: ReadonlyArray<object>) =>
          Effect.succeed(places.map((place) => ({ ...place, isUsed: true, listed: [] })))
      } as unknown as ScanContext
      expect(yield* Effect.flip(readAddresses(context))).toMatchObject({
        reason: "it has more than 10000 addresses of one kind"
      })
    })
  )

  it.effect("takes a source, and a gap limit that is one", () =>
    Effect.gen(function* () {
      const client = { network: "bitcoin-mainnet", rpc: noNode }
      for (const [given, reason] of [
        [{}, "findAddresses is needed"],
        ...[0, 1.5, 1_001, "20"].map((gapLimit) => [{ ...nothing, gapLimit }, "gapLimit must be"] as const)
      ] as const)
        expect(
          yield* Effect.flip(watchHdAccount(client, { extendedKey: zpub, ...given } as WatchFrom))
        ).toMatchObject({
          _tag: "InvalidArgument",
          reason: expect.stringContaining(reason)
        })
      const { signer } = yield* account()
      for (const index of [-1, 1.5, 2 ** 31])
        expect(yield* Effect.flip(signer.addressAt(index))).toMatchObject({ _tag: "InvalidArgument" })
    })
  )
})

type Row = {
  readonly address: string
  readonly balance: string
  readonly incoming?: string
  readonly incomingPending?: string
}

/** A client with the data API: rows of balances by address, and outputs. */
const dataClient = (chain: ReturnType<typeof makeChain>, rows: (address: string) => Row | undefined) => {
  const requests: Array<ReadonlyArray<string>> = []
  const listings: Array<string> = []
  const client: HdClient = {
    network: "bitcoin-mainnet",
    rpc: chain.rpc,
    data: {
      getUtxosByAddress: ({ address }) =>
        Effect.sync(() => {
          listings.push(address)
          return chain.listed(toScript(address)).map(({ amount, txid, vout }) => ({
            txHash: txid,
            index: vout,
            value: (Number(amount) / 1e8).toFixed(8)
          }))
        }),
      blockchains: {
        getBalanceBatch: ({ addresses }) =>
          Effect.sync(() => {
            requests.push(addresses)
            return addresses.flatMap((address) => rows(address) ?? [])
          })
      }
    }
  }
  return { client, requests, listings }
}

describe("a scan by the data API", () => {
  it.effect("asks for whole windows of balances, and for the outputs of addresses that have some", () =>
    Effect.gen(function* () {
      const chain = makeChain(0.00001)
      const [spent, rich, coming] = ["0/1", "0/2", "1/0"].map((path) => addressBy("p2wpkh", path))
      chain.fund(toScript(rich ?? ""), 25_000n)
      const { client, listings, requests } = dataClient(chain, (address) => ({
        address,
        balance: address === rich ? "0.00025" : "0",
        incoming: address === rich || address === spent ? "0.00025" : "0",
        ...(address === coming ? { incomingPending: "0.00000007" } : {})
      }))
      const watched = yield* watchHdAccount(client, { extendedKey: zpub })
      const found = yield* watched.scan()
      expect(found.balance).toEqual({ confirmed: 25_000n, unconfirmed: 7n })
      expect(found.used.map(({ path }) => path)).toEqual(["0/1", "0/2", "1/0"])
      expect([found.receive.path, found.change.path]).toEqual(["0/3", "1/1"])
      expect(requests.map(({ length }) => length)).toEqual([40, 4])
      expect([...listings].sort()).toEqual([rich, coming].sort())
    })
  )

  it.effect("fails if it does not say of an address whether it was paid", () =>
    Effect.gen(function* () {
      const third = addressBy("p2wpkh", "0/3")
      const good = (address: string): Row => ({ address, balance: "0", incoming: "0" })
      for (const bad of [
        undefined,
        { address: third, balance: "0" },
        { address: third, balance: "x", incoming: "0" }
      ]) {
        const { client } = dataClient(makeChain(), (address) => (address === third ? bad : good(address)))
        const watched = yield* watchHdAccount(client, { extendedKey: zpub })
        expect(yield* Effect.flip(watched.scan())).toMatchObject({
          _tag: "NodeError",
          kind: "malformed",
          reason: expect.stringContaining(third)
        })
      }
      const { client } = dataClient(makeChain(), good)
      const refused: HdClient = {
        ...client,
        data: {
          getUtxosByAddress: () => Effect.succeed([]),
          blockchains: {
            getBalanceBatch: () =>
              Effect.fail(
                new NotSupportedForNetwork({ network: "bitcoin-mainnet", feature: "data", networks: [] })
              )
          }
        }
      }
      const watched = yield* watchHdAccount(refused, { extendedKey: zpub })
      expect(yield* Effect.flip(watched.scan())).toMatchObject({
        reason: expect.stringContaining("findAddresses is needed")
      })
    })
  )
})

describe("payments of an account with many addresses", () => {
  it.effect("pay for their size, whatever the type of its addresses is", () =>
    Effect.gen(function* () {
      for (const type of types) {
        const { chain, scriptAt, signer } = yield* account(type)
        for (const index of [0, 1, 2, 3, 4]) chain.fund(scriptAt(`0/${index}`), 30_000n)
        const { prepared } = yield* signer.send({ to, amount: 130_000n })
        const size = chain.sent[0]?.virtualSize() ?? 0
        // signatures of ECDSA may be a byte or two shorter than they are thought to be
        expect(Number(prepared.fee) - size).toBeGreaterThanOrEqual(0)
        expect(Number(prepared.fee) - size).toBeLessThanOrEqual(10)
      }
    })
  )

  it.effect("of one key in a script hash, and its messages, are those of bitcoinjs-lib", () =>
    Effect.gen(function* () {
      const chain = makeChain(0.00001)
      const nested = yield* make(
        { network: "bitcoin-mainnet", rpc: chain.rpc },
        { mnemonic: words, path: "m/49'/0'/0'/0/0", utxos: (address) => chain.listed(toScript(address)) }
      )
      expect(nested.address).toBe(addressBy("p2sh-p2wpkh", "0/0"))
      chain.fund(toScript(nested.address), 30_000n)
      yield* nested.send({ to, amount: 5_000n })
      expect(chain.sent).toHaveLength(1)
      const signature = yield* nested.signMessage("hello")
      expect(Verifier.verifySignature(nested.address, "hello", signature)).toBe(true)
      expect(yield* Effect.flip(nested.signMessage("hello", { format: "bip322" }))).toMatchObject({
        reason: "format must be bip137 for p2sh-p2wpkh"
      })
    })
  )

  it.effect("spend coins of several addresses, and change goes to a new one each time", () =>
    Effect.gen(function* () {
      for (const type of types) {
        const { chain, scriptAt, signer } = yield* account(type)
        for (const path of ["0/0", "0/7", "1/2"]) chain.fund(scriptAt(path), 30_000n)
        const { prepared } = yield* signer.send({ to, amount: 80_000n })
        expect(prepared.transaction.inputs.map(({ path }) => path).sort()).toEqual(["0/0", "0/7", "1/2"])
        expect(prepared.transaction.outputs[1]).toMatchObject({
          path: "1/3",
          address: addressBy(type, "1/3")
        })
        expect(prepared.from).toBe(addressBy(type, "0/0"))
        expect(chain.sent[0]?.ins).toHaveLength(3)
        expect(chain.sent[0]?.outs.map(({ script }) => Buffer.from(script).toString("hex"))).toEqual(
          [to, addressBy(type, "1/3")].map((address) => toScript(address).toString("hex"))
        )
        // the change is spent before a block has it, and the list does not show its address yet
        chain.mine()
        const next = yield* signer.send({ to, amount: 2_000n })
        expect(next.prepared.transaction.inputs).toMatchObject([{ path: "1/3" }])
        expect(next.prepared.transaction.outputs[1]?.path).toBe("1/4")
        expect(chain.sent).toHaveLength(2)
      }
    })
  )

  it.effect("use a new address for change even while lists are late", () =>
    Effect.gen(function* () {
      const late = makeChain(0.00001)
      const signer = yield* hdSigner({ network: "bitcoin-mainnet", rpc: late.rpc }, {
        mnemonic: words,
        ...source((address) => late.listed(toScript(address)))
      } as HdFrom)
      late.fund(toScript(addressBy("p2wpkh", "0/0")), 100_000n)
      const first = yield* signer.send({ to, amount: 10_000n })
      const second = yield* signer.send({ to, amount: 10_000n })
      expect(second.prepared.transaction.inputs).toMatchObject([{ txid: first.hash, path: "1/0" }])
      expect(second.prepared.transaction.outputs[1]?.path).toBe("1/1")
    })
  )

  it.effect("sweep all addresses, and leave alone what no block has", () =>
    Effect.gen(function* () {
      const { chain, scriptAt, signer } = yield* account()
      for (const path of ["0/0", "0/9", "1/4"]) chain.fund(scriptAt(path), 30_000n)
      chain.fund(scriptAt("0/1"), 70_000n, { confirmations: 0 })
      const { prepared } = yield* signer.send({ to, amount: "all" })
      expect(prepared.amount + prepared.fee).toBe(90_000n)
      expect(prepared.transaction.inputs.map(({ path }) => path).sort()).toEqual(["0/0", "0/9", "1/4"])
      expect(chain.sent[0]?.outs).toHaveLength(1)
      expect(yield* Effect.flip(signer.send({ to, amount: "all" }))).toMatchObject({
        _tag: "InsufficientFunds"
      })
    })
  )

  it.effect("name outputs as a scan lists them, and sweep them", () =>
    Effect.gen(function* () {
      const { chain, scriptAt, signer } = yield* account()
      const { txid, vout } = chain.fund(scriptAt("0/3"), 40_000n)
      const other = chain.fund(scriptAt("1/1"), 30_000n)
      chain.fund(scriptAt("0/0"), 900_000n)
      const { utxos } = yield* signer.scan()
      const own = utxos.filter(({ amount }) => amount < 900_000n)
      const swept = yield* signer.prepare({
        to,
        amount: "all",
        utxos: [{ txid, vout }, ...own.filter((each) => each.txid === other.txid)]
      })
      expect(swept.amount + swept.fee).toBe(70_000n)
      yield* signer.submit(swept)
      expect(chain.sent[0]?.ins).toHaveLength(2)
      const foreign = chain.fund(toScript(to), 50_000n)
      expect(yield* Effect.flip(signer.prepare({ to, amount: 1_000n, utxos: [foreign] }))).toMatchObject({
        reason: expect.stringContaining("is one of another address")
      })
      expect(yield* Effect.flip(signer.prepare({ to, amount: 1_000n, utxos: [7] as never }))).toMatchObject({
        reason: "utxos is a list of { txid, vout }, with at least one"
      })
    })
  )

  it.effect("are refused if their change or their paths are not the account's", () =>
    Effect.gen(function* () {
      const { chain, scriptAt, signer } = yield* account()
      chain.fund(scriptAt("0/0"), 100_000n)
      const prepared = yield* signer.prepare({ to, amount: 10_000n })
      const { outputs, inputs } = prepared.transaction
      const [paid, change] = outputs
      if (paid === undefined || change === undefined) throw new Error("there is change")
      for (const transaction of [
        { ...prepared.transaction, outputs: [paid, { ...change, address: bip84[1] ?? "" }] },
        { ...prepared.transaction, outputs: [paid, { ...change, address: to }] },
        { ...prepared.transaction, outputs: [paid, { ...change, path: "1/9" }] },
        { ...prepared.transaction, outputs: [paid, { ...change, path: "2/0" }] },
        { ...prepared.transaction, inputs: inputs.map((input) => ({ ...input, path: "0/0/0" })) },
        { ...prepared.transaction, inputs: inputs.map((input) => ({ ...input, path: "0/2147483648" })) }
      ])
        expect(yield* Effect.flip(signer.submit({ ...prepared, transaction }))).toMatchObject({
          _tag: "InvalidArgument"
        })
      expect(
        yield* Effect.flip(
          signer.sign({ ...prepared.transaction, inputs: inputs.map((input) => ({ ...input, path: "5/0" })) })
        )
      ).toMatchObject({ reason: "the account has no address at the path 5/0" })
      expect(chain.sent).toHaveLength(0)
    })
  )

  it.effect("are prepared by who watches, and signed as a PSBT by who has the words", () =>
    Effect.gen(function* () {
      for (const type of types) {
        const { chain, scriptAt, signer } = yield* account(type)
        for (const path of ["0/4", "1/2"]) chain.fund(scriptAt(path), 30_000n)
        const watched = yield* watchHdAccount({ network: "bitcoin-mainnet", rpc: chain.rpc }, {
          descriptor: signer.descriptor,
          ...source((address) => chain.listed(toScript(address)))
        } as WatchFrom)
        const prepared = yield* watched.prepare({ to, amount: 50_000n })
        const psbt = yield* watched.exportPsbt(prepared)
        // bitcoinjs-lib finds each key at the path that the transaction names
        const { data } = Psbt.fromBase64(psbt)
        const account0 = `m/${purposes[type]}'/0'/0'`
        const origins = [...data.inputs, ...data.outputs].flatMap(
          ({ bip32Derivation = [], tapBip32Derivation = [] }) => [...bip32Derivation, ...tapBip32Derivation]
        )
        expect(
          yield* Effect.flip(simulate({ network: "bitcoin-mainnet", rpc: chain.rpc }, prepared))
        ).toMatchObject({
          reason: expect.stringContaining("it spends coins of several addresses")
        })
        expect(origins.map(({ path }) => path).sort()).toEqual(
          ["0/4", "1/2", "1/3"].map((path) => `${account0}/${path}`).sort()
        )
        for (const { masterFingerprint, path, pubkey } of origins) {
          expect(Buffer.from(masterFingerprint).toString("hex")).toBe("73c5da0a")
          const own = root.derive(path.replaceAll("h", "'")).publicKey ?? new Uint8Array()
          expect(Buffer.from(pubkey).toString("hex")).toBe(
            Buffer.from(type === "p2tr" ? own.subarray(1) : own).toString("hex")
          )
        }
        const shown = yield* signer.inspectPsbt(psbt)
        expect(shown.balanceChange).toBe(-50_000n - prepared.fee)
        expect(shown.inputs.every(({ isOwn }) => isOwn)).toBe(true)
        expect(shown.outputs.map(({ isOwn }) => isOwn)).toEqual([false, true])
        const { transaction } = yield* signer.signPsbt(psbt)
        if (transaction === undefined) throw new Error("nothing is missing")
        expect(yield* chain.rpc.sendRawTransaction(transaction.raw)).toBe(transaction.hash)
      }
    })
  )

  it.effect("as a PSBT name paths that are believed only if their script is the key's", () =>
    Effect.gen(function* () {
      const { chain, scriptAt, signer } = yield* account()
      chain.fund(scriptAt("0/4"), 30_000n)
      const psbt = yield* signer.exportPsbt(yield* signer.prepare({ to, amount: 5_000n }))
      const lie = Psbt.fromBase64(psbt)
      const [first] = lie.data.inputs
      const [entry] = first?.bip32Derivation ?? []
      if (entry === undefined) throw new Error("there is an origin")
      entry.path = "m/84'/0'/0'/0/5"
      expect(yield* Effect.flip(signer.signPsbt(lie.toBase64()))).toMatchObject({
        reason: expect.stringContaining("has no input there that is not signed")
      })
    })
  )
})
