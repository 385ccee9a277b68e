/** The stake program of Solana: its instructions for what an account does with its stake, and its accounts. */
import { decodeBase58, encodeBase58 } from "../../chains/internal/base58.js"
import { type AccountState, encodeInstruction, MAX_U64, programs, RENT } from "./layout.js"
import { makeSeededAccount } from "./seededAccount.js"
import type { SolanaInstruction, SolanaTransaction } from "./Types.js"
import type { WireTransaction } from "./wire.js"

/** Bytes of a stake account. */
export const STAKE_BYTES = 200

/** The program of vote accounts. */
export const VOTE_PROGRAM = "Vote111111111111111111111111111111111111111"

const CLOCK = "SysvarC1ock11111111111111111111111111111111"
const STAKE_HISTORY = "SysvarStakeHistory1111111111111111111111111"
/** The program reads it no more, and still wants it among the accounts. */
const STAKE_CONFIG = "StakeConfig11111111111111111111111111111111"

/** The numbers of instructions. */
const INITIALIZE = [0, 0, 0, 0]
const DELEGATE = [2, 0, 0, 0]
const SPLIT = [3, 0, 0, 0]
const WITHDRAW = [4, 0, 0, 0]
const DEACTIVATE = [5, 0, 0, 0]

/** The lockup of an account that can be withdrawn at any time: a time, an epoch and a custodian, all zero. */
const NO_LOCKUP = new Uint8Array(8 + 8 + 32)

const writable = (address: string) => ({ address, isWritable: true })
const signer = (address: string) => ({ address, isSigner: true })

const initialize = (account: string, owner: string): SolanaInstruction => ({
  program: programs.stake,
  accounts: [writable(account), { address: RENT }],
  // who may stake, and who may withdraw
  data: Uint8Array.of(...INITIALIZE, ...decodeBase58(owner), ...decodeBase58(owner), ...NO_LOCKUP)
})

const delegate = (account: string, validator: string, owner: string): SolanaInstruction => ({
  program: programs.stake,
  accounts: [
    writable(account),
    ...[validator, CLOCK, STAKE_HISTORY, STAKE_CONFIG].map((address) => ({ address })),
    signer(owner)
  ],
  data: Uint8Array.from(DELEGATE)
})

const split = (from: string, account: string, owner: string, lamports: bigint): SolanaInstruction => ({
  program: programs.stake,
  accounts: [writable(from), writable(account), signer(owner)],
  data: encodeInstruction(SPLIT, lamports)
})

const deactivate = (account: string, owner: string): SolanaInstruction => ({
  program: programs.stake,
  accounts: [writable(account), { address: CLOCK }, signer(owner)],
  data: Uint8Array.from(DEACTIVATE)
})

const withdraw = (account: string, owner: string, lamports: bigint): SolanaInstruction => ({
  program: programs.stake,
  accounts: [
    writable(account),
    writable(owner),
    ...[CLOCK, STAKE_HISTORY].map((address) => ({ address })),
    signer(owner)
  ],
  data: encodeInstruction(WITHDRAW, lamports)
})

/** What accounts of Solana do with their stake. */
export type SolanaStakingAction = "delegate" | "undelegate" | "finalize_unstake"

/** The instructions of a transaction that stakes. Throws if it says nothing that the chain has. */
export const makeStakeInstructions = ({
  from,
  staking,
  to
}: Pick<SolanaTransaction, "from" | "staking" | "to">): ReadonlyArray<SolanaInstruction> => {
  if (staking === undefined) throw new Error("it stakes nothing")
  const { action, amount, rent = 0n, seed, source, stakeAccount: account } = staking
  const make = (lamports: bigint): ReadonlyArray<SolanaInstruction> =>
    seed === undefined
      ? []
      : [
          makeSeededAccount({
            account,
            address: from,
            seed,
            lamports,
            space: STAKE_BYTES,
            owner: programs.stake
          })
        ]
  switch (action) {
    case "delegate":
      return [...make(amount + rent), initialize(account, from), delegate(account, to, from)]
    case "undelegate":
      return [
        ...(source === undefined ? [] : [...make(rent), split(source, account, from, amount)]),
        deactivate(account, from)
      ]
    case "finalize_unstake":
      return [withdraw(account, from, amount)]
    default:
      throw new Error("staking.action must be delegate, undelegate or finalize_unstake")
  }
}

/** What a transaction that stakes takes from the account, besides its fee. */
export const spentOf = ({ staking }: Pick<SolanaTransaction, "staking">): bigint => {
  const { action, amount = 0n, rent = 0n } = staking ?? {}
  return action === "delegate" ? amount + rent : rent
}

const isEqual = (one: Uint8Array, other: Uint8Array | undefined): boolean =>
  one.length === other?.length && one.every((byte, at) => byte === other[at])

/** Whether bytes stake what a transaction says, and do nothing else. */
export const isStaking = (
  { accounts, instructions, lookups }: WireTransaction,
  transaction: SolanaTransaction
): boolean => {
  const expected = makeStakeInstructions(transaction)
  const found = instructions.filter(({ program }) => program !== programs.computeBudget)
  return (
    lookups.length === 0 &&
    (transaction.staking?.action === "delegate" || transaction.to === transaction.from) &&
    transaction.amount === spentOf(transaction) &&
    found.length === expected.length &&
    found.every((each, at) => {
      const { accounts: named = [], data, program } = expected[at] ?? {}
      return (
        each.program === program &&
        isEqual(each.data, data) &&
        each.accounts.length === named.length &&
        named.every(({ address }, place) => accounts[each.accounts[place] ?? -1] === address)
      )
    })
  )
}

/** A stake account: who may stake and withdraw, and, if it is delegated, to whom and with how many lamports in which epochs. */
export interface StakeState {
  readonly lamports: bigint
  readonly staker: string
  readonly withdrawer: string
  readonly delegation?: {
    readonly validator: string
    readonly lamports: bigint
    /** Absent while it is not taken back. */
    readonly deactivationEpoch?: bigint
  }
}

/** The kinds of stake accounts that have coins of somebody. */
const INITIALIZED = 1
const STAKED = 2

/** Parses a stake account; undefined if the account is none. */
export const parseStake = (state: AccountState | undefined): StakeState | undefined => {
  if (state === undefined || state.owner !== programs.stake || state.data.length < STAKE_BYTES)
    return undefined
  const { data, lamports } = state
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const kind = view.getUint32(0, true)
  if (kind !== INITIALIZED && kind !== STAKED) return undefined
  const addressAt = (at: number): string => encodeBase58(data.subarray(at, at + 32))
  const deactivationEpoch = view.getBigUint64(172, true)
  return {
    lamports,
    staker: addressAt(12),
    withdrawer: addressAt(44),
    ...(kind === INITIALIZED
      ? {}
      : {
          delegation: {
            validator: addressAt(124),
            lamports: view.getBigUint64(156, true),
            ...(deactivationEpoch === MAX_U64 ? {} : { deactivationEpoch })
          }
        })
  }
}
