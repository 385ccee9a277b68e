/**
 * The start page, followed in an empty folder by its own commands: a balance, a payment and a webhook, on a sandbox of each reader's own.
 * What the page says that is printed is what is printed.
 */
import { execFile } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import { build, transform } from "esbuild"
import { afterAll, describe, expect, it } from "vitest"
import { freePort } from "../../scripts/freePort.mjs"
import { startProgram } from "../../scripts/pack.mjs"
import { entries } from "../../scripts/sources.js"
import { init } from "../../src/promise.js"
import * as Sandbox from "../../src/sandbox/index.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { listSteps, type Step } from "../pages.js"
import { sandboxAt } from "../sandboxPort.js"

const root = dirname(dirname(import.meta.dirname))
const anvil = await Effect.runPromise(Effect.either(Anvil.binary))
if (anvil._tag === "Left") console.log("left out: the start page on the sandbox (no anvil binary)")

/** What a page says that a program prints, as a line; hashes are anything. */
const line = (said = "nothing is said"): RegExp =>
  new RegExp(`^${said.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace("…", "[0-9a-f]+")}$`, "m")

describe.runIf(anvil._tag === "Right")("the start page", () => {
  const folder = mkdtempSync(join(root, "node_modules", ".start-"))
  afterAll(() => rmSync(folder, { recursive: true }))

  /**
   * A folder with the programs of some steps, in which the package is installed as npm would, built from its sources. Other packages are
   * those of the repository; at night the packed tarball and the registry's packages stand there (`test/nightly/start.test.ts`).
   */
  const newProject = async (steps: ReadonlyArray<Step>, sandbox: string) => {
    const project = mkdtempSync(join(folder, "project-"))
    const home = join(project, "node_modules/effect-chains")
    const names = Array.from(
      new Set(
        steps.flatMap(({ code }) =>
          Array.from(code.matchAll(/"(effect-chains[^"]*)"/g), ([, name = ""]) => name)
        )
      )
    )
    const files = new Map(names.map((name, i) => [name, `entry${i}`]))
    await build({
      absWorkingDir: root,
      bundle: true,
      entryPoints: Array.from(files, ([name, out]) => ({ in: entries[name] ?? "", out })),
      format: "esm",
      logLevel: "error",
      outdir: home,
      outExtension: { ".js": ".mjs" },
      packages: "external",
      platform: "node",
      splitting: true,
      target: "node20"
    })
    const exports = Object.fromEntries(
      Array.from(files, ([name, file]) => [name.replace("effect-chains", "."), `./${file}.mjs`])
    )
    writeFileSync(join(home, "package.json"), JSON.stringify({ name: "effect-chains", exports }))
    for (const { code, file } of steps) {
      writeFileSync(join(project, file), code)
      // Node 20 reads no types
      if (file.endsWith(".mts")) {
        const { code: script } = await transform(code, { loader: "ts" })
        writeFileSync(join(project, file.replace(".mts", ".mjs")), script)
      }
    }
    const environment = {
      PORT: String(await freePort()),
      NODE_OPTIONS: `${sandboxAt(sandbox).join("=")} --unhandled-rejections=strict`
    }
    /** The command of a step, with Node in the place of `tsx`. */
    const lineOf = ([command = ""]: ReadonlyArray<string>): ReadonlyArray<string> => [
      "-ec",
      `exec ${command.replace(/^npx tsx (.+)\.mts$/, "node $1.mjs")}`
    ]
    return {
      run: async ({ commands }: Pick<Step, "commands">): Promise<string> => {
        const options = { cwd: project, env: { ...process.env, NO_COLOR: "1", ...environment } }
        const { stdout } = await promisify(execFile)("sh", lineOf(commands), options)
        return stdout.trim()
      },
      start: ({ commands }: Step, ready: RegExp) =>
        startProgram("sh", lineOf(commands), project, ready, environment)
    }
  }

  it.each(["With promises", "With Effect"])(
    "leads from an empty folder to a balance, a payment and a webhook: %s",
    async (part) => {
      const [, balance, payment, webhook] = listSteps(part)
      if (balance === undefined || payment === undefined || webhook === undefined)
        throw new Error(`the start page has too few steps ${part.toLowerCase()}`)
      const follow = async ({ baseUrl }: Sandbox.SandboxService): Promise<void> => {
        const reader = await newProject([balance, payment, webhook], baseUrl)
        expect(await reader.run(balance)).toBe(balance.says[0])
        expect(await reader.run(payment)).toMatch(line(payment.says[0]))
        const [waiting, received] = webhook.says
        const { child, output } = await reader.start(webhook, line(waiting))
        const ended = once(child, "exit")
        await reader.run({ commands: webhook.commands.slice(1) })
        expect(await ended).toEqual([0, null])
        expect(output()).toMatch(line(received))
        // so that it can be run again: the provider takes no second subscription of the same kind
        const sdk = await init({ network: "ethereum-mainnet", provider: baseUrl, quiet: true })
        expect((await sdk.notification.count()).data).toBe(0)
        await sdk.destroy()
      }
      const sandbox = Sandbox.make({ networks: [{ network: "ethereum-mainnet", nodes: 2, archive: 0 }] })
      await Effect.runPromise(
        Effect.scoped(Effect.flatMap(sandbox, (service) => Effect.promise(() => follow(service))))
      )
    }
  )
})
