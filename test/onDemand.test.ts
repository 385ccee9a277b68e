// @runtime both
/** Layers that are loaded with the first call that asks for them. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { group, rpc } from "../src/data/Endpoint.js"
import { make as makeClient } from "../src/transport/Client.js"
import * as Coalesce from "../src/transport/Coalesce.js"
import { loadOnDemand } from "../src/transport/layersOnDemand.js"
import { CallOptions, type CallOptionsShape } from "../src/wire/Transport.js"
import { makeHeldCall } from "./held.js"

const table = group(
  {},
  {
    balance: rpc<[address: string], string>("balance"),
    submit: rpc<[tx: string], string>("submit").broadcast()
  }
)

/** A client whose equal reads share requests where they ask for it, and the loads of the layer that does so. */
const setup = (load: (count: number) => Promise<typeof Coalesce>) =>
  Effect.gen(function* () {
    const { sent, transport } = makeHeldCall()
    const loads = { count: 0 }
    const layer = yield* loadOnDemand<{ readonly coalesce: boolean }>(
      () => load(++loads.count),
      (options, { coalesce }) => options.coalesce ?? coalesce
    )(transport, { coalesce: false })
    return { loads, sent, rpc: makeClient(table, layer, { archive: true, batchArchive: true }) }
  })

const using = (options: CallOptionsShape) => Effect.provideService(CallOptions, options)
const sharing = using({ coalesce: true })

/** Lets promises that are settled go on, and calls with them. */
const turns = Effect.zipRight(
  Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5))),
  TestClock.adjust(0)
)

describe("a layer on demand", () => {
  it.scoped("is not loaded by calls that do not ask for it, nor by what is no read", () =>
    Effect.gen(function* () {
      const { loads, rpc, sent } = yield* setup(async () => Coalesce)
      const fibers = [
        yield* Effect.fork(rpc.balance("0x1")),
        yield* Effect.fork(sharing(rpc.submit("0x2"))),
        yield* Effect.fork(using({ coalesce: false })(rpc.balance("0x1")))
      ]
      yield* TestClock.adjust(0)
      for (const each of sent) each.result("ok")
      yield* Fiber.joinAll(fibers)
      expect(sent).toHaveLength(3)
      expect(loads.count).toBe(0)
    })
  )

  it.scoped("is there for all calls that came while it was loaded, and for those after", () =>
    Effect.gen(function* () {
      const { loads, rpc, sent } = yield* setup(async () => Coalesce)
      const first = yield* Effect.fork(sharing(rpc.balance("0x1")))
      const second = yield* Effect.fork(sharing(rpc.balance("0x1")))
      yield* turns
      const third = yield* Effect.fork(sharing(rpc.balance("0x1")))
      yield* TestClock.adjust(0)
      expect(sent).toHaveLength(1)
      sent[0]?.result("7")
      expect(yield* Fiber.joinAll([first, second, third])).toEqual(["7", "7", "7"])
      const later = yield* Effect.fork(sharing(rpc.balance("0x1")))
      yield* TestClock.adjust(0)
      sent[1]?.result("8")
      expect(yield* Fiber.join(later)).toBe("8")
      expect(loads.count).toBeLessThanOrEqual(2)
    })
  )

  it.scoped("that cannot be fetched lets calls go by themselves, and is fetched again", () =>
    Effect.gen(function* () {
      const { loads, rpc, sent } = yield* setup((count) =>
        count === 1 ? Promise.reject(new Error("offline")) : Promise.resolve(Coalesce)
      )
      const alone = yield* Effect.fork(sharing(rpc.balance("0x1")))
      yield* turns
      expect(sent).toHaveLength(1)
      const together = [
        yield* Effect.fork(sharing(rpc.balance("0x2"))),
        yield* Effect.fork(sharing(rpc.balance("0x2")))
      ]
      yield* turns
      expect(sent).toHaveLength(2)
      for (const each of sent) each.result("ok")
      expect(yield* Fiber.joinAll([alone, ...together])).toEqual(["ok", "ok", "ok"])
      expect(loads.count).toBeGreaterThan(1)
    })
  )

  it.effect("has the client's own options and ends with the client, whoever has asked for it first", () =>
    Effect.gen(function* () {
      const client = yield* Scope.make()
      const { rpc, sent } = yield* Scope.extend(
        setup(async () => Coalesce),
        client
      )
      const first = yield* Effect.fork(
        using({ coalesce: true, node: "https://one.example" })(rpc.balance("0x1"))
      )
      yield* turns
      const second = yield* Effect.fork(sharing(rpc.balance("0x1")))
      yield* TestClock.adjust(0)
      expect(sent.map(({ options }) => options.node)).toEqual(["https://one.example", undefined])
      sent[0]?.result("1")
      expect(yield* Fiber.join(first)).toBe("1")
      yield* Scope.close(client, Exit.void)
      const end = yield* Fiber.await(second)
      expect(Exit.isFailure(end)).toBe(true)
    })
  )
})
