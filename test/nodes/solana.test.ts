import { type ChildProcess, spawn } from "node:child_process"
import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { decodeBase58, encodeBase58 } from "../../src/chains/internal/base58.js"
import { endpoints } from "../../src/chains/Solana.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import { take } from "../results.js"
import { type Front, requireBinary, startFront } from "./process.js"

const surfpool = requireBinary("surfpool", "Solana on a real node")

/** Slots of 20 ms, so that blocks are finalized (31 slots deep) within a second. It ends when its stdin does. */
const host = `
const { Surfnet } = require(process.argv[1])
const surfnet = Surfnet.startWithConfig({ offline: true, slotTimeMs: 20, blockProductionMode: "clock" })
process.stdin.on("end", () => { surfnet.stop(); process.exit() }).resume()
console.log(surfnet.rpcUrl)
`

const startSurfpool = async (file: string): Promise<{ url: string; child: ChildProcess }> => {
  const child = spawn(process.execPath, ["-e", host, "--", file], { stdio: ["pipe", "pipe", "inherit"] })
  const url = await new Promise<string>((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", (code) => reject(new Error(`Surfpool ended at once, with ${code}`)))
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()))
  })
  return { url, child }
}

const system = "1".repeat(32)
const tokens = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"

/** A key pair: the address, and the signature of bytes. */
const keys = () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const { x = "" } = publicKey.export({ format: "jwk" })
  const key = createPrivateKey(privateKey.export({ type: "pkcs8", format: "pem" }))
  return {
    address: encodeBase58(new Uint8Array(Buffer.from(x, "base64url"))),
    sign: (bytes: Buffer): Buffer => sign(null, bytes, key)
  }
}

/** A transfer of lamports: its message, and the whole transaction, in the format that nodes take. */
const transfer = (from: ReturnType<typeof keys>, to: string, lamports: bigint, blockhash: string) => {
  const data = Buffer.alloc(12)
  data.writeUInt32LE(2, 0)
  data.writeBigUInt64LE(lamports, 4)
  const message = Buffer.concat([
    // one signer, which pays; one account that is only read, the program
    Buffer.from([1, 0, 1, 3]),
    ...[from.address, to, system, blockhash].map((text) => decodeBase58(text)),
    Buffer.from([1, 2, 2, 0, 1, data.length]),
    data
  ])
  const signature = from.sign(message)
  return {
    message: message.toString("base64"),
    transaction: new Uint8Array(Buffer.concat([Buffer.from([1]), signature, message])),
    signature: encodeBase58(new Uint8Array(signature))
  }
}

describe.runIf(surfpool !== undefined)("the Solana client on Surfpool", () => {
  const payer = keys()
  const receiver = keys()
  const mint = keys().address
  let node: { url: string; child: ChildProcess }
  let seen: Front
  let sdk: PromiseSdk<"solana-devnet">
  let airdrop = ""
  let sent = ""
  let slot = 0n

  const status = async (signature: string) =>
    take(await sdk.rpc.getSignatureStatuses([signature])).value[0] ?? undefined
  const blockhash = async () => take(await sdk.rpc.getLatestBlockhash()).value.blockhash
  const cheat = async (method: string, ...params: ReadonlyArray<unknown>) =>
    take(await sdk.rpc.rawRpcCall({ method, params }))

  beforeAll(async () => {
    if (surfpool === undefined) return
    node = await startSurfpool(surfpool)
    seen = await startFront(node.url)
    sdk = await init({ network: "solana-devnet", rpc: { nodes: [{ url: seen.url }] }, quiet: true })
  })
  afterAll(async () => {
    await sdk?.destroy()
    await seen?.close()
    node?.child.stdin?.end()
  })

  it("reads the state of the cluster", async () => {
    const { rpc } = sdk
    expect(take(await rpc.getHealth())).toBe("ok")
    const version = take(await rpc.getVersion())
    expect(version["solana-core"]).toMatch(/^\d+\.\d+\.\d+$/)
    expect(version["feature-set"]).toEqual(expect.any(Number))
    const { identity } = take(await rpc.getIdentity())
    expect(take(await rpc.getClusterNodes())).toMatchObject([{ pubkey: identity, rpc: expect.any(String) }])
    expect(take(await rpc.getSlotLeader())).toBe(identity)
    expect(take(await rpc.getSlotLeaders(0, 2n))).toContain(identity)
    expect(take(await rpc.getGenesisHash())).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/)
    expect(take(await rpc.getEpochSchedule())).toMatchObject({
      slotsPerEpoch: 432_000n,
      leaderScheduleSlotOffset: 432_000n,
      warmup: false
    })
    const epoch = take(await rpc.getEpochInfo({ commitment: "processed" }))
    expect(epoch).toMatchObject({ epoch: 0n, slotsInEpoch: 432_000n })
    expect(take(await rpc.getSlot({ commitment: "processed" }))).toBeGreaterThanOrEqual(epoch.absoluteSlot)
    expect(take(await rpc.getBlockHeight({ commitment: "processed" }))).toBeGreaterThan(0n)
    expect(take(await rpc.getMaxRetransmitSlot())).toBeGreaterThanOrEqual(epoch.absoluteSlot)
    expect(take(await rpc.getMaxShredInsertSlot())).toBeGreaterThanOrEqual(epoch.absoluteSlot)
    const first = take(await rpc.getFirstAvailableBlock())
    expect(take(await rpc.minimumLedgerSlot())).toBe(first)
    expect(take(await rpc.getInflationGovernor())).toEqual({
      initial: 0.08,
      terminal: 0.015,
      taper: 0.15,
      foundation: 0.05,
      foundationTerm: 7
    })
    expect(take(await rpc.getInflationRate())).toMatchObject({ total: 0.08, epoch: 0n })
    expect(take(await rpc.getLeaderSchedule())).toEqual({})
    expect(take(await rpc.getVoteAccounts())).toEqual({ current: [], delinquent: [] })
    expect(take(await rpc.getSupply({ excludeNonCirculatingAccountsList: true })).value).toEqual({
      total: 0n,
      circulating: 0n,
      nonCirculating: 0n,
      nonCirculatingAccounts: []
    })
    expect(take(await rpc.getStakeMinimumDelegation()).value).toBe(0n)
    expect(take(await rpc.getMinimumBalanceForRentExemption(0))).toBeGreaterThan(0n)
    expect(take(await rpc.getMinimumBalanceForRentExemption(100n))).toBe(1_586_880n)
    expect(take(await rpc.getRecentPrioritizationFees([system]))).toEqual([])
    const production = take(await rpc.getBlockProduction())
    expect(production.value.range.lastSlot).toBeGreaterThanOrEqual(production.value.range.firstSlot)
    expect(take(await rpc.getBlockCommitment(first)).totalStake).toBe(0n)
  })

  it("drops lamports, sends some on, and follows them to finality", async () => {
    const { rpc } = sdk
    airdrop = take(await rpc.requestAirdrop(payer.address, 3_000_000_000n))
    expect(seen.count("requestAirdrop")).toBe(1)
    const lamports = async (address: string) =>
      take(await rpc.getBalance(address, { commitment: "processed" })).value
    await expect.poll(() => lamports(payer.address)).toBe(3_000_000_000n)

    const hash = await blockhash()
    expect(take(await rpc.isBlockhashValid(hash, { commitment: "processed" })).value).toBe(true)
    expect(take(await rpc.isBlockhashValid(system)).value).toBe(false)
    const { message, signature, transaction } = transfer(payer, receiver.address, 1_234_567_891n, hash)
    expect(take(await rpc.getFeeForMessage(message)).value).toBe(5_000n)
    const base64 = Buffer.from(transaction).toString("base64")
    const simulation = take(
      await rpc.simulateTransaction(base64, { encoding: "base64", sigVerify: true })
    ).value
    expect(simulation).toMatchObject({ err: null, unitsConsumed: 150n })
    sent = take(await rpc.sendTransaction(encodeBase58(transaction)))
    expect(sent).toBe(signature)
    await expect.poll(async () => (await status(sent))?.err).toBeNull()
    await expect.poll(async () => (await status(sent))?.confirmationStatus).toBe("finalized")
    expect(await status(sent)).toMatchObject({ confirmations: null, status: { Ok: null } })
    expect(await lamports(receiver.address)).toBe(1_234_567_891n)
    expect(await lamports(payer.address)).toBe(3_000_000_000n - 1_234_567_891n - 5_000n)

    const found = take(await rpc.getTransaction(sent, { maxSupportedTransactionVersion: 0 }))
    expect(found).toMatchObject({
      meta: {
        err: null,
        fee: 5_000n,
        preBalances: [3_000_000_000n, 0n, 1n],
        postBalances: [1_765_427_109n, 1_234_567_891n, 1n]
      },
      transaction: {
        signatures: [sent],
        message: {
          accountKeys: [payer.address, receiver.address, system],
          header: { numRequiredSignatures: 1, numReadonlyUnsignedAccounts: 1 },
          instructions: [{ programIdIndex: 2, accounts: [0, 1] }]
        }
      }
    })
    slot = found?.slot ?? 0n
    expect(slot).toBe((await status(sent))?.slot)
    expect(
      take(await rpc.getTransaction(airdrop, { encoding: "jsonParsed", maxSupportedTransactionVersion: 0 }))
    ).toMatchObject({
      transaction: {
        message: {
          instructions: [
            { program: "system", parsed: { type: "transfer", info: { lamports: 3_000_000_000n } } }
          ]
        }
      }
    })
    expect(take(await rpc.getTransactionCount())).toBeGreaterThan(0n)
    expect(take(await rpc.getRecentPerformanceSamples(1))).toMatchObject([
      { samplePeriodSecs: expect.any(Number), numSlots: expect.any(BigInt) }
    ])
  })

  it("gives the node's own words for what is wrong with a transaction, and sends it once", async () => {
    const { rpc } = sdk
    const hash = await blockhash()
    const before = seen.count("sendTransaction")
    const poor = transfer(receiver, payer.address, 10n ** 18n, hash)
    const encoded = encodeBase58(poor.transaction)
    expect(take(await rpc.simulateTransaction(encoded)).value.err).toEqual({
      InstructionError: [0, { Custom: 1 }]
    })
    const refused = await rpc.sendTransaction(encoded)
    expect(refused.error?.cause).toMatchObject({ _tag: "RpcError", code: -32002 })
    const garbage = await rpc.sendTransaction("1111")
    expect(garbage.error?.cause).toMatchObject({ _tag: "RpcError", code: -32602 })
    expect(seen.count("sendTransaction") - before).toBe(2)
    expect(sdk.nodes()).toMatchObject([{ failed: false }])
  })

  it("takes a transaction that was sent already for sent, after a lost answer", async () => {
    const { signature, transaction } = transfer(payer, receiver.address, 5n, await blockhash())
    let lost = 0
    const lose = async (method: string) => {
      if (method !== "sendTransaction" || lost++ > 0) return false
      // until it is processed, so that the second attempt meets it
      await expect.poll(() => status(signature)).toBeDefined()
      return true
    }
    const [a, b] = await Promise.all([startFront(node.url, lose), startFront(node.url, lose)])
    const twice = await init({
      network: "solana-devnet",
      rpc: { nodes: [{ url: a.url }, { url: b.url }] },
      quiet: true
    })
    expect(take(await twice.rpc.sendTransaction(encodeBase58(transaction)))).toBe(signature)
    expect([a, b].map(({ count }) => count("sendTransaction"))).toEqual([1, 1])
    // and where no answer was lost, the node's word stands
    const again = await sdk.rpc.sendTransaction(encodeBase58(transaction))
    expect(again.error?.cause).toMatchObject({ _tag: "RpcError", code: -32002 })
    // an airdrop is no such thing: nobody knows whether it was done
    lost = 0
    const drops = await Promise.all(
      ["requestAirdrop"].map((method) => startFront(node.url, async (name) => name === method))
    )
    const once = await init({
      network: "solana-devnet",
      rpc: { nodes: drops.map(({ url }) => ({ url })) },
      quiet: true
    })
    const ambiguous = await once.rpc.requestAirdrop(receiver.address, 1)
    expect(ambiguous.error?.cause).toMatchObject({ _tag: "NodeError", kind: "network" })
    expect(drops.map(({ count }) => count("requestAirdrop"))).toEqual([1])
    await Promise.all([twice.destroy(), once.destroy()])
    await Promise.all([a, b, ...drops].map(({ close }) => close()))
  })

  it("reads blocks and history", async () => {
    const { rpc } = sdk
    const block = take(await rpc.getBlock(slot, { maxSupportedTransactionVersion: 0, rewards: true }))
    expect(block).toMatchObject({ blockHeight: expect.any(BigInt), parentSlot: expect.any(BigInt) })
    const fees = block?.transactions?.flatMap(({ meta, transaction }) =>
      "signatures" in transaction && transaction.signatures.includes(sent) ? [meta?.fee] : []
    )
    expect(fees).toEqual([5_000n])
    const signatures = take(await rpc.getBlock(slot, { transactionDetails: "signatures", rewards: false }))
    expect(signatures?.signatures).toContain(sent)
    expect(take(await rpc.getBlocks(slot, slot + 1n))).toEqual([slot, slot + 1n])
    expect(take(await rpc.getBlocks(slot)).length).toBeGreaterThan(1)
    expect(take(await rpc.getBlocksWithLimit(slot, 2))).toEqual([slot, slot + 1n])
    expect(take(await rpc.getBlockTime(slot))).toEqual(expect.any(BigInt))
    const history = take(await rpc.getSignaturesForAddress(payer.address, { limit: 10 }))
    expect(history.map(({ signature }) => signature)).toEqual(expect.arrayContaining([sent, airdrop]))
    expect(history.find(({ signature }) => signature === sent)).toMatchObject({ slot, err: null })
    expect(take(await rpc.getInflationReward([payer.address]))).toMatchObject([
      { amount: 0n, commission: null }
    ])
    expect((await rpc.getBlock(1)).error?.cause).toMatchObject({ _tag: "RpcError", code: -32602 })
  })

  it("reads accounts, lamports above 2^53 too", async () => {
    const { rpc } = sdk
    const rich = keys().address
    const lamports = 2n ** 53n + 1n
    await cheat("surfnet_setAccount", rich, { lamports, data: "00ff", owner: system, executable: false })
    expect(take(await rpc.getBalance(rich)).value).toBe(lamports)
    expect(take(await rpc.getAccountInfo(rich, { encoding: "base64" })).value).toMatchObject({
      lamports,
      data: ["AP8=", "base64"],
      owner: system,
      executable: false,
      space: 2n,
      rentEpoch: expect.any(BigInt)
    })
    expect(take(await rpc.getAccountInfo(keys().address)).value).toBeNull()
    const several = take(
      await rpc.getMultipleAccounts([rich, keys().address, system], { encoding: "base64" })
    )
    expect(several.value.map((account) => account?.lamports)).toEqual([lamports, undefined, 1n])
    expect(take(await rpc.getLargestAccounts()).value).toContainEqual({ address: rich, lamports })
    const owned = take(
      await rpc.getProgramAccounts(system, { encoding: "base64", filters: [{ dataSize: 2 }] })
    )
    expect(owned).toMatchObject([{ pubkey: rich, account: { lamports } }])
  })

  it("reads tokens", async () => {
    const { rpc } = sdk
    const data = Buffer.alloc(82)
    data.writeBigUInt64LE(2n ** 63n, 36)
    data.writeUInt8(9, 44)
    data.writeUInt8(1, 45)
    await cheat("surfnet_setAccount", mint, {
      lamports: 1_461_600,
      data: data.toString("hex"),
      owner: tokens,
      executable: false
    })
    await cheat(
      "surfnet_setTokenAccount",
      payer.address,
      mint,
      { amount: 2n ** 62n, delegate: receiver.address, delegatedAmount: 7 },
      tokens
    )
    expect(take(await rpc.getTokenSupply(mint)).value).toMatchObject({
      amount: "9223372036854775808",
      decimals: 9,
      uiAmount: expect.any(Number)
    })
    const accounts = take(
      await rpc.getTokenAccountsByOwner(payer.address, { mint }, { encoding: "jsonParsed" })
    )
    expect(accounts.value).toMatchObject([
      {
        account: {
          owner: tokens,
          data: {
            program: "spl-token",
            parsed: { info: { mint, tokenAmount: { amount: "4611686018427387904", decimals: 9 } } }
          }
        }
      }
    ])
    const holding = accounts.value[0]?.pubkey ?? ""
    expect(take(await rpc.getTokenAccountBalance(holding)).value.amount).toBe("4611686018427387904")
    expect(take(await rpc.getTokenLargestAccounts(mint)).value).toMatchObject([
      { address: holding, decimals: 9 }
    ])
    const delegated = take(
      await rpc.getTokenAccountsByDelegate(receiver.address, { programId: tokens }, { encoding: "base64" })
    )
    expect(delegated.value.map(({ pubkey }) => pubkey)).toEqual([holding])
  })

  it("knows the height of the node, and blames it for nothing that is not its fault", async () => {
    const { rpc } = sdk
    const low = take(await rpc.getBlockHeight())
    await sdk.checkNodes()
    const high = take(await rpc.getBlockHeight())
    const [checked] = sdk.nodes()
    expect(checked?.failed).toBe(false)
    expect(checked?.lastBlock).toBeGreaterThanOrEqual(Number(low))
    expect(checked?.lastBlock).toBeLessThanOrEqual(Number(high))
    expect(high).toBeGreaterThan(0n)
    for (const [result, code] of [
      [await rpc.rawRpcCall({ method: "no_such_method" }), -32601],
      [await rpc.getStakeActivation(payer.address), -32601],
      [await rpc.getBalance("xyz"), -32602],
      [await rpc.getHighestSnapshotSlot(), -32008]
    ] as const) {
      expect(result.error?.cause).toMatchObject({ _tag: "RpcError", code })
    }
    expect(sdk.nodes()).toMatchObject([{ failed: false }])
  })

  it("asks one by one where a node takes no batches", async () => {
    const outcomes = take(
      await sdk.rpc.rawBatchRpcCall([
        { method: "getBalance", params: [receiver.address] },
        { method: "no_such_method" },
        { method: "getHealth" }
      ])
    )
    expect(outcomes.map(({ status }) => status)).toEqual(["SUCCESS", "ERROR", "SUCCESS"])
    expect(outcomes[2]?.data).toBe("ok")
  })

  it("has called every method of the table", () => {
    for (const { spec } of Object.values(endpoints)) {
      if (spec.kind === "rpc") expect(seen.methods, spec.method).toContain(spec.method)
    }
  })
})
