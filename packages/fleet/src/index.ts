/**
 * effect-chains in many processes. Each part has an entry of its own, since its library is an optional peer:
 *
 * - `@effect-chains/fleet/postgres` and `/libsql`: the database of a fleet;
 * - `/evm`, `/solana` and `/bitcoin`: durable transactions;
 * - `/sweep/evm` and `/sweep/solana`: sweeps of token addresses, with the gas that they lack;
 * - `/watcher/evm`, `/watcher/bitcoin` and `/watcher/solana`: watchers of payments;
 * - `/retention`: removal of old rows;
 * - `/spending`: limits of policies, counted once for all processes;
 * - `/quota`: one quota for all processes;
 * - `/health`: shared health of nodes;
 * - `/cache`: stores of the cache.
 *
 * @since 0.1.0
 */

export type { Services } from "./engine.js"
export { FleetError, type FleetReason } from "./FleetError.js"
