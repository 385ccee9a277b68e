/** Every request of the recorded services and flows, made by the SDK itself, at the sandbox in place of the provider. */
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Network from "../../src/data/Network.js"
import { type InitConfig, init } from "../../src/promise.js"
import * as Sandbox from "../../src/sandbox/index.js"
import { call } from "../conformance/run.js"
import { type CallVector, decode, load } from "../conformance/vectors.js"

interface Exchange {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly text: string
}

/** Paths that the recorded client was given to see what it does with them, and that are nobody's. */
const made = ["/v4/a/b", "/v4", "/v4/", "/only-base"]

/** What the vectors know the provider, its override and the nodes as, at the sandbox. */
const moved = (url: URL, base: string, network: string): string => {
  const rest = `${url.pathname === "/" ? "" : url.pathname}${url.search}`
  switch (url.hostname) {
    case "api.tatum.io":
      return `${base}${rest}`
    case "rpc.tatum.io":
      return `${base}${rest}`
    case "override.example":
      return `${base}${rest.replace(/^\/v9/, "/v4")}`
    default:
      return `${base}/v3/blockchain/node/${network}${rest}`
  }
}

const problemsOf = (
  vector: CallVector,
  exchanges: ReadonlyArray<Exchange>,
  outcome: unknown
): ReadonlyArray<string> => {
  const lost = exchanges.filter(
    ({ status, text, url }) =>
      (status === 404 &&
        text.includes('"not.found"') &&
        !made.includes(new URL(url).pathname.replace(/^.*(?=\/only-base)/, ""))) ||
      (status >= 500 && status !== 501)
  )
  const error = typeof outcome === "object" && outcome !== null ? Reflect.get(outcome, "error") : undefined
  const cause = typeof error === "object" && error !== null ? Reflect.get(error, "cause") : undefined
  const kind = typeof cause === "object" && cause !== null ? Reflect.get(cause, "kind") : undefined
  return [
    ...lost.map(
      ({ method, status, text, url }) => `${method} ${url} was answered with ${status} ${text.slice(0, 200)}`
    ),
    ...(outcome === undefined ? [`there is no ${vector.target}`] : []),
    ...(kind === "malformed"
      ? [`the answer was malformed: ${JSON.stringify(Reflect.get(Object(error), "message"))}`]
      : [])
  ]
}

describe("vectors at the sandbox", () => {
  const scope = Effect.runSync(Scope.make())
  let sandbox: Sandbox.SandboxService

  beforeAll(async () => {
    sandbox = await Effect.runPromise(
      Scope.extend(
        Sandbox.make({
          networks: [{ network: "ethereum-mainnet", nodes: 1, archive: 0 }],
          // networks that the routes of today have left behind are asked for on those before them
          dataApi: "both",
          webhooks: { hosts: ["hook.example"] }
        }),
        scope
      )
    )
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  const files = ["services", "flows"].map((name) =>
    fileURLToPath(new URL(`../conformance/vectors/${name}.json`, import.meta.url))
  )
  const vectors = load(files).flatMap((vector) => ("target" in vector ? [vector] : []))

  it("are there", () => {
    expect(vectors.length).toBeGreaterThan(200)
  })

  it.each(vectors.map((vector) => [vector.id, vector] as const))("%s", async (_, vector) => {
    if (!Network.isNetwork(vector.network)) return
    const exchanges: Array<Exchange> = []
    const { rpc, ...config } = vector.config
    const given: InitConfig = {
      ...config,
      network: vector.network,
      rpc: { ...rpc, statusCheckInterval: Number.POSITIVE_INFINITY },
      verifyChain: false,
      retryDelay: 1,
      quiet: true,
      fetch: async (input, options) => {
        const url = new URL(String(input))
        const network = url.hostname === "api.shasta.trongrid.io" ? "tron-testnet" : vector.network
        const response = await fetch(moved(url, sandbox.baseUrl, network), options)
        const text = await response.clone().text()
        exchanges.push({ method: options?.method ?? "GET", url: response.url, status: response.status, text })
        return response
      }
    }
    const sdk = await init(given)
    const args = vector.args.map(decode)
    const outcome = await call(sdk, vector.target, args)
    await sdk.destroy()
    expect(problemsOf(vector, exchanges, outcome)).toEqual([])
  })
})
