/** The bytes of these payments are run by TON's emulator in `test/nodes/tonSigner.test.ts`. */
import { createHash } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import {
  Address,
  beginCell,
  Cell,
  comment,
  Dictionary,
  loadMessage,
  loadMessageRelaxed,
  toNano
} from "@ton/core"
import * as Effect from "effect/Effect"
import nacl from "tweetnacl"
import { RequestRejected } from "../../src/data/SdkError.js"
import { make, type TonCalls, type TonTransaction } from "../../src/signers/Ton.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/ton/cells.js"
import "../../src/signers/ton/gasless.js"
import { runWithTime } from "./runWithTime.js"
import { internalOf, jettonCalls, makeWallet, orderIn, walletOf } from "./wallets.js"

const seed = new Uint8Array(32).fill(3)
const privateKey = "03".repeat(32)
const { publicKey } = nacl.sign.keyPair.fromSeed(seed)
const owner = walletOf(publicKey, "v5").address
const master = new Address(0, Buffer.alloc(32, 1))
const holder = new Address(0, Buffer.alloc(32, 2))
const relay = new Address(0, Buffer.alloc(32, 9))
const stranger = new Address(0, Buffer.alloc(32, 7))

const described = (entries: Readonly<Record<string, string>>): Cell => {
  const dict = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  for (const [name, value] of Object.entries(entries))
    dict.set(
      createHash("sha256").update(name).digest(),
      beginCell().storeUint(0, 8).storeStringTail(value).endCell()
    )
  return beginCell().storeUint(0, 8).storeDict(dict).endCell()
}
const content = described({ decimals: "6", symbol: "USD₮" })

const hex = (cell: Cell): string => cell.toBoc().toString("hex")

/** A transfer of tokens, to TEP-74. */
const transfer = (amount: bigint, to: Address, { rest = relay, hasPayload = false, op = 0x0f8a7ea5 } = {}) =>
  beginCell()
    .storeUint(op, 32)
    .storeUint(0, 64)
    .storeCoins(amount)
    .storeAddress(to)
    .storeAddress(rest)
    .storeMaybeRef(hasPayload ? comment("x") : null)
    .storeCoins(0)
    .storeBit(0)
    .endCell()

type Estimate = Effect.Effect.Success<ReturnType<TonCalls["gaslessEstimate"]>>

/** A node whose relay takes 0.03 of the token, and asks for that beside the payment. */
const makeWorld = (
  change: (estimate: Estimate) => Partial<Estimate> = () => ({}),
  { balance = 10_000_000n, coins = 0n, version = "v5" as "v4" | "v5", given = {} as Partial<TonCalls> } = {}
) =>
  Effect.gen(function* () {
    const asked: Array<unknown> = []
    const own = walletOf(publicKey, version).address
    const node = makeWallet(
      { publicKey, seqno: 3, balance: coins, version },
      {
        runGetMethod: jettonCalls(master, { content, holder, owner: own, balance }),
        gaslessConfig: () =>
          Effect.succeed({
            relay_address: relay.toRawString(),
            gas_jettons: [{ master_id: master.toRawString() }]
          }),
        gaslessEstimate: (masterId, body) =>
          Effect.sync(() => {
            asked.push(masterId, body)
            const message = loadMessageRelaxed(
              Cell.fromBoc(Buffer.from(body.messages[0]?.boc ?? "", "hex"))[0]?.beginParse() ??
                new Cell().beginParse()
            )
            const { dest, value } = internalOf(message)
            const estimate: Estimate = {
              relay_address: relay.toRawString(),
              commission: "30000",
              from: body.wallet_address,
              valid_until: 300,
              messages: [
                {
                  address: dest.toRawString(),
                  amount: String(value.coins),
                  payload: hex(message.body)
                },
                {
                  address: holder.toRawString(),
                  amount: String(toNano("0.04")),
                  payload: hex(transfer(30_000n, relay))
                }
              ]
            }
            return { ...estimate, ...change(estimate) }
          }),
        ...given
      }
    )
    const ton = yield* make({ network: "ton-mainnet", rpc: node.rpc }, { privateKey, wallet: version })
    return { asked, node, ton }
  })

const request = { token: master.toString(), to: stranger.toString(), amount: "2.5", maxCommission: "0.05" }

describe("payments of TON that a relay hands to the chain", () => {
  it.effect("pay in tokens, with a commission in them and without coins", () =>
    Effect.gen(function* () {
      const { asked, node, ton } = yield* makeWorld()
      const prepared = yield* ton.prepareGasless({ ...request, memo: "order 7" })
      expect(prepared).toMatchObject({
        from: ton.address,
        to: stranger.toString(),
        token: master.toString(),
        amount: 2_500_000n,
        fee: 0n,
        outgoing: [
          { token: master.toString(), amount: "2.53", units: 2_530_000n, decimals: 6 },
          { asset: "TON", amount: "0.09" }
        ],
        warnings: [
          `The relay ${relay.toString()} hands it to the chain, and takes 30000 of the smallest unit of the token for it. It sends up to 0.09 TON along, of which it gets back what is left.`
        ],
        transaction: { relay: { commission: 30_000n, validUntil: 300 } }
      })
      expect(asked).toEqual([
        master.toRawString(),
        {
          wallet_address: owner.toRawString(),
          wallet_public_key: Buffer.from(publicKey).toString("hex"),
          messages: [{ boc: expect.any(String) }]
        }
      ])
      const { hash } = yield* ton.submit(prepared, { confirmations: 1 })
      expect(hash).toMatch(/^[0-9a-f]{64}$/)
      const message = loadMessage(Cell.fromBase64(node.sent[0] ?? "").beginParse())
      // a signature that nobody can use without the relay
      const order = orderIn(message.body, "v5", publicKey)
      expect(order).toMatchObject({ opcode: 0x73696e74, isSigned: true, seqno: 3, isWhole: true })
      expect(order.sends.map((send) => send && internalOf(send.message).dest.equals(holder))).toEqual([
        true,
        true
      ])
      expect(order.sends.map((send) => send && internalOf(send.message).value.coins)).toEqual([
        toNano("0.05"),
        toNano("0.04")
      ])
      const body = order.sends[0]?.message.body.beginParse()
      body?.skip(32 + 64)
      expect(body?.loadCoins()).toBe(2_500_000n)
      expect(body?.loadAddress().equals(stranger)).toBe(true)
      // what is left of its coins is the relay's
      expect(body?.loadAddress().equals(relay)).toBe(true)
      expect(body?.loadMaybeRef()).toBeNull()
      expect(body?.loadCoins()).toBe(1n)
      expect(body?.loadMaybeRef()?.equals(comment("order 7"))).toBe(true)
      expect(order.sends[1]?.message.body.equals(transfer(30_000n, relay))).toBe(true)
    })
  )

  it.effect("are found where the relay's answer was lost, and are not paid twice", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* makeWorld()
      const prepared = yield* ton.prepareGasless(request)
      node.meet("arrives")
      expect((yield* runWithTime(ton.submit(prepared), 1_500))._tag).toBe("Right")
      expect(node.chain.seqno).toBe(4)
      node.meet("lost")
      const other = yield* ton.prepareGasless(request)
      node.insist("lost")
      const ended = yield* runWithTime(ton.submit(other), 1_500)
      expect(ended).toMatchObject({ left: { _tag: "BroadcastUnclear" } })
      node.insist(undefined)
      expect((yield* runWithTime(ton.submit(other), 1_500))._tag).toBe("Right")
      expect(node.chain.seqno).toBe(5)
      expect(new Set(node.sent).size).toBe(2)
    })
  )

  const lies: ReadonlyArray<readonly [string, (estimate: Estimate) => Partial<Estimate>, object]> = [
    ["a higher commission", () => ({ commission: "50001" }), { reason: expect.stringContaining("names") }],
    [
      "a commission above the cap",
      ({ messages: [first] }) => ({
        commission: "50001",
        messages: [
          ...(first === undefined ? [] : [first]),
          { address: holder.toRawString(), amount: "1", payload: hex(transfer(50_001n, relay)) }
        ]
      }),
      { _tag: "FeeOverCap", fee: "0.050001", cap: "0.05" }
    ],
    [
      "more than the commission that it names",
      ({ messages: [first] }) => ({
        messages: [
          ...(first === undefined ? [] : [first]),
          { address: holder.toRawString(), amount: "1", payload: hex(transfer(9_000_000n, relay)) }
        ]
      }),
      { reason: "the relay names a commission of 30000, and asks for 9000000" }
    ],
    [
      "the payment twice",
      ({ messages }) => ({ messages: [...messages, ...messages.slice(0, 1)] }),
      { reason: expect.stringContaining("another payment") }
    ],
    [
      "no payment",
      ({ messages }) => ({ messages: messages.slice(1) }),
      { reason: expect.stringContaining("another payment") }
    ],
    [
      "a payment to itself",
      ({ messages }) => ({
        messages: [
          { address: holder.toRawString(), amount: "1", payload: hex(transfer(2_500_000n, relay)) },
          ...messages.slice(1)
        ]
      }),
      { reason: expect.stringContaining("another payment") }
    ],
    [
      "a message to somebody else",
      ({ messages }) => ({
        messages: messages.map((each, i) => (i === 1 ? { ...each, address: stranger.toRawString() } : each))
      }),
      { reason: expect.stringContaining("is not for the account's contract of the token") }
    ],
    [
      "more coins for the payment",
      ({ messages }) => ({
        messages: messages.map((each, i) => (i === 0 ? { ...each, amount: "50000001" } : each))
      }),
      { reason: expect.stringContaining("more coins") }
    ],
    [
      "more coins for its commission",
      ({ messages }) => ({
        messages: messages.map((each, i) => (i === 1 ? { ...each, amount: "100000001" } : each))
      }),
      { reason: expect.stringContaining("more coins") }
    ],
    [
      "a payload for the contract of tokens",
      ({ messages: [first] }) => ({
        messages: [
          ...(first === undefined ? [] : [first]),
          {
            address: holder.toRawString(),
            amount: "1",
            payload: hex(transfer(30_000n, relay, { hasPayload: true }))
          }
        ]
      }),
      { reason: expect.stringContaining("a payload") }
    ],
    [
      "another call of the contract of tokens",
      ({ messages: [first] }) => ({
        messages: [
          ...(first === undefined ? [] : [first]),
          {
            address: holder.toRawString(),
            amount: "1",
            payload: hex(transfer(30_000n, relay, { op: 0x595f07bc }))
          }
        ]
      }),
      { reason: expect.stringContaining("no transfer of tokens") }
    ],
    [
      "five messages",
      ({ messages: [first, second] }) => ({
        messages: [first, second, second, second, second].flatMap((each) => each ?? [])
      }),
      { reason: expect.stringContaining("too many messages") }
    ],
    [
      "a message without a payload",
      ({ messages }) => ({ messages: [...messages, { address: holder.toRawString(), amount: "1" }] }),
      { _tag: "NodeError" }
    ],
    [
      "a contract to make",
      ({ messages }) => ({ messages: messages.map((each) => ({ ...each, stateInit: "b5" })) }),
      { _tag: "NodeError" }
    ],
    ["a commission that is none", () => ({ commission: "-1" }), { _tag: "NodeError" }],
    ["an offer that is over", () => ({ valid_until: 0 }), { _tag: "NodeError" }]
  ]
  it.effect.each(lies)("are not prepared where a relay asks for %s", ([, change, error]) =>
    Effect.gen(function* () {
      const { node, ton } = yield* makeWorld(change)
      expect(yield* Effect.flip(ton.prepareGasless(request))).toMatchObject({
        _tag: "InvalidArgument",
        ...error
      })
      expect(node.sent).toEqual([])
    })
  )

  it.effect("are signed for nothing but what their preview shows", () =>
    Effect.gen(function* () {
      const { node, ton } = yield* makeWorld()
      const prepared = yield* ton.prepareGasless(request)
      const { transaction } = prepared
      const { relay: offer } = transaction
      if (offer === undefined) throw new Error("no relay")
      const plain = yield* (yield* makeWorld(undefined, { coins: toNano(5) })).ton.prepare({
        ...{ to: stranger.toString(), token: master.toString(), amount: "2.5" }
      })
      const changes: ReadonlyArray<readonly [typeof prepared, Partial<TonTransaction>, string]> = [
        [prepared, { relay: { ...offer, commission: 40_000n } }, "InvalidArgument"],
        [prepared, { relay: { ...offer, address: stranger.toString() } }, "InvalidArgument"],
        [prepared, { relay: { ...offer, messages: offer.messages.slice(0, 1) } }, "InvalidArgument"],
        [plain, { relay: offer }, "InvalidArgument"],
        [
          prepared,
          {
            relay: {
              ...offer,
              messages: offer.messages.map((each) => ({
                ...each,
                payload: transfer(30_000n, stranger).toBoc().toString("base64")
              }))
            }
          },
          "SigningFailed"
        ],
        [prepared, { to: owner.toString() }, "InvalidArgument"]
      ]
      for (const [preview, change, tag] of changes)
        expect(
          yield* Effect.flip(ton.submit({ ...preview, transaction: { ...preview.transaction, ...change } }))
        ).toMatchObject({ _tag: tag })
      const [tokens, ...coins] = prepared.outgoing
      const less = {
        ...prepared,
        outgoing: [{ ...tokens, asset: "x", amount: "2.5", units: 2_500_000n }, ...coins]
      }
      expect(yield* Effect.flip(ton.submit(less))).toMatchObject({ _tag: "InvalidArgument" })
      const { relay: _, ...own } = transaction
      expect(yield* Effect.flip(ton.submit({ ...prepared, transaction: own }))).toMatchObject({
        _tag: "InvalidArgument"
      })
      // in a time that the relay has not offered
      const late = { ...transaction, relay: { ...offer, validUntil: 0 } }
      expect(yield* Effect.flip(ton.submit({ ...prepared, transaction: late }))).toMatchObject({
        _tag: "InvalidArgument",
        reason: "the relay's offer is over: prepare it again"
      })
      expect(node.sent).toEqual([])
    })
  )

  it.effect("are not prepared without what they need", () =>
    Effect.gen(function* () {
      const reasonFor = (
        given: object | undefined,
        options: Parameters<typeof makeWorld>[1] = {}
      ): ReturnType<typeof flipped> => flipped(given, options)
      const flipped = (given: object | undefined, options: Parameters<typeof makeWorld>[1]) =>
        Effect.flatMap(makeWorld(undefined, options), ({ ton }) =>
          Effect.flip(ton.prepareGasless((given && { ...request, ...given }) as typeof request))
        )
      for (const [given, options, error] of [
        [undefined, {}, { _tag: "InvalidArgument", call: "prepareGasless" }],
        [{ maxCommission: undefined }, {}, { reason: expect.stringContaining("maxCommission") }],
        [{ token: undefined }, {}, { reason: expect.stringContaining("token") }],
        [{ amount: "all" }, {}, { reason: expect.stringContaining("on top") }],
        [{ maxCommission: "0.029999" }, {}, { _tag: "FeeOverCap" }],
        [{ maxCommission: "-1" }, {}, { _tag: "InvalidAmount" }],
        [{}, { version: "v4" }, { reason: expect.stringContaining("version 5") }],
        [{}, { balance: 2_529_999n }, { _tag: "InsufficientFunds", needed: "2.53", available: "2.529999" }],
        [
          {},
          { given: { getAccount: () => Effect.succeed({ memo_required: true }) } },
          { reason: expect.stringContaining("memo") }
        ],
        [
          {},
          {
            given: {
              gaslessConfig: () => Effect.succeed({ relay_address: relay.toRawString(), gas_jettons: [] })
            }
          },
          { reason: expect.stringContaining("takes no commission in") }
        ],
        [
          {},
          {
            given: {
              gaslessConfig: () =>
                Effect.fail(
                  new RequestRejected({
                    ...{ call: "GET /v2/gasless/config", status: 404, messages: [] },
                    ...{ body: "", url: "http://node.example" }
                  })
                )
            }
          },
          { reason: "no node of the client has a relay: it takes one with TonAPI (/v2)" }
        ]
      ] as const)
        expect(yield* reasonFor(given, options)).toMatchObject(error)
      const just = yield* makeWorld(undefined, { balance: 2_530_000n })
      expect(yield* just.ton.prepareGasless(request)).toMatchObject({ amount: 2_500_000n })
    })
  )
})
