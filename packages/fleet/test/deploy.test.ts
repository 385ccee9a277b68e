/**
 * The compose file: what it starts is started here, as processes of loopback, in its order and with its commands and settings. What it is
 * not: its images, its network (the names of hosts are put in the place of ports) and the program `npx`, for which this repository's is
 * taken.
 */
import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Anvil } from "effect-chains/sandbox"
import { afterAll, expect, it } from "vitest"
import { parse } from "yaml"
import { freePort } from "../../../scripts/freePort.mjs"
import { bundled } from "../../../scripts/program.mjs"
import * as EvmTransactions from "../src/EvmTransactions.js"
import * as Postgres from "../src/Postgres.js"
import { ask, makeOrder, mnemonic, withoutLogs } from "./evm.js"
import { startPostgres } from "./postgres.js"
import { findMissing, type Server, startRedis } from "./servers.js"

interface Service {
  readonly image: string
  readonly command?: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, unknown>>
}

const given: Readonly<Record<string, string>> = { RUNNER_IMAGE: "runner", MNEMONIC: mnemonic }
const text = readFileSync(new URL("../deploy/compose.yaml", import.meta.url), "utf8").replace(
  /\$\{(\w+):\?[^}]*\}/g,
  (_, name) => given[name] ?? ""
)
const { services }: { readonly services: Readonly<Record<string, Service>> } = parse(text, { merge: true })

const runners = Object.entries(services).flatMap(([, service]) =>
  service.image === "runner" ? [service] : []
)

const lacking = findMissing()
const anvil = await Effect.runPromise(Effect.either(Anvil.binary))
if (lacking !== undefined) console.log(lacking)
if (Either.isLeft(anvil)) {
  if (process.env.CI === "true") throw anvil.left
  console.log("left out: the compose file's sandbox (no anvil binary)")
}

const folder = mkdtempSync(join(tmpdir(), "fleet-deploy-"))
const program = await bundled(
  fileURLToPath(new URL("../deploy/runner.ts", import.meta.url)),
  `fleet-deployed-${process.pid}`
)
const children: Array<ChildProcess> = []
const servers: Array<Server> = []
afterAll(async () => {
  for (const child of children.reverse()) {
    const ended = new Promise((resolve) => child.once("exit", resolve))
    child.kill("SIGTERM")
    if (child.exitCode === null && child.signalCode === null) await ended
  }
  await Promise.all(servers.map(({ end }) => end()))
  rmSync(folder, { recursive: true, force: true })
  rmSync(program, { force: true })
})

it("has Postgres, Redis, the sandbox and three runners with ports of their own", () => {
  expect(Object.keys(services).sort()).toEqual([
    "postgres",
    "redis",
    "runner-1",
    "runner-2",
    "runner-3",
    "sandbox"
  ])
  expect(new Set(runners.map(({ environment }) => environment?.FLEET_PORT)).size).toBe(3)
})

it.runIf(lacking === undefined && Either.isRight(anvil))(
  "starts a fleet that makes a payment once",
  async () => {
    /** Where the hosts and ports of the file are here. */
    const localPorts = new Map<string, string>()
    const here = (value: string): string =>
      [...localPorts].reduce((found, [place, port]) => found.replace(place, `127.0.0.1:${port}`), value)
    const output = openSync(join(folder, "output"), "a")
    const run = (
      path: string,
      args: ReadonlyArray<string>,
      environment: Readonly<Record<string, string>> = {}
    ) => {
      // nothing of this process' environment but where programs are
      const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...environment }
      const child = fork(path, args, { env, stdio: ["ignore", output, output, "ipc"] })
      children.push(child)
      return child
    }
    const written = () => readFileSync(join(folder, "output"), "utf8").slice(-2_000)
    const server = async (starting: Promise<Server>, place: string) => {
      const started = await starting
      servers.push(started)
      localPorts.set(place, String(started.port))
    }
    const begin: Readonly<Record<string, (service: Service) => Promise<void>>> = {
      "postgres:17": ({ command, environment: { POSTGRES_DB, POSTGRES_PASSWORD, POSTGRES_USER } = {} }) => {
        expect(POSTGRES_USER).toBe("fleet")
        const settings = {
          args: command ?? [],
          database: POSTGRES_DB ?? "",
          password: POSTGRES_PASSWORD ?? ""
        }
        return server(startPostgres(settings), "postgres:5432")
      },
      "redis:7": ({ command: [name, ...args] = [] }) => {
        expect(name).toBe("redis-server")
        return server(startRedis(args), "redis:6379")
      },
      "node:22": async ({ command = [] }) => {
        expect(command.slice(0, 3)).toEqual(["npx", "--yes", "effect-chains"])
        const path = fileURLToPath(new URL("../../../scripts/run.mjs", import.meta.url))
        const main = fileURLToPath(new URL("../../../src/cli/main.ts", import.meta.url))
        run(path, [main, ...command.slice(3), "--port", "0"])
        const port = () => /^provider +http:\S+:(\d+)$/m.exec(written())?.[1]
        await expect.poll(port).toBeDefined()
        localPorts.set("127.0.0.1:4100", port() ?? "")
      },
      runner: async ({ environment }) => {
        const settings = Object.entries(environment ?? {}).map(([name, value]) => [name, here(value)])
        run(program, [], { ...Object.fromEntries(settings), FLEET_PORT: String(await freePort()) })
      }
    }
    const started = new Set<string>()
    while (started.size < Object.keys(services).length) {
      const ready = Object.entries(services).filter(
        ([name, { depends_on = {} }]) =>
          !started.has(name) && Object.keys(depends_on).every((each) => started.has(each))
      )
      expect(ready).not.toEqual([])
      for (const [name, service] of ready) {
        await begin[service.image]?.(service)
        started.add(name)
      }
    }

    const [{ environment = {} } = {}] = runners
    const client = Layer.provideMerge(
      EvmTransactions.layerClient,
      Postgres.layer({
        name: environment.FLEET_NAME ?? "",
        url: Redacted.make(here(environment.FLEET_DATABASE_URL ?? ""))
      })
    )
    const sent = Effect.flatMap(EvmTransactions.EvmTransactions, ({ send }) =>
      Effect.all([send(makeOrder(1)), send(makeOrder(1))], { concurrency: "unbounded" })
    )
    const [first, second] = await Effect.runPromise(
      sent.pipe(Effect.provide(client), Effect.provide(withoutLogs), Effect.timeout("550 seconds"))
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}; the processes wrote ${written()}`)
    })
    expect(second).toEqual(first)
    const node = here(environment.TATUM_NODES ?? "")
    expect(await ask(node, "eth_getTransactionByHash", first.hash)).toMatchObject({
      hash: first.hash,
      value: "0x2"
    })
    expect(Number(await ask<string>(node, "eth_getTransactionCount", first.from, "latest"))).toBe(1)
    // all of them are up
    expect(
      children.map(({ exitCode, signalCode }) => exitCode ?? signalCode),
      written()
    ).toEqual(children.map(() => null))
  }
)
