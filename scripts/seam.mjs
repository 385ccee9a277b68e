/**
 * The narrow seam to Effect: files in the path of a call use these functions of it and no others, so that another runtime can
 * stand in for them. Types are free.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const root = fileURLToPath(new URL("..", import.meta.url))

/** The path of a call, from the client's method to the socket. */
const path = ["data", "wire", "http", "transport", "balancer", "client"]

/** Files of those folders that are not on the path of a Promise app. */
const besides = {
  "src/data/SdkErrorSchema.ts": "schemas of errors, for Effect apps that import them",
  "src/data/exactly.ts": "the language of those schemas",
  "src/client/Sdk.ts": "the Effect surface: layers and streams",
  "src/client/Transport.ts": "a layer of the Effect surface",
  "src/client/Polling.ts": "it repeats whole calls, for whoever asks for that",
  "src/client/iterator.ts": "it runs streams, and is loaded with the first"
}

/** Files that read a clock of their own. All others have Effect's clock and randomness, so that tests rule both. */
const clocks = {
  "src/http/cors.ts":
    "what is known of an origin is the page's: clients share it, each of which has its own clock"
}

/** Modules that stand beside the path, and the files that may use them: layers, metrics, spans, streams, amounts for users. */
const edges = {
  "src/data/Units.ts": ["Option"],
  // other ways to send requests than that of the lean surface
  "src/http/Http.ts": ["Effect", "Layer", "Option", "Stream"],
  "src/balancer/NodePool.ts": ["Layer"],
  "src/balancer/Changes.ts": ["Chunk", "Layer", "Mailbox", "Stream"],
  "src/balancer/Observation.ts": ["Metric", "MetricBoundaries", "MetricLabel"],
  // loaded with the Effect surface alone
  "src/transport/Spans.ts": ["Effect", "Tracer"],
  "src/transport/ClientSpans.ts": ["Effect"]
}

const seam = {
  Cause: ["failureOrCause", "isInterruptedOnly", "squash"],
  Clock: ["Clock", "ClockTypeId"],
  Context: ["Reference", "Tag", "add", "get", "make", "merge"],
  Data: ["TaggedError"],
  DefaultServices: ["liveServices"],
  Duration: ["toMillis"],
  Effect: `
    acquireRelease addFinalizer as async catchAll catchAllCause clock clockWith ensuring fail flatMap
    forEach fork forkIn gen interrupt isEffect makeLatch map mapError mapInputContext match matchCauseEffect matchEffect
    never onExit provideService raceFirst retry runFork runPromiseExit runSync runtime scope
    sleep succeed suspend sync timeoutFail try tryPromise void withClock withFiberRuntime zipRight`
    .trim()
    .split(/\s+/),
  Either: ["isEither", "isLeft", "isRight", "left", "map", "match", "right"],
  Exit: ["fail", "failCause", "interrupt", "isFailure", "isSuccess", "succeed", "void"],
  Fiber: ["interrupt", "interruptAll", "interruptFork", "join"],
  Random: ["next", "nextInt"],
  Runtime: ["runFork"],
  Schedule: ["driver", "forever", "modifyDelayEffect", "recurs", "spaced"],
  Scope: ["Scope", "close", "make"],
  Utils: ["PCGRandom"]
}

const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file).split(sep).join("/"))

const parse = (file) =>
  ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true)

const lineOf = (source, node) => source.getLineAndCharacterOfPosition(node.getStart()).line + 1

/** Members of Effect's modules that a file uses as values, each with its line. */
const usesIn = (file) => {
  const source = parse(file)
  const modules = new Map()
  const found = []
  const use = (module, member, node) => found.push({ module, member, line: lineOf(source, node) })
  const visit = (node) => {
    if (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly === false) {
      const name = /^effect\/(\w+)$/.exec(node.moduleSpecifier.text)?.[1]
      const bindings = node.importClause.namedBindings
      if (name !== undefined && bindings !== undefined && ts.isNamespaceImport(bindings))
        modules.set(bindings.name.text, name)
      else if (name !== undefined && bindings !== undefined)
        for (const element of bindings.elements)
          if (!element.isTypeOnly) use(name, (element.propertyName ?? element.name).text, element)
    }
    if (
      ts.isPropertyAccessExpression(node) &&
      ts.isIdentifier(node.expression) &&
      modules.has(node.expression.text)
    )
      use(modules.get(node.expression.text), node.name.text, node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The places in which a file reads the time or draws a number by itself. */
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

const used = new Set()
let problems = 0
const complain = (line) => {
  problems += 1
  process.stderr.write(`${line}\n`)
}
for (const file of path.flatMap((folder) => filesIn(`src/${folder}`)).filter((file) => !(file in besides))) {
  for (const { line, member, module } of usesIn(file)) {
    if (edges[file]?.includes(module) === true) continue
    used.add(`${module}.${member}`)
    if (seam[module]?.includes(member) !== true)
      complain(`${file}:${line} ${module}.${member} is not on the seam's list (scripts/seam.mjs)`)
  }
}
for (const [module, members] of Object.entries(seam)) {
  for (const member of members)
    if (!used.has(`${module}.${member}`)) complain(`${module}.${member} is on the seam's list, and not used`)
}
for (const file of filesIn("src").filter((file) => !(file in clocks) && !file.startsWith("src/sandbox/"))) {
  for (const { line, what } of ownClocksIn(file))
    complain(
      `${file}:${line} ${what}: time and chance are those of Effect's Clock and Random (scripts/seam.mjs)`
    )
}
process.stdout.write(`the seam to Effect has ${used.size} functions\n`)
process.exitCode = problems === 0 ? 0 : 1
