/**
 * What simulations of prepared transactions give.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { NetworkRow } from "../data/Network.js"
import type { InvalidArgument, LoadError, MissingPeer, NotSupportedForNetwork } from "../data/SdkError.js"
import * as Units from "../data/Units.js"
import { sanitizeText } from "../data/untrusted.js"
import type { Outgoing, Prepared, ReadError } from "./Signer.js"
import { invalidArgument } from "./signerChecks.js"
import { toOutgoing } from "./tokens.js"

/**
 * The difference that a transaction makes to what an address has of an asset. `units` is in the smallest unit and `amount` in whole coins
 * or tokens; both are negative for what leaves the address. The fee of the network is not in it. `asset` has the forms of
 * {@link Outgoing}; one item of a collection has an asset of its own (`eip155:1/erc721:0x…/17`), which has no decimals.
 *
 * @since 0.1.0
 * @category models
 */
export interface BalanceChange extends Outgoing {
  readonly address: string
  readonly units: bigint
  readonly decimals: number
}

/**
 * An allowance that a transaction gives: `spender` may take up to `units` (in the smallest unit) of an asset of the account from then on,
 * without being asked again. If it is `unlimited`, any amount; of a collection, which has no `units`, everything that the account has.
 *
 * @since 0.1.0
 * @category models
 */
export interface Approval extends Omit<Outgoing, "amount"> {
  readonly spender: string
  readonly amount?: string
  readonly unlimited: boolean
}

/**
 * The name of an asset for a person. What a token calls itself is not verified, so that its id is beside it.
 *
 * @since 0.1.0
 * @category conversions
 */
export const nameOf = ({ asset, symbol }: Pick<Outgoing, "asset" | "symbol">): string =>
  symbol === undefined ? asset : `${symbol} (${asset})`

/**
 * The sentence of a preview about an allowance.
 *
 * @since 0.1.0
 * @category conversions
 */
export const warnOfApproval = (approval: Approval): string => {
  const { amount, spender, unlimited } = approval
  const what =
    amount === undefined
      ? `all that the account has of ${nameOf(approval)}`
      : unlimited
        ? `any amount of ${nameOf(approval)}`
        : `up to ${amount} ${nameOf(approval)}`
  return `It would let ${spender} take ${what}.`
}

/**
 * What nodes say a transaction would do if it were sent now. If it does not succeed, `reason` says why, and nothing but the fee changes.
 * `changes` has the account's own first, `approvals` what others may take afterwards. `warnings` are sentences for a person: where the
 * result differs from the preview, and what is given to others. `method` is the nodes' method that it comes of.
 *
 * @since 0.1.0
 * @category models
 */
export interface Simulation {
  readonly network: string
  readonly address: string
  readonly succeeds: boolean
  readonly reason?: string
  readonly changes: ReadonlyArray<BalanceChange>
  readonly approvals: ReadonlyArray<Approval>
  readonly warnings: ReadonlyArray<string>
  readonly method: string
}

/**
 * What a family finds out about a transaction, to be compared with its preview. `receiver` is the address that a payment pays, and absent
 * for other transactions. `fee` is what the network takes, in the smallest unit, where the simulation says it. With `comesBack`, a part of what
 * the preview shows may come back. `warnings` are those that only the family knows.
 *
 * @since 0.1.0
 * @category models
 */
export interface SimulatedOutcome extends Omit<Simulation, "network" | "address"> {
  readonly receiver?: string
  readonly fee?: bigint
  readonly comesBack?: boolean
}

/**
 * What an address has more or less of the coin, or of a `token`, in the smallest unit.
 *
 * @since 0.1.0
 * @category models
 */
export interface Delta {
  readonly address: string
  readonly token?: string
  readonly units: bigint
}

/**
 * Something that an address pays another one, as the differences that it makes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const movesOf = (from: string, to: string, units: bigint, token?: string): ReadonlyArray<Delta> => {
  const what = token === undefined ? {} : { token }
  return [
    { address: from, ...what, units: -units },
    { address: to, ...what, units }
  ]
}

/** How a preview calls a token. One that it does not show has no more than its id, and is counted in its smallest unit. */
const findShownToken = (
  { outgoing }: Prepared<unknown>,
  token: string,
  assetOf: (token: string) => string
): Pick<Outgoing, "asset" | "symbol"> & { readonly decimals: number } => {
  const shown = outgoing.find((each) => each.token === token)
  return shown === undefined
    ? { asset: assetOf(token), decimals: 0 }
    : {
        asset: shown.asset,
        decimals: shown.decimals ?? 0,
        ...(shown.symbol === undefined ? {} : { symbol: shown.symbol })
      }
}

/**
 * The changes that differences add up to, by address and asset. `assetOf` is the id (CAIP-19) of a token that the preview does not show.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toChanges = (
  deltas: ReadonlyArray<Delta>,
  { decimals, symbol: asset }: NetworkRow,
  prepared: Prepared<unknown>,
  assetOf: (token: string) => string
): ReadonlyArray<BalanceChange> => {
  const sums = new Map<string, Delta>()
  for (const delta of deltas) {
    const key = `${delta.address} ${delta.token ?? ""}`
    sums.set(key, { ...delta, units: (sums.get(key)?.units ?? 0n) + delta.units })
  }
  return [...sums.values()]
    .filter(({ units }) => units !== 0n)
    .map(({ address, token, units }) => {
      if (token === undefined)
        return { address, asset, amount: Units.format(units, decimals), units, decimals }
      const shown = findShownToken(prepared, token, assetOf)
      return { address, ...toOutgoing(token, units, shown), units, decimals: shown.decimals }
    })
}

/**
 * What a transaction would do that fails: nothing, for a reason.
 *
 * @since 0.1.0
 * @category constructors
 */
export const failsBecause = (reason: string, method: string): SimulatedOutcome => ({
  succeeds: false,
  reason: sanitizeText(reason),
  changes: [],
  approvals: [],
  warnings: [],
  method
})

/**
 * The answer of a node that tries a transaction, or the reason why it would not even begin. Fails with `InvalidArgument` if no node has the
 * method.
 *
 * @since 0.1.0
 * @category operations
 */
export const orRefusal = <A extends object>(
  trial: Effect.Effect<A, ReadError>,
  method: string,
  lacking: ReadonlyArray<number> = [404, 405, 501]
): Effect.Effect<A | { readonly refusal: string }, ReadError> =>
  Effect.catchAll(trial, (error): Effect.Effect<{ readonly refusal: string }, ReadError> => {
    if (error._tag !== "RequestRejected") return Effect.fail(error)
    return lacking.includes(error.status)
      ? Effect.fail(invalidArgument("simulate", `no node of the client has ${method}, which it needs`))
      : Effect.succeed({ refusal: error.message })
  })

/**
 * The errors of a simulation. A transaction that would fail is none of them: see {@link Simulation}.
 *
 * @since 0.1.0
 * @category errors
 */
export type SimulateError = ReadError | InvalidArgument | LoadError | MissingPeer | NotSupportedForNetwork

/**
 * What a transaction does that a simulation does not know: a field that is none of those which it reads. Undefined if there is none.
 *
 * @since 0.1.0
 * @category predicates
 */
export const findUnknownField = <Tx extends object>(
  transaction: Tx,
  known: ReadonlyArray<keyof Tx & string>
): string | undefined => {
  const fields: ReadonlyArray<string> = known
  const [unknown] =
    Object.entries(transaction).find(([name, value]) => value !== undefined && !fields.includes(name)) ?? []
  return unknown === undefined
    ? undefined
    : `its transaction has ${unknown}, which simulations of this network do not try`
}

/**
 * What a family implements.
 *
 * @since 0.1.0
 * @category types
 */
export type SimulateFamily<Client, Tx> = (
  client: Client,
  row: NetworkRow,
  prepared: Prepared<Tx>
) => Effect.Effect<SimulatedOutcome, SimulateError>
