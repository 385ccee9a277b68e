/**
 * Builds the published command line: one program with its dependencies, in chunks that a command loads when it needs
 * them. Only optional peers are imported from outside; a command names those that are missing.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const root = fileURLToPath(new URL("..", import.meta.url))
const { peerDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))

/** Packages that an application may have installed. Effect is bundled, so that its version does not matter. */
const others = Object.keys(peerDependencies)
  .filter((name) => !/^@?effect(\/|$)/.test(name))
  .map((name) => new RegExp(`^${name}(/|$)`))

/** The folders of the bundled packages, from the ids of modules. */
const packagesOf = (ids) => {
  const found = new Map()
  for (const id of ids) {
    const [folder, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/.exec(id) ?? []
    if (folder !== undefined) found.set(name, folder)
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1))
}

const licences = (packages) =>
  packages
    .map(([name, folder]) => {
      const { license, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
      const texts = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license", "LICENCE"].flatMap((file) => {
        try {
          return [readFileSync(join(folder, file), "utf8").trim()]
        } catch {
          return []
        }
      })
      return `${name} ${version} (${license})\n\n${texts[0] ?? ""}`
    })
    .join(`\n\n${"-".repeat(80)}\n\n`)

/** Node's options. A small young generation keeps the memory low, since the sandbox runs for hours. */
const SHEBANG = "#!/usr/bin/env -S node --max-semi-space-size=4\n"

/** Writes the program into a folder, as `main.js`. */
export const buildInto = async (outdir) => {
  rmSync(outdir, { recursive: true, force: true })
  const bundle = await rolldown({
    input: { main: `${root}src/cli/main.ts` },
    external: others,
    platform: "node",
    resolve: { extensionAlias: { ".js": [".ts", ".tsx", ".js"] } },
    treeshake: { moduleSideEffects: false },
    onLog: (level, log) => {
      // the sandbox imports some recordings both statically and on demand
      if (level === "warn" && log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") throw new Error(log.message)
    }
  })
  const { output } = await bundle.write({
    dir: outdir,
    format: "esm",
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "parts/[name]-[hash].js",
    banner: ({ isEntry }) => (isEntry ? SHEBANG : "")
  })
  const inside = packagesOf(output.flatMap(({ modules = {} }) => Object.keys(modules)))
  writeFileSync(join(outdir, "LICENSES.txt"), `${licences(inside)}\n`)
  chmodSync(join(outdir, "main.js"), 0o755)
  return output
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildInto(`${root}dist/cli`)
