/**
 * Converts between Promise clients and Effect clients. Code that is written for Effect clients (signers, contracts)
 * runs over the calls of a Promise client.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { failure, type Result, success } from "../data/CallResult.js"
import { leftOf } from "../data/eitherValues.js"
import { Unexpected } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { Promised } from "../transport/Client.js"
import { CallOptions } from "../wire/Transport.js"

const isCallable = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

/**
 * Converts calls that return results to effects, those of groups too. `getCalls` yields the calls to use instead. Other members stay as
 * they are.
 */
export const toEffectCalls = <C extends object>(
  calls: object,
  getCalls: Effect.Effect<object> = Effect.succeed(calls)
): C =>
  // the calls follow the type Promised, which is undone here
  new Proxy(calls, {
    get: (_, name) => {
      const call: unknown = Reflect.get(calls, name)
      return isCallable(call)
        ? (...args: ReadonlyArray<unknown>) =>
            Effect.flatMap(
              Effect.flatMap(getCalls, (current) => {
                const own: unknown = Reflect.get(current, name)
                // calls of a Promise client never reject
                return Effect.tryPromise({
                  try: async () => (isCallable(own) ? own : call)(...args),
                  catch: (defect) => new Unexpected({ defect })
                })
              }),
              (result) =>
                isRecord(result) && result.status === "ERROR" && isRecord(result.error)
                  ? Effect.fail(result.error.cause)
                  : Effect.succeed(isRecord(result) ? result.data : result)
            )
        : isRecord(call)
          ? toEffectCalls(call)
          : call
    }
  }) as C

/** Runs an effect to a result. */
export const runToResult = async <A, E extends Error>(effect: Effect.Effect<A, E>): Promise<Result<A, E>> => {
  const exit = await Effect.runPromiseExit(effect)
  if (Exit.isSuccess(exit)) return success(exit.value)
  const error = Cause.failureOrCause(exit.cause)
  return failure(Either.isLeft(error) ? leftOf(error) : new Unexpected({ defect: Cause.squash(exit.cause) }))
}

/** Converts the functions of an object, at any depth, from effects to results. */
export const toPromiseCalls = <A extends object>(made: A): Promised<A> =>
  // the functions follow the type Promised by construction
  Object.fromEntries(
    Object.entries(made).map(([name, member]): readonly [string, unknown] => [
      name,
      isCallable(member)
        ? (...args: ReadonlyArray<unknown>) => {
            const effect = member(...args)
            return Effect.isEffect(effect) ? runToResult(effect as Effect.Effect<unknown, Error>) : effect
          }
        : isRecord(member)
          ? toPromiseCalls(member)
          : member
    ])
  ) as Promised<A>

/** The callable members of a client: its nodes, and the data API if it has one. */
interface CallableClient {
  readonly rpc: object
  readonly data?: object
}

type CallableMember = keyof CallableClient

/**
 * A Promise client with the calls of the Effect client `C`.
 *
 * @since 0.1.0
 * @category types
 */
export type PromisedClient<C> = {
  readonly [K in keyof C]: K extends CallableMember ? Promised<NonNullable<C[K]>> : C[K]
}

/** Converts a Promise client to an Effect client. */
export const toEffectClient = <Client extends CallableClient>(
  client: PromisedClient<Client>,
  getCalls?: Effect.Effect<object>
): Client => {
  const { data, rpc } = client
  // the other members have the same types on both surfaces
  return {
    ...client,
    rpc: toEffectCalls(rpc, getCalls),
    ...(data === undefined ? {} : { data: toEffectCalls(data) })
  } as unknown as Client
}

/** The calls of a Promise client with the call options of the running effect. */
const applyCallOptions = (client: { readonly rpc: object }): Effect.Effect<object> =>
  Effect.map(CallOptions, (options) => {
    const withOptions: unknown = Reflect.get(client, "with")
    const other =
      Object.keys(options).length > 0 && isCallable(withOptions) ? withOptions(options) : undefined
    return isRecord(other) && isRecord(other.rpc) ? other.rpc : client.rpc
  })

/** Options with the client of a private node as an Effect client, if they have one. */
const toEffectOptions = <From>(options: unknown): From =>
  // the other options are the same on both surfaces
  (isRecord(options) && isRecord(options.privateClient) && isRecord(options.privateClient.rpc)
    ? {
        ...options,
        privateClient: { ...options.privateClient, rpc: toEffectCalls(options.privateClient.rpc) }
      }
    : options) as From

/** Converts a constructor over an Effect client to one over a Promise client. */
export const promisifyMake =
  <Client extends CallableClient, From, A extends object, E extends Error>(
    make: (client: Client, from: From) => Effect.Effect<A, E>
  ): (<Given>(client: PromisedClient<Client>, from: Given) => Promise<Result<Promised<A>, E>>) =>
  async (client, from) => {
    const made = await runToResult(
      Effect.suspend(() =>
        make(toEffectClient<Client>(client, applyCallOptions(client)), toEffectOptions<From>(from))
      )
    )
    return made.status === "SUCCESS" ? success(toPromiseCalls(made.data)) : made
  }
