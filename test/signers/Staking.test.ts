/** Staking: previews of what an account delegates, takes back, moves and claims, and what is signed of them, beside another library's encoder. */
import { DirectSecp256k1Wallet, makeSignDoc } from "@cosmjs/proto-signing"
import { describe, expect, it } from "@effect/vitest"
import { MsgWithdrawDelegatorReward } from "cosmjs-types/cosmos/distribution/v1beta1/tx"
import { MsgBeginRedelegate, MsgDelegate, MsgUndelegate } from "cosmjs-types/cosmos/staking/v1beta1/tx"
import { AuthInfo, TxBody } from "cosmjs-types/cosmos/tx/v1beta1/tx"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { addressProblem, make } from "../../src/signers/Cosmos.js"
import { encodeBech32 } from "../../src/signers/cosmos/address.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/cosmos/curve.js"
import "../../src/signers/cosmos/protobuf.js"
import "../../src/signers/cosmos/staking.js"
import "../../src/signers/cosmos/stakingMessages.js"
import { make as makePolicy } from "../../src/signers/policyRules.js"
import { prepareStaking, type StakingRequest } from "../../src/signers/staking.js"
import { runs } from "../properties.js"
import { Hub, isSigned, readTx } from "./hub.js"

const key = "9f".repeat(32)
const keyBytes = new Uint8Array(32).fill(0x9f)
const [one, other, jailed, small] = [1, 2, 3, 4].map((byte) =>
  encodeBech32("cosmosvaloper", new Uint8Array(20).fill(byte))
) as [string, string, string, string]

const validator = (changes: object = {}) => ({
  jailed: false,
  status: "BOND_STATUS_BONDED",
  commission: { commission_rates: { rate: "0.050000000000000000" } },
  ...changes
})

const start = Effect.gen(function* () {
  const wallet = yield* Effect.promise(() => DirectSecp256k1Wallet.fromKey(keyBytes))
  const [{ address } = { address: "" }] = yield* Effect.promise(() => wallet.getAccounts())
  const hub = new Hub({ [address]: { sequence: 3n, coins: { uatom: 10_000_000n } } })
  hub.validators[one] = validator()
  hub.validators[other] = validator({ commission: { commission_rates: { rate: "0.123450000000000000" } } })
  hub.validators[jailed] = validator({ jailed: true, status: "BOND_STATUS_UNBONDING" })
  hub.validators[small] = validator({ status: "BOND_STATUS_UNBONDED" })
  hub.delegated[`${address} ${one}`] = 4_000_000n
  hub.rewards[`${address} ${one}`] = "123456.789000000000000000"
  const client = hub.client()
  const signer = yield* make(client, { privateKey: key })
  const prepare = (request: StakingRequest) => prepareStaking(client, signer, request)
  return { address, client, hub, prepare, signer, wallet }
})

const refusal = (request: unknown) =>
  Effect.flatMap(start, ({ prepare }) => Effect.flip(prepare(request as StakingRequest)))

/** What the node's gas of 100,000 costs with the margin of two fifths, at 0.01 and a quarter more. */
const FEE = 1_750n

const cases: ReadonlyArray<
  readonly [StakingRequest, typeUrl: string, amount: bigint, spent: bigint, words: string]
> = [
  [
    { action: "delegate", validator: one, amount: "2.5" },
    MsgDelegate.typeUrl,
    2_500_000n,
    2_500_000n,
    "After undelegate it takes 21 days until they can."
  ],
  [
    { action: "delegate", validator: other, amount: "all" },
    MsgDelegate.typeUrl,
    10_000_000n - FEE,
    10_000_000n - FEE,
    "The validator keeps 12.35 % of the rewards."
  ],
  [
    { action: "undelegate", validator: one, amount: 1n },
    MsgUndelegate.typeUrl,
    1n,
    0n,
    "can be spent after 21 days."
  ],
  [
    { action: "undelegate", validator: one, amount: "all" },
    MsgUndelegate.typeUrl,
    4_000_000n,
    0n,
    "earn nothing from now on"
  ],
  [
    { action: "redelegate", validator: other, from: one, amount: "4" },
    MsgBeginRedelegate.typeUrl,
    4_000_000n,
    0n,
    "cannot be moved on from the new validator for 21 days."
  ],
  [
    { action: "claim", validator: one },
    MsgWithdrawDelegatorReward.typeUrl,
    0n,
    0n,
    "It pays the rewards so far: 0.123456 ATOM."
  ]
]

describe("staking on Cosmos", () => {
  it.effect.each(cases)(
    "$0 is previewed, and signed as another library does it",
    ([request, typeUrl, amount, spent, words]) =>
      Effect.gen(function* () {
        const { address, hub, prepare, signer, wallet } = yield* start
        const prepared = yield* prepare(request)
        expect(prepared).toMatchObject({
          network: "cosmos-mainnet",
          from: address,
          to: request.validator,
          amount: spent,
          fee: FEE,
          staking: { action: request.action, amount },
          outgoing: [{ asset: "ATOM" }]
        })
        expect(Number(prepared.outgoing[0]?.amount) * 1e6).toBeCloseTo(Number(spent + FEE))
        expect(prepared.warnings.join(" ")).toContain(words)
        yield* signer.submit(prepared)
        const tx = readTx(hub.came[0] ?? "")
        expect(tx).toMatchObject({ from: address, to: request.validator, source: request.from, memo: "" })
        expect(tx.types[0]).toBe(typeUrl)
        expect(tx.coins).toEqual(request.action === "claim" ? [] : [{ denom: "uatom", amount }])
        expect(isSigned(tx, 7n)).toBe(true)
        // the bytes are those of cosmjs
        const parties = { delegatorAddress: address, validatorAddress: request.validator }
        const coin = { denom: "uatom", amount: String(amount) }
        const value = {
          delegate: () => MsgDelegate.encode({ ...parties, amount: coin }),
          undelegate: () => MsgUndelegate.encode({ ...parties, amount: coin }),
          redelegate: () =>
            MsgBeginRedelegate.encode({
              delegatorAddress: address,
              validatorSrcAddress: one,
              validatorDstAddress: request.validator,
              amount: coin
            }),
          claim: () => MsgWithdrawDelegatorReward.encode(parties)
        }[request.action]()
        const body = TxBody.decode(tx.bodyBytes)
        expect(body.messages).toEqual([{ typeUrl, value: value.finish() }])
        const auth = AuthInfo.decode(tx.authInfoBytes)
        expect(auth.fee).toMatchObject({
          amount: [{ denom: "uatom", amount: String(FEE) }],
          gasLimit: 140_000n
        })
        const signed = yield* Effect.promise(() =>
          wallet.signDirect(address, makeSignDoc(tx.bodyBytes, tx.authInfoBytes, "cosmoshub-4", 7))
        )
        expect(Buffer.from(tx.signatures[0] ?? []).toString("base64")).toBe(signed.signature.signature)
      })
  )

  it.effect("is refused where it would do nothing, or another thing", () =>
    Effect.gen(function* () {
      const account = encodeBech32("cosmos", new Uint8Array(20).fill(1))
      const unknown = encodeBech32("cosmosvaloper", new Uint8Array(20).fill(9))
      const refused: ReadonlyArray<readonly [unknown, object]> = [
        [undefined, { _tag: "InvalidArgument", reason: "it takes { action, validator, amount }" }],
        [
          { action: "stake", validator: one, amount: "1" },
          { _tag: "InvalidArgument", reason: "action must be delegate, undelegate, redelegate, claim" }
        ],
        [{ action: "delegate", validator: one }, { reason: "delegate takes an amount" }],
        [
          { action: "claim", validator: one, amount: "1" },
          { reason: "claim takes no amount: it claims all rewards" }
        ],
        [
          { action: "delegate", validator: one, from: other, amount: "1" },
          { reason: expect.stringContaining("redelegate") }
        ],
        [
          { action: "redelegate", validator: one, amount: "1" },
          { reason: expect.stringContaining("from is the validator") }
        ],
        [
          { action: "delegate", validator: account, amount: "1" },
          { _tag: "InvalidAddress", reason: "must be a validator's, and is that of an account" }
        ],
        [
          { action: "delegate", validator: one.replace("cosmos", "osmo"), amount: "1" },
          { _tag: "InvalidAddress" }
        ],
        [
          { action: "delegate", validator: 7, amount: "1" },
          { _tag: "InvalidAddress", reason: "must be text" }
        ],
        [
          { action: "redelegate", validator: one, from: account, amount: "1" },
          { _tag: "InvalidAddress", address: account }
        ],
        [
          { action: "delegate", validator: unknown, amount: "1" },
          { _tag: "InvalidArgument", reason: `${unknown} is no validator of cosmos-mainnet` }
        ],
        [{ action: "delegate", validator: one, amount: "0" }, { _tag: "InvalidAmount" }],
        [
          { action: "delegate", validator: one, amount: "10" },
          { _tag: "InsufficientFunds", needed: "10.00175", available: "10" }
        ],
        [
          { action: "delegate", validator: one, amount: "11" },
          { _tag: "InsufficientFunds", needed: "11", available: "10" }
        ],
        [
          { action: "undelegate", validator: one, amount: "4.000001" },
          { _tag: "InvalidAmount", reason: `is more than the 4 ATOM that are delegated to ${one}` }
        ],
        [
          { action: "undelegate", validator: other, amount: "all" },
          { _tag: "InvalidAmount", reason: `is more than the 0 ATOM that are delegated to ${other}` }
        ],
        [
          { action: "redelegate", validator: one, from: other, amount: "1" },
          { _tag: "InvalidAmount", reason: expect.stringContaining(other) }
        ],
        [{ action: "claim", validator: other }, { reason: `there are no rewards with ${other} to claim` }],
        [{ action: "undelegate", validator: one, amount: "1", maxFee: 1_749n }, { _tag: "FeeOverCap" }]
      ]
      for (const [request, error] of refused)
        expect(
          yield* refusal(request),
          JSON.stringify(request, (_, each) => String(each))
        ).toMatchObject(error)
      expect(addressProblem(one)).toBe("must be an account's, and is that of a validator")
    })
  )

  it.effect("says what is wrong with a validator, and where rewards go", () =>
    Effect.gen(function* () {
      const { hub, prepare } = yield* start
      const lines = (request: StakingRequest) => Effect.map(prepare(request), ({ warnings }) => warnings)
      expect(yield* lines({ action: "delegate", validator: jailed, amount: "1" })).toContain(
        "The validator is jailed: it earns nothing."
      )
      expect(yield* lines({ action: "redelegate", validator: small, from: one, amount: "1" })).toContain(
        "The validator is none of the active ones: it earns nothing now."
      )
      hub.withdrawal = encodeBech32("cosmos", new Uint8Array(20).fill(8))
      for (const request of [
        { action: "claim", validator: one },
        { action: "undelegate", validator: one, amount: "1" }
      ] as const)
        expect(yield* lines(request)).toContain(
          `The rewards go to ${hub.withdrawal}, which the account has named for that.`
        )
      hub.bondDenom = "stake"
      expect(yield* Effect.flip(prepare({ action: "delegate", validator: one, amount: "1" }))).toMatchObject({
        reason: "cosmos-mainnet stakes stake, and not its coin uatom"
      })
      hub.bondDenom = "uatom"
      hub.unbonding = "three weeks"
      expect(yield* Effect.flip(prepare({ action: "delegate", validator: one, amount: "1" }))).toMatchObject({
        call: "getStakingParams"
      })
    })
  )

  it.effect("is signed only as it was previewed", () =>
    Effect.gen(function* () {
      const { hub, prepare, signer } = yield* start
      const prepared = yield* prepare({ action: "redelegate", validator: other, from: one, amount: "1" })
      const { transaction } = prepared
      const forgeries = [
        { ...prepared, staking: undefined },
        { ...prepared, staking: { ...prepared.staking, action: "undelegate" } },
        { ...prepared, staking: { ...prepared.staking, amount: 2_000_000n } },
        { ...prepared, staking: { ...prepared.staking, from: small } },
        { ...prepared, transaction: { ...transaction, staking: undefined } },
        { ...prepared, transaction: { ...transaction, staking: { action: "delegate" } } },
        { ...prepared, transaction: { ...transaction, amount: 2_000_000n } },
        { ...prepared, transaction: { ...transaction, to: small } },
        { ...prepared, transaction: { ...transaction, fee: 1n } }
      ]
      for (const forged of forgeries)
        expect(yield* Effect.flip(signer.submit(forged as never))).toMatchObject({ _tag: "InvalidArgument" })
      expect(hub.came).toEqual([])
      const { staking: _, ...payment } = transaction
      for (const own of [
        { ...payment, to: one },
        { ...transaction, to: signer.address },
        { ...transaction, staking: { action: "redelegate" } },
        { ...transaction, staking: { action: "delegate", from: one } },
        { ...transaction, amount: 0n }
      ])
        expect(yield* Effect.flip(signer.sign(own as never))).toMatchObject({ _tag: "InvalidArgument" })
    })
  )

  it.effect("counts in a policy what can no longer be spent, with the validator as the recipient", () =>
    Effect.gen(function* () {
      const { client, hub, prepare } = yield* start
      const policy = yield* makePolicy({
        limits: [{ network: "cosmos-mainnet", amount: "3", per: "1 day" }],
        recipients: { "cosmos-mainnet": [one] }
      } as never)
      const signer = yield* make(client, { privateKey: key, policy })
      const submit = (request: StakingRequest) =>
        Effect.flatMap(prepare(request), (prepared) => signer.submit(prepared))
      expect(yield* Effect.flip(submit({ action: "delegate", validator: other, amount: "1" }))).toMatchObject(
        {
          _tag: "PolicyDenied",
          rule: "recipient"
        }
      )
      expect(yield* Effect.flip(submit({ action: "delegate", validator: one, amount: "3" }))).toMatchObject({
        _tag: "PolicyDenied",
        rule: "limit"
      })
      // coins that come back count with their fee alone
      yield* submit({ action: "undelegate", validator: one, amount: "4" })
      hub.mine()
      yield* submit({ action: "delegate", validator: one, amount: "2.9" })
      expect(hub.came).toHaveLength(2)
    })
  )

  it.effect("takes its preview and nothing else, whatever is asked", () =>
    Effect.gen(function* () {
      const property = fc.asyncProperty(
        fc.constantFrom("delegate", "undelegate", "redelegate", "claim"),
        fc.bigInt(1n, 4_000_000n),
        fc.constantFrom(one, other, jailed, small),
        (action, amount, validator) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const { address, hub, prepare, signer } = yield* start
              hub.delegated[`${address} ${validator}`] = 4_000_000n
              hub.rewards[`${address} ${validator}`] = "1.0"
              const prepared = yield* prepare({
                action,
                validator,
                ...(action === "claim" ? {} : { amount }),
                ...(action === "redelegate" ? { from: one } : {})
              } as StakingRequest)
              yield* signer.submit(prepared)
              expect(hub.came).toHaveLength(1)
              const tx = readTx(hub.came[0] ?? "")
              expect(isSigned(tx, 7n)).toBe(true)
              expect(tx.to).toBe(prepared.to)
              expect(tx.fee).toEqual([{ denom: "uatom", amount: prepared.fee }])
              expect(tx.coins[0]?.amount ?? 0n).toBe(prepared.staking?.amount)
            })
          )
      )
      yield* Effect.promise(() => fc.assert(property, { numRuns: runs(100) }))
    })
  )
})
