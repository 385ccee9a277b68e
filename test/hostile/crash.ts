/** Applications that end by an error of the SDK which nobody has caught, in each way that there is. */
import { createServer } from "node:http"
import * as Effect from "effect/Effect"
import * as Sdk from "../../src/client/Sdk.js"
import { layerFetch } from "../../src/http/Http.js"
import { init } from "../../src/promise.js"
import { markedUrl, marks, mirrored } from "./marked.js"

let turn = Number(process.env.TURN ?? 0)
const server = createServer(async (request, response) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const heard = [request.url ?? "", ...Object.values(request.headers).flat().map(String)]
  const { id } = JSON.parse(Buffer.concat(chunks).toString() || "{}")
  const [status, text] = mirrored(heard, id, turn++)
  response.writeHead(status).end(text)
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
server.unref()
const address = server.address()
const url = markedUrl(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`)

const config = {
  network: "ethereum-mainnet",
  apiKey: marks.apiKey,
  retryCount: 0,
  verifyChain: false,
  rpc: {
    nodes: [{ url, headers: { "x-token": marks.header }, sendApiKey: true }],
    statusCheckInterval: Number.POSITIVE_INFINITY
  }
} as const

const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  // an error, thrown where nobody catches it
  thrown: async () => {
    const sdk = await init(config)
    const result = await sdk.rpc.gasPrice()
    setTimeout(() => {
      throw result.error?.cause
    })
    return new Promise(() => {})
  },
  // a promise that nobody awaits
  rejected: async () => {
    const sdk = await init(config)
    const result = await sdk.rpc.rawRpcCall({ method: "eth_call", params: [] })
    void Promise.reject(result.error?.cause)
    return new Promise(() => {})
  },
  // a program of Effect
  effect: () =>
    Effect.runPromise(
      Effect.scoped(Effect.flatMap(Sdk.makeHttp(config), (sdk) => sdk.rpc.gasPrice())).pipe(
        Effect.provide(layerFetch)
      )
    ),
  // a fiber that dies of it, which Effect reports by itself
  died: () =>
    Effect.runPromise(
      Effect.scoped(Effect.flatMap(Sdk.makeHttp(config), (sdk) => Effect.orDie(sdk.rpc.gasPrice()))).pipe(
        Effect.provide(layerFetch)
      )
    ),
  // a configuration that is refused
  // what a program in JavaScript may pass
  refused: () =>
    init({ ...config, apiKey: { v5: marks.apiKey } as never, rpc: { nodes: [{ url: `ftp${url}` }] } }),
  // the whole client and its configuration, printed by an application that looks for the fault
  printed: async () => {
    const sdk = await init({ ...config, verbose: true })
    const result = await sdk.rpc.gasPrice()
    console.log(sdk, sdk.nodes(), result, result.error)
    console.dir(sdk, { depth: 10, showHidden: true })
    console.table(sdk.nodes())
    throw new Error("wrapped", { cause: result.error?.cause })
  }
}

await ways[process.env.WAY ?? ""]?.()
