// Installs missing packages, from npm only. `npm start` and `npm test` begin with it.
import { spawnSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const quiet = process.argv.includes("--quiet")
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

const installed = `${root}node_modules/.package-lock.json`
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(`${root}package-lock.json`).mtimeMs) {
  say("Installing the dependencies from npm …")
  // not `npm ci`, which refuses a lockfile without the optional packages of platforms that a registry lacks
  run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"])
}

await import("./entries.mjs")

// tests leave out missing nodes, with a line that says so; the tour cannot run without the sandbox
const { ensure } = await import("./nodes.mjs")
const nodes = process.argv.includes("--nodes")
  ? ["anvil", "surfpool", "bcoin", "bcash", "ton-sandbox", "rotel"]
  : ["anvil"]
for (const node of nodes) {
  try {
    ensure(node, { onProgress: (line) => say(`${line} …`) })
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    if (node === "anvil" && process.argv.includes("--sandbox")) process.exit(1)
  }
}

say(`Ready after ${((Date.now() - started) / 1000).toFixed(1)} s.`)
