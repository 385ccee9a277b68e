/** Staking on Tron: previews of what an account stakes, takes back, votes with, claims and lends, whose bytes are those of tronweb. */
// @covers staking on libraries: tron
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { utils } from "tronweb"
import { make as makePolicy } from "../../src/signers/policyRules.js"
import type { Staking } from "../../src/signers/Signer.js"
import { prepareStaking, type StakingRequest } from "../../src/signers/staking.js"
import { make, type TronTransaction } from "../../src/signers/Tron.js"
import { encodeRawData } from "../../src/signers/tron/protobuf.js"
import type { TronStakingCalls, TronStakingClient } from "../../src/signers/tron/staking.js"
import { encodeStaking, type TronStakingAction } from "../../src/signers/tron/stakingContracts.js"
import { runs } from "../properties.js"
import { tronParameters } from "./parameters.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/tron/curve.js"
import "../../src/signers/tron/staking.js"

const words = `${"abandon ".repeat(11)}about`
const address = "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH"
const one = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
const other = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
const stranger = "TVj7RNVHy6thbM7BWdSe9G6gXwKhjhdNZS"
const hexOf = (base58: string): string => utils.address.toHex(base58)
const blockID = `0000000003a1b2c3${"d4e5f60718293a4b".repeat(3)}`
const NOW = 1_700_000_000_000n
const DAY = 86_400_000n
const TRX = 1_000_000n

type Rpc = TronStakingClient["rpc"]
type TronAccount = Effect.Effect.Success<ReturnType<TronStakingCalls["getAccount"]>>

const unused = (name: string) => () => Effect.die(`${name} is not asked for by staking`)

const start = (given: Partial<TronAccount> = {}, calls: Partial<Rpc> = {}) =>
  Effect.gen(function* () {
    const account: { -readonly [K in keyof TronAccount]: TronAccount[K] } = {
      address,
      balance: 100n * TRX,
      frozenV2: [{ amount: 20n * TRX }, { type: "ENERGY", amount: 30n * TRX }, { type: "TRON_POWER" }],
      ...given
    }
    const sent: Array<string> = []
    const asked: Array<ReadonlyArray<unknown>> = []
    const rpc: Rpc = {
      broadcastHex: (raw) => Effect.sync(() => ({ result: sent.push(raw) > 0 })),
      getAccount: (of) => Effect.succeed(of === address ? account : of === stranger ? {} : { address: of }),
      getAccountResources: () => Effect.succeed({ freeNetLimit: 100n, tronPowerLimit: 50n }),
      getBrokerage: () => Effect.succeed({ brokerage: 20n }),
      getCanDelegatedMaxSize: (...args) => {
        asked.push(args)
        return Effect.succeed({ max_size: 12n * TRX })
      },
      getChainParameters: () =>
        Effect.succeed({
          chainParameter: [...tronParameters.chainParameter, { key: "getUnfreezeDelayDays", value: 14n }]
        }),
      getDelegatedResourceV2: (...args) => {
        asked.push(args)
        return Effect.succeed({
          delegatedResource: [
            { frozen_balance_for_bandwidth: 3n * TRX, frozen_balance_for_energy: 5n * TRX },
            // of a time for which it cannot be taken back is another entry
            { frozen_balance_for_energy: 1n * TRX }
          ]
        })
      },
      getNowBlock: () =>
        Effect.succeed({ blockID, block_header: { raw_data: { number: 60_928_707n, timestamp: NOW } } }),
      getReward: () => Effect.succeed({ reward: 1_234_567n }),
      getTransactionById: () => Effect.succeed({}),
      getTransactionFromPending: () => Effect.succeed({}),
      getTransactionInfoById: () => Effect.succeed({}),
      listWitnesses: () =>
        Effect.succeed({ witnesses: [{ address: hexOf(one), isJobs: true }, { address: hexOf(other) }] }),
      triggerConstantContract: unused("triggerConstantContract"),
      ...calls
    }
    const client: TronStakingClient = { network: "tron-mainnet", rpc }
    const signer = yield* make(client, { mnemonic: words })
    const prepare = (request: StakingRequest) => prepareStaking(client, signer, request)
    return { account, asked, client, prepare, sent, signer }
  })

/** The protocol's names of the actions. */
const names: Readonly<Record<TronStakingAction, string>> = {
  stake: "FreezeBalanceV2Contract",
  unstake: "UnfreezeBalanceV2Contract",
  finalize_unstake: "WithdrawExpireUnfreezeContract",
  cancel_unstake: "CancelAllUnfreezeV2Contract",
  delegate: "VoteWitnessContract",
  claim: "WithdrawBalanceContract",
  delegate_resource: "DelegateResourceContract",
  undelegate_resource: "UnDelegateResourceContract"
}

/** The bytes of a transaction as tronweb writes them. */
const byTronweb = ({ amount, from, staking, to }: TronTransaction, timestamp: bigint): string => {
  const type = names[staking?.action as TronStakingAction]
  const value = {
    owner_address: hexOf(from),
    resource: staking?.resource,
    frozen_balance: Number(amount),
    unfreeze_balance: Number(amount),
    balance: Number(amount),
    receiver_address: hexOf(to),
    votes: [{ vote_address: hexOf(to), vote_count: Number(amount / TRX) }]
  }
  const pb = utils.transaction.txJsonToPb({
    visible: false,
    raw_data: {
      contract: [{ type, parameter: { type_url: `type.googleapis.com/protocol.${type}`, value } }],
      ref_block_bytes: blockID.slice(12, 16),
      ref_block_hash: blockID.slice(16, 32),
      expiration: Number(timestamp + 60_000n),
      timestamp: Number(timestamp)
    }
  } as never)
  return utils.transaction.txPbToRawDataHex(pb).toLowerCase()
}

const waiting = (...of: ReadonlyArray<readonly [sun: bigint, until: bigint]>): Partial<TronAccount> => ({
  unfrozenV2: of.map(([unfreeze_amount, unfreeze_expire_time]) => ({ unfreeze_amount, unfreeze_expire_time }))
})

const cases: ReadonlyArray<
  readonly [
    request: StakingRequest & { readonly action: TronStakingAction },
    expected: {
      readonly to?: string
      readonly amount: bigint
      readonly spent?: bigint
    },
    words: string,
    account?: Partial<TronAccount>
  ]
> = [
  [
    { action: "stake", amount: "10", resource: "ENERGY" },
    { amount: 10n * TRX, spent: 10n * TRX },
    "The coins are staked for energy and for votes, and cannot be spent. After unstake it takes 14 days until they can."
  ],
  [
    { action: "stake", amount: 1_000_000n, resource: "BANDWIDTH" },
    { amount: TRX, spent: TRX },
    "for bandwidth and for votes"
  ],
  [
    { action: "stake", amount: "all", resource: "BANDWIDTH" },
    // 251 bytes, and what stays
    { amount: 98_749_000n, spent: 98_749_000n },
    "1 TRX stay in the account: for the fee of taking coins back."
  ],
  [
    { action: "unstake", amount: "5.5", resource: "ENERGY" },
    { amount: 5_500_000n },
    "The coins give no energy and no votes from now on. After 14 days, finalize_unstake makes them spendable."
  ],
  [
    { action: "unstake", amount: "all", resource: "BANDWIDTH" },
    { amount: 20n * TRX },
    "Votes that the rest of the stake is not enough for are taken back, in proportion. It makes 2 TRX spendable, whose time is over.",
    { votes: [{ vote_address: hexOf(one), vote_count: 7n }], ...waiting([2n * TRX, NOW], [TRX, NOW + 1n]) }
  ],
  [
    { action: "finalize_unstake" },
    { amount: 0n },
    "It makes 2.5 TRX spendable.",
    waiting([2n * TRX, NOW - DAY], [500_000n, NOW], [7n * TRX, NOW + 1n])
  ],
  [
    { action: "cancel_unstake" },
    { amount: 0n },
    "It stakes 7 TRX again that were being taken back. It makes 2 TRX spendable, whose time is over.",
    waiting([2n * TRX, NOW], [7n * TRX, NOW + 1n])
  ],
  [
    { action: "delegate", validator: one, amount: "7" },
    { to: one, amount: 7n * TRX },
    `It takes the place of all earlier votes. Rewards are paid by claim, at most once in 24 hours. The account votes for ${other} no more. It keeps 20 % of the rewards.`,
    {
      votes: [
        { vote_address: hexOf(one), vote_count: 1n },
        { vote_address: hexOf(other), vote_count: 1n }
      ]
    }
  ],
  [
    { action: "delegate", validator: hexOf(other), amount: "all" },
    { to: other, amount: 50n * TRX },
    "It is none of those who produce blocks now, and earns less, or nothing."
  ],
  [{ action: "claim" }, { amount: 0n }, "It pays the rewards so far: 1.234567 TRX."],
  [{ action: "claim" }, { amount: 0n }, "It pays the rewards so far", { latest_withdraw_time: NOW - DAY }],
  [
    { action: "delegate_resource", receiver: one, amount: "2", resource: "ENERGY" },
    { to: one, amount: 2n * TRX },
    "The receiver has the use of the energy until undelegate_resource. The stake and its votes stay the account's."
  ],
  [
    { action: "undelegate_resource", receiver: one, amount: "all", resource: "ENERGY" },
    { to: one, amount: 6n * TRX },
    "The account has the use of the energy again, once what the receiver used has recovered."
  ],
  [
    { action: "undelegate_resource", receiver: hexOf(one), amount: "3", resource: "BANDWIDTH" },
    { to: one, amount: 3n * TRX },
    "the use of the bandwidth again"
  ]
]

describe("staking on Tron", () => {
  it.effect.each(cases)(
    "$0 is previewed, and signed as tronweb writes it",
    ([request, expected, text, account]) =>
      Effect.gen(function* () {
        const { prepare, sent, signer } = yield* start(account)
        const { action, resource } = request
        const { amount, spent = 0n, to = address } = expected
        const prepared = yield* prepare(request)
        const { fee } = prepared
        expect(prepared).toMatchObject({
          ...{ network: "tron-mainnet", from: address, to, amount: spent, fee },
          staking: { action, amount, ...(resource === undefined ? {} : { resource }) },
          resources: { bandwidth: { needed: fee / 1_000n, burnt: fee / 1_000n, cost: fee } },
          outgoing: [{ asset: "TRX" }]
        })
        expect(Number(prepared.outgoing[0]?.amount) * 1e6).toBeCloseTo(Number(spent + fee))
        expect(prepared.warnings.join(" ")).toContain(text)
        const { hash } = yield* signer.submit(prepared)
        const raw = byTronweb(prepared.transaction, NOW)
        expect(sent[0]).toContain(raw)
        // what it costs are the bytes that are sent, and room for their result
        expect(BigInt((sent[0] ?? "").length / 2 + 64) * 1_000n).toBe(fee)
        const signature = (sent[0] ?? "").slice(-130)
        expect(utils.address.fromHex(utils.crypto.ecRecover(hash, signature))).toBe(address)
      })
  )

  it("is the bytes of tronweb, whatever it is", () => {
    const actions = Object.keys(names) as ReadonlyArray<TronStakingAction>
    fc.assert(
      fc.property(
        fc.constantFrom(...actions),
        fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
        fc.constantFrom("BANDWIDTH" as const, "ENERGY" as const),
        (action, amount, resource) => {
          const transaction = { from: address, to: one, amount, staking: { action, resource } }
          const raw = encodeRawData(
            transaction,
            { blockId: blockID, timestamp: NOW, expiration: NOW + 60_000n },
            encodeStaking(transaction)
          )
          expect(Buffer.from(raw).toString("hex")).toBe(byTronweb(transaction, NOW))
        }
      ),
      { numRuns: runs(300) }
    )
  })

  it.effect("is refused where it would do nothing, or another thing", () =>
    Effect.gen(function* () {
      const full = waiting(...Array.from({ length: 32 }, () => [TRX, NOW + 1n] as const))
      const refused: ReadonlyArray<readonly [unknown, object, (Partial<TronAccount> | undefined)?]> = [
        [undefined, { _tag: "InvalidArgument", reason: "it takes { action, validator, amount }" }],
        [
          { action: "redelegate", validator: one, from: other, amount: "1" },
          {
            reason:
              "action must be stake, unstake, finalize_unstake, cancel_unstake, delegate, claim, delegate_resource, undelegate_resource"
          }
        ],
        [{ action: "stake", amount: "1" }, { reason: "stake takes amount, resource" }],
        [
          { action: "stake", amount: "1", resource: "TRON_POWER" },
          { reason: "resource must be BANDWIDTH or ENERGY" }
        ],
        [{ action: "claim", resource: "ENERGY" }, { reason: "claim takes no resource" }],
        [
          { action: "delegate", receiver: one, validator: one, amount: "1" },
          { reason: "delegate takes no receiver, but validator, amount" }
        ],
        [
          { action: "stake", amount: "0.999999", resource: "ENERGY" },
          { _tag: "InvalidAmount", reason: "is less than the 1 TRX that can be staked" }
        ],
        [
          { action: "stake", amount: "100", resource: "ENERGY" },
          { _tag: "InsufficientFunds", needed: "100.253" }
        ],
        [
          { action: "stake", amount: "all", resource: "ENERGY" },
          { _tag: "InvalidAmount" },
          { balance: 2n * TRX }
        ],
        [
          { action: "stake", amount: "all", resource: "ENERGY" },
          { _tag: "InsufficientFunds" },
          { balance: TRX }
        ],
        [{ action: "stake", amount: "1", maxFee: 251_000n, resource: "ENERGY" }, { _tag: "FeeOverCap" }, {}],
        [
          { action: "unstake", amount: "20.000001", resource: "BANDWIDTH" },
          {
            _tag: "InvalidAmount",
            reason: "is more than the 20 TRX that the account has staked for bandwidth and not lent"
          }
        ],
        [
          { action: "unstake", amount: "all", resource: "ENERGY" },
          { _tag: "InvalidAmount" },
          { frozenV2: [] }
        ],
        [
          { action: "unstake", amount: "1", resource: "ENERGY" },
          { reason: expect.stringContaining("takes back 32 amounts already") },
          full
        ],
        [
          { action: "finalize_unstake" },
          { reason: expect.stringContaining("nothing that can be taken back yet") }
        ],
        [
          { action: "finalize_unstake" },
          { reason: expect.stringContaining("nothing that can be taken back yet") },
          waiting([TRX, NOW + 1n])
        ],
        [{ action: "cancel_unstake" }, { reason: "the account takes nothing back that could be cancelled" }],
        [{ action: "delegate", validator: "x", amount: "1" }, { _tag: "InvalidAddress" }],
        [
          { action: "delegate", validator: stranger, amount: "1" },
          { reason: `${stranger} is no super representative of tron-mainnet, nor a candidate` }
        ],
        [
          { action: "delegate", validator: one, amount: "1.5" },
          { _tag: "InvalidAmount", reason: expect.stringContaining("whole TRX") }
        ],
        [
          { action: "delegate", validator: one, amount: "51" },
          {
            _tag: "InvalidAmount",
            reason: "is more than the 50 TRX that the account has staked to vote with"
          }
        ],
        [
          { action: "claim" },
          {
            reason: `rewards can be claimed once in 24 hours, and next at ${new Date(Number(NOW + 1n)).toISOString()}`
          },
          { latest_withdraw_time: NOW + 1n - DAY }
        ],
        [
          { action: "delegate_resource", receiver: address, amount: "1", resource: "ENERGY" },
          { reason: expect.stringContaining("the account itself") }
        ],
        [
          { action: "delegate_resource", receiver: stranger, amount: "1", resource: "ENERGY" },
          { reason: `receiver: ${stranger} has no account yet` }
        ],
        [
          { action: "delegate_resource", receiver: one, amount: "0.5", resource: "ENERGY" },
          { _tag: "InvalidAmount" }
        ],
        [
          { action: "delegate_resource", receiver: one, amount: "13", resource: "ENERGY" },
          { _tag: "InvalidAmount", reason: "is more than the 12 TRX whose energy the account can lend now" }
        ],
        [
          { action: "undelegate_resource", receiver: one, amount: "4", resource: "BANDWIDTH" },
          {
            _tag: "InvalidAmount",
            reason: `is more than the 3 TRX whose bandwidth ${one} has of the account`
          }
        ],
        [
          { action: "undelegate_resource", receiver: "x", amount: "4", resource: "BANDWIDTH" },
          { _tag: "InvalidAddress" }
        ]
      ]
      for (const [request, error, account] of refused) {
        const { prepare, sent } = yield* start(account)
        expect(
          yield* Effect.flip(prepare(request as StakingRequest)),
          JSON.stringify(request, (_, each) => (typeof each === "bigint" ? String(each) : each))
        ).toMatchObject(error)
        expect(sent).toEqual([])
      }
      const { prepare } = yield* start({}, { getReward: () => Effect.succeed({ reward: 0n }) })
      expect(yield* Effect.flip(prepare({ action: "claim" }))).toMatchObject({
        reason: "there are no rewards to claim"
      })
    })
  )

  it.effect("asks for the resource that it is about, and takes what expired out of the count", () =>
    Effect.gen(function* () {
      const { asked, prepare } = yield* start(
        waiting(...Array.from({ length: 32 }, () => [TRX, NOW] as const))
      )
      for (const resource of ["BANDWIDTH", "ENERGY"] as const) {
        yield* prepare({ action: "delegate_resource", receiver: one, amount: "1", resource })
        yield* prepare({ action: "undelegate_resource", receiver: one, amount: "1", resource })
        yield* prepare({ action: "unstake", amount: "1", resource })
      }
      const visible = { visible: true }
      expect(asked).toEqual([
        [address, 0, visible],
        [address, one, visible],
        [address, 1, visible],
        [address, one, visible]
      ])
    })
  )

  it.effect("costs nothing for an account with bandwidth, and fails where nodes tell no numbers", () =>
    Effect.gen(function* () {
      const { prepare } = yield* start(
        { balance: 0n },
        { getAccountResources: () => Effect.succeed({ NetLimit: 5_000n }) }
      )
      expect(yield* prepare({ action: "claim" })).toMatchObject({
        fee: 0n,
        resources: { bandwidth: { burnt: 0n } }
      })
      for (const [request, calls] of [
        [{ action: "claim" }, { getReward: () => Effect.succeed({ reward: "much" as never }) }],
        [
          { action: "claim" },
          { getNowBlock: () => Effect.succeed({ blockID, block_header: { raw_data: {} } }) }
        ],
        [
          { action: "stake", amount: "1", resource: "ENERGY" },
          { getChainParameters: () => Effect.succeed(tronParameters) }
        ]
      ] as const) {
        const { prepare } = yield* start({}, calls)
        expect(yield* Effect.flip(prepare(request))).toMatchObject({ _tag: "NodeError", kind: "malformed" })
      }
    })
  )

  it.effect("is signed only as it was previewed", () =>
    Effect.gen(function* () {
      const { prepare, sent, signer } = yield* start()
      const prepared = yield* prepare({ action: "stake", amount: "10", resource: "ENERGY" })
      const { transaction } = prepared
      const staking: Staking = { action: "stake", amount: 10n * TRX, resource: "ENERGY" }
      for (const forged of [
        { ...prepared, staking: undefined },
        { ...prepared, staking: { ...staking, action: "unstake" } },
        { ...prepared, staking: { ...staking, resource: "BANDWIDTH" } },
        { ...prepared, staking: { ...staking, amount: 1n } },
        { ...prepared, transaction: { ...transaction, staking: undefined } },
        { ...prepared, transaction: { ...transaction, staking: { action: "stake" } } },
        {
          ...prepared,
          transaction: { ...transaction, staking: { ...transaction.staking, resource: "BANDWIDTH" } }
        },
        { ...prepared, transaction: { ...transaction, amount: 11n * TRX } },
        { ...prepared, transaction: { ...transaction, to: one } }
      ])
        expect(yield* Effect.flip(signer.submit(forged as never))).toMatchObject({ _tag: "InvalidArgument" })
      for (const [own, reason] of [
        [{ action: "redelegate" }, "staking.action must be one of"],
        [{ action: "stake" }, "staking.resource must be BANDWIDTH or ENERGY"]
      ] as const)
        expect(yield* Effect.flip(signer.sign({ ...transaction, staking: own }))).toMatchObject({
          _tag: "SigningFailed",
          reason: expect.stringContaining(reason)
        })
      expect(sent).toEqual([])
    })
  )

  it.effect("counts in a policy what can no longer be spent", () =>
    Effect.gen(function* () {
      const { client, prepare } = yield* start()
      const policy = yield* makePolicy({ limits: [{ network: "tron-mainnet", amount: "5" }] })
      const guarded = yield* make(client, { mnemonic: words, policy })
      const stake = (amount: string) => prepare({ action: "stake", amount, resource: "ENERGY" })
      expect(yield* Effect.flip(guarded.submit(yield* stake("5")))).toMatchObject({
        _tag: "PolicyDenied",
        rule: "limit"
      })
      yield* guarded.submit(yield* prepare({ action: "unstake", amount: "10", resource: "ENERGY" }))
      yield* guarded.submit(yield* stake("4"))
    })
  )
})
