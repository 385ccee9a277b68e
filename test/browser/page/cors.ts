/** The page: a client of nodes at other origins, and the errors of its calls. */
import { init } from "../../../src/promise.js"

export interface Failed {
  readonly value: unknown
  readonly messages: ReadonlyArray<string>
  readonly attempts: ReadonlyArray<string>
  readonly text: string
  /** What the next call ends with. */
  readonly next: string
}

/** A call to these nodes, which are checked beforehand unless that is left out. */
const ask = async (urls: ReadonlyArray<string>, isChecked: boolean): Promise<Failed> => {
  await using sdk = await init({
    network: "ethereum-mainnet",
    quiet: true,
    rpc: {
      nodes: urls.map((url) => ({ url })),
      ...(isChecked ? {} : { statusCheckInterval: Number.POSITIVE_INFINITY })
    }
  })
  const result = await sdk.rpc.chainId()
  const next = await sdk.rpc.chainId()
  const { cause } = result.error ?? {}
  return {
    value: result.status === "SUCCESS" ? String(result.data) : undefined,
    messages: [result.error?.message ?? []].flat(),
    attempts: (cause?.attempts ?? []).map(({ node, outcome }) => `${node} ${outcome}`),
    text: String(cause),
    next: String(next.error?.cause)
  }
}

declare global {
  interface Window {
    ask: typeof ask
  }
}

window.ask = ask
