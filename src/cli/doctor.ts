/**
 * `effect-chains doctor`: what is wrong around here, and what to do about it.
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
import * as SdkConfig from "../config/Config.js"
import { findNearest } from "../data/nearest.js"
import { displayUrl } from "../data/SdkError.js"
import type { RawRpc } from "../transport/Client.js"
import { type AnyClient, type ConnectionOptions, configOf, connect, networkOf } from "./Connection.js"
import { CommandError } from "./Failure.js"
import { json, print, printable, type Tone, toned } from "./Output.js"
import { type Finding, peersFor, runtime } from "./Peers.js"

const signs = { good: "✓", note: "·", careful: "!", bad: "✗" } as const
const tones = { good: "good", note: "faint", careful: "careful", bad: "bad" } satisfies Record<string, Tone>

const line = ({ part, says, state, todo }: Finding): string =>
  `${toned(tones[state], signs[state])} ${toned("faint", part.padEnd("configuration".length))}  ${printable(says)}${todo === undefined ? "" : `\n  ${" ".repeat("configuration".length)}  → ${printable(todo)}`}`

/** The variables that clients and this program read. */
const variables = [
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
].map((name) => `TATUM_${name}`)

const environment = (): ReadonlyArray<Finding> => {
  const set = Object.keys(process.env).filter((name) => name.startsWith("TATUM_"))
  const known = set.filter((name) => variables.includes(name))
  return [
    {
      part: "configuration",
      state: "note",
      says:
        known.length === 0
          ? "no variable of the environment is set"
          : `set in the environment: ${known.sort().join(", ")}`
    },
    ...set
      .filter((name) => !variables.includes(name))
      .map((name): Finding => {
        const near = findNearest(name, variables)
        return {
          part: "configuration",
          state: "careful",
          says: `${name} is set, and nothing reads it`,
          todo: near === undefined ? `there are ${variables.join(", ")}` : `did you mean ${near}?`
        }
      })
  ]
}

/** A key is asked for nothing but a rate, which every key may have. */
const keyOf = (client: AnyClient, isThere: boolean): Effect.Effect<Finding> =>
  Effect.match(client.rates.getCurrentRate("BTC", "USD"), {
    onSuccess: (): Finding =>
      isThere
        ? { part: "key", state: "good", says: "the provider takes the key" }
        : {
            part: "key",
            state: "note",
            says: "there is no key: the provider answers a few requests without one",
            todo: "set TATUM_API_KEY, or TATUM_API_KEY_FILE to a file that only you can read"
          },
    onFailure: (error): Finding => {
      const status = error._tag === "GatewayError" ? error.status : undefined
      if (status === 401 || status === 403)
        return {
          part: "key",
          state: "bad",
          says: `the provider refuses ${isThere ? "the key" : "requests without a key"}: ${error.message}`,
          todo: "look at the key in the provider's dashboard: it may be another account's, or have ended"
        }
      return {
        part: "key",
        state: status === 429 ? "careful" : "bad",
        says: `the provider does not answer as it should: ${error.message}`,
        todo:
          status === 429
            ? "the quota of the key is used up: wait, or raise the plan"
            : "look whether this machine reaches the provider (proxy, firewall, --provider, TATUM_URL)"
      }
    }
  })

const advice = (reason: string): string =>
  // the check itself may have failed, which says nothing of the chain
  /chain/i.test(reason.replace(`${CHAIN_CHECK}: `, ""))
    ? "the node serves another network: correct its url, or the network"
    : /40[13]|unauthori|forbidden/i.test(reason)
      ? "the node wants a key: put it into the url of TATUM_NODES, or into headers in code"
      : /429|rate/i.test(reason)
        ? "the node limits requests: use a key of its own, or more nodes"
        : "look whether the node runs, and whether this machine reaches it"

/** Why a node of one's own fails, in the words of a call to it alone. */
const whyOf = ({ rpc }: AnyClient, url: string): Effect.Effect<string | undefined> =>
  // a member of every client; the method is known to EVM nodes, and the others say what they think of it
  (rpc.rawRpcCall as RawRpc["rawRpcCall"])({ jsonrpc: "2.0", id: 1, method: "eth_chainId" }).pipe(
    CallOptions.with({ node: url }),
    Effect.match({
      onSuccess: () => undefined,
      onFailure: (error) => ("reason" in error ? error.reason : error.message)
    })
  )

/** Every node of the pool after a check, with the reasons of those that have failed. */
const nodesOf = (client: AnyClient, own: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const { nodes } = client
    const reasons = new Map<string, string>()
    const heard = (event: PoolEvent): void => {
      if (event._tag === "Failed") reasons.set(event.url, event.reason)
    }
    const stop = nodes.listen(heard)
    yield* Effect.ensuring(nodes.check, Effect.sync(stop))
    const all = yield* nodes.snapshot
    for (const { failed, url } of all) {
      const full = own.find((each) => displayUrl(each) === url)
      const why = failed && full !== undefined ? yield* whyOf(client, full) : undefined
      if (why !== undefined) reasons.set(url, why)
    }
    const highest = Math.max(0, ...all.filter(({ failed }) => !failed).map(({ lastBlock }) => lastBlock))
    if (all.length === 0)
      return [
        {
          part: "nodes",
          state: "bad",
          says: "the pool has no node",
          todo: "give one with --node or TATUM_NODES"
        }
      ]
    return all.map(({ failed, lastBlock, lastResponseTime, url }): Finding => {
      const reason = reasons.get(url) ?? "it does not answer"
      if (failed)
        return { part: "nodes", state: "bad", says: `${url} has failed: ${reason}`, todo: advice(reason) }
      const says = `${url} is at ${lastBlock}, after ${Math.round(lastResponseTime)} ms`
      return lastBlock < highest - 10
        ? {
            part: "nodes",
            state: "careful",
            says: `${says}, which is ${highest - lastBlock} blocks behind`,
            todo: "it gets no calls while it is behind: let it catch up"
          }
        : { part: "nodes", state: "good", says }
    })
  })

/** Signatures and quotas go by the time; servers tell theirs in seconds. */
const TOLERATED = 30_000

/** The clock of this machine beside that of a server, which gets no key for it. */
const clockOf = (url: string): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const response = yield* Effect.tryPromise((signal) =>
      fetch(url, { method: "HEAD", redirect: "manual", signal })
    )
    const now = yield* Clock.currentTimeMillis
    const there = Date.parse(response.headers.get("date") ?? "")
    const shown = displayUrl(url)
    if (Number.isNaN(there)) return { part: "clock", state: "note", says: `${shown} tells no time` } as const
    const off = Math.round((now - there) / 1_000)
    return Math.abs(now - there) <= TOLERATED
      ? ({ part: "clock", state: "good", says: `the clock is that of ${shown}` } as const)
      : ({
          part: "clock",
          state: "bad",
          says: `the clock is ${Math.abs(off)} s ${off < 0 ? "behind" : "ahead of"} that of ${shown}`,
          todo: "set the clock, best by NTP: webhooks, transactions with an end and certificates go by it"
        } as const)
  }).pipe(
    Effect.timeout("10 seconds"),
    Effect.orElseSucceed(
      (): Finding => ({ part: "clock", state: "note", says: "no server has told its time" })
    )
  )

const failedWith = (part: Finding["part"], error: Error, todo: string): Finding => ({
  part,
  state: "bad",
  says: error.message,
  todo
})

/** What can only be found by asking nodes and the provider. */
const asked = (
  network: string,
  options: ConnectionOptions
): Effect.Effect<ReadonlyArray<Finding>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const id = yield* networkOf(network, options)
    const config = yield* configOf(id, options)
    const client = yield* connect(network, options)
    const nodes = config.rpc?.nodes ?? (typeof id === "string" ? undefined : id.nodes)
    // with nodes of one's own and no key, nothing is the provider's
    const isProviders = nodes === undefined || config.apiKey !== undefined || config.provider !== undefined
    const key = isProviders ? [yield* keyOf(client, config.apiKey !== undefined)] : []
    const found = yield* nodesOf(client, nodes?.map(({ url }) => url) ?? [])
    const base = yield* Effect.map(
      Effect.orElseSucceed(SdkConfig.resolve(config), () => undefined),
      (all) => all?.baseUrl
    )
    const clock = yield* clockOf((isProviders ? base : undefined) ?? nodes?.[0]?.url ?? "")
    return [
      { part: "configuration", state: "good", says: "the configuration can be used" },
      ...key,
      ...found,
      clock
    ] as const
  }).pipe(
    Effect.catchAll((error) =>
      Effect.succeed([failedWith("configuration", error, "correct that, and run this again")])
    )
  )

/**
 * Looks at the runtime, the configuration, the key, every node, the clock and the packages, and prints what it has found. Fails if
 * anything is bad.
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
      ...runtime(),
      ...environment(),
      ...(yield* asked(network, options)),
      ...peersFor(network)
    ]
    yield* print(options.json ? json(findings) : findings.map(line).join("\n"))
    const bad = findings.filter(({ state }) => state === "bad").length
    if (bad > 0)
      return yield* new CommandError({
        exit: "unwell",
        message: `${bad} of ${findings.length} findings are bad`
      })
  })
