/**
 * Checks the seam to Effect. Files in the path of a call use only the functions of Effect that the lean runtime
 * (`src/lean`) has, and the lean runtime has no others. Types are not limited.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { filesIn, modules, usedIn, usesIn } from "./lean.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))

/** The path of a call, from the client's method to the socket. */
const path = ["data", "wire", "http", "transport", "balancer", "client"]

/** Files in those folders that are not in the path of a Promise application. */
const besides = {
  "src/data/SdkErrorSchema.ts": "schemas of errors, for Effect apps that import them",
  "src/data/exactSchema.ts": "the language of those schemas",
  "src/client/Sdk.ts": "the Effect surface: layers and streams",
  "src/client/callScope.ts": "the Effect surface: the Promise surface ends its calls by itself",
  "src/client/forks.ts": "the fibers of those calls",
  "src/client/Quota.ts": "a metric and a layer of the Effect surface",
  "src/client/Transport.ts": "a layer of the Effect surface"
}

/** Files that read the system's clock. All others use Effect's clock and randomness, so that tests control both. */
const clocks = {
  "src/http/cors.ts":
    "what is known of an origin is the page's: clients share it, each of which has its own clock"
}

/** Modules outside of the path, and the files that may use them: layers, metrics, spans, streams, amounts for users. */
const edges = {
  "src/data/Units.ts": ["Option"],
  // other ways to send requests than the lean surface's
  "src/http/Http.ts": ["Effect", "Fiber", "Layer", "Option", "Stream"],
  "src/http/layers.ts": ["Effect", "Layer"],
  "src/balancer/NodePool.ts": ["Layer"],
  "src/balancer/Changes.ts": ["Chunk", "Layer", "Mailbox", "Stream"],
  "src/balancer/Metrics.ts": ["Metric", "MetricBoundaries"],
  "src/balancer/metricRecorder.ts": ["MetricLabel"],
  // loaded with the Effect surface only
  "src/transport/Spans.ts": ["Effect", "Tracer"],
  "src/transport/ClientSpans.ts": ["Effect"]
}

const parse = (file) =>
  ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true)

const lineOf = (source, node) => source.getLineAndCharacterOfPosition(node.getStart()).line + 1

/** The places where a file itself reads the time or draws a random number. */
const ownClocksIn = (file) => {
  const source = parse(file)
  const found = []
  const visit = (node) => {
    const text = ts.isPropertyAccessExpression(node) ? node.getText() : undefined
    if (
      text === "Date.now" ||
      text === "performance.now" ||
      text === "Math.random" ||
      (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length)
    )
      found.push({ what: text ?? "new Date()", line: lineOf(source, node) })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

let problems = 0
const complain = (line) => {
  problems += 1
  process.stderr.write(`${line}\n`)
}
for (const file of path
  .flatMap((folder) => filesIn(`src/${folder}`))
  .filter((file) => !(file in besides || file.endsWith(".effect4.ts")))) {
  for (const { line, member, module } of usesIn(file)) {
    if (edges[file]?.includes(module) === true) continue
    if (modules().get(module)?.has(member) !== true)
      complain(`${file}:${line} ${module}.${member} is not in the lean runtime (src/lean/${module}.ts)`)
  }
}
let functions = 0
for (const [module, members] of modules()) {
  for (const member of members) {
    functions += 1
    if (!usedIn(module, member)) complain(`${module}.${member} is in the lean runtime, and not used`)
  }
}
for (const file of filesIn("src").filter(
  (file) => !(file in clocks) && !/^src\/(sandbox|lean)\//.test(file)
)) {
  for (const { line, what } of ownClocksIn(file))
    complain(
      `${file}:${line} ${what}: time and chance are those of Effect's Clock and Random (scripts/seam.mjs)`
    )
}
process.stdout.write(`the seam to Effect has ${functions} functions\n`)
process.exitCode = problems === 0 ? 0 : 1
