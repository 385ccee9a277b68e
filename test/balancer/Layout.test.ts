// @runtime both
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { afterEach, describe, expect, it } from "vitest"
import { findUnknownServers, type Layout, makeTargets, sendTo } from "../../src/balancer/Layout.js"
import * as Probe from "../../src/balancer/Probe.js"
import { loadFamily } from "../../src/client/Sdk.js"
import type { NodeEntry, ResolvedConfig } from "../../src/config/Config.js"
import { makeSecretHider } from "../../src/config/headers.js"
import { resolve, resolveNode } from "../../src/config/resolveConfig.js"
import { info, type Network } from "../../src/data/Network.js"
import { HttpFailure, type HttpService, makeFetch } from "../../src/http/service.js"
import { init } from "../../src/promise.js"
import { quota } from "../../src/quota.js"

const configOf = (network: Network, nodes: ReadonlyArray<NodeEntry>): ResolvedConfig =>
  Effect.runSync(resolve({ network, apiKey: "KEY", rpc: { nodes } }))

const layoutOf = async (network: Network): Promise<Layout | undefined> =>
  (await Effect.runPromise(loadFamily(info(network).family))).layout

/** Where calls with these paths go. */
const urlsOf = async (network: Network, entry: NodeEntry, ...paths: ReadonlyArray<string>) => {
  const place = makeTargets(configOf(network, [entry]), resolveNode(entry), await layoutOf(network))
  return paths.map((path) => place(path).url)
}

const servers: Array<Server> = []

afterEach(async () => {
  for (const server of servers.splice(0))
    await new Promise((done) => server.close(done).closeAllConnections())
})

const serve = async (
  listener: RequestListener
): Promise<{ readonly url: string; readonly asked: Array<string> }> => {
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    listener(request, response)
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

describe("where routes are", () => {
  const latest = "/cosmos/base/tendermint/v1beta1/blocks/latest"

  it("takes the url of GraphQL with and without the path that its route has", async () => {
    const url = "https://node.example"
    for (const graphqlUrl of [
      "https://graphql.example",
      "https://graphql.example/graphql",
      "https://graphql.example/graphql/"
    ])
      expect(await urlsOf("sui-mainnet", { url, graphqlUrl }, "", "/graphql")).toEqual([
        url,
        "https://graphql.example/graphql"
      ])
    // a host of that name is no path
    expect(await urlsOf("sui-mainnet", { url: "https://graphql" }, "/graphql")).toEqual([
      "https://graphql/graphql"
    ])
  })

  it("takes a node's url with and without the path that its routes have", async () => {
    for (const url of ["https://node.example", "https://node.example/v1", "https://node.example/v1/"])
      expect(await urlsOf("aptos-mainnet", { url }, "/v1", "/v1/view")).toEqual([
        "https://node.example/v1",
        "https://node.example/v1/view"
      ])
    expect(await urlsOf("aptos-mainnet", { url: "https://node.example/v1?key=KEY" }, "/v1/view")).toEqual([
      "https://node.example/v1/view?key=KEY"
    ])
  })

  it("takes a mirror node's url with and without its path", async () => {
    for (const url of ["https://node.example", "https://node.example/api/v1", "https://node.example/api/v1/"])
      expect(await urlsOf("hedera-mainnet-mirror", { url }, "/api/v1/blocks?limit=1")).toEqual([
        "https://node.example/api/v1/blocks?limit=1"
      ])
  })

  it("has the provider's prefix at the provider's nodes alone", async () => {
    expect(await urlsOf("cosmos-mainnet", { url: "https://node.example" }, latest, "/network/list")).toEqual([
      `https://node.example${latest}`,
      "https://node.example/network/list"
    ])
    expect(
      await urlsOf("cosmos-mainnet", { url: "https://cosmos.rpc.tatum.io" }, latest, "/network/list")
    ).toEqual([`https://cosmos.rpc.tatum.io/api${latest}`, "https://cosmos.rpc.tatum.io/network/list"])
    // the gateway serves its own routes only where it is asked itself
    expect(
      await urlsOf(
        "cosmos-mainnet",
        { url: "https://node.example", rosettaUrl: "https://cosmos.rpc.tatum.io" },
        latest,
        "/block"
      )
    ).toEqual([`https://node.example${latest}`, "https://cosmos.rpc.tatum.io/block"])
  })

  const endings: ReadonlyArray<readonly [Network, string]> = [
    ["tron-mainnet", "/jsonrpc"],
    ["casper-mainnet", "/rpc"],
    ["avax-p-mainnet", "/ext/bc/P"],
    ["avax-x-mainnet", "/ext/bc/X"]
  ]

  it("is the same, whether a url ends with the path of its JSON-RPC or not", async () => {
    for (const [network, ending] of endings) {
      const layout = await layoutOf(network)
      // hosts and keys may be called like the path
      const hosts = ["http://127.0.0.1:8090", `https://${ending.slice(1).replaceAll("/", ".")}`]
      fc.assert(
        fc.property(
          fc.constantFrom(...hosts),
          fc.constantFrom("", "/key", `/a${ending}/key`),
          fc.constantFrom("", ending),
          fc.constantFrom(["", ""], ["/", ""], ["?key=1", "?key=1"], ["/?key=1", "?key=1"]),
          fc.constantFrom("", "/wallet/getnowblock"),
          (host, key, end, [tail, query], path) => {
            const url = `${host}${key}${end}${tail}`
            const place = makeTargets(configOf(network, [{ url }]), resolveNode({ url }), layout)
            expect(place(path).url).toBe(`${host}${key}${path || ending}${query}`)
          }
        )
      )
    }
  })

  it("is what an option says as it is written, with headers of its own", async () => {
    const entry = {
      url: "http://127.0.0.1:8090",
      jsonRpcUrl: "http://user:secret@127.0.0.1:8545/any",
      headers: { "x-plan": "1" }
    }
    const config = configOf("tron-mainnet", [entry])
    const place = makeTargets(config, resolveNode(entry), await layoutOf("tron-mainnet"))
    expect([place("").url, place("/wallet/getnowblock").url]).toEqual([
      "http://127.0.0.1:8545/any",
      "http://127.0.0.1:8090/wallet/getnowblock"
    ])
    expect(place("").headers.GET).toEqual({ authorization: `Basic ${btoa("user:secret")}`, "x-plan": "1" })
    expect(place("/wallet/getnowblock").headers.GET).toEqual({ "x-plan": "1" })
    expect(makeSecretHider(config)("it is secret, says user:secret")).not.toContain("secret")
  })

  it.each([
    ["solana-mainnet", "beaconUrl", "everything is at their url"],
    ["tron-mainnet", "waspUrl", "beside url they have jsonRpcUrl"]
  ] as const)("of %s has no %s, which is refused", async (network, name, words) => {
    const nodes = [{ url: "http://127.0.0.1:1" }, { url: "http://127.0.0.1:1", [name]: "http://127.0.0.1:2" }]
    expect(findUnknownServers(configOf(network, nodes), await layoutOf(network))).toHaveLength(1)
    await expect(init({ network, rpc: { nodes }, quiet: true })).rejects.toMatchObject({
      _tag: "InvalidConfig",
      issues: [{ path: `rpc.nodes[1].${name}`, message: expect.stringContaining(words) }]
    })
  })

  it("of a server is a url: another text is refused with its place", async () => {
    const nodes = [{ url: "http://127.0.0.1:1", jsonRpcUrl: "127.0.0.1:8545" }]
    await expect(init({ network: "tron-mainnet", rpc: { nodes }, quiet: true })).rejects.toMatchObject({
      _tag: "InvalidConfig",
      issues: [{ path: "rpc.nodes[0].jsonRpcUrl" }]
    })
  })
})

it("counts against the node's quota, whichever of its servers answers", async () => {
  const http = await serve((_, response) => response.end("{}"))
  const rpc = await serve((_, response) => response.end("{}"))
  const limit = { requestsPerSecond: 0.001, burst: 1 }
  const sdk = await init({
    network: "tron-mainnet",
    quota: quota(),
    rpc: {
      nodes: [{ url: http.url, jsonRpcUrl: `${rpc.url}/jsonrpc`, quota: limit }],
      statusCheckInterval: Number.POSITIVE_INFINITY
    },
    verifyChain: false,
    quiet: true
  })
  expect(await sdk.rpc.getNowBlock()).toMatchObject({ status: "SUCCESS" })
  expect((await sdk.rpc.blockNumber()).error?.cause._tag).toBe("QuotaExceeded")
  await sdk.destroy()
  expect([http.asked, rpc.asked]).toEqual([["POST /wallet/getnowblock"], []])
})

describe("the probe of an own node", () => {
  const head = (routes: Readonly<Record<string, unknown>>, status: number) =>
    serve((request, response) => {
      const answer = routes[`${request.method} ${request.url}`]
      if (answer === undefined) response.writeHead(status).end("no such route")
      else response.end(JSON.stringify(answer))
    })

  const programs: ReadonlyArray<
    readonly [what: string, network: Network, routes: Readonly<Record<string, unknown>>, height: number]
  > = [
    [
      "the Cosmos SDK's server",
      "cosmos-mainnet",
      { "GET /cosmos/base/tendermint/v1beta1/blocks/latest": { block: { header: { height: "7" } } } },
      7
    ],
    [
      "a Rosetta server of Cosmos",
      "cosmos-mainnet",
      { "POST /network/status": { current_block_identifier: { index: 8 } } },
      8
    ],
    [
      "TonAPI's server",
      "ton-mainnet",
      { "GET /v2/liteserver/get_masterchain_info": { last: { seqno: 9 } } },
      9
    ],
    [
      "TON Center's server",
      "ton-mainnet",
      { "GET /api/v2/getMasterchainInfo": { ok: true, result: { last: { seqno: 10 } } } },
      10
    ],
    [
      "a node of Casper",
      "casper-mainnet",
      { "POST /rpc": { jsonrpc: "2.0", id: 1, result: { last_added_block_info: { height: 11 } } } },
      11
    ],
    ["java-tron", "tron-mainnet", { "POST /jsonrpc": { jsonrpc: "2.0", id: 1, result: "0xc" } }, 12],
    [
      "AvalancheGo",
      "avax-p-mainnet",
      { "POST /ext/bc/P": { jsonrpc: "2.0", id: 1, result: { height: "13" } } },
      13
    ]
  ]

  it.each(programs.flatMap((program) => [404, 405, 501].map((status) => [...program, status] as const)))(
    "gets the height of %s (%s)",
    async (_, network, routes, height, status) => {
      const { url } = await head(routes, status)
      const { layout, probe } = await Effect.runPromise(loadFamily(info(network).family))
      const targetFor = makeTargets(configOf(network, [{ url }]), resolveNode({ url }), layout)
      const asked = Probe.probeNode(makeFetch(), { url, targetFor }, probe(network, info(network), true))
      expect(await Effect.runPromise(asked)).toMatchObject({ height })
    }
  )

  it("is no other one after an error that is not about the route", async () => {
    const { asked, url } = await head({}, 500)
    const { layout, probe } = await Effect.runPromise(loadFamily("ton"))
    const targetFor = makeTargets(configOf("ton-mainnet", [{ url }]), resolveNode({ url }), layout)
    const found = Probe.probeNode(
      makeFetch(),
      { url, targetFor },
      probe("ton-mainnet", info("ton-mainnet"), true)
    )
    expect(await Effect.runPromise(found)).toBe("failed")
    expect(new Set(asked)).toEqual(new Set(["GET /v2/liteserver/get_masterchain_info"]))
  })
})

describe("a redirect that adds a slash", () => {
  const answer = (id: unknown): string => JSON.stringify({ jsonrpc: "2.0", id, result: "0x89" })

  /** A node at `/rpc/`, to which `/rpc` is redirected as `location` says. */
  const redirecting = (location: (origin: string) => string, status: number) => {
    const node = serve(async (request, response) => {
      const { pathname } = new URL(request.url ?? "", "http://node.example")
      const chunks: Array<Buffer> = []
      for await (const chunk of request) chunks.push(chunk)
      if (pathname === "/rpc")
        response.writeHead(status, { location: location(`http://${request.headers.host}`) }).end()
      else if (pathname === "/rpc/") response.end(answer(JSON.parse(Buffer.concat(chunks).toString()).id))
      else response.writeHead(404).end()
    })
    return node
  }

  const clientOf = (url: string) =>
    init({
      network: "polygon-mainnet",
      rpc: { nodes: [{ url }], statusCheckInterval: Number.POSITIVE_INFINITY },
      quiet: true
    })

  it.each(
    [301, 302, 307, 308].flatMap((status) =>
      ["/rpc/?key=1", "HOST/rpc/?key=1"].map((location) => [status, location] as const)
    )
  )("is followed with the same request, and remembered (%s to %s)", async (status, location) => {
    const { asked, url } = await redirecting((origin) => location.replace("HOST", origin), status)
    const sdk = await clientOf(`${url}/rpc/?key=1`.replace("/?", "?"))
    expect(await sdk.rpc.blockNumber()).toMatchObject({ status: "SUCCESS", data: 137n })
    const before = asked.length
    expect(await sdk.rpc.blockNumber()).toMatchObject({ status: "SUCCESS" })
    await sdk.checkNodes()
    await sdk.destroy()
    expect(asked.length).toBeGreaterThan(before)
    expect(new Set(asked.slice(before))).toEqual(new Set(["POST /rpc/?key=1"]))
  })

  it.each([
    ["another host", "http://localhost:1/rpc/"],
    ["another port", "http://127.0.0.1:1/rpc/"],
    ["another scheme", "https://HOST/rpc/"],
    ["another path", "/other/"],
    ["two slashes", "/rpc//"],
    ["another query", "/rpc/?a=1"],
    ["user info", "http://a:b@HOST/rpc/"],
    ["a fragment", "/rpc/#there"],
    ["no url", "http://["]
  ])("is refused where it leads to %s", async (_, location) => {
    const { asked, url } = await redirecting((origin) => location.replace("HOST", new URL(origin).host), 301)
    const sdk = await clientOf(`${url}/rpc`)
    const outcome = await sdk.rpc.blockNumber()
    await sdk.destroy()
    expect(outcome.error?.message.join()).toContain("redirect")
    expect(new Set(asked)).toEqual(new Set(["POST /rpc"]))
  })

  it("is refused with 303, which asks for another request", async () => {
    const { asked, url } = await redirecting(() => "/rpc/", 303)
    const sdk = await clientOf(`${url}/rpc`)
    expect(await sdk.rpc.blockNumber()).toMatchObject({ status: "ERROR" })
    await sdk.destroy()
    expect(new Set(asked)).toEqual(new Set(["POST /rpc"]))
  })

  it("is followed once: a second one is an error", async () => {
    const { asked, url } = await serve((request, response) =>
      response.writeHead(301, { location: `${request.url}/` }).end()
    )
    const sdk = await clientOf(`${url}/rpc`)
    expect((await sdk.rpc.blockNumber()).error?.message.join()).toContain("redirect")
    await sdk.destroy()
    expect(new Set(asked)).toEqual(new Set(["POST /rpc", "POST /rpc/"]))
  })

  /** A browser: it says that there was a redirect, and no more. */
  const opaque = (served: Readonly<Record<string, number>>) => {
    const sent: Array<string> = []
    const http: HttpService = {
      send: ({ url }) => {
        sent.push(url)
        const status = served[new URL(url).pathname]
        return status === undefined
          ? Effect.fail(
              new HttpFailure({ kind: "redirect", reason: "a redirect, which is refused", isHidden: true })
            )
          : Effect.succeed({ status, text: "{}", bytes: new Uint8Array(), header: () => undefined })
      }
    }
    const place = makeTargets(configOf("polygon-mainnet", [{ url: "https://node.example/rpc" }]), {
      url: "https://node.example/rpc",
      type: "NORMAL",
      headers: {},
      sendApiKey: false
    })
    const ask = () => {
      const at = place("")
      const request = { method: "POST" as const, url: at.url, headers: {}, timeout: 1_000, maxBytes: 1_000 }
      return Effect.runPromise(Effect.either(sendTo(http, at, request)))
    }
    return { ask, sent }
  }

  it("is tried at the same server where a browser hides it, and believed if that is answered", async () => {
    const { ask, sent } = opaque({ "/rpc/": 200 })
    expect(await ask()).toMatchObject({ _tag: "Right", right: { status: 200 } })
    expect(await ask()).toMatchObject({ _tag: "Right" })
    expect(sent).toEqual([
      "https://node.example/rpc",
      "https://node.example/rpc/",
      "https://node.example/rpc/"
    ])
  })

  it.each([[{ "/rpc/": 404 }], [{}]])(
    "stays a redirect where a browser hides it and the slash is none (%j)",
    async (served) => {
      const { ask, sent } = opaque(served)
      expect(await ask()).toMatchObject({ _tag: "Left", left: { kind: "redirect" } })
      expect(sent).toEqual(["https://node.example/rpc", "https://node.example/rpc/"])
    }
  )
})
