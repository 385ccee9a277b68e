import type * as Original from "effect/Context"
import * as Micro from "effect/Micro"
import * as Ground from "./ground.js"
import { as } from "./micro.js"

export const add: typeof Original.add = /*#__PURE__*/ as(Ground.add)
export const make: typeof Original.make = /*#__PURE__*/ as(Ground.make)
export const merge: typeof Original.merge = /*#__PURE__*/ as(Ground.merge)
export const get: typeof Original.get = /*#__PURE__*/ as(Ground.unsafeGet)

/** A class whose instances nobody makes, and which is the Micro that gets the service: a subclass is the same. */
const tagged = (fields: Ground.AnyTag): unknown => {
  class Service {}
  const get = Micro.withMicroFiber(({ context }) => Micro.succeed(Ground.unsafeGet(as(context), fields)))
  return Object.assign(Object.setPrototypeOf(Service, get), fields)
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
