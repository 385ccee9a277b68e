/**
 * Ten thousand random payments each on Surfpool (Solana), bcash (Bitcoin Cash) and the emulator of TON: what leaves the account in the
 * chain is at most what the preview said.
 */
import { randomBytes } from "node:crypto"
import { decodeCashAddress, decodeTransactionBCH, encodeCashAddress } from "@bitauth/libauth"
import { Address, Cell } from "@ton/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as Scope from "effect/Scope"
import { expect, it } from "vitest"
import { encodeBase58 } from "../../src/chains/internal/base58.js"
import { signer as cash } from "../../src/entries/signers/Bitcoin.js"
import { signer as solana } from "../../src/entries/signers/Solana.js"
import { signer as ton } from "../../src/entries/signers/Ton.js"
import { init, type PromiseSdk, type Result } from "../../src/promise.js"
import * as Sandbox from "../../src/sandbox/index.js"
import { listen } from "../../src/sandbox/Loopback.js"
import * as Bcoin from "../../src/sandbox/nodes/Bcoin.js"
import { findProgram } from "../../src/sandbox/nodes/binaries.js"
import * as Surfpool from "../../src/sandbox/nodes/Surfpool.js"
import type { UtxoNode } from "../../src/sandbox/nodes/Utxo.js"
import type { Utxo } from "../../src/signers/Bitcoin.js"
import { findAssociatedAccount } from "../../src/signers/solana/kit.js"
import { deployJettons, type Jetton } from "../nodes/jettons.js"
import { extension, feeConfig, holdingData, mintData } from "../nodes/mints.js"
import { requireBinary } from "../nodes/process.js"
import { take } from "../results.js"
import { hex, scriptOf } from "../signers/cash.js"
import { all, bytes, capOf, type Left, mnemonic, terms, units } from "./previews.js"

const effectOf = <A, E>(call: () => Promise<Result<A, E>>): Effect.Effect<A, unknown> =>
  Effect.flatMap(Effect.promise(call), (result) =>
    result.status === "SUCCESS" ? Effect.succeed(result.data) : Effect.fail(result.error.cause)
  )

/** Runs with nodes, which end with it. */
const withNodes = async (use: (scope: Scope.CloseableScope) => Promise<void>): Promise<void> => {
  const scope = Effect.runSync(Scope.make())
  try {
    await use(scope)
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const timeout = 3_600_000

/** Payments of a node: Surfpool and the emulator take longer for each, the more there were. */
const NODE_TURN = 1_000

const programs = {
  token: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  token2022: "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
}
const mark = extension(7, Buffer.alloc(0))

/** Mints, and what an account of each has behind its fixed layout. */
const mints = [
  { program: programs.token, data: mintData(), marks: Buffer.alloc(0) },
  { program: programs.token2022, data: mintData(), marks: mark },
  {
    program: programs.token2022,
    data: mintData(feeConfig()),
    marks: Buffer.concat([mark, extension(2, Buffer.alloc(8))])
  }
].map((mint, i) => ({ ...mint, address: encodeBase58(new Uint8Array(32).fill(200 + i)) }))

const HELD = 10n ** 15n

/** An account of Surfpool with coins and tokens. */
const openSolana = async (node: Surfpool.SurfpoolNode, sdk: PromiseSdk<"solana-devnet">, index: number) => {
  const account = take(await solana(sdk, { mnemonic, index }))
  const friend = encodeBase58(new Uint8Array(32).fill(100 + index))
  await Effect.runPromise(node.fund(account.address, "10000"))
  await Effect.runPromise(node.fund(friend, "1"))
  const sources = await Promise.all(
    mints.map(({ address, program }) => findAssociatedAccount(account.address, address, program))
  )
  const cheat = async (method: string, ...params: ReadonlyArray<unknown>) =>
    take(await sdk.rpc.rawRpcCall({ method, params }))
  for (const [i, { address, data, marks, program }] of mints.entries()) {
    const put = (to: string, bytes: Buffer) =>
      cheat("surfnet_setAccount", to, {
        lamports: (bytes.length + 128) * 6_960,
        data: bytes.toString("hex"),
        owner: program,
        executable: false
      })
    await put(address, data)
    if (program === programs.token)
      await cheat("surfnet_setTokenAccount", account.address, address, { amount: Number(HELD) }, program)
    else await put(sources[i] ?? "", holdingData(address, account.address, HELD, marks))
  }
  /** Its coins, and what it has of each token. */
  const holdings = async (): Promise<ReadonlyArray<bigint>> => {
    const addresses = [account.address, ...sources]
    const config = { commitment: "confirmed", encoding: "base64" } as const
    const [own, ...held] = take(await sdk.rpc.getMultipleAccounts(addresses, config)).value
    const tokens = held.map((each) => Buffer.from(String(Object(each).data[0]), "base64").readBigUInt64LE(64))
    return [own?.lamports ?? 0n, ...tokens]
  }
  return { account, sdk, friend, holdings, held: await holdings(), known: new Set<number>() }
}

/** Waits until a payment is in the chain: slots are shorter than those that clients wait for. */
const confirmed = async (sdk: PromiseSdk<"solana-devnet">, hash: string): Promise<void> => {
  while (true) {
    const [status] = take(await sdk.rpc.getSignatureStatuses([hash])).value
    if (status?.confirmationStatus === "confirmed" || status?.confirmationStatus === "finalized")
      return expect(status.err).toBeNull()
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

it.runIf(requireBinary("surfpool", "random payments on Solana"))(
  "payments on Surfpool take what their previews say",
  { timeout },
  async () => {
    const LANES = 16
    let lanes: ReadonlyArray<Awaited<ReturnType<typeof openSolana>>> = []
    const started = (run: () => Promise<void>) =>
      withNodes(async (scope) => {
        const node = await Effect.runPromise(Scope.extend(Surfpool.start({ slotTime: 100 }), scope))
        const sdk = await init({ network: "solana-devnet", rpc: { nodes: [{ url: node.url }] }, quiet: true })
        lanes = await Promise.all(Array.from({ length: LANES }, (_, i) => openSolana(node, sdk, i)))
        await run()
        await sdk.destroy()
      })
    const payment = fc.record({
      ...terms,
      to: bytes(32),
      kind: fc.nat(mints.length - 1),
      isDirect: fc.boolean()
    })
    const family = {
      name: "Solana",
      payment,
      decimals: { coins: 9, tokens: 6 },
      lanes: LANES,
      nodes: { size: NODE_TURN, started }
    }
    await all(family, async (given, _, lane) => {
      const { amount, isDirect, isNew, isToken, kind, memo } = given
      const own = lanes[lane] ?? expect.fail()
      const { account, friend, known } = own
      const { address: token, program } = mints[kind] ?? expect.fail()
      const receiver = isNew ? encodeBase58(given.to) : friend
      const isThere = isToken && !isNew && known.has(kind)
      const to = isThere && isDirect ? await findAssociatedAccount(receiver, token, program) : receiver
      const options = {
        to,
        amount,

        ...(memo === undefined ? {} : { memo }),
        ...capOf(given)
      }
      return {
        send: effectOf(() => (isToken ? account.sendToken({ ...options, token }) : account.send(options))),
        left: async (hash) => {
          await confirmed(own.sdk, hash)
          if (isToken && !isNew) known.add(kind)
          const [before, after] = [own.held, await own.holdings()]
          own.held = after
          const [coins = 0n, ...all] = before.map((had, i) => had - (after[i] ?? 0n))
          const tokens = all.reduce((sum, each) => sum + each, 0n)
          return { amount: isToken ? tokens : coins - 5_000n, coins, tokens }
        },
        refused: !isToken && isNew && amount < 890_880n ? "DustAmount" : undefined
      }
    })
  }
)

/** Addresses of bcash's network are spelled in another way. */
const spelledCash = (address: string): string => {
  const { payload, type } = decodeCashAddress(address) as { payload: Uint8Array; type: "p2pkh" | "p2sh" }
  return encodeCashAddress({ prefix: "bchreg", type, payload }).address
}

/** What an address of bcash has, which its index tells only while nothing waits for a block. */
const coinsAt = async (url: string, address: string): Promise<ReadonlyArray<Utxo>> => {
  const answer = await fetch(`${url}/coin/address/${spelledCash(address)}`)
  const coins = (await answer.json()) as ReadonlyArray<{ hash: string; index: number; value: number }>
  return coins.map(({ hash, index, value }) => ({ txid: hash, vout: index, amount: BigInt(value) }))
}

const keyOf = (txid: string, vout: number): string => `${txid}:${vout}`

/** An account of bcash, with its outputs, by what libauth reads in its transactions. */
const openCash = async (node: UtxoNode, url: string, sdk: PromiseSdk<"bch-testnet">, index: number) => {
  const outputs = new Map<string, Utxo>()
  let listed: ReadonlyArray<Utxo> = []
  const account = take(await cash(sdk, { mnemonic, index, utxos: () => listed }))
  for (let i = 0; i < 8; i++) {
    await Effect.runPromise(node.fund(spelledCash(account.address), "4"))
    await Effect.runPromise(node.mine(1))
  }
  for (const coin of await coinsAt(url, account.address)) outputs.set(keyOf(coin.txid, coin.vout), coin)
  const own = hex(scriptOf(account.address))
  const spend = (txid: string, vout: number): bigint => {
    const key = keyOf(txid, vout)
    const { amount } = outputs.get(key) ?? expect.fail(`it spends ${key}, which is none of its own`)
    outputs.delete(key)
    return BigInt(amount)
  }
  /** What leaves it by a transaction, and what a script gets. */
  const leftBy = (txid: string, raw: string, to: string): Left => {
    const transaction = decodeTransactionBCH(Buffer.from(raw, "hex"))
    if (typeof transaction === "string") throw new Error(transaction)
    let [amount, coins] = [0n, 0n]
    for (const { outpointIndex, outpointTransactionHash } of transaction.inputs)
      coins += spend(hex(outpointTransactionHash), outpointIndex)
    for (const [vout, { lockingBytecode, valueSatoshis }] of transaction.outputs.entries()) {
      const script = hex(lockingBytecode)
      if (script === to) amount += valueSatoshis
      if (script !== own) continue
      coins -= valueSatoshis
      outputs.set(keyOf(txid, vout), { txid, vout, amount: valueSatoshis })
    }
    return { amount, coins }
  }
  /** With a block, its outputs are listed, and the node has to know all of them. */
  const settle = async (): Promise<void> => {
    await Effect.runPromise(node.mine(1))
    listed = [...outputs.values()]
    const known = await Promise.all(listed.map(({ txid, vout }) => sdk.rpc.getTxOut(txid, vout)))
    expect(known.map((each) => units(String(take(each)?.value), 8))).toEqual(
      listed.map(({ amount }) => amount)
    )
  }
  return { account, leftBy, settle }
}

/** Payments of an account before there is a block: nodes take no longer rows of change. */
const TURN = 20

it.runIf(requireBinary("bcash", "random payments on Bitcoin Cash"))(
  "payments on bcash take what their previews say",
  { timeout },
  () =>
    withNodes(async (scope) => {
      const started = Bcoin.start({ program: "bcash", blockTime: 3_600 })
      const node = await Effect.runPromise(Scope.extend(started, scope))
      const url = `http://127.0.0.1:${await Effect.runPromise(Scope.extend(listen(node.handler), scope))}`
      const sdk = await init({ network: "bch-testnet", rpc: { nodes: [{ url }] }, quiet: true })
      const LANES = 4
      const lanes: Array<Awaited<ReturnType<typeof openCash>>> = []
      for (let i = 0; i < LANES; i++) lanes.push(await openCash(node, url, sdk, i))
      const payment = fc.record({
        ...terms,
        to: bytes(20),
        type: fc.constantFrom("p2pkh" as const, "p2sh" as const, "p2pkhWithTokens" as const)
      })
      const family = { name: "Bitcoin Cash on bcash", payment, decimals: { coins: 8 }, lanes: LANES }
      await all(family, async (given, index, lane) => {
        const own = lanes[lane] ?? expect.fail()
        if (Math.floor(index / LANES) % TURN === 0) await own.settle()
        const to = encodeCashAddress({ prefix: "bchtest", type: given.type, payload: given.to }).address
        const amount = given.amount / 100n + 546n
        return {
          send: effectOf(() => own.account.send({ to, amount, ...capOf(given) })),
          left: async (hash) => {
            const raw = String(take(await sdk.rpc.getRawTransaction(hash, false)))
            return own.leftBy(hash, raw, hex(scriptOf(to)))
          }
        }
      })
      await sdk.destroy()
    })
)

/** Payments of a wallet of TON before another one is made, which does not yet have its contract. */
const WALLET_TURN = 50

type Ton = PromiseSdk<"ton-mainnet">

/** A wallet of the emulator with coins and tokens. */
const openTon = async (
  sdk: Ton,
  fund: (to: string, amount: string) => Promise<unknown>,
  tokens: ReadonlyArray<Jetton>,
  version: "v4" | "v5"
) => {
  const account = take(await ton(sdk, { privateKey: randomBytes(32).toString("hex"), wallet: version }))
  await fund(account.address, "100")
  const own = Address.parse(account.address)
  for (const { minting } of tokens) take(await sdk.rpc.sendBocReturnHash({ boc: minting(own, HELD) }))
  const wallets = tokens.map(({ walletOf }) => walletOf(own).toRawString())
  /** Its coins, and what it has of each token, which stands first in the data of the token's wallet. */
  const holdings = async (): Promise<ReadonlyArray<bigint>> => {
    const [coins, ...held] = await Promise.all(
      [account.address, ...wallets].map(
        async (each) => take(await sdk.rpc.getAddressInformation(each)).result
      )
    )
    return [
      BigInt(coins?.balance ?? 0),
      ...held.map(({ data }) => Cell.fromBase64(data).beginParse().loadCoins())
    ]
  }
  return { account, sdk, holdings, held: await holdings() }
}

it.runIf(requireBinary("ton-sandbox", "random payments on TON"))(
  "payments on the emulator of TON take what their previews say",
  { timeout },
  async () => {
    const LANES = 4
    const tokens = await deployJettons(findProgram("ton-sandbox") ?? "", [{ keeps: true }, { keeps: false }])
    let open: (lane: number) => ReturnType<typeof openTon>
    let lanes: Array<Awaited<ReturnType<typeof openTon>>> = []
    const started = (run: () => Promise<void>) =>
      withNodes(async (scope) => {
        const network = "ton-mainnet"
        const made = Sandbox.make({ networks: [{ network }] })
        const sandbox = await Effect.runPromise(Scope.extend(made, scope))
        const sdk = await init({ ...sandbox.config(network), network, quiet: true })
        const fund = (to: string, amount: string) =>
          Effect.runPromise(sandbox.network(network).fund(to, amount))
        for (const { address } of tokens) await fund(address.toString({ bounceable: false }), "1000")
        open = (lane) => openTon(sdk, fund, tokens, lane % 2 === 0 ? "v5" : "v4")
        lanes = await Promise.all(Array.from({ length: LANES }, (_, i) => open(i)))
        await run()
        await sdk.destroy()
      })
    const payment = fc.record({
      ...terms,
      memo: fc.oneof(terms.memo, fc.string({ minLength: 200, maxLength: 1_000 })),
      to: bytes(32),
      kind: fc.nat(tokens.length - 1),
      isBounceable: fc.boolean()
    })
    const family = {
      name: "TON",
      payment,
      decimals: { coins: 9, tokens: 6 },
      lanes: LANES,
      nodes: { size: NODE_TURN, started }
    }
    await all(family, async (given, index, lane) => {
      const { amount, isBounceable, isNew, isToken, kind, memo } = given
      if (Math.floor(index / LANES) % WALLET_TURN === WALLET_TURN - 1) lanes[lane] = await open(lane)
      const own = lanes[lane] ?? expect.fail()
      const receiver = new Address(0, Buffer.from(isNew ? given.to : new Uint8Array(32).fill(lane + 1)))
      const to = receiver.toString({ bounceable: isBounceable })
      const options = { to, amount, ...(memo === undefined ? {} : { memo }), ...capOf(given) }
      const token = tokens[kind]?.address.toString() ?? ""
      return {
        send: effectOf(() =>
          isToken ? own.account.sendToken({ ...options, token }) : own.account.send(options)
        ),
        left: async () => {
          const [before, after] = [own.held, await own.holdings()]
          own.held = after
          const [coins = 0n, ...each] = before.map((had, i) => had - (after[i] ?? 0n))
          const sum = each.reduce((all, one) => all + one, 0n)
          if (isToken) return { amount: sum, coins, tokens: sum }
          const [seen] = take(await own.sdk.rpc.getTransactions({ address: to, limit: 1 })).result
          return { amount: BigInt(seen?.in_msg?.value ?? 0), coins, tokens: sum }
        }
      }
    })
  }
)
