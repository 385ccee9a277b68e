// @covers simulation on libraries: xrp
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import { encodeEventTopics, parseAbi } from "viem"
import { getBalanceChanges } from "xrpl"
import type { Hex } from "../../src/chains/evm/Types.js"
import { decodeBase58 } from "../../src/chains/internal/base58.js"
import { bytesToHex } from "../../src/data/hex.js"
import { keccak256 } from "../../src/data/keccak.js"
import { isSdkError, RpcError } from "../../src/data/SdkError.js"
import * as Units from "../../src/data/Units.js"
import { isRecord } from "../../src/data/untrusted.js"
import type { BitcoinCalls, BitcoinTransaction } from "../../src/signers/bitcoin/Types.js"
import { eventReaders } from "../../src/signers/evm/events.js"
import type { EvmTransaction } from "../../src/signers/evm/Types.js"
import type { Prepared } from "../../src/signers/Signer.js"
import {
  type EvmSimulationCalls,
  type Simulation,
  simulate,
  type XrpSimulationCalls
} from "../../src/signers/simulate.js"
import type { SolanaCalls, SolanaTransaction } from "../../src/signers/solana/Types.js"
import type { XrpTransaction } from "../../src/signers/xrp/Types.js"
import * as promised from "../../src/simulate.js"
import { runs } from "../properties.js"
import { blockhash, makeCluster, type State, system, tokens } from "./cluster.js"

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

  it.effect("names contracts that the account gives away, and allowances that Permit2 keeps", () =>
    Effect.gen(function* () {
      const events = parseAbi([
        "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)",
        "event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)",
        "event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)",
        "event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration)",
        "event Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce)"
      ])
      const permit2 = "0x000000000022d473030f116ddee9f6b43ac78ba3"
      const said = (eventName: string, args: object, data: ReadonlyArray<bigint> = [], address = token) => ({
        address,
        topics: encodeEventTopics({ abi: events, eventName, args } as never),
        data: `0x${data.map(word).join("")}`
      })
      const run = (...logs: ReadonlyArray<unknown>) =>
        simulate(
          client({
            simulate: ({ blockStateCalls: [block] }) =>
              block?.calls?.length === 1
                ? Effect.succeed(answer([event(COINS, TRANSFER, [account, shop], payment.amount), ...logs]))
                : refusedWith(-32_000, "too many calls in the block"),
            call: () => Effect.succeed<Hex>(`0x${word(6n)}`)
          }),
          payment
        )
      const zero = `0x${"0".repeat(40)}`
      const role = `0x${"0".repeat(64)}`
      const sentences: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
        [
          said("OwnershipTransferred", { previousOwner: account, newOwner: shop }),
          [`It would give the contract ${token} to ${shop}.`]
        ],
        [
          said("OwnershipTransferStarted", { previousOwner: account, newOwner: shop }),
          [`It would give the contract ${token} to ${shop}.`]
        ],
        [
          said("OwnershipTransferred", { previousOwner: account, newOwner: zero }),
          [`It would give up the contract ${token}, which nobody could own any more.`]
        ],
        [
          said("RoleGranted", { role, account: shop, sender: account }),
          [`It would give ${shop} rights over the contract ${token}.`]
        ],
        [said("OwnershipTransferred", { previousOwner: shop, newOwner: account }), []],
        [said("OwnershipTransferred", { previousOwner: account, newOwner: account }), []],
        [said("RoleGranted", { role, account: shop, sender: shop }), []]
      ]
      for (const [log, sentence] of sentences) expect((yield* run(log)).warnings).toEqual(sentence)
      for (const [name, more] of [
        ["Approval", []],
        ["Permit", [0n]]
      ] as const) {
        const args = { owner: account, token, spender: shop }
        const most = 2n ** 160n - 1n
        const { approvals } = yield* run(said(name, args, [most, 1n, ...more], permit2))
        expect(approvals).toMatchObject([{ spender: shop, token, units: most, unlimited: true }])
        const some = yield* run(said(name, args, [5_000_000n, 1n, ...more], permit2))
        expect(some.approvals).toMatchObject([{ spender: shop, token, amount: "5", unlimited: false }])
        expect((yield* run(said(name, args, [0n, 1n, ...more], permit2))).approvals).toEqual([])
      }
      // one of the token itself is beside it
      const both = yield* run(
        event(token, "Approval(address,address,uint256)", [account, shop], 7_000_000n),
        said("Approval", { owner: account, token, spender: shop }, [5_000_000n, 1n], permit2)
      )
      expect(both.approvals.map(({ amount }) => amount)).toEqual(["7", "5"])
      // the token knows nothing of what another contract keeps: its own allowance is what is read
      const read = yield* simulate(
        client({
          simulate: ({ blockStateCalls: [block] }) => {
            const reads = ((block?.calls?.length ?? 1) - 1) / 2
            const answersOf = (value: bigint) =>
              Array.from({ length: reads }, () => ({
                status: "0x1",
                returnData: `0x${word(value)}`,
                logs: []
              }))
            const own = {
              status: "0x1",
              returnData: "0x",
              logs: [
                event(COINS, TRANSFER, [account, shop], payment.amount),
                event(token, "Approval(address,address,uint256)", [account, shop], 7_000_000n),
                said("Approval", { owner: account, token, spender: shop }, [5_000_000n, 1n], permit2)
              ]
            }
            return Effect.succeed([{ calls: [...answersOf(0n), own, ...answersOf(8_000_000n)] }])
          },
          call: () => Effect.succeed<Hex>(`0x${word(6n)}`)
        }),
        payment
      )
      expect(read.approvals.map(({ amount }) => amount)).toEqual(["8", "5"])
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

  it.effect.each(["cardano-mainnet", "near-mainnet", "zksync-mainnet"])(
    "says of %s that it has none",
    (network) =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(simulate(client({}, network), { ...payment, network }))).toMatchObject({
          _tag: "NotSupportedForNetwork",
          network,
          feature: "simulation"
        })
      })
  )

  it.effect("takes a trace of nodes that know the method with other parameters", () =>
    Effect.gen(function* () {
      const trace = { type: "CALL", from: account, to: shop, value: "0x14d1120d7b160000", input: "0x" }
      const rpc: Partial<EvmSimulationCalls> = {
        simulate: () => refusedWith(-32_602, "unknown field traceTransfers"),
        debugTraceCall: () => Effect.succeed(trace)
      }
      const { changes, method } = yield* simulate(client(rpc), payment)
      expect(method).toBe("debug_traceCall")
      expect(changes.map(({ units }) => units)).toEqual([-payment.amount, payment.amount])
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

describe("a simulation of Solana", () => {
  const [payer, receiver, mint, source, destination, other] = [2, 3, 4, 5, 6, 7].map(blockhash) as [
    string,
    string,
    string,
    string,
    string,
    string
  ]
  const coins: Prepared<SolanaTransaction> = {
    network: "solana-mainnet",
    from: payer,
    to: receiver,
    amount: 1_000_000_000n,
    fee: 5_000n,
    outgoing: [{ asset: "SOL", amount: "1.000005" }],
    warnings: [],
    transaction: { from: payer, to: receiver, amount: 1_000_000_000n }
  }
  const asset = `solana:chain/token:${mint}`
  const inTokens: Prepared<SolanaTransaction> = {
    ...coins,
    token: mint,
    amount: 2_000_000n,
    outgoing: [
      { asset, token: mint, amount: "2", units: 2_000_000n, decimals: 6 },
      { asset: "SOL", amount: "0.000005" }
    ],
    transaction: {
      from: payer,
      to: receiver,
      amount: 2_000_000n,
      token: { mint, program: tokens, decimals: 6, source, destination, creates: false }
    }
  }

  /** An account for tokens, with the amount that its delegate may take. */
  const holding = (owner: string, amount: bigint, delegate?: readonly [string, bigint]): State => {
    const data = Buffer.alloc(165)
    data.set(decodeBase58(mint), 0)
    data.set(decodeBase58(owner), 32)
    data.writeBigUInt64LE(amount, 64)
    data.writeUInt8(1, 108)
    if (delegate !== undefined) {
      data.writeUInt32LE(1, 72)
      data.set(decodeBase58(delegate[0]), 76)
      data.writeBigUInt64LE(delegate[1], 121)
    }
    return { lamports: 2_039_280n, owner: tokens, data }
  }
  const shown = ({ data = new Uint8Array(), lamports, owner = system }: State) => ({
    lamports,
    owner,
    data: [Buffer.from(data).toString("base64"), "base64"]
  })
  const context = { slot: 100n }

  /** A cluster whose trials end in these accounts, or in an answer of the test's. */
  const trial = (
    before: Readonly<Record<string, State>>,
    after: ReadonlyArray<State | null>,
    more: object = {}
  ) =>
    makeCluster(before, {
      simulateTransaction: () =>
        Effect.succeed({
          context,
          value: { err: null, accounts: after.map((each) => each && shown(each)), ...more }
        })
    }).client()

  const before = { [payer]: { lamports: 9_000_000_000n }, [receiver]: { lamports: 1n } }
  const after = [{ lamports: 7_999_995_000n }, { lamports: 1_000_000_001n }]

  it.effect("tells the payer's change without the fee", () =>
    Effect.gen(function* () {
      const { changes, warnings } = yield* simulate(trial(before, after), coins)
      expect(changes.map(({ address, amount }) => [address, amount])).toEqual([
        [payer, "-1"],
        [receiver, "1"]
      ])
      expect(warnings).toEqual([])
      const dear = yield* simulate(trial(before, after, { fee: 6_000n }), coins)
      expect(dear.warnings).toEqual([
        "0.999999 SOL would leave the account, and the preview shows 1.",
        "The fee would be 0.000006 SOL, and the preview's highest fee is 0.000005 SOL."
      ])
    })
  )

  it.effect("names delegates, new owners and lost accounts", () =>
    Effect.gen(function* () {
      const first = {
        ...before,
        [source]: holding(payer, 5_000_000n),
        [destination]: holding(receiver, 0n)
      }
      const paid = { lamports: 8_999_995_000n }
      const honest = [paid, holding(payer, 3_000_000n), holding(receiver, 2_000_000n)]
      expect(yield* simulate(trial(first, honest), inTokens)).toMatchObject({
        approvals: [],
        warnings: [],
        changes: [
          { address: payer, asset, amount: "-2" },
          { address: receiver, asset, amount: "2" }
        ]
      })
      const delegated = [paid, holding(payer, 3_000_000n, [other, 1_500_000n]), honest[2] ?? null]
      const given = yield* simulate(trial(first, delegated), inTokens)
      expect(given.approvals).toEqual([
        {
          spender: other,
          asset,
          token: mint,
          amount: "1.5",
          units: 1_500_000n,
          decimals: 6,
          unlimited: false
        }
      ])
      expect(given.warnings).toEqual([`It would let ${other} take up to 1.5 ${asset}.`])
      // one that is there already is none that it gives
      const old = { ...first, [source]: holding(payer, 5_000_000n, [other, 1_500_000n]) }
      expect(yield* simulate(trial(old, delegated), inTokens)).toMatchObject({ approvals: [] })
      const endless = [paid, holding(payer, 3_000_000n, [other, 2n ** 64n - 1n]), honest[2] ?? null]
      expect(yield* simulate(trial(old, endless), inTokens)).toMatchObject({
        approvals: [{ unlimited: true }],
        warnings: [`It would let ${other} take any amount of ${asset}.`]
      })
      const lost = [{ ...paid, owner: other }, holding(other, 3_000_000n), honest[2] ?? null]
      expect((yield* simulate(trial(first, lost), inTokens)).warnings).toEqual([
        `It would give the account ${payer} to the program ${other}.`,
        `It would give the account ${source} and its tokens to ${other}.`
      ])
    })
  )

  it.effect("names rights over accounts that are given away, by transactions from elsewhere", () =>
    Effect.gen(function* () {
      const NONCE = 80
      const bytes = (length: number, ...parts: ReadonlyArray<readonly [number, Uint8Array | number]>) => {
        const data = Buffer.alloc(length)
        for (const [at, part] of parts)
          if (typeof part === "number") data.writeUInt32LE(part, at)
          else data.set(part, at)
        return data
      }
      const key = (address: string) => Uint8Array.from(decodeBase58(address))
      const wire = { encoded: "", signers: [payer], writable: [source], calls: [] }
      const whole: Prepared<SolanaTransaction> = {
        ...coins,
        amount: 0n,
        outgoing: [{ asset: "SOL", amount: "0.000005" }],
        transaction: { from: payer, to: "", amount: 0n, wire }
      } as never
      const tried = (own: State, later: State) => {
        const had = { [payer]: { lamports: 9_000_000_000n }, [source]: own }
        return simulate(trial(had, [{ lamports: 8_999_995_000n }, later]), whole)
      }
      const stake = "Stake11111111111111111111111111111111111111"
      const loader = "BPFLoaderUpgradeab1e11111111111111111111111"
      const cases: ReadonlyArray<readonly [string, string, (holder: string) => Buffer]> = [
        [
          "the nonce account",
          system,
          (holder) => bytes(NONCE, [0, 1], [4, 1], [8, key(holder)], [40, key(mint)])
        ],
        [
          "the stake account, with its coins,",
          stake,
          (holder) => bytes(200, [0, 2], [12, key(payer)], [44, key(holder)])
        ],
        [
          "the right to make new tokens of the mint",
          tokens,
          (holder) => bytes(82, [0, 1], [4, key(holder)], [45, Uint8Array.of(1)])
        ],
        [
          "the right to change the program of",
          loader,
          (holder) => bytes(60, [0, 3], [12, Uint8Array.of(1)], [13, key(holder)])
        ],
        [
          "the right to close the account for tokens",
          tokens,
          (holder) =>
            bytes(
              165,
              [0, key(mint)],
              [32, key(payer)],
              [108, Uint8Array.of(1)],
              [129, holder === payer ? 0 : 1],
              [133, key(holder)]
            )
        ]
      ]
      for (const [what, owner, dataOf] of cases) {
        const state = (holder: string): State => ({ lamports: 5n, owner, data: dataOf(holder) })
        const said = yield* tried(state(payer), state(other))
        expect(said.warnings, what).toEqual([`It would give ${what} ${source} to ${other}.`])
        // what was another one's before is not the account's to give
        expect((yield* tried(state(other), state(receiver))).warnings, what).toEqual([])
        expect((yield* tried(state(payer), state(payer))).warnings, what).toEqual([])
      }
      const sold = yield* tried(
        { lamports: 5n, owner: tokens, data: cases[4]?.[2](payer) ?? Buffer.alloc(0) },
        {
          lamports: 5n,
          owner: tokens,
          data: bytes(165, [0, key(mint)], [32, key(other)], [108, Uint8Array.of(1)])
        }
      )
      expect(sold.warnings).toEqual([`It would give the account ${source} and its tokens to ${other}.`])
    })
  )

  it.effect("names who may take a token from every account", () =>
    Effect.gen(function* () {
      const token2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
      const wire = { encoded: "", signers: [payer], writable: [source], calls: [] }
      const whole = {
        ...coins,
        amount: 0n,
        outgoing: [{ asset: "SOL", amount: "0.000005" }],
        transaction: { from: payer, to: "", amount: 0n, wire }
      } as never
      const mintOf = (...extensions: ReadonlyArray<readonly [number, Uint8Array]>): State => {
        const data = Buffer.alloc(166 + extensions.reduce((sum, [, own]) => sum + 4 + own.length, 0))
        data.set([6, 1], 44)
        data[165] = 1
        let at = 166
        for (const [kind, own] of extensions) {
          data.writeUInt16LE(kind, at)
          data.writeUInt16LE(own.length, at + 2)
          data.set(own, at + 4)
          at += 4 + own.length
        }
        return { lamports: 5n, owner: token2022, data }
      }
      const fee: readonly [number, Uint8Array] = [1, new Uint8Array(108)]
      const warningsOf = (minted: State) =>
        Effect.map(
          simulate(
            trial({ [payer]: { lamports: 9_000_000_000n }, [source]: holding(payer, 5n), [mint]: minted }, [
              { lamports: 8_999_995_000n },
              holding(payer, 6n)
            ]),
            whole
          ),
          ({ warnings }) => warnings
        )
      const delegate: readonly [number, Uint8Array] = [12, Uint8Array.from(decodeBase58(other))]
      expect(yield* warningsOf(mintOf(fee, delegate))).toEqual([
        expect.stringMatching(new RegExp(`^${other} can take the token .*${mint} from every account`))
      ])
      expect(yield* warningsOf(mintOf(fee))).toEqual([])
      expect(yield* warningsOf(mintOf(fee, [12, new Uint8Array(32)]))).toEqual([])
    })
  )

  it.effect("knows whose account for tokens a payment names", () =>
    Effect.gen(function* () {
      const first = { ...before, [source]: holding(payer, 5_000_000n), [destination]: holding(receiver, 0n) }
      const paid = { lamports: 8_999_995_000n }
      const last = [paid, holding(payer, 3_000_000n), holding(receiver, 2_000_000n)]
      const direct = {
        ...inTokens,
        to: destination,
        transaction: { ...inTokens.transaction, to: destination }
      }
      const { changes, warnings } = yield* simulate(trial(first, last), direct)
      expect(changes.map(({ address }) => address)).toEqual([payer, receiver])
      expect(warnings).toEqual([])
    })
  )

  it.effect("tries again while others pay, and says so if they do not stop", () =>
    Effect.gen(function* () {
      let reads = 0
      let busyUntil = 3
      const rpc = makeCluster(before).client().rpc
      const busy: SolanaCalls = {
        ...rpc,
        getMultipleAccounts: () =>
          Effect.sync(() => {
            reads++
            const extra = BigInt(Math.min(reads, busyUntil))
            return { context, value: [shown({ lamports: 9_000_000_000n }), shown({ lamports: extra })] }
          }),
        simulateTransaction: () =>
          Effect.sync(() => ({
            context,
            value: {
              err: null,
              accounts: [
                shown({ lamports: 7_999_995_000n }),
                shown({ lamports: 1_000_000_000n + BigInt(Math.min(reads, busyUntil)) })
              ]
            }
          }))
      }
      const client = { network: "solana-mainnet", rpc: busy }
      expect((yield* simulate(client, coins)).warnings).toEqual([])
      // the first trial had others' coins in it
      expect(reads).toBe(4)
      busyUntil = 1_000
      expect((yield* simulate(client, coins)).warnings).toEqual([
        "Others pay to or from these accounts just now: a part of the changes may be theirs."
      ])
      expect(reads).toBe(10)
    })
  )

  it.effect("says why the chain refuses it", () =>
    Effect.gen(function* () {
      const err = { InstructionError: [0, { Custom: 1 }] }
      const logs = ["first", "insufficient lamports 1, need 2"]
      const { reason, succeeds } = yield* simulate(trial(before, [], { err, logs }), coins)
      expect({ reason, succeeds }).toEqual({
        succeeds: false,
        reason: '{"InstructionError":[0,{"Custom":1}]}, insufficient lamports 1, need 2'
      })
    })
  )

  it.effect.each([
    { accounts: undefined },
    { accounts: [] },
    { accounts: {} },
    { accounts: [null] },
    { accounts: [{ lamports: "1", owner: system, data: [] }, null] },
    { accounts: [null, 7] },
    { fee: "much" },
    { err: {}, logs: 7 }
  ])("takes no answer in another form (%#)", (said) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(simulate(trial(before, after, said), coins))
      expect(error).toMatchObject({ _tag: "NodeError", kind: "malformed" })
    })
  )

  it.effect.each([
    { amount: 0n },
    { amount: 2n ** 64n },
    { from: "me" },
    { computeUnitLimit: 0 },
    { computeUnitPrice: 1n }
  ])("refuses transactions that are none, and asks no node (%#)", (wrong) =>
    Effect.gen(function* () {
      const cannot = () => Effect.die(new Error("no node is to be asked"))
      const rpc = { getMultipleAccounts: cannot, simulateTransaction: cannot }
      const prepared = { ...coins, transaction: { ...coins.transaction, ...wrong } }
      const error = yield* Effect.flip(simulate({ network: "solana-mainnet", rpc }, prepared))
      expect(error).toMatchObject({ _tag: "InvalidArgument", call: "simulate" })
    })
  )
})

describe("a simulation of Bitcoin", () => {
  const from = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"
  const script = "0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2"
  const to = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"
  const txid = "ab".repeat(32)
  const prepared: Prepared<BitcoinTransaction> = {
    network: "bitcoin-mainnet",
    from,
    to,
    amount: 60_000n,
    fee: 1_000n,
    change: 39_000n,
    outgoing: [{ asset: "BTC", amount: "0.00061" }],
    warnings: [],
    transaction: {
      inputs: [{ txid, vout: 1, amount: 100_000n }],
      outputs: [
        { address: to, amount: 60_000n },
        { address: from, amount: 39_000n }
      ],
      fee: 1_000n
    }
  }
  const output = { confirmations: 6, value: 0.001, coinbase: false, scriptPubKey: { hex: script } }
  const answering = (said: unknown) => ({
    network: "bitcoin-mainnet",
    // what a node says is anything
    rpc: { getTxOut: () => Effect.succeed(said) } as unknown as BitcoinCalls
  })
  const run = (said: unknown, transaction: Partial<BitcoinTransaction> = {}) =>
    simulate(answering(said), { ...prepared, transaction: { ...prepared.transaction, ...transaction } })

  it.effect("is its inputs minus its outputs", () =>
    Effect.gen(function* () {
      const { changes, succeeds, warnings } = yield* run(output)
      expect({ succeeds, warnings }).toEqual({ succeeds: true, warnings: [] })
      expect(changes).toEqual([
        { address: from, asset: "BTC", amount: "-0.0006", units: -60_000n, decimals: 8 },
        { address: to, asset: "BTC", amount: "0.0006", units: 60_000n, decimals: 8 }
      ])
    })
  )

  it.effect("names change that goes to nobody, and change that goes to others", () =>
    Effect.gen(function* () {
      const [paid] = prepared.transaction.outputs
      if (paid === undefined) throw new Error("it has no output")
      expect((yield* run(output, { outputs: [paid] })).warnings).toEqual([
        "The fee would be 0.0004 BTC, and the preview's highest fee is 0.00001 BTC."
      ])
      const thief = { address: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", amount: 39_000n }
      expect((yield* run(output, { outputs: [paid, thief] })).warnings).toEqual([
        "0.00099 BTC would leave the account, and the preview shows 0.0006."
      ])
      expect(yield* run(output, { outputs: [{ ...paid, amount: 200_000n }] })).toMatchObject({
        succeeds: false,
        reason: "it pays more than it spends"
      })
    })
  )

  it.effect("knows its account in capitals", () =>
    Effect.gen(function* () {
      const loud = { ...prepared, from: from.toUpperCase() }
      const { changes, warnings } = yield* simulate(answering(output), loud)
      expect(changes.map(({ address }) => address)).toEqual([loud.from, to])
      expect(warnings).toEqual([])
    })
  )

  it.effect("says of tokens in an output that they would be lost", () =>
    Effect.gen(function* () {
      expect((yield* run({ ...output, tokenData: { category: "00" } })).warnings).toEqual([
        "An output that it spends has tokens, which would be lost."
      ])
    })
  )

  it.effect.each([
    [null, /is spent, or no node has it$/],
    [{ ...output, value: 0.0009 }, /has 0\.0009 BTC, and the transaction says 0\.001$/],
    [{ ...output, value: "much" }, /has 0 BTC, and the transaction says 0\.001$/],
    [{ ...output, scriptPubKey: { hex: "51" } }, /is one of another address$/],
    [{ ...output, coinbase: true }, /has to wait for 100 confirmations$/]
  ] as const)("says why an output cannot be spent (%#)", ([said, reason]) =>
    Effect.gen(function* () {
      expect(yield* run(said)).toMatchObject({
        succeeds: false,
        reason: expect.stringMatching(reason),
        changes: []
      })
    })
  )

  it.effect.each([undefined, "0x", 7, {}, { ...output, scriptPubKey: null }])(
    "takes no answer in another form (%#)",
    (said) =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(run(said))).toMatchObject({ _tag: "NodeError", kind: "malformed" })
      })
  )

  it.effect.each([
    { inputs: [{ txid: "ab", vout: 1, amount: 1n }] },
    { inputs: [...prepared.transaction.inputs, ...prepared.transaction.inputs] },
    { inputs: [{ txid, vout: 1, amount: "1" }] },
    { outputs: [{ address: "nobody", amount: 1n }] },
    { outputs: [{ address: to, amount: -1n }] },
    { outputs: undefined }
  ])("refuses transactions that are none, and asks no node (%#)", (wrong) =>
    Effect.gen(function* () {
      const rpc = { getTxOut: () => Effect.die(new Error("no node is to be asked")) }
      const transaction = { ...prepared.transaction, ...wrong } as BitcoinTransaction
      const error = yield* Effect.flip(
        simulate({ network: "bitcoin-mainnet", rpc }, { ...prepared, transaction })
      )
      expect(error).toMatchObject({ _tag: "InvalidArgument", call: "simulate" })
    })
  )
})

describe("a simulation of the XRP Ledger", () => {
  const [from, to, issuer] = [
    "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
    "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe",
    "rhub8VRN55s94qWKDv6jmDy1pUykJzF3wq"
  ]
  const token = `USD.${issuer}`
  const asset = `xrpl:0/token:${token}`
  const prepared: Prepared<XrpTransaction> = {
    network: "ripple-mainnet",
    from,
    to,
    amount: 5_000_000n,
    fee: 12n,
    outgoing: [{ asset: "XRP", amount: "5.000012" }],
    warnings: [],
    transaction: { from, to, amount: 5_000_000n, fee: 12n, memo: "a", tag: 7 }
  }
  const units = (coins: string) => BigInt(coins) * 10n ** 81n
  const inTokens: Prepared<XrpTransaction> = {
    ...prepared,
    token,
    amount: units("3"),
    outgoing: [
      { asset, token, amount: "3", units: units("3"), decimals: 81 },
      { asset: "XRP", amount: "0.000012" }
    ],
    transaction: { from, to, amount: units("3"), token, fee: 12n }
  }

  const root = (account: string, before: bigint, after: bigint) => ({
    ModifiedNode: {
      LedgerEntryType: "AccountRoot",
      FinalFields: { Account: account, Balance: String(after) },
      PreviousFields: { Balance: String(before) }
    }
  })
  /** A trust line as the ledger has it: the balance is that of the lower account. */
  const line = (holder: string, of: string, before: number, after: number, isLow: boolean) => {
    const balance = (value: number) => ({
      currency: "USD",
      issuer: "rrrrrrrrrrrrrrrrrrrrBZbvji",
      value: String(isLow ? value : -value)
    })
    const limit = (account: string) => ({ currency: "USD", issuer: account, value: "0" })
    return {
      ModifiedNode: {
        LedgerEntryType: "RippleState",
        FinalFields: {
          Balance: balance(after),
          LowLimit: limit(isLow ? holder : of),
          HighLimit: limit(isLow ? of : holder)
        },
        PreviousFields: { Balance: balance(before) }
      }
    }
  }
  const done = (...nodes: ReadonlyArray<unknown>) => ({
    engine_result: "tesSUCCESS",
    engine_result_message: "The simulated transaction would have been applied.",
    meta: { AffectedNodes: nodes, TransactionIndex: 0, TransactionResult: "tesSUCCESS" }
  })
  const run = (said: unknown, given = prepared) =>
    simulate(
      {
        network: "ripple-mainnet",
        // what a server says is anything
        rpc: { simulate: () => Effect.succeed(said) } as unknown as XrpSimulationCalls
      },
      given
    )
  const shown = Effect.map(({ changes, warnings }: Simulation) => ({
    changes: changes.map((change) => [change.address, change.asset, change.amount]),
    warnings
  }))

  it.effect("asks for the payment without its number and its key, and tells coins without the fee", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const rpc: XrpSimulationCalls = {
        simulate: (transaction) => {
          asked.push(JSON.parse(JSON.stringify(transaction)))
          return Effect.succeed(done(root(from, 90_000_000n, 84_999_988n), root(to, 1n, 5_000_001n)))
        }
      }
      const simulated = yield* simulate({ network: "ripple-mainnet", rpc }, prepared)
      expect(asked).toEqual([
        {
          TransactionType: "Payment",
          Account: from,
          Destination: to,
          Amount: "5000000",
          Fee: "12",
          Flags: 0,
          DestinationTag: 7,
          Memos: [{ Memo: { MemoData: "61" } }]
        }
      ])
      expect(simulated).toMatchObject({ succeeds: true, warnings: [], method: "simulate" })
      expect(simulated.changes.map(({ address, amount }) => [address, amount])).toEqual([
        [from, "-5"],
        [to, "5"]
      ])
    })
  )

  it.effect("names tokens on both sides of a line, and what their issuer keeps", () =>
    Effect.gen(function* () {
      const paid = root(from, 90n, 78n)
      expect(
        yield* shown(
          run(done(line(from, issuer, 10, 7, true), line(to, issuer, 0, 3, false), paid), inTokens)
        )
      ).toEqual({
        changes: [
          [from, asset, "-3"],
          [to, asset, "3"]
        ],
        warnings: []
      })
      const shared = done(line(from, issuer, 10, 6.5, true), line(to, issuer, 0, 3, false), paid)
      expect(yield* shown(run(shared, inTokens))).toEqual({
        changes: [
          [from, asset, "-3.5"],
          [issuer, asset, "0.5"],
          [to, asset, "3"]
        ],
        warnings: [`3.5 USD (${asset}) would leave the account, and the preview shows 3.`]
      })
      // to the issuer, they are gone
      const back = { ...inTokens, to: issuer, transaction: { ...inTokens.transaction, to: issuer } }
      expect((yield* shown(run(done(line(from, issuer, 10, 7, false), paid), back))).warnings).toEqual([])
    })
  )

  it("names the balances that xrpl's own function finds", () => {
    const amount = fc.integer({ min: 0, max: 1_000_000 })
    const entry = fc.oneof(
      fc
        .tuple(
          fc.constantFrom(from, to, issuer),
          fc.bigInt({ min: 0n, max: 10n ** 17n }),
          fc.bigInt({ min: 0n, max: 10n ** 17n })
        )
        .map(([who, before, after]) => root(who, before, after)),
      fc
        .tuple(fc.constantFrom(from, to), amount, amount, fc.boolean())
        .map(([who, before, after, isLow]) => line(who, issuer, before, after, isLow))
    )
    const whose = (node: Readonly<Record<string, unknown>>) =>
      JSON.stringify(node)
        .match(/r[1-9A-HJ-NP-Za-km-z]{24,}/g)
        ?.sort()
        .join()
    return fc.assert(
      fc.asyncProperty(fc.uniqueArray(entry, { selector: whose, maxLength: 4 }), async (nodes) => {
        const { changes } = await Effect.runPromise(run(done(...nodes), inTokens))
        const named = changes
          .filter((change) => change.token === undefined || change.address !== issuer)
          .map(({ address, amount: value, asset: of, units: all }) => {
            const own = of === "XRP" && address === from ? all - inTokens.transaction.fee : all
            return `${address} ${of === "XRP" ? `XRP ${Number(Units.format(own, 6))}` : `USD ${value}`}`
          })
          .filter((text) => !text.endsWith(" XRP 0"))
        const meta = { ...done(...nodes).meta, AffectedNodes: nodes }
        const found = getBalanceChanges(meta as never).flatMap(({ account, balances }) =>
          balances
            .filter(({ currency }) => currency === "XRP" || account !== issuer)
            .map(({ currency, value }) => `${account} ${currency} ${Number(value)}`)
        )
        expect(named.sort()).toEqual(found.sort())
      }),
      { numRuns: runs(200) }
    )
  })

  it.effect("says why servers refuse it, and what they lack", () =>
    Effect.gen(function* () {
      const refused = {
        engine_result: "tecUNFUNDED_PAYMENT",
        engine_result_message: "Insufficient XRP balance"
      }
      expect(yield* run(refused)).toMatchObject({
        succeeds: false,
        reason: "tecUNFUNDED_PAYMENT: Insufficient XRP balance",
        changes: []
      })
      const rpc: XrpSimulationCalls = { simulate: () => refusedWith(32, "unknownCmd: Unknown method.") }
      expect(yield* Effect.flip(simulate({ network: "ripple-mainnet", rpc }, prepared))).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringMatching(/rippled 2\.4/)
      })
    })
  )

  it.effect.each([
    {},
    { meta: undefined },
    { meta: { AffectedNodes: {} } },
    { meta: { AffectedNodes: [root(from, -1n, 5n)] } },
    { meta: { AffectedNodes: [{ CreatedNode: { LedgerEntryType: "RippleState", NewFields: {} } }] } }
  ])("takes no answer in another form (%#)", (said) =>
    Effect.gen(function* () {
      const whole = { engine_result: "tesSUCCESS", engine_result_message: "", ...said }
      expect(yield* Effect.flip(run(whole))).toMatchObject({ _tag: "NodeError", kind: "malformed" })
    })
  )

  it.effect.each([{ amount: "5" }, { to: "me" }, { from: "me" }, { token: "USD" }, { fee: -1n }])(
    "refuses transactions that are none, and asks no server (%#)",
    (wrong) =>
      Effect.gen(function* () {
        const rpc: XrpSimulationCalls = { simulate: () => Effect.die(new Error("no server is to be asked")) }
        const transaction = { ...prepared.transaction, ...wrong } as XrpTransaction
        const error = yield* Effect.flip(
          simulate({ network: "ripple-mainnet", rpc }, { ...prepared, transaction })
        )
        expect(error).toMatchObject({ _tag: "InvalidArgument", call: "simulate" })
      })
  )
})
