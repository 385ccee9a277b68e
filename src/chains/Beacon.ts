/**
 * The beacon node API: the REST routes of Ethereum's consensus layer. A `stateId` is `head`, `genesis`, `finalized`,
 * `justified`, a slot or a state root (0x); a `blockId` is `head`, `genesis`, `finalized`, a slot or a block root (0x).
 * Answers keep the names of the wire, and its integers: decimal strings.
 *
 * @since 0.1.0
 */

export { endpoints } from "./beacon/endpoints.js"
export type * from "./beacon/Types.js"
