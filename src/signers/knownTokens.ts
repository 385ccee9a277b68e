/**
 * Tokens with known decimals and symbols, so that no node has to be asked: the most used stablecoins, from their issuers' lists (Circle:
 * "USDC contract addresses", "EURC contract addresses"; Tether: "Supported protocols"; Paxos and Ripple: their contracts). Loaded with
 * the first payment in a token.
 */

/** A token's symbol and its decimals. */
export type KnownToken = readonly [symbol: string, decimals: number]

/** By network, and by the address, mint or id as in `token`. EVM addresses are in lower case. */
export const knownTokens: Readonly<Record<string, Readonly<Record<string, KnownToken>>>> = {
  "ethereum-mainnet": {
    "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48": ["USDC", 6],
    "0xdac17f958d2ee523a2206206994597c13d831ec7": ["USDT", 6],
    "0x1abaea1f7c830bd89acc67ec4af516284b1bc33c": ["EURC", 6],
    "0x6b175474e89094c44da98b954eedeac495271d0f": ["DAI", 18],
    "0x6c3ea9036406852006290770bedfcaba0e23a0e8": ["PYUSD", 6],
    "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": ["WETH", 18]
  },
  "arbitrum-one-mainnet": {
    "0xaf88d065e77c8cc2239327c5edb3a432268e5831": ["USDC", 6],
    "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9": ["USDT", 6]
  },
  "avalanche-c-mainnet": {
    "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e": ["USDC", 6],
    "0xc891eb4cbdeff6e073e859e987815ed1505c2acd": ["EURC", 6],
    "0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7": ["USDT", 6]
  },
  "base-mainnet": {
    "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913": ["USDC", 6],
    "0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42": ["EURC", 6]
  },
  "bsc-mainnet": {
    "0x55d398326f99059ff775485246999027b3197955": ["USDT", 18],
    "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d": ["USDC", 18]
  },
  "celo-mainnet": {
    "0xceba9300f2b948710d2653dd7b07f33a8b32118c": ["USDC", 6],
    "0x48065fbbe25f71c9282ddf5e1cd6d6a887483d5e": ["USDT", 6]
  },
  "optimism-mainnet": {
    "0x0b2c639c533813f4aa9d7837caf62653d097ff85": ["USDC", 6],
    "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58": ["USDT", 6]
  },
  "polygon-mainnet": {
    "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359": ["USDC", 6],
    "0xc2132d05d31c914a87c6611c10748aeb04b58e8f": ["USDT", 6]
  },
  "sonic-mainnet": { "0x29219dd400f2bf60e5a23d13be72b486d4038894": ["USDC", 6] },
  "unichain-mainnet": { "0x078d782b760474a361dda0af3839290b0ef57ad6": ["USDC", 6] },
  "arb-testnet": { "0x75faf114eafb1bdbe2f0316df893fd58ce46aa4d": ["USDC", 6] },
  "base-sepolia": { "0x036cbd53842c5426634e7929541ec2318f3dcf7e": ["USDC", 6] },
  "ethereum-sepolia": { "0x1c7d4b196cb0c7b01d743fbc6116a902379c7238": ["USDC", 6] },
  "polygon-amoy": { "0x41e94eb019c0762f9bfcf9fb1e58725bfb0e7582": ["USDC", 6] },
  "solana-mainnet": {
    EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: ["USDC", 6],
    Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB: ["USDT", 6],
    HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr: ["EURC", 6]
  },
  "solana-devnet": { "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU": ["USDC", 6] },
  "tron-mainnet": { TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t: ["USDT", 6] },
  "ton-mainnet": { EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs: ["USDT", 6] },
  "tezos-mainnet": { "KT1XnTn74bUtxHfDtBmm2bGZAQfhPbvKWR8o.0": ["USDT", 6] },
  "algorand-mainnet-algod": { "31566704": ["USDC", 6], "312769": ["USDT", 6] },
  "algorand-testnet-algod": { "10458941": ["USDC", 6] },
  "stellar-mainnet": {
    "USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN": ["USDC", 7],
    "EURC:GDHU6WRG4IEQXM5NZ4BMPKOXHW76MZM4Y2IEMFDVXBSDP6SJY4ITNPP2": ["EURC", 7]
  }
}
