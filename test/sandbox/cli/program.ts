/** The command line as it is published, and runs of it as processes of their own. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"

export const root = fileURLToPath(new URL("../../..", import.meta.url))

export interface Program {
  readonly main: string
  /** What the first line of the program gives Node. */
  readonly flags: ReadonlyArray<string>
}

const main = inject("commandLine")

/** The program that `build.ts` has built before all tests. */
export const program: Program = {
  main,
  flags: /(?<=^#!.* node ).*/.exec(readFileSync(main, "utf8"))?.[0].split(" ") ?? []
}

export interface ProgramResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** What a command finds around it: nothing of the tests' own. */
const minimalEnv = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...more
})

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly input?: string
  readonly cwd?: string
  /** Looks at what is printed; with an answer of true the process is asked to end, as by Ctrl-C. */
  readonly until?: (out: string) => boolean
}

/** Runs a command until it ends, for two minutes at most. */
export const run = (
  { flags, main }: Program,
  args: ReadonlyArray<string>,
  { cwd = root, env = {}, input, until }: RunOptions = {}
): Promise<ProgramResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, main, ...args], {
      cwd,
      env: minimalEnv(env),
      timeout: 300_000
    })
    let out = ""
    let err = ""
    let isAsked = false
    child.stdout.on("data", (chunk) => {
      out += String(chunk)
      // once: asked a second time it would end at once, whatever it has still to do
      if (isAsked || until?.(out) !== true) return
      isAsked = true
      child.kill("SIGINT")
    })
    child.stderr.on("data", (chunk) => {
      err += String(chunk)
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, out, err }))
    child.stdin.end(input)
  })

/** What a command with `--json` prints: a value a line. */
export const parseLines = ({ out }: ProgramResult): ReadonlyArray<unknown> =>
  out
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line))
