/** The readings of probes from recorded answers of real nodes, and from the examples of the chains' own descriptions. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { parseHeight } from "../../src/balancer/Probe.js"
import { loadFamily } from "../../src/client/Sdk.js"
import { info, type Network } from "../../src/data/Network.js"
import { shared } from "./fixtures.js"

const text = (path: string): string => readFileSync(join(shared, path), "utf8")

/** The answer of a recorded exchange of execution-apis. */
const exchange = (path: string): unknown => JSON.parse(/^<< (.*)$/m.exec(text(path))?.[1] ?? "null")

/** The first example of a method, as a JSON-RPC answer. */
const example = (path: string, method: string): unknown => {
  const {
    methods
  }: {
    readonly methods: ReadonlyArray<{
      readonly name: string
      readonly examples: ReadonlyArray<{ readonly result: { readonly value: unknown } }>
    }>
  } = parse(text(path))
  const found = methods.find(({ name }) => name === method)?.examples[0]
  return { jsonrpc: "2.0", id: 1, result: found?.result.value }
}

const recordings: ReadonlyArray<readonly [network: Network, answer: () => unknown, height: number]> = [
  ["ethereum-mainnet", () => exchange("fixtures/evm/eth_blockNumber/simple-test.io"), 54],
  [
    "algorand-mainnet-algod",
    () => JSON.parse(text("fixtures/algorand/v2algodclient_responsejsons/status.json")),
    6_222_190
  ],
  [
    "algorand-mainnet-indexer",
    () =>
      JSON.parse(
        text("fixtures/algorand/generated_responses_unlimited_assets/indexer_unlimited_aa_HealthCheck_0.json")
      ),
    70_997
  ],
  ["bitcoin-mainnet", () => example("specs/bitcoin-openrpc.yaml", "getblockcount"), 894_623],
  ["casper-mainnet", () => example("specs/casper-rpc.json", "info_get_status"), 10]
]

describe("the height of a node", () => {
  it.each(recordings)("of %s is read from what nodes have answered", async (network, answer, height) => {
    const { probe } = await Effect.runPromise(loadFamily(info(network).family))
    expect(parseHeight(probe?.(network, info(network)).height(answer()))).toBe(height)
  })
})
