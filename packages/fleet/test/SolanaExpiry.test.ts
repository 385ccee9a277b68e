/** Durable payments of Solana that cannot land any more, of one process over a file, on Surfpool with fast blocks. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { describe, expect, it } from "vitest"
import { encodeBase58 } from "../../../src/chains/internal/base58.js"
import { forwardRequest, listen, parseBody } from "../../../src/sandbox/Loopback.js"
import { requireBinary } from "../../../test/nodes/process.js"
import { startProxy } from "../../../test/nodes/rpcProxy.js"
import { SolanaTransactions } from "../src/SolanaTransactions.js"
import { network, readReceived } from "./solana.js"
import { makeAddress, setUpChain } from "./solanaChain.js"

const surfpool = requireBinary("surfpool", "durable payments of Solana that cannot land any more")

describe.runIf(surfpool !== undefined)(
  "durable payments of Solana that cannot land any more",
  { concurrent: true },
  () => {
    const { at, runPayments, scope } = setUpChain(50)

    it("get another blockhash once the old one can no longer land, and not before", async () => {
      const to = makeAddress()
      // a front that takes transactions and loses those with the first signed bytes
      const seen: Array<{ readonly raw: unknown; readonly height: number }> = []
      const port = await Effect.runPromise(
        Scope.extend(
          listen((received) => {
            const body = parseBody(received.body)
            const method: unknown =
              typeof body === "object" && body !== null ? Reflect.get(body, "method") : ""
            const params: unknown =
              typeof body === "object" && body !== null ? Reflect.get(body, "params") : []
            if (method !== "sendTransaction" || !Array.isArray(params))
              return Effect.orDie(forwardRequest(at.url, received, { reuse: false, timeout: 300_000 }))
            return Effect.gen(function* () {
              const height = yield* Effect.orDie(at.height)
              seen.push({ raw: params[0], height })
              if (params[0] !== seen[0]?.raw)
                return yield* Effect.orDie(
                  forwardRequest(at.url, received, { reuse: false, timeout: 300_000 })
                )
              const result = encodeBase58(
                new Uint8Array(Buffer.from(String(params[0]), "base64").subarray(1, 65))
              )
              return {
                status: 200,
                headers: { "content-type": "application/json" },
                body: Buffer.from(
                  JSON.stringify({ jsonrpc: "2.0", id: Reflect.get(Object(body), "id"), result })
                )
              }
            })
          }),
          scope
        )
      )
      const { rows, sent } = await runPayments(
        "renewed.db",
        `http://127.0.0.1:${port}`,
        Effect.gen(function* () {
          const { send } = yield* SolanaTransactions
          const confirmed = yield* send({
            key: "lost",
            network,
            from: at.from,
            payment: { to, amount: 5_000_000n }
          })
          const sql = yield* SqlClient.SqlClient
          const kept = yield* sql<{
            readonly raw: string
            readonly hash: string
            readonly valid: bigint
          }>`SELECT raw, hash, valid FROM fleet_solana_signed ORDER BY round`
          return { sent: confirmed, rows: kept }
        })
      )
      expect(rows.length).toBe(2)
      expect(sent.hash).toBe(rows[1]?.hash)
      // only bytes that are kept, the first of them again and again, and the second only when it could not land
      expect([...new Set(seen.map(({ raw }) => raw))]).toEqual(rows.map(({ raw }) => raw))
      expect(seen.filter(({ raw }) => raw === rows[0]?.raw).length).toBeGreaterThan(1)
      const second = seen.find(({ raw }) => raw === rows[1]?.raw)
      expect(second?.height).toBeGreaterThan(Number(rows[0]?.valid))
      expect(await readReceived(at.url, to)).toEqual({ lamports: 5_000_000, signatures: [sent.hash] })
    })

    it("end with the reason where nodes refuse them, once they cannot land, and are not signed anew", async () => {
      const to = makeAddress()
      const order = { key: "refused", network, from: at.from, payment: { to, amount: 3_000_000n } } as const
      const url = await startProxy(at.url, scope, (method) =>
        method === "sendTransaction"
          ? { error: { code: -32002, message: "Transaction simulation failed: not today" } }
          : undefined
      )
      const { end, rows } = await runPayments(
        "refused.db",
        url,
        Effect.gen(function* () {
          const { send } = yield* SolanaTransactions
          const refusal = yield* Effect.flip(send(order))
          return {
            end: refusal,
            rows: yield* (yield* SqlClient.SqlClient)`SELECT raw FROM fleet_solana_signed`
          }
        })
      )
      expect(end).toMatchObject({ _tag: "RpcError", message: expect.stringContaining("not today") })
      expect(rows).toHaveLength(1)
      expect((await readReceived(at.url, to)).lamports).toBe(0)
    })
  }
)
