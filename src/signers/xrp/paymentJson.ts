/** Payments with the names of the ledger, as servers and libraries read them. */
import { bytesToHex } from "../../data/hex.js"
import type { XrpTransaction } from "./Types.js"
import { formatUnits, parseToken } from "./tokens.js"

/** An amount with the names of the ledger. */
const toLedgerAmount = (amount: bigint, token: string | undefined): unknown => {
  if (token === undefined) return String(amount)
  const { currency, issuer } = parseToken(token) ?? {}
  return { currency, issuer, value: formatUnits(amount) }
}

/** Transactions of networks with ids above this one name their network, and others must not. */
const LAST_IMPLICIT_NETWORK_ID = 1_024

const toMemoData = (memo: string): string => bytesToHex(new TextEncoder().encode(memo)).toUpperCase()

/** A payment with the names of the ledger, without its number, its last ledger and its key. */
export const toPaymentJson = (
  { amount, fee, from, memo, most, tag, to, token }: XrpTransaction,
  networkId: number
) =>
  ({
    TransactionType: "Payment",
    ...(networkId > LAST_IMPLICIT_NETWORK_ID ? { NetworkID: networkId } : {}),
    Account: from,
    Destination: to,
    Amount: toLedgerAmount(amount, token),
    Fee: String(fee),
    // no payment in parts: the receiver gets all of the amount
    Flags: 0,
    DestinationTag: tag,
    ...(most === undefined ? {} : { SendMax: toLedgerAmount(most, token) }),
    ...(memo === undefined ? {} : { Memos: [{ Memo: { MemoData: toMemoData(memo) } }] })
  }) as const
