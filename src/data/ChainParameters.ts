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
}
