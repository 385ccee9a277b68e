/**
 * Signers of TON, over `@ton/core`, `@ton/crypto` and `@ton/ton`: wallets of versions 5 and 4, from TON's own mnemonics, those of BIP-39,
 * private keys or functions that sign. Payments in TON and in tokens (jettons).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { OnThisEffect } from "../data/effectVersion.js"
import { bytesToHex } from "../data/hex.js"
import { loadPeer } from "../data/loadOnce.js"
import type { SigningFailed } from "../data/SdkError.js"
import { withRequest } from "./accountKey.js"
import type { Prepared, Sent, Signed, SignerError, SubmitError, WithPolicy } from "./Signer.js"
import { assembleSigner, type Outbound, refuseNull, toSent } from "./SignerDefinition.js"
import { catchMalformedAnswer, invalidArgument, loadNetworkRow, trySigning } from "./signerChecks.js"
import { makeKey } from "./ton/accounts.js"
import { formatAddress } from "./ton/address.js"
import type { WalletKey, WalletOrder } from "./ton/cells.js"
import { loadCells } from "./ton/loadCells.js"
import { signMessage } from "./ton/message.js"
import { attachedCoinsOf, isAsPreviewed, prepare, prepareToken } from "./ton/payments.js"
import {
  broadcastMessage,
  nowSeconds,
  type SignerContext,
  VALID_SECONDS,
  type WalletState,
  waitForConfirmations,
  waitForLastOrder
} from "./ton/reading.js"
import type { TonClient, TonFrom, TonSigner, TonTransaction } from "./ton/Types.js"

export { addressProblem } from "./ton/address.js"
export type * from "./ton/Types.js"

type SentPayment = Sent<TonTransaction>

/** What pays by relays, which most accounts never do. */
const loadGasless = /*#__PURE__*/ loadPeer("@ton/core", () => import("./ton/gasless.js"))

/** What a relay asks to be signed is the payment and its commission, and nothing else. */
const checkRelay = async (transaction: TonTransaction): Promise<void> => {
  if (transaction.relay !== undefined) (await import("./ton/gasless.js")).checkMessages(transaction)
}

/** A payment with the wallet's next number, signed. */
const signTransaction = (
  { contract }: SignerContext,
  key: WalletKey,
  transaction: TonTransaction,
  { isDeployed, seqno, time }: WalletState
): Effect.Effect<Signed & { readonly order: WalletOrder }, SigningFailed> =>
  Effect.flatMap(nowSeconds, (here) => {
    const order = { seqno, validUntil: Math.max(here, time) + VALID_SECONDS }
    return Effect.map(
      trySigning(
        async (request) => {
          await checkRelay(transaction)
          return contract.makeMessage(
            transaction,
            { ...order, isFirst: !isDeployed },
            withRequest(key, request)
          )
        },
        { ...transaction, ...order }
      ),
      (message) => ({ ...message, order })
    )
  })

/** Signs what was prepared and broadcasts it. The next payment waits for it unless all nodes refuse it. */
const broadcastPayment = (
  account: SignerContext,
  key: WalletKey,
  prepared: Prepared<TonTransaction>,
  beforeBroadcast: (out: Outbound<TonTransaction>) => void
): Effect.Effect<SentPayment, SubmitError> =>
  Effect.gen(function* () {
    const { last } = account
    const { fee, transaction } = prepared
    const state = yield* waitForLastOrder(account)
    const { relay } = transaction
    if (relay !== undefined && relay.validUntil <= (yield* nowSeconds))
      return yield* invalidArgument("submit", "the relay's offer is over: prepare it again")
    if (relay === undefined && attachedCoinsOf(transaction) + fee > state.balance)
      return yield* invalidArgument("submit", "the account has less than it takes by now: prepare it again")
    const { hash, order, raw } = yield* signTransaction(account, key, transaction, state)
    const out = { hash, raw, prepared: { ...prepared, transaction: { ...transaction, ...order } } }
    const before = last.order
    last.order = order
    beforeBroadcast(out)
    yield* Effect.tapError(
      broadcastMessage(account, { hash, raw, isRelayed: relay !== undefined }, order),
      (error) =>
        Effect.sync(() => {
          if (error._tag !== "BroadcastUnclear") last.order = before
        })
    )
    return toSent(out)
  })

/** The number and the end of a payment that {@link broadcastPayment} has given both. */
const orderOf = ({ prepared: { transaction } }: SentPayment): WalletOrder => {
  const { seqno = 0, validUntil = 0 } = transaction
  return { seqno, validUntil }
}

/** A signer of a wallet. Its payments are made one after another: each has the number that follows. */
const makeSigner = (account: SignerContext, key: WalletKey, own: WithPolicy): TonSigner => {
  const { address, contract, network } = account
  return {
    ...assembleSigner<TonTransaction>(
      {
        network,
        address,
        sign: (transaction) =>
          Effect.flatMap(waitForLastOrder(account), (state) =>
            Effect.map(signTransaction(account, key, transaction, state), ({ hash, raw }) => ({ hash, raw }))
          ),
        signMessage: (message) =>
          Effect.flatMap(nowSeconds, (timestamp) =>
            trySigning((request) =>
              signMessage(message, { address: contract.raw, timestamp }, (hash) =>
                account.cells.signVerified(hash, withRequest(key, request))
              )
            )
          ),
        // its fee is what the chain takes
        readTerms: ({ amount, from, to, token }) => ({ amount, from, to, token: token?.master }),
        isAsPreviewed: (prepared) => isAsPreviewed(account, prepared),
        prepare: (payment) => prepare(account, payment),
        broadcast: (prepared, beforeBroadcast) => broadcastPayment(account, key, prepared, beforeBroadcast),
        rebroadcast: (out) =>
          broadcastMessage(
            account,
            { ...out, isRelayed: out.prepared.transaction.relay !== undefined },
            orderOf(out),
            true
          ),
        waitForConfirmations: (sent, confirmations) =>
          waitForConfirmations(account, sent.hash, orderOf(sent), confirmations),
        runExclusive: Effect.unsafeMakeSemaphore(1).withPermits(1)
      },
      own
    ),
    publicKey: bytesToHex(key.publicKey),
    prepareGasless: (payment) =>
      catchMalformedAnswer(
        Effect.flatMap(loadGasless, (gasless) => gasless.prepareGasless(account, payment)),
        "prepareGasless"
      ),
    prepareToken: (payment) => catchMalformedAnswer(prepareToken(account, payment), "prepareToken")
  }
}

/**
 * Makes a signer of TON from a mnemonic (TON's own 24 words, or BIP-39 at `m/44'/607'/index'`), a private key (32 or 64 bytes as
 * hexadecimal), or a public key and a function that signs. Its wallet is of version 5, or of version 4 by `wallet`. Make one signer per
 * account and process: it waits for its last message before the next.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (client: TonClient, from: OnThisEffect<TonFrom>): Effect.Effect<TonSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, nodes, rpc } = client
    const row = yield* loadNetworkRow(network, ["ton"])
    const { decimals, symbol, testnet = false } = row
    const cells = yield* loadPeer("@ton/core @ton/crypto @ton/ton buffer", loadCells)
    const key = yield* makeKey(cells, from)
    const contract = cells.makeContract(key.publicKey, from.wallet ?? "v5", testnet)
    const account: SignerContext = {
      network,
      isTest: testnet,
      nodes,
      row,
      rpc,
      cells,
      contract,
      address: formatAddress({ raw: contract.raw, isBounceable: false }, testnet),
      coin: { asset: symbol, decimals },
      last: { order: undefined }
    }
    return makeSigner(account, key, from)
  }).pipe(Effect.map(refuseNull))
