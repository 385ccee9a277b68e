/** The actions of ethers over a pool whose nodes break one after the other. */
import * as ethers from "ethers"
import { expect } from "vitest"
import {
  type Action,
  account,
  answered,
  deployment,
  erc20,
  key,
  receiver,
  supply,
  testActions
} from "./world.js"

const holder = account.address

/** Blocks, transactions, receipts and logs without the provider that they came from. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each} as bigint` : each)))

testActions("ethers", (world) => {
  const abi = ethers.Interface.from(JSON.parse(JSON.stringify(erc20)))

  /** Over the pool; and anvil itself. Neither keeps anything from one action to the next. */
  const pool = (tell: (method: string) => void = () => {}): ethers.JsonRpcApiProvider => {
    class BrowserProvider extends ethers.BrowserProvider {
      override async send(method: string, params: Array<unknown>): Promise<unknown> {
        const answer: unknown = await super.send(method, params)
        tell(method)
        return answer
      }
    }
    const provider = world().sdk.rpc.ethersProvider({ BrowserProvider })
    provider.pollingInterval = 50
    return provider
  }
  const alone = (): ethers.JsonRpcApiProvider =>
    new ethers.JsonRpcProvider(world().url, 1, { staticNetwork: true, cacheTimeout: -1 })

  const by = async <A>(provider: ethers.JsonRpcApiProvider, ask: Ask<A>): Promise<A> => {
    try {
      return await ask(provider)
    } finally {
      provider.destroy()
    }
  }
  type Ask<A> = (provider: ethers.JsonRpcApiProvider) => Promise<A>
  const token = (runner: ethers.ContractRunner) => new ethers.Contract(world().token, abi, runner)
  const give = () => by(alone(), (itself) => sent(token(new ethers.Wallet(key, itself))))
  const sent = async (contract: ethers.Contract): Promise<string> => {
    const { hash }: { readonly hash: string } = await contract.getFunction("transfer")(receiver, 1n)
    return hash
  }

  /** What anvil itself answers. */
  const same = (name: string, ask: Ask<unknown>): Action => ({
    name,
    run: async () => {
      const expected = plain(await by(alone(), ask))
      expect(expected ?? undefined).toBeDefined()
      expect(plain(await by(pool(), ask))).toEqual(expected)
    }
  })
  /** What everybody knows. */
  const known = (name: string, value: unknown, ask: Ask<unknown>): Action => ({
    name,
    run: async () => expect(await by(pool(), ask)).toEqual(value)
  })
  /** A transaction, which is on the chain. */
  const sends = (name: string, send: Ask<ethers.TransactionReceipt | null>): Action => ({
    name,
    at: "eth_sendRawTransaction",
    sends: 1,
    run: async () => {
      const receipt = await by(pool(), send)
      expect(receipt).toMatchObject({ status: 1, from: holder })
      const itself = await by(alone(), (provider) => provider.getTransactionReceipt(receipt?.hash ?? ""))
      expect(plain(receipt)).toEqual(plain(itself))
    }
  })

  return [
    known("send", "0x1", (provider) => provider.send("eth_chainId", [])),
    same("getBlockNumber", (provider) => provider.getBlockNumber()),
    same("getBlock", (provider) => provider.getBlock("latest", true)),
    sends("Wallet.sendTransaction", async (provider) => {
      const wallet = new ethers.Wallet(key, provider)
      const transaction = await wallet.sendTransaction({ to: receiver, value: 7n })
      expect(transaction.value).toBe(7n)
      return transaction.wait()
    }),
    same("getBalance", (provider) => provider.getBalance(receiver)),
    same("getTransactionCount", (provider) => provider.getTransactionCount(holder)),
    same("getCode", (provider) => provider.getCode(world().token)),
    same("getStorage", (provider) => provider.getStorage(world().token, 2)),
    same("getFeeData", (provider) => provider.getFeeData()),
    sends("a contract's transaction", async (provider) => {
      const before = await by(alone(), (itself) => token(itself).getFunction("balanceOf")(receiver))
      const wallet = new ethers.Wallet(key, provider)
      const transaction = await token(wallet).getFunction("transfer").send(receiver, 4n)
      const receipt = await transaction.wait()
      const after = await by(alone(), (itself) => token(itself).getFunction("balanceOf")(receiver))
      expect(after - before).toBe(4n)
      return receipt
    }),
    known("a contract's read", supply, (provider) => token(provider).getFunction("totalSupply")()),
    known("a contract's staticCall", true, (provider) =>
      token(new ethers.Wallet(key, provider)).getFunction("transfer").staticCall(receiver, 1n)
    ),
    same("a contract's estimateGas", (provider) =>
      token(new ethers.Wallet(key, provider)).getFunction("transfer").estimateGas(receiver, 1n)
    ),
    known("call", "Loop", async (provider) => {
      const data = await provider.call({ to: world().token, data: abi.encodeFunctionData("name") })
      return abi.decodeFunctionResult("name", data)[0]
    }),
    sends("ContractFactory.deploy", async (provider) => {
      const wallet = new ethers.Wallet(key, provider)
      const contract = await new ethers.ContractFactory([], deployment, wallet).deploy()
      const [made, first] = await by(alone(), async (itself) => [
        await itself.getCode(await contract.getAddress()),
        await itself.getCode(world().token)
      ])
      expect(made).toBe(first)
      return contract.deploymentTransaction()?.wait() ?? null
    }),
    same("estimateGas", (provider) => provider.estimateGas({ from: holder, to: receiver, value: 1n })),
    same("getTransaction", (provider) => provider.getTransaction(world().transfer)),
    same("getTransactionReceipt", (provider) => provider.getTransactionReceipt(world().transfer)),
    same("waitForTransaction", (provider) => provider.waitForTransaction(world().transfer)),
    same("getLogs", async (provider) => {
      const logs = await provider.getLogs({ address: world().token, fromBlock: 2, toBlock: 2 })
      expect(logs[0]).toMatchObject({ transactionHash: world().transfer })
      return logs
    }),
    same("queryFilter", async (provider) => {
      const logs = await token(provider).queryFilter("Transfer", 0, 2)
      expect(logs).toHaveLength(2)
      return logs
    }),
    same("Wallet.populateTransaction", (provider) =>
      new ethers.Wallet(key, provider).populateTransaction({ to: receiver, value: 1n })
    ),
    sends("broadcastTransaction", async (provider) => {
      const signed = await by(alone(), async (itself) => {
        const wallet = new ethers.Wallet(key, itself)
        return wallet.signTransaction(await wallet.populateTransaction({ to: receiver, value: 9n }))
      })
      const transaction = await provider.broadcastTransaction(signed)
      expect(transaction.hash).toBe(ethers.Transaction.from(signed).hash)
      return transaction.wait()
    }),
    {
      name: "on block",
      run: () => {
        const { first, tell } = answered()
        return by(pool(tell), async (provider) => {
          const height = await by(alone(), (itself) => itself.getBlockNumber())
          const told: Array<number> = []
          const over = new Promise<void>((resolve) => {
            void provider.on("block", (block: number) => {
              if (told.push(block) === 3) resolve()
            })
          })
          await first("eth_blockNumber")
          await world().ask("anvil_mine", "0x3")
          await over
          expect(told).toEqual([height + 1, height + 2, height + 3])
        })
      }
    },
    {
      name: "on a contract's event",
      sends: 1,
      run: () => {
        const { first, tell } = answered()
        return by(pool(tell), async (provider) => {
          const told = new Promise<ethers.ContractEventPayload>((resolve) => {
            void token(provider).on("Transfer", (...event) => resolve(event.at(-1)))
          })
          // with the filter there, it waits for the block after this one
          await first("eth_blockNumber")
          const hash = await give()
          expect((await told).log.transactionHash).toBe(hash)
        })
      }
    }
  ]
})
