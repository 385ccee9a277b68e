import { as } from "./cast.js"
import {
  awaited,
  type Effect,
  type Exit,
  each,
  exit,
  type Fiber,
  flatMap,
  map,
  provideService,
  runFork,
  succeed,
  suspend,
  sync,
  uninterruptibleMask,
  unit,
  withFiber
} from "./machine.js"
import type { AnyTag } from "./services.js"

type Finalizer = (end: Exit) => Effect

/** What is to be done at its end, the last first. What is added after it is done at once. */
export class Ends {
  private readonly finalizers = new Set<Finalizer>()
  private end: Exit | undefined = undefined
  add(finalizer: Finalizer): Effect {
    return suspend((): Effect => {
      if (this.end !== undefined) return finalizer(this.end)
      this.finalizers.add(finalizer)
      return unit
    })
  }
  close(end: Exit): Effect {
    return suspend((): Effect => {
      if (this.end !== undefined) return unit
      this.end = end
      const all = [...this.finalizers].reverse()
      this.finalizers.clear()
      return flatMap(
        each(all, (finalizer) => exit(suspend(() => finalizer(end)))),
        (ends) => ends.find(({ _tag }) => _tag === "Failure") ?? unit
      )
    })
  }
  /** A part of it, which ends with it or before. */
  part(): Ends {
    const part = new Ends()
    if (this.end !== undefined) part.end = this.end
    else {
      const finalizer: Finalizer = (end) => part.close(end)
      this.finalizers.add(finalizer)
      part.finalizers.add(() => sync(() => this.finalizers.delete(finalizer)))
    }
    return part
  }
}

export const tag: AnyTag = { key: "effect-chains/lean/Scope" }

/** The scope of a fiber. */
export const current: Effect<Ends> = /*#__PURE__*/ withFiber((fiber) => succeed(as(fiber.getRef(tag))))

export const open: Effect<Ends> = /*#__PURE__*/ sync(() => new Ends())
export const within = <A>(self: Effect<A>, scope: Ends): Effect<A> => provideService(self, tag, scope)

/** Ends a fiber with a scope. A part of the scope is its own, and goes with it. */
export const held = (fiber: Fiber, scope: Ends): Effect<Fiber> =>
  suspend(() => {
    const own = scope.part()
    const ending = suspend(() => {
      fiber.interrupt()
      return awaited(fiber)
    })
    return map(
      own.add(() => ending),
      () => {
        fiber.addObserver((end) => void runFork(own.close(end)))
        return fiber
      }
    )
  })

export const acquired = <A>(acquire: Effect<A>, release: (value: A, end: Exit) => Effect): Effect<A> =>
  uninterruptibleMask(() =>
    flatMap(current, (scope) =>
      flatMap(acquire, (value) =>
        map(
          scope.add((end) => release(value, end)),
          () => value
        )
      )
    )
  )
