/**
 * Makes the client of a command from the command line's options and the environment.
 *
 * @since 0.1.0
 */
import { readFile } from "node:fs/promises"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { NodePoolView } from "../balancer/NodePool.js"
import * as Sdk from "../client/Sdk.js"
import * as SdkConfig from "../config/Config.js"
import { type EthereumListChain, fromEthereumList } from "../config/chainLists.js"
import { parseDefinition } from "../config/defineNetwork.js"
import type { LogSink } from "../config/LogSink.js"
import { PROVIDER_VARIABLE, resolve, resolveWithEnvironment } from "../config/resolveConfig.js"
import { definedRow, findDefinedRow } from "../data/definedNetworks.js"
import * as Network from "../data/Network.js"
import { findNearest } from "../data/nearest.js"
import { findMeantNetwork } from "../data/networkNames.js"
import { type InitError, type InvalidConfig, reasonOf, UnsupportedNetwork } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { layerFetch } from "../http/Http.js"
import type { AddressService } from "../services/Address.js"
import type { DataApiService } from "../services/DataApi.js"
import type { ExplorerService } from "../services/Explorer.js"
import type { FeeService } from "../services/Fee.js"
import type { NotificationService } from "../services/Notification.js"
import type { RatesService } from "../services/Rates.js"
import { type CommandError, makeInputError } from "./Failure.js"
import { escapeControls, printNote } from "./Output.js"
import { readSecretFile } from "./Secrets.js"

/**
 * The options of every command that calls nodes or the provider.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConnectionOptions {
  readonly json: boolean
  readonly node: ReadonlyArray<string>
  readonly provider: Option.Option<string>
  readonly networkFile: Option.Option<string>
  readonly chainId: Option.Option<number>
  readonly apiKeyFile: Option.Option<string>
  readonly timeout: Option.Option<number>
  readonly verbose: boolean
}

/**
 * The client of any network. Services that the network lacks fail with a message.
 *
 * @since 0.1.0
 * @category models
 */
export interface AnyClient {
  readonly network: string
  readonly rpc: Readonly<Record<string, unknown>>
  readonly nodes: NodePoolView
  readonly rates: RatesService
  readonly address: AddressService
  readonly data: DataApiService
  readonly explorer: ExplorerService
  readonly fee: FeeService
  readonly notification: NotificationService
}

/** The environment variable for `--network-file`. */
const NETWORK_FILE_VARIABLE = "EFFECT_CHAINS_NETWORKS"

/** The definition in a file: in the SDK's format, or an entry of ethereum-lists/chains. */
const parseNetworkData = (
  value: unknown,
  id: string | undefined
): Effect.Effect<Network.NetworkDefinition, InvalidConfig> =>
  Effect.try({
    try: () =>
      isRecord(value) && value.nativeCurrency !== undefined
        ? // it is checked as it is read
          fromEthereumList(value as unknown as EthereumListChain, id === undefined ? {} : { id })
        : parseDefinition(value),
    // no other error is possible
    catch: (error) => error as InvalidConfig
  })

/** The networks that a file defines. One without an id gets the requested id. */
const readNetworkFile = (
  file: string,
  wanted: string
): Effect.Effect<ReadonlyArray<Network.NetworkDefinition>, CommandError | InvalidConfig> =>
  Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: () => readFile(file, "utf8"),
      catch: (error) => makeInputError(`The network file cannot be read: ${reasonOf(error)} (--network-file)`)
    })
    const parsed = yield* Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: (error) => makeInputError(`The network file is not JSON: ${reasonOf(error)} (--network-file)`)
    })
    return Array.isArray(parsed)
      ? yield* Effect.forEach(parsed, (value) => parseNetworkData(value, undefined))
      : [yield* parseNetworkData(parsed, wanted)]
  })

/**
 * The network of an id: from the network file, by `--chain-id`, or from the table.
 *
 * @since 0.1.0
 * @category operations
 */
export const findNetwork = (
  id: string,
  options: Pick<ConnectionOptions, "chainId" | "networkFile">
): Effect.Effect<Network.AnyNetwork, CommandError | InvalidConfig | UnsupportedNetwork> =>
  Effect.gen(function* () {
    const file = optionOrVariable(options.networkFile, NETWORK_FILE_VARIABLE)
    const own = file === undefined ? [] : yield* readNetworkFile(file, id)
    const found = own.find((each) => each.id === id)
    if (found !== undefined) return found
    if (Option.isSome(options.chainId)) {
      const { value: chainId } = options.chainId
      const coin = { symbol: "ETH", decimals: 18 }
      return yield* parseNetworkData({ id, family: "evm", chainId, currency: coin }, id)
    }
    if (Network.isNetwork(id)) return id
    const near = findMeantNetwork(id)
    if (near?.isAlias === true && Network.isNetwork(near.network)) return near.network
    const suggestion =
      findNearest(
        id,
        own.map((each) => each.id)
      ) ?? near?.network
    return yield* new UnsupportedNetwork({
      network: id,
      ...(suggestion === undefined ? {} : { suggestion })
    })
  })

/**
 * The table row of a network, or the row of a client's definition.
 *
 * @since 0.1.0
 * @category getters
 */
export const networkInfo = (network: Network.AnyNetwork | string): Network.NetworkInfo => {
  const row = definedRow(network) ?? (typeof network === "string" ? findDefinedRow(network) : undefined)
  // clients exist only for definitions and ids of the table
  return row ?? Network.info(network as Network.Network)
}

/** Writes log lines to standard error, since they are no results. */
const logSink: LogSink = {
  trace: (line) => Effect.runSync(printNote(escapeControls(line))),
  debug: (line) => Effect.runSync(printNote(escapeControls(line))),
  info: (line) => Effect.runSync(printNote(escapeControls(line))),
  warn: (line) => Effect.runSync(printNote(escapeControls(line))),
  error: (line) => Effect.runSync(printNote(escapeControls(line)))
}

const toCommandError = (error: ConfigError): CommandError =>
  makeInputError(`The environment is invalid: ${String(error)}`)

/** The environment variable for `--api-key-file`. */
const KEY_FILE_VARIABLE = "TATUM_API_KEY_FILE"

const optionOrVariable = (option: Option.Option<string>, variable: string): string | undefined =>
  Option.getOrUndefined(option) ?? (process.env[variable] || undefined)

/**
 * The configuration of a client. Options take precedence over the environment (`TATUM_…`). Without `--provider`, the
 * client itself reads the provider of the environment, as in any program.
 *
 * @since 0.1.0
 * @category operations
 */
export const makeConfig = <N extends Network.AnyNetwork>(
  network: N,
  options: ConnectionOptions
): Effect.Effect<SdkConfig.SdkConfig<N, "eventual">, CommandError> =>
  Effect.gen(function* () {
    const environment = yield* Effect.mapError(SdkConfig.fromEnvironment(), toCommandError)
    const keyFile = optionOrVariable(options.apiKeyFile, KEY_FILE_VARIABLE)
    const provider = Option.getOrUndefined(options.provider)
    const timeout = Option.getOrUndefined(options.timeout)
    return {
      ...environment,
      network,
      quiet: !options.verbose,
      verbose: options.verbose,
      logger: logSink,
      ...(keyFile === undefined ? {} : { apiKey: yield* readSecretFile(keyFile) }),
      ...(provider === undefined ? {} : { provider }),
      ...(timeout === undefined ? {} : { timeout: timeout * 1_000, attemptTimeout: timeout * 1_000 }),
      ...(options.node.length === 0 ? {} : { rpc: { nodes: options.node.map((url) => ({ url })) } })
    }
  })

/** Says that the environment names another provider. The client says so itself only if it is verbose. */
const noteProvider = (
  config: SdkConfig.SdkConfig,
  { json, verbose }: ConnectionOptions
): Effect.Effect<void, InvalidConfig | UnsupportedNetwork> =>
  Effect.flatMap(resolveWithEnvironment(config, resolve), ({ baseUrl, isMoved }) =>
    isMoved && !json && !verbose
      ? printNote(escapeControls(`The provider is ${baseUrl} (${PROVIDER_VARIABLE}).`))
      : Effect.void
  )

/**
 * Makes the client of a network, which ends with the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const connect = (
  id: string,
  options: ConnectionOptions
): Effect.Effect<AnyClient, CommandError | InitError, Scope.Scope> =>
  Effect.gen(function* () {
    const network = yield* findNetwork(id, options)
    const config = yield* makeConfig(network, options)
    yield* noteProvider(config, options)
    const sdk: unknown = yield* Effect.provide(Sdk.makeHttp(config), layerFetch)
    // the clients of all networks have these members, but their types depend on the network
    return sdk as AnyClient
  })
