/**
 * Loaders of the services and subscriptions of the Effect surface, one chunk each: an application on Effect already
 * has most of what they need. The Promise surface loads one chunk with all of them, `lazyServices.ts`.
 */
import * as Effect from "effect/Effect"
import { loadOnce } from "../data/loadOnce.js"
import type { Gateway } from "../services/Gateway.js"
import type { LoadService, ServiceContext } from "../services/internal/load.js"
import type { Services } from "../services/Services.js"

type ServiceModule = { readonly make: Effect.Effect<object, never, Gateway | ServiceContext> }

const serviceModules: { readonly [S in keyof Services]: () => Promise<ServiceModule> } = {
  address: () => import("../services/Address.js"),
  contract: () => import("../services/Contract.js"),
  data: () => import("../services/DataApi.js"),
  explorer: () => import("../services/Explorer.js"),
  fee: () => import("../services/Fee.js"),
  ipfs: () => import("../services/Storage.js"),
  nft: () => import("../services/Nft.js"),
  notification: () => import("../services/Notification.js"),
  provider: () => import("../services/Provider.js"),
  rates: () => import("../services/Rates.js"),
  token: () => import("../services/Token.js"),
  wallet: () => import("../services/WalletProvider.js")
}

const loadServiceBase = () => import("./serviceBase.js")

/** Loads a service with its gateway. */
export const loadService: LoadService = async (name) => {
  const [{ make }, { Gateway, currentGateway }] = await Promise.all([
    serviceModules[name](),
    loadServiceBase()
  ])
  return { make, Gateway, currentGateway }
}

/** Loads subscriptions. */
export const loadStreams = loadServiceBase

/** Loads the code that starts extensions. */
export const loadExtensions = /*#__PURE__*/ loadOnce(() => import("./extensions.js"), Effect.succeed)
