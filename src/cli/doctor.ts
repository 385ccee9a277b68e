/**
 * `effect-chains doctor`: finds problems of the setup, and says what to do.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { PoolEvent } from "../balancer/Observation.js"
import { CHAIN_CHECK } from "../balancer/Outcome.js"
import * as CallOptions from "../config/CallOptions.js"

import { PROVIDER_VARIABLE, resolve, resolveWithEnvironment } from "../config/resolveConfig.js"
import { findNearest } from "../data/nearest.js"
import { displayUrl } from "../data/SdkError.js"
import type { RawRpc } from "../transport/Client.js"
import { type AnyClient, type ConnectionOptions, connect, findNetwork, makeConfig } from "./Connection.js"
import { CommandError } from "./Failure.js"
import { escapeControls, formatJson, print, type Tone, withTone } from "./Output.js"
import { type CheckResult, checkPeers, checkRuntime } from "./PackageChecks.js"

const STATE_SIGNS = { good: "✓", note: "·", careful: "!", bad: "✗" } as const
const STATE_TONES = { good: "good", note: "faint", careful: "careful", bad: "bad" } satisfies Record<
  string,
  Tone
>

const formatCheck = ({ part, message, state, remedy }: CheckResult): string =>
  `${withTone(STATE_TONES[state], STATE_SIGNS[state])} ${withTone("faint", part.padEnd("configuration".length))}  ${escapeControls(message)}${remedy === undefined ? "" : `\n  ${" ".repeat("configuration".length)}  → ${escapeControls(remedy)}`}`

/** The environment variables that clients and this program read. */
const KNOWN_VARIABLES = [
  ...[
    "API_KEY",
    "API_KEY_V3",
    "API_KEY_V4",
    "API_KEY_FILE",
    "VERSION",
    "NODES",
    "RETRY_COUNT",
    "RETRY_DELAY"
  ],
  ...["TIMEOUT", "ATTEMPT_TIMEOUT", "QUIET", "VERBOSE", "URL"]
]
  .map((name) => `TATUM_${name}`)
  .concat(PROVIDER_VARIABLE)

const checkEnvironment = (): ReadonlyArray<CheckResult> => {
  const set = Object.keys(process.env).filter(
    (name) => name.startsWith("TATUM_") || name === PROVIDER_VARIABLE
  )
  const known = set.filter((name) => KNOWN_VARIABLES.includes(name))
  return [
    {
      part: "configuration",
      state: "note",
      message:
        known.length === 0
          ? "no environment variable is set"
          : `set in the environment: ${known.sort().join(", ")}`
    },
    ...set
      .filter((name) => !KNOWN_VARIABLES.includes(name))
      .map((name): CheckResult => {
        const near = findNearest(name, KNOWN_VARIABLES)
        return {
          part: "configuration",
          state: "careful",
          message: `${name} is set, but nothing reads it`,
          remedy: near === undefined ? `there are ${KNOWN_VARIABLES.join(", ")}` : `did you mean ${near}?`
        }
      })
  ]
}

/** Checks the key with a rate, which every key may read. */
const checkKey = (client: AnyClient, isThere: boolean): Effect.Effect<CheckResult> =>
  Effect.match(client.rates.getCurrentRate("BTC", "USD"), {
    onSuccess: (): CheckResult =>
      isThere
        ? { part: "key", state: "good", message: "the provider accepts the key" }
        : {
            part: "key",
            state: "note",
            message: "there is no key, so the provider limits the requests",
            remedy: "set TATUM_API_KEY, or TATUM_API_KEY_FILE to a file that only you can read"
          },
    onFailure: (error): CheckResult => {
      const status = error._tag === "GatewayError" ? error.status : undefined
      if (status === 401 || status === 403)
        return {
          part: "key",
          state: "bad",
          message: `the provider refuses ${isThere ? "the key" : "requests without a key"}: ${error.message}`,
          remedy:
            "check the key in the provider's dashboard: it may belong to another account or have expired"
        }
      return {
        part: "key",
        state: status === 429 ? "careful" : "bad",
        message: `the provider's answer is wrong: ${error.message}`,
        remedy:
          status === 429
            ? "the key's quota is used up: wait, or upgrade the plan"
            : "check that this machine can reach the provider (proxy, firewall, --provider, TATUM_URL)"
      }
    }
  })

const adviseOn = (reason: string): string =>
  // if the check itself failed, the chain may still be right
  /chain/i.test(reason.replace(`${CHAIN_CHECK}: `, ""))
    ? "the node serves another network: correct its url, or the network"
    : /40[13]|unauthori|forbidden/i.test(reason)
      ? "the node needs a key: add it to the url in TATUM_NODES, or to headers in code"
      : /429|rate/i.test(reason)
        ? "the node limits requests: use a key of its own, or more nodes"
        : "check that the node runs, and that this machine can reach it"

/** The error of a configured node, from a call to it alone. */
const findNodeError = ({ rpc }: AnyClient, url: string): Effect.Effect<string | undefined> =>
  // a member of every client; EVM nodes know the method, and the others answer with their own error
  (rpc.rawRpcCall as RawRpc["rawRpcCall"])({ jsonrpc: "2.0", id: 1, method: "eth_chainId" }).pipe(
    CallOptions.with({ node: url }),
    Effect.match({
      onSuccess: () => undefined,
      onFailure: (error) =>
        "reason" in error && typeof error.reason === "string" ? error.reason : error.message
    })
  )

/** Checks every node of the pool. A failed one has its reason. */
const checkNodes = (
  client: AnyClient,
  own: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<CheckResult>> =>
  Effect.gen(function* () {
    const { nodes } = client
    const reasons = new Map<string, string>()
    const recordFailure = (event: PoolEvent): void => {
      if (event._tag === "Failed") reasons.set(event.url, event.reason)
    }
    const stop = nodes.listen(recordFailure)
    yield* Effect.ensuring(nodes.check, Effect.sync(stop))
    const all = yield* nodes.snapshot
    for (const { failed, url } of all) {
      const full = own.find((each) => displayUrl(each) === url)
      const why = failed && full !== undefined ? yield* findNodeError(client, full) : undefined
      if (why !== undefined) reasons.set(url, why)
    }
    const highest = Math.max(0, ...all.filter(({ failed }) => !failed).map(({ lastBlock }) => lastBlock))
    if (all.length === 0)
      return [
        {
          part: "nodes",
          state: "bad",
          message: "there is no node",
          remedy: "add one with --node or TATUM_NODES"
        }
      ]
    return all.map(({ failed, lastBlock, lastResponseTime, url }): CheckResult => {
      const reason = reasons.get(url) ?? "it does not answer"
      if (failed)
        return {
          part: "nodes",
          state: "bad",
          message: `${url} has failed: ${reason}`,
          remedy: adviseOn(reason)
        }
      const message = `${url} is at ${lastBlock}, after ${Math.round(lastResponseTime)} ms`
      return lastBlock < highest - 10
        ? {
            part: "nodes",
            state: "careful",
            message: `${message}, which is ${highest - lastBlock} blocks behind`,
            remedy: "calls go to other nodes until it catches up"
          }
        : { part: "nodes", state: "good", message }
    })
  })

/**
 * The tolerated difference of the clocks. Signatures and quotas depend on the time, and servers send theirs in seconds.
 */
const MAX_CLOCK_OFFSET_MS = 30_000

/** Compares this machine's clock with a server's. The request has no key. */
const checkClock = (url: string): Effect.Effect<CheckResult> =>
  Effect.gen(function* () {
    const response = yield* Effect.tryPromise((signal) =>
      fetch(url, { method: "HEAD", redirect: "manual", signal })
    )
    const now = yield* Clock.currentTimeMillis
    const there = Date.parse(response.headers.get("date") ?? "")
    const shown = displayUrl(url)
    if (Number.isNaN(there))
      return { part: "clock", state: "note", message: `${shown} sends no time` } as const
    const off = Math.round((now - there) / 1_000)
    return Math.abs(now - there) <= MAX_CLOCK_OFFSET_MS
      ? ({ part: "clock", state: "good", message: `the clock matches ${shown}` } as const)
      : ({
          part: "clock",
          state: "bad",
          message: `the clock is ${Math.abs(off)} s ${off < 0 ? "behind" : "ahead of"} ${shown}`,
          remedy:
            "synchronize the clock, for example with NTP: webhooks, expiring transactions and certificates need it"
        } as const)
  }).pipe(
    Effect.timeout("10 seconds"),
    Effect.orElseSucceed(
      (): CheckResult => ({ part: "clock", state: "note", message: "no server has sent its time" })
    )
  )

const makeFailedCheck = (part: CheckResult["part"], error: Error, remedy: string): CheckResult => ({
  part,
  state: "bad",
  message: error.message,
  remedy
})

/** The checks that need nodes or the provider. */
const checkConnections = (
  network: string,
  options: ConnectionOptions
): Effect.Effect<ReadonlyArray<CheckResult>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const id = yield* findNetwork(network, options)
    const config = yield* makeConfig(id, options)
    const client = yield* connect(network, options)
    const nodes = config.rpc?.nodes ?? (typeof id === "string" ? undefined : id.nodes)
    const resolved = yield* resolveWithEnvironment(config, resolve)
    // with configured nodes and no key, the provider is not used
    const isProviders =
      nodes === undefined || config.apiKey !== undefined || config.provider !== undefined || resolved.isMoved
    const key = isProviders ? [yield* checkKey(client, config.apiKey !== undefined)] : []
    const found = yield* checkNodes(client, nodes?.map(({ url }) => url) ?? [])
    const clock = yield* checkClock(isProviders ? resolved.baseUrl : (nodes[0]?.url ?? ""))
    return [
      { part: "configuration", state: "good", message: "the configuration is valid" },
      ...key,
      ...found,
      clock
    ] as const
  }).pipe(
    Effect.catchAll((error) =>
      Effect.succeed([makeFailedCheck("configuration", error, "correct it, and run this again")])
    )
  )

/**
 * Checks the runtime, the configuration, the key, every node, the clock and the packages, and prints the results. Fails
 * if any is bad.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  options: ConnectionOptions & { readonly network: Option.Option<string> }
): Effect.Effect<void, CommandError, Scope.Scope> =>
  Effect.gen(function* () {
    const network = Option.getOrElse(options.network, () => "ethereum-mainnet")
    const findings = [
      ...checkRuntime(),
      ...checkEnvironment(),
      ...(yield* checkConnections(network, options)),
      ...checkPeers(network)
    ]
    yield* print(options.json ? formatJson(findings) : findings.map(formatCheck).join("\n"))
    const bad = findings.filter(({ state }) => state === "bad").length
    if (bad > 0)
      return yield* new CommandError({
        exit: "unwell",
        message: `${bad} of ${findings.length} findings are bad`
      })
  })
