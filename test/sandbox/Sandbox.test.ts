import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { describe, expect, it, layer } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { build } from "esbuild"
import { privateKeyToAccount } from "viem/accounts"
import * as Sandbox from "../../src/sandbox/index.js"
import { isNight } from "../night.js"

const ID = "ethereum-mainnet"
const ETHER = 10n ** 18n
const LIMIT = 300_000
const receiver = "0x00000000000000000000000000000000000000aa"

const found = Effect.runSync(Effect.either(Sandbox.Anvil.binary))
const available = Either.isRight(found)
if (!available && process.env.CI !== "true") console.log("left out: sandbox (no anvil binary)")

/** The answer of a url within a limit: status and text, or the reason why there was none. */
const ask = (url: string, init: RequestInit = {}, limit = LIMIT) =>
  Effect.tryPromise({
    try: async () => {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(limit) })
      return { status: response.status, text: await response.text() }
    },
    catch: (error) => (error instanceof Error ? `${error.name} ${String(error.cause ?? "")}` : String(error))
  })

const post = (url: string, body: unknown, limit = LIMIT) =>
  ask(
    url,
    { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    limit
  )

const call = (method: string, ...params: ReadonlyArray<unknown>) => ({
  jsonrpc: "2.0",
  id: 7,
  method,
  params
})

const field = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
    value
  )

const rpc = (url: string, method: string, ...params: ReadonlyArray<unknown>) =>
  Effect.map(post(url, call(method, ...params)), ({ text }) => {
    const answer: unknown = JSON.parse(text)
    return field(answer, "result") ?? field(answer, "error")
  })

const height = (url: string) => Effect.map(rpc(url, "eth_blockNumber"), Number)
const latest = (url: string) => rpc(url, "eth_getBlockByNumber", "latest", false)
const hash = (url: string) => Effect.map(latest(url), (block) => field(block, "hash"))
const balance = (url: string, address: string) =>
  Effect.map(rpc(url, "eth_getBalance", address, "latest"), (value) => BigInt(String(value)))

const transfer = (sandbox: Sandbox.SandboxService, account: number, nonce: number, value = ETHER) =>
  Effect.promise(() => {
    const { privateKey } = sandbox.accounts[account] ?? { privateKey: "0x00" }
    return privateKeyToAccount(privateKey).signTransaction({
      type: "eip1559",
      chainId: 1,
      nonce,
      to: receiver,
      value,
      gas: 21_000n,
      maxFeePerGas: 100n * 10n ** 9n,
      maxPriorityFeePerGas: 10n ** 9n
    })
  })

/** The node at a place of the list, normal nodes first. */
const at = (network: Sandbox.SandboxNetwork, i: number) => {
  const node = [...network.nodes, ...network.archive][i]
  return node === undefined ? Effect.dieMessage(`no node ${i}`) : Effect.succeed(node)
}

const alive = (pid: number | undefined): boolean => {
  try {
    return pid !== undefined && process.kill(pid, 0)
  } catch {
    return false
  }
}

const gone = (pids: ReadonlyArray<number | undefined>) =>
  Effect.sync(() => pids.filter(alive)).pipe(
    Effect.repeat({
      until: (left) => left.length === 0,
      schedule: Schedule.spaced("20 millis").pipe(Schedule.upTo("30 seconds"))
    }),
    Effect.andThen(Effect.sync(() => pids.filter(alive)))
  )

const pidsOf = (network: Sandbox.SandboxNetwork) =>
  Effect.forEach([...network.nodes, ...network.archive], ({ pid }) => pid)

if (!available && process.env.CI === "true") it.effect("has an anvil binary in CI", () => found)

describe.runIf(available)("the sandbox", () => {
  layer(Sandbox.layer(), { excludeTestServices: true })("by default", (it) => {
    it.effect("lists three normal nodes and an archive node of mainnet", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox.Sandbox
        const network = sandbox.network(ID)
        expect(network.chainId).toBe(1)
        expect(network.urls).toHaveLength(4)
        expect(new Set(network.urls).size).toBe(4)
        const normal = yield* ask(`${sandbox.nodeListUrl}/${ID}/list.json`)
        expect(JSON.parse(normal.text)).toEqual(network.nodes.map(({ url }) => ({ url, type: 0 })))
        const archive = yield* ask(`${sandbox.nodeListUrl}/${ID}-archive/list.json`)
        expect(JSON.parse(archive.text)).toEqual(network.archive.map(({ url }) => ({ url, type: 1 })))
        expect(sandbox.config(ID)).toEqual({
          network: ID,
          provider: { baseUrl: sandbox.baseUrl, nodeListUrl: sandbox.baseUrl, domain: "127.0.0.1" }
        })
        expect(() => sandbox.network("base-mainnet")).toThrow(/does not run "base-mainnet"/)
      })
    )

    it.effect("starts all of them at one genesis, with the well-known accounts", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox.Sandbox
        const { urls } = sandbox.network(ID)
        const blocks = yield* Effect.forEach(urls, (url) => rpc(url, "eth_getBlockByNumber", "0x0", false))
        expect(new Set(blocks.map((block) => field(block, "hash"))).size).toBe(1)
        for (const { address, privateKey } of sandbox.accounts)
          expect(privateKeyToAccount(privateKey).address).toBe(address)
        expect(yield* rpc(urls[3] ?? "", "eth_accounts")).toEqual(
          sandbox.accounts.map(({ address }) => address.toLowerCase())
        )
      })
    )

    it.effect("answers the gateway's routes, single calls and batches, with a key and without", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* Sandbox.Sandbox
        for (const route of [
          `/v3/blockchain/node/${ID}`,
          `/v4/blockchain/node/${ID}`,
          `/v3/blockchain/node/${ID}/some-key`
        ])
          expect(yield* rpc(baseUrl + route, "eth_chainId")).toBe("0x1")
        const batch = yield* post(`${baseUrl}/v4/blockchain/node/${ID}`, [
          { ...call("eth_chainId"), id: "a" },
          { ...call("no_such_method"), id: "b" }
        ])
        expect(JSON.parse(batch.text)).toMatchObject([
          { id: "a", result: "0x1" },
          { id: "b", error: { code: -32601 } }
        ])
      })
    )

    it.effect("refuses a bad key and unknown routes in the provider's words", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* Sandbox.Sandbox
        const refused = yield* post(`${baseUrl}/v3/blockchain/node/${ID}/invalid`, call("eth_chainId"))
        expect(refused.status).toBe(401)
        expect(JSON.parse(refused.text)).toMatchObject({ errorCode: "subscription.invalid", statusCode: 401 })
        for (const path of [
          "/",
          "/v4/data/nothing",
          "/v3/blockchain/node/nowhere-mainnet",
          "/nowhere-mainnet/list.json"
        ]) {
          const { status, text } = yield* post(baseUrl + path, call("eth_chainId"))
          expect(status).toBe(404)
          expect(JSON.parse(text)).toMatchObject({ errorCode: "not.found", statusCode: 404 })
        }
      })
    )

    it.effect("lets pages of other origins in, at the gateway and at the nodes", () =>
      Effect.gen(function* () {
        const { baseUrl, network } = yield* Sandbox.Sandbox
        for (const url of [`${baseUrl}/v3/blockchain/node/${ID}`, ...network(ID).urls]) {
          const allowed = yield* Effect.promise(() =>
            fetch(url, {
              method: "OPTIONS",
              headers: {
                origin: "http://localhost:5173",
                "access-control-request-method": "POST",
                "access-control-request-headers": "content-type,x-api-key"
              },
              signal: AbortSignal.timeout(LIMIT)
            })
          )
          expect(allowed.ok).toBe(true)
          expect(allowed.headers.get("access-control-allow-origin")).toBe("*")
          expect(allowed.headers.get("access-control-allow-headers")).toMatch(/\*|x-api-key/)
        }
      })
    )

    it.effect("mines a transaction on every node before the sender has the answer", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox.Sandbox
        const { urls } = sandbox.network(ID)
        const before = yield* balance(urls[0] ?? "", receiver)
        const sent = yield* rpc(urls[1] ?? "", "eth_sendRawTransaction", yield* transfer(sandbox, 0, 0))
        expect(sent).toMatch(/^0x[0-9a-f]{64}$/)
        for (const url of urls) {
          expect((yield* balance(url, receiver)) - before).toBe(ETHER)
          expect(field(yield* rpc(url, "eth_getTransactionReceipt", sent), "status")).toBe("0x1")
        }
        expect(new Set(yield* Effect.forEach(urls, hash)).size).toBe(1)
      })
    )

    it.effect("keeps the nodes in step when many senders use them at once, batches and the gateway too", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox.Sandbox
        const { urls } = sandbox.network(ID)
        const start = yield* height(urls[0] ?? "")
        const gateway = `${sandbox.baseUrl}/v3/blockchain/node/${ID}`
        yield* Effect.forEach(
          [...urls, gateway],
          (url, i) =>
            Effect.gen(function* () {
              yield* rpc(url, "eth_sendRawTransaction", yield* transfer(sandbox, i + 1, 0, 1n))
              const batch = yield* post(url, [
                call("eth_chainId"),
                call("eth_sendRawTransaction", yield* transfer(sandbox, i + 1, 1, 1n)),
                call("eth_sendRawTransaction", "0x00")
              ])
              expect(JSON.parse(batch.text)).toMatchObject([
                { id: 7, result: "0x1" },
                { id: 7, result: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
                { id: 7, error: { code: expect.any(Number) } }
              ])
            }),
          { concurrency: "unbounded" }
        )
        expect(yield* Effect.forEach(urls, height)).toEqual(urls.map(() => start + 2 * (urls.length + 1)))
        expect(new Set(yield* Effect.forEach(urls, hash)).size).toBe(1)
      })
    )

    it.effect("passes on what a node signed with its own keys", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox.Sandbox
        const { urls } = sandbox.network(ID)
        const from = sandbox.accounts[9]?.address
        const sent = yield* rpc(urls[2] ?? "", "eth_sendTransaction", { from, to: receiver, value: "0x1" })
        for (const url of urls)
          expect(field(yield* rpc(url, "eth_getTransactionReceipt", sent), "status")).toBe("0x1")
        expect(new Set(yield* Effect.forEach(urls, hash)).size).toBe(1)
      })
    )

    it.effect("refuses connections to a stopped node, and restarts it with what it missed", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox.Sandbox
        const network = sandbox.network(ID)
        const node = yield* at(network, 0)
        const other = yield* at(network, 1)
        const pid = yield* node.pid
        yield* node.stop
        expect(yield* node.state).toBe("stopped")
        expect(yield* gone([pid])).toEqual([])
        expect(yield* Effect.flip(rpc(node.url, "eth_chainId"))).toMatch(/ECONNREFUSED/)
        // The gateway goes on with the others.
        expect(yield* rpc(`${sandbox.baseUrl}/v4/blockchain/node/${ID}`, "eth_chainId")).toBe("0x1")

        yield* rpc(other.url, "eth_sendRawTransaction", yield* transfer(sandbox, 8, 0))
        yield* network.mine(2)
        yield* Effect.all([node.restart, node.restart], { concurrency: "unbounded" })
        expect(yield* node.state).toBe("running")
        expect(yield* node.pid).not.toBe(pid)
        expect(yield* latest(node.url)).toEqual(yield* latest(other.url))
      })
    )

    it.effect("lets a frozen node hang, and brings it into step on resume", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox.Sandbox
        const network = sandbox.network(ID)
        const node = yield* at(network, 2)
        const other = yield* at(network, 1)
        yield* node.freeze
        expect(yield* node.state).toBe("frozen")
        expect(alive(yield* node.pid)).toBe(true)
        const waiting = yield* Effect.fork(height(node.url))
        expect(yield* Effect.flip(post(node.url, call("eth_chainId"), 200))).toMatch(/TimeoutError/)
        yield* rpc(other.url, "eth_sendRawTransaction", yield* transfer(sandbox, 8, 1))
        yield* node.resume
        expect(yield* node.state).toBe("running")
        // Whoever waited gets the answer of a node that has caught up.
        expect(yield* waiting).toBe(yield* height(other.url))
        expect(yield* hash(node.url)).toBe(yield* hash(other.url))
      })
    )

    it.effect("slows a node down until it is healed", () =>
      Effect.gen(function* () {
        const { network } = yield* Sandbox.Sandbox
        const node = yield* at(network(ID), 0)
        yield* node.slow(1_000)
        const [slow] = yield* Effect.timed(rpc(node.url, "eth_chainId"))
        yield* node.heal
        const [quick] = yield* Effect.timed(rpc(node.url, "eth_chainId"))
        expect(Duration.toMillis(slow)).toBeGreaterThanOrEqual(1_000)
        expect(Duration.lessThan(quick, slow)).toBe(true)
      })
    )

    it.effect("shows a client every fault, counts the requests, and heals", () =>
      Effect.gen(function* () {
        const { network } = yield* Sandbox.Sandbox
        const node = yield* at(network(ID), 1)
        const before = yield* node.requests
        const body = call("eth_chainId")
        yield* node.fault({ status: 503 })
        expect((yield* post(node.url, body)).status).toBe(503)
        yield* node.fault("html")
        expect((yield* post(node.url, body)).text).toMatch(/^<html>/)
        yield* node.fault("garbage")
        const { text } = yield* post(node.url, body)
        expect(() => JSON.parse(text)).toThrow()
        yield* node.fault("drop")
        expect(yield* Effect.flip(post(node.url, body))).toMatch(/ECONNRESET|other side closed/)
        yield* node.fault("stall")
        expect(yield* Effect.flip(post(node.url, body, 200))).toMatch(/TimeoutError/)
        yield* node.heal
        expect(yield* rpc(node.url, "eth_chainId")).toBe("0x1")
        expect((yield* node.requests) - before).toBe(6)
        expect(yield* node.state).toBe("running")
      })
    )

    it.effect("notices a node that was killed from elsewhere, and has it back with every block", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox.Sandbox
        const network = sandbox.network(ID)
        const node = yield* at(network, 3)
        const pid = yield* node.pid
        process.kill(pid ?? 0, "SIGKILL")
        yield* Effect.repeat(node.state, {
          until: (state) => state === "stopped",
          schedule: Schedule.spaced("10 millis").pipe(Schedule.upTo("30 seconds"))
        })
        const mined = yield* hash(network.urls[0] ?? "")
        yield* Effect.repeat(Effect.option(hash(node.url)), {
          until: (found) => Option.contains(found, mined),
          schedule: Schedule.spaced("50 millis").pipe(Schedule.upTo("20 seconds"))
        })
        expect(yield* hash(node.url)).toBe(mined)
        expect(yield* node.pid).not.toBe(pid)
        expect(yield* sandbox.incidents).toMatchObject([{ node: "archive-1", what: "ended", kept: true }])
      })
    )

    it.effect("lets no node run ahead, also if it is mined by hand", () =>
      Effect.gen(function* () {
        const { network } = yield* Sandbox.Sandbox
        const [first = "", second = ""] = network(ID).urls
        const before = yield* height(second)
        yield* rpc(first, "anvil_mine", "0x14")
        expect(yield* height(second)).toBe(before + 20)
        expect(yield* hash(second)).toBe(yield* hash(first))
      })
    )
  })

  it.scopedLive("runs several networks, each with its own chain and size", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const sandbox = yield* Sandbox.make({
        networks: [
          { network: "polygon-mainnet", nodes: 1, archive: 0 },
          { network: "eon-mainnet", nodes: 0, archive: 1, chainId: 4242 }
        ],
        onProgress: (line) => lines.push(line)
      })
      expect(yield* rpc(sandbox.network("polygon-mainnet").urls[0] ?? "", "eth_chainId")).toBe("0x89")
      // Node lists go by the provider's name of the network.
      const { url } = yield* at(sandbox.network("eon-mainnet"), 0)
      expect(yield* rpc(url, "eth_chainId")).toBe("0x1092")
      expect(
        JSON.parse((yield* ask(`${sandbox.nodeListUrl}/horizen-eon-mainnet-archive/list.json`)).text)
      ).toEqual([{ url, type: 1 }])
      expect(lines).toContain(`The sandbox is ready at ${sandbox.baseUrl}`)
    })
  )

  it.scopedLive.skipIf(!isNight)("has a node read a long chain while the others go on", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ networks: [{ network: "base-mainnet", nodes: 2, archive: 0 }] })
      const { fund, mine, nodes } = sandbox.network("base-mainnet")
      const [first, second] = nodes
      if (first === undefined || second === undefined) return yield* Effect.dieMessage("no nodes")
      for (let i = 0; i < 600; i++) yield* mine(1)
      const pid = yield* second.pid
      let isBack = false
      yield* Effect.fork(
        Effect.ensuring(
          second.restart,
          Effect.sync(() => {
            isBack = true
          })
        )
      )
      yield* Effect.repeat(Effect.delay(second.pid, "1 millis"), { until: (now) => now !== pid })
      let sent = 0
      while (!isBack) {
        yield* fund(receiver, "1")
        if (!isBack) sent++
      }
      // senders had their answers while it was away: none has waited until it was back
      expect(sent).toBeGreaterThan(1)
      expect(yield* hash(second.url)).toBe(yield* hash(first.url))
    })
  )

  it.scopedLive("mines at an interval on all nodes alike", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({
        networks: [{ network: ID, nodes: 2, archive: 0 }],
        blockTime: 0.3
      })
      const network = sandbox.network(ID)
      const [first = "", second = ""] = network.urls
      const node = yield* at(network, 1)
      const sent = yield* rpc(second, "eth_sendRawTransaction", yield* transfer(sandbox, 0, 0))
      yield* node.stop
      const receipt = yield* Effect.repeat(rpc(first, "eth_getTransactionReceipt", sent), {
        until: (value) => field(value, "status") === "0x1",
        schedule: Schedule.spaced("20 millis").pipe(Schedule.upTo("30 seconds"))
      }).pipe(Effect.andThen(rpc(first, "eth_getTransactionReceipt", sent)))
      yield* node.restart
      expect(yield* rpc(second, "eth_getTransactionReceipt", sent)).toEqual(receipt)
    })
  )

  it.scoped("works in a program on a test clock", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ networks: [{ network: ID, nodes: 1, archive: 0 }] })
      const node = yield* at(sandbox.network(ID), 0)
      yield* node.restart
      yield* node.slow(20)
      expect(yield* rpc(node.url, "eth_chainId")).toBe("0x1")
    })
  )

  it.scopedLive("says what is wrong with its options", () =>
    Effect.gen(function* () {
      const message = (networks: NonNullable<Sandbox.SandboxOptions["networks"]>) =>
        Effect.map(Effect.flip(Sandbox.make({ networks })), (error) => `${error.reason}: ${error.message}`)
      expect(yield* message([{ network: "nowhere-mainnet" }])).toMatch(/^options: .*give it a chainId/)
      expect(yield* message([{ network: ID, nodes: 0, archive: 0 }])).toMatch(/^options: .*above 0/)
      expect(yield* message([{ network: ID }, { network: ID }])).toMatch(/^options: .*listed twice/)
    })
  )

  it.scopedLive("reports what anvil printed when it does not start", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Sandbox.Anvil.start({ chainId: 0.5 }))
      expect(error.reason).toBe("start")
      expect(error.message).toMatch(/chain-id/)
    })
  )

  it.live("ends everything with its scope, frozen nodes too", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const sandbox = yield* Scope.extend(Sandbox.make(), scope)
      const network = sandbox.network(ID)
      const node = yield* at(network, 1)
      const pids = yield* pidsOf(network)
      expect(pids.filter(alive)).toHaveLength(4)
      yield* node.freeze
      const hanging = yield* Effect.fork(Effect.flip(rpc(node.url, "eth_chainId")))
      yield* Effect.sleep("50 millis")
      yield* Scope.close(scope, Exit.void)
      expect(pids.filter(alive)).toEqual([])
      expect(yield* hanging).not.toMatch(/TimeoutError/)
      for (const url of [sandbox.baseUrl, ...network.urls])
        expect(yield* Effect.flip(rpc(url, "eth_chainId"))).toMatch(/ECONNREFUSED/)
      expect(yield* Effect.flip(node.restart)).toMatchObject({ reason: "start" })
    })
  )

  /** A program with a sandbox, one node of it frozen, that prints the pids and then waits for its end. */
  const program = `
    import * as Effect from "effect/Effect"
    import * as Sandbox from "./src/sandbox/index.js"
    process.on("SIGUSR2", () => { throw new Error("a crash") })
    Effect.runFork(Effect.scoped(Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ networks: [{ network: "${ID}", nodes: 2, archive: 0 }] })
      const { nodes } = sandbox.network("${ID}")
      console.log(JSON.stringify(yield* Effect.forEach(nodes, ({ pid }) => pid)))
      yield* nodes[1].freeze
      console.log("frozen")
      yield* Effect.never
    })))`

  const started = (code: string) =>
    Effect.gen(function* () {
      // it ends with the test, also where it never comes so far as to print anything
      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, ["--input-type=module", "-"], { stdio: ["pipe", "pipe", "ignore"] })
        ),
        (spawned) => Effect.sync(() => spawned.kill("SIGKILL"))
      )
      return yield* Effect.promise(async () => {
        child.stdin.end(code)
        let output = ""
        for await (const chunk of child.stdout) {
          output += String(chunk)
          if (output.includes("frozen")) break
        }
        const pids: unknown = JSON.parse(output.split("\n")[0] ?? "[]")
        return { child, pids: Array.isArray(pids) ? pids.map(Number) : [] }
      }).pipe(Effect.timeout("300 seconds"), Effect.orDie)
    })

  const ended = (child: ChildProcess) =>
    Effect.promise(() =>
      child.exitCode === null && child.signalCode === null ? once(child, "exit") : Promise.resolve([])
    ).pipe(Effect.timeout("300 seconds"))

  it.scopedLive("leaves no anvil behind when its process is killed, terminated, interrupted or crashes", () =>
    Effect.gen(function* () {
      const bundle = yield* Effect.promise(() =>
        build({
          stdin: { contents: program, resolveDir: resolve(import.meta.dirname, "../.."), loader: "ts" },
          bundle: true,
          write: false,
          packages: "external",
          format: "esm",
          platform: "node"
        })
      )
      const code = bundle.outputFiles[0]?.text ?? ""
      yield* Effect.forEach(
        ["SIGKILL", "SIGTERM", "SIGINT", "SIGUSR2"] as const,
        (signal) =>
          Effect.gen(function* () {
            const { child, pids } = yield* started(code)
            expect(pids.filter(alive)).toHaveLength(2)
            child.kill(signal)
            yield* ended(child)
            expect(yield* gone(pids)).toEqual([])
          }),
        { concurrency: "unbounded" }
      )
    })
  )
})
