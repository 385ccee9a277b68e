// @vitest-environment node
/** The effect of an application's own declaration of its network on the types of hooks: there is one for a whole program. */
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** What the compiler may do for an application with a few hooks: what it did when this line was written, and 15 % more. */
const BUDGET = 64_000

const options = {
  ...ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config,
    ts.sys,
    root
  ).options,
  noEmit: true,
  skipLibCheck: true
}

/** What the compiler says of an application, and how much it had to do. */
const compile = (code: string): { readonly problems: ReadonlyArray<string>; readonly count: number } => {
  const file = `${root}test/react/application.ts`
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(file, code, {
          languageVersion: ts.ScriptTarget.ES2022,
          impliedNodeFormat: ts.ModuleKind.ESNext
        })
      : getSourceFile(name, ...rest)
  const program = ts.createProgram([file], options, host)
  const problems = program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
  return { problems, count: program.getInstantiationCount() }
}

const importing = (names: string): string => `import { ${names} } from "../../react/index.js"`

describe("an application that has registered its network", () => {
  it("names it nowhere else, within the budget of instantiations", () => {
    const { count, problems } = compile(`${importing("useBalance, useFee, useRpc, useWrite")}
      declare module "../../react/index.js" {
        interface Register {
          network: "bitcoin-mainnet"
        }
      }
      export const count: number | undefined = useRpc("getBlockCount", []).data
      export const chain: "bitcoin-mainnet" | undefined = useFee().data?.chain
      export const balance: string | undefined = useBalance({ address: "b" }).data?.[0]?.balance
      export const run: (...args: never) => Promise<unknown> = useWrite("rpc.sendRawTransaction").run
      export const wei: bigint | undefined = useRpc("getBalance", ["0x0"], { network: "ethereum-mainnet" }).data
    `)
    expect(problems).toEqual([])
    console.log(`instantiations: ${count} (hooks, budget ${BUDGET})`)
    expect(count).toBeLessThan(BUDGET)
  }, 60_000)

  it("is told of methods that its network has not", () => {
    const { problems } = compile(`${importing("useRpc")}
      declare module "../../react/index.js" {
        interface Register {
          network: "bitcoin-mainnet"
        }
      }
      useRpc("getBalance", ["0x0"])
    `)
    expect(problems).toEqual([expect.stringContaining('"getBalance"')])
  }, 60_000)
})
