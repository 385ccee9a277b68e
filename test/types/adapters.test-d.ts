/** The pool in other libraries: their exports fit without a cast. */
import { createSolanaRpcFromTransport, type RpcTransport } from "@solana/kit"
import * as ethers from "ethers"
import {
  type CustomTransport,
  createPublicClient,
  createWalletClient,
  custom,
  fallback,
  http,
  type Transport
} from "viem"
import { mainnet } from "viem/chains"
import { describe, expectTypeOf, it } from "vitest"
import { Web3 } from "web3"
import type * as Sdk from "../../src/client/Sdk.js"
import * as Evm from "../../src/entries/Evm.js"
import { init, type PromiseSdk } from "../../src/promise.js"

declare const rpc: PromiseSdk<"ethereum-mainnet">["rpc"]
declare const effects: Sdk.Sdk<"polygon-mainnet">["rpc"]

describe("the pool", () => {
  it("is a transport of viem", () => {
    const transport: Transport = rpc.viemTransport()
    const reader = createPublicClient({ chain: mainnet, transport: rpc.viemTransport() })
    expectTypeOf(reader.getBlockNumber).returns.toEqualTypeOf<Promise<bigint>>()
    createWalletClient({ chain: mainnet, transport: fallback([transport, http(), effects.viemTransport()]) })
    expectTypeOf(rpc.viemTransport(custom)).toEqualTypeOf<CustomTransport>()
    createPublicClient({ transport: custom(rpc.eip1193()) })
  })

  it("is a provider of ethers", () => {
    const provider = rpc.ethersProvider(ethers)
    expectTypeOf(provider).toEqualTypeOf<ethers.BrowserProvider>()
    expectTypeOf(provider).toExtend<ethers.JsonRpcApiProvider>()
    const { BrowserProvider } = ethers
    const abstract: ethers.AbstractProvider = effects.ethersProvider({ BrowserProvider })
    new ethers.Contract("0x", [], abstract)
    new ethers.BrowserProvider(rpc.eip1193())
  })

  it("is a provider of web3", () => {
    const web3 = new Web3(rpc.web3Provider())
    expectTypeOf(web3.eth.getBlockNumber()).resolves.toEqualTypeOf<bigint>()
    web3.setProvider(effects.web3Provider())
  })

  it("is a transport of kit", async () => {
    const solana = await init({ network: "solana-devnet" })
    const transport: RpcTransport = solana.rpc.kitTransport()
    createSolanaRpcFromTransport(transport)
  })

  it("is none of these on networks of other kinds, nor where a family is imported alone", async () => {
    const bitcoin = await init({ network: "bitcoin-mainnet" })
    expectTypeOf(bitcoin.rpc).not.toHaveProperty("eip1193")
    const alone = await Evm.init({ network: "polygon-mainnet" })
    expectTypeOf(alone.rpc).not.toHaveProperty("eip1193")
  })
})

describe("a raw call", () => {
  it("has the type of its result from the caller, and integers as he asks", async () => {
    const { rpc: near } = await init({ network: "near-mainnet" })
    type Block = { readonly header: { readonly timestamp: bigint } }
    const sent = await near.rawRpcCall<Block>({ method: "block" }, { integers: "bigint" })
    if (sent.status === "SUCCESS") expectTypeOf(sent.data.header.timestamp).toEqualTypeOf<bigint>()
    // @ts-expect-error no such type of integers
    near.rawRpcCall({ method: "block" }, { integers: "float" })
    near.rawBatchRpcCall([{ method: "block" }], { integers: "string" })
  })
})
