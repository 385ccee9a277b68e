/** Chromium for tests: in the project `browser` all files share one. */
import type { Browser, ConsoleMessage } from "playwright-core"
import { inject } from "vitest"
import { connect, executablePath, launchOwn } from "./launch.js"
import type {} from "./shared.js"

/** Whether tests with Chromium (and what else they need) can run: a line is printed where they cannot, and in CI they must. */
export const isRunnable = (what: string, lacking: ReadonlyArray<string> = []): boolean => {
  const missing = [...(executablePath === undefined ? ["no chromium"] : []), ...lacking]
  if (missing.length === 0) return true
  const line = `left out: ${what} (${missing.join(", ")})`
  if (process.env.CI === "true") throw new Error(line)
  console.log(line)
  return false
}

/** What the files of the project share: `/chromium`, `/site`. */
export const askShared = async (url: string, path: string): Promise<string> => {
  const response = await fetch(url + path)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/** Chromium with nothing of other callers: its contexts, pages and stores are the caller's own, and end when the caller closes it. */
export const launch = async (): Promise<Browser> => {
  const shared = inject("shared")
  return shared === undefined ? launchOwn() : connect(await askShared(shared, "/chromium"))
}

/**
 * What a line of a page's console complains of. Chromium warns where a page gives up a socket that is not open yet, which pages do that change
 * their mind; on a busy machine sockets take long to open.
 */
export const complaintOf = (line: ConsoleMessage): string | undefined =>
  /^(error|warning)$/.test(line.type()) && !/WebSocket is closed before the connection/.test(line.text())
    ? `${line.type()}: ${line.text()} (${line.location().url})`
    : undefined
