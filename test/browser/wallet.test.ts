import { createServer, type Server } from "node:http"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { build } from "esbuild"
import type { Browser, Page } from "playwright-core"
import {
  type Abi,
  createPublicClient,
  createTestClient,
  encodeDeployData,
  getContractAddress,
  type Hex,
  http,
  parseAbi,
  parseEther
} from "viem"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { isRunnable, launch } from "./chromium.js"
import type { Settings, Told } from "./page/main.js"

const anvil = await Effect.runPromise(Effect.either(Anvil.binary))
const runnable = isRunnable("the wallet in a browser", anvil._tag === "Left" ? ["no anvil binary"] : [])

/** The first two accounts of anvil's mnemonic, which everybody knows. The node keeps them unlocked. */
const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const receiver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const mainnet = "ethereum-mainnet"
const sepolia = "ethereum-sepolia"
const chains = { [mainnet]: 1, [sepolia]: 11_155_111 } as const

/** OpenZeppelin's contracts, as they are published: compiled. */
const artifact = (name: string): { readonly abi: Abi; readonly bytecode: Hex } =>
  createRequire(import.meta.url)(`@openzeppelin/contracts/build/contracts/${name}.json`)

/** What stands for the provider: it makes the code of a contract, as the real one does. */
const prepare = ({
  contractType,
  params
}: {
  readonly contractType: string
  readonly params: ReadonlyArray<unknown>
}): Hex => {
  const [name, symbol, third, supply, holder] = params
  if (contractType === "fungible") {
    expect(third).toBe(18)
    return encodeDeployData({ ...artifact("ERC20PresetFixedSupply"), args: [name, symbol, supply, holder] })
  }
  if (contractType === "nft") {
    return encodeDeployData({ ...artifact("ERC721PresetMinterPauserAutoId"), args: [name, symbol, third] })
  }
  throw new Error(`unexpected: a contract of type ${contractType}`)
}

const serve = async (script: string): Promise<{ readonly server: Server; readonly origin: string }> => {
  const server = createServer((request, response) => {
    const reply = (type: string, body: string, status = 200): void => {
      response.writeHead(status, { "content-type": type }).end(body)
    }
    if (request.url === "/") {
      reply("text/html", '<!doctype html><title>wallet</title><script type="module" src="/main.js"></script>')
    } else if (request.url === "/main.js") {
      reply("text/javascript", script)
    } else if (request.method === "POST" && request.url === "/v4/contract/deploy/prepare") {
      let body = ""
      request.on("data", (chunk) => {
        body += chunk
      })
      request.on("end", () => reply("application/json", JSON.stringify({ data: prepare(JSON.parse(body)) })))
    } else {
      reply(
        "text/plain",
        `unexpected: ${request.method} ${request.url}`,
        request.url === "/favicon.ico" ? 204 : 500
      )
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")
  return { server, origin: `http://127.0.0.1:${address.port}` }
}

const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("./page/main.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "silent"
  })
  return outputFiles[0]?.text ?? ""
}

const client = (url: string) => createPublicClient({ transport: http(url), pollingInterval: 50 })

describe.runIf(runnable)("the wallet in a browser, on real nodes", () => {
  const scope = Effect.runSync(Scope.make())
  const urls: Record<string, string> = {}
  const problems: Array<string> = []
  let browser: Browser
  let server: Server
  let origin = ""
  let page: Page

  const node = (network: keyof typeof chains = mainnet) => client(urls[network] ?? "")

  beforeAll(async () => {
    for (const [network, chainId] of Object.entries(chains)) {
      const { url } = await Effect.runPromise(Scope.extend(Anvil.start({ chainId }), scope))
      urls[network] = url
    }
    ;({ server, origin } = await serve(await bundle()))
    browser = await launch()
  })

  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const settings = (owner: string): Omit<Settings, "wallet"> => ({
    nodes: Object.fromEntries(
      Object.entries(chains).map(([network, id]) => [`0x${id.toString(16)}`, urls[network] ?? ""])
    ),
    chain: "0x1",
    account: owner
  })

  const connect = (network: keyof typeof chains = mainnet): Promise<void> =>
    page.evaluate(([id, url]) => window.driver.open(id, [url]), [network, urls[network] ?? ""] as const)

  const open = async (wallet: Settings["wallet"]): Promise<void> => {
    await page?.close()
    page = await browser.newPage()
    page.on("pageerror", (error) => problems.push(String(error)))
    // nothing but loopback, whatever the page would like
    await page.route("**/*", (route) =>
      new URL(route.request().url()).hostname === "127.0.0.1" ? route.continue() : route.abort()
    )
    await page.goto(origin)
    await page.waitForFunction(() => window.driver !== undefined)
    await page.evaluate((given) => window.driver.install(given), { wallet, ...settings(account) })
    await connect()
  }

  const announce = (rdns: string, owner: string): Promise<void> =>
    page.evaluate(([name, given]) => window.driver.visited(name, given), [rdns, settings(owner)] as const)

  const askedOf = (rdns: string): Promise<ReadonlyArray<string>> =>
    page.evaluate((name) => window.driver.askedOf(name), rdns)

  /** The page again, with wallets whose users have let it in before, in this order. */
  const reload = async (wallets: Readonly<Record<string, string>>): Promise<void> => {
    await page.reload()
    await page.waitForFunction(() => window.driver !== undefined)
    for (const [rdns, owner] of Object.entries(wallets)) await announce(rdns, owner)
    await connect()
  }

  beforeEach(async () => {
    await open("announced")
    return async () => {
      await page.evaluate(() => window.driver.close())
      expect(problems.splice(0)).toEqual([])
    }
  })

  const on = (network: string, name: string, ...args: ReadonlyArray<unknown>): Promise<Told> =>
    page.evaluate(([chain, method, given]) => window.driver.call(chain, method, given), [
      network,
      name,
      args
    ] as const)
  const call = (name: string, ...args: ReadonlyArray<unknown>): Promise<Told> => on(mainnet, name, ...args)
  const reject = (method: string): Promise<void> =>
    page.evaluate((name) => window.driver.user("rejectNext", name), method)
  const asked = (): Promise<ReadonlyArray<string>> => page.evaluate(() => window.driver.asked())

  /** The data of a call that worked, which is text for all sends. */
  const text = (told: Told): Hex => {
    if (told.status !== "SUCCESS" || typeof told.data !== "string") throw new Error(JSON.stringify(told))
    return `0x${told.data.slice(2)}`
  }

  /** Anvil answers with the hash before the block with it is there. */
  const mined = async (told: Told, network: keyof typeof chains = mainnet) => {
    const receipt = await node(network).waitForTransactionReceipt({ hash: text(told) })
    expect(receipt.status).toBe("success")
    return receipt
  }

  it("is found by its announcement, and shows nothing before its user agrees", async () => {
    const found = await call("discover")
    expect(found.data).toMatchObject([{ name: "Test wallet", rdns: "example.wallet" }])
    expect(await call("getAccounts")).toMatchObject({ status: "SUCCESS", data: [] })
    await reject("eth_requestAccounts")
    expect(await call("getWallet")).toMatchObject({
      tag: "AccountAccessDenied",
      message: "User denied account access. Error is Error: User rejected the request."
    })
    expect(await call("getAccounts")).toMatchObject({ data: [] })
    expect(await call("use", "example.wallet")).toMatchObject({ status: "SUCCESS" })
    expect(await call("getWallet")).toMatchObject({ status: "SUCCESS", data: account })
    expect(await call("getAccounts")).toMatchObject({ data: [account] })
    expect(await call("chainId")).toMatchObject({ data: "1" })
  })

  it("is window.ethereum where nothing announces itself, and nothing where there is none", async () => {
    await open("ethereum")
    expect(await call("discover")).toMatchObject({ data: [] })
    expect(await call("getWallet")).toMatchObject({ status: "SUCCESS", data: account })
    await open("none")
    expect(await call("getWallet")).toMatchObject({
      tag: "WalletNotInstalled",
      message: "The browser wallet is not installed, or it is impossible to connect to it."
    })
  })

  it("is the one that the user has chosen, also after a reload, and no other one in its place", async () => {
    const [one, two] = ["example.one", "example.two"] as const
    const both = { [one]: account, [two]: receiver }
    await reload(both)
    expect(await call("getAccounts")).toMatchObject({ tag: "WalletNotChosen" })
    expect(await call("transferNative", receiver, "1")).toMatchObject({ tag: "WalletNotChosen" })
    expect(await call("use", two)).toMatchObject({ status: "SUCCESS" })
    expect(await call("getWallet")).toMatchObject({ data: receiver })
    await reload(both)
    expect(await call("getAccounts")).toMatchObject({ data: [receiver] })
    const receipt = await mined(await call("transferNative", account, "0.5"))
    expect(receipt.from).toBe(receiver.toLowerCase())
    expect(await askedOf(one)).toEqual([])
    // the extension is switched off: it is not there, and then it is late
    await reload({ [one]: account })
    const before = await node().getTransactionCount({ address: account })
    for (const name of ["getAccounts", "getWallet", "chainId"]) {
      expect(await call(name)).toMatchObject({ tag: "WalletNotFound" })
    }
    const refused = await call("transferNative", receiver, "1")
    expect(refused).toMatchObject({ tag: "WalletNotFound" })
    expect(refused.message).toContain(two)
    expect(await node().getTransactionCount({ address: account })).toBe(before)
    const waiting = call("getAccounts")
    await new Promise((resolve) => setTimeout(resolve, 150))
    await announce(two, receiver)
    expect(await waiting).toMatchObject({ data: [receiver] })
    expect(await askedOf(one)).toEqual([])
    expect(await call("disconnect")).toMatchObject({ status: "SUCCESS" })
    expect(await call("getAccounts")).toMatchObject({ tag: "WalletNotChosen" })
    await reload({ [one]: account })
    expect(await call("getAccounts")).toMatchObject({ tag: "WalletNotChosen" })
    expect(await askedOf(one)).toEqual([])
    expect(await call("getWallet")).toMatchObject({ data: account })
  })

  it("that is chosen counts for the page where nothing can be kept", async () => {
    await reload({ "example.one": account, "example.two": receiver })
    await page.evaluate(() =>
      Object.defineProperty(window, "localStorage", {
        get: () => {
          throw new DOMException("denied", "SecurityError")
        }
      })
    )
    expect(await call("use", "example.two")).toMatchObject({ status: "SUCCESS" })
    expect(await call("getWallet")).toMatchObject({ data: receiver })
    expect(await call("disconnect")).toMatchObject({ status: "SUCCESS" })
    expect(await call("getAccounts")).toMatchObject({ tag: "WalletNotChosen" })
  })

  it("sends native coins", async () => {
    const before = await node().getBalance({ address: receiver })
    const receipt = await mined(await call("transferNative", receiver, "1.500000000000000001"))
    expect(receipt).toMatchObject({ from: account.toLowerCase(), to: receiver.toLowerCase() })
    expect((await node().getBalance({ address: receiver })) - before).toBe(1_500_000_000_000_000_001n)
    expect(await asked()).toEqual(["eth_requestAccounts", "eth_chainId", "eth_sendTransaction"])
  })

  it("sends nothing when its user says no", async () => {
    const state = () =>
      Promise.all([
        node().getBalance({ address: receiver }),
        node().getBalance({ address: account }),
        node().getTransactionCount({ address: account })
      ])
    const before = await state()
    await reject("eth_sendTransaction")
    expect(await call("transferNative", receiver, "1")).toMatchObject({
      tag: "TransactionDenied",
      message: "User denied transaction signature. Error is Error: User rejected the request."
    })
    expect(await state()).toEqual(before)
    // what a node has against a transaction are the wallet's words, which prove nothing
    expect(await call("transferNative", receiver, "1000000000")).toMatchObject({ tag: "WalletUnclear" })
    expect(await state()).toEqual(before)
  })

  it("deploys a token, sends it and lets others spend it", async () => {
    const deployed = await mined(
      await call("createFungibleToken", { name: "Test", symbol: "TST", initialSupply: "1000" })
    )
    const address = deployed.contractAddress
    if (!address) throw new Error("no contract was created")
    const abi = parseAbi([
      "function balanceOf(address) view returns (uint256)",
      "function allowance(address, address) view returns (uint256)",
      "function symbol() view returns (string)"
    ])
    const read = { address, abi } as const
    expect(await node().readContract({ ...read, functionName: "symbol" })).toBe("TST")
    await mined(await call("transferErc20", receiver, "2.5", address))
    const balances = [account, receiver] as const
    expect(
      await Promise.all(
        balances.map((owner) => node().readContract({ ...read, functionName: "balanceOf", args: [owner] }))
      )
    ).toEqual([parseEther("997.5"), parseEther("2.5")])
    await mined(await call("approveErc20", receiver, "7", address))
    expect(await node().readContract({ ...read, functionName: "allowance", args: [account, receiver] })).toBe(
      parseEther("7")
    )
    await asked()
    expect(await call("transferErc20", receiver, "0.0000000000000000001", address)).toMatchObject({
      tag: "InvalidArgument"
    })
    expect(await call("transferErc20", receiver, "1", receiver)).toMatchObject({ tag: "InvalidArgument" })
    expect(await asked()).toEqual([])
  })

  it("deploys a collection and sends an NFT of it", async () => {
    const nonce = await node().getTransactionCount({ address: account })
    await mined(
      await call("createNftCollection", { name: "Things", symbol: "THG", baseURI: "ipfs://things/" })
    )
    const address = getContractAddress({ from: account, nonce: BigInt(nonce) })
    const abi = parseAbi([
      "function mint(address)",
      "function ownerOf(uint256) view returns (address)",
      "function tokenURI(uint256) view returns (string)"
    ])
    const wallet = createTestClient({ mode: "anvil", transport: http(urls[mainnet]) })
    const mint = `0x6a627842${account.slice(2).toLowerCase().padStart(64, "0")}`
    const minted: Hex = await wallet.request<{
      Method: "eth_sendTransaction"
      Parameters: unknown
      ReturnType: Hex
    }>({
      method: "eth_sendTransaction",
      params: [{ from: account, to: address, data: mint }]
    })
    await mined({ status: "SUCCESS", data: minted })
    const owner = () => node().readContract({ address, abi, functionName: "ownerOf", args: [0n] })
    expect(await owner()).toBe(account)
    expect(await node().readContract({ address, abi, functionName: "tokenURI", args: [0n] })).toBe(
      "ipfs://things/0"
    )
    await mined(await call("transferNft", receiver, "0", address))
    expect(await owner()).toBe(receiver)
    // it is no longer the account's: a hash says that a transaction was sent, not that it did what it should
    const again = text(await call("transferNft", receiver, "0", address))
    expect(await node().waitForTransactionReceipt({ hash: again })).toMatchObject({ status: "reverted" })
  })

  it("goes to the network's chain before it sends, if its user agrees", async () => {
    await connect(sepolia)
    await page.evaluate((network) => window.driver.follow(network, "chainChanged"), mainnet)
    const balance = (network: keyof typeof chains) => node(network).getBalance({ address: receiver })
    const before = [await balance(mainnet), await balance(sepolia)]
    await reject("wallet_switchEthereumChain")
    expect(await on(sepolia, "transferNative", receiver, "1")).toMatchObject({ tag: "TransactionDenied" })
    expect([await balance(mainnet), await balance(sepolia)]).toEqual(before)
    await mined(await on(sepolia, "transferNative", receiver, "1"), sepolia)
    expect([await balance(mainnet), await balance(sepolia)]).toEqual([
      before[0],
      (before[1] ?? 0n) + parseEther("1")
    ])
    expect(await call("chainId")).toMatchObject({ data: String(chains[sepolia]) })
    expect(await call("switchChain")).toMatchObject({ status: "SUCCESS" })
    expect(await call("chainId")).toMatchObject({ data: "1" })
    expect(await page.evaluate(() => window.driver.told())).toEqual([
      { status: "SUCCESS", data: String(chains[sepolia]) },
      { status: "SUCCESS", data: "1" }
    ])
    const unknown = await call("switchChain", "polygon-mainnet")
    expect(unknown).toMatchObject({ tag: "WrongChain", kind: "unknown" })
    expect(unknown.message).toContain("chainId 0x89")
  })

  it("that waits for its user takes no second request", async () => {
    await page.evaluate(() => window.driver.user("holdNext", "eth_requestAccounts"))
    const first = call("getWallet")
    await expect.poll(asked).toEqual(["eth_requestAccounts"])
    expect(await call("getWallet")).toMatchObject({ tag: "WalletBusy" })
    await page.evaluate(() => window.driver.user("release"))
    expect(await first).toMatchObject({ status: "SUCCESS", data: account })
  })
})
