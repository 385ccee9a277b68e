// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { expectTypeOf } from "vitest"
import * as promised from "../src/caip.js"
import * as Caip from "../src/data/Caip.js"
import { sameChain } from "../src/data/caip2Table.js"
import * as Network from "../src/data/Network.js"
import { InvalidArgument, type InvalidCaip } from "../src/data/SdkError.js"
import { addresses } from "./addresses.js"

const ids = Object.keys(Network.networks).filter(Network.isNetwork)

const got = <A>(parsed: Either.Either<A, InvalidCaip>): A =>
  Either.match(parsed, {
    onLeft: (error) => {
      throw error
    },
    onRight: (found) => found
  })

const problem = (parsed: Either.Either<unknown, InvalidCaip>): InvalidCaip =>
  Either.match(parsed, {
    onLeft: (error) => error,
    onRight: (found) => {
      throw new Error(`it is one: ${JSON.stringify(found)}`)
    }
  })

/** Families of which no profile says what ids their networks have: none of them has one. */
const isUnprofiled = (family: Network.FamilyId): boolean =>
  ids.every((id) => Network.info(id).family !== family || Caip.chainOf(id) === undefined)

/** The networks of families that have some ids. */
type ProfiledNetwork = {
  readonly [N in Network.Network]: Network.FamilyOf<N> extends Network.FamilyOf<Caip.CaipNetwork> ? N : never
}[Network.Network]

const without = ids.filter((id) => Caip.chainOf(id) === undefined)

describe("the ids of networks (CAIP-2)", () => {
  it("are there for all networks of a family that has some, but for those of which none is certain", () => {
    expect(without.filter((id) => !isUnprofiled(Network.info(id).family)).sort()).toEqual([
      "aptos-devnet",
      "bch-testnet",
      "bch-testnet-rostrum",
      "eos-testnet",
      "sui-devnet",
      "sui-testnet"
    ])
  })

  it("are typed so", () => {
    expectTypeOf(Caip.chainOf("ethereum-mainnet")).toEqualTypeOf<`${string}:${string}`>()
    expectTypeOf(Caip.chainOf("algorand-mainnet-indexer")).toEqualTypeOf<`${string}:${string}`>()
    expectTypeOf(Caip.chainOf("tron-mainnet")).toEqualTypeOf<`${string}:${string}`>()
    expectTypeOf(Caip.chainOf("near-mainnet")).toEqualTypeOf<undefined>()
    expectTypeOf(Caip.chainOf("bch-testnet-rostrum")).toEqualTypeOf<undefined>()
    expectTypeOf<Exclude<ProfiledNetwork, Caip.CaipNetwork>>().toEqualTypeOf<
      "aptos-devnet" | "bch-testnet" | "bch-testnet-rostrum" | "eos-testnet" | "sui-devnet" | "sui-testnet"
    >()
  })

  it.each([
    ["ethereum-mainnet", "eip155:1"],
    ["bitcoin-mainnet", "bip122:000000000019d6689c085ae165831e93"],
    ["bitcoin-mainnet-electrs", "bip122:000000000019d6689c085ae165831e93"],
    ["algorand-mainnet-indexer", "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k"],
    ["algorand-testnet-algod", "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe"],
    ["tron-mainnet", "tron:728126428"],
    ["cosmos-mainnet", "cosmos:cosmoshub-4"],
    ["ton-mainnet", "tvm:-239"],
    ["cardano-mainnet", "cip34:1-764824073"],
    ["hedera-mainnet-mirror", "hedera:mainnet"],
    ["zksync-mainnet", "eip155:324"],
    ["aptos-testnet", "aptos:2"],
    ["avax-p-mainnet", "avax:Rr9hnPVPxuUvrdCul-vjEsU1zmqKqRDo"],
    ["bnb-beacon-chain-mainnet", "cosmos:Binance-Chain-Tigris"],
    ["casper-mainnet", "casper:casper"],
    ["dot-mainnet", "polkadot:91b171bb158e2d3848fa23a9f1c25182"],
    ["egld-mainnet", "mvx:1"],
    ["eos-mainnet", "antelope:aca376f206b8fc25a6ed44dbdc66547c"],
    ["flow-testnet", "flow:testnet"],
    ["ripple-mainnet", "xrpl:0"],
    ["solana-mainnet", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"],
    ["stellar-mainnet", "stellar:pubnet"],
    ["sui-mainnet", "sui:35834a8a"],
    ["tezos-mainnet", "tezos:NetXdQprcVkpaWU"]
  ] as const)("%s is %s", (network, id) => {
    expect(Caip.chainOf(network)).toBe(id)
  })

  it("lead back to the network, or to the one that stands for its chain", () => {
    for (const id of ids) {
      const chain = Caip.chainOf(id)
      if (chain === undefined) continue
      const found = got(Caip.parseChain(chain))
      expect(`${found.namespace}:${found.reference}`).toBe(chain)
      expect([id, found.network]).toEqual([id, (sameChain as Readonly<Record<string, string>>)[id] ?? id])
      expect(Caip.networksOf(chain)).toContain(id)
      expect(Caip.networksOf(chain)[0]).toBe(found.network)
    }
  })

  it("are of several networks only where these are one chain", () => {
    const shared = ids.filter((id) => Caip.networksOf(Caip.chainOf(id) ?? "").length > 1)
    const all = [...Object.entries(sameChain).flat()].filter((id) => !without.some((other) => other === id))
    expect(shared.sort()).toEqual([...new Set(all)].sort())
  })

  it("has networks that have one chain id in one group", () => {
    const chainIds = ids.flatMap((id) => Network.info(id).chainId ?? [])
    const twice = chainIds.filter((chainId, i) => chainIds.indexOf(chainId) !== i)
    for (const chainId of twice) {
      const [first, ...others] = Caip.networksOf(`eip155:${chainId}`)
      for (const other of others) expect((sameChain as Readonly<Record<string, string>>)[other]).toBe(first)
    }
  })

  it.each([
    ["avax:8aDU0Kqh-5d23op-B-r-4YbQFRbsgF9a", "avalanche-c-mainnet"],
    ["vechain:b1ac3413d346d43539627e6be7ec1b4a", "vechain-mainnet"],
    ["tron:0x2b6653dc", "tron-mainnet"],
    ["tron:0x94a9059e", "tron-testnet"]
  ])("%s is another one of %s", (id, network) => {
    expect(got(Caip.parseChain(id)).network).toBe(network)
  })

  it("of chains that the SDK does not know have no network", () => {
    expect(got(Caip.parseChain("eip155:999999"))).toEqual({
      kind: "chain",
      chain: "eip155:999999",
      namespace: "eip155",
      reference: "999999"
    })
    expect(Caip.networkOf("eip155:999999")).toBeUndefined()
    expect(Caip.networkOf("constructor")).toBeUndefined()
  })
})

// the examples of the specifications and of the profiles of namespaces
const examples: ReadonlyArray<readonly [string, object]> = [
  ["eip155:1:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb", { kind: "account", network: "ethereum-mainnet" }],
  [
    "bip122:000000000019d6689c085ae165831e93:128Lkh3S7CkDTBZ8W7BbpsN3YYizJMp8p6",
    { kind: "account", network: "bitcoin-mainnet" }
  ],
  [
    "cosmos:cosmoshub-3:cosmos1t2uflqwqe0fsj0shcfkrvpukewcw40yjj6hdc0",
    { kind: "account", chain: "cosmos:cosmoshub-3" }
  ],
  [
    "polkadot:b0a8d493285c2df73290dfb7e61f870f:5hmuyxw9xdgbpptgypokw4thfyoe3ryenebr381z9iaegmfy",
    { kind: "account" }
  ],
  [
    "starknet:SN_GOERLI:0x02dd1b492765c064eac4039e3841aa5f382773b598097a40073bd8b48170ab57",
    { kind: "account" }
  ],
  [
    "chainstd:8c3444cf8970a9e41a706fab93e7a6c4:6d9b0b4b9994e8a6afbd3dc3ed983cd51c755afb27cd1dc7825ef59c134a39f7",
    { kind: "account" }
  ],
  ["hedera:mainnet:0.0.1234567890-zbhlt", { kind: "account", address: "0.0.1234567890-zbhlt" }],
  ["eip155:1/slip44:60", { kind: "asset", namespace: "slip44", reference: "60" }],
  ["cosmos:Binance-Chain-Tigris/slip44:714", { kind: "asset", network: "bnb-beacon-chain-mainnet" }],
  ["eip155:1/erc721:0x06012c8cf97BEaD5deAe237070F9587f8E7A266d/771769", { kind: "asset", tokenId: "771769" }],
  ["hedera:mainnet/nft:0.0.55492/12", { kind: "asset", reference: "0.0.55492", tokenId: "12" }],
  ["xrpl:0/token:RLUSD.rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De", { kind: "asset", network: "ripple-mainnet" }],
  [
    "eip155:6:tx/0x3edb98c24d46d148eb926c714f4fbaa117c47b0c0821f38bfce9763604457c33.inputs",
    { kind: "transaction", property: "inputs" }
  ],
  [
    "bip122:000000000019d6689c085ae165831e93:666666:tx/057954bb28527ff9c7701c6fd2b7f770163718ded09745da56cc95e7606afe99.inputs",
    { kind: "transaction", block: "666666" }
  ],
  ["eip155:1:block/17000000", { kind: "block", block: "17000000" }],
  ["eip155:1:block/17000000.time", { kind: "block", property: "time" }],
  ["eip155:1", { kind: "chain" }],
  ["lip9:9ee11e9df416b18b", { kind: "chain", namespace: "lip9" }]
]

const format = (id: Caip.CaipId): string =>
  id.kind === "chain"
    ? id.chain
    : id.kind === "account"
      ? Caip.formatAccount(id)
      : id.kind === "asset"
        ? Caip.formatAsset(id)
        : id.kind === "transaction"
          ? Caip.formatTransaction(id)
          : Caip.formatBlock(id)

const parsers = {
  chain: Caip.parseChain,
  account: Caip.parseAccount,
  asset: Caip.parseAsset,
  transaction: Caip.parseTransaction,
  block: Caip.parseBlock
}

const parserOf = (
  kind: keyof typeof parsers | "id"
): ((text: string) => Either.Either<unknown, InvalidCaip>) => (kind === "id" ? Caip.parse : parsers[kind])

describe("reading ids", () => {
  it.each(examples)("%s", (text, fields) => {
    const found = got(Caip.parse(text))
    expect(found).toMatchObject(fields)
    expect(format(found)).toBe(text)
    for (const [kind, parse] of Object.entries(parsers)) {
      const parsed: Either.Either<Caip.CaipId, InvalidCaip> = parse(text)
      expect(Either.isRight(parsed)).toBe(kind === found.kind)
      if (Either.isRight(parsed)) expect(parsed.right).toEqual(found)
    }
  })

  it.each([
    ["chain", "", 0, /namespace/],
    ["chain", "eip155", 6, /colon/],
    ["chain", "ei:1", 2, /3 characters/],
    ["chain", "EIP155:1", 0, /namespace/],
    ["chain", "eip155:", 7, /reference/],
    ["chain", "eip155:x1", 7, /decimal/],
    ["chain", "eip155:01", 7, /decimal/],
    ["chain", "eip155:1:0xab", 8, /end here/],
    ["chain", "eip155:1 ", 8, /character/],
    ["chain", "bip122:000000000019D6689c085ae165831e93", 7, /small letters/],
    ["chain", `abc:${"a".repeat(33)}`, 36, /32 characters/],
    ["account", "eip155:1", 8, /address/],
    ["account", "eip155:1:", 9, /address/],
    ["account", "eip155:1:0x_", 11, /character/],
    ["account", "eip155:1:0x%2", 11, /hexadecimal/],
    ["account", "eip155:1:0x%ff", 11, /no text/],
    ["account", `eip155:1:${"a".repeat(129)}`, 137, /128/],
    ["asset", "eip155:1:0xab", 8, /slash/],
    ["asset", "eip155:1/erc20", 14, /colon/],
    ["asset", "eip155:1/erc20:0xab/", 20, /token's id/],
    ["asset", "eip155:1/erc20:0xab/1/2", 21, /end here/],
    ["transaction", "eip155:1:0xab", 9, /tx/],
    ["transaction", "eip155:1:tx/", 12, /transaction/],
    ["block", "eip155:1:tx/0xab", 8, /block/],
    ["id", "x".repeat(401), 400, /too long/],
    ["id", "eip155:1:block/1.Time", 17, /character/]
  ] as const)("%s: %.60j is refused with its place", (kind, text, at, reason) => {
    const error = problem(parserOf(kind)(text))
    expect(error).toMatchObject({ _tag: "InvalidCaip", kind, at })
    expect(error.reason).toMatch(reason)
  })

  it("repeats nothing of what it cannot read", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.stringMatching(/^[A-Z]{20,60}$/), (secret) => {
        expect(String(problem(Caip.parse(secret)))).not.toContain(secret)
      })
    )
  })

  it("gives an error with a place for any text, and never throws", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "binary", maxLength: 500 }), (text) => {
        for (const parse of [Caip.parse, ...Object.values(parsers)]) {
          const parsed: Either.Either<unknown, InvalidCaip> = parse(text)
          if (Either.isRight(parsed)) continue
          expect(parsed.left.at).toBeGreaterThanOrEqual(0)
          expect(parsed.left.at).toBeLessThanOrEqual(text.length)
        }
      })
    )
    for (const value of [undefined, null, 1, {}, []])
      expect(problem(Caip.parse(value as unknown as string)).at).toBe(0)
  })
})

describe("parse(format(x)) is x", () => {
  const networks = FastCheck.constantFrom(...ids.flatMap((id) => Caip.chainOf(id) ?? []))
  const text = (most: number) => FastCheck.string({ unit: "grapheme", minLength: 1, maxLength: most })

  it.each(Object.entries(addresses))("for addresses of %s", (_, { network, of }) => {
    const chain = Caip.chainOf(network) ?? "eip155:1"
    FastCheck.assert(
      FastCheck.property(of, (address) => {
        const id = Caip.formatAccount({ chain, address })
        const parsed = got(Caip.parseAccount(id))
        expect(parsed.address).toBe(address)
        expect(parsed.chain).toBe(chain)
        expect(Caip.formatAccount(parsed)).toBe(id)
      })
    )
  })

  it("for accounts, whatever characters they have", () => {
    FastCheck.assert(
      FastCheck.property(networks, text(10), (chain, address) => {
        FastCheck.pre(encodeURIComponent(address).length <= 40)
        expect(got(Caip.parse(Caip.formatAccount({ chain, address })))).toMatchObject({
          kind: "account",
          chain,
          address
        })
      })
    )
  })

  it("for assets, transactions and blocks", () => {
    FastCheck.assert(
      FastCheck.property(
        networks,
        FastCheck.stringMatching(/^[-a-z0-9]{3,8}$/),
        text(10),
        text(6),
        (chain, namespace, reference, item) => {
          FastCheck.pre(encodeURIComponent(reference).length <= 40 && encodeURIComponent(item).length <= 25)
          for (const tokenId of [{}, { tokenId: item }])
            expect(
              got(Caip.parse(Caip.formatAsset({ chain, namespace, reference, ...tokenId })))
            ).toMatchObject({ kind: "asset", chain, namespace, reference, ...tokenId })
          for (const more of [{}, { block: item }, { property: "inputs" }, { block: item, property: "type" }])
            expect(
              got(Caip.parse(Caip.formatTransaction({ chain, hash: reference, ...more })))
            ).toMatchObject({ kind: "transaction", chain, hash: reference, ...more })
          expect(got(Caip.parse(Caip.formatBlock({ chain, block: reference })))).toMatchObject({
            kind: "block",
            chain,
            block: reference
          })
        }
      )
    )
    expect(Caip.formatBlock({ chain: "ethereum-mainnet", block: 17_000_000n })).toBe(
      "eip155:1:block/17000000"
    )
  })

  it("and what is no part of an id is refused", () => {
    const refused = (run: () => string) => expect(run).toThrow(InvalidArgument)
    refused(() => Caip.formatAccount({ chain: "eip155:1", address: "" }))
    refused(() => Caip.formatAccount({ chain: "eip155:1", address: "a".repeat(129) }))
    refused(() => Caip.formatAccount({ chain: "eip155:1", address: "\ud800" }))
    refused(() => Caip.formatAccount({ chain: "eip155:one", address: "0xab" }))
    refused(() => Caip.formatAsset({ chain: "eip155:1", namespace: "ERC20", reference: "0xab" }))
    // @ts-expect-error the id of NEAR is not certain
    refused(() => Caip.formatAccount({ chain: "near-mainnet", address: "root.near" }))
  })
})

describe("the ids of coins (CAIP-19)", () => {
  it.each([
    ["ethereum-mainnet", "eip155:1/slip44:60"],
    ["base-mainnet", "eip155:8453/slip44:60"],
    ["bitcoin-mainnet-electrs", "bip122:000000000019d6689c085ae165831e93/slip44:0"],
    ["ethereum-sepolia", "eip155:11155111/slip44:1"],
    ["stellar-mainnet", "stellar:pubnet/slip44:148"],
    ["flare-songbird", undefined],
    ["avalanche-c-mainnet", undefined],
    ["near-mainnet", undefined]
  ] as const)("%s: %s", (network, id) => {
    expect(Caip.coinOf(network)).toBe(id)
    if (id !== undefined)
      expect(got(Caip.parseAsset(id)).network).toBe(Caip.networkOf(Caip.chainOf(network) ?? ""))
  })
})

describe("for ordinary code", () => {
  it("what reads an id gives a result", () => {
    const both = [
      [promised.parse, Caip.parse],
      [promised.parseChain, Caip.parseChain],
      [promised.parseAccount, Caip.parseAccount],
      [promised.parseAsset, Caip.parseAsset],
      [promised.parseTransaction, Caip.parseTransaction],
      [promised.parseBlock, Caip.parseBlock]
    ] as const
    for (const [result, either] of both)
      for (const text of [...examples.map(([id]) => id), "nothing"]) {
        const parsed: Either.Either<unknown, InvalidCaip> = either(text)
        Either.match(parsed, {
          onLeft: ({ at, kind }) =>
            expect(result(text)).toMatchObject({ status: "ERROR", error: { cause: { at, kind } } }),
          onRight: (data) => expect(result(text)).toEqual({ status: "SUCCESS", data })
        })
      }
  })

  it("the rest is the same", () => {
    expect(promised.formatAccount).toBe(Caip.formatAccount)
    expect(promised.chainOf).toBe(Caip.chainOf)
  })
})
