/** Step 9: the shop as a server. All settings come from the environment. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { json } from "node:stream/consumers"
import { type Chain, chains, connect, disconnect } from "./chains.js"
import { confirmations } from "./confirm.js"
import { inFile } from "./files.js"
import { createOrder, type Shop } from "./orders.js"
import { run } from "./run.js"
import { receiveCalls, signCalls, subscribe } from "./webhook.js"

// #region settings
const setting = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error(`the environment has no ${name}`)
  return value
}

const settings = {
  port: Number(process.env.PORT ?? 8080),
  /** Where the provider finds this server. */
  url: setting("SHOP_URL"),
  secret: setting("WEBHOOK_SECRET"),
  treasury: {
    ethereum: setting("TREASURY_ETHEREUM"),
    bitcoin: setting("TREASURY_BITCOIN"),
    solana: setting("TREASURY_SOLANA")
  }
}

const shop: Shop = {
  // the clients read EFFECT_CHAINS_PROVIDER: `sandbox` on this machine, unset for the hosted provider
  clients: await connect(process.env.TATUM_API_KEY ? { apiKey: process.env.TATUM_API_KEY } : {}),
  mnemonic: setting("MNEMONIC"),
  orders: inFile(setting("ORDERS_FILE"))
}
// #endregion settings

// #region routes
const prices: Record<Chain, string> = { ethereum: "0.05", bitcoin: "0.001", solana: "1.5" }

/** A chain is well while one of its nodes is. */
const isWell = (chain: Chain): boolean => shop.clients[chain].nodes().some(({ failed }) => !failed)

const receive = receiveCalls(shop, settings.secret)

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const respond = (status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  const [, route, id] = (request.url ?? "").split("/")
  if (request.method === "POST" && route === "calls") return receive(request, response)
  if (route === "health") {
    const well = chains.filter(isWell)
    return void respond(well.length === chains.length ? 200 : 503, { well })
  }
  if (route !== "orders") return void respond(404, {})
  if (request.method === "POST") {
    const body = await json(request)
    const wanted = chains.find((chain) => chain === Object(body).chain)
    if (wanted === undefined) return void respond(400, { chains })
    const order = await createOrder(shop, wanted, prices[wanted])
    await subscribe(shop, order, settings.url)
    return void respond(201, order)
  }
  const order = shop.orders.get(Number(id))
  if (order === undefined) return void respond(404, {})
  respond(200, {
    ...order,
    network: shop.clients[order.chain].network,
    confirmations: confirmations[order.chain]
  })
}
// #endregion routes

// #region run
const stop = new AbortController()
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort())

await signCalls(shop, settings.secret)
const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    response.writeHead(500).end()
  })
}).listen(settings.port)

// webhooks are fast, and rounds miss nothing: together they are both
await run(shop, settings.treasury, stop.signal)
server.close()
await disconnect(shop.clients)
// #endregion run
