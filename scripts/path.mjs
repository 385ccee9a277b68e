/**
 * Reports the files that a call passes, from the promise to the socket and back: `node scripts/path.mjs`. A file counts
 * if its code runs (by the engine's coverage of one warm call). A file with a single importer counts as part of that
 * importer. The report sets no limit.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"
import ts from "typescript"

const root = fileURLToPath(new URL("..", import.meta.url))

const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !file.startsWith("sandbox")
)

/** The files whose values a file imports. */
const importsOf = (file) => {
  const text = readFileSync(join(root, "src", file), "utf8")
  const { importedFiles } = ts.preProcessFile(text, true, true)
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const types = new Set(
    source.statements.flatMap((statement) =>
      (ts.isExportDeclaration(statement) &&
        statement.isTypeOnly &&
        statement.moduleSpecifier !== undefined) ||
      (ts.isImportDeclaration(statement) &&
        (statement.importClause?.isTypeOnly === true ||
          (statement.importClause?.namedBindings !== undefined &&
            ts.isNamedImports(statement.importClause.namedBindings) &&
            statement.importClause.namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly))))
        ? [statement.moduleSpecifier.text]
        : []
    )
  )
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => name.startsWith(".") && !types.has(name))
    .map((name) => join(dirname(file), name).replace(/\.js$/, ".ts"))
}

const importers = new Map(files.map((file) => [file, []]))
for (const file of files) for (const other of importsOf(file)) importers.get(other)?.push(file)

/** The files whose code runs in one call. */
const findPassedFiles = async (out) => {
  globalThis.fetch = async (_, { body }) => {
    const { id, method } = JSON.parse(body)
    const result = method === "eth_chainId" ? "0x1" : "0x2a"
    return new Response(JSON.stringify({ jsonrpc: "2.0", id, result }))
  }
  const { init } = await import(pathToFileURL(join(out, "entries/Ethereum.js")).href)
  const sdk = await init({
    network: "ethereum-mainnet",
    apiKey: "none",
    rpc: { nodes: [{ url: "https://a.example" }, { url: "https://b.example" }] }
  })
  const call = () => sdk.rpc.getBalance("0x0000000000000000000000000000000000000001")
  await call()
  // waits for the first health checks
  await new Promise((resolve) => setTimeout(resolve, 200))
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
  for (let i = 0; i < 20; i++) await call()
  await session.post("Profiler.takePreciseCoverage")
  await call()
  const { result } = await session.post("Profiler.takePreciseCoverage")
  await sdk.destroy()
  return result
    .filter(({ url }) => url.startsWith(pathToFileURL(out).href))
    .filter(({ functions }) => functions.some(({ ranges: [whole] }) => whole.count > 0))
    .map(({ url }) => relative(out, fileURLToPath(url)).replace(/\.js$/, ".ts"))
}

const cache = join(root, "node_modules", ".cache")
mkdirSync(cache, { recursive: true })
const out = mkdtempSync(join(cache, "path-"))
try {
  await build({
    entryPoints: files.map((file) => join(root, "src", file)),
    outbase: join(root, "src"),
    outdir: out,
    format: "esm",
    target: "es2022",
    logLevel: "silent"
  })
  const entered = await findPassedFiles(out)
  const parts = entered.filter((file) => importers.get(file)?.length === 1)
  const own = entered.filter((file) => !parts.includes(file))
  for (const file of own.sort()) {
    const within = parts.filter((part) => importers.get(part)?.[0] === file)
    process.stdout.write(`${file}${within.length === 0 ? "" : ` (with ${within.join(", ")})`}\n`)
  }
  process.stdout.write(`a call passes ${own.length} files, and ${parts.length} that belong to one of them\n`)
} finally {
  rmSync(out, { recursive: true, force: true })
}
