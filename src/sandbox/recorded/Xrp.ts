/** Recordings of the XRP Ledger, in rippled's format. */
import * as Effect from "effect/Effect"
import { endpoints } from "../../chains/Xrp.js"
import { answerTransaction } from "./checks/TransactionCheck.js"
import { makeRecordings, type RecordedFamily, RecordedRefusal, type RecordedRequest } from "./Recording.js"
import { blockHash, heightOfBlockHash, syntheticUpperHex } from "./Synthetic.js"

/** The account that held all XRP in the first ledger. */
const genesis = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"
/** The oldest ledger that any server has, and its hash. */
const oldest = { index: 32570, hash: "4109C6F2045FC7EFF4CDE8F9905D19C28820D86304080FF886B299F0206E42B5" }
/** 2000-01-01, from which the ledger counts seconds. */
const epoch = 946_684_800

const hashOf = (index: number): string =>
  index === oldest.index ? oldest.hash : blockHash(index).toUpperCase()

const closeTime = ({ timeOf }: RecordedRequest, index: number): number =>
  Math.floor(timeOf(index) / 1000) - epoch

/** The requested ledger, by default the newest validated one. */
const indexOf = ({ get, height, whole }: RecordedRequest): number => {
  const hash = get("ledger_hash")
  return typeof hash === "string"
    ? hash === oldest.hash
      ? oldest.index
      : heightOfBlockHash(hash, height)
    : whole("ledger_index", height)
}

const of = (request: RecordedRequest) => {
  const index = indexOf(request)
  return { ledger_hash: hashOf(index), ledger_index: index, validated: true }
}

const account = ({ text }: RecordedRequest): string => text("account", genesis)

const payment = (request: RecordedRequest, hash: string) => ({
  TransactionType: "Payment",
  Account: account(request),
  Destination: genesis,
  Amount: "1000000",
  DeliverMax: "1000000",
  Fee: "10",
  Flags: 0,
  Sequence: 1,
  SigningPubKey: `03${syntheticUpperHex("key")}`,
  TxnSignature: syntheticUpperHex("signature", 70),
  hash
})

const meta = {
  AffectedNodes: [],
  TransactionIndex: 0,
  TransactionResult: "tesSUCCESS",
  delivered_amount: "1000000"
}

/** The transaction in a request, in the form in which the server returns it. */
const readTransaction = (request: RecordedRequest) => {
  const json = request.get("tx_json")
  const blob = request.text("tx_blob", syntheticUpperHex(JSON.stringify(json ?? "transaction"), 120))
  const fields = typeof json === "object" && json !== null ? json : payment(request, "")
  return {
    tx_blob: blob,
    tx_json: { ...payment(request, ""), ...fields, hash: syntheticUpperHex(blob) }
  }
}

const outcomes: Readonly<Record<string, readonly [code: number, message: string]>> = {
  tesSUCCESS: [0, "The transaction was applied. Only final in a validated ledger."],
  tefBAD_AUTH: [-196, "Transaction's public key is not authorized."],
  telNETWORK_ID_MAKES_TX_NON_CANONICAL: [
    -384,
    "Transactions submitted to this network must NOT include a NetworkID field."
  ]
}

const makeSubmitResult = <T extends object>(request: RecordedRequest, engine_result: string, tx: T) => {
  const [engine_result_code = 0, engine_result_message = ""] = outcomes[engine_result] ?? []
  const isApplied = engine_result === "tesSUCCESS"
  return {
    ...tx,
    accepted: isApplied,
    account_sequence_available: 2,
    account_sequence_next: 2,
    applied: isApplied,
    broadcast: isApplied,
    engine_result,
    engine_result_code,
    engine_result_message,
    kept: isApplied,
    queued: false,
    open_ledger_cost: "10",
    validated_ledger_index: request.height
  }
}

/** The answer to a broadcast. A server that gets the secret signs the transaction itself. */
const submit = (request: RecordedRequest) => {
  const blob = request.get("tx_blob")
  if (typeof blob !== "string")
    return Effect.succeed(makeSubmitResult(request, "tesSUCCESS", readTransaction(request)))
  const tx = { ...readTransaction(request), tx_blob: blob }
  return answerTransaction({
    peers: "ripple-binary-codec ripple-keypairs",
    load: () => import("./checks/Xrp.js"),
    find: ({ checkTransaction }) => checkTransaction(blob),
    taken: ({ fields, hash }) =>
      makeSubmitResult(request, "tesSUCCESS", { ...tx, tx_json: { ...tx.tx_json, ...fields, hash } }),
    refused: ({ detail, reason }) =>
      // rippled answers a well-formed transaction with its own view of the account, not with an error
      new RecordedRefusal(
        reason === "unreadable"
          ? {
              error: "invalidTransaction",
              error_exception: detail,
              request: { command: "submit", tx_blob: blob }
            }
          : makeSubmitResult(request, detail, tx)
      ),
    failed: (error_message) => new RecordedRefusal({ error: "notSupported", error_code: 75, error_message })
  })
}

/** A time in whole seconds. */
const toIsoTime = (time: number): string => new Date(time).toISOString().replace(/\.\d+/, "")

const header = (request: RecordedRequest, index: number) => ({
  account_hash: syntheticUpperHex(`state ${index}`),
  close_flags: 0,
  close_time: closeTime(request, index),
  close_time_human: new Date(request.timeOf(index)).toUTCString(),
  close_time_iso: toIsoTime(request.timeOf(index)),
  close_time_resolution: 10,
  closed: true,
  ledger_hash: hashOf(index),
  ledger_index: index,
  parent_close_time: closeTime(request, index - 1),
  parent_hash: hashOf(index - 1),
  total_coins: "99985000000000000",
  transaction_hash: syntheticUpperHex(`transactions ${index}`)
})

/** Whether a request is about the open ledger (`current`), which has no hash yet. */
const isOpen = ({ text }: RecordedRequest): boolean => text("ledger_index", "") === "current"

const state = (request: RecordedRequest) => ({
  build_version: "2.4.0",
  complete_ledgers: `${oldest.index}-${request.height}`,
  io_latency_ms: 1,
  jq_trans_overflow: "0",
  network_id: request.testnet ? 1 : 0,
  peers: 21,
  pubkey_node: "n9KnrcCmL5psyKtk2KWP6jy14Hj4EXuZDg7XMdQJ9cSDoFSp53hu",
  server_state: "full" as const,
  server_state_duration_us: "86300000000",
  state_accounting: {
    connected: { duration_us: "60000000", transitions: "1" },
    disconnected: { duration_us: "20000000", transitions: "1" },
    full: { duration_us: "86300000000", transitions: "1" },
    syncing: { duration_us: "15000000", transitions: "1" },
    tracking: { duration_us: "5000000", transitions: "1" }
  },
  time: new Date(request.now).toUTCString(),
  uptime: 86_400,
  validation_quorum: 28
})

const nft = (request: RecordedRequest) => ({
  nft_id: request.text("nft_id", "00".repeat(32)),
  ledger_index: request.height,
  owner: account(request),
  is_burned: false,
  flags: 8,
  transfer_fee: 0,
  issuer: request.text("issuer", genesis),
  nft_taxon: request.whole("nft_taxon", 0),
  nft_serial: 1,
  uri: ""
})

const transactions = (request: RecordedRequest) => {
  const index = request.height - 1
  const hash = syntheticUpperHex(`payment ${account(request)}`)
  return [
    {
      meta,
      tx: { ...payment(request, hash), date: closeTime(request, index), ledger_index: index },
      validated: true
    }
  ]
}

/**
 * The answers of an XRP server.
 *
 * @since 0.1.0
 * @category constants
 */
export const xrp: RecordedFamily = {
  unknown: () =>
    new RecordedRefusal({ error: "lgrNotFound", error_code: 21, error_message: "ledgerNotFound" }),

  height: 98_000_000,
  blockTime: 3_900,
  protocol: "rpc",
  style: "rippled",
  recordings: makeRecordings(endpoints, {
    accountChannels: (request) => ({ ...of(request), account: account(request), channels: [] }),
    accountCurrencies: (request) => ({
      ...of(request),
      receive_currencies: ["USD"],
      send_currencies: ["USD"]
    }),
    accountInfo: (request) => ({
      ...of(request),
      account_data: {
        Account: account(request),
        Balance: "100000000",
        Flags: 0,
        LedgerEntryType: "AccountRoot",
        OwnerCount: 1,
        PreviousTxnID: syntheticUpperHex(`payment ${account(request)}`),
        PreviousTxnLgrSeq: request.height - 1,
        Sequence: 2,
        index: syntheticUpperHex(`account ${account(request)}`)
      },
      account_flags: {
        allowTrustLineClawback: false,
        defaultRipple: false,
        depositAuth: false,
        disableMasterKey: false,
        disallowIncomingXRP: false,
        globalFreeze: false,
        noFreeze: false,
        passwordSpent: false,
        requireAuthorization: false,
        requireDestinationTag: false
      }
    }),
    accountLines: (request) => ({
      ...of(request),
      account: account(request),
      lines: [
        {
          account: request.text("peer", "rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B"),
          balance: "25.5",
          currency: "USD",
          limit: "1000",
          limit_peer: "0",
          no_ripple: true,
          quality_in: 0,
          quality_out: 0
        }
      ]
    }),
    accountNfts: (request) => ({ ...of(request), account: account(request), account_nfts: [] }),
    accountObjects: (request) => ({ ...of(request), account: account(request), account_objects: [] }),
    accountOffers: (request) => ({ ...of(request), account: account(request), offers: [] }),
    accountTx: (request) => ({
      account: account(request),
      ledger_index_min: request.whole("ledger_index_min", oldest.index),
      ledger_index_max: request.whole("ledger_index_max", request.height),
      limit: request.whole("limit", 200),
      transactions: transactions(request),
      validated: true
    }),
    ammInfo: (request) => ({
      ...of(request),
      amm: {
        account: request.text("amm_account", genesis),
        amount: "1000000000",
        amount2: { currency: "USD", issuer: "rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B", value: "2500" },
        lp_token: { currency: `03${syntheticUpperHex("pool", 19)}`, issuer: genesis, value: "1581138" },
        trading_fee: 500
      }
    }),
    bookChanges: (request) => ({
      ...of(request),
      type: "bookChanges" as const,
      ledger_time: closeTime(request, request.height),
      changes: []
    }),
    bookOffers: (request) => ({ ...of(request), offers: [] }),
    channelVerify: { signature_verified: true },
    depositAuthorized: (request) => ({
      ...of(request),
      deposit_authorized: true,
      source_account: request.text("source_account", genesis),
      destination_account: request.text("destination_account", genesis)
    }),
    feature: {
      features: {
        "586480873651E106F1D6339B0C4A8945BA705A777F3F4524626FF1FC07EFE41D": {
          enabled: true,
          name: "MultiSignReserve",
          supported: true
        }
      }
    },
    fee: ({ height }) => ({
      current_ledger_size: "40",
      current_queue_size: "0",
      drops: { base_fee: "10", median_fee: "5000", minimum_fee: "10", open_ledger_fee: "10" },
      expected_ledger_size: "120",
      ledger_current_index: height + 1,
      levels: {
        median_level: "128000",
        minimum_level: "256",
        open_ledger_level: "256",
        reference_level: "256"
      },
      max_queue_size: "2400"
    }),
    gatewayBalances: (request) => ({
      ...of(request),
      account: account(request),
      obligations: { USD: "1250" }
    }),
    ledger: (request) => {
      if (isOpen(request)) {
        const index = request.height + 1
        return {
          ledger: { closed: false, ledger_index: index, parent_hash: hashOf(request.height) },
          ledger_current_index: index,
          validated: false
        }
      }
      const index = indexOf(request)
      const listed = request.get("transactions") === true
      return {
        ...of(request),
        ledger: { ...header(request, index), ...(listed ? { transactions: [] } : {}) }
      }
    },
    ledgerClosed: ({ height }) => ({ ledger_hash: hashOf(height), ledger_index: height }),
    ledgerCurrent: ({ height }) => ({ ledger_current_index: height + 1 }),
    ledgerData: (request) => ({ ...of(request), state: [] }),
    ledgerEntry: (request) => {
      const index = request.text("index", syntheticUpperHex("entry"))
      return {
        ...of(request),
        index,
        node: {
          LedgerEntryType: "AccountRoot",
          Account: request.text("account_root", genesis),
          Balance: "100000000",
          index
        }
      }
    },
    ledgerIndex: ({ height, timeOf }) => ({
      ledger_hash: hashOf(height),
      ledger_index: height,
      closed: toIsoTime(timeOf(height)),
      validated: true
    }),
    manifest: ({ text }) => ({ requested: text("public_key", "") }),
    nftBuyOffers: (request) => ({ ...of(request), nft_id: nft(request).nft_id, offers: [] }),
    nftSellOffers: (request) => ({ ...of(request), nft_id: nft(request).nft_id, offers: [] }),
    nftInfo: (request) => ({ ...nft(request), validated: true }),
    nftsByIssuer: (request) => ({ issuer: nft(request).issuer, nfts: [nft(request)], validated: true }),
    nftHistory: (request) => ({
      nft_id: nft(request).nft_id,
      ledger_index_min: oldest.index,
      ledger_index_max: request.height,
      transactions: transactions(request)
    }),
    norippleCheck: (request) => ({ ...of(request), problems: [], transactions: [] }),
    ping: { role: "proxied" },
    random: ({ now }) => ({ random: syntheticUpperHex(`random ${now}`) }),
    ripplePathFind: (request) => ({
      ...of(request),
      alternatives: [],
      destination_account: request.text("destination_account", genesis),
      destination_amount: request.text("destination_amount", "1000000"),
      destination_currencies: ["XRP", "USD"],
      source_account: request.text("source_account", genesis)
    }),
    serverInfo: (request) => ({
      info: {
        ...state(request),
        hostid: "SANDBOX",
        last_close: { converge_time_s: 3, proposers: 35 },
        load_factor: 1,
        ports: [{ port: "51235", protocol: ["peer"] }],
        validated_ledger: {
          age: 2,
          base_fee_xrp: 0.00001,
          hash: hashOf(request.height),
          reserve_base_xrp: 1,
          reserve_inc_xrp: 0.2,
          seq: request.height
        }
      }
    }),
    serverState: (request) => ({
      state: {
        ...state(request),
        last_close: { converge_time: 3000, proposers: 35 },
        load_base: 256,
        load_factor: 256,
        validated_ledger: {
          base_fee: 10,
          close_time: closeTime(request, request.height),
          hash: hashOf(request.height),
          reserve_base: 1_000_000,
          reserve_inc: 200_000,
          seq: request.height
        }
      }
    }),
    sign: readTransaction,
    signFor: readTransaction,
    simulate: (request) => ({
      applied: false,
      engine_result: "tesSUCCESS",
      engine_result_code: 0,
      engine_result_message: "The simulated transaction would have been applied.",
      ledger_index: request.height + 1,
      meta,
      tx_json: readTransaction(request).tx_json
    }),
    submit,
    submitMultisigned: (request) => ({
      ...readTransaction(request),
      engine_result: "tesSUCCESS",
      engine_result_code: 0,
      engine_result_message: "The transaction was applied. Only final in a validated ledger."
    }),
    transactionEntry: (request) => ({
      ...of(request),
      metadata: meta,
      tx_json: payment(request, request.text("tx_hash", syntheticUpperHex("payment")))
    }),
    tx: (request) => {
      const index = request.height - 1
      return {
        ...payment(request, request.text("transaction", syntheticUpperHex("payment"))),
        date: closeTime(request, index),
        ledger_index: index,
        inLedger: index,
        meta,
        validated: true
      }
    },
    version: { version: { first: "1.0.0", good: "1.0.0", last: "1.0.0" } }
  })
}
