import * as Effect from "effect/Effect"
import { type Address, classify, readRefusal } from "../chains/Xrp.js"
import { numberIntegers } from "../data/integers.js"
import { isRecord } from "../data/untrusted.js"
import { recaseDeep } from "../wire/casing.js"
import type { Follower, SocketDialect, SubscriptionDeclaration, SubscriptionTable } from "./declaration.js"
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
const ONLY_SUBSCRIPTION = "own"

/** Commands have their fields beside their name; messages have a type, and only responses an id. */
const xrpDialect: SocketDialect = {
  encode: (id, command, [fields]) => ({ id, command, ...Object(fields) }),
  decode: (message) => {
    if (message.type !== "response") return { params: { subscription: ONLY_SUBSCRIPTION, result: message } }
    const { id } = message
    const no = readRefusal(message)
    if (no !== undefined) return { id, error: { code: no.code ?? 0, message: no.message } }
    // what the server says of itself is read, and other answers are to subscriptions
    const { result } = message
    return { id, result: isRecord(result) && isRecord(result.info) ? result : ONLY_SUBSCRIPTION }
  }
}

/** Reads the messages of a type. */
const decoderOf =
  <A extends { readonly type: string }>(type: A["type"]) =>
  (message: unknown): A => {
    if (!isRecord(message) || message.type !== type) throw new Error(`a message that is no ${type}`)
    // the fields are the server's word, as they are in its answers
    return message as unknown as A
  }

const declareStream = <A extends { readonly type: string }>(
  name: string,
  type: A["type"]
): SubscriptionDeclaration<[], A> => ({
  method: "subscribe",
  arity: 0,
  params: () => [{ streams: [name] }],
  decode: decoderOf<A>(type)
})

const checkList = (values: unknown, what: string): ReadonlyArray<unknown> => {
  if (Array.isArray(values) && values.length > 0) return values
  throw new Error(`${what} must be a list that is not empty`)
}

const declareAccounts = (
  name: string
): SubscriptionDeclaration<[accounts: ReadonlyArray<Address>], TransactionMessage> => ({
  method: "subscribe",
  arity: 1,
  params: (accounts) => [{ [name]: checkList(accounts, "the accounts") }],
  decode: decoderOf<TransactionMessage>("transaction")
})

const books: SubscriptionDeclaration<[books: ReadonlyArray<BookSubscription>], TransactionMessage> = {
  method: "subscribe",
  arity: 1,
  params: (wanted) => [{ books: recaseDeep(checkList(wanted, "the books"), "snake", []) }],
  decode: decoderOf<TransactionMessage>("transaction")
}

/** No server is so many ledgers behind another, a quarter of an hour: then the other one made its ledger up. */
const MAX_LEDGERS_BEHIND = 256

/** Leaves out what a server that is behind the one before it tells again. */
const makeLedgerFollower = (): Follower<LedgerClosed> => {
  let lastIndex = 0
  return {
    handle: (event) =>
      Effect.sync(() => {
        if (event._tag !== "Item") return []
        const { ledger_index: index } = event.item
        if (index <= lastIndex && index > lastIndex - MAX_LEDGERS_BEHIND) return []
        lastIndex = index
        return [event.item]
      })
  }
}

const ledgerStream = /*#__PURE__*/ declareStream<LedgerClosed>("ledger", "ledgerClosed")

const ledger: SubscriptionDeclaration<[], LedgerClosed> = {
  ...ledgerStream,
  decode: (message) => {
    const closed = ledgerStream.decode(message)
    if (!Number.isSafeInteger(closed.ledger_index)) throw new Error("a ledger without its index")
    return closed
  },
  makeFollower: makeLedgerFollower
}

/** The ports that servers have for calls, by their sample configuration and on public servers, and those of sockets. */
const socketPorts = new Map([
  ["5005", "6006"],
  ["51234", "51233"]
])

const withSocketPort = (url: string): string => {
  const at = new URL(url)
  at.port = socketPorts.get(at.port) ?? at.port
  return at.href.replace(/\/$/, "")
}

/** The subscriptions of the XRP Ledger. */
export const table: SubscriptionTable = {
  declarations: {
    ledger,
    transactions: declareStream<TransactionMessage>("transactions", "transaction"),
    transactionsProposed: declareStream<TransactionMessage>("transactions_proposed", "transaction"),
    accounts: declareAccounts("accounts"),
    accountsProposed: declareAccounts("accounts_proposed"),
    books,
    bookChanges: declareStream<BookChangesMessage>("book_changes", "bookChanges"),
    validations: declareStream<ValidationReceived>("validations", "validationReceived"),
    manifests: declareStream<ManifestReceived>("manifests", "manifestReceived"),
    consensus: declareStream<ConsensusPhase>("consensus", "consensusPhase"),
    peerStatus: declareStream<PeerStatusChange>("peer_status", "peerStatusChange"),
    server: declareStream<ServerStatusChange>("server", "serverStatus")
  } satisfies { readonly [K in keyof XrpSubscriptions]: unknown },
  ping: "ping",
  integers: numberIntegers,
  numbers: [],
  classify,
  dialect: xrpDialect,
  toSocketUrl: withSocketPort
}
