/** The page: a client whose final answers outlive it in IndexedDB, by the store of the docs. */
import { clear, get, keys, set } from "idb-keyval"
import { cache } from "../../../src/cache.js"
import { init } from "../../../src/promise.js"

const kept = cache({ store: { get, set } })
const sdk = await init({
  network: "ethereum-mainnet",
  apiKey: "none",
  coalesce: kept,
  rpc: { nodes: [{ url: `${location.origin}/node` }], oneTimeLoadBalancing: true }
})

const cached = {
  /** The hash of a block. */
  block: async (at: number): Promise<string> =>
    (await sdk.rpc.getBlockByNumber(at, false)).data?.hash ?? "none",
  stats: () => kept.stats(),
  /** What stands in the database, without the SDK. */
  names: async () => (await keys()).map(String),
  clear: () => clear()
}

declare global {
  interface Window {
    cached: typeof cached
  }
}
window.cached = cached
