/** Payments in blocks of Solana: how each transaction changes the balances of accounts. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Network } from "effect-chains"
import type { ReadError } from "effect-chains/effect/signers/Evm"
import { addressProblem } from "effect-chains/effect/signers/Solana"
import type { AddressSet, KeyFormat } from "./AddressSet.js"
import type { BlockHeader, Chain, FetchedBlock } from "./Reader.js"
import { Payment } from "./WatchEvent.js"
import type { Family } from "./Watcher.js"

interface TokenBalance {
  readonly accountIndex: number
  readonly mint: string
  readonly owner?: string
  readonly uiTokenAmount: { readonly amount: string }
}

interface RpcTransaction {
  readonly transaction: unknown
  readonly meta: {
    readonly err: unknown
    readonly fee: bigint
    readonly preBalances: ReadonlyArray<bigint>
    readonly postBalances: ReadonlyArray<bigint>
    readonly preTokenBalances?: ReadonlyArray<TokenBalance> | null
    readonly postTokenBalances?: ReadonlyArray<TokenBalance> | null
  } | null
}

interface SolanaBlock {
  readonly blockhash: string
  readonly previousBlockhash: string
  readonly parentSlot: bigint
  readonly blockTime: bigint | null
  readonly transactions?: ReadonlyArray<RpcTransaction>
}

type Commitment = "confirmed" | "finalized"

/**
 * The part of a client that watchers use. Every client of Solana has it.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaBlockClient {
  readonly network: Network.Network
  readonly rpc: {
    readonly getSlot: (config: { readonly commitment: Commitment }) => Effect.Effect<bigint, ReadError>
    readonly getBlock: (
      slot: number,
      config: {
        readonly commitment: Commitment
        readonly transactionDetails: "accounts" | "none"
        readonly maxSupportedTransactionVersion: 0
        readonly rewards: false
      }
    ) => Effect.Effect<SolanaBlock | null, ReadError>
    readonly getBlocksWithLimit: (
      slot: number,
      limit: number,
      config: { readonly commitment: Commitment }
    ) => Effect.Effect<ReadonlyArray<bigint>, ReadError>
  }
}

type Asset = Payment["asset"]

/** By how much a transaction changes the balance of an address. */
interface BalanceChange {
  readonly address: string
  readonly asset: Asset
  readonly amount: bigint
}

const native: Asset = { kind: "native" }

const readList = (value: unknown, name: string): ReadonlyArray<unknown> => {
  const list: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
  return Array.isArray(list) ? list : []
}

/** The accounts of a transaction, including those of its address tables, in the order of the balances. */
const listAccounts = ({ transaction }: RpcTransaction): ReadonlyArray<string> =>
  readList(transaction, "accountKeys").map((each) =>
    typeof each === "object" && each !== null && "pubkey" in each ? String(each.pubkey) : String(each)
  )

/** The changes in coins. The fee, which the first account pays, is no payment. */
const findCoinChanges = (
  { fee, postBalances, preBalances }: NonNullable<RpcTransaction["meta"]>,
  accounts: ReadonlyArray<string>
): ReadonlyArray<BalanceChange> =>
  accounts.flatMap((address, i) => {
    const amount = (postBalances[i] ?? 0n) - (preBalances[i] ?? 0n) + (i === 0 ? fee : 0n)
    return amount === 0n ? [] : [{ address, asset: native, amount }]
  })

/** The changes in tokens, summed up by the address that `holder` gives: the owner of an account, or the account. */
const findTokenChanges = (
  { postTokenBalances, preTokenBalances }: NonNullable<RpcTransaction["meta"]>,
  accounts: ReadonlyArray<string>,
  holder: (held: TokenBalance, account: string) => string | undefined
): ReadonlyArray<BalanceChange> => {
  const changes = new Map<string, BalanceChange>()
  const count = (all: ReadonlyArray<TokenBalance>, sign: bigint) => {
    for (const held of all) {
      const address = holder(held, accounts[held.accountIndex] ?? "")
      if (address === undefined) continue
      const key = `${address} ${held.mint}`
      const before = changes.get(key)?.amount ?? 0n
      const amount = before + sign * BigInt(held.uiTokenAmount.amount)
      changes.set(key, { address, asset: { kind: "spl", token: held.mint }, amount })
    }
  }
  count(preTokenBalances ?? [], -1n)
  count(postTokenBalances ?? [], 1n)
  return [...changes.values()].filter(({ amount }) => amount !== 0n)
}

/** Groups changes by their asset. */
const groupByAsset = (changes: ReadonlyArray<BalanceChange>): ReadonlyArray<ReadonlyArray<BalanceChange>> =>
  Object.values(Arr.groupBy(changes, ({ asset }) => ("token" in asset ? asset.token : "")))

/** The other side of a change: the only other change of the asset, if it is the opposite of this one. */
const findCounterparty = (change: BalanceChange, own: ReadonlyArray<BalanceChange>): string | null => {
  const others = own.filter(({ address }) => address !== change.address)
  const [other] = others
  return others.length === 1 && other !== undefined && other.amount === -change.amount ? other.address : null
}

/** The changes of watched addresses in the order of the accounts, coins before tokens. */
const findChanges = (
  transfer: RpcTransaction,
  set: AddressSet
): ReadonlyArray<BalanceChange & { readonly other: string | null }> => {
  const { meta } = transfer
  if (meta === null || (meta.err !== null && meta.err !== undefined)) return []
  const accounts = listAccounts(transfer)
  const held = [...(meta.preTokenBalances ?? []), ...(meta.postTokenBalances ?? [])]
  const isWatched =
    accounts.some((each) => set.has(each)) || held.some(({ owner }) => owner !== undefined && set.has(owner))
  if (!isWatched) return []
  const groups = [
    findCoinChanges(meta, accounts),
    ...groupByAsset(findTokenChanges(meta, accounts, ({ owner }) => owner)),
    ...groupByAsset(findTokenChanges(meta, accounts, (_, account) => account))
  ]
  return groups.flatMap((own) =>
    own
      .filter(({ address }) => set.has(address))
      .map((change) => ({ ...change, other: findCounterparty(change, own) }))
  )
}

/** The payments of a block. */
const findPayments = (
  network: Network.Network,
  block: SolanaBlock,
  { hash, height }: BlockHeader,
  set: AddressSet
): ReadonlyArray<Payment> => {
  const at = { network, height, block: hash, time: Number(block.blockTime ?? 0n) }
  return (block.transactions ?? []).flatMap((transfer) => {
    const [signature] = readList(transfer.transaction, "signatures")
    return findChanges(transfer, set).map(
      ({ address, amount, asset, other }) =>
        new Payment(
          {
            ...at,
            transaction: typeof signature === "string" ? signature : null,
            log: null,
            address,
            direction: amount > 0n ? "in" : "out",
            other,
            asset,
            amount: amount > 0n ? amount : -amount
          },
          // invalid fields are found when the step is stored
          { disableValidation: true }
        )
    )
  })
}

/** The codes of nodes that have no block of a slot: not yet, not any more, or since it was skipped. */
const MISSING_BLOCK_CODES: ReadonlySet<number> = new Set([-32_001, -32_004, -32_007, -32_009, -32_014])

const nullIfMissing = <A>(effect: Effect.Effect<A, ReadError>): Effect.Effect<A | null, ReadError> =>
  Effect.catchTag(effect, "RpcError", (error) =>
    MISSING_BLOCK_CODES.has(error.code) ? Effect.succeed(null) : Effect.fail(error)
  )

/** The name of the newest block. */
export type BlockTag = "latest" | "finalized"

/** Gets the block of a slot, or null if nodes have none. */
type FetchBlock = (slot: number, details: "accounts" | "none") => Effect.Effect<SolanaBlock | null, ReadError>

const makeFetchBlock =
  ({ rpc }: SolanaBlockClient, commitment: Commitment): FetchBlock =>
  (slot, transactionDetails) =>
    nullIfMissing(
      rpc.getBlock(slot, {
        commitment,
        transactionDetails,
        maxSupportedTransactionVersion: 0,
        rewards: false
      })
    )

/**
 * Makes a function that finds the header of a skipped slot, which is that of the block before it. Nodes give the same error for blocks that
 * they have lost: a slot is skipped only if the parent of the next block is below it.
 */
const makeFindSkipped =
  ({ rpc }: SolanaBlockClient, commitment: Commitment, fetchBlock: FetchBlock) =>
  (slot: number): Effect.Effect<BlockHeader | undefined, ReadError> =>
    Effect.gen(function* () {
      const [next] = (yield* nullIfMissing(rpc.getBlocksWithLimit(slot, 1, { commitment }))) ?? []
      if (next === undefined || next <= BigInt(slot)) return undefined
      const block = yield* fetchBlock(Number(next), "none")
      if (block === null || block.parentSlot >= BigInt(slot)) return undefined
      return { height: slot, hash: block.previousBlockhash, parent: block.previousBlockhash }
    })

const toHeader = (height: number, { blockhash, previousBlockhash }: SolanaBlock): BlockHeader => ({
  height,
  hash: blockhash,
  parent: previousBlockhash
})

/** Makes the chain of a client. Its heights are slots. */
const makeChain = (client: SolanaBlockClient, tag: BlockTag): Chain<ReadError> => {
  const { network, rpc } = client
  const commitment: Commitment = tag === "finalized" ? tag : "confirmed"
  const fetchBlock = makeFetchBlock(client, commitment)
  const findSkipped = makeFindSkipped(client, commitment, fetchBlock)

  const toBlock = (slot: number, block: SolanaBlock): FetchedBlock<never> => {
    const header = toHeader(slot, block)
    return { ...header, payments: (set) => Effect.sync(() => findPayments(network, block, header, set)) }
  }
  const toEmptyBlock = (header: BlockHeader): FetchedBlock<never> => ({
    ...header,
    payments: () => Effect.succeed([])
  })

  return {
    head: Effect.map(rpc.getSlot({ commitment }), Number),
    header: (slot) =>
      Effect.flatMap(fetchBlock(slot, "none"), (block) =>
        block === null ? findSkipped(slot) : Effect.succeed(toHeader(slot, block))
      ),
    block: (slot) =>
      Effect.flatMap(fetchBlock(slot, "accounts"), (block) =>
        block === null
          ? Effect.map(findSkipped(slot), (header) => header && toEmptyBlock(header))
          : Effect.succeed(toBlock(slot, block))
      )
  }
}

/** The bytes of 44 characters with six bits each. No character is zero, so that no two texts have one row. */
const WIDTH = 33
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
const alphabetCodes = new Uint8Array(128)
for (let i = 0; i < ALPHABET.length; i++) alphabetCodes[ALPHABET.charCodeAt(i)] = i + 1

/** A row has the characters of an address in Base58, which has one text for each address. Decoding them would take longer than reading the block. */
export const keyFormat: KeyFormat = {
  width: WIDTH,
  encode: (address, into) => {
    if (address.length < 32 || address.length > 44) return false
    into.fill(0)
    for (let i = 0; i < address.length; i++) {
      const code = alphabetCodes[address.charCodeAt(i)] ?? 0
      if (code === 0) return false
      const bit = i * 6
      const byte = bit >> 3
      const wide = code << (10 - (bit & 7))
      into[byte] = (into[byte] ?? 0) | (wide >> 8)
      if (byte + 1 < WIDTH) into[byte + 1] = (into[byte + 1] ?? 0) | (wide & 0xff)
    }
    return true
  }
}

/** Solana. */
export const family: Family<SolanaBlockClient, BlockTag> = {
  name: "solana",
  keyFormat,
  toKey: (address) => {
    const problem = addressProblem(address)
    return problem === undefined ? Either.right(address) : Either.left(problem)
  },
  blockTags: ["latest", "finalized"],
  concurrency: 4,
  chain: makeChain
}
