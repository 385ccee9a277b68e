/** Payments of an account of an EVM chain: previews, and what is sent in the place of others. */
import * as Effect from "effect/Effect"
import type { Hex } from "../../chains/evm/Types.js"
import { hexBytes } from "../../data/bytes.js"
import { addressProblem } from "../../data/evmAddress.js"
import type { Network, NetworkRow } from "../../data/Network.js"
import type { InvalidAddress } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import {
  addressed,
  affordable,
  bytesOf,
  capped,
  type NodesOf,
  type Outgoing,
  type Payment,
  type Prepared,
  type PrepareError,
  type ReadError,
  refused,
  smallest
} from "../Signer.js"
import { quantity, requestOf } from "./accounts.js"
import { BALANCE_OF, belowFee, feesOf, priceOf, type Token, TRANSFER, tokenOf, word } from "./reading.js"
import type { EvmCalls, EvmRequest, EvmTransaction } from "./Types.js"

const ZERO = /^0x0{40}$/

/** An account on its network. */
export interface Place {
  readonly network: Network
  readonly nodes: NodesOf["nodes"]
  readonly rpc: EvmCalls
  readonly row: NetworkRow
  readonly chainId: number
  readonly address: Hex
}

/** The chain's own coin, for errors and previews. */
export const coinOf = ({ address, row }: Place) => ({ address, asset: row.symbol, decimals: row.decimals })

export const spends = ({ row }: Place, amount: bigint) => ({
  asset: row.symbol,
  amount: Units.format(amount, row.decimals)
})

const valid = ({ chainId, network }: Place, to: string): Effect.Effect<Hex, InvalidAddress> =>
  Effect.map(
    addressed(network, to, typeof to === "string" ? addressProblem(to, chainId) : "must be text"),
    (checked) => checked as Hex
  )

/** What a person should know of a receiver. */
const warningsOf = (
  { address, rpc }: Place,
  to: Hex,
  token?: Token
): Effect.Effect<ReadonlyArray<string>, ReadError> =>
  Effect.map(rpc.getCode(to), (code) => [
    ...(ZERO.test(to) ? ["The receiver is the zero address: what is sent there is gone."] : []),
    ...(to.toLowerCase() === address.toLowerCase() ? ["The receiver is the account itself."] : []),
    ...(token !== undefined && to.toLowerCase() === token.token.toLowerCase()
      ? ["The receiver is the token's own contract: most of them keep what they are sent."]
      : code !== "0x" && !code.startsWith("0xef0100")
        ? ["The receiver is a contract, which may not give back what it is sent."]
        : [])
  ])

/** Gas, fees and the checks that the account can pay for both, of what is to be sent. */
const priced = (
  place: Place,
  call: { readonly to?: Hex; readonly data?: Hex; readonly value: bigint },
  maxFee: Payment["maxFee"]
) =>
  Effect.gen(function* () {
    const { address, chainId, row, rpc } = place
    const coin = coinOf(place)
    const [balance, fees, below] = yield* Effect.all(
      [rpc.getBalance(address), feesOf(rpc), belowFee(rpc, row, call.data)],
      { concurrency: "unbounded" }
    )
    // nodes refuse to estimate what cannot be paid, in words of their own
    yield* affordable(call.value + 21_000n * priceOf(fees), balance, coin)
    const estimate = yield* rpc.estimateGas({
      from: address,
      ...(call.to === undefined ? {} : { to: call.to }),
      ...(call.data === undefined ? {} : { data: call.data }),
      value: quantity(call.value)
    })
    // what a contract does may cost more by the time that it is done
    const gas = call.data === undefined ? estimate : estimate + estimate / 5n
    const fee = gas * priceOf(fees) + below
    yield* capped(fee, maxFee, coin)
    yield* affordable(call.value + fee, balance, coin)
    const transaction: EvmTransaction = { chainId, ...call, gas, ...fees }
    return { fee, transaction }
  })

const prepareToken = (place: Place, payment: Payment, to: Hex, token: string) =>
  Effect.gen(function* () {
    const { address, network, rpc } = place
    const known = yield* tokenOf(rpc, yield* valid(place, token))
    const { asset, decimals } = known
    const amount = yield* smallest(payment.amount, decimals, asset)
    const data: Hex = `${TRANSFER}${word(to)}${word(amount)}`
    const [held, warnings] = yield* Effect.all(
      [rpc.call({ to: known.token, data: `${BALANCE_OF}${word(address)}` }), warningsOf(place, to, known)],
      { concurrency: "unbounded" }
    )
    yield* affordable(amount, BigInt(held === "0x" ? 0 : held), { address, asset, decimals })
    const { fee, transaction } = yield* priced(place, { to: known.token, data, value: 0n }, payment.maxFee)
    // tokens that refuse by an answer and not by an error take the fee all the same
    const said = yield* rpc.call(requestOf(address, transaction))
    if (said !== "0x" && BigInt(said) === 0n)
      return yield* refused("prepare", `the token ${asset} refuses the transfer`)
    return {
      network,
      from: address,
      to,
      token: known.token,
      amount,
      fee,
      outgoing: [{ asset, token: known.token, amount: Units.format(amount, decimals) }, spends(place, fee)],
      warnings,
      transaction
    }
  })

export const prepare = (
  place: Place,
  payment: Payment
): Effect.Effect<Prepared<EvmTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network, row } = place
    if (payment.memo !== undefined) return yield* refused("prepare", "payments of EVM chains have no memo")
    const to = yield* valid(place, payment.to)
    if (payment.token !== undefined) return yield* prepareToken(place, payment, to, payment.token)
    const amount = yield* smallest(payment.amount, row.decimals, row.symbol)
    const [{ fee, transaction }, warnings] = yield* Effect.all(
      [priced(place, { to, value: amount }, payment.maxFee), warningsOf(place, to)],
      { concurrency: "unbounded" }
    )
    return {
      network,
      from: address,
      to,
      amount,
      fee,
      outgoing: [spends(place, amount + fee)],
      warnings,
      transaction
    }
  })

const alike = (a: unknown, b: unknown): boolean => String(a).toLowerCase() === String(b).toLowerCase()

/** Whether a transaction is that of its preview: what it pays to whom on which chain, and at most the fee. What a call says is its own. */
export const isAsShown = (
  { chainId }: Place,
  { amount, fee, to, token, transaction }: Prepared<EvmTransaction>
): boolean => {
  const { data, gas, to: receiver = "", value } = transaction
  if (typeof gas !== "bigint" || typeof amount !== "bigint") return false
  const said =
    token === undefined
      ? { receiver: to, value: amount, data }
      : { receiver: token, value: 0n, data: `${TRANSFER}${word(String(to))}${word(amount)}` }
  return (
    transaction.chainId === chainId &&
    alike(receiver, said.receiver) &&
    value === said.value &&
    alike(data, said.data) &&
    gas * priceOf(transaction) <= fee
  )
}

/** What a call means for the tokens of the account. */
interface Meaning {
  readonly outgoing: ReadonlyArray<Outgoing>
  readonly warnings: ReadonlyArray<string>
}

const NOTHING: Meaning = { outgoing: [], warnings: [] }

/** `transferFrom`, `approve`, `increaseAllowance` and `setApprovalForAll`, of tokens and of collections. */
const TRANSFER_FROM = "0x23b872dd"
const APPROVE = "0x095ea7b3"
const INCREASE = "0x39509351"
const APPROVE_ALL = "0xa22cb465"

/** More than a token has: such an allowance is meant to have no end. */
const ENDLESS = 2n ** 255n

/** The tokens that a call sends, and what it lets others take of them. Calls of other functions are not known. */
const meaningOf = (
  { address, rpc }: Place,
  contract: Hex,
  data: string
): Effect.Effect<Meaning, PrepareError> => {
  const selector = data.slice(0, 10).toLowerCase()
  const argument = (at: number): string => data.slice(10 + 64 * at, 74 + 64 * at)
  const places = { [TRANSFER]: 2, [APPROVE]: 2, [INCREASE]: 2, [APPROVE_ALL]: 2, [TRANSFER_FROM]: 3 }[
    selector
  ]
  if (places === undefined || data.length < 10 + 64 * places) return Effect.succeed(NOTHING)
  // a collection tells no decimals: its amounts are the numbers of its tokens
  const known = Effect.orElseSucceed(tokenOf(rpc, contract), () => ({ asset: contract, decimals: 0 }))
  return Effect.map(known, ({ asset, decimals }): Meaning => {
    const whom = `0x${argument(0).slice(-40)}`
    const value = BigInt(`0x${argument(selector === TRANSFER_FROM ? 2 : 1)}`)
    const amount = Units.format(value, decimals)
    if (selector === TRANSFER || selector === TRANSFER_FROM)
      return selector === TRANSFER || alike(whom, address)
        ? { outgoing: [{ asset, token: contract, amount }], warnings: [] }
        : NOTHING
    if (value === 0n) return NOTHING
    const what =
      selector === APPROVE_ALL
        ? `all that the account has of ${asset}`
        : value >= ENDLESS
          ? `any amount of ${asset}`
          : selector === INCREASE
            ? `${amount} ${asset} more`
            : decimals === 0 && asset === contract
              ? `${amount} of ${asset}`
              : `up to ${amount} ${asset}`
    return { outgoing: [], warnings: [`It lets ${whom} take ${what}.`] }
  })
}

export const prepareTransaction = (
  place: Place,
  request: EvmRequest
): Effect.Effect<Prepared<EvmTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network, row } = place
    const { maxFee, to, value } = request
    const data =
      request.data === undefined
        ? undefined
        : yield* bytesOf("prepareTransaction", () => hexBytes(request.data, "data"))
    if (to === undefined && data === undefined)
      return yield* refused("prepareTransaction", "it has neither a receiver nor the code of a contract")
    const isFree = value === undefined || value === 0n || value === "0"
    const amount = isFree ? 0n : yield* smallest(value, row.decimals, row.symbol)
    const contract = to === undefined ? undefined : yield* valid(place, to)
    const { fee, transaction } = yield* priced(
      place,
      {
        ...(contract === undefined ? {} : { to: contract }),
        ...(data === undefined ? {} : { data }),
        value: amount
      },
      maxFee
    )
    const { outgoing, warnings } =
      contract === undefined || data === undefined ? NOTHING : yield* meaningOf(place, contract, data)
    return {
      network,
      from: address,
      to: to ?? "",
      amount,
      fee,
      outgoing: [...outgoing, spends(place, amount + fee)],
      warnings,
      transaction
    }
  })
