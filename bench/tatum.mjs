/** The client that users would migrate from, as npm has it: in a cache folder, so that it is no dependency of ours. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const version = "4.2.58"
const name = "@tatumio/tatum"
const modules = fileURLToPath(new URL("../node_modules/", import.meta.url))
const home = join(modules, ".cache", "effect-chains", "peers", `tatum-${version}`)

/** The folder it is in, for bundlers. */
export const folder = join(home, "node_modules", ...name.split("/"))

/** Installs it if need be; returns why it is not to be had, or undefined. */
export const ensure = () => {
  if (existsSync(join(folder, "package.json"))) return undefined
  const temporary = mkdtempSync(join(modules, ".tatum-"))
  const windows = process.platform === "win32"
  try {
    writeFileSync(join(temporary, "package.json"), "{}")
    execFileSync(
      "npm",
      [
        ...["install", "--prefix", temporary, "--ignore-scripts", "--no-audit", "--no-fund"],
        ...["--loglevel=error", `${name}@${version}`]
      ],
      { cwd: temporary, stdio: "pipe", encoding: "utf8", timeout: 120_000, shell: windows }
    )
    if (existsSync(join(folder, "package.json"))) return undefined
    mkdirSync(dirname(home), { recursive: true })
    rmSync(home, { recursive: true, force: true })
    renameSync(temporary, home)
    return undefined
  } catch (error) {
    const line = `${error.stderr ?? ""}`.split("\n").find((text) => /^npm (error|ERR!)/.test(text))
    return `${name}@${version} did not install (${line ?? error.message})`
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** What it exports. */
export const load = () => createRequire(join(home, "package.json"))(name)
