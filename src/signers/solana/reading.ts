/** What a payment on Solana needs of its nodes: accounts, blockhashes, and whether they have taken a transaction. */
import * as Effect from "effect/Effect"
import { bytesOfBase64 } from "../../data/base64.js"
import { solana } from "../../data/caip2.js"
import type { NetworkRow } from "../../data/Network.js"
import { type NodeError, reasonOf, TransactionDropped, TransactionExpired } from "../../data/SdkError.js"
import { toPrintableJson } from "../../data/untrusted.js"
import {
  type BroadcastError,
  type Broadcaster,
  type BroadcastOutcome,
  broadcastTransaction,
  type LostTransaction,
  lookUpOnAllNodes,
  type TransactionStatus
} from "../broadcast.js"
import { makeMalformedError, withAgreement } from "../evidence.js"
import type { ReadError, Signed } from "../Signer.js"
import { invalidArgument } from "../signerChecks.js"
import { readFactsWithDecimals, type TokenFacts, type TokenFactsError } from "../tokens.js"
import {
  type AccountState,
  type LookupTable,
  type NonceState,
  parseLookupTable,
  parseNonce
} from "./layout.js"
import type { SolanaCalls, SolanaClient, SolanaNonce, SolanaTransaction } from "./Types.js"

/**
 * What two thirds of the stake have voted for does not get rolled back in practice, and is available half a minute before it is final.
 */
export const CONFIRMED = { commitment: "confirmed" } as const

/** As much of an account's data as payments read. */
const DATA_SLICE = { offset: 0, length: 1_024 }

/** Data in Base64 as nodes give it: with the name of the encoding behind it. */
const parseData = (data: unknown): Uint8Array => {
  const text: unknown = Array.isArray(data) ? data[0] : undefined
  return typeof text === "string" ? bytesOfBase64(text) : new Uint8Array()
}

/** An account as nodes give it. */
type NodeAccount = Pick<AccountState, "lamports" | "owner"> & { readonly data: unknown }

/** Accounts in the order of their addresses; undefined for missing ones. */
export type States = ReadonlyArray<AccountState | undefined>

const toState = (found: NodeAccount | null): AccountState | undefined =>
  found === null ? undefined : { lamports: found.lamports, owner: found.owner, data: parseData(found.data) }

/** The accounts of an answer; undefined for missing ones. Throws on an answer in another form. */
export const toStates = (accounts: ReadonlyArray<NodeAccount | null>): States => accounts.map(toState)

/** Parses the accounts of an answer. */
export const parseAccounts = (
  call: string,
  accounts: ReadonlyArray<NodeAccount | null>
): Effect.Effect<States, NodeError> =>
  Effect.try({
    try: () => toStates(accounts),
    catch: (error) => makeMalformedError(call, reasonOf(error))
  })

/** Reads accounts in the order of their addresses; undefined for missing ones. With `isSame`, two nodes have to agree, if there are two. */
export const readAccounts = (
  rpc: Pick<SolanaCalls, "getMultipleAccounts">,
  addresses: ReadonlyArray<string>,
  isSame?: (one: States, other: States) => boolean
): Effect.Effect<States, ReadError> => {
  const call = rpc.getMultipleAccounts(addresses, {
    ...CONFIRMED,
    encoding: "base64",
    dataSlice: DATA_SLICE
  })
  const agreed =
    isSame === undefined
      ? call
      : withAgreement(call, (one, other) => isSame(toStates(one.value), toStates(other.value)))
  return Effect.flatMap(agreed, ({ value }) => parseAccounts("getMultipleAccounts", value))
}

/** The addresses of lookup tables, by the address of the table. */
export type LookupTables = Readonly<Record<string, ReadonlyArray<string>>>

/** Whether nodes show the same table. One that has grown between two answers begins as it was. */
const isSameTable = (one: LookupTable, other: LookupTable): boolean =>
  "problem" in one || "problem" in other
    ? "problem" in one && "problem" in other
    : one.addresses.every((address, at) => [undefined, address].includes(other.addresses[at]))

/**
 * Reads lookup tables, which two nodes have to show alike if there are two: a table decides which accounts a transaction writes. Fails with
 * `InvalidArgument` if one cannot be used.
 */
export const readLookupTables = (
  rpc: Pick<SolanaCalls, "getMultipleAccounts">,
  tables: ReadonlyArray<string>
): Effect.Effect<LookupTables, ReadError> => {
  if (tables.length === 0) return Effect.succeed({})
  const call = rpc.getMultipleAccounts(tables, { ...CONFIRMED, encoding: "base64" })
  const parse = ({ context, value }: Effect.Effect.Success<typeof call>): ReadonlyArray<LookupTable> =>
    tables.map((_, at) => parseLookupTable(toState(value[at] ?? null), context.slot))
  return Effect.flatMap(
    withAgreement(call, (one, other) => {
      const others = parse(other)
      return parse(one).every((table, at) => {
        const counterpart = others[at]
        return counterpart !== undefined && isSameTable(table, counterpart)
      })
    }),
    (answer) =>
      Effect.map(
        Effect.forEach(parse(answer), (table, at) =>
          "problem" in table
            ? Effect.fail(
                invalidArgument("prepareTransaction", `the lookup table ${tables[at]} ${table.problem}`)
              )
            : Effect.succeed([tables[at] ?? "", table.addresses] as const)
        ),
        Object.fromEntries
      )
  )
}

/** The chains of CAIP-2. */
const chainReferences: Readonly<Record<string, string>> = solana

const chainReferenceOf = ({ id, solana }: NetworkRow): string =>
  solana?.genesisHash.slice(0, 32) ?? chainReferences[id] ?? id

/** What a token is whose mint has these decimals: a mint of a known token that has others is a lie. */
export const readMintFacts = (
  row: NetworkRow,
  mint: string,
  decimals: number,
  given?: number
): Effect.Effect<TokenFacts & { readonly decimals: number }, TokenFactsError> =>
  Effect.flatMap(
    readFactsWithDecimals({
      row,
      token: mint,
      asset: `solana:${chainReferenceOf(row)}/token:${mint}`,
      decimals: given,
      fromChain: { decimals: Effect.succeed(decimals), symbol: Effect.succeed(undefined) }
    }),
    (facts) =>
      facts.decimals === decimals
        ? Effect.succeed(facts)
        : Effect.fail(
            makeMalformedError(
              "getMultipleAccounts",
              `the mint of ${facts.name} is said to have ${decimals} decimals, and it has ${facts.decimals}`
            )
          )
  )

/** How nodes try a transaction without a signature. They put a blockhash of theirs in place of an old one, and a nonce has its own value. */
export const trialConfig = (nonce: SolanaNonce | undefined) =>
  ({
    ...CONFIRMED,
    encoding: "base64",
    sigVerify: false,
    replaceRecentBlockhash: nonce === undefined
  }) as const

/** Why a trial of a transaction has failed: the error, and the last line of its log. */
export const describeRefusal = (err: unknown, logs: ReadonlyArray<string> | null | undefined): string =>
  [toPrintableJson(err), ...(logs ?? []).slice(-1)].join(", ")

/** A blockhash, and how long it is good. */
export interface BlockhashLifetime {
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
}

export const readLifetime = (rpc: SolanaCalls): Effect.Effect<BlockhashLifetime, ReadError> =>
  Effect.map(rpc.getLatestBlockhash(CONFIRMED), ({ value }) => value)

/** How long a transaction is good: up to a block, or as long as a nonce account has a value. */
export type Lifetime = Pick<BlockhashLifetime, "lastValidBlockHeight"> | { readonly nonce: SolanaNonce }

export const lifetimeOf = ({ lastValidBlockHeight = 0n, nonce }: SolanaTransaction): Lifetime =>
  nonce === undefined ? { lastValidBlockHeight } : { nonce }

/** Reads a nonce account, whose value two nodes have to show alike if there are two. Fails with `InvalidArgument` if it is none. */
export const readNonce = (
  rpc: Pick<SolanaCalls, "getMultipleAccounts">,
  account: string
): Effect.Effect<NonceState, ReadError> => {
  const isSame = ([one]: States, [other]: States): boolean => {
    const [first, second] = [parseNonce(one), parseNonce(other)]
    return first?.value === second?.value && first?.authority === second?.authority
  }
  return Effect.flatMap(readAccounts(rpc, [account], isSame), ([state]) => {
    const nonce = parseNonce(state)
    return nonce === undefined
      ? Effect.fail(
          invalidArgument("prepare", `${account} is no nonce account: prepareNonceAccount makes one`)
        )
      : Effect.succeed(nonce)
  })
}

/** The milliseconds until all nodes show a transaction that one of them has accepted. During that time an unclear one is sent again. */
const PROPAGATION_MS = 8_000
const RESEND_MS = 100_000

/** The milliseconds until it is final that another transaction has used the value of a nonce account. */
const NONCE_MS = 30_000

/** Looks up a transaction with a nonce. If the account has another value in a final slot, and the transaction is not there, it can't come. */
const lookUpByNonce = (
  rpc: SolanaCalls,
  hash: string,
  { account, value: wanted }: SolanaNonce
): Effect.Effect<TransactionStatus, ReadError | TransactionDropped> =>
  Effect.gen(function* () {
    const read = yield* rpc.getMultipleAccounts([account], { commitment: "finalized", encoding: "base64" })
    const [state] = yield* parseAccounts("getMultipleAccounts", read.value)
    const { context, value } = yield* rpc.getSignatureStatuses([hash], { searchTransactionHistory: true })
    if ((value[0] ?? undefined) !== undefined) return "known"
    return parseNonce(state)?.value !== wanted && context.slot >= read.context.slot
      ? yield* new TransactionDropped({
          hash,
          reason: `another transaction has used the value ${wanted} of the nonce account ${account}`
        })
      : "absent"
  })

/**
 * Looks up a transaction. Only a node that has seen the last block for its blockhash can show that it will not come: a node that is
 * behind does not know.
 */
const lookUpTransaction = (
  rpc: SolanaCalls,
  hash: string,
  lifetime: Lifetime
): Effect.Effect<TransactionStatus, ReadError | LostTransaction> => {
  if ("nonce" in lifetime) return lookUpByNonce(rpc, hash, lifetime.nonce)
  const { lastValidBlockHeight } = lifetime
  return Effect.gen(function* () {
    const { absoluteSlot, blockHeight } = yield* rpc.getEpochInfo({ commitment: "finalized" })
    const { context, value } = yield* rpc.getSignatureStatuses([hash], { searchTransactionHistory: true })
    if ((value[0] ?? undefined) !== undefined) return "known"
    return blockHeight > lastValidBlockHeight && context.slot >= absoluteSlot
      ? yield* new TransactionExpired({ hash, lastValidBlockHeight, height: blockHeight })
      : "absent"
  })
}

const SEND_CONFIG = { encoding: "base64", preflightCommitment: CONFIRMED.commitment } as const

/** Broadcasts a transaction. If the outcome is unclear, it sends the same bytes again as long as they are valid. */
export const broadcastSigned = (
  { nodes, rpc }: Pick<SolanaClient, "nodes" | "rpc">,
  signed: Signed,
  lifetime: Lifetime,
  wasBroadcast = false
): Effect.Effect<BroadcastOutcome, BroadcastError> => {
  const broadcaster: Broadcaster = {
    nodes,
    propagationMs: "nonce" in lifetime ? NONCE_MS : PROPAGATION_MS,
    resendMs: RESEND_MS,
    broadcast: ({ raw }) => rpc.sendTransaction(raw, SEND_CONFIG),
    lookUp: (hash) => lookUpTransaction(rpc, hash, lifetime)
  }
  return broadcastTransaction(broadcaster, signed, wasBroadcast)
}

/** The pause before the same bytes are sent again to nodes that have taken them, in milliseconds. */
const REPEAT_MS = 2_000

/**
 * Sends a transaction that nodes have taken again and again, as leaders leave out what they have no room for. It ends with
 * `TransactionExpired` or `TransactionDropped` once two nodes, if there are two, show that it can no longer land. What a node answers to it proves nothing.
 */
export const repeatUntilExpired = (
  { nodes, rpc }: Pick<SolanaClient, "nodes" | "rpc">,
  { hash, raw }: Signed,
  lifetime: Lifetime
): Effect.Effect<never, LostTransaction> =>
  lookUpOnAllNodes({ nodes, lookUp: (of) => lookUpTransaction(rpc, of, lifetime) }, hash).pipe(
    Effect.flatMap((shown) =>
      shown === "known" ? Effect.void : Effect.ignore(rpc.sendTransaction(raw, SEND_CONFIG))
    ),
    Effect.delay(REPEAT_MS),
    Effect.forever
  )
