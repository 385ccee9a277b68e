/** Payments of an account of Algorand: their previews. */
import * as Effect from "effect/Effect"
import { base64Of } from "../../data/base64.js"
import { caip2IdOfAlgorand } from "../../data/caip2.js"
import type { NetworkRow } from "../../data/Network.js"
import { DustAmount } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import * as caps from "../caps.js"
import { maxOf, requireWhole, withAgreement } from "../evidence.js"
import { parseMemo, warnOfTextAroundId } from "../memos.js"
import type { NodesOf, Payment, Prepared, PrepareError, ReadError } from "../Signer.js"
import {
  checkAddress,
  checkBalance,
  checkFeeCap,
  invalidArgument,
  sweepableAmount,
  toFixedAmount,
  warnOfHighFee,
  warnOfKept
} from "../signerChecks.js"
import { readFactsWithDecimals, type TokenFacts, toOutgoing } from "../tokens.js"
import type { SdkModule } from "./accounts.js"
import { addressProblem } from "./address.js"
import type { Genesis } from "./networks.js"
import type { AlgorandCalls, AlgorandTransaction } from "./Types.js"

/** An account on its network. */
export interface SignerContext {
  readonly network: string
  readonly nodes: NodesOf["nodes"]
  readonly rpc: AlgorandCalls
  readonly row: NetworkRow
  readonly genesis: Genesis
  readonly sdk: SdkModule
  readonly address: string
  /** The address of the key that signs, where it is another one: the account was rekeyed to it. */
  readonly key?: string
  /** The bytes that signatures and their frame add to a transaction, if they are those of several members. */
  readonly signatureBytes?: bigint
  /** In microalgos, for a payment that has its fee already. */
  readonly fee?: bigint
}

/** A chain and its nodes. */
interface ChainContext extends Pick<SignerContext, "genesis" | "network"> {
  readonly rpc: Pick<AlgorandCalls, "getTransactionParams">
}

/** Reads an answer; undefined if the node answers that there is no such thing. */
export const undefinedIfMissing = <A>(
  answer: Effect.Effect<A, ReadError>
): Effect.Effect<A | undefined, ReadError> =>
  Effect.catchIf(
    answer,
    (error) => error._tag === "RequestRejected" && error.status === 404,
    () => Effect.succeed(undefined)
  )

/** Rounds that two honest nodes may be difference. */
const MAX_ROUND_DIFFERENCE = 100n

const PARAMS_CALL = "getTransactionParams"

interface Params {
  readonly fee: bigint
  readonly minFee: bigint
  readonly lastRound: bigint
}

/** Reads what a new transaction needs, and checks the chain. Two nodes have to be at about the same round, if there are two. */
export const readParams = ({ genesis, network, rpc }: ChainContext) =>
  Effect.flatMap(
    withAgreement(rpc.getTransactionParams(), (one, other) => {
      const difference = one["last-round"] - other["last-round"]
      return difference <= MAX_ROUND_DIFFERENCE && -difference <= MAX_ROUND_DIFFERENCE
    }),
    (params): Effect.Effect<Params, ReadError> =>
      params["genesis-hash"] === genesis.hash
        ? Effect.all({
            fee: requireWhole(PARAMS_CALL, "fee", params.fee),
            minFee: requireWhole(PARAMS_CALL, "min-fee", params["min-fee"]),
            lastRound: requireWhole(PARAMS_CALL, "last-round", params["last-round"])
          })
        : Effect.fail(
            invalidArgument(
              PARAMS_CALL,
              `the node is of the chain ${params["genesis-hash"]}, and not of ${network}`
            )
          )
  )

/** Rounds in which a payment can be from the newest on: about five minutes. */
const VALID_ROUNDS = 100n

/** Chooses the rounds that can have a payment, and a lease, without which equal payments would be one transaction. */
export const readValidity = (context: ChainContext) =>
  Effect.map(readParams(context), ({ lastRound }) => ({
    firstValid: lastRound,
    lastValid: lastRound + VALID_ROUNDS,
    lease: base64Of(crypto.getRandomValues(new Uint8Array(32)))
  }))

/** The longest note of a transaction. */
const MAX_MEMO_BYTES = 1_000

const memoProblem = (memo: string | undefined): string | undefined => {
  if (memo === undefined) return undefined
  const { length } = new TextEncoder().encode(memo)
  return length >= 1 && length <= MAX_MEMO_BYTES
    ? undefined
    : `a memo must be text of 1 to ${MAX_MEMO_BYTES} bytes, and this one has ${length}`
}

/** The largest number of the chain. */
const MAX_UINT64 = 2n ** 64n - 1n

/** Whether a text is the id of an asset. */
export const isAssetId = (token: unknown): token is string =>
  typeof token === "string" && /^[1-9]\d{0,19}$/.test(token) && BigInt(token) <= MAX_UINT64

/** Whether a value is an unsigned integer of 64 bits. */
export const isUint64 = (value: unknown): value is bigint =>
  typeof value === "bigint" && value >= 0n && value <= MAX_UINT64

/** Computes the fee of a payment: by its size if the chain is full, and at least the minimum fee. */
export const computeFee = (
  context: SignerContext,
  plan: Omit<AlgorandTransaction, "fee">
): Effect.Effect<bigint, ReadError> => {
  if (context.fee !== undefined) return Effect.succeed(context.fee)
  return Effect.map(readParams(context), (params) => {
    const lease = base64Of(new Uint8Array(32).fill(255))
    const largest = { ...plan, fee: MAX_UINT64 >> 16n, firstValid: MAX_UINT64, lastValid: MAX_UINT64, lease }
    const byBytes =
      params.fee *
      context.sdk.signedSizeOf(context.sdk.buildTransaction(largest, context.genesis), context.signatureBytes)
    return maxOf(byBytes, params.minFee)
  })
}

/** An asset, and the amount that is paid. */
interface PaidAsset {
  readonly id: string
  readonly facts: TokenFacts
  readonly amount: bigint
  readonly warnings: ReadonlyArray<string>
}

/** What an asset is called, and its decimals. */
const readAssetFacts = (
  { genesis, row, rpc }: SignerContext,
  id: string,
  unit: string | undefined,
  decimals: number | undefined
) =>
  readFactsWithDecimals({
    row,
    token: id,
    asset: `${caip2IdOfAlgorand(genesis.hash)}/asa:${id}`,
    decimals,
    fromChain: {
      decimals: Effect.map(
        withAgreement(
          rpc.getAssetInformation({ assetId: id }),
          (one, other) => one.params.decimals === other.params.decimals
        ),
        ({ params }) => params.decimals
      ),
      symbol: Effect.succeed(unit)
    }
  })

/** Checks that the account has the asset, and that the receiver can take it. */
const readPaidAsset = (context: SignerContext, payment: Payment, to: string, id: string) =>
  Effect.gen(function* () {
    const { address, rpc } = context
    const [info, own, receiver] = yield* Effect.all(
      [
        undefinedIfMissing(rpc.getAssetInformation({ assetId: id })),
        undefinedIfMissing(rpc.getAccountAssetInfo({ address, assetId: id })),
        undefinedIfMissing(rpc.getAccountAssetInfo({ address: to, assetId: id }))
      ],
      { concurrency: "unbounded" }
    )
    if (info === undefined) return yield* invalidArgument("prepare", `there is no asset ${id}`)
    const { clawback = "", freeze = "", "unit-name": unit } = info.params
    const facts = yield* readAssetFacts(context, id, unit, payment.decimals)
    const { decimals, name: asset } = facts
    const paid = { address, asset, token: id, decimals }
    const [held, target] = [own?.["asset-holding"], receiver?.["asset-holding"]]
    const amount =
      (yield* toFixedAmount(payment.amount, decimals, asset)) ??
      (yield* sweepableAmount(held?.amount ?? 0n, 0n, paid))
    yield* checkBalance(amount, held?.amount ?? 0n, paid)
    if (target === undefined)
      return yield* invalidArgument(
        "prepare",
        `${to} has not opted in to the asset ${id}, and can receive none of it`
      )
    if (held?.["is-frozen"] === true || target["is-frozen"])
      return yield* invalidArgument(
        "prepare",
        `the asset ${id} is frozen in the account of its ${target["is-frozen"] ? "receiver" : "sender"}`
      )
    const warnings = [
      ...facts.warnings,
      ...(clawback === "" ? [] : [`${clawback} can take the asset ${asset} from every account.`]),
      ...(freeze === "" ? [] : [`${freeze} can freeze the asset ${asset} in every account.`])
    ]
    const found: PaidAsset = { id, facts, amount, warnings }
    return found
  })

/** Reads the account, and checks that it takes this key: its own one, or the one that it was rekeyed to. */
export const readOwnAccount = ({ address, key = address, rpc }: SignerContext) =>
  Effect.flatMap(rpc.getAccountInfo({ address, exclude: "all" }), (info) => {
    const { "auth-addr": by = address } = info
    return by === key
      ? Effect.succeed(info)
      : Effect.fail(
          invalidArgument(
            "prepare",
            by === address
              ? `${address} was not rekeyed: it takes its own key, and not that of ${key}`
              : key === address
                ? `${address} was given to the key of ${by}, and this one signs for it no more`
                : `${address} was rekeyed to ${by}, and not to this key of ${key}`
          )
        )
  })

/** Warnings about a receiver of coins, who keeps what an account must have. */
const checkReceiver = ({ address, row, rpc }: SignerContext, to: string, amount: bigint) =>
  to === address
    ? Effect.succeed(["The receiver is the account itself."])
    : Effect.flatMap(rpc.getAccountInfo({ address: to, exclude: "all" }), (info) => {
        const least = info["min-balance"] - info.amount
        return amount < least
          ? Effect.fail(
              new DustAmount({
                amount: Units.format(amount, row.decimals),
                least: Units.format(least, row.decimals),
                asset: row.symbol
              })
            )
          : Effect.succeed(
              info.amount === 0n ? ["The receiver has no account yet: this payment makes it."] : []
            )
      })

/** The preview of a payment. */
export const prepare = (
  context: SignerContext,
  payment: Payment
): Effect.Effect<Prepared<AlgorandTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network, row } = context
    const { maxFee, token } = payment
    const parsedMemo = yield* parseMemo(payment.memo, ["id", "text"])
    const memo = parsedMemo?.text
    const problem = memoProblem(memo)
    if (problem !== undefined) return yield* invalidArgument("prepare", problem)
    if (token !== undefined && !isAssetId(token))
      return yield* invalidArgument("prepare", `${String(token)} is no asset: its id is a decimal number`)
    const to = yield* checkAddress(network, payment.to, addressProblem(payment.to))
    const coin = { address, asset: row.symbol, decimals: row.decimals }
    const paid = token === undefined ? undefined : yield* readPaidAsset(context, payment, to, token)
    const fixed = paid?.amount ?? (yield* toFixedAmount(payment.amount, row.decimals, row.symbol))
    const own = yield* readOwnAccount(context)
    const kept = own["min-balance"]
    // of a sweep, the fee is that of at least as many bytes
    const trial = fixed ?? (yield* sweepableAmount(own.amount, kept, coin))
    // what cannot be paid at all may be no number of the chain
    yield* checkBalance((paid === undefined ? trial : 0n) + kept, own.amount, coin)
    const draft = {
      from: address,
      to,
      amount: trial,
      ...(token === undefined ? {} : { token }),
      ...(memo === undefined ? {} : { memo })
    }
    const fee = yield* computeFee(context, draft)
    yield* checkFeeCap(fee, maxFee, coin, caps.algorand.fee)
    const amount = fixed ?? (yield* sweepableAmount(own.amount, kept + fee, coin))
    const plan = { ...draft, amount }
    const coins = paid === undefined ? amount : 0n
    yield* checkBalance(coins + fee + kept, own.amount, coin)
    const warnings = paid?.warnings ?? [
      ...(yield* checkReceiver(context, to, amount)),
      ...warnOfKept(payment.amount, kept, coin, "the least that the chain makes it keep"),
      ...warnOfHighFee(fee, amount)
    ]
    return {
      network,
      from: address,
      to,
      ...(token === undefined ? {} : { token }),
      amount,
      fee,
      outgoing: [
        ...(paid === undefined ? [] : [toOutgoing(paid.id, amount, paid.facts)]),
        { asset: row.symbol, amount: Units.format(coins + fee, row.decimals) }
      ],
      warnings: [...warnings, ...warnOfTextAroundId(parsedMemo)],
      transaction: { ...plan, fee }
    }
  })
