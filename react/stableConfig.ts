/** Configurations that are made anew in every render of a component: the same one, with other functions. */
import { isDefinition } from "../src/data/definedNetworks.js"
import { isEqual, isObject, isPlainObject } from "./values.js"

type Func = (...args: ReadonlyArray<unknown>) => unknown

const isFunction = (value: unknown): value is Func => typeof value === "function"

/** Whether two values are the same where functions are compared by their name: those that a render makes are new ones. */
export const isSameConfig = (one: unknown, other: unknown): boolean =>
  isEqual(one, other, (a, b) => isFunction(a) && isFunction(b) && a.name === b.name)

/** The members that are started with a client, and end with it: they are not called anew. */
const STARTED_WITH_CLIENT = /^configure/

/** A value whose functions are those that `latest` has at the time of the call. */
export const delegateFunctions = <A>(
  value: A,
  latest: () => unknown,
  owner: () => unknown = () => undefined
): A => {
  const at = (name: PropertyKey) => (): unknown => Reflect.get(Object(latest()), name)
  return (
    isFunction(value)
      ? new Proxy(value, {
          apply: (_, __, args) => Reflect.apply(Object(latest()), owner(), args),
          construct: (_, args) => Reflect.construct(Object(latest()), args),
          get: (_, name) => at(name)()
        })
      : Array.isArray(value)
        ? value.map((member, i) => delegateFunctions(member, at(i), latest))
        : isObject(value) && isPlainObject(value) && !isDefinition(value)
          ? Object.fromEntries(
              Object.entries(value).map(([name, member]) => [
                name,
                STARTED_WITH_CLIENT.test(name) ? member : delegateFunctions(member, at(name), latest)
              ])
            )
          : value
  ) as A
}
