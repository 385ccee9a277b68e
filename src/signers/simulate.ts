/**
 * Simulations of prepared transactions: what would change if one were sent now, before anything is signed.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { loadOnce } from "../data/loadOnce.js"
import type { FamilyId, NetworkRow } from "../data/Network.js"
import { type LoadError, NotSupportedForNetwork } from "../data/SdkError.js"
import * as Units from "../data/Units.js"
import { isRecord } from "../data/untrusted.js"
import type { AlgorandSimulationClient } from "./algorand/simulation.js"
import type { AlgorandTransaction } from "./algorand/Types.js"
import type { BitcoinSimulationClient } from "./bitcoin/simulation.js"
import type { BitcoinTransaction } from "./bitcoin/Types.js"
import type { CosmosSimulationClient } from "./cosmos/simulation.js"
import type { CosmosTransaction } from "./cosmos/Types.js"
import type { EvmSimulationClient } from "./evm/simulation.js"
import type { EvmTransaction } from "./evm/Types.js"
import type { Outgoing, Prepared } from "./Signer.js"
import { catchMalformedAnswer, findNetworkRow, invalidArgument } from "./signerChecks.js"
import {
  type BalanceChange,
  nameOf,
  type SimulatedOutcome,
  type SimulateError,
  type SimulateFamily,
  type Simulation,
  warnOfApproval
} from "./simulation.js"
import type { SolanaSimulationClient } from "./solana/simulation.js"
import type { SolanaTransaction } from "./solana/Types.js"
import type { StellarSimulationClient } from "./stellar/simulation.js"
import type { StellarTransaction } from "./stellar/Types.js"
import type { TezosSimulationClient } from "./tezos/simulation.js"
import type { TezosTransaction } from "./tezos/Types.js"
import type { TonSimulationClient } from "./ton/simulation.js"
import type { TonTransaction } from "./ton/Types.js"
import type { TronSimulationClient } from "./tron/simulation.js"
import type { TronTransaction } from "./tron/Types.js"
import type { XrpSimulationClient } from "./xrp/simulation.js"
import type { XrpTransaction } from "./xrp/Types.js"

export type { AlgorandSimulationCalls, AlgorandSimulationClient } from "./algorand/simulation.js"
export type { BitcoinSimulationCalls, BitcoinSimulationClient } from "./bitcoin/simulation.js"
export type { CosmosSimulationCalls, CosmosSimulationClient } from "./cosmos/simulation.js"
export type { EvmSimulationCalls, EvmSimulationClient } from "./evm/simulation.js"
export type { Approval, BalanceChange, SimulateError, Simulation } from "./simulation.js"
export type { SolanaSimulationCalls, SolanaSimulationClient } from "./solana/simulation.js"
export type { StellarSimulationCalls, StellarSimulationClient } from "./stellar/simulation.js"
export type { TezosSimulationCalls, TezosSimulationClient } from "./tezos/simulation.js"
export type { TonSimulationCalls, TonSimulationClient } from "./ton/simulation.js"
export type { TronSimulationCalls, TronSimulationClient } from "./tron/simulation.js"
export type { XrpSimulationCalls, XrpSimulationClient } from "./xrp/simulation.js"

/**
 * The clients whose networks can be simulated. It is the client that the signer is made from.
 *
 * @since 0.1.0
 * @category models
 */
export type SimulationClient =
  | AlgorandSimulationClient
  | BitcoinSimulationClient
  | CosmosSimulationClient
  | EvmSimulationClient
  | SolanaSimulationClient
  | StellarSimulationClient
  | TezosSimulationClient
  | TonSimulationClient
  | TronSimulationClient
  | XrpSimulationClient

/**
 * The transactions that can be simulated.
 *
 * @since 0.1.0
 * @category models
 */
export type SimulatedTransaction =
  | AlgorandTransaction
  | BitcoinTransaction
  | CosmosTransaction
  | EvmTransaction
  | SolanaTransaction
  | StellarTransaction
  | TezosTransaction
  | TonTransaction
  | TronTransaction
  | XrpTransaction

type SimulateAny = SimulateFamily<SimulationClient, SimulatedTransaction>

/** The part of a family, in a chunk of its own. */
const loadFamily = <Client, Tx>(
  load: () => Promise<{ readonly simulate: SimulateFamily<Client, Tx> }>
): Effect.Effect<SimulateAny, LoadError> =>
  // the family of a network says which calls its client has, and what its signers prepare
  loadOnce(load, ({ simulate }) => Effect.succeed(simulate as unknown as SimulateAny))

const algorand = /*#__PURE__*/ loadFamily(() => import("./algorand/simulation.js"))
const bitcoin = /*#__PURE__*/ loadFamily(() => import("./bitcoin/simulation.js"))
const cosmos = /*#__PURE__*/ loadFamily(() => import("./cosmos/simulation.js"))
const evm = /*#__PURE__*/ loadFamily(() => import("./evm/simulation.js"))
const solana = /*#__PURE__*/ loadFamily(() => import("./solana/simulation.js"))
const stellar = /*#__PURE__*/ loadFamily(() => import("./stellar/simulation.js"))
const tezos = /*#__PURE__*/ loadFamily(() => import("./tezos/simulation.js"))
const ton = /*#__PURE__*/ loadFamily(() => import("./ton/simulation.js"))
const tron = /*#__PURE__*/ loadFamily(() => import("./tron/simulation.js"))
const xrp = /*#__PURE__*/ loadFamily(() => import("./xrp/simulation.js"))

/** The parts of families that have simulations. On zkSync coins are a contract, whose events are not told from those of tokens here. */
const families: Readonly<Partial<Record<FamilyId, Effect.Effect<SimulateAny, LoadError>>>> = {
  "algorand-algod": algorand,
  cosmos,
  evm,
  "evm-beacon": evm,
  "evm-native": evm,
  solana,
  stellar,
  tezos,
  ton,
  tron,
  utxo: bitcoin,
  "utxo-estimatefee": bitcoin,
  doge: bitcoin,
  xrp
}

const CALL = "simulate"

const preparedProblem = (client: SimulationClient, prepared: Prepared<unknown>): string | undefined => {
  if (!isRecord(client) || !isRecord(client.rpc)) return "its first argument is the client of a network"
  if (
    !isRecord(prepared) ||
    !Array.isArray(prepared.outgoing) ||
    typeof prepared.from !== "string" ||
    typeof prepared.fee !== "bigint" ||
    !isRecord(prepared.transaction)
  )
    return "it takes what prepare has made"
  if (prepared.network !== client.network)
    return `it was prepared for ${prepared.network}, and the client is one of ${client.network}`
  const { from = prepared.from } = prepared.transaction
  return from === prepared.from
    ? undefined
    : `its transaction is paid by ${String(from)}, and it was prepared for ${prepared.from}`
}

/** What previews and simulations call the same asset by: contracts of EVM chains are written in any case. */
const keyOf = ({ asset, token }: Pick<Outgoing, "asset" | "token">): string =>
  token === undefined ? asset : /^0x/i.test(token) ? token.toLowerCase() : token

/** Whether an asset is an item of a collection, of which previews of calls show the id where others have the amount. */
const isItem = ({ asset }: Pick<Outgoing, "asset">): boolean => /\/erc(?:721|1155):/.test(asset)

/** What leaves the account by its preview, in the smallest unit, without the fee. */
const readPreviewed = (
  { fee, outgoing }: Prepared<unknown>,
  row: NetworkRow
): ReadonlyMap<string, bigint> => {
  const previewed = new Map<string, bigint>()
  for (const each of outgoing) {
    const decimals = each.token === undefined ? row.decimals : (each.decimals ?? 0)
    const units = each.units ?? Option.getOrElse(Units.parse(String(each.amount), decimals), () => 0n)
    previewed.set(keyOf(each), (previewed.get(keyOf(each)) ?? 0n) + units)
  }
  const coins = previewed.get(row.symbol)
  return coins === undefined ? previewed : previewed.set(row.symbol, coins - fee)
}

/** Where what leaves the account is not what the preview says. */
const warnOfDifferences = (
  prepared: Prepared<unknown>,
  row: NetworkRow,
  { changes, comesBack = prepared.staking !== undefined, fee }: SimulatedOutcome
): ReadonlyArray<string> => {
  const previewed = readPreviewed(prepared, row)
  const own = changes.filter(({ address }) => address === prepared.from)
  const inCoins = (units: bigint): string => `${Units.format(units, row.decimals)} ${row.symbol}`
  const leaving = own.flatMap((change): ReadonlyArray<string> => {
    const shown = previewed.get(keyOf(change))
    if (change.units >= 0n || -change.units === shown || (shown !== undefined && isItem(change))) return []
    // rewards come with what is staked, and with tokens of TON the rest of what pays their way
    if (comesBack && change.token === undefined && -change.units < (shown ?? 0n)) return []
    const left = `${Units.format(-change.units, change.decimals)} ${nameOf(change)} would leave the account`
    return shown === undefined || shown === 0n
      ? [`${left}, which the preview does not show.`]
      : [`${left}, and the preview shows ${Units.format(shown, change.decimals)}.`]
  })
  const staying = prepared.outgoing.flatMap((each): ReadonlyArray<string> => {
    const shown = previewed.get(keyOf(each)) ?? 0n
    const isKnown = own.some((change) => change.units < 0n && keyOf(change) === keyOf(each))
    return shown === 0n || isKnown || (comesBack && each.token === undefined)
      ? []
      : [`No ${nameOf(each)} would leave the account, and the preview shows some.`]
  })
  return [
    ...leaving,
    ...staying,
    ...(fee === undefined || fee <= prepared.fee
      ? []
      : [`The fee would be ${inCoins(fee)}, and the preview's highest fee is ${inCoins(prepared.fee)}.`])
  ]
}

/** Whether the receiver gets what the preview pays. */
const warnOfShortReceipt = (
  { amount, from, outgoing, token }: Prepared<unknown>,
  row: NetworkRow,
  { changes, receiver }: SimulatedOutcome
): ReadonlyArray<string> => {
  if (receiver === undefined || receiver === from) return []
  const paid = outgoing.find((each) => each.token === token)
  const { asset, symbol }: Pick<Outgoing, "asset" | "symbol"> = paid ?? { asset: row.symbol }
  const key = keyOf({ asset, ...(token === undefined ? {} : { token }) })
  const got = changes.find((change) => change.address === receiver && keyOf(change) === key)
  const units = got?.units ?? 0n
  const decimals = token === undefined ? row.decimals : (paid?.decimals ?? 0)
  return units >= amount
    ? []
    : [
        `The receiver would get ${Units.format(units, decimals)} ${nameOf({ asset, ...(symbol === undefined ? {} : { symbol }) })}, and the preview pays ${Units.format(amount, decimals)}.`
      ]
}

const toSimulation = (
  prepared: Prepared<unknown>,
  row: NetworkRow,
  outcome: SimulatedOutcome
): Simulation => {
  const { approvals, changes, method, reason, succeeds } = outcome
  const isOwn = ({ address }: BalanceChange): boolean => address === prepared.from
  return {
    network: prepared.network,
    address: prepared.from,
    succeeds,
    ...(reason === undefined ? {} : { reason }),
    changes: [...changes.filter(isOwn), ...changes.filter((each) => !isOwn(each))],
    approvals,
    warnings: succeeds
      ? [
          ...warnOfDifferences(prepared, row, outcome),
          ...warnOfShortReceipt(prepared, row, outcome),
          ...approvals.map(warnOfApproval),
          ...outcome.warnings
        ]
      : outcome.warnings,
    method
  }
}

/**
 * Simulates a prepared transaction over the nodes of a client: which balances would change, what others may take afterwards, and where that
 * differs from the preview. Nothing is signed or sent. It is the answer of nodes for the state that they have now. Fails with
 * `NotSupportedForNetwork` on networks of families that have no simulation here, and with `InvalidArgument` if no node has the method.
 *
 * @since 0.1.0
 * @category operations
 */
export const simulate = (
  client: SimulationClient,
  prepared: Prepared<SimulatedTransaction>
): Effect.Effect<Simulation, SimulateError> =>
  catchMalformedAnswer(
    Effect.gen(function* () {
      const problem = preparedProblem(client, prepared)
      if (problem !== undefined) return yield* invalidArgument(CALL, problem)
      const { network } = client
      const row = yield* findNetworkRow(network)
      const family = row === undefined ? undefined : families[row.family]
      if (row === undefined || family === undefined)
        return yield* new NotSupportedForNetwork({ network, feature: "simulation" })
      const simulateFamily = yield* family
      return toSimulation(prepared, row, yield* simulateFamily(client, row, prepared))
    }),
    CALL
  )
