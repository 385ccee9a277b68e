/** Programs of users of other SDKs, written for these tests after the shapes of their public examples. */
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

/** Those of libraries that are rewritten by their syntax, with the library that each is written for. */
export const libraryPrograms: ReadonlyArray<{
  readonly name: string
  readonly from: "viem" | "ethers"
  readonly text: string
}> = [
  { name: "a program over viem", from: "viem", text: viem },
  { name: "a program over ethers", from: "ethers", text: ethers }
]
