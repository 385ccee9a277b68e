/**
 * Vectors of the data API in both of its generations. The specification has the paths of the legacy one, and so have the vectors: those
 * of today are derived from them by the names that paths and parameters have there.
 */
import type { CallVector, Reply, Vector, WireRequest } from "./vectors.js"

type Query = NonNullable<WireRequest["query"]>

const mainnets = new Set(["ethereum", "bsc", "polygon", "celo", "bitcoin"])

/** Today's routes take the provider's full names of networks alone. */
const named = ([name, value]: Query[number]): Query[number] => [
  name,
  name === "chain" && mainnets.has(value) ? `${value}-mainnet` : value
]

/** By legacy path: today's, and the parameters that have other names there. */
const moved: Readonly<Record<string, readonly [path: string, renamed: Readonly<Record<string, string>>]>> = {
  "/data/balances": ["/data/wallet/portfolio", {}],
  "/data/transactions": [
    "/data/transaction/history",
    { tokenTypes: "transactionTypes", transactionSubTypes: "transactionSubtype" }
  ],
  "/data/events": ["/data/defi/events", { contractAddress: "address" }],
  "/data/blocks": ["/data/defi/blocks", { blockFrom: "from", blockTo: "to" }],
  "/data/blocks/latest": ["/data/defi/blocks/latest", {}],
  "/data/collections": ["/data/collections", { tokenAddress: "collectionAddresses" }],
  "/data/metadata": ["/data/metadata", { tokenIds: "tokenId" }],
  "/data/owners": ["/data/owners", {}],
  "/data/owners/address": ["/data/owners/address", { address: "ownerAddress" }],
  "/data/tokens": ["/data/tokens", {}],
  "/data/utxos": ["/data/utxos", {}]
}

const historyPath = /^\/(bitcoin|litecoin|dogecoin)\/transaction\/address\/(.+)$/

/** Where a path of v4 is: the environment's url stands for the whole API, but for calls to v3, which have a place of their own. */
const placeOf = (path: string, env: CallVector["env"]): Pick<WireRequest, "base" | "path"> => {
  if (env?.TATUM_URL === undefined) return { base: "v4", path }
  const { origin, pathname } = new URL(env.TATUM_URL)
  return { base: `other:${origin}`, path: `${pathname.replace(/\/$/, "")}${path}` }
}

/** Today's history has no pages and no heights in its question: the client takes its part of the answer. */
const historyOf = (request: WireRequest, { config, env, network }: CallVector): WireRequest | undefined => {
  const [, chain, address] = historyPath.exec(request.path) ?? []
  if (chain === undefined || address === undefined) return undefined
  const kept = (request.query ?? []).filter(([name]) => name === "txType" || name === "type")
  const query: Query = [["chain", `${chain}-${network.replace(/^.*-/, "")}`], ["address", address], ...kept]
  const { v4 } = typeof config.apiKey === "object" ? config.apiKey : {}
  const headers = v4 === undefined ? request.headers : { ...request.headers, "x-api-key": v4 }
  return {
    ...request,
    ...(headers === undefined ? {} : { headers }),
    ...placeOf("/data/blockchains/transaction/history/utxos", env),
    query
  }
}

/** All kinds that a client asks the provider for: on Tezos coins are among them, elsewhere the nodes have those. */
const kindsOf = ({ network, target }: CallVector): ReadonlyArray<string> => [
  ...(network.startsWith("tezos") || !target.startsWith("address.") ? ["native"] : []),
  "fungible",
  "nft",
  "multitoken"
]

/** A request for each value: kinds of assets and ids of tokens that one request of today cannot name together. */
const split = (request: WireRequest, vector: CallVector): ReadonlyArray<WireRequest> => {
  const { path, query = [] } = request
  const name = path === "/data/wallet/portfolio" ? "tokenTypes" : path === "/data/metadata" ? "tokenId" : ""
  if (name === "") return [request]
  const given = query.find(([each]) => each === name)?.[1]
  const values = given?.split(",") ?? kindsOf(vector)
  const items: ReadonlyArray<string> = values.filter((value) => value === "nft" || value === "multitoken")
  const parts =
    name === "tokenId"
      ? values
      : [
          ...values.filter((value) => !items.includes(value)),
          ...(items.length === 0 ? [] : [items.join(",")])
        ]
  const rest = query.filter(([each]) => each !== name)
  return parts.map((part) => ({ ...request, query: [...rest, [name, part]] }))
}

/** What a request of the legacy generation is today: nothing of another API changes. */
const today = (request: WireRequest, vector: CallVector): ReadonlyArray<WireRequest> => {
  const history = historyOf(request, vector)
  if (history !== undefined) return [history]
  const [path, renamed] = moved[request.path] ?? []
  if (path === undefined || renamed === undefined) return [request]
  const query = (request.query ?? []).map(named)
  const isByHash = path === "/data/transaction/history" && query.some(([name]) => name === "hash")
  const changed = {
    ...request,
    path: isByHash ? "/data/transactions/hash" : path,
    query: query.map(([name, value]): Query[number] => [renamed[name] ?? name, value])
  }
  return split(changed, vector)
}

const concerns = ({ path }: WireRequest): boolean => moved[path] !== undefined || historyPath.test(path)

/** A vector of the data API in today's generation, if it is one. */
const inV4 = (vector: CallVector): ReadonlyArray<CallVector> => {
  const { corrected, requests, responses } = vector
  const recorded = corrected ?? requests
  if (!recorded.some(concerns)) return []
  const parts = recorded.map((request) => today(request, vector))
  const none: Reply = { body: { result: [] } }
  const isPart = recorded.some(
    ({ path, query = [] }) => historyPath.test(path) && query.some(([name]) => name === "offset")
  )
  const { result: _, correctedResult: __, ...open } = vector
  const derived = parts.flat()
  return [
    {
      // of a part of a history the client decides: what is asked counts
      ...(isPart ? open : vector),
      id: `${vector.id} (v4)`,
      config: { ...vector.config, dataApi: "v4" },
      requests: derived,
      corrected: derived,
      responses: parts.flatMap((part, i) => part.map((_, j) => (j === 0 ? (responses[i] ?? none) : none)))
    }
  ]
}

/** Vectors as the specification has them, and those of the data API as they are today besides. */
export const inBoth = (vectors: ReadonlyArray<Vector>): ReadonlyArray<Vector> =>
  vectors.flatMap(
    (vector): ReadonlyArray<Vector> =>
      vector.kind === "call"
        ? [{ ...vector, config: { ...vector.config, dataApi: "legacy" } }, ...inV4(vector)]
        : [vector]
  )
