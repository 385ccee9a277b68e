/** A terminal in a project of a user: what npm installs there is the packed tarball, and whatever warns fails. */
import { execFile } from "node:child_process"
import { once } from "node:events"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { promisify, stripVTControlCharacters } from "node:util"
import { inject } from "vitest"
import { startProgram } from "../../scripts/pack.mjs"

/** A line in which npm installs the tarballs, and not what a registry has by the names of the packages. */
export const packed = (line: string): string =>
  /^npm (?:i|install) /.test(line)
    ? line
        .replace(/(?<= )effect-chains(?= |$)/, inject("tarball"))
        .replace(/(?<= )@effect-chains\/fleet(?= |$)/, inject("fleet"))
    : line

/** What warns, or tells of an error: lines of npm, of compilers and bundlers, of Node. */
const WARNS = /^npm (?:warn|error)|\bwarn(?:ing)?\b|\(!\)|deprecat|\berror (?:TS|:)|\bat .*:\d+:\d+\)/im

/** Nothing that anybody prints is a warning, but for lines that are known. */
const calm = (what: string, output: string, known: ReadonlyArray<string>): string => {
  const said = stripVTControlCharacters(output)
  const lines = said.split("\n").filter((line) => !known.includes(line.trim()))
  if (WARNS.test(lines.join("\n"))) throw new Error(`${what}:\n${said}`)
  return said
}

/** The environment of a terminal, and not that of a test. */
const { NODE_ENV: _, ...inherited } = process.env

/** A terminal: lines of shell, one after the other, where npm's questions are answered with yes; `known` are others' own warnings, by their texts. */
export const terminal = (home: string, known: ReadonlyArray<string> = []) => {
  const environment = {
    ...inherited,
    npm_config_yes: "true",
    NO_COLOR: "1",
    EFFECT_CHAINS_CACHE: join(home, "cache")
  }
  let folder = join(home, "empty")
  mkdirSync(folder)
  return {
    at: (path: string): string => join(folder, path),
    run: async (...lines: ReadonlyArray<string>): Promise<string> => {
      const script = [...lines, "pwd"].join("\n")
      const options = { cwd: folder, env: environment, maxBuffer: 2 ** 26 }
      const { stdout, stderr } = await promisify(execFile)("sh", ["-ec", script], options).catch((error) => {
        throw new Error(`${error.message}\n${error.stdout}`)
      })
      const printed = stdout.trimEnd().split("\n")
      folder = printed.pop() ?? folder
      const loud = stderr.split("\n").filter((line) => !["", ...known].includes(line.trim()))
      if (loud.length > 0) throw new Error(`${lines.join("\n")}:\n${stderr}`)
      return calm(lines.join("\n"), printed.join("\n"), known)
    },
    /** Starts what goes on until it ends (`ended`) or is interrupted, as it is at a terminal: with all that it has started. */
    start: async (line: string, ready: RegExp) => {
      const { child, output } = await startProgram("setsid", ["sh", "-c", line], folder, ready, environment)
      const ended = once(child, "exit")
      const end = async (): Promise<void> => {
        if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), "SIGINT")
        await ended
      }
      return { ended, output: () => calm(line, output(), known), [Symbol.asyncDispose]: end }
    }
  }
}
