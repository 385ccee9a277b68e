/**
 * `effect-chains subscribe`: prints the events of a chain, or with `--url` has the provider send them there.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { findNearest } from "../data/nearest.js"
import { hasService } from "../data/serviceCoverage.js"
import { isRecord } from "../data/untrusted.js"
import { catalogue } from "../services/Services.js"
import { type AnyClient, type ConnectionOptions, connect, networkInfo } from "./Connection.js"
import { makeInputError } from "./Failure.js"
import { parseArgument } from "./Methods.js"
import { formatReadable, printResult } from "./Output.js"

interface WebhookOptions {
  readonly url: Option.Option<string>
  readonly template: Option.Option<string>
  readonly finality: Option.Option<string>
  readonly condition: ReadonlyArray<string>
}

const COMPARISON = /^\s*([A-Za-z.]+)\s*(==|!=|>=|<=|>|<)\s*(.*?)\s*$/s

/** Parses a condition: `value >= 1000000`. The service checks the field and the value. */
const parseCondition = (text: string) => {
  const [, field, operator, value] = COMPARISON.exec(text) ?? []
  return field === undefined
    ? makeInputError(
        `--condition is a field, an operator and a value, such as "value>=1000000", not ${JSON.stringify(text)}. Operators are ==, !=, >, >=, < and <=`
      )
    : Effect.succeed({ field, operator, value })
}

const requiredArguments = (kind: string): ReadonlyArray<string> =>
  kind === "contractAddressLogEvent"
    ? ["contractAddress", "event"]
    : kind === "failedTxsPerBlock"
      ? []
      : ["address"]

const subscribeUrl = (
  client: Pick<AnyClient, "network" | "notification">,
  url: string,
  options: WebhookOptions & {
    readonly kind: string
    readonly args: ReadonlyArray<string>
    readonly json: boolean
  }
): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { network, notification } = client
    const { args, finality, kind, template } = options
    if (!hasService({ network, info: networkInfo(network) }, "notification"))
      return yield* makeInputError(`The provider sends no webhooks for ${network}: remove --url`)
    const { subscribe } = notification
    const names = Object.keys(catalogue.notification.subscribe)
    if (!names.includes(kind)) {
      const near = findNearest(kind, names)
      return yield* makeInputError(
        `The provider has no subscription ${kind}${near === undefined ? "" : `: did you mean ${near}?`} There are ${names.join(", ")}`
      )
    }
    const fields = requiredArguments(kind)
    if (args.length !== fields.length)
      return yield* makeInputError(
        `${kind} takes ${fields.length === 0 ? "no arguments" : fields.map((field) => `<${field}>`).join(" ")}`
      )
    const conditions = yield* Effect.forEach(options.condition, parseCondition)
    // the kind is one of the list, and the method checks its input
    const begin = Reflect.get(subscribe, kind) as (
      target: object
    ) => Effect.Effect<{ readonly id: string; readonly chain: string }, unknown>
    const created = yield* begin({
      ...Object.fromEntries(fields.map((field, i) => [field, args[i]])),
      url,
      ...(conditions.length === 0 ? {} : { conditions }),
      ...Option.match(finality, { onNone: () => ({}), onSome: (given) => ({ finality: given }) }),
      ...Option.match(template, { onNone: () => ({}), onSome: (given) => ({ templateId: given }) })
    })
    yield* printResult(
      options.json,
      created,
      ({ id }) => `${url} is called from now on. The subscription is ${id}`
    )
  })

/**
 * Prints the events of a subscription, one per line, until it is ended or `count` is reached. With a url, the provider
 * calls the url instead.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  options: ConnectionOptions &
    WebhookOptions & {
      readonly network: string
      readonly kind: string
      readonly args: ReadonlyArray<string>
      readonly count: Option.Option<number>
    }
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const url = Option.getOrUndefined(options.url)
    if (url !== undefined && Option.isSome(options.count))
      return yield* makeInputError("--count is for printed events, and --url sends them to the url")
    if (url !== undefined) return yield* subscribeUrl(yield* connect(options.network, options), url, options)
    if (Option.isSome(options.template) || Option.isSome(options.finality) || options.condition.length > 0)
      return yield* makeInputError(
        "--template, --finality and --condition are for subscriptions with a --url"
      )
    const args = yield* Effect.forEach(options.args, parseArgument)
    const { network, rpc } = yield* connect(options.network, options)
    const { subscribe } = rpc
    if (!isRecord(subscribe))
      return yield* makeInputError(
        `There are no subscriptions on ${network}: EVM chains, Tron, Solana and the XRP Ledger have some`
      )
    const begin = Object.hasOwn(subscribe, options.kind) ? subscribe[options.kind] : undefined
    if (typeof begin !== "function") {
      const near = findNearest(options.kind, Object.keys(subscribe))
      return yield* makeInputError(
        `${network} has no subscription ${options.kind}${near === undefined ? "" : `: did you mean ${near}?`} There are ${Object.keys(subscribe).join(", ")}`
      )
    }
    // the members of a network's subscriptions are streams of its events
    const events = begin(...args) as Stream.Stream<unknown, unknown>
    const count = Option.getOrUndefined(options.count)
    yield* Stream.runForEach(count === undefined ? events : Stream.take(events, count), (event) =>
      printResult(options.json, event, formatReadable)
    )
  })
