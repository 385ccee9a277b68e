import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import type { Hex } from "../../src/chains/evm/Types.js"
import { bytesToHex } from "../../src/data/hex.js"
import { keccak256 } from "../../src/data/keccak.js"
import { isSdkError, RpcError } from "../../src/data/SdkError.js"
import { isRecord } from "../../src/data/untrusted.js"
import { eventReaders } from "../../src/signers/evm/simulation.js"
import type { EvmTransaction } from "../../src/signers/evm/Types.js"
import type { Prepared } from "../../src/signers/Signer.js"
import { type EvmSimulationCalls, simulate } from "../../src/signers/simulate.js"
import * as promised from "../../src/simulate.js"
import { runs } from "../properties.js"

const account = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"
const shop = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3"

const payment: Prepared<EvmTransaction> = {
  network: "ethereum-mainnet",
  from: account,
  to: shop,
  amount: 1_500_000_000_000_000_000n,
  fee: 21_000n,
  outgoing: [{ asset: "ETH", amount: "1.500000000000021" }],
  warnings: [],
  transaction: { chainId: 1, to: shop, value: 1_500_000_000_000_000_000n, gas: 21_000n, maxFeePerGas: 1n }
}

/** Calls of which a test gives those that it expects. */
const client = (rpc: Partial<EvmSimulationCalls> = {}, network = "ethereum-mainnet") => ({
  network,
  rpc: new Proxy(rpc, {
    get: (given, name) =>
      Reflect.get(given, name) ??
      (() => {
        throw new Error(`${String(name)} is called, and the test gives no such call`)
      })
    // what is missing dies by its name
  }) as EvmSimulationCalls
})

const refusedWith = (code: number, rpcMessage: string) =>
  Effect.fail(new RpcError({ method: "eth_simulateV1", url: "", code, rpcMessage }))

const word = (value: string | bigint): string =>
  (typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, "0")

const topicOf = (signature: string): string =>
  Object.entries(eventReaders).find(([, reader]) => reader.signature === signature)?.[0] ?? ""

/** An event of a contract, by its signature. */
const event = (address: string, signature: string, topics: ReadonlyArray<string>, data: bigint) => ({
  address,
  topics: [topicOf(signature), ...topics.map((topic) => `0x${word(topic)}`)],
  data: `0x${word(data)}`
})

const TRANSFER = "Transfer(address,address,uint256)"
const COINS = `0x${"e".repeat(40)}`

const answer = (logs: ReadonlyArray<unknown>): unknown => [
  { calls: [{ status: "0x1", returnData: "0x", gasUsed: "0x5208", logs }] }
]

const paid = answer([event(COINS, TRANSFER, [account, shop], payment.amount)])

describe("a simulation", () => {
  it("knows events by the hashes of their signatures", () => {
    for (const [topic, { signature }] of Object.entries(eventReaders))
      expect(topic).toBe(`0x${bytesToHex(keccak256(new TextEncoder().encode(signature)))}`)
  })

  it.effect("asks for the transaction as it would be sent, without its nonce", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const rpc = {
        simulate: (...args: ReadonlyArray<unknown>) => {
          asked.push(args)
          return Effect.succeed(paid)
        }
      }
      const transaction = { ...payment.transaction, nonce: 7, maxPriorityFeePerGas: 1n }
      const { changes, warnings } = yield* simulate(client(rpc), { ...payment, transaction })
      const request = {
        from: account,
        to: shop,
        value: "0x14d1120d7b160000",
        gas: "0x5208",
        maxFeePerGas: "0x1",
        maxPriorityFeePerGas: "0x1",
        chainId: "0x1"
      }
      expect(asked).toEqual([[{ blockStateCalls: [{ calls: [request] }], traceTransfers: true }, "latest"]])
      expect(changes.map(({ amount }) => amount)).toEqual(["-1.5", "1.5"])
      expect(warnings).toEqual([])
    })
  )

  it.effect("warns of more coins than the preview shows, and of tokens that it does not", () =>
    Effect.gen(function* () {
      const logs = [
        event(COINS, TRANSFER, [account, shop], payment.amount),
        event(COINS, TRANSFER, [account, token], 1n),
        event(token, TRANSFER, [account, token], 5_000_000n)
      ]
      const rpc: Partial<EvmSimulationCalls> = {
        // the reads around it are cut off: the amounts of the events count then
        simulate: ({ blockStateCalls: [block] }) =>
          block?.calls?.length === 1
            ? Effect.succeed(answer(logs))
            : refusedWith(-32_000, "too many calls in the block"),
        call: () => Effect.succeed<Hex>(`0x${word(6n)}`)
      }
      const { changes, warnings } = yield* simulate(client(rpc), payment)
      const asset = `eip155:1/erc20:${token}`
      expect(changes[0]).toMatchObject({ address: account, asset: "ETH", units: -payment.amount - 1n })
      expect(changes[1]).toMatchObject({ address: account, asset, amount: "-5", decimals: 6 })
      expect(warnings).toEqual([
        "1.500000000000000001 ETH would leave the account, and the preview shows 1.5.",
        `5 ${asset} would leave the account, which the preview does not show.`
      ])
    })
  )

  it.effect("warns if the receiver gets nothing", () =>
    Effect.gen(function* () {
      const { warnings } = yield* simulate(client({ simulate: () => Effect.succeed(answer([])) }), payment)
      expect(warnings).toEqual([
        "No ETH would leave the account, and the preview shows some.",
        "The receiver would get 0 ETH, and the preview pays 1.5."
      ])
    })
  )

  const refusals: ReadonlyArray<readonly [string, unknown, { readonly reason: RegExp }]> = [
    [
      "another network",
      { ...payment, network: "polygon-mainnet" },
      { reason: /^it was prepared for polygon/ }
    ],
    [
      "another chain",
      { ...payment, transaction: { ...payment.transaction, chainId: 5 } },
      { reason: /chain 5/ }
    ],
    [
      "data that is none",
      { ...payment, transaction: { ...payment.transaction, data: "0x1" } },
      { reason: /^data/ }
    ],
    [
      "a value of text",
      { ...payment, transaction: { ...payment.transaction, value: "1" } },
      { reason: /bigint/ }
    ],
    ["an account that is none", { ...payment, from: "me" }, { reason: /^from/ }],
    ["a payment that is not prepared", { to: shop, amount: "1" }, { reason: /what prepare has made/ }],
    ["nothing", undefined, { reason: /what prepare has made/ }]
  ]
  it.effect.each(refusals)("refuses %s, and asks no node", ([, prepared, { reason }]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(simulate(client(), prepared as never))
      expect(error).toMatchObject({ _tag: "InvalidArgument", call: "simulate" })
      expect(error).toMatchObject({ reason: expect.stringMatching(reason) })
    })
  )

  it.effect("says of networks whose family has none that it has none", () =>
    Effect.gen(function* () {
      const network = "cardano-mainnet"
      expect(yield* Effect.flip(simulate(client({}, network), { ...payment, network }))).toMatchObject({
        _tag: "NotSupportedForNetwork",
        network,
        feature: "simulation"
      })
    })
  )

  it.effect("keeps other errors of nodes as they are", () =>
    Effect.gen(function* () {
      const limited = () => refusedWith(-32_005, "rate limit")
      expect(yield* Effect.flip(simulate(client({ simulate: limited }), payment))).toMatchObject({
        _tag: "RpcError",
        code: -32_005
      })
    })
  )

  it.effect("says what a contract says, without characters that a terminal obeys", () =>
    Effect.gen(function* () {
      const text = Buffer.from("no\u001b[2J").toString("hex")
      const data = `0x08c379a0${word(32n)}${word(BigInt(text.length / 2))}${text.padEnd(64, "0")}`
      const failed = [
        { calls: [{ status: "0x0", returnData: data, error: { code: 3, message: "execution reverted" } }] }
      ]
      const { reason, succeeds } = yield* simulate(
        client({ simulate: () => Effect.succeed(failed) }),
        payment
      )
      expect({ reason, succeeds }).toEqual({ succeeds: false, reason: "no\\u001b[2J" })
    })
  )

  it.effect.each([
    undefined,
    null,
    "0x",
    [],
    [{}],
    [{ calls: {} }],
    [{ calls: [] }],
    [{ calls: [{ status: "0x2" }] }],
    answer([null]),
    answer([{ address: "0x1", topics: [], data: "0x" }]),
    answer([{ address: token, topics: ["0x1"], data: "0x" }]),
    answer([{ address: token, topics: [], data: "0x1" }]),
    answer([{ address: token, topics: {}, data: "0x" }])
  ])("takes no answer in another form (%#)", (said) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(simulate(client({ simulate: () => Effect.succeed(said) }), payment))
      expect(error).toMatchObject({ _tag: "NodeError", kind: "malformed" })
    })
  )

  it.effect("yields a typed error or a result, whatever a node says in whatever field", () => {
    const leaf = fc.oneof(
      fc.constantFrom(undefined, null, "", "0x", "0x0", "0x1", -1, 1.5, [], {}),
      fc.string(),
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => `0x${word(value)}`)
    )
    const batch = {
      address: token,
      topics: [
        topicOf("TransferBatch(address,address,address,uint256[],uint256[])"),
        ...[account, account, shop].map((each) => `0x${word(each)}`)
      ],
      data: `0x${[64n, 128n, 1n, 7n, 1n, 9n].map(word).join("")}`
    }
    const honest = answer([
      event(COINS, TRANSFER, [account, shop], payment.amount),
      event(token, TRANSFER, [account, shop], 5n),
      event(token, "Approval(address,address,uint256)", [account, shop], 5n),
      batch
    ])
    const lie = (value: unknown, path: ReadonlyArray<number>, said: unknown): unknown => {
      const [at, ...rest] = path
      if (Array.isArray(value) && at !== undefined && value.length > 0)
        return value.map((each, i) => (i === at % value.length ? lie(each, rest, said) : each))
      if (isRecord(value) && at !== undefined) {
        const name = Object.keys(value)[at % Object.keys(value).length] ?? ""
        return { ...value, [name]: lie(value[name], rest, said) }
      }
      return said
    }
    return Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.nat(9), { minLength: 1, maxLength: 8 }), leaf, async (path, said) => {
          const rpc: Partial<EvmSimulationCalls> = {
            simulate: ({ blockStateCalls: [block] }) =>
              block?.calls?.length === 1
                ? Effect.succeed(lie(honest, path, said))
                : refusedWith(-32_000, "too many calls in the block"),
            call: () => Effect.succeed<Hex>(`0x${word(6n)}`)
          }
          const exit = await Effect.runPromiseExit(simulate(client(rpc), payment))
          if (Exit.isSuccess(exit)) {
            for (const { amount, units } of exit.value.changes) {
              expect(units).not.toBe(0n)
              expect(amount).toMatch(/^-?\d+(\.\d+)?$/)
            }
          } else expect(isSdkError(Cause.squash(exit.cause))).toBe(true)
        }),
        { numRuns: runs(400) }
      )
    )
  })

  it("is the same for clients of promises", async () => {
    const rpc = { simulate: async () => ({ status: "SUCCESS", data: paid }) }
    const { data, status } = await promised.simulate({ network: "ethereum-mainnet", rpc } as never, payment)
    expect(status).toBe("SUCCESS")
    expect(data?.changes.map(({ units }) => units)).toEqual([-payment.amount, payment.amount])
    const refused = await promised.simulate({ network: "ethereum-mainnet", rpc: {} } as never, {} as never)
    expect(refused.error?.cause).toMatchObject({ _tag: "InvalidArgument" })
  })
})
