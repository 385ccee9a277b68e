/** Networks on recordings, asked through the client itself over loopback. */
import { createHash } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { routeAt } from "../../src/balancer/Layout.js"
import { encodeBase58 } from "../../src/chains/internal/base58.js"
import { loadFamily } from "../../src/client/Sdk.js"
import { info, isNetwork, type Network, networks } from "../../src/data/Network.js"
import { signer as algorandSigner } from "../../src/entries/signers/Algorand.js"
import { signer as cosmosSigner } from "../../src/entries/signers/Cosmos.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import type { Handler, HandlerRequest } from "../../src/sandbox/Handler.js"
import { jsonResponse, listen, parseBody } from "../../src/sandbox/Loopback.js"
import {
  isRecorded,
  loadRecordedFamily,
  makeHandler,
  type RecordedOptions,
  type Recording
} from "../../src/sandbox/recorded/Recorded.js"
import { blockHash, blockHashBase58 } from "../../src/sandbox/recorded/Synthetic.js"
import { makeTezosBalances, makeTezosTransactions } from "../../src/sandbox/recorded/Tezos.js"
import { makeAccount } from "../../src/sandbox/recorded/Tron.js"
import { BalanceRow, pageStruct, TransferRow } from "../../src/services/internal/dataRows.js"
import { type CallVector, decode, load } from "../conformance/vectors.js"
import { readTx as readAlgorand } from "../signers/algod.js"
import { isSigned, readTx as readCosmos } from "../signers/hub.js"
import { type Answered, answerProblems, isDescribed } from "../specs/answers.js"
import { more } from "./recordedCalls.js"

const scope = Effect.runSync(Scope.make())
const clients: Array<AsyncDisposable> = []
afterAll(async () => {
  await Promise.all(clients.map((sdk) => sdk[Symbol.asyncDispose]()))
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

/** In place of a node behind zkSync or Klaytn: it knows its height and its chain, and nothing else. */
const behind: Handler = ({ body }) =>
  Effect.sync(() => {
    const { id, method } = Object(parseBody(body))
    const known = new Map([
      ["eth_blockNumber", "0x64"],
      ["eth_chainId", "0x7a69"]
    ]).get(method)
    return jsonResponse({
      jsonrpc: "2.0",
      id,
      ...(known === undefined ? { error: { code: -32601, message: "not behind" } } : { result: known })
    })
  })

interface Served {
  readonly url: string
  readonly received: ReadonlyArray<HandlerRequest>
  readonly unmarked: ReadonlyArray<string>
  readonly answered: ReadonlyArray<Answered>
}

/** A network on loopback: what was asked of it, and which answers did not say that they are recorded. */
const serve = async (network: Network, options: RecordedOptions = {}): Promise<Served> => {
  const received: Array<HandlerRequest> = []
  const unmarked: Array<string> = []
  const answered: Array<Answered> = []
  const { layout = {} } = await Effect.runPromise(loadFamily(info(network).family))
  const watch =
    (handler: Handler): Handler =>
    (asked) => {
      const one = { ...asked, path: routeAt(layout, asked.path) }
      received.push(one)
      return Effect.map(handler(asked), (answer) => {
        if (answer === "drop" || answer.headers["x-sandbox-recorded"] !== "true") unmarked.push(one.path)
        // rippled says no inside of results, and Tendermint has null for a block that it does not know
        else if (
          answer.status === 200 &&
          at(parseBody(answer.body), "result.status") !== "error" &&
          at(parseBody(answer.body), "result.block") !== null &&
          at(parseBody(answer.body), "result.header") !== null
        )
          answered.push({
            verb: one.method,
            path: one.path,
            body: one.body.toString(),
            text: answer.body.toString()
          })
        return answer
      })
    }
  const started = Effect.flatMap(
    makeHandler(network, {
      blockTime: 20,
      ...options
    }),
    (handler) => listen(watch(handler))
  )
  const port = await Effect.runPromise(Scope.extend(started, scope))
  return { url: `http://127.0.0.1:${port}`, received, unmarked, answered }
}

const start = async <N extends Network>(network: N, url: string): Promise<PromiseSdk<N>> => {
  const sdk = await init({
    network,
    quiet: true,
    verifyChain: false,
    retryCount: 0,
    rpc: { nodes: [{ url }], statusCheckInterval: Number.POSITIVE_INFINITY }
  })
  clients.push(sdk)
  return sdk
}

const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
      value
    )

/** What a call by its name comes to. */
const ask = async (client: object, name: string, args: ReadonlyArray<unknown>): Promise<unknown> => {
  const call = at(client, name)
  if (typeof call !== "function") throw new Error(`the client has no ${name}`)
  return call(...args)
}

const messageOf = (said: unknown): string => String(at(said, "error.message"))

const recorded = Object.keys(networks).filter(isNetwork).filter(isRecorded)
const families = [...new Map(recorded.map((network) => [networks[network].family, network])).values()]

describe("every network on recordings", () => {
  it.for(recorded)("%s: the probe finds a living node", async (network) => {
    const { url } = await serve(network)
    const sdk = await start(network, url)
    await sdk.checkNodes()
    const [before] = sdk.nodes()
    await new Promise((resolve) => setTimeout(resolve, 60))
    await sdk.checkNodes()
    const [after] = sdk.nodes()
    expect(before).toMatchObject({ failed: false })
    expect(after).toMatchObject({ failed: false })
    expect(before?.lastBlock).toBeGreaterThan(0)
    expect(after?.lastBlock).toBeGreaterThan(before?.lastBlock ?? Number.NaN)
  })
})

const vectors = load([fileURLToPath(new URL("../conformance/vectors/rpc.json", import.meta.url))]).filter(
  (vector): vector is CallVector => vector.kind === "call"
)

/** Calls of the vectors and of our own, for a client of the family. */
const callsFor = (network: Network): ReadonlyArray<readonly [string, ReadonlyArray<unknown>]> => {
  const { family } = networks[network]
  return [
    ...vectors
      .filter((vector) => isNetwork(vector.network) && networks[vector.network].family === family)
      .map(({ args, target }): readonly [string, ReadonlyArray<unknown>] => [
        target.replace(/^rpc\./, ""),
        args.map(decode)
      ])
      .filter(([name]) => !/^(raw|getRpcNodeUrl)/.test(name)),
    ...(more[family] ?? [])
  ]
}

/** Whether a request is one that the recording answers. */
const answers = ({ method, path, verb = "GET" }: Recording, received: HandlerRequest): boolean => {
  if (method !== undefined) return at(parseBody(received.body), "method") === method
  const pattern = (path ?? "").replace(/:[^/]+/g, "[^/]+").replace("*", ".+")
  return received.method === verb && new RegExp(`^${pattern}(\\?|$)`).test(received.path)
}

/** Calls that send what nobody has signed, which is refused: Checks.test.ts has those that are taken. */
const UNSIGNED =
  /^(broadcastTransaction|broadcastHex|broadcastTx|injectOperation|submit|submitTransaction|submitTransactionAsync)$/
const verified: ReadonlyArray<string> = ["algorand-algod", "cosmos", "stellar", "tezos", "tron", "xrp"]

/** A block that the vectors ask for by its height, too. */
const known = 9_000_001

/** The hash of a block that a family's recordings have, as its nodes write it. */
const ownHashOf = async (network: Network, url: string): Promise<string> => {
  const hex = blockHash(known)
  const bytes = Buffer.from(hex, "hex")
  const read = async (path: string, verb: string): Promise<unknown> =>
    (await fetch(`${url}${path}`, { method: verb })).json()
  switch (networks[network].family) {
    case "kadena":
      return bytes.toString("base64url")
    case "near":
      return blockHashBase58(known)
    case "avalanche-p":
    case "avalanche-x":
      return encodeBase58(Buffer.concat([bytes, createHash("sha256").update(bytes).digest().subarray(-4)]))
    case "eos":
      return String(at(await read("/v1/chain/get_info", "POST"), "head_block_id"))
    case "tron":
      return String(at(await read("/wallet/getnowblock", "POST"), "blockID"))
    case "tezos":
      return String(await read("/chains/main/blocks/7/hash", "GET"))
    default:
      return hex
  }
}

/** The same arguments with a hash of the recording's own wherever there is one. */
const withOwn = (value: unknown, own: string): unknown => {
  if (Array.isArray(value)) return value.map((each) => withOwn(each, own))
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withOwn(each, own)]))
  if (typeof value !== "string") return value
  const bare = value.replace(/^0x/, "")
  const isHash = /^[0-9a-f]{64}$/i.test(bare) || Math.abs(bare.length - own.length) <= 1
  return isHash ? value.slice(0, value.length - bare.length) + own : value
}

describe("every recorded method is read by the client", () => {
  it.for(families)("%s", async (network) => {
    const { answered, received, unmarked, url } = await serve(network)
    const sdk = await start(network, url)
    const own = await ownHashOf(network, url)
    const failed: Array<string> = []
    for (const [name, args] of callsFor(network)) {
      const before = received.length
      const said = await ask(sdk.rpc, name, args)
      // what the client itself has refused to send says nothing of recordings
      if (at(said, "status") === "SUCCESS" || received.length === before) continue
      if (verified.includes(networks[network].family) && UNSIGNED.test(name.replace(/^.*\./, ""))) {
        await sdk.checkNodes()
        continue
      }
      if (!/no recording of/.test(messageOf(said))) {
        // a hash that the recording does not have is unknown, and with its own the call succeeds
        expect(messageOf(said), name).not.toContain("was asked for")
        await sdk.checkNodes()
        const again = await ask(
          sdk.rpc,
          name,
          args.map((each) => withOwn(each, own))
        )
        if (at(again, "status") !== "SUCCESS")
          failed.push(`${name}: ${messageOf(said)}; with ${own}: ${messageOf(again)}`)
      }
      // what a node has refused to answer may cost it its place
      await sdk.checkNodes()
    }
    const recordings = (await Effect.runPromise(loadRecordedFamily(network)))?.recordings ?? []
    const unasked = recordings
      .filter((recording) => !received.some((one) => answers(recording, one)))
      .map(({ method, path }) => method ?? path)
    expect(failed).toEqual([])
    expect(unasked, "recordings that no call has asked for").toEqual([])
    expect(unmarked, "answers that are not marked").toEqual([])
    const { checked, unexplained } = answerProblems(networks[network].family, answered)
    console.log(`answers: ${networks[network].family}: ${checked} methods by the descriptions`)
    expect(unexplained, "answers that are not as described").toEqual([])
    // a description that is there and fits nothing would check nothing
    expect(checked > 0, "answers that a description tells of").toBe(isDescribed(networks[network].family))
  })
})

const client = (network: Network, url: string): Promise<PromiseSdk<Network>> => start(network, url)

describe("what has no recording", () => {
  it("a family without any is refused in words that say so", async () => {
    const refused = await Effect.runPromise(Effect.flip(makeHandler("aptos-mainnet", {})))
    expect(refused).toMatchObject({
      reason: "options",
      message:
        "there are no recordings of aptos: aptos-mainnet runs on a node of the sandbox, or needs nodes of your own"
    })
  })

  it.for(families)("%s: the caller gets told so, and the node stays in use", async (network) => {
    const { family } = networks[network]
    const { url } = await serve(network)
    const sdk = await client(network, url)
    const calls: { readonly [F in typeof family]?: readonly [string, ReadonlyArray<unknown>] } = {
      "algorand-algod": ["getStateProof", [{ round: 7 }]],
      "algorand-indexer": ["getUnknown", []],
      cardano: [
        "call",
        [{ networkIdentifier: { blockchain: "cardano", network: "mainnet" }, method: "m", parameters: {} }]
      ],
      cosmos: ["getUpgradeAuthority", []],
      flow: ["getUnknown", []],
      multiversx: ["getUnknown", []],
      eos: ["abiBinToJson", [{ code: "eosio", action: "transfer", binargs: "00" }]],
      iota: ["getCommitteeInfo", [{ chainID: "iota1" }]],
      kadena: ["getUnknown", []],
      stellar: ["getUnknown", []],
      tezos: ["getCheckpoint", []],
      ton: ["getConfigAll", []]
    }
    const [name, args] = calls[family] ?? [
      "rawRpcCall",
      [{ jsonrpc: "2.0", id: 1, method: "nobody_knows", params: [] }]
    ]
    if (name === "getUnknown") {
      // everything in the table of these has a recording, or takes another verb: asked past the client
      const response = await fetch(`${url}/nobody/knows`)
      expect(response.status).toBe(501)
      expect(response.headers.get("x-sandbox-recorded")).toBe("true")
      expect(await response.text()).toContain(
        `The sandbox has no recording of GET /nobody/knows: no node of ${family} runs here`
      )
      return
    }
    const said = await ask(sdk.rpc, name, args)
    expect(at(said, "status")).toBe("ERROR")
    expect(messageOf(said)).toContain("The sandbox has no recording of ")
    expect(messageOf(said)).toContain(`no node of ${family} runs here`)
    expect(["RpcError", "NodeError", "RequestRejected"]).toContain(at(said, "error.cause._tag"))
    expect(sdk.nodes()).toMatchObject([{ active: true, failed: false }])
  })
})

const post = (url: string, body: string, type = "application/json") =>
  fetch(url, { method: "POST", headers: { "content-type": type }, body })

describe("the wire", () => {
  it("JSON-RPC: batches, malformed requests, and a verb that it does not take", async () => {
    const { url } = await serve("bch-mainnet-rostrum")
    const call = (id: number, method: string) => ({ jsonrpc: "2.0", id, method, params: [] })
    const batch = await post(url, JSON.stringify([call(1, "server.ping"), call(2, "no.such")]))
    expect(await batch.json()).toEqual([
      { jsonrpc: "2.0", id: 1, result: null },
      {
        jsonrpc: "2.0",
        id: 2,
        error: {
          code: -32601,
          message: "The sandbox has no recording of no.such: no node of rostrum runs here"
        }
      }
    ])
    expect(await (await post(url, "{")).json()).toMatchObject({ id: null, error: { code: -32700 } })
    expect(await (await post(url, "[]")).json()).toMatchObject({ error: { code: -32600 } })
    expect(await (await post(url, "7")).json()).toMatchObject({ error: { code: -32600 } })
    const get = await fetch(url)
    expect([get.status, get.headers.get("x-sandbox-recorded")]).toEqual([405, "true"])
  })

  it("rippled answers without ids, and says no inside of results", async () => {
    const { url } = await serve("ripple-mainnet")
    const fee = await (await post(url, '{"method":"fee","params":[{}]}')).json()
    expect(fee).toMatchObject({ result: { status: "success", drops: { base_fee: "10" } } })
    expect(fee).not.toHaveProperty("id")
    expect(await (await post(url, '{"method":"no_such","params":[{}]}')).json()).toMatchObject({
      result: { status: "error", error: "unknownCmd", error_code: 32 }
    })
    expect((await post(url, "{")).status).toBe(400)
  })

  it("Tendermint takes its methods over GET", async () => {
    const { url } = await serve("bnb-beacon-chain-mainnet")
    const block = await (await fetch(`${url}/block?height=7`)).json()
    expect(block).toMatchObject({ id: -1, result: { block: { header: { height: "7" } } } })
    expect(await (await fetch(`${url}/no_such`)).json()).toMatchObject({ error: { code: -32601 } })
  })

  it("REST: a body that is no JSON is refused in the chain's own words", async () => {
    const { url } = await serve("cardano-mainnet")
    const refused = await post(`${url}/network/status`, "{")
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ code: 400, retriable: false })
  })

  const call = (id: number, method: string) => ({ jsonrpc: "2.0", id, method, params: [] })

  it("zkSync: what is not its own goes to the node behind, in batches too", async () => {
    const { url } = await serve("zksync-mainnet", { otherwise: behind })
    const response = await post(url, JSON.stringify([call(1, "zks_L1ChainId"), call(2, "eth_blockNumber")]))
    expect(await response.json()).toEqual([
      { jsonrpc: "2.0", id: 1, result: "0x1" },
      { jsonrpc: "2.0", id: 2, result: "0x64" }
    ])
    const single = await post(url, JSON.stringify(call(3, "eth_blockNumber")))
    expect([single.headers.get("x-sandbox-recorded"), await single.json()]).toEqual([
      null,
      { jsonrpc: "2.0", id: 3, result: "0x64" }
    ])
    expect(
      (await post(url, JSON.stringify(call(4, "zks_L1ChainId")))).headers.get("x-sandbox-recorded")
    ).toBe("true")
  })

  it("Klaytn: its own names are those of the node behind", async () => {
    const { url } = await serve("klaytn-mainnet", { otherwise: behind })
    for (const [method, result] of [
      ["klay_blockNumber", "0x64"],
      ["klay_chainID", "0x7a69"],
      ["eth_chainId", "0x7a69"]
    ] as const) {
      const response = await post(url, JSON.stringify(call(1, method)))
      expect([response.headers.get("x-sandbox-recorded"), await response.json()]).toEqual([
        null,
        { jsonrpc: "2.0", id: 1, result }
      ])
    }
    expect(await (await post(url, JSON.stringify(call(2, "klay_getCode")))).json()).toMatchObject({
      error: { message: "not behind" }
    })
  })
})

describe("answers are consistent", () => {
  it("a block asked for by the hash of another answer is that block", async () => {
    const sdk = await start("tezos-mainnet", (await serve("tezos-mainnet")).url)
    const seven = await sdk.rpc.getBlock({ block: 9_000_000 })
    const again = await sdk.rpc.getBlock({ block: String(at(seven, "data.hash")) })
    expect(at(again, "data.header.level")).toBe(9_000_000)
    const xrp = await start("ripple-mainnet", (await serve("ripple-mainnet")).url)
    const ledger = await xrp.rpc.ledger({ ledgerIndex: 90_000_000 })
    const ledgerHash = String(at(ledger, "data.ledger_hash"))
    expect(at(await xrp.rpc.ledger({ ledgerHash }), "data.ledger_index")).toBe(90_000_000)
    const eos = await start("eos-mainnet", (await serve("eos-mainnet")).url)
    const block = await eos.rpc.getBlock({ blockNumOrId: 7 })
    expect(at(await eos.rpc.getBlock({ blockNumOrId: String(at(block, "data.id")) }), "data.block_num")).toBe(
      7
    )
  })

  it("TON's addresses are read and written in all forms", async () => {
    const sdk = await start("ton-mainnet", (await serve("ton-mainnet")).url)
    const friendly = "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs"
    const raw = "0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe"
    expect(await sdk.rpc.unpackAddress(friendly)).toMatchObject({ data: { ok: true, result: raw } })
    expect(await sdk.rpc.packAddress(raw)).toMatchObject({ data: { ok: true, result: friendly } })
  })
})

/** The client reads numbers as their digits. */
const digits = (_: string, value: unknown): unknown => (typeof value === "number" ? String(value) : value)

describe("what the provider says", () => {
  it("an account of Tron has sun and tokens as decimal strings", () => {
    const account = makeAccount("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t")
    expect(account).toMatchObject({ address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", balance: "100000000" })
    expect(account.trc20).toEqual([{ TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t: "25000000" }])
  })

  it("transfers of Tezos go from page to page and back", () => {
    const owner = "tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb"
    const pages = [makeTezosTransactions("tezos-mainnet", [owner], { pageSize: 10 })]
    for (let last = pages[0]; last !== undefined && last.nextPage !== ""; last = pages.at(-1)) {
      pages.push(makeTezosTransactions("tezos-mainnet", [owner], { pageSize: 10, cursor: last.nextPage }))
    }
    expect(pages.map(({ result }) => result.length)).toEqual([10, 10, 5])
    expect(pages[0]?.prevPage).toBe("")
    const back = makeTezosTransactions("tezos-mainnet", [owner], {
      pageSize: 10,
      cursor: pages[2]?.prevPage ?? ""
    })
    expect(back.result).toEqual(pages[1]?.result)
    const read = Schema.decodeUnknownSync(pageStruct(TransferRow))
    for (const page of pages) expect(read(JSON.parse(JSON.stringify(page, digits))).result).not.toEqual([])
    const incoming = makeTezosTransactions("tezos-mainnet", [owner], {
      pageSize: 50,
      transactionSubtype: "incoming"
    })
    expect(incoming.result).toHaveLength(13)
  })

  it("balances of Tezos are those that the client reads", () => {
    const owner = "tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb"
    const read = Schema.decodeUnknownSync(pageStruct(BalanceRow))
    const page = JSON.parse(JSON.stringify(makeTezosBalances("tezos-mainnet", [owner]), digits))
    expect(read(page).result).toMatchObject([{ address: owner, type: "native", symbol: "XTZ" }])
    expect(makeTezosBalances("tezos-mainnet", [owner], { tokenTypes: ["fungible"] }).result).toEqual([])
  })
})

describe("recordings of the user's", () => {
  const within = async (
    files: Readonly<Record<string, string>>,
    run: (folder: string) => Promise<void>
  ): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), "recordings-"))
    try {
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
      await run(folder)
    } finally {
      await rm(folder, { recursive: true })
    }
  }
  const refused = (network: Network, recordings: string) =>
    Effect.runPromise(Effect.flip(makeHandler(network, { recordings })))

  it("win over those shipped, on the network or the family that their file is named after", () =>
    within(
      {
        "xrp.json": JSON.stringify([{ method: "ping", answer: { role: "mine" } }]),
        "ripple-mainnet.fees.json": JSON.stringify([{ method: "fee", answer: { drops: { base_fee: "7" } } }]),
        "stellar.json": JSON.stringify([
          { path: "/ledgers/:sequence", answer: { sequence: 1 }, status: 203 },
          { verb: "POST", path: "/mine/*", answer: { ok: true } }
        ]),
        "notes.txt": "not read"
      },
      async (recordings) => {
        const main = await start("ripple-mainnet", (await serve("ripple-mainnet", { recordings })).url)
        expect(await main.rpc.ping()).toMatchObject({ data: { role: "mine" } })
        expect(await main.rpc.fee()).toMatchObject({ data: { drops: { base_fee: "7" } } })
        const test = await start("ripple-testnet", (await serve("ripple-testnet", { recordings })).url)
        expect(await test.rpc.ping()).toMatchObject({ data: { role: "mine" } })
        expect(await test.rpc.fee()).toMatchObject({ data: { drops: { base_fee: "10" } } })
        const { url } = await serve("stellar-mainnet", { recordings })
        const ledger = await fetch(`${url}/ledgers/9`)
        expect([ledger.status, ledger.headers.get("x-sandbox-recorded")]).toEqual([203, "true"])
        expect(await (await post(`${url}/mine/own/route`, "{}")).json()).toEqual({ ok: true })
      }
    ))

  it.for([
    ["xrp.json", "{", /xrp\.json/],
    ["xrp.json", '[{"method":"ping"}]', /xrp\.json.*answer/s],
    ["xrp.json", '[{"method":"ping","path":"/ping","answer":1}]', /xrp\.json.*either path or method/s],
    ["xrp.json", '[{"answer":1}]', /xrp\.json.*either path or method/s],
    ["stellar.json", '[{"verb":"PUT","path":"/x","answer":1}]', /stellar\.json.*PUT/s],
    ["stellar.json", '[{"path":"x","answer":1}]', /stellar\.json/],
    ["xrp.json", '[{"methd":"ping","method":"ping","answer":1}]', /xrp\.json.*methd/s],
    ["ripple-mainnt.json", "[]", /ripple-mainnt\.json.*ripple-mainnet/s]
  ] as const)("%s with %s is refused with its name", ([name, text, said]) =>
    within({ [name]: text }, async (folder) => {
      const error = await refused("bnb-beacon-chain-mainnet", folder)
      expect(error).toMatchObject({ _tag: "SandboxError", reason: "options" })
      expect(error.message).toMatch(said)
    })
  )

  it("a folder that is not there is refused, and so is a network with a node of its own", async () => {
    expect((await refused("ripple-mainnet", "/no/such/folder")).message).toContain("/no/such/folder")
    const error = await Effect.runPromise(Effect.flip(makeHandler("ethereum-mainnet")))
    expect(error.message).toContain("ethereum-mainnet runs on a node of the sandbox")
  })
})

describe("signers of networks on recordings", () => {
  const mnemonic = `${"abandon ".repeat(11)}about`

  it("pay and wait on Cosmos, with what its nodes would take", async () => {
    const { received, url } = await serve("cosmos-mainnet")
    const made = await cosmosSigner(await start("cosmos-mainnet", url), { mnemonic })
    if (made.status === "ERROR") throw made.error.cause
    const to = "cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh"
    const sent = await made.data.send({ to, amount: "1.5", confirmations: 1 })
    if (sent.status === "ERROR") throw sent.error.cause
    const body = received.find(({ method, path }) => method === "POST" && path.endsWith("/txs"))?.body
    const tx = readCosmos(JSON.parse(String(body)).tx_bytes)
    expect(tx).toMatchObject({ to, hash: sent.data.hash, coins: [{ denom: "uatom", amount: 1_500_000n }] })
    expect(isSigned(tx, 1n)).toBe(true)
  })

  it.for(["algorand-mainnet-algod", "algorand-testnet-algod"] as const)(
    "pay and wait on %s",
    async (network) => {
      const { received, url } = await serve(network)
      const made = await algorandSigner(await start(network, url), { mnemonic })
      if (made.status === "ERROR") throw made.error.cause
      const to = "HNVCPPGOW2SC2YVDVDICU3YNONSTEFLXDXREHJR2YBEKDC2Z3IUZSC6YGI"
      const sent = await made.data.send({ to, amount: "0.15", confirmations: 1 })
      if (sent.status === "ERROR") throw sent.error.cause
      const body = received.find(({ method }) => method === "POST")?.body
      expect(readAlgorand(new Uint8Array(body ?? []))).toMatchObject({
        to,
        id: sent.data.hash,
        amount: 150_000n,
        isSigned: true
      })
    }
  )
})
