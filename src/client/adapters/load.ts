import * as Context from "effect/Context"
import { Config } from "../../config/Config.js"
import type { Parts } from "../make.js"
import type {
  Adapters,
  EvmAdapters,
  RequestOptions,
  SolanaAdapters,
  ViemCustom,
  Web3Answer
} from "./Adapter.js"
import type { Eip1193Request } from "./Eip1193.js"
import type { Sends } from "./guests.js"

/** The mark by which web3 knows its providers. */
const web3 = Symbol.for("web3/base-provider")

const evm = (parts: Parts, sends: Sends): EvmAdapters => {
  const { chainId } = Context.get(parts.context, Config).info
  const load = async () => (await import("./guests.js")).evm(parts, sends)
  const eip1193 = () => ({
    request: async (request: Eip1193Request, options?: RequestOptions) =>
      (await load()).eip1193(request, options)
  })
  const request = async <A>(args: Eip1193Request, options?: RequestOptions): Promise<A> =>
    // the type of a result is for viem to say
    (await load()).viem(args, options) as Promise<A>
  const config = { key: "effectChains", name: "effect-chains", type: "custom", retryCount: 0, request }
  return {
    eip1193,
    // two signatures, which the one function cannot have
    viemTransport: ((custom?: ViemCustom<unknown>) =>
      custom === undefined
        ? () => ({ config, request })
        : custom(eip1193(), { retryCount: 0 })) as EvmAdapters["viemTransport"],
    ethersProvider: ({ BrowserProvider }) =>
      new BrowserProvider(eip1193(), chainId, { staticNetwork: chainId !== undefined }),
    web3Provider: () => ({
      [web3]: true,
      // the type of a result is for web3 to say
      request: async <A>(payload: Eip1193Request) => (await load()).web3(payload) as Promise<Web3Answer<A>>,
      supportsSubscriptions: () => false
    })
  }
}

const solana = (parts: Parts, sends: Sends): SolanaAdapters => ({
  kitTransport: () => async (request) => (await import("./guests.js")).solana(parts, sends)(request)
})

type Make<A> = (parts: Parts, sends: Sends) => A

const adapters: { readonly [F in keyof Adapters]: Make<Adapters[F]> } = {
  evm,
  "evm-beacon": evm,
  "evm-native": evm,
  zksync: evm,
  solana
}

const has = (family: string): family is keyof Adapters => Object.hasOwn(adapters, family)

/** The adapters of a client, on a surface that sends as `sends` says. */
export const adaptersOf = (parts: Parts): ((sends: Sends) => object) => {
  const { family } = Context.get(parts.context, Config).info
  return has(family) ? (sends) => adapters[family](parts, sends) : () => ({})
}
