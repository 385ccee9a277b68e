/** What tests of watchers have in common: clients, transactions of anvil, contracts that log, and payments as the chain itself has them. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Layer from "effect/Layer"
import type * as Schedule from "effect/Schedule"
import { Sdk } from "effect-chains"
import * as Address from "ox/Address"
import * as EvmWatcher from "../src/EvmWatcher.js"
import { ask, network } from "./evm.js"

export class Client extends Sdk.Tag("fleet-watch-tests", network)<Client>() {}
export class Litecoin extends Sdk.Tag("fleet-watch-tests", "litecoin-testnet")<Litecoin>() {}
export class Devnet extends Sdk.Tag("fleet-watch-tests", "solana-devnet")<Devnet>() {}

/** The client of a node, for watchers. */
export const clientLayer = (url: string) =>
  Client.layer({ rpc: { nodes: [{ url }] }, quiet: true }).pipe(Layer.provide(NodeHttpClient.layerUndici))

export interface Options<E, R> extends Omit<EvmWatcher.WatchOptions<never, never, E, R>, "client" | "retry"> {
  readonly retry?: Schedule.Schedule<unknown>
}

/** A watcher over a node. */
export const watcher = <E, R>(url: string, options: Options<E, R>) =>
  EvmWatcher.layer({ pollingInterval: "100 millis", ...options, client: Client }).pipe(
    Layer.provide(clientLayer(url))
  )

/** Anvil's own accounts, which it signs for. */
export const listAccounts = (url: string): Promise<ReadonlyArray<string>> => ask(url, "eth_accounts")

export const encodeWord = (value: bigint | string): string =>
  (typeof value === "string" ? value.slice(2).toLowerCase() : value.toString(16)).padStart(64, "0")

/** Sends a transaction without looking whether it will fail. */
export const send = (
  url: string,
  from: string,
  transaction: { readonly to?: string; readonly value?: bigint; readonly data?: string }
): Promise<string> =>
  ask(url, "eth_sendTransaction", {
    from,
    gas: "0x30d40",
    ...transaction,
    value: `0x${(transaction.value ?? 0n).toString(16)}`
  })

/** The code that makes a contract of this code (up to 255 bytes). */
const encodeDeployment = (code: string): string =>
  `0x60${(code.length / 2).toString(16).padStart(2, "0")}600c60003960${(code.length / 2).toString(16).padStart(2, "0")}6000f3${code}`

/** Logs three topics and a word of data, all of them from its input: a token that does what it is told. */
export const loggingCode = encodeDeployment("606035600052604035602035600035602060 00a300".replace(" ", ""))

/** Takes nothing. */
export const refusingCode = encodeDeployment("60006000fd")

export const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

/** The input by which that contract logs a transfer. */
export const encodeTransfer = (from: string, to: string, amount: bigint): string =>
  `0x${[TRANSFER, from, to, amount].map(encodeWord).join("")}`

/** Makes a contract in a block of its own. */
export const deployContract = async (url: string, from: string, code: string): Promise<string> => {
  const hash = await send(url, from, { data: code })
  await ask(url, "evm_mine")
  const { contractAddress } = await ask<{ contractAddress: string }>(url, "eth_getTransactionReceipt", hash)
  return contractAddress
}

/** A payment as one line, to be compared. */
export const toLine = ({ address, amount, block, direction, log, transaction }: Line): string =>
  `${block} ${transaction}${log === null ? "" : `:${log}`} ${address} ${direction} ${amount}`

type Line = Pick<EvmWatcher.Payment, "address" | "amount" | "block" | "direction" | "log" | "transaction">

interface RawBlock {
  readonly hash: string
  readonly transactions: ReadonlyArray<{
    readonly hash: string
    readonly from: string
    readonly to: string | null
    readonly value: string
    readonly input: string
  }>
}

interface RawReceipt {
  readonly status: string
  readonly logs: ReadonlyArray<{ readonly logIndex: string }>
}

/**
 * The payments of a block, read by other means than those of watchers: from the receipts and inputs of all its transactions. Tokens are
 * those of the contract above.
 */
export const paymentsAt = async (
  url: string,
  height: number,
  watched: ReadonlySet<string>
): Promise<ReadonlyArray<string>> => {
  const block = await ask<RawBlock>(url, "eth_getBlockByNumber", `0x${height.toString(16)}`, true)
  const lines: Array<string> = []
  for (const { from, hash, input, to, value } of block.transactions) {
    const { logs, status } = await ask<RawReceipt>(url, "eth_getTransactionReceipt", hash)
    if (status !== "0x1") continue
    const moved = (log: number | null, a: string, b: string, amount: bigint) => {
      const line = { block: block.hash, transaction: hash, log, amount }
      const spelled = (address: string) => Address.checksum(Address.from(address))
      if (amount > 0n && watched.has(a))
        lines.push(toLine({ ...line, address: spelled(a), direction: "out" }))
      if (amount > 0n && watched.has(b)) lines.push(toLine({ ...line, address: spelled(b), direction: "in" }))
    }
    if (to !== null) moved(null, from, to, BigInt(value))
    const amount = input.startsWith(TRANSFER) ? BigInt(`0x${input.slice(194, 258)}`) : 0n
    for (const { logIndex } of logs)
      moved(Number(logIndex), `0x${input.slice(90, 130)}`, `0x${input.slice(154, 194)}`, amount)
  }
  return lines
}
