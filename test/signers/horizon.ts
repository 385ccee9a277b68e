/** A ledger for signers of Stellar, which answers as Horizon does on the wire. What it is sent is read by `stellar-base`. */
import {
  FeeBumpTransaction,
  type Operation,
  StrKey,
  type Transaction,
  TransactionBuilder
} from "@stellar/stellar-base"
import * as Effect from "effect/Effect"
import nacl from "tweetnacl"
import { NodeError, RequestRejected } from "../../src/data/SdkError.js"
import type { StellarCalls } from "../../src/signers/Stellar.js"

export const url = "http://node.example"
export const passphrase = "Public Global Stellar Network ; September 2015"

export interface Trust {
  readonly code: string
  readonly issuer: string
  balance: bigint
  limit?: bigint
  bound?: bigint
  coming?: bigint
  isAuthorized?: boolean
}

export interface Account {
  balance: bigint
  bound?: bigint
  sequence?: bigint
  entries?: number
  sponsoring?: number
  sponsored?: number
  /** The weight of its own key, and what its transactions and payments take. */
  weight?: number
  low?: number
  medium?: number
  /** Other keys, by their weights. */
  signers?: Readonly<Record<string, number>>
  data?: Readonly<Record<string, string>>
  trust?: ReadonlyArray<Trust>
}

/** A part of an account is the account. */
const accountOf = (address: string): string =>
  address.startsWith("M")
    ? StrKey.encodeEd25519PublicKey(StrKey.decodeMed25519PublicKey(address).subarray(0, 32))
    : address

const stroops = (amount: string): bigint => BigInt(amount.replace(".", ""))
const decimal = (amount: bigint): string => {
  const digits = amount.toString().padStart(8, "0")
  return `${digits.slice(0, -7)}.${digits.slice(-7)}`
}

type Answer = Readonly<Record<string, unknown>>

const problem = (status: number, kind: string, ...codes: ReadonlyArray<string>): Answer => ({
  type: `https://stellar.org/horizon-errors/${kind}`,
  title: kind,
  status,
  ...(codes.length === 0
    ? {}
    : { extras: { result_codes: { transaction: codes[0], operations: codes.slice(1) } } })
})

export const makeLedger = (
  accounts: Readonly<Record<string, Account>>,
  changed: Partial<StellarCalls> = {}
) => {
  const state = new Map(
    Object.entries(accounts).map(([address, account]) => [
      address,
      { ...account, trust: (account.trust ?? []).map((trust) => ({ ...trust })) }
    ])
  )
  const done = new Map<
    string,
    {
      readonly isGood: boolean
      readonly ledger: number
      readonly answer: Answer
      readonly from: string
      readonly sequence: string
    }
  >()
  const sent: Array<string> = []
  const asked: Array<string> = []
  const terms = { base: "100", p95: "250", reserve: 5_000_000n }
  const at = { sequence: 1_000, time: 1_800_000_000 }

  const account = (id: string): Answer => {
    const found = state.get(id)
    if (found === undefined) return problem(404, "not_found")
    const { balance, bound = 0n, data = {}, entries = 0, sequence = 41n, trust } = found
    const { low = 0, medium = 0, weight = 1 } = found
    return {
      id,
      sequence: String(sequence),
      subentry_count: entries,
      num_sponsoring: found.sponsoring ?? 0,
      num_sponsored: found.sponsored ?? 0,
      thresholds: { low_threshold: low, med_threshold: medium, high_threshold: 255 },
      signers: [
        { key: `${id.slice(0, -1)}7`, weight: 255, type: "ed25519_public_key" },
        { key: id, weight, type: "ed25519_public_key" },
        ...Object.entries(found.signers ?? {}).map(([key, own]) => ({
          key,
          weight: own,
          type: key.startsWith("G") ? "ed25519_public_key" : "sha256_hash"
        }))
      ],
      data,
      balances: [
        ...trust.map((line) => ({
          balance: decimal(line.balance),
          limit: decimal(line.limit ?? 10n ** 12n),
          buying_liabilities: decimal(line.coming ?? 0n),
          selling_liabilities: decimal(line.bound ?? 0n),
          asset_type: line.code.length > 4 ? "credit_alphanum12" : "credit_alphanum4",
          asset_code: line.code,
          asset_issuer: line.issuer,
          is_authorized: line.isAuthorized ?? true
        })),
        { balance: decimal(balance), selling_liabilities: decimal(bound), asset_type: "native" }
      ]
    }
  }

  /** What an account can spend: it keeps its reserve, and what its offers bind. */
  const free = ({ balance, bound = 0n, entries = 0, sponsored = 0, sponsoring = 0 }: Account): bigint =>
    balance - bound - terms.reserve * BigInt(2 + entries + sponsoring - sponsored)

  const create = (from: Account, { destination, startingBalance }: Operation.CreateAccount): string => {
    const amount = stroops(startingBalance)
    if (state.has(destination)) return "op_already_exists"
    if (amount < 2n * terms.reserve) return "op_low_reserve"
    if (free(from) < amount) return "op_underfunded"
    from.balance -= amount
    state.set(destination, { balance: amount, trust: [] })
    return "op_success"
  }

  const pay = (from: Account, { amount, asset, destination }: Operation.Payment): string => {
    const to = state.get(accountOf(destination))
    const units = stroops(amount)
    if (to === undefined) return "op_no_destination"
    if (asset.isNative()) {
      if (free(from) < units) return "op_underfunded"
      from.balance -= units
      to.balance += units
      return "op_success"
    }
    const lineOf = ({ trust = [] }: Account) =>
      trust.find(({ code, issuer }) => code === asset.code && issuer === asset.issuer)
    const [own, theirs] = [lineOf(from), lineOf(to)]
    if (theirs === undefined && accountOf(destination) !== asset.issuer) return "op_no_trust"
    if (own !== undefined) own.balance -= units
    if (theirs !== undefined) theirs.balance += units
    return "op_success"
  }

  /** The keys that have signed, in the order of their signatures, by a library that has not made them; undefined if one is nobody's. */
  const signersOf = (transaction: Transaction, from: Account): ReadonlyArray<string> | undefined => {
    const keys = [transaction.source, ...Object.keys(from.signers ?? {})].filter((key) => key.startsWith("G"))
    const found = transaction.signatures.map((decorated) =>
      keys.find((key) =>
        nacl.sign.detached.verify(
          Uint8Array.from(transaction.hash()),
          Uint8Array.from(decorated.signature()),
          Uint8Array.from(StrKey.decodeEd25519PublicKey(key))
        )
      )
    )
    return found.flatMap((key) => key ?? []).length === found.length && new Set(found).size === found.length
      ? found.flatMap((key) => key ?? [])
      : undefined
  }

  /** What the ledger says of signatures; undefined if they are enough, and none of them is more than that. */
  const findAuthProblem = (
    transaction: Transaction,
    from: Account
  ): readonly [string, string?] | undefined => {
    const { low = 0, medium = 0, signers = {}, weight = 1 } = from
    const keys = signersOf(transaction, from)
    if (keys === undefined) return ["tx_bad_auth"]
    const weights = keys.map((key) => (key === transaction.source ? weight : (signers[key] ?? 0)))
    const sum = weights.reduce((total, own) => total + own, 0)
    if (sum < Math.max(1, low) || weights.includes(0)) return ["tx_bad_auth"]
    if (sum < medium) return ["tx_failed", "op_bad_auth"]
    return sum - (weights.at(-1) ?? 0) >= Math.max(1, low, medium) ? ["tx_bad_auth_extra"] : undefined
  }

  const failed = (...codes: ReadonlyArray<string>) => problem(400, "transaction_failed", ...codes)

  /** Both accounts sign a sponsorship, each once and nobody else. */
  const findSponsorshipAuthProblem = (
    transaction: Transaction,
    sponsored: string
  ): readonly [string] | undefined => {
    const hash = Uint8Array.from(transaction.hash())
    const signed = (address: string) =>
      transaction.signatures.filter((decorated) =>
        nacl.sign.detached.verify(
          hash,
          Uint8Array.from(decorated.signature()),
          Uint8Array.from(StrKey.decodeEd25519PublicKey(address))
        )
      ).length
    const isRight = signed(transaction.source) === 1 && signed(sponsored) === 1
    return isRight && transaction.signatures.length === 2 ? undefined : ["tx_bad_auth"]
  }

  /** Makes an account and trust lines of it, whose reserve another account keeps. */
  const sponsor = (from: Account, sponsored: string, operations: ReadonlyArray<Operation>): string => {
    const last = operations.at(-1)
    if (last?.type !== "endSponsoringFutureReserves" || last.source !== sponsored) return "op_bad_sponsorship"
    const before = { entries: 0, sponsored: 0, sponsoring: from.sponsoring ?? 0 }
    for (const operation of operations.slice(0, -1)) {
      if (operation.type === "createAccount") {
        if (state.has(operation.destination)) return "op_already_exists"
        const amount = stroops(operation.startingBalance)
        if (free(from) < amount + 2n * terms.reserve) return "op_underfunded"
        from.balance -= amount
        from.sponsoring = (from.sponsoring ?? 0) + 2
        state.set(operation.destination, { ...before, balance: amount, sponsored: 2, trust: [] })
      } else if (operation.type === "changeTrust" && "code" in operation.line) {
        const account = state.get(operation.source ?? "")
        const { code, issuer } = operation.line
        if (account === undefined || operation.source !== sponsored) return "op_bad_auth"
        if (free(from) < terms.reserve) return "op_low_reserve"
        if (!state.has(issuer)) return "op_no_issuer"
        from.sponsoring = (from.sponsoring ?? 0) + 1
        account.sponsored = (account.sponsored ?? 0) + 1
        account.entries = (account.entries ?? 0) + 1
        account.trust = [...(account.trust ?? []), { code, issuer, balance: 0n }]
      } else return "op_not_supported"
    }
    return "op_success"
  }

  /** What the ledger says of a fee bump before it looks inside; undefined if it takes it. */
  const findFeeBumpProblem = (bump: FeeBumpTransaction): string | undefined => {
    const { innerTransaction: inner } = bump
    const [fee, count] = [BigInt(bump.fee), BigInt(inner.operations.length)]
    const payer = state.get(bump.feeSource)
    if (payer === undefined) return "tx_no_source_account"
    if (fee < BigInt(terms.base) * (count + 1n) || fee * count < BigInt(inner.fee) * (count + 1n))
      return "tx_insufficient_fee"
    const isSigned = nacl.sign.detached.verify(
      Uint8Array.from(bump.hash()),
      Uint8Array.from(bump.signatures[0]?.signature() ?? []),
      Uint8Array.from(StrKey.decodeEd25519PublicKey(bump.feeSource))
    )
    if (!isSigned || bump.signatures.length !== 1) return "tx_bad_auth"
    return free(payer) < fee ? "tx_insufficient_balance" : undefined
  }

  const submit = (xdr: string): Answer => {
    const read = TransactionBuilder.fromXDR(xdr, passphrase)
    if (!(read instanceof FeeBumpTransaction)) return run(read, 1n)
    const hash = read.hash().toString("hex")
    const before = done.get(hash)
    if (before !== undefined) return before.answer
    const code = findFeeBumpProblem(read)
    if (code !== undefined) return failed(code)
    const { feeSource, innerTransaction: inner } = read
    const innerHash = inner.hash().toString("hex")
    const answer = run(inner, 0n)
    const found = done.get(innerHash)
    const payer = state.get(feeSource)
    if (found === undefined || payer === undefined) return failed("tx_fee_bump_inner_failed")
    payer.balance -= BigInt(terms.base) * BigInt(inner.operations.length + 1)
    done.set(hash, { ...found, answer: { ...answer, hash } })
    return done.get(hash)?.answer ?? answer
  }

  /** Runs a transaction, whose own fee is so many times the base fee. */
  const run = (transaction: Transaction, fees: bigint): Answer => {
    const hash = transaction.hash().toString("hex")
    const before = done.get(hash)
    if (before !== undefined) return before.answer
    if (BigInt(transaction.fee) < BigInt(terms.base) * fees) return failed("tx_insufficient_fee")
    const from = state.get(transaction.source)
    if (from === undefined) return failed("tx_no_source_account")
    const [first, ...others] = transaction.operations
    const sponsored = first?.type === "beginSponsoringFutureReserves" ? first.sponsoredId : undefined
    const [code, operationCode] =
      (sponsored === undefined
        ? findAuthProblem(transaction, from)
        : findSponsorshipAuthProblem(transaction, sponsored)) ?? []
    if (code !== undefined) return failed(code, ...(operationCode === undefined ? [] : [operationCode]))
    if (Number(transaction.timeBounds?.maxTime) < at.time) return failed("tx_too_late")
    if (BigInt(transaction.sequence) !== (from.sequence ?? 41n) + 1n) return failed("tx_bad_seq")
    from.sequence = BigInt(transaction.sequence)
    // what the ledger takes is less than what is offered
    from.balance -= BigInt(terms.base) * fees
    const [operation] = transaction.operations
    const result =
      sponsored !== undefined
        ? sponsor(from, sponsored, others)
        : operation?.type === "createAccount"
          ? create(from, operation)
          : operation?.type === "payment"
            ? pay(from, operation)
            : "op_not_supported"
    const isGood = result === "op_success"
    const answer = isGood ? { hash, successful: true } : failed("tx_failed", result)
    done.set(hash, {
      isGood,
      ledger: at.sequence + 1,
      answer,
      from: transaction.source,
      sequence: transaction.sequence
    })
    at.sequence++
    at.time += 6
    return answer
  }

  /** The answers of the node, by verb and path. Others than these are not expected. */
  const answer = (path: string, body: URLSearchParams = new URLSearchParams()): Answer => {
    const [, kind = "", id = "", part] = path.replace(/\?.*/, "").split("/")
    asked.push(kind)
    if (kind === "accounts" && part === "transactions")
      return {
        _embedded: {
          records: [...done]
            .filter(([, { from }]) => from === id)
            .map(([hash, { sequence }]) => ({
              hash,
              source_account: id,
              source_account_sequence: sequence
            }))
            .reverse()
        }
      }
    if (kind === "accounts") return account(id)
    if (kind === "fee_stats")
      return {
        last_ledger: String(at.sequence),
        last_ledger_base_fee: terms.base,
        fee_charged: { p95: terms.p95 }
      }
    if (kind === "ledgers")
      return {
        _embedded: {
          records: [
            {
              sequence: at.sequence,
              closed_at: new Date(at.time * 1_000).toISOString().replace(".000", ""),
              base_reserve_in_stroops: Number(terms.reserve)
            }
          ]
        }
      }
    if (kind === "transactions" && id !== "") {
      const found = done.get(id)
      return found === undefined
        ? problem(404, "not_found")
        : { hash: id, ledger: found.ledger, successful: found.isGood, result_xdr: "AAAA" }
    }
    if (kind === "transactions") {
      sent.push(body.get("tx") ?? "")
      return submit(body.get("tx") ?? "")
    }
    throw new Error(`nobody should ask for ${path}`)
  }

  const ask = <A>(path: string, body?: URLSearchParams): Effect.Effect<A, RequestRejected> =>
    Effect.suspend(() => {
      const result = answer(path, body)
      const { extras, status } = result
      return typeof status === "number"
        ? Effect.fail(makeRejected(status, JSON.stringify(extras ?? "")))
        : // what the node says is what its client is typed with: the test over the wire proves it
          Effect.succeed(result as A)
    })

  const rpc: StellarCalls = {
    getAccount: ({ accountId }) => ask(`/accounts/${accountId}`),
    getAccountTransactions: ({ accountId, includeFailed, order }) => {
      if (order !== "desc" || !includeFailed) throw new Error("all are asked for, the newest first")
      return ask(`/accounts/${accountId}/transactions`)
    },
    getFeeStats: () => ask("/fee_stats"),
    getLedgers: (query) => {
      if (query?.order !== "desc") throw new Error("the newest ledger is asked for")
      return ask("/ledgers")
    },
    getTransaction: ({ transactionHash }) => ask(`/transactions/${transactionHash}`),
    submitTransaction: ({ tx }) => ask("/transactions", new URLSearchParams({ tx })),
    ...changed
  }
  return { accounts: state, answer, asked, at, rpc, sent, terms }
}

export const makeRejected = (status: number, message: string): RequestRejected =>
  new RequestRejected({ call: "POST /transactions", status, messages: [message], body: "", url })

/** An answer that was lost on its way. */
export const lost = new NodeError({ kind: "network", call: "POST /transactions", url, reason: "hang up" })
