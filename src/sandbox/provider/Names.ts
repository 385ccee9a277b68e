/**
 * Names from the registry on the chain.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { v4Routes } from "../../data/v4Routes.js"
import { group, type NameQuery } from "../api/Names.js"
import { makeInvalid, makeUnavailable } from "../api/Refusal.js"
import { hasNames, normalizeName, resolveEnsName } from "../Names.js"
import type { Nodes } from "../Nodes.js"
import { SandboxError } from "../SandboxError.js"
import type { Store } from "../Store.js"
import { type DataSources, loadSources, type Metadata } from "./Data.js"
import { failInvalid, findServedPlace } from "./Served.js"

const resolveName = (index: DataSources, query: typeof NameQuery.Type) =>
  Effect.gen(function* () {
    const { chain, network, rpc } = yield* findServedPlace(index, v4Routes.name, query, "evm", "solana")
    if (!hasNames(network))
      return yield* Effect.fail(
        makeInvalid(
          "chain.not.supported",
          "The sandbox has the names of ENS alone, which are on ethereum-mainnet"
        )
      )
    const normal = yield* normalizeName(query.name)
    if (normal === undefined) return yield* failInvalid("name must be a name, such as alice.eth")
    const address = yield* resolveEnsName(rpc, normal)
    return [{ address: address ?? "", chain, name: normal, resolved: address !== undefined }]
  })

const api = HttpApi.make("provider").add(group)

/**
 * Names of ENS.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  HttpApiGroup.ApiGroup<"provider", "names">,
  never,
  Metadata | Nodes | Store
> = HttpApiBuilder.group(api, "names", (handlers) =>
  Effect.map(loadSources, (index) =>
    handlers.handle("name", ({ urlParams }) =>
      Effect.mapError(resolveName(index, urlParams), (error) =>
        error instanceof SandboxError ? makeUnavailable(error.message) : error
      )
    )
  )
)
