/**
 * What `effect/Micro` imports of effect's other modules, as far as Micro does something with it: the build gives it these in their
 * place, by the names that it asks for. The effects of the Promise surface come into nobody's hands, so nothing here is compared,
 * hashed or printed, a tag knows no place where it was made, and one copy of Micro is one runtime.
 */
import type { Option } from "effect/Option"
import { as } from "./cast.js"

type Step = (value: unknown) => unknown

/** Function */
export const identity = <A>(value: A): A => value
export const constVoid = (): void => {}
export const dual = <B>(
  arity: number | ((args: ArrayLike<unknown>) => boolean),
  body: (...args: never) => B
): ((...args: ReadonlyArray<unknown>) => B | ((self: unknown) => B)) => {
  const isWhole = typeof arity === "number" ? ({ length }: ArrayLike<unknown>) => length >= arity : arity
  const apply = as<(...args: ReadonlyArray<unknown>) => B>(body)
  return function (a: unknown, b?: unknown, c?: unknown, d?: unknown) {
    // biome-ignore lint/complexity/noArguments: how many were given, without a list for each effect that is made
    return isWhole(arguments) ? apply(a, b, c, d) : (self) => apply(self, a, b, c)
  }
}

/** Pipeable */
export const pipeArguments = (self: unknown, steps: ArrayLike<Step>): unknown => {
  let value = self
  for (let i = 0; i < steps.length; i++) value = steps[i]?.(value)
  return value
}

/** GlobalValue */
export const globalValue = <A>(_: string, make: () => A): A => make()

/** Predicate */
export const hasProperty = (self: unknown, property: PropertyKey): boolean =>
  ((typeof self === "object" && self !== null) || typeof self === "function") && property in self
export const isIterable = (self: unknown): boolean => hasProperty(self, Symbol.iterator)

/** Option */
export const isNone = (self: Option<unknown>): boolean => self._tag === "None"

/** Array */
export const fromIterable = <A>(items: Iterable<A>): ReadonlyArray<A> => [...items]

/** Inspectable */
export const NodeInspectSymbol: unique symbol = Symbol.for("nodejs.util.inspect.custom")
export const format = (value: unknown): string => Object.prototype.toString.call(value)
export const toStringUnknown: typeof format = String

/** Equal and Hash */
export const symbol: unique symbol = Symbol()
export const equals: typeof Object.is = Object.is
export const hash = (): number => 0
export const string: typeof hash = hash
export const cached: typeof hash = hash
export const combine = (): typeof hash => hash

/** Effectable: effects are told apart from all else by Micro's own mark */
export const EffectPrototype = {}
export const StructuralPrototype = {}

/** Utils */
export class YieldWrap {
  constructor(readonly effect: unknown) {}
}
export const yieldWrapGet = ({ effect }: YieldWrap): unknown => effect

/** What `yield*` of an effect goes through: the effect, and then its value. */
export class SingleShotGen {
  private isOver = false
  constructor(private readonly self: unknown) {}
  next(value: unknown): IteratorResult<unknown> {
    const done = this.isOver
    this.isOver = true
    return done ? { done, value } : { done, value: this.self }
  }
}

/** Context: services by the keys of their tags. The name of the field is effect's. */
export interface AnyTag {
  readonly key: string
  readonly defaultValue?: () => unknown
}

export class Context {
  constructor(readonly unsafeMap: ReadonlyMap<string, unknown>) {}
  pipe(): unknown {
    // biome-ignore lint/complexity/noArguments: of as many steps as are given
    return pipeArguments(this, arguments)
  }
}

export const unsafeGet = ({ unsafeMap }: Context, { defaultValue, key }: AnyTag): unknown => {
  if (unsafeMap.has(key)) return unsafeMap.get(key)
  if (defaultValue === undefined) throw new Error(`Service not found: ${key}`)
  return defaultValue()
}
export const unsafeGetReference: typeof unsafeGet = unsafeGet

export const make = ({ key }: AnyTag, service: unknown): Context => new Context(new Map([[key, service]]))

const merged = (self: Context, that: Context): Context => {
  const services = new Map(self.unsafeMap)
  for (const [key, service] of that.unsafeMap) services.set(key, service)
  return new Context(services)
}
export const merge = /*#__PURE__*/ dual(2, merged)
export const add = /*#__PURE__*/ dual(3, (self: Context, tag: AnyTag, service: unknown) =>
  merged(self, make(tag, service))
)

const tagged = (key: string, defaultValue?: () => unknown) =>
  // Micro makes subclasses of it
  Object.assign(class {}, { key, defaultValue, context: (service: unknown) => make({ key }, service) })
export const GenericTag = tagged
export const Reference =
  () =>
  (key: string, { defaultValue }: Required<Pick<AnyTag, "defaultValue">>): ReturnType<typeof tagged> =>
    tagged(key, defaultValue)
