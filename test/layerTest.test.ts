import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import * as Sdk from "../src/client/Sdk.js"
import { NodeError } from "../src/data/SdkError.js"
import { defineNetwork } from "../src/define.js"

class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}

/** What a program may do with a client, under a double with these members. */
const under =
  (members: Sdk.PartialMembers<Sdk.Sdk<"ethereum-mainnet">>) =>
  <A, E>(use: (eth: Sdk.Sdk<"ethereum-mainnet">) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.provide(Effect.flatMap(Eth, use), Sdk.layerTest(Eth, members))

const deathOf = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isFailure(exit) && Cause.isDie(exit.cause) ? Cause.pretty(exit.cause) : "alive"

describe("a double of a client", () => {
  it.effect("has the members that are given, at any depth", () =>
    Effect.gen(function* () {
      const refused = new NodeError({ kind: "status", call: "c", url: "https://a.example", reason: "r" })
      const eth = under(
        Object.freeze({
          rpc: Object.freeze({
            getBalance: () => Effect.succeed(1n),
            gasPrice: () => Effect.fail(refused),
            subscribe: { newHeads: () => Stream.fail(refused) }
          }),
          nodes: { snapshot: Effect.succeed([]) }
        })
      )
      expect(yield* eth((sdk) => sdk.rpc.getBalance("0x0"))).toBe(1n)
      expect(yield* Effect.flip(eth((sdk) => sdk.rpc.gasPrice()))).toBe(refused)
      expect(yield* Effect.flip(eth((sdk) => Stream.runDrain(sdk.rpc.subscribe.newHeads())))).toBe(refused)
      expect(yield* eth((sdk) => sdk.nodes.snapshot)).toEqual([])
      expect(yield* eth((sdk) => Effect.succeed(sdk.network))).toBe("ethereum-mainnet")
    })
  )

  it.effect("has the id of a network of one's own, too", () =>
    Effect.gen(function* () {
      const currency = { symbol: "OWN", decimals: 18 }
      const own = defineNetwork({ id: "own-chain", family: "evm", chainId: 990_124, currency })
      class Own extends Sdk.Tag("Own", own)<Own>() {}
      const sdk = yield* Effect.provide(Own, Sdk.layerTest(Own, {}))
      expect(sdk.network).toBe("own-chain")
    })
  )

  it.effect("is no promise, and none of its members is: to await one changes nothing", () =>
    Effect.gen(function* () {
      const eth = under({ rpc: { getBalance: () => Effect.succeed(1n) } })
      const awaited = eth((sdk) =>
        Effect.promise(async () => [await sdk, await sdk.fee, await sdk.rpc] as const)
      )
      const [sdk, fee, rpc] = yield* Effect.timeout(awaited, "1 second").pipe(Effect.withClock(Clock.make()))
      expect(yield* rpc.getBalance("0x0")).toBe(1n)
      expect(deathOf(yield* Effect.exit(fee.getCurrentFee()))).toContain("fee.getCurrentFee is used")
      expect(sdk.network).toBe("ethereum-mainnet")
    })
  )

  it.effect(
    "dies by the name of a member that is not given: a call, an effect, a stream, of a group that is not given too",
    () =>
      Effect.gen(function* () {
        const eth = under({ rpc: { getBalance: () => Effect.succeed(1n) } })
        const uses = {
          "rpc.blockNumber": eth((sdk) => sdk.rpc.blockNumber()),
          "nodes.snapshot": eth((sdk) => sdk.nodes.snapshot),
          "nodes.check": eth((sdk) => Effect.asVoid(sdk.nodes.check)),
          "address.getBalance": eth((sdk) => sdk.address.getBalance({ address: "0x0" })),
          "address.streamBalance": eth((sdk) =>
            Stream.runCollect(sdk.address.streamBalance({ address: "0x0" }))
          ),
          "rpc.blockNumber ": eth((sdk) =>
            Effect.gen(function* () {
              return yield* sdk.rpc.blockNumber()
            })
          )
        }
        for (const [name, use] of Object.entries(uses))
          expect(deathOf(yield* Effect.exit(use as Effect.Effect<unknown, unknown>)), name).toContain(
            `Sdk.layerTest: ${name.trim()} is used`
          )
      })
  )

  it("is no promise, and can be looked at", async () => {
    const program = Effect.provide(Eth, Sdk.layerTest(Eth, {}))
    const sdk = await Effect.runPromise(program)
    expect(await Promise.resolve(sdk)).toBe(sdk)
  })
})
