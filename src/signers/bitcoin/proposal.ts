/** Proposals of accounts of Bitcoin and Litecoin with several keys, which their descriptor names: previews, and the payment with their signatures. */
import * as Effect from "effect/Effect"
import { bytesToHex } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import { DustAmount, InvalidAddress, type InvalidArgument, reasonOf } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import { withAgreement } from "../evidence.js"
import type {
  AccountFacts,
  ExecutableProposal,
  PayloadCodec,
  Proposal,
  ProposalError,
  ProposalFamily,
  ProposalRequest
} from "../proposalFamily.js"
import type { Prepared, ReadError, SendError, SendOptions, Sent } from "../Signer.js"
import {
  checkBalance,
  checkBytes,
  checkFeeCap,
  invalidArgument,
  sweepableAmount,
  toFixedAmount,
  trySigning,
  warnOfHighFee
} from "../signerChecks.js"
import { PEERS } from "./accounts.js"
import { parseReceiver, type Receiver } from "./address.js"
import type { Multisig, MultisigTransaction } from "./multisig.js"
import { type Chain, chainOf } from "./networks.js"
import { broadcastAndConfirm, estimateFeeRate, toUnits } from "./reading.js"
import {
  dustLimitOf,
  feeForSize,
  findShortfall,
  type SelectionTerms,
  select,
  selectAll,
  sizeOf,
  sum
} from "./selection.js"
import type { BitcoinCalls, BitcoinInput, HdClient } from "./Types.js"

/**
 * The calls that proposals of Bitcoin and Litecoin need. Every client of them has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinProposalCalls extends BitcoinCalls {
  readonly getBlockCount: () => Effect.Effect<number, ReadError>
}

/**
 * A client of Bitcoin or Litecoin, as far as proposals use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinProposalClient extends Omit<HdClient, "rpc"> {
  readonly rpc: BitcoinProposalCalls
}

const loadMultisig = /*#__PURE__*/ loadPeer(`${PEERS} @scure/bip32`, () =>
  Promise.all([import("./multisig.js"), import("./hd.js")])
)

const requireChain = ({ id }: NetworkRow): Effect.Effect<Chain, InvalidArgument> => {
  const chain = chainOf(id)
  return chain === undefined
    ? Effect.fail(invalidArgument("propose", `addresses of ${id} are not known here`))
    : Effect.succeed(chain)
}

/** The account that a descriptor names. */
const openAccount = (row: NetworkRow, descriptor: string, field: string) =>
  Effect.gen(function* () {
    const [library, { makeScan }] = yield* loadMultisig
    const chain = yield* requireChain(row)
    const account = yield* checkBytes("propose", () => {
      try {
        return library.parseMultisig(descriptor, chain)
      } catch (error) {
        throw new Error(`${field}: the descriptor cannot be used: ${reasonOf(error)}`)
      }
    })
    return { account, chain, library, makeScan }
  })

/** What a request may not have on these chains, and why. */
const requestProblem = ({ memo, nonce, token, until }: ProposalRequest): string | undefined => {
  if (nonce !== undefined) return "nonce is for Safe accounts: these chains have no numbers"
  if (until !== undefined) return "until: payments of these chains do not expire"
  if (memo !== undefined) return "payments of these chains have no memo"
  return token === undefined ? undefined : "these chains have no tokens"
}

const checkReceiver = (
  network: string,
  chain: Chain,
  to: string
): Effect.Effect<Receiver, InvalidAddress> => {
  const found = parseReceiver(to, chain)
  return typeof found === "string"
    ? Effect.fail(new InvalidAddress({ address: String(to), network, reason: found }))
    : Effect.succeed(found)
}

/** The coin of the chain, for errors. */
const coinOf = ({ decimals, symbol }: NetworkRow, { branches, scriptsAt }: Multisig) => ({
  address: scriptsAt(`${branches[0]}/0`).address,
  asset: symbol,
  decimals
})

/** The outputs that a payment spends, what arrives, its fee and its change. */
const choose = (
  coin: ReturnType<typeof coinOf>,
  terms: SelectionTerms,
  amount: bigint | undefined,
  coins: ReadonlyArray<BitcoinInput>
) =>
  Effect.gen(function* () {
    if (amount === undefined) {
      const swept = selectAll(terms, coins)
      yield* sweepableAmount(swept.amount + swept.fee, swept.fee, coin)
      return { ...swept, change: 0n }
    }
    const found = select(terms, coins)
    if (found !== undefined) return { ...found, amount }
    const { available, needed } = findShortfall(terms, coins)
    yield* checkBalance(needed, available, coin)
    return yield* invalidArgument(
      "propose",
      "amount: it is spread over more outputs than one transaction can spend"
    )
  })

const checkDust = (
  { decimals, symbol }: NetworkRow,
  chain: Chain,
  amount: bigint,
  { script }: Receiver
): Effect.Effect<void, DustAmount> => {
  const least = dustLimitOf(chain, script)
  const format = (value: bigint) => Units.format(value, decimals)
  return amount < least
    ? Effect.fail(new DustAmount({ amount: format(amount), least: format(least), asset: symbol }))
    : Effect.void
}

const draft = (client: BitcoinProposalClient, row: NetworkRow, request: ProposalRequest) =>
  Effect.gen(function* () {
    const problem = requestProblem(request)
    if (problem !== undefined) return yield* invalidArgument("propose", problem)
    const { findAddresses, from, to } = request
    const { account, chain, makeScan } = yield* openAccount(row, from, "from")
    const receiver = yield* checkReceiver(client.network, chain, to)
    const wanted = yield* toFixedAmount(request.amount, row.decimals, row.symbol)
    const { branches, descriptor, scriptsAt, unlock } = account
    const scan = yield* makeScan({ client, row, chain }, { findAddresses }, branches, ({ path }) =>
      scriptsAt(path ?? `${branches[0]}/0`)
    )
    const { rpc } = client
    const [{ rate }, found, since] = yield* Effect.all(
      [estimateFeeRate({ account: { chain }, row, rpc }), scan, rpc.getBlockCount()],
      { concurrency: "unbounded" }
    )
    const change = found.change
    const own = scriptsAt(change.path).script
    const terms: SelectionTerms = {
      amount: wanted ?? 0n,
      rate,
      type: unlock,
      to: receiver.script.length,
      own: own.length,
      dust: dustLimitOf(chain, own)
    }
    const confirmed = found.utxos
      .filter(({ isConfirmed }) => isConfirmed)
      .map(({ amount, path, txid, vout }) => ({ txid, vout, amount, path }))
    const chosen = yield* choose(coinOf(row, account), terms, wanted, confirmed)
    yield* checkDust(row, chain, chosen.amount, receiver)
    const transaction: MultisigTransaction = {
      from: descriptor,
      inputs: chosen.coins,
      outputs: [
        { address: receiver.to, amount: chosen.amount },
        ...(chosen.change === 0n ? [] : [{ ...change, amount: chosen.change }])
      ],
      fee: chosen.fee,
      ...(chain.isReplaceable ? { replaceable: true } : {})
    }
    return { transaction, since }
  })

const loadCodec = (row: NetworkRow): Effect.Effect<PayloadCodec<MultisigTransaction>, ProposalError> =>
  Effect.map(
    Effect.all([loadMultisig, requireChain(row)]),
    ([[library], chain]): PayloadCodec<MultisigTransaction> => {
      const open = ({ from }: Pick<MultisigTransaction, "from">) => library.parseMultisig(from, chain)
      return {
        encode: (transaction) => library.encodePayload(open(transaction), transaction),
        decode: (payload, from) => library.decodePayload(open({ from }), payload),
        hash: (transaction) => library.idOf(open(transaction), transaction),
        readTerms: (transaction) => {
          const { amount, fee, from, to } = library.readTerms(transaction)
          return { amount, fee, from, to }
        },
        verify: (transaction, { member, signature }) =>
          library.isMemberSignature(open(transaction), transaction, member, signature)
      }
    }
  )

type NodeOutput = Effect.Effect.Success<ReturnType<BitcoinCalls["getTxOut"]>>

/** An output on which nodes agree. */
const readOutput = ({ rpc }: BitcoinProposalClient, txid: string, vout: number) =>
  withAgreement(rpc.getTxOut(txid, vout), (one, other) => showOutput(one) === showOutput(other))

const showOutput = (output: NodeOutput): string =>
  output === null ? "none" : `${String(output.value)} ${output.scriptPubKey.hex} ${output.confirmations > 0}`

/** How many outputs are read at the same time. */
const CONCURRENCY = 8

/** What has become of a payment whose inputs are not all there: a block or the mempool has it, or another one has spent them. */
const readProgress = (
  client: BitcoinProposalClient,
  hash: string,
  spent: BitcoinInput
): Effect.Effect<AccountFacts["progress"], ProposalError> =>
  Effect.gen(function* () {
    const outputs = yield* Effect.forEach([0, 1], (vout) => readOutput(client, hash, vout))
    const there = outputs.find((output) => output !== null)
    if (there !== undefined && there !== null)
      return there.confirmations > 0
        ? { status: "executed", hash }
        : { status: "queued", reason: `it waits for a block as ${hash}`, hash }
    const isKnown = yield* client.rpc.getRawTransaction(hash).pipe(
      Effect.as(true),
      // nodes have no other answer for an unknown one than an error
      Effect.catchTag("RpcError", () => Effect.succeed(false))
    )
    return isKnown
      ? { status: "executed", hash }
      : {
          status: "void",
          reason: `another transaction has spent its input ${spent.txid}:${spent.vout}, or no node has it`
        }
  })

/** Compares an input with what nodes know of the output. */
const checkInput = (
  row: NetworkRow,
  { scriptsAt }: Multisig,
  { amount, path = "", txid, vout }: BitcoinInput,
  output: NonNullable<NodeOutput>
): Effect.Effect<void, InvalidArgument> => {
  const held = toUnits(row.decimals, output.value)
  return held === amount && output.scriptPubKey.hex === bytesToHex(scriptsAt(path).script)
    ? Effect.void
    : Effect.fail(
        invalidArgument(
          "propose",
          `payload: it says that ${txid}:${vout} has ${Units.format(amount, row.decimals)} ${row.symbol}, and nodes say ${Units.format(held, row.decimals)}, or another address`
        )
      )
}

const readAccount = (
  client: BitcoinProposalClient,
  row: NetworkRow,
  transaction: MultisigTransaction,
  { id }: Pick<Proposal, "id">
): Effect.Effect<AccountFacts, ProposalError> =>
  Effect.gen(function* () {
    const { account } = yield* openAccount(row, transaction.from, "account")
    const outputs = yield* Effect.forEach(
      transaction.inputs,
      (input) => Effect.map(readOutput(client, input.txid, input.vout), (output) => ({ input, output })),
      { concurrency: CONCURRENCY }
    )
    for (const { input, output } of outputs)
      if (output !== null) yield* checkInput(row, account, input, output)
    const gone = outputs.find(({ output }) => output === null)
    const progress = gone === undefined ? undefined : yield* readProgress(client, id, gone.input)
    return {
      members: account.members.map(({ member }) => ({ address: member, weight: 1 })),
      threshold: account.threshold,
      approvals: [],
      ...(progress === undefined ? {} : { progress })
    }
  })

const preview = (
  { network }: BitcoinProposalClient,
  row: NetworkRow,
  transaction: MultisigTransaction
): Effect.Effect<Prepared<MultisigTransaction>, ProposalError> =>
  Effect.gen(function* () {
    const { account, chain, library } = yield* openAccount(row, transaction.from, "account")
    const { amount, fee, from, to } = library.readTerms(transaction)
    const { inputs, outputs } = transaction
    const scripts = outputs.map(({ address }) => {
      const found = parseReceiver(address, chain)
      return typeof found === "string" ? 0 : found.script.length
    })
    const size = sizeOf(inputs.length, account.unlock, scripts)
    // change that would be dust is a part of the fee
    const dust = dustLimitOf(chain, account.scriptsAt(`${account.branches[1]}/0`).script)
    yield* checkFeeCap(fee, undefined, coinOf(row, account), feeForSize(size, chain.most) + dust)
    const change = sum(outputs) - amount
    return {
      network,
      from,
      to,
      amount,
      fee,
      ...(change === 0n ? {} : { change }),
      outgoing: [{ asset: row.symbol, amount: Units.format(amount + fee, row.decimals) }],
      warnings: warnOfHighFee(fee, amount),
      transaction
    }
  })

const execute = (
  { nodes, rpc }: BitcoinProposalClient,
  row: NetworkRow,
  { approvals, prepared }: ExecutableProposal<MultisigTransaction>,
  { confirmations }: SendOptions
): Effect.Effect<Sent<unknown>, ProposalError | SendError> =>
  Effect.gen(function* () {
    const { transaction } = prepared
    const { account, library } = yield* openAccount(row, transaction.from, "account")
    const signatures = approvals.flatMap(({ signature }) => signature ?? [])
    const signed = yield* trySigning(async () => library.joinSignatures(account, transaction, signatures))
    yield* broadcastAndConfirm({ nodes, rpc }, signed)
    if (confirmations !== undefined) yield* rpc.waitForTransaction(signed.hash, { confirmations })
    return { hash: signed.hash, prepared }
  })

/** Proposals of Bitcoin and Litecoin. */
export const family: ProposalFamily<BitcoinProposalClient, MultisigTransaction, never> = {
  memberOf: (signer) => {
    const extendedKey = isRecord(signer) ? signer.extendedKey : undefined
    return typeof extendedKey === "string" ? extendedKey : undefined
  },
  loadCodec,
  draft,
  readAccount,
  preview,
  execute
}
