/**
 * The enumerations: frozen, since they are shared. A bundler keeps a call that is not marked as pure.
 *
 * @since 0.1.0
 */

/**
 * The version of the provider's API.
 *
 * @since 0.1.0
 * @category constants
 */
export const ApiVersion = /* @__PURE__ */ Object.freeze({ V3: "V3", V4: "V4" } as const)

/**
 * One of the values of the constant `ApiVersion`.
 *
 * @since 0.1.0
 * @category constants
 */
export type ApiVersion = (typeof ApiVersion)[keyof typeof ApiVersion]

/**
 * The kind of request that a node has failed.
 *
 * @since 0.1.0
 * @category constants
 */
export const RequestKind = /* @__PURE__ */ Object.freeze({
  RPC: "RPC",
  POST: "POST",
  GET: "GET",
  BATCH: "BATCH",
  PUT: "PUT",
  DELETE: "DELETE"
} as const)

/**
 * One of the values of the constant `RequestKind`.
 *
 * @since 0.1.0
 * @category constants
 */
export type RequestKind = (typeof RequestKind)[keyof typeof RequestKind]

/**
 * How grave a log line is, from the least to the most.
 *
 * @since 0.1.0
 * @category constants
 */
export const LogLevel = /* @__PURE__ */ Object.freeze({
  TRACE: "trace",
  DEBUG: "debug",
  INFO: "info",
  WARN: "warn",
  ERROR: "error"
} as const)

/**
 * One of the values of the constant `LogLevel`.
 *
 * @since 0.1.0
 * @category constants
 */
export type LogLevel = (typeof LogLevel)[keyof typeof LogLevel]

/**
 * The events that a subscription watches.
 *
 * @since 0.1.0
 * @category constants
 */
export const NotificationType = /* @__PURE__ */ Object.freeze({
  ADDRESS_EVENT: "ADDRESS_EVENT",
  INCOMING_NATIVE_TX: "INCOMING_NATIVE_TX",
  OUTGOING_NATIVE_TX: "OUTGOING_NATIVE_TX",
  OUTGOING_FAILED_TX: "OUTGOING_FAILED_TX",
  PAID_FEE: "PAID_FEE",
  INCOMING_INTERNAL_TX: "INCOMING_INTERNAL_TX",
  OUTGOING_INTERNAL_TX: "OUTGOING_INTERNAL_TX",
  INCOMING_FUNGIBLE_TX: "INCOMING_FUNGIBLE_TX",
  OUTGOING_FUNGIBLE_TX: "OUTGOING_FUNGIBLE_TX",
  INCOMING_NFT_TX: "INCOMING_NFT_TX",
  OUTGOING_NFT_TX: "OUTGOING_NFT_TX",
  INCOMING_MULTITOKEN_TX: "INCOMING_MULTITOKEN_TX",
  OUTGOING_MULTITOKEN_TX: "OUTGOING_MULTITOKEN_TX",
  CONTRACT_ADDRESS_LOG_EVENT: "CONTRACT_ADDRESS_LOG_EVENT",
  FAILED_TXS_PER_BLOCK: "FAILED_TXS_PER_BLOCK"
} as const)

/**
 * One of the values of the constant `NotificationType`.
 *
 * @since 0.1.0
 * @category constants
 */
export type NotificationType = (typeof NotificationType)[keyof typeof NotificationType]

/**
 * The state that a node keeps: the recent one, or all of the past too.
 *
 * @since 0.1.0
 * @category constants
 */
export const NodeType = /* @__PURE__ */ Object.freeze({ NORMAL: 0, ARCHIVE: 1 } as const)

/**
 * One of the values of the constant `NodeType`.
 *
 * @since 0.1.0
 * @category constants
 */
export type NodeType = (typeof NodeType)[keyof typeof NodeType]

/**
 * The kind of asset of a balance or a contract.
 *
 * @since 0.1.0
 * @category constants
 */
export const TokenType = /* @__PURE__ */ Object.freeze({
  NATIVE: "native",
  FUNGIBLE: "fungible",
  NFT: "nft",
  MULTITOKEN: "multitoken"
} as const)

/**
 * One of the values of the constant `TokenType`.
 *
 * @since 0.1.0
 * @category constants
 */
export type TokenType = (typeof TokenType)[keyof typeof TokenType]

/**
 * The direction of a transaction, seen from the address asked about.
 *
 * @since 0.1.0
 * @category constants
 */
export const TransactionType = /* @__PURE__ */ Object.freeze({
  INCOMING: "incoming",
  OUTGOING: "outgoing"
} as const)

/**
 * One of the values of the constant `TransactionType`.
 *
 * @since 0.1.0
 * @category constants
 */
export type TransactionType = (typeof TransactionType)[keyof typeof TransactionType]

/**
 * How a call on a Promise client ended.
 *
 * @since 0.1.0
 * @category constants
 */
export const ResultStatus = /* @__PURE__ */ Object.freeze({ SUCCESS: "SUCCESS", ERROR: "ERROR" } as const)

/**
 * One of the values of the constant `ResultStatus`.
 *
 * @since 0.1.0
 * @category constants
 */
export type ResultStatus = (typeof ResultStatus)[keyof typeof ResultStatus]
