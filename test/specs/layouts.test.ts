/** Own nodes, served as the chains' own programs serve them: real servers, on which anything that a program does not have is 404. */
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import { registry } from "../../src/chains/registry.js"
import { loadFamily } from "../../src/client/Sdk.js"
import { type FamilyId, info } from "../../src/data/Network.js"
import { type InitConfig, init, type PromiseSdk } from "../../src/promise.js"
import { more } from "../sandbox/recordedCalls.js"
import { isJson, type Operation, describe as open } from "./descriptions.js"
import { clients, type Described, rest, rpc } from "./families.js"
import { nodeOf, type Program } from "./layouts.js"
import { oneOfEach } from "./samples.js"
import { matched, memberOf, walk } from "./tables.js"

// the keys of the registry are families, which Object.keys does not say
const families = Object.keys(registry) as ReadonlyArray<FamilyId>

const open_ = new Set<Server>()
afterEach(async () => {
  for (const server of open_) await new Promise((resolve) => server.close(resolve).closeAllConnections())
  open_.clear()
})

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

/** A denomination of Cosmos has slashes of its own. */
const pattern = (template: string): RegExp =>
  new RegExp(
    `^${template
      .replace(/[.]/g, "\\.")
      .replace(/\{denom\}/g, ".+")
      .replace(/\{[^}]*\}/g, "[^/]+")}$`
  )

/** What a program serves: `serves` says whether a request is one of its own. */
const servingOf = ({ at = (path) => path, files = [], routes = [] }: Program) => {
  const operations = files
    .flatMap((file): ReadonlyArray<Operation> => open(file).operations)
    .map(({ path, verb }) => ({ verb, is: pattern(at(path)) }))
  return (verb: string, path: string): boolean =>
    operations.some((each) => each.verb === verb && each.is.test(path)) ||
    routes.some((route) => path.startsWith(route))
}

interface Running {
  readonly url: string
  readonly served: Array<string>
  readonly missed: Array<string>
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
  )

/** The answer to a JSON-RPC request: any result, and the chain's id where it is asked for. */
const rpcAnswer = (body: string, chainId: number | undefined): unknown => {
  const one = (request: unknown) => {
    const { id = null, method } = isJson(request) ? request : {}
    return {
      jsonrpc: "2.0",
      id,
      result: method === "eth_chainId" ? `0x${(chainId ?? 0).toString(16)}` : "0x1"
    }
  }
  const request: unknown = JSON.parse(body)
  return Array.isArray(request) ? request.map(one) : one(request)
}

/** Starts a server that has these programs. */
const start = async (programs: ReadonlyArray<Program>, chainId?: number): Promise<Running> => {
  const served: Array<string> = []
  const missed: Array<string> = []
  const serving = programs.map(servingOf)
  const server = createServer(async (request, response) => {
    const body = await read(request)
    const path = new URL(request.url ?? "", "http://node.example").pathname
    const called = `${request.method} ${path}`
    const isRpc = programs.some((each) => each.rpc !== undefined && (each.rpc || "/") === path)
    if (isRpc && request.method === "POST") {
      served.push(called)
      response.setHeader("content-type", "application/json").end(JSON.stringify(rpcAnswer(body, chainId)))
    } else if (serving.some((serves) => serves(String(request.method), decodeURI(path)))) {
      served.push(called)
      response.setHeader("content-type", "application/json").end("{}")
    } else {
      missed.push(called)
      response.writeHead(404, { "content-type": "text/html" }).end("<h1>404</h1>")
    }
  })
  open_.add(server)
  return { url: `http://127.0.0.1:${await listen(server)}`, served, missed }
}

type Entry = NonNullable<NonNullable<InitConfig["rpc"]>["nodes"]>[number]

const clientOf = (family: FamilyId, node: Entry): Promise<PromiseSdk> =>
  init({
    network: nodeOf(family).network,
    rpc: { nodes: [node], statusCheckInterval: Number.POSITIVE_INFINITY, oneTimeLoadBalancing: true },
    retryCount: 0,
    quiet: true
  })

/** Whether a description has a route, or nothing describes it: what a description leaves out is the matter of `endpoints.test.ts`. */
const isDescribed = (
  { endpoints, files, written }: Pick<Described, "endpoints" | "files" | "written">,
  name: string
): boolean => {
  const { methods, routes } = walk(endpoints)
  const route = routes.find((each) => each.name === name)
  const operations = files.flatMap((file): ReadonlyArray<Operation> => open(file).operations)
  return route === undefined
    ? methods.some((each) => each.name === name)
    : operations.length === 0 || matched(route, operations, written).length > 0
}

/** A table with what describes it: by a chain's own description, or by its client. */
type Table = Pick<Described, "endpoints" | "family" | "files" | "place" | "samples" | "written"> & {
  readonly ids: ReadonlyArray<string>
}

/** A call of each method of a family whose route is described. */
const callsOf = (family: FamilyId): ReadonlyMap<string, ReadonlyArray<unknown>> => {
  const all: ReadonlyArray<Table> = [...clients, ...rest, ...rpc]
  const tables = all.filter(({ ids }) => ids.includes(family))
  return new Map([
    ...(tables.length === 0 ? (more[family] ?? []) : []),
    ...tables.flatMap((described) =>
      [...oneOfEach(described)]
        .filter(([name]) => isDescribed(described, name))
        .map(([name, args]) => [`${described.place ?? ""}${name}`, args] as const)
    )
  ])
}

/** Calls everything once. Answers are nothing to speak of, and nor are the outcomes: it is about where calls go. */
const callAll = async (sdk: PromiseSdk, family: FamilyId): Promise<number> => {
  const calls = [...callsOf(family)].flatMap(([name, args]) => {
    const method = memberOf(sdk.rpc, name)
    return typeof method === "function" ? [() => method(...args)] : []
  })
  await Promise.all(calls.map((call) => call()))
  return calls.length
}

/** The rows of the table in the docs, by family: what stands under the url, and the options. */
const documented = (): ReadonlyMap<string, readonly [under: string, options: string]> => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/balancer.md"), "utf8")
  const [, table = ""] = text.split(/\| family +\|.*\n\|[ |-]+\|\n/)
  const rows = table
    .slice(0, table.indexOf("\n\n"))
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim()))
  return new Map(
    rows.flatMap(([, ids = "", , under = "", options = ""]) =>
      [...ids.matchAll(/`([^`]+)`/g)].map(([, id = ""]) => [id, [under, options]] as const)
    )
  )
}

describe("the docs' table of urls", () => {
  it("has each family once", () => {
    expect([...documented().keys()].toSorted()).toEqual(Object.keys(registry).toSorted())
  })

  it.each(families)("has the options and the paths of %s", async (family) => {
    const { servers = {} } = (await Effect.runPromise(loadFamily(family))).layout ?? {}
    const [under = "", options = ""] = documented().get(family) ?? []
    expect([...options.matchAll(/`(\w+Url)`/g)].map(([, name]) => name)).toEqual(Object.keys(servers))
    for (const { path } of Object.values(servers))
      expect(under).toContain(path === undefined ? "" : `\`${path}\``)
  })

  it.each(families)("and the programs of %s", (family) => {
    const named = nodeOf(family).programs.flatMap(({ option }) => (option === "url" ? [] : [option]))
    const [, options = ""] = documented().get(family) ?? []
    for (const option of named) expect(options).toContain(`\`${option}\``)
  })
})

describe("own nodes, laid out as the chain's own programs", () => {
  for (const family of families) {
    const { network, programs } = nodeOf(family)
    const { chainId } = info(network)

    const optioned = async () => {
      const running = await Promise.all(
        programs.map(async (program) => ({ program, at: await start([program], chainId) }))
      )
      const urls = running.map(({ at, program }) => [
        program.option,
        // JSON-RPC of its own is named by its whole url
        program.option === "url"
          ? at.url
          : `${at.url}${program.rpc ?? (program.option === "tonCenterUrl" ? "/api/v2" : "")}`
      ])
      return { running, node: Object.fromEntries(urls) as Entry }
    }

    it(`${family}: every call reaches the program that serves it, each program on a port of its own`, async () => {
      const { node, running } = await optioned()
      const sdk = await clientOf(family, node)
      await callAll(sdk, family)
      await sdk.checkNodes()
      await sdk.destroy()
      const missed = running.flatMap(({ at }) => at.missed)
      expect(missed).toEqual([])
      for (const { at, program } of running)
        expect([program.option, at.served.length > 0]).toEqual([program.option, true])
    })

    it(`${family}: and behind one url, as hosters have it`, async () => {
      const { missed, served, url } = await start(programs, chainId)
      const sdk = await clientOf(family, { url: `${url}/` })
      const called = await callAll(sdk, family)
      await sdk.checkNodes()
      await sdk.destroy()
      expect(missed).toEqual([])
      expect(served.length).toBeGreaterThan(called * 0.9)
    })
  }
})
