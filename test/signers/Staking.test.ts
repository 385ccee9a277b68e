/** Staking: previews of what an account delegates, takes back, moves and claims, and what is signed of them, beside another library's encoder. */
// @covers staking on libraries: cosmos, tezos
import { DirectSecp256k1Wallet, makeSignDoc } from "@cosmjs/proto-signing"
import { describe, expect, it } from "@effect/vitest"
import { InMemorySigner } from "@taquito/signer"
import { MsgWithdrawDelegatorReward } from "cosmjs-types/cosmos/distribution/v1beta1/tx"
import { MsgBeginRedelegate, MsgDelegate, MsgUndelegate } from "cosmjs-types/cosmos/staking/v1beta1/tx"
import { AuthInfo, TxBody } from "cosmjs-types/cosmos/tx/v1beta1/tx"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { RequestRejected } from "../../src/data/SdkError.js"
import * as Units from "../../src/data/Units.js"
import { addressProblem, make } from "../../src/signers/Cosmos.js"
import { encodeBech32 } from "../../src/signers/cosmos/address.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/cosmos/curve.js"
import "../../src/signers/cosmos/protobuf.js"
import "../../src/signers/cosmos/staking.js"
import "../../src/signers/cosmos/stakingMessages.js"
import { make as makePolicy } from "../../src/signers/policyRules.js"
import { prepareStaking, type StakingRequest, type TezosStakingClient } from "../../src/signers/staking.js"
import { make as makeTezos } from "../../src/signers/Tezos.js"
import { encodeWithPrefix } from "../../src/signers/tezos/address.js"
import "../../src/signers/tezos/curve.js"
import "../../src/signers/tezos/staking.js"
import { runs } from "../properties.js"
import { Hub, isSigned, readTx } from "./hub.js"
import { pkh, rawStaking } from "./operations.js"
import { tezosConstants } from "./parameters.js"

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

interface CosmosRequest extends StakingRequest {
  readonly action: "delegate" | "undelegate" | "redelegate" | "claim"
  readonly validator: string
}

const cases: ReadonlyArray<
  readonly [CosmosRequest, typeUrl: string, amount: bigint, spent: bigint, words: string]
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
        [{ action: "delegate", validator: one }, { reason: "delegate takes validator, amount" }],
        [
          { action: "claim", validator: one, amount: "1" },
          { reason: "claim takes no amount, but validator" }
        ],
        [
          { action: "delegate", validator: one, from: other, amount: "1" },
          { reason: "delegate takes no from, but validator, amount" }
        ],
        [
          { action: "redelegate", validator: one, amount: "1" },
          { reason: "redelegate takes validator, from, amount" }
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
          JSON.stringify(request, (_, each) => (typeof each === "bigint" ? String(each) : each))
        ).toMatchObject(error)
      expect(addressProblem(one)).toBe("must be an account's, and is that of a validator")
    })
  )

  it.effect("takes addresses in capitals, as QR codes have them", () =>
    Effect.gen(function* () {
      const { hub, prepare, signer } = yield* start
      const prepared = yield* prepare({
        action: "redelegate",
        validator: other.toUpperCase(),
        from: one.toUpperCase(),
        amount: "1"
      })
      expect(prepared).toMatchObject({ to: other, staking: { from: one } })
      yield* signer.submit(prepared)
      expect(readTx(hub.came[0] ?? "")).toMatchObject({ to: other, source: one })
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
      hub.chainId = "theta-testnet"
      expect(yield* Effect.flip(prepare({ action: "delegate", validator: one, amount: "1" }))).toMatchObject({
        call: "getLatestBlock"
      })
      hub.chainId = "cosmoshub-4"
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

const baker = encodeWithPrefix("tz1", new Uint8Array(20).fill(5))
const inactive = encodeWithPrefix("tz2", new Uint8Array(20).fill(6))
const stranger = encodeWithPrefix("tz3", new Uint8Array(20).fill(7))
const missing = new RequestRejected({
  call: "get",
  status: 404,
  messages: ["not found"],
  body: "",
  url: "http://node.example"
})

interface TezosState {
  balance: string
  delegate: string | undefined
  staked: string | null
  finalizable: string | null
  revealed: boolean
  failure: string | undefined
}

/** An account of Tezos with a stake. What staking is not to ask for throws. */
const startTezos = (changes: Partial<TezosState> = {}) =>
  Effect.gen(function* () {
    const state: TezosState = {
      balance: "10000000",
      delegate: baker,
      staked: "4000000",
      finalizable: "1500000",
      revealed: true,
      failure: undefined,
      ...changes
    }
    const came: Array<string> = []
    const rpc: Partial<TezosStakingClient["rpc"]> = {
      getBlockHeader: () =>
        Effect.succeed({
          level: 1_000,
          hash: "BLpcXF8ADJbGuyUKNv7TypXRd5rqnoPn3PMqJLNBeRSr4VFeUuK",
          chain_id: "NetXdQprcVkpaWU"
        }),
      getConstants: () => Effect.succeed(tezosConstants),
      getContractBalance: () => Effect.sync(() => state.balance),
      getContractCounter: () => Effect.succeed("41"),
      getContractManagerKey: () => Effect.sync(() => (state.revealed ? "edpk" : null)),
      getContractDelegate: () =>
        Effect.suspend(() =>
          state.delegate === undefined
            ? Effect.fail(missing)
            : state.delegate === "fails"
              ? Effect.fail(new RequestRejected({ ...missing, status: 500 }))
              : Effect.succeed(state.delegate)
        ),
      getContractStakedBalance: () => Effect.sync(() => state.staked),
      getContractUnstakedFinalizableBalance: () => Effect.sync(() => state.finalizable),
      getDelegateDeactivated: ({ delegate }) =>
        delegate === stranger ? Effect.fail(missing) : Effect.succeed(delegate === inactive),
      simulateOperation: ({ operation }) =>
        Effect.sync(() => ({
          contents: operation.contents.map(() => ({
            metadata: {
              operation_result:
                state.failure === undefined
                  ? { status: "applied", consumed_milligas: "168500" }
                  : { status: "failed", errors: [{ id: state.failure }] }
            }
          }))
        })),
      injectOperation: ({ operationBytes }) => Effect.sync(() => `${came.push(operationBytes)}`)
    }
    const client = {
      network: "tezos-mainnet",
      rpc: new Proxy(rpc, {
        get: (given, name) => {
          const call: unknown = Reflect.get(given, name)
          if (call === undefined)
            throw new Error(`${String(name)} is called, and the test gives no such call`)
          return call
        }
      }) as TezosStakingClient["rpc"]
    }
    const signer = yield* makeTezos(client, { privateKey: key })
    const prepare = (request: StakingRequest) => prepareStaking(client, signer, request)
    return { came, client, prepare, signer, state }
  })

const inBytes = (of: string) => ({ destination: `00${pkh(of)}` })

describe("staking on Tezos", () => {
  const own = encodeWithPrefix("tz1", new Uint8Array(20))
  const known: ReadonlyArray<
    readonly [StakingRequest, sent: (address: string) => object, amount: bigint, spent: bigint, words: string]
  > = [
    [
      { action: "delegate", validator: inactive },
      () => ({ delegate: pkh(inactive) }),
      0n,
      0n,
      "The baker is not active"
    ],
    [
      { action: "undelegate" },
      () => ({ delegate: undefined }),
      0n,
      0n,
      "It unstakes all that the account has staked, 4 XTZ"
    ],
    [
      { action: "stake", amount: "2.5" },
      (address) => ({ ...inBytes(address), amount: 2_500_000n, entrypoint: "stake" }),
      2_500_000n,
      2_500_000n,
      "After unstake it takes about 4 days until they can."
    ],
    [
      { action: "unstake", amount: "all" },
      (address) => ({ ...inBytes(address), amount: 4_000_000n, entrypoint: "unstake" }),
      4_000_000n,
      0n,
      "After about 4 days, finalize_unstake makes them spendable."
    ],
    [
      { action: "unstake", amount: 1n },
      (address) => ({ ...inBytes(address), amount: 1n, entrypoint: "unstake" }),
      1n,
      0n,
      "earn nothing from now on"
    ],
    [
      { action: "finalize_unstake" },
      (address) => ({ ...inBytes(address), amount: 0n, entrypoint: "finalize_unstake" }),
      0n,
      0n,
      "It makes 1.5 XTZ spendable."
    ]
  ]
  it.effect.each(known)(
    "$0 is previewed, and signed as the protocol has it",
    ([request, sent, amount, spent, words]) =>
      Effect.gen(function* () {
        const { came, prepare, signer } = yield* startTezos()
        const prepared = yield* prepare(request)
        expect(prepared).toMatchObject({
          from: signer.address,
          to: request.validator ?? signer.address,
          amount: spent,
          staking: { action: request.action, amount },
          outgoing: [{ asset: "XTZ", amount: Units.format(spent + prepared.fee, 6) }]
        })
        expect(prepared.warnings.join(" ")).toContain(words)
        yield* signer.submit(prepared)
        const bytes = rawStaking(came[0] ?? "")
        expect(bytes).toMatchObject({ source: pkh(signer.address), rest: "", ...sent(signer.address) })
        expect(bytes.limits).toMatchObject({ fee: prepared.fee, counter: 42n, storageLimit: 0n })
        const theirs = yield* Effect.promise(() =>
          InMemorySigner.fromSecretKey(encodeWithPrefix("edsk", keyBytes))
        )
        const { sbytes } = yield* Effect.promise(() =>
          theirs.sign((came[0] ?? "").slice(0, -128), Uint8Array.of(3))
        )
        expect(came).toEqual([sbytes.replace(/^03/, "")])
      })
  )

  it.effect("of all coins leaves what taking them back costs", () =>
    Effect.gen(function* () {
      const { prepare } = yield* startTezos()
      const prepared = yield* prepare({ action: "stake", amount: "all" })
      expect(prepared.amount + prepared.fee).toBe(10_000_000n - 10_000n)
      expect(prepared.warnings).toContainEqual(expect.stringContaining("0.01 XTZ stay in the account"))
    })
  )

  it.effect("is refused where it would do nothing, or another thing", () =>
    Effect.gen(function* () {
      const contract = "KT1PWx2mnDueood7fEmfbBDKx1D9BAnnXitn"
      const refused: ReadonlyArray<readonly [unknown, object, Partial<TezosState>?]> = [
        [
          { action: "redelegate", validator: baker, from: baker, amount: "1" },
          { reason: "action must be delegate, undelegate, stake, unstake, finalize_unstake" }
        ],
        [{ action: "delegate" }, { reason: "delegate takes validator" }],
        [
          { action: "delegate", validator: baker, amount: "1" },
          { reason: "delegate takes no amount, but validator" }
        ],
        [{ action: "undelegate", validator: baker }, { reason: "undelegate takes no validator" }],
        [{ action: "stake" }, { reason: "stake takes amount" }],
        [
          { action: "delegate", validator: contract },
          { _tag: "InvalidAddress", reason: expect.stringContaining("contract") }
        ],
        [{ action: "delegate", validator: "tz1" }, { _tag: "InvalidAddress" }],
        [{ action: "delegate", validator: stranger }, { reason: `${stranger} is no baker of tezos-mainnet` }],
        [{ action: "delegate", validator: baker }, { reason: `the account delegates to ${baker} already` }],
        [{ action: "undelegate" }, { reason: "the account delegates to no baker" }, { delegate: undefined }],
        [
          { action: "stake", amount: "1" },
          { reason: expect.stringContaining("delegate first") },
          { delegate: undefined }
        ],
        [{ action: "stake", amount: "0" }, { _tag: "InvalidAmount" }],
        [{ action: "stake", amount: "10" }, { _tag: "InsufficientFunds" }],
        [
          { action: "stake", amount: "11" },
          { _tag: "InsufficientFunds", needed: "11" }
        ],
        [
          { action: "unstake", amount: "4.000001" },
          { _tag: "InvalidAmount", reason: "is more than the 4 XTZ that the account has staked" }
        ],
        [{ action: "unstake", amount: "all" }, { _tag: "InvalidAmount" }, { staked: null }],
        [
          { action: "finalize_unstake" },
          { reason: expect.stringContaining("nothing that can be taken back") },
          { finalizable: "0" }
        ],
        [{ action: "finalize_unstake", maxFee: 1n }, { _tag: "FeeOverCap" }],
        [
          { action: "unstake", amount: 1n },
          { reason: "the chain refuses it: staking_to_delegate_that_refuses" },
          { failure: "proto.023-PtSeouLo.staking_to_delegate_that_refuses" }
        ]
      ]
      const broken = yield* startTezos({ delegate: "fails" })
      expect(yield* Effect.flip(broken.prepare({ action: "stake", amount: "1" }))).toMatchObject({
        _tag: "RequestRejected",
        status: 500
      })
      for (const [request, error, state] of refused) {
        const { prepare } = yield* startTezos(state)
        expect(
          yield* Effect.flip(prepare(request as StakingRequest)),
          JSON.stringify(request, (_, each) => (typeof each === "bigint" ? String(each) : each))
        ).toMatchObject(error)
      }
    })
  )

  it.effect("is signed only as it was previewed, and tells its key first where it has to", () =>
    Effect.gen(function* () {
      const { came, prepare, signer, state } = yield* startTezos()
      const prepared = yield* prepare({ action: "stake", amount: "1" })
      const { transaction } = prepared
      for (const forged of [
        { ...prepared, staking: undefined },
        { ...prepared, staking: { action: "unstake", amount: 1_000_000n } },
        { ...prepared, transaction: { ...transaction, staking: undefined } },
        { ...prepared, transaction: { ...transaction, staking: { action: "unstake" } } },
        { ...prepared, transaction: { ...transaction, amount: 2n } },
        { ...prepared, transaction: { ...transaction, to: own } }
      ])
        expect(yield* Effect.flip(signer.submit(forged as never))).toMatchObject({ _tag: "InvalidArgument" })
      expect(came).toEqual([])
      expect(yield* Effect.flip(signer.sign({ ...transaction, staking: { action: "claim" } }))).toMatchObject(
        { _tag: "SigningFailed", reason: expect.stringContaining("finalize_unstake") }
      )
      state.revealed = false
      const first = yield* prepare({ action: "delegate", validator: inactive })
      expect(first.transaction.reveal).toBeDefined()
      expect(first.warnings).toContainEqual(expect.stringContaining("tells its public key"))
    })
  )
})

describe("staking", () => {
  it.effect("is that of one network, and of families that have it", () =>
    Effect.gen(function* () {
      const { client, signer } = yield* start
      const tezos = yield* startTezos()
      const request = { action: "claim", validator: one } as const
      expect(yield* Effect.flip(prepareStaking(tezos.client, signer, request))).toMatchObject({
        _tag: "InvalidArgument",
        reason: "the signer is one of cosmos-mainnet, and the client one of tezos-mainnet"
      })
      for (const none of [undefined, null, {}, "client"])
        expect(yield* Effect.flip(prepareStaking(none as never, signer, request))).toMatchObject({
          _tag: "InvalidArgument"
        })
      for (const none of [undefined, "signer", {}, { ...signer, publicKey: undefined }])
        expect(yield* Effect.flip(prepareStaking(client, none as never, request))).toMatchObject({
          _tag: "InvalidArgument",
          reason: "its second argument is a signer, with its publicKey on Cosmos and Tezos"
        })
      const elsewhere = { network: "stellar-mainnet" }
      expect(
        yield* Effect.flip(prepareStaking({ ...client, ...elsewhere }, { ...signer, ...elsewhere }, request))
      ).toMatchObject({ _tag: "NotSupportedForNetwork", feature: "staking" })
    })
  )
})
