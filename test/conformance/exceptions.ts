/**
 * Where this SDK differs from the recorded one on purpose: each difference is a rule with its reason, never a list of
 * vectors. The migration guide is made from the same table.
 */
import type { CallVector, WireRequest } from "./vectors.js"

/** How a call ended. */
export interface Outcome {
  readonly status: "SUCCESS" | "ERROR"
  readonly data: unknown
  readonly error?: {
    readonly message: ReadonlyArray<string>
    readonly cause: { readonly _tag: string; readonly kind?: string }
  }
}

export interface Rule {
  readonly name: string
  readonly reason: string
  readonly when: (vector: CallVector) => boolean
  /** The vector as this SDK is to be judged by it. */
  readonly adapt?: (vector: CallVector) => CallVector
  /** The outcome that is right in place of the recorded one. */
  readonly outcome?: (outcome: Outcome) => boolean
  /** Follow-up calls: whether what they sent, and how they ended, is right. */
  readonly followUp?: (sent: number, recorded: number, outcome: Outcome) => boolean
  /** A set of requests of which some may be repeated. */
  readonly repeats?: boolean
}

const suspect =
  (id: string) =>
  (vector: CallVector): boolean =>
    vector.suspectIds.includes(id)

const isProvider = (base: string): boolean => base === "v3" || base === "v4"

const withoutKey = (request: WireRequest): WireRequest => {
  if (isProvider(request.base) || request.headers === undefined) return request
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
  ...(vector.corrected === undefined ? {} : { corrected: vector.corrected.map(change) })
})

const failed = (outcome: Outcome): boolean =>
  outcome.status === "ERROR" && outcome.error?.cause._tag !== "Unexpected"

const answeredNull = ({ responses, result, target }: CallVector): boolean => {
  const [body] = responses.map((reply) => reply.body)
  return (
    target.startsWith("rpc.") &&
    typeof body === "object" &&
    body !== null &&
    Reflect.get(body, "result") === null &&
    typeof result === "object" &&
    result !== null &&
    Reflect.get(result, "result") === null
  )
}

export const rules: ReadonlyArray<Rule> = [
  {
    name: "key-to-provider-only",
    reason:
      "decisions, Provider: the API key goes to the provider's own hosts, never to a node of the user's own",
    when: () => true,
    adapt: (vector) => mapRequests(vector, withoutKey)
  },
  {
    name: "own-nodes-of-shasta",
    reason:
      "the recorded client ignores the nodes configured for Tron's Shasta; ours uses them, and the public host only without any",
    when: suspect("shasta-hard-coded-host"),
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
    name: "caller-error-fails-no-node",
    reason:
      "decisions, Balancer: a 4xx that speaks of the request goes to the caller at once and fails no node",
    when: suspect("client-error-evicts-node"),
    adapt: ({ corrected, requests, ...vector }) => ({
      ...vector,
      requests: (corrected ?? requests).slice(0, 1)
    }),
    outcome: failed
  },
  {
    name: "trial-calls",
    reason:
      "decisions, Balancer: into an evicted pool one trial call goes per back-off; the others fail at once",
    when: ({ config }) => config.rpc?.evictNodesOnFailure === true,
    followUp: (sent, recorded, outcome) =>
      sent <= recorded && (outcome.status === "SUCCESS" || failed(outcome))
  },
  {
    name: "surviving-list",
    reason:
      "a node list that cannot be fetched or read costs only itself, and is asked for a second time (section 9)",
    when: suspect("one-bad-list-loses-both"),
    repeats: true,
    followUp: (sent, _, outcome) => sent === 1 && outcome.status === "SUCCESS"
  },
  {
    name: "look-alike-host",
    reason: "specification, section 5: node urls must belong to the provider's own domain",
    when: suspect("look-alike-host-accepted"),
    followUp: (sent, _, outcome) => sent === 0 && failed(outcome)
  },
  {
    name: "null-quantity",
    reason:
      "decisions, Balancer: a body that is not what the protocol promises is a failure; a balance is never null",
    when: answeredNull,
    outcome: (outcome) => outcome.error?.cause.kind === "malformed" || outcome.data === null
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
      "every item of a batch has an outcome of its own: an item without an answer is an ERROR, not a gap",
    when: ({ target }) => target === "rpc.rawBatchRpcCall",
    outcome: (outcome) => outcome.status === "SUCCESS" && Array.isArray(outcome.data)
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
    name: "retried-write",
    reason: "decisions, Balancer: an upload is not sent again after an ambiguous failure",
    when: suspect("upload-not-retried"),
    adapt: ({ corrected: _, ...vector }) => vector,
    outcome: failed
  }
]

/**
 * A suspect without a corrected form whose severity says that upstream is wrong has no single right request: it reminds of
 * something, and what it asks for is that the call ends in a defined way.
 */
export const isReminder = (vector: CallVector): boolean =>
  vector.suspectIds.length > 0 &&
  vector.corrected === undefined &&
  vector.correctedResult === undefined &&
  ["bug", "security", "spec"].includes(vector.severity ?? "")
