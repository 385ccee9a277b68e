/** The values of rx that the hooks use, as a module of their own (`Result.ts` says why). */
import { Rx as RxNamespace } from "@effect-rx/rx-react"

export type Rx<A> = RxNamespace.Rx<A>
export type Writable<R, W = R> = RxNamespace.Writable<R, W>
export type RxResultFn<Arg, A, E = never> = RxNamespace.RxResultFn<Arg, A, E>
export type PullResult<A, E = never> = RxNamespace.PullResult<A, E>
export type Context = RxNamespace.Context

export const family: typeof RxNamespace.family = RxNamespace.family
export const fn: typeof RxNamespace.fn = RxNamespace.fn
export const keepAlive: typeof RxNamespace.keepAlive = RxNamespace.keepAlive
export const make: typeof RxNamespace.make = RxNamespace.make
export const map: typeof RxNamespace.map = RxNamespace.map
export const pull: typeof RxNamespace.pull = RxNamespace.pull
export const readable: typeof RxNamespace.readable = RxNamespace.readable
export const setIdleTTL: typeof RxNamespace.setIdleTTL = RxNamespace.setIdleTTL
export const setLazy: typeof RxNamespace.setLazy = RxNamespace.setLazy
export const withServerValueInitial: typeof RxNamespace.withServerValueInitial =
  RxNamespace.withServerValueInitial
