/**
 * Shares the health of nodes between processes, for Promise clients: `effect-chains/health`. The board of a fleet is
 * in `@effect-chains/fleet/health`.
 *
 * @since 0.1.0
 */
export { type Board, type Hint, health, type Member, type Membership } from "./balancer/Hints.js"
