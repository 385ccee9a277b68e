/** Every call, error, log line, span, metric, event, inspection and crash of a client with marker secrets, which are in none of them. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { inspect } from "node:util"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Metric from "effect/Metric"
import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { describe, expect, it, vi } from "vitest"
import * as Sdk from "../../src/client/Sdk.js"
import { type FamilyId, info, type Network, networks } from "../../src/data/Network.js"
import { layerPlatform } from "../../src/http/Http.js"
import { init } from "../../src/promise.js"
import { call } from "../conformance/run.js"
import { decode, load } from "../conformance/vectors.js"
import { spread } from "../properties.js"
import { makeRecorder } from "../spans.js"
import { make, serviceCalls, serviceMethods } from "./calls.js"
import { markedUrl, marks, mirrored, printErrorForms, revealsSecret, secrets, spellingsOf } from "./marked.js"
import { bundled } from "./process.js"
import { times } from "./times.js"

interface Sent {
  readonly host: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Hosts of the provider, of the user's node, and of nobody's. */
const node = "https://node.example"
const isProvider = (host: string): boolean => /(^|\.)tatum\.io$/.test(host)

/** The ids of a request: several of a batch. */
const idsOf = (body: unknown): ReadonlyArray<unknown> => {
  if (typeof body !== "string") return []
  const json: unknown = JSON.parse(body)
  return [json]
    .flat()
    .map((each) => (typeof each === "object" && each !== null && "id" in each ? each.id : undefined))
}

/** Hosts that repeat whatever they get. */
const mirrors = () => {
  const sent: Array<Sent> = []
  let turn = 0
  const fetch: typeof globalThis.fetch = async (input, options) => {
    const url = input instanceof Request ? input.url : String(input)
    const headers = Object.fromEntries(new Headers(options?.headers))
    sent.push({ host: new URL(url).hostname, url, headers })
    const heard = [url, ...Object.values(headers)]
    const ids = idsOf(options?.body)
    const [status, text] = mirrored(heard, ids[0], turn++)
    const isList = typeof options?.body === "string" && options.body.startsWith("[") && text.startsWith("{")
    return new Response(isList ? `[${ids.map((id, i) => mirrored(heard, id, i % 2)[1]).join(",")}]` : text, {
      status
    })
  }
  return { fetch, sent }
}

/** What a request may hold: the key for the provider and for a node that may have it, the others for their node alone. */
const misplaced = ({ headers, host, url }: Sent): ReadonlyArray<string> => {
  const { authorization = "", "x-api-key": key, "x-token": token, ...rest } = headers
  const plain = JSON.stringify(rest)
  const isNode = host === "node.example"
  return [
    ...(key !== undefined && !isNode && !isProvider(host) ? [`the key goes to ${host}`] : []),
    ...(token !== undefined && !isNode ? [`the header goes to ${host}`] : []),
    ...(authorization !== "" && !isNode ? [`the user info goes to ${host}`] : []),
    ...(revealsSecret(plain, marks.apiKey) || revealsSecret(url, marks.apiKey)
      ? [`the key is elsewhere: ${url} ${plain}`]
      : []),
    ...([marks.user, marks.password].some((each) => revealsSecret(url, each) || revealsSecret(plain, each))
      ? [`the user info is elsewhere: ${url}`]
      : []),
    ...(!isNode && [marks.inPath, marks.inQuery].some((each) => revealsSecret(url, each))
      ? [`the url's secrets go to ${host}`]
      : [])
  ]
}

const base = {
  apiKey: marks.apiKey,
  verbose: true,
  retryCount: 1,
  retryDelay: 1,
  verifyChain: false,
  // a node that wants a pause is waited for until then
  timeout: 300,
  rpc: {
    nodes: [
      { url: markedUrl(node), headers: { "x-token": marks.header }, sendApiKey: true },
      { url: `${markedUrl(node)}&second=1`, headers: { "x-token": marks.header } }
    ],
    evictNodesOnFailure: false,
    statusCheckInterval: Number.POSITIVE_INFINITY
  }
} as const

const told: Array<string> = []
const tell = (...lines: ReadonlyArray<string>): void => void told.push(...lines)

const toldSecrets = (): ReadonlyArray<string> =>
  [...new Set(told)]
    .flatMap((each) => {
      const lower = each.toLowerCase()
      return secrets
        .filter((secret) => revealsSecret(lower, secret))
        .map((secret) => `${secret}: ${each.slice(0, 400)}`)
    })
    .slice(0, 10)

const levels = { trace: tell, debug: tell, info: tell, warn: tell, error: tell }

/** A wallet on the page, which takes what it is asked for, or refuses it and repeats it. `remove` takes it off. */
const wallet = (accepts: RegExp) => {
  const asked: Array<string> = []
  const request = async (said: { readonly method: string }): Promise<unknown> => {
    const text = JSON.stringify(said)
    asked.push(text)
    if (!accepts.test(said.method)) throw Object.assign(new Error(`refused: ${text}`), { code: -32_000 })
    return said.method === "eth_chainId" ? "0x1" : [OWNER]
  }
  vi.stubGlobal("window", Object.assign(new EventTarget(), { ethereum: { request } }))
  return { asked, remove: () => vi.unstubAllGlobals() }
}

const OWNER = "0x53e8577c4347c365e4e0da5b57a589cb6f2ab849"

/** A page that shows what an application has of a client. */
const page = (shown: unknown): string =>
  renderToString(createElement("pre", null, inspect(shown, { depth: 8 })))

/** Networks with calls from vectors; of those families that have none, a raw call. */
const vectors = load([join(import.meta.dirname, "../conformance/vectors/rpc.json")]).filter(
  (vector) => vector.kind === "call"
)
const byNetwork = new Map<
  Network,
  Array<{ readonly target: string; readonly args: ReadonlyArray<unknown> }>
>()
for (const { args, network, target } of vectors) {
  // the conformance run checks that these are networks of the table
  const known = network as Network
  byNetwork.set(known, [...(byNetwork.get(known) ?? []), { target, args: args.map(decode) }])
}
const covered = new Set<FamilyId>([...byNetwork.keys()].map((network) => info(network).family))
for (const network of Object.keys(networks) as ReadonlyArray<Network>) {
  const { family } = info(network)
  if (covered.has(family)) continue
  covered.add(family)
  byNetwork.set(
    network,
    Array.from({ length: 8 }, () => ({ target: "rpc.rawRpcCall", args: [{ method: "any", params: [] }] }))
  )
}

/** Makes a call of a service with a client of its own, tells all of its errors, and notes what goes where it has no place. */
const ofService = async (
  each: (typeof serviceCalls)[number],
  most: number,
  errors: Set<string>,
  wrong: Array<string>
): Promise<void> => {
  const { fetch, sent } = mirrors()
  const sdk = await init<Network, "eventual">({ ...base, network: each.network, fetch, logger: levels })
  for (const outcome of (await make(sdk, each, most)) ?? []) {
    if (outcome.status !== "ERROR") continue
    const { cause } = outcome.error
    if (!(cause instanceof Error)) throw new Error(`no error: ${inspect(outcome)}`)
    errors.add(cause.name)
    tell(
      inspect(outcome, { depth: 20 }),
      JSON.stringify(outcome.error),
      page(outcome),
      ...printErrorForms(cause)
    )
  }
  await sdk.destroy()
  wrong.push(...sent.flatMap(misplaced).map((problem) => `${each.target}: ${problem}`))
}

describe("marker secrets", () => {
  it("are in nothing that calls of any family tell, and in no request where they have no place", async () => {
    told.length = 0
    let calls = 0
    const wrong: Array<string> = []
    const errors = new Set<string>()
    for (const [network, all] of byNetwork) {
      const { fetch, sent } = mirrors()
      const sdk = await init<Network, "eventual">({ ...base, network, fetch, logger: levels })
      sdk.listen((event) => tell(JSON.stringify(event), inspect(event)))
      const batch = { target: "rpc.rawBatchRpcCall", args: [[{ method: "first" }, { method: "second" }]] }
      for (const { args, target } of [...spread(all, times), ...Array.from({ length: 8 }, () => batch)]) {
        calls++
        const outcome = await call(sdk, target, args)
        if (outcome === undefined) continue
        if (target === batch.target && Array.isArray(outcome.data))
          for (const item of outcome.data)
            if (item.status === "ERROR")
              tell(inspect(item, { depth: 20 }), ...printErrorForms(item.error.cause))
        if (outcome.status !== "ERROR") continue
        tell(inspect(outcome, { depth: 20 }), JSON.stringify(outcome.error))
        const { cause }: { readonly cause?: unknown } = outcome.error ?? {}
        if (!(cause instanceof Error)) throw new Error(`no error: ${inspect(outcome)}`)
        errors.add(cause.name)
        tell(...printErrorForms(cause))
      }
      tell(inspect(sdk, { depth: 10 }), JSON.stringify(sdk), inspect(sdk.nodes()), page([sdk, sdk.nodes()]))
      await sdk.destroy()
      wrong.push(...sent.flatMap(misplaced))
    }
    expect([...new Set(wrong)].slice(0, 5)).toEqual([])
    expect(toldSecrets()).toEqual([])
    expect([...errors]).toEqual(expect.arrayContaining(["RpcError", "NodeError"]))
    console.log(
      `hostile: secrets: ${calls} calls of ${covered.size} families, ${told.length} texts, errors ${[...errors].join(", ")}`
    )
  })

  it("are in nothing that services tell, and in no request where they have no place", async () => {
    told.length = 0
    const wrong: Array<string> = []
    const errors = new Set<string>()
    // a window would be a wallet's
    const own = serviceCalls.filter(({ target }) => !target.startsWith("wallet."))
    // each method, and of the other calls as many as the share
    const firsts = new Map(own.toReversed().map((each) => [each.target, each])).values()
    const calls = [...new Set([...firsts, ...spread(own, times)])]
    for (const each of calls) await ofService(each, 3, errors, wrong)
    const called = new Set(calls.map(({ target }) => target))
    expect(serviceMethods.filter((each) => !called.has(each) && !each.startsWith("wallet."))).toEqual([])
    expect([...new Set(wrong)].slice(0, 5)).toEqual([])
    expect(toldSecrets()).toEqual([])
    expect([...errors]).toContain("GatewayError")
    console.log(
      `hostile: secrets: ${calls.length} calls of services, ${told.length} texts, errors ${[...errors].join(", ")}`
    )
  })

  it("are in nothing that a wallet is asked, and in nothing that calls of wallets tell", async () => {
    told.length = 0
    const wrong: Array<string> = []
    const asked: Array<string> = []
    const errors = new Set<string>()
    const calls = serviceCalls.filter(({ target }) => target.startsWith("wallet."))
    // it refuses everything, or what comes behind its account, or nothing
    for (const accepts of [/^$/, /^eth_(accounts|requestAccounts|chainId)$/, /./]) {
      const { asked: heard, remove } = wallet(accepts)
      await Promise.all(calls.map((each) => ofService(each, 1, errors, wrong)))
      remove()
      asked.push(...heard)
    }
    expect(
      serviceMethods.filter(
        (each) => each.startsWith("wallet.") && !calls.some(({ target }) => target === each)
      )
    ).toEqual([])
    expect(asked.length).toBeGreaterThan(calls.length)
    expect(asked.filter((each) => secrets.some((secret) => revealsSecret(each, secret)))).toEqual([])
    expect([...new Set(wrong)].slice(0, 5)).toEqual([])
    expect(toldSecrets()).toEqual([])
    expect([...errors]).toContain("WalletError")
    console.log(
      `hostile: secrets: ${calls.length} calls of wallets, ${asked.length} requests to them, ${told.length} texts, errors ${[...errors].join(", ")}`
    )
  })

  it("are in no span, metric, log line and cause of programs of Effect", async () => {
    told.length = 0
    const { fetch, sent } = mirrors()
    const recorder = makeRecorder()
    const logger = Logger.make(({ annotations, cause, message, spans }) =>
      tell(inspect([message, cause, [...annotations], spans], { depth: 20 }))
    )
    const http = layerPlatform.pipe(
      Layer.provide(FetchHttpClient.layer),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch))
    )
    const program = Effect.gen(function* () {
      const sdk = yield* Sdk.makeHttp({ ...base, network: "ethereum-mainnet" })
      for (let i = 0; i < 24; i++) {
        const outcomes = yield* Effect.all(
          [
            sdk.rpc.getBalance("0x00000000000000000000000000000000000000aa"),
            sdk.rpc.rawRpcCall({ method: "eth_sendRawTransaction", params: ["0x"] }),
            sdk.rpc.rawBatchRpcCall([{ method: "eth_chainId" }, { method: "eth_gasPrice" }]),
            sdk.notification.getAll(),
            sdk.rates.getCurrentRate("BTC", "EUR"),
            sdk.provider.get({ path: "data/balances" }),
            sdk.provider.rpcCall("https://other.example/rpc", { method: "eth_chainId" })
          ].map((each: Effect.Effect<unknown, Error>) =>
            Effect.either(Effect.tapErrorCause(each, (cause) => Effect.logError("a call has failed", cause)))
          ),
          { concurrency: "unbounded" }
        )
        for (const outcome of outcomes) if (Either.isLeft(outcome)) tell(...printErrorForms(outcome.left))
      }
      tell(inspect(sdk, { depth: 10 }))
    })
    await Effect.runPromise(
      Effect.scoped(program).pipe(
        Effect.provide(http),
        Effect.withTracer(recorder.tracer),
        Effect.provide(
          Layer.merge(Logger.replace(Logger.defaultLogger, logger), Logger.minimumLogLevel(LogLevel.All))
        )
      )
    )
    expect(recorder.spans.length).toBeGreaterThan(100)
    tell(
      recorder.text(),
      inspect(
        recorder.spans.map(({ attributes, events }) => [attributes, events]),
        { depth: 10 }
      )
    )
    tell(inspect(Metric.unsafeSnapshot(), { depth: 10 }))
    expect(told.length).toBeGreaterThan(500)
    expect(sent.flatMap(misplaced)).toEqual([])
    expect(toldSecrets()).toEqual([])
    console.log(
      `hostile: secrets: ${recorder.spans.length} spans, ${told.length} texts of programs of Effect`
    )
  })

  it.each(
    ["thrown", "rejected", "effect", "died", "refused", "printed"].map((way, at) => [way, at] as const)
  )("are in nothing that a process prints which ends by an error (%s)", async (way, at) => {
    const program = await bundled("crash")
    // the answer is another one each time; a configuration is refused before there is any
    const turns = way === "refused" ? [0] : times < 1 ? [2 * (at % 3)] : [0, 2, 4]
    const outputs = await Promise.all(
      turns.map(
        (turn) =>
          new Promise<readonly [number, string]>((resolve) => {
            const env = { PATH: process.env.PATH, WAY: way, TURN: String(turn) }
            execFile(process.execPath, [program], { env, timeout: 300_000 }, (error, out, err) =>
              resolve([Number(error?.code ?? 0), out + err])
            )
          })
      )
    )
    for (const [code, output] of outputs) {
      expect(code).toBe(1)
      expect(output).toMatch(/Error|Invalid/)
      // the program's own source is no output of the SDK
      for (const secret of secrets)
        expect(
          spellingsOf(secret).filter((form) => output.includes(form)),
          output.slice(0, 3_000)
        ).toEqual([])
    }
  })
})
