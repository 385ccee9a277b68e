/**
 * The client of networks that have none of their own: raw JSON-RPC calls.
 *
 * @since 0.1.0
 */
import type { Family } from "../balancer/Family.js"
import { group } from "../data/Endpoint.js"
import type { RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import { faultOf } from "./internal/faults.js"

/**
 * The client of a network without endpoints of its own.
 *
 * @since 0.1.0
 * @category clients
 */
export interface GenericRpc extends RawRpc {}

/** Methods that only read, in the names of NEAR, Polkadot, Avalanche (P and X), Zilliqa, and of the EVM of Flow. */
const reads =
  /^(?:status|network_info|block(?:_effects)?|chunk|query|gas_price|validators|changes|light_client_proof|next_light_client_block|health|genesis_config|client_config|tx|EXPERIMENTAL_(?!broadcast)\w+|(?:chain|state|system|payment|author|rpc|grandpa|babe|beefy|childstate)_(?:get|query|call|chain|name|version|properties|health|peers|syncState|accountNextIndex|account_nextIndex|pendingExtrinsics|methods|roundState|epochAuthorship|dryRun|localPeerId|localListen|nodeRoles)\w*|(?:platform|avm|avax|xvm|info|index|health)\.(?:get|is|peers|uptime|validates|validatedBy|sampleValidators|listAddresses|health|readiness|liveness|acps|upgrades)\w*|Get[A-Z]\w*|(?:eth_(?:get(?!Filter)|call|chainId|blockNumber|gasPrice|estimate|feeHistory|maxPriority|syncing|accounts)|net_|web3_|trace_|debug_trace)\w*)$/

/** Methods that send a signed transaction, in the names of the same. */
const broadcasts =
  /^(?:broadcast_tx_(?:async|commit)|send_tx|author_submitExtrinsic|(?:platform|avm|avax)\.issueTx|CreateTransaction|eth_sendRawTransaction)$/

/**
 * The family of networks without endpoints of their own: nothing is known of how to ask for a height, so their nodes are
 * not checked. Integers of their answers are `bigint`: block times of NEAR are nanoseconds, which no `number` holds.
 *
 * @since 0.1.0
 * @category families
 */
export const generic: Family<{}, GenericRpc> = {
  endpoints: group({ integers: bigintIntegers, classify: faultOf, reads, broadcasts }, {})
}
