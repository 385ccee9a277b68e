// @runtime promise
/** Random programs on the lean runtime beside effect's: they end alike, and do the same at the same times. */
import * as CauseOf from "effect/Cause"
import * as ClockOf from "effect/Clock"
import * as Duration from "effect/Duration"
import * as EffectOf from "effect/Effect"
import * as EitherOf from "effect/Either"
import * as ExitOf from "effect/Exit"
import * as FiberOf from "effect/Fiber"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import * as CauseLean from "../src/lean/Cause.js"
import * as EffectLean from "../src/lean/Effect.js"
import * as EitherLean from "../src/lean/Either.js"
import * as ExitLean from "../src/lean/Exit.js"
import * as FiberLean from "../src/lean/Fiber.js"

const effect = { Cause: CauseOf, Effect: EffectOf, Either: EitherOf, Exit: ExitOf, Fiber: FiberOf }
type Runtime = typeof effect

/** The lean runtime has the types of effect's for those functions that it has, and programs use no others. */
const lean: Runtime = {
  Cause: CauseLean as typeof CauseOf,
  Effect: EffectLean as typeof EffectOf,
  Either: EitherLean as typeof EitherOf,
  Exit: ExitLean as typeof ExitOf,
  Fiber: FiberLean as typeof FiberOf
}

/** A program. What runs beside others sleeps first: who of several goes first at the same time is each runtime's own matter. */
type Program =
  | { readonly does: "yield" | "fail" | "die" | "interrupt" | "tell" }
  | { readonly does: "sleep"; readonly ms: number }
  | {
      readonly does:
        | "then"
        | "catch"
        | "catch all causes"
        | "match causes"
        | "race"
        | "fork, and join"
        | "fork, and interrupt"
        | "fork, and leave"
      readonly one: Program
      readonly two: Program
    }
  | {
      readonly does:
        | "ensure"
        | "acquire, use and release"
        | "hold"
        | "fork in a scope"
        | "interruptible"
        | "exit"
      readonly one: Program
    }
  | { readonly does: "time out"; readonly one: Program; readonly ms: number }
  | { readonly does: "all"; readonly some: ReadonlyArray<Program>; readonly most: number | "unbounded" }
  | { readonly does: "in turn"; readonly some: ReadonlyArray<Program> }

const ms = fc.integer({ min: 1, max: 40 })

/** Programs of some kinds. */
const programs = (...kinds: ReadonlyArray<"alone" | "forks" | "crowds">): fc.Arbitrary<Program> => {
  const { program } = fc.letrec<{ program: Program; branch: Program }>((tie) => {
    const of = <D extends Program["does"]>(...all: Array<D>): fc.Arbitrary<D> => fc.constantFrom(...all)
    const one = tie("program")
    const branch = tie("branch")
    const alone: Array<fc.Arbitrary<Program>> = [
      fc.record({ does: of("yield", "fail", "die", "interrupt", "tell", "tell") }),
      fc.record({ does: of("sleep"), ms }),
      fc.record({ does: of("then", "catch", "catch all causes", "match causes"), one, two: one }),
      fc.record({ does: of("ensure", "acquire, use and release", "hold", "interruptible", "exit"), one })
    ]
    const forks: Array<fc.Arbitrary<Program>> = [
      fc.record({
        does: of("fork, and join", "fork, and interrupt", "fork, and leave"),
        one: branch,
        two: branch
      }),
      fc.record({ does: of("fork in a scope"), one: branch })
    ]
    const crowds: Array<fc.Arbitrary<Program>> = [
      fc.record({ does: of("race"), one: branch, two: branch }),
      fc.record({ does: of("time out"), one: branch, ms }),
      fc.record({
        does: of("all"),
        some: fc.array(branch, { maxLength: 4 }),
        most: fc.constantFrom(1, 2, "unbounded" as const)
      }),
      fc.record({ does: of("in turn"), some: fc.array(branch, { maxLength: 3 }) })
    ]
    const all = { alone, forks, crowds }
    return {
      branch: fc
        .record({ ms, two: one })
        .map(({ ms, two }): Program => ({ does: "then", one: { does: "sleep", ms }, two })),
      program: fc.oneof({ maxDepth: 5, depthSize: "medium" }, ...kinds.flatMap((kind) => all[kind]))
    }
  })
  return program
}

interface Timer {
  readonly at: number
  readonly go: () => void
}

/**
 * Runs a program in a time of its own: its end, all that it has told with the times, and the time when nothing waits any more.
 * `isSlow` says whether what cannot be interrupted takes time.
 */
const run = async (
  { Cause, Effect, Either, Exit, Fiber }: Runtime,
  given: Program,
  isSlow: boolean
): Promise<{ readonly end: unknown; readonly now: number; readonly told: ReadonlyArray<string> }> => {
  let now = 0
  let count = 0
  const told: Array<string> = []
  const timers: Array<Timer> = []
  const clock: ClockOf.Clock = {
    [ClockOf.ClockTypeId]: ClockOf.ClockTypeId,
    unsafeCurrentTimeMillis: () => now,
    unsafeCurrentTimeNanos: () => BigInt(Math.round(now * 1e6)),
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanos: Effect.sync(() => BigInt(Math.round(now * 1e6))),
    sleep: (duration) =>
      Effect.async<void>((resume) => {
        const timer = { at: now + Duration.toMillis(duration), go: () => resume(Effect.void) }
        timers.push(timer)
        return Effect.sync(() => {
          const index = timers.indexOf(timer)
          if (index !== -1) timers.splice(index, 1)
        })
      })
  }
  const sleep = (of: number) => Effect.sleep(of)
  // no two sleeps are over at once
  const slept = (of: number) => sleep(of + ++count * 0.0137 + count ** 2 * 1e-6)
  const held = (of: number) => (isSlow ? slept(of) : Effect.void)
  const tell = (what: string) => Effect.sync(() => void told.push(`${now.toFixed(6)} ${what}`))

  const made = (of: Program): EffectOf.Effect<unknown, unknown> => {
    const id = ++count
    const last = Effect.zipRight(tell(`${id} ends`), Effect.zipRight(held(3), tell(`${id} has ended`)))
    switch (of.does) {
      case "yield":
        return Effect.succeed(id)
      case "fail":
        return Effect.fail(id)
      case "die":
        return Effect.sync(() => {
          throw id
        })
      case "interrupt":
        return Effect.interrupt
      case "tell":
        return tell(`${id}`)
      case "sleep":
        return slept(of.ms)
      case "then": {
        const [one, two] = [made(of.one), made(of.two)]
        return Effect.flatMap(one, () => two)
      }
      case "catch": {
        const [one, two] = [made(of.one), made(of.two)]
        return Effect.catchAll(one, (error) => Effect.zipRight(tell(`${id} caught ${error}`), two))
      }
      case "catch all causes": {
        const [one, two] = [made(of.one), made(of.two)]
        return Effect.catchAllCause(one, () => Effect.zipRight(tell(`${id} caught`), two))
      }
      case "match causes": {
        const [one, two] = [made(of.one), made(of.two)]
        return Effect.matchCauseEffect(one, {
          onFailure: () => Effect.zipRight(tell(`${id} failed`), two),
          onSuccess: () => Effect.zipRight(tell(`${id} succeeded`), two)
        })
      }
      case "race":
        return Effect.raceFirst(made(of.one), made(of.two))
      case "fork, and join":
      case "fork, and interrupt":
      case "fork, and leave": {
        const [one, two] = [made(of.one), made(of.two)]
        return Effect.flatMap(Effect.fork(one), (fiber) =>
          Effect.flatMap(two, (value) =>
            of.does === "fork, and join"
              ? Fiber.join(fiber)
              : of.does === "fork, and interrupt"
                ? Effect.zipRight(Fiber.interrupt(fiber), tell(`${id} is over`))
                : Effect.succeed(value)
          )
        )
      }
      case "ensure":
        return Effect.ensuring(made(of.one), last)
      case "acquire, use and release": {
        const one = made(of.one)
        return Effect.acquireUseRelease(
          Effect.zipRight(held(5), tell(`${id} has it`)),
          () => one,
          () => last
        )
      }
      case "hold":
        return Effect.scoped(
          Effect.zipRight(
            Effect.acquireRelease(Effect.zipRight(held(5), tell(`${id} has it`)), () => last),
            made(of.one)
          )
        )
      case "fork in a scope":
        return Effect.scoped(
          Effect.zipRight(Effect.forkScoped(Effect.ensuring(made(of.one), last)), slept(20))
        )
      case "interruptible":
        return Effect.interruptible(made(of.one))
      case "exit":
        return Effect.map(
          Effect.matchCauseEffect(made(of.one), {
            onFailure: () => Effect.succeed("failed"),
            onSuccess: () => Effect.succeed("succeeded")
          }),
          (how) => `${id} ${how}`
        )
      case "time out": {
        const limit = slept(of.ms)
        return Effect.raceFirst(
          made(of.one),
          Effect.flatMap(limit, () => Effect.fail(`${id} is late`))
        )
      }
      case "all":
        return Effect.forEach(of.some.map(made), (each) => each, { concurrency: of.most })
      case "in turn": {
        const turn = Effect.unsafeMakeSemaphore(1)
        return Effect.forEach(of.some.map(made), turn.withPermits(1), { concurrency: "unbounded" })
      }
    }
  }

  let end: unknown = "it waits for ever"
  const whole = Effect.ensuring(made(given), tell("whole"))
  const ran = Effect.runPromiseExit(Effect.withClock(whole, clock)).then((exit) => {
    if (Exit.isSuccess(exit)) return { value: exit.value }
    const failure = Cause.failureOrCause(exit.cause)
    if (Either.isLeft(failure)) return { error: failure.left }
    return Cause.isInterruptedOnly(exit.cause) ? "interrupted" : { defect: Cause.squash(exit.cause) }
  })
  void ran.then((how) => {
    end = how
  })
  const turned = () => new Promise((resolve) => setImmediate(resolve))
  for (;;) {
    await turned()
    await turned()
    const next = timers.toSorted((a, b) => a.at - b.at)[0]
    if (next === undefined) break
    timers.splice(timers.indexOf(next), 1)
    now = next.at
    next.go()
  }
  return { end, now, told: told.toSorted() }
}

const RUNS = { numRuns: Number(process.env.FUZZ_RUNS ?? 300) }

// of a crowd that has forked, the one waits for more than the other: each is tried without the other
it("end alike in crowds, whoever is interrupted", () =>
  fc.assert(
    fc.asyncProperty(programs("alone", "crowds"), async (given) => {
      const [ours, theirs] = [await run(lean, given, false), await run(effect, given, false)]
      expect(ours.end).toEqual(theirs.end)
      // effect (3.22.4) goes on with a race that is interrupted, now and then
      expect(theirs.told).toEqual(expect.arrayContaining([...ours.told]))
    }),
    RUNS
  ))

it("end alike with fibers that are forked, where what cannot be interrupted takes time", () =>
  fc.assert(
    fc.asyncProperty(programs("alone", "forks"), async (given) => {
      const [ours, theirs] = [await run(lean, given, true), await run(effect, given, true)]
      expect([ours.end, ours.now]).toEqual([theirs.end, theirs.now])
      // effect takes a step more, now and then, behind a finalizer of a fiber that is interrupted
      expect(theirs.told).toEqual(expect.arrayContaining([...ours.told]))
    }),
    RUNS
  ))
