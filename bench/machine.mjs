/** Where and with what a run was made. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { availableParallelism, cpus } from "node:os"
import { version as tatum } from "./tatum.mjs"

const root = new URL("../", import.meta.url)

const git = (...args) => {
  try {
    return execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    }).trim()
  } catch {
    return ""
  }
}

const versionOf = (name) =>
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, root), "utf8")).version

/** The commit, with a `+` if files have been changed since. */
export const stamp = () => {
  const commit = git("rev-parse", "--short", "HEAD")
  return {
    commit:
      commit === "" ? "unknown" : `${commit}${git("status", "--porcelain", "--", "src") === "" ? "" : "+"}`,
    date: new Date().toISOString(),
    machine: `${cpus()[0]?.model ?? process.arch}, ${availableParallelism()} cores, Node ${process.version}`,
    versions: {
      ...Object.fromEntries(
        ["effect", "viem", "ethers", "@solana/kit", "undici"].map((name) => [name, versionOf(name)])
      ),
      "@tatumio/tatum": tatum
    }
  }
}
