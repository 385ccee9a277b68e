/** The program of docs/effect-4.md, which differs by its first lines: it compiles and runs on both versions of Effect. */
import { execFile, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { type RolldownOptions, rolldown } from "rolldown"
import { afterAll, expect, it } from "vitest"
import { rollup } from "../scripts/effect4.mjs"
import { readPage } from "./pages.js"

const root = join(import.meta.dirname, "..")
const folder = mkdtempSync(join(root, "node_modules", ".effect4-"))
afterAll(() => rmSync(folder, { recursive: true }))

const { text } = readPage("docs/effect-4.md")
const blockOf = (name: string): string =>
  new RegExp(`^\`\`\`ts ${name}\n([\\s\\S]*?)^\`\`\`$`, "m").exec(text)?.[1] ?? ""

const four = blockOf("effect4")
/** The lines that the page shows for Effect 3 stand for those of the same names. */
const three = blockOf("effect3")
  .split("\n")
  .filter((line) => line !== "")
  .reduce((program, line) => {
    const name = /^(?:import (.+?) from|const (\w+))/.exec(line)?.slice(1).find(Boolean) ?? ""
    const old = program
      .split("\n")
      .find((each) => each.startsWith(line.startsWith("const") ? `const ${name} ` : `import ${name} from`))
    return old === undefined ? `${line}\n${program}` : program.replace(old, line)
  }, four)

const shown = /It prints `([^`]+)`/.exec(text)?.[1]

const compile = (name: string, program: string, config: object): string => {
  writeFileSync(join(folder, `${name}.ts`), program)
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(config))
  return spawnSync(
    process.execPath,
    [join(root, "scripts/compile.mjs"), "--pretty", "false", "-p", join(folder, `${name}.json`)],
    {
      cwd: root,
      encoding: "utf8"
    }
  ).stdout
}

const options = {
  noEmit: true,
  declaration: false,
  declarationMap: false,
  sourceMap: false,
  emitDeclarationOnly: false
}

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: ReadonlyArray<{
    readonly key: string
    readonly value: { readonly stringValue?: string }
  }>
}

/** A collector of OpenTelemetry on loopback. */
const startCollector = async () => {
  const spans: Array<Span> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("end", () => {
      if (request.url === "/v1/traces") {
        const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString())
        for (const { scopeSpans } of resourceSpans) for (const each of scopeSpans) spans.push(...each.spans)
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // a server that listens has a port
  const { port } = server.address() as AddressInfo
  return { spans, server, url: `http://127.0.0.1:${port}` }
}

const execute = promisify(execFile)

/** Runs the program over the sources, which are bundled with it: what it prints, and the spans that it sends. */
const run = async (name: string, entry: string, plugins: RolldownOptions["plugins"]) => {
  const bundle = await rolldown({
    input: join(folder, `${name}.ts`),
    platform: "node",
    plugins,
    tsconfig: false,
    resolve: { alias: { [entry]: join(root, "src/index.ts") }, extensionAlias: { ".js": [".ts", ".js"] } }
  })
  await bundle.write({ dir: join(folder, name), format: "esm" })
  const { server, spans, url } = await startCollector()
  try {
    const { stderr, stdout } = await execute(process.execPath, [join(folder, name, `${name}.js`)], {
      env: { PATH: process.env.PATH, OTEL_EXPORTER_OTLP_ENDPOINT: url }
    })
    return { printed: `${stdout}${stderr}`.trim(), spans }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** The calls of both networks inside the span of the program. */
const tracesOf = (spans: ReadonlyArray<Span>) => {
  const [root] = spans.filter(({ name }) => name === "heights")
  return spans
    .filter(({ parentSpanId, traceId }) => parentSpanId === root?.spanId && traceId === root?.traceId)
    .map(({ attributes, name }) => {
      const network = attributes.find(({ key }) => key === "effect_chains.network")?.value.stringValue
      return `${name} of ${network}`
    })
    .sort()
}

const traced = [
  ...Array.from({ length: 3 }, () => "eth_blockNumber of polygon-mainnet"),
  "eth_getBalance of ethereum-mainnet"
]

it("differs by its first lines alone", () => {
  expect(shown).toBeDefined()
  const body = (program: string): string => program.slice(program.indexOf("class Ethereum"))
  expect(body(three)).toBe(body(four))
  expect(three).toContain('from "effect-chains"')
  expect(four.split("\n").length).toBeLessThan(68)
})

it("compiles and runs on Effect 3", async () => {
  const paths = { "effect-chains": [join(root, "src/index.ts")] }
  expect(
    compile("three", three, {
      extends: join(root, "tsconfig.build.json"),
      compilerOptions: { ...options, paths },
      files: ["three.ts"],
      include: [],
      exclude: []
    })
  ).toBe("")
  const { printed, spans } = await run("three", "effect-chains", [])
  expect(printed).toBe(shown)
  expect(tracesOf(spans)).toEqual(traced)
})

it("compiles and runs on Effect 4", async () => {
  const installed = join(root, "node_modules/effect4/dist")
  const paths = {
    "effect-chains/effect4": [join(root, "src/index.ts")],
    ...Object.fromEntries(
      ["http", "observability", "testing"].map((part) => [
        `effect/${part}/*`,
        [`${installed}/${part}/*.d.ts`]
      ])
    ),
    "@effect/platform/*": [join(root, "src/effect4/platform/*.ts"), `${installed}/http/*.d.ts`],
    "effect/*": [join(root, "src/effect4/*.ts"), `${installed}/*.d.ts`]
  }
  expect(
    compile("four", four, {
      extends: join(root, "tsconfig.effect4.json"),
      compilerOptions: { ...options, paths },
      files: ["four.ts"],
      include: [],
      exclude: []
    })
  ).toBe("")
  const own = {
    name: "own",
    resolveId: (id: string, importer = "") =>
      importer.endsWith("four.ts") && /^effect\//.test(id)
        ? join(installed, `${id.slice("effect/".length)}.js`)
        : null
  }
  const { printed, spans } = await run("four", "effect-chains/effect4", [
    own,
    rollup((path: string) => join(installed, `${path}.js`))
  ])
  expect(printed).toBe(shown)
  expect(tracesOf(spans)).toEqual(traced)
})
