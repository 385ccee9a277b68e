/**
 * Signers of TON, over `@ton/core`, `@ton/crypto` and `@ton/ton`: wallets of version 5 and 4, from TON's own words, those of BIP-39,
 * private keys and functions of one's own. Payments in TON and in tokens (jettons).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { bytesToHex } from "../data/hex.js"
import { loadPeer } from "../data/loadOnce.js"
import type { SigningFailed } from "../data/SdkError.js"
import {
  assemble,
  type Outbound,
  type Prepared,
  refused,
  rowOf,
  type Sent,
  type Signed,
  type SignerError,
  type SubmitError,
  sentOf,
  signing
} from "./Signer.js"
import { keyOf } from "./ton/accounts.js"
import { shown } from "./ton/address.js"
import type { Key, Order } from "./ton/cells.js"
import { load } from "./ton/load.js"
import { messageOf } from "./ton/message.js"
import { coinsOf, prepare } from "./ton/payments.js"
import { type Account, handOver, LIFETIME, landed, now, type State, settled } from "./ton/reading.js"
import type { TonClient, TonFrom, TonSigner, TonTransaction } from "./ton/Types.js"

export { addressProblem } from "./ton/address.js"
export type * from "./ton/Types.js"

type Out = Sent<TonTransaction>

/** A payment with the wallet's next number, signed. */
const signed = (
  { contract }: Account,
  key: Key,
  transaction: TonTransaction,
  { isDeployed, seqno, time }: State
): Effect.Effect<Signed & { readonly order: Order }, SigningFailed> =>
  Effect.flatMap(now, (here) => {
    const order = { seqno, validUntil: Math.max(here, time) + LIFETIME }
    return Effect.map(
      signing(() => contract.message(transaction, { ...order, isFirst: !isDeployed }, key)),
      (message) => ({ ...message, order })
    )
  })

/** Signs what was prepared and hands it to nodes. What may have gone out is waited for before the next. */
const hand = (
  account: Account,
  key: Key,
  prepared: Prepared<TonTransaction>,
  leaves: (out: Outbound<TonTransaction>) => void
): Effect.Effect<Out, SubmitError> =>
  Effect.gen(function* () {
    const { last } = account
    const { fee, transaction } = prepared
    const state = yield* settled(account)
    if (coinsOf(transaction) + fee > state.balance)
      return yield* refused("submit", "the account has less than it takes by now: prepare it again")
    const { hash, order, raw } = yield* signed(account, key, transaction, state)
    const out = { hash, raw, prepared: { ...prepared, transaction: { ...transaction, ...order } } }
    const before = last.order
    last.order = order
    leaves(out)
    yield* Effect.tapError(handOver(account, { hash, raw }, order), (error) =>
      Effect.sync(() => {
        if (error._tag !== "BroadcastUnclear") last.order = before
      })
    )
    return sentOf(out)
  })

/** The number and the end of a payment that {@link hand} has given both. */
const orderOf = ({ prepared: { transaction } }: Out): Order => {
  const { seqno = 0, validUntil = 0 } = transaction
  return { seqno, validUntil }
}

/** A signer of a wallet. Its payments are made one after another: each has the number that follows. */
const over = (account: Account, key: Key): TonSigner => {
  const { address, contract, network } = account
  return {
    ...assemble<TonTransaction>({
      network,
      address,
      sign: (transaction) =>
        Effect.flatMap(settled(account), (state) =>
          Effect.map(signed(account, key, transaction, state), ({ hash, raw }) => ({ hash, raw }))
        ),
      signMessage: (message) =>
        Effect.flatMap(now, (timestamp) =>
          signing(() =>
            messageOf(message, { address: contract.raw, timestamp }, (hash) =>
              account.cells.signed(hash, key)
            )
          )
        ),
      // its fee is what the chain takes
      terms: ({ amount, from, to, token }) => ({ amount, from, to, token: token?.master }),
      prepare: (payment) => prepare(account, payment),
      hand: (prepared, leaves) => hand(account, key, prepared, leaves),
      handAgain: (out) => handOver(account, out, orderOf(out), true),
      wait: (sent, confirmations) => landed(account, sent.hash, orderOf(sent), confirmations),
      turn: Effect.unsafeMakeSemaphore(1).withPermits(1)
    }),
    publicKey: bytesToHex(key.publicKey)
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
export const make = (client: TonClient, from: TonFrom): Effect.Effect<TonSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, nodes, rpc } = client
    const row = yield* rowOf(network, ["ton"])
    const { decimals, symbol, testnet = false } = row
    const cells = yield* loadPeer("@ton/core @ton/crypto @ton/ton buffer", load)
    const key = yield* keyOf(cells, from)
    const contract = cells.contractOf(key.publicKey, from.wallet ?? "v5", testnet)
    const account: Account = {
      network,
      isTest: testnet,
      nodes,
      row,
      rpc,
      cells,
      contract,
      address: shown({ raw: contract.raw, isBounceable: false }, testnet),
      coin: { asset: symbol, decimals },
      last: { order: undefined }
    }
    return over(account, key)
  })
