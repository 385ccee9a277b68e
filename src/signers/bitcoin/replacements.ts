/**
 * Higher fees for transactions that wait for a block: by one that takes their place (BIP-125), or by one that spends what they pay. They
 * are read from nodes, so that any process that has the key can do it.
 */
import * as Effect from "effect/Effect"
import { isUnknownTransaction } from "../../chains/internal/unknown.js"
import { bytesToHex } from "../../data/hex.js"
import { InvalidArgument, reasonOf } from "../../data/SdkError.js"
import { maxOf, withAgreement } from "../evidence.js"
import type { Payment, Prepared, PrepareError, ReadError } from "../Signer.js"
import { catchMalformedAnswer, invalidArgument, warnOfHighFee } from "../signerChecks.js"
import { addressOf } from "./address.js"
import { keyOf } from "./Coins.js"
import { hasSignedAmounts, isReplacing } from "./networks.js"
import { type Choice, insufficientFunds, termsOf, toPrepared } from "./payments.js"
import { checkCoin, estimateFeeRate, type SignerContext, TXID, toUnits } from "./reading.js"
import type { DecodedTransaction, SpentOutput } from "./scure.js"
import { completeSelection, feeForSize, feeOf, isTooLarge, type SelectionTerms, sum } from "./selection.js"
import type { BitcoinInput, BitcoinTransaction, Outpoint, WaitingEntry } from "./Types.js"

/** A transaction that waits for a block: as it was signed, and what nodes tell of it. */
interface WaitingTransaction extends DecodedTransaction {
  readonly hash: string
  readonly entry: WaitingEntry
  /** Its outputs to the account, by their index. */
  readonly own: ReadonlyArray<Outpoint & { readonly amount: bigint }>
}

/** The call that is made, and the transaction that it is about, for errors. */
interface Subject {
  readonly call: string
  readonly hash: string
}

const refuse = ({ call, hash }: Subject, why: string): InvalidArgument =>
  invalidArgument(call, `${hash} ${why}`)

/** What nodes tell of a waiting transaction; undefined if none waits. Two nodes have to agree on its fees, if there are two. */
const readEntry = (
  { rpc }: SignerContext,
  hash: string
): Effect.Effect<WaitingEntry | undefined, ReadError> =>
  withAgreement(
    rpc.getMempoolEntry(hash).pipe(
      Effect.map((entry): WaitingEntry | undefined => entry ?? undefined),
      // nodes have no other answer for that than an error
      Effect.catchTag("RpcError", () => Effect.succeed(undefined))
    ),
    (one, other) =>
      one?.ancestorsize === other?.ancestorsize &&
      one?.fees?.ancestor === other?.fees?.ancestor &&
      one?.fees?.descendant === other?.fees?.descendant
  )

const readRaw = ({ rpc }: SignerContext, hash: string): Effect.Effect<string | undefined, ReadError> =>
  rpc.getRawTransaction(hash).pipe(
    Effect.map((found): string | undefined => String(found)),
    Effect.catchIf(isUnknownTransaction, () => Effect.succeed(undefined))
  )

/** Finds a transaction that waits for a block. Its id proves that a node has not given another one. */
const findWaiting = (
  context: SignerContext,
  { call, hash: given }: Subject
): Effect.Effect<WaitingTransaction, PrepareError> =>
  Effect.gen(function* () {
    const hash = String(given).toLowerCase()
    const subject = { call, hash }
    if (!TXID.test(hash)) return yield* refuse(subject, "is no id of a transaction: 64 hexadecimal digits")
    const by = context.coins.replacedBy(hash)
    if (by !== undefined) return yield* refuse(subject, `was replaced by ${by}`)
    const [entry, raw] = yield* Effect.all([readEntry(context, hash), readRaw(context, hash)], {
      concurrency: "unbounded"
    })
    if (raw === undefined)
      return yield* refuse(subject, "waits at no node: it may be in a block, or another one has replaced it")
    if (entry === undefined) return yield* refuse(subject, "is in a block: its fee is paid")
    const decoded = yield* Effect.try({
      try: () => context.scure.decodeTransaction(raw, hash),
      catch: (error) => new InvalidArgument({ call, reason: reasonOf(error) })
    })
    const own = decoded.outputs.flatMap(({ amount, script }, vout) =>
      isOwn(context, script) ? [{ txid: hash, vout, amount, ...previousOf(context, raw) }] : []
    )
    return { ...decoded, hash, entry, own }
  })

const isOwn = ({ account }: SignerContext, script: Uint8Array): boolean =>
  bytesToHex(script) === bytesToHex(account.script)

/** The transaction of an output, where it has to prove the amount. */
const previousOf = ({ account }: SignerContext, previous: string): Pick<BitcoinInput, "previous"> =>
  hasSignedAmounts(account) ? {} : { previous }

/** Reads an output of the account that a waiting transaction spends: from the blocks, or from the waiting one that pays it. */
const readOwnInput = (
  context: SignerContext,
  subject: Subject,
  { txid, vout }: Outpoint
): Effect.Effect<BitcoinInput, PrepareError> =>
  Effect.gen(function* () {
    const { account, row, rpc, scure } = context
    const foreign = refuse(subject, `spends ${txid}:${vout}, which is one of another address`)
    const confirmed = hasSignedAmounts(account) ? yield* rpc.getTxOut(txid, vout, false) : null
    if (confirmed !== null)
      return confirmed.scriptPubKey.hex === bytesToHex(account.script)
        ? { txid, vout, amount: toUnits(row.decimals, confirmed.value) }
        : yield* foreign
    const previous = String(yield* rpc.getRawTransaction(txid))
    const { amount, script } = yield* Effect.try({
      try: () => scure.readOutput(previous, { txid, vout }),
      catch: (error) => new InvalidArgument({ call: subject.call, reason: reasonOf(error) })
    })
    return isOwn(context, script) ? { txid, vout, amount, ...previousOf(context, previous) } : yield* foreign
  })

/** Refuses what nodes do not replace: a final transaction, and one whose change another payment spends, which would be lost with it. */
const checkReplaceable = (
  context: SignerContext,
  subject: Subject,
  { entry, inputs, own }: WaitingTransaction
): Effect.Effect<void, PrepareError> =>
  Effect.gen(function* () {
    const { rpc, scure } = context
    const isSignalled =
      inputs.some(({ sequence }) => sequence <= scure.REPLACEABLE) || entry["bip125-replaceable"] === true
    if (!isSignalled && (yield* rpc.getMempoolInfo()).fullrbf !== true)
      return yield* refuse(
        subject,
        "was signed as final, and nodes do not replace it: bumpFeeByChild has another transaction pay for it"
      )
    for (const { txid, vout } of own)
      if ((yield* rpc.getTxOut(txid, vout)) === null)
        return yield* refuse(subject, `has change that another payment spends, which would be lost with it`)
  })

/** The one receiver of a transaction and the amount; undefined if it pays everything back to the account. */
const readPayment = (
  context: SignerContext,
  subject: Subject,
  { outputs }: WaitingTransaction
): Effect.Effect<(SpentOutput & { readonly to: string }) | undefined, InvalidArgument> => {
  const { network } = context.account
  const others = outputs.filter(({ script }) => !isOwn(context, script))
  if (others.length > 1)
    return refuse(subject, `pays ${others.length} receivers, and this signer's transactions pay one`)
  const [paid] = others.length === 0 && outputs.length > 1 ? outputs : others
  if (paid === undefined) return Effect.succeed(undefined)
  const to = addressOf(bytesToHex(paid.script), network)
  return to === undefined
    ? refuse(subject, "pays a script that has no address")
    : Effect.succeed({ ...paid, to })
}

/** Fees of a waiting transaction and of those beside it, in the smallest unit. */
const relatedFees = (
  { row: { decimals } }: SignerContext,
  entry: WaitingEntry,
  kind: "ancestor" | "descendant"
): bigint =>
  entry.fees === undefined ? BigInt(entry[`${kind}fees`] ?? 0) : toUnits(decimals, entry.fees[kind])

/** The change of the fee that nodes want for every 1,000 virtual bytes of a replacement. */
const readIncrementalRate = ({
  account: { chain },
  row: { decimals },
  rpc
}: SignerContext): Effect.Effect<bigint, ReadError> =>
  Effect.map(rpc.getNetworkInfo(), ({ incrementalfee }) => toUnits(decimals, incrementalfee) || chain.relay)

/** Completes a choice of outputs; undefined if they are not enough. */
type Complete = (terms: SelectionTerms, coins: ReadonlyArray<BitcoinInput>) => Choice | undefined

/** Pays as before, with change that pays for the fee. */
const payAgain: Complete = (terms, coins) => {
  const selection = completeSelection(terms, coins)
  return selection === undefined ? undefined : { amount: terms.amount, selection, warnings: [] }
}

/** Pays everything but the fee to the account itself. */
const payBack: Complete = (terms, coins) => {
  const fee = feeOf(terms, coins.length, false)
  const amount = sum(coins) - fee
  return amount < terms.dust ? undefined : { amount, selection: { coins, fee, change: 0n }, warnings: [] }
}

/**
 * Completes a choice with these outputs, and with more of the account where they are not enough, the largest first. Nodes replace nothing
 * by what spends more outputs that wait for a block.
 */
const completeChoice = (
  context: SignerContext,
  terms: SelectionTerms,
  given: ReadonlyArray<BitcoinInput>,
  complete: Complete
): Effect.Effect<Choice, PrepareError> =>
  Effect.gen(function* () {
    const first = complete(terms, given)
    if (first !== undefined) return first
    const { account, coins, findUtxos } = context
    const keys = new Set(given.map(keyOf))
    const listed = coins
      .filterUnspent(yield* findUtxos(account.address))
      .filter((coin) => !keys.has(keyOf(coin)) && coins.findParent(coin) === undefined)
    const chosen = [...given]
    for (const coin of [...listed].sort((a, b) => Number(b.amount - a.amount))) {
      if (isTooLarge(terms, chosen.length + 1)) break
      const checked = yield* checkCoin(context, coin)
      if (checked === undefined) continue
      chosen.push(checked)
      const found = complete(terms, chosen)
      if (found !== undefined) return found
    }
    return yield* insufficientFunds(context, terms, chosen)
  })

type Options = Pick<Payment, "maxFee">

/** What is chosen for a waiting transaction. `to` is the account itself where there is none. */
interface Bump {
  readonly choice: Choice
  readonly maxFee: Payment["maxFee"] | undefined
  readonly replaces?: string
  readonly to?: string | undefined
}

/** The preview of a transaction that the account makes for one that waits. */
const previewBump = (
  context: SignerContext,
  terms: SelectionTerms,
  { choice, to, maxFee, replaces }: Bump
): Effect.Effect<Prepared<BitcoinTransaction>, PrepareError> => {
  const { address, chain } = context.account
  const isReplaceable = replaces !== undefined || chain.isReplaceable
  const { amount, selection } = choice
  return toPrepared(context, {
    ...choice,
    terms,
    to: to ?? address,
    maxFee,
    ...(to === undefined ? { leaving: selection.fee } : {}),
    warnings: warnOfHighFee(selection.fee, amount),
    transaction: {
      ...(isReplaceable ? { replaceable: true } : {}),
      ...(replaces === undefined ? {} : { replaces })
    }
  })
}

/**
 * Prepares the replacement of a transaction. Its fee is more than that of all that it takes the place of, by what nodes want for relaying
 * it, and so is its rate (rules 3 and 4 of BIP-125).
 */
export const makePrepareReplacement =
  (context: SignerContext, call: "speedUp" | "cancel") =>
  (given: string, { maxFee }: Options = {}): Effect.Effect<Prepared<BitcoinTransaction>, PrepareError> =>
    Effect.gen(function* () {
      const { account } = context
      if (!isReplacing(account.chain))
        return yield* invalidArgument(call, `nodes of ${account.network} replace no transactions`)
      const waiting = yield* findWaiting(context, { call, hash: given })
      const { entry, hash, inputs: places, outputs, size } = waiting
      const subject = { call, hash }
      yield* checkReplaceable(context, subject, waiting)
      const inputs = yield* Effect.forEach(places, (place) => readOwnInput(context, subject, place))
      const payment = call === "cancel" ? undefined : yield* readPayment(context, subject, waiting)
      const [now, relay] = yield* Effect.all([estimateFeeRate(context), readIncrementalRate(context)], {
        concurrency: "unbounded"
      })
      const fee = sum(inputs) - sum(outputs)
      const replacedFee = maxOf(fee, relatedFees(context, entry, "descendant"))
      const rate = maxOf(now.rate, (fee * 1_000n) / BigInt(size) + relay)
      const { dust, ...basic } = termsOf(context, payment ?? account, payment?.amount ?? 0n, rate)
      const terms: SelectionTerms = {
        ...basic,
        dust,
        amount: payment?.amount ?? dust,
        leastFee: (bytes) => replacedFee + feeForSize(bytes, relay)
      }
      const choice = yield* completeChoice(context, terms, inputs, payment === undefined ? payBack : payAgain)
      return yield* previewBump(context, terms, {
        choice,
        maxFee,
        replaces: hash,
        to: payment?.to
      })
    }).pipe(catchMalformedAnswer)

/** The outputs of a waiting transaction to the account that nothing spends. */
const findUnspentOutputs = (context: SignerContext, { own }: WaitingTransaction) =>
  Effect.map(
    Effect.forEach(own, ({ txid, vout }) => context.rpc.getTxOut(txid, vout)),
    (outputs) => own.filter((_, at) => outputs[at] !== null)
  )

/** Prepares a payment to the account itself that pays for a waiting transaction: for it, for all before it that wait, and for itself. */
export const prepareBumpFeeByChild = (
  context: SignerContext,
  given: string,
  { maxFee }: Options = {}
): Effect.Effect<Prepared<BitcoinTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const call = "bumpFeeByChild"
    const { account, row } = context
    if (!account.chain.isBusy)
      return yield* invalidArgument(call, `blocks of ${account.network} have room for all that nodes relay`)
    const waiting = yield* findWaiting(context, { call, hash: given })
    const { entry, hash, size } = waiting
    const coins = yield* findUnspentOutputs(context, waiting)
    if (coins.length === 0)
      return yield* refuse({ call, hash }, `pays nothing to ${account.address} that is not spent`)
    const { rate } = yield* estimateFeeRate(context)
    // bcoin does not count ancestors
    const isCounted = (entry.ancestorsize ?? 0) > 0
    const packageSize = isCounted ? (entry.ancestorsize ?? size) : size
    const paid = isCounted ? relatedFees(context, entry, "ancestor") : toUnits(row.decimals, entry.fee)
    if (paid >= feeForSize(packageSize, rate))
      return yield* refuse({ call, hash }, "pays as much as nodes estimate already")
    const { dust, ...basic } = termsOf(context, account, 0n, rate)
    const terms: SelectionTerms = {
      ...basic,
      dust,
      amount: dust,
      leastFee: (bytes) => feeForSize(packageSize + bytes, rate) - paid
    }
    const choice = yield* completeChoice(context, terms, coins, payBack)
    return yield* previewBump(context, terms, { choice, maxFee })
  }).pipe(catchMalformedAnswer)
