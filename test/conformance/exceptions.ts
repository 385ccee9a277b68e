/**
 * The differences of this SDK from the recorded one that are on purpose: each is a rule with its reason, never a list of
 * vectors. The migration guide is made from the same table.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Network from "../../src/data/Network.js"
import { decodeErrorBody } from "../../src/data/SdkError.js"
import * as Units from "../../src/data/Units.js"
import { divideByPowerOf10 } from "../../src/services/internal/amounts.js"
import type { CallVector, WireRequest } from "./vectors.js"

/** How a call ended. */
export interface Outcome {
  readonly status: "SUCCESS" | "ERROR"
  readonly data: unknown
  readonly error?: {
    readonly message: ReadonlyArray<string>
    readonly code?: string
    readonly dashboardLog?: string
    readonly cause: { readonly _tag: string; readonly kind?: string }
  }
}

/** What a follow-up call did: its requests and those that were recorded, as comparable lines, and how it ended. */
export interface FollowedUp {
  readonly sent: ReadonlyArray<WireRequest>
  readonly lines: ReadonlyArray<string>
  readonly recorded: ReadonlyArray<string>
  readonly vector: CallVector
  readonly outcome: Outcome
}

export interface Rule {
  readonly name: string
  readonly reason: string
  readonly when: (vector: CallVector) => boolean
  /** The vector as this SDK is to be judged by it. */
  readonly adapt?: (vector: CallVector) => CallVector
  /** The outcome that is right in place of the recorded one. */
  readonly outcome?: (outcome: Outcome) => boolean
  /** Whether a follow-up call is right, in place of the recorded one. */
  readonly followUp?: (call: FollowedUp) => boolean
  /** The recorded text is the end of ours, in place of all of it. */
  readonly text?: "ends"
  /** Requests to the wallet that are made besides the recorded ones. */
  readonly besides?: ReadonlyArray<string>
  /** A set of requests of which some may be repeated. */
  readonly repeats?: boolean
  /** The suspects without a corrected form for which this rule, and nothing else, says what is right. */
  readonly settles?: ReadonlyArray<string>
}

const suspect =
  (id: string) =>
  (vector: CallVector): boolean =>
    vector.suspectIds.includes(id)

/** The provider's hosts: the environment can move them. */
const isProvider = (base: string, env: CallVector["env"]): boolean =>
  base === "v3" ||
  base === "v4" ||
  Object.values(env ?? {}).some((url) => URL.canParse(url) && base === `other:${new URL(url).origin}`)

const withoutKey = (request: WireRequest, env: CallVector["env"]): WireRequest => {
  if (isProvider(request.base, env) || request.headers === undefined) return request
  return {
    ...request,
    headers: Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== "x-api-key")
    )
  }
}

const mapRequests = (vector: CallVector, change: (request: WireRequest) => WireRequest): CallVector => ({
  ...vector,
  requests: vector.requests.map(change),
  ...(vector.corrected === undefined ? {} : { corrected: vector.corrected.map(change) }),
  followUps: vector.followUps.map((each) => ({ ...each, requests: each.requests.map(change) }))
})

const failed = (outcome: Outcome): boolean =>
  outcome.status === "ERROR" && outcome.error?.cause._tag !== "Unexpected"

/** Methods of EVM clients whose result is decoded, by wrapper and kind: data of the corpus. */
const decoding: Readonly<
  Record<string, Readonly<Record<"bignumber" | "boolean" | "text", ReadonlyArray<string>>>>
> = JSON.parse(readFileSync(join(process.cwd(), "test/conformance/decoding.json"), "utf8"))
const values = new Set(Object.values(decoding).flatMap((kinds) => [...kinds.bignumber, ...kinds.boolean]))
const texts = new Set(Object.values(decoding).flatMap((kinds) => kinds.text))

const isEvm = (network: string): boolean =>
  Network.isNetwork(network) && /^(evm|zksync|tron)/.test(Network.info(network).family)

/** Whether a method of these has `null` for an answer. */
const answeredNull =
  (methods: ReadonlySet<string>) =>
  ({ network, responses, target }: CallVector): boolean => {
    const [body] = responses.map((reply) => reply.body)
    return (
      isEvm(network) &&
      methods.has(target.replace(/^rpc\./, "")) &&
      typeof body === "object" &&
      body !== null &&
      Reflect.get(body, "result") === null
    )
  }

/** Whether the runner's own answer, where none is recorded, is none that a fee can be read from. */
const unreadable = ({ responses, target }: CallVector): boolean =>
  responses.length === 0 && /^rpc\.blockchain(Estimate|Relay)Fee$/.test(target)

const malformed = (outcome: Outcome): boolean => failed(outcome) && outcome.error?.cause.kind === "malformed"

/** An argument that looks like bytes, and has half a byte at its end. */
const oddBytes = ({ args }: CallVector): string | undefined =>
  args.find(
    (each): each is string =>
      typeof each === "string" && each.length % 2 === 1 && /^[0-9a-f]{41,}$/.test(each)
  )

/** The origins of the nodes that the scripted lists have. */
const listed = ({ responses }: CallVector): ReadonlyArray<string> =>
  responses.flatMap(({ body }) =>
    Array.isArray(body)
      ? body.flatMap((entry) => (URL.canParse(String(entry?.url)) ? [new URL(String(entry.url)).origin] : []))
      : []
  )

/** A comparable line without where it went. */
const anywhere = (line: string): string => line.replace(/^(\S+) \S+/, "$1")

/** Whether a recorded balance has gone to Shasta's public host although there are nodes in the configuration. */
const asksShasta = ({ config, requests, target }: CallVector): boolean =>
  target.startsWith("address.") &&
  config.rpc?.nodes !== undefined &&
  requests.some(({ base }) => base === "other:https://api.shasta.trongrid.io")

/** The body of a request to Tron with the name of the permission's id that its nodes read. */
const underNodesName = (request: WireRequest): WireRequest => {
  const { body } = request
  if (typeof body !== "object" || body === null || !("permission_id" in body)) return request
  const { permission_id, ...fields } = body
  return { ...request, body: { ...fields, Permission_id: permission_id } }
}

/** A recorded balance in the smallest unit as whole coins. */
const inCoins = (row: unknown): unknown => {
  if (typeof row !== "object" || row === null) return row
  const { balance, decimals }: { readonly balance?: unknown; readonly decimals?: unknown } = row
  return typeof balance === "string" && typeof decimals === "number"
    ? { ...row, balance: Units.format(BigInt(balance), decimals) }
    : row
}

/** The rows of a recorded result. */
const rowsOf = ({ correctedResult, result = correctedResult }: CallVector): ReadonlyArray<unknown> => {
  const data: unknown = typeof result === "object" && result !== null ? Reflect.get(result, "data") : result
  return Array.isArray(data) ? data : []
}

const mapRows = (vector: CallVector, change: (row: unknown) => unknown): CallVector => ({
  ...vector,
  ...(rowsOf(vector).length === 0 ? {} : { correctedResult: rowsOf(vector).map(change) })
})

const balanceOf = (row: unknown): string | undefined => {
  const balance: unknown = typeof row === "object" && row !== null ? Reflect.get(row, "balance") : undefined
  return typeof balance === "string" ? balance : undefined
}

const hasExponent = (row: unknown): boolean => /e/i.test(balanceOf(row) ?? "")

/** A row whose balance is written out. */
const writtenOut = (row: unknown): unknown => {
  const balance = balanceOf(row)
  return balance !== undefined && typeof row === "object"
    ? { ...row, balance: divideByPowerOf10(balance) }
    : row
}

export const rules: ReadonlyArray<Rule> = [
  {
    name: "key-to-provider-only",
    reason:
      "decisions, Provider: the API key goes to the provider's own hosts, never to a node of the user's own",
    when: () => true,
    adapt: (vector) => mapRequests(vector, (request) => withoutKey(request, vector.env)),
    settles: ["key-sent-to-custom-nodes"]
  },
  {
    name: "own-nodes-of-shasta",
    reason:
      "the recorded client ignores the nodes configured for Tron's Shasta; ours uses them, and the public host only without any",
    when: (vector) => suspect("shasta-hard-coded-host")(vector) || asksShasta(vector),
    settles: ["shasta-hard-coded-host"],
    adapt: (vector) => {
      const { nodes: _, ...rpc } = vector.config.rpc ?? {}
      const adapted = { ...vector, config: { ...vector.config, rpc } }
      // the provider's marker has no meaning for a public host
      return mapRequests(adapted, ({ query, ...request }) => ({
        ...request,
        ...(query === undefined
          ? {}
          : { query: query.filter(([name, value]) => name !== "type" || value !== "testnet") })
      }))
    }
  },
  {
    name: "probe-decides",
    reason:
      "decisions, Balancer: an answer outside the protocol never speaks of the request, so the call moves on; the node's probe, beside the call, decides whether it is left",
    when: suspect("client-error-evicts-node"),
    adapt: ({ corrected: _, ...vector }) => vector,
    repeats: true
  },
  {
    name: "no-island",
    reason:
      "decisions, Balancer: no type of node is an island: when all of its own have failed, a call goes on to the others",
    when: (vector) =>
      suspect("archive-failure-ends-the-call")(vector) || answeredNull(values)(vector) || unreadable(vector),
    adapt: ({ corrected, requests, responses, ...vector }) => ({
      ...vector,
      responses: [...responses, ...responses],
      requests: (corrected ?? requests).flatMap((request) => [
        request,
        { ...request, base: request.base === "node-normal" ? "node-archive" : "node-normal" }
      ])
    })
  },
  {
    name: "trial-calls",
    reason:
      "decisions, Balancer: into an evicted pool one trial call goes per back-off; the others fail at once",
    when: ({ config }) => config.rpc?.evictNodesOnFailure === true,
    followUp: ({ lines, recorded, outcome }) =>
      lines.length === 0
        ? failed(outcome)
        : lines.length <= recorded.length &&
          lines.every((each) => recorded.map(anywhere).includes(anywhere(each)))
  },
  {
    name: "surviving-list",
    reason:
      "a node list that cannot be fetched or read costs only itself, and is asked for a second time (section 9)",
    when: suspect("one-bad-list-loses-both"),
    repeats: true,
    followUp: ({ sent: [call, ...more], vector, outcome }) =>
      call !== undefined &&
      more.length === 0 &&
      listed(vector).includes(call.base.replace(/^other:/, "")) &&
      outcome.status === "SUCCESS"
  },
  {
    name: "look-alike-host",
    reason: "specification, section 5: node urls must belong to the provider's own domain",
    when: suspect("look-alike-host-accepted"),
    settles: ["look-alike-host-accepted"],
    followUp: ({ sent, outcome }) => sent.length === 0 && failed(outcome)
  },
  {
    name: "odd-bytes",
    reason:
      "issue 43, point 5: an odd number of hexadecimal digits is no bytes, and is refused; the vector is judged with one digit more",
    when: (vector) => oddBytes(vector) !== undefined,
    adapt: (vector) => {
      const odd = oddBytes(vector) ?? ""
      // the same text stands among the arguments and in the request
      return JSON.parse(JSON.stringify(vector).replaceAll(odd, `${odd}0`))
    }
  },
  {
    name: "null-quantity",
    reason:
      "decisions, Balancer: a body that is not what the protocol promises is a failure; a balance or a yes-or-no is never null",
    when: answeredNull(values),
    // another node may have said more
    outcome: (outcome) => malformed(outcome) || (outcome.status === "SUCCESS" && outcome.data !== null)
  },
  {
    name: "null-text",
    reason:
      "decisions, Balancer: null in place of a contract's answer is not what the protocol promises; an address may be absent",
    when: answeredNull(texts),
    outcome: (outcome) => malformed(outcome) || (outcome.status === "SUCCESS" && outcome.data === null)
  },
  {
    name: "empty-reply",
    reason:
      "an empty eth_call answer means that there is no contract: a typed error, where the recorded client gives NaN",
    when: suspect("evm-empty-reply-nan"),
    outcome: (outcome) => outcome.error?.cause._tag === "InvalidArgument"
  },
  {
    name: "batch-outcomes",
    reason:
      "every item of a batch has an outcome of its own: an item without an answer is an ERROR, not a gap (compared item by item)",
    when: ({ target }) => target === "rpc.rawBatchRpcCall"
  },
  {
    name: "results-not-rejections",
    reason:
      "specification, sections 4 and 8: failures of calls are ERROR results with the catalogue's message; only init rejects",
    when: suspect("rejects-instead-of-error-result"),
    settles: ["rejects-instead-of-error-result"]
  },
  {
    name: "node-errors-name-the-call",
    reason:
      "an error of a node says which call failed and how (`eth_blockNumber failed: HTTP 500: boom`); the recorded text is its end",
    when: ({ target, responses }) =>
      target.startsWith("rpc.") &&
      responses.some(({ status = 200, networkError }) => status >= 400 || networkError !== undefined),
    text: "ends"
  },
  {
    name: "specified-path",
    reason:
      "README of the corpus: where the specification names upstream's form of an api or quirk, both it and the documented form are right",
    when: ({ severity, specRepeatsUpstream }) =>
      specRepeatsUpstream === true && (severity === "api" || severity === "quirk")
  },
  {
    name: "trace-block-options",
    reason:
      "options that the caller gives are sent, as the recorded client does: a node that knows none says so",
    when: suspect("evm-trace-block-options"),
    adapt: ({ corrected: _, ...vector }) => vector
  },
  {
    name: "algod-bytes",
    reason:
      "algod takes the transaction's bytes as application/x-binary (its OpenAPI description); JSON with base64 it refuses",
    when: suspect("algod-broadcast-encoding"),
    adapt: (vector) =>
      mapRequests(vector, ({ body, headers, ...request }) => ({
        ...request,
        headers: { ...headers, "content-type": "application/x-binary" },
        body: typeof body === "object" && body !== null && "rawtxn" in body ? { $bytes: body.rawtxn } : body
      }))
  },
  {
    name: "tendermint-range",
    reason:
      "Tendermint reads minHeight and maxHeight in its method `blockchain`; the recorded names it does not know, and answers with the newest headers",
    when: ({ target }) => target === "rpc.blockchain",
    adapt: (vector) =>
      mapRequests(vector, (request) => ({
        ...request,
        body: JSON.parse(
          JSON.stringify(request.body)
            .replace('"min_height"', '"minHeight"')
            .replace('"max_height"', '"maxHeight"')
        )
      }))
  },
  {
    name: "wasp-paths",
    reason:
      "Wasp serves these at other paths than the recorded client asks for (the OpenAPI description of Wasp 1.0.3): those get a 404",
    when: ({ network, target }) =>
      /^(iota|shimmer)/.test(network) && /^rpc\.(accountsGetAccount|blocklogGet|getChain)/.test(target),
    adapt: (vector) =>
      mapRequests(vector, ({ path, ...request }) => ({
        ...request,
        path: path
          .replace(/\/accounts\/([^/]+\/(balance|foundries|nfts|nonce))$/, "/accounts/account/$1")
          .replace(/\/events\/(latest|\d+)$/, "/events/block/$1")
          .replace(/\/processed$/, "/is_processed")
          .replace(/\/metrics\/chains\/([^/]+)\/(messages|pipe|workflow)s?$/, "/metrics/chain/$1/$2")
      }))
  },
  {
    name: "queue-size",
    reason:
      "TON Center calls it getOutMsgQueueSize (its OpenAPI description); the recorded client's name, and that of its correction, get a 404",
    when: suspect("ton-queue-sizes"),
    adapt: (vector) =>
      mapRequests(vector, (request) => ({ ...request, path: request.path.replace("Sizes", "Size") }))
  },
  {
    name: "tron-permission",
    reason:
      "java-tron reads the id of the permission that signs from `Permission_id` alone (PERMISSION_ID in its Util): under the recorded permission_id it was dropped, and the owner's permission taken",
    when: ({ network }) => Network.isNetwork(network) && Network.info(network).family === "tron",
    adapt: (vector) => mapRequests(vector, underNodesName)
  },
  {
    name: "typed-bytes",
    reason:
      "bytes are sent with their content type, application/octet-stream, which the recording of a Blob lacks",
    when: suspect("ton-backup-body"),
    adapt: (vector) =>
      mapRequests(vector, ({ headers, ...request }) => ({
        ...request,
        headers: { ...headers, "content-type": "application/octet-stream" }
      }))
  },
  {
    name: "retried-write",
    reason: "decisions, Balancer: an upload is not sent again after an ambiguous failure",
    when: suspect("upload-not-retried"),
    adapt: ({ corrected: _, ...vector }) => vector,
    outcome: failed
  },
  {
    name: "one-key-serves-both",
    reason:
      "a key for one version of the API serves the other too where that one has none: the recorded client sends no key then, and no testnet marker either",
    when: suspect("key-object-wrong-version"),
    adapt: (vector) => {
      const { apiKey } = vector.config
      const { v3, v4 } = typeof apiKey === "object" ? apiKey : {}
      const key = v3 ?? v4 ?? ""
      return mapRequests(vector, ({ headers, ...request }) => ({
        ...request,
        headers: { ...headers, ...(isProvider(request.base, vector.env) ? { "x-api-key": key } : {}) }
      }))
    }
  },
  {
    name: "tron-in-coins",
    reason:
      "decisions, Names and shapes: amounts are in whole coins; the recorded client has those of Tron in the smallest unit",
    when: suspect("tron-balance-in-sun"),
    settles: ["tron-balance-in-sun"],
    adapt: (vector) => mapRows(vector, inCoins)
  },
  {
    name: "no-exponents",
    reason: "decisions, Names and shapes: amounts are never in exponent form",
    when: (vector) => vector.target === "address.getBalance" && rowsOf(vector).some(hasExponent),
    settles: ["exponent-balance"],
    adapt: (vector) => mapRows(vector, writtenOut)
  },
  {
    name: "key-of-the-version",
    reason: "a request to one version of the API carries the key for that version",
    when: suspect("utxo-history-key-version"),
    settles: ["utxo-history-key-version"],
    adapt: (vector) => {
      const { apiKey } = vector.config
      const { v3, v4 } = typeof apiKey === "object" ? apiKey : {}
      return mapRequests(vector, ({ headers, ...request }) => ({
        ...request,
        headers: { ...headers, "x-api-key": (request.base === "v3" ? v3 : v4) ?? "" }
      }))
    }
  },
  {
    name: "status-for-silence",
    reason: "of a failed answer without a body the HTTP status is told: an error needs words",
    when: ({ responses }) =>
      responses.some(({ status = 200, text }) => status >= 400 && status < 500 && text === ""),
    outcome: (outcome) => failed(outcome) && /^HTTP \d{3}\b/.test(outcome.error?.message.join() ?? "")
  },
  {
    name: "page-of-nothing",
    reason:
      "the provider's pages have at least one item (its API reference): a page size of 0 is refused before anything is sent",
    when: ({ args }) =>
      args.some((arg) => typeof arg === "object" && arg !== null && Reflect.get(arg, "pageSize") === 0),
    adapt: ({ corrected: _, ...vector }) => ({ ...vector, requests: [] }),
    outcome: (outcome) => outcome.error?.cause._tag === "InvalidArgument"
  },
  {
    name: "chain-check",
    reason:
      "specification, section 5: every network used with the wallet has a known chain id; before a send the wallet is asked for its chain, and brought to the right one",
    when: ({ eip1193 }) => eip1193 !== undefined,
    besides: ["eth_chainId", "wallet_switchEthereumChain"]
  },
  {
    name: "wallet-sentence",
    reason: "specification, section 8: the sentence of a missing wallet names no product",
    when: suspect("wallet-message"),
    settles: ["wallet-message"],
    adapt: (vector) => ({
      ...vector,
      error: "The browser wallet is not installed, or it is impossible to connect to it."
    })
  },
  {
    name: "amounts-fit-the-asset",
    reason:
      "an amount with more digits than the asset, and a contract without decimals(), are refused before the user is asked for anything",
    when: (vector) => suspect("wallet-fractional-hex")(vector) || suspect("wallet-no-decimals")(vector),
    outcome: (outcome) => outcome.error?.cause._tag === "InvalidArgument"
  },
  {
    name: "no-such-parameter",
    reason:
      "facts, provider-v4: the route of collections has no tokenIds today; a client that is fixed to it refuses the question, since an answer about other tokens would be wrong",
    when: ({ config, requests }) =>
      config.dataApi === "v4" &&
      requests.some(
        ({ path, query = [] }) => path === "/data/collections" && query.some(([name]) => name === "tokenIds")
      ),
    adapt: ({ corrected: _, ...vector }) => ({ ...vector, requests: [] }),
    outcome: (outcome) => outcome.error?.cause._tag === "InvalidArgument"
  },
  {
    name: "provider-words",
    reason: "facts, errors: of a failed answer the message is told, not the JSON around it",
    when: suspect("wallet-prepare-rejects-raw"),
    adapt: ({ error = "", ...vector }) => ({
      ...vector,
      error: decodeErrorBody(error, 400).messages.join("; ")
    })
  }
]

/**
 * A suspect without a corrected form whose severity says that upstream is wrong has no single right request: it reminds of
 * something, and what it asks for is that the call ends in a defined way. Unless a rule says what is right.
 */
export const isReminder = (vector: CallVector): boolean =>
  vector.suspectIds.length > 0 &&
  vector.corrected === undefined &&
  vector.correctedResult === undefined &&
  ["bug", "security", "spec"].includes(vector.severity ?? "") &&
  !vector.suspectIds.every((id) => rules.some(({ settles }) => settles?.includes(id)))
