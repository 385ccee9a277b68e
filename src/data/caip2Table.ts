/** The ids of all networks by CAIP-2, and the networks of an id: for what knows no family. */
import {
  algorand,
  antelope,
  aptos,
  avax,
  bip122,
  caip2IdOfAlgorand,
  caip2IdOfChainId,
  casper,
  cip34,
  cosmos,
  flow,
  hedera,
  mvx,
  polkadot,
  solana,
  stellar,
  sui,
  tezos,
  tvm,
  xrpl
} from "./caip2.js"
import type { Network, NetworkInfo, networks } from "./Network.js"

const namespaces = {
  antelope,
  aptos,
  avax,
  bip122,
  casper,
  cip34,
  cosmos,
  flow,
  hedera,
  mvx,
  polkadot,
  solana,
  stellar,
  sui,
  tezos,
  tvm,
  xrpl
}

/**
 * The networks that are another way to the chain of one of the others, which is the one that an id leads to: indexers, Electrum servers,
 * and names that a chain has given up.
 */
export const sameChain = {
  "algorand-mainnet-indexer": "algorand-mainnet-algod",
  "algorand-testnet-indexer": "algorand-testnet-algod",
  "bitcoin-mainnet-electrs": "bitcoin-mainnet",
  "bitcoin-testnet-electrs": "bitcoin-testnet",
  "bch-mainnet-rostrum": "bitcoin-cash-mainnet",
  "bch-testnet-rostrum": "bch-testnet",
  "klaytn-mainnet": "kaia-mainnet",
  "klaytn-baobab": "kaia-kairos"
} as const satisfies Partial<Record<Network, Network>>

/**
 * Further ids of networks that have one of EIP-155: the same chain in a namespace of its own, by the examples of its profile. Tron's in
 * hexadecimal digits are those of wallets from before its profile was agreed on.
 */
const others: ReadonlyMap<string, Network> = new Map([
  ["avax:8aDU0Kqh-5d23op-B-r-4YbQFRbsgF9a", "avalanche-c-mainnet"],
  ["avax:YRLfeDBJpfEqUWe2FYR1OpXsnDDZeKWd", "avax-testnet"],
  ["tron:0x2b6653dc", "tron-mainnet"],
  ["tron:0x94a9059e", "tron-testnet"],
  ["vechain:b1ac3413d346d43539627e6be7ec1b4a", "vechain-mainnet"],
  ["vechain:87721b09ed2e15997f466536b20bb127", "vechain-testnet"]
])

/** The networks that the namespaces have references of. */
type Referenced =
  | keyof typeof algorand
  | { readonly [S in keyof typeof namespaces]: keyof (typeof namespaces)[S] }[keyof typeof namespaces]

/** The network that stands for a chain. */
type Canonical<N extends Network> = N extends keyof typeof sameChain ? (typeof sameChain)[N] : N

/**
 * The networks whose id by CAIP-2 is certain.
 *
 * @since 0.1.0
 * @category types
 */
export type CaipNetwork = {
  readonly [N in Network]: (typeof networks)[N] extends { readonly chainId: number }
    ? N
    : Canonical<N> extends Referenced
      ? N
      : never
}[Network]

const referenced: ReadonlyMap<string, string> = new Map([
  ...Object.entries(algorand).map(([network, hash]) => [network, caip2IdOfAlgorand(hash)] as const),
  ...Object.entries(namespaces).flatMap(([namespace, references]) =>
    Object.entries(references).map(([network, reference]) => [network, `${namespace}:${reference}`] as const)
  )
])

const mains: ReadonlyMap<string, string> = new Map(Object.entries(sameChain))

type Rows = Readonly<Record<string, NetworkInfo>>

/** The id of each network that has one. */
export const caip2IdsOf = (rows: Rows): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(rows).flatMap(([network, row]): ReadonlyArray<readonly [string, string]> => {
      const id =
        row.chainId === undefined ? referenced.get(mains.get(network) ?? network) : caip2IdOfChainId(row)
      return id === undefined ? [] : [[network, id]]
    })
  )

/** The networks of an id among those of all networks, that which stands for the chain first. */
export const networksWith = (ids: ReadonlyMap<string, string>, id: string): ReadonlyArray<string> => {
  const other = others.get(id)
  if (other !== undefined) return [other]
  const found = [...ids].filter(([, each]) => each === id).map(([network]) => network)
  return [...found.filter((each) => !mains.has(each)), ...found.filter((each) => mains.has(each))]
}

/**
 * The types of coins in SLIP-44, by their tickers. The coin of Avalanche is left out, whose chains have two, and so are tickers that the
 * list has for several coins.
 */
const coinTypes: Readonly<Partial<Record<string, number>>> = {
  ADA: 1815,
  ALGO: 283,
  ATOM: 118,
  BCH: 145,
  BNB: 714,
  BTC: 0,
  CELO: 52752,
  CRO: 394,
  CSPR: 506,
  DOGE: 3,
  DOT: 354,
  EGLD: 508,
  EOS: 194,
  ETC: 61,
  ETH: 60,
  FLOW: 539,
  FTM: 1007,
  HBAR: 3030,
  ISLM: 1348,
  KAIA: 8217,
  KCS: 641,
  LTC: 2,
  MATIC: 966,
  RBTC: 137,
  ROSE: 474,
  S: 10007,
  SOL: 501,
  TON: 607,
  TRX: 195,
  VET: 818,
  XDAI: 700,
  XDC: 550,
  XLM: 148,
  XRP: 144,
  XTZ: 1729,
  ZEC: 133
}

/** The coin type of a network's coin: that of all testnets where it has no price. */
export const coinTypeOf = ({ realMoney, symbol, testnet }: NetworkInfo): number | undefined =>
  testnet === true && realMoney !== true ? 1 : coinTypes[symbol]
