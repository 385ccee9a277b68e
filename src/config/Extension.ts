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
import { ExtensionFailed, ExtensionNotSupported, reasonOf } from "../data/SdkError.js"

/**
 * An extension or wallet provider. Without `supportedNetworks` it goes with every network. `init` runs when the client is made and is
 * given the client (`ExtensionContext` of `effect-chains/promise`); what it returns is the extension's handle, which
 * `sdk.extension(…)` gives. `destroy` runs when the client ends. Both may be asynchronous.
 *
 * @since 0.1.0
 * @category models
 */
export interface Extension<C extends NetworkContext = NetworkContext, out Handle = unknown> {
  readonly name: string
  /** Ids of the table, or of definitions. */
  readonly supportedNetworks?: ReadonlyArray<Network | (string & {})>
  // a method: an extension of some networks is one for the clients of these
  init?(context: C): Handle | Promise<Handle>
  readonly destroy?: () => void | Promise<void>
}

/** What every extension is told. */
interface NetworkContext {
  readonly network: string
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
 * A wallet provider: an extension that may bring a wallet (EIP-1193), which `sdk.wallet` then uses in place of those of the page. It
 * is looked at when the wallet is first needed, so that `init` may make it. One of another family has a signer as its handle.
 *
 * @since 0.1.0
 * @category models
 */
export interface WalletExtension<C extends NetworkContext = NetworkContext, out Handle = unknown>
  extends Extension<C, Handle> {
  readonly provider?: BrowserWallet
}

/** The part of a configuration that extensions need. */
interface ExtensionConfig {
  readonly extensions: ReadonlyArray<Extension>
  readonly network: string
}

/** The part of a logger that failures of extensions go to. */
interface ErrorLogger {
  readonly error: (message: string) => Effect.Effect<void>
}

/**
 * A configuration, unless one of its extensions does not support the network: before anything has been started.
 *
 * @since 0.1.0
 * @category operations
 */
export const check = <C extends ExtensionConfig>(config: C): Effect.Effect<C, ExtensionNotSupported> => {
  const { extensions, network } = config
  const refused = extensions.find(({ supportedNetworks }) => supportedNetworks?.includes(network) === false)
  return refused === undefined
    ? Effect.succeed(config)
    : Effect.fail(new ExtensionNotSupported({ extension: refused.name, network }))
}

/** The milliseconds that an extension may take to end; the client ends without it then. */
const DESTROY_TIMEOUT_MS = 10_000

/**
 * The handles of extensions that were to start.
 *
 * @since 0.1.0
 * @category models
 */
export type StartedExtensions = ReadonlyMap<Extension, Effect.Effect<unknown, ExtensionFailed>>

/**
 * Starts the extensions in their order. They end with the scope, the last first; one whose `init` throws is logged and
 * left out, and does not keep the client or the others from starting.
 *
 * @since 0.1.0
 * @category operations
 */
export const start = (
  extensions: ReadonlyArray<Extension>,
  context: NetworkContext,
  logger: ErrorLogger
): Effect.Effect<StartedExtensions, never, Scope.Scope> => {
  const logFailure = ({ name }: Extension, what: string, reason: string): Effect.Effect<void> =>
    logger.error(`Extension ${name} failed to ${what}. Error: ${reason}`)
  const destroyExtension = (extension: Extension): Effect.Effect<void> =>
    Effect.interruptible(runUserCode(async () => extension.destroy?.())).pipe(
      Effect.timeoutFail({
        duration: DESTROY_TIMEOUT_MS,
        onTimeout: () => `it takes longer than ${DESTROY_TIMEOUT_MS / 1_000} seconds`
      }),
      Effect.catchAll((reason) => logFailure(extension, "destroy", reason))
    )
  const started = new Map<Extension, Effect.Effect<unknown, ExtensionFailed>>()
  /** It yields what ends the extension. */
  const initExtension = (extension: Extension): Effect.Effect<Effect.Effect<void>> =>
    Effect.matchEffect(
      runUserCode(async () => extension.init?.(context)),
      {
        onFailure: (reason) => {
          started.set(extension, Effect.fail(new ExtensionFailed({ extension: extension.name, reason })))
          return Effect.as(logFailure(extension, "init", reason), Effect.void)
        },
        onSuccess: (handle) => {
          started.set(extension, Effect.succeed(handle))
          return Effect.succeed(destroyExtension(extension))
        }
      }
    )
  return Effect.as(
    Effect.forEach(
      extensions,
      (extension) => Effect.acquireRelease(initExtension(extension), (ending) => ending),
      {
        discard: true
      }
    ),
    started
  )
}

/**
 * The handle of an extension, if it has started.
 *
 * @since 0.1.0
 * @category getters
 */
export const handleOf = <H>(
  started: StartedExtensions | null,
  extension: Extension<never, H>
): Effect.Effect<H, ExtensionFailed> => {
  const handle = started?.get(extension)
  // it is what the extension's own init has returned
  if (handle !== undefined) return handle as Effect.Effect<H, ExtensionFailed>
  const reason = "the configuration has no such extension"
  return Effect.fail(new ExtensionFailed({ extension: extension.name, reason }))
}

/** An extension that starts with the client of a tag, and ends with the scope. */
const startWithTag = <Id, S extends NetworkContext>(
  client: Context.Tag<Id, S>,
  extension: Extension<NoInfer<S>>
) =>
  Effect.gen(function* () {
    const sdk = yield* client
    yield* check({ network: sdk.network, extensions: [extension] })
    return yield* start([extension], sdk, { error: (line) => Effect.logError(line) })
  })

/**
 * An extension as a layer, over the tag of a client: its `init` is given that client. It ends with the layer. The layer fails if the
 * network is not among those that the extension supports.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <Id, S extends NetworkContext>(
  client: Context.Tag<Id, S>,
  extension: Extension<NoInfer<S>>
): Layer.Layer<never, ExtensionNotSupported, Id> => Layer.scopedDiscard(startWithTag(client, extension))

/**
 * The handle of an extension as a layer under a tag of yours, over the tag of a client. The layer fails if the extension does not
 * support the network, and if its `init` fails.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerHandle = <Self, H, Id, S extends NetworkContext>(
  tag: Context.Tag<Self, H>,
  client: Context.Tag<Id, S>,
  extension: Extension<NoInfer<S>, H>
): Layer.Layer<Self, ExtensionNotSupported | ExtensionFailed, Id> =>
  Layer.scoped(
    tag,
    Effect.flatMap(startWithTag(client, extension), (started) => handleOf(started, extension))
  )

/** Runs the user's code. Whatever it throws becomes the failure, as text. */
const runUserCode = <A>(action: () => Promise<A>): Effect.Effect<A, string> =>
  Effect.tryPromise({ try: action, catch: reasonOf })
