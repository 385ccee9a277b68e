/**
 * EOS (Vaulta): the chain API of nodeos, its traces, and the history that some providers have beside it. Arguments have
 * camelCase names, answers those of the wire. The data of actions and the arguments of contracts are sent as they are
 * given. Integers of 64 bits are a number up to 2^32 and decimal digits above (`Int64`); a bigint that is given is sent as
 * digits. Times are UTC, as `2023-07-01T00:00:00.500`.
 *
 * A refusal of a node is the caller's affair, whatever the HTTP status. Three kinds of errors are not: data that another node
 * may have (blocks, transactions and traces that this one does not have, interfaces that it does not offer), limits of the
 * node's own (CPU time, deadlines, grey and black lists), which send the call to the next node without blaming this one;
 * and a node whose database or block production is out of order, which counts as failed.
 *
 * @since 0.1.0
 */
import { type Family, fieldAt } from "../balancer/Family.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { endpoints } from "./eos/endpoints.js"

export { endpoints } from "./eos/endpoints.js"
export type * from "./eos/Types.js"

/**
 * The client of EOS.
 *
 * @since 0.1.0
 * @category clients
 */
export interface EosRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of EOS.
 *
 * @since 0.1.0
 * @category families
 */
export const eos: Family<typeof endpoints, EosRpc> = {
  endpoints,
  probe: () => ({ verb: "POST", path: "/v1/chain/get_info", height: fieldAt("head_block_num") })
}
