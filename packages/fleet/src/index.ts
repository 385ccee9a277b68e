/**
 * effect-chains in many processes.
 *
 * @since 0.1.0
 */

export * as Cache from "./Cache.js"
