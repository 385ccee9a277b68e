/** The libraries that people use for ABIs, signing and names, over the pool: viem, ethers and web3 on anvil, kit on Surfpool. */
import { createRequire } from "node:module"
import {
  AccountRole,
  appendTransactionMessageInstruction,
  createSolanaRpcFromTransport,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isSolanaError,
  address as kitAddress,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners
} from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as ethers from "ethers"
import { BrowserProvider, Contract, Wallet } from "ethers"
import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  custom,
  encodeErrorResult,
  type Hash,
  http,
  parseAbi,
  parseEther,
  type Transport,
  toFunctionSelector
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { mainnet } from "viem/chains"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Web3 } from "web3"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { nodeLimits } from "../nodeLimits.js"
import { take } from "../results.js"
import { requireBinary } from "./process.js"

const anvil = requireBinary("anvil", "viem and ethers over the pool")

/** The first account of anvil's mnemonic, which everybody knows. */
const key = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
const receiver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

/** Init code of a contract that reverts every call with the error Nope(). */
const refusing = `0x6c63${toFunctionSelector("Nope()").slice(2)}6000526004601cfd600052600d6013f3` as const

/** What a promise rejects with, and after how many milliseconds. */
const failing = async (
  run: () => Promise<unknown>
): Promise<{ readonly error: unknown; readonly ms: number }> => {
  const began = performance.now()
  const error = await run().then(
    () => undefined,
    (thrown: unknown) => thrown
  )
  return { error, ms: performance.now() - began }
}

/** The same over a node alone and over the pool, in turns: whatever else the machine does, it does to both. */
const compared = async (alone: () => Promise<unknown>, pooled: () => Promise<unknown>) => {
  const times: { readonly alone: Array<number>; readonly pooled: Array<number> } = { alone: [], pooled: [] }
  let errors: readonly [unknown, unknown] = [undefined, undefined]
  for (let i = 0; i < 9; i++) {
    const first = await failing(alone)
    const second = await failing(pooled)
    times.alone.push(first.ms)
    times.pooled.push(second.ms)
    errors = [first.error, second.error]
  }
  const median = (values: Array<number>): number => values.sort((a, b) => a - b)[4] ?? Number.NaN
  return { errors, alone: median(times.alone), pooled: median(times.pooled) }
}

/** The names, codes and data of an error and its causes, as a program looks at them. */
const features = (error: unknown): ReadonlyArray<unknown> => {
  if (!(error instanceof Error)) return []
  const { code, data }: { readonly code?: unknown; readonly data?: unknown } = Object(error)
  return [{ name: error.name, code, data }, ...features(error.cause)]
}

/** Init code of a contract that answers every call with the number 42, and reverts where it is sent ether. */
const answering42 = "0x6013600c60003960136000f334600e57602a60005260206000f35b60006000fd"

/** Init code of a contract that refuses every call with `Error("too late")`: 12 bytes return the rest, whose first 12 revert with the last 100. */
const refusingInWords: `0x${string}` = `0x6070600c60003960706000f36064600c60003960646000fd08c379a0${"20".padStart(64, "0")}${"8".padStart(64, "0")}${"746f6f206c617465".padEnd(64, "0")}`

describe.runIf(anvil !== undefined)("over the pool of an EVM client", () => {
  const scope = Effect.runSync(Scope.make())
  let node = ""
  let sdk: PromiseSdk<"ethereum-mainnet">
  let contract: `0x${string}` = "0x"
  const account = privateKeyToAccount(key)
  const abi = parseAbi([
    "function answer() view returns (uint256)",
    "function pay() payable returns (uint256)"
  ])

  beforeAll(async () => {
    const { url } = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1 }), scope))
    node = url
    sdk = await init({ network: "ethereum-mainnet", rpc: { nodes: [{ url }] }, quiet: true, ...nodeLimits })
  })
  afterAll(async () => {
    await sdk.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
  const raw = (method: string, ...params: ReadonlyArray<unknown>) =>
    sdk.rpc.rawRpcCall({ method, params }).then(take)

  it("viem deploys, reads and sends", async () => {
    const transport = custom(sdk.rpc.eip1193())
    const reader = createPublicClient({ chain: mainnet, transport, pollingInterval: 50 })
    const writer = createWalletClient({ account, chain: mainnet, transport })
    const deployed = await reader.waitForTransactionReceipt({
      hash: await writer.deployContract({ abi, bytecode: answering42 })
    })
    contract = deployed.contractAddress ?? "0x"
    expect(await reader.readContract({ address: contract, abi, functionName: "answer" })).toBe(42n)
    const before = await reader.getBalance({ address: receiver })
    const hash = await writer.sendTransaction({ to: receiver, value: parseEther("1.5") })
    expect(take(await sdk.rpc.waitForTransaction(hash, { pollingInterval: 20 })).status).toBe("0x1")
    expect((await reader.getBalance({ address: receiver })) - before).toBe(parseEther("1.5"))
  })

  it("a transaction that its contract has refused is an error, with the receipt and the contract's reason", async () => {
    const writer = createWalletClient({ account, chain: mainnet, transport: custom(sdk.rpc.eip1193()) })
    const wait = (hash: Hash, options: { readonly allowFailure?: boolean } = {}) =>
      sdk.rpc.waitForTransaction(hash, { pollingInterval: 20, ...options })
    const failureOf = async (hash: Hash) => {
      const outcome = await wait(hash)
      if (outcome.status !== "ERROR" || outcome.error.cause._tag !== "TransactionFailed")
        throw new Error(`it did not fail: ${JSON.stringify(outcome)}`)
      return outcome.error.cause
    }
    const deployment = await writer.sendTransaction({ data: refusingInWords })
    const { contractAddress: to } = take(await wait(deployment))
    const data = encodeErrorResult({ abi: parseAbi(["error Error(string)"]), args: ["too late"] })
    const hash = await writer.sendTransaction({ to, data: "0x01", gas: 100_000n })
    const failure = await failureOf(hash)
    expect(failure).toMatchObject({ hash, reason: "too late", data })
    expect(failure.receipt).toEqual(take(await sdk.rpc.getTransactionReceipt(hash)))
    expect(failure.receipt.status).toBe("0x0")
    expect(take(await wait(hash, { allowFailure: true }))).toEqual(failure.receipt)
    // one whose gas does not suffice, and a deployment
    expect(
      (await failureOf(await writer.sendTransaction({ to, data: "0x01", gas: 21_045n }))).reason
    ).toMatch(/gas|OOG/)
    const code = refusingInWords.slice(2 + 2 * 12)
    const refused = await writer.sendTransaction({ data: `0x${code}`, gas: 200_000n })
    expect(await failureOf(refused)).toMatchObject({ reason: "too late", receipt: { to: null } })
  })

  it("viem gets the node's own errors", async () => {
    const reader = createPublicClient({ chain: mainnet, transport: custom(sdk.rpc.eip1193()) })
    await expect(
      reader.simulateContract({ account, address: contract, abi, functionName: "pay", value: 1n })
    ).rejects.toMatchObject({ name: "ContractFunctionExecutionError" })
    await expect(sdk.rpc.eip1193().request({ method: "eth_nonsense" })).rejects.toMatchObject({
      name: "ProviderRpcError",
      code: -32601,
      cause: { _tag: "RpcError" }
    })
  })

  /** A contract that says no, and how viem, ethers and web3 know it. */
  const nope = parseAbi(["function ask() view returns (uint256)", "error Nope()"])
  const deployed = async (): Promise<`0x${string}`> => {
    const transport = sdk.rpc.viemTransport()
    const reader = createPublicClient({ chain: mainnet, transport, pollingInterval: 20 })
    const writer = createWalletClient({ account, chain: mainnet, transport })
    const hash = await writer.deployContract({ abi: nope, bytecode: refusing })
    const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
    return contractAddress ?? "0x"
  }

  it.each([
    ["of its own", (): Transport => sdk.rpc.viemTransport()],
    ["made by custom", (): Transport => sdk.rpc.viemTransport(custom)]
  ])("viem's transport, %s, brings a revert as soon and as the same as http does", async (_, transport) => {
    const address = await deployed()
    const ask = { address, abi: nope, functionName: "ask" } as const
    const plain: Transport = http(node)
    const alone = createPublicClient({ chain: mainnet, transport: plain })
    const pooled = createPublicClient({ chain: mainnet, transport: transport() })
    for (const act of [
      (client: typeof alone) => client.readContract(ask),
      (client: typeof alone) => client.simulateContract({ ...ask, account }),
      (client: typeof alone) => client.estimateContractGas({ ...ask, account })
    ]) {
      const { errors, ...times } = await compared(
        () => act(alone),
        () => act(pooled)
      )
      for (const error of errors) {
        const reverted =
          error instanceof BaseError
            ? error.walk((each) => each instanceof ContractFunctionRevertedError)
            : null
        expect(reverted).toMatchObject({ name: "ContractFunctionRevertedError", data: { errorName: "Nope" } })
      }
      console.log(
        `a revert by viem: ${times.pooled.toFixed(1)} ms, over http alone ${times.alone.toFixed(1)} ms`
      )
      expect(times.pooled).toBeLessThan(times.alone * 4 + 100)
    }
  })

  it("viem's transport has errors by the names that viem has", async () => {
    const alone = createPublicClient({ chain: mainnet, transport: http(node, { retryCount: 0 }) })
    const request = { method: "eth_nonsense" } as never
    const [expected] = features((await failing(() => alone.request(request))).error)
    for (const transport of [sdk.rpc.viemTransport(), sdk.rpc.viemTransport(custom)]) {
      const client = createPublicClient({ chain: mainnet, transport })
      const { error } = await failing(() => client.request(request))
      expect(features(error)[0]).toMatchObject(Object(expected))
      // the words of the node, by which viem knows what to say of a transaction
      const broke = createWalletClient({ account, chain: mainnet, transport })
      const poor = { to: receiver, value: parseEther("1000000000"), gas: 21_000n } as const
      await expect(broke.sendTransaction(poor)).rejects.toMatchObject({
        cause: { name: "InsufficientFundsError" }
      })
    }
  })

  it("viem's watchers go on over the pool", async () => {
    const client = createPublicClient({
      chain: mainnet,
      transport: sdk.rpc.viemTransport(),
      pollingInterval: 20
    })
    const filter = await client.createBlockFilter()
    await raw("anvil_mine", "0x2")
    expect(await client.getFilterChanges({ filter })).toHaveLength(2)
    expect(await client.uninstallFilter({ filter })).toBe(true)
  })

  it("ethers has a revert as soon and as the same as over its own provider", async () => {
    const address = await deployed()
    const abi = ["function ask() view returns (uint256)", "error Nope()"]
    const own = new ethers.JsonRpcProvider(node, 1, { staticNetwork: true, cacheTimeout: -1 })
    const provider = sdk.rpc.ethersProvider(ethers)
    const ask = (through: ethers.AbstractProvider) => () =>
      new Contract(address, abi, through).getFunction("ask").staticCall()
    const { errors, ...times } = await compared(ask(own), ask(provider))
    for (const error of errors) {
      expect(error).toMatchObject({ code: "CALL_EXCEPTION", revert: { name: "Nope" } })
    }
    console.log(`a revert by ethers: ${times.pooled.toFixed(1)} ms, alone ${times.alone.toFixed(1)} ms`)
    expect(times.pooled).toBeLessThan(times.alone * 4 + 100)
    expect(await provider.getBlockNumber()).toBe(await own.getBlockNumber())
    const sent = await new Wallet(key, provider).sendTransaction({ to: receiver, value: 3n })
    expect((await sent.wait())?.status).toBe(1)
    provider.destroy()
    own.destroy()
  })

  it("web3 has a revert as soon and as the same as over its own provider", async () => {
    const address = await deployed()
    const own = new Web3(node)
    const pooled = new Web3(sdk.rpc.web3Provider())
    const abi = [
      {
        type: "function",
        name: "ask",
        inputs: [],
        outputs: [{ type: "uint256", name: "" }],
        stateMutability: "view"
      },
      { type: "error", name: "Nope", inputs: [] }
    ] as const
    const ask = (web3: Web3) => () => new web3.eth.Contract(abi, address).methods.ask().call()
    const { errors, ...times } = await compared(ask(own), ask(pooled))
    expect(features(errors[1])).toEqual(features(errors[0]))
    expect(features(errors[1])).toMatchObject([
      { name: "ContractExecutionError" },
      { name: "Eip838ExecutionError", code: 3 }
    ])
    console.log(`a revert by web3: ${times.pooled.toFixed(1)} ms, alone ${times.alone.toFixed(1)} ms`)
    expect(times.pooled).toBeLessThan(times.alone * 4 + 100)
    for (const wrong of [own, pooled]) {
      const request = { method: "eth_nonsense", params: [] } as never
      await expect(wrong.requestManager.send(request)).rejects.toMatchObject({
        name: "InvalidResponseError",
        code: 101
      })
    }
    expect(await pooled.eth.getBalance(receiver)).toBe(await own.eth.getBalance(receiver))
    const batch = new pooled.BatchRequest()
    const asked = ["0x0", "0x1"].map((block, i) =>
      batch.add({ jsonrpc: "2.0", id: i + 1, method: "eth_getBlockByNumber", params: [block, false] })
    )
    await batch.execute()
    expect(await Promise.all(asked)).toMatchObject([{ number: "0x0" }, { number: "0x1" }])
    pooled.eth.transactionPollingInterval = 50
    const signed = await pooled.eth.accounts.signTransaction(
      {
        to: receiver,
        value: 5n,
        gas: 21_000n,
        gasPrice: await pooled.eth.getGasPrice(),
        nonce: await pooled.eth.getTransactionCount(account.address),
        chainId: 1
      },
      key
    )
    expect(await pooled.eth.sendSignedTransaction(signed.rawTransaction)).toMatchObject({ status: 1n })
  })

  it("ethers reads and sends", async () => {
    const provider = new BrowserProvider(sdk.rpc.eip1193(), 1, { cacheTimeout: -1 })
    const wallet = new Wallet(key, provider)
    const answer = new Contract(contract, ["function answer() view returns (uint256)"], provider)
    expect(await answer.getFunction("answer")()).toBe(42n)
    const before = await provider.getBalance(receiver)
    const sent = await wallet.sendTransaction({ to: receiver, value: 7n })
    await sent.wait()
    expect((await provider.getBalance(receiver)) - before).toBe(7n)
    provider.destroy()
  })

  it("a transaction is waited for through a reorganisation", async () => {
    const reader = createPublicClient({ chain: mainnet, transport: custom(sdk.rpc.eip1193()) })
    const snapshot = await raw("evm_snapshot")
    const signed = await account.signTransaction({
      chainId: 1,
      nonce: await reader.getTransactionCount({ address: account.address }),
      to: receiver,
      value: 9n,
      gas: 21_000n,
      gasPrice: await reader.getGasPrice(),
      type: "legacy"
    })
    const hash = take(await sdk.rpc.sendRawTransaction(signed))
    const first = take(await sdk.rpc.waitForTransaction(hash, { pollingInterval: 20 }))
    const waiting = sdk.rpc.waitForTransaction(hash, { confirmations: 4, pollingInterval: 20 })
    // the branch with the transaction is given up, the other one grows, and has the transaction later
    await raw("evm_revert", snapshot)
    await raw("anvil_mine", "0x3")
    take(await sdk.rpc.sendRawTransaction(signed))
    await raw("anvil_mine", "0x3")
    const kept = take(await waiting)
    expect(kept.transactionHash).toBe(first.transactionHash)
    expect(kept.blockHash).not.toBe(first.blockHash)
    expect(BigInt(kept.blockNumber)).toBe(BigInt(first.blockNumber) + 3n)
  })
})

const surfpool = requireBinary("surfpool", "kit over the pool")

/** What Surfpool's module has, as far as it is used here. */
interface Surfpool {
  readonly Surfnet: {
    readonly startWithConfig: (config: object) => { readonly rpcUrl: string; readonly stop: () => void }
  }
}

describe.runIf(surfpool !== undefined)("over the pool of a Solana client", () => {
  let sdk: PromiseSdk<"solana-devnet">
  let stop = (): void => {}

  beforeAll(async () => {
    const { Surfnet }: Surfpool = createRequire(import.meta.url)(surfpool ?? "")
    const net = Surfnet.startWithConfig({ offline: true, slotTimeMs: 20 })
    stop = () => net.stop()
    sdk = await init({
      network: "solana-devnet",
      rpc: { nodes: [{ url: net.rpcUrl }] },
      quiet: true,
      ...nodeLimits
    })
  })
  afterAll(async () => {
    await sdk.destroy()
    stop()
  })

  it("kit signs, sends and reads", async () => {
    const rpc = createSolanaRpcFromTransport(sdk.rpc.kitTransport())
    const payer = await generateKeyPairSigner()
    const { address: to } = await generateKeyPairSigner()
    const airdrop = take(await sdk.rpc.requestAirdrop(payer.address, 5_000_000_000n))
    take(await sdk.rpc.waitForTransaction(airdrop, { pollingInterval: 20 }))
    expect((await rpc.getBalance(payer.address).send()).value).toBe(5_000_000_000n)

    const { value: latest } = await rpc.getLatestBlockhash().send()
    const data = new DataView(new ArrayBuffer(12))
    // the system program's transfer, which is its instruction 2
    data.setUint32(0, 2, true)
    data.setBigUint64(4, 1_000_000_000n, true)
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (made) => setTransactionMessageFeePayerSigner(payer, made),
      (made) => setTransactionMessageLifetimeUsingBlockhash(latest, made),
      (made) =>
        appendTransactionMessageInstruction(
          {
            programAddress: kitAddress("11111111111111111111111111111111"),
            accounts: [
              { address: payer.address, role: AccountRole.WRITABLE_SIGNER },
              { address: to, role: AccountRole.WRITABLE }
            ],
            data: new Uint8Array(data.buffer)
          },
          made
        )
    )
    const signed = await signTransactionMessageWithSigners(message)
    const signature = getSignatureFromTransaction(signed)
    const wire = getBase64EncodedWireTransaction(signed)
    expect(await rpc.sendTransaction(wire, { encoding: "base64" }).send()).toBe(signature)
    const { lastValidBlockHeight } = latest
    expect(
      take(await sdk.rpc.waitForTransaction(signature, { lastValidBlockHeight, pollingInterval: 20 })).err
    ).toBeNull()
    expect((await rpc.getBalance(to).send()).value).toBe(1_000_000_000n)
  })

  it("kit makes its own errors of the node's", async () => {
    const rpc = createSolanaRpcFromTransport(sdk.rpc.kitTransport())
    const error: unknown = await rpc
      .getTokenAccountBalance(kitAddress("11111111111111111111111111111111"))
      .send()
      .catch((thrown: unknown) => thrown)
    expect(isSolanaError(error)).toBe(true)
    const aborted = rpc.getSlot().send({ abortSignal: AbortSignal.abort(new Error("changed my mind")) })
    await expect(aborted).rejects.toThrow("changed my mind")
  })
})
