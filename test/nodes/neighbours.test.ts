/** The libraries that people use for ABIs, signing and names, over the pool: viem and ethers on anvil, kit on Surfpool. */
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
import { BrowserProvider, Contract, Wallet } from "ethers"
import { createPublicClient, createWalletClient, custom, parseAbi, parseEther } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { mainnet } from "viem/chains"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { init, type PromiseSdk, type Result } from "../../src/promise.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { present } from "./process.js"

const anvil = present("anvil", "viem and ethers over the pool")

const take = <A, E>(result: Result<A, E>): A => {
  if (result.status === "SUCCESS") return result.data
  throw result.error.cause
}

/** The first account of anvil's mnemonic, which everybody knows. */
const key = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
const receiver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

/** Init code of a contract that answers every call with the number 42, and reverts where it is sent ether. */
const answering42 = "0x6013600c60003960136000f334600e57602a60005260206000f35b60006000fd"

describe.runIf(anvil !== undefined)("over the pool of an EVM client", () => {
  const scope = Effect.runSync(Scope.make())
  let sdk: PromiseSdk<"ethereum-mainnet">
  let contract: `0x${string}` = "0x"
  const account = privateKeyToAccount(key)
  const abi = parseAbi([
    "function answer() view returns (uint256)",
    "function pay() payable returns (uint256)"
  ])

  beforeAll(async () => {
    const { url } = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1 }), scope))
    sdk = await init({ network: "ethereum-mainnet", rpc: { nodes: [{ url }] }, quiet: true })
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

const surfpool = present("surfpool", "kit over the pool")

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
    sdk = await init({ network: "solana-devnet", rpc: { nodes: [{ url: net.rpcUrl }] }, quiet: true })
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
