/** Payments of an account of an EVM chain: previews, and replacements of pending transactions. */
import * as Effect from "effect/Effect"
import type { Hex } from "../../chains/evm/Types.js"
import { hexBytes } from "../../data/bytes.js"
import { addressProblem } from "../../data/evmAddress.js"
import type { NetworkRow } from "../../data/Network.js"
import type { FeeOverCap, InvalidAddress, InvalidAmount } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import * as caps from "../caps.js"
import { makeMalformedError, minOf, withAgreement } from "../evidence.js"
import type { NodesOf, Outgoing, Payment, Prepared, PrepareError, ReadError } from "../Signer.js"
import {
  checkAddress,
  checkBalance,
  checkBytes,
  checkFeeCap,
  invalidArgument,
  isSweep,
  privateProblem,
  speedProblem,
  sweepableAmount,
  toFixedAmount,
  toSmallestUnit,
  warnOfHighFee
} from "../signerChecks.js"
import { type TokenFacts, toOutgoing } from "../tokens.js"
import { requestOf, toQuantity } from "./accounts.js"
import {
  BALANCE_OF,
  chooseGasLimit,
  type DataFee,
  encodeWord,
  findToken,
  maxGasOf,
  type PricedFees,
  parseWord,
  priceOf,
  readDataFee,
  readFeeHistory,
  readFees,
  readMaxPrice,
  readToken,
  saysRevert,
  type TokenWithDecimals,
  TRANSFER
} from "./reading.js"
import type { EvmCalls, EvmRequest, EvmTransaction, PrivateClient } from "./Types.js"

const ZERO_ADDRESS = /^0x0{40}$/

/** An account on its network. */
export interface SignerContext {
  readonly network: string
  readonly nodes: NodesOf["nodes"]
  readonly rpc: EvmCalls
  readonly row: NetworkRow
  readonly chainId: number
  readonly address: Hex
  /** Where private transactions go. */
  readonly privateClient?: PrivateClient
  /** The nonce behind the last transaction that this signer has signed: what waits before it is its own. */
  readonly own: { next: number }
}

export const hasPrivateClient = ({ privateClient }: SignerContext): boolean => privateClient !== undefined

/** The chain's own coin, for errors and previews. */
export const coinOf = ({ address, row }: SignerContext) => ({
  address,
  asset: row.symbol,
  decimals: row.decimals
})

export const toSpentCoins = ({ row }: SignerContext, amount: bigint) => ({
  asset: row.symbol,
  amount: Units.format(amount, row.decimals)
})

export const checkReceiver = (
  { chainId, network }: Pick<SignerContext, "chainId" | "network">,
  to: string
): Effect.Effect<Hex, InvalidAddress> =>
  Effect.map(
    checkAddress(network, to, typeof to === "string" ? addressProblem(to, chainId) : "must be text"),
    (checked) => checked as Hex
  )

/** What a person should know of a receiver. */
export const findWarnings = (
  { address, rpc }: Pick<SignerContext, "address" | "rpc">,
  to: Hex,
  token?: TokenWithDecimals
): Effect.Effect<ReadonlyArray<string>, ReadError> =>
  Effect.map(rpc.getCode(to), (code) => [
    ...(ZERO_ADDRESS.test(to) ? ["The receiver is the zero address: what is sent there is gone."] : []),
    ...(to.toLowerCase() === address.toLowerCase() ? ["The receiver is the account itself."] : []),
    ...(token !== undefined && to.toLowerCase() === token.token.toLowerCase()
      ? ["The receiver is the token's own contract: most of them keep what they are sent."]
      : code !== "0x" && !code.startsWith("0xef0100")
        ? ["The receiver is a contract, which may not give back what it is sent."]
        : [])
  ])

/** Transactions of one account that two honest nodes may know of more or less. */
const MAX_NONCE_DIFFERENCE = 64n

/** The transactions of the account that blocks have. */
export const readMinedCount = ({ address, rpc }: SignerContext): Effect.Effect<number, ReadError> =>
  Effect.map(
    withAgreement(
      rpc.getTransactionCount(address, "latest"),
      (one, other) => one - other <= MAX_NONCE_DIFFERENCE && other - one <= MAX_NONCE_DIFFERENCE
    ),
    Number
  )

/** The transactions of the account that no block has, and that this signer has not sent. */
const findNonceGap = (
  context: SignerContext
): Effect.Effect<{ latest: number; next: number } | undefined, ReadError> =>
  Effect.map(
    Effect.all([readMinedCount(context), context.rpc.getTransactionCount(context.address, "pending")], {
      concurrency: "unbounded"
    }),
    ([latest, pending]) => {
      const next = Number(pending)
      return next > Math.max(latest, context.own.next) ? { latest, next } : undefined
    }
  )

/** What waits before a payment, and whether it may go behind that. */
const limitNonce = (context: SignerContext, allowNonceGap: boolean | undefined) =>
  Effect.map(findNonceGap(context), (gap) =>
    gap === undefined
      ? { limit: {}, warnings: [] }
      : {
          limit: allowNonceGap === true ? { nonceLimit: gap.next } : {},
          warnings: [
            `${gap.next - gap.latest} transactions of the account are said to wait for a block, from the nonce ${gap.latest} on: this payment has the nonce ${gap.next}, and lands when all of them have, however long that takes.${allowNonceGap === true ? "" : " It is signed with allowNonceGap alone."}`
          ]
        }
  )

/** The kind of a transaction, which decides how much gas is plausible. */
type GasKind = Parameters<typeof maxGasOf>[1]

/** What transactions cost now: fees, what the chain below takes, and the highest price that is plausible. */
interface Prices {
  readonly priced: PricedFees
  readonly below: DataFee
  readonly mostPrice: bigint
}

/** Reads what a transaction costs. A cap of the caller takes the place of the highest plausible price. */
export const readPrices = (
  { row, rpc }: SignerContext,
  data: string | undefined,
  { maxFee, speed }: Pick<Payment, "maxFee" | "speed">
): Effect.Effect<Prices, ReadError> => {
  const isCapped = maxFee !== undefined
  const readWith = (history: ReturnType<typeof readFeeHistory>): Effect.Effect<Prices, ReadError> =>
    Effect.map(
      Effect.all(
        [
          readFees(rpc, speed, history),
          readDataFee(rpc, row, data),
          isCapped ? Effect.succeed(0n) : readMaxPrice(rpc, row, history)
        ],
        { concurrency: "unbounded" }
      ),
      ([priced, below, mostPrice]) => ({ priced, below, mostPrice })
    )
  const history = readFeeHistory(rpc, speed, isCapped)
  // without a speed the cap alone needs it, and it is read beside the fees
  return speed === undefined
    ? readWith(history)
    : Effect.flatMap(history, (read) => readWith(Effect.succeed(read)))
}

/** The gas of a blob, whatever is in it (EIP-4844). */
const GAS_PER_BLOB = 131_072n

/** What the blobs of a transaction cost at most. */
export const blobFeeOf = ({
  blobs = [],
  maxFeePerBlobGas = 0n
}: Pick<EvmTransaction, "blobs" | "maxFeePerBlobGas">): bigint =>
  BigInt(blobs.length) * GAS_PER_BLOB * maxFeePerBlobGas

/** The blobs of a transaction, and the hashes by which it names them. */
interface WithBlobs extends Required<Pick<EvmTransaction, "blobs" | "maxFeePerBlobGas">> {
  readonly versionedHashes: ReadonlyArray<Hex>
}

/**
 * The highest fee of a transaction, after its check against the cap of the caller. Without one the cap is the plausible part of its gas times the
 * plausible part of its price.
 */
export const checkFee = (
  context: SignerContext,
  { below, mostPrice }: Prices,
  transaction: {
    readonly gas: bigint
    readonly kind: GasKind
    readonly price: bigint
  } & Pick<EvmTransaction, "blobs" | "maxFeePerBlobGas">,
  maxFee: Payment["maxFee"]
): Effect.Effect<bigint, FeeOverCap | InvalidAmount> => {
  const { blobs = [], gas, kind, price } = transaction
  const fee = gas * price + below.fee + blobFeeOf(transaction)
  const most =
    minOf(gas, maxGasOf(context.row, kind)) * minOf(price, mostPrice) +
    minOf(below.fee, below.most) +
    blobFeeOf({ blobs, maxFeePerBlobGas: caps.evm.most.ether })
  return Effect.as(checkFeeCap(fee, maxFee, coinOf(context), most), fee)
}

/** The transaction to send, and the caller's options. */
interface PricedCall {
  readonly call: { readonly to?: Hex; readonly data?: Hex; readonly value: bigint }
  /** It sends the whole balance without its fee, in place of `value`. */
  readonly sweeps?: boolean
  readonly kind: GasKind
  readonly withBlobs?: WithBlobs
}

/** What a person should know of a private transaction. */
export const warnOfPrivacy = ({ private: isPrivate }: EvmTransaction): ReadonlyArray<string> =>
  isPrivate === true
    ? [
        "Only the private node gets it. Until a block has it, later payments of the account wait for it: cancel it if it takes too long."
      ]
    : []

/** Adds gas and fees to a transaction, and checks that the account can pay for it. */
const priceTransaction = (
  context: SignerContext,
  { call: given, kind, sweeps = false, withBlobs }: PricedCall,
  options: Pick<Payment, "allowNonceGap" | "maxFee" | "private" | "speed">
) =>
  Effect.gen(function* () {
    const { address, chainId, rpc } = context
    const coin = coinOf(context)
    const [balance, prices, { limit, warnings }] = yield* Effect.all(
      [
        rpc.getBalance(address),
        readPrices(context, given.data, options),
        limitNonce(context, options.allowNonceGap)
      ],
      { concurrency: "unbounded" }
    )
    const { below, priced } = prices
    const { expectedBlocks, fees } = priced
    const price = priceOf(fees)
    const trial = sweeps ? yield* sweepableAmount(balance, 21_000n * price + below.fee, coin) : given.value
    const call = { ...given, value: trial }
    // nodes refuse to estimate a value that the account does not have, and their messages differ
    const checkLeast = checkBalance(call.value + 21_000n * price, balance, coin)
    if (call.value > 0n) yield* checkLeast
    // without a value they estimate for an account without coins, too, so that the error below names the whole fee
    const estimate = yield* Effect.tapError(
      rpc.estimateGas({
        from: address,
        ...(call.to === undefined ? {} : { to: call.to }),
        ...(call.data === undefined ? {} : { data: call.data }),
        value: toQuantity(call.value),
        ...(withBlobs === undefined
          ? {}
          : {
              blobVersionedHashes: withBlobs.versionedHashes,
              maxFeePerBlobGas: toQuantity(withBlobs.maxFeePerBlobGas)
            })
      }),
      (error) => (saysRevert(error) ? Effect.void : checkLeast)
    )
    const gas = yield* chooseGasLimit(call, estimate)
    const { blobs, maxFeePerBlobGas } = withBlobs ?? {}
    const beside = blobs === undefined || maxFeePerBlobGas === undefined ? {} : { blobs, maxFeePerBlobGas }
    const fee = yield* checkFee(context, prices, { gas, kind, price, ...beside }, options.maxFee)
    const value = sweeps ? yield* sweepableAmount(balance, fee, coin) : call.value
    yield* checkBalance(value + fee, balance, coin)
    const way = options.private === true ? { private: true } : {}
    const transaction: EvmTransaction = { chainId, ...limit, ...way, ...call, value, gas, ...fees, ...beside }
    return {
      priced: { fee, transaction, ...(expectedBlocks === undefined ? {} : { expectedBlocks }) },
      warnings: [...warnings, ...priced.warnings, ...warnOfPrivacy(transaction)]
    }
  })

const prepareToken = (context: SignerContext, payment: Payment, to: Hex, token: string) =>
  Effect.gen(function* () {
    const { address, network, row, rpc } = context
    const known = yield* readToken(rpc, row, yield* checkReceiver(context, token), payment.decimals)
    const { decimals, name } = known
    const fixed = yield* toFixedAmount(payment.amount, decimals, name)
    const [answer, warnings] = yield* Effect.all(
      [
        rpc.call({ to: known.token, data: `${BALANCE_OF}${encodeWord(address)}` }),
        findWarnings(context, to, known)
      ],
      { concurrency: "unbounded" }
    )
    const held = answer === "0x" ? 0n : parseWord(answer)
    if (held === undefined) return yield* makeMalformedError("eth_call", `${known.token} tells no balance`)
    const asset = { address, asset: name, token: known.token, decimals }
    const amount = fixed ?? (yield* sweepableAmount(held, 0n, asset))
    yield* checkBalance(amount, held, asset)
    const data: Hex = `${TRANSFER}${encodeWord(to)}${encodeWord(amount)}`
    const { priced, warnings: behind } = yield* priceTransaction(
      context,
      { call: { to: known.token, data, value: 0n }, kind: "tokens" },
      payment
    )
    // tokens that refuse by an answer and not by an error take the fee all the same
    const said = yield* rpc.call(requestOf(address, priced.transaction))
    if (parseWord(said) === 0n)
      return yield* invalidArgument("prepare", `the token ${name} refuses the transfer`)
    return {
      network,
      from: address,
      to,
      token: known.token,
      amount,
      ...priced,
      outgoing: [toOutgoing(known.token, amount, known), toSpentCoins(context, priced.fee)],
      warnings: [...warnings, ...known.warnings, ...behind]
    }
  })

export const prepare = (
  context: SignerContext,
  payment: Payment
): Effect.Effect<Prepared<EvmTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network, row } = context
    if (payment.memo !== undefined)
      return yield* invalidArgument("prepare", "payments of EVM chains have no memo")
    const to = yield* checkReceiver(context, payment.to)
    if (payment.token !== undefined) return yield* prepareToken(context, payment, to, payment.token)
    const value = (yield* toFixedAmount(payment.amount, row.decimals, row.symbol)) ?? 0n
    const sweeps = isSweep(payment.amount)
    const [{ priced, warnings: behind }, warnings] = yield* Effect.all(
      [
        priceTransaction(context, { call: { to, value }, sweeps, kind: "coins" }, payment),
        findWarnings(context, to)
      ],
      { concurrency: "unbounded" }
    )
    const { fee } = priced
    const { value: amount } = priced.transaction
    return {
      network,
      from: address,
      to,
      amount,
      ...priced,
      outgoing: [toSpentCoins(context, amount + fee)],
      warnings: [
        ...warnings,
        ...(sweeps
          ? [
              `What the payment costs less than ${Units.format(fee, row.decimals)} ${row.symbol} stays in the account.`
            ]
          : []),
        ...warnOfHighFee(fee, amount),
        ...behind
      ]
    }
  })

const isSameText = (a: unknown, b: unknown): boolean => String(a).toLowerCase() === String(b).toLowerCase()

/**
 * Whether a transaction is the one of its preview: chain, receiver and amount are equal, and its fee is not higher. The data of a call is
 * not compared.
 */
export const isAsPreviewed = (
  { chainId }: SignerContext,
  { amount, fee, to, token, transaction }: Prepared<EvmTransaction>
): boolean => {
  const { data, gas, to: receiver = "", value } = transaction
  if (typeof gas !== "bigint" || typeof amount !== "bigint") return false
  const said =
    token === undefined
      ? { receiver: to, value: amount, data }
      : { receiver: token, value: 0n, data: `${TRANSFER}${encodeWord(String(to))}${encodeWord(amount)}` }
  return (
    transaction.chainId === chainId &&
    isSameText(receiver, said.receiver) &&
    value === said.value &&
    isSameText(data, said.data) &&
    gas * priceOf(transaction) + blobFeeOf(transaction) <= fee
  )
}

/** What a call means for the tokens of the account. */
interface CallMeaning {
  readonly outgoing: ReadonlyArray<Outgoing>
  readonly warnings: ReadonlyArray<string>
}

export const NO_MEANING: CallMeaning = { outgoing: [], warnings: [] }

/** `transferFrom`, `approve`, `increaseAllowance` and `setApprovalForAll`, of tokens and of collections. */
const TRANSFER_FROM = "0x23b872dd"
const APPROVE = "0x095ea7b3"
const INCREASE_ALLOWANCE = "0x39509351"
const SET_APPROVAL_FOR_ALL = "0xa22cb465"

/** More than any token has: such an allowance is unlimited in effect. */
export const UNLIMITED_FROM = 2n ** 255n

/** Reads from a call which tokens it sends, and which it lets others take. Unknown functions have no meaning here. */
export const readMeaning = (
  { address, row, rpc }: SignerContext,
  contract: Hex,
  data: string
): Effect.Effect<CallMeaning, PrepareError> => {
  const selector = data.slice(0, 10).toLowerCase()
  const argument = (at: number): string => data.slice(10 + 64 * at, 74 + 64 * at)
  const argumentCount = {
    [TRANSFER]: 2,
    [APPROVE]: 2,
    [INCREASE_ALLOWANCE]: 2,
    [SET_APPROVAL_FOR_ALL]: 2,
    [TRANSFER_FROM]: 3
  }[selector]
  if (argumentCount === undefined || data.length < 10 + 64 * argumentCount) return Effect.succeed(NO_MEANING)
  const collection: TokenFacts & { readonly decimals: number } = {
    asset: contract,
    name: contract,
    decimals: 0,
    warnings: []
  }
  // a collection has no decimals: its amounts are token ids
  const known = Effect.map(findToken(rpc, row, contract), (found) => found ?? collection)
  return Effect.map(known, (facts): CallMeaning => {
    const { decimals, name, warnings } = facts
    const whom = `0x${argument(0).slice(-40)}`
    const value = BigInt(`0x${argument(selector === TRANSFER_FROM ? 2 : 1)}`)
    const amount = Units.format(value, decimals)
    if (selector === TRANSFER || selector === TRANSFER_FROM)
      return selector === TRANSFER || isSameText(whom, address)
        ? { outgoing: [toOutgoing(contract, value, facts)], warnings }
        : NO_MEANING
    if (value === 0n) return NO_MEANING
    const what =
      selector === SET_APPROVAL_FOR_ALL
        ? `all that the account has of ${name}`
        : value >= UNLIMITED_FROM
          ? `any amount of ${name}`
          : selector === INCREASE_ALLOWANCE
            ? `${amount} ${name} more`
            : facts === collection
              ? `${amount} of ${name}`
              : `up to ${amount} ${name}`
    return { outgoing: [], warnings: [`It lets ${whom} take ${what}.`, ...warnings] }
  })
}

export const prepareTransaction = (
  context: SignerContext,
  request: EvmRequest,
  withBlobs?: WithBlobs
): Effect.Effect<Prepared<EvmTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network, row } = context
    if (!isRecord(request as unknown))
      return yield* invalidArgument("prepareTransaction", "a transaction is { to, data, value }")
    const { speed, to, value } = request
    const problem = speedProblem(speed) ?? privateProblem(request.private, hasPrivateClient(context))
    if (problem !== undefined) return yield* invalidArgument("prepareTransaction", problem)
    const data =
      request.data === undefined
        ? undefined
        : yield* checkBytes("prepareTransaction", () => hexBytes(request.data, "data"))
    if (to === undefined && data === undefined)
      return yield* invalidArgument(
        "prepareTransaction",
        "it has neither a receiver nor the code of a contract"
      )
    const isFree = value === undefined || value === 0n || value === "0"
    const amount = isFree ? 0n : yield* toSmallestUnit(value, row.decimals, row.symbol)
    const contract = to === undefined ? undefined : yield* checkReceiver(context, to)
    const { priced, warnings: behind } = yield* priceTransaction(
      context,
      {
        call: {
          ...(contract === undefined ? {} : { to: contract }),
          ...(data === undefined ? {} : { data }),
          value: amount
        },
        kind: data === undefined ? "coins" : "call",
        ...(withBlobs === undefined ? {} : { withBlobs })
      },
      request
    )
    const { outgoing, warnings } =
      contract === undefined || data === undefined ? NO_MEANING : yield* readMeaning(context, contract, data)
    return {
      network,
      from: address,
      to: to ?? "",
      amount,
      ...priced,
      outgoing: [...outgoing, toSpentCoins(context, amount + priced.fee)],
      warnings: [...warnings, ...behind]
    }
  })
