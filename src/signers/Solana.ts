/**
 * Signers of Solana, over `@solana/kit`: from a mnemonic, a private key, a signer of kit or a function that signs. Payments in SOL and in
 * tokens (Token and Token-2022), which create the receiver's token account if it is missing, and whole transactions from elsewhere.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { OnThisEffect } from "../data/effectVersion.js"
import { loadOnce, loadPeer } from "../data/loadOnce.js"
import { type InvalidArgument, SigningFailed } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { Prepared, ReadError, Signed, SignerError, SubmitError } from "./Signer.js"
import {
  type Accepted,
  assembleSigner,
  type PaymentTerms,
  refuseNull,
  type SignerDefinition
} from "./SignerDefinition.js"
import { catchMalformedAnswer, invalidArgument, loadNetworkRow, trySigning } from "./signerChecks.js"
import { type Account, makeAccount } from "./solana/accounts.js"
import { addressProblem } from "./solana/address.js"
import type { CompiledTransaction } from "./solana/kit.js"
import { computeBudgetProblem, isAmount, priorityFeeOf } from "./solana/layout.js"
import { MIN_FEE, prepare, type SignerContext } from "./solana/payments.js"
import {
  type BlockhashLifetime,
  broadcastSigned,
  lifetimeOf,
  readLifetime,
  repeatUntilExpired
} from "./solana/reading.js"
import type { SolanaClient, SolanaFrom, SolanaSigner, SolanaTransaction } from "./solana/Types.js"
import type { Dating } from "./solana/transactions.js"

export { withAgreement } from "./evidence.js"
export { addressProblem } from "./solana/address.js"
export type * from "./solana/Types.js"

/** The bytes of a payment of this account. */
const compileTransaction = (
  { kit }: SignerContext,
  transaction: SolanaTransaction
): Effect.Effect<CompiledTransaction, InvalidArgument> => {
  const { amount, lastValidBlockHeight = 0n, nonce, token } = transaction
  const { blockhash = nonce?.value } = transaction
  if (!isAmount(amount)) return Effect.fail(invalidArgument("sign", "its amount is none of 64 bits"))
  if (
    token !== undefined &&
    !(Number.isInteger(token.decimals) && token.decimals >= 0 && token.decimals < 256)
  )
    return Effect.fail(invalidArgument("sign", "the decimals of its token are none of 8 bits"))
  if (blockhash === undefined || addressProblem(blockhash) !== undefined)
    return Effect.fail(invalidArgument("sign", "it has no blockhash: prepare gives one"))
  return Effect.try({
    try: () => kit.compile(transaction, { blockhash, lastValidBlockHeight }),
    catch: () => invalidArgument("sign", "it names accounts that are none of Solana")
  })
}

const signCompiled = (
  { address, kit }: SignerContext,
  account: Account,
  compiled: CompiledTransaction
): Effect.Effect<Signed, SigningFailed> =>
  Effect.map(
    trySigning((request) => account.signTransaction(compiled, request)),
    (signature) => ({
      raw: kit.encodeTransaction(compiled, address, signature),
      hash: kit.encodeSignature(signature)
    })
  )

/** Messages that are remembered: more are not made with one blockhash. */
const MAX_REMEMBERED = 1_024

/** Blockhashes are asked for so often until there is a new one, which takes 400 milliseconds. */
const MAX_TRIES = 20

/** Gives each transaction of an account a blockhash of its own: two equal payments with the same blockhash would be one transaction. */
const makeDating = ({ rpc }: SignerContext): Dating => {
  const made = new Set<string>()
  const date = <A extends { readonly message: string }, E>(
    compile: (lifetime: BlockhashLifetime) => Effect.Effect<A, E>,
    left: number
  ): Effect.Effect<A, E | ReadError | SigningFailed> =>
    Effect.gen(function* () {
      const dated = yield* compile(yield* readLifetime(rpc))
      const { message } = dated
      if (!made.has(message)) {
        made.add(message)
        const oldest = made.values().next().value
        if (made.size > MAX_REMEMBERED && oldest !== undefined) made.delete(oldest)
        return dated
      }
      if (left === 0)
        return yield* new SigningFailed({
          reason:
            "the same payment was made just now, and the chain has no newer blockhash to tell them apart"
        })
      return yield* Effect.delay(date(compile, left - 1), 400)
    })
  return (compile) => date(compile, MAX_TRIES)
}

/** Whole transactions, in a chunk of their own. */
const loadTransactions = /*#__PURE__*/ loadOnce(() => import("./solana/transactions.js"), Effect.succeed)

/** Signs a transaction as it is. */
const signAsIs = (
  context: SignerContext,
  account: Account,
  transaction: SolanaTransaction,
  fee?: bigint
): Effect.Effect<Signed, InvalidArgument | SigningFailed> => {
  const { wire } = transaction
  return wire === undefined
    ? Effect.flatMap(compileTransaction(context, transaction), (compiled) =>
        signCompiled(context, account, compiled)
      )
    : Effect.flatMap(
        Effect.mapError(loadTransactions, ({ reason }) => new SigningFailed({ reason })),
        ({ signWire }) => signWire(context, account, { ...transaction, wire }, fee)
      )
}

/** Signs a prepared payment with a blockhash of its own. */
const signDated = (context: SignerContext, account: Account, date: Dating, transaction: SolanaTransaction) =>
  Effect.flatMap(
    date((lifetime) => {
      const dated = { ...transaction, ...lifetime }
      return Effect.map(compileTransaction(context, dated), (compiled) => ({
        compiled,
        dated,
        message: context.kit.encodeMessage(compiled)
      }))
    }),
    ({ compiled, dated }) =>
      Effect.map(signCompiled(context, account, compiled), (signed) => ({ signed, transaction: dated }))
  )

const makeBroadcastParts = (
  context: SignerContext,
  account: Account,
  date: Dating
): Required<Pick<SignerDefinition<SolanaTransaction>, "broadcast" | "rebroadcast">> => ({
  broadcast: (prepared, beforeBroadcast) =>
    Effect.gen(function* () {
      const { fee, transaction: given } = prepared
      const { signed, transaction } =
        given.wire === undefined && given.nonce === undefined
          ? yield* signDated(context, account, date, given)
          : { signed: yield* signAsIs(context, account, given, fee), transaction: given }
      const out = { ...signed, prepared: { ...prepared, transaction } }
      beforeBroadcast(out)
      yield* broadcastSigned(context, signed, lifetimeOf(transaction))
      return out
    }),
  rebroadcast: (out) => broadcastSigned(context, out, lifetimeOf(out.prepared.transaction), true)
})

/** Waits until a payment is deep enough in the chain, and sends it again until then. It fails if the payment failed there. */
const makeWait =
  (context: SignerContext) =>
  (
    { hash, prepared, raw }: Accepted<SolanaTransaction>,
    confirmations: number
  ): Effect.Effect<unknown, SubmitError> => {
    const { transaction } = prepared
    const wait = context.rpc.waitForTransaction(hash, { confirmations })
    return raw === undefined ||
      (transaction.lastValidBlockHeight === undefined && transaction.nonce === undefined)
      ? wait
      : Effect.raceFirst(wait, repeatUntilExpired(context, { hash, raw }, lifetimeOf(transaction)))
  }

/** The fee of a whole transaction, and what its bytes stake, are read when it is signed. */
const readTerms = ({ amount, from, staking, to, token }: SolanaTransaction): PaymentTerms => ({
  ...{ amount, from, to, token: token?.mint },
  ...(staking === undefined
    ? {}
    : {
        staking: { action: staking.action, amount: staking.amount, stakeAccount: staking.stakeAccount }
      })
})

/** Whether a transaction costs at most what its preview says. Its base fee is the chain's. */
const isAsPreviewed = ({ fee, transaction }: Prepared<SolanaTransaction>): boolean => {
  const { computeUnitLimit = 0, computeUnitPrice = 0n, wire } = transaction
  if (wire !== undefined) return true
  return MIN_FEE + priorityFeeOf(computeUnitLimit, computeUnitPrice) <= fee
}

/** Why the fields of a transaction cannot be encoded; undefined if they can. */
const findProblem = ({
  computeUnitLimit,
  computeUnitPrice,
  staking,
  wire
}: SolanaTransaction): string | undefined =>
  wire === undefined
    ? staking !== undefined
      ? "what stakes is a whole transaction: prepareStaking makes it"
      : computeBudgetProblem(computeUnitLimit, computeUnitPrice)
    : isRecord(wire) &&
        typeof wire.encoded === "string" &&
        [wire.calls, wire.signers, wire.writable].every(Array.isArray)
      ? undefined
      : "its wire is what prepareTransaction has made"

/** Text, or bytes that are no transaction. */
const makeSignMessage =
  ({ kit }: SignerContext, account: Account) =>
  (message: string | Uint8Array): Effect.Effect<string, SigningFailed> =>
    trySigning(async (request) => {
      const given: unknown = message
      const bytes = typeof given === "string" ? new TextEncoder().encode(given) : given
      if (!kit.isBytes(bytes)) throw new Error("a message is text or bytes")
      if (kit.canBeTransaction(bytes))
        throw new Error("the message is a transaction, which could be sent with its signature")
      return kit.encodeSignature(await account.signMessage(bytes.slice(), request))
    })

/**
 * Makes a signer of Solana from a mnemonic (`m/44'/501'/index'/0'`, SLIP-10), a private key (Base58 of 64 or 32 bytes, or the list of
 * numbers in a file of Solana's command line), a signer of kit, or a function that signs. Make one signer per account and process:
 * it keeps equal payments apart.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  client: SolanaClient,
  from: OnThisEffect<SolanaFrom>
): Effect.Effect<SolanaSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, nodes, rpc } = client
    const row = yield* loadNetworkRow(network, ["solana"])
    const { decimals, symbol } = row
    const kit = yield* loadPeer("@solana/kit", () => import("./solana/kit.js"))
    const account = yield* makeAccount(kit, from)
    const { address } = account
    const context: SignerContext = {
      network,
      nodes,
      rpc,
      row,
      kit,
      address,
      coin: { asset: symbol, decimals }
    }
    const date = makeDating(context)
    const signer = assembleSigner<SolanaTransaction>(
      {
        network,
        address,
        sign: (transaction) => signAsIs(context, account, transaction),
        signMessage: makeSignMessage(context, account),
        readTerms,
        // bytes that stake are compared with what is previewed, as a payment is
        readCalls: ({ staking, wire }) => (staking === undefined ? wire?.calls : undefined),
        findProblem,
        isAsPreviewed,
        prepare: (payment) => prepare(context, payment),
        ...makeBroadcastParts(context, account, date),
        waitForConfirmations: makeWait(context)
      },
      from
    )
    const prepareTransaction: SolanaSigner["prepareTransaction"] = (request) =>
      catchMalformedAnswer(
        Effect.flatMap(loadTransactions, (transactions) =>
          transactions.prepareTransaction({ context, date }, request)
        ),
        "prepareTransaction"
      )
    return refuseNull<SolanaSigner>({
      ...signer,
      prepareTransaction,
      prepareNonceAccount: (options = {}) =>
        catchMalformedAnswer(
          Effect.flatMap(loadTransactions, (transactions) =>
            transactions.prepareNonceAccount({ context, date }, options)
          ),
          "prepareNonceAccount"
        ),
      sendTransaction: (request) =>
        Effect.flatMap(prepareTransaction(request), (prepared) => signer.submit(prepared, request))
    })
  })
