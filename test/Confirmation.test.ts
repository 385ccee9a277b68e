// @runtime both
import { expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { describe } from "vitest"
import * as Aptos from "../src/chains/Aptos.js"
import * as Bitcoin from "../src/chains/Bitcoin.js"
import { composed } from "../src/chains/Evm.js"
import { pollUntilConfirmed } from "../src/chains/internal/Confirmation.js"
import * as Solana from "../src/chains/Solana.js"
import * as Sui from "../src/chains/Sui.js"
import { NodeError } from "../src/data/SdkError.js"
import { type MakeCalls, make, makeRawRpc } from "../src/transport/Client.js"
import type { TransportService } from "../src/wire/Transport.js"

const hash = `0x${"a".repeat(64)}`
const never = Effect.die("nothing may be asked")

/** A chain that answers by method; a call that it is not prepared for fails the test. */
const chain = (answers: { [method: string]: (params: ReadonlyArray<unknown>) => unknown }) => {
  const asked: Array<string> = []
  const transport: TransportService = {
    send: (call) =>
      Effect.suspend(() => {
        const { id, method, params } = JSON.parse(String(call.body))
        asked.push(method)
        const answer = answers[method]
        if (answer === undefined) return Effect.dieMessage(`unexpected ${method}`)
        const made = answer(params)
        const outcome = made instanceof Refusal ? { error: made } : { result: made }
        const text = JSON.stringify({ jsonrpc: "2.0", id, ...outcome })
        return Effect.mapError(
          call.decode({ status: 200, text, url: "https://node.example" }),
          ({ error }) => error
        )
      }),
    nodeUrl: () => Effect.dieMessage("nobody asks for urls")
  }
  const routing = { archive: false, batchArchive: false }
  const client: MakeCalls = (table) => ({
    ...make(table, transport, routing),
    ...makeRawRpc(table, transport, routing)
  })
  return { asked, client }
}

class Refusal {
  constructor(
    readonly code: number,
    readonly message: string
  ) {}
}

/** Runs a wait in virtual time. `tick` runs before every second that passes. */
const within = <A, E>(
  seconds: number,
  wait: Effect.Effect<A, E>,
  tick: (second: number) => void = () => {}
) =>
  Effect.gen(function* () {
    tick(0)
    const fiber = yield* Effect.fork(wait)
    for (let second = 1; second <= seconds; second++) {
      yield* TestClock.adjust(0)
      if (fiber.unsafePoll() !== null) return { exit: yield* Fiber.await(fiber), second: second - 1 }
      tick(second)
      yield* TestClock.adjust(Duration.seconds(1))
    }
    yield* TestClock.adjust(0)
    const exit = fiber.unsafePoll()
    if (exit === null) throw new Error("it still waits")
    return { exit, second: seconds }
  })

describe("waiting for a transaction", () => {
  it.effect.each([
    { confirmations: 0 },
    { confirmations: 1.5 },
    { confirmations: Number.NaN },
    { pollingInterval: 0 },
    { timeout: -1 },
    { timeout: Number.NaN },
    // what a program in JavaScript may pass
    JSON.parse('{ "timeout": "soon" }') as object
  ])("with %j is refused before anything is asked", (options) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(pollUntilConfirmed(hash, options, never))).toMatchObject({
        _tag: "InvalidArgument"
      })
    })
  )

  it.effect("ends in time, and says how far it came", () =>
    Effect.gen(function* () {
      const { exit, second } = yield* within(
        10,
        pollUntilConfirmed(
          hash,
          { confirmations: 3, timeout: "5 seconds", pollingInterval: Duration.millis(500) },
          Effect.succeed({ transaction: 1, confirmations: 2 })
        )
      )
      expect(second).toBe(5)
      expect(exit).toMatchObject({
        cause: {
          error: { _tag: "TransactionNotConfirmed", hash, confirmations: 2, wanted: 3, timeout: 5_000 }
        }
      })
    })
  )

  it.effect("outlasts nodes that cannot be reached, and nothing else", () =>
    Effect.gen(function* () {
      let looks = 0
      const down = new NodeError({
        kind: "connect",
        call: "c",
        url: "https://node.example",
        reason: "refused"
      })
      const look = Effect.suspend(() =>
        ++looks < 4 ? Effect.fail(down) : Effect.succeed({ transaction: "there", confirmations: 1 })
      )
      const { exit, second } = yield* within(10, pollUntilConfirmed(hash, {}, look))
      expect(exit).toEqual(Exit.succeed("there"))
      expect(second).toBe(3)
      const refused = Effect.fail({ _tag: "RpcError" } as const)
      expect(yield* Effect.flip(pollUntilConfirmed(hash, {}, refused))).toEqual({ _tag: "RpcError" })
    })
  )
})

describe("waiting on an EVM chain", () => {
  const receipt = (blockHash: string, blockNumber: number) => ({
    blockHash,
    blockNumber: `0x${blockNumber.toString(16)}`
  })

  it.effect("counts the blocks of the branch that the chain has kept", () =>
    Effect.gen(function* () {
      let head = 9
      let kept = "0xa"
      let mined: object | null = null
      const { client } = chain({
        eth_blockNumber: () => `0x${head.toString(16)}`,
        eth_getBlockByNumber: () => ({ hash: kept }),
        eth_getTransactionByHash: () => ({ from: "0xf", nonce: "0x1" }),
        eth_getTransactionReceipt: () => mined
      })
      const { exit, second } = yield* within(
        20,
        composed(client).waitForTransaction(hash, { confirmations: 3 }),
        (at) => {
          head = 9 + at
          if (at === 2) mined = receipt("0xa", 11)
          // at 13, which would have been enough, block 11 is another one, and the node still has the old receipt
          if (at === 4) kept = "0xb"
          if (at === 5) mined = null
          if (at === 6) mined = receipt("0xb", 14)
          if (at === 6) kept = "0xb"
        }
      )
      expect(second).toBe(7)
      expect(exit).toMatchObject({ _tag: "Success", value: { blockHash: "0xb" } })
    })
  )

  it.effect("ends when another transaction has taken the nonce of one that is gone", () =>
    Effect.gen(function* () {
      let known = true
      const { asked, client } = chain({
        eth_getTransactionByHash: () => (known ? { from: "0xf", nonce: "0x7" } : null),
        eth_getTransactionCount: () => (known ? "0x7" : "0x8"),
        eth_getTransactionReceipt: () => null
      })
      const { exit, second } = yield* within(10, composed(client).waitForTransaction(hash), (at) => {
        known = at < 3
      })
      expect(second).toBe(3)
      expect(exit).toMatchObject({ cause: { error: { _tag: "TransactionDropped", hash } } })
      expect(asked.slice(-2)).toEqual(["eth_getTransactionCount", "eth_getTransactionReceipt"])
    })
  )

  it.effect("goes on for a transaction that no node has heard of yet", () =>
    Effect.gen(function* () {
      const { client } = chain({
        eth_getTransactionByHash: () => null,
        eth_getTransactionReceipt: () => null
      })
      const { exit } = yield* within(10, composed(client).waitForTransaction(hash, { timeout: 4_000 }))
      expect(exit).toMatchObject({ cause: { error: { _tag: "TransactionNotConfirmed", confirmations: 0 } } })
    })
  )
})

describe("waiting on Solana", () => {
  /** One of 64 bytes, in Base58. */
  const SIGNATURE = "1".repeat(64)
  const wait = (client: MakeCalls, options: Solana.SolanaWaitOptions) =>
    Solana.composed(client).waitForTransaction(SIGNATURE, options)

  it.effect("waits for the commitment", () =>
    Effect.gen(function* () {
      let status: object | null = null
      const { client } = chain({ getSignatureStatuses: () => ({ context: { slot: 1 }, value: [status] }) })
      const { exit, second } = yield* within(20, wait(client, { commitment: "finalized" }), (at) => {
        if (at === 2) status = { slot: 5, confirmations: 0, err: null, confirmationStatus: "processed" }
        if (at === 3) status = { slot: 5, confirmations: 9, err: null, confirmationStatus: "confirmed" }
        if (at === 6) status = { slot: 5, confirmations: null, err: null, confirmationStatus: "finalized" }
      })
      expect(second).toBe(6)
      expect(exit).toMatchObject({ _tag: "Success", value: { confirmationStatus: "finalized", slot: 5n } })
    })
  )

  it.effect("ends when the blockhash of a transaction is too old", () =>
    Effect.gen(function* () {
      let height = 100
      const { client } = chain({
        getEpochInfo: () => ({ absoluteSlot: height + 1_000, blockHeight: height }),
        getSignatureStatuses: () => ({ context: { slot: 1_200 }, value: [null] })
      })
      const { exit, second } = yield* within(20, wait(client, { lastValidBlockHeight: 104 }), (at) => {
        height = 100 + at
      })
      expect(second).toBe(5)
      expect(exit).toMatchObject({ cause: { error: { _tag: "TransactionDropped" } } })
    })
  )

  it.effect("takes no word of a node that is behind for the end of a transaction", () =>
    Effect.gen(function* () {
      let slot = 1_090
      const { client } = chain({
        getEpochInfo: () => ({ absoluteSlot: 1_105, blockHeight: 105 }),
        getSignatureStatuses: () => ({
          context: { slot },
          value: [
            slot < 1_105
              ? null
              : { slot: 1_100, confirmations: 5, err: null, confirmationStatus: "confirmed" }
          ]
        })
      })
      const { exit, second } = yield* within(20, wait(client, { lastValidBlockHeight: 104 }), (at) => {
        if (at === 4) slot = 1_106
      })
      expect(second).toBe(4)
      expect(exit).toMatchObject({ _tag: "Success", value: { slot: 1_100n } })
    })
  )
})

describe("waiting on Bitcoin", () => {
  const hash = "11".repeat(32)

  it.effect("goes on while the transaction is unknown or in the pool, and ends with any other refusal", () =>
    Effect.gen(function* () {
      let answer: unknown = new Refusal(-5, "No such mempool or blockchain transaction.")
      const { client } = chain({ getrawtransaction: () => answer })
      const wait = Bitcoin.composed(client).waitForTransaction(hash, { confirmations: 2 })
      const { exit, second } = yield* within(20, wait, (at) => {
        if (at === 2) answer = { txid: hash }
        if (at === 4) answer = { txid: hash, confirmations: 1 }
        if (at === 5) answer = { txid: hash, confirmations: 2 }
      })
      expect(second).toBe(5)
      expect(exit).toEqual(Exit.succeed({ txid: hash, confirmations: 2 }))
      answer = new Refusal(-8, "parameter 1 must be of length 64")
      expect(yield* Effect.flip(wait)).toMatchObject({ _tag: "RpcError", code: -8 })
    })
  )
})

describe("a transaction of Sui", () => {
  const digest = "76gyHCk7FRrGACRqXM7Ybj5uJLtAzgEMJ5P9CeEzxZSG"
  const effects = { status: { status: "failure", error: "InsufficientGas" } }
  const unknown = new Refusal(
    -32_602,
    `Could not find the referenced transaction [TransactionDigest(${digest})].`
  )

  it.effect("is there with its effects once a checkpoint has it", () =>
    Effect.gen(function* () {
      let now = 0
      const { asked, client } = chain({
        sui_getTransactionBlock: ([of, options]) => {
          expect([of, options]).toEqual([digest, { showEvents: true, showEffects: true }])
          if (now < 1) return unknown
          return now < 2 ? { digest, effects } : { digest, effects, checkpoint: "100" }
        }
      })
      const wait = Sui.composed(client).waitForTransaction(digest, { show: { showEvents: true } })
      const { exit, second } = yield* within(5, wait, (at) => {
        now = at
      })
      expect(second).toBe(2)
      expect(exit).toEqual(Exit.succeed({ digest, effects, checkpoint: "100" }))
      expect(asked).not.toContain("sui_getLatestCheckpointSequenceNumber")
    })
  )

  it.effect("is as deep as there are checkpoints on its own", () =>
    Effect.gen(function* () {
      let latest = 100
      const { client } = chain({
        sui_getTransactionBlock: () => ({ digest, effects, checkpoint: "100" }),
        sui_getLatestCheckpointSequenceNumber: () => String(latest)
      })
      const wait = Sui.composed(client).waitForTransaction(digest, { confirmations: 3 })
      const { second } = yield* within(5, wait, (at) => {
        latest = 100 + at
      })
      expect(second).toBe(2)
    })
  )

  it.effect("fails with what a node says of the call", () =>
    Effect.gen(function* () {
      const { client } = chain({ sui_getTransactionBlock: () => new Refusal(-32_602, "Invalid params") })
      const { exit } = yield* within(2, Sui.composed(client).waitForTransaction("nonsense"))
      expect(exit).toMatchObject({ _tag: "Failure", cause: { error: { _tag: "RpcError", code: -32_602 } } })
    })
  )
})

describe("a transaction of Aptos", () => {
  const executed = { type: "user_transaction", hash, version: "7", success: false }
  const missing = { status: 404, answer: { message: "not found", error_code: "transaction_not_found" } }

  /** A node that answers by path. */
  const node = (answers: {
    readonly [path: string]: () => { readonly status?: number; readonly answer: object }
  }) => {
    const transport: TransportService = {
      send: (call) =>
        Effect.suspend(() => {
          const made = answers[call.path]
          if (made === undefined) return Effect.dieMessage(`unexpected ${call.path}`)
          const { answer, status = 200 } = made()
          const reply = { status, text: JSON.stringify(answer), url: "https://node.example" }
          return Effect.mapError(call.decode(reply), ({ error }) => error)
        }),
      nodeUrl: () => Effect.dieMessage("nobody asks for urls")
    }
    return Aptos.composed((table) => make(table, transport, { archive: false, batchArchive: false }))
  }

  it.effect("is there once it is no longer pending, whether it has failed or not", () =>
    Effect.gen(function* () {
      let now = 0
      const { waitForTransaction } = node({
        [`/v1/transactions/by_hash/${hash}`]: () =>
          now < 1 ? missing : { answer: now < 2 ? { type: "pending_transaction", hash } : executed }
      })
      const { exit, second } = yield* within(5, waitForTransaction(hash), (at) => {
        now = at
      })
      expect(second).toBe(2)
      expect(exit).toEqual(Exit.succeed(executed))
    })
  )

  it.effect("is as deep as there are blocks on its own", () =>
    Effect.gen(function* () {
      let now = 0
      const { waitForTransaction } = node({
        [`/v1/transactions/by_hash/${hash}`]: () => ({ answer: executed }),
        "/v1/blocks/by_version/7": () => ({ answer: { block_height: "100" } }),
        "/v1": () => ({ answer: { block_height: String(100 + now) } })
      })
      const { second } = yield* within(5, waitForTransaction(hash, { confirmations: 3 }), (at) => {
        now = at
      })
      expect(second).toBe(2)
    })
  )

  it.effect("fails with what a node says of the call", () =>
    Effect.gen(function* () {
      const { waitForTransaction } = node({
        "/v1/transactions/by_hash/nonsense": () => ({
          status: 400,
          answer: { message: "no hash", error_code: "invalid_input" }
        })
      })
      const { exit } = yield* within(2, waitForTransaction("nonsense"))
      expect(exit).toMatchObject({
        _tag: "Failure",
        cause: { error: { _tag: "RequestRejected", status: 400 } }
      })
    })
  )
})
