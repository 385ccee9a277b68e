/** Calls of nodes that are honest, as far as a payment needs them before it is signed. What is asked for afterwards is what a test gives. */
import * as Effect from "effect/Effect"
import type { EvmCalls } from "../../src/signers/Evm.js"
import type { TezosCalls } from "../../src/signers/Tezos.js"
import type { TronCalls } from "../../src/signers/Tron.js"
import { tezosConstants, tronParameters } from "./parameters.js"

const gwei = 10n ** 9n

export const evmCalls = (isLegacy = false): EvmCalls => {
  const never = (name: string) => () => Effect.die(`${name} is not asked for before a payment is signed`)
  const hex = (value: bigint): `0x${string}` => `0x${value.toString(16)}`
  const word = (value: bigint): `0x${string}` => `0x${value.toString(16).padStart(64, "0")}`
  return {
    call: ({ data = "0x" }) =>
      Effect.succeed(
        data.startsWith("0x70a08231") ? word(10n ** 12n) : data.startsWith("0x313ce567") ? word(6n) : word(1n)
      ),
    estimateGas: ({ data }) => Effect.succeed(data === undefined ? 21_000n : 65_000n),
    feeHistory: () =>
      isLegacy
        ? Effect.succeed({})
        : Effect.succeed({
            baseFeePerGas: [hex(gwei), hex(gwei), hex(gwei)],
            reward: [[hex(gwei)], [hex(gwei)]]
          }),
    gasPrice: () => Effect.succeed(2n * gwei),
    getBalance: () => Effect.succeed(10n ** 19n),
    getBlockByNumber: () =>
      Effect.succeed(
        isLegacy
          ? { transactions: [{ gasPrice: hex(2n * gwei) }, { gasPrice: hex(2n * gwei) }] }
          : { baseFeePerGas: hex(gwei) }
      ),
    getCode: () => Effect.succeed("0x"),
    getTransactionByHash: never("getTransactionByHash"),
    getTransactionCount: () => Effect.succeed(7n),
    maxPriorityFeePerGas: () => Effect.succeed(gwei),
    sendRawTransaction: never("sendRawTransaction"),
    waitForTransaction: never("waitForTransaction")
  }
}

export const tronCalls = (): TronCalls => {
  const word = (value: bigint): string => value.toString(16).padStart(64, "0")
  const never = (name: string) => () => Effect.die(`${name} is not asked for before a payment is signed`)
  return {
    broadcastHex: never("broadcastHex"),
    getAccount: (address) => Effect.succeed({ address, balance: 10n ** 13n }),
    getAccountResources: () =>
      Effect.succeed({ freeNetLimit: 600n, freeNetUsed: 600n, NetLimit: 0n, NetUsed: 0n }),
    getChainParameters: () => Effect.succeed(tronParameters),
    getNowBlock: never("getNowBlock"),
    getTransactionById: never("getTransactionById"),
    getTransactionFromPending: never("getTransactionFromPending"),
    getTransactionInfoById: never("getTransactionInfoById"),
    triggerConstantContract: (_, __, selector) =>
      Effect.succeed({
        result: { result: true },
        energy_used: 65_000n,
        constant_result: [
          selector === "decimals()"
            ? word(6n)
            : selector.startsWith("balanceOf")
              ? word(10n ** 12n)
              : word(1n)
        ]
      })
  }
}

export const tezosCalls = (): TezosCalls => {
  const never = (name: string) => () => Effect.die(`${name} is not asked for before a payment is signed`)
  return {
    getBlockHeader: () =>
      Effect.succeed({
        level: 1_000,
        hash: "BLockGenesisGenesisGenesisGenesisGenesisf79b5d1CoW2",
        chain_id: "NetXdQprcVkpaWU"
      }),
    getConstants: () => Effect.succeed(tezosConstants),
    getContractBalance: () => Effect.succeed("1000000000000"),
    getContractCounter: () => Effect.succeed("41"),
    getContractManagerKey: () => Effect.succeed(null),
    getBigMapValue: never("getBigMapValue"),
    getContractScript: never("getContractScript"),
    getOperationHashes: never("getOperationHashes"),
    getOperationList: never("getOperationList"),
    getPendingOperations: never("getPendingOperations"),
    injectOperation: never("injectOperation"),
    simulateOperation: ({ operation }) =>
      Effect.succeed({
        contents: operation.contents.map(() => ({
          metadata: {
            operation_result: {
              status: "applied",
              consumed_milligas: "169000",
              paid_storage_size_diff: "10",
              allocated_destination_contract: true
            }
          }
        }))
      })
  }
}
