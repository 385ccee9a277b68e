/** Payments of Safe accounts as bytes: the typed data that owners sign, and the calls of the contract. */
import type { Hex } from "../../chains/evm/Types.js"
import { hexBytes } from "../../data/bytes.js"
import { checksumAddress } from "../../data/evmAddress.js"
import { isRecord } from "../../data/untrusted.js"
import type { PaymentTerms } from "../SignerDefinition.js"
import { encodeWord, TRANSFER } from "./reading.js"
import type { SafeTransaction, TypedDataDefinition } from "./Types.js"

const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000"

/**
 * The fields that are the same in all payments: no delegatecall, which could change the account itself, and no refund of gas, which would
 * pay somebody whom the preview does not show.
 */
const FIXED_FIELDS = {
  operation: "0",
  safeTxGas: "0",
  baseGas: "0",
  gasPrice: "0",
  gasToken: ZERO_ADDRESS,
  refundReceiver: ZERO_ADDRESS
} as const

/** Why a payment has none of the others, in words. */
const fixedProblems: Readonly<Record<keyof typeof FIXED_FIELDS, string>> = {
  operation: "operation must be 0: a delegatecall could change the account itself",
  safeTxGas: "safeTxGas must be 0: with another one a failed payment would use up its nonce",
  baseGas: "baseGas must be 0: the account refunds nobody",
  gasPrice: "gasPrice must be 0: the account refunds nobody",
  gasToken: "gasToken must be the zero address: the account refunds nobody",
  refundReceiver: "refundReceiver must be the zero address: the account refunds nobody"
}

const SAFE_TX = [
  { name: "to", type: "address" },
  { name: "value", type: "uint256" },
  { name: "data", type: "bytes" },
  { name: "operation", type: "uint8" },
  { name: "safeTxGas", type: "uint256" },
  { name: "baseGas", type: "uint256" },
  { name: "gasPrice", type: "uint256" },
  { name: "gasToken", type: "address" },
  { name: "refundReceiver", type: "address" },
  { name: "nonce", type: "uint256" }
]

/** The typed data of a payment. Numbers are text, so that it is JSON. */
export const toTypedData = ({
  chainId,
  data,
  nonce,
  safe,
  to,
  value
}: SafeTransaction): TypedDataDefinition => ({
  domain: { chainId, verifyingContract: safe },
  types: {
    // wallets of pages ask for the type of the domain
    EIP712Domain: [
      { name: "chainId", type: "uint256" },
      { name: "verifyingContract", type: "address" }
    ],
    SafeTx: SAFE_TX
  },
  primaryType: "SafeTx",
  message: { to, value: String(value), data: data ?? "0x", ...FIXED_FIELDS, nonce: String(nonce) }
})

const requireAddress = (value: unknown, place: string): Hex => {
  const address = checksumAddress(hexBytes(value, place, 20))
  if (address !== value) throw new Error(`${place} must be written with the capitals of its checksum`)
  return address as Hex
}

const requireNumber = (value: unknown, place: string): bigint => {
  if (typeof value !== "string" || !/^(0|[1-9]\d{0,77})$/.test(value) || BigInt(value) >= 2n ** 256n)
    throw new Error(`${place} must be a whole number of 256 bits as text`)
  return BigInt(value)
}

/** Reads typed data as JSON. Throws unless it is a payment of a Safe, byte for byte as it is written here. */
export const parseTypedData = (payload: string): SafeTransaction => {
  const data: unknown = JSON.parse(payload)
  const domain = isRecord(data) ? data.domain : undefined
  const message = isRecord(data) ? data.message : undefined
  if (!isRecord(domain) || !isRecord(message)) throw new Error("it is no typed data of a Safe")
  for (const [name, fixed] of Object.entries(FIXED_FIELDS))
    if (message[name] !== fixed) throw new Error(fixedProblems[name as keyof typeof FIXED_FIELDS])
  const bytes = hexBytes(message.data, "data")
  const transaction: SafeTransaction = {
    chainId: Number(domain.chainId),
    safe: requireAddress(domain.verifyingContract, "verifyingContract"),
    to: requireAddress(message.to, "to"),
    value: requireNumber(message.value, "value"),
    ...(bytes === "0x" ? {} : { data: bytes }),
    nonce: requireNumber(message.nonce, "nonce")
  }
  if (JSON.stringify(toTypedData(transaction)) !== payload)
    throw new Error("it has more than the payment of a Safe has, or in another order")
  return transaction
}

/** What a transaction pays. Throws if it is neither a payment in coins nor a transfer of a token. */
export const readTerms = ({
  data,
  safe,
  to,
  value
}: SafeTransaction): PaymentTerms & { readonly fee: bigint } => {
  if (data === undefined) return { from: safe, to, amount: value, token: undefined, fee: 0n }
  const amount = BigInt(`0x${data.slice(74) || "0"}`)
  const receiver = checksumAddress(`0x${data.slice(34, 74)}`) as Hex
  if (value !== 0n || data !== encodeTransfer(receiver, amount))
    throw new Error("data is neither empty nor the transfer of a token")
  return { from: safe, to: receiver, amount, token: to, fee: 0n }
}

/** The call of a token that pays. */
export const encodeTransfer = (to: Hex, amount: bigint): Hex =>
  `${TRANSFER}${encodeWord(to)}${encodeWord(amount)}`

const EXEC_TRANSACTION = "0x6a761202"
const GET_TRANSACTION_HASH = "0xd8d11f78"

/** Bytes as contracts take them: their length, and as many whole words as they need. */
const encodeBytes = (bytes: Hex): string => {
  const digits = bytes.slice(2)
  return `${encodeWord(BigInt(digits.length / 2))}${digits.padEnd(Math.ceil(digits.length / 64) * 64, "0")}`
}

/** The words of a payment's fields, whose data stands at a place behind them. */
const encodeFields = ({ to, value }: SafeTransaction, dataAt: bigint): string =>
  [
    to,
    value,
    dataAt,
    ...Object.values(FIXED_FIELDS).map((fixed) => (fixed === ZERO_ADDRESS ? fixed : BigInt(fixed)))
  ]
    .map(encodeWord)
    .join("")

/** The call that asks the contract for the hash of a payment. */
export const encodeHashCall = (transaction: SafeTransaction): Hex =>
  `${GET_TRANSACTION_HASH}${encodeFields(transaction, 320n)}${encodeWord(transaction.nonce)}${encodeBytes(transaction.data ?? "0x")}`

/** The call that executes a payment with its signatures, which stand in the order of their owners. */
export const encodeExecution = (transaction: SafeTransaction, signatures: Hex): Hex => {
  const data = encodeBytes(transaction.data ?? "0x")
  const signaturesAt = 320n + BigInt(data.length / 2)
  return `${EXEC_TRANSACTION}${encodeFields(transaction, 320n)}${encodeWord(signaturesAt)}${data}${encodeBytes(signatures)}`
}

/** A signature as the contract takes it: `v` is 27 or 28. Wallets may write 0 or 1, which the contract takes for other kinds of approvals. */
export const toSafeSignature = (signature: Hex): Hex => {
  const v = Number(`0x${signature.slice(130)}`)
  return v < 2 ? `0x${signature.slice(2, 132 - 2)}${(v + 27).toString(16)}` : signature
}
