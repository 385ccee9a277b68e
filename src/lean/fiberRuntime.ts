/**
 * Runs effects: an effect is an object that takes one step in a fiber, and a fiber has a stack of continuations. It
 * has what the functions of this folder need. Effects cannot be compared, hashed, printed or traced, since no caller
 * of the Promise surface gets one. An exception in a step is a defect, which finalizers see.
 */
import { as } from "./cast.js"
import { type AnyTag, addService, getService, mergeServices, pipeThrough, Services } from "./services.js"

/**
 * The key of an effect's step, which identifies effects. It is global, so that separately bundled entries share it.
 */
export const STEP: unique symbol = Symbol.for("effect-chains/step")

declare const yields: unique symbol

/** Returns the next effect, or undefined if the fiber waits or has ended. */
export abstract class Effect<out A = unknown> {
  declare protected readonly [yields]: A
  abstract [STEP](fiber: Fiber): Effect | undefined
  pipe(...steps: ReadonlyArray<(self: unknown) => unknown>): unknown {
    return pipeThrough(this, steps)
  }
  [Symbol.iterator](): Iterator<Effect<A>, A> {
    return new YieldIterator(this)
  }
}

export const isEffect = (u: unknown): u is Effect => Object(u) === u && STEP in as<object>(u)

/** The iterator of `yield*`: yields the effect, and returns its value. */
class YieldIterator<A> implements Iterator<Effect<A>, A> {
  private self: Effect<A> | undefined = undefined
  constructor(self: Effect<A>) {
    this.self = self
  }
  next(value?: A): IteratorResult<Effect<A>, A> {
    const { self } = this
    this.self = undefined
    return self === undefined ? { done: true, value: as(value) } : { done: false, value: self }
  }
}

export type Cause =
  | { readonly _tag: "Fail"; readonly error: unknown }
  | { readonly _tag: "Die"; readonly defect: unknown }
  | { readonly _tag: "Interrupt" }

/** The exit of an effect is an effect itself. */
export type Exit<A = unknown> = Success<A> | Failure

export class Success<out A = unknown> extends Effect<A> {
  readonly _tag = "Success"
  readonly value: A
  constructor(value: A) {
    super()
    this.value = value
  }
  [STEP](fiber: Fiber): Effect | undefined {
    return fiber.continueWith(this.value)
  }
}

export class Failure extends Effect<never> {
  readonly _tag = "Failure"
  readonly cause: Cause
  constructor(cause: Cause) {
    super()
    this.cause = cause
  }
  [STEP](fiber: Fiber): Effect | undefined {
    return fiber.continueWithCause(this.cause)
  }
}

export const succeed = <A>(value: A): Success<A> => new Success(value)
export const failCause = (cause: Cause): Failure => new Failure(cause)
export const fail = (error: unknown): Failure => failCause({ _tag: "Fail", error })
export const die = (defect: unknown): Failure => failCause({ _tag: "Die", defect })
export const interrupt: Failure = /*#__PURE__*/ failCause({ _tag: "Interrupt" })
export const unit: Success<void> = /*#__PURE__*/ succeed(undefined)

/** A continuation. An interrupted fiber skips it, unless it is `always`. */
interface Frame {
  readonly onValue: ((value: never) => Effect) | undefined
  readonly onCause: ((cause: Cause) => Effect) | undefined
  readonly always?: boolean
}

/** An effect with its continuation. */
class Continued<out A> extends Effect<A> implements Frame {
  private readonly first: Effect
  readonly onValue: Frame["onValue"]
  readonly onCause: Frame["onCause"]
  constructor(first: Effect, onValue: Frame["onValue"], onCause: Frame["onCause"]) {
    super()
    this.first = first
    this.onValue = onValue
    this.onCause = onCause
  }
  [STEP](fiber: Fiber): Effect {
    fiber.stack.push(this)
    return this.first
  }
}

class Suspended<out A> extends Effect<A> {
  private readonly make: () => Effect<A>
  constructor(make: () => Effect<A>) {
    super()
    this.make = make
  }
  [STEP](): Effect {
    return this.make()
  }
}

class WithFiber<out A> extends Effect<A> {
  private readonly make: (fiber: Fiber) => Effect | undefined
  constructor(make: (fiber: Fiber) => Effect | undefined) {
    super()
    this.make = make
  }
  [STEP](fiber: Fiber): Effect | undefined {
    return this.make(fiber)
  }
}

/** Makes an effect when the fiber reaches it. */
export const suspend = <A>(make: () => Effect<A>): Effect<A> => new Suspended(make)
export const withFiber = <A>(make: (fiber: Fiber) => Effect<A>): Effect<A> => new WithFiber(make)
export const sync = <A>(make: () => A): Effect<A> => new WithFiber((fiber) => fiber.continueWith(make()))

export const flatMap = <A, B>(self: Effect<A>, then: (value: A) => Effect<B>): Effect<B> =>
  new Continued(self, then, undefined)
export const map = <A, B>(self: Effect<A>, change: (value: A) => B): Effect<B> =>
  new Continued(self, (value: A) => succeed(change(value)), undefined)
export const catchCause = <A, B>(self: Effect<A>, otherwise: (cause: Cause) => Effect<B>): Effect<A | B> =>
  new Continued(self, undefined, otherwise)
export const matchCause = <A, B>(
  self: Effect<A>,
  then: (value: A) => Effect<B>,
  otherwise: (cause: Cause) => Effect<B>
): Effect<B> => new Continued(self, then, otherwise)

/** The exit of an effect as a value. */
export const exit = <A>(self: Effect<A>): Effect<Exit<A>> =>
  matchCause<A, Exit<A>>(
    self,
    (value) => succeed(succeed(value)),
    (cause) => succeed(failCause(cause))
  )

/** Calls `restore` when the effect ends in any way. */
const withRestore = <A>(self: Effect<A>, fiber: Fiber, restore: () => void): Effect<A> => {
  fiber.stack.push({
    onValue: (value) => {
      restore()
      return succeed(value)
    },
    onCause: (cause) => {
      restore()
      return failCause(cause)
    },
    always: true
  })
  return self
}

const withInterruptibility = <A>(self: Effect<A>, fiber: Fiber, isInterruptible: boolean): Effect<A> => {
  if (fiber.isInterruptible === isInterruptible) return self
  fiber.isInterruptible = isInterruptible
  return withRestore(self, fiber, () => {
    fiber.isInterruptible = !isInterruptible
  })
}

export const interruptible = <A>(self: Effect<A>): Effect<A> =>
  withFiber((fiber) => {
    const inside = withInterruptibility(self, fiber, true)
    return fiber.canBeInterruptedNow() ? interrupt : inside
  })

/** Runs uninterruptibly. `restore` makes an effect as interruptible as it was before. */
export const uninterruptibleMask = <A>(
  make: (restore: <B>(self: Effect<B>) => Effect<B>) => Effect<A>
): Effect<A> =>
  withFiber((fiber) =>
    withInterruptibility(make(fiber.isInterruptible ? interruptible : (self) => self), fiber, false)
  )

/** Runs an uninterruptible effect after any exit. */
export const onExit = <A>(self: Effect<A>, last: (exit: Exit<A>) => Effect): Effect<A> =>
  withFiber((fiber) => {
    const finish = (end: Exit<A>): Effect<A> =>
      withInterruptibility(
        flatMap(last(end), () => end),
        fiber,
        false
      )
    fiber.stack.push({
      onValue: (value: A) => finish(succeed(value)),
      onCause: (cause) => finish(failCause(cause)),
      always: true
    })
    return self
  })

/**
 * Waits until `resume` is called, which may be at once. `register` may return an effect that runs if the wait is
 * interrupted. With a second parameter it gets a signal that is aborted then.
 */
export const async = <A>(
  register: (resume: (end: Effect<A>) => void, signal: AbortSignal) => Effect | undefined
): Effect<A> =>
  new WithFiber((fiber) => {
    let result: Effect<A> | undefined
    let isWaiting = false
    const controller = register.length > 1 ? new AbortController() : undefined
    const resume = (end: Effect<A>): void => {
      if (result !== undefined) return
      result = end
      if (isWaiting) fiber.run(end)
    }
    const cancel = register(resume, as(controller?.signal))
    if (result !== undefined) return result
    isWaiting = true
    if (controller !== undefined || cancel !== undefined)
      fiber.stack.push({
        onValue: undefined,
        onCause: (cause) => {
          const end = failCause(cause)
          if (!fiber.canBeInterruptedNow()) return end
          controller?.abort()
          return withInterruptibility(
            flatMap(cancel ?? unit, () => end),
            fiber,
            false
          )
        },
        always: true
      })
    return fiber.setWait(() => {
      result = interrupt
    })
  })

/** Runs tasks later, and decides after how many steps a fiber yields. */
export interface Scheduler {
  scheduleTask(task: () => void): void
  shouldYield(fiber: Fiber, steps: number): boolean
}

/** Schedules microtasks, as Effect's own. After 2,048 in a row it yields to timers. */
export class Microtasks implements Scheduler {
  private tasks: Array<() => void> = []
  private isRunning = false
  scheduleTask(task: () => void): void {
    this.tasks.push(task)
    if (this.isRunning) return
    this.isRunning = true
    this.scheduleTurn(0)
  }
  shouldYield(_: Fiber, steps: number): boolean {
    return steps >= 2_048
  }
  flush(): void {
    while (this.tasks.length > 0) this.runTasks()
  }
  private scheduleTurn(depth: number): void {
    if (depth >= 2_048) setTimeout(() => this.runTurn(0), 0)
    else queueMicrotask(() => this.runTurn(depth + 1))
  }
  private runTurn(depth: number): void {
    try {
      this.runTasks()
    } finally {
      if (this.tasks.length > 0) this.scheduleTurn(depth)
      else this.isRunning = false
    }
  }
  private runTasks(): void {
    const { tasks } = this
    this.tasks = []
    let done = 0
    try {
      for (const task of tasks) {
        done++
        task()
      }
    } finally {
      // a task that throws does not stop the others
      if (done < tasks.length) this.tasks = [...tasks.slice(done), ...this.tasks]
    }
  }
}

export const scheduler: Microtasks = /*#__PURE__*/ new Microtasks()

export const yieldNow: Effect<void> = /*#__PURE__*/ withFiber((fiber) =>
  async<void>((resume) => {
    fiber.scheduler.scheduleTask(() => resume(unit))
    return undefined
  })
)

type Observer = (end: Exit) => void

/** A running effect: its continuations, its services, and whether it is interrupted. */
export class Fiber {
  readonly stack: Array<Frame> = []
  scheduler: Scheduler
  context: Services
  isInterruptible: boolean
  children: Set<Fiber> | undefined = undefined
  private isInterrupted = false
  private end: Exit | undefined = undefined
  private observers: ReadonlyArray<Observer> = []
  /** Cancels the current wait. Set while the fiber waits, or has not begun. */
  private cancelWait: (() => void) | undefined = () => {}
  constructor(context: Services, scheduler: Scheduler, isInterruptible = true) {
    this.context = context
    this.scheduler = scheduler
    this.isInterruptible = isInterruptible
  }

  getRef(tag: AnyTag): unknown {
    return getService(this.context, tag)
  }
  addObserver(observer: Observer): () => void {
    if (this.end !== undefined) {
      observer(this.end)
      return () => {}
    }
    this.observers = [...this.observers, observer]
    return () => {
      this.observers = this.observers.filter((each) => each !== observer)
    }
  }
  unsafePoll(): Exit | undefined {
    return this.end
  }
  canBeInterruptedNow(): boolean {
    return this.isInterrupted && this.isInterruptible
  }
  interrupt(): void {
    if (this.end !== undefined) return
    this.isInterrupted = true
    for (const child of [...(this.children ?? [])]) child.interrupt()
    const { cancelWait } = this
    if (cancelWait === undefined || !this.isInterruptible) return
    cancelWait()
    this.run(interrupt)
  }
  setWait(leave: () => void): undefined {
    this.cancelWait = leave
  }

  /** Starts the fiber, or resumes it after a wait. */
  run(effect: Effect): void {
    if (this.end !== undefined) return
    this.cancelWait = undefined
    this.loop(effect)
    // it was interrupted during its own step
    if (this.canBeInterruptedNow()) this.interrupt()
    this.notifyObservers()
  }
  private notifyObservers(): void {
    const { end, observers } = this
    if (end === undefined) return
    this.observers = []
    for (const observer of observers) observer(end)
  }
  private loop(effect: Effect): void {
    let current: Effect | undefined = effect
    let steps = 0
    while (current !== undefined) {
      try {
        do {
          if (this.scheduler.shouldYield(this, steps++)) {
            const rest: Effect = current
            current = flatMap(yieldNow, () => rest)
            steps = 0
          }
          current = current[STEP](this)
        } while (current !== undefined)
      } catch (error) {
        current = die(error)
      }
    }
  }
  continueWith(value: unknown): Effect | undefined {
    while (!this.canBeInterruptedNow()) {
      const frame = this.stack.pop()
      if (frame === undefined) return this.finish(succeed(value))
      if (frame.onValue !== undefined) return frame.onValue(as(value))
    }
    return this.continueWithCause(interrupt.cause)
  }
  continueWithCause(cause: Cause): Effect | undefined {
    for (;;) {
      const isLeaving = this.canBeInterruptedNow()
      const of = isLeaving ? interrupt.cause : cause
      const frame = this.stack.pop()
      if (frame === undefined) return this.finish(failCause(of))
      if (frame.onCause !== undefined && (frame.always === true || !isLeaving)) return frame.onCause(of)
    }
  }
  /** Ends the fiber after its children. */
  private finish(end: Exit): Effect | undefined {
    const { children } = this
    if (children !== undefined && children.size > 0) {
      this.isInterruptible = false
      return flatMap(interruptAll([...children]), () => end)
    }
    this.end = end
    return undefined
  }
}

const makeChildFiber = (parent: Fiber): Fiber =>
  new Fiber(parent.context, parent.scheduler, parent.isInterruptible)

const scheduleFiber = (parent: Fiber, child: Fiber, effect: Effect): Success<Fiber> => {
  parent.scheduler.scheduleTask(() => child.run(effect))
  return succeed(child)
}

/** Starts a child fiber in a later task. It ends with its parent. */
export const fork = (self: Effect): Effect<Fiber> =>
  withFiber((parent) => {
    const child = makeChildFiber(parent)
    parent.children ??= new Set()
    parent.children.add(child)
    child.addObserver(() => parent.children?.delete(child))
    return scheduleFiber(parent, child, self)
  })

export const forkDaemon = (self: Effect): Effect<Fiber> =>
  withFiber((parent) => scheduleFiber(parent, makeChildFiber(parent), self))

/** Waits for the exit of a fiber. */
export const awaitFiber = (fiber: Fiber): Effect<Exit> =>
  async<Exit>((resume) => sync(fiber.addObserver((end) => resume(succeed(end)))))
export const joinFiber = (fiber: Fiber): Effect => flatMap(awaitFiber(fiber), (end) => end)

export const interruptAll = (fibers: Iterable<Fiber>): Effect<void> =>
  suspend(() => {
    const all = [...fibers]
    for (const fiber of all) fiber.interrupt()
    return map(forEachInOrder(all, awaitFiber), () => {})
  })

/** Runs effects one after the other. */
export const forEachInOrder = <A, B>(
  items: ReadonlyArray<A>,
  make: (item: A, index: number) => Effect<B>
): Effect<Array<B>> =>
  suspend(() => {
    const made: Array<B> = []
    const next = (): Effect<Array<B>> =>
      made.length < items.length
        ? flatMap(make(as(items[made.length]), made.length), (value) => {
            made.push(value)
            return next()
          })
        : succeed(made)
    return next()
  })

/** Runs at most so many effects at a time, started in order. The first failure interrupts the others. */
export const forEachConcurrently = <A, B>(
  items: ReadonlyArray<A>,
  most: number,
  make: (item: A, index: number) => Effect<B>
): Effect<Array<B>> =>
  withFiber((parent) =>
    async((resume) => {
      const made: Array<B> = []
      const running = new Set<Fiber>()
      let failure: Failure | undefined
      let begun = 0
      let isBeginning = false
      const stop = (): void => {
        begun = items.length
        for (const fiber of [...running]) fiber.interrupt()
      }
      const begin = (index: number): void => {
        const fiber = makeChildFiber(parent)
        running.add(fiber)
        fiber.addObserver((end) => {
          running.delete(fiber)
          if (end._tag === "Success") made[index] = as(end.value)
          else if (failure === undefined) {
            failure = end
            stop()
          }
          if (!isBeginning) more()
        })
        fiber.run(suspend(() => make(as(items[index]), index)))
      }
      const more = (): void => {
        isBeginning = true
        while (begun < items.length && running.size < most) begin(begun++)
        isBeginning = false
        if (running.size === 0) resume(failure ?? succeed(made))
      }
      more()
      return suspend(() => {
        begun = items.length
        return interruptAll(running)
      })
    })
  )

/** Returns the first exit of several effects, and interrupts the others. */
export const race = (all: ReadonlyArray<Effect>): Effect =>
  withFiber((parent) =>
    async((resume) => {
      const running = new Set<Fiber>()
      let isOver = false
      for (const effect of all) {
        if (isOver) break
        const fiber = makeChildFiber(parent)
        running.add(fiber)
        fiber.addObserver((end) => {
          running.delete(fiber)
          isOver = true
          resume(running.size === 0 ? end : flatMap(interruptAll(running), () => end))
        })
        fiber.run(interruptible(effect))
      }
      return interruptAll(running)
    })
  )

/** Changes the services while an effect runs. */
export const withServices = <A>(self: Effect<A>, change: (services: Services) => Services): Effect<A> =>
  withFiber((fiber) => {
    const { context } = fiber
    fiber.context = change(context)
    return withRestore(self, fiber, () => {
      fiber.context = context
    })
  })
export const provide = <A>(self: Effect<A>, services: Services): Effect<A> =>
  withServices(self, (context) => mergeServices(context, services))
export const provideService = <A>(self: Effect<A>, tag: AnyTag, service: unknown): Effect<A> =>
  withServices(self, (context) => addService(context, tag, service))
export const services: Effect<Services> = /*#__PURE__*/ withFiber(({ context }) => succeed(context))

const noServices = /*#__PURE__*/ new Services(/*#__PURE__*/ new Map())

/** Runs an effect, starting at once. */
export const runFork = (
  effect: Effect,
  given: { readonly scheduler: Scheduler; readonly context?: Services } = { scheduler }
): Fiber => {
  const fiber = new Fiber(given.context ?? noServices, given.scheduler)
  fiber.run(effect)
  return fiber
}

export const runPromiseExit = (effect: Effect): Promise<Exit> =>
  new Promise((resolve) => void runFork(effect).addObserver(resolve))

export const runSync = (effect: Effect): unknown => {
  const own = new Microtasks()
  const fiber = runFork(effect, { scheduler: own })
  own.flush()
  const end = fiber.unsafePoll()
  if (end?._tag === "Success") return end.value
  throw end === undefined ? new Error("The effect waits, and cannot be run at once") : squash(end.cause)
}

/** The failure or the defect itself. */
export const squash = (cause: Cause): unknown =>
  cause._tag === "Fail"
    ? cause.error
    : cause._tag === "Die"
      ? cause.defect
      : new Error("The effect was interrupted")
