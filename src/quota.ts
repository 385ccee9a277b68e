/**
 * The quota of a key for Promise clients, in the memory of this process: `effect-chains/quota`. That of a whole fleet is in
 * `@effect-chains/fleet`.
 *
 * @since 0.1.0
 */
export type { Limit } from "./config/Config.js"
export { type QuotaOptions, quota } from "./transport/Quota.js"
