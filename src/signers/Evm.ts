/**
 * Signers of EVM chains, over `ox`: keys from a mnemonic or a private key, browser wallets, viem's accounts and functions of one's
 * own. Payments in coins and tokens (ERC-20), with consecutive nonces however many are sent at once.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { findProblem, hexBytes } from "../data/bytes.js"
import type { OnThisEffect } from "../data/effectVersion.js"
import { makeWalletUnclear } from "../data/eip1193.js"
import { loadOnce, loadPeer } from "../data/loadOnce.js"
import { evmFamilies } from "../data/Network.js"
import {
  type InvalidArgument,
  type SigningFailed,
  TransactionReplaced,
  type WalletUnclear
} from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { type Account, makeAccount, type OxModule, type SendingWallet } from "./evm/accounts.js"
import * as Nonces from "./evm/Nonces.js"
import {
  hasPrivateClient,
  isAsPreviewed,
  prepare,
  prepareTransaction,
  readMinedCount,
  type SignerContext
} from "./evm/payments.js"
import { makeNonceSource } from "./evm/reading.js"
import { makePrepareReplacement } from "./evm/replacements.js"
import type {
  EvmClient,
  EvmFrom,
  EvmSigner,
  EvmTransaction,
  PrivateClient,
  SafeTransaction
} from "./evm/Types.js"
import { checkTypedData } from "./evm/typedData.js"
import type {
  ContractCall,
  Prepared,
  SendOptions,
  Sent,
  Signed,
  SignerError,
  SubmitError,
  WithPolicy
} from "./Signer.js"
import {
  assembleSigner,
  authorizeBy,
  makeCosign,
  type Outbound,
  refuseNull,
  type SignerDefinition,
  toSent
} from "./SignerDefinition.js"
import {
  catchMalformedAnswer,
  checkBytes,
  invalidArgument,
  loadNetworkRow,
  privateProblem,
  trySigning
} from "./signerChecks.js"

export { addressProblem } from "../data/evmAddress.js"
export { withAgreement } from "./evidence.js"
export type * from "./evm/Types.js"

type SentPayment = Sent<EvmTransaction>

const WALLET_SILENT = { code: undefined, detail: "the wallet has not answered yet" }

/**
 * Asks a wallet to send what was prepared. A wallet makes a new payment each time it is asked, so it is asked again only if its user has
 * refused.
 */
const makeWalletParts = (
  { address, rpc }: SignerContext,
  wallet: SendingWallet
): SignerDefinition<EvmTransaction>["broadcast"] => {
  const unclearByTransaction = new WeakMap<EvmTransaction, WalletUnclear>()
  return (prepared) =>
    Effect.gen(function* () {
      const { transaction } = prepared
      yield* wallet.checkChain(transaction)
      const next = Number(yield* rpc.getTransactionCount(address, "pending"))
      const before = unclearByTransaction.get(transaction)
      if (before !== undefined) return yield* before
      const request = wallet.requestOf(transaction)
      // before the wallet is asked, since the caller's fiber may be interrupted during it
      unclearByTransaction.set(transaction, makeWalletUnclear(request, WALLET_SILENT, next))
      const hash = yield* Effect.tapError(wallet.send(request, next), (error) =>
        Effect.sync(() =>
          error._tag === "WalletUnclear"
            ? unclearByTransaction.set(transaction, error)
            : unclearByTransaction.delete(transaction)
        )
      )
      unclearByTransaction.delete(transaction)
      return { hash, prepared }
    })
}

/** The operations that broadcast payments of an account. */
const makeBroadcastOperations = (
  context: SignerContext,
  { wallet }: Account,
  nonces: Nonces.Nonces<EvmTransaction>
): Pick<SignerDefinition<EvmTransaction>, "broadcast" | "rebroadcast"> => {
  if (wallet !== undefined) return { broadcast: makeWalletParts(context, wallet) }
  const toOutbound = (
    prepared: Prepared<EvmTransaction>,
    { hash, nonce, raw }: Nonces.NumberedTransaction<EvmTransaction>
  ): Outbound<EvmTransaction> => ({
    hash,
    raw,
    prepared: { ...prepared, transaction: { ...prepared.transaction, nonce } }
  })
  return {
    broadcast: (prepared, beforeBroadcast) => {
      const { transaction } = prepared
      const { nonce, replaces } = transaction
      const remember = (out: Nonces.NumberedTransaction<EvmTransaction>) =>
        beforeBroadcast(toOutbound(prepared, out))
      return Effect.map(
        replaces === undefined || nonce === undefined
          ? nonces.send(transaction, remember)
          : nonces.replace({ hash: replaces, nonce }, transaction, remember),
        (out) => toSent(toOutbound(prepared, out))
      )
    },
    rebroadcast: ({ hash, prepared: { transaction }, raw }) =>
      nonces.rebroadcast({ hash, raw, transaction, nonce: transaction.nonce ?? 0 })
  }
}

/**
 * Waits until a transaction is deep enough in the chain. It fails if the transaction failed there or was replaced. Nodes never show a private
 * one that waits, and so do not tell that another one has its nonce: that is looked up when the time is over.
 */
const makeWait =
  ({ rpc }: SignerContext, nonces: Nonces.Nonces<EvmTransaction>) =>
  ({ hash }: SentPayment, confirmations: number): Effect.Effect<unknown, SubmitError> =>
    Effect.catchAll(
      rpc.waitForTransaction(hash, { confirmations }),
      (error): Effect.Effect<never, SubmitError> => {
        const by = nonces.replacedBy(hash)
        if (by === undefined) return Effect.fail(error)
        const replaced = new TransactionReplaced({ hash, by })
        if (error._tag === "TransactionDropped") return Effect.fail(replaced)
        if (error._tag !== "TransactionNotConfirmed") return Effect.fail(error)
        return Effect.flatMap(rpc.getTransactionByHash(by), (found) =>
          Effect.fail(isRecord(found) && typeof found.blockHash === "string" ? replaced : error)
        )
      }
    )

/**
 * Refuses nonces that leave a gap: above what blocks have, what this signer has sent, and what the caller allows. Otherwise a node that
 * reports a nonce too high would make a payment that may be mined years later.
 */
const withMinedCount = (
  context: SignerContext,
  chain: Nonces.NonceSource<EvmTransaction>
): Nonces.NonceSource<EvmTransaction> => {
  const { own } = context
  let mined = 0
  return {
    ...chain,
    readCount: Effect.suspend(() =>
      Effect.map(
        Effect.all([readMinedCount(context), chain.readCount], { concurrency: "unbounded" }),
        ([latest, next]) => {
          mined = latest
          return next
        }
      )
    ),
    sign: (transaction, nonce) => {
      const isKnown = transaction.replaces !== undefined
      if (!isKnown && nonce > Math.max(own.next, mined, transaction.nonceLimit ?? 0))
        return Effect.fail(
          invalidArgument(
            "submit",
            `its nonce would be ${nonce}, and blocks have ${mined} transactions of the account: it would wait for others that this signer has not sent. allowNonceGap of the payment lets it`
          )
        )
      own.next = Math.max(own.next, nonce + 1)
      return chain.sign(transaction, nonce)
    }
  }
}

/** Refuses what names another chain, and runs the effect otherwise. */
const requireChain =
  ({ chainId, network }: SignerContext) =>
  <A, E>(wanted: unknown, then: Effect.Effect<A, E>): Effect.Effect<A, E | InvalidArgument> =>
    wanted === undefined || Number(wanted) === chainId
      ? then
      : Effect.fail(
          invalidArgument("sign", `it is for the chain ${String(wanted)}, and ${network} is ${chainId}`)
        )

/**
 * Reads which contract a transaction calls, as policies see it; undefined if it calls none.
 *
 * @since 0.1.0
 * @category getters
 */
export const readCall = ({ data, to }: EvmTransaction): ContractCall | undefined =>
  data === undefined && to !== undefined
    ? undefined
    : { contract: to, method: (data ?? "0x").slice(0, 10).toLowerCase() }

const loadBlobs = /*#__PURE__*/ loadOnce(() => import("./evm/blobs.js"), Effect.succeed)

const loadSafe = /*#__PURE__*/ loadOnce(() => import("./evm/safe.js"), Effect.succeed)

/** Signs a transaction. Its hash is that of the bytes that blocks have, and its blobs are beside these on the way to nodes. */
const makeSign =
  ({ signTransaction }: Account, ox: OxModule) =>
  (transaction: EvmTransaction): Effect.Effect<Signed, SigningFailed> =>
    Effect.flatMap(
      trySigning(() => ox.nameBlobs(transaction)),
      (named) =>
        trySigning(async (request) => {
          const signed = await signTransaction(transaction, request)
          return { raw: await ox.toNetworkForm(signed, transaction), hash: ox.computeHash(signed) }
        }, named)
    )

/** Why a transaction is not sent; undefined if it is. */
const findTransactionProblem = (
  context: SignerContext,
  { wallet }: Account,
  { blobs, data, private: isPrivate, to }: EvmTransaction
): string | undefined =>
  privateProblem(isPrivate, hasPrivateClient(context)) ??
  (blobs !== undefined && wallet !== undefined ? "a wallet of a page sends no blobs" : undefined) ??
  findProblem(() => [
    data === undefined || hexBytes(data, "data"),
    to === undefined || hexBytes(to, "to", 20)
  ])

/** Makes the signer of an account. */
const makeSigner = (
  context: SignerContext,
  account: Account,
  ox: OxModule,
  { policy }: WithPolicy
): EvmSigner => {
  const { address, network } = context
  const sign = makeSign(account, ox)
  const onChain = requireChain(context)
  const nonces = Nonces.make(withMinedCount(context, makeNonceSource(context, address, sign)))
  const replacement = makePrepareReplacement({ context, nonces, ox })
  const prepareSpeedUp = replacement("speedUp", (transaction) => transaction)
  // it shows nothing of what it replaces, and lands the sooner for being public
  const prepareCancel = replacement("cancel", ({ data: _, private: __, ...transaction }) => ({
    ...transaction,
    to: address,
    value: 0n,
    gas: 21_000n
  }))
  const signer = assembleSigner<EvmTransaction>(
    {
      network,
      address,
      sign: (transaction) => onChain(transaction.chainId, sign(transaction)),
      signMessage: (message) => trySigning((request) => account.signMessage(message, request)),
      prepare: (payment) => prepare(context, payment),
      isAsPreviewed: (prepared) => isAsPreviewed(context, prepared),
      readCall,
      hasPrivateClient: hasPrivateClient(context),
      findProblem: (transaction) => findTransactionProblem(context, account, transaction),
      ...makeBroadcastOperations(context, account, nonces),
      waitForConfirmations: makeWait(context, nonces)
    },
    { policy }
  )
  const prepareOwn: EvmSigner["prepareTransaction"] = (request) =>
    catchMalformedAnswer(prepareTransaction(context, request))
  const submitWhenPrepared = <E>(
    preparing: Effect.Effect<Prepared<EvmTransaction>, E>,
    options: SendOptions
  ) => Effect.flatMap(preparing, (prepared) => signer.submit(prepared, options))
  return {
    ...signer,
    address,
    signTypedData: (data) =>
      Effect.flatMap(
        checkBytes("signTypedData", () => checkTypedData(data)),
        (checked) =>
          onChain(
            checked.domain?.chainId,
            authorizeBy(
              policy,
              { network, address, kind: "typedData", data: checked },
              trySigning((request) => account.signTypedData(checked, request))
            )
          )
      ),
    cosign: (prepared) =>
      // in a chunk of its own, for those who have such accounts
      Effect.flatMap(loadSafe, ({ readTerms, toSafeSignature, toTypedData }) =>
        makeCosign<SafeTransaction>({
          network,
          address,
          policy,
          readTerms: (transaction) => {
            if (transaction.chainId !== context.chainId) throw new Error("it is for another chain")
            return readTerms(transaction)
          },
          sign: (transaction) =>
            Effect.map(
              trySigning((request) => account.signTypedData(toTypedData(transaction), request)),
              (signature) => ({ signature: toSafeSignature(signature) })
            )
        })(prepared)
      ),
    prepareSpeedUp,
    prepareCancel,
    prepareTransaction: prepareOwn,
    prepareBlobs: (request) =>
      catchMalformedAnswer(
        Effect.flatMap(loadBlobs, ({ prepareBlobs }) => prepareBlobs(context, request)),
        "prepareBlobs"
      ),
    speedUp: (hash, options = {}) => submitWhenPrepared(prepareSpeedUp(hash, options), options),
    cancel: (hash, options = {}) => submitWhenPrepared(prepareCancel(hash, options), options),
    sendTransaction: (request) => submitWhenPrepared(prepareOwn(request), request)
  }
}

/** Why transactions cannot be sent to a private node; undefined if they can, or if there is none. */
const privateClientProblem = (
  { network }: EvmClient,
  { wallet }: Account,
  privateClient: PrivateClient | undefined
): string | undefined =>
  privateClient === undefined || (privateClient.network === network && wallet === undefined)
    ? undefined
    : wallet === undefined
      ? `privateClient is a client of ${privateClient.network}, and the signer is one of ${network}`
      : "a wallet of a page sends what it signs by itself, and takes no privateClient"

/**
 * Makes a signer of an EVM chain from a mnemonic (`m/44'/60'/0'/0/index`), a private key (32 bytes as hexadecimal), a browser wallet
 * (EIP-1193), an account of viem, or a function that signs. Its fees are paid in the network's coin. Make one signer per account and
 * process: it keeps the account's nonces.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (client: EvmClient, from: OnThisEffect<EvmFrom>): Effect.Effect<EvmSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, nodes, rpc } = client
    const row = yield* loadNetworkRow(network, evmFamilies)
    const { chainId } = row
    if (chainId === undefined)
      return yield* invalidArgument(
        "signer",
        `${network} has no chain id, without which nothing can be signed`
      )
    const ox = yield* loadPeer("ox", () => import("./evm/ox.js"))
    const account = yield* makeAccount(ox, from, row)
    const { address } = account
    const { privateClient } = from
    const problem = privateClientProblem(client, account, privateClient)
    if (problem !== undefined) return yield* invalidArgument("signer", problem)
    return makeSigner(
      {
        network,
        nodes,
        rpc,
        row,
        chainId,
        address,
        own: { next: 0 },
        ...(privateClient === undefined ? {} : { privateClient })
      },
      account,
      ox,
      from
    )
  }).pipe(Effect.map(refuseNull))
