/** What belongs to another chain or is mistyped, on every family: refused before a node is asked, and never repeated. */
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import type { Network } from "../../src/data/Network.js"
import * as Algorand from "../../src/signers/Algorand.js"
import * as Bitcoin from "../../src/signers/Bitcoin.js"
import * as Cosmos from "../../src/signers/Cosmos.js"
import * as Evm from "../../src/signers/Evm.js"
import * as Solana from "../../src/signers/Solana.js"
import * as Stellar from "../../src/signers/Stellar.js"
import * as Tezos from "../../src/signers/Tezos.js"
import * as Ton from "../../src/signers/Ton.js"
import * as Tron from "../../src/signers/Tron.js"
import * as Xrp from "../../src/signers/Xrp.js"
import { words } from "./incumbent.js"

/** A client whose every call is a defect, which no typed error is. */
const client = (network: Network) => ({
  network,
  rpc: new Proxy(
    {},
    {
      get: (_, name) => () => {
        throw new Error(`${String(name)} is called, and nothing is to be asked yet`)
      }
    }
    // it is the calls of every family
  ) as never
})

interface Made {
  readonly address: string
  readonly prepare: (payment: {
    readonly to: string
    readonly amount: string
    readonly private?: never
    readonly speed?: never
  }) => Effect.Effect<unknown, unknown>
}

type Make = (from: never, network: Network) => Effect.Effect<Made, { readonly _tag: string }>

const utxos = { utxos: () => [] }
const bitcoin: Make = (from, network) =>
  Bitcoin.make(client(network), Object.assign({ ...utxos }, from) as never)

/** A family on a network, an account of it, and private keys in its own forms that are those of no other here. */
const families: ReadonlyArray<{
  readonly network: Network
  readonly make: Make
  readonly addresses: ReadonlyArray<string>
  readonly keys?: ReadonlyArray<string>
}> = [
  {
    network: "ethereum-mainnet",
    make: (from, network) => Evm.make(client(network), from),
    addresses: ["0x9858EfFD232B4033E47d90003D41EC34EcaEda94"]
  },
  {
    network: "bitcoin-mainnet",
    make: bitcoin,
    addresses: [
      "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
      "1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA",
      "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"
    ],
    keys: ["KyZpNDKnfs94vbrwhJneDi77V6jF64PWPF8x5cdJb8ifgg2DUc9d"]
  },
  {
    network: "bitcoin-testnet",
    make: bitcoin,
    addresses: ["tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl", "mkpZhYtJu2r87Js3pDiWJDmPte2NRZ8bJV"]
  },
  { network: "litecoin-mainnet", make: bitcoin, addresses: ["ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh"] },
  { network: "doge-mainnet", make: bitcoin, addresses: ["DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC"] },
  {
    network: "tron-mainnet",
    make: (from, network) => Tron.make(client(network), from),
    addresses: ["TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH"]
  },
  {
    network: "solana-mainnet",
    make: (from, network) => Solana.make(client(network), from),
    addresses: ["HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk"]
  },
  {
    network: "ripple-mainnet",
    make: (from, network) => Xrp.make(client(network), from),
    addresses: ["rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3"],
    keys: ["snoPBrXtMeMyMHUVTgbuqAfg1SUTb", "sEdTM1uX8pu2do5XvTnutH6HsouMaM2"]
  },
  {
    network: "stellar-mainnet",
    make: (from, network) => Stellar.make(client(network), from),
    addresses: ["GB3JDWCQJCWMJ3IILWIGDTQJJC5567PGVEVXSCVPEQOTDN64VJBDQBYX"],
    keys: ["SBUV3MRWKNS6AYKZ6E6MOUVF2OYMON3MIUASWL3JLY5E3ISDJFELYBRZ"]
  },
  {
    network: "cosmos-mainnet",
    make: (from, network) => Cosmos.make(client(network), from),
    addresses: ["cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4"]
  },
  {
    network: "algorand-mainnet-algod",
    make: (from, network) => Algorand.make(client(network), from),
    addresses: ["HNVCPPGOW2SC2YVDVDICU3YNONSTEFLXDXREHJR2YBEKDC2Z3IUZSC6YGI"],
    keys: ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
  },
  {
    network: "tezos-mainnet",
    make: (from, network) => Tezos.make(client(network), from),
    addresses: ["tz1VQA4RP4fLjEEMW2FR4pE9kAg5abb5h5GL"],
    keys: ["edsk3gUfUPyBSfrS9CCgmCiQsTCHGkviBDusMxDJstFtojtc1zcpsh"]
  },
  {
    network: "ton-mainnet",
    make: (from, network) => Ton.make(client(network), from),
    addresses: ["UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k"]
  },
  {
    network: "bitcoin-cash-mainnet",
    make: bitcoin,
    addresses: ["bitcoincash:qqyx49mu0kkn9ftfj6hje6g2wfer34yfnq5tahq3q6"],
    // the two have one form of private keys
    keys: ["KyZpNDKnfs94vbrwhJneDi77V6jF64PWPF8x5cdJb8ifgg2DUc9d"]
  }
]

describe.each(families)("signers of $network", ({ addresses, keys: own = [], make, network }) => {
  it.effect("refuse addresses of all other networks before a node is asked", () =>
    Effect.gen(function* () {
      const account = yield* make({ mnemonic: words } as never, network)
      for (const other of families)
        for (const to of other.addresses) {
          if (addresses.includes(to)) continue
          // the older addresses of Bitcoin are those of Bitcoin Cash, which it takes with a warning
          if (network === "bitcoin-cash-mainnet" && to.startsWith("1")) continue
          const refused = yield* Effect.flip(account.prepare({ to, amount: "1" }))
          expect(refused, `${to} on ${network}`).toMatchObject({
            _tag: "InvalidAddress",
            address: to,
            network
          })
        }
      // addresses of Solana have no checksum, and with a digit less most are another account's
      const cut = network === "solana-mainnet" ? [] : [account.address.slice(0, -1)]
      for (const to of ["", " ", "0x", "address", `${account.address}a`, ...cut])
        expect(yield* Effect.flip(account.prepare({ to, amount: "1" })), to).toMatchObject({
          _tag: "InvalidAddress"
        })
    })
  )

  it.effect("refuse speeds that are none, before a node is asked", () =>
    Effect.gen(function* () {
      const account = yield* make({ mnemonic: words } as never, network)
      const [to = ""] = addresses
      for (const speed of ["quick", 50, { percentile: 101 }])
        expect(yield* Effect.flip(account.prepare({ to, amount: "1", speed: speed as never }))).toMatchObject(
          {
            _tag: "InvalidArgument",
            reason: "speed must be slow, normal, fast, or { percentile } from 0 to 100"
          }
        )
    })
  )

  it.effect("refuse to pay in private without a private node, before a node is asked", () =>
    Effect.gen(function* () {
      const account = yield* make({ mnemonic: words } as never, network)
      const [to = ""] = addresses
      for (const given of [true, "yes", 1, null])
        expect(
          yield* Effect.flip(account.prepare({ to, amount: "1", private: given as never }))
        ).toMatchObject({ _tag: "InvalidArgument", reason: expect.stringContaining("private") })
    })
  )

  it.effect("refuse keys of all other networks, and do not repeat them", () =>
    Effect.gen(function* () {
      for (const { keys = [], ...other } of families)
        for (const privateKey of keys) {
          const outcome = yield* Effect.either(make({ privateKey } as never, network))
          if (own.includes(privateKey)) expect(outcome._tag, privateKey).toBe("Right")
          else {
            expect(outcome, `${other.network} on ${network}`).toMatchObject({ left: { _tag: "InvalidKey" } })
            expect(inspect(outcome, { depth: 9 })).not.toContain(privateKey)
          }
        }
    })
  )

  it.effect("tell the position of a wrong word, and never the word", () =>
    Effect.gen(function* () {
      const positions = fc.record({
        at: fc.nat(11),
        word: fc.constantFrom("abuot", "zzzsecret", "xylophones")
      })
      for (const { at, word } of fc.sample(positions, 5)) {
        const mnemonic = words
          .split(" ")
          .map((each, i) => (i === at ? word : each))
          .join(" ")
        const refused = yield* Effect.flip(make({ mnemonic } as never, network))
        expect(refused).toMatchObject({ _tag: "InvalidMnemonic", position: at + 1 })
        expect(inspect(refused, { depth: 9 })).not.toContain(word)
      }
      const refused = yield* Effect.flip(
        make({ mnemonic: `${"abandon ".repeat(11)}ability` } as never, network)
      )
      expect(refused).toMatchObject({ _tag: "InvalidMnemonic" })
      expect(inspect(refused, { depth: 9 })).not.toMatch(/abandon|ability/)
    })
  )
})
