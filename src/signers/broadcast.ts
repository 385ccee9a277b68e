/**
 * Broadcasts signed transactions so that each is paid at most once, whatever nodes answer and whichever requests fail. Once the bytes may
 * have left the process, the error of a node is not trusted: the chain is asked instead.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { leftOf, rightOf } from "../data/eitherValues.js"
import {
  BroadcastUnclear,
  type NodeError,
  type TransactionDropped,
  type TransactionExpired
} from "../data/SdkError.js"
import { CallOptions } from "../wire/Transport.js"
import type { NodesOf, ReadError, Signed } from "./Signer.js"
import { catchMalformedAnswer } from "./signerChecks.js"

/** The outcome of a broadcast: nodes have accepted the transaction, or a block has another one in its place. */
export type BroadcastOutcome = "accepted" | "replaced"

/**
 * What a node knows of a transaction: it has it, it does not, or a block has another transaction of the account with the same number.
 * {@link LostTransaction} is the failure if no block can have it any more.
 */
export type TransactionStatus = "known" | "absent" | "replaced"

/** No block can have the transaction any more. */
export type LostTransaction = TransactionDropped | TransactionExpired

const isLost = <E extends { readonly _tag: string }>(
  error: E
): error is Extract<E, { readonly _tag: LostTransaction["_tag"] }> =>
  error._tag === "TransactionDropped" || error._tag === "TransactionExpired"

/** How a family broadcasts a transaction, and looks it up at a node. */
export interface Broadcaster {
  readonly broadcast: (signed: Signed) => Effect.Effect<unknown, ReadError>
  readonly lookUp: (hash: string) => Effect.Effect<TransactionStatus, ReadError | LostTransaction>
  /** The milliseconds after which all nodes show what one of them has accepted. */
  readonly propagationMs: number
  /** For how many milliseconds the same bytes are sent again if it is unknown whether a node has them (default: `propagationMs`). */
  readonly resendMs?: number
  /** The nodes of the client, if they can be asked one by one. */
  readonly nodes: NodesOf["nodes"]
  /** Whether `broadcast` sends to a single node that shows nobody what it has: its silence about a transaction proves nothing. */
  readonly isPrivate?: boolean
}

export type BroadcastError = ReadError | BroadcastUnclear | LostTransaction

/** The first and the longest pause before the same bytes are sent again, in milliseconds. */
const MIN_PAUSE_MS = 250
const MAX_PAUSE_MS = 2_000

/** Pauses, each twice as long as the one before, that are `within` together at least. */
const planPauses = (within: number): ReadonlyArray<number> => {
  const pauses: Array<number> = []
  for (let sum = 0, pause = MIN_PAUSE_MS; sum < within; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    pauses.push(pause)
    sum += pause
  }
  return pauses
}

/** The time limit of a node that is asked alone, in milliseconds. */
const NODE_TIMEOUT_MS = 5_000

type NodeStates = ReadonlyArray<{ readonly failed: boolean }>

/** Reads the current nodes of a client; none if the caller has chosen the node. */
const readNodes = (nodes: NodesOf["nodes"]): Effect.Effect<NodeStates> =>
  Effect.flatMap(CallOptions, ({ node }) =>
    nodes === undefined || node !== undefined
      ? Effect.succeed([])
      : typeof nodes === "function"
        ? Effect.sync(nodes)
        : nodes.snapshot
  )

/** What a node has answered, or failed with. An answer that cannot be read is a failure, too: the bytes may have left by now. */
const toEither = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<Either.Either<A, E | NodeError>> =>
  Effect.match(catchMalformedAnswer(call, "broadcast"), {
    onFailure: (error): Either.Either<A, E | NodeError> => Either.left(error),
    onSuccess: (value) => Either.right(value)
  })

/**
 * Asks each node, all at once; `wanted` says whether failed nodes are asked too. A client with one node, or whose caller has chosen the
 * node, makes one normal call.
 */
const askEachNode = <A, E>(
  nodes: NodeStates,
  wanted: "all" | "healthy",
  call: Effect.Effect<A, E>
): Effect.Effect<ReadonlyArray<Either.Either<A, E | NodeError>>> =>
  Effect.flatMap(CallOptions, ({ quorum: _, ...options }) => {
    const indexes = nodes.flatMap(({ failed }, node) => (failed && wanted === "healthy" ? [] : [node]))
    if (nodes.length < 2 || indexes.length === 0) return Effect.map(toEither(call), (answer) => [answer])
    const timeout = Math.min(options.timeout ?? NODE_TIMEOUT_MS, NODE_TIMEOUT_MS)
    return Effect.forEach(
      indexes,
      (node) => toEither(Effect.provideService(call, CallOptions, { ...options, node, timeout })),
      { concurrency: "unbounded" }
    )
  })

/** Whether the bytes may have reached a node. They have not if no request was sent, or no request reached its node. */
const mayHaveReachedNode = ({ _tag, attempts }: ReadError): boolean =>
  attempts.length > 0
    ? attempts.some(({ outcome }) => outcome !== "unreached")
    : _tag === "NodeError" || _tag === "CallTimeout" || _tag === "RpcError" || _tag === "RequestRejected"

/** Whether each node that got the bytes has answered by the protocol that it does not take them. */
const isRefusal = ({ _tag, attempts }: ReadError): boolean =>
  (_tag === "RpcError" || _tag === "RequestRejected") &&
  !attempts.some(({ outcome }) => outcome === "noAnswer" || outcome === "down")

type LookUpResult = Either.Either<TransactionStatus, ReadError | LostTransaction>

/**
 * Combines what all nodes show. One node that has the transaction suffices; that it cannot come any more takes two nodes, if there are
 * two.
 */
const combineStatuses = (
  shown: ReadonlyArray<LookUpResult>
): Effect.Effect<TransactionStatus | "unknown", LostTransaction> => {
  const enough = Math.min(2, shown.length)
  const votes = (what: TransactionStatus): number =>
    shown.filter((each) => Either.isRight(each) && rightOf(each) === what).length
  if (votes("known") > 0) return Effect.succeed("known")
  if (votes("replaced") >= enough) return Effect.succeed("replaced")
  const dropped = shown.flatMap((each) => {
    const error = Either.isLeft(each) ? leftOf(each) : undefined
    return error !== undefined && isLost(error) ? [error] : []
  })
  const [first] = dropped
  if (first !== undefined && dropped.length >= enough) return Effect.fail(first)
  return Effect.succeed(votes("absent") + votes("replaced") + dropped.length > 0 ? "absent" : "unknown")
}

/** Whether each node that may have got the bytes has answered: of all but those that had failed before. */
const areAllNodesAnswering = (nodes: NodeStates, shown: ReadonlyArray<LookUpResult>): boolean =>
  shown.every((each, node) => Either.isRight(each) || isLost(leftOf(each)) || nodes[node]?.failed === true)

/** What the nodes of a client show of a transaction. */
export const lookUpOnAllNodes = (
  { lookUp, nodes }: Pick<Broadcaster, "lookUp" | "nodes">,
  hash: string
): Effect.Effect<TransactionStatus | "unknown", LostTransaction> =>
  Effect.flatMap(readNodes(nodes), (all) =>
    Effect.flatMap(askEachNode(all, "all", lookUp(hash)), combineStatuses)
  )

/** Whether a node has a transaction, as far as nodes can be asked. */
export const isKnownToNodes = (
  broadcaster: Pick<Broadcaster, "lookUp" | "nodes">,
  hash: string
): Effect.Effect<boolean> =>
  Effect.map(
    Effect.orElseSucceed(lookUpOnAllNodes(broadcaster, hash), () => "absent"),
    (shown) => shown === "known"
  )

/**
 * Broadcasts a transaction. If no node has accepted it, the same bytes go to each node again, until a node that had accepted it would
 * show it. It fails with a refusal only after that time, and only if each node that got the bytes has refused them. `wasBroadcast`: the
 * bytes have been broadcast before, so a refusal now proves nothing.
 */
export const broadcastTransaction = (
  broadcaster: Broadcaster,
  signed: Signed,
  wasBroadcast = false
): Effect.Effect<BroadcastOutcome, BroadcastError> =>
  Effect.gen(function* () {
    const { hash, raw } = signed
    const { broadcast, isPrivate = false, lookUp, propagationMs, resendMs = propagationMs } = broadcaster
    // once: one that fails later may have got the bytes, and its answer is waited for
    const nodes = yield* readNodes(broadcaster.nodes)
    let passed = 0
    let mayHaveReached = wasBroadcast
    let doubt: ReadError | undefined
    let last: ReadError | undefined
    let shown: TransactionStatus | "unknown" = "absent"
    for (const pause of [0, ...planPauses(resendMs)]) {
      if (pause > 0 && passed >= propagationMs && doubt === undefined && !wasBroadcast) break
      if (pause > 0) yield* Effect.sleep(pause)
      passed += pause
      // the first time by the pool's choice
      const answers =
        pause === 0 || isPrivate
          ? [yield* toEither(broadcast(signed))]
          : yield* askEachNode(nodes, "healthy", broadcast(signed))
      if (answers.some(Either.isRight)) return "accepted"
      for (const error of answers.flatMap((answer) => (Either.isLeft(answer) ? [leftOf(answer)] : []))) {
        last = error
        if (!mayHaveReachedNode(error)) continue
        mayHaveReached = true
        if (!isRefusal(error)) doubt = error
      }
      if (!mayHaveReached && last?._tag !== "NodeError") break
      if (!mayHaveReached) continue
      const looks: ReadonlyArray<LookUpResult> = yield* askEachNode(nodes, "all", lookUp(hash))
      shown = yield* combineStatuses(looks)
      if (shown === "known") return "accepted"
      if (shown === "replaced") return "replaced"
      if (!areAllNodesAnswering(nodes, looks)) shown = "unknown"
    }
    const error = doubt ?? last
    const isCertainlyUnpaid = !mayHaveReached || (!wasBroadcast && doubt === undefined && shown === "absent")
    return yield* error !== undefined && isCertainlyUnpaid
      ? error
      : new BroadcastUnclear({ hash, raw, reason: error?.message ?? "no node has answered" })
  })
