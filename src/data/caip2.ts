/**
 * The ids of networks by CAIP-2, which other software calls them by. Chains with an EIP-155 id have it in the table of networks; the
 * references of all others are here, by namespace. Each follows the profile of its namespace in the registry of namespaces (CASA), but
 * for `cip34`, whose profile is Cardano's own CIP-34. A network whose reference no profile makes certain has none.
 */
import type { Network, NetworkInfo } from "./Network.js"

type References = Readonly<Partial<Record<Network, string>>>

/** The hashes of the first state, in Base64, whole: signatures of Algorand are for them. Source: the profile's examples. */
export const algorand = {
  "algorand-mainnet-algod": "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=",
  "algorand-testnet-algod": "SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI="
} as const satisfies References

/** The first half of the chain id. Source: the profile's examples. */
export const antelope = { "eos-mainnet": "aca376f206b8fc25a6ed44dbdc66547c" } as const satisfies References

/** The chain id. Source: the profile's table; the development network gets another one with each reset. */
export const aptos = { "aptos-mainnet": "1", "aptos-testnet": "2" } as const satisfies References

/** A hash of the chain's own id. Source: the profile's examples. */
export const avax = {
  "avax-p-mainnet": "Rr9hnPVPxuUvrdCul-vjEsU1zmqKqRDo",
  "avax-x-mainnet": "imji8papUf2EhV3le337w1vgFauqkJg-",
  "avax-p-testnet": "Sj7NVE3jXTbJvwFAiu7OEUo_8g8ctXMG",
  "avax-x-testnet": "8AJTpRj3SAqv1e80Mtl9em08LhvKEbkl"
} as const satisfies References

/**
 * The first half of the hash of the first block; of Bitcoin Cash, of the first block after it left Bitcoin. Sources: the profile's
 * examples, and the chain parameters of Bitcoin Core (testnet4) and zcashd. Bitcoin Cash's testnet is none of the examples.
 */
export const bip122 = {
  "bitcoin-mainnet": "000000000019d6689c085ae165831e93",
  "bitcoin-testnet": "000000000933ea01ad0ee984209779ba",
  "bitcoin-testnet4": "00000000da84f2bafbbc53dee25a72ae",
  "bitcoin-cash-mainnet": "000000000000000000651ef99cb9fcbe",
  "litecoin-mainnet": "12a765e31ffd4059bada1e25190f6e98",
  "litecoin-testnet": "4966625a4b2851d9fdee139e56211a0d",
  "doge-mainnet": "1a91e3dace36e2be3bf030a65679fe82",
  "doge-testnet": "bb0a78264637406b6360aad926284d54",
  "zcash-mainnet": "00040fe8ec8471911baa1db1266ea15d",
  "zcash-testnet": "05a60a92d99d85997cce3b87616c089f"
} as const satisfies References

/** The name of the chain. Source: the profile's examples. */
export const casper = { "casper-mainnet": "casper" } as const satisfies References

/** The network's id and its magic number. Source: CIP-34. */
export const cip34 = {
  "cardano-mainnet": "1-764824073",
  "cardano-preprod": "0-1"
} as const satisfies References

/** The chain id, which signatures are for. Sources: the profile's rule and its response; its example of the Binance chain. */
export const cosmos = {
  "cosmos-mainnet": "cosmoshub-4",
  "bnb-beacon-chain-mainnet": "Binance-Chain-Tigris"
} as const satisfies References

/** The network's name. Source: the profile's examples. */
export const flow = { "flow-mainnet": "mainnet", "flow-testnet": "testnet" } as const satisfies References

/** The network's name. Source: the profile's table. */
export const hedera = {
  "hedera-mainnet-mirror": "mainnet",
  "hedera-testnet-mirror": "testnet",
  "hedera-previewnet-mirror": "previewnet"
} as const satisfies References

/** The chain id. Source: the profile's examples. */
export const mvx = { "egld-mainnet": "1", "egld-testnet": "T" } as const satisfies References

/** The first half of the hash of the first block. Sources: the profile's example, and the specification of Westend's chain. */
export const polkadot = {
  "dot-mainnet": "91b171bb158e2d3848fa23a9f1c25182",
  "dot-testnet": "e143f23803ac50e8f6f8e62695d1ce9e"
} as const satisfies References

/** The first 32 characters of the hash of the first block. Source: the profile's examples. */
export const solana = {
  "solana-mainnet": "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
  "solana-devnet": "EtWTRABZaYq6iMfeYKouRu166VU2xqa1"
} as const satisfies References

/** The network's name. Source: the profile's examples. */
export const stellar = {
  "stellar-mainnet": "pubnet",
  "stellar-testnet": "testnet"
} as const satisfies References

/** The first four bytes of the digest of the first checkpoint. Source: the profile's example; test networks begin anew now and then. */
export const sui = { "sui-mainnet": "35834a8a" } as const satisfies References

/** The chain id. Source: the profile's examples; the test network is Ghostnet. */
export const tezos = {
  "tezos-mainnet": "NetXdQprcVkpaWU",
  "tezos-testnet": "NetXnHfVqm9iesp"
} as const satisfies References

/** The global id. Sources: the profile's example, and the configuration of TON's test network. */
export const tvm = { "ton-mainnet": "-239", "ton-testnet": "-3" } as const satisfies References

/** The network's id. Source: the profile's examples. */
export const xrpl = { "ripple-mainnet": "0", "ripple-testnet": "1" } as const satisfies References

/** The id of a network by the references of its namespace. One that they lack has its own name there. */
export const caip2IdIn = (
  namespace: string,
  references: Readonly<Record<string, string>>,
  network: string
): string => `${namespace}:${references[network] ?? network}`

/** The id of Algorand's chains has the start of the hash, in the letters of urls. */
export const caip2IdOfAlgorand = (hash: string): string =>
  `algorand:${hash.replaceAll("+", "-").replaceAll("/", "_").slice(0, 32)}`

/** The id of a network with an EIP-155 chain id. Tron has the same number in a namespace of its own. */
export const caip2IdOfChainId = ({ chainId, family }: Pick<NetworkInfo, "chainId" | "family">): string =>
  `${family === "tron" ? "tron" : "eip155"}:${chainId}`
