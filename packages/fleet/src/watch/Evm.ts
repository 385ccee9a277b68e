/** Payments in blocks of EVM networks, found without traces: native transfers, withdrawals, and logs of tokens. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Network } from "effect-chains"
import { normalizeAddress } from "effect-chains/address"
import type { ReadError } from "effect-chains/effect/signers/Evm"
import type { AddressSet, KeyFormat } from "./AddressSet.js"
import type { BlockHeader, Chain } from "./Reader.js"
import { Payment } from "./WatchEvent.js"
import type { Family } from "./Watcher.js"

interface RpcTransaction {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly value: string
}

interface EvmBlock {
  readonly number: string | null
  readonly hash: string | null
  readonly parentHash: string
  readonly timestamp: string
  readonly transactions: ReadonlyArray<RpcTransaction | string>
  readonly withdrawals?: ReadonlyArray<{ readonly address: string; readonly amount: string }>
}

interface EvmLog {
  readonly address: string
  readonly topics: ReadonlyArray<string>
  readonly data: string
  readonly blockHash: string | null
  readonly transactionHash: string | null
  readonly logIndex: string | null
}

interface EvmReceipt {
  readonly transactionHash: string
  readonly blockHash: string
  readonly contractAddress: string | null
  readonly status?: string
}

/**
 * The part of a client that watchers use. Every client of an EVM network has it.
 *
 * @since 0.1.0
 * @category models
 */
export interface EvmBlockClient {
  readonly network: Network.Network
  readonly rpc: {
    readonly getBlockByNumber: (
      block: number | "latest" | "safe" | "finalized",
      includeTransactions: boolean
    ) => Effect.Effect<EvmBlock | null, ReadError>
    readonly getLogs: (filter: {
      readonly blockHash: string
      readonly topics: ReadonlyArray<ReadonlyArray<string>>
    }) => Effect.Effect<ReadonlyArray<EvmLog>, ReadError>
    readonly getBlockReceipts: (block: number) => Effect.Effect<ReadonlyArray<EvmReceipt> | null, ReadError>
    readonly getTransactionReceipt: (hash: string) => Effect.Effect<EvmReceipt | null, ReadError>
  }
}

/** Transfer(address,address,uint256) of ERC-20 and ERC-721. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
/** TransferSingle(address,address,address,uint256,uint256) of ERC-1155. */
const TRANSFER_SINGLE = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62"
/** TransferBatch(address,address,address,uint256[],uint256[]) of ERC-1155. */
const TRANSFER_BATCH = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb"

const WORD_DIGITS = 64

/** Up to this many receipts are requested one by one. The receipts of a block are larger, since they have all its logs. */
const MAX_SINGLE_RECEIPTS = 3

/** Withdrawals of validators are in gwei. */
const GWEI = 1_000_000_000n

type Asset = Payment["asset"]

/** A transfer of any address, watched or not. */
interface Transfer {
  readonly transaction: string | null
  readonly log: number | null
  readonly from: string | null
  readonly to: string
  readonly asset: Asset
  readonly amount: bigint
}

const native: Asset = { kind: "native" }

/** The address in a topic. */
const parseTopicAddress = (topic: string | undefined): string | undefined =>
  topic?.length === 2 + WORD_DIGITS ? `0x${topic.slice(26).toLowerCase()}` : undefined

const parseWord = (data: string, i: number): bigint | undefined => {
  const text = data.slice(2 + i * WORD_DIGITS, 2 + (i + 1) * WORD_DIGITS)
  return text.length === WORD_DIGITS && /^[0-9a-f]+$/i.test(text) ? BigInt(`0x${text}`) : undefined
}

/** A list of numbers in the data of a log, by the position of its offset. Undefined if the data is no valid list. */
const parseList = (data: string, position: number): ReadonlyArray<bigint> | undefined => {
  const offset = parseWord(data, position)
  if (offset === undefined || offset % 32n !== 0n || offset > BigInt(data.length)) return undefined
  const start = Number(offset / 32n)
  const length = parseWord(data, start)
  if (length === undefined || length > BigInt(Math.floor(data.length / WORD_DIGITS))) return undefined
  const values = Array.from({ length: Number(length) }, (_, i) => parseWord(data, start + 1 + i))
  return values.every((value) => value !== undefined) ? values : undefined
}

/** The assets and amounts of a log. Contracts may log anything: invalid data has none. */
const parseAssets = (log: EvmLog): ReadonlyArray<readonly [asset: Asset, amount: bigint]> => {
  const [kind, , , id] = log.topics
  const token = log.address.toLowerCase()
  if (kind === TRANSFER) {
    if (id !== undefined) return [[{ kind: "erc721", token, id: BigInt(id) }, 1n]]
    const amount = parseWord(log.data, 0)
    return amount === undefined ? [] : [[{ kind: "erc20", token }, amount]]
  }
  const [ids, amounts] =
    kind === TRANSFER_SINGLE
      ? [[parseWord(log.data, 0) ?? -1n], [parseWord(log.data, 1) ?? 0n]]
      : [parseList(log.data, 0) ?? [], parseList(log.data, 1) ?? []]
  if (ids.length !== amounts.length) return []
  return ids.flatMap((id, i) => (id < 0n ? [] : [[{ kind: "erc1155", token, id }, amounts[i] ?? 0n]]))
}

/** The sender and receiver of a log. In logs of ERC-1155 they come after the operator. */
const parseSides = ({ topics }: EvmLog): readonly [from: string, to: string] | undefined => {
  const first = topics[0] === TRANSFER ? 1 : 2
  const [from, to] = [parseTopicAddress(topics[first]), parseTopicAddress(topics[first + 1])]
  return from === undefined || to === undefined ? undefined : [from, to]
}

/** The token transfers from or to a watched address. Those of nothing are left out. */
export const findTokenTransfers = (logs: ReadonlyArray<EvmLog>, set: AddressSet): ReadonlyArray<Transfer> =>
  logs.flatMap((log) => {
    const sides = parseSides(log)
    if (sides === undefined || !(set.has(sides[0]) || set.has(sides[1]))) return []
    const [from, to] = sides
    const at = { transaction: log.transactionHash, log: Number(log.logIndex), from, to }
    return parseAssets(log).flatMap(([asset, amount]) => (amount === 0n ? [] : [{ ...at, asset, amount }]))
  })

/** Transactions that may move coins from or to watched addresses. The receiver of one that creates a contract is in its receipt. */
export const findCandidates = (
  { transactions }: Pick<EvmBlock, "transactions">,
  set: AddressSet
): ReadonlyArray<RpcTransaction> =>
  transactions.filter(
    (each): each is RpcTransaction =>
      typeof each !== "string" &&
      BigInt(each.value) > 0n &&
      (each.to === null || set.has(each.to) || set.has(each.from))
  )

const findWithdrawals = ({ withdrawals: all = [] }: EvmBlock, set: AddressSet): ReadonlyArray<Transfer> =>
  all.flatMap(({ address, amount }) =>
    set.has(address)
      ? [
          {
            transaction: null,
            log: null,
            from: null,
            to: address,
            asset: native,
            amount: BigInt(amount) * GWEI
          }
        ]
      : []
  )

/** The most addresses whose spelling is remembered: tokens and watched addresses come again and again, and a checksum is a hash. */
const MAX_SPELLINGS = 10_000

/** By the address in lower case: all EVM networks have one spelling. */
const spellings = new Map<string, string>()

/** An address with the checksum of EIP-55, as all that the SDK makes itself. */
const spell = (address: string, network: Network.Network): string => {
  const key = address.toLowerCase()
  const known = spellings.get(key)
  if (known !== undefined) return known
  const normal = normalizeAddress(key, network) ?? key
  if (spellings.size >= MAX_SPELLINGS) spellings.clear()
  spellings.set(key, normal)
  return normal
}

const toPayments = (
  move: Transfer,
  set: AddressSet,
  at: Pick<Payment, "height" | "block" | "time"> & { readonly network: Network.Network }
): ReadonlyArray<Payment> => {
  const { amount, log, transaction } = move
  const from = move.from === null ? null : spell(move.from, at.network)
  const to = spell(move.to, at.network)
  const asset =
    move.asset.kind === "native" ? move.asset : { ...move.asset, token: spell(move.asset.token, at.network) }
  const common = { ...at, transaction, log, asset, amount }
  // invalid fields are found when the step is stored; validating each payment would take longer than the block
  const makePayment = (fields: Pick<Payment, "address" | "direction" | "other">) =>
    new Payment({ ...common, ...fields }, { disableValidation: true })
  return [
    ...(from !== null && set.has(from) ? [makePayment({ address: from, direction: "out", other: to })] : []),
    ...(set.has(to) ? [makePayment({ address: to, direction: "in", other: from })] : [])
  ]
}

/** Sorts transfers by transaction, coins before tokens. */
const sortTransfers = (
  block: EvmBlock,
  natives: ReadonlyArray<Transfer>,
  tokens: ReadonlyArray<Transfer>
): ReadonlyArray<Transfer> => {
  const indexes = new Map(
    block.transactions.map((each, i) => [typeof each === "string" ? each : each.hash, i] as const)
  )
  const indexOf = ({ transaction }: Transfer) => indexes.get(transaction ?? "") ?? block.transactions.length
  return [...natives, ...tokens].sort(
    (one, other) => indexOf(one) - indexOf(other) || (one.log ?? -1) - (other.log ?? -1)
  )
}

/** The receipts of these transactions in this block. Undefined if the nodes do not have all of them. */
const fetchReceipts = (
  { rpc }: EvmBlockClient,
  { hash, height }: BlockHeader,
  wanted: ReadonlyArray<RpcTransaction>
): Effect.Effect<ReadonlyMap<string, EvmReceipt> | undefined, ReadError> => {
  const single = Effect.forEach(wanted, (each) => rpc.getTransactionReceipt(each.hash), { concurrency: 8 })
  const answered: Effect.Effect<ReadonlyArray<EvmReceipt | null> | null, ReadError> =
    wanted.length <= MAX_SINGLE_RECEIPTS
      ? single
      : // nodes without the method answer with various errors
        Effect.catchTags(rpc.getBlockReceipts(height), {
          RpcError: () => single,
          RequestRejected: () => single
        })
  return Effect.map(answered, (receipts) => {
    const found = new Map(
      receipts?.flatMap((receipt) =>
        receipt?.blockHash === hash ? [[receipt.transactionHash, receipt] as const] : []
      )
    )
    return wanted.every((each) => found.has(each.hash)) ? found : undefined
  })
}

/** The transfers of coins that have not failed. Undefined if the nodes do not have the receipts. */
const fetchNativeTransfers = (
  client: EvmBlockClient,
  block: EvmBlock,
  header: BlockHeader,
  set: AddressSet
): Effect.Effect<ReadonlyArray<Transfer> | undefined, ReadError> => {
  const wanted = findCandidates(block, set)
  if (wanted.length === 0) return Effect.succeed([])
  return Effect.map(fetchReceipts(client, header, wanted), (receipts) =>
    receipts === undefined
      ? undefined
      : wanted.flatMap(({ from, hash, to, value }): ReadonlyArray<Transfer> => {
          const receipt = receipts.get(hash)
          const paid = to ?? receipt?.contractAddress
          return receipt === undefined || receipt.status === "0x0" || typeof paid !== "string"
            ? []
            : [{ transaction: hash, log: null, from, to: paid, asset: native, amount: BigInt(value) }]
        })
  )
}

const toHeader = (block: EvmBlock | null): BlockHeader | undefined =>
  block === null || block.number === null || block.hash === null
    ? undefined
    : { height: Number(block.number), hash: block.hash, parent: block.parentHash }

/** The payments of a block. Undefined if the nodes do not have all of its logs and receipts. */
const findPayments = (
  client: EvmBlockClient,
  block: EvmBlock,
  header: BlockHeader,
  set: AddressSet
): Effect.Effect<ReadonlyArray<Payment> | undefined, ReadError> => {
  const { hash, height } = header
  const logs =
    block.transactions.length === 0
      ? Effect.succeed([])
      : client.rpc.getLogs({ blockHash: hash, topics: [[TRANSFER, TRANSFER_SINGLE, TRANSFER_BATCH]] })
  return Effect.map(
    Effect.all([fetchNativeTransfers(client, block, header, set), logs], { concurrency: 2 }),
    ([natives, found]) => {
      if (natives === undefined || found.some(({ blockHash }) => blockHash !== hash)) return undefined
      const at = { network: client.network, height, block: hash, time: Number(block.timestamp) }
      const moves = [
        ...sortTransfers(block, natives, findTokenTransfers(found, set)),
        ...findWithdrawals(block, set)
      ]
      return moves.flatMap((move) => toPayments(move, set, at))
    }
  )
}

/** How a node's newest block is named. */
export type BlockTag = "latest" | "safe" | "finalized"

/** Makes the chain of a client. */
const makeChain = (client: EvmBlockClient, tag: BlockTag): Chain<ReadError> => {
  const { rpc } = client
  return {
    head: Effect.map(rpc.getBlockByNumber(tag, false), (block) => toHeader(block)?.height),
    header: (height) => Effect.map(rpc.getBlockByNumber(height, false), toHeader),
    block: (height) =>
      Effect.map(rpc.getBlockByNumber(height, true), (block) => {
        const header = toHeader(block)
        return block === null || header === undefined
          ? undefined
          : { ...header, payments: (set) => findPayments(client, block, header, set) }
      })
  }
}

const WIDTH = 20

const parseDigit = (code: number): number =>
  code >= 48 && code <= 57
    ? code - 48
    : code >= 97 && code <= 102
      ? code - 87
      : code >= 65 && code <= 70
        ? code - 55
        : -1

/** A row is the 20 bytes of an address, which is 0x and 40 digits of any case. */
export const keyFormat: KeyFormat = {
  width: WIDTH,
  encode: (address, into) => {
    if (address.length !== 2 + 2 * WIDTH || address.charCodeAt(0) !== 48 || address.charCodeAt(1) !== 120)
      return false
    for (let i = 0; i < WIDTH; i++) {
      const high = parseDigit(address.charCodeAt(2 * i + 2))
      const low = parseDigit(address.charCodeAt(2 * i + 3))
      if (high < 0 || low < 0) return false
      into[i] = (high << 4) | low
    }
    return true
  }
}

/** Networks of EVM. */
export const family: Family<EvmBlockClient, BlockTag> = {
  name: "evm",
  keyFormat,
  toKey: (address) =>
    /^0x[0-9a-fA-F]{40}$/.test(address)
      ? Either.right(address.toLowerCase())
      : Either.left("must be 0x and 40 hexadecimal digits"),
  blockTags: ["latest", "safe", "finalized"],
  concurrency: 8,
  chain: makeChain
}
