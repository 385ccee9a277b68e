import { createECDH, createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { ripemd160 } from "@noble/hashes/legacy.js"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { freePort } from "../../scripts/freePort.mjs"
import { type Block, dogeEndpoints, endpoints, estimateFeeEndpoints } from "../../src/chains/Bitcoin.js"
import { encodeBase58 } from "../../src/chains/internal/base58.js"
import type { Spec } from "../../src/data/Endpoint.js"
import { init, type PromiseSdk, type Result } from "../../src/promise.js"
import { nodeLimits } from "../nodeLimits.js"
import { take } from "../results.js"
import { answers, type Front, type Node, requireBinary, start, startFront } from "./process.js"

const litecoind = requireBinary("litecoind", "Bitcoin Core's dialect on a real node")
const programs = {
  bcoin: requireBinary("bcoin", "Dogecoin's dialect on a real node"),
  bcash: requireBinary("bcash", "the dialect of Bitcoin Cash on a real node")
}

/** The id that no transaction and no block has. */
const nobody = "00".repeat(31).concat("01")

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`
})

/** Every method of a table was called, or is one that the node does not know: nothing is left out by oversight. */
const calledOrUnknown = async (
  table: Readonly<Record<string, { readonly spec: Spec }>>,
  called: ReadonlyArray<string>,
  ask: (method: string) => Promise<Result<unknown, unknown>>
): Promise<void> => {
  const names = Object.values(table).flatMap(({ spec }) => (spec.kind === "rpc" ? [spec.method] : []))
  expect(names).toContain("getblock")
  for (const method of names.filter((name) => !called.includes(name))) {
    expect((await ask(method)).error?.cause, method).toMatchObject({ _tag: "RpcError", code: -32601 })
  }
}

const startLitecoind = (command: string, ...more: ReadonlyArray<string>): Promise<Node> =>
  start({
    command,
    args: (port, folder) => [
      "-regtest",
      `-datadir=${folder}`,
      "-server",
      "-rpcuser=alice",
      "-rpcpassword=p:@ss",
      `-rpcport=${port}`,
      "-rpcbind=127.0.0.1",
      "-rpcallowip=127.0.0.1",
      "-txindex=1",
      "-blockfilterindex=1",
      "-fallbackfee=0.0002",
      "-dnsseed=0",
      "-printtoconsole=0",
      ...more
    ],
    ready: answers("getblockchaininfo", basic("alice", "p:@ss"))
  })

/** User info in a url, as a user writes it. */
const withUser = (url: string): string => url.replace("//", "//alice:p%3A%40ss@")

describe.runIf(litecoind !== undefined)("the Bitcoin client on Litecoin Core", () => {
  const ended: Array<() => Promise<void>> = []
  let node: Node
  let other: Node
  let p2p = 0
  let seen: Front
  let seenLone: Front
  let sdk: PromiseSdk<"litecoin-testnet">
  let lone: PromiseSdk<"litecoin-testnet">
  let miner = ""

  const client = async (...urls: ReadonlyArray<string>) => {
    const made = await init({
      network: "litecoin-testnet",
      rpc: { nodes: urls.map((url) => ({ url: withUser(url) })) },
      retryDelay: 10,
      quiet: true,
      ...nodeLimits
    })
    ended.push(() => made.destroy())
    return made
  }
  const fronted = async (url: string, lose?: (method: string) => Promise<boolean>) => {
    const made = await startFront(url, lose)
    ended.push(made.close)
    return made
  }
  /** What only the node's wallet and miner can do. */
  const raw = async <A>(method: string, ...params: ReadonlyArray<unknown>): Promise<A> =>
    take(await sdk.rpc.rawRpcCall<A>({ method, params }))
  const mine = (count: number) => raw<ReadonlyArray<string>>("generatetoaddress", count, miner)
  const block = async (hash: string, verbosity: 1 | 2 = 1): Promise<Block> => {
    const answer = take(await sdk.rpc.getBlock(hash, verbosity))
    if (typeof answer === "string") throw new Error("a block as hex")
    return answer
  }
  /** Signs a transaction of one output of the wallet's, and sends nothing. */
  const signed = async (outputs: Readonly<Record<string, string>>) => {
    const coin = (
      await raw<ReadonlyArray<{ txid: string; vout: number; amount: number }>>("listunspent")
    ).find(({ amount }) => amount === 50)
    if (coin === undefined) throw new Error("the wallet has no coin left")
    const unsigned = take(await sdk.rpc.createRawTransaction([coin], outputs))
    const { complete, hex } = await raw<{ hex: string; complete: boolean }>(
      "signrawtransactionwithwallet",
      unsigned
    )
    expect(complete).toBe(true)
    return { coin, unsigned, hex }
  }

  beforeAll(async () => {
    if (litecoind === undefined) return
    p2p = await freePort()
    ;[node, other] = await Promise.all([
      startLitecoind(litecoind, `-bind=127.0.0.1:${p2p}`, "-listenonion=0", "-discover=0"),
      startLitecoind(litecoind, "-listen=0")
    ])
    ;[seen, seenLone] = await Promise.all([fronted(node.url), fronted(other.url)])
    ;[sdk, lone] = await Promise.all([client(seen.url), client(seenLone.url)])
    await raw("createwallet", "w")
    miner = await raw("getnewaddress")
    await mine(101)
  })
  afterAll(async () => {
    await Promise.all(ended.map((end) => end()))
    await Promise.all([node?.stop(), other?.stop()])
  })

  it("reads the chain", async () => {
    const { rpc } = sdk
    expect(take(await rpc.getBlockCount())).toBe(101)
    const best = take(await rpc.getBestBlockHash())
    expect(take(await rpc.getBlockHash(101))).toBe(best)
    expect(take(await rpc.getBlockChainInfo())).toMatchObject({
      chain: "regtest",
      blocks: 101,
      bestblockhash: best,
      initialblockdownload: false,
      pruned: false
    })
    expect(take(await rpc.getChainTips())).toEqual([
      { height: 101, hash: best, branchlen: 0, status: "active" }
    ])
    expect(take(await rpc.getChainTxStats(10))).toMatchObject({ window_block_count: 10, window_tx_count: 10 })
    expect(take(await rpc.getChainTxStats(1, take(await rpc.getBlockHash(50))))).toMatchObject({
      txcount: 51
    })
    expect(take(await rpc.getDifficulty())).toBeGreaterThan(0)
    expect(take(await rpc.getNetworkHashPs())).toBeGreaterThan(0)
    expect(take(await rpc.getNetworkHashPs(10, 50n))).toBeGreaterThan(0)
    expect(take(await rpc.getMiningInfo())).toMatchObject({ blocks: 101, chain: "regtest", pooledtx: 0 })
    expect(take(await rpc.getNetworkInfo())).toMatchObject({ connections: 0, networkactive: true })
    expect(take(await rpc.getNetTotals()).timemillis).toBeGreaterThan(1_600_000_000_000)
    expect(take(await rpc.uptime())).toBeGreaterThanOrEqual(0)
    expect(take(await rpc.getIndexInfo("txindex"))).toEqual({
      txindex: { synced: true, best_block_height: 101 }
    })
    expect(Object.keys(take(await rpc.getIndexInfo()))).toHaveLength(2)
    // nodes without data do not guess
    expect(take(await rpc.estimateSmartFee(6)).errors).toHaveLength(1)
    expect(take(await rpc.estimateSmartFee(6, "ECONOMICAL")).feerate).toBeUndefined()
  })

  it("reads blocks at every verbosity", async () => {
    const { rpc } = sdk
    const hash = take(await rpc.getBlockHash(1))
    const hex = take(await rpc.getBlock(hash, 0))
    expect(hex).toMatch(/^([0-9a-f]{2})+$/)
    expect(take(await rpc.getBlock(hash, false))).toBe(hex)
    const plain = take(await rpc.getBlock(hash))
    expect(plain).toMatchObject({ hash, height: 1, confirmations: 101, tx: [expect.any(String)] })
    expect(take(await rpc.getBlock(hash, true))).toEqual(plain)
    const [coinbase] = (await block(hash, 2)).tx
    expect(coinbase).toMatchObject({
      vout: [{ value: 50, n: 0 }, { value: 0 }],
      vin: [{ coinbase: expect.any(String) }]
    })
    const header = take(await rpc.getBlockHeader(hash))
    expect(header).toMatchObject({ hash, nTx: 1, nextblockhash: take(await rpc.getBlockHash(2)) })
    expect(take(await rpc.getBlockHeader(hash, false))).toBe(String(hex).slice(0, 160))
    expect(take(await rpc.getBlockStats(1))).toMatchObject({
      height: 1,
      subsidy: 5_000_000_000,
      txs: 1,
      ins: 0
    })
    expect(take(await rpc.getBlockStats(hash, ["subsidy"]))).toEqual({ subsidy: 5_000_000_000 })
    expect(take(await rpc.getBlockFilter(hash)).filter).toMatch(/^[0-9a-f]+$/)
    expect(take(await rpc.getBlockFilter(hash, "basic")).header).toMatch(/^[0-9a-f]{64}$/)
  })

  it("makes, signs, sends and follows a transaction", async () => {
    const { rpc } = sdk
    const receiver = await raw<string>("getnewaddress")
    const { coin, hex, unsigned } = await signed({
      [receiver]: "12.34567891",
      [miner]: "37.65432108",
      data: "c0ffee"
    })
    expect(take(await rpc.combineRawTransaction([unsigned, hex]))).toBe(hex)
    expect(take(await rpc.testMempoolAccept([hex]))).toMatchObject([{ allowed: false }])
    const decoded = take(await rpc.decodeRawTransaction(hex, true))
    expect(decoded.vout.map(({ value }) => value)).toEqual([12.34567891, 37.65432108, 0])
    expect(take(await rpc.getTxOut(coin.txid, coin.vout))).toMatchObject({ value: 50, coinbase: true })

    // one litoshi is no fee: the node says so, and the SDK does not ask twice
    const refused = await rpc.sendRawTransaction(hex)
    expect(refused.error?.cause).toMatchObject({ _tag: "RpcError", code: -26 })
    expect(seen.count("sendrawtransaction")).toBe(1)

    const good = await signed({ [receiver]: "12.34567891", [miner]: "37.654", data: "c0ffee" })
    expect(take(await rpc.testMempoolAccept([good.hex]))).toMatchObject([{ allowed: true }])
    expect(take(await rpc.testMempoolAccept([good.hex], "0.00000001"))).toMatchObject([{ allowed: false }])
    const { txid: id } = take(await rpc.decodeRawTransaction(good.hex))
    const asked = seen.count("getrawtransaction")
    const coming = rpc.waitForTransaction(id, { pollingInterval: 50 })
    await vi.waitUntil(() => seen.count("getrawtransaction") > asked + 1)
    const txid = take(await rpc.sendRawTransaction(good.hex))
    expect(txid).toBe(take(await rpc.decodeRawTransaction(good.hex)).txid)
    expect(take(await rpc.getRawTransaction(txid))).toBe(good.hex)
    const waiting = take(await rpc.getRawTransaction(txid, true))
    expect(waiting).toMatchObject({ txid, hex: good.hex })
    expect(waiting).not.toHaveProperty("blockhash")
    expect(take(await rpc.getTxOut(txid, 0))).toMatchObject({ confirmations: 0, value: 12.34567891 })
    expect(take(await rpc.getTxOut(txid, 0, false))).toBeNull()
    expect(take(await rpc.getTxOut(good.coin.txid, good.coin.vout))).toBeNull()

    const [hash = ""] = await mine(1)
    expect(take(await rpc.getTxOut(txid, 0, false))).toMatchObject({ confirmations: 1, value: 12.34567891 })
    expect(take(await coming)).toMatchObject({ txid, blockhash: hash, confirmations: 1 })
    const mined = take(await rpc.getRawTransaction(txid, 1, hash))
    expect(mined).toMatchObject({ txid, blockhash: hash, confirmations: 1, in_active_chain: true })
    expect((await block(hash)).tx).toContain(txid)
    // 50 came in, 49.99967891 went out: an exact count of litoshis
    expect(take(await rpc.getBlockStats(hash, ["totalfee", "total_out", "txs"]))).toEqual({
      totalfee: 32_109,
      total_out: 4_999_967_891,
      txs: 2
    })
    const proof = take(await rpc.getTxOutProof([txid]))
    expect(take(await rpc.getTxOutProof([txid], hash))).toBe(proof)
    expect(take(await rpc.verifyTxOutProof(proof))).toEqual([txid])
    const set = take(await rpc.getTxOutSetInfo())
    expect(set).toMatchObject({ height: 102, total_amount: 5_100 })
    expect(take(await rpc.getTxOutSetInfo("none"))).not.toHaveProperty("hash_serialized_2")
  })

  it("sees the pool of transactions", async () => {
    const { rpc } = sdk
    const parent = await raw<string>("sendtoaddress", miner, 1)
    const { vout } = take(await rpc.decodeRawTransaction(String(take(await rpc.getRawTransaction(parent)))))
    const n = vout.find(({ value }) => value === 1)?.n ?? 0
    const unsigned = take(
      await rpc.createRawTransaction([{ txid: parent, vout: n }], { [miner]: "0.999" }, 0, true)
    )
    const { hex } = await raw<{ hex: string }>("signrawtransactionwithwallet", unsigned)
    const child = take(await rpc.sendRawTransaction(hex, "0.2"))
    expect(take(await rpc.getRawMemPool())).toEqual(expect.arrayContaining([parent, child]))
    expect(take(await rpc.getRawMemPool(true))).toMatchObject({ [child]: { depends: [parent] } })
    expect(take(await rpc.getRawMemPool(false, true))).toMatchObject({ mempool_sequence: expect.any(Number) })
    expect(take(await rpc.getMempoolAncestors(child))).toEqual([parent])
    expect(take(await rpc.getMempoolAncestors(child, true))).toHaveProperty([parent])
    expect(take(await rpc.getMempoolDescendants(parent))).toEqual([child])
    expect(take(await rpc.getMempoolDescendants(parent, true))).toHaveProperty([child])
    expect(take(await rpc.getMempoolEntry(child))).toMatchObject({
      fees: { base: 0.001 },
      ancestorcount: 2,
      "bip125-replaceable": true
    })
    expect(take(await rpc.getMempoolInfo())).toMatchObject({ loaded: true, size: 2 })
    await mine(1)
    expect(take(await rpc.getRawMemPool())).toEqual([])
  })

  it("keeps amounts to the last digit, below 2^26 coins as numbers, and as text beyond", async () => {
    const { rpc } = sdk
    const inputs = [{ txid: nobody, vout: 0, sequence: 1 }]
    for (const amount of ["0.00000001", "20999999.97690000", "67108863.99999999"]) {
      const hex = take(await rpc.createRawTransaction(inputs, [{ [miner]: amount }]))
      const { vout } = take(await rpc.decodeRawTransaction(hex))
      expect(Number(vout[0]?.value).toFixed(8)).toBe(amount)
    }
    const hex = take(await rpc.createRawTransaction(inputs, { [miner]: "83999999.99999999" }))
    const litoshis = Buffer.alloc(8)
    litoshis.writeBigUInt64LE(8_399_999_999_999_999n)
    expect(hex).toContain(litoshis.toString("hex"))
  })

  it("decodes scripts and addresses, checks signatures, makes addresses of keys", async () => {
    const { rpc } = sdk
    const { pubkey, scriptPubKey } = await raw<{ pubkey: string; scriptPubKey: string }>(
      "getaddressinfo",
      miner
    )
    expect(take(await rpc.decodeScript(`21${pubkey}ac`))).toMatchObject({ type: "pubkey" })
    expect(take(await rpc.validateAddress(miner))).toMatchObject({ isvalid: true, scriptPubKey })
    expect(take(await rpc.validateAddress("nobody"))).toMatchObject({ isvalid: false })
    const legacy = await raw<string>("getnewaddress", "", "legacy")
    const signature = await raw<string>("signmessage", legacy, "Añejo ☕")
    expect(take(await rpc.verifyMessage(legacy, signature, "Añejo ☕"))).toBe(true)
    expect(take(await rpc.verifyMessage(legacy, signature, "another"))).toBe(false)
    const multisig = take(await rpc.createMultisig(1, [pubkey, pubkey], "legacy"))
    expect(multisig.redeemScript).toBe(`51${`21${pubkey}`.repeat(2)}52ae`)
    const info = take(await rpc.getDescriptorInfo(`wpkh(${pubkey})`))
    expect(info).toMatchObject({ isrange: false, issolvable: true, hasprivatekeys: false })
    expect(take(await rpc.deriveAddresses(info.descriptor))).toEqual([miner])
  })

  it("finds the outputs of descriptors, and says how far it is", async () => {
    const { rpc } = sdk
    const found = take(await rpc.scanTxOutSet([`addr(${miner})`]))
    expect(found).toMatchObject({ success: true, height: take(await rpc.getBlockCount()) })
    expect(found.unspents.length).toBeGreaterThan(100)
    expect(found.unspents[0]).toMatchObject({
      txid: expect.any(String),
      desc: expect.stringMatching(/^addr/)
    })
    const sum = found.unspents.reduce((total, { amount }) => total + Number(amount), 0)
    expect(sum).toBeCloseTo(Number(found.total_amount), 6)
    const ranged = take(await rpc.scanTxOutSet([{ desc: `addr(${miner})` }]))
    expect(ranged.total_amount).toBe(found.total_amount)
    expect(take(await rpc.scanTxOutSetStatus())).toBeNull()
    expect(take(await rpc.scanTxOutSetAbort())).toBe(false)
  })

  it("waits for blocks, and for no longer than it is told", async () => {
    const { rpc } = sdk
    const height = take(await rpc.getBlockCount())
    const best = take(await rpc.getBestBlockHash())
    expect(take(await rpc.waitForBlock(best))).toEqual({ hash: best, height })
    expect(take(await rpc.waitForBlock(nobody, 50n))).toEqual({ hash: best, height })
    expect(take(await rpc.waitForBlockHeight(height))).toEqual({ hash: best, height })
    expect(take(await rpc.waitForNewBlock(50))).toEqual({ hash: best, height })
    const awaited = rpc.waitForBlockHeight(height + 1)
    const next = rpc.waitForNewBlock()
    await expect.poll(() => seen.count("waitfornewblock")).toBe(2)
    const [hash = ""] = await mine(1)
    expect(take(await awaited)).toEqual({ hash, height: height + 1 })
    expect(take(await next)).toEqual({ hash, height: height + 1 })
  })

  it("takes a partially signed transaction all its way", async () => {
    const { rpc } = sdk
    const coins = await raw<ReadonlyArray<{ txid: string; vout: number }>>("listunspent")
    const psbts: Array<string> = []
    for (const { txid, vout } of coins.slice(0, 2)) {
      psbts.push(take(await rpc.createPsbt([{ txid, vout }], { [miner]: "0.5" }, 0, true)))
    }
    const [first = ""] = psbts
    const joined = take(await rpc.joinPsbts(psbts))
    expect(take(await rpc.decodePsbt(joined)).tx.vin).toHaveLength(2)
    expect(take(await rpc.analyzePsbt(first)).next).toBe("updater")
    const updated = take(await rpc.utxoUpdatePsbt(first))
    const { psbt } = await raw<{ psbt: string }>("walletprocesspsbt", updated)
    const combined = take(await rpc.combinePsbt([updated, psbt]))
    expect(take(await rpc.analyzePsbt(combined))).toMatchObject({
      next: expect.stringMatching(/finalizer|extractor/)
    })
    expect(take(await rpc.finalizePsbt(combined, false)).psbt).toEqual(expect.any(String))
    const { complete, hex = "" } = take(await rpc.finalizePsbt(combined))
    expect(complete).toBe(true)
    const { coin, unsigned } = await signed({ [miner]: "1" })
    const converted = take(await rpc.decodePsbt(take(await rpc.convertToPsbt(unsigned))))
    expect(converted.tx.vin).toMatchObject([{ txid: coin.txid, vout: coin.vout }])
    // a fee of 49.5 coins is above what nodes take by default; "0" allows any
    expect((await rpc.sendRawTransaction(hex)).error?.cause).toMatchObject({ _tag: "RpcError", code: -25 })
    const id = take(await rpc.sendRawTransaction(hex, "0"))
    await mine(1)
    expect(take(await rpc.getRawTransaction(id, true))).toMatchObject({ confirmations: 1 })
  })

  it("sends blocks and headers to another node, and knows the heights of both", async () => {
    const { rpc } = sdk
    const both = await client(node.url, other.url)
    const height = take(await rpc.getBlockCount())
    await both.checkNodes()
    expect(both.nodes().map(({ failed, lastBlock }) => [failed, lastBlock])).toEqual([
      [false, height],
      [false, 0]
    ])
    // the node that is behind serves nothing
    expect(both.nodes().find(({ active }) => active)?.lastBlock).toBe(height)
    expect(take(await both.rpc.getBlockCount())).toBe(height)

    const hashes = await Promise.all([1, 2].map(async (at) => take(await rpc.getBlockHash(at))))
    const [first = "", second = ""] = hashes
    const hex = String(take(await rpc.getBlock(first, 0)))
    expect(take(await lone.rpc.submitBlock(hex))).toBeNull()
    expect(take(await lone.rpc.submitBlock(hex))).toBe("duplicate")
    expect(
      take(await lone.rpc.submitHeader(String(take(await rpc.getBlockHeader(second, false)))))
    ).toBeNull()
    const info = take(await lone.rpc.getBlockChainInfo())
    expect(info).toMatchObject({ blocks: 1, headers: 2 })
    await both.checkNodes()
    expect(both.nodes().map(({ lastBlock }) => lastBlock)).toEqual([height, 1])
  })

  it("blames no node for what HTTP 500 and 404 say of the request", async () => {
    const [a, b] = await Promise.all([fronted(node.url), fronted(node.url)])
    const { nodes, rpc } = await client(a.url, b.url)
    const sentBoth = (method: string): number => a.count(method) + b.count(method)
    // what is wrong with a transaction is so on every node: one is asked, and once
    const orphan = take(await sdk.rpc.createRawTransaction([{ txid: nobody, vout: 0 }], { [miner]: "1" }))
    for (const [transaction, code] of [
      ["00", -22],
      [orphan, -25]
    ] as const) {
      const before = sentBoth("sendrawtransaction")
      const refused = await rpc.sendRawTransaction(transaction)
      expect(refused.error?.cause).toMatchObject({ _tag: "RpcError", code })
      expect(sentBoth("sendrawtransaction") - before).toBe(1)
    }
    expect((await rpc.getBlockHash(1_000_000)).error?.cause).toMatchObject({ _tag: "RpcError", code: -8 })
    expect(sentBoth("getblockhash")).toBe(1)
    expect((await rpc.getBlock(nobody)).error?.cause).toMatchObject({ _tag: "RpcError", code: -5 })
    // another node may have what one does not know: it is asked too
    expect((await rpc.getRawTransaction(nobody)).error?.cause).toMatchObject({ _tag: "RpcError", code: -5 })
    expect(sentBoth("getrawtransaction")).toBe(2)
    const unknown = await rpc.rawRpcCall({ method: "no_such_method" })
    expect(unknown.error?.cause).toMatchObject({ _tag: "RpcError", code: -32601 })
    expect(sentBoth("no_such_method")).toBe(2)
    expect(nodes().every(({ failed }) => !failed)).toBe(true)
  })

  it("knows a transaction that an answer lost on the way had told of", async () => {
    const { hex } = await signed({ [miner]: "49.999" })
    let lost = 0
    // it is mined before the second attempt: in the pool it would only be taken once more
    const lose = async (method: string) => {
      if (method !== "sendrawtransaction" || lost++ > 0) return false
      await mine(1)
      return true
    }
    const [a, b] = await Promise.all([fronted(node.url, lose), fronted(node.url, lose)])
    const { rpc } = await client(a.url, b.url)
    const id = take(await rpc.sendRawTransaction(hex))
    expect([a, b].map(({ count }) => count("sendrawtransaction"))).toEqual([1, 1])
    expect(take(await sdk.rpc.getRawTransaction(id, true))).toMatchObject({ hex, confirmations: 1 })
    // and where no answer was lost, the node's word stands
    expect((await rpc.sendRawTransaction(hex)).error?.cause).toMatchObject({ _tag: "RpcError", code: -27 })
  })

  it("takes credentials from the url or from headers, and another node where they are wrong", async () => {
    const headers = await init({
      network: "bitcoin-testnet",
      rpc: { nodes: [{ url: node.url, headers: basic("alice", "p:@ss") }] },
      quiet: true
    })
    expect(take(await headers.rpc.getBlockCount())).toBeGreaterThan(101)
    await headers.destroy()

    const closed = await fronted(node.url)
    const wrong = await init({
      network: "litecoin-testnet",
      rpc: { nodes: [{ url: closed.url }] },
      quiet: true
    })
    const refused = await wrong.rpc.sendRawTransaction("00")
    // without a body there is nothing but the status to tell
    expect(refused.error?.cause).toMatchObject({ _tag: "NodeError", kind: "status", status: 401 })
    expect(closed.count("sendrawtransaction")).toBe(1)
    expect(wrong.nodes()).toMatchObject([{ failed: false }])
    await wrong.destroy()

    const mixed = await init({
      network: "litecoin-testnet",
      rpc: { nodes: [{ url: closed.url }, { url: withUser(seen.url) }] },
      quiet: true
    })
    for (let i = 0; i < 3; i++) expect(take(await mixed.rpc.getBlockCount())).toBeGreaterThan(101)
    await mixed.checkNodes()
    expect(mixed.nodes().map(({ failed }) => failed)).toEqual([true, false])
    await mixed.destroy()
  })

  it("sends batches, with an outcome per item", async () => {
    const outcomes = take(
      await sdk.rpc.rawBatchRpcCall([
        { method: "getblockhash", params: [0], id: "zero" },
        { method: "getblockhash", params: [1_000_000] },
        { method: "no_such_method" },
        { method: "getblockcount" }
      ])
    )
    expect(outcomes.map(({ status }) => status)).toEqual(["SUCCESS", "ERROR", "ERROR", "SUCCESS"])
    expect(outcomes[0]?.data).toBe(take(await sdk.rpc.getBlockHash(0)))
  })

  it("reads what needs a peer", async () => {
    const { rpc } = sdk
    expect(take(await rpc.getConnectionCount())).toBe(0)
    expect(take(await rpc.getPeerInfo())).toEqual([])
    // without a peer the node does not make templates: that is its own state, and not what was asked
    const alone = await rpc.getBlockTemplate({ rules: ["segwit", "mweb"] })
    expect(alone.error?.cause).toMatchObject({ _tag: "RpcError", code: -9 })
    const height = take(await rpc.getBlockCount())
    // one try is one connection, which a busy machine can lose: it is tried again until the peer is there
    const connected = async (): Promise<boolean> => {
      if (take(await rpc.getConnectionCount()) > 0) return true
      take(await lone.rpc.rawRpcCall({ method: "addnode", params: [`127.0.0.1:${p2p}`, "onetry"] }))
      return false
    }
    await expect.poll(connected, { interval: 200 }).toBe(true)
    expect(take(await rpc.getPeerInfo())).toMatchObject([
      { id: expect.any(Number), inbound: true, subver: expect.stringMatching(/^\/LitecoinCore/) }
    ])
    expect(take(await rpc.getBlockTemplate({ rules: ["segwit", "mweb"] }))).toMatchObject({
      height: height + 1,
      previousblockhash: take(await rpc.getBestBlockHash())
    })
    await expect.poll(async () => take(await lone.rpc.getBlockCount())).toBe(height)
  })

  it("has called every method that this node knows", async () => {
    await calledOrUnknown(endpoints, [...seen.methods, ...seenLone.methods], (method) =>
      sdk.rpc.rawRpcCall({ method })
    )
    expect(sdk.nodes().every(({ failed }) => !failed)).toBe(true)
  })
})

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest()

/** A key as nodes take it: an address, and the private key in their import format, both of bcoin's regtest. */
const key = () => {
  const pair = createECDH("secp256k1")
  pair.generateKeys()
  const publicKey = pair.getPublicKey(null, "compressed")
  const checked = (...parts: ReadonlyArray<Uint8Array>): string => {
    const bytes = Buffer.concat(parts)
    return encodeBase58(new Uint8Array(Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)])))
  }
  return {
    address: checked(Buffer.from([0x3c]), ripemd160(sha256(publicKey))),
    secret: checked(Buffer.from([0x5a]), pair.getPrivateKey(), Buffer.from([1])),
    publicKey: publicKey.toString("hex")
  }
}

const startBcoin = (program: string, ...options: ReadonlyArray<string>): Promise<Node> =>
  start({
    command: process.execPath,
    args: (port, folder) => [
      ...options,
      program,
      "--network=regtest",
      "--memory=true",
      "--listen=false",
      "--api-key=key",
      "--http-host=127.0.0.1",
      `--http-port=${port}`,
      "--index-tx",
      "--no-wallet",
      "--log-level=error",
      `--prefix=${folder}`
    ],
    // their native parts are only there for speed
    env: { NODE_BACKEND: "js" },
    ready: answers("getblockcount", basic("x", "key"))
  })

describe.each([
  ["bcoin", "doge-testnet", dogeEndpoints, []],
  [
    "bcash",
    "bch-testnet",
    estimateFeeEndpoints,
    ["--require", fileURLToPath(new URL("./bdb.cjs", import.meta.url))]
  ]
] as const)("the Bitcoin client on %s, as one of %s", (name, network, table, options) => {
  const program = programs[name]
  const run = it.runIf(program !== undefined)
  const owner = key()
  let node: Node
  let seen: Front
  let sdk: PromiseSdk<"doge-testnet" | "bch-testnet">

  const client = (...urls: ReadonlyArray<string>) =>
    init({
      network,
      rpc: { nodes: urls.map((url) => ({ url: url.replace("//", "//x:key@") })) },
      retryDelay: 10,
      quiet: true,
      ...nodeLimits
    })
  const raw = async <A>(method: string, ...params: ReadonlyArray<unknown>): Promise<A> =>
    take(await sdk.rpc.rawRpcCall<A>({ method, params }))
  const hashAt = async (height: number) => take(await sdk.rpc.getBlockHash(height))

  beforeAll(async () => {
    if (program === undefined) return
    node = await startBcoin(program, ...options)
    seen = await startFront(node.url)
    sdk = await client(seen.url)
    await raw("generatetoaddress", 101, owner.address)
  })
  afterAll(async () => {
    await sdk?.destroy()
    await seen?.close()
    await node?.stop()
  })

  run("reads the chain", async () => {
    const { rpc } = sdk
    const best = take(await rpc.getBestBlockHash())
    expect(take(await rpc.getBlockCount())).toBe(101)
    expect(await hashAt(101)).toBe(best)
    expect(take(await rpc.getBlockChainInfo())).toMatchObject({
      chain: "regtest",
      blocks: 101,
      bestblockhash: best
    })
    expect(take(await rpc.getChainTips())).toMatchObject([{ height: 101, hash: best, status: "active" }])
    expect(take(await rpc.getConnectionCount())).toBe(0)
    expect(take(await rpc.getPeerInfo())).toEqual([])
    expect(take(await rpc.getDifficulty())).toBeGreaterThan(0)
    expect(take(await rpc.getMiningInfo())).toMatchObject({ blocks: 101, chain: "regtest" })
    expect(take(await rpc.getNetworkInfo()).subversion).toMatch(new RegExp(`^/${name}:`))
    expect(take(await rpc.getNetTotals()).totalbytessent).toBe(0)
    expect(take(await rpc.getNetworkHashPs(10))).toBeGreaterThan(0)
    expect(take(await rpc.getTxOutSetInfo())).toMatchObject({ height: 101, total_amount: 5_050 })
    expect(take(await rpc.getBlockTemplate())).toMatchObject({ height: 102, previousblockhash: best })
    // without data they give -1
    expect(take(await rpc.estimateFee(6))).toBe(-1)
    expect(take(await rpc.estimateSmartFee(6))).toEqual({ fee: -1, blocks: 6 })
    await sdk.checkNodes()
    expect(sdk.nodes()).toMatchObject([{ failed: false, lastBlock: 101 }])
  })

  run("reads blocks, decoded or as hex", async () => {
    const { rpc } = sdk
    const hash = await hashAt(1)
    const plain = take(await rpc.getBlock(hash))
    expect(plain).toMatchObject({ hash, height: 1, confirmations: 101, tx: [expect.any(String)] })
    expect(take(await rpc.getBlock(hash, true))).toEqual(plain)
    const hex = String(take(await rpc.getBlock(hash, false)))
    expect(hex).toMatch(/^([0-9a-f]{2})+$/)
    expect(take(await rpc.getBlockHeader(hash))).toMatchObject({
      hash,
      height: 1,
      nextblockhash: await hashAt(2)
    })
    expect(take(await rpc.getBlockHeader(hash, false))).toBe(hex.slice(0, 160))
    expect(take(await rpc.submitBlock(hex))).toMatch(/duplicate/)
  })

  run("makes, signs, sends and follows a transaction", async () => {
    const { rpc } = sdk
    const coinbase = take(await rpc.getBlock(await hashAt(1)))
    const [first] = typeof coinbase === "string" ? [] : coinbase.tx
    const txid = typeof first === "string" ? first : ""
    const found = take(await rpc.getRawTransaction(txid, true))
    if (typeof found === "string") throw new Error("a transaction as hex")
    const [output] = found.vout
    expect(output).toMatchObject({ value: 50, n: 0 })

    const spend = async (input: string, value: number, script: string | undefined, amount: number) => {
      const unsigned = take(
        await rpc.createRawTransaction([{ txid: input, vout: 0 }], { [owner.address]: value })
      )
      const previous = [{ txid: input, vout: 0, scriptPubKey: script, amount }]
      return (await raw<{ hex: string }>("signrawtransaction", unsigned, previous, [owner.secret])).hex
    }
    /**
     * They answer before they have looked at it, and now and then they do not like a signature of their own: another
     * amount has another one. What is left is the amount in whole coins. A process of theirs looks at it, which a busy
     * machine takes long to start.
     */
    const relayed = async (amount: number, sign: (amount: number) => Promise<string>) => {
      for (const [less, minutes] of [1, 1, 5].entries()) {
        const left = Number((amount - less / 1e8).toFixed(8))
        const hex = await sign(left)
        const id = take(await rpc.sendRawTransaction(hex))
        for (const end = Date.now() + minutes * 60_000; Date.now() < end; ) {
          if (Object.values(take(await rpc.getRawMemPool())).includes(id)) return { hex, id, left }
          await sleep(50)
        }
      }
      throw new Error("the node took none of three transactions")
    }
    const script = output?.scriptPubKey.hex
    const parent = await relayed(49.98765432, (amount) => spend(txid, amount, script, 50))
    const decoded = take(await rpc.decodeRawTransaction(parent.hex))
    expect(decoded.txid).toBe(parent.id)
    expect(decoded.vout).toMatchObject([{ value: parent.left, scriptPubKey: { hex: script } }])
    const { id: child, left } = await relayed(49.98, (amount) =>
      spend(parent.id, amount, script, parent.left)
    )
    expect(take(await rpc.getMempoolInfo()).size).toBe(2)
    expect(take(await rpc.getRawMemPool(true))).toHaveProperty([child])
    const fee = Number((parent.left - left).toFixed(8))
    expect(take(await rpc.getMempoolEntry(child))).toMatchObject({ fee })
    expect(take(await rpc.getMempoolAncestors(child))).toEqual([decoded.txid])
    expect(take(await rpc.getMempoolDescendants(decoded.txid))).toEqual([child])
    expect(take(await rpc.getTxOut(decoded.txid, 0))).toBeNull()
    expect(take(await rpc.getTxOut(child, 0))).toMatchObject({ value: left })
    expect(take(await rpc.getTxOut(child, 0, false))).toBeNull()

    const [unknown, coming] = [
      rpc.waitForTransaction(nobody, { timeout: 500, pollingInterval: 100 }),
      rpc.waitForTransaction(child, { timeout: 120_000, pollingInterval: 100 })
    ]
    const [hash = ""] = await raw<ReadonlyArray<string>>("generatetoaddress", 1, owner.address)
    expect((await unknown).error?.cause).toMatchObject({ _tag: "TransactionNotConfirmed", confirmations: 0 })
    expect((await coming).data).toMatchObject({ txid: child, blockhash: hash })
    expect(take(await rpc.getTxOut(child, 0, false))).toMatchObject({ confirmations: 1, value: left })
    expect(take(await rpc.getRawTransaction(decoded.txid))).toBe(parent.hex)
    expect(take(await rpc.getRawTransaction(child, true))).toMatchObject({
      blockhash: hash,
      confirmations: 1
    })
    const proof = take(await rpc.getTxOutProof([child]))
    expect(take(await rpc.verifyTxOutProof(proof))).toEqual([child])
  })

  run("decodes scripts and addresses, and takes big amounts to the last digit", async () => {
    const { rpc } = sdk
    const { scriptPubKey = "", address } = take(await rpc.validateAddress(owner.address))
    expect(scriptPubKey).toMatch(/^76a914[0-9a-f]{40}88ac$/)
    expect(address).toMatch(name === "bcash" ? /^bchreg:/ : /^R/)
    expect(take(await rpc.validateAddress("nobody")).isvalid).toBe(false)
    expect(take(await rpc.decodeScript(scriptPubKey)).asm).toMatch(/^OP_DUP OP_HASH160/)
    const { redeemScript } = take(await rpc.createMultisig(1, [owner.publicKey, owner.publicKey]))
    expect(redeemScript).toBe(`51${`21${owner.publicKey}`.repeat(2)}52ae`)
    const signature = await raw<string>("signmessagewithprivkey", owner.secret, "one")
    expect(take(await rpc.verifyMessage(owner.address, signature, "another"))).toBeFalsy()
    const big = take(
      await rpc.createRawTransaction([{ txid: nobody, vout: 0 }], { [owner.address]: 20_999_999.9769 })
    )
    expect(Number(take(await rpc.decodeRawTransaction(big)).vout[0]?.value).toFixed(8)).toBe(
      "20999999.97690000"
    )
  })

  run("reads errors that come with HTTP 200, and blames no node for them", async () => {
    const fronts = await Promise.all([startFront(node.url), startFront(node.url)])
    const two = await client(...fronts.map(({ url }) => url))
    const sent = (method: string): number => fronts.reduce((sum, { count }) => sum + count(method), 0)
    for (const [result, method, code, times] of [
      [await two.rpc.sendRawTransaction("00"), "sendrawtransaction", -22, 1],
      [await two.rpc.getBlockHash(1_000_000), "getblockhash", -8, 1],
      [await two.rpc.getRawTransaction(nobody), "getrawtransaction", -1, 2],
      [await two.rpc.rawRpcCall({ method: "no_such_method" }), "no_such_method", -32601, 2]
    ] as const) {
      expect(result.error?.cause, method).toMatchObject({ _tag: "RpcError", code })
      expect(sent(method), method).toBe(times)
    }
    expect(two.nodes().every(({ failed }) => !failed)).toBe(true)
    const outcomes = take(
      await two.rpc.rawBatchRpcCall([{ method: "getblockcount" }, { method: "no_such_method" }])
    )
    expect(outcomes.map(({ status }) => status)).toEqual(["SUCCESS", "ERROR"])
    await two.destroy()
    await Promise.all(fronts.map(({ close }) => close()))

    const closed = await init({ network, rpc: { nodes: [{ url: node.url }] }, quiet: true })
    expect((await closed.rpc.getBlockCount()).error?.cause).toMatchObject({
      _tag: "NodeError",
      status: 401
    })
    await closed.destroy()
  })

  it.runIf(program !== undefined && name === "bcoin")("answers what only Dogecoin is asked", async () => {
    const doge = await init({
      network: "doge-testnet",
      rpc: { nodes: [{ url: seen.url, headers: basic("x", "key") }] },
      quiet: true
    })
    expect(take(await doge.rpc.estimatePriority(6))).toBe(-1)
    expect(take(await doge.rpc.estimateSmartPriority(6))).toEqual({ priority: 0, blocks: 6 })
    expect(take(await doge.rpc.getInfo())).toMatchObject({ blocks: 102 })
    await doge.destroy()
  })

  run("has called every method that this node knows", () =>
    calledOrUnknown(table, seen.methods, (method) => sdk.rpc.rawRpcCall({ method }))
  )
})
