/** Payments of Tezos as the contents of an operation. */
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

/** The contents of a payment's operation: the reveal of the public key, if it is needed, and the payment. */
export const makeContents = (transaction: TezosTransaction): ReadonlyArray<OperationContent> => {
  const { amount, counter, fee, from: source, gasLimit, reveal, storageLimit, to, token } = transaction
  const paid = token === undefined ? undefined : parseToken(token)
  const payment: OperationContent = {
    kind: "transaction",
    source,
    fee: String(fee),
    counter: String(counter),
    gas_limit: String(gasLimit),
    storage_limit: String(storageLimit),
    amount: paid === undefined ? String(amount) : "0",
    destination: paid === undefined ? to : paid.contract,
    ...(paid === undefined
      ? {}
      : { parameters: { entrypoint: "transfer", value: makeTransferParameters(transaction, paid.id) } })
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
