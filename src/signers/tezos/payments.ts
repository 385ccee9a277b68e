/** Payments of an account of Tezos: costs and previews. */
import * as Effect from "effect/Effect"
import { tezos } from "../../data/caip2.js"
import type { NetworkRow } from "../../data/Network.js"
import { InvalidAmount } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import * as caps from "../caps.js"
import { makeMalformedError, maxOf, minOf, parseWhole, requireWhole } from "../evidence.js"
import type { NodesOf, Payment, Prepared, PrepareError, ReadError } from "../Signer.js"
import {
  checkAddress,
  checkBalance,
  checkFeeCap,
  invalidArgument,
  isSweep,
  sweepableAmount,
  toSmallestUnit,
  warnOfHighFee,
  warnOfKept
} from "../signerChecks.js"
import { readTokenFacts, type TokenFacts, toOutgoing } from "../tokens.js"
import { addressProblem, encodeWithPrefix, isContract, parseToken, tokenProblem } from "./address.js"
import { makeContents } from "./contents.js"
import type { Account } from "./curve.js"
import type { TezosCalls, TezosReceipt, TezosResult, TezosTransaction } from "./Types.js"
import type { TokenDetails } from "./tokens.js"

/** An account on its network. */
export interface SignerContext {
  readonly network: string
  readonly nodes: NodesOf["nodes"]
  readonly rpc: TezosCalls
  readonly row: NetworkRow
  readonly account: Account
  readonly forge: typeof import("./taquito.js").forgeOperation
  /** The details of a token from the chain. */
  readonly readDetails: (token: string) => Effect.Effect<TokenDetails, ReadError>
}

/** What previews need of an account on its network. */
export type PreviewContext = Pick<SignerContext, "network" | "rpc" | "row" | "forge"> & {
  readonly account: Pick<Account, "address" | "publicKey">
}

/** The chain ids by which nodes of another chain are detected. */
const chainIds: Readonly<Record<string, string>> = tezos

export const chainIdOf = ({ id, tezos }: NetworkRow): string | undefined => tezos?.chainId ?? chainIds[id]

/** For how many blocks an operation is valid after the block that it names, if the chain does not report it. */
const VALID_BLOCKS = 120

/** Gas and bytes of storage that a call may take more by the time that it is in a block. */
const GAS_MARGIN = 100n
const STORAGE_MARGIN = 20n

/** A fee that takes as many bytes as any that is paid. */
const LARGEST_FEE = 9_999_999n

/** An invalid signature of the right length. */
export const ZERO_SIGNATURE = encodeWithPrefix("edsig", new Uint8Array(64))

/** The least fee of bakers, by the default of their nodes: a base fee, and fees per unit of gas and per byte. */
const BASE_FEE = 100n
const computeFee = (gas: bigint, size: bigint): bigint => (gas + 9n) / 10n + size

/** Bytes of an operation with its signature. */
const measureSize = (context: PreviewContext, transaction: TezosTransaction) =>
  Effect.map(
    Effect.tryPromise({
      try: () => context.forge(transaction.branch, makeContents(transaction)),
      catch: () => invalidArgument("prepare", "it names what is none of Tezos")
    }),
    (hex) => BigInt(hex.length / 2 + 64)
  )

/** All results of a content: its own, and those of the calls that it made. */
const resultsOf = ({ metadata }: TezosReceipt["contents"][number]): ReadonlyArray<TezosResult> =>
  [
    metadata?.operation_result,
    ...(metadata?.internal_operation_results?.map(({ result }) => result) ?? [])
  ].filter((result) => result !== undefined)

/** The reason of a failure. The last error is the closest to its cause. */
const describeErrors = (results: ReadonlyArray<TezosResult>): string => {
  const error: unknown = results.flatMap(({ errors = [] }) => errors).at(-1)
  if (!isRecord(error)) return "it would fail"
  const name = String(error.id).replace(/^proto\.[^.]*\./, "")
  const word = isRecord(error.with) ? error.with.string : undefined
  return typeof word === "string" ? `${name}: ${word}` : name
}

/** Why an operation was not done, if it was not. */
export const findFailure = ({ contents }: TezosReceipt): string | undefined => {
  const results = contents.flatMap(resultsOf)
  const isDone =
    contents.length > 0 && contents.every((content) => resultsOf(content)[0]?.status === "applied")
  return isDone && results.every(({ status }) => status === "applied") ? undefined : describeErrors(results)
}

const SIMULATE_CALL = "simulateOperation"

/** Sums a number over the results. A result without it counts as 0. */
const readNumbers = (
  results: ReadonlyArray<TezosResult>,
  what: "consumed_milligas" | "paid_storage_size_diff"
) => Effect.forEach(results, (result) => requireWhole(SIMULATE_CALL, what, result[what] ?? 0))

const sum = (values: ReadonlyArray<bigint>): bigint => values.reduce((total, value) => total + value, 0n)

/** Each result's gas is rounded up. */
const sumGas = (results: ReadonlyArray<TezosResult>) =>
  Effect.map(
    readNumbers(results, "consumed_milligas"),
    (all) => GAS_MARGIN + sum(all.map((milligas) => (milligas + 999n) / 1000n))
  )

interface ProtocolLimits {
  readonly cost_per_byte: string
  readonly origination_size: number
  readonly hard_gas_limit_per_operation: string
  readonly hard_gas_limit_per_block: string
  readonly hard_storage_limit_per_operation: string
}

/** What a payment takes, by trying it with the most that the chain allows. */
const simulate = (
  context: PreviewContext,
  chainId: string,
  draft: TezosTransaction,
  bounds: ProtocolLimits
) =>
  Effect.gen(function* () {
    // the public key and the payment are in one block
    const most = BigInt(
      Math.min(
        Number(bounds.hard_gas_limit_per_operation),
        Math.floor(Number(bounds.hard_gas_limit_per_block) / 2)
      )
    )
    const widest: TezosTransaction = {
      ...draft,
      gasLimit: most,
      storageLimit: BigInt(bounds.hard_storage_limit_per_operation),
      ...(draft.reveal === undefined ? {} : { reveal: { ...draft.reveal, gasLimit: most } })
    }
    const receipt = yield* context.rpc.simulateOperation({
      operation: { branch: draft.branch, contents: makeContents(widest), signature: ZERO_SIGNATURE },
      chain_id: chainId
    })
    const failure = findFailure(receipt)
    if (failure !== undefined) return yield* invalidArgument("prepare", `the chain refuses it: ${failure}`)
    const payment = receipt.contents.slice(-1).flatMap(resultsOf)
    const stored = sum(yield* readNumbers(payment, "paid_storage_size_diff"))
    const allocated = payment.filter((result) => result.allocated_destination_contract === true).length
    const bytes = yield* requireWhole("getConstants", "origination_size", bounds.origination_size)
    return {
      gas: yield* sumGas(payment),
      revealGas: yield* sumGas(receipt.contents.slice(0, 1).flatMap(resultsOf)),
      isNew: allocated > 0,
      storage: stored + BigInt(allocated) * bytes + (draft.token === undefined ? 0n : STORAGE_MARGIN)
    }
  })

/** Computes the fees of a payment with known limits. The reveal of the public key pays for its own gas and bytes. */
const withFees = (context: PreviewContext, limited: TezosTransaction) =>
  Effect.gen(function* () {
    const { reveal, ...alone } = { ...limited, fee: LARGEST_FEE }
    const size = yield* measureSize(context, alone)
    if (reveal === undefined) return { ...limited, fee: BASE_FEE + computeFee(limited.gasLimit, size) }
    const sizeWithReveal = yield* measureSize(context, { ...alone, reveal: { ...reveal, fee: LARGEST_FEE } })
    return {
      ...limited,
      fee: BASE_FEE + computeFee(limited.gasLimit, size),
      reveal: { ...reveal, fee: computeFee(reveal.gasLimit, sizeWithReveal - size) }
    }
  })

/**
 * Drafts a transaction without limits and fees, on the account's current state and a block that will not be rolled back. `spent` is what the
 * account must have in coins besides the fee.
 */
export const draftTransaction = (
  context: PreviewContext,
  plan: Pick<TezosTransaction, "to" | "amount" | "token" | "staking">,
  spent: bigint
) =>
  Effect.gen(function* () {
    const { account, network, row, rpc } = context
    const contractId = account.address
    const [header, bounds, counter, key, balance] = yield* Effect.all(
      [
        rpc.getBlockHeader({ block: "head~2" }),
        rpc.getConstants(),
        rpc.getContractCounter({ contractId }),
        rpc.getContractManagerKey({ contractId }),
        rpc.getContractBalance({ contractId })
      ],
      { concurrency: "unbounded" }
    )
    const known = chainIdOf(row)
    if (header.chain_id !== known)
      return yield* invalidArgument(
        "prepare",
        `its nodes are of the chain ${header.chain_id}, and ${network} is ${known}`
      )
    const coin = { address: contractId, asset: row.symbol, decimals: row.decimals }
    const [held, used] = [parseWhole(balance), parseWhole(counter)]
    if (held === undefined || used === undefined)
      return yield* makeMalformedError("getContractBalance", `${contractId} has numbers that are none`)
    yield* checkBalance(spent, held, coin)
    const isKnown = key !== null
    const draft: TezosTransaction = {
      from: contractId,
      ...plan,
      fee: 0n,
      counter: used + (isKnown ? 1n : 2n),
      gasLimit: 0n,
      storageLimit: 0n,
      ...(isKnown ? {} : { reveal: { publicKey: account.publicKey, fee: 0n, gasLimit: 0n } }),
      branch: header.hash,
      level: header.level,
      until: header.level + (bounds.max_operations_time_to_live ?? VALID_BLOCKS)
    }
    return { draft, bounds, balance: held, chainId: header.chain_id, coin }
  })

type Draft = Effect.Effect.Success<ReturnType<typeof draftTransaction>>

/** The limits and the fee of a draft by a trial, which the cap allows. `amount` is that of the fee's bytes, if it is another one. */
export const priceDraft = (
  context: PreviewContext,
  { bounds, chainId, coin, draft }: Draft,
  { amount = draft.amount, maxFee }: { readonly amount?: bigint } & Pick<Payment, "maxFee">
) =>
  Effect.gen(function* () {
    const simulated = yield* simulate(context, chainId, draft, bounds)
    const { gas, isNew, revealGas, storage } = simulated
    const priced = yield* withFees(context, {
      ...draft,
      amount,
      gasLimit: gas,
      storageLimit: storage,
      ...(draft.reveal === undefined ? {} : { reveal: { ...draft.reveal, gasLimit: revealGas } })
    })
    const { most, total, ...parts } = yield* readFeeParts(simulated, bounds.cost_per_byte, priced)
    yield* checkFeeCap(total, maxFee, coin, most)
    return { ...parts, fee: total, isNew, priced }
  })

/** The line of a preview about the account's public key. */
export const warnOfReveal = (reveal: bigint, { decimals, symbol }: NetworkRow): ReadonlyArray<string> =>
  reveal === 0n
    ? []
    : [
        `The account tells its public key with its first payment: the fee has ${Units.format(reveal, decimals)} ${symbol} for it.`
      ]

/** The CAIP-19 id of a token: its contract, and its token id if it has one. */
export const toCaipAsset = (row: NetworkRow, token: string): string => {
  const { contract, id } = parseToken(token)
  const chain = `tezos:${chainIdOf(row) ?? row.id}`
  return id === undefined ? `${chain}/fa12:${contract}` : `${chain}/fa2:${contract}/${id}`
}

const toPaidAmount = (facts: TokenFacts, amount: Payment["amount"]) =>
  Effect.map(toSmallestUnit(amount, facts.decimals ?? 0, facts.name), (amount) => ({ amount, facts }))

/**
 * What a sweep leaves, in mutez, and what it is tried with: the chain refuses to empty an account that delegates its coins, and an empty
 * one is made anew, for a fee, by the next payment to it.
 */
const SWEEP_KEEPS = 1n

/** What a payment is, unless something is wrong with it. */
const checkPayment = ({ readDetails, network, row }: SignerContext, payment: Payment) =>
  Effect.gen(function* () {
    const { amount, memo, to, token } = payment
    if (memo !== undefined) return yield* invalidArgument("prepare", "payments of Tezos have no memo")
    yield* checkAddress(network, to, addressProblem(to))
    const coin: TokenFacts = { asset: row.symbol, name: row.symbol, decimals: row.decimals, warnings: [] }
    if (isSweep(amount))
      return token === undefined
        ? { amount: SWEEP_KEEPS, facts: coin }
        : yield* new InvalidAmount({
            amount,
            reason: "must be a number: contracts keep the balances of a token in forms of their own"
          })
    if (token === undefined) return yield* toPaidAmount(coin, amount)
    yield* checkAddress(network, token, tokenProblem(token))
    // fails before any read if the amount is invalid in every unit
    if (typeof amount === "bigint") yield* toSmallestUnit(amount, 0, token)
    const details = readDetails(token)
    const facts = yield* readTokenFacts({
      row,
      token,
      asset: toCaipAsset(row, token),
      decimals: payment.decimals,
      fromChain: {
        decimals: Effect.map(details, ({ decimals }) => decimals),
        symbol: Effect.map(details, ({ symbol }) => symbol)
      }
    })
    return facts.decimals !== undefined || typeof amount === "bigint"
      ? yield* toPaidAmount(facts, amount)
      : yield* new InvalidAmount({
          amount: String(amount),
          reason: `must be a bigint in the smallest unit, or come with decimals: those of ${facts.name} are not in the chain`
        })
  })

/** The parts of a fee in mutez. */
interface FeeParts {
  /** The fee of the operation that publishes the account's public key; 0 if there is none. */
  readonly reveal: bigint
  /** The cost of the storage, which is burnt. */
  readonly burnt: bigint
  readonly total: bigint
  /** The most that the whole fee may be, at plausible prices. */
  readonly most: bigint
}

/** Adds up the fee of a transaction, and the most that it may be. */
const readFeeParts = (
  { gas, revealGas, storage }: Effect.Effect.Success<ReturnType<typeof simulate>>,
  costPerByte: unknown,
  transaction: TezosTransaction
) =>
  Effect.map(requireWhole("getConstants", "cost_per_byte", costPerByte), (perByte): FeeParts => {
    const { byte, gas: mostGas, storage: mostStorage } = caps.tezos
    const kind = transaction.token === undefined ? "coins" : "tokens"
    // a node that names a lower price does not make storage cheaper
    const burnt = storage * maxOf(perByte, byte.least)
    const reveal = transaction.reveal?.fee ?? 0n
    const size = transaction.fee - BASE_FEE - computeFee(gas, 0n)
    const mostReveal =
      transaction.reveal === undefined
        ? 0n
        : reveal - computeFee(revealGas, 0n) + computeFee(minOf(revealGas, mostGas.coins), 0n)
    const most =
      BASE_FEE +
      computeFee(minOf(gas, mostGas[kind]), size) +
      mostReveal +
      minOf(storage, mostStorage[kind]) * minOf(maxOf(perByte, byte.least), byte.most)
    return { reveal, burnt, total: transaction.fee + reveal + burnt, most }
  })

/** The preview of a payment. */
export const prepare = (
  context: SignerContext,
  payment: Payment
): Effect.Effect<Prepared<TezosTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { network, row } = context
    const { amount: given, facts } = yield* checkPayment(context, payment)
    const { maxFee, to, token } = payment
    const sweeps = isSweep(payment.amount)
    const plan = { to, amount: given, ...(token === undefined ? {} : { token }) }
    const drafted = yield* draftTransaction(context, plan, token === undefined ? given : 1n)
    const { balance, coin, draft } = drafted
    const { burnt, fee, isNew, priced, reveal } = yield* priceDraft(context, drafted, {
      // of a sweep, the fee is that of at least as many bytes
      amount: sweeps ? balance : given,
      ...(maxFee === undefined ? {} : { maxFee })
    })
    const amount = sweeps ? yield* sweepableAmount(balance, fee + SWEEP_KEEPS, coin) : given
    const transaction = { ...priced, amount }
    const coins = token === undefined ? amount + fee : fee
    yield* checkBalance(coins, balance, coin)
    const shown = (mutez: bigint) => `${Units.format(mutez, row.decimals)} ${row.symbol}`
    return {
      network,
      from: draft.from,
      to,
      ...(token === undefined ? {} : { token }),
      amount,
      fee,
      outgoing: [
        ...(token === undefined ? [] : [toOutgoing(token, amount, facts)]),
        { asset: row.symbol, amount: Units.format(coins, row.decimals) }
      ],
      warnings: [
        ...(isNew ? [`The receiver is a new account: the fee has ${shown(burnt)} for it.`] : []),
        ...warnOfReveal(reveal, row),
        ...(isContract(to)
          ? ["The receiver is a contract, which does with a payment what its program says."]
          : []),
        ...warnOfKept(payment.amount, SWEEP_KEEPS, coin, "one that delegates its coins cannot be emptied"),
        ...facts.warnings,
        ...(token === undefined ? warnOfHighFee(fee, amount) : [])
      ],
      transaction
    }
  })
