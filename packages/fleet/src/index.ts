/**
 * effect-chains in many processes. Every module is a namespace; what keeps a fleet is an entry of its own, since its library is an
 * optional peer: `@effect-chains/fleet/postgres`, `@effect-chains/fleet/libsql`. So are durable transactions of EVM networks, of Solana
 * and of Bitcoin's kind (`@effect-chains/fleet/evm`, `/solana`, `/bitcoin`), watchers of payments (`@effect-chains/fleet/watcher/evm`,
 * `/bitcoin` and `/solana`), retention (`@effect-chains/fleet/retention`), one quota for many processes (`@effect-chains/fleet/quota`),
 * what they find of nodes (`@effect-chains/fleet/health`) and where they keep answers (`@effect-chains/fleet/cache`).
 *
 * @since 0.1.0
 */

export type { Services } from "./engine.js"
export { FleetError, type FleetReason } from "./FleetError.js"
