/**
 * Packages that are no dependencies of ours, as npm has them: clients of others, for tests and benches. Each set is in a
 * folder of its own in the cache of node_modules, which leaves package.json and the lockfile as they are.
 */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const modules = fileURLToPath(new URL("../node_modules/", import.meta.url))
const peers = join(modules, ".cache", "effect-chains", "peers")

/** The folder of a set of packages (versions by names), in which a `node_modules` stands. */
export const homeOf = (packages) =>
  join(
    peers,
    Object.entries(packages)
      .map(([name, version]) => `${name.replace(/^@[^/]*\/|\W/g, "")}-${version}`)
      .join("_")
  )

/** Installs a set of packages if need be; returns why they are not to be had, or undefined. */
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
    // another process may have been as quick
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

/** What a package of a set exports to CommonJS. */
export const load = (packages, name) => createRequire(join(homeOf(packages), "package.json"))(name)
