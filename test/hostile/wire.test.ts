/** Hostile exchanges over real sockets, by every way to send and for every family; the server is a process of its own. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Random from "effect/Random"
import { Agent } from "undici"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { loadFamily } from "../../src/chains/registry.js"
import { makeClient, makeClientParts } from "../../src/client/clientParts.js"
import { makeEffect } from "../../src/config/Logger.js"
import { resolve } from "../../src/config/resolveConfig.js"
import { Http, layerFetch, layerPlatform, layerUndici } from "../../src/http/Http.js"
import { init } from "../../src/promise.js"
import * as between from "../../src/transport/layers.js"
import { type Call, Transport } from "../../src/wire/Transport.js"
import { spread } from "../properties.js"
import { Chance, write } from "./answers.js"
import { askingServices, make, serviceCalls } from "./calls.js"
import { exchangeOf, variety } from "./exchanges.js"
import failures from "./failures.json" with { type: "json" }
import { callsOf, families, recordedFor, recordedOf, seed } from "./families.js"
import { arePrototypesPolluted, errorProblem } from "./judge.js"
import { fetchThrough, type HostileServer, startServer } from "./process.js"
import { times } from "./times.js"

/** Milliseconds for a node, and for a call. */
const ATTEMPT = 800
const TIMEOUT = 2_500

/** A call that takes so much longer than it may hangs: no machine is as busy. */
const SLACK = 30_000

const CAP = 1_000_000

const layers: ReadonlyArray<readonly [string, Layer.Layer<Http>]> = [
  ["fetch", layerFetch],
  ["undici", layerUndici],
  ["node:http", Layer.provide(layerPlatform, NodeHttpClient.layer)]
]
const runtimes = layers.map(([name, layer]) => [name, ManagedRuntime.make(layer)] as const)

let server: HostileServer
const defects: Array<unknown> = []
const note = (defect: unknown): void => void defects.push(defect)

beforeAll(async () => {
  server = await startServer()
  process.on("unhandledRejection", note).on("uncaughtException", note)
})

afterAll(async () => {
  await Promise.all(runtimes.map(([, runtime]) => runtime.dispose()))
  await server.end()
  process.off("unhandledRejection", note).off("uncaughtException", note)
})

const by = (i: number) => {
  const runtime = runtimes[i % runtimes.length]
  if (runtime === undefined) throw new Error("no way to send")
  return runtime
}

interface Case {
  readonly network: (typeof families)[number][1]
  readonly call: Call<unknown>
  readonly urls: ReadonlyArray<string>
  /** The place of the way to send. */
  readonly way: number
  /** How many times as long as usual everything may take. */
  readonly patience?: number
}

/** Makes a call with a client of its own, whose first node is asked first. */
const ask = async ({ call, network, patience = 1, urls, way }: Case) => {
  const started = performance.now()
  const [, runtime] = by(way)
  const exit = await runtime.runPromiseExit(
    Effect.scoped(
      Effect.gen(function* () {
        const parts = yield* makeClient(
          {
            network,
            quiet: true,
            verifyChain: false,
            hedge: false,
            timeout: patience * TIMEOUT,
            attemptTimeout: patience * ATTEMPT,
            retryCount: 0,
            maxResponseBytes: CAP,
            rpc: { nodes: urls.map((url) => ({ url })), statusCheckInterval: Number.POSITIVE_INFINITY }
          },
          {
            resolve,
            load: loadFamily,
            layers: between,
            makeParts: (connected) => makeClientParts(connected)
          },
          makeEffect
        )
        return yield* Context.get(parts.context, Transport).send(call)
      })
    ).pipe(Effect.withRandom(Random.fixed([0])))
  )
  return { exit, took: performance.now() - started }
}

type Asked = Awaited<ReturnType<typeof ask>>

/** What is wrong with the end of a call, if anything is. */
const problemOf = ({ exit, took }: Asked): string | undefined => {
  if (took > TIMEOUT + SLACK) return `it takes ${took} ms`
  if (Exit.isSuccess(exit)) return undefined
  const failure = Cause.failureOrCause(exit.cause)
  return Either.isLeft(failure) ? errorProblem(failure.left) : `a defect: ${Cause.pretty(exit.cause)}`
}

const isRpc = ({ body }: Call<unknown>): boolean => typeof body === "string" && body.includes('"jsonrpc"')

/** Recordings have integers of any size. */
const textOf = (value: unknown = "0x1"): string => write(value, new Chance(seed))

/** Exchanges that went wrong once, which come first. */
const kept: ReadonlyArray<{ readonly family: string; readonly seed: number }> = failures.exchanges

const each = async <A>(
  items: ReadonlyArray<A>,
  run: (item: A, i: number) => Promise<void>
): Promise<void> => {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) {
      const item = items[i]
      if (item !== undefined) await run(item, i)
    }
  }
  await Promise.all(Array.from({ length: 12 }, worker))
}

/** Of a whole run each family, and each service, meets every third act; the next one begins an act later, so that all are met. At night they meet all. */
const SHARE = times > 1 ? 1 : times / 3
const share = (first: number, at: number): ReadonlyArray<number> =>
  spread(
    Array.from({ length: variety }, (_, i) => first + i),
    SHARE,
    at
  )

describe(`over the wire (seed ${seed})`, () => {
  // they wait more than they work
  for (const [at, [family, network]] of families.entries()) {
    it.concurrent(`hostile nodes of ${family} fail in time, or another one answers`, async () => {
      const { endpoints } = await Effect.runPromise(loadFamily(family))
      const recorded = await recordedOf(network)
      const reads = callsOf(endpoints).filter(({ call }) => call.repeat === "read")
      const known = reads.filter(({ call }) => recordedFor(recorded, call) !== undefined)
      const problems: Array<string> = []
      /** Cases in which the machine may have been too busy for the node that is well. */
      const late: Array<{ readonly pair: Case; readonly where: (problem: string) => string }> = []
      const counts = { values: 0, errors: 0, others: 0 }
      const again = kept.filter((each) => each.family === family).map((each) => each.seed)
      const seeds = [...again, ...share(seed * 1_000, at)]
      await each(seeds, async (at, i) => {
        const { name, call } = reads[i % reads.length] ?? {}
        if (call === undefined) throw new Error(`${family} has no reads`)
        const { level, what } = exchangeOf(at)
        const where = (problem: string): string =>
          `${problem}: ${level}, ${what}, ${name} by ${by(i)[0]}, for failures.json: ${JSON.stringify({ family, seed: at })}`
        const key = `${family}${at}`
        server.setAnswer(key, textOf(recordedFor(recorded, call)), isRpc(call))
        const alone = await ask({ network, call, way: i, urls: [`${server.url}/bad/${at}/${key}`] })
        const problem = problemOf(alone)
        if (problem !== undefined) problems.push(where(problem))
        counts[Exit.isSuccess(alone.exit) ? "values" : "errors"]++
        // beside a node that is well, what is no answer at all is answered by that one
        const others = known.length > 0 ? known : reads
        const other = others[i % others.length]
        if (other === undefined || !["socket", "framing", "encoding"].includes(level)) return
        const well = `${key}well`
        server.setAnswer(well, textOf(recordedFor(recorded, other.call)), isRpc(other.call))
        const pair: Case = {
          network,
          call: other.call,
          way: i,
          urls: [`${server.url}/bad/${at}/${well}`, `${server.wellUrl}/well/${well}`]
        }
        const [alright, both] = await Promise.all([ask({ ...pair, urls: pair.urls.slice(1) }), ask(pair)])
        const unanswered = problemOf(both)
        if (unanswered !== undefined) problems.push(where(unanswered))
        // some recordings are made of arguments that this call has not
        if (Exit.isFailure(alright.exit)) return
        counts.others++
        if (Exit.isFailure(both.exit)) late.push({ pair, where })
      })
      for (const { pair, where } of late) {
        const { exit } = await ask({ ...pair, patience: 6 })
        if (Exit.isFailure(exit))
          problems.push(where(`the other node was not asked: ${Cause.pretty(exit.cause)}`))
      }
      expect(problems.slice(0, 5)).toEqual([])
      expect(arePrototypesPolluted()).toBe(false)
      expect(defects).toEqual([])
      console.log(
        `hostile: ${family} over the wire: ${seeds.length} exchanges, ${counts.values} values, ${counts.errors} typed errors; beside a well node ${counts.others} answers`
      )
    })
  }

  for (const [at, name] of askingServices.filter((name) => name !== "wallet").entries()) {
    it.concurrent(`a hostile provider of sdk.${name} fails in time`, async () => {
      const calls = serviceCalls.filter(({ target }) => target.startsWith(`${name}.`))
      const counts = { values: 0, errors: 0 }
      const problems: Array<string> = []
      const seeds = share(seed * 2_000, at)
      await each(seeds, async (at, i) => {
        const call = calls[i % calls.length]
        if (call === undefined) throw new Error(`sdk.${name} has no calls`)
        const key = `${name}${at}`
        server.setAnswer(key, JSON.stringify(call.responses[0]?.body ?? {}), false)
        const url = `${server.url}/bad/${at}/${key}`
        const sdk = await init({
          network: call.network,
          apiKey: "KEY",
          quiet: true,
          verifyChain: false,
          timeout: ATTEMPT,
          retryCount: 0,
          maxResponseBytes: CAP,
          provider: { baseUrl: url },
          rpc: { nodes: [{ url }], statusCheckInterval: Number.POSITIVE_INFINITY }
        })
        const started = performance.now()
        const ended = (await make(sdk, call, 3)) ?? []
        const took = performance.now() - started
        await sdk.destroy()
        // a method may make several requests, one after the other, and files take as long as they move
        if (took > 10 * ATTEMPT + SLACK)
          problems.push(`it takes ${took} ms: ${exchangeOf(at).what}, ${call.target}`)
        for (const each of ended) {
          counts[each.status === "SUCCESS" ? "values" : "errors"]++
          const problem = each.status === "ERROR" ? errorProblem(each.error.cause) : undefined
          if (problem !== undefined) problems.push(`${problem}: ${exchangeOf(at).what}, ${call.target}`)
        }
      })
      expect(problems.slice(0, 5)).toEqual([])
      expect(defects).toEqual([])
      console.log(
        `hostile: sdk.${name} over the wire: ${seeds.length} exchanges, ${counts.values} values, ${counts.errors} typed errors`
      )
    })
  }

  it("nothing was sent to where redirects led", async () => {
    const { requests, trapped } = await server.seen()
    expect(trapped).toEqual([])
    expect(requests).toBeGreaterThan(variety * families.length * SHARE)
  })
})

/** A request of one of the three ways to send, without a client around it. */
const send = (way: number, url: string, timeout = TIMEOUT) => {
  const [, runtime] = by(way)
  return runtime.runPromise(
    Effect.either(
      Effect.flatMap(Http, (http) =>
        http.send({
          method: "POST",
          url,
          headers: { "content-type": "application/json" },
          body: '{"jsonrpc":"2.0","id":7,"method":"test","params":[]}',
          timeout,
          maxBytes: CAP
        })
      )
    )
  )
}

const ways = layers.map(([name], way) => [name, way] as const)

describe.each(ways)("a response over %s", (_, way) => {
  const result = JSON.stringify({ hash: `0x${"ab".repeat(32)}`, number: 12_345, text: "déjà 💥" })

  it.each(["reset", "end"])(
    "that is cut at any byte (%s) is a failure, and nothing of it is an answer",
    async (how) => {
      server.setAnswer("cut", result, true)
      const whole = await send(way, `${server.wellUrl}/well/cut`)
      const body = Either.getOrThrow(whole).text
      const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n".length
      const length =
        head + `content-length: ${Buffer.byteLength(body)}\r\n\r\n`.length + Buffer.byteLength(body)
      const wrong: Array<string> = []
      await each(
        Array.from({ length }, (_, at) => at),
        async (at) => {
          const outcome = await send(way, `${server.url}/cut/${how}/${at}/cut`)
          if (Either.isRight(outcome)) wrong.push(`at ${at} it is ${outcome.right.text}`)
          else if (outcome.left.kind !== "network") wrong.push(`at ${at}: ${outcome.left.kind}`)
        }
      )
      expect(wrong.slice(0, 5)).toEqual([])
      const last = await send(way, `${server.url}/cut/end/${length}/cut`)
      expect(Either.getOrThrow(last).text).toBe(body)
      console.log(`hostile: cut at each of ${length} bytes (${how}, ${by(way)[0]})`)
    }
  )

  it.each(["declared", "chunked", "endless", "gzip"])(
    "of 100 MB (%s) is refused, and is never in memory",
    async (kind) => {
      const usage = (): number => process.memoryUsage().arrayBuffers
      await send(way, `${server.wellUrl}/well/cut`)
      globalThis.gc?.()
      const before = usage()
      let most = 0
      const timer = setInterval(() => {
        most = Math.max(most, usage() - before)
      }, 1)
      const outcomes = await Promise.all(
        // it is not about time: to unpack that much takes seconds on a busy machine
        Array.from({ length: 4 }, () => send(way, `${server.url}/big/${kind}/100000000`, 120_000))
      )
      clearInterval(timer)
      for (const outcome of outcomes) {
        if (Either.isLeft(outcome)) expect(outcome.left.kind).toBe("too-large")
        // what is not unpacked stays small
        else expect([kind, outcome.right.bytes.byteLength < CAP]).toEqual(["gzip", true])
      }
      expect(most / 1e6).toBeLessThan(60)
    }
  )
})

describe("TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "effect-chains-tls-"))
  const openssl = (...args: ReadonlyArray<string>): void =>
    void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" })
  const file = (name: string): string => readFileSync(join(folder, name), "utf8")

  /** A certificate by the test's own authority, for these days and this host. */
  const issue = (name: string, host: string, from: string, to: string): void => {
    openssl(
      "req",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-subj",
      `/CN=${name}`,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.csr`
    )
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${host}\n`)
    openssl(
      ...["ca", "-batch", "-notext", "-config", "ca.cnf", "-in", `${name}.csr`, "-out", `${name}.crt`],
      ...["-startdate", from, "-enddate", to, "-extfile", `${name}.ext`]
    )
  }

  const ports = new Map<string, number>()

  beforeAll(async () => {
    const self = (name: string): void =>
      openssl(
        ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "365", "-subj", `/CN=${name}`],
        ...["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", `${name}.key`, "-out", `${name}.crt`]
      )
    self("ca")
    self("self")
    writeFileSync(
      join(folder, "ca.cnf"),
      `[ca]
default_ca = own
[own]
database = index.txt
serial = serial
new_certs_dir = .
certificate = ca.crt
private_key = ca.key
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
`
    )
    writeFileSync(join(folder, "index.txt"), "")
    writeFileSync(join(folder, "serial"), "1000\n")
    const [past, now, future] = ["20000101000000Z", "20200101000000Z", "20990101000000Z"]
    issue("good", "IP:127.0.0.1", now, future)
    issue("expired", "IP:127.0.0.1", past, now)
    issue("future", "IP:127.0.0.1", "20980101000000Z", future)
    issue("other", "DNS:other.example", now, future)
    const names = {
      good: "good",
      "self-signed": "self",
      expired: "expired",
      "not yet": "future",
      "another host": "other"
    }
    for (const [kind, name] of Object.entries(names))
      ports.set(kind, await server.tls(kind, { cert: file(`${name}.crt`), key: file(`${name}.key`) }))
    ports.set(
      "old",
      await server.tls("old", {
        ...{ cert: file("good.crt"), key: file("good.key") },
        ...{ maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" }
      })
    )
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** A client whose `fetch` trusts the test's authority; the deadline is that of the other tests. */
  const gasPrice = async (...urls: ReadonlyArray<string>) => {
    const agent = new Agent({ connect: { ca: file("ca.crt") } })
    const sdk = await init({
      network: "ethereum-mainnet",
      quiet: true,
      verifyChain: false,
      hedge: false,
      timeout: TIMEOUT,
      attemptTimeout: ATTEMPT,
      retryCount: 0,
      rpc: { nodes: urls.map((url) => ({ url })), statusCheckInterval: Number.POSITIVE_INFINITY },
      fetch: fetchThrough(agent)
    })
    const started = performance.now()
    const result = await sdk.rpc.gasPrice()
    const took = performance.now() - started
    await sdk.destroy()
    await agent.destroy()
    expect(took).toBeLessThan(TIMEOUT + SLACK)
    return result
  }

  const https = (kind: string): string => `https://127.0.0.1:${ports.get(kind) ?? 0}/well/any`

  it("is spoken with a node whose certificate is in order", async () => {
    expect(await gasPrice(https("good"))).toMatchObject({ status: "SUCCESS", data: 1n })
  })

  it.each([
    ["self-signed", /self-signed|self signed/],
    ["expired", /expired/],
    ["not yet", /not yet valid/],
    ["another host", /altnames|Host|IP/],
    ["old", /protocol version|unsupported protocol|SSL/i]
  ])(
    "with a certificate that is not (%s) is a failure that says so, and the next node is asked",
    async (kind, says) => {
      const result = await gasPrice(https(kind))
      expect(result.status === "ERROR" && result.error.cause).toMatchObject({
        _tag: "NodeError",
        kind: "network"
      })
      expect(result.status === "ERROR" && result.error.message.join()).toMatch(says)
      const before = (await server.seen()).requests
      expect(await gasPrice(https(kind), https("good"))).toMatchObject({ status: "SUCCESS" })
      // the node of the bad certificate has not even got the request
      expect((await server.seen()).requests - before).toBe(1)
    }
  )

  it("on a port of plain HTTP, and plain HTTP on a port of TLS, are failures, and the next node is asked", async () => {
    for (const url of [
      `${server.url.replace("http:", "https:")}/well/any`,
      https("good").replace("https:", "http:")
    ]) {
      const result = await gasPrice(url)
      expect(result.status === "ERROR" && result.error.cause).toMatchObject({ _tag: "NodeError" })
      expect(await gasPrice(url, https("good"))).toMatchObject({ status: "SUCCESS" })
    }
  })
})
