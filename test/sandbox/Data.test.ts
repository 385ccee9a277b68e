import { describe, expect, it, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Rpc } from "../../src/sandbox/indexer/Utxo.js"
import { findNetwork } from "../../src/sandbox/provider/Data.js"
import { parseSignatures } from "../../src/sandbox/provider/data/Events.js"
import * as Sandbox from "../../src/sandbox/Sandbox.js"
import { requireBinary } from "../nodes/process.js"
import { fromCall, makeClient, requireData } from "./client.js"
import { fetchJson } from "./serve.js"
import {
  alice,
  bob,
  callContract,
  carol,
  deployCollection,
  deployForwarder,
  deployFungible,
  deployMultitoken,
  makeLoggingCode,
  rpcAt,
  send,
  word
} from "./tokens.js"

const available = requireBinary("anvil", "the data API") !== undefined

type Sdk = Effect.Effect.Success<ReturnType<typeof makeClient<"ethereum-mainnet">>>

interface World {
  readonly sandbox: Sandbox.SandboxService
  readonly url: string
  readonly rpc: Rpc
  readonly sdk: Sdk
}
class Running extends Context.Tag("Running")<Running, World>() {}

const world = Layer.scoped(
  Running,
  Effect.gen(function* () {
    const sandbox = yield* Sandbox.make({
      dataApi: "legacy",
      networks: [{ network: "ethereum-mainnet", nodes: 1, archive: 1 }]
    })
    const [node = ""] = sandbox.network("ethereum-mainnet").urls
    const sdk = yield* makeClient(sandbox, "ethereum-mainnet", "legacy")
    return { sandbox, url: `${sandbox.baseUrl}/v4/data`, rpc: rpcAt(node), sdk }
  })
)

/** An address that nobody else has. */
let made = 0
const somebody = (): string => `0x${(++made).toString(16).padStart(40, "a")}`

const count = <A>(length: number, make: (i: number) => A): ReadonlyArray<A> =>
  Array.from({ length }, (_, i) => make(i))

describe.runIf(available)("the data API", () => {
  layer(world, { excludeTestServices: true })("over a network", (it) => {
    it.effect("has balances as soon as the block is there, in whole coins and tokens", () =>
      Effect.gen(function* () {
        const { rpc, sdk } = yield* Running
        const holder = somebody()
        yield* send(rpc, { to: holder, value: "0xde0b6b3a7640001" })
        const token = yield* deployFungible(rpc, { decimals: 6, supply: 10n ** 12n })
        yield* callContract(rpc, token.contract, "transfer", [holder, 1_500_001n])
        const coarse = yield* deployFungible(rpc, { decimals: 0, supply: 9n })
        const last = yield* callContract(rpc, coarse.contract, "transfer", [holder, 2n])
        expect(yield* fromCall(() => sdk.address.getBalance({ addresses: [holder] }))).toEqual([
          {
            address: holder,
            asset: "ETH",
            decimals: 18,
            balance: "1.000000000000000001",
            type: "native"
          },
          {
            address: holder,
            asset: "MTK",
            decimals: 6,
            balance: "1.500001",
            type: "fungible",
            tokenAddress: token.contract,
            lastUpdatedBlockNumber: last.block - 2
          },
          {
            address: holder,
            asset: "MTK",
            decimals: 0,
            balance: "2",
            type: "fungible",
            tokenAddress: coarse.contract,
            lastUpdatedBlockNumber: last.block
          }
        ])
        expect(
          yield* fromCall(() => sdk.data.getBalancesOfAddresses({ chain: "ethereum", addresses: holder }))
        ).toMatchObject([
          { type: "native", balance: "1.000000000000000001", lastUpdatedBlockNumber: last.block },
          { type: "fungible", balance: "1.500001" },
          { type: "fungible", balance: "2" }
        ])
        expect(
          yield* fromCall(() => sdk.token.getBalance({ address: holder, pageSize: 1, page: 1 }))
        ).toMatchObject([{ chain: "ethereum-mainnet", tokenAddress: coarse.contract, balance: "2" }])
        // what one has given away is no balance, and letters in the case of a checksum are the same address
        yield* callContract(rpc, token.contract, "transfer", [bob, 10n ** 12n - 1_500_001n])
        const upper = `0x${alice.slice(2).toUpperCase()}`
        const rest = yield* fromCall(() => sdk.token.getBalance({ addresses: [upper], pageSize: 50 }))
        expect(rest.some(({ tokenAddress }) => tokenAddress === token.contract)).toBe(false)
        expect(rest.find(({ tokenAddress }) => tokenAddress === coarse.contract)).toMatchObject({
          address: alice,
          balance: "7"
        })
      })
    )

    it.effect("has both sides of transfers, newest first, with filters and pages", () =>
      Effect.gen(function* () {
        const { rpc, sdk, url } = yield* Running
        const [one, other] = [somebody(), somebody()]
        const token = yield* deployFungible(rpc, { decimals: 2, supply: 10_000n })
        const minted = yield* send(rpc, { to: one, value: "0x8ac7230489e80000" })
        const got = yield* callContract(rpc, token.contract, "transfer", [one, 250n])
        yield* rpc("anvil_impersonateAccount", [one])
        const { contract } = yield* deployForwarder(rpc, one)
        const through = yield* send(rpc, { to: contract, value: "0x5" })
        const nothing = yield* callContract(rpc, token.contract, "transfer", [one, 0n])
        const transactions = yield* fromCall(() => sdk.address.getTransactions({ address: one }))
        expect(transactions.map(({ timestamp: _, transactionIndex: __, ...row }) => row)).toEqual([
          {
            chain: "ethereum-mainnet",
            hash: nothing.hash,
            address: one,
            blockNumber: nothing.block,
            transactionType: "fungible",
            transactionSubtype: "zero-transfer",
            amount: "0",
            counterAddress: alice,
            tokenAddress: token.contract
          },
          {
            chain: "ethereum-mainnet",
            hash: through.hash,
            address: one,
            blockNumber: through.block,
            transactionType: "internal",
            transactionSubtype: "incoming",
            amount: "0.000000000000000005",
            counterAddress: contract
          },
          {
            chain: "ethereum-mainnet",
            hash: got.hash,
            address: one,
            blockNumber: got.block,
            transactionType: "fungible",
            transactionSubtype: "incoming",
            amount: "2.5",
            counterAddress: alice,
            tokenAddress: token.contract
          },
          {
            chain: "ethereum-mainnet",
            hash: minted.hash,
            address: one,
            blockNumber: minted.block,
            transactionType: "native",
            transactionSubtype: "incoming",
            amount: "10",
            counterAddress: alice
          }
        ])
        const { timestamp = 0 } = transactions[0] ?? {}
        expect(Math.abs(timestamp - Date.now())).toBeLessThan(600_000)
        const hashes = (query: object) =>
          Effect.map(
            fromCall(() => sdk.address.getTransactions({ address: one, ...query })),
            (rows) => rows.map(({ hash }) => hash)
          )
        expect(yield* hashes({ transactionTypes: ["native", "internal"] })).toEqual([
          through.hash,
          minted.hash
        ])
        expect(yield* hashes({ tokenAddress: token.contract })).toEqual([nothing.hash, got.hash])
        expect(yield* hashes({ transactionDirection: "outgoing" })).toEqual([])
        expect(yield* hashes({ fromBlock: got.block, toBlock: through.block })).toEqual([
          through.hash,
          got.hash
        ])
        expect(yield* hashes({ pageSize: 1, page: 2 })).toEqual([got.hash])
        expect(
          yield* fromCall(() =>
            sdk.token.getAllFungibleTransactions({
              addresses: [one, other],
              transactionTypes: ["incoming", "zero-transfer"]
            })
          )
        ).toMatchObject([{ hash: nothing.hash }, { hash: got.hash, amount: "2.5" }])

        // both sides of one transaction, and of a transfer to oneself
        const both = yield* fromCall(() =>
          sdk.data.getTransactionsByHash({ chain: "ethereum-mainnet", hash: got.hash })
        )
        expect(both.map(({ address, amount }) => [address, amount])).toEqual([
          [one, "2.5"],
          [alice, "-2.5"]
        ])
        const self = yield* callContract(rpc, token.contract, "transfer", [alice, 3n])
        expect(
          (yield* fromCall(() =>
            sdk.address.getTransactions({
              address: alice,
              fromBlock: self.block,
              transactionTypes: ["fungible"]
            })
          )).map(({ amount, counterAddress }) => [amount, counterAddress])
        ).toEqual([
          ["0.03", alice],
          ["-0.03", alice]
        ])

        // a cursor stays where it is while blocks come in
        const first = yield* fetchJson(`${url}/transactions?chain=ethereum&addresses=${one}&pageSize=2`)
        expect(first.body).toMatchObject({
          prevPage: "",
          result: [{ hash: nothing.hash }, { hash: through.hash }]
        })
        const { nextPage } = Object(first.body)
        yield* send(rpc, { to: one, value: "0x1" })
        const second = yield* fetchJson(
          `${url}/transactions?chain=ethereum&addresses=${one}&pageSize=2&cursor=${nextPage}`
        )
        expect(second.body).toMatchObject({
          nextPage: "",
          result: [{ hash: got.hash }, { hash: minted.hash }]
        })
        const { prevPage } = Object(second.body)
        const back = yield* fetchJson(
          `${url}/transactions?chain=ethereum&addresses=${one}&pageSize=2&cursor=${prevPage}`
        )
        expect(Object(back.body).result).toEqual(Object(first.body).result)
      })
    )

    it.effect("streams histories that are longer than a page, each transfer once", () =>
      Effect.gen(function* () {
        const { rpc, sdk, url } = yield* Running
        const holder = somebody()
        const sent = yield* Effect.forEach(
          count(23, (i) => i),
          (i) => send(rpc, { to: holder, value: `0x${(i + 1).toString(16)}` })
        )
        const seen: Array<string> = []
        yield* Effect.promise(async () => {
          for await (const each of sdk.address.streamTransactions({ address: holder, pageSize: 5 }))
            seen.push(requireData(each).hash)
        })
        expect(seen).toEqual(sent.map(({ hash }) => hash).reverse())
        for (const offset of ["0", "1", "4", "5"]) {
          const { body } = yield* fetchJson(
            `${url}/transactions?chain=ethereum&addresses=${holder}&pageSize=5&offset=${offset}`
          )
          const from = Number(offset) * 5
          expect(Object(body).result.map((row: unknown) => Object(row).hash)).toEqual(
            seen.slice(from, from + 5)
          )
        }
      })
    )

    it.effect("knows collections, their owners and what their authors wrote", () =>
      Effect.gen(function* () {
        const { rpc, sdk } = yield* Running
        const [one, other] = [somebody(), somebody()]
        const { ipfsHash } = yield* fromCall(() =>
          sdk.ipfs.uploadFile({ file: JSON.stringify({ name: "Ape", level: 7 }) })
        )
        const { contract } = yield* deployCollection(rpc, "ipfs://nothing/")
        yield* callContract(rpc, contract, "mintWithTokenURI", [one, 1n, `ipfs://${ipfsHash}`])
        yield* callContract(rpc, contract, "mintWithTokenURI", [alice, 2n, ""])
        const third = yield* callContract(rpc, contract, "mintWithTokenURI", [alice, 3n, ""])
        yield* callContract(rpc, contract, "transferFrom", [alice, other, 2n])
        yield* callContract(rpc, contract, "burn", [3n])
        const known = { chain: "ethereum-mainnet", tokenAddress: contract, type: "nft", tokenType: "nft" }
        const described = {
          ...known,
          tokenId: "1",
          metadataURI: `ipfs://${ipfsHash}`,
          metadata: { name: "Ape", level: 7 }
        }
        expect(yield* fromCall(() => sdk.nft.getNftsInCollection({ collectionAddress: contract }))).toEqual([
          described,
          { ...known, tokenId: "2", metadataURI: "ipfs://nothing/2" }
        ])
        expect(
          yield* fromCall(() =>
            sdk.nft.getNftsInCollection({ collectionAddress: contract, excludeMetadata: true })
          )
        ).toEqual([
          { ...known, tokenId: "1" },
          { ...known, tokenId: "2" }
        ])
        const metadata = (tokenId: string) =>
          fromCall(() => sdk.nft.getNftMetadata({ tokenAddress: contract, tokenId }))
        expect(yield* metadata("1")).toEqual(described)
        expect(yield* metadata("3")).toBeNull()
        expect(yield* metadata("99")).toBeNull()
        const owners = (tokenId: string) =>
          fromCall(() => sdk.nft.getNftOwner({ tokenAddress: contract, tokenId }))
        expect(yield* owners("1")).toEqual([one])
        expect(yield* owners("2")).toEqual([other])
        expect(yield* owners("3")).toEqual([])
        const owns = (owner: string, tokenId: string) =>
          fromCall(() => sdk.nft.checkNftOwner({ owner, tokenAddress: contract, tokenId }))
        expect(yield* owns(one, "1")).toBe(true)
        expect(yield* owns(alice, "2")).toBe(false)
        expect(yield* fromCall(() => sdk.nft.getBalance({ addresses: [one] }))).toMatchObject([
          { type: "nft", tokenId: "1", balance: "1", metadata: { name: "Ape", level: 7 } }
        ])
        expect(
          yield* fromCall(() => sdk.nft.getAllNftTransactions({ tokenAddress: contract, tokenId: "3" }))
        ).toMatchObject([
          { address: alice, amount: "-1", transactionSubtype: "outgoing" },
          { hash: third.hash, address: alice, amount: "1", transactionSubtype: "incoming", tokenId: "3" }
        ])
        expect(
          yield* fromCall(() => sdk.nft.getAllNftTransactionsByAddress({ addresses: [other] }))
        ).toMatchObject([{ tokenId: "2", counterAddress: alice }])
        expect(
          yield* fromCall(() => sdk.data.getTokenInfo({ chain: "ethereum", tokenAddress: contract }))
        ).toEqual({
          chain: "ethereum-mainnet",
          symbol: "BAYC",
          name: "Bored",
          supply: "2",
          tokenType: "nft"
        })
        expect(
          yield* fromCall(() =>
            sdk.data.getTokenInfo({ chain: "ethereum", tokenAddress: contract, tokenId: "1" })
          )
        ).toMatchObject({ tokenType: "nft", metadata: { name: "Ape", level: 7 } })
      })
    )

    it.effect("knows multitokens, with the id in the place of {id}", () =>
      Effect.gen(function* () {
        const { rpc, sdk } = yield* Running
        const holder = somebody()
        const document = encodeURIComponent(JSON.stringify({ name: "Gold" }))
        const { contract } = yield* deployMultitoken(rpc, `data:application/json,${document}#{id}`)
        yield* callContract(rpc, contract, "mintBatch", [alice, [1n, 255n], [10n, 20n], "0x"])
        yield* callContract(rpc, contract, "safeTransferFrom", [alice, holder, 255n, 5n, "0x"])
        yield* callContract(rpc, contract, "burn", [alice, 1n, 10n])
        expect(
          yield* fromCall(() => sdk.nft.getNftOwner({ tokenAddress: contract, tokenId: "255" }))
        ).toEqual([alice, holder])
        expect(yield* fromCall(() => sdk.nft.getNftOwner({ tokenAddress: contract, tokenId: "1" }))).toEqual(
          []
        )
        expect(yield* fromCall(() => sdk.nft.getBalance({ addresses: [holder] }))).toMatchObject([
          { type: "multitoken", tokenId: "255", balance: "5" }
        ])
        const [detail] = yield* fromCall(() => sdk.nft.getNftsInCollection({ collectionAddress: contract }))
        expect(detail).toMatchObject({ type: "multitoken", tokenId: "255" })
        expect(detail?.metadataURI?.endsWith(`#${"ff".padStart(64, "0")}`)).toBe(true)
        expect(
          yield* fromCall(() => sdk.data.getTokenInfo({ chain: "ethereum", tokenAddress: contract }))
        ).toEqual({ chain: "ethereum-mainnet", tokenType: "multitoken" })
      })
    )

    it.effect("tells what fungible tokens are, moved or not", () =>
      Effect.gen(function* () {
        const { rpc, sdk, url } = yield* Running
        const capped = yield* deployFungible(rpc, { decimals: 6, supply: 1_500_000n, cap: 3_000_000n })
        expect(yield* fromCall(() => sdk.token.getTokenMetadata({ tokenAddress: capped.contract }))).toEqual({
          symbol: "MTK",
          name: "My Token",
          supply: "1.5",
          decimals: 6,
          tokenType: "fungible",
          cap: "3"
        })
        const still = yield* deployFungible(rpc, { decimals: 18, supply: 0n })
        expect(yield* fromCall(() => sdk.token.getTokenMetadata({ tokenAddress: still.contract }))).toEqual({
          symbol: "MTK",
          name: "My Token",
          supply: "0",
          decimals: 18,
          tokenType: "fungible"
        })
        for (const address of [alice, (yield* deployCollection(rpc)).contract]) {
          const { body, status } = yield* fetchJson(`${url}/tokens?chain=ethereum&tokenAddress=${address}`)
          if (address === alice)
            expect([status, body]).toMatchObject([404, { errorCode: "token.not.found", statusCode: 404 }])
          else expect([status, body]).toMatchObject([200, { tokenType: "nft", supply: "0" }])
        }
      })
    )

    it.effect("has events as they are and as what they say", () =>
      Effect.gen(function* () {
        const { rpc, sdk } = yield* Running
        const dollars = yield* deployFungible(rpc, { decimals: 6, supply: 10_000_000n, symbol: "usdc" })
        const { contract } = dollars
        const paid = yield* callContract(rpc, contract, "transfer", [bob, 2_500_000n])
        const nft = yield* deployCollection(rpc)
        const minted = yield* callContract(rpc, nft.contract, "mintWithTokenURI", [bob, 4n, ""])
        const multi = yield* deployMultitoken(rpc, "")
        const batch = yield* callContract(rpc, multi.contract, "mintBatch", [
          carol,
          [1n, 2n],
          [10n, 20n],
          "0x"
        ])
        const [v2, v3] = [
          "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822",
          "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67"
        ]
        const minus = (2n ** 256n - 7n).toString(16)
        const swap = yield* send(rpc, {
          data: makeLoggingCode([v2, word(alice), word(bob)], [word(1n), word(2n), word(3n), word(4n)])
        })
        const newer = yield* send(rpc, {
          data: makeLoggingCode([v3, word(alice), word(bob)], [minus, word(2n), word(3n), word(4n), minus])
        })
        const events = (query: object) =>
          fromCall(() => sdk.data.getEvents({ chain: "ethereum-mainnet", ...query }))
        const nobody = `0x${"0".repeat(40)}`
        const [transfer, mint] = yield* events({ contractAddress: contract, eventType: "tokenTransfer" })
        expect(transfer).toMatchObject({
          chain: "ethereum-mainnet",
          address: contract,
          blockNumber: paid.block,
          txHash: paid.hash,
          txIndex: 0,
          logIndex: 0,
          decoded: {
            type: "tokenTransfer",
            subtype: "fungible",
            from: alice,
            to: bob,
            value: "2.5",
            decimals: 6
          },
          raw: {
            topic_0: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
            topic_1: `0x${word(alice)}`,
            data: `0x${word(2_500_000n)}`
          }
        })
        expect(mint).toMatchObject({ txHash: dollars.hash, decoded: { from: nobody, to: alice } })
        expect(yield* events({ eventType: "stablecoinTransfer", blockFrom: paid.block })).toMatchObject([
          { txHash: paid.hash, decoded: { type: "stablecoinTransfer", stablecoin: "usdc", value: "2.5" } }
        ])
        expect(
          yield* events({
            contractAddresses: [nft.contract],
            signatures: "Transfer(address,address,uint256)"
          })
        ).toMatchObject([{ txHash: minted.hash, decoded: { subtype: "nft", tokenId: "4", from: nobody } }])
        expect(
          yield* events({ eventType: "multitokenTransfer", blockTo: batch.block, pageSize: 1 })
        ).toMatchObject([
          {
            txHash: batch.hash,
            decoded: {
              subtype: "batch",
              operator: alice,
              multitokenIds: ["1", "2"],
              multitokenValues: ["10", "20"]
            }
          }
        ])
        expect(yield* events({ eventType: "uniswapTrade" })).toMatchObject([
          {
            txHash: newer.hash,
            decoded: {
              subtype: "v3",
              amount0: "-7",
              amount1: "2",
              sqrtPriceX96: "3",
              liquidity: "4",
              tick: -7
            }
          },
          {
            txHash: swap.hash,
            decoded: { subtype: "v2", from: alice, to: bob, amount0In: "1", amount1Out: "4" }
          }
        ])
      })
    )

    it.effect("has blocks, by height, hash and time", () =>
      Effect.gen(function* () {
        const { rpc, sdk } = yield* Running
        const { contract } = yield* deployCollection(rpc)
        const minted = yield* callContract(rpc, contract, "mintWithTokenURI", [bob, 4n, ""])
        const head = yield* fromCall(() => sdk.data.getLatestBlock({ chain: "ethereum" }))
        const node = yield* rpc("eth_getBlockByNumber", ["latest", false])
        expect(head).toEqual({
          blockNumber: minted.block,
          blockTimestamp: Number(Object(node).timestamp) * 1_000,
          hash: Object(node).hash,
          eventIngestedSize: 2,
          nftIngestedSize: 1,
          txHashes: [minted.hash]
        })
        const heights = (query: object) =>
          Effect.map(
            fromCall(() => sdk.data.getBlocks({ chain: "ethereum", ...query })),
            (blocks) => blocks.map(({ blockNumber }) => blockNumber)
          )
        const last = minted.block
        expect(yield* heights({ blockFrom: last - 2 })).toEqual([last, last - 1, last - 2])
        expect(yield* heights({ blockFrom: 0, blockTo: 1 })).toEqual([1, 0])
        expect(yield* heights({ blockIds: ["0", String(head.hash)] })).toEqual([last, 0])
        expect(yield* heights({ pageSize: 2, offset: 1 })).toEqual([last - 2, last - 3])
        const iso = new Date(head.blockTimestamp ?? 0).toISOString()
        expect(yield* heights({ timeFrom: iso, timeTo: iso })).toContain(last)
        expect(yield* heights({ timeTo: "2001-01-01T00:00:00Z" })).toEqual([])
      })
    )

    it.effect("refuses what makes no sense, in the provider's words", () =>
      Effect.gen(function* () {
        const { url } = yield* Running
        const refused = (path: string, data: string, errorCode = "validation.failed") =>
          Effect.map(fetchJson(`${url}/${path}`), ({ body, status }) => {
            expect([path, status]).toEqual([path, 400])
            expect(body).toMatchObject({ statusCode: 400, errorCode })
            expect(JSON.stringify(body)).toContain(data)
          })
        const chain = "chain=ethereum-mainnet"
        yield* refused("balances?chain=ethereum-mainnet", "addresses")
        yield* refused(`balances?${chain}&addresses=0x12`, "40 hexadecimal digits")
        yield* refused(`balances?addresses=${alice}`, "chain")
        yield* refused(`balances?chain=nowhere&addresses=${alice}`, "nowhere")
        yield* refused(`balances?${chain}&addresses=${alice}&tokenTypes=coins`, "tokenTypes")
        yield* refused(`balances?${chain}&addresses=${alice}&pageSize=51`, "1 to 50")
        yield* refused(`balances?${chain}&addresses=${alice}&offset=-1`, "offset")
        yield* refused(`transactions?${chain}&cursor=elsewhere`, "cursor")
        yield* refused(`transactions?${chain}&transactionSubtype=sideways`, "incoming")
        yield* refused(`transactions?${chain}&blockFrom=first`, "blockFrom")
        yield* refused(`collections?${chain}`, "collectionAddresses")
        yield* refused(`metadata?${chain}&tokenAddress=${alice}&tokenIds=one`, "tokenIds")
        yield* refused(`events?${chain}&signatures=Transfer(`, "signatures")
        yield* refused(`events?${chain}&eventType=swop`, "eventType")
        yield* refused(`blocks?${chain}&timeFrom=yesterday`, "ISO 8601")
        yield* refused(`utxos?${chain}&address=${alice}`, "ethereum-mainnet", "chain.not.supported")
        yield* refused("owners?chain=stellar-mainnet&tokenAddress=x", "40 hexadecimal digits")
        yield* refused(
          `owners?chain=stellar-mainnet&tokenAddress=${alice}`,
          "stellar-mainnet",
          "chain.not.supported"
        )
        const tolerated = yield* fetchJson(
          `${url}/balances?${chain}&addresses=${alice},${bob}&addresses=${carol}&tokenTypes=native&type=testnet&x=1`
        )
        expect(tolerated).toMatchObject({
          status: 200,
          body: {
            result: [{ address: alice }, { address: bob }, { address: carol }],
            prevPage: "",
            nextPage: ""
          }
        })
      })
    )

    it.effect("has what is recorded of Tezos, and says so", () =>
      Effect.gen(function* () {
        const { sandbox, url } = yield* Running
        const sdk = yield* makeClient(sandbox, "tezos-mainnet", "legacy")
        const address = "tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb"
        expect(yield* fromCall(() => sdk.address.getBalance({ address }))).toEqual([
          { address, asset: "XTZ", decimals: 6, balance: "100", type: "native" }
        ])
        const seen: Array<string> = []
        yield* Effect.promise(async () => {
          for await (const each of sdk.address.streamTransactions({ address, pageSize: 10 }))
            seen.push(requireData(each).hash)
        })
        expect(new Set(seen).size).toBe(25)
        const response = yield* Effect.promise(() =>
          fetch(`${url}/balances?chain=tezos-mainnet&addresses=${address}`)
        )
        expect(response.headers.get("x-sandbox-recorded")).toBe("true")
        yield* Effect.promise(() => response.text())
      }).pipe(Effect.scoped)
    )
  })
})

describe.runIf(requireBinary("bcoin", "the data API of Bitcoin") !== undefined)(
  "the data API of Bitcoin",
  () => {
    it.live("has balances, transfers and no more unspent outputs than it takes", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox.make({ dataApi: "both", networks: [{ network: "bitcoin-mainnet" }] })
        const { mine } = sandbox.network("bitcoin-mainnet")
        yield* mine(3)
        const url = `${sandbox.baseUrl}/v4/data`
        const minted = yield* fetchJson(`${url}/transactions?chain=bitcoin&pageSize=1`)
        const { address, amount } = Object(Object(minted.body).result[0])
        expect(minted.body).toMatchObject({
          result: [{ chain: "bitcoin-mainnet", transactionType: "native", transactionSubtype: "incoming" }]
        })
        const utxos = (more = "") =>
          Effect.map(fetchJson(`${url}/utxos?chain=bitcoin-mainnet&address=${address}${more}`), ({ body }) =>
            Array.isArray(body) ? body.map((row: unknown) => Number(Object(row).value)) : []
          )
        const all = yield* utxos()
        expect(all.length).toBeGreaterThan(2)
        expect(all).toContain(Number(amount))
        expect(yield* utxos("&totalValue=1")).toHaveLength(1)
        const { body } = yield* fetchJson(`${url}/balances?chain=bitcoin&addresses=${address}`)
        expect(Object(body).result).toMatchObject([{ type: "native", address }])
        expect(Number(Object(body).result[0].balance)).toBeCloseTo(
          all.reduce((sum, value) => sum + value, 0),
          8
        )
        const latest = yield* fetchJson(`${url}/blocks/latest?chain=bitcoin`)
        expect(Object(latest.body).txHashes).toEqual([Object(Object(minted.body).result[0]).hash])
      }).pipe(Effect.scoped)
    )
  }
)

describe("chains of the data API", () => {
  it("go by ids, short names, names of lists and codes", () => {
    expect(findNetwork("ethereum")).toBe("ethereum-mainnet")
    expect(findNetwork("ethereum", true)).toBe("ethereum-sepolia")
    expect(findNetwork("ethereum-sepolia", true)).toBe("ethereum-sepolia")
    expect(findNetwork("ethereum-mainnet", true)).toBe("ethereum-mainnet")
    expect(findNetwork("polygon", true)).toBe("polygon-amoy")
    expect(findNetwork("bsc")).toBe("bsc-mainnet")
    expect(findNetwork("celo", true)).toBe("celo-testnet")
    expect(findNetwork("bitcoin", true)).toBe("bitcoin-testnet")
    expect(findNetwork("dogecoin")).toBe("doge-mainnet")
    expect(findNetwork("dogecoin-testnet")).toBe("doge-testnet")
    expect(findNetwork("ETH")).toBe("ethereum-mainnet")
    expect(findNetwork("arb-one-mainnet")).toBe("arbitrum-one-mainnet")
    expect(findNetwork("(((")).toBeUndefined()
  })
})

describe("signatures of events", () => {
  it("are topics or text", () => {
    const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
    const single = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62"
    expect(parseSignatures("")).toEqual([])
    expect(parseSignatures(transfer.toUpperCase().replace("0X", "0x"))).toEqual([transfer])
    expect(
      parseSignatures(
        "Transfer(address, address, uint256),TransferSingle(address,address,address,uint256,uint256)"
      )
    ).toEqual([transfer, single])
    for (const wrong of ["Transfer", "0x12", `${transfer}ff`, "Transfer(address,)", `${transfer};x`])
      expect(parseSignatures(wrong)).toBeUndefined()
  })
})
