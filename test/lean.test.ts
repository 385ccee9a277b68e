// @runtime promise
/** The lean runtime beside effect's: the same small programs on both, and what a bundle has of either. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname } from "node:path"
import * as CauseOf from "effect/Cause"
import * as ChunkOf from "effect/Chunk"
import * as ContextOf from "effect/Context"
import * as DeferredOf from "effect/Deferred"
import * as DurationOf from "effect/Duration"
import * as EffectOf from "effect/Effect"
import * as EitherOf from "effect/Either"
import * as ExitOf from "effect/Exit"
import * as FiberOf from "effect/Fiber"
import * as OptionOf from "effect/Option"
import * as RcMapOf from "effect/RcMap"
import * as ScheduleOf from "effect/Schedule"
import * as ScopeOf from "effect/Scope"
import * as StreamOf from "effect/Stream"
import { build } from "esbuild"
import * as fc from "fast-check"
import { minify } from "rolldown/utils"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { bundle } from "../bench/sizes/bundle.mjs"
import { lackingIn, plugin } from "../scripts/lean.mjs"
import * as CauseLean from "../src/lean/Cause.js"
import * as ChunkLean from "../src/lean/Chunk.js"
import * as ContextLean from "../src/lean/Context.js"
import * as DataLean from "../src/lean/Data.js"
import * as DeferredLean from "../src/lean/Deferred.js"
import * as DurationLean from "../src/lean/Duration.js"
import * as EffectLean from "../src/lean/Effect.js"
import * as EitherLean from "../src/lean/Either.js"
import * as ExitLean from "../src/lean/Exit.js"
import * as FiberLean from "../src/lean/Fiber.js"
import { type Exit, scheduler } from "../src/lean/fiberRuntime.js"
import type { LeanScope } from "../src/lean/finalizers.js"
import * as OptionLean from "../src/lean/Option.js"
import * as RcMapLean from "../src/lean/RcMap.js"
import * as RedactedLean from "../src/lean/Redacted.js"
import * as ScheduleLean from "../src/lean/Schedule.js"
import * as ScopeLean from "../src/lean/Scope.js"
import * as StreamLean from "../src/lean/Stream.js"
import { runs } from "./properties.js"

const root = dirname(import.meta.dirname)

const effect = {
  name: "effect",
  Cause: CauseOf,
  Chunk: ChunkOf,
  Context: ContextOf,
  Deferred: DeferredOf,
  Effect: EffectOf,
  Either: EitherOf,
  Exit: ExitOf,
  Fiber: FiberOf,
  Option: OptionOf,
  RcMap: RcMapOf,
  Schedule: ScheduleOf,
  Scope: ScopeOf,
  Stream: StreamOf
}
type Runtime = typeof effect

/** The lean runtime has the types of effect's for those functions that it has, and programs use no others. */
const lean: Runtime = {
  name: "lean",
  Cause: CauseLean as typeof CauseOf,
  Chunk: ChunkLean as typeof ChunkOf,
  Context: ContextLean as typeof ContextOf,
  Deferred: DeferredLean as typeof DeferredOf,
  Effect: EffectLean as typeof EffectOf,
  Either: EitherLean as typeof EitherOf,
  Exit: ExitLean as typeof ExitOf,
  Fiber: FiberLean as typeof FiberOf,
  Option: OptionLean as typeof OptionOf,
  RcMap: RcMapLean as typeof RcMapOf,
  Schedule: ScheduleLean as typeof ScheduleOf,
  Scope: ScopeLean as typeof ScopeOf,
  Stream: StreamLean as typeof StreamOf
}
/** Runs a program whose timers go off in their order, however busy the machine is, and at once. */
const inItsOwnTime = async <A>(run: () => Promise<A>): Promise<A> => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] })
  try {
    let isOver = false
    const running = run().finally(() => {
      isOver = true
    })
    // what is left to promises alone takes turns of the event loop
    for (let turns = 0; !isOver && turns < 100_000; turns++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (!isOver) await vi.advanceTimersToNextTimerAsync()
    }
    return await running
  } finally {
    vi.useRealTimers()
  }
}

/** The end of a program, as anybody can read it. */
const endOf = async (
  { Cause, Effect, Either, Exit }: Runtime,
  program: EffectOf.Effect<unknown, unknown>
) => {
  const exit = await inItsOwnTime(() => Effect.runPromiseExit(program))
  if (Exit.isSuccess(exit)) return { value: exit.value }
  const failure = Cause.failureOrCause(exit.cause)
  if (Either.isLeft(failure)) return { error: failure.left }
  return Cause.isInterruptedOnly(exit.cause) ? "interrupted" : { defect: Cause.squash(exit.cause) }
}

type Program = (
  runtime: Runtime,
  tell: (what: string) => EffectOf.Effect<void>
) => EffectOf.Effect<unknown, unknown>

/** The items of a stream up to its end, which is told last. */
const itemsOf = <A, E>({ Chunk, Effect, Option, Stream }: Runtime, stream: StreamOf.Stream<A, E>) =>
  Effect.scoped(
    Effect.flatMap(Stream.toPull(stream), (pull) => {
      const items: Array<unknown> = []
      const next: EffectOf.Effect<ReadonlyArray<unknown>> = Effect.matchEffect(pull, {
        onSuccess: (part) => {
          items.push(...Chunk.toReadonlyArray(part))
          return next
        },
        onFailure: (end) =>
          Effect.succeed([
            ...items,
            Option.match(end, { onNone: () => "end", onSome: (error) => ({ error }) })
          ])
      })
      return next
    })
  )

/** Programs that make the same of both runtimes: their ends, and what they tell on the way. */
const programs: Readonly<Record<string, Program>> = {
  "a value": ({ Effect }) => Effect.succeed(1),
  "a failure that cannot be rendered": ({ Effect }) => Effect.fail({ amount: 1n }),
  "a defect": ({ Effect }) =>
    Effect.sync(() => {
      throw new RangeError("x")
    }),
  "an interruption": ({ Effect }) => Effect.interrupt,
  "a generator over eithers": ({ Effect, Either }) =>
    Effect.gen(function* () {
      const one = yield* Either.right(1)
      const two = yield* Effect.succeed(2)
      if (two === 2) yield* Either.left("no")
      return one
    }),
  "an either in place of an effect": ({ Effect, Either }) =>
    Effect.flatMap(Effect.void, () => Either.right("right")),
  "a try that throws": ({ Effect }) =>
    Effect.try({
      try: () => JSON.parse("{"),
      catch: (error) => (error instanceof SyntaxError ? "syntax" : "other")
    }),
  "a promise that rejects": ({ Effect }) =>
    Effect.tryPromise({ try: () => Promise.reject(new Error("no")), catch: String }),
  "a promise whose maker throws": ({ Effect }) =>
    Effect.tryPromise({
      try: () => {
        throw new Error("at once")
      },
      catch: String
    }),
  "a recovery": ({ Effect }) => Effect.catchAll(Effect.fail("a"), (e) => Effect.succeed(`${e}b`)),
  "a mapped error": ({ Effect }) => Effect.mapError(Effect.fail(1), (n) => n + 1),
  "a tag that is caught": ({ Effect }) =>
    Effect.fail({ _tag: "A" as const }).pipe(Effect.catchTag("A", () => Effect.succeed("caught"))),
  "both ends": ({ Effect }, tell) =>
    Effect.matchEffect(Effect.zipRight(tell("first"), Effect.fail("no")), {
      onFailure: (error) => Effect.as(tell(`second ${error}`), "failed"),
      onSuccess: () => Effect.succeed("done")
    }),
  "a finalizer after a failure": ({ Effect }, tell) => Effect.ensuring(Effect.fail("no"), tell("over")),
  "a race that one wins, and the other leaves": ({ Effect }, tell) =>
    Effect.raceFirst(
      Effect.as(Effect.sleep(5), "fast"),
      Effect.ensuring(Effect.sleep(60_000), tell("slow is over"))
    ),
  "a race that a failure wins": ({ Effect }) => Effect.raceFirst(Effect.fail("no"), Effect.never),
  "a time that is over": ({ Effect }, tell) =>
    Effect.timeoutFail(Effect.ensuring(Effect.never, tell("given up")), {
      duration: 5,
      onTimeout: () => "late"
    }),
  "a time that is not over": ({ Effect }) =>
    Effect.timeoutFail(Effect.succeed("in time"), { duration: 60_000, onTimeout: () => "late" }),
  "tries until one succeeds": ({ Effect, Schedule }, tell) => {
    let tries = 0
    const one = Effect.suspend(() => (++tries < 3 ? Effect.fail(tries) : Effect.succeed(tries)))
    return Effect.retry(Effect.zipRight(tell("try"), one), Schedule.recurs(5))
  },
  "tries that are used up": ({ Effect, Schedule }, tell) =>
    Effect.retry(Effect.zipRight(tell("try"), Effect.fail("no")), Schedule.recurs(2)),
  "tries while a failure passes": ({ Effect, Schedule }, tell) => {
    let tries = 0
    return Effect.retry(
      Effect.zipRight(
        tell("try"),
        Effect.suspend(() => Effect.fail(++tries))
      ),
      { schedule: Schedule.spaced(1), while: (n) => n < 4 }
    )
  },
  "a schedule's end": ({ Effect, Schedule }, tell) =>
    Effect.flatMap(Schedule.driver(Schedule.recurs(2)), (driver) => {
      const next: EffectOf.Effect<string> = Effect.matchEffect(driver.next(undefined), {
        onFailure: () => Effect.succeed("over"),
        onSuccess: () => Effect.zipRight(tell("again"), next)
      })
      return next
    }),
  "all at once, in their order": ({ Effect }) =>
    Effect.forEach([3, 1, 2], (n) => Effect.as(Effect.sleep(n), n), { concurrency: "unbounded" }),
  "all at once, until one fails": ({ Effect }, tell) =>
    Effect.forEach(
      [1, 2],
      (n) =>
        n === 1
          ? Effect.zipRight(Effect.sleep(2), Effect.fail("one"))
          : Effect.ensuring(Effect.never, tell("the other is over")),
      { concurrency: "unbounded", discard: true }
    ),
  "a fiber that is joined": ({ Effect, Fiber }) =>
    Effect.flatMap(Effect.fork(Effect.as(Effect.sleep(2), "joined")), Fiber.join),
  "a fiber that is interrupted": ({ Effect, Fiber }, tell) =>
    Effect.flatMap(Effect.fork(Effect.ensuring(Effect.never, tell("fiber is over"))), (fiber) =>
      Effect.zipRight(Effect.sleep(2), Effect.as(Fiber.interrupt(fiber), "interrupted"))
    ),
  "an interruption, which yields the end of the fiber": ({ Cause, Effect, Exit, Fiber }) =>
    Effect.flatMap(Effect.fork(Effect.never), (fiber) =>
      Effect.map(
        Fiber.interrupt(fiber),
        (exit) => Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)
      )
    ),
  "the interruption of another, which is caught": ({ Effect, Fiber }) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(Effect.never)
      yield* Fiber.interrupt(fiber)
      const caught = yield* Effect.catchAllCause(Fiber.join(fiber), () => Effect.succeed("caught"))
      const matched = yield* Effect.matchCauseEffect(Fiber.join(fiber), {
        onFailure: () => Effect.succeed("matched"),
        onSuccess: () => Effect.succeed("none")
      })
      return [caught, matched]
    }),
  "an interruption of one's own, which is caught": ({ Effect }) =>
    Effect.catchAllCause(Effect.interrupt, () => Effect.succeed("caught")),
  "a fiber that is interrupted catches nothing": ({ Effect, Fiber }, tell) =>
    Effect.gen(function* () {
      const caught = Effect.catchAllCause(Effect.never, () => tell("caught"))
      const matched = Effect.matchCauseEffect(caught, {
        onFailure: () => tell("matched"),
        onSuccess: () => tell("none")
      })
      const fiber = yield* Effect.fork(Effect.ensuring(matched, tell("over")))
      yield* Effect.sleep(2)
      yield* Fiber.interrupt(fiber)
    }),
  "a fiber that is interrupted after it has caught": ({ Effect, Fiber }, tell) =>
    Effect.gen(function* () {
      const waits = Effect.zipRight(tell("waits"), Effect.ensuring(Effect.never, tell("over")))
      const fiber = yield* Effect.fork(
        Effect.matchCauseEffect(Effect.fail("no"), { onFailure: () => waits, onSuccess: () => waits })
      )
      yield* Effect.sleep(2)
      yield* Fiber.interrupt(fiber)
      yield* tell("interrupted")
    }),
  "a fiber that ends with its scope, after it has waited": ({ Effect, Exit, Scope }, tell) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const waits = Effect.zipRight(Effect.sleep(2), Effect.ensuring(Effect.never, tell("ended")))
      yield* Effect.forkIn(waits, scope)
      yield* Effect.sleep(10)
      yield* Scope.close(scope, Exit.void)
      yield* tell("closed")
    }),
  "a fiber in a scope that is over": ({ Effect, Exit, Scope }, tell) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      yield* Scope.close(scope, Exit.void)
      yield* Effect.forkIn(Effect.zipRight(Effect.sleep(2), tell("never")), scope)
      yield* Effect.sleep(10)
      return "nothing more"
    }),
  "a door that opens for all": ({ Effect, Fiber }, tell) =>
    Effect.gen(function* () {
      const latch = yield* Effect.makeLatch(false)
      const one = yield* Effect.fork(Effect.zipRight(latch.await, tell("in")))
      const two = yield* Effect.fork(Effect.zipRight(latch.await, tell("in")))
      yield* Effect.sleep(2)
      yield* tell("open")
      yield* latch.open
      yield* tell("opened")
      yield* Fiber.join(one)
      yield* Fiber.join(two)
      yield* latch.await
      latch.unsafeClose()
      return yield* Effect.timeoutFail(latch.await, { duration: 2, onTimeout: () => "closed" })
    }),
  "a resource that is given back": ({ Effect, Exit, Scope }, tell) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const used = Effect.acquireRelease(tell("taken"), () => tell("given back"))
      yield* Effect.provideService(used, Scope.Scope, scope)
      yield* tell("used")
      yield* Scope.close(scope, Exit.void)
    }),
  "a service, and its default": ({ Effect }) =>
    Effect.clockWith((clock) =>
      Effect.succeed(Math.abs(clock.unsafeCurrentTimeMillis() - Date.now()) < 1_000)
    ),
  "both sides of an effect": ({ Effect }, tell) =>
    Effect.succeed("value").pipe(
      Effect.tap((value) => tell(`tap ${value}`)),
      Effect.zipLeft(tell("left")),
      Effect.zipWith(Effect.succeed(1), (a, b) => [a, b]),
      Effect.flatMap((both) => Effect.flip(Effect.flip(Effect.succeed(both)))),
      Effect.delay(2),
      Effect.flatMap((both) => Effect.as(Effect.asVoid(Effect.succeed(1)), both))
    ),
  "a failure that is told, turned round and left out": ({ Effect }, tell) =>
    Effect.fail("no").pipe(
      Effect.tapError((error) => tell(`tap ${error}`)),
      Effect.flip,
      Effect.flatMap((error) => Effect.as(Effect.ignore(Effect.fail(error)), "ignored"))
    ),
  "a cause that is handed on": ({ Cause, Effect, Either }) =>
    Effect.catchAllCause(
      Effect.sync(() => {
        throw new RangeError("x")
      }),
      (cause) =>
        Either.match(Cause.failureOrCause(cause), { onLeft: Effect.succeed, onRight: Effect.failCause })
    ),
  "for ever, until a failure": ({ Effect }, tell) => {
    let count = 0
    return Effect.forever(
      Effect.zipRight(
        tell("again"),
        Effect.suspend(() => (++count < 3 ? Effect.void : Effect.fail("over")))
      )
    )
  },
  "tries by a number of times": ({ Effect, Schedule }, tell) =>
    Effect.retry(Effect.zipRight(tell("try"), Effect.fail("no")), {
      schedule: Schedule.spaced(1),
      times: 2,
      while: () => true
    }),
  "pauses by their count, and the end of a repetition": ({ Effect, Schedule }, tell) =>
    Effect.as(
      Effect.repeat(
        tell("once"),
        Schedule.modifyDelayEffect(Schedule.recurs(2), (count) => Effect.as(tell(`after ${count}`), 1))
      ),
      "over"
    ),
  "a repetition that fails": ({ Effect, Schedule }, tell) =>
    Effect.repeat(Effect.zipRight(tell("once"), Effect.fail("no")), Schedule.recurs(2)),
  "resources in the order of their scope": ({ Effect }, tell) => {
    const held = (name: string) => Effect.acquireRelease(tell(`take ${name}`), () => tell(`give ${name}`))
    return Effect.scoped(
      Effect.gen(function* () {
        yield* held("a")
        yield* Effect.acquireUseRelease(
          tell("take b"),
          () => tell("use b"),
          () => tell("give b")
        )
        yield* held("c")
        yield* Effect.forkScoped(Effect.ensuring(Effect.never, tell("fiber is over")))
        yield* Effect.sleep(2)
        return "done"
      })
    )
  },
  "what is released though it was not taken": ({ Effect }, tell) =>
    Effect.scoped(Effect.acquireReleaseInterruptible(Effect.fail("no"), () => tell("given back"))),
  "a scope that is handed over": ({ Effect, Exit, Scope }, tell) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      yield* Scope.extend(
        Effect.acquireRelease(tell("take"), () => tell("give")),
        scope
      )
      yield* tell("kept")
      yield* Scope.close(scope, Exit.void)
    }),
  "services that are given, and one that is not": ({ Context, Effect, Option }) => {
    class One extends Context.Tag("One")<One, number>() {}
    class Two extends Context.Tag("Two")<Two, number>() {}
    return Effect.all([
      Effect.provide(One, Context.make(One, 1)),
      Effect.provideServiceEffect(One, One, Effect.succeed(2)),
      Effect.map(
        Effect.serviceOption(Two),
        Option.match({ onNone: () => "none", onSome: (value) => `some ${value}` })
      ),
      Effect.provideService(Effect.map(Effect.serviceOption(Two), Option.getOrUndefined), Two, 3)
    ])
  },
  "options and eithers": ({ Either, Effect, Option }) =>
    Effect.succeed([
      Option.getOrElse(Option.none(), () => 1),
      Option.getOrElse(Option.some(2), () => 1),
      Option.exists(Option.some(2), (n) => n > 1),
      Option.exists(Option.none<number>(), (n) => n > 1),
      Option.getOrUndefined(Option.none()),
      Option.match(Option.some(3), { onNone: () => 0, onSome: (n) => n + 1 }),
      Either.match(
        Either.mapLeft(Either.left("no"), (error) => `${error}!`),
        { onLeft: String, onRight: String }
      ),
      Either.match(Either.mapLeft(Either.right(1), String), { onLeft: String, onRight: (n) => n + 1 })
    ]),
  "turns, one after the other, with one who leaves": ({ Effect, Fiber }, tell) =>
    Effect.gen(function* () {
      const turn = Effect.unsafeMakeSemaphore(1)
      const inTurn = (name: string) =>
        turn.withPermits(1)(
          Effect.zipRight(tell(`${name} in`), Effect.zipRight(Effect.sleep(3), tell(`${name} out`)))
        )
      const one = yield* Effect.fork(inTurn("one"))
      const two = yield* Effect.fork(inTurn("two"))
      const three = yield* Effect.fork(inTurn("three"))
      yield* Effect.sleep(1)
      yield* Fiber.interrupt(two)
      yield* Fiber.join(one)
      yield* Fiber.join(three)
      return yield* Effect.flip(turn.withPermits(1)(Effect.fail("and given back")))
    }),
  "an end that many wait for, told once": ({ Deferred, Effect, Fiber }, tell) =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<string, string>()
      const wait = Effect.flatMap(Deferred.await(end), (value) => tell(`has ${value}`))
      const one = yield* Effect.fork(wait)
      const two = yield* Effect.fork(wait)
      const gone = yield* Effect.fork(wait)
      yield* Effect.sleep(2)
      yield* Fiber.interrupt(gone)
      Deferred.unsafeDone(end, Effect.succeed("it"))
      Deferred.unsafeDone(end, Effect.fail("too late"))
      yield* tell("told")
      yield* Fiber.join(one)
      yield* Fiber.join(two)
      return yield* Deferred.await(end)
    }),
  "parts of a map that are shared, and end with their last user": ({ Effect, Exit, RcMap, Scope }, tell) =>
    Effect.scoped(
      Effect.gen(function* () {
        const map = yield* RcMap.make({
          lookup: (key: string) =>
            key === "bad"
              ? Effect.zipRight(tell("make bad"), Effect.fail("no"))
              : Effect.zipRight(
                  Effect.sleep(1),
                  Effect.as(
                    Effect.acquireRelease(tell(`make ${key}`), () => tell(`end ${key}`)),
                    key
                  )
                )
        })
        const scopes = yield* Effect.all([Scope.make(), Scope.make()])
        const got = yield* Effect.forEach(scopes, (scope) => Scope.extend(RcMap.get(map, "a"), scope), {
          concurrency: "unbounded"
        })
        yield* tell(got.join())
        yield* Scope.close(scopes[0], Exit.void)
        yield* tell("one has left")
        yield* Scope.close(scopes[1], Exit.void)
        yield* tell("both have left")
        yield* tell(yield* Effect.scoped(Effect.flip(RcMap.get(map, "bad"))))
        yield* tell(yield* Effect.scoped(Effect.flip(RcMap.get(map, "bad"))))
        yield* RcMap.get(map, "b")
        // nobody waits for one that is not there yet any more
        yield* Effect.ignore(
          Effect.timeoutFail(Effect.scoped(RcMap.get(map, "c")), { duration: 0, onTimeout: () => "late" })
        )
      })
    ),
  "a stream of pages, in parts": (runtime, tell) => {
    const { Chunk, Effect, Option, Stream } = runtime
    const pages = Stream.paginateChunkEffect(0, (at) =>
      Effect.as(tell(`page ${at}`), [
        Chunk.fromIterable([at * 2, at * 2 + 1]),
        at < 4 ? Option.some(at + 1) : Option.none()
      ] as const)
    )
    return Effect.all([
      itemsOf(runtime, Stream.take(pages, 3)),
      itemsOf(runtime, pages),
      itemsOf(runtime, Stream.take(pages, 0)),
      itemsOf(
        runtime,
        pages.pipe(
          Stream.filter((n) => n % 3 !== 0),
          Stream.mapChunksEffect((part) =>
            Effect.as(tell(`part of ${Chunk.toReadonlyArray(part).length}`), part)
          )
        )
      )
    ])
  },
  "streams one after the other, and their failures": (runtime, tell) => {
    const { Chunk, Effect, Option, Stream } = runtime
    const one = Stream.fromIterableEffect(Effect.as(tell("one"), new Set([1, 2])))
    const bad = Stream.paginateChunkEffect(0, (at) =>
      at < 1
        ? Effect.succeed([Chunk.unsafeFromArray([at]), Option.some(at + 1)] as const)
        : Effect.fail("bad")
    )
    const unopened: EffectOf.Effect<StreamOf.Stream<number>, string> = Effect.fail("never opened")
    const all = [
      Stream.concat(
        one,
        Stream.suspend(() => one)
      ),
      Stream.concat(one, Stream.empty),
      Stream.concat(bad, one),
      Stream.concat(one, Stream.fail("no")),
      Stream.unwrap(Effect.as(Effect.sleep(1), one)),
      Stream.unwrap(unopened),
      Stream.unwrapScoped(
        Effect.as(
          Effect.acquireRelease(tell("opened"), () => tell("closed")),
          one
        )
      )
    ]
    return Effect.forEach(all, (stream) => itemsOf(runtime, stream))
  },
  "a stream of what is emitted, with room for one": (runtime, tell) => {
    const { Effect, Stream } = runtime
    const emitted = Stream.asyncScoped<number, string>(
      (emit) =>
        Effect.zipRight(
          Effect.addFinalizer(() => tell("closed")),
          Effect.forkScoped(
            Effect.gen(function* () {
              yield* Effect.tryPromise(() => emit.single(1))
              yield* Effect.tryPromise(() => emit.single(2))
              yield* Effect.tryPromise(() => emit.single(3))
              void emit.end()
            })
          )
        ),
      1
    )
    return itemsOf(runtime, emitted)
  },
  "a stream of events, that fails": (runtime, tell) => {
    const { Effect, Stream } = runtime
    return itemsOf(
      runtime,
      Stream.async<number, string>((emit) => {
        const timer = setTimeout(() => {
          void emit.single(1)
          void emit.fail("over")
        }, 2)
        return Effect.zipRight(
          Effect.sync(() => clearTimeout(timer)),
          tell("removed")
        )
      })
    )
  },
  "a stream that breaks off with a cause": (runtime) => {
    const { Effect, Exit, Stream } = runtime
    return Effect.matchEffect(
      itemsOf(
        runtime,
        Stream.asyncScoped<number, string>((emit) =>
          Effect.sync(() => {
            const exit = Exit.fail("broken")
            void emit.single(1)
            if (Exit.isFailure(exit)) void emit.halt(exit.cause)
          })
        )
      ),
      { onFailure: Effect.succeed, onSuccess: Effect.succeed }
    )
  },
  "what is done with a value, and is no effect": ({ Effect }, tell) => {
    let seen: number | undefined
    return Effect.succeed(1).pipe(
      Effect.tap((value) => {
        seen = value
      }),
      Effect.zipLeft(Effect.suspend(() => tell(`saw ${seen}`)))
    )
  },
  "finalizers of which one throws": ({ Effect }, tell) =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* Effect.addFinalizer(() => tell("first"))
        yield* Effect.addFinalizer<void, never>(thrown)
        yield* Effect.acquireRelease(Effect.succeed(1), noEffect)
        yield* Effect.addFinalizer(() => tell("last"))
      })
    ),
  "a fiber that is interrupted by what it calls": ({ Effect, Fiber }, tell) => {
    const own: { fiber?: FiberOf.RuntimeFiber<unknown> } = {}
    // it waits, and is interrupted before it does
    const callee = Effect.async<void>(() => {
      if (own.fiber !== undefined) Effect.runFork(Fiber.interrupt(own.fiber))
    })
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(
        Effect.ensuring(Effect.zipRight(Effect.sleep(1), callee), tell("over"))
      )
      own.fiber = fiber
      return yield* Effect.matchCauseEffect(Fiber.join(fiber), {
        onFailure: () => Effect.succeed("left"),
        onSuccess: () => Effect.succeed("went on")
      })
    })
  },
  "a wait whose end takes time": ({ Effect, Fiber }, tell) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(
        Effect.async<void>(() =>
          Effect.zipRight(
            Effect.zipRight(tell("cancelling"), Effect.sleep(2)),
            Effect.zipRight(Effect.void, tell("cancelled"))
          )
        )
      )
      yield* Effect.sleep(1)
      yield* Fiber.interrupt(fiber)
      yield* tell("over")
    }),
  "a wait that is answered when it was left": ({ Effect, Fiber }, tell) =>
    Effect.gen(function* () {
      const wait = Effect.async<void>((resume) => void setTimeout(() => resume(tell("answered")), 5))
      const fiber = yield* Effect.fork(
        Effect.ensuring(
          Effect.zipRight(wait, tell("went on")),
          Effect.zipRight(tell("leaving"), Effect.zipRight(Effect.sleep(20), tell("left")))
        )
      )
      yield* Effect.sleep(1)
      yield* Fiber.interrupt(fiber)
      yield* tell("over")
    }),
  "what is not used by one who is interrupted while it is acquired": ({ Effect, Fiber }, tell) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(
        Effect.acquireUseRelease(
          Effect.zipRight(Effect.sleep(3), tell("acquired")),
          () => tell("used"),
          () => tell("released")
        )
      )
      yield* Effect.sleep(1)
      yield* Fiber.interrupt(fiber)
      yield* tell("over")
    }),
  "a fiber that lets others go first": ({ Effect }) => {
    let isStopped = false
    const loop = (n: number): EffectOf.Effect<boolean> =>
      isStopped || n === 0 ? Effect.succeed(isStopped) : Effect.flatMap(Effect.void, () => loop(n - 1))
    return Effect.zipRight(
      Effect.fork(
        Effect.sync(() => {
          isStopped = true
        })
      ),
      Effect.suspend(() => loop(1_000_000))
    )
  },
  "ten thousand steps": ({ Effect }) => {
    const loop = (n: number): EffectOf.Effect<number> =>
      n === 0 ? Effect.succeed(0) : Effect.flatMap(Effect.succeed(n - 1), loop)
    return loop(10_000)
  }
}

/** Steps of programs in which a callback throws. */
const throwing: Readonly<Record<string, (runtime: Runtime) => EffectOf.Effect<unknown, unknown>>> = {
  sync: ({ Effect }) => Effect.sync(thrown),
  suspend: ({ Effect }) => Effect.suspend(thrown),
  gen: ({ Effect }) =>
    // biome-ignore lint/correctness/useYield: it throws before it could
    Effect.gen(function* () {
      return thrown()
    }),
  "gen, later": ({ Effect }) =>
    Effect.gen(function* () {
      yield* Effect.sleep(1)
      return thrown()
    }),
  map: ({ Effect }) => Effect.map(Effect.void, thrown),
  flatMap: ({ Effect }) => Effect.flatMap(Effect.void, thrown),
  "flatMap, later": ({ Effect }) => Effect.flatMap(Effect.sleep(1), thrown),
  match: ({ Effect }) => Effect.match(Effect.void, { onFailure: thrown, onSuccess: thrown }),
  matchEffect: ({ Effect }) => Effect.matchEffect(Effect.fail(1), { onFailure: thrown, onSuccess: thrown }),
  matchCauseEffect: ({ Effect }) =>
    Effect.matchCauseEffect(Effect.fail(1), { onFailure: thrown, onSuccess: thrown }),
  catchAll: ({ Effect }) => Effect.catchAll(Effect.fail(1), thrown),
  catchAllCause: ({ Effect }) => Effect.catchAllCause(Effect.fail(1), thrown),
  catchIf: ({ Effect }) => Effect.catchIf(Effect.fail(1), thrown, () => Effect.void),
  catchTag: ({ Effect }) => Effect.catchTag(Effect.fail({ _tag: "A" as const }), "A", thrown),
  orElseSucceed: ({ Effect }) => Effect.orElseSucceed(Effect.fail(1), thrown),
  mapError: ({ Effect }) => Effect.mapError(Effect.fail(1), thrown),
  onExit: ({ Effect }) => Effect.onExit(Effect.void, thrown),
  forEach: ({ Effect }) => Effect.forEach([1], thrown),
  "forEach, all at once": ({ Effect }) => Effect.forEach([1], thrown, { concurrency: "unbounded" }),
  "the catch of a try": ({ Effect }) => Effect.try({ try: thrown, catch: thrown }),
  async: ({ Effect }) => Effect.async<void>(thrown),
  timeoutFail: ({ Effect }) => Effect.timeoutFail(Effect.never, { duration: 1, onTimeout: thrown }),
  "the condition of tries": ({ Effect, Schedule }) =>
    Effect.retry(Effect.fail(1), { schedule: Schedule.recurs(2), while: (): boolean => thrown() }),
  clockWith: ({ Effect }) => Effect.clockWith(thrown),
  addFinalizer: ({ Effect }) => Effect.scoped(Effect.addFinalizer<void, never>(thrown)),
  acquireRelease: ({ Effect }) => Effect.scoped(Effect.acquireRelease(Effect.void, thrown)),
  acquireReleaseInterruptible: ({ Effect }) =>
    Effect.scoped(Effect.acquireReleaseInterruptible(Effect.void, thrown)),
  "the use of acquireUseRelease": ({ Effect }) =>
    Effect.acquireUseRelease(Effect.void, thrown, () => Effect.void),
  "the release of acquireUseRelease": ({ Effect }) =>
    Effect.acquireUseRelease(Effect.void, () => Effect.void, thrown),
  mapInputContext: ({ Effect }) => Effect.mapInputContext(Effect.void, thrown),
  "the pause of a schedule of tries": ({ Effect, Schedule }) =>
    Effect.retry(Effect.fail(1), Schedule.modifyDelayEffect(Schedule.forever, noEffect)),
  "the pause of a schedule": ({ Effect, Schedule }) =>
    Effect.repeat(Effect.void, Schedule.modifyDelayEffect(Schedule.forever, noEffect))
}

const thrown = (): never => {
  throw new RangeError("thrown")
}
const noEffect = (): EffectOf.Effect<number> => thrown()

describe("programs on both runtimes", () => {
  it.each(Object.entries(throwing))(
    "end by what is thrown as by other defects, after their finalizers: %s",
    async (_, step) => {
      const run = async (runtime: Runtime) => {
        const { Effect } = runtime
        const told: Array<string> = []
        const tell = (what: string) => Effect.sync(() => void told.push(what))
        const end = await endOf(runtime, Effect.ensuring(step(runtime), tell("over")))
        const caught = await endOf(
          runtime,
          Effect.catchAllCause(step(runtime), () => Effect.succeed("caught"))
        )
        return { caught, end, told }
      }
      expect(await run(lean)).toEqual(await run(effect))
    }
  )

  it.each(Object.entries(programs))("end alike, and tell the same: %s", async (_, program) => {
    const run = async (runtime: Runtime) => {
      const told: Array<string> = []
      const end = await endOf(
        runtime,
        program(runtime, (what) => runtime.Effect.sync(() => void told.push(what)))
      )
      return { end, told }
    }
    expect(await run(lean)).toEqual(await run(effect))
  })

  it("read durations alike, and refuse the same", () => {
    const read = (toMillis: typeof DurationOf.toMillis, text: unknown): unknown => {
      try {
        return toMillis(text as DurationOf.DurationInput)
      } catch {
        return "refused"
      }
    }
    const unit = fc.constantFrom(
      "nano",
      "micros",
      "milli",
      "millis",
      "second",
      "seconds",
      "minute",
      "hours",
      "day",
      "weeks",
      "x"
    )
    const text = fc.tuple(fc.integer({ min: 0, max: 1_000_000 }), unit).map(([n, of]) => `${n} ${of}`)
    const whatever = fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.bigInt({ min: 0n, max: 2n ** 60n }),
      fc.string()
    )
    fc.assert(
      fc.property(whatever, (input) => {
        const [ours, theirs] = [read(DurationLean.toMillis, input), read(DurationOf.toMillis, input)]
        // effect counts in nanoseconds what is no whole number, which beyond a century is finer than the last digit of a double
        if (typeof ours === "number" && typeof theirs === "number")
          expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(Math.max(0.0005, theirs * Number.EPSILON))
        else expect(ours).toBe(theirs)
      }),
      { numRuns: runs(2_000), examples: [[2_127_960_133_112_776.8]] }
    )
  })

  it("keep a service by its tag, in subclasses too, and a default for all", () => {
    class Service extends ContextLean.Tag("Service")<Service, { readonly a: number }>() {}
    let made = 0
    class Option extends ContextLean.Reference<Option>()("Option", {
      defaultValue: () => ({ made: ++made })
    }) {}
    const context = ContextLean.make(Service, { a: 1 })
    expect(ContextLean.get(context, Service)).toEqual({ a: 1 })
    expect(ContextLean.get(context, Option)).toEqual({ made: 1 })
    expect(EffectLean.runSync(Option)).toEqual({ made: 1 })
    expect(EffectLean.runSync(EffectLean.provideService(Service, Service, { a: 2 }))).toEqual({ a: 2 })
    expect(() => EffectLean.runSync(Service as never)).toThrow(/Service/)
  })

  it("yield errors by themselves, whatever is in them", async () => {
    class Failed extends DataLean.TaggedError("Failed")<{ readonly amount: bigint }> {}
    const error = new Failed({ amount: 1n })
    const program = EffectLean.gen(function* () {
      yield* error
    })
    expect(await endOf(lean, program)).toEqual({ error })
    expect(error).toBeInstanceOf(Error)
    expect(error._tag).toBe("Failed")
  })

  it("render no failure: nobody may ever read it", async () => {
    let rendered = 0
    const error = {
      toJSON: () => {
        rendered += 1
        return "error"
      }
    }
    expect(await endOf(lean, EffectLean.catchAll(EffectLean.fail(error), EffectLean.fail))).toEqual({ error })
    expect(rendered).toBe(0)
  })

  it("hold nothing of a fiber that has ended in the scope that it was for", async () => {
    const { Effect, Scope } = lean
    const parts: Array<string> = []
    const scope = Effect.runSync(Scope.make())
    const watched: ScopeOf.Scope = Object.create(scope, {
      fork: {
        value: () => {
          const part: LeanScope = Reflect.get(scope, "fork").call(scope)
          const at = parts.push("open") - 1
          return Object.create(part, {
            close: {
              value: (exit: Exit) => {
                parts[at] = "closed"
                return part.close(exit)
              }
            }
          })
        }
      }
    })
    const { Deferred } = lean
    const end = await Effect.runPromise(Deferred.make<void>())
    await Effect.runPromiseExit(Effect.forkIn(Deferred.await(end), watched))
    expect(parts).toEqual(["open"])
    Deferred.unsafeDone(end, Effect.void)
    await vi.waitFor(() => expect(parts).toEqual(["closed"]))
  })

  it("begin nothing of a race that is over", async () => {
    const told: Array<string> = []
    const { Effect } = lean
    const race = Effect.raceFirst(
      Effect.succeed("first"),
      Effect.sync(() => told.push("second"))
    )
    expect(await endOf(lean, race)).toEqual({ value: "first" })
    expect(told).toEqual([])
  })

  it("show nothing of what is redacted", () => {
    const key = RedactedLean.make("marker")
    expect(RedactedLean.value(key)).toBe("marker")
    expect(RedactedLean.isRedacted(key)).toBe(true)
    expect(`${String(key)} ${JSON.stringify({ key })}`).toBe('<redacted> {"key":"<redacted>"}')
  })
})

describe("what is built of it", () => {
  const app = (from: string): string => `
    import { init } from "${from}"
    const sdk = await init({ network: "ethereum-mainnet" })
    console.log(await sdk.rpc.getBalance("0x0"))`

  it("has nothing of effect", async () => {
    const outputs = [
      ...(await bundle(app("./src/entries/Ethereum.ts"), { lean: true })),
      // all chunks of all networks, with services and subscriptions
      ...(await bundle(
        `${app("./src/promise.ts")}\nimport * as query from "./react/query.ts"; console.log(query)`,
        {
          lean: true,
          splitting: true
        }
      ))
    ]
    expect(outputs.length).toBeGreaterThan(60)
    const inputs = outputs.flatMap((output) => output.inputs)
    expect(inputs).toContain("src/lean/fiberRuntime.ts")
    expect(inputs.filter((file) => /node_modules\/@?effect\//.test(file))).toEqual([])
  })

  /** What an output lacks of a program that stands in a folder of the sources. */
  const lackingOf = async (folder: string, contents: string): Promise<ReadonlyArray<string>> => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: folder, sourcefile: `${folder}/needy.ts`, loader: "ts" },
      bundle: true,
      write: false,
      format: "esm",
      plugins: [plugin],
      logLevel: "silent"
    })
    return lackingIn(outputFiles[0]?.text ?? "")
  }

  it("is refused where a source needs what the runtime does not have", async () => {
    const lacking = await lackingOf(
      `${root}/src/client`,
      `import * as Effect from "effect/Effect"
      import * as Layer from "effect/Layer"
      export const has = Effect.map(Effect.void, () => 1)
      const unused = /*#__PURE__*/ Layer.effect("a", Effect.void)
      export const used = Effect.withParentSpan(Effect.void, "a")`
    )
    expect(lacking).toHaveLength(1)
    expect(lacking[0]).toMatch(
      /^effect\/Effect\.withParentSpan is not in src\/lean, and is needed by one of src\/transport\/\w+\.ts:\d+/
    )
  })

  it("is refused where a minifier has put the marker in place of its name, too", async () => {
    const written = await build({
      stdin: {
        contents: `import * as Effect from "effect/Effect"
        export const used = Effect.withParentSpan(Effect.void, "a")`,
        resolveDir: `${root}/src/client`,
        sourcefile: `${root}/src/client/needy.ts`,
        loader: "ts"
      },
      bundle: true,
      write: false,
      format: "esm",
      plugins: [plugin],
      logLevel: "silent"
    })
    const { code } = await minify("needy.js", written.outputFiles[0]?.text ?? "", {
      module: true,
      compress: true,
      mangle: true
    })
    expect(code).not.toContain("__not_in_the_lean_runtime__")
    expect(lackingIn(code)).toEqual([
      expect.stringContaining("effect/Effect.withParentSpan is not in src/lean")
    ])
  })

  describe("beside effect's", () => {
    const server = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk) => {
        body += String(chunk)
      })
      request.on("end", () => {
        const { id, method }: { readonly id: number; readonly method: string } = JSON.parse(body)
        const result = method === "eth_chainId" ? "0x1" : "0x10"
        response.setHeader("content-type", "application/json")
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result }))
      })
    })
    beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
    afterAll(() => {
      server.closeAllConnections()
      server.close()
    })

    it("works in one program", async () => {
      const { port } = server.address() as AddressInfo
      const options = `{ network: "ethereum-mainnet", rpc: { nodes: [{ url: "http://127.0.0.1:${port}" }] }, quiet: true }`
      const { outputFiles } = await build({
        stdin: {
          contents: `
            import * as Effect from "effect/Effect"
            import { init } from "lean-entry"
            import { make } from "./src/entries/effect/Ethereum.ts"
            import { layerFetch } from "./src/http/Http.ts"
            const sdk = await init(${options})
            const one = await sdk.rpc.getBalance("0x0000000000000000000000000000000000000000")
            await sdk.destroy()
            const two = Effect.flatMap(make(${options}), ({ rpc }) => rpc.getBalance("0x0000000000000000000000000000000000000000"))
            export const answers = [one.data, await Effect.runPromise(Effect.provide(Effect.scoped(two), layerFetch))]`,
          resolveDir: root,
          loader: "ts"
        },
        bundle: true,
        write: false,
        format: "esm",
        platform: "node",
        plugins: [
          {
            name: "the built entry",
            setup(esbuild) {
              esbuild.onResolve({ filter: /^lean-entry$/ }, () => ({ path: "entry", namespace: "built" }))
              esbuild.onLoad({ filter: /.*/, namespace: "built" }, async () => {
                const built = await build({
                  entryPoints: [`${root}/src/entries/Ethereum.ts`],
                  bundle: true,
                  write: false,
                  format: "esm",
                  platform: "node",
                  plugins: [plugin]
                })
                return { contents: built.outputFiles[0]?.text ?? "", loader: "js" }
              })
            }
          }
        ]
      })
      const code = Buffer.from(outputFiles[0]?.text ?? "").toString("base64")
      const { answers }: { readonly answers: ReadonlyArray<bigint> } = await import(
        /* @vite-ignore */ `data:text/javascript;base64,${code}`
      )
      expect(answers).toEqual([16n, 16n])
    })
  })
})

it("keeps no task from its turn by one that throws", () => {
  const done: Array<string> = []
  scheduler.scheduleTask(() => {
    throw new Error("an observer's")
  })
  scheduler.scheduleTask(() => done.push("after it"))
  expect(() => scheduler.flush()).toThrow("an observer's")
  expect(done).toEqual([])
  scheduler.flush()
  expect(done).toEqual(["after it"])
})
