/** Simulations on real nodes, compared with what happens afterwards. */
// @covers simulation on anvil: evm
// @covers simulation on Surfpool: solana
// @covers simulation on litecoind: bitcoin
import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit"
import { address as addresses } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as Scope from "effect/Scope"
import {
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  http,
  parseAbi,
  parseAbiItem,
  publicActions
} from "viem"
import { mainnet } from "viem/chains"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import type { Hex } from "../../src/chains/evm/Types.js"
import * as Bitcoin from "../../src/entries/signers/Bitcoin.js"
import * as Evm from "../../src/entries/signers/Evm.js"
import * as Solana from "../../src/entries/signers/Solana.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import { Fungible, Multitoken, Nft } from "../../src/sandbox/contracts/artefacts.js"
import { forwardRequest, listen } from "../../src/sandbox/Loopback.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import * as Litecoind from "../../src/sandbox/nodes/Litecoind.js"
import * as Surfpool from "../../src/sandbox/nodes/Surfpool.js"
import type { UtxoNode } from "../../src/sandbox/nodes/Utxo.js"
import type { EvmTransaction } from "../../src/signers/evm/Types.js"
import type { Prepared } from "../../src/signers/Signer.js"
import { findAssociatedAccount } from "../../src/signers/solana/kit.js"
import type { SolanaTransaction } from "../../src/signers/solana/Types.js"
import { type Simulation, simulate } from "../../src/simulate.js"
import { compiled } from "../contracts/compiled.mjs"
import { nodeLimits } from "../nodeLimits.js"
import { runs } from "../properties.js"
import { take } from "../results.js"
import { extension, feeConfig, holdingData, mintData } from "./mints.js"
import { requireBinary } from "./process.js"

const anvil = requireBinary("anvil", "simulations on anvil")
const litecoind = requireBinary("litecoind", "simulations on Litecoin Core")
const surfpool = requireBinary("surfpool", "simulations on Surfpool")

const mnemonic = "test test test test test test test test test test test junk"

describe.runIf(anvil !== undefined)("a simulation on anvil", () => {
  const scope = Effect.runSync(Scope.make())
  const shop = "0x000000000000000000000000000000000000bEEF"
  const thief = "0x000000000000000000000000000000000000dEaD"
  let sdk: PromiseSdk<"ethereum-mainnet">
  let account: Evm.EvmSigner
  let contracts: Awaited<ReturnType<typeof compiled>>
  let url = ""
  const chain = () =>
    createTestClient({ mode: "anvil", chain: mainnet, transport: http(url), cacheTime: 0 }).extend(
      publicActions
    )
  const coins = (address: string) => chain().getBalance({ address: address as Hex })
  const tokens = (token: Hex, owner: string) =>
    chain().readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [owner as Hex] })

  const deploy = async (made: object): Promise<Hex> => {
    const sent = take(
      await account.sendTransaction({ data: encodeDeployData(made as never), confirmations: 1 })
    )
    return getContractAddress({
      from: account.address,
      nonce: BigInt(sent.prepared.transaction.nonce ?? 0)
    })
  }
  const deployOwn = (name: string, ...args: ReadonlyArray<unknown>): Promise<Hex> => {
    const { abi, code: bytecode } = contracts[name] ?? { abi: [], code: "0x" }
    return deploy({ abi, bytecode, args })
  }
  const call = async (
    to: Hex,
    signature: string,
    args: ReadonlyArray<unknown>,
    value: string | bigint = 0n
  ): Promise<Prepared<EvmTransaction>> => {
    const data = encodeFunctionData({ abi: [parseAbiItem(`function ${signature}`)], args } as never)
    return take(await account.prepareTransaction({ to, data, value }))
  }
  const send = async (prepared: Prepared<EvmTransaction>) =>
    take(await account.submit(prepared, { confirmations: 1 }))
  const run = async (prepared: Prepared<EvmTransaction>): Promise<Simulation> =>
    take(await simulate(sdk, prepared))

  beforeAll(async () => {
    url = (await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1, accounts: 2 }), scope))).url
    sdk = await init({ network: "ethereum-mainnet", rpc: { nodes: [{ url }] }, quiet: true, ...nodeLimits })
    account = take(await Evm.signer(sdk, { mnemonic }))
    contracts = await compiled("Simulated.sol")
  })
  afterAll(async () => {
    await sdk.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  /** A client of the same node behind fronts, which change what is asked and what is answered. */
  const startFronts = async (
    ...fronts: ReadonlyArray<{
      readonly ask?: (text: string) => string
      readonly answer?: (text: string) => string
    }>
  ) => {
    const opened = Effect.runSync(Scope.make())
    const same = (text: string) => text
    const nodes = await Effect.runPromise(
      Effect.forEach(fronts, ({ answer = same, ask = same }) =>
        Effect.map(
          listen((received) =>
            forwardRequest(
              url,
              { ...received, body: Buffer.from(ask(received.body.toString("utf8"))) },
              { reuse: false }
            ).pipe(
              Effect.map((given) => ({ ...given, body: Buffer.from(answer(given.body.toString("utf8"))) })),
              Effect.orDie
            )
          ),
          (port) => ({ url: `http://127.0.0.1:${port}` })
        )
      ).pipe(Scope.extend(opened))
    )
    const other = await init({ network: "ethereum-mainnet", rpc: { nodes }, quiet: true, ...nodeLimits })
    const close = async () => {
      await other.destroy()
      await Effect.runPromise(Scope.close(opened, Exit.void))
    }
    return { sdk: other, close }
  }
  /** The node does not know these methods: it gets them under other names. */
  const startWithout = (methods: ReadonlyArray<string>) =>
    startFronts({
      ask: (text) =>
        methods.reduce((each, method) => each.replaceAll(`"${method}"`, `"${method}Never"`), text)
    })

  const deployTokens = (supply: bigint) => {
    const owner = account.address
    const args = ["Token", "TKN", 6, supply, owner, owner, owner, owner, 0n]
    return deploy({ abi: Fungible.abi, bytecode: Fungible.bytecode, args })
  }

  it("names the coins of a payment, and nothing else", async () => {
    const prepared = take(await account.prepare({ to: shop, amount: "1.5" }))
    expect(await run(prepared)).toEqual({
      network: "ethereum-mainnet",
      address: account.address,
      succeeds: true,
      changes: [
        {
          address: account.address,
          asset: "ETH",
          amount: "-1.5",
          units: -1_500_000_000_000_000_000n,
          decimals: 18
        },
        { address: shop, asset: "ETH", amount: "1.5", units: 1_500_000_000_000_000_000n, decimals: 18 }
      ],
      approvals: [],
      warnings: [],
      method: "eth_simulateV1"
    })
  })

  it("names the tokens of a payment", async () => {
    const token = await deployTokens(5_000_000n)
    const prepared = take(await account.prepare({ token, to: shop, amount: "1.25" }))
    const simulated = await run(prepared)
    const asset = `eip155:1/erc20:${token}`
    expect(simulated).toMatchObject({ succeeds: true, approvals: [], warnings: [] })
    expect(simulated.changes).toEqual([
      {
        address: account.address,
        asset,
        token,
        symbol: "TKN",
        amount: "-1.25",
        units: -1_250_000n,
        decimals: 6
      },
      { address: shop, asset, token, symbol: "TKN", amount: "1.25", units: 1_250_000n, decimals: 6 }
    ])
  })

  it.each([false, true])("says that less of a taxed token arrives (silent: %s)", async (isSilent) => {
    const token = await deployOwn("TaxedToken", isSilent)
    const prepared = take(await account.prepare({ token, to: shop, amount: "100" }))
    const { changes, warnings } = await run(prepared)
    const asset = `eip155:1/erc20:${token}`
    expect(changes.find(({ address }) => address === shop)).toMatchObject({ amount: "95", asset })
    expect(warnings).toEqual([`The receiver would get 95 TAX (${asset}), and the preview pays 100.`])
    await send(prepared)
    expect(await tokens(token, shop)).toBe(95_000_000n)
  })

  it("names allowances that a call gives, with how much may be taken", async () => {
    const token = await deployTokens(5_000_000n)
    const asset = `eip155:1/erc20:${token}`
    const approve = (units: bigint) => call(token, "approve(address,uint256)", [thief, units])
    const all = await run(await approve(2n ** 256n - 1n))
    expect(all.changes).toEqual([])
    expect(all.approvals).toMatchObject([{ spender: thief, asset, token, symbol: "TKN", unlimited: true }])
    expect(all.warnings).toEqual([`It would let ${thief} take any amount of TKN (${asset}).`])
    const some = await approve(1_500_000n)
    const { approvals, warnings } = await run(some)
    expect(approvals).toEqual([
      {
        spender: thief,
        asset,
        token,
        symbol: "TKN",
        amount: "1.5",
        units: 1_500_000n,
        decimals: 6,
        unlimited: false
      }
    ])
    expect(warnings).toEqual([`It would let ${thief} take up to 1.5 TKN (${asset}).`])
    await send(some)
    // what is there already is nothing that it gives, and neither is what it takes back
    expect(await run(await approve(1_500_000n))).toMatchObject({ approvals: [], warnings: [] })
    expect(await run(await approve(0n))).toMatchObject({ approvals: [], warnings: [] })
  })

  it("names what a call takes by an old allowance, which is none that it gives", async () => {
    const page = await deployOwn("Page")
    const token = await deployOwn("TaxedToken", false)
    await send(await call(token, "approve(address,uint256)", [page, 50_000_000n]))
    const claim = await call(page, "claim(address,address,uint256)", [token, thief, 20_000_000n])
    const { approvals, changes, warnings } = await run(claim)
    const asset = `eip155:1/erc20:${token}`
    expect(claim.outgoing).toHaveLength(1)
    expect(approvals).toEqual([])
    expect(changes[0]).toMatchObject({ address: account.address, asset, amount: "-20" })
    expect(changes.find(({ address }) => address === thief)).toMatchObject({ asset, amount: "19" })
    expect(warnings).toEqual([`20 TAX (${asset}) would leave the account, which the preview does not show.`])
  })

  it("names coins that come back, and none of a call inside that fails", async () => {
    const page = await deployOwn("Page")
    const prepared = await call(page, "halve()", [], "1")
    const before = [await coins(account.address), await coins(page)]
    const { changes, warnings } = await run(prepared)
    expect(changes).toEqual([
      {
        address: account.address,
        asset: "ETH",
        amount: "-0.5",
        units: -500_000_000_000_000_000n,
        decimals: 18
      },
      { address: page, asset: "ETH", amount: "0.5", units: 500_000_000_000_000_000n, decimals: 18 }
    ])
    expect(warnings).toEqual(["0.5 ETH would leave the account, and the preview shows 1."])
    const { hash } = await send(prepared)
    const { effectiveGasPrice, gasUsed } = await chain().getTransactionReceipt({ hash: hash as Hex })
    expect(await coins(account.address)).toBe(
      (before[0] ?? 0n) - 500_000_000_000_000_000n - gasUsed * effectiveGasPrice
    )
    expect(await coins(page)).toBe((before[1] ?? 0n) + 500_000_000_000_000_000n)
  })

  it("says why a call would be reverted", async () => {
    const page = await deployOwn("Page")
    const good = await call(page, "halve()", [], "0.1")
    const data = encodeFunctionData({ abi: parseAbi(["function refuse() payable"]) })
    const bad = { ...good, transaction: { ...good.transaction, data } }
    expect(await run(bad)).toMatchObject({
      succeeds: false,
      reason: "the sale is over",
      changes: [],
      approvals: [],
      warnings: []
    })
    const dear = { ...good, transaction: { ...good.transaction, value: 10n ** 30n } }
    expect(await run(dear)).toMatchObject({ succeeds: false, reason: expect.stringMatching(/funds/i) })
  })

  it("names items of collections, and who may take all of them", async () => {
    const owner = account.address
    const collection = await deploy({
      abi: Nft.abi,
      bytecode: Nft.bytecode,
      args: ["Cards", "CARD", "", owner, owner]
    })
    const asset = `eip155:1/erc721:${collection}`
    await send(await call(collection, "mintWithTokenURI(address,uint256,string)", [owner, 7n, "a"]))
    const moving = await call(collection, "transferFrom(address,address,uint256)", [owner, shop, 7n])
    expect(await run(moving)).toMatchObject({
      changes: [
        { address: owner, asset: `${asset}/7`, amount: "-1", units: -1n, decimals: 0 },
        { address: shop, asset: `${asset}/7`, amount: "1", units: 1n }
      ],
      approvals: [],
      warnings: []
    })
    const one = await run(await call(collection, "approve(address,uint256)", [thief, 7n]))
    expect(one.approvals).toMatchObject([{ spender: thief, asset: `${asset}/7`, unlimited: false }])
    const all = await call(collection, "setApprovalForAll(address,bool)", [thief, true])
    expect(await run(all)).toMatchObject({
      changes: [],
      approvals: [{ spender: thief, asset, token: collection, unlimited: true }],
      warnings: [`It would let ${thief} take all that the account has of ${asset}.`]
    })
    await send(all)
    const back = await call(collection, "setApprovalForAll(address,bool)", [thief, false])
    expect(await run(back)).toMatchObject({ approvals: [], warnings: [] })
  })

  it("names items of collections with amounts, in one and in many", async () => {
    const owner = account.address
    const args = [owner, owner, ""]
    const collection = await deploy({ abi: Multitoken.abi, bytecode: Multitoken.bytecode, args })
    const asset = `eip155:1/erc1155:${collection}`
    const mint = "mintBatch(address,uint256[],uint256[],bytes)"
    await send(await call(collection, mint, [owner, [1n, 2n], [10n, 20n], "0x"]))
    const one = "safeTransferFrom(address,address,uint256,uint256,bytes)"
    expect(await run(await call(collection, one, [owner, shop, 2n, 5n, "0x"]))).toMatchObject({
      changes: [
        { address: owner, asset: `${asset}/2`, amount: "-5" },
        { address: shop, asset: `${asset}/2`, amount: "5" }
      ]
    })
    const many = "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)"
    const moved = await run(await call(collection, many, [owner, shop, [1n, 2n], [3n, 4n], "0x"]))
    expect(moved.changes.map((change) => [change.address, change.asset, change.units])).toEqual([
      [owner, `${asset}/1`, -3n],
      [owner, `${asset}/2`, -4n],
      [shop, `${asset}/1`, 3n],
      [shop, `${asset}/2`, 4n]
    ])
    // no payment of tokens shows them
    expect(moved.warnings).toEqual([
      `3 ${asset}/1 would leave the account, which the preview does not show.`,
      `4 ${asset}/2 would leave the account, which the preview does not show.`
    ])
    const all = await run(await call(collection, "setApprovalForAll(address,bool)", [thief, true]))
    expect(all.approvals).toMatchObject([{ spender: thief, asset, unlimited: true }])
  })

  it("names the same by a trace, if nodes lack eth_simulateV1", async () => {
    const { close, sdk: tracing } = await startWithout(["eth_simulateV1"])
    const page = await deployOwn("Page")
    const token = await deployOwn("TaxedToken", false)
    await send(await call(token, "approve(address,uint256)", [page, 50_000_000n]))
    const halve = await call(page, "halve()", [], "1")
    const refuse = encodeFunctionData({ abi: parseAbi(["function refuse() payable"]) })
    const simulated = [
      take(await account.prepare({ to: shop, amount: "1.5" })),
      take(await account.prepare({ token, to: shop, amount: "100" })),
      await call(token, "approve(address,uint256)", [thief, 2n ** 256n - 1n]),
      halve,
      { ...halve, transaction: { ...halve.transaction, data: refuse } },
      { ...halve, transaction: { ...halve.transaction, value: 10n ** 30n } }
    ]
    for (const prepared of simulated) {
      const traced = take(await simulate(tracing, prepared))
      expect(traced.method).toBe("debug_traceCall")
      const { reason, ...other } = await run(prepared)
      expect(traced).toMatchObject({ ...other, method: "debug_traceCall" })
      expect(typeof traced.reason).toBe(typeof reason)
    }
    await close()
  })

  it("believes no node that hides what moves, if others show it", async () => {
    const page = await deployOwn("Page")
    const token = await deployOwn("TaxedToken", false)
    await send(await call(token, "approve(address,uint256)", [page, 50_000_000n]))
    const claim = await call(page, "claim(address,address,uint256)", [token, thief, 20_000_000n])
    const liar = { answer: (text: string) => text.replace(/"logs":\[\{.*?\}\]/gs, '"logs":[]') }
    const hidden = await startFronts(liar)
    expect(take(await simulate(hidden.sdk, claim))).toMatchObject({ changes: [], warnings: [] })
    await hidden.close()
    const outvoted = await startFronts(liar, {}, {})
    expect(take(await simulate(outvoted.sdk, claim)).warnings).toEqual([
      expect.stringMatching(/^20 TAX .* would leave the account, which the preview does not show\.$/)
    ])
    await outvoted.close()
    const contradicted = await startFronts(liar, {})
    const { error } = await simulate(contradicted.sdk, claim)
    expect(error?.cause).toMatchObject({ _tag: "NoQuorum" })
    await contradicted.close()
  })

  it("says which methods a node needs, if it has none of them", async () => {
    const { close, sdk: lacking } = await startWithout(["eth_simulateV1", "debug_traceCall"])
    const prepared = take(await account.prepare({ to: shop, amount: "1.5" }))
    const { error } = await simulate(lacking, prepared)
    expect(error?.cause).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringMatching(/^no node of the client has eth_simulateV1 or debug_traceCall/)
    })
    await close()
  })

  it("simulates new contracts, replacements and cancellations", async () => {
    const { abi, code: bytecode } = contracts.TaxedToken ?? { abi: [], code: "0x" }
    const data = encodeDeployData({ abi, bytecode, args: [false] } as never)
    const made = take(await account.prepareTransaction({ data }))
    expect(await run(made)).toMatchObject({ succeeds: true, changes: [], warnings: [] })
    await chain().setAutomine(false)
    onTestFinished(async () => {
      await chain().setAutomine(true)
      await chain().mine({ blocks: 1 })
    })
    const { hash } = take(await account.send({ to: shop, amount: "0.25" }))
    const faster = take(await account.prepareSpeedUp(hash))
    expect((await run(faster)).changes.map(({ address, amount }) => [address, amount])).toEqual([
      [account.address, "-0.25"],
      [shop, "0.25"]
    ])
    const cancelled = take(await account.prepareCancel(hash))
    expect(await run(cancelled)).toMatchObject({ succeeds: true, changes: [], warnings: [] })
  })

  it("names wrapped coins, whose events are no transfers", async () => {
    const wrapped = await deployOwn("Wrapped")
    const { changes, warnings } = await run(await call(wrapped, "deposit()", [], "2"))
    expect(changes.map(({ address, amount, token }) => [address, amount, token])).toEqual([
      [account.address, "-2", undefined],
      [account.address, "2", wrapped],
      [wrapped, "2", undefined]
    ])
    expect(warnings).toEqual([])
  })

  it("names what random payments change", async () => {
    const token = await deployTokens(10n ** 15n)
    const taxed = await deployOwn("TaxedToken", false)
    const silent = await deployOwn("TaxedToken", true)
    const receiver = fc.integer({ min: 1, max: 3 }).map((n) => `0x${String(n).repeat(40)}` as Hex)
    const payment = fc.record({
      to: fc.oneof(receiver, fc.constant(account.address)),
      amount: fc.bigInt({ min: 1n, max: 10_000_000n }),
      token: fc.constantFrom(undefined, token, taxed, silent)
    })
    await fc.assert(
      fc.asyncProperty(payment, async ({ token: paid, ...rest }) => {
        const prepared = take(
          await account.prepare({ ...rest, ...(paid === undefined ? {} : { token: paid }) })
        )
        const people = [account.address, rest.to]
        const read = async () =>
          Promise.all(
            people.flatMap((each) => [
              coins(each),
              tokens(token, each),
              tokens(taxed, each),
              tokens(silent, each)
            ])
          )
        const before = await read()
        const { changes, succeeds } = await run(prepared)
        expect(succeeds).toBe(true)
        const { hash } = await send(prepared)
        const after = await read()
        const { effectiveGasPrice, gasUsed } = await chain().getTransactionReceipt({ hash: hash as Hex })
        const fee = gasUsed * effectiveGasPrice
        expect(fee).toBeLessThanOrEqual(prepared.fee)
        const named = people.flatMap((each) =>
          [undefined, token, taxed, silent].map((asset) =>
            changes
              .filter((change) => change.address === each && change.token === asset)
              .reduce((sum, { units }) => sum + units, 0n)
          )
        )
        const happened = after.map((each, at) => {
          const isOwnCoins = people[Math.floor(at / 4)] === account.address && at % 4 === 0
          return each - (before[at] ?? 0n) + (isOwnCoins ? fee : 0n)
        })
        expect(named).toEqual(happened)
      }),
      { numRuns: runs(40) }
    )
  })
})

describe.runIf(surfpool !== undefined)("a simulation on Surfpool", () => {
  const scope = Effect.runSync(Scope.make())
  const program = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
  const program2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
  let node: Surfpool.SurfpoolNode
  let sdk: PromiseSdk<"solana-devnet">
  let account: Solana.SolanaSigner
  let next = 1
  const anyone = async () =>
    (await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(next++))).address
  const cheat = async (method: string, ...params: ReadonlyArray<unknown>) =>
    take(await sdk.rpc.rawRpcCall({ method, params }))
  const lamports = async (address: string): Promise<bigint> =>
    take(await sdk.rpc.getBalance(address, { commitment: "confirmed" })).value
  const makeToken = async (owner: string, data: Buffer): Promise<string> => {
    const token = await anyone()
    await cheat("surfnet_setAccount", token, {
      lamports: (data.length + 128) * 6_960,
      data: data.toString("hex"),
      owner,
      executable: false
    })
    return token
  }
  const run = async (prepared: Prepared<SolanaTransaction>): Promise<Simulation> =>
    take(await simulate(sdk, prepared))

  beforeAll(async () => {
    node = await Effect.runPromise(Scope.extend(Surfpool.start({ slotTime: 60 }), scope))
    sdk = await init({
      network: "solana-devnet",
      rpc: { nodes: [{ url: node.url }] },
      quiet: true,
      ...nodeLimits
    })
    account = take(await Solana.signer(sdk, { mnemonic }))
    await Effect.runPromise(node.fund(account.address, "10"))
  })
  afterAll(async () => {
    await sdk.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("names the coins of a payment, which really move", async () => {
    const shop = await anyone()
    const prepared = take(await account.prepare({ to: shop, amount: "1.5" }))
    const simulated = await run(prepared)
    expect(simulated).toEqual({
      network: "solana-devnet",
      address: account.address,
      succeeds: true,
      changes: [
        { address: account.address, asset: "SOL", amount: "-1.5", units: -1_500_000_000n, decimals: 9 },
        { address: shop, asset: "SOL", amount: "1.5", units: 1_500_000_000n, decimals: 9 }
      ],
      approvals: [],
      warnings: [],
      method: "simulateTransaction"
    })
    const before = await lamports(account.address)
    take(await account.submit(prepared, { confirmations: 1 }))
    expect(await lamports(account.address)).toBe(before - 1_500_000_000n - prepared.fee)
    expect(await lamports(shop)).toBe(1_500_000_000n)
  })

  it("names tokens, and what an account for them costs that is made", async () => {
    const [token, shop] = [await makeToken(program, mintData()), await anyone()]
    await cheat("surfnet_setTokenAccount", account.address, token, { amount: 5_000_000 }, program)
    const prepared = take(await account.prepare({ to: shop, token, amount: "1.25" }))
    const asset = prepared.outgoing[0]?.asset
    const made = prepared.transaction.token?.destination
    const { changes, succeeds, warnings } = await run(prepared)
    expect({ succeeds, warnings }).toEqual({ succeeds: true, warnings: [] })
    expect(changes).toEqual([
      { address: account.address, asset, token, amount: "-1.25", units: -1_250_000n, decimals: 6 },
      { address: account.address, asset: "SOL", amount: "-0.00203928", units: -2_039_280n, decimals: 9 },
      { address: shop, asset, token, amount: "1.25", units: 1_250_000n, decimals: 6 },
      { address: made, asset: "SOL", amount: "0.00203928", units: 2_039_280n, decimals: 9 }
    ])
    const before = await lamports(account.address)
    take(await account.submit(prepared, { confirmations: 1 }))
    expect(await lamports(account.address)).toBe(before - 2_039_280n - prepared.fee)
    // somebody has made it meanwhile: the preview is of before
    expect(await run(prepared)).toMatchObject({
      succeeds: true,
      warnings: ["No SOL would leave the account, and the preview shows some."]
    })
  })

  it("says that less arrives of a token that keeps a fee", async () => {
    const [token, shop] = [await makeToken(program2022, mintData(feeConfig())), await anyone()]
    await cheat("surfnet_setAccount", await findAssociatedAccount(account.address, token, program2022), {
      lamports: 3_000_000,
      data: holdingData(token, account.address, 5_000_000n, extension(2, Buffer.alloc(8))).toString("hex"),
      owner: program2022,
      executable: false
    })
    const prepared = take(await account.prepare({ to: shop, token, amount: "0.1" }))
    const { changes, warnings } = await run(prepared)
    expect(changes.find((change) => change.address === shop && change.token === token)).toMatchObject({
      amount: "0.0995"
    })
    expect(warnings).toEqual([
      `The receiver would get 0.0995 ${prepared.outgoing[0]?.asset}, and the preview pays 0.1.`
    ])
  })

  it("names what random payments change", async () => {
    const token = await makeToken(program, mintData())
    await cheat("surfnet_setTokenAccount", account.address, token, { amount: 900_000_000 }, program)
    const [one, other] = [await anyone(), await anyone()]
    const tokensOf = async (owner: string): Promise<bigint> => {
      const held = await sdk.rpc.getTokenAccountBalance(await findAssociatedAccount(owner, token, program), {
        commitment: "confirmed"
      })
      return held.status === "SUCCESS" ? BigInt(held.data.value.amount) : 0n
    }
    const payment = fc.record({
      to: fc.constantFrom(one, other),
      amount: fc.bigInt({ min: 2_000_000n, max: 90_000_000n }),
      token: fc.constantFrom(undefined, token)
    })
    await fc.assert(
      fc.asyncProperty(payment, async ({ token: paid, ...rest }) => {
        const prepared = take(
          await account.prepare({ ...rest, ...(paid === undefined ? {} : { token: paid }) })
        )
        const people = [account.address, rest.to]
        const read = () => Promise.all(people.flatMap((each) => [lamports(each), tokensOf(each)]))
        const before = await read()
        const { changes, succeeds, warnings } = await run(prepared)
        expect({ succeeds, warnings }).toEqual({ succeeds: true, warnings: [] })
        take(await account.submit(prepared, { confirmations: 1 }))
        const after = await read()
        const named = people.flatMap((each) =>
          [undefined, token].map((asset) =>
            changes
              .filter((change) => change.address === each && change.token === asset)
              .reduce((sum, { units }) => sum + units, 0n)
          )
        )
        const fees = [prepared.fee, 0n, 0n, 0n]
        expect(named).toEqual(after.map((each, at) => each - (before[at] ?? 0n) + (fees[at] ?? 0n)))
      }),
      { numRuns: runs(10) }
    )
  })

  it("says why the chain would refuse a payment", async () => {
    const prepared = take(await account.prepare({ to: await anyone(), amount: "1" }))
    const dear = { ...prepared, transaction: { ...prepared.transaction, amount: 10n ** 15n } }
    expect(await run(dear)).toMatchObject({
      succeeds: false,
      reason: expect.stringMatching(/insufficient lamports|Custom/),
      changes: []
    })
  })
})

describe.runIf(litecoind !== undefined)("a simulation on Litecoin Core", () => {
  const scope = Effect.runSync(Scope.make())
  let node: UtxoNode
  let sdk: PromiseSdk<"litecoin-testnet">
  const mine = (blocks: number) => Effect.runPromise(node.mine(blocks))
  /** Addresses of the signer are of Litecoin's test network, and the node has other names for them. */
  const renamed = (address: string): string => {
    const { data, version } = addresses.fromBech32(address)
    return addresses.toBech32(data, version, "rltc")
  }
  const utxos = async (address: string): Promise<ReadonlyArray<Bitcoin.Utxo>> => {
    const { unspents } = take(await sdk.rpc.scanTxOutSet([`addr(${renamed(address)})`]))
    return unspents.map(({ amount, txid, vout }) => ({ txid, vout, amount: Number(amount).toFixed(8) }))
  }
  const valueAt = async (address: string): Promise<bigint> =>
    (await utxos(address)).reduce((sum, { amount }) => sum + BigInt(String(amount).replace(".", "")), 0n)

  beforeAll(async () => {
    const started = await Effect.runPromise(
      Effect.gen(function* () {
        const made = yield* Litecoind.start({ command: litecoind ?? "", blockTime: 3_600 })
        return { made, url: `http://127.0.0.1:${yield* listen(made.handler)}` }
      }).pipe(Scope.extend(scope))
    )
    node = started.made
    sdk = await init({
      network: "litecoin-testnet",
      rpc: { nodes: [{ url: started.url }] },
      quiet: true,
      ...nodeLimits
    })
  })
  afterAll(async () => {
    await sdk.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("names the coins of a payment, and outputs that are spent by then", async () => {
    const account = take(await Bitcoin.signer(sdk, { mnemonic, utxos }))
    for (const amount of ["3", "2"]) await Effect.runPromise(node.fund(renamed(account.address), amount))
    await mine(1)
    const to = addresses.toBech32(new Uint8Array(20).fill(3), 0, "tltc")
    const prepared = take(await account.prepare({ to, amount: "2.5" }))
    const simulated = take(await simulate(sdk, prepared))
    expect(simulated).toEqual({
      network: "litecoin-testnet",
      address: account.address,
      succeeds: true,
      changes: [
        { address: account.address, asset: "LTC", amount: "-2.5", units: -250_000_000n, decimals: 8 },
        { address: to, asset: "LTC", amount: "2.5", units: 250_000_000n, decimals: 8 }
      ],
      approvals: [],
      warnings: [],
      method: "gettxout"
    })
    const before = await valueAt(account.address)
    const { transaction } = prepared
    const [first] = transaction.inputs
    if (first === undefined) throw new Error("it has no input")
    const other = { ...prepared, transaction: { ...transaction, inputs: [{ ...first, amount: 1n }] } }
    expect(take(await simulate(sdk, other))).toMatchObject({
      succeeds: false,
      reason: expect.stringMatching(/^the output .* LTC, and the transaction says 0\.00000001$/),
      changes: []
    })
    const stolen = {
      ...prepared,
      transaction: {
        ...transaction,
        outputs: transaction.outputs.map((output) =>
          output.address === to
            ? output
            : { ...output, address: addresses.toBech32(new Uint8Array(20), 0, "tltc") }
        )
      }
    }
    expect(take(await simulate(sdk, stolen)).warnings).toEqual([
      expect.stringMatching(/^\d\.\d+ LTC would leave the account, and the preview shows 2\.5\.$/)
    ])
    take(await account.submit(prepared))
    await mine(1)
    expect(await valueAt(account.address)).toBe(before - 250_000_000n - prepared.fee)
    expect(await valueAt(to)).toBe(250_000_000n)
    expect(take(await simulate(sdk, prepared))).toMatchObject({
      succeeds: false,
      reason: expect.stringMatching(/^the output .* is spent, or no node has it$/)
    })
  })
})
