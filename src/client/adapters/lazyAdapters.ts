import * as Context from "effect/Context"
import { Config } from "../../config/Config.js"
import type { ClientParts } from "../clientParts.js"
import type {
  Adapters,
  EvmAdapters,
  RequestOptions,
  SolanaAdapters,
  ViemCustom,
  Web3Answer
} from "./Adapter.js"
import type { Eip1193Request } from "./Eip1193.js"
import type { SendCall } from "./libraryBridge.js"

/** The symbol by which web3 recognises its providers. */
const WEB3_PROVIDER_MARK = Symbol.for("web3/base-provider")

const makeEvmAdapters = (parts: ClientParts, sendCall: SendCall): EvmAdapters => {
  const { chainId } = Context.get(parts.context, Config).info
  const load = async () => (await import("./libraryBridge.js")).makeEvmRequests(parts, sendCall)
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
      [WEB3_PROVIDER_MARK]: true,
      // the type of a result is for web3 to say
      request: async <A>(payload: Eip1193Request) => (await load()).web3(payload) as Promise<Web3Answer<A>>,
      supportsSubscriptions: () => false
    })
  }
}

const makeSolanaAdapters = (parts: ClientParts, sendCall: SendCall): SolanaAdapters => ({
  kitTransport: () => async (request) =>
    (await import("./libraryBridge.js")).makeSolanaRequest(parts, sendCall)(request)
})

type MakeAdapters<A> = (parts: ClientParts, sendCall: SendCall) => A

const adapters: { readonly [F in keyof Adapters]: MakeAdapters<Adapters[F]> } = {
  evm: makeEvmAdapters,
  "evm-beacon": makeEvmAdapters,
  "evm-native": makeEvmAdapters,
  zksync: makeEvmAdapters,
  solana: makeSolanaAdapters
}

const hasAdapters = (family: string): family is keyof Adapters => Object.hasOwn(adapters, family)

/** Makes the adapters of a client, for a surface that sends calls with `sendCall`. */
export const makeAdapters = (parts: ClientParts): ((sendCall: SendCall) => object) => {
  const { family } = Context.get(parts.context, Config).info
  return hasAdapters(family) ? (sendCall) => adapters[family](parts, sendCall) : () => ({})
}
