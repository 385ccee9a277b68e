import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Evm.js"
import { specOf } from "../../src/data/Endpoint.js"
import { init, type PromiseSdk, type Result } from "../../src/promise.js"
import { shared } from "./fixtures.js"

/** Request and response pairs of Geth (execution-apis, CC0). They are not part of this repository. */
const folder = join(shared, "fixtures/evm")

interface Pair {
  readonly file: string
  readonly request: { readonly method: string; readonly params?: ReadonlyArray<unknown> }
  readonly answer: {
    readonly result?: unknown
    readonly error?: { readonly code: number; readonly message: string }
  }
}

const pairs: ReadonlyArray<Pair> = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".io"))
  .sort()
  .flatMap((file) => {
    const lines = readFileSync(join(folder, file), "utf8").split("\n")
    const asked = lines.filter((line) => line.startsWith(">> ")).map((line) => JSON.parse(line.slice(3)))
    const answered = lines.filter((line) => line.startsWith("<< ")).map((line) => JSON.parse(line.slice(3)))
    return asked.map((request, i) => ({ file: `${file}#${i}`, request, answer: answered[i] }))
  })

/** The first endpoint of a wire method is the method itself; token helpers come after `call`. */
const nameOf = (method: string): string | undefined =>
  Object.entries(endpoints).find(([, endpoint]) => {
    const spec = specOf(endpoint)
    return spec?.kind === "rpc" && spec.method === method
  })?.[0]

const isCall = (
  value: unknown
): value is (...args: ReadonlyArray<unknown>) => Promise<Result<unknown, Error>> =>
  typeof value === "function"

describe("answers recorded from Geth", () => {
  let asked: { readonly method: string; readonly params: ReadonlyArray<unknown> } | undefined
  let next: Pair["answer"] = {}
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += chunk
    })
    request.on("end", () => {
      const { id, method, params } = JSON.parse(body)
      asked = { method, params }
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...next }))
    })
  })
  let sdk: PromiseSdk<"ethereum-mainnet">

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const nodes = [{ url: `http://127.0.0.1:${port}` }]
    sdk = await init({ network: "ethereum-mainnet", rpc: { nodes }, verifyChain: false, quiet: true })
  })
  afterAll(async () => {
    await sdk.destroy()
    server.close()
  })

  it("are there in number", () => expect(pairs.length).toBeGreaterThan(150))

  it.each(pairs)("$file", async ({ file, request, answer }) => {
    next = answer.error === undefined ? { result: answer.result } : { error: answer.error }
    // what is malformed on purpose is sent raw: our encoders would mend or refuse it
    const name = file.includes("invalid") ? undefined : nameOf(request.method)
    const member: unknown = name === undefined ? undefined : Reflect.get(sdk.rpc, name)
    const result = isCall(member)
      ? await member(...(request.params ?? []))
      : await sdk.rpc.rawRpcCall({ method: request.method, params: request.params ?? [] })
    expect(asked?.method).toBe(request.method)
    const sent = asked?.params ?? []
    const wanted = request.params ?? []
    // our defaults may follow what the recording left to the node
    expect(sent.slice(0, wanted.length)).toEqual(wanted)
    if (answer.error !== undefined) {
      expect(result.error?.cause).toMatchObject({
        _tag: "RpcError",
        code: answer.error.code,
        message: answer.error.message
      })
    } else {
      const data = typeof result.data === "bigint" ? `0x${result.data.toString(16)}` : result.data
      expect(result.error?.cause).toBeUndefined()
      expect(data).toEqual(answer.result)
    }
  })
})
