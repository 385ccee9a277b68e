// @covers simulation on libraries: stellar, algorand
// @covers simulation on a double: tezos, tron, ton, cosmos
/** What transactions would change on families that have no `eth_simulateV1`, over nodes of which a test says what they answer. */
import { describe, expect, it } from "@effect/vitest"
import { Address, beginCell, Cell, loadMessage } from "@ton/core"
import { encodeJSON } from "algosdk"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import nacl from "tweetnacl"
import { RequestRejected } from "../../src/data/SdkError.js"
import * as Algorand from "../../src/signers/Algorand.js"
import { genesisOf } from "../../src/signers/algorand/networks.js"
import { buildTransaction } from "../../src/signers/algorand/sdk.js"
import * as Cosmos from "../../src/signers/Cosmos.js"
import type { Prepared } from "../../src/signers/Signer.js"
import * as Stellar from "../../src/signers/Stellar.js"
import {
  type Simulation,
  simulate,
  type TezosSimulationCalls,
  type TonSimulationClient,
  type TronSimulationCalls
} from "../../src/signers/simulate.js"
import type { StellarTransaction } from "../../src/signers/stellar/Types.js"
import type { TezosTransaction } from "../../src/signers/tezos/Types.js"
import type { TonTransaction } from "../../src/signers/ton/Types.js"
import type { TronTransaction } from "../../src/signers/tron/Types.js"
import { runs } from "../properties.js"
import { Algod } from "./algod.js"
import { makeLedger } from "./horizon.js"
import { Hub } from "./hub.js"
import { pkh } from "./operations.js"
import { tronParameters } from "./parameters.js"
import { internalOf, makeWallet, orderIn } from "./wallets.js"

const shown = ({ approvals, changes, succeeds, warnings }: Simulation) => ({
  succeeds,
  changes: changes.map(({ address, amount, asset }) => [address, asset, amount]),
  approvals: approvals.length,
  warnings
})

const rejected = (status: number, message: string): RequestRejected =>
  new RequestRejected({ call: "simulate", status, messages: [message], body: "", url: "" })

const key = "9f".repeat(32)

describe("a simulation of Tezos", () => {
  const from = "tz1VQA4RP4fLjEEMW2FR4pE9kAg5abb5h5GL"
  const to = "tz1burnburnburnburnburnburnburjAYjjX"
  const contract = "KT1PWx2mnDueood7fEmfbBDKx1D9BAnnXitn"
  const token = `${contract}.0`
  const payment: Prepared<TezosTransaction> = {
    network: "tezos-mainnet",
    from,
    to,
    amount: 500_000n,
    fee: 66_000n,
    outgoing: [{ asset: "XTZ", amount: "0.566" }],
    warnings: [],
    transaction: {
      from,
      to,
      amount: 500_000n,
      fee: 400n,
      counter: 42n,
      gasLimit: 300n,
      storageLimit: 257n,
      branch: "BLpcXF8ADJbGuyUKNv7TypXRd5rqnoPn3PMqJLNBeRSr4VFeUuK",
      level: 1,
      until: 2
    }
  }
  const inTokens: Prepared<TezosTransaction> = {
    ...payment,
    token,
    amount: 25n,
    outgoing: [
      { asset: `tezos:NetXdQprcVkpaWU/fa2:${contract}/0`, token, amount: "2.5", units: 25n, decimals: 1 },
      { asset: "XTZ", amount: "0.066" }
    ],
    transaction: { ...payment.transaction, amount: 25n, token }
  }
  const update = (owner: string, change: bigint) => ({
    kind: "contract",
    contract: owner,
    change: String(change),
    origin: "simulation"
  })
  const fees = [
    update(from, -400n),
    { kind: "accumulator", category: "block fees", change: "400", origin: "simulation" }
  ]
  const burnt = [
    update(from, -64_250n),
    { kind: "burned", category: "storage fees", change: "64250", origin: "simulation" }
  ]
  const applied = (updates: ReadonlyArray<object>, result: object = {}, internal: object = {}) => ({
    contents: [
      {
        kind: "transaction",
        metadata: {
          balance_updates: fees,
          operation_result: { status: "applied", balance_updates: updates, ...result },
          ...internal
        }
      }
    ]
  })
  const asked: Array<unknown> = []
  const client = (answer: unknown, held: Readonly<Record<string, unknown>> = {}) => {
    const rpc: TezosSimulationCalls = {
      simulateOperation: (input) => {
        asked.push(input)
        // what a node says is anything
        return Effect.succeed(answer as never)
      },
      getBigMapValue: ({ bigMapId, scriptExpression }) => {
        const found = held[`${bigMapId} ${scriptExpression}`]
        return found === undefined ? Effect.fail(rejected(404, "none")) : Effect.succeed(found as never)
      }
    }
    return { network: "tezos-mainnet", rpc }
  }
  const packed = (address: string): string => `00${pkh(address)}`

  it.effect("asks for the operation as it is sent, and tells coins without fees", () =>
    Effect.gen(function* () {
      const said = applied([update(from, -500_000n), update(to, 500_000n), ...burnt])
      const simulated = yield* simulate(client(said), payment)
      expect(asked.at(-1)).toMatchObject({
        chain_id: "NetXdQprcVkpaWU",
        operation: {
          branch: payment.transaction.branch,
          contents: [
            {
              kind: "transaction",
              source: from,
              destination: to,
              amount: "500000",
              fee: "400",
              counter: "42",
              gas_limit: "300",
              storage_limit: "257"
            }
          ]
        }
      })
      expect(simulated.method).toBe("simulate_operation")
      expect(shown(simulated)).toEqual({
        succeeds: true,
        changes: [
          [from, "XTZ", "-0.5"],
          [to, "XTZ", "0.5"]
        ],
        approvals: 0,
        warnings: []
      })
    })
  )

  it.effect("names what leaves besides, a fee above the preview, and a receiver that gets less", () =>
    Effect.gen(function* () {
      const more = applied([update(from, -600_000n), update(to, 500_000n), update(contract, 100_000n)])
      expect(shown(yield* simulate(client(more), payment)).warnings).toEqual([
        "0.6 XTZ would leave the account, and the preview shows 0.5."
      ])
      const less = applied([update(from, -500_000n), update(to, 1n), update(contract, 499_999n)])
      expect(shown(yield* simulate(client(less), payment)).warnings).toEqual([
        "The receiver would get 0.000001 XTZ, and the preview pays 0.5."
      ])
      const dear = { ...payment, fee: 64_649n, outgoing: [{ asset: "XTZ", amount: "0.564649" }] }
      const said = applied([update(from, -500_000n), update(to, 500_000n), ...burnt])
      expect(shown(yield* simulate(client(said), dear)).warnings).toEqual([
        "The fee would be 0.06465 XTZ, and the preview's highest fee is 0.064649 XTZ."
      ])
    })
  )

  const int = (value: bigint) => ({ int: String(value) })
  const pair = (...args: ReadonlyArray<object>) => ({ prim: "Pair", args })
  const entry = (key: object, keyHash: string, value?: object) => ({
    key_hash: keyHash,
    key,
    ...(value === undefined ? {} : { value })
  })
  const ledger = (id: string, ...updates: ReadonlyArray<object>) => ({
    kind: "big_map",
    id,
    diff: { action: "update", updates }
  })
  const owner = (address: string) => ({ string: address })

  it.effect("reads tokens from their contract's ledger before and after", () =>
    Effect.gen(function* () {
      const said = applied([], {
        lazy_storage_diff: [
          ledger(
            "7",
            entry(pair(owner(from), int(0n)), "a", int(75n)),
            entry(pair(owner(to), int(0n)), "b", int(24n))
          )
        ]
      })
      const simulated = yield* simulate(client(said, { "7 a": int(100n) }), inTokens)
      const asset = `tezos:NetXdQprcVkpaWU/fa2:${contract}/0`
      // a share stays with the contract
      expect(shown(simulated)).toEqual({
        succeeds: true,
        changes: [
          [from, asset, "-2.5"],
          [to, asset, "2.4"]
        ],
        approvals: 0,
        warnings: [`The receiver would get 2.4 ${asset}, and the preview pays 2.5.`]
      })
    })
  )

  it.effect("reads packed addresses, and balances beside what an owner has approved (FA1.2)", () =>
    Effect.gen(function* () {
      const fa12: Prepared<TezosTransaction> = {
        ...inTokens,
        token: contract,
        outgoing: [{ asset: "T", token: contract, amount: "25", units: 25n, decimals: 0 }],
        transaction: { ...inTokens.transaction, token: contract }
      }
      const said = applied([], {
        lazy_storage_diff: [
          ledger(
            "9",
            entry({ bytes: packed(from) }, "a", pair([] as never, int(70n))),
            entry(owner(to), "b", pair(int(30n), [] as never))
          )
        ]
      })
      const held = { "9 a": pair([] as never, int(100n)), "9 b": pair(int(5n), [] as never) }
      const { changes, warnings } = yield* simulate(client(said, held), fa12)
      expect(changes.map(({ address, units }) => [address, units])).toEqual([
        [from, -30n],
        [to, 25n]
      ])
      expect(warnings).toEqual(["30 T would leave the account, and the preview shows 25."])
    })
  )

  it.effect(
    "says so where a contract keeps balances in a form of its own, and names tokens of contracts inside",
    () =>
      Effect.gen(function* () {
        const other = "KT1K9gCRgaLRFKTErYt1wVxA3Frb9FjasjTV"
        const inner = {
          internal_operation_results: [
            {
              kind: "transaction",
              source: contract,
              destination: other,
              parameters: {
                entrypoint: "transfer",
                value: [pair(owner(from), [pair(owner(contract), pair(int(3n), int(9n)))] as never)]
              },
              result: { status: "applied" }
            }
          ]
        }
        const { changes, warnings } = yield* simulate(client(applied([], {}, inner)), inTokens)
        const stolen = `tezos:NetXdQprcVkpaWU/fa2:${other}/3`
        expect(changes.map(({ address, asset, amount }) => [address, asset, amount])).toContainEqual([
          from,
          stolen,
          "-9"
        ])
        expect(warnings).toEqual([
          `9 ${stolen} would leave the account, which the preview does not show.`,
          expect.stringMatching(/^The contract of a token keeps balances in a form of its own/)
        ])
      })
  )

  it.effect("tells of two maps with the same owner that it cannot tell which one has the balances", () =>
    Effect.gen(function* () {
      const key = pair(owner(from), int(0n))
      const said = applied([], {
        lazy_storage_diff: [ledger("7", entry(key, "a", int(1n))), ledger("8", entry(key, "a", int(2n)))]
      })
      const held = { "7 a": int(100n), "8 a": int(2n) }
      const { changes, warnings } = yield* simulate(client(said, held), inTokens)
      expect(changes[0]).toMatchObject({ address: from, units: -25n })
      expect(warnings).toEqual([expect.stringMatching(/^The contract of a token keeps/)])
    })
  )

  it.effect("shows nothing that leaves by staking but what is staked", () =>
    Effect.gen(function* () {
      const { receiver, ...stake } = { ...payment, receiver: undefined }
      const prepared: Prepared<TezosTransaction> = {
        ...stake,
        to: from,
        staking: { action: "stake", amount: 500_000n },
        transaction: { ...payment.transaction, to: from, staking: { action: "stake" } }
      }
      const frozen = {
        kind: "freezer",
        category: "deposits",
        staker: {},
        change: "500000",
        origin: "simulation"
      }
      const { changes, warnings } = yield* simulate(
        client(applied([update(from, -500_000n), frozen])),
        prepared
      )
      expect(changes.map(({ amount }) => amount)).toEqual(["-0.5"])
      expect(warnings).toEqual([])
    })
  )

  it.effect("says why the chain refuses it", () =>
    Effect.gen(function* () {
      const failed = applied([], {
        status: "failed",
        errors: [{ kind: "temporary", id: "proto.023-PtSeouLo.contract.balance_too_low" }]
      })
      expect(yield* simulate(client(failed), payment)).toMatchObject({
        succeeds: false,
        reason: "contract.balance_too_low",
        changes: []
      })
      const refusing = (status: number, message: string) => {
        const { rpc } = client({})
        return {
          network: "tezos-mainnet",
          rpc: { ...rpc, simulateOperation: () => Effect.fail(rejected(status, message)) }
        }
      }
      expect(yield* simulate(refusing(500, "counter_in_the_past"), payment)).toMatchObject({
        succeeds: false,
        reason: "counter_in_the_past"
      })
      expect(yield* Effect.flip(simulate(refusing(404, "Not Found"), payment))).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringContaining("simulate_operation")
      })
    })
  )

  it.effect.each([
    {},
    { contents: {} },
    { contents: [] },
    { contents: [applied([]).contents[0], applied([]).contents[0]] },
    applied([{ kind: "contract", contract: from, change: "much" }]),
    applied([{ kind: "contract", change: "1" }]),
    applied({} as never),
    applied([], { lazy_storage_diff: [{ kind: "big_map", diff: { action: "update", updates: [{}] } }] }),
    applied([], { lazy_storage_diff: 7 })
  ])("takes no answer in another form (%#)", (said) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(simulate(client(said), payment))).toMatchObject({
        _tag: "NodeError",
        kind: "malformed"
      })
    })
  )

  it.effect.each([{ amount: "5" }, { fee: -1n }, { to: "me" }, { from: "me" }, { counter: 1 }])(
    "refuses transactions that are none, and asks no node (%#)",
    (wrong) =>
      Effect.gen(function* () {
        const rpc: TezosSimulationCalls = {
          simulateOperation: () => Effect.die(new Error("no node is to be asked")),
          getBigMapValue: () => Effect.die(new Error("no node is to be asked"))
        }
        const transaction = { ...payment.transaction, ...wrong } as TezosTransaction
        expect(
          yield* Effect.flip(simulate({ network: "tezos-mainnet", rpc }, { ...payment, transaction }))
        ).toMatchObject({ _tag: "InvalidArgument", call: "simulate" })
      })
  )
})

describe("a simulation of Cosmos", () => {
  const to = "cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh"
  const thief = "cosmos1jv65s3grqf6v6jl3dp4t6c9t9rk99cd88lyufl"
  const opened = Effect.gen(function* () {
    const empty = yield* Cosmos.make(new Hub({}).client(), { privateKey: key })
    const hub = new Hub({
      [empty.address]: {
        number: 9n,
        sequence: 4n,
        coins: { uatom: 10n ** 9n, "ibc/AB": 10n ** 9n }
      },
      [to]: { coins: {} }
    })
    const client = hub.client()
    const account = yield* Cosmos.make(client, { privateKey: key })
    return { account, client, hub }
  })

  it.effect("is what the messages of a trial spend and receive, and the fee beside it", () =>
    Effect.gen(function* () {
      const { account, client, hub } = yield* opened
      const prepared = yield* account.prepare({ to, amount: "2.5" })
      for (const areNumbered of [true, false]) {
        hub.areNumbered = areNumbered
        expect(shown(yield* simulate(client, prepared))).toEqual({
          succeeds: true,
          changes: [
            [account.address, "ATOM", "-2.5"],
            [to, "ATOM", "2.5"]
          ],
          approvals: 0,
          warnings: []
        })
      }
      // a market of fees gives back what it does not need
      hub.areNumbered = true
      hub.returned = "5uatom"
      expect(shown(yield* simulate(client, prepared)).warnings).toEqual([])
      const tokens = yield* account.prepare({ to, amount: 7n, token: "ibc/AB" })
      expect(shown(yield* simulate(client, tokens))).toMatchObject({
        changes: [
          [account.address, "cosmos:cosmoshub-4/ibc:AB", "-7"],
          [to, "cosmos:cosmoshub-4/ibc:AB", "7"]
        ],
        warnings: []
      })
    })
  )

  it.effect("names coins that leave besides, also beside the messages, and a dearer fee", () =>
    Effect.gen(function* () {
      const { account, client, hub } = yield* opened
      const prepared = yield* account.prepare({ to, amount: "2.5" })
      const spent = (amount: string, index: ReadonlyArray<object> = [{ key: "msg_index", value: "0" }]) => ({
        type: "coin_spent",
        attributes: [{ key: "spender", value: account.address }, { key: "amount", value: amount }, ...index]
      })
      const received = {
        type: "coin_received",
        attributes: [
          { key: "receiver", value: thief },
          { key: "amount", value: "3factory/x/gold" },
          { key: "msg_index", value: "0" }
        ]
      }
      hub.happens = [spent("3factory/x/gold"), received]
      const stolen = "cosmos:cosmoshub-4/denom:factory%2Fx%2Fgold"
      expect(shown(yield* simulate(client, prepared)).warnings).toEqual([
        `3 ${stolen} would leave the account, which the preview does not show.`
      ])
      hub.happens = [spent("3factory/x/gold", [])]
      expect(shown(yield* simulate(client, prepared)).warnings).toEqual([
        `3 ${stolen} would leave the account, which the preview does not show.`
      ])
      hub.happens = [spent("1uatom", [])]
      expect(shown(yield* simulate(client, prepared)).warnings).toEqual([
        expect.stringMatching(/^The fee would be .* and the preview's highest fee is/)
      ])
      hub.happens = [spent("1uatom")]
      expect(shown(yield* simulate(client, prepared)).warnings).toEqual([
        "2.500001 ATOM would leave the account, and the preview shows 2.5."
      ])
    })
  )

  it.effect("is tried behind the payments that no block has yet", () =>
    Effect.gen(function* () {
      const { account, client, hub } = yield* opened
      yield* account.send({ to, amount: "1" })
      const prepared = yield* account.prepare({ to, amount: "2.5" })
      expect(hub.pool.size).toBe(1)
      expect((yield* simulate(client, prepared)).succeeds).toBe(true)
    })
  )

  it.effect("shows rewards that come with staking, and no less than is staked", () =>
    Effect.gen(function* () {
      const { account, client, hub } = yield* opened
      const prepared = yield* account.prepare({ to, amount: "2.5" })
      const validator = "cosmosvaloper1sjllsnramtg3ewxqwwrwjxfgc4n4ef9u2lcnj0"
      const staking = { action: "delegate" as const, amount: 2_500_000n }
      const stake = {
        ...prepared,
        to: validator,
        staking,
        transaction: { ...prepared.transaction, to: validator, staking: { action: "delegate" as const } }
      }
      hub.happens = [
        {
          type: "coin_received",
          attributes: [
            { key: "receiver", value: account.address },
            { key: "amount", value: "1000uatom" },
            { key: "msg_index", value: "0" }
          ]
        }
      ]
      const { changes, warnings } = yield* simulate(client, stake)
      expect(changes[0]).toMatchObject({ address: account.address, amount: "-2.499" })
      expect(warnings).toEqual([])
    })
  )

  it.effect("says why nodes refuse it, and what they lack", () =>
    Effect.gen(function* () {
      const { account, client } = yield* opened
      const prepared = yield* account.prepare({ to, amount: "2.5" })
      const saying = (status: number, message: string) => ({
        ...client,
        rpc: {
          ...client.rpc,
          getAccountDetails: client.rpc.getAccountDetails,
          simulate: () => Effect.fail(rejected(status, message))
        }
      })
      expect(yield* simulate(saying(400, "insufficient funds: 1uatom < 2uatom"), prepared)).toMatchObject({
        succeeds: false,
        reason: "insufficient funds: 1uatom < 2uatom"
      })
      expect(yield* Effect.flip(simulate(saying(501, "Not Implemented"), prepared))).toMatchObject({
        _tag: "InvalidArgument"
      })
      const gone = new Hub({}).client()
      expect(yield* simulate(gone, prepared)).toMatchObject({
        succeeds: false,
        reason: `the chain has no account ${account.address}`
      })
    })
  )

  it.effect.each([
    {},
    { result: {} },
    { result: { events: [] } },
    { result: { events: [null] } },
    {
      result: {
        events: [
          { type: "message", attributes: [{ key: "action", value: "a" }] },
          { type: "coin_spent", attributes: [] }
        ]
      }
    },
    {
      result: {
        events: [
          { type: "message", attributes: [{ key: "action", value: "a" }] },
          {
            type: "coin_spent",
            attributes: [
              { key: "spender", value: "a" },
              { key: "amount", value: "-5uatom" }
            ]
          }
        ]
      }
    }
  ])("takes no answer in another form (%#)", (said) =>
    Effect.gen(function* () {
      const { account, client } = yield* opened
      const prepared = yield* account.prepare({ to, amount: "2.5" })
      const lying = {
        network: client.network,
        rpc: {
          getAccountDetails: client.rpc.getAccountDetails,
          simulate: () => Effect.succeed(said as never)
        }
      }
      expect(yield* Effect.flip(simulate(lying, prepared))).toMatchObject({
        _tag: "NodeError",
        kind: "malformed"
      })
    })
  )
})

describe("a simulation of Algorand", () => {
  const to = "HNVCPPGOW2SC2YVDVDICU3YNONSTEFLXDXREHJR2YBEKDC2Z3IUZSC6YGI"
  const other = "GD64YIY3TWGDMCNPP553DZPPR6LDUSFQOIJVFDPPXWEG3FVOJCCDBBHU5A"
  const opened = Effect.gen(function* () {
    const { address } = yield* Algorand.make(new Algod({}).client(), { privateKey: key })
    const node = new Algod({
      [address]: { amount: 10n ** 9n, assets: { "31566704": { amount: 10n ** 9n } } },
      [to]: { amount: 10n ** 9n, assets: { "31566704": { amount: 0n } } }
    })
    node.assets["31566704"] = { decimals: 6, "unit-name": "USDC" }
    const client = node.client()
    return { account: yield* Algorand.make(client, { privateKey: key }), client, node }
  })

  it.effect("asks for the fields that algosdk writes, and tells what moves", () =>
    Effect.gen(function* () {
      const { account, client, node } = yield* opened
      for (const token of [undefined, "31566704"]) {
        const prepared = yield* account.prepare({
          to,
          amount: "2.5",
          memo: "order 7",
          ...(token === undefined ? {} : { token })
        })
        const asset = token === undefined ? "ALGO" : "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k/asa:31566704"
        expect(shown(yield* simulate(client, prepared))).toEqual({
          succeeds: true,
          changes: [
            [account.address, asset, "-2.5"],
            [to, asset, "2.5"]
          ],
          approvals: 0,
          warnings: []
        })
        const request = node.tried.at(-1)
        expect(request).toMatchObject({ "allow-empty-signatures": true })
        const { txn } = Object(request)["txn-groups"][0].txns[0]
        const genesis = genesisOf("algorand-mainnet-algod") ?? expect.fail()
        const built = buildTransaction(
          { ...prepared.transaction, firstValid: BigInt(txn.fv), lastValid: BigInt(txn.lv), lease: txn.lx },
          genesis
        )
        expect(txn).toEqual(JSON.parse(encodeJSON(built)))
      }
    })
  )

  it.effect("says why a node refuses it", () =>
    Effect.gen(function* () {
      const { account, client, node } = yield* opened
      const prepared = yield* account.prepare({ to, amount: "2.5" })
      const { [account.address]: own } = node.accounts
      if (own === undefined) throw new Error("no account")
      own.amount = 5n
      expect(yield* simulate(client, prepared)).toMatchObject({ succeeds: false, reason: "overspend" })
    })
  )

  const answerOf = (fields: object, result: object = {}, found: object = {}) => ({
    "txn-groups": [
      { "txn-results": [{ "txn-result": { "pool-error": "", txn: { txn: fields }, ...result }, ...found }] }
    ]
  })

  it.effect("names what the transactions inside of it take, and a dearer fee", () =>
    Effect.gen(function* () {
      const { account, client } = yield* opened
      const prepared = yield* account.prepare({ to, amount: 5n })
      const honest = { type: "pay", snd: account.address, rcv: to, amt: 5n, fee: 1_000n }
      const inner = (txn: object, more: object = {}) => ({
        "inner-txns": [{ "pool-error": "", txn: { txn }, ...more }]
      })
      const said = (answer: object) =>
        Effect.map(
          simulate(
            {
              ...client,
              rpc: {
                ...client.rpc,
                getTransactionParams: client.rpc.getTransactionParams,
                simulateTransaction: () => Effect.succeed(answer as never)
              }
            },
            prepared
          ),
          ({ warnings }) => warnings
        )
      expect(yield* said(answerOf(honest))).toEqual([])
      expect(
        yield* said(
          answerOf(
            honest,
            inner({ type: "pay", snd: account.address, rcv: other, close: other }, { "closing-amount": 7n })
          )
        )
      ).toEqual(["0.000012 ALGO would leave the account, and the preview shows 0.000005."])
      expect(
        yield* said(
          answerOf(
            honest,
            inner({ type: "axfer", snd: other, asnd: account.address, arcv: other, aamt: 3n, xaid: 9n })
          )
        )
      ).toEqual([
        "3 algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k/asa:9 would leave the account, which the preview does not show."
      ])
      expect(yield* said(answerOf(honest, {}, { "fees-paid": 2_000n }))).toEqual([
        "The fee would be 0.002 ALGO, and the preview's highest fee is 0.001 ALGO."
      ])
    })
  )

  it.effect.each([
    {},
    { "txn-groups": [] },
    { "txn-groups": [{ "txn-results": [] }] },
    { "txn-groups": [{ "txn-results": [{ "txn-result": {} }] }] },
    { rcv: other },
    { amt: 6n },
    { rekey: other },
    { close: other },
    { amt: "much" },
    { fee: 1n }
  ])("takes no answer in another form, or about another transaction (%#)", (said) =>
    Effect.gen(function* () {
      const { account, client } = yield* opened
      const prepared = yield* account.prepare({ to, amount: 5n })
      const honest = { type: "pay", snd: account.address, rcv: to, amt: 5n, fee: 1_000n }
      const isWhole = Object.keys(said).length === 0 || "txn-groups" in said
      const rpc = {
        getTransactionParams: client.rpc.getTransactionParams,
        simulateTransaction: () =>
          Effect.succeed((isWhole ? said : answerOf({ ...honest, ...said })) as never)
      }
      expect(yield* Effect.flip(simulate({ network: client.network, rpc }, prepared))).toMatchObject({
        _tag: "NodeError",
        kind: "malformed"
      })
    })
  )
})

describe("a simulation of Tron", () => {
  const from = "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH"
  const to = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
  const token = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
  const hexes: Readonly<Record<string, string>> = {
    [from]: "c84a5ab9c69bd9eb1c7c7e3a5a8d4ffa54b1b9a1",
    [token]: "a614f803b6fd780986a42c78ec9c7f77e6ded13c"
  }
  const coins: Prepared<TronTransaction> = {
    network: "tron-mainnet",
    from,
    to,
    amount: 500_000n,
    fee: 268_000n,
    outgoing: [{ asset: "TRX", amount: "0.768" }],
    warnings: [],
    transaction: { from, to, amount: 500_000n }
  }
  const usdt = `tron:728126428/trc20:${token}`
  const data = `a9059cbb${"0".repeat(24)}${"11".repeat(20)}${25_000_000n.toString(16).padStart(64, "0")}`
  const inTokens: Prepared<TronTransaction> = {
    ...coins,
    token,
    amount: 25_000_000n,
    fee: 20_000_000n,
    outgoing: [
      { asset: usdt, token, symbol: "USDT", amount: "25", units: 25_000_000n, decimals: 6 },
      { asset: "TRX", amount: "20" }
    ],
    transaction: { from, to, amount: 25_000_000n, token, data, feeLimit: 19_000_000n }
  }
  const asked: Array<unknown> = []
  const client = (
    answer: object,
    accounts: Readonly<Record<string, { readonly balance?: bigint; readonly type?: string }>> = {
      [from]: { balance: 10n ** 9n }
    }
  ) => {
    const rpc: TronSimulationCalls = {
      getAccount: (address) => Effect.succeed(accounts[address] ?? {}),
      getChainParameters: () => Effect.succeed(tronParameters),
      triggerConstantContract: (...args) => {
        asked.push(args)
        return Effect.succeed(answer as never)
      }
    }
    return { network: "tron-mainnet", rpc }
  }
  const word = (hex: string): string => hex.padStart(64, "0")
  const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
  const APPROVAL = "8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925"
  const OWNERSHIP = "8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0"
  const hexOf = async (address: string): Promise<string> => {
    const { utils } = await import("tronweb")
    return String(utils.address.toHex(address)).slice(2)
  }
  const event = async (contract: string, topic: string, one: string, two: string, value: bigint) => ({
    address: await hexOf(contract),
    topics: [topic, word(await hexOf(one)), word(await hexOf(two))],
    data: word(value.toString(16))
  })
  const done = { result: { result: true }, energy_used: 65_000n, constant_result: [word("1")] }

  it.effect("of coins is their amount, if the account has them and the receiver is no contract", () =>
    Effect.gen(function* () {
      expect(shown(yield* simulate(client({}), coins))).toEqual({
        succeeds: true,
        changes: [
          [from, "TRX", "-0.5"],
          [to, "TRX", "0.5"]
        ],
        approvals: 0,
        warnings: []
      })
      expect(yield* simulate(client({}, { [from]: { balance: 767_999n } }), coins)).toMatchObject({
        succeeds: false,
        reason: "it takes 0.768 TRX, and the account has 0.767999 TRX"
      })
      const contract = { [from]: { balance: 10n ** 9n }, [to]: { type: "Contract" } }
      expect(yield* simulate(client({}, contract), coins)).toMatchObject({
        succeeds: false,
        reason: expect.stringMatching(/is a contract/)
      })
      expect(hexes[token]).toBe(yield* Effect.promise(() => hexOf(token)))
    })
  )

  it.effect("of tokens is what their contract's events say, of the call as it is sent", () =>
    Effect.gen(function* () {
      const logs = yield* Effect.promise(() =>
        Promise.all([
          event(token, TRANSFER, from, to, 24_000_000n),
          event(token, TRANSFER, from, token, 1_000_000n)
        ])
      )
      const simulated = yield* simulate(client({ ...done, logs }), inTokens)
      expect(asked.at(-1)).toEqual([from, token, "", "", { visible: true, data }])
      expect(shown(simulated)).toEqual({
        succeeds: true,
        changes: [
          [from, usdt, "-25"],
          [to, usdt, "24"],
          [token, usdt, "1"]
        ],
        approvals: 0,
        warnings: [`The receiver would get 24 USDT (${usdt}), and the preview pays 25.`]
      })
    })
  )

  it.effect("names allowances, coins that contracts pay, and energy above the limit", () =>
    Effect.gen(function* () {
      const call: Prepared<TronTransaction> = {
        ...coins,
        to: token,
        transaction: { from, to: token, amount: 500_000n, data: "12345678", feeLimit: 6_000_000n }
      }
      const logs = yield* Effect.promise(() =>
        Promise.all([event(token, APPROVAL, from, to, 2n ** 256n - 1n)])
      )
      const internal_transactions = [
        {
          caller_address: `41${yield* Effect.promise(() => hexOf(token))}`,
          transferTo_address: `41${yield* Effect.promise(() => hexOf(to))}`,
          callValueInfo: [{ callValue: 500_000n }, {}]
        },
        { caller_address: from, transferTo_address: to, callValueInfo: [{ callValue: 9n }], rejected: true }
      ]
      const { approvals, changes, warnings } = yield* simulate(
        client({ ...done, logs, internal_transactions }),
        call
      )
      expect(asked.at(-1)).toEqual([
        from,
        token,
        "",
        "",
        { visible: true, data: "12345678", callValue: 500_000n }
      ])
      expect(approvals).toEqual([
        {
          spender: to,
          asset: usdt,
          token,
          amount: String(2n ** 256n - 1n),
          units: 2n ** 256n - 1n,
          decimals: 0,
          unlimited: true
        }
      ])
      expect(changes.map(({ address, amount }) => [address, amount])).toEqual([
        [from, "-0.5"],
        [to, "0.5"]
      ])
      // what others let somebody take is theirs
      const ofOthers = yield* Effect.promise(() => event(token, APPROVAL, to, token, 5n))
      expect((yield* simulate(client({ ...done, logs: [ofOthers] }), call)).approvals).toEqual([])
      const given = yield* Effect.promise(() => event(token, OWNERSHIP, from, to, 0n))
      const handed = yield* simulate(client({ ...done, logs: [{ ...given, data: "" }] }), call)
      expect(handed.warnings).toContainEqual(`It would give the contract ${token} to ${to}.`)
      expect(warnings).toEqual([
        `It would let ${to} take any amount of ${usdt}.`,
        "It takes energy for 6.5 TRX now, and may burn 6 TRX at most: it fails unless the account has energy."
      ])
    })
  )

  it.effect("says why contracts refuse it, and that a node shows no events", () =>
    Effect.gen(function* () {
      const refused = { result: { result: false, message: "REVERT opcode executed" }, energy_used: 1n }
      expect(yield* simulate(client(refused), inTokens)).toMatchObject({
        succeeds: false,
        reason: "REVERT opcode executed"
      })
      expect((yield* simulate(client(done), inTokens)).warnings).toContainEqual(
        expect.stringMatching(/^The node shows no events/)
      )
      expect(
        yield* simulate(client({ ...done, logs: [] }, { [from]: { balance: 5n } }), inTokens)
      ).toMatchObject({
        succeeds: false,
        reason: "it takes 20 TRX, and the account has 0.000005 TRX"
      })
    })
  )

  it.effect.each([
    { logs: {} },
    { logs: [null] },
    { logs: [{ address: "41", topics: [], data: "" }] },
    { logs: [{ address: "11".repeat(20), topics: ["12"], data: "" }] },
    {
      internal_transactions: [
        { caller_address: "me", transferTo_address: to, callValueInfo: [{ callValue: 1n }] }
      ]
    },
    {
      internal_transactions: [
        { caller_address: from, transferTo_address: to, callValueInfo: [{ callValue: -1n }] }
      ]
    },
    { energy_used: "much" },
    { constant_result: ["zz"] }
  ])("takes no answer in another form (%#)", (said) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(simulate(client({ ...done, logs: [], ...said }), inTokens))).toMatchObject({
        _tag: "NodeError",
        kind: "malformed"
      })
    })
  )

  it.effect.each([{ amount: 5 }, { to: "me" }, { data: "0x12" }, { data: undefined }, { feeLimit: -1n }])(
    "refuses transactions that are none, and asks no node (%#)",
    (wrong) =>
      Effect.gen(function* () {
        const cannot = () => Effect.die(new Error("no node is to be asked"))
        const rpc = { getAccount: cannot, getChainParameters: cannot, triggerConstantContract: cannot }
        const transaction = { ...inTokens.transaction, ...wrong } as TronTransaction
        expect(
          yield* Effect.flip(simulate({ network: "tron-mainnet", rpc }, { ...inTokens, transaction }))
        ).toMatchObject({ _tag: "InvalidArgument", call: "simulate" })
      })
  )
})

describe("a simulation of TON", () => {
  const publicKey = nacl.sign.keyPair.fromSeed(Uint8Array.from(Buffer.from(key, "hex"))).publicKey
  const rawOf = (digit: string): string => `0:${digit.repeat(64)}`
  const friendly = (raw: string, bounceable = true): string => Address.parseRaw(raw).toString({ bounceable })
  const [to, ownTokens, theirTokens, master] = ["1", "2", "3", "4"].map(rawOf) as [
    string,
    string,
    string,
    string
  ]
  const asset = `tvm:-239/jetton:${friendly(master)}`

  interface Sent {
    readonly to: string
    readonly value: bigint
    readonly body?: Cell
  }

  /** A step of a trace as the API writes it. */
  const step = (account: string, received: object, sent: ReadonlyArray<Sent>, more: object = {}) => ({
    transaction: {
      account: { address: account, is_scam: false, is_wallet: false },
      success: true,
      aborted: false,
      total_fees: 1_000n,
      in_msg: received,
      out_msgs: sent.map((each) => message(account, each)),
      ...more
    }
  })
  const message = (from: string, { body, to: destination, value }: Sent) => ({
    msg_type: "int_msg",
    source: { address: from },
    destination: { address: destination },
    value,
    fwd_fee: 400n,
    raw_body: body?.toBoc().toString("hex")
  })

  const opened = (version: "v4" | "v5", changed: (trace: object, sent: Sent) => object) => {
    const { rpc, wallet } = makeWallet({ publicKey, version, seqno: 3 })
    const own = wallet.address.toRawString()
    const client: TonSimulationClient = {
      network: "ton-mainnet",
      rpc: {
        ...rpc,
        runGetMethod: ({ address, method }) => {
          expect([address, method]).toEqual([own, "get_public_key"])
          const stack = [["num", `0x${Buffer.from(publicKey).toString("hex")}`]] as const
          return Effect.succeed({ result: { exit_code: 0, stack } })
        },
        emulateMessageToTrace: ({ boc }, ignoresSignature) => {
          expect(ignoresSignature).toBe(true)
          const given = loadMessage(Cell.fromBase64(boc).beginParse())
          expect(String(given.info.dest)).toBe(String(wallet.address))
          const { isSigned, seqno, sends } = orderIn(given.body, version, publicKey)
          expect([isSigned, seqno, sends.length]).toEqual([false, 3, 1])
          const [send] = sends
          if (send === undefined) throw new Error("it sends nothing")
          const { dest, value } = internalOf(send.message)
          const sent = { to: dest.toRawString(), value: value.coins, body: send.message.body }
          const first = step(own, { msg_type: "ext_in_msg" }, [sent])
          return Effect.succeed(changed(first, sent))
        }
      }
    }
    const from = wallet.address.toString({ bounceable: false })
    const payment: Prepared<TonTransaction> = {
      network: "ton-mainnet",
      from,
      to: friendly(to, false),
      amount: 1_500_000_000n,
      fee: 5_000_000n,
      outgoing: [{ asset: "TON", amount: "1.505" }],
      warnings: [],
      transaction: { from, to: friendly(to, false), amount: 1_500_000_000n, bounce: false }
    }
    const token = friendly(master)
    const inTokens: Prepared<TonTransaction> = {
      ...payment,
      token,
      amount: 25n,
      outgoing: [
        { asset, token, amount: "2.5", units: 25n, decimals: 1 },
        { asset: "TON", amount: "0.105" }
      ],
      transaction: {
        ...payment.transaction,
        amount: 25n,
        bounce: true,
        token: { master: token, wallet: friendly(ownTokens), attached: 100_000_000n, forward: 1n }
      }
    }
    return { client, from, inTokens, own, payment }
  }

  const arriving = (trace: object, sent: Sent) => ({
    ...trace,
    children: [step(sent.to, message("", sent), [])]
  })

  it.effect.each(["v4", "v5"] as const)("of coins is what the trace of its message moves (%s)", (version) =>
    Effect.gen(function* () {
      const { client, from, payment } = opened(version, (trace, sent) => ({
        ...trace,
        children: [step(sent.to, { ...message(rawOf("9"), sent) }, [])]
      }))
      expect(shown(yield* simulate(client, payment))).toEqual({
        succeeds: true,
        changes: [
          [from, "TON", "-1.5"],
          [friendly(to, false), "TON", "1.5"]
        ],
        approvals: 0,
        warnings: []
      })
      // what the wallet's own step takes is the fee
      expect(
        shown(
          yield* simulate(client, {
            ...payment,
            fee: 1_399n,
            outgoing: [{ asset: "TON", amount: "1.500001399" }]
          })
        ).warnings
      ).toEqual(["The fee would be 0.0000014 TON, and the preview's highest fee is 0.000001399 TON."])
    })
  )

  const body = (operation: number, amount: bigint): Cell =>
    beginCell().storeUint(operation, 32).storeUint(0, 64).storeCoins(amount).storeAddress(null).endCell()

  /** The way of tokens: from the account's wallet of them to that of the receiver, who hears of it, and the rest of the coins. */
  const ofTokens =
    (own: () => string, arrived: bigint, more: object = {}) =>
    (trace: object, sent: Sent): object => {
      const way = { to: theirTokens, value: 90_000_000n, body: body(0x178d4519, 25n) }
      const heard = { to, value: 1n, body: body(0x7362d09c, arrived) }
      const rest = { to: own(), value: 60_000_000n }
      return {
        ...trace,
        children: [
          {
            ...step(sent.to, message(own(), sent), [way]),
            children: [
              {
                ...step(theirTokens, message(ownTokens, way), [heard, rest], more),
                children: [
                  step(to, message(theirTokens, heard), []),
                  step(own(), message(theirTokens, rest), [])
                ]
              }
            ]
          }
        ]
      }
    }

  it.effect(
    "of tokens is what their wallets send and what the receiver hears of, with the coins that come back",
    () =>
      Effect.gen(function* () {
        let own = ""
        const honest = opened(
          "v5",
          ofTokens(() => own, 25n)
        )
        own = honest.own
        const { changes, warnings } = yield* simulate(honest.client, honest.inTokens)
        const of = (address: string, what: string) =>
          changes.find((each) => each.address === address && each.asset === what)?.amount
        expect(of(honest.from, asset)).toBe("-2.5")
        expect(of(friendly(to, false), asset)).toBe("2.5")
        expect(of(honest.from, "TON")).toBe("-0.04")
        expect(warnings).toEqual([])
        const less = opened(
          "v5",
          ofTokens(() => own, 20n)
        )
        expect((yield* simulate(less.client, less.inTokens)).warnings).toEqual([
          `The receiver would get 2 ${asset}, and the preview pays 2.5.`
        ])
        // coins may come back, and tokens may not
        const outgoing = honest.inTokens.outgoing.map((each) =>
          each.token === undefined ? each : { ...each, units: 26n, amount: "2.6" }
        )
        expect((yield* simulate(honest.client, { ...honest.inTokens, outgoing })).warnings).toEqual([
          `2.5 ${asset} would leave the account, and the preview shows 2.6.`
        ])
        const failing = opened(
          "v5",
          ofTokens(() => own, 25n, { success: false, aborted: true })
        )
        expect(yield* simulate(failing.client, failing.inTokens)).toMatchObject({
          succeeds: false,
          reason: "the transfer of the tokens fails",
          changes: []
        })
      })
  )

  it.effect("names coins that come back, and says why the account's contract fails", () =>
    Effect.gen(function* () {
      const back = opened("v5", (trace, sent) => ({
        ...trace,
        children: [
          {
            ...step(sent.to, message(back.own, sent), [{ to: back.own, value: sent.value }]),
            children: [step(back.own, message(sent.to, { to: back.own, value: sent.value }), [])]
          }
        ]
      }))
      expect((yield* simulate(back.client, back.payment)).warnings).toEqual([
        "No TON would leave the account, and the preview shows some.",
        "The receiver would get 0 TON, and the preview pays 1.5."
      ])
      const poor = opened("v5", () => step(poor.own, { msg_type: "ext_in_msg" }, []))
      expect(yield* simulate(poor.client, poor.payment)).toMatchObject({
        succeeds: false,
        reason: expect.stringMatching(/sends nothing/)
      })
      const failing = opened("v5", (trace) => ({
        transaction: { ...Object(trace).transaction, success: false, aborted: true }
      }))
      expect(yield* simulate(failing.client, failing.payment)).toMatchObject({ succeeds: false })
    })
  )

  it.effect.each<(trace: { readonly transaction: object }, own: string) => object>([
    () => ({}),
    (trace) => ({ transaction: { ...trace.transaction, account: { address: rawOf("8") } } }),
    (trace) => ({ transaction: { ...trace.transaction, success: "yes" } }),
    (trace) => ({ transaction: { ...trace.transaction, total_fees: "much" } }),
    (trace) => ({ transaction: { ...trace.transaction, out_msgs: {} } }),
    (trace) => ({ ...trace, children: [null] }),
    (_, own) => step(own, { msg_type: "ext_in_msg" }, [{ to: rawOf("8"), value: 1_500_000_000n }]),
    (_, own) => step(own, { msg_type: "ext_in_msg" }, [{ to, value: 1n }]),
    (_, own) =>
      step(own, { msg_type: "ext_in_msg" }, [
        { to, value: 1_500_000_000n },
        { to: rawOf("8"), value: 1n }
      ])
  ])("takes no trace in another form, or of another message (%#)", (said) =>
    Effect.gen(function* () {
      const lying = opened("v5", (trace) => said(trace as never, lying.own))
      expect(yield* Effect.flip(simulate(lying.client, lying.payment))).toMatchObject({
        _tag: "NodeError",
        kind: "malformed"
      })
    })
  )

  it.effect(
    "says so of an account that is not there yet, of nodes without an emulator, and of what is none of TON",
    () =>
      Effect.gen(function* () {
        const { client, payment } = opened("v5", arriving)
        const { rpc } = makeWallet({ publicKey })
        const away = { ...client, rpc: { ...client.rpc, getAddressInformation: rpc.getAddressInformation } }
        expect(yield* Effect.flip(simulate(away, payment))).toMatchObject({
          _tag: "InvalidArgument",
          reason: expect.stringMatching(/is not there yet/)
        })
        const lacking = {
          ...client,
          rpc: { ...client.rpc, emulateMessageToTrace: () => Effect.fail(rejected(404, "Not Found")) }
        }
        expect(yield* Effect.flip(simulate(lacking, payment))).toMatchObject({
          _tag: "InvalidArgument",
          reason: expect.stringContaining("/v2/traces/emulate")
        })
        for (const wrong of [{ amount: "5" }, { amount: -1n }]) {
          const transaction = { ...payment.transaction, ...wrong } as TonTransaction
          expect(yield* Effect.flip(simulate(client, { ...payment, transaction }))).toMatchObject({
            _tag: "InvalidArgument"
          })
        }
      })
  )
})

describe("a simulation of Stellar", () => {
  const seed = "SCPZ7H47T6PZ7H47T6PZ7H47T6PZ7H47T6PZ7H47T6PZ7H47T6PZ6XXG"
  const to = "GBRPYHIL2CI3FNQ4BXLFMNDLFJUNPU2HY3ZMFSHONUCEOASW7QC7OX2H"
  const issuer = "GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN"
  const code = "USDC"

  /** What is prepared on a ledger with room for everything, and simulated on another one, which then gets it. */
  const compared = async (
    state: Parameters<typeof makeLedger>[0],
    transaction: Omit<StellarTransaction, "from" | "fee">
  ) => {
    const ledger = makeLedger(state)
    const client = { network: "stellar-mainnet", rpc: ledger.rpc }
    const account = await Effect.runPromise(Effect.orDie(Stellar.make(client, { privateKey: seed })))
    const { token } = transaction
    const prepared: Prepared<StellarTransaction> = {
      network: client.network,
      from: account.address,
      to,
      ...(token === undefined ? {} : { token }),
      amount: transaction.amount,
      fee: 100n,
      outgoing:
        token === undefined
          ? [{ asset: "XLM", amount: String(Number(transaction.amount + 100n) / 1e7) }]
          : [
              { asset: "T", token, amount: "", units: transaction.amount, decimals: 7 },
              { asset: "XLM", amount: "0.00001" }
            ],
      warnings: [],
      transaction: { ...transaction, from: account.address, fee: 100n }
    }
    const simulated = await Effect.runPromise(simulate(client, prepared))
    const held = (who: string): bigint => {
      const found = ledger.accounts.get(who)
      return token === undefined
        ? (found?.balance ?? 0n)
        : (found?.trust.find((line) => line.code === code)?.balance ?? 0n)
    }
    const before = [held(account.address), held(to)]
    const outcome = await Effect.runPromise(Effect.either(account.submit(prepared)))
    const after = [held(account.address), held(to)]
    return {
      simulated,
      isDone: outcome._tag === "Right",
      before,
      after,
      fee: token === undefined ? 100n : 0n
    }
  }

  it("succeeds just where the ledger takes it, with the same amounts", async () => {
    const amount = fc.bigInt({ min: 1n, max: 40_000_000n })
    const line = fc.option(fc.record({ balance: fc.bigInt({ min: 0n, max: 40_000_000n }) }), {
      nil: undefined
    })
    const terms = fc.record({
      amount,
      creates: fc.boolean(),
      isThere: fc.boolean(),
      balance: fc.bigInt({ min: 0n, max: 60_000_000n }),
      bound: fc.constantFrom(0n, 5_000_000n),
      entries: fc.nat(3),
      own: line,
      theirs: line,
      isToken: fc.boolean()
    })
    const { address } = await Effect.runPromise(
      Effect.orDie(
        Stellar.make({ network: "stellar-mainnet", rpc: makeLedger({}).rpc }, { privateKey: seed })
      )
    )
    let [taken, refused] = [0, 0]
    await fc.assert(
      fc.asyncProperty(terms, async (given) => {
        const { balance, bound, creates, entries, isThere, isToken, own, theirs } = given
        const trust = (of: typeof own) => (of === undefined ? [] : [{ code, issuer, ...of }])
        const { after, before, fee, isDone, simulated } = await compared(
          {
            [address]: { balance, bound, entries, trust: trust(own) },
            ...(isThere ? { [to]: { balance: 50_000_000n, trust: trust(theirs) } } : {})
          },
          {
            to,
            amount: given.amount,
            ...(isToken ? { token: `${code}:${issuer}` } : creates ? { creates } : {})
          }
        )
        // the ledger of the tests knows no fee that is not there, and no tokens that are not
        const hasFee = balance >= bound + 5_000_000n * BigInt(2 + entries) + 100n
        const hasTokens = !isToken || (own?.balance ?? -1n) >= given.amount
        if (hasFee && hasTokens) expect(simulated.succeeds, simulated.reason).toBe(isDone)
        else expect(simulated.succeeds).toBe(false)
        if (simulated.succeeds) taken++
        else refused++
        if (!simulated.succeeds) {
          expect(simulated.changes).toEqual([])
          return
        }
        const changeOf = (who: string) => simulated.changes.find((each) => each.address === who)?.units
        expect(changeOf(address)).toBe((after[0] ?? 0n) - (before[0] ?? 0n) + fee)
        expect(changeOf(to)).toBe((after[1] ?? 0n) - (before[1] ?? 0n))
        expect(simulated.warnings).toEqual([])
      }),
      { numRuns: runs(400) }
    )
    expect(taken * refused).toBeGreaterThan(0)
  })

  it("says of a trust line why nothing of it can be paid", async () => {
    const { address } = await Effect.runPromise(
      Effect.orDie(
        Stellar.make({ network: "stellar-mainnet", rpc: makeLedger({}).rpc }, { privateKey: seed })
      )
    )
    const line = { code, issuer, balance: 100n }
    for (const [own, theirs, reason] of [
      [{ bound: 51n }, {}, /can spend less USDC/],
      [{ isAuthorized: false }, {}, /has not authorized the account to pay/],
      [{}, { isAuthorized: false }, /has not authorized the receiver/],
      [{}, { limit: 149n }, /takes at most/],
      [{ bound: 50n }, { limit: 150n }, undefined]
    ] as const) {
      const { simulated } = await compared(
        {
          [address]: { balance: 10n ** 9n, trust: [{ ...line, ...own }] },
          [to]: { balance: 10n ** 9n, trust: [{ ...line, ...theirs }] }
        },
        { to, amount: 50n, token: `${code}:${issuer}` }
      )
      if (reason === undefined) expect(simulated.succeeds).toBe(true)
      else expect(simulated.reason).toMatch(reason)
    }
  })

  it.effect.each([{ amount: 5 }, { to: "me" }, { token: "USD" }, { fee: -1n }])(
    "refuses transactions that are none, and asks no node (%#)",
    (wrong) =>
      Effect.gen(function* () {
        const cannot = () => Effect.die(new Error("no node is to be asked"))
        const prepared: Prepared<StellarTransaction> = {
          network: "stellar-mainnet",
          from: issuer,
          to,
          amount: 5n,
          fee: 100n,
          outgoing: [],
          warnings: [],
          transaction: { from: issuer, to, amount: 5n, fee: 100n, ...wrong } as StellarTransaction
        }
        const rpc = { getAccount: cannot, getLedgers: cannot }
        expect(yield* Effect.flip(simulate({ network: "stellar-mainnet", rpc }, prepared))).toMatchObject({
          _tag: "InvalidArgument",
          call: "simulate"
        })
      })
  )
})

describe("a simulation of a family", () => {
  it.effect.each([
    ["tron-mainnet", "staking"],
    ["tron-mainnet", "shared"],
    ["algorand-mainnet-algod", "staking"],
    ["cosmos-mainnet", "grant"],
    ["cosmos-mainnet", "feeGranter"],
    ["cosmos-mainnet", "onBehalfOf"],
    ["stellar-mainnet", "bump"],
    ["stellar-mainnet", "sponsors"],
    ["ton-mainnet", "relay"]
  ] as const)("of %s does not try a transaction with %s as if it had none", ([network, field]) =>
    Effect.gen(function* () {
      const rpc = new Proxy({}, { get: () => () => Effect.die(new Error("no node is to be asked")) })
      const reasonWith = (value: unknown) => {
        const prepared = {
          network,
          ...{ from: "a", to: "b", amount: 1n, fee: 1n, outgoing: [], warnings: [] },
          transaction: { from: "a", to: "b", amount: 1n, [field]: value }
        }
        return Effect.flip(
          simulate({ network, rpc } as never, prepared as never) as Effect.Effect<never, unknown>
        )
      }
      const reason = `its transaction has ${field}, which simulations of this network do not try`
      expect(yield* reasonWith({})).toMatchObject({ _tag: "InvalidArgument", reason })
      // a field without a value is none; the addresses are no addresses
      expect(yield* reasonWith(undefined)).not.toMatchObject({ reason })
    })
  )
})
