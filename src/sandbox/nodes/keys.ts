/**
 * The sandbox's keys on chains other than EVM chains. They are derived from a public text, so never use them elsewhere.
 *
 * @since 0.1.0
 */
import { createECDH, createHash, createPrivateKey, createPublicKey } from "node:crypto"
import { ripemd160 } from "@noble/hashes/legacy.js"
import { encodeBase58 } from "../../chains/internal/base58.js"
import { encodeSegwit } from "./segwit.js"

/**
 * An address with its private key in the format of its chain's wallets: Bitcoin's import format (for a compressed
 * public key), base58 on Solana, and on TON seed and public key in hexadecimal.
 *
 * @since 0.1.0
 * @category models
 */
export interface Account {
  readonly address: string
  readonly privateKey: string
}

/**
 * An account of EVM chains, with 10,000 coins on each. The keys are public, so never use them elsewhere.
 *
 * @since 0.1.0
 * @category models
 */
export interface EvmAccount extends Account {
  readonly address: `0x${string}`
  readonly privateKey: `0x${string}`
}

/**
 * The ten accounts of EVM chains, those of the mnemonic "test test test test test test test test test test test junk".
 *
 * @since 0.1.0
 * @category constants
 */
// biome-ignore format: one line per account
export const evmAccounts: ReadonlyArray<EvmAccount> = [
  { address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", privateKey: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80" },
  { address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", privateKey: "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d" },
  { address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", privateKey: "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a" },
  { address: "0x90F79bf6EB2c4f870365E785982E1f101E93b906", privateKey: "0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6" },
  { address: "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65", privateKey: "0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a" },
  { address: "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc", privateKey: "0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba" },
  { address: "0x976EA74026E726554dB657fA54763abd0C3a0aa9", privateKey: "0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e" },
  { address: "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955", privateKey: "0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356" },
  { address: "0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f", privateKey: "0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97" },
  { address: "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720", privateKey: "0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6" }
]

const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest()

const makeSecret = (name: string): Buffer => sha256(`effect-chains sandbox ${name}`)

/** Ten accounts, and the miner that pays them. */
const ACCOUNT_NAMES = Array.from({ length: 10 }, (_, i) => String(i + 1))

const base58Check = (...parts: ReadonlyArray<Uint8Array>): string => {
  const bytes = Buffer.concat(parts)
  return encodeBase58(new Uint8Array(Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)])))
}

/**
 * The first byte of addresses and private keys on a chain of Bitcoin's kind, and the prefix of its SegWit addresses.
 *
 * @since 0.1.0
 * @category models
 */
export interface VersionBytes {
  readonly address: number
  readonly privateKey: number
  readonly bech32: string
}

/**
 * The type of an account's address: P2PKH, or the P2WPKH of SegWit.
 *
 * @since 0.1.0
 * @category models
 */
export type AccountType = "p2pkh" | "p2wpkh"

const makeUtxoAccount =
  (versions: VersionBytes, type: AccountType) =>
  (name: string): Account => {
    const pair = createECDH("secp256k1")
    pair.setPrivateKey(makeSecret(name))
    const hash = ripemd160(sha256(pair.getPublicKey(null, "compressed")))
    return {
      address:
        type === "p2wpkh"
          ? encodeSegwit(0, hash, versions.bech32)
          : base58Check(Buffer.from([versions.address]), hash),
      privateKey: base58Check(Buffer.from([versions.privateKey]), pair.getPrivateKey(), Buffer.from([1]))
    }
  }

/**
 * Ten accounts of a chain of Bitcoin's kind, and the miner (P2PKH), which gets the coinbases.
 *
 * @since 0.1.0
 * @category conversions
 */
export const makeUtxoAccounts = (
  versions: VersionBytes,
  type: AccountType = "p2pkh"
): { readonly accounts: ReadonlyArray<Account>; readonly miner: Account } => ({
  accounts: ACCOUNT_NAMES.map(makeUtxoAccount(versions, type)),
  miner: makeUtxoAccount(versions, "p2pkh")("miner")
})

/** The PKCS #8 prefix of the 32 bytes of an Ed25519 seed. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex")

/** The Ed25519 key of an account: its seed and public key. */
const makeEd25519Key = (name: string) => {
  const seed = makeSecret(name)
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" })
  const { x = "" } = createPublicKey(key).export({ format: "jwk" })
  const publicKey = Buffer.from(x, "base64url")
  return { publicKey, secretKey: Buffer.concat([seed, publicKey]) }
}

/**
 * Ten accounts of Solana.
 *
 * @since 0.1.0
 * @category conversions
 */
export const makeSolanaAccounts = (): ReadonlyArray<Account> =>
  ACCOUNT_NAMES.map((name) => {
    const { publicKey, secretKey } = makeEd25519Key(name)
    return {
      address: encodeBase58(new Uint8Array(publicKey)),
      privateKey: encodeBase58(new Uint8Array(secretKey))
    }
  })

/**
 * The keys of ten accounts of TON in hexadecimal. The private key is seed and public key. The address is a contract's,
 * derived from the public key and the code.
 *
 * @since 0.1.0
 * @category conversions
 */
export const makeTonKeys = (): ReadonlyArray<{ readonly publicKey: string; readonly privateKey: string }> =>
  ACCOUNT_NAMES.map((name) => {
    const { publicKey, secretKey } = makeEd25519Key(name)
    return { publicKey: publicKey.toString("hex"), privateKey: secretKey.toString("hex") }
  })
