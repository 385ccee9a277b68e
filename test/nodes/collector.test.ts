/** The page on observability, against a collector of OpenTelemetry that prints what it is sent, and a sandbox of real nodes. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Otlp from "@effect/opentelemetry/Otlp"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Plugin } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../../scripts/freePort.mjs"
import { quota } from "../../src/client/Quota.js"
import * as Sdk from "../../src/client/Sdk.js"
import * as Http from "../../src/http/Http.js"
import * as Sandbox from "../../src/sandbox/index.js"
import { bundle, listBlocks, readPage, runScript } from "../pages.js"
import { type Node, requireBinary, start } from "./process.js"

const root = dirname(dirname(import.meta.dirname))
const rotel = requireBinary("rotel", "what the page on observability sends to a collector")
const anvil = requireBinary("anvil", "a sandbox whose calls are sent to a collector")

/** The page, and the first words of each row of a table under a heading, by their code marks. */
const observability = readPage("docs/observability.md")
const promised = (heading: string): ReadonlyArray<string> => {
  const section = observability.text.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? ""
  return Array.from(section.matchAll(/^\| (`[^|]*`) +\|/gm), ([, cell = ""]) => cell).flatMap((cell) =>
    Array.from(cell.matchAll(/`([\w.]+)`/g), ([, name = ""]) => name)
  )
}

/** What must not arrive: the key of the user, and what the url of a node has. */
const secrets = { key: "KEYOFTHEUSER0123456789", user: "hugo", password: "opensesame", token: "TOKENOFANODE" }

/** A span as the collector prints it. */
interface Arrived {
  readonly id: string
  readonly parent: string
  readonly name: string
  readonly kind: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
}

/** The lines `-> name: Str(value)` of a text. */
const attributesIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from(text.matchAll(/-> ([\w.]+): \w+\((.*)\)$/gm), ([, name = "", value = ""]) => [name, value])
  )

/** The parts of what the collector prints that begin with such a line: spans and metrics come in any order. */
const partsOf = (printed: string, heading: RegExp): ReadonlyArray<string> =>
  printed.split(/^(?=Resource(?:Spans|Metrics) #)/m).flatMap((resource) => resource.split(heading).slice(1))

const spansIn = (printed: string): ReadonlyArray<Arrived> =>
  partsOf(printed, /^Span #\d+$/m).map((text) => {
    const field = (name: string): string => new RegExp(`^ *${name} *: (.*)$`, "m").exec(text)?.[1] ?? ""
    return {
      id: field("ID"),
      parent: field("Parent ID"),
      name: field("Name"),
      kind: field("Kind"),
      attributes: attributesIn(text),
      text
    }
  })

/** The points of a metric as the collector prints them: their attributes, and the value of a sum, or else the count of a histogram. */
const valuesOf = (printed: string, name: string) =>
  partsOf(printed, /^Metric #\d+$/m)
    .filter((part) => part.includes(`-> Name: ${name}\n`))
    .flatMap((part) => part.split(/^\w+DataPoints #\d+$/m).slice(1))
    .map((point) => ({
      attributes: attributesIn(point),
      value: /^(?:Value|Count): (.*)$/m.exec(point)?.[1]
    }))

describe.runIf(rotel !== undefined && anvil !== undefined)("a collector of OpenTelemetry", () => {
  const scope = Effect.runSync(Scope.make())
  let folder = ""
  let out = ""
  let collector: Node
  let sandbox: Sandbox.SandboxService

  beforeAll(async () => {
    folder = mkdtempSync(join(root, "node_modules", ".collector-"))
    out = join(folder, "printed.txt")
    const made = Sandbox.make({ networks: [{ network: "ethereum-mainnet", nodes: 1 }], blockTime: 1 })
    sandbox = await Effect.runPromise(Scope.extend(made, scope))
    const options = "--otlp-grpc-endpoint 127.0.0.1:0 --exporter blackhole --debug-log-verbosity detailed"
    const logs = "--debug-log traces --debug-log metrics"
    collector = await start({
      command: "/bin/sh",
      args: (port) => [
        "-c",
        `exec "${rotel}" start --otlp-http-endpoint 127.0.0.1:${port} ${options} ${logs} >"${out}" 2>&1`
      ],
      ready: async (url) => {
        const headers = { "content-type": "application/json" }
        const sent = await fetch(`${url}/v1/traces`, {
          method: "POST",
          headers,
          body: '{"resourceSpans":[]}'
        })
        return sent.ok
      }
    })
  })

  afterAll(async () => {
    await collector?.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true })
  })

  /** What the collector has printed since, once it has `last`. */
  const printedUntil = async (last: RegExp, from: number): Promise<string> => {
    const until = Date.now() + 300_000
    for (let before = ""; ; ) {
      const printed = readFileSync(out, "utf8").slice(from)
      // the rest of what it writes has come, too
      if (last.test(printed) && printed === before) return printed
      if (Date.now() > until) throw new Error(`the collector has not printed ${last}: ${printed}`)
      before = printed
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  /** The url of a node that has secrets in it. */
  const nodeUrl = (): string => {
    const url = new URL(sandbox.network("ethereum-mainnet").urls[0] ?? "")
    url.username = secrets.user
    url.password = secrets.password
    url.searchParams.set("token", secrets.token)
    return url.href
  }

  const configuration = () => ({
    ...sandbox.config("ethereum-mainnet"),
    apiKey: secrets.key,
    quiet: true,
    rpc: { nodes: [{ url: nodeUrl() }] }
  })

  /** The package is its sources, and its clients are those of the sandbox. */
  const entry: Plugin = {
    name: "entry",
    setup: ({ onLoad, onResolve }) => {
      const source = JSON.stringify(join(root, "src/index.ts"))
      onResolve({ filter: /^effect-chains$/ }, ({ path }) => ({ path, namespace: "sandboxed" }))
      onLoad({ filter: /.*/, namespace: "sandboxed" }, () => ({
        resolveDir: root,
        contents: `
          import { Sdk as made } from ${source}
          export * from ${source}
          export const Sdk = { ...made, make: (config) => made.make({ ...config, ...${JSON.stringify(configuration())} }) }`
      }))
    }
  }

  it("has from the page's program the spans that the page says, and its metrics", async () => {
    const [block] = listBlocks(observability)
    if (block === undefined) throw new Error("the page has no program")
    expect(block.code).toContain("http://localhost:4318")
    const code = block.code.replace("http://localhost:4318", collector.url)
    const from = readFileSync(out, "utf8").length
    const [script = ""] = await bundle([{ ...block, code }], folder, { plugins: [entry] })
    await runScript(script, {})
    const printed = await printedUntil(
      /effect_chains_calls[\s\S]*Name +: refresh|Name +: refresh[\s\S]*effect_chains_calls/,
      from
    )
    const spans = spansIn(printed)
    const named = (name: string): Arrived => {
      const [span, ...others] = spans.filter((each) => each.name === name)
      if (span === undefined || others.length > 0) throw new Error(`${others.length} more of ${name}`)
      return span
    }
    const refresh = named("refresh")
    const list = named("batch of 2")
    expect(spans).toHaveLength(4)
    expect([refresh.parent, list.parent]).toEqual(["", ""])
    for (const method of ["eth_blockNumber", "eth_gasPrice"]) {
      const call = named(method)
      expect(call).toMatchObject({
        parent: refresh.id,
        kind: "SPAN_KIND_CLIENT",
        attributes: {
          "rpc.system": "jsonrpc",
          "rpc.method": method,
          "server.address": "127.0.0.1",
          "server.port": new URL(nodeUrl()).port,
          "http.response.status_code": "200",
          "effect_chains.network": "ethereum-mainnet",
          "effect_chains.outcome": "ok",
          "effect_chains.attempts": "1",
          "effect_chains.hedged": "false"
        }
      })
      expect(call.text).toContain(`-> ID: ${list.id}`)
      expect(list.text).toContain(`-> ID: ${call.id}`)
    }
    expect(valuesOf(printed, "effect_chains_calls")).toEqual([
      { attributes: { network: "ethereum-mainnet", outcome: "ok" }, value: "2" }
    ])
  })

  it("has every attribute and every metric that the page names, and no secret", async () => {
    const tracing = Otlp.layerJson({ baseUrl: collector.url, resource: { serviceName: "everything" } })
    const program = Effect.gen(function* () {
      const config = configuration()
      const dead = { url: `http://127.0.0.1:${yield* Effect.promise(freePort)}/${secrets.token}` }
      const sdk = yield* Sdk.makeHttp({
        ...config,
        quota: quota({ requestsPerSecond: 50 }),
        retryDelay: 1,
        rpc: { nodes: [dead, ...config.rpc.nodes] }
      })
      yield* sdk.rpc.blockNumber()
      const refused = sdk.rpc.rawRpcCall({ jsonrpc: "2.0", id: 1, method: "eth_nothing", params: [] })
      expect(yield* Effect.flip(refused)).toMatchObject({ _tag: "RpcError" })
      yield* sdk.rates.getCurrentRate("ETH", "EUR")
      yield* Stream.runDrain(Stream.take(sdk.rpc.subscribe.newHeads(), 1))
    })
    const from = readFileSync(out, "utf8").length
    await program.pipe(
      Effect.scoped,
      Effect.provide(Http.layerFetch),
      Effect.provide(Layer.provide(tracing, FetchHttpClient.layer)),
      Effect.runPromise
    )
    const printed = await printedUntil(
      /eth_nothing[\s\S]*effect_chains_calls|effect_chains_calls[\s\S]*eth_nothing/,
      from
    )
    const spans = spansIn(printed)
    const names = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)))
    expect(promised("Spans").length).toBeGreaterThan(10)
    expect(promised("Spans").filter((name) => !names.has(name))).toEqual([])
    expect(promised("Metrics")).toHaveLength(6)
    expect(promised("Metrics").filter((name) => valuesOf(printed, name).length === 0)).toEqual([])
    expect(
      spans.find(({ attributes }) => attributes["rpc.method"] === "eth_nothing")?.attributes
    ).toMatchObject({
      "error.type": "RpcError",
      "rpc.jsonrpc.error_code": "-32601",
      "effect_chains.outcome": "RpcError"
    })
    // of both programs, with all that the collector was sent
    const all = readFileSync(out, "utf8")
    expect(Object.values(secrets).filter((secret) => all.includes(secret))).toEqual([])
  })
})
