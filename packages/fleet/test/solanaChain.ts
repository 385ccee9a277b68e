/** Surfpool for tests of durable payments of Solana, with an account that pays. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { SolanaSigner } from "effect-chains/effect/signers/Solana"
import { afterAll, beforeAll } from "vitest"
import { encodeBase58 } from "../../../src/chains/internal/base58.js"
import * as Surfpool from "../../../src/sandbox/nodes/Surfpool.js"
import type { Services } from "../src/engine.js"
import * as Libsql from "../src/Libsql.js"
import type { SolanaTransactions, WithPolicy } from "../src/SolanaTransactions.js"
import { type CallOptions, withoutLogs } from "./evm.js"
import { readPayer, transactions } from "./solana.js"

let next = 40
/** An address that nobody has used. */
export const makeAddress = (): string => encodeBase58(new Uint8Array(32).fill(next++))

/** A node with a block every so many milliseconds: what is signed can land in the next 150 of them. */
export const setUpChain = (slotTime: number) => {
  const scope = Effect.runSync(Scope.make())
  const folder = mkdtempSync(join(tmpdir(), "fleet-solana-sends-"))
  const at: { url: string; from: string; height: Surfpool.SurfpoolNode["height"] } = {
    url: "",
    from: "",
    height: Effect.succeed(0)
  }
  beforeAll(async () => {
    const node = await Effect.runPromise(Scope.extend(Surfpool.start({ slotTime }), scope))
    at.url = node.url
    at.height = node.height
    at.from = await readPayer(node.url)
    await Effect.runPromise(node.fund(at.from, "100"))
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    at,
    folder,
    scope,
    runPayments: <A>(
      file: string,
      url: string | ReadonlyArray<string>,
      during: Effect.Effect<A, unknown, SolanaTransactions | Services>,
      changed?: (signer: SolanaSigner) => Partial<SolanaSigner>,
      calling?: CallOptions,
      rules?: WithPolicy
    ): Promise<A> =>
      Effect.runPromise(
        during.pipe(
          Effect.provide(
            Layer.provideMerge(
              transactions(url, changed, calling, rules),
              Libsql.layer({ name: "tests", file: join(folder, file) })
            )
          ),
          Effect.provide(withoutLogs),
          Effect.timeout("550 seconds")
        )
      )
  }
}
