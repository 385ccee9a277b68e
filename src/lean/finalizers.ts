import { as } from "./cast.js"
import {
  awaitFiber,
  type Effect,
  type Exit,
  exit,
  type Fiber,
  flatMap,
  forEachInOrder,
  map,
  provideService,
  runFork,
  succeed,
  suspend,
  sync,
  uninterruptibleMask,
  unit,
  withFiber
} from "./fiberRuntime.js"
import type { AnyTag } from "./services.js"

type Finalizer = (end: Exit) => Effect

/**
 * A scope: runs its finalizers at its end, the last one first. A finalizer that is added later runs at once.
 */
export class LeanScope {
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
        forEachInOrder(all, (finalizer) => exit(suspend(() => finalizer(end)))),
        (ends) => ends.find(({ _tag }) => _tag === "Failure") ?? unit
      )
    })
  }
  /** Makes a child scope, which ends with this one or before. */
  fork(): LeanScope {
    const part = new LeanScope()
    if (this.end !== undefined) part.end = this.end
    else {
      const finalizer: Finalizer = (end) => part.close(end)
      this.finalizers.add(finalizer)
      part.finalizers.add(() => sync(() => this.finalizers.delete(finalizer)))
    }
    return part
  }
}

export const scopeTag: AnyTag = { key: "effect-chains/lean/Scope" }

/** The scope of the fiber. */
export const currentScope: Effect<LeanScope> = /*#__PURE__*/ withFiber((fiber) =>
  succeed(as(fiber.getRef(scopeTag)))
)

export const makeScope: Effect<LeanScope> = /*#__PURE__*/ sync(() => new LeanScope())
export const provideScope = <A>(self: Effect<A>, scope: LeanScope): Effect<A> =>
  provideService(self, scopeTag, scope)

/** Interrupts a fiber when the scope ends. The finalizer is removed when the fiber ends. */
export const interruptWithScope = (fiber: Fiber, scope: LeanScope): Effect<Fiber> =>
  suspend(() => {
    const own = scope.fork()
    const ending = suspend(() => {
      fiber.interrupt()
      return awaitFiber(fiber)
    })
    return map(
      own.add(() => ending),
      () => {
        fiber.addObserver((end) => void runFork(own.close(end)))
        return fiber
      }
    )
  })

export const acquireInScope = <A>(acquire: Effect<A>, release: (value: A, end: Exit) => Effect): Effect<A> =>
  uninterruptibleMask(() =>
    flatMap(currentScope, (scope) =>
      flatMap(acquire, (value) =>
        map(
          scope.add((end) => release(value, end)),
          () => value
        )
      )
    )
  )
