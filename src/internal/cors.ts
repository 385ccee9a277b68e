/** Tells a node that refuses a page's origin from a dead one: browsers report both as the same failure. */

/** How long an origin is given to answer, and how long what is known of it holds, in milliseconds. */
const TIMEOUT = 1_000
const KEPT = 10_000

/** What origins have answered to their last probe: all clients of a page share it. */
const known = new Map<string, { readonly at: number; readonly reason: Promise<string | undefined> }>()

/** A page may ask any host whether it answers, as it learns nothing of what. Never the path, in which providers put keys. */
const probe = (fetch: typeof globalThis.fetch, origin: string): Promise<string | undefined> =>
  fetch(`${origin}/`, {
    method: "HEAD",
    mode: "no-cors",
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(TIMEOUT)
  }).then(
    () =>
      `the node answers, but not to pages of ${location.origin} (CORS): allow this origin there, or call it from a server`,
    () => undefined
  )

/** Why requests to another origin fail, where that is a refusal by CORS. */
export const refusal = (fetch: typeof globalThis.fetch, origin: string): Promise<string | undefined> => {
  const at = performance.now()
  let last = known.get(origin)
  if (last === undefined || at - last.at > KEPT) {
    last = { at, reason: probe(fetch, origin) }
    known.set(origin, last)
  }
  return last.reason
}
