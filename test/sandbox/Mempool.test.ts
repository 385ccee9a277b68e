/** What subscribers hear of Bitcoin's pool, from a real node. */
import { createServer } from "node:http"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { init } from "../../src/promise.js"
import * as Sandbox from "../../src/sandbox/Sandbox.js"
import { decode } from "../../src/webhook.js"
import { nodeLimits } from "../nodeLimits.js"

/** Who is called: the calls in their order. */
const receiver = Effect.gen(function* () {
  const calls = yield* Queue.unbounded<Uint8Array>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      Queue.unsafeOffer(calls, Buffer.concat(chunks))
      response.end()
    })
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    next: Effect.map(Queue.take(calls), decode)
  }
})

describe("a subscription with mempool", () => {
  it.scopedLive("is told of a payment while it waits, and again when it is in a block", () =>
    Effect.gen(function* () {
      const network = "bitcoin-mainnet"
      const sandbox = yield* Sandbox.make({ networks: [{ network }], blockTime: 100_000 })
      const { fund, height, mine } = sandbox.network(network)
      const sdk = yield* Effect.acquireRelease(
        Effect.promise(() => init({ ...sandbox.config(network), apiKey: "key", quiet: true, ...nodeLimits })),
        (each) => Effect.promise(() => each.destroy())
      )
      const { next, url } = yield* receiver
      const address = "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"
      const subscribed = yield* Effect.promise(() =>
        sdk.notification.subscribe.addressEvent({ address, url, mempool: true })
      )
      expect(subscribed.status).toBe("SUCCESS")
      const hash = yield* fund(address, "1.25")
      const common = {
        subscriptionType: "ADDRESS_EVENT",
        address,
        amount: "1.25",
        txId: hash,
        type: "native"
      }
      const waiting = yield* next
      expect(waiting).toMatchObject({ data: { ...common, mempool: true } })
      expect(Object(waiting).data).not.toHaveProperty("blockNumber")
      yield* mine(1)
      const mined = yield* next
      expect(mined).toMatchObject({ data: { ...common, blockNumber: yield* height } })
      expect(Object(mined).data).not.toHaveProperty("mempool")

      // the node writes the address as regtest does, and the client asks for it as the network does
      const history = yield* Effect.promise(() => sdk.address.getTransactions({ address }))
      expect(history).toMatchObject({
        data: [{ hash, address, transactionType: "incoming", amount: "1.25" }]
      })
      const batch = yield* Effect.promise(() =>
        sdk.data.blockchains.getUtxoHistoryBatch({ chain: network, addresses: [address] })
      )
      expect(batch).toMatchObject({
        data: [{ hash, outputs: expect.arrayContaining([expect.objectContaining({ address })]) }]
      })
    })
  )
})
