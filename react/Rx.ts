/** The values of rx that the hooks use, as a module of their own (`Result.ts` says why). */
import { Rx as RxNamespace } from "@effect-rx/rx-react"

export type Rx<A> = RxNamespace.Rx<A>
export type Writable<R, W = R> = RxNamespace.Writable<R, W>
export type RxResultFn<Arg, A, E = never> = RxNamespace.RxResultFn<Arg, A, E>
export type PullResult<A, E = never> = RxNamespace.PullResult<A, E>
export type Context = RxNamespace.Context

export const family = RxNamespace.family
export const fn = RxNamespace.fn
export const keepAlive = RxNamespace.keepAlive
export const make = RxNamespace.make
export const map = RxNamespace.map
export const pull = RxNamespace.pull
export const readable = RxNamespace.readable
export const setIdleTTL = RxNamespace.setIdleTTL
export const setLazy = RxNamespace.setLazy
export const withServerValueInitial = RxNamespace.withServerValueInitial
