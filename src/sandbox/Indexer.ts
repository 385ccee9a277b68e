/**
 * The indexer: follows the blocks of a network through reorganisations, and stores their content.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { withRealClock } from "./Loopback.js"
import { SandboxError } from "./SandboxError.js"
import { rollback, Store, type StoreService, type Transaction } from "./Store.js"

/**
 * An amount or a token that changed hands, or would have. `amount` is in the smallest unit and never negative. `sender`
 * is undefined for a minting, `receiver` for a burning and for a `fee`. `failed` marks a transaction that failed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Movement {
  readonly kind: "native" | "internal" | "fungible" | "nft" | "multitoken" | "fee" | "failed"
  readonly hash: string
  readonly transactionIndex: number
  readonly sender: string | undefined
  readonly receiver: string | undefined
  readonly amount: bigint
  readonly token?: string
  readonly tokenId?: string
}

/**
 * A log of a contract.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContractEvent {
  readonly hash: string
  readonly transactionIndex: number
  readonly logIndex: number
  readonly address: string
  readonly topics: ReadonlyArray<string>
  readonly data: string
}

/**
 * A block by its height and hash.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlockId {
  readonly block: number
  readonly hash: string
}

/**
 * The content of a block. `time` is in milliseconds since 1970. The indexer stores blocks, movements and events;
 * `write` stores the rows that only chains of this kind have, under the network's id.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadBlock extends BlockId {
  readonly parent: string
  readonly time: number
  readonly hashes: ReadonlyArray<string>
  readonly movements: ReadonlyArray<Movement>
  readonly events: ReadonlyArray<ContractEvent>
  readonly write?: (transaction: Transaction, network: string) => void
}

/**
 * Movements of transactions that are not in a block yet.
 *
 * @since 0.1.0
 * @category models
 */
export interface PendingMovements {
  readonly network: string
  readonly movements: ReadonlyArray<Movement>
}

/**
 * The reader of a network's blocks. `pending` exists where subscribers are notified of transactions without a block. It
 * yields the movements of the transactions that have entered the node's pool since its last run.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlockReader {
  readonly readHead: Effect.Effect<BlockId, SandboxError>
  readonly readBlock: (height: number) => Effect.Effect<ReadBlock, SandboxError>
  readonly pending?: Effect.Effect<ReadonlyArray<Movement>, SandboxError>
}

/**
 * A block as it was stored.
 *
 * @since 0.1.0
 * @category models
 */
export interface IndexedBlock extends ReadBlock {
  readonly network: string
}

/**
 * The indexers of all networks. `indexed` publishes every block once it is stored, including one that replaces another
 * at the same height. `pending` publishes transactions without a block, always before the block that includes them.
 * `follow` follows a network until the scope ends. The effect that it yields completes when all blocks that the node
 * has at that moment are stored.
 *
 * @since 0.1.0
 * @category models
 */
export interface IndexerService {
  readonly indexed: PubSub.PubSub<IndexedBlock>
  readonly pending: PubSub.PubSub<PendingMovements>
  readonly follow: (
    network: string,
    reader: BlockReader
  ) => Effect.Effect<Effect.Effect<void, SandboxError>, never, Scope.Scope>
}

/**
 * The indexers of a sandbox.
 *
 * @since 0.1.0
 * @category services
 */
export class Indexer extends Context.Tag("effect-chains/sandbox/Indexer")<Indexer, IndexerService>() {}

const POLL_INTERVAL = "200 millis"

/** The number of blocks that are read concurrently. */
const READ_AHEAD = 16

/** The number of mismatches between a block and its parent before the node is considered faulty. */
const MAX_MISMATCHES = 100

const MAX_RETRIES = 3

const BlockIdRow = Schema.Struct({ block: Schema.Number, hash: Schema.String })

const findTip = (transaction: Transaction, network: string, height: number): BlockId | undefined =>
  transaction.all(
    BlockIdRow,
    "SELECT block, hash FROM blocks WHERE network = ? AND block <= ? ORDER BY block DESC LIMIT 1",
    network,
    height
  )[0]

const storeBlock = (transaction: Transaction, network: string, block: ReadBlock): void => {
  const { block: height, time } = block
  transaction.run(
    "INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?)",
    network,
    height,
    block.hash,
    block.parent,
    time,
    JSON.stringify(block.hashes)
  )
  block.movements.forEach(({ amount, hash, kind, receiver, sender, token, tokenId, transactionIndex }, i) => {
    transaction.run(
      "INSERT INTO movements VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      network,
      height,
      time,
      hash,
      transactionIndex,
      i,
      kind,
      sender ?? null,
      receiver ?? null,
      String(amount),
      token ?? null,
      tokenId ?? null
    )
  })
  for (const { address, data, hash, logIndex, topics, transactionIndex } of block.events) {
    const [first = null, second = null, third = null, fourth = null] = topics
    transaction.run(
      "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      network,
      height,
      time,
      hash,
      transactionIndex,
      logIndex,
      address,
      first,
      second,
      third,
      fourth,
      data
    )
  }
  block.write?.(transaction, network)
}

/** Reads again when the chain changed during the read. */
const retryOnReorg = (advance: Effect.Effect<void, SandboxError>): Effect.Effect<void, SandboxError> =>
  Effect.retry(advance, { times: MAX_RETRIES, while: ({ reason }) => reason === "chain" })

/**
 * Publishes the transactions that have entered the pool. If the pool cannot be read now, the next poll publishes them.
 */
const publishPending = (
  pool: PubSub.PubSub<PendingMovements>,
  network: string,
  { pending }: BlockReader
): Effect.Effect<void> =>
  pending === undefined
    ? Effect.void
    : Effect.uninterruptible(
        Effect.ignore(
          Effect.flatMap(pending, (movements) =>
            movements.length === 0 ? Effect.void : PubSub.publish(pool, { network, movements })
          )
        )
      )

interface FollowedNetwork {
  readonly network: string
  readonly reader: BlockReader
  readonly transact: StoreService["transact"]
  readonly indexed: PubSub.PubSub<IndexedBlock>
}

const readTip = (
  { network, transact }: FollowedNetwork,
  height = Number.MAX_SAFE_INTEGER
): Effect.Effect<BlockId | undefined, SandboxError> => transact((open) => findTip(open, network, height))

/**
 * The newest stored block that is still part of the chain; blocks above it are deleted. If a block is part of the
 * chain, so are all blocks below it. So the search goes down in steps that double, then halves the last step.
 */
const findCommonBlock = (
  followed: FollowedNetwork,
  below: number
): Effect.Effect<BlockId | undefined, SandboxError> =>
  Effect.gen(function* () {
    const { network, reader, transact } = followed
    const isOfChain = ({ block, hash }: BlockId): Effect.Effect<boolean, SandboxError> =>
      Effect.map(reader.readBlock(block), (read) => read.hash === hash)
    let lost = below + 1
    let kept: BlockId | undefined
    for (let step = 1; kept === undefined && lost > 0; step *= 2) {
      const known = yield* readTip(followed, Math.max(0, lost - step))
      if (known === undefined) break
      if (yield* isOfChain(known)) kept = known
      else lost = known.block
    }
    while (kept !== undefined && lost - kept.block > 1) {
      const known: BlockId | undefined = yield* readTip(followed, Math.floor((kept.block + lost) / 2))
      // no block is stored in between
      if (known === undefined || known.block <= kept.block) break
      if (yield* isOfChain(known)) kept = known
      else lost = known.block
    }
    const height = kept?.block ?? -1
    yield* transact((open) => rollback(open, network, height))
    return kept
  })

/**
 * Stores and publishes blocks that follow one another. An interrupted caller leaves them both stored and published, or
 * neither.
 */
const storeBlocks = (
  { indexed, network, transact }: FollowedNetwork,
  blocks: ReadonlyArray<ReadBlock>
): Effect.Effect<void, SandboxError> =>
  Effect.uninterruptible(
    Effect.zipRight(
      transact((open) => {
        for (const block of blocks) storeBlock(open, network, block)
      }),
      PubSub.publishAll(
        indexed,
        blocks.map((block) => ({ network, ...block }))
      )
    )
  )

/** The blocks before the first whose parent does not match. A mismatch means that the chain changed during the read. */
const takeConnected = (
  last: BlockId | undefined,
  blocks: ReadonlyArray<ReadBlock>
): ReadonlyArray<ReadBlock> => {
  const parents: ReadonlyArray<BlockId | undefined> = [last, ...blocks]
  const broken = blocks.findIndex(({ parent }, i) => {
    const before = parents[i]
    return before !== undefined && before.hash !== parent
  })
  return broken === -1 ? blocks : blocks.slice(0, broken)
}

/** Stores the blocks up to the node's head. Fails if the blocks never follow one another (`chain`). */
const indexToHead = (followed: FollowedNetwork): Effect.Effect<void, SandboxError> =>
  Effect.gen(function* () {
    const { network, reader } = followed
    const head = yield* reader.readHead
    const known = yield* readTip(followed)
    if (known?.block === head.block && known.hash === head.hash) return
    let last =
      known !== undefined && known.block < head.block ? known : yield* findCommonBlock(followed, head.block)
    let mismatches = 0
    while ((last?.block ?? -1) < head.block) {
      const from = (last?.block ?? -1) + 1
      const heights = Array.from({ length: Math.min(READ_AHEAD, head.block + 1 - from) }, (_, i) => from + i)
      const blocks = yield* Effect.forEach(heights, reader.readBlock, { concurrency: READ_AHEAD })
      const connected = takeConnected(last, blocks)
      if (connected.length > 0) yield* storeBlocks(followed, connected)
      last = connected.at(-1) ?? last
      if (connected.length === blocks.length) continue
      if (++mismatches > MAX_MISMATCHES)
        return yield* new SandboxError({
          reason: "chain",
          message: `The blocks of ${network} do not follow one another`
        })
      last = last === undefined ? undefined : yield* findCommonBlock(followed, last.block)
    }
  })

/**
 * Makes the indexers over the store.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<IndexerService, never, Store | Scope.Scope> = Effect.gen(function* () {
  const { transact } = yield* Store
  const indexed = yield* Effect.acquireRelease(PubSub.unbounded<IndexedBlock>(), PubSub.shutdown)
  const pending = yield* Effect.acquireRelease(PubSub.unbounded<PendingMovements>(), PubSub.shutdown)

  const follow = (network: string, reader: BlockReader) =>
    Effect.gen(function* () {
      // Two readers at once would store a block twice.
      const lock = yield* Effect.makeSemaphore(1)
      const indexNewBlocks = Effect.zipRight(
        publishPending(pending, network, reader),
        retryOnReorg(indexToHead({ network, reader, transact, indexed }))
      ).pipe(lock.withPermits(1), withRealClock)
      yield* Effect.ignore(indexNewBlocks).pipe(
        Effect.repeat(Schedule.spaced(POLL_INTERVAL)),
        withRealClock,
        Effect.forkScoped
      )
      return indexNewBlocks
    })
  return { indexed, pending, follow }
})

/**
 * The indexers as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Indexer, never, Store> = Layer.scoped(Indexer, make)
