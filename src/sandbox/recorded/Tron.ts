/** Recordings of Tron, in java-tron's format, and of the provider's own route for accounts. */
import { keccak_256 } from "@noble/hashes/sha3.js"
import { type ContractValues, endpoints } from "../../chains/Tron.js"
import { parseBody } from "../Loopback.js"
import { answerTransaction, type RejectedTransaction } from "./checks/TransactionCheck.js"
import type { TronSent } from "./checks/Tron.js"
import {
  makeRecordings,
  orIfUnknownHash,
  type RecordedFamily,
  RecordedRefusal,
  type RecordedRequest,
  type Recording,
  UnknownBlockHash
} from "./Recording.js"
import { syntheticHex } from "./Synthetic.js"

/** The first blocks of the public chain and of Shasta. Their last four bytes are the chain ids. */
const first = {
  main: "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc",
  test: "0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e"
}
/** Tether's contract, which has six decimals. */
const tether = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
const witness = "4100000000000000000000000000000000000000ff"
const owner = "410000000000000000000000000000000000000001"
const balance = 100_000_000
const held = 25_000_000

/** Ids begin with the number of the block. */
const idOf = ({ testnet }: RecordedRequest, height: number): string =>
  height === 0
    ? testnet
      ? first.test
      : first.main
    : height.toString(16).padStart(16, "0") + syntheticHex(`block ${height}`, 24)

const quantity = (value: number | bigint): string => `0x${value.toString(16)}`
const word = (value: number | bigint): string => value.toString(16).padStart(64, "0")

/** A text in the ABI's encoding. */
const abiText = (text: string): string =>
  `${word(32)}${word(text.length)}${Buffer.from(text).toString("hex").padEnd(64, "0")}`

/** The results of a token contract's usual functions. */
const answerConstant = (selector: string): string =>
  selector.startsWith("symbol") || selector === "95d89b41"
    ? abiText("USDT")
    : selector.startsWith("name") || selector === "06fdde03"
      ? abiText("Tether USD")
      : selector.startsWith("decimals") || selector === "313ce567"
        ? word(6)
        : selector.startsWith("balanceOf") || selector === "70a08231"
          ? word(held)
          : word(0)

const block = (request: RecordedRequest, height: number) => ({
  blockID: idOf(request, height),
  block_header: {
    raw_data: {
      ...(height === 0 ? {} : { number: height, timestamp: Math.floor(request.timeOf(height)) }),
      txTrieRoot: "0".repeat(64),
      witness_address: witness,
      parentHash: height === 0 ? "0".repeat(64) : idOf(request, height - 1),
      version: 31
    },
    witness_signature: syntheticHex(`witness ${height}`, 65)
  }
})

/** The height of the block with an id, which begins with it. */
const heightOfId = (request: RecordedRequest, id: string): number => {
  const height = Number.parseInt(id.slice(0, 16), 16)
  if (Number.isSafeInteger(height) && idOf(request, height) === id.toLowerCase()) return height
  throw new UnknownBlockHash(id)
}

/** A block by its height, or by its id, which begins with the height. */
const blockAt = (request: RecordedRequest, name: string): number => {
  const given = request.text(name, "")
  if (!/^[0-9a-fA-F]{64}$/.test(given)) return request.whole(name, request.height)
  return heightOfId(request, given)
}

const identifier = (request: RecordedRequest, height: number) => ({
  hash: idOf(request, height),
  number: height
})

/** The data of a contract call: the first four bytes of the function's hash, and the arguments. */
const encodeCall = (selector: unknown, parameter: unknown): string | undefined =>
  typeof selector === "string"
    ? `${Buffer.from(keccak_256(Buffer.from(selector))).toString("hex", 0, 4)}${parameter ?? ""}`
    : undefined

const dropUndefined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** The fields of a request that belong to the transaction, not to the contract in it. */
const TRANSACTION_FIELDS = [
  "visible",
  "Permission_id",
  "extra_data",
  "fee_limit",
  "function_selector",
  "parameter"
]
const CONTRACT_FIELDS = [
  "abi",
  "bytecode",
  "name",
  "call_value",
  "consume_user_resource_percent",
  "origin_energy_limit"
]

/** The fields of a contract in the node's form, from a request's fields. */
const toContractValue = (type: keyof ContractValues, fields: Readonly<Record<string, unknown>>): object => {
  const isNew = type === "CreateSmartContract"
  const own = Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) => !TRANSACTION_FIELDS.includes(name) && !(isNew && CONTRACT_FIELDS.includes(name))
    )
  )
  const { abi, bytecode, function_selector, frozen_supply, owner_address, parameter } = fields
  if (isNew) {
    const entrys: unknown = typeof abi === "string" ? parseBody(Buffer.from(abi)) : abi
    const given = Object.fromEntries(CONTRACT_FIELDS.map((name) => [name, fields[name]]))
    const made = {
      ...given,
      abi: Array.isArray(entrys) ? { entrys } : entrys,
      bytecode: `${bytecode ?? ""}${parameter ?? ""}`,
      origin_address: owner_address
    }
    return { ...own, new_contract: dropUndefined(made) }
  }
  return dropUndefined({
    ...own,
    data: encodeCall(function_selector, parameter) ?? own.data,
    frozen_supply: frozen_supply === undefined ? undefined : [frozen_supply].flat()
  })
}

const makeTransaction =
  <Type extends keyof ContractValues>(type: Type) =>
  (request: RecordedRequest) => {
    const fields = Object(request.body)
    const { Permission_id, extra_data, fee_limit, visible } = fields
    const reference = idOf(request, request.height)
    return {
      visible: visible === true,
      txID: syntheticHex(`${type} ${JSON.stringify(fields)}`),
      raw_data: {
        contract: [
          {
            type,
            parameter: {
              // only the fields that this type has in a request
              value: Object(toContractValue(type, fields)),
              type_url: `type.googleapis.com/protocol.${type}`
            },
            ...dropUndefined({ Permission_id })
          }
        ],
        ref_block_bytes: reference.slice(12, 16),
        ref_block_hash: reference.slice(16, 32),
        expiration: Math.floor(request.now) + 60_000,
        timestamp: Math.floor(request.now),
        ...dropUndefined({ data: extra_data, fee_limit })
      },
      raw_data_hex: syntheticHex(`raw ${type} ${JSON.stringify(fields)}`, 130)
    }
  }

const loadCheck = () => import("./checks/Tron.js")

/** A refusal in java-tron's words and format. Invalid protocol buffers are an error of the servlet. */
const makeRefusal = ({ detail, hash, reason }: RejectedTransaction): RecordedRefusal => {
  if (reason === "unreadable")
    return new RecordedRefusal({
      Error: `class com.google.protobuf.InvalidProtocolBufferException : ${detail}`
    })
  const code =
    reason === "signature"
      ? "SIGERROR"
      : detail === "Transaction expired"
        ? "TRANSACTION_EXPIRATION_ERROR"
        : "TAPOS_ERROR"
  const said = reason === "signature" ? `Validate signature error: ${detail}` : detail
  return new RecordedRefusal({ code, txid: hash, message: Buffer.from(said).toString("hex") })
}

/**
 * The answer to a broadcast. A transaction names a block by the end of its height, so only the last 65,536 blocks are
 * possible.
 */
const answerSent = (
  { height, now, ...request }: RecordedRequest,
  sentOf: (check: Awaited<ReturnType<typeof loadCheck>>) => TronSent
) =>
  answerTransaction({
    peers: "@noble/curves",
    load: loadCheck,
    find: (checks) =>
      checks.checkTransaction(sentOf(checks), {
        now,
        blockId: (end) => idOf({ height, now, ...request }, height - ((height - end) & 0xffff))
      }),
    taken: ({ id }) => ({ result: true, txid: id }),
    refused: makeRefusal,
    failed: (message) => new RecordedRefusal({ Error: message }, 501)
  })

const idAsked = ({ text }: RecordedRequest): string => text("value", syntheticHex("transaction"))

const transaction = (request: RecordedRequest) => ({
  ...makeTransaction("TransferContract")({
    ...request,
    body: { amount: 1_000_000, owner_address: owner, to_address: witness }
  }),
  txID: idAsked(request),
  ret: [{ contractRet: "SUCCESS" }],
  signature: [syntheticHex("signature", 65)]
})

const receipt = (request: RecordedRequest, id: string, height: number) => ({
  id,
  fee: 0,
  blockNumber: height,
  blockTimeStamp: Math.floor(request.timeOf(height)),
  contractResult: [""],
  receipt: { net_usage: 268 }
})

const range = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, Math.min(100, to - from)) }, (_, i) => from + i)

const net = {
  freeNetUsed: 0,
  freeNetLimit: 600,
  TotalNetLimit: 43_200_000_000,
  TotalNetWeight: 26_000_000_000
}

const contract = {
  name: "TetherToken",
  origin_address: owner,
  contract_address: "41a614f803b6fd780986a42c78ec9c7f77e6ded13c",
  abi: { entrys: [] },
  bytecode: "60",
  consume_user_resource_percent: 30,
  origin_energy_limit: 10_000_000,
  code_hash: syntheticHex("code")
}

const asset = {
  id: "1002000",
  owner_address: owner,
  name: Buffer.from("BitTorrent").toString("hex"),
  abbr: Buffer.from("BTT").toString("hex"),
  total_supply: 990_000_000_000_000_000n,
  trx_num: 1,
  precision: 6,
  num: 1
}

const noIndex = ({ text }: RecordedRequest) => ({ account: text("value", owner) })

/** A block in Ethereum's format. */
const ethereum = (request: RecordedRequest) => orIfUnknownHash(null, () => ethereumBlock(request))

const ethereumBlock = (request: RecordedRequest) => {
  const given = request.text(0, "latest")
  const height = given.length === 66 ? heightOfId(request, given.slice(2)) : request.whole(0, request.height)
  return {
    number: quantity(height),
    hash: `0x${idOf(request, height)}`,
    parentHash: height === 0 ? `0x${"0".repeat(64)}` : `0x${idOf(request, height - 1)}`,
    nonce: "0x0000000000000000",
    sha3Uncles: `0x${"0".repeat(64)}`,
    logsBloom: `0x${"0".repeat(512)}`,
    transactionsRoot: `0x${"0".repeat(64)}`,
    stateRoot: "0x",
    receiptsRoot: `0x${"0".repeat(64)}`,
    miner: `0x${witness.slice(2)}`,
    difficulty: "0x0",
    totalDifficulty: "0x0",
    extraData: "0x",
    size: "0x1f4",
    gasLimit: "0x0",
    gasUsed: "0x0",
    timestamp: quantity(Math.floor(request.timeOf(height) / 1000)),
    baseFeePerGas: "0x0",
    mixHash: `0x${"0".repeat(64)}`,
    transactions: [],
    uncles: []
  }
}

const ethereumMethods: ReadonlyArray<Recording> = [
  { method: "eth_blockNumber", answer: ({ height }: RecordedRequest) => quantity(height) },
  {
    method: "eth_chainId",
    answer: ({ testnet }: RecordedRequest) => `0x${(testnet ? first.test : first.main).slice(-8)}`
  },
  {
    method: "net_version",
    answer: ({ testnet }: RecordedRequest) =>
      String(Number.parseInt((testnet ? first.test : first.main).slice(-8), 16))
  },
  { method: "net_listening", answer: true },
  { method: "net_peerCount", answer: "0x1e" },
  { method: "web3_clientVersion", answer: "TRON/v4.8.0/Linux/Java1.8" },
  { method: "eth_protocolVersion", answer: "0x1f" },
  { method: "eth_syncing", answer: false },
  { method: "eth_gasPrice", answer: quantity(420) },
  { method: "eth_getBalance", answer: quantity(balance) },
  { method: "eth_getCode", answer: "0x" },
  { method: "eth_getStorageAt", answer: `0x${word(0)}` },
  { method: "eth_estimateGas", answer: quantity(0) },
  { method: "eth_getLogs", answer: [] },
  {
    method: "eth_call",
    answer: ({ params }: RecordedRequest) => {
      const call = Object(Array.isArray(params) ? params[0] : {})
      return `0x${answerConstant(String(call.data ?? call.input ?? "").slice(2, 10))}`
    }
  },
  { method: "eth_getBlockByNumber", answer: ethereum },
  { method: "eth_getBlockByHash", answer: ethereum },
  { method: "eth_getBlockTransactionCountByNumber", answer: "0x0" },
  { method: "eth_getBlockTransactionCountByHash", answer: "0x0" },
  { method: "eth_getTransactionByHash", answer: null },
  { method: "eth_getTransactionReceipt", answer: null }
]

/**
 * The provider's answer for an account: GET /v4/tron/account/{address}. Balances are decimal strings, TRX in sun and
 * tokens in their smallest units.
 *
 * @since 0.1.0
 * @category getters
 */
export const makeAccount = (address: string): Readonly<Record<string, unknown>> => ({
  address,
  free_net_usage: 0,
  balance: String(balance),
  trc10: [],
  trc20: [{ [tether]: String(held) }],
  createTime: 1_529_891_469_000,
  assetIssuedId: "",
  assetIssuedName: ""
})

const stake = { delegatedResource: [] }

/**
 * The answers of a node of Tron, over JSON-RPC and at the routes of its wallet.
 *
 * @since 0.1.0
 * @category constants
 */
export const tron: RecordedFamily = {
  unknown: () => ({}),

  height: 75_000_000,
  blockTime: 3_000,
  protocol: "both",
  error: (message) => ({ Error: message }),
  recordings: [
    ...ethereumMethods,
    ...makeRecordings(endpoints, {
      getAccount: ({ text }) => ({
        address: text("address", owner),
        balance,
        create_time: 1_529_891_469_000,
        latest_opration_time: 1_529_891_469_000,
        frozenV2: [{}, { type: "ENERGY" as const }],
        assetV2: []
      }),
      getAccountBalance: (request) => ({
        balance,
        block_identifier: identifier(request, request.whole("block_identifier.number", request.height))
      }),
      getAccountNet: net,
      getAccountResources: { ...net, TotalEnergyLimit: 180_000_000_000, TotalEnergyWeight: 19_000_000_000 },
      validateAddress: ({ text }) => {
        const address = text("address", "")
        const base58 = /^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address)
        return base58 || /^41[0-9a-fA-F]{40}$/.test(address)
          ? { result: true, message: base58 ? "Base58check format" : "Hex string format" }
          : { result: false, message: "Invalid address" }
      },
      createAccount: makeTransaction("AccountCreateContract"),
      updateAccount: makeTransaction("AccountUpdateContract"),
      accountPermissionUpdate: makeTransaction("AccountPermissionUpdateContract"),
      createTransaction: makeTransaction("TransferContract"),
      broadcastTransaction: (request) =>
        answerSent(request, () => ({
          raw: request.text("raw_data_hex", ""),
          signatures: [request.get("signature") ?? []].flat().map(String)
        })),
      broadcastHex: (request) =>
        answerSent(request, ({ splitTransaction }) => splitTransaction(request.text("transaction", ""))),
      freezeBalanceV2: makeTransaction("FreezeBalanceV2Contract"),
      unfreezeBalanceV2: makeTransaction("UnfreezeBalanceV2Contract"),
      cancelAllUnfreezeV2: makeTransaction("CancelAllUnfreezeV2Contract"),
      freezeBalance: makeTransaction("FreezeBalanceContract"),
      unfreezeBalance: makeTransaction("UnfreezeBalanceContract"),
      delegateResource: makeTransaction("DelegateResourceContract"),
      unDelegateResource: makeTransaction("UnDelegateResourceContract"),
      withdrawExpireUnfreeze: makeTransaction("WithdrawExpireUnfreezeContract"),
      withdrawBalance: makeTransaction("WithdrawBalanceContract"),
      getAvailableUnfreezeCount: { count: 32 },
      getCanWithdrawUnfreezeAmount: { amount: 0 },
      getCanDelegatedMaxSize: { max_size: 0 },
      getDelegatedResource: stake,
      getDelegatedResourceV2: stake,
      getDelegatedResourceAccountIndex: noIndex,
      getDelegatedResourceAccountIndexV2: noIndex,
      getBlock: (request) => block(request, blockAt(request, "id_or_num")),
      getBlockByNum: (request) => block(request, blockAt(request, "num")),
      getBlockById: (request) => block(request, blockAt(request, "value")),
      getBlockByLatestNum: (request) => ({
        block: range(request.height - request.whole("num", 1) + 1, request.height + 1).map((height) =>
          block(request, height)
        )
      }),
      getBlockByLimitNext: (request) => {
        const start = request.whole("startNum", request.height)
        return {
          block: range(start, request.whole("endNum", start + 1)).map((height) => block(request, height))
        }
      },
      getNowBlock: (request) => block(request, request.height),
      getBlockBalance: (request) => {
        const height = request.whole("number", request.height)
        const place = identifier(request, height)
        return {
          block_identifier: { ...place, hash: request.text("hash", place.hash) },
          timestamp: Math.floor(request.timeOf(height)),
          transaction_balance_trace: []
        }
      },
      getTransactionById: transaction,
      getTransactionInfoById: (request) => receipt(request, idAsked(request), request.height - 20),
      getTransactionInfoByBlockNum: (request) => {
        const height = request.whole("num", request.height)
        return [receipt(request, syntheticHex(`transaction of ${height}`), height)]
      },
      listNodes: { nodes: [] },
      getNodeInfo: (request) => ({
        beginSyncNum: request.height,
        block: `Num:${request.height},ID:${idOf(request, request.height)}`,
        solidityBlock: `Num:${request.height - 19},ID:${idOf(request, request.height - 19)}`,
        currentConnectCount: 30,
        configNodeInfo: { codeVersion: "4.8.0" }
      }),
      getChainParameters: {
        chainParameter: [
          { key: "getCreateAccountFee", value: 100_000 },
          { key: "getTransactionFee", value: 1_000 },
          { key: "getEnergyFee", value: 210 }
        ]
      },
      getBurnTRX: { burnTrxAmount: 17_000_000_000_000_000n },
      getEnergyPrices: { prices: "0:100,1542607200000:20,1544724000000:10,1606240800000:40" },
      getBandwidthPrices: { prices: "0:10,1606537680000:40,1613198880000:140,1626581880000:1000" },
      getContract: contract,
      getContractInfo: { smart_contract: contract, runtimecode: "60", contract_state: {} },
      triggerSmartContract: (request) => ({
        result: { result: true },
        transaction: makeTransaction("TriggerSmartContract")(request)
      }),
      triggerConstantContract: ({ text }) => ({
        result: { result: true },
        energy_used: 541,
        constant_result: [answerConstant(text("function_selector", text("data", "")))]
      }),
      estimateEnergy: { result: { result: true }, energy_required: 541 },
      deployContract: (request) => ({
        ...makeTransaction("CreateSmartContract")(request),
        contract_address: `41${syntheticHex(JSON.stringify(request.body), 20)}`
      }),
      clearAbi: makeTransaction("ClearABIContract"),
      updateSetting: makeTransaction("UpdateSettingContract"),
      updateEnergyLimit: makeTransaction("UpdateEnergyLimitContract"),
      createAssetIssue: makeTransaction("AssetIssueContract"),
      updateAsset: makeTransaction("UpdateAssetContract"),
      transferAsset: makeTransaction("TransferAssetContract"),
      participateAssetIssue: makeTransaction("ParticipateAssetIssueContract"),
      unfreezeAsset: makeTransaction("UnfreezeAssetContract"),
      getAssetIssueByAccount: { assetIssue: [asset] },
      getAssetIssueById: asset,
      getAssetIssueByName: asset,
      getAssetIssueListByName: { assetIssue: [asset] },
      getAssetIssueList: { assetIssue: [asset] },
      getPaginatedAssetIssueList: { assetIssue: [asset] },
      listWitnesses: {
        witnesses: [{ address: witness, voteCount: 1, url: "https://witness.example", isJobs: true }]
      },
      getReward: { reward: 0 },
      getBrokerage: { brokerage: 20 },
      voteWitnessAccount: makeTransaction("VoteWitnessContract"),
      listProposals: { proposals: [] },
      getTransactionListFromPending: { txId: [] },
      getTransactionFromPending: transaction,
      getPendingSize: { pendingSize: 0 },
      getSignWeight: (request) => ({
        approved_list: [],
        current_weight: 0,
        permission: { keys: [{ address: owner, weight: 1 }], permission_name: "owner", threshold: 1 },
        // enough, which is the first word of its kind and therefore left out
        result: {},
        transaction: { txid: request.text("txID", syntheticHex("transaction")) }
      }),
      getApprovedList: (request) => ({
        approved_list: [owner],
        result: {},
        transaction: { txid: request.text("txID", syntheticHex("transaction")) }
      })
    })
  ]
}
