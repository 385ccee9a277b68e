/** What tests of watchers of Bitcoin's kind have in common: a node whose blocks come when they are told to, and payments as it has them. */
import { address as addresses } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { listen } from "../../../src/sandbox/Loopback.js"
import type { UtxoNode } from "../../../src/sandbox/nodes/Utxo.js"
import type { SandboxError } from "../../../src/sandbox/SandboxError.js"
import { ask } from "./evm.js"
import { toLine } from "./evmWatching.js"

/** On its regression test network a program has other prefixes than on the network whose client asks it. */
const makeRename = (version: number) => (address: string) => {
  const { hash } = addresses.fromBase58Check(address)
  return addresses.toBase58Check(hash, version)
}
export const toLitecoin = makeRename(0x6f)
export const toDogecoin = makeRename(0x71)

/** Blocks come only where they are asked for. */
export const blockTime = 3_600

interface RawOutput {
  readonly value: number
  readonly scriptPubKey: { readonly address?: string; readonly addresses?: ReadonlyArray<string> }
}

interface RawTransaction {
  readonly vin: ReadonlyArray<{ readonly txid?: string; readonly vout?: number }>
  readonly vout: ReadonlyArray<RawOutput>
}

const ownerOf = ({ scriptPubKey }: RawOutput) => scriptPubKey.address ?? scriptPubKey.addresses?.[0] ?? ""

/** A node that was started, with what tests ask of it. `nameOf` is how its addresses are written on the network of its client. */
export const openNode = async (
  starting: Effect.Effect<UtxoNode, SandboxError, Scope.Scope>,
  scope: Scope.Scope,
  nameOf: (address: string) => string
) => {
  const node = await Effect.runPromise(Scope.extend(starting, scope))
  const url = `http://127.0.0.1:${await Effect.runPromise(Scope.extend(listen(node.handler), scope))}`
  const height = () => ask<number>(url, "getblockcount")
  const hashAt = (at: number) => ask<string>(url, "getblockhash", at)
  const raw = (txid: string) => ask<RawTransaction>(url, "getrawtransaction", txid, true)
  const transactionsOf = async (block: string) =>
    (await ask<{ tx: ReadonlyArray<string> }>(url, "getblock", block, true)).tx
  return {
    node,
    url,
    height,
    hashAt,
    mine: (blocks = 1) => Effect.runPromise(node.mine(blocks)),
    fund: (address: string, amount: string) => Effect.runPromise(node.fund(address, amount)),
    /** Who has the reward of a block, as the node writes it. */
    minerAt: async (at: number): Promise<string> => {
      const [coinbase = ""] = await transactionsOf(await hashAt(at))
      const [reward] = (await raw(coinbase)).vout
      return reward === undefined ? "" : ownerOf(reward)
    },
    /** The payments of a block, by the addresses that the node itself writes. */
    paymentsAt: async (at: number, watched: ReadonlySet<string>): Promise<ReadonlyArray<string>> => {
      const block = await hashAt(at)
      const lines: Array<string> = []
      for (const txid of await transactionsOf(block)) {
        const { vin, vout } = await raw(txid)
        const tell = (output: RawOutput | undefined, direction: "in" | "out", log: number) => {
          if (output === undefined || output.value === 0 || !watched.has(ownerOf(output))) return
          const amount = BigInt(Math.round(output.value * 1e8))
          const address = nameOf(ownerOf(output))
          lines.push(toLine({ block, transaction: txid, log, address, direction, amount }))
        }
        for (const [i, input] of vin.entries())
          if (input.txid !== undefined) tell((await raw(input.txid)).vout[input.vout ?? -1], "out", i)
        for (const [i, output] of vout.entries()) tell(output, "in", i)
      }
      return lines
    }
  }
}
