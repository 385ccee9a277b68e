/** The preset `derivation: "tatum"`: the accounts of the incumbent's wallet packages, or a refusal where those have none. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import type { Network } from "../../src/data/Network.js"
import * as Algorand from "../../src/signers/Algorand.js"
import * as Bitcoin from "../../src/signers/Bitcoin.js"
import * as Cosmos from "../../src/signers/Cosmos.js"
import * as Evm from "../../src/signers/Evm.js"
import type { FromMnemonic, SignerError } from "../../src/signers/Signer.js"
import * as Solana from "../../src/signers/Solana.js"
import * as Stellar from "../../src/signers/Stellar.js"
import * as Tezos from "../../src/signers/Tezos.js"
import * as Ton from "../../src/signers/Ton.js"
import * as Tron from "../../src/signers/Tron.js"
import * as Xrp from "../../src/signers/Xrp.js"
import { accounts, words } from "./incumbent.js"

/** A client that makes no call: a signer that is made asks nothing of nodes. */
const client = (network: Network) => ({
  network,
  rpc: new Proxy(
    {},
    {
      get: (_, name) => () => {
        throw new Error(`${String(name)} is called, and no signer needs that to be made`)
      }
    }
    // it is the calls of every family
  ) as never
})

type Make = (network: Network, from: FromMnemonic) => Effect.Effect<{ readonly address: string }, SignerError>

const evm: Make = (network, from) => Evm.make(client(network), from)
const bitcoin: Make = (network, from) => Bitcoin.make(client(network), { utxos: () => [], ...from })

const makers: Readonly<Record<string, Make>> = {
  "@tatumio/evm-wallet-provider": evm,
  "@tatumio/tron-wallet-provider": (network, from) => Tron.make(client(network), from),
  "@tatumio/bch": bitcoin,
  "@tatumio/btc": bitcoin,
  "@tatumio/doge": bitcoin,
  "@tatumio/ltc": bitcoin,
  "@tatumio/solana": (network, from) => Solana.make(client(network), from)
}

const rows = Object.entries(accounts).flatMap(([name, networks]) =>
  // the keys of such a record are networks, which Object.entries does not say
  (Object.entries(networks) as ReadonlyArray<readonly [Network, readonly [string, string]]>).map(
    ([network, expected]) => [name, network, expected] as const
  )
)

/** Addresses of EVM chains differ in their case, which is a checksum of ours. */
const plain = (address: string) => (address.startsWith("0x") ? address.toLowerCase() : address)

describe('derivation: "tatum"', () => {
  it.effect.each(rows)("gives the accounts of %s on %s", ([name, network, expected]) =>
    Effect.gen(function* () {
      const make = makers[name]
      if (make === undefined) throw new Error(name)
      for (const [index, address] of [
        [0, expected[0]],
        [3, expected[1]]
      ] as const)
        expect(plain((yield* make(network, { mnemonic: words, index, derivation: "tatum" })).address)).toBe(
          address
        )
    })
  )

  it.effect("gives those of a chain under its new name too", () =>
    Effect.gen(function* () {
      const from = { mnemonic: words, derivation: "tatum" } as const
      expect(yield* evm("kaia-mainnet", from)).toMatchObject(
        // one has functions of its own
        { address: (yield* evm("klaytn-mainnet", from)).address }
      )
    })
  )

  it.effect("gives Algorand's own words, which are one key in all wallets", () =>
    Effect.gen(function* () {
      const from = { mnemonic: `${"abandon ".repeat(24)}invest`, derivation: "tatum" } as const
      // as @tatumio/algo 2.2.100 gave it
      expect(yield* Algorand.make(client("algorand-mainnet-algod"), from)).toMatchObject({
        address: "HNVCPPGOW2SC2YVDVDICU3YNONSTEFLXDXREHJR2YBEKDC2Z3IUZSC6YGI"
      })
    })
  )

  const without: ReadonlyArray<readonly [Network, Make]> = [
    ["base-mainnet", evm],
    ["sonic-mainnet", evm],
    ["mocachain-devnet", evm],
    ["zksync-mainnet", evm],
    ["algorand-mainnet-algod", (network, from) => Algorand.make(client(network), from)],
    ["cosmos-mainnet", (network, from) => Cosmos.make(client(network), from)],
    ["stellar-mainnet", (network, from) => Stellar.make(client(network), from)],
    ["tezos-mainnet", (network, from) => Tezos.make(client(network), from)],
    ["ton-mainnet", (network, from) => Ton.make(client(network), from)],
    ["ripple-mainnet", (network, from) => Xrp.make(client(network), from)]
  ]

  it.effect.each(without)("is refused on %s, of which the incumbent derives no accounts", ([network, make]) =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(make(network, { mnemonic: words, derivation: "tatum" }))
      expect(refused).toMatchObject({ _tag: "InvalidKey" })
      expect(refused.message).toContain('derivation "tatum"')
      expect((yield* make(network, { mnemonic: words, derivation: "standard" })).address).toBe(
        (yield* make(network, { mnemonic: words })).address
      )
    })
  )

  it.effect("is one of two, and no other", () =>
    Effect.gen(function* () {
      const from = { mnemonic: words, derivation: "ledger" } as unknown as FromMnemonic
      const refused = yield* Effect.flip(evm("ethereum-mainnet", from))
      expect(refused).toMatchObject({ _tag: "InvalidKey" })
      expect(refused.message).toContain("standard")
    })
  )
})

describe("a seed", () => {
  afterEach(() => vi.unstubAllGlobals())

  it.effect.each(["", "пароль Ünï"])(
    "is the same one where the runtime hashes nothing (passphrase %j)",
    (passphrase) =>
      Effect.gen(function* () {
        const make = Effect.map(
          evm("ethereum-mainnet", { mnemonic: words, passphrase }),
          ({ address }) => address
        )
        const own = yield* make
        vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) })
        expect(yield* make).toBe(own)
        const importKey = () => Promise.reject(new Error("PBKDF2 is not supported"))
        vi.stubGlobal("crypto", { subtle: { importKey } })
        expect(yield* make).toBe(own)
        // a page without TLS on old browsers
        vi.stubGlobal("crypto", undefined)
        expect(yield* make).toBe(own)
      })
  )
})
