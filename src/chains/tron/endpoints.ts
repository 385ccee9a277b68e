/**
 * The endpoints of Tron, and how its nodes report errors.
 *
 * @since 0.1.0
 */
import { hex } from "../../data/bytes.js"
import { type Dialect, type Failure, get, group, merge, post, type Refusal } from "../../data/Endpoint.js"
import { hexToBytes } from "../../data/hex.js"
import { bigintIntegers } from "../../wire/bigintIntegers.js"
import * as Evm from "../Evm.js"
import { standardFaultOf, toFailure } from "../internal/faults.js"
import type {
  Account,
  AccountBalance,
  AccountNet,
  AccountResources,
  AddressValidation,
  Amount,
  ApprovedList,
  Asset,
  AssetOptions,
  Assets,
  Block,
  BlockBalance,
  BlockIdentifier,
  Broadcast,
  Contract,
  ContractInfo,
  DelegatedResources,
  DelegationIndex,
  DeployOptions,
  KnownNode,
  NodeInfo,
  Permission,
  Prices,
  Proposal,
  Resource,
  SignedTransaction,
  SignWeight,
  Transaction,
  TransactionInfo,
  TransactionOptions,
  Triggered,
  UnsignedTransaction,
  Visible,
  Vote,
  Witness
} from "./Types.js"

const toSun = (amount: Amount): bigint => BigInt(amount)

/** Options of what makes a transaction. Nodes read the id of a permission under its name in the transaction, and no other. */
const toOptions = ({
  permissionId,
  ...options
}: TransactionOptions = {}): Readonly<Record<string, unknown>> => ({
  ...options,
  ...(permissionId === undefined ? {} : { Permission_id: permissionId })
})

const toTrigger = (
  owner: string,
  contract: string,
  functionSelector: string,
  parameter: string,
  options: object = {}
): Readonly<Record<string, unknown>> => ({
  ownerAddress: owner,
  contractAddress: contract,
  functionSelector,
  parameter,
  ...options
})

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Messages of java-tron are hex of UTF-8, or plain. */
const decodeMessage = (message: unknown, fallback: string): string =>
  typeof message !== "string" || message === ""
    ? fallback
    : /^([0-9a-f]{2})+$/i.test(message)
      ? new TextDecoder().decode(hexToBytes(message))
      : message

/** Codes that refuse nothing: the last two say whether a transaction has enough signatures, which was the question. */
const successCode = /^(SUCCESS|ENOUGH_PERMISSION|NOT_ENOUGH_PERMISSION)$/

/**
 * How java-tron says no with an HTTP 200: an `Error`, or a `code` beside a `result` that is not true.
 *
 * @since 0.1.0
 * @category getters
 */
export const refusal = (answer: unknown): Refusal | undefined => {
  const error = memberOf(answer, "Error")
  if (error !== undefined) {
    return { message: typeof error === "string" ? error : bigintIntegers.stringify(error) }
  }
  for (const part of [answer, memberOf(answer, "result")]) {
    const code = memberOf(part, "code")
    if (typeof code === "string" && !successCode.test(code) && memberOf(part, "result") !== true) {
      return { message: `${code}: ${decodeMessage(memberOf(part, "message"), "refused")}` }
    }
  }
  return undefined
}

/** Words that speak of the node: busy, alone, or behind. */
const nodeMessage =
  /SERVER_BUSY|NOT_ENOUGH_EFFECTIVE_CONNECTION|NO_CONNECTION|BLOCK_UNSOLIDIFIED|lack of computing resources|frequency limit/

/** Whose fault a refusal is, by the codes of java-tron and the exceptions that it names in its errors. */
const classify: Dialect["classify"] = (error) => {
  const { message } = error
  if (nodeMessage.test(message)) return "node"
  if (/lite fullnode|(api|method) is (closed|unavailable|not supported)/i.test(message)) return "elsewhere"
  return /^(?!OTHER_ERROR)([A-Z_]{4,}: |class )|[Ii]nvalid|INVALID|not exist/.test(message)
    ? "caller"
    : standardFaultOf(error)
}

/** The same refusals with a 4xx. */
const failure = (answer: unknown, status: number): Failure | undefined => {
  const message = refusal(answer)?.message
  return toFailure(message, status, classify({ code: 0, message: message ?? "" }))
}

export const dialect: Dialect = { integers: bigintIntegers, body: "snake", refusal, classify, failure }

/** The answer of a node to a transaction that is new to it, for one that an earlier attempt has delivered. */
const transactionIdOf = async ([transaction]: ReadonlyArray<unknown>): Promise<Broadcast> => {
  const txid = memberOf(transaction, "txID")
  if (typeof txid !== "string") throw new Error("the transaction has no txID")
  return { result: true, txid }
}

export const walletEndpoints = group(dialect, {
  /** Account by address; an empty object if it was never used. */
  getAccount: post("/wallet/getaccount")
    .echoes({ address: 0 })
    .returns<Account>()
    .args<[address: string, options?: Visible]>((address, options) => ({ address, ...options })),
  /** Balance of an account at a block, in sun. */
  getAccountBalance: post("/wallet/getaccountbalance")
    .returns<AccountBalance>()
    .args<[account: { readonly address: string }, block: BlockIdentifier, options?: Visible]>(
      (account, block, options) => ({ accountIdentifier: account, blockIdentifier: block, ...options })
    ),
  /** Bandwidth of an account. */
  getAccountNet: post("/wallet/getaccountnet")
    .returns<AccountNet>()
    .args<[address: string, options?: Visible]>((address, options) => ({ address, ...options })),
  /** Bandwidth and energy of an account. */
  getAccountResources: post("/wallet/getaccountresource")
    .returns<AccountResources>()
    .args<[address: string, options?: Visible]>((address, options) => ({ address, ...options })),
  /** Whether an address is well-formed, and how it was written. */
  validateAddress: post("/wallet/validateaddress")
    .returns<AddressValidation>()
    .args<[address: string, options?: Visible]>((address, options) => ({ address, ...options })),
  /** An unsigned transaction that creates an account. */
  createAccount: post("/wallet/createaccount")
    .returns<UnsignedTransaction>()
    .args<[owner: string, account: string, options?: TransactionOptions]>((owner, account, options) => ({
      ownerAddress: owner,
      accountAddress: account,
      ...toOptions(options)
    })),
  /** An unsigned transaction that names an account. */
  updateAccount: post("/wallet/updateaccount")
    .returns<UnsignedTransaction>()
    .args<[owner: string, accountName: string, options?: TransactionOptions]>(
      (owner, accountName, options) => ({ ownerAddress: owner, accountName, ...toOptions(options) })
    ),
  /** An unsigned transaction that changes the permissions of an account. */
  accountPermissionUpdate: post("/wallet/accountpermissionupdate")
    .returns<UnsignedTransaction>()
    .args<
      [
        owner: string,
        actives: ReadonlyArray<Permission>,
        ownerPermission?: Permission,
        options?: TransactionOptions & { readonly witness?: Permission }
      ]
    >((owner, actives, ownerPermission, options) => ({
      ownerAddress: owner,
      actives,
      owner: ownerPermission,
      ...toOptions(options)
    })),
  /** An unsigned transfer of TRX; `amount` in sun. */
  createTransaction: post("/wallet/createtransaction")
    .returns<UnsignedTransaction>()
    .args<[owner: string, to: string, amount: Amount, options?: TransactionOptions]>(
      (owner, to, amount, options) => ({
        ownerAddress: owner,
        toAddress: to,
        amount: toSun(amount),
        ...toOptions(options)
      })
    ),
  /** Sends a signed transaction. Safe to repeat. */
  broadcastTransaction: post("/wallet/broadcasttransaction")
    .returns<Broadcast>()
    .verbatim()
    .broadcast({ known: /^DUP_TRANSACTION_ERROR/, result: transactionIdOf })
    .args<[transaction: SignedTransaction]>((transaction) => ({ ...transaction })),
  /** Sends a signed transaction given as protobuf hex. Safe to repeat. */
  broadcastHex: post("/wallet/broadcasthex")
    .bytes({ 0: hex() })
    .returns<Broadcast>()
    .broadcast()
    .args<[transaction: string]>((transaction) => ({ transaction })),
  /** An unsigned stake of TRX (Stake 2.0); `balance` in sun. */
  freezeBalanceV2: post("/wallet/freezebalancev2")
    .returns<UnsignedTransaction>()
    .args<[owner: string, balance: Amount, resource: Resource, options?: TransactionOptions]>(
      (owner, balance, resource, options) => ({
        ownerAddress: owner,
        frozenBalance: toSun(balance),
        resource,
        ...toOptions(options)
      })
    ),
  /** An unsigned unstake of TRX (Stake 2.0); `balance` in sun. */
  unfreezeBalanceV2: post("/wallet/unfreezebalancev2")
    .returns<UnsignedTransaction>()
    .args<[owner: string, balance: Amount, resource: Resource, options?: TransactionOptions]>(
      (owner, balance, resource, options) => ({
        ownerAddress: owner,
        unfreezeBalance: toSun(balance),
        resource,
        ...toOptions(options)
      })
    ),
  /** An unsigned cancellation of all unstakes that are under way. */
  cancelAllUnfreezeV2: post("/wallet/cancelallunfreezev2")
    .returns<UnsignedTransaction>()
    .args<[owner: string, options?: TransactionOptions]>((owner, options) => ({
      ownerAddress: owner,
      ...toOptions(options)
    })),
  /** An unsigned stake of TRX (Stake 1.0); `balance` in sun, `duration` in days. */
  freezeBalance: post("/wallet/freezebalance")
    .returns<UnsignedTransaction>()
    .args<
      [
        owner: string,
        balance: Amount,
        duration: number,
        resource: Resource,
        options?: TransactionOptions & { readonly receiverAddress?: string }
      ]
    >((owner, balance, duration, resource, options) => ({
      ownerAddress: owner,
      frozenBalance: toSun(balance),
      frozenDuration: duration,
      resource,
      ...toOptions(options)
    })),
  /** An unsigned unstake of TRX (Stake 1.0). */
  unfreezeBalance: post("/wallet/unfreezebalance")
    .returns<UnsignedTransaction>()
    .args<
      [
        owner: string,
        resource: Resource,
        options?: TransactionOptions & { readonly receiverAddress?: string }
      ]
    >((owner, resource, options) => ({ ownerAddress: owner, resource, ...toOptions(options) })),
  /** An unsigned delegation of staked resource; `balance` in sun. */
  delegateResource: post("/wallet/delegateresource")
    .returns<UnsignedTransaction>()
    .args<
      [
        owner: string,
        receiver: string,
        balance: Amount,
        resource: Resource,
        lock: boolean,
        options?: TransactionOptions
      ]
    >((owner, receiver, balance, resource, lock, options) => ({
      ownerAddress: owner,
      receiverAddress: receiver,
      balance: toSun(balance),
      resource,
      lock,
      ...toOptions(options)
    })),
  /** An unsigned end of a delegation; `balance` in sun. */
  unDelegateResource: post("/wallet/undelegateresource")
    .returns<UnsignedTransaction>()
    .args<
      [
        owner: string,
        receiver: string,
        balance: Amount,
        resource: Resource,
        lock: boolean,
        options?: TransactionOptions
      ]
    >((owner, receiver, balance, resource, lock, options) => ({
      ownerAddress: owner,
      receiverAddress: receiver,
      balance: toSun(balance),
      resource,
      lock,
      ...toOptions(options)
    })),
  /** An unsigned withdrawal of TRX whose unstaking is over. */
  withdrawExpireUnfreeze: post("/wallet/withdrawexpireunfreeze")
    .returns<UnsignedTransaction>()
    .args<[owner: string, options?: TransactionOptions]>((owner, options) => ({
      ownerAddress: owner,
      ...toOptions(options)
    })),
  /** An unsigned withdrawal of the rewards of a witness. */
  withdrawBalance: post("/wallet/withdrawbalance")
    .returns<UnsignedTransaction>()
    .args<[owner: string, options?: TransactionOptions]>((owner, options) => ({
      ownerAddress: owner,
      ...toOptions(options)
    })),
  /** How many unstakes an account may still begin. */
  getAvailableUnfreezeCount: post("/wallet/getavailableunfreezecount")
    .returns<{ readonly count: bigint }>()
    .args<[owner: string, options?: Visible]>((owner, options) => ({ ownerAddress: owner, ...options })),
  /** TRX that an account can withdraw, in sun. */
  getCanWithdrawUnfreezeAmount: post("/wallet/getcanwithdrawunfreezeamount")
    .returns<{ readonly amount: bigint }>()
    .args<[owner: string, options?: Visible & { readonly timestamp?: number }]>((owner, options) => ({
      ownerAddress: owner,
      ...options
    })),
  /** How much an account can delegate, in sun; type 0 is bandwidth, 1 energy. */
  getCanDelegatedMaxSize: post("/wallet/getcandelegatedmaxsize")
    .returns<{ readonly max_size: bigint }>()
    .args<[owner: string, type: 0 | 1, options?: Visible]>((owner, type, options) => ({
      ownerAddress: owner,
      type,
      ...options
    })),
  /** Resource delegated from one account to another (Stake 1.0). */
  getDelegatedResource: post("/wallet/getdelegatedresource")
    .returns<DelegatedResources>()
    .verbatim()
    .args<[from: string, to: string, options?: Visible]>((from, to, options) => ({
      fromAddress: from,
      toAddress: to,
      ...options
    })),
  /** Resource delegated from one account to another (Stake 2.0). */
  getDelegatedResourceV2: post("/wallet/getdelegatedresourcev2")
    .returns<DelegatedResources>()
    .verbatim()
    .args<[from: string, to: string, options?: Visible]>((from, to, options) => ({
      fromAddress: from,
      toAddress: to,
      ...options
    })),
  /** Accounts that an account has delegations with (Stake 1.0). */
  getDelegatedResourceAccountIndex: post("/wallet/getdelegatedresourceaccountindex")
    .returns<DelegationIndex>()
    .args<[account: string, options?: Visible]>((account, options) => ({ value: account, ...options })),
  /** Accounts that an account has delegations with (Stake 2.0). */
  getDelegatedResourceAccountIndexV2: post("/wallet/getdelegatedresourceaccountindexv2")
    .returns<DelegationIndex>()
    .args<[account: string, options?: Visible]>((account, options) => ({ value: account, ...options })),
  /** Block by height or hash, by default without its transactions. */
  getBlock: post("/wallet/getblock")
    .echoes({ blockID: 0, "block_header.raw_data.number": 0 })
    .returns<Block>()
    .args<[idOrNum: string, options?: { readonly detail?: boolean }]>((idOrNum, options) => ({
      idOrNum,
      ...options
    })),
  /** Block by height. */
  getBlockByNum: post("/wallet/getblockbynum")
    .echoes({ "block_header.raw_data.number": 0 })
    .returns<Block>()
    .args<[num: number]>((num) => ({ num })),
  /** Block by hash. */
  getBlockById: post("/wallet/getblockbyid")
    .bytes({ 0: hex(32) })
    .echoes({ blockID: 0 })
    .returns<Block>()
    .args<[id: string]>((id) => ({ value: id })),
  /** The newest blocks. */
  getBlockByLatestNum: post("/wallet/getblockbylatestnum")
    .returns<{ readonly block: ReadonlyArray<Block> }>()
    .args<[count: number]>((count) => ({ num: count }))
    .lists("block"),
  /** Blocks from a height, up to but without another. */
  getBlockByLimitNext: post("/wallet/getblockbylimitnext")
    .returns<{ readonly block: ReadonlyArray<Block> }>()
    .verbatim()
    .args<[start: number, end: number]>((start, end) => ({ startNum: start, endNum: end }))
    .lists("block"),
  /** The newest block. */
  getNowBlock: post("/wallet/getnowblock").returns<Block>(),
  /** Changes of balances in a block. */
  getBlockBalance: post("/wallet/getblockbalance")
    .echoes({ "block_identifier.hash": 0, "block_identifier.number": 1 })
    .returns<BlockBalance>()
    .args<[hash: string, number: Amount, options?: Visible]>((hash, number, options) => ({
      hash,
      number: toSun(number),
      ...options
    })),
  /** Transaction by id. */
  getTransactionById: post("/wallet/gettransactionbyid")
    .bytes({ 0: hex(32) })
    .echoes({ txID: 0 })
    .returns<Transaction>()
    .args<[id: string, options?: Visible]>((id, options) => ({ value: id, ...options })),
  /** Fee, block and logs of a transaction. */
  getTransactionInfoById: post("/wallet/gettransactioninfobyid")
    .bytes({ 0: hex(32) })
    .echoes({ id: 0 })
    .returns<TransactionInfo>()
    .args<[id: string]>((id) => ({ value: id }))
    .lists("contractResult"),
  /** Fees and logs of all transactions of a block. */
  getTransactionInfoByBlockNum: post("/wallet/gettransactioninfobyblocknum")
    .echoes({ "0.blockNumber": 0 })
    .returns<ReadonlyArray<TransactionInfo>>()
    .args<[num: number]>((num) => ({ num }))
    .lists(),
  /** Peers of the node. */
  listNodes: get("/wallet/listnodes").returns<{ readonly nodes?: ReadonlyArray<KnownNode> }>(),
  /** State of the node. */
  getNodeInfo: get("/wallet/getnodeinfo").returns<NodeInfo>(),
  /** Parameters of the chain that witnesses can change. */
  getChainParameters: get("/wallet/getchainparameters")
    .returns<{
      readonly chainParameter: ReadonlyArray<{ readonly key: string; readonly value?: bigint }>
    }>()
    .lists("chainParameter"),
  /** TRX burnt since the genesis, in sun. */
  getBurnTRX: get("/wallet/getburntrx").returns<{ readonly burnTrxAmount: bigint }>(),
  /** History of the price of energy: `time:sun` pairs, comma separated. */
  getEnergyPrices: get("/wallet/getenergyprices").returns<Prices>(),
  /** History of the price of bandwidth: `time:sun` pairs, comma separated. */
  getBandwidthPrices: post("/wallet/getbandwidthprices").returns<Prices>(),
  /** Contract by address, with its ABI and code. */
  getContract: post("/wallet/getcontract")
    .echoes({ contract_address: 0 })
    .returns<Contract>()
    .args<[contract: string, options?: Visible]>((contract, options) => ({ value: contract, ...options })),
  /** Contract by address, with its run-time code and state. */
  getContractInfo: post("/wallet/getcontractinfo")
    .echoes({ "smart_contract.contract_address": 0 })
    .returns<ContractInfo>()
    .args<[contract: string, options?: Visible]>((contract, options) => ({ value: contract, ...options })),
  /** An unsigned transaction that calls a contract. */
  triggerSmartContract: post("/wallet/triggersmartcontract")
    .returns<Triggered>()
    .args<
      [
        owner: string,
        contract: string,
        functionSelector: string,
        parameter: string,
        options?: TransactionOptions & { readonly feeLimit?: Amount; readonly callValue?: Amount }
      ]
    >((owner, contract, functionSelector, parameter, options) =>
      toTrigger(owner, contract, functionSelector, parameter, toOptions(options))
    ),
  /** Runs a call of a contract without a transaction. */
  triggerConstantContract: post("/wallet/triggerconstantcontract")
    .returns<Triggered>()
    .args<
      [
        owner: string,
        contract: string,
        functionSelector: string,
        parameter: string,
        options?: Visible & { readonly callValue?: Amount }
      ]
    >((owner, contract, functionSelector, parameter, options) =>
      toTrigger(owner, contract, functionSelector, parameter, options)
    ),
  /** Energy that a call of a contract would use. */
  estimateEnergy: post("/wallet/estimateenergy")
    .returns<{ readonly result: Triggered["result"]; readonly energy_required?: bigint }>()
    .args<[owner: string, contract: string, functionSelector: string, parameter: string, options?: Visible]>(
      (owner, contract, functionSelector, parameter, options) =>
        toTrigger(owner, contract, functionSelector, parameter, options)
    ),
  /** An unsigned transaction that deploys a contract. */
  deployContract: post("/wallet/deploycontract")
    .returns<UnsignedTransaction>()
    .args<[abi: string, bytecode: string, owner: string, name: string, options?: DeployOptions]>(
      (abi, bytecode, owner, name, options) => ({
        abi,
        bytecode,
        ownerAddress: owner,
        name,
        ...toOptions(options)
      })
    ),
  /** An unsigned transaction that removes the ABI of a contract. */
  clearAbi: post("/wallet/clearabi")
    .returns<UnsignedTransaction>()
    .args<[owner: string, contract: string, options?: TransactionOptions]>((owner, contract, options) => ({
      ownerAddress: owner,
      contractAddress: contract,
      ...toOptions(options)
    })),
  /** An unsigned change of the share of energy (percent) that callers pay. */
  updateSetting: post("/wallet/updatesetting")
    .returns<UnsignedTransaction>()
    .args<[owner: string, contract: string, percent: number, options?: TransactionOptions]>(
      (owner, contract, percent, options) => ({
        ownerAddress: owner,
        contractAddress: contract,
        consumeUserResourcePercent: percent,
        ...toOptions(options)
      })
    ),
  /** An unsigned change of the energy that the deployer pays at most. */
  updateEnergyLimit: post("/wallet/updateenergylimit")
    .returns<UnsignedTransaction>()
    .args<[owner: string, contract: string, limit: number, options?: TransactionOptions]>(
      (owner, contract, limit, options) => ({
        ownerAddress: owner,
        contractAddress: contract,
        originEnergyLimit: limit,
        ...toOptions(options)
      })
    ),
  /** An unsigned transaction that issues a TRC-10 token; names as hex. */
  createAssetIssue: post("/wallet/createassetissue")
    .returns<UnsignedTransaction>()
    .args<
      [
        owner: string,
        name: string,
        abbr: string,
        totalSupply: Amount,
        trxNum: number,
        num: number,
        startTime: number,
        endTime: number,
        url: string,
        options?: AssetOptions
      ]
    >((owner, name, abbr, totalSupply, trxNum, num, startTime, endTime, url, options) => ({
      ownerAddress: owner,
      name,
      abbr,
      totalSupply: toSun(totalSupply),
      trxNum,
      num,
      startTime,
      endTime,
      url,
      ...toOptions(options)
    })),
  /** An unsigned change of a TRC-10 token. */
  updateAsset: post("/wallet/updateasset")
    .returns<UnsignedTransaction>()
    .args<
      [
        owner: string,
        url: string,
        options?: TransactionOptions & {
          readonly description?: string
          readonly newLimit?: Amount
          readonly newPublicLimit?: Amount
        }
      ]
    >((owner, url, options) => ({ ownerAddress: owner, url, ...toOptions(options) })),
  /** An unsigned transfer of a TRC-10 token. */
  transferAsset: post("/wallet/transferasset")
    .returns<UnsignedTransaction>()
    .args<[owner: string, to: string, assetName: string, amount: Amount, options?: TransactionOptions]>(
      (owner, to, assetName, amount, options) => ({
        ownerAddress: owner,
        toAddress: to,
        assetName,
        amount: toSun(amount),
        ...toOptions(options)
      })
    ),
  /** An unsigned purchase in the sale of a TRC-10 token. */
  participateAssetIssue: post("/wallet/participateassetissue")
    .returns<UnsignedTransaction>()
    .args<[to: string, owner: string, assetName: string, amount: Amount, options?: TransactionOptions]>(
      (to, owner, assetName, amount, options) => ({
        toAddress: to,
        ownerAddress: owner,
        assetName,
        amount: toSun(amount),
        ...toOptions(options)
      })
    ),
  /** An unsigned release of the frozen supply of a TRC-10 token. */
  unfreezeAsset: post("/wallet/unfreezeasset")
    .returns<UnsignedTransaction>()
    .args<[owner: string, options?: TransactionOptions]>((owner, options) => ({
      ownerAddress: owner,
      ...toOptions(options)
    })),
  /** TRC-10 tokens that an account has issued. */
  getAssetIssueByAccount: post("/wallet/getassetissuebyaccount")
    .returns<Assets>()
    .args<[address: string, options?: Visible]>((address, options) => ({ address, ...options })),
  /** TRC-10 token by id. */
  getAssetIssueById: post("/wallet/getassetissuebyid")
    .returns<Asset>()
    .args<[id: number]>((id) => ({ value: id })),
  /** TRC-10 token by name. */
  getAssetIssueByName: post("/wallet/getassetissuebyname")
    .returns<Asset>()
    .args<[name: string]>((name) => ({ value: name })),
  /** All TRC-10 tokens of a name. */
  getAssetIssueListByName: post("/wallet/getassetissuelistbyname")
    .returns<Assets>()
    .args<[name: string]>((name) => ({ value: name })),
  /** All TRC-10 tokens. */
  getAssetIssueList: post("/wallet/getassetissuelist").returns<Assets>(),
  /** TRC-10 tokens, a page at a time. */
  getPaginatedAssetIssueList: post("/wallet/getpaginatedassetissuelist")
    .returns<Assets>()
    .args<[offset: number, limit: number]>((offset, limit) => ({ offset, limit })),
  /** Witnesses (super representatives and candidates). */
  listWitnesses: get("/wallet/listwitnesses")
    .returns<{ readonly witnesses: ReadonlyArray<Witness> }>()
    .lists("witnesses"),
  /** Reward of an account that is not withdrawn yet, in sun. */
  getReward: post("/wallet/getreward")
    .returns<{ readonly reward: bigint }>()
    .args<[address: string, options?: Visible]>((address, options) => ({ address, ...options })),
  /** Share of its rewards (percent) that a witness keeps. */
  getBrokerage: post("/wallet/getbrokerage")
    .returns<{ readonly brokerage: bigint }>()
    .args<[address: string, options?: Visible]>((address, options) => ({ address, ...options })),
  /** An unsigned vote for witnesses. */
  voteWitnessAccount: post("/wallet/votewitnessaccount")
    .returns<UnsignedTransaction>()
    .args<[owner: string, votes: ReadonlyArray<Vote>, options?: TransactionOptions]>(
      (owner, votes, options) => ({ ownerAddress: owner, votes, ...toOptions(options) })
    ),
  /** Proposals of witnesses to change the parameters of the chain. */
  listProposals: get("/wallet/listproposals")
    .returns<{ readonly proposals: ReadonlyArray<Proposal> }>()
    .lists("proposals"),
  /** Transactions waiting in the pool, by id. */
  getTransactionListFromPending: get("/wallet/gettransactionlistfrompending")
    .returns<{
      readonly txId: ReadonlyArray<string>
    }>()
    .lists("txId"),
  /** Transaction waiting in the pool. */
  getTransactionFromPending: post("/wallet/gettransactionfrompending")
    .echoes({ txID: 0 })
    .returns<Transaction>()
    .args<[id: string]>((id) => ({ value: id })),
  /** Number of transactions waiting in the pool. */
  getPendingSize: get("/wallet/getpendingsize").returns<{ readonly pendingSize: bigint }>(),
  /** Weight of the signatures of a transaction. */
  getSignWeight: post("/wallet/getsignweight")
    .returns<SignWeight>()
    .verbatim()
    .args<[transaction: SignedTransaction]>((transaction) => ({ ...transaction })),
  /** Accounts that have signed a transaction. */
  getApprovedList: post("/wallet/getapprovedlist")
    .returns<ApprovedList>()
    .verbatim()
    .args<[transaction: SignedTransaction]>((transaction) => ({ ...transaction }))
})

/**
 * The endpoints of Tron.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints: typeof Evm.endpoints & typeof walletEndpoints = merge(Evm.endpoints, walletEndpoints)
