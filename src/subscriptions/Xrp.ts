import * as Effect from "effect/Effect"
import { type Address, classify, refused } from "../chains/Xrp.js"
import { isRecord } from "../data/foreign.js"
import { numberIntegers } from "../data/integers.js"
import { recaseDeep } from "../wire/casing.js"
import type { Declaration, Follower, Speech, SubscriptionTable } from "./declaration.js"
import type {
  BookChangesMessage,
  BookSubscription,
  ConsensusPhase,
  LedgerClosed,
  ManifestReceived,
  PeerStatusChange,
  ServerStatusChange,
  TransactionMessage,
  ValidationReceived,
  XrpSubscriptions
} from "./Subscription.js"

/** The one subscription of a socket. */
const own = "own"

/** Commands have their fields beside their name; messages have a type, and only responses an id. */
const speech: Speech = {
  ask: (id, command, [fields]) => ({ id, command, ...Object(fields) }),
  hear: (message) => {
    if (message.type !== "response") return { params: { subscription: own, result: message } }
    const { id } = message
    const no = refused(message)
    if (no !== undefined) return { id, error: { code: no.code ?? 0, message: no.message } }
    // what the server says of itself is read, and other answers are to subscriptions
    const { result } = message
    return { id, result: isRecord(result) && isRecord(result.info) ? result : own }
  }
}

/** Reads the messages of a type. */
const ofType =
  <A extends { readonly type: string }>(type: A["type"]) =>
  (message: unknown): A => {
    if (!isRecord(message) || message.type !== type) throw new Error(`a message that is no ${type}`)
    // the fields are the server's word, as they are in its answers
    return message as unknown as A
  }

const stream = <A extends { readonly type: string }>(name: string, type: A["type"]): Declaration<[], A> => ({
  method: "subscribe",
  arity: 0,
  params: () => [{ streams: [name] }],
  decode: ofType<A>(type)
})

const listOf = (values: unknown, what: string): ReadonlyArray<unknown> => {
  if (Array.isArray(values) && values.length > 0) return values
  throw new Error(`${what} must be a list that is not empty`)
}

const ofAccounts = (name: string): Declaration<[accounts: ReadonlyArray<Address>], TransactionMessage> => ({
  method: "subscribe",
  arity: 1,
  params: (accounts) => [{ [name]: listOf(accounts, "the accounts") }],
  decode: ofType<TransactionMessage>("transaction")
})

const books: Declaration<[books: ReadonlyArray<BookSubscription>], TransactionMessage> = {
  method: "subscribe",
  arity: 1,
  params: (wanted) => [{ books: recaseDeep(listOf(wanted, "the books"), "snake", []) }],
  decode: ofType<TransactionMessage>("transaction")
}

/** No server is so many ledgers behind another, a quarter of an hour: then the other one made its ledger up. */
const BEHIND = 256

/** Leaves out what a server that is behind the one before it tells again. */
const followLedgers = (): Follower<LedgerClosed> => {
  let last = 0
  return {
    on: (event) =>
      Effect.sync(() => {
        if (event._tag !== "Item") return []
        const { ledger_index: index } = event.item
        if (index <= last && index > last - BEHIND) return []
        last = index
        return [event.item]
      })
  }
}

const ledgerClosed = /*#__PURE__*/ stream<LedgerClosed>("ledger", "ledgerClosed")

const ledger: Declaration<[], LedgerClosed> = {
  ...ledgerClosed,
  decode: (message) => {
    const closed = ledgerClosed.decode(message)
    if (!Number.isSafeInteger(closed.ledger_index)) throw new Error("a ledger without its index")
    return closed
  },
  follow: followLedgers
}

/** The ports that servers have for calls, by their sample configuration and on public servers, and those of sockets. */
const ports = new Map([
  ["5005", "6006"],
  ["51234", "51233"]
])

const besidePort = (url: string): string => {
  const at = new URL(url)
  at.port = ports.get(at.port) ?? at.port
  return at.href.replace(/\/$/, "")
}

/** The subscriptions of the XRP Ledger. */
export const table: SubscriptionTable = {
  declarations: {
    ledger,
    transactions: stream<TransactionMessage>("transactions", "transaction"),
    transactionsProposed: stream<TransactionMessage>("transactions_proposed", "transaction"),
    accounts: ofAccounts("accounts"),
    accountsProposed: ofAccounts("accounts_proposed"),
    books,
    bookChanges: stream<BookChangesMessage>("book_changes", "bookChanges"),
    validations: stream<ValidationReceived>("validations", "validationReceived"),
    manifests: stream<ManifestReceived>("manifests", "manifestReceived"),
    consensus: stream<ConsensusPhase>("consensus", "consensusPhase"),
    peerStatus: stream<PeerStatusChange>("peer_status", "peerStatusChange"),
    server: stream<ServerStatusChange>("server", "serverStatus")
  } satisfies { readonly [K in keyof XrpSubscriptions]: unknown },
  ping: "ping",
  integers: numberIntegers,
  numbers: [],
  classify,
  speech,
  socketUrl: besidePort
}
