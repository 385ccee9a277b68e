/** The calls of tokens (TRC-20) as contracts take them. */
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { decodeAddress, encodeAddress } from "./address.js"

/** The first digits of a call of `transfer(address,uint256)`. */
const TRANSFER = "a9059cbb"

const transferCall = /*#__PURE__*/ (() => new RegExp(`^${TRANSFER}0{24}([0-9a-f]{40})([0-9a-f]{64})$`))()

const padWord = (hex: string): string => hex.padStart(64, "0")

/** An address as an argument. */
export const encodeAddressWord = (address: string): string =>
  padWord(bytesToHex(decodeAddress(address).subarray(1)))

/** The arguments of `transfer(address,uint256)`. */
export const encodeTransferParameter = (to: string, amount: bigint): string =>
  `${encodeAddressWord(to)}${padWord(amount.toString(16))}`

/** The call with these arguments. */
export const encodeTransferCall = (parameter: string): string => `${TRANSFER}${parameter}`

/** The receiver and the amount of such a call. Throws if it is none. */
export const decodeTransferCall = (data: string): { readonly to: string; readonly amount: bigint } => {
  const [, receiver, amount] = transferCall.exec(data) ?? []
  if (receiver === undefined)
    throw new Error("it calls something else of a contract than transfer(address,uint256)")
  return { to: encodeAddress(hexToBytes(receiver)), amount: BigInt(`0x${amount}`) }
}
