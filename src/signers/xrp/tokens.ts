/** Tokens of the XRP Ledger (issued currencies): their names, and their amounts, which are decimal numbers of 16 digits. */
import { hexToBytes } from "../../data/hex.js"
import * as Units from "../../data/Units.js"
import { parseDestination } from "./address.js"

/** The smallest amount of a token is 10^-81: in that unit every amount is whole. */
export const DECIMALS = 81

/** The digits that an amount has at most, and the power of ten that it is below. */
const MAX_DIGITS = 16
const AMOUNT_BELOW = 10n ** BigInt(DECIMALS + 96)

/** A token by its currency and its issuer. Its currency is a name where it is text. */
export interface Token {
  readonly token: string
  readonly currency: string
  readonly issuer: string
  readonly symbol: string | undefined
}

/** A currency in the way of the ledger: three characters, or 20 bytes that do not stand for such. */
const parseCurrency = (code: string): string | undefined => {
  if (/^[\w?!@#$%^&*<>(){}[\]|]{3}$/.test(code) && !code.includes("_") && code !== "XRP") return code
  return /^(?!00)[0-9a-f]{40}$/i.test(code) ? code.toUpperCase() : undefined
}

/** Longer currencies are mostly text, with zeros behind it. */
const currencyNameOf = (currency: string): string | undefined => {
  if (currency.length === 3) return currency
  const bytes = hexToBytes(currency)
  const text = bytes.slice(0, bytes.findLastIndex((byte) => byte !== 0) + 1)
  // a name without the characters that it also has would be that of another token
  return text.every((byte) => byte < 128) ? String.fromCharCode(...text) : undefined
}

/** The token of a text such as `USD.rhub8VRN55s94qWKDv6jmDy1pUykJzF3wq`. */
export const parseToken = (text: string): Token | undefined => {
  if (typeof text !== "string") return undefined
  const at = text.lastIndexOf(".")
  const currency = parseCurrency(text.slice(0, at))
  const issuer = text.slice(at + 1)
  if (currency === undefined || !issuer.startsWith("r") || typeof parseDestination(issuer) === "string")
    return undefined
  const token = `${currency}.${issuer}`
  return { token, currency, issuer, symbol: currencyNameOf(currency) }
}

const decimalPattern = /^(-?)(\d{1,100})(?:\.(\d{1,100}))?(?:e([+-]?\d{1,3}))?$/i

/** An amount of the ledger, which may be in exponent form. Nothing where it is none. */
export const parseUnits = (value: unknown): bigint => {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    typeof value === "string" ? (decimalPattern.exec(value) ?? []) : []
  const power = DECIMALS + Number.parseInt(exponent, 10) - fraction.length
  const digits = BigInt(`${whole}${fraction}` || "0")
  const units = power < 0 ? digits / 10n ** BigInt(-power) : digits * 10n ** BigInt(power)
  return sign === "-" ? -units : units
}

/** An amount in the way of the ledger. */
export const formatUnits = (units: bigint): string => Units.format(units, DECIMALS)

/** Whether the ledger has such an amount: more digits would be cut. */
export const isExact = (units: bigint): boolean => {
  if (units >= AMOUNT_BELOW) return false
  const more = units.toString().length - MAX_DIGITS
  return more <= 0 || units % 10n ** BigInt(more) === 0n
}

/** The worth of the last digit that the ledger keeps of an amount. */
export const lastDigitOf = (units: bigint): bigint =>
  10n ** BigInt(Math.max(0, units.toString().length - MAX_DIGITS))

/** The largest amount of the ledger that is not above this one. */
export const toExact = (units: bigint): bigint => units - (units % lastDigitOf(units))

/** What an issuer keeps its share of is this much more, in parts of a billion; the last of the digits is rounded up. */
export const addTransferFee = (units: bigint, rate: number): bigint => {
  const exact = units * BigInt(rate)
  const cut = 10n ** BigInt(Math.max(9, exact.toString().length - MAX_DIGITS))
  return ((exact + cut - 1n) / cut) * (cut / 10n ** 9n)
}
