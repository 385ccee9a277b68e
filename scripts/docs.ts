/**
 * The documentation site: `npm run docs:build` makes it, `npm run docs` shows it as it is edited. `--out=FOLDER` is another folder than
 * `docs/.vitepress/dist`, `--no-api` leaves out the pages of exports, which take half a minute when the sources have changed,
 * `--no-live` the answers of live examples, where no sandbox can be had.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { dirname, join } from "node:path"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { build, createServer } from "vitepress"
import { recording, type Source } from "../docs/.vitepress/live/answers.js"
import { run, told } from "../docs/.vitepress/live/program.js"
import { livePrograms } from "../docs/.vitepress/markdown.js"
import * as Sandbox from "../src/sandbox/index.js"

const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)

const root = "docs"
const api = join(root, "api")
const madeOf = "node_modules/.cache/effect-chains-api"

/** What the pages of exports are made from. */
const digest = (): string => {
  const hash = createHash("sha256").update(readFileSync(join(root, ".vitepress/typedoc.json")))
  for (const folder of ["src", "react"]) {
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
      if (/\.tsx?$/.test(file)) hash.update(file).update(readFileSync(join(folder, file)))
    }
  }
  return hash.digest("hex")
}

/** Makes the pages of exports by typedoc, unless they are those of these sources. */
const makeApi = (): void => {
  const now = digest()
  const isMade = existsSync(api) && existsSync(madeOf) && readFileSync(madeOf, "utf8") === now
  if (isMade) return
  process.stdout.write("Making the pages of exports …\n")
  rmSync(api, { recursive: true, force: true })
  const typedoc = "node_modules/typedoc/bin/typedoc"
  execFileSync(process.execPath, [typedoc, "--options", join(root, ".vitepress/typedoc.json")], {
    stdio: "inherit"
  })
  mkdirSync(dirname(madeOf), { recursive: true })
  writeFileSync(madeOf, now)
}

/** The sandbox of live examples, as the command line starts it. */
const sandboxed = Sandbox.make({ onProgress: (line) => process.stdout.write(`${line}\n`) })

/** What `live.json` says of a sandbox, or of what one has answered. */
const written = (source: Source): string => JSON.stringify(source)

/** Runs every live example of the pages on a sandbox; yields what that was asked and has answered. */
const record = Effect.gen(function* () {
  const { baseUrl, network } = yield* sandboxed
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

/** Makes the site, with answers for its live examples. */
const make = Effect.gen(function* () {
  const outDir = option("out") ?? join(root, ".vitepress/dist")
  const recorded = process.argv.includes("--no-live") ? undefined : yield* record
  yield* Effect.promise(() => build(root, { outDir }))
  if (recorded !== undefined) writeFileSync(join(outDir, "live.json"), written({ recorded }))
})

/** Shows the site over a sandbox, until it is ended. */
const serve = Effect.gen(function* () {
  const { baseUrl } = yield* sandboxed
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => createServer(root, { port: Number(option("port") ?? 5173) })),
    (server) => Effect.promise(() => server.close())
  )
  // before the middleware that answers everything with a page
  server.middlewares.stack.unshift({
    route: "/live.json",
    handle: (_: IncomingMessage, response: ServerResponse) => {
      response.setHeader("content-type", "application/json")
      response.end(written({ sandbox: baseUrl }))
    }
  })
  yield* Effect.promise(() => server.listen())
  server.printUrls()
  return yield* Effect.never
}).pipe(Effect.scoped)

if (process.argv.includes("--no-api")) rmSync(api, { recursive: true, force: true })
else makeApi()

NodeRuntime.runMain<unknown, unknown>(process.argv[2] === "build" ? make : serve)
