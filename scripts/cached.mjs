/**
 * Installs packages that are not our dependencies, such as other clients for tests and benches. Each set has a folder
 * of its own in the cache of node_modules, so that package.json and the lockfile do not change.
 */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const modules = fileURLToPath(new URL("../node_modules/", import.meta.url))
const peers = join(modules, ".cache", "effect-chains", "peers")

/** The folder of a set of packages (versions by names), which contains its `node_modules`. */
export const homeOf = (packages) =>
  join(
    peers,
    Object.entries(packages)
      .map(([name, version]) => `${name.replace(/^@[^/]*\/|\W/g, "")}-${version}`)
      .join("_")
  )

/** Installs a set of packages if necessary. Returns the reason why that fails, or undefined. */
export const ensure = (packages) => {
  const home = homeOf(packages)
  const isThere = () =>
    Object.keys(packages).every((name) => existsSync(join(home, "node_modules", name, "package.json")))
  if (isThere()) return undefined
  const wanted = Object.entries(packages).map((pair) => pair.join("@"))
  mkdirSync(peers, { recursive: true })
  const temporary = mkdtempSync(join(modules, ".peers-"))
  try {
    writeFileSync(join(temporary, "package.json"), "{}")
    execFileSync(
      "npm",
      [
        ...["install", "--prefix", temporary, "--ignore-scripts", "--no-audit", "--no-fund"],
        ...["--loglevel=error", ...wanted]
      ],
      {
        cwd: temporary,
        stdio: "pipe",
        encoding: "utf8",
        timeout: 120_000,
        shell: process.platform === "win32"
      }
    )
    // another process may have been faster
    if (isThere()) return undefined
    rmSync(home, { recursive: true, force: true })
    renameSync(temporary, home)
    return undefined
  } catch (error) {
    const line = `${error.stderr ?? ""}`.split("\n").find((text) => /^npm (error|ERR!)/.test(text))
    return `${wanted.join(" ")} did not install (${line ?? error.message})`
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** The CommonJS exports of a package in a set. */
export const load = (packages, name) => createRequire(join(homeOf(packages), "package.json"))(name)
