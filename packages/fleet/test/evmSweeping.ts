/** What tests of sweeps on EVM networks have in common: a token, addresses that have some of it, and runners with their keys. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Evm from "effect-chains/effect/signers/Evm"
import { type Abi, encodeDeployData, encodeFunctionData, erc20Abi } from "viem"
import { Fungible } from "../../../src/sandbox/contracts/artefacts.js"
import * as EvmSweeps from "../src/EvmSweeps.js"
import * as EvmTransactions from "../src/EvmTransactions.js"
import { accounts, ask } from "./evm.js"

export const shop = "0x000000000000000000000000000000000000bEEF"

/** The key of an address that has tokens and no coins. */
const privateKeyOf = (index: number): string => `0x${String(index + 1).padStart(64, "0")}`

/** Sweeps and transactions of the first account of the chain, and of so many addresses of orders. */
export const sweeps = (url: string, count: number, policy: Partial<EvmTransactions.Policy> = {}) => {
  const { accounts: made, layer } = accounts([url])
  const own = Effect.flatMap(made, (all) =>
    Effect.forEach(all, ({ client, signer }) =>
      Effect.map(
        Effect.forEach([...Array(count).keys()], (index) =>
          Evm.make(client, { privateKey: privateKeyOf(index) })
        ),
        (orders) => [{ client, signer }, ...orders.map((each) => ({ client, signer: each }))]
      )
    ).pipe(
      Effect.map((each) => each.flat()),
      Effect.orDie
    )
  )
  const transactions = Layer.provide(EvmTransactions.layer(own, policy), layer)
  return Layer.provideMerge(Layer.provide(EvmSweeps.layer(own, policy), layer), transactions)
}

/** The addresses of these orders. */
export const readAddresses = (url: string, count: number): Promise<ReadonlyArray<string>> => {
  const { accounts: made, layer } = accounts([url])
  return Effect.runPromise(
    Effect.flatMap(made, ([payer]) =>
      Effect.forEach([...Array(payer === undefined ? 0 : count).keys()], (index) =>
        payer === undefined
          ? Effect.dieMessage("no account")
          : Effect.map(Evm.make(payer.client, { privateKey: privateKeyOf(index) }), ({ address }) => address)
      )
    ).pipe(Effect.provide(layer), Effect.orDie)
  )
}

/** A token of the chain's second account, which sends it at once where the node mines by itself. */
export const deployToken = async (url: string, mine: () => Promise<unknown>) => {
  const [, owner = ""] = await ask<ReadonlyArray<string>>(url, "eth_accounts")
  const send = async (transaction: object) => {
    const hash = await ask<string>(url, "eth_sendTransaction", {
      from: owner,
      gas: "0x4c4b40",
      ...transaction
    })
    await mine()
    return ask<{ readonly contractAddress: string | null; readonly status: string }>(
      url,
      "eth_getTransactionReceipt",
      hash
    )
  }
  const abi: Abi = Fungible.abi
  const data = encodeDeployData({
    abi,
    bytecode: Fungible.bytecode,
    args: ["Token", "TKN", 6, 1_000_000_000n, owner, owner, owner, owner, 0n]
  })
  const { contractAddress } = await send({ data })
  const token = contractAddress ?? ""
  return {
    token,
    give: async (to: string, amount: bigint) => {
      const args = [to as `0x${string}`, amount] as const
      const { status } = await send({
        to: token,
        data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args })
      })
      if (status !== "0x1") throw new Error("the token was not given")
    },
    balanceOf: async (address: string): Promise<bigint> =>
      BigInt(
        await ask<string>(url, "eth_call", {
          to: token,
          data: encodeFunctionData({
            abi: erc20Abi,
            functionName: "balanceOf",
            args: [address as `0x${string}`]
          })
        })
      )
  }
}
