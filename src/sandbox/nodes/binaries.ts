/**
 * The locations of the nodes' programs. The table is JSON, so that `scripts/nodes.mjs`, which installs them, can read
 * it before anything is installed.
 *
 * @since 0.1.0
 */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { delimiter, join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Installation from "../Installation.js"
import { SandboxError } from "../SandboxError.js"
import json from "./binaries.json" with { type: "json" }

/**
 * A node that the sandbox can run.
 *
 * @since 0.1.0
 * @category models
 */
export type NodeName = "anvil" | "surfpool" | "bcoin" | "bcash" | "lodestar" | "ton-sandbox" | "litecoind"

/**
 * A row of the table. `package` is the name on npm, or the names by platform. `file` is the program in it, by default
 * the package's `main`; a `native` one has `.exe` on Windows. `integrity` is npm's (SHA-512) by package name, where it
 * is known. `with` are packages and versions that the program loads too; they are installed next to it. `overrides` are
 * npm's, for packages whose own ranges no longer fit together. Only the packages in `rebuild` run their install
 * scripts, which they need. A package is installed `beside` the SDK, where users have it too, or into a folder of its
 * own. `command` is the name on the PATH. `system` is the command that installs it there, if npm has no package.
 *
 * @since 0.1.0
 * @category models
 */
export interface Binary {
  readonly version?: string
  readonly package?: string | { readonly [platform: string]: string | undefined }
  readonly integrity?: { readonly [name: string]: string | undefined }
  readonly with?: { readonly [name: string]: string | undefined }
  readonly file?: string
  readonly native?: boolean
  readonly overrides?: { readonly [name: string]: string | undefined }
  readonly rebuild?: ReadonlyArray<string>
  readonly beside?: boolean
  readonly command?: string
  readonly system?: string
}

/**
 * The nodes, with the versions that the sandbox is tested with.
 *
 * @since 0.1.0
 * @category operations
 */
export const nodeBinaries: Readonly<Record<NodeName, Binary>> = json

const isWindows = process.platform === "win32"

const PLATFORM = `${process.platform}-${process.arch}`

const packageFor = (entry: Binary, platform = PLATFORM): string | undefined =>
  typeof entry.package === "object" ? entry.package[platform] : entry.package

/** The folder below node_modules for packages that `scripts/nodes.mjs` installs into a folder of their own. */
const ownFolder = (name: NodeName, entry: Binary): string =>
  join(".cache", "effect-chains", "nodes", `${name}-${entry.version}`)

/** The node_modules folders above a file, nearest first. */
const foldersAbove = (file: string): ReadonlyArray<string> =>
  createRequire(file).resolve.paths("effect") ?? []

const findFile = (modules: string, wanted: string, entry: Binary): string | undefined => {
  const folder = join(modules, wanted)
  const isAlone = Object.keys(entry.with ?? {}).some((name) => !existsSync(join(modules, name)))
  if (isAlone) return undefined
  try {
    const { main } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    const path = join(folder, `${entry.file ?? main}${entry.native && isWindows ? ".exe" : ""}`)
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

const findOnPath = (command: string): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => resolve(folder, isWindows ? `${command}.exe` : command))
    .find((path) => existsSync(path))

/**
 * The installation of a node in the sandbox's own folder; undefined if npm has no package for the platform (default:
 * this one, such as `linux-x64`).
 *
 * @since 0.1.0
 * @category operations
 */
export const installationOf = (
  name: NodeName,
  platform = PLATFORM
): Installation.Installation | undefined => {
  const { integrity, overrides = {}, rebuild = [], version, with: others = {}, ...entry } = nodeBinaries[name]
  const wanted = packageFor(entry, platform)
  if (wanted === undefined || version === undefined) return undefined
  const packages = Object.entries({ [wanted]: version, ...others }).flatMap(([each, exact]) =>
    exact === undefined ? [] : [[each, { version: exact, integrity: integrity?.[each] }] as const]
  )
  return { name, packages: Object.fromEntries(packages), overrides, rebuild }
}

/**
 * The path of a node's program: from the package next to this one or in the working directory's project, from the
 * folder of `scripts/nodes.mjs`, from the sandbox's own folder, or else from the PATH. Undefined if there is none.
 *
 * @since 0.1.0
 * @category operations
 */
export const findProgram = (name: NodeName): string | undefined => {
  const entry = nodeBinaries[name]
  const wanted = packageFor(entry)
  const own = installationOf(name)
  if (wanted !== undefined) {
    const folders = [import.meta.url, join(process.cwd(), "package.json")].flatMap(foldersAbove)
    for (const folder of [
      ...folders,
      ...folders.map((modules) => join(modules, ownFolder(name, entry), "node_modules")),
      ...(own === undefined ? [] : [join(Installation.folderOf(own), "node_modules")])
    ]) {
      const found = findFile(folder, wanted, entry)
      if (found !== undefined) return found
    }
  }
  return entry.command === undefined ? undefined : findOnPath(entry.command)
}

/**
 * The instruction that installs a node.
 *
 * @since 0.1.0
 * @category operations
 */
export const installAdvice = (name: NodeName): string => {
  const entry = nodeBinaries[name]
  if (entry.system !== undefined) return `run "${entry.system}", or put ${name} on the PATH`
  const wanted = packageFor(entry)
  const path =
    name === "anvil"
      ? wanted === undefined
        ? `install Foundry (https://getfoundry.sh) and put anvil ${entry.version} on the PATH`
        : ", or put Foundry's anvil on the PATH"
      : ""
  if (wanted === undefined) return path || `there is no package for ${process.platform}-${process.arch}`
  if (entry.beside) return `run "npm install --save-dev ${wanted}@${entry.version}"${path}`
  // npm reads overrides from a package.json only, which the script writes
  if (entry.rebuild !== undefined)
    return `run "node scripts/nodes.mjs ${name}" in the repository of effect-chains`
  const prefix = join("node_modules", ownFolder(name, entry))
  const all = Object.entries({ [wanted]: entry.version, ...entry.with }).map((each) => each.join("@"))
  return `run "npm install --ignore-scripts --prefix ${prefix} ${all.join(" ")}"`
}

/**
 * The path of a node's program; see `findProgram`. Fails (`binary`) with the command that installs it.
 *
 * @since 0.1.0
 * @category operations
 */
export const requireProgram = (name: NodeName): Effect.Effect<string, SandboxError> =>
  Effect.suspend(() => {
    const found = findProgram(name)
    return found === undefined
      ? new SandboxError({
          reason: "binary",
          message: `The sandbox needs the ${name} binary, which is not installed: ${installAdvice(name)}`
        })
      : Effect.succeed(found)
  })
