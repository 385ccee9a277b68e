/**
 * The indexer: follows the blocks of a network, through reorganisations, and keeps their content in the store.
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
 * A movement: an amount or a token that changed hands, or was meant to. `amount` is in the smallest unit and never negative;
 * `sender` is undefined where it was minted, `receiver` where it was burnt. A `fee` has no receiver, and `failed` is a
 * transaction that failed.
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
 * The head of a chain, or a block of it: `time` is in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlockId {
  readonly block: number
  readonly hash: string
}

/**
 * The content of a block. `write` stores the rows that chains of its kind alone have, under the id of the network; blocks,
 * movements and events are stored for it.
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
 * Movements of transactions that wait for a block.
 *
 * @since 0.1.0
 * @category models
 */
export interface PendingMovements {
  readonly network: string
  readonly movements: ReadonlyArray<Movement>
}

/**
 * The reader of a network's blocks. `waiting` is there where subscribers hear of transactions that wait for a block: it yields the
 * movements of those that have come into the node's pool since it was asked last.
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
 * A block of a network, as it was stored.
 *
 * @since 0.1.0
 * @category models
 */
export interface IndexedBlock extends ReadBlock {
  readonly network: string
}

/**
 * The indexers of all networks. `indexed` gets every block once it is stored, also one that takes the place of another at the same
 * height. `waiting` gets what waits for a block, always before the block that ends the wait. `follow` begins to follow a network,
 * until the scope ends; its effect is done when all blocks that the node has at that moment are in the store.
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

/** The pause between questions to a node for new blocks. */
const POLL_INTERVAL = "200 millis"

/** Blocks that are read at a time. */
const READ_AHEAD = 16

/** The number of times that blocks may not follow one another before it counts as the node's fault. */
const MAX_MISMATCHES = 100

/** Attempts after the first one, for a caller that waits. */
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

/** A chain that changed while it was read is read again. */
const retryOnReorg = (advance: Effect.Effect<void, SandboxError>): Effect.Effect<void, SandboxError> =>
  Effect.retry(advance, { times: MAX_RETRIES, while: ({ reason }) => reason === "chain" })

/** Publishes what has come into the pool. One that cannot be read now is read the next time: it has what it had. */
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

/** A network whose blocks are indexed. */
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
 * The newest block that is stored and still part of the chain; blocks above it are forgotten. Below a block of the chain
 * all blocks are of the chain: the search goes down in steps that double, then halves the last step.
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
      // nothing is stored between
      if (known === undefined || known.block <= kept.block) break
      if (yield* isOfChain(known)) kept = known
      else lost = known.block
    }
    const height = kept?.block ?? -1
    yield* transact((open) => rollback(open, network, height))
    return kept
  })

/** Stores blocks that follow one another, and tells of them: both or neither, also where a caller gives up waiting. */
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

/** The blocks up to the first whose parent is not the block before it: the chain has changed while they were read. */
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
          message: `The blocks of ${network} do not follow one another, whenever they are read`
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
