/**
 * `npm start -- --playground`: the page on a sandbox, until Ctrl-C. `--dev` serves the sources with hot reload instead of a
 * build, `--port=N` asks for a port.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { servePlayground } from "./playgroundServer.js"

const print = (line: string): boolean => process.stdout.write(`${line}\n`)

const playground = Effect.gen(function* () {
  const started = performance.now()
  const given = process.argv.find((argument) => argument.startsWith("--port="))?.slice("--port=".length)
  const { url } = yield* servePlayground({
    root: process.cwd(),
    build: !process.argv.includes("--dev"),
    ...(given === undefined ? {} : { port: Number(given) }),
    onProgress: (line) => print(`  ${line}`)
  })
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  print(`\nThe playground is at ${url} (after ${seconds} s). Ctrl-C ends it.`)
  return yield* Effect.never
}).pipe(Effect.scoped)

NodeRuntime.runMain(playground)
