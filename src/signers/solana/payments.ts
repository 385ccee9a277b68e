/** Payments of an account of Solana: their previews. */
import * as Effect from "effect/Effect"
import { solana } from "../../data/caip2.js"
import type { NetworkRow } from "../../data/Network.js"
import {
  DustAmount,
  InvalidAddress,
  type InvalidArgument,
  MemoRequired,
  reasonOf
} from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { toPrintableJson } from "../../data/untrusted.js"
import * as caps from "../caps.js"
import { makeMalformedError, maxOf, parseWhole, requireWhole, withAgreement } from "../evidence.js"
import { type ParsedMemo, parseMemo, warnOfTextAroundId } from "../memos.js"
import type { NodesOf, Payment, Prepared, PrepareError, ReadError } from "../Signer.js"
import {
  checkAddress,
  checkBalance,
  checkFeeCap,
  invalidArgument,
  isSweep,
  sweepableAmount,
  toFixedAmount,
  warnOfHighFee
} from "../signerChecks.js"
import { readFactsWithDecimals, type TokenFacts, toOutgoing } from "../tokens.js"
import type { KitModule } from "./accounts.js"
import { addressProblem } from "./address.js"
import {
  type Holding,
  isMemo,
  MAX_MEMO_BYTES,
  type ParsedMint,
  parseHolding,
  parseMint,
  programs
} from "./layout.js"
import { CONFIRMED, readAccounts, readLifetime } from "./reading.js"
import type { SolanaCalls, SolanaTransaction } from "./Types.js"

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
const MIN_FEE = 5_000n

/** Reads the fee of a payment. A node that is behind does not know its blockhash and reports none; then the base fee counts, or more. */
const readFee = ({ kit, rpc }: SignerContext, transaction: SolanaTransaction) =>
  Effect.gen(function* () {
    const lifetime = yield* readLifetime(rpc)
    const compiled = yield* Effect.try({
      try: () => kit.compile(transaction, lifetime),
      catch: (error) => makeMalformedError("getLatestBlockhash", reasonOf(error))
    })
    const { value } = yield* rpc.getFeeForMessage(kit.encodeMessage(compiled), CONFIRMED)
    const reported = value === null ? MIN_FEE : yield* requireWhole("getFeeForMessage", "the fee", value)
    const fee = maxOf(reported, MIN_FEE)
    return { fee, compiled, dated: { ...transaction, ...lifetime } }
  })

/** Reads the rent of an account of a size, on which two nodes agree if there are two. A rent that is far too high is an error. */
const readRent = ({ rpc }: SignerContext, bytes: number): Effect.Effect<bigint, ReadError> =>
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

/** Nodes try the payment, without a signature, on what they have. */
const simulate = (
  { address, kit, rpc }: SignerContext,
  compiled: Parameters<KitModule["encodeTransaction"]>[0]
): Effect.Effect<void, ReadError> =>
  Effect.flatMap(
    rpc.simulateTransaction(kit.encodeTransaction(compiled, address), {
      ...CONFIRMED,
      encoding: "base64",
      sigVerify: false,
      replaceRecentBlockhash: true
    }),
    ({ value: { err, logs } }) =>
      err === null || err === undefined
        ? Effect.void
        : Effect.fail(
            invalidArgument(
              "prepare",
              `the chain refuses it: ${[toPrintableJson(err), ...(logs ?? []).slice(-1)].join(", ")}`
            )
          )
  )

/**
 * What a payment takes from the account's coins besides its fee, the balance, and the least that an account must keep unless it is
 * emptied.
 */
interface LamportBudget {
  readonly spent: bigint
  readonly balance: bigint
  readonly least: bigint
}

/** The fee of a payment, once it is sure that the account can make it. */
const priceTransaction = (
  context: SignerContext,
  transaction: SolanaTransaction,
  { balance, least, spent }: LamportBudget,
  maxFee: Payment["maxFee"]
) =>
  Effect.gen(function* () {
    const { address, coin } = context
    const { compiled, dated, fee } = yield* readFee(context, transaction)
    yield* checkFeeCap(fee, maxFee, coin, caps.solana.fee)
    const needed = spent + fee
    // an account is emptied, or keeps the least; below the least it cannot be funded at all
    const isEmptied = needed === balance || (needed > balance && needed >= least)
    yield* checkBalance(isEmptied ? needed : needed + least, balance, { address, ...coin })
    yield* simulate(context, compiled)
    return { fee, transaction: dated }
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

/** The lamports of a sweep: all without the fee, which is no matter of the amount. An account without a lamport owes no rent. */
const readSweep = (context: SignerContext, plan: PaymentPlan["plan"], balance: bigint) =>
  Effect.gen(function* () {
    const coin = { address: context.address, ...context.coin }
    yield* sweepableAmount(balance, MIN_FEE, coin)
    const { fee } = yield* readFee(context, { ...plan, amount: balance })
    return yield* sweepableAmount(balance, fee, coin)
  })

const prepareCoins = (context: SignerContext, payment: Payment, { memo, plan }: PaymentPlan) =>
  Effect.gen(function* () {
    const { address, coin, network, rpc } = context
    const { to } = plan
    const fixed = yield* toFixedAmount(payment.amount, coin.decimals, coin.asset)
    const [[own, receiver], least] = yield* Effect.all(
      [readAccounts(rpc, [address, to]), readRent(context, 0)],
      {
        concurrency: "unbounded"
      }
    )
    const balance = own?.lamports ?? 0n
    const amount = fixed ?? (yield* readSweep(context, plan, balance))
    if (receiver === undefined && amount < least)
      return yield* new DustAmount({
        amount: Units.format(amount, coin.decimals),
        least: Units.format(least, coin.decimals),
        asset: coin.asset
      })
    // what cannot be paid at all may not even fit into an instruction
    yield* checkBalance(amount + MIN_FEE, balance, { address, ...coin })
    const { fee, transaction } = yield* priceTransaction(
      context,
      { ...plan, amount },
      { spent: to === address ? 0n : amount, balance, least },
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

/** The chains of CAIP-2. */
const chainReferences: Readonly<Record<string, string>> = solana

const chainReferenceOf = ({ id, solana }: NetworkRow): string =>
  solana?.genesisHash.slice(0, 32) ?? chainReferences[id] ?? id

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
    const facts = yield* readFactsWithDecimals({
      row,
      token: mint,
      asset: `solana:${chainReferenceOf(row)}/token:${mint}`,
      decimals,
      fromChain: { decimals: Effect.succeed(minted.decimals), symbol: Effect.succeed(undefined) }
    })
    if (facts.decimals !== minted.decimals)
      return yield* makeMalformedError(
        "getMultipleAccounts",
        `the mint of ${facts.name} is said to have ${minted.decimals} decimals, and it has ${facts.decimals}`
      )
    return { ...minted, mint, facts }
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
    const [least, rent] = yield* Effect.all(
      [0, ...(creates ? [token.space] : [])].map((bytes) => readRent(context, bytes)),
      { concurrency: "unbounded" }
    )
    const { fee, transaction } = yield* priceTransaction(
      context,
      {
        ...plan,
        amount,
        token: { mint, program: token.program, decimals: token.decimals, source, destination, creates }
      },
      { spent: rent ?? 0n, balance: own?.lamports ?? 0n, least: least ?? 0n },
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
  payment: Payment
): Effect.Effect<Prepared<SolanaTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { token } = payment
    const memo = yield* parseMemo(payment.memo, ["id", "text"])
    if (memo !== undefined && !isMemo(memo.text))
      return yield* invalidArgument("prepare", `a memo must be text of 1 to ${MAX_MEMO_BYTES} bytes`)
    const to = yield* checkReceiver(context, payment.to)
    const plan = { from: context.address, to, ...(memo === undefined ? {} : { memo: memo.text }) }
    return token === undefined
      ? yield* prepareCoins(context, payment, { plan, memo })
      : yield* prepareTokens(context, payment, { plan, memo }, yield* checkReceiver(context, token))
  })
