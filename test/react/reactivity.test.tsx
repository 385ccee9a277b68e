/** The module under the hooks: over rx in the project `react`, and over Effect 4 in `effect4-react`. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { describe, expect, it, vi } from "vitest"
import * as Registry from "../../react/Registry.js"
import * as Result from "../../react/Result.js"
import * as Rx from "../../react/Rx.js"
import { listRx, makeSerializable, scheduleTask } from "../../react/reactivity.js"

const isEffect4 = process.env.EFFECT_CHAINS_RUNTIME === "effect4"

/** A task after those that are queued. */
const nextTask = () => new Promise<void>((resolve) => void scheduleTask(resolve))

describe("an Rx", () => {
  it("is one of the runtime", () => {
    const made: object = Rx.make(Effect.succeed(1))
    expect("~effect/reactivity/Atom" in made).toBe(isEffect4)
    expect("~effect/Effect" in Effect.succeed(1)).toBe(isEffect4)
  })

  it("notifies nobody of a result that is equal to the last one", () => {
    const registry = Registry.make()
    let result: Result.Result<object, Error> = Result.initial(true)
    const rx = Rx.readable(() => result)
    const seen: Array<string> = []
    registry.subscribe(rx, ({ _tag, waiting }) => void seen.push(`${_tag} ${waiting}`), { immediate: true })
    const show = (next: Result.Result<object, Error>) => {
      result = next
      registry.refresh(rx)
    }
    const answer = { height: 1 }
    const error = new Error("busy")
    for (const next of [
      Result.initial(true),
      Result.success(answer),
      Result.success(answer, { timestamp: 1 }),
      Result.success({ ...answer }),
      Result.failure<Error, object>(Cause.fail(error)),
      Result.failure<Error, object>(Cause.fail(error))
    ])
      show(next)
    expect(seen).toEqual(["Initial true", "Success false", "Success false", "Failure false"])
    registry.dispose()
  })

  it("has a value that was set by its key without being run, until it is refreshed", async () => {
    const registry = Registry.make()
    const run = vi.fn(() => 2)
    const upstream = Rx.make(Effect.sync(run))
    const rx = makeSerializable(
      Rx.make((get) => get.result(upstream)),
      "height",
      (text) => Result.success(Number(text))
    )
    registry.setSerializable("height", "1")
    const end = registry.subscribe(rx, () => {})
    expect(registry.get(rx)).toMatchObject({ _tag: "Success", value: 1, waiting: false })
    expect(registry.getNodes().has("height")).toBe(true)
    await nextTask()
    expect(run).not.toHaveBeenCalled()
    expect(listRx(registry)).toEqual([rx])
    registry.refresh(rx)
    await expect.poll(() => registry.get(rx)).toMatchObject({ value: 2, waiting: false })
    expect(run).toHaveBeenCalledOnce()
    end()
    registry.dispose()
  })

  it("has the value of its own registry alone", () => {
    const [one, other] = [Registry.make(), Registry.make()]
    const rx = makeSerializable(Rx.make(Effect.succeed(2)), "height", (text) => Result.success(Number(text)))
    one.setSerializable("height", "1")
    expect(other.get(rx)).toMatchObject({ value: 2 })
    expect(one.get(rx)).toMatchObject({ value: 1 })
    one.dispose()
    other.dispose()
  })
})

describe("a task", () => {
  it("runs after this one", async () => {
    const ran: Array<string> = []
    scheduleTask(() => ran.push("first"))
    const cancel: unknown = scheduleTask(() => ran.push("second"))
    expect(ran).toEqual([])
    // that of rx cannot be cancelled, and that of Effect 4's registry must
    expect(typeof cancel === "function").toBe(isEffect4)
    if (typeof cancel === "function") cancel()
    await nextTask()
    expect(ran).toEqual(isEffect4 ? ["first"] : ["first", "second"])
  })
})
