/**
 * The pages of block explorers, by network: a file of its own, which is loaded with the first link. A text is the address of a site with
 * the paths of EIP-3091. Sources: `explorers` in ethereum-lists/chains and viem's chains, where both name the site; of other families the
 * explorers that the chains' own documentation or foundations name. A network of which they name different ones has none.
 */
import { evmFamilies, type FamilyId, type Network, type NetworkInfo } from "./Network.js"

/** The paths of a site, in front of what is looked up, and what stands behind it. */
export interface ExplorerSite {
  readonly url: string
  readonly tx: string
  readonly address: string
  readonly block?: string
  readonly token?: string
  readonly end?: string
}

const mempool = { tx: "tx/", address: "address/", block: "block/" } as const
const blockchair = { tx: "transaction/", address: "address/", block: "block/" } as const
const solana = { url: "https://explorer.solana.com/", ...mempool, token: "address/" } as const
const xrpl = { tx: "transactions/", address: "accounts/", block: "ledgers/", token: "token/" } as const
const expert = { tx: "tx/", address: "account/", block: "ledger/", token: "asset/" } as const
const lora = { tx: "transaction/", address: "account/", block: "block/", token: "asset/" } as const
const cardanoscan = { tx: "transaction/", address: "address/", block: "block/", token: "token/" } as const
const subscan = { tx: "extrinsic/", address: "account/", block: "block/" } as const
const nearblocks = { tx: "txns/", address: "address/", block: "blocks/", token: "token/" } as const
const multiversx = { tx: "transactions/", address: "accounts/", block: "blocks/", token: "tokens/" } as const
const tronscan = {
  tx: "#/transaction/",
  address: "#/address/",
  block: "#/block/",
  token: "#/token20/"
} as const
const flowscan = { tx: "tx/", address: "account/", block: "block/" } as const
const tonviewer = { tx: "transaction/", address: "", token: "" } as const

const bitcoin = { url: "https://mempool.space/", ...mempool } as const
const bitcoinTest = { url: "https://mempool.space/testnet/", ...mempool } as const
const bitcoinCash = { url: "https://blockchair.com/bitcoin-cash/", ...blockchair } as const
const algorand = { url: "https://lora.algokit.io/mainnet/", ...lora } as const
const algorandTest = { url: "https://lora.algokit.io/testnet/", ...lora } as const
const kaia = "https://kaiascan.io"
const kairos = "https://kairos.kaiascan.io"

/** The sites of networks whose explorer is certain. */
export const explorers = {
  "arbitrum-one-mainnet": "https://arbiscan.io",
  "arb-testnet": "https://sepolia.arbiscan.io",
  "avalanche-c-mainnet": "https://snowtrace.io",
  "avax-testnet": "https://testnet.snowtrace.io",
  "base-mainnet": "https://basescan.org",
  "berachain-mainnet": "https://berascan.com",
  "bsc-mainnet": "https://bscscan.com",
  "bsc-testnet": "https://testnet.bscscan.com",
  "celo-mainnet": "https://celoscan.io",
  "chiliz-mainnet": "https://scan.chiliz.com",
  "cronos-mainnet": "https://explorer.cronos.org",
  "cro-testnet": "https://explorer.cronos.org/testnet",
  "eon-mainnet": "https://eon-explorer.horizenlabs.io",
  "horizen-eon-gobi": "https://gobi-explorer.horizen.io",
  "ethereum-mainnet": "https://etherscan.io",
  "ethereum-sepolia": "https://sepolia.etherscan.io",
  "ethereum-holesky": "https://holesky.etherscan.io",
  "fantom-mainnet": "https://ftmscan.com",
  "fantom-testnet": "https://testnet.ftmscan.com",
  "flare-mainnet": "https://flare-explorer.flare.network",
  "flare-coston": "https://coston-explorer.flare.network",
  "flare-coston2": "https://coston2-explorer.flare.network",
  "flare-songbird": "https://songbird-explorer.flare.network",
  "gno-mainnet": "https://gnosisscan.io",
  "gno-testnet": "https://blockscout.chiadochain.net",
  "haqq-mainnet": "https://explorer.haqq.network",
  "haqq-testnet": "https://explorer.testedge2.haqq.network",
  "kaia-mainnet": kaia,
  "klaytn-mainnet": kaia,
  "kaia-kairos": kairos,
  "klaytn-baobab": kairos,
  "lisk-mainnet": "https://blockscout.lisk.com",
  "lisk-sepolia": "https://sepolia-blockscout.lisk.com",
  "one-mainnet-s0": "https://explorer.harmony.one",
  "optimism-mainnet": "https://optimistic.etherscan.io",
  "optimism-testnet": "https://optimism-sepolia.blockscout.com",
  "palm-mainnet": "https://palm.chainlens.com",
  "polygon-mainnet": "https://polygonscan.com",
  "polygon-amoy": "https://amoy.polygonscan.com",
  "rsk-mainnet": "https://explorer.rsk.co",
  "sonic-mainnet": "https://sonicscan.org",
  "unichain-mainnet": "https://uniscan.xyz",
  "unichain-sepolia": "https://sepolia.uniscan.xyz",
  "zksync-mainnet": "https://explorer.zksync.io",
  "zksync-testnet": "https://sepolia.explorer.zksync.io",
  "algorand-mainnet-algod": algorand,
  "algorand-mainnet-indexer": algorand,
  "algorand-testnet-algod": algorandTest,
  "algorand-testnet-indexer": algorandTest,
  "bitcoin-mainnet": bitcoin,
  "bitcoin-mainnet-electrs": bitcoin,
  "bitcoin-testnet": bitcoinTest,
  "bitcoin-testnet-electrs": bitcoinTest,
  "bitcoin-testnet4": { url: "https://mempool.space/testnet4/", ...mempool },
  "bitcoin-cash-mainnet": bitcoinCash,
  "bch-mainnet-rostrum": bitcoinCash,
  "cardano-mainnet": { url: "https://cardanoscan.io/", ...cardanoscan },
  "cardano-preprod": { url: "https://preprod.cardanoscan.io/", ...cardanoscan },
  "casper-mainnet": { url: "https://cspr.live/", tx: "transaction/", address: "account/", block: "block/" },
  "cosmos-mainnet": { url: "https://www.mintscan.io/cosmos/", ...mempool },
  "doge-mainnet": { url: "https://blockchair.com/dogecoin/", ...blockchair },
  "dot-mainnet": { url: "https://polkadot.subscan.io/", ...subscan },
  "dot-testnet": { url: "https://westend.subscan.io/", ...subscan },
  "egld-mainnet": { url: "https://explorer.multiversx.com/", ...multiversx },
  "egld-testnet": { url: "https://testnet-explorer.multiversx.com/", ...multiversx },
  "flow-mainnet": { url: "https://www.flowscan.io/", ...flowscan },
  "flow-testnet": { url: "https://testnet.flowscan.io/", ...flowscan },
  "litecoin-mainnet": { url: "https://litecoinspace.org/", ...mempool },
  "litecoin-testnet": { url: "https://litecoinspace.org/testnet/", ...mempool },
  "near-mainnet": { url: "https://nearblocks.io/", ...nearblocks },
  "near-testnet": { url: "https://testnet.nearblocks.io/", ...nearblocks },
  "ripple-mainnet": { url: "https://livenet.xrpl.org/", ...xrpl },
  "ripple-testnet": { url: "https://testnet.xrpl.org/", ...xrpl },
  "solana-mainnet": solana,
  "solana-devnet": { ...solana, end: "?cluster=devnet" },
  "stellar-mainnet": { url: "https://stellar.expert/explorer/public/", ...expert },
  "stellar-testnet": { url: "https://stellar.expert/explorer/testnet/", ...expert },
  "tezos-mainnet": { url: "https://tzkt.io/", tx: "", address: "", block: "", token: "" },
  "ton-mainnet": { url: "https://tonviewer.com/", ...tonviewer },
  "ton-testnet": { url: "https://testnet.tonviewer.com/", ...tonviewer },
  "tron-mainnet": { url: "https://tronscan.org/", ...tronscan },
  "tron-testnet": { url: "https://shasta.tronscan.org/", ...tronscan },
  "zcash-mainnet": { url: "https://blockchair.com/zcash/", ...blockchair },
  "zilliqa-mainnet": { url: "https://viewblock.io/zilliqa/", ...mempool }
} as const satisfies Partial<Record<Network, string | ExplorerSite>>

/** What pages are about. */
export type ExplorerPage = "tx" | "address" | "block" | "token"

const evm: ReadonlyArray<FamilyId> = evmFamilies

const sites: ReadonlyMap<string, string | ExplorerSite> = new Map(Object.entries(explorers))

/** The page of a network's explorer; undefined where there is none of its kind. */
export const explorerUrlOf = (
  { info, network }: { readonly network: string; readonly info: NetworkInfo },
  page: ExplorerPage,
  value: string
): string | undefined => {
  // a network of the application's own says where its explorer is; those of EVM chains have the same pages (EIP-3091)
  const own = evm.includes(info.family) ? info.explorers?.[0]?.url.replace(/\/+$/, "") : undefined
  const site = sites.get(network) ?? own
  const text = encodeURIComponent(value).replaceAll("%3A", ":")
  if (site === undefined) return undefined
  if (typeof site === "string") return `${site}/${page}/${text}`
  const path = site[page]
  return path === undefined ? undefined : `${site.url}${path}${text}${site.end ?? ""}`
}
