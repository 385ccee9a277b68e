/**
 * The programs of the tutorial's shop, run by Node on one sandbox, with the packages' entries mapped to their sources. They are the
 * readers' own: they look for the sandbox at its usual address.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { build, type Plugin } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../../scripts/freePort.mjs"
import { entries } from "../../scripts/sources.js"
import * as Sandbox from "../../src/sandbox/index.js"
import { isNight } from "../night.js"
import { requireBinary } from "../nodes/process.js"
import { sandboxAt } from "../sandboxPort.js"

const root = dirname(dirname(import.meta.dirname))

/** Limits a program that hangs. On a busy machine the slowest takes a minute. */
const LIMIT = 500_000

/** Runs a program to its end, and yields what it has written. `onLine` gets each line when it comes. It ends with all that it has started. */
const run = async (
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
  onLine: (line: string) => void = () => undefined
): Promise<string> => {
  const program = spawn(process.execPath, args, {
    cwd: root,
    detached: true,
    env: { ...process.env, NO_COLOR: "1", ...environment },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const end = () => program.pid !== undefined && process.kill(-program.pid, "SIGKILL")
  const limit = setTimeout(end, LIMIT)
  const lines: Array<string> = []
  for await (const line of createInterface(program.stdout)) {
    lines.push(line)
    onLine(line)
  }
  if (program.exitCode === null && program.signalCode === null) await once(program, "exit")
  clearTimeout(limit)
  const written = lines.join("\n")
  if (program.exitCode !== 0)
    throw new Error(`it ended by ${program.signalCode ?? program.exitCode}:\n${written}`)
  return written
}

const areNodesThere = (["anvil", "bcoin", "surfpool"] as const).every(
  (name) => requireBinary(name, "programs of the tutorial") !== undefined
)

/** The entries are their sources. */
const entriesOfSources: Plugin = {
  name: "entries",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^(effect-chains|@effect-chains\/fleet)(\/|$)/ }, ({ path }) => ({
      path: join(root, entries[path] ?? "")
    }))
  }
}

/** What the programs of both surfaces print, in any order: chains do not wait for each other. */
const all = (line: string): ReadonlyArray<string> =>
  ["ethereum", "bitcoin", "solana"].map((chain, i) => line.replace("ID", `${i + 1}`).replace("CHAIN", chain))
/** The coins of an order, or what is left of them after the fee. */
const amounts = {
  price: ["0\\.05", "0\\.001", "1\\.5"],
  price_less_fee: ["0\\.0499\\d+", "0\\.00099\\d+", "1\\.49999\\d*"],
  part_less_fee: ["0\\.0199\\d+", "0\\.00049\\d+", "0\\.69999\\d*"]
}
const each = (line: string, amount: keyof typeof amounts): ReadonlyArray<string> =>
  all(line).map((text, i) => text.replace("AMOUNT", amounts[amount][i] ?? ""))

const addresses = [
  "order 1: pay 0\\.05 to 0x[0-9a-fA-F]{40} \\(ethereum-sepolia\\)",
  "order 2: pay 0\\.001 to tb1q\\w+ \\(bitcoin-testnet\\)",
  "order 3: pay 1\\.5 to \\w{32,44} \\(solana-devnet\\)"
]
const server = [
  "the server's health: 200",
  ...all("order \\d on CHAIN[a-z-]* is closed"),
  "the server ended with code 0"
]
const forged = "a call without the provider's signature gets 401"

const printed: Readonly<Record<string, ReadonlyArray<string>>> = {
  "promises/steps/1": addresses,
  "promises/steps/2": each("order ID is paid: AMOUNT on CHAIN", "price"),
  "promises/steps/3": all("order \\d on CHAIN is confirmed"),
  "promises/steps/4": each("order \\d is closed: the treasury has AMOUNT", "price_less_fee"),
  "promises/steps/5": [...all("order ID on CHAIN was told to be paid by 1 payment"), forged],
  "promises/steps/6": [
    ...each("order \\d is closed: the customer has AMOUNT", "part_less_fee"),
    "the money of order \\d goes to \\w+ already"
  ],
  "promises/steps/8": [
    "the first process ended by SIGKILL; closed orders in its file: 0",
    ...each("order \\d is closed: the treasury has AMOUNT", "price_less_fee")
  ],
  "promises/steps/9": server,
  "effect/steps/1": addresses,
  "effect/steps/2": each("order ID is paid: AMOUNT on CHAIN", "price"),
  "effect/steps/3": [...all("order ID on CHAIN is paid, \\d blocks deep"), "the chain agrees: true"],
  "effect/steps/4": each("order ID is closed: the treasury has AMOUNT", "price_less_fee"),
  "effect/steps/5": [...all("order ID on CHAIN was told of 1 payment"), forged],
  "effect/steps/6": each("order ID: the customer has AMOUNT, by 1 payment", "price"),
  "effect/steps/8": [
    "the first process ended by SIGKILL",
    ...each("order ID: the customer has AMOUNT", "price")
  ],
  "effect/steps/9": server
}

const tests = { promises: "promises/test/shop.test", effect: "effect/test/shop.test" }

describe.runIf(areNodesThere)("the tutorial", () => {
  const scope = Effect.runSync(Scope.make())
  const folder = mkdtempSync(join(root, "node_modules", ".tutorial-"))
  const scriptOf = (name: string) => join(folder, `${name}.mjs`)
  let flags: ReadonlyArray<string> = []
  let baseUrl = ""

  beforeAll(async () => {
    const made = Sandbox.make({
      networks: [
        { network: "ethereum-sepolia", nodes: 2, archive: 0 },
        { network: "bitcoin-testnet" },
        { network: "solana-devnet" }
      ],
      blockTime: 1
    })
    const names = [...Object.keys(printed), ...Object.values(tests)]
    const [sandbox] = await Promise.all([
      Effect.runPromise(Scope.extend(made, scope)),
      build({
        absWorkingDir: root,
        bundle: true,
        entryPoints: {
          ...Object.fromEntries(names.map((name) => [name, `examples/shop/${name}.ts`])),
          page: "test/sandbox/tutorialPage.mjs"
        },
        format: "esm",
        jsx: "automatic",
        logLevel: "error",
        outdir: folder,
        outExtension: { ".js": ".mjs" },
        packages: "external",
        platform: "node",
        plugins: [entriesOfSources],
        splitting: true,
        target: "node20"
      })
    ])
    baseUrl = sandbox.baseUrl
    flags = sandboxAt(baseUrl)
  })

  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  // the programs of the last steps use all of the shop; each night those of all steps run, with step 9 on Effect, whose server
  // gave an empty answer twice on a busy machine: why is not known
  const steps = Object.entries(printed).filter(
    ([name]) => isNight || /effect.*\/8$|promises.*\/9$/.test(name)
  )

  it.concurrent.each(steps)("%s prints what its page says", async (name, lines) => {
    const port = String(await freePort())
    const written = (await run([...flags, scriptOf(name)], { PORT: port })).split("\n")
    const unexpected = written.filter(
      (line) => !lines.some((pattern) => new RegExp(`^${pattern}$`).test(line))
    )
    const missing = lines.filter((pattern) => !written.some((line) => new RegExp(`^${pattern}$`).test(line)))
    expect({ unexpected, missing }).toEqual({ unexpected: [], missing: [] })
    expect(written).toHaveLength(lines.length)
  })

  it.concurrent("shows an order on its page, up to its last confirmation", async () => {
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}`
    const shop = spawn(process.execPath, [...flags, scriptOf("promises/steps/9"), "server"], {
      env: {
        ...process.env,
        EFFECT_CHAINS_PROVIDER: "sandbox",
        MNEMONIC: "legal winner thank year wave sausage worth useful legal winner thank yellow",
        ORDERS_FILE: join(folder, "page.json"),
        PORT: port,
        SHOP_URL: url,
        TREASURY_ETHEREUM: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        TREASURY_BITCOIN: "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn",
        TREASURY_SOLANA: "5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9",
        WEBHOOK_SECRET: "a secret of the tutorial"
      },
      stdio: ["ignore", "pipe", "inherit"]
    })
    try {
      const ask = async (path: string, body: object): Promise<Record<string, unknown>> => {
        const asked = {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body)
        }
        return (await fetch(path, asked)).json()
      }
      await expect
        .poll(() =>
          fetch(`${url}/health`).then(
            ({ status }) => status,
            () => 0
          )
        )
        .toBe(200)
      const { address, id } = await ask(`${url}/orders`, { chain: "bitcoin" })
      // the customer pays when the page says how
      let payment: Promise<unknown> | undefined
      const pay = (line: string) => {
        if (line === ": open")
          payment = ask(`${baseUrl}/sandbox/networks/bitcoin-testnet/fund`, { address, amount: "0.001" })
      }
      const shown = (
        await run([...flags, scriptOf("page")], { ORDER: String(id), SHOP_URL: url }, pay)
      ).split("\n")
      await payment
      expect(shown[0]).toBe(": open")
      expect(shown).toContain(": closed")
      expect(shown).toContain("2 of 2 confirmations")
    } finally {
      shop.kill("SIGTERM")
      await once(shop, "exit")
    }
  })

  describe("step 7", () => {
    it("passes its tests with promises", async () => {
      const script = scriptOf(tests.promises)
      const stdout = await run([...flags, "--test-reporter=tap", script])
      expect(stdout).toMatch(/^# pass 3$/m)
      expect(stdout).toMatch(/^# fail 0$/m)
    })

    it("passes its tests with Effect", async () => {
      const config = join(folder, "vitest.config.mjs")
      writeFileSync(config, `export default { test: { include: ["${tests.effect}.mjs"] } }`)
      const vitest = join(root, "node_modules/vitest/vitest.mjs")
      const args = [vitest, "run", "--root", folder, "--config", config, "--reporter=json"]
      const stdout = await run(args, { NODE_OPTIONS: flags.join(" ") })
      expect(JSON.parse(stdout.slice(stdout.indexOf("{")))).toMatchObject({
        numPassedTests: 2,
        numTotalTests: 2
      })
    })
  })
})
