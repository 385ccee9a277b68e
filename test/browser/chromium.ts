/** The path of Chromium, and its start for tests. */
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { type Browser, chromium } from "playwright-core"

/** A path that is given is the one that is used, or none. */
const given = process.env.CHROMIUM_PATH || undefined

const executablePath = [
  given ?? "/usr/bin/chromium",
  ...(given === undefined ? (process.env.PATH ?? "").split(delimiter) : []).flatMap((folder) =>
    ["chromium", "chromium-browser", "google-chrome"].map((name) => join(folder, name))
  )
].find((path) => existsSync(path))

/** Whether tests with Chromium (and what else they need) can run: a line is printed where they cannot, and in CI they must. */
export const isRunnable = (what: string, lacking: ReadonlyArray<string> = []): boolean => {
  const missing = [...(executablePath === undefined ? ["no chromium"] : []), ...lacking]
  if (missing.length === 0) return true
  const line = `left out: ${what} (${missing.join(", ")})`
  if (process.env.CI === "true") throw new Error(line)
  console.log(line)
  return false
}

/** Starts Chromium, which the caller closes. */
export const launch = (args: ReadonlyArray<string> = []): Promise<Browser> =>
  chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ["--no-sandbox", "--disable-dev-shm-usage", ...args]
  })
