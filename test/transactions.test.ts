/** Transactions of Solana as `effect-chains tx` looks for them, on a node that shows no newer version than it is asked for. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { transactionFinders } from "../src/cli/transactionFinders.js"
import * as Sdk from "../src/client/Sdk.js"
import { layerFetch } from "../src/http/Http.js"

const servers: Array<Server> = []
afterEach(async () => {
  for (const server of servers.splice(0))
    await new Promise((done) => server.close(done).closeAllConnections())
})

/** A node with one transaction of this version. It answers as agave does. */
const nodeWith = async (version: "legacy" | number): Promise<string> => {
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString())
    const most = params?.[1]?.maxSupportedTransactionVersion
    const isShown = version === "legacy" || (typeof most === "number" && version <= most)
    const answer =
      method !== "getTransaction"
        ? { result: 1 }
        : isShown
          ? { result: { slot: 1, version } }
          : {
              error: {
                code: -32015,
                message: `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`
              }
            }
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }))
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** One of 64 bytes, in Base58. */
const SIGNATURE = "1".repeat(64)

const found = (version: "legacy" | number): Promise<unknown> =>
  Effect.gen(function* () {
    const url = yield* Effect.promise(() => nodeWith(version))
    const sdk = yield* Sdk.makeHttp({ network: "solana-mainnet", quiet: true, rpc: { nodes: [{ url }] } })
    return yield* transactionFinders.solana?.(sdk.rpc, { hash: SIGNATURE, sender: undefined }) ?? Effect.void
  }).pipe(Effect.either, Effect.scoped, Effect.provide(layerFetch), Effect.runPromise)

it.each(["legacy", 0, 1] as const)("shows a transaction of version %s", async (version) => {
  expect(await found(version)).toMatchObject({ right: { transaction: { version } } })
})

it("tells of a newer version than it can show, and what to do", async () => {
  expect(await found(2)).toMatchObject({
    left: {
      _tag: "CommandError",
      exit: "refused",
      message: expect.stringMatching(/1{64} has a newer version than 1.*update effect-chains.*version \(2\)/)
    }
  })
})
