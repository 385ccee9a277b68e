/** The table of networks beside the facts that it was made from. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { isServed } from "../../src/data/dataRoutes.js"
import * as Network from "../../src/data/Network.js"
import * as constants from "../../src/data/networks.js"
import { newerNetworks } from "../newerNetworks.js"
import { shared } from "./fixtures.js"

/** All but those that came after the facts: `test/newerNetworks.test.ts` is about them. */
const ids = Object.keys(Network.networks).filter((id) => Network.isNetwork(id) && !newerNetworks.includes(id))
const named = Object.entries(constants).flatMap(([name, id]) =>
  typeof id === "string" && !newerNetworks.includes(id) ? [{ name, id }] : []
)

const typed = "the facts know the reference SDK, which has no client of its own for it"

type Column = Exclude<keyof Network.NetworkInfo, keyof Network.DefinedColumns> | "data" | "history"

/** Where the table deviates from the rules below on purpose. */
const deviations: ReadonlyArray<{
  readonly id: Network.Network
  readonly column: Column
  readonly value: unknown
  readonly why: string
}> = [
  { id: "polygon-mainnet", column: "symbol", value: "MATIC", why: "an example of the specification" },
  { id: "polygon-amoy", column: "symbol", value: "MATIC", why: "an example of the specification" },
  { id: "polygon-mainnet", column: "asset", value: undefined, why: "the same as the symbol then" },
  { id: "polygon-amoy", column: "asset", value: undefined, why: "the same as the symbol then" },
  { id: "rsk-mainnet", column: "family", value: "evm", why: "every EVM network is EVM based" },
  { id: "rsk-testnet", column: "family", value: "evm", why: "every EVM network is EVM based" },
  { id: "base-sepolia", column: "family", value: "evm", why: "every EVM network is EVM based" },
  { id: "bitcoin-mainnet-electrs", column: "family", value: "electrs", why: "another server than Rostrum" },
  { id: "bitcoin-testnet-electrs", column: "family", value: "electrs", why: "another server than Rostrum" },
  { id: "avax-p-mainnet", column: "family", value: "avalanche-p", why: typed },
  { id: "avax-p-testnet", column: "family", value: "avalanche-p", why: typed },
  { id: "avax-x-mainnet", column: "family", value: "avalanche-x", why: typed },
  { id: "avax-x-testnet", column: "family", value: "avalanche-x", why: typed },
  { id: "dot-mainnet", column: "family", value: "polkadot", why: typed },
  { id: "dot-testnet", column: "family", value: "polkadot", why: typed },
  { id: "egld-mainnet", column: "family", value: "multiversx", why: typed },
  { id: "egld-testnet", column: "family", value: "multiversx", why: typed },
  { id: "flow-mainnet", column: "family", value: "flow", why: typed },
  { id: "flow-testnet", column: "family", value: "flow", why: typed },
  { id: "near-mainnet", column: "family", value: "near", why: typed },
  { id: "near-testnet", column: "family", value: "near", why: typed },
  { id: "zilliqa-mainnet", column: "family", value: "zilliqa", why: typed },
  { id: "zilliqa-testnet", column: "family", value: "zilliqa", why: typed },
  { id: "tezos-testnet", column: "data", value: "tezos", why: "a vector asks the data API for its history" }
]

/** What the legacy generation of the data API has of a network: no columns of the table, but chains of its routes. */
const legacyOf = (id: Network.Network): Readonly<Record<"data" | "history", unknown>> => {
  const has = (route: "portfolio" | "utxos" | "utxoHistory"): boolean => isServed(route, id, "legacy")
  const isTezos = Network.info(id).family === "tezos"
  return {
    data: has("portfolio") ? (isTezos ? "tezos" : "evm") : has("utxos") ? "utxo" : undefined,
    history: has("utxoHistory") || undefined
  }
}

describe("the facts", () => {
  const read = (name: string) => readFileSync(join(shared, "facts", name), "utf8")
  const [header = "", ...lines] = read("networks.csv").trim().split(/\r?\n/)
  const names = header.split(",")
  const table = lines.map((line) => {
    const values = line.split(",")
    const row = new Map(names.map((name, i) => [name, values[i]]))
    const text = (name: string): string => {
      const value = row.get(name)
      if (value === undefined) throw new Error(`no column ${name}`)
      return value
    }
    return {
      id: text("id"),
      text,
      is: (name: string): true | undefined => text(name) === "true" || undefined
    }
  })
  const details: ReadonlyArray<{
    readonly id: string
    readonly mappedNetwork: string | null
    readonly fixedRpcUrl: string | null
  }> = JSON.parse(read("networks.json"))
  const fixed = new Map(details.map(({ id, fixedRpcUrl }) => [id, fixedRpcUrl ?? undefined]))
  const lists = new Map(details.map(({ id, mappedNetwork }) => [id, mappedNetwork ?? undefined]))
  const families: Readonly<Record<string, string>> = {
    "evm+archive": "evm",
    "evm+beacon": "evm-beacon",
    "evm+native-prefix": "evm-native",
    "evm+zks": "zksync",
    "utxo+estimatefee": "utxo-estimatefee"
  }

  const expected = ({ id, text, is }: (typeof table)[number]): Record<Column, unknown> => ({
    family: families[text("clientFamily")] ?? text("clientFamily"),
    currency: text("currency"),
    symbol: text("truthSymbol"),
    asset: text("symbol") === text("truthSymbol") ? undefined : text("symbol"),
    node: fixed.get(id),
    gateway: undefined,
    ownNodes: undefined,
    decimals: Number(text("truthDecimals")),
    testnet: is("testnet"),
    realMoney: text("testnet") === text("truthTestnet") ? undefined : text("truthTestnet") === "false",
    defaultMainnet: is("defaultMainnet"),
    defaultTestnet: is("defaultTestnet"),
    chainId: text("truthChainId") === "" ? undefined : Number(text("truthChainId")),
    loadBalanced: is("loadBalanced"),
    archive: is("archive"),
    data: is("dataEvm") ? "evm" : is("dataUtxo") ? "utxo" : is("data") ? "tezos" : undefined,
    notification: text("notif") || undefined,
    fee: is("fee"),
    history: /^v3:/.test(text("tx")) || undefined,
    list: lists.get(id),
    status: text("status") === "live" ? undefined : text("status")
  })

  it("are about the networks of the table", () => {
    expect(table.map(({ id }) => id)).toEqual(ids)
    expect(details.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  })

  it("have the names of the constants", () => {
    const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1)
    const keys = table.map(({ id, text }) => ({ name: text("enumKey"), id }))
    expect(named.toSorted(byName)).toEqual(keys.toSorted(byName))
  })

  it.each(table)("agree with $id", (fact) => {
    const { id } = fact
    if (!Network.isNetwork(id)) throw new Error(`${id} is not in the table`)
    const row: Network.NetworkInfo = Network.info(id)
    const actual: Readonly<Record<string, unknown>> = { ...row, ...legacyOf(id) }
    for (const [column, value] of Object.entries(expected(fact))) {
      const deviation = deviations.find((one) => one.id === id && one.column === column)
      expect(actual[column], `${id}.${column}`).toBe(deviation === undefined ? value : deviation.value)
      if (deviation !== undefined) expect(deviation.value, `${id}.${column} deviates no more`).not.toBe(value)
    }
  })
})
