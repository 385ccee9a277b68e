/**
 * The incumbent's SDK as its users run it, in a process of its own: `node incumbent.cjs HOME SANDBOX ADDRESS HOLDER`, where the holder
 * is an address with something of every kind. It has no
 * option for the provider's address and asks hosts of tatum.io alone, so the names lead to the sandbox here, and the urls
 * of nodes in its lists get such names. Prints a line of JSON for each call: its name, and what it answered or threw.
 */
const { createRequire } = require("node:module")
const { join } = require("node:path")

const [, , home, sandbox, address, holder] = process.argv
const send = globalThis.fetch
const node = /^https:\/\/(\d+)\.nodes\.tatum\.io/

globalThis.fetch = async (input, init) => {
  const url = String(input.url ?? input)
  const port = node.exec(url)?.[1]
  if (port !== undefined) return send(url.replace(node, `http://127.0.0.1:${port}`), init)
  const { hostname, pathname, search } = new URL(url)
  if (!hostname.endsWith(".tatum.io")) throw new Error(`${url} is no part of the provider`)
  const response = await send(`${sandbox}${pathname}${search}`, init)
  if (!pathname.endsWith("/list.json") || !response.ok) return response
  const text = await response.text()
  return new Response(text.replace(/http:\/\/127\.0\.0\.1:(\d+)/g, "https://$1.nodes.tatum.io"), response)
}

const { Network, TatumSDK } = createRequire(join(home, "package.json"))("@tatumio/tatum")

const tell = async (name, call) => {
  try {
    console.log(JSON.stringify({ name, answer: await call() }))
  } catch (error) {
    console.log(JSON.stringify({ name, thrown: String(error?.message ?? error) }))
  }
}

/** A client of a network, for as long as `use` takes. */
const on = async (network, use) => {
  const sdk = await TatumSDK.init({ network, apiKey: { v4: "peer" }, quiet: true, retryCount: 0 })
  await use(sdk, (name, call) => tell(`${network}: ${name}`, call))
  await sdk.destroy()
}

const hook = `${sandbox}/hook`
const topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

const main = async () => {
  await on(Network.ETHEREUM, async (sdk, ask) => {
    await ask("blockNumber", () => sdk.rpc.blockNumber())
    await ask("getBlockByNumber", () => sdk.rpc.getBlockByNumber("latest"))
    await ask("estimateGas", () => sdk.rpc.estimateGas({ from: address, to: address, value: "0x1" }))
    await ask("rpc.getBalance", () => sdk.rpc.getBalance(address))
    await ask("address.getBalance", () => sdk.address.getBalance({ addresses: [address] }))
    await ask("address.getTransactions", () => sdk.address.getTransactions({ address }))
    await ask("balances of a holder", () => sdk.address.getBalance({ addresses: [holder] }))
    await ask("transfers of a holder", () => sdk.address.getTransactions({ address: holder }))
    await ask("tokens of a holder", () => sdk.token.getBalance({ addresses: [holder] }))
    await ask("transfers of tokens of a holder", () =>
      sdk.token.getAllFungibleTransactions({ addresses: [holder] })
    )
    await ask("items of a holder", () => sdk.nft.getBalance({ addresses: [holder] }))
    await ask("token.getBalance", () => sdk.token.getBalance({ addresses: [address] }))
    await ask("token.createNewFungibleToken", () =>
      sdk.token.createNewFungibleToken({
        symbol: "TST",
        name: "Test",
        decimals: 18,
        initialSupply: "1000",
        initialHolder: address,
        owner: address
      })
    )
    await ask("nft.getBalance", () => sdk.nft.getBalance({ addresses: [address] }))
    await ask("nft.createNftCollection", () =>
      sdk.nft.createNftCollection({ name: "N", symbol: "N", owner: address })
    )
    await ask("fee.getCurrentFee", () => sdk.fee.getCurrentFee())
    await ask("rates.getCurrentRate", () => sdk.rates.getCurrentRate("ETH", "USD"))
    await ask("rates.getCurrentRateBatch", () =>
      sdk.rates.getCurrentRateBatch([{ batchId: "1", currency: "BTC", basePair: "EUR" }])
    )
    await ask("ipfs.uploadFile", () => sdk.ipfs.uploadFile({ file: Buffer.from("hello world") }))
    await ask("ipfs.getFile", async () =>
      (await sdk.ipfs.getFile({ id: "Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD" })).text()
    )
    const { subscribe } = sdk.notification
    await ask("subscribe.addressEvent", () => subscribe.addressEvent({ address, url: hook }))
    await ask("subscribe.contractAddressLogEvent", () =>
      subscribe.contractAddressLogEvent({ contractAddress: address, event: topic, url: hook })
    )
    await ask("notification.getAll", () => sdk.notification.getAll({ address }))
    await ask("notification.unsubscribe", async () => {
      const { data } = await sdk.notification.getAll()
      return sdk.notification.unsubscribe(data[0].id)
    })
    await ask("notification.getAllExecutedWebhooks", () => sdk.notification.getAllExecutedWebhooks())
  })
  await on(Network.BITCOIN, async (sdk, ask) => {
    await ask("getBlockCount", () => sdk.rpc.getBlockCount())
    await ask("getBlockHash", () => sdk.rpc.getBlockHash(0))
    await ask("fee.getCurrentFee", () => sdk.fee.getCurrentFee())
    await ask("address.getBalance", () =>
      sdk.address.getBalance({ addresses: ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"] })
    )
  })
  await on(Network.SOLANA, async (sdk, ask) => {
    await ask("getBlockHeight", () => sdk.rpc.getBlockHeight())
    await ask("getBalance", () => sdk.rpc.getBalance("11111111111111111111111111111111"))
  })
  await on(Network.TEZOS, async (sdk, ask) => {
    await ask("address.getBalance", () =>
      sdk.address.getBalance({ address: "tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb" })
    )
  })
  await on(Network.TRON, async (sdk, ask) => {
    await ask("getNowBlock", () => sdk.rpc.getNowBlock())
    await ask("address.getBalance", () =>
      sdk.address.getBalance({ address: "TRvz1r3URQq5otL7ioTbxVUfim9RVSm1hA" })
    )
  })
  await on(Network.XRP, async (sdk, ask) => {
    await ask("ledgerCurrent", () => sdk.rpc.ledgerCurrent())
  })
}

main().then(() => process.exit(0))
