/** The webhook server of the docs, run like a reader's: in a process of its own. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import { freePort } from "../scripts/freePort.mjs"
import { listBlocks, readPage } from "./pages.js"

const root = join(import.meta.dirname, "..")

const readExample = (): string => {
  const [server] = listBlocks(readPage("docs/webhooks.md"))
  if (server === undefined) throw new Error("docs/webhooks.md has no server")
  return server.code
}

/**
 * Its url, the lines that it has written, how it has ended, if it has, and how to end it.
 */
export interface Receiver {
  readonly url: string
  readonly lines: ReadonlyArray<string>
  readonly code: () => number | null
  readonly end: () => Promise<void>
}

export const startReceiver = async (secret: string): Promise<Receiver> => {
  const folder = mkdtempSync(join(root, "node_modules", ".receiver-"))
  const outfile = join(folder, "server.mjs")
  await build({
    stdin: { contents: readExample(), resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    alias: { "effect-chains/webhook": "./src/webhook.ts" },
    logLevel: "silent"
  })
  const port = await freePort()
  // it keeps what it gets in a file of its folder
  const child = spawn(process.execPath, [outfile], {
    cwd: folder,
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const lines: Array<string> = []
  child.stdout.on("data", (chunk) => lines.push(...String(chunk).trim().split("\n")))
  const url = `http://127.0.0.1:${port}`
  const end = async (): Promise<void> => {
    const over = new Promise((done) => (child.exitCode === null ? child.once("exit", done) : done(undefined)))
    child.kill()
    await over
    rmSync(folder, { recursive: true })
  }
  for (let tries = 0; tries < 6_000; tries++) {
    const isUp = await fetch(url, { method: "POST" }).then(
      () => true,
      () => false
    )
    if (isUp) return { url, lines, code: () => child.exitCode, end }
    await new Promise((done) => setTimeout(done, 50))
  }
  await end()
  throw new Error("the server did not start")
}
