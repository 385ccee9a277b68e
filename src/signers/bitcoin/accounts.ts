/** What holds the key of an account: a key of ours, or someone who signs. */
import * as Effect from "effect/Effect"
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import { InvalidKey } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { ignoreRequest, makeAccountKey, type SignBytes } from "../accountKey.js"
import type { KeyOrigin } from "../keys/bip32.js"
import type { Account as ExternalAccount, FromMnemonic, SignerError } from "../Signer.js"
import { invalidKey, missingKeySource, reveal } from "../signerChecks.js"
import { parseReceiver } from "./address.js"
import type { Chain } from "./networks.js"
import type { AccountKey } from "./scure.js"
import type { AddressType, BitcoinFrom, BitcoinFromSign } from "./Types.js"

export type ScureModule = typeof import("./scure.js")

export const PEERS = "@scure/btc-signer @noble/curves"

/** An account: its key, where that comes from if it was derived, and its address on the network. */
export interface Account extends AccountKey {
  readonly origin?: KeyOrigin
  readonly network: string
  readonly address: string
}

/** A network and the library that reads it. */
export interface KeyContext {
  readonly scure: ScureModule
  readonly network: string
  readonly chain: Chain
}

export const accountFromPublicKey = (
  { chain, network, scure }: Pick<KeyContext, "chain" | "network" | "scure">,
  type: AddressType,
  publicKey: Uint8Array,
  sign: SignBytes
): Account => ({ network, chain, type, publicKey, ...scure.addressOf(publicKey, type, chain), sign })

const accountFromKey = (
  ground: KeyContext,
  type: AddressType,
  privateKey: Uint8Array
): Effect.Effect<Account, InvalidKey> =>
  Effect.try({
    try: () => {
      const { makeSignDigest, publicKeyOf } = ground.scure
      return accountFromPublicKey(ground, type, publicKeyOf(privateKey), makeSignDigest(privateKey, type))
    },
    catch: () => new InvalidKey({ reason: "it is none of the curve's keys" })
  })

const accountFromPrivateKey = (
  ground: KeyContext,
  type: AddressType,
  given: string
): Effect.Effect<Account, InvalidKey> => {
  const digits = given.replace(/^0x/, "")
  if (/^[0-9a-f]{64}$/i.test(digits)) return accountFromKey(ground, type, hexToBytes(digits))
  const key = ground.scure.parseWif(given, ground.chain)
  return typeof key === "string" ? invalidKey(key) : accountFromKey(ground, type, key)
}

/** What derivation paths of a type's accounts begin with (BIP-44, BIP-49, BIP-84, BIP-86). */
export const purposes: Readonly<Record<AddressType, number>> = {
  p2pkh: 44,
  "p2sh-p2wpkh": 49,
  p2wpkh: 84,
  p2tr: 86
}

/** The address type of a mnemonic's account: that of its path, if the path has one. */
export const addressTypeOf = (
  { derivation, path, type }: FromMnemonic & { readonly type?: AddressType },
  { tatum, types }: Chain
): AddressType => {
  if (type !== undefined) return type
  if (path !== undefined)
    return types.find((each) => String(path).startsWith(`m/${purposes[each]}'`)) ?? types[0]
  return derivation === "tatum" ? tatum.type : types[0]
}

/** Paths of accounts that no type of the chain has. */
const isUnsupportedPath = (path: string, { types }: Chain): boolean => {
  const purpose = Number(/^m\/(44|49|84|86)'/.exec(path)?.[1])
  return purpose > 0 && !types.some((each) => purposes[each] === purpose)
}

const accountFromMnemonic = (
  ground: KeyContext,
  from: FromMnemonic & { readonly type?: AddressType }
): Effect.Effect<Account, SignerError> => {
  const { chain } = ground
  if (from.type === undefined && isUnsupportedPath(String(from.path), chain))
    return invalidKey(
      `path is one of addresses that are not signed for on ${ground.network}: ${chain.types.map((each) => `${purposes[each]}'`).join(" and ")} are, or say which type it is`
    )
  const type = addressTypeOf(from, chain)
  const { coin, tatum } = chain
  return Effect.flatMap(
    loadPeer("@scure/bip39 @scure/bip32", () =>
      Promise.all([import("../keys/bip39.js"), import("../keys/bip32.js")])
    ),
    ([{ deriveKey }, { deriveWithOrigin }]) =>
      Effect.flatMap(
        deriveKey(
          from,
          {
            standard: (index) => `m/${purposes[type]}'/${coin}'/0'/0/${index}`,
            tatum: (index) => `m/44'/${tatum.coin ?? coin}'/0'/0/${index}`
          },
          deriveWithOrigin
        ),
        ({ origin, privateKey }) =>
          Effect.map(accountFromKey(ground, type, privateKey), (account) => ({ ...account, origin }))
      )
  )
}

/** Those who sign elsewhere are asked for signatures of ECDSA, and would not know how to tweak a key of Taproot. */
const notForTaproot = invalidKey(
  "addresses of Taproot (p2tr) take signatures of Schnorr (BIP-340), which account and sign do not give: use a mnemonic or a privateKey, or the type p2wpkh"
)

const accountFromExternal = (
  ground: KeyContext,
  type: AddressType,
  external: ExternalAccount
): Effect.Effect<Account, SignerError> => {
  if (type === "p2tr") return notForTaproot
  return Effect.map(
    makeAccountKey(external, { secp256k1: ground.scure.secp256k1Library }),
    ({ publicKey, sign }) => accountFromPublicKey(ground, type, publicKey, sign)
  )
}

/** Finds the type of a public key's address; undefined if it is not the key's. */
const findAddressType = (
  { chain, scure }: KeyContext,
  publicKey: Uint8Array,
  address: string
): AddressType | undefined => {
  const wanted = parseReceiver(address, chain)
  return typeof wanted === "string"
    ? undefined
    : chain.types.find(
        (each) => bytesToHex(scure.addressOf(publicKey, each, chain).script) === bytesToHex(wanted.script)
      )
}

const accountFromSignFunction = (
  ground: KeyContext,
  { address, publicKey: given, sign, type }: BitcoinFromSign & { readonly type?: AddressType }
): Effect.Effect<Account, InvalidKey> => {
  const { chain, network, scure } = ground
  const digits = String(given).replace(/^0x/, "")
  const publicKey = /^[0-9a-f]{66}$/i.test(digits) ? hexToBytes(digits) : new Uint8Array()
  if (!scure.isPublicKey(publicKey))
    return invalidKey("publicKey must be a compressed public key: 66 hexadecimal digits")
  const found = address === undefined ? (type ?? chain.types[0]) : findAddressType(ground, publicKey, address)
  if (found === undefined || (type !== undefined && found !== type))
    return invalidKey(`the address is none of the public key on ${network}, or none of this type`)
  return found === "p2tr"
    ? notForTaproot
    : Effect.succeed(accountFromPublicKey(ground, found, publicKey, ignoreRequest(sign)))
}

export const makeAccount = (ground: KeyContext, from: BitcoinFrom): Effect.Effect<Account, SignerError> => {
  if (!isRecord(from as unknown)) return missingKeySource
  const given: BitcoinFrom = from
  const { types } = ground.chain
  const { type = types[0] } = given
  if (!types.includes(type)) return invalidKey(`type must be ${types.join(" or ")} on ${ground.network}`)
  if ("mnemonic" in given) return accountFromMnemonic(ground, given)
  if ("privateKey" in given) return accountFromPrivateKey(ground, type, reveal(given.privateKey))
  if ("account" in given) return accountFromExternal(ground, type, given.account)
  if (typeof given.sign === "function") return accountFromSignFunction(ground, given)
  return invalidKey("must have mnemonic, privateKey, account, or sign with publicKey")
}
