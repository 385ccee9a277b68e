// @runtime both
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { describe } from "vitest"
import { fieldAt } from "../../src/balancer/Family.js"
import type { RequestTarget } from "../../src/balancer/Layout.js"
import * as Probe from "../../src/balancer/Probe.js"
import { loadFamily } from "../../src/client/Sdk.js"
import { type FamilyId, info, type Network, networks } from "../../src/data/Network.js"
import { HttpFailure, type HttpRequest, type HttpService } from "../../src/http/Http.js"

const headers = { GET: { "x-get": "1" }, POST: { "content-type": "application/json" } }
const target = {
  url: "https://node.example/path",
  targetFor: (path: string): RequestTarget => ({ url: `https://node.example/path${path}`, headers })
}

type Reply = { readonly status?: number; readonly text: string } | HttpFailure["kind"] | "hang"

/** Answers in turn, the last one for ever. */
const scripted = (
  ...replies: ReadonlyArray<Reply>
): { readonly http: HttpService; readonly sent: Array<HttpRequest> } => {
  const sent: Array<HttpRequest> = []
  return {
    sent,
    http: {
      send: (request) =>
        Effect.suspend(() => {
          const reply = replies[Math.min(sent.length, replies.length - 1)]
          sent.push(request)
          if (reply === undefined || reply === "hang") {
            return Effect.delay(new HttpFailure({ kind: "timeout", reason: "no answer" }), request.timeout)
          }
          if (typeof reply === "string") return new HttpFailure({ kind: reply, reason: `it is ${reply}` })
          return Effect.succeed({
            status: reply.status ?? 200,
            header: () => undefined,
            bytes: new Uint8Array(),
            text: reply.text
          })
        })
    }
  }
}

const json = (body: unknown): Reply => ({ text: JSON.stringify(body) })
const rpc = (result: unknown) => ({ jsonrpc: "2.0", id: 1, result })

interface Row {
  readonly network: Network
  readonly verb: "GET" | "POST"
  readonly path: string
  readonly body?: unknown
  /** A reply as nodes of the family give it, cut to what stands around the height. */
  readonly reply: unknown
  readonly height: number
}

const call = (method: string, params: unknown = []) => ({ jsonrpc: "2.0", id: 1, method, params })
const evm = (network: Network): Row => ({
  network,
  verb: "POST",
  path: "",
  body: call("eth_blockNumber"),
  reply: rpc("0x112a880"),
  height: 18_000_000
})
const bitcoin = (network: Network): Row => ({
  network,
  verb: "POST",
  path: "",
  body: call("getblockcount"),
  reply: { result: 868_000, error: null, id: 1 },
  height: 868_000
})
const rostrum = (network: Network): Row => ({
  network,
  verb: "POST",
  path: "",
  body: call("blockchain.headers.tip"),
  reply: rpc({ height: 870_123, hex: "00e0ff3f" }),
  height: 870_123
})
const rosetta = (network: Network, blockchain: string, name: string): Row => ({
  network,
  verb: "POST",
  path: "/network/status",
  body: { network_identifier: { blockchain, network: name } },
  reply: {
    current_block_identifier: { index: 9_000_001, hash: "ab" },
    current_block_timestamp: 1_700_000_000_000,
    genesis_block_identifier: { index: 0, hash: "00" },
    peers: []
  },
  height: 9_000_001
})
const kadena = (network: Network, name: string): Row => ({
  network,
  verb: "GET",
  path: `/chainweb/0.0/${name}/cut`,
  reply: {
    hashes: { "0": { height: 4_500_000, hash: "x" }, "1": { height: 4_500_001, hash: "y" } },
    height: 90_000_010
  },
  height: 4_500_000
})

const rows: { readonly [F in FamilyId]: ReadonlyArray<Row> } = {
  evm: [evm("polygon-mainnet")],
  "evm-beacon": [evm("ethereum-mainnet")],
  "evm-native": [evm("klaytn-mainnet")],
  zksync: [evm("zksync-mainnet")],
  tron: [evm("tron-mainnet")],
  solana: [
    {
      network: "solana-mainnet",
      verb: "POST",
      path: "",
      body: call("getBlockHeight"),
      reply: rpc(283_000_000),
      height: 283_000_000
    }
  ],
  "algorand-algod": [
    {
      network: "algorand-mainnet-algod",
      verb: "GET",
      path: "/v2/status",
      reply: {
        "catchup-time": 0,
        "last-round": 43_000_000,
        "last-version": "v",
        "stopped-at-unsupported-round": false
      },
      height: 43_000_000
    }
  ],
  "algorand-indexer": [
    {
      network: "algorand-mainnet-indexer",
      verb: "GET",
      path: "/health",
      reply: {
        "db-available": true,
        "is-migrating": false,
        message: "43000000",
        round: 43_000_000,
        version: "3.4.0"
      },
      height: 43_000_000
    }
  ],
  utxo: [bitcoin("bitcoin-mainnet")],
  "utxo-estimatefee": [bitcoin("bitcoin-cash-mainnet")],
  doge: [bitcoin("doge-mainnet"), bitcoin("doge-testnet")],
  rostrum: [rostrum("bch-mainnet-rostrum")],
  electrs: [rostrum("bitcoin-mainnet-electrs")],
  cardano: [
    rosetta("cardano-mainnet", "cardano", "mainnet"),
    rosetta("cardano-preprod", "cardano", "preprod")
  ],
  cosmos: [rosetta("cosmos-mainnet", "cosmos", "mainnet")],
  casper: [
    {
      network: "casper-mainnet",
      verb: "POST",
      path: "/rpc",
      body: call("info_get_status"),
      reply: rpc({
        api_version: "2.0.0",
        chainspec_name: "casper",
        last_added_block_info: {
          hash: "ab",
          timestamp: "2024-11-01T00:00:00Z",
          era_id: 15_000,
          height: 3_126_090
        }
      }),
      height: 3_126_090
    }
  ],
  eos: [
    {
      network: "eos-mainnet",
      verb: "POST",
      path: "/v1/chain/get_info",
      reply: { server_version: "x", head_block_num: 400_000_000, last_irreversible_block_num: 399_999_998 },
      height: 400_000_000
    }
  ],
  iota: [
    {
      network: "iota-mainnet",
      verb: "GET",
      path: "/api/core/v2/info",
      reply: {
        name: "HORNET",
        status: { isHealthy: true, latestMilestone: { index: 2_500_000 }, pruningIndex: 1 }
      },
      height: 2_500_000
    }
  ],
  kadena: [kadena("kadena-mainnet", "mainnet01"), kadena("kadena-testnet", "testnet04")],
  stellar: [
    {
      network: "stellar-mainnet",
      verb: "GET",
      path: "/fee_stats",
      reply: { last_ledger: "54000000", last_ledger_base_fee: "100", ledger_capacity_usage: "0.97" },
      height: 54_000_000
    }
  ],
  tezos: [
    {
      network: "tezos-mainnet",
      verb: "GET",
      path: "/chains/main/blocks/head/header",
      reply: { protocol: "P", chain_id: "N", hash: "B", level: 7_000_000, proto: 20 },
      height: 7_000_000
    }
  ],
  ton: [
    {
      network: "ton-mainnet",
      verb: "GET",
      path: "/v2/liteserver/get_masterchain_info",
      reply: {
        last: { workchain: -1, shard: "8000000000000000", seqno: 41_000_000 },
        state_root_hash: "a",
        init: {}
      },
      height: 41_000_000
    }
  ],
  xrp: [
    {
      network: "ripple-mainnet",
      verb: "POST",
      path: "",
      body: call("ledger", [
        { ledger_index: "current", transactions: false, expand: false, owner_funds: false }
      ]),
      reply: {
        result: {
          ledger: { closed: false },
          ledger_current_index: 91_000_000,
          status: "success",
          validated: false
        }
      },
      height: 91_000_000
    }
  ],
  near: [
    {
      network: "near-mainnet",
      verb: "POST",
      path: "",
      body: call("status"),
      reply: rpc({
        chain_id: "mainnet",
        sync_info: {
          earliest_block_height: 150_000_000,
          latest_block_height: 150_200_000,
          latest_block_time: "2025-05-01T00:00:00.123456789Z",
          syncing: false
        },
        version: { version: "2.7.0", build: "2.7.0" }
      }),
      height: 150_200_000
    }
  ],
  polkadot: [
    {
      network: "dot-mainnet",
      verb: "POST",
      path: "",
      body: call("chain_getHeader"),
      reply: rpc({ parentHash: "0xab", number: "0x16e3600", digest: { logs: [] } }),
      height: 24_000_000
    }
  ],
  flow: [
    {
      network: "flow-mainnet",
      verb: "GET",
      path: "/v1/blocks?height=sealed",
      reply: [{ header: { id: "ab", height: "110000000" }, block_status: "BLOCK_SEALED" }],
      height: 110_000_000
    }
  ],
  multiversx: [
    {
      network: "egld-mainnet",
      verb: "GET",
      path: "/network/status/4294967295",
      reply: {
        data: {
          status: { erd_current_round: 25_000_009, erd_nonce: 25_000_001, erd_rounds_per_epoch: 14_400 }
        },
        error: "",
        code: "successful"
      },
      height: 25_000_001
    }
  ],
  aptos: [
    {
      network: "aptos-mainnet",
      verb: "GET",
      path: "/v1",
      reply: { chain_id: 1, epoch: "9000", ledger_version: "2500000000", block_height: "300000001" },
      height: 300_000_001
    }
  ],
  "hedera-mirror": [
    {
      network: "hedera-mainnet-mirror",
      verb: "GET",
      path: "/api/v1/blocks?limit=1&order=desc",
      reply: { blocks: [{ count: 3, number: 77_000_001 }], links: { next: "/api/v1/blocks?limit=1" } },
      height: 77_000_001
    }
  ],
  sui: [
    {
      network: "sui-mainnet",
      verb: "POST",
      path: "",
      body: call("sui_getLatestCheckpointSequenceNumber"),
      reply: rpc("200000001"),
      height: 200_000_001
    }
  ],
  zilliqa: [
    {
      network: "zilliqa-mainnet",
      verb: "POST",
      path: "",
      body: call("GetBlockchainInfo", [""]),
      reply: rpc({ CurrentDSEpoch: "5800", NumPeers: 20, NumTxBlocks: "12000001", TxBlockRate: 1 }),
      height: 12_000_001
    }
  ],
  "avalanche-p": [
    {
      network: "avax-p-mainnet",
      verb: "POST",
      path: "",
      body: call("platform.getHeight", {}),
      reply: rpc({ height: "22000000" }),
      height: 22_000_000
    }
  ],
  "avalanche-x": [
    {
      network: "avax-x-mainnet",
      verb: "POST",
      path: "",
      body: call("avm.getHeight", {}),
      reply: rpc({ height: "500000" }),
      height: 500_000
    }
  ],
  bnb: [
    {
      network: "bnb-beacon-chain-mainnet",
      verb: "POST",
      path: "",
      body: call("block", {}),
      reply: rpc({
        block_meta: {},
        block: { header: { chain_id: "Binance-Chain-Tigris", height: "350000000" } }
      }),
      height: 350_000_000
    }
  ]
}

const probeOf = (network: Network) =>
  Effect.map(loadFamily(info(network).family), (family) => {
    const probe = family.probe?.(network, info(network))
    if (probe === undefined) throw new Error(`${network} has no probe`)
    return probe
  })

/** The same reply with its height gone: wherever the number or its text stands. */
const without = (value: unknown, height: number): unknown => {
  if (value === height || value === String(height) || value === `0x${height.toString(16)}`) return null
  if (Array.isArray(value)) return value.map((item) => without(item, height))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, without(child, height)]))
}

describe("the probe of every family", () => {
  it("is in this table: no family is without one", () => {
    const families = new Set(Object.values(networks).map(({ family }) => family))
    expect([...families].toSorted()).toEqual(Object.keys(rows).toSorted())
    for (const [family, list] of Object.entries(rows)) {
      for (const { network } of list) expect(info(network).family).toBe(family)
    }
  })

  for (const row of Object.values(rows).flat()) {
    describe(row.network, () => {
      it.effect(`asks ${row.verb} ${row.path} and reads the height`, () =>
        Effect.gen(function* () {
          const { http, sent } = scripted(json(row.reply))
          const probe = yield* probeOf(row.network)
          expect(yield* Probe.probeNode(http, target, probe)).toEqual({ height: row.height, time: 1 })
          expect(sent).toHaveLength(1)
          expect(sent[0]).toMatchObject({
            method: row.verb,
            url: `https://node.example/path${row.path}`,
            timeout: 5_000
          })
          expect(sent[0]?.headers).toBe(headers[row.verb])
          expect(sent[0]?.maxBytes).toBeLessThanOrEqual(4 * 1024 * 1024)
          const body = sent[0]?.body
          expect(typeof body === "string" ? JSON.parse(body) : body).toEqual(row.body)
        })
      )

      it.effect("takes nothing else for a height", () =>
        Effect.gen(function* () {
          const probe = yield* probeOf(row.network)
          const bad: ReadonlyArray<Reply> = [
            json(without(row.reply, row.height)),
            json({}),
            json([]),
            json(null),
            json("0x1"),
            json(5),
            json({ jsonrpc: "2.0", id: 1, error: { code: -32_601, message: "method not found" } }),
            json({ jsonrpc: "2.0", id: 1, result: null }),
            json({ jsonrpc: "2.0", id: 1, result: {} }),
            { text: "" },
            { text: "<html>504</html>" },
            { text: JSON.stringify(row.reply).slice(0, -3) },
            { status: 500, text: JSON.stringify(row.reply) },
            { status: 404, text: JSON.stringify(row.reply) },
            { status: 302, text: JSON.stringify(row.reply) },
            "network",
            "connect",
            "redirect",
            "too-large"
          ]
          for (const reply of bad) {
            const { http } = scripted(reply)
            expect([reply, yield* Probe.probeNode(http, target, probe)]).toEqual([reply, "failed"])
          }
        })
      )
    })
  }
})

describe("a probe", () => {
  const probe = { verb: "GET", path: "/height", height: fieldAt("height") } as const

  it.effect("is made again when the first attempt fails, and times the second", () =>
    Effect.gen(function* () {
      const { http, sent } = scripted("hang", json({ height: 5 }))
      const fiber = yield* Effect.fork(Probe.probeNode(http, target, probe))
      yield* TestClock.adjust(4_999)
      expect(sent).toHaveLength(1)
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(fiber)).toEqual({ height: 5, time: 1 })
      expect(sent).toHaveLength(2)
    })
  )

  it.effect("ends after two attempts of 5 s", () =>
    Effect.gen(function* () {
      const { http, sent } = scripted("hang")
      const fiber = yield* Effect.fork(Probe.probeNode(http, target, probe))
      yield* TestClock.adjust(10_000)
      expect(yield* Fiber.join(fiber)).toBe("failed")
      expect(sent).toHaveLength(2)
    })
  )
})

describe("parseHeight", () => {
  it("reads numbers, decimal strings and 0x strings", () => {
    const good: ReadonlyArray<readonly [unknown, number]> = [
      [0, 0],
      [17, 17],
      ["17", 17],
      ["0x11", 17],
      ["0x0", 0],
      [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    ]
    for (const [value, height] of good) expect([value, Probe.parseHeight(value)]).toEqual([value, height])
  })

  it("takes nothing else for a height", () => {
    const bad = [
      undefined,
      null,
      true,
      "",
      " ",
      "soon",
      "0x",
      "0xzz",
      -1,
      "-1",
      1.5,
      "1.5",
      Number.NaN,
      2 ** 53,
      "9".repeat(20),
      Number.POSITIVE_INFINITY,
      {},
      [],
      [5],
      5n
    ]
    for (const value of bad) expect([value, Probe.parseHeight(value)]).toEqual([value, undefined])
  })
})

describe("the chain check", () => {
  const network = info("ethereum-mainnet")
  const outcome = (reply: Reply) =>
    Effect.gen(function* () {
      const { chain } = yield* loadFamily("evm")
      if (chain === undefined) throw new Error("the EVM family does not check the chain")
      const { http, sent } = scripted(reply)
      const fiber = yield* Effect.fork(Effect.either(Probe.verifyChain(http, target, chain, network)))
      yield* TestClock.adjust(5_000)
      expect(sent).toHaveLength(1)
      expect(sent[0]).toMatchObject({ method: "POST", url: target.url, timeout: 5_000 })
      return yield* Fiber.join(fiber)
    })

  it.effect("succeeds for the chain of the network, and for nodes that do not know the question", () =>
    Effect.gen(function* () {
      for (const reply of [
        json(rpc("0x1")),
        json(rpc("0x01")),
        json({ error: { code: -32601, message: "no" } }),
        json({ error: { code: 1, message: "the method eth_chainId does not exist" } })
      ]) {
        expect([reply, Either.isRight(yield* outcome(reply))]).toEqual([reply, true])
      }
    })
  )

  const bad: ReadonlyArray<readonly [Reply, string]> = [
    [json(rpc("0x539")), "wrong-chain"],
    [json(rpc("0x")), "wrong-chain"],
    [json(rpc("mainnet")), "wrong-chain"],
    [json(rpc(null)), "malformed"],
    [json({ error: { code: -32005, message: "limit exceeded" } }), "malformed"],
    [json({ jsonrpc: "2.0", id: "x", result: "0x1" }), "malformed"],
    [{ status: 503, text: "" }, "status"],
    [{ status: 429, text: "" }, "status"],
    [{ status: 403, text: "{}" }, "status"],
    [{ text: "<html>" }, "malformed"],
    ["connect", "connect"],
    ["network", "network"],
    ["redirect", "redirect"],
    ["hang", "timeout"]
  ]
  for (const [reply, kind] of bad) {
    it.effect(`fails with ${kind} after ${JSON.stringify(reply)}`, () =>
      Effect.gen(function* () {
        const result = yield* outcome(reply)
        expect(Either.isLeft(result) && result.left).toMatchObject({
          _tag: "NodeError",
          kind,
          call: "chain check"
        })
      })
    )
  }
})
