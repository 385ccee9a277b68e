/** What a payment of the XRP Ledger would change: by `simulate` of rippled, which runs it on the open ledger. */
import * as Effect from "effect/Effect"
import { caip2IdIn, xrpl } from "../../data/caip2.js"
import type { NetworkRow } from "../../data/Network.js"
import * as Units from "../../data/Units.js"
import { isRecord, sanitizeText } from "../../data/untrusted.js"
import { makeMalformedError } from "../evidence.js"
import type { Prepared, ReadError } from "../Signer.js"
import { invalidArgument } from "../signerChecks.js"
import type { BalanceChange, SimulatedOutcome, SimulateError } from "../simulation.js"
import { toOutgoing } from "../tokens.js"
import { parseDestination } from "./address.js"
import { toPaymentJson } from "./paymentJson.js"
import type { XrpTransaction } from "./Types.js"
import { DECIMALS, parseToken, parseUnits } from "./tokens.js"

/**
 * The calls that a simulation needs. Every client of the XRP Ledger has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface XrpSimulationCalls {
  readonly simulate: (
    transaction: ReturnType<typeof toPaymentJson>
  ) => Effect.Effect<
    { readonly engine_result: string; readonly engine_result_message: string; readonly meta?: unknown },
    ReadError
  >
}

/**
 * A client of the XRP Ledger, as far as simulations use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface XrpSimulationClient {
  readonly network: string
  readonly rpc: XrpSimulationCalls
}

const METHOD = "simulate"

/** What an address has more or less of the coin, or of a token (`CUR.rIssuer`). */
interface Delta {
  readonly address: string
  readonly token?: string
  readonly units: bigint
}

/** An entry of the ledger that the transaction changes: its fields after it, and those that had other values before. */
interface ChangedEntry {
  readonly type: unknown
  readonly fields: Readonly<Record<string, unknown>>
  readonly previous: Readonly<Record<string, unknown>>
  readonly isNew: boolean
}

const toRecord = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})

const parseEntry = (node: unknown): ChangedEntry => {
  const { CreatedNode, DeletedNode, ModifiedNode } = toRecord(node)
  const entry = toRecord(CreatedNode ?? ModifiedNode ?? DeletedNode)
  return {
    type: entry.LedgerEntryType,
    fields: toRecord(entry.NewFields ?? entry.FinalFields),
    previous: toRecord(entry.PreviousFields),
    isNew: CreatedNode !== undefined
  }
}

/** Drops, as text. Throws on anything else. */
const parseDrops = (value: unknown): bigint => {
  if (typeof value !== "string" || !/^\d{1,20}$/.test(value))
    throw new TypeError("a balance is no text of drops")
  return BigInt(value)
}

/** The change of an account's coins. */
const readRoot = ({ fields, isNew, previous }: ChangedEntry): ReadonlyArray<Delta> => {
  const before = previous.Balance ?? (isNew ? "0" : undefined)
  return before === undefined || typeof fields.Account !== "string"
    ? []
    : [{ address: fields.Account, units: parseDrops(fields.Balance) - parseDrops(before) }]
}

/** The balance of a trust line, as its lower account has it: below zero, the lower account is the issuer. */
const balanceOf = (value: unknown): bigint => parseUnits(toRecord(value).value)

/** The change of a trust line: for its holder, and the other way round for the issuer, who owes that. */
const readLine = ({ fields, isNew, previous }: ChangedEntry): ReadonlyArray<Delta> => {
  if (previous.Balance === undefined && !isNew) return []
  const [low, high] = [toRecord(fields.LowLimit).issuer, toRecord(fields.HighLimit).issuer]
  const { currency } = toRecord(fields.Balance)
  if (typeof low !== "string" || typeof high !== "string" || typeof currency !== "string")
    throw new TypeError("a trust line has no parties or no currency")
  const [had, has] = [isNew ? 0n : balanceOf(previous.Balance), balanceOf(fields.Balance)]
  const isLowHolder = has === 0n ? had > 0n : has > 0n
  const token = `${currency}.${isLowHolder ? high : low}`
  return [
    { address: low, token, units: has - had },
    { address: high, token, units: had - has }
  ]
}

const readers: Readonly<Record<string, (entry: ChangedEntry) => ReadonlyArray<Delta>>> = {
  AccountRoot: readRoot,
  RippleState: readLine
}

/** What a transaction has changed, by the entries of the ledger. Throws on what is no such list. */
const parseMeta = (meta: unknown): ReadonlyArray<Delta> => {
  const { AffectedNodes: nodes } = toRecord(meta)
  if (!Array.isArray(nodes)) throw new TypeError("it has no affected entries")
  const sums = new Map<string, Delta>()
  for (const entry of nodes.map(parseEntry)) {
    const type = String(entry.type)
    const deltas = Object.hasOwn(readers, type) ? (readers[type]?.(entry) ?? []) : []
    for (const delta of deltas) {
      const key = `${delta.address} ${delta.token ?? ""}`
      sums.set(key, { ...delta, units: (sums.get(key)?.units ?? 0n) + delta.units })
    }
  }
  return [...sums.values()]
}

/** The transaction of a preview, whose fields may come from anywhere. */
const findProblem = (
  { from, transaction }: Prepared<XrpTransaction>,
  network: string
): string | undefined => {
  const { amount, fee, most = 0n, tickets, to, token } = transaction
  if (tickets !== undefined) return "it makes tickets, and moves nothing but its fee"
  if ([amount, fee, most].some((each) => typeof each !== "bigint" || each < 0n))
    return "amount, fee and most of its transaction must be bigint"
  if (token !== undefined && parseToken(token) === undefined) return "its token is none of the ledger"
  return [from, to].some((each) => typeof parseDestination(each, network) === "string")
    ? "its addresses are none of the ledger"
    : undefined
}

/** Simulates a prepared payment of the XRP Ledger. */
export const simulate = (
  { network, rpc }: XrpSimulationClient,
  row: NetworkRow,
  prepared: Prepared<XrpTransaction>
): Effect.Effect<SimulatedOutcome, SimulateError> =>
  Effect.gen(function* () {
    const problem = findProblem(prepared, network)
    if (problem !== undefined) return yield* invalidArgument("simulate", problem)
    const { from, to, transaction } = prepared
    const { engine_result, engine_result_message, meta } = yield* Effect.catchIf(
      rpc.simulate(toPaymentJson(transaction, row.xrp?.networkId ?? 0)),
      (error) => error._tag === "RpcError" && error.rpcMessage.startsWith("unknownCmd"),
      () =>
        Effect.fail(
          invalidArgument(
            "simulate",
            `no node of the client has ${METHOD}, which it needs: that of rippled 2.4 and later`
          )
        )
    )
    const succeeds = engine_result === "tesSUCCESS"
    const deltas = yield* Effect.try({
      try: () => (succeeds ? parseMeta(meta) : []),
      catch: (error) =>
        makeMalformedError(METHOD, error instanceof Error ? error.message : "it cannot be read")
    })
    const toChange = ({ address, token, units }: Delta): BalanceChange => {
      const { decimals, symbol: asset } = row
      if (token === undefined) {
        const own = address === from ? units + transaction.fee : units
        return { address, asset, amount: Units.format(own, decimals), units: own, decimals }
      }
      const symbol = parseToken(token)?.symbol
      const id = `${caip2IdIn("xrpl", xrpl, network)}/token:${token}`
      const facts = { asset: id, decimals: DECIMALS, ...(symbol === undefined ? {} : { symbol }) }
      return { address, ...toOutgoing(token, units, facts), units, decimals: DECIMALS }
    }
    return {
      succeeds,
      ...(succeeds ? {} : { reason: sanitizeText(`${engine_result}: ${engine_result_message}`) }),
      changes: deltas.map(toChange).filter(({ units }) => units !== 0n),
      approvals: [],
      warnings: [],
      method: METHOD,
      receiver: to
    }
  })
