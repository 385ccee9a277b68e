// @runtime both
/** The errors of a page about requests to another origin that the browser has failed without a reason. */
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { HttpFailure, type HttpService, makeFetch } from "../../src/http/Http.js"

const PAGE = "https://app.example"
const KEY = "s3cr3t-k3y"

/** What is known of an origin is kept for a while: each test has its own. */
let count = 0
let node = ""

const plain = "Failed to fetch"
const refused = `the node answers, but refuses pages of ${PAGE} (CORS): allow this origin there, or call it from a server`

type Fetch = (url: string, init: RequestInit) => Promise<Response>

const never = new Promise<never>(() => {})

/** As browsers do: the same error for whatever keeps an answer from the page. */
const fail: Fetch = () => Promise.reject(new TypeError(plain))

/** A browser: `answer` to requests, and `probe` to those of which it hides what comes back. */
const browser = (answer: Fetch, probe?: Fetch) => {
  const probes: Array<{ readonly url: string; readonly init: RequestInit }> = []
  const fetch: Fetch = (url, init) => {
    if (init.mode !== "no-cors") return answer(url, init)
    probes.push({ url, init })
    if (probe === undefined) throw new Error(`nobody is to be probed: ${url}`)
    return probe(url, init)
  }
  // the doubles are asked by texts alone
  return { probes, http: makeFetch(fetch as typeof globalThis.fetch) }
}

const opaque: Fetch = () => Promise.resolve(new Response(null))

const send = (http: HttpService, url = `${node}/v1/${KEY}?key=${KEY}`, timeout = 5_000): Promise<unknown> =>
  Effect.runPromise(
    Effect.merge(http.send({ method: "POST", url, headers: {}, body: "{}", timeout, maxBytes: 1_000 }))
  )

const network = (reason: string) => new HttpFailure({ kind: "network", reason })

const at = (page: string | undefined): void => {
  vi.stubGlobal("location", page === undefined ? undefined : new URL("/page", page))
}

beforeEach(() => {
  node = `https://node${count++}.example`
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe("a request of a page to another origin, failed without a word", () => {
  it("is refused by CORS where the host answers a probe", async () => {
    at(PAGE)
    const { http } = browser(fail, opaque)
    expect(await send(http)).toEqual(network(refused))
  })

  it("is as before where the host answers nothing", async () => {
    at(PAGE)
    const { http, probes } = browser(fail, fail)
    expect(await send(http)).toEqual(network(plain))
    expect(probes).toHaveLength(1)
  })

  it("is probed at the origin alone, without keys, cookies and the page", async () => {
    at(PAGE)
    const { http, probes } = browser(fail, opaque)
    await send(http, `https://user:${KEY}@${new URL(node).host}/v1/${KEY}?key=${KEY}#${KEY}`)
    const [probe] = probes
    expect(probe?.url).toBe(`${node}/`)
    expect(probe?.init).toMatchObject({
      method: "HEAD",
      mode: "no-cors",
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer"
    })
    expect(probe?.init.headers).toBeUndefined()
    expect(JSON.stringify(probes)).not.toContain(KEY)
  })

  it.each([
    ["of the page's own origin", () => node],
    ["where no page is", () => undefined]
  ])("is not probed when it is %s", async (_, page) => {
    at(page())
    const { http, probes } = browser(fail)
    expect(await send(http)).toEqual(network(plain))
    expect(probes).toEqual([])
  })

  it("waits 300 ms for a probe that hangs, which ends after a second", async () => {
    at(PAGE)
    let ended = 0
    const start = performance.now()
    const { http } = browser(fail, (_, { signal }) => {
      signal?.addEventListener("abort", () => {
        ended = performance.now() - start
      })
      return never
    })
    expect(await send(http)).toEqual(network(plain))
    const took = performance.now() - start
    expect(took).toBeGreaterThan(250)
    expect(took).toBeLessThan(900)
    await vi.waitFor(() => expect(ended).toBeGreaterThan(0), { timeout: 300_000 })
    expect(ended).toBeGreaterThan(950)
  })

  it("ends by its own deadline, however long a probe takes", async () => {
    at(PAGE)
    const { http } = browser(fail, () => never)
    const start = performance.now()
    expect(await send(http, `${node}/v1/${KEY}`, 50)).toMatchObject({ kind: "timeout" })
    expect(performance.now() - start).toBeLessThan(250)
  })

  it("has one probe per origin for ten seconds, whoever asks and however many", async () => {
    vi.useFakeTimers({ toFake: ["performance"] })
    at(PAGE)
    const { http, probes } = browser(fail, opaque)
    const all = await Promise.all(["/a", "/b", "/c"].map((path) => send(http, `${node}${path}`)))
    expect(all).toEqual([network(refused), network(refused), network(refused)])
    expect(await send(http)).toEqual(network(refused))
    expect(probes.map(({ url }) => url)).toEqual([`${node}/`])
    await send(http, "https://other.example/")
    expect(probes).toHaveLength(2)
    vi.advanceTimersByTime(9_000)
    await send(http)
    expect(probes).toHaveLength(2)
    vi.advanceTimersByTime(2_000)
    await send(http)
    expect(probes).toHaveLength(3)
  })

  it("is the network's fault where the page has read an answer of that origin before", async () => {
    at(PAGE)
    let isWell = true
    const { http, probes } = browser((url, init) =>
      isWell ? Promise.resolve(new Response("{}")) : fail(url, init)
    )
    expect(await send(http)).toMatchObject({ status: 200 })
    isWell = false
    expect(await send(http, `${node}/other`)).toEqual(network(plain))
    expect(probes).toEqual([])
  })

  it("is not probed when it broke after its answer had begun", async () => {
    at(PAGE)
    const broken = new ReadableStream({ start: (controller) => controller.error(new TypeError(plain)) })
    const { http, probes } = browser(() => Promise.resolve(new Response(broken)))
    expect(await send(http)).toEqual(network(plain))
    expect(probes).toEqual([])
  })

  it("is not probed when nobody waits for it any more", async () => {
    at(PAGE)
    const { http, probes } = browser(
      (_, { signal }) =>
        new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))
    )
    expect(await send(http, `${node}/v1/${KEY}`, 20)).toMatchObject({ kind: "timeout" })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(probes).toEqual([])
  })

  it("is not probed when the url is none", async () => {
    at(PAGE)
    const { http, probes } = browser(fail)
    expect(await send(http, "http://[")).toMatchObject({ kind: "network" })
    expect(probes).toEqual([])
  })
})
