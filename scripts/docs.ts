/**
 * Builds the documentation site (`npm run docs:build`), or serves it while it is edited (`npm run docs`).
 * `--out=FOLDER` changes the folder from `docs/.vitepress/dist`. `--no-api` skips the pages of exports, which take half
 * a minute after a change of the sources. `--no-live` skips the answers of live examples, which need a sandbox.
 */
import { execFile } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { join } from "node:path"
import { promisify } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { build, createServer } from "vitepress"
import { recording, type Source } from "../docs/.vitepress/live/answers.js"
import { run, told } from "../docs/.vitepress/live/program.js"
import { livePrograms } from "../docs/.vitepress/markdown.js"
import * as Sandbox from "../src/sandbox/index.js"

const readOption = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)

const root = "docs"
/** Makes the pages of exports in a process of its own, so that the sandbox can answer meanwhile. */
const makeApi = process.argv.includes("--no-api")
  ? Effect.void
  : Effect.promise(async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        "scripts/run.mjs",
        "scripts/exports.ts"
      ])
      process.stdout.write(stdout)
    })

/** Starts the sandbox of live examples, as the command line does. */
const startSandbox = Sandbox.make({ onProgress: (line) => process.stdout.write(`${line}\n`) })

/** The content of `live.json`: a sandbox, or the answers of one. */
const formatSource = (source: Source): string => JSON.stringify(source)

/** Runs every live example of the pages on a sandbox. Yields the requests and answers. */
const recordExamples = Effect.gen(function* () {
  const { baseUrl, network } = yield* startSandbox
  const urls = network("ethereum-mainnet").urls.map((url) => [url, "ethereum-mainnet"])
  const { fetch, recorded } = recording(globalThis.fetch, baseUrl, Object.fromEntries(urls))
  for (const page of readdirSync(root).filter((name) => name.endsWith(".md"))) {
    for (const program of livePrograms(readFileSync(join(root, page), "utf8"))) {
      yield* Effect.tryPromise({
        try: () => run(program, { provider: baseUrl, fetch }, () => {}),
        catch: (error) => new Error(`${page}: ${told(error)}\n\n${program}`)
      })
    }
  }
  return recorded()
}).pipe(Effect.scoped)

/** Builds the site, with the answers of its live examples. */
const makeSite = Effect.gen(function* () {
  const outDir = readOption("out") ?? join(root, ".vitepress/dist")
  const recording = process.argv.includes("--no-live") ? Effect.void : recordExamples
  const [recorded] = yield* Effect.all([recording, makeApi], { concurrency: 2 })
  yield* Effect.promise(() => build(root, { outDir }))
  if (recorded !== undefined) writeFileSync(join(outDir, "live.json"), formatSource({ recorded }))
})

/** Serves the site over a sandbox, until it is ended. */
const serveSite = Effect.gen(function* () {
  yield* makeApi
  const { baseUrl } = yield* startSandbox
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => createServer(root, { port: Number(readOption("port") ?? 5173) })),
    (server) => Effect.promise(() => server.close())
  )
  // before the middleware that answers every request with a page
  server.middlewares.stack.unshift({
    route: "/live.json",
    handle: (_: IncomingMessage, response: ServerResponse) => {
      response.setHeader("content-type", "application/json")
      response.end(formatSource({ sandbox: baseUrl }))
    }
  })
  yield* Effect.promise(() => server.listen())
  server.printUrls()
  return yield* Effect.never
}).pipe(Effect.scoped)

NodeRuntime.runMain<unknown, unknown>(process.argv[2] === "build" ? makeSite : serveSite)
