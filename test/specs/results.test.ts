/** The declared result types of all families that have a description, beside it. */
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import { recorded, rest, rpc, unexplained } from "./families.js"
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

/** What a member of a client is. */
const memberType = (path: ReadonlyArray<string>): ts.Type | undefined => {
  let type = clients && checker.getDeclaredTypeOfSymbol(clients)
  for (const name of path) {
    const member: ts.Symbol | undefined = type?.getProperty(name)
    type = member && checker.getTypeOfSymbol(member)
  }
  return type
}

/** The declared types of what a call answers with, by its signatures. */
const resultsOf = (path: ReadonlyArray<string>): ReadonlyArray<ts.Type> => {
  const results = (memberType(path)?.getCallSignatures() ?? []).flatMap((signature) => {
    // the first argument of an Effect is what it succeeds with
    const [result] = checker.getTypeArguments(signature.getReturnType() as ts.TypeReference)
    return result === undefined ? [] : [result]
  })
  if (results.length === 0) throw new Error(`${path.join(".")} is no call`)
  return results
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
        const compared = compare(checker, resultsOf(path), kinds)
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
})

/** What samples do not tell: a field that all have may be missing elsewhere, and there may be others. */
const untold = /: is (always there|not described|never .*)$/

describe("results by recorded answers of real nodes", () => {
  for (const each of recorded) {
    const { family, ids, results = [] } = each
    it(`${family}: declared results are those that were recorded`, () => {
      const differences: Array<string> = []
      let methods = 0
      let fields = 0
      for (const [name, kinds] of told(each))
        for (const id of ids) {
          const path = [id, ...name.split(".")]
          if (memberType(path) === undefined) continue
          const compared = compare(checker, resultsOf(path), kinds)
          methods++
          fields += compared.fields
          const known = compared.differences.filter((difference) => !untold.test(difference))
          differences.push(...known.map((difference) => `${name}: ${difference}`))
        }
      console.log(
        `compared: recorded ${family}: ${methods} methods, ${fields} fields, ${differences.length} differences with a reason`
      )
      total.methods += methods
      total.fields += fields
      total.differences += differences.length
      expect(methods).toBeGreaterThan(0)
      expect(unexplained([...new Set(differences)], results).join("\n")).toBe("")
    })
  }

  it("are compared for most methods", () => {
    console.log(
      `compared: ${total.methods} methods, ${total.fields} fields, ${total.differences} differences`
    )
    expect(total.methods).toBeGreaterThan(850)
  })
})
