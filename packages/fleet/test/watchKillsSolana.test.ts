/** A watcher of Solana whose runners are killed, over Surfpool. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Solana from "effect-chains/effect/signers/Solana"
import * as Surfpool from "../../../src/sandbox/nodes/Surfpool.js"
import { requireBinary } from "../../../test/nodes/process.js"
import type * as EvmWatcher from "../src/EvmWatcher.js"
import { mnemonic } from "./evm.js"
import { Devnet, toLine } from "./evmWatching.js"
import { Cluster } from "./solanaWatching.js"
import { type Chain, killRunners, pickOne, randomBelow } from "./watchKills.js"

const surfpool = requireBinary("surfpool", "watchers of Solana whose runners are killed")

/** Payments of a signer and of Surfpool itself. What is known of them is who got how much by which signature. */
const overSurfpool = async (scope: Scope.Scope): Promise<Chain> => {
  const node = await Effect.runPromise(Scope.extend(Surfpool.start({ slotTime: 200 }), scope))
  const cluster = new Cluster(node.url)
  const direct = Devnet.layer({ rpc: { nodes: [{ url: node.url }] }, quiet: true })
  const payer = await Effect.runPromise(
    Layer.build(Layer.provide(direct, NodeHttpClient.layerUndici)).pipe(
      Effect.flatMap((context) =>
        Solana.make(Context.get(context, Devnet), { mnemonic: Redacted.make(mnemonic) })
      ),
      Scope.extend(scope)
    )
  )
  await Effect.runPromise(node.fund(payer.address, "100"))
  const others = node.accounts.map(({ address }) => address)
  const known = new Map<string, ReadonlyArray<Pick<EvmWatcher.Payment, "address" | "amount" | "direction">>>()
  const head = () => Promise.resolve(cluster.end - 1)
  const from = (await cluster.advance()) + 1
  return {
    url: await Effect.runPromise(Scope.extend(cluster.listening, scope)),
    watched: [payer.address, ...others],
    keyOf: (address) => address,
    from,
    head,
    hashAt: async (slot) => (await cluster.slotAt(slot)).hash,
    paymentsAt: async (slot) => {
      const { hash, signatures } = await cluster.slotAt(slot)
      return signatures.flatMap((transaction) =>
        (known.get(transaction) ?? []).map((each) => toLine({ ...each, block: hash, transaction, log: null }))
      )
    },
    grow: async () => {
      for (let i = randomBelow(4) + 1; i > 0; i--) {
        const address = pickOne(others)
        const amount = BigInt(randomBelow(1e6) + 1e6)
        if (randomBelow(2) === 0) {
          const signature = await Effect.runPromise(
            node.fund(address, `0.${String(amount).padStart(9, "0")}`)
          )
          known.set(signature, [{ address, amount, direction: "in" }])
          continue
        }
        const sent = payer.send({ to: address, amount, confirmations: 1 })
        known.set((await Effect.runPromise(sent)).hash, [
          { address: payer.address, amount, direction: "out" },
          { address, amount, direction: "in" }
        ])
      }
      await cluster.advance()
    },
    // the newest slots with payments; one of these is not on the other branch
    reorganise: async (depth) => {
      const paid: Array<{ readonly slot: number; readonly signatures: ReadonlyArray<string> }> = []
      for (let slot = cluster.end - 1; paid.length < depth && slot >= from; slot--) {
        const signatures = (await cluster.slotAt(slot)).signatures.filter((each) => known.has(each))
        if (signatures.length > 0) paid.push({ slot, signatures })
      }
      cluster.fork(paid.at(-1)?.slot ?? cluster.end - 1, pickOne(paid).signatures.slice(0, 1))
      await cluster.advance()
    }
  }
}

killRunners({
  family: "solana",
  name: "Surfpool",
  isThere: surfpool !== undefined,
  rounds: 2,
  make: overSurfpool
})
