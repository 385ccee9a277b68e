/**
 * Reads the shape of real nodes' recorded answers: kinds, and the fields that all samples of an object have. The
 * recordings are not part of this repository, and none of their values is kept.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether a key is the name of a field, and not a hash, an address or a number. */
const isName = (key: string): boolean =>
  /^[A-Za-z@_][\w@-]*$/.test(key) &&
  !/^[0-9a-f]{16,}$/i.test(key) &&
  !/^([A-Z2-7]{58}|r(?=.*\d)[1-9A-HJ-NP-Za-km-z]{24,34})$/.test(key)

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value

const inferKind = (samples: ReadonlyArray<unknown>, whole: boolean): Json => {
  const types = [...new Set(samples.map(kindOf))].sort()
  const objects = samples.filter(isJson)
  const items = samples.flatMap((sample): ReadonlyArray<unknown> => (Array.isArray(sample) ? sample : []))
  const keys = [...new Set(objects.flatMap(Object.keys))].sort()
  const names = keys.filter(isName)
  const others = objects.flatMap((each) =>
    Object.entries(each).flatMap(([key, value]) => (isName(key) ? [] : [value]))
  )
  const valuesOf = (name: string): ReadonlyArray<unknown> =>
    objects.filter((each) => name in each).map((each) => each[name])
  return {
    ...(types.length === 0 ? {} : { type: types.length === 1 ? types[0] : types }),
    ...(names.length === 0
      ? {}
      : { properties: Object.fromEntries(names.map((name) => [name, inferKind(valuesOf(name), whole)])) }),
    ...(names.length === 0 || !whole
      ? {}
      : { required: names.filter((name) => objects.every((each) => name in each)) }),
    ...(others.length === 0 ? {} : { additionalProperties: inferKind(others, whole) }),
    ...(items.length === 0 ? {} : { items: inferKind(items, whole) })
  }
}

/** An answer with its method or its route (`VERB /path`). */
type Sample = readonly [of: string, answer: unknown]

/** The recordings of a project: their folder, and the content of its files. */
interface RecordingSource {
  readonly folder: string
  readonly project: string
  readonly samples: (file: string, text: string) => ReadonlyArray<Sample>
  /** Samples that were shortened do not show which fields every answer has. */
  readonly parts?: true
}

/** The first rule that matches the file. */
const byFile =
  (rules: ReadonlyArray<readonly [file: RegExp, of: string]>) =>
  (file: string, answer: unknown): ReadonlyArray<Sample> => {
    const rule = rules.find(([pattern]) => pattern.test(file))
    return rule === undefined ? [] : [[rule[1], answer]]
  }

const account = "GET /v2/accounts"
const algod = byFile([
  [/AccountApplicationResponse/, `${account}/{address}/applications/{applicationId}`],
  [/accountApplicationsInformation/, `${account}/{address}/applications`],
  [/AccountAssetResponse/, `${account}/{address}/assets/{assetId}`],
  [/aa_Account_|accountInformation|account_minbalance/, `${account}/{address}`],
  [/ApplicationResponse|aa_Application_/, "GET /v2/applications/{applicationId}"],
  [/AssetResponse|aa_Asset_/, "GET /v2/assets/{assetId}"],
  [/BlockResponse|\bblock\.json$/, "GET /v2/blocks/{round}"],
  [/GetBlockHash/, "GET /v2/blocks/{round}/hash"],
  [/CompileResponse/, "POST /v2/teal/compile"],
  [/GetGenesisResponse/, "GET /genesis"],
  [/NodeStatusResponse|\bstatus\.json$/, "GET /v2/status"],
  [/SupplyResponse|ledgerSupply|supplyWithOnlineStake/, "GET /v2/ledger/supply"],
  [/TransactionParametersResponse|suggestedParams/, "GET /v2/transactions/params"],
  [/PostTransactionsResponse|sendTx/, "POST /v2/transactions"],
  [/devmodeTimestampOffset/, "GET /v2/devmode/blocks/offset"],
  [/getSyncRoundResponse/, "GET /v2/ledger/sync"],
  [/groupdelta/, "GET /v2/deltas/txn/group/{id}"],
  [/statedelta/, "GET /v2/deltas/{round}"],
  [/txids/, "GET /v2/blocks/{round}/txids"],
  [/GetStateProof/, "GET /v2/stateproofs/{round}"],
  [/GetTransactionProof/, "GET /v2/blocks/{round}/transactions/{txid}/proof"]
])
const indexer = byFile([
  [/ApplicationLocalStatesResponse/, `${account}/{account-id}/apps-local-state`],
  [/ApplicationLogsResponse/, "GET /v2/applications/{application-id}/logs"],
  [/ApplicationsResponse/, "GET /v2/applications"],
  [/ApplicationResponse/, "GET /v2/applications/{application-id}"],
  [/AssetHoldingsResponse/, `${account}/{account-id}/assets`],
  [/AssetBalancesResponse|lookupAssetBalances/, "GET /v2/assets/{asset-id}/balances"],
  [/AssetsResponse|searchForAssets/, "GET /v2/assets"],
  [/AssetResponse|lookupAssetByID/, "GET /v2/assets/{asset-id}"],
  [/AccountsResponse|searchForAccounts/, account],
  [/AccountResponse|lookupAccountByID/, `${account}/{account-id}`],
  [/lookupAccountTransactions/, `${account}/{account-id}/transactions`],
  [/lookupAssetTransactions/, "GET /v2/assets/{asset-id}/transactions"],
  [/TransactionsResponse|searchForTransactions/, "GET /v2/transactions"],
  [/TransactionResponse/, "GET /v2/transactions/{txid}"],
  [/Participationupdates|lookupBlock/, "GET /v2/blocks/{round-number}"],
  [/searchForBlockHeaders/, "GET /v2/block-headers"],
  [/HealthCheck/, "GET /health"]
])
const rippled = byFile([
  [/accountInfo/, "account_info"],
  [/accountObjects/, "account_objects"],
  [/accountTx/, "account_tx"],
  [/ledgerData/, "ledger_data"],
  [/serverInfo/, "server_info"],
  [/\/submit/, "submit"],
  [/transactionEntry/, "transaction_entry"],
  [/\/tx\/|partialPayment/, "tx"]
])
const horizon = byFile([
  [/ledgers/, "GET /ledgers"],
  [/transactions/, "GET /transactions"]
])

const isIndexer = (file: string): boolean =>
  /indexer/.test(file) && !/indexer_applications_(Compile|Supply|TransactionParameters)Response/.test(file)
const NO_ANSWER = /ErrorResponse|CatchpointStart|\/empty\.json$/

export const recordings: Readonly<Record<string, RecordingSource>> = {
  "recorded-evm": {
    folder: "evm",
    project: "Geth, by Ethereum's execution-apis",
    samples: (file, text) => {
      if (!file.endsWith(".io")) return []
      const linesOf = (mark: string): ReadonlyArray<Json> =>
        text
          .split("\n")
          .filter((line) => line.startsWith(mark))
          .map((line) => JSON.parse(line.slice(mark.length)))
      const answers = linesOf("<< ")
      return linesOf(">> ").flatMap(({ method }, i) => {
        const { result } = answers[i] ?? {}
        return result === undefined ? [] : [[String(method), result]]
      })
    }
  },
  "recorded-algod": {
    folder: "algorand",
    project: "algod, by the tests of Algorand's SDKs",
    samples: (file, text) =>
      isIndexer(file) || NO_ANSWER.test(file) || text.trim() === "" ? [] : algod(file, JSON.parse(text))
  },
  "recorded-indexer": {
    folder: "algorand",
    project: "the Algorand Indexer, by the tests of Algorand's SDKs",
    samples: (file, text) =>
      !isIndexer(file) || NO_ANSWER.test(file) || text.trim() === "" ? [] : indexer(file, JSON.parse(text))
  },
  "recorded-rosetta": {
    folder: "rosetta",
    project: "cardano-rosetta-java",
    samples: (file, text) => {
      const { endpoint, expected_response: answer } = JSON.parse(text)
      const route = /\/(construction\/\w+)\//.exec(file)?.[1]
      return answer === undefined ? [] : [[`POST ${endpoint ?? `/${route}`}`, answer]]
    }
  },
  "recorded-rippled": {
    folder: "xrpl",
    project: "rippled, by the tests of xrpl.js",
    samples: (file, text) => {
      const { result, status } = JSON.parse(text)
      return status !== "success" || result === undefined ? [] : rippled(file, result)
    }
  },
  "recorded-horizon": {
    folder: "stellar",
    project: "Horizon, by a corpus of its answers",
    parts: true,
    samples: (file, text) => {
      const { records } = JSON.parse(text)
      return horizon(file, { _embedded: { records } })
    }
  }
}

/** The shape of one server's recorded answers, in the form of a description. */
export interface RecordedDigest {
  readonly source: string
  readonly operations: ReadonlyArray<object>
  readonly methods: ReadonlyArray<object>
}

const makeDigest = (
  fixtures: string,
  { folder, project, parts, samples }: RecordingSource
): RecordedDigest => {
  const found = new Map<string, Array<unknown>>()
  const root = join(fixtures, folder)
  for (const file of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
    if (!/\.(io|json)$/.test(file)) continue
    for (const [name, answer] of samples(`/${file}`, readFileSync(join(root, file), "utf8")))
      found.set(name, [...(found.get(name) ?? []), answer])
  }
  const rows = [...found].sort(([one], [other]) => (one < other ? -1 : 1))
  const result = (answers: ReadonlyArray<unknown>): Json => inferKind(answers, parts !== true)
  const operations = rows.flatMap(([name, answers]) => {
    const [verb, path] = name.split(" ")
    return path === undefined ? [] : [{ verb, path, parameters: [], result: result(answers) }]
  })
  const methods = rows.flatMap(([name, answers]) =>
    name.includes(" ") ? [] : [{ name, params: [], result: result(answers) }]
  )
  return { source: project, operations, methods }
}

/** The digests of all recordings, by their names. */
export const makeRecordedDigests = (
  fixtures: string
): ReadonlyArray<readonly [name: string, digest: RecordedDigest]> =>
  Object.entries(recordings).map(([name, recording]) => [name, makeDigest(fixtures, recording)])
