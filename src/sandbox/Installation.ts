/**
 * The sandbox's own folder of npm packages, outside of every project. Packages that the sandbox needs and the project
 * lacks are installed there on demand.
 *
 * @since 0.1.0
 */
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { SandboxError } from "./SandboxError.js"

/**
 * A set of packages with a folder of its own. `packages` are the versions, each with npm's integrity (SHA-512) where it
 * is known. `overrides` are npm's. Only the packages in `rebuild` may run their install scripts.
 *
 * @since 0.1.0
 * @category models
 */
export interface Installation {
  readonly name: string
  readonly packages: {
    readonly [name: string]: { readonly version: string; readonly integrity?: string | undefined }
  }
  readonly overrides?: { readonly [name: string]: string | undefined }
  readonly rebuild?: ReadonlyArray<string>
}

const { EFFECT_CHAINS_CACHE, LOCALAPPDATA, XDG_CACHE_HOME } = process.env
const platformCache =
  process.platform === "win32"
    ? (LOCALAPPDATA ?? join(homedir(), "AppData", "Local"))
    : process.platform === "darwin"
      ? join(homedir(), "Library", "Caches")
      : XDG_CACHE_HOME || join(homedir(), ".cache")

/**
 * The folder of all installations: `EFFECT_CHAINS_CACHE`, or else `effect-chains` in the platform's cache folder
 * (`XDG_CACHE_HOME` or `~/.cache` on Linux).
 *
 * @since 0.1.0
 * @category constants
 */
export const folder: string = EFFECT_CHAINS_CACHE || join(platformCache, "effect-chains")

/**
 * The folder of an installation, which contains its `node_modules`.
 *
 * @since 0.1.0
 * @category operations
 */
export const folderOf = ({ name, packages }: Installation): string =>
  join(folder, `${name}-${Object.values(packages)[0]?.version}`)

/**
 * Whether an installation exists.
 *
 * @since 0.1.0
 * @category operations
 */
export const isInstalled = (installation: Installation): boolean =>
  Object.keys(installation.packages).every((name) =>
    existsSync(join(folderOf(installation), "node_modules", name, "package.json"))
  )

const isWindows = process.platform === "win32"

/** Runs npm, and fails with its output. */
const runNpm = (at: string, args: ReadonlyArray<string>): Effect.Effect<void, string> =>
  Effect.async((resume) => {
    const path = process.env.npm_execpath
    const all = [...args, "--prefix", at, "--no-audit", "--no-fund", "--loglevel=error"]
    // npx gives the path of npm's script. Otherwise npm is on the PATH, where Windows has it as a .cmd file.
    const [command, given, shell] = path?.endsWith(".js")
      ? [process.execPath, [path, ...all], false]
      : ["npm", all, isWindows]
    const child = execFile(command, given, { cwd: at, timeout: 600_000, shell }, (error, _, stderr) => {
      const line = stderr.split("\n").find((text) => /^npm (error|ERR!)/.test(text))
      resume(error === null ? Effect.void : Effect.fail(line ?? error.message))
    })
    return Effect.sync(() => void child.kill())
  })

/** A package in npm's lockfile that differs from the requested one. */
const findMismatch = (at: string, { packages }: Installation): string | undefined => {
  const lock: { readonly packages: Readonly<Record<string, { readonly integrity?: string }>> } = JSON.parse(
    readFileSync(join(at, "node_modules", ".package-lock.json"), "utf8")
  )
  const wrong = Object.entries(packages).find(
    ([name, { integrity }]) =>
      integrity !== undefined && lock.packages[`node_modules/${name}`]?.integrity !== integrity
  )
  return wrong === undefined
    ? undefined
    : `${wrong[0]}@${wrong[1].version} is not the package that the sandbox is tested with (its integrity differs)`
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Installs into a new folder and then moves it, so that no process finds an incomplete installation. An existing
 * installation stays as it is. Fails (`package`) with npm's output, and for a package whose integrity differs from the
 * known one.
 *
 * @since 0.1.0
 * @category operations
 */
export const install = (installation: Installation): Effect.Effect<void, SandboxError> => {
  const { overrides = {}, packages, rebuild = [] } = installation
  const home = folderOf(installation)
  const wanted = Object.entries(packages).map(([name, { version }]) => `${name}@${version}`)
  const makePackageError = (why: string): SandboxError =>
    new SandboxError({ reason: "package", message: `${wanted.join(" ")} cannot be installed: ${why}` })
  const attempt = <A>(run: () => A): Effect.Effect<A, SandboxError> =>
    Effect.try({ try: run, catch: (error) => makePackageError(messageOf(error)) })
  const installInto = (at: string) =>
    Effect.gen(function* () {
      yield* attempt(() => writeFileSync(join(at, "package.json"), JSON.stringify({ overrides })))
      yield* Effect.mapError(runNpm(at, ["install", "--ignore-scripts", ...wanted]), makePackageError)
      const wrong = yield* attempt(() => findMismatch(at, installation))
      if (wrong !== undefined) return yield* makePackageError(wrong)
      if (rebuild.length > 0) yield* Effect.mapError(runNpm(at, ["rebuild", ...rebuild]), makePackageError)
      // another process may have been faster
      if (isInstalled(installation)) return
      yield* attempt(() => {
        rmSync(home, { recursive: true, force: true })
        renameSync(at, home)
      })
    })
  const draft = attempt(() => {
    mkdirSync(folder, { recursive: true })
    return mkdtempSync(join(folder, ".draft-"))
  })
  return Effect.suspend(() =>
    isInstalled(installation)
      ? Effect.void
      : Effect.acquireUseRelease(draft, installInto, (at) =>
          Effect.sync(() => rmSync(at, { recursive: true, force: true }))
        )
  )
}
