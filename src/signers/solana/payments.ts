/** Payments of an account of Solana: their previews. */
import * as Effect from "effect/Effect"
import type { NetworkRow } from "../../data/Network.js"
import {
  DustAmount,
  InvalidAddress,
  type InvalidArgument,
  MemoRequired,
  type NodeError,
  reasonOf
} from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import * as caps from "../caps.js"
import { makeMalformedError, maxOf, minOf, parseWhole, requireWhole, withAgreement } from "../evidence.js"
import { type ParsedMemo, parseMemo, warnOfTextAroundId } from "../memos.js"
import type { NodesOf, Payment, Prepared, PrepareError, ReadError } from "../Signer.js"
import {
  checkAddress,
  checkBalance,
  checkFeeCap,
  feeAtSpeed,
  invalidArgument,
  isSweep,
  sweepableAmount,
  toFixedAmount,
  warnOfHighFee
} from "../signerChecks.js"
import { type TokenFacts, toOutgoing } from "../tokens.js"
import type { KitModule } from "./accounts.js"
import { addressProblem } from "./address.js"
import type { CompiledTransaction } from "./kit.js"
import {
  COMPUTE_UNITS_PER_INSTRUCTION,
  type Holding,
  highestPriceFor,
  isMemo,
  MAX_COMPUTE_UNITS,
  MAX_MEMO_BYTES,
  MAX_U64,
  type ParsedMint,
  parseHolding,
  parseMint,
  priorityFeeOf,
  programs
} from "./layout.js"
import {
  type BlockhashLifetime,
  CONFIRMED,
  describeRefusal,
  readAccounts,
  readLifetime,
  readMintFacts,
  readNonce,
  trialConfig
} from "./reading.js"
import type { SolanaCalls, SolanaNonce, SolanaPayment, SolanaTransaction } from "./Types.js"

/** An account on its network. */
export interface SignerContext {
  readonly network: string
  readonly nodes: NodesOf["nodes"]
  readonly rpc: SolanaCalls
  readonly row: NetworkRow
  readonly kit: KitModule
  readonly address: string
  readonly coin: { readonly asset: string; readonly decimals: number }
}

const failAddress = ({ network }: SignerContext, address: unknown, reason: string) =>
  Effect.fail(new InvalidAddress({ address: String(address), network, reason }))

const checkReceiver = ({ network }: SignerContext, address: string) =>
  checkAddress(network, address, addressProblem(address))

/** The base fee of a signature. */
export const MIN_FEE = 5_000n

const compileTrial = (
  { kit }: SignerContext,
  transaction: SolanaTransaction,
  lifetime: BlockhashLifetime
): Effect.Effect<CompiledTransaction, NodeError> =>
  Effect.try({
    try: () => kit.compile(transaction, lifetime),
    catch: (error) => makeMalformedError("getLatestBlockhash", reasonOf(error))
  })

/**
 * Reads the base fee of a payment, that is, without its priority fee. A node that is behind does not know the blockhash and reports none;
 * then the least base fee counts, or more.
 */
const readBaseFee = (
  { kit, rpc }: SignerContext,
  compiled: CompiledTransaction
): Effect.Effect<bigint, ReadError> =>
  Effect.flatMap(rpc.getFeeForMessage(kit.encodeMessage(compiled), CONFIRMED), ({ value }) =>
    value === null
      ? Effect.succeed(MIN_FEE)
      : Effect.map(requireWhole("getFeeForMessage", "the fee", value), (fee) => maxOf(fee, MIN_FEE))
  )

/**
 * Reads the price of a compute unit that puts a payment into a block at a speed, in micro-lamports: nodes list the least price of each of
 * the last 150 slots at which a transaction wrote to these accounts. No second node is asked, since nodes have seen different slots; the
 * cap bounds what a lie costs.
 */
export const readMarketPrice = (
  { rpc }: SignerContext,
  written: ReadonlyArray<string>,
  speed: Payment["speed"]
): Effect.Effect<bigint, ReadError> =>
  Effect.flatMap(rpc.getRecentPrioritizationFees([...new Set(written)]), (slots) =>
    Effect.map(
      Effect.forEach(slots, ({ prioritizationFee }) =>
        requireWhole("getRecentPrioritizationFees", "a priority fee", prioritizationFee)
      ),
      (prices) => feeAtSpeed(prices, speed)
    )
  )

/** Reads the rent of an account of a size, on which two nodes agree if there are two. A rent that is far too high is an error. */
export const readRent = ({ rpc }: SignerContext, bytes: number): Effect.Effect<bigint, ReadError> =>
  Effect.flatMap(
    withAgreement(rpc.getMinimumBalanceForRentExemption(bytes, CONFIRMED), (one, other) => one === other),
    (answer) => {
      const rent = parseWhole(answer)
      return rent === undefined || rent > (caps.solana.overhead + BigInt(bytes)) * caps.solana.rent
        ? Effect.fail(
            makeMalformedError(
              "getMinimumBalanceForRentExemption",
              `the rent of ${bytes} bytes cannot be ${rent ?? answer}`
            )
          )
        : Effect.succeed(rent)
    }
  )

/** A node tries a transaction, without a signature, on what it has. Yields the compute units that it took, if the node says so. */
export const tryForUnits = (
  { rpc }: SignerContext,
  encoded: string,
  nonce: SolanaNonce | undefined
): Effect.Effect<number | undefined, ReadError> =>
  Effect.flatMap(
    rpc.simulateTransaction(encoded, trialConfig(nonce)),
    ({ value: { err, logs, unitsConsumed } }): Effect.Effect<number | undefined, ReadError> => {
      if (err !== null && err !== undefined)
        return Effect.fail(invalidArgument("prepare", `the chain refuses it: ${describeRefusal(err, logs)}`))
      return unitsConsumed === null || unitsConsumed === undefined
        ? Effect.succeed(undefined)
        : Effect.map(requireWhole("simulateTransaction", "unitsConsumed", unitsConsumed), (units) =>
            units === 0n ? undefined : Number(minOf(units, BigInt(MAX_COMPUTE_UNITS)))
          )
    }
  )

/** Compute units above those of the trial: a tenth, and what the instruction of the price takes, with room for small payments. */
const LIMIT_MARGIN = { share: 10, units: 500 } as const

/** The limit of compute units by what the trial took. Without that it is as much as the chain gives so many instructions without a limit. */
export const toComputeUnitLimit = (instructions: number, units: number | undefined): number =>
  Math.min(
    units === undefined
      ? COMPUTE_UNITS_PER_INSTRUCTION * instructions
      : units + Math.ceil(units / LIMIT_MARGIN.share) + LIMIT_MARGIN.units,
    MAX_COMPUTE_UNITS
  )

/** The instructions of a payment without those of its priority fee. */
const countInstructions = ({ memo, nonce, token }: Omit<SolanaTransaction, "amount">): number =>
  1 + (nonce === undefined ? 0 : 1) + (memo === undefined ? 0 : 1) + (token?.creates === true ? 1 : 0)

/** The highest price of a compute unit that is wanted and that the cap leaves room for, and the warning of a lower one. */
export const choosePrice = (
  wanted: bigint,
  limit: number,
  room: bigint
): { readonly price: bigint; readonly warnings: ReadonlyArray<string> } => {
  const price = minOf(minOf(wanted, highestPriceFor(limit, room)), MAX_U64)
  return {
    price,
    warnings:
      price < wanted
        ? [
            "Others pay a higher priority fee now than the highest fee allows: the payment may wait, or expire."
          ]
        : []
  }
}

/**
 * What a payment takes from the account's coins besides its fee, the balance, and the least that an account must keep unless it is
 * emptied.
 */
interface LamportBudget {
  readonly spent: (amount: bigint) => bigint
  readonly balance: bigint
  readonly least: bigint
}

/** What a person should know of a transaction that waits. */
export const warnOfNonce = ({ nonce }: Pick<SolanaTransaction, "nonce">): ReadonlyArray<string> =>
  nonce === undefined
    ? []
    : [
        `It does not expire: once signed, it can land until the nonce account ${nonce.account} has another value.`
      ]

/** Reads the nonce that a transaction is to have. Whoever may use it has to sign, and this account alone does. */
export const readOwnNonce = (
  { address, rpc }: SignerContext,
  account: string
): Effect.Effect<SolanaNonce, ReadError> => {
  const problem = addressProblem(account)
  if (problem !== undefined) return Effect.fail(invalidArgument("prepare", `nonceAccount ${problem}`))
  return Effect.flatMap(readNonce(rpc, account), ({ authority, value }) =>
    authority === address
      ? Effect.succeed({ account, value })
      : Effect.fail(
          invalidArgument(
            "prepare",
            `the nonce account ${account} is used by ${authority}, and not by this account: give one of ${address}`
          )
        )
  )
}

/** A payment whose amount may follow from its fee, as that of a sweep does. */
interface Unpriced<out E> {
  readonly plan: Omit<SolanaTransaction, "amount">
  readonly amountAfter: (fee: bigint) => Effect.Effect<bigint, E>
  /** The price of a compute unit that it should have, in micro-lamports. */
  readonly price: bigint
}

/**
 * The fee of a payment, once it is sure that the account can make it. It is tried with a limit of compute units and without a price, so that
 * an account that can pay it can pay the trial.
 */
const priceTransaction = <E>(
  context: SignerContext,
  { amountAfter, plan, price: wanted }: Unpriced<E>,
  { balance, least, spent }: LamportBudget,
  maxFee: Payment["maxFee"]
) =>
  Effect.gen(function* () {
    const { address, coin } = context
    const count = countInstructions(plan)
    const lifetime = yield* readLifetime(context.rpc)
    const compileWith = (amount: bigint) =>
      compileTrial(context, { ...plan, amount, computeUnitLimit: MAX_COMPUTE_UNITS }, lifetime)
    const base = yield* readBaseFee(context, yield* compileWith(yield* amountAfter(MIN_FEE)))
    const cap = yield* checkFeeCap(base, maxFee, coin, caps.solana.fee)
    const priceFor = (limit: number) => {
      const chosen = choosePrice(wanted, limit, cap - base)
      return { ...chosen, fee: base + priorityFeeOf(limit, chosen.price) }
    }
    const checkLamports = (amount: bigint, fee: bigint) => {
      const needed = spent(amount) + fee
      // An account is emptied, or keeps the least; below the least it cannot be funded at all. One that lacks coins is not to be funded for
      // being emptied while the fee moves: some lamports would be left, or missing.
      const isEmptied = needed === balance || (wanted === 0n && needed > balance && needed >= least)
      return checkBalance(isEmptied ? needed : needed + least, balance, { address, ...coin })
    }
    const tried = yield* amountAfter(base)
    const left = balance - spent(tried) - base
    // what the chain would refuse to try is refused here, at the fee of the chain's own limit
    if (left !== 0n && left < least)
      yield* checkLamports(tried, priceFor(toComputeUnitLimit(count, undefined)).fee)
    const trial = context.kit.encodeTransaction(yield* compileWith(tried), address)
    const computeUnitLimit = toComputeUnitLimit(count, yield* tryForUnits(context, trial, plan.nonce))
    const { fee, price, warnings } = priceFor(computeUnitLimit)
    const amount = yield* amountAfter(fee)
    yield* checkLamports(amount, fee)
    return {
      amount,
      fee,
      warnings: [...warnings, ...warnOfNonce(plan)],
      transaction: {
        ...plan,
        amount,
        computeUnitLimit,
        ...(price === 0n ? {} : { computeUnitPrice: price }),
        ...(plan.nonce === undefined ? lifetime : {})
      }
    }
  })

/** What a person should know of a receiver. */
const findWarnings = (
  { address, kit }: SignerContext,
  to: string,
  owner: string | undefined
): ReadonlyArray<string> => [
  ...(to === address ? ["The receiver is the account itself."] : []),
  ...(owner !== undefined && owner !== programs.system
    ? [`The receiver belongs to the program ${owner}, which may not give back what it is sent.`]
    : kit.isProgramAddress(to)
      ? ["No key has the receiver's address: only a program can spend what it is sent."]
      : [])
]

/** A payment with its parsed memo. */
interface PaymentPlan {
  readonly plan: Omit<SolanaTransaction, "amount">
  readonly memo: ParsedMemo | undefined
}

const prepareCoins = (context: SignerContext, payment: Payment, { memo, plan }: PaymentPlan) =>
  Effect.gen(function* () {
    const { address, coin, network, rpc } = context
    const { to } = plan
    const fixed = yield* toFixedAmount(payment.amount, coin.decimals, coin.asset)
    const [[own, receiver], least, price] = yield* Effect.all(
      [
        readAccounts(rpc, [address, to]),
        readRent(context, 0),
        readMarketPrice(context, [address, to], payment.speed)
      ],
      {
        concurrency: "unbounded"
      }
    )
    const balance = own?.lamports ?? 0n
    // a sweep sends all without the fee: an account without a lamport owes no rent
    const amountAfter = (fee: bigint) =>
      Effect.flatMap(
        fixed === undefined ? sweepableAmount(balance, fee, { address, ...coin }) : Effect.succeed(fixed),
        (amount) =>
          receiver === undefined && amount < least
            ? Effect.fail(
                new DustAmount({
                  amount: Units.format(amount, coin.decimals),
                  least: Units.format(least, coin.decimals),
                  asset: coin.asset
                })
              )
            : Effect.succeed(amount)
      )
    // what cannot be paid at all may not even fit into an instruction
    yield* checkBalance((yield* amountAfter(MIN_FEE)) + MIN_FEE, balance, { address, ...coin })
    const { amount, fee, transaction, warnings } = yield* priceTransaction(
      context,
      { plan, amountAfter, price },
      { spent: (sent) => (to === address ? 0n : sent), balance, least },
      payment.maxFee
    )
    return {
      network,
      from: address,
      to,
      amount,
      fee,
      outgoing: [{ asset: coin.asset, amount: Units.format(amount + fee, coin.decimals) }],
      warnings: [
        ...warnings,
        ...(receiver === undefined ? ["The receiver has no account yet: this payment makes it."] : []),
        ...findWarnings(context, to, receiver?.owner),
        ...(isSweep(payment.amount)
          ? ["Nothing stays in the account: the chain removes it until it gets coins again."]
          : []),
        ...warnOfHighFee(fee, amount),
        ...warnOfTextAroundId(memo)
      ],
      transaction
    }
  })

interface MintWithFacts extends ParsedMint {
  readonly mint: string
  readonly facts: TokenFacts
}

/** Reads a token of the network. Fails if it cannot be sent. */
const requireTransferableMint = (
  mint: string,
  found: ParsedMint | undefined
): Effect.Effect<ParsedMint, InvalidArgument> =>
  found === undefined
    ? Effect.fail(invalidArgument("prepare", `${mint} is no token: it is not the account of a mint`))
    : found.problem === undefined
      ? Effect.succeed(found)
      : Effect.fail(invalidArgument("prepare", `the token ${mint} cannot be sent: ${found.problem}`))

/** A token of the network. No second node is asked: the chain refuses transfers that name other decimals than the mint has. */
const readToken = (
  { row }: SignerContext,
  mint: string,
  found: ParsedMint | undefined,
  decimals: Payment["decimals"]
): Effect.Effect<MintWithFacts, PrepareError> =>
  Effect.gen(function* () {
    const minted = yield* requireTransferableMint(mint, found)
    return { ...minted, mint, facts: yield* readMintFacts(row, mint, minted.decimals, decimals) }
  })

/** The accounts that tokens leave and go to: a receiver may be named by its account for the token. */
const findTokenAccounts = (
  context: SignerContext,
  to: string,
  { mint, program }: MintWithFacts,
  direct: Holding | undefined
) =>
  Effect.gen(function* () {
    const { address, kit, rpc } = context
    if (direct !== undefined && direct.mint !== mint)
      return yield* failAddress(context, to, `is an account for the token ${direct.mint}`)
    const [source, destination] = yield* Effect.tryPromise({
      try: () =>
        Promise.all([
          kit.findAssociatedAccount(address, mint, program),
          direct === undefined ? kit.findAssociatedAccount(to, mint, program) : to
        ]),
      catch: () => invalidArgument("prepare", `there is no account for the token ${mint}`)
    })
    const [held, there] = yield* readAccounts(rpc, [source, destination])
    const target = parseHolding(there)
    if (direct === undefined && target !== undefined && target.owner !== to)
      return yield* failAddress(context, to, "has given its account for the token to another owner")
    return { source, destination, held: parseHolding(held), target }
  })

/** Warnings about a payment in tokens. `rent` is what a new account for the token takes; undefined if there is one. */
const findTokenWarnings = (
  { coin }: SignerContext,
  { facts, hasFee }: MintWithFacts,
  rent: bigint | undefined,
  receiverWarnings: ReadonlyArray<string>
): ReadonlyArray<string> => [
  ...(rent === undefined
    ? []
    : [
        `The receiver has no account for the token yet: making it takes ${Units.format(rent, coin.decimals)} ${coin.asset}.`
      ]),
  ...(hasFee ? ["The token keeps a fee of what is sent: less of it may arrive."] : []),
  ...receiverWarnings,
  ...facts.warnings
]

const prepareTokens = (context: SignerContext, payment: Payment, { memo, plan }: PaymentPlan, mint: string) =>
  Effect.gen(function* () {
    const { address, coin, network, rpc } = context
    const { to } = plan
    const [minted, own, receiver] = yield* readAccounts(rpc, [mint, address, to])
    const token = yield* readToken(context, mint, parseMint(minted), payment.decimals)
    const { facts } = token
    const fixed = yield* toFixedAmount(payment.amount, token.decimals, facts.name)
    if (parseMint(receiver) !== undefined) return yield* failAddress(context, to, "is the mint of a token")
    const direct = parseHolding(receiver)
    const { destination, held, source, target } = yield* findTokenAccounts(context, to, token, direct)
    const asset = { address, asset: facts.name, token: mint, decimals: token.decimals }
    const amount = fixed ?? (yield* sweepableAmount(held?.amount ?? 0n, 0n, asset))
    yield* checkBalance(amount, held?.amount ?? 0n, asset)
    if (held?.isFrozen === true || target?.isFrozen === true)
      return yield* invalidArgument("prepare", `an account for the token ${mint} is frozen`)
    if (target?.wantsMemo === true && memo === undefined)
      return yield* new MemoRequired({
        address: to,
        reason: "its account for the token takes nothing without one"
      })
    const creates = target === undefined
    const [least, rent, price] = yield* Effect.all(
      [
        readRent(context, 0),
        creates ? readRent(context, token.space) : Effect.succeed(undefined),
        readMarketPrice(context, [address, source, destination], payment.speed)
      ],
      { concurrency: "unbounded" }
    )
    const { fee, transaction, warnings } = yield* priceTransaction(
      context,
      {
        plan: {
          ...plan,
          token: { mint, program: token.program, decimals: token.decimals, source, destination, creates }
        },
        amountAfter: () => Effect.succeed(amount),
        price
      },
      { spent: () => rent ?? 0n, balance: own?.lamports ?? 0n, least },
      payment.maxFee
    )
    return {
      network,
      from: address,
      to,
      token: mint,
      amount,
      fee,
      outgoing: [
        toOutgoing(mint, amount, facts),
        { asset: coin.asset, amount: Units.format(fee + (rent ?? 0n), coin.decimals) }
      ],
      warnings: [
        ...warnings,
        ...findTokenWarnings(
          context,
          token,
          rent,
          direct === undefined
            ? findWarnings(context, to, receiver?.owner)
            : findWarnings(context, direct.owner, undefined)
        ),
        ...warnOfTextAroundId(memo)
      ],
      transaction
    }
  })

export const prepare = (
  context: SignerContext,
  payment: SolanaPayment
): Effect.Effect<Prepared<SolanaTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { token } = payment
    const memo = yield* parseMemo(payment.memo, ["id", "text"])
    if (memo !== undefined && !isMemo(memo.text))
      return yield* invalidArgument("prepare", `a memo must be text of 1 to ${MAX_MEMO_BYTES} bytes`)
    const to = yield* checkReceiver(context, payment.to)
    const { nonceAccount } = payment
    const nonce = nonceAccount === undefined ? undefined : yield* readOwnNonce(context, nonceAccount)
    const plan = {
      from: context.address,
      to,
      ...(memo === undefined ? {} : { memo: memo.text }),
      ...(nonce === undefined ? {} : { nonce })
    }
    return token === undefined
      ? yield* prepareCoins(context, payment, { plan, memo })
      : yield* prepareTokens(context, payment, { plan, memo }, yield* checkReceiver(context, token))
  })
