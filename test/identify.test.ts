// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { encodeBase58 } from "../src/chains/internal/base58.js"
import { chainOf, formatAccount, formatTransaction } from "../src/data/Caip.js"
import { addressProblem, checksumAddress } from "../src/data/evmAddress.js"
import { bytesToHex } from "../src/data/hex.js"
import * as Network from "../src/data/Network.js"
import { type Candidate, identify } from "../src/identify.js"
import { encodeBase58Check } from "../src/signers/base58Check.js"
import { encodeBech32 } from "../src/signers/cosmos/address.js"
import { RIPPLE_ALPHABET } from "../src/signers/xrp/address.js"
import { addresses, arbitraryBytes } from "./addresses.js"
import { runs } from "./properties.js"

/** Kinds of candidates with their families, as they come. */
const told = (text: string): ReadonlyArray<string> =>
  identify(text).map(({ certainty, families, kind }) =>
    `${certainty} ${kind} ${[...families].sort().join(" ")}`.trim()
  )

/** The addresses that have no checksum: what they are, other texts are too. */
const unchecked: Readonly<Record<string, ReadonlyArray<string>>> = {
  "evm in small letters": ["possible address evm evm-beacon evm-native zksync"],
  // NEAR writes its hashes so, and Solana those of its blocks
  solana: ["possible address solana", "possible block near solana", "possible transaction near"]
}

/** The networks whose codecs read the addresses of others, by the networks that make them. */
const overlaps: Readonly<Record<string, ReadonlyArray<ReadonlyArray<Network.Network>>>> = {
  "bitcoin-mainnet": [["bitcoin-mainnet"], ["bitcoin-mainnet", "bitcoin-cash-mainnet"]],
  "bitcoin-testnet": [
    ["bitcoin-testnet", "bitcoin-testnet4"],
    ["bitcoin-testnet", "bitcoin-testnet4", "doge-testnet", "bch-testnet"],
    ["bitcoin-testnet", "bitcoin-testnet4", "litecoin-testnet", "bch-testnet"]
  ],
  "litecoin-mainnet": [["litecoin-mainnet"]],
  "litecoin-testnet": [
    ["litecoin-testnet"],
    ["bitcoin-testnet", "bitcoin-testnet4", "litecoin-testnet", "bch-testnet"]
  ],
  "doge-mainnet": [["doge-mainnet"]],
  "doge-testnet": [["doge-testnet"], ["bitcoin-testnet", "bitcoin-testnet4", "doge-testnet", "bch-testnet"]],
  "bitcoin-cash-mainnet": [["bitcoin-cash-mainnet"]],
  "bch-testnet": [["bch-testnet"]]
}

/** Each character of a text in turn, by another one of the text's alphabet. */
const changed = (text: string, at: number, by: number): string => {
  const letters = [...new Set(text)]
  const place = at % text.length
  const other = letters.filter((letter) => letter !== text[place])[by % (letters.length - 1)] ?? ""
  return text.slice(0, place) + other + text.slice(place + 1)
}

/** RSK has the chain's id in its checksums (EIP-1191): a mistyped letter may fit those. */
const isOfRsk = (address: string): boolean =>
  [30, 31].some((chainId) => addressProblem(address, chainId) === undefined)

describe("addresses that the families' codecs make", () => {
  it.each(Object.entries(addresses))("%s", (name, { network, of }) => {
    const { family } = Network.info(network)
    const expected = unchecked[name]
    const possible = overlaps[network]
    FastCheck.assert(
      FastCheck.property(of, (address) => {
        const [first, ...others] = identify(address)
        expect(first).toMatchObject({ kind: "address" })
        expect(first?.families).toContain(family)
        expect(first?.networks.length).toBeGreaterThan(0)
        if (expected === undefined) {
          expect(first?.certainty).toBe("certain")
          expect(others).toEqual([])
        } else expect(told(address)).toEqual(expected)
        if (possible !== undefined) expect(possible).toContainEqual(first?.networks)
      })
    )
  })

  it.each(Object.entries(addresses).filter(([name]) => unchecked[name] === undefined && name !== "ton, raw"))(
    "with a character changed are not certain: %s",
    (name, { of }) => {
      FastCheck.assert(
        FastCheck.property(of, FastCheck.nat(), FastCheck.nat(), (address, at, by) => {
          const other = changed(address, at, by)
          FastCheck.pre(other.toLowerCase() !== address.toLowerCase())
          // fewer bits than those of all others: some changed letters fit
          const isMixed = /[a-f]/.test(other.slice(2)) && /[A-F]/.test(other)
          const fits = name === "evm" && isMixed && (other === checksumAddress(other) || isOfRsk(other))
          const certain = identify(other).filter(
            ({ certainty, kind }) => certainty === "certain" && kind === "address"
          )
          expect(certain).toHaveLength(fits ? 1 : 0)
        })
      )
    }
  )

  it("are not certain in one case alone, though the letters fit a checksum by chance", () => {
    const text = "0xf949df010557300117689cdc19ff03697901055f"
    expect(checksumAddress(text)).toBe(text)
    expect(identify(text)).toMatchObject([{ kind: "address", certainty: "possible", normal: text }])
  })

  it("of Hedera have the network in their checksums, and ids without them as their normal form", () => {
    const networks = {
      "0.0.123-vfmkw": "hedera-mainnet-mirror",
      "0.0.123-esxsf": "hedera-testnet-mirror",
      "0.0.123-ogizo": "hedera-previewnet-mirror"
    }
    for (const [text, network] of Object.entries(networks))
      expect(identify(text)).toMatchObject([{ kind: "address", normal: "0.0.123", networks: [network] }])
  })

  it("say what is wrong with a letter of an EVM address", () => {
    const [first] = identify("0xAb16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb")
    expect(first).toMatchObject({
      kind: "address",
      certainty: "possible",
      normal: "0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb",
      problem: expect.stringMatching(/checksum/)
    })
  })

  it.each([
    ["0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb", "0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb"],
    ["xdcab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb", "0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb"],
    ["BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"],
    ["  bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq\n", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"],
    ["qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"]
  ])("have a normal form: %j", (text, normal) => {
    expect(identify(text)[0]).toMatchObject({ kind: "address", normal })
  })
})

// examples of the chains' own documents and of the namespaces' profiles
const others: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> = [
  ["XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD2q1qM6owqNbug8W6KV", "certain address xrp"],
  ["MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAABUTGI4", "certain address stellar"],
  ["15rRgsWxz4H5LTnNGcCFsszfXD8oeAFd8QRsR6MbQE2f6XFF", "certain address polkadot"],
  ["erd1uapegx64zk6yxa9kxd2ujskkykdnvzlla47uawh7sh0rhwx6y60sv68me9", "certain address multiversx"],
  ["t1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs", "certain address utxo"],
  [
    "addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x",
    "certain address cardano"
  ],
  // the examples of HIP-15 and of the profile
  ["0.0.123-vfmkw", "certain address hedera-mirror"],
  ["0.0.123-esxsf", "certain address hedera-mirror"],
  ["0.0.123-vfmkx"],
  ["0.0.123", "possible address hedera-mirror"],
  ["0.0.0123"],
  ["0.0.10@1234567890.000000321", "possible transaction hedera-mirror"],
  ["hedera:mainnet:0.0.123-vfmkw", "certain caip hedera-mirror"],
  ["k:f89ef46927f506c70b6a58fd322450a936311dc6ac91f4ec3d8ef949608dbf1f", "certain address kadena"],
  ["vitalik.eth", "certain name evm-beacon"],
  ["Jesse.Base.eth", "certain name evm"],
  ["toly.sol", "certain name solana"],
  ["foundation.ton", "certain name ton"],
  ["jed*stellar.org", "certain name stellar"],
  ["example.com", "possible name evm-beacon"],
  [
    "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8",
    "certain extendedKey doge utxo utxo-estimatefee"
  ],
  ["eip155:1", "certain caip evm-beacon"],
  ["eip155:999999:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb", "possible caip"],
  ["bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?amount=20.3&label=Luke-Jr", "certain payment utxo"],
  ["ethereum:0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359@137?value=2.014e18", "certain payment evm"],
  [
    "0x3edb98c24d46d148eb926c714f4fbaa117c47b0c0821f38bfce9763604457c33",
    "possible transaction evm evm-beacon evm-native iota polkadot zksync",
    "possible block evm evm-beacon evm-native iota polkadot zksync",
    "possible secret evm evm-beacon evm-native zksync"
  ],
  [
    "000000000000000000651ef99cb9fcbe000000000000000000651ef99cb9fcbe",
    "possible block doge electrs rostrum utxo utxo-estimatefee",
    "possible address near",
    "possible secret"
  ],
  [
    "E08D6E9754025BA2534A78707605E0601F03ACE063687A0CA1BDDACFCD1698C7",
    "possible transaction bnb cosmos xrp",
    "possible block bnb cosmos xrp"
  ],
  ["hello"],
  ["hello world"],
  [""]
]

describe("other texts", () => {
  it.each(others)("%.60s", (text, ...expected) => {
    expect(told(text)).toEqual(expected)
  })

  it("tell the account and the tag of an X-address and of a muxed account", () => {
    expect(identify("XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD2q1qM6owqNbug8W6KV")[0]).toMatchObject({
      form: "x-address",
      account: expect.stringMatching(/^r/),
      networks: ["ripple-mainnet"]
    })
    expect(
      identify("MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAABUTGI4")[0]
    ).toMatchObject({
      form: "muxed",
      account: "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
      tag: "420"
    })
  })

  it("read requests for payments", () => {
    expect(identify("bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?amount=20.3&label=Luke-Jr")[0]).toMatchObject(
      {
        scheme: "bitcoin",
        to: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
        amount: "20.3",
        memo: "Luke-Jr",
        networks: ["bitcoin-mainnet"]
      }
    )
    const token = "0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7"
    const to = "0x8e23ee67d1332ad560396262c48ffbb01f93d052"
    expect(identify(`ethereum:${token}@10/transfer?address=${to}&uint256=1`)[0]).toMatchObject({
      scheme: "ethereum",
      to,
      token,
      amount: "1",
      networks: ["optimism-mainnet"]
    })
    const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
    const payee = "mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN"
    expect(identify(`solana:${payee}?amount=0.01&spl-token=${mint}`)[0]).toMatchObject({
      scheme: "solana",
      to: payee,
      amount: "0.01",
      token: mint
    })
    const account = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ"
    expect(
      identify(`web+stellar:pay?destination=${account}&amount=120.1234567&memo=skdjfasf`)[0]
    ).toMatchObject({
      scheme: "web+stellar",
      to: account,
      amount: "120.1234567",
      memo: "skdjfasf",
      networks: ["stellar-mainnet", "stellar-testnet"]
    })
    // one that is mistyped is not certain
    expect(identify("bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb?amount=20.3")[0]).toMatchObject({
      kind: "payment",
      certainty: "possible"
    })
  })

  it("are ids by CAIP with the network that these name", () => {
    const networks = Object.keys(Network.networks).filter(Network.isNetwork)
    for (const network of networks) {
      const chain = chainOf(network)
      if (chain === undefined) continue
      for (const id of [
        chain,
        formatAccount({ chain, address: "a1" }),
        formatTransaction({ chain, hash: "b2" })
      ])
        expect(identify(id)[0]).toMatchObject({ kind: "caip", certainty: "certain", normal: id })
    }
  })

  it("of Tezos and of Solana are their hashes", () => {
    FastCheck.assert(
      FastCheck.property(arbitraryBytes(32), (own) => {
        expect(told(encodeBase58Check(Uint8Array.of(0x05, 0x74, ...own)))).toEqual([
          "certain transaction tezos"
        ])
        expect(told(encodeBase58Check(Uint8Array.of(0x01, 0x34, ...own)))).toEqual(["certain block tezos"])
        const signature = Uint8Array.of(...own, ...own.subarray(0, 31), 0x0f)
        expect(told(encodeBase58(signature))).toEqual([
          "possible transaction solana",
          "possible secret solana"
        ])
      })
    )
  })
})

describe("secrets", () => {
  const sole: ReadonlyArray<readonly [string, FastCheck.Arbitrary<string>]> = [
    [
      "a key of Bitcoin (WIF)",
      arbitraryBytes(32).map((own) => encodeBase58Check(Uint8Array.of(0x80, ...own, 1)))
    ],
    [
      "a key of Dogecoin (WIF)",
      arbitraryBytes(32).map((own) => encodeBase58Check(Uint8Array.of(0x9e, ...own)))
    ],
    [
      "an extended private key",
      arbitraryBytes(74).map((own) => encodeBase58Check(Uint8Array.of(0x04, 0x88, 0xad, 0xe4, ...own)))
    ],
    [
      "a seed of the XRP Ledger",
      arbitraryBytes(16).map((own) => encodeBase58Check(Uint8Array.of(0x21, ...own), RIPPLE_ALPHABET))
    ],
    [
      "a key of Tezos",
      arbitraryBytes(32).map((own) => encodeBase58Check(Uint8Array.of(0x0d, 0x0f, 0x3a, 0x07, ...own)))
    ],
    [
      "a key of Solana",
      FastCheck.tuple(arbitraryBytes(63), FastCheck.integer({ min: 0x20, max: 0xff })).map(([own, last]) =>
        encodeBase58(Uint8Array.of(...own, last))
      )
    ],
    ["a key of Solana in JSON", arbitraryBytes(64).map((own) => `[${[...own].join(",")}]`)],
    [
      "a mnemonic",
      FastCheck.array(FastCheck.stringMatching(/^[a-z]{3,8}$/), { minLength: 12, maxLength: 24 }).map((all) =>
        all.join(" ")
      )
    ],
    [
      "a key in PEM",
      arbitraryBytes(32).map(
        (own) => `-----BEGIN PRIVATE KEY-----\n${bytesToHex(own)}\n-----END PRIVATE KEY-----`
      )
    ]
  ]

  it.each(sole)("%s is one, and is not repeated", (_, of) => {
    FastCheck.assert(
      FastCheck.property(of, (text) => {
        const found = identify(text)
        expect(found.map(({ kind }) => kind)).toEqual(["secret"])
        expect(JSON.stringify(found)).not.toContain(text.slice(0, 20))
      })
    )
  })

  it("of Stellar are known by their checksum", () => {
    expect(
      told("SDTVS5IVLMADYEITIC5B5YSBQ6SIGOHSV2Y4ESBGVC33RJPZUMSXUCDM").every((each) => !/address/.test(each))
    ).toBe(true)
  })
})

describe("any text at all", () => {
  const sound = (found: ReadonlyArray<Candidate>) => {
    const order = found.map(({ certainty }) => certainty)
    expect(order).toEqual([...order].sort())
    for (const { families, networks } of found)
      expect(new Set(networks.map((network) => Network.info(network).family))).toEqual(new Set(families))
  }

  it("gives a list in order, and never throws", () => {
    const near = FastCheck.oneof(...Object.values(addresses).map(({ of }) => of)).chain((address) =>
      FastCheck.tuple(FastCheck.string({ unit: "binary", maxLength: 5 }), FastCheck.nat(80)).map(
        ([more, at]) => address.slice(0, at) + more + address.slice(at)
      )
    )
    FastCheck.assert(
      FastCheck.property(
        FastCheck.oneof(FastCheck.string({ unit: "binary", maxLength: 300 }), near, FastCheck.webUrl()),
        (text) => {
          sound(identify(text))
        }
      ),
      { numRuns: runs(500) }
    )
    for (const value of [undefined, null, 1, {}, []]) expect(identify(value as unknown as string)).toEqual([])
    expect(identify("1".repeat(1_000_000))).toEqual([])
    expect(identify("1".repeat(4_000))).toEqual([])
  })

  it("takes the bech32 of other chains for no address", () => {
    expect(identify(encodeBech32("nobody", new Uint8Array(20)))).toEqual([])
  })
})
