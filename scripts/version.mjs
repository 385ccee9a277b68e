// Sets the versions of the next release in its pull request. Before 1.0 the fleet's peer range begins at the package's
// newest version. changesets would turn a minor version of the package into a major one of the fleet.
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
