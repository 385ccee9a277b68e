/**
 * The highest cost of a payment without `maxFee`: one table for all families. A node's answer alone never bounds a fee. Each number is
 * far above the fees of the chain's busiest hours, and far below what a lie could take from an account. A payment above it fails with
 * `FeeOverCap`; a higher `maxFee` allows it. Amounts are in the smallest unit of the chain's coin.
 */

/**
 * EVM chains. The price of gas is at most `factor` times that of recent blocks (`eth_feeHistory`, 20 of them): by EIP-1559 a base fee
 * grows by an eighth a block at most, so ten full blocks above the median make it 3.25 times as high, and the highest fee of a payment,
 * twice the base fee, 6.5 times. Prices below `free` (wei) are never refused: 50 gwei are a thousandth of a coin for a payment.
 * Whatever blocks say, no price is above `most` wei: on chains whose coin is ether 3,000 gwei, which is six times the median in its
 * dearest hour (1 May 2022); elsewhere 50,000 gwei, five times the dearest chain of the table (Chiliz and Cronos asked 5,000).
 *
 * Gas: a payment of coins takes 21,000, and a receiver's program some tens of thousands; a transfer of tokens takes 30,000 to 150,000;
 * no transaction of Ethereum has more than 2^24 (EIP-7825). On chains of Arbitrum and on zkSync it has the
 * data of the chain below in it, which is `below` more.
 */
export const evm = {
  blocks: 20,
  factor: 10n,
  free: 50_000_000_000n,
  most: { ether: 3_000_000_000_000n, other: 50_000_000_000_000n },
  gas: { coins: 300_000n, tokens: 1_000_000n, call: 16_777_216n, below: 5_000_000n },
  /** Gas for a byte on the chain below a rollup of the OP stack (EIP-2028), whose price is that of ether. */
  belowGas: 16n
} as const

/**
 * Bitcoin and its kin, for 1,000 virtual bytes. Bitcoin: 1,000 sat/vB, the median of the blocks of its dearest day (20 April 2024);
 * Bitcoin Core itself refuses from 10,000 on. Litecoin: the same number of its own unit. Dogecoin: 1 DOGE, which was the fee before
 * its version 1.14.5; now it is a hundredth. Bitcoin Cash: a hundred times what nodes relay.
 */
export const bitcoin = {
  bitcoin: 1_000_000n,
  litecoin: 1_000_000n,
  doge: 100_000_000n,
  cash: 100_000n
} as const

/**
 * Solana, in lamports, base fee (5,000) and priority fee together. A payment of tokens that makes an account takes some 30,000 compute
 * units: 0.001 SOL pays 33 lamports for each, and accounts that everybody writes to cost about one in crowded hours. A price above the
 * cap is lowered to it. Rent (`getMinimumBalanceForRentExemption`) is 6,960 for a byte and for 128 more; twice that is refused as an answer of
 * the node.
 */
export const solana = { fee: 1_000_000n, rent: 2n * 6_960n, overhead: 128n } as const

/**
 * Tron, in sun: for energy (100 in 2026, 420 at its dearest), for a byte of bandwidth (1,000), for a memo, for a new account and for several
 * signatures (1 TRX each). A transfer of tokens takes 65,000 to 130,000 energy, and some contracts three times that.
 */
export const tron = {
  energyPrice: 1_000n,
  bytePrice: 10_000n,
  memo: 10_000_000n,
  account: 10_000_000n,
  signatures: 10_000_000n,
  energy: { tokens: 500_000n, call: 2_000_000n }
} as const

/** The XRP Ledger, in drops: 10,000 times the reference cost of 10 drops. Open ledgers escalate to some thousands in a crowd. */
export const xrp = { fee: 100_000n } as const

/** Stellar, in stroops: 10,000 times the base fee of 100, in surges of the ledger too (0.1 XLM). */
export const stellar = { fee: 1_000_000n } as const

/** TON, in nanotons: a payment takes 3 to 20 million, of tokens too; this is 0.2. */
export const ton = { fee: 200_000_000n } as const

/**
 * Tezos: gas (a payment takes 170 to 2,100, of tokens some thousands, and the chain lets none take more than 1,040,000), bytes of
 * storage (a new account has 257), and the mutez of a byte: 250 since 2020, 1,000 before, and never less.
 */
export const tezos = {
  gas: { coins: 20_000n, tokens: 1_040_000n },
  storage: { coins: 600n, tokens: 4_000n },
  byte: { least: 250n, most: 1_000n }
} as const

/** Algorand, in microalgos: a hundred times the least fee (0.1 ALGO). */
export const algorand = { fee: 100_000n } as const

/** Cosmos: gas (a payment takes about 100,000), at ten times the price that the chain's directory recommends. */
export const cosmos = { gas: 1_000_000n, factor: 10n } as const
