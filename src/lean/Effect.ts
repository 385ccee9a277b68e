import type { Context } from "effect/Context"
import type * as Original from "effect/Effect"
import * as Micro from "effect/Micro"
import { Clock } from "./Clock.js"
import { toMillis } from "./Duration.js"
import { dual, yieldWrapGet } from "./ground.js"
import {
  as,
  flatMap as chained,
  fail,
  guarded,
  inScope,
  map as mapped,
  options,
  started,
  suspend as suspended,
  withFiber
} from "./micro.js"
import { none, some } from "./Option.js"
import { driver, type Schedule } from "./Schedule.js"

export { fail } from "./micro.js"

type Any = Micro.Micro<unknown, unknown>

export const succeed: typeof Original.succeed = /*#__PURE__*/ as(Micro.succeed)
export const suspend: typeof Original.suspend = /*#__PURE__*/ as(suspended)
export const sync: typeof Original.sync = /*#__PURE__*/ as((make: () => unknown) =>
  suspended(() => Micro.succeed(make()))
)
export const async: typeof Original.async = /*#__PURE__*/ as(
  (register: (resume: (effect: Any) => void) => undefined | Micro.Micro<void>) =>
    Micro.async<unknown, unknown>((resume) => {
      try {
        return register(resume)
      } catch (error) {
        resume(Micro.die(error))
      }
    })
)
export const never: typeof Original.never = /*#__PURE__*/ as(Micro.never)
export const interrupt: typeof Original.interrupt = /*#__PURE__*/ as(Micro.interrupt)
export const gen: typeof Original.gen = /*#__PURE__*/ as((body: () => Iterator<unknown, unknown, unknown>) =>
  suspended(() => {
    const steps = body()
    const next = (given?: unknown): Any => {
      const { done, value } = steps.next(given)
      return done ? Micro.succeed(value) : chained(as(yieldWrapGet(as(value))), next)
    }
    return next()
  })
)
export const isEffect: typeof Original.isEffect = /*#__PURE__*/ as(Micro.isMicro)
const nothing: typeof Original.void = /*#__PURE__*/ as(Micro.void)

export { nothing as void }

const attempt: typeof Original.try = /*#__PURE__*/ as(
  ({ catch: told, try: run }: { readonly try: () => unknown; readonly catch: (error: unknown) => unknown }) =>
    suspended(() => {
      try {
        return Micro.succeed(run())
      } catch (error) {
        return as(fail(told(error)))
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
    return Micro.async<unknown, unknown>((resume, signal) => {
      const failed = (error: unknown): void => resume(suspended(() => as(fail(told(error)))))
      try {
        run(as(signal)).then((value) => resume(Micro.succeed(value)), failed)
      } catch (error) {
        failed(error)
      }
    })
  }
)

interface Ends {
  readonly onFailure: (failure: unknown) => Any
  readonly onSuccess: (value: unknown) => Any
}

type Release = (...of: ReadonlyArray<unknown>) => Micro.Micro<void>

export const flatMap: typeof Original.flatMap = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, chained))
export const map: typeof Original.map = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, mapped))
const asValue: typeof Original.as = /*#__PURE__*/ as(Micro.as)

export { asValue as as }

/** What follows a failure, of a cause that may be none. */
const ofFailure = (then: Ends["onFailure"]): ((cause: Micro.MicroCause<unknown>) => Any) =>
  guarded((cause) => (cause._tag === "Fail" ? then(cause.error) : Micro.failCause(cause)))

export const matchEffect: typeof Original.matchEffect = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, { onFailure, onSuccess }: Ends) =>
    Micro.matchCauseEffect(self, { onFailure: ofFailure(onFailure), onSuccess: guarded(onSuccess) })
  )
)
export const match: typeof Original.match = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(
    2,
    (self: Any, { onFailure, onSuccess }: { readonly [K in keyof Ends]: (of: unknown) => unknown }) =>
      matchEffect(as<Original.Effect<unknown, unknown>>(self), {
        onFailure: (error) => succeed(onFailure(error)),
        onSuccess: (value) => succeed(onSuccess(value))
      })
  )
)
/** Micro's own passes by every interruption; this one only that of the fiber itself, as effect's does. */
export const matchCauseEffect: typeof Original.matchCauseEffect = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, { onFailure, onSuccess }: Ends) =>
    Micro.uninterruptibleMask((restore) => {
      const then = (end: (of: unknown) => Any) => (of: unknown) => restore(suspended(() => end(of)))
      return Micro.matchCauseEffect(restore(self), { onFailure: then(onFailure), onSuccess: then(onSuccess) })
    })
  )
)
export const catchAllCause: typeof Original.catchAllCause = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, onFailure: Ends["onFailure"]) =>
    matchCauseEffect(as<Original.Effect<unknown, unknown>>(self), {
      onFailure: as(onFailure),
      onSuccess: succeed
    })
  )
)
const caught = (self: Any, onFailure: Ends["onFailure"]): Any =>
  Micro.catchAllCause(self, ofFailure(onFailure))
const caughtIf = (self: Any, isMeant: (error: unknown) => boolean, onFailure: Ends["onFailure"]): Any =>
  caught(self, (error) => (isMeant(error) ? onFailure(error) : as(fail(error))))

export const catchAll: typeof Original.catchAll = /*#__PURE__*/ as(/*#__PURE__*/ dual(2, caught))
export const catchIf: typeof Original.catchIf = /*#__PURE__*/ as(/*#__PURE__*/ dual(3, caughtIf))
export const catchTag: typeof Original.catchTag = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(3, (self: Any, tag: string, onFailure: Ends["onFailure"]) =>
    caughtIf(self, (error) => as<{ readonly _tag: string }>(error)._tag === tag, onFailure)
  )
)
export const orElseSucceed: typeof Original.orElseSucceed = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, make: () => unknown) => caught(self, () => Micro.succeed(make())))
)
export const forEach: typeof Original.forEach = /*#__PURE__*/ as(
  (items: Iterable<unknown>, each: (item: unknown, index: number) => Any, options?: object) =>
    Micro.forEach(items, guarded(each), options)
)
export const tapError: typeof Original.tapError = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, then: Ends["onFailure"]) =>
    caught(self, (error) => chained(then(error), () => as(fail(error))))
  )
)
/** What is done with the value may be no effect. */
export const tap: typeof Original.tap = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, then: (value: unknown) => unknown) =>
    chained(self, (value) => {
      const next = then(value)
      return Micro.isMicro(next) ? Micro.as(as<Any>(next), value) : Micro.succeed(value)
    })
  )
)
export const asVoid: typeof Original.asVoid = /*#__PURE__*/ as(Micro.asVoid)
export const zipWith: typeof Original.zipWith = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(3, (self: Any, that: Any, both: (a: unknown, b: unknown) => unknown) =>
    chained(self, (a) => mapped(that, (b) => both(a, b)))
  )
)
export const ignore: typeof Original.ignore = /*#__PURE__*/ as(Micro.ignore)
export const forever: typeof Original.forever = /*#__PURE__*/ as(Micro.forever)
export const failCause: typeof Original.failCause = /*#__PURE__*/ as(Micro.failCause)
export const all: typeof Original.all = /*#__PURE__*/ as(Micro.all)
export const raceFirst: typeof Original.raceFirst = /*#__PURE__*/ as(Micro.raceFirst)
export const ensuring: typeof Original.ensuring = /*#__PURE__*/ as(Micro.ensuring)
export const onExit: typeof Original.onExit = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, then: (exit: unknown) => Micro.Micro<void>) =>
    Micro.onExit(self, as<typeof then>(guarded(then)))
  )
)
export const interruptible: typeof Original.interruptible = /*#__PURE__*/ as(Micro.interruptible)
export const acquireRelease: typeof Original.acquireRelease = /*#__PURE__*/ as(
  (acquire: Any, release: Release) => Micro.acquireRelease(acquire, guarded(release))
)
export const acquireUseRelease: typeof Original.acquireUseRelease = /*#__PURE__*/ as(
  (acquire: Any, use: Ends["onSuccess"], release: Release) =>
    Micro.acquireUseRelease(acquire, guarded(use), guarded(release))
)
export const scoped: typeof Original.scoped = /*#__PURE__*/ as(Micro.scoped)
const finalized = (then: Release) => Micro.addFinalizer(guarded(then))

export const addFinalizer: typeof Original.addFinalizer = /*#__PURE__*/ as(finalized)
export const scope: typeof Original.scope = /*#__PURE__*/ as(Micro.scope)
export const provideService: typeof Original.provideService = /*#__PURE__*/ as(Micro.provideService)
export const provideServiceEffect: typeof Original.provideServiceEffect = /*#__PURE__*/ as(
  Micro.provideServiceEffect
)
/** A context: there are no layers here. */
export const context: typeof Original.context = /*#__PURE__*/ as(Micro.context)
export const provide: typeof Original.provide = /*#__PURE__*/ as(Micro.provideContext)
export const mapInputContext: typeof Original.mapInputContext = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, change: (context: Context<never>) => Context<never>) =>
    withFiber(({ context }) => {
      const changed = change(context)
      return Micro.updateContext(self, () => changed)
    })
  )
)
export const fork: typeof Original.fork = /*#__PURE__*/ as(Micro.fork)

export const zipRight: typeof Original.zipRight = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, that: Any) => Micro.flatMap(self, () => that))
)

export const zipLeft: typeof Original.zipLeft = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, that: Any) => Micro.flatMap(self, (value) => Micro.as(that, value)))
)

export const flip: typeof Original.flip = /*#__PURE__*/ as((self: Any) =>
  Micro.matchEffect(self, { onFailure: Micro.succeed, onSuccess: (value) => as<Any>(fail(value)) })
)

/** Releases what it has, whether that was all or not: a part of it may have been acquired when it was interrupted. */
export const acquireReleaseInterruptible: typeof Original.acquireReleaseInterruptible = /*#__PURE__*/ as(
  (acquire: Any, release: Release) => Micro.ensuring(acquire, finalized(release))
)

export const mapError: typeof Original.mapError = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, change: (error: unknown) => unknown) =>
    caught(self, (error) => as(fail(change(error))))
  )
)

export const timeoutFail: typeof Original.timeoutFail = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(
    2,
    (self: Any, { duration, onTimeout }: { readonly duration: number; readonly onTimeout: () => unknown }) =>
      Micro.raceFirst(
        self,
        chained(Micro.interruptible(as<Any>(sleep(duration))), () => as<Any>(fail(onTimeout())))
      )
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
      const pauses = as<Micro.Micro<{ readonly next: () => Micro.Micro<void, unknown> }>>(
        driver(as<Parameters<typeof driver>[0]>(schedule))
      )
      return Micro.flatMap(pauses, ({ next }) => {
        let count = 0
        const again: Any = caught(self, (error): Any => {
          const failed = as<Any>(fail(error))
          return isPassing(error) && count++ < times
            ? Micro.matchEffect(next(), { onFailure: () => failed, onSuccess: () => again })
            : failed
        })
        return again
      })
    }
  )
)

/** Once, and again after each of a schedule's pauses. It yields nothing. */
export const repeat: typeof Original.repeat = /*#__PURE__*/ as((self: Any, schedule: Schedule) =>
  Micro.flatMap(
    as<Micro.Micro<{ readonly next: () => Micro.Micro<void, unknown> }>>(
      driver(as<Parameters<typeof driver>[0]>(schedule))
    ),
    ({ next }) => {
      const again: Any = Micro.flatMap(self, () =>
        Micro.matchEffect(next(), { onFailure: () => Micro.void, onSuccess: () => again })
      )
      return again
    }
  )
)

export const clockWith: typeof Original.clockWith = /*#__PURE__*/ as((f: (clock: unknown) => Any) =>
  withFiber((fiber) => f(fiber.getRef(as<never>(Clock))))
)
export const clock: typeof Original.clock = /*#__PURE__*/ as(
  /*#__PURE__*/ Micro.withMicroFiber((fiber) => Micro.succeed(fiber.getRef(as<never>(Clock))))
)
export const withClock: typeof Original.withClock = /*#__PURE__*/ as((self: Any, given: unknown) =>
  Micro.provideService(self, as<never>(Clock), given)
)
export const sleep: typeof Original.sleep = /*#__PURE__*/ as((duration: number) =>
  clockWith((given) => given.sleep(as(toMillis(duration))))
)

export const delay: typeof Original.delay = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, duration: number) => Micro.flatMap(as<Any>(sleep(duration)), () => self))
)

/** None, where nobody has provided the service. */
export const serviceOption: typeof Original.serviceOption = /*#__PURE__*/ as(
  ({ key }: { readonly key: string }) =>
    Micro.withMicroFiber(({ context }) => {
      const services = context.unsafeMap
      return Micro.succeed(services.has(key) ? some(services.get(key)) : none())
    })
)

/** The services of the fiber. */
export const runtime: typeof Original.runtime = /*#__PURE__*/ as(Micro.context)

/** The fiber shows its end alone, to one who asks, and has no id. */
export const withFiberRuntime: typeof Original.withFiberRuntime = /*#__PURE__*/ as(
  (f: (fiber: unknown) => Any) =>
    withFiber((fiber) => {
      let stop = (): void => {}
      return f({
        id: () => undefined,
        addObserver: (observer: (exit: Micro.MicroExit<unknown, unknown>) => void) => {
          stop = fiber.addObserver(observer)
        },
        removeObserver: () => stop()
      })
    })
)

class Latch {
  private waiting = new Set<(done: Micro.Micro<void>) => void>()
  private isOpen: boolean
  constructor(isOpen: boolean) {
    this.isOpen = isOpen
  }
  /** Those who wait go on after the one who opens it. */
  readonly open = Micro.withMicroFiber<void>((fiber) => {
    this.isOpen = true
    if (this.waiting.size > 0) fiber.getRef(Micro.CurrentScheduler).scheduleTask(this.flush, 0)
    return Micro.void
  })
  private readonly flush = (): void => {
    const { waiting } = this
    this.waiting = new Set()
    for (const resume of waiting) resume(Micro.void)
  }
  readonly await = Micro.suspend(() =>
    this.isOpen
      ? Micro.void
      : Micro.async<void>((resume) => {
          this.waiting.add(resume)
          return Micro.sync(() => void this.waiting.delete(resume))
        })
  )
  unsafeClose(): void {
    this.isOpen = false
  }
}

export const makeLatch: typeof Original.makeLatch = /*#__PURE__*/ as((isOpen = false) =>
  Micro.sync(() => new Latch(isOpen))
)

/** Micro's own waits for itself where the fiber has once waited for anything (effect 3.22.4). */
export const forkIn: typeof Original.forkIn = /*#__PURE__*/ as(
  /*#__PURE__*/ dual(2, (self: Any, within: Micro.MicroScope) =>
    Micro.flatMap(Micro.forkDaemon(self), (fiber) => inScope(fiber, within))
  )
)

export const forkScoped: typeof Original.forkScoped = /*#__PURE__*/ as((self: Any) =>
  Micro.flatMap(Micro.scope, (within) =>
    Micro.flatMap(Micro.forkDaemon(self), (fiber) => inScope(fiber, within))
  )
)

class Semaphore {
  private waiting = new Set<(go: Micro.Micro<void>) => void>()
  private free: number
  constructor(free: number) {
    this.free = free
  }
  private readonly taken = (count: number): Micro.Micro<void> =>
    Micro.suspend(() => {
      if (this.free >= count) {
        this.free -= count
        return Micro.void
      }
      return Micro.flatMap(
        Micro.async<void>((resume) => {
          this.waiting.add(resume)
          return Micro.sync(() => void this.waiting.delete(resume))
        }),
        () => this.taken(count)
      )
    })
  /** All who wait look again, in their order: one who is interrupted then keeps nothing from the others. */
  private readonly flush = (): void => {
    const { waiting } = this
    this.waiting = new Set()
    for (const resume of waiting) resume(Micro.void)
  }
  private readonly given = (count: number): Micro.Micro<void> =>
    Micro.withMicroFiber((fiber) => {
      this.free += count
      if (this.waiting.size > 0) fiber.getRef(Micro.CurrentScheduler).scheduleTask(this.flush, 0)
      return Micro.void
    })
  readonly withPermits =
    (count: number) =>
    (self: Any): Any =>
      Micro.uninterruptibleMask((restore) =>
        Micro.flatMap(restore(this.taken(count)), () => Micro.ensuring(restore(self), this.given(count)))
      )
}

export const unsafeMakeSemaphore: typeof Original.unsafeMakeSemaphore = /*#__PURE__*/ as(
  (permits: number) => new Semaphore(permits)
)

export const runPromise: typeof Original.runPromise = /*#__PURE__*/ as((effect: Any) =>
  Micro.runPromise(effect, options)
)
export const runSync: typeof Original.runSync = /*#__PURE__*/ as(Micro.runSync)
export const runPromiseExit: typeof Original.runPromiseExit = /*#__PURE__*/ as((effect: Any) =>
  Micro.runPromiseExit(effect, options)
)

/** The fiber is Micro's: it begins at once, and one that is not over has no exit. */
export const runFork: typeof Original.runFork = /*#__PURE__*/ as(started)
