import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { describe, expect, it } from "vitest"
import * as SdkError from "../src/data/SdkError.js"
import { anchorsOf, blocksOf, linksOf, type Page, page, pages } from "./pages.js"

const root = dirname(import.meta.dirname)
const readme = page("README.md")

/** All pages whose links are followed: those for users, and those for people who work on the SDK. */
const linking = [...pages, page("CONTRIBUTING.md"), page("bench/README.md")]

/** Where the package's entry points have their sources. */
const sources = {
  "effect-chains": "./src/index.ts",
  "effect-chains/promise": "./src/promise.ts",
  "effect-chains/networks": "./src/data/networks.ts",
  "effect-chains/react": "./react/index.ts",
  "effect-chains/query": "./react/query.ts",
  "effect-chains/sandbox": "./src/sandbox/index.ts",
  "effect-chains/sandbox/client": "./src/sandbox/Client.ts",
  "effect-chains/webhook": "./src/webhook.ts",
  "effect-chains/chains/*": "./src/entries/*.ts"
}

const paths = Object.fromEntries(Object.entries(sources).map(([name, path]) => [name, [join(root, path)]]))

const compiler = join(root, "node_modules", "ts7", "bin", "tsc")

/** What the compiler says of code blocks, each as a file of its own, by where the block stands. */
const compile = (blocks: ReturnType<typeof blocksOf>): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(root, "node_modules", ".docs-"))
  try {
    const names = blocks.map(({ at, kind }) => `${at.replace(/\W/g, "-")}.${kind}`)
    for (const [i, { code }] of blocks.entries())
      writeFileSync(join(folder, names[i] ?? ""), `${code}\nexport {}\n`)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: join(root, "tsconfig.json"),
        compilerOptions: { paths },
        files: names,
        include: []
      })
    )
    const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], {
      encoding: "utf8",
      cwd: folder
    })
    return stdout.split("\n").filter((line) => line !== "")
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs code blocks as test files of vitest, and yields its report. */
const runAsTests = (blocks: ReturnType<typeof blocksOf>) => {
  const folder = mkdtempSync(join(root, "node_modules", ".docs-"))
  try {
    for (const { at, code } of blocks) writeFileSync(join(folder, `${at.replace(/\W/g, "-")}.test.ts`), code)
    const alias = Object.entries(sources).map(([name, path]) => ({
      find: name,
      replacement: join(root, path)
    }))
    // the longest name first: the others begin like it
    alias.sort((one, other) => other.find.length - one.find.length)
    writeFileSync(
      join(folder, "vitest.config.mjs"),
      `export default ${JSON.stringify({ resolve: { alias }, test: { include: ["*.test.ts"] } })}`
    )
    const args = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--root", folder, "--reporter=json"]
    const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: folder })
    return JSON.parse(stdout.slice(stdout.indexOf("{")))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What is wrong with where a page's link leads. Addresses of other hosts are not asked. */
const problemOf = (from: Page, link: string): string | undefined => {
  if (link.includes("://")) return undefined
  const [file = "", anchor] = link.split("#")
  const target = file === "" ? from.path : normalize(join(dirname(from.path), file))
  if (!existsSync(join(root, target))) return `${from.path}: there is no ${link}`
  return anchor === undefined || anchorsOf(page(target)).includes(anchor)
    ? undefined
    : `${from.path}: ${target} has no heading for #${anchor}`
}

describe("README and docs", () => {
  it("have code blocks that compile as they stand", () => {
    const blocks = pages.flatMap(blocksOf)
    // no block is missed because its fences do not stand at the beginning of a line
    const fences = pages.flatMap(({ text }) => Array.from(text.matchAll(/```tsx?\b/g)))
    expect(blocks.length).toBe(fences.length)
    expect(blocks.length).toBeGreaterThan(20)
    expect(compile(blocks)).toEqual([])
  }, 120_000)

  it("have tests on the page about testing that pass; those on the sandbox are compiled alone", {
    timeout: 60_000
  }, () => {
    const blocks = blocksOf(page("docs/testing.md")).filter(({ code }) => !code.includes("/sandbox"))
    expect(blocks).toHaveLength(2)
    const { testResults, ...totals } = runAsTests(blocks)
    expect(JSON.stringify(totals), JSON.stringify(testResults)).toContain('"numPassedTests":2')
    expect(totals).toMatchObject({ numFailedTests: 0, numTotalTests: 2, success: true })
  })

  it("have links and pictures that are there, and headings where anchors point", () => {
    const problems = linking.flatMap((from) => linksOf(from).map((link) => problemOf(from, link)))
    expect(problems.length).toBeGreaterThan(20)
    expect(problems.filter((problem) => problem !== undefined)).toEqual([])
  })

  it("are each linked from README, which is read in five minutes", () => {
    const linked = linksOf(readme).map((link) => link.split("#")[0])
    const others = pages.map(({ path }) => path).filter((path) => path !== "README.md")
    expect(others.filter((path) => !linked.includes(path))).toEqual([])
    expect(readme.text.split("\n").length).toBeLessThan(200)
  })

  it("are in the package, without their pictures", () => {
    const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      shell: process.platform === "win32"
    })
    const [{ files }]: readonly [{ readonly files: ReadonlyArray<{ readonly path: string }> }] =
      JSON.parse(packed)
    const names = files.map(({ path }) => path).filter((path) => /^(README|docs\/)/.test(path))
    expect(names.sort()).toEqual(pages.map(({ path }) => path).sort())
  }, 60_000)

  it("have a heading for every error, where its docs link points", () => {
    const tags = Object.entries(SdkError).flatMap(([name, value]) =>
      typeof value === "function" && value.prototype instanceof Error ? [name] : []
    )
    expect(tags.length).toBeGreaterThan(20)
    const { docsUrl } = new SdkError.NoRpcUrls({ network: "ethereum-mainnet" })
    const [, path = ""] = /^https:\/\/unpkg\.com\/effect-chains\/([^#]+)#norpcurls$/.exec(docsUrl) ?? []
    const anchors = anchorsOf(page(path))
    expect(tags.filter((tag) => !anchors.includes(tag.toLowerCase()))).toEqual([])
  })
})

describe("the docs of exports", () => {
  it("have categories of the list in CONTRIBUTING, and no others", () => {
    const listed = /one `@category` of ([a-z,\s]+);/.exec(page("CONTRIBUTING.md").text)?.[1] ?? ""
    const list = new Set(listed.split(/[,\s]+/))
    const used = ["src", "react"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => /\.tsx?$/.test(file))
        .flatMap((file) =>
          [...readFileSync(join(root, folder, file), "utf8").matchAll(/@category ([^\s*]+)/g)].map(
            ([, category = ""]) => ({ file, category })
          )
        )
    )
    expect(used.length).toBeGreaterThan(1_000)
    expect(used.filter(({ category }) => !list.has(category))).toEqual([])
    expect([...list].filter((name) => !used.some(({ category }) => category === name))).toEqual([])
  })
})
