/**
 * Options for TanStack Query 5 from the calls of a client: plain objects for `useQuery`, `useSuspenseQuery`, `useInfiniteQuery`,
 * `useMutation`, `queryClient.fetchQuery`, and their counterparts for Vue, Solid and Svelte.
 *
 * ```tsx
 * const sdk = await init({ network: "ethereum-mainnet" })
 *
 * const { data, error } = useQuery(balanceQueryOptions(sdk, { address }))
 * const height = useQuery({ ...blockNumberQueryOptions(sdk), refetchInterval: 12_000 })
 * const first = useQuery({ ...balanceQueryOptions(sdk, { address }), select: ([coin]) => coin?.balance })
 * const send = useMutation(writeMutationOptions(sdk, "wallet.transferNative"))
 * ```
 *
 * - **Errors** are the tagged errors of the calls (`error.cause` of a `Result`), and `error` has their type:
 *   `if (error?._tag === "NodeError")`.
 * - **Retries** are off in all options: the client already retries what is safe to send twice, on another node. TanStack's retries would
 *   multiply them.
 * - **Cancellation**: a query without observers aborts its request, since the call gets TanStack's signal.
 * - **Keys** are `["effect-chains", { network, client }, path, args]`, with EVM addresses in small letters, so that filters match all of a network, of a client
 *   or of a method: `invalidateQueries({ queryKey: ["effect-chains", { network: "ethereum-mainnet" }] })`. `client` numbers
 *   a network's clients in the order of their first use, or is the name that {@link nameClient} has given it:
 *   two clients of a network (with two API keys, say) never share an answer by accident. A view that `sdk.with(…)` returns is
 *   the same client; where the options change the answer (`node`), lengthen the key: `queryKey: [...options.queryKey, node]`.
 * - **Server rendering**: the only client of a network has the same number on both sides. Where there are several, or one
 *   per request, give them names. Amounts that are `bigint` need `dehydrate`'s `serializeData`, or a `select`.
 *
 * @since 0.1.0
 */
import type { DataTag, InfiniteData } from "@tanstack/react-query"
import type { NodeSnapshot } from "../src/balancer/NodePool.js"
import type { RpcOf } from "../src/client/Sdk.js"
import type { Result } from "../src/data/CallResult.js"
import type { AnswerTo, AnyChosen } from "../src/data/Endpoint.js"
import type { AnyNetwork, Network } from "../src/data/Network.js"
import {
  type Aborted,
  InvalidArgument,
  NoActiveNode,
  type RpcCallError,
  type Unexpected
} from "../src/data/SdkError.js"
import type { PromiseCallOptions } from "../src/promise.js"
import type { AddressTransaction, AddressTransactionsQuery, BalanceQuery } from "../src/services/Address.js"
import type { SubscriptionQuery, TemplateQuery } from "../src/services/Notification.js"
import type { RateQuery } from "../src/services/Rates.js"
import type { catalogue } from "../src/services/Services.js"
import type { TokenBalanceQuery } from "../src/services/Token.js"
import type { Effectful } from "../src/transport/Client.js"
import { findHeightCall } from "./heightCall.js"

/**
 * A client for the options, made by `init` of `effect-chains/promise` or of `effect-chains/chains/*`.
 *
 * @since 0.1.0
 * @category models
 */
export interface QueryClientSdk {
  readonly network: Network
  readonly rpc: object
  readonly nodes: () => ReadonlyArray<NodeSnapshot>
  readonly checkNodes: () => Promise<void>
  readonly with: (options: PromiseCallOptions) => Omit<QueryClientSdk, "with">
  readonly destroy: () => Promise<void>
}

/** A call of a Promise client. */
type AnyCall = (...args: never) => Promise<Result<unknown, unknown>>

/** The answer of a call without one: TanStack Query does not allow undefined as data. */
type NoAnswer = ReturnType<() => void>

/**
 * The dotted paths of the calls of a client.
 *
 * @since 0.1.0
 * @category types
 */
export type CallPath<C> = {
  readonly [K in keyof C & string]: C[K] extends AnyCall
    ? K
    : C[K] extends (...args: never) => unknown
      ? never
      : C[K] extends object
        ? `${K}.${CallPath<C[K]>}`
        : never
}[keyof C & string]

/** Paths of writes in a catalogue or an endpoint table. A raw call may be a read or a write, which only the caller knows. */
type WritePaths<C> = {
  readonly [K in keyof C & string]: K extends `raw${string}`
    ? never
    : C[K] extends "write" | Effectful
      ? K
      : C[K] extends string | ((...args: never) => unknown)
        ? never
        : `${K}.${WritePaths<C[K]>}`
}[keyof C & string]

/** Without a network in the client's type, the kind of its node methods is unknown. */
type WritePathsOf<N extends AnyNetwork> = WritePaths<typeof catalogue> | `rpc.${WritePaths<RpcOf<N>>}`

/**
 * The dotted paths of a client's reads.
 *
 * @since 0.1.0
 * @category types
 */
export type ReadPath<S extends QueryClientSdk> = Exclude<CallPath<S>, WritePathsOf<S["network"]>>

/**
 * The dotted paths of calls that may have an effect: writes, and raw calls.
 *
 * @since 0.1.0
 * @category types
 */
export type WritePath<S extends QueryClientSdk> = Extract<
  CallPath<S>,
  WritePathsOf<S["network"]> | `rpc.raw${string}`
>

/**
 * The call at a path of a client.
 *
 * @since 0.1.0
 * @category types
 */
export type CallAt<C, P> = P extends `${infer Head}.${infer Tail}`
  ? Head extends keyof C
    ? CallAt<C[Head], Tail>
    : never
  : P extends keyof C
    ? Extract<C[P], AnyCall>
    : never

/** The answer of a call. */
type SuccessOf<F extends AnyCall> = Extract<Awaited<ReturnType<F>>, { readonly status: "SUCCESS" }>["data"]

/**
 * The data of a call; null if it has no answer. Where an argument decides the type of the answer, it is the answer to `Args`.
 *
 * @since 0.1.0
 * @category types
 */
export type DataOf<F extends AnyCall, Args = Parameters<F>> = (
  F extends AnyChosen
    ? AnswerTo<F, Args>
    : SuccessOf<F>
) extends infer A
  ? A extends NoAnswer
    ? null
    : A
  : never

/**
 * The errors of a call, `Aborted` and `Unexpected` included.
 *
 * @since 0.1.0
 * @category types
 */
export type ErrorOf<F extends AnyCall> = Extract<
  Awaited<ReturnType<F>>,
  { readonly status: "ERROR" }
>["error"]["cause"]

/** The parameter `args`, optional if all arguments are. */
type OptionalArgs<Args extends ReadonlyArray<unknown>> = [] extends Args
  ? [args?: readonly [...Args]]
  : [args: readonly [...Args]]

/** The arguments from the parameter list of `OptionalArgs`. */
type SingleArgs<R extends ReadonlyArray<unknown>> = R extends readonly [infer Args] ? Args : []

/**
 * The client that a key belongs to.
 *
 * @since 0.1.0
 * @category models
 */
export interface ClientKey {
  readonly network: Network
  /** Its number among the clients of the network, or its name. */
  readonly client: number | string
}

/**
 * The key of a read. Arguments are in a form that JSON can hold: a bigint is `{ $bigint: "1" }`, bytes are `{ $bytes: "0x…" }`,
 * and a value that is compared by identity (a function, the instance of a class) is `{ $object: 1 }`, the same object the same
 * number.
 *
 * @since 0.1.0
 * @category models
 */
export type ReadKey = readonly [
  "effect-chains",
  client: ClientKey,
  path: string,
  args: ReadonlyArray<unknown>,
  ...kind: ReadonlyArray<string>
]

/**
 * A read for `useQuery` and its like. `retry` is always false: the client itself retries.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadQueryOptions<A, E> {
  readonly queryKey: DataTag<ReadKey, A, E>
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<A>
  readonly retry: (failureCount: number, error: E) => boolean
}

/**
 * A list that comes page by page, for `useInfiniteQuery` and its like.
 *
 * @since 0.1.0
 * @category models
 */
export interface PagesQueryOptions<A, P, E> {
  readonly queryKey: DataTag<ReadKey, InfiniteData<A, P>, E>
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: P }) => Promise<A>
  readonly initialPageParam: P
  readonly getNextPageParam: (
    page: A,
    pages: ReadonlyArray<A>,
    param: P,
    params: ReadonlyArray<P>
  ) => P | undefined
  readonly retry: (failureCount: number, error: E) => boolean
}

/**
 * A write for `useMutation` and its like. Its variables are the arguments of the call. It is sent once. Without a connection it fails at once
 * (`networkMode: "always"`): a paused write could be sent long after the user has wanted it.
 *
 * @since 0.1.0
 * @category models
 */
export interface WriteMutationOptions<A, E, Args> {
  readonly mutationKey: readonly ["effect-chains", client: ClientKey, path: string]
  readonly mutationFn: (args: Args) => Promise<A>
  readonly networkMode: "always"
  readonly retry: (failureCount: number, error: E) => boolean
}

/** The names of clients and the numbers of objects in keys. The key of a client in `names` is `destroy`, which all of its views share. */
interface KeyRegistry {
  readonly names: WeakMap<object, number | string>
  readonly counts: Map<string, number>
  readonly objects: WeakMap<object, number>
  lastObjectNumber: number
}

const isKeyRegistry = (value: unknown): value is KeyRegistry =>
  typeof value === "object" && value !== null && "names" in value && "counts" in value

/** The registry of this page: several copies of this module may write into one cache, so they share it. */
const getKeyRegistry = (): KeyRegistry => {
  const key = Symbol.for("effect-chains/query")
  const existing: unknown = Reflect.get(globalThis, key)
  if (isKeyRegistry(existing)) return existing
  const registry: KeyRegistry = {
    names: new WeakMap(),
    counts: new Map(),
    objects: new WeakMap(),
    lastObjectNumber: 0
  }
  Reflect.set(globalThis, key, registry)
  return registry
}

/**
 * Gives a client a name in keys, in place of its number, and returns the client. Clients with equal network and name share their answers,
 * also between server and browser.
 *
 * @since 0.1.0
 * @category conversions
 */
export const nameClient = <S extends QueryClientSdk>(sdk: S, name: string): S => {
  // views of a client share this one function
  getKeyRegistry().names.set(sdk.destroy, name)
  return sdk
}

/**
 * The part of a key that names the client.
 *
 * @since 0.1.0
 * @category conversions
 */
export const clientKey = ({ destroy, network }: Pick<QueryClientSdk, "destroy" | "network">): ClientKey => {
  const { counts, names } = getKeyRegistry()
  let client = names.get(destroy)
  if (client === undefined) {
    client = (counts.get(network) ?? 0) + 1
    counts.set(network, client)
    names.set(destroy, client)
  }
  return { network, client }
}

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** Encodes an argument for JSON. Different arguments have different encodings. */
const toJsonKey = (value: unknown): unknown => {
  if (typeof value === "bigint") return { $bigint: String(value) }
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) }
  if (typeof value === "symbol") return { $symbol: String(value) }
  // the spellings of an EVM address share their answers; this entry loads nothing of the SDK
  if (typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value)) return value.toLowerCase()
  if (typeof value !== "function" && (typeof value !== "object" || value === null)) return value
  if (Array.isArray(value)) return value.map(toJsonKey)
  if (value instanceof Uint8Array) {
    return { $bytes: `0x${Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("")}` }
  }
  if (value instanceof Date) return { $date: value.getTime() }
  if (typeof value === "object" && isPlainObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJsonKey(member)]))
  }
  const registry = getKeyRegistry()
  const number = registry.objects.get(value) ?? ++registry.lastObjectNumber
  registry.objects.set(value, number)
  return { $object: number }
}

/** Encodes arguments. Trailing undefined ones are dropped: they equal none. */
const toJsonKeys = (args: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  let length = args.length
  while (length > 0 && args[length - 1] === undefined) length--
  return args.slice(0, length).map(toJsonKey)
}

/** Makes the key of a call, tagged with the types of its data and error. */
function makeKey<A, E>(
  sdk: QueryClientSdk,
  path: string,
  args: ReadonlyArray<unknown>,
  ...kind: ReadonlyArray<string>
): DataTag<ReadKey, A, E>
function makeKey(
  sdk: QueryClientSdk,
  path: string,
  args: ReadonlyArray<unknown>,
  ...kind: ReadonlyArray<string>
): ReadKey {
  return ["effect-chains", clientKey(sdk), path, toJsonKeys(args), ...kind]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const isCallable = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

const isResult = (value: unknown): value is Result<unknown, Error> => isRecord(value) && "status" in value

const memberAt = (from: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce(
      (at: unknown, name) => (isRecord(at) && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined),
      from
    )

const makeInvalidArgument = (path: string, reason: string): InvalidArgument =>
  new InvalidArgument({ call: path, reason })

/** Calls the method at a path, and throws the tagged error of its result. The caller knows the type of the data. */
function callAt<A>(client: object, path: string, args: ReadonlyArray<unknown>): Promise<A>
async function callAt(client: object, path: string, args: ReadonlyArray<unknown>): Promise<unknown> {
  const method = memberAt(client, path)
  const result = isCallable(method) ? await method(...args) : undefined
  if (!isResult(result))
    throw makeInvalidArgument(path, "the client has no call of that name with one answer")
  return unwrapResult(result)
}

/** Returns the data of a result, or throws its error. TanStack Query does not allow undefined, so that becomes null. */
const unwrapResult = (result: Result<unknown, Error>): unknown => {
  if (result.status === "ERROR") throw result.error.cause
  return result.data === undefined ? null : result.data
}

/** The mark of a function that is more than a read. */
const markOf = (value: unknown, mark: keyof Effectful): unknown =>
  isCallable(value) ? Reflect.get(value, mark) : undefined

const isRaw = (path: string): boolean => path.startsWith("rpc.raw")

/**
 * Disables retries, since the client itself retries. TanStack Query infers the type of errors from its parameter.
 */
const neverRetry = <E>(_failureCount: number, _error: E): boolean => false

/** A read whose types the caller knows. */
const makeReadOptions = <A, E>(
  sdk: QueryClientSdk,
  path: string,
  args: ReadonlyArray<unknown>
): ReadQueryOptions<A, E> => ({
  queryKey: makeKey(sdk, path, args),
  queryFn: async ({ signal }) => {
    // for callers without types: TanStack Query repeats a query whenever the window gets the focus
    if (markOf(memberAt(sdk, path), "repeat") !== undefined && !isRaw(path)) {
      throw makeInvalidArgument(path, "it may have an effect, which makes it a mutation")
    }
    return callAt<A>(sdk.with({ signal }), path, args)
  },
  retry: neverRetry
})

/**
 * Any read of a client, by its dotted path.
 *
 * ```ts
 * useQuery(readQueryOptions(sdk, "nft.getNftMetadata", [{ tokenAddress, tokenId: "1" }]))
 * ```
 *
 * @since 0.1.0
 * @category operations
 */
export const readQueryOptions = <
  S extends QueryClientSdk,
  const P extends ReadPath<S>,
  const R extends OptionalArgs<Parameters<CallAt<S, P>>>
>(
  sdk: S,
  path: P,
  ...[args]: R
): ReadQueryOptions<DataOf<CallAt<S, P>, SingleArgs<R>>, ErrorOf<CallAt<S, P>>> =>
  makeReadOptions(sdk, path, args ?? [])

type Unprefixed<P> = P extends `rpc.${infer Name}` ? Name : never

/**
 * A call of the network's nodes by its name. The name of a method in a group has dots.
 *
 * ```ts
 * useQuery(rpcQueryOptions(sdk, "getTransactionCount", [address, "latest"]))
 * ```
 *
 * @since 0.1.0
 * @category operations
 */
export const rpcQueryOptions = <
  S extends QueryClientSdk,
  const P extends CallPath<S["rpc"]> & Unprefixed<ReadPath<S>>,
  const R extends OptionalArgs<Parameters<CallAt<S["rpc"], P>>>
>(
  sdk: S,
  method: P,
  ...[args]: R
): ReadQueryOptions<DataOf<CallAt<S["rpc"], P>, SingleArgs<R>>, ErrorOf<CallAt<S["rpc"], P>>> =>
  makeReadOptions(sdk, `rpc.${method}`, args ?? [])

/** A client that has the data API. */
type WithData = QueryClientSdk & { readonly data: object }

type UnprefixedData<P> = P extends `data.${infer Name}` ? Name : never

/** The reads of a client's data API, as paths without `data.`. */
type DataPath<S extends WithData> = CallPath<S["data"]> & UnprefixedData<ReadPath<S>>

/**
 * A read of the provider's data API, by its name in the groups of `sdk.data`.
 *
 * ```ts
 * useQuery(dataQueryOptions(sdk, "rates.getBySymbol", [{ symbol: "ETH", basePair: "EUR" }]))
 * ```
 *
 * @since 0.1.0
 * @category operations
 */
export const dataQueryOptions = <
  S extends WithData,
  const P extends DataPath<S>,
  const R extends OptionalArgs<Parameters<CallAt<S["data"], P>>>
>(
  sdk: S,
  method: P,
  ...[args]: R
): ReadQueryOptions<DataOf<CallAt<S["data"], P>, SingleArgs<R>>, ErrorOf<CallAt<S["data"], P>>> =>
  makeReadOptions(sdk, `data.${method}`, args ?? [])

/**
 * Any function that returns a result: a read of a contract, a name of ENS, the verification of a signature. `name` and `args` are the key,
 * and must contain all that the answer depends on. `ask` gets a view of the client whose requests are aborted with the query.
 *
 * ```ts
 * useQuery(
 *   resultQueryOptions(sdk, "balanceOf", [token, owner], (client) =>
 *     contract(client, { address: token, abi }).read.balanceOf(owner)
 *   )
 * )
 * ```
 *
 * @since 0.1.0
 * @category operations
 */
export const resultQueryOptions = <
  S extends QueryClientSdk,
  F extends (client: S) => Promise<Result<unknown, Error>>
>(
  sdk: S,
  name: string,
  args: ReadonlyArray<unknown>,
  ask: F
): ReadQueryOptions<DataOf<F>, ErrorOf<F>> => ({
  queryKey: makeKey(sdk, name, args),
  queryFn: async ({ signal }) => {
    // a view has the client's calls, and the type of the function has the data's
    const client = sdk.with({ signal }) as S
    return unwrapResult(await ask(client)) as DataOf<F>
  },
  retry: neverRetry
})

/** A client with a call. */
type With<Service extends string, Method extends string> = QueryClientSdk & {
  readonly [S in Service]: { readonly [M in Method]: AnyCall }
}

/**
 * Balances of addresses: `address.getBalance`. Amounts are decimal strings in whole coins.
 *
 * @since 0.1.0
 * @category operations
 */
export const balanceQueryOptions = <S extends With<"address", "getBalance">>(
  sdk: S,
  query: BalanceQuery
): ReadQueryOptions<DataOf<S["address"]["getBalance"]>, ErrorOf<S["address"]["getBalance"]>> =>
  makeReadOptions(sdk, "address.getBalance", [query])

/**
 * Balances of fungible tokens: `token.getBalance`. Amounts are decimal strings in whole tokens.
 *
 * @since 0.1.0
 * @category operations
 */
export const tokenBalancesQueryOptions = <S extends With<"token", "getBalance">>(
  sdk: S,
  query: TokenBalanceQuery
): ReadQueryOptions<DataOf<S["token"]["getBalance"]>, ErrorOf<S["token"]["getBalance"]>> =>
  makeReadOptions(sdk, "token.getBalance", [query])

/**
 * The current fees of a transaction: `fee.getCurrentFee`, in Gwei or in the smallest unit per byte.
 *
 * @since 0.1.0
 * @category operations
 */
export const feeQueryOptions = <S extends With<"fee", "getCurrentFee">>(
  sdk: S
): ReadQueryOptions<DataOf<S["fee"]["getCurrentFee"]>, ErrorOf<S["fee"]["getCurrentFee"]>> =>
  makeReadOptions(sdk, "fee.getCurrentFee", [])

/**
 * The rate of a currency in another: `rates.getCurrentRate`.
 *
 * @since 0.1.0
 * @category operations
 */
export const rateQueryOptions = <S extends With<"rates", "getCurrentRate">>(
  sdk: S,
  { basePair, currency }: Omit<RateQuery, "batchId">
): ReadQueryOptions<DataOf<S["rates"]["getCurrentRate"]>, ErrorOf<S["rates"]["getCurrentRate"]>> =>
  makeReadOptions(sdk, "rates.getCurrentRate", [currency, basePair])

/**
 * One page of the API key's subscriptions: `notification.getAll`.
 *
 * @since 0.1.0
 * @category operations
 */
export const subscriptionsQueryOptions = <S extends With<"notification", "getAll">>(
  sdk: S,
  query: SubscriptionQuery = {}
): ReadQueryOptions<DataOf<S["notification"]["getAll"]>, ErrorOf<S["notification"]["getAll"]>> =>
  makeReadOptions(sdk, "notification.getAll", [query])

/** A client with notification templates. */
type WithTemplates = QueryClientSdk & {
  readonly notification: { readonly templates: { readonly getAll: AnyCall } }
}

/**
 * One page of the API key's notification templates: `notification.templates.getAll`.
 *
 * @since 0.1.0
 * @category operations
 */
export const templatesQueryOptions = <S extends WithTemplates>(
  sdk: S,
  query: TemplateQuery = {}
): ReadQueryOptions<
  DataOf<S["notification"]["templates"]["getAll"]>,
  ErrorOf<S["notification"]["templates"]["getAll"]>
> => makeReadOptions(sdk, "notification.templates.getAll", [query])

/**
 * The height of the chain; on Solana the slot, as in `useBlockNumber`. It comes from the family's call for it, else from a health check of
 * all nodes. Fails with `NoActiveNode` if the check finds no height.
 *
 * @since 0.1.0
 * @category operations
 */
export const blockNumberQueryOptions = (
  sdk: QueryClientSdk
): ReadQueryOptions<bigint, RpcCallError | Aborted | Unexpected> => ({
  queryKey: makeKey(sdk, "blockNumber", []),
  queryFn: async ({ signal }) => {
    const client = sdk.with({ signal })
    const name = findHeightCall(client.rpc)
    if (name !== undefined) return BigInt(await callAt<bigint | number>(client.rpc, name, []))
    await client.checkNodes()
    const height = Math.max(0, ...client.nodes().map(({ lastBlock }) => lastBlock))
    if (height > 0) return BigInt(height)
    const reason = "no node has a height"
    throw new NoActiveNode({ network: sdk.network, type: "NORMAL", manual: false, reason })
  },
  retry: neverRetry
})

/**
 * The start of a page of transfers: its offset, or on Tezos the cursor from the page before.
 *
 * @since 0.1.0
 * @category models
 */
export type TransactionsParam = number | string

type Unpaged<Q> = Q extends unknown ? Omit<Q, "page" | "cursor"> : never

/**
 * A query for transfers, page by page. `pageSize` is 10 by default.
 *
 * @since 0.1.0
 * @category models
 */
export type TransactionsPages = Unpaged<AddressTransactionsQuery>

/** The rows of a page as text: a page is a list, or on Tezos an object with cursors. */
const rowsOf = (page: unknown): ReadonlyArray<string> => {
  const rows = isRecord(page) && "result" in page ? page.result : page
  return Array.isArray(rows) ? rows.map((row) => JSON.stringify(row)) : []
}

/** The default `pageSize` of `address.getTransactions`. */
const PAGE_SIZE = 10

/**
 * The offset of the next page of a list. The provider's reference does not say whether offsets count pages or items, so the second page
 * is requested at 1: it overlaps with the first if they count items.
 */
const nextOffset = (pageSize: number, pages: ReadonlyArray<unknown>, offset: number): number | undefined => {
  const rows = rowsOf(pages.at(-1))
  if (rows.length < pageSize) return undefined
  const [first, second] = pages
  const earlierRows = new Set(pages.slice(0, -1).flatMap(rowsOf))
  // a page without new items ends the list, which would never end otherwise
  if (rows.every((row) => earlierRows.has(row))) return undefined
  if (second === undefined) return offset + 1
  const firstRows = new Set(rowsOf(first))
  const shared = rowsOf(second).filter((row) => firstRows.has(row)).length
  return offset + (2 * shared >= pageSize ? pageSize : 1)
}

/** The start of the next page of transfers. On Tezos the page has the cursor. */
const nextPage =
  (pageSize: number) =>
  <A>(
    page: A,
    pages: ReadonlyArray<A>,
    param: TransactionsParam,
    params: ReadonlyArray<TransactionsParam>
  ): TransactionsParam | undefined => {
    if (isRecord(page) && "result" in page) {
      const { nextPage: cursor } = page
      return typeof cursor === "string" &&
        cursor !== "" &&
        !params.includes(cursor) &&
        rowsOf(page).length > 0
        ? cursor
        : undefined
    }
    return typeof param === "string" ? undefined : nextOffset(pageSize, pages, param)
  }

/**
 * Transfers of an address, page by page: `address.getTransactions`. {@link transactionsOf} makes one list of the pages.
 *
 * ```ts
 * const { data, fetchNextPage, hasNextPage } = useInfiniteQuery({
 *   ...transactionsInfiniteQueryOptions(sdk, { address }),
 *   select: transactionsOf
 * })
 * ```
 *
 * @since 0.1.0
 * @category operations
 */
export const transactionsInfiniteQueryOptions = <S extends With<"address", "getTransactions">>(
  sdk: S,
  query: TransactionsPages
): PagesQueryOptions<
  DataOf<S["address"]["getTransactions"]>,
  TransactionsParam,
  ErrorOf<S["address"]["getTransactions"]>
> => ({
  queryKey: makeKey(sdk, "address.getTransactions", [query], "pages"),
  queryFn: ({ pageParam, signal }) =>
    callAt(sdk.with({ signal }), "address.getTransactions", [
      { ...query, ...(typeof pageParam === "string" ? { cursor: pageParam } : { page: pageParam }) }
    ]),
  initialPageParam: 0,
  getNextPageParam: nextPage(query.pageSize ?? PAGE_SIZE),
  retry: neverRetry
})

/** A page: a list, or an object with one. */
type Page<A> = ReadonlyArray<A> | { readonly result: ReadonlyArray<A> }

/** The rows of all pages without duplicates. */
const distinctItems = <A>(pages: ReadonlyArray<Page<A>>): ReadonlyArray<A> => [
  ...new Map(
    pages
      .flatMap((page) => ("result" in page ? page.result : page))
      .map((row) => [JSON.stringify(row), row] as const)
  ).values()
]

/**
 * The transfers of all loaded pages without duplicates.
 *
 * @since 0.1.0
 * @category operations
 */
export const transactionsOf = ({
  pages
}: {
  readonly pages: ReadonlyArray<Page<AddressTransaction>>
}): ReadonlyArray<AddressTransaction> => distinctItems(pages)

/**
 * The paged reads of a client's data API: those whose query has an `offset`.
 *
 * @since 0.1.0
 * @category types
 */
export type DataPagesPath<S extends WithData> = {
  readonly [P in DataPath<S>]: Parameters<CallAt<S["data"], P>> extends readonly [infer Q]
    ? "offset" extends keyof Q
      ? P
      : never
    : never
}[DataPath<S>]

/** The default `pageSize` of the data API. */
const DATA_PAGE_SIZE = 50

/**
 * A list of the provider's data API, page by page. `pageSize` is 50 by default. {@link itemsOf} makes one list of the pages.
 *
 * ```ts
 * const { data, fetchNextPage, hasNextPage } = useInfiniteQuery({
 *   ...dataInfiniteQueryOptions(sdk, "tokens.getTrending", { chain: "base-mainnet" }),
 *   select: itemsOf
 * })
 * ```
 *
 * @since 0.1.0
 * @category operations
 */
export const dataInfiniteQueryOptions = <S extends WithData, const P extends DataPagesPath<S>>(
  sdk: S,
  method: P,
  query: Omit<Parameters<CallAt<S["data"], P>>[0], "offset"> & { readonly pageSize?: number }
): PagesQueryOptions<DataOf<CallAt<S["data"], P>>, number, ErrorOf<CallAt<S["data"], P>>> => {
  const path = `data.${method}`
  const pageSize = query.pageSize ?? DATA_PAGE_SIZE
  return {
    queryKey: makeKey(sdk, path, [query], "pages"),
    queryFn: ({ pageParam, signal }) =>
      callAt(sdk.with({ signal }), path, [{ ...query, pageSize, offset: pageParam }]),
    initialPageParam: 0,
    getNextPageParam: (_, pages, offset) => nextOffset(pageSize, pages, offset),
    retry: neverRetry
  }
}

/**
 * The items of all loaded pages without duplicates.
 *
 * @since 0.1.0
 * @category operations
 */
export const itemsOf = <A>({
  pages
}: {
  readonly pages: ReadonlyArray<ReadonlyArray<A>>
}): ReadonlyArray<A> => distinctItems(pages)

/**
 * A write by its dotted path. The mutation's variables are the arguments, as a list: `mutate([receiver, "1.5"])`.
 *
 * @since 0.1.0
 * @category operations
 */
export const writeMutationOptions = <S extends QueryClientSdk, const P extends WritePath<S>>(
  sdk: S,
  path: P
): WriteMutationOptions<DataOf<CallAt<S, P>>, ErrorOf<CallAt<S, P>>, Parameters<CallAt<S, P>>> => ({
  mutationKey: ["effect-chains", clientKey(sdk), path],
  mutationFn: (args) => callAt(sdk, path, args),
  networkMode: "always",
  retry: neverRetry
})

/**
 * A write that gives a result: the payment of a signer, the write of a contract, the connection of a wallet. The mutation's variables are
 * the arguments of the function, as a list. It is sent once.
 *
 * ```ts
 * const { mutate } = useMutation(resultMutationOptions(sdk, "send", signer.send))
 * mutate([{ to, amount: "1.5", confirmations: 1 }])
 * ```
 *
 * @since 0.1.0
 * @category operations
 */
export const resultMutationOptions = <Args extends ReadonlyArray<unknown>, R extends Result<unknown, Error>>(
  sdk: QueryClientSdk,
  name: string,
  write: (...args: Args) => Promise<R>
): WriteMutationOptions<DataOf<typeof write>, ErrorOf<typeof write>, Args> => ({
  mutationKey: ["effect-chains", clientKey(sdk), name],
  // the data is that of the function's own type
  mutationFn: async (args) => unwrapResult(await write(...args)) as DataOf<typeof write>,
  networkMode: "always",
  retry: neverRetry
})
