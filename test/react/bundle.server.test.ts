// @vitest-environment node
/** The entry for server components: functions that run there, and references to all that runs in the browser. */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { build, type Plugin } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const run = promisify(execFile)

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "effect-chains-"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** The first statement of a module, comments left out. */
const firstOf = (text: string): string =>
  text.replace(/^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)+/, "").split(/[;\n]/, 1)[0] ?? ""

const isClient = (text: string): boolean => /^["']use client["']$/.test(firstOf(text))

/** As bundlers for server components do it: a module of the browser is nothing but references to what it exports. */
const references = (seen: Set<string>): Plugin => ({
  name: "client references",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.[jt]sx?$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      if (!isClient(text)) return undefined
      seen.add(path.slice(root.length))
      const { metafile } = await build({
        entryPoints: [path],
        write: false,
        outdir: "out",
        metafile: true,
        format: "esm"
      })
      const names = Object.values(metafile.outputs).flatMap(({ exports }) => exports)
      const contents = names
        .map(
          (name) => `const ${name} = () => { throw new Error("${name} was called on the server") }
          ${name}.$$typeof = "client"; export { ${name} }`
        )
        .join("\n")
      return { contents, loader: "js" }
    })
  }
})

describe("in server components", () => {
  it("answers are dehydrated, and hooks and providers are references", async () => {
    const seen = new Set<string>()
    const outfile = join(folder, "server.mjs")
    await build({
      stdin: {
        contents: `
          import { dehydrate, HydrationBoundary, initialValue, reactive, SdkProvider, useBalance, useWallet } from "./react/index.ts"
          import { Registry } from "@effect-rx/rx-react"
          const kinds = [HydrationBoundary, SdkProvider, useBalance, useWallet].map((each) => each.$$typeof)
          const value = initialValue("ethereum-mainnet", "rpc.getBalance", ["0x1"], 12n)
          console.log(JSON.stringify({ kinds, value, none: dehydrate(Registry.make()), reactive: typeof reactive }))`,
        resolveDir: root,
        loader: "ts"
      },
      absWorkingDir: root,
      bundle: true,
      format: "esm",
      platform: "node",
      conditions: ["react-server"],
      outfile,
      logLevel: "silent",
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);'
      },
      plugins: [references(seen)]
    })
    const { stdout } = await run(process.execPath, [outfile])
    expect(JSON.parse(stdout)).toEqual({
      kinds: ["client", "client", "client", "client"],
      value: { key: 'ethereum-mainnet rpc.getBalance ["0x1"]', value: '{"answer":"#12"}' },
      none: [],
      reactive: "function"
    })
    expect([...seen]).toEqual(expect.arrayContaining(["react/SdkProvider.tsx", "react/hooks.ts"]))
    expect([...seen]).not.toContain("react/index.ts")
    expect([...seen]).not.toContain("react/hydration.ts")
  })

  it("the directives come first in what is built, and nowhere else", async () => {
    const servers = ["index", "hydration", "Reactive", "values", "query"]
    const browsers = ["hooks", "SdkProvider"]
    // the compiler of the build, over these files alone: what they import has no say in where a directive stands
    const names = [...servers, ...browsers].map((name) =>
      join(root, "react", `${name}.${name === "SdkProvider" ? "tsx" : "ts"}`)
    )
    const project = join(folder, "tsconfig.json")
    const compilerOptions = {
      rootDir: root,
      outDir: folder,
      declaration: false,
      declarationMap: false,
      noCheck: true,
      noResolve: true,
      types: []
    }
    await writeFile(
      project,
      JSON.stringify({
        extends: join(root, "tsconfig.build.json"),
        compilerOptions,
        files: names,
        include: []
      })
    )
    await run(process.execPath, [join(root, "node_modules/ts7/bin/tsc"), "-p", project], {
      cwd: root,
      timeout: 300_000
    })
    const built = async (name: string): Promise<boolean> =>
      isClient(await readFile(join(folder, "react", `${name}.js`), "utf8"))
    expect(await Promise.all(browsers.map(built))).toEqual([true, true])
    expect(await Promise.all(servers.map(built))).toEqual(servers.map(() => false))
  })
})
