/** Payments in blocks of Bitcoin's kind: outputs, and the outputs that inputs spend. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Network } from "effect-chains"
import { addressOf, addressProblem, scriptOf } from "effect-chains/effect/signers/Bitcoin"
import type { ReadError } from "effect-chains/effect/signers/Evm"
import type { AddressSet, KeyFormat } from "./AddressSet.js"
import type { BlockHeader, Chain } from "./Reader.js"
import { Payment } from "./WatchEvent.js"
import type { Family } from "./Watcher.js"

/** An output. Those of Litecoin's extension blocks have no script. */
interface Output {
  /** In whole coins; text where a double would lose digits. */
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
 * The part of a client that watchers use. Every client of Bitcoin, Litecoin, Dogecoin and Bitcoin Cash has it.
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

/** A number in JSON has eight exact decimals below this many coins (2^26). Dogecoin has larger outputs. */
const EXACT_LIMIT = 2 ** 26

const native: Payment["asset"] = { kind: "native" }

/** Concurrent requests for the transactions of a block. */
const MAX_CONCURRENT = 16

/** Parses the amounts of a transaction's outputs from its bytes (hexadecimal). */
export const parseAmounts = (hex: string): ReadonlyArray<bigint> => {
  const bytes = Buffer.from(hex, "hex")
  // after the version: SegWit has two bytes here, which otherwise would mean no inputs
  let at = bytes[4] === 0 ? 6 : 4
  const readSize = (): number => {
    const first = bytes.readUInt8(at++)
    if (first < 0xfd) return first
    const length = first === 0xfd ? 2 : 4
    at += length
    return bytes.readUIntLE(at - length, length)
  }
  /** Skips a field that begins with its size. */
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

/** An output with a script, and its amount in the smallest unit. */
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

/** The transactions of a block. They are fetched one by one if the block has only their ids. */
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

/** Whether the block has the output that an input spends, with all its digits. */
const hasExactPrevout = ({ prevout }: Input): boolean =>
  prevout !== undefined && (typeof prevout.value === "string" || prevout.value < EXACT_LIMIT)

/**
 * The outputs of transactions from which a block spends, where the block itself does not have them. Undefined if a node does not have all
 * of them.
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

/** The payments of a block. For each transaction those of its inputs come before those of its outputs. */
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
          // invalid fields are found when the step is stored
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

/** Undefined for a height above the node's newest block, and for a block that the node does not have. */
const undefinedIfMissing = <A>(
  effect: Effect.Effect<A, ReadError>
): Effect.Effect<A | undefined, ReadError> =>
  Effect.catchTag(effect, "RpcError", (error) =>
    error.code === -8 || error.code === -5 ? Effect.succeed(undefined) : Effect.fail(error)
  )

/** Makes the chain of a client. */
const makeChain = (client: BitcoinBlockClient): Chain<ReadError> => {
  const { rpc } = client
  /** A block with the outputs that its inputs spend. Nodes without that verbosity give it with the ids of its transactions. */
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

/** The forms of scripts that have addresses: the digits before and after their program, and its length in digits. */
const scriptForms: ReadonlyArray<readonly [before: string, length: number, behind: string]> = [
  ["76a914", 40, "88ac"],
  ["a914", 40, "87"],
  ["aa20", 64, "87"],
  ["0014", 40, ""],
  ["0020", 64, ""],
  ["5120", 64, ""]
]

const WIDTH = 33

/** A row is the number of a script's form, and its program. Scripts are hexadecimal. */
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
