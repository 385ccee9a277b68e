/** The rows of the site's table of networks. All of their facts are those of the tables in `src/data`. */
import { supports } from "../../../src/data/Coverage.js"
import { explorers } from "../../../src/data/explorers.js"
import { type Network, type NetworkInfo, networks } from "../../../src/data/Network.js"
import { names } from "../../../src/data/networkNames.js"
import { serviceNeeds } from "../../../src/data/serviceCoverage.js"
import type { Lines, Row } from "./model.js"

const statusMarks: Readonly<Record<NonNullable<NetworkInfo["status"]>, string>> = {
  sunset: "shut down",
  renamed: "renamed",
  "protocol-changed": "protocol changed",
  "sunset-announced": "to be shut down",
  deprecated: "deprecated"
}

// the ids of the table, which Object.keys does not say
const ids = Object.keys(networks) as ReadonlyArray<Network>
const infoOf = (id: Network): NetworkInfo => networks[id]

/** The services that need something of a network. The others work on each of them. */
const services = Object.entries(serviceNeeds)
  .filter(([, needs]) => needs.every((need) => Object.keys(need).length > 0))
  // the names of the table, which Object.entries does not say
  .map(([name]) => name as keyof typeof serviceNeeds)

const explorerOf = (id: string): string | undefined => {
  const sites: Readonly<Record<string, string | { readonly url: string; readonly end?: string }>> = explorers
  const site = sites[id]
  return site === undefined || typeof site === "string" ? site : `${site.url}${site.end ?? ""}`
}

const testnetsOf = ({ currency, family }: NetworkInfo): ReadonlyArray<string> =>
  ids.filter((id) => {
    const other = infoOf(id)
    const isSame = other.family === family && other.currency === currency
    return isSame && other.testnet === true && other.realMoney !== true && other.status !== "sunset"
  })

const linesOf = (id: string, { ownNodes }: NetworkInfo): Lines => {
  const nodes = ownNodes === true ? ', rpc: { nodes: [{ url: "https://node.example" }] }' : ""
  const config = `{ network: "${id}"${nodes} }`
  return {
    promises: `const sdk = await init(${config})`,
    Effect: `const sdk = yield* Sdk.make(${config})`,
    React: `<SdkProvider config={${config}}>`
  }
}

const toRow = (id: Network): Row => {
  const info = infoOf(id)
  const isTestnet = !(info.realMoney ?? info.testnet !== true)
  const explorer = explorerOf(id)
  return {
    id,
    family: info.family,
    ...(info.chainId === undefined ? {} : { chainId: info.chainId }),
    currency: info.symbol,
    services: services.filter((service) => supports(id, service)),
    isTestnet,
    testnets: isTestnet ? [] : testnetsOf(info).filter((each) => each !== id),
    ...(explorer === undefined ? {} : { explorer }),
    marks: [
      ...(info.status === undefined ? [] : [statusMarks[info.status]]),
      ...(info.ownNodes === true ? ["your own nodes"] : [])
    ],
    aliases: Object.values(names[id] ?? {}).join(" "),
    lines: linesOf(id, info)
  }
}

/** All networks, by their ids. */
export const rows: ReadonlyArray<Row> = ids.map(toRow).sort((a, b) => (a.id < b.id ? -1 : 1))
