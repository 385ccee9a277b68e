// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import ts from "typescript"
import { beforeAll, describe, expect, it } from "vitest"
import { type ExampleContext, makeInitialTexts } from "../../react/playground/console/examples.js"
import type { Method } from "../../react/playground/console/model.js"
import { parseArguments } from "../../react/playground/console/values.js"
import { type HookName, makeSnippets, type SnippetSubject } from "../../react/playground/snippets/generate.js"
import { formatLiteral, formatLiterals } from "../../react/playground/snippets/literal.js"
import { cachedMethods } from "../../scripts/methods.js"
import { supports } from "../../src/data/Coverage.js"
import { info, type Network } from "../../src/data/Network.js"
import { defineNetwork } from "../../src/define.js"
import { catalogue, type Services } from "../../src/services/Services.js"
import { type Block, compile, type Problem } from "../pages.js"

const root = dirname(dirname(import.meta.dirname))
const playground = join(root, "react", "playground")
const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const other = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

/** The values of names in the arguments of panels. A panel that uses another name adds it here. */
const examples: Readonly<Record<string, unknown>> = {
  PAGE_SIZE: 10,
  address: account,
  base: "EUR",
  kind: "addressEvent",
  network: "ethereum-mainnet",
  sample: account,
  symbol: "ETH",
  to: other,
  url: "http://127.0.0.1:8080/inbox",
  value: 1_500_000_000_000_000_000n
}

/** The value of an expression that is data but for the names above; of a choice, the last one. */
const valueOf = (node: ts.Expression): unknown => {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isNumericLiteral(node)) return Number(node.text)
  if (ts.isBigIntLiteral(node)) return BigInt(node.text.slice(0, -1))
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return valueOf(node.expression)
  if (ts.isConditionalExpression(node)) return valueOf(node.whenFalse)
  if (ts.isBinaryExpression(node)) return valueOf(node.left)
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(valueOf)
  if (ts.isObjectLiteralExpression(node)) {
    return Object.fromEntries(
      node.properties.map((property) => {
        if (ts.isPropertyAssignment(property)) return [property.name.getText(), valueOf(property.initializer)]
        if (ts.isShorthandPropertyAssignment(property)) return [property.name.text, valueOf(property.name)]
        throw new Error(`no data: ${property.getText()}`)
      })
    )
  }
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce(
      (text, { expression, literal: after }) => `${text}${String(valueOf(expression))}${after.text}`,
      node.head.text
    )
  }
  if (ts.isIdentifier(node) && Object.hasOwn(examples, node.text)) return examples[node.text]
  throw new Error(`what does ${node.getText()} stand for? The test has no example of it`)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const hooks: ReadonlyArray<HookName> = [
  "useRpc",
  "useRead",
  "useWrite",
  "useBalance",
  "useTokenBalances",
  "useFee",
  "useRate",
  "useTransactions",
  "useBlockNumber",
  "useNodePool",
  "useSubscriptions",
  "useWallet",
  "useConnect",
  "useSendTransaction"
]

interface Found {
  readonly where: string
  readonly shown: SnippetSubject
}

/** What a `<ShowCode>` of a panel shows, or nothing where its path is known on the page alone. */
const shownBy = (node: ts.JsxSelfClosingElement): SnippetSubject | undefined => {
  const given = new Map<string, ts.Expression>()
  for (const attribute of node.attributes.properties) {
    if (!ts.isJsxAttribute(attribute) || attribute.initializer === undefined) continue
    const { initializer } = attribute
    const expression = ts.isJsxExpression(initializer) ? initializer.expression : initializer
    if (expression !== undefined) given.set(attribute.name.getText(), expression)
  }
  const path = given.get("path")
  if (path === undefined || ts.isPropertyAccessExpression(path)) return undefined
  const value = (name: string): unknown => {
    const expression = given.get(name)
    return expression === undefined ? undefined : valueOf(expression)
  }
  const args = value("args")
  const options = value("options")
  const hook = value("hook")
  const known = hooks.find((each) => each === hook)
  if (hook !== undefined && known === undefined) throw new Error(`no hook: ${String(hook)}`)
  return {
    network: "ethereum-mainnet",
    path: String(valueOf(path)),
    ...(Array.isArray(args) ? { args } : {}),
    ...(isRecord(options) ? { options } : {}),
    ...(known === undefined ? {} : { hook: known })
  }
}

const elementsIn = (node: ts.Node): ReadonlyArray<ts.JsxSelfClosingElement> => {
  const found: Array<ts.JsxSelfClosingElement> = []
  const visit = (each: ts.Node): void => {
    if (ts.isJsxSelfClosingElement(each) && each.tagName.getText() === "ShowCode") found.push(each)
    ts.forEachChild(each, visit)
  }
  visit(node)
  return found
}

const panels = readdirSync(playground, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".tsx"))
  .map((name) => name.replaceAll("\\", "/"))
  .sort()
const elements = panels.flatMap((name) => {
  const text = readFileSync(join(playground, name), "utf8")
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX)
  return elementsIn(source).map((element) => ({ name, element, shown: shownBy(element) }))
})
const ofPanels = elements.flatMap(
  ({ name, shown }, i): ReadonlyArray<Found> =>
    shown === undefined ? [] : [{ where: `${name}-${i}`, shown }]
)

/** What is shown on each surface, as a block of code of its own. */
const modulesOf = (found: ReadonlyArray<Found>): ReadonlyArray<Block> =>
  found.flatMap(({ shown, where }): ReadonlyArray<Block> => {
    const name = `shown-${where.replaceAll(/\W/g, "-")}`
    const { effect, promise, react } = makeSnippets(shown)
    return [
      { at: `${name}-react`, kind: "tsx", code: react },
      { at: `${name}-promise`, kind: "ts", code: promise },
      { at: `${name}-effect`, kind: "ts", code: effect }
    ]
  })

const methods = cachedMethods(root)

const isService = (name: string): name is keyof Services => Object.hasOwn(catalogue, name)

/** What the console shows of a network at first: the methods whose arguments all have an example. */
const ofConsole = (network: Network): ReadonlyArray<Found> => {
  const { family } = info(network)
  const surroundings: ExampleContext = {
    network,
    accounts: [account, other],
    nft: other,
    token: other,
    inbox: "http://127.0.0.1:8080/inbox"
  }
  const services = Object.entries(methods.services).flatMap(([name, list]) =>
    isService(name) && supports(network, name) ? list : []
  )
  const isShown = ({ kind }: Method): boolean => kind !== "stream" && kind !== "live"
  return [...(methods.families[family] ?? []), ...services].filter(isShown).flatMap((method) => {
    const { problems, values } = parseArguments(method.args, makeInitialTexts(method, surroundings))
    const isWrite = method.kind !== "read"
    return Object.keys(problems).length > 0
      ? []
      : [
          {
            where: `${network}-${method.path}`,
            shown: {
              network,
              path: method.path,
              args: values,
              ...(isWrite ? { hook: "useWrite" as const } : {})
            }
          }
        ]
  })
}

const consoles = ["ethereum-mainnet", "solana-mainnet", "tron-mainnet"] as const
const ofConsoles = new Map(consoles.map((network) => [network, ofConsole(network)] as const))
/** Code about a network of one's own, whose definition comes first. */
const own = defineNetwork({
  id: "snippets-own",
  family: "evm",
  chainId: 990_501,
  currency: { symbol: "OWN", decimals: 18 },
  explorers: [{ name: "Own", url: "https://explorer.example" }]
})
const ofOwn: ReadonlyArray<Found> = [
  { path: "rpc.getBalance", args: [account], options: { refresh: "blocks" as const } },
  { path: "rpc.getBlockByNumber", args: [7n] },
  { path: "nodes", hook: "useNodePool" as const },
  { path: "rates.getCurrentRate", args: ["OWN", "EUR"], hook: "useRate" as const }
].map((shown) => ({
  where: `own-${shown.path}`,
  // code about a definition has its id only until the definition stands there
  shown: { ...shown, network: own.id as string as Network, definition: own }
}))
const wrong: Found = {
  where: "wrong",
  shown: { network: "ethereum-mainnet", path: "rpc.getBalance", args: [{ not: "an address" }] }
}

describe("the code that panels show", () => {
  let problems: ReadonlyArray<Problem> = []
  const of = (found: ReadonlyArray<Found>): ReadonlyArray<Problem> => {
    const names = new Set(modulesOf(found).map(({ at }) => at))
    return problems.filter(({ at }) => names.has(at))
  }

  // one program for all: most of its time goes into the SDK's own types
  beforeAll(() => {
    const all = modulesOf([...ofPanels, ...[...ofConsoles.values()].flat(), ...ofOwn, wrong])
    problems = compile(all)
    const names = new Set(all.map(({ at }) => at))
    // of no block are complaints about the compiler's settings
    expect(problems.filter(({ at }) => !names.has(at))).toEqual([])
  })

  it("is found in every panel that has some", () => {
    expect(ofPanels.length).toBeGreaterThanOrEqual(10)
    const dynamic = elements.flatMap(({ name, shown }) => (shown === undefined ? [name] : []))
    // the console's own path is whatever is picked: its methods are compiled below
    expect(dynamic).toEqual(["console/index.tsx"])
  })

  it("compiles on the three surfaces", () => {
    expect(of(ofPanels)).toEqual([])
  })

  it.each(consoles)("compiles for what the console begins with on %s", (network) => {
    const found = ofConsoles.get(network) ?? []
    expect(found.length).toBeGreaterThan(20)
    expect(of(found)).toEqual([])
  })

  it("compiles for a network of one's own, which it defines", () => {
    expect(of(ofOwn)).toEqual([])
    const [{ code } = { code: "" }] = modulesOf(ofOwn)
    expect(code).toContain("const network = defineNetwork({")
    expect(code).toContain('explorers: [{ name: "Own", url: "https://explorer.example" }]')
    expect(code).toContain('useRpc("getBalance", ')
    expect(code.match(/snippets-own/g)).toHaveLength(1)
  })

  it("is found wrong where it is", () => {
    expect(of([wrong]).length).toBeGreaterThanOrEqual(3)
  })
})

describe("literal", () => {
  it("writes values as the code that makes them", () => {
    expect(formatLiteral(123n)).toBe("123n")
    expect(formatLiteral({ a: 1, "b-c": [true, null], d: undefined })).toBe('{ a: 1, "b-c": [true, null] }')
    expect(formatLiteral('a "b"\n')).toBe('"a \\"b\\"\\n"')
    expect(formatLiteral([])).toBe("[]")
    expect(formatLiterals(["0x", undefined, undefined])).toBe('"0x"')
    expect(formatLiterals([undefined, 1])).toBe("undefined, 1")
  })

  it("breaks what is long", () => {
    const long = formatLiteral({ first: "x".repeat(60), second: "y".repeat(60) })
    expect(long.split("\n")).toHaveLength(4)
  })
})
