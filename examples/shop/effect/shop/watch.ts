/** Steps 2 and 3: the payments to the orders' addresses. */
import * as BitcoinWatcher from "@effect-chains/fleet/watcher/bitcoin"
import * as EvmWatcher from "@effect-chains/fleet/watcher/evm"
import { Effect, Layer, Option, Schedule } from "effect"
import { Bitcoin, type Chain, Ethereum, Solana } from "./chains.js"
import { type Order, Orders, type Payment } from "./orders.js"

// #region handle
/** Records a payment to an address, or takes it back. It may be told twice, and counts once. */
const record = (address: string, payment: Payment, isThere: boolean) =>
  Effect.gen(function* () {
    const orders = yield* Orders
    const order = yield* orders.find(address)
    if (Option.isNone(order)) return
    yield* orders.change(order.value.id, ({ payments, price, state }) => {
      const others = payments.filter(
        ({ output, transaction }) => transaction !== payment.transaction || output !== payment.output
      )
      const now = isThere ? [...others, payment] : others
      const paid = now.reduce((sum, { amount }) => sum + amount, 0n)
      return { payments: now, state: state === "closed" ? state : paid >= price ? "paid" : "open" }
    })
  })

const handle = ({ _tag, payment }: EvmWatcher.WatchEvent) => {
  const { address, amount, asset, direction, height, log, transaction } = payment
  return direction === "in" && asset.kind === "native" && transaction !== null
    ? record(address, { transaction, output: log, amount, block: height }, _tag === "Paid")
    : Effect.void
}
// #endregion handle

// #region solana
/** Looks at the addresses of open orders. `SolanaWatcher` does this on a real network: the sandbox's blocks of Solana have no order. */
const lookAtSolana = (confirmations: number) =>
  Effect.gen(function* () {
    const { rpc } = yield* Solana
    const orders = yield* Orders
    const open = (yield* orders.all).filter(({ chain, state }) => chain === "solana" && state === "open")
    if (open.length === 0) return
    const top = yield* rpc.getSlot({ commitment: "confirmed" })
    for (const { address } of open)
      for (const { signature, slot } of yield* rpc.getSignaturesForAddress(address)) {
        if (top - BigInt(slot) + 1n < confirmations) continue
        const found = yield* rpc.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
        if (found === null || !("message" in found.transaction)) continue
        const at = found.transaction.message.accountKeys.indexOf(address)
        const amount = (found.meta?.postBalances[at] ?? 0n) - (found.meta?.preBalances[at] ?? 0n)
        const payment = { transaction: signature, output: null, amount, block: Number(slot) }
        if (amount > 0n) yield* record(address, payment, true)
      }
  }).pipe(Effect.ignoreLogged, Effect.repeat(Schedule.spaced("500 millis")))
// #endregion solana

// #region watchers
/** `confirmations` is how deep a block has to be before its payments are told. */
export const watchers = (confirmations: Record<Chain, number>) => {
  const options = { from: "latest", handle, pollingInterval: "500 millis" } as const
  return Layer.mergeAll(
    EvmWatcher.layer({
      ...options,
      name: "ethereum",
      client: Ethereum,
      confirmations: confirmations.ethereum
    }),
    BitcoinWatcher.layer({
      ...options,
      name: "bitcoin",
      client: Bitcoin,
      confirmations: confirmations.bitcoin
    }),
    Layer.scopedDiscard(Effect.forkScoped(lookAtSolana(confirmations.solana)))
  )
}

/** Watches the address of an order. Do this before the customer sees it: blocks that were read are not read again. */
export const watch = ({ address, chain }: Order) => {
  switch (chain) {
    case "ethereum":
      return EvmWatcher.add(chain, [address])
    case "bitcoin":
      return BitcoinWatcher.add(chain, [address])
    case "solana":
      return Effect.void
  }
}
// #endregion watchers

// #region confirmations
/** Few, so that the tutorial does not take long. For real money: 12 on Ethereum, 2 to 6 on Bitcoin, 32 on Solana. */
export const confirmations: Record<Chain, number> = { ethereum: 3, bitcoin: 2, solana: 5 }
// #endregion confirmations
