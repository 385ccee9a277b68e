/** A litecoind for tests in which its own wallet is the other side, behind a client of Litecoin's test network. */
import { address as addresses } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type * as Bitcoin from "../../src/entries/effect/signers/Bitcoin.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import { listen } from "../../src/sandbox/Loopback.js"
import * as Litecoind from "../../src/sandbox/nodes/Litecoind.js"
import type { UtxoNode } from "../../src/sandbox/nodes/Utxo.js"
import { nodeLimits } from "../nodeLimits.js"
import { take } from "../results.js"

/** Addresses are of Litecoin's test network; on the regression test network the same program has another name. */
export const renamed = (address: string): string => {
  if (!address.startsWith("tltc1")) return address
  const { data, version } = addresses.fromBech32(address)
  return addresses.toBech32(data, version, "rltc")
}

/** A node that `start` starts and `stop` ends. */
export const makeLitecoin = (command: string) => {
  const scope = Effect.runSync(Scope.make())
  let url = ""
  let sdk: PromiseSdk<"litecoin-testnet">

  /** A call of the node or its wallet, which no table of the SDK has. */
  const ask = async <A>(method: string, ...params: ReadonlyArray<unknown>): Promise<A> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "1.0", id: 1, method, params })
    })
    const { error, result } = (await response.json()) as { readonly error: unknown; readonly result: A }
    if (error !== null) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result
  }

  /** Runs with another wallet as the node's only one. */
  const withWallet = async <A>(name: string, run: () => Promise<A>): Promise<A> => {
    await ask("unloadwallet", "sandbox")
    await ask("createwallet", name, false, true)
    try {
      return await run()
    } finally {
      await ask("unloadwallet", name)
      await ask("loadwallet", "sandbox")
    }
  }

  /** The addresses that blocks have paid since the start. */
  const paid = new Set<string>()
  let seen = 0
  const readBlocks = async (): Promise<void> => {
    for (const height = await ask<number>("getblockcount"); seen < height; ) {
      const hash = await ask<string>("getblockhash", ++seen)
      const { tx } = await ask<{
        tx: ReadonlyArray<{ vout: ReadonlyArray<{ scriptPubKey: { addresses?: ReadonlyArray<string> } }> }>
      }>("getblock", hash, 2)
      for (const { vout } of tx)
        for (const { scriptPubKey } of vout) for (const each of scriptPubKey.addresses ?? []) paid.add(each)
    }
  }

  /** All addresses in one scan of the node, which makes one at a time. */
  const findAddresses = async (all: ReadonlyArray<string>): Promise<ReadonlyArray<Bitcoin.FoundAddress>> => {
    await readBlocks()
    const { unspents } = take(await sdk.rpc.scanTxOutSet(all.map((address) => `addr(${renamed(address)})`)))
    return all.map((address) => ({
      address,
      isUsed: paid.has(renamed(address)),
      utxos: unspents
        .filter(({ desc }) => desc.startsWith(`addr(${renamed(address)})`))
        .map(({ amount, txid, vout }) => ({ txid, vout, coins: amount }))
    }))
  }

  const utxos = async (address: string): Promise<ReadonlyArray<Bitcoin.NodeUtxo>> => {
    const { unspents } = take(await sdk.rpc.scanTxOutSet([`addr(${renamed(address)})`]))
    return unspents.map(({ amount, txid, vout }) => ({ txid, vout, coins: amount }))
  }

  const start = async (): Promise<{ readonly node: UtxoNode; readonly sdk: typeof sdk }> => {
    const node = await Effect.runPromise(
      Litecoind.start({ command, blockTime: 3_600 }).pipe(Scope.extend(scope))
    )
    url = `http://127.0.0.1:${await Effect.runPromise(listen(node.handler).pipe(Scope.extend(scope)))}`
    sdk = await init({ network: "litecoin-testnet", rpc: { nodes: [{ url }] }, quiet: true, ...nodeLimits })
    seen = await ask<number>("getblockcount")
    return { node, sdk }
  }
  const stop = async (): Promise<void> => {
    await sdk?.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  return { ask, findAddresses, start, stop, utxos, withWallet }
}
