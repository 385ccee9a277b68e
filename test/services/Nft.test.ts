// @runtime both
import { expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe } from "vitest"
import * as Nft from "../../src/services/Nft.js"
import { makeScripted, parseBody } from "./scripted.js"

const one = "0x53e8577c4347c365e4e0da5b57a589cb6f2ab849"
const collection = "0x211500d1960bdb7ba3390347ffd8ad486b897a18"
const token = { tokenAddress: collection, tokenId: "1" }
const mint = { to: one, contractAddress: collection, tokenId: "1" }
const rows = (...ids: ReadonlyArray<string>) => ids.map((tokenId) => ({ ...token, tokenId, type: "nft" }))

describe("minting with metadata", () => {
  const metadata = { name: "Ape", edition: 7 }

  it.effect("uploads the file, then the document that names it, then mints with that", () =>
    Effect.gen(function* () {
      const { lines, sent, service } = yield* makeScripted(Nft.make, [
        { json: { ipfsHash: "QmImage" } },
        { json: { ipfsHash: "QmMeta" } },
        { json: { txId: "0xabc" } }
      ])
      expect(yield* service.mintNftWithMetadata({ ...mint, file: "bytes", metadata })).toEqual({
        txId: "0xabc"
      })
      expect(lines()).toEqual(["POST /v4/ipfs", "POST /v4/ipfs", "POST /v4/contract/erc721/mint"])
      const document = sent[1]?.body
      const part = document instanceof FormData ? document.get("file") : undefined
      const written = yield* Effect.promise(async () => (part instanceof Blob ? part.text() : ""))
      expect(JSON.parse(written)).toEqual({ ...metadata, image: "ipfs://QmImage" })
      expect(parseBody(sent[2])).toEqual({ ...mint, url: "ipfs://QmMeta", chain: "ethereum-mainnet" })
      expect(metadata).toEqual({ name: "Ape", edition: 7 })
    })
  )

  it.effect.each([
    [[{ status: 400, json: { message: "bad file" } }], undefined],
    [[{ json: { ipfsHash: "QmI" } }, { status: 403, json: { message: "quota" } }], ["ipfs://QmI"]],
    [
      [{ json: { ipfsHash: "QmI" } }, { json: { ipfsHash: "QmM" } }, { status: 500, text: "boom" }],
      ["ipfs://QmI", "ipfs://QmM"]
    ]
  ] as const)("that fails in a step tells what is there already: %#", ([answers, uploaded]) =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(Nft.make, answers)
      const error = yield* Effect.flip(service.mintNftWithMetadata({ ...mint, file: "bytes", metadata }))
      expect(error._tag).toBe("GatewayError")
      expect(error._tag === "GatewayError" ? error.uploaded : "no").toEqual(uploaded)
      for (const url of uploaded ?? []) expect(String(error)).toContain(url)
      expect(sent).toHaveLength(answers.length)
    })
  )

  it.effect("refuses what cannot be written before anything is uploaded", () =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(Nft.make, [])
      const circular: Record<string, unknown> & { name: string } = { name: "Ape" }
      circular.self = circular
      for (const [wrong, reason] of [
        [{ metadata: circular }, "metadata cannot be written as JSON"],
        [{ metadata: {} }, "metadata.name"],
        [{ tokenId: "-1" }, "tokenId: must be a decimal number"],
        [{ to: "" }, "to: "]
      ] as const) {
        const query = { ...mint, file: "x", metadata, ...wrong } as Parameters<
          typeof service.mintNftWithMetadata
        >[0]
        const error = yield* Effect.flip(service.mintNftWithMetadata(query))
        expect(error._tag).toBe("InvalidArgument")
        expect(error.message).toContain(reason)
      }
    })
  )
})

describe("lists of NFTs", () => {
  it.effect("are asked for in the words of each generation, and come out in one shape", () =>
    Effect.gen(function* () {
      const ask = (service: Nft.NftService) =>
        Effect.all([
          service.getBalance({ address: one }),
          service.getAllNftTransactions({ ...token, fromBlock: 0 }),
          service.getNftMetadata(token),
          service.getNftOwner(token),
          service.checkNftOwner({ ...token, owner: one }),
          service.getNftsInCollection({ collectionAddress: collection })
        ])
      const chain = "ethereum-mainnet"
      const metadata = { name: "Ape", attributes: [] }
      const balance = { ...token, chain, type: "nft", address: one, balance: "1" }
      const transfer = { ...token, chain, address: one, transactionType: "nft", amount: "1" }
      const detail = { ...token, chain, type: "nft" }
      const today = yield* makeScripted(Nft.make, [
        { json: [balance] },
        { json: [{ ...transfer, txHash: "0x1", txIndex: 2 }] },
        { json: metadata },
        { json: [{ address: one, balance: "1" }] },
        { json: { isOwner: true } },
        { json: [{ contractAddress: collection, tokenId: "1", tokenType: "nft", metadata }] }
      ])
      const [balances, transfers, described, owners, owned, tokens] = yield* ask(today.service)
      expect(balances).toEqual([balance])
      expect(transfers).toEqual([{ ...transfer, hash: "0x1", transactionIndex: 2 }])
      expect(described).toEqual({ ...token, chain, metadata })
      expect([owners, owned]).toEqual([[one], true])
      expect(tokens).toEqual([{ ...detail, tokenType: "nft", metadata }])
      const at = `chain=${chain}&tokenAddress=${collection}`
      expect(today.lines()).toEqual([
        `GET /v4/data/wallet/portfolio?chain=${chain}&addresses=${one}&tokenTypes=nft,multitoken&pageSize=50`,
        `GET /v4/data/transaction/history?chain=${chain}&transactionTypes=nft,multitoken&tokenAddress=${collection}&tokenId=1&blockFrom=0&pageSize=50`,
        `GET /v4/data/metadata?${at}&tokenId=1`,
        `GET /v4/data/owners?${at}&tokenId=1`,
        `GET /v4/data/owners/address?chain=${chain}&ownerAddress=${one}&tokenAddress=${collection}&tokenId=1`,
        `GET /v4/data/collections?chain=${chain}&collectionAddresses=${collection}`
      ])
      const before = yield* makeScripted(
        Nft.make,
        [
          { json: { result: [balance] } },
          { json: { result: [{ ...transfer, hash: "0x1", transactionIndex: 2 }] } },
          { json: [{ ...detail, metadata }] },
          { json: { result: [one] } },
          { json: true },
          { json: { result: [{ ...detail, tokenType: "nft", metadata }] } }
        ],
        { dataApi: "legacy" }
      )
      expect(yield* ask(before.service)).toEqual([
        balances,
        transfers,
        { ...detail, metadata },
        owners,
        owned,
        tokens
      ])
      expect(before.lines().map((line) => line.replace(/^GET \/v4\/|&(pageSize|blockFrom).*$/g, ""))).toEqual(
        [
          `data/balances?chain=${chain}&addresses=${one}&tokenTypes=nft,multitoken`,
          `data/transactions?chain=${chain}&tokenTypes=nft,multitoken&tokenAddress=${collection}&tokenId=1`,
          `data/metadata?${at}&tokenIds=1`,
          `data/owners?${at}&tokenId=1`,
          `data/owners/address?chain=${chain}&address=${one}&tokenAddress=${collection}&tokenId=1`,
          `data/collections?chain=${chain}&collectionAddresses=${collection}`
        ]
      )
    })
  )

  it.effect("are streamed as far as they are consumed", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(Nft.make, [
        { json: rows("1", "2") },
        { json: rows("3", "4") },
        { json: rows("5") }
      ])
      const stream = service.streamNftsInCollection({ collectionAddress: collection, pageSize: 2 })
      const some = yield* Stream.runCollect(Stream.take(stream, 2))
      expect(Chunk.toReadonlyArray(some).map(({ tokenId }) => tokenId)).toEqual(["1", "2"])
      expect(lines()).toHaveLength(1)
    })
  )

  it.effect("end with the last page, or at the limit", () =>
    Effect.gen(function* () {
      const pages = [{ json: rows("1", "2") }, { json: rows("3", "4") }, { json: rows("5") }]
      const { lines, service } = yield* makeScripted(Nft.make, pages)
      const query = { collectionAddress: collection, pageSize: 2 }
      const all = yield* Stream.runCollect(service.streamNftsInCollection(query))
      expect(Chunk.toReadonlyArray(all).map(({ tokenId }) => tokenId)).toEqual(["1", "2", "3", "4", "5"])
      expect(lines()).toHaveLength(3)
      const limited = yield* makeScripted(Nft.make, pages)
      const three = yield* Stream.runCollect(limited.service.streamNftsInCollection({ ...query, limit: 3 }))
      expect(three.length).toBe(3)
      expect(limited.lines()).toHaveLength(2)
    })
  )

  it.effect("that are none are failures, and so is a yes-or-no that is neither", () =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(Nft.make, [{ json: { result: 5 } }, { json: "yes" }])
      expect(yield* Effect.flip(service.getBalance({ address: one }))).toMatchObject({ kind: "malformed" })
      expect(yield* Effect.flip(service.checkNftOwner({ ...token, owner: one }))).toMatchObject({
        kind: "malformed"
      })
    })
  )

  it.effect("of a token that nobody knows are null, and of a network without NFTs an error", () =>
    Effect.gen(function* () {
      const known = yield* makeScripted(Nft.make, [{ json: [] }], { network: "tezos-mainnet" })
      expect(yield* known.service.getNftMetadata(token)).toBeNull()
      const none = yield* makeScripted(Nft.make, [], { network: "bitcoin-mainnet" })
      expect(yield* Effect.flip(none.service.getNftMetadata(token))).toMatchObject({
        message: "Not supported for bitcoin-mainnet network."
      })
    })
  )

  it.effect.each([
    [{ addresses: [] }],
    [{}],
    [{ address: one, addresses: [one] }],
    [{ address: one, pageSize: 0 }],
    [{ address: one, page: -1 }],
    [{ address: "" }]
  ])("of %j are refused before anything is sent", ([query]) =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(Nft.make, [])
      // wrong on purpose
      const wrong = query as unknown as { readonly address: string }
      expect((yield* Effect.flip(service.getBalance(wrong)))._tag).toBe("InvalidArgument")
      expect(
        (yield* Effect.flip(
          Stream.runDrain(
            service.streamBalance({ ...wrong, ...(wrong.address === one ? { limit: -1 } : {}) })
          )
        ))._tag
      ).toBe("InvalidArgument")
    })
  )
})
