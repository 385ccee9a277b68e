/** TON on its emulator: through the client, through TON's own client, and past both. */
import { createRequire } from "node:module"
import { describe, expect, it, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { init } from "../../src/promise.js"
import * as Sandbox from "../../src/sandbox/index.js"
import { findProgram } from "../../src/sandbox/nodes/binaries.js"
import * as TonSandbox from "../../src/sandbox/nodes/TonSandbox.js"
import { nodeLimits } from "../nodeLimits.js"
import { type Answered, answerProblems } from "../specs/answers.js"
import { describe as digest } from "../specs/descriptions.js"

const file = findProgram("ton-sandbox")
if (file === undefined) {
  if (process.env.CI === "true") throw new Error("left out: ton-sandbox")
  console.log("left out: TON on its emulator (ton-sandbox is not installed)")
}

/** The parts of TON's own packages that are used here: they are not the project's, and stand beside the emulator. */
interface Cell {
  readonly toBoc: () => Buffer
  readonly hash: () => Buffer
}
interface Wallet {
  readonly address: { readonly toString: (options?: object) => string; readonly toRawString: () => string }
  readonly init: { readonly code: Cell; readonly data: Cell }
  readonly createTransfer: (args: object) => Cell
}
interface Ton {
  readonly TonClient: new (options: {
    readonly endpoint: string
  }) => {
    readonly getBalance: (address: object) => Promise<bigint>
    readonly isContractDeployed: (address: object) => Promise<boolean>
    readonly getMasterchainInfo: () => Promise<{ readonly latestSeqno: number }>
    readonly getTransactions: (
      address: object,
      options: object
    ) => Promise<ReadonlyArray<{ readonly hash: () => Buffer; readonly outMessagesCount: number }>>
    readonly open: (contract: Wallet) => {
      readonly getSeqno: () => Promise<number>
      readonly getBalance: () => Promise<bigint>
      readonly sendTransfer: (args: object) => Promise<void>
    }
    readonly estimateExternalMessageFee: (
      address: object,
      message: object
    ) => Promise<{ readonly source_fees: { readonly gas_fee: number } }>
  }
  readonly WalletContractV4: {
    readonly create: (args: { readonly workchain: number; readonly publicKey: Buffer }) => Wallet
  }
  readonly WalletContractV5R1: Ton["WalletContractV4"]
  readonly internal: (args: object) => object
}
interface Core {
  readonly beginCell: () => { readonly store: (writer: object) => { readonly endCell: () => Cell } }
  readonly external: (args: object) => object
  readonly storeMessage: (message: object) => object
}

const load = <A>(name: string): A => createRequire(file ?? import.meta.url)(name)
const NANO = 1_000_000_000n
const ID = "ton-mainnet"
const SHARD = "-9223372036854775808"
/** Addresses that nobody has the key of. */
const stranger = (digit: string): string => `0:${digit.repeat(64)}`

const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
      value
    )

/** The wallets of accounts, and their transfers. */
const signerOf = (given: ReadonlyArray<{ readonly address: string; readonly privateKey: string }>) => {
  const { WalletContractV4, internal } = load<Ton>("@ton/ton")
  const { beginCell, external, storeMessage } = load<Core>("@ton/core")
  const accounts = given.map(({ address, privateKey }) => {
    const secretKey = Buffer.from(privateKey, "hex")
    const wallet = WalletContractV4.create({ workchain: 0, publicKey: secretKey.subarray(32) })
    return { address, secretKey, wallet }
  })
  const account = (i: number) => {
    const found = accounts[i]
    if (found === undefined) throw new Error(`there is no account ${i}`)
    return found
  }
  /** A signed transfer, as a bag of cells in base64. */
  const signed = (i: number, seqno: number, to: string, value: string, words = ""): string => {
    const { secretKey, wallet } = account(i)
    const messages = [internal({ to, value, bounce: false, body: words })]
    const body = wallet.createTransfer({ seqno, secretKey, messages, sendMode: 3 })
    const message = external({ to: wallet.address, body })
    return beginCell().store(storeMessage(message)).endCell().toBoc().toString("base64")
  }
  return { account, signed }
}

const fixture = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make({ networks: [{ network: ID }] })
  const { internal, TonClient, WalletContractV5R1 } = load<Ton>("@ton/ton")
  const network = sandbox.network(ID)
  const sdk = yield* Effect.acquireRelease(
    Effect.promise(() => init({ ...sandbox.config(ID), network: ID, quiet: true, ...nodeLimits })),
    (client) => Effect.promise(() => client[Symbol.asyncDispose]())
  )
  const url = String(network.urls[0])
  const answered: Array<Answered> = []
  const unmarked: Array<string> = []
  /** Asks past the client, and keeps what is answered without the mark of a recording. */
  const ask = (verb: "GET" | "POST", path: string, given: Readonly<Record<string, unknown>> = {}) =>
    Effect.promise(async () => {
      const query = new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)]))
      const body = verb === "POST" ? JSON.stringify(given) : ""
      const where = verb === "POST" || query.size === 0 ? path : `${path}?${query}`
      const response = await fetch(
        url + where,
        verb === "POST" ? { method: verb, body, headers: { "content-type": "application/json" } } : {}
      )
      const text = await response.text()
      const isRecorded = response.headers.get("x-sandbox-recorded") === "true"
      if (!isRecorded) unmarked.push(path)
      if (response.status === 200 && !isRecorded) answered.push({ verb, path: where, body, text })
      const said: unknown = text === "" ? undefined : JSON.parse(text)
      return { status: response.status, isRecorded, said, result: at(said, "result") }
    })
  const { account, signed } = signerOf(network.accounts)
  const numberOf = (address: string) =>
    Effect.map(ask("POST", "/runGetMethod", { address, method: "seqno", stack: [] }), ({ result }) =>
      Number(at(result, "stack.0.1"))
    )
  const client = new TonClient({ endpoint: `${url}/jsonRPC` })
  return {
    network,
    sdk,
    ask,
    account,
    signed,
    numberOf,
    client,
    internal,
    answered,
    unmarked,
    WalletContractV5R1
  }
})

class Fixture extends Context.Tag("test/Ton")<Fixture, Effect.Effect.Success<typeof fixture>>() {}

describe.runIf(file !== undefined)("TON on its emulator", () => {
  layer(Layer.scoped(Fixture, fixture), { excludeTestServices: true })((it) => {
    it.effect("is a node with funded wallets, and no recording", () =>
      Effect.gen(function* () {
        const { account, ask, network, sdk } = yield* Fixture
        expect(network.recorded).toBe(false)
        expect(network.accounts).toHaveLength(10)
        expect(yield* network.height).toBeGreaterThan(0)
        for (const [i, { address }] of network.accounts.entries()) {
          expect(account(i).wallet.address.toString({ bounceable: false })).toBe(address)
          const { result } = yield* ask("GET", "/getWalletInformation", { address })
          expect(result).toMatchObject({ wallet: true, wallet_type: "wallet v4 r2", account_state: "active" })
          expect(BigInt(String(at(result, "balance")))).toBeGreaterThan(999n * NANO)
        }
        const info = yield* Effect.promise(() => sdk.rpc.getMasterchainInfo())
        expect(at(info, "data.result.last.seqno")).toBe(yield* network.height)
        yield* Effect.promise(() => sdk.checkNodes())
        expect(sdk.nodes()).toMatchObject([{ failed: false, lastBlock: yield* network.height }])
      })
    )

    it.effect("funds an address, in a block that tells of it", () =>
      Effect.gen(function* () {
        const { ask, network, sdk } = yield* Fixture
        const address = stranger("a")
        const before = yield* network.height
        const hash = yield* network.fund(address, "12.345678901")
        expect(yield* network.height).toBe(before + 1)
        const balance = yield* Effect.promise(() => sdk.rpc.getAddressBalance(address))
        expect(at(balance, "data.result")).toBe("12345678901")
        const past = yield* ask("GET", "/getAddressBalance", { address, seqno: before })
        expect(past.result).toBe("0")
        const { result } = yield* ask("GET", "/getTransactions", { address })
        expect(result).toMatchObject([{ transaction_id: { hash }, in_msg: { value: "12345678901" } }])
        const place = { workchain: 0, shard: SHARD, seqno: before + 1 }
        const { result: block } = yield* ask("GET", "/getBlockTransactions", place)
        expect(block).toMatchObject({ incomplete: false, transactions: [{}, { account: address, hash }] })
        for (const amount of ["0", "-1", "1.0000000001", "ton"])
          expect(yield* Effect.flip(network.fund(address, amount))).toMatchObject({ reason: "options" })
        expect(yield* Effect.flip(network.fund("nowhere", "1"))).toMatchObject({
          message: expect.stringContaining("Incorrect address")
        })
      })
    )

    it.effect("takes a signed transfer of a wallet by sendBoc", () =>
      Effect.gen(function* () {
        const { account, ask, network, numberOf, sdk, signed } = yield* Fixture
        const { address, wallet } = account(1)
        const to = stranger("b")
        const height = yield* network.height
        expect(yield* numberOf(address)).toBe(0)
        const boc = signed(1, 0, to, "1.5", "thanks")
        const sent = yield* Effect.promise(() => sdk.rpc.sendBoc({ boc }))
        expect(sent).toMatchObject({ status: "SUCCESS", data: { ok: true } })
        expect(yield* network.height).toBe(height + 1)
        expect(yield* numberOf(address)).toBe(1)
        const balance = yield* Effect.promise(() => sdk.rpc.getAddressBalance(to))
        expect(Number(at(balance, "data.result")) / 1e9).toBeCloseTo(1.5, 2)
        const history = yield* Effect.promise(() => sdk.rpc.getTransactions({ address, limit: 1 }))
        expect(at(history, "data.result.0")).toMatchObject({
          account: wallet.address.toRawString(),
          out_msgs: [
            {
              value: "1500000000",
              message: "thanks",
              msg_data: { "@type": "msg.dataText", text: Buffer.from("thanks").toString("base64") }
            }
          ]
        })
        // the message leads from one transaction to the other and back
        const message = at(history, "data.result.0.out_msgs.0")
        const place = {
          source: at(message, "source"),
          destination: at(message, "destination"),
          created_lt: at(message, "created_lt")
        }
        const received = yield* ask("GET", "/tryLocateResultTx", place)
        expect(at(received.result, "account")).toBe(to)
        const source = yield* ask("GET", "/tryLocateSourceTx", place)
        expect(at(source.result, "transaction_id")).toEqual(at(history, "data.result.0.transaction_id"))
        // the same again is refused, as are a foreign signature and what is no message
        for (const again of [boc, signed(1, 5, to, "1")]) {
          const refused = yield* ask("POST", "/sendBoc", { boc: again })
          expect(refused).toMatchObject({ status: 500, said: { ok: false, code: 500 } })
          expect(at(refused.said, "error")).toMatch(
            /^LITE_SERVER_UNKNOWN: cannot apply external message to current state .*exitcode=33/
          )
        }
        expect(yield* ask("POST", "/sendBoc", { boc: "AAAA" })).toMatchObject({
          status: 422,
          said: { ok: false, error: expect.stringContaining("no bag of cells"), code: 422 }
        })
        expect(yield* network.height).toBe(height + 1)
      })
    )

    it.effect("tells what a message would cost, and changes nothing by it", () =>
      Effect.gen(function* () {
        const { account, ask, client, internal, network } = yield* Fixture
        const { address, secretKey, wallet } = account(2)
        const before = yield* ask("GET", "/getAddressInformation", { address })
        const height = yield* network.height
        const messages = [internal({ to: stranger("c"), value: "1", bounce: false })]
        const body = wallet.createTransfer({ seqno: 0, secretKey, messages, sendMode: 3 })
        const boc = body.toBoc().toString("base64")
        const { result } = yield* ask("POST", "/estimateFee", { address, body: boc, ignore_chksig: true })
        expect(Number(at(result, "source_fees.gas_fee"))).toBeGreaterThan(0)
        expect(at(result, "destination_fees")).toHaveLength(1)
        const estimated = yield* Effect.promise(() =>
          client.estimateExternalMessageFee(wallet.address, {
            body,
            initCode: null,
            initData: null,
            ignoreSignature: true
          })
        )
        expect(estimated.source_fees.gas_fee).toBe(at(result, "source_fees.gas_fee"))
        expect((yield* ask("GET", "/getAddressInformation", { address })).result).toEqual(before.result)
        expect(yield* network.height).toBe(height)
      })
    )

    it.effect("is what TON's own client expects", () =>
      Effect.gen(function* () {
        const { account, client, internal, network, WalletContractV5R1 } = yield* Fixture
        const { secretKey, wallet } = account(3)
        const opened = client.open(wallet)
        expect(yield* Effect.promise(() => opened.getSeqno())).toBe(0)
        // a wallet of another kind, not deployed yet: its first transfer brings its code
        const other = WalletContractV5R1.create({ workchain: 0, publicKey: secretKey.subarray(32) })
        const messages = [internal({ to: other.address, value: "5", bounce: false })]
        yield* Effect.promise(() => opened.sendTransfer({ seqno: 0, secretKey, messages, sendMode: 3 }))
        expect(yield* Effect.promise(() => opened.getSeqno())).toBe(1)
        expect(yield* Effect.promise(() => client.isContractDeployed(other.address))).toBe(false)
        expect(yield* Effect.promise(() => client.getBalance(other.address))).toBeGreaterThan(4n * NANO)
        const back = [internal({ to: wallet.address, value: "1" })]
        const otherOpened = client.open(other)
        yield* Effect.promise(() =>
          otherOpened.sendTransfer({ seqno: 0, secretKey, messages: back, sendMode: 3 })
        )
        expect(yield* Effect.promise(() => client.isContractDeployed(other.address))).toBe(true)
        expect(yield* Effect.promise(() => otherOpened.getSeqno())).toBe(1)
        const listed = yield* Effect.promise(() => client.getTransactions(wallet.address, { limit: 5 }))
        expect(listed.map(({ outMessagesCount }) => outMessagesCount)).toEqual([0, 1, 0])
        const info = yield* Effect.promise(() => client.getMasterchainInfo())
        expect(info.latestSeqno).toBe(yield* network.height)
      })
    )

    it.effect("has blocks that follow each other", () =>
      Effect.gen(function* () {
        const { ask, network } = yield* Fixture
        const before = yield* network.height
        yield* network.mine(3)
        expect(yield* network.height).toBe(before + 3)
        for (const workchain of [-1, 0]) {
          const shard = SHARD
          const place = { workchain, shard, seqno: before + 3 }
          const { result: id } = yield* ask("GET", "/lookupBlock", place)
          const { result: header } = yield* ask("GET", "/getBlockHeader", place)
          expect(at(header, "id")).toEqual(id)
          const previous = yield* ask("GET", "/lookupBlock", { ...place, seqno: before + 2 })
          expect(at(header, "prev_blocks")).toEqual([previous.result])
          const lt = at(header, "end_lt")
          expect((yield* ask("GET", "/lookupBlock", { workchain, shard, lt })).result).toEqual(id)
          const unixtime = at(header, "gen_utime")
          expect((yield* ask("GET", "/lookupBlock", { workchain, shard, unixtime })).result).toEqual(id)
        }
        const shards = yield* ask("GET", "/shards", { seqno: before + 3 })
        expect(at(shards.result, "shards")).toMatchObject([{ workchain: 0, seqno: before + 3 }])
        expect((yield* ask("GET", "/getShards", { seqno: before + 3 })).result).toEqual(shards.result)
        const consensus = yield* ask("GET", "/getConsensusBlock")
        expect(at(consensus.result, "consensus_block")).toBe(before + 3)
        const raw = yield* ask("GET", "/v2/liteserver/get_masterchain_info")
        expect(at(raw.said, "last.seqno")).toBe(before + 3)
        const late = yield* ask("GET", "/lookupBlock", { workchain: 0, shard: SHARD, seqno: before + 9 })
        expect(late).toMatchObject({ status: 500, said: { ok: false, code: 500 } })
      })
    )

    it.effect("answers as its description says, by GET, by POST and by JSON-RPC", () =>
      Effect.gen(function* () {
        const { account, answered, ask, network, signed } = yield* Fixture
        const { address } = account(4)
        const seqno = yield* network.height
        const place = { workchain: 0, shard: SHARD, seqno: 1, count: 4 }
        const calls: ReadonlyArray<readonly [name: string, given?: Readonly<Record<string, unknown>>]> = [
          ["getAddressInformation", { address }],
          ["getAddressInformation", { address: stranger("d") }],
          ["getExtendedAddressInformation", { address, seqno }],
          ["getExtendedAddressInformation", { address: stranger("d") }],
          ["getWalletInformation", { address: stranger("d") }],
          ["getShardAccountCell", { address }],
          ["getAddressState", { address }],
          ["packAddress", { address }],
          ["unpackAddress", { address }],
          ["detectAddress", { address }],
          ["getTransactions", { address, limit: 2 }],
          ["getTransactionsStd", { address, limit: 1 }],
          ["getMasterchainInfo"],
          ["getBlockTransactions", place],
          ["getBlockTransactionsExt", place],
          ["getBlockHeader", place],
          ["getOutMsgQueueSize"],
          ["getConfigParam", { config_id: 0, param: 0 }],
          ["getConfigAll"]
        ]
        for (const [name, given] of calls) {
          const byGet = yield* ask("GET", `/${name}`, given)
          const byPost = yield* ask("POST", `/${name}`, given)
          const params = given ?? {}
          const byRpc = yield* ask("POST", "/jsonRPC", { jsonrpc: "2.0", id: "7", method: name, params })
          expect([byGet.status, byGet.isRecorded], name).toEqual([200, false])
          expect(byPost.result, name).toEqual(byGet.result)
          expect(byRpc.result, name).toEqual(byGet.result)
          expect(byRpc.said).toMatchObject({ jsonrpc: "2.0", id: "7" })
        }
        const std = yield* ask("POST", "/runGetMethodStd", { address, method: "seqno", stack: [] })
        expect(std.result).toMatchObject({ exit_code: 0, stack: [{ number: { number: "0" } }] })
        const missing = yield* ask("POST", "/runGetMethod", { address, method: "nobody_knows", stack: [] })
        expect(missing.result).toMatchObject({ exit_code: 11, stack: [] })
        const nobody = yield* ask("POST", "/runGetMethod", { address: stranger("d"), method: 1, stack: [] })
        expect(nobody.result).toMatchObject({ exit_code: -13 })
        const boc = signed(4, 0, stranger("e"), "0.1")
        const hashed = yield* ask("POST", "/sendBocReturnHash", { boc })
        expect(hashed.result).toMatchObject({ hash: expect.any(String), hash_norm: expect.any(String) })
        const { checked, unexplained } = answerProblems("ton", answered)
        console.log(`answers: ton: ${checked} methods of the emulator by the descriptions`)
        expect(unexplained, "answers that are not as described").toEqual([])
        expect(checked).toBeGreaterThan(25)
        const { problem } = digest("toncenter")
        // its description lets nothing be, as test/specs/families.ts has it
        for (const { path, text } of answered)
          if (!path.startsWith("/v2/") && !text.includes("blocks.transactionsExt"))
            expect(problem({ $ref: "#/types/TonlibResponse" }, JSON.parse(text)), path).toBeUndefined()
      })
    )

    it.effect("runs get-methods with arguments of every kind", () =>
      Effect.gen(function* () {
        const { account, ask } = yield* Fixture
        const { address } = account(5)
        const cell = "te6cckEBAQEAAgAAAEysuc0="
        // of plugins, which a wallet v4 asks for by workchain and hash
        const stack = [
          ["num", "0"],
          ["num", "0x1f"]
        ]
        const run = yield* ask("POST", "/runGetMethod", { address, method: "is_plugin_installed", stack })
        expect(run.result).toMatchObject({ exit_code: 0, stack: [["num", "0x0"]] })
        const list = yield* ask("POST", "/runGetMethod", { address, method: "get_plugin_list", stack: [] })
        expect(at(list.result, "stack.0")).toEqual(["list", { "@type": "tvm.list", elements: [] }])
        for (const entry of [
          ["cell", cell],
          ["tvm.Cell", cell],
          ["slice", cell],
          ["tuple", { elements: [] }],
          ["list", { elements: [{ "@type": "tvm.stackEntryNumber", number: { number: "1" } }] }]
        ]) {
          const given = { address, method: "seqno", stack: [entry] }
          const { result } = yield* ask("POST", "/runGetMethod", given)
          expect(at(result, "exit_code"), String(entry[0])).toBe(0)
        }
        const wrong = yield* ask("POST", "/runGetMethod", { address, method: "seqno", stack: [["num", "x"]] })
        expect(wrong).toMatchObject({ status: 422, said: { ok: false, code: 422 } })
      })
    )

    it.effect("refuses bad input, and leaves the rest to recordings that say so", () =>
      Effect.gen(function* () {
        const { ask, sdk } = yield* Fixture
        for (const [path, given, status] of [
          ["/getAddressBalance", { address: "nowhere" }, 416],
          ["/getAddressBalance", {}, 422],
          ["/getTransactions", { address: stranger("a"), limit: "many" }, 422],
          ["/getBlockHeader", { workchain: 7, shard: SHARD, seqno: 1 }, 500],
          ["/getBlockHeader", { workchain: 0, shard: 7, seqno: 1 }, 500],
          ["/lookupBlock", { workchain: 0, shard: SHARD }, 422],
          ["/getConfigParam", { config_id: 99_999 }, 404],
          ["/tryLocateTx", { source: stranger("a"), destination: stranger("b"), created_lt: 1 }, 404]
        ] as const) {
          const refused = yield* ask("GET", path, given)
          expect(refused, path).toMatchObject({
            status,
            isRecorded: false,
            said: { ok: false, code: status }
          })
          expect(at(refused.said, "error"), path).toEqual(expect.any(String))
        }
        const unknown = yield* ask("POST", "/jsonRPC", { id: "1", method: "no_such", params: {} })
        expect(unknown).toMatchObject({ isRecorded: true, said: { ok: false, code: -32601, id: "1" } })
        expect(yield* ask("GET", "/nowhere")).toMatchObject({ status: 501, said: { ok: false } })
        expect(yield* ask("GET", "/v2/rates")).toMatchObject({ status: 200, isRecorded: true })
        const said = yield* Effect.promise(() => sdk.rpc.getAddressBalance("nowhere"))
        expect(said).toMatchObject({ status: "ERROR" })
        expect(String(at(said, "error.message"))).toContain("Incorrect address")
      })
    )
  })

  it.live("makes blocks by the clock, with what has come in between", () =>
    Effect.gen(function* () {
      const node = yield* TonSandbox.start({ blockTime: 1, testnet: true })
      const [account] = node.accounts
      // addresses of the test chain are marked
      expect(account?.address).toMatch(/^0Q/)
      const { signed } = signerOf(node.accounts)
      const head = node.ask(
        Schema.Struct({ seqno: Schema.Number, transactions: Schema.Array(Schema.Unknown) }),
        "head"
      )
      const before = yield* node.height
      yield* Effect.repeat(Effect.delay(node.height, "50 millis"), { until: (now) => now > before })
      const empty = yield* head
      expect(empty).toMatchObject({ transactions: [] })
      yield* node.ask(Schema.Unknown, "send", signed(0, 0, stranger("a"), "1"))
      yield* node.ask(Schema.Unknown, "send", signed(1, 0, stranger("b"), "1"))
      const refused = yield* node.ask(Schema.Unknown, "send", signed(2, 7, stranger("b"), "1"))
      expect(refused).toMatchObject({ code: 500, message: expect.stringContaining("exitcode=33") })
      expect(yield* head).toEqual(empty)
      const full = yield* Effect.repeat(Effect.delay(head, "50 millis"), {
        until: (now) => !("code" in now) && now.transactions.length > 0
      })
      expect(full).toMatchObject({ transactions: { length: 4 } })
    }).pipe(Effect.timeout("300 seconds"), Effect.scoped)
  )

  it.live("waits while it is frozen, and begins again after a stop", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ networks: [{ network: "ton-testnet" }] })
      const { accounts, fund, height, nodes, urls } = sandbox.network("ton-testnet")
      const [node] = nodes
      if (node === undefined) return yield* Effect.dieMessage("there is no node")
      yield* fund(stranger("f"), "1")
      const grown = yield* height
      const ask = Effect.promise(async () => {
        const response = await fetch(`${urls[0]}/getAddressState?address=${accounts[0]?.address}`)
        return response.json()
      })
      yield* node.freeze
      const waiting = yield* Effect.fork(ask)
      yield* Effect.sleep("300 millis")
      expect(waiting.unsafePoll()).toBeNull()
      yield* node.resume
      expect(yield* waiting.await.pipe(Effect.flatten)).toMatchObject({ ok: true, result: "active" })
      yield* node.restart
      expect(yield* height).toBe(grown - 1)
      expect(yield* ask).toMatchObject({ ok: true, result: "active" })
    }).pipe(Effect.scoped)
  )
})

it.live("what is missing is said with the command that installs it", () =>
  Effect.gen(function* () {
    const { installAdvice, installationOf } = yield* Effect.promise(
      () => import("../../src/sandbox/nodes/binaries.js")
    )
    expect(Object.keys(installationOf("ton-sandbox")?.packages ?? {})).toEqual([
      "@ton/sandbox",
      "@ton/core",
      "@ton/crypto",
      "@ton/ton"
    ])
    expect(installAdvice("ton-sandbox")).toMatch(
      /^run "npm install --ignore-scripts --prefix \S+ @ton\/sandbox@0\.41\.0 @ton\/core@\S+ @ton\/crypto@\S+ @ton\/ton@\S+"$/
    )
  })
)
