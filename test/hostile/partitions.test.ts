/** Nodes that die, are cut off or stopped, names that do not resolve, clocks that jump, and processes that sleep. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import type { LookupFunction } from "node:net"
import { Agent } from "undici"
import { afterEach, describe, expect, it } from "vitest"
import { init, type PromiseRpcSdk } from "../../src/promise.js"
import type { Command, Ends } from "./client.js"
import { fetchThrough, type HostileServer, start, startServer } from "./process.js"
import { someOf } from "./times.js"

const servers: Array<HostileServer> = []
const children: Array<ChildProcess> = []

const serve = async (port?: number): Promise<HostileServer> => {
  const server = await startServer(port)
  servers.push(server)
  return server
}

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
  await Promise.all(servers.splice(0).map((server) => server.end()))
})

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const base = { network: "ethereum-mainnet", quiet: true, verifyChain: false } as const

const nodes = (...urls: ReadonlyArray<string>) => ({
  nodes: urls.map((url) => ({ url })),
  statusCheckInterval: Number.POSITIVE_INFINITY
})

const endsOf = (
  results: ReadonlyArray<{ readonly status: string; readonly error?: unknown }>
): ReadonlyArray<string> => [
  ...new Set(results.map(({ error, status }) => (status === "SUCCESS" ? "ok" : JSON.stringify(error))))
]

/** A client whose first node is this one: the first is a random one. */
const beginningAt = async <A extends PromiseRpcSdk>(url: string, make: () => Promise<A>): Promise<A> => {
  for (;;) {
    const sdk = await make()
    if (
      sdk
        .nodes()
        .find(({ active }) => active)
        ?.url.startsWith(url) === true
    )
      return sdk
    await sdk.destroy()
  }
}

describe("thousands of calls in flight", () => {
  it.each([
    ["by themselves", {}, someOf(2_000)],
    ["in batches", { batch: { size: 25, window: 0 } }, someOf(10_000)]
  ] as const)("at a node that is killed are all answered by another one, %s", async (_, more, count) => {
    const [dying, well] = [await serve(), await serve()]
    const client = await beginningAt(dying.url, () =>
      init({
        ...base,
        ...more,
        hedge: false,
        timeout: 120_000,
        attemptTimeout: 100_000,
        rpc: nodes(`${dying.url}/slow/100000/any`, `${well.url}/slow/5/any`)
      })
    )
    const calls: Array<ReturnType<typeof client.rpc.gasPrice>> = []
    for (let i = 0; i < count; i++) calls.push(client.rpc.gasPrice())
    // until all have been sent that are sent at once
    let inFlight = 0
    for (let before = -1; inFlight === 0 || inFlight !== before; await pause(100)) {
      before = inFlight
      inFlight = (await dying.seen()).requests
    }
    dying.signal("SIGKILL")
    const results = await Promise.all(calls)
    expect(endsOf(results)).toEqual(["ok"])
    console.log(`hostile: ${count} calls, ${inFlight} requests in flight when their node died, none lost`)
    await client.destroy()
  })
})

describe("a node that is cut off", () => {
  it("in one direction, so that it hears and is not heard, costs no read, and is back when it is heard", async () => {
    const [mute, well] = [await serve(), await serve()]
    const sdk = await beginningAt(mute.url, () =>
      init({
        ...base,
        attemptTimeout: 1_000,
        hedge: { delay: 100 },
        rpc: { ...nodes(`${mute.url}/slow/2/any`, `${well.url}/slow/2/any`), statusCheckInterval: 500 }
      })
    )
    const many = (count: number) => Promise.all(Array.from({ length: count }, () => sdk.rpc.gasPrice()))
    expect(endsOf(await many(50))).toEqual(["ok"])
    const waiting = many(100)
    // the machine takes connections and bytes for it, and nothing answers
    mute.signal("SIGSTOP")
    expect(endsOf(await waiting)).toEqual(["ok"])
    expect(endsOf(await many(200))).toEqual(["ok"])
    const failed = (): boolean | undefined => sdk.nodes().find(({ url }) => url.startsWith(mute.url))?.failed
    await expect.poll(failed).toBe(true)
    mute.signal("SIGCONT")
    await expect.poll(failed).toBe(false)
    expect(endsOf(await many(50))).toEqual(["ok"])
    await sdk.destroy()
  })

  it("with all others is a failure, and calls succeed soon after one is back", async () => {
    const server = await serve()
    const port = Number(new URL(server.url).port)
    const sdk = await init({
      ...base,
      timeout: 3_000,
      rpc: nodes(`${server.url}/well/any`, `${server.url}/well/other`)
    })
    expect((await sdk.rpc.gasPrice()).status).toBe("SUCCESS")
    await server.end()
    const offline = await Promise.all(Array.from({ length: 50 }, () => sdk.rpc.gasPrice()))
    for (const result of offline) {
      expect(result.status === "ERROR" && result.error.cause._tag).toMatch(
        /^(NodeError|NoActiveNode|CallTimeout)$/
      )
    }
    await serve(port)
    const online = async (): Promise<string> => (await sdk.rpc.gasPrice()).status
    await expect.poll(online, { interval: 100 }).toBe("SUCCESS")
    expect(endsOf(await Promise.all(Array.from({ length: 50 }, () => sdk.rpc.gasPrice())))).toEqual(["ok"])
    await sdk.destroy()
  })
})

/** Names by what becomes of them; the others are those of this machine. */
const lookupOf =
  (asked: Array<string>): LookupFunction =>
  (name, options, done) => {
    asked.push(name)
    const [kind] = name.split(".")
    const fail = (code: string): void =>
      done(Object.assign(new Error(`getaddrinfo ${code} ${name}`), { code }), "")
    if (kind === "unknown") setTimeout(() => fail("ENOTFOUND"), 5)
    else if (kind === "again") setTimeout(() => fail("EAI_AGAIN"), 5)
    else if (kind === "never") return
    else {
      const found = () =>
        options.all === true ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4)
      setTimeout(found, kind === "slow" ? 400 : 1)
    }
  }

describe("a name", () => {
  it.each([
    ["unknown", /ENOTFOUND/, "connect"],
    ["again", /EAI_AGAIN/, "connect"],
    ["never", /no answer within/, "timeout"]
  ])(
    "that does not resolve (%s) is a failure that says so, and the next node answers",
    async (kind, says, expected) => {
      const server = await serve()
      const { port } = new URL(server.url)
      const asked: Array<string> = []
      const agent = new Agent({ connect: { lookup: lookupOf(asked) } })
      const urlOf = (name: string): string => `http://${name}.example:${port}/well/any`
      const make = (...names: ReadonlyArray<string>) =>
        init({
          ...base,
          hedge: false,
          retryCount: 0,
          timeout: 20_000,
          attemptTimeout: kind === "never" ? 1_000 : 5_000,
          rpc: nodes(...names.map(urlOf)),
          fetch: fetchThrough(agent)
        })
      const alone = await make(kind)
      const result = await alone.rpc.gasPrice()
      await alone.destroy()
      expect(result.status === "ERROR" && result.error.cause).toMatchObject({
        _tag: "NodeError",
        kind: expected
      })
      expect(result.status === "ERROR" && result.error.message.join()).toMatch(says)
      const both = await beginningAt(`http://${kind}.example`, () => make(kind, "good"))
      expect(endsOf(await Promise.all(Array.from({ length: 20 }, () => both.rpc.gasPrice())))).toEqual(["ok"])
      // nothing can have reached a host that was not found: a write goes on too
      if (expected === "connect") {
        const written = await beginningAt(`http://${kind}.example`, () => make(kind, "good"))
        expect((await written.rpc.rawRpcCall({ method: "eth_sendTransaction", params: [{}] })).status).toBe(
          "SUCCESS"
        )
        await written.destroy()
      }
      await both.destroy()
      await agent.destroy()
      expect(asked).toContain(`${kind}.example`)
    }
  )

  it("that resolves slowly is waited for", async () => {
    const server = await serve()
    const agent = new Agent({ connect: { lookup: lookupOf([]) } })
    const url = `http://slow.example:${new URL(server.url).port}/well/any`
    const sdk = await init({ ...base, rpc: nodes(url), fetch: fetchThrough(agent) })
    expect(endsOf(await Promise.all(Array.from({ length: 20 }, () => sdk.rpc.gasPrice())))).toEqual(["ok"])
    await sdk.destroy()
    await agent.destroy()
  })
})

describe("a process", () => {
  const live = async (env: Readonly<Record<string, string>> = {}, ms = 20) => {
    const [one, two] = [await serve(), await serve()]
    const child = await start("client", {
      URLS: JSON.stringify([`${one.url}/slow/${ms}/any`, `${two.url}/slow/${ms}/any`]),
      ...env
    })
    children.push(child)
    await once(child, "message")
    const ask = async (command: Command, tag: string): Promise<unknown> => {
      child.send(command)
      for (;;) {
        const [said] = await once(child, "message")
        if (said._tag === tag) return said.value
      }
    }
    // the program answers to each command in its form
    const call = async (count: number, apart: number) =>
      (await ask({ _tag: "Call", count, apart }, "Ends")) as Ends
    const jump = (by: number) => ask({ _tag: "Jump", by }, "Jumped")
    const nodes = () => ask({ _tag: "Nodes" }, "Nodes")
    const seen = async (): Promise<number> => (await one.seen()).requests + (await two.seen()).requests
    /** Waits until the nodes have got so many requests. */
    const asked = (count: number) => expect.poll(seen).toBeGreaterThan(count)
    return { asked, child, call, jump, nodes, one, seen }
  }

  it.each([5 * 3_600_000, -5 * 3_600_000])("whose clock jumps by %i ms loses no call", async (by) => {
    const { asked, call, jump } = await live()
    expect((await call(20, 5)).ends).toEqual({ ok: 20 })
    const during = call(200, 5)
    await asked(60)
    await jump(by)
    expect((await during).ends).toEqual({ ok: 200 })
    expect((await call(100, 5)).ends).toEqual({ ok: 100 })
  })

  it("that was stopped, and wakes hours later by its clock, goes on at once and asks no more than before", async () => {
    const { call, child, jump, nodes, seen } = await live({ ATTEMPT: "1500" })
    expect((await call(20, 5)).ends).toEqual({ ok: 20 })
    child.kill("SIGSTOP")
    await pause(2_500)
    const before = await seen()
    const started = performance.now()
    child.kill("SIGCONT")
    await jump(7 * 3_600_000)
    expect((await call(100, 5)).ends).toEqual({ ok: 100 })
    // calls and the second attempts that they may have, and a round of checks each two seconds: none is made up for
    const rounds = (performance.now() - started) / 2_000
    expect((await seen()) - before).toBeLessThan(150 + 10 * rounds)
    // a check that was on its way has taken too long, and the next one has not
    await expect.poll(nodes).toMatchObject([{ failed: false }, { failed: false }])
  })

  it("that is stopped in the middle of calls answers them when it wakes", async () => {
    // most calls are on their way when it is stopped, and all have been answered when it wakes
    const { asked, call, child, seen } = await live({ ATTEMPT: "2000" }, 400)
    const during = call(60, 5)
    await asked(50)
    child.kill("SIGSTOP")
    // longer than an attempt may take
    await pause(2_500)
    child.kill("SIGCONT")
    expect((await during).ends).toEqual({ ok: 60 })
    // those answers are taken: the nodes are not asked for them once more, which a busy machine could not bear
    expect(await seen()).toBeLessThan(60 + 30)
    expect((await call(50, 5)).ends).toEqual({ ok: 50 })
  })

  it("whose timers are throttled, as those of a tab in the background, loses no call, nor when a node dies", async () => {
    const { call, one } = await live({ THROTTLED: "1000" })
    expect((await call(50, 10)).ends).toEqual({ ok: 50 })
    const during = call(100, 10)
    const { requests } = await one.seen()
    await expect.poll(async () => (await one.seen()).requests).toBeGreaterThan(requests)
    one.signal("SIGKILL")
    expect((await during).ends).toEqual({ ok: 100 })
  })
})
