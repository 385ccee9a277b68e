/** Recordings of Cosmos (the Cosmos Hub): the REST routes of its modules, and Rosetta. */
import { createHash } from "node:crypto"
import { endpoints } from "../../chains/Cosmos.js"
import { chainOf } from "../../signers/cosmos/networks.js"
import { answerTransaction } from "./checks/TransactionCheck.js"
import { makeRecordings, type RecordedFamily, RecordedRefusal, type RecordedRequest } from "./Recording.js"
import { makeRosettaRecordings, makeUnknownBlock } from "./Rosetta.js"
import { blockHash, syntheticBase64, syntheticUpperHex } from "./Synthetic.js"

const chain = "cosmoshub-4"
/** The module that holds staked coins, and a validator. */
const user = "cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh"
const operator = "cosmosvaloper1clpqr4nrk4khgkxj78fcwwh6dl3uw4epsluffn"
const consensus = "cosmosvalcons1px0zkz2cxvc6lh34uhafveea9jnaagckmrlsye"
const atom = (amount: string) => ({ denom: "uatom", amount })

const isoTime = (request: RecordedRequest, height: number): string =>
  new Date(request.timeOf(height)).toISOString()
const heightAsked = (request: RecordedRequest): number => request.whole("height", request.height)
const addressAsked = ({ text }: RecordedRequest): string =>
  text("address", text("delegator_address", text("delegator_addr", user)))
const validatorOf = ({ text }: RecordedRequest): string =>
  text("validator_address", text("validator_addr", operator))

const idOf = (height: number) => ({
  hash: Buffer.from(blockHash(height), "hex").toString("base64"),
  part_set_header: { total: 1, hash: syntheticBase64(`parts ${height}`) }
})

const header = (request: RecordedRequest, height: number) => ({
  version: { block: "11", app: "0" },
  chain_id: chain,
  height: String(height),
  time: isoTime(request, height),
  last_block_id: idOf(height - 1),
  last_commit_hash: syntheticBase64(`commit ${height}`),
  data_hash: syntheticBase64(`data ${height}`),
  validators_hash: syntheticBase64("validators"),
  next_validators_hash: syntheticBase64("validators"),
  consensus_hash: syntheticBase64("consensus"),
  app_hash: syntheticBase64(`app ${height}`),
  last_results_hash: syntheticBase64(`results ${height}`),
  evidence_hash: syntheticBase64("evidence"),
  proposer_address: syntheticBase64("proposer", 20)
})

const block = (request: RecordedRequest, height: number) => ({
  header: header(request, height),
  data: { txs: [] },
  evidence: { evidence: [] },
  last_commit: { height: String(height - 1), round: 0, block_id: idOf(height - 1), signatures: [] }
})

const blockAnswer = (request: RecordedRequest, height: number) => ({
  block_id: idOf(height),
  block: block(request, height),
  sdk_block: block(request, height)
})

const baseAccount = (request: RecordedRequest) => ({
  address: addressAsked(request),
  pub_key: null,
  account_number: "1",
  sequence: "0"
})
const account = (request: RecordedRequest) => ({
  "@type": "/cosmos.auth.v1beta1.BaseAccount",
  ...baseAccount(request)
})

const page = (total: number) => ({ pagination: { next_key: null, total: String(total) } })

const validator = (request: RecordedRequest) => ({
  operator_address: validatorOf(request),
  consensus_pubkey: { "@type": "/cosmos.crypto.ed25519.PubKey", key: syntheticBase64("validator") },
  jailed: false,
  status: "BOND_STATUS_BONDED" as const,
  tokens: "1000000000000",
  delegator_shares: "1000000000000.000000000000000000",
  description: {
    moniker: "sandbox",
    identity: "",
    website: "",
    security_contact: "",
    details: ""
  },
  unbonding_height: "0",
  unbonding_time: "1970-01-01T00:00:00Z",
  commission: {
    commission_rates: {
      rate: "0.050000000000000000",
      max_rate: "0.200000000000000000",
      max_change_rate: "0.010000000000000000"
    },
    update_time: isoTime(request, 5_200_791)
  },
  min_self_delegation: "1"
})

const validators = (request: RecordedRequest) => ({ validators: [validator(request)], ...page(1) })

const validatorSet = (request: RecordedRequest) => ({
  block_height: String(heightAsked(request)),
  validators: [
    {
      address: consensus,
      pub_key: { "@type": "/cosmos.crypto.ed25519.PubKey", key: syntheticBase64("validator") },
      voting_power: "1000000",
      proposer_priority: "0"
    }
  ],
  ...page(1)
})

const delegation = (request: RecordedRequest) => ({
  delegation: {
    delegator_address: addressAsked(request),
    validator_address: validatorOf(request),
    shares: "5000000.000000000000000000"
  },
  balance: atom("5000000")
})

const rewards = [{ denom: "uatom", amount: "12345.678900000000000000" }]

const unbonding = (request: RecordedRequest) => ({
  delegator_address: addressAsked(request),
  validator_address: validatorOf(request),
  entries: []
})

const tx = (request: RecordedRequest) => ({
  body: {
    messages: [
      {
        "@type": "/cosmos.bank.v1beta1.MsgSend",
        from_address: addressAsked(request),
        to_address: user,
        amount: [atom("1000000")]
      }
    ],
    memo: "",
    timeout_height: "0"
  },
  auth_info: {
    signer_infos: [],
    fee: { amount: [atom("2500")], gas_limit: "100000" }
  },
  signatures: [syntheticBase64("signature", 64)]
})

const response = (request: RecordedRequest, txhash: string, height = request.height - 1) => ({
  height: String(height),
  txhash,
  codespace: "",
  code: 0,
  data: "",
  raw_log: "",
  logs: [],
  info: "",
  gas_wanted: "100000",
  gas_used: "80000",
  tx: null,
  timestamp: height > 0 ? isoTime(request, height) : "",
  events: []
})

/**
 * The answer to a broadcast. The application's code is 2 for a transaction that it cannot decode, and 4 for one that is
 * not authorized.
 */
const answerSent = (request: RecordedRequest) =>
  answerTransaction({
    peers: "cosmjs-types @noble/curves",
    load: () => import("./checks/Cosmos.js"),
    find: ({ checkTransaction }) =>
      checkTransaction(
        request.text("tx_bytes", ""),
        chainOf(request.network) ?? { prefix: "cosmos", chainId: chain },
        BigInt(baseAccount(request).account_number)
      ),
    taken: ({ hash }) => ({ tx_response: response(request, hash, 0) }),
    refused: ({ detail, reason }) => {
      const [code, word] = reason === "unreadable" ? [2, "tx parse error"] : [4, "unauthorized"]
      const bytes = Buffer.from(request.text("tx_bytes", ""), "base64")
      const hash = createHash("sha256").update(bytes).digest("hex").toUpperCase()
      const failure = {
        code,
        codespace: "sdk",
        raw_log: `${detail}: ${word}`,
        gas_wanted: "0",
        gas_used: "0"
      }
      return new RecordedRefusal({ tx_response: { ...response(request, hash, 0), ...failure } })
    },
    failed: (message) => new RecordedRefusal({ code: 12, message, details: [] }, 501)
  })

const proposal = (request: RecordedRequest) => ({
  proposal_id: request.text("proposal_id", "1"),
  content: {
    "@type": "/cosmos.gov.v1beta1.TextProposal",
    title: "A proposal",
    description: "A recording of the sandbox"
  },
  status: "PROPOSAL_STATUS_PASSED" as const,
  final_tally_result: { yes: "1000000", abstain: "0", no: "0", no_with_veto: "0" },
  submit_time: isoTime(request, request.height - 400_000),
  deposit_end_time: isoTime(request, request.height - 200_000),
  total_deposit: [atom("250000000")],
  voting_start_time: isoTime(request, request.height - 400_000),
  voting_end_time: isoTime(request, request.height - 200_000)
})

const tally = { yes: "1000000", abstain: "0", no: "0", no_with_veto: "0" }

const vote = (request: RecordedRequest) => ({
  proposal_id: request.text("proposal_id", "1"),
  voter: request.text("voter", user),
  option: "VOTE_OPTION_YES" as const,
  options: [{ option: "VOTE_OPTION_YES" as const, weight: "1.000000000000000000" }]
})

const metadata = {
  description: "The native staking token of the Cosmos Hub.",
  denom_units: [
    { denom: "uatom", exponent: 0, aliases: ["microatom"] },
    { denom: "atom", exponent: 6, aliases: ["ATOM"] }
  ],
  base: "uatom",
  display: "atom",
  name: "Cosmos Hub Atom",
  symbol: "ATOM"
}

const supply = "480000000000000"

const signing = (request: RecordedRequest) => ({
  address: request.text("cons_address", consensus),
  start_height: "5200791",
  index_offset: "100",
  jailed_until: "1970-01-01T00:00:00Z",
  tombstoned: false,
  missed_blocks_counter: "0"
})

const gov = {
  voting_params: { voting_period: "1209600s" },
  deposit_params: { min_deposit: [atom("250000000")], max_deposit_period: "1209600s" },
  tally_params: {
    quorum: "0.400000000000000000",
    threshold: "0.500000000000000000",
    veto_threshold: "0.334000000000000000"
  }
}

/**
 * The answers of a node of the Cosmos Hub.
 *
 * @since 0.1.0
 * @category constants
 */
export const cosmos: RecordedFamily = {
  unknown: makeUnknownBlock,

  height: 27_000_000,
  blockTime: 6_000,
  protocol: "rest",
  // gRPC's code 12 is unimplemented, 3 an invalid argument; Rosetta's errors have `retriable` besides
  error: (message, status) => ({
    code: status === 501 ? 12 : 3,
    message,
    details: [],
    retriable: false
  }),
  recordings: [
    ...makeRosettaRecordings({
      blockchain: "cosmos",
      networks: { main: "mainnet", test: "testnet" },
      currency: { symbol: "uatom", decimals: 6 },
      first: () => ({ hash: blockHash(5_200_791), index: 5_200_791 }),
      operations: ["/cosmos.bank.v1beta1.MsgSend", "fee"]
    }),
    ...makeRecordings(endpoints, {
      getAccounts: (request) => ({ accounts: [account(request)], ...page(1) }),
      getAccountDetails: (request) => ({ account: account(request) }),
      getAccountInfo: (request) => ({ info: baseAccount(request) }),
      getAddressByAccountNumber: { account_address: user },
      getAllParams: {
        params: {
          max_memo_characters: "512",
          tx_sig_limit: "7",
          tx_size_cost_per_byte: "10",
          sig_verify_cost_ed25519: "590",
          sig_verify_cost_secp256k1: "1000"
        }
      },
      getBech32Prefix: { bech32_prefix: "cosmos" },
      getGrants: { grants: [], ...page(0) },
      getAllBalances: { balances: [atom("100000000")], ...page(1) },
      getBalanceByDenom: ({ text }) => ({ balance: { denom: text("denom", "uatom"), amount: "100000000" } }),
      getSpendableBalances: { balances: [atom("100000000")], ...page(1) },
      getSpendableBalanceByDenom: ({ text }) => ({
        balance: { denom: text("denom", "uatom"), amount: "100000000" }
      }),
      getTotalSupply: { supply: [atom(supply)], ...page(1) },
      getSupplyOfCoin: ({ text }) => ({ amount: { denom: text("*", "uatom"), amount: supply } }),
      getSupplyByDenom: ({ text }) => ({ amount: { denom: text("denom", "uatom"), amount: supply } }),
      getBankParams: { params: { send_enabled: [], default_send_enabled: true } },
      getSendEnabled: { send_enabled: [], ...page(0) },
      getDenomsMetadata: { metadatas: [metadata], ...page(1) },
      getDenomMetadata: ({ text }) => ({ metadata: { ...metadata, base: text("*", metadata.base) } }),
      getDenomMetadataByQuery: ({ text }) => ({
        metadata: { ...metadata, base: text("denom", metadata.base) }
      }),
      getGasPrice: ({ text }) => ({
        price: { denom: text("*", "uatom"), amount: "0.005000000000000000" }
      }),
      getNodeConfig: { minimum_gas_price: "0.005uatom" },
      getNodeStatus: (request) => ({
        earliest_store_height: "5200791",
        height: String(request.height),
        timestamp: isoTime(request, request.height),
        app_hash: syntheticBase64(`app ${request.height}`),
        validator_hash: syntheticBase64("validators")
      }),
      getLatestBlock: (request) => blockAnswer(request, request.height),
      getBlockByHeight: (request) => blockAnswer(request, heightAsked(request)),
      getNodeInfo: {
        default_node_info: {
          protocol_version: { p2p: "8", block: "11", app: "0" },
          default_node_id: "0".repeat(40),
          listen_addr: "tcp://127.0.0.1:26656",
          network: chain,
          version: "0.38.17",
          channels: "QCAhIiMwOGBhAA==",
          moniker: "sandbox",
          other: { tx_index: "on", rpc_address: "tcp://127.0.0.1:26657" }
        },
        application_version: {
          name: "gaia",
          app_name: "gaiad",
          version: "v25.1.0",
          git_commit: "",
          build_tags: "netgo",
          go_version: "go1.23",
          build_deps: [],
          cosmos_sdk_version: "v0.53.3"
        }
      },
      getSyncing: { syncing: false },
      getLatestValidatorSet: validatorSet,
      getValidatorSetByHeight: validatorSet,
      getConsensusParams: {
        params: {
          block: { max_bytes: "2000000", max_gas: "75000000" },
          evidence: { max_age_num_blocks: "1000000", max_age_duration: "172800s", max_bytes: "50000" },
          validator: { pub_key_types: ["ed25519"] }
        }
      },
      getCommunityPool: { pool: rewards },
      getDelegationRewards: { rewards },
      getDelegationTotalRewards: (request) => ({
        rewards: [{ validator_address: validatorOf(request), reward: rewards }],
        total: rewards
      }),
      getDelegatorValidators: { validators: [operator] },
      getDelegatorWithdrawAddress: (request) => ({ withdraw_address: addressAsked(request) }),
      getDistributionParams: {
        params: {
          community_tax: "0.020000000000000000",
          base_proposer_reward: "0.000000000000000000",
          bonus_proposer_reward: "0.000000000000000000",
          withdraw_addr_enabled: true
        }
      },
      getValidatorCommission: { commission: { commission: rewards } },
      getValidatorOutstandingRewards: { rewards: { rewards } },
      getValidatorSlashes: { slashes: [], ...page(0) },
      getAllEvidence: { evidence: [], ...page(0) },
      getAllowance: ({ text }) => ({
        allowance: {
          granter: text("granter", user),
          grantee: text("grantee", user),
          allowance: { "@type": "/cosmos.feegrant.v1beta1.BasicAllowance", spend_limit: [], expiration: null }
        }
      }),
      getAllowanceForAddress: { allowances: [], ...page(0) },
      getGovernanceParams: gov,
      getAllProposals: (request) => ({ proposals: [proposal(request)], ...page(1) }),
      getProposalDetails: (request) => ({ proposal: proposal(request) }),
      getDeposits: { deposits: [], ...page(0) },
      getTallyResult: { tally },
      getVotes: (request) => ({ votes: [vote(request)], ...page(1) }),
      getVote: (request) => ({ vote: vote(request) }),
      getAnnualProvisions: { annual_provisions: "48000000000000.000000000000000000" },
      getInflation: { inflation: "0.100000000000000000" },
      getMintingParams: {
        params: {
          mint_denom: "uatom",
          inflation_rate_change: "1.000000000000000000",
          inflation_max: "0.100000000000000000",
          inflation_min: "0.070000000000000000",
          goal_bonded: "0.670000000000000000",
          blocks_per_year: "4360000"
        }
      },
      getSpecificParam: ({ text }) => ({
        param: { subspace: text("subspace", ""), key: text("key", ""), value: "" }
      }),
      getSlashingParams: {
        params: {
          signed_blocks_window: "10000",
          min_signed_per_window: "MC4wNTAwMDAwMDAwMDAwMDAwMDA=",
          downtime_jail_duration: "600s",
          slash_fraction_double_sign: "MC4wNTAwMDAwMDAwMDAwMDAwMDA=",
          slash_fraction_downtime: "MC4wMDAxMDAwMDAwMDAwMDAwMDA="
        }
      },
      getSigningInfos: (request) => ({ info: [signing(request)], ...page(1) }),
      getSingingInfoByConsAddress: (request) => ({ val_signing_info: signing(request) }),
      getDelegations: (request) => ({ delegation_responses: [delegation(request)], ...page(1) }),
      getDelegationsForValidator: (request) => ({
        delegation_responses: [delegation(request)],
        ...page(1)
      }),
      getDelegation: (request) => ({ delegation_response: delegation(request) }),
      getRedelegations: { redelegation_responses: [], ...page(0) },
      getUnbondingDelegations: { unbonding_responses: [], ...page(0) },
      getUnbondingDelegation: (request) => ({ unbond: unbonding(request) }),
      getValidators: validators,
      getValidatorInfo: (request) => ({ validator: validator(request) }),
      getValidatorsForGivenStatus: validators,
      getValidatorInfoForAddress: (request) => ({ validator: validator(request) }),
      getHistoricalInfo: (request) => ({
        hist: { header: header(request, heightAsked(request)), valset: [validator(request)] }
      }),
      getStakingParams: {
        params: {
          unbonding_time: "1814400s",
          max_validators: 200,
          max_entries: 7,
          historical_entries: 10000,
          bond_denom: "uatom",
          min_commission_rate: "0.050000000000000000"
        }
      },
      getPoolInfo: { pool: { not_bonded_tokens: "10000000000000", bonded_tokens: "280000000000000" } },
      getTxsByEvent: (request) => ({
        txs: [tx(request)],
        tx_responses: [response(request, syntheticUpperHex("transaction"))],
        pagination: null,
        total: "1"
      }),
      getTxByHash: (request) => ({
        tx: tx(request),
        tx_response: response(request, request.text("hash", syntheticUpperHex("transaction")))
      }),
      getBlockWithTxs: (request) => ({
        txs: [],
        block_id: idOf(heightAsked(request)),
        block: block(request, heightAsked(request)),
        ...page(0)
      }),
      simulate: {
        gas_info: { gas_wanted: "0", gas_used: "80000" },
        result: { data: null, log: "", events: [] }
      },
      broadcastTx: answerSent,
      getAppliedPlan: { height: "0" },
      getCurrentPlan: { plan: null },
      getModuleVersions: { module_versions: [{ name: "bank", version: "4" }] }
    })
  ]
}
