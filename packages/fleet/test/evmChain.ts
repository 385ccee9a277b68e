/** Chains of anvil for tests that run side by side: each test has one of its own, whose blocks come when they are told to. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type { EvmSigner } from "effect-chains/effect/signers/Evm"
import type { Policy } from "effect-chains/effect/signers/policy"
import { Anvil } from "effect-chains/sandbox"
import { it } from "vitest"
import { startProxy } from "../../../test/nodes/rpcProxy.js"
import * as EvmTransactions from "../src/EvmTransactions.js"
import type { Services } from "../src/engine.js"
import { EvmSend } from "../src/evm/SendWorkflow.js"
import * as Libsql from "../src/Libsql.js"
import { accounts, ask, type CallOptions, listMined, network, to, withoutLogs } from "./evm.js"

const found = await Effect.runPromise(Effect.either(Anvil.binary))
if (Either.isLeft(found)) {
  if (process.env.CI === "true") throw found.left
  console.log("left out: durable transactions (no anvil binary)")
}

export const until = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(condition, { until: (is) => is, schedule: Schedule.spaced("50 millis") })

type Needs = Services | EvmTransactions.EvmTransactions

/** What the payments of an account have beside those of any other. */
interface AccountOptions {
  /** What takes the place of what it signs with. */
  readonly changed?: (signer: EvmSigner) => Partial<EvmSigner>
  /** Another way to the node, or several. */
  readonly by?: string | ReadonlyArray<string>
  /** How nodes are called. */
  readonly calling?: CallOptions
  /** The policy of the account. */
  readonly rules?: Effect.Effect<Policy, unknown, SqlClient.SqlClient>
  /** Which account of the chain pays, the first one by default. */
  readonly index?: number
  /** Other accounts beside it. */
  readonly more?: (own: EvmTransactions.EvmAccount) => ReadonlyArray<EvmTransactions.EvmAccount>
}

const makeChain = (url: string, folder: string, scope: Scope.Scope) => {
  let files = 0
  const file = (): string => join(folder, `${files++}.db`)
  const mine = (blocks = 1) => ask(url, "anvil_mine", `0x${blocks.toString(16)}`)

  /** An account of the chain, with a store of its own. */
  const account = async ({
    by = url,
    calling = {},
    changed = () => ({}),
    index = 0,
    more = () => [],
    rules
  }: AccountOptions = {}) => {
    const address = (await ask<ReadonlyArray<string>>(url, "eth_accounts"))[index] ?? ""
    const store = file()
    const { accounts: made, layer } = accounts([by].flat(), index, Effect.succeed(calling))
    const own = Effect.flatMap(made, (all) =>
      Effect.map(
        rules === undefined ? Effect.succeed({}) : Effect.map(Effect.orDie(rules), (policy) => ({ policy })),
        (guarded) =>
          all.flatMap((each) => [
            ...more(each),
            { ...each, ...guarded, signer: { ...each.signer, ...changed(each.signer) } }
          ])
      )
    )
    const runs = <A, E>(
      effect: Effect.Effect<A, E, Needs>,
      policy: Partial<EvmTransactions.Policy> = {}
    ): Promise<A> =>
      Effect.runPromise(
        effect.pipe(
          Effect.provide(
            Layer.provideMerge(
              EvmTransactions.layer(own, { pollingInterval: "100 millis", ...policy }).pipe(
                Layer.provide(layer)
              ),
              Libsql.layer({ name: "tests", file: store })
            )
          ),
          Effect.timeout("550 seconds"),
          Effect.provide(withoutLogs)
        )
      )
    const order = (key: string, amount: bigint | string = 1n): EvmTransactions.Order => ({
      key,
      network,
      from: address,
      payment: { to, amount }
    })
    return { address, order, runs, mined: () => listMined(url, address) }
  }

  return {
    url,
    scope,
    file,
    mine,
    account,
    /** Blocks come while something is done. */
    mining: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.race(
        effect,
        Effect.forever(
          Effect.delay(
            Effect.promise(() => mine()),
            "100 millis"
          )
        )
      ),
    /** Another way to the node, and waiting until a method was asked for so many times more. */
    counting: async () => {
      const calls = new Map<string, number>()
      const by = await startProxy(url, scope, (method) => {
        calls.set(method, (calls.get(method) ?? 0) + 1)
        return undefined
      })
      const more = (method: string, times: number) =>
        Effect.suspend(() => {
          const end = (calls.get(method) ?? 0) + times
          return until(Effect.sync(() => (calls.get(method) ?? 0) >= end))
        })
      return { by, more }
    }
  }
}

/** A test on a chain of its own, beside the others of its file. */
export const testOnChain = (
  title: string,
  test: (chain: ReturnType<typeof makeChain>) => Promise<void>,
  options: { readonly timeout?: number } = {}
): void =>
  it.runIf(Either.isRight(found)).concurrent(title, options, async () => {
    const scope = Effect.runSync(Scope.make())
    const folder = mkdtempSync(join(tmpdir(), "fleet-transactions-"))
    try {
      const starting = Anvil.start({ accounts: 2, chainId: 1, noMining: true })
      const { url } = await Effect.runPromise(Scope.extend(starting, scope))
      await test(makeChain(url, folder, scope))
    } finally {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      rmSync(folder, { recursive: true, force: true })
    }
  })

export const send = (order: EvmTransactions.Order) =>
  Effect.flatMap(EvmTransactions.EvmTransactions, (service) => service.send(order))
export const submit = (order: EvmTransactions.Order) =>
  Effect.flatMap(EvmTransactions.EvmTransactions, (service) => service.submit(order))

/** What the ledger has of signed bytes. */
export const listSigned = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql<{
      readonly hash: string
      readonly nonce: bigint
      readonly plan: string
      readonly purpose: string
      readonly raw: string
    }>`SELECT hash, nonce, plan, purpose, raw FROM fleet_signed ORDER BY nonce, round`
)

/** Until so many transactions were signed. */
export const untilSigned = (count: number) => until(Effect.map(listSigned, ({ length }) => length >= count))

/** Until the first order has its nonce. */
export const untilNonce = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  until(Effect.map(sql`SELECT nonce FROM fleet_transactions WHERE nonce = 0`, ({ length }) => length === 1))
)

/** Until the workflow of an order is at its end. */
export const untilComplete = (order: EvmTransactions.Order) =>
  Effect.flatMap(EvmSend.executionId({ order }), (id) =>
    until(Effect.map(EvmSend.poll(id), (result) => result?._tag === "Complete"))
  )

/** Interrupts the workflow of an order, and waits for that. */
export const interruptWorkflow = (order: EvmTransactions.Order) =>
  Effect.zipRight(Effect.flatMap(EvmSend.executionId({ order }), EvmSend.interrupt), untilComplete(order))
