/** Tells a node that refuses a page's origin from a dead one: browsers report both as the same failure. */

/** The time that an origin has to answer, and the time for which the outcome holds, in milliseconds. */
const PROBE_TIMEOUT_MS = 1_000
const REUSED_FOR_MS = 10_000

/** The outcome of the last probe of an origin, which all clients of a page share. */
const probes = new Map<string, { readonly at: number; readonly reason: Promise<string | undefined> }>()

/** Why requests to another origin fail, where that is a refusal by CORS. */
export const findCorsRefusal = (
  fetch: typeof globalThis.fetch,
  origin: string
): Promise<string | undefined> => {
  const at = performance.now()
  const last = probes.get(origin)
  if (last !== undefined && at - last.at < REUSED_FOR_MS) return last.reason
  // a page may ask any host whether it answers, as it cannot read the answer; the path stays out, because it may hold a key
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
