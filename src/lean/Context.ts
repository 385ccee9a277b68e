import type * as Original from "effect/Context"
import { as } from "./cast.js"
import { Effect, STEP, succeed, withFiber } from "./fiberRuntime.js"
import { type AnyTag, addService, getService, mergeServices, Services } from "./services.js"

export const add: typeof Original.add = /*#__PURE__*/ as(
  (...args: Parameters<typeof addService> | [tag: AnyTag, service: unknown]) =>
    args.length === 3 ? addService(...args) : (self: Services) => addService(self, args[0], args[1])
)
export const make: typeof Original.make = /*#__PURE__*/ as(
  ({ key }: AnyTag, service: unknown) => new Services(new Map([[key, service]]))
)
export const merge: typeof Original.merge = /*#__PURE__*/ as(mergeServices)
export const get: typeof Original.get = /*#__PURE__*/ as(getService)

/**
 * Makes the class of a tag. The class itself is the effect that reads the service, and so are its subclasses.
 */
const makeTag = (fields: AnyTag): unknown => {
  class Service {}
  const get = withFiber(({ context }) => succeed(getService(context, fields)))
  return Object.assign(Object.setPrototypeOf(Service, Effect.prototype), {
    ...fields,
    [STEP]: get[STEP].bind(get)
  })
}

export const Tag: typeof Original.Tag = /*#__PURE__*/ as((key: string) => () => makeTag({ key }))

/** The default is made once, and shared. */
export const Reference: typeof Original.Reference = /*#__PURE__*/ as(
  () =>
    (key: string, { defaultValue }: { readonly defaultValue: () => unknown }) => {
      let cached: { readonly value: unknown } | undefined
      return makeTag({
        key,
        defaultValue: () => {
          cached ??= { value: defaultValue() }
          return cached.value
        }
      })
    }
)
