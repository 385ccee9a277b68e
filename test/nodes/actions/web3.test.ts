/** The actions of web3 over a pool whose nodes break one after the other. */
import { expect } from "vitest"
import { Web3 } from "web3"
import { type Action, account, deployment, erc20, key, receiver, supply, testActions } from "./world.js"

const holder = account.address

testActions("web3", (world) => {
  const made = (web3: Web3): Web3 => {
    web3.eth.transactionPollingInterval = 20
    web3.eth.accounts.wallet.add(key)
    return web3
  }
  /** Over the pool; and anvil itself. */
  const pool = (): Web3 => made(new Web3(world().sdk.rpc.web3Provider()))
  const alone = (): Web3 => made(new Web3(world().url))
  const token = (web3: Web3) => new web3.eth.Contract(erc20, world().token)

  /** What anvil itself answers. */
  const same = (name: string, ask: (web3: Web3) => Promise<unknown>): Action => ({
    name,
    run: async () => {
      const expected = await ask(alone())
      expect(expected).toBeDefined()
      expect(await ask(pool())).toEqual(expected)
    }
  })
  /** What everybody knows. */
  const known = (name: string, value: unknown, ask: (web3: Web3) => Promise<unknown>): Action => ({
    name,
    run: async () => expect(await ask(pool())).toEqual(value)
  })
  /** A transaction, which is on the chain. */
  const sends = (
    name: string,
    send: (web3: Web3) => Promise<{ readonly transactionHash: unknown }>
  ): Action => ({
    name,
    at: "eth_sendRawTransaction",
    sends: 1,
    run: async () => {
      const { transactionHash } = await send(pool())
      const receipt = await alone().eth.getTransactionReceipt(String(transactionHash))
      expect(receipt).toMatchObject({ status: 1n, from: holder.toLowerCase() })
    }
  })
  const coins = async (): Promise<bigint> => token(alone()).methods.balanceOf(receiver).call()

  return [
    known("getChainId", 1n, ({ eth }) => eth.getChainId()),
    same("getBlockNumber", ({ eth }) => eth.getBlockNumber()),
    same("getBlock", ({ eth }) => eth.getBlock("latest", true)),
    sends("sendTransaction", async ({ eth }) =>
      eth.sendTransaction({ from: holder, to: receiver, value: 7n })
    ),
    same("getBalance", ({ eth }) => eth.getBalance(receiver)),
    same("getTransactionCount", ({ eth }) => eth.getTransactionCount(holder)),
    same("getCode", ({ eth }) => eth.getCode(world().token)),
    same("getStorageAt", ({ eth }) => eth.getStorageAt(world().token, 2)),
    same("getProof", ({ eth }) => eth.getProof(world().token, [])),
    sends("a contract's send", async (web3) => {
      const before = await coins()
      const receipt = await token(web3).methods.transfer(receiver, 4n).send({ from: holder })
      expect((await coins()) - before).toBe(4n)
      return receipt
    }),
    known("a contract's call", supply, (web3) => token(web3).methods.totalSupply().call()),
    same("a contract's estimateGas", (web3) =>
      token(web3).methods.transfer(receiver, 1n).estimateGas({ from: holder })
    ),
    same("getPastEvents", async (web3) => {
      const logs = await token(web3).getPastEvents("Transfer", { fromBlock: 0, toBlock: 2 })
      expect(logs).toMatchObject([{}, { transactionHash: world().transfer }])
      return logs
    }),
    known("call", "Loop", async ({ eth }) => {
      const data = token(alone()).methods.name().encodeABI()
      return eth.abi.decodeParameter("string", await eth.call({ to: world().token, data }))
    }),
    sends("a contract's deploy", async (web3) => {
      const contract = new web3.eth.Contract([] as const)
      let transactionHash: unknown
      const { options } = await contract
        .deploy({ data: deployment })
        .send({ from: holder })
        .on("transactionHash", (hash) => {
          transactionHash = hash
        })
      const { eth } = alone()
      expect(await eth.getCode(options.address ?? "")).toBe(await eth.getCode(world().token))
      return { transactionHash }
    }),
    same("estimateGas", ({ eth }) => eth.estimateGas({ from: holder, to: receiver, value: 1n })),
    same("createAccessList", ({ eth }) =>
      eth.createAccessList({
        from: holder,
        to: world().token,
        data: token(alone()).methods.transfer(receiver, 1n).encodeABI()
      })
    ),
    same("getGasPrice", ({ eth }) => eth.getGasPrice()),
    same("getMaxPriorityFeePerGas", ({ eth }) => eth.getMaxPriorityFeePerGas()),
    same("calculateFeeData", ({ eth }) => eth.calculateFeeData()),
    same("getFeeHistory", ({ eth }) => eth.getFeeHistory(3, "latest", [25, 75])),
    sends("sendSignedTransaction", async ({ eth }) => {
      const itself = alone().eth
      const { rawTransaction } = await itself.accounts.signTransaction(
        {
          to: receiver,
          value: 9n,
          gas: 21_000n,
          gasPrice: await itself.getGasPrice(),
          nonce: await itself.getTransactionCount(holder),
          chainId: 1
        },
        key
      )
      return eth.sendSignedTransaction(rawTransaction)
    }),
    same("getTransaction", ({ eth }) => eth.getTransaction(world().transfer)),
    same("getTransactionReceipt", ({ eth }) => eth.getTransactionReceipt(world().transfer)),
    same("getTransactionFromBlock", ({ eth }) => eth.getTransactionFromBlock(2, 0)),
    same("getBlockTransactionCount", ({ eth }) => eth.getBlockTransactionCount(2)),
    same("getPastLogs", async ({ eth }) => {
      const logs = await eth.getPastLogs({ address: world().token, fromBlock: 2, toBlock: 2 })
      expect(logs[0]).toMatchObject({ transactionHash: world().transfer })
      return logs
    }),
    known("net.getId", 1n, ({ eth }) => eth.net.getId()),
    known("net.isListening", true, ({ eth }) => eth.net.isListening()),
    {
      name: "BatchRequest",
      run: async () => {
        const batch = new (pool().BatchRequest)()
        const asked = ["0x1", "0x2"].map((block, i) =>
          batch.add({ jsonrpc: "2.0", id: i + 1, method: "eth_getBlockByNumber", params: [block, false] })
        )
        await batch.execute()
        const { ask } = world()
        expect(await Promise.all(asked)).toEqual([
          await ask("eth_getBlockByNumber", "0x1", false),
          await ask("eth_getBlockByNumber", "0x2", false)
        ])
      }
    }
  ]
})
