/** What is made of a client of Effect, on the Promise surface: over the calls of a Promise client, with a result for every call. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { failure, type Result, success } from "../data/CallResult.js"
import { Unexpected } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { Promised } from "../transport/Client.js"
import { CallOptions } from "../wire/Transport.js"

const isCallable = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

/** Calls that return results, as effects, those of `under` in their place. Any other member passes through. */
export const toEffectCalls = <C extends object>(
  calls: object,
  under: Effect.Effect<object> = Effect.succeed(calls)
): C =>
  // the calls follow the type Promised, which is undone here
  new Proxy(calls, {
    get: (_, name) => {
      const call: unknown = Reflect.get(calls, name)
      return isCallable(call)
        ? (...args: ReadonlyArray<unknown>) =>
            Effect.flatMap(
              Effect.flatMap(under, (those) => {
                const own: unknown = Reflect.get(those, name)
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
        : call
    }
  }) as C

/** Runs an effect, whose failure is a result. */
export const runToResult = async <A, E extends Error>(effect: Effect.Effect<A, E>): Promise<Result<A, E>> => {
  const exit = await Effect.runPromiseExit(effect)
  if (Exit.isSuccess(exit)) return success(exit.value)
  const error = Cause.failureOrCause(exit.cause)
  return failure(Either.isLeft(error) ? error.left : new Unexpected({ defect: Cause.squash(exit.cause) }))
}

/** The functions of an object that return effects, as functions that return results, at any depth. */
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

/** What is called of a client: the nodes, and, where it has that, the data API. */
interface CallableClient {
  readonly rpc: object
  readonly data?: object
}

type CallableMember = keyof CallableClient

/**
 * A client of the Promise surface, of which those calls are used that a client of Effect is used for.
 *
 * @since 0.1.0
 * @category types
 */
export type PromisedClient<C> = {
  readonly [K in keyof C]: K extends CallableMember ? Promised<NonNullable<C[K]>> : C[K]
}

/** A client of Effect over the calls of a Promise client. */
export const toEffectClient = <Client extends CallableClient>(
  client: PromisedClient<Client>,
  under?: Effect.Effect<object>
): Client => {
  const { data, rpc } = client
  // what is beside the calls has the same type on both surfaces
  return {
    ...client,
    rpc: toEffectCalls(rpc, under),
    ...(data === undefined ? {} : { data: toEffectCalls(data) })
  } as unknown as Client
}

/** The calls of a Promise client under the options of the effect that makes them: it has both by itself. */
const applyCallOptions = (client: { readonly rpc: object }): Effect.Effect<object> =>
  Effect.map(CallOptions, (options) => {
    const withOptions: unknown = Reflect.get(client, "with")
    const other =
      Object.keys(options).length > 0 && isCallable(withOptions) ? withOptions(options) : undefined
    return isRecord(other) && isRecord(other.rpc) ? other.rpc : client.rpc
  })

/** Takes what makes something of a client to the Promise surface. */
export const promisifyMake =
  <Client extends CallableClient, From, A extends object, E extends Error>(
    make: (client: Client, from: From) => Effect.Effect<A, E>
  ): ((client: PromisedClient<Client>, from: From) => Promise<Result<Promised<A>, E>>) =>
  async (client, from) => {
    const made = await runToResult(
      Effect.suspend(() => make(toEffectClient<Client>(client, applyCallOptions(client)), from))
    )
    return made.status === "SUCCESS" ? success(toPromiseCalls(made.data)) : made
  }
