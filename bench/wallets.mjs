/**
 * The wallets under test, each over a list of node urls and a private key. A wallet has `pay({ to, value })`, in wei, which resolves to the hash
 * or rejects, and `close()`. `again(error)` hands over the same bytes once more, where the wallet tells by its error that they may have been
 * sent, and is undefined for all other errors.
 */
import { formatEther } from "ethers"
import * as tatum from "./tatum.mjs"
import { chains } from "./world.mjs"

const take = (result) => {
  if (result.status !== "SUCCESS") throw result.error
  return result.data
}

const own = async (urls, { imported, key }) => {
  const [{ init }, { signer }] = await Promise.all([
    imported("promise.js", "lean"),
    imported("signers/Evm.js", "lean")
  ])
  const client = await init({
    network: "ethereum-mainnet",
    rpc: { nodes: urls.map((url) => ({ url })) },
    quiet: true
  })
  const account = take(await signer(client, { privateKey: key }))
  return {
    pay: async ({ to, value }) => take(await account.send({ to, amount: value })).hash,
    again: (error) =>
      error._tag === "BroadcastUnclear" ? async () => take(await account.submit(error)).hash : undefined,
    close: () => client.destroy()
  }
}

const viem = async (urls, { key }) => {
  const [{ createWalletClient, fallback, http }, { privateKeyToAccount }, { mainnet }] = await Promise.all([
    import("viem"),
    import("viem/accounts"),
    import("viem/chains")
  ])
  const client = createWalletClient({
    account: privateKeyToAccount(key),
    chain: mainnet,
    transport: fallback(urls.map((url) => http(url)))
  })
  return {
    pay: ({ to, value }) => client.sendTransaction({ to, value }),
    again: () => undefined,
    close: async () => {}
  }
}

const ethers = async (urls, { key }) => {
  const { FallbackProvider, JsonRpcProvider, Wallet } = await import("ethers")
  const providers = urls.map((url) => new JsonRpcProvider(url, chains.right))
  const client = new FallbackProvider(providers, chains.right, { quorum: 1 })
  const wallet = new Wallet(key, client)
  return {
    pay: async ({ to, value }) => (await wallet.sendTransaction({ to, value })).hash,
    again: () => undefined,
    close: async () => {
      client.destroy()
      for (const provider of providers) provider.destroy()
    }
  }
}

const incumbent = async (urls, { key }) => {
  const { EvmWalletProvider, Network, RpcNodeType, TatumSDK } = tatum.loadWallet()
  const client = await TatumSDK.init({
    network: Network.ETHEREUM,
    rpc: { nodes: urls.map((url) => ({ url, type: RpcNodeType.NORMAL })) },
    configureWalletProviders: [EvmWalletProvider],
    quiet: true
  })
  return {
    pay: ({ to, value }) =>
      client.walletProvider
        .use(EvmWalletProvider)
        .signAndBroadcast({ privateKey: key, to, value: formatEther(value) }),
    again: () => undefined,
    close: () => client.destroy()
  }
}

/** By name. */
export const wallets = {
  "effect-chains": own,
  viem,
  ethers,
  "@tatumio/evm-wallet-provider": incumbent
}
