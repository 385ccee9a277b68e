/** Accounts at addresses that follow from another one and a seed, so that no other key signs for them. */
import { decodeBase58 } from "../../chains/internal/base58.js"
import { CREATE_WITH_SEED, encodeInstruction, encodeMemo, programs } from "./layout.js"
import type { SolanaInstruction } from "./Types.js"

/** An account to make, with so many bytes and lamports, for the program that owns it. `address` pays for it. */
export interface SeededAccount {
  readonly account: string
  readonly address: string
  readonly seed: string
  readonly lamports: bigint
  readonly space: number
  readonly owner: string
}

/** Makes such an account. */
export const makeSeededAccount = ({
  account,
  address,
  lamports,
  owner,
  seed,
  space
}: SeededAccount): SolanaInstruction => {
  const bytes = encodeMemo(seed)
  return {
    program: programs.system,
    accounts: [
      { address, isSigner: true, isWritable: true },
      { address: account, isWritable: true }
    ],
    data: Uint8Array.of(
      ...CREATE_WITH_SEED,
      ...decodeBase58(address),
      ...encodeInstruction([], BigInt(bytes.length)),
      ...bytes,
      ...encodeInstruction([], lamports),
      ...encodeInstruction([], BigInt(space)),
      ...decodeBase58(owner)
    )
  }
}
