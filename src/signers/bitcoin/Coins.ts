/**
 * The outputs of one account. What its transactions have spent is not spent again, and their change can be spent before it is in a block.
 */
import type { Signed } from "../Signer.js"
import type { BitcoinInput, Outpoint } from "./Types.js"

/** A transaction that may have been broadcast: what it spends, and its change. */
export interface SpendingTransaction extends Signed {
  readonly isAccepted: boolean
  /** The hash of the transaction whose place it takes, once nodes have accepted it. */
  readonly replaces?: string | undefined
  readonly inputs: ReadonlyArray<BitcoinInput>
  readonly change?: BitcoinInput
}

export interface Coins {
  /** Of these outputs of the chain, those that no transaction of ours spends. */
  readonly filterUnspent: (listed: ReadonlyArray<BitcoinInput>) => ReadonlyArray<BitcoinInput>
  /** The change that is not spent. */
  readonly unspentChange: () => ReadonlyArray<BitcoinInput>
  /** The transaction that has given an output as change. */
  readonly findParent: (coin: BitcoinInput) => SpendingTransaction | undefined
  /** The transactions that spend any of these outputs. */
  readonly findSpenders: (coins: ReadonlyArray<BitcoinInput>) => ReadonlyArray<SpendingTransaction>
  readonly add: (out: SpendingTransaction) => void
  /** The transaction that has taken the place of another one. */
  readonly replacedBy: (hash: string) => string | undefined
  /** Forgets a transaction that no block will have: what it spends is free again. */
  readonly drop: (hash: string) => void
}

/** Transactions that are remembered: nodes let far fewer follow one another without a block. */
const MAX_REMEMBERED = 1_024

export const keyOf = ({ txid, vout }: Outpoint): string => `${txid}:${vout}`

export const make = (): Coins => {
  const outs = new Map<string, SpendingTransaction>()
  const spenders = new Map<string, SpendingTransaction>()
  const replaced = new Map<string, string>()

  const spend = (out: SpendingTransaction): void => {
    for (const coin of out.inputs) spenders.set(keyOf(coin), out)
  }

  const drop = (hash: string): void => {
    const out = outs.get(hash)
    if (out === undefined) return
    for (const coin of out.inputs) spenders.delete(keyOf(coin))
    outs.delete(hash)
    // what it was to replace stands
    const before = outs.get(out.replaces ?? "")
    if (before !== undefined) spend(before)
  }

  const isFree = (coin: BitcoinInput): boolean => !spenders.has(keyOf(coin))

  /** Whether another transaction may have taken the place of this one. */
  const isContested = (out: SpendingTransaction): boolean =>
    out.inputs.some((coin) => spenders.get(keyOf(coin)) !== out)

  return {
    filterUnspent: (listed) => listed.filter(isFree),
    unspentChange: () =>
      [...outs.values()].flatMap((out) =>
        out.change !== undefined && isFree(out.change) && !isContested(out) ? [out.change] : []
      ),
    findParent: (coin) => {
      const out = outs.get(coin.txid)
      return out?.change?.vout === coin.vout ? out : undefined
    },
    findSpenders: (coins) => [
      ...new Set(
        coins.flatMap((coin) => {
          const out = spenders.get(keyOf(coin))
          return out === undefined ? [] : [out]
        })
      )
    ],
    add: (out) => {
      outs.set(out.hash, out)
      spend(out)
      if (out.isAccepted && out.replaces !== undefined) {
        outs.delete(out.replaces)
        replaced.set(out.replaces, out.hash)
      }
      const oldest = outs.keys().next().value
      if (outs.size > MAX_REMEMBERED && oldest !== undefined) drop(oldest)
    },
    replacedBy: (hash) => replaced.get(hash),
    drop
  }
}
