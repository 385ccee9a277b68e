/**
 * What a chain family needs to know of a chain beside its row: of the table's networks their signers know it, and a definition brings it.
 *
 * @since 0.1.0
 */

/**
 * A chain of the Cosmos SDK: the id that signatures are bound to (`osmosis-1`), the prefix of its accounts' addresses (`osmo`), the
 * smallest unit of its coin (`uosmo`), and the price of a unit of gas in that (default `"0.025"`).
 *
 * @since 0.1.0
 * @category models
 */
export interface CosmosParameters {
  readonly chainId: string
  readonly bech32Prefix: string
  readonly denom: string
  readonly gasPrice?: string
}

/**
 * A chain of Bitcoin's kind: the hash of its first block, the versions (first bytes) of its addresses and of private keys (WIF), and the
 * human-readable part of its SegWit addresses, without which it has none. `coinType` is that of derivation paths (SLIP-44, default 1,
 * that of test networks). `dustRate` and `relayFee` are in the smallest unit for 1,000 bytes; the defaults are Bitcoin Core's, 3,000
 * and 1,000. `messagePrefix` is what stands before signed messages, default that of Bitcoin.
 *
 * @since 0.1.0
 * @category models
 */
export interface UtxoParameters {
  readonly genesisHash: string
  readonly pubKeyHash: number
  readonly scriptHash: number
  readonly wif: number
  readonly bech32?: string
  readonly coinType?: number
  readonly dustRate?: number
  readonly relayFee?: number
  readonly messagePrefix?: string
}

/**
 * A cluster of Solana: the hash of its first block.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaParameters {
  readonly genesisHash: string
}

/**
 * A network of Stellar: the passphrase that signatures are bound to.
 *
 * @since 0.1.0
 * @category models
 */
export interface StellarParameters {
  readonly passphrase: string
}

/**
 * A chain of Tezos: its id (`NetX…`).
 *
 * @since 0.1.0
 * @category models
 */
export interface TezosParameters {
  readonly chainId: string
}

/**
 * A chain of Algorand: the hash of its first state (Base64), and its name (`mainnet-v1.0`).
 *
 * @since 0.1.0
 * @category models
 */
export interface AlgorandParameters {
  readonly genesisHash: string
  readonly genesisId: string
}

/**
 * A chain of NEAR: its id, such as `mainnet`.
 *
 * @since 0.1.0
 * @category models
 */
export interface NearParameters {
  readonly chainId: string
}

/**
 * A chain that is built on Substrate: the hash of its first block.
 *
 * @since 0.1.0
 * @category models
 */
export interface PolkadotParameters {
  readonly genesisHash: string
}

/**
 * A network of Cardano: its name at the Rosetta server (`preview`).
 *
 * @since 0.1.0
 * @category models
 */
export interface CardanoParameters {
  readonly network: string
}

/**
 * A network of the XRP Ledger's kind: its id, which transactions name above 1024.
 *
 * @since 0.1.0
 * @category models
 */
export interface XrpParameters {
  readonly networkId: number
}

/**
 * A chain of TON: the root hash of its first state (`zero_state.root_hash` of its configuration), in Base64 or hexadecimal digits.
 *
 * @since 0.1.0
 * @category models
 */
export interface TonParameters {
  readonly rootHash: string
}

/**
 * A chain of EOS's kind: its id, 64 hexadecimal digits.
 *
 * @since 0.1.0
 * @category models
 */
export interface EosParameters {
  readonly chainId: string
}

/**
 * A network of Casper: the name in its chain specification (`casper-test`).
 *
 * @since 0.1.0
 * @category models
 */
export interface CasperParameters {
  readonly chainName: string
}

/**
 * A chain of Flow: its id, such as `flow-emulator`.
 *
 * @since 0.1.0
 * @category models
 */
export interface FlowParameters {
  readonly chainId: string
}

/**
 * A network of IOTA's Stardust protocol: its name, such as `shimmer`.
 *
 * @since 0.1.0
 * @category models
 */
export interface IotaParameters {
  readonly networkName: string
}

/**
 * A network of Kadena: its version of Chainweb, such as `testnet06`.
 *
 * @since 0.1.0
 * @category models
 */
export interface KadenaParameters {
  readonly version: string
}

/**
 * A chain of MultiversX: its id, such as `D`.
 *
 * @since 0.1.0
 * @category models
 */
export interface MultiversXParameters {
  readonly chainId: string
}

/**
 * A network of Zilliqa: its id.
 *
 * @since 0.1.0
 * @category models
 */
export interface ZilliqaParameters {
  readonly networkId: number
}

/**
 * The network of Avalanche that a P-Chain or X-Chain is of: its id.
 *
 * @since 0.1.0
 * @category models
 */
export interface AvalancheParameters {
  readonly networkId: number
}

/**
 * A chain of the kind of BNB Beacon Chain: its id.
 *
 * @since 0.1.0
 * @category models
 */
export interface BnbParameters {
  readonly chainId: string
}

/**
 * The chain that Electrum servers have: the hash of its first block.
 *
 * @since 0.1.0
 * @category models
 */
export interface ElectrumParameters {
  readonly genesisHash: string
}

/**
 * A chain of Aptos: its id.
 *
 * @since 0.1.0
 * @category models
 */
export interface AptosParameters {
  readonly chainId: number
}

/**
 * A network of Hedera: the hash of its first block, which mirror nodes have under `/api/v1/blocks/0`.
 *
 * @since 0.1.0
 * @category models
 */
export interface HederaParameters {
  readonly genesisHash: string
}

/**
 * A chain of Sui: its identifier, the 8 hexadecimal digits that its first checkpoint's digest begins with.
 *
 * @since 0.1.0
 * @category models
 */
export interface SuiParameters {
  readonly chainIdentifier: string
}

/**
 * The parameters of chains, by the names that they have in a definition.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainParameters {
  readonly cosmos?: CosmosParameters
  readonly utxo?: UtxoParameters
  readonly solana?: SolanaParameters
  readonly stellar?: StellarParameters
  readonly tezos?: TezosParameters
  readonly algorand?: AlgorandParameters
  readonly near?: NearParameters
  readonly polkadot?: PolkadotParameters
  readonly cardano?: CardanoParameters
  readonly xrp?: XrpParameters
  readonly ton?: TonParameters
  readonly eos?: EosParameters
  readonly casper?: CasperParameters
  readonly flow?: FlowParameters
  readonly iota?: IotaParameters
  readonly kadena?: KadenaParameters
  readonly multiversx?: MultiversXParameters
  readonly zilliqa?: ZilliqaParameters
  readonly avalanche?: AvalancheParameters
  readonly bnb?: BnbParameters
  readonly electrum?: ElectrumParameters
  readonly aptos?: AptosParameters
  readonly hedera?: HederaParameters
  readonly sui?: SuiParameters
}
