/**
 * The nodes of a chain when answers get lost and when several bring a node to the end of the log at once: afterwards they have one
 * chain. The second node is reached by way of a server that passes everything on, and loses the answers that it is told to.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { privateKeyToAccount } from "viem/accounts"
import { expect, it } from "vitest"
import * as Chain from "../../src/sandbox/Chain.js"
import * as Ledger from "../../src/sandbox/chain/Ledger.js"
import { callJsonRpc, forwardRequest, listen, parseBody } from "../../src/sandbox/Loopback.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import type { SandboxError } from "../../src/sandbox/SandboxError.js"

const found = Effect.runSync(Effect.either(Anvil.binary))
const available = Either.isRight(found)
if (!available && process.env.CI === "true") it("has an anvil binary in CI", () => Promise.reject(found.left))
if (!available) console.log("left out: the log of a chain (no anvil binary)")

/** The first of the accounts that every anvil has. */
const account = privateKeyToAccount("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80")

const sent = async (nonce: number): Promise<Ledger.Entry> => {
  const raw = await account.signTransaction({
    type: "eip1559",
    chainId: 1,
    nonce,
    to: "0x00000000000000000000000000000000000000bb",
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 10n ** 11n
  })
  return { sent: { method: "eth_sendRawTransaction", params: [raw] }, hash: raw }
}

/** A node, and one of the same chain whose answer is lost if `loses` of its method yields true, and late if it takes long. */
const nodes = (ledger: Ledger.Ledger, loses: (method: string) => Effect.Effect<boolean>) =>
  Effect.gen(function* () {
    const options = { chainId: 1, timestamp: ledger.genesis, noMining: true }
    const [direct, behind] = yield* Effect.all([Anvil.start(options), Anvil.start(options)], {
      concurrency: "unbounded"
    })
    const port = yield* listen((received) =>
      Effect.gen(function* () {
        const answer = yield* forwardRequest(behind.url, received, { reuse: false }).pipe(
          Effect.catchAll(() => Effect.succeed("drop" as const))
        )
        const isLost = yield* loses(String(Reflect.get(Object(parseBody(received.body)), "method")))
        return isLost ? "drop" : answer
      })
    )
    const lossy: Anvil.AnvilNode = { ...behind, url: `http://127.0.0.1:${port}` }
    return [yield* Ledger.makeFollower(direct), yield* Ledger.makeFollower(lossy)] as const
  })

const head = (url: string): Effect.Effect<unknown, SandboxError> =>
  Effect.map(callJsonRpc(url, { method: "eth_getBlockByNumber", params: ["latest", false] }), (answer) => {
    const block: unknown = Reflect.get(answer, "result")
    return { number: Reflect.get(Object(block), "number"), hash: Reflect.get(Object(block), "hash") }
  })

const run = (program: Effect.Effect<void, SandboxError, Scope.Scope>) =>
  Effect.runPromise(Effect.scoped(program))

const ledgerOf = () => Ledger.make({ entries: [], state: undefined }, undefined)

const agree = (ledger: Ledger.Ledger, followers: ReadonlyArray<Ledger.Follower>) =>
  Effect.gen(function* () {
    yield* Effect.forEach(followers, (node) => Ledger.catchUp(ledger, node), { discard: true })
    const heads = yield* Effect.forEach(followers, ({ anvil }) => head(anvil.url))
    expect(heads).toEqual(heads.map(() => heads[0]))
    return heads[0]
  })

const lost = [
  "evm_mine",
  "evm_setNextBlockTimestamp",
  "anvil_setBlockTimestampInterval",
  "anvil_mine",
  "anvil_removeBlockTimestampInterval",
  "eth_sendRawTransaction",
  "anvil_setNonce",
  "evm_snapshot",
  "evm_revert"
] as const

it.runIf(available).each(lost)("stays one chain when the answer to %s gets lost", (method) =>
  run(
    Effect.gen(function* () {
      const ledger = ledgerOf()
      let losses = 0
      const [steady, lossy] = yield* nodes(ledger, (each) =>
        Effect.sync(() => each === method && losses-- > 0)
      )
      const add = (...entries: ReadonlyArray<Ledger.Entry>) => {
        ledger.log = [...ledger.log, ...entries]
      }
      yield* agree(ledger, [steady, lossy])
      const id = yield* Ledger.takeSnapshot(ledger, steady)
      yield* agree(ledger, [steady, lossy])
      add({ blocks: Ledger.takeBlockTimes(ledger, 2) })
      yield* agree(ledger, [steady, lossy])

      losses = 1
      add(
        { blocks: Ledger.takeBlockTimes(ledger) },
        yield* Effect.promise(() => sent(0)),
        { blocks: Ledger.takeBlockTimes(ledger, 3) },
        { cheat: { method: "anvil_setNonce", params: [account.address, "0x5"] }, lasting: false }
      )
      yield* Ledger.catchUp(ledger, steady)
      yield* Ledger.takeSnapshot(ledger, steady)
      if (method === "evm_revert") Ledger.revertToSnapshot(ledger, id)
      const outcome = yield* Effect.either(Ledger.catchUp(ledger, lossy))
      expect(Either.isLeft(outcome)).toBe(true)

      add(
        { blocks: Ledger.takeBlockTimes(ledger) },
        yield* Effect.promise(() => sent(method === "evm_revert" ? 0 : 5))
      )
      add({ blocks: Ledger.takeBlockTimes(ledger) })
      expect(yield* agree(ledger, [steady, lossy])).toMatchObject({
        number: method === "evm_revert" ? "0x2" : "0x8"
      })
    })
  )
)

it.runIf(available)("tells a node everything once, whoever brings it to the end of the log", () =>
  run(
    Effect.gen(function* () {
      const ledger = ledgerOf()
      let asked = 0
      // the second who looks at the genesis has the answer when the first is at the end
      const [steady, other] = yield* nodes(ledger, (method) =>
        method === "eth_getBlockByNumber" && ++asked === 2
          ? Effect.as(Effect.sleep("1 second"), false)
          : Effect.succeed(false)
      )
      ledger.log = Array.from({ length: 5 }, () => ({ blocks: Ledger.takeBlockTimes(ledger, 2) }))
      const catchUp = Ledger.catchUp(ledger, other)
      yield* Effect.all([catchUp, catchUp], { concurrency: "unbounded" })
      expect(yield* agree(ledger, [steady, other])).toMatchObject({ number: "0xa" })
    })
  )
)

it.runIf(available)("leaves a node stopped that is stopped while it is built anew", () =>
  run(
    Effect.gen(function* () {
      const { members } = yield* Chain.make({ chainId: 1, size: 2 })
      const [first, second] = members
      if (first === undefined || second === undefined) return yield* Effect.dieMessage("no nodes")
      const ask = (method: string, params: ReadonlyArray<unknown> = []) =>
        Effect.map(
          first.handler({
            method: "POST",
            path: "/",
            headers: {},
            body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))
          }),
          (answer) => Reflect.get(Object(answer === "drop" ? answer : parseBody(answer.body)), "result")
        )
      yield* ask("anvil_mine", [3])
      const id = yield* ask("evm_snapshot")
      // what goes back behind this needs a new process
      yield* ask("anvil_rollback", [1])
      const before = yield* second.pid
      const reverting = yield* Effect.fork(ask("evm_revert", [id]))
      yield* Effect.repeat(second.pid, {
        until: (pid) => pid !== before,
        schedule: Schedule.spaced("2 millis")
      })
      yield* second.stop
      yield* Fiber.join(reverting)
      expect(yield* second.state).toBe("stopped")
      expect(yield* second.pid).toBeUndefined()
      expect(yield* first.state).toBe("running")
      yield* second.start
      const heads = yield* Effect.forEach([first, second], ({ url }) => head(url))
      expect(heads[1]).toEqual(heads[0])
    })
  )
)
