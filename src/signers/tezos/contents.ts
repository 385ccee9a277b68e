/** Payments of Tezos as the contents of an operation. */
import type { Micheline, OperationContent } from "../../chains/Tezos.js"
import { tokenOf } from "./address.js"
import type { TezosTransaction } from "./Types.js"

const pair = (...args: ReadonlyArray<Micheline>): Micheline => ({ prim: "Pair", args })

/** What `transfer` of a token takes: by TZIP-7 (FA1.2), or by TZIP-12 (FA2), where the token has a number. */
const transferOf = ({ amount, from, to }: TezosTransaction, id: string | undefined): Micheline => {
  const value: Micheline = { int: String(amount) }
  return id === undefined
    ? pair({ string: from }, pair({ string: to }, value))
    : [pair({ string: from }, [pair({ string: to }, pair({ int: id }, value))])]
}

/** The contents of a payment: the public key where it has to be told, and the payment. */
export const contentsOf = (transaction: TezosTransaction): ReadonlyArray<OperationContent> => {
  const { amount, counter, fee, from: source, gasLimit, reveal, storageLimit, to, token } = transaction
  const paid = token === undefined ? undefined : tokenOf(token)
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
      : { parameters: { entrypoint: "transfer", value: transferOf(transaction, paid.id) } })
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
