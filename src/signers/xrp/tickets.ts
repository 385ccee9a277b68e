/** Tickets of an account of the XRP Ledger: numbers that are set aside, for payments that need not wait for each other. */
import * as Effect from "effect/Effect"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import * as caps from "../caps.js"
import { makeMalformedError } from "../evidence.js"
import type { Prepared, PrepareError, ReadError } from "../Signer.js"
import { checkBalance, checkFeeCap, invalidArgument } from "../signerChecks.js"
import { findKeyProblem, prepare, type SignerContext } from "./payments.js"
import {
  NO_ACCOUNT,
  readAccountRoot,
  readFee,
  readLatestLedger,
  readTicketLedger,
  undefinedIfMissing
} from "./reading.js"
import type { TicketPayment, TicketRequest, XrpCalls, XrpTransaction } from "./Types.js"
import { describeTickets, MAX_TICKETS } from "./ticketCounts.js"

/** The entries of one answer. */
const PAGE_SIZE = 400

/** The answers that are read: an account's tickets are in the first one, but servers may stop earlier. */
const MAX_PAGES = 10

type Page = Effect.Effect.Success<ReturnType<XrpCalls["accountObjects"]>>

/** The numbers of a page's tickets. */
const parseTickets = ({ account_objects }: Page): Effect.Effect<ReadonlyArray<number>, ReadError> => {
  const numbers = account_objects.map(({ TicketSequence }) => TicketSequence)
  return numbers.every((number): number is number => Number.isSafeInteger(number) && Number(number) > 0)
    ? Effect.succeed(numbers)
    : Effect.fail(makeMalformedError("account_objects", "a ticket has no number"))
}

/** The tickets of an account that no payment of the open ledger has used, the lowest first. */
export const readTickets = (
  rpc: XrpCalls,
  address: string
): Effect.Effect<ReadonlyArray<number>, ReadError> => {
  const readFrom = (left: number, marker: Page["marker"]): Effect.Effect<ReadonlyArray<number>, ReadError> =>
    Effect.gen(function* () {
      const page = yield* undefinedIfMissing(
        rpc.accountObjects(address, {
          type: "ticket",
          limit: PAGE_SIZE,
          ledgerIndex: "current",
          ...(marker === undefined ? {} : { marker })
        }),
        NO_ACCOUNT
      )
      if (page === undefined) return []
      const tickets = yield* parseTickets(page)
      if (page.marker === undefined) return tickets
      if (left === 0) return yield* makeMalformedError("account_objects", "the list of tickets does not end")
      return [...tickets, ...(yield* readFrom(left - 1, page.marker))]
    })
  return Effect.map(readFrom(MAX_PAGES, undefined), (tickets) =>
    [...new Set(tickets)].sort((one, other) => one - other)
  )
}

const isTicketCount = (count: unknown): count is number =>
  Number.isSafeInteger(count) && Number(count) >= 1 && Number(count) <= MAX_TICKETS

/** The preview of a transaction that makes tickets. */
export const prepareTickets = (
  context: SignerContext,
  request: TicketRequest
): Effect.Effect<Prepared<XrpTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, key, network, row, rpc } = context
    const { count, maxFee } = isRecord(request) ? request : {}
    if (!isTicketCount(count))
      return yield* invalidArgument("prepareTickets", `count must be a whole number from 1 to ${MAX_TICKETS}`)
    const coin = { address, asset: row.symbol, decimals: row.decimals }
    const { fee, ledger, own, tickets } = yield* Effect.all(
      {
        own: readAccountRoot(rpc, address),
        ledger: readLatestLedger(rpc),
        fee: readFee(rpc),
        tickets: readTickets(rpc, address)
      },
      { concurrency: "unbounded" }
    )
    const problem = own === undefined || key === undefined ? undefined : findKeyProblem(address, key, own)
    if (problem !== undefined) return yield* invalidArgument("prepareTickets", problem)
    if (tickets.length + count > MAX_TICKETS)
      return yield* invalidArgument(
        "prepareTickets",
        `the account has ${tickets.length} tickets, and an account has at most ${MAX_TICKETS}`
      )
    const bound = ledger.each * BigInt(count)
    const reserve = ledger.base + ledger.each * (own?.owned ?? 0n) + bound
    yield* checkBalance(reserve + fee, own?.balance ?? 0n, coin)
    yield* checkFeeCap(fee, maxFee, coin, caps.xrp.fee)
    const show = (drops: bigint): string => `${Units.format(drops, row.decimals)} ${row.symbol}`
    return {
      network,
      from: address,
      to: address,
      amount: 0n,
      fee,
      outgoing: [{ asset: row.symbol, amount: Units.format(fee, row.decimals) }],
      warnings: [
        describeTickets(count),
        `The account keeps ${show(bound)} more as its reserve, ${show(ledger.each)} for each ticket until it is used.`
      ],
      transaction: { from: address, to: address, amount: 0n, fee, tickets: count }
    }
  })

/** The preview of a payment from a ticket, which the account has and nobody has used. */
export const prepareFromTicket = (
  context: SignerContext,
  request: TicketPayment
): Effect.Effect<Prepared<XrpTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, row, rpc } = context
    const refuse = (reason: string) => invalidArgument("prepareFromTicket", reason)
    if (!isRecord(request)) return yield* refuse("a payment is { to, amount, ticket }")
    const { lastLedger, ticket, ...payment } = request
    const isNumber = (value: unknown): boolean =>
      Number.isSafeInteger(value) && Number(value) > 0 && Number(value) < 2 ** 32
    if (!isNumber(ticket)) return yield* refuse("ticket must be the number of a ticket: listTickets has them")
    const [found, { each, seq }] = yield* Effect.all(
      [readTicketLedger(rpc, address, ticket, "current"), readLatestLedger(rpc)],
      { concurrency: "unbounded" }
    )
    if (found === undefined)
      return yield* refuse(`${address} has no ticket ${ticket}: it is used, or not made yet`)
    if (lastLedger !== undefined && !(isNumber(lastLedger) && lastLedger > seq))
      return yield* refuse(`lastLedger must be the number of a ledger to come: ${seq} is the newest`)
    const prepared = yield* prepare(context, payment)
    return {
      ...prepared,
      warnings: [
        ...prepared.warnings,
        `It is paid from the ticket ${ticket}, and frees ${Units.format(each, row.decimals)} ${row.symbol} of the account's reserve.`
      ],
      transaction: {
        ...prepared.transaction,
        ticket,
        ...(lastLedger === undefined ? {} : { lastLedger })
      }
    }
  })
