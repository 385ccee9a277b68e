/**
 * Sui: the JSON-RPC API of full nodes, and the GraphQL API of indexers that succeeds it. Amounts of SUI are in MIST (10^-9 SUI).
 * Integers of 64 bits and more are decimal strings, as nodes have them; what nodes write as JSON integers is `bigint`, except
 * counts, decimals and bytes.
 *
 * The project has deprecated JSON-RPC: the Sui Foundation's own nodes have served none since July 2026, while nodes of hosters and
 * older ones do. Full nodes serve gRPC instead, which this client does not speak. `graphql` works with any indexer of 2025 or later.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import {
  type ChainCheck,
  type Family,
  type FamilyAccounts,
  fieldAt,
  type Probe,
  type ReadNativeBalances,
  rpcProbe
} from "../balancer/Family.js"
import { group } from "../data/Endpoint.js"
import type { Client, MakeMethods, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import {
  makeOutcomeCheck,
  pollUntilConfirmed,
  type SeenTransaction,
  type WaitError
} from "./internal/Confirmation.js"
import { absentMessage, classify, endpoints, jsonRpc, numbers } from "./sui/endpoints.js"
import type {
  Digest,
  GraphQlDocument,
  SuiComposed,
  SuiWaitOptions,
  TransactionResponse
} from "./sui/Types.js"

export { classify, endpoints } from "./sui/endpoints.js"
export type * from "./sui/Types.js"

/**
 * Names the type of a GraphQL query's answer: `graphql` then answers with it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const graphQlDocument = <A>(query: string): GraphQlDocument<A> =>
  // the mark is for the compiler alone: the answer of a query is known to its author, and to nobody who reads the text
  query as GraphQlDocument<A>

/**
 * The client of Sui.
 *
 * @since 0.1.0
 * @category clients
 */
export interface SuiRpc extends Client<typeof endpoints>, RawRpc, SuiComposed {}

const checkOutcome = /*#__PURE__*/ makeOutcomeCheck<TransactionResponse>(({ effects }) =>
  effects?.status.status === "failure" ? { reason: effects.status.error } : undefined
)

/**
 * Makes the methods of the client of Sui beside single calls.
 *
 * @since 0.1.0
 * @category families
 */
export const composed = (methods: MakeMethods): SuiComposed => {
  const { getLatestCheckpointSequenceNumber, getTransactionBlock } = jsonRpc
  const nodes = methods(
    group(
      { integers: bigintIntegers, numbers, classify },
      { getLatestCheckpointSequenceNumber, getTransactionBlock }
    )
  )
  const checkTransaction = (
    digest: Digest,
    { confirmations = 1, show }: SuiWaitOptions
  ): Effect.Effect<SeenTransaction<TransactionResponse> | undefined, WaitError> =>
    Effect.gen(function* () {
      const transaction = yield* Effect.catchTag(
        nodes.getTransactionBlock(digest, { ...show, showEffects: true }),
        "RpcError",
        (error) => (absentMessage.test(error.rpcMessage) ? Effect.succeed(undefined) : Effect.fail(error))
      )
      const { checkpoint } = transaction ?? {}
      if (transaction === undefined) return undefined
      if (checkpoint === undefined || checkpoint === null) return { transaction, confirmations: 0 }
      if (confirmations === 1) return { transaction, confirmations: 1 }
      const latest = yield* nodes.getLatestCheckpointSequenceNumber()
      return { transaction, confirmations: Math.max(1, Number(latest - BigInt(checkpoint)) + 1) }
    })
  return {
    waitForTransaction: (digest, options = {}) =>
      pollUntilConfirmed(digest, options, checkTransaction(digest, options), checkOutcome)
  }
}

/** The identifier of the main network. Those of the others may change: the development network begins anew at times. */
const MAINNET = "35834a8a"

const chain: ChainCheck = {
  verb: "POST",
  path: "",
  body: { jsonrpc: "2.0", id: 1, method: "sui_getChainIdentifier", params: [] },
  expected: ({ testnet }) => (testnet === true ? "that of a test network" : MAINNET),
  chainIn: (answer) => {
    const id = fieldAt("result")(answer)
    return typeof id === "string" && /^[0-9a-f]{8}$/.test(id) ? id : undefined
  },
  isExpected: (chain, { testnet = false }) => (chain === MAINNET) !== testnet
}

/** What is asked of an indexer, which has no JSON-RPC. */
const indexerProbe: Probe = {
  verb: "POST",
  path: "/graphql",
  body: { query: "{ checkpoint { sequenceNumber } }" },
  height: fieldAt("data", "checkpoint", "sequenceNumber")
}

/**
 * The family of Sui.
 *
 * @since 0.1.0
 * @category families
 */
export const sui: Family<typeof endpoints, SuiRpc> = {
  endpoints,
  chain,
  composed,
  layout: { servers: { graphqlUrl: { routes: /^\/graphql$/, tail: "/graphql" } } },
  probe: () => ({ ...rpcProbe("sui_getLatestCheckpointSequenceNumber", [], []), otherwise: indexerProbe })
}

const nativeBalances: ReadNativeBalances = (client, addresses) => {
  const { getBalance } = jsonRpc
  const nodes = client(group({ integers: bigintIntegers, numbers, classify }, { getBalance }))
  return Effect.forEach(addresses, (address) =>
    Effect.map(nodes.getBalance(address), ({ totalBalance }) => BigInt(totalBalance))
  )
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^0x[0-9a-fA-F]{1,64}$/, "0x and up to 64 hexadecimal digits"],
  nativeBalances
} satisfies FamilyAccounts
