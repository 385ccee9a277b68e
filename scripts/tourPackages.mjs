/**
 * Installs the packages of the tour (`npm start`), an eighth of all. If packages are missing, the tour's are installed
 * as in the lockfile, into a folder of their own, so that `npm test` finds no incomplete installation.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as nodes from "./nodes.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))

/** The tour's imports, and esbuild, which bundles it. `test/tour.test.ts` compares them with the imports. */
export const names = [
  "@effect/platform",
  "@noble/hashes",
  "effect",
  "esbuild",
  "node-sqlite3-wasm",
  "ox",
  "ws"
]

/** The folder of their installation. */
const home = join(root, "node_modules", ".cache", "effect-chains", "tour")

/**
 * The options of the tour's bundle. Imports on demand stay imports, since the libraries of other chains are not
 * installed.
 */
export const options = { sourcemap: false, splitting: true }

/** Whether all packages of the repository are installed, and the lockfile is not newer. */
export const isComplete = () => {
  // npm writes this file at the end
  const installed = join(root, "node_modules", ".package-lock.json")
  return (
    existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, "package-lock.json")).mtimeMs
  )
}

/** The path in a lockfile where Node finds a package that the package at another path imports. */
const placeOf = (packages, from, name) => {
  const place = `${from}${from === "" ? "" : "/"}node_modules/${name}`
  if (packages[place] !== undefined) return place
  if (from === "") return undefined
  return placeOf(packages, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))), name)
}

/** The entries of a lockfile for these packages and their dependencies. */
export const cut = (packages, wanted) => {
  const kept = {}
  const keep = (from, name) => {
    const place = placeOf(packages, from, name)
    if (place === undefined) throw new Error(`package-lock.json has no ${name} for ${from || "the tour"}`)
    if (kept[place] !== undefined) return
    const { dev: _, devOptional: __, peer: ___, ...entry } = packages[place]
    // a lockfile may lack packages for other platforms
    const optional = Object.entries(entry.optionalDependencies ?? {}).filter(
      ([each]) => placeOf(packages, place, each) !== undefined
    )
    kept[place] = {
      ...entry,
      ...(entry.optionalDependencies && { optionalDependencies: Object.fromEntries(optional) })
    }
    const peers = Object.keys(entry.peerDependencies ?? {}).filter(
      (each) => entry.peerDependenciesMeta?.[each]?.optional !== true
    )
    for (const each of [
      ...Object.keys(entry.dependencies ?? {}),
      ...peers,
      ...optional.map(([each]) => each)
    ])
      keep(place, each)
  }
  for (const name of wanted) keep("", name)
  return kept
}

/** The lockfile of the tour: its packages, and a node if there is one for this platform. */
const lockfile = () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))
  const kept = cut(packages, names)
  const anvil = nodes.packageOf("anvil")
  const project = {
    name: "effect-chains-tour",
    dependencies: Object.fromEntries(names.map((name) => [name, kept[`node_modules/${name}`].version])),
    // the node may be on the PATH instead
    optionalDependencies: anvil === undefined ? {} : { [anvil.name]: anvil.version }
  }
  if (anvil !== undefined) {
    const { integrity, name, version } = anvil
    kept[`node_modules/${name}`] = { version, integrity, optional: true }
  }
  return {
    project,
    lock: { name: project.name, lockfileVersion: 3, requires: true, packages: { "": project, ...kept } }
  }
}

/**
 * Installs what the tour needs, if it is missing. It installs into a new folder and then moves it, so that no
 * incomplete one is found. Throws an Error that says what to do.
 */
export const ensure = ({ onProgress }) => {
  const { lock, project } = lockfile()
  const wanted = JSON.stringify(lock)
  const path = join(home, "package-lock.json")
  const hasAnvil = () => (nodes.find("anvil", home) ?? nodes.find("anvil")) !== undefined
  const isThere = () => existsSync(path) && readFileSync(path, "utf8") === wanted && hasAnvil()
  if (isThere()) return
  onProgress("Installing the tour's packages from npm")
  mkdirSync(dirname(home), { recursive: true })
  const draft = mkdtempSync(`${home}-`)
  // Ctrl-C ends npm, and this process once it has removed the folder
  const goOn = () => {}
  process.on("SIGINT", goOn)
  try {
    writeFileSync(join(draft, "package.json"), JSON.stringify(project))
    writeFileSync(join(draft, "package-lock.json"), wanted)
    nodes.npm(draft, ["ci", "--ignore-scripts", "--include=optional"])
    // another process may have been faster
    if (!isThere()) {
      rmSync(home, { recursive: true, force: true })
      renameSync(draft, home)
    }
  } catch (error) {
    throw new Error(
      `The tour's packages did not install (${nodes.reasonOf(error)}). Check that npm reaches its registry ("npm ping"), and start again.`
    )
  } finally {
    rmSync(draft, { recursive: true, force: true })
    process.off("SIGINT", goOn)
  }
  const anvil = nodes.packageOf("anvil")
  if (!hasAnvil()) throw nodes.missing("anvil", anvil && `${anvil.name}@${anvil.version} did not install`)
}

/** The folder from which Node finds all imports of the tour; undefined if all packages are installed. */
export const folder = () => (isComplete() ? undefined : home)
