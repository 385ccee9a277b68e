// The versions of the next release: what its pull request changes. Before 1.0 the fleet asks for the newest version that it was made with, or one
// above it; changesets would take a minor version of the package for a major one of the fleet.
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const cwd = fileURLToPath(new URL("..", import.meta.url))
const run = (command, ...args) => execFileSync(command, args, { cwd, stdio: "inherit" })

run("npx", "changeset", "version")
const { version } = JSON.parse(readFileSync(`${cwd}package.json`, "utf8"))
run("npm", "pkg", "set", "-w", "packages/fleet", `peerDependencies.effect-chains=>=${version} <1.0.0`)
run("npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund")
run("npx", "biome", "format", "--write", ".")
run("node", "scripts/entries.mjs")
