/** Payments through a whole client of each surface, over HTTP: nodes that take a transaction and then say something else. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import { keccak256, parseTransaction } from "viem"
import { afterAll, expect, it } from "vitest"
import { signer } from "../src/entries/signers/Evm.js"
import { layerFetch } from "../src/http/Http.js"
import { Sdk } from "../src/index.js"
import { init } from "../src/promise.js"
import { make } from "../src/signers/Evm.js"

const mnemonic = `${"abandon ".repeat(11)}about`
const to = "0x00000000000000000000000000000000000000aa"
const servers: Array<Server> = []
afterAll(() => Promise.all(servers.splice(0).map((server) => new Promise((end) => server.close(end)))))

/** A node that has its own transactions, and says this once it has taken one; `relays` to others of its chain. */
const node = async (says?: string) => {
  const there = new Map<number, string>()
  const answers: Readonly<Record<string, (...params: ReadonlyArray<string>) => unknown>> = {
    eth_chainId: () => "0x1",
    eth_blockNumber: () => "0x64",
    eth_getBalance: () => "0x56bc75e2d63100000",
    eth_getCode: () => "0x",
    eth_estimateGas: () => "0x5208",
    eth_gasPrice: () => "0x3b9aca00",
    eth_maxPriorityFeePerGas: () => "0x1",
    eth_feeHistory: () => ({
      oldestBlock: "0x60",
      baseFeePerGas: ["0x3b9aca00", "0x3b9aca00"],
      gasUsedRatio: [0.5],
      reward: [["0x1"]]
    }),
    eth_getBlockByNumber: () => ({ number: "0x64", baseFeePerGas: "0x3b9aca00", transactions: [] }),
    eth_getTransactionCount: (_, block) =>
      block === "pending" ? `0x${(7 + there.size).toString(16)}` : "0x7",
    eth_getTransactionByHash: (hash) => ([...there.values()].includes(hash ?? "") ? { hash } : null)
  }
  const send = (raw: `0x${string}`) => {
    const { nonce = 0 } = parseTransaction(raw)
    if (there.has(nonce)) return { error: { code: -32_000, message: "nonce too low" } }
    there.set(nonce, keccak256(raw))
    return says === undefined ? { result: keccak256(raw) } : { error: { code: -32_000, message: says } }
  }
  const server = createServer(async (request, response) => {
    let text = ""
    for await (const part of request) text += part
    const reply = ({ id, method, params = [] }: { id: number; method: string; params?: Array<never> }) => {
      const answer = answers[method]
      if (method === "eth_sendRawTransaction") return { jsonrpc: "2.0", id, ...send(params[0] ?? "0x") }
      if (answer === undefined) throw new Error(`nobody should ask for ${method}`)
      return { jsonrpc: "2.0", id, result: answer(...params) }
    }
    const asked = JSON.parse(text)
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(reply) : reply(asked)))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { there, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const WORDS = ["nonce too low", "internal error", "insufficient funds for gas * price + value"]

// each waits for seconds for what a node may still say
it.concurrent.each(WORDS)(
  "a node that takes it and says %s has it, whichever node is asked next",
  async (says) => {
    const [liar, other] = [await node(says), await node("insufficient funds")]
    const nodes = [liar, other].map(({ url }) => ({ url }))
    const pay = Effect.gen(function* () {
      const sdk = yield* Sdk.makeHttp({ network: "ethereum-mainnet", rpc: { nodes } })
      const account = yield* make(sdk, { mnemonic })
      return yield* account.send({ to, amount: 5n })
    })
    const { hash } = await Effect.runPromise(Effect.provide(Effect.scoped(pay), layerFetch))
    expect([...liar.there.values(), ...other.there.values()]).toContain(hash)
    expect(new Set([...liar.there.values(), ...other.there.values()])).toEqual(new Set([hash]))
  }
)

it.concurrent("is the same on the Promise surface", async () => {
  const [liar, other] = [await node("nonce too low"), await node("already known")]
  const sdk = await init({
    network: "ethereum-mainnet",
    rpc: { nodes: [liar, other].map(({ url }) => ({ url })) }
  })
  try {
    const account = await signer(sdk, { mnemonic })
    if (account.status === "ERROR") throw account.error.cause
    const sent = await account.data.send({ to, amount: 5n })
    if (sent.status === "ERROR") throw sent.error.cause
    expect(new Set([...liar.there.values(), ...other.there.values()])).toEqual(new Set([sent.data.hash]))
  } finally {
    await sdk.destroy()
  }
})
