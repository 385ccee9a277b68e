/**
 * Extensions and wallet providers: the user's code that starts and ends with a client.
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
 * An extension or wallet provider. Without `supportedNetworks` it supports every network. `init` runs when the client
 * is made and gets the client (`ExtensionContext` of `effect-chains/promise`); `sdk.extension(…)` returns what it
 * returned. `destroy` runs when the client ends. Both may be asynchronous.
 *
 * @since 0.1.0
 * @category models
 */
export interface Extension<C extends NetworkContext = NetworkContext, out Handle = unknown> {
  readonly name: string
  /** Ids of the table, or of definitions. */
  readonly supportedNetworks?: ReadonlyArray<Network | (string & {})>
  // a method, so that an extension of some networks can be given to clients of these
  init?(context: C): Handle | Promise<Handle>
  readonly destroy?: () => void | Promise<void>
}

/** The network of a client. */
interface NetworkContext {
  readonly network: string
}

/**
 * A wallet (EIP-1193) of a browser, WalletConnect or others.
 *
 * @since 0.1.0
 * @category models
 */
export interface BrowserWallet {
  /** Resolves to the result of the method; rejects with an error that has a `code`. */
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  /** Adds a listener of an event. */
  on?(event: string, listener: (value: unknown) => void): unknown
  /** Removes a listener of an event. */
  removeListener?(event: string, listener: (value: unknown) => void): unknown
}

/**
 * A wallet provider: an extension with a wallet (EIP-1193), which `sdk.wallet` uses in place of the page's wallets.
 * `provider` is read when the wallet is first needed, so `init` may set it. For other families, `init` returns a
 * signer.
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

/** The part of a logger that extensions need. */
interface ErrorLogger {
  readonly error: (message: string) => Effect.Effect<void>
}

/**
 * Fails if an extension does not support the network. Runs before anything starts.
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

/** The longest wait for `destroy` of an extension. The client ends without it then. */
const DESTROY_TIMEOUT_MS = 10_000

/**
 * What each extension's `init` returned, or its failure.
 *
 * @since 0.1.0
 * @category models
 */
export type StartedExtensions = ReadonlyMap<Extension, Effect.Effect<unknown, ExtensionFailed>>

/**
 * Starts extensions in order. They end with the scope, the last one first. If `init` throws, the failure is logged,
 * and the client and other extensions start without it.
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
  /** Runs `init`. Returns the effect that destroys the extension. */
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
 * Returns what the `init` of an extension returned.
 *
 * @since 0.1.0
 * @category getters
 */
export const handleOf = <H>(
  started: StartedExtensions | null,
  extension: Extension<never, H>
): Effect.Effect<H, ExtensionFailed> => {
  const handle = started?.get(extension)
  // it is what this extension's init returned
  if (handle !== undefined) return handle as Effect.Effect<H, ExtensionFailed>
  const reason = "the configuration has no such extension"
  return Effect.fail(new ExtensionFailed({ extension: extension.name, reason }))
}

/** Starts an extension with the client of a tag. It ends with the scope. */
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
 * The layer of an extension over the client of a tag, which its `init` gets. It ends with the layer. Fails if the
 * extension does not support the network.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <Id, S extends NetworkContext>(
  client: Context.Tag<Id, S>,
  extension: Extension<NoInfer<S>>
): Layer.Layer<never, ExtensionNotSupported, Id> => Layer.scopedDiscard(startWithTag(client, extension))

/**
 * The layer of what an extension's `init` returns, under your tag, over the client of another tag. Fails if the
 * extension does not support the network, or if its `init` fails.
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

/** Runs the user's code. Fails with the text of what it throws. */
const runUserCode = <A>(action: () => Promise<A>): Effect.Effect<A, string> =>
  Effect.tryPromise({ try: action, catch: reasonOf })
