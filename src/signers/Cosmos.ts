/**
 * Signers of Cosmos, over `cosmjs-types` and `@noble/curves`: payments in the chain's coin and in all others that it has. Each can be in
 * a block up to a height that is known, and is over then.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { confirmed } from "../chains/internal/Confirmation.js"
import { base64Of } from "../data/base64.js"
import { loadPeer } from "../data/loadOnce.js"
import { type SigningFailed, TransactionDropped, TransactionFailed } from "../data/SdkError.js"
import type { Shown } from "./broadcast.js"
import { type Account, accountOf, type Curve } from "./cosmos/accounts.js"
import { addressProblem } from "./cosmos/address.js"
import { chainOf } from "./cosmos/networks.js"
import { type Place, prepare } from "./cosmos/payments.js"
import type { Placed } from "./cosmos/protobuf.js"
import { found, hashWith, heightOf, type Numbers, numbersOf } from "./cosmos/reading.js"
import * as Sequences from "./cosmos/sequences.js"
import type { CosmosClient, CosmosFrom, CosmosSigner, CosmosTransaction } from "./cosmos/Types.js"
import {
  assemble,
  type Outbound,
  type Parts,
  type Prepared,
  type ReadError,
  refused,
  rowOf,
  type Sent,
  type Signed,
  type SignerError,
  type SubmitError,
  sentOf,
  signing
} from "./Signer.js"

export { addressProblem } from "./cosmos/address.js"
export type * from "./cosmos/Types.js"

type Out = Sent<CosmosTransaction>

/** Blocks in which a payment can be from the newest on: about three minutes. */
const LIFETIME = 30n

/** Blocks more until a payment is over for good: not all nodes are at the same one. */
const SLACK = 5n

/** A payment with its place in the account's, signed. */
interface SignedOut extends Signed {
  readonly transaction: Placed
}

const signed = (
  { chain, protobuf, publicKey }: Place,
  curve: Curve,
  { sign }: Account,
  transaction: Placed
): Effect.Effect<SignedOut, SigningFailed> => {
  const parts = protobuf.partsOf(transaction, publicKey, chain)
  const hash = protobuf.hashToSign(parts, chain, transaction.accountNumber)
  return Effect.map(
    signing(() => curve.signatureOf(hash, sign, publicKey)),
    (signature) => ({ ...protobuf.signedOf(parts, signature), transaction })
  )
}

/** The chain's numbers of the account now, and the height after which a payment is over. */
const startOf = ({
  address,
  chain,
  rpc
}: Place): Effect.Effect<Numbers & Pick<Placed, "timeoutHeight">, ReadError> =>
  Effect.flatMap(
    Effect.all([numbersOf(rpc, address), heightOf(rpc, chain)], { concurrency: "unbounded" }),
    ([numbers, height]) =>
      numbers === undefined
        ? Effect.fail(refused("sign", `the chain has no account ${address} yet`))
        : Effect.succeed({ ...numbers, timeoutHeight: height + LIFETIME })
  )

const isWhole = (value: unknown): boolean => typeof value === "bigint" && value >= 0n

/** Why a transaction is none of the chain. */
const problemOf = ({ network }: Place, transaction: CosmosTransaction): string | undefined => {
  const { amount, fee, gas, to } = transaction
  const problem = addressProblem(to, network)
  if (problem !== undefined) return `its receiver ${problem}`
  return [amount, fee, gas].every(isWhole) && amount > 0n
    ? undefined
    : "amount, fee and gas must be bigints, and the amount above zero"
}

/** A transaction of one's own, signed: what it does not say is what it is now. */
const signingOwn = (place: Place, curve: Curve, account: Account) => (transaction: CosmosTransaction) => {
  const problem = problemOf(place, transaction)
  return problem === undefined
    ? Effect.flatMap(startOf(place), (start) =>
        Effect.map(signed(place, curve, account, { ...start, ...transaction }), ({ hash, raw }) => ({
          hash,
          raw
        }))
      )
    : Effect.fail(refused("sign", problem))
}

/** A payment that no block can have any more: the chain is above its height, and has not counted it. */
const isOver = (
  { address, chain, rpc }: Place,
  { sequence = 0n, timeoutHeight = 0n }: CosmosTransaction
): Effect.Effect<boolean, ReadError> =>
  Effect.flatMap(heightOf(rpc, chain), (height) =>
    timeoutHeight === 0n || height <= timeoutHeight + SLACK
      ? Effect.succeed(false)
      : Effect.map(
          numbersOf(rpc, address),
          (numbers) => numbers !== undefined && numbers.sequence <= sequence
        )
  )

/** Milliseconds until nodes show a payment that one of them has taken: only once it is in a block, of which one may pass. */
const WITHIN = 15_000

const dropped = (hash: string, timeoutHeight: bigint | undefined): TransactionDropped =>
  new TransactionDropped({ hash, reason: `it was valid up to block ${timeoutHeight}, and no block has it` })

/** What a node shows of a payment: a block has it, or another one with its sequence, or it can be in none any more. */
const shownOf = (
  place: Place,
  hash: string,
  transaction: CosmosTransaction
): Effect.Effect<Shown, ReadError | TransactionDropped> =>
  Effect.gen(function* () {
    const { address, rpc } = place
    if ((yield* found(rpc.getTxByHash(hash))) !== undefined) return "known"
    const there = yield* hashWith(rpc, address, transaction.sequence ?? 0n)
    if (there !== undefined) return there.toUpperCase() === hash.toUpperCase() ? "known" : "replaced"
    return (yield* isOver(place, transaction)) ? yield* dropped(hash, transaction.timeoutHeight) : "absent"
  })

const sequencesOf = (place: Place): Sequences.Sequences<SignedOut> =>
  Sequences.make({
    address: place.address,
    isOver: (payment, now) => payment.timeoutHeight + SLACK < now.timeoutHeight - LIFETIME,
    handing: ({ transaction }) => ({
      nodes: place.nodes,
      within: WITHIN,
      broadcast: ({ raw }) => place.rpc.broadcastTx({ tx_bytes: raw, mode: "BROADCAST_MODE_SYNC" }),
      look: (hash) => shownOf(place, hash, transaction)
    })
  })

const outOf = (
  prepared: Prepared<CosmosTransaction>,
  { hash, raw, transaction }: SignedOut
): Outbound<CosmosTransaction> => ({ hash, raw, prepared: { ...prepared, transaction } })

const handing = (
  place: Place,
  curve: Curve,
  account: Account
): Pick<Parts<CosmosTransaction>, "hand" | "handAgain"> => {
  const sequences = sequencesOf(place)
  return {
    hand: (prepared, leaves) => {
      const { transaction } = prepared
      const problem = problemOf(place, transaction)
      if (problem !== undefined) return Effect.fail(refused("submit", problem))
      return Effect.map(
        sequences.send(
          startOf(place),
          (start) => signed(place, curve, account, { ...transaction, ...start }),
          (out) => leaves(outOf(prepared, out))
        ),
        (out) => sentOf(outOf(prepared, out))
      )
    },
    handAgain: ({ hash, prepared: { transaction }, raw }) => {
      const { accountNumber = 0n, sequence = 0n, timeoutHeight = 0n } = transaction
      return sequences.again({
        hash,
        raw,
        transaction: { ...transaction, accountNumber, sequence, timeoutHeight }
      })
    }
  }
}

/** A look at a payment: how deep it is in the chain, if it is there. */
const look = (place: Place, { hash, prepared: { transaction } }: Out) =>
  Effect.gen(function* () {
    const { chain, rpc } = place
    const answer = yield* found(rpc.getTxByHash(hash))
    if (answer !== undefined) {
      const height = yield* heightOf(rpc, chain)
      const { tx_response } = answer
      return { transaction: tx_response, confirmations: Number(height - BigInt(tx_response.height)) + 1 }
    }
    if (yield* isOver(place, transaction)) return yield* dropped(hash, transaction.timeoutHeight)
    return undefined
  })

/** Waits until a payment is so deep in the chain, or over; one that failed there is a failure. */
const waiting =
  (place: Place) =>
  (out: Out, confirmations: number): Effect.Effect<void, SubmitError> =>
    Effect.flatMap(
      confirmed(out.hash, { confirmations, pollingInterval: 3_000, timeout: 360_000 }, look(place, out)),
      ({ code, codespace, raw_log }) =>
        code === 0
          ? Effect.void
          : Effect.fail(
              new TransactionFailed({
                hash: out.hash,
                reason: raw_log === "" ? `${codespace} ${code}` : raw_log
              })
            )
    )

/**
 * Makes a signer of Cosmos from a mnemonic (`m/44'/118'/0'/0/index`), a private key (32 bytes as hexadecimal), or a public key and a
 * function that signs. Its fees are paid in the chain's coin. Make one signer per account and process: it keeps the account's
 * sequence.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (client: CosmosClient, from: CosmosFrom): Effect.Effect<CosmosSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, nodes, rpc } = client
    const row = yield* rowOf(network, ["cosmos"])
    const chain = chainOf(network)
    if (chain === undefined) return yield* refused("signer", `${network} has no chain id that is known here`)
    const [curve, protobuf] = yield* loadPeer("cosmjs-types @noble/curves", () =>
      Promise.all([import("./cosmos/curve.js"), import("./cosmos/protobuf.js")])
    )
    const account = yield* accountOf(curve, from)
    const { publicKey } = account
    const address = curve.addressOf(publicKey, chain.prefix)
    const place: Place = { network, nodes, rpc, row, chain, protobuf, address, publicKey }
    return assemble<CosmosTransaction>({
      network,
      address,
      sign: signingOwn(place, curve, account),
      signMessage: (message) =>
        Effect.map(
          signing(() => curve.signatureOf(curve.messageHash(message, address), account.sign, publicKey)),
          base64Of
        ),
      terms: ({ amount, denom, fee, from, to }) => {
        const token = denom === chain.denom ? undefined : denom
        return { amount, fee, from, to, token }
      },
      prepare: (payment) => prepare(place, payment),
      ...handing(place, curve, account),
      wait: waiting(place)
    })
  })
