/** What a transaction of Bitcoin and its relatives would change: its inputs as the chain has them, minus its outputs. */
import * as Effect from "effect/Effect"
import { bytesToHex } from "../../data/hex.js"
import type { NetworkRow } from "../../data/Network.js"
import { type InvalidArgument, NotSupportedForNetwork } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import { makeMalformedError, withAgreement } from "../evidence.js"
import type { Prepared, ReadError } from "../Signer.js"
import { checkBytes } from "../signerChecks.js"
import type { BalanceChange, SimulatedOutcome, SimulateError } from "../simulation.js"
import { parseScript } from "./address.js"
import { keyOf } from "./Coins.js"
import { type Chain, chainOf } from "./networks.js"
import { TXID, toUnits } from "./reading.js"
import type { BitcoinCalls, BitcoinInput, BitcoinOutput, BitcoinTransaction } from "./Types.js"

/**
 * The calls that a simulation needs. Every client of Bitcoin, Bitcoin Cash, Litecoin and Dogecoin has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinSimulationCalls extends Pick<BitcoinCalls, "getTxOut"> {}

/**
 * A client of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin, as far as simulations use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinSimulationClient {
  readonly network: string
  readonly rpc: BitcoinSimulationCalls
}

const METHOD = "gettxout"

/** An input as the chain has it, or why it cannot be spent. */
interface CheckedInput {
  readonly problem?: string
  readonly hasTokens: boolean
}

/** An account: its script (hexadecimal), and the chain to ask about it. A replacement spends what the transaction before it spends. */
interface AccountOnChain {
  readonly isReplacement: boolean
  readonly rpc: BitcoinSimulationCalls
  readonly row: NetworkRow
  readonly chain: Chain
  readonly script: string
}

/** Reads the output that an input spends. */
const checkInput = (
  { chain: { maturity }, isReplacement, row: { decimals, symbol }, rpc, script }: AccountOnChain,
  input: BitcoinInput
): Effect.Effect<CheckedInput, ReadError> => {
  const { amount, txid, vout } = input
  const name = `the output ${txid}:${vout}`
  const read = withAgreement(
    Effect.flatMap(rpc.getTxOut(txid, vout), (output) =>
      output === null && isReplacement ? rpc.getTxOut(txid, vout, false) : Effect.succeed(output)
    ),
    (one, other) => one?.value === other?.value && one?.scriptPubKey.hex === other?.scriptPubKey.hex
  )
  return Effect.flatMap(read, (output): Effect.Effect<CheckedInput, ReadError> => {
    if (output === null)
      return Effect.succeed({ problem: `${name} is spent, or no node has it`, hasTokens: false })
    if (!isRecord(output) || !isRecord(output.scriptPubKey))
      return Effect.fail(makeMalformedError(METHOD, "an output was expected, with its script"))
    const held = toUnits(decimals, output.value)
    const problem =
      output.scriptPubKey.hex !== script
        ? `${name} is one of another address`
        : held !== amount
          ? `${name} has ${Units.format(held, decimals)} ${symbol}, and the transaction says ${Units.format(amount, decimals)}`
          : output.coinbase === true && !(output.confirmations >= maturity)
            ? `${name} is of a new block, and has to wait for ${maturity} confirmations`
            : undefined
    return Effect.succeed({
      ...(problem === undefined ? {} : { problem }),
      hasTokens: (output.tokenData ?? null) !== null
    })
  })
}

/** The transaction of a preview, whose fields may come from anywhere. */
const checkTransaction = (
  { from, transaction }: Prepared<BitcoinTransaction>,
  chain: Chain
): Effect.Effect<{ readonly own: string; readonly paid: ReadonlyArray<BitcoinOutput> }, InvalidArgument> =>
  checkBytes("simulate", () => {
    const scriptOf = (address: unknown) => {
      const found = typeof address === "string" ? parseScript(address, chain) : undefined
      if (found === undefined) throw new Error("its addresses are none of the chain")
      return found
    }
    const isAmount = (amount: unknown): boolean => typeof amount === "bigint" && amount >= 0n
    const { inputs, outputs } = transaction
    const areInputs =
      Array.isArray(inputs) &&
      inputs.every(
        (each) =>
          isRecord(each) &&
          TXID.test(String(each.txid)) &&
          Number.isSafeInteger(each.vout) &&
          isAmount(each.amount)
      )
    if (!areInputs || new Set(inputs.map(keyOf)).size !== inputs.length)
      throw new Error("its inputs must be different outputs: { txid, vout, amount }")
    // which of the other addresses are the account's is known to whoever has its key
    if (inputs.some(({ path }: BitcoinInput) => path !== undefined))
      throw new Error("it spends coins of several addresses, and an account of one address is simulated")
    if (!Array.isArray(outputs) || outputs.some((each) => !isRecord(each) || !isAmount(each.amount)))
      throw new Error("its outputs must be a list of { address, amount }")
    const own = scriptOf(from)
    const paid = outputs.map(({ address, amount }: BitcoinOutput) => {
      const { script, to } = scriptOf(address)
      return { address: bytesToHex(script) === bytesToHex(own.script) ? from : to, amount }
    })
    return { own: bytesToHex(own.script), paid }
  })

const sumOf = (amounts: ReadonlyArray<{ readonly amount: bigint }>): bigint =>
  amounts.reduce((sum, { amount }) => sum + amount, 0n)

/** What each address gets. The account spends the inputs, and its own change is without the fee. */
const toChanges = (
  from: string,
  paid: ReadonlyArray<BitcoinOutput>,
  { decimals, symbol: asset }: NetworkRow
): ReadonlyArray<BalanceChange> => {
  const others = paid.filter(({ address }) => address !== from)
  const units = new Map([[from, -sumOf(others)]])
  for (const { address, amount } of others) units.set(address, (units.get(address) ?? 0n) + amount)
  return [...units]
    .filter(([, each]) => each !== 0n)
    .map(([address, each]) => ({
      address,
      asset,
      amount: Units.format(each, decimals),
      units: each,
      decimals
    }))
}

/** How many inputs are read at the same time. */
const READ_CONCURRENCY = 8

/** Simulates a prepared transaction of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin. */
export const simulate = (
  client: BitcoinSimulationClient,
  row: NetworkRow,
  prepared: Prepared<BitcoinTransaction>
): Effect.Effect<SimulatedOutcome, SimulateError> =>
  Effect.gen(function* () {
    const { network } = client
    const { from, to, transaction } = prepared
    const chain = chainOf(network)
    if (chain === undefined) return yield* new NotSupportedForNetwork({ network, feature: "simulation" })
    const { own, paid } = yield* checkTransaction(prepared, chain)
    const isReplacement = transaction.replaces !== undefined
    const account = { isReplacement, rpc: client.rpc, row, chain, script: own }
    const { inputs } = transaction
    const checked = yield* Effect.forEach(inputs, (input) => checkInput(account, input), {
      concurrency: READ_CONCURRENCY
    })
    const fee = sumOf(inputs) - sumOf(paid)
    const reason =
      checked.find(({ problem }) => problem !== undefined)?.problem ??
      (fee < 0n ? "it pays more than it spends" : undefined)
    return {
      succeeds: reason === undefined,
      ...(reason === undefined ? {} : { reason }),
      changes: reason === undefined ? toChanges(from, paid, row) : [],
      approvals: [],
      warnings: checked.some(({ hasTokens }) => hasTokens)
        ? ["An output that it spends has tokens, which would be lost."]
        : [],
      method: METHOD,
      receiver: to,
      fee
    }
  })
