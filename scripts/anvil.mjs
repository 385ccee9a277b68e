/**
 * Makes sure that an anvil binary is at hand for the sandbox: `node scripts/anvil.mjs`, or `ensureAnvil()`.
 *
 * The platform package is no entry of package.json, because npm writes the sibling packages of other platforms into
 * the lockfile and `npm ci` then fails where a registry lacks one of them.
 */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const VERSION = "1.7.1"

const packages = {
  "linux-x64": "@foundry-rs/anvil-linux-amd64",
  "linux-arm64": "@foundry-rs/anvil-linux-arm64",
  "darwin-x64": "@foundry-rs/anvil-darwin-amd64",
  "darwin-arm64": "@foundry-rs/anvil-darwin-arm64",
  "win32-x64": "@foundry-rs/anvil-win32-amd64"
}

const root = fileURLToPath(new URL("..", import.meta.url))
const name = packages[`${process.platform}-${process.arch}`]
const file = process.platform === "win32" ? "anvil.exe" : "anvil"

const installed = () => {
  if (name === undefined) return undefined
  const folder = join(root, "node_modules", name)
  const manifest = join(folder, "package.json")
  if (!existsSync(manifest) || JSON.parse(readFileSync(manifest, "utf8")).version !== VERSION)
    return undefined
  const binary = join(folder, "bin", file)
  return existsSync(binary) ? binary : undefined
}

const onPath = () =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => resolve(folder, file))
    .find((path) => existsSync(path))

/**
 * Puts the package beside the others; package.json and the lockfile stay as they are. It is installed in a folder of its
 * own and moved: in this one npm takes it for the optional peer that it also is, and installs nothing.
 */
const install = () => {
  const folder = mkdtempSync(join(root, "node_modules", ".anvil-"))
  const args = [
    "install",
    "--prefix",
    folder,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    `${name}@${VERSION}`
  ]
  const options = { cwd: folder, stdio: "pipe", encoding: "utf8", timeout: 180_000 }
  const npm = process.env.npm_execpath
  try {
    writeFileSync(join(folder, "package.json"), "{}")
    // Under `npm run` the npm at hand is known; else it is found on the PATH, where Windows has it as a .cmd file.
    if (npm?.endsWith(".js")) execFileSync(process.execPath, [npm, ...args], options)
    else execFileSync("npm", args, { ...options, shell: process.platform === "win32" })
    const target = join(root, "node_modules", name)
    rmSync(target, { recursive: true, force: true })
    mkdirSync(dirname(target), { recursive: true })
    renameSync(join(folder, "node_modules", name), target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The path of the anvil binary: the package, installed if need be, or else an anvil on the PATH. Throws one Error that
 * says what to do.
 */
export const ensureAnvil = ({ onProgress = () => {} } = {}) => {
  const present = installed()
  if (present !== undefined) return present
  let reason = `there is no anvil package for ${process.platform}-${process.arch}`
  if (name !== undefined) {
    onProgress(`Installing ${name}@${VERSION}`)
    try {
      install()
      const binary = installed()
      if (binary !== undefined) return binary
      reason = `${name}@${VERSION} was installed without bin/${file}`
    } catch (error) {
      const output = `${error.stderr ?? ""}`.split("\n").find((line) => /^npm (error|ERR!)/.test(line))
      reason = `${name}@${VERSION} did not install (${output ?? error.message})`
    }
  }
  const found = onPath()
  if (found !== undefined) return found
  throw new Error(
    `No anvil binary: ${reason}, and no anvil is on the PATH. ` +
      (name === undefined
        ? "Install Foundry (https://getfoundry.sh) and put anvil on the PATH."
        : `Run "npm install --no-save ${name}@${VERSION}", or put Foundry's anvil on the PATH.`)
  )
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    console.log(`anvil: ${ensureAnvil({ onProgress: console.log })}`)
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
