/** Payments of an account of Tron: what they cost, and their previews. */
import * as Effect from "effect/Effect"
import { textOf } from "../../data/abiText.js"
import { hex } from "../../data/bytes.js"
import { isRecord } from "../../data/foreign.js"
import { hexOf } from "../../data/hex.js"
import { keccak256 } from "../../data/keccak.js"
import type { Network, NetworkRow } from "../../data/Network.js"
import { InvalidAddress } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import {
  addressed,
  affordable,
  assetOf,
  bytesOf as bytesIn,
  capped,
  type NodesOf,
  type Outgoing,
  type Payment,
  type Prepared,
  type PrepareError,
  refused,
  smallest
} from "../Signer.js"
import { addressProblem, bytesOf } from "./address.js"
import { feeLimitOf, type Price, pricesOf, tried } from "./calls.js"
import { rawData, sizeOf } from "./protobuf.js"
import type { TronCalls, TronRequest, TronTransaction } from "./Types.js"

/** An account on its network. */
export interface Place {
  readonly network: Network
  readonly nodes: NodesOf["nodes"]
  readonly rpc: TronCalls
  readonly row: NetworkRow
  readonly address: string
}

const VISIBLE = { visible: true }

const valid = ({ network }: Place, address: string) => addressed(network, address, addressProblem(address))

/** A word of the ABI. */
const word = (hex: string): string => hex.padStart(64, "0")
const addressWord = (address: string): string => word(hexOf(bytesOf(address).subarray(1)))

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

/** Bytes cost nothing as long as the account has bandwidth for all of them; a memo always does. */
const bytesFee = (place: Place, price: Price, transaction: TronTransaction) =>
  Effect.map(place.rpc.getAccountResources(place.address, VISIBLE), (has) => {
    const timestamp = 2n ** 41n
    const reference = { blockId: "f".repeat(64), timestamp, expiration: timestamp }
    const size = sizeOf(rawData(transaction, reference))
    const isFree =
      (has.freeNetLimit ?? 0n) - (has.freeNetUsed ?? 0n) >= size ||
      (has.NetLimit ?? 0n) - (has.NetUsed ?? 0n) >= size
    const memo = transaction.memo === undefined ? 0n : price("getMemoFee")
    return memo + (isFree ? 0n : size * price("getTransactionFee"))
  })

const prepareToken = (place: Place, payment: Payment, to: string, token: string) =>
  Effect.gen(function* () {
    const { address } = place
    const [decimals, symbol, held, price] = yield* Effect.all(
      [
        answered(place, token, "decimals()"),
        answered(place, token, "symbol()"),
        answered(place, token, "balanceOf(address)", addressWord(address)),
        pricesOf(place.rpc)
      ],
      { concurrency: "unbounded" }
    )
    if (!/^0{62}[0-9a-f]{2}$/i.test(decimals))
      return yield* refused("prepare", `${token} is no token (TRC-20): it tells no decimals`)
    const places = Number.parseInt(decimals, 16)
    const asset = assetOf(textOf(symbol), token)
    const amount = yield* smallest(payment.amount, places, asset)
    yield* affordable(amount, BigInt(`0x${held || "0"}`), { address, asset, decimals: places })
    const parameter = transferOf(to, amount)
    const { energy, hex, refusal } = yield* asked(place, token, "transfer(address,uint256)", parameter)
    if (refusal !== undefined)
      return yield* refused("prepare", `the token ${asset} refuses the transfer: ${refusal}`)
    if (hex !== "" && BigInt(`0x${hex}`) === 0n)
      return yield* refused("prepare", `the token ${asset} refuses the transfer`)
    const feeLimit = feeLimitOf(price, energy)
    const transaction: TronTransaction = {
      from: address,
      to,
      amount,
      token,
      data: callOf(parameter),
      feeLimit,
      ...(payment.memo === undefined ? {} : { memo: payment.memo })
    }
    const fee = feeLimit + (yield* bytesFee(place, price, transaction))
    const sent = { asset, token, amount: Units.format(amount, places) }
    return { fee, transaction, sent, warnings: [] }
  })

const prepareCoin = (place: Place, payment: Payment, to: string) =>
  Effect.gen(function* () {
    const { address, row, rpc } = place
    const amount = yield* smallest(payment.amount, row.decimals, row.symbol)
    const transaction: TronTransaction = {
      from: address,
      to,
      amount,
      ...(payment.memo === undefined ? {} : { memo: payment.memo })
    }
    const [price, receiver] = yield* Effect.all([pricesOf(rpc), rpc.getAccount(to, VISIBLE)], {
      concurrency: "unbounded"
    })
    const isNew = receiver.address === undefined
    const creation = isNew
      ? price("getCreateNewAccountFeeInSystemContract") + price("getCreateAccountFee")
      : 0n
    const fee = creation + (yield* bytesFee(place, price, transaction))
    const warnings = isNew
      ? [`The receiver is a new account: the fee has ${Units.format(creation, row.decimals)} TRX for it.`]
      : []
    return { fee, transaction, warnings }
  })

/** What an account does, before it is known whether it can. */
interface Planned {
  readonly transaction: TronTransaction
  readonly fee: bigint
  readonly maxFee: string | bigint | undefined
  readonly sent?: Outgoing | undefined
  readonly warnings: ReadonlyArray<string>
}

/** The preview of what an account can pay for. */
const afforded = ({ address, network, row, rpc }: Place, planned: Planned) =>
  Effect.gen(function* () {
    const { fee, maxFee, sent, transaction, warnings } = planned
    const { amount, to, token } = transaction
    const coin = { address, asset: row.symbol, decimals: row.decimals }
    yield* capped(fee, maxFee, coin)
    const { balance = 0n } = yield* rpc.getAccount(address, VISIBLE)
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
    const planned =
      token === undefined
        ? yield* prepareCoin(place, payment, to)
        : yield* prepareToken(place, payment, to, yield* valid(place, token))
    return yield* afforded(place, { ...planned, maxFee })
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
    const { functionSelector, maxFee, memo, value } = request
    const parameter = yield* bytesIn(CALL, () =>
      String(hex()(request.parameter === undefined ? "" : request.parameter, "parameter", []))
    )
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
      data: `${hexOf(selector)}${parameter.toLowerCase()}`,
      feeLimit,
      ...(memo === undefined ? {} : { memo })
    }
    const fee = feeLimit + (yield* bytesFee(place, price, transaction))
    return yield* afforded(place, { transaction, fee, maxFee, warnings: [] })
  })
