/** Recordings of Stellar, in Horizon's format. */
import { endpoints } from "../../chains/Stellar.js"
import { answerTransaction, type RejectedTransaction } from "./checks/TransactionCheck.js"
import { makeRecordings, type RecordedFamily, RecordedRefusal, type RecordedRequest } from "./Recording.js"
import { blockHash, syntheticBase64, syntheticHex } from "./Synthetic.js"

const passphrases = {
  main: "Public Global Stellar Network ; September 2015",
  test: "Test SDF Network ; September 2015"
}
/** The account that held all lumens in the first ledger. */
const genesis = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7"
/** The minimum fee of a transaction in stroops, and the reserve of one entry. */
const baseFee = 100
const baseReserve = 5_000_000

/** Links to further resources, which lead to no server. */
const links = (names: string) => ({
  _links: Object.fromEntries(
    names.split(" ").map((name) => [name, { href: `https://horizon.invalid/${name}` }])
  )
})
const page = <A>(...records: ReadonlyArray<A>) => ({ ...links("self next prev"), _embedded: { records } })

const hashOf = blockHash

/** Paging tokens have the ledger in their upper half. */
const tokenOf = (sequence: number): string => String(BigInt(sequence) * 4_294_967_296n)

const iso = (request: RecordedRequest, sequence: number): string =>
  new Date(request.timeOf(sequence)).toISOString().replace(/\.\d+/, "")

const ledger = (request: RecordedRequest, sequence: number) => ({
  ...links("self transactions operations payments effects"),
  id: hashOf(sequence),
  paging_token: tokenOf(sequence),
  hash: hashOf(sequence),
  ...(sequence === 1 ? {} : { prev_hash: hashOf(sequence - 1) }),
  sequence,
  successful_transaction_count: 0,
  failed_transaction_count: 0,
  operation_count: 0,
  tx_set_operation_count: 0,
  closed_at: iso(request, sequence),
  total_coins: "50001806812.3456789",
  fee_pool: "7500000.0000000",
  base_fee_in_stroops: baseFee,
  base_reserve_in_stroops: baseReserve,
  max_tx_set_size: 1000,
  protocol_version: 22,
  header_xdr: syntheticBase64(`header ${sequence}`, 120)
})

const account = (request: RecordedRequest, id: string) => ({
  ...links("self transactions operations payments effects offers trades data"),
  id,
  account_id: id,
  sequence: tokenOf(request.height - 1000),
  subentry_count: 0,
  last_modified_ledger: request.height - 1000,
  last_modified_time: iso(request, request.height - 1000),
  thresholds: { low_threshold: 0, med_threshold: 0, high_threshold: 0 },
  flags: {
    auth_required: false,
    auth_revocable: false,
    auth_immutable: false,
    auth_clawback_enabled: false
  },
  balances: [
    {
      balance: "10000.0000000",
      buying_liabilities: "0.0000000",
      selling_liabilities: "0.0000000",
      asset_type: "native" as const
    }
  ],
  signers: [{ key: id, weight: 1, type: "ed25519_public_key" as const }],
  data: {},
  num_sponsoring: 0,
  num_sponsored: 0,
  paging_token: id
})

const who = (request: RecordedRequest): string => request.text("accountId", genesis)

const transaction = (request: RecordedRequest, hash: string, sequence: number) => ({
  ...links("self account ledger operations effects precedes succeeds transaction"),
  id: hash,
  paging_token: tokenOf(sequence),
  successful: true,
  hash,
  ledger: sequence,
  created_at: iso(request, sequence),
  source_account: who(request),
  source_account_sequence: tokenOf(sequence - 1000),
  fee_account: who(request),
  fee_charged: String(baseFee),
  max_fee: String(baseFee),
  operation_count: 1,
  envelope_xdr: syntheticBase64("envelope", 120),
  result_xdr: syntheticBase64("result", 24),
  memo_type: "none" as const,
  signatures: [syntheticBase64("signature", 64)]
})

const hashAsked = (request: RecordedRequest): string =>
  request.text("transactionHash", syntheticHex(`payment ${who(request)}`))

const list = (request: RecordedRequest) =>
  page(transaction(request, hashAsked(request), request.whole("sequence", request.height - 1)))

const operation = (request: RecordedRequest) => {
  const sequence = request.whole("sequence", request.height - 1)
  const id = request.text("id", String(BigInt(tokenOf(sequence)) + 1n))
  return {
    ...links("self transaction effects succeeds precedes"),
    id,
    paging_token: id,
    type: "payment",
    type_i: 1,
    created_at: iso(request, sequence),
    source_account: who(request),
    transaction_hash: hashAsked(request),
    transaction_successful: true,
    from: who(request),
    to: genesis,
    amount: "1.0000000",
    asset_type: "native"
  }
}
const operations = (request: RecordedRequest) => page(operation(request))

const effects = (request: RecordedRequest) =>
  page({
    ...links("operation succeeds precedes"),
    id: "0000000000000000001-0000000001",
    paging_token: `${tokenOf(request.height - 1)}-1`,
    account: who(request),
    type: "account_credited",
    type_i: 2,
    created_at: iso(request, request.height - 1),
    amount: "1.0000000",
    asset_type: "native"
  })

const asset = { asset_type: "credit_alphanum4" as const, asset_code: "USDC", asset_issuer: genesis }

const pool = (request: RecordedRequest) => ({
  ...links("self transactions operations"),
  id: request.text("liquidityPoolId", syntheticHex("pool")),
  paging_token: request.text("liquidityPoolId", syntheticHex("pool")),
  fee_bp: 30,
  type: "constant_product",
  total_trustlines: "1",
  total_shares: "1000.0000000",
  reserves: [
    { asset: "native", amount: "1000.0000000" },
    { asset: `USDC:${genesis}`, amount: "250.0000000" }
  ],
  last_modified_ledger: request.height - 1000,
  last_modified_time: iso(request, request.height - 1000)
})

const offer = (request: RecordedRequest) => ({
  ...links("self offer_maker"),
  id: request.text("offerId", "1"),
  paging_token: request.text("offerId", "1"),
  seller: who(request),
  selling: { asset_type: "native" as const },
  buying: asset,
  amount: "100.0000000",
  price_r: { n: 1, d: 4 },
  price: "0.2500000",
  last_modified_ledger: request.height - 1000,
  last_modified_time: iso(request, request.height - 1000)
})

const claimable = (request: RecordedRequest) => {
  const id = request.text("claimableBalanceId", `00000000${syntheticHex("claimable")}`)
  return {
    ...links("self operations transactions"),
    id,
    paging_token: id,
    asset: "native",
    amount: "10.0000000",
    last_modified_ledger: request.height - 1000,
    last_modified_time: iso(request, request.height - 1000),
    claimants: [{ destination: genesis, predicate: { unconditional: true } }]
  }
}

const fees = {
  max: "10000",
  min: "100",
  mode: "100",
  p10: "100",
  p20: "100",
  p30: "100",
  p40: "100",
  p50: "100",
  p60: "100",
  p70: "200",
  p80: "500",
  p90: "1000",
  p95: "5000",
  p99: "10000"
}

/** Stellar Core's result for missing or wrong signatures, in XDR. */
const BAD_AUTH = "AAAAAAAAAAD////6AAAAAA=="

const problem = (kind: string, title: string, fields: object): object => ({
  type: `https://stellar.org/horizon-errors/${kind}`,
  title,
  status: 400,
  ...fields
})

const answerSent = <A>(
  request: RecordedRequest,
  taken: (hash: string) => A,
  unsigned: (unfit: RejectedTransaction, envelope: string) => object
) => {
  const envelope = request.text("tx", "")
  return answerTransaction({
    peers: "@stellar/stellar-base",
    load: () => import("./checks/Stellar.js"),
    find: ({ checkTransaction }) =>
      checkTransaction(envelope, request.testnet ? passphrases.test : passphrases.main),
    taken: ({ hash }) => taken(hash),
    refused: (unfit) =>
      new RecordedRefusal(
        unfit.reason === "unreadable"
          ? problem("transaction_malformed", "Transaction Malformed", { extras: { envelope_xdr: envelope } })
          : unsigned(unfit, envelope),
        400
      ),
    failed: (detail) =>
      new RecordedRefusal({ ...problem("not_implemented", "Not Implemented", { detail }), status: 501 }, 501)
  })
}

const EMPTY_PAGE = page<never>()

/**
 * The answers of Horizon.
 *
 * @since 0.1.0
 * @category constants
 */
export const stellar: RecordedFamily = {
  height: 58_000_000,
  blockTime: 5_500,
  protocol: "rest",
  error: (detail, status) => ({
    type: `https://stellar.org/horizon-errors/${status === 501 ? "not_implemented" : "bad_request"}`,
    title: status === 501 ? "Resource Not Yet Implemented" : "Bad Request",
    status,
    detail
  }),
  recordings: makeRecordings(endpoints, {
    getRoot: (request) => ({
      ...links("self account accounts ledgers offers operations transactions"),
      horizon_version: "23.0.0",
      core_version: "stellar-core 22.4.1",
      ingest_latest_ledger: request.height,
      history_latest_ledger: request.height,
      history_latest_ledger_closed_at: iso(request, request.height),
      history_elder_ledger: 2,
      core_latest_ledger: request.height,
      network_passphrase: request.testnet ? passphrases.test : passphrases.main,
      current_protocol_version: 22,
      supported_protocol_version: 22,
      core_supported_protocol_version: 22
    }),
    getHealth: { database_connected: true, core_up: true, core_synced: true },
    getAccounts: (request) => page(account(request, request.text("signer", genesis))),
    getAccount: (request) => account(request, who(request)),
    getAccountData: { value: Buffer.from("sandbox").toString("base64") },
    getAccountEffects: effects,
    getAccountOffers: (request) => page(offer(request)),
    getAccountOperations: operations,
    getAccountPayments: operations,
    getAccountTrades: EMPTY_PAGE,
    getAccountTransactions: list,
    getAssets: (request) =>
      page({
        ...links("toml"),
        ...asset,
        asset_code: request.text("asset_code", asset.asset_code),
        asset_issuer: request.text("asset_issuer", genesis),
        paging_token: `USDC_${genesis}_credit_alphanum4`,
        accounts: { authorized: 1, authorized_to_maintain_liabilities: 0, unauthorized: 0 },
        balances: {
          authorized: "1000.0000000",
          authorized_to_maintain_liabilities: "0.0000000",
          unauthorized: "0.0000000"
        },
        num_claimable_balances: 0,
        num_liquidity_pools: 1,
        claimable_balances_amount: "0.0000000",
        liquidity_pools_amount: "250.0000000",
        flags: { auth_required: false, auth_revocable: true }
      }),
    getClaimableBalances: (request) => page(claimable(request)),
    getClaimableBalance: claimable,
    getClaimableOperations: operations,
    getClaimableTransactions: list,
    getEffects: effects,
    getFeeStats: ({ height }) => ({
      last_ledger: String(height),
      last_ledger_base_fee: String(baseFee),
      ledger_capacity_usage: "0.25",
      fee_charged: fees,
      max_fee: fees
    }),
    getLedgers: (request) => page(ledger(request, request.height), ledger(request, request.height - 1)),
    getLedger: (request) => ledger(request, request.whole("sequence", request.height)),
    getLedgerEffects: effects,
    getLedgerOperations: operations,
    getLedgerPayments: operations,
    getLedgerTransactions: list,
    getLiquidityPools: (request) => page(pool(request)),
    getLiquidityPool: pool,
    getLiquidityPoolEffects: effects,
    getLiquidityPoolOperations: operations,
    getLiquidityPoolTrades: EMPTY_PAGE,
    getLiquidityPoolTransactions: list,
    getOffers: (request) => page(offer(request)),
    getOffer: offer,
    getOfferTrades: EMPTY_PAGE,
    getOperations: operations,
    getOperation: operation,
    getOperationEffects: effects,
    getOrderBook: {
      bids: [{ price: "0.2490000", price_r: { n: 249, d: 1000 }, amount: "100.0000000" }],
      asks: [{ price: "0.2510000", price_r: { n: 251, d: 1000 }, amount: "100.0000000" }],
      base: { asset_type: "native" },
      counter: asset
    },
    getPayments: operations,
    getStrictReceivePaymentPaths: { _embedded: { records: [] } },
    getStrictSendPaymentPaths: { _embedded: { records: [] } },
    getTradeAggregations: EMPTY_PAGE,
    getTrades: EMPTY_PAGE,
    getTransactions: list,
    getTransaction: (request) => transaction(request, hashAsked(request), request.height - 1),
    getTransactionEffects: effects,
    getTransactionOperations: operations,
    getTransactionPayments: operations,
    submitTransaction: (request) =>
      answerSent(
        request,
        (hash) => transaction(request, hash, request.height + 1),
        ({ detail }, envelope_xdr) => {
          const result_codes = { transaction: detail }
          const extras = { envelope_xdr, result_codes, result_xdr: BAD_AUTH }
          return problem("transaction_failed", "Transaction Failed", { extras })
        }
      ),
    submitTransactionAsync: (request) =>
      answerSent(
        request,
        (hash) => ({ tx_status: "PENDING" as const, hash }),
        ({ hash }) => ({ tx_status: "ERROR", hash, error_result_xdr: BAD_AUTH })
      ),
    fundTestAccount: (request) =>
      transaction(request, syntheticHex(`fund ${request.text("addr", genesis)}`), request.height + 1)
  })
}
