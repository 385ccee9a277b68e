import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import * as SdkError from "../src/data/SdkError.js"

const root = dirname(import.meta.dirname)
const readme = readFileSync(join(root, "README.md"), "utf8")
const blocks = Array.from(
  readme.matchAll(/```(tsx?)\n([\s\S]*?)```/g),
  ([, kind = "", code = ""]) => [kind, code] as const
)

/** Where the package's entry points have their sources. */
const paths = {
  "effect-chains": ["./src/index.ts"],
  "effect-chains/promise": ["./src/promise.ts"],
  "effect-chains/networks": ["./src/data/networks.ts"],
  "effect-chains/react": ["./react/index.ts"],
  "effect-chains/query": ["./react/query.ts"],
  "effect-chains/sandbox": ["./src/sandbox/index.ts"],
  "effect-chains/webhook": ["./src/webhook.ts"],
  "effect-chains/chains/*": ["./src/entries/*.ts"]
}

describe("README", () => {
  it("has code blocks that compile as they stand", () => {
    expect(blocks.length).toBeGreaterThan(5)
    const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
    const files = new Map(
      blocks.map(([kind, code], i) => [join(root, "test", `readme-${i}.${kind}`), `${code}\nexport {}\n`])
    )
    const host = ts.createCompilerHost(options)
    const { fileExists, readFile, getSourceFile } = host
    host.fileExists = (name) => files.has(name) || fileExists(name)
    host.readFile = (name) => files.get(name) ?? readFile(name)
    host.getSourceFile = (name, version, ...rest) => {
      const code = files.get(name)
      return code === undefined
        ? getSourceFile(name, version, ...rest)
        : ts.createSourceFile(name, code, version)
    }
    const program = ts.createProgram(
      [...files.keys()],
      { ...options, noEmit: true, skipLibCheck: true, paths },
      host
    )
    const problems = [...files.keys()].flatMap((name) => {
      const file = program.getSourceFile(name)
      return ts
        .getPreEmitDiagnostics(program, file)
        .map(
          ({ messageText }) =>
            `${name.replace(root, "")}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
        )
    })
    expect(problems).toEqual([])
  }, 60_000)

  it("has a heading for every error, since their docs links point at it", () => {
    const tags = Object.entries(SdkError).flatMap(([name, value]) =>
      typeof value === "function" && value.prototype instanceof Error ? [name] : []
    )
    expect(tags.length).toBeGreaterThan(20)
    expect(tags.filter((tag) => !readme.includes(`\n### ${tag}\n`))).toEqual([])
  })

  it("points at files that exist", () => {
    const links = Array.from(readme.matchAll(/\]\(([^)#]+)\)/g), ([, target = ""]) => target)
    expect(links.filter((link) => !link.includes("://") && !existsSync(join(root, link)))).toEqual([])
  })
})
