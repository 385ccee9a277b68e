/**
 * Extensions and wallet providers: code of the user's own that lives as long as the client.
 *
 * @since 0.1.0
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Network } from "../data/Network.js"
import { ExtensionNotSupported, reasonOf } from "../data/SdkError.js"

/**
 * An extension or wallet provider. Without `supportedNetworks` it goes with every network. `init` runs when the client
 * is made, `destroy` when it ends; both may be asynchronous.
 *
 * @since 0.1.0
 * @category models
 */
export interface Extension {
  readonly name: string
  readonly supportedNetworks?: ReadonlyArray<Network>
  readonly init?: (context: { readonly network: Network }) => void | Promise<void>
  readonly destroy?: () => void | Promise<void>
}

/**
 * A wallet after EIP-1193, as browsers, WalletConnect and others have it. `on` and `removeListener` are for its events.
 *
 * @since 0.1.0
 * @category models
 */
export interface BrowserWallet {
  /** Resolves to the result of the method; rejects with an error that has a `code`. */
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  /** Begins to listen to an event. */
  on?(event: string, listener: (value: unknown) => void): unknown
  /** Ends listening to it. */
  removeListener?(event: string, listener: (value: unknown) => void): unknown
}

/**
 * A wallet provider: an extension that may bring a wallet (EIP-1193), which `sdk.wallet` then uses in place of those of
 * the page. It is looked at when the wallet is first needed, so that `init` may make it.
 *
 * @since 0.1.0
 * @category models
 */
export interface WalletExtension extends Extension {
  readonly provider?: BrowserWallet
}

/** The part of a configuration that extensions need. */
interface Extended {
  readonly extensions: ReadonlyArray<Extension>
  readonly network: Network
}

/** The part of a logger that failures of extensions go to. */
interface Complains {
  readonly error: (message: string) => Effect.Effect<void>
}

/**
 * Refuses extensions that do not support the network, before anything has been started.
 *
 * @since 0.1.0
 * @category operations
 */
export const check = (config: Extended): Effect.Effect<void, ExtensionNotSupported> => {
  const { network } = config
  const refused = config.extensions.find(
    (extension) => extension.supportedNetworks?.includes(network) === false
  )
  return refused === undefined
    ? Effect.void
    : Effect.fail(new ExtensionNotSupported({ extension: refused.name, network }))
}

/** How long an extension may take to end; the client ends without it then. */
const LONGEST_END = "10 seconds"

/**
 * Starts the extensions in their order. They end with the scope, the last first; one whose `init` throws is logged and
 * left out, and does not keep the client or the others from starting.
 *
 * @since 0.1.0
 * @category operations
 */
export const start = (config: Extended, logger: Complains): Effect.Effect<void, never, Scope.Scope> =>
  Effect.forEach(
    config.extensions,
    (extension) => {
      const run = (what: string, action: Effect.Effect<void, string>): Effect.Effect<boolean> =>
        action.pipe(
          Effect.as(true),
          Effect.catchAll((reason) =>
            Effect.as(logger.error(`Extension ${extension.name} failed to ${what}. Error: ${reason}`), false)
          )
        )
      const end = Effect.interruptible(attempt(() => extension.destroy?.())).pipe(
        Effect.timeoutFail({ duration: LONGEST_END, onTimeout: () => `it takes longer than ${LONGEST_END}` })
      )
      return Effect.acquireRelease(
        run(
          "init",
          attempt(() => extension.init?.({ network: config.network }))
        ),
        (started) => (started ? run("destroy", end) : Effect.void)
      )
    },
    { discard: true }
  )

/**
 * An extension as a layer, over the tag of a client. It ends with the layer. The layer fails if the network is not among
 * those that the extension supports.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <Id, S extends { readonly network: Network }>(
  client: Context.Tag<Id, S>,
  extension: Extension
): Layer.Layer<never, ExtensionNotSupported, Id> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const { network } = yield* client
      const only = { network, extensions: [extension] }
      yield* check(only)
      yield* start(only, { error: (line) => Effect.logError(line) })
    })
  )

/** Runs the user's code. Whatever it throws becomes the failure, as text. */
const attempt = (action: () => void | Promise<void>): Effect.Effect<void, string> =>
  Effect.tryPromise({ try: async () => action(), catch: reasonOf })
