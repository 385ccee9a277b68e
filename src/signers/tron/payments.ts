/** Payments of an account of Tron: what they cost, and their previews. */
import * as Effect from "effect/Effect"
import { textOf } from "../../data/abiText.js"
import { hex } from "../../data/bytes.js"
import { caip2IdOfChainId } from "../../data/caip2.js"
import type { NetworkRow } from "../../data/Network.js"
import { InvalidAddress, type InvalidArgument } from "../../data/SdkError.js"
import { selectorOf } from "../../data/selector.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import * as caps from "../caps.js"
import { makeMalformedError, minOf, parseWhole, withAgreement } from "../evidence.js"
import { type ParsedMemo, parseMemo, warnOfTextAroundId } from "../memos.js"
import type { NodesOf, Outgoing, Payment, Prepared, PrepareError, Resources } from "../Signer.js"
import {
  checkAddress,
  checkBalance,
  checkBytes,
  checkFeeCap,
  invalidArgument,
  sweepableAmount,
  toFixedAmount,
  toSmallestUnit,
  warnOfHighFee
} from "../signerChecks.js"
import { readFactsWithDecimals, toOutgoing } from "../tokens.js"
import { encodeAddressWord, encodeTransferCall, encodeTransferParameter } from "./abi.js"
import { addressProblem, toBase58Address } from "./address.js"
import {
  callConstant,
  computeEnergyFee,
  computeFeeLimit,
  limitPrices,
  type PriceLookup,
  parseConstantCall,
  readPrices
} from "./calls.js"
import {
  computeBytesFee,
  describeResources,
  isEnergyFree,
  type ResourceNeeds,
  readNeeds,
  type Sharing
} from "./resources.js"
import type { TronCalls, TronRequest, TronTransaction } from "./Types.js"

/** An account on its network. */
export interface SignerContext {
  readonly network: string
  readonly nodes: NodesOf["nodes"]
  readonly rpc: TronCalls
  readonly row: NetworkRow
  readonly address: string
  /** Absent where the account's own key signs. */
  readonly sharing?: Sharing
}

const VISIBLE = { visible: true }

const checkReceiver = ({ network }: SignerContext, address: string) =>
  Effect.map(checkAddress(network, address, addressProblem(address)), toBase58Address)

/** What a token's contract says. */
const callToken = (
  { address, rpc }: SignerContext,
  token: string,
  functionSelector: string,
  parameter = ""
) => callConstant(rpc, { owner: address, contract: token, functionSelector, parameter })

/** The answer of a token's contract: nothing where it has refused. */
const readToken = (context: SignerContext, token: string, functionSelector: string, parameter?: string) =>
  Effect.map(callToken(context, token, functionSelector, parameter), ({ hex, refusal }) =>
    refusal === undefined ? hex : ""
  )

/** The limit of a call without a cap of the caller: at plausible prices, and of no more energy than is plausible. */
const maxFeeLimit = (price: PriceLookup, energy: bigint, most: bigint): bigint =>
  computeFeeLimit(limitPrices(price), minOf(energy, most))

/** The limit of a call: by what it takes, or the one that is signed, which has to be enough for that. */
const chooseFeeLimit = (
  { sharing }: SignerContext,
  price: PriceLookup,
  energy: bigint
): Effect.Effect<bigint, InvalidArgument> => {
  const feeLimit = sharing?.feeLimit
  if (feeLimit === undefined) return Effect.succeed(computeFeeLimit(price, energy))
  const takes = computeEnergyFee(price, energy)
  return takes <= feeLimit
    ? Effect.succeed(feeLimit)
    : Effect.fail(
        invalidArgument(
          "prepare",
          `the call takes energy for ${takes} sun by now, and its limit is ${feeLimit}: propose the payment again`
        )
      )
}

/** What a token's contract says of its decimals, on which two nodes agree where there are two. */
const readDecimals = ({ address, rpc }: SignerContext, token: string) =>
  Effect.map(
    Effect.flatMap(
      withAgreement(
        rpc.triggerConstantContract(address, token, "decimals()", "", VISIBLE),
        (one, other) => one.constant_result?.[0] === other.constant_result?.[0]
      ),
      parseConstantCall
    ),
    ({ hex, refusal }) => (refusal === undefined ? hex : "")
  )

/** A word that a contract has answered. */
const parseWord = (hex: unknown): bigint | undefined =>
  typeof hex === "string" && /^[0-9a-f]{64}$/i.test(hex) ? BigInt(`0x${hex}`) : undefined

/** What a token is called and its decimals, the account's balance of it, and the prices of the chain. */
const readTokenState = (context: SignerContext, token: string, decimals: Payment["decimals"]) =>
  Effect.gen(function* () {
    const { address, row } = context
    const [facts, answer, price] = yield* Effect.all(
      [
        readFactsWithDecimals({
          row,
          token,
          asset: `${caip2IdOfChainId(row)}/trc20:${token}`,
          decimals,
          fromChain: {
            decimals: Effect.map(readDecimals(context, token), parseWord),
            symbol: Effect.map(readToken(context, token, "symbol()"), textOf)
          }
        }),
        readToken(context, token, "balanceOf(address)", encodeAddressWord(address)),
        readPrices(context.rpc)
      ],
      { concurrency: "unbounded" }
    )
    return { facts, price, held: answer === "" ? 0n : parseWord(answer) }
  })

const prepareToken = (
  context: SignerContext,
  payment: Payment,
  memo: ParsedMemo | undefined,
  { to, token }: { readonly to: string; readonly token: string }
) =>
  Effect.gen(function* () {
    const { address } = context
    const { facts, held, price } = yield* readTokenState(context, token, payment.decimals)
    const { decimals, name } = facts
    const asset = { address, asset: name, token, decimals }
    const fixed = yield* toFixedAmount(payment.amount, decimals, name)
    if (held === undefined)
      return yield* makeMalformedError("triggerConstantContract", `${token} tells no balance`)
    const amount = fixed ?? (yield* sweepableAmount(held, 0n, asset))
    yield* checkBalance(amount, held, asset)
    const parameter = encodeTransferParameter(to, amount)
    const { energy, hex, refusal } = yield* callToken(context, token, "transfer(address,uint256)", parameter)
    if (refusal !== undefined)
      return yield* invalidArgument("prepare", `the token ${name} refuses the transfer: ${refusal}`)
    if (parseWord(hex) === 0n)
      return yield* invalidArgument("prepare", `the token ${name} refuses the transfer`)
    const feeLimit = yield* chooseFeeLimit(context, price, energy)
    const transaction: TronTransaction = {
      from: address,
      to,
      amount,
      token,
      data: encodeTransferCall(parameter),
      feeLimit,
      ...(memo === undefined ? {} : { memo: memo.text })
    }
    const needs = yield* readNeeds(context, transaction, { energy })
    const bytes = computeBytesFee(needs, transaction)
    const fee = feeLimit + bytes(price)
    const plausible = context.sharing?.feeLimit === undefined ? energy : caps.tron.energy.tokens
    const most = maxFeeLimit(price, plausible, caps.tron.energy.tokens) + bytes(limitPrices(price))
    const sent = toOutgoing(token, amount, facts)
    return { fee, most, needs, price, transaction, sent, warnings: facts.warnings }
  })

export const readOwnAccount = ({
  address,
  rpc
}: {
  readonly address: string
  readonly rpc: Pick<TronCalls, "getAccount">
}) =>
  Effect.flatMap(rpc.getAccount(address, VISIBLE), (account) => {
    const balance = parseWhole(account?.balance ?? 0n)
    return balance === undefined
      ? Effect.fail(makeMalformedError("getAccount", "the balance is no amount"))
      : Effect.succeed({ account, balance })
  })

const prepareCoin = (context: SignerContext, payment: Payment, memo: ParsedMemo | undefined, to: string) =>
  Effect.gen(function* () {
    const { address, row, rpc } = context
    const coin = { address, asset: row.symbol, decimals: row.decimals }
    const fixed = yield* toFixedAmount(payment.amount, row.decimals, row.symbol)
    // of a sweep, the fee is that of at least as many bytes
    const { balance } = fixed === undefined ? yield* readOwnAccount(context) : { balance: 0n }
    const draft: TronTransaction = {
      from: address,
      to,
      amount: fixed ?? (yield* sweepableAmount(balance, 0n, coin)),
      ...(memo === undefined ? {} : { memo: memo.text })
    }
    const [price, receiver] = yield* Effect.all([readPrices(rpc), rpc.getAccount(to, VISIBLE)], {
      concurrency: "unbounded"
    })
    const isNew = receiver.address === undefined
    const creationOf = (price: PriceLookup) =>
      isNew ? price("getCreateNewAccountFeeInSystemContract") + price("getCreateAccountFee") : 0n
    const creation = creationOf(price)
    const needs = yield* readNeeds(context, draft)
    const bytes = computeBytesFee(needs, draft)
    const fee = creation + bytes(price)
    const amount = fixed ?? (yield* sweepableAmount(balance, fee, coin))
    const transaction = { ...draft, amount }
    const most = creationOf(limitPrices(price)) + bytes(limitPrices(price))
    const warnings = isNew
      ? [`The receiver is a new account: the fee has ${Units.format(creation, row.decimals)} TRX for it.`]
      : []
    return { fee, most, needs, price, transaction, warnings: [...warnings, ...warnOfHighFee(fee, amount)] }
  })

/** What an account does, before it is known whether it can. */
interface PlannedTransaction {
  readonly transaction: TronTransaction
  readonly fee: bigint
  /** The most that it may be without a cap of the caller. */
  readonly most: bigint
  readonly needs: ResourceNeeds
  readonly price: PriceLookup
  readonly maxFee: string | bigint | undefined
  readonly sent?: Outgoing | undefined
  readonly warnings: ReadonlyArray<string>
}

/** Says that others can take back the energy that a call counts on. */
const warnOfDelegated = (
  { energy }: Resources,
  limit: bigint,
  { decimals, symbol }: NetworkRow
): ReadonlyArray<string> =>
  energy === undefined || energy.delegated === 0n || energy.staked >= energy.needed
    ? []
    : [
        `${energy.delegated} of the account's energy is delegated by others, who can take it back: then up to ${Units.format(limit, decimals)} ${symbol} are burnt.`
      ]

/**
 * The preview of what an account can pay for. Its fee is all that may be burnt. An account that has the energy itself need not have the
 * coins that would be burnt without it: the chain burns no more than there are.
 */
const checkCoins = (
  context: SignerContext,
  planned: PlannedTransaction
): Effect.Effect<Prepared<TronTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network, row } = context
    const { fee, maxFee, most, needs, price, sent, transaction, warnings } = planned
    const { amount, feeLimit = 0n, to, token } = transaction
    const coin = { address, asset: row.symbol, decimals: row.decimals }
    yield* checkFeeCap(fee, maxFee, coin, most)
    const { account, balance } = yield* readOwnAccount(context)
    const coins = sent === undefined ? amount + fee : fee
    yield* checkBalance(isEnergyFree(needs) ? coins - feeLimit : coins, balance, coin)
    const resources = describeResources(needs, account, price)
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
      resources,
      warnings: [...warnings, ...warnOfDelegated(resources, feeLimit, row)],
      transaction
    }
  })

/** The preview of a payment. */
export const prepare = (
  context: SignerContext,
  payment: Payment
): Effect.Effect<Prepared<TronTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network } = context
    const to = yield* checkReceiver(context, payment.to)
    if (to === address)
      return yield* new InvalidAddress({
        address: to,
        network,
        reason: "is the account itself, which Tron refuses"
      })
    const { maxFee, token } = payment
    const memo = yield* parseMemo(payment.memo, ["id", "text"])
    const planned =
      token === undefined
        ? yield* prepareCoin(context, payment, memo, to)
        : yield* prepareToken(context, payment, memo, { to, token: yield* checkReceiver(context, token) })
    return yield* checkCoins(context, {
      ...planned,
      warnings: [...planned.warnings, ...warnOfTextAroundId(memo)],
      maxFee
    })
  })

/** Whether a transaction may burn no more than its preview says, and the call of a token pays what it says, to whom it says. */
export const isAsPreviewed = ({ amount, fee, to, token, transaction }: Prepared<TronTransaction>): boolean =>
  (transaction.feeLimit ?? 0n) <= fee &&
  (token === undefined ||
    (typeof amount === "bigint" &&
      addressProblem(to) === undefined &&
      transaction.data === encodeTransferCall(encodeTransferParameter(to, amount))))

/** The same of what several members sign, which is a payment and no other call. */
export const isSharedPayment = (prepared: Prepared<TronTransaction>): boolean => {
  const { data, shared, token } = prepared.transaction
  return shared !== undefined && (data === undefined) === (token === undefined) && isAsPreviewed(prepared)
}

const PREPARE_CALL = "prepareTransaction"

/** The preview of a call of a contract, which is run before. */
export const prepareTransaction = (
  context: SignerContext,
  request: TronRequest
): Effect.Effect<Prepared<TronTransaction>, PrepareError> =>
  Effect.gen(function* () {
    if (!isRecord(request))
      return yield* invalidArgument(PREPARE_CALL, "a call is { to, functionSelector, parameter }")
    const { functionSelector, maxFee, value } = request
    const parameter = yield* checkBytes(PREPARE_CALL, () =>
      String(hex()(request.parameter === undefined ? "" : request.parameter, "parameter", []))
    )
    const memo = yield* parseMemo(request.memo, ["id", "text"])
    const contract = yield* checkReceiver(context, request.to)
    if (typeof functionSelector !== "string" || !/^\w+\(.*\)$/.test(functionSelector))
      return yield* invalidArgument(
        PREPARE_CALL,
        "functionSelector must be such as transfer(address,uint256)"
      )
    const { address: owner, row, rpc } = context
    const isFree = value === undefined || value === 0n || value === "0"
    const amount = isFree ? 0n : yield* toSmallestUnit(value, row.decimals, row.symbol)
    const [trial, price] = yield* Effect.all(
      [callConstant(rpc, { owner, contract, functionSelector, parameter, value: amount }), readPrices(rpc)],
      { concurrency: "unbounded" }
    )
    if (trial.refusal !== undefined)
      return yield* invalidArgument(PREPARE_CALL, `the contract ${contract} refuses: ${trial.refusal}`)
    const feeLimit = computeFeeLimit(price, trial.energy)
    const transaction: TronTransaction = {
      from: owner,
      to: contract,
      amount,
      data: `${selectorOf(functionSelector)}${parameter.toLowerCase()}`,
      feeLimit,
      ...(memo === undefined ? {} : { memo: memo.text })
    }
    const needs = yield* readNeeds(context, transaction, { energy: trial.energy })
    const bytes = computeBytesFee(needs, transaction)
    const fee = feeLimit + bytes(price)
    const most = maxFeeLimit(price, trial.energy, caps.tron.energy.call) + bytes(limitPrices(price))
    const warnings = warnOfTextAroundId(memo)
    return yield* checkCoins(context, { transaction, fee, most, needs, price, maxFee, warnings })
  })
