/**
 * A program of fixed size, for test/types.test.ts to count the compiler's work for it: ten calls of every family on
 * both surfaces. Nothing runs it; `given` stands for any argument.
 */
import * as Effect from "effect/Effect"
import * as Sdk from "../../src/client/Sdk.js"
import { init } from "../../src/promise.js"

declare const given: never

export const effects = Effect.gen(function* () {
  const { rpc: evm } = yield* Sdk.make({ network: "polygon-mainnet" })
  const { rpc: evmBeacon } = yield* Sdk.make({ network: "ethereum-mainnet" })
  const { rpc: evmNative } = yield* Sdk.make({ network: "klaytn-mainnet" })
  const { rpc: zksync } = yield* Sdk.make({ network: "zksync-mainnet" })
  const { rpc: tron } = yield* Sdk.make({ network: "tron-mainnet" })
  const { rpc: solana } = yield* Sdk.make({ network: "solana-mainnet" })
  const { rpc: algorandAlgod } = yield* Sdk.make({ network: "algorand-mainnet-algod" })
  const { rpc: algorandIndexer } = yield* Sdk.make({ network: "algorand-mainnet-indexer" })
  const { rpc: utxo } = yield* Sdk.make({ network: "bitcoin-mainnet" })
  const { rpc: utxoEstimatefee } = yield* Sdk.make({ network: "bitcoin-cash-mainnet" })
  const { rpc: doge } = yield* Sdk.make({ network: "doge-mainnet" })
  const { rpc: rostrum } = yield* Sdk.make({ network: "bch-mainnet-rostrum" })
  const { rpc: cardano } = yield* Sdk.make({ network: "cardano-mainnet" })
  const { rpc: cosmos } = yield* Sdk.make({ network: "cosmos-mainnet" })
  const { rpc: casper } = yield* Sdk.make({ network: "casper-mainnet" })
  const { rpc: eos } = yield* Sdk.make({ network: "eos-mainnet" })
  const { rpc: iota } = yield* Sdk.make({ network: "iota-mainnet" })
  const { rpc: kadena } = yield* Sdk.make({ network: "kadena-mainnet" })
  const { rpc: stellar } = yield* Sdk.make({ network: "stellar-mainnet" })
  const { rpc: tezos } = yield* Sdk.make({ network: "tezos-mainnet" })
  const { rpc: ton } = yield* Sdk.make({ network: "ton-mainnet" })
  const { rpc: xrp } = yield* Sdk.make({ network: "ripple-mainnet" })
  const { rpc: bnb } = yield* Sdk.make({ network: "bnb-beacon-chain-mainnet" })
  return {
    evm: [
      yield* evm.blockNumber(),
      yield* evm.getTransactionCount(given),
      yield* evm.simulate(given),
      yield* evm.getTransactionByBlockHashAndIndex(given, given),
      yield* evm.getUncleCountByBlockNumber(given),
      yield* evm.sha3(given),
      yield* evm.debugTraceBlockByHash(given),
      yield* evm.debugGetRawTransaction(given),
      yield* evm.traceReplayTransaction(given, given),
      yield* evm.getTokenSymbol(given)
    ],
    evmBeacon: [
      yield* evmBeacon.beacon.v1.getGenesis(),
      yield* evmBeacon.beacon.v1.postStateValidators(given),
      yield* evmBeacon.beacon.v1.getLightClientUpdates(given),
      yield* evmBeacon.beacon.v1.getDataColumnSidecars(given),
      yield* evmBeacon.beacon.v2.getState(given),
      yield* evmBeacon.getStorageAt(given, given),
      yield* evmBeacon.getTransactionByBlockHashAndIndex(given, given),
      yield* evmBeacon.syncing(),
      yield* evmBeacon.debugTraceTransaction(given),
      yield* evmBeacon.traceTransaction(given)
    ],
    evmNative: [
      yield* evmNative.blockNumber(),
      yield* evmNative.getStorageAt(given, given),
      yield* evmNative.getTransactionByHash(given),
      yield* evmNative.feeHistory(given, given),
      yield* evmNative.getUncleByBlockNumberAndIndex(given, given),
      yield* evmNative.sha3(given),
      yield* evmNative.debugTraceBlockByHash(given),
      yield* evmNative.debugGetRawTransaction(given),
      yield* evmNative.traceReplayTransaction(given, given),
      yield* evmNative.getTokenSymbol(given)
    ],
    zksync: [
      yield* zksync.zksEstimateFee(given),
      yield* zksync.zksGetFeeParams(),
      yield* zksync.zksGetRawBlockTransactions(given),
      yield* zksync.maxPriorityFeePerGas(),
      yield* zksync.estimateGas(given),
      yield* zksync.getTransactionByBlockHashAndIndex(given, given),
      yield* zksync.sendRawTransaction(given),
      yield* zksync.debugGetBadBlocks(),
      yield* zksync.debugGetRawReceipts(given),
      yield* zksync.traceTransaction(given)
    ],
    tron: [
      yield* tron.blockNumber(),
      yield* tron.simulate(given),
      yield* tron.getUncleCountByBlockNumber(given),
      yield* tron.debugTraceBlockByHash(given),
      yield* tron.traceReplayTransaction(given, given),
      yield* tron.getAccountNet(given),
      yield* tron.delegateResource(given, given, given, given, given),
      yield* tron.getBlockByLatestNum(given),
      yield* tron.getContractInfo(given),
      yield* tron.getAssetIssueById(given)
    ],
    solana: [
      yield* solana.getAccountInfo(given),
      yield* solana.getBlockProduction(),
      yield* solana.getEpochInfo(),
      yield* solana.getHealth(),
      yield* solana.getInflationReward(given),
      yield* solana.getMaxShredInsertSlot(),
      yield* solana.getRecentPrioritizationFees(),
      yield* solana.getSlotLeaders(),
      yield* solana.getTokenAccountsByDelegate(given, given),
      yield* solana.getTransactionCount()
    ],
    algorandAlgod: [
      yield* algorandAlgod.getGenesis(),
      yield* algorandAlgod.getMetrics(),
      yield* algorandAlgod.getAccountAssets(given),
      yield* algorandAlgod.getApplicationBox(given),
      yield* algorandAlgod.getBlockHashOnly(given),
      yield* algorandAlgod.getLightBlockHeaderProofParams(given),
      yield* algorandAlgod.getLedgerStateDeltaForTransactionGroup(given),
      yield* algorandAlgod.unsetSyncRound(),
      yield* algorandAlgod.getPendingTransactions(),
      yield* algorandAlgod.broadcastTransactionAsync(given)
    ],
    algorandIndexer: [
      yield* algorandIndexer.getHealth(),
      yield* algorandIndexer.getAccount(given),
      yield* algorandIndexer.getAccountAssets(given),
      yield* algorandIndexer.getAccountApplications(given),
      yield* algorandIndexer.getApplications(),
      yield* algorandIndexer.getApplicationBox(given),
      yield* algorandIndexer.getApplicationLogs(given),
      yield* algorandIndexer.getAsset(given),
      yield* algorandIndexer.getAssetTransactions(given),
      yield* algorandIndexer.getBlock(given)
    ],
    utxo: [
      yield* utxo.getAddressBalance(given),
      yield* utxo.validateShieldedAddress(given),
      yield* utxo.getTxSpendingPrevout(given),
      yield* utxo.getDescriptorInfo(given),
      yield* utxo.joinPsbts(given),
      yield* utxo.decodeScript(given),
      yield* utxo.getBlockHeader(given),
      yield* utxo.getMempoolAncestors(given),
      yield* utxo.getNetworkHashPs(),
      yield* utxo.getTxOutProof(given)
    ],
    utxoEstimatefee: [
      yield* utxoEstimatefee.estimateFee(),
      yield* utxoEstimatefee.getBlockFilter(given),
      yield* utxoEstimatefee.submitHeader(given),
      yield* utxoEstimatefee.decodePsbt(given),
      yield* utxoEstimatefee.uptime(),
      yield* utxoEstimatefee.getBlockChainInfo(),
      yield* utxoEstimatefee.getChainTxStats(),
      yield* utxoEstimatefee.getMempoolInfo(),
      yield* utxoEstimatefee.getRawMemPool(),
      yield* utxoEstimatefee.getBlockTemplate()
    ],
    doge: [
      yield* doge.getBlock(given),
      yield* doge.getInfo(),
      yield* doge.estimateSmartFee(given),
      yield* doge.getBlockHash(given),
      yield* doge.getChainTxStats(),
      yield* doge.getMempoolDescendants(given),
      yield* doge.getNetTotals(),
      yield* doge.getRawMemPool(),
      yield* doge.getTxOutSetInfo(),
      yield* doge.sendRawTransaction(given)
    ],
    rostrum: [
      yield* rostrum.blockchainAddressDecode(given),
      yield* rostrum.blockchainAddressGetMempool(given),
      yield* rostrum.blockchainListUnspent(given),
      yield* rostrum.blockchainBlockHeaders(given),
      yield* rostrum.blockchainRelayFee(),
      yield* rostrum.blockchainScriptHashGetMempool(given),
      yield* rostrum.blockchainTransactionBroadcast(given),
      yield* rostrum.blockchainTransactionIdFromPos(given),
      yield* rostrum.serverBanner(),
      yield* rostrum.serverPing()
    ],
    cardano: [
      yield* cardano.getNetworkList(),
      yield* cardano.getNetworkOptions(given),
      yield* cardano.getBlockTransaction(given),
      yield* cardano.getMempoolTransaction(given),
      yield* cardano.getAccountCoins(given),
      yield* cardano.constructionPreprocess(given),
      yield* cardano.generateUnsignedTransactionAndSigningPayloads(given),
      yield* cardano.parseTransaction(given),
      yield* cardano.submitTransaction(given),
      yield* cardano.getEventsBlocks(given)
    ],
    cosmos: [
      yield* cosmos.getAccounts(),
      yield* cosmos.getAllBalances(given),
      yield* cosmos.getDenomOwners(given),
      yield* cosmos.getDelegationRewards(given),
      yield* cosmos.getAllowanceForAddress(given),
      yield* cosmos.govV1.getProposals(),
      yield* cosmos.getSlashingParams(),
      yield* cosmos.getValidatorsForGivenStatus(),
      yield* cosmos.encodeTxAmino(given),
      yield* cosmos.getBlockTransaction(given)
    ],
    casper: [
      yield* casper.accountPutDeploy(given),
      yield* casper.chainGetBlock(),
      yield* casper.chainGetEraInfoBySwitchBlock(),
      yield* casper.chainGetStateRootHash(),
      yield* casper.infoGetDeploy(given),
      yield* casper.infoGetReward(given),
      yield* casper.infoGetTransaction(given),
      yield* casper.queryBalance(given),
      yield* casper.queryGlobalState(given),
      yield* casper.speculativeExec(given)
    ],
    eos: [
      yield* eos.getInfo(),
      yield* eos.getBlockInfo(given),
      yield* eos.getRawAbi(given),
      yield* eos.abiJsonToBin(),
      yield* eos.getTableByScope(given),
      yield* eos.getProducerSchedule(),
      yield* eos.getFinalizerInfo(),
      yield* eos.getTransactionStatus(given),
      yield* eos.sendTransaction2(given),
      yield* eos.getTransactionTrace(given)
    ],
    iota: [
      yield* iota.getNodeHealth(),
      yield* iota.getReceiptsByMigrationIndex(given),
      yield* iota.removePeer(given),
      yield* iota.getCurrentNftOutput(given),
      yield* iota.authInfo(),
      yield* iota.getAccounts(given),
      yield* iota.blobsGetBlobValue(given),
      yield* iota.getAllowedStateControllerAddresses(given),
      yield* iota.getChainPipeMetrics(given),
      yield* iota.trustPeer(given)
    ],
    kadena: [
      yield* kadena.checkNodeHealth(),
      yield* kadena.getCurrentCut(given),
      yield* kadena.putCutNetworkPeerInfo(given),
      yield* kadena.getBlock(given),
      yield* kadena.getBlockHeaderByHash(given),
      yield* kadena.getDecodedBlockHeaderByHash(given),
      yield* kadena.getBatchOfBlockPayload(given),
      yield* kadena.getPendingTransactions(given),
      yield* kadena.insertTransactionsIntoMempool(given),
      yield* kadena.pactPoll(given)
    ],
    stellar: [
      yield* stellar.getRoot(),
      yield* stellar.getAccountEffects(given),
      yield* stellar.getAccountTransactions(given),
      yield* stellar.getClaimableTransactions(given),
      yield* stellar.getLedgerEffects(given),
      yield* stellar.getLiquidityPool(given),
      yield* stellar.getOffers(),
      yield* stellar.getOperationEffects(given),
      yield* stellar.getTradeAggregations(given),
      yield* stellar.getTransactionOperations(given)
    ],
    tezos: [
      yield* tezos.getChainId(),
      yield* tezos.getBlockHash(),
      yield* tezos.getOperationMetadataHashes(),
      yield* tezos.getContractStakedBalance(given),
      yield* tezos.getContractStorageNormalized(given),
      yield* tezos.getDelegateFrozenDeposits(given),
      yield* tezos.getIssuancePerMinute(),
      yield* tezos.getCurrentProposal(),
      yield* tezos.parseOperations(given),
      yield* tezos.injectOperation(given)
    ],
    ton: [
      yield* ton.getTokenData(given),
      yield* ton.lookupBlock(given),
      yield* ton.sendQuery(given),
      yield* ton.getBlockchainTransactionByMessageHash(given),
      yield* ton.prepareMigration(given),
      yield* ton.reindexAccount(given),
      yield* ton.getAllAuctions(),
      yield* ton.getJettonsEvents(given),
      yield* ton.getAccountSeqno(given),
      yield* ton.getRawShardInfo(given, given, given, given)
    ],
    xrp: [
      yield* xrp.accountChannels(given),
      yield* xrp.accountNfts(given),
      yield* xrp.ammInfo(given),
      yield* xrp.channelVerify(given, given, given, given),
      yield* xrp.gatewayBalances(given),
      yield* xrp.ledgerCurrent(),
      yield* xrp.manifest(given),
      yield* xrp.nftHistory(given),
      yield* xrp.ping(),
      yield* xrp.serverInfo()
    ],
    bnb: [
      yield* bnb.abciInfo(),
      yield* bnb.block(),
      yield* bnb.blockResult(),
      yield* bnb.blockchain(given),
      yield* bnb.broadcastTxAsync(given),
      yield* bnb.broadcastTxSync(given),
      yield* bnb.commit(),
      yield* bnb.consensusState(),
      yield* bnb.genesis(),
      yield* bnb.header()
    ]
  }
})

export const promises = async () => {
  const { rpc: evm } = await init({ network: "polygon-mainnet" })
  const { rpc: evmBeacon } = await init({ network: "ethereum-mainnet" })
  const { rpc: evmNative } = await init({ network: "klaytn-mainnet" })
  const { rpc: zksync } = await init({ network: "zksync-mainnet" })
  const { rpc: tron } = await init({ network: "tron-mainnet" })
  const { rpc: solana } = await init({ network: "solana-mainnet" })
  const { rpc: algorandAlgod } = await init({ network: "algorand-mainnet-algod" })
  const { rpc: algorandIndexer } = await init({ network: "algorand-mainnet-indexer" })
  const { rpc: utxo } = await init({ network: "bitcoin-mainnet" })
  const { rpc: utxoEstimatefee } = await init({ network: "bitcoin-cash-mainnet" })
  const { rpc: doge } = await init({ network: "doge-mainnet" })
  const { rpc: rostrum } = await init({ network: "bch-mainnet-rostrum" })
  const { rpc: cardano } = await init({ network: "cardano-mainnet" })
  const { rpc: cosmos } = await init({ network: "cosmos-mainnet" })
  const { rpc: casper } = await init({ network: "casper-mainnet" })
  const { rpc: eos } = await init({ network: "eos-mainnet" })
  const { rpc: iota } = await init({ network: "iota-mainnet" })
  const { rpc: kadena } = await init({ network: "kadena-mainnet" })
  const { rpc: stellar } = await init({ network: "stellar-mainnet" })
  const { rpc: tezos } = await init({ network: "tezos-mainnet" })
  const { rpc: ton } = await init({ network: "ton-mainnet" })
  const { rpc: xrp } = await init({ network: "ripple-mainnet" })
  const { rpc: bnb } = await init({ network: "bnb-beacon-chain-mainnet" })
  return {
    evm: [
      await evm.blockNumber(),
      await evm.getTransactionCount(given),
      await evm.simulate(given),
      await evm.getTransactionByBlockHashAndIndex(given, given),
      await evm.getUncleCountByBlockNumber(given),
      await evm.sha3(given),
      await evm.debugTraceBlockByHash(given),
      await evm.debugGetRawTransaction(given),
      await evm.traceReplayTransaction(given, given),
      await evm.getTokenSymbol(given)
    ],
    evmBeacon: [
      await evmBeacon.beacon.v1.getGenesis(),
      await evmBeacon.beacon.v1.postStateValidators(given),
      await evmBeacon.beacon.v1.getLightClientUpdates(given),
      await evmBeacon.beacon.v1.getDataColumnSidecars(given),
      await evmBeacon.beacon.v2.getState(given),
      await evmBeacon.getStorageAt(given, given),
      await evmBeacon.getTransactionByBlockHashAndIndex(given, given),
      await evmBeacon.syncing(),
      await evmBeacon.debugTraceTransaction(given),
      await evmBeacon.traceTransaction(given)
    ],
    evmNative: [
      await evmNative.blockNumber(),
      await evmNative.getStorageAt(given, given),
      await evmNative.getTransactionByHash(given),
      await evmNative.feeHistory(given, given),
      await evmNative.getUncleByBlockNumberAndIndex(given, given),
      await evmNative.sha3(given),
      await evmNative.debugTraceBlockByHash(given),
      await evmNative.debugGetRawTransaction(given),
      await evmNative.traceReplayTransaction(given, given),
      await evmNative.getTokenSymbol(given)
    ],
    zksync: [
      await zksync.zksEstimateFee(given),
      await zksync.zksGetFeeParams(),
      await zksync.zksGetRawBlockTransactions(given),
      await zksync.maxPriorityFeePerGas(),
      await zksync.estimateGas(given),
      await zksync.getTransactionByBlockHashAndIndex(given, given),
      await zksync.sendRawTransaction(given),
      await zksync.debugGetBadBlocks(),
      await zksync.debugGetRawReceipts(given),
      await zksync.traceTransaction(given)
    ],
    tron: [
      await tron.blockNumber(),
      await tron.simulate(given),
      await tron.getUncleCountByBlockNumber(given),
      await tron.debugTraceBlockByHash(given),
      await tron.traceReplayTransaction(given, given),
      await tron.getAccountNet(given),
      await tron.delegateResource(given, given, given, given, given),
      await tron.getBlockByLatestNum(given),
      await tron.getContractInfo(given),
      await tron.getAssetIssueById(given)
    ],
    solana: [
      await solana.getAccountInfo(given),
      await solana.getBlockProduction(),
      await solana.getEpochInfo(),
      await solana.getHealth(),
      await solana.getInflationReward(given),
      await solana.getMaxShredInsertSlot(),
      await solana.getRecentPrioritizationFees(),
      await solana.getSlotLeaders(),
      await solana.getTokenAccountsByDelegate(given, given),
      await solana.getTransactionCount()
    ],
    algorandAlgod: [
      await algorandAlgod.getGenesis(),
      await algorandAlgod.getMetrics(),
      await algorandAlgod.getAccountAssets(given),
      await algorandAlgod.getApplicationBox(given),
      await algorandAlgod.getBlockHashOnly(given),
      await algorandAlgod.getLightBlockHeaderProofParams(given),
      await algorandAlgod.getLedgerStateDeltaForTransactionGroup(given),
      await algorandAlgod.unsetSyncRound(),
      await algorandAlgod.getPendingTransactions(),
      await algorandAlgod.broadcastTransactionAsync(given)
    ],
    algorandIndexer: [
      await algorandIndexer.getHealth(),
      await algorandIndexer.getAccount(given),
      await algorandIndexer.getAccountAssets(given),
      await algorandIndexer.getAccountApplications(given),
      await algorandIndexer.getApplications(),
      await algorandIndexer.getApplicationBox(given),
      await algorandIndexer.getApplicationLogs(given),
      await algorandIndexer.getAsset(given),
      await algorandIndexer.getAssetTransactions(given),
      await algorandIndexer.getBlock(given)
    ],
    utxo: [
      await utxo.getAddressBalance(given),
      await utxo.validateShieldedAddress(given),
      await utxo.getTxSpendingPrevout(given),
      await utxo.getDescriptorInfo(given),
      await utxo.joinPsbts(given),
      await utxo.decodeScript(given),
      await utxo.getBlockHeader(given),
      await utxo.getMempoolAncestors(given),
      await utxo.getNetworkHashPs(),
      await utxo.getTxOutProof(given)
    ],
    utxoEstimatefee: [
      await utxoEstimatefee.estimateFee(),
      await utxoEstimatefee.getBlockFilter(given),
      await utxoEstimatefee.submitHeader(given),
      await utxoEstimatefee.decodePsbt(given),
      await utxoEstimatefee.uptime(),
      await utxoEstimatefee.getBlockChainInfo(),
      await utxoEstimatefee.getChainTxStats(),
      await utxoEstimatefee.getMempoolInfo(),
      await utxoEstimatefee.getRawMemPool(),
      await utxoEstimatefee.getBlockTemplate()
    ],
    doge: [
      await doge.getBlock(given),
      await doge.getInfo(),
      await doge.estimateSmartFee(given),
      await doge.getBlockHash(given),
      await doge.getChainTxStats(),
      await doge.getMempoolDescendants(given),
      await doge.getNetTotals(),
      await doge.getRawMemPool(),
      await doge.getTxOutSetInfo(),
      await doge.sendRawTransaction(given)
    ],
    rostrum: [
      await rostrum.blockchainAddressDecode(given),
      await rostrum.blockchainAddressGetMempool(given),
      await rostrum.blockchainListUnspent(given),
      await rostrum.blockchainBlockHeaders(given),
      await rostrum.blockchainRelayFee(),
      await rostrum.blockchainScriptHashGetMempool(given),
      await rostrum.blockchainTransactionBroadcast(given),
      await rostrum.blockchainTransactionIdFromPos(given),
      await rostrum.serverBanner(),
      await rostrum.serverPing()
    ],
    cardano: [
      await cardano.getNetworkList(),
      await cardano.getNetworkOptions(given),
      await cardano.getBlockTransaction(given),
      await cardano.getMempoolTransaction(given),
      await cardano.getAccountCoins(given),
      await cardano.constructionPreprocess(given),
      await cardano.generateUnsignedTransactionAndSigningPayloads(given),
      await cardano.parseTransaction(given),
      await cardano.submitTransaction(given),
      await cardano.getEventsBlocks(given)
    ],
    cosmos: [
      await cosmos.getAccounts(),
      await cosmos.getAllBalances(given),
      await cosmos.getDenomOwners(given),
      await cosmos.getDelegationRewards(given),
      await cosmos.getAllowanceForAddress(given),
      await cosmos.govV1.getProposals(),
      await cosmos.getSlashingParams(),
      await cosmos.getValidatorsForGivenStatus(),
      await cosmos.encodeTxAmino(given),
      await cosmos.getBlockTransaction(given)
    ],
    casper: [
      await casper.accountPutDeploy(given),
      await casper.chainGetBlock(),
      await casper.chainGetEraInfoBySwitchBlock(),
      await casper.chainGetStateRootHash(),
      await casper.infoGetDeploy(given),
      await casper.infoGetReward(given),
      await casper.infoGetTransaction(given),
      await casper.queryBalance(given),
      await casper.queryGlobalState(given),
      await casper.speculativeExec(given)
    ],
    eos: [
      await eos.getInfo(),
      await eos.getBlockInfo(given),
      await eos.getRawAbi(given),
      await eos.abiJsonToBin(),
      await eos.getTableByScope(given),
      await eos.getProducerSchedule(),
      await eos.getFinalizerInfo(),
      await eos.getTransactionStatus(given),
      await eos.sendTransaction2(given),
      await eos.getTransactionTrace(given)
    ],
    iota: [
      await iota.getNodeHealth(),
      await iota.getReceiptsByMigrationIndex(given),
      await iota.removePeer(given),
      await iota.getCurrentNftOutput(given),
      await iota.authInfo(),
      await iota.getAccounts(given),
      await iota.blobsGetBlobValue(given),
      await iota.getAllowedStateControllerAddresses(given),
      await iota.getChainPipeMetrics(given),
      await iota.trustPeer(given)
    ],
    kadena: [
      await kadena.checkNodeHealth(),
      await kadena.getCurrentCut(given),
      await kadena.putCutNetworkPeerInfo(given),
      await kadena.getBlock(given),
      await kadena.getBlockHeaderByHash(given),
      await kadena.getDecodedBlockHeaderByHash(given),
      await kadena.getBatchOfBlockPayload(given),
      await kadena.getPendingTransactions(given),
      await kadena.insertTransactionsIntoMempool(given),
      await kadena.pactPoll(given)
    ],
    stellar: [
      await stellar.getRoot(),
      await stellar.getAccountEffects(given),
      await stellar.getAccountTransactions(given),
      await stellar.getClaimableTransactions(given),
      await stellar.getLedgerEffects(given),
      await stellar.getLiquidityPool(given),
      await stellar.getOffers(),
      await stellar.getOperationEffects(given),
      await stellar.getTradeAggregations(given),
      await stellar.getTransactionOperations(given)
    ],
    tezos: [
      await tezos.getChainId(),
      await tezos.getBlockHash(),
      await tezos.getOperationMetadataHashes(),
      await tezos.getContractStakedBalance(given),
      await tezos.getContractStorageNormalized(given),
      await tezos.getDelegateFrozenDeposits(given),
      await tezos.getIssuancePerMinute(),
      await tezos.getCurrentProposal(),
      await tezos.parseOperations(given),
      await tezos.injectOperation(given)
    ],
    ton: [
      await ton.getTokenData(given),
      await ton.lookupBlock(given),
      await ton.sendQuery(given),
      await ton.getBlockchainTransactionByMessageHash(given),
      await ton.prepareMigration(given),
      await ton.reindexAccount(given),
      await ton.getAllAuctions(),
      await ton.getJettonsEvents(given),
      await ton.getAccountSeqno(given),
      await ton.getRawShardInfo(given, given, given, given)
    ],
    xrp: [
      await xrp.accountChannels(given),
      await xrp.accountNfts(given),
      await xrp.ammInfo(given),
      await xrp.channelVerify(given, given, given, given),
      await xrp.gatewayBalances(given),
      await xrp.ledgerCurrent(),
      await xrp.manifest(given),
      await xrp.nftHistory(given),
      await xrp.ping(),
      await xrp.serverInfo()
    ],
    bnb: [
      await bnb.abciInfo(),
      await bnb.block(),
      await bnb.blockResult(),
      await bnb.blockchain(given),
      await bnb.broadcastTxAsync(given),
      await bnb.broadcastTxSync(given),
      await bnb.commit(),
      await bnb.consensusState(),
      await bnb.genesis(),
      await bnb.header()
    ]
  }
}
