/**
 * Makes a digest of answers from the help of a node of Bitcoin's family: the results that `help METHOD` lists, as
 * kinds, fields and optionality. No sentence of it is kept. It starts the node on loopback, with a folder of its own.
 *
 *     node scripts/run.mjs scripts/help.ts [--check]
 *
 * `--check` compares the digest with the repository's, and writes nothing.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { endpoints } from "../src/chains/Bitcoin.js"
import { answers, start } from "../test/nodes/process.js"
import { walk } from "../test/specs/tables.js"
import { formatDigest } from "./digests.js"
import { find, remedy } from "./nodes.mjs"

interface JsonKind {
  readonly type?: string | ReadonlyArray<string>
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, JsonKind>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: JsonKind
  readonly items?: JsonKind
  readonly anyOf?: ReadonlyArray<JsonKind>
}

/** A line of a result: `"name" : value, (kind, optional) words`. */
interface ResultLine {
  readonly name: string | undefined
  /** The text before the words: `{`, `]`, `...`, or a value. */
  readonly mark: string
  readonly kind: string
  readonly isOptional: boolean
  readonly words: string
}

/** Words for a field that not every answer has. Old help texts say it only there. */
const OPTIONAL_WORDS =
  /\bonly (present|returned|available|appears|if|for|when)\b|\bnot returned\b|\bif (any|there|available|non-zero|key is not|one)\b|\bshown only\b|\bDEPRECATED, returned\b/i

const RESULT_ROW = /^(?:"([^"]+)" : )?(\S.*?)(?: {2,}(?:\(([^()]*)\))? ?(.*))?$/

const parseLine = (text: string): ResultLine | undefined => {
  const [, name, mark, given = "", words = ""] = RESULT_ROW.exec(text.trim()) ?? []
  if (mark === undefined) return undefined
  const [kind = "", ...flags] = given.split(", ")
  return {
    name,
    mark: mark.replace(/,$/, ""),
    kind,
    isOptional: flags.includes("optional") || OPTIONAL_WORDS.test(words),
    words
  }
}

/** The lines of one result. A continuation line has no mark of its own. */
const parseLines = (text: string): ReadonlyArray<ResultLine> => {
  const column = Math.max(
    ...text
      .split("\n")
      .map((line) => /^(.*? {2,})\((?:string|numeric|boolean|json)/.exec(line)?.[1]?.length ?? 0)
  )
  return text.split("\n").flatMap((line) => {
    const indent = line.length - line.trimStart().length
    if (line.trim() === "" || (column > 0 && indent >= column)) return []
    const found = parseLine(line)
    return found === undefined ? [] : [found]
  })
}

const SIMPLE_TYPES: Readonly<Record<string, string>> = {
  string: "string",
  numeric: "number",
  boolean: "boolean",
  "json null": "null",
  null: "null"
}

const parseTypes = (kind: string): JsonKind => {
  const types = kind.split(" or ").flatMap((each) => SIMPLE_TYPES[each] ?? [])
  const [only] = types
  return only === undefined ? {} : { type: types.length === 1 ? only : types }
}

/** The kind of one result of a method. `others` yields the objects of other methods' answers. */
const parseResult = (text: string, others: (method: string) => JsonKind | undefined): JsonKind => {
  const lines = parseLines(text)
  let at = 0
  /** The object of another method's answer that a line refers to. */
  const findNamedObject = (words: string): JsonKind | undefined =>
    words
      .split(/[^a-z]+/)
      .map(others)
      .find((found) => found !== undefined)
  const value = (line: ResultLine): JsonKind =>
    line.mark === "{" ? object() : line.mark === "[" ? array() : parseTypes(line.kind)
  const array = (): JsonKind => {
    const items: Array<JsonKind> = []
    for (let line = lines[at++]; line !== undefined && line.mark !== "]"; line = lines[at++])
      if (line.mark !== "...") items.push(value(line))
    return { type: "array", ...(items.length === 0 ? {} : { items: uniteKinds(items) }) }
  }
  const object = (): JsonKind => {
    const properties: Record<string, JsonKind> = {}
    const required: Array<string> = []
    let isOpen = false
    let same: JsonKind | undefined
    for (let line = lines[at++]; line !== undefined && line.mark !== "}"; line = lines[at++]) {
      if (line.mark === "...") {
        isOpen = true
        same = findNamedObject(line.words)
        continue
      }
      if (line.name === undefined) throw new Error(`no name: ${line.mark}`)
      const known = properties[line.name]
      const kind = value(line)
      properties[line.name] = known === undefined ? kind : uniteKinds([known, kind])
      if (!line.isOptional) required.push(line.name)
    }
    const kinds = Object.values(properties)
    if (same !== undefined)
      return kinds.length === 0 ? same : { ...same, properties: { ...same.properties, ...properties } }
    if (isOpen && kinds.length <= 1)
      return { type: "object", ...(kinds[0] === undefined ? {} : { additionalProperties: kinds[0] }) }
    return { type: "object", properties, required }
  }
  const first = lines[at++]
  return first === undefined ? {} : value(first)
}

const uniteKinds = (kinds: ReadonlyArray<JsonKind>): JsonKind => {
  const [first = {}, ...more] = [...new Map(kinds.map((kind) => [JSON.stringify(kind), kind])).values()]
  return more.length === 0 ? first : { anyOf: [first, ...more] }
}

/** The texts of the results in a method's help. */
const findResults = (help: string): ReadonlyArray<string> => {
  const [, ...parts] = help.split(/^Result[^\n]*:\n/m)
  return parts.map((part) => part.split(/\n\n/)[0] ?? "")
}

const command = find("litecoind")
if (command === undefined) throw new Error(`litecoind is not installed (${remedy("litecoind")})`)
const authorization = `Basic ${Buffer.from("help:help").toString("base64")}`
const node = await start({
  command,
  args: (port, folder) => [
    "-regtest",
    `-datadir=${folder}`,
    "-server",
    "-rpcuser=help",
    "-rpcpassword=help",
    `-rpcport=${port}`,
    "-rpcbind=127.0.0.1",
    "-rpcallowip=127.0.0.1",
    "-listen=0",
    "-dnsseed=0",
    "-printtoconsole=0"
  ],
  ready: answers("getblockchaininfo", { authorization })
})

const askNode = async (method: string, ...params: ReadonlyArray<unknown>): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: "1.0", id: 1, method, params })
  const response = await fetch(node.url, { method: "POST", headers: { authorization }, body })
  const answer: unknown = await response.json()
  return typeof answer === "object" && answer !== null && "result" in answer ? answer.result : undefined
}

try {
  const names = [...new Set(walk(endpoints).methods.map(({ spec }) => spec.method))].sort()
  const helps = new Map<string, string>()
  for (const name of names) {
    const help = await askNode("help", name)
    if (typeof help === "string" && help.startsWith(name)) helps.set(name, help)
  }
  const objects = new Map<string, JsonKind | undefined>()
  /** The object of a method's answer, the last of several. */
  const objectOf = (method: string): JsonKind | undefined => {
    if (objects.has(method) || !helps.has(method)) return objects.get(method)
    objects.set(method, undefined)
    const found = kindsOf(method).findLast(({ type }) => type === "object")
    objects.set(method, found)
    return found
  }
  const kindsOf = (method: string): ReadonlyArray<JsonKind> => {
    const kinds: Array<JsonKind> = []
    // "the same as with verbosity 1" refers to the result above
    for (const text of findResults(helps.get(method) ?? ""))
      kinds.push(
        parseResult(text.replace("Same output as verbosity", `${method} as verbosity`), (other) =>
          other === method ? kinds.find(({ type }) => type === "object") : objectOf(other)
        )
      )
    return kinds
  }
  const methods = [...helps.keys()].flatMap((name) => {
    const kinds = kindsOf(name)
    return kinds.length === 0 ? [] : [{ name, params: [], result: uniteKinds(kinds) }]
  })
  const network = await askNode("getnetworkinfo")
  const version = typeof network === "object" && network !== null ? Reflect.get(network, "subversion") : ""
  const file = "test/specs/digests/help-litecoind.json"
  const text = formatDigest({
    source: "Litecoin Core, by its own help",
    version: String(version).replaceAll("/", ""),
    operations: [],
    methods,
    types: []
  })
  if (!process.argv.includes("--check")) writeFileSync(file, text)
  else if (readFileSync(file, "utf8") !== text) throw new Error(`${file} differs from the help of the node`)
} finally {
  await node.stop()
}
