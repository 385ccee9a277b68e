/** Tells a node that refuses a page's origin from a dead one: browsers report both as the same failure. */

/** The time that an origin has to answer, and the time for which the outcome holds, in milliseconds. */
const TIMEOUT = 1_000
const KEPT = 10_000

/** The outcome of the last probe of an origin, which all clients of a page share. */
const known = new Map<string, { readonly at: number; readonly reason: Promise<string | undefined> }>()

/** Why requests to another origin fail, where that is a refusal by CORS. */
export const refusal = (fetch: typeof globalThis.fetch, origin: string): Promise<string | undefined> => {
  const at = performance.now()
  const last = known.get(origin)
  if (last !== undefined && at - last.at < KEPT) return last.reason
  // a page may ask any host whether it answers, as it cannot read the answer; the path stays out, because it may hold a key
  const reason = fetch(`${origin}/`, {
    method: "HEAD",
    mode: "no-cors",
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(TIMEOUT)
  }).then(
    () =>
      `the node answers, but refuses pages of ${location.origin} (CORS): allow this origin there, or call it from a server`,
    () => undefined
  )
  known.set(origin, { at, reason })
  return reason
}
