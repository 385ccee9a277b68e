/** Payments with the names of the ledger, as servers and libraries read them. */
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { isRecord } from "../../data/untrusted.js"
import type { XrpTransaction } from "./Types.js"
import { formatUnits, parseToken, parseUnits } from "./tokens.js"

/** An amount with the names of the ledger. */
const toLedgerAmount = (amount: bigint, token: string | undefined): unknown => {
  if (token === undefined) return String(amount)
  const { currency, issuer } = parseToken(token) ?? {}
  return { currency, issuer, value: formatUnits(amount) }
}

/** Transactions of networks with ids above this one name their network, and others must not. */
const LAST_IMPLICIT_NETWORK_ID = 1_024

const toMemoData = (memo: string): string => bytesToHex(new TextEncoder().encode(memo)).toUpperCase()

/** The fields that all transactions have. */
const toSharedFields = ({ fee, from, ticket }: XrpTransaction, networkId: number) => ({
  ...(networkId > LAST_IMPLICIT_NETWORK_ID ? { NetworkID: networkId } : {}),
  Account: from,
  Fee: String(fee),
  // no payment in parts: the receiver gets all of the amount
  Flags: 0,
  ...(ticket === undefined ? {} : { TicketSequence: ticket })
})

/** A payment with the names of the ledger, without its sequence, its last ledger and its key. */
export const toPaymentJson = (transaction: XrpTransaction, networkId: number) => {
  const { amount, memo, most, tag, to, token } = transaction
  return {
    TransactionType: "Payment",
    ...toSharedFields(transaction, networkId),
    Destination: to,
    Amount: toLedgerAmount(amount, token),
    DestinationTag: tag,
    ...(most === undefined ? {} : { SendMax: toLedgerAmount(most, token) }),
    ...(memo === undefined ? {} : { Memos: [{ Memo: { MemoData: toMemoData(memo) } }] })
  } as const
}

/** A payment, or a transaction that makes tickets, in the same form. */
export const toTransactionJson = (transaction: XrpTransaction, networkId: number) =>
  transaction.tickets === undefined
    ? toPaymentJson(transaction, networkId)
    : {
        TransactionType: "TicketCreate",
        ...toSharedFields(transaction, networkId),
        TicketCount: transaction.tickets
      }

const fromLedgerAmount = (amount: unknown): Pick<XrpTransaction, "amount" | "token"> => {
  if (typeof amount === "string") return { amount: BigInt(amount) }
  if (!isRecord(amount)) throw new Error("it pays no amount")
  return { amount: parseUnits(amount.value), token: `${String(amount.currency)}.${String(amount.issuer)}` }
}

/** The text of a payment's only memo. */
const fromMemos = (memos: unknown): string => {
  const [first]: ReadonlyArray<unknown> = Array.isArray(memos) ? memos : []
  const memo = isRecord(first) && isRecord(first.Memo) ? first.Memo : {}
  return new TextDecoder().decode(hexToBytes(String(memo.MemoData)))
}

/** Reads a payment. What it has besides is not in it: whoever reads it writes it again, and compares. */
export const fromPaymentJson = (json: Readonly<Record<string, unknown>>): XrpTransaction => {
  if (json.TransactionType !== "Payment") throw new Error("it is no payment")
  return {
    from: String(json.Account),
    to: String(json.Destination),
    ...(json.DestinationTag === undefined ? {} : { tag: Number(json.DestinationTag) }),
    ...fromLedgerAmount(json.Amount),
    ...(json.SendMax === undefined ? {} : { most: fromLedgerAmount(json.SendMax).amount }),
    ...(json.Memos === undefined ? {} : { memo: fromMemos(json.Memos) }),
    fee: BigInt(String(json.Fee)),
    sequence: Number(json.Sequence),
    lastLedger: Number(json.LastLedgerSequence)
  }
}
