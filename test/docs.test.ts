import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, normalize } from "node:path"
import { describe, expect, it } from "vitest"
import { slugify } from "../docs/.vitepress/markdown.js"
import type { SdkProviderProps } from "../react/SdkProvider.js"
import { makePage as makeCapabilitiesPage } from "../scripts/capabilities.mjs"
import {
  makeComparison,
  makeIndex,
  makeInstall,
  makeReadme,
  makePage as makeSizesPage
} from "../scripts/sizesPage.mjs"
import { sources } from "../scripts/sources.js"
import type { TagClass } from "../src/client/Sdk.js"
import * as errorDeclarations from "../src/data/errorDeclarations.js"
import { isNetwork, networks } from "../src/data/Network.js"
import * as SdkError from "../src/data/SdkError.js"
import {
  bundle,
  listAnchors,
  listBlocks,
  listLinks,
  type Page,
  pages,
  readPage,
  runScript,
  withoutExcerpts
} from "./pages.js"
import { type Answer, type SocketNode, startSocketNode } from "./sockets.js"

const root = dirname(import.meta.dirname)
const readme = readPage("README.md")

/** All pages whose links are followed: those for users, and those for people who work on the SDK. */
const linking = [
  ...pages,
  ...["CONTRIBUTING.md", "bench/README.md", "scripts/README.md", "test/README.md"].map(readPage)
]

/** The packages' entries as their sources. A pattern is none of the bundler's aliases. */
const alias = Object.fromEntries(Object.entries(sources).filter(([name]) => !name.endsWith("*")))

/** Runs code blocks as test files of vitest, and yields its report. They are bundled: vitest would read each source by itself. */
const runAsTests = async (blocks: ReturnType<typeof listBlocks>) => {
  const folder = mkdtempSync(join(root, "node_modules", ".docs-"))
  try {
    const scripts = await bundle(blocks, folder, { alias })
    // the line of a file that says where vitest runs it, which the bundler leaves out
    for (const [i, script] of scripts.entries()) {
      const [environment = ""] = /^\/\/ @vitest-environment .*\n/.exec(blocks[i]?.code ?? "") ?? []
      writeFileSync(script, `${environment}${readFileSync(script, "utf8")}`)
    }
    const include = scripts.map((script) => basename(script))
    writeFileSync(
      join(folder, "vitest.config.mjs"),
      `export default ${JSON.stringify({ test: { include, isolate: false, maxWorkers: 1 } })}`
    )
    const args = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--root", folder, "--reporter=json"]
    const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: folder })
    return JSON.parse(stdout.slice(stdout.indexOf("{")))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A node of a chain on which a deposit comes in while it is read; heads come every tenth of a second to those who subscribe. */
const standIn = async (chainId: number): Promise<SocketNode> => {
  const hex = (value: number): string => `0x${value.toString(16)}`
  let height = 100
  let deposit = 0
  const balances: Readonly<Record<string, () => number>> = {
    "0xd8da6bf26964af9d7eed9e03e53415d37aa96045": () => 42,
    "0x00000000219ab540356cbb839cbe05303d7705fa": () => 1,
    "0x388c818ca8b9251b393131c08a736a67ccb19297": () => {
      deposit = Math.min(3, deposit + 1)
      return deposit
    }
  }
  const answers: Readonly<Record<string, (params: ReadonlyArray<unknown>) => unknown>> = {
    eth_chainId: () => hex(chainId),
    eth_blockNumber: () => hex(height),
    eth_gasPrice: () => hex(7),
    eth_getBalance: ([address]) => {
      const balance = balances[String(address).toLowerCase()]
      return balance === undefined ? undefined : hex(balance())
    },
    eth_getBlockByNumber: ([number]) => blockAt(number === "latest" ? height : Number(number)),
    eth_subscribe: () => "0x1",
    eth_unsubscribe: () => true
  }
  const blockAt = (number: number) => ({
    number: hex(number),
    hash: `0xb${number}`,
    parentHash: `0xb${number - 1}`,
    transactions: []
  })
  const node = await startSocketNode((method, params): Answer => {
    const answer = answers[method]
    if (answer === undefined) throw new Error(`unexpected: ${method}`)
    const result = answer(params)
    return result === undefined
      ? { error: { code: -32602, message: "invalid argument 0: no address" } }
      : { result }
  })
  const timer = setInterval(() => {
    if (!node.peers.some(({ requests }) => requests.some(({ method }) => method === "eth_subscribe"))) return
    const params = { subscription: "0x1", result: blockAt(++height) }
    for (const peer of node.open()) peer.send({ jsonrpc: "2.0", method: "eth_subscription", params })
  }, 100)
  return {
    ...node,
    close: () => {
      clearInterval(timer)
      return node.close()
    }
  }
}

/** Gives a program nodes of its own, by the variables that the page names. */
const overNodes = async <A>(
  run: (environment: Readonly<Record<string, string>>) => Promise<A>
): Promise<A> => {
  const nodes = await Promise.all([standIn(1), standIn(1), standIn(137)])
  const [one, two, polygon] = nodes.map(({ url }) => url)
  try {
    return await run({
      ETH_NODES: `${one},${two}`,
      POLYGON_NODES: String(polygon),
      POLYGON_KEY: "key"
    })
  } finally {
    await Promise.all(nodes.map(({ close }) => close()))
  }
}

/**
 * What the programs of code blocks write, each run by Node in a process of its own, over nodes of its own. One that does not end by
 * itself fails.
 */
const runAsPrograms = async (blocks: ReturnType<typeof listBlocks>): Promise<ReadonlyArray<string>> => {
  const folder = mkdtempSync(join(root, "node_modules", ".docs-"))
  try {
    const scripts = await bundle(blocks, folder, { alias })
    return await Promise.all(
      scripts.map((script) => overNodes((environment) => runScript(script, environment)))
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What the programs of docs/effect.md write, by the headings over them. */
const written = {
  "Several networks": "{ eth: 42n, polygon: 42n }",
  "Another part in place of the default": "100n\ntrue",
  "Options of calls": "42n",
  "Batched reads": "[ 42n, 1n ]",
  Errors: "[ 42n, 'invalid argument 0: no address', true, true ]",
  "Traces and metrics": "2 [ 'eth_blockNumber', 'eth_gasPrice', 'refresh' ]",
  "A web handler": [
    "200 { address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', wei: '42' }",
    "400 { message: 'invalid argument 0: no address' }"
  ].join("\n"),
  "A service over a client": "43n\n2n",
  Schedules: "3n",
  "Streams of heads": [101, 102, 103].map((block) => `{ block: ${block}, price: 7n }`).join("\n")
}

/** The kinds of errors that have some: the compiler sees that none is missing. */
const kinds = {
  NodeError: {
    connect: true,
    network: true,
    timeout: true,
    status: true,
    malformed: true,
    "too-large": true,
    redirect: true,
    "wrong-chain": true,
    behind: true,
    rpc: true
  } satisfies Record<SdkError.NodeErrorKind, true>,
  WalletError: {
    unauthorized: true,
    unsupported: true,
    disconnected: true,
    malformed: true,
    failed: true
  } satisfies Record<SdkError.WalletErrorKind, true>,
  WrongChain: { unknown: true, unsupported: true, unchanged: true } satisfies Record<
    SdkError.WrongChain["kind"],
    true
  >
}

/** What is wrong with where a page's link leads. Addresses of other hosts are not asked. */
const problemOf = (from: Page, link: string): string | undefined => {
  if (link.includes("://")) return undefined
  const [file = "", anchor] = link.split("#")
  const target = file === "" ? from.path : normalize(join(dirname(from.path), file))
  if (!existsSync(join(root, target))) return `${from.path}: there is no ${link}`
  return anchor === undefined || listAnchors(readPage(target)).includes(anchor)
    ? undefined
    : `${from.path}: ${target} has no heading for #${anchor}`
}

describe("README and docs", () => {
  it("have code blocks whose fences stand at the beginning of a line: no other one is compiled", () => {
    const blocks = pages.flatMap(listBlocks)
    // those that name a version of Effect are the program of both, which has a test of its own
    const fences = pages.flatMap(({ text }) =>
      Array.from(withoutExcerpts(text).matchAll(/```tsx?\b(?! effect[34])/g))
    )
    expect(blocks.length).toBe(fences.length)
    expect(blocks.length).toBeGreaterThan(20)
  })

  it("have tests on the pages about testing that pass; those on the sandbox are compiled alone", async () => {
    const blocks = ["docs/testing.md", "docs/react/testing.md"]
      .flatMap((path) => listBlocks(readPage(path)))
      .filter(({ code }) => !code.includes("/sandbox"))
    expect(blocks).toHaveLength(4)
    const { testResults, ...totals } = await runAsTests(blocks)
    expect(JSON.stringify(totals), JSON.stringify(testResults)).toContain('"numPassedTests":5')
    expect(totals).toMatchObject({ numFailedTests: 0, numTotalTests: 5, success: true })
  })

  it("have programs on the page about Effect that run as they stand, and write what they should", async () => {
    const effect = readPage("docs/effect.md")
    const blocks = listBlocks(effect)
    const lines = await runAsPrograms(blocks)
    const headings = blocks.map(
      ({ code }) => effect.text.slice(0, effect.text.indexOf(code)).split("\n## ").at(-1)?.split("\n")[0]
    )
    expect(Object.fromEntries(headings.map((heading, i) => [heading, lines[i]]))).toEqual(written)
    expect(blocks).toHaveLength(Object.keys(written).length)
  })

  it("have links and pictures that are there, and headings where anchors point", () => {
    const problems = linking.flatMap((from) => listLinks(from).map((link) => problemOf(from, link)))
    expect(problems.length).toBeGreaterThan(20)
    expect(problems.filter((problem) => problem !== undefined)).toEqual([])
  })

  it("are each reached from README by links, which is read in three minutes", () => {
    const byPath = new Map(pages.map((page) => [page.path, page]))
    const reached = new Set<string>()
    const follow = (path: string): void => {
      const page = byPath.get(path)
      if (page === undefined || reached.has(path)) return
      reached.add(path)
      for (const link of listLinks(page)) follow(normalize(join(dirname(path), link.split("#")[0] ?? "")))
    }
    follow("README.md")
    expect([...byPath.keys()].filter((path) => !reached.has(path))).toEqual([])
    const words = (path: string): number => readPage(path).text.split(/\s+/).filter(Boolean).length
    expect(words("README.md")).toBeLessThan(600)
    expect(words("CONTRIBUTING.md")).toBeLessThanOrEqual(900)
  })

  it("have the figures of the newest benchmark", () => {
    // `node scripts/sizesPage.mjs` writes them
    expect(readPage("docs/sizes.md").text).toBe(makeSizesPage())
    expect(readPage("docs/index.md").text).toBe(makeIndex())
    expect(readPage("README.md").text).toBe(makeReadme())
    expect(readPage("docs/install.md").text).toBe(makeInstall())
    expect(readPage("docs/compare.md").text).toBe(makeComparison())
  })

  it("have what the tests of signers cover now", () => {
    // `node scripts/capabilities.mjs` writes it
    expect(readPage("docs/signers/capabilities.md").text).toBe(makeCapabilitiesPage())
  })

  it("are in the package, with the pictures of README alone, by paths that GitHub, npm and a folder know", () => {
    // npm compresses what it lists: it gets the pages, and not what is built
    const folder = mkdtempSync(join(tmpdir(), "effect-chains-docs-"))
    for (const path of ["package.json", "README.md", "docs"])
      cpSync(join(root, path), join(folder, path), { recursive: true })
    const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      shell: process.platform === "win32"
    })
    rmSync(folder, { recursive: true })
    const [{ files }]: readonly [{ readonly files: ReadonlyArray<{ readonly path: string }> }] =
      JSON.parse(packed)
    const names = files.map(({ path }) => path).filter((path) => /^(README|docs\/)/.test(path))
    const pictures = listLinks(readme).filter((link) => /\.(?:svg|png)$/.test(link))
    expect(pictures.length).toBeGreaterThan(0)
    // npm reads a relative path by the package's repository, and in its root where no other folder is named
    const { repository } = JSON.parse(readPage("package.json").text)
    expect(repository).toEqual({ type: "git", url: expect.stringMatching(/^git\+https:\/\/github\.com\//) })
    for (const picture of pictures) expect(existsSync(join(root, picture))).toBe(true)
    expect(names.sort()).toEqual([...pages.map(({ path }) => path), ...pictures].sort())
  })

  it("have a page for every error, where its docs link points, with the cause, the way out, and a row on the page of all errors", () => {
    const tags = Object.entries(SdkError).flatMap(([name, value]) =>
      typeof value === "function" && value.prototype instanceof Error ? [name] : []
    )
    expect(tags.length).toBeGreaterThan(20)
    const { docsUrl } = new SdkError.NoRpcUrls({ network: "ethereum-mainnet" })
    const [, folder = ""] = /^https:\/\/unpkg\.com\/effect-chains\/(.+\/)norpcurls\.md$/.exec(docsUrl) ?? []
    expect(readdirSync(join(root, folder)).sort()).toEqual(
      tags.map((tag) => `${tag.toLowerCase()}.md`).sort()
    )
    const rows = readPage("docs/errors.md").text.split("\n")
    for (const tag of tags) {
      const [title = "", , head = "", ...rest] = readPage(`${folder}${tag.toLowerCase()}.md`).text.split("\n")
      expect(title).toBe(`# ${tag}`)
      // `node scripts/entries.mjs` writes it
      expect(head).toMatch(
        new RegExp(`^\`${tag}( \\{ [\\w?, ]+ \\})?\` · exit code of the command line: \\d+ \\(\`[a-z]+\`\\)`)
      )
      const [cause = "", wayOut = ""] = rest.join("\n").split("**What to do:**")
      expect([tag, cause.trim().length >= 20, wayOut.trim().length >= 10]).toEqual([tag, true, true])
      const named = rows.filter((row) => row.startsWith(`| [${tag}](errors/${tag.toLowerCase()}.md) `))
      expect([tag, named.length]).toEqual([tag, 1])
    }
  })

  it("tell the cause of every kind of an error, and the way out", () => {
    const untold = Object.entries(kinds).flatMap(([tag, of]) => {
      const { text } = readPage(`docs/errors/${tag.toLowerCase()}.md`)
      return Object.keys(of).filter(
        (kind) => !new RegExp(`^\\| \`${kind}\` +\\| \\S[^|]+\\| \\S[^|]+\\|$`, "m").test(text)
      )
    })
    expect(untold).toEqual([])
  })

  it("have recipes for thirty tasks, on ten families", () => {
    const recipes = ["docs/recipes.md", "docs/recipes-chains.md"].flatMap((path) =>
      listBlocks(readPage(path)).map(({ code }) => code)
    )
    expect(new Set(recipes).size).toBeGreaterThanOrEqual(30)
    const families = recipes.flatMap((code) => {
      const id = /network: "([\w-]+)"/.exec(code)?.[1] ?? ""
      return isNetwork(id) ? [networks[id].family] : []
    })
    expect(new Set(families).size).toBeGreaterThanOrEqual(10)
  })
})

/** The rows of a page's table whose first cell begins with code, by that code. */
const rowsUnder = (path: string, heading: string): ReadonlyMap<string, string> => {
  const [, after = ""] = readPage(path).text.split(`\n${heading}\n`)
  const [section = ""] = after.split(/^#{1,4} /m)
  return new Map(
    Array.from(section.matchAll(/^\| `([^`]+)`.*$/gm), ([row, name = ""]) => [name, row] as const)
  )
}

describe("what pages say once", () => {
  it("is how many families there are", () => {
    const families = new Set(Object.values(networks).map(({ family }) => family)).size
    expect(readPage("docs/index.md").text).toContain(`of ${families} families`)
    expect(readPage("docs/networks.md").text).toContain(`The table has ${families},`)
  })

  it("is what each way to make a client layer needs", () => {
    const ways = {
      layer: true,
      layerEnv: true,
      layerConfig: true,
      layerHttp: true,
      layerWithoutDependencies: true
    } satisfies Record<Extract<keyof TagClass<unknown, string, "ethereum-mainnet">, `layer${string}`>, true>
    const rows = [...rowsUnder("docs/effect.md", "## Ways to make a client").keys()]
    const named = new Set(rows.map((way) => /^Eth\.(\w+)/.exec(way)?.[1]))
    expect(Object.keys(ways).filter((way) => !named.has(way))).toEqual([])
  })

  it("is what each prop of the React provider does", () => {
    const props = {
      config: true,
      layer: true,
      initialValues: true,
      defaults: true,
      children: true
    } satisfies Record<keyof SdkProviderProps, true>
    const rows = rowsUnder("docs/react.md", "## The provider")
    expect([...rows.keys()].sort()).toEqual(Object.keys(props).sort())
  })

  it("is which errors are worth another try: the table, and each error's own page", () => {
    const { text } = readPage("docs/errors.md")
    const [, section = ""] = /^## Decide whether to try again$([\s\S]*?)^## /m.exec(text) ?? []
    const errorsOf = (row: RegExp): ReadonlyArray<string> =>
      section
        .split("\n")
        .filter((line) => row.test(line))
        .flatMap((line) => Array.from(line.matchAll(/`([A-Z]\w+)`/g), ([, name = ""]) => name))
    const says = (tag: string, words: RegExp): boolean =>
      words.test(readPage(`docs/errors/${tag.toLowerCase()}.md`).text.split("**What to do:**")[1] ?? "")
    const again = errorsOf(/^\| a read .*\| call again/)
    const never = errorsOf(/^\| a read .*\| change the request/)
    expect(again.length).toBeGreaterThan(6)
    expect(never.length).toBeGreaterThan(2)
    expect(again.filter((tag) => !says(tag, /call again/i))).toEqual([])
    expect(never.filter((tag) => !says(tag, /^\s*(?:Change|Pass) /))).toEqual([])
  })

  it("is which error says that a network does not have a call", () => {
    const rows = rowsUnder("docs/errors.md", "#### A call that the network does not have")
    expect([...rows.keys()].sort()).toEqual(
      [...errorDeclarations.NotSupportedForNetwork.fields.feature].sort()
    )
  })

  it("has an anchor that is the same on the site and on GitHub, once on a page", () => {
    for (const page of linking) {
      const titles = Array.from(
        page.text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#{1,6} (.+)$/gm),
        ([, title = ""]) => slugify(title)
      )
      const anchors = listAnchors(page)
      expect(titles, page.path).toEqual(anchors)
      expect(
        anchors.filter((anchor, i) => anchors.indexOf(anchor) < i),
        page.path
      ).toEqual([])
    }
  })
})

describe("the folders of sources", () => {
  const folders = readdirSync(join(root, "src"), { withFileTypes: true })
    // written by scripts/entries.mjs, and its pairs that import one by one
    .filter((entry) => entry.isDirectory() && !/^(entries|pick)$/.test(entry.name))
    .map(({ name }) => `src/${name}`)

  it.each([...folders, "react"])("%s says in five lines what lives there and what does not", (folder) => {
    const lines = readFileSync(join(root, folder, "README.md"), "utf8")
      .trimEnd()
      .split("\n")
    expect(lines[0]).toMatch(/^# \w/)
    const rest = lines.slice(2)
    expect(rest.length).toBeLessThanOrEqual(5)
    expect(rest.every((line) => line.startsWith("- "))).toBe(true)
    const named = rest.flatMap((line) =>
      [...line.matchAll(/`([\w./]+\/?[\w.]*)`/g)].map(([, name = ""]) => name)
    )
    const missing = named
      .filter((name) => name.endsWith(".ts") || name.startsWith("../"))
      .filter((name) => !existsSync(join(root, folder, name)) && !existsSync(join(root, name)))
    expect(missing).toEqual([])
  })
})

describe("the docs of exports", () => {
  it("have categories of the list in CONTRIBUTING, and no others", () => {
    const listed = /one `@category` of ([a-z,\s]+);/.exec(readPage("CONTRIBUTING.md").text)?.[1] ?? ""
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
