/** Networks of the application's own on real nodes: three EVM chains, and one of Bitcoin's kind. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { parseAbi } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Sdk from "../../src/client/Sdk.js"
import { contract } from "../../src/contracts.js"
import { defineNetwork } from "../../src/define.js"
import { signer as bitcoinSigner } from "../../src/entries/signers/Bitcoin.js"
import { signer } from "../../src/entries/signers/Evm.js"
import { layerFetch } from "../../src/http/Http.js"
import { init, type PromiseSdk, type Result } from "../../src/promise.js"
import { listen } from "../../src/sandbox/Loopback.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import * as Litecoind from "../../src/sandbox/nodes/Litecoind.js"
import type { UtxoNode } from "../../src/sandbox/nodes/Utxo.js"
import { nodeLimits } from "../nodeLimits.js"
import { take } from "../results.js"
import { requireBinary } from "./process.js"

const found = await Effect.runPromise(Effect.either(Anvil.binary))
const hasAnvil = found._tag === "Right"
if (!hasAnvil) {
  if (process.env.CI === "true") throw found.left
  console.log("left out: defined networks on real nodes (no anvil binary)")
}
const litecoind = requireBinary("litecoind", "a defined network of Bitcoin's kind")

/** The first account of anvil's mnemonic, which is public. */
const privateKey = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
const account = privateKeyToAccount(privateKey)
const receiver = "0x000000000000000000000000000000000000bEEF"

const currency = { symbol: "TST", decimals: 18 } as const
const one = defineNetwork({ id: "nodes-one", family: "evm", chainId: 990_101, currency })
const two = defineNetwork({ id: "nodes-two", family: "evm", chainId: 990_102, currency, testnet: true })
const three = defineNetwork({ id: "nodes-three", family: "evm", chainId: 990_103, currency })

/** A contract that answers every call with 42: the code that deploys it. */
const init42 = `0x602a60005260206000f3`
const deploy42 = `0x69${init42.slice(2)}600052600a6016f3` as const
const abi = parseAbi(["function answer() view returns (uint256)"])

describe.runIf(hasAnvil).each([one, two, three])("$id on anvil", (network) => {
  const scope = Effect.runSync(Scope.make())
  let url = ""
  let sdk: PromiseSdk<typeof one>

  beforeAll(async () => {
    const anvil = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: network.chainId }), scope))
    url = anvil.url
    const made: PromiseSdk<typeof one | typeof two | typeof three> = await init({
      network,
      rpc: { nodes: [{ url, wsUrl: url.replace("http", "ws") }] },
      quiet: true,
      ...nodeLimits
    })
    // the three have one family, and so one type of calls
    sdk = made as PromiseSdk<typeof one>
  })
  afterAll(async () => {
    await sdk?.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("answers calls", async () => {
    expect(take(await sdk.rpc.chainId())).toBe(BigInt(network.chainId))
    expect(take(await sdk.rpc.getBalance(account.address))).toBe(10_000n * 10n ** 18n)
    expect(sdk.network).toBe(network.id)
  })

  it("pays with a signer, in the coin of the definition", async () => {
    const alice = take(await signer(sdk, { privateKey }))
    const prepared = take(await alice.prepare({ to: receiver, amount: "1.5" }))
    expect(prepared).toMatchObject({ network: network.id, amount: 1_500_000_000_000_000_000n })
    expect(prepared.outgoing[0]).toMatchObject({ asset: "TST" })
    const sent = take(await alice.submit(prepared, { confirmations: 1 }))
    expect(take(await sdk.rpc.getTransactionReceipt(sent.hash as `0x${string}`))?.status).toBe("0x1")
    expect(take(await sdk.rpc.getBalance(receiver))).toBe(1_500_000_000_000_000_000n)
  })

  it("reads a contract", async () => {
    const alice = take(await signer(sdk, { privateKey }))
    const request = take(await alice.prepareTransaction({ data: deploy42 }))
    const sent = take(await alice.submit(request, { confirmations: 1 }))
    const receipt = take(await sdk.rpc.getTransactionReceipt(sent.hash as `0x${string}`))
    const { read } = contract(sdk, { address: receipt?.contractAddress ?? "", abi })
    expect(take(await read.answer())).toBe(42n)
  })

  it("tells new blocks", async () => {
    const heads = sdk.rpc.subscribe.newHeads()[Symbol.asyncIterator]()
    const next = heads.next()
    const height = take(await sdk.rpc.blockNumber())
    const alice = take(await signer(sdk, { privateKey }))
    // payments until the subscription stands and has told one of their blocks
    let told: Awaited<typeof next> | undefined
    void next.then((value) => {
      told = value
    })
    while (told === undefined) take(await alice.send({ to: receiver, amount: 1n, confirmations: 1 }))
    expect(told.done).toBe(false)
    const head = take(told.value as Result<{ readonly number: string }, Error>)
    expect(BigInt(head.number)).toBeGreaterThan(height)
    await heads.return?.()
  })

  it("has clients on the Effect surface", async () => {
    class Chain extends Sdk.Tag("Chain", network)<Chain>() {}
    expect(Chain.key).toBe(`effect-chains/Sdk/${network.id}/Chain`)
    const program = Effect.flatMap(Chain, ({ rpc }) => rpc.chainId())
    const layer = Chain.layerHttp({ rpc: { nodes: [{ url }] }, quiet: true })
    expect(await Effect.runPromise(Effect.provide(Effect.provide(program, layer), layerFetch))).toBe(
      BigInt(network.chainId)
    )
  })

  it("is not served by nodes of another chain", async () => {
    const other = defineNetwork({ id: `${network.id}-other`, family: "evm", chainId: 990_199, currency })
    await using wrong = await init({ network: other, rpc: { nodes: [{ url }] }, quiet: true, retryCount: 0 })
    const answer = await wrong.rpc.blockNumber()
    expect(answer).toMatchObject({ status: "ERROR", error: { cause: { kind: "wrong-chain" } } })
  })
})

const GENESIS = "530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9"

describe.runIf(litecoind !== undefined)("a defined network on Litecoin Core", () => {
  const parameters = { pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef, bech32: "rltc", coinType: 1 } as const
  const regtest = defineNetwork({
    id: "litecoin-regtest",
    family: "utxo",
    testnet: true,
    currency: { symbol: "LTC", decimals: 8 },
    utxo: { ...parameters, genesisHash: GENESIS, dustRate: 30_000 }
  })
  const scope = Effect.runSync(Scope.make())
  let node: UtxoNode
  let sdk: PromiseSdk<typeof regtest>
  let url = ""

  beforeAll(async () => {
    const started = await Effect.runPromise(
      Effect.gen(function* () {
        const running = yield* Litecoind.start({ command: litecoind ?? "", blockTime: 3_600 })
        return { running, port: yield* listen(running.handler) }
      }).pipe(Scope.extend(scope))
    )
    node = started.running
    url = `http://127.0.0.1:${started.port}`
    sdk = await init({ network: regtest, rpc: { nodes: [{ url }] }, quiet: true, ...nodeLimits })
  })
  afterAll(async () => {
    await sdk?.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("pays between addresses of the definition's own prefix", async () => {
    expect(take(await sdk.rpc.getBlockHash(0))).toBe(GENESIS)
    const utxos = async (address: string) => {
      const { unspents } = take(await sdk.rpc.scanTxOutSet([`addr(${address})`]))
      return unspents.map(({ amount, txid, vout }) => ({ txid, vout, amount: Number(amount).toFixed(8) }))
    }
    const mnemonic = `${"abandon ".repeat(11)}about`
    const alice = take(await bitcoinSigner(sdk, { mnemonic, utxos }))
    const bob = take(await bitcoinSigner(sdk, { mnemonic, index: 1, utxos }))
    expect(alice.address).toMatch(/^rltc1q/)
    await Effect.runPromise(node.fund(alice.address, "3"))
    await Effect.runPromise(node.mine(1))
    const prepared = take(await alice.prepare({ to: bob.address, amount: "1.25" }))
    const sent = take(await alice.submit(prepared))
    await Effect.runPromise(node.mine(1))
    take(await sdk.rpc.waitForTransaction(sent.hash))
    expect((await utxos(bob.address)).map(({ amount }) => amount)).toEqual(["1.25000000"])
  })

  it("is not served by nodes with another first block", async () => {
    const other = defineNetwork({
      id: "litecoin-other",
      family: "utxo",
      currency: { symbol: "LTC", decimals: 8 },
      utxo: { ...parameters, genesisHash: "0".repeat(64) }
    })
    await using wrong = await init({ network: other, rpc: { nodes: [{ url }] }, quiet: true, retryCount: 0 })
    expect(await wrong.rpc.getBlockCount()).toMatchObject({
      status: "ERROR",
      error: { cause: { kind: "wrong-chain" } }
    })
  })
})
