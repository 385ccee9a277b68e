/** The path of Chromium, and its start. */
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { type Browser, type BrowserServer, chromium } from "playwright-core"

/** A path that is given is the one that is used, or none. */
const given = process.env.CHROMIUM_PATH || undefined

export const executablePath = [
  given ?? "/usr/bin/chromium",
  ...(given === undefined ? (process.env.PATH ?? "").split(delimiter) : []).flatMap((folder) =>
    ["chromium", "chromium-browser", "google-chrome"].map((name) => join(folder, name))
  )
].find((path) => existsSync(path))

const options = {
  ...(executablePath === undefined ? {} : { executablePath }),
  args: ["--no-sandbox", "--disable-dev-shm-usage"]
}

/** Limits what hangs, and nothing else: on a busy machine pages are late. */
const limitWaits = (browser: Browser): Browser => {
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (given) => {
    const context = await newContext(given)
    context.setDefaultTimeout(300_000)
    return context
  }
  return browser
}

/** Starts Chromium, which the caller closes. */
export const launchOwn = async (): Promise<Browser> => limitWaits(await chromium.launch(options))

/** Starts Chromium for callers that connect to it, each with pages of its own. */
export const launchServer = (): Promise<BrowserServer> => chromium.launchServer(options)

/** Connects to a Chromium that was started so. */
export const connect = async (endpoint: string): Promise<Browser> =>
  limitWaits(await chromium.connect(endpoint))
