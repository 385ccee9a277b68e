/** Configurations that a component makes in every render. They are equal except for the identity of their functions. */
import { isDefinition } from "../src/data/definedNetworks.js"
import { isEqual, isObject, isPlainObject } from "./values.js"

type Func = (...args: ReadonlyArray<unknown>) => unknown

const isFunction = (value: unknown): value is Func => typeof value === "function"

/** Whether two configurations are equal. Functions are compared by name, since every render makes new ones. */
export const isSameConfig = (one: unknown, other: unknown): boolean =>
  isEqual(one, other, (a, b) => isFunction(a) && isFunction(b) && a.name === b.name)

/** Functions that run once, when a client is made. They do not delegate to those of a later render. */
const STARTED_WITH_CLIENT = /^configure/

/** A configuration whose functions delegate to those of `latest` at the time of each call. */
export const delegateFunctions = <A>(
  value: A,
  latest: () => unknown,
  owner: () => unknown = () => undefined
): A => {
  const currentMember = (name: PropertyKey) => (): unknown => Reflect.get(Object(latest()), name)
  return (
    isFunction(value)
      ? new Proxy(value, {
          apply: (_, __, args) => Reflect.apply(Object(latest()), owner(), args),
          construct: (_, args) => Reflect.construct(Object(latest()), args),
          get: (_, name) => currentMember(name)()
        })
      : Array.isArray(value)
        ? value.map((member, i) => delegateFunctions(member, currentMember(i), latest))
        : isObject(value) && isPlainObject(value) && !isDefinition(value)
          ? Object.fromEntries(
              Object.entries(value).map(([name, member]) => [
                name,
                STARTED_WITH_CLIENT.test(name)
                  ? member
                  : delegateFunctions(member, currentMember(name), latest)
              ])
            )
          : value
  ) as A
}
