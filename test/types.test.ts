import { fileURLToPath } from "node:url"
import ts from "typescript"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))
const file = `${root}test/types/budget.ts`

/** What the compiler may do for that file: what it did when this line was written, and 15 % more. */
const BUDGET = 51_600

const options = ts.parseJsonConfigFileContent(
  ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config,
  ts.sys,
  root
).options
const program = ts.createProgram([file], { ...options, skipLibCheck: true, noEmit: true })
const source = program.getSourceFile(file)

/** The type of an endpoint's function, as an editor shows it. */
const show = (surface: "Clients" | "PromiseClients", ...path: ReadonlyArray<string>): string => {
  const checker = program.getTypeChecker()
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
  const clients = module === undefined ? [] : checker.getExportsOfModule(module)
  const symbol = clients.find(({ name }) => name === surface)
  let type = symbol === undefined ? undefined : checker.getDeclaredTypeOfSymbol(symbol)
  for (const name of path) {
    const member = type?.getProperty(name)
    type = member === undefined ? undefined : checker.getTypeOfSymbol(member)
  }
  return type === undefined
    ? "nothing"
    : checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
}

describe("the types", () => {
  it("stay within the budget of instantiations", () => {
    const problems = program
      .getSemanticDiagnostics(source)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
    expect(source).toBeDefined()
    expect(problems).toEqual([])
    const count = program.getInstantiationCount()
    console.log(`instantiations: ${count} (budget ${BUDGET})`)
    expect(count).toBeLessThan(BUDGET)
  }, 60_000)

  it("keep the names of arguments, and show no helper type", () => {
    const block = "block?: Block | undefined"
    expect(show("Clients", "evm", "getBalance")).toBe(
      `(address: string, ${block}) => Effect<bigint, RpcCallError, never>`
    )
    expect(show("PromiseClients", "evm", "getBalance")).toBe(
      `(address: string, ${block}) => Promise<Result<bigint, RpcCallError>>`
    )
    expect(show("Clients", "klaytn", "getBalance")).toBe(
      `(address: string, ${block}, native?: boolean | undefined) => Effect<bigint, RpcCallError, never>`
    )
    expect(show("PromiseClients", "klaytn", "getBalance")).toBe(
      `(address: string, ${block}, native?: boolean | undefined) => Promise<Result<bigint, RpcCallError>>`
    )
    const input = "input: { readonly stateId: string | number | bigint; }"
    expect(show("Clients", "ethereum", "beacon", "v1", "getStateRoot")).toBe(
      `(${input}) => Effect<Answer<Root>, RestCallError, never>`
    )
    expect(show("PromiseClients", "ethereum", "beacon", "v1", "getStateRoot")).toBe(
      `(${input}) => Promise<Result<Answer<Root>, RestCallError>>`
    )
  }, 60_000)
})
