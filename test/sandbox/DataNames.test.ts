/** Names of ENS on the sandbox's chain: by the data API, by the SDK's own reader, and on each node. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { encodeFunctionData, labelhash, namehash, parseAbi } from "viem"
import { resolveName } from "../../src/contracts.js"
import { REGISTRY, RESOLVER } from "../../src/sandbox/Names.js"
import * as Sandbox from "../../src/sandbox/Sandbox.js"
import { requireBinary } from "../nodes/process.js"
import { fromCall, makeClient } from "./client.js"
import { fetchJson } from "./serve.js"
import { alice, bob, carol, rpcAt, send } from "./tokens.js"

const available = requireBinary("anvil", "names by the data API") !== undefined

const chain = "ethereum-mainnet"

const functions = parseAbi([
  "function setSubnodeOwner(bytes32 node, bytes32 label, address owner)",
  "function setResolver(bytes32 node, address resolver)",
  "function setAddr(bytes32 node, address a)"
])

describe.runIf(available)("names", () => {
  it.scopedLive("are given out by the owner of the root, and stand for addresses", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ networks: [{ network: chain, nodes: 2, archive: 0 }] })
      expect(yield* sandbox.network(chain).height).toBe(0)
      const sdk = yield* makeClient(sandbox, chain)
      const { names } = sdk.data
      const resolved = (name: string) => fromCall(() => names.resolve({ chain, name }))
      const none = (name: string) => [{ address: "", chain, name, resolved: false }]
      expect(yield* resolved("shop.eth")).toEqual(none("shop.eth"))

      const rpc = rpcAt(sandbox.network(chain).urls[0] ?? "")
      const root = namehash("")
      const act = (
        to: string,
        call: Parameters<typeof encodeFunctionData<typeof functions>>[0],
        from: string = alice
      ) => send(rpc, { from, to, data: encodeFunctionData(call), gas: "0x186a0" })
      const abi = functions
      yield* act(REGISTRY, { abi, functionName: "setSubnodeOwner", args: [root, labelhash("eth"), alice] })
      yield* act(REGISTRY, {
        abi,
        functionName: "setSubnodeOwner",
        args: [namehash("eth"), labelhash("shop"), bob]
      })
      const node = namehash("shop.eth")
      // it is bob's alone
      const robbed = yield* act(REGISTRY, { abi, functionName: "setResolver", args: [node, RESOLVER] }, carol)
      expect(robbed.status).toBe(0)
      yield* act(REGISTRY, { abi, functionName: "setResolver", args: [node, RESOLVER] }, bob)
      expect(yield* resolved("shop.eth")).toEqual(none("shop.eth"))
      yield* act(RESOLVER, { abi, functionName: "setAddr", args: [node, carol] }, bob)
      expect(yield* resolved("Shop.ETH")).toEqual([
        { address: carol, chain, name: "shop.eth", resolved: true }
      ])

      // who reads the chain itself finds the same
      expect((yield* fromCall(() => resolveName(sdk, "shop.eth")))?.toLowerCase()).toBe(carol)
      const nodes = sandbox.network(chain).urls
      expect(nodes).toHaveLength(2)
      const asked = [{ to: REGISTRY, data: `0x0178b8bf${node.slice(2)}` }, "latest"]
      const answers = yield* Effect.forEach(nodes, (url) => rpcAt(url)("eth_call", asked))
      for (const answer of answers) expect(String(answer).slice(-40)).toBe(RESOLVER.slice(2).toLowerCase())

      const route = `${sandbox.baseUrl}/v4/data/ns/name`
      for (const [query, part] of [
        [`chain=${chain}&name=a..eth`, "name must be a name"],
        [`chain=${chain}&name=`, "name must be a name"],
        ["chain=base-mainnet&name=shop.base.eth", "ENS alone"],
        ["chain=polygon-mainnet&name=shop.eth", "chain must be one of ethereum-mainnet"]
      ] as const) {
        const { body, status } = yield* fetchJson(`${route}?${query}`)
        expect([query, status, JSON.stringify(body)]).toEqual([query, 400, expect.stringContaining(part)])
      }
    })
  )
})
