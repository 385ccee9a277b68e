import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServer from "@effect/platform/HttpServer"
import * as OpenApi from "@effect/platform/OpenApi"
import { describe, expect, it, layer } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { group } from "../../src/sandbox/api/Admin.js"
import * as Chain from "../../src/sandbox/Chain.js"
import { makeAdmin } from "../../src/sandbox/Client.js"
import { Faults, type FaultsService, make as makeFaults } from "../../src/sandbox/Faults.js"
import type { Handler } from "../../src/sandbox/Handler.js"
import { callJsonRpc, fromWebResponse, listen } from "../../src/sandbox/Loopback.js"
import * as NodeProxy from "../../src/sandbox/NodeProxy.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import * as Admin from "../../src/sandbox/provider/Admin.js"
import { SandboxError } from "../../src/sandbox/SandboxError.js"

const ID = "base-mainnet"
const RECEIVER = "0x00000000000000000000000000000000000000bb"

const available = Either.isRight(Effect.runSync(Effect.either(Anvil.binary)))
if (!available) console.log("left out: admin routes on anvil (no anvil binary)")

/** A network of two real anvils with their proxies, as in the sandbox. */
const network = (faults: FaultsService, id: string) =>
  Effect.gen(function* () {
    const chain = yield* Chain.make({ chainId: 8453, size: 2 })
    const nodes = yield* Effect.forEach(chain.members, (member, i) =>
      Effect.gen(function* () {
        const name = `${id}/normal-${i + 1}`
        const proxy = yield* NodeProxy.make({ faults, network: id, node: name, handler: member.handler })
        const stop = Effect.zipRight(proxy.close, member.stop)
        return {
          name,
          type: "normal",
          url: proxy.url,
          pid: member.pid,
          state: member.state,
          requests: proxy.requests,
          stop,
          restart: Effect.all([stop, member.start, proxy.open], { discard: true }),
          freeze: member.freeze,
          resume: member.resume,
          heal: proxy.heal
        } satisfies Admin.AdminNode
      })
    )
    const [first] = chain.members
    if (first === undefined) return yield* Effect.dieMessage("no node")
    const ask = (method: string, params: ReadonlyArray<unknown> = []) =>
      Effect.map(callJsonRpc(first.url, { method, params }), (answer) =>
        "result" in answer ? answer.result : answer
      )
    return {
      id,
      recorded: false,
      chainId: 8453,
      nodes,
      archive: [],
      accounts: [],
      height: Effect.map(ask("eth_blockNumber"), Number),
      mine: chain.mine,
      fund: (to, amount) =>
        Effect.gen(function* () {
          if (!/^0x[0-9a-f]{40}$/i.test(to))
            return yield* new SandboxError({ reason: "options", message: `"${to}" is no address` })
          const [from] = Object.values(Object(yield* ask("eth_accounts")))
          const value = `0x${(BigInt(Math.round(Number(amount) * 1e6)) * 10n ** 12n).toString(16)}`
          const sent = yield* callJsonRpc(nodes[0]?.url ?? "", {
            method: "eth_sendTransaction",
            params: [{ from, to, value }]
          })
          return "result" in sent ? String(sent.result) : JSON.stringify(sent)
        })
    } satisfies Admin.AdminNetwork
  })

const sandbox = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const faults = yield* makeFaults
  const running: Array<Admin.AdminNetwork> = []
  const dependencies: Admin.AdminDependencies = {
    networks: Effect.sync(() => running),
    incidents: Effect.succeed([]),
    start: (id) =>
      Effect.gen(function* () {
        const found = running.find((other) => other.id === id)
        if (found !== undefined) return found
        if (id === "broken")
          return yield* new SandboxError({ reason: "start", message: "it did not come up" })
        if (id !== ID) return yield* new SandboxError({ reason: "options", message: `no network "${id}"` })
        const started = yield* network(faults, id).pipe(Scope.extend(scope))
        running.push(started)
        return started
      })
  }
  const api = HttpApi.make("provider").add(group)
  const web = yield* Effect.acquireRelease(
    Effect.sync(() =>
      HttpApiBuilder.toWebHandler(
        Layer.mergeAll(HttpApiBuilder.api(api), HttpServer.layerContext).pipe(
          Layer.provide(Admin.layer),
          Layer.provide(Layer.succeed(Admin.Admin, dependencies)),
          Layer.provide(Layer.succeed(Faults, faults))
        )
      )
    ),
    ({ dispose }) => Effect.promise(dispose)
  )
  const handler: Handler = ({ body, headers, method, path }) =>
    Effect.flatMap(
      Effect.promise((signal) =>
        web.handler(
          new Request(new URL(path, "http://127.0.0.1"), {
            method,
            headers: { "content-type": headers["content-type"] ?? "text/plain" },
            ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
            signal
          })
        )
      ),
      fromWebResponse
    )
  const baseUrl = `http://127.0.0.1:${yield* listen(faults.wrapHandler({ label: "provider" }, handler))}`
  const admin = yield* makeAdmin(`${baseUrl}/`)
  return { admin, baseUrl, faults }
})

class Running extends Context.Tag("Running")<Running, Effect.Effect.Success<typeof sandbox>>() {}
const live = Layer.scoped(Running, sandbox).pipe(Layer.provide(FetchHttpClient.layer))

const rpc = (url: string, method: string, params: ReadonlyArray<unknown> = []) =>
  Effect.map(callJsonRpc(url, { method, params }), (answer) => ("result" in answer ? answer.result : answer))

describe.runIf(available)("the admin routes, through their typed client", () => {
  layer(live, { excludeTestServices: true })((it) => {
    it.effect("start a network, mine, and fund an address", () =>
      Effect.gen(function* () {
        const { admin } = yield* Running
        const path = { network: ID }
        expect(yield* admin.networks()).toEqual([])
        expect(yield* Effect.flip(admin.mine({ path, payload: { blocks: 1 } }))).toMatchObject({
          _tag: "NotThere",
          what: "network",
          message: expect.stringContaining("POST /sandbox/networks/base-mainnet")
        })
        const started = yield* admin.start({ path })
        expect(started).toMatchObject({
          network: ID,
          recorded: false,
          chainId: 8453,
          height: 0,
          nodes: [
            { name: "normal-1", type: "normal", state: "running", pid: expect.any(Number), requests: 0 },
            { name: "normal-2", type: "normal", state: "running" }
          ]
        })
        expect((yield* admin.mine({ path, payload: { blocks: 3 } })).height).toBe(3)
        const { hash } = yield* admin.fund({ path, payload: { address: RECEIVER, amount: "1.5" } })
        const url = started.nodes[1]?.url ?? ""
        expect(yield* rpc(url, "eth_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" })
        expect(BigInt(String(yield* rpc(url, "eth_getBalance", [RECEIVER, "latest"])))).toBe(15n * 10n ** 17n)
        const [state] = yield* admin.networks()
        expect(state).toMatchObject({ height: 4, nodes: [{ requests: 1 }, { requests: 2 }] })
      })
    )

    it.effect("refuse what cannot be done, each with its own error", () =>
      Effect.gen(function* () {
        const { admin } = yield* Running
        yield* admin.start({ path: { network: ID } })
        const path = { network: ID }
        expect(yield* Effect.flip(admin.start({ path: { network: "broken" } }))).toMatchObject({
          _tag: "NotDone",
          reason: "start",
          message: "it did not come up"
        })
        expect(yield* Effect.flip(admin.start({ path: { network: "none" } }))).toMatchObject({
          statusCode: 400,
          message: 'no network "none"'
        })
        expect(
          yield* Effect.flip(admin.fund({ path, payload: { address: "here", amount: "1" } }))
        ).toMatchObject({ statusCode: 400, message: '"here" is no address' })
        expect(
          yield* Effect.flip(admin.node({ path: { network: ID, node: "normal-9", action: "stop" } }))
        ).toMatchObject({ _tag: "NotThere", what: "node", message: expect.stringContaining("normal-1") })
        expect(yield* Effect.flip(admin.removeFault({ path: { id: "nothing" } }))).toMatchObject({
          _tag: "NotThere",
          what: "fault"
        })
      })
    )

    it.effect("stop, restart, freeze and resume a real node", () =>
      Effect.gen(function* () {
        const { admin } = yield* Running
        const { nodes } = yield* admin.start({ path: { network: ID } })
        const url = nodes[1]?.url ?? ""
        const act = (action: "stop" | "restart" | "freeze" | "resume" | "heal") =>
          admin.node({ path: { network: ID, node: "normal-2", action } })
        expect(yield* act("freeze")).toMatchObject({ name: "normal-2", state: "frozen" })
        const waiting = yield* Effect.fork(rpc(url, "eth_chainId"))
        expect(yield* act("resume")).toMatchObject({ state: "running" })
        expect(yield* Fiber.join(waiting)).toBe("0x2105")
        const stopped = yield* act("stop")
        expect(stopped.state).toBe("stopped")
        expect(stopped).not.toHaveProperty("pid")
        expect((yield* Effect.flip(rpc(url, "eth_chainId"))).message).toMatch(/ECONNREFUSED|did not answer/)
        expect(yield* act("restart")).toMatchObject({ state: "running", pid: expect.any(Number) })
        expect(yield* rpc(url, "eth_chainId")).toBe("0x2105")
      })
    )

    it.effect("add, show, remove and clear faults, and say what is wrong with a rule", () =>
      Effect.gen(function* () {
        const { admin, baseUrl } = yield* Running
        const { nodes } = yield* admin.start({ path: { network: ID } })
        const url = nodes[0]?.url ?? ""
        const target = { network: ID, node: "normal-1" }
        const rule = yield* admin.addFault({
          payload: { target, fault: { kind: "wrongChain", chainId: 5 }, times: 1 }
        })
        expect(rule).toMatchObject({ target, seed: expect.any(Number), times: 1 })
        expect(yield* rpc(url, "eth_chainId")).toBe("0x5")
        expect(yield* rpc(url, "eth_chainId")).toBe("0x2105")
        expect(yield* admin.faults()).toMatchObject([{ rule, state: "spent", hits: 1, seen: 1 }])
        yield* admin.removeFault({ path: { id: rule.id } })
        expect(yield* admin.faults()).toEqual([])

        yield* admin.addFault({ payload: { target, fault: { kind: "status", status: 503 } } })
        yield* admin.node({ path: { network: ID, node: "normal-1", action: "heal" } })
        expect(yield* admin.faults()).toEqual([])

        yield* admin.addFault({ payload: { target, fault: { kind: "reset" } } })
        yield* admin.addFault({ payload: { fault: { kind: "freeze" } } })
        expect(yield* admin.clearFaults({ urlParams: { node: "normal-1" } })).toEqual({ removed: 1 })
        expect(yield* admin.clearFaults({ urlParams: {} })).toEqual({ removed: 1 })

        expect(
          yield* Effect.flip(
            admin.addFault({
              payload: { target: { network: "ripple-mainnet" }, fault: { kind: "stale", blocks: 1 } }
            })
          )
        ).toMatchObject({ _tag: "FaultRefused", message: expect.stringContaining("ripple-mainnet") })
        // What the client itself would not send: the server has to refuse it as well.
        for (const [body, said] of [
          [{ fault: { kind: "slow", ms: -1 } }, /milliseconds/],
          [{ fault: { kind: "slow", ms: 1 }, propability: 0.5 }, /propability/],
          [{ fault: { kind: "explode" } }, /explode/]
        ] as const) {
          const refused = yield* Effect.promise(async () => {
            const response = await fetch(`${baseUrl}/sandbox/faults`, {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify(body)
            })
            return { status: response.status, text: await response.text() }
          })
          expect(refused.status).toBe(400)
          expect(refused.text).toMatch(said)
        }
        expect(yield* admin.faults()).toEqual([])
      })
    )

    it.effect("list the last requests, and send them as they happen", () =>
      Effect.gen(function* () {
        const { admin, baseUrl, faults } = yield* Running
        const { nodes } = yield* admin.start({ path: { network: ID } })
        const url = nodes[0]?.url ?? ""
        yield* rpc(url, "net_version")
        const [last] = yield* admin.requests({ urlParams: { last: 1 } })
        expect(last).toMatchObject({
          where: `${ID}/normal-1`,
          network: ID,
          node: `${ID}/normal-1`,
          verb: "POST",
          path: "/",
          methods: ["net_version"],
          outcome: "answered",
          status: 200,
          faults: []
        })

        // The last one first, which also says that the stream is on: what comes after it is missed by nobody.
        const seen: Array<string> = []
        const fiber = yield* admin.events(1).pipe(
          Stream.tap(({ methods }) => Effect.sync(() => seen.push(methods.join()))),
          Stream.takeUntil(({ methods }) => methods.includes("eth_gasPrice")),
          Stream.runCollect,
          Effect.timeout("300 seconds"),
          Effect.fork
        )
        yield* Effect.repeat(Effect.sleep("10 millis"), { until: () => seen.length > 0, times: 3_000 })
        yield* faults.add({ id: "late", target: { method: "eth_gasPrice" }, fault: { kind: "html" } })
        yield* rpc(url, "eth_chainId")
        yield* Effect.ignore(rpc(url, "eth_gasPrice"))
        const events = Chunk.toReadonlyArray(yield* Fiber.join(fiber))
        expect(events.map(({ methods }) => methods)).toEqual([
          ["net_version"],
          ["eth_chainId"],
          ["eth_gasPrice"]
        ])
        expect(events[2]).toMatchObject({ faults: ["late"], status: 200 })
        yield* faults.clear()

        const head = yield* Effect.promise(async () => {
          const stop = new AbortController()
          const response = await fetch(`${baseUrl}/sandbox/events`, { signal: stop.signal })
          const type = response.headers.get("content-type")
          stop.abort()
          return type
        })
        expect(head).toMatch(/^text\/event-stream/)
      })
    )

    it.effect("show what they have as OpenAPI", () =>
      Effect.sync(() => {
        const { paths } = OpenApi.fromApi(HttpApi.make("provider").add(group))
        expect(Object.keys(paths).sort()).toEqual([
          "/sandbox/events",
          "/sandbox/faults",
          "/sandbox/faults/{id}",
          "/sandbox/incidents",
          "/sandbox/networks",
          "/sandbox/networks/{network}",
          "/sandbox/networks/{network}/fund",
          "/sandbox/networks/{network}/mine",
          "/sandbox/networks/{network}/nodes/{node}/{action}",
          "/sandbox/requests"
        ])
        expect(paths["/sandbox/faults"]?.post?.responses).toHaveProperty("400")
      })
    )
  })
})

describe("events of a client that goes", () => {
  it.scopedLive("end with it", () =>
    Effect.gen(function* () {
      let open = 0
      let opened = 0
      const port = yield* listen(() =>
        Effect.succeed({
          status: 200,
          headers: { "content-type": "text/event-stream" },
          body: Buffer.alloc(0),
          stream: Stream.acquireRelease(
            Effect.sync(() => {
              open++
              opened++
            }),
            () => Effect.sync(() => open--)
          ).pipe(Stream.as(new TextEncoder().encode(": hello\n\n")), Stream.concat(Stream.never))
        })
      )
      const stop = new AbortController()
      const response = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}`, { signal: stop.signal }))
      const first = yield* Effect.promise(async () => {
        for await (const chunk of response.body ?? []) return new TextDecoder().decode(chunk)
        return "nothing"
      })
      expect(first).toBe(": hello\n\n")
      stop.abort()
      yield* Effect.repeat(Effect.sleep("10 millis"), { until: () => open === 0, times: 3_000 })
      expect([opened, open]).toEqual([1, 0])
    })
  )
})
