/**
 * The accounts of the BIP-39 test mnemonic in the incumbent's wallet packages, as those gave them: the first one and the fourth, on every
 * network that both have. A nightly test asks the packages again.
 */
import type { Network } from "../../src/data/Network.js"

export const words = `${"abandon ".repeat(11)}about`

/** Wallets beside its newest SDK, which refuses networks that they do not list. */
export const providers = {
  "@tatumio/tatum": "4.2.58",
  "@tatumio/evm-wallet-provider": "1.0.12",
  "@tatumio/tron-wallet-provider": "1.0.4"
}

/** Packages with wallets of the SDK before, of the chains that the ones above do not have. */
export const packages = {
  "@tatumio/bch": "2.2.100",
  "@tatumio/btc": "2.2.100",
  "@tatumio/doge": "2.2.100",
  "@tatumio/ltc": "2.2.100",
  "@tatumio/solana": "2.2.100"
}

type Accounts = readonly [first: string, fourth: string]

const ethereum: Accounts = [
  "0x9858effd232b4033e47d90003d41ec34ecaeda94",
  "0xf3f50213c1d2e255e4b2bad430f8a38eef8d718e"
]
const testnet: Accounts = [
  "0xb157e208264ff9edebbcb1d36e66d156df8afa6c",
  "0x68e01bf5525b06fc7e3dac245fd6f008fe24161c"
]

/** The first account and the fourth by networks, by packages. */
export const accounts: Readonly<Record<string, Readonly<Partial<Record<Network, Accounts>>>>> = {
  "@tatumio/evm-wallet-provider": {
    "arb-nova-mainnet": ethereum,
    "arbitrum-one-mainnet": ethereum,
    "aurora-mainnet": ethereum,
    "avalanche-c-mainnet": [
      "0x5d88aed8fcc53e21ce61d1438bce7235980cb74e",
      "0x7cbbf382cd81450408d5e829cc9751f94303b44f"
    ],
    "bsc-mainnet": [
      "0xdeb7f80336f3d6efb63a6a9a936b9d5878a3ed8d",
      "0x8a7bd07e563fdd0584c46431de6931db0160837e"
    ],
    "celo-mainnet": [
      "0xe70e8afef87cc8f0d7a61f58535f6ec99cd860ca",
      "0xbe596d1b4ba1385a0161628e17886f5e476ed73b"
    ],
    "chiliz-mainnet": [
      "0xda425a010486c8ff5fd4afd5dd4be1f7cee2679e",
      "0xcc1f422d4b4f2aa2fd4939bba61930645c859113"
    ],
    "cronos-mainnet": [
      "0xf94654ffe1b93e6152682a6dac0ab50db3c788d5",
      "0x1291df79bd87362003d9c1bd55c51df02ad49fd4"
    ],
    "eon-mainnet": [
      "0xb1c237286ebbdb2fb486494e75c32300c0739f8e",
      "0xcc6a30e90df4212d2569e4c9504105cc3211549b"
    ],
    "ethereum-classic-mainnet": [
      "0xfa22515e43658ce56a7682b801e9b5456f511420",
      "0x4fb914ca25c64595b28aa6dd78321e7b885a8ec7"
    ],
    "ethereum-mainnet": ethereum,
    "fantom-mainnet": [
      "0x61b075b49da801bdd5e9bf4ba6d1ba6288b8d54b",
      "0x879f8ba18dc6f79c283d61d1a0b1b5d794e865a3"
    ],
    "flare-mainnet": ethereum,
    "gno-mainnet": [
      "0x9727fbb476e85736d7567339db081e7d20ef4a08",
      "0x5e4f6bf1510fafd92773acfd64cb53f0855de9f0"
    ],
    "haqq-mainnet": [
      "0xe85f201ec28490b7762426f640f632ea0306f865",
      "0x52b4aa25f7e339e4cd659e8bd672abd1ae464370"
    ],
    "kcs-mainnet": [
      "0x8ef2286279f1416ab073da69ac5818a1f4e131bd",
      "0x53c44c368343f9b154f133969d7aab79d6f1d2c4"
    ],
    "klaytn-mainnet": [
      "0x9bcad3fbdea1a39445f06c7c7f064b712ffb882f",
      "0x22aa7cd6d0ae6465f2e6115884b8f6b2ecdbdf4e"
    ],
    "oasis-mainnet": [
      "0x5baec63863dbdc4bc23bde11a6198aad8f32b8c9",
      "0x8be0d1b815df8c687a01acfbb6b1d04903dab552"
    ],
    "one-mainnet-s0": [
      "0x06916163a17f07ce70e3d43ed37395f05b5738ae",
      "0x24e0d8f411657022adc05ac316d6ee175a069b67"
    ],
    "optimism-mainnet": ethereum,
    "palm-mainnet": ethereum,
    "polygon-mainnet": [
      "0x841b1de89b7a8014d01b0fc73e7a21479a94899a",
      "0x769b08fafe5298cec79f315cc1de539261b6c064"
    ],
    "vechain-mainnet": [
      "0xe5d846748409df0b23d5bd47ceb14afc1cbbbcb3",
      "0x98cea2f92172db44e062c7482e7539cb38b1b233"
    ],
    "xinfin-mainnet": [
      "0xf4f4ec5a2380a1599ff802b798fc002f83a001a8",
      "0xe025663931ea8eb905e26e66633f5c3cca3b4145"
    ],
    "arb-testnet": testnet,
    "aurora-testnet": testnet,
    "avax-testnet": testnet,
    "bsc-testnet": testnet,
    "celo-testnet": testnet,
    "cro-testnet": testnet,
    "ethereum-holesky": testnet,
    "ethereum-sepolia": testnet,
    "fantom-testnet": testnet,
    "flare-coston": testnet,
    "flare-coston2": testnet,
    "flare-songbird": testnet,
    "gno-testnet": testnet,
    "haqq-testnet": testnet,
    "horizen-eon-gobi": testnet,
    "kcs-testnet": testnet,
    "klaytn-baobab": testnet,
    "oasis-testnet": testnet,
    "one-testnet-s0": testnet,
    "optimism-testnet": testnet,
    "palm-testnet": testnet,
    "vechain-testnet": testnet,
    "xdc-testnet": testnet
  },
  "@tatumio/tron-wallet-provider": {
    "tron-mainnet": ["TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH", "TRhVWK5XEDkQBDevcdCWW7RW51aRncty4W"],
    "tron-testnet": ["TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH", "TRhVWK5XEDkQBDevcdCWW7RW51aRncty4W"]
  },
  "@tatumio/btc": {
    "bitcoin-mainnet": [
      "bc1qmxrw6qdh5g3ztfcwm0et5l8mvws4eva24kmp8m",
      "bc1quzaj3tlv9y40ljzmpd2alnpmzhdfraprhla2wg"
    ],
    "bitcoin-testnet": [
      "tb1q8gk5z3dy7zv9ywe7synlrk58elz4hrne29cpdj",
      "tb1qv2xnmhf6jsfesws0ttv9f7cup7rern2j6jywdw"
    ]
  },
  "@tatumio/ltc": {
    "litecoin-mainnet": ["LUWPbpM43E2p7ZSh8cyTBEkvpHmr3cB8Ez", "LgbbqoBcNc8voAvrrk3ZyqCU3Y4H24aauc"],
    "litecoin-testnet": ["mkpZhYtJu2r87Js3pDiWJDmPte2NRZ8bJV", "mpW3iVi2Td1vqDK8Nfie29ddZXf9spmZkX"]
  },
  "@tatumio/doge": {
    "doge-mainnet": ["DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC", "D6RRdXkUbb3pazkYGXAXwbJY5iC8Tyqwzh"],
    "doge-testnet": ["nZVmfmUtKPmskB9Ds4P9GUJy9eYFqPKHqH", "ndBFgiJbsywgU5bJRWPGzQBCpYB3M1DZCU"]
  },
  "@tatumio/bch": {
    "bch-testnet": [
      "bchtest:qqyx49mu0kkn9ftfj6hje6g2wfer34yfnqseeszx8x",
      "bchtest:qzcyvxr0e23d408u62ulf6cnspc0k4dyduq4jsuf5y"
    ],
    "bitcoin-cash-mainnet": [
      "bitcoincash:qqyx49mu0kkn9ftfj6hje6g2wfer34yfnq5tahq3q6",
      "bitcoincash:qzcyvxr0e23d408u62ulf6cnspc0k4dyduy8kh77nc"
    ]
  },
  "@tatumio/solana": {
    "solana-devnet": [
      "B9sVeu4rJU12oUrUtzjc6BSNuEXdfvurZkdcaTVkP2LY",
      "DHMbxQoRFocMyhJXcUn88Rp2FwoXmxHXuaA32dYb3ATZ"
    ],
    "solana-mainnet": [
      "B9sVeu4rJU12oUrUtzjc6BSNuEXdfvurZkdcaTVkP2LY",
      "DHMbxQoRFocMyhJXcUn88Rp2FwoXmxHXuaA32dYb3ATZ"
    ]
  }
}
