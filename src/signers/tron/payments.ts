/** Payments of an account of Tron: what they cost, and their previews. */
import * as Effect from "effect/Effect"
import { textOf } from "../../data/abiText.js"
import { hex } from "../../data/bytes.js"
import { caip2IdOfChainId } from "../../data/caip2.js"
import { isRecord } from "../../data/untrusted.js"
import { bytesToHex } from "../../data/hex.js"
import { keccak256 } from "../../data/keccak.js"
import type { NetworkRow } from "../../data/Network.js"
import { InvalidAddress } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import * as caps from "../caps.js"
import { agreed, malformed, smallerOf, wholeIn } from "../evidence.js"
import { aroundId, memoOf, type Told } from "../memos.js"
import {
  addressed,
  affordable,
  bytesOf as bytesIn,
  capped,
  feeAbove,
  type NodesOf,
  type Outgoing,
  type Payment,
  type Prepared,
  type PrepareError,
  refused,
  smallest
} from "../Signer.js"
import { tokenLine, withDecimals } from "../tokens.js"
import { addressProblem, bytesOf } from "./address.js"
import { feeLimitOf, type Price, plausible, pricesOf, tried, triedIn } from "./calls.js"
import { rawData, sizeOf } from "./protobuf.js"
import type { TronCalls, TronRequest, TronTransaction } from "./Types.js"

/** An account on its network. */
export interface Place {
  readonly network: string
  readonly nodes: NodesOf["nodes"]
  readonly rpc: TronCalls
  readonly row: NetworkRow
  readonly address: string
}

const VISIBLE = { visible: true }

const valid = ({ network }: Place, address: string) => addressed(network, address, addressProblem(address))

/** A word of the ABI. */
const word = (hex: string): string => hex.padStart(64, "0")
const addressWord = (address: string): string => word(bytesToHex(bytesOf(address).subarray(1)))

/** The arguments of `transfer(address,uint256)`, and its call. */
const transferOf = (to: string, amount: bigint): string => `${addressWord(to)}${word(amount.toString(16))}`
const callOf = (transfer: string): string => `a9059cbb${transfer}`

/** What a token's contract says. */
const asked = ({ address, rpc }: Place, token: string, functionSelector: string, parameter = "") =>
  tried(rpc, { owner: address, contract: token, functionSelector, parameter })

/** The answer of a token's contract: nothing where it has refused. */
const answered = (place: Place, token: string, functionSelector: string, parameter?: string) =>
  Effect.map(asked(place, token, functionSelector, parameter), ({ hex, refusal }) =>
    refusal === undefined ? hex : ""
  )

type Resources = Effect.Effect.Success<ReturnType<TronCalls["getAccountResources"]>>

/** Whether the account has bandwidth of either kind for so many bytes; what is no number is none. */
const isFreeOf = (has: Resources, size: bigint): boolean => {
  const left = (limit: unknown = 0n, used: unknown = 0n): bigint =>
    (wholeIn(limit) ?? 0n) - (wholeIn(used) ?? 0n)
  return left(has.freeNetLimit, has.freeNetUsed) >= size || left(has.NetLimit, has.NetUsed) >= size
}

/**
 * Bytes cost nothing as long as the account has bandwidth for all of them; a memo always does. That they are free is what two nodes say
 * where there are two.
 */
const bytesFee = (place: Place, transaction: TronTransaction) => {
  const timestamp = 2n ** 41n
  const reference = { blockId: "f".repeat(64), timestamp, expiration: timestamp }
  const size = sizeOf(rawData(transaction, reference))
  return Effect.map(
    agreed(
      place.rpc.getAccountResources(place.address, VISIBLE),
      (one, other) => isFreeOf(one, size) === isFreeOf(other, size)
    ),
    (resources) =>
      (price: Price): bigint =>
        (transaction.memo === undefined ? 0n : price("getMemoFee")) +
        (isFreeOf(resources, size) ? 0n : size * price("getTransactionFee"))
  )
}

/** The limit of a call without a cap of the caller: at plausible prices, and of no more energy than is plausible. */
const mostLimit = (price: Price, energy: bigint, most: bigint): bigint =>
  feeLimitOf(plausible(price), smallerOf(energy, most))

/** What a token's contract says of its decimals, on which two nodes agree where there are two. */
const decimalsOf = ({ address, rpc }: Place, token: string) =>
  Effect.map(
    Effect.flatMap(
      agreed(
        rpc.triggerConstantContract(address, token, "decimals()", "", VISIBLE),
        (one, other) => one.constant_result?.[0] === other.constant_result?.[0]
      ),
      triedIn
    ),
    ({ hex, refusal }) => (refusal === undefined ? hex : "")
  )

/** A word that a contract has answered. */
const wordOf = (hex: unknown): bigint | undefined =>
  typeof hex === "string" && /^[0-9a-f]{64}$/i.test(hex) ? BigInt(`0x${hex}`) : undefined

const prepareToken = (
  place: Place,
  payment: Payment,
  memo: Told | undefined,
  { to, token }: { readonly to: string; readonly token: string }
) =>
  Effect.gen(function* () {
    const { address, row } = place
    const [facts, answer, price] = yield* Effect.all(
      [
        withDecimals({
          row,
          token,
          asset: `${caip2IdOfChainId(row)}/trc20:${token}`,
          decimals: payment.decimals,
          told: {
            decimals: Effect.map(decimalsOf(place, token), wordOf),
            symbol: Effect.map(answered(place, token, "symbol()"), textOf)
          }
        }),
        answered(place, token, "balanceOf(address)", addressWord(address)),
        pricesOf(place.rpc)
      ],
      { concurrency: "unbounded" }
    )
    const { decimals, name } = facts
    const amount = yield* smallest(payment.amount, decimals, name)
    const held = answer === "" ? 0n : wordOf(answer)
    if (held === undefined) return yield* malformed("triggerConstantContract", `${token} tells no balance`)
    yield* affordable(amount, held, { address, asset: name, decimals })
    const parameter = transferOf(to, amount)
    const { energy, hex, refusal } = yield* asked(place, token, "transfer(address,uint256)", parameter)
    if (refusal !== undefined)
      return yield* refused("prepare", `the token ${name} refuses the transfer: ${refusal}`)
    if (wordOf(hex) === 0n) return yield* refused("prepare", `the token ${name} refuses the transfer`)
    const feeLimit = feeLimitOf(price, energy)
    const transaction: TronTransaction = {
      from: address,
      to,
      amount,
      token,
      data: callOf(parameter),
      feeLimit,
      ...(memo === undefined ? {} : { memo: memo.text })
    }
    const bytes = yield* bytesFee(place, transaction)
    const fee = feeLimit + bytes(price)
    const most = mostLimit(price, energy, caps.tron.energy.tokens) + bytes(plausible(price))
    return { fee, most, transaction, sent: tokenLine(token, amount, facts), warnings: facts.warnings }
  })

const prepareCoin = (place: Place, payment: Payment, memo: Told | undefined, to: string) =>
  Effect.gen(function* () {
    const { address, row, rpc } = place
    const amount = yield* smallest(payment.amount, row.decimals, row.symbol)
    const transaction: TronTransaction = {
      from: address,
      to,
      amount,
      ...(memo === undefined ? {} : { memo: memo.text })
    }
    const [price, receiver] = yield* Effect.all([pricesOf(rpc), rpc.getAccount(to, VISIBLE)], {
      concurrency: "unbounded"
    })
    const isNew = receiver.address === undefined
    const creationOf = (price: Price) =>
      isNew ? price("getCreateNewAccountFeeInSystemContract") + price("getCreateAccountFee") : 0n
    const creation = creationOf(price)
    const bytes = yield* bytesFee(place, transaction)
    const fee = creation + bytes(price)
    const most = creationOf(plausible(price)) + bytes(plausible(price))
    const warnings = isNew
      ? [`The receiver is a new account: the fee has ${Units.format(creation, row.decimals)} TRX for it.`]
      : []
    return { fee, most, transaction, warnings: [...warnings, ...feeAbove(fee, amount)] }
  })

/** What an account does, before it is known whether it can. */
interface Planned {
  readonly transaction: TronTransaction
  readonly fee: bigint
  /** The most that it may be without a cap of the caller. */
  readonly most: bigint
  readonly maxFee: string | bigint | undefined
  readonly sent?: Outgoing | undefined
  readonly warnings: ReadonlyArray<string>
}

/** The preview of what an account can pay for. */
const afforded = ({ address, network, row, rpc }: Place, planned: Planned) =>
  Effect.gen(function* () {
    const { fee, maxFee, most, sent, transaction, warnings } = planned
    const { amount, to, token } = transaction
    const coin = { address, asset: row.symbol, decimals: row.decimals }
    yield* capped(fee, maxFee, coin, most)
    const account = yield* rpc.getAccount(address, VISIBLE)
    const balance = wholeIn(account?.balance ?? 0n)
    if (balance === undefined) return yield* malformed("getAccount", "the balance is no amount")
    const coins = sent === undefined ? amount + fee : fee
    yield* affordable(coins, balance, coin)
    return {
      network,
      from: address,
      to,
      ...(token === undefined ? {} : { token }),
      amount,
      fee,
      outgoing: [
        ...(sent === undefined ? [] : [sent]),
        { asset: row.symbol, amount: Units.format(coins, row.decimals) }
      ],
      warnings,
      transaction
    }
  })

/** The preview of a payment. */
export const prepare = (
  place: Place,
  payment: Payment
): Effect.Effect<Prepared<TronTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network } = place
    const to = yield* valid(place, payment.to)
    if (to === address)
      return yield* new InvalidAddress({
        address: to,
        network,
        reason: "is the account itself, which Tron refuses"
      })
    const { maxFee, token } = payment
    const memo = yield* memoOf(payment.memo, ["id", "text"])
    const planned =
      token === undefined
        ? yield* prepareCoin(place, payment, memo, to)
        : yield* prepareToken(place, payment, memo, { to, token: yield* valid(place, token) })
    return yield* afforded(place, {
      ...planned,
      warnings: [...planned.warnings, ...aroundId(memo)],
      maxFee
    })
  })

/** Whether a transaction may burn no more than its preview says, and the call of a token pays what it says, to whom it says. */
export const isAsShown = ({ amount, fee, to, token, transaction }: Prepared<TronTransaction>): boolean =>
  (transaction.feeLimit ?? 0n) <= fee &&
  (token === undefined ||
    (typeof amount === "bigint" &&
      addressProblem(to) === undefined &&
      transaction.data === callOf(transferOf(to, amount))))

const CALL = "prepareTransaction"

/** The preview of a call of a contract, which is run before. */
export const prepareTransaction = (
  place: Place,
  request: TronRequest
): Effect.Effect<Prepared<TronTransaction>, PrepareError> =>
  Effect.gen(function* () {
    if (!isRecord(request)) return yield* refused(CALL, "a call is { to, functionSelector, parameter }")
    const { functionSelector, maxFee, value } = request
    const parameter = yield* bytesIn(CALL, () =>
      String(hex()(request.parameter === undefined ? "" : request.parameter, "parameter", []))
    )
    const memo = yield* memoOf(request.memo, ["id", "text"])
    const contract = yield* valid(place, request.to)
    if (typeof functionSelector !== "string" || !/^\w+\(.*\)$/.test(functionSelector))
      return yield* refused(CALL, "functionSelector must be such as transfer(address,uint256)")
    const { address: owner, row, rpc } = place
    const isFree = value === undefined || value === 0n || value === "0"
    const amount = isFree ? 0n : yield* smallest(value, row.decimals, row.symbol)
    const [trial, price] = yield* Effect.all(
      [tried(rpc, { owner, contract, functionSelector, parameter, value: amount }), pricesOf(rpc)],
      { concurrency: "unbounded" }
    )
    if (trial.refusal !== undefined)
      return yield* refused(CALL, `the contract ${contract} refuses: ${trial.refusal}`)
    const feeLimit = feeLimitOf(price, trial.energy)
    const selector = keccak256(new TextEncoder().encode(functionSelector)).subarray(0, 4)
    const transaction: TronTransaction = {
      from: owner,
      to: contract,
      amount,
      data: `${bytesToHex(selector)}${parameter.toLowerCase()}`,
      feeLimit,
      ...(memo === undefined ? {} : { memo: memo.text })
    }
    const bytes = yield* bytesFee(place, transaction)
    const fee = feeLimit + bytes(price)
    const most = mostLimit(price, trial.energy, caps.tron.energy.call) + bytes(plausible(price))
    return yield* afforded(place, { transaction, fee, most, maxFee, warnings: aroundId(memo) })
  })
