import type * as Original from "effect/Effect"
import { Clock } from "./Clock.js"
import { as } from "./cast.js"
import { toMillis } from "./Duration.js"
import { acquired, current, type Ends, held, open, within } from "./finalizers.js"
import * as Machine from "./machine.js"
import { flatMap as chained, fail as failing, map as mapped, unit } from "./machine.js"
import { none, some } from "./Option.js"
import { pauses, type Schedule } from "./pauses.js"
import type { AnyTag } from "./services.js"
import { Waiting } from "./waiting.js"

type Any = Machine.Effect

/** With all that it takes, or with the rest of it for an effect that comes later. */
const dual = <B>(
  arity: number,
  body: (...args: never) => B
): ((...args: ReadonlyArray<unknown>) => unknown) => {
  const apply = as<(...args: ReadonlyArray<unknown>) => B>(body)
  return function (a: unknown, b?: unknown, c?: unknown) {
    // biome-ignore lint/complexity/noArguments: how many were given, without a list for each effect that is made
    return arguments.length >= arity ? apply(a, b, c) : (self: unknown) => apply(self, a, b)
  }
}

export const succeed: typeof Original.succeed = /*#__PURE__*/ as(Machine.succeed)
export const fail: typeof Original.fail = /*#__PURE__*/ as(failing)
export const failCause: typeof Original.failCause = /*#__PURE__*/ as(Machine.failCause)
export const suspend: typeof Original.suspend = /*#__PURE__*/ as(Machine.suspend)
export const sync: typeof Original.sync = /*#__PURE__*/ as(Machine.sync)
export const async: typeof Original.async = /*#__PURE__*/ as(Machine.async)

/** It keeps the process alive. */
export const never: typeof Original.never = /*#__PURE__*/ as(
  /*#__PURE__*/ Machine.async(() => {
    const timer = setInterval(() => {}, 2 ** 31 - 1)
    return Machine.sync(() => clearInterval(timer))
  })
)
export const interrupt: typeof Original.interrupt = /*#__PURE__*/ as(Machine.interrupt)
export const gen: typeof Original.gen = /*#__PURE__*/ as((body: () => Iterator<Any, unknown, unknown>) =>
  Machine.suspend(() => {
    const steps = body()
    const next = (given?: unknown): Any => {
      const { done, value } = steps.next(given)
      return done ? Machine.succeed(value) : chained(as<Any>(value), next)
    }
    return next()
  })
)
export const isEffect: typeof Original.isEffect = /*#__PURE__*/ as(Machine.isEffect)
const nothing: typeof Original.void = /*#__PURE__*/ as(unit)

export { nothing as void }

const attempt: typeof Original.try = /*#__PURE__*/ as(
  ({ catch: told, try: run }: { readonly try: () => unknown; readonly catch: (error: unknown) => unknown }) =>
    Machine.suspend((): Any => {
      try {
        return Machine.succeed(run())
      } catch (error) {
        return failing(told(error))
      }
    })
)

export { attempt as try }

/** Without a `catch`, the failure is what was thrown, and no exception around it. */
export const tryPromise: typeof Original.tryPromise = /*#__PURE__*/ as(
  (
    given:
      | ((signal: AbortSignal) => PromiseLike<unknown>)
      | {
          readonly try: (signal: AbortSignal) => PromiseLike<unknown>
          readonly catch: (error: unknown) => unknown
        }
  ) => {
    const { catch: told, try: run } =
      typeof given === "function" ? { try: given, catch: (error: unknown) => error } : given
    return Machine.async((resume, signal) => {
      const failed = (error: unknown): void => resume(Machine.suspend(() => failing(told(error))))
      try {
        run(signal).then((value) => resume(Machine.succeed(value)), failed)
      } catch (error) {
        failed(error)
      }
      return undefined
    })
  }
)

interface Cases {
  readonly onFailure: (failure: unknown) => Any
  readonly onSuccess: (value: unknown) => Any
}

type Release = (...of: ReadonlyArray<unknown>) => Any

export const flatMap: typeof Original.flatMap = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, chained))
export const map: typeof Original.map = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, mapped))
const valued = (self: Any, value: unknown): Any => mapped(self, () => value)
const asValue: typeof Original.as = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, valued))

export { asValue as as }

/** What follows a failure, of a cause that may be none. */
const ofFailure =
  (then: Cases["onFailure"]) =>
  (cause: Machine.Cause): Any =>
    cause._tag === "Fail" ? then(cause.error) : Machine.failCause(cause)

const matched = (self: Any, { onFailure, onSuccess }: Cases): Any =>
  Machine.ended(self, onSuccess, ofFailure(onFailure))

export const matchEffect: typeof Original.matchEffect = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, matched))
export const match: typeof Original.match = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(
    2,
    (self: Any, { onFailure, onSuccess }: { readonly [K in keyof Cases]: (of: unknown) => unknown }) =>
      matched(self, {
        onFailure: (error) => Machine.succeed(onFailure(error)),
        onSuccess: (value) => Machine.succeed(onSuccess(value))
      })
  )
)
export const matchCauseEffect: typeof Original.matchCauseEffect = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, { onFailure, onSuccess }: Cases) =>
    Machine.ended(self, onSuccess, onFailure)
  )
)
export const catchAllCause: typeof Original.catchAllCause = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, Machine.caught)
)
const caught = (self: Any, onFailure: Cases["onFailure"]): Any => Machine.caught(self, ofFailure(onFailure))
const caughtIf = (self: Any, isMeant: (error: unknown) => boolean, onFailure: Cases["onFailure"]): Any =>
  caught(self, (error) => (isMeant(error) ? onFailure(error) : failing(error)))

export const catchAll: typeof Original.catchAll = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, caught))
export const catchIf: typeof Original.catchIf = /*#__PURE__*/ as(/*#__PURE__*/ dual(3, caughtIf))
export const catchTag: typeof Original.catchTag = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(3, (self: Any, tag: string, onFailure: Cases["onFailure"]) =>
    caughtIf(self, (error) => as<{ readonly _tag: string }>(error)._tag === tag, onFailure)
  )
)
export const orElseSucceed: typeof Original.orElseSucceed = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, make: () => unknown) => caught(self, () => Machine.succeed(make())))
)

interface Concurrency {
  readonly concurrency?: number | "unbounded"
  readonly discard?: boolean
}

const listed = (
  items: Iterable<unknown>,
  make: (item: unknown, index: number) => Any,
  { concurrency = 1, discard }: Concurrency = {}
): Any => {
  const made = Machine.suspend(() => {
    const all = [...items]
    return concurrency === 1
      ? Machine.each(all, make)
      : Machine.atOnce(all, concurrency === "unbounded" ? all.length : concurrency, make)
  })
  return discard === true ? valued(made, undefined) : made
}

export const forEach: typeof Original.forEach = /*#__PURE__*/ as(listed)
export const all: typeof Original.all = /*#__PURE__*/ as(
  (given: Iterable<Any> | Readonly<Record<string, Any>>, how?: Concurrency) => {
    const self = (effect: unknown): Any => as(effect)
    if (Symbol.iterator in given) return listed(given, self, how)
    const names = Object.keys(given)
    return mapped(
      as<Machine.Effect<ReadonlyArray<unknown>>>(listed(Object.values(given), self, how)),
      (values) =>
        how?.discard === true ? undefined : Object.fromEntries(names.map((name, i) => [name, values[i]]))
    )
  }
)
export const tapError: typeof Original.tapError = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, then: Cases["onFailure"]) =>
    caught(self, (error) => chained(then(error), () => failing(error)))
  )
)
/** What is done with the value may be no effect. */
export const tap: typeof Original.tap = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, then: (value: unknown) => unknown) =>
    chained(self, (value) => {
      const next = then(value)
      return Machine.isEffect(next) ? valued(next, value) : Machine.succeed(value)
    })
  )
)
const emptied = (self: Any): Any => valued(self, undefined)

export const asVoid: typeof Original.asVoid = /*#__PURE__*/ as(emptied)
export const zipWith: typeof Original.zipWith = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(3, (self: Any, that: Any, both: (a: unknown, b: unknown) => unknown) =>
    chained(self, (a) => mapped(that, (b) => both(a, b)))
  )
)
export const ignore: typeof Original.ignore = /*#__PURE__*/ as((self: Any) =>
  caught(emptied(self), () => unit)
)
export const forever: typeof Original.forever = /*#__PURE__*/ as((self: Any) => {
  const again: Any = chained(self, () => again)
  return again
})
export const raceFirst: typeof Original.raceFirst = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, that: Any) => Machine.race([self, that]))
)
export const ensuring: typeof Original.ensuring = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, last: Any) => Machine.onExit(self, () => last))
)
export const onExit: typeof Original.onExit = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, Machine.onExit))
export const interruptible: typeof Original.interruptible = /*#__PURE__*/ as(Machine.interruptible)
export const acquireRelease: typeof Original.acquireRelease = /*#__PURE__*/ as(acquired)
export const acquireUseRelease: typeof Original.acquireUseRelease = /*#__PURE__*/ as(
  (acquire: Any, use: Cases["onSuccess"], release: Release) =>
    Machine.uninterruptibleMask((restore) =>
      chained(acquire, (value) =>
        chained(Machine.exit(restore(Machine.suspend(() => use(value)))), (end) =>
          chained(release(value, end), () => end)
        )
      )
    )
)
export const scoped: typeof Original.scoped = /*#__PURE__*/ as((self: Any) =>
  chained(open, (scope) => Machine.onExit(within(self, scope), (end) => scope.close(end)))
)
const finalized = (then: Release): Any => chained(current, (scope) => scope.add(then))

export const addFinalizer: typeof Original.addFinalizer = /*#__PURE__*/ as(finalized)
export const scope: typeof Original.scope = /*#__PURE__*/ as(current)
export const provideService: typeof Original.provideService = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(3, Machine.provideService)
)
export const provideServiceEffect: typeof Original.provideServiceEffect = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(3, (self: Any, tag: AnyTag, made: Any) =>
    chained(made, (service) => Machine.provideService(self, tag, service))
  )
)
/** A context: there are no layers here. */
export const context: typeof Original.context = /*#__PURE__*/ as(() => Machine.services)
export const provide: typeof Original.provide = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, Machine.provide))
export const mapInputContext: typeof Original.mapInputContext = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, Machine.withServices)
)
export const fork: typeof Original.fork = /*#__PURE__*/ as(Machine.fork)

export const zipRight: typeof Original.zipRight = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, that: Any) => chained(self, () => that))
)

export const zipLeft: typeof Original.zipLeft = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, that: Any) => chained(self, (value) => valued(that, value)))
)

export const flip: typeof Original.flip = /*#__PURE__*/ as((self: Any) =>
  matched(self, { onFailure: Machine.succeed, onSuccess: failing })
)

/** Releases what it has, whether that was all or not: a part of it may have been acquired when it was interrupted. */
export const acquireReleaseInterruptible: typeof Original.acquireReleaseInterruptible = /*#__PURE__*/ as(
  (acquire: Any, release: Release) => Machine.onExit(acquire, () => finalized(release))
)

export const mapError: typeof Original.mapError = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, change: (error: unknown) => unknown) =>
    caught(self, (error) => failing(change(error)))
  )
)

export const timeoutFail: typeof Original.timeoutFail = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(
    2,
    (self: Any, { duration, onTimeout }: { readonly duration: number; readonly onTimeout: () => unknown }) =>
      Machine.race([self, chained(slept(duration), () => failing(onTimeout()))])
  )
)

/** By a schedule, or by one with a number of times and a condition. */
export const retry: typeof Original.retry = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(
    2,
    (
      self: Any,
      how:
        | Schedule
        | {
            readonly schedule: Schedule
            readonly times?: number
            readonly while?: (error: unknown) => boolean
          }
    ) => {
      const {
        schedule,
        times = Number.POSITIVE_INFINITY,
        while: isPassing = () => true
      } = "schedule" in how ? how : { schedule: how }
      return chained(pauses(schedule), ({ next }) => {
        let count = 0
        const again: Any = caught(self, (error): Any => {
          const failed = failing(error)
          return isPassing(error) && count++ < times
            ? matched(next(), { onFailure: () => failed, onSuccess: () => again })
            : failed
        })
        return again
      })
    }
  )
)

/** Once, and again after each of a schedule's pauses. It yields nothing. */
export const repeat: typeof Original.repeat = /*#__PURE__*/ as((self: Any, schedule: Schedule) =>
  chained(pauses(schedule), ({ next }) => {
    const again: Any = chained(self, () => matched(next(), { onFailure: () => unit, onSuccess: () => again }))
    return again
  })
)

type ClockHere = Original.Effect.Success<typeof clock>

const withClockOf = (use: (clock: ClockHere) => Any): Any =>
  Machine.withFiber((fiber) => use(as(fiber.getRef(as(Clock)))))
const slept = (duration: unknown): Any => withClockOf((given) => as(given.sleep(as(toMillis(as(duration))))))

export const clockWith: typeof Original.clockWith = /*#__PURE__*/ as(withClockOf)
export const clock: typeof Original.clock = /*#__PURE__*/ as(
  /*#__PURE__*/ Machine.withFiber((fiber) => Machine.succeed(fiber.getRef(as(Clock))))
)
export const withClock: typeof Original.withClock = /*#__PURE__*/ as((self: Any, given: unknown) =>
  Machine.provideService(self, as(Clock), given)
)
export const sleep: typeof Original.sleep = /*#__PURE__*/ as(slept)

export const delay: typeof Original.delay = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, duration: number) => chained(slept(duration), () => self))
)

/** None, where nobody has provided the service. */
export const serviceOption: typeof Original.serviceOption = /*#__PURE__*/ as(({ key }: AnyTag) =>
  mapped(Machine.services, ({ unsafeMap }) => (unsafeMap.has(key) ? some(unsafeMap.get(key)) : none()))
)

/** What the fiber has: its services and its scheduler. */
export const runtime: typeof Original.runtime = /*#__PURE__*/ as(() =>
  Machine.withFiber(({ context, scheduler }) => Machine.succeed({ context, scheduler }))
)

/** The fiber shows its end alone, to one who asks, and has no id. */
export const withFiberRuntime: typeof Original.withFiberRuntime = /*#__PURE__*/ as(
  (use: (fiber: unknown) => Any) =>
    Machine.withFiber((fiber) => {
      let stop = (): void => {}
      return use({
        id: () => undefined,
        addObserver: (observer: (end: Machine.Exit) => void) => {
          stop = fiber.addObserver(observer)
        },
        removeObserver: () => stop()
      })
    })
)

class Latch {
  private readonly waiting = new Waiting()
  private isOpen: boolean
  constructor(isOpen: boolean) {
    this.isOpen = isOpen
  }
  readonly open = Machine.withFiber(({ scheduler }) => {
    this.isOpen = true
    this.waiting.wake(scheduler)
    return unit
  })
  readonly await = Machine.suspend(() => (this.isOpen ? unit : this.waiting.wait))
  unsafeClose(): void {
    this.isOpen = false
  }
}

export const makeLatch: typeof Original.makeLatch = /*#__PURE__*/ as((isOpen = false) =>
  Machine.sync(() => new Latch(isOpen))
)

const forkedIn = (self: Any, scope: Ends): Any =>
  chained(Machine.forkDaemon(self), (fiber) => held(fiber, scope))

export const forkIn: typeof Original.forkIn = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, forkedIn))
export const forkScoped: typeof Original.forkScoped = /*#__PURE__*/ as((self: Any) =>
  chained(current, (scope) => forkedIn(self, scope))
)

class Semaphore {
  private readonly waiting = new Waiting()
  private free: number
  constructor(free: number) {
    this.free = free
  }
  /** All who wait look again, in their order: one who is interrupted then keeps nothing from the others. */
  private taken(count: number): Any {
    return Machine.suspend((): Any => {
      if (this.free < count) return chained(this.waiting.wait, () => this.taken(count))
      this.free -= count
      return unit
    })
  }
  private given(count: number): Any {
    return Machine.withFiber(({ scheduler }) => {
      this.free += count
      this.waiting.wake(scheduler)
      return unit
    })
  }
  readonly withPermits =
    (count: number) =>
    (self: Any): Any =>
      Machine.uninterruptibleMask((restore) =>
        chained(restore(this.taken(count)), () => Machine.onExit(restore(self), () => this.given(count)))
      )
}

export const unsafeMakeSemaphore: typeof Original.unsafeMakeSemaphore = /*#__PURE__*/ as(
  (permits: number) => new Semaphore(permits)
)

export const runPromise: typeof Original.runPromise = /*#__PURE__*/ as(async (effect: Any) => {
  const end = await Machine.runPromiseExit(effect)
  if (end._tag === "Success") return end.value
  throw Machine.squash(end.cause)
})
export const runSync: typeof Original.runSync = /*#__PURE__*/ as(Machine.runSync)
export const runPromiseExit: typeof Original.runPromiseExit = /*#__PURE__*/ as(Machine.runPromiseExit)

/** It begins at once, and one that is not over has no exit. */
export const runFork: typeof Original.runFork = /*#__PURE__*/ as(Machine.runFork)
