/** The two generations of the data API: what the sandbox serves of each, and clients that find out by themselves. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Generations, hasPath } from "../../src/sandbox/provider/Data.js"
import * as Sandbox from "../../src/sandbox/Sandbox.js"
import { requireBinary } from "../nodes/process.js"
import { fromCall, makeClient } from "./client.js"
import { fetchJson } from "./serve.js"
import { alice, bob, callContract, deployCollection, deployFungible, rpcAt, send } from "./tokens.js"

const available = requireBinary("anvil", "generations of the data API") !== undefined

type Sdk = Effect.Effect.Success<ReturnType<typeof makeClient<"ethereum-mainnet">>>

/** An address that has something of every kind, and nothing else. */
const holder = `0x${"c".repeat(40)}`
const chain = "ethereum-mainnet"

/** Gives the holder coins, tokens and a picture; the contracts are the same on every new chain. */
const fill = (sandbox: Sandbox.SandboxService) =>
  Effect.gen(function* () {
    const rpc = rpcAt(sandbox.network(chain).urls[0] ?? "")
    const paid = yield* send(rpc, { to: holder, value: "0xde0b6b3a7640001" })
    const token = yield* deployFungible(rpc, { decimals: 6, supply: 10n ** 12n })
    yield* callContract(rpc, token.contract, "transfer", [holder, 1_500_001n])
    const { ipfsHash } = yield* Effect.scoped(
      Effect.flatMap(makeClient(sandbox, chain, "auto"), (sdk) =>
        fromCall(() => sdk.ipfs.uploadFile({ file: JSON.stringify({ name: "Ape" }) }))
      )
    )
    const pictures = yield* deployCollection(rpc)
    yield* callContract(rpc, pictures.contract, "mintWithTokenURI", [holder, 7n, `ipfs://${ipfsHash}`])
    return { hash: paid.hash, pictures: pictures.contract, token: token.contract }
  })

/** The fields that one generation alone has, and those that differ from chain to chain. */
const varying =
  /^(decimals|lastUpdatedBlockNumber|metadataURI|type|tokenType|timestamp|hash|blockTimestamp|txHashes)$/

const common = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, item: unknown) => (varying.test(name) ? undefined : item)))

/** A question of every kind to a client. */
const asked = (sdk: Sdk, { hash, pictures, token }: Effect.Effect.Success<ReturnType<typeof fill>>) => {
  const item = { tokenAddress: pictures, tokenId: "7" }
  return Effect.all({
    balances: fromCall(() => sdk.address.getBalance({ address: holder })),
    history: fromCall(() => sdk.address.getTransactions({ address: holder })),
    fungible: fromCall(() => sdk.token.getBalance({ address: holder })),
    transfers: fromCall(() => sdk.token.getAllFungibleTransactions({ address: holder })),
    described: fromCall(() => sdk.token.getTokenMetadata({ tokenAddress: token })),
    nfts: fromCall(() => sdk.nft.getBalance({ address: holder })),
    moved: fromCall(() => sdk.nft.getAllNftTransactions(item)),
    metadata: fromCall(() => sdk.nft.getNftMetadata(item)),
    owners: fromCall(() => sdk.nft.getNftOwner(item)),
    owned: fromCall(() => sdk.nft.checkNftOwner({ ...item, owner: holder })),
    others: fromCall(() => sdk.nft.checkNftOwner({ ...item, owner: bob })),
    collected: fromCall(() => sdk.nft.getNftsInCollection({ collectionAddress: pictures })),
    all: fromCall(() => sdk.data.getBalancesOfAddresses({ chain, addresses: [holder] })),
    byHash: fromCall(() => sdk.data.getTransactionsByHash({ chain, hash })),
    events: fromCall(() => sdk.data.getEvents({ chain, contractAddress: token, eventType: "tokenTransfer" })),
    blocks: fromCall(() => sdk.data.getBlocks({ chain, blockFrom: 1, blockTo: 2 })),
    latest: fromCall(() => sdk.data.getLatestBlock({ chain })),
    info: fromCall(() => sdk.data.getTokenInfo({ chain, tokenAddress: token }))
  })
}

/** What answers to a path, by its status. */
const statusOf = (sandbox: Sandbox.SandboxService, path: string) =>
  Effect.map(fetchJson(`${sandbox.baseUrl}/v4/data/${path}`), ({ body, status }) => ({
    status,
    message: String(Object(body).message ?? "")
  }))

const pairs = [
  ["balances", "wallet/portfolio", `addresses=${alice}&tokenTypes=fungible`],
  ["transactions", "transaction/history", `addresses=${alice}`],
  ["events", "defi/events", ""],
  ["blocks", "defi/blocks", ""],
  ["blocks/latest", "defi/blocks/latest", ""]
] as const

describe.runIf(available)("the generations of the data API", () => {
  const made: Array<unknown> = []

  it.scopedLive.each([
    { served: undefined, dataApi: "auto" },
    { served: "v4", dataApi: "v4" },
    { served: "legacy", dataApi: "auto" },
    { served: "legacy", dataApi: "legacy" },
    { served: "both", dataApi: "auto" }
  ] as const)("$served are asked by a client with $dataApi, with the same answers", ({ dataApi, served }) =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({
        networks: [{ network: chain, nodes: 1, archive: 0 }],
        ...(served === undefined ? {} : { dataApi: served })
      })
      for (const [legacy, today, query] of pairs) {
        const status = (path: string) => statusOf(sandbox, `${path}?chain=${chain}&${query}`)
        const missing = (path: string) => ({ status: 404, message: `Cannot GET /v4/data/${path}` })
        const there = { status: 200, message: "" }
        expect([yield* status(legacy), yield* status(today)]).toEqual([
          served === "legacy" || served === "both" ? there : missing(legacy),
          served === "legacy" ? missing(today) : there
        ])
      }
      const world = yield* fill(sandbox)
      // these routes have bare lists in both generations, which the incumbent hands on as they are
      const token = `chain=${chain}&tokenAddress=${world.pictures}`
      for (const path of [
        `owners?${token}`,
        `collections?chain=${chain}&collectionAddresses=${world.pictures}`,
        `metadata?${token}&tokenIds=7`
      ])
        expect((yield* fetchJson(`${sandbox.baseUrl}/v4/data/${path}`)).body).toHaveLength(1)
      const sdk = yield* makeClient(sandbox, chain, dataApi)
      const answers = yield* asked(sdk, world)
      expect(answers.balances.map(({ balance }) => balance)).toEqual([
        "1.000000000000000001",
        "1.500001",
        "1"
      ])
      expect(answers.all.map(({ balance, type }) => [type, balance])).toEqual([
        ["native", "1.000000000000000001"],
        ["fungible", "1.500001"],
        ["nft", "1"]
      ])
      expect(answers.metadata).toMatchObject({ tokenId: "7", metadata: { name: "Ape" } })
      expect([answers.owners, answers.owned, answers.others]).toEqual([[holder], true, false])
      expect(answers.collected).toHaveLength(1)
      expect(answers.byHash.map(({ address }) => address).sort()).toEqual([holder, alice].sort())
      expect(answers.events).toHaveLength(2)
      made.push(common(answers))
      expect(common(answers)).toEqual(made[0])
    })
  )

  it.scopedLive("have the provider's names of networks at its border alone", () =>
    Effect.gen(function* () {
      const network = "arbitrum-one-mainnet"
      const sandbox = yield* Sandbox.make({ networks: [{ network, nodes: 1, archive: 0 }] })
      const sdk = yield* makeClient(sandbox, network, "auto")
      const rpc = rpcAt(sandbox.network(network).urls[0] ?? "")
      yield* send(rpc, { to: holder, value: "0x1" })
      const route = `chain=arb-one-mainnet&addresses=${holder}`
      for (const path of [`wallet/portfolio?${route}&tokenTypes=native`, `transaction/history?${route}`]) {
        const { body } = yield* fetchJson(`${sandbox.baseUrl}/v4/data/${path}`)
        expect(Object(body).result).toMatchObject([{ chain: "arb-one-mainnet" }])
      }
      const balances = { chain: network, addresses: holder, tokenTypes: "native" }
      expect(yield* fromCall(() => sdk.data.getBalancesOfAddresses(balances))).toMatchObject([
        { chain: network, balance: "0.000000000000000001", decimals: 18 }
      ])
      expect(yield* fromCall(() => sdk.address.getTransactions({ address: holder }))).toMatchObject([
        { chain: network }
      ])
    })
  )
})

describe("the paths of a generation", () => {
  const there = (generations: Generations, paths: ReadonlyArray<string>) =>
    paths.filter((path) => hasPath(generations, path))
  const before = ["/data/balances", "/data/transactions", "/dogecoin/transaction/address/D"]
  const today = ["/data/wallet/portfolio", "/data/blockchains/transaction/history/utxos"]
  const always = ["/data/tokens", "/data/owners/address", "/rate/BTC", "/subscription"]

  it("are there or not by the generations of the sandbox", () => {
    const all = [...before, ...today, ...always]
    expect(there("v4", all)).toEqual([...today, ...always])
    expect(there("legacy", all)).toEqual([...before, ...always])
    expect(there("both", all)).toEqual(all)
  })
})
