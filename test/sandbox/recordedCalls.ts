/** Calls of recorded methods that the vectors have none of, by family. */
import type { FamilyId } from "../../src/data/Network.js"

type Call = readonly [name: string, args: ReadonlyArray<unknown>]

const raw = (method: string, params: unknown = []): Call => [
  "rawRpcCall",
  [{ jsonrpc: "2.0", id: 1, method, params }]
]

const hash = "5c9b3b099c1378aa8e4a5f07f59ff1fcdc69a83179427c7e67ae0377d94d93fa"
const hash0x = `0x${hash}`

const electrum: ReadonlyArray<Call> = [
  ["blockchainAddressGetStatus", ["1BoatSLRHtKNngkdXEeobR76b53LETtpyT"]],
  ["blockchainHeaderGet", [7]],
  ["blockchainHeadersGetTip", []],
  ["blockchainScriptHashGetStatus", [hash]],
  ["blockchainRpaGetHistory", [{ prefix: "ab", from_height: 825_000 }]],
  ["blockchainRpaGetMempool", ["ab"]],
  ["blockchainTransactionBroadcastPackage", [["00", "01"]]],
  ["blockchainTransactionDsproofGet", [hash]],
  ["blockchainTransactionDsproofList", []],
  ["blockchainTransactionGetHeight", [hash]],
  ["blockchainUtxoGetInfo", [{ tx_hash: hash, output_index: 0 }]],
  ["mempoolGetInfo", []],
  ["blockchainUtxoGet", [{ tx_hash: hash, output_index: 0 }]],
  ["mempoolGetFeeHistogram", []],
  ["serverDonationAddress", []],
  ["serverFeatures", []],
  ["serverPeersSubscribe", []],
  ["serverPing", []]
]

const algo = "Y76M3MSY6DKBRHBL7C3NNDXGS5IIMQVQVUAB6MP4XEMMGVF2QWNPL226CA"
const nft = "00090000D0B007439B080E9B05BF62403911301A7B1F0CFAA048C0A200000007"
const xrpAddress = "rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn"
const issuer = "rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B"
const trx = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
const cosmosAddress = { address: "cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27" }
const place = { chain: "0", nodeVersion: "mainnet01", apiVersion: "0.0" }
const command = { cmd: "{}", hash: "ss1VDoQHGhkPa3lCLrA6BQ3YB5XmvxNQPpMm1jhzZQw", sigs: [] }
const publicKey = "013b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29"
const klay = "0x00000000000000000000000000000000000000aa"
const packed = { signatures: [], packedTrx: "00" }
const contract = { contractId: "KT1Hkg5qeNhfwpKW4fXvq7HGZB9z2EnmCCA9" }
const delegate = { delegate: "tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb" }
const operation = {
  operation: {
    branch: "BMPvGANiByxUeTkMJM1LtkEUNapeMcTjxuEAr9crBZdaYwbQX6a",
    contents: [{ kind: "failing_noop" }]
  },
  chain_id: "NetXdQprcVkpaWU"
}

const nearHash = "9FvZ3iUu6bYc1aJ6hNn1j9Q3yC2rVtXw5K7mL8pRsEdG"
const alice = { accountId: "alice.near" }
const erd = { address: "erd1qqqqqqqqqqqqqpgq0lzzvt2faev4upyf586tg38s84d7zsaj2jpsglugga" }
const avax = "2oJCbb8pfdxEHAf9A8CdN4Afj9VSR3xzyzNkf8tDv7aM1sfNFL"

const aptosHash = "0x88fbd33f54e1126269769780feb24480428179f552e2313fbe571b72e62a1ca1"
const aptosCall = {
  function: "0x1::coin::balance",
  type_arguments: ["0x1::aptos_coin::AptosCoin"],
  arguments: ["0x1"]
}
const aptosTransaction = {
  sender: "0x1",
  sequence_number: "32425224034",
  max_gas_amount: "2000",
  gas_unit_price: "100",
  expiration_timestamp_secs: "32425224034",
  payload: { type: "entry_function_payload", ...aptosCall }
}
const aptosSignature = { type: "ed25519_signature", public_key: "0x00", signature: "0x00" }

const suiAddress = "0x7d20dcdb2bca4f508ea9613994683eb4e76e9c4ed371169677c1be02aaf0b58e"
const suiDigest = "76gyHCk7FRrGACRqXM7Ybj5uJLtAzgEMJ5P9CeEzxZSG"
const suiObject = { objectId: suiAddress, version: 7 }

export const more: { readonly [F in FamilyId]?: ReadonlyArray<Call> } = {
  "algorand-algod": [
    ["getVersions", []],
    ["getMetrics", []],
    ["getAccountAssets", [{ address: algo }]],
    ["getBlockHashOnly", [{ round: 7 }]],
    ["getBlockLogs", [{ round: 7 }]],
    ["getPendingTransactionsByAddress", [{ address: algo }]],
    ["compileTeal", [{ source: "#pragma version 4\nint 1" }]],
    ["disassembleTeal", [{ program: "BIEB" }]]
  ],
  "algorand-indexer": [["getBlockHeaders", [{ minRound: 7n }]]],
  bnb: [
    ["blockByHash", [{ hash: hash0x }]],
    ["blockSearch", [{ query: "block.height=5" }]],
    ["checkTx", [{ tx: "AAAA" }]],
    ["consensusParams", [{ height: 5 }]],
    ["consensusState", []],
    ["dumpConsensusState", []],
    ["genesisChunked", [{ chunk: 0 }]],
    ["header", [{ height: 5 }]],
    ["headerByHash", [{ hash: hash0x }]]
  ],
  casper: [
    ["accountPutTransaction", [{ Version1: { hash, payload: { chain_name: "casper" }, approvals: [] } }]],
    ["chainGetEraInfoBySwitchBlock", [900]],
    ["infoGetPeers", []],
    ["infoGetReward", [{ validator: publicKey }]],
    ["infoGetTransaction", [{ transaction_hash: { Deploy: hash } }]],
    ["infoGetValidatorChanges", []],
    ["queryBalanceDetails", [{ purse_identifier: { main_purse_under_public_key: publicKey } }]],
    ["rpcDiscover", []],
    ["speculativeExecTxn", [{ transaction: { Version1: { hash, approvals: [] } } }]],
    ["stateGetAuctionInfo", []],
    ["stateGetAuctionInfoV2", [7]],
    ["stateGetBalance", [{ state_root_hash: hash, purse_uref: `uref-${hash}-007` }]],
    ["stateGetEntity", [{ entity_identifier: { PublicKey: publicKey } }]],
    ["stateGetItem", [{ state_root_hash: hash, key: `account-hash-${hash}` }]]
  ],
  cosmos: [
    ["getAccountInfo", [cosmosAddress]],
    ["getAddressByAccountNumber", [{ id: 1 }]],
    ["getGasPrice", [{ denom: "uatom" }]],
    ["getBech32Prefix", []],
    ["getBalanceByDenom", [{ ...cosmosAddress, denom: "uatom" }]],
    ["getSpendableBalances", [cosmosAddress]],
    ["getSpendableBalanceByDenom", [{ ...cosmosAddress, denom: "uatom" }]],
    ["getSupplyByDenom", [{ denom: "uatom" }]],
    ["getSendEnabled", []],
    ["getDenomMetadataByQuery", [{ denom: "uatom" }]],
    ["getNodeConfig", []],
    ["getNodeStatus", []],
    ["getConsensusParams", []],
    [
      "getDelegation",
      [
        {
          validator_addr: "cosmosvaloper1clpqr4nrk4khgkxj78fcwwh6dl3uw4epsluffn",
          delegator_addr: cosmosAddress.address
        }
      ]
    ],
    ["getBlockWithTxs", [{ height: 7 }]]
  ],
  electrs: electrum,
  rostrum: electrum,
  eos: [
    ["getRawBlock", [{ blockNumOrId: 7 }]],
    ["getBlockHeader", [{ blockNumOrId: 7 }]],
    ["getCodeHash", [{ accountName: "eosio.token" }]],
    ["getProducerSchedule", []],
    ["getConsensusParameters", []],
    ["getFinalizerInfo", []],
    [
      "getTransactionId",
      [
        {
          expiration: "2026-01-01T00:00:00",
          refBlockNum: 1,
          refBlockPrefix: 2,
          maxNetUsageWords: 0,
          maxCpuUsageMs: 0,
          delaySec: 0,
          actions: []
        }
      ]
    ],
    ["getTransactionStatus", [{ id: hash }]],
    ["sendReadOnlyTransaction", [{ transaction: packed }]],
    ["computeTransaction", [{ transaction: packed }]],
    ["sendTransaction2", [{ transaction: packed }]],
    ["getBlockTrace", [{ blockNum: 7 }]],
    ["getTransactionTrace", [{ id: hash }]],
    ["getActions", [{ accountName: "eosio" }]],
    ["getTransaction", [{ id: hash }]],
    ["getKeyAccounts", [{ publicKey: "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV" }]],
    ["getControlledAccounts", [{ controllingAccount: "eosio" }]],
    ["getSupportedApis", []]
  ],
  aptos: [
    ...["getLedgerInfo", "checkHealth", "getNodeInfo", "estimateGasPrice", "getTransactions"].map(
      (name): Call => [name, []]
    ),
    ["getAccount", [{ address: "0x1", ledgerVersion: 7n }]],
    ["getAccountBalance", [{ address: "0x1", assetType: "0xa" }]],
    ["getAccountResources", [{ address: "0x1", limit: 3 }]],
    ["getAccountResource", [{ address: "0x1", resourceType: "0x1::account::Account" }]],
    ["getAccountModules", [{ address: "0x1", limit: 3 }]],
    ["getAccountModule", [{ address: "0x1", moduleName: "coin" }]],
    ["getAccountTransactions", [{ address: "0x1", start: 0 }]],
    ["getAccountTransactionSummaries", [{ address: "0x1", startVersion: 7n }]],
    ["getEventsByCreationNumber", [{ address: "0x1", creationNumber: 2 }]],
    [
      "getEventsByEventHandle",
      [{ address: "0x1", eventHandle: "0x1::block::BlockResource", fieldName: "events" }]
    ],
    ["getBlockByHeight", [{ blockHeight: 7, withTransactions: true }]],
    ["getBlockByVersion", [{ version: 7n }]],
    ["getTransactionByHash", [{ hash: aptosHash }]],
    ["waitTransactionByHash", [{ hash: aptosHash }]],
    ["getTransactionByVersion", [{ version: 7n }]],
    ["getTransactionsAuxiliaryInfo", [{ startVersion: 7n, limit: 3 }]],
    ["submitTransaction", [{ transaction: Uint8Array.of(1, 2) }]],
    ["submitTransactionJson", [{ ...aptosTransaction, signature: aptosSignature }]],
    ["submitBatch", [{ transactions: [{ ...aptosTransaction, signature: aptosSignature }] }]],
    ["simulateTransaction", [{ transaction: Uint8Array.of(1, 2), estimateGasUnitPrice: true }]],
    ["encodeSubmission", [aptosTransaction]],
    ["view", [{ ...aptosCall, ledgerVersion: 7n }]],
    ["getTableItem", [{ tableHandle: aptosHash, key_type: "u64", value_type: "u64", key: "7" }]],
    ["getRawTableItem", [{ tableHandle: aptosHash, key: "0x07" }]]
  ],
  "hedera-mirror": [
    ...[
      "getAccounts",
      "getBalances",
      "getBlocks",
      "getContracts",
      "getResults",
      "getLogs",
      "getSchedules"
    ].map((name): Call => [name, []]),
    ...["getExchangeRate", "getNetworkFees", "getNetworkNodes", "getRegisteredNodes", "getNetworkStake"].map(
      (name): Call => [name, []]
    ),
    ["getNetworkSupply", [{ timestamp: "1651560386.060890949" }]],
    ["getAccount", [{ account: "0.0.2", transactions: false, transactiontype: "CRYPTOTRANSFER" }]],
    ["getAccountHooks", [{ account: "0.0.2", hookId: 1 }]],
    ["getAccountHookStorage", [{ account: "0.0.2", hookId: 1, key: ["eq:0x0f"] }]],
    ["getAccountNfts", [{ account: "0.0.2", tokenId: "0.0.3", serialnumber: "gt:1", spenderId: "0.0.4" }]],
    ["getAccountRewards", [{ account: "0.0.2", timestamp: ["gte:1651560386", "lt:1651560387"] }]],
    ["getAccountTokens", [{ account: "0.0.2", tokenId: "0.0.3" }]],
    ["getAccountOutstandingAirdrops", [{ account: "0.0.2", receiverId: "0.0.3", order: "desc" }]],
    ["getAccountPendingAirdrops", [{ account: "0.0.2", senderId: "0.0.3", limit: 3 }]],
    ["getAccountCryptoAllowances", [{ account: "0.0.2", spenderId: "0.0.3" }]],
    ["getAccountTokenAllowances", [{ account: "0.0.2", spenderId: "0.0.3", tokenId: "0.0.4" }]],
    ["getAccountNftAllowances", [{ account: "0.0.2", accountId: "0.0.3", owner: false }]],
    ["getBlock", [{ hashOrNumber: 7 }]],
    ["callContract", [{ data: "0x06fdde03", to: `0x${"11".repeat(20)}`, gas: 21_000n }]],
    ["getContract", [{ contract: "0.0.5" }]],
    ["getContractResults", [{ contract: "0.0.5", blockNumber: 7n, transactionIndex: 1 }]],
    ["getContractState", [{ contract: "0.0.5", slot: "0x01" }]],
    ["getContractResultAt", [{ contract: "0.0.5", timestamp: "1651560386.060890949" }]],
    ["getResult", [{ transactionIdOrHash: "0.0.10-1234567890-000000321", nonce: 0 }]],
    ["getResultActions", [{ transactionIdOrHash: `0x${"11".repeat(32)}`, index: "gt:1" }]],
    ["getResultOpcodes", [{ transactionIdOrHash: `0x${"11".repeat(32)}`, stack: false }]],
    ["getContractLogs", [{ contract: "0.0.5", topic0: "0x01", timestamp: ["gte:1", "lt:2"] }]],
    ["estimateFees", [{ transaction: Uint8Array.of(1, 2), mode: "STATE", highVolumeThrottle: 10 }]],
    ["getSchedule", [{ scheduleId: "0.0.6" }]],
    ["getTransactions", [{ accountId: "0.0.2", result: "success", type: "credit" }]],
    ["getTransaction", [{ transactionId: "0.0.10-1234567890-000000321", scheduled: false }]],
    ["getTopic", [{ topicId: "0.0.7" }]],
    ["getTopicMessages", [{ topicId: "0.0.7", sequencenumber: 1, encoding: "base64" }]],
    ["getTopicMessage", [{ topicId: "0.0.7", sequenceNumber: 1 }]],
    ["getTopicMessageAt", [{ timestamp: "1651560386.060890949" }]],
    ["getTokens", [{ type: ["FUNGIBLE_COMMON"], publickey: "00" }]],
    ["getToken", [{ tokenId: "0.0.3" }]],
    ["getTokenBalances", [{ tokenId: "0.0.3", accountBalance: "gte:1" }]],
    ["getTokenNfts", [{ tokenId: "0.0.3", accountId: "0.0.2" }]],
    ["getTokenNft", [{ tokenId: "0.0.3", serialNumber: 1n }]],
    ["getNftTransactions", [{ tokenId: "0.0.3", serialNumber: 1n }]]
  ],
  sui: [
    ...["getChainIdentifier", "getLatestCheckpointSequenceNumber", "getTotalTransactionBlocks"].map(
      (name): Call => [name, []]
    ),
    ...["getReferenceGasPrice", "getLatestSuiSystemState", "getValidatorsApy"].map(
      (name): Call => [name, []]
    ),
    ["getCheckpoint", [7n]],
    ["getCheckpoints", [7, 2, true]],
    ["getObject", [suiAddress, { showType: true, showOwner: true }]],
    ["multiGetObjects", [[suiAddress], { showContent: true }]],
    ["tryGetPastObject", [suiAddress, 7n]],
    ["tryMultiGetPastObjects", [[suiObject]]],
    ["getTransactionBlock", [suiDigest, { showEffects: true, showInput: true }]],
    ["multiGetTransactionBlocks", [[suiDigest], { showEvents: true }]],
    ["getEvents", [suiDigest]],
    ["getProtocolConfig", [118n]],
    ["getMoveFunctionArgTypes", ["0x2", "coin", "split"]],
    ["getNormalizedMoveFunction", ["0x2", "coin", "split"]],
    ["getNormalizedMoveModule", ["0x2", "coin"]],
    ["getNormalizedMoveModulesByPackage", ["0x2"]],
    ["getNormalizedMoveStruct", ["0x2", "coin", "Coin"]],
    ["verifyZkLoginSignature", ["AAAA", "BBBB", "PersonalMessage", suiAddress]],
    ["dryRunTransactionBlock", ["AAAA"]],
    ["devInspectTransactionBlock", [suiAddress, "AAAA", { gasPrice: 1_000, epoch: 8_888n }]],
    ["executeTransactionBlock", ["AAAA", ["BBBB"], { showEffects: true }, "WaitForLocalExecution"]],
    ["getAllBalances", [suiAddress]],
    ["getBalance", [suiAddress, "0x2::sui::SUI"]],
    ["getAllCoins", [suiAddress, null, 3]],
    ["getCoins", [suiAddress, "0x2::sui::SUI", null, 3]],
    ["getCoinMetadata", ["0x2::sui::SUI"]],
    ["getTotalSupply", ["0x2::sui::SUI"]],
    ["getOwnedObjects", [suiAddress, { filter: { Package: "0x2" }, options: { showType: true } }]],
    ["getDynamicFields", [suiAddress, null, 3]],
    ["getDynamicFieldObject", [suiAddress, { type: "u64", value: "7" }]],
    ["queryEvents", [{ Sender: suiAddress }, { txDigest: suiDigest, eventSeq: "0" }, 3, true]],
    ["queryTransactionBlocks", [{ filter: { FromAddress: suiAddress }, options: { showInput: true } }]],
    ["getCommitteeInfo", [7]],
    ["getStakes", [suiAddress]],
    ["getStakesByIds", [[suiAddress]]],
    ["resolveNameServiceAddress", ["example.sui"]],
    ["resolveNameServiceNames", [suiAddress]],
    ["graphql", ["{ checkpoint { sequenceNumber } }"]]
  ],
  near: [
    raw("query", { request_type: "view_account", finality: "final", account_id: "near" }),
    ...["status", "networkInfo", "block", "gasPrice", "validators", "changesInBlock", "protocolConfig"].map(
      (name): Call => [name, []]
    ),
    ...["genesisConfig", "validatorsOrdered"].map((name): Call => [name, []]),
    ["block", [{ blockId: 7 }]],
    ["chunk", [{ blockId: 7n, shardId: 0 }]],
    ["congestionLevel", [{ chunkId: nearHash }]],
    ["query", [{ requestType: "view_account", ...alice }]],
    ["viewAccount", [alice]],
    ["viewCode", [alice]],
    ["viewState", [{ ...alice, prefixBase64: "" }]],
    ["viewAccessKey", [{ ...alice, publicKey: `ed25519:${nearHash}` }]],
    ["viewAccessKeyList", [alice]],
    ["callFunction", [{ ...alice, methodName: "ft_total_supply", argsBase64: "e30=" }]],
    ["tx", [{ txHash: nearHash, senderAccountId: "alice.near" }]],
    ["txStatus", [{ txHash: nearHash, senderAccountId: "alice.near" }]],
    ["receipt", [{ receiptId: nearHash }]],
    ["changes", [{ changesType: "account_changes", accountIds: ["alice.near"] }]],
    [
      "lightClientProof",
      [{ type: "receipt", receiptId: nearHash, receiverId: "alice.near", lightClientHead: nearHash }]
    ],
    ["nextLightClientBlock", [{ lastBlockHash: nearHash }]],
    ["maintenanceWindows", [alice]],
    ["sendTx", [{ signedTxBase64: "AAAA", waitUntil: "FINAL" }]],
    ["broadcastTxAsync", [{ signedTxBase64: "AAAA" }]],
    ["broadcastTxCommit", [{ signedTxBase64: "AAAA" }]]
  ],
  polkadot: [
    ...[
      "chainGetBlock",
      "chainGetBlockHash",
      "chainGetFinalizedHead",
      "chainGetHeader",
      "stateGetMetadata",
      "stateGetRuntimeVersion",
      "systemChain",
      "systemChainType",
      "systemHealth",
      "systemLocalListenAddresses",
      "systemLocalPeerId",
      "systemName",
      "systemNodeRoles",
      "systemPeers",
      "systemProperties",
      "systemSyncState",
      "systemVersion",
      "authorPendingExtrinsics",
      "grandpaRoundState",
      "beefyGetFinalizedHead",
      "rpcMethods"
    ].map((name): Call => [name, []]),
    ["chainGetBlock", [hash0x]],
    ["chainGetBlockHashes", [[7, 8]]],
    ["stateCall", ["Core_version", "0x"]],
    ["stateGetKeysPaged", ["0x26aa", 10]],
    ["stateGetReadProof", [["0x26aa"]]],
    ["stateGetChildReadProof", ["0x26aa", ["0x01"]]],
    ["stateGetStorage", ["0x26aa"]],
    ["stateGetStorageHash", ["0x26aa"]],
    ["stateGetStorageSize", ["0x26aa"]],
    ["stateQueryStorageAt", [["0x26aa"]]],
    ["childstateGetKeysPaged", ["0x26aa", "0x01", 10]],
    ["childstateGetStorage", ["0x26aa", "0x01"]],
    ["childstateGetStorageEntries", ["0x26aa", ["0x01", "0x02"]]],
    ["childstateGetStorageHash", ["0x26aa", "0x01"]],
    ["childstateGetStorageSize", ["0x26aa", "0x01"]],
    ["systemAccountNextIndex", ["15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"]],
    ["authorSubmitExtrinsic", ["0x01"]],
    ["paymentQueryInfo", ["0x01"]],
    ["paymentQueryFeeDetails", ["0x01"]],
    ["grandpaProveFinality", [7]]
  ],
  flow: [
    ...["getNetworkParameters", "getNodeVersionInfo", "getBlocks"].map((name): Call => [name, []]),
    ["getBlocks", [{ startHeight: 7, endHeight: 9n, expand: ["payload"] }]],
    ["getBlock", [{ id: hash }]],
    ["getBlockPayload", [{ id: hash }]],
    ["getTransaction", [{ id: hash }]],
    ["getTransactions", [{ blockHeight: "sealed" }]],
    ["getTransactionResult", [{ transactionId: hash }]],
    ["getTransactionResults", [{ blockId: hash }]],
    ["getCollection", [{ id: hash }]],
    ["getExecutionResults", [{ blockId: [hash] }]],
    ["getExecutionResult", [{ id: hash }]],
    ["getExecutionReceipts", [{ blockId: hash }]],
    ["getExecutionReceiptsOfResult", [{ id: hash }]],
    ...["getAccount", "getAccountBalance", "getAccountKeys"].map(
      (name): Call => [name, [{ address: "1654653399040a61" }]]
    ),
    ["getAccountKey", [{ address: "1654653399040a61", index: 0 }]],
    ["executeScript", [{ script: "AAAA", arguments: [] }]],
    ["getEvents", [{ type: "flow.AccountCreated", startHeight: 7, endHeight: 8 }]],
    ["sendTransaction", [{ script: "AAAA", arguments: [], gasLimit: "9999" }]]
  ],
  multiversx: [
    ...[
      "getAbout",
      "getNetworkConfig",
      "getNetworkEconomics",
      "getEnableEpochs",
      "getTokens",
      "getFungibleTokens",
      "getSemiFungibleTokens",
      "getNonFungibleTokens"
    ].map((name): Call => [name, []]),
    ["getNetworkStatus", [{ shard: 1 }]],
    ["getTokenSupply", [{ token: "SANDBOX-1a2b3c" }]],
    ...[
      "getAccount",
      "getBalance",
      "getNonce",
      "getUsername",
      "getCodeHash",
      "getStorage",
      "getShard",
      "getGuardianData",
      "getAccountTokens",
      "getTokenRoles",
      "getRegisteredNfts"
    ].map((name): Call => [name, [erd]]),
    ["getStorageValue", [{ ...erd, key: "6b6579" }]],
    ["getAccountToken", [{ ...erd, tokenIdentifier: "SANDBOX-1a2b3c" }]],
    ["getAccountNft", [{ ...erd, tokenIdentifier: "SANDBOX-1a2b3c", nonce: 1 }]],
    ["getTokensWithRole", [{ ...erd, role: "ESDTRoleLocalMint" }]],
    ["getTransaction", [{ txHash: hash, withResults: true }]],
    ["getTransactionStatus", [{ txHash: hash }]],
    ["getTransactionProcessStatus", [{ txHash: hash }]],
    ["sendTransaction", [{ nonce: 7n, value: "0", signature: "00" }]],
    ["sendTransactions", [{ transactions: [{ nonce: 7n, value: "0" }] }]],
    ["simulateTransaction", [{ nonce: 7n, value: "0", checkSignature: false }]],
    ["getTransactionCost", [{ nonce: 7n, value: "0" }]],
    ["getBlockByNonce", [{ shard: 1, nonce: 7, withTxs: true }]],
    ["getBlockByHash", [{ shard: 1, hash }]],
    ["getBlocksByRound", [{ round: 7 }]],
    ["getHyperblockByNonce", [{ nonce: 7 }]],
    ["getHyperblockByHash", [{ hash }]],
    ...["queryVm", "queryVmHex", "queryVmString", "queryVmInt"].map(
      (name): Call => [name, [{ scAddress: erd.address, funcName: "getSum" }]]
    )
  ],
  zilliqa: [
    ...[
      "getNetworkId",
      "getBlockchainInfo",
      "getShardingStructure",
      "getLatestDsBlock",
      "getNumDSBlocks",
      "getDSBlockRate",
      "getLatestTxBlock",
      "getNumTxBlocks",
      "getTxBlockRate",
      "getNumTransactions",
      "getTransactionRate",
      "getCurrentMiniEpoch",
      "getCurrentDSEpoch",
      "getTotalCoinSupply",
      "getRecentTransactions",
      "getNumTxnsTxEpoch",
      "getNumTxnsDSEpoch",
      "getMinimumGasPrice",
      "getVersion"
    ].map((name): Call => [name, []]),
    ...[
      "getDsBlock",
      "dsBlockListing",
      "getTxBlock",
      "txBlockListing",
      "getMinerInfo",
      "getTransactionsForTxBlock",
      "getTransactionsForTxBlockEx",
      "getTxnBodiesForTxBlock",
      "getTxnBodiesForTxBlockEx"
    ].map((name): Call => [name, [7]]),
    ...["getTransaction", "getTransactionStatus", "getContractAddressFromTransactionID"].map(
      (name): Call => [name, [hash]]
    ),
    ...[
      "getSmartContracts",
      "getSmartContractCode",
      "getSmartContractInit",
      "getSmartContractState",
      "getBalance"
    ].map((name): Call => [name, [klay.slice(2)]]),
    ["getSmartContractSubState", [klay.slice(2), "balances"]],
    ["getStateProof", [klay.slice(2), hash]],
    ["createTransaction", [{ version: 65537, nonce: 1, amount: "0" }]]
  ],
  "avalanche-p": [
    ...[
      "getHeight",
      "getProposedHeight",
      "getTimestamp",
      "getCurrentValidators",
      "getSubnets",
      "getBlockchains",
      "getCurrentSupply",
      "getMinStake",
      "getTotalStake",
      "getStakingAssetID",
      "getFeeConfig",
      "getFeeState"
    ].map((name): Call => [name, []]),
    ["getBlock", [{ blockID: avax, encoding: "json" }]],
    ["getBlockByHeight", [{ height: 7n }]],
    ["getTx", [{ txID: avax, encoding: "json" }]],
    ["getTx", [{ txID: avax }]],
    ["getTxStatus", [{ txID: avax }]],
    ["issueTx", [{ tx: "0x00" }]],
    ["getUTXOs", [{ addresses: ["P-avax1"] }]],
    ["getBalance", [{ addresses: ["P-avax1"] }]],
    ["getStake", [{ addresses: ["P-avax1"] }]],
    ["getRewardUTXOs", [{ txID: avax }]],
    ["getValidatorsAt", [{ height: "proposed" }]],
    ["getL1Validator", [{ validationID: avax }]],
    ["sampleValidators", [{ size: 1 }]],
    ["getSubnet", [{ subnetID: avax }]],
    ["getBlockchainStatus", [{ blockchainID: avax }]],
    ["validatedBy", [{ blockchainID: avax }]],
    ["validates", [{ subnetID: avax }]]
  ],
  "avalanche-x": [
    ...["getHeight", "getTxFee"].map((name): Call => [name, []]),
    ["getBlock", [{ blockID: avax, encoding: "json" }]],
    ["getBlockByHeight", [{ height: 7n }]],
    ["getTx", [{ txID: avax, encoding: "json" }]],
    ["getTxStatus", [{ txID: avax }]],
    ["issueTx", [{ tx: "0x00" }]],
    ["getUTXOs", [{ addresses: ["X-avax1"] }]],
    ["getBalance", [{ address: "X-avax1", assetID: "AVAX" }]],
    ["getAllBalances", [{ address: "X-avax1" }]],
    ["getAssetDescription", [{ assetID: "AVAX" }]]
  ],
  kadena: [
    ["getNodeConfig", [{ network: place }]],
    ["getMempoolPeers", [{ network: place }]],
    ["getDecodedBlockHeaders", [{ network: place, query: { limit: 3 } }]],
    ["getDecodedBlockHeaderByHash", [{ network: place, blockHash: command.hash }]],
    ["pactSend", [{ network: place, cmds: [command] }]],
    ["pactPoll", [{ network: place, requestKeys: [command.hash] }]],
    ["pactListen", [{ network: place, listen: command.hash }]],
    ["pactLocal", [{ network: place, command }]],
    ["pactSpv", [{ network: place, requestKey: command.hash, targetChainId: "1" }]]
  ],
  "evm-native": [
    raw("klay_chainID"),
    ["getBalance", [klay, "latest", true]],
    ["getTransactionCount", [klay, "latest", true]],
    ["getCode", [klay, "latest", true]],
    ["getBlockByHash", [hash0x, false, true]],
    ["getBlockReceipts", ["latest", true]],
    ["getBlockTransactionCountByNumber", ["latest", true]],
    ["getTransactionByHash", [hash0x, true]],
    ["getTransactionByBlockNumberAndIndex", ["latest", 0, true]],
    ["getTransactionReceipt", [hash0x, true]],
    ["sendRawTransaction", ["0x01", true]]
  ],
  stellar: [
    ["getRoot", []],
    ["getHealth", []],
    ["getTransactionPayments", [{ transactionHash: hash }]],
    ["submitTransactionAsync", [{ tx: "AAAA" }]],
    ["fundTestAccount", [{ addr: "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7" }]]
  ],
  tezos: [
    ["getDestinationIndex", [{ destination: contract.contractId }]],
    ["getProposalCount", [delegate]],
    ...[
      "getAllInvalidBlocks",
      "getPendingOperations",
      "getBlockHeaderRaw",
      "getBlockMetadata",
      "getLiveBlocks",
      "getKnownProtocols",
      "getDelegates",
      "getTotalSupply",
      "getTotalFrozenStake",
      "getBallots",
      "getBallotList",
      "getVotingPeriod",
      "getCurrentProposal",
      "getCurrentQuorum",
      "getProposals",
      "getTotalVotingPower",
      "getCurrentLevel",
      "getLevelsInCurrentCycle",
      "getRound",
      "getBakingRights",
      "getConnections",
      "getPeers",
      "getDenunciations",
      "getTotalCurrentlyStaked",
      "getAdaptiveIssuanceLaunchCycle",
      "getProtocolFirstLevel",
      "getConsecutiveRoundZero",
      "getMempoolFilter",
      "getYearlyIssuanceRate",
      "getYearlyIssuanceRateExact"
    ].map((name): Call => [name, []]),
    ...[
      "getContractSpendable",
      "getContractFullBalance",
      "getContractFrozenBonds",
      "getContractStakedBalance",
      "getContractUnstakedFrozenBalance",
      "getContractUnstakedFinalizableBalance",
      "getContractScript",
      "getContractStorage",
      "getContractUsedStorage",
      "getContractPaidStorage",
      "getContractSpendableAndFrozenBonds",
      "getContractStakingNumerator",
      "getContractEstimatedSlash"
    ].map((name): Call => [name, [contract]]),
    ...[
      "getDelegateStakingBalance",
      "getDelegateFullBalance",
      "getDelegateDelegatedBalance",
      "getDelegateDeactivated",
      "getDelegateVotingPower",
      "getDelegateOwnFullBalance",
      "getDelegateOwnStaked",
      "getDelegateOwnDelegated",
      "getDelegateExternalStaked",
      "getDelegateExternalDelegated",
      "getDelegateTotalStaked",
      "getDelegateTotalDelegated",
      "getDelegateTotalDelegatedStake",
      "getDelegateTotalUnstakedPerCycle",
      "getDelegateMinDelegated",
      "getDelegateStakingDenominator",
      "getDelegateStakers",
      "getDelegateDelegators",
      "getDelegateBakingPower",
      "getDelegateCurrentVotingPower",
      "getDelegateVotingInfo",
      "getDelegateConsensusKey",
      "getDelegateStakingParameters",
      "getDelegatePendingStakingParameters",
      "getDelegateIsForbidden",
      "getDelegateDenunciations",
      "getDelegateEstimatedSlash"
    ].map((name): Call => [name, [delegate]]),
    ["getOperationList", [{ list: 3 }]],
    [
      "getContractTicketBalance",
      [
        {
          ...contract,
          ticketer: contract.contractId,
          content_type: { prim: "unit" },
          content: { prim: "Unit" }
        }
      ]
    ],
    ["getBigMapValue", [{ bigMapId: 1, scriptExpression: "expr" }]],
    ["forgeOperation", [{ operation: operation.operation }]],
    ["runOperation", [operation]],
    ["packData", [{ data: { int: "1" }, type: { prim: "int" } }]]
  ],
  ton: [
    ["getBlockchainRawAccounts", [{ account_ids: [`0:${hash}`] }]],
    ["getShards", [40_000_000]]
  ],
  tron: [
    raw("net_version"),
    raw("net_listening"),
    raw("net_peerCount"),
    ["cancelAllUnfreezeV2", [trx, { visible: true }]],
    ["withdrawBalance", [trx]],
    ["listWitnesses", []],
    ["getReward", [trx]],
    ["getBrokerage", [trx]],
    ["voteWitnessAccount", [trx, [{ voteAddress: trx, voteCount: 1 }]]],
    ["listProposals", []],
    ["getTransactionListFromPending", []],
    ["getTransactionFromPending", [hash]],
    ["getPendingSize", []],
    ["getSignWeight", [{ txID: hash, raw_data: {}, raw_data_hex: "00", signature: [] }]],
    ["getApprovedList", [{ txID: hash, raw_data: {}, raw_data_hex: "00", signature: [] }]]
  ],
  xrp: [
    ["ammInfo", [{ asset: { currency: "XRP" }, asset2: { currency: "USD", issuer } }]],
    ["bookChanges", []],
    ["feature", []],
    ["ledgerIndex", []],
    ["nftInfo", [nft]],
    ["nftsByIssuer", [xrpAddress]],
    ["nftHistory", [nft]],
    [
      "simulate",
      [{ TransactionType: "Payment", Account: xrpAddress, Destination: issuer, Amount: "1000000" }]
    ],
    ["version", []]
  ],
  zksync: [["zksGetTestnetPaymaster", []]]
}
