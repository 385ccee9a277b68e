/** Extended keys (BIP-32) as text, whose prefix may say the type of their addresses (SLIP-132). */
import { HDKey } from "@scure/bip32"
import { decodeBase58Check } from "../base58Check.js"
import type { Chain } from "./networks.js"
import type { AddressType } from "./Types.js"

/** The prefix of public and of private keys, and what it says. */
interface KeyPrefix {
  readonly name: string
  readonly public: number
  readonly private: number
  readonly isTest: boolean
  /** The coin type of the one chain that has it. */
  readonly coin?: number
  /** Absent if a prefix says nothing of addresses. */
  readonly type?: AddressType
}

/** What Bitcoin Core writes, and all chains of its kind read. */
const main: KeyPrefix = { name: "xpub", public: 0x0488b21e, private: 0x0488ade4, isTest: false }
const test: KeyPrefix = { name: "tpub", public: 0x043587cf, private: 0x04358394, isTest: true }

/** The prefixes of SLIP-132, and those of Dogecoin. */
const prefixes: ReadonlyArray<KeyPrefix> = [
  main,
  test,
  { name: "ypub", public: 0x049d7cb2, private: 0x049d7878, isTest: false, type: "p2sh-p2wpkh" },
  { name: "zpub", public: 0x04b24746, private: 0x04b2430c, isTest: false, type: "p2wpkh" },
  { name: "upub", public: 0x044a5262, private: 0x044a4e28, isTest: true, type: "p2sh-p2wpkh" },
  { name: "vpub", public: 0x045f1cf6, private: 0x045f18bc, isTest: true, type: "p2wpkh" },
  { name: "Ltub", public: 0x019da462, private: 0x019d9cfe, isTest: false, coin: 2 },
  { name: "Mtub", public: 0x01b26ef6, private: 0x01b26792, isTest: false, coin: 2, type: "p2sh-p2wpkh" },
  { name: "ttub", public: 0x0436f6e1, private: 0x0436ef7d, isTest: true },
  { name: "dgub", public: 0x02facafd, private: 0x02fac398, isTest: false, coin: 3 },
  { name: "tgub", public: 0x0432a9a8, private: 0x0432a243, isTest: true }
]

/** The coin type of all test networks. */
const TEST_COIN = 1

const isOf = ({ coin, isTest, type }: KeyPrefix, chain: Chain): boolean =>
  isTest === (chain.coin === TEST_COIN) &&
  (coin === undefined || coin === chain.coin) &&
  (type === undefined || chain.types.includes(type))

/** A key that was read, and the type of its addresses if its prefix says one. */
export interface ExtendedKey {
  readonly node: HDKey
  readonly isPrivate: boolean
  readonly type: AddressType | undefined
}

/** Bytes of a key in Base58; undefined if they are not as long as a key, or their checksum is wrong. */
const decode = (text: string): Uint8Array | undefined => {
  try {
    const bytes = decodeBase58Check(text)
    return bytes?.length === 78 ? bytes : undefined
  } catch {
    return undefined
  }
}

/** Reads an extended key of a chain. The problem of one that cannot be used does not repeat it: it may be private. */
export const parseExtendedKey = (text: string, chain: Chain): ExtendedKey | string => {
  const bytes = decode(text)
  if (bytes === undefined)
    return "it is no extended key: a character is missing, or another one than it should be"
  const version = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const isOwn = (each: KeyPrefix): boolean => each.public === version || each.private === version
  const prefix = prefixes.find(isOwn)
  if (prefix === undefined || !isOf(prefix, chain)) {
    const known = prefixes.filter((each) => isOf(each, chain)).map(({ name }) => name)
    return `it is ${prefix === undefined ? "an extended key of an unknown kind" : `one that begins with ${prefix.name}, or its private one`}: this network has ${known.join(", ")}, and their private ones`
  }
  try {
    return {
      node: HDKey.fromExtendedKey(text, prefix),
      isPrivate: prefix.private === version,
      type: prefix.type
    }
  } catch {
    return "its key is none of the curve's"
  }
}

/** The public key as nodes of all chains of this kind write it in descriptors. */
export const publicTextOf = (node: HDKey, chain: Chain): string => {
  const { chainCode, depth, index, parentFingerprint, publicKey } = node
  if (chainCode === null || publicKey === null) throw new Error("an extended key has a public part")
  const versions = chain.coin === TEST_COIN ? test : main
  return new HDKey({ versions, chainCode, depth, index, parentFingerprint, publicKey }).publicExtendedKey
}
