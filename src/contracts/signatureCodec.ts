/** What signatures need of ox: loaded with the first one. */
import * as AbiParameters from "ox/AbiParameters"
import * as Address from "ox/Address"
import * as SignatureErc6492 from "ox/erc6492/SignatureErc6492"
import * as Hex from "ox/Hex"
import * as PersonalMessage from "ox/PersonalMessage"
import * as Secp256k1 from "ox/Secp256k1"
import * as Signature from "ox/Signature"
import * as TypedData from "ox/TypedData"
import { hexBytes } from "../data/bytes.js"
import type { TypedDataDefinition } from "../signers/evm/Types.js"

type HexString = `0x${string}`

export const hashMessage = (message: string | Uint8Array): HexString =>
  PersonalMessage.getSignPayload(
    typeof message === "string" ? Hex.fromString(message) : Hex.fromBytes(message)
  )

export const hashTypedData = (data: TypedDataDefinition): HexString => {
  // the compiler checks a program's own data; data from outside is checked here
  const definition = data as Parameters<typeof TypedData.getSignPayload>[0]
  TypedData.assert(definition)
  return TypedData.getSignPayload(definition)
}

/** The bytes of a signature. Anything else is an invalid signature. */
export const parseSignature = (signature: unknown): HexString | undefined => {
  try {
    const bytes = hexBytes(signature, "signature")
    return bytes === "0x" ? undefined : bytes
  } catch {
    return undefined
  }
}

/** Whether it is the signature of an address's own key. */
export const isSignedByKey = (payload: HexString, signature: HexString, address: HexString): boolean => {
  if (Hex.size(signature) !== 65) return false
  try {
    return Address.isEqual(
      Secp256k1.recoverAddress({ payload, signature: Signature.fromHex(signature) }),
      address
    )
  } catch {
    return false
  }
}

/** Whether a signature contains how to deploy its contract. */
export const isCounterfactual = (signature: HexString): boolean => SignatureErc6492.validate(signature)

// ox reads text of Solidity too, with a parser that would be loaded with it
const isValidSignatureInputs = [{ type: "bytes32" }, { type: "bytes" }] as const
const universalValidatorInputs = [{ type: "address" }, ...isValidSignatureInputs] as const

/** `isValidSignature(bytes32,bytes)` */
export const encodeIsValidSignature = (hash: HexString, signature: HexString): HexString =>
  Hex.concat("0x1626ba7e", AbiParameters.encode(isValidSignatureInputs, [hash, signature]))

/** The code that deploys the contract, asks it, and answers with one byte, without being sent. */
export const encodeUniversalValidation = (
  address: HexString,
  hash: HexString,
  signature: HexString
): HexString =>
  Hex.concat(
    SignatureErc6492.universalSignatureValidatorBytecode,
    AbiParameters.encode(universalValidatorInputs, [address, hash, signature])
  )
