/** Reserves of Stellar that one account keeps for another one (CAP-33). Loaded with the first of them. */
import { Account, Asset, Operation, Transaction, TransactionBuilder } from "@stellar/stellar-base"
import * as Effect from "effect/Effect"
import { base64Of } from "../../data/base64.js"
import { bytesToHex } from "../../data/hex.js"
import { InvalidAddress } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import * as caps from "../caps.js"
import type { Cosignature, Prepared, PrepareError, Signed } from "../Signer.js"
import { checkBalance, checkFeeCap, invalidArgument, toSmallestUnit } from "../signerChecks.js"
import { parseDestination } from "./address.js"
import { parseToken, type Token } from "./assets.js"
import {
  type CompleteTransaction,
  formatAmount,
  isSignatureOf,
  requireComplete,
  type StellarAccount
} from "./base.js"
import type { SignerContext } from "./payments.js"
import { readAccount, readFee, readLatestLedger } from "./reading.js"
import { describeSponsored } from "./sponsoredEntries.js"
import type { SponsorshipRequest, StellarTransaction } from "./Types.js"

/** The name of the call in errors. */
const CALL = "prepareSponsorship"

/** Seconds from the newest ledger on in which a sponsorship can get into one: two people sign it. */
const VALID_SECONDS = 600

/** The base reserves of an account without entries. */
const NEW_ENTRIES = 2

/** Both accounts sign with these operations: what is made between the first and the last has its reserve from the sponsor. */
const makeOperations = ({ amount, creates, sponsors, to }: StellarTransaction) => [
  Operation.beginSponsoringFutureReserves({ sponsoredId: to }),
  ...(creates === true
    ? [Operation.createAccount({ destination: to, startingBalance: formatAmount(amount) })]
    : []),
  ...(sponsors?.trust ?? []).map((token) => {
    const { code, issuer } = requireToken(token)
    return Operation.changeTrust({ asset: new Asset(code, issuer), source: to })
  }),
  Operation.endSponsoringFutureReserves({ source: to })
]

const requireToken = (text: string): Token => {
  const token = parseToken(text)
  if (token === undefined) throw new Error(`${text} is no asset: CODE:G…`)
  return token
}

/** The trust of an account is unlimited unless it says so: that is the most which an account can hold. */
const UNLIMITED = "922337203685.4775807"

/** What the operations of a sponsorship have to say. */
const describeOperations = ({ amount, creates, sponsors, to }: StellarTransaction) => [
  { type: "beginSponsoringFutureReserves", sponsoredId: to },
  ...(creates === true
    ? [{ type: "createAccount", destination: to, startingBalance: formatAmount(amount) }]
    : []),
  ...(sponsors?.trust ?? []).map((line) => ({ source: to, type: "changeTrust", line, limit: UNLIMITED })),
  { source: to, type: "endSponsoringFutureReserves" }
]

const readOperation = (operation: Operation) => {
  if (operation.type !== "changeTrust") return operation
  const { line, ...rest } = operation
  return { ...rest, line: line.toString() }
}

/** A text of fields that is the same in any order of them. */
const toText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    isRecord(each) ? Object.fromEntries(Object.entries(each).sort()) : each
  )

/** Builds a sponsorship without signatures, and reads its bytes back. */
const build = (transaction: CompleteTransaction, passphrase: string): Transaction => {
  const { amount, creates, expires, fee, from, sequence, sponsors, token } = transaction
  const operations = makeOperations(transaction)
  if (token !== undefined || transaction.memo !== undefined || (creates !== true && amount !== 0n))
    throw new Error("it is a sponsorship, and pays nothing but what the account starts with")
  if (creates !== true && (sponsors?.trust.length ?? 0) === 0) throw new Error("it sponsors nothing")
  const builder = new TransactionBuilder(new Account(from, String(sequence - 1n)), {
    fee: String(fee / BigInt(operations.length)),
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime: expires }
  })
  for (const operation of operations) builder.addOperation(operation)
  const built = builder.build()
  const read = TransactionBuilder.fromXDR(built.toXDR(), passphrase)
  const isSame =
    read instanceof Transaction &&
    read.source === from &&
    read.fee === String(fee) &&
    read.sequence === String(sequence) &&
    read.memo.type === "none" &&
    read.timeBounds?.maxTime === String(expires) &&
    toText(read.operations.map(readOperation)) === toText(describeOperations(transaction))
  if (!isSame) throw new Error("its bytes say something else")
  return built
}

const hashOf = (built: Transaction): Uint8Array => Uint8Array.from(built.hash())

/** Signs a sponsorship as the account that it is for. */
export const cosignSponsorship = async (
  { address, sign }: StellarAccount,
  transaction: StellarTransaction,
  passphrase: string
): Promise<Cosignature> => {
  if (address !== transaction.to)
    throw new Error(`it sponsors ${transaction.to}, and this signer is ${address}`)
  return {
    publicKey: address,
    signature: base64Of(await sign(hashOf(build(requireComplete(transaction), passphrase))))
  }
}

/** Signs a sponsorship as the sponsor, beside the signature of the account that it is for. */
export const signSponsorship = async (
  { address, sign }: StellarAccount,
  transaction: CompleteTransaction,
  passphrase: string
): Promise<Signed> => {
  const { sponsors, to } = transaction
  const built = build(transaction, passphrase)
  const hash = hashOf(built)
  if (sponsors?.signature === undefined)
    throw new Error(`${to} has to sign it too: cosign of its signer does, and submitSponsorship takes that`)
  if (!isSignatureOf(to, hash, sponsors.signature))
    throw new Error(`what it has besides is not the signature of ${to}`)
  built.addSignature(address, base64Of(await sign(hash)))
  built.addSignature(to, sponsors.signature)
  return { raw: built.toXDR(), hash: bytesToHex(hash) }
}

/** The assets of a request, each once. */
const parseTrust = (trust: unknown): ReadonlyArray<Token> | undefined => {
  if (!Array.isArray(trust)) return undefined
  const tokens = trust.flatMap((text) => (typeof text === "string" ? (parseToken(text) ?? []) : []))
  return tokens.length === trust.length && new Set(trust).size === trust.length ? tokens : undefined
}

const refuse = (reason: string) => invalidArgument(CALL, reason)

/** What a request asks for, in a form that can be used. */
const readRequest = ({ network, row }: SignerContext, request: SponsorshipRequest) =>
  Effect.gen(function* () {
    if (!isRecord(request)) return yield* refuse("a sponsorship is { account, startingBalance, trust }")
    const { account, startingBalance, trust = [] } = request
    const found = parseDestination(account)
    const problem =
      typeof found === "string"
        ? found
        : found.muxedId === undefined
          ? undefined
          : "must be that of the account, which begins with G"
    if (problem !== undefined)
      return yield* new InvalidAddress({ address: String(account), network, reason: problem })
    const tokens = parseTrust(trust)
    if (tokens === undefined) return yield* refuse("trust must be a list of assets (CODE:G…), each once")
    const amount =
      startingBalance === undefined
        ? undefined
        : Number(startingBalance) === 0
          ? 0n
          : yield* toSmallestUnit(startingBalance, row.decimals, row.symbol)
    return { account, tokens, amount }
  })

/** Refuses entries that the ledger would not make for the account. */
const checkEntries = (
  { address, rpc }: SignerContext,
  account: string,
  tokens: ReadonlyArray<Token>,
  amount: bigint | undefined
) =>
  Effect.gen(function* () {
    if (account === address) return yield* refuse("account: it is the sponsor itself")
    const [state, issuers] = yield* Effect.all(
      [
        readAccount(rpc, account),
        Effect.forEach(tokens, ({ issuer }) => readAccount(rpc, issuer), { concurrency: "unbounded" })
      ],
      { concurrency: "unbounded" }
    )
    const creates = state === undefined
    if (!creates && amount !== undefined)
      return yield* refuse("startingBalance: the account is there already: leave it out")
    if (!creates && tokens.length === 0)
      return yield* refuse("trust: the account is there already, and gets no trust line")
    if (state !== undefined && state.weight < state.threshold)
      return yield* refuse(
        `account: its key weighs ${state.weight}, and trust lines of ${account} take ${state.threshold}`
      )
    for (const [i, token] of tokens.entries()) {
      if (token.issuer === account) return yield* refuse(`trust: ${account} issues ${token.code} itself`)
      if (issuers[i] === undefined)
        return yield* refuse(`trust: there is no asset ${token.token}: its issuer has no account`)
      if (state?.holds(token) !== undefined)
        return yield* refuse(`trust: ${account} has a trust line for ${token.token} already`)
    }
    return creates
  })

/** The preview of what makes an account, trust lines of it, or both, whose reserve the sponsor keeps. */
export const prepareSponsorship = (
  context: SignerContext,
  request: SponsorshipRequest
): Effect.Effect<Prepared<StellarTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network, row, rpc } = context
    const { account: to, amount: given, tokens } = yield* readRequest(context, request)
    const { maxFee, until } = request
    const coin = { address, asset: row.symbol, decimals: row.decimals }
    const creates = yield* checkEntries(context, to, tokens, given)
    const { ledger, own, rate } = yield* Effect.all(
      { ledger: readLatestLedger(rpc), own: readAccount(rpc, address), rate: readFee(rpc) },
      { concurrency: "unbounded" }
    )
    const expires =
      until === undefined
        ? ledger.time + VALID_SECONDS
        : until instanceof Date
          ? Math.floor(until.getTime() / 1_000)
          : Number.NaN
    if (!(expires > ledger.time)) return yield* refuse("until must be a Date in the future")
    const amount = given ?? 0n
    const trust = tokens.map(({ token }) => token)
    const plan = {
      ...{ from: address, to, amount },
      ...(creates ? { creates } : {}),
      sponsors: { trust }
    }
    const fee = rate * BigInt(makeOperations({ ...plan, fee: 0n }).length)
    yield* checkFeeCap(fee, maxFee, coin, caps.stellar.fee)
    const reserve = ledger.reserve * BigInt((creates ? NEW_ENTRIES : 0) + trust.length)
    const { balance = 0n, bound = 0n } = own?.holds() ?? {}
    const kept = ledger.reserve * (own?.entries ?? 0n) + bound
    yield* checkBalance(amount + fee + kept + reserve, balance, coin)
    if (own === undefined || own.weight < own.threshold)
      return yield* refuse("the key of the sponsor weighs less than its payments take")
    const show = (stroops: bigint): string => Units.format(stroops, row.decimals)
    const transaction = { ...plan, fee, sequence: own.sequence + 1n, expires }
    return {
      network,
      from: address,
      to,
      amount,
      fee,
      outgoing: [{ asset: row.symbol, amount: show(amount + fee) }],
      warnings: [
        describeSponsored(transaction),
        `${show(reserve)} ${row.symbol} of the account cannot be spent as long as those are there.`
      ],
      transaction
    }
  })
