// Prepares the package as an application gets it: built, packed into a tarball, and installed in a project of its own.
import { execFile, execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { freePort } from "./freePort.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const cache = join(root, "node_modules/.cache/effect-chains")

/** Runs a program in a folder, and yields its output. */
export const sh = (command, args, cwd) =>
  execFileSync(command, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    shell: process.platform === "win32"
  })

/** The state of all files that git knows or could know, as git names it; undefined outside of a repository. */
const findTree = () => {
  const index = join(mkdtempSync(join(tmpdir(), "effect-chains-")), "index")
  const git = (...args) =>
    execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, GIT_INDEX_FILE: index },
      stdio: ["ignore", "pipe", "ignore"]
    }).trim()
  try {
    git("read-tree", "HEAD")
    git("add", "--all")
    return git("write-tree")
  } catch {
    return undefined
  } finally {
    rmSync(dirname(index), { recursive: true })
  }
}

/** What was built: the files that it was built of, and when its main file was written. */
const describeBuild = (home, tree) => {
  const { exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"))
  const main = join(home, exports["."].default)
  return existsSync(main) ? `${tree} ${statSync(main).mtimeMs}` : undefined
}

/**
 * Builds and packs the package, or one of the workspace, into a folder, and yields the path of the tarball. What was built of the same files for
 * another tarball is not built again.
 */
export const pack = (folder, workspace = ".") => {
  const home = join(root, workspace)
  const stamp = join(cache, `packed-${workspace.replace(/\W/g, "")}`)
  const tree = findTree()
  const isBuilt =
    tree !== undefined && existsSync(stamp) && readFileSync(stamp, "utf8") === describeBuild(home, tree)
  const options = ["--pack-destination", folder, "--silent", ...(isBuilt ? ["--ignore-scripts"] : [])]
  const printed = sh("npm", ["pack", ...options], home)
  if (tree !== undefined) {
    mkdirSync(cache, { recursive: true })
    writeFileSync(stamp, describeBuild(home, tree) ?? "")
  }
  return join(folder, printed.trim().split("\n").at(-1))
}

/**
 * Packs the packages once for all tests of a vitest project, which get them with `inject("tarball")` and
 * `inject("fleet")`.
 */
export const setup = ({ provide }) => {
  const folder = mkdtempSync(join(tmpdir(), "effect-chains-"))
  provide("tarball", pack(folder))
  provide("fleet", pack(folder, "packages/fleet"))
  return () => rmSync(folder, { recursive: true })
}

const execute = promisify(execFile)

/** Runs a program in a folder, and yields its output. Output on standard error is a failure. */
export const runQuietly = async (command, args, cwd, env = {}) => {
  const options = {
    cwd,
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 26,
    shell: process.platform === "win32"
  }
  const { stdout, stderr } = await execute(command, args, options)
  if (stderr.trim() !== "")
    throw Object.assign(new Error(`${command} ${args.join(" ")} warns`), { stdout, stderr })
  return stdout
}

/** Makes a project with files and packages. Any message of npm is a failure. */
export const project = async (folder, packages, files = {}) => {
  mkdirSync(folder, { recursive: true })
  const manifest = JSON.stringify({ name: "app", private: true, type: "module" })
  for (const [name, text] of Object.entries({ "package.json": manifest, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"]
  if (packages.length > 0) await runQuietly("npm", ["install", ...flags, ...packages], folder)
  return folder
}

/** Starts a program, and yields its process once its output matches. The caller ends it. */
export const startProgram = async (command, args, cwd, ready, env = {}) => {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${command} is not ready:\n${output}`)), 300_000)
    child.once("exit", () => reject(new Error(`${command} has ended:\n${output}`)))
    child.once("error", reject)
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk
        if (!ready.test(output)) return
        clearTimeout(late)
        resolve()
      })
  }).catch((error) => {
    child.kill("SIGKILL")
    throw error
  })
  return { child, output: () => output }
}

/**
 * Starts the sandbox of the build with its command line: its url for clients, and an account's key. `end` ends it and
 * its nodes.
 */
export const sandbox = async () => {
  const cli = join(root, "dist/cli/main.js")
  const args = [
    cli,
    "sandbox",
    "--quiet",
    "--network",
    "ethereum-mainnet",
    "--port",
    String(await freePort())
  ]
  const { child, output } = await startProgram(process.execPath, args, root, /init\(.*\)/)
  const [, url] = /provider: "(.*)" \}\)/.exec(output())
  const end = () =>
    new Promise((resolve) => {
      child.once("exit", resolve)
      child.kill("SIGINT")
    })
  return { provider: { baseUrl: url, nodeListUrl: url, domain: new URL(url).hostname }, end }
}

// `node pack.mjs FOLDER` packs both packages, and prints the paths of their tarballs
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? ".")
  for (const workspace of [".", "packages/fleet"]) process.stdout.write(`${pack(folder, workspace)}\n`)
}
