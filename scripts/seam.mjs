/**
 * The narrow seam to Effect: what lies in the path of a call uses these functions of it and no others, so that another
 * runtime can stand in for them. Types are free.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const root = fileURLToPath(new URL("..", import.meta.url))

/** The path of a call, from the client's method to the socket. */
const path = ["data", "wire", "http", "transport", "balancer"]

/** Modules that stand beside the path, and the files that may use them: layers, metrics, spans, streams, amounts for users. */
const edges = {
  "src/data/Units.ts": ["Option"],
  // other ways to send than the one of the lean surface
  "src/http/Http.ts": ["Effect", "Layer", "Option", "Stream"],
  "src/balancer/Balancer.ts": ["Layer"],
  "src/balancer/Changes.ts": ["Chunk", "Layer", "Mailbox", "Stream"],
  "src/balancer/Observation.ts": ["Metric", "MetricBoundaries", "MetricLabel", "Tracer"]
}

const seam = {
  Cause: ["failureOrCause"],
  Clock: ["Clock", "ClockTypeId"],
  Context: ["Reference", "Tag", "add", "get", "make"],
  Data: ["TaggedError"],
  DefaultServices: ["liveServices"],
  Duration: ["toMillis"],
  Effect: `
    acquireRelease addFinalizer as async catchAll catchAllCause clock clockWith either ensuring fail
    flatMap forEach fork forkIn gen interrupt makeLatch map mapError match matchEffect never onExit promise
    provideService raceFirst retry runtime scope sleep succeed suspend sync timeoutFail tracerWith try
    tryPromise void withClock withSpan zipRight`
    .trim()
    .split(/\s+/),
  Either: ["isLeft", "isRight", "left", "map", "match", "right"],
  Exit: ["fail", "failCause", "isFailure", "isSuccess", "succeed"],
  Fiber: ["interrupt", "interruptAll", "interruptFork", "join"],
  Random: ["next", "nextInt"],
  Runtime: ["runFork"],
  Schedule: ["driver", "forever", "modifyDelayEffect", "recurs", "spaced"],
  Utils: ["PCGRandom"]
}

const filesIn = (folder) =>
  readdirSync(join(root, "src", folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `src/${folder}/${file}`)

/** Members of Effect's modules that a file uses as values, each with its line. */
const usesIn = (file) => {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), "utf8"),
    ts.ScriptTarget.Latest,
    true
  )
  const modules = new Map()
  const found = []
  const use = (module, member, node) =>
    found.push({ module, member, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 })
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

const used = new Set()
let problems = 0
const complain = (line) => {
  problems += 1
  process.stderr.write(`${line}\n`)
}
for (const file of path.flatMap(filesIn)) {
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
process.stdout.write(`the seam to Effect has ${used.size} functions\n`)
process.exitCode = problems === 0 ? 0 : 1
