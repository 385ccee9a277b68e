/**
 * The provider's public node lists: a normal and an archive one per network.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { HttpService } from "../internal/http.js"
import { displayUrl } from "../SdkError.js"
import {
  isProviderUrl,
  type NodeEntry,
  type ResolvedConfig,
  type ResolvedNode,
  resolveNode
} from "../services/Config.js"
import type { LoggerService } from "../services/Logger.js"

/**
 * Limit of one request for a list or a probe, in milliseconds (specification, section 9).
 *
 * @since 0.1.0
 * @category limits
 */
export const PROBE_TIMEOUT = 5_000

/**
 * How often such a request is made again: two attempts in all (specification, section 9).
 *
 * @since 0.1.0
 * @category limits
 */
export const PROBE_RETRIES: Schedule.Schedule<number> = Schedule.recurs(1)

/** A list is a few lines; what is larger is something else. */
const MAX_LIST_BYTES = 1024 * 1024

/**
 * The urls of the two lists of a network.
 *
 * @since 0.1.0
 * @category urls
 */
export const listUrls = (
  config: Pick<ResolvedConfig, "nodeListUrl" | "info" | "network">
): readonly [string, string] => {
  const name = config.info.list ?? config.network
  return [`${config.nodeListUrl}/${name}/list.json`, `${config.nodeListUrl}/${name}-archive/list.json`]
}

const isEntry = (value: unknown): value is NodeEntry =>
  typeof value === "object" &&
  value !== null &&
  typeof Reflect.get(value, "url") === "string" &&
  [0, 1, undefined].includes(Reflect.get(value, "type"))

/**
 * The node of an entry of a remote list, or why it is not used. Anybody may have written it, so it is checked like a
 * stranger's.
 */
const nodeOf = (config: ResolvedConfig, entry: unknown): ResolvedNode | string => {
  if (!isEntry(entry)) return "Skipping an entry of the node list that is not { url, type }."
  if (!URL.canParse(entry.url)) return `Failed to parse URL ${entry.url.slice(0, 200)}.`
  return isProviderUrl(config, entry.url)
    ? resolveNode(entry)
    : `Skipping URL ${displayUrl(entry.url)} as it does not belong to ${config.domain}.`
}

const read = (text: string): Effect.Effect<ReadonlyArray<unknown>, Error> =>
  Effect.try({
    try: () => {
      const json: unknown = JSON.parse(text)
      if (!Array.isArray(json)) throw new Error("the node list is not a list")
      return json
    },
    catch: (error) => (error instanceof Error ? error : new Error(String(error)))
  })

/**
 * Fetches both lists at once, each with two attempts. A list that fails is logged, and costs only itself; entries that
 * are no urls of the provider are skipped and logged.
 *
 * @since 0.1.0
 * @category fetching
 */
export const fetchLists = (
  config: ResolvedConfig,
  http: HttpService,
  logger: LoggerService
): Effect.Effect<ReadonlyArray<ResolvedNode>> => {
  const fetchList = (url: string): Effect.Effect<ReadonlyArray<ResolvedNode>> =>
    http.send({ method: "GET", url, headers: {}, timeout: PROBE_TIMEOUT, maxBytes: MAX_LIST_BYTES }).pipe(
      Effect.retry(PROBE_RETRIES),
      Effect.flatMap((response) =>
        response.status === 404
          ? Effect.succeed([])
          : response.status >= 200 && response.status < 300
            ? read(response.text)
            : Effect.fail(new Error(`HTTP ${response.status} from ${displayUrl(url)}`))
      ),
      Effect.catchAll((error) =>
        Effect.as(logger.error(`Failed to initialize RPC module. Error: ${error.message}`), [])
      ),
      Effect.flatMap((entries) => {
        const nodes: Array<ResolvedNode> = []
        const skipped: Array<string> = []
        for (const entry of entries) {
          const node = nodeOf(config, entry)
          if (typeof node === "string") skipped.push(node)
          else nodes.push(node)
        }
        return Effect.as(
          Effect.forEach(skipped, (reason) => logger.warn(reason), { discard: true }),
          nodes
        )
      })
    )
  return Effect.map(Effect.forEach(listUrls(config), fetchList, { concurrency: 2 }), (lists) => {
    const nodes = new Map<string, ResolvedNode>()
    for (const node of lists.flat()) {
      const key = `${node.type} ${node.url}`
      if (!nodes.has(key)) nodes.set(key, node)
    }
    return [...nodes.values()]
  })
}
