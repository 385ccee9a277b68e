import { fileURLToPath } from "node:url"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import { networks } from "../src/data/Network.js"

const root = fileURLToPath(new URL("..", import.meta.url))

/**
 * The limit of the compiler's work for each program: the count when this line was written, and 15 % more. That of all
 * members grows with their number: with 2,011 endpoints it is 126 for each, as it was with 1,641.
 */
const budgets = { calls: 115_000, members: 290_000 }

const options = ts.parseJsonConfigFileContent(
  ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config,
  ts.sys,
  root
).options
const compile = (name: keyof typeof budgets) => {
  const file = `${root}test/types/${name}.ts`
  const program = ts.createProgram([file], { ...options, skipLibCheck: true, noEmit: true })
  return { program, source: program.getSourceFile(file) }
}
const { program, source } = compile("members")

const clientsOf = (surface: "Clients" | "PromiseClients"): ts.Type | undefined => {
  const checker = program.getTypeChecker()
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
  const symbol = module && checker.getExportsOfModule(module).find(({ name }) => name === surface)
  return symbol === undefined ? undefined : checker.getDeclaredTypeOfSymbol(symbol)
}

/** The type of an endpoint's function, as an editor shows it. */
const show = (surface: "Clients" | "PromiseClients", ...path: ReadonlyArray<string>): string => {
  const checker = program.getTypeChecker()
  let type = clientsOf(surface)
  for (const name of path) {
    const member = type?.getProperty(name)
    type = member === undefined ? undefined : checker.getTypeOfSymbol(member)
  }
  return type === undefined
    ? "nothing"
    : checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
}

describe("the types", () => {
  it.each(["calls", "members"] as const)(
    "stay within the budget of instantiations: %s",
    (name) => {
      const compiled = name === "members" ? { program, source } : compile(name)
      const problems = compiled.program
        .getSemanticDiagnostics(compiled.source)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
      expect(compiled.source).toBeDefined()
      expect(problems).toEqual([])
      const count = compiled.program.getInstantiationCount()
      console.log(`instantiations: ${count} (${name}, budget ${budgets[name]})`)
      expect(count).toBeLessThan(budgets[name])
    },
    60_000
  )

  it("keep the names of arguments, and show no helper type", () => {
    const block = "block?: Block | undefined"
    expect(show("Clients", "evm", "getBalance")).toBe(
      `(address: string, ${block}) => Effect<bigint, RpcCallError, never>`
    )
    expect(show("PromiseClients", "evm", "getBalance")).toBe(
      `(address: string, ${block}) => Promise<Result<bigint, RpcCallError>>`
    )
    expect(show("Clients", "evm-native", "getBalance")).toBe(
      `(address: string, ${block}, native?: boolean | undefined) => Effect<bigint, RpcCallError, never>`
    )
    expect(show("PromiseClients", "evm-native", "getBalance")).toBe(
      `(address: string, ${block}, native?: boolean | undefined) => Promise<Result<bigint, RpcCallError>>`
    )
    const input = "input: { readonly stateId: string | number | bigint; }"
    expect(show("Clients", "evm-beacon", "beacon", "v1", "getStateRoot")).toBe(
      `(${input}) => Effect<Answer<Root>, RestCallError, never>`
    )
    expect(show("PromiseClients", "evm-beacon", "beacon", "v1", "getStateRoot")).toBe(
      `(${input}) => Promise<Result<Answer<Root>, RestCallError>>`
    )
  }, 60_000)

  it.each(["Clients", "PromiseClients"] as const)(
    "carry the docs of every method to the editor: %s",
    (surface) => {
      const checker = program.getTypeChecker()
      const undocumented = (type: ts.Type, path: string): ReadonlyArray<string> =>
        type.getProperties().flatMap((member) => {
          const own = checker.getTypeOfSymbol(member)
          const name = `${path}${member.name}`
          // a group is told by its methods
          if (own.getCallSignatures().length === 0) return undocumented(own, `${name}.`)
          return member.getDocumentationComment(checker).length === 0 ? [name] : []
        })
      const clients = clientsOf(surface)
      expect(clients?.getProperties().length).toBe(
        new Set(Object.values(networks).map((row) => row.family)).size
      )
      expect(clients === undefined ? undefined : undocumented(clients, "")).toEqual([])
    }
  )
})
