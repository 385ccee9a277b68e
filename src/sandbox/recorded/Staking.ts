/**
 * Stakes of Ethereum and Solana, which the sandbox's nodes do not have. Every address has two of them, derived from the
 * address.
 *
 * @since 0.1.0
 */
import { encodeBase58 } from "../../chains/internal/base58.js"
import type { LiquidPool, StakedAsset, StakingPool, StakingReward } from "../api/Staking.js"
import { syntheticBytes, syntheticHex } from "./Synthetic.js"

/** The networks that have stakes. */
export type StakedNetwork = "ethereum-mainnet" | "solana-mainnet"

/**
 * The time at which the recorded stakes begin, and the lengths of epochs and blocks, in milliseconds and as numbers.
 */
const chains = {
  "ethereum-mainnet": {
    began: Date.UTC(2025, 0, 1),
    epoch: 338_000,
    perEpoch: 384_000,
    block: 21_525_000,
    perBlock: 12_000
  },
  "solana-mainnet": {
    began: Date.UTC(2025, 0, 1),
    epoch: 720,
    perEpoch: 172_800_000,
    block: 311_000_000,
    perBlock: 400
  }
} as const

const DAY_MS = 86_400_000

/** The two stakes in whole coins, and the days on which they were made. */
const STAKES = {
  "ethereum-mainnet": [
    { amount: "32", day: 3 },
    { amount: "32", day: 40 }
  ],
  "solana-mainnet": [
    { amount: "120.5", day: 5 },
    { amount: "48", day: 33 }
  ]
} as const

type Stake = typeof StakedAsset.Type

const syntheticBase58 = (seed: string, length = 32): string => encodeBase58(syntheticBytes(seed, length))

/** A number below a limit, derived from a seed. */
const seededNumber = (seed: string, limit: number): number => syntheticBytes(seed).readUInt32BE() % limit

const validators = ["Sandbox Staking", "Northern Stake", "Harbour", "Granite Validators", "Low Tide"] as const

const poolAddress = (i: number): string => syntheticBase58(`vote account ${i}`)

/**
 * The stakes of an address, oldest first.
 *
 * @since 0.1.0
 * @category getters
 */
export const makeStakes = (network: StakedNetwork, address: string): ReadonlyArray<Stake> => {
  const { began, block, epoch, perBlock, perEpoch } = chains[network]
  // Ethereum's addresses have no case
  const owner = network === "ethereum-mainnet" ? address.toLowerCase() : address
  return STAKES[network].map(({ amount, day }, i) => {
    const seed = `stake ${i} of ${owner}`
    const after = day * DAY_MS + seededNumber(seed, 1_000) * perBlock
    const common = {
      txHash:
        network === "ethereum-mainnet" ? `0x${syntheticHex(seed)}` : syntheticBase58(`${seed} signature`, 64),
      blockNumber: block + Math.floor(after / perBlock),
      timestamp: began + after,
      epoch: epoch + Math.floor(after / perEpoch),
      amount
    }
    return network === "ethereum-mainnet"
      ? {
          ...common,
          type: "deposit",
          withdrawalAddress: address,
          validatorIndex: 1_000_000 + seededNumber(`${seed} index`, 500_000),
          validatorPubkey: `0x${syntheticHex(`${seed} key`, 48)}`
        }
      : {
          ...common,
          type: "delegate",
          stakeAddress: syntheticBase58(`${seed} account`),
          validatorAddress: poolAddress(seededNumber(`${seed} validator`, validators.length))
        }
  })
}

/** Rewards per coin and day, which make about three and six percent a year. */
const DAILY_REWARD = { "ethereum-mainnet": 0.00008, "solana-mainnet": 0.00017 } as const

/** The days for which each stake has rewards. */
const REWARDED_DAYS = 30

/**
 * The rewards of an address, oldest first: one per day of each stake in its first thirty days.
 *
 * @since 0.1.0
 * @category getters
 */
export const makeRewards = (
  network: StakedNetwork,
  address: string
): ReadonlyArray<typeof StakingReward.Type> =>
  makeStakes(network, address)
    .flatMap(
      ({ amount, epoch, stakeAddress, timestamp, validatorAddress, validatorIndex, validatorPubkey }) =>
        Array.from({ length: REWARDED_DAYS }, (_, i) => ({
          epoch: epoch + Math.floor(((i + 1) * DAY_MS) / chains[network].perEpoch),
          timestamp: timestamp + (i + 1) * DAY_MS,
          amount: (Number(amount) * DAILY_REWARD[network]).toFixed(6),
          ...(stakeAddress === undefined ? {} : { stakeAddress }),
          ...(validatorAddress === undefined ? {} : { validatorAddress }),
          ...(validatorIndex === undefined ? {} : { validatorIndex }),
          ...(validatorPubkey === undefined ? {} : { validatorPubkey })
        }))
    )
    .sort((one, other) => one.timestamp - other.timestamp)

/**
 * The validators of Solana, by stake in descending order.
 *
 * @since 0.1.0
 * @category constants
 */
export const pools: ReadonlyArray<typeof StakingPool.Type> = validators.map((name, i) => ({
  identity: syntheticBase58(`identity ${i}`),
  voteIdentity: poolAddress(i),
  activatedStake: String(4_000_000 - i * 650_000),
  active: i < 4,
  commission: i * 2,
  name,
  website: `https://validator-${i + 1}.example`,
  skipRate: 0.5 + i,
  voteSuccess: 99 - i,
  uptime: 99.9 - i / 2,
  stakingApy: Number((6.8 * (1 - i / 50)).toFixed(2)),
  totalApy: Number((7.4 * (1 - i / 50)).toFixed(2)),
  epoch: chains["solana-mainnet"].epoch
}))

/** Yields in percent a year, and the staked value. */
const makeYields = (apy: number, tvlUsd: number) => ({
  apy,
  apyBase: apy,
  apyBase7d: Number((apy * 0.98).toFixed(2)),
  apyBase30d: Number((apy * 1.02).toFixed(2)),
  tvlUsd
})

/**
 * The pools of liquid staking, with the addresses of their tokens on the real chains.
 *
 * @since 0.1.0
 * @category constants
 */
export const liquidPools: Readonly<Record<StakedNetwork, ReadonlyArray<typeof LiquidPool.Type>>> = {
  "ethereum-mainnet": [
    {
      protocol: "lido",
      underlying: "ETH",
      symbols: ["stETH", "wstETH"],
      contractAddresses: [
        "0xae7ab96520de3a18e5e111b5eaab095312d7fe84",
        "0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0"
      ],
      ...makeYields(2.9, 32_000_000_000),
      rank: 1
    },
    {
      protocol: "rocket-pool",
      underlying: "ETH",
      symbols: ["rETH"],
      contractAddresses: ["0xae78736cd615f374d3085123a210448e74fc6393"],
      ...makeYields(2.7, 2_400_000_000),
      rank: 2
    },
    {
      protocol: "coinbase",
      underlying: "ETH",
      symbols: ["cbETH"],
      contractAddresses: ["0xbe9895146f7af43049ca1c1ae358b0541ea49704"],
      ...makeYields(2.6, 500_000_000),
      rank: 3
    }
  ],
  "solana-mainnet": [
    {
      protocol: "jito",
      underlying: "SOL",
      symbols: ["JitoSOL"],
      mintAddresses: ["J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn"],
      ...makeYields(7.9, 2_900_000_000),
      rank: 1
    },
    {
      protocol: "marinade",
      underlying: "SOL",
      symbols: ["mSOL"],
      mintAddresses: ["mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So"],
      ...makeYields(7.4, 1_400_000_000),
      rank: 2
    }
  ]
}
