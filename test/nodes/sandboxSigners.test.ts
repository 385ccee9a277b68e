/** What signers send through the nodes of a sandbox: its data API shows it, and its webhooks tell of it. */
import { createServer, type Server } from "node:http"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { encodeDeployData, getContractAddress } from "viem"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Units from "../../src/data/Units.js"
import { signer as bitcoin } from "../../src/entries/signers/Bitcoin.js"
import { signer as evm } from "../../src/entries/signers/Evm.js"
import { signer as solana } from "../../src/entries/signers/Solana.js"
import { init } from "../../src/promise.js"
import { Fungible } from "../../src/sandbox/contracts/artefacts.js"
import * as Sandbox from "../../src/sandbox/index.js"
import { toNodeAddress } from "../../src/sandbox/nodes/addresses.js"
import type { FindUtxos } from "../../src/signers/bitcoin/Types.js"
import { nodeLimits } from "../nodeLimits.js"
import { take } from "../results.js"
import { requireBinary } from "./process.js"

type Utxos = "bitcoin-testnet" | "litecoin-testnet" | "doge-testnet" | "bch-testnet"

const mnemonic = "test test test test test test test test test test test junk"

/** A server that keeps what is posted to it. */
const listener = async () => {
  const posted: Array<unknown> = []
  const server: Server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      posted.push(JSON.parse(Buffer.concat(chunks).toString()))
      response.end()
    })
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { posted, url: `http://127.0.0.1:${port}/hook`, close: () => server.close() }
}

describe("signers on a sandbox", () => {
  const scope = Effect.runSync(Scope.make())
  let sandbox: Sandbox.SandboxService
  let hook: Awaited<ReturnType<typeof listener>>
  const clients: Array<{ readonly destroy: () => Promise<void> }> = []

  beforeAll(async () => {
    hook = await listener()
    sandbox = await Effect.runPromise(
      Sandbox.make({ networks: [{ network: "ethereum-sepolia", nodes: 1, archive: 0 }] }).pipe(
        Scope.extend(scope)
      )
    )
  })
  afterAll(async () => {
    await Promise.all(clients.map((sdk) => sdk.destroy()))
    hook?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const started = (id: string) => Effect.runPromise(sandbox.start(id))
  const opened = async <N extends "ethereum-sepolia" | "solana-devnet" | Utxos>(network: N) => {
    const sdk = await init({
      ...sandbox.config(network),
      network,
      apiKey: "test",
      quiet: true,
      ...nodeLimits
    })
    clients.push(sdk)
    return sdk
  }
  /** What the calls that tell of a payment have in them: the template of EVM chains has it under `data`. */
  const told = (txId: string) =>
    hook.posted.map((body) => Object(body).data ?? body).filter((content) => Object(content).txId === txId)
  const arrives = (txId: string, body: object) =>
    expect.poll(() => told(txId)).toMatchObject([{ txId, ...body }])

  it.runIf(requireBinary("anvil", "signers on a sandbox"))(
    "pay in coins and tokens of EVM networks",
    async () => {
      const { fund } = await started("ethereum-sepolia")
      const sdk = await opened("ethereum-sepolia")
      const [alice, bob] = [
        take(await evm(sdk, { mnemonic, index: 20 })),
        take(await evm(sdk, { mnemonic, index: 21 }))
      ]
      await Effect.runPromise(fund(alice.address, "10"))
      const to = { address: bob.address, url: hook.url }
      take(await sdk.notification.subscribe.incomingNativeTx(to))
      take(await sdk.notification.subscribe.incomingFungibleTx(to))
      const coins = take(await alice.send({ to: bob.address, amount: "1.5", confirmations: 1 }))
      const args = ["Token", "TKN", 6, 9_000_000n, ...new Array(4).fill(alice.address), 0n]
      const { abi, bytecode } = Fungible
      const data = encodeDeployData({ abi, bytecode, args } as never)
      const { prepared } = take(await alice.sendTransaction({ data, confirmations: 1 }))
      const from = alice.address as `0x${string}`
      const token = getContractAddress({ from, nonce: BigInt(prepared.transaction.nonce ?? 0) })
      const tokens = take(await alice.sendToken({ token, to: bob.address, amount: "2.5", confirmations: 1 }))
      const tokenAddress = token.toLowerCase()
      expect(take(await sdk.address.getBalance({ address: bob.address }))).toMatchObject([
        { type: "native", asset: "ETH", balance: "1.5" },
        { type: "fungible", asset: "TKN", balance: "2.5", tokenAddress }
      ])
      await arrives(coins.hash, {
        to: bob.address.toLowerCase(),
        value: "1500000000000000000",
        currency: "ETH"
      })
      await arrives(tokens.hash, { value: "2500000", contractAddress: tokenAddress })
    }
  )

  /** Accounts of their own for each try: what an earlier one has left (a balance, a subscription) is not this one's. */
  let accounts = 0
  const nextPair = (): readonly [number, number] => [accounts++, accounts++]

  /** Pays twice: the receiver spends what it got. */
  const paying = async (
    network: Utxos,
    client: Parameters<typeof bitcoin>[0],
    [payer, receiver]: readonly [number, number],
    utxos?: FindUtxos
  ) => {
    const { fund } = sandbox.network(network)
    const from = { mnemonic, ...(utxos === undefined ? {} : { utxos }) }
    const [alice, bob] = [
      take(await bitcoin(client, { ...from, index: payer })),
      take(await bitcoin(client, { ...from, index: receiver }))
    ]
    for (const amount of ["20", "30"]) await Effect.runPromise(fund(alice.address, amount))
    const { hash } = take(await alice.send({ to: bob.address, amount: "32.5", confirmations: 1 }))
    const back = take(await bob.send({ to: alice.address, amount: "2", confirmations: 1 }))
    return { address: bob.address, hash, left: Units.format(3_050_000_000n - back.prepared.fee, 8) }
  }

  /** The sandbox's own account pays at once, from the coins that it has. */
  const payFromAccount = async (network: Utxos, client: Parameters<typeof bitcoin>[0], utxos?: FindUtxos) => {
    const [account, other] = sandbox.network(network).accounts
    if (account === undefined || other === undefined) throw new Error(`${network} has no accounts`)
    const { privateKey } = account
    const own = take(await bitcoin(client, { privateKey, ...(utxos === undefined ? {} : { utxos }) }))
    expect(own.address).toBe(account.address)
    const { prepared } = take(await own.send({ to: other.address, amount: "1.5", confirmations: 1 }))
    expect(prepared.amount).toBe(150_000_000n)
  }

  const kin = [
    ["bitcoin-testnet", "bcoin"],
    ["litecoin-testnet", "litecoind"],
    ["doge-testnet", "bcoin"]
  ] as const

  for (const [network, program] of kin)
    it.runIf(requireBinary(program, `signers of ${network} on a sandbox`))(
      `pay on ${network}, under its own addresses`,
      async () => {
        await started(network)
        const sdk = await opened(network)
        await payFromAccount(network, sdk)
        const pair = nextPair()
        const { address } = take(await bitcoin(sdk, { mnemonic, index: pair[1] }))
        take(await sdk.notification.subscribe.incomingNativeTx({ address, url: hook.url }))
        const { hash, left } = await paying(network, sdk, pair)
        expect(take(await sdk.address.getBalance({ address }))).toMatchObject([{ address, balance: left }])
        expect(take(await sdk.notification.getAll({ address }))).toHaveLength(1)
        await arrives(hash, { address, type: "native", amount: "32.5" })
      }
    )

  it.runIf(requireBinary("bcash", "signers of Bitcoin Cash on a sandbox"))(
    "pay on Bitcoin Cash, whose outputs the data API does not know",
    async () => {
      const { urls } = await started("bch-testnet")
      const sdk = await opened("bch-testnet")
      const pair = nextPair()
      const { address } = take(await bitcoin(sdk, { mnemonic, index: pair[1], utxos: () => [] }))
      take(await sdk.notification.subscribe.incomingNativeTx({ address, url: hook.url }))
      const find: FindUtxos = async (owner) => {
        const answer = await fetch(`${urls[0]}/coin/address/${toNodeAddress("bch-testnet", owner)}`)
        const coins = (await answer.json()) as ReadonlyArray<{ hash: string; index: number; value: number }>
        return coins.map(({ hash, index, value }) => ({ txid: hash, vout: index, amount: BigInt(value) }))
      }
      await payFromAccount("bch-testnet", sdk, find)
      const { hash } = await paying("bch-testnet", sdk, pair, find)
      await arrives(hash, { address, type: "native", amount: "32.5" })
    }
  )

  it.runIf(requireBinary("surfpool", "signers on a sandbox"))(
    "pay in coins and tokens of Solana",
    async () => {
      const { fund } = await started("solana-devnet")
      const sdk = await opened("solana-devnet")
      const [alice, bob, mint] = await Promise.all(
        [0, 1, 2].map(async (index) => take(await solana(sdk, { mnemonic, index })))
      )
      if (alice === undefined || bob === undefined || mint === undefined) throw new Error("three are made")
      await Effect.runPromise(fund(alice.address, "10"))
      const cheat = async (method: string, ...params: ReadonlyArray<unknown>) =>
        take(await sdk.rpc.rawRpcCall({ method, params }))
      const program = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
      const supply = Buffer.alloc(82)
      supply.writeBigUInt64LE(10n ** 15n, 36)
      supply.set([6, 1], 44)
      const account = { lamports: 10 ** 7, data: supply.toString("hex"), owner: program, executable: false }
      await cheat("surfnet_setAccount", mint.address, account)
      await cheat("surfnet_setTokenAccount", alice.address, mint.address, { amount: 5_000_000 }, program)
      const to = { address: bob.address, url: hook.url }
      take(await sdk.notification.subscribe.incomingNativeTx(to))
      take(await sdk.notification.subscribe.incomingFungibleTx(to))
      const coins = take(await alice.send({ to: bob.address, amount: "1.5", confirmations: 1 }))
      const payment = { token: mint.address, to: bob.address, amount: "2.5", confirmations: 1 }
      const tokens = take(await alice.sendToken(payment))
      expect(take(await sdk.address.getBalance({ address: bob.address }))).toMatchObject([
        { type: "native", asset: "SOL", balance: "1.5" },
        { type: "fungible", tokenAddress: mint.address, balance: "2.5" }
      ])
      await arrives(coins.hash, { type: "native", amount: "1.5", counterAddress: alice.address })
      await arrives(tokens.hash, { type: "token", amount: "2.5", contractAddress: mint.address })
    }
  )
})
