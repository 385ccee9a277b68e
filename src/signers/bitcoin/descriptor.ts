/** Output descriptors (BIP-380 to BIP-386, BIP-389): the addresses of an account as text, with the keys that they come from. */
import type { HDKey } from "@scure/bip32"
import { computeChecksum, encodeWords } from "../bech32.js"
import type { KeyOrigin } from "../keys/bip32.js"
import { parseExtendedKey, publicTextOf } from "./extendedKeys.js"
import type { Chain } from "./networks.js"
import type { AddressType } from "./Types.js"

/** The characters of descriptors. Those that are often confused are in the same place of different groups of 32. */
const CHARACTERS =
  "0123456789()[],'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#\"\\ "

const CODE = {
  bits: 35n,
  generators: [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn]
}

/** The digits of a descriptor for its checksum: the lower five bits of each character, and the rest of three characters in one. */
const toWords = (text: string): ReadonlyArray<number> => {
  const words: Array<number> = []
  let group = 0
  for (const [at, character] of [...text].entries()) {
    const place = CHARACTERS.indexOf(character)
    if (place < 0) throw new Error(`its character ${at + 1} is none that descriptors have`)
    words.push(place & 31)
    group = group * 3 + (place >> 5)
    if (at % 3 === 2) {
      words.push(group)
      group = 0
    }
  }
  return text.length % 3 === 0 ? words : [...words, group]
}

/** The checksum of a descriptor (BIP-380): eight characters. */
export const checksumOf = (text: string): string => encodeWords(computeChecksum(CODE, toWords(text)))

/** A descriptor with its checksum. */
export const withChecksum = (text: string): string => `${text}#${checksumOf(text)}`

/** A key of a descriptor: where it comes from, and what follows it, for receiving and for change. */
export interface DescriptorKey {
  readonly node: HDKey
  readonly origin: KeyOrigin
  readonly branches: readonly [receive: number, change: number]
}

/** The addresses of one key. */
export interface SingleKeyDescriptor {
  readonly type: AddressType
  readonly key: DescriptorKey
}

/** What is around the key in a descriptor, by the type of its addresses. */
const wrappers: Readonly<Record<AddressType, readonly [before: string, after: string]>> = {
  p2pkh: ["pkh(", ")"],
  p2wpkh: ["wpkh(", ")"],
  p2tr: ["tr(", ")"],
  "p2sh-p2wpkh": ["sh(wpkh(", "))"]
}

const KEY_PATTERN =
  /^(?:\[([0-9a-f]{8})((?:\/\d{1,10}['hH]?)*)\])?([1-9A-HJ-NP-Za-km-z]+)\/(?:<(\d{1,10});(\d{1,10})>|(\d{1,10}))\/\*$/

const HIGHEST_INDEX = 0x7fffffff

/** The path of an origin, in the form that paths have here. */
const toPath = (steps: string): string => `m${steps.replace(/[hH]/g, "'")}`

/** Reads a key of a descriptor. Throws what is wrong with it. */
export const parseDescriptorKey = (text: string, chain: Chain): DescriptorKey => {
  const [, fingerprint, steps = "", extended = "", receive, change, only] = KEY_PATTERN.exec(text) ?? []
  if (extended === "")
    throw new Error(
      "a key must be an extended public key that is followed by /<0;1>/* or /0/*, as in [d34db33f/84h/0h/0h]xpub…/<0;1>/*"
    )
  const found = parseExtendedKey(extended, chain)
  if (typeof found === "string") throw new Error(`a key of it cannot be used: ${found}`)
  if (found.isPrivate) throw new Error("it has a private key: only those with public keys are taken")
  const branches = [Number(receive ?? only), Number(change ?? only)] as const
  if (branches.some((branch) => branch > HIGHEST_INDEX))
    throw new Error(`the highest number in a path is ${HIGHEST_INDEX}`)
  return {
    node: found.node,
    origin:
      fingerprint === undefined
        ? { fingerprint: found.node.fingerprint, path: "m" }
        : { fingerprint: Number.parseInt(fingerprint, 16), path: toPath(steps) },
    branches
  }
}

/** A descriptor without its checksum, which has to be right where there is one. */
export const stripChecksum = (text: string): string => {
  const [bare = "", checksum, ...rest] = text.trim().split("#")
  if (checksum === undefined) return bare
  if (rest.length > 0 || checksum !== checksumOf(bare))
    throw new Error("its checksum is wrong: a character is another one than it should be, or is missing")
  return bare
}

const parseOne = (text: string, chain: Chain): SingleKeyDescriptor => {
  const bare = stripChecksum(text)
  for (const type of chain.types) {
    const [before, after] = wrappers[type]
    const inner = bare.slice(before.length, -after.length)
    if (bare === `${before}${inner}${after}` && !inner.includes("("))
      return { type, key: parseDescriptorKey(inner, chain) }
  }
  throw new Error(
    `it must be one of ${chain.types.map((type) => `${wrappers[type].join("key")}`).join(", ")} on this network`
  )
}

/** Whether two keys are the same one, from the same place. */
const isSameKey = (one: DescriptorKey, other: DescriptorKey): boolean =>
  one.node.publicExtendedKey === other.node.publicExtendedKey &&
  one.origin.fingerprint === other.origin.fingerprint &&
  one.origin.path === other.origin.path

/**
 * Reads the descriptor of an account with one key, or its two descriptors: of receiving addresses and of those for change. Throws what is
 * wrong with it.
 */
export const parseDescriptor = (
  given: string | readonly [receive: string, change: string],
  chain: Chain
): SingleKeyDescriptor => {
  const texts: ReadonlyArray<unknown> = Array.isArray(given) ? given : [given]
  const [first, second] = texts.map((text) => {
    if (typeof text !== "string") throw new Error("a descriptor is text")
    return parseOne(text, chain)
  })
  if (first === undefined || texts.length > 2) throw new Error("it is one descriptor, or two")
  const { key, type } = first
  if (second === undefined) {
    if (key.branches[0] === key.branches[1])
      throw new Error("it has no addresses for change: end the key with /<0;1>/*, or pass two descriptors")
    return first
  }
  const branches = [key.branches[0], second.key.branches[0]] as const
  if (second.type !== type || !isSameKey(key, second.key) || branches[0] === branches[1])
    throw new Error("both have to be of one key and one type, with other addresses each")
  return { type, key: { ...key, branches } }
}

/** A key as descriptors have it. */
export const formatKey = ({ branches, node, origin }: DescriptorKey, chain: Chain): string => {
  const { fingerprint, path } = origin
  const from =
    path === "m" ? "" : `[${fingerprint.toString(16).padStart(8, "0")}${path.slice(1).replace(/'/g, "h")}]`
  return `${from}${publicTextOf(node, chain)}/<${branches.join(";")}>/*`
}

/** The descriptor of an account, with its checksum. */
export const formatDescriptor = ({ key, type }: SingleKeyDescriptor, chain: Chain): string => {
  const [before, after] = wrappers[type]
  return withChecksum(`${before}${formatKey(key, chain)}${after}`)
}
