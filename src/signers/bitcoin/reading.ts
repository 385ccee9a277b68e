/** What a payment needs of nodes and of the data API: outputs, fees, and whether a transaction has arrived. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { bytesToHex } from "../../data/hex.js"
import type { NetworkRow } from "../../data/Network.js"
import { BroadcastUnclear, InvalidArgument, reasonOf } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import {
  type BroadcastError,
  type Broadcaster,
  broadcastTransaction,
  isKnownToNodes,
  lookUpOnAllNodes
} from "../broadcast.js"
import { isWithin, withAgreement } from "../evidence.js"
import type { NodesOf, PrepareError, ReadError, Signed } from "../Signer.js"
import type { Account, ScureModule } from "./accounts.js"
import type { Coins } from "./Coins.js"
import { hasSignedAmounts } from "./networks.js"
import type { FindKey } from "./scure.js"
import type {
  BitcoinCalls,
  BitcoinInput,
  BitcoinOutput,
  BitcoinTransaction,
  FindUtxos,
  UtxoData
} from "./Types.js"

/** An account on its network: its key, its outputs, and the nodes to ask. */
export interface SignerContext {
  readonly scure: ScureModule
  readonly nodes: NodesOf["nodes"]
  readonly row: NetworkRow
  readonly rpc: BitcoinCalls
  readonly account: Account
  /** The key of an output that the account owns: of an HD account, the one at its path. */
  readonly keyAt: FindKey<Account>
  /** Where change goes: to the account's address, or to one of an HD account. */
  readonly change: Pick<BitcoinOutput, "address" | "path">
  readonly coins: Coins
  readonly findUtxos: (address: string) => Effect.Effect<ReadonlyArray<BitcoinInput>, PrepareError>
  /** Why a transaction cannot be one of the account, if it cannot. */
  readonly findProblem?: (transaction: BitcoinTransaction) => string | undefined
}

/** An amount of a list: whole coins as text, or the smallest unit. */
const parseAmount = (amount: unknown, decimals: number): bigint | undefined => {
  if (typeof amount === "bigint") return amount
  return typeof amount === "string" ? Option.getOrUndefined(Units.parse(amount, decimals)) : undefined
}

/**
 * Reads whole coins of a node. A number with more digits than the coin has is invalid. So is one that stands for several amounts: from
 * 2^26 coins on, doubles are further apart than amounts with eight decimals.
 */
const parseCoins = (coins: unknown, decimals: number): bigint | undefined => {
  if (typeof coins !== "number") return typeof coins === "string" ? parseAmount(coins, decimals) : undefined
  const units = parseAmount(coins.toFixed(decimals), decimals)
  const isNumberOf = (amount: bigint): boolean => Number(Units.format(amount, decimals)) === coins
  return units !== undefined && isNumberOf(units) && !isNumberOf(units - 1n) && !isNumberOf(units + 1n)
    ? units
    : undefined
}

/** The id of a transaction, as hexadecimal digits. */
export const TXID = /^[0-9a-f]{64}$/i

/** The fields of an output in lists of one's own, and in those of the data API. */
const ownFields = ["txid", "vout", "amount"]
const dataApiFields = ["txHash", "index", "value"]

const parseOutput = (each: unknown, decimals: number): BitcoinInput | undefined => {
  if (!isRecord(each)) return undefined
  const [txid, vout, amount] = ("txHash" in each ? dataApiFields : ownFields).map((name) => each[name])
  const value = each.coins === undefined ? parseAmount(amount, decimals) : parseCoins(each.coins, decimals)
  return typeof txid === "string" &&
    TXID.test(txid) &&
    typeof vout === "number" &&
    Number.isSafeInteger(vout) &&
    vout >= 0 &&
    value !== undefined &&
    value >= 0n
    ? { txid: txid.toLowerCase(), vout, amount: value }
    : undefined
}

/** Checks listed outputs. An invalid one is an error of the list. */
export const parseOutputs = (
  call: string,
  listed: unknown,
  decimals: number,
  names: ReadonlyArray<string> = ownFields
): Effect.Effect<ReadonlyArray<BitcoinInput>, InvalidArgument> => {
  const found: Array<BitcoinInput> = []
  for (const each of Array.isArray(listed) ? listed : [undefined]) {
    const output = parseOutput(each, decimals)
    if (output === undefined)
      return Effect.fail(
        new InvalidArgument({
          call,
          reason: `unspent outputs must be a list of { ${names.join(", ")} }, whose amounts are text or bigint`
        })
      )
    found.push(output)
  }
  return Effect.succeed(found)
}

/** The most outputs that the data API lists. There may be more. */
const ANY_AMOUNT = 200_000_000_000

/** Finds the outputs of an account, in the user's own list or in the data API. */
export const makeFindUtxos = (
  { decimals, id, identity }: NetworkRow,
  utxos: FindUtxos | undefined,
  data: UtxoData | undefined
): SignerContext["findUtxos"] | undefined => {
  if (utxos !== undefined)
    return (address) =>
      Effect.flatMap(
        Effect.tryPromise({
          try: async () => utxos(address),
          catch: (error) => new InvalidArgument({ call: "utxos", reason: reasonOf(error) })
        }),
        (listed) => parseOutputs("utxos", listed, decimals, ownFields)
      )
  // the provider does not know the networks of definitions
  return data === undefined || identity !== undefined
    ? undefined
    : (address) =>
        data.getUtxosByAddress({ chain: id, address, totalValue: ANY_AMOUNT }).pipe(
          Effect.catchTag("NotSupportedForNetwork", () => {
            const reason = `is needed: the data API has no unspent outputs of ${id}`
            return Effect.fail(new InvalidArgument({ call: "utxos", reason }))
          }),
          Effect.flatMap((listed) => parseOutputs("data.getUtxosByAddress", listed, decimals, dataApiFields))
        )
}

/** Converts whole coins of a node to the smallest unit. A negative number means that the node knows none. */
export const toUnits = (decimals: number, coins: unknown): bigint => {
  if ((typeof coins !== "number" && typeof coins !== "string") || !(Number(coins) > 0)) return 0n
  const text = typeof coins === "string" ? coins : coins.toFixed(decimals)
  return Option.getOrElse(Units.parse(text, decimals), () => 0n)
}

/** The target of fee estimates, in blocks. */
const TARGET_BLOCKS = 6

/** Nodes of Bitcoin Cash have no estimates by this call, and its blocks have room for everything that is relayed. */
const NO_ESTIMATE: { readonly feerate?: number; readonly fee?: number } = {}

/** How far estimates of two honest nodes, which have different mempools, may differ. */
const isWithinTenfold = isWithin(10n)

/** What an estimate of fees needs. */
interface FeeContext extends Pick<SignerContext, "row" | "rpc"> {
  readonly account: Pick<Account, "chain">
}

/**
 * Reads the fee for 1,000 virtual bytes: the nodes' estimate, or at least their relay fee, and whether that may be too low. Two nodes
 * have to agree on its order of magnitude, if there are two.
 */
export const estimateFeeRate = ({
  account: { chain },
  row: { decimals },
  rpc
}: FeeContext): Effect.Effect<{ readonly rate: bigint; readonly isLow: boolean }, ReadError> =>
  chain.actionFee !== undefined
    ? Effect.succeed({ rate: 0n, isLow: false })
    : Effect.map(
        Effect.all(
          [
            chain.isBusy
              ? withAgreement(rpc.estimateSmartFee(TARGET_BLOCKS), (one, other) =>
                  isWithinTenfold(
                    toUnits(decimals, one?.feerate ?? one?.fee) || chain.relay,
                    toUnits(decimals, other?.feerate ?? other?.fee) || chain.relay
                  )
                )
              : Effect.succeed(NO_ESTIMATE),
            rpc.getMempoolInfo()
          ],
          { concurrency: "unbounded" }
        ),
        ([said, mempool]) => {
          const { mempoolminfee, minrelaytxfee } = mempool ?? {}
          const estimate = toUnits(decimals, said?.feerate ?? said?.fee)
          const rates = [
            chain.relay,
            estimate,
            toUnits(decimals, mempoolminfee),
            toUnits(decimals, minrelaytxfee)
          ]
          const rate = rates.find((each) => rates.every((other) => other <= each)) ?? chain.relay
          return { rate, isLow: chain.isBusy && estimate === 0n }
        }
      )

/** Milliseconds until nodes show a transaction that waits for a block at another one. */
const PROPAGATION_MS = 3_000

/**
 * Whether a node has one of the first outputs of a transaction. Nodes without a transaction index know an output as long as it is
 * unspent.
 */
const hasOutput = (rpc: BitcoinCalls, txid: string): Effect.Effect<boolean, ReadError> =>
  Effect.map(
    Effect.all([rpc.getTxOut(txid, 0), rpc.getTxOut(txid, 1)], { concurrency: "unbounded" }),
    (outputs) => outputs.some((output) => output !== null)
  )

const makeBroadcaster = ({ nodes, rpc }: Pick<SignerContext, "nodes" | "rpc">): Broadcaster => ({
  nodes,
  propagationMs: PROPAGATION_MS,
  broadcast: ({ raw }) => rpc.sendRawTransaction(raw),
  lookUp: (txid) =>
    rpc.getRawTransaction(txid).pipe(
      Effect.as(true),
      // nodes have no other answer for that than an error
      Effect.catchTag("RpcError", () => hasOutput(rpc, txid)),
      Effect.map((isThere) => (isThere ? "known" : "absent"))
    )
})

export const hasTransaction = (context: SignerContext, txid: string): Effect.Effect<boolean> =>
  isKnownToNodes(makeBroadcaster(context), txid)

/** How often a transaction is looked for, and the milliseconds between. */
const MAX_LOOKUPS = 5
const LOOKUP_PAUSE_MS = 500

/**
 * Broadcasts a transaction, and looks for it afterwards: some nodes (bcoin) answer with an id even if they refuse it. If nodes cannot be
 * asked, the first answer counts. `wasBroadcast`: its bytes have been broadcast before.
 */
export const broadcastAndConfirm = (
  context: Pick<SignerContext, "nodes" | "rpc">,
  signed: Signed,
  wasBroadcast = false
): Effect.Effect<void, BroadcastError> => {
  const { hash, raw } = signed
  const broadcaster = makeBroadcaster(context)
  const look = (left: number): Effect.Effect<void, BroadcastError> =>
    Effect.flatMap(lookUpOnAllNodes(broadcaster, hash), (shown) => {
      if (shown !== "absent") return Effect.void
      return left > 0
        ? Effect.delay(look(left - 1), LOOKUP_PAUSE_MS)
        : Effect.fail(
            new BroadcastUnclear({ hash, raw, reason: "a node has given its id, and no node has it" })
          )
    })
  return Effect.flatMap(broadcastTransaction(broadcaster, signed, wasBroadcast), () => look(MAX_LOOKUPS))
}

/** Errors of transactions that will not be mined: their inputs are spent, a block has them already, or their
 * time is over. */
const inputsGonePattern = /missing|spent|conflict|already|expir/i

/** Checks whether nodes still have a transaction of this signer, and broadcasts the same bytes again if not. */
const rebroadcastIfLost = (context: SignerContext, out: Signed): Effect.Effect<"there" | "again" | "gone"> =>
  Effect.flatMap(hasTransaction(context, out.hash), (isThere) =>
    isThere
      ? Effect.succeed("there" as const)
      : Effect.match(broadcastAndConfirm(context, out), {
          onFailure: (error) => {
            if (error._tag === "RpcError" && inputsGonePattern.test(error.message))
              context.coins.drop(out.hash)
            return "gone" as const
          },
          onSuccess: () => "again" as const
        })
  )

/** Looks for transactions whose inputs are listed as unspent. If nodes have lost one for good, its inputs are free. */
export const reviewOutbox = (
  context: SignerContext,
  listed: ReadonlyArray<BitcoinInput>
): Effect.Effect<void> =>
  Effect.asVoid(
    Effect.forEach(
      context.coins.findSpenders(listed).filter(({ isAccepted }) => isAccepted),
      (out) => rebroadcastIfLost(context, out)
    )
  )

/** Reads the amount of an output from its whole transaction. */
const withPreviousTransaction = ({ keyAt, rpc, scure }: SignerContext, coin: BitcoinInput) =>
  Effect.flatMap(rpc.getRawTransaction(coin.txid), (found) =>
    Effect.try({
      try: (): BitcoinInput => {
        const previous = String(found)
        const { amount, script } = scure.readOutput(previous, coin)
        if (bytesToHex(script) !== bytesToHex(keyAt(coin).script))
          throw new Error(`${coin.txid} pays another address at ${coin.vout}`)
        return { ...coin, amount, previous }
      },
      catch: (error) => new InvalidArgument({ call: "prepare", reason: reasonOf(error) })
    })
  )

/** An output as nodes know it, and whether a block has it; or why it cannot be spent. */
export type CoinReview =
  | { readonly coin: BitcoinInput; readonly isConfirmed: boolean }
  | { readonly problem: string }

/**
 * Reads an output of the account from nodes. It can be spent if nothing else spends it, it has no tokens, and it is no coinbase that is
 * still to mature. Lists of others may be late, and are not believed about amounts.
 */
export const reviewCoin = (
  context: SignerContext,
  coin: BitcoinInput
): Effect.Effect<CoinReview, ReadError> =>
  Effect.gen(function* () {
    const { account, coins, row, rpc } = context
    const parent = coins.findParent(coin)
    const output = yield* rpc.getTxOut(coin.txid, coin.vout)
    if (output === null)
      return parent !== undefined && (yield* rebroadcastIfLost(context, parent)) === "again"
        ? { coin, isConfirmed: false }
        : { problem: "is spent, or no node has it" }
    const { coinbase, confirmations, scriptPubKey, tokenData, value } = output
    if (scriptPubKey.hex !== bytesToHex(context.keyAt(coin).script))
      return { problem: "is one of another address" }
    // it is not spent for its coins
    if ((tokenData ?? null) !== null) return { problem: "has tokens, which would be lost" }
    const { maturity } = account.chain
    if (coinbase && confirmations < maturity)
      return { problem: `is of a new block, and has to wait for ${maturity} confirmations` }
    const isConfirmed = confirmations > 0
    if (hasSignedAmounts(account))
      return { coin: { ...coin, amount: toUnits(row.decimals, value) }, isConfirmed }
    return {
      coin: coin.previous === undefined ? yield* withPreviousTransaction(context, coin) : coin,
      isConfirmed
    }
  })

/** A listed output that can be spent: a block has it, or it is change of ours. */
export const checkCoin = (
  context: SignerContext,
  coin: BitcoinInput
): Effect.Effect<BitcoinInput | undefined, ReadError> =>
  Effect.map(reviewCoin(context, coin), (review) =>
    "coin" in review && (review.isConfirmed || context.coins.findParent(coin) !== undefined)
      ? review.coin
      : undefined
  )
