/** The incumbent's wallet packages themselves, from npm: what the table of their accounts says is what they give. */
import { beforeAll, expect, it } from "vitest"
import { ensure, load } from "../../scripts/cached.mjs"
import { accounts, packages, providers, words } from "../signers/incumbent.js"

beforeAll(() => {
  for (const set of [providers, packages]) {
    const problem = ensure(set)
    if (problem !== undefined) throw new Error(problem)
  }
}, 300_000)

/** What each kind of them has: none of it is typed where it is loaded. */
interface Provider {
  readonly supportedNetworks: ReadonlyArray<string | undefined>
  generateAddressFromMnemonic(mnemonic: string, index: number): Promise<string>
}
interface Wallet {
  generateWallet(mnemonic: string, options: { readonly testnet: boolean }): Promise<{ readonly xpub: string }>
  generateAddressFromXPub(xpub: string, index: number, options: { readonly testnet: boolean }): string
  generateAddressFromMnemonic(mnemonic: string, index: number): { readonly address: string }
}
type Made<A, Options> = Readonly<Record<string, new (options: Options) => A>>

const networks = (name: string): ReadonlyArray<string> => Object.keys(accounts[name] ?? {}).toSorted()

it.each([
  ["@tatumio/evm-wallet-provider", "EvmWalletProvider"],
  ["@tatumio/tron-wallet-provider", "TronWalletProvider"]
])("%s", async (name, provider) => {
  // its container is what the SDK hands to it
  const { [provider]: Provider } = load(providers, name) as Made<Provider, object>
  if (Provider === undefined) throw new Error(provider)
  const on = (network: string) => new Provider({ getConfig: () => ({ network }), getRpc: () => ({}) })
  // a name that the newest SDK has no more is undefined
  const theirs = on("").supportedNetworks.filter((network) => network !== undefined)
  expect(networks(name)).toEqual(theirs.toSorted())
  for (const [network, expected] of Object.entries(accounts[name] ?? {}))
    expect([
      network,
      await on(network).generateAddressFromMnemonic(words, 0),
      await on(network).generateAddressFromMnemonic(words, 3)
    ]).toEqual([network, ...expected])
})

it.each(["btc", "ltc", "doge", "bch"])("@tatumio/%s", async (chain) => {
  const name = `@tatumio/${chain}`
  const loaded = load(packages, name) as Readonly<
    Record<string, (options: object) => { readonly wallet: Wallet }>
  >
  const sdk = loaded[`Tatum${chain[0]?.toUpperCase()}${chain.slice(1)}SDK`]
  if (sdk === undefined) throw new Error(name)
  const { wallet } = sdk({ apiKey: "" })
  for (const [network, expected] of Object.entries(accounts[name] ?? {})) {
    const options = { testnet: network.endsWith("testnet") }
    const { xpub } = await wallet.generateWallet(words, options)
    expect([0, 3].map((index) => wallet.generateAddressFromXPub(xpub, index, options))).toEqual(expected)
  }
})

it("@tatumio/solana", () => {
  const { solanaWallet } = load(packages, "@tatumio/solana") as { readonly solanaWallet: () => Wallet }
  const expected = [0, 3].map((index) => solanaWallet().generateAddressFromMnemonic(words, index).address)
  for (const [, each] of Object.entries(accounts["@tatumio/solana"] ?? {})) expect(each).toEqual(expected)
})
