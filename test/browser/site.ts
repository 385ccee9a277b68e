/** The documentation site as it is built, for tests: its files, a server of them, and what axe says of its pages. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { AxeResults, RunOptions } from "axe-core"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import { inject } from "vitest"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { askShared } from "./chromium.js"

export const root = fileURLToPath(new URL("../../", import.meta.url))

const anvil = await Effect.runPromise(Effect.either(Anvil.binary))

/** Whether there are nodes for live examples. */
export const hasAnvil = anvil._tag === "Right"

/** The folder of the site, which is built for the first file that asks. */
export const siteFolder = async (): Promise<string> => {
  const shared = inject("shared")
  if (shared === undefined) throw new Error("the site is built in the project `browser` alone")
  return askShared(shared, hasAnvil ? "/site" : "/site-without-answers")
}

/** The paths of the site's pages: `/`, `/errors`. */
export const pathsOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html") && file !== "404.html")
    .map((file) => `/${file.replaceAll("\\", "/").replace(/(^|\/)?index\.html$|\.html$/, "$1")}`)

/** The file of a page. */
export const fileOf = (folder: string, path: string): string =>
  join(folder, path.endsWith("/") ? `${path}index.html` : `${path}.html`)

const types = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" }

/** Serves the site as hosts of static files do. */
export const serveSite = async (folder: string) => {
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "/").replace(/[?#].*$/, ""))
    const file = [join(folder, path), fileOf(folder, path)].find(
      (each) => /\.\w+$/.test(each) && existsSync(each)
    )
    if (file === undefined) return response.writeHead(404).end()
    const type = Object.entries(types).find(([end]) => file.endsWith(`.${end}`))?.[1]
    response.writeHead(200, { "content-type": type ?? "application/octet-stream" }).end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: (): void => {
      server.closeAllConnections()
      server.close()
    }
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** The problems that axe finds on a page as it is now. */
export const violationsOf = async (page: Page, options: RunOptions = {}): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  const { violations }: AxeResults = await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.map(
    ({ id, nodes }) =>
      `${id} ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 160))
        .join(" ")}`
  )
}
