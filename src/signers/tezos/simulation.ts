/** What an operation of Tezos would change: the balance updates of its receipt, and the entries of tokens' ledgers before and after it. */
import * as Effect from "effect/Effect"
import type { Micheline, OperationContent } from "../../chains/Tezos.js"
import { hexToBytes } from "../../data/hex.js"
import type { NetworkRow } from "../../data/Network.js"
import { type NodeError, reasonOf } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { makeMalformedError, parseWhole, withAgreement } from "../evidence.js"
import type { Prepared, ReadError } from "../Signer.js"
import { checkBytes, invalidArgument } from "../signerChecks.js"
import {
  type Delta,
  failsBecause,
  movesOf,
  orRefusal,
  type SimulatedOutcome,
  type SimulateError,
  toChanges
} from "../simulation.js"
import { addressProblem, encodeWithPrefix, type PrefixKind, parseToken } from "./address.js"
import { makeContents } from "./contents.js"
import { chainIdOf, findFailure, toCaipAsset, ZERO_SIGNATURE } from "./payments.js"
import type { TezosCalls, TezosReceipt, TezosTransaction } from "./Types.js"

/**
 * The calls that a simulation needs. Every client of Tezos has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface TezosSimulationCalls extends Pick<TezosCalls, "simulateOperation" | "getBigMapValue"> {}

/**
 * A client of Tezos, as far as simulations use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface TezosSimulationClient {
  readonly network: string
  readonly rpc: TezosSimulationCalls
}

const METHOD = "simulate_operation"

const listOf = (value: unknown): ReadonlyArray<unknown> => {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw new TypeError("a list was expected")
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})

/** A change of a balance in mutez, which has a sign. */
const parseChange = (value: unknown): bigint => {
  if (typeof value !== "string" || !/^-?\d{1,20}$/.test(value))
    throw new TypeError("a balance update has no amount")
  return BigInt(value)
}

/** What a list of balance updates does to accounts, and how much of it is burnt for storage. */
const readUpdates = (updates: unknown): { readonly deltas: ReadonlyArray<Delta>; readonly burnt: bigint } => {
  const all = listOf(updates).map(recordOf)
  const deltas = all.flatMap(({ change, contract, kind }): ReadonlyArray<Delta> => {
    if (kind !== "contract") return []
    if (typeof contract !== "string") throw new TypeError("a balance update has no account")
    return [{ address: contract, units: parseChange(change) }]
  })
  const burnt = all
    .filter(({ category, kind }) => kind === "burned" && category === "storage fees")
    .reduce((sum, { change }) => sum + parseChange(change), 0n)
  return { deltas, burnt }
}

/** A call of a contract: by the operation, or by a contract that it calls. */
interface Call {
  readonly destination: unknown
  readonly parameters: unknown
  readonly diffs: ReadonlyArray<unknown>
}

/** An entry of a map in a contract's storage, after the operation. */
interface LedgerEntry {
  readonly contract: string
  readonly map: string
  readonly keyHash: string
  readonly key: unknown
  readonly value: unknown
}

/** What a receipt says. `fee` is what bakers get, and what is burnt for storage. */
interface Receipt {
  readonly reason?: string
  readonly deltas: ReadonlyArray<Delta>
  readonly fee: bigint
  readonly entries: ReadonlyArray<LedgerEntry>
  readonly transfers: ReadonlyArray<ReadonlyArray<Delta>>
}

/** The first bytes of packed addresses: of accounts, and of contracts. */
const packedPrefixes: Readonly<Record<string, PrefixKind>> = {
  "0000": "tz1",
  "0001": "tz2",
  "0002": "tz3",
  "0003": "tz4",
  "01": "KT1"
}

/** An address in Micheline: as text, or as its 22 bytes. */
const parseMichelineAddress = (node: unknown): string | undefined => {
  const { bytes, string } = recordOf(node)
  if (typeof string === "string") return addressProblem(string) === undefined ? string : undefined
  if (typeof bytes !== "string" || !/^[0-9a-f]{44}$/i.test(bytes)) return undefined
  const isOfContract = bytes.startsWith("01")
  const kind = packedPrefixes[bytes.slice(0, isOfContract ? 2 : 4)]
  return kind === undefined
    ? undefined
    : encodeWithPrefix(kind, hexToBytes(isOfContract ? bytes.slice(2, 42) : bytes.slice(4)))
}

const parseNat = (node: unknown): bigint | undefined => {
  const { int } = recordOf(node)
  return typeof int === "string" ? parseWhole(int) : undefined
}

/** The leaves of a pair, however its parts are nested. A list is a pair in the short notation. */
const leavesOf = (node: unknown): ReadonlyArray<unknown> => {
  const { args, prim } = recordOf(node)
  return prim === "Pair" && Array.isArray(args) ? args.flatMap(leavesOf) : [node]
}

/** What a call of `transfer` moves, by TZIP-7 (FA1.2) or TZIP-12 (FA2). Any other call moves nothing that can be told. */
const readTransfer = ({ destination, parameters }: Call): ReadonlyArray<Delta> => {
  const { entrypoint, value } = recordOf(parameters)
  if (entrypoint !== "transfer" || typeof destination !== "string") return []
  const toMoves = (from: unknown, to: unknown, units: unknown, token: string): ReadonlyArray<Delta> => {
    const [payer, receiver, amount] = [
      parseMichelineAddress(from),
      parseMichelineAddress(to),
      parseNat(units)
    ]
    return payer === undefined || receiver === undefined || amount === undefined
      ? []
      : movesOf(payer, receiver, amount, token)
  }
  if (!Array.isArray(value)) {
    const [from, to, amount] = leavesOf(value)
    return toMoves(from, to, amount, destination)
  }
  return value.flatMap((batch) => {
    const [from, items] = leavesOf(batch)
    return (Array.isArray(items) ? items : []).flatMap((item) => {
      const [to, id, amount] = leavesOf(item)
      return toMoves(from, to, amount, `${destination}.${parseNat(id) ?? ""}`)
    })
  })
}

/** The entries of maps that a call has written. */
const readEntries = ({ destination, diffs }: Call): ReadonlyArray<LedgerEntry> =>
  diffs.flatMap((each) => {
    const { diff, id, kind } = recordOf(each)
    const { action, updates } = recordOf(diff)
    if (kind !== "big_map" || action !== "update" || typeof destination !== "string") return []
    return listOf(updates).map((update): LedgerEntry => {
      const { key, key_hash: keyHash, value } = recordOf(update)
      if (typeof id !== "string" || typeof keyHash !== "string")
        throw new TypeError("an entry of a map has no place")
      return { contract: destination, map: id, keyHash, key, value }
    })
  })

/** Reads the receipt of an operation with these contents. Throws on one of another operation. */
const parseReceipt = (receipt: TezosReceipt, contents: ReadonlyArray<OperationContent>): Receipt => {
  const all = listOf(receipt.contents).map(recordOf)
  if (all.length !== contents.length)
    throw new TypeError(`${all.length} of ${contents.length} contents are answered`)
  const reason = findFailure(receipt)
  if (reason !== undefined) return { reason, deltas: [], fee: 0n, entries: [], transfers: [] }
  const metadata = all.map((each) => recordOf(each.metadata))
  const internal = metadata.flatMap((each) => listOf(each.internal_operation_results).map(recordOf))
  const results = [
    ...metadata.map(({ operation_result }) => recordOf(operation_result)),
    ...internal.map(({ result }) => recordOf(result))
  ]
  const [fees, moved] = [
    metadata.map(({ balance_updates }) => readUpdates(balance_updates)),
    results.map(({ balance_updates }) => readUpdates(balance_updates))
  ]
  const deltas = [...fees, ...moved].flatMap((each) => each.deltas)
  const calls = [
    // what the operation calls is what was sent, whatever the answer repeats of it
    ...contents.map(({ destination, parameters }, at) => ({
      destination,
      parameters,
      diffs: listOf(results[at]?.lazy_storage_diff)
    })),
    ...internal.map(({ destination, parameters, result }) => ({
      destination,
      parameters,
      diffs: listOf(recordOf(result).lazy_storage_diff)
    }))
  ]
  const paid = fees.flatMap((each) => each.deltas).reduce((sum, { units }) => sum - units, 0n)
  return {
    deltas,
    fee: paid + moved.reduce((sum, { burnt }) => sum + burnt, 0n),
    entries: calls.flatMap(readEntries),
    transfers: calls.map(readTransfer)
  }
}

/** Whether an entry of a map is the balance of an owner: its key is the owner, alone or with the token's number. */
const isBalanceOf = (entry: LedgerEntry, { address, token = "" }: Delta): boolean => {
  const { contract, id } = parseToken(token)
  const key = leavesOf(entry.key)
  const owners = key.flatMap((leaf) => parseMichelineAddress(leaf) ?? [])
  const numbers = key.flatMap((leaf) => parseNat(leaf) ?? [])
  return (
    entry.contract === contract &&
    key.length === owners.length + numbers.length &&
    owners.length === 1 &&
    owners[0] === address &&
    (numbers.length === 0 || (numbers.length === 1 && String(numbers[0]) === id))
  )
}

/** The number of a ledger's entry: a number alone, or the only one of a pair, as beside what the owner has approved. An absent one is 0. */
const parseHeld = (value: unknown): bigint | undefined => {
  if (value === undefined || value === null) return 0n
  const numbers = leavesOf(value).flatMap((leaf) => parseNat(leaf) ?? [])
  return numbers.length === 1 ? numbers[0] : undefined
}

/** What a map has before the operation; undefined where it has nothing. */
const readBefore = (rpc: TezosSimulationCalls, { keyHash, map }: LedgerEntry) =>
  Effect.catchIf(
    withAgreement<Micheline | undefined>(
      rpc.getBigMapValue({ bigMapId: map, scriptExpression: keyHash }),
      (one, other) => parseHeld(one) === parseHeld(other)
    ),
    (error): error is Extract<ReadError, { readonly _tag: "RequestRejected" }> =>
      error._tag === "RequestRejected" && error.status === 404,
    () => Effect.succeed(undefined)
  )

/** What moves of tokens, as their contracts keep it; `isKept` is false where they keep it in a form of their own. */
const readTokens = (rpc: TezosSimulationCalls, { entries, transfers }: Receipt) =>
  Effect.gen(function* () {
    const sums = new Map<string, Delta>()
    for (const delta of transfers.flat()) {
      const key = `${delta.address} ${delta.token}`
      sums.set(key, { ...delta, units: delta.units + (sums.get(key)?.units ?? 0n) })
    }
    let isKept = true
    const deltas: Array<Delta> = []
    for (const delta of sums.values()) {
      const found = entries.filter((each) => isBalanceOf(each, delta))
      // of several maps nobody says which one has the balances
      const entry = new Set(found.map(({ map }) => map)).size === 1 ? found.at(-1) : undefined
      const [had, has] =
        entry === undefined
          ? [undefined, undefined]
          : [parseHeld(yield* readBefore(rpc, entry)), parseHeld(entry.value)]
      const isTold = had !== undefined && has !== undefined
      isKept &&= isTold
      deltas.push(isTold ? { ...delta, units: has - had } : delta)
    }
    return { deltas, isKept }
  })

/** What two nodes have to agree on: what moves. */
const outlineOf = ({ deltas, reason, transfers }: Receipt): string =>
  JSON.stringify([
    reason === undefined,
    [...deltas, ...transfers.flat()].map(({ address, token, units }) => [address, token, String(units)])
  ])

/** The contents of a preview, whose fields may come from anywhere. */
const encodeContents = ({ from, transaction }: Prepared<TezosTransaction>) =>
  Effect.flatMap(
    checkBytes("simulate", () => makeContents(transaction)),
    (contents) => {
      const { amount, counter, fee, gasLimit, reveal, storageLimit, to } = transaction
      const numbers = [
        amount,
        counter,
        fee,
        gasLimit,
        storageLimit,
        reveal?.fee ?? 0n,
        reveal?.gasLimit ?? 0n
      ]
      const problem = numbers.some((each) => typeof each !== "bigint" || each < 0n)
        ? "amount, counter, fees and limits of its transaction must be bigint"
        : [from, to].some((each) => addressProblem(each) !== undefined)
          ? "its addresses are none of Tezos"
          : undefined
      return problem === undefined
        ? Effect.succeed(contents)
        : Effect.fail(invalidArgument("simulate", problem))
    }
  )

/** Simulates a prepared operation of Tezos. */
export const simulate = (
  { rpc }: TezosSimulationClient,
  row: NetworkRow,
  prepared: Prepared<TezosTransaction>
): Effect.Effect<SimulatedOutcome, SimulateError> =>
  Effect.gen(function* () {
    const { from, staking, to, transaction } = prepared
    const contents = yield* encodeContents(prepared)
    const answer = yield* orRefusal(
      withAgreement(
        rpc.simulateOperation({
          operation: { branch: transaction.branch, contents, signature: ZERO_SIGNATURE },
          chain_id: chainIdOf(row) ?? ""
        }),
        (one, other) => outlineOf(parseReceipt(one, contents)) === outlineOf(parseReceipt(other, contents))
      ),
      METHOD
    )
    if ("refusal" in answer) return failsBecause(answer.refusal, METHOD)
    const receipt = yield* Effect.try({
      try: () => parseReceipt(answer, contents),
      catch: (error): NodeError => makeMalformedError(METHOD, reasonOf(error))
    })
    const { fee, reason } = receipt
    if (reason !== undefined) return failsBecause(reason, METHOD)
    const tokens = yield* readTokens(rpc, receipt)
    // the account's own change is without the fee
    const deltas = [...receipt.deltas, ...tokens.deltas, { address: from, units: fee }]
    return {
      succeeds: true,
      changes: toChanges(deltas, row, prepared, (token) => toCaipAsset(row, token)),
      approvals: [],
      warnings: tokens.isKept
        ? []
        : [
            "The contract of a token keeps balances in a form of its own: what moves of it is what the calls say, and not what the contract keeps."
          ],
      method: METHOD,
      ...(staking === undefined ? { receiver: to } : {}),
      fee
    }
  })
