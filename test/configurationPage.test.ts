/** The page on configuration has a row for every option. */
import { expect, it } from "vitest"
import type { NodeEntry, SdkConfig } from "../src/config/ConfigTypes.js"
import type { CallOptionsShape } from "../src/wire/Transport.js"
import { readPage } from "./pages.js"

// the compiler sees that no option is missing in these lists

const options = {
  network: true,
  apiKey: true,
  version: true,
  retryCount: true,
  retryDelay: true,
  timeout: true,
  attemptTimeout: true,
  maxResponseBytes: true,
  provider: true,
  dataApi: true,
  sendSdkHeaders: true,
  verifyChain: true,
  selection: true,
  hedge: true,
  retryBudget: true,
  coalesce: true,
  batch: true,
  consistency: true,
  quota: true,
  health: true,
  subscriptions: true,
  logger: true,
  quiet: true,
  verbose: true,
  configureExtensions: true,
  configureWalletProviders: true
} satisfies Record<Exclude<keyof SdkConfig, "rpc">, true>

const rpcOptions = {
  "rpc.nodes": true,
  "rpc.oneTimeLoadBalancing": true,
  "rpc.allowedBlocksBehind": true,
  "rpc.evictNodesOnFailure": true,
  "rpc.statusCheckInterval": true,
  "rpc.checks": true,
  "rpc.readmission": true,
  "rpc.archive": true
} satisfies Record<`rpc.${keyof NonNullable<SdkConfig["rpc"]>}`, true>

const nodeFields = {
  url: true,
  wsUrl: true,
  type: true,
  weight: true,
  headers: true,
  sendApiKey: true,
  quota: true,
  jsonRpcUrl: true,
  beaconUrl: true,
  rosettaUrl: true,
  waspUrl: true,
  tonCenterUrl: true,
  graphqlUrl: true
} satisfies Record<keyof NodeEntry, true>

const callOptions = {
  timeout: true,
  attemptTimeout: true,
  node: true,
  coalesce: true,
  batch: true,
  quorum: true,
  minBlock: true,
  archive: true
} satisfies Record<keyof CallOptionsShape, true>

/** The names in the first column of the tables between a heading and the next one of its level. */
const listRows = (heading: string): ReadonlySet<string> => {
  const [level = ""] = heading.split(" ")
  const [, after = ""] = readPage("docs/configuration.md").text.split(`\n${heading}\n`)
  const [section = ""] = after.split(new RegExp(`^#{2,${level.length}} `, "m"))
  const cells = Array.from(section.matchAll(/^\| (`[^|]+`) +\|/gm), ([, cell = ""]) => cell)
  return new Set(cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = ""]) => name)))
}

it.each([
  ["## Options", { ...options, ...rpcOptions }],
  ["### A node", nodeFields],
  ["## Options of single calls", callOptions]
])("has a row for every option under %s", (heading, expected) => {
  const rows = listRows(heading)
  expect(Object.keys(expected).filter((name) => !rows.has(name))).toEqual([])
})
