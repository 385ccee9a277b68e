import type * as near from "@near-js/jsonrpc-types"

/** The block of an answer about the state. */
interface At {
  readonly blockHash: near.CryptoHash
  readonly blockHeight: number
}

/** The node's answers. The response's type includes errors too. */
export interface Answers {
  readonly status: near.RpcStatusResponse
  readonly network_info: near.RpcNetworkInfoResponse
  readonly block: near.RpcBlockResponse
  readonly chunk: near.RpcChunkResponse
  /** By the type of the query. */
  readonly query: {
    readonly query: near.RpcQueryResponse
    readonly viewAccount: near.AccountView & At
    readonly viewCode: near.ContractCodeView & At
    readonly viewState: near.ViewStateResult & At
    readonly viewAccessKey: near.AccessKeyView & At
    readonly viewAccessKeyList: near.AccessKeyList & At
    readonly callFunction: near.CallResult & At
  }
  readonly gas_price: near.RpcGasPriceResponse
  readonly validators: near.RpcValidatorResponse
  readonly tx: near.RpcTransactionResponse
  readonly EXPERIMENTAL_tx_status: near.RpcTransactionResponse
  readonly EXPERIMENTAL_receipt: near.RpcReceiptResponse
  readonly EXPERIMENTAL_changes: near.RpcStateChangesInBlockResponse
  readonly EXPERIMENTAL_changes_in_block: near.RpcStateChangesInBlockByTypeResponse
  readonly EXPERIMENTAL_light_client_proof: near.RpcLightClientExecutionProofResponse
  readonly next_light_client_block: near.RpcLightClientNextBlockResponse
  readonly EXPERIMENTAL_protocol_config: near.RpcProtocolConfigResponse
  readonly EXPERIMENTAL_genesis_config: near.GenesisConfig
  readonly EXPERIMENTAL_validators_ordered: Array<near.ValidatorStakeView>
  readonly EXPERIMENTAL_congestion_level: near.RpcCongestionLevelResponse
  readonly EXPERIMENTAL_maintenance_windows: Array<near.RangeOfUint64>
  readonly send_tx: near.RpcTransactionResponse
  readonly broadcast_tx_async: near.CryptoHash
  readonly broadcast_tx_commit: near.RpcTransactionResponse
}
