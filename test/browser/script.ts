/** Scripts of pages, as a browser gets them in production. */
import { createServer, type IncomingMessage } from "node:http"
import { fileURLToPath } from "node:url"
import { build, type Plugin } from "esbuild"

/** One file of a program of these tests, by its path from here. */
export const scriptOf = async (path: string, plugins: ReadonlyArray<Plugin> = []): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(path, import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [...plugins],
    write: false,
    logLevel: "silent"
  })
  return outputFiles[0]?.text ?? ""
}

/** Answers a request to the page's own node: its text, or nothing for a request that is for the page. */
type Answer = (request: IncomingMessage) => Promise<string | undefined>

/** Serves a page of one script on loopback, whose title is the name of the test. */
export const serveScript = async (title: string, script: string, answer: Answer = async () => undefined) => {
  const server = createServer(async (request, response) => {
    const sent = (type: string, body: string): void =>
      void response.writeHead(200, { "content-type": type }).end(body)
    if (request.url === "/main.js") return sent("text/javascript", script)
    const answered = await answer(request)
    if (answered !== undefined) return sent("application/json", answered)
    sent("text/html", `<!doctype html><title>${title}</title><script type="module" src="/main.js"></script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const at = server.address()
  if (at === null || typeof at === "string") throw new Error("the server has no port")
  return {
    url: `http://127.0.0.1:${at.port}/`,
    close: (): void => {
      server.closeAllConnections()
      server.close()
    }
  }
}
