/**
 * The outputs of one account. What its transactions have spent is not spent again, and their change can be spent before it is in a block.
 */
import type { Signed } from "../Signer.js"
import type { BitcoinInput } from "./Types.js"

/** A transaction that may have been broadcast: what it spends, and its change. */
export interface SpendingTransaction extends Signed {
  readonly isAccepted: boolean
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
  /** Forgets a transaction that no block will have: what it spends is free again. */
  readonly drop: (hash: string) => void
}

/** Transactions that are remembered: nodes let far fewer follow one another without a block. */
const MAX_REMEMBERED = 1_024

export const keyOf = ({ txid, vout }: Pick<BitcoinInput, "txid" | "vout">): string => `${txid}:${vout}`

export const make = (): Coins => {
  const outs = new Map<string, SpendingTransaction>()
  const spenders = new Map<string, SpendingTransaction>()

  const drop = (hash: string): void => {
    const out = outs.get(hash)
    if (out === undefined) return
    for (const coin of out.inputs) spenders.delete(keyOf(coin))
    outs.delete(hash)
  }

  const isFree = (coin: BitcoinInput): boolean => !spenders.has(keyOf(coin))

  return {
    filterUnspent: (listed) => listed.filter(isFree),
    unspentChange: () =>
      [...outs.values()].flatMap(({ change }) => (change !== undefined && isFree(change) ? [change] : [])),
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
      for (const coin of out.inputs) spenders.set(keyOf(coin), out)
      const oldest = outs.keys().next().value
      if (outs.size > MAX_REMEMBERED && oldest !== undefined) drop(oldest)
    },
    drop
  }
}
