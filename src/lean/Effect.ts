import type * as Original from "effect/Effect"
import { Clock } from "./Clock.js"
import { as } from "./cast.js"
import { toMillis } from "./Duration.js"
import * as FiberRuntime from "./fiberRuntime.js"
import { unit } from "./fiberRuntime.js"
import {
  acquireInScope,
  currentScope,
  interruptWithScope,
  type LeanScope,
  makeScope,
  provideScope
} from "./finalizers.js"
import { none, some } from "./Option.js"
import { makeDriver, type Schedule } from "./scheduleDriver.js"
import type { AnyTag } from "./services.js"
import { WaitQueue } from "./waitQueue.js"

type AnyEffect = FiberRuntime.Effect

/** Makes a function that takes all arguments, or all but the first for use in a pipe. */
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

export const succeed: typeof Original.succeed = /*#__PURE__*/ as(FiberRuntime.succeed)
export const fail: typeof Original.fail = /*#__PURE__*/ as(FiberRuntime.fail)
export const failCause: typeof Original.failCause = /*#__PURE__*/ as(FiberRuntime.failCause)
export const suspend: typeof Original.suspend = /*#__PURE__*/ as(FiberRuntime.suspend)
export const sync: typeof Original.sync = /*#__PURE__*/ as(FiberRuntime.sync)
export const async: typeof Original.async = /*#__PURE__*/ as(FiberRuntime.async)

/** Keeps the process alive, as Effect's does. */
export const never: typeof Original.never = /*#__PURE__*/ as(
  /*#__PURE__*/ FiberRuntime.async(() => {
    const timer = setInterval(() => {}, 2 ** 31 - 1)
    return FiberRuntime.sync(() => clearInterval(timer))
  })
)
export const interrupt: typeof Original.interrupt = /*#__PURE__*/ as(FiberRuntime.interrupt)
export const gen: typeof Original.gen = /*#__PURE__*/ as(
  (body: () => Iterator<AnyEffect, unknown, unknown>) =>
    FiberRuntime.suspend(() => {
      const steps = body()
      const next = (given?: unknown): AnyEffect => {
        const { done, value } = steps.next(given)
        return done ? FiberRuntime.succeed(value) : FiberRuntime.flatMap(as<AnyEffect>(value), next)
      }
      return next()
    })
)
export const isEffect: typeof Original.isEffect = /*#__PURE__*/ as(FiberRuntime.isEffect)
const nothing: typeof Original.void = /*#__PURE__*/ as(unit)

export { nothing as void }

const attempt: typeof Original.try = /*#__PURE__*/ as(
  ({
    catch: toError,
    try: run
  }: {
    readonly try: () => unknown
    readonly catch: (error: unknown) => unknown
  }) =>
    FiberRuntime.suspend((): AnyEffect => {
      try {
        return FiberRuntime.succeed(run())
      } catch (error) {
        return FiberRuntime.fail(toError(error))
      }
    })
)

export { attempt as try }

/** Without `catch`, it fails with the thrown value itself. */
export const tryPromise: typeof Original.tryPromise = /*#__PURE__*/ as(
  (
    given:
      | ((signal: AbortSignal) => PromiseLike<unknown>)
      | {
          readonly try: (signal: AbortSignal) => PromiseLike<unknown>
          readonly catch: (error: unknown) => unknown
        }
  ) => {
    const { catch: toError, try: run } =
      typeof given === "function" ? { try: given, catch: (error: unknown) => error } : given
    return FiberRuntime.async((resume, signal) => {
      const resumeFailed = (error: unknown): void =>
        resume(FiberRuntime.suspend(() => FiberRuntime.fail(toError(error))))
      try {
        run(signal).then((value) => resume(FiberRuntime.succeed(value)), resumeFailed)
      } catch (error) {
        resumeFailed(error)
      }
      return undefined
    })
  }
)

interface MatchCases {
  readonly onFailure: (failure: unknown) => AnyEffect
  readonly onSuccess: (value: unknown) => AnyEffect
}

type Release = (...of: ReadonlyArray<unknown>) => AnyEffect

export const flatMap: typeof Original.flatMap = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, FiberRuntime.flatMap))
export const map: typeof Original.map = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, FiberRuntime.map))
const withValue = (self: AnyEffect, value: unknown): AnyEffect => FiberRuntime.map(self, () => value)
const asValue: typeof Original.as = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, withValue))

export { asValue as as }

/** Applies a handler to a failure. Defects and interruptions pass. */
const handleFailure =
  (then: MatchCases["onFailure"]) =>
  (cause: FiberRuntime.Cause): AnyEffect =>
    cause._tag === "Fail" ? then(cause.error) : FiberRuntime.failCause(cause)

const matchFailure = (self: AnyEffect, { onFailure, onSuccess }: MatchCases): AnyEffect =>
  FiberRuntime.matchCause(self, onSuccess, handleFailure(onFailure))

export const matchEffect: typeof Original.matchEffect = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, matchFailure))
export const match: typeof Original.match = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(
    2,
    (
      self: AnyEffect,
      { onFailure, onSuccess }: { readonly [K in keyof MatchCases]: (of: unknown) => unknown }
    ) =>
      matchFailure(self, {
        onFailure: (error) => FiberRuntime.succeed(onFailure(error)),
        onSuccess: (value) => FiberRuntime.succeed(onSuccess(value))
      })
  )
)
export const matchCauseEffect: typeof Original.matchCauseEffect = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: AnyEffect, { onFailure, onSuccess }: MatchCases) =>
    FiberRuntime.matchCause(self, onSuccess, onFailure)
  )
)
export const catchAllCause: typeof Original.catchAllCause = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, FiberRuntime.catchCause)
)
const catchFailure = (self: AnyEffect, onFailure: MatchCases["onFailure"]): AnyEffect =>
  FiberRuntime.catchCause(self, handleFailure(onFailure))
const catchFailureIf = (
  self: AnyEffect,
  isHandled: (error: unknown) => boolean,
  onFailure: MatchCases["onFailure"]
): AnyEffect =>
  catchFailure(self, (error) => (isHandled(error) ? onFailure(error) : FiberRuntime.fail(error)))

export const catchAll: typeof Original.catchAll = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, catchFailure))
export const catchIf: typeof Original.catchIf = /*#__PURE__*/ as(/*#__PURE__*/ dual(3, catchFailureIf))
export const catchTag: typeof Original.catchTag = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(3, (self: AnyEffect, tag: string, onFailure: MatchCases["onFailure"]) =>
    catchFailureIf(self, (error) => as<{ readonly _tag: string }>(error)._tag === tag, onFailure)
  )
)
export const orElseSucceed: typeof Original.orElseSucceed = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: AnyEffect, make: () => unknown) =>
    catchFailure(self, () => FiberRuntime.succeed(make()))
  )
)

interface ConcurrencyOptions {
  readonly concurrency?: number | "unbounded"
  readonly discard?: boolean
}

const forEachItem = (
  items: Iterable<unknown>,
  make: (item: unknown, index: number) => AnyEffect,
  { concurrency = 1, discard }: ConcurrencyOptions = {}
): AnyEffect => {
  const made = FiberRuntime.suspend(() => {
    const all = [...items]
    return concurrency === 1
      ? FiberRuntime.forEachInOrder(all, make)
      : FiberRuntime.forEachConcurrently(all, concurrency === "unbounded" ? all.length : concurrency, make)
  })
  return discard === true ? withValue(made, undefined) : made
}

export const forEach: typeof Original.forEach = /*#__PURE__*/ as(forEachItem)
export const all: typeof Original.all = /*#__PURE__*/ as(
  (given: Iterable<AnyEffect> | Readonly<Record<string, AnyEffect>>, how?: ConcurrencyOptions) => {
    const self = (effect: unknown): AnyEffect => as(effect)
    if (Symbol.iterator in given) return forEachItem(given, self, how)
    const names = Object.keys(given)
    return FiberRuntime.map(
      as<FiberRuntime.Effect<ReadonlyArray<unknown>>>(forEachItem(Object.values(given), self, how)),
      (values) =>
        how?.discard === true ? undefined : Object.fromEntries(names.map((name, i) => [name, values[i]]))
    )
  }
)
export const tapError: typeof Original.tapError = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: AnyEffect, then: MatchCases["onFailure"]) =>
    catchFailure(self, (error) => FiberRuntime.flatMap(then(error), () => FiberRuntime.fail(error)))
  )
)
/** The function may also return a value that is no effect. */
export const tap: typeof Original.tap = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: AnyEffect, then: (value: unknown) => unknown) =>
    FiberRuntime.flatMap(self, (value) => {
      const next = then(value)
      return FiberRuntime.isEffect(next) ? withValue(next, value) : FiberRuntime.succeed(value)
    })
  )
)
const discardValue = (self: AnyEffect): AnyEffect => withValue(self, undefined)

export const asVoid: typeof Original.asVoid = /*#__PURE__*/ as(discardValue)
export const zipWith: typeof Original.zipWith = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(3, (self: AnyEffect, that: AnyEffect, both: (a: unknown, b: unknown) => unknown) =>
    FiberRuntime.flatMap(self, (a) => FiberRuntime.map(that, (b) => both(a, b)))
  )
)
export const ignore: typeof Original.ignore = /*#__PURE__*/ as((self: AnyEffect) =>
  catchFailure(discardValue(self), () => unit)
)
export const forever: typeof Original.forever = /*#__PURE__*/ as((self: AnyEffect) => {
  const again: AnyEffect = FiberRuntime.flatMap(self, () => again)
  return again
})
export const raceFirst: typeof Original.raceFirst = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: AnyEffect, that: AnyEffect) => FiberRuntime.race([self, that]))
)
export const ensuring: typeof Original.ensuring = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: AnyEffect, last: AnyEffect) => FiberRuntime.onExit(self, () => last))
)
export const onExit: typeof Original.onExit = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, FiberRuntime.onExit))
export const interruptible: typeof Original.interruptible = /*#__PURE__*/ as(FiberRuntime.interruptible)
export const acquireRelease: typeof Original.acquireRelease = /*#__PURE__*/ as(acquireInScope)
export const acquireUseRelease: typeof Original.acquireUseRelease = /*#__PURE__*/ as(
  (acquire: AnyEffect, use: MatchCases["onSuccess"], release: Release) =>
    FiberRuntime.uninterruptibleMask((restore) =>
      FiberRuntime.flatMap(acquire, (value) =>
        FiberRuntime.flatMap(FiberRuntime.exit(restore(FiberRuntime.suspend(() => use(value)))), (end) =>
          FiberRuntime.flatMap(release(value, end), () => end)
        )
      )
    )
)
export const scoped: typeof Original.scoped = /*#__PURE__*/ as((self: AnyEffect) =>
  FiberRuntime.flatMap(makeScope, (scope) =>
    FiberRuntime.onExit(provideScope(self, scope), (end) => scope.close(end))
  )
)
const addToScope = (then: Release): AnyEffect =>
  FiberRuntime.flatMap(currentScope, (scope) => scope.add(then))

export const addFinalizer: typeof Original.addFinalizer = /*#__PURE__*/ as(addToScope)
export const scope: typeof Original.scope = /*#__PURE__*/ as(currentScope)
export const provideService: typeof Original.provideService = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(3, FiberRuntime.provideService)
)
export const provideServiceEffect: typeof Original.provideServiceEffect = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(3, (self: AnyEffect, tag: AnyTag, made: AnyEffect) =>
    FiberRuntime.flatMap(made, (service) => FiberRuntime.provideService(self, tag, service))
  )
)
/** Provides a context. There are no layers here. */
export const context: typeof Original.context = /*#__PURE__*/ as(() => FiberRuntime.services)
export const provide: typeof Original.provide = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, FiberRuntime.provide))
export const mapInputContext: typeof Original.mapInputContext = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, FiberRuntime.withServices)
)
export const fork: typeof Original.fork = /*#__PURE__*/ as(FiberRuntime.fork)

export const zipRight: typeof Original.zipRight = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: AnyEffect, that: AnyEffect) => FiberRuntime.flatMap(self, () => that))
)

export const zipLeft: typeof Original.zipLeft = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: AnyEffect, that: AnyEffect) =>
    FiberRuntime.flatMap(self, (value) => withValue(that, value))
  )
)

export const flip: typeof Original.flip = /*#__PURE__*/ as((self: AnyEffect) =>
  matchFailure(self, { onFailure: FiberRuntime.succeed, onSuccess: FiberRuntime.fail })
)

/** Releases also after an interrupted acquisition, which may have acquired a part. */
export const acquireReleaseInterruptible: typeof Original.acquireReleaseInterruptible = /*#__PURE__*/ as(
  (acquire: AnyEffect, release: Release) => FiberRuntime.onExit(acquire, () => addToScope(release))
)

export const mapError: typeof Original.mapError = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: AnyEffect, change: (error: unknown) => unknown) =>
    catchFailure(self, (error) => FiberRuntime.fail(change(error)))
  )
)

export const timeoutFail: typeof Original.timeoutFail = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(
    2,
    (
      self: AnyEffect,
      { duration, onTimeout }: { readonly duration: number; readonly onTimeout: () => unknown }
    ) =>
      FiberRuntime.race([
        self,
        FiberRuntime.flatMap(sleepFor(duration), () => FiberRuntime.fail(onTimeout()))
      ])
  )
)

/** Takes a schedule, or an object with a schedule, a number of retries and a condition. */
export const retry: typeof Original.retry = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(
    2,
    (
      self: AnyEffect,
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
        while: shouldRetry = () => true
      } = "schedule" in how ? how : { schedule: how }
      return FiberRuntime.flatMap(makeDriver(schedule), ({ next }) => {
        let count = 0
        const again: AnyEffect = catchFailure(self, (error): AnyEffect => {
          const failed = FiberRuntime.fail(error)
          return shouldRetry(error) && count++ < times
            ? matchFailure(next(), { onFailure: () => failed, onSuccess: () => again })
            : failed
        })
        return again
      })
    }
  )
)

/** Runs once, and again after each delay of the schedule. Its value is undefined. */
export const repeat: typeof Original.repeat = /*#__PURE__*/ as((self: AnyEffect, schedule: Schedule) =>
  FiberRuntime.flatMap(makeDriver(schedule), ({ next }) => {
    const again: AnyEffect = FiberRuntime.flatMap(self, () =>
      matchFailure(next(), { onFailure: () => unit, onSuccess: () => again })
    )
    return again
  })
)

type LeanClock = Original.Effect.Success<typeof clock>

const useClock = (use: (clock: LeanClock) => AnyEffect): AnyEffect =>
  FiberRuntime.withFiber((fiber) => use(as(fiber.getRef(as(Clock)))))
const sleepFor = (duration: unknown): AnyEffect =>
  useClock((given) => as(given.sleep(as(toMillis(as(duration))))))

export const clockWith: typeof Original.clockWith = /*#__PURE__*/ as(useClock)
export const clock: typeof Original.clock = /*#__PURE__*/ as(
  /*#__PURE__*/ FiberRuntime.withFiber((fiber) => FiberRuntime.succeed(fiber.getRef(as(Clock))))
)
export const withClock: typeof Original.withClock = /*#__PURE__*/ as((self: AnyEffect, given: unknown) =>
  FiberRuntime.provideService(self, as(Clock), given)
)
export const sleep: typeof Original.sleep = /*#__PURE__*/ as(sleepFor)

export const delay: typeof Original.delay = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: AnyEffect, duration: number) =>
    FiberRuntime.flatMap(sleepFor(duration), () => self)
  )
)

/** None if the service is not provided. */
export const serviceOption: typeof Original.serviceOption = /*#__PURE__*/ as(({ key }: AnyTag) =>
  FiberRuntime.map(FiberRuntime.services, ({ unsafeMap }) =>
    unsafeMap.has(key) ? some(unsafeMap.get(key)) : none()
  )
)

/** The services and the scheduler of the fiber. */
export const runtime: typeof Original.runtime = /*#__PURE__*/ as(() =>
  FiberRuntime.withFiber(({ context, scheduler }) => FiberRuntime.succeed({ context, scheduler }))
)

/** Gives the fiber's observers alone. Fibers have no ids here. */
export const withFiberRuntime: typeof Original.withFiberRuntime = /*#__PURE__*/ as(
  (use: (fiber: unknown) => AnyEffect) =>
    FiberRuntime.withFiber((fiber) => {
      let stop = (): void => {}
      return use({
        id: () => undefined,
        addObserver: (observer: (end: FiberRuntime.Exit) => void) => {
          stop = fiber.addObserver(observer)
        },
        removeObserver: () => stop()
      })
    })
)

class Latch {
  private readonly waitQueue = new WaitQueue()
  private isOpen: boolean
  constructor(isOpen: boolean) {
    this.isOpen = isOpen
  }
  readonly open = FiberRuntime.withFiber(({ scheduler }) => {
    this.isOpen = true
    this.waitQueue.wake(scheduler)
    return unit
  })
  readonly await = FiberRuntime.suspend(() => (this.isOpen ? unit : this.waitQueue.wait))
  unsafeClose(): void {
    this.isOpen = false
  }
}

export const makeLatch: typeof Original.makeLatch = /*#__PURE__*/ as((isOpen = false) =>
  FiberRuntime.sync(() => new Latch(isOpen))
)

const forkInScope = (self: AnyEffect, scope: LeanScope): AnyEffect =>
  FiberRuntime.flatMap(FiberRuntime.forkDaemon(self), (fiber) => interruptWithScope(fiber, scope))

export const forkIn: typeof Original.forkIn = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, forkInScope))
export const forkScoped: typeof Original.forkScoped = /*#__PURE__*/ as((self: AnyEffect) =>
  FiberRuntime.flatMap(currentScope, (scope) => forkInScope(self, scope))
)

class Semaphore {
  private readonly waitQueue = new WaitQueue()
  private free: number
  constructor(free: number) {
    this.free = free
  }
  /**
   * Wakes all waiting fibers in order. Each checks again, so an interrupted one takes no permit from the others.
   */
  private take(count: number): AnyEffect {
    return FiberRuntime.suspend((): AnyEffect => {
      if (this.free < count) return FiberRuntime.flatMap(this.waitQueue.wait, () => this.take(count))
      this.free -= count
      return unit
    })
  }
  private giveBack(count: number): AnyEffect {
    return FiberRuntime.withFiber(({ scheduler }) => {
      this.free += count
      this.waitQueue.wake(scheduler)
      return unit
    })
  }
  readonly withPermits =
    (count: number) =>
    (self: AnyEffect): AnyEffect =>
      FiberRuntime.uninterruptibleMask((restore) =>
        FiberRuntime.flatMap(restore(this.take(count)), () =>
          FiberRuntime.onExit(restore(self), () => this.giveBack(count))
        )
      )
}

export const unsafeMakeSemaphore: typeof Original.unsafeMakeSemaphore = /*#__PURE__*/ as(
  (permits: number) => new Semaphore(permits)
)

export const runPromise: typeof Original.runPromise = /*#__PURE__*/ as(async (effect: AnyEffect) => {
  const end = await FiberRuntime.runPromiseExit(effect)
  if (end._tag === "Success") return end.value
  throw FiberRuntime.squash(end.cause)
})
export const runSync: typeof Original.runSync = /*#__PURE__*/ as(FiberRuntime.runSync)
export const runPromiseExit: typeof Original.runPromiseExit = /*#__PURE__*/ as(FiberRuntime.runPromiseExit)

/** Starts at once. */
export const runFork: typeof Original.runFork = /*#__PURE__*/ as(FiberRuntime.runFork)
