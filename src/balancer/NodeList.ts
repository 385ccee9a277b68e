/**
 * The provider's public node lists: a normal and an archive one per network.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { NodeEntry, ResolvedConfig, ResolvedNode } from "../config/Config.js"
import type { LoggerService } from "../config/Logger.js"
import { isProviderUrl, resolveNode } from "../config/resolveConfig.js"
import { displayUrl } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { HttpService } from "../http/service.js"

/**
 * The time limit of one request for a list or a probe, in milliseconds (specification, section 9).
 *
 * @since 0.1.0
 * @category constants
 */
export const PROBE_TIMEOUT = 5_000

/**
 * The retries of such a request: one (specification, section 9).
 *
 * @since 0.1.0
 * @category constants
 */
export const PROBE_RETRIES: Schedule.Schedule<number> = Schedule.recurs(1)

/** The size limit of a list: a real one is a few lines. */
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

/** The most entries of a list that are used: more are a mistake or an attack. */
const MAX_ENTRIES = 100

/** The longest url of a node. */
const MAX_URL_LENGTH = 2_048

/** How many skipped entries are logged one by one. */
const MAX_LOG_LINES = 10

/** The fields of a remote entry that are used. All other options of a node come from the user's configuration only. */
type ListEntry = Required<Pick<NodeEntry, "url">> & Pick<NodeEntry, "type">

const isEntry = (value: unknown): value is ListEntry =>
  isRecord(value) &&
  typeof value.url === "string" &&
  (value.type === undefined || value.type === 0 || value.type === 1)

/** Accepts visible ASCII without spaces and fragments only: url parsers repair other texts, each in its way. */
const isPlainUrl = (url: string): boolean =>
  url.length <= MAX_URL_LENGTH && /^https?:\/\/[\x21\x22\x24-\x5b\x5d-\x7e]+$/i.test(url)

/**
 * Parses an entry of a remote list. Yields the node, or why the entry is skipped. The list is untrusted input.
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

/** Whether an entry has fields that are ignored. */
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
 * Fetches both lists at once, each with two attempts. A list that fails is logged and counts as empty. Only `url` and `type` of the first 100
 * entries are used; the rest is ignored with a debug line. Entries whose url is not the provider's are skipped and logged.
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
        Effect.as(
          logger.error(() => `Failed to initialize RPC module. Error: ${error.message}`),
          []
        )
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
        return Effect.forEach(firstReasons(skipped), (line) => logger.warn(() => line), {
          discard: true
        }).pipe(
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
