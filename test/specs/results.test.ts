/** The declared result types of all families that have a description, beside it. */
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import { rest, rpc, unexplained } from "./families.js"
import { compare } from "./results.js"
import { told } from "./told.js"

const root = fileURLToPath(new URL("../..", import.meta.url))
const file = `${root}test/types/members.ts`
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config,
  ts.sys,
  root
)
const program = ts.createProgram([file], { ...options, skipLibCheck: true, noEmit: true })
const checker = program.getTypeChecker()
const source = program.getSourceFile(file)
const module = source && checker.getSymbolAtLocation(source)
const clients = module && checker.getExportsOfModule(module).find(({ name }) => name === "Clients")

/** The declared type of what a call answers with. */
const resultOf = (path: ReadonlyArray<string>): ts.Type => {
  let type = clients && checker.getDeclaredTypeOfSymbol(clients)
  for (const name of path) {
    const member: ts.Symbol | undefined = type?.getProperty(name)
    type = member && checker.getTypeOfSymbol(member)
  }
  const effect = type?.getCallSignatures().at(-1)?.getReturnType()
  // the first argument of an Effect is what it succeeds with
  const [result] = effect === undefined ? [] : checker.getTypeArguments(effect as ts.TypeReference)
  if (result === undefined) throw new Error(`${path.join(".")} is no call`)
  return result
}

const total = { methods: 0, fields: 0, differences: 0 }

describe("results by the chains' own descriptions", () => {
  for (const each of [...rest, ...rpc]) {
    const { family, ids, place = "", results = [] } = each
    it(`${family}: declared results are those that are described`, () => {
      const differences: Array<string> = []
      let fields = 0
      const found = told(each)
      for (const [name, kinds] of found) {
        const path = [ids[0] ?? "", ...`${place}${name}`.split(".")]
        const compared = compare(checker, resultOf(path), kinds)
        fields += compared.fields
        differences.push(...compared.differences.map((difference) => `${name}: ${difference}`))
      }
      total.methods += found.size
      total.fields += fields
      total.differences += differences.length
      console.log(
        `compared: ${family}: ${found.size} methods, ${fields} fields, ${differences.length} differences with a reason`
      )
      expect(unexplained(differences, results).join("\n")).toBe("")
    })
  }

  it("are compared for most methods", () => {
    console.log(
      `compared: ${total.methods} methods, ${total.fields} fields, ${total.differences} differences`
    )
    expect(total.methods).toBeGreaterThan(0)
  })
})
