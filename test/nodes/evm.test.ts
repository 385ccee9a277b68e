import { setTimeout as sleep } from "node:timers/promises"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { createPublicClient, http } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { classify, type Hex, type Receipt } from "../../src/chains/Evm.js"
import * as Sdk from "../../src/client/Sdk.js"
import { layerUndici } from "../../src/http/Http.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { nodeLimits } from "../nodeLimits.js"
import { take } from "../results.js"

const found = await Effect.runPromise(Effect.either(Anvil.binary))
const present = found._tag === "Right"
if (!present) {
  if (process.env.CI === "true") throw found.left
  console.log("left out: EVM on real nodes (no anvil binary)")
}

/** The first account of anvil's mnemonic, which is public. */
const account = privateKeyToAccount("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80")
const receiver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const word = (value: number | bigint): string => value.toString(16).padStart(64, "0")
const byte = (value: number): string => value.toString(16).padStart(2, "0")

/** Code that answers every call with these bytes; also the init code that deploys them. */
const answering = (data: string): Hex =>
  `0x60${byte(data.length / 2)}600c60003960${byte(data.length / 2)}6000f3${data}`

const abiString = (text: string): string => {
  const utf8 = Buffer.from(text, "utf8").toString("hex")
  return word(32) + word(utf8.length / 2) + utf8.padEnd(Math.ceil(utf8.length / 64) * 64, "0")
}

describe.runIf(present)("the EVM client on anvil", () => {
  const scope = Effect.runSync(Scope.make())
  let sdk: PromiseSdk<"ethereum-mainnet">
  let url = ""
  let transaction: Hex = "0x"
  let contract: Hex = "0x"

  const raw = (method: string, ...params: ReadonlyArray<unknown>) =>
    sdk.rpc.rawRpcCall({ method, params }).then(take)

  const send = async (fields: {
    readonly to?: `0x${string}`
    readonly data?: `0x${string}`
    readonly value?: bigint
  }) => {
    const nonce = Number(take(await sdk.rpc.getTransactionCount(account.address, "pending")))
    const gasPrice = take(await sdk.rpc.gasPrice())
    const signed = await account.signTransaction({
      chainId: 1,
      nonce,
      gasPrice,
      gas: 500_000n,
      type: "legacy",
      ...fields
    })
    return { signed, hash: take(await sdk.rpc.sendRawTransaction(signed)) }
  }

  /** Anvil answers with the hash before the block with it is there. */
  const mined = async (hash: Hex): Promise<Receipt> => {
    for (let tries = 0; tries < 15_000; tries++) {
      const receipt = take(await sdk.rpc.getTransactionReceipt(hash))
      if (receipt !== null) return receipt
      await sleep(20)
    }
    throw new Error(`${hash} was not mined`)
  }

  beforeAll(async () => {
    const anvil = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1 }), scope))
    url = anvil.url
    sdk = await init({ network: "ethereum-mainnet", rpc: { nodes: [{ url }] }, quiet: true, ...nodeLimits })
  })
  afterAll(async () => {
    await sdk.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("reads the head of the chain", async () => {
    expect(take(await sdk.rpc.chainId())).toBe(1n)
    expect(take(await sdk.rpc.blockNumber())).toBe(0n)
    expect(take(await sdk.rpc.gasPrice())).toBeGreaterThan(0n)
    expect(take(await sdk.rpc.maxPriorityFeePerGas())).toBeGreaterThanOrEqual(0n)
    expect(take(await sdk.rpc.blobBaseFee())).toBeGreaterThan(0n)
    expect(take(await sdk.rpc.syncing())).toBe(false)
    expect(take(await sdk.rpc.clientVersion())).toMatch(/^anvil/)
    expect(take(await sdk.rpc.netVersion())).toBe("1")
    expect(take(await sdk.rpc.netListening())).toBe(true)
    expect(take(await sdk.rpc.sha3("0x68656c6c6f20776f726c64"))).toBe(
      "0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad"
    )
    expect(take(await sdk.rpc.feeHistory(1, "latest", [50])).baseFeePerGas).toHaveLength(2)
  })

  it("sends a signed transaction and follows it", async () => {
    const sent = await send({ to: receiver, value: 1_500_000_000_000_000_000n })
    transaction = sent.hash
    const receipt = await mined(transaction)
    expect(receipt).toMatchObject({ status: "0x1", blockNumber: "0x1", transactionHash: transaction })
    expect(take(await sdk.rpc.getBalance(receiver))).toBe(10_001_500_000_000_000_000_000n)
    expect(take(await sdk.rpc.getBalance(receiver, 0n))).toBe(10_000_000_000_000_000_000_000n)
    expect(take(await sdk.rpc.getBalance(receiver, "pending"))).toBe(10_001_500_000_000_000_000_000n)
    expect(take(await sdk.rpc.getTransactionCount(account.address))).toBe(1n)
    expect(take(await sdk.rpc.getTransactionByHash(transaction))?.value).toBe("0x14d1120d7b160000")
  })

  it("reads blocks in every way", async () => {
    const block = take(await sdk.rpc.getBlockByNumber(1, false))
    expect(block).toMatchObject({ number: "0x1", transactions: [transaction] })
    const hash = block?.hash ?? ""
    expect(take(await sdk.rpc.getBlockByHash(hash, true))?.transactions[0]).toMatchObject({
      hash: transaction
    })
    expect(take(await sdk.rpc.getBlockByNumber(1_000_000))).toBeNull()
    expect(take(await sdk.rpc.getBlockTransactionCountByHash(hash))).toBe("0x1")
    expect(take(await sdk.rpc.getBlockTransactionCountByNumber("latest"))).toBe("0x1")
    expect(take(await sdk.rpc.getTransactionByBlockHashAndIndex(hash, 0))?.hash).toBe(transaction)
    expect(take(await sdk.rpc.getTransactionByBlockNumberAndIndex(1n, 0n))?.hash).toBe(transaction)
    expect(take(await sdk.rpc.getBlockReceipts(1))).toHaveLength(1)
    expect(take(await sdk.rpc.getUncleCountByBlockNumber(1))).toBe("0x0")
    expect(take(await sdk.rpc.getUncleCountByBlockHash(hash))).toBe("0x0")
  })

  it("deploys a contract and calls it", async () => {
    const name = answering(abiString("Añejo ☕"))
    const { hash } = await send({ data: `0x${answering(name.slice(2)).slice(2)}` })
    await mined(hash)
    contract = take(await sdk.rpc.getContractAddress(hash)) ?? "0x"
    expect(contract).toMatch(/^0x[0-9a-f]{40}$/i)
    expect(take(await sdk.rpc.getContractAddress(transaction))).toBeNull()
    expect(take(await sdk.rpc.getCode(contract))).toBe(name)
    expect(take(await sdk.rpc.getTokenName(contract))).toBe("Añejo ☕")
    expect(take(await sdk.rpc.getTokenSymbol(contract))).toBe("Añejo ☕")
    expect(take(await sdk.rpc.call({ to: contract, data: "0x06fdde03" }))).toBe(`0x${abiString("Añejo ☕")}`)
    expect(take(await sdk.rpc.estimateGas({ to: contract, data: "0x" }))).toBeGreaterThan(21_000n)
    expect(take(await sdk.rpc.createAccessList({ to: contract, from: account.address })).gasUsed).toMatch(
      /^0x/
    )
    expect(take(await sdk.rpc.getStorageAt(contract, 0))).toBe(`0x${word(0)}`)
    expect(take(await sdk.rpc.getProof(contract, [`0x${word(0)}`])).storageProof).toHaveLength(1)
    expect(take(await sdk.rpc.getLogs({ fromBlock: 0, toBlock: "latest" }))).toEqual([])
  })

  it("reads tokens, old ones with bytes32 names too", async () => {
    const token = "0x00000000000000000000000000000000000abcde"
    const set = (data: string) => raw("anvil_setCode", token, answering(data))
    await set(word(6))
    expect(take(await sdk.rpc.getTokenDecimals(token))).toBe(6n)
    await set(word(2n ** 200n))
    expect(take(await sdk.rpc.getTokenTotalSupply(token))).toBe(2n ** 200n)
    expect(take(await sdk.rpc.getTokenCap(token))).toBe(2n ** 200n)
    await set(word(1))
    expect(take(await sdk.rpc.supportsInterfaceERC1155(token))).toBe(true)
    await set(Buffer.from("MKR").toString("hex").padEnd(64, "0"))
    expect(take(await sdk.rpc.getTokenSymbol(token))).toBe("MKR")
    const nobody = "0x000000000000000000000000000000000000dead"
    expect(take(await sdk.rpc.supportsInterfaceERC1155(nobody))).toBe(false)
    const missing = await sdk.rpc.getTokenDecimals(nobody)
    expect(missing.error?.cause).toMatchObject({ _tag: "InvalidArgument" })
  })

  it("traces", async () => {
    expect(take(await sdk.rpc.debugTraceTransaction(transaction, { tracer: "callTracer" }))).toMatchObject({
      type: "CALL"
    })
    expect(
      take(await sdk.rpc.debugTraceCall({ to: receiver, from: account.address }, "latest"))
    ).toBeDefined()
    expect(take(await sdk.rpc.traceTransaction(transaction))).toHaveLength(1)
    expect(take(await sdk.rpc.traceBlock(1))).toHaveLength(1)
    expect(take(await sdk.rpc.traceFilter({ fromBlock: 1, toBlock: 1 }))).toHaveLength(1)
  })

  it("sees the pool of transactions", async () => {
    await raw("evm_setAutomine", false)
    const { hash } = await send({ to: receiver, value: 1n })
    expect(Number(take(await sdk.rpc.txPoolStatus()).pending)).toBe(1)
    expect(JSON.stringify(take(await sdk.rpc.txPoolContent()))).toContain(hash)
    expect(Object.keys(take(await sdk.rpc.txPoolInspect()).pending)).toHaveLength(1)
    expect(take(await sdk.rpc.getTransactionReceipt(hash))).toBeNull()
    expect(take(await sdk.rpc.getTransactionByHash(hash))?.blockNumber).toBeNull()
    await raw("evm_setAutomine", true)
    await raw("evm_mine")
    expect((await mined(hash)).status).toBe("0x1")
  })

  it("sends batches, with an outcome per item", async () => {
    const outcomes = take(
      await sdk.rpc.rawBatchRpcCall([
        { method: "eth_chainId", id: 7 },
        { method: "no_such_method", id: "eight" },
        { method: "eth_blockNumber" }
      ])
    )
    expect(outcomes.map(({ status }) => status)).toEqual(["SUCCESS", "ERROR", "SUCCESS"])
    expect(outcomes[0]?.data).toBe("0x1")
  })

  it("gives the node's own words for what is the caller's fault, and blames no node", async () => {
    const unknown = await sdk.rpc.rawRpcCall({ method: "no_such_method" })
    expect(unknown.error?.cause).toMatchObject({ _tag: "RpcError", code: -32601 })
    const address = await sdk.rpc.getBalance("0x12")
    expect(address.error?.cause).toMatchObject({ _tag: "RpcError", code: -32602 })
    const token = "0x00000000000000000000000000000000000abcde"
    await raw("anvil_setCode", token, "0x60006000fd")
    const reverted = await sdk.rpc.call({ to: token })
    expect(reverted.error?.cause).toMatchObject({ _tag: "RpcError", code: 3 })
    expect(sdk.nodes().every(({ failed }) => !failed)).toBe(true)
  })

  it("refuses calls in the words of the survey, which know whose fault that is", async () => {
    const ask = async (method: string, ...params: ReadonlyArray<unknown>) => {
      const result = await sdk.rpc.rawRpcCall({ method, params })
      if (result.status === "SUCCESS") throw new Error(`${method} ${JSON.stringify(params)} succeeded`)
      const { cause } = result.error
      if (cause._tag !== "RpcError") throw cause
      return [
        cause.code,
        cause.rpcMessage.replace(/ --.*|\d+/g, "#"),
        classify({ ...cause, message: cause.message })
      ]
    }
    const calls = (data: string) =>
      Promise.all(["eth_call", "eth_estimateGas"].map((method) => ask(method, { data })))
    const both = (code: number, message: string) => Array(2).fill([code, message, "caller"])
    const codes = {
      "0xfe": "InvalidFEOpcode",
      "0x0c": "OpcodeNotFound",
      "0x01": "StackUnderflow",
      "0x5b58600056": "StackOverflow",
      "0x600056": "InvalidJump",
      "0x6170006000f3": "CreateContractSizeLimit",
      "0x60ef60005360016000f3": "CreateContractStartingWithEF",
      "0x6001600060003e": "OutOfOffset"
    }
    for (const [code, name] of Object.entries(codes)) {
      expect(await calls(code)).toEqual(both(-32603, `EVM error ${name}`))
    }
    expect(await calls("0x60006000fd")).toEqual(both(3, "execution reverted"))
    const poor = privateKeyToAccount(`0x${"77".repeat(32)}`)
    const signed = (signer: typeof poor, fields: { readonly nonce: number; readonly gas?: bigint }) =>
      signer
        .signTransaction({
          chainId: 1,
          gasPrice: 10n ** 10n,
          gas: 21_000n,
          to: receiver,
          value: 1n,
          ...fields
        })
        .then((raw) => ask("eth_sendRawTransaction", raw))
    expect(await signed(account, { nonce: 0 })).toEqual([-32003, "nonce too low", "caller"])
    expect(await signed(poor, { nonce: 0 })).toEqual([
      -32003,
      "Insufficient funds for gas * price + value",
      "caller"
    ])
    expect(await signed(account, { nonce: 99, gas: 20_000n })).toEqual([
      -32000,
      "intrinsic gas too low",
      "caller"
    ])
    expect(await ask("eth_sendRawTransaction", "0x1234")).toEqual([
      -32602,
      "Failed to decode transaction",
      "caller"
    ])
    expect(await ask("eth_getBalance", receiver, "0x999999")).toEqual([
      -32602,
      "BlockOutOfRangeError: block height is # but requested was #",
      "elsewhere"
    ])
    expect(await ask("eth_call", {}, { blockHash: `0x${"11".repeat(32)}` })).toEqual([
      -32001,
      "Resource not found",
      "elsewhere"
    ])
    expect(await ask("eth_foo")).toEqual([-32601, "Method not found", "elsewhere"])
    // none of it took the node from the client
    expect(take(await sdk.rpc.blockNumber())).toBeGreaterThan(0n)
  })

  it("agrees with viem, call by call", async () => {
    const viem = createPublicClient({ transport: http(url) })
    const { rpc } = sdk
    expect(take(await rpc.getBalance(receiver))).toBe(await viem.getBalance({ address: receiver }))
    expect(take(await rpc.blockNumber())).toBe(await viem.getBlockNumber({ cacheTime: 0 }))
    expect(take(await rpc.gasPrice())).toBe(await viem.getGasPrice())
    const [mine, theirs] = [take(await rpc.getBlockByNumber(1)), await viem.getBlock({ blockNumber: 1n })]
    expect(mine?.hash).toBe(theirs.hash)
    expect(BigInt(mine?.baseFeePerGas ?? 0)).toBe(theirs.baseFeePerGas)
  })

  it("serves Effects over undici and over the platform's client", async () => {
    const program = Effect.gen(function* () {
      const { rpc } = yield* Sdk.makeHttp({
        network: "ethereum-mainnet",
        rpc: { nodes: [{ url }] },
        quiet: true
      })
      return yield* Effect.all([rpc.getBalance(receiver), rpc.getBalance(receiver, 0n)], { concurrency: 2 })
    }).pipe(Effect.scoped)
    class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}
    const platform = Eth.layer({ rpc: { nodes: [{ url }] }, quiet: true }).pipe(
      Layer.provide(NodeHttpClient.layer)
    )
    const [now, then] = await Effect.runPromise(Effect.provide(program, layerUndici))
    expect(now - then).toBe(1_500_000_000_000_000_001n)
    const height = Effect.flatMap(Eth, ({ rpc }) => rpc.blockNumber())
    expect(await Effect.runPromise(Effect.provide(height, platform))).toBeGreaterThan(1n)
  })

  it("refuses a node of another chain, and says so", async () => {
    const other = await init({ network: "polygon-mainnet", rpc: { nodes: [{ url }] }, quiet: true })
    const result = await other.rpc.blockNumber()
    expect(result.error?.cause).toMatchObject({ _tag: "NodeError", kind: "wrong-chain" })
    await other.destroy()
  })

  it("aborts by signal and by timeout while the node is frozen, and works again when it is not", async () => {
    const frozen = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1 }), scope))
    const client = await init({
      network: "ethereum-mainnet",
      rpc: { nodes: [{ url: frozen.url }] },
      quiet: true
    })
    take(await client.rpc.blockNumber())
    await Effect.runPromise(frozen.freeze)
    const slow = await client.with({ timeout: 200 }).rpc.blockNumber()
    expect(slow.error?.cause).toMatchObject({ _tag: "CallTimeout", timeout: 200 })
    const controller = new AbortController()
    const pending = client.with({ signal: controller.signal }).rpc.blockNumber()
    await sleep(50)
    controller.abort(new Error("enough"))
    expect((await pending).error?.cause).toMatchObject({ _tag: "Aborted", message: "enough" })
    await Effect.runPromise(frozen.resume)
    expect(take(await client.rpc.blockNumber())).toBe(0n)
    await client.destroy()
  })
})
