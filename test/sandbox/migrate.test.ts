import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { build } from "esbuild"
import { migrate } from "../../src/cli/migrate/index.js"
import * as Sandbox from "../../src/sandbox/index.js"
import { UserProject } from "../migrate/programs.js"
import { report } from "../migrated.js"
import { isNight } from "../night.js"

const root = join(import.meta.dirname, "../..")
const available = Either.isRight(Effect.runSync(Effect.either(Sandbox.Anvil.binary)))
if (!available && process.env.CI !== "true")
  console.log("left out: a migrated program on the sandbox (no anvil binary)")

/** Bundles a program over the sources and runs it. */
const output = async (text: string, env: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await mkdtemp(join(root, "node_modules", ".migrated-"))
  try {
    const [entry, outfile] = [join(folder, "report.ts"), join(folder, "report.mjs")]
    await writeFile(entry, text)
    await build({
      alias: { "effect-chains/promise": join(root, "src/promise.ts") },
      bundle: true,
      entryPoints: [entry],
      format: "esm",
      logLevel: "error",
      outfile,
      packages: "external",
      platform: "node"
    })
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], {
      env: { ...process.env, ...env },
      timeout: 300_000
    })
    return stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe.skipIf(!available && process.env.CI !== "true")(
  "a program of @tatumio/tatum that was migrated",
  () => {
    // on each commit, programs that were migrated run on a server of `test/migrate/behaviour.test.ts`
    it.scopedLive.skipIf(!isNight)("runs on the sandbox as it came out of the codemod", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox.make({ networks: [{ network: "ethereum-mainnet" }] })
        const [node] = sandbox.network("ethereum-mainnet").nodes
        const [account] = sandbox.accounts
        const files = [{ path: "report.ts", text: report }]
        const project = yield* Effect.acquireRelease(
          Effect.sync(() => new UserProject(files)),
          (made) => Effect.sync(() => made[Symbol.dispose]())
        )
        const [file] = migrate(project.at(files), "@tatumio/tatum")
        expect(file?.text).not.toContain("@tatumio")
        const written = yield* Effect.promise(() =>
          output(file?.text ?? "", {
            ACCOUNT: account?.address ?? "",
            NODE: node?.url ?? "",
            TATUM_URL: `${sandbox.baseUrl}/v4/`
          })
        )
        expect(JSON.parse(written)).toEqual({
          balance: expect.stringMatching(/^\d{20,}$/),
          isBlock: true,
          chain: "1",
          rate: true
        })
      })
    )
  }
)
