/**
 * Installs real chain nodes for the sandbox and the tests: `node scripts/nodes.mjs bcoin surfpool …`.
 *
 * None of them is in package.json, since npm would write the packages of other platforms into the lockfile, and `npm
 * ci` would fail if a registry lacks one of them. Users of the SDK do not need them either.
 */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import nodes from "../src/sandbox/nodes/binaries.json" with { type: "json" }

const root = fileURLToPath(new URL("..", import.meta.url))
const windows = process.platform === "win32"
const platform = `${process.platform}-${process.arch}`
/** The sandbox's nodes, and what only tests need: an OpenTelemetry collector, and the contracts of Safe as their makers have compiled them. */
const table = {
  ...nodes,
  rotel: {
    version: "0.0.8-alpha",
    package: { "linux-x64": "@streamfold/rotel-linux-x64" },
    file: "bin/rotel-agent",
    native: true
  },
  safe: {
    version: "1.4.1-build.0",
    package: "@safe-global/safe-contracts",
    file: "build/artifacts/contracts/Safe.sol/Safe.json",
    // its peer is an ethers that compiles and deploys it
    peers: false
  }
}
/** `src/sandbox/nodes/binaries.ts` describes the columns, and finds the installed nodes for the sandbox. */
const executable = (name) => (windows ? `${name}.exe` : name)

const nameOf = (entry) => (typeof entry.package === "object" ? entry.package[platform] : entry.package)

/** The folder whose node_modules have the package. */
const homeOf = (name, entry) =>
  entry.beside
    ? root
    : join(root, "node_modules", ".cache", "effect-chains", "nodes", `${name}-${entry.version}`)

const findInstalled = (name, home = homeOf(name, table[name])) => {
  const entry = table[name]
  const packageName = nameOf(entry)
  if (packageName === undefined) return undefined
  const folder = join(home, "node_modules", packageName)
  try {
    const { main, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    const file = join(folder, entry.native ? executable(entry.file) : (entry.file ?? main))
    return version === entry.version && existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}

const findOnPath = ({ command }) =>
  command === undefined
    ? undefined
    : (process.env.PATH ?? "")
        .split(delimiter)
        .filter((folder) => folder !== "")
        .map((folder) => resolve(folder, executable(command)))
        .find((path) => existsSync(path))

/** The path of a node's program: the package's file, or else the command on the PATH; undefined if neither exists. */
export const find = (name, home) => findInstalled(name, home) ?? findOnPath(table[name])

export const packageOf = (name) => {
  const { integrity, version, ...entry } = table[name]
  const packageName = nameOf(entry)
  return packageName === undefined
    ? undefined
    : { name: packageName, version, integrity: integrity?.[packageName] }
}

/** Whether the node's package is installed. A command on the PATH counts only where the package cannot be. */
export const isInstalled = (name) => findInstalled(name) !== undefined

/** The command that installs the node, or the reason why it is not available here. */
export const remedy = (name) => {
  const entry = table[name]
  if (entry.system !== undefined) return entry.system
  return nameOf(entry) === undefined ? `no package for ${platform}` : `node scripts/nodes.mjs ${name}`
}

/** The first line of npm's error. */
export const reasonOf = (error) =>
  `${error.stderr ?? ""}`.split("\n").find((line) => /^npm (error|ERR!)/.test(line)) ?? error.message

/** Runs npm in a folder, and throws if it fails. */
export const npm = (folder, args) => {
  const path = process.env.npm_execpath
  const options = { cwd: folder, stdio: "pipe", encoding: "utf8", timeout: 300_000 }
  const all = [...args, "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error"]
  // `npm run` gives the path of npm's script. Otherwise npm is on the PATH, where Windows has it as a .cmd file.
  if (path?.endsWith("npm-cli.js")) execFileSync(process.execPath, [path, ...all], options)
  else execFileSync("npm", all, { ...options, shell: windows })
}

/**
 * Installs into a new folder and then moves it, so that no incomplete folder is found, and package.json and the
 * lockfile do not change. npm would also skip a package that is an optional peer of this project.
 */
const install = (name) => {
  const entry = table[name]
  const packageName = nameOf(entry)
  const folder = mkdtempSync(join(root, "node_modules", `.${name}-`))
  const home = homeOf(name, entry)
  const [from, to] = entry.beside
    ? [join(folder, "node_modules", packageName), join(home, "node_modules", packageName)]
    : [folder, home]
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ overrides: entry.overrides ?? {} }))
    const others = Object.entries(entry.with ?? {}).map((each) => each.join("@"))
    const options = entry.peers === false ? ["--legacy-peer-deps"] : []
    npm(folder, ["install", "--ignore-scripts", ...options, `${packageName}@${entry.version}`, ...others])
    if (entry.rebuild !== undefined) npm(folder, ["rebuild", ...entry.rebuild])
    // another process may have been faster
    if (findInstalled(name) !== undefined) return
    rmSync(to, { recursive: true, force: true })
    mkdirSync(dirname(to), { recursive: true })
    renameSync(from, to)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The error of a missing node, which says how to install it. */
export const missing = (name, reason) => {
  const { system } = table[name]
  const wanted = packageOf(name)
  const advice =
    system !== undefined
      ? `run "${system}"`
      : name !== "anvil"
        ? `run "node scripts/nodes.mjs ${name}" once that is no more`
        : wanted === undefined
          ? "install Foundry (https://getfoundry.sh) and put anvil on the PATH"
          : `run "npm install --no-save ${wanted.name}@${wanted.version}", or put Foundry's anvil on the PATH`
  return new Error(`No ${name}: ${reason ?? `there is no package for ${platform}`}; ${advice}.`)
}

/** The path of the node's program, installed if necessary. Throws one Error that says what to do. */
export const ensure = (name, { onProgress = () => {} } = {}) => {
  const present = findInstalled(name)
  if (present !== undefined) return present
  const entry = table[name]
  const packageName = nameOf(entry)
  const wanted = `${packageName}@${entry.version}`
  let reason
  if (packageName !== undefined) {
    onProgress(`Installing ${wanted}`)
    try {
      install(name)
      const path = findInstalled(name)
      if (path !== undefined) return path
      reason = `${wanted} was installed without its program`
    } catch (error) {
      reason = `${wanted} did not install (${reasonOf(error)})`
    }
  }
  const found = findOnPath(entry)
  if (found !== undefined) return found
  throw missing(name, reason)
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  for (const name of process.argv.slice(2)) {
    try {
      if (!Object.hasOwn(table, name))
        throw new Error(`No ${name}: there are ${Object.keys(table).join(", ")}.`)
      console.log(`${name}: ${ensure(name, { onProgress: console.log })}`)
    } catch (error) {
      console.error(error.message)
      process.exitCode = 1
    }
  }
}
