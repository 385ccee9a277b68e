// declarations say so too: an application has this library only if it names it
/// <reference lib="esnext.disposable" preserve="true" />
import type { NodeSnapshot } from "../balancer/NodePool.js"
import type { Listen } from "../balancer/Observation.js"
import type { Consistency } from "../config/Config.js"
import type { Credits } from "../data/credits.js"
import type { AnyNetwork, IdOf } from "../data/Network.js"
import type { PickedEndpoints, Promised, WithErrors } from "../transport/Client.js"
import type { LayerConfig, Layers } from "../transport/layerStack.js"
import type { OptionError, QuorumOptions } from "../wire/Transport.js"
import type { PickOptions, UnpickedOption } from "./picked.js"
import type { InitConfig, LayeredCallOptions } from "./promiseSurface.js"

/**
 * The configuration of a client of picked endpoints on the Promise surface, with the `fetch` to send with (default:
 * the global one).
 *
 * @since 0.1.0
 * @category models
 */
export type PickedInitConfig<
  N extends AnyNetwork,
  C extends Consistency,
  G extends PickedEndpoints,
  L extends Layers
> = PickOptions<N, G> & LayerConfig<L> & Omit<InitConfig<N, C>, UnpickedOption | keyof Layers>

/**
 * A client of picked endpoints on the Promise surface. `More` are the further errors of reads, which the options
 * `quorum` and `minBlock` and the consistency `"monotonic"` add.
 *
 * @since 0.1.0
 * @category clients
 */
export interface PromisePickedClient<N extends AnyNetwork, Rpc, L extends Layers, More = never>
  extends AsyncDisposable {
  readonly network: IdOf<N>
  /** The picked calls of the network's nodes. */
  readonly rpc: Promised<WithErrors<Rpc, More>>
  /** The current state of the nodes. */
  readonly nodes: () => ReadonlyArray<NodeSnapshot>
  /** Checks all nodes now. */
  readonly checkNodes: () => Promise<void>
  /** Calls the listener with each event of the nodes. Call the returned function to stop. */
  readonly listen: Listen
  /** The credits that the client has spent, or undefined without the option `quota`. */
  readonly credits: () => Credits | undefined
  /** Returns the same client with these options for its calls. */
  readonly with: <Q extends QuorumOptions = never, M extends bigint | number = never>(
    options: LayeredCallOptions<L, Q, M>
  ) => PromisePickedClient<N, Rpc, L, More | OptionError<Q, M>>
  /** Ends the client: its checks, timers and calls in flight. It always resolves. */
  readonly destroy: () => Promise<void>
}
