/**
 * Signers of Bitcoin, Bitcoin Cash, Litecoin and Dogecoin, over `@scure/btc-signer`: keys from a mnemonic or a private key, and functions
 * of one's own. Payments whose inputs, fee and change are shown before they are signed, and that never spend one output twice.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { bytesToHex } from "../data/hex.js"
import { loadPeer } from "../data/loadOnce.js"
import type { SigningFailed } from "../data/SdkError.js"
import { accountOf, PEERS } from "./bitcoin/accounts.js"
import * as Coins from "./bitcoin/Coins.js"
import { chainOf } from "./bitcoin/networks.js"
import { prepare } from "./bitcoin/payments.js"
import { broadcast, finding, isKnown, type Place } from "./bitcoin/reading.js"
import type { BitcoinClient, BitcoinFrom, BitcoinSigner, BitcoinTransaction } from "./bitcoin/Types.js"
import type { HandError } from "./broadcast.js"
import {
  assemble,
  type Outbound,
  type Prepared,
  refused,
  rowOf,
  type Sent,
  type Signed,
  type SignerError,
  sentOf,
  signing
} from "./Signer.js"

export { isUnknownTransaction } from "../chains/internal/unknown.js"
export { addressOf, addressProblem, leastAmount, scriptOf } from "./bitcoin/address.js"
export type * from "./bitcoin/Types.js"
export { agreed } from "./evidence.js"

type Out = Sent<BitcoinTransaction>

const sign = (
  { account, scure }: Place,
  transaction: BitcoinTransaction
): Effect.Effect<Signed, SigningFailed> => signing(() => scure.signTransaction(transaction, account))

/** What a transaction spends, and, once nodes have taken it, gives back. */
const outOf = (
  { account }: Place,
  { inputs, outputs }: BitcoinTransaction,
  signed: Signed,
  isTaken: boolean
): Coins.Out => {
  const vout = outputs.findLastIndex(({ address }) => address === account.address)
  const change = isTaken ? outputs[vout] : undefined
  return {
    ...signed,
    isTaken,
    inputs,
    ...(change === undefined
      ? {}
      : { change: { txid: signed.hash, vout, amount: change.amount, previous: signed.raw } })
  }
}

/** The transactions of ours whose change an unsent one spends. */
const giversOf = ({ coins }: Place, { inputs }: BitcoinTransaction): ReadonlyArray<Coins.Out> =>
  inputs.flatMap((input) => coins.giving(input) ?? [])

/** What a refused transaction was to spend is free. Change among it may be gone, with the transaction that was to give it. */
const freed = (place: Place, transaction: BitcoinTransaction, { hash }: Signed) => {
  const { coins } = place
  coins.drop(hash)
  return Effect.forEach(giversOf(place, transaction), (giver) =>
    Effect.map(isKnown(place, giver.hash), (isThere) => {
      if (!isThere) coins.drop(giver.hash)
    })
  )
}

/** A node that has not heard of change yet is told, before its word counts. */
const handed = (place: Place, transaction: BitcoinTransaction, signed: Signed, isOpen = false) => {
  const givers = giversOf(place, transaction)
  const told = Effect.forEach(givers, (giver) => Effect.ignore(broadcast(place, giver)))
  return Effect.catchIf(
    broadcast(place, signed, isOpen),
    (error) => error._tag === "RpcError" && givers.length > 0,
    () => Effect.zipRight(told, broadcast(place, signed, isOpen))
  )
}

/** Signs what was prepared and hands it to nodes. What may have gone out is not spent again. */
const handOver = (
  place: Place,
  prepared: Prepared<BitcoinTransaction>,
  leaves: (out: Outbound<BitcoinTransaction>) => void
): Effect.Effect<Out, HandError | SigningFailed> =>
  Effect.gen(function* () {
    const { transaction } = prepared
    const { coins } = place
    const [other] = coins.spending(transaction.inputs)
    if (other !== undefined)
      return yield* refused(
        "submit",
        `${other.hash} of this signer spends what it was to spend: prepare it again`
      )
    const signed = yield* sign(place, transaction)
    // before it goes out: whoever waits for it may be interrupted
    coins.add(outOf(place, transaction, signed, false))
    leaves({ ...signed, prepared })
    yield* Effect.tapError(handed(place, transaction, signed), (error) =>
      error._tag === "BroadcastUnclear" ? Effect.void : freed(place, transaction, signed)
    )
    coins.add(outOf(place, transaction, signed, true))
    return sentOf({ ...signed, prepared })
  })

/** The same bytes again. */
const handAgain = (place: Place, { prepared, ...signed }: Outbound<BitcoinTransaction>) =>
  Effect.map(handed(place, prepared.transaction, signed, true), () =>
    place.coins.add(outOf(place, prepared.transaction, signed, true))
  )

/** A signer of an account that is there. Its payments are made one after another: each knows what those before it have spent. */
const over = (place: Place): BitcoinSigner => {
  const { account, rpc, scure } = place
  const { address, network } = account
  return {
    ...assemble<BitcoinTransaction>({
      network,
      address,
      sign: (transaction) => sign(place, transaction),
      signMessage: (message) => signing(() => scure.signMessage(message, account)),
      prepare: (payment) => prepare(place, payment),
      hand: (prepared, leaves) => handOver(place, prepared, leaves),
      handAgain: (out) => handAgain(place, out),
      wait: ({ hash }, confirmations) => rpc.waitForTransaction(hash, { confirmations }),
      turn: Effect.unsafeMakeSemaphore(1).withPermits(1)
    }),
    publicKey: bytesToHex(account.publicKey)
  }
}

/**
 * Makes a signer of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin from a mnemonic (`m/84'/0'/0'/0/index`; `44'/145'` on Bitcoin Cash,
 * `84'/2'` on Litecoin, `44'/3'` on Dogecoin, and the coin 1 on their testnets), a private key (64 hexadecimal digits, or the wallet import format), or a public key and a function
 * that signs. Unspent outputs come from the data API, or from `utxos`. Make one signer per account and process: it keeps the outputs
 * that it has spent.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (client: BitcoinClient, from: BitcoinFrom): Effect.Effect<BitcoinSigner, SignerError> =>
  Effect.gen(function* () {
    const { data, network, nodes, rpc } = client
    const row = yield* rowOf(network, ["utxo", "doge", "utxo-estimatefee"])
    const chain = chainOf(network)
    if (chain === undefined) return yield* refused("signer", `${network} has no signer yet`)
    const scure = yield* loadPeer(PEERS, () => import("./bitcoin/scure.js"))
    const account = yield* accountOf({ scure, network, chain }, from)
    const find = finding(row, from.utxos, data)
    if (find === undefined)
      return yield* refused(
        "signer",
        "a client without the data API needs utxos, which finds unspent outputs"
      )
    return over({ scure, row, nodes, rpc, account, coins: Coins.make(), find })
  })
