import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { chains, disconnect } from "../shop/chains.js"
import type { Order } from "../shop/orders.js"
import { openShop, otherAddresses, pay, SECRET } from "./customer.js"

const [program = "", given] = process.argv.slice(1)
const port = process.env.PORT ?? "8080"
const url = `http://127.0.0.1:${port}`

/** What the server answers: it is asked again until it listens. */
const ask = async (path: string, init?: RequestInit): Promise<Response> => {
  for (;;) {
    const response = await fetch(`${url}${path}`, init).catch(() => undefined)
    if (response !== undefined) return response
    await sleep(100)
  }
}

const askForOrder = async (path: string, init?: RequestInit): Promise<Order> =>
  JSON.parse(await (await ask(`/orders${path}`, init)).text())

const buy = async (): Promise<void> => {
  const customer = await openShop()
  const treasury = await otherAddresses(customer)
  const folder = mkdtempSync(join(tmpdir(), "shop-"))
  const server = spawn(process.execPath, [...process.execArgv, program, "server"], {
    env: {
      ...process.env,
      EFFECT_CHAINS_PROVIDER: "sandbox",
      MNEMONIC: customer.mnemonic,
      ORDERS_FILE: join(folder, "orders.json"),
      PORT: port,
      SHOP_URL: url,
      TREASURY_ETHEREUM: treasury.ethereum,
      TREASURY_BITCOIN: treasury.bitcoin,
      TREASURY_SOLANA: treasury.solana,
      WEBHOOK_SECRET: SECRET
    },
    stdio: "inherit"
  })
  console.log(`the server's health: ${(await ask("/health")).status}`)
  const bought = chains.map(async (chain) => {
    let order = await askForOrder("", { method: "POST", body: JSON.stringify({ chain }) })
    await pay(customer, order, order.price)
    while (order.state !== "closed") {
      await sleep(200)
      order = await askForOrder(`/${order.id}`)
    }
    console.log(`order ${order.id} on ${order.chain} is ${order.state}`)
  })
  await Promise.all(bought)
  server.kill("SIGTERM")
  const [code] = await once(server, "exit")
  console.log(`the server ended with code ${code}`)
  rmSync(folder, { recursive: true })
  await disconnect(customer.clients)
}

await (given === "server" ? import("../shop/server.js") : buy())
