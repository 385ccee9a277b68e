/**
 * The programs of all pages as their readers run them: an empty folder with the packed tarball and what the pages install, the sandbox by its
 * command, each program in a file of its own, by the command that the index says. The start page has a test of its own.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { startProgram } from "../../scripts/pack.mjs"
import * as Network from "../../src/data/Network.js"
import { listSteps, type Page, pages } from "../pages.js"
import { listPrograms, type Program, problemOf } from "../programs.js"
import { terminal } from "./terminal.js"

const programs = listPrograms(pages).filter(
  ({ page, use }) => page !== "docs/start.md" && (use === "runs" || use === "part")
)
const isPayment = ({ page, use }: Program): boolean => page === "docs/accept-payments.md" && use === "runs"

const networks = Object.keys(Network.networks)
  .filter(Network.isNetwork)
  .filter((id) => programs.some(({ code, use }) => use === "runs" && code.includes(`"${id}"`)))

/** The packages that a page has installed, with the versions that it says. */
const listPackages = ({ text }: Page): ReadonlyArray<string> =>
  Array.from(text.matchAll(/(?:^|`)npm (?:i|install) ((?:[^`\\\n#]|\\\n)+)/gm), ([, line = ""]) => line)
    .filter((line) => !/--global|-D /.test(line))
    .flatMap((line) => line.replace(/\\\n/g, " ").trim().split(/\s+/))
    .filter((word) => /^(?:@[\w-]+\/)?[a-z]/.test(word))

/** Those of all pages that have programs, and what programs import of other libraries; a version that some page says comes first. */
const listAllPackages = (): ReadonlyArray<string> => {
  const withPrograms = new Set(programs.map(({ page }) => page))
  const named = pages.filter(({ path }) => withPrograms.has(path)).flatMap(listPackages)
  const imported = programs.flatMap(({ code }) =>
    Array.from(code.matchAll(/from "((?:@[\w-]+\/)?[a-z][\w.-]*)/g), ([, name = ""]) => name)
  )
  const specs = new Map<string, string>()
  for (const spec of [...named, ...imported, "effect@3", "tsx"]) {
    const name = spec.replace(/(?<=.)@.*$/, "")
    if (!/^node$|^effect-chains$|^@effect-chains\//.test(name) && (specs.get(name) ?? name) === name)
      specs.set(name, spec)
  }
  return [...specs.values()]
}

describe("the programs of the pages, with the packed tarball", () => {
  const home = mkdtempSync(join(tmpdir(), "effect-chains-programs-"))
  const reader = terminal(home)
  const url = "http://127.0.0.1:4100"
  const environment = {
    MNEMONIC: "test test test test test test test test test test test junk",
    EFFECT_CHAINS_PROVIDER: "sandbox",
    ETH_NODES: `${url}/v3/blockchain/node/ethereum-mainnet`,
    POLYGON_NODES: `${url}/v3/blockchain/node/polygon-mainnet`,
    POLYGON_KEY: "key",
    TATUM_API_KEY: "key",
    WEBHOOK_SECRET: "a secret"
  }
  let sandbox: Awaited<ReturnType<typeof reader.start>> | undefined

  beforeAll(async () => {
    await reader.run("npm init -y")
    const install = ["npm i --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error"]
    await reader.run([...install, inject("tarball"), inject("fleet"), ...listAllPackages()].join(" "))
    const started = networks.map((network) => `--network ${network}`)
    sandbox = await reader.start(
      ["npx effect-chains sandbox --install --populate --block-time 1", ...started].join(" "),
      /init\(.*\)/
    )
  }, 600_000)

  afterAll(async () => {
    await sandbox?.[Symbol.asyncDispose]()
    rmSync(home, { recursive: true, force: true })
  })

  /** Saves a program, and yields the words of the command that the index page says. */
  const save = ({ at, code }: Pick<Program, "at" | "code">): ReadonlyArray<string> => {
    const file = reader.at(`${at.replace(/\W/g, "-")}.mts`)
    writeFileSync(file, code)
    return ["tsx", file]
  }

  it.each(programs.filter((program) => !isPayment(program)))("$at", async (program) => {
    const options = { cwd: reader.at("."), env: { ...process.env, NO_COLOR: "1", ...environment } }
    const { stdout } = await promisify(execFile)("npx", [...save(program)], { ...options, timeout: 120_000 })
    expect(problemOf(program, { at: program.at, printed: stdout })).toBeUndefined()
  })

  it("docs/accept-payments.md, with the payment of the start page", async () => {
    const program = programs.find(isPayment)
    const pay = listSteps("With promises")[2]
    if (program === undefined || pay === undefined) throw new Error("a page has no program")
    const { child, output } = await startProgram(
      "npx",
      [...save(program)],
      reader.at("."),
      /pay 0\.5 ETH/,
      environment
    )
    const ended = new Promise((resolve) => child.once("exit", resolve))
    await promisify(execFile)("npx", [...save({ at: "pay", code: pay.code })], { cwd: reader.at(".") })
    expect(await ended).toBe(0)
    expect(output()).toContain("order 7 is paid")
  })
})
