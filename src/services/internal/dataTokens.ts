/** Requests about tokens of collections, whose answers have several forms. */
import * as Effect from "effect/Effect"
import type { DataChain } from "../../data/dataRoutes.js"
import type { GatewayCallError, InvalidArgument } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import {
  type DataClient,
  mapPage,
  readRenamedRow,
  readRow,
  requestOne,
  requestParts,
  toPage
} from "./dataRequests.js"

type Failure = GatewayCallError | InvalidArgument

interface TokenRequest {
  readonly call: string
  readonly chain: DataChain
}

/** A page of owners: rows with their balances in v4, bare addresses before. */
export const readOwners = mapPage((row) =>
  isRecord(row) && typeof row.address === "string" ? row.address : row
)

/** Owners of a token, as a page. */
export const requestOwners = (
  dataClient: DataClient,
  { call, chain }: TokenRequest,
  query: Readonly<Record<string, string | number | undefined>>
): Effect.Effect<unknown, Failure> =>
  requestOne(dataClient, {
    call,
    chain,
    route: "owners",
    query,
    read: (said) => Effect.succeed(readOwners(said))
  })

/** Whether an address has a token. v4 answers with an object without a described field: its only boolean counts. */
export const requestOwnership = (
  dataClient: DataClient,
  { call, chain }: TokenRequest,
  query: Readonly<Record<string, string | undefined>>
): Effect.Effect<unknown, Failure> =>
  requestOne(dataClient, {
    call,
    chain,
    route: "ownership",
    query,
    read: (said) => {
      const [first, ...more] = isRecord(said)
        ? Object.values(said).filter((value) => typeof value === "boolean")
        : []
      return Effect.succeed(first === undefined || more.length > 0 ? said : first)
    }
  })

const isList = (said: unknown): boolean => {
  const page = toPage(said)
  return isRecord(page) && Array.isArray(page.result)
}

/**
 * The metadata of tokens, as a page. For one token v4 answers with the metadata only; the legacy API has a list of tokens with theirs at
 * the same path.
 */
export const requestDocuments = (
  dataClient: DataClient,
  { call, chain }: TokenRequest,
  {
    tokenAddress,
    tokenIds
  }: { readonly tokenAddress: string; readonly tokenIds?: ReadonlyArray<string> | undefined }
): Effect.Effect<unknown, Failure> => {
  const [first, ...more] = (tokenIds ?? []).map((id) => ({ tokenIds: id }))
  const rows = mapPage(readRenamedRow)
  const readV4 = (said: unknown, tokenId: unknown): unknown => {
    if (isList(said)) return rows(said)
    if (!isRecord(said) || Object.keys(said).length === 0) return { result: [] }
    const row = readRenamedRow(said)
    const isRow = isRecord(row) && isRecord(row.metadata) && row.tokenId !== undefined
    return { result: [isRow ? row : { tokenAddress, tokenId, metadata: said }] }
  }
  return Effect.map(
    requestParts(dataClient, {
      call,
      chain,
      route: "metadata",
      query: { tokenAddress, tokenIds },
      ...(first === undefined ? { missingParameter: "tokenIds" } : { parts: [first, ...more] as const }),
      isLegacy: isList,
      read: (said, generation, part) =>
        Effect.succeed(generation === "v4" ? readV4(said, part.tokenIds) : mapPage(readRow)(said))
    }),
    ([page, ...pages]) =>
      pages.length === 0
        ? page
        : {
            result: [page, ...pages].flatMap((each) =>
              isRecord(each) && Array.isArray(each.result) ? each.result : []
            )
          }
  )
}
