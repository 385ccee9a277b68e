// @covers fees on libraries: cosmos
// @covers grants on libraries: cosmos
import {
  DirectSecp256k1HdWallet,
  type EncodeObject,
  encodePubkey,
  makeAuthInfoBytes,
  makeSignDoc,
  Registry
} from "@cosmjs/proto-signing"
import { describe, expect, it } from "@effect/vitest"
import { MsgExec, MsgGrant } from "cosmjs-types/cosmos/authz/v1beta1/tx"
import { SendAuthorization } from "cosmjs-types/cosmos/bank/v1beta1/authz"
import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx"
import { BasicAllowance } from "cosmjs-types/cosmos/feegrant/v1beta1/feegrant"
import { MsgGrantAllowance } from "cosmjs-types/cosmos/feegrant/v1beta1/tx"
import { TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as TestClock from "effect/TestClock"
import { type CosmosTransaction, make } from "../../src/signers/Cosmos.js"
import { encodeBech32 } from "../../src/signers/cosmos/address.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/cosmos/curve.js"
import "../../src/signers/cosmos/grants.js"
import "../../src/signers/cosmos/protobuf.js"
import * as Policy from "../../src/signers/policyRules.js"
import { runs } from "../properties.js"
import { Hub, isSigned, readTx } from "./hub.js"

const words = `${"abandon ".repeat(11)}about`
const address = "cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4"
const granterKey = "9f".repeat(32)
const someone = encodeBech32("cosmos", new Uint8Array(20).fill(7))
const stranger = encodeBech32("cosmos", new Uint8Array(20).fill(8))
const ibc = `ibc/${"AB".repeat(32)}`

/** A time that tests begin at. */
const NOW = Date.parse("2030-01-01T00:00:00Z")
const inOneDay = new Date(NOW + 86_400_000)

/** The account has nothing, and another one has all. */
const makeWorld = (own: Record<string, bigint> = {}) =>
  Effect.gen(function* () {
    yield* TestClock.adjust(NOW)
    const hub = new Hub({ [address]: { sequence: 3n, coins: own }, [someone]: { coins: {} } })
    const account = yield* make(hub.client(), { mnemonic: words })
    const granter = yield* make(hub.client(), { privateKey: granterKey })
    hub.accounts[granter.address] = { sequence: 1n, coins: { uatom: 10_000_000n, [ibc]: 5_000n } }
    const key = `${granter.address} ${address}`
    return {
      ...{ account, granter, hub },
      allow: (allowance: object) => {
        hub.allowances[key] = allowance
      },
      authorize: (authorization: object, expiration: string | null = null) => {
        hub.authorizations[key] = { authorization, expiration }
      }
    }
  })

const basic = (more: object = {}) => ({
  "@type": "/cosmos.feegrant.v1beta1.BasicAllowance",
  ...{ spend_limit: [{ denom: "uatom", amount: "5000" }], expiration: null },
  ...more
})
const periodic = (more: object) => ({
  "@type": "/cosmos.feegrant.v1beta1.PeriodicAllowance",
  basic: { spend_limit: [], expiration: null },
  period: "3600s",
  period_spend_limit: [{ denom: "uatom", amount: "9000" }],
  period_can_spend: [{ denom: "uatom", amount: "5000" }],
  period_reset: inOneDay.toISOString(),
  ...more
})
const sending = (more: object = {}) => ({
  "@type": "/cosmos.bank.v1beta1.SendAuthorization",
  ...{ spend_limit: [{ denom: "uatom", amount: "2000000" }], allow_list: [] },
  ...more
})

const lastOf = ({ came }: Hub) => readTx(came.at(-1) ?? "")

describe("fees of Cosmos that another account pays", () => {
  it.effect("let an account without the chain's coin pay others, from what was granted to it", () =>
    Effect.gen(function* () {
      const { account, granter, hub } = yield* makeWorld({ [ibc]: 500n })
      const payment = { to: someone, amount: 25n, token: ibc, feeGranter: granter.address }
      expect(yield* Effect.flip(account.prepareGranted(payment))).toMatchObject({
        _tag: "InvalidArgument",
        call: "prepareGranted",
        reason: `feeGranter: ${granter.address} has granted ${address} no fees`
      })
      // the other account grants it
      const grant = yield* granter.prepareGrant({
        ...{ action: "grant", kind: "fees", grantee: address, spendLimit: "0.005" },
        expires: inOneDay
      })
      expect(grant).toMatchObject({
        from: granter.address,
        to: address,
        amount: 5_000n,
        outgoing: [{ asset: "ATOM", amount: "0.00175" }],
        warnings: [
          `${address} may pay fees with up to 0.005 ATOM of this account, until 2030-01-02T00:00:00.000Z.`
        ]
      })
      yield* granter.submit(grant)
      expect(lastOf(hub)).toMatchObject({
        types: ["/cosmos.feegrant.v1beta1.MsgGrantAllowance", "/cosmos.crypto.secp256k1.PubKey"],
        coins: [{ denom: "uatom", amount: 5_000n }],
        expires: BigInt(inOneDay.getTime() / 1_000)
      })
      hub.mine()
      const prepared = yield* account.prepareGranted(payment)
      expect(prepared).toMatchObject({
        from: address,
        amount: 25n,
        fee: 1_750n,
        outgoing: [
          { token: ibc, units: 25n },
          { asset: "ATOM", amount: "0.00175", from: granter.address }
        ],
        warnings: expect.arrayContaining([
          `${granter.address} pays the fee, by an allowance of this account.`
        ]),
        transaction: { feeGranter: granter.address }
      })
      expect(prepared.outgoing[0]).not.toHaveProperty("from")
      yield* account.submit(prepared)
      const sent = lastOf(hub)
      expect(sent).toMatchObject({
        ...{ from: address, to: someone, granter: granter.address, sequence: 3n },
        ...{ coins: [{ denom: ibc, amount: 25n }], fee: [{ denom: "uatom", amount: 1_750n }] }
      })
      expect(isSigned(sent, 7n)).toBe(true)
      hub.mine()
      // and takes it back
      yield* granter.submit(yield* granter.prepareGrant({ action: "revoke", kind: "fees", grantee: address }))
      hub.mine()
      expect(hub.allowances).toEqual({})
      expect(yield* Effect.flip(account.prepareGranted(payment))).toMatchObject({ _tag: "InvalidArgument" })
    })
  )

  const allowances: ReadonlyArray<readonly [string, object, object | undefined]> = [
    ["without a limit", basic({ spend_limit: [] }), undefined],
    ["of just the fee", basic({ spend_limit: [{ denom: "uatom", amount: "1750" }] }), undefined],
    [
      "of less than the fee",
      basic({ spend_limit: [{ denom: "uatom", amount: "1749" }] }),
      { _tag: "InsufficientFunds", needed: "0.00175", available: "0.001749" }
    ],
    [
      "of another coin",
      basic({ spend_limit: [{ denom: ibc, amount: "9999" }] }),
      { _tag: "InsufficientFunds", available: "0" }
    ],
    ["that ends later", basic({ expiration: inOneDay.toISOString() }), undefined],
    [
      "that is over",
      basic({ expiration: new Date(NOW).toISOString() }),
      { _tag: "InvalidArgument", reason: expect.stringContaining("was over at 2030-01-01") }
    ],
    ["with a time that is none", basic({ expiration: "soon" }), { _tag: "InvalidArgument" }],
    ["for a period", periodic({}), undefined],
    [
      "for a period that is used up",
      periodic({ period_can_spend: [] }),
      // the chain tells no coins, and no coins are not all of them
      { _tag: "InsufficientFunds", available: "0" }
    ],
    [
      "for a period that is used up, but over",
      periodic({ period_can_spend: [], period_reset: new Date(NOW).toISOString() }),
      undefined
    ],
    [
      "for a period, of which the whole is used up",
      periodic({ basic: { spend_limit: [{ denom: "uatom", amount: "1" }] } }),
      { _tag: "InsufficientFunds", available: "0.000001" }
    ],
    [
      "for a period, which is over as a whole",
      periodic({ basic: { spend_limit: [], expiration: new Date(NOW - 1).toISOString() } }),
      { _tag: "InvalidArgument" }
    ],
    [
      "for payments",
      {
        "@type": "/cosmos.feegrant.v1beta1.AllowedMsgAllowance",
        allowance: basic(),
        allowed_messages: ["/cosmos.bank.v1beta1.MsgSend"]
      },
      undefined
    ],
    [
      "for payments, of less than the fee",
      {
        "@type": "/cosmos.feegrant.v1beta1.AllowedMsgAllowance",
        allowance: basic({ spend_limit: [{ denom: "uatom", amount: "1" }] }),
        allowed_messages: ["/cosmos.bank.v1beta1.MsgSend"]
      },
      { _tag: "InsufficientFunds" }
    ],
    [
      "for votes",
      {
        "@type": "/cosmos.feegrant.v1beta1.AllowedMsgAllowance",
        allowance: basic(),
        allowed_messages: ["/cosmos.gov.v1.MsgVote"]
      },
      { _tag: "InvalidArgument", reason: expect.stringContaining("is not for /cosmos.bank.v1beta1.MsgSend") }
    ],
    [
      "of a kind that nobody knows",
      { "@type": "/cosmos.feegrant.v2.Allowance" },
      { _tag: "InvalidArgument", reason: expect.stringContaining("a kind that is not known here") }
    ],
    [
      "with a limit that is none",
      basic({ spend_limit: [{ denom: "uatom", amount: "-5" }] }),
      { _tag: "NodeError" }
    ],
    ["with limits that are none", basic({ spend_limit: "all" }), { _tag: "NodeError" }]
  ]
  it.effect.each(allowances)("are known from allowances %s", ([, allowance, error]) =>
    Effect.gen(function* () {
      const { account, allow, granter } = yield* makeWorld({ uatom: 100n })
      allow(allowance)
      const preparing = Effect.either(
        account.prepareGranted({ to: someone, amount: 100n, feeGranter: granter.address })
      )
      expect(yield* preparing).toMatchObject(
        error === undefined ? { right: { amount: 100n, fee: 1_750n } } : { left: error }
      )
    })
  )

  it.effect("need the coins of the granter, and leave those of the account", () =>
    Effect.gen(function* () {
      const { account, allow, granter, hub } = yield* makeWorld({ uatom: 100n })
      allow(basic())
      const all = yield* account.prepareGranted({
        ...{ to: someone, amount: "all", feeGranter: granter.address }
      })
      expect(all).toMatchObject({
        amount: 100n,
        outgoing: [
          { asset: "ATOM", amount: "0.0001" },
          { asset: "ATOM", amount: "0.00175", from: granter.address }
        ]
      })
      hub.accounts[granter.address] = { coins: { uatom: 1_749n } }
      expect(
        yield* Effect.flip(account.prepareGranted({ to: someone, amount: 1n, feeGranter: granter.address }))
      ).toMatchObject({ _tag: "InsufficientFunds", address: granter.address, needed: "0.00175" })
    })
  )
})

describe("payments of Cosmos for another account", () => {
  it.effect("pay its coins, by a grant with a limit and receivers", () =>
    Effect.gen(function* () {
      const { account, granter, hub } = yield* makeWorld({ uatom: 5_000n })
      const grant = yield* granter.prepareGrant({
        ...{ action: "grant", kind: "payments", grantee: address, spendLimit: "2" },
        recipients: [someone]
      })
      expect(grant).toMatchObject({
        amount: 2_000_000n,
        outgoing: [{ asset: "ATOM", amount: "0.00175" }],
        warnings: [`${address} may pay up to 2 ATOM of this account to ${someone}, until that is revoked.`]
      })
      yield* granter.submit(grant)
      expect(lastOf(hub)).toMatchObject({ recipients: [someone], expires: undefined })
      hub.mine()
      const prepared = yield* account.prepareGranted({
        ...{ to: someone, amount: "1.5", memo: "rent", onBehalfOf: granter.address }
      })
      expect(prepared).toMatchObject({
        from: address,
        amount: 1_500_000n,
        outgoing: [
          { asset: "ATOM", amount: "1.5", from: granter.address },
          { asset: "ATOM", amount: "0.00175" }
        ],
        warnings: [`The coins are those of ${granter.address}, which has granted this account such payments.`]
      })
      yield* account.submit(prepared)
      expect(lastOf(hub)).toMatchObject({
        ...{ from: address, owner: granter.address, to: someone, memo: "rent", granter: undefined },
        coins: [{ denom: "uatom", amount: 1_500_000n }]
      })
      expect(isSigned(lastOf(hub), 7n)).toBe(true)
    })
  )

  it.effect("whose fee that account pays too", () =>
    Effect.gen(function* () {
      const { account, allow, authorize, granter, hub } = yield* makeWorld()
      allow({
        "@type": "/cosmos.feegrant.v1beta1.AllowedMsgAllowance",
        allowance: basic(),
        allowed_messages: ["/cosmos.authz.v1beta1.MsgExec"]
      })
      authorize(sending({ spend_limit: [{ denom: "uatom", amount: "99999999" }] }))
      const request = { to: someone, onBehalfOf: granter.address, feeGranter: granter.address }
      const all = yield* account.prepareGranted({ ...request, amount: "all" })
      expect(all).toMatchObject({
        amount: 10_000_000n - 1_750n,
        outgoing: [{ asset: "ATOM", amount: "10", from: granter.address }]
      })
      yield* account.submit(all)
      expect(lastOf(hub)).toMatchObject({ owner: granter.address, granter: granter.address })
    })
  )

  const grants: ReadonlyArray<readonly [string, object, string | null, object, object | undefined]> = [
    ["of just the amount", sending(), null, { amount: "2" }, undefined],
    [
      "of less than the amount",
      sending(),
      null,
      { amount: 2_000_001n },
      { _tag: "InsufficientFunds", needed: "2.000001", available: "2" }
    ],
    [
      "of another coin",
      sending(),
      null,
      { amount: 5n, token: ibc },
      { _tag: "InsufficientFunds", available: "0" }
    ],
    [
      "of a token",
      sending({ spend_limit: [{ denom: ibc, amount: "5" }] }),
      null,
      { amount: 5n, token: ibc },
      undefined
    ],
    [
      "without coins",
      sending({ spend_limit: [] }),
      null,
      { amount: 1n },
      { _tag: "InsufficientFunds", available: "0" }
    ],
    ["for this receiver", sending({ allow_list: [stranger, someone] }), null, { amount: 1n }, undefined],
    [
      "for another receiver",
      sending({ allow_list: [stranger] }),
      null,
      { amount: 1n },
      { _tag: "InvalidArgument", reason: `onBehalfOf: its grant is not for payments to ${someone}` }
    ],
    ["that ends later", sending(), inOneDay.toISOString(), { amount: 1n }, undefined],
    [
      "that is over",
      sending(),
      new Date(NOW).toISOString(),
      { amount: 1n },
      { _tag: "InvalidArgument", reason: expect.stringContaining("was over") }
    ],
    [
      "for all payments",
      { "@type": "/cosmos.authz.v1beta1.GenericAuthorization", msg: "/cosmos.bank.v1beta1.MsgSend" },
      null,
      { amount: "9" },
      undefined
    ],
    [
      "for votes",
      { "@type": "/cosmos.authz.v1beta1.GenericAuthorization", msg: "/cosmos.gov.v1.MsgVote" },
      null,
      { amount: 1n },
      { _tag: "InvalidArgument", reason: expect.stringContaining("a kind that is not known") }
    ],
    [
      "for more than the other account has",
      sending({ spend_limit: [{ denom: "uatom", amount: "99999999999" }] }),
      null,
      { amount: 10_000_001n },
      { _tag: "InsufficientFunds", available: "10" }
    ]
  ]
  it.effect.each(grants)("are known from grants %s", ([, authorization, expiration, payment, error]) =>
    Effect.gen(function* () {
      const { account, authorize, granter } = yield* makeWorld({ uatom: 1_750n })
      authorize(authorization, expiration)
      const request = { to: someone, onBehalfOf: granter.address, amount: 1n, ...payment }
      expect(yield* Effect.either(account.prepareGranted(request))).toMatchObject(
        error === undefined ? { _tag: "Right" } : { left: error }
      )
    })
  )

  it.effect("need a grant, and coins of the account for the fee", () =>
    Effect.gen(function* () {
      const { account, authorize, granter, hub } = yield* makeWorld({ uatom: 1_749n })
      const request = { to: someone, onBehalfOf: granter.address, amount: 1n }
      expect(yield* Effect.flip(account.prepareGranted(request))).toMatchObject({
        reason: `onBehalfOf: ${granter.address} has granted ${address} no payments`
      })
      authorize(sending())
      expect(yield* Effect.flip(account.prepareGranted(request))).toMatchObject({
        _tag: "InsufficientFunds",
        address
      })
      hub.accounts[address] = { sequence: 3n, coins: { uatom: 1_750n } }
      expect(yield* account.prepareGranted(request)).toMatchObject({ fee: 1_750n })
      for (const [wrong, error] of [
        [undefined, { _tag: "InvalidArgument", call: "prepareGranted" }],
        [
          { to: someone, amount: 1n },
          { _tag: "InvalidArgument", call: "prepareGranted" }
        ],
        [
          { ...request, onBehalfOf: address },
          { _tag: "InvalidArgument", call: "prepareGranted" }
        ],
        [{ to: someone, amount: 1n, feeGranter: address }, { _tag: "InvalidArgument" }],
        [{ ...request, onBehalfOf: `${granter.address}a` }, { _tag: "InvalidAddress" }],
        [{ ...request, feeGranter: "cosmos1" }, { _tag: "InvalidAddress" }],
        [{ ...request, to: "cosmos1" }, { _tag: "InvalidAddress" }]
      ] as const)
        expect(yield* Effect.flip(account.prepareGranted(wrong as typeof request))).toMatchObject(error)
    })
  )

  it.effect("are for nothing but what their preview shows", () =>
    Effect.gen(function* () {
      const { account, allow, authorize, granter, hub } = yield* makeWorld({ uatom: 5_000_000n })
      allow(basic())
      authorize(sending())
      const both = yield* account.prepareGranted({
        ...{ to: someone, amount: 1n, feeGranter: granter.address, onBehalfOf: granter.address }
      })
      const plain = yield* account.prepare({ to: someone, amount: 1n })
      const grant = yield* account.prepareGrant({
        ...{ action: "grant", kind: "payments", grantee: someone, spendLimit: 5n, recipients: [stranger] }
      })
      const changes: ReadonlyArray<
        readonly [typeof both, Partial<Record<keyof CosmosTransaction, unknown>>]
      > = [
        [both, { feeGranter: undefined }],
        [both, { onBehalfOf: undefined }],
        [both, { onBehalfOf: stranger }],
        [both, { feeGranter: stranger }],
        [plain, { onBehalfOf: granter.address }],
        [plain, { feeGranter: granter.address }],
        [plain, { grant: grant.transaction.grant }],
        [grant, { grant: undefined }],
        [grant, { grant: { ...grant.transaction.grant, recipients: undefined } }],
        [grant, { grant: { ...grant.transaction.grant, recipients: [address] } }],
        [grant, { grant: { ...grant.transaction.grant, expires: 1 } }],
        [grant, { grant: { ...grant.transaction.grant, kind: "fees" } }],
        [grant, { grant: { ...grant.transaction.grant, action: "revoke" } }],
        [grant, { amount: 6n }]
      ]
      for (const [preview, change] of changes) {
        const changed = { ...preview, transaction: { ...preview.transaction, ...change } }
        expect(yield* Effect.flip(account.submit(changed as typeof both))).toMatchObject({
          _tag: "InvalidArgument",
          reason: "its transaction is another one than that of its preview"
        })
      }
      const signed = { from: address, to: someone, denom: "uatom", amount: 1n, fee: 1n, gas: 1n }
      for (const [wrong, reason] of [
        [{ feeGranter: "cosmos1" }, "its feeGranter "],
        [{ onBehalfOf: address }, "its onBehalfOf is the account itself"],
        [{ onBehalfOf: stranger, grant: grant.transaction.grant }, "one of grant, onBehalfOf and staking"],
        [{ grant: { action: "grant", kind: "all" } }, "its grant is { action, kind"],
        [{ grant: { action: "give", kind: "fees" } }, "its grant is { action, kind"],
        [{ grant: { action: "grant", kind: "fees", expires: 1.5 } }, "its grant is { action, kind"],
        [{ grant: { action: "grant", kind: "payments", recipients: ["x"] } }, "its grant is { action, kind"],
        [{ grant: { action: "grant", kind: "fees" }, amount: 0n }, "the amount above zero"]
      ] as const)
        expect(
          yield* Effect.flip(account.sign({ ...signed, ...wrong } as unknown as CosmosTransaction))
        ).toMatchObject({ _tag: "InvalidArgument", reason: expect.stringContaining(reason) })
      expect(hub.came).toEqual([])
    })
  )

  it.effect("count against the limits of a policy, with the fee, whoever pays them", () =>
    Effect.gen(function* () {
      const { allow, authorize, granter, hub } = yield* makeWorld({ uatom: 5_000_000n })
      allow(basic())
      authorize(sending())
      const signerWith = (amount: bigint) =>
        Effect.flatMap(Policy.make({ limits: [{ network: "cosmos-mainnet", amount }] }), (policy) =>
          make(hub.client(), { mnemonic: words, policy })
        )
      const request = { to: someone, amount: "1", onBehalfOf: granter.address, feeGranter: granter.address }
      const strict = yield* signerWith(1_001_749n)
      expect(yield* Effect.flip(strict.submit(yield* strict.prepareGranted(request)))).toMatchObject({
        _tag: "PolicyDenied",
        rule: "limit"
      })
      const fair = yield* signerWith(1_001_750n)
      yield* fair.submit(yield* fair.prepareGranted(request))
      // what may be paid by a grant counts as if it was paid
      const grant = { action: "grant", kind: "payments", grantee: someone, spendLimit: "3" } as const
      expect(yield* Effect.flip(fair.submit(yield* fair.prepareGrant(grant)))).toMatchObject({
        _tag: "PolicyDenied"
      })
    })
  )
})

describe("grants of Cosmos", () => {
  const grant = { action: "grant", kind: "payments", grantee: someone, spendLimit: "1" } as const
  const refusals: ReadonlyArray<readonly [string, object | undefined, object]> = [
    ["nothing", undefined, { reason: "it takes { action, kind, grantee, spendLimit }" }],
    ["another action", { ...grant, action: "give" }, { reason: expect.stringContaining("action must be") }],
    [
      "another kind",
      { ...grant, kind: "votes" },
      { reason: expect.stringContaining("kind fees or payments") }
    ],
    [
      "no limit",
      { ...grant, spendLimit: undefined },
      { reason: expect.stringContaining("needs spendLimit") }
    ],
    ["all", { ...grant, spendLimit: "all" }, { reason: "spendLimit must be an amount" }],
    ["an amount that is none", { ...grant, spendLimit: "-1" }, { _tag: "InvalidAmount" }],
    ["the account itself", { ...grant, grantee: address }, { reason: "grantee: it is the account itself" }],
    ["an address that is none", { ...grant, grantee: "cosmos1" }, { _tag: "InvalidAddress" }],
    ["no receivers", { ...grant, recipients: [] }, { reason: expect.stringContaining("for all") }],
    ["receivers that are none", { ...grant, recipients: ["x"] }, { _tag: "InvalidAddress" }],
    [
      "a list that is none",
      { ...grant, recipients: 5 },
      { reason: "recipients must be a list of addresses" }
    ],
    [
      "an end that is over",
      { ...grant, expires: new Date(NOW) },
      { reason: expect.stringContaining("future") }
    ],
    ["an end that is none", { ...grant, expires: "soon" }, { reason: expect.stringContaining("a Date") }],
    [
      "receivers of fees",
      { ...grant, kind: "fees", recipients: [stranger] },
      { reason: "grant of fees takes no recipients" }
    ],
    ["tokens for fees", { ...grant, kind: "fees", token: ibc }, { reason: "grant of fees takes no token" }],
    [
      "a limit of what ends",
      { ...grant, action: "revoke" },
      { reason: "revoke of payments takes no spendLimit" }
    ],
    [
      "what is not there",
      { action: "revoke", kind: "payments", grantee: someone },
      { reason: `grantee: ${someone} has no such grant of ${address}` }
    ],
    [
      "fees that are not there",
      { action: "revoke", kind: "fees", grantee: someone },
      { reason: expect.stringContaining("no such grant") }
    ],
    ["more than the fee may be", { ...grant, maxFee: 1_749n }, { _tag: "FeeOverCap" }]
  ]
  it.effect.each(refusals)("are not prepared for %s", ([, request, error]) =>
    Effect.gen(function* () {
      const { account } = yield* makeWorld({ uatom: 5_000n })
      expect(yield* Effect.flip(account.prepareGrant(request as typeof grant))).toMatchObject({
        _tag: "InvalidArgument",
        ...error
      })
    })
  )

  it.effect("of fees are one for each account, and new ones of payments take the place of old ones", () =>
    Effect.gen(function* () {
      const { account, hub } = yield* makeWorld({ uatom: 1_749n })
      expect(yield* Effect.flip(account.prepareGrant(grant))).toMatchObject({ _tag: "InsufficientFunds" })
      hub.accounts[address] = { sequence: 3n, coins: { uatom: 1_750n } }
      hub.allowances[`${address} ${someone}`] = basic()
      hub.authorizations[`${address} ${someone}`] = { authorization: sending(), expiration: null }
      expect(yield* Effect.flip(account.prepareGrant({ ...grant, kind: "fees" }))).toMatchObject({
        reason: expect.stringContaining("an allowance already")
      })
      expect(yield* account.prepareGrant(grant)).toMatchObject({
        warnings: [
          expect.stringContaining("may pay up to 1 ATOM"),
          "It takes the place of the grant that is there."
        ]
      })
      const token = yield* account.prepareGrant({ ...grant, spendLimit: 7n, token: ibc })
      expect(token).toMatchObject({ token: ibc, amount: 7n, outgoing: [{ asset: "ATOM" }] })
      expect(token.warnings[0]).toContain(`up to 7 ${ibc} of this account`)
      const end = yield* account.prepareGrant({ action: "revoke", kind: "payments", grantee: someone })
      expect(end).toMatchObject({
        amount: 0n,
        warnings: [`${someone} may no longer pay coins of this account.`]
      })
      yield* account.submit(end)
      hub.mine()
      expect(hub.authorizations).toEqual({})
    })
  )

  it("and payments by them are the bytes that cosmjs makes of them", async () => {
    const hub = new Hub({ [address]: { sequence: 3n, coins: {} } })
    const account = await Effect.runPromise(make(hub.client(), { mnemonic: words }))
    const wallet = await DirectSecp256k1HdWallet.fromMnemonic(words)
    const [theirs] = await wallet.getAccounts()
    if (theirs === undefined) throw new Error("no account")
    const registry = new Registry([
      [MsgExec.typeUrl, MsgExec],
      [MsgGrant.typeUrl, MsgGrant],
      [MsgGrantAllowance.typeUrl, MsgGrantAllowance],
      [MsgSend.typeUrl, MsgSend],
      [SendAuthorization.typeUrl, SendAuthorization],
      [BasicAllowance.typeUrl, BasicAllowance]
    ])
    const amounts = fc.bigInt({ min: 1n, max: 10n ** 18n })
    const kind = fc.constantFrom("exec" as const, "fees" as const, "payments" as const)
    const end = fc.option(fc.integer({ min: 1, max: 2 ** 40 }), { nil: undefined })
    await fc.assert(
      fc.asyncProperty(kind, amounts, end, fc.boolean(), async (what, amount, expires, isSponsored) => {
        const coins = [{ denom: "uatom", amount: String(amount) }]
        const granter = isSponsored ? stranger : undefined
        const base = { from: address, to: someone, denom: "uatom", amount, fee: 1_234n, gas: 99_000n }
        const place = { accountNumber: 7n, sequence: 3n, timeoutHeight: 500n }
        const recipients = [stranger, address]
        const given: CosmosTransaction = {
          ...{ ...base, ...place },
          ...(granter === undefined ? {} : { feeGranter: granter }),
          ...(what === "exec"
            ? { onBehalfOf: stranger }
            : {
                grant: {
                  ...{ action: "grant", kind: what },
                  ...(expires === undefined ? {} : { expires }),
                  ...(what === "payments" ? { recipients } : {})
                } as const
              })
        }
        const ours = await Effect.runPromise(account.sign(given))
        const time = expires === undefined ? {} : { expiration: { seconds: BigInt(expires), nanos: 0 } }
        const parties = { granter: address, grantee: someone }
        const messages: Readonly<Record<typeof what, () => EncodeObject>> = {
          exec: () => ({
            typeUrl: MsgExec.typeUrl,
            value: {
              grantee: address,
              msgs: [
                registry.encodeAsAny({
                  typeUrl: MsgSend.typeUrl,
                  value: { fromAddress: stranger, toAddress: someone, amount: coins }
                })
              ]
            }
          }),
          fees: () => ({
            typeUrl: MsgGrantAllowance.typeUrl,
            value: {
              ...parties,
              allowance: registry.encodeAsAny({
                typeUrl: BasicAllowance.typeUrl,
                value: { spendLimit: coins, ...time }
              })
            }
          }),
          payments: () => ({
            typeUrl: MsgGrant.typeUrl,
            value: {
              ...parties,
              grant: {
                authorization: registry.encodeAsAny({
                  typeUrl: SendAuthorization.typeUrl,
                  value: { spendLimit: coins, allowList: recipients }
                }),
                ...time
              }
            }
          })
        }
        const body = registry.encodeTxBody({ messages: [messages[what]()], timeoutHeight: 500n })
        const info = makeAuthInfoBytes(
          [
            {
              pubkey: encodePubkey({
                type: "tendermint/PubKeySecp256k1",
                value: Buffer.from(theirs.pubkey).toString("base64")
              }),
              sequence: 3
            }
          ],
          [{ denom: "uatom", amount: "1234" }],
          99_000,
          granter,
          undefined
        )
        const document = makeSignDoc(body, info, "cosmoshub-4", 7)
        const { signature, signed } = await wallet.signDirect(address, document)
        const raw = TxRaw.encode({
          bodyBytes: signed.bodyBytes,
          authInfoBytes: signed.authInfoBytes,
          signatures: [Buffer.from(signature.signature, "base64")]
        }).finish()
        expect(ours.raw).toBe(Buffer.from(raw).toString("base64"))
      }),
      { numRuns: runs(30) }
    )
  })
})
