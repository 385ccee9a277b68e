/** Finds out whether a request failed because a node refuses the page's origin (CORS). Browsers report that like an unreachable node. */

/** The time limit of a probe, and how long its outcome is reused, in milliseconds. */
const PROBE_TIMEOUT_MS = 1_000
const REUSED_FOR_MS = 10_000

/** The last probe of each origin. All clients of a page share it. */
const probes = new Map<string, { readonly at: number; readonly reason: Promise<string | undefined> }>()

/** The reason if requests to an origin fail because of CORS, else undefined. */
export const findCorsRefusal = (
  fetch: typeof globalThis.fetch,
  origin: string
): Promise<string | undefined> => {
  const at = performance.now()
  const last = probes.get(origin)
  if (last !== undefined && at - last.at < REUSED_FOR_MS) return last.reason
  // in mode no-cors a page can send a request to any host; without the path, which may contain a key
  const reason = fetch(`${origin}/`, {
    method: "HEAD",
    mode: "no-cors",
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS)
  }).then(
    () =>
      `the node answers, but refuses pages of ${location.origin} (CORS): allow this origin there, or call it from a server`,
    () => undefined
  )
  probes.set(origin, { at, reason })
  return reason
}
