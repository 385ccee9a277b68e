/** Recorded answers, each given by a real server to the call that it belongs to. They are not part of this repository. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { isLosslessNumber, parse } from "lossless-json"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { init, type PromiseSdk, type Result } from "../../src/promise.js"
import { answerWithEcho, type Fixture, readFixtures } from "./fixtures.js"

type Asked = Promise<Result<unknown, Error>>

/** Which call an answer belongs to. */
type Rules<R> = ReadonlyArray<readonly [file: RegExp, ask: (rpc: R) => Asked]>

const address = "LCHZB4TS6CUXI6AP6QDDLNF3RQMKWKQYTBYRA4G6WTYJ7DHYPKQ7VWKWVE"
const txid = "ITRPGGAIHEAADRU2W535P5UUEJHYHRN6LZRBJ7E56XSUKJRMZRSQ"
const round = 1

const algod: Rules<PromiseSdk<"algorand-mainnet-algod">["rpc"]> = [
  [/AccountApplicationResponse/, (rpc) => rpc.getAccountApplicationInfo({ address, applicationId: 1 })],
  [/accountApplicationsInformation/, (rpc) => rpc.getAccountApplications({ address })],
  [/AccountAssetResponse/, (rpc) => rpc.getAccountAssetInfo({ address, assetId: 1 })],
  [/aa_Account_|accountInformation|account_minbalance/, (rpc) => rpc.getAccountInfo({ address })],
  [/ApplicationResponse|aa_Application_/, (rpc) => rpc.getApplicationInfo({ applicationId: 1 })],
  [/AssetResponse|aa_Asset_/, (rpc) => rpc.getAssetInformation({ assetId: 1 })],
  [/BlockResponse|\bblock\.json$/, (rpc) => rpc.getBlock({ round })],
  [/GetBlockHash/, (rpc) => rpc.getBlockHashOnly({ round })],
  [/CompileResponse|sourcemap/, (rpc) => rpc.compileTeal({ source: "int 1", sourcemap: true })],
  [/GetGenesisResponse/, (rpc) => rpc.getGenesis()],
  [/NodeStatusResponse|\bstatus\.json$/, (rpc) => rpc.getNodeStatus()],
  [/SupplyResponse|ledgerSupply|supplyWithOnlineStake/, (rpc) => rpc.getLedgerSupply()],
  [/TransactionParametersResponse|suggestedParams/, (rpc) => rpc.getTransactionParams()],
  [/PostTransactionsResponse|sendTx/, (rpc) => rpc.broadcastTransaction({ rawtxn: "AA==" })],
  [/devmodeTimestampOffset/, (rpc) => rpc.getBlockTimestampOffset()],
  [/getSyncRoundResponse/, (rpc) => rpc.getSyncRound()],
  [/groupdelta/, (rpc) => rpc.getLedgerStateDeltaForTransactionGroup({ id: txid })],
  [/statedelta/, (rpc) => rpc.getLedgerStateDelta({ round })],
  [/txids/, (rpc) => rpc.getBlockTransactionIDs({ round })],
  [/GetStateProof/, (rpc) => rpc.getStateProof({ round })],
  [/GetTransactionProof/, (rpc) => rpc.getTransactionProof({ round, txid })]
]

const indexer: Rules<PromiseSdk<"algorand-mainnet-indexer">["rpc"]> = [
  [/ApplicationLocalStatesResponse/, (rpc) => rpc.getAccountAppsLocalState({ accountId: address })],
  [/ApplicationLogsResponse/, (rpc) => rpc.getApplicationLogs({ applicationId: 1 })],
  [/ApplicationsResponse/, (rpc) => rpc.getApplications()],
  [/ApplicationResponse/, (rpc) => rpc.getApplication({ applicationId: 1 })],
  [/AssetHoldingsResponse/, (rpc) => rpc.getAccountAssets({ accountId: address })],
  [/AssetBalancesResponse|lookupAssetBalances/, (rpc) => rpc.getAssetBalances({ assetId: 1 })],
  [/AssetsResponse|searchForAssets/, (rpc) => rpc.getAssets()],
  [/AssetResponse|lookupAssetByID/, (rpc) => rpc.getAsset({ assetId: 1 })],
  [/AccountsResponse|searchForAccounts/, (rpc) => rpc.getAccounts()],
  [/AccountResponse|lookupAccountByID/, (rpc) => rpc.getAccount({ accountId: address })],
  [/lookupAccountTransactions/, (rpc) => rpc.getAccountTransactions({ accountId: address })],
  [/lookupAssetTransactions/, (rpc) => rpc.getAssetTransactions({ assetId: 1 })],
  [/TransactionsResponse|searchForTransactions/, (rpc) => rpc.getTransactions()],
  [/TransactionResponse/, (rpc) => rpc.getTransaction({ txid })],
  [/Participationupdates|lookupBlock/, (rpc) => rpc.getBlock({ roundNumber: round })],
  [/searchForBlockHeaders/, (rpc) => rpc.getBlockHeaders()],
  [/HealthCheck/, (rpc) => rpc.getHealth()]
]

const account = "0:97264395bd65a255a429b11326c84128b7d70ffed7949abae3036d506ba38621"
const block = "(-1,8000000000000000,34336028)"

const ton: Rules<PromiseSdk<"ton-mainnet">["rpc"]> = [
  [/block-txs/, (rpc) => rpc.getBlockchainBlockTransactions(block)],
  [/block-1/, (rpc) => rpc.getBlockchainBlock(block)],
  [/decode-message/, (rpc) => rpc.decodeMessage({ boc: "AA==" })],
  [/jetton-balances/, (rpc) => rpc.getAccountJettonsBalances(account)]
]

const stellar: Rules<PromiseSdk<"stellar-mainnet">["rpc"]> = [
  [/ledgers/, (rpc) => rpc.getLedgers({ limit: 50 })],
  [/transactions/, (rpc) => rpc.getTransactions({ limit: 50 })]
]

/** Integers as their digits, be they numbers or bigints; other numbers as they are. */
const exact = (value: unknown): unknown => {
  if (isLosslessNumber(value)) {
    return /^-?\d+$/.test(value.value) ? { digits: value.value } : Number(value.value)
  }
  if (typeof value === "bigint" || Number.isInteger(value)) return { digits: String(value) }
  if (Array.isArray(value)) return value.map(exact)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, exact(item)]))
}

let reply = { text: "{}", status: 200 }
const server = createServer((request, response) => {
  request.resume()
  request.on("end", () => {
    response.statusCode = reply.status
    response.setHeader("content-type", "application/json")
    response.end(reply.text)
  })
})

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))

const config = () => {
  const { port } = server.address() as AddressInfo
  return {
    rpc: { nodes: [{ url: `http://127.0.0.1:${port}` }], statusCheckInterval: Number.POSITIVE_INFINITY },
    verifyChain: false,
    quiet: true
  }
}

/** Catchpoints have no method: they administer a node. `empty` is the answer of what answers nothing. */
const ours = /^(?!.*(CatchpointStart|\/empty\.json|ErrorResponse))/

interface Started<R> {
  readonly rpc: R
  readonly destroy: () => Promise<unknown>
}

const algorand = readFixtures("algorand")
const xrpl = readFixtures("xrpl")

const replay = <R>(
  given: ReadonlyArray<Fixture>,
  rules: Rules<R>,
  {
    of,
    start,
    texts = ({ text }) => text
  }: {
    readonly of: (file: string) => boolean
    readonly start: () => Promise<Started<R>>
    readonly texts?: (fixture: { readonly text: string }) => string
  }
): void => {
  const recorded = given.filter(({ file, text }) => of(file) && ours.test(`/${file}`) && text.trim() !== "")
  let sdk: Started<R> | undefined
  beforeAll(async () => {
    reply = { text: "{}", status: 200 }
    sdk = await start()
  })
  afterAll(() => sdk?.destroy())
  const ask = (file: string): Asked => {
    const rule = rules.find(([pattern]) => pattern.test(file))
    if (rule === undefined || sdk === undefined) throw new Error(`no call for ${file}`)
    return rule[1](sdk.rpc)
  }

  it("has an answer for every call of the list", () => {
    expect(rules.filter(([pattern]) => !recorded.some(({ file }) => pattern.test(file)))).toEqual([])
  })

  it.each(recorded)("$file", async (fixture) => {
    const text = await answerWithEcho(texts(fixture), async (text) => {
      reply = { text, status: 200 }
      return (await ask(fixture.file)).error?.message.join()
    })
    const { data, error, status } = await ask(fixture.file)
    expect(error?.message ?? status).toBe("SUCCESS")
    expect(exact(data)).toEqual(exact(parse(text)))
  })
}
const isIndexer = (file: string): boolean =>
  file.includes("indexer") &&
  !/indexer_applications_(Compile|Supply|TransactionParameters)Response/.test(file)

describe("answers recorded from algod", () => {
  replay(algorand, algod, {
    of: (file) => !isIndexer(file),
    start: () => init({ network: "algorand-mainnet-algod", ...config() })
  })
})

describe("answers recorded from the indexer", () => {
  replay(algorand, indexer, {
    of: isIndexer,
    start: () => init({ network: "algorand-mainnet-indexer", ...config() })
  })
})

describe("answers recorded from TON", () => {
  replay(readFixtures("ton"), ton, {
    of: (file) => file.includes("/api/"),
    start: () => init({ network: "ton-mainnet", ...config() })
  })
})

describe("answers recorded from Horizon", () => {
  replay(readFixtures("stellar"), stellar, {
    of: () => true,
    start: () => init({ network: "stellar-mainnet", ...config() }),
    // the recording is of the records alone
    texts: ({ text }) => `{"_embedded":${text}}`
  })
})

describe("errors recorded", () => {
  const errors = algorand.filter(({ file }) => file.includes("ErrorResponse"))

  it.each(errors)("from Algorand: $file", async ({ file, text }) => {
    reply = { text: "{}", status: 200 }
    const sdk = await init({ network: "algorand-mainnet-algod", ...config() })
    const other = await init({ network: "algorand-mainnet-indexer", ...config() })
    try {
      const { message }: { readonly message: string } = JSON.parse(text)
      reply = { text, status: file.includes("indexer") ? 400 : 404 }
      const { error, status } = file.includes("indexer")
        ? await other.rpc.getAccounts()
        : await sdk.rpc.getAccountInfo({ address })
      expect(status).toBe("ERROR")
      expect(error?.cause).toMatchObject({
        _tag: "RequestRejected",
        status: reply.status,
        messages: [message]
      })
    } finally {
      await Promise.all([sdk.destroy(), other.destroy()])
    }
  })

  it.each(xrpl.filter(({ file }) => file.endsWith("subscribeError.json")))(
    "from rippled: $file",
    async ({ text }) => {
      reply = { text: "{}", status: 200 }
      const sdk = await init({ network: "ripple-mainnet", ...config() })
      try {
        // over HTTP the whole of it stands in the result, with status 200
        const { id: _, type: __, ...result } = JSON.parse(text)
        reply = { text: JSON.stringify({ result }), status: 200 }
        const { error, status } = await sdk.rpc.rawRpcCall({ method: "subscribe", params: [{}] })
        expect(status).toBe("ERROR")
        expect(error?.cause).toMatchObject({ _tag: "RpcError", code: 31, method: "subscribe" })
        expect(error?.cause.message).toContain("invalidParams")
      } finally {
        await sdk.destroy()
      }
    }
  )
})
