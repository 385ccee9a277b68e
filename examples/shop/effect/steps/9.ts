import { spawn } from "node:child_process"
import { once } from "node:events"
import { generateMnemonic } from "@scure/bip39"
import { wordlist } from "@scure/bip39/wordlists/english.js"
import { Console, Effect, Schedule, Schema } from "effect"
import { chains } from "../shop/chains.js"
import { pay, SECRET, withFile } from "./customer.js"

const [program = "", given] = process.argv.slice(1)
const port = process.env.PORT ?? "8080"
const url = `http://127.0.0.1:${port}`

/** What the server answers: it is asked again until it listens. */
const ask = (path: string, init?: RequestInit) =>
  Effect.retry(
    Effect.tryPromise(() => fetch(`${url}${path}`, init)),
    Schedule.spaced("100 millis")
  )

const Bought = Schema.Struct({
  id: Schema.Number,
  network: Schema.String,
  address: Schema.String,
  price: Schema.String,
  state: Schema.String
})

const askForOrder = (path: string, init?: RequestInit) =>
  ask(`/orders${path}`, init).pipe(
    Effect.flatMap((response) => Effect.promise(() => response.text())),
    Effect.flatMap(Schema.decode(Schema.parseJson(Bought)))
  )

const buy = (file: string) =>
  Effect.gen(function* () {
    const server = spawn(process.execPath, [...process.execArgv, program, "server"], {
      env: {
        ...process.env,
        DATABASE_FILE: file,
        EFFECT_CHAINS_PROVIDER: "sandbox",
        MNEMONIC: generateMnemonic(wordlist),
        PORT: port,
        SHOP_URL: url,
        WEBHOOK_SECRET: SECRET
      },
      stdio: ["ignore", "ignore", "inherit"]
    })
    yield* Console.log(`the server's health: ${(yield* ask("/health")).status}`)
    yield* Effect.forEach(
      chains,
      (chain) =>
        Effect.gen(function* () {
          const { address, id, network, price } = yield* askForOrder("", {
            method: "POST",
            body: JSON.stringify({ chain })
          })
          yield* pay(chain, address, price)
          const { state } = yield* Effect.repeat(
            askForOrder(`/${id}`),
            Schedule.recurUntil<typeof Bought.Type>((order) => order.state === "closed").pipe(
              Schedule.addDelay(() => "200 millis")
            )
          )
          yield* Console.log(`order ${id} on ${network} is ${state}`)
        }),
      { concurrency: "unbounded" }
    )
    server.kill("SIGTERM")
    const [code] = yield* Effect.promise(() => once(server, "exit"))
    yield* Console.log(`the server ended with code ${code}`)
  })

await (given === "server" ? import("../shop/server.js") : Effect.runPromise(withFile(buy)))
