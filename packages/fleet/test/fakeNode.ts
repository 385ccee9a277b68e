/** Nodes of loopback that fail when they are told to, and count what they are asked. */
import { createServer } from "node:http"

export interface FakeNode {
  readonly url: string
  /** How often each method was asked for. */
  readonly asked: (method: string) => number
  /** How long it takes for an answer, in milliseconds; `probe` for the height and the chain. */
  readonly delays: { call: number; probe: number }
  readonly state: { mode: "well" | "lost" | "refuses"; height: number }
  readonly reset: () => void
  readonly end: () => Promise<void>
}

export const startFakeNode = async (
  slowness: Partial<FakeNode["delays"]> = {},
  path = ""
): Promise<FakeNode> => {
  const asked = new Map<string, number>()
  const delays = { call: 0, probe: 0, ...slowness }
  const state: FakeNode["state"] = { mode: "well", height: 100 }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { id, method }: { readonly id: number; readonly method: string } = JSON.parse(
        Buffer.concat(chunks).toString()
      )
      asked.set(method, (asked.get(method) ?? 0) + 1)
      if (state.mode === "lost") return void request.socket.destroy()
      const isProbe = method === "eth_blockNumber" || method === "eth_chainId"
      setTimeout(
        () => {
          if (state.mode === "refuses" && !isProbe)
            return void response.writeHead(429, { "retry-after": "30" }).end("{}")
          const result = method === "eth_chainId" ? "0x1" : `0x${state.height.toString(16)}`
          response
            .writeHead(200, { "content-type": "application/json" })
            .end(JSON.stringify({ jsonrpc: "2.0", id, result }))
        },
        isProbe ? delays.probe : delays.call
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}${path}`,
    asked: (method) => asked.get(method) ?? 0,
    delays,
    state,
    reset: () => asked.clear(),
    end: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
