/**
 * Signers of Bitcoin, Bitcoin Cash, Litecoin, Dogecoin and Zcash, over `@scure/btc-signer`: from a mnemonic, a private key or a function that
 * signs. The preview shows inputs, fee and change, and no output is spent twice.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { OnThisEffect } from "../data/effectVersion.js"
import { bytesToHex } from "../data/hex.js"
import { loadOnce, loadPeer } from "../data/loadOnce.js"
import { type InvalidArgument, type SigningFailed, TransactionReplaced } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { withRequest } from "./accountKey.js"
import { makeAccount, PEERS } from "./bitcoin/accounts.js"
import * as Coins from "./bitcoin/Coins.js"
import type { MultisigTransaction } from "./bitcoin/multisig.js"
import { chainOf } from "./bitcoin/networks.js"
import { isAsPreviewed, isOwnOutput, prepare } from "./bitcoin/payments.js"
import { broadcastAndConfirm, hasTransaction, makeFindUtxos, type SignerContext } from "./bitcoin/reading.js"
import { makePrepareReplacement, prepareBumpFeeByChild } from "./bitcoin/replacements.js"
import type {
  AddressType,
  BitcoinClient,
  BitcoinFrom,
  BitcoinOutput,
  BitcoinPayment,
  BitcoinSigner,
  BitcoinTransaction,
  HdClient,
  HdFrom,
  HdSigner,
  MessageFormat,
  MessageOptions,
  MultisigAccount,
  MultisigFrom,
  WatchedAccount,
  WatchFrom
} from "./bitcoin/Types.js"
import type { BroadcastError } from "./broadcast.js"
import type { Prepared, SendOptions, Sent, Signed, SignerError, SubmitError, WithPolicy } from "./Signer.js"
import {
  assembleSigner,
  authorizeBy,
  authorizeMessage,
  makeCosign,
  type Outbound,
  refuseNull,
  toSent
} from "./SignerDefinition.js"
import { invalidArgument, invalidKey, loadNetworkRow, trySigning } from "./signerChecks.js"

export { isUnknownTransaction } from "../chains/internal/unknown.js"
export { addressOf, addressProblem, leastAmount, scriptOf } from "./bitcoin/address.js"
export type * from "./bitcoin/Types.js"
export { withAgreement } from "./evidence.js"

type SentPayment = Sent<BitcoinTransaction>

const signTransaction = (
  { account: { chain }, keyAt, scure }: SignerContext,
  transaction: BitcoinTransaction
): Effect.Effect<Signed, SigningFailed> =>
  trySigning(async (request) => {
    const library = chain.actionFee === undefined ? scure : await import("./bitcoin/zcash.js")
    return library.signTransaction(transaction, chain, (input) => withRequest(keyAt(input), request))
  })

const placeOf = ({ path }: BitcoinOutput): Pick<BitcoinOutput, "path"> => (path === undefined ? {} : { path })

/** What a transaction spends, and, once nodes have taken it, gives back. */
const toSpending = (
  context: SignerContext,
  { inputs, outputs, replaces }: BitcoinTransaction,
  signed: Signed,
  isAccepted: boolean
): Coins.SpendingTransaction => {
  const vout = outputs.findLastIndex((output) => isOwnOutput(context, output))
  const change = isAccepted ? outputs[vout] : undefined
  return {
    ...signed,
    isAccepted,
    inputs,
    replaces,
    ...(change === undefined
      ? {}
      : {
          change: { ...placeOf(change), txid: signed.hash, vout, amount: change.amount, previous: signed.raw }
        })
  }
}

/** The transactions of this signer whose change an unsent transaction spends. */
const parentsOf = (
  { coins }: SignerContext,
  { inputs }: BitcoinTransaction
): ReadonlyArray<Coins.SpendingTransaction> => inputs.flatMap((input) => coins.findParent(input) ?? [])

/** What a refused transaction was to spend is free. Change among it may be gone, with the transaction that was to give it. */
const releaseCoins = (context: SignerContext, transaction: BitcoinTransaction, { hash }: Signed) => {
  const { coins } = context
  coins.drop(hash)
  return Effect.forEach(parentsOf(context, transaction), (parent) =>
    Effect.map(hasTransaction(context, parent.hash), (isThere) => {
      if (!isThere) coins.drop(parent.hash)
    })
  )
}

/**
 * Broadcasts a transaction. If a node refuses it, the transactions whose change it spends are broadcast first: the node may not know
 * them.
 */
const broadcastWithParents = (
  context: SignerContext,
  transaction: BitcoinTransaction,
  signed: Signed,
  wasBroadcast = false
) => {
  const parents = parentsOf(context, transaction)
  const rebroadcastParents = Effect.forEach(parents, (parent) =>
    Effect.ignore(broadcastAndConfirm(context, parent))
  )
  return Effect.catchIf(
    broadcastAndConfirm(context, signed, wasBroadcast),
    (error) => error._tag === "RpcError" && parents.length > 0,
    () => Effect.zipRight(rebroadcastParents, broadcastAndConfirm(context, signed, wasBroadcast))
  )
}

/** Signs what was prepared and broadcasts it. Its inputs are not spent again, unless all nodes refuse it. */
const broadcastPayment = (
  context: SignerContext,
  prepared: Prepared<BitcoinTransaction>,
  beforeBroadcast: (out: Outbound<BitcoinTransaction>) => void
): Effect.Effect<SentPayment, BroadcastError | SigningFailed> =>
  Effect.gen(function* () {
    const { transaction } = prepared
    const { coins } = context
    const other = coins.findSpenders(transaction.inputs).find(({ hash }) => hash !== transaction.replaces)
    if (other !== undefined)
      return yield* invalidArgument(
        "submit",
        `${other.hash} of this signer spends what it was to spend: prepare it again`
      )
    const signed = yield* signTransaction(context, transaction)
    // before the broadcast, since the caller's fiber may be interrupted during it
    coins.add(toSpending(context, transaction, signed, false))
    beforeBroadcast({ ...signed, prepared })
    yield* Effect.tapError(broadcastWithParents(context, transaction, signed), (error) =>
      error._tag === "BroadcastUnclear" ? Effect.void : releaseCoins(context, transaction, signed)
    )
    coins.add(toSpending(context, transaction, signed, true))
    return toSent({ ...signed, prepared })
  })

/** Broadcasts the same bytes again. */
const rebroadcastPayment = (context: SignerContext, { prepared, ...signed }: Outbound<BitcoinTransaction>) =>
  Effect.map(broadcastWithParents(context, prepared.transaction, signed, true), () =>
    context.coins.add(toSpending(context, prepared.transaction, signed, true))
  )

/** Waits until a transaction is deep enough in the chain. It fails if a block has the one that took its place. */
const waitForConfirmations = (
  { coins, rpc }: SignerContext,
  { hash }: Pick<SentPayment, "hash">,
  confirmations: number
): Effect.Effect<unknown, SubmitError> =>
  Effect.catchTag(
    rpc.waitForTransaction(hash, { confirmations }),
    "TransactionNotConfirmed",
    (error): Effect.Effect<never, SubmitError> => {
      const by = coins.replacedBy(hash)
      return by === undefined
        ? Effect.fail(error)
        : Effect.flatMap(rpc.getTxOut(by, 0, false), (output) =>
            Effect.fail(output === null ? error : new TransactionReplaced({ hash, by }))
          )
    }
  )

/** The formats of messages that each type of address has, the usual one first. */
const messageFormats: Readonly<
  Record<AddressType, readonly [MessageFormat, ...ReadonlyArray<MessageFormat>]>
> = {
  p2pkh: ["bip137"],
  p2wpkh: ["bip137", "bip322"],
  p2tr: ["bip322"],
  "p2sh-p2wpkh": ["bip137"]
}

/** Signs a message in a format that the account has. */
const signMessageIn = (
  { account }: SignerContext,
  message: string | Uint8Array,
  { format }: MessageOptions = {}
): Effect.Effect<string, SigningFailed | InvalidArgument> => {
  const formats = messageFormats[account.type]
  const [usual] = formats
  return formats.includes(format ?? usual)
    ? trySigning(async (request) => {
        const { signMessage } = await import("./bitcoin/messages.js")
        return signMessage(message, format ?? usual, withRequest(account, request))
      })
    : invalidArgument("signMessage", `format must be ${formats.join(" or ")} for ${account.type}`)
}

/** What signs on Zcash, whose transactions have another form. */
const zcashPayments = /*#__PURE__*/ loadOnce(() => import("./bitcoin/zcash.js"), Effect.succeed)

/** What reads and signs partially signed transactions, which most accounts never do. */
const psbts = /*#__PURE__*/ loadOnce(() => import("./bitcoin/psbt.js"), Effect.succeed)

/** Makes the signer of an account. Its payments are made one after another, since each needs to know what the earlier ones have spent. */
const makeSigner = (
  context: SignerContext,
  own: WithPolicy,
  preparePayment = (payment: BitcoinPayment) => prepare(context, payment)
): BitcoinSigner => {
  const { account } = context
  const { address, network } = account
  const runExclusive = Effect.unsafeMakeSemaphore(1).withPermits(1)
  const signer = assembleSigner<BitcoinTransaction>(
    {
      network,
      address,
      sign: (transaction) => signTransaction(context, transaction),
      signMessage: (message) => signMessageIn(context, message),
      prepare: (payment) =>
        account.chain.actionFee === undefined
          ? preparePayment(payment)
          : Effect.flatMap(zcashPayments, ({ withConsensus }) =>
              withConsensus(context, preparePayment(payment))
            ),
      isAsPreviewed: (prepared) => isAsPreviewed(context, prepared),
      ...(context.findProblem === undefined ? {} : { findProblem: context.findProblem }),
      broadcast: (prepared, beforeBroadcast) => broadcastPayment(context, prepared, beforeBroadcast),
      rebroadcast: (out) => rebroadcastPayment(context, out),
      waitForConfirmations: (sent, confirmations) => waitForConfirmations(context, sent, confirmations),
      runExclusive
    },
    own
  )
  const submitWhenPrepared = <E>(
    preparing: Effect.Effect<Prepared<BitcoinTransaction>, E>,
    options: SendOptions
  ) => Effect.flatMap(preparing, (prepared) => signer.submit(prepared, options))
  const prepareSpeedUp = makePrepareReplacement(context, "speedUp")
  const prepareCancel = makePrepareReplacement(context, "cancel")
  return {
    ...signer,
    prepareSpeedUp,
    prepareCancel,
    prepareBumpFeeByChild: (hash, options) => prepareBumpFeeByChild(context, hash, options),
    speedUp: (hash, options = {}) => submitWhenPrepared(prepareSpeedUp(hash, options), options),
    cancel: (hash, options = {}) => submitWhenPrepared(prepareCancel(hash, options), options),
    bumpFeeByChild: (hash, options = {}) =>
      submitWhenPrepared(prepareBumpFeeByChild(context, hash, options), options),
    publicKey: bytesToHex(account.publicKey),
    exportPsbt: (prepared, { version = 0 } = {}) => {
      if (!isRecord(prepared) || !isRecord(prepared.transaction))
        return invalidArgument("exportPsbt", "it takes what prepare has made")
      return prepared.network === network && prepared.from === address
        ? Effect.flatMap(psbts, (psbt) => psbt.exportPsbt(context, prepared.transaction, version))
        : invalidArgument(
            "exportPsbt",
            `it was prepared for ${prepared.from} on ${prepared.network}, and this signer is ${address} on ${network}`
          )
    },
    inspectPsbt: (given) => Effect.flatMap(psbts, (psbt) => psbt.inspectPsbt(context, given)),
    signPsbt: (given, { maxFee } = {}) =>
      Effect.flatMap(psbts, (psbt) =>
        Effect.flatMap(psbt.checkPsbt(context, given, maxFee), ({ request, signing }) =>
          authorizeBy(own.policy, request, signing)
        )
      ),
    signMessage: (message, options) =>
      authorizeMessage(own.policy, account, message, (copy) => signMessageIn(context, copy, options))
  }
}

/** The network of a client, and the library that reads it. */
const openNetwork = ({ network }: Pick<BitcoinClient, "network">) =>
  Effect.gen(function* () {
    const row = yield* loadNetworkRow(network, ["utxo", "doge", "utxo-estimatefee"])
    const chain = chainOf(network)
    if (chain === undefined) return yield* invalidArgument("signer", `${network} has no signer yet`)
    const scure = yield* loadPeer(PEERS, () => import("./bitcoin/scure.js"))
    return { network, row, chain, scure }
  })

/**
 * Makes a signer of Bitcoin, Bitcoin Cash, Litecoin, Dogecoin or Zcash from a mnemonic (`m/84'/0'/0'/0/index`; `44'/145'` on Bitcoin Cash,
 * `84'/2'` on Litecoin, `44'/3'` on Dogecoin, `44'/133'` on Zcash, and the coin 1 on their testnets), a private key (64 hexadecimal digits, or the wallet import format), or a public key and a function
 * that signs. Unspent outputs come from the data API, or from `utxos`. Make one signer per account and process: it keeps the outputs
 * that it has spent.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  client: BitcoinClient,
  from: OnThisEffect<BitcoinFrom>
): Effect.Effect<BitcoinSigner, SignerError> =>
  Effect.gen(function* () {
    const { data, nodes, rpc } = client
    const ground = yield* openNetwork(client)
    const { row, scure } = ground
    const account = yield* makeAccount(ground, from)
    const findUtxos = makeFindUtxos(row, from.utxos, data)
    if (findUtxos === undefined)
      return yield* invalidArgument(
        "signer",
        "a client without the data API needs utxos, which finds unspent outputs"
      )
    const context: SignerContext = {
      ...{ scure, row, nodes, rpc, account, findUtxos },
      keyAt: () => account,
      change: { address: account.address },
      coins: Coins.make()
    }
    return makeSigner(context, from)
  }).pipe(Effect.map(refuseNull))

const hd = /*#__PURE__*/ loadPeer(`${PEERS} @scure/bip32`, () => import("./bitcoin/hd.js"))

/** An account with many addresses, of a client. */
const openHd = (client: HdClient, from: WatchFrom | HdFrom) =>
  Effect.gen(function* () {
    const { openHdAccount } = yield* hd
    return yield* openHdAccount({ ...(yield* openNetwork(client)), client }, from)
  })

/**
 * Watches an HD account by its extended public key or its descriptor: its balance, its unspent outputs, and its next addresses. No private
 * key is needed. Payments are prepared, and exported as partially signed transactions for whoever has the keys.
 *
 * @since 0.1.0
 * @category constructors
 */
export const watchHdAccount = (
  client: HdClient,
  from: WatchFrom
): Effect.Effect<WatchedAccount, SignerError> =>
  Effect.flatMap(openHd(client, from), ({ context, isPrivate, prepare: prepareHd, ...account }) => {
    if (isPrivate) return invalidKey("it is private: watch the public one, or sign with hdSigner")
    const { address, exportPsbt, inspectPsbt, network, prepare } = makeSigner(context, {}, prepareHd)
    return Effect.succeed(refuseNull({ ...account, network, address, prepare, exportPsbt, inspectPsbt }))
  })

/** What accounts of several keys need, which most signers never do. */
const multisigs = /*#__PURE__*/ loadOnce(() => import("./bitcoin/multisig.js"), Effect.succeed)

/** Makes the function that signs for accounts of several keys, of which the account's is one. */
const makeCosignHd =
  (
    { account: { address, chain, network }, keyAt }: SignerContext,
    member: string,
    { policy }: WithPolicy
  ): HdSigner["cosign"] =>
  (prepared) =>
    Effect.flatMap(multisigs, ({ parseMultisig, readTerms, signAsMember }) =>
      makeCosign<MultisigTransaction>({
        network,
        address,
        policy,
        readTerms,
        sign: (transaction) =>
          Effect.map(
            trySigning((request) =>
              signAsMember(parseMultisig(transaction.from, chain), transaction, member, (place) =>
                withRequest(keyAt(place), request)
              )
            ),
            (signature) => ({ signature })
          )
      })(prepared)
    )

/**
 * Makes the signer of an HD account from words or from a private extended key. It pays with coins of all addresses of the account, and sends
 * change to a new one. Make one signer per account and process: it keeps the outputs that it has spent.
 *
 * @since 0.1.0
 * @category constructors
 */
export const hdSigner = (
  client: HdClient,
  from: OnThisEffect<HdFrom>
): Effect.Effect<HdSigner, SignerError> =>
  Effect.flatMap(openHd(client, from), ({ context, isPrivate, prepare: prepareHd, ...account }) => {
    if (!isPrivate)
      return invalidKey("it is public: sign with words or a private key, or watch it with watchHdAccount")
    const {
      address,
      exportPsbt,
      inspectPsbt,
      network,
      prepare,
      send,
      sendToken,
      sign,
      signMessage,
      signPsbt,
      submit
    } = makeSigner(context, from, prepareHd)
    return Effect.succeed(
      refuseNull({
        ...account,
        ...{ network, address, prepare, exportPsbt, inspectPsbt },
        ...{ send, sendToken, sign, signMessage, signPsbt, submit },
        cosign: makeCosignHd(context, account.extendedKey, from)
      })
    )
  })

/**
 * Watches an account of several keys by its descriptor: its balance, its unspent outputs, and its next addresses. Payments of it are
 * proposals (`effect-chains/signers/proposal`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const watchMultisig = (
  client: HdClient,
  from: MultisigFrom
): Effect.Effect<MultisigAccount, SignerError> =>
  Effect.gen(function* () {
    const { openMultisig } = yield* hd
    const { network, ...ground } = yield* openNetwork(client)
    return refuseNull({ network, ...(yield* openMultisig({ ...ground, client }, from)) })
  })
