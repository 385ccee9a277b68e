/** Staking on Solana: previews of what is delegated, taken back and withdrawn, whose instructions are those of @solana/web3.js. */
// @covers staking on libraries: solana
import { describe, expect, it } from "@effect/vitest"
import * as kit from "@solana/kit"
import * as Effect from "effect/Effect"
import { decodeBase58 } from "../../src/chains/internal/base58.js"
import { make as makePolicy } from "../../src/signers/policyRules.js"
import { make, type SolanaCalls, type SolanaTransaction } from "../../src/signers/Solana.js"
import { parseStake } from "../../src/signers/solana/stakeProgram.js"
import type { SolanaStakingCalls, SolanaStakingClient } from "../../src/signers/solana/staking.js"
import { prepareStaking, type StakingRequest } from "../../src/signers/staking.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/solana/transactions.js"
import { makeCluster, type State, system } from "./cluster.js"
import { stakeVectors } from "./stakeVectors.js"

const words = `${"abandon ".repeat(11)}about`
const address = "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk"
const validator = "CcaHc2L43ZWjwCHART3oZoJvHLAe9hzT2DJNUpBzoTN1"
const stranger = "5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9"
const stakeProgram = "Stake11111111111111111111111111111111111111"
const voteProgram = "Vote111111111111111111111111111111111111111"
const [first, second] = stakeVectors.accounts
const SOL = 1_000_000_000n
const RENT = 2_282_880n
const NEVER = 2n ** 64n - 1n
const EPOCH = 700n

/** A stake account: delegated to the validator until an epoch, if it is delegated. */
const staked = (
  lamports: bigint,
  { deactivation = NEVER, kind = 2, staker = address, withdrawer = address } = {}
): State => {
  const data = Buffer.alloc(200)
  data.writeUInt32LE(kind, 0)
  data.writeBigUInt64LE(RENT, 4)
  data.set(decodeBase58(staker), 12)
  data.set(decodeBase58(withdrawer), 44)
  if (kind === 2) {
    data.set(decodeBase58(validator), 124)
    data.writeBigUInt64LE(lamports, 156)
    data.writeBigUInt64LE(EPOCH - 5n, 164)
    data.writeBigUInt64LE(deactivation, 172)
  }
  return { lamports: lamports + RENT, owner: stakeProgram, data: new Uint8Array(data) }
}

const start = (
  given: Readonly<Record<string, State>> = {},
  changed: Partial<SolanaCalls & SolanaStakingCalls> = {},
  more: object = {}
) =>
  Effect.gen(function* () {
    const states: Readonly<Record<string, State>> = {
      [address]: { lamports: 10n * SOL },
      [validator]: { lamports: SOL, owner: voteProgram },
      ...given
    }
    const context = { slot: 100n }
    const { client, sent } = makeCluster(states, {
      simulateTransaction: (_, { accounts: wanted } = {}) =>
        Effect.succeed({
          context,
          value: {
            err: null,
            unitsConsumed: 450n,
            // what a trial shows is not what is previewed
            accounts: (wanted?.addresses ?? []).map((each) => ({
              lamports: (states[each]?.lamports ?? 0n) - (each === address ? 1n : 0n),
              owner: states[each]?.owner ?? system,
              data: [Buffer.from(states[each]?.data ?? []).toString("base64"), "base64"]
            }))
          }
        }),
      ...changed
    })
    const { network, rpc } = client()
    const staking: SolanaStakingCalls = {
      getEpochInfo: () =>
        Effect.succeed({
          absoluteSlot: 100n,
          blockHeight: 90n,
          epoch: EPOCH,
          slotIndex: 432_000n - 90_000n,
          slotsInEpoch: 432_000n
        }),
      getVoteAccounts: () => Effect.succeed({ current: [{ commission: 5 }], delinquent: [] })
    }
    const staker: SolanaStakingClient = {
      network,
      rpc: { ...rpc, ...staking, ...changed } as SolanaStakingClient["rpc"]
    }
    const signer = yield* make(staker, { mnemonic: words, ...more })
    const prepare = (request: StakingRequest) => prepareStaking(staker, signer, request)
    return { prepare, sent, signer }
  })

/** The instructions of a transaction as kit reads them, without those of the compute budget. */
const readInstructions = (raw: string) => {
  const transaction = kit.getTransactionDecoder().decode(Buffer.from(raw, "base64"))
  const message = kit.decompileTransactionMessage(
    kit.getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
  )
  return message.instructions
    .filter(({ programAddress }) => !programAddress.startsWith("ComputeBudget"))
    .map(({ accounts = [], data, programAddress }) => ({
      program: programAddress,
      accounts: accounts.map(({ address }) => String(address)),
      data: Buffer.from(data ?? []).toString("hex")
    }))
}

/** The same of the vectors: a message has one role for each account, whatever an instruction says of it. */
const withoutRoles = (
  list: ReadonlyArray<{
    readonly program: string
    readonly accounts: ReadonlyArray<string>
    readonly data: string
  }>
) => list.map(({ accounts, ...rest }) => ({ ...rest, accounts: accounts.map((each) => each.split(" ")[0]) }))

const cases: ReadonlyArray<
  readonly [
    request: StakingRequest,
    expected: {
      readonly to: string
      readonly amount: bigint
      readonly staked: bigint
      readonly stakeAccount: string
      readonly like: "delegate" | "part" | "whole" | "withdraw"
    },
    text: string,
    states?: Readonly<Record<string, State>>
  ]
> = [
  [
    { action: "delegate", validator, amount: "3" },
    { to: validator, amount: 3n * SOL + RENT, staked: 3n * SOL, stakeAccount: first, like: "delegate" },
    `The coins are in the stake account ${first}, which is the account's, with 0.00228288 SOL that it keeps for its bytes. They earn from the next epoch on, in about 10 hours. To spend them again takes undelegate, the end of the epoch of that time (up to about 2 days), and finalize_unstake. The validator keeps 5 % of the rewards.`
  ],
  [
    { action: "undelegate", stakeAccount: first, amount: "1" },
    { to: address, amount: RENT, staked: SOL, stakeAccount: second, like: "part" },
    `The coins go to the stake account ${second}, which keeps 0.00228288 SOL for its bytes. They earn nothing after this epoch`,
    { [first]: staked(3n * SOL) }
  ],
  [
    { action: "undelegate", stakeAccount: first, amount: "all" },
    { to: address, amount: 0n, staked: 3n * SOL, stakeAccount: first, like: "whole" },
    "The coins earn nothing after this epoch, which ends in about 10 hours. After that, finalize_unstake makes them spendable.",
    { [first]: staked(3n * SOL) }
  ],
  [
    { action: "undelegate", stakeAccount: first, amount: 3n * SOL },
    { to: address, amount: 0n, staked: 3n * SOL, stakeAccount: first, like: "whole" },
    "The coins earn nothing after this epoch",
    { [first]: staked(3n * SOL) }
  ],
  ...[staked(2n * SOL, { deactivation: EPOCH - 1n }), staked(2n * SOL, { kind: 1 })].map(
    (state) =>
      [
        { action: "finalize_unstake", stakeAccount: first },
        { to: address, amount: 0n, staked: 2n * SOL + RENT, stakeAccount: first, like: "withdraw" },
        "It makes 2.00228288 SOL spendable, and removes the stake account.",
        { [first]: state }
      ] as const
  )
]

describe("staking on Solana", () => {
  it.effect.each(cases)(
    "$0 is previewed, and has the instructions of web3.js",
    ([request, expected, text, states]) =>
      Effect.gen(function* () {
        const { prepare, sent, signer } = yield* start(states)
        const { amount, like, staked, stakeAccount, to } = expected
        const prepared = yield* prepare(request)
        expect(prepared).toMatchObject({
          ...{ network: "solana-mainnet", from: address, to, amount, fee: 5_000n },
          staking: { action: request.action, amount: staked, stakeAccount },
          outgoing: [{ asset: "SOL" }]
        })
        expect(Number(prepared.outgoing[0]?.amount) * 1e9).toBeCloseTo(Number(amount + 5_000n))
        expect(prepared.warnings.join(" ")).toContain(text)
        yield* signer.submit(prepared)
        const [raw = ""] = sent
        expect(readInstructions(raw)).toEqual(withoutRoles(stakeVectors[like]))
        // nobody else signs, and what is written is what the instructions write
        const { signers, writable } = prepared.transaction.wire ?? {}
        expect(signers).toEqual([address])
        const written = stakeVectors[like].flatMap(({ accounts }) =>
          accounts.flatMap((each) => (each.endsWith("is written") ? [each.split(" ")[0]] : []))
        )
        expect(new Set(writable)).toEqual(new Set([address, ...written]))
      })
  )

  it.effect("of all coins leaves some for the fees of taking them back", () =>
    Effect.gen(function* () {
      const { prepare } = yield* start()
      const prepared = yield* prepare({ action: "delegate", validator, amount: "all" })
      expect(prepared).toMatchObject({
        amount: 10n * SOL - 10_000_000n,
        staking: { amount: 10n * SOL - 10_000_000n - RENT }
      })
      expect(prepared.warnings).toContain("0.01 SOL stay in the account: for the fees of taking coins back.")
    })
  )

  it.effect("takes the first address that is free, where somebody has sent coins too", () =>
    Effect.gen(function* () {
      const { prepare } = yield* start({ [first]: { lamports: 1n } })
      expect((yield* prepare({ action: "delegate", validator, amount: "1" })).staking?.stakeAccount).toBe(
        second
      )
      const all = yield* start(
        {},
        {
          getMultipleAccounts: (wanted) =>
            Effect.succeed({
              context: { slot: 1n },
              value: wanted.map((each) => ({
                lamports: 10n * SOL,
                owner: each === validator ? voteProgram : system,
                data: ["", "base64"]
              }))
            })
        }
      )
      expect(yield* Effect.flip(all.prepare({ action: "delegate", validator, amount: "1" }))).toMatchObject({
        reason: expect.stringContaining("has 100 stake accounts already")
      })
    })
  )

  it.effect("is refused where it would do nothing, or another thing", () =>
    Effect.gen(function* () {
      const own = { [first]: staked(3n * SOL) }
      const refused: ReadonlyArray<readonly [unknown, object, Readonly<Record<string, State>>?]> = [
        [{ action: "claim", validator }, { reason: "action must be delegate, undelegate, finalize_unstake" }],
        [{ action: "undelegate", amount: "1" }, { reason: "undelegate takes stakeAccount, amount" }],
        [
          { action: "finalize_unstake", stakeAccount: first, amount: "1" },
          { reason: "finalize_unstake takes no amount, but stakeAccount" }
        ],
        [{ action: "delegate", validator: "x", amount: "1" }, { _tag: "InvalidAddress" }],
        [
          { action: "delegate", validator: address, amount: "1" },
          { reason: expect.stringContaining("is no vote account") }
        ],
        [
          { action: "delegate", validator: stranger, amount: "1" },
          { reason: expect.stringContaining(`${stranger} is no vote account`) }
        ],
        [{ action: "delegate", validator, amount: "0" }, { _tag: "InvalidAmount" }],
        [
          { action: "delegate", validator, amount: "10" },
          { _tag: "InsufficientFunds", needed: "10.00228288" }
        ],
        [{ action: "delegate", validator, amount: "1", maxFee: 4_999n }, { _tag: "FeeOverCap" }],
        [{ action: "undelegate", stakeAccount: "x", amount: "1" }, { _tag: "InvalidAddress" }],
        [
          { action: "undelegate", stakeAccount: first, amount: "1" },
          { reason: `stakeAccount: ${first} is no stake account` }
        ],
        [
          { action: "undelegate", stakeAccount: validator, amount: "1" },
          { reason: `stakeAccount: ${validator} is no stake account` }
        ],
        [
          { action: "undelegate", stakeAccount: first, amount: "3.000000001" },
          { _tag: "InvalidAmount", reason: `is more than the 3 SOL that ${first} has delegated` },
          own
        ],
        [
          { action: "undelegate", stakeAccount: first, amount: "1" },
          { reason: `stakeAccount: the staker of ${first} is ${stranger}, and not this account` },
          { [first]: staked(3n * SOL, { staker: stranger }) }
        ],
        [
          { action: "undelegate", stakeAccount: first, amount: "1" },
          { reason: `stakeAccount: ${first} is taken back already, in epoch 699` },
          { [first]: staked(3n * SOL, { deactivation: 699n }) }
        ],
        [
          { action: "undelegate", stakeAccount: first, amount: "1" },
          { reason: `stakeAccount: ${first} is not delegated` },
          { [first]: staked(3n * SOL, { kind: 1 }) }
        ],
        [
          { action: "finalize_unstake", stakeAccount: first },
          { reason: expect.stringContaining("undelegate it first") },
          own
        ],
        [
          { action: "finalize_unstake", stakeAccount: first },
          { reason: `stakeAccount: ${first} is taken back when this epoch ends, in about 10 hours` },
          { [first]: staked(3n * SOL, { deactivation: EPOCH }) }
        ],
        [
          { action: "finalize_unstake", stakeAccount: first },
          { reason: `stakeAccount: the withdrawer of ${first} is ${stranger}, and not this account` },
          { [first]: staked(3n * SOL, { withdrawer: stranger }) }
        ]
      ]
      for (const [request, error, states] of refused) {
        const { prepare } = yield* start(states)
        expect(
          yield* Effect.flip(prepare(request as StakingRequest)),
          JSON.stringify(request, (_, each) => (typeof each === "bigint" ? String(each) : each))
        ).toMatchObject(error)
      }
      expect(parseStake(undefined)).toBeUndefined()
      const state = staked(SOL)
      for (const wrong of [
        { ...state, owner: system },
        { ...state, data: new Uint8Array(200) },
        { ...state, data: (state.data ?? new Uint8Array()).slice(0, 199) }
      ])
        expect(parseStake({ owner: stakeProgram, data: new Uint8Array(), ...wrong })).toBeUndefined()
    })
  )

  it.effect("says why the stake program refuses, and what is wrong with a validator", () =>
    Effect.gen(function* () {
      const request = { action: "delegate", validator, amount: "1" } as const
      for (const [code, reason] of [
        [
          12,
          "the chain refuses it: less would be delegated than the least that the chain takes (getStakeMinimumDelegation), of the amount or of the rest"
        ],
        [1, "the chain refuses it: the stake account is locked up"],
        [77, 'the chain refuses it: {"InstructionError":[2,{"Custom":77}]}']
      ] as const) {
        const { prepare } = yield* start(
          {},
          {
            simulateTransaction: () =>
              Effect.succeed({
                context: { slot: 1n },
                value: { err: { InstructionError: [2, { Custom: code }] } }
              })
          }
        )
        expect(yield* Effect.flip(prepare(request))).toMatchObject({ _tag: "InvalidArgument", reason })
      }
      const lazy = yield* start(
        {},
        {
          getVoteAccounts: () => Effect.succeed({ current: [], delinquent: [{ commission: 100 }] })
        }
      )
      expect((yield* lazy.prepare(request)).warnings).toEqual(
        expect.arrayContaining([
          "The validator keeps 100 % of the rewards.",
          "The validator does not vote at present: it earns nothing now."
        ])
      )
      const free = yield* start(
        {},
        { getVoteAccounts: () => Effect.succeed({ current: [{ commission: 0 }], delinquent: [] }) }
      )
      expect((yield* free.prepare(request)).warnings.join()).not.toContain("validator")
    })
  )

  it.effect("is signed only as it was previewed, and as its bytes are", () =>
    Effect.gen(function* () {
      const { prepare, sent, signer } = yield* start({ [first]: staked(3n * SOL) })
      const prepared = yield* prepare({ action: "undelegate", stakeAccount: first, amount: "1" })
      const { staking, transaction } = prepared
      const other = yield* prepare({ action: "undelegate", stakeAccount: first, amount: "2" })
      for (const forged of [
        { ...prepared, staking: undefined },
        { ...prepared, staking: { ...staking, amount: 2n * SOL } },
        { ...prepared, staking: { ...staking, action: "delegate" } },
        { ...prepared, staking: { ...staking, stakeAccount: first } },
        { ...prepared, to: first },
        { ...prepared, amount: 0n }
      ])
        expect(yield* Effect.flip(signer.submit(forged as never))).toMatchObject({ _tag: "InvalidArgument" })
      const own = transaction.staking
      if (own === undefined) throw new Error("it stakes nothing")
      const changed = (change: Partial<SolanaTransaction>) => ({ ...transaction, ...change })
      for (const forged of [
        // the bytes of another one, which call the same programs
        changed({
          wire: {
            ...transaction.wire,
            ...other.transaction.wire,
            calls: transaction.wire?.calls ?? []
          } as never
        }),
        changed({ staking: { ...own, amount: 2n * SOL } }),
        changed({ staking: { ...own, rent: 1n } }),
        changed({ staking: { ...own, seed: "stake:7" } }),
        changed({ staking: { ...own, source: second } }),
        changed({ staking: { ...own, action: "delegate" } }),
        changed({ staking: { ...own, action: "claim" } }),
        changed({ amount: 1n }),
        changed({ to: stranger })
      ])
        expect(yield* Effect.flip(signer.sign(forged))).toMatchObject({ _tag: "InvalidArgument" })
      const { wire: _, ...payment } = transaction
      expect(yield* Effect.flip(signer.sign(payment))).toMatchObject({
        reason: "what stakes is a whole transaction: prepareStaking makes it"
      })
      expect(sent).toEqual([])
      yield* signer.sign(transaction)
    })
  )

  it.effect("counts in a policy what can no longer be spent", () =>
    Effect.gen(function* () {
      const policy = yield* makePolicy({ limits: [{ network: "solana-mainnet", amount: "2" }] })
      const { prepare, signer } = yield* start({}, {}, { policy })
      const delegate = (amount: string) => prepare({ action: "delegate", validator, amount })
      expect(yield* Effect.flip(signer.submit(yield* delegate("2")))).toMatchObject({
        _tag: "PolicyDenied",
        rule: "limit"
      })
      yield* signer.submit(yield* delegate("1.9"))
    })
  )
})
