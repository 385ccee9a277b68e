/**
 * Signers of the XRP Ledger, over `ripple-keypairs` and `ripple-binary-codec`: payments in XRP and in issued tokens, with the ledger's
 * reserves and tags. Each payment names the last ledger that can have it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { OnThisEffect } from "../data/effectVersion.js"
import { loadOnce, loadPeer } from "../data/loadOnce.js"
import type { LoadError, NodeError } from "../data/SdkError.js"
import { withRequest } from "./accountKey.js"
import type { ReadError, SignerError, WithPolicy } from "./Signer.js"
import { assembleSigner, makeCosign, type PaymentTerms, refuseNull } from "./SignerDefinition.js"
import { makeSequencedOperations } from "./sequencedOperations.js"
import { catchMalformedAnswer, invalidArgument, loadNetworkRow, trySigning } from "./signerChecks.js"
import { makeAccount, type RippleModule } from "./xrp/accounts.js"
import { makeBroadcaster } from "./xrp/broadcaster.js"
import { prepare, type SignerContext } from "./xrp/payments.js"
import { readAccountRoot, readLatestLedger, waitForConfirmations } from "./xrp/reading.js"
import type { Account, CompleteTransaction } from "./xrp/ripple.js"
import type { XrpClient, XrpFrom, XrpSigner, XrpTransaction } from "./xrp/Types.js"
import { describeTickets, MAX_TICKETS } from "./xrp/ticketCounts.js"
import { formatUnits } from "./xrp/tokens.js"

export { addressProblem } from "./xrp/address.js"
export type * from "./xrp/Types.js"

/** The account on its network, and what signs for it. */
interface OwnAccount extends SignerContext {
  readonly ripple: RippleModule
  readonly account: Account
}

/** How many ledgers after the newest one can have a payment: a little more than a minute. */
const VALID_LEDGERS = 20

/** What lists and uses tickets, which most accounts have none of. */
const loadTickets = /*#__PURE__*/ loadOnce(() => import("./xrp/tickets.js"), Effect.succeed)

/** How a transaction names the ticket that it is from, or how many it makes, in a way that the ledger lacks; undefined if it does not. */
const findProblem = ({ sequence = 0, ticket, tickets = 1 }: XrpTransaction): string | undefined => {
  const isCount = (value: number, most: number) => Number.isSafeInteger(value) && value >= 1 && value <= most
  if (!isCount(tickets, MAX_TICKETS)) return `tickets must be a whole number from 1 to ${MAX_TICKETS}`
  if (ticket === undefined) return undefined
  if (!isCount(ticket, 2 ** 32 - 1)) return "its ticket must be a whole number from 1 to 4294967295"
  return sequence === 0 ? undefined : "it is paid from a ticket, so its sequence is 0"
}

const isComplete = (transaction: XrpTransaction): transaction is CompleteTransaction =>
  transaction.sequence !== undefined && transaction.lastLedger !== undefined

/** A payment with the sequence after the newest one that may still get into a ledger. Any later sequence would wait forever. */
const completeTransaction = (
  { address, rpc }: SignerContext,
  transaction: XrpTransaction,
  newest: CompleteTransaction | undefined
): Effect.Effect<CompleteTransaction, ReadError> => {
  const { lastLedger, ticket } = transaction
  if (ticket !== undefined)
    return Effect.map(
      lastLedger === undefined
        ? Effect.map(readLatestLedger(rpc), ({ seq }) => seq + VALID_LEDGERS)
        : Effect.succeed(lastLedger),
      (last) => ({ ...transaction, sequence: 0, lastLedger: last })
    )
  return Effect.flatMap(
    Effect.all([readAccountRoot(rpc, address), readLatestLedger(rpc)], { concurrency: "unbounded" }),
    ([root, { seq }]) => {
      if (root === undefined) return Effect.fail(invalidArgument("sign", `${address} has no account yet`))
      // tickets have the numbers after that of the transaction that makes them
      const after =
        newest === undefined || newest.lastLedger <= seq ? 0 : newest.sequence + 1 + (newest.tickets ?? 0)
      return Effect.succeed({
        ...transaction,
        sequence: transaction.sequence ?? Math.max(root.sequence, after),
        lastLedger: lastLedger ?? seq + VALID_LEDGERS
      })
    }
  )
}

const readPaymentTerms = ({ amount, fee, from, most, to, token }: XrpTransaction): PaymentTerms => ({
  ...{ amount, fee, from, to, token },
  ...(token === undefined && most === undefined ? {} : { spent: formatUnits(most ?? amount) })
})

const readTerms = (transaction: XrpTransaction): PaymentTerms => {
  const { fee, from, tickets } = transaction
  return tickets === undefined
    ? readPaymentTerms(transaction)
    : { amount: 0n, fee, from, to: from, token: undefined }
}

/** What members sign. Throws unless it is a payment. */
const readSharedTerms = (transaction: XrpTransaction): PaymentTerms => {
  const problem =
    transaction.tickets === undefined ? findProblem(transaction) : "it makes tickets, and is no payment"
  if (problem !== undefined) throw new Error(problem)
  return readPaymentTerms(transaction)
}

const withTickets = <A, E>(
  call: string,
  use: (tickets: typeof import("./xrp/tickets.js")) => Effect.Effect<A, E>
): Effect.Effect<A, E | LoadError | NodeError> => catchMalformedAnswer(Effect.flatMap(loadTickets, use), call)

const makeSigner = (own: OwnAccount, given: WithPolicy): XrpSigner => {
  const { account, address, network, ripple, row, rpc } = own
  const networkId = row.xrp?.networkId ?? 0
  return {
    ...assembleSigner<XrpTransaction>(
      {
        network,
        address,
        ...makeSequencedOperations<XrpTransaction, CompleteTransaction>({
          address,
          isComplete: isComplete,
          completeTransaction: (transaction, newest) => completeTransaction(own, transaction, newest),
          findOtherNumber: ({ ticket }) => (ticket === undefined ? undefined : { address, nonce: ticket }),
          signTransaction: (transaction) =>
            trySigning(
              (request) => ripple.signTransaction(withRequest(account, request), transaction, networkId),
              transaction
            ),
          makeBroadcaster: (transaction) => makeBroadcaster(own, transaction),
          waitForConfirmations: (hash, transaction, confirmations) =>
            waitForConfirmations(rpc, hash, transaction, confirmations)
        }),
        signMessage: (message) =>
          trySigning((request) => ripple.signMessage(withRequest(account, request), message)),
        readTerms,
        findProblem,
        isAsPreviewed: ({ transaction: { tickets }, warnings }) =>
          tickets === undefined || warnings.includes(describeTickets(tickets)),
        isIndependent: ({ ticket }) => ticket !== undefined,
        prepare: (payment) => prepare(own, payment)
      },
      given
    ),
    publicKey: account.publicKey,
    listTickets: () => withTickets("listTickets", (tickets) => tickets.readTickets(rpc, address)),
    prepareTickets: (request) =>
      withTickets("prepareTickets", (tickets) => tickets.prepareTickets(own, request)),
    prepareFromTicket: (payment) =>
      withTickets("prepareFromTicket", (tickets) => tickets.prepareFromTicket(own, payment)),
    cosign: makeCosign<XrpTransaction>({
      network,
      address,
      policy: given.policy,
      readTerms: readSharedTerms,
      sign: (transaction) =>
        trySigning(
          (request) => ripple.cosignTransaction(withRequest(account, request), transaction, networkId),
          transaction
        )
    })
  }
}

/**
 * Makes a signer of the XRP Ledger from a mnemonic (`m/44'/144'/0'/0/index`), a private key (a family seed, or 32 bytes as
 * hexadecimal), or a public key and a function that signs. Make one signer per account and process: it numbers the payments.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (client: XrpClient, from: OnThisEffect<XrpFrom>): Effect.Effect<XrpSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, nodes, rpc } = client
    const row = yield* loadNetworkRow(network, ["xrp"])
    const ripple = yield* loadPeer(
      "ripple-keypairs ripple-binary-codec @noble/curves",
      () => import("./xrp/ripple.js")
    )
    const account = yield* makeAccount(ripple, from)
    return makeSigner(
      {
        network,
        nodes,
        rpc,
        row,
        ripple,
        account,
        address: account.address,
        key: account.key
      },
      from
    )
  }).pipe(Effect.map(refuseNull))
