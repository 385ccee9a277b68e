/**
 * Finds transactions by family, with the methods and arguments of the families' tables.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Clients } from "../chains/registry.js"
import { highestTransactionVersion } from "../chains/Solana.js"
import type { FamilyId } from "../data/Network.js"
import { CommandError, makeInputError } from "./Failure.js"

/**
 * A transaction, and its outcome if that is a separate answer. Without a `transaction` no node knows it.
 *
 * @since 0.1.0
 * @category models
 */
export interface FoundTransaction {
  readonly transaction: unknown
  readonly outcome?: unknown
}

/**
 * A transaction by its hash or id, and its signer's account if the nodes need that too.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransactionQuery {
  readonly hash: string
  readonly sender: string | undefined
}

/**
 * Finds a transaction with the client of its family.
 *
 * @since 0.1.0
 * @category types
 */
export type FindTransaction<C> = (
  rpc: C,
  wanted: TransactionQuery
) => Effect.Effect<FoundTransaction, unknown>

/** Finds it with one call, whose answer is complete. */
const fromAnswer = <E>(answer: Effect.Effect<unknown, E>): Effect.Effect<FoundTransaction, E> =>
  Effect.map(answer, (transaction) => ({ transaction }))

const byHash =
  <C>(ask: (rpc: C, hash: string) => Effect.Effect<FoundTransaction, unknown>): FindTransaction<C> =>
  (rpc, { hash, sender }) =>
    sender === undefined
      ? ask(rpc, hash)
      : Effect.fail(makeInputError("This network needs no sender: remove --sender"))

/** The common part of all EVM clients. */
interface Evm {
  readonly getTransactionByHash: (hash: string) => Effect.Effect<unknown, unknown>
  readonly getTransactionReceipt: (hash: string) => Effect.Effect<unknown, unknown>
}
const evm = byHash<Evm>((rpc, hash) =>
  Effect.flatMap(
    rpc.getTransactionByHash(hash),
    (transaction): Effect.Effect<FoundTransaction, unknown> =>
      transaction === null
        ? Effect.succeed({ transaction })
        : Effect.map(rpc.getTransactionReceipt(hash), (outcome) => ({ transaction, outcome }))
  )
)
const utxo = byHash<Pick<Clients["utxo"], "getRawTransaction">>((rpc, hash) =>
  fromAnswer(rpc.getRawTransaction(hash, true))
)
const rostrum = byHash<Clients["rostrum"]>((rpc, hash) =>
  fromAnswer(rpc.blockchainTransactionGet({ tx_hash: hash, verbose: true }))
)

const solana = byHash<Pick<Clients["solana"], "getTransaction">>((rpc, hash) =>
  Effect.catchIf(
    fromAnswer(rpc.getTransaction(hash, { maxSupportedTransactionVersion: highestTransactionVersion })),
    (error) => error._tag === "RpcError" && error.code === -32015,
    (error) =>
      new CommandError({
        exit: "refused",
        message: `Transaction ${hash} has a newer version than ${highestTransactionVersion}, the highest that this program shows: update effect-chains. The node said: ${error.message}`
      })
  )
)

/**
 * The finders by family. Families without one find transactions by their block only: nodes of Tezos and Polkadot have
 * no index.
 *
 * @since 0.1.0
 * @category constants
 */
export const transactionFinders: { readonly [F in FamilyId]?: FindTransaction<Clients[F]> } = {
  evm,
  "evm-beacon": evm,
  "evm-native": evm,
  zksync: evm,
  tron: evm,
  utxo,
  "utxo-estimatefee": utxo,
  doge: utxo,
  rostrum,
  electrs: rostrum,
  solana,
  "algorand-algod": byHash((rpc, txid) => fromAnswer(rpc.getPendingTransaction({ txid }))),
  "algorand-indexer": byHash((rpc, txid) => fromAnswer(rpc.getTransaction({ txid }))),
  // without 0x, hexadecimal would be read as Base64
  bnb: byHash((rpc, hash) => fromAnswer(rpc.tx({ hash: /^[\da-f]{64}$/i.test(hash) ? `0x${hash}` : hash }))),
  // Rosetta needs the network's own name
  cardano: byHash((rpc, hash) =>
    Effect.flatMap(rpc.getNetworkList({}), ({ network_identifiers: [networkIdentifier] }) =>
      networkIdentifier === undefined
        ? Effect.succeed({ transaction: undefined })
        : Effect.map(
            rpc.searchTransactions({ networkIdentifier, transactionIdentifier: { hash } }),
            ({ transactions: [transaction] }) => ({ transaction })
          )
    )
  ),
  cosmos: byHash((rpc, hash) => fromAnswer(rpc.getTxByHash(hash))),
  casper: byHash((rpc, hash) => fromAnswer(rpc.infoGetTransaction({ transaction_hash: { Version1: hash } }))),
  eos: byHash((rpc, id) => fromAnswer(rpc.getTransaction({ id }))),
  iota: byHash((rpc, hash) =>
    Effect.all({
      transaction: rpc.getTransactionIncludedBlock(hash),
      outcome: rpc.findIncludedBlockMetadata(hash)
    })
  ),
  // a request key has no chain in it, so all chains are tried
  kadena: byHash((rpc, hash) =>
    Effect.flatMap(rpc.getNodeInfo(), ({ nodeApiVersion: apiVersion, nodeChains, nodeVersion }) =>
      Effect.map(
        Effect.forEach(
          nodeChains,
          (chain) => rpc.pactPoll({ network: { apiVersion, chain, nodeVersion }, requestKeys: [hash] }),
          { concurrency: 5 }
        ),
        (answers) => ({ transaction: answers.flatMap(Object.values).at(0) })
      )
    )
  ),
  near: (rpc, { hash: txHash, sender: senderAccountId }) =>
    senderAccountId === undefined
      ? Effect.fail(
          makeInputError(
            "Nodes of NEAR find a transaction by its hash and the account that signed it: add --sender"
          )
        )
      : fromAnswer(rpc.tx({ txHash, senderAccountId })),
  aptos: byHash((rpc, hash) => fromAnswer(rpc.getTransactionByHash({ hash }))),
  "hedera-mirror": byHash((rpc, transactionId) => fromAnswer(rpc.getTransaction({ transactionId }))),
  sui: byHash((rpc, digest) =>
    fromAnswer(rpc.getTransactionBlock(digest, { showEffects: true, showInput: true }))
  ),
  stellar: byHash((rpc, transactionHash) => fromAnswer(rpc.getTransaction({ transactionHash }))),
  ton: byHash((rpc, hash) => fromAnswer(rpc.getBlockchainTransaction(hash))),
  xrp: byHash((rpc, hash) => fromAnswer(rpc.tx(hash))),
  flow: byHash((rpc, id) => fromAnswer(rpc.getTransaction({ id }))),
  multiversx: byHash((rpc, txHash) => fromAnswer(rpc.getTransaction({ txHash }))),
  zilliqa: byHash((rpc, hash) => fromAnswer(rpc.getTransaction(hash))),
  "avalanche-p": byHash((rpc, txID) => fromAnswer(rpc.getTx({ txID }))),
  "avalanche-x": byHash((rpc, txID) => fromAnswer(rpc.getTx({ txID })))
}
