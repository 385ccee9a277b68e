import { createServer } from "node:net"

/** Below 32,768, where systems begin to choose ports for outgoing connections. */
const FIRST = 10_000
const COUNT = 22_000

const listens = (port) =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", (error) => (error.code === "EADDRINUSE" ? resolve(false) : reject(error)))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })

/**
 * A port of 127.0.0.1 without a listener. The caller may open it seconds later, or close and reopen it. Meanwhile a
 * port of the system's choice could become the local port of a connection, even of one to itself.
 */
export const freePort = async () => {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    if (await listens(port)) return port
  }
}
