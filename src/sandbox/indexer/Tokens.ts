/**
 * Tokens of the EVM: their logs, and the details of their contracts.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { withoutTail } from "../../data/tail.js"
import type { SandboxError } from "../SandboxError.js"
import type { Rpc } from "./Utxo.js"

/**
 * A decoded log of a token. Addresses are in lower case. The zero address is the sender of a minting and the receiver
 * of a burning. Amounts and ids are the contract's numbers.
 *
 * @since 0.1.0
 * @category models
 */
export type TokenTransfer =
  | { readonly kind: "fungible"; readonly from: string; readonly to: string; readonly value: bigint }
  | { readonly kind: "nft"; readonly from: string; readonly to: string; readonly tokenId: bigint }
  | {
      readonly kind: "multitoken"
      readonly operator: string
      readonly from: string
      readonly to: string
      readonly batch: boolean
      readonly items: ReadonlyArray<{ readonly tokenId: bigint; readonly value: bigint }>
    }

/**
 * The first topics of the events that are decoded.
 *
 * @since 0.1.0
 * @category operations
 */
export const topics = {
  transfer: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  single: "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62",
  batch: "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb",
  swapV2: "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822",
  swapV3: "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67"
} as const

/**
 * The zero address.
 *
 * @since 0.1.0
 * @category getters
 */
export const ZERO_ADDRESS = `0x${"0".repeat(40)}`

const WORD_DIGITS = 64

/**
 * The words of data, 64 hexadecimal digits each; undefined if the data does not consist of whole words.
 *
 * @since 0.1.0
 * @category conversions
 */
export const splitWords = (data: string): ReadonlyArray<string> | undefined => {
  const digits = data.startsWith("0x") ? data.slice(2) : ""
  if ((digits === "" && data !== "0x") || digits.length % WORD_DIGITS !== 0 || !/^[0-9a-fA-F]*$/.test(digits))
    return undefined
  return Array.from({ length: digits.length / WORD_DIGITS }, (_, i) =>
    digits.slice(i * WORD_DIGITS, (i + 1) * WORD_DIGITS)
  )
}

/**
 * The number in a word.
 *
 * @since 0.1.0
 * @category conversions
 */
export const wordToNumber = (word: string): bigint => BigInt(`0x${word}`)

/**
 * The address in a word or topic, in lower case; undefined if the word is no address.
 *
 * @since 0.1.0
 * @category conversions
 */
export const wordToAddress = (word: string | undefined): string | undefined => {
  const [, digits] = /^(?:0x)?0{24}([0-9a-f]{40})$/i.exec(word ?? "") ?? []
  return digits === undefined ? undefined : `0x${digits.toLowerCase()}`
}

/** A list of numbers. The word at `at` has the position of its beginning. */
const readListAt = (words: ReadonlyArray<string>, at: number): ReadonlyArray<bigint> | undefined => {
  const offset = wordToNumber(words[at] ?? "f")
  const start = Number(offset / 32n)
  const length = words[start]
  if (offset % 32n !== 0n || offset > 0xff_ff_ff_ffn || length === undefined) return undefined
  const count = wordToNumber(length)
  if (count > BigInt(words.length - start - 1)) return undefined
  return words.slice(start + 1, start + 1 + Number(count)).map(wordToNumber)
}

const readItems = (words: ReadonlyArray<string>, batch: boolean) => {
  const [id, value] = words
  if (!batch)
    return words.length === 2 && id !== undefined && value !== undefined
      ? [{ tokenId: wordToNumber(id), value: wordToNumber(value) }]
      : undefined
  const ids = readListAt(words, 0)
  const values = readListAt(words, 1)
  return ids === undefined || ids.length !== values?.length
    ? undefined
    : ids.map((tokenId, i) => ({ tokenId, value: values[i] ?? 0n }))
}

/**
 * The token transfer in a log (ERC-20, ERC-721, ERC-1155); undefined for other logs, and for one without the standard's
 * format.
 *
 * @since 0.1.0
 * @category conversions
 */
export const decodeTransfer = (log: {
  readonly topics: ReadonlyArray<string>
  readonly data: string
}): TokenTransfer | undefined => {
  const [topic, first, second, third] = log.topics
  const words = splitWords(log.data)
  if (words === undefined) return undefined
  if (topic === topics.transfer) {
    const from = wordToAddress(first)
    const to = wordToAddress(second)
    if (from === undefined || to === undefined) return undefined
    const [value] = words
    if (third !== undefined)
      return words.length === 0
        ? { kind: "nft", from, to, tokenId: wordToNumber(third.replace(/^0x/, "")) }
        : undefined
    return value !== undefined && words.length === 1
      ? { kind: "fungible", from, to, value: wordToNumber(value) }
      : undefined
  }
  if (topic !== topics.single && topic !== topics.batch) return undefined
  const operator = wordToAddress(first)
  const from = wordToAddress(second)
  const to = wordToAddress(third)
  const batch = topic === topics.batch
  const items = readItems(words, batch)
  return operator === undefined || from === undefined || to === undefined || items === undefined
    ? undefined
    : { kind: "multitoken", operator, from, to, batch, items }
}

/** The selectors of contract functions without parameters, or with one word. */
const selectors = {
  name: "0x06fdde03",
  symbol: "0x95d89b41",
  decimals: "0x313ce567",
  totalSupply: "0x18160ddd",
  cap: "0x355274ea",
  baseURI: "0x6c0360eb",
  tokenURI: "0xc87b56dd",
  uri: "0x0e89341c",
  supportsInterface: "0x01ffc9a7",
  token0: "0x0dfe1681",
  token1: "0xd21220a7"
} as const

/**
 * The result of a contract's function, as hexadecimal data; undefined if the contract reverts or has no such function.
 * Fails if the node does (`chain`); a second call shows whether the node failed or the contract.
 *
 * @since 0.1.0
 * @category operations
 */
export const callContract = (
  rpc: Rpc,
  contract: string,
  name: keyof typeof selectors,
  word = ""
): Effect.Effect<string | undefined, SandboxError> =>
  rpc("eth_call", [{ to: contract, data: `${selectors[name]}${word}` }, "latest"]).pipe(
    Effect.map((said) => (typeof said === "string" && said !== "0x" ? said : undefined)),
    Effect.catchAll((error) =>
      Effect.as(
        Effect.mapError(rpc("eth_chainId", []), () => error),
        undefined
      )
    )
  )

/** The longest text that is read from a contract, in bytes. */
const MAX_TEXT_BYTES = 1_048_576

/**
 * The text in a contract's result: a string, or 32 bytes as old contracts have it. Undefined for anything else.
 *
 * @since 0.1.0
 * @category conversions
 */
export const decodeText = (said: string | undefined): string | undefined => {
  const bytes = Buffer.from(said?.slice(2) ?? "", "hex")
  if (bytes.length === 32) return withoutTail(bytes.toString("utf8"), "\0")
  const words = bytes.length < 64 ? [] : [bytes.subarray(0, 32), bytes.subarray(32, 64)]
  const [offset, length] = words.map((word) => wordToNumber(word.toString("hex")))
  return offset === 32n &&
    length !== undefined &&
    length <= BigInt(Math.min(MAX_TEXT_BYTES, bytes.length - 64))
    ? bytes.subarray(64, 64 + Number(length)).toString("utf8")
    : undefined
}

/**
 * The number in a contract's result.
 *
 * @since 0.1.0
 * @category conversions
 */
export const decodeInteger = (said: string | undefined): bigint | undefined => {
  const [word] = splitWords(said ?? "") ?? []
  return word === undefined ? undefined : wordToNumber(word)
}

/**
 * The details of a token that its contract has. `decimals` exist for fungible tokens only.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenFacts {
  readonly kind: TokenTransfer["kind"]
  readonly name: string | undefined
  readonly symbol: string | undefined
  readonly decimals: number | undefined
}

/** The length in characters after which names are cut off. */
const MAX_NAME_LENGTH = 256

/**
 * Reads a token's details from its contract. Fails if the node does (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const readTokenFacts = (
  rpc: Rpc,
  contract: string,
  kind: TokenTransfer["kind"]
): Effect.Effect<TokenFacts, SandboxError> =>
  Effect.map(
    Effect.all(
      [
        callContract(rpc, contract, "name"),
        callContract(rpc, contract, "symbol"),
        kind === "fungible" ? callContract(rpc, contract, "decimals") : Effect.succeed(undefined)
      ],
      { concurrency: "unbounded" }
    ),
    ([name, symbol, said]) => {
      const decimals = decodeInteger(said)
      return {
        kind,
        name: decodeText(name)?.slice(0, MAX_NAME_LENGTH),
        symbol: decodeText(symbol)?.slice(0, MAX_NAME_LENGTH),
        decimals: decimals !== undefined && decimals <= 255n ? Number(decimals) : undefined
      }
    }
  )

/** The interface ids of contracts (ERC-165). */
const interfaces = { nft: "80ac58cd", multitoken: "d9b67a26" } as const

/**
 * Finds the kind of a token that has not moved yet; undefined if the contract is no token. Fails if the node does
 * (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const findTokenKind = (
  rpc: Rpc,
  contract: string
): Effect.Effect<TokenTransfer["kind"] | undefined, SandboxError> =>
  Effect.gen(function* () {
    for (const kind of ["nft", "multitoken"] as const) {
      const said = yield* callContract(
        rpc,
        contract,
        "supportsInterface",
        interfaces[kind].padEnd(WORD_DIGITS, "0")
      )
      if (decodeInteger(said) === 1n) return kind
    }
    return decodeInteger(yield* callContract(rpc, contract, "totalSupply")) === undefined ||
      decodeInteger(yield* callContract(rpc, contract, "decimals")) === undefined
      ? undefined
      : "fungible"
  })
