// Installs missing packages, from npm only. `npm start` and `npm test` run it first. `--tour` installs only what the
// tour needs.
import { execFile, spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const root = fileURLToPath(new URL("..", import.meta.url))
const quiet = process.argv.includes("--quiet")
const isTour = process.argv.includes("--tour")
const started = Date.now()
const say = (line) => {
  if (!quiet) process.stdout.write(`${line}\n`)
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`effect-chains needs Node 20.19 or later; this is ${process.version}.\n`)
  process.exit(1)
}

const run = (command, args) => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32" && command === "npm"
  })
  if (status === 0) return
  process.stderr.write(`${command} ${args.join(" ")} failed:\n${stdout ?? ""}${stderr ?? ""}\n`)
  process.exit(status ?? 1)
}

// a static import would fail on older versions of Node
const tour = await import("./tourPackages.mjs")
const nodes = await import("./nodes.mjs")
const onProgress = (line) => say(`${line} …`)

/** Installs a node in a process of its own: npm's work for one waits for the network as much as for a core. */
const ensureNode = async (name) => {
  if (nodes.isInstalled(name)) return true
  onProgress(`Installing ${name}`)
  try {
    await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.resolve("./nodes.mjs")), name])
    return true
  } catch ({ message, stderr }) {
    process.stderr.write(stderr || `${message}\n`)
    return false
  }
}

const isComplete = tour.isComplete()
if (isTour && !isComplete) {
  try {
    tour.ensure({ onProgress })
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
} else if (!isComplete) {
  onProgress("Installing the dependencies from npm")
  // `npm ci` refuses a lockfile without the optional packages of other platforms, which a registry may lack
  run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"])
}

await import("./entries.mjs")

if (isComplete || !isTour) {
  // tests skip missing nodes with a message, but the tour and the page need the sandbox
  const isStrict = isTour || process.argv.includes("--sandbox")
  const wanted = process.argv.includes("--nodes")
    ? ["anvil", "surfpool", "bcoin", "bcash", "ton-sandbox", "rotel", "safe"]
    : ["anvil"]
  const [hasAnvil] = await Promise.all(wanted.map(ensureNode))
  if (!hasAnvil && isStrict) process.exit(1)
}

say(`Ready after ${((Date.now() - started) / 1000).toFixed(1)} s.`)
