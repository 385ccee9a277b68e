/** Recordings of TON: the classic API of TON Center, and tonapi (v2). */
import { type AddressForms, endpoints } from "../../chains/Ton.js"
import { makeRecordings, type RecordedFamily, type RecordedRequest, type Recording } from "./Recording.js"
import { blockHash, syntheticBase64, syntheticBytes, syntheticHex } from "./Synthetic.js"

const masterShard = "8000000000000000"
const masterShardNumber = "-9223372036854775808"
/** The first states of the public chain and of the test chain. */
const first = {
  main: {
    root_hash: "F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=",
    file_hash: "XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24="
  },
  test: {
    root_hash: "gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=",
    file_hash: "Z+IKwYS54DmmJmesw/nAD5DzWadnOCMzee+kdgSYDOg="
  }
}
/** The contract that elects validators. */
const elector = "-1:3333333333333333333333333333333333333333333333333333333333333333"
/** An empty cell, as a bag of cells. */
const emptyCell = { base64: "te6cckEBAQEAAgAAAEysuc0=", hex: "b5ee9c724101010100020000004cacb9cd" }
const nanotons = 10_000_000_000

const firstOf = ({ testnet }: RecordedRequest) => (testnet ? first.test : first.main)
const toBase64 = (digits: string): string => Buffer.from(digits, "hex").toString("base64")
const seconds = (request: RecordedRequest, seqno: number): number => Math.floor(request.timeOf(seqno) / 1000)
const lt = (seqno: number): bigint => BigInt(seqno) * 1_000_000n

/** A block by `(workchain,shard,seqno)`, or by these parts. */
const seqnoOf = (request: RecordedRequest): number => {
  const named = /^\(-?\d+,[0-9a-fA-F]+,(\d+)/.exec(request.text("blockId", request.text("id", "")))
  return named === null ? request.whole("seqno", request.height) : Number(named[1])
}

const idOf = (request: RecordedRequest, seqno: number) => ({
  "@type": "ton.blockIdExt",
  workchain: -1,
  shard: masterShardNumber,
  seqno,
  ...(seqno === 0
    ? firstOf(request)
    : { root_hash: toBase64(blockHash(seqno)), file_hash: syntheticBase64(`file ${seqno}`) })
})

const rawId = (request: RecordedRequest, seqno: number) => {
  const { file_hash, root_hash } = idOf(request, seqno)
  return { workchain: -1, shard: masterShard, seqno, root_hash, file_hash }
}

/** The checksum of friendly addresses. */
const crc16 = (input: Uint8Array): number => {
  let crc = 0
  for (const byte of input) {
    crc ^= byte << 8
    for (let i = 0; i < 8; i++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
}

/** The workchain and the hash of an address in any of its forms; the elector's for an invalid one. */
const parseAddress = (
  address: string
): { readonly workchain: number; readonly hash: Buffer; readonly tag: number } => {
  const raw = /^(-?\d+):([0-9a-fA-F]{64})$/.exec(address)
  if (raw !== null) return { workchain: Number(raw[1]), hash: Buffer.from(raw[2] ?? "", "hex"), tag: 0 }
  const buffer = Buffer.from(address, "base64url")
  return buffer.length === 36
    ? { tag: buffer[0] ?? 0, workchain: buffer.readInt8(1), hash: buffer.subarray(2, 34) }
    : { workchain: -1, hash: Buffer.alloc(32, 0x33), tag: 0 }
}

const toRawAddress = (address: string): string => {
  const { hash, workchain } = parseAddress(address)
  return `${workchain}:${hash.toString("hex")}`
}

/** 36 bytes: whether it bounces, the workchain, the hash, and the checksum. */
const toFriendlyAddress = (address: string, bounceable = true, testnet = false): Buffer => {
  const { hash, workchain } = parseAddress(address)
  const body = Buffer.concat([
    Buffer.from([(bounceable ? 0x11 : 0x51) + (testnet ? 0x80 : 0), workchain & 0xff]),
    hash
  ])
  const crc = crc16(body)
  return Buffer.concat([body, Buffer.from([crc >> 8, crc & 0xff])])
}

const nameAddressForm = (tag: number): AddressForms["given_type"] =>
  tag === 0 ? "raw_form" : tag & 0x40 ? "friendly_non_bounceable" : "friendly_bounceable"

const forms = (request: RecordedRequest) => {
  const address = request.text("address", request.text("accountId", elector))
  const { tag } = parseAddress(address)
  const written = (bounceable: boolean) => {
    const buffer = toFriendlyAddress(address, bounceable, request.testnet)
    return { b64: buffer.toString("base64"), b64url: buffer.toString("base64url") }
  }
  return {
    raw_form: toRawAddress(address),
    bounceable: written(true),
    non_bounceable: written(false),
    given_type: nameAddressForm(tag),
    test_only: (tag & 0x80) !== 0
  }
}

const who = (request: RecordedRequest): string =>
  toRawAddress(request.text("accountId", request.text("address", elector)))

const ok = <A>(result: A) => ({ ok: true as const, result, "@extra": "1700000000.0:0:0.1" })

const lastTransaction = (request: RecordedRequest, account = who(request)) => ({
  "@type": "internal.transactionId",
  lt: String(lt(request.height - 5)),
  hash: syntheticBase64(`transaction of ${account}`)
})

const state = (request: RecordedRequest) => ({
  balance: String(nanotons),
  extra_currencies: [],
  last_transaction_id: lastTransaction(request),
  block_id: idOf(request, request.height),
  sync_utime: seconds(request, request.height)
})

const rawTransaction = (request: RecordedRequest, type = "ext.transaction", account = who(request)) => ({
  "@type": type,
  account,
  address: { "@type": "accountAddress", account_address: toFriendlyAddress(account).toString("base64url") },
  utime: seconds(request, request.height - 5),
  data: emptyCell.base64,
  transaction_id: lastTransaction(request, account),
  fee: "2000000",
  storage_fee: "0",
  other_fee: "2000000",
  out_msgs: []
})

/** The transaction at one end of a message. */
const findTransaction = (request: RecordedRequest, end: "destination" | "source") =>
  rawTransaction(request, "ext.transaction", toRawAddress(request.text(end, elector)))

const header = (request: RecordedRequest, seqno: number) => ({
  "@type": "blocks.header",
  id: idOf(request, seqno),
  global_id: request.testnet ? -3 : -239,
  version: 0,
  after_merge: false,
  after_split: false,
  before_split: false,
  want_merge: true,
  want_split: false,
  validator_list_hash_short: 0,
  catchain_seqno: Math.floor(seqno / 100),
  min_ref_mc_seqno: Math.max(0, seqno - 3),
  is_key_block: false,
  prev_key_block_seqno: Math.max(0, seqno - 1000),
  start_lt: String(lt(seqno)),
  end_lt: String(lt(seqno) + 4n),
  gen_utime: seconds(request, seqno),
  prev_blocks: [idOf(request, Math.max(0, seqno - 1))]
})

const grams = { grams: 0, other: [] }

const block = (request: RecordedRequest, seqno: number) => ({
  tx_quantity: 3,
  value_flow: {
    from_prev_blk: grams,
    to_next_blk: grams,
    imported: grams,
    exported: grams,
    fees_collected: grams,
    fees_imported: grams,
    recovered: grams,
    created: grams,
    minted: grams
  },
  workchain_id: -1,
  shard: masterShard,
  seqno,
  root_hash: blockHash(seqno),
  file_hash: syntheticHex(`file ${seqno}`),
  global_id: request.testnet ? -3 : -239,
  version: 0,
  after_merge: false,
  before_split: false,
  after_split: false,
  want_split: false,
  want_merge: true,
  key_block: false,
  gen_utime: seconds(request, seqno),
  start_lt: lt(seqno),
  end_lt: lt(seqno) + 4n,
  vert_seqno: 1,
  gen_catchain_seqno: Math.floor(seqno / 100),
  min_ref_mc_seqno: Math.max(0, seqno - 3),
  prev_key_block_seqno: Math.max(0, seqno - 1000),
  gen_software_version: 10,
  gen_software_capabilities: 494,
  prev_refs: [`(-1,${masterShard},${Math.max(0, seqno - 1)})`],
  in_msg_descr_length: 0,
  out_msg_descr_length: 0,
  rand_seed: syntheticHex(`seed ${seqno}`),
  created_by: syntheticHex("validator")
})

const nameAddress = (address: string) => ({ address, is_scam: false, is_wallet: true })

const transaction = (request: RecordedRequest, hash: string, seqno = request.height - 5) => ({
  hash,
  lt: lt(seqno),
  account: nameAddress(who(request)),
  success: true,
  utime: seconds(request, seqno),
  orig_status: "active" as const,
  end_status: "active" as const,
  total_fees: 2_000_000,
  end_balance: nanotons,
  transaction_type: "TransOrd" as const,
  state_update_old: syntheticHex(`old ${hash}`),
  state_update_new: syntheticHex(`new ${hash}`),
  out_msgs: [],
  block: `(-1,${masterShard},${seqno})`,
  compute_phase: {
    skipped: false,
    success: true,
    gas_fees: 1_000_000,
    gas_used: 2500,
    vm_steps: 60,
    exit_code: 0
  },
  aborted: false,
  destroyed: false,
  raw: emptyCell.hex
})

const transactions = (request: RecordedRequest) => ({
  transactions: [transaction(request, syntheticHex(`transaction of ${who(request)}`))]
})

const inBlock = (request: RecordedRequest) => {
  const seqno = seqnoOf(request)
  return { transactions: [transaction(request, syntheticHex(`transaction in ${seqno}`), seqno)] }
}

const account = (request: RecordedRequest, address = who(request)) => ({
  address,
  balance: nanotons,
  last_activity: seconds(request, request.height - 5),
  status: "active" as const,
  interfaces: ["wallet_v4r2"],
  get_methods: ["seqno", "get_public_key"],
  is_wallet: true
})

const rawAccount = (request: RecordedRequest, address = who(request)) => ({
  address,
  balance: nanotons,
  code: emptyCell.hex,
  data: emptyCell.hex,
  last_transaction_lt: lt(request.height - 5),
  last_transaction_hash: syntheticHex(`transaction of ${address}`),
  status: "active" as const,
  storage: {
    used_cells: 22,
    used_bits: 5697,
    used_public_cells: 0,
    last_paid: seconds(request, request.height - 5),
    due_payment: 0
  }
})

const idsAsked = ({ get }: RecordedRequest): ReadonlyArray<string> => {
  const ids = get("account_ids")
  return Array.isArray(ids) ? ids.map(String) : []
}

/** Tether's master contract on TON. */
const tether = "0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe"
const jetton = (address: string) => ({
  address,
  name: "Tether USD",
  symbol: "USD₮",
  decimals: 6,
  image: "",
  verification: "whitelist" as const,
  score: 100
})
const jettonInfo = (address: string) => ({
  mintable: true,
  total_supply: "1000000000000000",
  metadata: { address, name: "Tether USD", symbol: "USD₮", decimals: "6" },
  preview: "",
  verification: "whitelist" as const,
  holders_count: 1
})
const jettonBalance = (request: RecordedRequest) => ({
  balance: "25000000",
  wallet_address: nameAddress(`0:${syntheticHex(`jettons of ${who(request)}`)}`),
  jetton: jetton(request.text("jettonId", tether))
})

const wallet = (request: RecordedRequest) => ({
  ...account(request),
  stats: { nfts_count: 0, jettons_count: 1, multisig_count: 0, staking_count: 0 },
  plugins: [],
  last_lt: lt(request.height - 5)
})

const init = (request: RecordedRequest) => ({ workchain: -1, ...firstOf(request) })

const shards = (request: RecordedRequest) =>
  ok({
    "@type": "blocks.shards",
    shards: [{ ...idOf(request, seqnoOf(request)), workchain: 0 }]
  })

/** The methods of the classic API, which its JSON-RPC has too. */
const classic = makeRecordings(endpoints, {
  getAddressInformation: (request) =>
    ok({
      "@type": "raw.fullAccountState",
      ...state(request),
      code: emptyCell.base64,
      data: emptyCell.base64,
      frozen_hash: "",
      state: "active" as const
    }),
  getExtendedAddressInformation: (request) =>
    ok({
      "@type": "fullAccountState",
      address: {
        "@type": "accountAddress",
        account_address: toFriendlyAddress(who(request)).toString("base64url")
      },
      ...state(request),
      account_state: { "@type": "wallet.v4.accountState" as const, wallet_id: 698_983_191, seqno: 1 },
      revision: 2
    }),
  getWalletInformation: (request) =>
    ok({
      "@type": "ext.accounts.walletInformation",
      wallet: true,
      balance: String(nanotons),
      account_state: "active" as const,
      wallet_type: "wallet v4 r2",
      seqno: 1,
      last_transaction_id: lastTransaction(request),
      wallet_id: 698_983_191
    }),
  getTransactions: (request) => ok([rawTransaction(request)]),
  getAddressBalance: ok(String(nanotons)),
  getAddressState: ok("active"),
  packAddress: (request) => ok(toFriendlyAddress(who(request), true, request.testnet).toString("base64url")),
  unpackAddress: (request) => ok(who(request)),
  detectAddress: (request) => {
    const { bounceable, non_bounceable, ...rest } = forms(request)
    const variant = { "@type": "ext.utils.detectedAddressVariant" }
    return ok({
      "@type": "ext.utils.detectedAddress",
      ...rest,
      bounceable: { ...variant, ...bounceable },
      non_bounceable: { ...variant, ...non_bounceable }
    })
  },
  getMasterchainInfo: (request) =>
    ok({
      "@type": "blocks.masterchainInfo",
      last: idOf(request, request.height),
      state_root_hash: syntheticBase64(`state ${request.height}`),
      init: idOf(request, 0)
    }),
  getMasterchainBlockSignatures: (request) =>
    ok({
      "@type": "blocks.blockSignatures",
      id: idOf(request, seqnoOf(request)),
      signatures: [
        {
          "@type": "blocks.signature",
          node_id_short: syntheticBase64("validator"),
          signature: syntheticBase64("signature", 64)
        }
      ]
    }),
  getConsensusBlock: (request) =>
    ok({
      "@type": "ext.blocks.consensusBlock",
      consensus_block: request.height,
      timestamp: Math.floor(request.now / 1000)
    }),
  lookupBlock: (request) => ok(idOf(request, seqnoOf(request))),
  getShards: shards,
  shards,
  getBlockTransactions: (request) =>
    ok({
      "@type": "blocks.transactions",
      id: idOf(request, seqnoOf(request)),
      req_count: request.whole("count", 40),
      incomplete: false,
      transactions: [
        {
          "@type": "blocks.shortTxId",
          mode: 135,
          account: elector,
          lt: String(lt(seqnoOf(request))),
          hash: syntheticBase64(`transaction in ${seqnoOf(request)}`)
        }
      ]
    }),
  getBlockTransactionsExt: (request) =>
    ok({
      "@type": "blocks.transactionsExt",
      id: idOf(request, seqnoOf(request)),
      req_count: request.whole("count", 40),
      incomplete: false,
      transactions: [rawTransaction(request, "raw.transactionExt")]
    }),
  getBlockHeader: (request) => ok(header(request, seqnoOf(request))),
  tryLocateTx: (request) => ok(findTransaction(request, "destination")),
  tryLocateResultTx: (request) => ok(findTransaction(request, "destination")),
  tryLocateSourceTx: (request) => ok(findTransaction(request, "source")),
  runGetMethod: (request) =>
    ok({
      "@type": "smc.runResult",
      gas_used: 549,
      stack: [["num", "0x1"]] as const,
      exit_code: 0,
      block_id: idOf(request, request.height),
      last_transaction_id: lastTransaction(request)
    }),
  sendBoc: ok({ "@type": "ok" }),
  sendBocReturnHash: ({ text }) =>
    ok({
      "@type": "raw.extMessageInfo",
      hash: syntheticBase64(text("boc", "")),
      hash_norm: syntheticBase64(text("boc", ""))
    }),
  sendQuery: ok({ "@type": "ok" }),
  estimateFee: ok({
    "@type": "query.fees",
    source_fees: {
      "@type": "fees",
      in_fwd_fee: 1_000_000,
      storage_fee: 100,
      gas_fee: 1_200_000,
      fwd_fee: 400_000
    },
    destination_fees: []
  }),
  getTokenData: (request) =>
    ok({
      "@type": "ext.tokens.jettonMasterData",
      address: who(request),
      contract_type: "jetton_master" as const,
      total_supply: "1000000000000000",
      mintable: true,
      jetton_content: { type: "onchain" as const, data: { decimals: "6", symbol: "USD₮" } },
      jetton_wallet_code: emptyCell.base64
    })
})

const jsonRpc: Recording = {
  verb: "POST",
  path: "/jsonRPC",
  answer: (request: RecordedRequest) => {
    const method = request.text("method", "")
    const found = classic.find(({ path }) => path === `/${method}`)
    const id = String(request.get("id") ?? "")
    if (found === undefined)
      return {
        ok: false,
        error: `The sandbox has no answer to ${method}: neither a node nor a recording has it`,
        code: -32601,
        jsonrpc: "2.0",
        id
      }
    const said: unknown = typeof found.answer === "function" ? found.answer(request) : found.answer
    return { ...Object(said), jsonrpc: "2.0", id }
  }
}

/**
 * The answers of servers of TON.
 *
 * @since 0.1.0
 * @category constants
 */
export const ton: RecordedFamily = {
  height: 52_000_000,
  blockTime: 2_500,
  protocol: "rest",
  error: (message, status) => ({ ok: false, error: message, code: status }),
  recordings: [
    ...classic,
    jsonRpc,
    ...makeRecordings(endpoints, {
      status: ({ height }) => ({
        rest_online: true,
        indexing_latency: 2,
        last_known_masterchain_seqno: height
      }),
      getBlockchainBlock: (request) => block(request, seqnoOf(request)),
      getBlockchainMasterchainHead: (request) => block(request, request.height),
      getBlockchainMasterchainBlocks: (request) => ({ blocks: [block(request, seqnoOf(request))] }),
      getBlockchainMasterchainShards: (request) => ({
        shards: [
          {
            last_known_block_id: `(0,${masterShard},${seqnoOf(request)})`,
            last_known_block: { ...block(request, seqnoOf(request)), workchain_id: 0 }
          }
        ]
      }),
      getBlockchainMasterchainTransactions: inBlock,
      getBlockchainBlockTransactions: inBlock,
      getBlockchainTransaction: (request) =>
        transaction(request, request.text("transactionId", syntheticHex("transaction"))),
      getBlockchainTransactionByMessageHash: (request) =>
        transaction(request, syntheticHex(`of message ${request.text("messageId", "")}`)),
      getBlockchainValidators: ({ now }) => ({
        elect_at: Math.floor(now / 1000) + 3600,
        elect_close: Math.floor(now / 1000) + 1800,
        min_stake: 300_000_000_000_000,
        total_stake: 600_000_000_000_000_000n,
        validators: [
          {
            address: elector,
            adnl_address: syntheticHex("adnl"),
            stake: 700_000_000_000_000,
            max_factor: 196_608
          }
        ]
      }),
      getBlockchainRawAccount: (request) => rawAccount(request),
      getBlockchainRawAccounts: (request) => ({
        accounts: idsAsked(request).map((address) => rawAccount(request, address))
      }),
      getBlockchainAccountTransactions: transactions,
      execGetMethodForBlockchainAccount: {
        success: true,
        exit_code: 0,
        stack: [{ type: "num", num: "0x1" }]
      },
      sendBlockchainMessage: undefined,
      addressParse: forms,
      getAccounts: (request) => ({
        accounts: idsAsked(request).map((address) => account(request, address))
      }),
      getAccount: (request) => account(request),
      accountDnsBackResolve: { domains: [] },
      getAccountJettonsBalances: (request) => ({ balances: [jettonBalance(request)] }),
      getAccountJettonBalance: jettonBalance,
      getAccountJettonsHistory: { operations: [] },
      getAccountNftItems: { nft_items: [] },
      getAccountEvents: { events: [], next_from: 0 },
      getAccountTraces: (request) => ({
        traces: [
          { id: syntheticHex(`trace of ${who(request)}`), utime: seconds(request, request.height - 5) }
        ]
      }),
      getAccountPublicKey: (request) => ({ public_key: syntheticHex(`key of ${who(request)}`) }),
      getAccountDiff: { balance_change: 1_000_000_000 },
      searchAccounts: { addresses: [] },
      dnsResolve: { sites: [] },
      getNftCollections: { nft_collections: [] },
      getItemsFromCollection: { nft_items: [] },
      getNftItemsByAddresses: { nft_items: [] },
      getTrace: (request) => ({
        transaction: transaction(request, request.text("traceId", syntheticHex("trace"))),
        interfaces: ["wallet_v4r2"]
      }),
      getEvent: (request) => ({
        event_id: request.text("eventId", syntheticHex("event")),
        timestamp: seconds(request, request.height - 5),
        actions: [],
        value_flow: [],
        is_scam: false,
        lt: lt(request.height - 5),
        in_progress: false,
        progress: 1
      }),
      getJettons: { jettons: [jettonInfo(tether)] },
      getJettonInfo: (request) => jettonInfo(who(request)),
      getJettonHolders: (request) => ({
        addresses: [
          {
            address: `0:${syntheticHex("holder")}`,
            owner: nameAddress(elector),
            balance: request.text("balance", "1")
          }
        ],
        total: 1
      }),
      getRates: ({ text }) => ({
        rates: Object.fromEntries(
          text("tokens", "ton")
            .split(",")
            .map((token) => [
              token.toUpperCase(),
              {
                prices: Object.fromEntries(
                  text("currencies", "usd")
                    .split(",")
                    .map((currency) => [currency.toUpperCase(), 3.25])
                )
              }
            ])
        )
      }),
      getChartRates: ({ now }) => ({ points: [[Math.floor(now / 1000), 3.25]] }),
      getMarketsRates: ({ now }) => ({
        markets: [{ market: "Sandbox", usd_price: 3.25, last_date_update: Math.floor(now / 1000) }]
      }),
      getStorageProviders: { providers: [] },
      getTonConnectPayload: { payload: syntheticHex("payload", 32) },
      getAccountSeqno: { seqno: 1 },
      getWalletInfo: wallet,
      getWalletsByPublicKey: (request) => ({ accounts: [wallet(request)] }),
      gaslessConfig: { relay_address: elector, gas_jettons: [{ master_id: tether }] },
      getRawMasterchainInfo: (request) => ({
        last: rawId(request, request.height),
        state_root_hash: syntheticBase64(`state ${request.height}`),
        init: init(request)
      }),
      getRawMasterchainInfoExt: (request) => ({
        mode: request.whole("mode", 0),
        version: 257,
        capabilities: 7,
        last: rawId(request, request.height),
        last_utime: seconds(request, request.height),
        now: Math.floor(request.now / 1000),
        state_root_hash: syntheticBase64(`state ${request.height}`),
        init: init(request)
      }),
      getRawTime: ({ now }) => ({ time: Math.floor(now / 1000) }),
      getRawBlockchainBlock: (request) => ({
        id: rawId(request, seqnoOf(request)),
        data: syntheticBytes(`block ${seqnoOf(request)}`, 96).toString("hex")
      }),
      getRawBlockchainBlockHeader: (request) => ({
        id: rawId(request, seqnoOf(request)),
        mode: request.whole("mode", 0),
        header_proof: emptyCell.hex
      }),
      sendRawMessage: { code: 1 },
      getRawAccountState: (request) => ({
        id: rawId(request, request.height),
        shardblk: rawId(request, request.height),
        shard_proof: "",
        proof: "",
        state: emptyCell.hex
      }),
      getRawTransactions: (request) => ({
        ids: [rawId(request, request.height - 5)],
        transactions: emptyCell.hex
      })
    })
  ]
}
