/**
 * effect-chains in many processes. Every module is a namespace; what keeps a fleet is an entry of its own, since its library is an
 * optional peer: `@effect-chains/fleet/postgres`, `@effect-chains/fleet/libsql`.
 *
 * @since 0.1.0
 */

export type { Services } from "./engine.js"
export { FleetError, type FleetReason } from "./FleetError.js"
