import type * as Original from "effect/Context"
import { as } from "./cast.js"
import { Effect, STEP, succeed, withFiber } from "./machine.js"
import { type AnyTag, added, merged, Services, serviceOf } from "./services.js"

export const add: typeof Original.add = /*#__PURE__*/ as(
  (...args: Parameters<typeof added> | [tag: AnyTag, service: unknown]) =>
    args.length === 3 ? added(...args) : (self: Services) => added(self, args[0], args[1])
)
export const make: typeof Original.make = /*#__PURE__*/ as(
  ({ key }: AnyTag, service: unknown) => new Services(new Map([[key, service]]))
)
export const merge: typeof Original.merge = /*#__PURE__*/ as(merged)
export const get: typeof Original.get = /*#__PURE__*/ as(serviceOf)

/** A class whose instances nobody makes, and which is the effect that gets the service: a subclass is the same. */
const tagged = (fields: AnyTag): unknown => {
  class Service {}
  const get = withFiber(({ context }) => succeed(serviceOf(context, fields)))
  return Object.assign(Object.setPrototypeOf(Service, Effect.prototype), {
    ...fields,
    [STEP]: get[STEP].bind(get)
  })
}

export const Tag: typeof Original.Tag = /*#__PURE__*/ as((key: string) => () => tagged({ key }))

/** The default is one value for all who do not provide another. */
export const Reference: typeof Original.Reference = /*#__PURE__*/ as(
  () =>
    (key: string, { defaultValue }: { readonly defaultValue: () => unknown }) => {
      let made: { readonly value: unknown } | undefined
      return tagged({
        key,
        defaultValue: () => {
          made ??= { value: defaultValue() }
          return made.value
        }
      })
    }
)
