/** Staking on Algorand: previews of an account that goes online with the keys of its node, or offline, signed as algosdk does. */
// @covers staking on libraries: algorand
import { describe, expect, it } from "@effect/vitest"
import {
  decodeSignedTransaction,
  makeKeyRegistrationTxnWithSuggestedParamsFromObject,
  signTransaction
} from "algosdk"
import * as Effect from "effect/Effect"
import nacl from "tweetnacl"
import { make } from "../../src/signers/Algorand.js"
import type { AlgorandStakingClient } from "../../src/signers/algorand/staking.js"
import type { AlgorandParticipation, AlgorandTransaction } from "../../src/signers/algorand/Types.js"
import { make as makePolicy } from "../../src/signers/policyRules.js"
import { prepareStaking, type StakingRequest } from "../../src/signers/staking.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/algorand/staking.js"
import { addressOf } from "./algod.js"

const pair = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(0x9f))
const address = addressOf(pair.publicKey)
const genesisHash = "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8="
const ALGO = 1_000_000n
const ROUND = 50_000_000n
const base64 = (length: number, byte: number): string => Buffer.alloc(length, byte).toString("base64")

const participation: AlgorandParticipation = {
  voteKey: base64(32, 1),
  selectionKey: base64(32, 2),
  stateProofKey: base64(64, 3),
  voteFirst: ROUND,
  voteLast: ROUND + 3_000_000n,
  voteKeyDilution: 1_733n
}
const online = { action: "go_online", participation } as const

type Info = Effect.Effect.Success<ReturnType<AlgorandStakingClient["rpc"]["getAccountInfo"]>>

const start = (
  account: Partial<Info & { readonly status: string; readonly "incentive-eligible": boolean }> = {},
  more: object = {}
) =>
  Effect.gen(function* () {
    const sent: Array<string> = []
    const unused = (name: string) => () => Effect.die(`${name} is not asked for by staking`)
    const rpc: AlgorandStakingClient["rpc"] = {
      broadcastTransaction: ({ rawtxn }) => Effect.sync(() => ({ txId: String(sent.push(rawtxn)) })),
      getAccountInfo: () =>
        Effect.succeed({ amount: 100n * ALGO, "min-balance": 100_000n, status: "Offline", ...account }),
      getAccountAssetInfo: unused("getAccountAssetInfo"),
      getAssetInformation: unused("getAssetInformation"),
      getNodeStatus: () => Effect.succeed({ "last-round": ROUND }),
      getPendingTransaction: () => Effect.succeed({ "pool-error": "", "confirmed-round": ROUND }),
      getTransactionParams: () =>
        Effect.succeed({ fee: 0n, "min-fee": 1_000n, "genesis-hash": genesisHash, "last-round": ROUND })
    }
    const client: AlgorandStakingClient = { network: "algorand-mainnet-algod", rpc }
    const signer = yield* make(client, { privateKey: Buffer.from(pair.secretKey).toString("hex"), ...more })
    return { prepare: (request: StakingRequest) => prepareStaking(client, signer, request), sent, signer }
  })

/** The same transaction, as algosdk makes and signs it. */
const byAlgosdk = (
  { fee, firstValid = 0n, lastValid = 0n, lease = "" }: AlgorandTransaction,
  keys: AlgorandParticipation | undefined
): string => {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64"))
  const made = makeKeyRegistrationTxnWithSuggestedParamsFromObject({
    sender: address,
    lease: bytes(lease),
    suggestedParams: {
      ...{ fee, minFee: fee, flatFee: true, firstValid, lastValid },
      genesisID: "mainnet-v1.0",
      genesisHash: bytes(genesisHash)
    },
    ...(keys === undefined
      ? {}
      : {
          voteKey: bytes(keys.voteKey),
          selectionKey: bytes(keys.selectionKey),
          stateProofKey: bytes(keys.stateProofKey),
          voteFirst: keys.voteFirst,
          voteLast: keys.voteLast,
          voteKeyDilution: keys.voteKeyDilution
        })
  })
  return Buffer.from(signTransaction(made, pair.secretKey).blob).toString("base64")
}

describe("staking on Algorand", () => {
  const rich = { amount: 30_000n * ALGO }
  const cases: ReadonlyArray<
    readonly [request: StakingRequest, fee: bigint, text: string, account?: Parameters<typeof start>[0]]
  > = [
    [
      online,
      1_000n,
      "It earns nothing for blocks: that takes between 30,000 and 70,000,000 ALGO in the account."
    ],
    [online, 1_000n, "that takes a fee of 2 ALGO, which a maxFee of 2 ALGO or more allows", rich],
    [{ ...online, maxFee: "1.999999" }, 1_000n, "that takes a fee of 2 ALGO", rich],
    [{ ...online, maxFee: "2" }, 2_000_000n, "The fee of 2 ALGO makes the account earn", rich],
    [{ ...online, maxFee: "2" }, 1_000n, "takes between 30,000", { amount: 30_000n * ALGO - 1n }],
    [{ ...online, maxFee: "2" }, 1_000n, "takes between 30,000", { amount: 70_000_000n * ALGO + 1n }],
    [{ ...online, maxFee: "2" }, 1_000n, "The node has to run", { ...rich, "incentive-eligible": true }],
    [{ action: "go_offline" }, 1_000n, "let its node run until then", { status: "Online" }]
  ]
  it.effect.each(cases)(
    "$0 is previewed with the fee $1, and signed as algosdk does",
    ([request, fee, text, account]) =>
      Effect.gen(function* () {
        const { prepare, sent, signer } = yield* start(account)
        const prepared = yield* prepare(request)
        expect(prepared).toMatchObject({
          ...{ network: "algorand-mainnet-algod", from: address, to: address, amount: 0n, fee },
          staking: { action: request.action, amount: 0n },
          outgoing: [{ asset: "ALGO", amount: String(Number(fee) / 1e6) }]
        })
        expect(prepared.warnings.join(" ")).toContain(text)
        const { hash, prepared: out } = yield* signer.submit(prepared)
        expect(sent).toEqual([byAlgosdk(out.transaction, request.participation)])
        expect(decodeSignedTransaction(Buffer.from(sent[0] ?? "", "base64")).txn.txID()).toBe(hash)
      })
  )

  it.effect("says nothing of what it earns where the account is eligible already", () =>
    Effect.gen(function* () {
      const { prepare } = yield* start({ ...rich, "incentive-eligible": true })
      expect((yield* prepare(online)).warnings.join(" ")).not.toContain("earn")
    })
  )

  it.effect("is refused where it would do nothing, or with keys that are none", () =>
    Effect.gen(function* () {
      const keys = (change: object) => ({ ...online, participation: { ...participation, ...change } })
      const refused: ReadonlyArray<readonly [unknown, object, Parameters<typeof start>[0]?]> = [
        [{ action: "stake", amount: "1" }, { reason: "action must be go_online, go_offline" }],
        [{ action: "go_online" }, { reason: "go_online takes participation" }],
        [{ ...online, action: "go_offline" }, { reason: "go_offline takes no participation" }],
        [{ action: "go_offline" }, { reason: "the account is not online" }],
        [
          { action: "go_online", participation: 7 },
          { reason: expect.stringContaining("participation: must be { voteKey") }
        ],
        [keys({ voteKey: base64(31, 1) }), { reason: expect.stringContaining("must be 32 bytes") }],
        [keys({ selectionKey: "" }), { reason: expect.stringContaining("must be 32 bytes") }],
        [keys({ selectionKey: 7 }), { reason: expect.stringContaining("must be 32 bytes") }],
        [keys({ stateProofKey: base64(32, 3) }), { reason: expect.stringContaining("must be 64 bytes") }],
        [keys({ voteKeyDilution: 0n }), { reason: expect.stringContaining("must be bigints") }],
        [keys({ voteFirst: 7 }), { reason: expect.stringContaining("must be bigints") }],
        [
          keys({ voteFirst: participation.voteLast + 1n }),
          { reason: expect.stringContaining("voteLast must be behind") }
        ],
        [
          keys({ voteLast: ROUND + 2n ** 24n }),
          { reason: expect.stringContaining("voteLast must be behind") }
        ],
        [
          keys({ voteFirst: 1n, voteLast: ROUND }),
          { reason: expect.stringMatching(/voteLast must be|were good until/) }
        ],
        [
          keys({ voteFirst: ROUND - 10n, voteLast: ROUND }),
          { reason: expect.stringContaining(`were good until round ${ROUND}`) }
        ],
        [online, { reason: expect.stringContaining("never participates") }, { status: "NotParticipating" }],
        [
          online,
          { reason: expect.stringContaining("was given to the key of") },
          { "auth-addr": addressOf(new Uint8Array(32)) }
        ],
        [online, { _tag: "InsufficientFunds", needed: "0.101" }, { amount: 100_999n }],
        [{ ...online, maxFee: 999n }, { _tag: "FeeOverCap" }]
      ]
      for (const [request, error, account] of refused) {
        const { prepare } = yield* start(account)
        expect(
          yield* Effect.flip(prepare(request as StakingRequest)),
          JSON.stringify(request, (_, each) => (typeof each === "bigint" ? String(each) : each))
        ).toMatchObject(error)
      }
    })
  )

  it.effect("is signed only as it was previewed", () =>
    Effect.gen(function* () {
      const { prepare, sent, signer } = yield* start()
      const prepared = yield* prepare(online)
      const { transaction } = prepared
      for (const forged of [
        { ...prepared, staking: undefined },
        { ...prepared, staking: { action: "go_offline", amount: 0n } },
        { ...prepared, transaction: { ...transaction, staking: { action: "go_offline" } } },
        { ...prepared, transaction: { ...transaction, staking: undefined } },
        { ...prepared, amount: 1n, transaction: { ...transaction, amount: 1n } },
        { ...prepared, token: "7", transaction: { ...transaction, token: "7" } },
        { ...prepared, transaction: { ...transaction, fee: 2_000n } }
      ])
        expect(yield* Effect.flip(signer.submit(forged as never))).toMatchObject({ _tag: "InvalidArgument" })
      const { participation: _, ...without } = transaction.staking ?? { action: "go_online" }
      expect(yield* Effect.flip(signer.sign({ ...transaction, staking: without }))).toMatchObject({
        _tag: "SigningFailed",
        reason: expect.stringContaining("staking.action must be go_online, with participation")
      })
      expect(sent).toEqual([])
    })
  )

  it.effect("counts its fee in a policy", () =>
    Effect.gen(function* () {
      const policy = yield* makePolicy({ limits: [{ network: "algorand-mainnet-algod", amount: "1" }] })
      const { prepare, signer } = yield* start(rich, { policy })
      expect(yield* Effect.flip(signer.submit(yield* prepare({ ...online, maxFee: "2" })))).toMatchObject({
        _tag: "PolicyDenied",
        rule: "limit"
      })
      yield* signer.submit(yield* prepare(online))
    })
  )
})
