/**
 * `npm start -- --playground` serves the page on a sandbox until Ctrl-C. `--dev` serves the sources with hot reload
 * instead of a build, `--port=N` chooses a port, and `--network-file=FILE` adds networks: a definition as JSON, or a
 * list of them.
 */
import { readFileSync } from "node:fs"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { parseDefinition } from "../src/config/defineNetwork.js"
import { servePlayground } from "./playgroundServer.js"

const print = (line: string): boolean => process.stdout.write(`${line}\n`)

const readOption = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)

const runPlayground = Effect.gen(function* () {
  const started = performance.now()
  const given = readOption("port")
  const file = readOption("network-file")
  const networks: unknown = file === undefined ? [] : JSON.parse(readFileSync(file, "utf8"))
  const { url } = yield* servePlayground({
    root: process.cwd(),
    build: !process.argv.includes("--dev"),
    networks: [networks].flat().map(parseDefinition),
    ...(given === undefined ? {} : { port: Number(given) }),
    onProgress: (line) => print(`  ${line}`)
  })
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  print(`\nThe playground is at ${url} (after ${seconds} s). Ctrl-C ends it.`)
  return yield* Effect.never
}).pipe(Effect.scoped)

NodeRuntime.runMain(runPlayground)
