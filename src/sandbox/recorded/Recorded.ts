/**
 * Networks without a node answer with recordings. Every recorded answer has the header `x-sandbox-recorded: true`.
 *
 * @since 0.1.0
 */
import { readdir, readFile } from "node:fs/promises"
import { basename, join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { type Layout, routeAt } from "../../balancer/Layout.js"
import { loadFamily } from "../../chains/registry.js"
import { type FamilyId, info, isNetwork, type Network, networks, suggest } from "../../data/Network.js"
import { bigintIntegers } from "../../wire/bigintIntegers.js"
import type { Handler, HandlerRequest, HandlerResponse } from "../Handler.js"
import { jsonResponse, parseBody, withRealClock } from "../Loopback.js"
import { SandboxError } from "../SandboxError.js"
import {
  PlainText,
  type RecordedFamily,
  RecordedRefusal,
  type RecordedRequest,
  type Recording,
  UnknownBlockHash
} from "./Recording.js"

export {
  PlainText,
  type RecordedFamily,
  RecordedRefusal,
  type RecordedRequest,
  type Recording
} from "./Recording.js"

/** Loads the recordings of a family for the first network that needs them. */
const familyLoaders: { readonly [F in FamilyId]?: () => Promise<RecordedFamily> } = {
  bnb: async () => (await import("./Bnb.js")).bnb,
  cardano: async () => (await import("./Rosetta.js")).cardano,
  electrs: async () => (await import("./Rostrum.js")).rostrum,
  rostrum: async () => (await import("./Rostrum.js")).rostrum,
  stellar: async () => (await import("./Stellar.js")).stellar,
  eos: async () => (await import("./Eos.js")).eos,
  tron: async () => (await import("./Tron.js")).tron,
  kadena: async () => (await import("./Kadena.js")).kadena,
  tezos: async () => (await import("./Tezos.js")).tezos,
  casper: async () => (await import("./Casper.js")).casper,
  "algorand-algod": async () => (await import("./Algorand.js")).algod,
  "algorand-indexer": async () => (await import("./Algorand.js")).indexer,
  zksync: async () => (await import("./ZkSync.js")).zksync,
  "evm-native": async () => (await import("./Klaytn.js")).klaytn,
  sui: async () => (await import("./Sui.js")).sui,
  near: async () => (await import("./Near.js")).near,
  polkadot: async () => (await import("./Polkadot.js")).polkadot,
  flow: async () => (await import("./Flow.js")).flow,
  multiversx: async () => (await import("./MultiversX.js")).multiversx,
  zilliqa: async () => (await import("./Zilliqa.js")).zilliqa,
  "avalanche-p": async () => (await import("./Avalanche.js")).avalancheP,
  "avalanche-x": async () => (await import("./Avalanche.js")).avalancheX,
  cosmos: async () => (await import("./Cosmos.js")).cosmos,
  ton: async () => (await import("./Ton.js")).ton,
  iota: async () => (await import("./Iota.js")).iota,
  xrp: async () => (await import("./Xrp.js")).xrp
}

/**
 * Whether a network answers with recordings: all of it, or (zkSync, Klaytn) the methods that no node here has.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isRecorded = (network: Network): boolean => familyLoaders[info(network).family] !== undefined

/**
 * The recordings that the SDK has for a network; none if a node runs.
 *
 * @since 0.1.0
 * @category constants
 */
export const loadRecordedFamily = (network: Network): Effect.Effect<RecordedFamily | undefined> =>
  Effect.promise(async () => familyLoaders[info(network).family]?.())

/**
 * The options of a recorded network. `recordings` is a folder with JSON files of {@link Recording}s (their answers are
 * data), which take precedence over the SDK's own. A file's name begins with the id of a network or of a family and a
 * dot: `ripple-mainnet.json`, `xrp.accounts.json`. `live` are answers of a running node at paths. They take precedence
 * over the SDK's recordings and are not marked; `undefined` leaves a request to the recordings. `blockTime` in
 * milliseconds replaces the chain's own. A request without a recording goes to `otherwise`, if there is such a node.
 *
 * @since 0.1.0
 * @category models
 */
export interface RecordedOptions {
  readonly recordings?: string
  readonly live?: ReadonlyArray<Recording>
  readonly blockTime?: number
  readonly otherwise?: Handler
}

const RecordingFile = Schema.Array(
  Schema.Struct({
    verb: Schema.optionalWith(Schema.Literal("GET", "POST"), { exact: true }),
    path: Schema.optionalWith(Schema.String.pipe(Schema.startsWith("/")), { exact: true }),
    method: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
    status: Schema.optionalWith(Schema.Int.pipe(Schema.between(200, 599)), { exact: true }),
    answer: Schema.Unknown
  }).pipe(
    Schema.filter((recording) =>
      (recording.path === undefined) === (recording.method === undefined)
        ? "must have either path or method"
        : recording.answer !== undefined || "must have an answer"
    )
  )
)

const decodeFile = Schema.decodeUnknown(Schema.parseJson(RecordingFile), { onExcessProperty: "error" })

const makeOptionsError = (message: string): SandboxError => new SandboxError({ reason: "options", message })

const families: ReadonlySet<string> = new Set(Object.values(networks).map(({ family }) => family))

/** Reads and checks all files of a folder, including those for other networks. */
const readFolder = (
  folder: string,
  network: Network
): Effect.Effect<ReadonlyArray<Recording>, SandboxError> =>
  Effect.gen(function* () {
    const names = yield* Effect.tryPromise({
      try: () => readdir(folder),
      catch: (error) =>
        makeOptionsError(
          `The folder of recordings ${folder} cannot be read (${String(error)}): make it, or name another`
        )
    })
    const lists = yield* Effect.forEach(names.filter((name) => name.endsWith(".json")).sort(), (name) =>
      Effect.gen(function* () {
        const [of = ""] = basename(name).split(".")
        if (!isNetwork(of) && !families.has(of)) {
          const near = suggest(of)
          return yield* makeOptionsError(
            `${name} in ${folder} is named after no network and no family: rename it to the id of the network that its recordings are for${near === undefined ? "" : `, ${near}.json perhaps`}`
          )
        }
        const text = yield* Effect.tryPromise({
          try: () => readFile(join(folder, name), "utf8"),
          catch: (error) => makeOptionsError(`${name} in ${folder} cannot be read: ${String(error)}`)
        })
        const recordings = yield* Effect.mapError(decodeFile(text), (error) =>
          makeOptionsError(
            `${name} in ${folder} has no recordings that can be used: ${ParseResult.TreeFormatter.formatErrorSync(error)}`
          )
        )
        return of === network || of === info(network).family ? recordings : []
      })
    )
    return lists.flat()
  })

interface RecordedRoute {
  readonly segments: ReadonlyArray<string>
  readonly recording: Recording
  readonly isLive: boolean
}

const splitPath = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")

/** The parameters of a path; undefined if the route does not match. */
const matchRoute = (
  { segments }: RecordedRoute,
  path: ReadonlyArray<string>
): Readonly<Record<string, string>> | undefined => {
  const names: Record<string, string> = {}
  for (const [i, segment] of segments.entries()) {
    if (segment === "*") {
      names["*"] = path.slice(i).join("/")
      return i < path.length ? names : undefined
    }
    const given = path[i]
    if (given === undefined) return undefined
    if (segment.startsWith(":")) names[segment.slice(1)] = given
    else if (segment !== given) return undefined
  }
  return segments.length === path.length ? names : undefined
}

/** Of two routes that match a path, the one with more literal segments wins. */
const countPlainSegments = ({ segments }: RecordedRoute): number =>
  segments.filter((segment) => !segment.startsWith(":") && segment !== "*").length

const unescapeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const readAt = (value: unknown, keys: ReadonlyArray<string>): unknown =>
  keys.reduce<unknown>((at, key) => (isObject(at) ? Reflect.get(at, key) : undefined), value)

type RequestFields = Pick<RecordedRequest, "accept" | "body" | "network" | "params" | "path" | "verb"> & {
  readonly names: Readonly<Record<string, string>>
}

const markRecorded = (answer: HandlerResponse): HandlerResponse => ({
  ...answer,
  headers: { ...answer.headers, "x-sandbox-recorded": "true" }
})

/** JSON of any depth, with bigint as integers of any size. */
const toJsonResponse = (body: unknown, status = 200): HandlerResponse => ({
  ...jsonResponse(null, status),
  body: body === undefined ? Buffer.alloc(0) : Buffer.from(bigintIntegers.stringify(body))
})

const toTextResponse = (text: string, status = 200): HandlerResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", "access-control-allow-origin": "*" },
  body: Buffer.from(text)
})

/** The body of a request: JSON, a form, or text. Undefined for invalid JSON. */
const readBody = ({ body, headers }: HandlerRequest): unknown => {
  if (body.length === 0) return {}
  const type = headers["content-type"] ?? "application/json"
  if (type.includes("x-www-form-urlencoded"))
    return Object.fromEntries(new URLSearchParams(body.toString("utf8")))
  return type.includes("json") ? parseBody(body) : body.toString("latin1")
}

const makeError = (code: number, message: string): { readonly code: number; readonly message: string } => ({
  code,
  message
})

/** The recordings of a network, and the time of their start. */
interface ReplayedNetwork {
  readonly network: Network
  readonly family: string
  readonly testnet: boolean
  readonly shipped: RecordedFamily
  readonly layout: Layout
  readonly options: RecordedOptions
  /** The prefix of methods that the node has as `eth_`. */
  readonly native: string
  readonly blockTime: number
  readonly started: number
  readonly methods: ReadonlyMap<string, Recording>
  readonly routes: ReadonlyArray<RecordedRoute>
}

/** The part of a node that a request goes to. */
interface RequestTarget {
  readonly path: string
  readonly query: URLSearchParams
}

const makeRoutes = (recordings: ReadonlyArray<Recording>, isLive = false): ReadonlyArray<RecordedRoute> =>
  recordings
    .flatMap((recording) =>
      recording.path === undefined ? [] : [{ recording, segments: splitPath(recording.path), isLive }]
    )
    .sort((a, b) => countPlainSegments(b) - countPlainSegments(a))

const makeErrorBody = ({ error = (message: string) => ({ error: message }) }: RecordedFamily) => error

const makeRequest = (
  replay: ReplayedNetwork,
  now: number,
  { names, ...fields }: RequestFields,
  query = new URLSearchParams()
): RecordedRequest => {
  const { blockTime, shipped, started } = replay
  const { body, params } = fields
  const height = shipped.height + Math.max(0, Math.floor((now - started) / blockTime))
  // some routes take a whole JSON-RPC request
  const given = params ?? readAt(body, ["params"])
  const named = Array.isArray(given) && isObject(given[0]) ? given[0] : given
  const get = (name: string | number): unknown => {
    if (typeof name === "number") return Array.isArray(params) ? params[name] : undefined
    const keys = name.split(".")
    return names[name] ?? query.get(name) ?? readAt(body, keys) ?? readAt(named, keys)
  }
  return {
    ...fields,
    testnet: replay.testnet,
    now,
    height,
    timeOf: (block) => started + (block - shipped.height) * blockTime,
    get,
    text: (name, fallback) => {
      const value = get(name)
      return typeof value === "string" || typeof value === "number" ? String(value) : fallback
    },
    whole: (name, fallback) => {
      const value = get(name)
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
      return typeof number === "number" && Number.isSafeInteger(number) ? number : fallback
    }
  }
}

const runRecording = (
  { shipped }: ReplayedNetwork,
  { answer }: Recording,
  request: RecordedRequest
): unknown => {
  try {
    return typeof answer === "function" ? answer(request) : answer
  } catch (error) {
    if (error instanceof UnknownBlockHash && shipped.unknown !== undefined) return shipped.unknown(error.hash)
    throw error
  }
}

/** Effects of recordings have no requirements. */
const isEffect = (said: unknown): said is Effect.Effect<unknown, SandboxError> => Effect.isEffect(said)

const describeMissing = ({ family, options }: ReplayedNetwork, what: string): string =>
  `The sandbox has no recording of ${what}: ${options.live === undefined ? `no node of ${family} runs here` : `its node of ${family} does not answer that`}`

const wrapResult = ({ shipped: { style } }: ReplayedNetwork, id: unknown, said: unknown): unknown => {
  if (style !== "rippled")
    return {
      jsonrpc: "2.0",
      id: id ?? null,
      ...(said instanceof RecordedRefusal ? { error: said.body } : { result: said })
    }
  const result =
    said instanceof RecordedRefusal
      ? { ...Object(said.body), status: "error" }
      : { ...Object(said), status: "success" }
  return id === undefined ? { result } : { result, id }
}

/** An error in rippled's format, whose errors have words in place of codes, or in JSON-RPC's. */
const makeFailure = (
  { shipped: { style } }: ReplayedNetwork,
  code: number,
  message: string
): RecordedRefusal =>
  new RecordedRefusal(
    style === "rippled"
      ? {
          error: code === -32601 ? "unknownCmd" : "invalidParams",
          error_code: code === -32601 ? 32 : 31,
          error_message: message
        }
      : makeError(code, message)
  )

/** Answers one JSON-RPC call; undefined if only a node can answer. */
const answerCall = (
  replay: ReplayedNetwork,
  now: number,
  path: string,
  body: unknown
): Effect.Effect<unknown> | undefined => {
  const { methods, network, options, shipped } = replay
  const accept = "application/json"
  const id = readAt(body, ["id"])
  const method = readAt(body, ["method"])
  // rippled leaves ids out, except in the answer to a batch
  const shown = shipped.style === "rippled" ? undefined : id
  const toEnvelope = (said: unknown): unknown => wrapResult(replay, shown, said)
  if (typeof method !== "string")
    return Effect.succeed(toEnvelope(makeFailure(replay, -32600, "Invalid request")))
  const recording = methods.get(method)
  if (recording === undefined)
    return options.otherwise === undefined
      ? Effect.succeed(toEnvelope(makeFailure(replay, -32601, describeMissing(replay, method))))
      : undefined
  const params = readAt(body, ["params"]) ?? []
  const request = makeRequest(replay, now, {
    network,
    verb: "POST",
    path,
    accept,
    params,
    body: undefined,
    names: {}
  })
  const said = runRecording(replay, recording, request)
  return isEffect(said)
    ? Effect.match(said, {
        onSuccess: toEnvelope,
        onFailure: ({ message }) => toEnvelope(makeFailure(replay, -32603, message))
      })
    : Effect.succeed(toEnvelope(said))
}

/** Renames a call to the node's name of the method. One of Klaytn's names also differs in case. */
const renameCall = ({ native }: ReplayedNetwork, received: HandlerRequest, body: unknown): HandlerRequest => {
  const method = String(readAt(body, ["method"]))
  return {
    ...received,
    body: Buffer.from(
      bigintIntegers.stringify(
        method.startsWith(native)
          ? { ...Object(body), method: `eth_${method.slice(native.length).replace(/ID$/, "Id")}` }
          : body
      )
    )
  }
}

const answerRpc = (
  replay: ReplayedNetwork,
  now: number,
  path: string,
  received: HandlerRequest
): Effect.Effect<HandlerResponse | "drop"> => {
  const {
    options,
    shipped: { style }
  } = replay
  const body = parseBody(received.body)
  if (body === undefined)
    return Effect.succeed(
      markRecorded(
        toJsonResponse(
          wrapResult(replay, undefined, makeFailure(replay, -32700, "Parse error")),
          style === "rippled" ? 400 : 200
        )
      )
    )
  if (!Array.isArray(body)) {
    const answer = answerCall(replay, now, path, body)
    return answer === undefined && options.otherwise !== undefined
      ? options.otherwise(renameCall(replay, received, body))
      : Effect.map(answer ?? Effect.void, (said) => markRecorded(toJsonResponse(said)))
  }
  if (body.length === 0)
    return Effect.succeed(
      markRecorded(toJsonResponse(wrapResult(replay, undefined, makeFailure(replay, -32600, "Empty batch"))))
    )
  const { otherwise } = options
  const each = Effect.forEach(body, (item: unknown): Effect.Effect<unknown> => {
    const answer = answerCall(replay, now, path, item)
    if (answer !== undefined || otherwise === undefined)
      return Effect.map(answer ?? Effect.void, (said) =>
        style === "rippled" && isObject(said) ? { ...said, id: readAt(item, ["id"]) } : said
      )
    return Effect.map(
      otherwise(renameCall(replay, received, item)),
      (behind) =>
        (behind === "drop" ? undefined : parseBody(behind.body)) ??
        wrapResult(
          replay,
          readAt(item, ["id"]),
          makeFailure(replay, -32603, "The node behind did not answer")
        )
    )
  })
  return Effect.map(each, (answers) => markRecorded(toJsonResponse(answers)))
}

/** Tendermint takes a method's parameters as a query, with texts in quotes. */
const answerGetRpc = (
  replay: ReplayedNetwork,
  now: number,
  path: string,
  query: URLSearchParams
): Effect.Effect<HandlerResponse> => {
  const params = Object.fromEntries(
    [...query].map(([name, value]) => [name, value.replace(/^"(.*)"$/, "$1")])
  )
  const answer = answerCall(replay, now, path, { id: -1, method: path.slice(1) || "health", params })
  return Effect.map(answer ?? Effect.void, (said) => markRecorded(toJsonResponse(said)))
}

/** The response of a route to a recording's answer. */
const toRouteResponse = ({ isLive, recording }: RecordedRoute, said: unknown): HandlerResponse => {
  const answer =
    said instanceof RecordedRefusal
      ? toJsonResponse(said.body, said.status)
      : said instanceof PlainText
        ? toTextResponse(said.text)
        : toJsonResponse(said, recording.status)
  return isLive ? answer : markRecorded(answer)
}

const answerRest = (
  replay: ReplayedNetwork,
  now: number,
  { path, query }: RequestTarget,
  received: HandlerRequest
): Effect.Effect<HandlerResponse | "drop"> | undefined => {
  const { network, routes, shipped } = replay
  const segments = splitPath(path).map(unescapeSegment)
  for (const route of routes) {
    if ((route.recording.verb ?? "GET") !== received.method) continue
    const names = matchRoute(route, segments)
    if (names === undefined) continue
    const body = readBody(received)
    if (body === undefined)
      return Effect.succeed(
        toRouteResponse(
          route,
          new RecordedRefusal(makeErrorBody(shipped)("The body of the request is no JSON", 400), 400)
        )
      )
    const request = makeRequest(
      replay,
      now,
      {
        network,
        verb: received.method,
        path,
        accept: received.headers.accept ?? "",
        params: undefined,
        body,
        names
      },
      query
    )
    const said = runRecording(replay, route.recording, request)
    if (said === undefined && route.isLive) continue
    return isEffect(said)
      ? Effect.match(said, {
          onSuccess: (value) => toRouteResponse(route, value),
          onFailure: () => "drop" as const
        })
      : Effect.succeed(toRouteResponse(route, said))
  }
  return undefined
}

const answerRequest = (
  replay: ReplayedNetwork,
  now: number,
  received: HandlerRequest
): Effect.Effect<HandlerResponse | "drop"> => {
  const { options, shipped } = replay
  const { absent = 501, protocol, style } = shipped
  const at = received.path.indexOf("?")
  // the sandbox serves the provider's paths as well as the chain's own
  const path = routeAt(replay.layout, at === -1 ? received.path : received.path.slice(0, at))
  const query = new URLSearchParams(at === -1 ? "" : received.path.slice(at + 1))
  const answer = answerRest(replay, now, { path, query }, received)
  if (answer !== undefined) return answer
  const speaks = protocol === "rpc" || (protocol === "both" && /^\/(jsonrpc|rpc)?\/?$/i.test(path))
  if (speaks && received.method === "POST") return answerRpc(replay, now, path, received)
  if (style === "tendermint" && received.method === "GET") return answerGetRpc(replay, now, path, query)
  if (options.otherwise !== undefined) return options.otherwise(received)
  return Effect.succeed(
    protocol === "rpc"
      ? markRecorded(toTextResponse("JSON-RPC is asked with POST", 405))
      : markRecorded(
          toJsonResponse(
            makeErrorBody(shipped)(describeMissing(replay, `${received.method} ${path}`), absent),
            absent
          )
        )
  )
}

/**
 * Makes the handler of a network with recordings. Heights grow from this moment, on the real clock. Fails if the
 * network has no recordings, or with the name of an invalid file of the user's.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeHandler = (
  network: Network,
  options: RecordedOptions = {}
): Effect.Effect<Handler, SandboxError> =>
  Effect.gen(function* () {
    const { family, testnet = false } = info(network)
    const shipped = yield* loadRecordedFamily(network)
    if (shipped === undefined)
      return yield* makeOptionsError(
        `there are no recordings of ${family}: ${network} runs on a node of the sandbox, or needs nodes of your own`
      )
    const own = options.recordings === undefined ? [] : yield* readFolder(options.recordings, network)
    const { native = "eth_" } = shipped
    // if there is a node, it answers better about its own chain
    const isForNode = ({ method = "" }: Recording): boolean =>
      options.otherwise !== undefined && (method.startsWith("eth_") || method.startsWith(native))
    const replay: ReplayedNetwork = {
      network,
      family,
      testnet,
      shipped,
      layout: (yield* Effect.orDie(loadFamily(family))).layout ?? {},
      options,
      native,
      blockTime: options.blockTime ?? shipped.blockTime,
      started: yield* withRealClock(Clock.currentTimeMillis),
      // a map keeps the last entry of a key, a search finds the first
      methods: new Map(
        [...shipped.recordings.filter((recording) => !isForNode(recording)), ...own].flatMap((recording) =>
          recording.method === undefined ? [] : [[recording.method, recording] as const]
        )
      ),
      routes: [...makeRoutes(own), ...makeRoutes(options.live ?? [], true), ...makeRoutes(shipped.recordings)]
    }
    return (received) =>
      Effect.flatMap(withRealClock(Clock.currentTimeMillis), (now) => answerRequest(replay, now, received))
  })
