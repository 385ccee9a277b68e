/**
 * The documentation site: `npm run docs:build` makes it, `npm run docs` shows it as it is edited. `--out=FOLDER` is another folder than
 * `docs/.vitepress/dist`, `--no-api` leaves out the pages of exports, which take half a minute when the sources have changed.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { build, createServer } from "vitepress"

const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)

const root = "docs"
const api = join(root, "api")
const madeOf = "node_modules/.cache/effect-chains-api"

/** What the pages of exports are made from. */
const digest = (): string => {
  const hash = createHash("sha256").update(readFileSync(join(root, ".vitepress/typedoc.json")))
  for (const folder of ["src", "react"]) {
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
      if (/\.tsx?$/.test(file)) hash.update(file).update(readFileSync(join(folder, file)))
    }
  }
  return hash.digest("hex")
}

/** Makes the pages of exports by typedoc, unless they are those of these sources. */
const makeApi = (): void => {
  const now = digest()
  const isMade = existsSync(api) && existsSync(madeOf) && readFileSync(madeOf, "utf8") === now
  if (isMade) return
  process.stdout.write("Making the pages of exports …\n")
  rmSync(api, { recursive: true, force: true })
  const typedoc = "node_modules/typedoc/bin/typedoc"
  execFileSync(process.execPath, [typedoc, "--options", join(root, ".vitepress/typedoc.json")], {
    stdio: "inherit"
  })
  mkdirSync(dirname(madeOf), { recursive: true })
  writeFileSync(madeOf, now)
}

if (process.argv.includes("--no-api")) rmSync(api, { recursive: true, force: true })
else makeApi()

if (process.argv[2] === "build") {
  const outDir = option("out")
  await build(root, outDir === undefined ? {} : { outDir })
} else {
  const server = await createServer(root, { port: Number(option("port") ?? 5173) })
  await server.listen()
  server.printUrls()
}
