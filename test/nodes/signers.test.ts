// @covers payments on anvil: evm
// @covers tokens on anvil: evm
// @covers policies on anvil: evm
// @covers replacement on anvil: evm
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import {
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  http,
  parseEther,
  publicActions
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { mainnet } from "viem/chains"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import * as Sdk from "../../src/client/Sdk.js"
import * as Evm from "../../src/entries/effect/signers/Evm.js"
import { signer } from "../../src/entries/signers/Evm.js"
import { policy } from "../../src/policy.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import { Fungible } from "../../src/sandbox/contracts/artefacts.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { nodeLimits } from "../nodeLimits.js"
import { refusal, take } from "../results.js"

const found = await Effect.runPromise(Effect.either(Anvil.binary))
const present = found._tag === "Right"
if (!present) {
  if (process.env.CI === "true") throw found.left
  console.log("left out: signers on real nodes (no anvil binary)")
}

const mnemonic = "test test test test test test test test test test test junk"
const receiver = "0x000000000000000000000000000000000000bEEF"

describe.runIf(present)("signers on anvil", () => {
  const scope = Effect.runSync(Scope.make())
  let sdk: PromiseSdk<"ethereum-mainnet">
  let url = ""
  const chain = () =>
    createTestClient({ mode: "anvil", chain: mainnet, transport: http(url), cacheTime: 0 }).extend(
      publicActions
    )
  const made = async (index: number) => take(await signer(sdk, { mnemonic, index }))

  beforeAll(async () => {
    const anvil = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1, accounts: 40 }), scope))
    url = anvil.url
    sdk = await init({
      network: "ethereum-mainnet",
      rpc: { nodes: [{ url }] },
      quiet: true,
      ...nodeLimits
    })
  })
  // a test that fails must not leave the others without blocks
  afterEach(() => chain().setAutomine(true))
  afterAll(async () => {
    await sdk.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("pays, and takes no more than its preview says", async () => {
    const alice = await made(0)
    const before = await chain().getBalance({ address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266" })
    const prepared = take(await alice.prepare({ to: receiver, amount: "1.5" }))
    expect(prepared).toMatchObject({
      from: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
      amount: 1_500_000_000_000_000_000n,
      warnings: []
    })
    const sent = take(await alice.submit(prepared, { confirmations: 1 }))
    expect(await chain().getBalance({ address: receiver })).toBe(parseEther("1.5"))
    const left =
      before - (await chain().getBalance({ address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266" }))
    expect(left).toBeLessThanOrEqual(prepared.amount + prepared.fee)
    const mined = await chain().getTransaction({ hash: sent.hash as `0x${string}` })
    const { gas, maxFeePerGas, value } = prepared.transaction
    expect(mined).toMatchObject({ gas, maxFeePerGas, value, type: "eip1559", chainId: 1 })
  })

  it("sends two hundred payments at once, whose nonces have no hole", async () => {
    const bob = await made(1)
    await chain().setAutomine(false)
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, i) => bob.send({ to: receiver, amount: BigInt(i + 1) }))
    )
    const hashes = all.map((each) => take(each).hash)
    expect(new Set(hashes).size).toBe(200)
    const nonces = all.map((each) => take(each).prepared.transaction.nonce ?? -1).sort((a, b) => a - b)
    expect(nonces).toEqual(Array.from({ length: 200 }, (_, i) => i))
    await chain().mine({ blocks: 2 })
    for (const hash of hashes)
      expect((await chain().getTransactionReceipt({ hash: hash as `0x${string}` })).status).toBe("success")
    await chain().setAutomine(true)
  })

  it("leaves no hole where one is refused, and goes on behind a reorganisation", async () => {
    const carol = await made(2)
    const all = await Promise.all([
      carol.send({ to: receiver, amount: 1n }),
      carol.send({ to: receiver, amount: "9000000" }),
      carol.send({ to: "0x1", amount: 1n }),
      carol.send({ to: receiver, amount: 2n, confirmations: 1 })
    ])
    expect(all.map(({ status }) => status)).toEqual(["SUCCESS", "ERROR", "ERROR", "SUCCESS"])
    expect(all[1]?.error?.cause).toMatchObject({ _tag: "InsufficientFunds", asset: "ETH" })
    expect(all[2]?.error?.cause).toMatchObject({ _tag: "InvalidAddress" })
    const [first, , , last] = all
    expect(first && take(first).prepared.transaction.nonce).not.toBe(
      last && take(last).prepared.transaction.nonce
    )
    await chain().request({ method: "anvil_rollback" as never, params: [2] as never })
    // both are gone from the chain, and are sent again before the next one
    const next = take(await carol.send({ to: receiver, amount: 3n, confirmations: 1 }))
    expect(next.prepared.transaction.nonce).toBe(2)
    expect(await chain().getTransactionCount({ address: carol.address as `0x${string}` })).toBe(3)
  })

  it("sees that another one has taken its nonce, and takes the next", async () => {
    const dora = await made(3)
    take(await dora.send({ to: receiver, amount: 1n }))
    const other = await made(3)
    take(await other.send({ to: receiver, amount: 2n }))
    take(await other.send({ to: receiver, amount: 2n }))
    const sent = take(await dora.send({ to: receiver, amount: 3n, confirmations: 1 }))
    expect(sent.prepared.transaction.nonce).toBe(3)
  })

  it("speeds up what waits, and cancels it", async () => {
    const eve = await made(4)
    await chain().setAutomine(false)
    // a signer that has not sent it, as that of another process
    const slow = take(await eve.send({ to: receiver, amount: "1" }))
    const other = await made(4)
    expect(take(await other.prepareSpeedUp(slow.hash, { speed: "fast" })).transaction).toMatchObject({
      nonce: slow.prepared.transaction.nonce,
      to: receiver,
      replaces: slow.hash
    })
    const waiting = eve.submit(slow.prepared, { confirmations: 1 })
    const fast = take(await eve.speedUp(slow.hash))
    expect(fast.prepared.transaction.nonce).toBe(slow.prepared.transaction.nonce)
    expect(fast.prepared.fee).toBeGreaterThan(slow.prepared.fee)
    const none = take(await other.cancel(fast.hash))
    expect(await refusal(eve.speedUp(slow.hash))).toMatchObject({ _tag: "InvalidArgument" })
    for (const account of [eve, other])
      expect(await refusal(account.speedUp(none.hash, { maxFee: 1n }))).toMatchObject({ _tag: "FeeOverCap" })
    await chain().mine({ blocks: 1 })
    expect((await chain().getTransactionReceipt({ hash: none.hash as `0x${string}` })).status).toBe("success")
    await expect(chain().getTransaction({ hash: slow.hash as `0x${string}` })).rejects.toThrow()
    await chain().setAutomine(true)
    await chain().mine({ blocks: 1 })
    take(await waiting)
  })

  it("signs nothing that its policy does not allow, whoever asks", async () => {
    const asked: Array<string> = []
    const account = privateKeyToAccount("0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356")
    const viem = {
      ...account,
      signTransaction: (transaction: never) => {
        asked.push("transaction")
        return account.signTransaction(transaction)
      },
      signTypedData: (data: never) => {
        asked.push("typed data")
        return account.signTypedData(data)
      }
    }
    const network = "ethereum-mainnet"
    const rules = {
      limits: [
        { network, amount: "1.5" },
        { network, amount: "2.5", per: "1 day" }
      ],
      recipients: { [network]: [receiver] }
    } as const
    const own = take(await signer(sdk, { viem: viem as never, policy: take(await policy(rules)) }))
    const before = await chain().getBalance({ address: account.address })
    const denied = (rule: string) => ({ _tag: "PolicyDenied", rule, address: account.address })
    take(await own.send({ to: receiver, amount: "1", confirmations: 1 }))
    expect(await refusal(own.send({ to: receiver, amount: "1.6" }))).toMatchObject(denied("limit"))
    const other = "0x000000000000000000000000000000000000dEaD"
    expect(await refusal(own.send({ to: other, amount: "1" }))).toMatchObject(denied("recipient"))
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [receiver, 1n] })
    expect(await refusal(own.sendTransaction({ to: receiver, data: approve }))).toMatchObject(
      denied("contract")
    )
    const typed = { domain: { chainId: 1 }, types: { A: [{ name: "a", type: "uint256" }] }, primaryType: "A" }
    expect(await refusal(own.signTypedData({ ...typed, message: { a: 1n } }))).toMatchObject(
      denied("signing")
    )
    take(await own.send({ to: receiver, amount: "1.4", confirmations: 1 }))
    expect(await refusal(own.send({ to: receiver, amount: "1" }))).toMatchObject(denied("limit"))
    expect(asked).toEqual(["transaction", "transaction"])
    const spent = before - (await chain().getBalance({ address: account.address }))
    expect(spent).toBeLessThanOrEqual(2_500_000_000_000_000_000n)
    expect(await chain().getTransactionCount({ address: account.address })).toBe(2)
  })

  it("pays in tokens, and refuses what the account does not have of them", async () => {
    const frank = await made(5)
    const owner = privateKeyToAccount("0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba")
    expect(owner.address).toBe(frank.address)
    const data = encodeDeployData({
      abi: Fungible.abi,
      bytecode: Fungible.bytecode,
      args: ["Token", "TKN", 6, 1_000_000n, owner.address, owner.address, owner.address, owner.address, 0n]
    } as never)
    const deployed = take(await frank.sendTransaction({ data, confirmations: 1 }))
    const token = getContractAddress({
      from: owner.address,
      nonce: BigInt(deployed.prepared.transaction.nonce ?? 0)
    })
    const balance = (owner: `0x${string}`) =>
      chain().readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [owner] })
    const prepared = take(await frank.prepare({ token, to: receiver, amount: "0.25" }))
    expect(prepared).toMatchObject({
      amount: 250_000n,
      token,
      outgoing: [{ symbol: "TKN", amount: "0.25", units: 250_000n, decimals: 6 }, { asset: "ETH" }]
    })
    take(await frank.sendToken({ token, to: receiver, amount: "0.25", confirmations: 1 }))
    expect(await balance(receiver)).toBe(250_000n)
    expect(await refusal(frank.sendToken({ token, to: receiver, amount: "900" }))).toMatchObject({
      _tag: "InsufficientFunds",
      asset: `eip155:1/erc20:${token}`
    })
    expect(await refusal(frank.sendToken({ token, to: receiver, amount: "0.1234567" }))).toMatchObject({
      _tag: "InvalidAmount"
    })
    expect(take(await frank.prepare({ token, to: token, amount: 1n })).warnings).toHaveLength(1)
    take(await frank.sendToken({ token, to: receiver, amount: "all", confirmations: 1 }))
    expect(await balance(owner.address)).toBe(0n)
    expect(await balance(receiver)).toBe(1_000_000n)
    expect(await refusal(frank.sendToken({ token, to: receiver, amount: "all" }))).toMatchObject({
      _tag: "InsufficientFunds"
    })
    expect(await refusal(frank.prepare({ token: receiver, to: receiver, amount: 1n }))).toMatchObject({
      _tag: "InvalidArgument"
    })
  })

  it("has gas for a receiver whose tokens are gone, or come, by the time of its block", async () => {
    const [owner, other, third] = [await made(37), await made(38), await made(39)]
    const { address } = owner
    const args = ["Token", "TKN", 6, 1_000_000n, address, address, address, address, 0n]
    const data = encodeDeployData({ abi: Fungible.abi, bytecode: Fungible.bytecode, args } as never)
    const deployed = take(await owner.sendTransaction({ data, confirmations: 1 }))
    const token = getContractAddress({
      from: address as `0x${string}`,
      nonce: BigInt(deployed.prepared.transaction.nonce ?? 0)
    })
    const pay = (to: string, amount: bigint | "all") => ({ token, to, amount, confirmations: 1 })
    take(await owner.sendToken(pay(other.address, 1_000n)))
    take(await owner.sendToken(pay(third.address, 1_000n)))

    // it was estimated for a receiver that has tokens
    const prepared = take(await owner.prepare({ token, to: third.address, amount: 10n }))
    take(await third.sendToken(pay(receiver, "all")))
    take(await owner.submit(prepared, { confirmations: 1 }))

    // some nodes estimate behind what waits for a block: there the receiver has tokens already
    const fresh = "0x00000000000000000000000000000000000cafe2"
    await chain().setAutomine(false)
    take(await owner.sendToken({ token, to: fresh, amount: 5n }))
    const behind = take(await other.prepare({ token, to: fresh, amount: 10n }))
    await chain().mine({ blocks: 1 })
    await chain().setAutomine(true)
    take(await other.submit(behind, { confirmations: 1 }))
  })

  it("sweeps all, and leaves what the fee was not", async () => {
    const [rich, swept] = [await made(6), await made(36)]
    const anyone = "0x00000000000000000000000000000000000cafe1"
    take(await rich.send({ to: swept.address, amount: "3", confirmations: 1 }))
    const before = await chain().getBalance({ address: swept.address as `0x${string}` })
    const { hash, prepared } = take(await swept.send({ to: anyone, amount: "all", confirmations: 1 }))
    expect(prepared.amount + prepared.fee).toBe(before)
    expect(await chain().getBalance({ address: anyone })).toBe(prepared.amount)
    const { effectiveGasPrice, gasUsed } = await chain().getTransactionReceipt({
      hash: hash as `0x${string}`
    })
    expect(await chain().getBalance({ address: swept.address as `0x${string}` })).toBe(
      prepared.fee - gasUsed * effectiveGasPrice
    )
  })

  it("tells a transaction that has failed in its block", async () => {
    const gary = await made(8)
    // it takes one call, and reverts on those behind it
    const once = "0x6012600c60003960126000f3600054600c57600160005500" + "5b60006000fd"
    const deployed = take(await gary.sendTransaction({ data: once, confirmations: 1 }))
    const nonce = BigInt(deployed.prepared.transaction.nonce ?? 0)
    const to = getContractAddress({ from: gary.address as `0x${string}`, nonce })
    await chain().setAutomine(false)
    const both = [1, 2].map(() => gary.sendTransaction({ to, data: "0x", confirmations: 1 }))
    await expect.poll(async () => (await chain().getTxpoolStatus()).pending).toBe(2)
    await chain().mine({ blocks: 1 })
    await chain().setAutomine(true)
    // whichever of both the node has answered first
    const outcomes = await Promise.all(both)
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["ERROR", "SUCCESS"])
    expect(outcomes.find(({ error }) => error !== undefined)?.error?.cause).toMatchObject({
      _tag: "TransactionFailed"
    })
  })

  it("signs with viem's accounts, functions and wallets, which are checked", async () => {
    const key = "0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e"
    const account = privateKeyToAccount(key)
    const viem = take(await signer(sdk, { viem: account }))
    expect(take(await viem.send({ to: receiver, amount: 1n, confirmations: 1 })).hash).toMatch(/^0x/)
    const liar = take(
      await signer(sdk, {
        viem: {
          ...account,
          signTransaction: (tx) => account.signTransaction({ ...(tx as object), value: 2n } as never)
        }
      })
    )
    expect(await refusal(liar.send({ to: receiver, amount: 1n }))).toMatchObject({ _tag: "SigningFailed" })
    const kms = take(
      await signer(sdk, {
        address: account.address,
        // without the parity, as a KMS signs
        sign: async (hash) => (await account.sign({ hash })).slice(0, 130) as `0x${string}`
      })
    )
    take(await kms.send({ to: receiver, amount: 1n, confirmations: 1 }))
    const other = take(await signer(sdk, { address: receiver, sign: (hash) => account.sign({ hash }) }))
    expect(await refusal(other.signMessage("hello"))).toMatchObject({ _tag: "SigningFailed" })
    const wallet = take(
      await signer(sdk, {
        eip1193: sdk.rpc.eip1193(),
        address: "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"
      }).then(async (result) =>
        result.status === "ERROR"
          ? signer(sdk, {
              eip1193: {
                request: ({ method, params }) =>
                  method === "eth_requestAccounts"
                    ? Promise.resolve(["0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"])
                    : chain().request({ method: method as never, params: params as never })
              }
            })
          : result
      )
    )
    const sent = take(await wallet.send({ to: receiver, amount: 5n, confirmations: 1 }))
    expect((await chain().getTransaction({ hash: sent.hash as `0x${string}` })).value).toBe(5n)
  })

  it("is a layer over the client of a network", async () => {
    class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}
    class Payments extends Context.Tag("Payments")<Payments, Evm.EvmSigner>() {}
    const live = Evm.layer(Payments, Eth, { mnemonic: Redacted.make(mnemonic), index: 7 }).pipe(
      Layer.provide(
        Eth.layer({ rpc: { nodes: [{ url }] }, quiet: true }).pipe(Layer.provide(NodeHttpClient.layerUndici))
      )
    )
    const sent = await Effect.runPromise(
      Effect.provide(
        Effect.flatMap(Payments, (payments) =>
          payments.send({ to: receiver, amount: "0.5", confirmations: 1 })
        ),
        live
      )
    )
    expect((await chain().getTransaction({ hash: sent.hash as `0x${string}` })).value).toBe(parseEther("0.5"))
  })
})
