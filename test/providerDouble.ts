/** A provider on loopback, and a `fetch` that takes requests nowhere else. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { SANDBOX_URL } from "../src/config/resolveConfig.js"
import { redirect } from "./sandboxPort.js"

interface RpcRequest {
  readonly id: number
  readonly method: string
}

const results: Readonly<Record<string, unknown>> = {
  eth_chainId: "0x1",
  eth_blockNumber: "0x10",
  eth_getBalance: "0x2a",
  eth_getBlockByNumber: { number: "0x10" }
}

/** A provider of ethereum-mainnet: a list with one node, that node, and a data API without answers. `asked` has the paths of requests. */
export const startProvider = async () => {
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += String(chunk)
    })
    request.on("end", () => {
      const path = request.url ?? ""
      asked.push(path)
      const answer = (status: number, value: unknown): void =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))
      if (path === "/ethereum-mainnet/list.json") return answer(200, [{ url: `${url}/node`, type: 0 }])
      if (path !== "/node") return answer(404, { statusCode: 404, errorCode: "none", message: "no answer" })
      const { id, method }: RpcRequest = JSON.parse(body)
      return answer(200, { jsonrpc: "2.0", id, result: results[method] })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // a server that listens has a port
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const elsewhere: Array<string> = []
  const real = globalThis.fetch
  /** Sends requests of this provider, and those of the sandbox's usual address in its place. All others fail, and are noted. */
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const wanted = input instanceof Request ? input.url : String(input)
    const target = redirect(wanted, SANDBOX_URL, url)
    if (target.startsWith(`${url}/`)) return real(target, init)
    elsewhere.push(wanted)
    throw new TypeError(`a request elsewhere: ${wanted}`)
  }
  return {
    url,
    asked,
    elsewhere,
    fetch,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
