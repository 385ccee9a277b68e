/**
 * What runs effects here: an effect is an object that takes one step in a fiber, and a fiber is a stack of what comes after. It has
 * what the functions of this folder need, and nothing is compared, hashed, printed or traced: no effect of the Promise surface comes
 * into anybody's hands. An exception anywhere in a step is a defect, which finalizers see.
 */
import { as } from "./cast.js"
import { type AnyTag, addService, getService, mergeServices, pipeThrough, Services } from "./services.js"

/** The step of an effect, by which it is told apart from all else. Entries that are bundled apart know each other's. */
export const STEP: unique symbol = Symbol.for("effect-chains/step")

declare const yields: unique symbol

/** It gives what comes next, or nothing where the fiber waits or has ended. */
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

/** What `yield*` of an effect goes through: the effect, and then its value. */
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

/** The end of an effect is an effect itself. */
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

/** What comes after a step. What comes `always` is not passed over by a fiber that is interrupted. */
interface Frame {
  readonly onValue: ((value: never) => Effect) | undefined
  readonly onCause: ((cause: Cause) => Effect) | undefined
  readonly always?: boolean
}

/** A step, and what comes after it. */
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

/** An effect that is made when the fiber comes to it, and one that is made of the fiber. */
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

/** The end of an effect as a value. */
export const exit = <A>(self: Effect<A>): Effect<Exit<A>> =>
  matchCause<A, Exit<A>>(
    self,
    (value) => succeed(succeed(value)),
    (cause) => succeed(failCause(cause))
  )

/** Gives the fiber something of its own for as long as an effect lasts. `taken` takes it away again. */
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

/** Nothing interrupts it but what it restores to the state before. */
export const uninterruptibleMask = <A>(
  make: (restore: <B>(self: Effect<B>) => Effect<B>) => Effect<A>
): Effect<A> =>
  withFiber((fiber) =>
    withInterruptibility(make(fiber.isInterruptible ? interruptible : (self) => self), fiber, false)
  )

/** Whatever the end of an effect is, something comes after it that nothing interrupts. */
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
 * Waits for what is told to `resume`, which may be at once. What `register` gives is done when the wait is interrupted. With a second
 * parameter it gets a signal for that.
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

/** What begins later, and when a fiber lets others go first: after so many steps. */
export interface Scheduler {
  scheduleTask(task: () => void): void
  shouldYield(fiber: Fiber, steps: number): boolean
}

/** Microtasks, as effect's own. After many in a row, others get theirs. */
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
      // an observer that throws keeps no other from its turn
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

/** One effect that runs: what comes after its current step, the services that it has, and whether it is to end. */
export class Fiber {
  readonly stack: Array<Frame> = []
  scheduler: Scheduler
  context: Services
  isInterruptible: boolean
  children: Set<Fiber> | undefined = undefined
  private isInterrupted = false
  private end: Exit | undefined = undefined
  private observers: ReadonlyArray<Observer> = []
  /** Where it waits, or has not begun: what is told when that is interrupted. */
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

  /** Begins, or goes on after a wait. */
  run(effect: Effect): void {
    if (this.end !== undefined) return
    this.cancelWait = undefined
    this.loop(effect)
    // it was interrupted by what it called itself
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
  /** It ends with those that it has forked. */
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

/** Runs an effect beside the fiber, which begins later and ends with it. */
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

/** The end of a fiber. */
export const awaitFiber = (fiber: Fiber): Effect<Exit> =>
  async<Exit>((resume) => sync(fiber.addObserver((end) => resume(succeed(end)))))
export const joinFiber = (fiber: Fiber): Effect => flatMap(awaitFiber(fiber), (end) => end)

export const interruptAll = (fibers: Iterable<Fiber>): Effect<void> =>
  suspend(() => {
    const all = [...fibers]
    for (const fiber of all) fiber.interrupt()
    return map(forEachInOrder(all, awaitFiber), () => {})
  })

/** One after the other. */
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

/** As many at once as are allowed, which begin in their order, and end with the first failure. */
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

/** The first end of several, of which the others are interrupted. */
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

/** Other services for as long as an effect lasts. */
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

/** Runs an effect; it begins at once. */
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
