/**
 * The provider's public node lists: a normal and an archive one per network.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import {
  isProviderUrl,
  type NodeEntry,
  type ResolvedConfig,
  type ResolvedNode,
  resolveNode
} from "../config/Config.js"
import type { LoggerService } from "../config/Logger.js"
import { displayUrl } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { HttpService } from "../http/service.js"

/**
 * Limit of one request for a list or a probe, in milliseconds (specification, section 9).
 *
 * @since 0.1.0
 * @category constants
 */
export const PROBE_TIMEOUT = 5_000

/**
 * How often such a request is made again: two attempts in all (specification, section 9).
 *
 * @since 0.1.0
 * @category constants
 */
export const PROBE_RETRIES: Schedule.Schedule<number> = Schedule.recurs(1)

/** A list is a few lines; a larger answer is something else. */
const MAX_LIST_BYTES = 1024 * 1024

/**
 * The urls of the two lists of a network.
 *
 * @since 0.1.0
 * @category getters
 */
export const listUrls = (
  config: Pick<ResolvedConfig, "nodeListUrl" | "info" | "network">
): readonly [string, string] => {
  const name = config.info.list ?? config.network
  return [`${config.nodeListUrl}/${name}/list.json`, `${config.nodeListUrl}/${name}-archive/list.json`]
}

/** No network has more nodes than that to choose from: further entries are a mistake, or an attack. */
const MAX_ENTRIES = 100

/** A longer url is none of a node. */
const MAX_URL_LENGTH = 2_048

/** How many entries that are not used are told one by one. */
const MAX_LOG_LINES = 10

/** The members of a remote entry that count: everything else of a node is for the user's own configuration. */
type ListEntry = Required<Pick<NodeEntry, "url">> & Pick<NodeEntry, "type">

const isEntry = (value: unknown): value is ListEntry =>
  isRecord(value) &&
  typeof value.url === "string" &&
  (value.type === undefined || value.type === 0 || value.type === 1)

/** One word of visible ASCII without a fragment: a parser would repair others, and senders not all alike. */
const isPlainUrl = (url: string): boolean =>
  url.length <= MAX_URL_LENGTH && /^https?:\/\/[\x21\x22\x24-\x5b\x5d-\x7e]+$/i.test(url)

/**
 * The node of an entry of a remote list, or why it is not used. Anybody may have written it, so it is checked like a
 * stranger's.
 */
const parseEntry = (config: ResolvedConfig, entry: unknown): ResolvedNode | string => {
  if (!isEntry(entry)) return "Skipping an entry of the node list that is not { url, type }."
  const { type, url } = entry
  if (!URL.canParse(url)) return `Failed to parse URL ${url.slice(0, 200).replace(/[^\x20-\x7e]/g, "?")}.`
  if (!isPlainUrl(url)) return `Skipping URL ${displayUrl(url)} as it is no plain http or https url.`
  return isProviderUrl(config, url)
    ? resolveNode({ url, ...(type === undefined ? {} : { type }) })
    : `Skipping URL ${displayUrl(url)} as it does not belong to ${config.domain}.`
}

/** An entry that says more than is taken. */
const hasOtherMembers = (entry: unknown): boolean =>
  isEntry(entry) && Object.keys(entry).some((name) => name !== "url" && name !== "type")

/** The first reasons, and how many more there are. */
const firstReasons = (skipped: ReadonlyArray<string>): ReadonlyArray<string> =>
  skipped.length <= MAX_LOG_LINES
    ? skipped
    : [
        ...skipped.slice(0, MAX_LOG_LINES),
        `Skipping ${skipped.length - MAX_LOG_LINES} more entries of the node list.`
      ]

const parseList = (text: string): Effect.Effect<ReadonlyArray<unknown>, Error> =>
  Effect.try({
    try: () => {
      const json: unknown = JSON.parse(text)
      if (!Array.isArray(json)) throw new Error("the node list is not a list")
      return json
    },
    catch: (error) => (error instanceof Error ? error : new Error(String(error)))
  })

/**
 * Fetches both lists at once, each with two attempts. A list that fails is logged, and costs only itself. Of an entry `url`
 * and `type` are taken, of a list the first 100 entries; the rest is ignored, with a debug line. Entries that are no urls
 * of the provider are skipped and logged, the first ones by name.
 *
 * @since 0.1.0
 * @category operations
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
            ? parseList(response.text)
            : Effect.fail(new Error(`HTTP ${response.status} from ${displayUrl(url)}`))
      ),
      Effect.catchAll((error) =>
        Effect.as(logger.error(`Failed to initialize RPC module. Error: ${error.message}`), [])
      ),
      Effect.flatMap((entries) => {
        const kept = entries.slice(0, MAX_ENTRIES)
        const nodes: Array<ResolvedNode> = []
        const skipped: Array<string> = []
        for (const entry of kept) {
          const node = parseEntry(config, entry)
          if (typeof node === "string") skipped.push(node)
          else nodes.push(node)
        }
        const isAll = kept.length === entries.length && !kept.some(hasOtherMembers)
        return Effect.forEach(firstReasons(skipped), logger.warn, { discard: true }).pipe(
          Effect.zipRight(
            isAll
              ? Effect.void
              : logger.debug(
                  () =>
                    `Of ${entries.length} entries of ${displayUrl(url)} url and type of ${kept.length} are taken, the rest is ignored.`
                )
          ),
          Effect.as(nodes)
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
