import { spawn } from "node:child_process"
import { once } from "node:events"
import { generateMnemonic } from "@scure/bip39"
import { wordlist } from "@scure/bip39/wordlists/english.js"
import { Console, Effect, Layer, Redacted, Schedule } from "effect"
import { accountOf, chains, clients, Wallet } from "../shop/chains.js"
import { Orders } from "../shop/orders.js"
import { refund, transactions } from "../shop/refund.js"
import { confirmations, watchers } from "../shop/watch.js"
import { balanceOf, buyAll, foundation, otherAddress, pay, untilState, withFile } from "./customer.js"

const [program = "", given] = process.argv.slice(1)

const shop = (file: string, mnemonic: string) =>
  Layer.merge(watchers(confirmations), transactions).pipe(
    Layer.provideMerge(foundation(file, Layer.succeed(Wallet, { mnemonic: Redacted.make(mnemonic) })))
  )

/** The first process refunds all orders, and is killed when the first of these payments is in a block. */
const beKilled = (customers: Record<string, string>) =>
  Effect.gen(function* () {
    for (const chain of chains) yield* pay(chain, (yield* accountOf(chain, 0)).address, "2")
    const paid = yield* Effect.forEach(yield* buyAll, ({ id }) => untilState(id, "paid"))
    yield* Effect.forkScoped(
      Effect.forEach(paid, (order) => refund(order, customers[order.chain] ?? ""), {
        concurrency: "unbounded"
      })
    )
    yield* Effect.repeat(
      balanceOf("ethereum", customers.ethereum ?? ""),
      Schedule.recurUntil<string>((balance) => balance !== "0").pipe(Schedule.addDelay(() => "100 millis"))
    )
    process.kill(process.pid, "SIGKILL")
  }).pipe(Effect.scoped)

/** The second one finds all orders in the database, and asks for the same refunds. */
const takeUp = (customers: Record<string, string>) =>
  Effect.gen(function* () {
    const orders = yield* Effect.flatMap(Orders, ({ all }) => all)
    yield* Effect.forEach(
      orders,
      (order) =>
        Effect.gen(function* () {
          const customer = customers[order.chain] ?? ""
          yield* refund(order, customer)
          yield* Console.log(`order ${order.id}: the customer has ${yield* balanceOf(order.chain, customer)}`)
        }),
      { concurrency: "unbounded" }
    )
  })

const both = (file: string) =>
  Effect.gen(function* () {
    const mnemonic = generateMnemonic(wordlist)
    const customers = Object.fromEntries(
      yield* Effect.forEach(chains, (chain) =>
        Effect.map(otherAddress(chain), (address) => [chain, address] as const)
      )
    )
    const first = spawn(process.execPath, [...process.execArgv, program, file], {
      env: { ...process.env, MNEMONIC: mnemonic, CUSTOMERS: JSON.stringify(customers) },
      stdio: "inherit"
    })
    const [, signal] = yield* Effect.promise(() => once(first, "exit"))
    yield* Console.log(`the first process ended by ${signal}`)
    yield* Effect.provide(takeUp(customers), shop(file, mnemonic))
  })

await (given === undefined
  ? Effect.runPromise(withFile((file) => Effect.provide(both(file), clients)))
  : Effect.runPromise(
      Effect.provide(
        beKilled(JSON.parse(process.env.CUSTOMERS ?? "")),
        shop(given, process.env.MNEMONIC ?? "")
      )
    ))
