/** Programs of users of other SDKs, written for these tests after the shapes of their public examples. */
import type { migrate } from "../src/cli/migrate/index.js"

export const dapp = `import { TatumSDK, Network, Ethereum, RpcNodeType, ResponseDto, MetaMask, LogFilter } from '@tatumio/tatum'

// an app of one page
const tatum = await TatumSDK.init<Ethereum>({
  network: Network.ETHEREUM,
  rpc: { nodes: [{ url: process.env.NODE ?? '', type: RpcNodeType.NORMAL }] },
})
const { result } = await tatum.rpc.getBalance('0x742d35Cc6634C0532925a3b844Bc454e4438f44e')
console.log( \`Balance: \${result}\` )   // as it stood
const answer = await tatum.rpc.blockNumber()
console.log(answer.result, (await tatum.rpc.chainId()).result)
export const connect = async (client: Ethereum) => { const account: string = await client.walletProvider.use(MetaMask).getWallet()
  return account }
export const rate = async (client: Ethereum, network: Network): Promise<ResponseDto<unknown>> =>
  client.rates.getCurrentRate(network, 'EUR')
export const logs = (filter: LogFilter) => tatum.rpc.getLogs(filter)
await tatum.rpc.destroy()
`

/** What reads a node, the provider's rates, and fees. */
export const report = `import { TatumSDK, Network, Ethereum, ApiVersion, Status } from '@tatumio/tatum'

const tatum = await TatumSDK.init<Ethereum>({
  network: Network.ETHEREUM,
  apiKey: 'a-key-of-mine',
  version: ApiVersion.V4,
  retryCount: 2,
  retryDelay: 1000,
  rpc: {
    nodes: [{ url: process.env.NODE ?? '' , type: 0 }],
    allowedBlocksBehind: 20,
  },
})

const { result: balance } = await tatum.rpc.getBalance(process.env.ACCOUNT ?? '')
const block = await tatum.rpc.getBlockByNumber('latest')
const rates = await tatum.rates.getCurrentRate('BTC', 'EUR')
if (rates.status === Status.SUCCESS) {
  console.log(JSON.stringify({
    balance: String(balance),
    isBlock: block.result !== null,
    chain: String((await tatum.rpc.chainId()).result),
    rate: Number(rates.data.value) > 0,
  }))
}
await tatum.destroy()
`

export const viem = `import { createPublicClient, createWalletClient, custom, fallback, http } from "viem"
import { mainnet, polygon } from "viem/chains"

const client = createPublicClient({
  chain: mainnet,
  transport: fallback([http("https://one.example"), http("https://two.example")])
})
export const onPolygon = async () => {
  const other = createPublicClient({ chain: polygon, transport: http() })
  return other.getBlockNumber()
}
export const wallet = createWalletClient({ chain: mainnet, transport: custom({ request: async () => undefined }) })
console.log(await client.getBlockNumber())
`

export const ethers = `import { JsonRpcProvider, Wallet } from "ethers"

const provider = new JsonRpcProvider("https://one.example", 137)
export const wallet = Wallet.createRandom(provider)
export const unknown = new JsonRpcProvider("https://two.example")
`

/** All of them, with the library that each is written for. */
export const programs: ReadonlyArray<{
  readonly name: string
  readonly from: Parameters<typeof migrate>[1]
  readonly text: string
}> = [
  { name: "a page over @tatumio/tatum", from: "@tatumio/tatum", text: dapp },
  { name: "a report over @tatumio/tatum", from: "@tatumio/tatum", text: report },
  { name: "a program over viem", from: "viem", text: viem },
  { name: "a program over ethers", from: "ethers", text: ethers }
]
