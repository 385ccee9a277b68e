/** The payments of blocks of Bitcoin's kind: outputs, and the outputs that inputs spend. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Network } from "effect-chains"
import { addressOf, addressProblem, scriptOf } from "effect-chains/effect/signers/Bitcoin"
import type { ReadError } from "effect-chains/effect/signers/Evm"
import type { AddressSet, KeyFormat } from "./AddressSet.js"
import type { BlockHeader, Chain } from "./Reader.js"
import { Payment } from "./WatchEvent.js"
import type { Family } from "./Watcher.js"

/** Outputs of Litecoin's extension blocks have no script. */
interface Output {
  /** In whole coins: as text where a double has other digits. */
  readonly value: number | string
  readonly scriptPubKey?: { readonly hex: string }
}

interface Input {
  readonly txid?: string
  readonly vout?: number
  readonly prevout?: Output
}

interface RpcTransaction {
  readonly txid: string
  readonly hex?: string
  readonly vin: ReadonlyArray<Input>
  readonly vout: ReadonlyArray<Output>
}

interface BitcoinHeader {
  readonly hash: string
  readonly height: number
  readonly time: number
  readonly previousblockhash?: string
}

interface BitcoinBlock extends BitcoinHeader {
  readonly tx: ReadonlyArray<string | RpcTransaction>
}

/**
 * The client of Bitcoin, Litecoin, Dogecoin or Bitcoin Cash, as far as watchers use it. Every client of these is one.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinBlockClient {
  readonly network: Network.Network
  readonly rpc: {
    readonly getBlockCount: () => Effect.Effect<number, ReadError>
    readonly getBlockHash: (height: number) => Effect.Effect<string, ReadError>
    readonly getBlockHeader: (hash: string, verbose: true) => Effect.Effect<BitcoinHeader | string, ReadError>
    readonly getBlock: (hash: string, verbosity: 3 | true) => Effect.Effect<BitcoinBlock | string, ReadError>
    readonly getRawTransaction: (
      txid: string,
      verbose: true
    ) => Effect.Effect<RpcTransaction | string, ReadError>
  }
}

/** The coin in its smallest unit. */
const UNITS_PER_COIN = 1e8

/** From so many coins on (2^26: Dogecoin has such outputs) a number of JSON no longer tells all eight decimals. */
const EXACT_LIMIT = 2 ** 26

const native: Payment["asset"] = { kind: "native" }

/** Requests that are sent at once for the transactions of a block. */
const MAX_CONCURRENT = 16

/** The amounts of the outputs of a transaction, from its bytes (hexadecimal). */
export const parseAmounts = (hex: string): ReadonlyArray<bigint> => {
  const bytes = Buffer.from(hex, "hex")
  // behind the version: two bytes of SegWit, where there are no inputs otherwise
  let at = bytes[4] === 0 ? 6 : 4
  const readSize = (): number => {
    const first = bytes.readUInt8(at++)
    if (first < 0xfd) return first
    const length = first === 0xfd ? 2 : 4
    at += length
    return bytes.readUIntLE(at - length, length)
  }
  /** Over text with its size before it. */
  const skipSized = (): void => {
    const length = readSize()
    at += length
  }
  for (let inputs = readSize(); inputs > 0; inputs--) {
    at += 36
    skipSized()
    at += 4
  }
  return Array.from({ length: readSize() }, () => {
    const amount = bytes.readBigUInt64LE(at)
    at += 8
    skipSized()
    return amount
  })
}

/** The output of a transaction with its amount in the smallest unit; undefined where it has no script. */
interface ParsedOutput {
  readonly script: string
  readonly amount: bigint
}

const toUnits = ({ value }: Output, exact: () => bigint | undefined): bigint =>
  typeof value === "string"
    ? BigInt(value.replace(".", ""))
    : ((value < EXACT_LIMIT ? undefined : exact()) ?? BigInt(Math.round(value * UNITS_PER_COIN)))

const parseOutput = (output: Output, exact: () => bigint | undefined): ParsedOutput | undefined =>
  output.scriptPubKey === undefined
    ? undefined
    : {
        script: output.scriptPubKey.hex,
        amount: toUnits(output, exact)
      }

const parseOutputs = ({ hex, vout }: RpcTransaction): ReadonlyArray<ParsedOutput | undefined> => {
  let exact: ReadonlyArray<bigint> | undefined
  return vout.map((output, i) =>
    parseOutput(output, () => {
      exact ??= hex === undefined ? [] : parseAmounts(hex)
      return exact[i]
    })
  )
}

const toTransaction = (transaction: RpcTransaction | string): RpcTransaction | undefined =>
  typeof transaction === "string" ? undefined : transaction

/** The transactions of a block, also where the node tells only their ids. */
const fetchTransactions = (
  { rpc }: BitcoinBlockClient,
  { tx }: BitcoinBlock
): Effect.Effect<ReadonlyArray<RpcTransaction | undefined>, ReadError> =>
  Effect.forEach(
    tx,
    (each) =>
      typeof each === "string"
        ? Effect.map(rpc.getRawTransaction(each, true), toTransaction)
        : Effect.succeed(each),
    { concurrency: MAX_CONCURRENT }
  )

/** Whether a node has told what an input spends, to the last digit. */
const hasExactPrevout = ({ prevout }: Input): boolean =>
  prevout !== undefined && (typeof prevout.value === "string" || prevout.value < EXACT_LIMIT)

/**
 * The outputs of those transactions whose outputs a block spends, where the block does not tell them itself; undefined if a node does not
 * tell all of them.
 */
const fetchSpentOutputs = (
  { rpc }: BitcoinBlockClient,
  transactions: ReadonlyArray<RpcTransaction>
): Effect.Effect<ReadonlyMap<string, ReadonlyArray<ParsedOutput | undefined>> | undefined, ReadError> => {
  const coins = new Map(transactions.map((each) => [each.txid, parseOutputs(each)] as const))
  const missing = new Set(
    transactions.flatMap(({ vin }) =>
      vin.flatMap((input) =>
        input.txid === undefined || hasExactPrevout(input) || coins.has(input.txid) ? [] : [input.txid]
      )
    )
  )
  return Effect.map(
    Effect.forEach(missing, (txid) => Effect.map(rpc.getRawTransaction(txid, true), toTransaction), {
      concurrency: MAX_CONCURRENT
    }),
    (found) => {
      for (const each of found) if (each !== undefined) coins.set(each.txid, parseOutputs(each))
      return found.includes(undefined) ? undefined : coins
    }
  )
}

/** The payments of a block: of each transaction those of its inputs, and then those of its outputs. */
const findPayments = (
  client: BitcoinBlockClient,
  block: BitcoinBlock,
  set: AddressSet
): Effect.Effect<ReadonlyArray<Payment> | undefined, ReadError> =>
  Effect.gen(function* () {
    const { network } = client
    const found = yield* fetchTransactions(client, block)
    const transactions = found.filter((each) => each !== undefined)
    if (transactions.length < found.length) return undefined
    const spent = yield* fetchSpentOutputs(client, transactions)
    if (spent === undefined) return undefined
    const at = { network, height: block.height, block: block.hash, time: block.time }
    const payments: Array<Payment> = []
    const pay = (
      transaction: string,
      log: number,
      direction: "in" | "out",
      coin: ParsedOutput | undefined
    ) => {
      if (coin === undefined || coin.amount === 0n || !set.has(coin.script)) return
      const address = addressOf(coin.script, network) ?? coin.script
      payments.push(
        new Payment(
          { ...at, transaction, log, address, direction, other: null, asset: native, amount: coin.amount },
          // what is not as it should be is found when the step is written
          { disableValidation: true }
        )
      )
    }
    for (const { txid, vin } of transactions) {
      for (const [i, input] of vin.entries()) {
        if (input.txid === undefined) continue
        const { prevout } = input
        const coin =
          prevout !== undefined && hasExactPrevout(input)
            ? parseOutput(prevout, () => undefined)
            : spent.get(input.txid)?.[input.vout ?? -1]
        pay(txid, i, "out", coin)
      }
      for (const [i, coin] of (spent.get(txid) ?? []).entries()) pay(txid, i, "in", coin)
    }
    return payments
  })

const toHeader = (block: BitcoinHeader): BlockHeader => ({
  height: block.height,
  hash: block.hash,
  parent: block.previousblockhash ?? ""
})

/** What nodes say of a height above their newest block, and of a block that they do not have. */
const undefinedIfMissing = <A>(
  effect: Effect.Effect<A, ReadError>
): Effect.Effect<A | undefined, ReadError> =>
  Effect.catchTag(effect, "RpcError", (error) =>
    error.code === -8 || error.code === -5 ? Effect.succeed(undefined) : Effect.fail(error)
  )

/** A chain of Bitcoin's kind, as watchers read it. */
const makeChain = (client: BitcoinBlockClient): Chain<ReadError> => {
  const { rpc } = client
  /** With what inputs spend, where the node can tell it; otherwise with the ids of its transactions. */
  const fetchBlock = (hash: string) =>
    Effect.catchTag(rpc.getBlock(hash, 3), "RpcError", () => rpc.getBlock(hash, true))
  return {
    head: rpc.getBlockCount(),
    header: (height) =>
      Effect.map(
        undefinedIfMissing(
          Effect.flatMap(rpc.getBlockHash(height), (hash) => rpc.getBlockHeader(hash, true))
        ),
        (header) => (header === undefined || typeof header === "string" ? undefined : toHeader(header))
      ),
    block: (height) =>
      Effect.map(undefinedIfMissing(Effect.flatMap(rpc.getBlockHash(height), fetchBlock)), (block) =>
        block === undefined || typeof block === "string"
          ? undefined
          : { ...toHeader(block), payments: (set) => findPayments(client, block, set) }
      )
  }
}

/** The forms of scripts that have addresses: what is before and behind their program, and its length in digits. */
const scriptForms: ReadonlyArray<readonly [before: string, length: number, behind: string]> = [
  ["76a914", 40, "88ac"],
  ["a914", 40, "87"],
  ["aa20", 64, "87"],
  ["0014", 40, ""],
  ["0020", 64, ""],
  ["5120", 64, ""]
]

const WIDTH = 33

/** Scripts (hexadecimal) as the number of their form and their program. */
export const keyFormat: KeyFormat = {
  width: WIDTH,
  encode: (script, into) => {
    const form = scriptForms.findIndex(
      ([before, length, behind]) =>
        script.length === before.length + length + behind.length &&
        script.startsWith(before) &&
        script.endsWith(behind)
    )
    const [before = "", length = 0] = scriptForms[form] ?? []
    if (form === -1) return false
    into.fill(0)
    into[0] = form + 1
    for (let i = 0; i < length; i += 2) {
      const byte = Number.parseInt(script.slice(before.length + i, before.length + i + 2), 16)
      if (Number.isNaN(byte)) return false
      into[1 + i / 2] = byte
    }
    return true
  }
}

/** Chains of Bitcoin's kind. */
export const family: Family<BitcoinBlockClient, "latest"> = {
  name: "bitcoin",
  keyFormat,
  toKey: (address, network) => {
    const script = scriptOf(address, network)
    return script === undefined
      ? Either.left(addressProblem(address, network) ?? "cannot be read")
      : Either.right(script)
  },
  blockTags: ["latest"],
  concurrency: 8,
  chain: makeChain
}
