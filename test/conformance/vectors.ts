/** Reads files of wire vectors. The format is described in the corpus' own README; values that JSON lacks are marked. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

export interface WireRequest {
  readonly method: string
  readonly base: string
  readonly path: string
  readonly query?: ReadonlyArray<readonly [string, string]>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface Reply {
  readonly status?: number
  readonly body?: unknown
  readonly text?: string
  readonly networkError?: string
}

export interface FollowUp {
  readonly target: string
  readonly args?: ReadonlyArray<unknown>
  readonly requests: ReadonlyArray<WireRequest>
  readonly result?: unknown
  readonly error?: string
}

export interface NodeConfig {
  readonly url: string
  readonly type: 0 | 1
}

export interface VectorConfig {
  readonly apiKey?: string | { readonly v3?: string; readonly v4?: string }
  readonly version?: "V3" | "V4"
  readonly dataApi?: "v4" | "legacy"
  readonly retryCount?: number
  readonly retryDelay?: number
  readonly verbose?: boolean
  readonly quiet?: boolean
  readonly rpc?: {
    readonly nodes?: ReadonlyArray<NodeConfig>
    readonly oneTimeLoadBalancing?: boolean
    readonly allowedBlocksBehind?: number
    readonly evictNodesOnFailure?: boolean
  }
}

/** A call, and what it put on the wire. */
export interface CallVector {
  readonly kind: "call"
  readonly file: string
  readonly id: string
  readonly network: string
  readonly target: string
  readonly args: ReadonlyArray<unknown>
  readonly config: VectorConfig
  readonly responses: ReadonlyArray<Reply>
  readonly requests: ReadonlyArray<WireRequest>
  readonly corrected?: ReadonlyArray<WireRequest>
  readonly result?: unknown
  readonly correctedResult?: unknown
  readonly correctedOutcome?: string
  readonly error?: string
  readonly returns?: unknown
  /** Calls that follow on the same client: `then` in the files. */
  readonly followUps: ReadonlyArray<FollowUp>
  readonly logged?: ReadonlyArray<string>
  readonly allHeaders?: boolean
  readonly suspectIds: ReadonlyArray<string>
  readonly severity?: string
  readonly specRepeatsUpstream?: boolean
  /** Environment variables that are set during the call. */
  readonly env?: Readonly<Record<string, string>>
  /** What `getRpcNodeUrl` gives after an init. */
  readonly rpcNodeUrl?: string
  /** The arguments afterwards, where the recorded client changed them in place. */
  readonly mutatedArgs?: ReadonlyArray<unknown>
  /** The browser wallet: its accounts, what it was asked, what it refuses, and whether there is one. */
  readonly accounts?: ReadonlyArray<string>
  readonly eip1193?: ReadonlyArray<unknown>
  readonly walletFailures?: Readonly<Record<string, string>>
  readonly noWallet?: boolean
}

/** How a network's nodes are found and asked for their height. */
export interface ProbeVector {
  readonly kind: "probe"
  readonly file: string
  readonly id: string
  readonly network: string
  readonly list: readonly [string, string]
  readonly probe?: { readonly method: string; readonly pathSuffix: unknown; readonly body?: unknown }
  readonly height?: { readonly pointer: string; readonly format: string; readonly parsedExample: unknown }
}

/** Which node is chosen from a state of the pool. */
export interface SelectionVector {
  readonly kind: "selection"
  readonly file: string
  readonly id: string
  readonly servers: ReadonlyArray<{
    readonly lastBlock: number
    readonly lastResponseTime: number
    readonly failed: boolean
  }>
  readonly allowedBlocksBehind: number
  readonly index: number
}

export type Vector = CallVector | ProbeVector | SelectionVector

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Values that JSON cannot carry, as a user of the Promise surface would pass or get them. */
export const decode = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(decode)
  if (!isJson(value)) return value
  if (typeof value.$BigNumber === "string") {
    return /^-?\d+$/.test(value.$BigNumber) ? BigInt(value.$BigNumber) : Number(value.$BigNumber)
  }
  if (typeof value.$Buffer === "string") return new TextEncoder().encode(value.$Buffer)
  if (typeof value.$Blob === "string") {
    // results have the size in place of the content
    const [, size] = /^\((\d+) bytes\)$/.exec(value.$Blob) ?? []
    return size === undefined ? new Blob([Buffer.from(value.$Blob, "base64")]) : { $size: Number(size) }
  }
  if (value.$undefined === true) return undefined
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, decode(item)]))
}

/** What rpc vectors without a configuration of their own were recorded with. */
const recorded: VectorConfig = {
  apiKey: "KEY",
  rpc: {
    nodes: [
      { url: "https://node-normal.example", type: 0 },
      { url: "https://node-archive.example", type: 1 }
    ]
  }
}

/** The files are data of ours: their shape is the format's, which the README of the corpus vouches for. */
const callOf = (file: string, { then: followUps = [], ...json }: Json): CallVector =>
  ({
    config: recorded,
    responses: [],
    args: [],
    suspectIds: [],
    ...json,
    followUps,
    kind: "call",
    file
  }) as unknown as CallVector

const probeOf = (file: string, network: string, json: Json): ProbeVector =>
  ({
    ...json,
    kind: "probe",
    file,
    id: `probe@${network}`,
    network,
    probe: json.corrected ?? json.probe
  }) as unknown as ProbeVector

const selectionOf = (file: string, json: Json): SelectionVector =>
  ({
    ...json,
    kind: "selection",
    file,
    index: json.correctedIndex ?? json.index
  }) as unknown as SelectionVector

const read = (file: string): ReadonlyArray<Vector> => {
  const json: unknown = JSON.parse(readFileSync(file, "utf8"))
  if (Array.isArray(json)) {
    return json
      .filter(isJson)
      .map((item) => ("servers" in item ? selectionOf(file, item) : callOf(file, item)))
  }
  if (!isJson(json)) throw new Error(`${file} holds neither a list of vectors nor probes by network`)
  return Object.entries(json).flatMap(([network, item]) =>
    isJson(item) ? [probeOf(file, network, item)] : []
  )
}

/** All vectors of these files and folders. */
export const load = (paths: ReadonlyArray<string>): ReadonlyArray<Vector> =>
  paths.flatMap((path) =>
    statSync(path).isDirectory()
      ? load(
          readdirSync(path)
            .filter((name) => name.endsWith(".json"))
            .map((name) => join(path, name))
        )
      : read(path)
  )
