/** Sweeps of token addresses on real nodes: anvil, Surfpool and the emulator of TON. */
// @covers sweeps on anvil: evm
// @covers sweeps on Surfpool: solana
// @covers sweeps on its emulator: ton
import { randomBytes } from "node:crypto"
import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit"
import { Address } from "@ton/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { createTestClient, encodeDeployData, erc20Abi, getContractAddress, http, publicActions } from "viem"
import { mainnet } from "viem/chains"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Evm from "../../src/entries/signers/Evm.js"
import * as Solana from "../../src/entries/signers/Solana.js"
import * as Ton from "../../src/entries/signers/Ton.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import { Fungible } from "../../src/sandbox/contracts/artefacts.js"
import * as Sandbox from "../../src/sandbox/index.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import * as Surfpool from "../../src/sandbox/nodes/Surfpool.js"
import { prepareSweep, sweepToken } from "../../src/sweep.js"
import { nodeLimits } from "../nodeLimits.js"
import { refusal, take } from "../results.js"
import { deployJettons } from "./jettons.js"
import { mintData } from "./mints.js"
import { requireBinary } from "./process.js"

const anvil = requireBinary("anvil", "sweeps on anvil")
const surfpool = requireBinary("surfpool", "sweeps on Surfpool")
const emulator = requireBinary("ton-sandbox", "sweeps on the emulator of TON")

const mnemonic = "test test test test test test test test test test test junk"
const newKey = (): string => randomBytes(32).toString("hex")

describe.runIf(anvil !== undefined)("a sweep on anvil", () => {
  const scope = Effect.runSync(Scope.make())
  const shop = "0x000000000000000000000000000000000000bEEF"
  let sdk: PromiseSdk<"ethereum-mainnet">
  let url = ""
  const chain = () =>
    createTestClient({ mode: "anvil", chain: mainnet, transport: http(url), cacheTime: 0 }).extend(
      publicActions
    )

  beforeAll(async () => {
    url = (await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1, accounts: 2 }), scope))).url
    sdk = await init({ network: "ethereum-mainnet", rpc: { nodes: [{ url }] }, quiet: true, ...nodeLimits })
  })
  afterAll(async () => {
    await sdk.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("pays for an address without coins once, and leaves what the fee was not", async () => {
    const [gas, from] = [
      take(await Evm.signer(sdk, { mnemonic })),
      take(await Evm.signer(sdk, { privateKey: newKey() }))
    ]
    const args = ["Token", "TKN", 6, 5_000_000n, gas.address, gas.address, gas.address, gas.address, 0n]
    const data = encodeDeployData({ abi: Fungible.abi, bytecode: Fungible.bytecode, args } as never)
    const deployed = take(await gas.sendTransaction({ data, confirmations: 1 }))
    const nonce = BigInt(deployed.prepared.transaction.nonce ?? 0)
    const token = getContractAddress({ from: gas.address, nonce })
    const tokens = (owner: `0x${string}`) =>
      chain().readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [owner] })
    const coins = (address: `0x${string}`) => chain().getBalance({ address })
    const sweep = { from, gas, token, to: shop, maxGas: "0.01" }

    expect(await refusal(sweepToken(sweep))).toMatchObject({ _tag: "InsufficientFunds", token })
    take(await gas.sendToken({ token, to: from.address, amount: "1.25", confirmations: 1 }))
    const before = await coins(gas.address)
    const preview = take(await prepareSweep(sweep))
    expect(preview.funding?.amount).toBeGreaterThan(0n)
    expect(await refusal(sweepToken({ ...sweep, maxGas: preview.cost - 1n }))).toMatchObject({
      _tag: "GasOverCap"
    })
    expect(await coins(gas.address)).toBe(before)
    const { cost, fundings, payment } = take(
      await sweepToken({ ...sweep, maxGas: preview.cost * 2n, confirmations: 1 })
    )
    expect(fundings).toHaveLength(1)
    expect(await tokens(shop)).toBe(1_250_000n)
    expect(await tokens(from.address)).toBe(0n)
    expect(before - (await coins(gas.address))).toBeLessThanOrEqual(cost)
    const { effectiveGasPrice, gasUsed } = await chain().getTransactionReceipt({
      hash: payment.hash as `0x${string}`
    })
    const [funded] = fundings
    expect(await coins(from.address)).toBe((funded?.prepared.amount ?? 0n) - gasUsed * effectiveGasPrice)

    // what is left of the gas is what the next sweep needs less
    take(await gas.sendToken({ token, to: from.address, amount: "0.5", confirmations: 1 }))
    const left = await coins(from.address)
    const next = take(await sweepToken({ ...sweep, confirmations: 1 }))
    expect(next.cost).toBeLessThan(cost)
    expect(next.cost + left).toBeGreaterThan(next.payment.prepared.fee)
    expect(await tokens(shop)).toBe(1_750_000n)
  })
})

describe.runIf(surfpool !== undefined)("a sweep on Surfpool", () => {
  const scope = Effect.runSync(Scope.make())
  let node: Surfpool.SurfpoolNode
  let sdk: PromiseSdk<"solana-devnet">
  let next = 101
  const anyone = async () =>
    (await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(next++))).address

  beforeAll(async () => {
    node = await Effect.runPromise(Scope.extend(Surfpool.start({ slotTime: 60 }), scope))
    sdk = await init({
      network: "solana-devnet",
      rpc: { nodes: [{ url: node.url }] },
      quiet: true,
      ...nodeLimits
    })
  })
  afterAll(async () => {
    await sdk?.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const cheat = async (method: string, ...params: ReadonlyArray<unknown>) =>
    take(await sdk.rpc.rawRpcCall({ method, params }))
  const lamports = async (address: string): Promise<bigint> =>
    take(await sdk.rpc.getBalance(address, { commitment: "confirmed" })).value

  it("pays for the receiver's account of the token and empties the address, or leaves its least", async () => {
    const program = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
    const gas = take(await Solana.signer(sdk, { mnemonic }))
    await Effect.runPromise(node.fund(gas.address, "10"))
    const [token, shop] = [await anyone(), await anyone()]
    const data = mintData()
    await cheat("surfnet_setAccount", token, {
      lamports: (data.length + 128) * 6_960,
      data: data.toString("hex"),
      owner: program,
      executable: false
    })
    const order = async (index: number) => {
      const from = take(await Solana.signer(sdk, { mnemonic, index }))
      await cheat("surfnet_setTokenAccount", from.address, token, { amount: 5_000_000 }, program)
      return { from, gas, token, to: shop, maxGas: "0.01" }
    }
    // without the account of the receiver, the address is paid for it, and has nothing after it
    const first = await order(1)
    expect(await lamports(first.from.address)).toBe(0n)
    const swept = take(await sweepToken({ ...first, confirmations: 1 }))
    expect(swept).toMatchObject({
      cost: 2_049_280n,
      fundings: [{ prepared: { amount: 2_044_280n, fee: 5_000n } }]
    })
    expect(await lamports(first.from.address)).toBe(0n)
    // an account of less than the least cannot be
    const second = await order(2)
    expect(take(await prepareSweep(second))).toMatchObject({ funding: { amount: 895_880n }, cost: 900_880n })
    take(await sweepToken({ ...second, confirmations: 1 }))
    expect(await lamports(second.from.address)).toBe(890_880n)
    expect(await lamports(gas.address)).toBe(10_000_000_000n - 2_049_280n - 900_880n)
    const { value } = take(
      await sdk.rpc.getTokenAccountsByOwner(
        shop,
        { mint: token },
        { commitment: "confirmed", encoding: "jsonParsed" }
      )
    )
    expect(JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each))).toContain(
      '"amount":"10000000"'
    )
    expect(await refusal(sweepToken(second))).toMatchObject({ _tag: "InsufficientFunds", token })
  })
})

describe.runIf(emulator !== undefined)("a sweep on the emulator of TON", () => {
  const scope = Effect.runSync(Scope.make())
  const ID = "ton-mainnet"
  let sdk: PromiseSdk<typeof ID>
  let fund: (address: string, amount: string) => Promise<string>

  beforeAll(async () => {
    const sandbox = await Effect.runPromise(
      Sandbox.make({ networks: [{ network: ID }] }).pipe(Scope.extend(scope))
    )
    sdk = await init({ ...sandbox.config(ID), network: ID, quiet: true, ...nodeLimits })
    fund = (address, amount) => Effect.runPromise(sandbox.network(ID).fund(address, amount))
  })
  afterAll(async () => {
    await sdk?.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("pays for the contract of the address and the way of the tokens, in one payment", async () => {
    const [jetton] = await deployJettons(emulator ?? "", [{ keeps: false, isMintless: false }])
    if (jetton === undefined) throw new Error("no token")
    const token = jetton.address.toString()
    const [gas, from] = [
      take(await Ton.signer(sdk, { privateKey: newKey() })),
      take(await Ton.signer(sdk, { privateKey: newKey() }))
    ]
    await fund(gas.address, "5")
    await fund(token, "5")
    take(await sdk.rpc.sendBocReturnHash({ boc: jetton.minting(Address.parse(from.address), 3_000_000n) }))
    const shop = `0:${"5".repeat(64)}`
    const sweep = { from, gas, token, to: shop, decimals: 6, maxGas: "0.3" }
    expect(take(await prepareSweep(sweep))).toMatchObject({ funding: { amount: 120_000_001n } })
    const { cost, fundings, payment } = take(await sweepToken({ ...sweep, confirmations: 1 }))
    expect(fundings).toHaveLength(1)
    expect(cost).toBeLessThan(150_000_000n)
    expect(payment.prepared).toMatchObject({ amount: 3_000_000n })
    expect(await refusal(sweepToken(sweep))).toMatchObject({ _tag: "InsufficientFunds" })
  })
})
