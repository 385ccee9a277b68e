/** A cluster for signers of Solana: accounts, and what was sent. */
import * as Effect from "effect/Effect"
import { encodeBase58 } from "../../src/chains/internal/base58.js"
import type { Network } from "../../src/data/Network.js"
import type { SolanaCalls, SolanaClient } from "../../src/signers/Solana.js"

export const system = "11111111111111111111111111111111"
export const tokens = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
export const tokens2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"

/** A blockhash of its own for every number. */
export const blockhash = (number: number): string => {
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setUint32(0, number + 1)
  return encodeBase58(bytes)
}

export interface State {
  readonly lamports: bigint
  readonly owner?: string
  readonly data?: Uint8Array
}

const rent = (length: number): bigint => BigInt(length + 128) * 6_960n

/** Calls over accounts. A test changes those that it is about; `sent` is what came in, in its order. */
export const makeCluster = (
  accounts: Readonly<Record<string, State>> = {},
  changed: Partial<SolanaCalls> = {}
) => {
  const sent: Array<string> = []
  const context = { slot: 100n }
  let asked = 0
  const rpc: SolanaCalls = {
    getEpochInfo: () => Effect.succeed({ absoluteSlot: 100n, blockHeight: 90n }),
    getFeeForMessage: () => Effect.succeed({ context, value: 5_000n }),
    getLatestBlockhash: () =>
      Effect.sync(() => ({
        context,
        value: { blockhash: blockhash(asked++), lastValidBlockHeight: 240n }
      })),
    getMinimumBalanceForRentExemption: (length) => Effect.succeed(rent(Number(length))),
    getMultipleAccounts: (addresses) =>
      Effect.succeed({
        context,
        value: addresses.map((address) => {
          const found = accounts[address]
          return found === undefined
            ? null
            : {
                lamports: found.lamports,
                owner: found.owner ?? system,
                data: [Buffer.from(found.data ?? []).toString("base64"), "base64"]
              }
        })
      }),
    getRecentPrioritizationFees: () => Effect.succeed([]),
    getSignatureStatuses: () => Effect.succeed({ context, value: [null] }),
    isBlockhashValid: () => Effect.succeed({ context, value: true }),
    sendTransaction: (raw) => Effect.sync(() => String(sent.push(raw))),
    simulateTransaction: () => Effect.succeed({ context, value: { err: null, unitsConsumed: 450n } }),
    waitForTransaction: () => Effect.succeed({ err: null }),
    ...changed
  }
  const client = (network: Network = "solana-mainnet"): SolanaClient => ({ network, rpc })
  return { client, sent }
}
