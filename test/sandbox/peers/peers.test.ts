/** The clients that people have already, against the sandbox as against the provider and its nodes. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as kit from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as ethers from "ethers"
import { createPublicClient, createWalletClient, http, parseEther } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { mainnet } from "viem/chains"
import { Web3 } from "web3"
import { version } from "../../../bench/tatum.mjs"
import { ensure, homeOf, load, type Packages } from "../../../scripts/cached.mjs"
import { init } from "../../../src/promise.js"
import * as Sandbox from "../../../src/sandbox/index.js"
import { act, collection, fungible, rpcAt, send } from "../tokens.js"

/** Packages that this repository does not depend on. */
const incumbent: Packages = { "@tatumio/tatum": version }
const solana: Packages = { "@solana/web3.js": "1.98.4" }
const core: Packages = { "bitcoin-core": "5.0.0" }

const scope = Effect.runSync(Scope.make())
let sandbox: Sandbox.SandboxService

beforeAll(async () => {
  sandbox = await Effect.runPromise(
    Scope.extend(
      Sandbox.make({
        networks: [
          { network: "ethereum-mainnet", nodes: 2, archive: 1 },
          { network: "solana-mainnet" },
          { network: "bitcoin-mainnet" }
        ]
      }),
      scope
    )
  )
  for (const packages of [incumbent, solana, core]) {
    const problem = ensure(packages)
    if (problem !== undefined) throw new Error(problem)
  }
}, 240_000)
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const gateway = (network: string): string => `${sandbox.baseUrl}/v4/blockchain/node/${network}`
/** The first account of the sandbox, which everybody knows. */
const key = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
const account = privateKeyToAccount(key)

/** An address that has coins, tokens and an item. */
const holder = `0x${"c".repeat(40)}`

const Line = Schema.parseJson(
  Schema.Struct({
    name: Schema.String,
    answer: Schema.optional(Schema.Unknown),
    thrown: Schema.optional(Schema.String)
  })
)

describe("the incumbent's SDK, from npm", () => {
  const lines = new Map<string, typeof Line.Type>()
  const answerOf = (name: string): unknown => lines.get(name)?.answer

  beforeAll(async () => {
    const program = fileURLToPath(new URL("./incumbent.cjs", import.meta.url))
    const rpc = rpcAt(sandbox.network("ethereum-mainnet").urls[0] ?? "")
    await Effect.runPromise(
      Effect.gen(function* () {
        yield* send(rpc, { to: holder, value: "0xde0b6b3a7640001" })
        const token = yield* fungible(rpc, { decimals: 6, supply: 1_500_001n })
        yield* act(rpc, token.contract, "transfer", [holder, 1_500_001n])
        const items = yield* collection(rpc)
        yield* act(rpc, items.contract, "mintWithTokenURI", [holder, 7n, ""])
        // what that has cost is given back
        yield* rpc("anvil_setBalance", [account.address, `0x${parseEther("10000").toString(16)}`])
      })
    )
    const args = [program, homeOf(incumbent), sandbox.baseUrl, account.address, holder]
    const child = spawn(process.execPath, args, {
      stdio: ["ignore", "pipe", "inherit"],
      timeout: 60_000
    })
    let output = ""
    child.stdout.on("data", (chunk) => {
      output += String(chunk)
    })
    const code = await new Promise((resolve) => child.on("close", resolve))
    expect(code, output).toBe(0)
    for (const line of output.trim().split("\n")) {
      const told = Schema.decodeSync(Line)(line)
      lines.set(told.name, told)
    }
  }, 90_000)

  it("succeeds with every call", () => {
    const failed = [...lines.values()].filter(
      ({ answer, thrown }) =>
        thrown !== undefined || /"status":"ERROR"|"error":\{/.test(JSON.stringify(answer))
    )
    expect(failed).toEqual([])
    expect(lines.size).toBe(35)
  })

  it("has the answers of this SDK from the routes of today, but for amounts that are in the smallest unit there", async () => {
    const sdk = await init({ ...sandbox.config("ethereum-mainnet"), quiet: true })
    const data = <A>(result: { readonly data: A }): A => result.data
    const theirs = (name: string): unknown => Object(answerOf(`ethereum-mainnet: ${name} of a holder`)).data
    try {
      const balances = data(await sdk.address.getBalance({ addresses: [holder] })) ?? []
      const inUnits = { "1.500001": "1500001" }
      const units = ({ balance, ...row }: { readonly balance: string }) => ({
        ...row,
        balance: Reflect.get(inUnits, balance) ?? balance
      })
      expect(balances.map(({ balance }) => balance)).toEqual(["1.000000000000000001", "1.500001", "1"])
      expect(theirs("balances")).toMatchObject(balances.map(units))
      expect(theirs("transfers")).toEqual(data(await sdk.address.getTransactions({ address: holder })))
      const tokens = data(await sdk.token.getBalance({ addresses: [holder] })) ?? []
      expect(theirs("tokens")).toMatchObject(tokens.map(({ decimals: _, ...row }) => units(row)))
      expect(theirs("transfers of tokens")).toEqual(
        data(await sdk.token.getAllFungibleTransactions({ addresses: [holder] }))
      )
      expect(theirs("items")).toEqual(data(await sdk.nft.getBalance({ addresses: [holder] })))
    } finally {
      await sdk.destroy()
    }
  })

  it("reads the balance that the node has", () => {
    expect(answerOf("ethereum-mainnet: rpc.getBalance")).toMatchObject({ result: "1e+22" })
    expect(answerOf("ethereum-mainnet: address.getBalance")).toMatchObject({
      data: [{ address: account.address, asset: "ETH", balance: "10000", type: "native" }]
    })
  })

  it("finds the subscriptions that it has made", () => {
    expect(answerOf("ethereum-mainnet: notification.getAll")).toMatchObject({
      data: [
        { network: "ethereum-mainnet", type: "ADDRESS_EVENT", address: account.address },
        { network: "ethereum-mainnet", type: "CONTRACT_ADDRESS_LOG_EVENT", contractAddress: account.address }
      ]
    })
  })
})

describe("clients of EVM nodes", () => {
  const to = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

  it("viem sends and waits, over the gateway and over a node", async () => {
    for (const url of [gateway("ethereum-mainnet"), sandbox.network("ethereum-mainnet").urls[0]]) {
      const transport = http(url)
      const wallet = createWalletClient({ account, chain: { ...mainnet, id: 1 }, transport })
      const reader = createPublicClient({ chain: mainnet, transport })
      const before = await reader.getBalance({ address: to })
      const hash = await wallet.sendTransaction({ to, value: parseEther("1") })
      expect(await reader.waitForTransactionReceipt({ hash, pollingInterval: 50 })).toMatchObject({
        status: "success"
      })
      expect((await reader.getBalance({ address: to })) - before).toBe(parseEther("1"))
    }
  })

  it("ethers sends and waits", async () => {
    const provider = new ethers.JsonRpcProvider(gateway("ethereum-mainnet"), 1, { pollingInterval: 50 })
    try {
      const signer = new ethers.Wallet(key, provider)
      const sent = await signer.sendTransaction({ to, value: 1n })
      expect((await sent.wait())?.status).toBe(1)
    } finally {
      provider.destroy()
    }
  })

  it("web3 sends and waits", async () => {
    const web3 = new Web3(gateway("ethereum-mainnet"))
    web3.eth.transactionPollingInterval = 50
    web3.eth.accounts.wallet.add(key)
    const { status } = await web3.eth.sendTransaction({ from: account.address, to, value: "1" })
    expect(status).toBe(1n)
  })
})

/** What of @solana/web3.js is used here. */
interface SolanaWeb3 {
  readonly Connection: new (
    url: string,
    commitment: "processed"
  ) => {
    readonly requestAirdrop: (to: unknown, lamports: number) => Promise<string>
    readonly getBalance: (of: unknown) => Promise<number>
    readonly getLatestBlockhash: () => Promise<{ readonly blockhash: string }>
  }
  readonly Keypair: { readonly generate: () => { readonly publicKey: unknown } }
}

const until = async <A>(what: () => Promise<A>, isRight: (value: A) => boolean): Promise<A> => {
  const end = Date.now() + 30_000
  for (;;) {
    const value = await what()
    if (isRight(value) || Date.now() > end) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe("clients of Solana", () => {
  it("@solana/kit reads and airdrops", async () => {
    const rpc = kit.createSolanaRpc(gateway("solana-mainnet"))
    const { address } = await kit.generateKeyPairSigner()
    expect(await rpc.getSlot().send()).toBeGreaterThan(0n)
    await kit
      .createSolanaRpc<kit.DevnetUrl>(kit.devnet(gateway("solana-mainnet")))
      .requestAirdrop(address, kit.lamports(1_000_000n))
      .send()
    const balance = () => rpc.getBalance(address, { commitment: "processed" }).send()
    expect((await until(balance, ({ value }) => value > 0n)).value).toBe(1_000_000n)
  })

  it("@solana/web3.js reads and airdrops", async () => {
    // the declarations of this package are not installed
    const { Connection, Keypair } = load(solana, "@solana/web3.js") as SolanaWeb3
    const connection = new Connection(gateway("solana-mainnet"), "processed")
    const { publicKey } = Keypair.generate()
    expect((await connection.getLatestBlockhash()).blockhash).not.toBe("")
    await connection.requestAirdrop(publicKey, 2_000_000)
    expect(
      await until(
        () => connection.getBalance(publicKey),
        (value) => value > 0
      )
    ).toBe(2_000_000)
  })
})

/** What of bitcoin-core is used here. */
interface CoreClient {
  readonly command: (method: string, ...params: ReadonlyArray<unknown>) => Promise<unknown>
}

describe("a client of Bitcoin Core", () => {
  it("bitcoin-core reads blocks", async () => {
    // the declarations of this package are not installed
    const Client = load(core, "bitcoin-core") as new (options: { readonly host: string }) => CoreClient
    for (const host of [gateway("bitcoin-mainnet"), sandbox.network("bitcoin-mainnet").urls[0] ?? ""]) {
      const client = new Client({ host })
      const height = await client.command("getblockcount")
      const hash = await client.command("getblockhash", height)
      expect(await client.command("getblock", hash)).toMatchObject({ hash, height })
      await expect(client.command("getblockhash", -1)).rejects.toThrow()
    }
  })
})
