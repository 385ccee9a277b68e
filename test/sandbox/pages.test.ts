/**
 * The programs of all pages, run by Node as files in a folder with the package, over the sandbox. `EFFECT_CHAINS_PROVIDER` names it, as the
 * pages tell their readers to, and those that name it themselves find it at its usual address. The package is that of the packed tarball. At
 * night each program has a process of its own, by the command that the pages say (`test/nightly/programs.test.ts`).
 */

import { execFile } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { buffer } from "node:stream/consumers"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { transform } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../../scripts/freePort.mjs"
import { startProgram } from "../../scripts/pack.mjs"
import * as Network from "../../src/data/Network.js"
import { init } from "../../src/promise.js"
import * as Sandbox from "../../src/sandbox/index.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { isNight } from "../night.js"
import { pages, readPage } from "../pages.js"
import { listPrograms, type Outcome, type Program, problemOf, runAll } from "../programs.js"
import { sandboxAt } from "../sandboxPort.js"

const root = dirname(dirname(import.meta.dirname))
const execute = promisify(execFile)
const anvil = await Effect.runPromise(Effect.either(Anvil.binary))
if (anvil._tag === "Left") console.log("left out: programs of the docs on the sandbox (no anvil binary)")

const MNEMONIC = "test test test test test test test test test test test junk"

const programs = listPrograms(pages)
/** Those without a test of their own: the start page is followed step by step, and what Effect's programs print is compared in docs.test.ts. */
const others = programs.filter(({ page }) => page !== "docs/start.md" && page !== "docs/effect.md")
/** It waits for a payment, which its own test makes. */
const payment = others.find(({ page, use }) => page === "docs/accept-payments.md" && use === "runs")
const running = others.filter((program) => program.use === "runs" && program !== payment)
/** Of these programs, those that a commit tries: the first one of each page. The night tries all. */
const chosenOf = (some: ReadonlyArray<Program>): ReadonlyArray<Program> =>
  isNight ? some : some.filter(({ page }, i) => some.findIndex((other) => other.page === page) === i)

const networksOf = ({ code }: Program): ReadonlyArray<Network.Network> =>
  Object.keys(Network.networks)
    .filter(Network.isNetwork)
    .filter((id) => code.includes(`"${id}"`))
const isOfEthereum = (program: Program): boolean =>
  networksOf(program).every((network) => network === "ethereum-mainnet")

const networks = [
  ...new Set(chosenOf(running.filter((program) => !isOfEthereum(program))).flatMap(networksOf))
]

describe.runIf(anvil._tag === "Right")("the programs of the docs", () => {
  const scope = Effect.runSync(Scope.make())
  const folder = mkdtempSync(join(root, "node_modules", ".programs-"))
  let ethereum: Sandbox.SandboxService
  let chains: Sandbox.SandboxService

  /** Unpacks the tarballs of both packages, as they are installed. What they depend on is in the folders above. */
  const install = async () => {
    const packed = await execute(process.execPath, [join(root, "scripts/pack.mjs"), folder])
    const [tarball = "", fleet = ""] = packed.stdout.trim().split("\n")
    for (const [name, file] of [
      ["effect-chains", tarball],
      ["@effect-chains/fleet", fleet]
    ] as const) {
      const home = join(folder, "node_modules", name)
      mkdirSync(home, { recursive: true })
      await execute("tar", ["-xzf", file, "--strip-components=1", "-C", home])
    }
  }

  beforeAll(async () => {
    const start = (options: Sandbox.SandboxOptions) =>
      Effect.runPromise(Scope.extend(Sandbox.make({ ...options, blockTime: 1 }), scope))
    ;[ethereum, chains] = await Promise.all([
      start({ networks: [{ network: "ethereum-mainnet", nodes: 2, archive: 0 }], populated: true }),
      start({
        networks: networks.map((network) => ({
          network,
          // quorums are shown on Ethereum and its test network
          nodes: Network.info(network).family === "evm-beacon" ? 2 : 1,
          archive: 0
        }))
      }),
      install()
    ])
  })

  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const environmentOf = ({ baseUrl }: Sandbox.SandboxService) => ({
    MNEMONIC,
    EFFECT_CHAINS_PROVIDER: baseUrl,
    ETH_NODES: `${baseUrl}/v3/blockchain/node/ethereum-mainnet`,
    POLYGON_NODES: `${baseUrl}/v3/blockchain/node/polygon-mainnet`,
    POLYGON_KEY: "key",
    TATUM_API_KEY: "key",
    WEBHOOK_SECRET: "a secret"
  })
  const run = (
    some: ReadonlyArray<Program>,
    sandbox: Sandbox.SandboxService
  ): Promise<ReadonlyArray<Outcome>> =>
    runAll(folder, some, environmentOf(sandbox), sandboxAt(sandbox.baseUrl))

  /** What is wrong with what programs have printed. */
  const problems = (some: ReadonlyArray<Program>, outcomes: ReadonlyArray<Outcome>) =>
    some.flatMap((program, i) => problemOf(program, outcomes[i]) ?? [])

  it("are what their pages show: most of them run, and the others say what they need", () => {
    const left = programs.filter(({ use }) => !["runs", "part"].includes(use))
    expect(left.filter(({ needs }) => needs === undefined)).toEqual([])
    expect(running.length).toBeGreaterThan(80)
    const families = new Set(running.flatMap(networksOf).map((network) => Network.info(network).family))
    expect(families.size).toBeGreaterThanOrEqual(10)
  })

  it("name the sandbox or a test network, or nodes of this machine, where they sign", () => {
    const signing = programs.filter(
      ({ code }) =>
        /from "(effect-chains\/(?:effect\/)?signers\/|effect-chains\/react\/signers)/.test(code) &&
        /\binit\(|Sdk\.Tag\(|SdkProvider config/.test(code)
    )
    expect(signing.length).toBeGreaterThan(18)
    const real = signing.filter(
      ({ code }) =>
        !/provider: "sandbox"|"[\w-]+-(?:devnet|sepolia|testnet)"|url: "http:\/\/127\.0\.0\.1/.test(code)
    )
    expect(real.map(({ at }) => at)).toEqual([])
  })

  it("run to their end on Ethereum, and print what their pages show", async () => {
    const some = chosenOf(running.filter(isOfEthereum))
    expect(problems(some, await run(some, ethereum))).toEqual([])
  })

  it("run to their end on other networks", async () => {
    const some = chosenOf(running.filter((program) => !isOfEthereum(program)))
    expect(problems(some, await run(some, chains))).toEqual([])
  })

  it("can be loaded where they are a part of a program", async () => {
    const parts = others.filter(({ use }) => use === "part")
    expect(parts.length).toBeGreaterThan(10)
    const some = chosenOf(parts)
    expect(problems(some, await run(some, ethereum))).toEqual([])
  })

  it("notice the payment of a customer, as the guide says", async () => {
    if (payment === undefined) throw new Error("docs/accept-payments.md has no program")
    const { fund } = ethereum.network("ethereum-mainnet")
    const pay = Effect.repeat(
      fund("0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0.25"),
      Schedule.spaced("1 second")
    )
    const paid = Effect.promise(() => run([payment], ethereum))
    const [output] = await Effect.runPromise(Effect.raceFirst(paid, Effect.zipRight(pay, Effect.never)))
    expect(output?.printed).toMatch(/^pay 0\.5 ETH to 0x70.*\norder 7 is paid$/)
  })

  it("have a server that adds the API key, so that a page has none", async () => {
    const server = listPrograms([readPage("docs/security.md")]).find(({ use }) => use === "server")
    if (server === undefined) throw new Error("docs/security.md has no server")
    const { baseUrl } = ethereum
    /** The keys that the provider got, by the paths of their requests. */
    const keys = new Map<string, unknown>()
    const provider = createServer(async (request, response) => {
      const { headers, method = "GET", url = "/" } = request
      keys.set(`${method} ${url.split("?")[0]}`, headers["x-api-key"])
      const body = await buffer(request)
      const answer = await fetch(`${baseUrl}${url}`, {
        method,
        headers: { "content-type": "application/json" },
        body: method === "POST" ? new Uint8Array(body) : null
      })
      const text = await answer.text()
      // its nodes are behind it, too
      response.end(
        url.endsWith("list.json")
          ? JSON.stringify([{ url: `${at}/v3/blockchain/node/ethereum-mainnet`, type: 0 }])
          : text
      )
    })
    provider.listen(0, "127.0.0.1")
    await once(provider, "listening")
    // an address of a server that listens at a port
    const at = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    const port = await freePort()
    const file = join(folder, "keyServer.mjs")
    writeFileSync(file, (await transform(server.code, { loader: "ts" })).code)
    const environment = {
      PROVIDER_API: at,
      PROVIDER_LISTS: at,
      TATUM_API_KEY: "the key",
      PORT: String(port)
    }
    const { child } = await startProgram(process.execPath, [file], folder, /Pages ask/, environment)
    try {
      const url = `http://127.0.0.1:${port}`
      const sdk = await init({ network: "ethereum-mainnet", provider: url, quiet: true })
      expect((await sdk.rpc.chainId()).data).toBe(1n)
      const address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
      expect((await sdk.address.getBalance({ addresses: [address] })).data?.length).toBeGreaterThan(1)
      // what spends more than a read is not passed on
      expect((await sdk.notification.count()).status).toBe("ERROR")
      await sdk.destroy()
      keys.delete("GET /ethereum-mainnet/list.json")
      expect(keys.size).toBeGreaterThanOrEqual(2)
      expect(new Set(keys.values())).toEqual(new Set(["the key"]))
      const preflight = await fetch(`${url}/nodes/0`, { method: "OPTIONS" })
      expect(preflight.headers.get("access-control-allow-origin")).toBe("http://localhost:5173")
      expect((await fetch(`${url}/nodes/7`, { method: "POST", body: "{}" })).status).toBe(404)
    } finally {
      child.kill()
      provider.close()
      provider.closeAllConnections()
    }
  })
})
