/** A server on loopback that commands are pointed at. */
import { createServer } from "node:http"

/** A server that answers everything with this, and tells the headers that it was sent. */
export const startServer = async (
  answer: (body: string, path: string) => readonly [status: number, body: string]
) => {
  const headers: Array<NodeJS.Dict<string | Array<string>>> = []
  const listening = createServer((request, response) => {
    headers.push(request.headers)
    let body = ""
    request.on("data", (chunk) => {
      body += String(chunk)
    })
    request.on("end", () => {
      const [status, text] = answer(body, request.url ?? "")
      response.writeHead(status, { "content-type": "application/json" }).end(text)
    })
  })
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve))
  const address = listening.address()
  const url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : ""
  return {
    url,
    headers,
    close: () => {
      listening.closeAllConnections()
      listening.close()
    }
  }
}
