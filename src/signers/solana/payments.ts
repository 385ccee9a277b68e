/** Payments of an account of Solana: their previews. */
import * as Effect from "effect/Effect"
import { solana as references } from "../../data/caip2.js"
import { toPrintableJson } from "../../data/untrusted.js"
import type { NetworkRow } from "../../data/Network.js"
import {
  DustAmount,
  InvalidAddress,
  type InvalidArgument,
  MemoRequired,
  reasonOf
} from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import * as caps from "../caps.js"
import { agreed, largerOf, malformed, wholeIn, wholeOf } from "../evidence.js"
import { aroundId, memoOf, type Told } from "../memos.js"
import {
  addressed,
  affordable,
  capped,
  feeAbove,
  type NodesOf,
  type Payment,
  type Prepared,
  type PrepareError,
  type ReadError,
  refused,
  smallest
} from "../Signer.js"
import { type Facts, tokenLine, withDecimals } from "../tokens.js"
import type { Kit } from "./accounts.js"
import { addressProblem } from "./address.js"
import { type Holding, holdingOf, isMemo, LONGEST_MEMO, type Mint, mintOf, programs } from "./layout.js"
import { confirmed, lifetimeOf, statesOf } from "./reading.js"
import type { SolanaCalls, SolanaTransaction } from "./Types.js"

/** An account on its network. */
export interface Place {
  readonly network: string
  readonly nodes: NodesOf["nodes"]
  readonly rpc: SolanaCalls
  readonly row: NetworkRow
  readonly kit: Kit
  readonly address: string
  readonly coin: { readonly asset: string; readonly decimals: number }
}

const invalid = ({ network }: Place, address: unknown, reason: string) =>
  Effect.fail(new InvalidAddress({ address: String(address), network, reason }))

const valid = ({ network }: Place, address: string) => addressed(network, address, addressProblem(address))

/** What a signature costs where nothing else is offered: no fee is below. */
const LEAST_FEE = 5_000n

/** The fee of a payment. A node that is behind does not know its blockhash, and tells none: without an offer it is the least, or more. */
const feeOf = ({ kit, rpc }: Place, transaction: SolanaTransaction) =>
  Effect.gen(function* () {
    const lifetime = yield* lifetimeOf(rpc)
    const compiled = yield* Effect.try({
      try: () => kit.compiled(transaction, lifetime),
      catch: (error) => malformed("getLatestBlockhash", reasonOf(error))
    })
    const { value } = yield* rpc.getFeeForMessage(kit.messageOf(compiled), confirmed)
    const told = value === null ? LEAST_FEE : yield* wholeOf("getFeeForMessage", "the fee", value)
    const fee = largerOf(told, LEAST_FEE)
    return { fee, compiled, dated: { ...transaction, ...lifetime } }
  })

/** The rent of an account of so many bytes, on which two nodes agree where there are two; one that is far too high is none. */
const rentOf = ({ rpc }: Place, bytes: number): Effect.Effect<bigint, ReadError> =>
  Effect.flatMap(
    agreed(rpc.getMinimumBalanceForRentExemption(bytes, confirmed), (one, other) => one === other),
    (told) => {
      const rent = wholeIn(told)
      return rent === undefined || rent > (caps.solana.overhead + BigInt(bytes)) * caps.solana.rent
        ? Effect.fail(
            malformed(
              "getMinimumBalanceForRentExemption",
              `the rent of ${bytes} bytes cannot be ${rent ?? told}`
            )
          )
        : Effect.succeed(rent)
    }
  )

/** Nodes try the payment, without a signature, on what they have. */
const tried = (
  { address, kit, rpc }: Place,
  compiled: Parameters<Kit["wireOf"]>[0]
): Effect.Effect<void, ReadError> =>
  Effect.flatMap(
    rpc.simulateTransaction(kit.wireOf(compiled, address), {
      ...confirmed,
      encoding: "base64",
      sigVerify: false,
      replaceRecentBlockhash: true
    }),
    ({ value: { err, logs } }) =>
      err === null || err === undefined
        ? Effect.void
        : Effect.fail(
            refused("prepare", `the chain refuses it: ${[toPrintableJson(err), ...(logs ?? []).slice(-1)].join(", ")}`)
          )
  )

/** What a payment takes from the account's coins beside its fee, of what it has; `least` is what an account keeps, or it is empty. */
interface Spending {
  readonly spent: bigint
  readonly balance: bigint
  readonly least: bigint
}

/** The fee of a payment, once it is sure that the account can make it. */
const priced = (
  place: Place,
  transaction: SolanaTransaction,
  { balance, least, spent }: Spending,
  maxFee: Payment["maxFee"]
) =>
  Effect.gen(function* () {
    const { address, coin } = place
    const { compiled, dated, fee } = yield* feeOf(place, transaction)
    yield* capped(fee, maxFee, coin, caps.solana.fee)
    const needed = spent + fee
    yield* affordable(needed < balance ? needed + least : needed, balance, { address, ...coin })
    yield* tried(place, compiled)
    return { fee, transaction: dated }
  })

/** What a person should know of a receiver. */
const warningsOf = (
  { address, kit }: Place,
  to: string,
  owner: string | undefined
): ReadonlyArray<string> => [
  ...(to === address ? ["The receiver is the account itself."] : []),
  ...(owner !== undefined && owner !== programs.system
    ? [`The receiver belongs to the program ${owner}, which may not give back what it is sent.`]
    : kit.isOfProgram(to)
      ? ["No key has the receiver's address: only a program can spend what it is sent."]
      : [])
]

/** A payment whose memo was read. */
interface Plan {
  readonly plan: Omit<SolanaTransaction, "amount">
  readonly memo: Told | undefined
}

const prepareCoins = (place: Place, payment: Payment, { memo, plan }: Plan) =>
  Effect.gen(function* () {
    const { address, coin, network, rpc } = place
    const { to } = plan
    const amount = yield* smallest(payment.amount, coin.decimals, coin.asset)
    const [[own, receiver], least] = yield* Effect.all([statesOf(rpc, [address, to]), rentOf(place, 0)], {
      concurrency: "unbounded"
    })
    if (receiver === undefined && amount < least)
      return yield* new DustAmount({
        amount: Units.format(amount, coin.decimals),
        least: Units.format(least, coin.decimals),
        asset: coin.asset
      })
    const balance = own?.lamports ?? 0n
    // what cannot be paid at all may not even fit into an instruction
    yield* affordable(amount + LEAST_FEE, balance, { address, ...coin })
    const { fee, transaction } = yield* priced(
      place,
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
        ...warningsOf(place, to, receiver?.owner),
        ...feeAbove(fee, amount),
        ...aroundId(memo)
      ],
      transaction
    }
  })

interface Token extends Mint {
  readonly mint: string
  readonly facts: Facts
}

/** The chains of CAIP-2. */
const chains: Readonly<Record<string, string>> = references

const chainOf = ({ id, solana }: NetworkRow): string => solana?.genesisHash.slice(0, 32) ?? chains[id] ?? id

/** A token of the network, or why it is none that can be sent. */
const mintOfToken = (mint: string, found: Mint | undefined): Effect.Effect<Mint, InvalidArgument> =>
  found === undefined
    ? Effect.fail(refused("prepare", `${mint} is no token: it is not the account of a mint`))
    : found.problem === undefined
      ? Effect.succeed(found)
      : Effect.fail(refused("prepare", `the token ${mint} cannot be sent: ${found.problem}`))

/** A token of the network. No second node is asked: the chain refuses transfers that name other decimals than the mint has. */
const tokenOf = (
  { row }: Place,
  mint: string,
  found: Mint | undefined,
  decimals: Payment["decimals"]
): Effect.Effect<Token, PrepareError> =>
  Effect.gen(function* () {
    const minted = yield* mintOfToken(mint, found)
    const facts = yield* withDecimals({
      row,
      token: mint,
      asset: `solana:${chainOf(row)}/token:${mint}`,
      decimals,
      told: { decimals: Effect.succeed(minted.decimals), symbol: Effect.succeed(undefined) }
    })
    if (facts.decimals !== minted.decimals)
      return yield* malformed(
        "getMultipleAccounts",
        `the mint of ${facts.name} is said to have ${minted.decimals} decimals, and it has ${facts.decimals}`
      )
    return { ...minted, mint, facts }
  })

/** The accounts that tokens leave and go to: a receiver may be named by its account for the token. */
const ends = (place: Place, to: string, { mint, program }: Token, direct: Holding | undefined) =>
  Effect.gen(function* () {
    const { address, kit, rpc } = place
    if (direct !== undefined && direct.mint !== mint)
      return yield* invalid(place, to, `is an account for the token ${direct.mint}`)
    const [source, destination] = yield* Effect.tryPromise({
      try: () =>
        Promise.all([
          kit.associated(address, mint, program),
          direct === undefined ? kit.associated(to, mint, program) : to
        ]),
      catch: () => refused("prepare", `there is no account for the token ${mint}`)
    })
    const [held, there] = yield* statesOf(rpc, [source, destination])
    const target = holdingOf(there)
    if (direct === undefined && target !== undefined && target.owner !== to)
      return yield* invalid(place, to, "has given its account for the token to another owner")
    return { source, destination, held: holdingOf(held), target }
  })

const prepareTokens = (place: Place, payment: Payment, { memo, plan }: Plan, mint: string) =>
  Effect.gen(function* () {
    const { address, coin, network, rpc } = place
    const { to } = plan
    const [minted, own, receiver] = yield* statesOf(rpc, [mint, address, to])
    const token = yield* tokenOf(place, mint, mintOf(minted), payment.decimals)
    const { facts } = token
    const amount = yield* smallest(payment.amount, token.decimals, facts.name)
    if (mintOf(receiver) !== undefined) return yield* invalid(place, to, "is the mint of a token")
    const direct = holdingOf(receiver)
    const { destination, held, source, target } = yield* ends(place, to, token, direct)
    yield* affordable(amount, held?.amount ?? 0n, { address, asset: facts.name, decimals: token.decimals })
    if (held?.isFrozen === true || target?.isFrozen === true)
      return yield* refused("prepare", `an account for the token ${mint} is frozen`)
    if (target?.wantsMemo === true && memo === undefined)
      return yield* new MemoRequired({
        address: to,
        reason: "its account for the token takes nothing without one"
      })
    const creates = target === undefined
    const [least, rent] = yield* Effect.all(
      [0, ...(creates ? [token.space] : [])].map((bytes) => rentOf(place, bytes)),
      { concurrency: "unbounded" }
    )
    const { fee, transaction } = yield* priced(
      place,
      {
        ...plan,
        amount,
        token: { mint, program: token.program, decimals: token.decimals, source, destination, creates }
      },
      { spent: rent ?? 0n, balance: own?.lamports ?? 0n, least: least ?? 0n },
      payment.maxFee
    )
    const ofCoin = (lamports: bigint): string => Units.format(lamports, coin.decimals)
    return {
      network,
      from: address,
      to,
      token: mint,
      amount,
      fee,
      outgoing: [tokenLine(mint, amount, facts), { asset: coin.asset, amount: ofCoin(fee + (rent ?? 0n)) }],
      warnings: [
        ...(rent === undefined
          ? []
          : [
              `The receiver has no account for the token yet: making it takes ${ofCoin(rent)} ${coin.asset}.`
            ]),
        ...(token.hasFee ? ["The token keeps a fee of what is sent: less of it may arrive."] : []),
        ...(direct === undefined
          ? warningsOf(place, to, receiver?.owner)
          : warningsOf(place, direct.owner, undefined)),
        ...facts.warnings,
        ...aroundId(memo)
      ],
      transaction
    }
  })

export const prepare = (
  place: Place,
  payment: Payment
): Effect.Effect<Prepared<SolanaTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { token } = payment
    const memo = yield* memoOf(payment.memo, ["id", "text"])
    if (memo !== undefined && !isMemo(memo.text))
      return yield* refused("prepare", `a memo must be text of 1 to ${LONGEST_MEMO} bytes`)
    const to = yield* valid(place, payment.to)
    const plan = { from: place.address, to, ...(memo === undefined ? {} : { memo: memo.text }) }
    return token === undefined
      ? yield* prepareCoins(place, payment, { plan, memo })
      : yield* prepareTokens(place, payment, { plan, memo }, yield* valid(place, token))
  })
