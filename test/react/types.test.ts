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

/** An application that has registered its network, and one file of it with a method that the network has not. */
const application = {
  "application.ts": `import { useBalance, useFee, useRpc, useWrite } from "../../react/index.js"
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
  `,
  "wrong.ts": `import { useRpc } from "../../react/index.js"
    useRpc("getBalance", ["0x0"])
  `
} as const
type File = keyof typeof application

const pathOf = (file: File): string => `${root}test/react/${file}`

const host = ts.createCompilerHost(options)
const { fileExists, getSourceFile } = host
const texts = new Map<string, string>([
  [pathOf("application.ts"), application["application.ts"]],
  [pathOf("wrong.ts"), application["wrong.ts"]]
])
host.fileExists = (name) => texts.has(name) || fileExists(name)
host.getSourceFile = (name, ...rest) => {
  const text = texts.get(name)
  return text === undefined
    ? getSourceFile(name, ...rest)
    : ts.createSourceFile(name, text, {
        languageVersion: ts.ScriptTarget.ES2022,
        impliedNodeFormat: ts.ModuleKind.ESNext
      })
}
// one program for both: most of its time goes into the SDK's own types
const program = ts.createProgram([...texts.keys()], options, host)

const problemsOf = (file: File): ReadonlyArray<string> =>
  program
    .getSemanticDiagnostics(program.getSourceFile(pathOf(file)))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))

describe("an application that has registered its network", () => {
  it("names it nowhere else, within the budget of instantiations", () => {
    expect(problemsOf("application.ts")).toEqual([])
    // the other file has not been checked so far
    const count = program.getInstantiationCount()
    console.log(`instantiations: ${count} (hooks, budget ${BUDGET})`)
    expect(count).toBeLessThan(BUDGET)
  })

  it("is told of methods that its network has not", () => {
    expect(problemsOf("wrong.ts")).toEqual([expect.stringContaining('"getBalance"')])
  })
})
