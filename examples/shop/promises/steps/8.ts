import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { chains, disconnect } from "../shop/chains.js"
import { inFile } from "../shop/files.js"
import type { Orders } from "../shop/orders.js"
import { run } from "../shop/run.js"
import { balanceOf, openShop, otherAddresses, paidOrder } from "./customer.js"

const [program = "", given] = process.argv.slice(1)

/** The first process dies when it has sent the money of an order, right before it writes that down. */
const beKilled = async (file: string): Promise<void> => {
  const orders: Orders = inFile(file)
  const save: Orders["save"] = (order) =>
    order.state === "closed" ? process.kill(process.pid, "SIGKILL") : orders.save(order)
  const shop = { ...(await openShop()), mnemonic: process.env.MNEMONIC ?? "", orders: { ...orders, save } }
  await Promise.all(chains.map((chain) => paidOrder(shop, chain)))
  await run(shop, JSON.parse(process.env.TREASURY ?? ""), new AbortController().signal)
}

/** The second one knows what the file says, and nothing else. */
const takeUp = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "shop-"))
  const file = join(folder, "orders.json")
  const opened = await openShop()
  const treasury = await otherAddresses(opened)
  const first = spawn(process.execPath, [...process.execArgv, program, file], {
    env: { ...process.env, MNEMONIC: opened.mnemonic, TREASURY: JSON.stringify(treasury) },
    stdio: "inherit"
  })
  const [, signal] = await once(first, "exit")
  const shop = { ...opened, orders: inFile(file) }
  const states = () => shop.orders.all().map(({ state }) => state)
  console.log(
    `the first process ended by ${signal}; closed orders in its file: ${states().filter((state) => state === "closed").length}`
  )

  const done = new AbortController()
  const running = run(shop, treasury, done.signal)
  while (states().some((state) => state !== "closed")) await sleep(100)
  done.abort()
  await running
  for (const { chain, id, state } of shop.orders.all())
    console.log(`order ${id} is ${state}: the treasury has ${await balanceOf(shop, chain, treasury[chain])}`)
  rmSync(folder, { recursive: true })
  await disconnect(shop.clients)
}

await (given === undefined ? takeUp() : beKilled(given))
