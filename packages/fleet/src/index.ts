/**
 * effect-chains in many processes.
 *
 * @since 0.1.0
 */

/**
 * Where answers are kept that many processes share.
 *
 * @since 0.1.0
 */
export * as Cache from "./Cache.js"

/**
 * One quota for many processes.
 *
 * @since 0.1.0
 */
export * as Quota from "./Quota.js"
