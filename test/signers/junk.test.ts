/** Every call of every signer, with arguments that are none: a typed error that blames nobody else, and no defect. */
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import type { Network } from "../../src/data/Network.js"
import { NodeError } from "../../src/data/SdkError.js"
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
import { runs } from "../properties.js"
import { words } from "./incumbent.js"

const nobody = new NodeError({ kind: "network", call: "any", url: "", reason: "nobody is there" })

/** Nodes of which none is there: what needs one fails with this error. */
const client = (network: Network) =>
  ({ network, rpc: new Proxy({}, { get: () => () => Effect.fail(nobody) }) }) as never

const from = { mnemonic: words } as never

const families: ReadonlyArray<readonly [Network, Effect.Effect<object, unknown>]> = [
  ["ethereum-mainnet", Evm.make(client("ethereum-mainnet"), from)],
  [
    "bitcoin-mainnet",
    Bitcoin.make(client("bitcoin-mainnet"), { mnemonic: words, utxos: () => Effect.fail(nobody) } as never)
  ],
  ["tron-mainnet", Tron.make(client("tron-mainnet"), from)],
  ["solana-mainnet", Solana.make(client("solana-mainnet"), from)],
  ["ripple-mainnet", Xrp.make(client("ripple-mainnet"), from)],
  ["stellar-mainnet", Stellar.make(client("stellar-mainnet"), from)],
  ["cosmos-mainnet", Cosmos.make(client("cosmos-mainnet"), from)],
  ["algorand-mainnet-algod", Algorand.make(client("algorand-mainnet-algod"), from)],
  ["tezos-mainnet", Tezos.make(client("tezos-mainnet"), from)],
  ["ton-mainnet", Ton.make(client("ton-mainnet"), from)]
]

const values: ReadonlyArray<unknown> = [
  undefined,
  null,
  0,
  -1,
  1n,
  "",
  "1",
  "x",
  "0x",
  true,
  Number.NaN,
  [],
  {},
  [null]
]

/** Arguments that people pass by mistake, and that no compiler has seen. */
const junk = fc.oneof(
  fc.constantFrom(...values, new Date(Number.NaN)),
  fc.dictionary(
    fc.constantFrom(
      ...["to", "amount", "token", "from", "account", "transaction", "outgoing", "network", "nonce", "hash"],
      ...["until", "count", "ticket", "raw", "instructions", "psbt", "utxos", "memo", "maxFee", "warnings"],
      ...[
        "prepared",
        "fee",
        "key",
        "keys",
        "payment",
        "trust",
        "message",
        "data",
        "domain",
        "types",
        "value"
      ],
      ...["blobs", "kzg", "granter", "grant", "spendLimit", "relay", "action", "validator", "permission"]
    ),
    fc.constantFrom(...values)
  )
)

const isCall = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

/** What is wrong with the end of a call; undefined if it is a typed error that names the right one. */
const findWrongEnd = (exit: Exit.Exit<unknown, unknown>): string | undefined => {
  if (Exit.isSuccess(exit)) return undefined
  if (!Cause.isFailure(exit.cause)) return `it is a defect: ${Cause.squash(exit.cause)}`
  const error = Cause.squash(exit.cause)
  return error instanceof NodeError && error.kind === "malformed"
    ? `it is said to be the fault of a node: ${error.reason}`
    : undefined
}

describe.each(families)("calls of a signer of %s", (network, making) => {
  it.effect("fail with a typed error, whatever they are given", () =>
    Effect.gen(function* () {
      const signer = yield* making
      const wrong = new Map<string, string>()
      for (const [name, call] of Object.entries(signer)) {
        if (!isCall(call)) continue
        const given = fc.sample(fc.array(junk, { minLength: 1, maxLength: 3 }), {
          numRuns: runs(800),
          seed: 7
        })
        for (const args of given) {
          const exit = yield* Effect.exit(
            Effect.suspend(() => {
              const called = call(...args)
              // what is none has not thrown
              return Effect.isEffect(called) ? (called as Effect.Effect<unknown, unknown>) : Effect.void
            })
          )
          const problem = findWrongEnd(exit)
          if (problem !== undefined && !wrong.has(name))
            wrong.set(name, `${name}(${args.map((each) => fc.stringify(each)).join(", ")}): ${problem}`)
        }
      }
      expect([...wrong.values()], network).toEqual([])
    })
  )
})
