/** The networks of Stellar. */
import type { Network, NetworkRow } from "../../data/Network.js"

/** The network id that signatures contain, so that they are invalid on other networks. */
const passphrases: Readonly<Record<string, string>> = {
  "stellar-mainnet": "Public Global Stellar Network ; September 2015",
  "stellar-testnet": "Test SDF Network ; September 2015"
} satisfies { readonly [N in Network]?: string }

/** The passphrase of a network; undefined if none is known. */
export const passphraseOf = ({ id, stellar }: NetworkRow): string | undefined =>
  stellar?.passphrase ?? passphrases[id]
