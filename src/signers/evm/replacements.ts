/** Replacements of transactions that wait for a block, by ones with the same nonce and higher fees: from any process that has the key. */
import * as Effect from "effect/Effect"
import { checksumAddress } from "../../data/evmAddress.js"
import { isRecord } from "../../data/untrusted.js"
import type { Payment, Prepared, PrepareError } from "../Signer.js"
import { catchMalformedAnswer, invalidArgument, privateProblem, speedProblem } from "../signerChecks.js"
import type { OxModule } from "./accounts.js"
import type { Nonces } from "./Nonces.js"
import {
  checkFee,
  hasPrivateClient,
  NO_MEANING,
  readMeaning,
  readMinedCount,
  readPrices,
  type SignerContext,
  toSpentCoins,
  warnOfPrivacy
} from "./payments.js"
import { priceOf, TRANSFER } from "./reading.js"
import type { EvmTransaction } from "./Types.js"

/**
 * An eighth more, at least: nodes ask for a tenth or more before they let one transaction replace another, and for twice as much of one
 * with blobs.
 */
const makeRaisePrice =
  ({ blobs }: EvmTransaction) =>
  (price: bigint, now: bigint): bigint => {
    const more = blobs === undefined ? price + price / 8n + 1n : 2n * price
    return more > now ? more : now
  }

/** What replacements of an account are made with. */
interface Replacing {
  readonly context: SignerContext
  readonly ox: OxModule
  readonly nonces: Nonces<EvmTransaction>
}

type WaitingTransaction = EvmTransaction & { readonly nonce: number }

/**
 * Finds a transaction of the account that waits for a block. One that another process has sent is read from a node, and its hash and its
 * signature prove that it is the account's: no node can have another one signed.
 */
const findWaiting = (
  { context: { address, chainId, privateClient, rpc }, nonces, ox }: Replacing,
  call: string,
  hash: string
): Effect.Effect<WaitingTransaction, PrepareError> =>
  Effect.gen(function* () {
    const own = nonces.find(hash)
    if (own !== undefined) return { ...own.transaction, nonce: own.nonce }
    const refuse = (why: string) => invalidArgument(call, `${hash} ${why}`)
    const by = nonces.replacedBy(hash)
    if (by !== undefined) return yield* refuse(`was replaced by ${by}`)
    if (!/^0x[0-9a-f]{64}$/i.test(hash))
      return yield* refuse("is no hash of a transaction: 0x and 64 hexadecimal digits")
    const open: unknown = yield* rpc.getTransactionByHash(hash)
    const isPrivate = !isRecord(open) && privateClient !== undefined
    const shown: unknown = isPrivate ? yield* privateClient.rpc.getTransactionByHash(hash) : open
    if (!isRecord(shown)) return yield* refuse("is no transaction that a node has: it may have been replaced")
    if (typeof shown.blockHash === "string") return yield* refuse("is in a block, and cannot be replaced")
    const found = ox.readSigned(shown, hash.toLowerCase(), address)
    return found?.chainId === chainId
      ? { ...found, ...(isPrivate ? { private: true } : {}) }
      : yield* refuse(
          `is no transaction of ${address} on the chain ${chainId} without an access list or blobs, as this signer writes them`
        )
  })

const transferCall = /*#__PURE__*/ (() => new RegExp(`^${TRANSFER}0{24}([0-9a-f]{40})([0-9a-f]{64})$`, "i"))()

/** What a transaction pays: coins, or, where it calls nothing but `transfer`, tokens. A policy takes it for the payment that it is. */
const readPayment = ({
  data = "0x",
  to,
  value
}: Pick<EvmTransaction, "data" | "to" | "value">): Pick<Prepared<unknown>, "to" | "token" | "amount"> => {
  const [, receiver, amount] = transferCall.exec(data) ?? []
  return to === undefined || value !== 0n || receiver === undefined
    ? { to: to ?? "", amount: value }
    : { to: checksumAddress(`0x${receiver}`), token: to, amount: BigInt(`0x${amount}`) }
}

/** Prepares the replacement of a transaction that waits for a block, which `changed` makes of it. */
export const makePrepareReplacement =
  (replacing: Replacing) =>
  (call: string, changed: (transaction: EvmTransaction) => EvmTransaction) =>
  (
    hash: string,
    options: Pick<Payment, "maxFee" | "private" | "speed"> = {}
  ): Effect.Effect<Prepared<EvmTransaction>, PrepareError> =>
    Effect.gen(function* () {
      const { context } = replacing
      const problem =
        speedProblem(options.speed) ?? privateProblem(options.private, hasPrivateClient(context))
      if (problem !== undefined) return yield* invalidArgument(call, problem)
      const before = yield* findWaiting(replacing, call, hash)
      const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce } = before
      const [mined, prices] = yield* Effect.all(
        [readMinedCount(context), readPrices(context, before.data, options)],
        { concurrency: "unbounded" }
      )
      if (nonce < mined)
        return yield* invalidArgument(
          call,
          `a block has a transaction with the nonce ${nonce} of ${hash} already`
        )
      const { expectedBlocks, fees: now, warnings: wait } = prices.priced
      const raisePrice = makeRaisePrice(before)
      const transaction = {
        ...changed(before),
        ...(options.private === undefined ? {} : { private: options.private }),
        replaces: hash,
        ...(gasPrice === undefined
          ? {
              maxFeePerGas: raisePrice(maxFeePerGas ?? 0n, priceOf(now)),
              maxPriorityFeePerGas: raisePrice(maxPriorityFeePerGas ?? 0n, now.maxPriorityFeePerGas ?? 0n)
            }
          : { gasPrice: raisePrice(gasPrice, priceOf(now)) }),
        ...(before.maxFeePerBlobGas === undefined
          ? {}
          : { maxFeePerBlobGas: raisePrice(before.maxFeePerBlobGas, 0n) })
      }
      const { data, to, value } = transaction
      const fee = yield* checkFee(
        context,
        prices,
        { ...transaction, kind: "call", price: priceOf(transaction) },
        options.maxFee
      )
      const { outgoing, warnings } =
        to === undefined || data === undefined ? NO_MEANING : yield* readMeaning(context, to, data)
      return {
        network: context.network,
        from: context.address,
        ...readPayment(transaction),
        fee,
        ...(expectedBlocks === undefined ? {} : { expectedBlocks }),
        outgoing: [...outgoing, toSpentCoins(context, value + fee)],
        warnings: [...warnings, ...wait, ...warnOfPrivacy(transaction)],
        transaction
      }
    }).pipe(catchMalformedAnswer)
