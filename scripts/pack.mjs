// The package as an application gets it: built, and packed into a tarball.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Runs a program in a folder, and yields what it prints. */
export const sh = (command, args, cwd) =>
  execFileSync(command, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    shell: process.platform === "win32"
  })

/** Builds and packs the package into a folder, and yields the path of the tarball. */
export const pack = (folder) => {
  const printed = sh("npm", ["pack", "--pack-destination", folder, "--silent"], root)
  return join(folder, printed.trim().split("\n").at(-1))
}
