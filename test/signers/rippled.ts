/** A ledger for signers of XRP, which answers as rippled does on the wire. What it is sent is read and verified by `xrpl`. */
import * as Effect from "effect/Effect"
import { verify } from "ripple-keypairs"
import {
  decode,
  decodeAccountID,
  deriveAddress,
  encodeForMultiSigning,
  hashes,
  type Payment,
  type TicketCreate,
  verifySignature
} from "xrpl"
import { NodeError, RpcError } from "../../src/data/SdkError.js"
import type { XrpProposalCalls } from "../../src/signers/proposal.js"
import type { XrpCalls } from "../../src/signers/Xrp.js"

export const url = "http://node.example"

export interface Account {
  balance: bigint
  flags?: number
  owned?: number
  sequence?: number
  rate?: number
  regularKey?: string
  tickets?: ReadonlyArray<number>
  signers?: { readonly quorum: number; readonly weights: Readonly<Record<string, number>> }
}

/** A trust line between an issuer and a holder; flags as rippled has them. */
export interface Line {
  readonly issuer: string
  readonly holder: string
  readonly currency: string
  readonly isLow: boolean
  balance: number
  limit: number
  flags?: number
}

type Params = Readonly<Record<string, unknown>>
type Answer = Readonly<Record<string, unknown>>

const refuseRequest = (error: string): Answer => ({
  status: "error",
  error,
  error_code: 19,
  error_message: "no"
})

/** A server may stop long before the limit of a request. */
const PAGE_SIZE = 3

/** Reserves and fees in drops. */
export const terms = { base: 1_000_000n, each: 200_000n, fee: "12" }

export const makeLedger = (
  accounts: Readonly<Record<string, Account>>,
  lines: ReadonlyArray<Line> = [],
  changed: Partial<XrpCalls> = {}
) => {
  const state = new Map(Object.entries(accounts).map(([address, account]) => [address, { ...account }]))
  const trust = lines.map((line) => ({ ...line }))
  const done = new Map<
    string,
    {
      readonly result: string
      readonly index: number
      readonly from: string
      readonly payment: Payment
    }
  >()
  const sent: Array<string> = []
  const asked: Array<string> = []
  const terms_ = { ...terms }
  const at = { seq: 1_000 }

  const lineOf = (a: unknown, b: unknown, currency: unknown) =>
    trust.find(
      (line) =>
        line.currency === currency &&
        ((line.issuer === a && line.holder === b) || (line.issuer === b && line.holder === a))
    )

  const moveTokens = ({ Account, Amount, Destination, SendMax }: Payment): string => {
    if (typeof Amount === "string" || !("currency" in Amount)) return "temBAD_AMOUNT"
    const { currency, issuer, value } = Amount
    const from = lineOf(Account, issuer, currency)
    const to = lineOf(Destination, issuer, currency)
    const isBetween = Account !== issuer && Destination !== issuer
    const rate = isBetween ? (state.get(issuer)?.rate ?? 1e9) / 1e9 : 1
    const spent = Number(value) * rate
    const most = typeof SendMax === "object" && "value" in SendMax ? Number(SendMax.value) : Number(value)
    if (spent > most * (1 + 1e-15)) return "tecPATH_PARTIAL"
    if (from !== undefined) from.balance -= most
    if (to !== undefined) to.balance += Number(value)
    return from === undefined && Account !== issuer ? "tecPATH_DRY" : "tesSUCCESS"
  }

  const moveCoins = ({ Account, Amount, Destination }: Payment): string => {
    const [from, to] = [state.get(Account), state.get(Destination)]
    if (from === undefined || typeof Amount !== "string") return "temBAD_AMOUNT"
    const reserve = terms_.base + terms_.each * BigInt(from.owned ?? 0)
    if (from.balance - BigInt(Amount) < reserve) return "tecUNFUNDED_PAYMENT"
    if (to === undefined && BigInt(Amount) < terms_.base) return "tecNO_DST_INSUF_XRP"
    from.balance -= BigInt(Amount)
    state.set(Destination, { ...(to ?? {}), balance: (to?.balance ?? 0n) + BigInt(Amount) })
    return "tesSUCCESS"
  }

  /** What a server says of the signatures of members; undefined if they are enough. */
  const findMemberProblem = (payment: Payment): string | undefined => {
    const { Signers = [], ...rest } = payment
    const ids = Signers.map(({ Signer }) => Buffer.from(decodeAccountID(Signer.Account)).toString("hex"))
    if (payment.SigningPubKey !== "" || ids.join() !== [...new Set(ids)].sort().join()) return "temBAD_SIGNER"
    let weight = 0
    for (const { Signer } of Signers) {
      const { Account: member, SigningPubKey: key, TxnSignature: signature } = Signer
      if (!verify(encodeForMultiSigning(rest, member), signature, key)) return "temBAD_SIGNATURE"
      const own = state.get(payment.Account)?.signers?.weights[member]
      if (own === undefined || deriveAddress(key) !== member) return "tefBAD_SIGNATURE"
      weight += own
    }
    if (weight < (state.get(payment.Account)?.signers?.quorum ?? 1)) return "tefBAD_QUORUM"
    return BigInt(payment.Fee ?? 0) < BigInt(terms_.fee) * BigInt(Signers.length + 1)
      ? "telINSUF_FEE_P"
      : undefined
  }

  /** Sets numbers aside: those that follow that of the transaction. */
  const makeTickets = (from: Account, { TicketCount }: TicketCreate): string => {
    const { balance, owned = 0, sequence = 1, tickets = [] } = from
    if (tickets.length + TicketCount > 250) return "tecDIR_FULL"
    if (balance < terms_.base + terms_.each * BigInt(owned + TicketCount)) return "tecINSUFFICIENT_RESERVE"
    from.tickets = [...tickets, ...Array.from({ length: TicketCount }, (_, i) => sequence + i)]
    from.sequence = sequence + TicketCount
    from.owned = owned + TicketCount
    return "tesSUCCESS"
  }

  const run = (from: Account, transaction: Payment | TicketCreate): string => {
    if (transaction.TransactionType === "TicketCreate") return makeTickets(from, transaction)
    return typeof transaction.Amount === "string" ? moveCoins(transaction) : moveTokens(transaction)
  }

  /** What a server says of the number of a transaction; undefined if it is the next one, or a ticket of the account. */
  const findNumberProblem = (
    { sequence = 1, tickets = [] }: Account,
    { Sequence = 0, TicketSequence: ticket }: Payment
  ): string | undefined => {
    if (ticket === undefined)
      return Sequence < sequence ? "tefPAST_SEQ" : Sequence > sequence ? "terPRE_SEQ" : undefined
    if (Sequence !== 0) return "temSEQ_AND_TICKET"
    if (tickets.includes(ticket)) return undefined
    return ticket < sequence ? "tefNO_TICKET" : "terPRE_TICKET"
  }

  const applied = (blob: string): string => {
    const payment = decode(blob) as unknown as Payment
    const isShared = payment.Signers !== undefined
    // signed by somebody else, or in a way that no server takes
    if (!isShared && !verifySignature(blob)) return "temBAD_SIGNATURE"
    const hash = hashes.hashSignedTx(blob)
    const account = state.get(payment.Account)
    if (account === undefined) return "terNO_ACCOUNT"
    if (done.has(hash)) return "tefALREADY"
    const problem = isShared ? findMemberProblem(payment) : undefined
    if (problem !== undefined) return problem
    const signer = isShared ? payment.Account : deriveAddress(payment.SigningPubKey ?? "")
    if (signer !== account.regularKey && signer !== payment.Account) return "tefBAD_AUTH"
    if (!isShared && signer === payment.Account && ((account.flags ?? 0) & 0x10_0000) !== 0)
      return "tefMASTER_DISABLED"
    const wrong = findNumberProblem(account, payment)
    if (wrong?.startsWith("tef")) return wrong
    if ((payment.LastLedgerSequence ?? 0) <= at.seq) return "tefMAX_LEDGER"
    if (wrong !== undefined) return wrong
    const { TicketSequence: ticket } = payment
    if (ticket === undefined) account.sequence = (account.sequence ?? 1) + 1
    else {
      account.tickets = account.tickets?.filter((each) => each !== ticket) ?? []
      account.owned = (account.owned ?? 1) - 1
    }
    account.balance -= BigInt(payment.Fee ?? 0)
    const result = run(account, payment)
    done.set(hash, { result, index: at.seq + 1, from: payment.Account, payment })
    return result
  }

  /** A ticket of the open ledger: the double has no other one. */
  const ticketEntry = ({ account, ticket_seq }: Params, asked: unknown): Answer =>
    state.get(String(account))?.tickets?.includes(Number(ticket_seq))
      ? {
          node: { LedgerEntryType: "Ticket", Account: account, TicketSequence: ticket_seq },
          ...(asked === "validated" ? { ledger_index: at.seq, validated: true } : {})
        }
      : refuseRequest("entryNotFound")

  const entry = ({ ledger_index, ripple_state, ticket }: Params): Answer => {
    if (ticket !== undefined) return ticketEntry(ticket as Params, ledger_index)
    const { accounts: [a, b] = [], currency } = ripple_state as { accounts: Array<string>; currency: string }
    const line = lineOf(a, b, currency)
    if (line === undefined) return refuseRequest("entryNotFound")
    const { balance, flags = 0, holder, isLow, issuer, limit } = line
    const limits = [
      { currency, issuer: holder, value: String(limit) },
      { currency, issuer, value: "0" }
    ]
    return {
      node: {
        LedgerEntryType: "RippleState",
        Balance: {
          currency,
          issuer: "rrrrrrrrrrrrrrrrrrrrBZbvji",
          value: String(isLow ? balance : -balance)
        },
        Flags: flags,
        LowLimit: limits[isLow ? 0 : 1],
        HighLimit: limits[isLow ? 1 : 0]
      }
    }
  }

  /** The answers of the server, by its own names. Others than these are not expected. */
  const answers: Readonly<Record<string, (params: Params) => Answer>> = {
    account_info: ({ account, ledger_index, signer_lists }) => {
      const found = state.get(String(account))
      return found === undefined
        ? refuseRequest("actNotFound")
        : {
            account_data: {
              Account: account,
              Balance: String(found.balance),
              Flags: found.flags ?? 0,
              OwnerCount: found.owned ?? 0,
              Sequence: found.sequence ?? 1,
              ...(found.rate === undefined ? {} : { TransferRate: found.rate }),
              ...(found.regularKey === undefined ? {} : { RegularKey: found.regularKey })
            },
            ...(signer_lists === true
              ? {
                  signer_lists:
                    found.signers === undefined
                      ? []
                      : [
                          {
                            LedgerEntryType: "SignerList",
                            SignerQuorum: found.signers.quorum,
                            SignerEntries: Object.entries(found.signers.weights).map(
                              ([Account, SignerWeight]) => ({
                                SignerEntry: { Account, SignerWeight }
                              })
                            )
                          }
                        ]
                }
              : {}),
            ...(ledger_index === "validated" ? { ledger_index: at.seq, validated: true } : {})
          }
    },
    account_objects: ({ account, marker = 0, type }) => {
      if (type !== "ticket") throw new Error("nobody should ask for other objects")
      const all = [...(state.get(String(account))?.tickets ?? [])].sort()
      const from = Number(marker)
      return {
        account_objects: all
          .slice(from, from + PAGE_SIZE)
          .map((TicketSequence) => ({ LedgerEntryType: "Ticket", TicketSequence })),
        ...(from + PAGE_SIZE < all.length ? { marker: String(from + PAGE_SIZE) } : {})
      }
    },
    account_tx: ({ account }) => ({
      transactions: [...done]
        .filter(([, { from }]) => from === account)
        .map(([hash, { index, payment, result }]) => ({
          tx: { ...payment, hash },
          meta: { TransactionResult: result },
          validated: index <= at.seq
        }))
        .reverse()
    }),
    deposit_authorized: () => ({ deposit_authorized: false }),
    fee: () => ({ drops: { base_fee: "10", open_ledger_fee: terms_.fee } }),
    ledger_entry: entry,
    server_state: () => ({
      state: {
        validated_ledger: {
          reserve_base: Number(terms_.base),
          reserve_inc: Number(terms_.each),
          seq: at.seq
        }
      }
    }),
    submit: ({ tx_blob }) => {
      sent.push(String(tx_blob))
      const result = applied(String(tx_blob))
      return { engine_result: result, engine_result_code: 0, engine_result_message: "as it says" }
    },
    tx: ({ transaction }) => {
      const found = done.get(String(transaction))
      return found === undefined
        ? refuseRequest("txnNotFound")
        : {
            hash: transaction,
            ledger_index: found.index,
            ...(found.index <= at.seq
              ? { validated: true, meta: { TransactionResult: found.result } }
              : { validated: false })
          }
    }
  }

  const answer = (method: string, params: Params): Answer => {
    asked.push(method)
    const found = answers[method]
    if (found === undefined) throw new Error(`nobody should ask for ${method}`)
    return found(params)
  }

  const refusal = /^te[mfl](?!ALREADY)/
  const ask = <A>(method: string, params: Params): Effect.Effect<A, RpcError> =>
    Effect.suspend(() => {
      const result = answer(method, params)
      const word =
        result.error ?? (refusal.test(String(result.engine_result)) ? result.engine_result : undefined)
      return word === undefined
        ? // what the server says is what its client is typed with: the test over the wire proves it
          Effect.succeed(result as A)
        : Effect.fail(new RpcError({ method, code: 19, rpcMessage: `${word}: no`, url }))
    })

  const rpc: XrpProposalCalls = {
    accountInfo: (account, options) =>
      ask("account_info", {
        account,
        ledger_index: options?.ledgerIndex,
        signer_lists: options?.signerLists
      }),
    accountObjects: (account, options) =>
      ask("account_objects", { account, marker: options?.marker, type: options?.type }),
    accountTx: (account) => ask("account_tx", { account }),
    depositAuthorized: (source_account, destination_account) =>
      ask("deposit_authorized", { source_account, destination_account }),
    fee: () => ask("fee", {}),
    ledgerEntry: ({ ledgerIndex, rippleState, ticket } = {}) =>
      ask("ledger_entry", {
        ledger_index: ledgerIndex,
        ripple_state: rippleState,
        ...(ticket === undefined ? {} : { ticket: { account: ticket.account, ticket_seq: ticket.ticketSeq } })
      }),
    serverState: () => ask("server_state", {}),
    submit: (tx_blob) => ask("submit", { tx_blob }),
    tx: (transaction) => ask("tx", { transaction }),
    ...changed
  }
  return { accounts: state, answer, asked, at, lines: trust, rpc, sent, terms: terms_ }
}

/** An answer that was lost on its way. */
export const lost = new NodeError({ kind: "network", call: "submit", url, reason: "hang up" })
