import * as Original from "effect/Context"
import * as Micro from "effect/Micro"
import { as } from "./micro.js"

export { add, make, merge } from "effect/Context"

interface AnyTag {
  readonly key: string
  readonly defaultValue?: () => unknown
}

const found = (context: Original.Context<never>, tag: AnyTag): unknown =>
  tag.defaultValue === undefined
    ? Original.unsafeGet(context, as<Original.Tag<unknown, unknown>>(tag))
    : Original.getOrElse(context, as<Original.Tag<unknown, unknown>>(tag), tag.defaultValue)

/** A class whose instances nobody makes, and which is the Micro that gets the service: a subclass is the same. */
const tagged = (fields: AnyTag): unknown => {
  class Service {}
  const get = Micro.withMicroFiber((fiber) => Micro.succeed(found(fiber.context, fields)))
  return Object.assign(Object.setPrototypeOf(Service, get), fields)
}

export const get: typeof Original.get = /*#__PURE__*/ as(found)

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
