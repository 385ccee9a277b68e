/** The customer of the tutorial: the sandbox pays from its own accounts, on every chain. */
import { FetchHttpClient, FileSystem } from "@effect/platform"
import { NodeFileSystem } from "@effect/platform-node"
import * as Libsql from "@effect-chains/fleet/libsql"
import { generateMnemonic } from "@scure/bip39"
import { wordlist } from "@scure/bip39/wordlists/english.js"
import { Effect, Layer, Logger, LogLevel, Redacted, Schedule } from "effect"
import { Units } from "effect-chains"
import { makeAdmin } from "effect-chains/sandbox/client"
import {
  accountOf,
  Bitcoin,
  type Chain,
  chains,
  clients,
  decimals,
  Ethereum,
  networks,
  Solana,
  Wallet
} from "../shop/chains.js"
import { type Order, Orders } from "../shop/orders.js"
import { watch } from "../shop/watch.js"

export const prices: Record<Chain, bigint> = {
  ethereum: 50_000_000_000_000_000n,
  bitcoin: 100_000n,
  solana: 1_500_000_000n
}

/** What the provider and the shop know, and nobody else. It is one for all subscriptions of an API key. */
export const SECRET = "a secret of the tutorial"

/** A new wallet: addresses of an earlier run have been paid already. */
export const newWallet = Layer.sync(Wallet, () => ({ mnemonic: Redacted.make(generateMnemonic(wordlist)) }))

/** The sandbox's own routes, which no real provider has. */
export const sandbox = makeAdmin("http://127.0.0.1:4100").pipe(Effect.provide(FetchHttpClient.layer))

export const pay = (chain: Chain, address: string, amount: string) =>
  Effect.flatMap(sandbox, ({ fund }) =>
    fund({ path: { network: networks[chain] }, payload: { address, amount } })
  )

export const balanceOf = (chain: Chain, address: string) => {
  const read = Effect.gen(function* () {
    switch (chain) {
      case "ethereum":
        return yield* (yield* Ethereum).address.getBalance({ address })
      case "bitcoin":
        return yield* (yield* Bitcoin).address.getBalance({ address })
      case "solana":
        return yield* (yield* Solana).address.getBalance({ address })
    }
  })
  return Effect.map(read, ([coins]) => coins?.balance ?? "0")
}

/** An address on a chain whose key is somebody else's. */
export const otherAddress = (chain: Chain) =>
  Effect.map(accountOf(chain, 0), ({ address }) => address).pipe(Effect.provide(newWallet))

/** An amount in whole coins. */
export const coins = (chain: Chain, amount: bigint): string => Units.format(amount, decimals[chain])

/** The path of a database that goes with its scope. */
export const temporaryFile = Effect.flatMap(FileSystem.FileSystem, (files) =>
  files.makeTempDirectoryScoped({ prefix: "shop-" })
).pipe(
  Effect.map((folder) => `${folder}/shop.db`),
  Effect.provide(NodeFileSystem.layer)
)

export const withFile = <A, E, R>(use: (file: string) => Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.flatMap(temporaryFile, use))

/** Waits until an order is in a state. */
export const untilState = (id: number, state: Order["state"]) =>
  Effect.gen(function* () {
    const orders = yield* Orders
    return yield* orders.get(id)
  }).pipe(
    Effect.repeat(
      Schedule.recurUntil((order: Order) => order.state === state).pipe(Schedule.addDelay(() => "100 millis"))
    )
  )

/** Orders on all chains, watched and then paid. */
export const buyAll = Effect.gen(function* () {
  const orders = yield* Orders
  return yield* Effect.forEach(
    chains,
    (chain) =>
      Effect.gen(function* () {
        const order = yield* orders.create(chain, prices[chain])
        yield* watch(order)
        yield* pay(chain, order.address, coins(chain, order.price))
        return order
      }),
    { concurrency: "unbounded" }
  )
})

/** What all steps stand on: clients, a wallet, the orders and the database in a file. */
export const foundation = (file: string, wallet: Layer.Layer<Wallet> = newWallet) =>
  Orders.Default.pipe(
    Layer.provideMerge(Libsql.layer({ name: "shop", file })),
    Layer.provideMerge(Layer.merge(clients, wallet)),
    Layer.provideMerge(Logger.minimumLogLevel(LogLevel.Error))
  )
