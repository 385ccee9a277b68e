/** The registry of rx, as a module of its own (`Result.ts` says why). */
import { Registry as RxRegistry } from "@effect-rx/rx-react"

export type Registry = RxRegistry.Registry

export const make: typeof RxRegistry.make = RxRegistry.make
