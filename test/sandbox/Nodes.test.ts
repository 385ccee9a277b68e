import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { describe, expect, it, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { build } from "esbuild"
import * as Network from "../../src/data/Network.js"
import type { Handler } from "../../src/sandbox/Handler.js"
import { makeReader as solanaReader } from "../../src/sandbox/indexer/Solana.js"
import { findProgram, type NodeName } from "../../src/sandbox/nodes/binaries.js"
import * as Litecoind from "../../src/sandbox/nodes/Litecoind.js"
import * as Lodestar from "../../src/sandbox/nodes/Lodestar.js"
import { type ChainNode, make } from "../../src/sandbox/nodes/Process.js"
import * as runtimes from "../../src/sandbox/nodes/runtimes.js"
import * as Surfpool from "../../src/sandbox/nodes/Surfpool.js"
import { textAt, type UtxoNode } from "../../src/sandbox/nodes/Utxo.js"
import type { SandboxError } from "../../src/sandbox/SandboxError.js"
import { isNight } from "../night.js"

const root = resolve(import.meta.dirname, "../..")

/** Whether a node is here; if it is not, a line says so, and CI fails, which has all but the beacon chain. */
const here = (name: NodeName): boolean => {
  if (findProgram(name) !== undefined) return true
  if (process.env.CI === "true" && name !== "lodestar") throw new Error(`left out: ${name}`)
  console.log(`left out: ${name} as a node of the sandbox (not installed)`)
  return false
}

const utxoPrograms = (["bcoin", "bcash", "litecoind"] as const).filter(here)
const surfpool = here("surfpool")
const lodestar = here("lodestar")

const send = (handler: Handler, body: unknown, headers = {}) =>
  handler({
    method: "POST",
    path: "/",
    headers: { "content-type": "application/json", ...headers },
    body: Buffer.from(JSON.stringify(body))
  })

/** The whole answer of a node, as JSON. */
const answer = (handler: Handler, method: string, ...params: ReadonlyArray<unknown>) =>
  Effect.map(send(handler, { jsonrpc: "2.0", id: 1, method, params }), (sent): unknown =>
    sent === "drop" ? sent : JSON.parse(sent.body.toString())
  )

const field = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
    value
  )

const rpc = (node: ChainNode, method: string, ...params: ReadonlyArray<unknown>) =>
  Effect.map(answer(node.handler, method, ...params), (said) => field(said, "result"))

const until = <A, E>(effect: Effect.Effect<A, E>, wanted: (value: A) => boolean) =>
  Effect.repeat(effect, { until: wanted, schedule: Schedule.spaced("20 millis") }).pipe(
    Effect.zipRight(effect),
    Effect.timeoutFail({ duration: "300 seconds", onTimeout: () => new Error("not in time") })
  )

const alive = (pid: number | undefined): boolean => {
  try {
    return pid !== undefined && process.kill(pid, 0)
  } catch {
    return false
  }
}

const gone = (pids: ReadonlyArray<number | undefined>) =>
  until(
    Effect.sync(() => pids.filter(alive)),
    (left) => left.length === 0
  )

/** What every node does: hang while frozen, reset connections while stopped, come back. */
const lifeCycle = (node: ChainNode, probe: Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const pid = yield* node.pid
    expect(alive(pid)).toBe(true)
    yield* node.freeze
    expect(yield* node.state).toBe("frozen")
    const waiting = yield* Effect.fork(probe)
    yield* Effect.sleep("300 millis")
    expect(waiting.unsafePoll()).toBeNull()
    yield* node.resume
    expect(yield* node.state).toBe("running")
    expect(yield* waiting).not.toBe("drop")

    yield* node.stop
    yield* node.stop
    expect(yield* node.state).toBe("stopped")
    expect(yield* node.pid).toBeUndefined()
    expect(yield* gone([pid])).toEqual([])
    expect(yield* probe).toBe("drop")
    expect(yield* Effect.flip(node.height)).toMatchObject({ reason: "chain" })
    yield* Effect.all([node.start, node.start], { concurrency: "unbounded" })
    expect(yield* node.state).toBe("running")
    expect(yield* node.pid).not.toBe(pid)
    expect(yield* probe).not.toBe("drop")
  })

/** What a scope leaves behind of a node that it started. */
const scoped = <A extends ChainNode>(start: Effect.Effect<A, SandboxError, Scope.Scope>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const node = yield* Scope.extend(start, scope)
    const pid = yield* node.pid
    yield* node.freeze
    yield* Scope.close(scope, Exit.void)
    expect(alive(pid)).toBe(false)
    expect(yield* Effect.flip(node.start)).toMatchObject({ reason: "start" })
  })

class Utxo extends Context.Tag("test/Utxo")<Utxo, UtxoNode>() {}

describe.each(utxoPrograms)("%s", (program) => {
  /** Signs a transaction of an account's coinbase that pays all but a small fee, and sends it. */
  const spend = (node: UtxoNode, account: number, receiver: string) =>
    Effect.gen(function* () {
      const { privateKey } = node.accounts[account] ?? { privateKey: "" }
      const hash = yield* rpc(node, "getblockhash", account + 1)
      const txid = String(field(yield* rpc(node, "getblock", hash, true), "tx", 0))
      const output = field(yield* rpc(node, "getrawtransaction", txid, true), "vout", 0)
      const scriptPubKey = field(output, "scriptPubKey", "hex")
      const previous = [{ txid, vout: 0, scriptPubKey, amount: field(output, "value") }]
      // bcoin and bcash now and then dislike a signature of their own, without a word: another amount has another one
      for (const amount of [49.9999, 49.99989999, 49.99989998]) {
        const unsigned = yield* rpc(node, "createrawtransaction", [{ txid, vout: 0 }], { [receiver]: amount })
        const signed =
          program === "litecoind"
            ? yield* rpc(node, "signrawtransactionwithkey", unsigned, [privateKey], previous)
            : yield* rpc(node, "signrawtransaction", unsigned, previous, [privateKey])
        const sent = String(yield* rpc(node, "sendrawtransaction", textAt(signed, "hex")))
        const known = yield* Effect.repeat(rpc(node, "getrawtransaction", sent, true), {
          until: (found) => found !== null && found !== undefined,
          schedule: Schedule.intersect(Schedule.spaced("20 millis"), Schedule.recurs(250))
        }).pipe(Effect.zipRight(rpc(node, "getrawtransaction", sent, true)))
        if (known !== null && known !== undefined) return { sent, amount }
      }
      return yield* Effect.dieMessage("the node took none of three transactions")
    })

  layer(Layer.scoped(Utxo, runtimes.startUtxo(program)), { excludeTestServices: true })(
    "as a node of the sandbox",
    (it) => {
      it.effect("starts on a mature chain, and answers whatever key it is asked with", () =>
        Effect.gen(function* () {
          const node = yield* Utxo
          const info = yield* rpc(node, "getblockchaininfo")
          expect(info).toMatchObject({ chain: "regtest", blocks: 130 })
          expect(yield* node.height).toBe(130)
          const sent = yield* send(
            node.handler,
            { id: 1, method: "getblockcount", params: [] },
            {
              authorization: `Basic ${Buffer.from("any:key").toString("base64")}`
            }
          )
          expect(sent).toMatchObject({ status: 200, headers: { "access-control-allow-origin": "*" } })
          expect(yield* answer(node.handler, "getblockhash", 99_999)).toMatchObject({ error: { code: -8 } })
          expect(node.accounts).toHaveLength(10)
          for (const { address } of node.accounts)
            expect(yield* rpc(node, "validateaddress", address)).toMatchObject({ isvalid: true, address })
          // an index of transactions
          const [txid] = [field(yield* rpc(node, "getblock", yield* rpc(node, "getblockhash", 1)), "tx", 0)]
          expect(yield* rpc(node, "getrawtransaction", txid, true)).toMatchObject({
            txid,
            confirmations: 130
          })
        })
      )

      it.effect("mines a block for a broadcast, and none without one", () =>
        Effect.gen(function* () {
          const node = yield* Utxo
          const before = yield* node.height
          const receiver = node.accounts[9]?.address ?? ""
          const { amount, sent } = yield* spend(node, 0, receiver)
          const found = yield* until(
            rpc(node, "getrawtransaction", sent, true),
            (transaction) => Number(field(transaction, "confirmations")) > 0
          )
          expect(field(found, "vout", 0, "value")).toBe(amount)
          yield* Effect.sleep("700 millis")
          expect(yield* node.height).toBe(before + 1)
          expect(field(yield* rpc(node, "getmempoolinfo"), "size")).toBe(0)
        })
      )

      it.effect("funds any address to the last digit, in a block", () =>
        Effect.gen(function* () {
          const node = yield* Utxo
          const { address = "" } = node.accounts[3] ?? {}
          for (const amount of ["12.34567891", "700", "0.001"]) {
            const before = yield* node.height
            const found = yield* rpc(node, "getrawtransaction", yield* node.fund(address, amount), true)
            expect(Number(field(found, "confirmations"))).toBeGreaterThan(0)
            expect(yield* node.height).toBe(before + 1)
            const outputs = field(found, "vout")
            const values = Array.isArray(outputs) ? outputs.map((output) => field(output, "value")) : []
            expect(values).toContain(Number(amount))
          }
          expect(yield* Effect.flip(node.fund(address, "1e3"))).toMatchObject({ reason: "options" })
          expect(yield* Effect.flip(node.fund(address, "0.0"))).toMatchObject({ reason: "options" })
          expect(yield* Effect.flip(node.fund("nobody", "1"))).toMatchObject({
            reason: "chain",
            message: expect.stringMatching(/address/i)
          })
          expect((yield* Effect.flip(node.fund(address, "20000000"))).message).toMatch(
            /lacks|Insufficient funds/
          )
        })
      )

      it.effect("mines on demand", () =>
        Effect.gen(function* () {
          const node = yield* Utxo
          const before = yield* node.height
          yield* node.mine(13)
          expect(yield* node.height).toBe(before + 13)
        })
      )

      it.effect("freezes, stops, and starts again with every block, coins included", () =>
        Effect.gen(function* () {
          const node = yield* Utxo
          // a branch that is given up, and blocks that came by themselves
          yield* rpc(node, "invalidateblock", yield* rpc(node, "getbestblockhash"))
          yield* rpc(node, "generatetoaddress", 2, node.accounts[0]?.address)
          yield* Effect.sleep("500 millis")
          const best = yield* rpc(node, "getbestblockhash")
          const height = yield* node.height
          const txid = yield* node.fund(node.accounts[4]?.address ?? "", "2")
          yield* lifeCycle(node, answer(node.handler, "getblockcount"))
          expect(yield* node.height).toBe(height + 1)
          expect(yield* rpc(node, "getblockhash", height)).toBe(best)
          expect(yield* rpc(node, "getrawtransaction", txid, true)).toMatchObject({ confirmations: 1 })
          yield* node.fund(node.accounts[4]?.address ?? "", "3")
        })
      )
    }
  )

  it.scopedLive("mines at an interval, and then for no transaction", () =>
    Effect.gen(function* () {
      const node = yield* runtimes.startUtxo(program, { blockTime: 1 })
      const [before, began] = [yield* node.height, performance.now()]
      const txid = yield* node.fund(node.accounts[4]?.address ?? "", "2")
      // the interval's blocks alone have come meanwhile
      const grown = (yield* node.height) - before
      expect(grown).toBeLessThanOrEqual(1 + (performance.now() - began) / 1_000)
      yield* until(
        rpc(node, "getrawtransaction", txid, true),
        (transaction) => Number(field(transaction, "confirmations")) > 0
      )
      yield* until(node.height, (height) => height >= before + 2)
    })
  )

  // what brings nodes of bcash together is what does so with those of bcoin: it is looked at by night
  const several = program !== "bcash" || isNight ? it.scopedLive : it.scopedLive.skip
  several("has one chain on several nodes, whichever of them is up", () =>
    Effect.gen(function* () {
      const chain = yield* runtimes.startUtxoChain(program, 3)
      const [a, b, c] = chain.members
      if (a === undefined || b === undefined || c === undefined) return expect.fail("three nodes")
      const all = [a, b, c]
      const best = (node: UtxoNode) => rpc(node, "getbestblockhash")
      /** The heads of some nodes, once they are the same. */
      const agree = (nodes: ReadonlyArray<UtxoNode>) =>
        until(Effect.forEach(nodes, best), (hashes) => new Set(hashes).size === 1)
      const { address = "" } = a.accounts[9] ?? {}
      expect(new Set(yield* Effect.forEach(all, best)).size).toBe(1)
      expect(yield* chain.height).toBe(130)

      // a transaction that comes to one of them is mined once, and in everybody's chain
      const { sent } = yield* spend(b, 0, address)
      for (const node of all)
        yield* until(
          rpc(node, "getrawtransaction", sent, true),
          (transaction) => Number(field(transaction, "confirmations")) > 0
        )
      yield* agree(all)
      expect(yield* c.height).toBe(131)

      // who was away gets what was missed, before it is asked
      yield* c.freeze
      const hanging = yield* Effect.fork(rpc(c, "getblockcount"))
      yield* a.stop
      const paid = yield* chain.fund(address, "3")
      yield* chain.mine(2)
      expect(yield* b.height).toBe(134)
      yield* c.resume
      expect(yield* hanging).toBe(134)
      yield* a.start
      expect(yield* rpc(a, "getrawtransaction", paid, true)).toMatchObject({ confirmations: 3 })
      yield* agree(all)

      // coins that another node has paid with are not paid with again
      yield* a.stop
      yield* chain.fund(address, "700")
      yield* a.start
      yield* chain.fund(address, "3")

      // a branch that outgrows the one that everybody has
      const given = yield* best(a)
      yield* rpc(b, "invalidateblock", given)
      yield* rpc(b, "generatetoaddress", 3, address)
      yield* agree(all)
      expect(yield* best(a)).not.toBe(given)
      expect(yield* rpc(c, "getblockhash", yield* c.height)).toBe(yield* best(b))
      yield* Effect.forEach(all, ({ stop }) => stop)
      expect(yield* Effect.flip(chain.mine(1))).toMatchObject({ reason: "chain" })
      yield* c.start
      expect(yield* chain.height).toBe(yield* c.height)
    })
  )

  it.live("ends with its scope, frozen too", () => scoped(runtimes.startUtxo(program)))
})

describe.runIf(surfpool)("surfpool", () => {
  class Solana extends Context.Tag("test/Solana")<Solana, Surfpool.SurfpoolNode>() {}
  const lamports = (node: ChainNode, address: string) =>
    Effect.map(rpc(node, "getBalance", address, { commitment: "confirmed" }), (said) => field(said, "value"))

  layer(Layer.scoped(Solana, Surfpool.start()), { excludeTestServices: true })(
    "as a node of the sandbox",
    (it) => {
      it.effect("starts with funded accounts, and funds others", () =>
        Effect.gen(function* () {
          const node = yield* Solana
          expect(yield* rpc(node, "getHealth")).toBe("ok")
          expect(node.accounts).toHaveLength(10)
          for (const { address } of node.accounts)
            expect(yield* lamports(node, address)).toBe(1_000_000_000_000)
          const receiver = "11111111111111111111111111111112"
          const signature = yield* node.fund(receiver, "1.000000001")
          expect(yield* lamports(node, receiver)).toBe(1_000_000_001)
          expect(yield* rpc(node, "getSignatureStatuses", [signature])).toMatchObject({
            value: [{ err: null }]
          })
          expect(yield* Effect.flip(node.fund(receiver, "-1"))).toMatchObject({ reason: "options" })
          expect(yield* Effect.flip(node.fund("0", "1"))).toMatchObject({ reason: "chain" })
        })
      )

      it.effect("has in the slots that are indexed what is confirmed", () =>
        Effect.gen(function* () {
          const node = yield* Solana
          const slots = solanaReader(
            (method, params) => rpc(node, method, ...params),
            Effect.succeed("its only life")
          )
          for (let i = 1; i <= 10; i++) {
            const signature = yield* node.fund("11111111111111111111111111111113", "1")
            const { block } = yield* slots.readHead
            const said = yield* rpc(node, "getSignatureStatuses", [signature])
            const slot = Number(field(said, "value", 0, "slot"))
            expect(slot).toBeLessThanOrEqual(block)
            expect((yield* slots.readBlock(slot)).hashes).toContain(signature)
          }
        })
      )

      it.effect("lets slots pass, waits for them, freezes, stops and starts again", () =>
        Effect.gen(function* () {
          const node = yield* Solana
          const before = yield* node.height
          yield* node.mine(5)
          expect(yield* node.height).toBeGreaterThanOrEqual(before + 5)
          yield* lifeCycle(node, answer(node.handler, "getSlot"))
          expect(yield* lamports(node, node.accounts[0]?.address ?? "")).toBe(1_000_000_000_000)
        })
      )
    }
  )

  it.scopedLive("goes on answering when it has had more slots than its queue of events holds", () =>
    Effect.gen(function* () {
      // slots of 4 ms: what a node of the sandbox has seen after a minute is here in five seconds
      const node = yield* Surfpool.start({ slotTime: 4 })
      const before = yield* node.height
      yield* Effect.repeat(
        Effect.gen(function* () {
          yield* Effect.sleep("100 millis")
          expect(yield* rpc(node, "getLatestBlockhash").pipe(Effect.timeout("300 seconds"))).toMatchObject({
            value: { blockhash: expect.any(String) }
          })
          return (yield* node.height) - before
        }),
        { until: (grown) => grown > 1_100 }
      )
    })
  )

  it.live("ends with its scope, frozen too", () => scoped(Surfpool.start()))
})

describe.runIf(lodestar)("lodestar", () => {
  it.scopedLive("starts with the first request, and goes on when that is given up", () =>
    Effect.gen(function* () {
      const handler = yield* Lodestar.startOnDemand({ slotTime: 1 })
      const version = handler({
        method: "GET",
        path: "/eth/v1/node/version",
        headers: {},
        body: Buffer.alloc(0)
      })
      const [given, up] = [yield* Effect.fork(version), yield* Effect.fork(version)]
      yield* Effect.sleep("500 millis")
      yield* Fiber.interrupt(given)
      expect(yield* up).toMatchObject({ status: 200 })
      expect(yield* version).toMatchObject({ status: 200 })
    })
  )

  it.scopedLive("runs a beacon chain, freezes and starts again", () =>
    Effect.gen(function* () {
      const node = yield* Lodestar.start({ slotTime: 1 })
      const before = yield* node.height
      expect(before).toBeGreaterThan(0)
      yield* node.mine(2)
      expect(yield* node.height).toBeGreaterThanOrEqual(before + 2)
      const version = Effect.map(
        node.handler({
          method: "GET",
          path: "/eth/v1/node/version",
          headers: {},
          body: Buffer.alloc(0)
        }),
        (got) => (got === "drop" ? got : got.body.toString())
      )
      expect(yield* version).toMatch(/Lodestar/)
      yield* lifeCycle(node, version)
    })
  )
})

describe("processes of nodes", () => {
  const bundle = (contents: string, packages: "external" | "bundle") =>
    Effect.map(
      Effect.promise(() =>
        build({
          stdin: { contents, resolveDir: root, loader: "ts" },
          bundle: true,
          write: false,
          packages,
          format: "esm",
          platform: "node"
        })
      ),
      ({ outputFiles }) => outputFiles[0]?.text ?? ""
    )
  const folder = Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "effect-chains-test-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )

  it.scopedLive("are gone with their data when the program that started them is killed", () =>
    Effect.gen(function* () {
      const names = [...utxoPrograms, ...(surfpool ? ["surfpool"] : [])]
      const code = yield* bundle(
        `import * as Effect from "effect/Effect"
           import * as runtimes from "./src/sandbox/nodes/runtimes.js"
           import * as Surfpool from "./src/sandbox/nodes/Surfpool.js"
           Effect.runFork(Effect.scoped(Effect.gen(function* () {
             const nodes = yield* Effect.forEach(${JSON.stringify(names)}, (name) =>
               name === "surfpool" ? Surfpool.start() : runtimes.startUtxo(name), { concurrency: 2 })
             yield* nodes[0].freeze
             console.log(JSON.stringify(yield* Effect.forEach(nodes, ({ pid }) => pid)))
             yield* Effect.never
           })))`,
        "external"
      )
      const data = yield* folder
      const child = spawn(process.execPath, ["--input-type=module", "-"], {
        stdio: ["pipe", "pipe", "inherit"],
        cwd: root,
        env: { ...process.env, TMPDIR: data }
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
      child.stdin.end(code)
      const output = yield* Effect.promise(() => once(child.stdout, "data")).pipe(
        Effect.timeout("300 seconds")
      )
      const pids: unknown = JSON.parse(String(output))
      const all = Array.isArray(pids) ? pids.map(Number) : []
      expect(all.filter(alive)).toHaveLength(names.length)
      expect(readdirSync(data)).toHaveLength(names.length)
      child.kill("SIGKILL")
      expect(yield* gone(all)).toEqual([])
      yield* until(
        Effect.sync(() => readdirSync(data)),
        (left) => left.length === 0
      )
    })
  )

  // whose child a process is can be read on Linux alone
  it.scopedLive.runIf(process.platform === "linux")(
    "are gone with their data when what watches over them is killed, by whatever signal",
    () =>
      Effect.gen(function* () {
        for (const signals of [["SIGTERM"], ["SIGINT"], ["SIGHUP", "SIGTERM"], ["SIGKILL"]] as const) {
          const node = yield* make({
            name: "a program",
            command: process.execPath,
            args: () => ["-e", 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1_000)'],
            ready: () => Effect.succeed(true)
          })
          const pid = yield* until(node.pid, (found) => found !== undefined)
          const folder = readlinkSync(`/proc/${pid}/cwd`)
          expect(readdirSync(tmpdir())).toContain(basename(folder))
          const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? []
          for (const signal of signals) process.kill(Number(parent), signal)
          expect(yield* gone([pid])).toEqual([])
          yield* until(
            Effect.sync(() => existsSync(folder)),
            (isThere) => !isThere
          )
          expect(yield* node.state).toBe("stopped")
        }
      })
  )

  it.scopedLive("say what to install where they are missing", () =>
    Effect.gen(function* () {
      const path = yield* folder
      writeFileSync(
        join(path, "missing.mjs"),
        yield* bundle(
          `import * as Effect from "effect/Effect"
           import { requireProgram } from "./src/sandbox/nodes/binaries.js"
           for (const name of ["anvil", "bcoin", "bcash", "litecoind", "surfpool", "lodestar"]) {
             const error = Effect.runSync(Effect.flip(requireProgram(name)))
             console.log(error.reason + ": " + error.message)
           }`,
          "bundle"
        )
      )
      const child = spawn(process.execPath, ["missing.mjs"], {
        stdio: ["ignore", "pipe", "inherit"],
        cwd: path,
        env: { ...process.env, PATH: path, EFFECT_CHAINS_CACHE: join(path, "cache") }
      })
      const chunks: Array<Buffer> = []
      child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
      yield* Effect.promise(() => once(child, "close")).pipe(Effect.timeout("300 seconds"))
      const lines = Buffer.concat(chunks).toString().trim().split("\n")
      expect(lines).toHaveLength(6)
      for (const line of lines) expect(line).toMatch(/^binary: The sandbox needs the .* binary/)
      expect(lines[1]).toMatch(/run "npm install --ignore-scripts --prefix node_modules.*bcoin-\d.* bcoin@\d/)
      expect(lines[3]).toContain('run "apt-get install litecoind"')
      expect(lines[5]).toContain('run "node scripts/nodes.mjs lodestar"')
    })
  )
})

describe("what runs a network", () => {
  it("is a node of its own kind, or recordings", () => {
    const litecoin = findProgram("litecoind") === undefined ? "bcoin" : "litecoind"
    const program = (network: Network.Network): string => {
      const runtime = runtimes.runtimeOf(network)
      return runtime.runs === "recorded" ? runtime.runs : runtime.program
    }
    for (const [network, wanted] of [
      ["ethereum-mainnet", "anvil"],
      ["zksync-mainnet", "anvil"],
      ["klaytn-mainnet", "anvil"],
      ["bitcoin-testnet4", "bcoin"],
      ["doge-mainnet", "bcoin"],
      ["litecoin-mainnet", litecoin],
      ["litecoin-testnet", litecoin],
      ["bitcoin-cash-mainnet", "bcash"],
      ["bch-testnet", "bcash"],
      ["solana-devnet", "surfpool"],
      ["ton-mainnet", findProgram("ton-sandbox") === undefined ? "recorded" : "ton-sandbox"],
      ["bitcoin-mainnet-electrs", "recorded"],
      ["bch-mainnet-rostrum", "recorded"],
      ["zcash-mainnet", "recorded"],
      ["tron-mainnet", "recorded"],
      ["flow-mainnet", "recorded"]
    ] as const)
      expect(program(network), network).toBe(wanted)
  })

  it("has every EVM network on anvil with the chain id of the table", () => {
    for (const network of Object.keys(Network.networks).filter(Network.isNetwork)) {
      const runtime = runtimes.runtimeOf(network)
      expect(runtime.runs === "evm", network).toBe(Network.isEvm(network))
      if (runtime.runs !== "evm") continue
      expect(runtime.chainId).toBe(Network.info(network).chainId)
      expect(runtime.beacon).toBe(lodestar && network.startsWith("ethereum-") && !network.includes("classic"))
    }
    expect(runtimes.isBeaconPath("/eth/v1/node/health")).toBe(true)
    expect(runtimes.isBeaconPath("/ethereum")).toBe(false)
  })
})

it.live("no litecoind at the path that it is told", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(Effect.scoped(Litecoind.start({ command: "/nowhere/litecoind" })))
    expect(error).toMatchObject({
      reason: "start",
      message: expect.stringMatching(/not found|No such file|ENOENT/)
    })
  })
)

it.live("says what a node printed that does not start", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(Effect.scoped(Litecoind.start({ command: process.execPath })))
    expect(error.message).toMatch(/bad option: -regtest/)
  })
)
