/** The sandbox of the packed tarball, by the lines of its page, where nothing that it needs is installed. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { pack } from "../../scripts/pack.mjs"
import { installationOf, type NodeName, nodeBinaries } from "../../src/sandbox/nodes/binaries.js"
import * as Packages from "../../src/sandbox/Packages.js"

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "effect-chains-install-"))
const app = join(folder, "app")
const cache = join(folder, "cache")
/** Neither Foundry's programs nor an earlier installation are found. */
const environment = { ...process.env, EFFECT_CHAINS_CACHE: cache, npm_execpath: undefined }
const children: Array<ChildProcess> = []

/** The commands of the page. */
const commands = (() => {
  const [, block = ""] = /```sh\n([\s\S]*?)```/.exec(readFileSync(`${root}docs/sandbox.md`, "utf8")) ?? []
  return block.trim().split("\n")
})()

interface Run {
  readonly child: ChildProcess
  readonly output: () => string
  readonly exited: Promise<number | null>
}

const run = (line: string): Run => {
  const child = spawn("bash", ["-c", `exec ${line}`], {
    cwd: app,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true
  })
  children.push(child)
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += String(chunk)
    })
  return { child, output: () => output, exited: new Promise((resolve) => child.on("close", resolve)) }
}

/** A signal as a terminal gives it: to npx and to all that it has started. */
const signal = ({ exitCode, pid, signalCode }: ChildProcess, name: "SIGINT" | "SIGKILL"): void => {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, name)
}

const until = async (condition: () => boolean, { child, output }: Run): Promise<void> => {
  const end = Date.now() + 300_000
  while (!condition()) {
    if (Date.now() > end || child.exitCode !== null) throw new Error(output())
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

beforeAll(() => {
  mkdirSync(app, { recursive: true })
  writeFileSync(join(app, "package.json"), '{ "private": true, "type": "module" }')
})
afterAll(() => {
  for (const child of children) signal(child, "SIGKILL")
  rmSync(folder, { recursive: true, force: true })
})

describe("the page of the sandbox, from the packed tarball", () => {
  it("installs the SDK, and says what to do where nothing else is installed", async () => {
    const [install = ""] = commands
    const { exited, output } = run(install.replace(" effect-chains ", ` ${pack(folder)} `))
    expect(await exited, output()).toBe(0)
    const asked = run("npx effect-chains sandbox --port 0 --network solana-mainnet")
    expect(await asked.exited).toBe(1)
    expect(asked.output()).toContain(
      'with "npx effect-chains sandbox --port 0 --network solana-mainnet --install"'
    )
    expect(existsSync(cache)).toBe(false)
  }, 600_000)

  it("installs what the sandbox needs outside of the project, and serves", async () => {
    const [, line = ""] = commands
    const before = readFileSync(join(app, "package.json"), "utf8")
    const lock = readFileSync(join(app, "package-lock.json"), "utf8")
    const sandbox = run(`${line} --port 0 --network solana-mainnet`)
    await until(() => sandbox.output().split("init({").length > 2, sandbox)
    expect(sandbox.output()).toContain(cache)
    const snippets = [...sandbox.output().matchAll(/init\((\{.*\})\)/g)].map(([, text = ""]) => text)
    expect(snippets.map((text) => /network: "([^"]+)"/.exec(text)?.[1])).toEqual([
      "ethereum-mainnet",
      "solana-mainnet"
    ])
    // the lines that it prints are run, on an account of each network
    const accounts = [...sandbox.output().matchAll(/^account +(\S+)$/gm)].map(([, address = ""]) => address)
    writeFileSync(
      join(app, "program.js"),
      `import { init } from "effect-chains/promise"\n${snippets
        .map(
          (text, i) =>
            `{ const sdk = await init(${text}); console.log((await sdk.address.getBalance({ addresses: ["${accounts[i]}"] })).data[0].balance); await sdk.destroy() }`
        )
        .join("\n")}\n`
    )
    const { stdout } = await promisify(execFile)(process.execPath, ["program.js"], { cwd: app })
    expect(stdout.trim().split("\n")).toEqual(["10000", "1000"])
    expect(readFileSync(join(app, "package.json"), "utf8")).toBe(before)
    expect(readFileSync(join(app, "package-lock.json"), "utf8")).toBe(lock)
    signal(sandbox.child, "SIGINT")
    await sandbox.exited
    // what is there is not installed again
    const again = run(`${line} --port 0`)
    await until(() => again.output().includes("init({"), again)
    expect(again.output()).not.toContain("Installing")
    signal(again.child, "SIGINT")
    await again.exited
  }, 600_000)

  it("takes no package for another", async () => {
    // the module reads its folder once, and the user's own is neither read nor written here
    vi.resetModules()
    vi.stubEnv("EFFECT_CHAINS_CACHE", join(folder, "of-this-process"))
    const { folder: used, install } = await import("../../src/sandbox/Installation.js")
    vi.unstubAllEnvs()
    expect(used).toBe(join(folder, "of-this-process"))
    const [name = "", wanted] = Object.entries(Packages.installation.packages).at(-1) ?? []
    const forged = {
      name: "forged",
      packages: { [name]: { version: wanted?.version ?? "", integrity: `sha512-${"A".repeat(86)}==` } }
    }
    const error = await Effect.runPromise(Effect.flip(install(forged)))
    expect(error.message).toContain("is not the package that the sandbox is tested with")
    expect(error.reason).toBe("package")
  })
})

describe("packages of the table", () => {
  const names = Object.keys(nodeBinaries) as ReadonlyArray<NodeName>
  const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64"]
  const wanted = new Map<string, string | undefined>()
  for (const { packages } of [
    Packages.installation,
    ...platforms.flatMap((platform) => names.flatMap((name) => installationOf(name, platform) ?? []))
  ])
    for (const [name, { integrity, version }] of Object.entries(packages))
      wanted.set(`${name}@${version}`, integrity)

  // each of them is a process that waits for the registry
  it.concurrent.each([...wanted])("%s is the one that npm has", async (name, integrity) => {
    const known = await promisify(execFile)("npm", ["view", name, "dist.integrity"]).then(
      ({ stdout }) => stdout.trim(),
      () => ""
    )
    if (known === "") console.log(`left out: ${name}, which this registry does not have`)
    else expect(integrity).toBe(known)
  })
})
