/** Transactions of Stellar that pay the fee of another one, which is signed already (CAP-15). Loaded with the first of them. */
import { FeeBumpTransaction, Transaction, TransactionBuilder, xdr } from "@stellar/stellar-base"
import * as Effect from "effect/Effect"
import { base64Of } from "../../data/base64.js"
import { bytesToHex } from "../../data/hex.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import * as caps from "../caps.js"
import { maxOf } from "../evidence.js"
import type { Payment, Prepared, PrepareError, Signed } from "../Signer.js"
import { checkBalance, checkBytes, checkFeeCap, invalidArgument } from "../signerChecks.js"
import { parseDestination } from "./address.js"
import { type CompleteTransaction, decodePayload, type StellarAccount } from "./base.js"
import { prepare, type SignerContext } from "./payments.js"
import { type AccountState, findTransaction, readAccount, readFee, readLatestLedger } from "./reading.js"
import type { FeeBumpOptions, StellarTransaction } from "./Types.js"

/** The name of the call in errors. */
const CALL = "prepareFeeBump"

/** A signed transaction whose fee another one pays. */
interface InnerTransaction {
  readonly built: Transaction
  readonly hash: string
  /** The account whose sequence it uses. */
  readonly source: string
  readonly sequence: bigint
  readonly expires: number
  readonly fee: bigint
  readonly operations: ReadonlyArray<string>
}

const isSorobanOperation = (type: string): boolean =>
  type === "invokeHostFunction" || type === "extendFootprintTtl" || type === "restoreFootprint"

/** Reads a signed transaction. Throws if its fee cannot be paid by another one. */
const readInner = (raw: string, passphrase: string): InnerTransaction => {
  const built = TransactionBuilder.fromXDR(raw, passphrase)
  if (!(built instanceof Transaction)) throw new Error("another account pays its fee already")
  if (built.toEnvelope().switch() !== xdr.EnvelopeType.envelopeTypeTx())
    throw new Error("it has the form of transactions before 2020, which nobody can pay for")
  if (built.signatures.length === 0) throw new Error("it is not signed yet")
  const operations = built.operations.map(({ type }) => type)
  if (operations.some(isSorobanOperation))
    throw new Error("it calls a contract, whose fee has a part for resources that is not raised like this")
  const expires = Number(built.timeBounds?.maxTime ?? 0)
  if (expires === 0)
    throw new Error(
      "it has no time after which no ledger may have it, so that nobody could say that it is over"
    )
  const found = parseDestination(built.source)
  if (typeof found === "string") throw new Error(`its source ${found}`)
  return {
    built,
    hash: bytesToHex(Uint8Array.from(built.hash())),
    source: found.account,
    sequence: BigInt(built.sequence),
    expires,
    fee: BigInt(built.fee),
    operations
  }
}

/** Reads a signed transaction as a payment. Throws if it is another one. */
const readPayment = ({ built }: InnerTransaction, passphrase: string): CompleteTransaction => {
  const unsigned = built.toEnvelope()
  unsigned.v1().signatures([])
  return decodePayload(unsigned.toXDR("base64"), passphrase)
}

/** A fee for a number of operations, of which the other transaction is one more: a whole number of stroops for each. */
const feeAt = ({ operations }: InnerTransaction, rate: bigint): bigint => rate * BigInt(operations.length + 1)

/** What each operation of a transaction offers, rounded up. */
const rateOf = ({ fee, operations }: InnerTransaction): bigint => {
  const count = BigInt(Math.max(1, operations.length))
  return (fee + count - 1n) / count
}

/** How many times as much as a transaction that waits its replacement offers at least. */
const REPLACEMENT_FACTOR = 10n

/** The least that nodes take for an operation. */
const LEAST_RATE = 100n

/** The fields of a fee bump that its inner transaction says: those of a payment, or, if another account made it, none but the account. */
const toTerms = (from: string, inner: InnerTransaction, passphrase: string) => {
  const { expires, sequence, source } = inner
  const payment = source === from ? readPayment(inner, passphrase) : undefined
  return {
    to: payment?.to ?? source,
    amount: String(payment?.amount ?? 0n),
    token: payment?.token,
    source,
    sequence: String(sequence),
    expires
  }
}

/** Signs a fee bump: its fields have to be those of the transaction inside. */
export const signFeeBump = async (
  { address, sign }: StellarAccount,
  transaction: CompleteTransaction,
  passphrase: string
): Promise<Signed> => {
  const { amount, bump, expires, fee, from, sequence, to, token } = transaction
  const inner = readInner(String(bump?.inner), passphrase)
  const shown = {
    ...{ to, amount: String(amount), token },
    ...{ source: bump?.source, sequence: String(sequence), expires }
  }
  if (JSON.stringify(shown) !== JSON.stringify(toTerms(from, inner, passphrase)))
    throw new Error("the transaction inside says something else")
  const rate = fee / BigInt(inner.operations.length + 1)
  const built = TransactionBuilder.buildFeeBumpTransaction(from, String(rate), inner.built, passphrase)
  const read = TransactionBuilder.fromXDR(built.toXDR(), passphrase)
  if (
    !(read instanceof FeeBumpTransaction) ||
    read.feeSource !== from ||
    read.fee !== String(fee) ||
    read.innerTransaction.toXDR() !== bump?.inner
  )
    throw new Error("its bytes say something else")
  const hash = Uint8Array.from(built.hash())
  // it verifies the signature, too
  built.addSignature(address, base64Of(await sign(hash)))
  return { raw: built.toXDR(), hash: bytesToHex(hash) }
}

/** Whether a transaction can still get into a ledger, by its account and the newest ledger. */
const checkOpen = (
  { expires, sequence, source }: InnerTransaction,
  state: AccountState | undefined,
  time: number
) => {
  if (state === undefined) return invalidArgument(CALL, `${source} has no account`)
  if (state.sequence >= sequence)
    return invalidArgument(
      CALL,
      `a ledger has a transaction of ${source} with the number ${sequence} by now: this one, or another`
    )
  return time > expires
    ? invalidArgument(CALL, `ledgers could have it until ${new Date(expires * 1_000).toISOString()}`)
    : Effect.void
}

/** A payment as `prepare` takes it. */
const toRequest = ({ amount, memo, to, token }: StellarTransaction): Payment => ({
  to,
  amount,
  ...(token === undefined ? {} : { token }),
  ...(memo === undefined ? {} : { memo })
})

/** The preview of an own payment at a higher fee. */
const prepareOwn = (context: SignerContext, payment: CompleteTransaction, fee: bigint, maxFee: bigint) =>
  Effect.gen(function* () {
    const prepared = yield* prepare({ ...context, fee }, { ...toRequest(payment), maxFee })
    return prepared.transaction.creates === payment.creates
      ? prepared
      : yield* invalidArgument(CALL, "the receiver's account was made or closed since: it would fail")
  })

/** The preview of a fee for a transaction of another account. */
const prepareSponsored = (
  context: SignerContext,
  inner: InnerTransaction,
  fee: bigint
): Effect.Effect<Prepared<StellarTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network, row, rpc } = context
    const { ledger, own } = yield* Effect.all(
      { ledger: readLatestLedger(rpc), own: readAccount(rpc, address) },
      { concurrency: "unbounded" }
    )
    const { balance = 0n, bound = 0n } = own?.holds() ?? {}
    const kept = ledger.reserve * (own?.entries ?? 0n) + bound
    yield* checkBalance(fee + kept, balance, { address, asset: row.symbol, decimals: row.decimals })
    if (own !== undefined && own.weight < own.lowThreshold)
      return yield* invalidArgument(
        CALL,
        `the key weighs ${own.weight}, and fees of ${address} take ${own.lowThreshold}`
      )
    return {
      network,
      from: address,
      to: inner.source,
      amount: 0n,
      fee,
      outgoing: [{ asset: row.symbol, amount: Units.format(fee, row.decimals) }],
      warnings: [
        `It pays the fee of ${inner.hash}, a transaction of ${inner.source}: ${inner.operations.join(", ")}.`,
        "The ledger takes the fee even if that transaction fails."
      ],
      transaction: { from: address, to: inner.source, amount: 0n, fee }
    }
  })

/** The preview of a transaction that pays the fee of a signed one: of an own payment that waits, or of another account's transaction. */
export const prepareFeeBump = (
  context: SignerContext,
  passphrase: string,
  raw: string,
  options: FeeBumpOptions
): Effect.Effect<Prepared<StellarTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, row, rpc } = context
    const { maxFee } = isRecord(options) ? options : {}
    if (typeof raw !== "string")
      return yield* invalidArgument(CALL, "it takes a signed transaction (XDR in Base64)")
    const inner = yield* checkBytes(CALL, () => readInner(raw, passphrase))
    const isOwn = inner.source === address
    const payment = isOwn ? yield* checkBytes(CALL, () => readPayment(inner, passphrase)) : undefined
    const { market, state, time } = yield* Effect.all(
      {
        market: readFee(rpc),
        state: readAccount(rpc, inner.source),
        time: Effect.map(readLatestLedger(rpc), (ledger) => ledger.time)
      },
      { concurrency: "unbounded" }
    )
    yield* checkOpen(inner, state, time)
    if ((yield* findTransaction(rpc, inner.hash)) !== undefined)
      return yield* invalidArgument(CALL, `a ledger has ${inner.hash} already`)
    const least = isOwn ? rateOf(inner) * REPLACEMENT_FACTOR : rateOf(inner)
    const fee = feeAt(inner, maxOf(maxOf(market, least), LEAST_RATE))
    const coin = { asset: row.symbol, decimals: row.decimals }
    const most = yield* checkFeeCap(fee, maxFee, coin, caps.stellar.fee)
    const prepared =
      payment === undefined
        ? yield* prepareSponsored(context, inner, fee)
        : yield* prepareOwn(context, payment, fee, most)
    const { expires, sequence, source } = inner
    return {
      ...prepared,
      transaction: {
        ...prepared.transaction,
        sequence,
        expires,
        bump: { source, inner: inner.built.toXDR() }
      }
    }
  })

/** The preview of a payment that offers no fee, so that another account has to pay it. */
export const prepareWithoutFee = (
  context: SignerContext,
  payment: Payment
): Effect.Effect<Prepared<StellarTransaction>, PrepareError> =>
  isRecord(payment)
    ? Effect.map(prepare({ ...context, fee: 0n }, payment), (prepared) => ({
        ...prepared,
        warnings: [
          ...prepared.warnings,
          "It offers no fee: no ledger takes it until another account pays that by a transaction around it."
        ]
      }))
    : Effect.fail(invalidArgument("prepareWithoutFee", "a payment is { to, amount }"))
