/** What viem's clients do over the pool, while its nodes break one after the other. */
import {
  createPublicClient,
  createWalletClient,
  hashMessage,
  hashTypedData,
  type Hex,
  http,
  parseEther,
  parseEventLogs,
  toFunctionSelector
} from "viem"
import { mainnet } from "viem/chains"
import { expect } from "vitest"
import { call as callNode } from "../../../src/sandbox/Loopback.js"
import { account, actions, deployment, erc20, key, receiver, supply } from "./world.js"

actions("viem", (world) => {
  const pool = () =>
    createPublicClient({
      chain: mainnet,
      transport: world().sdk.rpc.viemTransport(),
      pollingInterval: 20,
      cacheTime: 0
    })
  const itself = () => createPublicClient({ chain: mainnet, transport: http(world().url), cacheTime: 0 })
  type Client = ReturnType<typeof pool>
  /** Both answer the same. */
  const same = (name: string, ask: (client: Client) => Promise<unknown>) => ({
    name,
    run: async () => {
      const answer = await ask(pool())
      expect(answer).toBeDefined()
      expect(answer).toEqual(await ask(itself() as Client))
    }
  })
  return [
    { name: "getChainId", run: async () => expect(await pool().getChainId()).toBe(1) },
    { name: "getBlockNumber", run: async () => expect(await pool().getBlockNumber()).toBe(2n) },
    same("getBlock", (client) => client.getBlock()),
    {
      name: "sendTransaction",
      at: "eth_sendRawTransaction",
      sends: 1,
      run: async () => {
        const writer = createWalletClient({ account, chain: mainnet, transport: world().sdk.rpc.viemTransport() })
        const hash = await writer.sendTransaction({ to: receiver, value: 7n })
        expect((await itself().getTransactionReceipt({ hash })).status).toBe("success")
      }
    },
    ...Array.from({ length: 28 }, (_, i) => same(`getBlock ${i}`, (client) => client.getBlock({ blockNumber: BigInt(i % 3) })))
  ]
})
