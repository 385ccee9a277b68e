/** The pages of the docs: the tests compile and run their code blocks, and follow their links. */
import { execFile, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { type BuildOptions, build } from "esbuild"
import { sources } from "../scripts/sources.js"

const root = dirname(import.meta.dirname)

/** A block of code, and where it stands: `docs/react/cache.md:12`. */
export interface Block {
  readonly at: string
  readonly kind: "ts" | "tsx"
  readonly code: string
}

/** A page: its path from the root of the project, and its text. */
export interface Page {
  readonly path: string
  readonly text: string
}

export const readPage = (path: string): Page => ({ path, text: readFileSync(join(root, path), "utf8") })

/** README and all of `docs` with its folders, but for what the site makes in them. */
export const pages: ReadonlyArray<Page> = [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md") && !/^docs\/(\.vitepress|api|node_modules|project)\//.test(path))
].map(readPage)

/** Parts of example files, which are compiled and run where they are. */
export const withoutExcerpts = (text: string): string =>
  text.replace(/^<!-- examples\/\S+ -->\n```[\s\S]*?^```$/gm, (excerpt) => excerpt.replace(/[^\n]/g, ""))

/** The programs of a page. Those that readers can run on the site are marked so. */
export const listBlocks = ({ path, text }: Page): ReadonlyArray<Block> =>
  Array.from(
    withoutExcerpts(text).matchAll(/^```(tsx?)(?: live)?\n([\s\S]*?)^```$/gm),
    ({ 1: kind, 2: code = "", index }) => ({
      at: `${path}:${text.slice(0, index).split("\n").length}`,
      kind: kind === "tsx" ? "tsx" : "ts",
      code
    })
  )

/** What a section of the start page has its reader do: lines of shell, a file to save, the command that runs it, and what that prints. */
export interface Step {
  readonly title: string
  readonly shell: ReadonlyArray<string>
  readonly file: string
  readonly code: string
  readonly commands: ReadonlyArray<string>
  readonly says: ReadonlyArray<string>
}

/** The steps of one part of the start page, by the part's heading: `With promises`. */
export const listSteps = (part: string): ReadonlyArray<Step> => {
  const page = readPage("docs/start.md")
  const [, rest = ""] = page.text.split(`\n## ${part}\n`)
  const [text = ""] = rest.split(/^## |^<!-- \/tabs -->/m)
  const sections = text.split(/^### /m)
  // a part of one section has no headings in it
  return (sections.length > 1 ? sections.slice(1) : [`${part}\n${text}`]).map((section) => {
    const prose = section.replace(/^```[\s\S]*?^```$/gm, "").replace(/\s+/g, " ")
    const all = (what: RegExp): ReadonlyArray<string> =>
      Array.from(prose.matchAll(what), ([, found = ""]) => found)
    return {
      title: section.slice(0, section.indexOf("\n")),
      shell: /^```sh\n([\s\S]*?)\n```$/m.exec(section)?.[1]?.split("\n") ?? [],
      file: all(/(?:Save this as|Replace|webhooks with promises\]\([^)]*\) as) `([^`]+)`/g)[0] ?? "",
      code: listBlocks({ path: page.path, text: section })[0]?.code ?? "",
      commands: all(/\b[Rr]un `([^`]+)`/g),
      says: all(/\b(?:prints|shows) (?:[^`.]*)`([^`]+)`/g)
    }
  })
}

const paths = {
  ...Object.fromEntries(Object.entries(sources).map(([name, path]) => [name, [join(root, path)]])),
  // its double, whose types are those of the declarations: the package itself is under a licence of its maker
  "@walletconnect/ethereum-provider": [join(root, "test/react/walletconnect.ts")]
}

const compiler = join(root, "scripts", "compile.mjs")

/** What the compiler says of a block of code: where the block stands, and the line in it. Its complaints of no block have neither. */
export interface Problem {
  readonly at: string
  readonly line: number
  readonly message: string
}

/** What the compiler says of code blocks, each as a file of its own. Most of its time goes into the SDK's types: call it once for all. */
export const compile = (blocks: ReadonlyArray<Block>): ReadonlyArray<Problem> => {
  const folder = mkdtempSync(join(root, "node_modules", ".docs-"))
  try {
    const names = new Map(blocks.map(({ at, kind }) => [`${at.replace(/\W/g, "-")}.${kind}`, at]))
    if (names.size < blocks.length) throw new Error("two blocks have the same place")
    const files = [...names.keys()]
    for (const [i, { code }] of blocks.entries())
      writeFileSync(join(folder, files[i] ?? ""), `${code}\nexport {}\n`)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: join(root, "tsconfig.json"),
        compilerOptions: { paths },
        files,
        include: []
      })
    )
    const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], {
      encoding: "utf8",
      cwd: folder
    })
    return stdout
      .split("\n")
      .filter((line) => /^\S/.test(line))
      .map((text) => {
        const [, file = "", line, message = text] = /^(.+?)\((\d+),\d+\): (.*)$/.exec(text) ?? []
        return { at: names.get(file) ?? file, line: Number(line ?? 0), message }
      })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The programs of code blocks, each as a file of its own in `folder`, bundled for Node: the paths of their scripts, in their order. */
export const bundle = async (
  blocks: ReadonlyArray<Block>,
  folder: string,
  entries: Pick<BuildOptions, "alias" | "plugins">
): Promise<ReadonlyArray<string>> => {
  const names = blocks.map(({ at }) => join(folder, at.replace(/\W/g, "-")))
  const files = blocks.map(({ kind }, i) => `${names[i]}.${kind}`)
  for (const [i, { code }] of blocks.entries()) writeFileSync(files[i] ?? "", code)
  await build({
    absWorkingDir: root,
    bundle: true,
    entryPoints: files,
    format: "esm",
    jsx: "automatic",
    logLevel: "error",
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    packages: "external",
    platform: "node",
    splitting: true,
    target: "node20",
    ...entries
  })
  return names.map((name) => `${name}.mjs`)
}

/** What a program writes, but for the lines of logs. One that does not end by itself fails. */
export const runScript = async (
  script: string,
  environment: Readonly<Record<string, string>>,
  flags: ReadonlyArray<string> = []
): Promise<string> => {
  const env = { ...process.env, NO_COLOR: "1", ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script], {
    env,
    timeout: 300_000
  })
  return stdout.replace(/^timestamp=.*\n/gm, "").trim()
}

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, "")

/** The anchors of a page's headings, as hosts of Markdown make them: small letters, hyphens for spaces, no other signs. */
export const listAnchors = ({ text }: Page): ReadonlyArray<string> =>
  Array.from(withoutCode(text).matchAll(/^#{1,6} (.+)$/gm), ([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-")
  )

/** Where a page's links and pictures lead. */
export const listLinks = ({ text }: Page): ReadonlyArray<string> => {
  const prose = withoutCode(text)
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g), ...prose.matchAll(/\bsrc="([^"]+)"/g)].map(
    ([, target = ""]) => target
  )
}
