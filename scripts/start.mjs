// `npm start` runs the tour, and with `-- --playground` serves the page. Each first installs what it needs.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const args = process.argv.slice(2)
const isPage = args.includes("--playground")
const setup = fileURLToPath(new URL("setup.mjs", import.meta.url))
const { status } = spawnSync(process.execPath, [setup, isPage ? "--sandbox" : "--tour"], { stdio: "inherit" })
if (status !== 0) process.exit(status ?? 1)

const { run } = await import("./program.mjs")
if (isPage) await run("scripts/playground.ts", args, "playground")
else {
  const { folder, options } = await import("./tourPackages.mjs")
  await run("scripts/tour.ts", args, "tour", { ...options, folder: folder() })
}
