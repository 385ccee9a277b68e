/**
 * A program of fixed size, for test/types.test.ts to count what the compiler does for it: ten calls of every family on
 * both surfaces, and all members of their clients. Nothing runs it.
 */
import * as Effect from "effect/Effect"
import type { Promised } from "../../src/Client.js"
import type { EthereumRpc } from "../../src/chains/Ethereum.js"
import type { EvmRpc } from "../../src/chains/Evm.js"
import type { KlaytnRpc } from "../../src/chains/Klaytn.js"
import type { TronRpc } from "../../src/chains/Tron.js"
import type { ZkSyncRpc } from "../../src/chains/ZkSync.js"
import { init } from "../../src/promise.js"
import * as Sdk from "../../src/Sdk.js"

const address = "0x0000000000000000000000000000000000000001"
const hash = "0x00000000000000000000000000000000000000000000000000000000000000ff"

export const effects = Effect.gen(function* () {
  const { rpc: evm } = yield* Sdk.make({ network: "polygon-mainnet" })
  const { rpc: ethereum } = yield* Sdk.make({ network: "ethereum-mainnet" })
  const { rpc: klaytn } = yield* Sdk.make({ network: "klaytn-mainnet" })
  const { rpc: zksync } = yield* Sdk.make({ network: "zksync-mainnet" })
  const { rpc: tron } = yield* Sdk.make({ network: "tron-mainnet" })
  return {
    evm: [
      yield* evm.blockNumber(),
      yield* evm.chainId(),
      yield* evm.gasPrice(),
      yield* evm.getBalance(address, "latest"),
      yield* evm.getCode(address),
      yield* evm.getBlockByNumber(1n, true),
      yield* evm.getTransactionByHash(hash),
      yield* evm.getLogs({ fromBlock: 1, address }),
      yield* evm.estimateGas({ to: address, value: 1n }),
      yield* evm.sendRawTransaction(hash)
    ],
    ethereum: [
      yield* ethereum.blockNumber(),
      yield* ethereum.getBalance(address),
      yield* ethereum.getTransactionCount(address, "pending"),
      yield* ethereum.getTransactionReceipt(hash),
      yield* ethereum.beacon.v1.getGenesis(),
      yield* ethereum.beacon.v1.getStateRoot({ stateId: "head" }),
      yield* ethereum.beacon.v1.getBlockHeader({ blockId: "head" }),
      yield* ethereum.beacon.v1.getPeerCount(),
      yield* ethereum.beacon.v1.getNodeVersion(),
      yield* ethereum.beacon.v2.getBlock({ blockId: "head" })
    ],
    klaytn: [
      yield* klaytn.blockNumber(true),
      yield* klaytn.chainId(),
      yield* klaytn.gasPrice(true),
      yield* klaytn.getBalance(address, "latest", true),
      yield* klaytn.getCode(address),
      yield* klaytn.getBlockByNumber(1n, true, true),
      yield* klaytn.getTransactionByHash(hash, true),
      yield* klaytn.getLogs({ fromBlock: 1 }, true),
      yield* klaytn.estimateGas({ to: address }, true),
      yield* klaytn.sendRawTransaction(hash, true)
    ],
    zksync: [
      yield* zksync.blockNumber(),
      yield* zksync.getBalance(address),
      yield* zksync.zksL1ChainId(),
      yield* zksync.zksL1BatchNumber(),
      yield* zksync.zksGetTransactionDetails(hash),
      yield* zksync.zksGetTestnetPaymaster(),
      yield* zksync.zksGetProtocolVersion(),
      yield* zksync.zksGetRawBlockTransactions(1),
      yield* zksync.zksGetMinContract(),
      yield* zksync.zksSendRawTransactionWithDetailedOutput(hash)
    ],
    tron: [
      yield* tron.blockNumber(),
      yield* tron.getBalance(address),
      yield* tron.listWitnesses(),
      yield* tron.listProposals(),
      yield* tron.getReward(address),
      yield* tron.getBrokerage(address),
      yield* tron.getAssetIssueById(1),
      yield* tron.getAssetIssueByName("a"),
      yield* tron.getPaginatedAssetIssueList(0, 10),
      yield* tron.getPendingSize()
    ]
  }
})

export const promises = async () => {
  const { rpc: evm } = await init({ network: "polygon-mainnet" })
  const { rpc: ethereum } = await init({ network: "ethereum-mainnet" })
  const { rpc: klaytn } = await init({ network: "klaytn-mainnet" })
  const { rpc: zksync } = await init({ network: "zksync-mainnet" })
  const { rpc: tron } = await init({ network: "tron-mainnet" })
  return {
    evm: [
      await evm.blockNumber(),
      await evm.chainId(),
      await evm.gasPrice(),
      await evm.getBalance(address, "latest"),
      await evm.getCode(address),
      await evm.getBlockByNumber(1n, true),
      await evm.getTransactionByHash(hash),
      await evm.getLogs({ fromBlock: 1, address }),
      await evm.estimateGas({ to: address, value: 1n }),
      await evm.sendRawTransaction(hash)
    ],
    ethereum: [
      await ethereum.blockNumber(),
      await ethereum.getBalance(address),
      await ethereum.getTransactionCount(address, "pending"),
      await ethereum.getTransactionReceipt(hash),
      await ethereum.beacon.v1.getGenesis(),
      await ethereum.beacon.v1.getStateRoot({ stateId: "head" }),
      await ethereum.beacon.v1.getBlockHeader({ blockId: "head" }),
      await ethereum.beacon.v1.getPeerCount(),
      await ethereum.beacon.v1.getNodeVersion(),
      await ethereum.beacon.v2.getBlock({ blockId: "head" })
    ],
    klaytn: [
      await klaytn.blockNumber(true),
      await klaytn.chainId(),
      await klaytn.gasPrice(true),
      await klaytn.getBalance(address, "latest", true),
      await klaytn.getCode(address),
      await klaytn.getBlockByNumber(1n, true, true),
      await klaytn.getTransactionByHash(hash, true),
      await klaytn.getLogs({ fromBlock: 1 }, true),
      await klaytn.estimateGas({ to: address }, true),
      await klaytn.sendRawTransaction(hash, true)
    ],
    zksync: [
      await zksync.blockNumber(),
      await zksync.getBalance(address),
      await zksync.zksL1ChainId(),
      await zksync.zksL1BatchNumber(),
      await zksync.zksGetTransactionDetails(hash),
      await zksync.zksGetTestnetPaymaster(),
      await zksync.zksGetProtocolVersion(),
      await zksync.zksGetRawBlockTransactions(1),
      await zksync.zksGetMinContract(),
      await zksync.zksSendRawTransactionWithDetailedOutput(hash)
    ],
    tron: [
      await tron.blockNumber(),
      await tron.getBalance(address),
      await tron.listWitnesses(),
      await tron.listProposals(),
      await tron.getReward(address),
      await tron.getBrokerage(address),
      await tron.getAssetIssueById(1),
      await tron.getAssetIssueByName("a"),
      await tron.getPaginatedAssetIssueList(0, 10),
      await tron.getPendingSize()
    ]
  }
}

/** Arguments and results of all members of a client, as one union: the compiler has to resolve every one. */
type Members<C> = {
  readonly [K in keyof C]: C[K] extends (...args: infer Args) => infer Returned
    ? Args | Returned
    : Members<C[K]>
}[keyof C]

/** The clients on the Effect surface. */
export interface Clients {
  readonly ethereum: EthereumRpc
  readonly evm: EvmRpc
  readonly klaytn: KlaytnRpc
  readonly tron: TronRpc
  readonly zksync: ZkSyncRpc
}

/** The same on the Promise surface. */
export type PromiseClients = Promised<Clients>

export const members = (on: readonly [Members<Clients>, Members<PromiseClients>]): ReadonlyArray<unknown> =>
  on
