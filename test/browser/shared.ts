/**
 * What the files of the project `browser` share: one Chromium, and one build of the documentation site. Each is started by the first file
 * that needs it, and ended with the run. Files of other projects find nothing here, and start what they need.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { BrowserServer } from "playwright-core"
import type { TestProject } from "vitest/node"
import { isNight } from "../night.js"
import { launchServer } from "./launch.js"

declare module "vitest" {
  interface ProvidedContext {
    /** Where files ask for what they share, in the project `browser`. */
    readonly shared: string | undefined
  }
}

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Makes the site in a folder; without anvil, without the answers of its live examples. Half of its work are the pages of exports. */
const buildSite = async (folder: string, isLive: boolean): Promise<string> => {
  const args = ["scripts/run.mjs", "scripts/docs.ts", "build", `--out=${folder}`]
  const without = [...(isLive ? [] : ["--no-live"]), ...(isNight ? [] : ["--no-api"])]
  await promisify(execFile)(process.execPath, [...args, ...without], { cwd: root })
  return folder
}

export const setup = async ({ provide }: TestProject) => {
  const folder = mkdtempSync(join(root, "node_modules", ".site-"))
  let chromium: Promise<BrowserServer> | undefined
  let site: Promise<string> | undefined
  const answer = async (url: string): Promise<string> => {
    if (url === "/chromium") {
      chromium ??= launchServer()
      return (await chromium).wsEndpoint()
    }
    site ??= buildSite(folder, url === "/site")
    return site
  }
  const server = createServer((request, response) => {
    answer(request.url ?? "").then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error))
    )
  })
  // the first file that asks for the site waits for its build
  server.requestTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const at = server.address()
  if (at === null || typeof at === "string") throw new Error("the server has no port")
  provide("shared", `http://127.0.0.1:${at.port}`)
  return async () => {
    server.closeAllConnections()
    server.close()
    await (await chromium?.catch(() => undefined))?.close()
    await site?.catch(() => undefined)
    rmSync(folder, { recursive: true, force: true })
  }
}
