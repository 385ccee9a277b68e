import { createServer } from "node:net"

/** No port of these is the near end of a connection that somebody opens: systems take those from 32,768 or 49,152 on. */
const FIRST = 10_000
const COUNT = 22_000

const listens = (port) =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", (error) => (error.code === "EADDRINUSE" ? resolve(false) : reject(error)))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })

/**
 * A port of 127.0.0.1 at which nobody listens. Whoever gets it may come to it seconds later, or leave it and come back: a port of the
 * system's choice would be some connection's by then, now and then one to itself.
 */
export const freePort = async () => {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    if (await listens(port)) return port
  }
}
