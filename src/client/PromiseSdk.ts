/** The full client on the Promise surface: nodes, subscriptions, adapters and services. */
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { AnyNetworkOf } from "../chains/registry.js"
import type { Consistency, ConsistencyError } from "../config/Config.js"
import type { Extension } from "../config/Extension.js"
import { failure, type Result } from "../data/CallResult.js"
import { loadOnce } from "../data/loadOnce.js"
import type { AnyNetwork, FamilyId, Network } from "../data/Network.js"
import { type ExtensionFailed, type LoadError, Unexpected } from "../data/SdkError.js"
import { type LoadService, makeServices } from "../services/internal/load.js"
import type { ServicesOf } from "../services/Services.js"
import type {
  PollingDelay,
  SubscriptionOptions,
  Subscriptions,
  WithSubscriptions
} from "../subscriptions/Subscription.js"
import type { Promised, WithErrors } from "../transport/Client.js"
import { layers } from "../transport/layersOnDemand.js"
import type { OptionError, QuorumOptions } from "../wire/Transport.js"
import type { AdaptersOf } from "./adapters/Adapter.js"
import { makeAdapters } from "./adapters/lazyAdapters.js"
import { makeAllNetworksSource, makeSourceLoadingRows } from "./allNetworks.js"
import { type Families, makeFamilySource } from "./clientParts.js"
import type { ExtendedParts } from "./extendedClient.js"
import { makeSubscribe, pinFilters } from "./lazySubscriptions.js"
import {
  type InitConfig,
  type InitRpc,
  type MakeAdditions,
  makePromiseClient,
  type PromiseCallOptions,
  type PromiseRpcSdk,
  type RunCall
} from "./promiseSurface.js"
import type { StreamItems } from "./streamItems.js"

/** Loads services, subscriptions and lists, with the first use of any of them. */
const loadLazyServices = () => import("./lazyServices.js")

const loadExtensions = /*#__PURE__*/ loadOnce(loadLazyServices, Effect.succeed)

/**
 * {@link Subscriptions} as async iterables of results. Leaving the loop ends the subscription.
 *
 * @since 0.1.0
 * @category types
 */
export type PromiseSubscriptions<More = never> = {
  readonly [F in keyof Subscriptions]: Promised<
    WithErrors<Subscriptions<SubscriptionOptions<PollingDelay>>[F], More>
  >
}

/**
 * The client of a network on the Promise surface: the calls of its nodes, their subscriptions, and the services of
 * the network. `More` are the further errors of reads, which the options `quorum` and `minBlock` and the consistency
 * `"monotonic"` add.
 *
 * @since 0.1.0
 * @category models
 */
export type PromiseSdk<N extends AnyNetwork = Network, More = never> = Omit<PromiseRpcSdk<N, More>, "with"> &
  Promised<WithErrors<ServicesOf<N, string>, More>> & {
    /** Calls of the network's nodes, subscriptions, and adapters for other libraries. */
    readonly rpc: WithSubscriptions<N, PromiseSubscriptions<More>> & AdaptersOf<N>
    /** Returns what the `init` of an extension returned. Give the object that is in the configuration. */
    readonly extension: <H>(extension: Extension<never, H>) => Promise<Result<H, ExtensionFailed | LoadError>>
    /**
     * Returns the same client with these options for its calls. Errors that an option adds are in the types of its
     * reads.
     */
    readonly with: <Q extends QuorumOptions = never, M extends bigint | number = never>(
      options: PromiseCallOptions<Q, M>
    ) => PromiseSdk<N, More | OptionError<Q, M>>
  }

/**
 * Makes the Promise client of a network.
 *
 * @since 0.1.0
 * @category models
 */
export type Init<N extends AnyNetwork> = <const M extends N, C extends Consistency = "eventual">(
  config: InitConfig<M, C>
) => Promise<PromiseSdk<M, ConsistencyError<C>>>

const DONE = { done: true, value: undefined } as const

/**
 * Converts a stream to an async iterable of results. It ends after the first ERROR, and at once when the loop is
 * left, even while it waits for an item. The first iteration loads what runs streams.
 */
const toAsyncIterable = (
  run: RunCall,
  stream: Effect.Effect<Stream.Stream<unknown, Error>, Error>
): AsyncIterable<Result<unknown, Error>> => ({
  [Symbol.asyncIterator]() {
    let isOver = false
    let pull: Promise<StreamItems<unknown, Error>> | undefined
    let previousStep: Promise<unknown> = Promise.resolve()
    const load = async () => (await loadLazyServices()).openStreamItems(stream)
    const end = async (): Promise<void> => {
      isOver = true
      await (await pull)?.end()
    }
    const step = async (): Promise<IteratorResult<Result<unknown, Error>, undefined>> => {
      if (isOver) return DONE
      try {
        pull ??= load()
        const next = await run((await pull).next)
        // it was left in the meantime
        if (isOver) return DONE
        if (next.status === "SUCCESS" && next.data._tag === "Some") {
          return { done: false, value: { ...next, data: next.data.value } }
        }
        await end()
        return next.status === "ERROR" ? { done: false, value: next } : DONE
      } catch (defect) {
        isOver = true
        return { done: false, value: failure(new Unexpected({ defect })) }
      }
    }
    return {
      next: () => {
        const next = previousStep.then(step)
        previousStep = next
        return next
      },
      return: async () => {
        await end().catch(() => {})
        return DONE
      }
    }
  }
})

const loadService: LoadService = async (name) => {
  const { [name]: make, Gateway, currentGateway } = await loadLazyServices()
  return { make, Gateway, currentGateway }
}

/** The parts of a client besides its nodes: subscriptions, adapters, and services, which are loaded when they are called. */
const makeAdditions = (parts: ExtendedParts): MakeAdditions => {
  const subscriptions = makeSubscribe(parts, loadLazyServices)
  const adapters = makeAdapters(parts)
  const services = makeServices(parts.context, loadService)
  return (run) => ({
    members: {
      extension: (extension: Extension<never>) => run(parts.extension(extension)),
      ...services({
        call: run,
        stream: (method, args) =>
          toAsyncIterable(
            run,
            Effect.map(method, (call) => call(...args) as Stream.Stream<unknown, Error>)
          )
      })
    },
    rpc: { ...subscriptions((stream) => toAsyncIterable(run, stream)), ...adapters(run) }
  })
}

const allNetworks = /*#__PURE__*/ makeAllNetworksSource(loadExtensions, pinFilters)

/**
 * Makes the client of a network. Its type follows from the network's id. Rejects with a tagged error if the
 * configuration is invalid, the network unknown or an extension refused, and for no other reason.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<AnyNetwork> = /*#__PURE__*/ makePromiseClient(() => allNetworks, makeAdditions)

/** Loads the rows of all networks. */
const loadAllRows = /*#__PURE__*/ loadOnce(
  () => import("../data/rows.js"),
  (rows) => Effect.succeed(Object.values(rows))
)

/**
 * Makes Promise clients of the given families, without services: for builds without code splitting. Import families
 * from `./chains/*`: those of `./effect/chains/*` run on Effect, and Promise clients on the smaller runtime of `src/lean`.
 * Rejects with `InvalidConfig` for a network of another family.
 *
 * @since 0.1.0
 * @category constructors
 */
export const initWith = <F extends FamilyId>(families: Families<F>): InitRpc<AnyNetworkOf<F>> =>
  makePromiseClient((config, otherEntries) =>
    makeSourceLoadingRows(
      (networks) => makeFamilySource(families, networks, layers)(config, otherEntries),
      () => loadAllRows
    )
  )
