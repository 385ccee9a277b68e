/**
 * Chain-agnostic ids of chains, accounts, assets, transactions and blocks (CAIP-2, CAIP-10, CAIP-19, CAIP-220,
 * CAIP-221). Parsers return a `Result`.
 *
 * ```ts
 * const account = parseAccount("eip155:1:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb")
 * if (account.status === "SUCCESS") console.log(account.data.network, account.data.address)
 * ```
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Caip from "./data/Caip.js"
import { failure, type Result, success } from "./data/CallResult.js"
import type { InvalidCaip } from "./data/SdkError.js"

export {
  type Account,
  type Asset,
  type Block,
  type CaipId,
  type CaipNetwork,
  type Chain,
  type ChainLike,
  type ChainOf,
  chainOf,
  coinOf,
  formatAccount,
  formatAsset,
  formatBlock,
  formatTransaction,
  networkOf,
  networksOf,
  type Transaction
} from "./data/Caip.js"
export { type Failure, isFailure, isSuccess, type Result, type Success } from "./data/CallResult.js"

const toResultParser =
  <A>(parse: (text: string) => Either.Either<A, InvalidCaip>) =>
  (text: string): Result<A, InvalidCaip> =>
    Either.match(parse(text), { onLeft: failure, onRight: success })

/**
 * Parses an id of any kind. `kind` of the result says which one it is.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parse: (text: string) => Result<Caip.CaipId, InvalidCaip> = /*#__PURE__*/ toResultParser(
  Caip.parse
)

/**
 * Parses the id of a chain (CAIP-2), such as `eip155:1`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseChain: (text: string) => Result<Caip.Chain, InvalidCaip> = /*#__PURE__*/ toResultParser(
  Caip.parseChain
)

/**
 * Parses the id of an account (CAIP-10), such as `eip155:1:0xab16…`. Escaped characters are decoded.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseAccount: (text: string) => Result<Caip.Account, InvalidCaip> = /*#__PURE__*/ toResultParser(
  Caip.parseAccount
)

/**
 * Parses the id of an asset (CAIP-19), such as `eip155:1/erc20:0x6b17…`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseAsset: (text: string) => Result<Caip.Asset, InvalidCaip> = /*#__PURE__*/ toResultParser(
  Caip.parseAsset
)

/**
 * Parses the id of a transaction (CAIP-221), such as `eip155:1:tx/0x3edb…`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseTransaction: (text: string) => Result<Caip.Transaction, InvalidCaip> =
  /*#__PURE__*/ toResultParser(Caip.parseTransaction)

/**
 * Parses the id of a block (CAIP-220), such as `eip155:1:block/17000000`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseBlock: (text: string) => Result<Caip.Block, InvalidCaip> = /*#__PURE__*/ toResultParser(
  Caip.parseBlock
)
