/**
 * What an account is asked to do with its stake, and the checks of it that all families share.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { InvalidArgument } from "../data/SdkError.js"
import type { AlgorandParticipation } from "./algorand/Types.js"
import type { Staking } from "./Signer.js"
import { invalidArgument } from "./signerChecks.js"

/**
 * What an account is to do with its stake. `amount` is a decimal string in whole coins, a bigint in the smallest unit, or `"all"`: of
 * what is put in all that the account can spend without the fee, of what is taken back or moved all that is there. Actions without an amount
 * take none. `from` is the validator that `redelegate` takes coins from. On Tron, `resource` is what a stake is for, and `receiver` the account
 * that gets it. On Solana, `stakeAccount` is the account that holds the coins. On
 * Algorand, `participation` are the keys of the caller's node. `maxFee` is the highest fee, in the same forms.
 *
 * @since 0.1.0
 * @category models
 */
export interface StakingRequest {
  readonly action: Staking["action"]
  readonly validator?: string
  readonly from?: string
  readonly receiver?: string
  readonly resource?: Staking["resource"]
  readonly stakeAccount?: string
  readonly participation?: AlgorandParticipation
  readonly amount?: string | bigint
  readonly maxFee?: string | bigint
}

/** The name of the call in errors. */
export const CALL = "prepareStaking"

/** What an action may take besides its name and `maxFee`. */
const details = [
  "validator",
  "from",
  "receiver",
  "stakeAccount",
  "participation",
  "resource",
  "amount"
] as const

type Rules<Action extends string> = Readonly<Record<Action, ReadonlyArray<(typeof details)[number]>>>

const isActionOf = <Action extends string>(rules: Rules<Action>, action: string): action is Action =>
  Object.hasOwn(rules, action)

/** A request whose action is one of a family, and takes what is given. */
export const checkRequest = <Action extends Staking["action"]>(
  request: StakingRequest,
  rules: Rules<Action>
): Effect.Effect<StakingRequest & { readonly action: Action }, InvalidArgument> => {
  const refuse = (reason: string) => Effect.fail(invalidArgument(CALL, reason))
  const { action } = request
  if (typeof action !== "string" || !isActionOf(rules, action))
    return refuse(`action must be ${Object.keys(rules).join(", ")}`)
  const taken = rules[action]
  for (const name of details) {
    if (taken.includes(name) && request[name] === undefined)
      return refuse(`${action} takes ${taken.join(", ")}`)
    if (!taken.includes(name) && request[name] !== undefined)
      return refuse(`${action} takes no ${name}${taken.length === 0 ? "" : `, but ${taken.join(", ")}`}`)
  }
  return Effect.succeed({ ...request, action })
}
