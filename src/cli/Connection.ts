/**
 * The client of a command: from the options of the command line and the environment.
 *
 * @since 0.1.0
 */
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { NodePoolView } from "../balancer/NodePool.js"
import * as Sdk from "../client/Sdk.js"
import * as Config from "../config/Config.js"
import type { LogSink } from "../config/LogSink.js"
import * as Network from "../data/Network.js"
import { meant } from "../data/names.js"
import { type InitError, UnsupportedNetwork } from "../data/SdkError.js"
import { layerFetch } from "../http/Http.js"
import type { AddressService } from "../services/Address.js"
import type { FeeService } from "../services/Fee.js"
import type { NotificationService } from "../services/Notification.js"
import type { RatesService } from "../services/Rates.js"
import { type CommandError, wrong } from "./Failure.js"
import { note, printable } from "./Output.js"
import { fromFile } from "./Secrets.js"

/**
 * The options of every command that asks nodes or the provider.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConnectionOptions {
  readonly json: boolean
  readonly node: ReadonlyArray<string>
  readonly provider: Option.Option<string>
  readonly apiKeyFile: Option.Option<string>
  readonly timeout: Option.Option<number>
  readonly verbose: boolean
}

/**
 * The client of any network. Services that a network lacks fail, and say so.
 *
 * @since 0.1.0
 * @category models
 */
export interface AnyClient {
  readonly network: Network.Network
  readonly rpc: Readonly<Record<string, unknown>>
  readonly nodes: NodePoolView
  readonly rates: RatesService
  readonly address: AddressService
  readonly fee: FeeService
  readonly notification: NotificationService
}

/**
 * The id of a network, if it is one.
 *
 * @since 0.1.0
 * @category operations
 */
export const networkOf = (id: string): Effect.Effect<Network.Network, UnsupportedNetwork> => {
  if (Network.isNetwork(id)) return Effect.succeed(id)
  const found = meant(id)
  return found?.isAlias === true && Network.isNetwork(found.network)
    ? Effect.succeed(found.network)
    : Effect.fail(
        new UnsupportedNetwork({
          network: id,
          ...(found === undefined ? {} : { suggestion: found.network })
        })
      )
}

/** Log lines are no results. */
const sink: LogSink = {
  trace: (line) => Effect.runSync(note(printable(line))),
  debug: (line) => Effect.runSync(note(printable(line))),
  info: (line) => Effect.runSync(note(printable(line))),
  warn: (line) => Effect.runSync(note(printable(line))),
  error: (line) => Effect.runSync(note(printable(line)))
}

const misread = (error: ConfigError): CommandError =>
  wrong(`The environment cannot be used: ${String(error)}`)

/** The variable that stands for `--provider`. */
const PROVIDER = "EFFECT_CHAINS_PROVIDER"
/** The variable that stands for `--api-key-file`. */
const KEY_FILE = "TATUM_API_KEY_FILE"

const given = (option: Option.Option<string>, variable: string): string | undefined =>
  Option.getOrUndefined(option) ?? (process.env[variable] || undefined)

/** A provider of one's own, such as the sandbox: everything is at its url. */
const providerOf = (url: string): Effect.Effect<NonNullable<Config.SdkConfig["provider"]>, CommandError> =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    ? Effect.succeed({ baseUrl: url, nodeListUrl: url, domain: new URL(url).hostname })
    : Effect.fail(wrong('A provider is an http url such as "http://127.0.0.1:4100" (--provider)'))

/**
 * The configuration of a client, by the environment (`TATUM_…`) and the options, which go before it.
 *
 * @since 0.1.0
 * @category operations
 */
export const configOf = <N extends Network.Network>(
  network: N,
  options: ConnectionOptions
): Effect.Effect<Config.SdkConfig<N, "eventual">, CommandError> =>
  Effect.gen(function* () {
    const environment = yield* Effect.mapError(Config.fromEnvironment(), misread)
    const keyFile = given(options.apiKeyFile, KEY_FILE)
    const provider = given(options.provider, PROVIDER)
    const timeout = Option.getOrUndefined(options.timeout)
    return {
      ...environment,
      network,
      quiet: !options.verbose,
      verbose: options.verbose,
      logger: sink,
      ...(keyFile === undefined ? {} : { apiKey: yield* fromFile(keyFile) }),
      ...(provider === undefined ? {} : { provider: yield* providerOf(provider) }),
      ...(timeout === undefined ? {} : { timeout: timeout * 1_000, attemptTimeout: timeout * 1_000 }),
      ...(options.node.length === 0 ? {} : { rpc: { nodes: options.node.map((url) => ({ url })) } })
    }
  })

/**
 * Makes the client of a network, which lives as long as the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const connect = (
  id: string,
  options: ConnectionOptions
): Effect.Effect<AnyClient, CommandError | InitError, Scope.Scope> =>
  Effect.gen(function* () {
    const network = yield* networkOf(id)
    const sdk: unknown = yield* Effect.provide(
      Effect.flatMap(configOf(network, options), (config) => Sdk.make(config)),
      layerFetch
    )
    // the clients of all networks have these members, which no type of theirs says without the network's id
    return sdk as AnyClient
  })
