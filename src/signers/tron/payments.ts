/** Payments of an account of Tron: what they cost, and their previews. */
import * as Effect from "effect/Effect"
import { textOf } from "../../data/abiText.js"
import { isRecord } from "../../data/foreign.js"
import { hexOf } from "../../data/hex.js"
import type { Network, NetworkRow } from "../../data/Network.js"
import { InvalidAddress } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import {
  addressed,
  affordable,
  assetOf,
  capped,
  type Payment,
  type Prepared,
  type PrepareError,
  refused,
  smallest
} from "../Signer.js"
import { addressProblem, bytesOf } from "./address.js"
import { rawData, sizeOf } from "./protobuf.js"
import type { TronCalls, TronTransaction } from "./Types.js"

/** An account on its network. */
export interface Place {
  readonly network: Network
  readonly rpc: TronCalls
  readonly row: NetworkRow
  readonly address: string
}

const VISIBLE = { visible: true }

/** What the chain asks for, in sun, by the names of its parameters. */
const pricesOf = (rpc: TronCalls) =>
  Effect.map(rpc.getChainParameters(), ({ chainParameter }) => {
    const prices = new Map(chainParameter.map(({ key, value = 0n }) => [key, value]))
    return (name: string): bigint => prices.get(name) ?? 0n
  })

type Price = (name: string) => bigint

const valid = ({ network }: Place, address: string) => addressed(network, address, addressProblem(address))

/** A word of the ABI. */
const word = (hex: string): string => hex.padStart(64, "0")
const addressWord = (address: string): string => word(hexOf(bytesOf(address).subarray(1)))

/** The answer of a token's contract: nothing where it has refused. */
const asked = ({ address, rpc }: Place, token: string, selector: string, parameter = "") =>
  Effect.map(
    rpc.triggerConstantContract(address, token, selector, parameter, VISIBLE),
    ({ constant_result: [hex = ""] = [], energy_used = 0n, result }) => ({
      hex: result.result === false ? "" : hex,
      energy: energy_used
    })
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
        asked(place, token, "decimals()"),
        asked(place, token, "symbol()"),
        asked(place, token, "balanceOf(address)", addressWord(address)),
        pricesOf(place.rpc)
      ],
      { concurrency: "unbounded" }
    )
    if (!/^0{62}[0-9a-f]{2}$/i.test(decimals.hex))
      return yield* refused("prepare", `${token} is no token (TRC-20): it tells no decimals`)
    const places = Number.parseInt(decimals.hex, 16)
    const asset = assetOf(textOf(symbol.hex), token)
    const amount = yield* smallest(payment.amount, places, asset)
    yield* affordable(amount, BigInt(`0x${held.hex || "0"}`), { address, asset, decimals: places })
    const parameter = `${addressWord(to)}${word(amount.toString(16))}`
    const trial = yield* asked(place, token, "transfer(address,uint256)", parameter)
    if (trial.hex !== "" && BigInt(`0x${trial.hex}`) === 0n)
      return yield* refused("prepare", `the token ${asset} refuses the transfer`)
    // what it takes may be more by the time that it is done
    const feeLimit = (trial.energy * price("getEnergyFee") * 6n) / 5n
    const transaction: TronTransaction = {
      from: address,
      to,
      amount,
      token,
      // transfer(address,uint256)
      data: `a9059cbb${parameter}`,
      feeLimit,
      ...(payment.memo === undefined ? {} : { memo: payment.memo })
    }
    const fee = feeLimit + (yield* bytesFee(place, price, transaction))
    const sent = { asset, token, amount: Units.format(amount, places) }
    return { amount, fee, transaction, sent, warnings: [] }
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
    return { amount, fee, transaction, sent: undefined, warnings }
  })

/** The preview of a payment. */
export const prepare = (
  place: Place,
  payment: Payment
): Effect.Effect<Prepared<TronTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network, row, rpc } = place
    if (!isRecord(payment)) return yield* refused("prepare", "a payment is { to, amount }")
    const to = yield* valid(place, payment.to)
    if (to === address)
      return yield* new InvalidAddress({
        address: to,
        network,
        reason: "is the account itself, which Tron refuses"
      })
    const { token } = payment
    const { amount, fee, sent, transaction, warnings } =
      token === undefined
        ? yield* prepareCoin(place, payment, to)
        : yield* prepareToken(place, payment, to, yield* valid(place, token))
    const coin = { address, asset: row.symbol, decimals: row.decimals }
    yield* capped(fee, payment.maxFee, coin)
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
