/** The actions of viem's clients over a pool whose nodes break one after the other. */
import {
  createPublicClient,
  createWalletClient,
  custom,
  encodeFunctionData,
  type GetTransactionReceiptReturnType,
  type Hex,
  http,
  type Transport
} from "viem"
import { mainnet } from "viem/chains"
import { expect } from "vitest"
import {
  type Action,
  account,
  answered,
  deployment,
  erc20,
  receiver,
  signer,
  supply,
  testActions
} from "./world.js"

const holder = account.address
const typed = {
  domain: { name: "Loop", chainId: 1 },
  types: { Mail: [{ name: "text", type: "string" }] },
  primaryType: "Mail",
  message: { text: "hello" }
} as const

testActions("viem", (world) => {
  const reading = (transport: Transport) =>
    createPublicClient({ chain: mainnet, transport, pollingInterval: 20, cacheTime: 0 })
  const writing = (transport: Transport) =>
    createWalletClient({ account, chain: mainnet, transport, cacheTime: 0 })
  /** Over the pool; and over anvil itself. */
  const pool = () => reading(world().sdk.rpc.viemTransport())
  const alone = () => reading(http(world().url))
  const writer = () => writing(world().sdk.rpc.viemTransport())
  const other = () => writing(http(world().url))
  type Reader = ReturnType<typeof reading>
  const token = () => ({ address: world().token, abi: erc20 })
  const mine = () => world().ask("anvil_mine", "0x1")
  const head = () => alone().getBlock()
  const coins = (): Promise<bigint> =>
    alone().readContract({ ...token(), functionName: "balanceOf", args: [receiver] })
  // anvil answers with the hash before the block is there: filters tell of it only after
  const give = async (): Promise<Hex> => {
    const hash = await other().writeContract({ ...token(), functionName: "transfer", args: [receiver, 1n] })
    await alone().waitForTransactionReceipt({ hash })
    return hash
  }

  /** What anvil itself answers. */
  const same = (name: string, ask: (client: Reader) => Promise<unknown>): Action => ({
    name,
    run: async () => {
      const expected = await ask(alone())
      expect(expected).toBeDefined()
      expect(await ask(pool())).toEqual(expected)
    }
  })
  /** What everybody knows. */
  const known = (name: string, value: unknown, ask: (client: Reader) => Promise<unknown>): Action => ({
    name,
    run: async () => expect(await ask(pool())).toEqual(value)
  })
  /** A transaction, which is on the chain, and has done what it was to do. */
  const sends = (
    name: string,
    send: () => Promise<Hex>,
    done: (receipt: GetTransactionReceiptReturnType) => unknown
  ): Action => ({
    name,
    at: "eth_sendRawTransaction",
    sends: 1,
    run: async () => {
      const receipt = await alone().waitForTransactionReceipt({ hash: await send() })
      expect(receipt).toMatchObject({ status: "success", from: holder.toLowerCase() })
      await done(receipt)
    }
  })
  /**
   * The first things that a watcher tells of what happens `meanwhile`. It has begun with the first answer to the method
   * `from`.
   */
  const watched = async <A>(
    count: number,
    from: string,
    watch: (client: Reader, tell: (value: A) => void, fail: (error: Error) => void) => () => void,
    meanwhile: () => Promise<unknown>
  ): Promise<ReadonlyArray<A>> => {
    const { first, tell } = answered()
    const { request } = world().sdk.rpc.viemTransport()()
    const client = reading(
      custom(
        {
          request: async (args) => {
            const answer = await request(args)
            tell(args.method)
            return answer
          }
        },
        { retryCount: 0 }
      )
    )
    const values: Array<A> = []
    let stop = (): void => {}
    const told = new Promise<void>((resolve, reject) => {
      stop = watch(
        client,
        (value) => {
          if (values.push(value) === count) resolve()
        },
        reject
      )
    })
    await first(from)
    await meanwhile()
    await told
    stop()
    return values
  }

  return [
    known("getChainId", 1, (client) => client.getChainId()),
    same("getBlockNumber", (client) => client.getBlockNumber()),
    same("getBlock", (client) => client.getBlock({ includeTransactions: true })),
    sends(
      "sendTransaction",
      () => writer().sendTransaction({ to: receiver, value: 7n }),
      ({ to }) => expect(to).toBe(receiver.toLowerCase())
    ),
    same("getBalance", (client) => client.getBalance({ address: receiver })),
    same("getTransactionCount", (client) => client.getTransactionCount({ address: holder })),
    same("getCode", (client) => client.getCode({ address: world().token })),
    same("getStorageAt", (client) => client.getStorageAt({ address: world().token, slot: "0x2" })),
    same("getProof", (client) => client.getProof({ address: world().token, storageKeys: [] })),
    sends(
      "writeContract",
      () => writer().writeContract({ ...token(), functionName: "transfer", args: [receiver, 4n] }),
      async ({ blockNumber, logs }) => {
        expect(logs).toHaveLength(1)
        const before = await alone().readContract({
          ...token(),
          functionName: "balanceOf",
          args: [receiver],
          blockNumber: blockNumber - 1n
        })
        expect((await coins()) - before).toBe(4n)
      }
    ),
    known("readContract", supply, (client) =>
      client.readContract({ ...token(), functionName: "totalSupply" })
    ),
    known("multicall", ["Loop", "LP", 6], (client) =>
      client.multicall({
        deployless: true,
        allowFailure: false,
        contracts: (["name", "symbol", "decimals"] as const).map((functionName) => ({
          ...token(),
          functionName
        }))
      })
    ),
    same("call", (client) =>
      client.call({ to: world().token, data: encodeFunctionData({ abi: erc20, functionName: "name" }) })
    ),
    same("simulateContract", async (client) => {
      const { result } = await client.simulateContract({
        ...token(),
        account,
        functionName: "transfer",
        args: [receiver, 1n]
      })
      expect(result).toBe(true)
      return result
    }),
    sends(
      "deployContract",
      () => writer().deployContract({ abi: [], bytecode: deployment }),
      async ({ contractAddress }) =>
        expect(await alone().getCode({ address: contractAddress ?? "0x" })).toBe(
          await alone().getCode({ address: world().token })
        )
    ),
    same("simulateCalls", async (client) => {
      const { results } = await client.simulateCalls({
        account,
        calls: [{ to: world().token, abi: erc20, functionName: "balanceOf", args: [receiver] }]
      })
      expect(results[0].result).toBe(await coins())
      return results.map(({ gasUsed, status }) => [gasUsed, status])
    }),
    same("estimateGas", (client) => client.estimateGas({ account, to: receiver, value: 1n })),
    same("estimateContractGas", (client) =>
      client.estimateContractGas({ ...token(), account, functionName: "transfer", args: [receiver, 1n] })
    ),
    same("createAccessList", (client) =>
      client.createAccessList({
        account,
        to: world().token,
        data: encodeFunctionData({ abi: erc20, functionName: "transfer", args: [receiver, 1n] })
      })
    ),
    same("getGasPrice", (client) => client.getGasPrice()),
    same("getBlobBaseFee", (client) => client.getBlobBaseFee()),
    same("getFeeHistory", (client) => client.getFeeHistory({ blockCount: 3, rewardPercentiles: [25, 75] })),
    sends(
      "sendRawTransaction",
      async () => {
        const request = await other().prepareTransactionRequest({ to: receiver, value: 9n })
        const signed = await other().signTransaction(request)
        return pool().sendRawTransaction({ serializedTransaction: signed })
      },
      async ({ transactionHash: hash }) => expect((await alone().getTransaction({ hash })).value).toBe(9n)
    ),
    same("estimateFeesPerGas", (client) => client.estimateFeesPerGas()),
    same("estimateMaxPriorityFeePerGas", (client) => client.estimateMaxPriorityFeePerGas()),
    same("prepareTransactionRequest", async (client) => {
      const prepared = await client.prepareTransactionRequest({ account, to: receiver, value: 1n })
      return { ...prepared, account: undefined }
    }),
    same("getBlockTransactionCount", (client) => client.getBlockTransactionCount({ blockNumber: 1n })),
    same("getTransaction", (client) => client.getTransaction({ hash: world().transfer })),
    same("getTransactionReceipt", (client) => client.getTransactionReceipt({ hash: world().transfer })),
    same("getTransactionConfirmations", (client) =>
      client.getTransactionConfirmations({ hash: world().transfer })
    ),
    same("waitForTransactionReceipt", (client) =>
      client.waitForTransactionReceipt({ hash: world().transfer })
    ),
    same("getLogs", async (client) => {
      const logs = await client.getLogs({ address: world().token, event: erc20[0], fromBlock: 0n })
      expect(logs[1]).toMatchObject({ transactionHash: world().transfer, args: { value: 5n } })
      return logs
    }),
    same("getContractEvents", async (client) => {
      const logs = await client.getContractEvents({
        ...token(),
        eventName: "Transfer",
        args: { to: receiver },
        fromBlock: 0n,
        toBlock: 2n
      })
      expect(logs).toHaveLength(1)
      return logs
    }),
    {
      name: "createBlockFilter",
      at: "eth_newBlockFilter",
      run: async () => {
        const client = pool()
        const filter = await client.createBlockFilter()
        await mine()
        expect(await client.getFilterChanges({ filter })).toEqual([(await head()).hash])
      }
    },
    {
      name: "getFilterChanges, of blocks",
      at: "eth_getFilterChanges",
      run: async () => {
        const client = pool()
        const filter = await client.createBlockFilter()
        await mine()
        expect(await client.getFilterChanges({ filter })).toEqual([(await head()).hash])
      }
    },
    {
      name: "createEventFilter",
      at: "eth_newFilter",
      sends: 1,
      run: async () => {
        const client = pool()
        const filter = await client.createEventFilter({ address: world().token, event: erc20[0] })
        const transactionHash = await give()
        expect(await client.getFilterChanges({ filter })).toMatchObject([
          { transactionHash, args: { value: 1n } }
        ])
      }
    },
    {
      name: "getFilterChanges, of logs",
      at: "eth_getFilterChanges",
      sends: 2,
      run: async () => {
        const client = pool()
        const filter = await client.createEventFilter({ address: world().token, event: erc20[0] })
        const hashes = [await give(), await give()]
        const logs = await client.getFilterChanges({ filter })
        expect(logs.map(({ transactionHash }) => transactionHash)).toEqual(hashes)
        expect(await client.getFilterChanges({ filter })).toEqual([])
      }
    },
    {
      name: "createContractEventFilter",
      at: "eth_newFilter",
      sends: 1,
      run: async () => {
        const client = pool()
        const filter = await client.createContractEventFilter({ ...token(), eventName: "Transfer" })
        const transactionHash = await give()
        expect(await client.getFilterChanges({ filter })).toMatchObject([{ transactionHash }])
      }
    },
    {
      name: "getFilterLogs",
      at: "eth_getFilterLogs",
      run: async () => {
        const client = pool()
        const filter = await client.createEventFilter({
          address: world().token,
          event: erc20[0],
          fromBlock: 0n
        })
        expect(await client.getFilterLogs({ filter })).toEqual(
          await alone().getLogs({ address: world().token, event: erc20[0], fromBlock: 0n })
        )
      }
    },
    {
      name: "createPendingTransactionFilter",
      at: "eth_newPendingTransactionFilter",
      sends: 1,
      run: async () => {
        const client = pool()
        const filter = await client.createPendingTransactionFilter()
        const hash = await give()
        expect(await client.getFilterChanges({ filter })).toEqual([hash])
      }
    },
    {
      name: "uninstallFilter",
      at: "eth_uninstallFilter",
      run: async () => {
        const client = pool()
        const filter = await client.createBlockFilter()
        expect(await client.uninstallFilter({ filter })).toBe(true)
        await expect(client.getFilterChanges({ filter })).rejects.toThrow("filter not found")
      }
    },
    {
      name: "watchBlockNumber",
      run: async () => {
        const height = (await head()).number
        const heights = await watched<bigint>(
          2,
          "eth_blockNumber",
          (client, onBlockNumber, onError) =>
            client.watchBlockNumber({ poll: true, emitOnBegin: true, onBlockNumber, onError }),
          mine
        )
        expect(heights).toEqual([height, height + 1n])
      }
    },
    {
      name: "watchBlocks",
      run: async () => {
        const first = await head()
        const blocks = await watched<unknown>(
          2,
          "eth_getBlockByNumber",
          (client, onBlock, onError) =>
            client.watchBlocks({ poll: true, emitOnBegin: true, onBlock, onError }),
          mine
        )
        expect(blocks).toEqual([first, await head()])
      }
    },
    ...(["eth_newFilter", "eth_getFilterChanges"] as const).map(
      (at): Action => ({
        name: `watchEvent, at ${at}`,
        at,
        sends: 2,
        run: async () => {
          const hashes: Array<Hex> = []
          const logs = await watched<Hex | null>(
            2,
            "eth_newFilter",
            (client, tell, onError) =>
              client.watchEvent({
                poll: true,
                address: world().token,
                event: erc20[0],
                onLogs: (logs) => logs.map(({ transactionHash }) => transactionHash).forEach(tell),
                onError
              }),
            async () => void hashes.push(await give(), await give())
          )
          expect(logs).toEqual(hashes)
        }
      })
    ),
    {
      name: "watchContractEvent",
      at: "eth_getFilterChanges",
      sends: 1,
      run: async () => {
        let hash: Hex = "0x"
        const logs = await watched<Hex | null>(
          1,
          "eth_newFilter",
          (client, tell, onError) =>
            client.watchContractEvent({
              ...token(),
              poll: true,
              eventName: "Transfer",
              onLogs: (logs) => logs.map(({ transactionHash }) => transactionHash).forEach(tell),
              onError
            }),
          async () => {
            hash = await give()
          }
        )
        expect(logs).toEqual([hash])
      }
    },
    {
      name: "watchPendingTransactions",
      at: "eth_newPendingTransactionFilter",
      sends: 1,
      run: async () => {
        let hash: Hex = "0x"
        const hashes = await watched<Hex>(
          1,
          "eth_newPendingTransactionFilter",
          (client, tell, onError) =>
            client.watchPendingTransactions({
              poll: true,
              onTransactions: (hashes) => hashes.forEach(tell),
              onError
            }),
          async () => {
            hash = await give()
          }
        )
        expect(hashes).toEqual([hash])
      }
    },
    known(
      "getEip712Domain",
      {
        fields: "0x0f",
        extensions: [],
        domain: {
          name: "Loop",
          version: "2",
          chainId: 1,
          verifyingContract: signer,
          salt: `0x${"0".repeat(64)}`
        }
      },
      (client) => client.getEip712Domain({ address: signer })
    ),
    known("verifyMessage", true, async (client) =>
      client.verifyMessage({
        address: holder,
        message: "hello",
        signature: await account.signMessage({ message: "hello" })
      })
    ),
    known("verifyTypedData", true, async (client) =>
      client.verifyTypedData({ ...typed, address: holder, signature: await account.signTypedData(typed) })
    ),
    {
      name: "signTransaction",
      run: async () => {
        const transaction = { to: receiver, nonce: 3, gas: 21_000n, gasPrice: 5n, type: "legacy" } as const
        expect(await writer().signTransaction(transaction)).toBe(
          await account.signTransaction({ ...transaction, chainId: 1 })
        )
      }
    },
    {
      name: "signAuthorization",
      run: async () =>
        expect(await writer().signAuthorization({ contractAddress: world().token })).toEqual(
          await other().signAuthorization({ contractAddress: world().token })
        )
    }
  ]
})
