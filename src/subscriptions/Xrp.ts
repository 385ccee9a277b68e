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

/** Translates commands and messages. A command has its fields beside its name; a message has a type, and only responses have an id. */
const xrpDialect: SocketDialect = {
  encode: (id, command, [fields]) => ({ id, command, ...Object(fields) }),
  decode: (message) => {
    if (message.type !== "response") return { params: { subscription: ONLY_SUBSCRIPTION, result: message } }
    const { id } = message
    const no = readRefusal(message)
    if (no !== undefined) return { id, error: { code: no.code ?? 0, message: no.message } }
    // a response that reports the server's state has a result; other responses belong to subscriptions
    const { result } = message
    return { id, result: isRecord(result) && isRecord(result.info) ? result : ONLY_SUBSCRIPTION }
  }
}

/** Reads the messages of a type. */
const decoderOf =
  <A extends { readonly type: string }>(type: A["type"]) =>
  (message: unknown): A => {
    if (!isRecord(message) || message.type !== type) throw new Error(`a message that is no ${type}`)
    // the fields stay as the server sent them
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

/** The most ledgers that an honest server is behind another (a quarter of an hour). With a larger gap, the higher ledger is made up. */
const MAX_LEDGERS_BEHIND = 256

/** Leaves out what a server repeats that is behind the previous one. */
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

/** Ports of calls and the ports of sockets that belong to them, by the sample configuration and on public servers. */
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
