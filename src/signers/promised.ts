/** Signers on the Promise surface: those of Effect, over the calls of a Promise client, with a result for every call. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { failure, type Result, success } from "../data/CallResult.js"
import { isRecord } from "../data/foreign.js"
import { Unexpected } from "../data/SdkError.js"
import type { Promised } from "../transport/Client.js"

const isCallable = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

/** Calls that return results, as effects. */
const lowered = (calls: object): object =>
  new Proxy(calls, {
    get: (_, name) => {
      const call: unknown = Reflect.get(calls, name)
      return isCallable(call)
        ? (...args: ReadonlyArray<unknown>) =>
            Effect.flatMap(
              // calls of a Promise client never reject
              Effect.tryPromise({
                try: async () => call(...args),
                catch: (defect) => new Unexpected({ defect })
              }),
              (result) =>
                isRecord(result) && result.status === "ERROR" && isRecord(result.error)
                  ? Effect.fail(result.error.cause)
                  : Effect.succeed(isRecord(result) ? result.data : result)
            )
        : call
    }
  })

const run = async <A, E extends Error>(effect: Effect.Effect<A, E>): Promise<Result<A, E>> => {
  const exit = await Effect.runPromiseExit(effect)
  if (Exit.isSuccess(exit)) return success(exit.value)
  const error = Cause.failureOrCause(exit.cause)
  return failure(Either.isLeft(error) ? error.left : new Unexpected({ defect: Cause.squash(exit.cause) }))
}

/** The functions of an object that return effects, as functions that return results. */
const lifted = (made: object): object =>
  Object.fromEntries(
    Object.entries(made).map(([name, member]): readonly [string, unknown] => [
      name,
      isCallable(member)
        ? (...args: ReadonlyArray<unknown>) => {
            const effect = member(...args)
            return Effect.isEffect(effect) ? run(effect as Effect.Effect<unknown, Error>) : effect
          }
        : member
    ])
  )

/** What signers call of a client. */
type Called = "rpc" | "data"

/** A client of the Promise surface, of which those calls are used that a client of Effect is used for. */
export type PromisedClient<C> = {
  readonly [K in keyof C]: K extends Called ? Promised<NonNullable<C[K]>> : C[K]
}

/** Takes what makes something of a client to the Promise surface. */
export const promised =
  <Client extends { readonly rpc: object; readonly data?: object }, From, A extends object, E extends Error>(
    make: (client: Client, from: From) => Effect.Effect<A, E>
  ): ((client: PromisedClient<Client>, from: From) => Promise<Result<Promised<A>, E>>) =>
  async (client, from) => {
    // the calls follow the type Promised, which is undone here
    const { data, rpc } = client
    const below = {
      ...client,
      rpc: lowered(rpc),
      ...(data === undefined ? {} : { data: lowered(data) })
    } as unknown as Client
    const made = await run(Effect.suspend(() => make(below, from)))
    return made.status === "SUCCESS" ? success(lifted(made.data) as Promised<A>) : made
  }
