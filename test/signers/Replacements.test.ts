import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TransactionNotConfirmed } from "../../src/data/SdkError.js"
import { make, scriptOf } from "../../src/signers/Bitcoin.js"
import * as Policy from "../../src/signers/policy.js"
import { simulate } from "../../src/signers/simulate.js"
import { makeChain } from "./utxos.js"

const to = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"
const waiting = { ancestorsize: 0, fees: { base: 0.0001, ancestor: 0.0001, descendant: 0.0001 } }

const network = "bitcoin-mainnet"

const funded = (rpc: object = {}, more: object = {}) =>
  Effect.gen(function* () {
    const chain = makeChain(0.00001)
    const script = (address: string) => Buffer.from(scriptOf(address, network) ?? "", "hex")
    const client = {
      network,
      rpc: { ...chain.rpc, getMempoolEntry: () => Effect.succeed(waiting), ...rpc }
    }
    const account = yield* make(client, {
      privateKey: "11".repeat(32),
      utxos: (address) => chain.listed(script(address)),
      ...more
    })
    chain.fund(script(account.address), 1_000_000n)
    return { account, chain, client }
  })

describe("transactions that are replaced", () => {
  it.effect("end the wait for them once a block has what took their place", () =>
    Effect.gen(function* () {
      for (const isMined of [true, false]) {
        let end = () => {}
        const ended = new Promise<void>((resolve) => {
          end = resolve
        })
        const { account, chain } = yield* funded({
          waitForTransaction: (hash: string) =>
            Effect.zipRight(
              Effect.promise(() => ended),
              new TransactionNotConfirmed({ hash, confirmations: 0, wanted: 1, timeout: 1_000 })
            )
        })
        const sending = yield* Effect.fork(
          Effect.flip(account.send({ to, amount: 10_000n, confirmations: 1 }))
        )
        while (chain.sent.length === 0) yield* Effect.yieldNow()
        const hash = chain.sent[0]?.getId() ?? ""
        const prepared = yield* account.prepareSpeedUp(hash)
        // the double has no replacements: as if the node had taken the first one out of its pool
        chain.evict()
        const { hash: by } = yield* account.submit(prepared)
        if (isMined) chain.mine()
        else chain.evict()
        end()
        expect(yield* Fiber.join(sending)).toMatchObject(
          isMined ? { _tag: "TransactionReplaced", hash, by } : { _tag: "TransactionNotConfirmed" }
        )
      }
    })
  )

  it.effect(
    "are cancelled under a limit that is less than what comes back: just the fee leaves the account",
    () =>
      Effect.gen(function* () {
        const policy = yield* Policy.make({
          limits: [{ network, amount: "0.0003" }],
          recipients: { [network]: [to] }
        })
        const { account, chain } = yield* funded({}, { policy })
        const { hash } = yield* account.send({ to, amount: 10_000n })
        const cancelled = yield* account.prepareCancel(hash)
        expect(cancelled.amount).toBeGreaterThan(900_000n)
        chain.evict()
        yield* account.submit(cancelled)
        expect(chain.sent).toHaveLength(2)
        expect(yield* Effect.flip(account.send({ to, amount: 40_000n }))).toMatchObject({
          _tag: "PolicyDenied",
          rule: "limit"
        })
      })
  )

  it.effect("are simulated as what takes their place", () =>
    Effect.gen(function* () {
      const { account, chain, client } = yield* funded()
      const { hash } = yield* account.send({ to, amount: 10_000n })
      const prepared = yield* account.prepareSpeedUp(hash)
      const rpc = {
        ...client.rpc,
        // a node tells of blocks alone, where the pool spends the output
        getTxOut: (txid: string, vout: number, includeMempool = true) =>
          Effect.map(chain.rpc.getTxOut(txid, vout), (output) => {
            const isInput = prepared.transaction.inputs.some((input) => input.txid === txid)
            return isInput && !includeMempool
              ? {
                  confirmations: 3,
                  coinbase: false,
                  value: 0.01,
                  scriptPubKey: { hex: scriptOf(account.address, "bitcoin-mainnet") ?? "" }
                }
              : output
          })
      }
      expect(yield* simulate({ ...client, rpc }, prepared)).toMatchObject({ succeeds: true })
      // a payment of its own may not spend what another one spends
      const { replaces: _, ...transaction } = prepared.transaction
      expect(yield* simulate({ ...client, rpc }, { ...prepared, transaction })).toMatchObject({
        succeeds: false
      })
    })
  )

  it.effect("are none where nodes lie about their bytes", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded()
      const { hash } = yield* account.send({ to, amount: 10_000n })
      const { account: lied } = yield* funded({
        getRawTransaction: () =>
          Effect.map(chain.rpc.getRawTransaction(hash), (raw) =>
            String(raw).replace("1027000000000000", "2027000000000000")
          )
      })
      expect(yield* Effect.flip(lied.speedUp(hash))).toMatchObject({
        _tag: "InvalidArgument",
        call: "speedUp",
        reason: `a node gave another transaction for ${hash}`
      })
    })
  )

  it.effect("cannot be taken from a lie about fees: it is above the cap", () =>
    Effect.gen(function* () {
      const { account } = yield* funded({
        getMempoolEntry: () => Effect.succeed({ ...waiting, fees: { ...waiting.fees, descendant: 0.009 } })
      })
      const { hash } = yield* account.send({ to, amount: 10_000n })
      expect(yield* Effect.flip(account.prepareSpeedUp(hash))).toMatchObject({ _tag: "FeeOverCap" })
    })
  )

  it.effect("are none on Bitcoin Cash, whose nodes replace nothing, and whose blocks have room", () =>
    Effect.gen(function* () {
      const { rpc } = makeChain()
      const cash = "bitcoin-cash-mainnet"
      const account = yield* make({ network: cash, rpc }, { privateKey: "11".repeat(32), utxos: () => [] })
      for (const [call, reason] of [
        ["speedUp", `nodes of ${cash} replace no transactions`],
        ["cancel", `nodes of ${cash} replace no transactions`],
        ["bumpFeeByChild", `blocks of ${cash} have room for all that nodes relay`]
      ] as const)
        expect(yield* Effect.flip(account[call]("ab".repeat(32)))).toMatchObject({
          _tag: "InvalidArgument",
          call,
          reason
        })
    })
  )
})
