/** The atoms of Effect 4 under the names of rx, as far as the hooks use them. */
import type * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import type * as Option from "effect/Option"
import * as AsyncResult from "effect/reactivity/AsyncResult"
import * as Atom from "effect/reactivity/Atom"
import type * as AtomRegistry from "effect/reactivity/AtomRegistry"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"

export { family, keepAlive, setIdleTTL, setLazy, withServerValueInitial } from "effect/reactivity/Atom"

export type Rx<A> = Atom.Atom<A>
export type Writable<R, W = R> = Atom.Writable<R, W>
export type RxResultFn<Arg, A, E = never> = Atom.AtomResultFn<Arg, A, E>
export type PullResult<A, E = never> = Atom.PullResult<A, E>

/** An atom's context, whose methods ask for no `this`: callers pass parts of it on. */
export interface Context {
  <A>(rx: Rx<A>): A
  readonly registry: AtomRegistry.AtomRegistry
  readonly result: <A, E>(rx: Rx<AsyncResult.AsyncResult<A, E>>) => Effect.Effect<A, E>
  readonly once: <A>(rx: Rx<A>) => A
  readonly self: <A>() => Option.Option<A>
  readonly setSelf: <A>(value: A) => void
  readonly mount: <A>(rx: Rx<A>) => void
  readonly refresh: <A>(rx: Rx<A>) => void
  readonly subscribe: <A>(
    rx: Rx<A>,
    onValue: (value: A) => void,
    options?: { readonly immediate?: boolean }
  ) => void
  readonly addFinalizer: (finalizer: () => void) => void
}

/**
 * Whether an atom keeps its value. A `Result` that is equal to the last one notifies nobody, as in rx: an atom's own comparison is by
 * identity, and makes every result a new one. Answers are compared by identity, which reads keep for equal answers.
 */
const isSameValue = (one: unknown, other: unknown): boolean => {
  if (!AsyncResult.isAsyncResult(one) || !AsyncResult.isAsyncResult(other)) return Object.is(one, other)
  if (one.waiting !== other.waiting) return false
  if (AsyncResult.isSuccess(one)) return AsyncResult.isSuccess(other) && Object.is(one.value, other.value)
  if (AsyncResult.isFailure(one)) return AsyncResult.isFailure(other) && Equal.equals(one.cause, other.cause)
  return AsyncResult.isInitial(other)
}

const compared = <R extends Rx<unknown>>(atom: R): R => Object.assign(atom, { equals: isSameValue })

type Runnable<A, E> = Effect.Effect<A, E, Scope.Scope | AtomRegistry.AtomRegistry>

export const make = <A, E>(
  create: Runnable<A, E> | ((get: Context) => Runnable<A, E>)
): Rx<AsyncResult.AsyncResult<A, E>> =>
  compared(typeof create === "function" ? Atom.make(create) : Atom.make(create))

export const readable = <A>(
  read: (get: Context) => A,
  refresh?: (refresh: <B>(rx: Rx<B>) => void) => void
): Rx<A> => compared(Atom.readable(read, refresh))

export const map = <A, B>(rx: Rx<A>, f: (value: A) => B): Rx<B> => compared(Atom.map(rx, f))

export const fn = <Arg, A, E>(run: (arg: Arg) => Runnable<A, E>): RxResultFn<Arg, A, E> =>
  compared(Atom.fn(run))

export const pull = <A, E>(
  create: (get: Context) => Stream.Stream<A, E, AtomRegistry.AtomRegistry>
): Writable<PullResult<A, E>, void> => compared(Atom.pull(create))
