/** Calls and answers as the chains' documentation shows them, and the same calls with another thing's answer. */
import type * as Effect from "effect/Effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Avalanche from "../../src/chains/Avalanche.js"
import * as Bnb from "../../src/chains/Bnb.js"
import * as Eos from "../../src/chains/Eos.js"
import * as Near from "../../src/chains/Near.js"
import * as Polkadot from "../../src/chains/Polkadot.js"
import * as Tezos from "../../src/chains/Tezos.js"
import * as Xrp from "../../src/chains/Xrp.js"
import { makeRpcNode, makeWire, runError, runValue } from "../chains/wire.js"

type Call = Effect.Effect<unknown, unknown>

const refused = async (call: Call): Promise<void> =>
  expect(await runError(call)).toMatchObject({ _tag: "NodeError", kind: "malformed" })

describe("Tezos", () => {
  const { answers, client } = makeWire(Tezos.endpoints)
  const hash = "BLockGenesisGenesisGenesisGenesisGenesisf79b5d1CoW2"
  const header = { protocol: "Ps9mPmXaRzmzk35gbAYNCAw6UXdE2qoABTHbN2oEEc1qM7CwT9P", hash, level: 0 }

  it("names a block by its hash, its level or a word", async () => {
    answers({ ...header, fitness: [] })
    for (const block of [hash, 0, "0", 0n, "genesis", "head", "checkpoint", undefined])
      await runValue(client.getBlockHeader(block === undefined ? {} : { block }))
    for (const block of [hash.replace("L", "M"), 1, "1", 2n]) await refused(client.getBlockHeader({ block }))
    answers({ hash, header: { level: 0 }, operations: [] })
    await runValue(client.getBlock({ block: hash }))
    await refused(client.getBlock({ block: 1 }))
    answers({ level: 0, fitness: [] })
    await runValue(client.getBlockShell({ block: 0 }))
    await refused(client.getBlockShell({ block: 1 }))
  })

  it("names a block by its distance from another one, before or after it", async () => {
    answers({ ...header, fitness: [] })
    const other = hash.replace("L", "M")
    const blocks = [
      "head~2",
      "head-2",
      "genesis+5",
      `${other}~2`,
      `${other}-2`,
      `${other}+1`,
      "10~10",
      "checkpoint~1"
    ]
    for (const block of blocks) await runValue(client.getBlockHeader({ block }))
  })
})

describe("NEAR", () => {
  const { client, result } = makeRpcNode(Near.endpoints)
  const answers = (answer: unknown): void => result(JSON.stringify(answer))
  const block_hash = "GGJQ8yjmo7aEoj8ZpAhGehnq9BSWFx4xswHYzDwwAP2n"
  const other = "4kvqE1PsA6ic1LG7S5SqymSEhvjqGqumKjAxnVdNN3ZH"
  const key = {
    accountId: "client.chainlink.testnet",
    publicKey: "ed25519:H9k5eiU4xXS3M4z8HzKJSLaZdqGdGwBG49o7orNC4eZW"
  }

  it("answers a question about the state with the block of that state", async () => {
    answers({ nonce: 85, permission: "FullAccess", block_height: 19_884_918, block_hash })
    for (const blockId of [block_hash, 19_884_918, 19_884_918n])
      await runValue(client.viewAccessKey({ ...key, blockId }))
    await runValue(client.viewAccessKey({ ...key, finality: "final" }))
    await refused(client.viewAccessKey({ ...key, blockId: other }))
    await refused(client.viewAccessKey({ ...key, blockId: 19_884_919 }))
    answers({ block_hash: other, changes: [] })
    await runValue(client.changesInBlock({ blockId: other }))
    await refused(client.changesInBlock({ blockId: block_hash }))
  })

  it("answers with a block, a chunk, a transaction or a receipt by its id", async () => {
    answers({ header: { hash: block_hash, height: 19_884_918 }, chunks: [] })
    for (const blockId of [block_hash, 19_884_918]) await runValue(client.block({ blockId }))
    for (const blockId of [other, 19_884_917]) await refused(client.block({ blockId }))
    answers({ header: { chunk_hash: other, shard_id: 3 }, receipts: [], transactions: [] })
    await runValue(client.chunk({ chunkId: other }))
    await runValue(client.chunk({ blockId: block_hash, shardId: 3 }))
    await refused(client.chunk({ chunkId: block_hash }))
    await refused(client.chunk({ blockId: block_hash, shardId: 2 }))
    const hash = "6zgh2u9DqHHiXzdy9ouTP7oGky2T4nugqzqt9wJZwNFm"
    answers({ status: { SuccessValue: "" }, transaction: { nonce: 15, hash }, receipts_outcome: [] })
    await runValue(client.tx({ txHash: hash, senderAccountId: "sender.testnet" }))
    await refused(client.tx({ txHash: other, senderAccountId: "sender.testnet" }))
    await refused(client.txStatus({ txHash: other, senderAccountId: "sender.testnet" }))
    answers({ receipt_id: other })
    await runValue(client.receipt({ receiptId: other }))
    await refused(client.receipt({ receiptId: hash }))
  })
})

describe("Polkadot", () => {
  const { client, result } = makeRpcNode(Polkadot.endpoints)
  const at: `0x${string}` = `0x${"ab".repeat(32)}`
  const other: `0x${string}` = `0x${"cd".repeat(32)}`

  it("names the block that a proof or values are of", async () => {
    result(JSON.stringify({ at, proof: ["0x80"] }))
    await runValue(client.stateGetReadProof(["0x00"], at))
    await runValue(client.stateGetReadProof(["0x00"]))
    await refused(client.stateGetReadProof(["0x00"], other))
    await refused(client.stateGetChildReadProof("0x00", ["0x00"], other))
    result(JSON.stringify([{ block: at, changes: [["0x00", null]] }]))
    await runValue(client.stateQueryStorageAt(["0x00"], at))
    await refused(client.stateQueryStorageAt(["0x00"], other))
  })
})

describe("EOS", () => {
  const { answers, client } = makeWire(Eos.endpoints)
  const id = "000000056d75b0581b4fbb96affa36669a37173d21f46f8cb974f760e94bbe14"
  const other = id.replace("5", "6")

  it("answers with a block by its id and its number", async () => {
    answers({ id, block_num: 5, ref_block_prefix: 2_528_857_883, producer: "eosio", transactions: [] })
    for (const blockNumOrId of [id, "5", 5]) await runValue(client.getBlock({ blockNumOrId }))
    for (const blockNumOrId of [other, "6", 6]) await refused(client.getBlock({ blockNumOrId }))
    await runValue(client.getBlockInfo({ blockNum: 5 }))
    await refused(client.getBlockInfo({ blockNum: 6 }))
    await runValue(client.getBlockHeaderState({ blockNumOrId: id }))
    await refused(client.getBlockHeaderState({ blockNumOrId: 6 }))
    answers({ id, signed_block_header: {} })
    for (const blockNumOrId of [id, 5]) await runValue(client.getBlockHeader({ blockNumOrId }))
    await refused(client.getBlockHeader({ blockNumOrId: other }))
  })

  it("answers with an account, and what belongs to it, by its name", async () => {
    answers({ account_name: "eosio.token", code_hash: "00", permissions: [] })
    const calls: ReadonlyArray<(accountName: string) => Call> = [
      (accountName) => client.getAccount({ accountName }),
      (accountName) => client.getAbi({ accountName }),
      (accountName) => client.getRawAbi({ accountName }),
      (accountName) => client.getCode({ accountName }),
      (accountName) => client.getCodeHash({ accountName }),
      (accountName) => client.getRawCodeAndAbi({ accountName })
    ]
    for (const about of calls) {
      await runValue(about("eosio.token"))
      await refused(about("eosio"))
    }
  })

  it("answers with what happened in a block by its number, and in a transaction by its id", async () => {
    answers({ id, number: 5, previous_id: other, status: "irreversible", transactions: [] })
    await runValue(client.getBlockTrace({ blockNum: 5 }))
    await refused(client.getBlockTrace({ blockNum: 6 }))
    answers({ id, block_num: 5, actions: [] })
    await runValue(client.getTransactionTrace({ id }))
    await refused(client.getTransactionTrace({ id: other }))
  })
})

describe("the Beacon Chain", () => {
  const { client, result } = makeRpcNode(Bnb.endpoints)
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((each) => Buffer.from(each))
  const spelling = fc.constantFrom<(hash: Buffer) => string>(
    (hash) => hash.toString("base64"),
    (hash) => `0x${hash.toString("hex")}`
  )
  const told = (hash: Buffer): string => hash.toString("hex").toUpperCase()

  it("answers with a block or a transaction by its hash, in whichever encoding it was asked", async () => {
    await fc.assert(
      fc.asyncProperty(
        bytes,
        bytes,
        spelling,
        fc.constantFrom("block_id", "meta", "tx"),
        async (hash, other, how, what) => {
          fc.pre(!hash.equals(other))
          const body = {
            block_id: { hash: told(hash) },
            block_meta: { block_id: { hash: told(hash) } },
            hash: told(hash)
          }
          const { block_id, block_meta } = body
          result(
            JSON.stringify(
              what === "tx"
                ? { hash: told(hash), height: "1", index: 0 }
                : what === "meta"
                  ? { block_meta }
                  : { block_id }
            )
          )
          const about = (asked: string): Call =>
            what === "tx" ? client.tx({ hash: asked }) : client.blockByHash({ hash: asked })
          await runValue(about(how(hash)))
          await refused(about(how(other)))
        }
      )
    )
  })

  it("answers with an empty hash where it has no such block", async () => {
    const none = { block_id: { hash: "", parts: { total: 0, hash: "" } }, block: null }
    result(JSON.stringify(none))
    expect(await runValue(client.blockByHash({ hash: `0x${"ab".repeat(32)}` }))).toEqual(none)
  })

  it("answers with a part of the genesis by its number", async () => {
    result('{"chunk":"1","total":"2","data":""}')
    await runValue(client.genesisChunked({ chunk: 1 }))
    await refused(client.genesisChunked({ chunk: 0 }))
  })
})

describe.each([
  ["P", Avalanche.pEndpoints],
  ["X", Avalanche.xEndpoints]
] as const)("the %s-Chain of Avalanche", (_, endpoints) => {
  const id = "2QouvFWUbjuySRxeX5xMbNCuAaKWfbk5FeEa2JmoF85RKLk2dD"
  const other = id.replace("Q", "R")

  it("answers with a block or a transaction by its id or height, if it is JSON", async () => {
    const { client, result } = makeRpcNode<typeof Avalanche.pEndpoints | typeof Avalanche.xEndpoints>(
      endpoints
    )
    result(JSON.stringify({ block: { id, parentID: other, height: 5, txs: [] }, encoding: "json" }))
    await runValue(client.getBlock({ blockID: id, encoding: "json" }))
    await refused(client.getBlock({ blockID: other, encoding: "json" }))
    for (const height of [5, 5n, "5"]) await runValue(client.getBlockByHeight({ height, encoding: "json" }))
    await refused(client.getBlockByHeight({ height: 6, encoding: "json" }))
    result('{"block":"0x00","encoding":"hex"}')
    await runValue(client.getBlock({ blockID: id }))
    result(JSON.stringify({ tx: { id, unsignedTx: {} }, encoding: "json" }))
    await runValue(client.getTx({ txID: id, encoding: "json" }))
    await refused(client.getTx({ txID: other, encoding: "json" }))
  })
})

describe("the X-Chain of Avalanche", () => {
  it("answers with an asset by its id, or by the name that the chain has for it", async () => {
    const { client, result } = makeRpcNode(Avalanche.xEndpoints)
    const assetID = "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z"
    result(JSON.stringify({ assetID, name: "Avalanche", symbol: "AVAX", denomination: "9" }))
    for (const asked of ["AVAX", assetID]) await runValue(client.getAssetDescription({ assetID: asked }))
    await refused(client.getAssetDescription({ assetID: assetID.replace("E", "F") }))
  })
})

describe("the XRP Ledger", () => {
  it("answers about an account that was asked for by its key with its address", async () => {
    const { client, result } = makeRpcNode(Xrp.endpoints)
    const account = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"
    result(JSON.stringify({ status: "success", account, lines: [] }))
    for (const asked of [
      account,
      "aBQG8RQAzjs1eTKFEAQXr2gS4utcDiEC9wmi7pfUPTi27VCahwgw",
      "snoPBrXtMeMyMHUVTgbuqAfg1SUTb"
    ])
      await runValue(client.accountLines(asked))
    await refused(client.accountLines("rrrrrrrrrrrrrrrrrrrrrhoLvTp"))
  })
})
