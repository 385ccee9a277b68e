/** Payments of TON in tokens whose fee a relay pays, for a commission in the token (TonAPI). Loaded with the first of them. */
import { beginCell, Cell, internal, type Slice, storeMessageRelaxed } from "@ton/core"
import * as Effect from "effect/Effect"
import { base64Of } from "../../data/base64.js"
import { hexToBytes } from "../../data/hex.js"
import { FeeOverCap, type InvalidArgument } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import { makeMalformedError, requireWhole } from "../evidence.js"
import type { Outgoing, Prepared, PrepareError, ReadError } from "../Signer.js"
import { checkBalance, checkBytes, invalidArgument, isSweep, toSmallestUnit } from "../signerChecks.js"
import { formatAddress, parseAddress } from "./address.js"
import { encodeJettonTransfer } from "./cells.js"
import { readHolding } from "./jettons.js"
import {
  attachedCoinsOf,
  checkMemo,
  describeRelay,
  parseOnNetwork,
  planTokens,
  requiresMemo
} from "./payments.js"
import { nowSeconds, type SignerContext, waitForLastOrder } from "./reading.js"
import type { TonCalls, TonGaslessPayment, TonTransaction } from "./Types.js"

/** The name of the call in errors. */
const CALL = "prepareGasless"

/** The nanotons that a relay sends along with a payment: the transfer of a jetton takes less. */
const WAY_COINS = 50_000_000n

/** The least that makes a contract tell the receiver. */
const FORWARD = 1n

/** The most messages of a relay, and the nanotons that go with each. */
const MAX_MESSAGES = 4
const MAX_COINS = 100_000_000n

const JETTON_TRANSFER = 0x0f8a7ea5

const toRaw = (address: string): string => {
  const found = parseAddress(address, true)
  if (typeof found === "string") throw new Error(`${address} ${found}`)
  return found.raw
}

/** The tokens that a message pays. Throws unless it is the transfer of tokens and has no part that a contract gives a meaning of its own. */
const readTransfer = (slice: Slice): bigint => {
  if (slice.loadUint(32) !== JETTON_TRANSFER)
    throw new Error("a message of the relay is no transfer of tokens")
  slice.skip(64)
  const amount = slice.loadCoins()
  slice.loadAddress()
  slice.loadMaybeAddress()
  if (slice.loadBit()) throw new Error("a message of the relay has a payload for the contract of tokens")
  return amount
}

/**
 * Checks what a relay asks a wallet to send: the payment, as it was planned, once, and transfers of the same token that are its commission.
 * Throws if it is anything else.
 */
export const checkMessages = (transaction: TonTransaction): void => {
  const { relay, sweeps, token } = transaction
  if (relay === undefined || token === undefined || sweeps === true)
    throw new Error("a relay takes payments in tokens alone")
  const { messages } = relay
  if (messages.length > MAX_MESSAGES) throw new Error("the relay asks for too many messages")
  const own = encodeJettonTransfer(transaction, relay.address)
  const wallet = toRaw(token.wallet)
  let payments = 0
  let commission = 0n
  for (const { address, amount, payload } of messages) {
    if (toRaw(address) !== wallet)
      throw new Error("a message of the relay is not for the account's contract of the token")
    const body = Cell.fromBase64(payload)
    const isPayment = body.equals(own)
    if (amount < 0n || amount > (isPayment ? token.attached : MAX_COINS))
      throw new Error("a message of the relay takes more coins with it than it needs")
    if (isPayment) payments++
    else commission += readTransfer(body.beginParse())
  }
  if (payments !== 1) throw new Error("the relay asks for another payment than the one that was planned")
  if (commission !== relay.commission)
    throw new Error(`the relay names a commission of ${relay.commission}, and asks for ${commission}`)
}

/** Fails with words of its own where no node has a relay. */
const requireRelay = <A>(call: Effect.Effect<A, ReadError>): Effect.Effect<A, ReadError> =>
  Effect.catchIf(
    call,
    (error) => error._tag === "RequestRejected" && (error.status === 404 || error.status === 405),
    () =>
      Effect.fail(invalidArgument(CALL, "no node of the client has a relay: it takes one with TonAPI (/v2)"))
  )

type Estimate = Effect.Effect.Success<ReturnType<TonCalls["gaslessEstimate"]>>

/** The messages of an estimate, in the form that is signed. */
const readMessages = ({ messages }: Estimate) =>
  Effect.forEach(messages, ({ address, amount, payload, stateInit }) =>
    payload === undefined || stateInit !== undefined
      ? Effect.fail(makeMalformedError("gaslessEstimate", "a message has no payload, or makes a contract"))
      : Effect.map(requireWhole("gaslessEstimate", "the amount of a message", amount), (coins) => ({
          address,
          amount: coins,
          payload: base64Of(hexToBytes(payload))
        }))
  )

/** What a relay asks for a payment. */
const readRelay = (account: SignerContext, planned: TonTransaction, masterRaw: string) =>
  Effect.gen(function* () {
    const { contract, isTest, rpc } = account
    const { gas_jettons, relay_address } = yield* requireRelay(rpc.gaslessConfig())
    if (!gas_jettons.some(({ master_id }) => toRaw(master_id) === masterRaw))
      return yield* invalidArgument(CALL, `token: the relay takes no commission in ${planned.token?.master}`)
    const address = formatAddress({ raw: toRaw(relay_address), isBounceable: true }, isTest)
    const message = internal({
      to: toRaw(planned.token?.wallet ?? ""),
      value: planned.token?.attached ?? 0n,
      bounce: true,
      body: encodeJettonTransfer(planned, address)
    })
    const boc = beginCell().store(storeMessageRelaxed(message)).endCell().toBoc().toString("hex")
    const estimate = yield* requireRelay(
      rpc.gaslessEstimate(masterRaw, {
        wallet_address: contract.raw,
        wallet_public_key: contract.publicKey,
        messages: [{ boc }]
      })
    )
    return {
      address,
      commission: yield* requireWhole("gaslessEstimate", "the commission", estimate.commission),
      validUntil: Number(estimate.valid_until),
      messages: yield* readMessages(estimate)
    }
  })

/** A request in a form that a relay can take. */
const checkRequest = (
  { contract }: SignerContext,
  request: TonGaslessPayment
): Effect.Effect<TonGaslessPayment, InvalidArgument> => {
  const refuse = (reason: string) => Effect.fail(invalidArgument(CALL, reason))
  if (!isRecord(request) || request.token === undefined || request.maxCommission === undefined)
    return refuse("it takes { to, amount, token, maxCommission }")
  if (contract.version !== "v5") return refuse("relays take messages of wallets of version 5 (wallet: v5)")
  return isSweep(request.amount)
    ? refuse("amount: the commission comes on top, so that it has to be a number")
    : Effect.succeed(request)
}

/** The payment as the wallet would send it, and the line of what it pays. */
const planTransfer = (account: SignerContext, { maxCommission: _, ...payment }: TonGaslessPayment) =>
  Effect.gen(function* () {
    const memo = yield* checkMemo(payment)
    const to = yield* parseOnNetwork(account, payment.to)
    yield* waitForLastOrder(account)
    const { token } = payment
    const { sent, transaction, warnings } = yield* planTokens(account, payment, memo, {
      forward: FORWARD,
      to,
      token
    })
    if (memo === undefined && (yield* requiresMemo(account, to.raw)))
      return yield* invalidArgument(CALL, "memo: the receiver's owner tells payments apart by it")
    const [paid] = sent
    if (transaction.token === undefined || paid === undefined)
      return yield* invalidArgument(CALL, "it pays in tokens alone")
    const jetton = { ...transaction.token, attached: WAY_COINS }
    // the first line is of coins that come back, which is another one here
    return { jetton, paid, planned: { ...transaction, token: jetton }, warnings: warnings.slice(1) }
  })

/** Refuses a commission above the caller's cap, or more than the account has of the token. */
const checkCommission = (
  account: SignerContext,
  { amount, relay, token }: TonTransaction,
  { decimals = 0, symbol }: Outgoing,
  maxCommission: string | bigint
) =>
  Effect.gen(function* () {
    const { master = "", wallet = "" } = token ?? {}
    const asset = symbol ?? master
    const commission = relay?.commission ?? 0n
    const most = yield* toSmallestUnit(maxCommission, decimals, asset)
    if (commission > most)
      return yield* new FeeOverCap({
        fee: Units.format(commission, decimals),
        cap: Units.format(most, decimals),
        asset
      })
    const held = yield* readHolding(account, toRaw(wallet))
    return yield* checkBalance(amount + commission, held?.balance ?? 0n, {
      ...{ address: account.address, asset, decimals },
      token: master
    })
  })

/** The preview of a payment in tokens that a relay hands to the chain. */
export const prepareGasless = (
  account: SignerContext,
  given: TonGaslessPayment
): Effect.Effect<Prepared<TonTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, coin, network } = account
    const request = yield* checkRequest(account, given)
    const { jetton, paid, planned, warnings } = yield* planTransfer(account, request)
    const relay = yield* readRelay(account, planned, toRaw(jetton.master))
    const transaction: TonTransaction = { ...planned, relay }
    yield* checkBytes(CALL, () => checkMessages(transaction))
    if (!(relay.validUntil > (yield* nowSeconds)))
      return yield* makeMalformedError("gaslessEstimate", "the relay's offer is over already")
    yield* checkCommission(account, transaction, paid, request.maxCommission)
    const { amount, to } = transaction
    const units = amount + relay.commission
    return {
      network,
      from: address,
      to,
      token: jetton.master,
      amount,
      fee: 0n,
      outgoing: [
        { ...paid, amount: Units.format(units, paid.decimals ?? 0), units },
        // the relay sends them along, but nobody can be sure of that
        { asset: coin.asset, amount: Units.format(attachedCoinsOf(transaction), coin.decimals) }
      ],
      warnings: [describeRelay(transaction, coin), ...warnings],
      transaction
    }
  })
