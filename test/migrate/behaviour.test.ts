/** A program of `@tatumio/tatum` writes the same before its migration and after it, over the same node. */
import { execFile } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { build } from "esbuild"
import { afterAll, beforeAll, expect, it } from "vitest"
import { migrate } from "../../src/cli/migrate/index.js"
import { UserProject } from "./programs.js"

const root = join(import.meta.dirname, "../..")

const program = `import { Ethereum, Network, TatumSDK } from '@tatumio/tatum'

const tatum = await TatumSDK.init<Ethereum>({
  network: Network.ETHEREUM,
  quiet: true,
  retryCount: 0,
  rpc: { nodes: [{ url: process.env.NODE ?? '', type: 0 }], allowedBlocksBehind: 0 },
})
const address = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
const lines: unknown[] = []

const { result: wei } = await tatum.rpc.getBalance(address)
lines.push(wei!.dividedBy(1e18).toFixed(3), wei!.isGreaterThan(1))
const [{ result: nonce }, price] = await Promise.all([tatum.rpc.getTransactionCount(address), tatum.rpc.gasPrice()])
lines.push(nonce!.toNumber(), price.result!.toNumber(), \`\${price.result}\`)

async function codeOf(of: string): Promise<string> {
  try {
    const { result } = await tatum.rpc.getCode(of)
    return result ?? 'nothing'
  } catch {
    return 'the node failed'
  }
}
lines.push(await codeOf(address))
lines.push(await tatum.rpc.getBlockByNumber('latest').then(({ result }) => result!.hash))
const refused = await tatum.rpc.estimateGas({ to: address })
lines.push(refused.error ? 'refused' : refused.result!.toNumber())
console.log(JSON.stringify({ lines, wei }))
await tatum.destroy()
`

/** What the node answers. It does not answer `eth_getCode`, and refuses `eth_estimateGas`. */
const answers: Readonly<Record<string, unknown>> = {
  eth_blockNumber: "0x10",
  eth_chainId: "0x1",
  eth_getBalance: "0x1bc16d674ec80000",
  eth_getTransactionCount: "0x2a",
  eth_gasPrice: "0x3b9aca00",
  eth_getBlockByNumber: { hash: `0x${"ab".repeat(32)}`, number: "0x10" }
}

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk) => chunks.push(chunk))
  request.on("end", () => {
    const call: { readonly id: unknown; readonly method: string } = JSON.parse(
      Buffer.concat(chunks).toString()
    )
    if (call.method === "eth_getCode") return response.writeHead(500).end("no")
    const body =
      call.method === "eth_estimateGas"
        ? { error: { code: 3, message: "execution reverted" } }
        : { result: answers[call.method] ?? null }
    response.setHeader("content-type", "application/json")
    return response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, ...body }))
  })
})

let node = ""
let project: UserProject

beforeAll(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  node = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  project = new UserProject([{ path: "app.ts", text: program }])
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
  project[Symbol.dispose]()
})

const run = async (text: string, name: string): Promise<unknown> => {
  project.write([{ path: `${name}.ts`, text }])
  const outfile = join(project.folder, `${name}.mjs`)
  await build({
    absWorkingDir: root,
    alias: { "effect-chains/promise": join(root, "src/promise.ts") },
    bundle: true,
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
    },
    entryPoints: [join(project.folder, `${name}.ts`)],
    format: "esm",
    logLevel: "error",
    outfile,
    platform: "node"
  })
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], {
    env: { ...process.env, NODE: node },
    timeout: 300_000
  })
  return JSON.parse(stdout.split("\n").find((line) => line.startsWith("{")) ?? "")
}

it("writes the same, also where a call fails", async () => {
  const [file] = migrate(project.at([{ path: "app.ts", text: program }]), "@tatumio/tatum")
  expect(file?.notes.filter(({ message }) => !message.startsWith("your own nodes"))).toEqual([])
  const before = await run(program, "before")
  expect(before).toEqual({
    lines: ["2.000", true, 42, 1e9, "1000000000", "the node failed", `0x${"ab".repeat(32)}`, "refused"],
    wei: "2000000000000000000"
  })
  expect(await run(file?.text ?? "", "after")).toEqual(before)
})
