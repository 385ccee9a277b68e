/** What chains say of themselves, as far as payments are made by it: as nodes of their main networks have it. */

/** The constants of Tezos. */
export const tezosConstants = {
  cost_per_byte: "250",
  origination_size: 257,
  hard_gas_limit_per_operation: "1040000",
  hard_gas_limit_per_block: "1733333",
  hard_storage_limit_per_operation: "60000",
  max_operations_time_to_live: 450,
  blocks_per_cycle: 10_800,
  minimal_block_delay: "8",
  unstake_finalization_delay: 3
} as const

/** The parameters of Tron, in sun. */
export const tronParameters = {
  chainParameter: [
    { key: "getTransactionFee", value: 1_000n },
    { key: "getEnergyFee", value: 100n },
    { key: "getMemoFee", value: 1_000_000n },
    { key: "getMultiSignFee", value: 1_000_000n },
    { key: "getCreateAccountFee", value: 100_000n },
    { key: "getCreateNewAccountFeeInSystemContract", value: 1_000_000n }
  ]
}
