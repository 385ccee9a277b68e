/**
 * Metadata of tokens, from their contracts and their authors' documents.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Units from "../../../data/Units.js"
import type { TokenDetails, TokenInfo } from "../../api/Data.js"
import {
  callContract,
  decodeInteger,
  decodeText,
  findTokenKind,
  readTokenFacts
} from "../../indexer/Tokens.js"
import type { Rpc } from "../../indexer/Utxo.js"
import type { SandboxError } from "../../SandboxError.js"
import type { StoredToken } from "./Holdings.js"

/**
 * A metadata document and its URI.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenDescription {
  readonly metadataURI?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * Finds the document of a URI; undefined if there is none, or if it is no metadata.
 *
 * @since 0.1.0
 * @category models
 */
export type ResolveDocument = (uri: string) => Effect.Effect<unknown>

const toWord = (number: bigint): string => number.toString(16).padStart(64, "0")

/** Ids from this number on do not fit into a contract, so they belong to no token. */
const UINT256_LIMIT = 2n ** 256n

/**
 * The URI of a token's metadata: the contract's own for the token (with the id in place of `{id}`), or else its base
 * URI with the id appended. Undefined if the contract has neither. Fails if the node does (`chain`).
 *
 * @since 0.1.0
 * @category getters
 */
export const readUri = (
  rpc: Rpc,
  token: string,
  tokenId: string,
  kind: "nft" | "multitoken"
): Effect.Effect<string | undefined, SandboxError> =>
  Effect.gen(function* () {
    const id = BigInt(tokenId)
    if (id >= UINT256_LIMIT) return undefined
    const own = decodeText(yield* callContract(rpc, token, kind === "nft" ? "tokenURI" : "uri", toWord(id)))
    if (own !== undefined && own !== "") return own.replaceAll("{id}", toWord(id))
    // a contract reverts for a token that does not exist
    const base = own === undefined ? undefined : decodeText(yield* callContract(rpc, token, "baseURI"))
    return base ? `${base}${tokenId}` : undefined
  })

const isDocument = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * A token of a collection: the address of its contract, and its id there.
 *
 * @since 0.1.0
 * @category models
 */
export interface CollectionToken {
  readonly token: string
  readonly tokenId: string
  readonly kind: "nft" | "multitoken"
}

/**
 * The author's metadata of a token, as far as it can be found. Fails if the node does (`chain`).
 *
 * @since 0.1.0
 * @category getters
 */
export const readDescription = (
  rpc: Rpc,
  resolve: ResolveDocument,
  { kind, token, tokenId }: CollectionToken
): Effect.Effect<TokenDescription, SandboxError> =>
  Effect.gen(function* () {
    const metadataURI = yield* readUri(rpc, token, tokenId, kind)
    if (metadataURI === undefined) return {}
    const metadata = yield* resolve(metadataURI)
    return isDocument(metadata) ? { metadataURI, metadata } : { metadataURI }
  })

/**
 * A token of a collection with its metadata; see `readDescription`.
 *
 * @since 0.1.0
 * @category getters
 */
export const readTokenDetails = (
  network: string,
  { kind, token, tokenId }: CollectionToken,
  described: TokenDescription
): typeof TokenDetails.Type => ({
  chain: network,
  tokenId,
  tokenAddress: token,
  tokenType: kind,
  type: kind,
  ...described
})

/**
 * The details of a token from the store, or else from the contract; undefined if the contract is no token. Fails if the
 * node does (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const readToken = (
  rpc: Rpc,
  token: string,
  stored: StoredToken | undefined
): Effect.Effect<StoredToken | undefined, SandboxError> =>
  Effect.gen(function* () {
    if (stored !== undefined) return stored
    const kind = yield* findTokenKind(rpc, token)
    return kind === undefined ? undefined : yield* readTokenFacts(rpc, token, kind)
  })

/** The cap of contracts without a limit. */
const NO_CAP = UINT256_LIMIT - 1n

const formatAmount = (amount: bigint | undefined, decimals: number): string | undefined =>
  amount === undefined ? undefined : Units.format(amount, decimals)

/**
 * The details of a token. `existing` is the number of a collection's tokens, for contracts that do not count them.
 * `described` belongs to one of them. Fails if the node does (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const readTokenInfo = (
  rpc: Rpc,
  token: string,
  {
    decimals = 0,
    described,
    existing,
    kind,
    name,
    network,
    symbol
  }: StoredToken & {
    readonly network: string
    readonly existing: number
    readonly described?: TokenDescription
  }
): Effect.Effect<typeof TokenInfo.Type, SandboxError> =>
  Effect.gen(function* () {
    const common = { chain: network, tokenType: kind, symbol, name }
    if (kind === "fungible") {
      const [total, limit] = yield* Effect.all(
        [callContract(rpc, token, "totalSupply"), callContract(rpc, token, "cap")],
        {
          concurrency: 2
        }
      )
      const cap = decodeInteger(limit)
      return {
        ...common,
        decimals,
        supply: formatAmount(decodeInteger(total), decimals),
        cap: cap === NO_CAP ? undefined : formatAmount(cap, decimals)
      }
    }
    if (described !== undefined || kind === "multitoken") return { ...common, ...described }
    const total = decodeInteger(yield* callContract(rpc, token, "totalSupply"))
    return { ...common, supply: String(total ?? existing) }
  })
