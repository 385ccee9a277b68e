/**
 * Quotas for Promise clients, and their spent credits, in the memory of this process: `effect-chains/quota`. The
 * quota of a fleet is in `@effect-chains/fleet`.
 *
 * @since 0.1.0
 */
export type { Limit } from "./config/Config.js"
export { type Credits, creditsOfNodeCall, type RouteCredits, routeCredits } from "./data/credits.js"
export { type QuotaOptions, quota, type TokenRate } from "./transport/Quota.js"
