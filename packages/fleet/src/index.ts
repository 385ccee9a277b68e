/**
 * effect-chains in many processes.
 *
 * @since 0.1.0
 */

/**
 * @since 0.1.0
 */
export * as Quota from "./Quota.js"
