/**
 * The programs of the pages, run as their readers run them: each is a file of its own in a folder with the package, started by Node without
 * another set-up than what the pages say. What a program needs beyond that is read from the program, so that no list of exceptions is kept.
 */
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { transform } from "esbuild"
import { type Block, listBlocks, type Page } from "./pages.js"

/**
 * What becomes of a program: it `runs` to its end, it is a `part` of a program that others import, a `test` that its runner runs, a `page`
 * that a browser shows, a `server` that goes on, or it needs something that its reader alone has (`yours`).
 */
export type Use = "runs" | "part" | "test" | "page" | "server" | "yours"

/** A program of a page. `needs` says why it does not run by itself. `shown` are the texts that its page shows beside what it prints. */
export interface Program extends Block {
  readonly page: string
  readonly use: Use
  readonly needs?: string
  readonly shown: ReadonlyArray<string>
}

/** The texts in double quotes of a program, without its comments. */
const listTexts = (code: string): ReadonlyArray<string> =>
  code
    .split("\n")
    .flatMap((line) =>
      Array.from(line.matchAll(/("(?:[^"\\]|\\.)*")|\/\/.*/g), ([, text = ""]) => text.slice(1, -1))
    )

/** What a program needs that its reader alone has, by the texts in it. */
const needs: ReadonlyArray<
  readonly [reason: string, isNeeded: (code: string, texts: ReadonlyArray<string>) => boolean]
> = [
  ["a value of yours", (_, texts) => texts.some((text) => /…|^your /.test(text))],
  [
    "a key service",
    (_, texts) => texts.some((text) => /^@(aws-sdk\/client-kms|azure\/|google-cloud\/)/.test(text))
  ],
  ["a host of yours", (_, texts) => texts.some((text) => /\.example\b|^postgres:/.test(text))],
  [
    "a server of yours on this machine",
    (_, texts) => texts.some((text) => /^(?:https?|redis):\/\/(?:127\.0\.0\.1|localhost):\d/.test(text))
  ],
  ["the chain nodes of a sandbox in its own process", (_, texts) => texts.includes("effect-chains/sandbox")],
  ["a file of yours", (code) => /readFileSync\("/.test(code)],
  [
    "coins on a test network",
    (code) => /env\.PRIVATE_KEY/.test(code) && !code.includes('provider: "sandbox"')
  ],
  ["a network of yours", (code) => code.includes("defineNetwork({")]
]

/** Whether a program does something when it is loaded: a line at its margin that is no declaration. */
const doesSomething = (code: string): boolean =>
  /^(?:(?:const|let) [^\n]*=\s+await |(?:await|for|while|if|try) |[\w.$]+\()/m.test(code)

const useOf = ({ code, kind }: Block): Pick<Program, "use" | "needs"> => {
  if (kind === "tsx") return { use: "page", needs: "a page" }
  if (/from "(?:vitest|@effect\/vitest)"/.test(code)) return { use: "test", needs: "its runner" }
  if (/\.listen\(|process\.once\("SIG/.test(code)) return { use: "server", needs: "to be ended" }
  const texts = listTexts(code)
  const need = needs.find(([, isNeeded]) => isNeeded(code, texts))
  if (need !== undefined) return { use: "yours", needs: need[0] }
  return { use: doesSomething(code) ? "runs" : "part" }
}

/** What a page says beside lines that print: `console.log(…) // "1.5": by decimals` is `1.5`. */
const listShown = (code: string): ReadonlyArray<string> =>
  Array.from(code.matchAll(/\bconsole\.log\(.*\) \/\/ (.+)$/gm), ([, said = ""]) =>
    said.replace(/^"([^"]*)".*$/, "$1").replace(/^(\w+): .*$/, "$1")
  )

/** All programs of some pages. */
export const listPrograms = (pages: ReadonlyArray<Page>): ReadonlyArray<Program> =>
  pages.flatMap((page) =>
    listBlocks(page).map((block) => ({
      ...block,
      ...useOf(block),
      page: page.path,
      shown: listShown(block.code)
    }))
  )

/** What a program has printed, and why it failed if it did. */
export interface Outcome {
  readonly at: string
  readonly printed: string
  readonly failed?: string
}

/** Loads programs one after the other in one process, and writes what each prints as a line of JSON. */
const READER = `
import { format } from "node:util"
const lines = []
for (const level of ["log", "info", "warn", "error", "debug"]) console[level] = (...values) => void lines.push(format(...values))
console.table = console.log
/** Until blocks have the payments of the program before, as they have when a reader begins with the next one. */
const waitForBlocks = async () => {
  const count = async (block) => {
    const call = { jsonrpc: "2.0", id: 1, method: "eth_getTransactionCount", params: ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", block] }
    const headers = { "content-type": "application/json" }
    const answer = await fetch(process.env.ETH_NODES, { method: "POST", headers, body: JSON.stringify(call) })
    return (await answer.json()).result
  }
  while ((await count("latest")) !== (await count("pending"))) await new Promise((resolve) => setTimeout(resolve, 50))
}
let failed
process.on("unhandledRejection", (error) => { failed = error })
for (const file of process.argv.slice(2)) {
  failed = undefined
  await waitForBlocks()
  await import(file).catch((error) => { failed = error })
  const outcome = { printed: lines.splice(0).join("\\n"), ...(failed === undefined ? {} : { failed: format(failed) }) }
  process.stdout.write(JSON.stringify(outcome) + "\\n")
}
`

/**
 * Runs programs in a folder, one after the other in one process, which has to end by itself when they have. Each is a file of its own.
 */
export const runAll = async (
  folder: string,
  programs: ReadonlyArray<Block>,
  environment: Readonly<Record<string, string>>,
  flags: ReadonlyArray<string> = []
): Promise<ReadonlyArray<Outcome>> => {
  const files: Array<string> = []
  for (const { at, code } of programs) {
    const file = join(folder, `${at.replace(/\W/g, "-")}.mjs`)
    // Node 20 reads no types
    writeFileSync(file, (await transform(code, { loader: "ts", target: "node20" })).code)
    files.push(file)
  }
  const reader = join(folder, "reader.mjs")
  writeFileSync(reader, READER)
  const env = { ...process.env, NO_COLOR: "1", ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, reader, ...files], {
    cwd: folder,
    env,
    maxBuffer: 2 ** 26,
    timeout: 300_000
  })
  return stdout
    .trim()
    .split("\n")
    .map((line, i) => ({ at: programs[i]?.at ?? "", ...JSON.parse(line) }))
}

/** What is wrong with what a program has printed: it failed, or its page shows something else. */
export const problemOf = ({ at, code, shown }: Program, outcome: Outcome | undefined): string | undefined => {
  if (outcome === undefined) return `${at} did not run`
  if (outcome.failed !== undefined) return `${at}: ${outcome.failed}`
  // what is logged, besides what is printed
  const lines = outcome.printed
    .split("\n")
    .filter((line) => line !== "" && !/^timestamp=|^The provider is http/.test(line))
  if (/^console\.log/m.test(code) && lines.length === 0) return `${at} prints nothing`
  const missing = shown.filter((said) => {
    const [start = "", ...more] = said.split("…")
    return !lines.some((line) => (more.length === 0 ? line === start : line.startsWith(start)))
  })
  if (missing.length > 0) return `${at} shows ${missing.join(", ")}, and prints ${outcome.printed}`
  const isFailure = lines.some((line) => /\bundefined\b|status: 'ERROR'/.test(line)) && shown.length === 0
  return isFailure ? `${at} prints ${outcome.printed}` : undefined
}
