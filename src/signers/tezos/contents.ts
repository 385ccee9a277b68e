/** Payments and staking of Tezos as the contents of an operation. */
import type { Micheline, OperationContent } from "../../chains/Tezos.js"
import { parseToken } from "./address.js"
import type { TezosTransaction } from "./Types.js"

const makePair = (...args: ReadonlyArray<Micheline>): Micheline => ({ prim: "Pair", args })

/** The parameters of a token's `transfer`: by TZIP-7 (FA1.2), or by TZIP-12 (FA2) for tokens with an id. */
const makeTransferParameters = (
  { amount, from, to }: TezosTransaction,
  id: string | undefined
): Micheline => {
  const value: Micheline = { int: String(amount) }
  return id === undefined
    ? makePair({ string: from }, makePair({ string: to }, value))
    : [makePair({ string: from }, [makePair({ string: to }, makePair({ int: id }, value))])]
}

/** What a content does: a payment in coins or in a token. */
const makePaymentPart = (transaction: TezosTransaction): OperationContent => {
  const { amount, to, token } = transaction
  if (token === undefined) return { kind: "transaction", amount: String(amount), destination: to }
  const { contract, id } = parseToken(token)
  return {
    kind: "transaction",
    amount: "0",
    destination: contract,
    parameters: { entrypoint: "transfer", value: makeTransferParameters(transaction, id) }
  }
}

/** What a content does with the stake of its account: names its baker, or calls one of the entrypoints that all accounts have. */
const makeStakingPart = (
  { amount, from, to }: TezosTransaction,
  action: NonNullable<TezosTransaction["staking"]>["action"]
): OperationContent => {
  switch (action) {
    case "delegate":
      return { kind: "delegation", delegate: to }
    case "undelegate":
      return { kind: "delegation" }
    case "stake":
    case "unstake":
    case "finalize_unstake":
      return {
        kind: "transaction",
        amount: String(amount),
        destination: from,
        parameters: { entrypoint: action, value: { prim: "Unit" } }
      }
    default:
      throw new Error(`staking.action must be ${stakingActions.join(", ")}`)
  }
}

export const stakingActions = ["delegate", "undelegate", "stake", "unstake", "finalize_unstake"] as const

/** The contents of an operation: the reveal of the public key, if it is needed, and the payment or what is staked. */
export const makeContents = (transaction: TezosTransaction): ReadonlyArray<OperationContent> => {
  const { counter, fee, from: source, gasLimit, reveal, staking, storageLimit } = transaction
  const { kind, ...part } =
    staking === undefined ? makePaymentPart(transaction) : makeStakingPart(transaction, staking.action)
  const payment: OperationContent = {
    kind,
    source,
    fee: String(fee),
    counter: String(counter),
    gas_limit: String(gasLimit),
    storage_limit: String(storageLimit),
    ...part
  }
  return reveal === undefined
    ? [payment]
    : [
        {
          kind: "reveal",
          source,
          fee: String(reveal.fee),
          counter: String(counter - 1n),
          gas_limit: String(reveal.gasLimit),
          storage_limit: "0",
          public_key: reveal.publicKey
        },
        payment
      ]
}
