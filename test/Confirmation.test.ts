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
import { neverFails, pollUntilConfirmed, type WaitOptions } from "../src/chains/internal/Confirmation.js"
import { registry } from "../src/chains/registry.js"
import * as Solana from "../src/chains/Solana.js"
import * as Sui from "../src/chains/Sui.js"
import { toEffect } from "../src/data/eitherValues.js"
import type { FamilyId } from "../src/data/Network.js"
import { isSdkError, NodeError } from "../src/data/SdkError.js"
import { type MakeCalls, make, makeRawRpc } from "../src/transport/Client.js"
import type { TransportService } from "../src/wire/Transport.js"

const hash = `0x${"a".repeat(64)}`
const never = Effect.die("nothing may be asked")

interface Answers {
  readonly [method: string]: (params: ReadonlyArray<unknown>) => unknown
}

/** A chain that answers by method; a call that it is not prepared for fails the test. */
const chain = (answers: Answers) => {
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
          toEffect(call.decode({ status: 200, text, url: "https://node.example" })),
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
    readonly message: string,
    readonly data?: string
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
      expect(yield* Effect.flip(pollUntilConfirmed(hash, options, never, neverFails))).toMatchObject({
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
          Effect.succeed({ transaction: 1, confirmations: 2 }),
          neverFails
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
      const { exit, second } = yield* within(10, pollUntilConfirmed(hash, {}, look, neverFails))
      expect(exit).toEqual(Exit.succeed("there"))
      expect(second).toBe(3)
      const refused = Effect.fail({ _tag: "RpcError" } as const)
      expect(yield* Effect.flip(pollUntilConfirmed(hash, {}, refused, neverFails))).toEqual({
        _tag: "RpcError"
      })
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
      const commitments: Array<unknown> = []
      const { client } = chain({
        getEpochInfo: ([config]) => {
          commitments.push(Reflect.get(Object(config), "commitment"))
          return { absoluteSlot: height + 1_000, blockHeight: height }
        },
        getSignatureStatuses: () => ({ context: { slot: 1_200 }, value: [null] })
      })
      const { exit, second } = yield* within(20, wait(client, { lastValidBlockHeight: 104 }), (at) => {
        height = 100 + at
      })
      expect(second).toBe(5)
      expect(exit).toMatchObject({
        cause: {
          error: { _tag: "TransactionExpired", hash: SIGNATURE, lastValidBlockHeight: 104n, height: 105n }
        }
      })
      // blocks that are not final may be given up
      expect(commitments).toEqual(new Array(6).fill("finalized"))
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
  const effects = { status: { status: "success" } }
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

/** A node of Aptos that answers by path. */
const aptosNode = (answers: {
  readonly [path: string]: () => { readonly status?: number; readonly answer: object }
}) => {
  const transport: TransportService = {
    send: (call) =>
      Effect.suspend(() => {
        const made = answers[call.path]
        if (made === undefined) return Effect.dieMessage(`unexpected ${call.path}`)
        const { answer, status = 200 } = made()
        const reply = { status, text: JSON.stringify(answer), url: "https://node.example" }
        return Effect.mapError(toEffect(call.decode(reply)), ({ error }) => error)
      }),
    nodeUrl: () => Effect.dieMessage("nobody asks for urls")
  }
  return Aptos.composed((table) => make(table, transport, { archive: false, batchArchive: false }))
}

describe("a transaction of Aptos", () => {
  const executed = { type: "user_transaction", hash, version: "7", success: true }
  const missing = { status: 404, answer: { message: "not found", error_code: "transaction_not_found" } }

  it.effect("is there once it is no longer pending", () =>
    Effect.gen(function* () {
      let now = 0
      const { waitForTransaction } = aptosNode({
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
      const { waitForTransaction } = aptosNode({
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
      const { waitForTransaction } = aptosNode({
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

/** `Error("too late")`, as Solidity encodes it. */
const tooLate = `0x08c379a0${"20".padStart(64, "0")}${"8".padStart(64, "0")}${"746f6f206c617465".padEnd(64, "0")}`
/** `Panic(0x11)`. */
const overflow = `0x4e487b71${"11".padStart(64, "0")}`

describe("a transaction that has failed on an EVM chain", () => {
  const receipt = {
    transactionHash: hash,
    blockHash: "0xa",
    blockNumber: "0xb",
    status: "0x0",
    gasUsed: "0x5208",
    logs: []
  }
  const transaction = {
    hash,
    from: `0x${"f".repeat(40)}`,
    to: `0x${"e".repeat(40)}`,
    input: "0x01020304",
    value: "0x5",
    gas: "0xffff",
    gasPrice: "0x3b9aca00",
    nonce: "0x1"
  }
  const node = (more: Answers = {}) =>
    chain({
      eth_blockNumber: () => "0xb",
      eth_getBlockByNumber: () => ({ hash: "0xa" }),
      eth_getTransactionReceipt: () => receipt,
      eth_getTransactionByHash: () => transaction,
      ...more
    })
  const failureOf = (more: Answers) => Effect.flip(composed(node(more).client).waitForTransaction(hash))

  it.effect.each([
    ["its own text", new Refusal(3, "execution reverted: too late", tooLate), "too late", tooLate],
    [
      "a panic",
      new Refusal(3, "execution reverted", overflow),
      "an arithmetic operation left the range of its type",
      overflow
    ],
    [
      "a panic without a name",
      new Refusal(3, "reverted", `0x4e487b71${"99".padStart(64, "0")}`),
      "panic 153",
      undefined
    ],
    [
      "the selector of an error of its own",
      new Refusal(3, "execution reverted", "0x82b42900"),
      "the contract's error 0x82b42900",
      "0x82b42900"
    ],
    [
      "the node's words where there are no bytes",
      new Refusal(3, "execution reverted", "0x"),
      "execution reverted",
      undefined
    ],
    [
      "bytes inside the error of another program",
      new Refusal(-32015, "VM execution error.", `Reverted ${tooLate}`),
      "too late",
      tooLate
    ],
    ["that its gas did not suffice", new Refusal(-32000, "out of gas"), "out of gas", undefined],
    [
      "the node's words where the text is cut",
      new Refusal(3, "reverted", tooLate.slice(0, 60)),
      "reverted",
      tooLate.slice(0, 60)
    ]
  ] as const)("has as its reason %s", ([, refusal, reason, data]) =>
    Effect.gen(function* () {
      const failure = yield* failureOf({ eth_call: () => refusal })
      expect(failure).toMatchObject({ _tag: "TransactionFailed", hash, reason, receipt })
      if (data !== undefined) expect(failure).toMatchObject({ data })
      expect(failure.message).toBe(`Transaction ${hash} is in the chain, and has failed: ${reason}`)
    })
  )

  it.effect(
    "is executed as it was sent, without a price, on the state after its block and then before it",
    () =>
      Effect.gen(function* () {
        const calls: Array<ReadonlyArray<unknown>> = []
        const failure = yield* failureOf({
          eth_call: (params) => {
            calls.push(params)
            return params[1] === "0xb" ? "0x" : new Refusal(3, "execution reverted", tooLate)
          }
        })
        expect(failure).toMatchObject({ reason: "too late" })
        const { from, gas, input: data, to, value } = transaction
        expect(calls).toEqual([
          [{ from, gas, data, to, value }, "0xb"],
          [{ from, gas, data, to, value }, "0xa"]
        ])
      })
  )

  it.effect("of a deployment has no receiver, and keeps its access list", () =>
    Effect.gen(function* () {
      const accessList = [{ address: transaction.to, storageKeys: [] }]
      let asked: unknown
      yield* failureOf({
        eth_getTransactionByHash: () => ({ ...transaction, to: null, accessList }),
        eth_call: ([request]) => {
          asked = request
          return new Refusal(3, "execution reverted")
        }
      })
      expect(asked).toMatchObject({ accessList })
      expect(asked).not.toHaveProperty("to")
    })
  )

  const unexplained: ReadonlyArray<readonly [state: string, answers: Answers, reason: string]> = [
    ["succeeds at both states", { eth_call: () => "0x" }, "it was reverted"],
    [
      "succeeds at both states, and had used all of its gas",
      { eth_call: () => "0x", eth_getTransactionByHash: () => ({ ...transaction, gas: receipt.gasUsed }) },
      "its gas did not suffice"
    ],
    [
      "meets a node without the state",
      { eth_call: () => new Refusal(-32000, "missing trie node") },
      "it was reverted"
    ],
    [
      "meets a sender with less than then",
      { eth_call: () => new Refusal(-32000, "insufficient funds for transfer") },
      "it was reverted"
    ],
    [
      "is of a transaction that the node does not show",
      { eth_getTransactionByHash: () => null },
      "it was reverted"
    ],
    [
      "is of a transaction without its fields",
      { eth_call: () => "0x", eth_getTransactionByHash: () => ({ hash }) },
      "it was reverted"
    ]
  ]
  it.effect.each(unexplained)("keeps its plain reason where the second execution %s", ([, answers, reason]) =>
    Effect.gen(function* () {
      const failure = yield* failureOf(answers)
      expect(failure).toMatchObject({ _tag: "TransactionFailed", reason, receipt })
      expect(failure).not.toHaveProperty("data")
    })
  )

  it.effect(
    "is told without its reason where nodes do not answer in five seconds, whatever the wait's own time",
    () =>
      Effect.gen(function* () {
        const { client } = node()
        const silent: MakeCalls = (table) =>
          "call" in table ? { ...client(table), call: () => Effect.never } : client(table)
        const { exit, second } = yield* within(
          9,
          composed(silent).waitForTransaction(hash, { timeout: 1_000 })
        )
        expect(second).toBe(5)
        expect(exit).toMatchObject({
          cause: { error: { _tag: "TransactionFailed", reason: "it was reverted" } }
        })
      })
  )

  it.effect("is its receipt where the caller allows that, and nothing is executed", () =>
    Effect.gen(function* () {
      const { asked, client } = node()
      const wait = composed(client).waitForTransaction
      expect(yield* wait(hash, { allowFailure: true })).toEqual(receipt)
      expect(asked).not.toContain("eth_call")
    })
  )

  it.effect("fails only when it is as deep as is wanted", () =>
    Effect.gen(function* () {
      let head = 11
      const { client } = node({
        eth_blockNumber: () => `0x${head.toString(16)}`,
        eth_call: () => new Refusal(3, "execution reverted", tooLate)
      })
      const { exit, second } = yield* within(
        9,
        composed(client).waitForTransaction(hash, { confirmations: 3 }),
        (at) => {
          head = 11 + at
        }
      )
      expect(second).toBe(2)
      expect(exit).toMatchObject({ cause: { error: { _tag: "TransactionFailed" } } })
    })
  )

  it.effect("before Byzantium is not known as such: receipts of then have no status", () =>
    Effect.gen(function* () {
      const { status: _, ...rest } = receipt
      for (const old of [
        { ...rest, root: "0x1" },
        { ...rest, status: null },
        { ...rest, status: "0x1" }
      ]) {
        const { client } = node({ eth_getTransactionReceipt: () => old })
        expect(yield* composed(client).waitForTransaction(hash)).toEqual(old)
      }
    })
  )
})

describe("a transaction that has failed on other chains", () => {
  const err = { InstructionError: [2, { Custom: 6001 }] }
  const digest = "76gyHCk7FRrGACRqXM7Ybj5uJLtAzgEMJ5P9CeEzxZSG"
  const signature = "1".repeat(64)
  const status = { slot: 5n, confirmations: 3n, err, status: { Err: err }, confirmationStatus: "confirmed" }
  const moved = {
    digest,
    checkpoint: "100",
    effects: {
      status: { status: "failure", error: "MoveAbort(MoveLocation { module: 0x2::coin }, 7) in command 0" }
    }
  }
  const aborted = {
    type: "user_transaction",
    hash,
    version: "7",
    success: false,
    vm_status: "Move abort in 0x1::coin: EINSUFFICIENT_BALANCE(0x10006): Not enough coins"
  }
  /** A row of each family that waits: the wait, what it gives where failures are allowed, and the reason. */
  const rows: ReadonlyArray<
    readonly [
      family: FamilyId,
      wait: (options: WaitOptions) => Effect.Effect<unknown, { readonly _tag: string }>,
      receipt: unknown,
      reason: string
    ]
  > = [
    [
      "solana",
      (options) =>
        Solana.composed(
          chain({
            getSignatureStatuses: () => ({
              context: { slot: 9 },
              value: [{ ...status, slot: 5, confirmations: 3 }]
            })
          }).client
        ).waitForTransaction(signature, options),
      status,
      '{"InstructionError":[2,{"Custom":6001}]}'
    ],
    [
      "sui",
      (options) =>
        Sui.composed(chain({ sui_getTransactionBlock: () => moved }).client).waitForTransaction(
          digest,
          options
        ),
      moved,
      moved.effects.status.error
    ],
    [
      "aptos",
      (options) =>
        aptosNode({ [`/v1/transactions/by_hash/${hash}`]: () => ({ answer: aborted }) }).waitForTransaction(
          hash,
          options
        ),
      aborted,
      aborted.vm_status
    ]
  ]

  it.effect.each(rows)(
    "of %s is one typed error, with what tells it and the chain's reason",
    ([, wait, receipt, reason]) =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(wait({}))
        expect(failure).toMatchObject({ _tag: "TransactionFailed", reason, receipt })
        expect(isSdkError(failure)).toBe(true)
        expect(yield* wait({ allowFailure: true })).toEqual(receipt)
      })
  )

  it("has a row for each family with waitForTransaction, but for those of Bitcoin, whose blocks have none", async () => {
    const without: ReadonlyArray<string> = ["utxo", "utxo-estimatefee", "doge"]
    const evm: ReadonlyArray<string> = ["evm", "evm-beacon", "evm-native", "zksync"]
    const waiting = await Promise.all(
      Object.entries(registry).map(async ([family, { load, name }]) => {
        const module: object = await load()
        const declared: { readonly composed?: (methods: MakeCalls) => object } = Reflect.get(module, name)
        const methods = declared.composed?.(chain({}).client) ?? {}
        return "waitForTransaction" in methods ? [family] : []
      })
    )
    expect(waiting.flat().sort()).toEqual([...without, ...evm, ...rows.map(([family]) => family)].sort())
  })
})
